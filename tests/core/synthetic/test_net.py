"""The net mechanism in full, against its definition and against numbers worked out elsewhere; classes and their VC dimension."""

from itertools import combinations_with_replacement
from math import exp, log

import numpy as np
import pytest

from dpdesigner.core.synthetic import net
from dpdesigner.core.synthetic.net import conjunctions, intervals, queries, thresholds, vc_dimension
from dpdesigner.errors import InputError


def test_the_classes():
    assert intervals(8).size == 36 and intervals(64).size == 2080
    assert conjunctions(3).size == 27 and conjunctions(3, monotone=True).size == 8
    assert intervals(3).names == ("0", "0 to 1", "0 to 2", "1", "1 to 2", "2")
    assert conjunctions(2).matrix[conjunctions(2).names.index("*1")].tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("given", "dimension"),
    [
        (intervals(8), 2),
        (thresholds(6), 1),
        (conjunctions(3), 3),
        (conjunctions(4, monotone=True), 4),
        (queries([[1, 1]]), 0),
        (queries(np.eye(5)), 1),
        (queries([[(k >> b) & 1 for b in range(4)] for k in range(16)]), 4),
    ],
)
def test_vc_dimensions(given, dimension):
    assert vc_dimension(given) == dimension <= log(given.size, 2) + 1e-9


@pytest.mark.parametrize("matrix", [[], [[]], [[0, 2]], [[0, float("nan")]], [["a"]], [[0], [0, 1]], [[[1]]]])
def test_what_is_no_class_is_refused(matrix):
    with pytest.raises(InputError):
        queries(matrix)


def test_only_counting_queries_have_a_vc_dimension():
    with pytest.raises(InputError, match="counting"):
        vc_dimension(queries([[0.5, 1]]))


def test_small_databases_are_in_order():
    expected = [tuple(np.bincount(chosen, minlength=3)) for chosen in combinations_with_replacement(range(3), 2)]
    assert [tuple(row) for row in net.multisets(3, 2)] == expected
    assert net.multisets(3, 0).tolist() == [[0, 0, 0]]
    with pytest.raises(InputError, match="at most 200\u202f000"):
        net.multisets(100, 10)


def test_the_probabilities_are_those_of_the_definition():
    every, base = net.full_net(intervals(3), 2), (3, 1, 2)
    weights = []
    for chosen in combinations_with_replacement(range(3), 2):
        share = [chosen.count(point) / 2 for point in range(3)]
        error = max(abs(sum(share[a:b]) - sum(base[a:b]) / 6) for a in range(3) for b in range(a + 1, 4))
        weights.append(exp(-0.7 * 6 * error / 2))
    assert every.probabilities(base, 0.7) == pytest.approx(np.array(weights) / sum(weights), rel=1e-12)


def test_the_exact_privacy():
    every = net.full_net(intervals(4), 4)
    assert net.privacy(every, 5, 1.0) == pytest.approx(0.768686, abs=5e-7)
    here = [net.privacy_here(every, base, 1.0) for base in net.multisets(4, 5)]
    assert max(here) == pytest.approx(net.privacy(every, 5, 1.0), rel=1e-12)
    assert net.privacy(net.full_net(intervals(8), 6), 1000, 1.0) is None


@pytest.mark.parametrize(
    ("asked", "rows", "sizes"),
    [
        (intervals(4), 8, (1, 2, 4)),
        (intervals(6), 5, (2, 3)),
        (thresholds(5), 6, (1, 4)),
        (conjunctions(2), 9, (1, 2, 6)),
        (queries([[0.5, 0.1, 1, 0], [1 / 3, 0, 0.25, 0.7]]), 9, (1, 3)),
        (queries(np.random.default_rng(2).random((3, 4))), 9, (2, 3)),
        (queries([[(k >> b) & 1 for b in range(5)] for k in range(32)]), 6, (2, 3)),
    ],
)
def test_the_error_bound_holds_for_every_database(asked, rows, sizes):
    for size in sizes:
        every = net.full_net(asked, size)
        for base in net.multisets(asked.points, rows):
            errors = every.errors(base)
            assert errors.min() <= every.near * (1 + 1e-12)
            for epsilon, delta in ((0.5, 0.05), (3, 0.3), (20, 1e-6)):
                found = net.usefulness(every, base, epsilon, delta)
                assert found.within == every.near + 2 / (epsilon * rows) * log(len(errors) / delta)
                assert every.probabilities(base, epsilon)[errors > found.within].sum() <= delta
                assert found.best <= found.exact <= found.within * (1 + 1e-12)


@pytest.mark.parametrize(("asked", "rows", "size"), [(intervals(4), 8, 2), (intervals(5), 10, 2), (thresholds(3), 8, 4)])
def test_no_smaller_error_is_within_reach_of_every_database(asked, rows, size):
    every = net.full_net(asked, size)
    assert max(every.errors(base).min() for base in net.multisets(asked.points, rows)) == pytest.approx(every.near, rel=1e-12)


def test_the_error_bound_holds_for_many_rows_and_points():
    generator = np.random.default_rng(1)
    for asked in (intervals(8), thresholds(8), conjunctions(3)):
        for size in (4, 6, 8):
            every = net.full_net(asked, size)
            for rows in (100, 10_000):
                found = net.usefulness(every, generator.multinomial(rows, generator.dirichlet(np.ones(8))), 1.0, 0.05)
                assert found.best <= every.near and found.best <= found.exact <= found.within


@pytest.mark.parametrize(("alpha", "size", "mean"), [(0.2, 192, 0.078), (0.1, 765, 0.040), (0.05, 3057, 0.0198)])
def test_small_samples_answer_all_intervals(alpha, size, mean):
    errors = net.subsample_errors(intervals(64), np.ones(64), size, 200, seed=1)
    assert not (errors > alpha).any() and abs(errors.mean() - mean) < 5 * errors.std() * (2 / 200) ** 0.5 + 5e-4


@pytest.mark.parametrize(
    "asked", [intervals(3), thresholds(3), queries([[0.1, 0.7, 1 / 3], [1, 0, 0.2]]), queries([[0.1, 0.7, 0.3]])]
)
def test_equal_shares_have_no_error(asked):
    errors = net.full_net(asked, 12).errors([100, 200, 300])
    exact = [net.multisets(3, 12).tolist().index([2, 4, 6])]
    assert errors[exact].max() < 1e-15
    if np.isin(asked.matrix, (0, 0.1, 0.3, 0.7, 1)).all():
        assert (errors[exact] == 0).all()
    shares, real = net.full_net(asked, 12).answers, asked.matrix @ np.array([1, 2, 3]) / 6
    assert errors == pytest.approx(abs(shares - real).max(axis=1), abs=1e-12)
