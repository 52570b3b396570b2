"""The text of a choice from a table of utilities: every row of it is checked, however large the table is."""

from __future__ import annotations

import math

import pytest

from dpdesigner.errors import ProofError
from dpdesigner.files.tables import choice_table as module
from dpdesigner.files.tables.choice_table import choice_table
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.outcome import ChoiceOutcome

OPTIONS, ROWS = 1000, 252  # more than 250 000 entries


def outcome(rows: int, options: int) -> ChoiceOutcome:
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


def test_the_privacy_of_the_text_is_that_of_its_pairs():
    answer = outcome(3, 2)
    found = choice_table(answer)
    assert found.epsilon == pytest.approx(answer.findings["epsilon-here"].value, rel=1e-9) and found.epsilon <= 1
    assert all(math.isclose(sum(map(float, row)), 1) for row in found.texts)
