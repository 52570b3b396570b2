"""What can be taken away from each kind of noise query: one answer or several, a histogram, a choice among a few outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from dpdesigner.core.numbers.given import exact as exact_number
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.composition import together
from dpdesigner.errors import InputError
from dpdesigner.files.tables.choice_table import ChoiceTable, choice_table
from dpdesigner.files.takeaway.noise import NoiseTakeaway, TablesTakeaway, privacy_sentence
from dpdesigner.files.takeaway.noise_tables import Table, choice_rows, curve_tables, table
from dpdesigner.files.takeaway.takeaway import NOTHING, Releases, TableFile
from dpdesigner.files.takeaway.words import epsilon_words, number, rounded
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_outcome import HistogramOutcome
from dpdesigner.studies.noise.histogram_release import HistogramRelease, release_counts
from dpdesigner.studies.noise.histogram_truth import read_truth
from dpdesigner.studies.study import Progress, silent

_SUMS = "checked on its text in exact arithmetic: every row sums to exactly 1"


class QueryTakeaway(TablesTakeaway):
    """What can be taken away from a noise study of any kind of query; none is made of this class itself."""

    @classmethod
    def of(
        cls, study: NoiseStudy, *, done: Mapping[str, Any] = NOTHING, exact: bool | None = False, progress: Progress = silent
    ) -> Any:
        """Run a noise study, unless that is done, and return what belongs to its kind of query; see `Takeaway.of`."""
        others: dict[str, type[TablesTakeaway]] = {"histogram": HistogramTakeaway, "table": ChoiceTakeaway}
        return others.get(study.query, NoiseTakeaway).of(study, done=done, exact=exact, progress=progress)


class HistogramTakeaway(TablesTakeaway):
    """A histogram whose cells are released with exact integer noise; its true counts are never taken away."""

    outcome: HistogramOutcome

    @cached_property
    def tables(self) -> dict[str, Table]:
        """What was released, where the page has released it; else the curves of the noise of one cell."""
        if self._released is not None:
            return {"released": table(self._released.columns())}
        return {f"cell-{key}": rows for key, rows in curve_tables(self.outcome.cell).items()}

    @property
    def _released(self) -> HistogramRelease | None:
        found = self.done.get("release")
        return None if found is None else found.release

    def check(self, formats: Sequence[str], fractions: bool = False) -> None:
        """Refuse the tables of data that are shown and not yet released."""
        super().check(formats, fractions)
        if formats and self._released is None and "truth" in self.done:
            raise InputError("release the histogram first; its true counts are never written.", "file")

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
        return {**super().computed(), "truth": None}


class ChoiceTakeaway(TablesTakeaway):
    """A choice among a few outputs with staircase weights."""

    outcome: TableOutcome

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The probabilities, a row for each state of the data."""
        return {"probabilities": choice_rows(self._table.texts)}

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
        bound = math.nextafter(2 * found.study.privacy.epsilon_above, math.inf)
        return [
            "Privacy: the largest ratio of the probabilities of neighbours was computed; its logarithm is "
            f"{found.mechanism.level!r}, rounded up, where 2 epsilon = {bound:.10g} is what the weights promise in general.",
            f"The whole table (CSV) was {_SUMS}, no entry is negative, and the ratios of neighbouring entries give epsilon = "
            f"{self._table.epsilon!r}, rounded up.",
            f"What can be said of it: {found.reason}",
            "No theorem says that these weights are the best; their cost carries no certificate.",
        ]
