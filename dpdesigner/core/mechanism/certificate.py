"""The certificate: a bound on a mechanism's distance from the optimum, by linear programming duality.

The linear program min sum_r <c_r, x_r> over columns x_r in the cone K = {x >= 0 : alpha x_i <= x_{i+1} <= x_i / alpha} with rows
summing to 1 has the dual max <w, 1> subject to c_r - w in K* for every r. Any w that passes proves that no private release
of one of the columns, made from the true result alone, has an expected loss below sum(w) (THEORY.md, section 3). Membership of v
in K* is exact by V_n = v_n, V_i = v_i + min(alpha V_{i+1}, V_{i+1} / alpha), V_0 >= 0 (take x_i = 1 and
x_{i+1} = t in [alpha, 1 / alpha]; the rest scales).

In floating point the test is made one-sided: every rounding is charged against v, and w is lowered by a small eta until the
test passes. What passes here passes in exact arithmetic, so the gap stated is never too small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.coverage import Turns
from dpdesigner.core.basics.prior import PROBABILITY_ERROR
from dpdesigner.core.mechanism.mechanism import Certificate
from dpdesigner.core.mechanism.scores import FullScores, NearScores

Quick = FullScores | NearScores

_UNIT = 2.0**-53
_FLOOR = -1e200
_SMALLEST_ALPHA = 1e-290
_ROWS = 16
#: The quick tests charge every sum for its roundings by its own size. For them a dual is lowered by a share of each entry and of
#: the mean entry, and by more than what is too small for doubles.
_TINY = 1e-300


@dataclass(frozen=True)
class Costs:
    """The costs c_r(i) = prior_i l(i, r) of a design, stored as factors.

    Attributes
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray
        (n + 1, m): l(i, r).
    low, high : ndarray
        (n + 1,): the least and the largest loss of each row.
    turns : Turns or None
        Of the loss, where `dpdesigner.core.mechanism.scores` is worth while.
    """

    prior: Floats
    loss: Floats
    low: Floats
    high: Floats
    turns: Turns | None = None

    @classmethod
    def of(cls, costs: Floats) -> Costs:
        """Wrap costs c[i, r] that are already multiplied out."""
        return cls(np.ones(len(costs)), costs, costs.min(axis=1), costs.max(axis=1))

    @cached_property
    def bounds(self) -> Floats:
        """The largest |c_r(i)| of each row, (n + 1,)."""
        return np.asarray(self.prior * np.maximum(self.high, -self.low))

    @cached_property
    def charges(self) -> Floats:
        """The bounds of the rows with a negative loss, 0 for the others."""
        return np.where(self.low < 0, self.bounds, 0.0)

    def rounding(self, value: float, alpha: float) -> float:
        """Bound the error of an expected loss computed from these costs by sums of at most n + 1 terms in blocks.

        What is d rows away carries 3 roundings of alpha d times; what is further than `far` is less than exp(-37) of the whole.
        The probabilities themselves are known up to their own error: in the expected loss and in the optimum.
        """
        n, largest = len(self.prior) - 1, float(self.bounds.sum())
        sizes = largest if self.charges.any() else value
        far = min(n, 37 / (1 - alpha)) if alpha < 1 else n
        rounding = _UNIT * ((n / 8 + 96 + 3 * far) * sizes + n * math.exp(-37) * largest)
        return rounding + 2 * PROBABILITY_ERROR * sizes


def certified_gap(costs: Floats, dual: Floats, value: float, alpha: float) -> float:
    """Return an upper bound on `value` minus the optimum; parameters as in `certify`, with c[i, r] multiplied out."""
    return float(certify(Costs.of(costs), dual, value, alpha).gap)


def certify(costs: Costs, dual: Floats, value: float, alpha: float, quick: Quick | None = None) -> Certificate:
    """Find the least shift that makes a dual solution feasible.

    Parameters
    ----------
    costs : Costs
        Prior and loss.
    dual : ndarray
        (n + 1,): a candidate w.
    value : float
        The expected loss of the mechanism to be judged.
    alpha : float
        The privacy level, within 4 units of rounding of the true one.
    quick : FullScores or NearScores, optional
        Where the remap has found them.

    Returns
    -------
    Certificate
        Its gap is rounded up and at least 0.
    """
    lowered = None if quick is None else _quickly_lowered(quick, costs, dual)
    dual, shift = lowered or (dual, _least_shift(costs, dual, alpha))
    dual.flags.writeable = False
    # As few numbers as a matrix has rows are summed in pairs: 32 units of rounding are more than enough.
    lower = float(dual.sum()) - 32 * _UNIT * float(np.abs(dual).sum()) - len(dual) * shift
    rounding = costs.rounding(value, alpha)
    gap, columns = math.nextafter(max(value - lower, 0.0) + rounding, math.inf), costs.loss.shape[1]
    return Certificate(dual, gap, shift, columns, columns, rounding=rounding)


def _quickly_lowered(quick: Quick, costs: Costs, dual: Floats) -> tuple[Floats, float] | None:
    """Return the dual, lowered until a quick test passes, and its shift; None if no quick test passes."""
    size = len(dual)
    # A sum of fewer blocks is accurate to fewer units; it needs more where alpha is near 1.
    for units in (150 + size / 2, 300 + size):
        charged = units * _UNIT * (np.abs(dual) + costs.charges)
        lowered, shift = dual - charged, float(charged.sum()) / size + _TINY
        if quick.passes(lowered, costs.charges, shift):
            return lowered, shift
    return None


def _least_shift(costs: Costs, dual: Floats, alpha: float) -> float:
    """Return the least tried eta with every c_r - w + eta in K*: a ladder by factors of four, bisected where it is coarse."""
    sizes = costs.charges + np.abs(dual)
    weights = np.where(costs.low < 0, costs.prior, costs.prior * (1 - 4 * _UNIT))
    largest = 2 * float((costs.bounds + np.abs(dual)).max()) + _TINY
    step, failed = min(64 * _UNIT * float(sizes.max()) + _TINY, largest), 0.0
    while step < largest and not _feasible(costs.loss, weights, dual, sizes, alpha, step):
        failed, step = step, step * 4
    if step > 1e-12 * largest:
        for _ in range(16):
            middle = math.sqrt(failed * step) if failed else step / 2
            if _feasible(costs.loss, weights, dual, sizes, alpha, middle):
                step = middle
            else:
                failed = middle
    return step


def _feasible(loss: Floats, weights: Floats, dual: Floats, sizes: Floats, alpha: float, shift: float) -> bool:
    """Whether every c_r - w + shift is certainly in K*.

    Roundings are charged where they arise: those of c_r(i) = p_i l(i, r) to `weights` (lowered by 4 units where l >= 0) or to
    `sizes`, those of the sums with w to `sizes`, those of the products with V and the error of alpha to the two factors.
    """
    margins = shift - dual - 4 * _UNIT * (sizes + shift)
    value, scaled = np.zeros(loss.shape[1]), np.empty(loss.shape[1])
    down, up = alpha * (1 - 8 * _UNIT), 0.0 if alpha < _SMALLEST_ALPHA else (1 + 8 * _UNIT) / alpha
    reduced = np.empty((_ROWS, loss.shape[1]))
    with np.errstate(over="ignore"):  # minus infinity is raised to the floor, infinity never wins the minimum
        for stop in range(len(dual), 0, -_ROWS):
            rows = slice(max(stop - _ROWS, 0), stop)
            block = np.multiply(loss[rows], weights[rows, None], out=reduced[: rows.stop - rows.start])
            block += margins[rows, None]
            for entries in block[::-1]:
                if up:
                    np.multiply(value, down, out=scaled)
                    value *= up
                    np.minimum(scaled, value, out=value)
                else:
                    value = np.where(value < 0, _FLOOR, value * down)
                value += entries
                if up > 1e3:
                    np.maximum(value, _FLOOR, out=value)
            np.maximum(value, _FLOOR, out=value)
    return bool((value >= 0).all())
