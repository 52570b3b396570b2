"""Layouts that break into rows, and a widget for them: text that grows to 200 % then moves down instead of being cut off."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

_Placed = tuple[QLayoutItem, int, int]  # an item, its left edge and its width


class WrapLayout(QLayout):
    """Items beside each other at their own size, as many in a row as fit.

    Items whose size policy expands share what is left of their row; with ``spread``, the gaps do.
    """

    def __init__(self, parent: QWidget | None = None, gap: int = 8, spread: bool = False) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._spread = spread
        self._heights: dict[int, int] = {}  # by width, while the items ask for the same
        self.setContentsMargins(QMargins())

    def addItem(self, item: QLayoutItem) -> None:
        """Append an item."""
        self._items.append(item)

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return an item, or None past the last."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove an item and return it."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Grow sideways only."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows."""
        if width not in self._heights:
            heights = [_height(row) for row in self._rows(width)]
            self._heights[width] = sum(heights) + self._gap * max(0, len(heights) - 1)
        return self._heights[width]

    def invalidate(self) -> None:
        """Forget the heights: an item came, went or asks for another size."""
        self._heights.clear()
        super().invalidate()

    def sizeHint(self) -> QSize:
        """Return the size of a single row."""
        shown = self._shown()
        width = sum(item.sizeHint().width() for item in shown) + self._gap * max(0, len(shown) - 1)
        return QSize(width, max((item.sizeHint().height() for item in shown), default=0))

    def minimumSize(self) -> QSize:
        """Return the size of the largest item."""
        sizes = [item.minimumSize() for item in self._shown()]
        return QSize(max((size.width() for size in sizes), default=0), max((size.height() for size in sizes), default=0))

    def setGeometry(self, rect: QRect) -> None:
        """Place the items."""
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
    """A widget whose least height follows its width, so that no row covers another when text is large or the column narrow.

    Boxes ask a widget for its height at a width, but splitters and scroll areas for a least height only.
    """

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the height needed at the width in force."""
        least = super().minimumSizeHint()
        return QSize(least.width(), max(least.height(), self.heightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask again when the width is another."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
