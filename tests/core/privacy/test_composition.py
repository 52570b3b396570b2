"""Several answers, one budget."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.privacy.composition import split_budget, together
from dpdesigner.errors import InputError


@given(epsilon=st.fractions(min_value="1/1000", max_value=50), weights=st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=9))
def test_the_parts_sum_to_the_budget_exactly(epsilon: Fraction, weights: list[float]) -> None:
    parts = split_budget(epsilon, weights)
    assert sum(parts) == epsilon
    assert min(parts) > 0


def test_even_and_weighted() -> None:
    assert split_budget("1", [1, 1, 1]) == (Fraction(1, 3),) * 3
    assert split_budget("0.3", ["1/2", 1]) == (Fraction(1, 10), Fraction(1, 5))


def test_laplace_attains_the_sum() -> None:
    """k answers that all differ by their sensitivity: beyond them every log ratio is epsilon."""
    k, epsilon = 4, 0.3
    noise = Laplace(epsilon)
    assert sum(float(noise.log_ratio(5.0, -1.0)) for _ in range(k)) == pytest.approx(k * epsilon)


@given(st.lists(st.floats(1e-6, 700), min_size=1, max_size=50))
def test_answers_together_are_never_said_to_be_more_private_than_they_are(epsilons: list[float]) -> None:
    exact = sum(map(Fraction, epsilons))
    assert exact < Fraction(together(epsilons)) <= exact * (1 + Fraction(1, 10**15))


@pytest.mark.parametrize(("epsilon", "weights"), [(0, [1]), (-1, [1]), (1, []), (1, [1, 0]), (1, [1, -1]), ("x", [1])])
def test_bad_input(epsilon: object, weights: list[int]) -> None:
    with pytest.raises(InputError):
        split_budget(epsilon, weights)  # type: ignore[arg-type]
