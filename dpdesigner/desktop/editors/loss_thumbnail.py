"""Losses as small pictures: a button of the gallery, a row of these, and a menu icon."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QIcon, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from dpdesigner.desktop.base.theme import outlined, theme
from dpdesigner.desktop.editors.loss_shape import Shape, shape

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
        """Return the size for three tiles and the last one."""
        return QSize(4 * self._least + 3 * _GAP, self._height)

    def minimumSizeHint(self) -> QSize:
        """Return the size for one tile and the last one."""
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
