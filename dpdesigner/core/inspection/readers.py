"""Readers of a release: their loss, with a prior, candidate priors or possible counts only, and the minimax reading.

Readers without a prior, who have only possible counts or candidate priors: the minimax reading.

For a loss of Theorem A no private release, made for such a reader alone, does better than geometric noise read with chances
(M. Gupte, M. Sundararajan, "Universally optimal privacy mechanisms for minimax agents", 2010). The reading is a linear program in
the chances T alone: min t with sum_jr (sum_i p_i M_ij l(i, r)) T_jr - offset_p <= t for every candidate p. Its multipliers are a
mixture of the candidates, the least favourable prior: nobody who holds that has a lower loss. Both are rounded to fractions and
the two bounds computed from them anew, so that neither rests on the solver.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.coverage import Rows
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.mechanism.certificate import Costs
from dpdesigner.core.mechanism.structured_remap import Structure, structure
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

Caution = Literal["", "loss", "regret"]
Losses = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, eq=False)
class AudienceReader:
    """One of the readers for whom a count is released.

    Attributes
    ----------
    name : str
    priors : tuple of Prior
        One for a reader who has a prior. For a cautious reader the candidates, of which the worst is guarded against.
    loss : Loss or tuple of tuples of Fraction
        What it costs to read r when the count is i; a table (n + 1, m) where readings are not counts.
    labels : tuple of str
        What the readings of such a table are called; empty: 0, 1, 2, ….
    cautious : {"", "loss", "regret"}
        Whether the largest expected loss over the candidates is minimised, or the largest regret: loss minus the least loss that
        the prior allows at the same privacy.
    weight : Number
        In the total of all readers.
    target : Number or None
        The expected loss, or regret, that the reader needs.
    """

    name: str
    priors: tuple[Prior, ...]
    loss: Loss | Losses
    labels: tuple[str, ...] = ()
    cautious: Caution = ""
    weight: Number = 1
    target: Number | None = None

    @property
    def n(self) -> int:
        """The largest count."""
        return self.priors[0].n

    @property
    def prior(self) -> Prior:
        """The reader's prior; for a cautious reader, the first candidate."""
        return self.priors[0]

    @property
    def losses(self) -> Floats:
        """l(i, r) as doubles, (n + 1, m); readers with the same loss share it."""
        return self.loss.matrix(self.n) if isinstance(self.loss, Loss) else self._table

    @cached_property
    def _table(self) -> Floats:
        assert not isinstance(self.loss, Loss)
        return np.array([[float(value) for value in row] for row in self.loss])

    @property
    def readings(self) -> int:
        """How many readings there are: m."""
        return self.n + 1 if isinstance(self.loss, Loss) else len(self.loss[0])

    @property
    def costs(self) -> Costs:
        """Prior and loss in the form solved in doubles."""
        losses = self.losses
        if isinstance(self.loss, Loss):
            return Costs(self.prior.probabilities, losses, *self.loss.bounds(self.n))
        return Costs(self.prior.probabilities, losses, losses.min(axis=1), losses.max(axis=1))

    @cached_property
    def constant_loss(self) -> float:
        """The least expected loss of a reader with a prior who ignores the data, in doubles."""
        return float((self.prior.probabilities @ self.losses).min())

    @cached_property
    def exact_losses(self) -> list[list[Fraction]] | None:
        """The losses in fractions; None if any loss is irrational."""
        if not isinstance(self.loss, Loss):
            return [list(row) for row in self.loss]
        try:
            return self.loss.exact_matrix(self.n)
        except InputError:
            return None

    @cached_property
    def structure(self) -> Structure | None:
        """The structure of a named loss, which makes reading large counts fast."""
        return structure(self.loss) if isinstance(self.loss, Loss) else None

    @cached_property
    def covered(self) -> bool:
        """Whether Theorem A covers the loss: every row falls to its minimum, then rises, and the minimum moves right with i."""
        if isinstance(self.loss, Loss):
            return self.loss.coverage(self.n).covered
        return Rows.of(self.losses).coverage(self.losses).covered

    @cached_property
    def beliefs(self) -> Floats:
        """The candidate priors, (number of candidates, n + 1)."""
        return np.array([prior.probabilities for prior in self.priors])

    @cached_property
    def exact_beliefs(self) -> list[tuple[Fraction, ...]]:
        """The candidate priors in fractions."""
        return [prior.exact for prior in self.priors]

    @property
    def loss_title(self) -> str:
        """A short title of the loss."""
        return self.loss.title if isinstance(self.loss, Loss) else "table"

    def reading_name(self, r: int) -> str:
        """Return the name of the reading in column r of the loss."""
        return self.labels[r] if self.labels else str(r)


Exact = Fraction | float

_DENOMINATORS = (10**6, 10**15)
_MOST_ROUNDS = 60
_PARTS = 100  # thresholds between outputs are sought among so many parts
_GOOD = 1e-12
_TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class CautiousReading:
    """A randomised reading, and its proof.

    Attributes
    ----------
    reading : array (outputs, m)
        Rows sum to 1; fractions (dtype object) or doubles.
    mixture : tuple
        The weights of the candidate priors.
    high, low : Fraction or float
        The largest loss, or regret, of this reading; and what no reading has less than. Mostly the same.
    offset : Fraction or float
        What the mixture's priors lose at least, each by itself, on average: 0 for a reader who minimises the loss.
    """

    reading: NDArray[Any]
    mixture: tuple[Exact, ...]
    high: Exact
    low: Exact
    offset: Exact


def read(reader: AudienceReader, matrix: NDArray[Any] | None, progress: Progress = silent) -> CautiousReading:
    """Return the best reading of a release against the worst candidate.

    Parameters
    ----------
    reader : AudienceReader
        A cautious one.
    matrix : array (n + 1, outputs), optional
        The release: fractions (dtype object) or doubles; by default one output that tells nothing.
    """
    matrix = np.ones((reader.n + 1, 1)) if matrix is None else matrix
    doubles = matrix.astype(float)
    offsets = _offsets(reader, doubles)
    reading, mixture = _program(reader.beliefs, doubles, reader.losses, offsets, progress)
    if matrix.dtype == object and reader.exact_losses is not None:
        return _exactly(reader, matrix, reading, mixture)
    reading, mixture = _distributions(reading), np.maximum(mixture, 0) / np.maximum(mixture, 0).sum()
    found = _bounded(reader, doubles, reading, mixture)
    rising = _bounded(reader, doubles, _distributions(_rising(reader, doubles, reading).astype(float)), mixture)
    return rising if rising.high <= found.high + _TOLERANCE * float(np.abs(reader.losses).max()) else found


def _rising(reader: AudienceReader, matrix: NDArray[Any], reading: NDArray[Any]) -> NDArray[Any]:
    """Return a reading that never falls as the output rises; for a loss of Theorem A and geometric noise it costs no count more.

    S. Karlin, H. Rubin, "The theory of decision procedures for distributions with monotone likelihood ratio", 1956: for each r,
    a threshold decides if the reading is at most r. It makes that as likely as before for the largest count that wants such a
    reading, hence not less likely for smaller ones, or for the least count that wants a greater one, or anything in between.
    """
    size, m = reading.shape
    sums, below = matrix.cumsum(axis=1), matrix @ reading.cumsum(axis=1)
    held = np.flatnonzero(reader.beliefs.max(axis=0))
    least = np.maximum.accumulate(reader.losses.argmin(axis=1))[held]

    def place(i: int, r: int) -> Fraction:
        j = min(int(np.searchsorted(sums[i], below[i, r])), size - 1)
        rest = Fraction(below[i, r] - sums[i, j] + matrix[i, j])
        return j + min(rest / Fraction(matrix[i, j]), Fraction(1)) if matrix[i, j] else Fraction(j)

    ends = [Fraction(0)]
    for r, split in enumerate(np.searchsorted(least, range(m - 1), side="right")):
        low = place(held[split - 1], r) if split else Fraction(0)
        high = place(held[split], r) if split < len(held) else Fraction(size)
        ends.append(_simple(low, high))
    parts, ones = [*pairwise(ends), (ends[-1], Fraction(size))], [Fraction(j) for j in range(size)]
    return np.array([[max(min(b, j + 1) - max(a, j), Fraction(0)) for a, b in parts] for j in ones], dtype=object)


def _simple(low: Fraction, high: Fraction) -> Fraction:
    """Return the number between two with the least denominator, the nearest to the middle; the middle if all are large."""
    middle = (low + high) / 2
    for part in range(1, _PARTS):
        first, last = math.ceil(low * part), math.floor(high * part)
        if first <= last:
            return Fraction(min(max(round(middle * part), first), last), part)
    return middle


def _offsets(reader: AudienceReader, matrix: Floats) -> Floats:
    """The least loss of each candidate where regret is minimised; otherwise 0."""
    if reader.cautious != "regret":
        return np.zeros(len(reader.beliefs))
    return np.array([((prior[:, np.newaxis] * matrix).T @ reader.losses).min(axis=1).sum() for prior in reader.beliefs])


def _program(beliefs: Floats, matrix: Floats, losses: Floats, offsets: Floats, progress: Progress) -> tuple[Floats, Floats]:
    """Return the probabilities T, (outputs, m), and the multipliers of the candidates, by column generation."""
    outputs, m = matrix.shape[1], losses.shape[1]
    scale = float(np.abs(losses).max()) or 1.0
    losses, offsets = losses / scale, offsets / scale
    middle = beliefs.mean(axis=0)
    first = ((middle[:, np.newaxis] * matrix).T @ losses).argmin(axis=1)
    chosen = np.zeros((outputs, m), dtype=bool)
    for away in (-1, 0, 1):
        chosen[np.arange(outputs), np.clip(first + away, 0, m - 1)] = True
    widened = False
    for _ in range(_MOST_ROUNDS):
        progress(None, "the best reading against the worst case")
        places, readings = np.nonzero(chosen)
        chances, mixture, value = _solve(beliefs, matrix, losses, offsets, places, readings)
        scores = ((mixture @ beliefs)[:, np.newaxis] * matrix).T @ losses
        below = scores.min(axis=1).sum() - mixture @ offsets
        best = np.zeros_like(chosen)
        best[np.arange(outputs), scores.argmin(axis=1)] = True
        if value - below <= _GOOD:
            break
        if not (best & ~chosen).any():
            if widened:
                break
            widened = True
            order = np.argsort(scores, axis=1)[:, : min(3, m)]
            best[np.arange(outputs)[:, np.newaxis], order] = True
        chosen |= best
    reading = np.zeros((outputs, m))
    reading[places, readings] = chances
    return reading, mixture


def _solve(
    beliefs: Floats, matrix: Floats, losses: Floats, offsets: Floats, places: Integers, readings: Integers
) -> tuple[Floats, Floats, float]:
    """Solve the linear program over the probabilities of some readings."""
    from scipy import sparse  # imported late: a window opens without it
    from scipy.optimize import linprog

    columns = beliefs @ (matrix[:, places] * losses[:, readings])
    outputs = matrix.shape[1]
    count = len(places)
    made: Any = sparse
    sums = made.csr_matrix((np.ones(count), (places, np.arange(count))), shape=(outputs, count + 1))
    cost = np.zeros(count + 1)
    cost[-1] = 1
    found: Any = linprog(
        cost,
        A_ub=np.hstack([columns, -np.ones((len(beliefs), 1))]),
        b_ub=offsets,
        A_eq=sums,
        b_eq=np.ones(outputs),
        bounds=[(0, None)] * count + [(None, None)],
        method="highs-ds",
        options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
    )
    mixture = np.maximum(-found.ineqlin.marginals, 0)
    return found.x[:-1], mixture / mixture.sum(), float(found.x[-1])


def _bounded(reader: AudienceReader, matrix: Floats, reading: Floats, mixture: Floats) -> CautiousReading:
    """Return both bounds in doubles, rounded outwards."""
    offsets = _offsets(reader, matrix)
    costs = ((matrix @ reading) * reader.losses).sum(axis=1)
    error = 1e-15 * (reader.n + 4) * float(np.abs(reader.losses).max() or 1.0)
    high = float((reader.beliefs @ costs - offsets).max()) + error
    scores = ((mixture @ reader.beliefs)[:, np.newaxis] * matrix).T @ reader.losses
    offset = float(mixture @ offsets)
    low = float(scores.min(axis=1).sum()) - offset - error
    return CautiousReading(reading, tuple(mixture.tolist()), high, min(low, high), offset)


def _exactly(reader: AudienceReader, matrix: NDArray[Any], reading: Floats, mixture: Floats) -> CautiousReading:
    """Return both bounds in fractions, for a reading and mixture with few digits where that loses nothing."""
    best: CautiousReading | None = None
    key = _Key(reader, matrix)
    for denominator in _DENOMINATORS:
        chances = _rounded_rows(reading, denominator)
        weights = _rounded_rows(mixture[np.newaxis], denominator)[0]
        found = _bounds(key, chances, weights)
        if best is None:
            best = found
        better = best if best.high <= found.high else found
        surer = best if best.low >= found.low else found
        best = CautiousReading(better.reading, surer.mixture, better.high, surer.low, surer.offset)
        if best.high == best.low:
            break
    assert best is not None
    rising = _bounds(key, _rising(reader, matrix, best.reading), np.array(best.mixture, dtype=object))
    return rising if rising.high <= best.high else best


class _Key:
    """A reader and a release in fractions."""

    def __init__(self, reader: AudienceReader, matrix: NDArray[Any]) -> None:
        self.matrix, self.losses = matrix, np.array(reader.exact_losses, dtype=object)
        self.beliefs = np.array(reader.exact_beliefs, dtype=object)
        self.offsets = np.full(len(self.beliefs), Fraction(0), dtype=object)
        if reader.cautious == "regret":
            self.offsets = np.array([self.least(prior) for prior in self.beliefs], dtype=object)

    def least(self, prior: NDArray[Any]) -> Fraction:
        """The least expected loss under a prior."""
        scores = (prior[:, np.newaxis] * self.matrix).T @ self.losses
        return Fraction(scores.min(axis=1).sum())


def _bounds(key: _Key, reading: NDArray[Any], weights: NDArray[Any]) -> CautiousReading:
    costs = ((key.matrix @ reading) * key.losses).sum(axis=1)
    high = max(key.beliefs @ costs - key.offsets)
    offset = Fraction((weights * key.offsets).sum())
    low = key.least(weights @ key.beliefs) - offset
    return CautiousReading(reading, tuple(weights.tolist()), Fraction(high), Fraction(low), offset)


def _rounded_rows(rows: Floats, denominator: int) -> NDArray[Any]:
    made = [[max(_near(float(value), denominator), Fraction(0)) for value in row] for row in rows]
    return np.array([[value / sum(row) for value in row] for row in made], dtype=object)


@lru_cache(maxsize=4096)
def _near(value: float, denominator: int) -> Fraction:
    return Fraction(value).limit_denominator(denominator) if abs(value) > 1e-13 else Fraction(0)


def _distributions(rows: Floats) -> Floats:
    kept = np.where(rows > 1e-12, rows, 0.0)
    return np.asarray(kept / kept.sum(axis=1, keepdims=True))
