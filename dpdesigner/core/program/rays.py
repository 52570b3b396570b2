"""The extreme rays of the cone of private columns, and the search for the one that a linear program lacks.

A column x of a private mechanism, the chances of one release for every true result, lies in K = {x >= 0 : alpha x_i <= x_{i+1}
<= x_i / alpha}. For 0 < alpha < 1 K is spanned by the vectors whose every step is one of the two extremes: 2^n of them. Scaled
so that the largest entry is 1, such a ray is alpha^e with whole exponents e_i >= 0, neighbours differing by 1. That is how rays
are kept, since it survives a change of alpha and never loses a digit. The columns of the geometric mechanism are the rays with
one peak.

A linear program over some of the rays asks which of the others would help: those with <v, x> < 0, v = c_r - w being what a
release costs less the dual. The least <v, x> over rays with x_i = 1 is found by the recursion of the certificate (THEORY.md 3),
once from each end: V_i = v_i + min(alpha V_{i+1}, V_{i+1} / alpha). Since V_{i+1} multiplies either alpha or 1 / alpha, its
sign tells which of the two, that is which way the ray steps; so a ray is traced back from its root i by signs alone. One search
gives the best ray of each column and the best through each row. If there is none, every v is in K*: w is feasible and proves
the optimum.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers

Exponents = NDArray[np.int16]

_FLOOR = -1e200
#: What is of the order of 1 stays within doubles when it grows by so many powers of ten.
_SAFE_GROWTH = 150


def geometric_rays(rows: int) -> Exponents:
    """Return the rays alpha^|i-j| of the columns j of the geometric mechanism, (rows, rows), one in each row."""
    i = np.arange(rows)
    return np.asarray(np.abs(i[:, None] - i), dtype=np.int16)


def negative_rays(vectors: Floats, alpha: float, powers: Floats) -> Exponents:
    """Return rays x with <v, x> < 0: the most negative one found for each v, and for each row the one through it.

    Parameters
    ----------
    vectors : ndarray
        (n + 1, m): one v per column.
    alpha : float
        In (0, 1); at least 1e-100.
    powers : ndarray
        alpha^0, ..., alpha^(n).

    Returns
    -------
    ndarray of int
        (count, n + 1): exponents; the same ray may occur more than once. If there is none, then every v is in K* up to the
        rounding of the recursion.
    """
    rows, columns = vectors.shape
    # Both ends at once: most of the time goes into the number of steps.
    ends = _ends(np.hstack((vectors, vectors[::-1])), alpha)
    heights = _heights(ends)
    after, before = ends[:, :columns], ends[::-1, columns:]
    largest = np.maximum(heights[:, :columns], heights[::-1, columns:])
    # Only the sign is certain far from a ray's peak: the scale there is what the peak loses by, so it is taken out.
    totals = (before + after - vectors) * powers[largest]
    roots = np.concatenate([np.arange(rows), totals.argmin(axis=0)])
    chosen = np.concatenate([totals.argmin(axis=1), np.arange(columns)])
    negative = totals[roots, chosen] < 0
    return _traced(before, after, roots[negative], chosen[negative])


def _ends(vectors: Floats, alpha: float) -> Floats:
    """V: the least <v, x> over the rows from i on, of rays with x_i = 1."""
    values = np.empty_like(vectors)
    value = values[-1]
    value[:] = vectors[-1]
    grown, inverse, limited = np.empty_like(value), 1 / alpha, -len(vectors) * math.log10(alpha) > _SAFE_GROWTH
    for i in range(len(vectors) - 2, -1, -1):
        shrunk = np.multiply(value, alpha, out=values[i])
        np.multiply(value, inverse, out=grown)
        np.minimum(shrunk, grown, out=shrunk)
        value = np.add(shrunk, vectors[i], out=shrunk)
        if limited:
            np.maximum(value, _FLOOR, out=value)
    return values


def _heights(values: Floats) -> Integers:
    """How many steps of 1 / alpha the largest entry from row i on is above the entry in row i."""
    steps = np.where(values >= 0, -1, 1)
    heights = np.zeros(values.shape, dtype=np.int64)
    for i in range(len(values) - 1, 0, -1):
        height = np.add(heights[i], steps[i], out=heights[i - 1])
        np.maximum(height, 0, out=height)
    return heights


def _traced(before: Floats, after: Floats, roots: Integers, chosen: Integers) -> Exponents:
    """The rays through some roots, by the signs that led to their values."""
    i, ray = np.arange(len(after))[:, None], np.arange(len(roots))
    down = np.cumsum(np.where(after[:, chosen] >= 0, 1, -1), axis=0)
    up = np.cumsum(np.where(before[::-1, chosen] >= 0, 1, -1), axis=0)[::-1]
    exponents = np.where(i > roots, down - down[roots, ray], np.where(i < roots, up - up[roots, ray], 0))
    return np.ascontiguousarray((exponents - exponents.min(axis=0)).T, dtype=np.int16)
