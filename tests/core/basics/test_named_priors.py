"""Named priors against their textbook formulas."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial

import numpy as np
import pytest
from core.refusals import refused, refused_at_once
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from scipy import stats

from dpdesigner.core.basics.named_priors import NAMED, WEIGHT_ERROR, quantiles, segments, smooth_quantiles
from dpdesigner.core.basics.prior import Prior

Pairs = list[Fraction]
F = Fraction


@st.composite
def said(draw: st.DrawFn) -> tuple[int, Pairs]:
    """An n and up to four quantiles over 0..n."""
    n = draw(st.integers(1, 60))
    counts = sorted(draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=4)))
    chances = st.fractions(F(1, 10**6), F(999_999, 10**6))
    shares = sorted(draw(st.sets(chances, min_size=len(counts), max_size=len(counts))))
    return n, [number for pair in zip(shares, map(F, counts), strict=True) for number in pair]


@given(said())
@settings(deadline=None)
def test_what_was_said_is_kept_exactly(given_: tuple[int, Pairs]) -> None:
    n, pairs = given_
    weights = smooth_quantiles(n, *pairs)
    assert len(weights) == n + 1 and sum(weights) == 1 and min(weights) > 0
    for chance, count in zip(pairs[::2], pairs[1::2], strict=True):
        assert sum(weights[: int(count) + 1]) == chance


@given(said())
@settings(deadline=None)
def test_densities_meet_at_the_knots_and_are_not_negative(given_: tuple[int, Pairs]) -> None:
    n, pairs = given_
    found = segments(n, pairs)
    for before, after in pairwise(found):
        assert before.right * before.cells**2 == after.left * after.cells**2 > 0
    for part in found:
        assert min(part.left, part.middle, part.right) >= 0
    for end, part in ((found[0].left, found[0]), (found[-1].right, found[-1])):
        assert end >= sum(part[1:]) / 6  # half the mean density
        assert part.left + part.right == 2 * part.middle  # a straight line


@given(said())
@settings(deadline=None)
def test_a_cell_has_the_integral_of_its_density(given_: tuple[int, Pairs]) -> None:
    """Against integrals by polynomials, in doubles."""
    n, pairs = given_
    expected, t = [], Polynomial([0.0, 1.0])
    for cells, *coefficients in segments(n, pairs):
        left, middle, right = (3 * cells**2 * float(value) for value in coefficients)
        total = cells * (left * (1 - t) ** 2 + 2 * middle * t * (1 - t) + right * t**2).integ()
        edges = np.linspace(0, 1, cells + 1)
        expected += np.diff(total(edges)).tolist()
    assert np.asarray(smooth_quantiles(n, *pairs), dtype=float) == pytest.approx(np.array(expected), rel=1e-6, abs=1e-12)


def test_a_case_by_hand() -> None:
    """5 % up to 2, 95 % up to 12, of 20: D = 1/60, 9/100, 1/160, so d = 1/40 and 3/320, with ends 1/120 and 1/320."""
    found = segments(20, [F(1, 20), F(2), F(19, 20), F(12)])
    assert [part.cells for part in found] == [3, 10, 8]
    ends = [(3 * part.cells**2 * part.left, 3 * part.cells**2 * part.right) for part in found]
    assert ends == [(F(1, 120), F(1, 40)), (F(1, 40), F(3, 320)), (F(3, 320), F(1, 320))]
    weights = smooth_quantiles(20, F(1, 20), F(2), F(19, 20), F(12))
    assert weights[0] == F(1, 90) and weights[1] == F(1, 60)  # a straight line over three cells
    top = weights.index(max(weights))
    assert top == 7 and weights[: top + 1] == sorted(weights[: top + 1]) and weights[top:] == sorted(weights[top:], reverse=True)


@pytest.mark.parametrize("n", [1, 2, 20, 2000, 2001, 300_000])
def test_priors_of_any_size(n: int) -> None:
    count = n // 3
    prior = Prior(f"smooth-quantiles:25%={count}", n)
    assert prior.probabilities[: count + 1].sum() == pytest.approx(0.25, rel=1e-12)
    assert prior.title == "smooth-quantiles" and not prior.impossible.any()


def test_old_files_keep_their_steps() -> None:
    """The name of old is as flat as it was."""
    pairs = [F(1, 20), F(3), F(19, 20), F(12)]
    assert Prior("quantiles:5%=3,95%=12", 20).exact == tuple(quantiles(20, *pairs))
    assert quantiles(20, *pairs) == [F(1, 80)] * 4 + [F(1, 10)] * 9 + [F(1, 160)] * 8


def _normalised(weights: list[Fraction]) -> tuple[Fraction, ...]:
    return tuple(weight / sum(weights) for weight in weights)


def test_formulas() -> None:
    third, n = Fraction(1, 3), 6
    assert Prior("uniform", n).exact == (Fraction(1, 7),) * 7
    assert Prior("binomial:1/3", n).exact == tuple(comb(n, i) * third**i * (1 - third) ** (n - i) for i in range(n + 1))
    assert Prior("poisson:2.5", n).exact == _normalised([Fraction(5, 2) ** i / factorial(i) for i in range(n + 1)])
    assert Prior("geometric:1/3", n).exact == _normalised([third**i for i in range(n + 1)])
    assert Prior("spike:2", n).exact == (0, 0, 1, 0, 0, 0, 0)
    assert Prior("triangular:1,3,5", n).exact == _normalised([Fraction(w) for w in (0, 1, 2, 3, 2, 1, 0)])


@pytest.mark.parametrize("probability", ["0", "1", "0%", "100%"])
def test_certain_binomials(probability: str) -> None:
    for n in (0, 1, 7, 2500):
        at = n if probability[0] == "1" else 0
        assert np.flatnonzero(Prior(f"binomial:{probability}", n).probabilities).tolist() == [at]


def test_quantiles_are_met() -> None:
    prior = Prior("quantiles:5%=3,95%=12", 20)
    assert sum(prior.exact[:4]) == Fraction(1, 20)
    assert sum(prior.exact[:13]) == Fraction(19, 20)
    assert len(set(prior.exact[4:13])) == 1


def test_two_peaks() -> None:
    prior = Prior("two-peak:5,14", 20)
    assert prior.exact == tuple(reversed(Prior("two-peak:6,15", 20).exact))
    weights = prior.probabilities
    assert weights[5] > weights[4] and weights[5] > weights[9] and weights[14] > weights[15] and weights[14] > weights[10]


@pytest.mark.parametrize("n", [2001, 6000])
def test_large_priors_agree_with_scipy(n: int) -> None:
    """Beyond exact arithmetic the weights come from running products."""
    i = np.arange(n + 1)
    for name, expected in {
        "binomial:0.3": stats.binom.pmf(i, n, 0.3),
        "poisson:700": stats.poisson.pmf(i, 700) / stats.poisson.cdf(n, 700),
        "geometric:0.999": 0.999**i * 0.001 / -np.expm1((n + 1) * np.log(0.999)),
        "uniform": np.full(n + 1, 1 / (n + 1)),
        "geometric:1": np.full(n + 1, 1 / (n + 1)),
        "poisson:0": np.eye(1, n + 1)[0],
    }.items():
        assert Prior(name, n).probabilities == pytest.approx(expected, rel=1e-8, abs=1e-300), name  # scipy's own error


@given(st.integers(0, 50), st.data())
@settings(deadline=None, max_examples=15)
def test_weights_in_floating_point_are_as_right_as_they_say(n: int, data: st.DataObject) -> None:
    """Each against the exact weight, both as shares of the largest: two such errors, or what the least double leaves."""
    a, b, c = sorted(data.draw(st.fractions(0, n, max_denominator=10**12)) for _ in range(3))
    share, tiny = data.draw(st.fractions(Fraction(1, 10**9), 1)), data.draw(st.fractions(0, Fraction(1, 10**25)))
    cases = {"binomial": (share,), "geometric": (share,), "two-peak": (a, c), "triangular": (a, b, c)}
    cases |= {"poisson": (share * data.draw(st.sampled_from([1, 50, 100_000])),), "spike": (Fraction(int(b)),), "uniform": ()}
    if int(b) < n:
        cases["quantiles"] = cases["smooth-quantiles"] = (share / 2, Fraction(int(b)))
    for name, values in [*cases.items(), ("binomial", (tiny,)), ("binomial", (1 - tiny,)), ("poisson", (tiny,))]:
        named = NAMED[name]
        exactly, found = named.weights(n, *values), [Fraction(weight) for weight in named.fast(n, *values).tolist()]
        largest, peak = max(exactly) or Fraction(1), max(found) or Fraction(1)  # a triangle may lie between two counts
        for weight, truth in zip(found, exactly, strict=True):
            allowed = 2 * Fraction(WEIGHT_ERROR) * truth / largest + Fraction(1, 2**1070)
            assert abs(weight / peak - truth / largest) <= allowed, (name, values)


@pytest.mark.parametrize(("n", "p"), [(1_000_000, Fraction(1, 3)), (10_000_000, Fraction(1, 10**6))])
def test_a_million_binomial_weights_are_right(n: int, p: Fraction) -> None:
    """Against running products of decimals of 50 digits; the mean of so many rows is that of one times n."""
    prior = Prior(f"binomial:{p}", n)
    weights, mode = prior.weights, int((n + 1) * p)
    with localcontext() as context:
        context.prec = 50
        truth = Decimal(1)
        for i in range(mode + 1, mode + 4001):
            truth *= Decimal((n - i + 1) * p.numerator) / Decimal(i * (p.denominator - p.numerator))
            error = abs(Decimal(float(weights[i])) - truth)
            assert error <= Decimal(WEIGHT_ERROR) * truth or error < Decimal("1e-320"), i
    assert float(prior.probabilities @ np.arange(n + 1)) == pytest.approx(float(n * p), rel=1e-13)


@pytest.mark.parametrize(("ratio", "size"), [(Fraction(999_983, 1_000_000), 40_000), (Fraction(999_999, 1_000_003), 100_000)])
def test_long_runs_of_powers_are_right(ratio: Fraction, size: int) -> None:
    """A product of as many doubles would be wrong by hundreds of roundings."""
    weights = Prior(f"geometric:{ratio}", size).weights
    with localcontext() as context:
        context.prec = 60
        exactly = Decimal(ratio.numerator) / Decimal(ratio.denominator)
        for k in (1, 1023, 1024, 1025, 9_999, size // 2, size):
            assert abs(Decimal(float(weights[k])) / exactly**k - 1) <= Decimal(WEIGHT_ERROR), k


@given(st.integers(0, 25), st.fractions(0, 1, max_denominator=20), st.fractions(0, 1, max_denominator=20))
@settings(deadline=None)
def test_all_are_distributions(n: int, a: Fraction, b: Fraction) -> None:
    low, high = sorted((a * n, b * n))
    given_priors = ["uniform", f"binomial:{a}", f"poisson:{a * 50}", f"geometric:{(a + 1) / 2}", f"spike:{int(a * n)}"]
    given_priors += [f"two-peak:{low},{high}", f"triangular:{int(low)},{high},{high}"]
    if n:
        given_priors += [f"{name}:{(a + 1) / 3}={int(b * (n - 1))}" for name in ("quantiles", "smooth-quantiles")]
    for given_prior in given_priors:
        prior = Prior(given_prior, n)
        assert sum(prior.exact) == 1 and min(prior.exact) >= 0, given_prior
        assert prior.probabilities == pytest.approx([float(p) for p in prior.exact], rel=1e-14, abs=1e-300)


@pytest.mark.parametrize(
    "given_prior",
    [
        "uniform:1",
        "uniform:x",
        "two-peak:5=14",
        "binomial",
        "binomial:",
        "binomial:1.1",
        "binomial:-0.1",
        "binomial:0.1,0.2",
        "binomial:x",
        "binomial:nan",
        "poisson:-1",
        "poisson:1e6",
        "poisson:inf",
        "geometric:0",
        "geometric:2",
        "spike:-1",
        "spike:11",
        "spike:1.5",
        "spike",
        "two-peak:1",
        "two-peak:1,11",
        "two-peak:1,2,3",
        "triangular:3,2,1",
        "triangular:0,5,11",
        "triangular:1,2",
        "quantiles:",
        "quantiles:5%",
        "quantiles:0=1",
        "quantiles:1=1",
        "quantiles:5%=10",
        "quantiles:5%=1.5",
        "quantiles:5%=3,4%=5",
        "quantiles:5%=3,9%=3",
        "quantiles:5%=3=4",
        "quantiles:a=b",
        "smooth-quantiles:5%=10",
        "smooth-quantiles:5%=3,4%=5",
        "smooth-quantiles:5%",
        "binomial:" + "1" * 5000,
    ],
)
def test_refusals_show_the_usage(given_prior: str) -> None:
    with refused("prior", NAMED[given_prior.partition(":")[0]].usage.partition(":")[0], given_prior[:40]):
        Prior(given_prior, 10)


def test_absurd_parameters_cost_no_time() -> None:
    """Powers of numbers with a hundred thousand digits."""
    texts = ["geometric:1e-99999", "poisson:1e-99999", "two-peak:1e-99999,1e-99998", "binomial:0." + "3" * 900]
    refused_at_once("dpdesigner.core.basics.prior", "Prior(text, 1500)", texts)


def test_large_named_priors_are_quick() -> None:
    """Large n must not mean a fraction for every count."""
    between = "quantiles:10%=5,90%=7000"
    for given_prior in ("spike:5", "two-peak:5,60000", "triangular:0,5,90000", between, f"smooth-{between}"):
        assert Prior(given_prior, 200_000).probabilities.sum() == pytest.approx(1)
