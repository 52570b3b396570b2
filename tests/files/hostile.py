"""What hostile files hold: numbers, values and texts that programs stumble over. Used by tests that try them in every place."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

NUMBERS = [
    "1e-99999",
    "1e99999",
    "ln 1e99999",
    "ln 1e3999",
    "1e-3999",
    "1e-4001",
    "1/1e-3999",
    "9" * 999,
    "0." + "3" * 900,
    "1/" + "7" * 900,
    "nan",
    "-inf",
    "Infinity",
    "inf",
    "½",
    "٣",
    "1_0",
    "0x1p-1",
    "100%%",
    "99  /  100",
    "99⁄100",
    "1/0",
    "-0",
    "--1",
    " ",
    "",
    "ln",
    "ln0",
    "\u202e1",
    "1\x00",
    "1\ud800",
    "−1",
    "1e",
    "%",
    "5",
    "1/2",
    "0.5",
    "1",
]

VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    5,
    10**30,
    -(10**400),
    10**4200,
    0.5,
    1e-320,
    1e308,
    -0.0,
    [],
    {},
    [[]],
    [None],
    [True],
    [1, 2],
    [[1, 2], [3, 4]],
    [[0, 1], [1]],
    {"a": 1},
    "x" * 5000,
    *NUMBERS,
]

TEXTS = [
    "uniform",
    "binomial:1/3",
    "binomial:" + "1" * 900,
    "quantiles:5%=1,95%=3",
    "two-peak:0,1e-99",
    "absolute",
    "power:1e-99999",
    "power:1/3",
    "distance:0,1e-99999,1e99",
    "distance:" + ",".join("1" * 400),
    "expression:9**9**9**9",
    "expression:" + "(" * 3000,
    "expression:i//0",
    "expression:(i-r)**(1/0)",
    "expression:1e999",
    "expression:" + "-" * 900 + "1",
    "threshold:1e400",
    "pinball:\u202e",
    "0..10",
    "0..1e9 by 1e-9",
    "0, 1e-99999",
    "1e3999..1e3999",
    "example:../../etc/passwd",
    "/dev/zero",
    "replace",
    "all",
    "optimal",
    "count",
    "noise",
    "histogram",
    "table",
    "choice",
    "next",
    "real",
    "integer",
    "squared",
    "points:0:0,1:1",
    "a\nb",
    "dice 🎲",
]

FIRST = {
    "count": {"kind": "count", "name": "", "n": 3, "alpha": "1/2", "prior": [1, 2, 3, 4], "loss": "absolute"},
    "matrix": {"kind": "count", "n": 1, "epsilon": "ln 2", "prior": "uniform", "loss": [[0, 1], ["1/2", 0]]},
    "real": {
        "kind": "noise",
        "query": "real",
        "epsilon": 1,
        "sensitivity": 1,
        "cost": "absolute",
        "gamma": "optimal",
        "dimension": 1,
        "delta": "1e-5",
        "weights": [1, 2],
        "name": "",
    },
    "integer": {"kind": "noise", "query": "integer", "alpha": "1/2", "sensitivity": 3, "cost": "squared"},
    "histogram": {
        "kind": "histogram",
        "cells": "0..2",
        "neighbours": "add-remove",
        "epsilon": 1,
        "cost": "absolute",
        "path": "a.csv",
        "column": "b",
        "counts": [1, 2, 3],
    },
    "choice": {
        "kind": "choice",
        "utilities": [3, "1/2", 0],
        "names": ["a", "b", "c"],
        "neighbours": "changes",
        "sensitivity": 1,
        "alpha": "1/2",
        "rule": "staircase",
        "gamma": "1/3",
    },
    "choice of a table": {
        "kind": "choice",
        "utilities": [[0, 1], ["1/2", 0]],
        "neighbours": [[0, 1]],
        "sensitivity": 1,
        "alpha": "1/2",
        "rule": "exponential",
    },
}

values = st.one_of(
    st.sampled_from([*VALUES, *TEXTS]),
    st.text(max_size=2000),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=12,
    ),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where in a JSON value something can be put instead."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return a JSON value with another one in some place."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(copy[path[0]], path[1:], new)
    return copy


@st.composite
def projects(draw: st.DrawFn) -> str:
    """The text of a project with one to three things in it that do not belong there."""
    study: Any = FIRST[draw(st.sampled_from(sorted(FIRST)))]
    data: Any = {"format": "dpdesigner", "version": 1, "studies": [study], "scenes": [{"design": 0, "view": {}, "title": "t"}]}
    for _ in range(draw(st.integers(1, 3))):
        found = draw(st.sampled_from(places(data)))
        if draw(st.integers(0, 9)) == 0 and isinstance(draw_from(data, found), dict):
            found, data = (*found, "more"), changed(data, found, {**draw_from(data, found), "more": 0})
        data = changed(data, found, draw(values))
    return json.dumps(data, ensure_ascii=draw(st.booleans()))


def draw_from(value: Any, path: tuple[Any, ...]) -> Any:
    """Return what is in some place of a JSON value."""
    for key in path:
        value = value[key]
    return value


cells = st.one_of(
    st.sampled_from(
        [*NUMBERS, "true\\released", "data\\output", "0", "1", "0.25", "25%", "3.1e-434", "1e-49999", "-1e-9", "#", '"', "a"]
    ),
    st.fractions(0, 1, max_denominator=12).map(str),
    st.decimals(0, 1, places=3).map(str),
    st.text(max_size=6),
)


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    """The bytes of a table, or of something like one."""
    width = draw(st.integers(1, 5))
    rows = draw(st.lists(st.one_of(st.lists(cells, min_size=width, max_size=width), st.lists(cells, max_size=6)), max_size=6))
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(
        draw(st.sampled_from([",", "\t", ";", " "])).join(row) for row in rows
    )
    data = text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])), "surrogatepass")
    return data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 7)) == 0 else data
