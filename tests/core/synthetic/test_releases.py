"""Other ways to make a column: what noisy counts become, what is promised of them, quantiles and multiplicative weights."""

import csv
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from dpdesigner import resources
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.synthetic.bisection import bisect, plan_of
from dpdesigner.core.synthetic.cells import Cells, Shape, consistent, isotonic, smooth, straightened, worst_interval
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.error_bounds import noise_error_bound, quantile
from dpdesigner.core.synthetic.methods import from_quantiles, multiplicative_weights, quantile_privacy
from dpdesigner.errors import InputError

ONE = Fraction(1)
CELLS, TWO = Shape((128,)), Shape((16, 8))


@cache
def ages():
    with Path(resources.path("data", "survey_1996.csv")).open(encoding="utf-8") as file:
        values = [float(row["age"]) for row in csv.DictReader(file)]
    assert len(values) == 944
    return Cells(Fraction(0), Fraction(128), 7).counts(values)


def median(release, runs):
    return float(np.median([abs(worst_interval(ages(), release(for_study(run))).error) for run in range(runs)]))


@pytest.mark.parametrize(
    ("release", "runs", "expected", "slack"),
    [
        (lambda source: smooth(ages(), CELLS, CELLS.level_privacy(ONE, 2), 944, source), 200, 30, 4),
        (lambda source: smooth(ages(), TWO, TWO.level_privacy(ONE, 2), 944, source), 200, 34, 4),
        (lambda source: multiplicative_weights(ages(), ONE, 944, 10, source).counts, 60, 65, 12),
        (lambda source: from_quantiles(ages(), ONE, 944, 5, 2, source).counts, 200, 76, 9),
        (lambda source: bisect(ages(), plan_of(7, 944, ONE, Fraction(9, 10)), source).counts, 200, 274.5, 30),
        (lambda source: bisect(ages(), plan_of(7, 944, ONE, Fraction(3, 10)), source).counts, 200, 433, 45),
    ],
)
def test_how_far_off_each_way_is_for_the_ages_of_a_survey(release, runs, expected, slack):
    assert abs(median(release, runs) - expected) < slack


@pytest.mark.parametrize(("shape", "rows"), [(CELLS, 52), (TWO, 57)])
def test_what_is_promised_of_the_ages(shape, rows):
    found = noise_error_bound(shape, shape.level_privacy(ONE, 2), 0.05)
    assert (found.rows, found.draws) == (rows, 200_000)
    worst = [
        abs(worst_interval(ages(), smooth(ages(), shape, shape.level_privacy(ONE, 2), 944, for_study(run))).error)
        for run in range(300)
    ]
    assert np.mean(np.array(worst) > rows) <= 0.05 + 5 * np.sqrt(0.05 * 0.95 / 300)


def test_halves_in_seven_levels_promise_little():
    shape = Shape((2,) * 7)
    assert abs(noise_error_bound(shape, shape.level_privacy(ONE, 2), 0.05, draws=20_000).rows - 124) <= 2


def test_too_few_draws_promise_nothing():
    assert quantile(np.arange(100.0), 0.05).rows is None
    assert quantile(np.arange(403.0), 0.05).rows is None and quantile(np.arange(405.0), 0.05).rows == 404  # 0.95^405 < 9.8e-10


@pytest.mark.parametrize(("many", "failure"), [(1000, 0.05), (10_000, 0.05), (10_000, 0.3), (200_000, 0.01)])
def test_the_rank_is_as_sure_as_six_standard_errors(many, failure):
    found = quantile(np.arange(float(many)), failure)
    rank = found.rows + 1  # 1 is the least of all
    assert binom.sf(rank - 1, many, 1 - failure) <= 9.9e-10 < binom.sf(rank - 2, many, 1 - failure) * 1.01
    normal = many * (1 - failure) + 6 * np.sqrt(many * failure * (1 - failure))
    assert abs(rank - normal) < 0.02 * many


def test_the_least_squares_agree_with_all_levels():
    """Against the normal equations."""
    generator = np.random.default_rng(2)
    shape = Shape((3, 2, 2))
    levels = [generator.normal(size=size) for size in shape.level_sizes()]
    rows = np.vstack([np.kron(np.eye(size), np.ones(12 // size)) for size in shape.level_sizes()])
    heavy = 1e6 * np.ones((1, 12))
    target = np.concatenate([*levels, [5e6]])
    expected = np.linalg.lstsq(np.vstack([rows, heavy]), target, rcond=None)[0]
    found = consistent(levels, shape, 5.0)
    assert found == pytest.approx(expected, abs=1e-6) and found.sum() == pytest.approx(5)


def test_straightening_widens_no_error():
    generator = np.random.default_rng(4)
    for _ in range(50):
        real = generator.integers(0, 5, 20)
        noise = generator.normal(size=20) * 3
        noise -= noise.mean()
        made = straightened(real + noise, int(real.sum()))
        path = np.concatenate([[0], np.cumsum(noise)])
        bound = np.floor(path.max() + 0.5) - np.floor(path.min() + 0.5)
        assert made.min() >= 0 and made.sum() == real.sum() and abs(worst_interval(real, made).error) <= bound + 1e-9


def test_isotonic_regression():
    assert isotonic([1, 3, 2, 4]).tolist() == [1, 2.5, 2.5, 4]
    assert isotonic([3, 2, 1]).tolist() == [2, 2, 2]
    assert isotonic([]).tolist() == []


def test_quantiles_keep_the_rows_and_are_private():
    found = from_quantiles([0, 0, 5, 0], ONE, 5, 3, 2, for_study(1))
    assert found.counts.sum() == 5 and len(found.edges) == 7 and list(found.edges) == sorted(found.edges)
    assert quantile_privacy(ONE, 5, 2).exact_epsilon == Fraction(1, 20)
    sure = from_quantiles([4, 4, 4, 4], Fraction(10**4), 16, 2, 1)
    assert sure.edges == (1, 2, 3) and sure.counts.tolist() == [4, 4, 4, 4]


def test_weights_without_noise_come_near_and_many_cells_are_refused():
    found = multiplicative_weights([10, 0, 0, 30], Fraction(10**4), 40, 8, for_study(1))
    assert found.counts.sum() == 40 and abs(found.counts - [10, 0, 0, 30]).max() <= 2
    with pytest.raises(InputError, match="at most 10 bits"):
        multiplicative_weights(np.ones(2048, dtype=int), ONE, 2048)


def test_each_level_has_its_share_of_epsilon():
    assert CELLS.level_privacy(ONE, 2) == PrivacyLevel.from_epsilon(Fraction(1, 2))
    assert TWO.level_privacy(ONE, 2).exact_epsilon == Fraction(1, 4)
