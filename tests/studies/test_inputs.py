"""The checks of inputs that all studies share."""

from __future__ import annotations

from typing import Any

import pytest

from dpdesigner import ChoiceDesign, CountDesign, HistogramDesign, NoiseDesign
from dpdesigner.errors import InputError
from dpdesigner.studies.input_kinds import checked_name, members, privacy_level


def test_members_are_returned_as_a_copy() -> None:
    data = {"a": 1}
    found = members(data, "a thing", ("a", "b"))
    found["b"] = 2
    assert data == {"a": 1}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "a thing must be a JSON object, got []."),
        ({"a": 1, "c": 2}, "a thing may have a, b, got 'c'."),
        ({"a": 1, 5: 2}, "a thing may have a, b, got 5."),
        ({"a": 1}, "a thing must have b, but b is missing."),
    ],
)
def test_other_members_are_refused_by_name(data: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        members(data, "a thing", ("a", "b"), needed=("b",))
    assert str(caught.value) == sentence and caught.value.field == "file"


def test_a_name_is_a_short_text() -> None:
    assert checked_name("x" * 200) == "x" * 200
    assert checked_name("a\0b\n\x1b[31m \x9b é") == "a b  [31m   é"
    for name, got in (("x" * 201, "201 characters"), (None, "None")):
        with pytest.raises(InputError, match=f"at most 200 characters, got {got}") as caught:
            checked_name(name)
        assert caught.value.field == "name"


def test_designs_name_what_is_wrong() -> None:
    with pytest.raises(InputError, match=r"a histogram design may have .* got 'data'"):
        HistogramDesign.from_json({"cells": "0..2", "data": [1]})
    with pytest.raises(InputError, match=r"rows of one length, .*, got 2 rows of 1 or 2"):
        ChoiceDesign(((0, 1), (0,)), epsilon=1)
    with pytest.raises(InputError, match=r"a list of numbers or a table of them, got \(\)"):
        ChoiceDesign((), epsilon=1)


@pytest.mark.parametrize("number", ["0.5", 0.5, 1, 1.0, "1", 0.0, -0.0, "ln 2"])
def test_a_level_is_kept_as_it_was_given(number: str | float) -> None:
    """Also where one that is equal was made before."""
    for form in ("epsilon", "alpha") if number != "ln 2" else ("epsilon",):
        level = privacy_level(**{form: number})  # type: ignore[arg-type]
        assert level is not None and level.form == form and repr(level.number) == repr(number)
        assert level == privacy_level(**{form: number})  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [True, None, [], float("nan"), "x"])
def test_what_is_no_level_is_refused_each_time(number: Any) -> None:
    for _ in range(2):
        with pytest.raises(InputError):
            CountDesign(3, epsilon=number)


@pytest.mark.parametrize("kind", [NoiseDesign, HistogramDesign, ChoiceDesign])
def test_a_level_that_is_left_open_in_a_copy_stays(kind: Any) -> None:
    design = kind.starting(epsilon="1/3")
    assert design.replace(epsilon=None) == design.replace(alpha=None, privacy=None) == design.replace() == design
    assert design.replace(alpha="1/2").privacy.source == ("alpha", "1/2")
