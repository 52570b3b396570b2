"""The comparison of designs: pictures on a common scale, matrices and their difference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QSplitter, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import at_most, grouped, significant
from dpdesigner.core.mechanism.mechanism import most_moved
from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.background.runner import Runner
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import NameBox
from dpdesigner.desktop.base.labels import ElidedLabel, SentenceLabel
from dpdesigner.desktop.base.layouts import ColumnLayout, column_of, row_of, scrolling
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.compare.comparison import Comparing, Comparison, FactsTable, related
from dpdesigner.desktop.document.document import Design, Document
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.studies.panels import Plot, laid_over
from dpdesigner.studies.registry import page_of

#: Differences of probabilities below this are rounding errors of doubles.
_NOISE = 1e-12
_LOWEST = 250
_AROUND = 170  #: pixels at text scale 1 of the card above and below the matrices


class MatricesCard(Card):
    """Three matrices with one selection; if the sizes differ, a note replaces the cell-by-cell difference."""

    def __init__(self) -> None:
        super().__init__(self.tr("Mechanisms"), self.tr("the same colours in both"), flexible=True)
        self._views = tuple(MatrixView() for _ in range(3))
        self._captions = tuple(ElidedLabel() for _ in range(3))
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        for place, (caption, view) in enumerate(zip(self._captions, self._views, strict=True)):
            set_class(caption, "heading")
            view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
            view.rowSelected.connect(self._select_row)
            view.columnSelected.connect(self._select_column)
            self._grid.addWidget(caption, 0, place)
            self._grid.addWidget(view, 1, place)
        box = QWidget()
        box.setLayout(self._grid)
        self._remark = SentenceLabel("muted")
        self.add(box, 1)
        self.add(self._remark)
        self._selection: tuple[int | None, int | None] = (None, None)
        theme().follow(self._fit)

    @Slot()
    def _fit(self) -> None:
        for view in self._views:
            view.setMinimumHeight(round(_LOWEST * theme().scale))
        self._limit()

    def _limit(self) -> None:
        """Leave the space that square matrices would not fill to the curves below."""
        wanted = round(self.width() / len(self._views) + _AROUND * theme().scale)
        self.setMaximumHeight(max(wanted, self.minimumSizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._limit()

    def show_comparison(self, comparison: Comparison) -> None:
        """Show both mechanisms and, if they have the same size, their difference."""
        pair = comparison.matrices
        self.setVisible(pair is not None)
        if pair is None:
            return
        mine, theirs = pair
        alike, chances = mine.shape == theirs.shape, _mechanism(mine) and _mechanism(theirs)
        self.set_heading(self.tr("Mechanisms") if chances else self.tr("Tables"))
        titles = (self.tr("true count"), self.tr("released value")) if chances else (self.tr("row"), self.tr("column"))
        for view in self._views:
            view.set_titles(*titles)
        for view, matrix, name in zip(self._views, pair, comparison.names, strict=False):
            view.figure().set_reach(max(float(mine.max()), float(theirs.max())))
            view.set_matrix(matrix)
            view.setAccessibleName(self.tr("Mechanism of {name}").format(name=name))
        for caption, text in zip(self._captions, (*comparison.names, self.tr("Difference")), strict=True):
            caption.set_full_text(text)
        self._captions[2].setVisible(alike)
        self._views[2].setVisible(alike)
        self._remark.set_sentence(self._sentence(comparison, alike))
        if alike:
            self._views[2].set_matrix(_difference(mine, theirs), kind="difference")
            self._views[2].setAccessibleName(self.tr("Difference of the mechanisms"))
        self._show_selection()

    def _sentence(self, comparison: Comparison, alike: bool) -> str:
        (mine, theirs), names = comparison.matrices or ((np.zeros((1, 1)),) * 2), comparison.names
        if not alike:
            return self.tr(
                "One design counts up to {mine}, the other up to {theirs}, so they cannot be compared cell by cell."
            ).format(mine=len(mine) - 1, theirs=len(theirs) - 1)
        if not (_mechanism(mine) and _mechanism(theirs)):
            gap = float(np.abs(mine - theirs).max())
            most = grouped(gap) if gap.is_integer() else significant(gap, 4)
            return self.tr("“{first}” minus “{second}”: no cell differs by more than {most}.").format(
                first=names[0], second=names[1], most=most
            )
        moved = most_moved(mine, theirs)
        if moved < _NOISE:
            return self.tr("Both are the same mechanism.")
        return self.tr("“{first}” minus “{second}”: at most {percent}% of the releases differ.").format(
            first=names[0], second=names[1], percent=at_most(100 * moved)
        )

    @Slot(int)
    def _select_row(self, row: int) -> None:
        self._selection = (row, self._selection[1])
        self._show_selection()

    @Slot(int)
    def _select_column(self, column: int) -> None:
        self._selection = (self._selection[0], column)
        self._show_selection()

    def _show_selection(self) -> None:
        for view in self._views:
            view.set_selected(*self._selection)


def _mechanism(matrix: Floats) -> bool:
    """Return whether the rows of a matrix are probabilities."""
    return bool(matrix.min() >= -_NOISE and np.allclose(matrix.sum(axis=1), 1.0, atol=1e-6))


def _difference(mine: Floats, theirs: Floats) -> Floats:
    difference = mine - theirs
    difference[np.abs(difference) < _NOISE] = 0.0
    return difference


_COMPARE_VIEW_LOWEST = 170
#: Plots side by side; more go below them.
_ACROSS = 3
#: From this width on, at text scale 1, facts and pictures fit side by side.
_BESIDE = 820
_SIZES = (400, 780)
_AS_PINNED = -1  # represents the pinned version if no design matches it any more


class ChartsCard(Card):
    """One plot for each curve that the designs have in common, up to three side by side."""

    def __init__(self) -> None:
        super().__init__(self.tr("Their curves"), self.tr("the pinned design is dashed"), flexible=True)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(16)
        self._charts: list[_ChartBox] = []
        box = QWidget()
        box.setLayout(self._grid)
        self.add(box, 1)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show the curves that both designs have."""
        pairs = comparison.charts
        self.setVisible(bool(pairs))
        while len(self._charts) < len(pairs):
            self._charts.append(_ChartBox())
            down, across = divmod(len(self._charts) - 1, _ACROSS)
            self._grid.addWidget(self._charts[-1], down, across)
        for across in range(_ACROSS):
            self._grid.setColumnStretch(across, int(across < len(pairs)))
        for place, box in enumerate(self._charts):
            box.setVisible(place < len(pairs))
            if place < len(pairs):
                box.show_pair(pairs[place], comparison.names)


class _ChartBox(QWidget):
    """A plot under its heading."""

    def __init__(self) -> None:
        super().__init__()
        self._heading, self._plot = ElidedLabel(), CurvePlot()
        column_of(self._heading, (self._plot, 1), on=self, gap=2)
        theme().follow(self._fit)

    @Slot()
    def _fit(self) -> None:
        self._plot.setMinimumHeight(round(_COMPARE_VIEW_LOWEST * theme().scale))

    def show_pair(self, pair: tuple[Plot, Plot], names: tuple[str, str]) -> None:
        """Show both curves and the designs' positions on them."""
        self._heading.set_full_text(pair[0].title)
        self._plot.show_plot(laid_over(*pair, names, self.tr("both")))


class CompareView(QWidget):
    """Facts on the left; on the right, mechanisms and curves that both designs have."""

    referenceChosen = Signal(object)  #: the key of the design to compare with, or None
    duplicateRequested = Signal()
    closeRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Comparison"))
        self._table, self._matrices, self._charts = FactsTable(), MatricesCard(), ChartsCard()
        self._remark = SentenceLabel("muted")
        self._duplicate = QPushButton(self.tr("Duplicate this design"))
        self._duplicate.clicked.connect(self.duplicateRequested)
        set_class(self._duplicate, "main")
        self._duplicate.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._facts = facts = Card(self.tr("Differences"), flexible=True)
        for widget, stretch in ((self._chooser(), 0), (self._remark, 0), (self._duplicate, 0), (self._table, 1)):
            facts.add(widget, stretch)
        facts.body.addStretch()
        self._above = facts.body.indexOf(self._remark)
        facts.body.insertStretch(self._above)
        right = QWidget()
        column = ColumnLayout(right)
        column.addWidget(self._matrices, 3)
        column.addWidget(self._charts, 2)
        self._right = scrolling(right)
        self._splitter = splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setObjectName("compare-columns")
        splitter.setHandleWidth(10)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(facts)
        splitter.addWidget(self._right)
        for place, size in enumerate(_SIZES):
            splitter.setStretchFactor(place, size)
        splitter.setSizes(list(_SIZES))
        column_of(splitter, on=self, margins=(12, 10, 12, 10))
        self.show_comparison(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stack facts and pictures if there is no room for them side by side."""
        super().resizeEvent(event)
        narrow = self.width() < _BESIDE * theme().scale
        wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if wanted != self._splitter.orientation():
            self._splitter.setOrientation(wanted)
            self._splitter.setSizes([400, 400] if narrow else list(_SIZES))

    def _chooser(self) -> QWidget:
        row = QWidget()
        self._label, self._reference, close = QLabel(self.tr("Compare with")), NameBox(), QPushButton(self.tr("Close"))
        self._label.setBuddy(self._reference)
        self._reference.setAccessibleName(self.tr("The design to compare with"))
        self._reference.setMinimumContentsLength(8)
        self._reference.activated.connect(self._choose)
        close.setToolTip(self.tr("Back to the design (Esc)"))
        close.clicked.connect(self.closeRequested)
        row_of(self._label, (self._reference, 1), None, close, on=row, gap=8)
        return row

    def set_designs(self, designs: Sequence[Design], reference: Design | None, current: Design) -> None:
        """Offer designs to compare with, similar ones first, and the pinned design if it is no longer among them."""
        self._reference.clear()
        self._reference.addItem(self.tr("nothing"), None)
        alike = [design for design in designs if related(design.study, current.study)]
        others = [design for design in designs if design not in alike]
        for design in alike:
            self._reference.addItem(design.title, design.key)
        for design in others:
            page = page_of(design.study.kind).title
            self._reference.addItem(self.tr("{title} ({page})").format(title=design.title, page=page), design.key)
            self._reference.setItemData(self._reference.count() - 1, theme().colours.muted, Qt.ItemDataRole.ForegroundRole)
        if reference is None or reference in designs:
            self._reference.setCurrentIndex(0 if reference is None else 1 + [*alike, *others].index(reference))
        else:
            self._reference.addItem(self.tr("{title}, as pinned").format(title=reference.title), _AS_PINNED)
            self._reference.setCurrentIndex(self._reference.count() - 1)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show two designs, or instructions if there are not two."""
        same = comparison is not None and comparison.same
        alone = comparison is None and self._reference.count() <= 2  # the choice of none, and the design itself
        self._duplicate.setVisible(same or alone)
        for part in (self._label, self._reference):
            part.setHidden(alone)
        self._centre(comparison is None)
        self._table.setVisible(comparison is not None)
        if alone:
            self._remark.set_sentence(self.tr("Duplicate this design and change the copy: both are shown here, side by side."))
        elif comparison is None:
            self._remark.set_sentence(
                self.tr("Choose the design to compare with. It stays unchanged while you work on this one.")
            )
        elif same:
            self._remark.set_sentence(
                self.tr(
                    "This design has not changed since it was pinned. Change it, open another one, or duplicate it and "
                    "change the copy."
                )
            )
        elif not comparison.related:
            self._remark.set_sentence(
                self.tr("These two designs are of different kinds, so only a few of their results can be compared.")
            )
        else:
            self._remark.set_sentence("")
        self._remark.setVisible(comparison is None or same or not comparison.related)
        if comparison is None:
            self._matrices.hide()
            self._charts.hide()
        else:
            self._table.show_comparison(comparison)
            self._matrices.show_comparison(comparison)
            self._charts.show_comparison(comparison)
        self._right.setHidden(self._matrices.isHidden() and self._charts.isHidden())

    def _centre(self, on: bool) -> None:
        """Put the sentence and the button into the middle of the empty card, or above the table."""
        side = Qt.AlignmentFlag.AlignHCenter if on else Qt.AlignmentFlag.AlignLeft
        for stretch in (self._above, self._facts.body.count() - 1):
            self._facts.body.setStretch(stretch, int(on))
        self._facts.body.setAlignment(self._duplicate, side)
        self._remark.setAlignment(side)
        self._facts.set_word("" if on else self.tr("this design and the pinned one"))

    @Slot(int)
    def _choose(self, place: int) -> None:
        if (key := self._reference.itemData(place)) != _AS_PINNED:
            self.referenceChosen.emit(key)


#: From this width on, at text scale 1, page and comparison fit side by side.
_BOTH = 1900


class Stage(QWidget):
    """The page and the comparison."""

    opened = Signal(bool)  #: the comparison was opened or closed
    pinnedChanged = Signal(str, str, str)  #: the pinned design in words, in short and in a sentence; or empty texts

    def __init__(self, document: Document, host: PageHost, runner: Runner, worker: Worker) -> None:
        super().__init__()
        self._document, self._host = document, host
        self._comparison: Comparison | None = None
        self._open = False
        self._view: CompareView | None = None
        row_of((host, 5), on=self, gap=0)
        self._comparing = Comparing(document, host, runner, worker, self)
        self._comparing.changed.connect(self._take)
        for signal in (document.studiesChanged, document.referenceChanged, document.currentChanged):
            signal.connect(self._show_designs)
        theme().changed.connect(self._share)

    @property
    def view(self) -> CompareView:
        """The comparison view, created on first use."""
        if self._view is None:
            self._view = CompareView(self)
            self._view.hide()
            layout = self.layout()
            if isinstance(layout, QHBoxLayout):
                layout.addWidget(self._view, 4)
            self._view.referenceChosen.connect(self._document.pin)
            self._view.duplicateRequested.connect(self._duplicate)
            self._view.closeRequested.connect(self._close)
        return self._view

    @Slot(bool)
    def set_open(self, on: bool) -> None:
        """Show or hide the comparison."""
        if on == self._open:
            return
        self._open = on
        if on:
            self._pin_the_other()
            view = self.view
            self._show_designs()
            view.show_comparison(self._comparison)
        self._share()
        (self.view if on else self._host).setFocus()
        self.opened.emit(on)

    def _pin_the_other(self) -> None:
        """Compare with the nearest design of this kind in the list, of two the one before, if none of this kind is pinned."""
        document, pinned = self._document, self._document.reference
        if pinned is not None and related(pinned.study, document.study):
            return
        here = document.designs.index(document.current)
        alike = [
            place for place, design in enumerate(document.designs) if place != here and related(design.study, document.study)
        ]
        if alike:
            document.pin(document.designs[min(alike, key=lambda place: (abs(place - here), place))].key)

    @Slot()
    def _duplicate(self) -> None:
        """Compare a copy of the design with it."""
        if self._document.reference is None:
            self._document.pin(self._document.current.key)
        self._document.duplicate()
        self.view.setFocus()  # the button is gone, and Esc still closes the comparison

    @Slot()
    def _close(self) -> None:
        self.set_open(False)

    @Slot()
    def _share(self) -> None:
        if self._view is not None:
            self._view.setVisible(self._open)
        self._host.setVisible(not self._open or self.width() >= _BOTH * theme().scale)

    @Slot()
    def _show_designs(self, *_: object) -> None:
        if self._view is None:
            return
        reference = self._document.reference
        self._view.set_designs(self._document.designs, reference, self._document.current)

    @Slot(object)
    def _take(self, comparison: Comparison | None) -> None:
        self._comparison = comparison
        if self._open:
            if self._document.reference not in (None, *self._document.designs):
                self._show_designs()
            self.view.show_comparison(comparison)
        reference = self._document.reference
        if comparison is None or reference is None or not related(reference.study, self._document.study):
            self.pinnedChanged.emit("", "", "")  # what was pinned elsewhere does not apply to this one
            return
        sentence = self.tr("Pinned. Your changes are compared with it from now on. Click to compare line by line.")
        if not comparison.same:
            difference = self.tr("{difference} now. ").format(difference=comparison.headline) if comparison.headline else ""
            sentence = self.tr("{difference}Click to compare line by line.").format(difference=difference)
        self.pinnedChanged.emit(*comparison.reference_summary, sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show both or only one, depending on the new width."""
        super().resizeEvent(event)
        self._share()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the comparison on Esc if nothing else has used the key."""
        if event.key() == Qt.Key.Key_Escape and self._open:
            self.set_open(False)
        else:
            super().keyPressEvent(event)
