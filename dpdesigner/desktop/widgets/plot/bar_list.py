"""A painted list of bars, one below the other, of which one can be chosen: what the lists of costs, rules and constants share."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.plot.plot_layer import line


class BarList(QWidget):
    """A click chooses a bar; Up and Down move between the bars, Enter or Space chooses one."""

    chosen = Signal(str)  #: the key of a bar

    def __init__(self, name: str) -> None:
        super().__init__()
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme().changed.connect(self._restyle)

    def texts(self) -> list[str]:
        """Return each bar in words."""
        raise NotImplementedError

    def boxes(self) -> Sequence[QRectF]:
        """Return where each bar stands with all that belongs to it, in pixels."""
        raise NotImplementedError

    def key(self, place: int) -> str:
        """Return the key of a bar; empty where it cannot be chosen."""
        raise NotImplementedError

    def draw(self, painter: QPainter) -> None:
        """Paint all bars."""
        raise NotImplementedError

    @Slot()
    def _restyle(self) -> None:
        self.lay_out()

    def lay_out(self) -> None:
        """Ask for room, and paint anew."""
        self.updateGeometry()
        self.update()

    def renew(self, *, resized: bool) -> None:
        """Paint and read out other bars, which may need more room or less than those before."""
        texts = self.texts()
        self._current = min(self._current, max(len(texts) - 1, 0))
        self.setAccessibleDescription("; ".join(texts))
        if resized:
            self.lay_out()
        else:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all bars, and a frame around the one that the keys are at."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter)
        boxes = self.boxes()
        if self.hasFocus() and self._current < len(boxes):
            painter.setPen(line("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(boxes[self._current].adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def place_at(self, position: QPointF) -> int | None:
        """Return which bar is at a pixel, or None."""
        return next((place for place, box in enumerate(self.boxes()) if box.contains(position)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the bar clicked."""
        place = self.place_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self._choose(place)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between the bars, or choose one."""
        step, bars = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0), len(self.boxes())
        if step and bars:
            self._current = min(max(self._current + step, 0), bars - 1)
            self.setAccessibleDescription(self.texts()[self._current])
            self.update()
        elif bars and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self._current)
        else:
            super().keyPressEvent(event)

    def _choose(self, place: int) -> None:
        self._current = place
        self.update()
        if key := self.key(place):
            self.chosen.emit(key)
