import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.rounding import as_typed
from dpdesigner.desktop.editors.loss_shape import (
    consequence,
    drawable,
    number,
    round_ceiling,
    sentence,
    shape,
    verdict,
)


@pytest.mark.parametrize(
    "given", ["absolute", "squared", "zero-one", "power:1.5", "threshold:2", "threshold:9.5", "pinball:3/4", "distance:0,1/2,4,2"]
)
def test_pictures_are_the_losses(given):
    costs = shape(given).costs
    reach = len(costs) // 2
    assert costs == pytest.approx(Loss(given).matrix(2 * reach)[reach])


def test_a_huge_threshold_keeps_its_walls():
    costs = shape("threshold:1000000").costs
    assert (min(costs), costs[0], costs[-1]) == (0, 1, 1)


@pytest.mark.parametrize("given", ["absolute", "squared", "zero-one", "power:0.5", "threshold:2"])
def test_a_drawing_starts_from_the_loss_in_force(given):
    texts = drawable(given, 20)
    assert [number(text) for text in texts] == pytest.approx(Loss(given).matrix(20)[0], rel=5e-3)


def test_a_drawing_keeps_what_was_written_and_starts_from_distance_otherwise():
    assert drawable("distance:0, 1/3,7", 20) == ("0", "1/3", "7")
    assert drawable("pinball:3/4", 3) == drawable(((0, 1), (1, 0)), 3) == ("0", "1", "2", "3")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("absolute", "An error of 3 costs 3."),
        ("squared", "An error of 3 costs 9."),
        ("power:1.5", "An error of 3 costs 5.2."),
        ("zero-one", "Any error costs 1, however large."),
        ("threshold:5/2", "An error of up to 5/2 is free; a larger one costs 1."),
        ("relative", "An error of 3 costs 3 divided by the true count (3 if it is 0)."),
        ("pinball:3/4", "One too low costs 0.75, as much as 3 too high."),
        ("pinball:0.1", "One too high costs 0.9, as much as 9 too low."),
        ("pinball:50%", "One too low costs 0.5, one too high 0.5."),
        ("pinball:0", "One too low costs 0, one too high 1."),
        ("pinball:1", "One too low costs 1, one too high 0."),
        ("distance:0,1,4,1/3,9", "An error of 3 costs 1/3."),
        ("distance:0,1", "An error of 3 costs 1."),
        ("expression:abs(i-r)", "True count i, release r, error x = |i − r|."),
        (((0, 1), (1, 0)), "The costs come from a table."),
    ],
)
def test_losses_in_plain_words(given, words):
    assert sentence(Loss(given), 20) == words


def test_the_error_of_a_cost_is_possible() -> None:
    assert sentence(Loss("squared"), 1) == "An error of 1 costs 1." and sentence(Loss("squared"), 2) == "An error of 2 costs 4."


def test_the_words_for_pinball_are_those_of_the_matrix():
    under, over = Loss("pinball:3/4").matrix(4)[2, [1, 3]]
    assert under == 3 * over


def test_the_verdict_is_short_and_its_consequence_keeps_the_whole_reason():
    reason = "row 3 rises and falls again: 1, 2, 0."
    assert consequence(True, "it grows.") == "Theorem A covers this loss: it grows." and not verdict(True, "it grows.")
    assert verdict(False, reason) == "Outside Theorem A: row 3 rises and falls again."
    assert consequence(False, reason) == "Outside Theorem A: row 3 rises and falls again: 1, 2, 0; the linear program decides."


@given(st.floats(0, 1e90))
def test_drawn_numbers_have_three_digits_and_are_read_again(value):
    text = as_typed(value)
    assert number(text) == pytest.approx(value, rel=5.1e-3)
    assert Loss(f"distance:0,{text}").matrix(1)[0, 1] == number(text)


@given(st.floats(1e-90, 1e90))
def test_scales_end_on_round_numbers_just_above(value):
    top = round_ceiling(value)
    assert value * (1 - 1e-9) <= top <= 1.51 * value
    assert np.isfinite(top)
