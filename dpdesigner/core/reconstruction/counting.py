"""Questions about a column, and counting proofs: how many of them rule out every column that is far off.

[Notes] 1.4, after Dinur and Nissim, 2003: a column c (with values 0, 1/n, ..., 1) is ruled out by a question Q whose answer is
within E of the truth, if |c(Q) - x(Q)| > 2 E + 1; the 1 is for rounding a column to such values. If a random question does that
with a chance of at least delta (the lemma says "= delta"; it must be ">="), then t questions leave a given far column with a
chance of at most (1 - delta)^t, and any of the (n + 1)^n columns with at most (n + 1)^n (1 - delta)^t. A column is zeta-far
here if it is off by 1/3 or more for more than zeta n people; [Notes] call zeta epsilon, which is kept for privacy.

The people that each question counts: random subsets, kept as bits, with the two products that attackers need.

A question is a row of A: it is answered with about the sum of x over its people, (A x)_q. Eight people are one byte, so that both
products look up sums of bytes: 20 000 people and 80 000 questions take 200 MB and about a second a product.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import double, exact, excerpt
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

Bits = NDArray[np.uint8]

#: The most people times questions: 250 MB of bits.
LARGEST = 2_000_000_000
#: Up to this many, A is also stored in doubles: 128 MB.
LARGEST_DENSE = 16_000_000
_AT_ONCE = 400_000  # bits drawn between two reports
_BYTES_AT_ONCE = 64
#: The bits of each byte, highest bit first.
_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)


class Questions:
    """Questions, each stored as the set of people that it counts.

    Parameters
    ----------
    packed : ndarray of uint8
        (bytes, t): byte k of a question holds people 8 k to 8 k + 7, the first of them in its highest bit.
    n : int
        How many people there are.
    names : tuple of str
        Of the questions, if they have any.
    """

    def __init__(self, packed: Bits, n: int, names: tuple[str, ...] = ()) -> None:
        self.n, self.t, self.names = n, packed.shape[1], names
        self._packed = packed
        self._most: tuple[int, int] | None = None

    @classmethod
    def drawn(cls, n: int, t: int, seed: int, progress: Progress = silent) -> Questions:
        """Draw questions: each person in each with probability 1/2, independently; the first ones do not depend on t.

        Raises
        ------
        InputError
            If they are too many for the memory.
        """
        if n * t > LARGEST:
            most = LARGEST // n
            raise InputError(f"queries must be at most {most} for {n} people, got {t}.", "queries", str(most))
        packed = np.empty(((n + 7) // 8, t), dtype=np.uint8)
        source = np.random.PCG64(seed)
        rows = max(_AT_ONCE // n, 1)
        for at in range(0, t, rows):
            progress(at / t, "drawing questions")
            count = min(rows, t - at)
            inside = source.random_raw(count * n).view(np.int64) >= 0  # where numpy's uniform number is below 1/2
            packed[:, at : at + count] = np.packbits(inside.reshape(count, n), axis=1).T
        return cls(packed, n)

    @classmethod
    def of(cls, members: ArrayLike, names: tuple[str, ...] = ()) -> Questions:
        """Return the questions of a matrix of truth values, (t, n)."""
        inside = np.atleast_2d(np.asarray(members, dtype=bool))
        return cls(np.ascontiguousarray(np.packbits(inside, axis=1).T), inside.shape[1], names)

    def label(self, question: int) -> str:
        """Return the name of a question, or its number: ``North, 18–24`` or ``12``."""
        return self.names[question] if self.names else group_thousands(question + 1)

    def named(self, *some: int) -> str:
        """Return the names of questions in a sentence: ``answer 12``, ``answers 1, 2``, or ``“North, 18–24”``."""
        number = "answers " if some[1:] else "answer "
        return ", ".join(f"“{self.names[q]}”" for q in some) if self.names else number + ", ".join(str(q + 1) for q in some)

    def first(self, many: int) -> Questions:
        """Return the first questions, this many, if there are too many to store in doubles; otherwise all."""
        return self if self.small or many >= self.t else Questions(np.ascontiguousarray(self._packed[:, :many]), self.n)

    @property
    def small(self) -> bool:
        """Whether A can be stored in doubles, as linear programs need it."""
        return bool(self.n * self.t <= LARGEST_DENSE)

    @cached_property
    def dense(self) -> Floats:
        """A, (t, n)."""
        bits = np.unpackbits(np.ascontiguousarray(self._packed.T), axis=1, count=self.n).astype(np.float64)
        bits.setflags(write=False)
        return bits

    def members(self, question: int) -> NDArray[np.bool_]:
        """Return which people are in a question, (n,)."""
        return np.unpackbits(np.ascontiguousarray(self._packed[:, question]), count=self.n).astype(bool)

    def most(self, progress: Progress = silent) -> tuple[int, int]:
        """Return the size of the largest question, and the largest number of questions about one person; cached."""
        if self._most is None:
            sizes, times = self.sums(np.ones(self.n), progress), self.votes(np.ones(self.t), progress)
            self._most = round(float(sizes.max())), round(float(times.max()))
        return self._most

    def alone(self, answers: Floats, bound: Floats | float) -> tuple[NDArray[np.int64], Floats]:
        """Return which answers count none or all of their people, and so reveal each of them, and the numbers of these people."""
        size = self.sums(np.ones(self.n))
        found = np.flatnonzero((size > 0) & ((answers + bound < 1) | (answers - bound > size - 1)))
        return found, size[found]

    def sums(self, x: Floats, progress: Progress = silent) -> Floats:
        """Return A x, (t,)."""
        if self.small:
            return np.asarray(self.dense @ x)
        padded = np.zeros(8 * len(self._packed))
        padded[: self.n] = x
        tables = padded.reshape(-1, 8) @ _BYTES.T
        totals = np.zeros(self.t)
        for k, table in enumerate(tables):
            if k % _BYTES_AT_ONCE == 0:
                progress(None, "")
            totals += table.take(self._packed[k])
        return totals

    def votes(self, y: Floats, progress: Progress = silent) -> Floats:
        """Return A' y, (n,)."""
        if self.small:
            return np.asarray(y @ self.dense)
        votes = np.empty((len(self._packed), 8))
        for k, column in enumerate(self._packed):
            if k % _BYTES_AT_ONCE == 0:
                progress(None, "")
            votes[k] = np.bincount(column, weights=y, minlength=256) @ _BYTES
        return votes.ravel()[: self.n]


_MOST = 10**9  # people, questions and so on in the argument
#: Name and range of each number in the argument.
RANGES = {
    "n": ("n", 1, _MOST),
    "people": ("wrong", 1, _MOST),
    "t": ("t", 1, _MOST),
    "bound": ("E", 0, _MOST),
    "off": ("off by", 0.01, 1),
    "delta": ("δ", 0, 1),
}


def theorem_questions(n: int) -> int:
    """Return n ln^2 n, rounded up: the number of questions that the theorem of [Notes] requires."""
    return math.ceil(n * math.log(n) ** 2) if n > 1 else 1


def least_delta(people: int, off: float, bound: float) -> float:
    """Return the probability that a random question rules out a hard column, with equally many values too high and too low.

    It is wrong for `people`, by `off` in (0, 1] each, half of them up and half down, and one more up where they are odd. This is
    Pr[off |B - people//2| > 2 E + 1] with B binomial(people, 1/2).

    Notes
    -----
    The difference in a random subset is off (B' - B'') with B', B'' independent binomials of the two halves, and B' - B'' has the
    law of B - people//2.
    """
    from scipy.special import betainc  # of scipy.stats, the import alone takes seconds

    middle, limit = people // 2, (2 * bound + 1) / off + 1e-9
    low, high = math.ceil(middle - limit) - 1, math.floor(middle + limit)  # B is strictly beyond
    below = betainc(people - low, low + 1, 0.5) if low >= 0 else 0.0  # of B <= low
    above = betainc(high + 1, people - high, 0.5) if high < people else 0.0
    return float(below + above)


def questions_needed(n: int, delta: float) -> int | None:
    """Return the least t with (n + 1)^n (1 - delta)^t < 1; None if there is none."""
    if not delta > 0:
        return None
    return 1 if delta >= 1 else math.floor(n * math.log(n + 1) / -math.log1p(-delta)) + 1


def log_columns_left(n: int, delta: float, t: int) -> float:
    """Return log10 of (n + 1)^n (1 - delta)^t, the bound on the expected number of remaining far columns."""
    return n * math.log10(n + 1) + (t * math.log1p(-delta) / math.log(10) if delta < 1 else -math.inf)


@dataclass(frozen=True)
class Counting:
    """The argument for columns with this many wrong values, as many too high as too low.

    Attributes
    ----------
    n : int
        How many people there are.
    people : int
        About how many of them a column is wrong.
    bound : float
        E.
    t : int
        How many questions are asked.
    off : float
        By how much it is wrong about each, in (0, 1]: 1/3 for columns that are only just far.
    delta : float or None
        The chance that a random question rules it out; None for that of `least_delta`.
    """

    n: int
    people: int
    bound: float
    t: int
    off: float = 1.0
    delta: float | None = None

    @property
    def chance(self) -> float:
        """The probability used: the specified one, or that of the formula."""
        return least_delta(self.people, self.off, self.bound) if self.delta is None else self.delta

    @property
    def needed(self) -> int | None:
        """The number of questions that rule out all such columns; None if no number does."""
        return questions_needed(self.n, self.chance)

    @property
    def left(self) -> float:
        """An upper bound on the expected number of such columns left, as a power of ten."""
        return log_columns_left(self.n, self.chance, self.t)

    def at(self, delta: float) -> Counting:
        """Return a copy with a different probability."""
        return replace(self, delta=delta)

    def with_numbers(self, texts: Mapping[str, str]) -> Counting:
        """Return a copy with the numbers that were typed; an empty text leaves a number unchanged.

        Raises
        ------
        InputError
            If a text is no number, or out of range; the field is named.
        """
        numbers: dict[str, float] = {}
        for key, text in texts.items():
            name, least, most = RANGES[key]
            if not text.strip():
                continue
            value = exact(text, name, key)
            whole = key in ("n", "people", "t")
            if not least <= value <= most or (whole and value.denominator != 1):
                kind = "a whole number" if whole else "a number"
                raise InputError(f"{name} must be {kind} from {least} to {most}, got {excerpt(text)}.", key)
            numbers[key] = int(value) if whole else double(value)
        made = replace(self, **numbers)  # type: ignore[arg-type]  # whole where they must be
        if made.people > made.n:
            raise InputError(f"wrong must be at most n = {made.n}, got {made.people}.", "people", str(made.n))
        return made


def cases(n: int, ones: int, bound: float, t: int) -> tuple[Counting, ...]:
    """Return the argument for columns with the most wrong values, as many too high as too low; with few; and off by 1/3."""
    far, near = 2 * min(ones, n - ones), max(2, 2 * round(n / 20))
    return (Counting(n, far, bound, t), Counting(n, near, bound, t), Counting(n, far, bound, t, 1 / 3))


def candidate(secret: NDArray[np.int8], people: int) -> NDArray[np.int8]:
    """Return a column with this many wrong values, as many too high as too low as far as the secret allows."""
    ones, zeros = np.flatnonzero(secret == 1), np.flatnonzero(secret == 0)
    many = min(people // 2, len(ones))
    others = min(people - many, len(zeros))
    many = min(people - others, len(ones))
    column = secret.copy()
    column[ones[np.linspace(0, len(ones) - 1, many).astype(int)] if many else []] = 0
    column[zeros[np.linspace(0, len(zeros) - 1, others).astype(int)] if others else []] = 1
    return column


def ruled_out(
    questions: Questions, secret: NDArray[np.int8], other: NDArray[np.int8], bound: float, off: float = 1.0
) -> NDArray[np.bool_]:
    """Return which questions rule out a column this far from the secret towards another, for any answers: (t,)."""
    return np.asarray(off * np.abs(questions.sums((other - secret).astype(np.float64))) > 2 * bound + 1 + 1e-9)


def most_right(share: float, epsilon: float) -> float:
    """Return a bound on any attack on eps-private answers: the probability of guessing a person, given the share of ones.

    Notes
    -----
    max(s, 1 - s, e^eps / (1 + e^eps)), for rows that are 1 with chance s each, independently, where neighbours replace one row:
    s x + (1 - s)(1 - y) with x <= e^eps y, 1 - y <= e^eps (1 - x) is greatest at (0, 0), (1, 1) or x = 1 - y = e^eps/(1 + e^eps).
    """
    return max(share, 1 - share, 1 / (1 + math.exp(-epsilon)))


def tightness_failure(t: int, bound: float, n: int) -> float:
    """Return 2 t exp(-2 E^2 / n), at most 1: the probability that the tight mechanism tells any truth of a random half."""
    return min(1.0, 2 * t * math.exp(-2 * bound * bound / n))


SecretBits = NDArray[np.int8]

_LOOKED_AT = 1000  # questions examined if there are many people, to avoid a wait


@dataclass(frozen=True, eq=False)
class Lemma:
    """A column with as many values too high as too low, and the questions that rule it out.

    Attributes
    ----------
    questions : Questions
    secret : ndarray of int8
        (n,).
    bound : float
        E.
    many : int or None
        About how many people it is wrong; None for as many as can be, as often too high as too low.
    off : float
        By how much it is wrong about each, in (0, 1].
    """

    questions: Questions
    secret: SecretBits
    bound: float
    many: int | None = None
    off: float = 1.0

    @cached_property
    def other(self) -> SecretBits:
        """The column, (n,), if its wrong values were off by 1."""
        ones = int(self.secret.sum())
        return candidate(self.secret, 2 * min(ones, len(self.secret) - ones) if self.many is None else self.many)

    @property
    def people(self) -> int:
        """The number of people with a wrong value."""
        return int((self.other != self.secret).sum())

    @cached_property
    def ruled(self) -> NDArray[np.bool_]:
        """The questions that rule it out whatever their errors, (t,); of many people, the first ones."""
        return ruled_out(self.questions.first(_LOOKED_AT), self.secret, self.other, self.bound, self.off)

    @property
    def delta(self) -> float:
        """The probability that a random question rules out the column."""
        return least_delta(self.people, self.off, self.bound)

    @property
    def measured(self) -> float:
        """The share of the tested questions that rule out the column."""
        return float(self.ruled.mean())

    def walk(self, question: int) -> Floats:
        """Return the column's running error after each wrong person in a question, starting from 0."""
        wrong = (self.other.astype(int) - self.secret)[self.questions.members(question)]
        return self.off * np.concatenate([[0.0], np.cumsum(wrong[wrong != 0], dtype=np.float64)])
