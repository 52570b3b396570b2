"""The posterior over the true results after every output of the geometric mechanism, for any n, without a matrix.

After output j the posterior weight of i is q_i = p_i alpha^|i-j|, divided by its sum. No table of these is made. For every j
the sums of q_i, and of (j - i)^k q_i, over what lies below j and over what lies above come from two filters
(`dpdesigner.core.mechanism.filters`) and are kept as fractions of the whole, so that they are right also where the whole is
beyond doubles: far from all that the user believes possible.

What is asked for then is the mass, or a moment, up to some split s that is not j. If s < j, the results up to s are as far from
j as from s, plus j - s: their sum is the filter's at s, times alpha^(j-s), O(1). If s > j, it is the complement of the same
seen from above. Where a split is near its output, the few results between them are added one by one (`DIRECT`), since the
difference of two nearly equal sums would tell little.

Noises that are geometric but for the chance of none have the same posteriors with the one entry i = j changed: `centre`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.mechanism.filters import NOTHING, Base, Scaled, Side, one_sided, shifted

#: Up to this many true results between the split and the output are added up one by one; more are found by subtraction.
DIRECT = 32
_LEAST_PLAIN = 1e-250


@dataclass(frozen=True, eq=False)
class _Half:
    """Running values of the true results below each output.

    Attributes
    ----------
    side : Side
        Sums over i <= j.
    moments : list of ndarray
        (n + 1,) each: sums of (j - i)^k q_i over i < j, as fractions of the whole.
    """

    side: Side
    moments: list[Floats]


@dataclass(frozen=True, eq=False)
class Posteriors:
    """The posteriors after every output; make them with `Posteriors.of`.

    Attributes
    ----------
    prior : ndarray
        (n + 1,).
    alpha : Base
    powers : Scaled
        alpha^0 .. alpha^n.
    total : Scaled
        (n + 1,): sum_i p_i alpha^|i-j|.
    at : ndarray
        (n + 1,): the posterior probability of i = j.
    centre : ndarray or None
        (n + 1,): what j itself counts beside alpha^0, for noise that is geometric but for the chance of none; None where it is 1.
    lower, upper : _Half
        What lies below and above j; the latter with results counted from n downwards.
    """

    prior: Floats
    alpha: Base
    powers: Scaled
    total: Scaled
    at: Floats
    lower: _Half
    upper: _Half
    centre: Floats | None = None

    @classmethod
    def of(cls, prior: Floats, alpha: Base, order: int) -> Posteriors:
        """Make the posteriors of a prior, (n + 1,), with moments of the distance |i - j| up to an order."""
        powers = alpha.powers(np.arange(len(prior) + 1))
        left, right = one_sided(prior, alpha, order), one_sided(prior[::-1], alpha, order)
        return cls._of(prior, alpha, powers, left, right, None)

    def with_centre(self, centre: Floats | None) -> Posteriors:
        """Return the posteriors after noise that is geometric except for the probability of 0; see `centre`."""
        left, right = self.lower.side, self.upper.side
        return replace(self) if centre is None else self._of(self.prior, self.alpha, self.powers, left, right, centre)

    @classmethod
    def _of(cls, prior: Floats, alpha: Base, powers: Scaled, left: Side, right: Side, centre: Floats | None) -> Posteriors:
        below, above = _moved(left, alpha), _moved(right, alpha).reversed()
        mantissa, exponent = np.frexp(prior)
        exponent = np.where(mantissa > 0, exponent.astype(np.int64), NOTHING)
        top = np.maximum(np.maximum(below.exponent, above.exponent), exponent)
        at = shifted(mantissa if centre is None else mantissa * centre, exponent - top)
        lower, upper = _aligned(below, top), _aligned(above, top)
        total = at + lower[0] + upper[0]
        whole, lift = np.frexp(total)
        scaled = Scaled(whole, top + lift)
        lower, upper = [moment / total for moment in lower], [(moment / total)[::-1] for moment in upper]
        return cls(prior, alpha, powers, scaled, at / total, _Half(left, lower), _Half(right, upper), centre)

    @property
    def n(self) -> int:
        """The largest true result."""
        return len(self.prior) - 1

    @cached_property
    def likelihood(self) -> Floats:
        """sum_i p_i alpha^|i-j| as doubles, (n + 1,); times D_j it is the probability of output j."""
        return self.total.to_floats()

    @cached_property
    def mirrored(self) -> Posteriors:
        """The posteriors with true results and outputs counted from n downwards."""
        whole = Scaled(self.total.mantissa[::-1], self.total.exponent[::-1])
        centre = None if self.centre is None else self.centre[::-1]
        return Posteriors(self.prior[::-1], self.alpha, self.powers, whole, self.at[::-1], self.upper, self.lower, centre)

    @cached_property
    def mean(self) -> Floats:
        """The posterior mean of i - j, (n + 1,)."""
        return self.upper.moments[1][::-1] - self.lower.moments[1]

    def moment(self, k: int) -> Floats:
        """Return the posterior mean of |i - j|^k, (n + 1,); k from 1 to the order."""
        return self.upper.moments[k][::-1] + self.lower.moments[k]

    def up_to(self, s: Integers, j: Integers, k: int = 0, offset: int = 0) -> Floats:
        """Return sum_{i <= s} (s - i + offset)^k q_i as a fraction of the whole after output j, for s < j.

        Parameters
        ----------
        s, j : ndarray of int
            Of one length; s from -1, which gives 0, to j - 1.
        k : int
            0 or 1.
        offset : int
            Added to every distance s - i.
        """
        distance, s, empty = j - s, np.maximum(s, 0), s < 0
        if self._plain is not None:
            powers, moments, whole = self._plain
            sums = moments[0][s] if k == 0 else moments[1][s] + offset * moments[0][s]
            mass = powers[distance] * sums / whole[j]
        else:
            side = self.lower.side
            sums = side.moments[0][s] if k == 0 else side.moments[1][s] + offset * side.moments[0][s]
            exponent = self.powers.exponent[distance] + side.exponent[s] - self.total.exponent[j]
            ratio = self.powers.mantissa[distance] * sums / self.total.mantissa[j]
            mass = shifted(ratio, exponent)
        return np.where(empty, 0.0, mass)

    def below(self, s: Integers, j: Integers, k: int = 0) -> Floats:
        """Return sum_{i <= s} (s - i)^k q_i as a fraction of the whole after output j; k is 0 or 1, s from -1 to n.

        No small result is the difference of large ones unless s is more than `DIRECT` above j.
        """
        near = s < j
        mass = np.empty(len(s))
        mass[near] = self.up_to(s[near], j[near], k)
        far = np.flatnonzero(~near)
        if len(far):
            mass[far] = self._below_far(s[far], j[far], k)
        return mass

    def above(self, s: Integers, j: Integers, k: int = 0) -> Floats:
        """Return sum_{i >= s} (i - s)^k q_i as a fraction of the whole after output j; s from 0 to n + 1."""
        return self.mirrored.below(self.n - s, self.n - j, k)

    def probability(self, i: Integers, j: Integers) -> Floats:
        """Return the posterior probability of i after output j."""
        mantissa, exponent = np.frexp(self.prior[i])
        distance = np.abs(i - j)
        if self.centre is not None:
            mantissa = np.where(distance == 0, self.centre[j], 1.0) * mantissa
        shift = self.powers.exponent[distance] + exponent - self.total.exponent[j]
        return shifted(mantissa * self.powers.mantissa[distance] / self.total.mantissa[j], shift)

    def difference(self, a: Integers, b: Integers, j: Integers) -> Floats:
        """Return the posterior probability of a minus that of b after output j, without cancellation as alpha tends to 1."""
        far, near = np.abs(a - j), np.abs(b - j)
        swapped = far < near
        first, second = np.where(swapped, a, b), np.where(swapped, b, a)
        rate = -float(self.alpha.logarithm) * math.log(2)
        lost = -np.expm1(-rate * np.abs(far - near))
        mantissa, exponent = np.frexp((self.prior[first] - self.prior[second]) + self.prior[second] * lost)
        distance = np.minimum(far, near)
        shift = self.powers.exponent[distance] + exponent - self.total.exponent[j]
        more = shifted(mantissa * self.powers.mantissa[distance] / self.total.mantissa[j], shift)
        return np.where(swapped, more, -more)

    def _below_far(self, s: Integers, j: Integers, k: int) -> Floats:
        gap = s - j
        outer = gap**k * (self.lower.moments[0][j] + self.at[j])
        if k:
            outer += self.lower.moments[1][j]
        within = np.zeros(len(s))
        for step in range(1, min(int(gap.max()), DIRECT) + 1):
            some = np.flatnonzero((gap >= step) & (gap <= DIRECT))
            within[some] += (gap[some] - step) ** k * self.probability(j[some] + step, j[some])
        some = np.flatnonzero(gap > DIRECT)
        if len(some):
            s, j = s[some], j[some]
            beyond = self.mirrored.up_to(self.n - s - 1, self.n - j, k, offset=1)
            about = 1.0 if k == 0 else gap[some] - self.mean[j]
            within[some] = np.maximum(about + (-1) ** (k + 1) * beyond - outer[some], 0.0)
        return outer + within

    @cached_property
    def _plain(self) -> tuple[Floats, list[Floats], Floats] | None:
        """Powers, sums over i <= j and totals as doubles; None if any relevant value leaves their range."""
        if not self.likelihood.min() > _LEAST_PLAIN:
            return None
        side = self.lower.side
        return self.powers.to_floats(), [side.total(k).to_floats() for k in range(min(len(side.moments), 2))], self.likelihood


def _moved(side: Side, alpha: Base) -> Side:
    """Return the sums over i < j, at j."""
    before = Side(side.moments[:, :-1], side.exponent[:-1]).moved(1, alpha)
    moments = np.concatenate((np.zeros((len(side.moments), 1)), before.moments), axis=1)
    return Side(moments, np.concatenate((np.full(1, NOTHING), before.exponent)))


def _aligned(side: Side, top: Integers) -> list[Floats]:
    return list(shifted(side.moments, side.exponent - top))
