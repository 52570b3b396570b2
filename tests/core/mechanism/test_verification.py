"""Verification against a slow oracle in rational arithmetic, and on the tables that other tools get wrong."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import Quotient
from dpdesigner.core.mechanism.verification import Place, verify_table
from dpdesigner.errors import InputError

#: The first design of a run imports libraries, and machines may be busy.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

HALF = PrivacyLevel.from_alpha("1/2")


def geometric(n: int, alpha: Fraction) -> list[list[Fraction]]:
    ends, inner = 1 / (1 + alpha), (1 - alpha) / (1 + alpha)
    return [[alpha ** abs(i - j) * (ends if j in (0, n) else inner) for j in range(n + 1)] for i in range(n + 1)]


def oracle(rows: list[list[Fraction]]) -> tuple[Fraction | None, list[Place]]:
    """The largest ratio, and where it is infinite, by the definition."""
    infinite = [
        Place(i, r)
        for i in range(len(rows) - 1)
        for r in range(len(rows[0]))
        if min(rows[i][r], rows[i + 1][r]) <= 0 and not rows[i][r] == rows[i + 1][r] == 0
    ]
    pairs = [(rows[i][r], rows[i + 1][r]) for i in range(len(rows) - 1) for r in range(len(rows[0]))]
    ratios = [max(a, b) / min(a, b) for a, b in pairs if min(a, b) > 0]
    return (None if infinite else max(ratios, default=Fraction(1))), infinite


decimals = st.one_of(
    st.decimals(min_value=0, max_value=1, places=3),
    st.builds(Decimal, st.sampled_from(["0", "1e-3", "3.1e-434", "1e-433", "0.5", "-0.25", "-0.0"])),
)
fractions = st.fractions(min_value=0, max_value=2, max_denominator=50)


def tables(entries):
    shapes = st.tuples(st.integers(1, 4), st.integers(1, 4))
    return shapes.flatmap(lambda s: st.lists(st.lists(entries, min_size=s[1], max_size=s[1]), min_size=s[0], max_size=s[0]))


@patient
@given(st.one_of(tables(decimals), tables(fractions), tables(st.one_of(decimals, fractions))))
def test_agrees_with_the_definition(rows):
    exact = [[Fraction(entry) for entry in row] for row in rows]
    found = verify_table(rows)
    ratio, infinite = oracle(exact)
    assert found.ratio == ratio
    assert found.n_infinite == len(infinite)
    assert list(found.infinite) == infinite[:5]
    assert found.wrong_sums == tuple((i, sum(row)) for i, row in enumerate(exact) if sum(row) != 1)
    assert found.negative == tuple((i, r) for i, row in enumerate(exact) for r, entry in enumerate(row) if entry < 0)
    if ratio is not None and found.worst is not None:
        a, b = exact[found.worst.row][found.worst.column], exact[found.worst.row + 1][found.worst.column]
        assert max(a, b) / min(a, b) == ratio


@patient
@given(st.fractions(min_value=1, max_value=10**9), st.integers(0, 200))
def test_logarithm_is_never_below_the_truth_and_next_to_it(ratio, shrink):
    ratio = 1 + (ratio - 1) / Fraction(10) ** shrink
    precise = Context(prec=400)
    truth = precise.ln(precise.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)))
    found = Quotient.of(ratio).logarithm_above
    assert Decimal(found) >= truth
    assert found == 0 or Decimal(math.nextafter(found, 0)) <= truth


@patient
@given(st.integers(1, 6), st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(999, 1000), max_denominator=1000))
def test_geometric_mechanism_is_exactly_as_private_as_it_says(n, alpha):
    found = verify_table(geometric(n, alpha))
    level = PrivacyLevel.from_alpha(alpha)
    assert found.stochastic
    assert found.satisfies(level)
    assert found.ratio == 1 / alpha
    assert not found.satisfies(PrivacyLevel.from_alpha(alpha + Fraction(1, 10**12)))
    assert level.epsilon * (1 - 1e-15) <= found.epsilon <= level.epsilon_above * (1 + 1e-15)


def test_irrational_alpha_is_compared_with_its_bounds():
    level = PrivacyLevel.from_epsilon(1)
    inside, outside = level.alpha_above, level.alpha_below * (1 - Fraction(1, 10**60))
    rows = [[1 / (1 + alpha), alpha / (1 + alpha)] for alpha in (inside, outside)]
    assert verify_table([rows[0], rows[0][::-1]]).satisfies(level)
    assert not verify_table([rows[1], rows[1][::-1]]).satisfies(level)


def test_between_the_bounds_of_an_irrational_alpha_nothing_is_taken_for_private():
    """Where it cannot be told whether a ratio is within e^epsilon, the answer is no."""
    level = PrivacyLevel.from_epsilon(1)
    assert level.alpha_below < level.alpha_above
    for alpha in (level.alpha_below, (level.alpha_below + level.alpha_above) / 2):
        row = [1 / (1 + alpha), alpha / (1 + alpha)]
        found = verify_table([row, row[::-1]])
        assert found.ratio == 1 / alpha and not found.private(level) and not found.satisfies(level)


def test_infinite_epsilon_is_named_by_its_cells():
    found = verify_table([[Decimal("0.5"), Decimal("0.5")], [Decimal(0), Decimal(1)]])
    assert found.epsilon == math.inf
    assert found.ratio is None
    assert found.worst == Place(0, 0)
    assert not found.satisfies(PrivacyLevel.from_epsilon(1000))
    assert found.satisfies(PrivacyLevel.from_alpha(0))
    assert "rows 0 and 1, column 0" in found.sentences[0]


def test_the_first_wrong_sum_is_named():
    found = verify_table([[Fraction(1), Fraction(0)], [Fraction(3, 4), Fraction(1, 2)], [Fraction(1, 2), Fraction(0)]])
    assert found.sentences[0] == "2 rows do not sum to exactly 1; the first is row 1, more than 1 by 0.25."


def test_a_zero_facing_zeros_is_private():
    found = verify_table([[Fraction(1, 3), Fraction(0), Fraction(2, 3)], [Fraction(2, 3), Fraction(0), Fraction(1, 3)]])
    assert found.satisfies(HALF)
    assert found.sentences == ()
    assert found.worst == Place(0, 0)


def test_entries_far_below_the_range_of_doubles():
    tiny, twice = Decimal("3.1e-434"), Decimal("6.2e-434")
    found = verify_table([[1 - Decimal("0.5"), tiny], [Decimal("0.5"), twice]])
    assert found.ratio == 2
    assert found.wrong_sums[0][0] == 0
    assert "less than 1 by 0.500" in found.sentences[0]
    context = Context(prec=500)
    found = verify_table([[context.subtract(Decimal(1), tiny), tiny], [context.subtract(Decimal(1), twice), twice]])
    assert found.satisfies(HALF)
    assert str(Quotient(tiny).rounded(3)).lower() == "3.1e-434"
    assert str(Quotient.of(Fraction(2, 3)).rounded(3)) == "0.667"


def test_doubles_stand_for_themselves():
    assert verify_table([[0.5, 0.5], [0.25, 0.75]]).satisfies(HALF)
    assert verify_table(np.array([[0.1, 0.7, 0.2]]).tolist()).wrong_sums[0][1] == 1 - Fraction(1, 2**55)
    found = verify_table([[1.0, -1e-17]])
    assert found.negative == ((0, 1),)
    assert not found.stochastic


def test_more_outputs_than_results_and_fewer():
    third = Fraction(1, 3)
    assert verify_table([[third, third, third]]).epsilon == 0
    assert verify_table([[1]] * 4).satisfies(PrivacyLevel.from_alpha(1))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "at least one row"),
        ([[]], "at least one row"),
        ([[1, 0], [1]], "2 entries like the first, got 1 in row 1"),
        ([[1, math.nan]], "got NaN in row 0, column 1"),
        ([[1], [math.inf]], "got Infinity in row 1, column 0"),
        ([[Decimal("1e-999999")]], "row 0, column 0"),
        ([["0.5"]], "got 0.5 in row 0, column 0"),
    ],
)
def test_bad_tables_get_one_sentence(rows, words):
    with pytest.raises(InputError, match=words):
        verify_table(rows)


@pytest.mark.parametrize(
    ("rows", "stochastic", "satisfies"),
    [
        ([["0.5", "0.5"], ["0.5", "0.5"]], True, True),
        ([["0.5", "0.4"], ["0.5", "0.4"]], False, False),  # no entry is negative, but no row sums to 1
        ([["1.5", "-0.5"], ["1.5", "-0.5"]], False, False),  # every row sums to 1, but an entry is negative
        ([["0.5", "0.5"], ["0.5", "0.6"]], False, False),
        ([["1", "-1"], ["1", "-1"]], False, False),
        ([["0.9", "0.1"], ["0.1", "0.9"]], True, False),
    ],
)
def test_a_distribution_has_no_negative_entry_and_the_sum_1_both(rows, stochastic, satisfies):
    found = verify_table([list(map(Decimal, row)) for row in rows])
    assert found.stochastic is stochastic
    assert found.satisfies(HALF) is satisfies
    assert found.satisfies(None) is stochastic
