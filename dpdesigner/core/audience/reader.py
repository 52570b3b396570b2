"""A reader of a release: their prior or candidate priors for the count, and their loss from a wrong reading."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.dense.certificate import Costs
from dpdesigner.core.numbers.parsing import Number
from dpdesigner.core.problem.coverage import Rows
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.structured.remap import Structure, structure
from dpdesigner.errors import InputError

Caution = Literal["", "loss", "regret"]
Losses = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, eq=False)
class AudienceReader:
    """One of the readers for whom a count is released.

    Attributes
    ----------
    name : str
    priors : tuple of Prior
        One for a reader who has a prior. For a cautious reader the candidates, of which the worst is guarded against.
    loss : Loss or tuple of tuples of Fraction
        What it costs to read r when the count is i; a table (n + 1, m) where readings are not counts.
    labels : tuple of str
        What the readings of such a table are called; empty: 0, 1, 2, ….
    cautious : {"", "loss", "regret"}
        Whether the largest expected loss over the candidates is minimised, or the largest regret: loss minus the least loss that
        the prior allows at the same privacy.
    weight : Number
        In the total of all readers.
    target : Number or None
        The expected loss, or regret, that the reader needs.
    """

    name: str
    priors: tuple[Prior, ...]
    loss: Loss | Losses
    labels: tuple[str, ...] = ()
    cautious: Caution = ""
    weight: Number = 1
    target: Number | None = None

    @property
    def n(self) -> int:
        """The largest count."""
        return self.priors[0].n

    @property
    def prior(self) -> Prior:
        """The reader's prior; for a cautious reader, the first candidate."""
        return self.priors[0]

    @property
    def losses(self) -> Floats:
        """l(i, r) as doubles, (n + 1, m); readers with the same loss share it."""
        return self.loss.matrix(self.n) if isinstance(self.loss, Loss) else self._table

    @cached_property
    def _table(self) -> Floats:
        assert not isinstance(self.loss, Loss)
        return np.array([[float(value) for value in row] for row in self.loss])

    @property
    def readings(self) -> int:
        """How many readings there are: m."""
        return self.n + 1 if isinstance(self.loss, Loss) else len(self.loss[0])

    @property
    def costs(self) -> Costs:
        """Prior and loss in the form solved in doubles."""
        losses = self.losses
        if isinstance(self.loss, Loss):
            return Costs(self.prior.probabilities, losses, *self.loss.bounds(self.n))
        return Costs(self.prior.probabilities, losses, losses.min(axis=1), losses.max(axis=1))

    @cached_property
    def constant_loss(self) -> float:
        """The least expected loss of a reader with a prior who ignores the data, in doubles."""
        return float((self.prior.probabilities @ self.losses).min())

    @cached_property
    def exact_losses(self) -> list[list[Fraction]] | None:
        """The losses in fractions; None if any loss is irrational."""
        if not isinstance(self.loss, Loss):
            return [list(row) for row in self.loss]
        try:
            return self.loss.exact_matrix(self.n)
        except InputError:
            return None

    @cached_property
    def structure(self) -> Structure | None:
        """The structure of a named loss, which makes reading large counts fast."""
        return structure(self.loss) if isinstance(self.loss, Loss) else None

    @cached_property
    def covered(self) -> bool:
        """Whether Theorem A covers the loss: every row falls to its minimum, then rises, and the minimum moves right with i."""
        if isinstance(self.loss, Loss):
            return self.loss.coverage(self.n).covered
        return Rows.of(self.losses).coverage(self.losses).covered

    @cached_property
    def beliefs(self) -> Floats:
        """The candidate priors, (number of candidates, n + 1)."""
        return np.array([prior.probabilities for prior in self.priors])

    @cached_property
    def exact_beliefs(self) -> list[tuple[Fraction, ...]]:
        """The candidate priors in fractions."""
        return [prior.exact for prior in self.priors]

    @property
    def loss_title(self) -> str:
        """A short title of the loss."""
        return self.loss.title if isinstance(self.loss, Loss) else "table"

    def reading_name(self, r: int) -> str:
        """Return the name of the reading in column r of the loss."""
        return self.labels[r] if self.labels else str(r)
