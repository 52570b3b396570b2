"""Every number that a caption names, and every claim, is computed here again from the definition of the mechanism."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linprog

from dpdesigner.desktop.presenting.story import Scene, compute, story
from dpdesigner.desktop.presenting.story import loss as written

Loss = Callable[[int, int], Fraction]

NUMBERS = compute()
SCENES = story(NUMBERS)
SIDE = range(21)
#: The geometric mechanism written out from its definition: alpha^|i-r| (1 - alpha) / (1 + alpha), the tails at the ends.
G = [[Fraction(1, 2) ** abs(i - r) * (Fraction(2, 3) if r in (0, 20) else Fraction(1, 3)) for r in SIDE] for i in SIDE]
UNIFORM = [Fraction(1, 21)] * 21


def caption(scene: int, step: int) -> str:
    return re.sub("</?[bw]>", "", SCENES[scene].steps[step].caption)


def binomial() -> list[Fraction]:
    weights, p = [Fraction(1)], Fraction(1, 4)
    for _ in range(20):
        weights = [a * (1 - p) + b * p for a, b in zip([*weights, Fraction(0)], [Fraction(0), *weights], strict=True)]
    return weights


def absolute(i: int, r: int) -> Fraction:
    return Fraction(abs(i - r))


def pinball(i: int, r: int) -> Fraction:
    return Fraction(3, 4) * (i - r) if r < i else Fraction(1, 4) * (r - i)


def least(prior: list[Fraction], loss: Loss) -> float:
    """The expected loss of the best private mechanism, by a linear program of its own."""
    costs = np.array([[float(prior[i] * loss(i, r)) for r in SIDE] for i in SIDE]).ravel()
    rows = []
    for i in range(20):
        for r in SIDE:
            for one, other in ((i, i + 1), (i + 1, i)):
                row = np.zeros((21, 21))
                row[one, r], row[other, r] = 1, -2
                rows.append(row.ravel())
    sums = np.kron(np.eye(21), np.ones(21))
    return float(linprog(costs, np.array(rows), np.zeros(len(rows)), sums, np.ones(21), method="highs").fun)


def test_the_mechanism_is_the_one_of_the_definition() -> None:
    np.testing.assert_allclose(NUMBERS.table, np.array(G, dtype=float), rtol=1e-14)
    assert all(sum(row) == 1 for row in G)


def test_it_takes_five_minutes_and_builds_up() -> None:
    assert len(SCENES) == 9 and sum(scene.seconds for scene in SCENES) == 300
    assert [len(scene.steps) for scene in SCENES] == [2, 3, 2, 2, 2, 2, 4, 2, 1]
    assert all(step.note and step.caption != step.note for scene in SCENES for step in scene.steps)


def test_the_promise() -> None:
    ratios = [max(above[r] / below[r], below[r] / above[r]) for above, below in pairwise(G) for r in SIDE]
    assert max(ratios) == 2 and "twice as likely, nor less than half" in caption(1, 0)
    assert "factor of 2 is written ε = ln 2" in caption(1, 1) and "At ε = 0 the factor is 1" in caption(1, 1)
    odds = Fraction(1, 1) * 2
    assert round(100 * odds / (1 + odds)) == 67 and "67 : 33" in caption(1, 2) and "all the others" in caption(1, 2)


def test_chance() -> None:
    assert (G[7][7], G[7][6], G[7][8]) == (Fraction(1, 3), Fraction(1, 6), Fraction(1, 6))
    off = sum(chance * abs(r - 7) for r, chance in enumerate(G[7]))
    assert f"expected error is {float(off):.2f}." in caption(2, 0) and "1.33" in caption(2, 0)
    constant = np.zeros((21, 21))
    constant[:, 10] = 1
    assert "always says 10 keeps the promise, too" in caption(2, 1) and (constant[1:] <= 2 * constant[:-1]).all()


def test_what_it_costs_is_the_least_and_less_than_one_row() -> None:
    assert least(UNIFORM, absolute) == pytest.approx(NUMBERS.best, abs=1e-7)
    assert "1.2064" in caption(3, 0) and "less than 1.33 because" in caption(3, 0) and NUMBERS.best < NUMBERS.off
    rows = [float(sum(chance * abs(r - i) for r, chance in enumerate(G[i]))) for i in SIDE]
    assert rows[0] == min(rows) and rows[10] == max(rows) and rows == sorted(rows[:11]) + sorted(rows[11:], reverse=True)
    assert "6% larger" in caption(3, 1) and NUMBERS.laplace / NUMBERS.best == pytest.approx(1.0559, abs=2e-4)
    constants = [sum(UNIFORM[i] * abs(i - r) for i in SIDE) for r in SIDE]
    assert min(constants) == constants[10] == Fraction(110, 21) and pytest.approx(110 / 21) == NUMBERS.ignoring
    assert 4 < NUMBERS.ignoring / NUMBERS.best < 5 and "more than 4 times" in caption(3, 1)


def test_the_table() -> None:
    assert "1/3, 1/6, 1/12" in caption(4, 0) and [G[7][r] for r in (7, 8, 9)] == [Fraction(1, 3), Fraction(1, 6), Fraction(1, 12)]
    beyond = [sum(Fraction(1, 3) * Fraction(1, 2) ** k for k in range(20 - i, 300)) for i in SIDE]
    assert all(0 <= G[i][20] - beyond[i] < Fraction(1, 2**250) for i in SIDE), "values outside become 20"


@pytest.mark.parametrize(
    ("scene_step", "prior", "loss", "reads", "below", "reached", "pays", "face", "share"),
    [
        ((6, 1), binomial(), absolute, 8, 42, 61, "1.0011", "1.2872", Fraction(1, 2)),
        ((6, 2), UNIFORM, pinball, 13, 67, 83, "0.5179", "0.6032", Fraction(3, 4)),
    ],
)
def test_what_each_reads_and_pays(
    scene_step: tuple[int, int],
    prior: list[Fraction],
    loss,
    reads: int,
    below: int,
    reached: int,
    pays: str,
    face: str,
    share: Fraction,
) -> None:
    words = caption(*scene_step)
    joint = [prior[i] * G[i][12] for i in SIDE]
    chances = [part / sum(joint) for part in joint]
    expected = [sum(chances[i] * loss(i, r) for i in SIDE) for r in SIDE]
    assert expected.index(min(expected)) == reads and f"reads it as {reads}" in words
    upto, least = float(sum(chances[:reads])), float(sum(chances[: reads + 1]))
    assert upto < share <= least, "reached there, and not before"
    assert (round(100 * upto), round(100 * least)) == (below, reached)
    assert f"at most {reads - 1} are ill with probability {below}%" in words and f"at most {reads} with {reached}%" in words
    reader = NUMBERS.nurse if reads == 8 else NUMBERS.cook
    best = sum(min(sum(prior[i] * G[i][j] * loss(i, r) for i in SIDE) for r in SIDE) for j in SIDE)
    assert reader.pays == best and reader.face == sum(prior[i] * G[i][r] * loss(i, r) for i in SIDE for r in SIDE)
    assert (written(reader.pays), written(reader.face)) == (pays, face)


def test_the_prices_prove_it() -> None:
    """Their sum is what the best of all private mechanisms costs her by a linear program, and the nurse pays just that."""
    nurse = NUMBERS.nurse
    assert sum(nurse.prices) == sum(nurse.shares) == nurse.pays and len(nurse.prices) == 21
    assert "1.0011" in caption(7, 0) and "1.0011" in caption(7, 1) and "21 fractions" in caption(7, 1)
    assert least(binomial(), absolute) == pytest.approx(float(sum(nurse.prices)), abs=1e-7)
    assert least(UNIFORM, pinball) == pytest.approx(float(NUMBERS.cook.pays), abs=1e-7)


def test_no_caption_holds_a_number_of_its_own() -> None:
    """Numbers come in as values, but for those of the story's frame."""
    told_in_words = {"0", "19", "1", "2", "3", "6", "12", "50", "5"}
    for scene in SCENES:
        for step in scene.steps:
            assert set(re.findall(r"(?<![{\w])\d+(?![\w}])", step.caption.template)) <= told_in_words, step.caption


def test_scenes_are_told_in_order() -> None:
    assert [scene.picture for scene in SCENES] == [
        "door",
        "promise",
        "chance",
        "cost",
        "table",
        "readers",
        "reading",
        "proof",
        "yours",
    ]
    assert isinstance(SCENES[0], Scene)
