"""The prior: what the user believes about a count before any release; also as weights from counts and pasted text.

A prior over the true results 0..n is given as weights (numbers, normalised here) or by name, such as ``"binomial:0.3"``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.coercion import ArrayValues, ByValue, is_numeric
from dpdesigner.core.basics.named_priors import NAMED, WEIGHT_ERROR, NamedPrior, parameters
from dpdesigner.core.basics.parsing import Number, exact, excerpt, listed, parse_integer, plain
from dpdesigner.core.basics.rounding import figure, group_thousands
from dpdesigner.errors import InputError

#: Below this, a double and its decimal differ noticeably, which matters if no weight is in the moderate range.
_SMALLEST, MODERATE = 1e-290, (1e-200, 1e200)


class Weights(ArrayValues):
    """Array weights: finite, not negative, and at least one positive.

    Attributes
    ----------
    are_plain : bool
        Whether the doubles are the very ones that their decimals, scaled together, would become.
    """

    def __init__(self, numbers: NDArray[Any]) -> None:
        super().__init__(numbers)
        check(self.doubles)
        self.are_plain = are_exact_doubles(self.doubles)


def are_exact_doubles(weights: Floats) -> bool:
    """Return whether weights equal the doubles that their decimals, scaled together, would give."""
    return bool(MODERATE[0] < weights.max() < MODERATE[1]) or not ((weights > 0) & (weights < _SMALLEST)).any()


def check(weights: Floats) -> Floats:
    """Return the weights of a prior.

    Raises
    ------
    InputError
        If one of them is negative or no number, or none is positive.
    """
    least, most = float(weights.min()), float(weights.max())
    if not 0 <= least <= most < np.inf:
        bad = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise InputError(f"the prior's weights must be finite and not negative, got {weights[bad]} for {bad}.", "prior")
    if not most:
        raise InputError("the prior must have at least one positive weight, got zeros only.", "prior")
    return weights


#: The largest n: a count of ten million rows; larger designs are refused with a message rather than filling the memory.
LARGEST_N = 10_000_000
_BOUNDED = ("spike", "two-peak", "triangular")  # named priors that exclude some counts
_EDITED, _TAKEN_AS, _LONGEST_SOURCE = ", edited", " taken as ", 400
_CUT = " of the belief was above "
_N_TAKEN = " was taken from the data: not private"
_EXACT_UP_TO = 2000  # above this n, named priors are computed in floating point
#: Up to this n, weights of named priors are computed from fractions; above it, each of them would take noticeable time.
_NAMED_EXACTLY = 250
#: What a probability in floating point may be wrong by, relatively: its weight, two divisions, and a sum of up to ten million in
#: pairs of blocks (19 roundings in a block of 128, and 17 of pairs).
PROBABILITY_ERROR = WEIGHT_ERROR + 40 * 2.0**-53


@dataclass(frozen=True, eq=False)
class Prior(ByValue):
    """A probability distribution over 0..n.

    Attributes
    ----------
    specification : str, tuple of Number or Weights
        A name (``"uniform"``, ``"binomial:1/3"``, ``"two-peak:5,14"``, ...) or the n + 1 weights as the user gave them;
        weights need not sum to 1. An array is held as `Weights`, as are more than 2000 doubles; it equals a list of its numbers.
    n : int
        The largest true result.
    source : str
        Where weights are from, such as ``"ages, survey.csv"``, and after ``"; "`` how they differ from what is there; empty for
        those that were drawn. A named prior has only notes. See `edited`, `resized` and `keeping`.
    """

    specification: str | tuple[Number, ...] | Weights
    n: int
    source: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", parse_integer(self.n, "n", 0, LARGEST_N))
        object.__setattr__(self, "source", _checked_source(self.source, isinstance(self.specification, str)))
        if not isinstance(self.specification, str):
            object.__setattr__(self, "specification", _as_weights(self.specification))
            if len(self.specification) != self.n + 1:
                raise InputError(f"the prior must have n + 1 = {self.n + 1} weights, got {len(self.specification)}.", "prior")
        self._checked_weights  # noqa: B018  (checks the weights)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments as passed."""
        return self.specification, self.n, self.source

    @cached_property
    def weights(self) -> Floats:
        """The weights as doubles, (n + 1,), read-only; in the shape as drawn, with a positive sum."""
        weights = np.asarray(self._checked_weights, dtype=float)
        weights.flags.writeable = False
        return weights

    @cached_property
    def probabilities(self) -> Floats:
        """The prior probabilities of 0..n, (n + 1,), read-only; each within a relative `PROBABILITY_ERROR`."""
        weights = self.weights / self.weights.max()
        probabilities: Floats = weights / weights.sum() + 0.0  # -0.0 would flip the sign of values divided by it
        probabilities.flags.writeable = False
        return probabilities

    @property
    def mean(self) -> float:
        """The count to be expected."""
        return float(self.probabilities @ np.arange(self.n + 1))

    @cached_property
    def exact(self) -> tuple[Fraction, ...]:
        """The probabilities as fractions that sum to exactly 1."""
        weights = exact_weights(self.specification, self.n)
        total = sum(weights)
        return tuple(weight / total for weight in weights)

    @cached_property
    def certain(self) -> int | None:
        """The only possible true result; None if there are more."""
        possible = np.flatnonzero(self.weights)
        if len(possible) > 1:
            return None
        if isinstance(self.specification, tuple) and sum(exact(weight, "prior") > 0 for weight in self.specification) > 1:
            return None  # the others are too small for doubles
        return int(possible[0])

    @cached_property
    def impossible(self) -> NDArray[np.bool_]:
        """A mask of the counts with a prior of exactly 0, (n + 1,); counts merely too unlikely for doubles are not in it."""
        zero: NDArray[np.bool_] = np.equal(
            self.specification.doubles if isinstance(self.specification, Weights) else self.weights, 0
        )
        if isinstance(self.specification, str):
            zero &= self.specification.strip().startswith(_BOUNDED) or self.certain is not None
        elif isinstance(self.specification, tuple):
            for place in np.flatnonzero(zero).tolist():
                zero[place] = exact(self.specification[place], "prior") == 0
        return zero

    @property
    def title(self) -> str:
        """A short title of the prior: its name, its source without notes, or ``"drawn"``."""
        if isinstance(self.specification, str):
            return self.specification.partition(":")[0]
        return self.origin or "drawn"

    @property
    def origin(self) -> str:
        """The source of weights without notes; empty for those that were drawn, and for a named prior."""
        return self.source.partition("; ")[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """The differences from the source."""
        return tuple(self.source.split("; ")[1:])

    @property
    def counted(self) -> bool:
        """True if the column that was counted is at hand."""
        return "_column" in self.__dict__

    @property
    def largest(self) -> int:
        """The largest count of the column that was counted; n if that column is not at hand."""
        return int(self.__dict__["_column"].max()) if self.counted else self.n

    @classmethod
    def of_counts(cls, counts: Sequence[int] | NDArray[np.int64], n: int, source: str, taken: bool = False) -> Prior:
        """Return the frequencies of 0..n in a column, which are counted again for another n; counts above n go into the last.

        Where n itself is `taken` from the column, the source says so.
        """
        column = np.asarray(counts, dtype=np.int64)
        if taken:
            source += f"; n = {group_thousands(n)}{_N_TAKEN}"
        if above := int((column > n).sum()):
            source += f"; {group_thousands(above)} of {group_thousands(len(column))} counts above {n}{_TAKEN_AS}{n}"
        made = cls(weights_of_counts(column, n), n, source)
        object.__setattr__(made, "_column", column)
        return made

    def edited(self, weights: Any) -> Prior:
        """Return other weights over the same range; the source of counted ones then says that they were edited."""
        origin = self.origin and self.origin.replace(_EDITED, "") + _EDITED
        return Prior(weights, self.n, origin).keeping(self)

    def keeping(self, before: Prior) -> Prior:
        """Return this prior, noting that n was taken from the data if the one before says so and n is still the same."""
        taken = [note for note in before.notes if note.endswith(_N_TAKEN) and note not in self.notes]
        if not taken or before.n != self.n:
            return self
        made = Prior(self.specification, self.n, "; ".join((self.origin, *taken, *self.notes)))
        made.__dict__.update({key: self.__dict__[key] for key in ("_column", "_drawn") if key in self.__dict__})
        return made

    def resized(self, n: int, taken: bool = False) -> Prior:
        """Return the same belief over 0..n: each weight stays at its count, and new counts have the weight 0.

        Named priors are recomputed. A column at hand, which is not in files or copies, is counted again. The source says what was
        cut, or that n was `taken` from the column; where nothing is left, the prior is uniform.
        """
        if self.counted and n != self.n:
            kept = (note for note in self.notes if _TAKEN_AS not in note and _N_TAKEN not in note)
            return Prior.of_counts(self.__dict__["_column"], n, "; ".join((self.title, *kept)), taken)
        drawn: Prior = self.__dict__.get("_drawn", self)
        if n in (self.n, drawn.n):
            return self if n == self.n else drawn
        given = drawn.specification
        if isinstance(given, str):
            try:
                return Prior(given, n)
            except InputError:
                pass
        exactly = given if isinstance(given, tuple) and n <= _EXACT_UP_TO else None
        held: Sequence[Any] = drawn.weights.tolist() if exactly is None else exactly
        weights: list[Any] = [*held[: n + 1], *[0.0 if exactly is None else 0] * (n - drawn.n)]
        notes = [note for note in drawn.notes if _N_TAKEN not in note and _CUT not in note]
        if cut := float(drawn.probabilities[n + 1 :].sum()):
            share = f"{figure(100 * cut, 2)}%" if any(weights) else "all"
            notes.append(f"{share}{_CUT}{group_thousands(n)}")
        origin = drawn.origin if any(weights) else ""
        source = "; ".join((origin, *notes)) if notes else origin
        made = Prior(tuple(weights) if any(weights) else "uniform", n, source)
        object.__setattr__(made, "_drawn", drawn)
        return made

    @cached_property
    def _checked_weights(self) -> Sequence[float] | Floats:
        if isinstance(self.specification, str):
            return _named(self.specification, self.n)
        if isinstance(self.specification, Weights):
            return (
                self.specification.doubles if self.specification.are_plain else _scaled(exact_weights(self.specification, self.n))
            )
        if all(type(weight) is float for weight in self.specification) and are_exact_doubles(
            values := np.array(self.specification)
        ):
            return check(values)
        return _scaled(exact_weights(self.specification, self.n))


def exact_weights(given: str | Iterable[Number], n: int) -> tuple[Fraction, ...]:
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
        got = excerpt(list(given)[negative])
        raise InputError(f"the prior's weights must not be negative, got {got} for {negative}.", "prior")
    if not any(weights):
        raise InputError("the prior must have at least one positive weight, got zeros only.", "prior")
    return weights


def _as_weights(given: object) -> tuple[Number, ...] | Weights:
    if isinstance(given, Weights):
        return given
    if isinstance(given, np.ndarray):
        if is_numeric(given) and given.ndim == 1 and given.size:
            return Weights(given)
        given = given.tolist()
    if not isinstance(given, (list, tuple)):
        raise InputError(f"the prior must be a name or a list of numbers, got {type(given).__name__}.", "prior")
    if len(given) > _EXACT_UP_TO and all(type(weight) is float for weight in given):
        return Weights(np.array(given))
    return tuple(map(plain, given))


def _checked_source(source: object, named: bool) -> str:
    if not isinstance(source, str) or len(source) > _LONGEST_SOURCE or (named and source.partition("; ")[0]):
        allowed = f"a text of at most {_LONGEST_SOURCE} characters, and empty for a named prior"
        raise InputError(f"the prior's source must be {allowed}, got {excerpt(source)}.", "prior")
    return "".join(character if character.isprintable() else " " for character in source)


def _parse(given: str, n: int) -> tuple[NamedPrior, list[Fraction]]:
    name, _, text = given.partition(":")
    named = NAMED.get(name.strip())
    if named is None:
        raise InputError(f"the prior must be one of {', '.join(NAMED)}, or a list of weights, got {excerpt(given)}.", "prior")
    return named, parameters(name.strip(), text, n)


@lru_cache(maxsize=8)
def _named(given: str, n: int) -> Floats:
    named, values = _parse(given, n)
    if n > _NAMED_EXACTLY:
        return check(np.asarray(named.fast(n, *values), dtype=float))
    return np.array(_scaled(exact_weights(given, n)))


def _scaled(weights: Sequence[Fraction]) -> list[float]:
    """Return the weights as doubles, scaled if doubles could not represent them."""
    largest = max(weights)
    if MODERATE[0] < largest < MODERATE[1]:
        return [float(weight) for weight in weights]
    return [float(weight / largest) for weight in weights]


def weights_of_counts(counts: Sequence[int] | NDArray[np.int64], n: int) -> tuple[int, ...]:
    """Return the frequency of each of 0..n among some counts; counts above n go into the last."""
    kept = np.minimum(np.asarray(counts, dtype=np.int64), n)
    return tuple(np.bincount(kept, minlength=n + 1).tolist())


def weights_of_text(text: str, n: int) -> tuple[str | int, ...]:
    """Return pasted weights if there are n + 1 of them, or otherwise the frequency of each of 0..n among pasted counts.

    Raises
    ------
    InputError
        If it is neither.
    """
    parts = listed(text, "pasted numbers", "prior")
    if len(parts) == n + 1:
        return tuple(parts)
    values = [exact(part, "prior") for part in parts[:1_000_000]]
    if not values or any(value.denominator != 1 or value < 0 for value in values):
        raise InputError(
            f"pasted text must be n + 1 = {n + 1} weights or a column of whole counts, got {len(parts)} values.", "prior"
        )
    return weights_of_counts([min(int(value), n) for value in values], n)
