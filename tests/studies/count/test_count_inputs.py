"""Whatever is given as a count design is one, or is refused with a sentence: hostile files included."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from core.refusals import nested, refused, short
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign, solve
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import LARGEST_N, Prior


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"n": -1}, "n"),
        ({"n": 2.5}, "n"),
        ({"n": 10**9}, "n"),
        ({"n": LARGEST_N + 1}, "n"),
        ({"n": "many"}, "n"),
        ({"n": None}, "n"),
        ({"n": True}, "n"),
        ({"n": math.nan}, "n"),
        ({"n": math.inf}, "n"),
        ({"n": [3]}, "n"),
        ({"n": 10**5000}, "n"),
        ({"n": "1e99999"}, "n"),
        ({"alpha": None}, "epsilon"),
        ({"epsilon": 1}, "epsilon"),
        ({"alpha": None, "epsilon": -0.5}, "epsilon"),
        ({"alpha": None, "epsilon": "x" * 10**6}, "epsilon"),
        ({"alpha": None, "epsilon": nested()}, "epsilon"),
        ({"alpha": math.nan}, "alpha"),
        ({"alpha": 1.5}, "alpha"),
        ({"alpha": "9" * 900}, "alpha"),
        ({"alpha": []}, "alpha"),
        ({"alpha": {}}, "alpha"),
        ({"prior": [1, 2]}, "prior"),
        ({"prior": [0, 0, 0, 0]}, "prior"),
        ({"prior": [math.nan, 0, 0, 1]}, "prior"),
        ({"prior": None}, "prior"),
        ({"prior": Prior("uniform", 7)}, "prior"),
        ({"prior": "spike:4"}, "prior"),
        ({"loss": "absolut"}, "loss"),
        ({"loss": None}, "loss"),
        ({"loss": [[0, 1], [1, 0]]}, "loss"),
        ({"loss": "expression:i/r"}, "loss"),
        ({"loss": "expression:i.__class__"}, "loss"),
        ({"loss": "expression:1e101*i"}, "loss"),
        ({"name": None}, "name"),
        ({"name": 5}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": nested()}, "name"),
    ],
    ids=short,
)
def test_refuses(changes: dict[str, Any], field: str) -> None:
    good: dict[str, Any] = {"n": 3, "alpha": "1/2", "prior": "uniform", "loss": "absolute", "name": ""}
    with refused(field):
        CountDesign(**{**good, **changes})
    if changes not in ({"epsilon": 1}, {"alpha": None}):  # the one takes the place of alpha, the other leaves it
        with refused(field):
            CountDesign(**good).replace(**changes)
    if not any(isinstance(value, Prior) for value in changes.values()):
        with refused(field):
            CountDesign.from_json({**good, **changes})


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"n": 1},
        {"n": 1, "prior": "uniform", "loss": "absolute"},
        {"n": 1, "alpha": 0.5, "prior": "uniform", "loss": "absolute", "x": 1},
        None,
        5,
        "count",
        [],
        [[1]],
        [["n", 1]],
        True,
        {1: 2},
        {"n": 1, 2: 3},
        {"x" * 10**6: 1},
        {"kind": "noise", "n": 1, "alpha": "1/2", "prior": "uniform", "loss": "absolute"},
        {"kind": [], "n": 1, "alpha": "1/2", "prior": "uniform", "loss": "absolute"},
    ],
    ids=short,
)
def test_refuses_other_json(data: Any) -> None:
    with refused():
        CountDesign.from_json(data)


_NUMBERS = st.one_of(
    st.integers(-3, 6), st.floats(), st.sampled_from(["1/3", "20%", "1e-5", "1/0", "nan", "", "x", "1e5000", 1e300, -0.0])
)
_TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["uniform", "absolute", "binomial:0.5", "expression:i*r", "expression:i.real", "power:1.5", "ln 2", "spike:1", "\ud800"]
    ),
)
_VALUES = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)
_PLAUSIBLE = st.fixed_dictionaries(
    {
        "n": st.integers(-1, 3) | _VALUES,
        "prior": st.lists(_NUMBERS, max_size=4) | _VALUES,
        "loss": st.lists(st.lists(_NUMBERS, max_size=3), max_size=3) | _VALUES,
    },
    optional={"alpha": _NUMBERS | _VALUES, "epsilon": _NUMBERS | _VALUES, "name": _VALUES, "kind": _VALUES},
)


@given(_PLAUSIBLE | _VALUES)
@settings(deadline=None, max_examples=150)
def test_any_json_is_a_design_or_refused(data: Any) -> None:
    """And what it makes can be solved and written again."""
    try:
        design = CountDesign.from_json(data)
    except Exception:
        with refused():
            CountDesign.from_json(data)
    else:
        outcome = solve(design)
        assert math.isfinite(outcome.value) and outcome.certificate.gap >= 0
        assert CountDesign.from_json(json.loads(json.dumps(design.to_json(), allow_nan=False))) == design


@given(_VALUES, st.integers(0, 3))
@settings(deadline=None, max_examples=120)
def test_any_value_is_an_input_or_refused(value: Any, n: int) -> None:
    makers: list[Any] = [PrivacyLevel.from_alpha, PrivacyLevel.from_epsilon, lambda v: Prior(v, n), lambda v: Loss(v).matrix(n)]
    makers += [lambda v: CountDesign(n=v, alpha="1/2"), lambda v: CountDesign(n=1, alpha="1/2", name=v)]
    for make in makers:
        try:
            make(value)
        except Exception:
            with refused():
                make(value)
