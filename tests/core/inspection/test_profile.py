"""What tables give away, against numbers known from elsewhere, and against sums over all sets of releases."""

from __future__ import annotations

import math
import random
from fractions import Fraction as F
from itertools import chain, combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.inspection import curves
from dpdesigner.core.inspection.profile import Profile, crowd_profile, profile
from dpdesigner.core.inspection.reading import others_count
from dpdesigner.core.inspection.table import ReleaseTable, exact_table, sampled
from dpdesigner.core.mechanism import geometric
from dpdesigner.errors import InputError

#: The table of B6.3 whose numbers are known.
ROWS = ["1/2,1/4,1/8,1/8", "1/4,1/2,1/8,1/8", "1/8,1/4,1/2,1/8", "1/16,1/16,3/8,1/2"]


def noise(n: int, alpha: F) -> ReleaseTable:
    powers, weights = geometric.powers(alpha, n), geometric.exact_weights(alpha, n)
    return exact_table([[powers[abs(i - j)] * weights[j] for j in range(n + 1)] for i in range(n + 1)])


def laplace(n: int) -> ReleaseTable:
    """Laplace noise at alpha = 1/4, rounded and kept within 0..n."""
    rows = []
    for i in range(n + 1):
        ends = [F(1, 4) ** abs(i - j) if i != j else F(3, 4) for j in (0, n)]
        inner = [F(1, 2) if i == j else F(3, 4) * F(1, 4) ** abs(i - j) for j in range(1, n)]
        rows.append([ends[0], *inner, ends[1]])
    return exact_table(rows)


def small() -> ReleaseTable:
    return exact_table([[F(entry) for entry in row.split(",")] for row in ROWS])


@st.composite
def tables(draw, rows=3, columns=3):
    made = []
    for _ in range(rows):
        weights = draw(st.lists(st.integers(0, 6), min_size=columns, max_size=columns).filter(any))
        made.append([F(weight, sum(weights)) for weight in weights])
    return made


def sets_of(outputs):
    outputs = list(outputs)
    return chain.from_iterable(combinations(outputs, size) for size in range(len(outputs) + 1))


def several(rows, i, k, releases):
    """P and Q of every sequence of releases."""
    columns = range(len(rows[0]))
    for some in product(columns, repeat=releases):
        yield math.prod((rows[i][r] for r in some), start=F(1)), math.prod((rows[k][r] for r in some), start=F(1))


def test_geometric_noise_has_two_ratios():
    found = profile(noise(20, F(1, 2)))
    assert (found.exp_epsilon, tuple(found.epsilon_place)) == (2, (0, 1, 0))
    assert found.delta(F(3, 2)) == F(1, 6)
    assert (found.total_variation, found.delta_floor) == (F(1, 3), 0)
    assert found.success(F(1, 2)) == F(2, 3)
    assert found.found_out(F(1, 100)) == F(1, 50)
    assert found.posterior(F(1, 100)) == F(2, 101)
    assert found.kinks == [(1, F(1, 3)), (2, 0)]
    second, rho = found.divergences
    assert second == pytest.approx(0.405465108108, abs=1e-12)
    assert rho == pytest.approx(0.231049060187, abs=1e-12)
    assert rho == pytest.approx(math.log(2) * math.tanh(math.log(2) / 2), rel=1e-12)


@pytest.mark.parametrize(
    ("releases", "ratio", "expected"),
    [
        (5, 4, F(68, 243)),
        (10, 8, F(7912, 19683)),
        (10, 16, F(4816, 19683)),
        (30, 2**10, 0.386350074168),
        (100, 2**30, 0.574226211380),
    ],
)
def test_several_releases_of_geometric_noise(releases, ratio, expected):
    delta = profile(noise(5, F(1, 2)), 1, releases).delta(F(ratio))
    assert delta == expected if isinstance(expected, F) else float(delta) == pytest.approx(expected, abs=1e-12)


def test_a_small_table():
    found = profile(small())
    assert found.exp_epsilon == 4
    assert [found.delta(F(t)) for t in ("1", "3/2", "2", "3")] == [F(3, 8), F(5, 16), F(1, 4), F(1, 8)]
    points = found.curves[found.pairs.index((2, 3))].curve.points
    assert [(p, 1 - q) for q, p in points] == [(0, 1), (F(1, 4), F(15, 16)), (F(3, 8), F(7, 8)), (F(7, 8), F(1, 2)), (1, 0)]
    assert profile(small(), 1, 3).delta(F(4)) == F(21, 64)


def test_laplace_noise():
    found = profile(laplace(5))
    assert [found.delta(F(t)) for t in (1, 2, 3)] == [F(1, 2), F(1, 4), F(1, 16)]
    assert found.divergences[0] == pytest.approx(0.883466186226, abs=1e-12)


@pytest.mark.parametrize(("n", "prior", "expected"), [(10, "", F(2851, 16384)), (20, "binomial:3/10", 0.148996536804)])
def test_an_attacker_who_knows_the_crowd(n, prior, expected):
    found = crowd_profile(noise(n, F(1, 2)), others_count(prior, n - 1))
    assert float(found.total_variation) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(("n", "sampling", "expected"), [(5, "1/2", F(3, 2)), (3, "3 of 12", F(5, 4)), (4, "1/3", F(4, 3))])
def test_a_sample_is_more_private_by_the_formula(n, sampling, expected):
    """1 + q (1 / alpha - 1), which is attained."""
    assert profile(sampled(noise(n, F(1, 2)), sampling)).exp_epsilon == expected


def test_a_sample_has_the_rows_of_the_population():
    assert sampled(noise(3, F(1, 2)), "3 of 12").n == 12
    with pytest.raises(InputError, match=r"a sample of 4 needs a table of 4 \+ 1 rows, got 4 rows"):
        sampled(noise(3, F(1, 2)), "4 of 12")


def test_people_who_act_together():
    assert profile(noise(6, F(1, 2)), 3).exp_epsilon == 8


@settings(max_examples=40, deadline=None)
@given(tables(), st.fractions(1, 8, max_denominator=9), st.integers(1, 3), st.integers(1, 2))
def test_delta_and_bets_are_those_of_all_sets(rows, ratio, releases, group):
    found = profile(exact_table(rows), group, releases)
    pairs = [(i, k) for i in range(3) for k in range(3) if i != k and abs(i - k) <= group]
    outcomes = {pair: list(several(rows, *pair, releases)) for pair in pairs}
    assert found.delta(ratio) == max(sum(max(p - ratio * q, F(0)) for p, q in each) for each in outcomes.values())
    assert found.total_variation == max(sum(max(p - q, F(0)) for p, q in each) for each in outcomes.values())
    assert found.success(F(1, 3)) == max(sum(max(p / 3, 2 * q / 3) for p, q in each) for each in outcomes.values())
    assert found.delta_floor == max(sum(p for p, q in each if q == 0) for each in outcomes.values())


@settings(max_examples=25, deadline=None)
@given(tables(), st.fractions(0, 1, max_denominator=12))
def test_the_best_test_is_the_best_of_all_randomised_ones(rows, false_alarms):
    """By the lemma of Neyman and Pearson it mixes two tests that take sets of releases: all such mixtures are tried."""
    found = profile(exact_table(rows))
    for (i, k), each in zip(found.pairs, found.curves, strict=True):
        tests = [(sum((rows[k][r] for r in some), F(0)), sum((rows[i][r] for r in some), F(0))) for some in sets_of(range(3))]
        best = max(p for q, p in tests if q <= false_alarms)
        for (q, p), (other, power) in product(tests, repeat=2):
            if q <= false_alarms < other:
                best = max(best, p + (power - p) * (false_alarms - q) / (other - q))
        assert each.curve.found_out(false_alarms) == best


@settings(max_examples=25, deadline=None)
@given(tables(), st.fractions(0, 1, max_denominator=12), st.integers(1, 2))
def test_the_least_ratio_for_a_delta(rows, delta, releases):
    found = profile(exact_table(rows), 1, releases)
    ratio = found.ratio_at(delta)
    if ratio == math.inf:
        assert found.delta_floor > delta
    else:
        assert found.delta(ratio) <= delta
        assert ratio == 1 or found.delta(ratio - (ratio - 1) / 1000) > delta


@settings(max_examples=25, deadline=None)
@given(tables(), st.fractions(1, 9, max_denominator=7))
def test_between_its_kinks_delta_is_straight(rows, ratio):
    found = profile(exact_table(rows))
    kinks = [*found.kinks, (F(10**6), found.delta_floor)]
    for (a, high), (b, low) in pairwise(kinks):
        if a <= ratio <= b:
            assert found.delta(ratio) == high + (low - high) * (ratio - a) / (b - a)


@settings(max_examples=15, deadline=None)
@given(tables(4, 3), st.integers(1, 3))
def test_the_crowd_is_a_mixture_of_all_releases(rows, releases):
    chances = [F(1, 4), F(1, 2), F(1, 4)]
    found = crowd_profile(exact_table(rows), chances, 1, releases)
    outside = inside = None
    lead = F(0)
    for some in product(range(3), repeat=releases):
        outside = sum(c * math.prod((rows[i][r] for r in some), start=F(1)) for i, c in enumerate(chances))
        inside = sum(c * math.prod((rows[i + 1][r] for r in some), start=F(1)) for i, c in enumerate(chances))
        lead += max(inside - outside, F(0))
    assert found.total_variation == lead


def test_the_grid_holds_the_exact_number_between_its_two(monkeypatch):
    exact = float(profile(noise(20, F(1, 2)), 1, 10).delta(F(8)))
    monkeypatch.setattr(curves, "MOST_RATIOS", 3)
    rough = profile(noise(20, F(1, 2)), 1, 10)
    assert not rough.exact
    assert rough.delta_below(8.0) <= exact <= rough.delta(8.0)
    assert rough.delta(8.0) == pytest.approx(exact, abs=1e-4)


def repeated_on_the_grid(found: Profile, releases: int) -> list[curves.Several]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "MOST_PRODUCTS", 0)
        return curves.repeated(list(found.contrasts), releases)


@settings(max_examples=10, deadline=None)
@given(tables(3, 4), st.integers(2, 4))
def test_on_the_grid_no_risk_is_below_the_truth(rows, releases):
    table = exact_table(rows)
    exact = profile(table, 1, releases)
    rough = repeated_on_the_grid(profile(table), releases)
    for t in (1.0, 1.5, 3.0):
        values = [each.curve.delta(F(t)) for each in exact.curves]
        for value, each in zip(values, rough, strict=True):
            assert each.below.delta(t) - 1e-12 <= value <= each.curve.delta(t) + 1e-15


@pytest.mark.parametrize("releases", [1, 3])
@pytest.mark.parametrize("doubles", [False, True], ids=["fractions", "doubles"])
def test_between_its_kinks_delta_is_a_line_where_zeros_and_the_grid_make_it_hard(releases, doubles):
    source = random.Random(3)
    weights = [
        [source.choice([0, 1, 1, 1]) * source.randint(1, 999) ** source.choice([1, 3]) + (r == 0) for r in range(10)]
        for _ in range(10)
    ]
    table = exact_table([[F(entry, sum(row)) for entry in row] for row in weights])
    found = profile(table.in_doubles() if doubles else table, 1, releases)
    ratios, deltas = np.array(found.kinks, dtype=float).T
    assert (np.diff(ratios) > 0).all()
    for t in np.geomspace(1, 1e6, 60).tolist():
        assert np.interp(t, ratios, deltas) == pytest.approx(float(found.delta(t)), abs=1e-14)


def test_doubles_agree_with_fractions():
    table = noise(30, F(3, 5))
    doubles = ReleaseTable(table.doubles, (1.0,) * 31, table.labels)
    exact, other = profile(table), profile(doubles)
    for t in (1.0, 1.2, 1.6):
        assert float(exact.delta(F(t))) == pytest.approx(other.delta(t), abs=1e-12)
    assert float(exact.found_out(F(1, 20))) == pytest.approx(other.found_out(0.05), abs=1e-12)
    assert exact.gaussian == pytest.approx(other.gaussian, abs=1e-9)


def test_the_gaussian_signal_covers_every_corner():
    from scipy.stats import norm

    for table in (small(), laplace(4), noise(6, F(2, 3))):
        found = profile(table)
        for each in found.curves:
            for q, p in each.curve.points:
                assert p <= norm.cdf(norm.ppf(float(q)) + found.gaussian) + 1e-12
    assert profile(exact_table([[F(1), F(0)], [F(1, 2), F(1, 2)]])).gaussian == math.inf


def uneven(n: int) -> ReleaseTable:
    """Noise whose ratios are all different, so that nothing merges."""
    rows = []
    for i in range(n + 1):
        weights = [F(1, 2) ** abs(i - j) * (1 + F((7 * i + 3 * j) % 11, 100)) for j in range(n + 1)]
        rows.append([weight / sum(weights) for weight in weights])
    return exact_table(rows)


@pytest.mark.parametrize("releases", [2, 4, 6])
def test_gaussian_noise_that_hides_as_much_is_found_on_the_grid_too(releases: int) -> None:
    whole = profile(uneven(4), releases=releases)
    on_grid = repeated_on_the_grid(whole, releases)
    coarse = profile_with(whole, on_grid)
    assert whole.exact and not coarse.exact
    assert whole.gaussian <= coarse.gaussian <= whole.gaussian + 5e-4


def profile_with(whole: Profile, several: list[curves.Several]) -> Profile:
    return Profile(whole.table, whole.releases, whole.pairs, whole.contrasts, several, whole.places)


@pytest.mark.parametrize(("group", "releases"), [(1, 1), (1, 3), (2, 1), (3, 2)])
def test_a_rough_profile_finds_the_worst_pairs(group: int, releases: int) -> None:
    for table in (noise(12, F(1, 2)), laplace(9), uneven(12)):
        whole = profile(table, group, releases)
        rough = profile(table.in_doubles(), group, releases, roughly=True)
        assert rough.pairs == whole.pairs and len(rough.places) < len(whole.places)
        assert math.isclose(rough.exp_epsilon, whole.exp_epsilon, rel_tol=1e-9)
        near = 1e-9 if releases == 1 else 0.03
        for t in (1, 2, 5):
            assert math.isclose(rough.delta(t), whole.delta(t), rel_tol=near, abs_tol=max(near, 5e-3))
        for share in (F(1, 100), F(1, 10)):
            assert math.isclose(rough.found_out(share), whole.found_out(share), rel_tol=max(near, 5e-3))
        assert all(math.isclose(*both, rel_tol=1e-6) for both in zip(rough.divergences, whole.divergences, strict=True))
        assert len(rough.curves[0].curve.points) > 2, "every pair has its curve when it is looked at"
