"""The linear program against closed forms, published values and an exact solver; its warm starts, limits, cancellation."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from core.oracle import best_remap, is_private, optimum
from core.strategies import matrices
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpdesigner.core.mechanism.linear_program import WarmProgram, checked_costs, solve_linear_program
from dpdesigner.core.mechanism.mechanism import repair
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.progress import silent

PROGRAM = """
from dpdesigner.core.mechanism.linear_program import new_solver, run
from dpdesigner.progress import silent
solver = new_solver()
solver.addVar(0, 1)
run(solver, silent)
print("done")
"""


def test_a_solver_writes_nothing():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "done\n"), ended.stderr


Floats = NDArray[np.float64]

EXTREMES = [0.0, 1e-300, 1e-20, 1e-9, 0.1, 0.9, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12, 1 - 1e-15, 1.0]


def distances(n: int) -> Floats:
    return np.abs(np.arange(n + 1)[:, None] - np.arange(n + 1)).astype(float)


def uniform(loss: Floats) -> Floats:
    return loss / len(loss)


def remapped_geometric(costs: Floats, alpha: float) -> float:
    """The expected loss of G and the best reading of each of its outputs, by the definition."""
    powers = alpha ** distances(len(costs) - 1)
    weights = np.full(len(costs), (1 - alpha) / (1 + alpha))
    weights[[0, -1]] = 1 / (1 + alpha) if len(costs) > 1 else 1
    return float((weights * (powers @ costs).min(axis=1)).sum())


def is_private_in_doubles(mechanism: Floats, alpha: float) -> bool:
    """Privacy of the doubles, as the rationals that they are."""
    return all(
        Fraction(low) >= Fraction(alpha) * Fraction(high)
        for pair in pairwise(mechanism.tolist())
        for low, high in map(sorted, zip(*pair, strict=True))
    )


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("exponent", [1, 2, 0.5])
def test_a_covered_loss_needs_no_more_than_geometric_and_remap(alpha: float, exponent: float) -> None:
    prior = np.random.default_rng(3).dirichlet(np.ones(13))
    costs = prior[:, None] * distances(12) ** exponent
    answer = solve_linear_program(costs, alpha)
    assert answer.value == pytest.approx(remapped_geometric(costs, alpha), abs=1e-7)
    assert answer.gap <= 1e-7
    assert answer.iterations > 0


def test_figure_2() -> None:
    prior = np.array([1 / 4, 0, 1 / 4, 0, 1 / 4, 1 / 4])
    answer = solve_linear_program(prior[:, None] * distances(5) ** 1.5, 0.5)
    assert answer.value == pytest.approx(1.19423215531629, rel=1e-12)
    assert answer.gap <= 1e-12
    first = [2 / 3, 0, 1 / 4, 1 / 24, 1 / 48, 1 / 48]
    assert answer.mechanism[0] == pytest.approx(first, abs=1e-12)


@pytest.mark.parametrize(("alpha", "value"), [(1 / 4, 1 / 5), (1 / 2, 1 / 3), (3 / 4, 3 / 7)])
def test_parity_is_beyond_geometric_and_remap(alpha: float, value: float) -> None:
    costs = uniform(distances(9) % 2)
    answer = solve_linear_program(costs, alpha)
    assert answer.value == pytest.approx(value, abs=1e-12)
    assert answer.gap <= 1e-12
    assert remapped_geometric(costs, alpha) > value + 0.03
    assert (answer.mechanism[:, 2:] < 1e-12).all(), "columns that cost the same are one variable"


def test_remainders_by_three() -> None:
    answer = solve_linear_program(uniform((distances(5) % 3 != 0).astype(float)), 0.5)
    assert answer.value == pytest.approx(7 / 15, abs=1e-12)


@given(st.data(), st.integers(1, 4), st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(9, 10), Fraction(1, 50)]))
@settings(max_examples=20, deadline=None)
def test_any_loss_against_an_exact_solver(data: st.DataObject, n: int, alpha: Fraction) -> None:
    loss = [[Fraction(entry) for entry in row] for row in data.draw(matrices(n))]
    prior = [Fraction(weight) for weight in data.draw(st.lists(st.integers(0, 5), min_size=n + 1, max_size=n + 1).filter(any))]
    costs = np.array([[float(p * entry) for entry in row] for p, row in zip(prior, loss, strict=True)])
    answer = solve_linear_program(costs, float(alpha))
    exact = optimum(prior, loss, alpha)
    scale = Fraction(float(np.abs(costs).max()))
    assert Fraction(answer.value) - exact <= Fraction(answer.gap) + Fraction(1, 10**14) * scale
    assert abs(Fraction(answer.value) - exact) <= Fraction(1, 10**7) * scale
    assert answer.value <= best_remap(prior, loss, alpha)[0] + 1e-7 * scale


@pytest.mark.parametrize("n", [20, 45])
def test_what_the_solver_says_is_not_private_and_its_repair_is(n: int) -> None:
    alpha = math.exp(-1)
    answer = solve_linear_program(uniform(distances(n)), alpha)
    assert not is_private_in_doubles(answer.raw, alpha)
    neighbours = [sorted(entries) for pair in pairwise(answer.raw.tolist()) for entries in zip(*pair, strict=True)]
    assert any(low <= 0 < high for low, high in neighbours) == (n == 45), "a zero beside a positive entry: epsilon is infinite"
    assert is_private_in_doubles(answer.mechanism, alpha)
    exact = repair(answer.raw, Fraction(alpha), filler=answer.filler)
    assert is_private(exact, Fraction(alpha))
    assert exact.astype(float) == pytest.approx(answer.mechanism, abs=1e-13)
    assert 0 <= answer.repair_cost < 1e-7
    assert answer.value - answer.raw_value == answer.repair_cost


@pytest.mark.parametrize("alpha", EXTREMES)
@pytest.mark.parametrize("n", [0, 1, 6])
def test_extremes(n: int, alpha: float) -> None:
    rng = np.random.default_rng(n)
    even = np.where(np.arange(n + 1) % 2 == 0, 1.0, 0.0)
    signed = even[:, None] * rng.normal(size=(n + 1, n + 1))
    for costs in (uniform(distances(n)), signed, 1e-30 * distances(n), np.zeros((n + 1, n + 1))):
        answer = solve_linear_program(costs, alpha)
        scale = float(np.abs(costs).max())
        assert answer.mechanism.sum(axis=1) == pytest.approx(1, abs=1e-14)
        assert answer.mechanism.min() >= 0
        assert repair(answer.raw, alpha, filler=answer.filler) == pytest.approx(answer.mechanism, abs=1e-14)
        assert 0 <= answer.gap <= 1e-7 * scale + 1e-290
        assert answer.value <= costs.sum(axis=0).min() + 1e-15 * scale
        if alpha > 0:
            assert answer.value <= remapped_geometric(costs, alpha) + 1e-8 * scale or alpha == 1


def test_without_privacy_everybody_gets_what_they_want() -> None:
    costs = np.random.default_rng(1).normal(size=(8, 8))
    answer = solve_linear_program(costs, 0.0)
    assert answer.mechanism == pytest.approx(np.eye(8)[costs.argmin(axis=1)], abs=1e-12)


def test_a_warm_program_gives_what_a_new_one_gives() -> None:
    rng = np.random.default_rng(5)
    n, warm = 14, WarmProgram()
    loss, prior = rng.random((n + 1, n + 1)), rng.dirichlet(np.ones(n + 1))
    cold_steps = warm_steps = 0
    for alpha in (0.5, 0.5, 0.5, 0.52, 0.52, 0.9):
        prior = prior * rng.uniform(0.8, 1.2, n + 1)
        cold = solve_linear_program(prior[:, None] * loss, alpha)
        kept = solve_linear_program(prior[:, None] * loss, alpha, warm=warm)
        assert kept.value == pytest.approx(cold.value, rel=1e-9)
        assert kept.gap <= 1e-8
        cold_steps, warm_steps = cold_steps + cold.iterations, warm_steps + kept.iterations
    assert warm_steps < cold_steps / 2


def test_a_warm_program_takes_another_size_and_another_loss() -> None:
    warm = WarmProgram()
    for costs in (uniform(distances(9)), uniform(distances(4) ** 2), -uniform(distances(4)), uniform(distances(9) % 2)):
        cold = solve_linear_program(costs, 0.3)
        assert solve_linear_program(costs, 0.3, warm=warm).value == pytest.approx(cold.value, rel=1e-9)


def test_the_same_twice_takes_no_step() -> None:
    warm, costs = WarmProgram(), uniform(distances(10))
    first = solve_linear_program(costs, 0.5, warm=warm)
    again = solve_linear_program(costs * 1000, 0.5, warm=warm)
    assert again.iterations == 0
    assert again.value == pytest.approx(1000 * first.value, rel=1e-12)


def test_iterations_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdesigner.core.mechanism.linear_program._PAUSE", 0.001)
    said: list[tuple[float | None, str]] = []
    solve_linear_program(uniform(distances(40)), 0.5, progress=lambda fraction, text="": said.append((fraction, text)))
    assert len(said) > 2
    assert {fraction for fraction, _ in said} == {None}
    assert all(not text or int(text.removesuffix(" iterations")) > 0 for _, text in said) and any(text for _, text in said)


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("stop", [Cancelled("enough"), KeyboardInterrupt(), RuntimeError("a broken report")])
def test_what_a_report_raises_stops_the_solver_and_comes_out(
    monkeypatch: pytest.MonkeyPatch, stop: BaseException, watched: bool
) -> None:
    monkeypatch.setattr("dpdesigner.core.mechanism.linear_program._PAUSE", 0.001)
    calls: list[str] = []

    def report(fraction: float | None, text: str = "") -> None:
        calls.append(text)
        if len(calls) == 2:
            raise stop

    warm, costs = WarmProgram(), uniform(distances(25))
    with pytest.raises(type(stop)):
        solve_linear_program(costs, 0.5, warm=warm, progress=report)
    assert len(calls) == 2
    after = solve_linear_program(costs, 0.5, warm=warm, progress=report if watched else silent)
    assert (len(calls) > 2) == watched
    assert after.value == pytest.approx(remapped_geometric(costs, 0.5), abs=1e-7), "it can be used again"


@pytest.mark.parametrize(
    ("costs", "alpha", "words"),
    [
        (np.zeros(3), 0.5, "matrix"),
        (np.zeros((0, 0)), 0.5, "matrix"),
        (np.array([[0.0, math.nan], [1.0, 0.0]]), 0.5, "finite"),
        (np.array([[0.0, math.inf], [1.0, 0.0]]), 0.5, "finite"),
        (np.eye(2), -0.1, r"alpha must be between 0 and 1, got -0.1"),
        (np.eye(2), math.nan, "alpha"),
    ],
)
def test_what_is_no_program_is_refused(costs: Any, alpha: float, words: str) -> None:
    with pytest.raises(InputError, match=words):
        checked_costs(costs, alpha)
    with pytest.raises(InputError, match=words):
        solve_linear_program(costs, alpha)
