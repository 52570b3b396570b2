"""What running a histogram study gives: the noise of each cell, and what it costs all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dpdesigner.core.noise import histogram
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_query import HistogramQuery
from dpdesigner.studies.noise.outcome import NoiseOutcome


@dataclass(frozen=True, eq=False)
class HistogramOutcome:
    """The noise of a histogram study.

    Attributes
    ----------
    study : NoiseStudy
        What was asked.
    query : HistogramQuery
        Its histogram.
    cell : NoiseOutcome
        The noise of one cell: of a count, at epsilon over the sensitivity.
    """

    study: NoiseStudy
    query: HistogramQuery
    cell: NoiseOutcome

    @property
    def attained(self) -> PrivacyLevel:
        """The privacy of all cells together: what was asked for, shared among the cells that a row can change."""
        return self.study.privacy

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.query.edges)

    @property
    def cell_privacy(self) -> PrivacyLevel:
        """The privacy level of the geometric noise of each cell."""
        return self.cell.study.privacy

    @property
    def cost(self) -> float:
        """The expected cost of all cells together."""
        return self.cells * self.cell.cost

    @cached_property
    def laplace_cost(self) -> float:
        """The expected cost of a cell with continuous Laplace noise of scale Delta / epsilon, not rounded."""
        return Laplace(self.study.epsilon, float(self.query.sensitivity.value)).cost(self.study.noise_cost)

    @property
    def proved(self) -> bool:
        """Whether each cell's noise is proved to be the best that can be added to it, given the epsilon of the whole."""
        return self.query.neighbours == "add-remove" and self.cell.proved

    @property
    def reason(self) -> str:
        """One sentence: why it is proved to be the best, or why not."""
        if self.query.neighbours == "replace":
            return "a replaced row changes two cells, so that each cell has half of ε; this is not proved to be the best."
        return f"a row changes one cell only, so that each cell has all of ε; {self.cell.reason}"

    @property
    def together(self) -> str:
        """One sentence: why no noise added to all cells at once is better; empty where that is not proved.

        One row moves one cell by 1, so what such noise adds to a cell is epsilon-private noise for one count: it costs at least
        what geometric noise costs ([Geng], discrete, Delta = 1). Proof in full: THEORY.md, section 5.
        """
        if not self.proved:
            return ""
        return (
            "No whole-number noise added to the cells, dependent or not, costs less where the cost is a sum over cells: its part "
            "for one cell must be ε-private for that count, so it costs no less than geometric noise, and geometric noise for "
            "each cell apart costs just that in all."
        )

    def within(self, chance: float = 0.95) -> int:
        """Return how far from the truth a released cell is at most, with this probability."""
        return histogram.error_within(self.cell_privacy, chance)

    def facts(self) -> dict[str, Any]:
        """Return the results as JSON values; what is infinite is None."""
        found = self.cell.facts()
        return {
            "cells": self.cells,
            "sensitivity": int(self.query.sensitivity.value),
            "epsilon": self.study.privacy.epsilon_above,
            "cell_epsilon": self.cell_privacy.epsilon,
            "cell_cost": found["cost"],
            "within_95_percent": self.within(),
            "proved": self.proved,
            "reason": self.reason,
        }
