"""Declared designs: checked with one sentence, equal by what was given, written as JSON and read back."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from declared_all import ResponseDesign
from declared_kind import LaplaceDesign
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.prior import Prior
from dpdesigner.errors import InputError
from dpdesigner.studies.base import DeclaredDesign, as_table, tables_of
from dpdesigner.studies.exhibits.listing import exhibit_class, exhibits
from dpdesigner.studies.fields import choice, number, privacy, whole_number
from dpdesigner.studies.number_inputs import epsilon_input
from dpdesigner.studies.registry import ENTRIES, entry


def test_the_misprint():
    found = LaplaceDesign(1, "1/2").run()
    assert found.findings["printed"].value == pytest.approx(1 + np.exp(-0.5) / 2)  # 1.30: no probability
    assert found.findings["right"].value == pytest.approx(1 - np.exp(-0.5) / 2)
    assert found.sentence == "At 1/2 the printed function gives 1.30, the right one 0.70."


@pytest.mark.parametrize(
    ("given", "field", "sentence", "suggestion"),
    [
        ({"n": 0}, "n", "n must be a whole number between 1 and 50, got 0.", "1"),
        ({"n": "2.4"}, "n", "n must be a whole number between 1 and 50, got 2.4.", "2"),
        ({"n": True}, "n", "n must be a whole number between 1 and 50, got True.", ""),
        ({"privacy": -1}, "epsilon", "epsilon must be between 0 and 1\u202f000\u202f000, or inf, got -1.", "0"),
        ({"prior": (1, 2)}, "prior", "the prior must have n + 1 = 6 weights, got 2.", ""),
        ({"shown": "both"}, "shown", "shown must be one of loss, gain, got 'both'.", ""),
        ({"remark": "x" * 41}, "remark", "remark must be a text of at most 40 characters, got 41 characters.", ""),
        ({"n": 41, "shown": "gain"}, "n", "n must be at most 40 for a gain, got 41.", "40"),
        ({"name": 3}, "name", "the name must be a text of at most 200 characters, got 3.", ""),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(given, field, sentence, suggestion):
    with pytest.raises(InputError) as refused:
        ResponseDesign(**given)
    assert (str(refused.value), refused.value.field, refused.value.suggestion) == (sentence, field, suggestion)


def test_numbers_stay_as_they_were_given():
    for b in ("1/3", "0.10", 0.1, 2, Fraction(1, 3), np.float64(0.5)):
        design = LaplaceDesign(b)
        again = LaplaceDesign.from_json(json.loads(json.dumps(design.to_json())))
        assert again == design and hash(again) == hash(design) and str(again.b) == str(b)
    assert LaplaceDesign("1/3").to_json() == {"kind": "laplace", "name": "", "b": "1/3", "x": "0.5", "side": "both"}


def test_all_kinds_of_input_come_back_from_json():
    drawn = ResponseDesign(2, np.array([1.0, 2.0, 0.5]), PrivacyLevel.from_alpha("1/3"), "gain", "a remark", name="one")
    data = json.loads(json.dumps(drawn.to_json()))
    assert data["alpha"] == "1/3" and "epsilon" not in data and data["prior"] == [1.0, 2.0, 0.5]
    assert ResponseDesign.from_json(data) == drawn == pickle.loads(pickle.dumps(drawn))
    assert ResponseDesign.from_json({"kind": "response"}) == ResponseDesign()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"kind": "laplace", "c": 1}, "a laplace design may have kind, name, b, x, side, got 'c'."),
        ({"kind": "noise"}, "a laplace design's kind must be 'laplace', got 'noise'."),
        ({"kind": "laplace", "b": None}, "a laplace design must have a value for b, got null."),
        ([], "a laplace design must be a JSON object, got []."),
    ],
)
def test_other_json_is_refused(data, sentence):
    with pytest.raises(InputError) as refused:
        LaplaceDesign.from_json(data)
    assert str(refused.value) == sentence


def test_a_level_is_given_once():
    with pytest.raises(InputError, match="privacy must be given once, as epsilon or as alpha, got it twice"):
        ResponseDesign.from_json({"kind": "response", "epsilon": 1, "alpha": "1/2"})


def test_equal_is_what_is_told_and_written_alike():
    assert LaplaceDesign("1") == LaplaceDesign(1) != LaplaceDesign(2)
    assert LaplaceDesign(1) != LaplaceDesign(1, name="other") and LaplaceDesign(1) != "1"
    assert ResponseDesign(prior=[1] * 6) != ResponseDesign()


def test_over_another_range_the_weights_of_a_distribution_stay_at_their_counts():
    design = ResponseDesign(3, (1, 0, 0, 1)).replace(n=7)
    assert design.prior == Prior((1, 0, 0, 1, 0, 0, 0, 0), 7)
    assert ResponseDesign(prior=Prior("uniform", 9)).prior == Prior("uniform", 5)


def test_a_design_is_frozen_and_checked_again():
    design = LaplaceDesign()
    with pytest.raises(AttributeError):
        design.b = 2  # type: ignore[misc]
    with pytest.raises(InputError, match="b must be between 1/1000 and 1000, got 0"):
        design.replace(b=0)


def test_the_line_and_the_undo_words():
    assert LaplaceDesign().line == "b = 1 · x = 0.5 · Both sides"
    assert LaplaceDesign(x=-1).line == "b = 1 · x = -1"  # which side is drawn does not matter there
    assert ResponseDesign().line == "n = 5 · uniform over 0 to 5 · ε = ln 2 ≈ 0.6932 (α = 1/2) · Loss"
    assert [each.undo_label for each in ResponseDesign.inputs()][:3] == ["Change n", "Change prior", "Change ε"]


def test_tables_have_all_digits_and_nothing_secret():
    found = {table.key: table for table in tables_of(ResponseDesign().run())}
    assert list(found) == ["matrix", "loss", "ranking", "table"]
    assert found["loss"].header == ("t", "square")  # the true line stays here
    assert [float(text) for text in found["matrix"].rows[0][1:]] == pytest.approx([2 / 7, *[1 / 7] * 5])
    assert as_table(ResponseDesign().run().panels_in({})[2]) is None


ASKED = number("1/1000", 1000, scale="log", slide=("0.1", 10))
LINEAR = number(-100, 100, slide=(-4, 4), try_=((2, ""),))
WHOLE = whole_number(1, 50)
MANY = whole_number(1, 10**6, scale="log", slide=(1, 10**5), try_=((1000, ""),))


@given(st.floats(0, 1))
def test_what_a_slider_gives_is_allowed_and_near(place):
    for kind, near in ((ASKED, 0.01), (LINEAR, 0.011), (WHOLE, 0.011), (MANY, 0.011)):
        value = kind.read(kind.at(place), "b", {})  # type: ignore[attr-defined]
        assert abs(kind.place(value) - place) <= near  # type: ignore[attr-defined]


def test_each_step_of_a_slider_of_many_whole_numbers_is_another_one():
    stops = [int(MANY.at(step / MANY.steps)) for step in range(MANY.steps + 1)]  # type: ignore[attr-defined]
    assert stops[:12] == [*range(1, 13)] and stops[-1] == 10**5 and 1000 in stops and 400 < MANY.steps <= 600  # type: ignore[attr-defined]
    assert all(a < b for a, b in pairwise(stops)) and max(b / a for a, b in pairwise(stops[60:])) < 1.12
    assert [round(MANY.place(stop) * MANY.steps) for stop in stops] == [*range(len(stops))]  # type: ignore[attr-defined]
    assert MANY.read(10**6, "k", {}) == 10**6 and MANY.place(10**6) == 1  # type: ignore[attr-defined]
    assert [MANY.near(value) for value in (0.2, 1004.0, 123456.0, 2e6)] == ["1", "1000", "123000", "1000000"]  # type: ignore[attr-defined]


def test_a_privacy_level_has_bounds_and_errors_name_epsilon():
    kind = privacy("1/100", 20)
    for level in (PrivacyLevel.from_epsilon("1/100"), PrivacyLevel.from_epsilon(20), PrivacyLevel.from_alpha("1/2")):
        assert kind.read(level, "privacy", {}) is level
    for value, got, nearest in (
        ("0.0099", "0.0099", "1/100"),
        (np.float64(21), "21.0", "20"),
        ("inf", "'inf'", "20"),
        (PrivacyLevel.from_alpha(1), "0 (alpha = 1)", "1/100"),
    ):
        with pytest.raises(InputError) as refused:
            kind.read(value, "privacy", {})
        assert str(refused.value) == f"epsilon must be between 1/100 and 20, got {got}."
        assert (refused.value.field, refused.value.suggestion) == ("epsilon", nearest)
    assert [kind.near(value) for value in (-1.0, 0.01, 1.2345, 30.0)] == ["1/100", "1/100", "1.23", "20"]  # type: ignore[attr-defined]
    assert privacy().read("inf", "privacy", {}).epsilon == np.inf


def test_an_epsilon_beside_another_alpha_keeps_its_form():
    kind = epsilon_input()
    assert [kind.read(value, "epsilon", {}) for value in (" 1/2 ", "ln 2", 0.3)] == ["1/2", "ln 2", 0.3]
    for value, got, nearest in (
        (0, "0", "1e-4"),
        ("701", "701", "700"),
        ("inf", "'inf'", "700"),
        ("ln 1.00001", "'ln 1.00001'", "1e-4"),
    ):
        with pytest.raises(InputError) as refused:
            kind.read(value, "epsilon", {})
        assert str(refused.value) == f"epsilon must be between 0.0001 and 700, got {got}."
        assert (refused.value.field, refused.value.suggestion) == ("epsilon", nearest)


@pytest.mark.parametrize(
    ("place", "text"), [(0.5, "0"), (0.5002, "0"), (0.754, "2"), (0.745, "2"), (0.757, "2.06"), (1, "4"), (0.623, "0.98")]
)
def test_numbers_near_zero_and_near_those_to_try_are_short(place, text):
    assert LINEAR.at(place) == text  # type: ignore[attr-defined]


def test_an_array_in_the_place_of_a_word_is_refused() -> None:
    with pytest.raises(InputError, match="must be one of"):
        choice(("a", "A"), ("b", "B")).read(np.array(["a", "b"]), "which", {})


def test_what_is_to_be_tried_can_be_tried_everywhere():
    """Every value that an input of any kind offers is read, has a place on the slider, and is caught there."""
    kinds = [each.study_class() for each in ENTRIES if issubclass(each.study_class(), DeclaredDesign)]
    designs = [exhibit_class(name)() for name in exhibits()]
    seen = 0
    for design in (*(kind.starting() for kind in kinds), *designs):
        for each in design.inputs():
            for value, _ in getattr(each.input, "try_", ()):
                read = each.input.read(value, each.key, {})
                place = each.input.place(read)
                assert 0 <= place <= 1 and each.input.near(each.input.number(read)), (design.kind, each.key, value)
                each.input.at(place)
                seen += 1
    assert seen > 30


REQUIRED = {
    "noise": ({"epsilon": 1}, "epsilon", "a noise design must have epsilon or alpha, got none."),
    "histogram": (
        {"cells": "0, 18", "epsilon": 1},
        "cells",
        "a histogram design must have cells, like [0, 18, 65], or categories, like ['yes', 'no'], got neither.",
    ),
    "choice": (
        {"utilities": [1, 2], "epsilon": 1},
        "utilities",
        "a choice design must have utilities or a file to count them from, got neither.",
    ),
    "auction": ({"bids": [1], "epsilon": 1}, "bids", "an auction needs bids, demand curves or a file of bids, got none of them."),
    "synthetic": ({"column": [1, 2], "epsilon": 1}, "column", "a synthetic design must have column, got none."),
    "rectangle": ({"first": [1], "second": [1], "epsilon": 1}, "first", "a rectangle design must have first, got none."),
    "net": ({"counts": [1, 2], "epsilon": 1}, "counts", "a net design must have counts, got none."),
    "halfspace": ({"points": "drawn", "epsilon": 1}, "points", "a halfspace design must have points, got none."),
    "sizes": ({"points": 64, "epsilon": 1}, "points", "a sizes design must have points, got none."),
    "inspect": ({"table": "geometric: 3, 1"}, "table", "an inspect design must have table, got none."),
    "attack": ({"n": 9}, "n", "an attack must have n, a column or published answers, got none of them."),
}


@pytest.mark.parametrize("kind", REQUIRED)
def test_scripts_must_give_the_privacy_level_and_the_data(kind):
    """The window starts from an example, but no script releases one, nor at a level that nobody chose."""
    given, field, sentence = REQUIRED[kind]
    made = entry(kind).study_class()
    assert made(**given) == made(**given) and made.starting().kind == kind
    with pytest.raises(InputError) as refused:
        made()
    assert (refused.value.field, str(refused.value)) == (field, sentence)
    for left_out in given:
        with pytest.raises(InputError, match=r"^[^.]*\.$") as refused:
            made(**{key: value for key, value in given.items() if key != left_out})
        assert refused.value.field == left_out


def test_a_level_must_be_given_for_answers_with_noise():
    made = entry("attack").study_class()
    assert made(n=9).epsilon == "1" and made(n=9, error="laplace", epsilon=2).epsilon == 2
    with pytest.raises(InputError, match="answers with laplace noise must have epsilon, got none"):
        made(n=9, error="laplace")


@pytest.mark.parametrize("kind", ["synthetic", "net", "sizes", "rectangle", "halfspace"])
def test_alpha_is_refused_where_it_could_be_taken_for_the_target_error(kind):
    made = entry(kind).study_class()
    design = made.starting()
    for wrong in (lambda: made.starting(alpha="1/2"), lambda: design.replace(alpha="1/2"), lambda: made(alpha=1)):
        with pytest.raises(InputError, match="takes the privacy level as epsilon and the target error") as refused:
            wrong()
        assert refused.value.field == "alpha"
    with pytest.raises(InputError, match="it has no alpha"):
        made.from_json({**design.to_json(), "alpha": "1/2"})
    if hasattr(design, "error"):
        assert design.replace(error="1/3").to_json()["error"] == "1/3"
