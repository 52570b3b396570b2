"""Where a histogram's data come from and what is released of them: between the panel and the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from PySide6.QtCore import QObject, Signal, Slot

from dpdesigner.data.columns import EXAMPLE
from dpdesigner.desktop.pages.noise.histogram_panel import HistogramPanel
from dpdesigner.desktop.pages.noise.jobs import Released, release
from dpdesigner.desktop.pages.noise.query_card import Ask
from dpdesigner.desktop.work.tables import columns_of
from dpdesigner.errors import Cancelled, DpDesignerError, InputError
from dpdesigner.studies.job import Job
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_query import HistogramQuery
from dpdesigner.studies.noise.histogram_truth import Truth, read_truth

_EXAMPLE = f"{EXAMPLE}doctor_visits.csv"
_EXAMPLE_CELLS = "0..20"


class ColumnSource(QObject):
    """Turns what the panel asks for into studies and jobs, and shows there what the jobs give."""

    NAMES: ClassVar[tuple[str, ...]] = ("truth", "release")  #: of its jobs

    requested = Signal(object)  #: a job

    def __init__(self, panel: HistogramPanel, ask: Ask, parent: QObject) -> None:
        super().__init__(parent)
        self._panel, self._ask = panel, ask
        self._study: NoiseStudy | None = None
        self._truth: Truth | None = None
        self.released: Released | None = None
        panel.fileChosen.connect(self.open_file)
        panel.exampleChosen.connect(self.open_example)
        panel.columnChosen.connect(self._change_column)
        panel.keepToggled.connect(self._keep)
        panel.releaseRequested.connect(self.release)

    def jobs(self, study: NoiseStudy) -> Sequence[Job]:
        """Return what counts the rows of a study's histogram."""
        self._study = study
        query = study.histogram
        if self._truth is not None and self._truth.query != query:
            self._truth = None
        if self.released is not None and self.released.study != study:
            self.released = None
        if study.query != "histogram" or not (query.path or query.counts is not None):
            return ()
        return (Job("truth", lambda progress: read_truth(query)),)

    def show_outcome(self, outcome: Truth | Released) -> None:
        """Show counts or a release, unless they belong to what is no longer shown."""
        if self._study is None:
            return
        if isinstance(outcome, Truth):
            if outcome.query == self._study.histogram:
                self._truth = outcome
                self._panel.set_truth(outcome)
        elif outcome.study == self._study:
            self.released = outcome
            self._panel.set_released(outcome)

    def show_failure(self, error: DpDesignerError) -> None:
        """Say beside the data why they could not be read."""
        self._truth = None
        self._panel.set_truth(None)
        self._panel.set_error(str(error))

    @Slot()
    def release(self) -> None:
        """Release the histogram once."""
        study, truth = self._study, self._truth
        if study is not None and truth is not None:
            self.requested.emit(Job("release", lambda progress: release(study, truth)))

    @Slot()
    def open_example(self) -> None:
        """Count the column that ships with the program."""
        self._change(
            self.tr("Open example data"),
            lambda query: replace(query, cells=_EXAMPLE_CELLS, path=_EXAMPLE, column="visits", counts=None),
        )

    @Slot(str)
    def open_file(self, path: str) -> None:
        """Count the first column of numbers of a file, and offer the others."""
        try:
            names = columns_of(path, self._panel)
        except Cancelled:
            return
        except InputError as error:
            self._panel.set_error(str(error))
            return
        self._panel.set_columns(names)
        self._change(self.tr("Open data"), lambda query: replace(query, path=path, column=names[0], counts=None))

    @Slot(str)
    def _change_column(self, name: str) -> None:
        self._change(self.tr("Choose column"), lambda query: replace(query, column=name, counts=None))

    @Slot(bool)
    def _keep(self, on: bool) -> None:
        counts = tuple(self._truth.counts.tolist()) if on and self._truth is not None else None
        self._change(self.tr("Keep counts") if on else self.tr("Keep no counts"), lambda query: replace(query, counts=counts))

    def _change(self, label: str, make: Callable[[HistogramQuery], HistogramQuery]) -> None:
        self._ask(label, partial(_changed, make))


def _changed(make: Callable[[HistogramQuery], HistogramQuery], study: NoiseStudy) -> NoiseStudy:
    return study.replace(histogram=make(study.histogram))
