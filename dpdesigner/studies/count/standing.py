"""Which mechanism stands for a count design, and whether it is proved optimal: decided here and nowhere else."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.count.outcome import CountOutcome, negligible
from dpdesigner.studies.count.witness import Witness

_ROUNDING = 1e-12  # an epsilon computed with doubles this near to the one asked is that one
_CLOSED = "geometric mechanism and Bayes remap"


@dataclass(frozen=True)
class Standing:
    """The mechanism that stands for a design: the one that is shown, released and exported as the best.

    Attributes
    ----------
    mechanism : Mechanism
    value : float or Fraction
        Its expected loss.
    gap : float or Fraction
        Certified: value - optimum <= gap.
    proved : bool
        Whether the gap proves it optimal, up to the rounding of doubles.
    method : str
        How it was found, in words.
    witness : Witness or None
        Whose mechanism it is; None: it is the closed form.
    """

    mechanism: Mechanism
    value: float | Fraction
    gap: float | Fraction
    proved: bool
    method: str
    witness: Witness | None


def standing(outcome: CountOutcome, witness: Witness | None = None) -> Standing:
    """Decide which mechanism stands for a design.

    The closed form does where Theorem A covers the loss or its certificate proves it optimal, and else the linear program's
    mechanism if that costs less and is certified to be nearer to the optimum.

    Parameters
    ----------
    outcome : CountOutcome
    witness : Witness, optional
        One of another design counts as none.

    Returns
    -------
    Standing
    """
    stands = outcome.study.covered or outcome.proved
    if witness is None or witness.study != outcome.study or stands or not _beats(witness, outcome):
        return Standing(outcome.induced, outcome.value, outcome.certificate.gap, outcome.proved, _CLOSED, None)
    proved = negligible(witness.study, witness.value, witness.gap)
    return Standing(witness.held, witness.value, witness.gap, proved, witness.method, witness)


def attained(outcome: CountOutcome, witness: Witness | None = None) -> PrivacyLevel:
    """Return the privacy that the mechanism standing for a design really has; what is said of privacy in words is said of it.

    It is never less private than was asked, and more where little or nothing of the count is released: a mechanism that always
    says the same has epsilon 0.
    """
    asked, epsilon = outcome.study.privacy, standing(outcome, witness).mechanism.epsilon
    if math.isinf(epsilon) or epsilon >= asked.epsilon * (1 - _ROUNDING):
        return asked
    return PrivacyLevel.from_epsilon(epsilon)


def _beats(witness: Witness, outcome: CountOutcome) -> bool:
    return witness.value < outcome.value and witness.gap < outcome.certificate.gap
