"""What can be taken away from each kind of noise query: one answer or several, a histogram, a choice among a few outputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from dpdesigner.core.numbers.given import exact as exact_number
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.composition import together
from dpdesigner.errors import InputError
from dpdesigner.files.tables.choice_table import ChoiceTable, choice_table
from dpdesigner.files.takeaway.export import number
from dpdesigner.files.takeaway.noise import NoiseTakeaway, TablesTakeaway, privacy_sentence
from dpdesigner.files.takeaway.takeaway import Releases, Takeaway, Written
from dpdesigner.files.takeaway.words import epsilon_words, rounded
from dpdesigner.studies.noise import queries as noise_queries
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_outcome import HistogramOutcome
from dpdesigner.studies.noise.histogram_release import release_counts
from dpdesigner.studies.noise.histogram_truth import read_truth
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.study import Progress, silent

_SUMS = "checked on its text in exact arithmetic: every row sums to exactly 1"


def noise_takeaway(study: NoiseStudy, *, exact: bool | None = False, progress: Progress = silent) -> Takeaway:
    """Run a noise study, and return what can be taken away from its kind of query; see `Takeaway.of`."""
    if exact:
        raise InputError("exact arithmetic is for count designs, got a noise design.", "file")
    outcome = noise_queries.run(study, progress)
    if isinstance(outcome, NoiseOutcome):
        return NoiseTakeaway(outcome)
    return HistogramTakeaway(outcome) if isinstance(outcome, HistogramOutcome) else ChoiceTakeaway(outcome)


class HistogramTakeaway(TablesTakeaway):
    """A histogram whose cells are released with exact integer noise; its true counts are never taken away."""

    def __init__(self, outcome: HistogramOutcome) -> None:
        super().__init__(outcome)
        self.outcome: HistogramOutcome = outcome

    @property
    def line(self) -> str:
        """``histogram of 11 cells, add-remove neighbours, epsilon = 1``."""
        found = self.outcome
        return f"histogram of {found.cells} cells, {found.query.neighbours} neighbours, {epsilon_words(found.study.privacy)}"

    def facts(self) -> list[tuple[str, str]]:
        """Return the noise of a cell, how far off it is, and why it is the best."""
        found = self.outcome
        return [
            ("expected cost", f"{rounded(found.cost)} for all cells, {rounded(found.cell.cost)} a cell"),
            ("error", f"a released cell is within {found.within()} of the truth with a probability of at least 95 %"),
            ("sensitivity", f"{found.query.sensitivity.value}: {found.query.sensitivity.reason}"),
            ("epsilon of a cell", figure(found.cell_privacy.epsilon_above, 6)),
            ("Laplace cost", f"{rounded(found.laplace_cost)} a cell, not rounded"),
            ("proved optimal", f"{'yes' if found.proved else 'no'}: {found.reason}"),
        ]

    def proof(self) -> list[str]:
        """Return how far the privacy of a cell was checked, and how it makes that of the whole."""
        found = self.outcome
        whole = f"The sensitivity of all cells together is {found.query.sensitivity.value}: {found.query.sensitivity.reason}"
        optimality = " ".join(filter(None, (f"Optimality: {found.reason}", found.together)))
        return [f"Of one cell: {privacy_sentence(found.cell)}", whole, optimality]

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Release the histogram exactly, from the operating system's entropy; where it has no data, the noise to add."""
        if count is not None:
            raise InputError("a histogram releases all its cells; leave --count out.", "count")
        query, study = self.outcome.query, self.outcome.study
        known = bool(query.path) or query.counts is not None
        edges, counts = [float(edge) for edge in query.edges], read_truth(query).counts if known else (0,) * self.outcome.cells
        released = [release_counts(counts, edges, study.privacy, query.neighbours).released.tolist() for _ in range(draws)]
        if not known:
            return Releases(released, "the design has no data: this is noise, to be added to the true count of each cell.")
        total = figure(together([study.privacy.epsilon_above] * draws), 6)
        warning = f"{draws} releases of the same data: together they have epsilon = {total}, rounded up."
        return Releases(released, warning if draws > 1 else "")

    def computed(self) -> dict[str, Any]:
        """Return that no picture needs the true counts."""
        return {"truth": None}


class ChoiceTakeaway(TablesTakeaway):
    """A choice among a few outputs with staircase weights."""

    def __init__(self, outcome: TableOutcome) -> None:
        super().__init__(outcome)
        self.outcome: TableOutcome = outcome

    @property
    def line(self) -> str:
        """``choice among 6 outputs for 6 states of the data, epsilon = 1 in the weights``."""
        costs = self.outcome.query.costs
        return f"choice among {len(costs[0])} outputs for {len(costs)} states of the data, " + (
            f"{epsilon_words(self.outcome.study.privacy)} in the weights"
        )

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

    def write(self, folder: str | Path, name: str, formats: Sequence[str], fractions: bool = False) -> list[Written]:
        """Write the probabilities, and say what was verified on their text."""
        found, said = super().write(folder, name, formats, fractions), f"{_SUMS} and epsilon is at most {self._table.epsilon!r}"
        data = {"epsilon": number(self._table.epsilon)}
        return [item if item.path.suffix == ".tex" else Written(item.path, said, data) for item in found]

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Refuse: an output is drawn by whoever has the table."""
        raise InputError("a choice among outputs is not drawn here; dpdesigner export writes its probabilities.", "file")

    @cached_property
    def _table(self) -> ChoiceTable:
        return choice_table(self.outcome)

    def proof(self) -> list[str]:
        """Return the privacy that was computed from the probabilities themselves, and that of their text."""
        found = self.outcome
        bound = math.nextafter(2 * found.study.privacy.epsilon_above, math.inf)
        return [
            "Privacy: the largest ratio of the probabilities of neighbours was computed; its logarithm is "
            f"{found.mechanism.level!r}, rounded up, where 2 epsilon = {bound:.10g} is what the weights promise in general.",
            f"The whole table (CSV) was {_SUMS}, no entry is negative, and the ratios of neighbouring entries give epsilon = "
            f"{self._table.epsilon!r}, rounded up.",
            f"What can be said of it: {found.reason}",
            "No theorem says that these weights are the best; their cost carries no certificate.",
        ]
