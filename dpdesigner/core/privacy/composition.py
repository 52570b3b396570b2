"""Several private answers about the same rows: their epsilons add up, and a budget is split among them.

Basic composition: answers that are epsilon_1-, ..., epsilon_k-private are together (epsilon_1 + ... + epsilon_k)-private, and
Laplace noise attains the sum ([Notes]): at outputs beyond all true answers every ratio is at its bound at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from dpdesigner.core.numbers.parsing import Number, cut, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError

_FINE = 10**15


def budget_of(privacy: PrivacyLevel) -> Fraction:
    """Return the epsilon of a level as a fraction that can be shared out.

    An irrational one is rounded down in the fifteenth digit after the point: never less private than asked. It must be finite.
    """
    epsilon = privacy.exact_epsilon
    if epsilon is None:
        lower = math.nextafter(math.nextafter(privacy.epsilon, 0), 0)
        epsilon = Fraction(math.floor(Fraction(lower) * _FINE), _FINE)
    return epsilon


def together(epsilons: Iterable[float]) -> float:
    """Return the epsilon that several answers about the same rows have together, rounded up: the sum of theirs."""
    return math.nextafter(math.fsum(epsilons), math.inf)


def split_budget(epsilon: Number, weights: Sequence[Number]) -> tuple[Fraction, ...]:
    """Return each answer's epsilon, in proportion to its weight; they sum to the budget exactly.

    Parameters
    ----------
    epsilon : Number
        The budget, positive.
    weights : sequence of Number
        One positive weight for each answer; equal weights split evenly.

    Raises
    ------
    InputError
        If one of them cannot be used.
    """
    budget = exact(epsilon, "epsilon")
    shares = [exact(weight, "weights") for weight in weights]
    if budget <= 0:
        raise InputError(f"the budget must be positive, got {cut(epsilon)}.", "epsilon")
    if not shares or min(shares) <= 0:
        raise InputError("the budget must be split by positive weights, at least one.", "weights")
    total = sum(shares, Fraction(0))
    return tuple(budget * share / total for share in shares)
