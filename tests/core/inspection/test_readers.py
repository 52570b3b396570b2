"""Readers without a prior, by number, and the proof that none does better; several levels from one draw."""

from __future__ import annotations

import dataclasses
from fractions import Fraction as F
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection import readers
from dpdesigner.core.inspection.reader_results import (
    _kernel_weights,
    chances_given,
    curved,
    draw_levels,
    kernel,
    loss_curves,
    results_of,
    total_loss,
)
from dpdesigner.core.inspection.readers import AudienceReader
from dpdesigner.core.inspection.release_value import least_epsilon, loss_at, read_table, serve
from dpdesigner.core.inspection.table import exact_table
from dpdesigner.core.mechanism import geometric
from dpdesigner.errors import InputError

EPSILON = PrivacyLevel("epsilon", "0.7")  # with an irrational alpha


def among(n: int, counts: range | tuple[int, ...], loss: str = "absolute") -> AudienceReader:
    points = tuple(Prior([1 if i == count else 0 for i in range(n + 1)], n) for count in counts)
    return AudienceReader("x", points, Loss(loss), cautious="loss")


def level(alpha: str) -> PrivacyLevel:
    return PrivacyLevel("alpha", alpha)


def geometric_table(alpha: F, n: int) -> list[list[F]]:
    weights, powers = geometric.exact_weights(alpha, n), geometric.powers(alpha, n)
    return [[powers[abs(i - j)] * weights[j] for j in range(n + 1)] for i in range(n + 1)]


@pytest.mark.parametrize(
    ("who", "alpha", "value"),
    [
        (among(3, range(4)), "1/4", F(168, 415)),
        (among(2, range(3)), "1/2", F(4, 7)),
        (among(5, range(6)), "1/2", F(212, 231)),
        (among(10, range(11)), "1/2", F(8404, 7327)),
        (among(20, range(4, 15)), "1/2", F(8404, 7327)),
        (among(5, range(6)), "3/4", F(36312, 24703)),
        (among(3, (0, 1, 3)), "1/4", F(12, 35)),
        (among(5, (1, 2, 4)), "1/2", F(2, 3)),
        (among(5, range(6), "squared"), "1/2", F(124, 67)),
        (among(5, range(6), "zero-one"), "1/2", F(13, 21)),
    ],
)
def test_the_worst_count(who: AudienceReader, alpha: str, value: F) -> None:
    one = serve(who, level(alpha))
    assert one.loss == value and one.gap == 0 and sum(one.least_favourable) == 1
    assert one.reading is not None and all(sum(row) == 1 and min(row) >= 0 for row in one.reading)
    rough = serve(who, level(alpha), roughly=True)
    assert float(value) <= rough.loss <= float(value) + 1e-8 and 0 <= float(rough.gap or 0) < 1e-8


@pytest.mark.parametrize("kind", ["loss", "regret"])
@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", "pinball:3/4"])
@pytest.mark.parametrize(("privacy", "counts"), [(level("1/2"), range(4, 15)), (level("9/10"), (0, 5, 17)), (EPSILON, range(21))])
def test_a_greater_output_never_has_a_smaller_reading(privacy: PrivacyLevel, counts: Any, loss: str, kind: Any) -> None:
    one = serve(dataclasses.replace(among(20, counts, loss), cautious=kind), privacy)
    assert one.reading is not None and 0 <= float(one.gap or 0) < 1e-10, "and none is better"
    seen = [np.flatnonzero(row) for row in one.reading.astype(float)]
    assert all(low[-1] <= high[0] for low, high in pairwise(seen))


@pytest.mark.parametrize(("kind", "value"), [("loss", F(5161, 6144)), ("regret", F(1699, 8192))])
def test_two_possible_priors(kind: str, value: F) -> None:
    priors = Prior("binomial:1/4", 5), Prior("binomial:3/4", 5)
    who = AudienceReader("x", priors, Loss("absolute"), cautious=kind)  # type: ignore[arg-type]
    one = serve(who, level("1/2"))
    assert one.loss == value and one.gap == 0


def test_the_least_favourable_prior_is_the_certificate() -> None:
    who = among(6, range(7))
    one = serve(who, level("1/2"))
    prior = [sum(w * p[i] for w, p in zip(one.least_favourable, who.exact_beliefs, strict=True)) for i in range(7)]
    held = AudienceReader("y", (Prior(prior, 6),), Loss("absolute"))  # type: ignore[arg-type]
    assert serve(held, level("1/2")).loss == one.loss
    row = read_table(who, exact_table(geometric_table(F(1, 2), 6)))
    assert row.loss == one.loss


def test_larger_counts_have_a_small_gap() -> None:
    one = serve(among(100, range(101)), level("9/10"))
    assert float(one.loss) == pytest.approx(8.49694265418, abs=1e-10) and float(one.gap or 0) < 1e-8


def test_a_target_of_a_cautious_reader() -> None:
    who = among(4, range(5))
    found = least_epsilon(who, F(1, 2))
    assert found is not None and loss_at(who, found) <= 0.5 < loss_at(who, found * (1 - 1e-6))


def test_a_release_that_tells_nothing() -> None:
    found = readers.read(among(3, range(4)), None)
    assert float(found.high) == pytest.approx(1.5) and float(found.low) == pytest.approx(1.5)


def test_one_level_is_drawn_from_another() -> None:
    assert kernel(F(1, 4), F(1, 2), 5)[2] == [F(7, 54), F(7, 54), F(13, 27), F(7, 54), F(7, 108), F(7, 108)]
    assert kernel(F(1, 2), F(3, 4), 5)[0] == [F(5, 7), F(1, 14), F(3, 56), F(9, 224), F(27, 896), F(81, 896)]
    assert kernel(F(1, 10), F(9, 10), 4)[0] == [F(91, 171), F(8, 171), F(4, 95), F(18, 475), F(162, 475)]
    assert kernel(F(1, 3), F(1, 2), 1)[0] == [F(5, 6), F(1, 6)]
    for a, b, n in ((F(0), F(1, 2), 3), (F(1, 4), F(2, 5), 6), (F(1, 3), F(1, 3), 2)):
        made = np.array(kernel(a, b, n), dtype=object)
        assert (np.array(geometric_table(a, n), dtype=object) @ made == np.array(geometric_table(b, n), dtype=object)).all()
        assert all(sum(row) == 1 and min(row) >= 0 for row in made)


def test_a_release_is_never_made_less_private() -> None:
    with pytest.raises(InputError, match="alpha must rise"):
        kernel(F(1, 2), F(1, 4), 3)


def test_every_level_is_drawn_from_the_one_above() -> None:
    levels = [PrivacyLevel("alpha", alpha) for alpha in ("1/4", "1/2", "3/4")]
    chances, numbers = chances_given(levels, 3, 1, (0, 2, 3))
    assert numbers == (0, 2, 3) and chances.sum(axis=1) == pytest.approx(1)
    assert chances[0] == pytest.approx([0.2, 0.6, 0.15, 0.05])
    for place, (a, b) in enumerate(((F(1, 4), F(1, 2)), (F(1, 2), F(3, 4))), 1):
        assert chances[place] == pytest.approx([float(each) for each in kernel(a, b, 3)[numbers[place - 1]]])
    close = [PrivacyLevel.from_epsilon("1e-7"), PrivacyLevel.from_epsilon("1e-8"), PrivacyLevel.from_epsilon(0)]
    chances, numbers = chances_given(close, 3, 1, (2, 2, 2))
    assert chances.sum(axis=1) == pytest.approx(1) and chances[2].tolist() == [0.5, 0, 0, 0.5] and numbers == (2, 2, 3)
    certain = [PrivacyLevel("alpha", alpha) for alpha in ("0", "0", "1/2", "1/2")]
    assert chances_given(certain, 9, 4, (7, 2, 6, 1))[1] == (4, 4, 6, 6), "the nearest possible numbers"


@pytest.mark.parametrize(("a", "b"), [(F(0), F(0)), (F(0), F(1, 3)), (F(1, 4), F(1, 2)), (F(1, 2), F(1, 2)), (F(1, 2), F(1))])
def test_whole_weights_are_in_proportion_to_the_kernel(a: F, b: F) -> None:
    for n in (0, 1, 2, 5):
        for j, row in enumerate(kernel(a, b, n)):
            weights = _kernel_weights(a, b, n, j)
            assert [F(weight, sum(weights)) for weight in weights] == row


def test_drawn_levels_have_the_probabilities_of_each_alone() -> None:
    levels = [PrivacyLevel.from_epsilon(1), PrivacyLevel("alpha", "1/2"), PrivacyLevel.from_epsilon("0.3")]
    drawn = np.array([draw_levels(levels, 4, 1) for _ in range(3000)])
    for place, each in enumerate(levels):
        shares = np.bincount(drawn[:, place], minlength=5) / len(drawn)
        assert shares == pytest.approx(geometric.row(each, 4, 1), abs=0.05)  # five standard deviations
    assert draw_levels([PrivacyLevel("alpha", "0")] * 2 + [PrivacyLevel.from_epsilon(0)], 4, 3)[:2] == (3, 3)
    assert {draw_levels([PrivacyLevel("alpha", "1/2")] * 2, 4, 3) for _ in range(50)} <= {(j, j) for j in range(5)}


def test_the_curves_are_losses_as_shares_of_those_without_the_data_between_powers_of_two() -> None:
    who = [AudienceReader("x", (Prior("uniform", 20),), Loss(loss)) for loss in ("absolute", "squared")]
    curves = loss_curves(who, (0.3, None, 5.0))
    assert (curves.epsilon[0], curves.epsilon[-1]) == (1 / 8, 8) and len(curves.epsilon) == 6 * 8 + 1
    assert curves.shares.shape == (2, 49) and (np.diff(curves.shares) <= 1e-12).all()
    assert 0 < curves.shares.min() < 0.01 and 0.7 < curves.shares.max() <= 1
    for place, each in enumerate(who):
        (share,) = curves.shares[place][curves.epsilon == 2.0]
        assert share == pytest.approx(loss_at(each, 2.0) / each.constant_loss, rel=1e-9)
    assert loss_curves((), ()).shares.shape == (0, 49)
    shared = loss_curves(who, (0.3, None, 5.0), tables=3)
    assert shared.low == curves.low == 1 / 8 and shared.epsilon[0] * 3 <= shared.low < 8 * shared.epsilon[0]


def test_a_reader_without_a_prior_or_without_a_loss_has_no_curve() -> None:
    certain, usual = (AudienceReader("x", (Prior(prior, 4),), Loss("absolute")) for prior in ([1, 0, 0, 0, 0], "uniform"))
    assert curved(results_of([among(4, range(5)), certain, usual], level("1/2"))) == [2]
    assert len(curved(results_of([usual] * 41, level("1/2")))) == 40


def test_a_total_is_a_fraction_where_all_losses_are() -> None:
    assert total_loss([F(1), F(2)], [F(1, 3), F(1, 6)]) == F(2, 3)
    assert total_loss([F(1), F(2)], [F(1, 3), 0.5]) == pytest.approx(4 / 3)
    assert total_loss([F(1)], [None]) is None
