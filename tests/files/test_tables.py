"""Whatever is written is private on its very text: read again and checked in rational arithmetic, design after design."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.data.mechanism_tables import parse_table
from dpdesigner.errors import InputError, ProofError
from dpdesigner.files.tables import decimal_table, fraction_table, printed_table, read_latex

#: The first design of a run imports libraries, and machines may be busy.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

levels = st.one_of(
    st.floats(1e-14, 60).map(PrivacyLevel.from_epsilon),
    st.sampled_from(["1e-12", "1e-30", "1e-90", "ln 2", "745", "inf", "0"]).map(PrivacyLevel.from_epsilon),
    st.fractions(0, 1, max_denominator=1000).map(PrivacyLevel.from_alpha),
)


@st.composite
def mechanisms(draw, privacy=levels):
    n = draw(st.integers(0, 9))
    remap = sorted(draw(st.lists(st.integers(0, n), min_size=n + 1, max_size=n + 1)))
    return RemappedGeometric(draw(privacy), n, tuple(remap))


def assert_private(rows, level):
    """By the definition, in fractions."""
    exact = [[Fraction(entry) for entry in row] for row in rows]
    assert all(sum(row) == 1 and min(row) >= 0 for row in exact)
    alpha = level.alpha_above
    for upper, lower in pairwise(exact):
        assert all(alpha * a <= b and alpha * b <= a for a, b in zip(upper, lower, strict=True))


def lines(text, separator=","):
    return [line.split(separator) for line in text.splitlines()]


@patient
@given(mechanisms())
def test_decimals_are_private_on_their_text(mechanism):
    table = decimal_table(mechanism)
    written = lines(table.csv)
    assert written[0] == ["true\\released", *map(str, range(mechanism.n + 1))]
    assert [row[0] for row in written[1:]] == [str(i) for i in range(mechanism.n + 1)]
    assert_private([[Decimal(cell) for cell in row[1:]] for row in written[1:]], mechanism.privacy)
    assert table.epsilon <= mechanism.privacy.epsilon_above
    assert table.alpha >= mechanism.privacy.alpha_above


@patient
@given(mechanisms())
def test_decimals_are_the_mechanism_to_fifteen_digits(mechanism):
    entries = [[float(text) for text in row] for row in decimal_table(mechanism).texts]
    expected = [list(map(float, row)) for row in mechanism.exact_rows(mechanism.privacy.alpha_above)]
    for row, truth in zip(entries, expected, strict=True):
        assert row == pytest.approx(truth, rel=1e-13 * (1 + mechanism.n), abs=1e-300)


@patient
@given(mechanisms(st.fractions(0, 1, max_denominator=60).map(PrivacyLevel.from_alpha)))
def test_fractions_have_no_slack(mechanism):
    table = fraction_table(mechanism)
    assert table.rows == list(mechanism.exact_rows(mechanism.privacy.exact_alpha))
    assert table.alpha == mechanism.privacy.exact_alpha
    assert parse_table(table.csv) == table.rows
    assert_private(table.rows, mechanism.privacy)


@patient
@given(mechanisms())
def test_every_format_holds_the_same_proved_numbers(mechanism):
    table = decimal_table(mechanism)
    assert parse_table(table.tsv) == read_latex(table.latex) == table.rows
    assert "\t" in table.tsv
    printed = printed_table(mechanism)
    assert_private(read_latex(printed.latex), mechanism.privacy)


def test_the_paper_prints_figure_2_in_fractions():
    figure_2 = RemappedGeometric(PrivacyLevel.from_alpha("1/2"), 5, (0, 2, 2, 3, 4, 5))
    latex = printed_table(figure_2).latex
    assert r"0 & $\frac{2}{3}$ & 0 & $\frac{1}{4}$ & $\frac{1}{24}$ & $\frac{1}{48}$ & $\frac{1}{48}$ \\" in latex
    assert printed_table(RemappedGeometric(PrivacyLevel.from_epsilon(1), 5, (0, 2, 2, 3, 4, 5))).latex.count("frac") == 0


def test_numbers_below_the_range_of_doubles_are_written():
    table = decimal_table(RemappedGeometric(PrivacyLevel.from_epsilon(40), 30, tuple(range(31))))
    assert table.texts[0][30].endswith("e-522")
    assert table.verification.satisfies(PrivacyLevel.from_epsilon(40))
    assert math.isclose(table.epsilon, 40, rel_tol=1e-15)


def test_few_digits_cost_privacy_slack_and_nothing_else():
    mechanism = RemappedGeometric(PrivacyLevel.from_epsilon(1), 12, tuple(range(13)))
    table = decimal_table(mechanism, digits=6)
    plain = [text for i, row in enumerate(table.texts) for r, text in enumerate(row) if i != r]
    assert max(len(Decimal(text).normalize().as_tuple().digits) for text in plain) == 6
    assert 0.999 < table.epsilon < 1


class Boasting(RemappedGeometric):
    """A mechanism that says it is more private than it is."""

    def decimal_rows(self, alpha, precision):
        return RemappedGeometric(PrivacyLevel.from_alpha("1/4"), self.n, self.remap).decimal_rows(Fraction(1, 4), precision)

    def exact_rows(self, alpha):
        return ([2 * entry for entry in row] for row in super().exact_rows(alpha))


def test_a_table_that_fails_its_proof_is_withheld():
    boasting: Mechanism = Boasting(PrivacyLevel.from_alpha("1/2"), 2, (0, 1, 2))
    with pytest.raises(ProofError, match=r"withheld: its text has epsilon = 1\.38.* above the requested 0\.69"):
        decimal_table(boasting)
    with pytest.raises(ProofError, match="withheld: its text is not a mechanism: 3 rows do not sum to exactly 1"):
        fraction_table(boasting)


def test_what_cannot_be_written():
    with pytest.raises(InputError, match="fractions need a rational alpha"):
        fraction_table(RemappedGeometric(PrivacyLevel.from_epsilon(1), 1, (0, 1)))
    with pytest.raises(InputError, match="n of at most 2000, got 3000"):
        decimal_table(RemappedGeometric(PrivacyLevel.from_epsilon(1), 3000, (0,) * 3001))
    with pytest.raises(InputError, match="more than 4 000 digits"):
        fraction_table(RemappedGeometric(PrivacyLevel.from_alpha(Fraction(1, 10**100)), 50, tuple(range(51))))
    with pytest.raises(InputError, match="got none"):
        read_latex("no table")
