"""One release and all its readers as a picture, with a remap strip for each; and levels, each drawn from the one above."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QSizePolicy

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.panel_views import LEFT, PaintedPanel, Place
from dpdesigner.desktop.plots.bar_painter import draw_row
from dpdesigner.desktop.plots.plot_layer import FADED, colour, draw_arrow, draw_cells, font, line, px
from dpdesigner.studies.panels import LevelRow, LevelStrips, ReaderRow, RemapStrips

_CELL, _GAP, _AXIS = 20.0, 10.0, PaintedPanel.ticks  # pixels at text scale 1: strips, gaps, ticks
_SIDES, _UP = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}, {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class RemapStripsPanel(PaintedPanel):
    """Paints the strips; a click or drag selects the output, the bars at the top the true count, a name the reader."""

    top: ClassVar[float] = 46.0  #: above the first cells
    least: ClassVar[float] = 44.0  #: of the bars in a row

    def __init__(self) -> None:
        super().__init__()
        self.panel: Any = None
        self._target = ""
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self._fit)

    def show_panel(self, panel: Any, place: Place) -> None:
        self.panel = panel
        self._fit()
        self.setAccessibleName(translated(panel.title))
        self.setAccessibleDescription(self._described())
        self.update()

    def _described(self) -> str:
        panel: RemapStrips = self.panel
        row = panel.rows[panel.selected]
        words = self.tr("{name}: released {output}, read as {reading}; {value}, {remark}.")
        output, reading = panel.outputs[panel.released], ", ".join(filter(None, (row.text, translated(row.why))))
        return words.format(name=row.name, output=output, reading=reading, value=row.value, remark=translated(row.remark))

    def _fit(self) -> None:
        self.setMinimumHeight(self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        rows = 1 if self.panel is None else len(self.panel.rows)
        return QSize(round(px(320)), round(px(self.top + _CELL + _AXIS) + rows * px(2 * _GAP + _CELL + self.least)))

    sizeHint = minimumSizeHint

    def heights(self) -> list[float]:
        """Return the top of each row, and the bottom of the last."""
        top = px(self.top + _CELL) + px(_GAP)
        count = 1 if self.panel is None else len(self.panel.rows)
        each = (self.height() - px(_AXIS) - top) / count
        return [top + place * each for place in range(count + 1)]

    def paint(self, painter: QPainter) -> None:
        panel: RemapStrips = self.panel
        heights = self.heights()
        x = self.x_of(panel.released, len(panel.outputs))
        painter.setPen(line("selected", 1.0, opacity=0.7))
        painter.drawLine(QPointF(x, px(self.top + _CELL)), QPointF(x, heights[-2] + px(_GAP)))
        self._draw_release(painter, panel)
        for place, row in enumerate(panel.rows):
            self._rule(painter, heights[place], heights[place + 1], place == panel.selected and len(panel.rows) > 1)
            self._draw_reader(painter, panel, row, heights[place], heights[place + 1])
        self.draw_axis(painter, len(panel.rows[0].prior))

    def _rule(self, painter: QPainter, top: float, foot: float, chosen: bool) -> None:
        """Draw a line above a row, and a mark beside it if it is selected."""
        painter.setPen(line("hairline"))
        painter.drawLine(QPointF(0, top), QPointF(self.width(), top))
        if chosen:
            painter.fillRect(QRectF(0, top + px(3), px(3), foot - top - px(6)), colour("accent"))

    def _draw_release(self, painter: QPainter, panel: RemapStrips) -> None:
        size, top, foot, at = len(panel.outputs), px(7), px(self.top), self.x_of(panel.count, len(panel.rows[0].prior))
        self.write(painter, px(0), self.tr("One draw") if panel.noise else self.tr("The table"), bold=True)
        self.write(painter, px(17), self.tr("true count {count}").format(count=panel.count), "muted")
        self.write(painter, px(31), self.tr("drag a number"), "muted")
        text = self.tr("drawn before: {output}") if panel.old else self.tr("if {output} is released")
        text = self.tr("released: {output}") if panel.drawn else text
        text = text.format(output=panel.outputs[panel.released])
        self.write(painter, px(self.top + 2), text, "muted" if panel.old else "selected", bold=not panel.old)
        draw_row(painter, self.lane(top, foot), panel.draw, "accent", panel.released)
        tall = float(panel.draw[self.place_at(at, size)]) / max(float(panel.draw.max()), 1e-300)
        painter.setPen(line("card", px(1.5)))
        painter.setBrush(colour("accent"))
        painter.drawEllipse(QPointF(at, foot - tall * (foot - top)), px(5), px(5))
        cells, opacity = [(k, k, name) for k, name in enumerate(panel.outputs)], FADED if panel.old else 1.0
        lane = self.lane(foot, foot + px(_CELL))
        draw_cells(painter, lane, cells, size, panel.released, plain="selected", opacity=opacity)

    def _draw_reader(self, painter: QPainter, panel: RemapStrips, row: ReaderRow, top: float, foot: float) -> None:
        start, chosen, ink = top + px(_GAP) / 2, row is panel.rows[panel.selected], "proved" if row.proved else "accent"
        self.write(painter, start, row.name, bold=True, indent=8)
        alike = len(panel.rows) > 1 and all(other.remark == row.remark for other in panel.rows)  # the header says it of all
        texts = *[(row.loss, "muted")] * chosen, (row.value, ink), ("" if alike else row.remark, ink)
        for number, (text, shade) in enumerate(texts):
            self.write(painter, start + px(17 + 15 * number), translated(text), shade, indent=8)
        strip = px(_CELL) * chosen
        if chosen:
            draw_cells(painter, self.lane(start, start + strip), row.cells, len(panel.outputs), panel.released)
        once, often = self.tr("reads {output} as {reading}"), self.tr("reads {output} most often as {reading}")
        reads = (once if row.chances is None else often).format(output=panel.outputs[panel.released], reading=row.text)
        lane, why = self.lane(start + strip + px(4), foot - px(2)), translated(row.why) * (chosen or row.belief is None)
        above = lane.top()
        lane.setTop(self._say_reading(painter, panel, row, (reads, why), lane))
        self._draw_beliefs(painter, row, lane)
        if row.reading is not None and row.belief is not None:
            tall = lane.bottom() - lane.height() * float(row.belief[row.reading]) / row.most
            x, end = self.x_of(panel.released, len(panel.outputs)), self.x_of(row.reading, len(row.prior))
            first, last = QPointF(x, start + strip), QPointF(end, max(tall - px(2), lane.top() + px(2)))
            if lane.top() > above:  # below the words
                first += (last - first) * (lane.top() - first.y()) / (last.y() - first.y())
            if last.y() - first.y() > px(6):
                draw_arrow(painter, first, last)

    def _draw_beliefs(self, painter: QPainter, row: ReaderRow, lane: QRectF) -> None:
        """Draw the prior in grey, the posterior in blue, and the reader's estimate in orange."""
        draw_row(painter, lane, row.prior, "hairline", wide=True, most=row.most)
        if row.belief is not None:
            draw_row(painter, lane, row.belief, "accent", -1 if row.reading is None else row.reading, most=row.most)
        if row.chances is not None and row.reading is not None:
            draw_row(painter, lane, row.chances, "selected", thin=True)
        painter.setPen(line("hairline"))
        painter.drawLine(lane.bottomLeft(), lane.bottomRight())

    def _say_reading(self, painter: QPainter, panel: RemapStrips, row: ReaderRow, texts: tuple[str, str], lane: QRectF) -> float:
        """Write how the output is read, and why, where no bar is, away from the arrow; return the top of the bars."""
        x, fonts = self.x_of(panel.released, len(panel.outputs)), (font(8, bold=True), font(8))
        faces = [(face, text, QFontMetricsF(face)) for face, text in zip(fonts, texts, strict=True) if text]
        wide = px(6) + max(metrics.horizontalAdvance(text) for _, text, metrics in faces)
        high = sum(metrics.height() for *_, metrics in faces)
        left, right = lane.left() + px(2), lane.right() - wide
        sides = (left, right) if x > left + wide + px(6) else (right, left)
        bars = row.prior if row.belief is None else np.maximum(row.prior, row.belief)
        bars = np.maximum(bars / row.most, 0.0 if row.chances is None else row.chances / row.chances.max())
        size, room = len(bars), 1 - high / max(lane.height(), 1.0)
        ends = x, x if row.reading is None else self.x_of(row.reading, size)

        def free(side: float) -> bool:
            under = bars[self.place_at(side, size) : self.place_at(side + wide, size) + 1]
            return bool(under.max() < room) and (max(ends) < side or min(ends) > side + wide)

        side = next(filter(free, sides), None)
        top, at = lane.top(), sides[0] if side is None else side
        if side is None:  # over the line of the released value
            painter.fillRect(QRectF(at, top, wide, high), colour("card"))
        painter.setPen(colour("selected"))
        for number, (face, text, metrics) in enumerate(faces):
            painter.setFont(face)
            painter.drawText(QRectF(at, top + number * metrics.height(), wide, metrics.height()), LEFT, text)
        return top if side is not None else min(top + high + px(2), lane.bottom() - px(16))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.panel is None or event.button() != Qt.MouseButton.LeftButton:
            return
        at, heights = event.position(), self.heights()
        self._choose(next((place for place in range(len(heights) - 1) if heights[place] <= at.y() < heights[place + 1]), -1))
        if at.x() >= self.area().left():
            self._target = self._target_at(at.y())
            self._follow(at.x(), self.moving)

    def _choose(self, row: int) -> None:
        if row >= 0 and row != self.panel.selected:
            self.moved.emit("view.reader", row)

    def _target_at(self, y: float) -> str:
        return "view.count" if y < px(self.top) else "view.released"

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
            place = self.place_at(x, size)
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
        elif key in _SIDES:
            self._step(_SIDES[key], bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif key in _UP:
            self._choose(min(max(self._selected() + _UP[key], -1), len(panel.rows) - 1))
        elif key == Qt.Key.Key_D and not event.modifiers():
            self.pressed.emit("draw")
        else:
            super().keyPressEvent(event)

    def _selected(self) -> int:
        return int(self.panel.selected)

    def _step(self, by: int, count: bool) -> None:
        panel: RemapStrips = self.panel
        size, now = (len(panel.rows[0].prior), panel.count) if count else (len(panel.outputs), panel.released)
        self.moved.emit("view.count" if count else "view.released", min(max(now + by, 0), size - 1))


class LevelStripsPanel(RemapStripsPanel):
    """Paints the levels below the true count; a click or drag in a row changes its number."""

    top, least = 14.0, 26.0

    def __init__(self) -> None:
        super().__init__()
        self._row = -1  # the row that the keys change; -1: the true count

    def _described(self) -> str:
        panel: LevelStrips = self.panel
        words, got = self.tr("{name} (ε = {epsilon}): {number}"), [row for row in panel.rows if row.got >= 0 and not panel.old]
        texts = [words.format(name=row.name, epsilon=row.epsilon, number=row.got) for row in got]
        return f"{'; '.join(texts) or self.tr('Nothing is drawn yet')}."

    def paint(self, painter: QPainter) -> None:
        panel: LevelStrips = self.panel
        heights = self.heights()
        size, cells = panel.n + 1, [(k, k, str(k)) for k in range(panel.n + 1)]
        lane = self.lane(px(self.top), px(self.top + _CELL))
        self.write(painter, px(2), self.tr("True count {count}").format(count=panel.count), bold=True, indent=8)
        self.write(painter, px(19), self.tr("drag a number"), "muted", indent=8)
        draw_cells(painter, lane, cells, size, panel.count, plain="text")
        most = max(float(each.max()) for row in panel.rows for each in (row.chances, row.given) if each is not None)
        above = QPointF(self.x_of(panel.count, size), lane.bottom())
        for place, row in enumerate(panel.rows):
            self._rule(painter, heights[place], heights[place + 1], self.hasFocus() and place == self._row)
            lane = self.lane(heights[place] + px(_GAP), heights[place + 1] - px(_CELL + 6))
            self._draw_level(painter, row, lane, most)
            below = self.lane(lane.bottom(), lane.bottom() + px(_CELL))
            draw_cells(painter, below, cells, size, row.got, plain="selected", opacity=FADED if panel.old else 1.0)
            if row.given is not None:
                tall = lane.bottom() - lane.height() * float(row.given[row.got]) / most
                draw_arrow(painter, above, QPointF(self.x_of(row.got, size), max(tall - px(2), lane.top() + px(2))))
                above = QPointF(self.x_of(row.got, size), below.bottom())
        if size * px(14) > lane.width():  # the cells have no room for all numbers
            self.draw_axis(painter, size)

    def _draw_level(self, painter: QPainter, row: LevelRow, lane: QRectF, most: float) -> None:
        self.write(painter, lane.top() - px(4), translated(row.name), bold=True, indent=8)
        self.write(painter, lane.top() + px(13), "" if row.name.startswith(e := f"ε = {row.epsilon}") else e, "muted", indent=8)
        if row.got >= 0:
            text = self.tr("drawn before: {output}") if self.panel.old else self.tr("got {output}")
            ink = "muted" if self.panel.old else "selected"
            self.write(painter, lane.top() + px(28), text.format(output=row.got), ink, bold=not self.panel.old, indent=8)
        if row.given is None:
            draw_row(painter, lane, row.chances, "accent", most=most)
        else:
            draw_row(painter, lane, row.chances, "hairline", wide=True, most=most)
            draw_row(painter, lane, row.given, "accent", row.got, most=most)

    def _choose(self, row: int) -> None:
        self._row = row
        self.update()

    def _selected(self) -> int:
        return self._row

    def _target_at(self, y: float) -> str:
        return "view"

    def _follow(self, x: float, signal: Any) -> None:
        place, now = self.place_at(x, self.panel.n + 1), self.panel.count if self._row < 0 else self.panel.rows[self._row].got
        if signal is not self.moving or place != now:
            signal.emit("view", {"count": place} if self._row < 0 else self.panel.move(self._row, place))

    def _step(self, by: int, count: bool) -> None:
        panel: LevelStrips = self.panel
        row = -1 if count else min(self._row, len(panel.rows) - 1)
        now = panel.count if row < 0 or panel.rows[row].got < 0 else panel.rows[row].got
        place = min(max(now + by, 0), panel.n)
        self.moved.emit("view", {"count": place} if row < 0 else panel.move(row, place))
