"""No exported table has an exact epsilon above the one that was requested: random designs of every kind, read as fractions.

A kind is in `TABLES`, or says in tests/every_kind.py why no table has a mechanism's probabilities.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from every_kind import SAID

import dpdesigner as dp
from dpdesigner.data.office_tables import read_noise_table
from dpdesigner.errors import InputError, ProofError
from dpdesigner.files.export import export_of
from dpdesigner.notebook.tables import keyed_count, office_text

EXAMPLES = sorted((Path(__file__).parents[2] / "resources" / "examples").glob("*.dpd"))
Rows = list[list[Fraction]]
#: What one design has written: its privacy, its tables, and the pairs of rows that are neighbours.
Written = tuple[dict[str, Any], list[Rows], list[tuple[int, int]]]


def exp_bounds(epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Fractions just below and just above e^epsilon, to 90 digits."""
    low, high = Context(prec=90, rounding=ROUND_FLOOR), Context(prec=90, rounding=ROUND_CEILING)
    numerator, denominator = Decimal(epsilon.numerator), Decimal(epsilon.denominator)
    below = low.exp(low.divide(numerator, denominator)).next_minus(low)
    return Fraction(below), Fraction(high.exp(high.divide(numerator, denominator)).next_plus(high))


def largest_ratio(privacy: dict[str, Any]) -> Fraction:
    """A fraction that is at most e^epsilon, or equal to it where it is rational."""
    if "alpha" in privacy:
        return 1 / Fraction(privacy["alpha"])
    given = str(privacy["epsilon"])
    return Fraction(given[3:]) if given.startswith("ln ") else exp_bounds(Fraction(given))[0]


def level(dice: random.Random) -> dict[str, str]:
    """An epsilon from 1e-6 to 30: decimals of every length, fractions, logarithms, and alpha itself."""
    turn = dice.randrange(6)
    if turn == 0:
        return {"epsilon": f"ln {Fraction(dice.randint(101, 5000), 100)}"}
    if turn == 1:
        return {"epsilon": str(Fraction(dice.randint(1, 300), dice.randint(10, 400)))}
    epsilon = 10 ** dice.uniform(-6, 1.477)
    return {"epsilon": repr(epsilon) if turn < 4 else f"{epsilon:.3g}"}


def read(text: str, comma: str = ",") -> Rows:
    """The entries of a table with a line and a column of labels."""
    _, *rows = csv.reader(io.StringIO(text), delimiter=comma)
    return [list(map(Fraction, row[1:])) for row in rows]


LOSSES = (
    "absolute",
    "squared",
    "zero-one",
    "power:3",
    "pinball:1/5",
    "expression:(i-r)%2",  # outside Theorem A, by the linear program
    "expression:(i+2*r)%5-2",
    "expression:-abs(i-r)",
)


def counts(dice: random.Random, turn: int) -> Iterator[Written]:
    privacy, n = level(dice), dice.randint(1, 9)
    prior = [dice.choice((0, 1, 1, 5, "1/3", 1e-9)) for _ in range(n)] + [1]
    design = dp.CountDesign(n, **privacy, prior=prior, loss=LOSSES[turn % len(LOSSES)])
    made = export_of(design)
    texts = {file.name.rpartition(".")[2]: file.text for file in made.files("t", ["csv", "tsv", "json"])}
    tables = [read(texts["csv"]), read(texts["tsv"], "\t")]
    tables.append([list(map(Fraction, row[1:])) for row in json.loads(texts["json"])["tables"]["mechanism"][1:]])
    if design.privacy.exact_alpha is not None and turn % len(LOSSES) < 5:
        tables += [read(file.text) for file in made.files("t", ["csv"], fractions=True) if file.name.endswith("csv")]
    yield privacy, tables, list(itertools.pairwise(range(n + 1)))


RULES = (
    "permute-and-flip",
    "exponential",
    "noisy-max-exponential",
    "noisy-max-laplace",
    "staircase",
    "exponential-blr",
    "exponential-cacm",
    "exponential-notes",
)


def choices(dice: random.Random, turn: int) -> Iterator[Written]:
    privacy, rows = level(dice), dice.randint(2, 4)
    table = [[dice.randint(0, 40) / dice.choice((1, 1, 4)) for _ in range(dice.choice((2, 2, 3)))]]
    table += [[value + dice.choice((-2, -1, 0, 1, 2)) for value in table[0]] for _ in range(rows - 1)]
    neighbours = dice.choice(("all", "next"))
    pairs = list(itertools.combinations(range(rows), 2) if neighbours == "all" else itertools.pairwise(range(rows)))
    step = max([1, *(abs(a - b) for i, j in pairs for a, b in zip(table[i], table[j], strict=True))])
    design = dp.ChoiceDesign(table, neighbours=neighbours, sensitivity=step, rule=RULES[turn % len(RULES)], **privacy)
    made = export_of(design)
    try:
        files = [file for file in made.files("t", ["csv", "tsv"]) if not made.check(["csv"])]
    except ProofError as error:
        assert "withheld" in str(error)  # rather than above
        return
    tables = [read(file.text, "\t" if file.name.endswith("tsv") else ",") for file in files]
    if any("above-epsilon" in file.name for file in files):  # which is what such a rule has: it is said, with the number
        assert design.rule in ("exponential-cacm", "exponential-notes")
        for file in files:
            assert file.data["proved"] is False and "NOT private at the requested epsilon" in file.statement
            yield {"epsilon": repr(file.data["epsilon"])}, tables, pairs
        return
    yield privacy, tables, pairs


def keyed(dice: random.Random, turn: int) -> Iterator[Written]:
    """The tables that Inspect makes private: in keys, in the formats of statistics offices."""
    privacy, n = level(dice), dice.randint(1, 6)
    try:
        made = keyed_count(n, **privacy, loss=LOSSES[turn % 5], keys=dice.choice((16, 256, 1000)))
    except InputError as error:
        assert "keys" in str(error)
        return
    tables: list[Rows] = [[[Fraction(count, made.keys) for count in row] for row in made.rows]]
    try:
        for form in ("tau-argus", "sas"):
            tables.append([list(map(Fraction, row)) for row in read_noise_table(office_text(made, form), "t", n).rows])
    except InputError as error:
        assert "digits" in str(error)
    yield privacy, tables, list(itertools.pairwise(range(n + 1)))


def audiences(dice: random.Random, turn: int) -> Iterator[Written]:
    """The release, and the table that each reader gets by a remap."""
    privacy, n = level(dice), dice.randint(1, 6)
    readers: list[dict[str, Any]] = []
    for place in range(2):
        prior = [*(dice.choice((0, 1, 5, "1/3")) for _ in range(n)), 1]
        readers.append({"name": f"r{place}", "prior": prior, "loss": LOSSES[(turn + place) % len(LOSSES)]})
    readers.append({"name": "cautious", "minimax": "all", "loss": LOSSES[turn % 2]})
    made = export_of(dp.AudienceDesign(readers=readers, n=n, **privacy))
    exact = made.outcome.level.exact_alpha is not None
    files = [*made.files("t", ["csv"]), *(made.files("t", ["csv"], fractions=True) if exact else ())]
    tables = [read(file.text) for file in files if file.name.endswith(".csv") and ".remap." not in file.name]
    yield privacy, tables, list(itertools.pairwise(range(n + 1)))


TABLES: dict[str, Callable[[random.Random, int], Iterator[Written]]] = {
    "count": counts,
    "choice": choices,
    "inspect": keyed,
    "audience": audiences,
}


def excess(rows: Rows, pairs: Sequence[tuple[int, int]], limit: Fraction) -> list[str]:
    """What is wrong with a table: a row that is no distribution, or neighbours whose ratio is above the limit."""
    wrong = [f"row {i}" for i, row in enumerate(rows) if sum(row) != 1 or min(row) < 0]
    for i, j in pairs:
        for a, b in zip(rows[i], rows[j], strict=True):
            if max(a, b) > min(a, b) * limit:
                wrong.append(f"rows {i} and {j}")
    return wrong


def test_an_excess_of_a_last_digit_is_seen() -> None:
    below, above = exp_bounds(Fraction(1))
    assert 0 < above - below < Fraction(1, 10**80)
    row = [1 / (1 + below), below / (1 + below)]
    assert excess([row, row[::-1]], [(0, 1)], below) == []
    assert excess([row, row[::-1]], [(0, 1)], below * (1 - Fraction(1, 10**70))) == ["rows 0 and 1"] * 2
    assert excess([[Fraction(1, 2), Fraction(499, 1000)]], [], below) == ["row 0"]


@pytest.mark.parametrize("kind", TABLES)
def test_no_table_is_above_the_epsilon_requested(kind: str) -> None:
    dice, checked = random.Random(f"{kind} 24"), 0
    for turn in range(32):  # every loss and every rule four times
        for privacy, tables, pairs in TABLES[kind](dice, turn):
            for rows in tables:
                assert excess(rows, pairs, largest_ratio(privacy)) == [], (turn, privacy)
                checked += 1
    assert checked >= (50 if kind != "inspect" else 15)


@pytest.mark.parametrize("kind", [kind for kind, said in SAID.items() if said.no_table])
def test_tables_of_no_mechanism_claim_no_privacy(kind: str) -> None:
    """Their files come without a statement; of the kind's shipped examples, the first is enough."""
    studies = (study for path in EXAMPLES for study in dp.read(path) if study.kind == kind)
    for study in itertools.islice(studies, 1):
        if kind == "attack":  # whose curves are of many attacks
            study = study.replace(n=60, queries=120, column="", answers="")
        for file in export_of(study).files("t", ["csv"]):
            assert "epsilon is at most" not in file.statement and "proved" not in file.statement
            assert "epsilon" not in file.data
