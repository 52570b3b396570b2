"""One release and all its readers, as a picture: the draw at the top, and a remap strip for each reader below it."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.panel_views import PanelView, Place
from dpdesigner.desktop.plots.axis_layer import count_ticks
from dpdesigner.desktop.plots.line_shapes import highest
from dpdesigner.desktop.plots.plot_layer import FADED, colour, font, line, px
from dpdesigner.studies.inspect.audience_panels import Cells, ReaderRow, RemapStrips

_WORDS = 150.0  # pixels at text scale 1, like all below: the words on the left
_CELL, _GAP, _DRAW, _LEAST, _AXIS = 20.0, 10.0, 46.0, 44.0, 18.0  # strips, gaps, the bars of the draw and of a reader, ticks
_SIDES, _UP = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}, {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_CENTRE = Qt.AlignmentFlag.AlignCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class RemapStripsPanel(PanelView):
    """Paints the strips; a click or drag selects the output, the bars at the top the true count, a name the reader."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: RemapStrips | None = None
        self._stale, self._target, self._framed = False, "", False  # a frame shows focus that came by a key
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self._fit)

    def show_panel(self, panel: RemapStrips, place: Place) -> None:
        before, self.panel = self.panel, panel
        if before is None or len(before.rows) != len(panel.rows):
            self._fit()
        self.setAccessibleName(translated(panel.title))
        row = panel.rows[panel.selected]
        words = self.tr("{name}: released {output}, read as {reading}; {value}, {remark}.")
        output, reading = panel.outputs[panel.released], ", ".join(filter(None, (row.text, translated(row.why))))
        texts = {"name": row.name, "output": output, "reading": reading, "value": row.value, "remark": translated(row.remark)}
        self.setAccessibleDescription(words.format(**texts))
        self.update()

    def set_stale(self, on: bool) -> None:
        self._stale = on
        self.update()

    def _fit(self) -> None:
        self.setMinimumHeight(self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        rows = 1 if self.panel is None else len(self.panel.rows)
        return QSize(round(px(320)), round(px(_DRAW + _CELL + _AXIS) + rows * px(2 * _GAP + _CELL + _LEAST)))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    # Places --------------------------------------------------------------------------------------------------------------

    def area(self) -> QRectF:
        return QRectF(px(_WORDS), 0, max(self.width() - px(_WORDS + 4), 1), self.height())

    def _edges(self, first: float, last: float, size: int) -> tuple[float, float]:
        """Return the pixels from the left of one column, of this many, to the right of another."""
        area = self.area()
        return area.left() + first / size * area.width(), area.left() + (last + 1) / size * area.width()

    def _x(self, column: int, size: int) -> float:
        return sum(self._edges(column, column, size)) / 2

    def heights(self) -> list[float]:
        """Return the top of each reader's part, and the bottom of the last."""
        top = px(_DRAW + _CELL) + px(_GAP)
        count = 1 if self.panel is None else len(self.panel.rows)
        each = (self.height() - px(_AXIS) - top) / count
        return [top + place * each for place in range(count + 1)]

    # Painting ------------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.panel is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(FADED if self._stale else 1.0)
        panel, heights = self.panel, self.heights()
        x = self._x(panel.released, len(panel.outputs))
        painter.setPen(line("selected", 1.0, opacity=0.7))
        painter.drawLine(QPointF(x, px(_DRAW + _CELL)), QPointF(x, heights[-2] + px(_GAP)))
        self._draw_release(painter, panel)
        for place, row in enumerate(panel.rows):
            self._draw_reader(painter, panel, row, heights[place], heights[place + 1], place == panel.selected)
        self._draw_axis(painter, panel)
        if self.hasFocus() and self._framed:
            painter.setPen(line("accent", 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(3), px(3))

    def _draw_release(self, painter: QPainter, panel: RemapStrips) -> None:
        size, top, foot, at = len(panel.outputs), px(7), px(_DRAW), self._x(panel.count, len(panel.rows[0].prior))
        self._words(painter, px(0), self.tr("One draw") if panel.noise else self.tr("The table"), bold=True)
        self._words(painter, px(17), self.tr("true count {count}").format(count=panel.count), "muted")
        self._words(painter, px(31), self.tr("drag a number"), "muted")
        text = self.tr("drawn before: {output}") if panel.old else self.tr("released: {output}")
        text = text.format(output=panel.outputs[panel.released])
        self._words(painter, px(_DRAW) + px(2), text, "muted" if panel.old else "selected", bold=not panel.old)
        self._bars(painter, panel.draw, top, foot, "accent", panel.released)
        tall = float(panel.draw[self._place_at(at, size)]) / max(float(panel.draw.max()), 1e-300)
        painter.setPen(line("card", px(1.5)))
        painter.setBrush(colour("accent"))
        painter.drawEllipse(QPointF(at, foot - tall * (foot - top)), px(5), px(5))
        self._cells(painter, tuple((k, k, name) for k, name in enumerate(panel.outputs)), size, foot, panel.released, plain=True)

    def _draw_reader(self, painter: QPainter, panel: RemapStrips, row: ReaderRow, top: float, foot: float, chosen: bool) -> None:
        painter.setPen(line("hairline"))
        painter.drawLine(QPointF(0, top), QPointF(self.width(), top))
        if chosen and len(panel.rows) > 1:
            painter.fillRect(QRectF(0, top + px(3), px(3), foot - top - px(6)), colour("accent"))
        start = top + px(_GAP) / 2
        self._words(painter, start, row.name, bold=True, indent=8)
        ink = "proved" if row.proved else "accent"
        for number, (text, shade) in enumerate(((row.loss, "muted"), (row.value, ink), (translated(row.remark), ink))):
            self._words(painter, start + px(17 + 15 * number), translated(text), shade, indent=8)
        self._cells(painter, row.cells, len(panel.outputs), start, panel.released)
        reads = self.tr("reads {output} as {reading}").format(output=panel.outputs[panel.released], reading=row.text)
        self._draw_beliefs(painter, panel, row, start + px(_CELL + 4), foot - px(2))
        self._say_reading(painter, panel, (reads, translated(row.why)), start + px(_CELL))

    def _draw_beliefs(self, painter: QPainter, panel: RemapStrips, row: ReaderRow, top: float, foot: float) -> None:
        """Draw the prior in grey, the posterior in blue, the reader's estimate in orange, and an arrow to it."""
        highest_share = max(float(row.prior.max()), 0.0 if row.belief is None else float(row.belief.max()))
        scale = 1 / highest_share if highest_share else 1.0
        self._bars(painter, row.prior * scale, top, foot, "hairline", -1, wide=True, ceiling=1.0)
        if row.belief is not None:
            reading = -1 if row.reading is None else row.reading
            self._bars(painter, row.belief * scale, top, foot, "accent", reading, ceiling=1.0)
        if row.chances is not None and row.reading is not None:
            self._bars(painter, row.chances / max(float(row.chances.max()), 1e-300), top, foot, "selected", -1, thin=True)
        painter.setPen(line("hairline"))
        painter.drawLine(QPointF(self.area().left(), foot), QPointF(self.area().right(), foot))
        if row.reading is None or row.belief is None:
            return
        size = len(row.prior)
        start = QPointF(self._x(panel.released, len(panel.outputs)), top - px(4))
        tall = foot - (foot - top) * min(float(row.belief[row.reading]) * scale, 1.0)
        end = QPointF(self._x(row.reading, size), max(tall - px(2), top + px(2)))
        _arrow(painter, start, end)

    def _say_reading(self, painter: QPainter, panel: RemapStrips, texts: tuple[str, str], top: float) -> None:
        """Write how the output is read, and why, on the side away from the arrow."""
        area, x = self.area(), self._x(panel.released, len(panel.outputs))
        fonts = font(8, bold=True), font(8)
        wide = px(6) + max(QFontMetricsF(face).horizontalAdvance(text) for face, text in zip(fonts, texts, strict=True))
        left = area.left() + px(2) if x > area.left() + wide + px(8) else area.right() - wide
        painter.setPen(colour("selected"))
        for row, (face, text) in enumerate(zip(fonts, texts, strict=True)):
            painter.setFont(face)
            high = painter.fontMetrics().height()
            box = QRectF(left, top + px(2) + row * high, wide, high)
            if text:
                painter.fillRect(box, colour("card", 0.8))
                painter.drawText(box, _LEFT, text)

    def _cells(self, painter: QPainter, cells: Cells, size: int, top: float, released: int, plain: bool = False) -> None:
        """Draw outputs with the same remap as one wide cell, in orange for the current output."""
        painter.setFont(font(7.5))
        metrics, high = QFontMetricsF(painter.font()), px(_CELL)
        if size > self.area().width() / 3:  # too narrow to distinguish
            left, right = self._edges(0, size - 1, size)
            painter.fillRect(QRectF(left, top, right - left, high), colour("accent_soft"))
            cells = tuple(cell for cell in cells if cell[0] <= released <= cell[1])
        for first, last, text in sorted(cells, key=lambda cell: cell[0] <= released <= cell[1]):
            left, right = self._edges(first, last, size)
            box, chosen = QRectF(left + 0.5, top + 0.5, max(right - left - 1, 1), high - 1), first <= released <= last
            if chosen:  # its text is always seen, in front of the others
                more = max(metrics.horizontalAdvance(text) + 2 - box.width(), 0.0)
                box.adjust(-more / 2, 0, more / 2, 0)
            painter.setPen(line("selected", 1.5) if chosen else line("hairline"))
            if chosen:
                painter.setBrush(colour("selected", 0.14 if not plain else FADED if self.panel and self.panel.old else 1.0))
            else:
                painter.setBrush(colour("card") if plain else colour("accent", 0.3 if last > first else 0.12))
            painter.drawRoundedRect(box, px(2), px(2))
            if metrics.horizontalAdvance(text) <= box.width():
                painter.setPen(colour("card") if chosen and plain else colour("selected") if chosen else colour("text"))
                painter.drawText(box, _CENTRE, text)

    def _bars(
        self, painter: QPainter, values: Floats, top: float, foot: float, ink: str, chosen: int,
        *, wide: bool = False, thin: bool = False, ceiling: float = 0.0,
    ) -> None:  # fmt: skip
        """Draw bars over the columns; if there are more columns than pixels, each pixel shows the highest."""
        area, high, most = self.area(), foot - top, ceiling or max(float(values.max()), 1e-300)
        painter.setPen(Qt.PenStyle.NoPen)
        if len(values) > area.width():
            tops = highest(values, max(int(area.width()), 1)) / most * high
            painter.setBrush(colour(ink))
            painter.drawRects([QRectF(area.left() + pixel, foot - tall, 1, tall) for pixel, tall in enumerate(tops.tolist())])
            return
        pitch = area.width() / len(values)
        gap = 0.0 if wide else min(pitch * (0.35 if thin else 0.12), px(7))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not wide)
        for place in np.flatnonzero(values > 0).tolist():
            tall = min(max(float(values[place]) / most, 0.0), 1.0) * high
            box = QRectF(area.left() + place * pitch + gap, foot - tall, pitch - 2 * gap, tall)
            painter.setBrush(colour("selected" if place == chosen else ink))
            painter.drawRect(box)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _draw_axis(self, painter: QPainter, panel: RemapStrips) -> None:
        painter.setFont(font(7.5))
        painter.setPen(colour("muted"))
        size, top = len(panel.rows[0].prior), self.height() - px(_AXIS) + px(1)
        self._words(painter, top, self.tr("count"), "muted")
        for tick in count_ticks(0, size - 1, max(int(self.area().width() / px(60)), 2)):
            x = self._x(int(tick.at), size)
            box = QRectF(x - px(30), top, px(60), px(_AXIS))
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, tick.text)

    def _words(self, painter: QPainter, top: float, text: str, ink: str = "text", *, bold: bool = False, indent: int = 0) -> None:
        painter.setFont(font(8.5, bold=bold))
        metrics, room = QFontMetricsF(painter.font()), px(_WORDS - 8 - indent)
        painter.setPen(colour(ink))
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(px(indent), top, room, metrics.height()), _LEFT, shown)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._framed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)

    # Mouse and keys ------------------------------------------------------------------------------------------------------

    def _place_at(self, x: float, size: int) -> int:
        area = self.area()
        return min(max(int((x - area.left()) / area.width() * size), 0), size - 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.panel is None or event.button() != Qt.MouseButton.LeftButton:
            return
        at, heights = event.position(), self.heights()
        row = next((place for place in range(len(heights) - 1) if heights[place] <= at.y() < heights[place + 1]), -1)
        if row >= 0 and row != self.panel.selected:
            self.moved.emit("view.reader", row)
        if at.x() < self.area().left():
            return
        self._target = "view.count" if at.y() < px(_DRAW) else "view.released"
        self._follow(at.x(), self.moving)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._target:
            self._follow(event.position().x(), self.moving)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._target and event.button() == Qt.MouseButton.LeftButton:
            self._follow(event.position().x(), self.moved)
            self._target = ""

    def _follow(self, x: float, signal: Any) -> None:
        if self.panel is not None:
            count = self._target == "view.count"
            size = len(self.panel.rows[0].prior) if count else len(self.panel.outputs)
            place = self._place_at(x, size)
            if signal is not self.moving or place != (self.panel.count if count else self.panel.released):
                signal.emit(self._target, place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the output on Left and Right (true count with Shift), a reader on Up and Down; D draws; Esc abandons a drag."""
        key, panel = Qt.Key(event.key()), self.panel
        if panel is None:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Escape and self._target:
            target, self._target = self._target, ""
            self.cancelled.emit(target)
        elif key in _SIDES and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.moved.emit("view.count", min(max(panel.count + _SIDES[key], 0), len(panel.rows[0].prior) - 1))
        elif key in _SIDES:
            self.moved.emit("view.released", min(max(panel.released + _SIDES[key], 0), len(panel.outputs) - 1))
        elif key in _UP:
            self.moved.emit("view.reader", min(max(panel.selected + _UP[key], 0), len(panel.rows) - 1))
        elif key == Qt.Key.Key_D and not event.modifiers():
            self.pressed.emit("draw")
        else:
            super().keyPressEvent(event)


def _arrow(painter: QPainter, start: QPointF, end: QPointF) -> None:
    painter.setPen(line("selected", px(1.5)))
    painter.drawLine(start, end)
    way = np.array([end.x() - start.x(), end.y() - start.y()])
    length = float(np.hypot(*way)) or 1.0
    (a, b), size = way / length, px(5)
    painter.setBrush(colour("selected"))
    painter.setPen(Qt.PenStyle.NoPen)
    foot = QPointF(end.x() - a * size, end.y() - b * size)
    half = QPointF(-b * size * 0.55, a * size * 0.55)
    painter.drawPolygon(QPolygonF([end, foot + half, foot - half]))
