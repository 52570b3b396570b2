"""Layouts: what stands below or beside what, rows that break where there is no room, and a column that scrolls.

Text that grows to 200 % moves things to the next row instead of being cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from dpdesigner.desktop.base.theme import set_class

_MEASURED_AGAIN = 100  # milliseconds, where a width must wait

_Placed = tuple[QLayoutItem, int, int]  # an item, its left edge and its width


class WrapLayout(QLayout):
    """Items side by side at their own size, as many per row as fit.

    Items whose size policy expands share what is left of their row; with ``spread``, the gaps do.
    """

    def __init__(self, parent: QWidget | None = None, gap: int = 8, spread: bool = False) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._spread = spread
        self._heights: dict[int, int] = {}  # by width, while the size hints stay the same
        self.setContentsMargins(QMargins())

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            heights = [_height(row) for row in self._rows(width)]
            self._heights[width] = sum(heights) + self._gap * max(0, len(heights) - 1)
        return self._heights[width]

    def invalidate(self) -> None:
        """Forget the heights: an item was added, removed or resized."""
        self._heights.clear()
        super().invalidate()

    def sizeHint(self) -> QSize:
        shown = self._shown()
        width = sum(item.sizeHint().width() for item in shown) + self._gap * max(0, len(shown) - 1)
        return QSize(width, max((item.sizeHint().height() for item in shown), default=0))

    def minimumSize(self) -> QSize:
        """Return the size of the largest item."""
        sizes = [item.minimumSize() for item in self._shown()]
        return QSize(max((size.width() for size in sizes), default=0), max((size.height() for size in sizes), default=0))

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        top = rect.top()
        for row in self._rows(rect.width()):
            height = _height(row)
            for item, left, width in row:
                own = min(height, item.sizeHint().height())
                item.setGeometry(QRect(rect.left() + left, top + (height - own) // 2, width, own))
            top += height + self._gap

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _rows(self, width: int) -> list[list[_Placed]]:
        rows: list[list[QLayoutItem]] = []
        used = 0
        for item in self._shown():
            needed = item.sizeHint().width() + self._gap
            if not rows or used + needed - self._gap > width:
                rows.append([])
                used = 0
            rows[-1].append(item)
            used += needed
        return [self._row(row, width) for row in rows]

    def _row(self, items: list[QLayoutItem], width: int) -> list[_Placed]:
        gap = float(self._gap)
        widths = [min(width, item.sizeHint().width()) for item in items]
        left_over = max(0, width - sum(widths) - self._gap * (len(items) - 1))
        growing = [k for k, item in enumerate(items) if item.expandingDirections() & Qt.Orientation.Horizontal]
        for k in growing:
            widths[k] += left_over // len(growing)
        if self._spread and not growing and len(items) > 1:
            gap += left_over / (len(items) - 1)
        placed: list[_Placed] = []
        left = 0.0
        for item, own in zip(items, widths, strict=True):
            placed.append((item, round(left), own))
            left += own + gap
        return placed


def _height(row: list[_Placed]) -> int:
    return max((item.sizeHint().height() for item, _, _ in row), default=0)


class FittedWidget(QWidget):
    """A widget whose least height follows its width, so that rows do not overlap when text is large or the column narrow.

    Boxes ask a widget for its height at a width, but splitters and scroll areas for a least height only.
    """

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the least height at the current width."""
        least, layout = super().minimumSizeHint(), self.layout()
        needed = 0 if layout is None else layout.totalMinimumHeightForWidth(self.width())
        return QSize(least.width(), max(least.height(), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Request another layout when the width changes, or where the size has changed again while this one was handed down."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
        if event.size() != self.size() and (layout := self.layout()) is not None:
            layout.invalidate()
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))


class ColumnLayout(QVBoxLayout):
    """A vertical layout that requests its least height.

    A scroll area gives a widget whose layout's height depends on its width the height it would like best, and scrolls, where
    the cards could just as well be lower.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(10)
        self._asking = False

    def heightForWidth(self, width: int) -> int:
        if self._asking:  # Qt computes the minimum height by calling this method
            return super().heightForWidth(width)
        self._asking = True
        try:
            return self.minimumHeightForWidth(width)
        finally:
            self._asking = False


class ColumnArea(QScrollArea):
    """A scroll area that is never narrower than its column, so that nothing is cut off at the right."""

    def __init__(self, column: QWidget) -> None:
        super().__init__()
        self._column = column
        self._least = self._kept = 0
        self._again = QTimer(self, singleShot=True, interval=_MEASURED_AGAIN)
        self._again.timeout.connect(self.measure)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the column scrolls to the focused widget
        self.setWidget(column)
        self.viewport().setAutoFillBackground(False)
        column.setAutoFillBackground(False)
        self.measure()

    def minimumSizeHint(self) -> QSize:
        """Return the column's least width, with room for the scroll bar, and a modest height."""
        return QSize(self._least, super().minimumSizeHint().height())

    def keep_width(self, pixels: int) -> None:
        """Request at least this many pixels, or as many as the column needs if that is more."""
        self._kept = pixels
        self.measure()

    def measure(self) -> None:
        """Take the column's least width; while something is dragged that stays, so that it stays under the mouse."""
        if self._least and QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._again.start()
            return
        least = self._column.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        least = max(least, self._kept)
        if least != self._least:
            self._least = least
            self.updateGeometry()

    def _show_bar(self) -> None:
        """Scroll only if the column is too high at its full width: Qt keeps a bar once it narrows the text that is too long."""
        room, layout = self.maximumViewportSize(), self._column.layout()
        if layout is not None and layout.hasHeightForWidth():
            fits = layout.heightForWidth(room.width()) <= room.height()
            policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
            self.setVerticalScrollBarPolicy(policy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._show_bar()
        super().resizeEvent(event)

    def event(self, event: QEvent) -> bool:
        """Lay the column out again only after its cards have the new style; Qt would do so too early."""
        if event.type() == QEvent.Type.StyleChange:
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Request another width when the column does."""
        if event.type() == QEvent.Type.LayoutRequest and watched is self._column:
            self.measure()
            self._show_bar()
        return super().eventFilter(watched, event)


class BoundedArea(QScrollArea):
    """A label as tall as its text, that scrolls from a number of lines on; hidden with its label."""

    def __init__(self, label: QLabel, lines: int) -> None:
        super().__init__()
        self._label, self._lines = label, lines
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidget(label)
        self.viewport().setAutoFillBackground(False)
        label.setAutoFillBackground(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def fit(self) -> None:
        """Take the height of the text, up to the number of lines."""
        height = self._label.heightForWidth(self.viewport().width()) if self._label.text() else 0
        self.setFixedHeight(min(max(height, 0), self._lines * self._label.fontMetrics().lineSpacing()))
        self.setHidden(self._label.isHidden())


def scrolling(column: QWidget) -> ColumnArea:
    """Return a scroll area around a column, without a frame or background of its own."""
    return ColumnArea(column)


def reveal(widget: QWidget, *margins: int) -> None:
    """Scroll a widget into view in every scroll area around it, with these horizontal and vertical margins if given."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(widget, *margins)
        around = around.parentWidget()


#: A widget or a layout, maybe with its share of the room to spare; None is nothing but room to spare.
Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | None
Margins = tuple[int, int, int, int]
_Layout = TypeVar("_Layout", bound=QBoxLayout)


def column_of(*parts: Part, on: QWidget | None = None, margins: Margins = (0, 0, 0, 0), gap: int | None = None) -> QVBoxLayout:
    """Return parts stacked vertically.

    Parameters
    ----------
    *parts
        In order; see `Part`.
    on : QWidget, optional
        Whose layout it is; none: it is put into another one.
    margins : (int, int, int, int)
        At the left, above, at the right and below.
    gap : int, optional
        Between the parts; by default that of the style.
    """
    return _filled(QVBoxLayout(on) if on is not None else QVBoxLayout(), parts, margins, gap)


def row_of(*parts: Part, on: QWidget | None = None, margins: Margins = (0, 0, 0, 0), gap: int | None = None) -> QHBoxLayout:
    """Return parts side by side; parameters as for `column_of`."""
    return _filled(QHBoxLayout(on) if on is not None else QHBoxLayout(), parts, margins, gap)


def flow_of(*widgets: QWidget, on: QWidget | None = None, gap: int = 6, spread: bool = False) -> WrapLayout:
    """Return widgets side by side, in as many rows as they need; see `WrapLayout`."""
    layout = WrapLayout(on, gap, spread)
    for widget in widgets:
        layout.addWidget(widget)
    return layout


def fill_grid(grid: QGridLayout, cards: Sequence[QWidget], shown: Sequence[QWidget], columns: int) -> None:
    """Show some of the cards in columns of the same width, and hide the others."""
    for card in cards:
        grid.removeWidget(card)
        card.setVisible(card in shown)
    for column in range(grid.columnCount() + columns):
        grid.setColumnStretch(column, int(column < columns))
    for place, card in enumerate(shown):
        grid.addWidget(card, place // columns, place % columns, Qt.AlignmentFlag.AlignTop)


def styled(style: str, text: str = "", *, wrapped: bool = False) -> QLabel:
    """Return a label in a class of the style sheet, like ``"small"``."""
    made = QLabel(text)
    set_class(made, style)
    made.setWordWrap(wrapped)
    return made


def sign(text: str, name: str, tip: str, call: Callable[[], object]) -> QToolButton:
    """Return a button that shows only a sign, like a cross, with its accessible name, its tooltip and its callback."""
    made = QToolButton()
    made.setText(text)
    set_class(made, "tab")
    made.setAccessibleName(name)
    made.setToolTip(tip)
    made.clicked.connect(call)
    return made


def _filled(layout: _Layout, parts: tuple[Part, ...], margins: Margins, gap: int | None) -> _Layout:
    layout.setContentsMargins(*margins)
    if gap is not None:
        layout.setSpacing(gap)
    for part in parts:
        what, share = part if isinstance(part, tuple) else (part, 0)
        if what is None:
            layout.addStretch(1)
        elif isinstance(what, QLayout):
            layout.addLayout(what, share)
        else:
            layout.addWidget(what, share)
    return layout
