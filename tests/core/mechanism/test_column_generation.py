"""Column generation against HiGHS and an exact solver, and what it does where it gets stuck."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from core.oracle import in_dual_cone, is_private, optimum
from core.strategies import matrices
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpdesigner.core.mechanism import column_generation
from dpdesigner.core.mechanism.column_generation import WarmColumns, _heights, geometric_rays, negative_rays, solve_by_columns
from dpdesigner.core.mechanism.linear_program import solve_linear_program
from dpdesigner.core.mechanism.mechanism import repair
from dpdesigner.errors import Cancelled, InputError


def test_the_rays_of_the_geometric_mechanism() -> None:
    assert geometric_rays(4).tolist() == [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]


@given(
    st.lists(st.lists(st.integers(-20, 20), min_size=3, max_size=3), min_size=1, max_size=7),
    st.sampled_from([Fraction(1, 2), Fraction(1, 10), Fraction(9, 10), Fraction(1, 3)]),
)
def test_a_negative_ray_is_found_exactly_where_there_is_one(vectors: list[list[int]], alpha: Fraction) -> None:
    exact = [[Fraction(entry) for entry in row] for row in vectors]
    powers = float(alpha) ** np.arange(2 * len(vectors), dtype=float)
    found = negative_rays(np.array(exact, dtype=float), float(alpha), powers)
    rounding = Fraction(1, 10**12)
    if not all(in_dual_cone([v + rounding for v in column], alpha) for column in zip(*exact, strict=True)):
        assert len(found)
    for exponents in found.tolist():
        assert min(exponents) == 0
        assert all(abs(a - b) == 1 for a, b in pairwise(exponents))
        values = [sum(v * alpha**e for v, e in zip(column, exponents, strict=True)) for column in zip(*exact, strict=True)]
        assert min(values) < rounding


@pytest.mark.parametrize("alpha", [0.5, 0.01, 1e-100])
def test_far_peaks_do_not_hide_a_near_one(alpha: float) -> None:
    vectors = np.full((60, 1), 1.0)
    vectors[30] = -1.5 if alpha < 0.1 else -3.5
    found = negative_rays(vectors, alpha, alpha ** np.arange(120, dtype=float))
    assert [abs(i - 30) for i in range(60)] in found.tolist()


def test_nothing_is_found_inside_the_dual_cone() -> None:
    found = negative_rays(np.ones((5, 3)), 0.5, 0.5 ** np.arange(10.0))
    assert found.shape == (0, 5)


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_heights_are_those_of_the_rays_that_the_signs_lead_to(falls: list[bool]) -> None:
    found = _heights(np.where(falls, 1.0, -1.0)[:, None])[:, 0].tolist()
    for i in range(len(falls)):
        levels = np.cumsum([0, *(-1 if fall else 1 for fall in falls[i + 1 :])])
        assert found[i] == levels.max()


Floats = NDArray[np.float64]


def distances(n: int) -> Floats:
    return np.abs(np.arange(n + 1)[:, None] - np.arange(n + 1)).astype(float)


def losses(n: int) -> dict[str, Floats]:
    """Losses outside Theorem A, each with more than a few different columns, and one inside."""
    rng, d = np.random.default_rng(n), distances(n)
    i = np.arange(n + 1)
    return {
        "covered": d,
        "parity and distance": d % 2 + 0.01 * d,
        "wave": 1 - np.cos(d),
        "ring": (d - 5) ** 2,
        "random": rng.random((n + 1, n + 1)),
        "negative": -rng.random((n + 1, n + 1)) * d,
        "product": np.sin(np.outer(i, i) / 7),
    }


@given(st.data(), st.integers(1, 4), st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(9, 10), Fraction(1, 50)]))
@settings(max_examples=20, deadline=None)
def test_any_loss_against_an_exact_solver(data: st.DataObject, n: int, alpha: Fraction) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_generation, "_FEW_COLUMNS", 0)
        loss = [[Fraction(entry) for entry in row] for row in data.draw(matrices(n))]
        weights = st.lists(st.integers(0, 5), min_size=n + 1, max_size=n + 1)
        prior = [Fraction(weight) for weight in data.draw(weights.filter(any))]
        costs = np.array([[float(p * entry) for entry in row] for p, row in zip(prior, loss, strict=True)])
        answer = solve_by_columns(costs, float(alpha))
        exact, scale = optimum(prior, loss, alpha), Fraction(float(np.abs(costs).max()))
        assert Fraction(answer.value) - exact <= Fraction(answer.gap) + Fraction(1, 10**14) * scale
        assert abs(Fraction(answer.value) - exact) <= Fraction(1, 10**11) * scale


@pytest.mark.parametrize("alpha", [0.02, 0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("name", losses(1))
def test_it_agrees_with_the_full_program_and_is_more_precise(name: str, alpha: float) -> None:
    n = 18
    prior = np.random.default_rng(2).dirichlet(np.ones(n + 1))
    costs = prior[:, None] * losses(n)[name]
    scale = float(np.abs(costs).max())
    warm = WarmColumns()
    answer, full = solve_by_columns(costs, alpha, warm=warm), solve_linear_program(costs, alpha)
    assert len(warm.exponents) > n, "it was not handed over"
    assert answer.value == pytest.approx(full.value, abs=1e-8 * scale)
    assert answer.gap <= 1e-10 * scale
    assert abs(answer.repair_cost) <= 1e-10 * scale
    exact = repair(answer.raw, Fraction(alpha), filler=answer.filler)
    assert is_private(exact, Fraction(alpha))
    assert answer.iterations == 0 or name != "covered"


def test_a_covered_loss_needs_no_pivot_at_any_size() -> None:
    answer = solve_by_columns(distances(150) ** 2 / 151, 0.7)
    assert answer.iterations == 0
    assert answer.gap <= 1e-12 * 150**2


@pytest.mark.parametrize("alpha", [0.0, 1e-300, 1e-20, 1e-9, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12, 1 - 1e-15, 1.0])
@pytest.mark.parametrize("n", [0, 1, 12])
def test_extremes(n: int, alpha: float) -> None:
    even = np.where(np.arange(n + 1) % 2 == 0, 1.0, 0.0)
    signed = even[:, None] * np.random.default_rng(n).normal(size=(n + 1, n + 1))
    for costs in (distances(n) / (n + 1), signed, 1e-30 * distances(n), np.zeros((n + 1, n + 1))):
        answer = solve_by_columns(costs, alpha)
        scale = float(np.abs(costs).max())
        assert answer.mechanism.sum(axis=1) == pytest.approx(1, abs=1e-14)
        assert answer.mechanism.min() >= 0
        assert 0 <= answer.gap <= 1e-7 * scale + 1e-290
        assert answer.value <= solve_linear_program(costs, alpha).value + 1e-7 * scale


def test_warm_columns_give_what_new_ones_give_in_fewer_steps() -> None:
    rng = np.random.default_rng(5)
    n, warm = 20, WarmColumns()
    loss, prior = rng.random((n + 1, n + 1)), rng.dirichlet(np.ones(n + 1))
    cold_steps = warm_steps = 0
    for alpha in (0.8, 0.8, 0.8, 0.81, 0.81, 0.3, 0.95):
        prior = prior * rng.uniform(0.9, 1.1, n + 1)
        cold = solve_by_columns(prior[:, None] * loss, alpha)
        kept = solve_by_columns(prior[:, None] * loss, alpha, warm=warm)
        assert kept.value == pytest.approx(cold.value, rel=1e-12)
        assert kept.gap <= 1e-12
        cold_steps, warm_steps = cold_steps + cold.iterations, warm_steps + kept.iterations
    assert warm_steps < cold_steps / 1.5
    assert solve_by_columns(distances(7), 0.5, warm=warm).gap <= 1e-12, "another size"


def test_rays_that_are_not_needed_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_generation, "_POOL", 4)
    warm, costs = WarmColumns(), losses(30)["wave"] / 31
    first = solve_by_columns(costs, 0.9, warm=warm)
    assert len(warm.exponents) == len(warm.known) == 2 * 31
    assert all(ray.tobytes() in warm.known for ray in warm.exponents)
    assert solve_by_columns(costs, 0.9, warm=warm).value == pytest.approx(first.value, rel=1e-12)


@pytest.mark.parametrize(("limit", "value"), [("_PATIENCE", 1), ("_CROWD", 2), ("_GOOD_GAP", 0.0)])
def test_where_it_gets_stuck_the_full_program_answers(monkeypatch: pytest.MonkeyPatch, limit: str, value: float) -> None:
    monkeypatch.setattr(column_generation, limit, value)
    warm, costs = WarmColumns(), losses(18)["wave"] / 19
    answer = solve_by_columns(costs, 0.9, warm=warm)
    assert answer.gap <= 1e-9
    assert answer.value == pytest.approx(solve_linear_program(costs, 0.9).value, rel=1e-9)
    assert warm.stuck
    monkeypatch.undo()
    for _ in range(3):
        again = solve_by_columns(costs, 0.9, warm=warm)
        assert again.value == pytest.approx(answer.value, rel=1e-9)


def test_a_singular_basis_is_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def singular(matrix: Floats) -> Floats:
        raise np.linalg.LinAlgError

    costs = losses(12)["random"]
    expected = solve_by_columns(costs, 0.5).value
    monkeypatch.setattr(np.linalg, "inv", singular)
    assert solve_by_columns(costs, 0.5).value == pytest.approx(expected, rel=1e-9)


def test_few_different_columns_are_left_to_the_full_program() -> None:
    warm = WarmColumns()
    answer = solve_by_columns(distances(9) % 2 / 10, 0.5, warm=warm)
    assert answer.value == pytest.approx(1 / 3, abs=1e-12)
    assert not len(warm.exponents)


def test_iterations_are_reported_and_a_cancellation_leaves_warm_columns_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_generation, "_PAUSE", 0.0)
    costs = losses(25)["wave"] / 26
    said: list[str] = []

    def report(fraction: float | None, text: str) -> None:
        assert fraction is None
        said.append(text)
        if len(said) == 15:
            raise Cancelled("enough")

    warm = WarmColumns()
    with pytest.raises(Cancelled):
        solve_by_columns(costs, 0.9, warm=warm, progress=report)
    counts = [int(text.removesuffix(" iterations").replace(" ", "")) for text in said]
    assert counts[0] == 0
    assert all(a <= b for a, b in pairwise(counts))
    assert solve_by_columns(costs, 0.9, warm=warm).value == pytest.approx(solve_by_columns(costs, 0.9).value, rel=1e-12)


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(InputError, match="finite"):
        solve_by_columns(np.array([[0.0, np.nan], [1.0, 0.0]]), 0.5)
    with pytest.raises(InputError, match=r"alpha must be between 0 and 1, got 2"):
        solve_by_columns(np.eye(2), 2)
