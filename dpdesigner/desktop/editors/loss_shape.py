"""Named losses as functions of the error: titles, what an error costs, what the theorem says; and as small pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QIcon, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import exact, nearest
from dpdesigner.core.basics.rounding import as_typed, brief
from dpdesigner.desktop.base.theme import outlined, theme
from dpdesigner.desktop.base.translation import tr

#: The losses that take a parameter, and the one they start with.
STARTING = {"power": "1.5", "threshold": "2", "pinball": "3/4", "expression": "|i-r|(1+i)"}

_COSTS: dict[str, Callable[[float, float], float]] = {
    "absolute": lambda e, _: abs(e),
    "squared": lambda e, _: e * e,
    "zero-one": lambda e, _: float(e != 0),
    "power": lambda e, q: abs(e) ** q,
    "threshold": lambda e, t: float(abs(e) > t),
    "pinball": lambda e, tau: max(-tau * e, (1 - tau) * e),
    "relative": lambda e, _: abs(e),
}
_REACH = 6  # errors that a thumbnail spans on either side
_LARGEST_THRESHOLD = 24.0  # in a picture


class Shape(NamedTuple):
    """The cost at errors -reach .. reach, and whether the function has jumps, so that it is drawn as steps."""

    costs: tuple[float, ...]
    steps: bool


def shape(given: str) -> Shape:
    """Return the picture of a named or drawn loss.

    Parameters
    ----------
    given : str
        A valid loss such as ``"absolute"``, ``"pinball:3/4"`` or ``"distance:0,1,4"``.
    """
    loss = Loss(given)
    if loss.name == "distance":
        values = [number(text) for text in distance_texts(loss.argument)]
        reach = max(_REACH, len(values) - 1)
        half = [values[min(distance, len(values) - 1)] for distance in range(reach + 1)]
        return Shape((*reversed(half[1:]), *half), steps=False)
    parameter = 0.0 if loss.parameter is None else float(loss.parameter)
    reach = _REACH
    if loss.name == "threshold":
        parameter = min(parameter, _LARGEST_THRESHOLD)
        reach = max(_REACH, int(1.75 * parameter) + 1)
    costs = tuple(cost(loss.name, error, parameter) for error in range(-reach, reach + 1))
    return Shape(costs, steps=loss.name in ("zero-one", "threshold"))


def cost(name: str, error: float, parameter: float) -> float:
    """Return the cost of an error under a named loss (for ``relative``, at a true count of 1)."""
    return _COSTS[name](error, parameter)


def drawable(given: object, longest: int) -> tuple[str, ...]:
    """Return the costs at distances 0 .. longest to start a drawing from.

    They are those of the loss where it depends on the distance only, and the distance itself otherwise.
    """
    name, _, text = given.partition(":") if isinstance(given, str) else ("", "", "")
    if name == "distance":
        return distance_texts(text)
    parameter = number(text) if text and name in ("power", "threshold") else 0.0
    if name not in ("squared", "zero-one", "power", "threshold"):
        name = "absolute"
    return tuple(as_typed(cost(name, distance, parameter)) for distance in range(longest + 1))


def distance_texts(argument: str) -> tuple[str, ...]:
    """Return the single costs of ``distance:...`` as they were written."""
    return tuple(part.strip() for part in argument.split(","))


def distance_loss(texts: Sequence[str]) -> str:
    """Return the loss with these costs at distances 0, 1, 2, ..."""
    return "distance:" + ",".join(texts)


def number(text: str) -> float:
    """Return the double nearest to a valid number."""
    return nearest(exact(text))


def extended(texts: Sequence[str], longest: int) -> tuple[str, ...]:
    """Return costs for distances 0 .. longest at least, extended with the last cost."""
    return (*texts, *(texts[-1],) * (longest + 1 - len(texts)))


def round_ceiling(value: float) -> float:
    """Return the least of 1, 1.5, 2, 3, 4, 5, 6, 8 or 10 times a power of ten that is at least a value; 1 for 0."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * power >= value * (1 - 1e-12))


_EXAMPLE = 3  # the error whose cost the sentences name


def title(name: str) -> str:
    """Return the title of a kind of loss on its button."""
    return {
        "absolute": tr("Absolute"),
        "squared": tr("Squared"),
        "zero-one": tr("0 / 1"),
        "threshold": tr("Threshold"),
        "pinball": tr("Pinball"),
        "distance": tr("Draw…"),
        "power": tr("Power"),
        "relative": tr("Relative"),
        "expression": tr("Expression"),
        "matrix": tr("Matrix"),
    }[name]


def formula(name: str) -> str:
    """Return the tooltip of a kind of loss: its formula, where i is the true count and r the release."""
    return {
        "absolute": tr("|i − r|: the cost is the size of the error."),
        "squared": tr("(i − r)²: large errors weigh much more than small ones."),
        "zero-one": tr("0 if r = i, otherwise 1: only the exact count is right."),
        "threshold": tr("0 if |i − r| ≤ T, otherwise 1: small errors are free."),
        "pinball": tr("τ (i − r) if r is below i, (1 − τ) (r − i) if it is above: errors on one side cost more."),
        "distance": tr("Draw the cost of each distance |i − r| with the mouse."),
        "power": tr("|i − r| to the power Q."),
        "relative": tr("|i − r| / max(i, 1): the error as a share of the true count."),
        "expression": tr("Any arithmetic in i, r, n and the error x."),
        "matrix": tr("A table with one row per true count i and one column per release r."),
    }[name]


def sentence(loss: Loss, n: int) -> str:
    """Return the cost of an error under a loss for counts up to n, in one sentence."""
    size = min(_EXAMPLE, max(n, 1))
    if loss.name == "pinball":
        low = float(loss.parameter or 0)
        if low in (0, 0.5, 1):
            return tr("One too low costs {low}, one too high {high}.").format(low=brief(low), high=brief(1 - low))
        words = tr("One too low costs {cost}, as much as {many} too high.")
        if low < 0.5:
            words = tr("One too high costs {cost}, as much as {many} too low.")
        return words.format(cost=brief(max(low, 1 - low)), many=brief(max(low, 1 - low) / min(low, 1 - low)))
    if loss.name == "threshold":
        return tr("An error of up to {reach} is free; a larger one costs 1.").format(reach=loss.argument)
    if loss.name == "distance":
        texts = distance_texts(loss.argument)
        return _costs(texts[min(size, len(texts) - 1)], size)
    fixed = {
        "zero-one": tr("Any error costs 1, however large."),
        "relative": tr("An error of {size} costs {size} divided by the true count ({size} if it is 0).").format(size=size),
        "expression": tr("True count i, release r, error x = |i − r|."),
        "matrix": tr("The costs come from a table."),
    }
    return fixed.get(loss.name) or _costs(brief(cost(loss.name, size, float(loss.parameter or 0))), size)


def chosen(loss: Loss) -> str:
    """Return the text of the undo step for choosing a loss."""
    return {
        "distance": tr("Draw loss"),
        "expression": tr("Write loss expression"),
    }.get(loss.name) or tr("Choose {title} loss").format(title=loss.title)


def verdict(covered: bool, reason: str) -> str:
    """Return why Theorem A does not cover a loss, short enough for two lines: without the numbers in the reason; else nothing."""
    if covered:
        return ""
    return tr("Outside Theorem A: {reason}.").format(reason=_without_numbers(reason))


def consequence(covered: bool, reason: str) -> str:
    """Return the whole reason, and its consequence."""
    if covered:
        return tr("Theorem A covers this loss: {reason}").format(reason=reason)
    return tr("Outside Theorem A: {reason}; the linear program decides.").format(reason=reason.removesuffix("."))


def _without_numbers(reason: str) -> str:
    return reason.rpartition(": ")[0] or reason.removesuffix(".")


def _costs(amount: str, size: int) -> str:
    return tr("An error of {size} costs {amount}.").format(size=size, amount=amount)


_LABEL_POINTS = 8.5
_PADDING = 5.0
_PICTURE = (44.0, 19.0)  # pixels at scale 1
_ICON = (32, 16)
_GAP = 6  # pixels between buttons in a row


def shape_path(picture: Shape, area: QRectF) -> QPainterPath:
    """Return the curve of the cost against the error, scaled to fill an area."""
    costs = picture.costs
    top = max(costs) or 1.0
    cell = area.width() / (len(costs) if picture.steps else len(costs) - 1)
    path = QPainterPath()
    for k, cost in enumerate(costs):
        y = area.bottom() - area.height() * cost / top
        ends = (area.left() + k * cell, area.left() + (k + 1) * cell) if picture.steps else (area.left() + k * cell,)
        for x in ends:
            if path.elementCount():
                path.lineTo(QPointF(x, y))
            else:
                path.moveTo(QPointF(x, y))
    return path


def shape_icon(given: str, ratio: float) -> QIcon:
    """Return a loss as an icon for a menu, sharp at a device pixel ratio."""
    size = QSize(*_ICON)
    pixmap = QPixmap(size * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    _draw(painter, given, QRectF(2, 2, size.width() - 4, size.height() - 4), theme().colours.muted)
    painter.end()
    return QIcon(pixmap)


def _draw(painter: QPainter, given: str, area: QRectF, colour: str) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colour), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPath(shape_path(shape(given), area))


class LossThumbnail(QAbstractButton):
    """A button that shows a loss; only its owner, not a click, decides whether it is checked."""

    def __init__(self, title: str, given: str) -> None:
        super().__init__()
        self._given = given
        self.setText(title)
        self.setAccessibleName(title)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme().changed.connect(self._restyle)

    @property
    def given(self) -> str:
        """The loss in the picture."""
        return self._given

    def set_given(self, given: str) -> None:
        """Show the picture of another loss of this kind."""
        if given != self._given:
            self._given = given
            self.update()

    def nextCheckState(self) -> None:
        """Leave the check state as it is."""

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self._font(bold=True))
        width = max(metrics.horizontalAdvance(self.text()), theme().scale * _PICTURE[0]) + 2 * _PADDING
        height = theme().scale * _PICTURE[1] + metrics.height() + 2.6 * _PADDING
        return QSize(round(width + 1), round(height))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme().colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused, chosen = outlined(self), self.isChecked() or self.isDown()
        width = 2.0 if focused else 1.0
        rest = colours.edge if colours.high else colours.chosen if chosen else colours.button
        painter.setPen(QPen(QColor(colours.accent if focused else colours.quiet if self.underMouse() else rest), width))
        painter.setBrush(QColor(colours.accent_soft if chosen else colours.button))
        frame = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.drawRoundedRect(frame, 5, 5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        picture = QRectF(0, 0, theme().scale * _PICTURE[0], theme().scale * _PICTURE[1])
        picture.moveCenter(QPointF(frame.center().x(), 1.2 * _PADDING + picture.height() / 2))
        _draw(painter, self._given, picture, colours.accent if self.isChecked() else colours.muted)
        painter.setFont(self._font(bold=self.isChecked()))
        painter.setPen(QColor(colours.accent if self.isChecked() else colours.text))
        below = QRectF(0, picture.bottom(), self.width(), self.height() - picture.bottom() - 2)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()

    def _font(self, bold: bool) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(theme().points(_LABEL_POINTS))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    @Slot()
    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()


class TileRow(QWidget):
    """Equal tiles that fill the width.

    Parameters
    ----------
    tiles : mapping of str to LossThumbnail
        The first matter most.
    more : QAbstractButton
        Opens what has no room.
    """

    arranged = Signal()  #: the visible tiles have changed

    def __init__(self, tiles: Mapping[str, LossThumbnail], more: QAbstractButton) -> None:
        super().__init__()
        self._tiles, self._more = tiles, more
        self._chosen, self._alone = "", False
        self.seen: tuple[str, ...] = ()  #: the tiles that fit
        for tile in (*tiles.values(), more):
            tile.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_chosen(self, name: str, alone: bool = False) -> None:
        """Show this tile among the others, or alone."""
        self._chosen, self._alone = name, alone
        self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(4 * self._least + 3 * _GAP, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(2 * self._least + _GAP, self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @property
    def _least(self) -> int:
        return max(button.minimumSizeHint().width() for button in (*self._tiles.values(), self._more))

    @property
    def _height(self) -> int:
        return max(tile.sizeHint().height() for tile in self._tiles.values())

    def _arrange(self) -> None:
        fit = max(2, (self.width() + _GAP) // (self._least + _GAP)) - 1
        names = list(self._tiles)[:fit]
        if self._chosen in self._tiles and self._chosen not in names:
            names[-1] = self._chosen
        if self._alone:
            names = [name for name in names if name == self._chosen]
        shown = [*(self._tiles[name] for name in names), *(() if self._alone else (self._more,))]
        width = (self.width() - _GAP * fit) / (fit + 1)
        for place, button in enumerate(shown):
            left = round(place * (width + _GAP))
            button.setGeometry(left, 0, round((place + 1) * (width + _GAP)) - _GAP - left, self._height)
        for button in (*self._tiles.values(), self._more):
            button.setVisible(button in shown)
        if tuple(names) != self.seen:
            self.seen = tuple(names)
            self.arranged.emit()
