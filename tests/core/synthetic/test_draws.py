"""Exact draws: their laws, and that the bits that are left over decide what sixty-four do not."""

from decimal import Decimal
from fractions import Fraction
from math import exp

import numpy as np
import pytest

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.synthetic import draws
from dpdesigner.core.synthetic.draws import Source, for_study, geometric_counts, geometric_noise, weighted_choice
from dpdesigner.errors import InputError

LEVEL = PrivacyLevel.from_epsilon("1/2")


def given(*words: int) -> Source:
    """Words one after the other, then zeros; small integers are 0."""
    waiting = list(words)
    return Source(
        lambda count: np.array([waiting.pop(0) if waiting else 0 for _ in range(count)], dtype=np.uint64), lambda bound: 0
    )


@pytest.mark.parametrize("source", [draws.SYSTEM, for_study(5)])
def test_the_noise_has_its_law(source):
    size = 200_000
    found = geometric_noise(LEVEL, size, source)
    a = exp(-0.5)
    for z in range(-4, 5):
        chance = (1 - a) / (1 + a) * a ** abs(z)
        assert abs(np.mean(found == z) - chance) < 5 * np.sqrt(chance * (1 - chance) / size)


def test_a_word_decides_between_two_thresholds():
    threshold = int(Fraction(Decimal("-0.5").exp()) * 2**64)  # alpha between this and the next
    assert geometric_counts(LEVEL, 4, given(2**64 - 1, threshold + 1, threshold - 1, 2**63)).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(("rest", "count"), [(0, 1), (2**64 - 1, 0)])
def test_more_bits_decide_where_a_word_does_not(rest, count):
    threshold = int(Fraction(Decimal("-0.5").exp()) * 2**64)
    source = given(threshold)
    asked = []

    def below(bound):
        asked.append(bound)
        return min(rest, bound - 1)

    assert geometric_counts(LEVEL, 1, Source(source.words, below)).tolist() == [count]
    assert asked


def test_little_privacy_and_none():
    assert abs(geometric_counts(PrivacyLevel.from_epsilon("1e-6"), 20_000, for_study(1)).mean() - 1e6) < 5 * 1e6 / np.sqrt(20_000)
    assert geometric_counts(PrivacyLevel.from_epsilon("inf"), 3).tolist() == [0, 0, 0]
    with pytest.raises(InputError, match="positive"):
        geometric_noise(PrivacyLevel.from_epsilon(0), 3)


def test_a_seed_gives_the_same_and_moves_little_with_epsilon():
    one, same, near = (geometric_noise(PrivacyLevel.from_epsilon(e), 1000, for_study(3)) for e in ("0.5", "0.5", "0.501"))
    assert (one == same).all() and np.mean(one != near) < 0.02


def test_choices_have_exponential_weights():
    losses = [3, 0, 1, 1]
    level = PrivacyLevel.from_alpha("1/2")
    weights = 0.5 ** np.array(losses)
    source = for_study(2)
    found = np.bincount([weighted_choice(losses, level, source) for _ in range(5000)], minlength=4) / 5000
    chance = weights / weights.sum()
    assert (abs(found - chance) <= 5 * np.sqrt(chance * (1 - chance) / 5000)).all()


@pytest.mark.parametrize("level", [PrivacyLevel.from_alpha("1/2"), PrivacyLevel.from_epsilon("7/10")])
def test_a_choice_is_decided_with_as_many_digits_as_it_takes(level):
    """The end of the first weight of two: between words just below and just above it, more digits decide."""
    alpha = Fraction(1, 2) if level.exact_alpha else Fraction(Decimal("-0.7").exp())
    end = int(2**64 / (1 + alpha))
    assert weighted_choice([0, 1], level, given(end - 1)) == 0
    assert weighted_choice([0, 1], level, given(end + 1)) == 1
    assert weighted_choice([0, 1], level, given(end, 0)) == 0
    assert weighted_choice([0, 1], level, given(end, 2**64 - 1)) == 1
