"""The middle of the count page: the matrix of the open view, or two beside each other, and how they are shown."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QTimer, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.desktop.base.controls import MoreRow, push_button
from dpdesigner.desktop.base.labels import ReadOut
from dpdesigner.desktop.base.layouts import column_of
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.results_column import CardColumn
from dpdesigner.desktop.pages.kit.three_columns import ViewsCard
from dpdesigner.desktop.plots.matrix_text import FEWEST_ROWS, difference_text
from dpdesigner.desktop.plots.matrix_view import MatrixPair, MatrixPane
from dpdesigner.studies.count.design import OPTIONS, CountDesign
from dpdesigner.studies.count.jobs import LARGEST_HELD
from dpdesigner.studies.count.matrices import FRACTIONS_UP_TO, runs_of
from dpdesigner.studies.matrices import Matrix
from dpdesigner.studies.table_panels import Sentence

_MARGINS = 24  # pixels at both sides of the options
_LOWEST = 300  # pixels of the matrix with its axes and key: any lower, its cells have less than 200 and the options give way


class Matrices(CardColumn):
    """Two matrices beside each other, the second only where it is asked for, each of a panel of the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.pair = MatrixPair()
        self.options: dict[str, bool] = dict.fromkeys(OPTIONS, False)
        column_of((self.pair, 1), on=self)

    @property
    def beside(self) -> bool:
        second = self.shown.get("beside")
        return isinstance(second, Matrix) or (isinstance(second, Sentence) and bool(second.text))

    def show_panel(self, panel: Any) -> None:
        if panel.key not in ("matrix", "beside"):
            return
        pane = self.pair.panes[panel.key == "beside"]
        if isinstance(panel, Sentence):
            pane.caption.set_full_text("")
            pane.missing.setText(translated(panel.text))
            pane.stack.setCurrentWidget(pane.missing)
            return
        pane.caption.set_full_text(*(translated(text) for text in (panel.title, panel.short) if text))
        pane.missing.setText("")
        pane.stack.setCurrentWidget(pane.view)
        self._show_options(pane, panel)
        pane.view.show_matrix(panel)
        pane.view.set_pattern(panel.binding)

    def set_options(self, options: dict[str, bool]) -> None:
        """Show the matrices with other options; those that change what is in the cells come with another panel."""
        self.options = options
        for pane, key in zip(self.pair.panes, ("matrix", "beside"), strict=True):
            if isinstance(panel := self.shown.get(key), Matrix):
                self._show_options(pane, panel)

    def _show_options(self, pane: MatrixPane, panel: Matrix) -> None:
        on, dense = self.options, panel.cells.dense
        unused = [] if dense is None or panel.kind != "probability" else np.flatnonzero(~dense.any(axis=0)).tolist()
        runs = runs_of(unused)
        said = self.tr("never released: {values}") if runs else self.tr("each row: how likely each release is")
        note = said.format(values=", ".join(runs) if len(runs) <= 3 else self.tr("blank columns"))
        pane.view.set_band(on["band"] and panel.binding is None and panel.sentence is None)
        pane.view.set_numbers(on["numbers"] or on["fractions"], exact_only=not on["numbers"])
        pane.view.set_log(on["logarithmic"] and panel.kind == "probability")
        pane.view.figure().key.note = note if panel.kind == "probability" and panel.sentence is None else ""

    def set_stale(self, on: bool) -> None:
        for pane in self.pair.panes:
            pane.view.set_stale(on)


class MechanismCard(ViewsCard):
    """Tabs, the matrices, their options and the line that compares the linear program with the closed form."""

    rowSelected = Signal(int)
    columnSelected = Signal(int)
    optionToggled = Signal(str, bool)  #: an option of `OPTIONS` was switched on or off

    def __init__(self) -> None:
        super().__init__(self.tr("Mechanism"))
        self._selected, self._design = (0, 0), CountDesign(0, alpha=1)
        self.panels = Matrices()
        self._panes = self.panels.pair.panes
        self.view, self.second = (pane.view for pane in self._panes)
        self.view.wait_for_pointing()
        longest = self.tr("Tailored mechanism and geometric + remap have the same expected loss, within 1e−14.")
        self._comparison, self._agreement = ReadOut(longest), ReadOut(longest, "muted")
        self.panels.pair.rowSelected.connect(partial(self._select, 0, self.rowSelected))
        self.panels.pair.columnSelected.connect(partial(self._select, 1, self.columnSelected))
        self.panels.pair.hovered.connect(self._compare)
        self.add(self.panels, 1)
        for label in (self._comparison, self._agreement):
            label.hide()
            self.add(label)
        self._row, self._presenting = self._option_row(), False
        self.add(self._row)
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._share_room)
        self.view.installEventFilter(self)

    def _option_row(self) -> QWidget:
        texts = (
            (self.tr("Numbers"), self.tr("Show the probabilities in the cells")),
            (self.tr("Log colour"), self.tr("Colour by the logarithm, which makes the tails visible")),
            (self.tr("Fractions"), ""),
            (self.tr("Binding"), self.tr("Mark the cells where the privacy constraints are tight")),
            (self.tr("Side by side"), self.tr("Show two mechanisms next to each other")),
            (self.tr("Band"), self.tr("Released minus true count, against the true count; very unlikely errors are left out")),
        )
        self._options = {
            key: push_button(text, tip, partial(self._option, key), checkable=True)
            for key, (text, tip) in zip(OPTIONS, texts, strict=True)
        }
        self._options["band"].hide()
        rare = ("logarithmic", "binding", "band")
        shown = [button for key, button in self._options.items() if key not in rare]
        return MoreRow(*shown, more=[self._options[key] for key in rare])

    def _option(self, key: str) -> None:
        button = self._options[key]
        if button.isChecked() and key == "numbers" and not self.view.numbers_fit():
            button.setChecked(False)
            self._comparison.setText(self.view.read_out())
        else:
            self.optionToggled.emit(key, button.isChecked())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Redistribute the space when the height of the matrix changes."""
        if watched is self.view and event.type() == QEvent.Type.Resize:
            self._soon.start()
        return super().eventFilter(watched, event)

    @Slot()
    def _share_room(self) -> None:
        """Hide the options if they would leave too little height for the matrix."""
        high = max(self._row.sizeHint().height(), self._row.heightForWidth(self.contentsRect().width() - _MARGINS))
        taken = high + self.body.spacing() if self._row.isHidden() else 0
        self._row.setVisible(not self._presenting and self.view.height() - taken >= _LOWEST)

    # Display -----------------------------------------------------------------------------------------------------------

    def set_design(self, design: CountDesign, exact: bool, *options: bool) -> None:
        """Offer the options that a design has, and those of experts if they are wanted; show which are on."""
        self._design, delta = design, bool(design.uncovered)
        for (key, button), on in zip(self._options.items(), options, strict=True):
            button.setChecked(on)
            offered = {
                "beside": not delta,
                "binding": not delta and exact,
                "band": FEWEST_ROWS <= design.n + 1 <= LARGEST_HELD + 1,
            }
            button.setVisible(offered.get(key, True))
        rational, small = design.privacy.exact_alpha is not None, design.n <= FRACTIONS_UP_TO
        tip = self.tr("Exact fractions, in the cells if they fit") if rational else self.tr("α is not a fraction here")
        tip = tip if small else self.tr("Fractions are shown up to n = {largest}").format(largest=FRACTIONS_UP_TO)
        self._options["fractions"].setEnabled(rational and small)
        self._options["fractions"].setToolTip(tip)
        chosen = {key: each.isChecked() and each.isEnabled() and not each.isHidden() for key, each in self._options.items()}
        self.panels.set_options(chosen)

    def offer_views(self, proved: bool, delta: bool, pinned: bool, exact: bool, opened: str) -> None:
        """Offer the views that an answer has: those of the linear program to experts, or where a scene has opened one."""
        views = [(view.key, translated(view.title), translated(view.tip)) for view in CountDesign.views]
        first, others, before = views[:3], views[3:-1], views[-1:] if pinned else []
        if not proved:
            first[0] = (first[0][0], self.tr("Best found"), first[0][2])
        if delta:
            cells = self.tr("The universal (ε, δ) mechanism: the same cells for every user")
            first[1], others = ("geometric", self.tr("Cells"), cells), []
            first[2] = ("remap", first[2][1], self.tr("How this user reads each cell"))
        if not exact:
            others = [view for view in others if view[0] == opened]
        self.offer([*first, *before, *others], opened)

    def name_open(self, opened: str) -> None:
        """Show the comparison of two matrices below them, once the panels of the open view are shown."""

    def expect(self, opened: str, late: bool = True) -> None:
        """Keep the room of a matrix before there is one."""

    def show_beside(self, *_: Any) -> None:
        """Show what belongs to two matrices beside each other, or that there is one."""
        beside, agreement = self.panels.beside, self.panels.shown.get("agreement")
        self._panes[1].setVisible(beside)
        for pane in self._panes:
            pane.caption.setVisible(beside)
            pane.view.set_paired(beside)
        self._comparison.setVisible(beside)
        self._agreement.setText(translated(agreement.text) if isinstance(agreement, Sentence) else "")
        self._agreement.setToolTip(self._agreement.text())
        self._agreement.setVisible(beside or bool(self._agreement.text()))
        self.set_selected(*self._selected)

    def set_selected(self, row: int, column: int) -> None:
        self._selected = row, column
        for pane in self._panes:
            pane.view.set_selected(*self._outlined())
        self._compare(-1, -1)

    def _outlined(self) -> tuple[int | None, int | None]:
        """The selected row and column, if they are counts and not cells of a mechanism with delta."""
        (row, column), view = self._selected, self.tabs.current() if self._design.uncovered else ""
        return (None if view == "remap" else row), (None if view == "geometric" else column)

    def _select(self, place: int, tell: SignalInstance, count: int) -> None:
        if self._outlined()[place] is not None:
            tell.emit(count)

    def set_presenting(self, on: bool) -> None:
        self._presenting = on
        self._row.setVisible(not on)
        self._soon.start()

    @Slot(int, int)
    def _compare(self, row: int, column: int) -> None:
        """Describe how the cell under the mouse, otherwise the selected one, differs between two views."""
        if not self.panels.beside:
            return
        if row < 0:
            row, column = self._selected
        left, right = (pane.view.cell(row, column) if pane.shows else None for pane in self._panes)
        if self.tabs.current() in ("remap", "difference", "before") or left is None or right is None:
            self._comparison.setText((self.view if self._panes[0].shows else self.second).read_out())
            return
        apart = difference_text(abs(left - right))
        words_of = self.tr("{row} is released as {column}: left {left}, right {right}; difference: {apart}")
        texts = dict(zip(("left", "right"), (pane.view.cell_text(row, column) for pane in self._panes), strict=True))
        places = {"row": group_thousands(row), "column": group_thousands(column)}
        self._comparison.setText(words_of.format(**places, **texts, apart=apart.removeprefix("+")))
