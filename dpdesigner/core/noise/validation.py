"""What users give of a question that is to be answered with noise, checked and kept as it was given."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpdesigner.core.cost.cost import NoiseCost
from dpdesigner.core.cost.noise_cost import PowerCost
from dpdesigner.core.noise.discrete_staircase import LARGEST_SENSITIVITY
from dpdesigner.core.noise.inputs import MOST_ANSWERS
from dpdesigner.core.noise.several_dimensions import LARGEST_DIMENSION
from dpdesigner.core.numbers.parsing import Number, exact, excerpt, parse_integer
from dpdesigner.errors import InputError

_LEAST_SENSITIVITY, _MOST_SENSITIVITY = Fraction(1, 10**9), 10**12
_LEAST_DELTA = Fraction(1, 10**100)


def checked_sensitivity(sensitivity: Number, integer: bool) -> Number:
    """Return by how much one row can change the answer: for integer answers a whole number; refuse anything else."""
    if integer:
        parse_integer(sensitivity, "sensitivity", 1, LARGEST_SENSITIVITY)
    elif not _LEAST_SENSITIVITY <= exact(sensitivity, "sensitivity") <= _MOST_SENSITIVITY:
        nearest_allowed = "1e12" if exact(sensitivity) > 1 else "1e-9"
        sentence = f"the sensitivity must be between 1e-9 and 1e12, got {excerpt(sensitivity)}."
        raise InputError(sentence, "sensitivity", nearest_allowed)
    return sensitivity


def checked_dimension(dimension: int, integer: bool, cost: NoiseCost) -> int:
    """Return how many answers get one noise together: several only where they are real and cost a power; refuse anything else."""
    dimension = parse_integer(dimension, "dimension", 1, LARGEST_DIMENSION)
    if dimension > 1 and integer:
        raise InputError("several dimensions need a real query; an integer query has 1.", "dimension")
    if dimension > 1 and not isinstance(cost, PowerCost):
        raise InputError(
            f"for {dimension} answers together, the cost must be absolute, squared, sum-of-squares or a power.", "cost"
        )
    return dimension


def checked_delta(delta: Number | None, single: bool) -> Number | None:
    """Return by how much probabilities may exceed what epsilon allows, of a single real answer; refuse anything else."""
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
    """Return the weights of answers that share epsilon, each positive; refuse anything else."""
    if not isinstance(weights, (list, tuple)) or len(weights) > MOST_ANSWERS:
        raise InputError(f"the weights must be a list of at most {MOST_ANSWERS} numbers, got {excerpt(weights)}.", "weights")
    if any(exact(weight, "weights") <= 0 for weight in weights):
        raise InputError("every weight must be positive.", "weights")
    return tuple(weights)
