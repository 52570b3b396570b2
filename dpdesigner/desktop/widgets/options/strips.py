"""Four strips of bars over the same columns: utilities and neighbours that are dragged, chances and ratios that follow."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.gesture.gesture import Gesture
from dpdesigner.desktop.widgets.options.strips_data import Strips, moved, read
from dpdesigner.desktop.widgets.options.strips_paint import paint
from dpdesigner.desktop.widgets.options.strips_places import Places, places, utility_ends
from dpdesigner.desktop.widgets.plot.plot_layer import FADED, line, px

_STILL = 4.0  # pixels that a mouse may slip in a click
_COUNTS, _MOVES = 0, 2  # the strips that are dragged


class StripsView(QWidget):
    """Shows strips. A bar of the first or the third is dragged by the mouse or by Up and Down; Left and Right select."""

    selected = Signal(int)
    utilitiesMoving = Signal(object)  #: utilities to preview
    utilitiesMoved = Signal(object)
    neighbourMoved = Signal(object)  #: what one person moves, in units of Delta
    cancelled = Signal()
    drawRequested = Signal()
    worstRequested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.strips: Strips | None = None
        self.option, self._hovered, self._strip = -1, -1, _COUNTS
        self.neighbours = "any"
        self._ends: tuple[float, float] | None = None  # kept while a bar is dragged
        self._pressed: tuple[QPointF, int] | None = None
        self._dragging = self._stale = False
        self._gesture = Gesture(self, np.array_equal)
        self._gesture.changing.connect(self.utilitiesMoving)
        self._gesture.changed.connect(self.utilitiesMoved)
        self._gesture.cancelled.connect(self.cancelled)
        self._gesture.ended.connect(self._release_ends)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Options: utilities, chances, a neighbour, and the ratio of the chances"))
        theme().changed.connect(self.updateGeometry)

    def set_strips(self, strips: Strips, neighbours: str) -> None:
        """Show strips; a drag goes on."""
        self.strips, self.neighbours = strips, neighbours
        self._tell()
        self.update()

    def select(self, option: int) -> None:
        """Select an option and emit nothing."""
        self.option = option
        self._tell()
        self.update()

    def set_stale(self, on: bool) -> None:
        """Fade what is out of date."""
        self._stale = on
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size that suits the middle of the page."""
        return QSize(480, round(px(460)))

    def minimumSizeHint(self) -> QSize:
        """Return the least size at which the strips can be read."""
        return QSize(round(px(300)), round(px(308)))

    def _tell(self) -> None:
        if self.strips is not None and 0 <= self.option < self.strips.size:
            self.setAccessibleDescription(read(self.strips, self.option))

    @property
    def _places(self) -> Places | None:
        return None if self.strips is None else places(self.strips, self.width(), self.height(), self._ends)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the strips."""
        painter = QPainter(self)
        self.draw(painter)
        painter.end()

    def draw(self, painter: QPainter) -> None:
        """Paint the strips with a painter."""
        where = self._places
        if self.strips is None or where is None:
            return
        painter.setOpacity(FADED if self._stale else 1.0)
        paint(painter, self.strips, where, self.option, self._hovered, self.isEnabled())
        if self.hasFocus() and 0 <= self.option < self.strips.size:
            painter.setPen(line("accent", px(1.2)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            column, band = where.column(self.option), where.bands[self._strip]
            painter.drawRect(column.intersected(band).adjusted(1, -px(2), -1, px(2)))

    # The mouse ---------------------------------------------------------------------------------------------------------

    def _strip_at(self, y: float) -> int:
        where = self._places
        if where is None:
            return -1
        return next((k for k, band in enumerate(where.bands) if band.top() - px(16) <= y <= band.bottom() + px(4)), -1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the option under the mouse, and grab its bar."""
        where, strips = self._places, self.strips
        if strips is None or where is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        strip, option = self._strip_at(event.position().y()), where.option(event.position().x())
        self.option = option
        self._tell()
        self.selected.emit(option)
        self._pressed, self._dragging = (event.position(), strip), False
        if strip in (_COUNTS, _MOVES):
            self._strip = strip
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the bar that is grabbed, or tell of the one under the mouse."""
        where, strips = self._places, self.strips
        if strips is None or where is None:
            return
        if self._pressed is None:
            self._hovered = where.option(event.position().x()) if self.rect().contains(event.position().toPoint()) else -1
            strip = self._strip_at(event.position().y())
            able = (strip == _COUNTS and strips.movable[0]) or (strip == _MOVES and strips.movable[1])
            self.setCursor(Qt.CursorShape.SizeVerCursor if able else Qt.CursorShape.ArrowCursor)
            self.update()
            return
        start, strip = self._pressed
        if not self._dragging and (event.position() - start).manhattanLength() < _STILL:
            return
        self._dragging = True
        if strip == _COUNTS and strips.movable[0]:
            self._drag_utility(strips, where, event.position())
        elif strip == _MOVES and strips.movable[1]:
            band = where.bands[_MOVES]
            self._move_neighbour(1 - 2 * (event.position().y() - band.top()) / band.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Keep what was dragged."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = None
        self._gesture.finish()

    def leaveEvent(self, event: QEvent) -> None:
        """Tell of no option any more."""
        self._hovered = -1
        self.update()

    def event(self, event: QEvent) -> bool:
        """Tell the numbers of an option under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.strips is not None:
            where = self._places
            if where is not None:
                QToolTip.showText(event.globalPos(), read(self.strips, where.option(event.pos().x())), self)
            return True
        return super().event(event)

    def _drag_utility(self, strips: Strips, where: Places, at: QPointF) -> None:
        if not self._gesture.active:
            low, high = utility_ends(strips)
            self._ends = low, high + 0.15 * (high - low)
            self._gesture.begin(strips.utilities.copy(), held=True)
        band = where.bands[_COUNTS]
        share = (band.bottom() - at.y()) / band.height()
        value = where.bottom + share * (where.top - where.bottom)
        option = where.option(at.x()) if strips.line else self.option
        self._gesture.move(_with(strips, option, value))

    def _move_neighbour(self, to: float) -> None:
        if self.strips is None or not 0 <= self.option < self.strips.size:
            return
        moves = moved(self.strips.moves, self.option, to, self.neighbours)
        if not np.array_equal(moves, self.strips.moves):
            self.neighbourMoved.emit(moves)

    @Slot()
    def _release_ends(self) -> None:
        self._ends = None
        self.update()

    # The keyboard ------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select with Left and Right, change with Up and Down; N: the other strip, W: the worst neighbour, Space: announce."""
        key, strips = Qt.Key(event.key()), self.strips
        if key == Qt.Key.Key_Escape and self._gesture.active:
            self._pressed = None
            self._gesture.cancel()
            return
        if strips is None or event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            super().keyPressEvent(event)
            return
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = 1 if key == Qt.Key.Key_Right else -1
            self.option = min(max(self.option + step, 0), strips.size - 1)
            self._tell()
            self.selected.emit(self.option)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and 0 <= self.option < strips.size:
            far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self._step(strips, far if key == Qt.Key.Key_Up else -far)
        elif key == Qt.Key.Key_N:
            self._strip = _MOVES if self._strip == _COUNTS else _COUNTS
        elif key == Qt.Key.Key_W:
            self.worstRequested.emit()
        elif key == Qt.Key.Key_Space:
            self.drawRequested.emit()
        else:
            super().keyPressEvent(event)
            return
        self.update()

    def _step(self, strips: Strips, steps: int) -> None:
        if self._strip == _MOVES:
            if strips.movable[1]:
                self._move_neighbour(float(np.sign(steps)))
            return
        if strips.movable[0]:
            if not self._gesture.active:
                self._gesture.begin(strips.utilities.copy())
            size = 1.0 if strips.whole else float(np.ptp(strips.utilities) or 1.0) / 100
            self._gesture.move(_with(strips, self.option, float(strips.utilities[self.option]) + steps * size))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keys work."""
        if self.option < 0 and self.strips is not None:
            self.option = int(np.argmax(self.strips.utilities))
        self.update()
        super().focusInEvent(event)


def _with(strips: Strips, option: int, value: float) -> Floats:
    """Utilities with another one, rounded as its neighbours are; numbers of people are not below 0."""
    utilities = strips.utilities.copy()
    span = float(np.abs(utilities).max()) or 1.0
    digits = 0 if strips.whole else max(0, 2 - int(np.floor(np.log10(span))))
    utilities[option] = max(round(value, digits), 0.0) if strips.counted else round(value, digits)
    return utilities
