"""Samplers meet their probabilities exactly: every path that the entropy can take is followed, with its exact weight."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics import sampling
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.sampling import Below
from dpdesigner.core.mechanism.geometric import RemappedGeometric


class _MoreNeeded(Exception):
    """The script is too short: the sampler asked for a number below this one."""

    def __init__(self, size: int) -> None:
        self.size = size


def _bounds(sample: Callable[[Below], object], most: int) -> tuple[dict[object, Fraction], Fraction]:
    """The probability of each outcome over all scripts of at most `most` numbers, and the probability of longer ones."""
    found: dict[object, Fraction] = {}
    unfinished, paths = Fraction(0), [((), Fraction(1))]
    while paths:
        script, weight = paths.pop()
        numbers = iter(script)

        def below(size: int, numbers: object = numbers) -> int:
            for number in numbers:  # type: ignore[attr-defined]
                return int(number)
            raise _MoreNeeded(size)

        try:
            outcome = sample(below)
        except _MoreNeeded as needed:
            if len(script) == most:
                unfinished += weight
            else:
                paths += [((*script, number), weight / needed.size) for number in range(needed.size)]
        else:
            found[outcome] = found.get(outcome, Fraction(0)) + weight
    return found, unfinished


@given(st.fractions(0, 1, max_denominator=40))
def test_bernoulli(probability: Fraction) -> None:
    found, unfinished = _bounds(lambda below: sampling.bernoulli(probability, below), 1)
    assert found.get(True, 0) == probability and unfinished == 0


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 2), Fraction(2, 3), Fraction(1)])
def test_bernoulli_exponential(x: Fraction) -> None:
    found, unfinished = _bounds(lambda below: sampling.bernoulli_exponential(x, below), 6)
    assert found.get(True, 0) <= Fraction(math.exp(-x)) * (1 + Fraction(1, 10**15))
    assert float(found.get(True, 0) + unfinished) >= math.exp(-x) * (1 - 1e-15)
    assert unfinished <= x**5 / 120


def test_bernoulli_exponential_beyond_1() -> None:
    """exp(-5/2) as exp(-1) exp(-1) exp(-1/2)."""
    found, unfinished = _bounds(lambda below: sampling.bernoulli_exponential(Fraction(5, 2), below), 8)
    assert found[True] <= Fraction(math.exp(-2.5)) <= found[True] + unfinished
    assert unfinished < Fraction(1, 20)


@pytest.mark.parametrize("alpha", ["0", "1/3", "1/2", "1"])
@pytest.mark.parametrize("limit", [0, 1, 3])
def test_geometric_noise(alpha: str, limit: int) -> None:
    """P(Z = z) = (1 - alpha) / (1 + alpha) alpha^|z| inside the limit, and what is beyond it at the limit."""
    level, a = PrivacyLevel.from_alpha(alpha), Fraction(alpha)
    found, unfinished = _bounds(lambda below: sampling.geometric_noise(level, limit, below), 10)
    assert sum(found.values()) + unfinished == 1
    for z in range(-limit, limit + 1):
        whole = a**limit / (1 + a) if abs(z) == limit else (1 - a) / (1 + a) * a ** abs(z)
        whole = Fraction(1) if limit == 0 else whole
        assert found.get(z, 0) <= whole <= found.get(z, 0) + unfinished
    assert unfinished <= Fraction(1, 32) and set(found) <= set(range(-limit, limit + 1))


@given(st.lists(st.fractions(0, 5, max_denominator=12), min_size=1, max_size=6).filter(any))
@settings(deadline=None)
def test_weights(weights: list[Fraction]) -> None:
    found, unfinished = _bounds(lambda below: sampling.from_weights(weights, below), 1) if _small(weights) else ({}, Fraction(0))
    assert unfinished == 0
    for index, probability in found.items():
        assert isinstance(index, int) and probability == weights[index] / sum(weights)
    assert not found or set(found) == {index for index, weight in enumerate(weights) if weight}


def _small(weights: list[Fraction]) -> bool:
    """Whether there are few enough paths to follow them all."""
    return math.lcm(*(weight.denominator for weight in weights)) * sum(weights) < 3000


@pytest.mark.parametrize(
    "level", [PrivacyLevel.from_alpha("1/2"), PrivacyLevel.from_epsilon("0.7"), PrivacyLevel.from_epsilon("3")]
)
def test_releases_follow_the_matrix(level: PrivacyLevel) -> None:
    """Chi-square on the counts of many releases, with a fixed stand-in for the entropy, within five standard deviations."""
    mechanism, below, draws = RemappedGeometric(level, 6, (0, 0, 2, 3, 3, 5, 6)), random.Random(1).randrange, 4000
    for i in range(7):
        counts = Counter(mechanism.remap[min(max(i + sampling.geometric_noise(level, 6, below), 0), 6)] for _ in range(draws))
        expected = {r: draws * float(mechanism.matrix[i, r]) for r in range(7) if mechanism.matrix[i, r] > 0}
        assert set(counts) <= set(expected)
        statistic = sum((counts[r] - mean) ** 2 / mean for r, mean in expected.items())
        freedom = len(expected) - 1
        assert statistic < freedom + 5 * math.sqrt(2 * freedom)


def test_negative_and_positive_noise_are_alike() -> None:
    found, _ = _bounds(lambda below: sampling.geometric_noise(PrivacyLevel.from_epsilon("ln 3"), 2, below), 6)
    assert found[1] == found[-1] and found[2] == found[-2]


@given(st.fractions(Fraction(1, 10**6), 1 - Fraction(1, 10**6)), st.integers(1, 60), st.integers(-2, 2), st.integers(0, 2**32))
@settings(deadline=None, max_examples=50)
def test_long_runs_are_met_exactly(alpha: Fraction, k: int, beside: int, seed: int) -> None:
    """The run is k or longer just where U <= alpha^k, for every U with the bits drawn: where these leave it open, more are drawn.

    Most scripts are within 2^-127 of such a bound.
    """
    first, later, bits = math.floor(alpha**k * 2**128) + beside, random.Random(seed), []

    def below(size: int) -> int:
        bits.append(later.randrange(size) if bits else min(max(first, 0), size - 1))
        return int(bits[-1])

    run = sampling.geometric_run(PrivacyLevel.from_alpha(alpha), 80, below)
    drawn, unit = Fraction(0), Fraction(1)
    for value in bits:
        unit /= 2**128
        drawn += value * unit
    assert drawn + unit <= alpha**run
    assert run == 80 or drawn >= alpha ** (run + 1)


@pytest.mark.parametrize(("form", "number", "mean"), [("epsilon", "0.001", 999.5), ("alpha", "0.99", 99.0)])
def test_long_runs_have_the_right_mean(form: Literal["alpha", "epsilon"], number: str, mean: float) -> None:
    level, below, draws = PrivacyLevel(form, number), random.Random(5).randrange, 2000
    found = [sampling.geometric_run(level, 10**6, below) for _ in range(draws)]
    assert sum(found) / draws == pytest.approx(mean, rel=5 / math.sqrt(draws))
    assert max(sampling.geometric_run(level, 50, below) for _ in range(200)) == 50
