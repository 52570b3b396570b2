"""The certificate of a structured loss, without a matrix: the test of `dpdesigner.core.dense.certificate`, column by column.

A dual w proves that no release of one of the columns, private and made from the count alone, costs less than sum(w) if every
column passes: c_r - w in K* (THEORY.md 3). The w that comes with the remap does so exactly where Theorem A holds; in doubles it
must be lowered a little. (1 - d) w is tried with a d of some roundings, and with four times that as long as a column does not
pass.

The columns are tested in windows about the rows where they are tightest (`dpdesigner.core.structured.windows`). Where all
windows together are short, every column is tested, and the proof rests on nothing else. Where they are long, as for a million
rows that are nearly ignorant, as many columns are tested as a fraction of a second allows, chosen at random but the same ones
each time; for the others Theorem A (THEORY.md 2) vouches that they pass in exact arithmetic, and the lowering found is taken
for theirs. `basis` says in words which of the two it was.

As alpha tends to 1 the dual of the remap is the difference of nearly equal numbers. Then the costs of the best constant reading
are tried as w too, and the better bound is kept.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.mechanism.certificate import Certificate
from dpdesigner.core.numbers.rounding import grouped
from dpdesigner.core.structured.losses import StructuredLoss
from dpdesigner.core.structured.windows import LEAST, windows_of

_UNIT = 2.0**-53
_GOOD = 1e-11
#: Windows longer than this are run one by one.
_LONG = 4096
#: How many rows are run in all, and in long windows; at least so many columns are tested.
_ROWS, _LONG_ROWS, _FEWEST = 6_000_000, 1_000_000, 2
_COLUMNS_AT_ONCE = 1 << 15


def certify(
    bases: Sequence[Floats], weights: Floats, kind: StructuredLoss, offset: Floats, alpha: float, value: float, rounding: float
) -> Certificate:
    """Return the certificate of a mechanism for a structured loss, in floating point made one-sided.

    Parameters
    ----------
    bases : sequence of ndarray
        (n + 1,) each: candidates for w, less `offset`; a later one is tried where those before it prove little.
    weights : ndarray
        (n + 1,): what the losses of `kind` are weighted with.
    kind : StructuredLoss
    offset : ndarray
        (n + 1,): a part of every column of the costs that the kind leaves out.
    alpha : float
        Within 4 units of rounding of the true one.
    value, rounding : float
        The expected loss of the mechanism, less the sum of `offset`, known to within `rounding`.
    """
    best: _Tested | None = None
    for base in bases:
        if best is None or best.bound < value - _GOOD * abs(value):
            tested = _Tested(base, *least_lowering(weights, kind, base, alpha))
            best = tested if best is None or tested.bound > best.bound else best
    if best is None:
        raise ValueError("a certificate needs a candidate")
    dual, gap = best.base * (1 - best.lowering) + offset, math.nextafter(max(value - best.bound, 0.0) + rounding, math.inf)
    columns, checked = len(offset), best.checked
    basis = f"all {grouped(columns)} columns checked"
    if checked < columns:
        basis = f"Theorem A; {grouped(checked)} of {grouped(columns)} columns checked"
    return Certificate(dual, gap, LEAST, columns, checked, basis, rounding)


@dataclass(frozen=True, eq=False)
class _Tested:
    """A candidate, how far it must be lowered, and how many columns were tested for that."""

    base: Floats
    lowering: float
    checked: int

    @cached_property
    def bound(self) -> float:
        """No private release of a whole number 0..n from the count alone has an expected loss below this."""
        whole = float(self.base.sum())  # in pairs: 64 units of rounding are more than enough
        return whole * (1 - self.lowering) - 64 * _UNIT * whole - len(self.base) * LEAST


def least_lowering(weights: Floats, kind: StructuredLoss, dual: Floats, alpha: float) -> tuple[float, int]:
    """Return a t in (0, 1] with c_r - (1 - t) w in K* for every column tested, and how many columns were tested.

    Lowering w in proportion costs little where the prior is uneven: the optimum is at least (1 - t) sum(w).

    Parameters
    ----------
    weights : ndarray
        (n + 1,).
    kind : StructuredLoss
    dual : ndarray
        (n + 1,): w, not negative.
    alpha : float
    """
    if not dual.any():
        return 32 * _UNIT, len(dual)
    windows = windows_of(weights, kind, dual, alpha)
    columns, long_columns = _chosen(windows.high - windows.low + 1)
    for start in range(0, len(columns), _COLUMNS_AT_ONCE):
        while windows.lowering < 1 and not windows.passes(columns[start : start + _COLUMNS_AT_ONCE]):
            windows.lower(4 * windows.lowering)
    for column in long_columns.tolist():
        while windows.lowering < 1 and not windows.passes_alone(column):
            windows.lower(4 * windows.lowering)
    return windows.lowering, len(columns) + len(long_columns)


def _chosen(lengths: Integers) -> tuple[Integers, Integers]:
    """Columns to test together, by the length of their windows, and those to test one by one; all where there is time."""
    order = np.random.default_rng(len(lengths)).permutation(len(lengths))
    is_long = lengths[order] > _LONG
    short, long = order[~is_long], order[is_long]
    keep = max(int(np.searchsorted(np.cumsum(lengths[short]), _ROWS)), _FEWEST)
    keep_long = max(int(np.searchsorted(np.cumsum(lengths[long]), _LONG_ROWS)), _FEWEST)
    short = short[:keep]
    return short[np.argsort(lengths[short], kind="stable")], long[:keep_long]
