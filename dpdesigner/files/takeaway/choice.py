"""What can be taken away from a choice among a few outputs: its probabilities, and the privacy of their very text."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from dpdesigner.core.numbers.given import exact as exact_number
from dpdesigner.errors import InputError
from dpdesigner.files.tables.choice_table import ChoiceTable, choice_table
from dpdesigner.files.takeaway.noise import TablesTakeaway
from dpdesigner.files.takeaway.noise_tables import Table, choice_rows
from dpdesigner.files.takeaway.takeaway import Releases, TableFile
from dpdesigner.files.takeaway.words import epsilon_words, number, rounded
from dpdesigner.studies.choice.outcome import ChoiceOutcome

_SUMS = "checked on its text in exact arithmetic: every row sums to exactly 1"


class ChoiceTakeaway(TablesTakeaway):
    """A choice among a few outputs with staircase weights."""

    outcome: ChoiceOutcome

    @property
    def line(self) -> str:
        """``choice among 6 outputs for 6 states of the data, epsilon = 1 in the weights``."""
        costs = self.outcome.design.costs
        return f"choice among {len(costs[0])} outputs for {len(costs)} states of the data, " + (
            f"{epsilon_words(self.outcome.design.privacy)} in the weights"
        )

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The probabilities as the text whose privacy is verified."""
        return {"probabilities": choice_rows(self._table.texts)}

    def table_title(self, key: str) -> str:
        """Return what a report calls the table."""
        return "Probabilities"

    def results(self) -> dict[str, Any]:
        """Return costs, sensitivity, and the privacy that the probabilities really have."""
        found = self.outcome
        return {
            "rows": len(found.design.costs),
            "columns": len(found.design.costs[0]),
            "sensitivity": float(found.mechanism.sensitivity),
            "gamma": float(exact_number(found.gamma, "gamma")),
            "cost": found.cost,
            "exponential_cost": found.exponential_cost,
            "weights_epsilon": found.design.privacy.epsilon_above,
            "epsilon": found.mechanism.level,
            "proved": found.proved,
            "reason": found.reason,
        }

    def facts(self) -> list[tuple[str, str]]:
        """Return the cost beside exponential weights, and the privacy that the probabilities really have."""
        found = self.outcome
        return [
            ("expected cost", f"{rounded(found.cost)}, every state being equally likely"),
            ("exponential cost", rounded(found.exponential_cost)),
            ("gamma", rounded(float(exact_number(found.gamma, "gamma")))),
            ("sensitivity", rounded(float(found.mechanism.sensitivity))),
            ("epsilon", f"{found.mechanism.level!r} (what the probabilities really have, rounded up)"),
            ("privacy", found.reason),
        ]

    def _checked(self, name: str, text: str) -> TableFile:
        """A file, and what was verified on the text of its probabilities."""
        words = f"{_SUMS} and epsilon is at most {self._table.epsilon!r}"
        return TableFile(name, text, words, {"epsilon": number(self._table.epsilon)})

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Refuse: an output is drawn by whoever has the table."""
        raise InputError("a choice among outputs is not drawn here; dpdesigner export writes its probabilities.", "file")

    @cached_property
    def _table(self) -> ChoiceTable:
        return choice_table(self.outcome)

    def proof(self) -> list[str]:
        """Return the privacy that was computed from the probabilities themselves, and that of their text."""
        found = self.outcome
        bound = math.nextafter(2 * found.design.privacy.epsilon_above, math.inf)
        return [
            "Privacy: the largest ratio of the probabilities of neighbours was computed; its logarithm is "
            f"{found.mechanism.level!r}, rounded up, where 2 epsilon = {bound:.10g} is what the weights promise in general.",
            f"The whole table (CSV) was {_SUMS}, no entry is negative, and the ratios of neighbouring entries give epsilon = "
            f"{self._table.epsilon!r}, rounded up.",
            f"What can be said of it: {found.reason}",
            "No theorem says that these weights are the best; their cost carries no certificate.",
        ]
