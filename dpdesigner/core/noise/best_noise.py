"""The best noise for one answer or several: inputs checked, shares of a budget, the least epsilon for a target cost.

For whole numbers a gamma stands for the split nearest to gamma Delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.accountant import budget_of, split_budget
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact, excerpt, limit, parse_integer
from dpdesigner.core.basics.rounding import figure, rounded_down, rounded_up
from dpdesigner.core.noise.cost import NoiseCost
from dpdesigner.core.noise.discrete_staircase import (
    LARGEST_SENSITIVITY,
    DiscreteStaircase,
    best_split,
    discrete_laplace_cost,
    split_costs,
)
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import LEAST_EPSILON, MOST_ANSWERS, MOST_EPSILON, NoiseQuery, PowerCost, step_of
from dpdesigner.core.noise.several_dimensions import (
    LARGEST_DIMENSION,
    VectorStaircase,
    vector_cost,
    vector_laplace_cost,
    vector_optimum,
)
from dpdesigner.core.noise.staircase import Optimum, Staircase, optimum, staircase_cost
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

_LEAST_SENSITIVITY, _MOST_SENSITIVITY = Fraction(1, 10**9), 10**12
_LEAST_DELTA = Fraction(1, 10**100)


def checked_sensitivity(sensitivity: Number, integer: bool) -> Number:
    """Return a checked sensitivity, which must be a whole number for integer answers."""
    if integer:
        parse_integer(sensitivity, "sensitivity", 1, LARGEST_SENSITIVITY)
    elif not _LEAST_SENSITIVITY <= exact(sensitivity, "sensitivity") <= _MOST_SENSITIVITY:
        nearest_allowed = "1e12" if exact(sensitivity) > 1 else "1e-9"
        sentence = f"the sensitivity must be between {limit('1e-9')} and {limit('1e12')}, got {excerpt(sensitivity)}."
        raise InputError(sentence, "sensitivity", nearest_allowed)
    return sensitivity


def checked_dimension(dimension: int, integer: bool, cost: NoiseCost) -> int:
    """Return a checked number of answers that share one noise: several only if they are real and the cost is a power."""
    dimension = parse_integer(dimension, "dimension", 1, LARGEST_DIMENSION)
    if dimension > 1 and integer:
        raise InputError("several dimensions need a real query; an integer query has 1.", "dimension")
    if dimension > 1 and not isinstance(cost, PowerCost):
        raise InputError(
            f"for {dimension} answers together, the cost must be absolute, squared, sum-of-squares or a power.", "cost"
        )
    return dimension


def checked_step(step: Number | None, sensitivity: Number, single: bool) -> Number | None:
    """Return a checked step, for a single real answer: a sensitivity is at least one step, and not too many."""
    if step is None:
        return None
    if not single:
        raise InputError("a step is for a single real answer; leave it out here.", "step")
    delta = exact(sensitivity, "sensitivity")
    if exact(step, "the step", "step") > delta:
        most, usual = rounded_down(delta, 3).normalize(), Decimal(1).scaleb(math.floor(math.log10(delta / 2)))
        words = f"steps must be at most Δ {'=' if Fraction(most) == delta else '≈'} {most:f}, got {excerpt(step)}."
        words += " Use finer steps and round the published number: that costs no privacy."
        raise InputError(words, "step", f"{usual:f}")
    if exact(step) * LARGEST_SENSITIVITY < delta:
        least, usual = rounded_up(delta / LARGEST_SENSITIVITY, 3), step_of(float(delta))
        raise InputError(f"steps must be at least {least.normalize():f}, got {excerpt(step)}.", "step", f"{usual:f}")
    return step


def checked_delta(delta: Number | None, single: bool) -> Number | None:
    """Return a checked delta, for a single real answer."""
    if delta is None:
        return None
    if not _LEAST_DELTA <= exact(delta, "delta") < 1:
        usual = "1e-6" if exact(delta) < 1 else "1/2"
        raise InputError(
            f"delta must be between {float(_LEAST_DELTA):g} and 1, or left out, got {excerpt(delta)}.", "delta", usual
        )
    if not single:
        raise InputError("delta is for a single real answer; leave it out here.", "delta")
    return delta


def checked_weights(weights: Sequence[Number]) -> tuple[Number, ...]:
    """Return checked weights of answers that share epsilon; each must be positive."""
    if not isinstance(weights, (list, tuple)) or len(weights) > MOST_ANSWERS:
        raise InputError(f"the weights must be a list of at most {MOST_ANSWERS} numbers, got {excerpt(weights)}.", "weights")
    if any(exact(weight, "weights") <= 0 for weight in weights):
        raise InputError("every weight must be positive.", "weights")
    return tuple(weights)


Noise = Staircase | DiscreteStaircase | VectorStaircase


class Best(NamedTuple):
    """A noise, its gamma (for whole numbers, the split divided by the sensitivity), its cost, and the cost of the best gamma."""

    noise: Noise
    gamma: float
    cost: float
    least: float


def best_gamma(asked: NoiseQuery) -> Optimum:
    """Return the gamma of least expected cost, and that cost; ignores the chosen gamma."""
    cost, epsilon, period, dimension = asked.noise_cost, asked.epsilon, asked.period, asked.dimension
    if asked.integer:
        cost, scale = asked.step_cost
        split, least = best_split(cost, epsilon, asked.steps)
        return Optimum(split / asked.steps, scale * least)
    if dimension > 1 and isinstance(cost, PowerCost):
        gamma, least = vector_optimum(cost.power, epsilon, dimension, period)
        return Optimum(gamma, least * cost.share(dimension))
    return optimum(cost, epsilon, period)


def gamma_costs(asked: NoiseQuery, gamma: ArrayLike) -> Floats:
    """Return the expected cost of the noise for each gamma in [0, 1], in the shape of gamma."""
    cost, epsilon, period, dimension = asked.noise_cost, asked.epsilon, asked.period, asked.dimension
    if asked.integer:
        cost, scale = asked.step_cost
        return np.asarray(scale * split_costs(cost, epsilon, asked.steps)[_splits(gamma, asked.steps) - 1])
    if dimension > 1 and isinstance(cost, PowerCost):
        inside = np.asarray(gamma, dtype=float)
        return vector_cost(cost.power, epsilon, np.where(inside > 0, inside, 1.0), dimension, period) * cost.share(dimension)
    return staircase_cost(cost, epsilon, gamma, period)


def rival_cost(asked: NoiseQuery) -> float:
    """Return the expected cost of Laplace noise; for whole numbers, of discrete Laplace noise of the same scale."""
    cost, epsilon, period, dimension = asked.noise_cost, asked.epsilon, asked.period, asked.dimension
    if asked.integer:
        cost, scale = asked.step_cost
        return scale * discrete_laplace_cost(cost, epsilon, asked.steps)
    if dimension > 1 and isinstance(cost, PowerCost):
        return vector_laplace_cost(cost.power, epsilon, dimension, period) * cost.share(dimension)
    return Laplace(epsilon, period).cost(cost)


def best_noise(asked: NoiseQuery) -> Best:
    """Return the noise with the chosen gamma, or with the best one."""
    epsilon, period, dimension, (gamma, least) = asked.epsilon, asked.period, asked.dimension, best_gamma(asked)
    value = least
    if asked.gamma is not None:
        gamma, value = asked.gamma, float(gamma_costs(asked, asked.gamma))
    elif math.isnan(gamma):
        gamma = 0.5
    if asked.integer:
        split = int(_splits(gamma, asked.steps))
        return Best(DiscreteStaircase(epsilon, split, asked.steps), split / asked.steps, value, least)
    if dimension > 1:
        return Best(VectorStaircase(epsilon, gamma or 1.0, dimension, period), gamma, value, least)
    return Best(Staircase(epsilon, gamma, period), gamma, value, least)


def _splits(gamma: ArrayLike, sensitivity: int) -> Integers:
    return np.asarray(np.clip(np.rint(np.asarray(gamma, dtype=float) * sensitivity), 1, sensitivity), dtype=np.int64)


#: Possible numbers of answers, for a query with only one.
_IF_SEVERAL = (2, 3, 4, 5, 6, 8, 10, 15, 20)


@dataclass(frozen=True)
class Share:
    """One answer's part of the budget.

    Attributes
    ----------
    epsilon : Fraction
        Its share; all shares sum to the budget exactly.
    cost, laplace_cost : float
        The least expected cost of noise for it, and that of Laplace noise.
    """

    epsilon: Fraction
    cost: float
    laplace_cost: float


@dataclass(frozen=True)
class Budget:
    """The shares of epsilon for one answer and for several.

    Attributes
    ----------
    alone : Share
        All of it, for one answer.
    shares : tuple of Share
        That of each of the answers, in their order; of the one answer if there is no other.
    equal : tuple of (int, Share)
        Where there is one answer only, what each would have if there were so many, as far as epsilon reaches.
    """

    alone: Share
    shares: tuple[Share, ...]
    equal: tuple[tuple[int, Share], ...]


def full_budget(asked: NoiseQuery, privacy: PrivacyLevel, weights: Sequence[Number]) -> Budget:
    """Return how epsilon is shared among answers with these weights, or one answer's if none; raises as `shares_of`."""
    alone = shares_of(asked, privacy, (1,))[0]
    if weights:
        return Budget(alone, shares_of(asked, privacy, weights), ())
    reached = [many for many in _IF_SEVERAL if budget_of(privacy) / many >= LEAST_EPSILON]
    return Budget(alone, (alone,), tuple((many, shares_of(asked, privacy, (1,) * many)[0]) for many in reached))


def epsilons_of(dimension: int, privacy: PrivacyLevel, weights: Sequence[Number]) -> tuple[Fraction, ...]:
    """Return each answer's epsilon; parameters and errors as in `shares_of`, which also returns the costs."""
    if dimension > 1 or not 1 <= len(weights) <= MOST_ANSWERS:
        raise InputError(f"a budget is split among 1 to {MOST_ANSWERS} single answers, got {len(weights)}.", "weights")
    shares = split_budget(budget_of(privacy), weights)
    if min(shares) < LEAST_EPSILON:
        raise InputError(f"every answer needs an epsilon of at least {LEAST_EPSILON:g}, got {float(min(shares)):.3g}.", "weights")
    return shares


def shares_of(asked: NoiseQuery, privacy: PrivacyLevel, weights: Sequence[Number]) -> tuple[Share, ...]:
    """Split epsilon among several answers, each with the same sensitivity and cost.

    Parameters
    ----------
    asked : NoiseQuery
        Of a single answer.
    privacy : PrivacyLevel
        An irrational epsilon is rounded down in the fifteenth digit.
    weights : sequence of Number
        One positive weight for each answer, at most 100.

    Raises
    ------
    InputError
        If a weight cannot be used, or a share is below 1e-6.
    """
    shares = epsilons_of(asked.dimension, privacy, weights)
    costs = {share: _share(asked, share) for share in set(shares)}
    return tuple(costs[share] for share in shares)


def _share(asked: NoiseQuery, share: Fraction) -> Share:
    alone = replace(asked, epsilon=float(share), gamma=None)
    return Share(share, best_noise(alone).least, rival_cost(alone))


_DIGITS = 6
_STEP, _NEAR = math.log(4), 1e-9
_USUAL = 10.0  # epsilon whose cost is suggested if no cost is low enough


def epsilon_for_cost(asked: NoiseQuery, target: float, share: int = 1, progress: Progress = silent) -> Decimal:
    """Return the least epsilon at which the expected cost is at most a target, rounded up to six significant digits.

    Parameters
    ----------
    asked : NoiseQuery
        Its epsilon is only where the search begins.
    target : float
    share : int
        How many times the epsilon of the noise the one returned is: the cells of a histogram that one row changes.
    progress : callable, optional
        Told while it searches; may raise to stop.

    Raises
    ------
    InputError
        If no epsilon that noise can have costs so little, or so much; offers the nearest cost.

    Notes
    -----
    The cost falls as epsilon grows. For the best gamma, since all that is private at an epsilon is private at a larger one. For
    a gamma that was chosen the density is proportional to exp(-epsilon k(x)), k a step function that does not fall as |x| grows:
    the ratio of two such densities falls in |x|, so that |X| is stochastically smaller at the larger epsilon.
    """

    def excess(place: float) -> float:
        """Return the logarithm of the cost divided by the target, at the logarithm of an epsilon."""
        progress(0.5, "aiming")
        cost = _cost(asked, math.exp(place))
        return math.log(cost / target) if 0 < cost / target < math.inf else math.copysign(math.inf, cost / target - 1)

    _refuse(asked, target, share)
    most = Decimal(MOST_EPSILON) * share
    epsilon = min(rounded_up(share * math.exp(_crossing(excess, math.log(asked.epsilon))), _DIGITS), most)
    while _cost(asked, float(epsilon) / share) > target * (1 + 1e-12) and epsilon < most:
        epsilon += Decimal(10) ** (epsilon.adjusted() + 1 - _DIGITS)
    return epsilon


def _crossing(excess: Callable[[float], float], start: float) -> float:
    """The place where a falling function of the logarithm of epsilon becomes at most 0: stepped to, halved, and searched."""
    least, most = math.log(LEAST_EPSILON), math.log(MOST_EPSILON)
    low = high = min(max(start, least), most)
    while low > least and excess(low) <= 0:
        low, high = max(low - _STEP, least), low
    while high < most and excess(high) > 0:
        low, high = high, min(high + _STEP, most)
    while high - low > _NEAR and not math.isfinite(excess(low) + excess(high)):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    if excess(low) <= 0:
        return low
    from scipy.optimize import brentq

    return float(brentq(excess, low, high, xtol=_NEAR)) if high - low > _NEAR else high


def _cost(asked: NoiseQuery, epsilon: float) -> float:
    return best_noise(replace(asked, epsilon=min(max(epsilon, LEAST_EPSILON), MOST_EPSILON))).cost


def _refuse(asked: NoiseQuery, target: float, share: int) -> None:
    """Refuse a target that no epsilon reaches, or that exceeds the cost at the least epsilon."""
    if not math.isfinite(target):
        words = "must be a number" if math.isnan(target) else "is too large"
        raise InputError(f"the expected cost to aim for {words}.", "target")
    if not target > 0 or _cost(asked, MOST_EPSILON) > target:
        words = f"No ε up to {share * MOST_EPSILON:g} gives an expected cost as low as {figure(target)}."
        usual = _cost(asked, _USUAL)
        if not math.isfinite(usual):
            raise InputError(words, "target")
        raise InputError(f"{words} With ε = {share * _USUAL:g} it is {figure(usual)}.", "target", _plain(rounded_up(usual, 4)))
    most = _cost(asked, LEAST_EPSILON)
    if target > most:
        least = f"with ε = {share * LEAST_EPSILON:g} it is {figure(most)}"
        words = f"No allowed ε costs as much as {figure(target)}: {least}."
        raise InputError(words, "target", _plain(rounded_down(most, 4)))


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}" if abs(number.adjusted()) < 12 else f"{number:e}"
