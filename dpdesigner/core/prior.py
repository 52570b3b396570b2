"""The prior: what the user believes about a count before any release.

A prior over the true results 0..n is given as weights (numbers, normalised here) or by name, such as ``"binomial:0.3"``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.named_priors import NAMED, NamedPrior, parameters
from dpdesigner.core.numbers import Number, exact, shown, whole
from dpdesigner.core.weights import Weights
from dpdesigner.errors import InputError

Floats = NDArray[np.float64]

#: The largest n: a count of ten million rows; larger designs are refused with a sentence rather than with a full memory.
LARGEST_N = 10_000_000
#: Below it a double and the decimal that denotes it differ noticeably, which matters where no weight is in the moderate range.
_SMALLEST, _MODERATE = 1e-290, (1e-200, 1e200)
_EXACT_UP_TO = 2000  # above it, named priors are made in floating point


@dataclass(frozen=True)
class Prior:
    """A probability distribution over 0..n.

    Attributes
    ----------
    given : str, tuple of Number or Weights
        A name (``"uniform"``, ``"binomial:1/3"``, ``"two-peak:5,14"``, ...) or the n + 1 weights as the user gave them;
        weights need not sum to 1. More than 2000 doubles are held as an array.
    n : int
        The largest true result.
    """

    given: str | tuple[Number, ...] | Weights
    n: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole(self.n, "n", 0, LARGEST_N))
        if not isinstance(self.given, str):
            object.__setattr__(self, "given", _as_weights(self.given))
            if len(self.given) != self.n + 1:
                raise InputError(f"the prior must have n + 1 = {self.n + 1} weights, got {len(self.given)}.", "prior")
        self._checked_weights  # noqa: B018  (checks the weights)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.given, self.n))

    @cached_property
    def weights(self) -> Floats:
        """The weights as doubles, (n + 1,), read-only; their shape is what was drawn, their sum is positive."""
        weights = np.asarray(self._checked_weights, dtype=float)
        weights = weights.copy() if weights.flags.writeable else weights
        weights.flags.writeable = False
        return weights

    @cached_property
    def probabilities(self) -> Floats:
        """The prior itself: probabilities of 0..n, (n + 1,), read-only."""
        weights = self.weights / self.weights.max()
        probabilities: Floats = weights / weights.sum()
        probabilities.flags.writeable = False
        return probabilities

    @cached_property
    def exact(self) -> tuple[Fraction, ...]:
        """The probabilities as fractions that sum to exactly 1."""
        weights = exact_weights(self.given, self.n)
        total = sum(weights)
        return tuple(weight / total for weight in weights)

    @property
    def title(self) -> str:
        """A word for the prior: its name, or ``"drawn"``."""
        return self.given.partition(":")[0] if isinstance(self.given, str) else "drawn"

    def rebinned(self, n: int) -> Prior:
        """Return the same belief over 0..n: names are made anew, drawn shapes are stretched, keeping their mass.

        Each old bar is spread over the new bars that it overlaps when 0..n is laid over the old range.
        """
        if n == self.n:
            return self
        if isinstance(self.given, str):
            try:
                return Prior(self.given, n)
            except InputError:
                pass
        edges = np.linspace(0, self.n + 1, n + 2)
        cumulative = np.concatenate(([0.0], np.cumsum(self.probabilities)))
        weights = np.maximum(np.diff(np.interp(edges, np.arange(self.n + 2), cumulative)), 0.0)
        return Prior(weights, n)  # type: ignore[arg-type]

    @cached_property
    def _checked_weights(self) -> Sequence[float] | Floats:
        if isinstance(self.given, str):
            return _named(self.given, self.n)
        if isinstance(self.given, Weights):
            return _check_floats(self.given.array)
        if all(type(weight) is float for weight in self.given) and _are_plain(values := np.array(self.given)):
            return _check_floats(values)
        return _scaled(exact_weights(self.given, self.n))


def exact_weights(given: str | Sequence[Number], n: int) -> tuple[Fraction, ...]:
    """Return the weights of a prior as fractions, not normalised.

    Raises
    ------
    InputError
        If a weight is negative or none is positive.
    """
    if isinstance(given, str):
        named, values = _parse(given, n)
        weights = tuple(named.weights(n, *values))
    else:
        weights = tuple(exact(weight, f"the prior's weight of {i}", "prior") for i, weight in enumerate(given))
    negative = next((i for i, weight in enumerate(weights) if weight < 0), None)
    if negative is not None:
        raise InputError(f"the prior's weights must not be negative, got {shown(given[negative])} for {negative}.", "prior")
    if not any(weights):
        raise InputError("the prior must have at least one positive weight, got zeros only.", "prior")
    return weights


def _as_weights(given: object) -> tuple[Number, ...] | Weights:
    if isinstance(given, Weights):
        return given
    if isinstance(given, np.ndarray):
        if given.dtype == float and given.ndim == 1 and _are_many_doubles(given):
            return Weights(given)
        given = given.tolist()
    if not isinstance(given, (list, tuple)):
        raise InputError(f"the prior must be a name or a list of numbers, got {type(given).__name__}.", "prior")
    if len(given) > _EXACT_UP_TO and all(type(weight) is float for weight in given) and _are_many_doubles(np.array(given)):
        return Weights(given)
    return tuple(given)


def _are_many_doubles(values: Floats) -> bool:
    """Whether weights are better held as an array: they are many, and their doubles say all that their decimals do."""
    return len(values) > _EXACT_UP_TO and _are_plain(values)


def _are_plain(values: Floats) -> bool:
    """Whether doubles are the very ones that their decimals, scaled together, would become; see `_scaled`."""
    return not ((values > 0) & (values < _SMALLEST)).any() or bool(_MODERATE[0] < values.max() < _MODERATE[1])


def _parse(given: str, n: int) -> tuple[NamedPrior, list[Fraction]]:
    name, _, text = given.partition(":")
    named = NAMED.get(name.strip())
    if named is None:
        raise InputError(f"the prior must be one of {', '.join(NAMED)}, or a list of weights, got {shown(given)}.", "prior")
    return named, parameters(name.strip(), text, n)


@lru_cache(maxsize=8)
def _named(given: str, n: int) -> Floats:
    named, values = _parse(given, n)
    if n > _EXACT_UP_TO and named.fast is not None:
        return _check_floats(np.asarray(named.fast(n, *map(float, values)), dtype=float))
    return np.array(_scaled(exact_weights(given, n)))


def _scaled(weights: Sequence[Fraction]) -> list[float]:
    """The weights as doubles, divided by their sum if a double could not hold them."""
    largest = max(weights)
    if _MODERATE[0] < largest < _MODERATE[1]:
        return [float(weight) for weight in weights]
    return [float(weight / largest) for weight in weights]


def _check_floats(weights: Floats) -> Floats:
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if bad.size:
        raise InputError(f"the prior's weights must be finite and not negative, got {weights[bad[0]]} for {bad[0]}.", "prior")
    if not weights.any():
        raise InputError("the prior must have at least one positive weight, got zeros only.", "prior")
    return weights
