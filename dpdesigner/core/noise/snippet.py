"""A noise as a few lines of Python that draw its noise without this program."""

from __future__ import annotations

from dpdesigner.core.noise.best_noise import Noise
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError

_EXACT = '''"""Staircase noise for an integer query: epsilon = {epsilon}, sensitivity {sensitivity}, split {split}.

Exact: integers and the operating system's entropy only. Add draw() to the true answer, once.
"""

from fractions import Fraction
from secrets import randbelow

EPSILON, SENSITIVITY, SPLIT = Fraction("{fraction}"), {sensitivity}, {split}


def happens(x):
    """True with probability exactly exp(-x), for a Fraction x >= 0 (Canonne, Kamath and Steinke 2020)."""
    while x > 1:
        if not happens(Fraction(1)):
            return False
        x -= 1
    k = 1
    while randbelow((x / k).denominator) < (x / k).numerator:
        k += 1
    return k % 2 == 1


def periods():
    """k or more with probability exactly exp(-k EPSILON)."""
    p, q = EPSILON.numerator, EPSILON.denominator
    start = randbelow(q)
    while not happens(Fraction(start, q)):
        start = randbelow(q)
    runs = 0
    while happens(Fraction(1)):
        runs += 1
    return (q * runs + start) // p


def draw():
    while True:
        position = randbelow(SENSITIVITY)
        if position >= SPLIT and not happens(EPSILON):
            continue
        size = periods() * SENSITIVITY + position
        negative = randbelow(2)
        if size or not negative:
            return -size if negative else size


if __name__ == "__main__":
    print(*(draw() for _ in range(10)))
'''

_SIMULATED = '''"""Staircase noise for a real query: epsilon = {epsilon}, sensitivity {sensitivity}, gamma = {gamma}.

FOR SIMULATION ONLY: which floating-point numbers can come out depends on the true answer, and that alone can give it away. The
numbers come from Python's generator, seeded from the system's entropy. Round the query to whole multiples of a step and use
integer noise to protect real data.
"""

import math
import random

EPSILON, SENSITIVITY, GAMMA = {epsilon}, {sensitivity}, {gamma}


def simulate():
    b = math.exp(-EPSILON)
    sign = random.choice((-1, 1))
    period = math.floor(math.log(1 - random.random()) / -EPSILON)
    second = random.random() * (GAMMA + (1 - GAMMA) * b) >= GAMMA
    place = random.random()
    inside = GAMMA + (1 - GAMMA) * place if second else GAMMA * place
    return sign * (period + inside) * SENSITIVITY


if __name__ == "__main__":
    print(*(simulate() for _ in range(10)))
'''


def snippet(noise: Noise, privacy: PrivacyLevel) -> str:
    """Return a Python program with a function that returns noise: ``draw``, exact, or ``simulate``, for simulation only.

    Run as a program it prints ten of them.

    Raises
    ------
    InputError
        If the query is a vector, or an integer query's epsilon is irrational.
    """
    if isinstance(noise, DiscreteStaircase):
        epsilon = privacy.exact_epsilon
        if epsilon is None:
            raise InputError("give epsilon as a number to get a sampler; this one is irrational.", "epsilon")
        text = _EXACT.format(epsilon=privacy.epsilon, fraction=epsilon, sensitivity=noise.sensitivity, split=noise.split)
    elif isinstance(noise, Staircase):
        gamma = noise.gamma or 1.0
        text = _SIMULATED.format(epsilon=privacy.epsilon, sensitivity=noise.sensitivity, gamma=gamma)
    else:
        raise InputError("a sampler can be written only for single answers.", "dimension")
    return text
