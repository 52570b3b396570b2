"""Exact draws of discrete staircase noise."""

import math
import random
from collections import Counter

import pytest
from scipy.stats import chisquare

from dpdesigner.core.noise.discrete_sampling import draw
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.privacy.sampling import geometric_count
from dpdesigner.errors import InputError


@pytest.mark.parametrize(
    ("level", "split", "sensitivity"),
    [(PrivacyLevel.from_alpha("1/2"), 1, 1), (PrivacyLevel.from_epsilon("0.7"), 2, 5), (PrivacyLevel.from_epsilon("ln 3"), 3, 3)],
)
def test_draws_follow_the_distribution(level: PrivacyLevel, split: int, sensitivity: int) -> None:
    below = random.Random(5).randrange
    draws = Counter(draw(level, split, sensitivity, below) for _ in range(20_000))
    noise = DiscreteStaircase(level.epsilon, split, sensitivity)
    places = range(-2 * sensitivity, 2 * sensitivity + 1)
    masses = noise.mass(list(places)) * 20_000
    counts = [draws[i] for i in places]
    rest = 20_000 - sum(counts)
    assert chisquare([*counts, rest], [*masses, 20_000 - masses.sum()]).pvalue > 1e-4


def test_geometric_counts_follow_the_distribution_for_small_epsilon() -> None:
    below = random.Random(6).randrange
    level = PrivacyLevel.from_epsilon("3/1000000")
    counts = [geometric_count(level, 1 << 200, below) for _ in range(4000)]
    mean = math.exp(-3e-6) / -math.expm1(-3e-6)
    assert sum(counts) / 4000 == pytest.approx(mean, rel=5 / math.sqrt(4000))
    assert min(counts) >= 0


def test_noise_of_an_alpha_next_to_1_takes_a_few_steps() -> None:
    generator, asked = random.Random(7), []

    def below(bound: int) -> int:
        asked.append(bound)
        return generator.randrange(bound)

    draws = [draw(PrivacyLevel.from_alpha("0.999999"), 1, 1, below) for _ in range(20)]
    assert max(map(abs, draws)) > 10**5 and len(asked) < 20 * 10


def test_probabilities_are_exact() -> None:
    """Walk through every path of the sources of randomness for a first accepted draw with alpha = 1/2, Delta = 2, r = 1."""
    level = PrivacyLevel.from_alpha("1/2")

    def scripted(*script: int) -> int:
        left = list(script)
        return draw(level, 1, 2, lambda bound: left.pop(0))

    # Position 0, no period, positive and negative; the negative zero is drawn again.
    assert scripted(0, 1, 0) == 0
    assert scripted(0, 1, 1, 0, 1, 0) == 0
    # Position 1 is kept with probability 1/2 (a draw below 1 of 2), one period follows, negative.
    assert scripted(1, 0, 0, 1, 1) == -3
    # Position 1 refused, then position 0 with two periods, positive.
    assert scripted(1, 1, 0, 0, 0, 1, 0) == 4


def test_the_ends_of_epsilon() -> None:
    assert draw(PrivacyLevel.from_epsilon("inf"), 1, 3) == 0
    assert abs(draw(PrivacyLevel.from_epsilon(700), 1, 3)) <= 3
    with pytest.raises(InputError, match="positive"):
        draw(PrivacyLevel.from_epsilon(0), 1, 3)
