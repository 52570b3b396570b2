"""The Bayes remap of a structured loss and its certificate in linear time, without a matrix: n may be a million.

Certificate
-----------
It is the test of `dpdesigner.core.mechanism.certificate`, column by column.

A dual w proves that no release of one of the columns, private and made from the count alone, costs less than sum(w) if every
column passes: c_r - w in K* (THEORY.md 3). The w that comes with the remap does so exactly where Theorem A holds; in doubles it
must be lowered a little. (1 - d) w is tried with a d of some roundings, and with four times that as long as a column does not
pass.

The columns are tested in windows about the rows where they are tightest. Where all
windows together are short, every column is tested, and the proof rests on nothing else. Where they are long, as for a million
rows that are nearly ignorant, as many columns are tested as a fraction of a second allows, chosen at random but the same ones
each time; for the others Theorem A (THEORY.md 2) vouches that they pass in exact arithmetic, and the lowering found is taken
for theirs. `basis` says in words which of the two it was.

As alpha tends to 1 the dual of the remap is the difference of nearly equal numbers. Then the costs of the best constant reading
are tried as w too, and the better bound is kept.

Rows that decide whether a column passes
----------------------------------------
The test of column r is V_0 >= 0 with V_i = v_i + min(alpha V_{i+1}, V_{i+1} / alpha) from the last row to the first, where v =
c_r - w (THEORY.md 3). For all columns it takes O(n^2) steps; but nearly all of them are foregone. The loss grows with the
distance, so v_i >= 0 except in a window of rows about r:

- above the window all v_i are at least 0, and so is V; there the minimum is alpha V_{i+1}, so that what reaches the window is
  the plain sum of alpha^d v_i. Filters give that sum for every column at once (`dpdesigner.core.mechanism.filters`): the loss
  being a polynomial of the distance there, from the moments of the weights;
- within the window the recursion is run as it is, for all columns side by side;
- below the window it is enough that V at its lower end and what lies below it, summed likewise, are together at least 0.

Where the loss is constant far from r (`StepWindows`), the sums above and below are the same for every column: the recursion
itself is run once for all.

Every rounding is charged against the column: weights are lowered, alpha is taken too small for the one factor and too large for
the other, sums are lowered by what the filters may be wrong by. What passes here passes in exact arithmetic.

Remap, expected loss and dual
-----------------------------
1. One-pole filters (`dpdesigner.core.mechanism.filters`) give, for every output j, the sums of p_i alpha^|i-j| and of its
moments on either side of j: the posteriors (`dpdesigner.core.mechanism.posteriors`), in O(n).
2. The loss's own rule reads the best r(j) and its score e_j off them (`dpdesigner.core.mechanism.structured_losses`).
3. The expected loss is sum_j D_j e_j, D_j being what the probability of output j has beside alpha^|i-j|
   (`dpdesigner.core.mechanism.geometric`).
4. The dual that can prove the remap optimal is w = K^-1 e with K_ij = alpha^|i-j| (THEORY.md 3), tridiagonal. It cancels badly as
   alpha tends to 1, so it is written as in `dpdesigner.core.mechanism.remap`,

       w_i = c_{r(i)}(i) + alpha / (1 - alpha^2) (delta_{i,i-1} + delta_{i,i+1}),

   where delta_{i,k} >= 0 is what the reading of i would cost more at output k: 0 wherever neighbours are read alike.
5. The certificate is made of w.

A relative loss is the absolute one with the weights p_i / max(i, 1); an offset, the same for all i and r, is added in the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.basics.prior import PROBABILITY_ERROR
from dpdesigner.core.basics.rounding import grouped
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.filters import MOST_STEPS, STEP_ROUNDINGS, Base, Side, one_sided, shifted
from dpdesigner.core.mechanism.mechanism import Certificate, Solution
from dpdesigner.core.mechanism.posteriors import DIRECT, Posteriors
from dpdesigner.core.mechanism.structured_losses import QuantileLoss, SquaredLoss, StepLoss, StructuredLoss, steps_of

#: Amount by which each dual entry is lowered beyond the proportional part; far above any loss by underflow.
LEAST = 1e-300
_UNIT = 2.0**-53
_FLOOR = -1e200
_SMALLEST_ALPHA = 1e-290


def windows_of(weights: Floats, kind: StructuredLoss, dual: Floats, alpha: float) -> Windows:
    """Return the windows of a design; parameters as for `dpdesigner.core.mechanism.structured_remap.least_lowering`."""
    return (Windows if kind.power else StepWindows)(weights, kind, dual, alpha)


class Windows:
    """For every column, the rows low..high outside which its costs are certainly at least w, and their contribution."""

    def __init__(self, weights: Floats, kind: StructuredLoss, dual: Floats, alpha: float) -> None:
        self.kind = kind
        self.weights = weights * (1 - 8 * _UNIT) + 0.0  # avoids -0.0, which would flip the sign of a dual divided by it
        self.dual = dual
        self.n = len(dual) - 1
        self.down = alpha * (1 - 8 * _UNIT)
        self.up = 0.0 if alpha < _SMALLEST_ALPHA else (1 + 8 * _UNIT) / alpha
        self.low, self.high = self._rows()
        self.lower(128 * _UNIT)

    def lower(self, lowering: float) -> None:
        """Test (1 - lowering) w in subsequent calls."""
        self.lowering = min(lowering, 1.0)
        self.margins = LEAST - self.dual * (1 - self.lowering + 4 * _UNIT)

    def passes(self, columns: Integers) -> bool:
        """Return whether these columns, sorted by window length, certainly pass."""
        lengths = self.high[columns] - self.low[columns] + 1
        value = self._outside(columns, upper=True)
        for step in range(int(lengths[-1])):
            first = int(np.searchsorted(lengths, step, side="right"))
            i, r = self.high[columns[first:]] - step, columns[first:]
            value[first:] = self._next(value[first:], self.margins[i] + self.weights[i] * self.kind.loss(i, r))
        return bool((value + self._outside(columns, upper=False) >= 0).all())

    def passes_alone(self, column: int) -> bool:
        """Return whether one column certainly passes."""
        i = np.arange(self.low[column], self.high[column] + 1)
        entries = self.margins[i] + self.weights[i] * self.kind.loss(i, np.full(len(i), column))
        columns = np.array([column])
        value, down, up = float(self._outside(columns, upper=True)[0]), self.down, self.up or math.inf
        for entry in entries[::-1].tolist():
            value = entry + value * (down if value >= 0 else up)  # minus infinity stays and fails the test
        return value + float(self._outside(columns, upper=False)[0]) >= 0

    def _rows(self) -> tuple[Integers, Integers]:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            levels = np.where(self.dual > 0, self.dual / self.weights * (1 + 8 * _UNIT), 0.0)
        below, above = self.kind.reach(levels)
        i = r = np.arange(self.n + 1)
        lowest = np.minimum.accumulate(np.maximum(i - below, -1.0)[::-1])[::-1]
        highest = np.maximum.accumulate(np.minimum(i + above, self.n + 1.0))
        return np.minimum(np.searchsorted(highest, r), r), np.maximum(np.searchsorted(lowest, r, side="right") - 1, r)

    def _next(self, value: Floats, entries: Floats) -> Floats:
        if not self.up:
            return entries + np.where(value < 0, _FLOOR, value * self.down)
        with np.errstate(over="ignore"):  # minus infinity is raised to the floor, infinity never wins the minimum
            return entries + np.maximum(np.minimum(self.down * value, self.up * value), _FLOOR)

    @cached_property
    def _sides(self) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
        """Sums of the weights and of the dual, from below and from above (counted from n downwards)."""
        down, order = Base.of(self.down), self.kind.power + 1
        return (
            (one_sided(self.weights, down, order), one_sided(self.dual, down, 1)),
            (one_sided(self.weights[::-1], down, order), one_sided(self.dual[::-1], down, 1)),
        )

    def _outside(self, columns: Integers, upper: bool) -> Floats:
        """Return a lower bound, at least 0, on what rows beyond the window add to V (upper end) or to the test (lower end)."""
        if upper:
            last, distance = self.n - self.high[columns] - 1, self.high[columns] + 1 - columns
        else:
            last, distance = self.low[columns] - 1, columns - self.low[columns] + 1
        least = np.zeros(len(columns))
        some = np.flatnonzero(last >= 0) if self.up else np.array([], dtype=np.int64)
        if not len(some):
            return least
        weights, dual = self._sides[upper]
        place, away = last[some], distance[some].astype(float)
        moments = weights.moments[:, place]
        sums = np.zeros((2, len(some)))
        for k, factor in enumerate(self.kind.tail(upper)):
            for m in range(k + 1):
                # The distance from r exceeds that from the last row by `away`; one moment more bounds the roundings.
                sums += factor * math.comb(k, m) * away ** (k - m) * moments[m : m + 2]
        costs = shifted(sums[0] - _rounding(sums[0], sums[1]), weights.exponent[place])
        charged = (1 - self.lowering) * dual.moments[0][place] + _rounding(*dual.moments[:, place])
        taken = shifted(charged, dual.exponent[place])
        least[some] = np.maximum(costs - taken - LEAST, 0.0) * (1.0 if upper else self.down)
        return least


class StepWindows(Windows):
    """Windows for a loss that is constant far from r: every column has the same entries there, and V is computed once."""

    def lower(self, lowering: float) -> None:
        """Test (1 - lowering) w in subsequent calls."""
        super().lower(lowering)
        entries = (self.margins + self.weights * self.kind.tail(True)[0]).tolist()
        down, up = self.down, self.up or math.inf
        values = accumulate(reversed(entries), lambda value, entry: entry + value * (down if value >= 0 else up), initial=0.0)
        needed = accumulate(entries, lambda need, entry: (need - entry) * (down if need <= entry else up), initial=0.0)
        #: V_i if every loss were the last one, and the least V_i with which the rows above it pass for that loss.
        self.values = np.maximum(np.fromiter(values, float, self.n + 2)[::-1], _FLOOR)
        self.needed = np.minimum(np.fromiter(needed, float, self.n + 2), -_FLOOR)

    def _rows(self) -> tuple[Integers, Integers]:
        r = np.arange(self.n + 1)
        return np.maximum(r - self.kind.core, 0), np.minimum(r + self.kind.core, self.n)

    def _outside(self, columns: Integers, upper: bool) -> Floats:
        return np.asarray(self.values[self.high[columns] + 1] if upper else -self.needed[self.low[columns]])


def _rounding(total: Floats, moment: Floats) -> Floats:
    """Bound the error of a filtered sum, given the sum of its terms times their distances; see `one_sided`."""
    return STEP_ROUNDINGS * _UNIT * (np.minimum(moment, MOST_STEPS * total) + 32 * total)


_GOOD = 1e-11
#: Windows longer than this are processed one by one.
_LONG = 4096
#: The most rows processed in total and in long windows, and the fewest columns tested.
_ROWS, _LONG_ROWS, _FEWEST = 6_000_000, 1_000_000, 2
_COLUMNS_AT_ONCE = 1 << 15


def certify(
    bases: Sequence[Floats], weights: Floats, kind: StructuredLoss, offset: Floats, alpha: float, value: float, rounding: float
) -> Certificate:
    """Return the certificate of a mechanism for a structured loss, in one-sided floating point.

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
    """A candidate dual, the lowering that it needs, and the number of columns tested for that."""

    base: Floats
    lowering: float
    checked: int

    @cached_property
    def bound(self) -> float:
        """A lower bound on the expected loss of any private release of a whole number 0..n from the count alone."""
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
    """Return columns to test together, sorted by window length, and columns to test singly; all columns if time allows."""
    order = np.random.default_rng(len(lengths)).permutation(len(lengths))
    is_long = lengths[order] > _LONG
    short, long = order[~is_long], order[is_long]
    keep = max(int(np.searchsorted(np.cumsum(lengths[short]), _ROWS)), _FEWEST)
    keep_long = max(int(np.searchsorted(np.cumsum(lengths[long]), _LONG_ROWS)), _FEWEST)
    short = short[:keep]
    return short[np.argsort(lengths[short], kind="stable")], long[:keep_long]


_NEARLY_IGNORANT, _LOOSE = 1e-3, 1e-6
#: A loss drawn by distance is solved this way up to this many steps; each costs as much as a threshold.
MOST_RISES = 16


@dataclass(frozen=True)
class Structure:
    """The decomposition of a structured loss: l(i, r) = offset + kind.loss(i, r) / (max(i, 1) if relative else 1)."""

    kind: StructuredLoss
    relative: bool = False
    offset: float = 0.0

    def weights(self, prior: Floats) -> Floats:
        """Return the weights for the losses of `kind`, (n + 1,)."""
        return prior / np.maximum(np.arange(len(prior)), 1) if self.relative else prior

    def largest_loss(self, prior: Floats) -> float:
        """Return sum_i p_i max_r |l(i, r)|, or a little more."""
        i = np.arange(len(prior))
        worst = np.maximum(self.kind.loss(i, np.zeros_like(i)), self.kind.loss(i, np.full_like(i, len(prior) - 1)))
        return float(self.weights(prior) @ worst) + abs(self.offset)


def structure(loss: Loss) -> Structure | None:
    """Return the structure of a loss, or None if it has no known structure."""
    parameter = loss.parameter
    name = {1: "absolute", 2: "squared"}.get(int(parameter), "") if loss.name == "power" and parameter in (1, 2) else loss.name
    if name in ("absolute", "relative"):
        return Structure(QuantileLoss(0.5, 2.0), relative=name == "relative")
    if name == "pinball" and parameter is not None:
        return Structure(QuantileLoss(float(parameter)))
    if name == "squared":
        return Structure(SquaredLoss())
    if name == "zero-one":
        return Structure(StepLoss((0,), (1.0,)))
    if name == "threshold" and parameter is not None:
        return Structure(StepLoss((math.floor(parameter),), (1.0,)))
    if name == "distance":
        table = [float(exact(part, "loss")) for part in loss.argument.split(",")]
        kind = steps_of(table)
        return Structure(kind, offset=table[0]) if kind is not None and len(kind.rises) <= MOST_RISES else None
    return None


def structured_remap(
    prior: Floats, loss: Structure, privacy: PrivacyLevel, certifying: Callable[[], object] = lambda: None
) -> Solution:
    """Return the remap of least expected loss, that loss and its certificate.

    Parameters
    ----------
    prior : ndarray
        (n + 1,): probabilities of the true results.
    loss : Structure
    privacy : PrivacyLevel
        Of the geometric mechanism.
    certifying : callable
        Called before the certificate is made; may raise to stop.
    """
    kind, weights = loss.kind, loss.weights(prior)
    j = np.arange(len(prior))
    if privacy.exact_alpha == 0:
        outputs = np.where(weights > 0, kind.first_reading(j), 0)
        bases: tuple[Floats, ...] = (np.zeros(len(prior)),)
        value, rounding = 0.0, 0.0
    else:
        outputs, base, value, rounding = _solved(weights, kind, privacy)
        bases = (base,)
        if privacy.one_minus_alpha < _NEARLY_IGNORANT:
            # As alpha tends to 1 the dual suffers cancellation; the costs of a constant reading are nearly feasible there.
            bases += (weights * kind.loss(j, np.full(len(prior), outputs[int(prior.argmax())])),)
    if rounding > abs(value):
        # The true value is at most the largest loss, which is 0 where no reading is wrong.
        rounding = min(rounding, abs(value) + (1 + _LOOSE) * Structure(kind, loss.relative).largest_loss(prior))
    rounding += 4 * _UNIT * abs(loss.offset) + 2 * PROBABILITY_ERROR * value
    certifying()
    certificate = certify(bases, weights, kind, loss.offset * prior, privacy.alpha, value, rounding)
    return Solution(outputs, value + loss.offset, certificate)


def structured_value(prior: Floats, loss: Structure, privacy: PrivacyLevel) -> float:
    """Return only the least expected loss."""
    if privacy.exact_alpha == 0:
        return loss.offset
    posteriors = Posteriors.of(loss.weights(prior), Base.of(privacy), loss.kind.power)
    return loss.offset + remapped_value(posteriors, loss.kind, geometric.weights(privacy, len(prior) - 1))


def remapped_value(posteriors: Posteriors, kind: StructuredLoss, weights: Floats) -> float:
    """Return the expected loss of noise with these weights, (n + 1,), under the best readings."""
    scores = kind.score(posteriors, kind.readings(posteriors), np.arange(len(weights)))
    return float((weights * posteriors.likelihood * scores).sum())


def _solved(weights: Floats, kind: StructuredLoss, privacy: PrivacyLevel) -> tuple[Integers, Floats, float, float]:
    """Return readings, dual, expected loss and a bound on its rounding error."""
    posteriors = Posteriors.of(weights, Base.of(privacy), kind.power)
    outputs = kind.readings(posteriors)
    if privacy.exact_alpha == 1:
        outputs[:] = outputs[0]  # the outputs say nothing, and all are read alike
    released = geometric.weights(privacy, len(weights) - 1) * posteriors.likelihood
    value = float((released * kind.score(posteriors, outputs, np.arange(len(weights)))).sum())
    rounding = value_rounding(posteriors, kind, outputs, released, value, privacy)
    return outputs, _dual(posteriors, kind, outputs, privacy, value), value, rounding


def value_rounding(
    posteriors: Posteriors, kind: StructuredLoss, outputs: Integers, released: Floats, value: float, privacy: PrivacyLevel
) -> float:
    """Bound the error of an expected loss: from terms at every relevant distance, and from results of subtraction."""
    offset = outputs - np.arange(len(outputs))
    sizes = (np.abs(offset) + posteriors.moment(kind.power) ** (1 / kind.power)) ** kind.power if kind.power else 1.0
    scales = np.where(offset < 0, max(kind.tail(True)), max(kind.tail(False)))
    subtracted = float(released @ np.where(np.abs(offset) + kind.core > (0 if kind.power == 2 else DIRECT), scales * sizes, 0.0))
    steps = min(posteriors.n, MOST_STEPS, 64 / privacy.one_minus_alpha if privacy.one_minus_alpha else math.inf)
    return STEP_ROUNDINGS * (steps + 40) * _UNIT * (value + 2 * subtracted)  # 8 steps are more than adding in pairs loses


def _dual(posteriors: Posteriors, kind: StructuredLoss, outputs: Integers, privacy: PrivacyLevel, value: float) -> Floats:
    n = len(outputs) - 1
    j = np.arange(n + 1)
    own = posteriors.prior * kind.loss(j, outputs)
    spread = privacy.one_minus_alpha * (1 + privacy.alpha)
    if n == 0:
        return own
    if spread == 0:
        return np.full(n + 1, value / (n + 1))
    excess = np.zeros(n + 1)
    changes = np.flatnonzero(outputs[1:] != outputs[:-1])
    for reader, output in ((changes, changes + 1), (changes + 1, changes)):
        more = kind.excess(posteriors, outputs[reader], outputs[output], output)
        excess[reader] += posteriors.likelihood[output] * np.maximum(more, 0.0)
    return np.asarray(own + (privacy.alpha / spread) * excess)
