"""How tables read, against numbers known from elsewhere, and against all readings."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection.optimum import approximate_optimum, cells, deficiency, epsilon_of_equal_use, optimum
from dpdesigner.core.inspection.profile import profile
from dpdesigner.core.inspection.reading import Reader, error_bound, interval, moments
from dpdesigner.core.inspection.table import ReleaseTable, exact_table, sampled
from tests.core.inspection.test_profile import laplace, noise, tables

UNIFORM = Prior("uniform", 5)


def read(table, loss="absolute", prior="uniform"):
    return Reader(table, Prior(prior, table.n), Loss(loss))


@pytest.mark.parametrize(
    ("loss", "prior", "best", "least"),
    [
        ("absolute", "uniform", F(531, 1024), F(531, 1280)),
        ("squared", "binomial:1/2", F(10459, 16384), F(563, 1024)),
        ("zero-one", ("1", 0, 0, 0, 0, "1"), F(1, 64), F(1, 80)),
        ("pinball:3/4", "uniform", F(1513, 6144), F(531, 2560)),
    ],
)
def test_laplace_noise_read_best(loss, prior, best, least):
    table = laplace(5)
    assert read(table, loss, prior).best_loss == best
    assert optimum(Prior(prior, 5), Loss(loss), profile(table).exp_epsilon) == least


def test_readings_and_face_value():
    assert read(laplace(5), "pinball:3/4").reading == [1, 2, 3, 3, 4, 5]
    assert float(read(laplace(5), "squared", "binomial:1/2").face_loss) == pytest.approx(0.877990722656, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(tables(3, 3), st.sampled_from(["absolute", "squared", "zero-one", "pinball:3/4"]))
def test_no_reading_costs_less(rows, loss):
    losses = Loss(loss).exact_matrix(2)
    costs = {
        reading: sum(F(1, 3) * rows[i][j] * losses[i][reading[j]] for i in range(3) for j in range(3))
        for reading in product(range(3), repeat=3)
    }
    found = read(exact_table(rows), loss)
    assert found.best_loss == min(costs.values())
    best = [reading for reading, cost in costs.items() if cost == found.best_loss]
    assert tuple(found.reading) == min(best, key=lambda reading: (sum(abs(r - j) for j, r in enumerate(reading)), reading))


@pytest.mark.parametrize(("releases", "expected"), [(2, 0.856098598904), (3, 0.629423512252), (4, 0.553767474145)])
def test_several_releases_read_together(releases, expected):
    assert float(read(noise(10, F(1, 2))).releases_loss(releases)) == pytest.approx(expected, abs=1e-12)


def test_two_releases_exactly():
    assert read(noise(10, F(1, 2))).releases_loss(2) == F(1009895, 1179648)
    assert read(noise(5, F(1, 2)), "squared").releases_loss(2) == F(2479, 2304)


def test_leakage():
    found = read(noise(10, F(1, 2)))
    assert (found.capacity, found.vulnerability) == (F(13, 3), F(13, 33))
    assert (read(noise(5, F(1, 2))).capacity, read(noise(5, F(1, 2))).vulnerability) == (F(8, 3), F(4, 9))
    assert read(noise(10, F(9, 10))).capacity == F(29, 19)
    assert read(laplace(5)).capacity == F(7, 2)


@pytest.mark.parametrize(
    ("released", "low", "high", "mass"), [(3, 0, 6, 0.956524277461), (0, 0, 4, 0.968750461936), (10, 6, 14, None)]
)
def test_intervals(released, low, high, mass):
    found = interval(read(noise(20, F(1, 2))).posterior(released), F(95, 100))
    assert (found.low, found.high) == (low, high)
    assert mass is None or float(found.mass) == pytest.approx(mass, abs=1e-12)


def test_the_posterior_of_a_release():
    found = read(noise(20, F(1, 2))).posterior(3)
    assert found[3] == F(131072, 376831)
    assert float(interval(found, F(95, 100)).mean) == pytest.approx(3.21734146076, abs=1e-11)


def test_error_bounds_and_moments():
    assert error_bound(noise(20, F(1, 2)), F(95, 100)) == (4, F(23, 24))
    assert moments(noise(5, F(1, 2)))[0] == F(31, 48)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (laplace(5), F(23, 240)),
        (exact_table([[F(3, 4) * (i == j) + F(1, 24) for j in range(6)] for i in range(6)]), F(43, 266)),
        (noise(4, F(1, 2)), F(0)),
    ],
)
def test_deficiency(table, expected):
    found = deficiency(table, profile(table).exp_epsilon)
    assert (found.low, found.high) == (expected, expected)


@settings(max_examples=15, deadline=None)
@given(tables(3, 4))
def test_deficiency_is_bounded_on_both_sides(rows):
    table = exact_table(rows)
    found = deficiency(table, profile(table).exp_epsilon)
    assert 0 <= found.low <= found.high <= found.low + F(1, 10**9)


@pytest.mark.parametrize(
    ("n", "alpha", "delta", "loss", "expected"),
    [
        (5, "1/2", F(1, 100), "absolute", F(691, 800)),
        (5, "1/2", F(1, 100), "zero-one", F(11, 20)),
        (5, "1/2", F(1, 100), "squared", F(117, 80)),
        (5, "1/2", F(1, 10), "absolute", F(19, 30)),
        (5, "1/2", F(1, 10), "zero-one", F(1, 2)),
        (10, "2/3", F(1, 100), "absolute", F(18467819, 12028500)),
        (10, "2/3", F(1, 100), "squared", F(818876237, 192456000)),
    ],
)
def test_the_optimum_with_delta(n, alpha, delta, loss, expected):
    assert approximate_optimum(Prior("uniform", n), Loss(loss), PrivacyLevel.from_alpha(alpha), delta) == expected


@pytest.mark.parametrize(("delta", "expected"), [("1e-9", 0.837590060854), ("1e-6", 0.837575373333), ("1e-2", 0.787038389839)])
def test_the_optimum_with_delta_in_doubles_is_rounded_down(delta, expected):
    found = approximate_optimum(Prior("uniform", 100), Loss("absolute"), PrivacyLevel.from_epsilon(1), F(delta))
    assert expected - 1e-10 < found <= expected + 1e-12


def test_the_universal_table_is_as_private_as_it_says():
    rows = cells(3, F(1, 2), F(1, 50))
    assert all(sum(row) == 1 and min(row) >= 0 for row in rows)
    assert profile(exact_table(rows)).delta(F(2)) == F(1, 50)
    assert cells(1, F(1, 2), F(1, 10)) == [[F(1, 10), F(3, 5), F(3, 10), 0], [0, F(3, 10), F(3, 5), F(1, 10)]]


def test_parity_is_not_covered():
    parity = Loss([[abs(i - r) % 2 for r in range(4)] for i in range(4)])
    assert approximate_optimum(Prior("uniform", 3), parity, PrivacyLevel.from_alpha("1/2"), F(1, 100)) is None


def test_the_epsilon_of_equal_use():
    found = read(noise(20, F(1, 2)))
    epsilon = epsilon_of_equal_use(found.prior, found.loss, found.best_loss)
    assert epsilon == pytest.approx(0.69314718056, abs=1e-11)
    assert epsilon_of_equal_use(found.prior, found.loss, found.constant_loss) == 0


def test_a_sample_does_not_pay():
    """B8: of ten people five are counted, at e^epsilon 3, so that all have 2."""
    table = sampled(noise(5, F(1, 3)), "5 of 10")
    assert profile(table).exp_epsilon == 2
    assert float(read(table).best_loss) == pytest.approx(1.50820373043, abs=1e-11)


def test_doubles_agree_with_fractions():
    table = noise(12, F(1, 2))
    doubles = ReleaseTable(table.doubles, (1.0,) * 13, table.labels)
    for name in ("best_loss", "face_loss", "capacity", "vulnerability", "constant_loss"):
        assert float(getattr(read(table), name)) == pytest.approx(getattr(read(doubles), name), abs=1e-12)
    assert moments(table)[1] == pytest.approx(moments(doubles)[1], abs=1e-12)
