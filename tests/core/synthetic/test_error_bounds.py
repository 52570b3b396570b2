"""The calculators of [BLR]'s sample sizes, against numbers worked out elsewhere."""

from collections import Counter
from decimal import Decimal, localcontext
from itertools import combinations, product
from math import ceil, comb, exp, lgamma, log, log1p

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import gamma

from dpdesigner.core.synthetic import error_bounds as sizes
from dpdesigner.errors import InputError


def test_bisection():
    found = sizes.bisection_sizes(20, 1, 0.3, 0.05)
    assert (ceil(found.stated), ceil(found.right)) == (4947, 2_006_058)
    assert ceil(sizes.bisection_size_smooth(20, 1, 0.3, 0.05)) == 1_978_641
    ages = sizes.bisection_sizes(7, 1, 0.9, 0.05)
    assert ceil(ages.stated) == 444 and ceil(sizes.bisection_size_smooth(7, 1, 0.9, 0.05)) == 19_708
    assert ceil(sizes.bisection_sizes(7, 1, 0.3, 0.05).stated) == 1536
    assert ceil(sizes.bisection_size_smooth(7, 1, 0.3, 0.05)) == 614_138


@pytest.mark.parametrize(("alpha", "rows"), [(0.2, 192), (0.1, 765), (0.05, 3057)])
def test_rows_of_a_small_database(alpha, rows):
    assert ceil(sizes.net_size(2080, alpha).stated) == rows
    assert sizes.net_size(2080, alpha).right == pytest.approx(log(4160) / (2 * alpha**2))


def test_multisets_are_counted_without_order():
    assert sizes.log_multisets(8, 4) == pytest.approx(log(330))
    assert sizes.log_multisets(10**6, 500) == pytest.approx(sum(log((10**6 + k) / (k + 1)) for k in range(500)), rel=1e-9)
    found = sizes.class_size(64, 2080, 1, 0.2, 0.05)
    assert found.right < found.stated


def test_the_dimension_belongs_to_one_term():
    found = sizes.dimension_size(64, 2, 1, 0.1, 0.05)
    assert found.stated > found.right > 0
    net = sizes.dimension_net(64, 2, 0.1)
    assert net.rows == pytest.approx(200 * log(10)) and net.log_databases == pytest.approx(net.rows * log(64))


def chance_of_missing(rows, dimension, alpha):
    """The inequality in whole numbers and a last exponential."""
    return 4 * sum(comb(2 * rows, i) for i in range(min(dimension, 2 * rows) + 1)) * exp(-rows * alpha**2 / 8)


@pytest.mark.parametrize(("dimension", "alpha"), [(1, 0.2), (2, 0.2), (2, 0.1), (3, 0.5), (10, 0.9)])
def test_a_dimension_gives_rows_with_all_constants(dimension, alpha):
    rows = sizes.dimension_rows(dimension, alpha)
    assert chance_of_missing(rows, dimension, alpha) < 1 <= chance_of_missing(rows - 1, dimension, alpha)
    order = sizes.dimension_net(64, dimension, alpha).rows
    assert rows > order  # a constant of about 8 to 100


def test_rows_of_that_size_do():
    """Intervals on 64 points, VC dimension 2: samples of the size miss alpha never, and the sizes grow as they should."""
    rows, generator = sizes.dimension_rows(2, 0.2), np.random.default_rng(1)
    counts = generator.multinomial(1000, np.ones(64) / 64)
    for _ in range(50):
        sample = generator.multinomial(rows, counts / 1000)
        path = np.cumsum(sample / rows - counts / 1000)
        assert max(path.max(), 0) - min(path.min(), 0) <= 0.2
    found = sizes.explicit_sizes(64, 2, 1, 0.2, 0.05)
    assert found.rows == rows and found.log_databases == pytest.approx(sizes.log_multisets(64, rows))
    finer = sizes.dimension_rows(2, 0.1)
    assert found.needed == pytest.approx(20 * (sizes.log_multisets(64, finer) + log(20)))
    with pytest.raises(InputError, match="from 1 to 1000, got 0"):
        sizes.dimension_rows(0, 0.1)


def test_databases_of_huge_domains_are_counted():
    assert sizes.log_multisets(1e30, 500) == pytest.approx(500 * log(1e30) - lgamma(501), rel=1e-12)
    wanted = 2 * 10**6 * log(1e100) - lgamma(2 * 10**6 + 1)
    assert sizes.log_multisets(1e100, 2 * 10**6) == pytest.approx(wanted, rel=1e-12)
    n, k = 5 * 10**6, 2 * 10**6
    assert sizes.log_multisets(n - k + 1, k) == pytest.approx(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1), rel=1e-9)
    assert sizes.log_multisets(3, 10**7) == pytest.approx(log((10**7 + 2) * (10**7 + 1) / 2), rel=1e-12)


def test_the_lower_bound_with_its_failure():
    for epsilon, right, stated in ((0.1, 0.22508, 0.17857), (0.5, 0.13447, 0.08333), (1, 0.05960, 0.05)):
        assert sizes.least_error(epsilon, 0) == pytest.approx(right, abs=5e-6)
        assert sizes.least_error_stated(epsilon) == pytest.approx(stated, abs=5e-6)
    assert sizes.least_error(1, 0.1192) == pytest.approx(0, abs=1e-4) and sizes.least_error(1, 0.27, symmetric=False) == 0


def test_medians():
    found = sizes.median_sizes(2**32, 0.1, 0.5)
    assert (found.stated, found.right) == pytest.approx((214.9, 221.8), abs=0.05)


@pytest.mark.parametrize("given", [(20, 0, 0.3, 0.05), (20, 1, 1, 0.05), (20, 1, 0.3, 0), (20, -1, 0.3, 0.05)])
def test_what_is_out_of_range_is_refused(given):
    with pytest.raises(InputError, match="must be"):
        sizes.bisection_sizes(*given)


@pytest.mark.parametrize(("name", "epsilon"), [("conjunctions", 1.0), ("conjunctions", 0.25), ("monotone conjunctions", 1.0)])
def test_noise_on_each_count_is_within_its_bound(name: str, epsilon: float) -> None:
    """All conjunctions of six yes/no columns, from noisy counts of the 64 possible rows; the total is public."""
    columns, sums = 6, sizes.query_class(name, 64.0, 6).sums
    bound = sizes.noisy_counts_error(sums, epsilon, 0.05)
    generator = np.random.default_rng(5)
    points = np.array(list(product((0, 1), repeat=columns)))
    literals = np.array(list(product((0, 1, 2) if name == "conjunctions" else (1, 2), repeat=columns)))  # no, yes, either
    literals = literals[(literals != 2).any(axis=1)]
    chosen = ((literals[:, None, :] == points) | (literals[:, None, :] == 2)).all(axis=2)
    added = Counter(chosen.sum(axis=1).tolist())
    assert added == {counts: queries for queries, counts in sums} and len(sums) == 6
    worst = np.abs(generator.laplace(0, 2 / epsilon, (4000, len(points))) @ chosen.T.astype(float)).max(axis=1)
    assert np.mean(worst > bound) <= 0.05 and np.quantile(worst, 0.95) > bound / 1.5, "right, and not far from the truth"
    assert sizes.noisy_counts_error(sums, 1, 0.05) == pytest.approx(bound * epsilon, rel=1e-12)


@pytest.mark.parametrize(("name", "before"), [("intervals", 82.1), ("thresholds", 66.9)])
def test_ranges_from_one_start_have_one_bound(name: str, before: float) -> None:
    """All ranges of 64 points, by the sums of the noise on a circle, for a query or its complement is at most half of it."""
    sums = sizes.query_class(name, 64.0, 6).sums
    bound = sizes.noisy_counts_error(sums, 1, 0.05)
    noise = np.random.default_rng(7).laplace(0, 2, (20_000, 64))
    path = np.hstack([np.zeros((len(noise), 1)), noise, noise]).cumsum(axis=1)
    if name == "intervals":
        worst = np.max([abs(path[:, k : k + 64] - path[:, :64]).max(axis=1) for k in range(1, 33)], axis=0)
    else:
        ends = path[:, :33], path[:, 64:65] - path[:, 32:64]
        worst = np.max([abs(end).max(axis=1) for end in ends], axis=0)
    assert np.mean(worst > bound) <= 0.05 and np.quantile(worst, 0.95) > bound / 1.6
    union = sizes.noisy_counts_error(((sizes.query_class(name, 64.0, 6).queries, 32.0),), 1, 0.05)
    assert bound < 0.82 * union and union == pytest.approx(before, rel=1e-3), "a bound for each query"


def exact_tail(counts: int, reach: float) -> float:
    """The chance that a sum of Laplace variables, a difference of two gamma variables, is at least this far from 0."""
    grid = np.linspace(0, 60 * counts + 40, 400_001)[1:]
    return float(2 * trapezoid(gamma.pdf(grid, counts) * gamma.sf(grid + reach, counts), grid))


@pytest.mark.parametrize("name", ["conjunctions", "monotone conjunctions", "cells", "each column"])
@pytest.mark.parametrize("delta", [0.05, 1e-6])
def test_exact_chances_of_sums_of_counts_are_below_delta(name: str, delta: float) -> None:
    sums = sizes.query_class(name, 32.0, 5).sums
    reach = sizes.noisy_counts_error(sums, 2, delta)  # in multiples of the scale, which is 1
    missed = sum(queries * exact_tail(int(counts), reach) for queries, counts in sums)
    assert delta / 30 < missed <= delta * (1 + 1e-6)


@pytest.mark.parametrize(("name", "columns"), [("conjunctions", 3), ("conjunctions", 12), ("monotone conjunctions", 12)])
def test_the_union_of_chernoffs_bounds_is_that_of_its_formula(name: str, columns: int) -> None:
    """Each Chernoff bound is minimised numerically over u, and the sum over the numbers of named columns solved for delta."""
    answers = 2 if name == "conjunctions" else 1

    def missed(reach: float) -> float:
        total = 0.0
        for named in range(1, columns + 1):
            m, queries = 2 ** (columns - named), comb(columns, named) * answers**named
            chances = minimize_scalar(lambda u, m=m: -u * reach - m * log1p(-u * u), bounds=(0, 1), method="bounded")
            total += queries * (exp(-reach) if m == 1 else 2 * exp(chances.fun))
        return total

    direct = 2 * brentq(lambda reach: log(missed(reach) / 0.05), 1, 500)
    bound = sizes.noisy_counts_error(sizes.query_class(name, 2.0**columns, columns).sums, 1, 0.05)
    assert bound == pytest.approx(direct, rel=1e-6)


def test_the_bound_of_conjunctions_is_rounded_up_and_holds_for_332_columns() -> None:
    twelve = sizes.query_class("conjunctions", 4096.0, 12)
    assert ceil(sizes.noisy_counts_error(twelve.sums, 1, 0.05) / 0.05) == 9504, (
        "not 14 902, as if each query had half of the counts"
    )
    most = sizes.query_class("conjunctions", 2.0**332, 332)
    with localcontext(prec=150):
        reach = Decimal(sizes.noisy_counts_error(most.sums, 2, 0.05))
        chance = Decimal(0)
        for queries, counts in most.sums:
            beyond = ((m := Decimal(counts)) * m + reach * reach).sqrt() - m
            chance += 2 * Decimal(queries) * (m * (1 + beyond / (2 * m)).ln() - beyond).exp()
        assert Decimal("0.0499") < chance <= Decimal("0.05")


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_noise_on_each_answer_is_within_its_bound(epsilon: float) -> None:
    """Twelve counts of the same rows share epsilon; the exact tail of a Laplace variable is exp(-t)."""
    bound = sizes.noisy_answers_error(12, epsilon, 0.05)
    assert bound == pytest.approx(12 / epsilon * log(12 / 0.05), rel=1e-11)
    missed = 1 - (1 - exp(-bound * epsilon / 12)) ** 12
    assert 0.048 < missed <= 0.05
    assert sizes.noisy_answers_error(1e300, 1e-4, 1e-6) > 1e304, "no overflow"


def test_noisy_cells_of_a_table_keep_their_bound():
    """Replacing a row lowers one cell by 1 and raises one by 1, so that noise of scale 2 / epsilon is enough for any number."""
    asked = sizes.query_class("cells", 2.0**6, 6)
    assert (asked.queries, asked.dimension, asked.sums) == (64, 1, ((64, 1),))
    bound = sizes.noisy_counts_error(asked.sums, 0.5, 0.05)
    assert bound == pytest.approx(4 * log(64 / 0.05))
    noise = np.random.default_rng(1).laplace(scale=4, size=(20_000, 64))
    assert 0.04 < np.mean(abs(noise).max(axis=1) > bound) < 0.052


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 7, 8])
def test_the_dimension_of_each_column_is_that_of_its_sets(columns: int) -> None:
    dimension = sizes.query_class("each column", 2**columns, columns).dimension
    queries = np.array(list(product((0, 1), repeat=columns))).T

    def split(rows: int) -> bool:
        return any(len({*map(tuple, queries[:, few])}) == 2**rows for few in map(list, combinations(range(2**columns), rows)))

    assert dimension == 1 or split(dimension)
    assert 2 ** (dimension + 1) > columns, "more rows have more splits than there are queries"
