"""The tour: a small bubble that points to one real control after another and moves on when the user has tried it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget
from shiboken6 import isValid

from dpdesigner.desktop.base.labels import announce
from dpdesigner.desktop.base.layouts import column_of, reveal, row_of, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.pages.kit.page import Stop

WIDTH = 300  #: width of the bubble at normal text size
GAP = 10  #: between the control and the bubble
SETTLES = 100  #: time for the page to adapt its layout to another text size (milliseconds)
MOMENT = 700  #: how long users see the effect of their action before the tour continues (milliseconds)
_KEYS_ON = (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_STEPS: dict[int, int] = {**dict.fromkeys(_KEYS_ON, 1), Qt.Key.Key_Left: -1}


class Bubble(QFrame):
    """Explains a control. → goes on, ← goes back, Esc ends."""

    wanted = Signal(int)  #: the number of stops to move on
    ended = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_class(self, "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.title, self.number, self.text = styled("heading", wrapped=True), styled("small"), QLabel()
        self.text.setWordWrap(True)
        self.back, self.next = QPushButton(self.tr("← Back")), QPushButton()
        self.end = QPushButton(self.tr("End tour"))
        set_class(self.next, "primary")
        for button in (self.end, self.back, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrow keys belong to the bubble
        self.back.clicked.connect(partial(self.wanted.emit, -1))
        self.next.clicked.connect(partial(self.wanted.emit, 1))
        self.end.clicked.connect(self.ended)
        row = row_of((self.number, 1), self.end, self.back, self.next)
        column_of(self.title, self.text, row, on=self, margins=(16, 12, 16, 12), gap=8)
        self.colour()

    @Slot()
    def colour(self) -> None:
        """Give the border the colour of the ring."""
        self.setStyleSheet(f"Bubble {{ border: 2px solid {theme().colours.selected}; }}")

    def show_stop(self, stop: Stop, at: int, many: int) -> None:
        """Show the text of a stop."""
        self.title.setText(stop.title)
        self.text.setText(stop.text)
        self.number.setText(self.tr("{at} of {many}").format(at=at + 1, many=many))
        self.back.setEnabled(at > 0)
        self.next.setText(self.tr("Next →") if at + 1 < many else self.tr("Done"))
        self.setAccessibleName(f"{self.tr('Tour')}, {self.number.text()}: {stop.title}")
        self.setAccessibleDescription(self.tr("{text} Right arrow: next, left arrow: back, Esc: end.").format(text=stop.text))
        announce(self, f"{stop.title}. {stop.text}")

    def size_at(self, width: int) -> QSize:
        """Return the size that the whole text needs at this width."""
        self.ensurePolished()
        least = max(width, self.minimumSizeHint().width())
        return QSize(least, self.heightForWidth(least))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        elif event.key() in _STEPS:
            self.wanted.emit(_STEPS[event.key()])
        else:
            super().keyPressEvent(event)


class Ring(QWidget):
    """An outline around a control; it lets mouse events through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme().colours.selected), 3))
        painter.drawRoundedRect(self.rect().adjusted(2, 2, -2, -2), 8, 8)


class Tour(QObject):
    """Guides the user through stops, over a part of the window.

    Parameters
    ----------
    over : QWidget
        What holds all the controls of the stops; the bubble floats over it.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._stops: list[Stop] = []
        self._at = 0
        self._followed: Stop | None = None
        self.ring, self.bubble = Ring(over), Bubble(over)
        self.bubble.wanted.connect(self._step)
        self.bubble.ended.connect(self.end)
        self._moment = QTimer(self, singleShot=True, interval=MOMENT)
        self._moment.timeout.connect(self._go_on)
        over.installEventFilter(self)
        self._settling = QTimer(self, singleShot=True, interval=SETTLES)
        self._settling.timeout.connect(self._settle)
        theme().changed.connect(self._settling.start)
        theme().changed.connect(self.bubble.colour)
        self.ring.hide()
        self.bubble.hide()

    @property
    def running(self) -> bool:
        """Whether the bubble is visible."""
        return not self.bubble.isHidden()

    def start(self, stops: Sequence[Stop]) -> None:
        """Start the tour of these stops; stops with a hidden control are skipped."""
        self.end()
        self._stops = [stop for stop in stops if stop.widget.isVisibleTo(self._over)]
        if self._stops:
            self._show(0)

    @Slot()
    def end(self) -> None:
        """End the tour without changing anything else."""
        self._unfollow()
        self.ring.hide()
        self.bubble.hide()

    @Slot(int)
    def _step(self, by: int) -> None:
        if self._at + by >= len(self._stops):
            self.end()
        elif self._at + by >= 0:
            self._show(self._at + by)

    @Slot()
    def _go_on(self) -> None:
        if self.running:
            self._step(1)

    def _show(self, at: int) -> None:
        self._unfollow()
        self._at, stop = at, self._stops[at]
        if not isValid(stop.widget):
            self.end()
            return
        self._follow(stop)
        self.bubble.show_stop(stop, at, len(self._stops))
        for widget in (self.ring, self.bubble):
            widget.show()
            widget.raise_()
        self._settle()
        self.bubble.setFocus(Qt.FocusReason.OtherFocusReason)

    def _follow(self, stop: Stop) -> None:
        """Move on when the user has done what the stop describes."""
        if stop.done is not None:
            stop.done.connect(self._moment.start)
            self._followed = stop

    def _unfollow(self) -> None:
        self._moment.stop()
        followed, self._followed = self._followed, None
        if followed is not None and isValid(followed.widget):
            followed.done.disconnect(self._moment.start)

    @property
    def _target(self) -> QWidget | None:
        """The control being pointed to; None while no tour is running, and if the control no longer exists."""
        return self._stops[self._at].widget if self.running and isValid(self._stops[self._at].widget) else None

    @Slot()
    def _settle(self) -> None:
        """Scroll the control into view, and move next to it."""
        if (target := self._target) is not None:
            reveal(target)
            self._place()

    @Slot()
    def _place(self) -> None:
        if (target := self._target) is None:
            return
        around = QRect(target.mapTo(self._over, QPoint(0, 0)), target.size()).intersected(self._over.rect())
        self.ring.setGeometry(around.adjusted(-4, -4, 4, 4))
        width = min(round(WIDTH * theme().scale), self._over.width() - 2 * GAP)
        self.bubble.setGeometry(bubble_place(around, self.bubble.size_at(width), self._over.rect()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay next to the control when the window is resized."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)


def bubble_place(target: QRect, size: QSize, room: QRect) -> QRect:
    """Return the bubble's place: right of the target, left, below or above, where it fits; otherwise in a corner of it."""
    box = QRect(QPoint(0, 0), size)
    centre = target.center()
    places = (
        QPoint(target.right() + GAP, centre.y() - size.height() // 2),
        QPoint(target.left() - GAP - size.width(), centre.y() - size.height() // 2),
        QPoint(centre.x() - size.width() // 2, target.bottom() + GAP),
        QPoint(centre.x() - size.width() // 2, target.top() - GAP - size.height()),
    )
    for place in places:
        box.moveTopLeft(place)
        box.moveLeft(max(GAP, min(box.left(), room.width() - GAP - size.width())))
        box.moveTop(max(GAP, min(box.top(), room.height() - GAP - size.height())))
        if not box.intersects(target):
            return box
    box.moveBottomRight(target.bottomRight() - QPoint(GAP, GAP))
    return box
