"""Where a histogram's data come from and what is released of them: between the panel and the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from PySide6.QtCore import QObject, Slot

from dpdesigner.data.columns import EXAMPLE
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.pages.noise.histogram_panel import HistogramPanel
from dpdesigner.desktop.pages.noise.jobs import Released, release
from dpdesigner.desktop.pages.noise.queries import as_histogram
from dpdesigner.desktop.pages.noise.sides import Asked
from dpdesigner.desktop.work.tables import columns_of
from dpdesigner.errors import Cancelled, DpDesignerError, InputError
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.truth import Truth, read_truth
from dpdesigner.studies.job import Job

_EXAMPLE = f"{EXAMPLE}doctor_visits.csv"
_EXAMPLE_CELLS = "0..20"


class ColumnSource(QObject):
    """Turns what the panel asks for into studies and jobs, and shows there what the jobs give."""

    NAMES: ClassVar[tuple[str, ...]] = ("truth", "release")  #: of its jobs

    def __init__(self, panel: HistogramPanel, asking: AskingColumn[Asked], parent: QObject) -> None:
        super().__init__(parent)
        self._panel, self._asking = panel, asking
        self._design: HistogramDesign | None = None
        self._truth: Truth | None = None
        self.released: Released | None = None
        panel.fileChosen.connect(self.open_file)
        panel.exampleChosen.connect(self.open_example)
        panel.columnChosen.connect(self._change_column)
        panel.keepToggled.connect(self._keep)

    def jobs(self, design: HistogramDesign | None) -> Sequence[Job]:
        """Return what counts the rows of a histogram; None is another kind of design."""
        self._design = design
        source = None if design is None else design.source
        if self._truth is not None and self._truth.source != source:
            self._truth = None
        if self.released is not None and self.released.design != design:
            self.released = None
        if source is None or not source.known:
            return ()
        return (Job("truth", lambda progress: read_truth(source)),)

    def show_outcome(self, outcome: Truth | Released) -> None:
        """Show counts or a release, unless they belong to what is no longer shown."""
        if self._design is None:
            return
        if isinstance(outcome, Truth):
            if outcome.source == self._design.source:
                self._truth = outcome
                self._panel.set_truth(outcome)
        elif outcome.design == self._design:
            self.released = outcome
            self._panel.set_released(outcome)

    def show_failure(self, error: DpDesignerError) -> None:
        """Say beside the data why they could not be read."""
        self._truth = None
        self._panel.set_truth(None)
        self._panel.set_error(str(error))

    def releasing(self) -> Job | None:
        """Return the job that releases the histogram once; None while nothing is counted."""
        design, truth = self._design, self._truth
        return None if design is None or truth is None else Job("release", lambda progress: release(design, truth))

    @Slot()
    def open_example(self) -> None:
        """Count the column that ships with the program."""
        self._change(self.tr("Open example data"), cells=_EXAMPLE_CELLS, path=_EXAMPLE, column="visits", counts=None)

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
        self._change(self.tr("Open data"), path=path, column=names[0], counts=None)

    @Slot(str)
    def _change_column(self, name: str) -> None:
        self._change(self.tr("Choose column"), column=name, counts=None)

    @Slot(bool)
    def _keep(self, on: bool) -> None:
        counts = tuple(self._truth.counts.tolist()) if on and self._truth is not None else None
        self._change(self.tr("Keep counts") if on else self.tr("Keep no counts"), counts=counts)

    def _change(self, label: str, **changes: Any) -> None:
        self._asking.ask(label, lambda design: as_histogram(design, {}).replace(**changes))
