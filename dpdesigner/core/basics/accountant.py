"""The total privacy loss of several releases about the same people: exact, rounded up, and split among answers.

Basic composition: mechanisms that are (ε_i, δ_i)-private are together (Σ ε_i, Σ δ_i)-private. If k mechanisms are ε-private each,
of any kind and chosen in any order, randomised response is the worst case (P. Kairouz, S. Oh, P. Viswanath, 2015), so they are
together (ln t, δ)-private if and only if

    δ >= Σ_l C(k, l) (α^l - t α^(k-l))_+ / (1 + α)^k,   α = e^-ε;

that is what `together_at` solves for t. With δ_0 each, 1 - (1 - δ) / (1 - δ_0)^k takes the place of δ.

Several private answers about the same rows: their epsilons add up, and a budget is split among them.

Basic composition: answers that are epsilon_1-, ..., epsilon_k-private are together (epsilon_1 + ... + epsilon_k)-private, and
Laplace noise attains the sum ([Notes]): at outputs beyond all true answers every ratio is at its bound at once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, cut, exact
from dpdesigner.core.basics.rounding import Quotient, double_above
from dpdesigner.errors import InputError

_FINE = 10**15


def budget_of(privacy: PrivacyLevel) -> Fraction:
    """Return the epsilon of a level as a fraction that can be divided.

    An irrational one is rounded down in the fifteenth digit after the point: never less private than asked. It must be finite.
    """
    epsilon = privacy.exact_epsilon
    if epsilon is None:
        lower = math.nextafter(math.nextafter(privacy.epsilon, 0), 0)
        epsilon = Fraction(math.floor(Fraction(lower) * _FINE), _FINE)
    return epsilon


def together(epsilons: Iterable[float]) -> float:
    """Return the total epsilon of several answers about the same rows, rounded up: the sum of their epsilons."""
    return math.nextafter(math.fsum(epsilons), math.inf)


def split_budget(epsilon: Number, weights: Sequence[Number]) -> tuple[Fraction, ...]:
    """Return each answer's epsilon, in proportion to its weight; the sum is exactly the budget.

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


#: How neighbouring databases differ, where that matters; replacing a person means that one leaves and one joins.
Adjacency = Literal["", "replace", "add-remove"]

_BITS = 64  # bits of an alpha that is not a short fraction; rounding it down only adds to epsilon
_MOST = 1000


@dataclass(frozen=True)
class Spent:
    """The privacy loss of one release: its level and delta, and the adjacency for which it holds; the empty text means any."""

    level: PrivacyLevel
    delta: Fraction = Fraction(0)
    adjacency: Adjacency = ""


#: Privacy spent by a release with no finite epsilon.
UNBOUNDED = Spent(PrivacyLevel("epsilon", "inf"))


@dataclass(frozen=True)
class Total:
    """The total privacy loss of several releases.

    Attributes
    ----------
    epsilon : float
        Rounded up.
    delta : Fraction
        The delta at which it holds.
    releases : int
    composed : int
        How many equal releases were composed exactly, because that is tighter than the sum; 0 for the sum of all.
    doubled : int
        How many releases count twice, because they hold for a person who joins or leaves and others for one who is replaced.
    made : int
        How many are not planned, but were made.
    """

    epsilon: float
    delta: Fraction
    releases: int
    composed: int = 0
    doubled: int = 0
    made: int = 0


def total(spent: Sequence[Spent], delta: Fraction | None = None) -> Total:
    """Return the total privacy loss of releases.

    Parameters
    ----------
    spent : sequence of Spent
    delta : Fraction, optional
        The delta that is allowed; by default the sum of theirs.

    Raises
    ------
    InputError
        If delta is below the sum of theirs, or is given for too many releases.
    """
    if len(spent) > _MOST and delta is not None:
        raise InputError(f"a total must be of at most {_MOST} releases, got {len(spent)}.", "designs")
    one_way = [*spent]
    doubled = 0
    if {"replace", "add-remove"} <= {each.adjacency for each in spent}:
        one_way = [_of_two(each) if each.adjacency == "add-remove" else each for each in spent]
        doubled = sum(each.adjacency == "add-remove" for each in spent)
    least = sum((each.delta for each in one_way), Fraction(0))
    allowed = least if delta is None else delta
    if not least <= allowed < 1:
        wanted = "below 1" if allowed >= 1 else f"at least {float(least):.6g}, the sum of the designs’ own,"
        raise InputError(f"delta must be {wanted} got {float(allowed):.6g}.".replace("1 got", "1, got"), "delta")
    if any(each.level.exact_alpha == 0 for each in one_way):
        return Total(math.inf, allowed, len(spent), 0, doubled)
    kinds = Counter((each.level.exact_alpha, each.level.exact_epsilon, each.delta) for each in one_way)
    basic, best = _sum([each.level for each in one_way]), (0, math.inf)
    for key, count in kinds.items():
        if count > 1 and allowed > least:
            others = list(one_way)
            own = [each for each in one_way if (each.level.exact_alpha, each.level.exact_epsilon, each.delta) == key]
            for each in own:
                others.remove(each)
            # The others keep the delta that they need; the rest of it goes to the equal ones.
            share = allowed - sum((each.delta for each in others), Fraction(0))
            own_total = together_at(own[0].level, count, share, own[0].delta)
            together = double_above(Fraction(own_total) + Fraction(_sum([each.level for each in others])))
            best = min(best, (count, together), key=lambda found: found[1])
    if best[1] < basic:
        return Total(best[1], allowed, len(spent), best[0], doubled)
    return Total(basic, allowed, len(spent), 0, doubled)


def together_at(level: PrivacyLevel, count: int, delta: Fraction, each: Fraction = Fraction(0)) -> float:
    """Return the least joint epsilon of `count` mechanisms of one level at delta, rounded up.

    Parameters
    ----------
    level : PrivacyLevel
    count : int
    delta : Fraction
        At least ``1 - (1 - each)^count``.
    each : Fraction
        The delta of each.
    """
    left = 1 - (1 - delta) / (1 - each) ** count
    if left < 0:
        return math.inf
    alpha = _short(level.alpha_below)
    if alpha == 1:
        return 0.0
    if left == 0:
        return _sum([level] * count)
    p, q = alpha.numerator, alpha.denominator
    gone, scale = left.numerator * (p + q) ** count, left.denominator
    above = below = 0
    chosen, small, large = 1, q**count, p**count  # C(k, l), and p^l q^(k-l) and its mirror image
    low, high = small, large  # t >= low / high: the term with l = many is 0
    for many in range(count + 1):
        above, below = above + chosen * small, below + chosen * large
        low, high = low // (q * q) if 2 * many + 2 <= count else 1, high // (p * p) if 2 * many + 2 <= count else 1
        # δ(t) (p + q)^k = above - t below, as long as the terms with l <= many, and no others, are positive
        root, unit = above * scale - gone, below * scale
        if 2 * many + 2 >= count or root * high >= low * unit:
            return Quotient.of(Fraction(root, unit)).logarithm_above if root > unit else 0.0
        chosen = chosen * (count - many) // (many + 1)
        small, large = small * p // q, large * q // p
    raise AssertionError("all terms are positive at the latest where t is 1")


def _sum(levels: Sequence[PrivacyLevel]) -> float:
    """Return the sum of the epsilons, rounded up: fractions are added, and ratios e^epsilon multiplied."""
    exactly, ratio = Fraction(0), Fraction(1)
    for (alpha, epsilon), count in Counter((level.exact_alpha, level.exact_epsilon) for level in levels).items():
        if epsilon is not None:
            exactly += count * epsilon
        elif alpha:
            ratio /= alpha**count
        else:
            return math.inf
    return double_above(exactly if ratio == 1 else exactly + Fraction(Quotient.of(ratio).logarithm_above))


def _short(alpha: Fraction) -> Fraction:
    """Return an alpha with few digits that is at most this one."""
    if alpha.denominator.bit_length() <= _BITS or not alpha:
        return alpha
    shift = _BITS + alpha.denominator.bit_length() - alpha.numerator.bit_length()
    return Fraction((alpha.numerator << shift) // alpha.denominator, 1 << shift)


def times(level: PrivacyLevel, factor: Fraction) -> PrivacyLevel:
    """Return the level with this multiple of epsilon; if that is irrational and no power of alpha, at least as much."""
    alpha, epsilon = level.exact_alpha, level.exact_epsilon
    if alpha is not None and factor.denominator == 1:
        return PrivacyLevel.from_alpha(alpha**factor.numerator)
    return PrivacyLevel.from_epsilon((Fraction(level.epsilon_above) if epsilon is None else epsilon) * factor)


def _of_two(spent: Spent) -> Spent:
    """The privacy loss between databases that differ by one person who joins and one who leaves: twice epsilon."""
    if spent.level.exact_alpha == 0:
        return UNBOUNDED
    return Spent(times(spent.level, Fraction(2)), spent.delta * (1 + 1 / spent.level.alpha_below), "replace")
