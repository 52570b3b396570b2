"""The view of two designs side by side, of whatever kinds they are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSplitter, QWidget

from dpdesigner.desktop.compare.comparing import related
from dpdesigner.desktop.compare.comparison import Comparison
from dpdesigner.desktop.compare.facts_table import FactsTable
from dpdesigner.desktop.compare.matrices import MatricesCard
from dpdesigner.desktop.document.content import Design
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.controls import NameBox
from dpdesigner.desktop.widgets.base.labels import ElidedLabel, SentenceLabel
from dpdesigner.desktop.widgets.base.layouts import ColumnLayout, column_of, row_of, scrolling
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.studies.panels import Plot, laid_over
from dpdesigner.studies.registry import page_of

_LOWEST = 170
#: Plots beside each other; more stand below them.
_ACROSS = 3
#: From this width on, at text scale 1, facts and pictures have room beside each other.
_BESIDE = 820
_SIZES = (400, 780)
_AS_PINNED = -1  # stands for what was pinned where no design is so any more


class ChartsCard(Card):
    """As many plots as the designs have curves in common, up to three beside each other."""

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
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        self._plot.setMinimumHeight(round(_LOWEST * theme().scale))

    def show_pair(self, pair: tuple[Plot, Plot], names: tuple[str, str]) -> None:
        """Show both curves, and where the designs stand on them."""
        self._heading.set_full_text(pair[0].title)
        self._plot.show_plot(laid_over(*pair, names, self.tr("both")))


class CompareView(QWidget):
    """Facts at the left; mechanisms and curves, where both designs have them, at the right."""

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
        facts = Card(self.tr("Differences"), self.tr("this design and the pinned one"), flexible=True)
        for widget, stretch in ((self._chooser(), 0), (self._remark, 0), (self._duplicate, 0), (self._table, 1)):
            facts.add(widget, stretch)
        facts.body.addStretch()
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
        """Put facts and pictures below each other where there is no room for them beside each other."""
        super().resizeEvent(event)
        narrow = self.width() < _BESIDE * theme().scale
        wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if wanted != self._splitter.orientation():
            self._splitter.setOrientation(wanted)
            self._splitter.setSizes([400, 400] if narrow else list(_SIZES))

    def _chooser(self) -> QWidget:
        row = QWidget()
        label, self._reference, close = QLabel(self.tr("Compare with")), NameBox(), QPushButton(self.tr("Close"))
        label.setBuddy(self._reference)
        self._reference.setAccessibleName(self.tr("The design to compare with"))
        self._reference.setMinimumContentsLength(8)
        self._reference.activated.connect(self._choose)
        close.setToolTip(self.tr("Back to the design (Esc)"))
        close.clicked.connect(self.closeRequested)
        row_of(label, (self._reference, 1), close, on=row, gap=8)
        return row

    def set_designs(self, designs: Sequence[Design], reference: Design | None, current: Design) -> None:
        """Offer designs to compare with, those like the current one first, and what was pinned, if it is none of them now."""
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
        """Show two designs, or what to do where there are not two."""
        same = comparison is not None and comparison.same
        alone = comparison is None and self._reference.count() <= 2  # nothing, and the design itself
        self._duplicate.setVisible(same or alone)
        self._table.setVisible(comparison is not None)
        if alone:
            self._remark.set_sentence(self.tr("There is no other design yet. Duplicate this one and change the copy."))
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

    @Slot(int)
    def _choose(self, place: int) -> None:
        if (key := self._reference.itemData(place)) != _AS_PINNED:
            self.referenceChosen.emit(key)
