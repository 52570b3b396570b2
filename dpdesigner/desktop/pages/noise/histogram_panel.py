"""A histogram of a column of data, released with exact noise beside the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesigner.desktop.look.theme import set_class, theme
from dpdesigner.desktop.pages.kit.sources import dropped_table
from dpdesigner.desktop.pages.noise import histogram_words
from dpdesigner.desktop.pages.noise.jobs import Released
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.labelled import wrapped
from dpdesigner.desktop.widgets.base.name_box import NameBox
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.plot.histogram_plot import Bars, HistogramPlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.desktop.work.tables import chosen_table
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.outcome import HistogramOutcome
from dpdesigner.studies.histogram.truth import Truth

#: Pixels at text scale 1 that each plot needs.
_COUNTS, _ERRORS = 130, 100


class HistogramPanel(QWidget):
    """Bars of the truth and of a release, their differences, and where the data are."""

    fileChosen = Signal(str)  #: the path of a file whose column is to be counted
    exampleChosen = Signal()
    columnChosen = Signal(str)
    releaseRequested = Signal()
    keepToggled = Signal(bool)  #: whether the true counts are to be kept with the design

    def __init__(self) -> None:
        super().__init__()
        self._outcome: HistogramOutcome | None = None
        self._truth: Truth | None = None
        self._released: Released | None = None
        self.design: HistogramDesign | None = None
        self._spent: dict[str, list[float]] = {}  # the levels of the releases of each file; what is counted in it is no matter
        self.setAcceptDrops(True)
        column = ColumnLayout(self)
        column.setSpacing(4)
        self._sources = self._source_row()
        self.counts, self.errors = HistogramPlot(), HistogramPlot()
        self.counts.figure().align_with(self.errors.figure())
        self.counts.cellHovered.connect(self.errors.show_cell)
        self.errors.cellHovered.connect(self.counts.show_cell)
        column.addWidget(self._sources)
        column.addWidget(self.counts, 5)
        column.addWidget(self.errors, 3)
        column.addWidget(self._button_row())
        self.error, self.sentence, self.keeping = SentenceLabel("error"), SentenceLabel("small"), SentenceLabel("small")
        for label in (self.error, self.sentence, self.keeping):
            column.addWidget(label)
        column.addStretch()  # while there is nothing to be shown
        theme().changed.connect(self._fit)
        self._fit()

    def _button_row(self) -> QWidget:
        self.release = QPushButton(self.tr("Release once"))
        self.release.setToolTip(
            self.tr("Draw exact noise for every cell, from the system’s entropy; every release is one more look")
        )
        self.release.clicked.connect(self.releaseRequested)
        self.truth = QPushButton(self.tr("Truth"))
        self.truth.setCheckable(True)
        self.truth.setChecked(True)
        self.truth.setToolTip(
            self.tr("Show the true counts beside the released ones; pictures and tables taken away never hold them")
        )
        self.truth.toggled.connect(self._show)
        self.keep = QPushButton(self.tr("Keep the counts"))
        self.keep.setCheckable(True)
        self.keep.setToolTip(self.tr("Save the true counts with the design, so that it works where the data are not"))
        self.keep.clicked.connect(self.keepToggled)
        return wrapped(self.release, self.truth, self.keep)

    def _source_row(self) -> QWidget:
        self.open = QPushButton(self.tr("Open a column…"))
        self.open.setToolTip(self.tr("A CSV or TSV file with one row a person; it can also be dropped here"))
        self.open.clicked.connect(self._choose_file)
        self.example = QPushButton(self.tr("Example"))
        self.example.setToolTip(self.tr("Visits to a doctor in 20 190 person-years, which ship with the program"))
        self.example.clicked.connect(self.exampleChosen)
        self.columns = NameBox()
        self.columns.setMinimumContentsLength(12)
        self.columns.setAccessibleName(self.tr("Column to count"))
        self.columns.textActivated.connect(self.columnChosen)
        self.source = QLabel()
        set_class(self.source, "small")
        return wrapped(self.open, self.example, self.columns, self.source)

    # What is shown -----------------------------------------------------------------------------------------------------

    def set_design(self, design: HistogramDesign) -> None:
        """Show where the data are; counts of other data are forgotten, and releases at another level or of other cells.

        How much was spent on a file is not: another level, other cells or another column are one more look at its rows.
        """
        before, self.design = self.design, design
        if before is None or design.source[:3] != before.source[:3]:
            self._truth = None
        if before is None or (design.source, design.neighbours) != (before.source, before.neighbours):
            self._show_source(design)
        if self._released is not None and _releasing(design) != _releasing(self._released.design):
            self.set_released(None)
        self._show()

    def _show_source(self, design: HistogramDesign) -> None:
        self.error.clear()
        self.source.setText(histogram_words.source(design))
        self.keep.setChecked(design.counts is not None)
        self.keep.setEnabled(bool(design.path) or design.counts is not None)
        self.keeping.set_sentence(histogram_words.keeping(design) if design.path or design.counts is not None else "")
        if self.columns.findText(design.column) < 0:
            self.set_columns([design.column] if design.column else [])
        self.columns.setCurrentText(design.column)
        titles = [design.title(cell) for cell in range(len(design.edges))]
        self.counts.set_cells(titles, "", self.tr("rows"))
        self.errors.set_cells(titles, design.column or self.tr("cell"), self.tr("released − truth"))

    def set_columns(self, names: Sequence[str]) -> None:
        """Offer these columns of the file."""
        self.columns.clear()
        self.columns.addItems([name for name in names if name])
        self.columns.setVisible(self.columns.count() > 1)

    def set_outcome(self, outcome: HistogramOutcome) -> None:
        """Show how much noise there is."""
        self._outcome = outcome
        self._show()

    def set_truth(self, truth: Truth | None) -> None:
        """Show the true counts, or none."""
        self._truth = truth
        self.error.clear()
        self._show()

    def set_released(self, released: Released | None) -> None:
        """Show a release, or none; each one is remembered as a look at the data."""
        self._released = released
        if released is not None:
            self._spent.setdefault(released.design.path, []).append(released.design.privacy.epsilon_above)
        self.release.setText(self.tr("Release again") if released is not None else self.tr("Release once"))
        self._show()

    def set_error(self, sentence: str) -> None:
        """Say why the data could not be read."""
        self.error.set_sentence(sentence)

    def set_stale(self, on: bool) -> None:
        """Fade the bars while newer ones are being computed."""
        self.counts.set_stale(on)
        self.errors.set_stale(on)

    def set_presenting(self, on: bool) -> None:
        """Hide where the data come from and what is saved."""
        self._sources.setVisible(not on)
        self.keep.setVisible(not on)
        self.keeping.setVisible(not on and bool(self.keeping.text()))

    def released_bars(self) -> Bars | None:
        """Return the released counts; None before a release."""
        if self._released is None:
            return None
        return Bars(self.tr("released"), self._released.release.released.astype(float), "accent")

    @Slot()
    def _fit(self) -> None:
        """Keep both plots high enough to be read at this size of text; what does not fit is scrolled to."""
        self.counts.setMinimumHeight(round(px(_COUNTS)))
        self.errors.setMinimumHeight(round(px(_ERRORS)))

    @Slot()
    def _show(self) -> None:
        outcome, truth, released = self._outcome, self._truth, self.released_bars()
        self.release.setEnabled(outcome is not None and truth is not None)
        for plot in (self.counts, self.errors):
            plot.setVisible(truth is not None or released is not None)
        if outcome is None:
            return
        within, cells, shown = float(outcome.within()), outcome.cells, self.truth.isChecked()
        true = (
            None if truth is None or len(truth.counts) != cells else Bars(self.tr("truth"), truth.counts.astype(float), "quiet")
        )
        fitting = released if released is not None and len(released.values) == cells else None
        series = [bars for bars in (true if shown else None, fitting) if bars is not None]
        self.counts.set_bars(series or [Bars("", np.zeros(cells), "quiet")])
        wrong = [] if true is None or fitting is None else [Bars(self.tr("error"), fitting.values - true.values, "selected")]
        self.errors.set_bars(wrong if shown else [], max(within, 0.5))
        spent = self._spent.get(outcome.design.path, ())
        said = histogram_words.sentence(outcome, truth, self._released), histogram_words.privacy(outcome, spent)
        self.sentence.set_sentence(" ".join(said))

    # Files -------------------------------------------------------------------------------------------------------------

    @Slot()
    def _choose_file(self) -> None:
        if path := chosen_table(self.tr("One row a person"), self):
            self.fileChosen.emit(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a table; leave other files to the window."""
        if dropped_table(event) and event.proposedAction() != Qt.DropAction.IgnoreAction:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Count a column of the table dropped."""
        if path := dropped_table(event):
            event.acceptProposedAction()
            self.fileChosen.emit(path)
        else:
            event.ignore()


def _releasing(design: HistogramDesign) -> tuple[object, ...]:
    """What a release is of: another name or cost leaves it as it is."""
    return design.privacy, design.source, design.neighbours
