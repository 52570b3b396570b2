"""The lines of a comparison as a table that works with the keyboard and a screen reader."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, Qt, Slot
from PySide6.QtGui import QColor, QFont, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.compare.comparison import Comparison, Row

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_WRAP = Qt.TextFlag.TextWordWrap
_LONGEST = 36  # characters of a name above its column
_AROUND = 16  # pixels beside and above the titles
_LEAST = 380  # pixels at normal text size
_PARTS = (0.28, 0.26, 0.26, 0.2)


class FactsModel(QAbstractTableModel):
    """Label, design, reference, difference."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()
        self._names = ("", "")

    def show_comparison(self, comparison: Comparison) -> None:
        """Show other lines; keep the selection if their labels are unchanged."""
        old, self._names = self.rows, comparison.names
        if [row.label for row in old] == [row.label for row in comparison.rows]:
            self.rows = comparison.rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(old) - 1, 3))
        else:
            self.beginResetModel()
            self.rows = comparison.rows
            self.endResetModel()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, 3)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Return the number of lines."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Return 4."""
        return 0 if parent.isValid() else 4

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text and style of a cell: differing words are bold, and differences are in the warm colour."""
        row, column = self.rows[index.row()], index.column()
        texts = (row.label, row.mine, row.theirs, row.difference)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return texts[column].replace(" = ", "\u00a0=\u00a0")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(text for text in texts if text)
        if role == Qt.ItemDataRole.FontRole and (row.title or (row.difference == "≠" and column)):
            font = QFont()
            font.setPointSizeF(theme().points(9))
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.ForegroundRole and not row.title:
            colours = theme().colours
            muted = column in (0, 3) and not (row.differs and column and not row.slight)
            return QColor(colours.muted if muted else colours.selected if column == 3 else colours.text)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the names of the designs."""
        if orientation == Qt.Orientation.Horizontal and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            title = ("", *self._names, self.tr("difference"))[section]
            return _shortened(title) if role == Qt.ItemDataRole.DisplayRole else title
        return None


def _shortened(name: str) -> str:
    """Return a long name without its middle, because names often differ at the end."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST // 2]}…{name[-(_LONGEST // 2) :]}"


class FactsTable(QTableView):
    """Shows the lines, each as high as its texts need."""

    def __init__(self) -> None:
        super().__init__()
        self._model = FactsModel(self)
        self.setModel(self._model)
        self.setAccessibleName(self.tr("Results of the two designs"))
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setWordWrap(True)
        # Qt forgets a padding at the sides when it breaks lines.
        self.setStyleSheet("QTableView { border: none; } QTableView::item { padding: 3px 0; }")
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | _WRAP)
        header.setTextElideMode(Qt.TextElideMode.ElideNone)
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        theme().changed.connect(self._fit)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show other lines."""
        self._model.show_comparison(comparison)
        self.clearSpans()
        for place, row in enumerate(self._model.rows):
            if row.title:
                self.setSpan(place, 0, 1, 4)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Distribute the width, then make each line as high as its texts need."""
        self.setMinimumWidth(round(_LEAST * theme().scale))
        width = self.viewport().width()
        for column, part in enumerate(_PARTS):
            self.setColumnWidth(column, round(width * part))
        self.horizontalHeader().setFixedHeight(self._names_height())
        self.resizeRowsToContents()

    def _names_height(self) -> int:
        """Return the height that the wrapped titles need."""
        metrics, line = self.fontMetrics(), self.fontMetrics().height()
        titles = [str(self._model.headerData(column, Qt.Orientation.Horizontal)) for column in range(4)]
        rooms = [QRect(0, 0, self.columnWidth(column) - _AROUND, 99 * line) for column in range(4)]
        heights = [metrics.boundingRect(room, _WRAP, title).height() for room, title in zip(rooms, titles, strict=True)]
        return max(heights) + _AROUND

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the texts again."""
        super().resizeEvent(event)
        self._fit()
