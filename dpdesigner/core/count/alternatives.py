"""Expected losses of other releases for the same user: other noise, no data, real numbers, other privacy levels.

Each noise is added to the count, rounded to the nearest integer, clamped to 0..n, and then read as well as the user can (Bayes
remap), so that the comparison with the optimum is as kind to it as possible. Losses with structure need no matrix.

What the best private mechanism costs that may answer any real number, where the count itself is whole.

Theorem A holds for outputs in any ordered set, the real line too: the best is again the geometric mechanism, each output read as
the real number of least posterior expected loss. For the squared error that is the posterior mean. The expected absolute, pinball
and relative losses are straight between whole numbers, powers below 1 bend downwards there, and 0/1 and threshold losses favour
whole numbers, so that for these some whole number is always among the best. Losses that are drawn, typed or given as a matrix
say nothing about what lies between.

Whatever number is answered, the expected loss of it is attained: every result here is an upper bound, rounded up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import PROBABILITY_ERROR
from dpdesigner.core.basics.rounding import rounded_down, rounded_up
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.certificate import Costs
from dpdesigner.core.mechanism.filters import Base
from dpdesigner.core.mechanism.posteriors import Posteriors
from dpdesigner.core.mechanism.remap import bayes_remap
from dpdesigner.core.mechanism.scores import score_blocks
from dpdesigner.core.mechanism.structured_losses import SquaredLoss
from dpdesigner.core.mechanism.structured_remap import Structure, remapped_value, structured_value, value_rounding
from dpdesigner.errors import InputError

#: P(K = k) and P(K >= k) for k = 0, 1.
Rounded = tuple[Floats, Floats]

#: Below this, a mechanism releases the count itself, as far as doubles can tell.
_LEAST_ALPHA = 1e-280


class ClampedNoise(NamedTuple):
    """Integer noise that is geometric except for the probability of 0, clamped to 0..n.

    Such are, rounded to integers, Laplace and staircase noise of sensitivity 1: P(K = k + 1) = alpha P(K = k) for k >= 1. So what
    follows from each output differs from the geometric mechanism in one term only, and the sums made once for it serve all noises
    of one alpha: P(output j | i) = weights_j alpha^|i-j| for j other than i, and weights_j centre_j for j = i.

    Attributes
    ----------
    weights : ndarray
        (n + 1,).
    centre : ndarray or None
        (n + 1,); None where it is 1: the geometric mechanism.
    """

    weights: Floats
    centre: Floats | None

    @classmethod
    def of(cls, rounded: Rounded, privacy: PrivacyLevel, n: int) -> ClampedNoise:
        """Return a noise by its distribution, at least its first two entries; alpha is positive."""
        mass, tail = rounded
        if n == 0:
            return cls(np.ones(1), None)
        inner, ends = float(mass[1]) / privacy.alpha, float(tail[1]) / privacy.alpha
        weights, centre = np.full(n + 1, inner), np.full(n + 1, mass[0] / inner if inner else 1.0)
        weights[[0, n]], centre[[0, n]] = ends, tail[0] / ends
        return cls(weights, centre)


def face_value(prior: Floats, loss: Floats | Structure, privacy: PrivacyLevel) -> float:
    """Return the expected loss of the range-restricted geometric mechanism with its output taken at face value.

    For a loss with structure it is a sum over true results of partial sums of powers of alpha times the loss by distance, with
    the two ends, which hold all that clamping moves there, on their own.
    """
    n = len(prior) - 1
    if not isinstance(loss, Structure):
        return math.fsum(prior * np.einsum("ij,ij->i", loss, geometric.matrix(privacy, n)))
    if n == 0 or math.isinf(privacy.epsilon):
        return loss.offset
    powers = np.exp(-privacy.epsilon * np.arange(n + 1))
    ends, inner = powers * geometric.weights(privacy, n)[0], powers * (privacy.one_minus_alpha / (1 + privacy.alpha))
    inner[0] = 0.0
    below, above = (np.concatenate(([0.0], np.cumsum(inner * far)[:-1])) + ends * far for far in loss.kind.face_value(n))
    return loss.offset + float((loss.weights(prior) * (below + above[::-1])).sum())


def remapped_noises(
    prior: Floats,
    loss: Floats | Structure,
    privacy: PrivacyLevel,
    noises: Sequence[Rounded],
    before: Callable[[], object] = lambda: None,
) -> list[float]:
    """Return the expected losses of the geometric mechanism and of other noises, each clamped to 0..n and remapped.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray or Structure
        (n + 1, m): l(i, r); with a structure it takes O(n log n) at most, with a matrix O(n m) for all together.
    privacy : PrivacyLevel
    noises : sequence of (mass, tail)
        P(K = k) and P(K >= k), at least for k = 0 and 1, of Laplace or staircase noise of this level, rounded to integers; see
        `ClampedNoise`.
    before : callable
        Called before each noise where one takes long; may raise to stop.

    Returns
    -------
    list of float
        sum_j min_r sum_i p_i N_ij l(i, r): first for geometric noise, then for those given.
    """
    n = len(prior) - 1
    if privacy.alpha < _LEAST_ALPHA:
        return [without_privacy(prior, loss)] * (len(noises) + 1)
    clamped = [ClampedNoise(geometric.weights(privacy, n), None), *(ClampedNoise.of(noise, privacy, n) for noise in noises)]
    if isinstance(loss, Structure):
        posteriors = Posteriors.of(loss.weights(prior), Base.of(privacy), loss.kind.power)
        values = []
        for noise in clamped:
            before()
            # Posteriors are not bound to a name, so that their cached values, as large as themselves, are freed after each.
            values.append(loss.offset + remapped_value(posteriors.with_centre(noise.centre), loss.kind, noise.weights))
        return values
    least = np.empty((len(clamped), n + 1))
    for block in score_blocks(prior, loss, privacy.alpha, monotone=False, apart=True):
        rows = slice(block.start, block.start + len(block.values))
        others, own = block.values * block.unit, prior[rows, None] * loss[rows]
        for losses, noise in zip(least, clamped, strict=True):
            losses[rows] = (others + (own if noise.centre is None else noise.centre[rows, None] * own)).min(axis=1)
    return [math.fsum(noise.weights * losses) for noise, losses in zip(clamped, least, strict=True)]


def ignoring_the_data(prior: Floats, loss: Floats | Structure) -> float:
    """Return the expected loss of the best constant answer: min_r sum_i p_i l(i, r)."""
    if not isinstance(loss, Structure):
        return float((prior @ loss).min())
    weights, i = loss.weights(prior), np.arange(len(prior))
    return loss.offset + float((weights * loss.kind.loss(i, np.full_like(i, loss.kind.constant(weights)))).sum())


def without_privacy(prior: Floats, loss: Floats | Structure) -> float:
    """Return the expected loss when the count itself is released."""
    return loss.offset if isinstance(loss, Structure) else math.fsum(prior * loss.min(axis=1))


Best = Literal["mean", "between", "whole"]

#: Halvings of an interval of length 2 that contains the best number.
_HALVINGS = 40


def best_answers(loss: Loss) -> Best | None:
    """Return which real numbers are the best readings, or None if the loss is not defined for real numbers.

    Returns
    -------
    str or None
        ``"mean"``: posterior means; ``"between"``: other numbers; ``"whole"``: some whole number is among the best.
    """
    parameter = loss.parameter
    if loss.name in ("absolute", "pinball", "relative", "zero-one"):
        return "whole"
    if loss.name == "squared" or (loss.name == "power" and parameter == 2):
        return "mean"
    if loss.name == "power" and parameter is not None:
        return "between" if parameter > 1 else "whole"
    if loss.name == "threshold" and parameter is not None and parameter % 1 < Fraction(1, 2):
        return "whole"  # otherwise a number between two counts is near one more count than any whole number
    return None


def mean_cost(prior: Floats, privacy: PrivacyLevel) -> float:
    """Return the least expected squared error of any private real answer: sum_j P(j) Var(i | j); O(n), rounded up."""
    if np.count_nonzero(prior) == 1 or privacy.exact_alpha == 0:
        return 0.0
    kind = SquaredLoss()
    posteriors = Posteriors.of(prior, Base.of(privacy), kind.power)
    released = geometric.weights(privacy, len(prior) - 1) * posteriors.likelihood
    value = float((released * np.maximum(posteriors.moment(2) - np.square(posteriors.mean), 0.0)).sum())
    rounding = value_rounding(posteriors, kind, kind.readings(posteriors), released, value, privacy)
    return math.nextafter(value + rounding + PROBABILITY_ERROR * value, math.inf)


def exact_mean_cost(prior: Sequence[Fraction], alpha: Fraction) -> Fraction:
    """Return `mean_cost` in rational arithmetic, for alpha in [0, 1]."""
    total = Fraction(0)
    for j, weight in enumerate(geometric.exact_weights(alpha, len(prior) - 1)):
        beliefs = [p * alpha ** abs(i - j) for i, p in enumerate(prior)]
        whole, mean, square = (sum((q * i**k for i, q in enumerate(beliefs)), Fraction(0)) for k in (0, 1, 2))
        total += weight * (square - mean * mean / whole) if whole else 0
    return total


def power_cost(costs: Costs, power: float, privacy: PrivacyLevel) -> float:
    """Return the least expected |i - r|^power of any private real answer r, power > 1; O(n^2) per step, rounded up.

    Parameters
    ----------
    costs : Costs
        Of the prior and of the same loss of whole numbers.
    power : float
    privacy : PrivacyLevel
    """
    if privacy.exact_alpha == 0:
        return 0.0
    outputs = bayes_remap(costs.prior, costs.loss, privacy, monotone=True).outputs.astype(float)
    i, n = np.arange(len(costs.prior), dtype=float), len(costs.prior) - 1
    released = costs.prior[:, None] * geometric.matrix(privacy, n)
    # The cost is convex in r, so the best number differs from the best whole number by less than 1.
    low, high = np.maximum(outputs - 1, 0.0), np.minimum(outputs + 1, n)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        distance = middle - i[:, None]
        rising = (released * np.copysign(np.abs(distance) ** (power - 1), distance)).sum(axis=0) > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    each = [(released * np.abs(answers - i[:, None]) ** power).sum(axis=0) for answers in (low, outputs)]
    value = float(np.minimum(*each).sum())
    rounding = costs.rounding(value, privacy.alpha) + (power + 4) * 2.0**-53 * value
    return math.nextafter(value + rounding, math.inf)


#: Logarithms of the smallest and the largest epsilon in the search for a target.
_LOW, _HIGH = math.log(1e-6), math.log(745.0)
#: The search stops when the bracket of ln(epsilon) is this narrow.
_NARROW = 1e-7
#: How far beyond the estimated zero the next point is placed, relative to the distance to the nearer end of the bracket.
_BEYOND = 0.001


def optimal_loss(prior: Floats, loss: Floats | Structure, privacy: PrivacyLevel, monotone: bool = False) -> float:
    """Return the expected loss of geometric + remap.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray or Structure
        (n + 1, m): l(i, r); with a structure it takes linear time.
    privacy : PrivacyLevel
    monotone : bool
        Theorem A covers the loss, which takes less time; see `dpdesigner.core.mechanism.remap.bayes_remap`.
    """
    if isinstance(loss, Structure):
        return structured_value(prior, loss, privacy)
    return bayes_remap(prior, loss, privacy, monotone).value


def loss_range(prior: Floats, loss: Floats | Structure) -> tuple[float, float]:
    """Return the least (no privacy) and the largest (the data ignored) expected loss that a level can give."""
    return without_privacy(prior, loss), ignoring_the_data(prior, loss)


def epsilon_reaching(
    prior: Floats,
    loss: Floats | Structure,
    target: float,
    progress: Callable[[float], None] | None = None,
    *,
    monotone: bool = False,
    known: dict[float, float] | None = None,
) -> float:
    """Return the smallest epsilon whose expected loss is at most the target.

    The expected loss falls as epsilon grows. The answer is rounded up to six significant digits, so that its expected loss is at
    most the target.

    Parameters
    ----------
    prior, loss, monotone
        As for `optimal_loss`.
    target : float
        An expected loss.
    progress : callable, optional
        Called with the fraction done; may raise to stop.
    known : dict, optional
        Expected losses by epsilon that are known already for this prior and loss; those found here are added.

    Returns
    -------
    float
        Epsilon; 0 if the target is met without the data, infinity if only the truth itself meets it.

    Raises
    ------
    InputError
        If the target is below what even no privacy gives, or not a number.
    """
    best, worst = loss_range(prior, loss)
    _refuse_below(best, target)
    if target >= worst:
        return 0.0
    losses = {} if known is None else known

    def excess(place: float) -> float:
        epsilon = math.exp(place)
        losses[epsilon] = optimal_loss(prior, loss, PrivacyLevel.from_epsilon(epsilon), monotone)
        return losses[epsilon] - target

    points = [(place, value - target) for place, value in _places(losses)]
    if not points or points[-1][1] > 0:
        points.append((_HIGH, excess(_HIGH)))
    if points[-1][1] > 0:
        return math.inf
    place = _last_crossing(excess, [(_LOW, worst - target), *points], progress)
    return float(rounded_up(math.exp(place), 6))


def _refuse_below(best: float, target: float) -> None:
    if not target >= best:
        reachable = f"{best + 1e-5 * abs(best):.6g}"  # rounding must not take it below the best
        least = f"the expected loss cannot be below {rounded_down(best, 6):g} for this prior and loss"
        raise InputError(f"{least}, got {target:.6g}.", "target", reachable)


def _places(losses: dict[float, float]) -> list[tuple[float, float]]:
    """Return the logarithms of the epsilons within range, sorted, with their losses."""
    places = sorted((math.log(epsilon), value) for epsilon, value in list(losses.items()))
    return [place for place in places if _LOW < place[0] < _HIGH]


def _last_crossing(
    excess: Callable[[float], float], points: list[tuple[float, float]], progress: Callable[[float], None] | None
) -> float:
    """Return a point just above where a falling function becomes at most 0, from sorted points on both sides."""
    second, slow = max(k for k, point in enumerate(points) if point[1] > 0) + 1, 0
    width = whole = points[second][0] - points[second - 1][0]
    while width > _NARROW:
        low, high = points[second - 1][0], points[second][0]
        place = _zero(points[max(second - 2, 0) : second + 2]) if slow < 2 else None
        if place is None or not low <= place <= high:
            place = (low + high) / 2
        # Step slightly past the zero towards the farther end, so that the bracket closes from both sides.
        beyond = 0.4 * _NARROW + _BEYOND * min(high - place, place - low)
        place += beyond if high - place > place - low else -beyond
        points.insert(second, (place, excess(place)))
        second += points[second][1] > 0
        before, width = width, points[second][0] - points[second - 1][0]
        slow = 0 if width < before / 4 or slow == 2 else slow + 1
        if progress is not None:
            progress(min(1.0, math.log(whole / max(width, _NARROW)) / math.log(whole / _NARROW)))
    return points[second][0]


def _zero(points: list[tuple[float, float]]) -> float | None:
    """The zero of the polynomial through a few points of a curve; None if they do not fall."""
    if any(first[1] <= second[1] for first, second in pairwise(points)):
        return None
    return sum(x * math.prod(other / (other - y) for _, other in points if other != y) for x, y in points)
