"""Mouse events as a real mouse makes them: `QTest.mouseMove` alone carries no buttons."""

from __future__ import annotations

from collections.abc import Sequence

import PySide6
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

_KEYS = Qt.KeyboardModifier.NoModifier


def move(widget: QWidget, at: QPointF, buttons: Qt.MouseButton = Qt.MouseButton.NoButton) -> None:
    """Move the mouse to a pixel of a widget, with buttons held down."""
    far = QPointF(widget.mapToGlobal(at.toPoint()))
    event = QMouseEvent(QEvent.Type.MouseMove, at, far, Qt.MouseButton.NoButton, buttons, _KEYS)
    QApplication.sendEvent(widget, event)


def drop(widget: QWidget, at: QPointF, data: QMimeData) -> bool:
    """Drag data into a widget and let go there if it wants them; return whether it does."""
    given = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, _KEYS
    enters = QDragEnterEvent(at if PySide6.__version_info__ >= (6, 12) else at.toPoint(), *given)
    QApplication.sendEvent(widget, enters)
    if enters.isAccepted():
        QApplication.sendEvent(widget, QDropEvent(at, *given))
    return enters.isAccepted()


def drop_moving(widget: QWidget, at: QPointF, data: QMimeData) -> Qt.DropAction | None:
    """Drop data that may be copied but would rather be moved; return the action that the widget answers with, or None."""
    given = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton, _KEYS
    enters = QDragEnterEvent(at if PySide6.__version_info__ >= (6, 12) else at.toPoint(), *given)
    enters.setDropAction(Qt.DropAction.MoveAction)
    QApplication.sendEvent(widget, enters)
    if not enters.isAccepted():
        return None
    dropped = QDropEvent(at, *given)
    dropped.setDropAction(Qt.DropAction.MoveAction)
    QApplication.sendEvent(widget, dropped)
    return dropped.dropAction() if dropped.isAccepted() else Qt.DropAction.IgnoreAction


def drag(widget: QWidget, points: Sequence[QPointF]) -> None:
    """Press the left button at the first point, move over the others, release at the last."""
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=points[0].toPoint())
    for point in points[1:]:
        move(widget, point, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=points[-1].toPoint())


def turn(widget: QWidget, at: QPointF, notches: int) -> bool:
    """Turn the wheel; return whether the widget took the event."""
    far, phase = QPointF(widget.mapToGlobal(at.toPoint())), Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, far, QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, _KEYS, phase, False)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()
