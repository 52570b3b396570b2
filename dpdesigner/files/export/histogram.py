"""Export of a histogram: the noise of its cells, and exact releases; never its true counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from dpdesigner.data.categories import categories_text
from dpdesigner.errors import InputError
from dpdesigner.files.export.formatting import epsilon_words
from dpdesigner.files.export.noise import TablesExport, privacy_sentence
from dpdesigner.files.export.noise_tables import Table, curve_tables, table
from dpdesigner.files.export.programs import Program, histogram_program
from dpdesigner.files.export.releases import Releases, refuse_count, released
from dpdesigner.studies.histogram.answer import HistogramAnswer, HistogramRelease, places, release_counts
from dpdesigner.studies.histogram.true_counts import read_truth
from dpdesigner.studies.noise.plots import density

_TITLES = {
    "cell-probabilities": "Probabilities of the noise of one cell",
    "cell-distribution": "Distribution function of the noise of one cell",
    "cell-cost-against-epsilon": "Expected cost of one cell against its epsilon",
    "cell-cost-against-gamma": "Expected cost of one cell against gamma",
}


class HistogramExport(TablesExport):
    """A histogram whose cells are released with exact integer noise; its true counts are never taken away."""

    left_out: ClassVar[str] = "the true counts and the path of the data"
    programs: ClassVar[bool] = True

    outcome: HistogramAnswer

    @property
    def line(self) -> str:
        """``histogram of 11 cells, add-remove neighbours, epsilon = 1``."""
        outcome = self.outcome
        return (
            f"histogram of {outcome.cells} cells, {outcome.design.neighbours} neighbours, {epsilon_words(outcome.design.privacy)}"
        )

    def inputs(self) -> dict[str, Any]:
        """Return the inputs without true counts, the place of the data, and cells of numbers where texts are counted."""
        left = {"counts", "path"} if self.outcome.design.categories is None else {"counts", "path", "cells"}
        return {key: value for key, value in super().inputs().items() if key not in left}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The release of the page, if there is one; otherwise the curves of the noise of one cell."""
        if self._released is not None:
            return {"released": table(self._released.columns())}
        return {f"cell-{key}": rows for key, rows in curve_tables(self.outcome.cell).items()}

    @property
    def _released(self) -> HistogramRelease | None:
        made = self.done.get("release")
        return made.value.release if made is not None and made.value.releases(self.outcome.design) else None

    def check(self, formats: Sequence[str], fractions: bool = False) -> None:
        """Refuse the tables of data that are shown and not yet released."""
        super().check(formats, fractions)
        if formats and self._released is None and "truth" in self.done:
            raise InputError("release the histogram first; its true counts are never exported.", "file")

    def table_title(self, key: str) -> str:
        """Return what a report calls a table."""
        return _TITLES[key]

    def details(self) -> dict[str, Any]:
        """Return the error bound of a cell with probability 95%, and why the noise is the best."""
        return {"within_95_percent": self.outcome.within(), "reason": self.outcome.reason}

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Return the categories, where there are some, and the findings."""
        outcome = self.outcome
        texts = [("categories", categories_text(outcome.design.categories or ()) or "none"), ("list", outcome.listing)]
        return [*(texts if outcome.listing else ()), *super().facts(full)]

    def proof(self) -> list[str]:
        """Return how far the privacy of a cell was checked, and how it makes that of the whole."""
        outcome = self.outcome
        whole = (
            f"The sensitivity of all cells together is {outcome.design.sensitivity.value}: {outcome.design.sensitivity.reason}"
        )
        optimality = " ".join(filter(None, (f"Optimality: {outcome.reason}", outcome.together)))
        return [*filter(None, [outcome.listing]), f"For one cell: {privacy_sentence(outcome.cell)}", whole, optimality]

    def panels(self) -> list[Any]:
        """Return the noise of one cell."""
        return [replace(density(self.outcome.cell, 0.0)[0], key="cell-probabilities", title=_TITLES["cell-probabilities"])]

    def made_program(self, language: str, head: str) -> Program:
        """Return a program that releases counts; see `dpdesigner.files.export.programs.histogram_program`."""
        return histogram_program(language, self.outcome, head)

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Release the histogram exactly, from the operating system's entropy; where it has no data, the noise to add."""
        refuse_count(count, "a histogram releases all its cells")
        design, source = self.outcome.design, self.outcome.design.source
        known, edges = source.is_set, places(design)
        counts = read_truth(source).counts if known else (0,) * self.outcome.cells
        drawn = [release_counts(counts, edges, design.privacy, design.neighbours).released.tolist() for _ in range(draws)]
        if not known:
            return Releases(drawn, "the design has no data: this is noise to add to the true count of each cell.")
        several = released(drawn, design.privacy.epsilon_above, "releases of the same data").warning
        warning = " ".join(filter(None, ["" if self.outcome.keeps else self.outcome.listing, several]))
        return Releases(drawn, warning, names=tuple(map(str, edges)) if design.categories is not None else ())

    def computed(self) -> dict[str, Any]:
        """Return that no picture needs the true counts."""
        return {**super().computed(), "truth": None}
