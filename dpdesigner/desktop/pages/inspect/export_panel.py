"""The trade-off curve with the crowd above it, and delta against epsilon next to it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.core.basics.rounding import figure
from dpdesigner.desktop.pages.kit.panel_views import PanelView, Place, PlotPanel
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.base.layouts import row_of
from dpdesigner.desktop.widgets.plot.plot_layer import FADED, px
from dpdesigner.studies.panels import Plot

_EACH, _ROWS = 100, 2  # people per group, and the rows that they fill


class Crowd(QWidget):
    """100 people in the data and 100 who are not: filled figures show how many are found out or named wrongly."""

    def __init__(self) -> None:
        super().__init__()
        self.shares = (0.0, 0.0)  #: the share found out of those in the data, and the share named wrongly of those not in it
        self._stale = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def show_shares(self, found: float, false: float) -> None:
        """Show how many are found out and how many are named wrongly, as shares."""
        self.shares = found, false
        words = self.tr("Of 100 people in the data, {found} are found out; of 100 not in the data, {false} are named wrongly")
        self.setAccessibleName(words.format(found=figure(100 * found, 3), false=f"{100 * false:.3g}"))
        self.update()

    def set_stale(self, on: bool) -> None:
        """Fade the picture."""
        self._stale = on
        self.update()

    def lines(self) -> tuple[tuple[str, str, float, str], ...]:
        """Return the name, the number in words, the share and the colour of each group."""
        colours, (found, false) = theme().colours, self.shares
        out = self.tr("{count} found out").format(count=figure(100 * found, 3))
        wrong = self.tr("{count} named wrongly").format(count=f"{100 * false:.3g}")
        return (
            (self.tr("100 in the data"), out, found, colours.selected),
            (self.tr("100 not in the data"), wrong, false, colours.quiet),
        )

    def sizeHint(self) -> QSize:
        """Return a size with room for two groups of two rows."""
        return QSize(round(px(320)), round(px(78)))

    def minimumSizeHint(self) -> QSize:
        """Return a size with the full height."""
        return QSize(round(px(200)), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint both groups, with their texts on the left."""
        painter, colours = QPainter(self), theme().colours
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(FADED if self._stale else 1.0)
        high, words = self.height() / 2, self.fontMetrics().horizontalAdvance(self.tr("100 not in the data")) + px(14)
        for place, (name, number, share, ink) in enumerate(self.lines()):
            top, half = place * high, (high - px(6)) / _ROWS
            painter.setPen(QColor(colours.text))
            painter.drawText(QRectF(0, top, words, half), Qt.AlignmentFlag.AlignVCenter, name)
            painter.setPen(QColor(ink))
            painter.drawText(QRectF(0, top + half, words, half), Qt.AlignmentFlag.AlignVCenter, number)
            self._draw_group(painter, QRectF(words, top, self.width() - words, half * _ROWS), share, QColor(ink))

    @staticmethod
    def _draw_group(painter: QPainter, area: QRectF, share: float, ink: QColor) -> None:
        across = _EACH // _ROWS
        wide, high = area.width() / across, area.height() / _ROWS
        painter.setPen(Qt.PenStyle.NoPen)
        faint = QColor(theme().colours.hairline)
        for number in range(_EACH):
            box = QRectF(area.left() + number % across * wide, area.top() + number // across * high, wide, high)
            person, filled = _person(box), min(max(_EACH * share - number, 0.0), 1.0)
            painter.fillPath(person, faint)
            if filled:
                painter.save()
                painter.setClipRect(QRectF(box.left(), box.top(), box.width() * filled, box.height()))
                painter.fillPath(person, ink)
                painter.restore()


def _person(box: QRectF) -> QPainterPath:
    """Draw a person, a head above shoulders, in a box."""
    size = min(box.width() * 1.5, box.height()) * 0.92
    middle, top = box.center().x(), box.center().y() - size / 2
    wide, path = min(size * 0.6, box.width() * 0.84), QPainterPath()
    path.addEllipse(QRectF(middle - size * 0.17, top, size * 0.34, size * 0.34))
    path.addRoundedRect(QRectF(middle - wide / 2, top + size * 0.42, wide, size * 0.5), size * 0.16, size * 0.16)
    return path


class AwayPanel(PanelView):
    """The crowd, and below it the trade-off curve next to delta against epsilon."""

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd()
        self.curve, self.delta = PlotPanel(), PlotPanel()
        row = row_of((self.curve, 3), (self.delta, 2), gap=10)
        self.column.addWidget(self.crowd)
        self.column.addLayout(row, 1)
        self._plot: Plot | None = None
        for plot in (self.curve, self.delta):
            plot.heading.setMinimumWidth(1)  # a long heading is cut, and takes no room from the other columns
            plot.moving.connect(self.moving)
            plot.moved.connect(self.moved)
            plot.cancelled.connect(self.cancelled)

    def show_panel(self, panel: Plot, place: Place) -> None:
        """Show the trade-off curve, and the crowd at the dragged point."""
        self._plot = panel
        self.curve.show_panel(panel, place)
        self._show_crowd(place)

    def show_delta(self, panel: Plot | None, place: Place) -> None:
        """Show delta against epsilon."""
        self.delta.setVisible(panel is not None)
        if panel is not None:
            self.delta.show_panel(panel, place)

    def put_handles(self, place: Place) -> None:
        """Move both lines and fill the crowd together."""
        self.curve.put_handles(place)
        self.delta.put_handles(place)
        self._show_crowd(place)

    def set_stale(self, on: bool) -> None:
        """Fade the whole panel."""
        self.curve.set_stale(on)
        self.delta.set_stale(on)
        self.crowd.set_stale(on)

    def _show_crowd(self, place: Place) -> None:
        if (plot := self._plot) is not None and plot.handles:
            at = place(plot.handles[0].target)
            false: Any = plot.handles[0].place if at is None else at
            line = plot.lines[0]
            reached = line.y[line.x <= false].max(initial=0.0)  # on a vertical part of the curve the top counts
            self.crowd.show_shares(max(float(reached), line.at(false)), float(false))
