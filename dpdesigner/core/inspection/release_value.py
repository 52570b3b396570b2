"""The value of a release to one reader: geometric noise at a level, or any table, with the reader's best reading.

One draw of geometric noise serves every reader whose loss Theorem A covers as well as a release made for that reader alone
([GRS] Theorem 3.1 and its generalisation; THEORY.md). For other losses the linear program tells what a tailored release would
cost. Losses are rounded up, optima down; rational inputs give fractions up to n = 60.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.rounding import context
from dpdesigner.core.count.closed_form import solve_by_matrix
from dpdesigner.core.inspection import readers
from dpdesigner.core.inspection.optimum import first_below
from dpdesigner.core.inspection.readers import AudienceReader
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.linear_program import solve_linear_program
from dpdesigner.core.mechanism.mechanism import Certificate, Solution
from dpdesigner.core.mechanism.remap import bayes_remap, solve_exactly
from dpdesigner.core.mechanism.scores import nearest_best
from dpdesigner.core.mechanism.structured_remap import structured_remap
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

Exact = Fraction | float

#: Above these n, fractions with many digits are slow.
MOST_EXACT_N, MOST_CAUTIOUS_N = 60, 25
#: Above this n, no linear program is solved for a loss that Theorem A does not cover.
MOST_PROGRAM_N = 120
#: Above this n, a table is read in doubles.
MOST_READ_EXACTLY_N = 120
#: Up to this n, computing the scores of all readings is quicker than finding the structure of a loss.
MOST_DENSE_N = 1000
_FURTHEST = 4  # times n: the largest label that is taken as a count
_ROUND = 1e-15  # generous relative error per term of a sum of doubles of the same sign


@dataclass(frozen=True, eq=False)
class Served:
    """The value of one release to one reader.

    Attributes
    ----------
    loss : Fraction or float
        The least expected loss of any reading of the release; of a cautious reader the largest over the candidates.
    optimum : Fraction or float
        No release as private, made for this reader alone, costs less; None where that was not computed.
    remap : tuple of int or None
        What each output is read as, as columns of the loss; None for an output that the reader holds for impossible. Empty for a
        cautious reader.
    reading : array (outputs, m) or None
        How likely each output is read as what, for a cautious reader: fractions (dtype object) or doubles.
    least_favourable : tuple
        Of a cautious reader: the weights of the candidates, whose mixture allows no lower loss. Empty for others.
    gap : Fraction or float
        How far the loss is above the least possible, at most; proved.
    ignore : Fraction or float
        The least expected loss without looking at the release.
    face : Fraction or float or None
        The expected loss where each output is taken for the count itself; None where readings are no counts.
    """

    loss: Exact
    optimum: Exact | None
    remap: tuple[int | None, ...]
    reading: NDArray[Any] | None
    least_favourable: tuple[Exact, ...]
    ignore: Exact
    face: Exact | None

    @property
    def gap(self) -> Exact | None:
        """An upper bound on the loss minus the least possible loss."""
        return None if self.optimum is None else self.loss - self.optimum

    @property
    def uses_the_data(self) -> bool:
        """Whether the release lowers the reader's expected loss."""
        if isinstance(self.loss, Fraction) and isinstance(self.ignore, Fraction):
            return self.loss < self.ignore
        return float(self.loss) < float(self.ignore) * (1 - 1e-12)

    @property
    def read_as(self) -> tuple[int | None, ...]:
        """The reading of each output; for a cautious reader the most likely one."""
        return self.remap if self.reading is None else tuple(int(np.argmax(row)) for row in self.reading)


def serve(
    reader: AudienceReader,
    level: PrivacyLevel,
    *,
    roughly: bool = False,
    certified: bool = True,
    progress: Progress = silent,
) -> Served:
    """Compute a reader's reading of geometric noise at a level.

    Parameters
    ----------
    reader : AudienceReader
    level : PrivacyLevel
    roughly : bool
        In doubles, and without a linear program for losses that Theorem A does not cover: while a drag lasts.
    certified : bool
        Whether a certificate is made in doubles too; without one the optimum rests on Theorem A where that covers the loss.
    progress : Progress
    """
    most = MOST_CAUTIOUS_N if reader.cautious else MOST_EXACT_N
    alpha = None if roughly or reader.n > most or reader.exact_losses is None else short_alpha(level)
    if reader.cautious:
        return _cautiously(reader, level, alpha, roughly, progress)
    if alpha is not None:
        losses = reader.exact_losses or []
        solved = solve_exactly(reader.prior.exact, losses, alpha)
        beliefs = reader.prior.exact
        ignore: Exact = min(
            sum((p * row[r] for p, row in zip(beliefs, losses, strict=True)), Fraction(0)) for r in range(len(losses[0]))
        )
    else:
        solved = _in_doubles(reader, level, certified)
        ignore = reader.constant_loss * (1 - _ROUND * (reader.n + 2))
    value: Exact = solved.value
    gap: Exact = solved.certificate.gap
    if alpha is None:
        up = solved.certificate.rounding + 1e-300
        value, gap = min(float(value) + up, max(float(ignore), float(value))), float(gap) + up
    bound: Exact | None = max(value - gap, type(value)(0)) if reader.costs.low.min() >= 0 else value - gap
    if not reader.covered and gap:
        bound = None if roughly else _bound(reader, reader.prior.probabilities, level, bound, progress)
    seen = reader.prior.probabilities @ noise(level, reader.n) > 0 if level.exact_alpha in (0, 1) else None
    remap = tuple(None if seen is not None and not seen[j] else int(r) for j, r in enumerate(solved.outputs))
    return Served(value, bound, remap, None, (), ignore, _face(reader, level, alpha))


def _in_doubles(reader: AudienceReader, level: PrivacyLevel, certified: bool = True) -> Solution:
    if reader.n > MOST_DENSE_N and reader.structure is not None and reader.covered:
        return structured_remap(reader.prior.probabilities, reader.structure, level)
    costs = reader.costs
    if certified or not reader.covered:
        return solve_by_matrix(costs, level, reader.covered)
    remap = bayes_remap(costs.prior, costs.loss, level, monotone=True, turns=costs.turns)
    rounding = costs.rounding(remap.value, level.alpha)
    return Solution(remap.outputs, remap.value, Certificate(remap.dual, rounding, 0.0, 0, 0, rounding=rounding))


def _bound(reader: AudienceReader, prior: Floats, level: PrivacyLevel, known: Exact | None, progress: Progress) -> Exact | None:
    """A lower bound on the loss of all equally private releases, by the linear program; the known bound where that is higher."""
    if reader.n > MOST_PROGRAM_N:
        return known
    costs = prior[:, np.newaxis] * reader.losses
    found = solve_linear_program(costs, level.alpha, progress=progress)
    low = found.value - found.gap
    return low if known is None or low > known else known


def _face(reader: AudienceReader, level: PrivacyLevel, alpha: Fraction | None) -> Exact | None:
    """Return the expected loss of taking each output at face value; for a cautious reader, the largest over candidates."""
    n = reader.n
    if reader.readings != n + 1 or reader.labels:
        return None
    if alpha is not None and reader.exact_losses is not None:
        weights, powers = geometric.exact_weights(alpha, n), geometric.powers(alpha, n)
        rows = [
            sum((powers[abs(i - j)] * weights[j] * row[j] for j in range(n + 1)), Fraction(0))
            for i, row in enumerate(reader.exact_losses)
        ]
        return max(sum((p * row for p, row in zip(prior, rows, strict=True)), Fraction(0)) for prior in reader.exact_beliefs)
    inside = np.einsum("ij,ij->i", noise(level, n), reader.losses)
    return float((reader.beliefs @ inside).max()) * (1 + _ROUND * (n + 2))


def _cautiously(reader: AudienceReader, level: PrivacyLevel, alpha: Fraction | None, roughly: bool, progress: Progress) -> Served:
    """Return a randomised reading for a cautious reader of geometric noise, and the least favourable prior."""
    matrix: NDArray[Any] = noise(level, reader.n)
    if alpha is not None:
        weights, powers = geometric.exact_weights(alpha, reader.n), geometric.powers(alpha, reader.n)
        size = range(reader.n + 1)
        matrix = np.array([[powers[abs(i - j)] * weights[j] for j in size] for i in size], dtype=object)
    found = readers.read(reader, matrix, progress)
    blind = readers.read(reader, np.ones((reader.n + 1, 1), dtype=object) * Fraction(1) if alpha is not None else None, silent)
    low: Exact | None = found.low
    if not reader.covered:
        mixture = np.array([float(q) for q in found.mixture]) @ reader.beliefs
        tailored = None if roughly else _bound(reader, mixture, level, None, progress)
        offsets = 0 if not reader.cautious == "regret" else float(found.offset)
        low = None if tailored is None else min(float(tailored) - offsets, float(found.low))
    face = _face(reader, level, alpha) if reader.cautious == "loss" else None
    return Served(found.high, low, (), found.reading, found.mixture, blind.high, face)


def read_table(reader: AudienceReader, table: ReleaseTable, progress: Progress = silent) -> Served:
    """Compute a reader's best reading of any table; the reader's optimum is not included.

    Raises
    ------
    InputError
        If the table has another number of rows than the reader's prior.
    """
    if table.n != reader.n:
        raise InputError(f"the table has {table.n + 1} rows, but reader {reader.name} needs {reader.n + 1}.", "table")
    exactly = table.exact and table.n <= MOST_READ_EXACTLY_N and reader.exact_losses is not None
    if reader.cautious:
        matrix: NDArray[Any] = table.doubles
        if exactly:
            weights = [[Fraction(w, total) for w in row] for row, total in zip(table.weights, table.totals, strict=True)]
            matrix = np.array(weights, dtype=object)
        found = readers.read(reader, matrix, progress)
        blind = readers.read(reader, np.full((reader.n + 1, 1), Fraction(1), dtype=object) if exactly else None, silent)
        face = _face_of_table(reader, table, exactly) if reader.cautious == "loss" else None
        return Served(found.high, None, (), found.reading, found.mixture, blind.high, face)
    joint, losses, scale = _numbers(reader, table, exactly)
    scores = joint.T @ losses
    best = nearest_best(scores, table.labels)[0]
    remap = tuple(int(r) if seen else None for r, seen in zip(best, joint.sum(axis=0) > 0, strict=True))
    total = scores.min(axis=1).sum()
    ignore = scores.sum(axis=0).min()
    face = _face_of_table(reader, table, exactly)
    if exactly:
        return Served(Fraction(total, scale), None, remap, None, (), Fraction(ignore, scale), face)
    return Served(float(total) * (1 + _ROUND * (reader.n + 2)), None, remap, None, (), float(ignore), face)


def _face_of_table(reader: AudienceReader, table: ReleaseTable, exactly: bool) -> Exact | None:
    """Return the expected loss of taking each release of a table as its label; None if a label is no count."""
    n, most = reader.n, max(reader.n, *table.labels)
    if reader.labels or table.names or min(table.labels) < 0 or most > _FURTHEST * n:
        return None
    losses: Any = reader.exact_losses if exactly else reader.losses
    if most > n and isinstance(reader.loss, Loss):
        try:
            losses = reader.loss.exact_matrix(most) if exactly else reader.loss.matrix(most)
        except InputError:  # a matrix of n + 1 columns
            return None
    if len(losses[0]) != most + 1:
        return None
    if not exactly:
        inside = np.einsum("ij,ij->i", table.doubles, losses[: n + 1][:, list(table.labels)])
        return float((reader.beliefs @ inside).max()) * (1 + _ROUND * (n + 2))
    rows = [
        sum((w * row[label] for w, label in zip(weights, table.labels, strict=True)), Fraction(0)) / total
        for weights, row, total in zip(table.weights.tolist(), losses[: n + 1], table.totals, strict=True)
    ]
    return max(sum((p * row for p, row in zip(prior, rows, strict=True)), Fraction(0)) for prior in reader.exact_beliefs)


def _numbers(reader: AudienceReader, table: ReleaseTable, exactly: bool) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Return p_i M_ij and l(i, r), in whole numbers where possible, and their common denominator."""
    if not exactly:
        return reader.prior.probabilities[:, np.newaxis] * table.doubles, reader.losses, 1
    weights, scale = table.common
    prior, losses = reader.prior.exact, reader.exact_losses or []
    below = math.lcm(*(p.denominator for p in prior))
    chances = np.array([int(p * below) for p in prior], dtype=object)
    unit = math.lcm(*(value.denominator for row in losses for value in row))
    whole = np.array([[int(value * unit) for value in row] for row in losses], dtype=object)
    return chances[:, np.newaxis] * weights, whole, below * scale * unit


def posterior(reader: AudienceReader, matrix: Floats, released: int, mixture: tuple[Exact, ...] = ()) -> Floats | None:
    """Return a reader's posterior after an output, (n + 1,), using a cautious reader's worst mixture; None if impossible."""
    prior = reader.prior.probabilities
    if mixture:
        prior = np.array([float(weight) for weight in mixture]) @ reader.beliefs
    joint = prior * matrix[:, released]
    total = joint.sum()
    return joint / total if total > 0 else None


@lru_cache(maxsize=4)
def noise(level: PrivacyLevel, n: int) -> Floats:
    """Return the table of geometric noise, (n + 1, n + 1), which all readers share."""
    return geometric.matrix(level, n)


def short_alpha(level: PrivacyLevel) -> Fraction | None:
    """Return the rational alpha of a level whose powers are short enough to work with; None for others."""
    alpha = level.exact_alpha
    return alpha if alpha is not None and alpha.denominator.bit_length() <= 100 else None


def shared_level(level: PrivacyLevel, parts: int) -> PrivacyLevel:
    """Return the level of each of this many independent releases with this joint level: alpha to the power 1 / parts.

    It is exact where that root is rational, or epsilon is; else alpha is rounded down, which never makes a table seem worse.
    """
    if parts == 1 or level.exact_alpha in (0, 1):
        return level
    if (epsilon := level.exact_epsilon) is not None:
        return PrivacyLevel.from_epsilon(epsilon / parts)
    alpha = level.exact_alpha
    if alpha is not None and (root := _root(alpha, parts)) is not None:
        return PrivacyLevel("alpha", root)
    down = context(60, ROUND_FLOOR)
    below = level.alpha_below
    number = down.divide(Decimal(below.numerator), Decimal(below.denominator))
    return PrivacyLevel("alpha", Fraction(down.exp(down.divide(down.ln(number), Decimal(parts)))) * (1 - Fraction(1, 10**50)))


def joint_ratio(level: PrivacyLevel, tables: int, parts: int) -> Exact:
    """Return the joint e^epsilon of independent releases at alpha^(1 / parts) each: alpha^(-tables / parts), rounded up.

    It is attained: from the count 0 to 1, each such table has an output whose ratio is exactly that of its level.

    Parameters
    ----------
    level : PrivacyLevel
    tables : int
        How many of them tell anything about the data.
    parts : int
    """
    if not tables:
        return Fraction(1)
    alpha = level.exact_alpha
    if alpha == 0:
        return math.inf
    if alpha is not None and tables % parts == 0:
        return (1 / alpha) ** (tables // parts)
    if alpha is not None and (root := _root(alpha, parts)) is not None:
        return (1 / root) ** tables
    exponent = level.epsilon_above * tables / parts
    return math.exp(exponent) * (1 + 1e-14 * max(exponent, 1.0)) if exponent < 709 else math.inf


def _root(alpha: Fraction, k: int) -> Fraction | None:
    roots = []
    for whole in alpha.as_integer_ratio():
        near = round(whole ** (1 / k)) if whole < 1 << 900 else 0
        roots.append(next((each for each in (near - 1, near, near + 1) if each > 0 and each**k == whole), 0))
    return Fraction(*roots) if all(roots) else None


def least_epsilon(reader: AudienceReader, target: Exact, progress: Progress = silent) -> float | None:
    """Return the least epsilon at which a reader of geometric noise has at most this loss, rounded up in the last digits.

    0 where ignoring the data suffices, infinite where only the true count itself does, None where even that costs more.
    """
    aim = float(target)
    least, most = ends(reader)
    if Fraction(target) < Fraction(least) * (1 - Fraction(1, 10**13)):
        return None
    if aim >= float(most) * (1 - 1e-14):
        return 0.0
    if aim <= float(least):
        return math.inf

    def excess(place: float) -> float:
        progress(None, "the least ε for a target")
        return loss_at(reader, math.exp(place)) - aim

    return first_below(excess)


def ends(reader: AudienceReader) -> tuple[Exact, Exact]:
    """Return the least loss at any epsilon: where the count itself is released, and where nothing is."""
    if reader.cautious:
        n = reader.n
        told = readers.read(reader, np.eye(n + 1), silent).high
        return told, readers.read(reader, None, silent).high
    exactly = None if reader.n > MOST_EXACT_N else reader.exact_losses
    if exactly is None:
        prior = reader.prior.probabilities
        return float(prior @ reader.losses.min(axis=1)), reader.constant_loss
    chances = reader.prior.exact
    told_exactly = sum((p * min(row) for p, row in zip(chances, exactly, strict=True)), Fraction(0))
    columns = zip(*exactly, strict=True)
    return told_exactly, min(sum((p * v for p, v in zip(chances, column, strict=True)), Fraction(0)) for column in columns)


def loss_at(reader: AudienceReader, epsilon: float) -> float:
    """Return the expected loss of a reader of geometric noise at an epsilon, in doubles."""
    level = PrivacyLevel.from_epsilon(epsilon)
    if reader.cautious:
        return float(readers.read(reader, noise(level, reader.n), silent).high)
    if reader.n <= MOST_DENSE_N:
        costs = reader.costs
        return bayes_remap(costs.prior, costs.loss, level, reader.covered, costs.turns).value
    return float(_in_doubles(reader, level).value)
