"""The least page by hand: the page of a declared kind, and a square in which two of its inputs are chosen at once.

A handle of a declared plot changes one input; this is what it cannot say. All else comes from `DeclaredPage`, whose hooks are
`asking_column`, `lay_out`, `shared_out` and what every page has (`set_study`, `tour`, `set_presenting`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.gesture.gesture import Gesture
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies import registry

_STEP = 0.02  # of an arrow key, as a share of the square
_ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Down: (0, -1), Qt.Key.Key_Up: (0, 1)}


class Square(QWidget):
    """A point in a square, as shares across and up: it shows what it is given, and asks with signals."""

    moving = Signal(object)  #: (across, up) while a drag lasts
    moved = Signal(object)  #: the same, once at its end
    cancelled = Signal()  #: it was given up

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._at = (0.5, 0.5)
        self._gesture = Gesture(self)
        self._gesture.changing.connect(self.moving)
        self._gesture.changed.connect(self.moved)
        self._gesture.cancelled.connect(self.cancelled)
        theme().changed.connect(self.updateGeometry)  # the text has another size, or the colours are others

    def show_place(self, at: tuple[float, float]) -> None:
        """Show a place and emit nothing."""
        self._at = at
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size that grows with the text."""
        return QSize(round(px(160)), round(px(100)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the square and the point in the colours of the theme."""
        painter, colours = QPainter(self), theme().colours
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.accent if self.hasFocus() else colours.edge), px(1)))
        painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.setBrush(QColor(colours.selected))
        painter.drawEllipse(QPointF(self._at[0] * self.width(), (1 - self._at[1]) * self.height()), px(5), px(5))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a drag."""
        self._gesture.begin(self._at, held=True)
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with it."""
        at = event.position()
        self._gesture.move(_inside(at.x() / self.width(), 1 - at.y() / self.height()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End it."""
        self._gesture.finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move with the arrow keys; give up with Esc."""
        arrow = _ARROWS.get(Qt.Key(event.key()))
        if arrow is not None:
            if not self._gesture.active:
                self._gesture.begin(self._at)
            self._gesture.move(_inside(self._at[0] + _STEP * arrow[0], self._at[1] + _STEP * arrow[1]))
        elif event.key() == Qt.Key.Key_Escape and self._gesture.active:
            self._gesture.cancel()
        else:
            super().keyPressEvent(event)


def _inside(across: float, up: float) -> tuple[float, float]:
    return min(max(across, 0.0), 1.0), min(max(up, 0.0), 1.0)


class LaplacePage(DeclaredPage):
    """Laplace's distribution function, with b and x in one square below their fields."""

    kind = "laplace"

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        """Put the square below the fields of its inputs."""
        self._ranges = [field.asked.input for key, field in self._inputs.fields.items() if key in ("x", "b")][::-1]
        self.square, self.card = Square(self.tr("x across, b upwards")), Card(self.tr("Both at once"))
        self.card.add(self.square)
        self._inputs.column.insertWidget(2, self.card)
        self.square.moving.connect(partial(self._choose, ""))
        self.square.moved.connect(partial(self._choose, self.tr("Change x and b")))
        self.square.cancelled.connect(self.previewCancelled)
        super().lay_out(columns)

    def set_study(self, study: Any) -> None:
        """Show a design; the point follows at once, also while it is dragged."""
        super().set_study(study)
        across, up = (kind.place(value) for kind, value in zip(self._ranges, (study.x, study.b), strict=True))
        self.square.show_place((across, up))

    def tour(self) -> Sequence[Stop]:
        """Lead over the square, too."""
        *asked, pictures, found = super().tour()
        return (*asked, Stop(self.square, self.tr("Both at once"), self.tr("Drag the point.")), pictures, found)

    def _choose(self, words: str, at: tuple[float, float]) -> None:
        x, b = (kind.at(share) for kind, share in zip(self._ranges, at, strict=True))
        self._inputs.change(words, x=x, b=b)  # a preview where there are no words; what cannot be is said beside its field


ENTRY = registry.Entry("laplace", "Laplace", "declared_kind:LaplaceDesign", "declared_page:LaplacePage", since=registry.SPLIT)
