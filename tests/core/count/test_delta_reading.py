"""The best reading of the cells: by number, proved, the best there is, and for losses outside the theorem a linear program."""

from __future__ import annotations

import math
import random
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.count.delta_cells import Cells, ChainCells, Level
from dpdesigner.core.count.delta_mechanism import GaussianCells, costs_of_noise, delta_at
from dpdesigner.core.count.delta_reading import best_reading, exact_reading, solve_program, uncovered

Array = NDArray[Any]


def loss(n: int, kind: str) -> Array:
    apart = np.abs(np.arange(n + 1)[:, None] - np.arange(n + 1))
    return {"absolute": apart, "squared": apart**2, "zero-one": apart != 0}[kind].astype(float)


def fractions(table: Array) -> list[list[F]]:
    return [[F(entry) for entry in row] for row in table.tolist()]


@pytest.mark.parametrize(
    ("n", "alpha", "delta", "kind", "value"),
    [
        (5, F(1, 2), F(1, 100), "absolute", F(691, 800)),
        (5, F(1, 2), F(1, 100), "zero-one", F(11, 20)),
        (5, F(1, 2), F(1, 100), "squared", F(117, 80)),
        (5, F(1, 2), F(1, 10), "absolute", F(19, 30)),
        (5, F(1, 2), F(1, 10), "zero-one", F(1, 2)),
        (10, F(2, 3), F(1, 100), "absolute", F(18467819, 12028500)),
        (10, F(2, 3), F(1, 100), "squared", F(818876237, 192456000)),
    ],
)
def test_uniform_priors_by_number(n: int, alpha: F, delta: F, kind: str, value: F) -> None:
    exact = exact_reading(Cells.of(n, alpha, delta), [F(1, n + 1)] * (n + 1), fractions(loss(n, kind)))
    assert exact.value == value and exact.gap == 0
    near = best_reading(Cells.of(n, alpha, delta, exact=False), np.full(n + 1, 1 / (n + 1)), loss(n, kind))
    assert math.isclose(near.value, value, rel_tol=1e-13) and 0 <= near.gap <= 1e-11
    assert near.value - near.gap <= value


@pytest.mark.parametrize(
    ("epsilon", "delta", "value"),
    [
        ("1", "1e-9", 0.837590060854),
        ("1", "1e-6", 0.837575373333),
        ("1", "1e-2", 0.787038389839),
        ("0.5", "1e-4", 1.85965113300),
        ("0.1", "1e-9", 8.55381394647),
        ("0.1", "1e-2", 5.94944895611),
    ],
)
def test_a_hundred_counts_by_number(epsilon: str, delta: str, value: float) -> None:
    cells = Cells.of(100, PrivacyLevel.from_epsilon(epsilon).alpha_above, F(delta))
    found = best_reading(cells, np.full(101, 1 / 101), loss(100, "absolute"))
    assert math.isclose(found.value, value, rel_tol=1e-11) and found.gap < 1e-10


def some_user(dice: random.Random, n: int) -> tuple[list[F], list[list[F]]]:
    """A prior, with zeros in it, and a loss whose rows fall to a least value and rise after it, which do not move back."""
    weights = [dice.choice([0, 0, 1, 2, 5, 9]) for _ in range(n + 1)]
    weights[dice.randrange(n + 1)] += 1
    prior, least, table = [F(w, sum(weights)) for w in weights], 0, []
    for _ in range(n + 1):
        least = dice.randrange(least, min(least + 2, n) + 1)
        row = [F(0)] * (n + 1)
        for r in range(least + 1, n + 1):
            row[r] = row[r - 1] + dice.choice([0, 1, 1, 3])
        for r in range(least - 1, -1, -1):
            row[r] = row[r + 1] + dice.choice([0, 1, 2])
        table.append(row)
    return prior, table


def test_random_users_are_served_optimally_with_gap_0() -> None:
    dice = random.Random(29)
    for _ in range(150):
        n = dice.randrange(1, 6)
        alpha, delta = F(dice.randrange(1, 10), 10), F(dice.randrange(1, 40), dice.choice([50, 100, 1000]))
        prior, table = some_user(dice, n)
        assert exact_reading(Cells.of(n, alpha, delta), prior, table).gap == 0


def test_no_random_private_mechanism_costs_less() -> None:
    dice, numbers = random.Random(30), np.random.default_rng(30)
    for _ in range(60):
        n = dice.randrange(1, 6)
        alpha, delta = F(dice.randrange(2, 9), 10), F(dice.randrange(1, 30), 100)
        prior, table = some_user(dice, n)
        best = exact_reading(Cells.of(n, alpha, delta), prior, table).value
        raw = [[F(int(entry), 1000) for entry in row] for row in numbers.integers(0, 1000, (n + 1, n + 1)) + 1]
        rows = [[entry / sum(row) for entry in row] for row in raw]
        found = uncovered(rows, 1 / alpha).delta
        if found > delta:  # mixed with a constant until it is private
            rows = [[delta / found * entry + (1 - delta / found) * (r == 0) for r, entry in enumerate(row)] for row in rows]
        assert uncovered(rows, 1 / alpha).delta <= delta
        assert best <= sum(prior[i] * rows[i][r] * table[i][r] for i in range(n + 1) for r in range(n + 1))


@pytest.mark.parametrize("n", [2, 6])
@pytest.mark.parametrize("delta", [F(1, 100), F(1, 3)])
def test_a_linear_program_finds_no_more(n: int, delta: F) -> None:
    prior = np.random.default_rng(n).dirichlet(np.ones(n + 1))
    program = solve_program(prior, loss(n, "absolute"), F(2, 3), delta)
    cells = best_reading(Cells.of(n, F(2, 3), delta), prior, loss(n, "absolute"))
    assert math.isclose(program.value, cells.value, rel_tol=1e-9) and program.gap < 1e-8
    assert program.value >= cells.value - cells.gap and cells.value >= program.value - program.gap


def test_outside_the_theorem_the_program_is_better_and_exactly_private() -> None:
    n = 3
    parity = ((np.arange(n + 1)[:, None] + np.arange(n + 1)) % 2).astype(float)
    found = solve_program(np.full(n + 1, 0.25), parity, F(1, 2), F(1, 100))
    assert math.isclose(found.value, 0.33, rel_tol=1e-9) and found.gap < 1e-9
    assert uncovered(found.rows, F(2)).delta <= F(1, 100) and all(sum(row) == 1 for row in found.rows)
    cells = best_reading(Cells.of(n, F(1, 2), F(1, 100)), np.full(n + 1, 0.25), parity)
    assert math.isclose(cells.value, 149 / 400) and cells.gap > 0.04
    with pytest.raises(ArithmeticError):
        exact_reading(Cells.of(n, F(1, 2), F(1, 100)), [F(1, 4)] * 4, fractions(parity))


def test_a_certificate_does_not_break_down_at_large_n() -> None:
    """A one-sided recursion along the cells is unstable; the square system is not."""
    cells = Cells.of(300, PrivacyLevel.from_epsilon("0.2").alpha_above, F("1e-5"))
    found = best_reading(cells, np.full(301, 1 / 301), loss(300, "squared"))
    assert found.gap <= 1e-9 * found.value


def test_cells_that_the_prior_excludes_are_read_like_their_neighbours() -> None:
    prior = np.zeros(21)
    prior[5:9] = 0.25
    found = best_reading(Cells.of(20, F(1, 2), F(1, 100)), prior, loss(20, "absolute"))
    assert (np.diff(found.outputs) >= 0).all() and set(found.outputs.tolist()) <= {5, 6, 7, 8}


def test_other_noise_by_number() -> None:
    prior = np.array([1, 3, 6, 11, 16, 18, 16, 12, 8, 5, 3, 1] + [0] * 9) / 100
    found = costs_of_noise(prior, loss(20, "absolute"), math.log(2), 0.01)
    assert found.gaussian_sigma is not None and math.isclose(found.gaussian_sigma, 2.47053262, rel_tol=1e-8)
    assert found.gaussian is not None and math.isclose(found.gaussian, 1.31963814, rel_tol=1e-8)
    assert found.truncated_laplace is not None and math.isclose(found.truncated_laplace, 1.06492591, rel_tol=1e-8)
    assert costs_of_noise(prior, loss(20, "absolute"), 1.0, 0.7).truncated_laplace is None
    assert costs_of_noise(prior, loss(20, "absolute"), 0.0, 0.1) == (None, None, None)


HALF, FIFTH = Level(F(1, 2), F(1, 10)), Level(F(1, 5), F(1, 100))


def test_several_levels_by_number_and_proved() -> None:
    cells = ChainCells.of(3, [HALF, FIFTH])
    assert cells.exact and all(sum(row) == 1 for row in cells.rows())
    assert [uncovered(list(cells.rows()), 1 / level.alpha).delta for level in (HALF, FIFTH)] == [F(1, 10), F(1, 100)]
    found = best_reading(cells, np.full(4, 0.25), loss(3, "absolute"))
    assert math.isclose(found.value, 559 / 1000, rel_tol=1e-13) and found.gap < 1e-12
    alone = [best_reading(Cells.of(3, *level), np.full(4, 0.25), loss(3, "absolute")).value for level in (HALF, FIFTH)]
    assert np.allclose(alone, [11 / 20, 1403 / 5000])


def test_one_level_as_a_chain_is_the_universal_table() -> None:
    for n, alpha, delta in ((1, F(1, 2), F(1, 10)), (2, F(1, 2), F(1, 100)), (5, F(1, 3), F(1, 7))):
        cells, chain = Cells.of(n, alpha, delta), ChainCells.of(n, [Level(alpha, delta)])
        possible = [weight != 0 for weight in cells.weights]
        table = [[entry for entry, kept in zip(row, possible, strict=True) if kept] for row in cells.rows()]
        assert [row[: sum(possible)] for row in chain.rows()] == table
        assert all(not any(column) for column in chain.columns[sum(possible) :])


@pytest.mark.parametrize("n", [1, 4, 20])
def test_random_users_of_random_levels_are_proved(n: int) -> None:
    dice = random.Random(n)
    for _ in range(12):
        levels = [Level(F(dice.randrange(1, 20), 20), F(dice.randrange(1, 60), 200)) for _ in range(dice.randrange(2, 5))]
        prior, table = some_user(dice, n)
        found = best_reading(ChainCells.of(n, levels, False), np.array(prior, float), np.array(table, float))
        assert found.gap <= 1e-9 * max(1.0, float(max(max(row) for row in table)))


@pytest.mark.parametrize(
    ("n", "mu", "value"),
    [(1, 1, 0.308537538726), (4, 1, 0.571058752128), (4, 0.5, 0.910478377895), (10, 1, 0.676066735411), (2, 1, 0.445319729757)],
)
def test_gaussian_privacy_by_number(n: int, mu: float, value: float) -> None:
    prior, costs = np.full(n + 1, 1 / (n + 1)), loss(n, "absolute")
    cells = GaussianCells.of(n, mu, prior, costs)
    assert math.isclose(float((prior[:, None] * costs[:, cells.outputs] * cells.matrix).sum()), value, rel_tol=1e-11)
    rows = list(cells.rows())
    assert all(sum(map(F, row)) == 1 for row in rows)
    for epsilon in (0.1, 1.0, 2.0):
        ratio = F(math.exp(epsilon))
        assert float(uncovered(rows, ratio).delta) <= delta_at(mu, epsilon) * (1 + 1e-9)


def test_ever_more_levels_rise_to_gaussian_privacy() -> None:
    found = []
    for many in (10, 16):
        levels = [Level(F(math.exp(-e)), F(delta_at(1, e))) for e in np.linspace(0.02, 5, many)]
        found.append(best_reading(ChainCells.of(2, levels, False), np.full(3, 1 / 3), loss(2, "absolute")).value)
    assert found[0] < found[1] < 0.445319729757 < found[1] + 0.004
