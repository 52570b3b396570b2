"""Two pages by hand: what a declaration cannot say is a widget, and all else comes from `DeclaredPage`.

`LaplacePage` adds a square below the fields, in which two of its inputs are chosen at once. `BalancePage` shows one panel of its
kind in a widget of its own; the kind declares the rest: panels made when they are seen, a computation beside the answer, buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.gesture import Gesture
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.pages.kit.panel_views import PanelView, Place
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies import registry
from dpdesigner.studies.base import Answer, DeclaredDesign, View, ViewValue
from dpdesigner.studies.fields import declare, whole_number
from dpdesigner.studies.findings import Finding, format_finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Drag, Handle, Line
from dpdesigner.studies.snapshot import Action, Look, SideJob
from dpdesigner.studies.study import Progress, silent

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


ENTRY = registry.Entry("laplace", "Laplace", "declared_kind:LaplaceDesign", "declared_page:LaplacePage")


# A kind whose panels are made by key --------------------------------------------------------------------------------------


def _both(values: Floats, which: int, where: float) -> Floats:
    """Return both sides after one was dragged: what one gains the other loses."""
    share = min(max(where, 0.0), 1.0)
    return np.array([share, 1 - share] if which == 0 else [1 - share, share])


SWAP = Action(message("Swap"), lambda now: now.design.replace(left=now.design.right, right=now.design.left), "", "Ctrl+Shift+W")
MIDDLE = Action(message("Look at the middle"), lambda now: {"at": 0.5}, on="sides", when=lambda now: now.view["at"] != 0.5)


def _walks(answer: Answer, progress: Progress) -> list[float]:
    """Return where 100 walks end that go right with the share of the right side, drawn from the design's seed."""
    made.append("walks")
    share = answer.findings["share"].number
    steps = np.random.default_rng(answer.design.seed).random((100, 20)) < share
    return sorted((2 * steps - 1).sum(axis=1).tolist())


made: list[str] = []  #: the panels and jobs that were made, for the tests


class BalanceDesign(DeclaredDesign):
    """Two weights, how much of both is at the right, and where a walk goes with that."""

    kind: ClassVar[str] = "balance"
    views: ClassVar[tuple[View, ...]] = (
        View("sides", message("Sides"), ("sides", "tilt")),
        View("walks", message("Walks"), ("walks",)),
    )
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {"at": 0.5, "style": "plain"}
    side_jobs: ClassVar[tuple[SideJob, ...]] = (SideJob("walks", _walks, lambda now: now.view["view"] == "walks"),)
    buttons: ClassVar[tuple[Action, ...]] = (SWAP, MIDDLE)

    left: int = declare(whole_number(0, 100, symbol="l"), default=30, label=message("At the left"))
    right: int = declare(whole_number(0, 100, symbol="r"), default=50, label=message("At the right"))
    seed: int = declare(whole_number(0, 1000), default=7, label=message("Seed"))

    def check(self) -> None:
        """Refuse an empty balance."""
        if not self.left + self.right:
            raise InputError("left and right must not both be 0.", "left", "1")

    def run(self, progress: Progress = silent) -> Answer:
        """Divide, and say how each panel is made once it is seen."""
        share = self.right / (self.left + self.right)
        found = {"share": Finding(message("share at the right"), share, digits=3, rounding="down")}
        text = message("{share} of it is at the right.", share=format_finding(found["share"]))
        return Answer(self, found, {"sides": _sides, "tilt": _tilt, "walks": _plot_of_walks}, text)


def _sides(look: Look) -> Plot:
    made.append("sides")
    design = look.answer.design
    both = Drag("design", _both, lambda values, which: {"left": values[0], "right": values[1]}, message("Change both"))
    line = Line(np.array([0.0, 1.0]), np.array([design.left, design.right], dtype=float), message("weight"), drags=(both,))
    return Plot("sides", message("Sides"), Axis(limits=(0, 1)), Axis(limits=(0, 100)), (line,))


def _tilt(look: Look) -> Plot:
    made.append("tilt")
    at, share = look.view["at"], look.answer.findings["share"].number
    x = np.linspace(0, 1, 21)
    handle = Handle(at, message("at {at}", at=f"{at:.2f}"), "view.at")
    return Plot(
        "tilt",
        message("Tilt"),
        Axis(message("place"), limits=(0, 1)),
        Axis(message("height")),
        (Line(x, share * x),),
        handles=(handle,),
    )


def _plot_of_walks(look: Look) -> Plot:
    ends = look.job("walks")
    made.append("plot of walks")
    return Plot("walks", message("Walks"), Axis(message("walk")), Axis(message("end")), (Line(np.arange(100.0), np.array(ends)),))


class SidesPanel(PanelView):
    """The weights as a point in a square, left across and right upwards: both are dragged at once."""

    def __init__(self) -> None:
        super().__init__()
        self.square = Square("left across, right upwards")
        self.column.addWidget(self.square)
        self.square.moving.connect(lambda at: self.moving.emit("design", self._weights(at)))
        self.square.moved.connect(lambda at: self.moved.emit("design", self._weights(at)))
        self.square.cancelled.connect(lambda: self.cancelled.emit("design"))

    @staticmethod
    def _weights(at: tuple[float, float]) -> dict[str, int]:
        return {"left": round(100 * at[0]), "right": round(100 * at[1])}

    def show_panel(self, panel: Plot, place: Place) -> None:
        """Show the weights of the plot's line."""
        left, right = panel.lines[0].y.tolist()
        self.square.show_place((left / 100, right / 100))


class BalancePage(DeclaredPage):
    """The declared page with a widget of its own for one panel."""

    kind = "balance"
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {"sides": SidesPanel}


BALANCE = registry.Entry("balance", "Balance", "declared_page:BalanceDesign", "declared_page:BalancePage")
