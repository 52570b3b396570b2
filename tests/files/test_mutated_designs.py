"""A design of every kind with anything in any place: solved, or refused in one sentence with status 2, and nothing written.

    python tests/files/test_mutated_designs.py 5000 SEED

tries that many and prints what failed.
"""

from __future__ import annotations

import copy
import io
import json
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import dpdesigner as dp
from dpdesigner.cli import main
from dpdesigner.errors import InputError

EXAMPLES = sorted((Path(__file__).parents[2] / "resources" / "examples").glob("*.dpd"))
#: What makes the shipped examples small enough to be solved hundreds of times.
SMALLER: dict[str, dict[str, Any]] = {
    "count": {"n": 4, "prior": "uniform"},
    "attack": {"n": 24, "queries": 30, "column": "", "answers": ""},
    "synthetic": {"bits": 4},
    "rectangle": {"bits": 2},
    "net": {"counts": [3, 5, 2], "size": 2, "names": ""},
    "halfspace": {"rows": 200, "directions": 4, "projections": 3},
    "inspect": {"table": [["2/3", "1/3"], ["1/3", "2/3"]]},
}
#: Seconds after which a heavy design is left alone.
LIMIT = 4.0

VALUES: list[Any] = [
    *(float("nan"), float("inf"), float("-inf"), 1e308, -1e308, 5e-324, -1, 0, 1, 2, 0.5, -0.0, 10**30, -(10**30), 2**63, 1e16),
    *("1,5", "1.484,00", "1 204", "1 204", "1.204", "12,50", "0,5", "1'204", "½", "٣", "−1", "1e", "%", "ln", "ln 2"),
    *(
        "",
        " ",
        "\u202e1",
        "a\u202eb",
        "1\x00",
        "\x00",
        "a\x00.csv",
        "1\ud800",
        "x" * 4000,
        "9" * 3000,
        "../" * 1000,
        "\n",
        "a\nb",
    ),
    *(
        "nan",
        "inf",
        "-inf",
        "1/0",
        "0/1",
        "1/3",
        "example:nothing.csv",
        "file:",
        "file: \x00",
        "file: /nowhere",
        "/dev/null",
        ".",
    ),
    *(
        None,
        True,
        False,
        [],
        {},
        [[]],
        [[[]]],
        [None],
        {"": None},
        [1, "2"],
        ["1,5"],
        [[1, 2], [3]],
        [float("nan")],
        {"a": {"b": []}},
    ),
    *("uniform", "absolute", "expression:1/0", "expression:9**9**9", "expression:i", "binomial:1,5", "=1+1", "@SUM(A1)"),
]


def designs() -> dict[str, dict[str, Any]]:
    """A small design of every kind, as in a project file of today."""
    found: dict[str, dict[str, Any]] = {}
    for path in EXAMPLES:
        for study in dp.read(path):
            found.setdefault(study.kind, {**study.to_json(), **SMALLER.get(study.kind, {})})
    return found


def places(value: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*where, key)
        yield from places(inner, (*where, key))


def mutated(study: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """The same with one to three places changed, removed or added; the kind stays, mostly."""
    changed = copy.deepcopy(study)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        known = [place for place in places(changed) if place != ("kind",) or dice.random() < 0.02]
        *path, last = dice.choice(known)
        inner: Any = changed
        for key in path:
            inner = inner[key]
        turn = dice.randrange(12)
        if turn == 0:
            del inner[last]
        elif turn == 1 and isinstance(inner, dict):
            inner[dice.choice(("", "epsilon", "alpha", "x\u202e", "seed", "path"))] = copy.deepcopy(dice.choice(VALUES))
        else:
            inner[last] = copy.deepcopy(dice.choice(VALUES))
    return changed


class _Slow(Exception):
    pass


@contextmanager
def within(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _Slow

    former = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def faults(study: dict[str, Any], folder: Path, limit: float = LIMIT) -> list[str]:
    """What goes wrong when a design is read, solved and exported; heavy ones are left after so many seconds."""
    path, wrong = folder / "it.dpd", []
    path.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
    out = folder / "out"
    for words in (("solve", str(path)), ("export", str(path), "--to", str(out), "--formats", "csv")):
        stdout, stderr = io.StringIO(), io.StringIO()
        try:
            with within(limit), redirect_stdout(stdout), redirect_stderr(stderr):
                status = main(list(words))
        except _Slow:
            return wrong
        except BaseException as error:  # a traceback
            return [*wrong, f"{words[0]}: {type(error).__name__}: {str(error)[:200]}"]
        told = stderr.getvalue()
        if status == 2:
            sentences = [line for line in told.split("\n") if line and not line.startswith("dpdesigner: the measured error")]
            if len(sentences) != 1 or len(sentences[0]) > 600 or not sentences[0].endswith((".", "?")):
                wrong.append(f"{words[0]}: not one sentence: {told[:300]!r}")
            if set(told) & set("\u202e\x00"):
                wrong.append(f"{words[0]}: a control character in {told[:300]!r}")
            if out.exists() and any(out.iterdir()):
                wrong.append(f"{words[0]}: refused, yet something is written")
        elif status not in (0, 1) or "Traceback" in told:
            wrong.append(f"{words[0]}: status {status}: {told[:300]!r}")
    try:
        dp.read(path)
    except InputError:
        pass
    except Exception as error:
        wrong.append(f"read: {type(error).__name__}: {str(error)[:200]}")
    return wrong


def attempts(number: int, seed: str, kinds: list[str]) -> Iterator[tuple[dict[str, Any], list[str]]]:
    base, dice = designs(), random.Random(seed)
    for turn in range(number):
        study = mutated(base[kinds[turn % len(kinds)]], dice)
        with tempfile.TemporaryDirectory() as folder:
            if found := faults(study, Path(folder)):
                yield study, found


@pytest.mark.parametrize("kind", sorted(designs()))
def test_an_example_as_it_is_has_no_fault(kind: str, tmp_path: Path) -> None:
    assert faults(designs()[kind], tmp_path, limit=120) == []
    assert list((tmp_path / "out").iterdir()) != []


@pytest.mark.parametrize("kind", sorted(designs()))
def test_anything_in_any_place_is_solved_or_refused_in_one_sentence(kind: str) -> None:
    assert list(attempts(15, f"{kind} 24", [kind])) == []


#: What once ended in a traceback, found by 5 000 mutations.
FOUND: list[tuple[str, dict[str, Any]]] = [
    ("auction", {"bids": False}),
    ("auction", {"bids": -0.0, "path": ["1,5"]}),
    ("rectangle", {"low": 0, "high": 5e-324}),
    ("synthetic", {"low": 0, "high": 5e-324, "outside": "clamp"}),
]


@pytest.mark.parametrize(("kind", "changes"), FOUND, ids=str)
def test_what_once_failed(kind: str, changes: dict[str, Any], tmp_path: Path) -> None:
    assert faults({**designs()[kind], **changes}, tmp_path) == []


if __name__ == "__main__":
    began = time.monotonic()
    for study, found in attempts(int(sys.argv[1]), sys.argv[2], sorted(designs())):
        print(json.dumps(study)[:700], *found, sep="\n   ", flush=True)
    print(f"{time.monotonic() - began:.0f} s")
