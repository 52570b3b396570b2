"""The text of a choice from a table of utilities: every row of it is checked, however large the table is."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from dpdesigner.errors import InputError, ProofError
from dpdesigner.files import choice_export as module
from dpdesigner.files.choice_export import ChoiceExport, choice_table
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.snapshot import Found
from dpdesigner.studies.spending import RECORD

OPTIONS, ROWS = 1000, 252  # more than 250 000 entries


@cache
def outcome(rows: int, options: int) -> ChoiceAnswer:
    table = [[(row + option) % 2 for option in range(options)] for row in range(rows)]
    return ChoiceDesign(table, neighbours="next", sensitivity=1, epsilon=1).run()


@pytest.mark.parametrize("last", [("0.002",), ("0.000",), ("-0.001", "0.003")])
@pytest.mark.parametrize("place", [0, 100, ROWS - 1])
def test_of_a_large_table_no_row_is_left_unchecked(monkeypatch, place, last):
    rows = iter(range(ROWS))
    good, wrong = ["0.001"] * OPTIONS, ["0.001"] * (OPTIONS - len(last)) + list(last)
    monkeypatch.setattr(module, "_shortened", lambda logs: logs)
    monkeypatch.setattr(module, "entry_texts", lambda _: tuple(wrong if next(rows) == place else good))
    with pytest.raises(ProofError, match=f"not a mechanism: row {place} (has a negative entry|does not sum)"):
        choice_table(outcome(ROWS, OPTIONS))


TIGHT = [[8, 25], [6, 27], [8, 25], [8, 27]]
RULES = ("permute-and-flip", "exponential", "noisy-max-exponential", "noisy-max-laplace", "staircase", "exponential-blr")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("epsilon", ["1e-6", "1.7e-6", "1e-5", "1/3", "ln 2", "20"])
def test_no_text_is_less_private_than_was_asked(rule: str, epsilon: str) -> None:
    dice = random.Random(f"{rule} {epsilon}")
    for turn in range(2):
        table = TIGHT if not turn else [[dice.randint(0, 40) for _ in range(2)] for _ in range(4)]
        step = max(1, *(abs(a - b) for one in table for two in table for a, b in zip(one, two, strict=True)))
        design = ChoiceDesign(table, neighbours="all", sensitivity=step, epsilon=epsilon, rule=rule)
        try:
            texts = choice_table(design.run()).texts
        except ProofError as error:
            assert "above the" in str(error)
            continue
        with localcontext() as digits:
            digits.prec = 60
            limit = Decimal(2).ln() if epsilon == "ln 2" else None
            for one, two in itertools.permutations(texts, 2):
                for a, b in zip(map(Fraction, one), map(Fraction, two), strict=True):
                    ratio = a / b
                    logarithm = Decimal(ratio.numerator).ln() - Decimal(ratio.denominator).ln()
                    asked = limit if limit is not None else Decimal(Fraction(epsilon).numerator) / Fraction(epsilon).denominator
                    assert logarithm <= asked * (1 + Decimal("1e-50"))


@pytest.mark.parametrize("rule", ["exponential-cacm", "exponential-notes"])
@pytest.mark.parametrize("epsilon", ["1e-5", "1/3", "1", "8"])
def test_a_rule_that_guarantees_less_is_written_under_another_name_with_its_own_epsilon(tmp_path, rule, epsilon) -> None:
    """The formulas as printed are worth having, but no file of theirs may pass for one that is as private as was requested."""
    table = [[8, 25], [6, 27], [8, 25], [8, 27]]
    design = ChoiceDesign(table, neighbours="all", sensitivity=2, epsilon=epsilon, rule=rule, name="printed")
    answer, requested = design.run(), Fraction(epsilon)
    made = choice_table(answer)
    assert not made.as_requested and not answer.proved and answer.badge[1] == "open" and "not as requested" in answer.badge[0]
    with localcontext() as digits:
        digits.prec = 60
        ratios = [
            max(a, b) / min(a, b)
            for one, two in itertools.combinations(made.texts, 2)
            for a, b in zip(map(Fraction, one), map(Fraction, two), strict=True)
        ]
        truth = max(Decimal(ratio.numerator).ln() - Decimal(ratio.denominator).ln() for ratio in ratios)
        assert Decimal(made.epsilon) >= truth > Decimal(requested.numerator) / requested.denominator
        assert made.epsilon <= float(truth) * (1 + 1e-12) and made.epsilon <= answer.attained.epsilon_above
    taken = ChoiceExport(answer)
    files = taken.write(tmp_path, "printed", ["csv", "json"])
    assert [file.path.name for file in files] == ["printed-probabilities-above-epsilon.csv", "printed.json"]
    for file in files:
        assert repr(made.epsilon) in file.statement and "NOT private at the requested epsilon" in file.statement
        assert file.data == {"epsilon": made.epsilon, "proved": False}
    written = json.loads(files[1].path.read_text("utf-8"))
    assert written["proved"] is False and "NOT private" in written["details"]["remark"]
    assert list(written["tables"]) == ["probabilities-above-epsilon"]
    assert any("NOT private" in line for line in taken.proof())
    ChoiceExport.verify_again(design, files[0].path.name, files[0].path.read_text("utf-8"))
    with pytest.raises(ProofError, match="the requested privacy"):  # nor may it be renamed
        ChoiceExport.verify_again(design, "printed-probabilities.csv", files[0].path.read_text("utf-8"))


def test_a_text_above_what_its_rule_guarantees_is_withheld(monkeypatch) -> None:
    answer = ChoiceDesign(TIGHT, neighbours="all", sensitivity=2, epsilon=1, rule="permute-and-flip").run()
    monkeypatch.setattr(module, "_texts", lambda outcome, slack: (("0.9", "0.1"), ("0.1", "0.9")) * 2)
    with pytest.raises(ProofError, match=r"withheld: its text has epsilon = 2\.19\d+, above the 1\.0 of its rule"):
        choice_table(answer)
    taken = ChoiceExport(answer)
    for formats in (["csv"], ["json"], ["csv", "tex"]):
        with pytest.raises(ProofError, match="withheld"):
            taken.check(formats)
    taken.check(["py"])
    assert taken.tables == {} and any("withheld" in line for line in taken.proof())


def test_the_privacy_of_the_text_is_that_of_its_pairs():
    answer = outcome(3, 2)
    found = choice_table(answer)
    assert found.epsilon == pytest.approx(answer.findings["epsilon-here"].value, rel=1e-9) and found.epsilon <= 1
    assert all(math.isclose(sum(map(float, row)), 1) for row in found.texts)


@pytest.mark.parametrize("rule", ["exponential", "permute-and-flip"])
@pytest.mark.parametrize("neighbours", ["changes", "joins"])
def test_the_stated_lead_suffices_whatever_the_counts(tmp_path, rule: str, neighbours: Any) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("vote\n" + "a\n" * 9 + "b\n" * 7 + "c\nd\n", "utf-8")
    inputs: dict[str, Any] = {"neighbours": neighbours, "epsilon": "0.3", "rule": rule}
    taken = ChoiceExport(ChoiceDesign(path=str(path), column="vote", categories="a b c d".split(), **inputs).run())
    found = re.fullmatch(
        r"Whatever the counts, .* by at least (\d+) is announced at least 95 times in 100\.", dict(taken.stated())["Accuracy"]
    )
    assert found is not None
    lead = int(found[1])
    rest = [(0, 0, 0), (0, 3, 9), (0, 0, 40)]
    right = [ChoiceDesign([lead + 60, *(60 - less for less in each)], **inputs).run().rule.chance_of_best for each in rest]
    assert min(right) >= 0.95 and (rule != "exponential" or right[0] < 0.957)


def test_of_a_private_column_only_programs_are_written(tmp_path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("way\n" + "car\n" * 18 + "bus\n" * 15 + "walk\n", "utf-8")
    design = ChoiceDesign(path=str(path), column="way", categories=("car", "bus", "walk"), neighbours="changes", epsilon=1)
    taken = ChoiceExport(design.run())
    programs = ("py", "opendp", "r")
    assert set(taken.refused(["csv", "json", *programs, "png"])) == {"csv", "json", "png"}
    with pytest.raises(InputError, match="only programs"):
        taken.check(["csv", "py"])
    files = taken.write(tmp_path / "out", "way", programs)
    assert [file.path.name for file in files] == ["way.py", "test_way.py", "way_opendp.py", "test_way_opendp.py", "way.R"]
    for file in files:
        text = file.path.read_text("utf-8")
        assert "answers.csv" not in text and not re.search(r"\b18\b|\b15\b", text)


def test_a_report_of_a_private_column_has_what_was_released_and_what_all_releases_spend(tmp_path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("way\n" + "car\n" * 18 + "bus\n" * 15, "utf-8")
    design = ChoiceDesign(path=str(path), column="way", categories=("car", "bus"), neighbours="changes", epsilon="0.1")
    answer = design.run()
    RECORD.take(())
    for each in (design, design.replace(name="Copy"), design.replace(path="other.csv")):
        RECORD.add(each, each.release_loss)
    drawn = replace(answer.announce(0, 1), last=1)
    taken = ChoiceExport(answer, {"draw": Found(answer, drawn)})
    assert ("To publish", "Released: bus. 2 releases of these rows have ε = 0.2 together.") in taken.stated()
    assert "no list of 2 releases would be more than 1.222 times as likely" in dict(taken.stated())["Privacy"]
    assert dict(taken.facts(full=False))["ε of each release"].startswith("0.1 ")
    RECORD.take(())
    first = dict(ChoiceExport(answer).stated())
    assert "To publish" not in first and first["Options"] == "car, bus" and "“way”" in first["Question"]
    assert first["Privacy"].startswith(
        "If one person had given another answer, no option would be more than 1.106 times as likely"
    )
    assert first["Left out"] == "Counts and probabilities are left out: they are private."
    assert all("1-private" not in panel.title and panel.key != "constants" for panel in taken.panels())
