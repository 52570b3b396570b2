"""A histogram of a column of data, released with exact noise beside the truth."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.data.columns import EXAMPLE
from dpdesigner.desktop.background.tables import all_columns_of
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.kit.column_source import ColumnSource
from dpdesigner.desktop.theme.words import translated
from dpdesigner.desktop.widgets.base.labelled import push_button, wrapped
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.base.sentence_label import ErrorLine, SentenceLabel
from dpdesigner.desktop.widgets.plot.histogram_pair import HistogramPair
from dpdesigner.studies.histogram import release_text as words
from dpdesigner.studies.histogram.answer import HistogramAnswer
from dpdesigner.studies.histogram.categories import listing
from dpdesigner.studies.histogram.conversion import counting
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.release import Released, released
from dpdesigner.studies.histogram.true_counts import Truth, read_truth
from dpdesigner.studies.job import Job

_EXAMPLE = {"path": f"{EXAMPLE}doctor_visits.csv", "column": "visits", "cells": "0..20"}
_TEXTS = {"path": f"{EXAMPLE}admissions_1973.csv", "column": "department", "categories": tuple("ABCDEF")}


class HistogramPanel(QWidget):
    """Bars of the truth and of a release, their differences, and where the data are."""

    releaseRequested = Signal()

    def __init__(self, asking: AskingColumn[Any]) -> None:
        super().__init__()
        self._asking = asking
        self._outcome: HistogramAnswer | None = None
        self._truth: Truth | None = None
        self._failure = ""  # why there is none
        self.released: Released | None = None
        self.design: HistogramDesign | None = None
        self._spent: dict[str, list[float]] = {}  # the levels of the releases of each file; what is counted in it is no matter
        self.source = ColumnSource(
            self, self.tr("One row a person"), self.tr("Column to count"), self._example(False), offered=all_columns_of
        )
        self.source.changed.connect(self._change_source)
        self.bars = HistogramPair()
        self.sentence, self.keeping, self.listing = (SentenceLabel("small") for _ in range(3))
        self.misfit = ErrorLine()
        below = self._button_row(), self.source.error, self.misfit, self.sentence, self.keeping
        column_of(self.source, self.listing, (self.bars, 100), *below, None, on=self, gap=4)

    def _button_row(self) -> QWidget:
        tip = self.tr("Draw exact noise for every cell, from the system’s entropy; every release is one more look")
        self.release = push_button(self.tr("Release once"), tip, self.releaseRequested)
        tip = self.tr("Show the true counts beside the released ones; pictures and tables taken away never hold them")
        self.truth = push_button(self.tr("Truth"), tip, self._show, checkable=True)
        self.truth.setChecked(True)
        tip = self.tr("Save the true counts with the design, so that it works where the data are not")
        self.keep = push_button(self.tr("Keep the counts"), tip, self._keep, checkable=True)
        return wrapped(self.release, self.truth, self.keep)

    def _example(self, texts: bool) -> tuple[str, dict[str, Any]]:
        if texts:
            return self.tr("Departments that 4526 people applied to, which ship with the program"), _TEXTS
        return self.tr("Visits to a doctor in 20 190 person-years, which ship with the program"), _EXAMPLE

    # What is asked and computed ----------------------------------------------------------------------------------------

    @Slot(object, str)
    def _change_source(self, changes: Mapping[str, Any], words: str) -> None:
        self._asking.ask(words, lambda design: counting(design, changes))

    @Slot(bool)
    def _keep(self, on: bool) -> None:
        counts = tuple(self._truth.counts.tolist()) if on and self._truth is not None else None
        self._asking.ask(self.tr("Keep counts") if on else self.tr("Keep no counts"), lambda old: old.replace(counts=counts))

    @staticmethod
    def jobs(design: HistogramDesign) -> tuple[Job, ...]:
        """Return what counts the rows of a histogram, where it has any."""
        return (Job("truth", lambda progress: read_truth(design.source)),) if design.source.is_set else ()

    def releasing(self) -> Job | None:
        """Return the job that releases the histogram once; None while nothing is counted."""
        design, truth = self.design, self._truth
        return None if design is None or truth is None else Job("release", lambda progress: released(design, truth))

    def _take_cells(self, cells: str) -> None:
        label = self.tr("Take the cells from the data")
        self._asking.ask(label, lambda old: old.replace(cells=cells, listed="data", counts=None))

    # What is shown -----------------------------------------------------------------------------------------------------

    def set_design(self, design: HistogramDesign) -> None:
        """Show where the data are; counts of other data are forgotten, and releases at another level or of other cells.

        How much was spent on a file is not: another level, other cells or another column are one more look at its rows.
        """
        before, self.design = self.design, design
        if before is None or design.source._replace(counts=None) != before.source._replace(counts=None):
            self._truth, self._failure = None, ""
        if before is None or (design.source, design.listed) != (before.source, before.listed):
            self._show_source(design)
        if self.released is not None and _releasing(design) != _releasing(self.released.design):
            self._set_released(None)
        self._show()

    def _show_source(self, design: HistogramDesign) -> None:
        self.source.offer_example(*self._example(design.categories is not None))
        self.source.show_source(design.column, translated(words.source(design)))
        self.keep.setChecked(design.counts is not None)
        self.keep.setEnabled(design.source.is_set)
        self.keeping.set_sentence(translated(words.keeping(design)))
        self.listing.set_sentence(translated(listing(design)))
        titles = [translated(design.title(cell)) for cell in range(design.size)]
        self.bars.set_cells(titles, design.column)

    def set_outcome(self, outcome: HistogramAnswer) -> None:
        """Show how much noise there is."""
        self._outcome = outcome
        self._show()

    def set_truth(self, truth: Truth) -> None:
        """Show the true counts, unless they are of other data."""
        if self.design is not None and truth.source == self.design.source:
            self._truth, self._failure = truth, ""
            self.source.error.clear()
            self._show()

    def show_failure(self, reason: str) -> None:
        """Say beside the data why they could not be read."""
        self._truth, self._failure = None, reason
        self._show()
        self.source.error.set_sentence(reason)

    def set_released(self, release: Released) -> None:
        """Show a release, unless it is of another design; each one is remembered as a look at the data."""
        if release.design == self.design:
            self._spent.setdefault(release.design.path, []).append(release.design.privacy.epsilon_above)
            self._set_released(release)

    def _set_released(self, release: Released | None) -> None:
        self.released = release
        self.release.setText(self.tr("Release again") if release is not None else self.tr("Release once"))
        self._show()

    def set_presenting(self, on: bool) -> None:
        """Hide where the data come from, what is saved, and why nothing is counted."""
        self.source.error.set_sentence("" if on else self._failure)
        self.source.setVisible(not on)
        self.keep.setVisible(not on)
        self.keeping.setVisible(not on and bool(self.keeping.text()))

    @Slot()
    def _show(self) -> None:
        outcome, truth, drawn = self._outcome, self._truth, None if self.released is None else self.released.release.released
        self.release.setEnabled(outcome is not None and truth is not None)
        self.bars.setVisible(truth is not None or drawn is not None)
        self._show_misfit("" if truth is None else truth.fitting)
        if outcome is None:
            return
        true = None if truth is None else truth.counts
        self.bars.show_counts(outcome.cells, true, drawn, float(outcome.within()), not self.truth.isChecked())
        spent = self._spent.get(outcome.design.path, ())
        self.sentence.set_sentence(" ".join(map(translated, words.sentences(outcome, truth, self.released, spent))))

    def _show_misfit(self, cells: str) -> None:
        """Offer cells that fit the data, and say that such cells are not private."""
        if not cells:
            self.misfit.clear()
            return
        problem = self.tr("Most values are in the last cell or in none. The offered cells are taken from the data: not private.")
        self.misfit.set_remedy(problem, self.tr("Use {cells}").format(cells=cells), partial(self._take_cells, cells))


def _releasing(design: HistogramDesign) -> tuple[object, ...]:
    """What a release is of: another name or cost leaves it as it is."""
    return design.privacy, design.source, design.neighbours
