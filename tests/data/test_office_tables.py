"""Perturbation tables of statistics offices: what is read, what is refused in which sentence, what is written and read back."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction as F

import pytest

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection.keys import keyed_table
from dpdesigner.core.inspection.profile import profile
from dpdesigner.core.inspection.table import exact_table
from dpdesigner.data.office_tables import read_noise_table, written_intervals, written_keys
from dpdesigner.errors import InputError
from dpdesigner.resources import path as resource_path

PTABLE = resource_path("data", "ptable_D5V2.csv")


def keyed(n=5, keys=256):
    return keyed_table(PrivacyLevel.from_alpha("1/2"), Prior("uniform", n), Loss("absolute"), keys)


def ten_five(largest=750, keys=256):
    """The rule by which counts below 10 become 0 and all others are rounded to 5, as lines of a keyed table."""
    lines = ['"pcv","ckey","pvalue"']
    for count in range(1, largest + 1):
        released = 0 if count < 10 else 5 * ((count + 2) // 5)
        lines += [f"{count},{key},{released - count}" for key in range(keys)]
    return "\n".join(lines)


def test_a_table_of_ptable():
    found = read_noise_table(PTABLE.read_text("utf-8"))
    assert (found.format, len(found.rows), found.labels, found.remarks) == ("tau-argus", 21, tuple(range(26)), ())
    assert found.rows[1][:7] == [F(x, 10**8) for x in (38893783, 38893782, 12209348, 5639414, 2604807, 1203143, 555723)]
    assert found.rows[20][15:26] == found.rows[5][0:11]
    assert not found.wrong_sums
    assert "46 lines, counts 0 to 5 (counts up to 20 use the noise of 5)" in found.words


def test_the_interval_decides_and_a_p_that_differs_is_named():
    text = PTABLE.read_text("utf-8").replace("1; 1;0.38893782", "1; 1;0.38893799")
    found = read_noise_table(text, n=5)
    assert found.rows[1][1] == F(38893782, 10**8)
    assert found.remarks == ("p of i = 1, j = 1 is 0.38893799, the difference of its p_int_ub is 0.38893782.",)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("1; 2;0.12209348; 1", "1; 2;0.12209348; 2", "line 5: v must be j - i = 1, got 2"),
        ("1; 2;0.1220", "1; 1;0.1220", "line 5: v must be j - i = 0, got 1"),
        ("0.89996913", "0.09996913", "line 5: p_int_ub must not fall"),
        ("0.89996913", "1.89996913", "line 5: p_int_ub must be at most 1"),
        ("0.12209348", "-0.12209348", "line 5: p must not be negative"),
        ("0.12209348", "much", "line 5: p must be a number like 0.2, 1/3 or 20%, got 'much'"),
        ("1; 2;0.12209348; 1;0.89996913", "1; 2;0.12209348; 1", "line 5 must have 5 cells like the header, got 4"),
        ("i;j;p;v;p_int_ub", "i;j;p;v;p_int_ub;type", "must be a table for counts, got one for magnitudes"),
        ("i;j;p;v;p_int_ub", "i;j;v;p;p_int_ub", "must have one of the headers i,j,p,v,p_int_ub"),
        (
            "2; 0;0.15714389;-2;0.15714389",
            "4; 0;0.15714389;-4;0.15714389",
            "line 10: i must be 2 here, with none left out",
        ),
    ],
)
def test_wrong_lines_are_named(old, new, sentence):
    with pytest.raises(InputError) as refused:
        read_noise_table(PTABLE.read_text("utf-8").replace(old, new, 1), "ptable.csv")
    assert sentence in str(refused.value) and str(refused.value).startswith("ptable.csv")


def test_sums_below_one_are_found():
    text = PTABLE.read_text("utf-8").replace(
        "0.99444277\n1; 6;0.00555723; 5;1.00000000", "0.99444277\n1; 6;0.00555722; 5;0.99999999"
    )
    assert read_noise_table(text, n=3).wrong_sums == [(1, F(99999999, 10**8))]


def test_columns_below_zero_are_noise_if_the_largest_count_has_none_of_its_own():
    text = "true count,-1,0,+1\n0,0,1,0\n1,1/4,1/2,1/4\n2,0.25,0.5,0.25\n3,0,1,0\n"
    table = read_noise_table(text, header=True, labels=True)
    assert table.labels == (0, 1, 2, 3) and "columns: what is added to the count" in table.words
    assert table.rows == [[1, 0, 0, 0], [F(1, 4), F(1, 2), F(1, 4), 0], [0, F(1, 4), F(1, 2), F(1, 4)], [0, 0, 0, 1]]
    released = read_noise_table("n,-1,0,1,2\n0,.5,.5,0,0\n1,0,.5,.5,0\n", header=True, labels=True)
    assert released.labels == (-1, 0, 1, 2) and "added" not in released.words, "these can be releases"
    with pytest.raises(InputError, match="must not be negative"):
        read_noise_table(text.replace("1/4,1/2", "-1/4,1"), header=True, labels=True).check_entries()


def test_a_keyed_table_without_randomness():
    """Of the 749 steps from 1 to 750 people, 149 are seen and the others are not."""
    found = read_noise_table(ten_five(keys=4))
    table = exact_table(found.rows, found.labels)
    seen = profile(table)
    visible = [
        i for (i, k), each in zip(seen.pairs, seen.curves, strict=True) if k == i + 1 and i and each.curve.delta(F(1)) == 1
    ]
    assert (len(visible), visible[:3]) == (149, [9, 12, 17])
    assert {each.curve.delta(F(1)) for each in seen.curves} == {0, 1}


def test_counts_beyond_a_keyed_table_use_its_last_lines_again():
    found = read_noise_table(ten_five(keys=1), n=1100)
    assert found.rows[751].index(F(1)) + found.labels[0] == 751 + (500 - 501)
    assert found.rows[1001].index(F(1)) + found.labels[0] == 1001 + (500 - 501)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pcv,ckey,pvalue\n1,0,0\n1,2,0\n", "must have a line for every pcv and ckey, got none for pcv 1 and ckey 1"),
        ("pcv,ckey,pvalue\n1,0,0\n1,0,1\n", "line 3: there must be one line for pcv 1 and ckey 0, got two"),
        ("pcv,ckey,pvalue\n1,0,half\n", "line 2: pvalue must be a whole number, got 'half'"),
        ("pcv,ckey,pvalue\n0,0,1\n", "line 2: pcv must be at least 1"),
        ("pcv,ckey,pvalue\n", "must contain at least one line of numbers, got none"),
        ("pcv,ckey,pvalue\n9999999,0,1\n", "must have at most 4000000 counts times keys"),
        ("ckey,pcv,pvalue\n0,1,1\n", "must have one of the headers"),
    ],
)
def test_wrong_keyed_tables_are_refused(text, sentence):
    with pytest.raises(InputError, match=sentence):
        read_noise_table(text)


def test_a_table_for_categories():
    found = read_noise_table('"","yes","no"\n"yes",0.9,0.1\n"no",0.2,0.8\n')
    assert (found.format, found.names) == ("categories", ("yes", "no"))
    assert found.rows == [[Decimal("0.9"), Decimal("0.1")], [Decimal("0.2"), Decimal("0.8")]]


def test_labels_of_columns_are_what_is_released():
    found = read_noise_table("true\\released,2,5,9\n0,1/2,1/4,1/4\n1,1/4,1/4,1/2\n")
    assert found.labels == (2, 5, 9)
    with pytest.raises(InputError, match="must have a row for each count 0, 1, 2, …, got 3 in place of 1"):
        read_noise_table("true\\released,0,1\n0,1/2,1/2\n3,1/2,1/2\n")


@pytest.mark.parametrize(("sas", "keys"), [(False, 256), (True, 256), (False, 10_000)])
def test_a_table_in_keys_is_written_and_read_back(sas, keys):
    made = keyed(keys=keys)
    found = read_noise_table(written_intervals(made.rows, keys, sas), n=5)
    assert found.remarks == () and found.format == ("sas" if sas else "tau-argus")
    assert [[p * keys for p in row[:6]] for row in found.rows] == made.rows
    assert profile(exact_table(found.rows, found.labels)).exp_epsilon <= 2


def test_lines_for_keys_leave_a_count_of_0_at_0():
    made = keyed(keys=64)
    found = read_noise_table(written_keys(made.rows, 64))
    place = found.labels.index(0)
    assert found.rows[0][place] == 1
    assert [[p * 64 for p in row[place : place + 6]] for row in found.rows[1:]] == made.rows[1:]


def test_eight_digits_do_not_hold_every_number_of_keys():
    with pytest.raises(InputError, match="eight digits need a number of keys that divides 100 000 000"):
        written_intervals(keyed(keys=300).rows, 300)
