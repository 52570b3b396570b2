"""A column of cards that scrolls only when there is not even room for the least that the cards need."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget


class ColumnLayout(QVBoxLayout):
    """A vertical layout that asks for its least height.

    A scroll area gives a widget whose layout's height depends on its width the height it would like best, and scrolls, where
    the cards could just as well be lower.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(10)
        self._asking = False

    def heightForWidth(self, width: int) -> int:
        """Return the least height at this width."""
        if self._asking:  # Qt computes the least height by way of this method
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
        self._least = 0
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the column scrolls to what has the focus
        self.setWidget(column)
        self.viewport().setAutoFillBackground(False)
        column.setAutoFillBackground(False)
        self.measure()

    def minimumSizeHint(self) -> QSize:
        """Return the column's least width, with room for the scroll bar, and a modest height."""
        return QSize(self._least, super().minimumSizeHint().height())

    def measure(self) -> None:
        """Take the column's least width."""
        least = self._column.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        if least != self._least:
            self._least = least
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """Lay the column out after another style once its cards have that style too, not, as Qt does, before and for nothing."""
        if event.type() == QEvent.Type.StyleChange:
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ask for another width when the column does."""
        if event.type() == QEvent.Type.LayoutRequest and watched is self._column:
            self.measure()
        return super().eventFilter(watched, event)


def scrolling(column: QWidget) -> ColumnArea:
    """Return a scroll area around a column, without a frame or a ground of its own."""
    return ColumnArea(column)


def reveal(widget: QWidget, *margins: int) -> None:
    """Bring a widget into view where it is in something that scrolls, with so much room beside and above it if that is said."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(widget, *margins)
        around = around.parentWidget()
