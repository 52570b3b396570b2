"""What solving a count design gives: the mechanism, its expected loss and its certificate."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.dense.certificate import Certificate
from dpdesigner.core.dense.exact import ExactCertificate
from dpdesigner.core.large.certificate import StructuredCertificate
from dpdesigner.core.mechanism.remapped_geometric import RemappedGeometric
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.found import findings_of, negligible
from dpdesigner.studies.findings import Finding


@dataclass(frozen=True, eq=False)
class CountOutcome:
    """What solving a count design gives.

    Above n = 5000 `mechanism`, `geometric` and `constraints`, which are written out whole, raise `InputError`; `induced` and
    `released` give single entries, rows, columns, blocks, posteriors and draws of them for any n.

    Attributes
    ----------
    design : CountDesign
        The design solved.
    induced : RemappedGeometric
        The induced mechanism: G followed by the remap.
    value : float or Fraction
        Its expected loss; a `Fraction` when solved exactly, else a double that differs from the truth by at most the gap, mostly
        by a few units in its last place.
    certificate : Certificate, StructuredCertificate or ExactCertificate
        How far from optimal it can be (`gap`) and what that rests on in words (`basis`).
    """

    method: ClassVar[str] = "geometric mechanism and Bayes remap"

    design: CountDesign
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
        return _released(self.design.privacy, self.design.n)

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
    def held(self) -> RemappedGeometric:
        """The mechanism, as that of a `dpdesigner.studies.count.witness.Witness` is called too."""
        return self.induced

    @property
    def gap(self) -> float | Fraction:
        """Certified: value - optimum <= gap."""
        return self.certificate.gap

    @property
    def basis(self) -> str:
        """What the gap rests on, in words."""
        return self.certificate.basis

    @cached_property
    def proved(self) -> bool:
        """Whether the certificate proves the mechanism optimal, up to the rounding of doubles."""
        return negligible(self.design, self.value, self.gap)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """What is told of the closed form, the expected loss first; see `dpdesigner.studies.count.answer` for all there is."""
        return findings_of(self)

    @property
    def line(self) -> str:
        """The design in one line."""
        return self.design.line

    def _matrix(self, mechanism: RemappedGeometric) -> NDArray[Any]:
        alpha = self.design.privacy.exact_alpha
        if self.exact and alpha is not None:
            fractions = np.array(list(mechanism.exact_rows(alpha)), dtype=object)
            fractions.flags.writeable = False
            return fractions
        return mechanism.matrix


@lru_cache(maxsize=2)
def _released(privacy: PrivacyLevel, n: int) -> RemappedGeometric:
    """G, which is the same whatever the user believes: it is large, and many outcomes are held at once."""
    return RemappedGeometric(privacy, n, np.arange(n + 1))
