"""Tables in keys against the program that applies them: the statistics office's own `cell_key_perturbation`."""

from __future__ import annotations

import io
from collections import Counter
from fractions import Fraction as F

import pytest

import dpdesigner as dp
from dpdesigner.data.office_tables import read_noise_table

pd = pytest.importorskip("pandas")
applied = pytest.importorskip("cell_key_perturbation.create_perturbed_table")

KEYS = 256


def released(ptable: object, counts: range) -> dict[int, Counter[int]]:
    """How often each count is released as what by the office's program, over all cell keys."""
    rows = [
        (f"{count} {key}", (key if person == 0 else 0))
        for count in counts
        for key in range(KEYS)
        for person in range(count)  # the record keys of a cell sum to its key
    ]
    data = pd.DataFrame(rows, columns=["cell", "record_key"])
    table = applied.create_perturbed_table(data, ptable, [], ["cell"], "record_key", threshold=0)
    found: dict[int, Counter[int]] = {count: Counter() for count in counts}
    for cell, value in zip(table["cell"], table["count"], strict=True):
        found[int(cell.split()[0])][int(value)] += 1
    return found


def test_a_private_table_is_applied_as_it_is_inspected() -> None:
    made = dp.keyed_count(6, epsilon="ln 3", keys=KEYS)
    text = dp.office_text(made, "keys")
    ptable = pd.read_csv(io.StringIO(text))
    table = read_noise_table(text, "it", 6)
    for count, values in released(ptable, range(1, 7)).items():
        ours = {label: share for label, share in zip(table.labels, table.rows[count], strict=True) if share}
        assert {value: F(times, KEYS) for value, times in values.items()} == {label: F(share) for label, share in ours.items()}
        assert all(made.rows[count][value] == times for value, times in values.items())


def test_the_rule_of_ten_and_five_is_read_as_it_is_applied() -> None:
    from cell_key_perturbation.utils.generate_test_ptable import generate_ptable_10_5_rule

    ptable = generate_ptable_10_5_rule(max_pcv=30)
    table = read_noise_table(ptable.to_csv(index=False), "it", 20)
    for count, values in released(ptable, range(1, 21)).items():
        ours = {label: share for label, share in zip(table.labels, table.rows[count], strict=True) if share}
        assert {value: F(times, KEYS) for value, times in values.items()} == {label: F(share) for label, share in ours.items()}
    assert dp.inspect(ptable.to_csv(index=False), n=20).findings["exp_epsilon"].value == float("inf")
