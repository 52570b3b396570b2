"""A user of a count query in numbers, and what follows from them for every mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from dpdesigner.core.dense.certificate import Costs
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import LARGEST_DENSE_N, Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.structured.remap import MOST_RISES, Structure, structure
from dpdesigner.errors import InputError

#: Above this n the linear program over all tables has more than 40 000 variables and takes minutes.
LARGEST_PROGRAM_N = 200
#: Up to here a step of a drag is followed within a few frames.
LARGEST_FOLLOWED_N = 50

_NOTHING = 1e-290  # a gap below any loss that doubles can tell from 0


@dataclass(frozen=True)
class Problem:
    """The problem for which a mechanism is sought.

    Attributes
    ----------
    n : int
        The largest true result; results are 0..n.
    privacy : PrivacyLevel
    prior : Prior
    loss : Loss
    """

    n: int
    privacy: PrivacyLevel
    prior: Prior
    loss: Loss

    @cached_property
    def costs(self) -> Costs:
        """Prior and loss as the certificate wants them."""
        return Costs(self.prior.probabilities, self.loss.matrix(self.n), *self.loss.bounds(self.n))

    @cached_property
    def structure(self) -> Structure | None:
        """The structure of the loss, with which a design is solved in linear time, without a matrix; None if it has none."""
        return structure(self.loss)

    @cached_property
    def largest_loss(self) -> float:
        """The expected loss if for every true result the worst were released: the scale of all expected losses."""
        if self.structure is not None:
            return self.structure.largest_loss(self.prior.probabilities)
        return float(self.costs.bounds.sum())

    @cached_property
    def least_loss(self) -> float:
        """The expected loss if the best could always be released, as without privacy: no mechanism costs less."""
        return float(self.costs.prior @ self.costs.low)

    @property
    def covered(self) -> bool:
        """Whether Theorem A covers the loss, so that geometric + remap is the optimal mechanism."""
        return self.loss.coverage(self.n).covered

    def negligible(self, value: float | Fraction, gap: float | Fraction) -> bool:
        """Whether a certified gap of some expected loss is no more than the rounding of doubles.

        Outside Theorem A it must be small beside what privacy costs, which may itself be next to nothing where epsilon is large.
        """
        if self.covered or self.privacy.exact_alpha in (0, 1):
            allowed = 1e-7 * max(abs(float(value)), self.largest_loss)
        else:
            allowed = max(1e-7 * (float(value) - self.least_loss), 1e-15 * self.largest_loss)
        return float(gap) <= max(allowed, _NOTHING)


def check_loss(loss: Loss, n: int) -> None:
    """Refuse a loss that cannot be solved for this n, or makes no sense."""
    if n <= LARGEST_DENSE_N:
        loss.check(n)
        loss.coverage(n)  # remembered: whoever shows or solves the design asks for it
    elif structure(loss) is None:
        raise InputError(
            f"n must be at most {LARGEST_DENSE_N} for the loss {cut(loss.title)}, got {n}; absolute, squared, zero-one, "
            f"threshold, pinball and relative losses, and drawn ones that rise by at most {MOST_RISES} steps, "
            "are solved for any n.",
            "n",
        )
