"""What solving a count design gives: the mechanism, its expected loss and its certificate."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.dense.certificate import Certificate
from dpdesigner.core.dense.exact import ExactCertificate
from dpdesigner.core.large.certificate import StructuredCertificate
from dpdesigner.core.mechanism.remapped_geometric import RemappedGeometric
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.count.design import CountDesign

_NOTHING = 1e-290  # a gap below any loss that doubles can tell from 0


@dataclass(frozen=True, eq=False)
class CountOutcome:
    """What solving a count design gives.

    Above n = 5000 `mechanism`, `geometric` and `constraints`, which are written out whole, raise `InputError`; `induced` and
    `released` give single entries, rows, columns, blocks, posteriors and draws of them for any n.

    Attributes
    ----------
    study : CountDesign
        The design solved.
    induced : RemappedGeometric
        The induced mechanism: G followed by the remap.
    value : float or Fraction
        Its expected loss; a `Fraction` when solved exactly, else a double that differs from the truth by at most the gap, mostly
        by a few units in its last place.
    certificate : Certificate, StructuredCertificate or ExactCertificate
        How far from optimal it can be (`gap`) and what that rests on in words (`basis`).
    """

    study: CountDesign
    induced: RemappedGeometric
    value: float | Fraction
    certificate: Certificate | StructuredCertificate | ExactCertificate

    @property
    def exact(self) -> bool:
        """Whether value, mechanism and certificate are rational."""
        return self.certificate.exact

    @property
    def remap(self) -> NDArray[np.int64]:
        """Output j of G is read as remap[j], (n + 1,), read-only."""
        return self.induced.remap

    @property
    def released(self) -> RemappedGeometric:
        """The range-restricted geometric mechanism G as a mechanism of its own, its outputs taken as they are."""
        return _released(self.study.privacy, self.study.n)

    @cached_property
    def mechanism(self) -> NDArray[Any]:
        """The induced mechanism, (n + 1, n + 1), rows = true result; of fractions when solved exactly, else of doubles."""
        return self._matrix(self.induced)

    @cached_property
    def geometric(self) -> NDArray[Any]:
        """The range-restricted geometric mechanism G, (n + 1, n + 1); of fractions when solved exactly, else of doubles."""
        return self._matrix(self.released)

    @property
    def constraints(self) -> NDArray[np.str_]:
        """Where privacy binds, (n, n + 1) of ``"d"``, ``"u"``, ``"S"``, ``"Z"``; see `dpdesigner.core.mechanism.constraints`."""
        return self.induced.constraints

    @property
    def epsilon(self) -> float:
        """The privacy that the mechanism really has, rounded up."""
        return self.induced.epsilon

    @property
    def proved(self) -> bool:
        """Whether the certificate proves the mechanism optimal, up to the rounding of doubles."""
        return negligible(self.study, self.value, self.certificate.gap)

    def _matrix(self, mechanism: RemappedGeometric) -> NDArray[Any]:
        alpha = self.study.privacy.exact_alpha
        if self.exact and alpha is not None:
            fractions = np.array(list(mechanism.exact_rows(alpha)), dtype=object)
            fractions.flags.writeable = False
            return fractions
        return mechanism.matrix


@lru_cache(maxsize=2)
def _released(privacy: PrivacyLevel, n: int) -> RemappedGeometric:
    """G, which is the same whatever the user believes: it is large, and many outcomes are held at once."""
    return RemappedGeometric(privacy, n, np.arange(n + 1))


def negligible(study: CountDesign, value: float | Fraction, gap: float | Fraction) -> bool:
    """Whether a certified gap of some expected loss is no more than the rounding of doubles.

    Outside Theorem A it must be small beside what privacy costs, which may itself be next to nothing where epsilon is large.
    """
    if study.covered or study.privacy.exact_alpha in (0, 1):
        allowed = 1e-7 * max(abs(float(value)), study.largest_loss)
    else:
        allowed = max(1e-7 * (float(value) - study.least_loss), 1e-15 * study.largest_loss)
    return float(gap) <= max(allowed, _NOTHING)
