"""Tables in K keys: as private as asked, exactly, and no worse than what is known to be reached."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection.keys import keyed_table
from dpdesigner.core.inspection.profile import profile
from dpdesigner.core.inspection.reading import Reader
from dpdesigner.errors import InputError


@pytest.mark.parametrize(
    ("n", "alpha", "keys", "percent", "least"),
    [
        (5, "1/2", 256, 1.605, 0.58),
        (5, "1/2", 4096, 0.145, 0),
        (5, "1/2", 65536, 0.0095, 0),
        (10, "1/2", 256, 5.65, 3.3),
        (10, "1/2", 4096, 0.385, 0),
        (10, "9/10", 256, 0.845, 0),
        (10, "9/10", 65536, 0.115, 0),
        (20, "1/2", 65536, 0.105, 0),
    ],
)
def test_the_loss_above_the_optimum(n, alpha, keys, percent, least):
    made = keyed_table(PrivacyLevel.from_alpha(alpha), Prior("uniform", n), Loss("absolute"), keys)
    above = 100 * (made.value / made.optimum - 1)
    assert least <= above <= percent
    read = Reader(made.table, Prior("uniform", n), Loss("absolute"))
    assert float(read.best_loss) == pytest.approx(made.value, rel=1e-12)
    assert profile(made.table).exp_epsilon <= 1 / F(alpha)


@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 7),
    st.fractions("1/10", "19/20", max_denominator=20),
    st.integers(12, 300),
    st.sampled_from(["uniform", "binomial:1/3"]),
)
def test_any_table_in_keys_is_private(n, alpha, keys, prior):
    made = keyed_table(PrivacyLevel.from_alpha(alpha), Prior(prior, n), Loss("squared"), keys)
    assert all(sum(row) == keys for row in made.rows)
    for first, second in pairwise(made.rows):
        assert all(a >= alpha * b and b >= alpha * a for a, b in zip(first, second, strict=True))


def test_an_irrational_epsilon_is_kept():
    made = keyed_table(PrivacyLevel.from_epsilon(1), Prior("uniform", 6), Loss("absolute"), 256)
    assert float(profile(made.table).exp_epsilon) <= 2.718281828459045


def test_few_keys_are_refused():
    with pytest.raises(InputError, match="the number of keys must be between 2 and 1\u202f000\u202f000, got 1"):
        keyed_table(PrivacyLevel.from_epsilon(1), Prior("uniform", 6), Loss("absolute"), 1)
