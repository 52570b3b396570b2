"""Designs without a matrix: the same answers as with one, and what must contain where none fits."""

from __future__ import annotations

import json
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from core.refusals import refused
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountAnswer, CountDesign, solve
from dpdesigner.core.count.costs import cost_curves, epsilon_for_loss, reachable_losses
from dpdesigner.core.mechanism.remap import bayes_remap
from dpdesigner.core.mechanism.structured_remap import structured_remap
from dpdesigner.errors import Cancelled
from dpdesigner.studies.count.answer import cost_table

_LOSSES = [
    *["absolute", "squared", "zero-one", "threshold:1", "threshold:9", "pinball:1/4", "relative"],
    *["distance:0,0,2,3", "distance:-1,0,5"],
]
_N = 20_000


def _random(seed: int, n: int, part: float) -> list[float]:
    rng = np.random.default_rng(seed)
    weights = rng.random(n + 1) ** 2 * (rng.random(n + 1) < part)
    weights[rng.integers(n + 1)] += 0.5
    return [float(weight) for weight in weights.round(6)]


@given(
    st.integers(0, 2**32),
    st.integers(0, 400),
    st.sampled_from(_LOSSES),
    st.sampled_from([0.02, 0.2, 0.7, 2.0, 8.0]),
    st.sampled_from([0.05, 0.6, 1.0]),
)
@settings(deadline=None, max_examples=30)
def test_structured_against_dense(seed: int, n: int, loss: str, epsilon: float, part: float) -> None:
    design = CountDesign(n, epsilon=epsilon, prior=_random(seed, n, part), loss=loss)
    assert design.structure is not None
    prior, matrix = design.prior.probabilities, design.loss.matrix(n)
    found, dense = structured_remap(prior, design.structure, design.privacy), bayes_remap(prior, matrix, design.privacy)
    scale = design.largest_loss + 1e-290
    assert found.value == pytest.approx(dense.value, rel=1e-11, abs=1e-14 * scale)
    assert found.certificate.gap <= 1e-9 * scale and found.certificate.checked == n + 1
    assert abs(float(found.certificate.dual.sum()) - dense.value) <= 1e-9 * scale


@pytest.mark.parametrize(("loss", "prior"), [("threshold:3000", "uniform"), ("threshold:2990", "spike:1500")])
def test_what_never_costs_anything_is_proved(loss: str, prior: str) -> None:
    found = solve(CountDesign(3000, alpha="1/2", prior=prior, loss=loss))
    assert found.value == 0 and found.certificate.gap < 1e-290 and found.proved


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", "threshold:4", "relative", "distance:0,1,4"])
@pytest.mark.parametrize("n", [2000, 2001])
def test_who_knows_the_count_loses_nothing(n: int, loss: str) -> None:
    """Answering it whatever is released costs nothing: above and below the n from which there is no matrix, and without a gap."""
    for prior in ("spike:700", "binomial:1", [0.0] * 700 + [3.0] + [0.0] * (n - 700)):
        found = solve(CountDesign(n, epsilon="0.01", prior=prior, loss=loss))  # type: ignore[arg-type]
        assert found.value == 0 and found.certificate.gap == 0 and found.proved
        assert len(set(found.remap.tolist())) == 1


def _squared_by_decimals(n: int, p: Fraction, epsilon: str) -> Decimal:
    """The least expected squared error with a binomial prior, from 40 digits: sums over the posteriors, output by output."""
    a = (-Decimal(epsilon)).exp()
    mode = int((n + 1) * p)

    def side(counts: range, up: bool) -> list[Decimal]:
        found, odds = [Decimal(1)], Decimal(p.numerator) / Decimal(p.denominator - p.numerator)
        for i in counts:
            found.append(found[-1] * (odds * (n - i + 1) / i if up else (i + 1) / (odds * (n - i))))
            if found[-1] < Decimal("1e-60"):
                break
        return found

    down, up = side(range(mode - 1, -1, -1), False), side(range(mode + 1, n + 1), True)
    weights, low = down[:0:-1] + up, mode - len(down) + 1
    total, ones = sum(weights), Decimal(1)

    def sums(xs: list[Decimal]) -> list[tuple[Decimal, Decimal, Decimal]]:
        """Of alpha^d x, d alpha^d x, d^2 alpha^d x over what came before, the last included."""
        found, (s, t, u) = [], (Decimal(0), Decimal(0), Decimal(0))
        for x in xs:
            s, t, u = a * s + x, a * (t + s), a * (u + 2 * t + s)
            found.append((s, t, u))
        return found

    below, above = sums(weights), sums(weights[::-1])[::-1]

    def least(s: Decimal, t: Decimal, u: Decimal) -> Decimal:
        return min(u - 2 * r * t + r * r * s for r in (int(t / s) + step for step in (-1, 0, 1)))

    inner = [least(b[0] + c[0] - x, c[1] - b[1], b[2] + c[2]) for b, c, x in zip(below, above, weights, strict=True)]
    # Outputs beyond all counts that matter are read as the first of those that do; so many more of them fall off by alpha each.
    first, last = inner[0], inner[-1]
    beyond = first * a / (1 - a) + last * a / (1 - a)
    assert low > 5000 and n - low - len(weights) > 5000
    return (ones - a) / (1 + a) * (sum(inner) + beyond) / total


def test_a_million_rows_against_long_decimals() -> None:
    """Weights from sums of logarithms gave 18334.6001492: further from the truth than the gap that was stated."""
    with localcontext() as context:
        context.prec = 40
        truth = _squared_by_decimals(10**6, Fraction(1, 3), "0.01")
    found = solve(CountDesign(10**6, epsilon="0.01", prior="binomial:1/3", loss="squared"))
    assert abs(truth - Decimal("18334.6001495")) < Decimal("1e-7")
    assert abs(Decimal(found.value) - truth) < Decimal("1e-8")
    assert Decimal(found.value) - Decimal(found.certificate.gap) <= truth <= Decimal(found.value) + Decimal(found.certificate.gap)


@given(
    st.integers(0, 2**32),
    st.integers(0, 60),
    st.sampled_from(_LOSSES),
    st.fractions(Fraction(1, 10), Fraction(19, 20), max_denominator=40),
)
@settings(deadline=None, max_examples=15)
def test_structured_against_exact(seed: int, n: int, loss: str, alpha: Fraction) -> None:
    design = CountDesign(n, alpha=alpha, prior=_random(seed, n, 0.7), loss=loss)
    assert design.structure is not None
    found, exactly = structured_remap(design.prior.probabilities, design.structure, design.privacy), solve(design, exact=True)
    assert exactly.certificate.gap == 0
    assert abs(Fraction(found.value) - Fraction(exactly.value)) <= Fraction(found.certificate.gap)
    assert found.value == pytest.approx(float(exactly.value), rel=1e-11, abs=1e-13 * design.largest_loss)


@pytest.fixture(scope="module", params=["absolute", "squared", "zero-one", "threshold:4", "relative", "distance:0,1,4"])
def outcome(request: pytest.FixtureRequest) -> CountAnswer:
    weights = np.random.default_rng(11).random(_N + 1) ** 4
    return solve(CountDesign(_N, epsilon="0.2", prior=weights, loss=request.param))


def test_large_outcomes_are_proved(outcome: CountAnswer) -> None:
    assert outcome.proved and outcome.value > 0 and 0 < outcome.certificate.gap <= 1e-11 * outcome.value
    assert outcome.certificate.basis.startswith(("all 20\u202f001 columns", "Theorem A; "))
    assert (np.diff(outcome.remap) >= 0).all() and not outcome.remap.flags.writeable and outcome.epsilon >= 0.2
    lower, upper = reachable_losses(outcome.design)
    assert lower <= outcome.value <= upper


def test_large_mechanisms_on_demand(outcome: CountAnswer) -> None:
    """Rows sum to 1; rows, columns, blocks and single entries agree; neighbouring rows keep to the level."""
    held, alpha = outcome.induced, outcome.design.privacy.alpha
    for i in (0, 777, _N):
        row, following = held.row(i), held.row(min(i + 1, _N))
        assert math.fsum(row) == pytest.approx(1, abs=1e-12) and row.min() >= 0
        likely = np.minimum(row, following) > 1e-290
        ratio = following[likely] / row[likely]
        assert ratio.min() >= alpha * (1 - 1e-12) and ratio.max() <= (1 + 1e-12) / alpha
        columns = np.unique(held.remap[[max(i - 5, 0), i, min(i + 3, _N)]])
        assert held.block(np.array([i]), columns)[0] == pytest.approx(row[columns], rel=1e-12)
        assert held.entry(i, int(columns[0])) == held.column(int(columns[0]))[i]
    r = int(held.remap[_N // 2])
    beside = held.ratio(_N // 2, r)
    assert beside is not None and alpha * (1 - 1e-12) <= beside <= (1 + 1e-12) / alpha
    assert held.ratio(0, r) == 1 / alpha and held.ratio(_N - 1, r) == alpha
    posterior = held.posterior(outcome.design.prior.probabilities, r)
    assert posterior is not None and math.fsum(posterior) == pytest.approx(1) and abs(int(posterior.argmax()) - _N // 2) < 200
    assert held.constraint_block(np.array([0, _N - 1]), np.array([r])).ravel().tolist() == ["u", "d"]
    assert all(abs(held.draw(9000) - 9000) < 1500 for _ in range(20))


def test_expected_loss_of_large_mechanisms(outcome: CountAnswer) -> None:
    """Averaged over some true results at random, row by row, weighted to stand for all."""
    design = outcome.design
    assert design.structure is not None
    prior = design.prior.probabilities
    rng, results = np.random.default_rng(3), np.arange(_N + 1)
    drawn = rng.choice(_N + 1, size=40, p=prior)
    losses = []
    for i in drawn.tolist():
        costs = design.structure.kind.loss(np.full(_N + 1, i), results) / (max(i, 1) if design.structure.relative else 1)
        losses.append(float(outcome.induced.row(i) @ costs) + design.structure.offset)
    error = 6 * float(np.std(losses)) / math.sqrt(len(losses)) + 1e-9
    assert abs(float(np.mean(losses)) - float(outcome.value)) <= error


def test_strongest_entries_of_blocks() -> None:
    """Of random blocks nothing is missed that is there, and what is said is there."""
    held = solve(CountDesign(300, epsilon="0.3", prior=_random(4, 300, 0.1), loss="zero-one")).induced
    for rows, columns in ((1, 1), (3, 7), (40, 10), (301, 301)):
        first, start = np.arange(0, 301, rows), np.arange(0, 301, columns)
        found = held.intervals.largest(first, rows, start, columns)
        truth = np.array([[held.matrix[i : i + rows, r : r + columns].max() for r in start] for i in first])
        assert (found <= truth * (1 + 1e-12)).all() and ((found > 0) == (truth > 0)).all()
        assert (found >= truth * (1 - 1e-12)).mean() > 0.97 and (found >= truth / 4).all()


def test_whole_matrices_are_refused() -> None:
    large = solve(CountDesign(_N, alpha="1/2", loss="zero-one"))
    for use in (lambda: large.mechanism, lambda: large.geometric, lambda: large.constraints, lambda: large.induced.matrix):
        with refused("n", str(_N)):
            use()
    with refused("n", str(_N)):
        next(iter(large.induced.exact_rows(Fraction(1, 2))))
    with refused("n", str(_N)):
        solve(large.design, exact=True)
    assert large.released.row(5)[5] == pytest.approx(1 / 3) and large.released.remap[7] == 7


def test_designs_of_any_size_are_kept() -> None:
    design = CountDesign(10**6, epsilon="0.1", prior="binomial:0.3", loss="squared", name="city")
    assert CountDesign.from_json(json.loads(json.dumps(design.to_json()))) == design and design.covered
    assert CountDesign(10**6, alpha="1/2", loss="distance:0,1,4").covered


def test_costs_of_large_designs() -> None:
    design = CountDesign(_N, epsilon="0.3", prior="two-peak:4000,9000", loss="squared")
    losses = dict(cost_table(design).losses)
    best = float(solve(design).value)
    assert losses["remapped"] == losses["half"] == pytest.approx(best, rel=1e-10)
    assert best < losses["staircase"] <= losses["laplace"] < losses["ignore"] and best <= losses["face"]
    level = epsilon_for_loss(design, 2 * best)
    assert level.epsilon < 0.3 and best < solve(design.replace(privacy=level)).value <= 2 * best
    curves = cost_curves(design.replace(n=2500, prior="two-peak:500,1000"))
    assert curves.epsilons[0] == pytest.approx(0.01) and curves.epsilons[-1] == pytest.approx(10)
    assert (np.diff(curves.optimal) <= 0).all() and (curves.laplace >= curves.optimal * (1 - 1e-11)).all()
    assert curves.best == 0 and curves.worst >= curves.optimal[0]


@pytest.mark.parametrize("n", [1500, 100_000])
def test_a_rough_curve_is_a_part_of_the_whole_one(n: int) -> None:
    design = CountDesign(n, epsilon="0.3", prior=f"two-peak:{n // 3},{n // 2}", loss="absolute")
    rough, whole = cost_curves(design, rough=True), cost_curves(design)
    assert 2 < len(rough.epsilons) < len(whole.epsilons) and rough.epsilons[[0, -1]] == pytest.approx([0.01, 10])
    for k, epsilon in enumerate(rough.epsilons.tolist()):
        (place,) = np.flatnonzero(whole.epsilons == epsilon)
        assert (rough.optimal[k], rough.laplace[k]) == (whole.optimal[place], whole.laplace[place])
        assert rough.optimal[k] == pytest.approx(float(solve(design.replace(epsilon=epsilon)).value), rel=1e-10)
    assert (rough.best, rough.worst) == (whole.best, whole.worst)
    assert cost_curves(design).optimal.tolist() == whole.optimal.tolist()


def test_can_be_cancelled() -> None:
    def stop(fraction: float | None, text: str = "") -> None:
        raise Cancelled

    design = CountDesign(_N, epsilon="0.3", prior="uniform", loss="absolute")
    work: list[Any] = [design.run, lambda progress: epsilon_for_loss(design, 3.0, progress)]
    for run in (*work, lambda progress: cost_table(design, progress), lambda progress: cost_curves(design, progress)):
        with pytest.raises(Cancelled):
            run(stop)
