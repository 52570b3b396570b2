"""A matrix under its title, or the sentence that says why there is none."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QSplitter, QStackedLayout, QWidget

from dpdesigner.desktop.theme.theme import set_class, theme
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.matrix.view import MatrixView

_LEAST_WIDTH = 170  # pixels of a matrix at text scale 1


class MatrixPane(QWidget):
    """A matrix under its title, or the sentence that says why there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.view, self.caption, self.missing = MatrixView(), ElidedLabel(), QLabel()
        set_class(self.caption, "muted")
        set_class(self.missing, "muted")
        self.missing.setWordWrap(True)
        self.missing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        theme().changed.connect(self._restyle)
        self._restyle()
        shown = QWidget()
        self.stack = QStackedLayout(shown)
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.missing)
        column_of(self.caption, (shown, 1), on=self, gap=2)

    @property
    def shows(self) -> bool:
        """Whether there is a matrix."""
        return self.stack.currentWidget() is self.view

    @Slot()
    def _restyle(self) -> None:
        self.view.setMinimumWidth(round(_LEAST_WIDTH * theme().scale))


class MatrixPair(QSplitter):
    """Two matrices beside each other, the second hidden at first; the mouse is over both at once."""

    rowSelected = Signal(int)
    columnSelected = Signal(int)
    hovered = Signal(int, int)  #: row and column under the mouse; -1, -1 when it left

    def __init__(self) -> None:
        super().__init__()
        self.setChildrenCollapsible(False)
        self.panes = MatrixPane(), MatrixPane()
        first, second = (pane.view for pane in self.panes)
        for pane in self.panes:
            pane.view.rowSelected.connect(self.rowSelected)
            pane.view.columnSelected.connect(self.columnSelected)
            pane.view.hovered.connect(self.hovered)
            self.addWidget(pane)
        first.hovered.connect(second.set_hovered)
        second.hovered.connect(first.set_hovered)
        self.panes[1].hide()
