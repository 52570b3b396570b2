"""The painter for the bars of a plot; no other module paints bars.

Their names stand below them on two lines, their texts at their ends, as large as there is room for; of more bars than pixels each
pixel shows the highest and the lowest. The bars of one distribution stand close together, and only the selected one has its text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from math import ceil, floor

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from dpdesigner.arrays import Floats, Integers
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.plots.line_shapes import bar_outline, highest
from dpdesigner.desktop.plots.people import person
from dpdesigner.desktop.plots.plot_layer import Frame, colour, colour_role, font, line, px
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Bars

#: Up to this many bars have room for their names and texts.
FEW = 16
#: Pixels at text scale 1 for names on two lines, and for texts above bars.
NAMES, TEXT = 30.0, 15.0
_LEAST, _STEP = 6.0, 0.5  # points: the smallest letters, however large other text is, and the step between sizes
_MOST_MARKS = 60  # up to this many marks of a rival are all drawn; of more, only the visible ones
_WAVE = 0.8  # the last of dropping bars begins this share of a fall after the first
_HIDDEN = 1.5  # pixels above 0 up to which a bar and its mark are the axis
_LONE = 2  # up to this many texts are written next to their bars


_TWO_LINES = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)


def rises(plot: Plot) -> bool:
    """Return whether texts stand above bars: where heights are free, or are shares of one."""
    return plot.y.limits in (None, (0.0, 1.0))


class BarPainter:
    """The bars of a plot in its frame.

    Parameters
    ----------
    plot : Plot
    frame : Frame
        One unit of its x axis is the pitch of the bars.
    selected : int
        The place whose bars are in another colour; -1: none.
    fallen : float
        How far the bars have dropped, from 0 to 1, the first before the last.
    """

    def __init__(self, plot: Plot, frame: Frame, selected: int = -1, fallen: float = 1.0) -> None:
        self.plot, self.frame, self.selected, self._fallen = plot, frame, selected, fallen
        self.pitch = abs(frame.x(1.0) - frame.x(0.0))
        self.zero = min(max(frame.y(0.0), frame.area.top()), frame.area.bottom())
        self.close = any(bars.close for bars in plot.bars)
        self.gap = min(0.11 * self.pitch, px(7))
        self._least = 1.0 if self.close else 0.8
        if self.close:
            self.gap = min(0.5 if self.pitch < 8 else 1.0, self.pitch / 8)
        front = [series for series, bars in enumerate(plot.bars) if not bars.behind]
        inset = 0.1 * self.pitch if 0 < len(front) < len(plot.bars) else 0.0
        self.width = max((self.pitch - 2 * (self.gap + inset)) / max(len(front), 1), 0.7)
        self._ends = frame.area.top() - px(TEXT), frame.area.bottom() + px(TEXT)
        left, whole = frame.x(-0.5) + self.gap, (0.0, self.pitch - 2 * self.gap)
        self._sides = [(inset + front.index(k) * self.width, self.width) if k in front else whole for k in range(len(plot.bars))]
        self._sides = [(left + away, width) for away, width in self._sides]  # of the bars at 0
        self._taken: list[QRectF] = []  # texts of bars
        self.rival_text = QRectF()  #: where the name of thin marks was written

    # Places ------------------------------------------------------------------------------------------------------------

    def column(self, place: int) -> QRectF:
        """Return the pixels of a position, from the top of the data area to its bottom."""
        area = self.frame.area
        return QRectF(self.frame.x(place - 0.5), area.top(), self.pitch, area.height())

    def bar(self, series: int, place: int, value: float) -> QRectF:
        """Return the pixels of a bar of one kind, from 0 to a value: at least a hairline high, unless the value is 0."""
        low, high = self._ends
        head, zero = min(max(self.frame.y(value), low), high), self.zero
        if value and abs(head - zero) < self._least:
            head = zero - self._least if value > 0 else zero + self._least
        left, width = self._sides[series]
        above = 0.0
        if self._fallen < 1:
            share = (1 + _WAVE) * self._fallen - _WAVE * place / self.plot.places
            above = (1 - min(max(share, 0.0), 1.0)) * (zero - low)
        return QRectF(left + place * self.pitch, min(head, zero) - above, width, abs(head - zero))

    def _rects(self, series: int, places: Integers, values: Floats) -> list[QRectF]:
        pairs = zip(places.tolist(), values.tolist(), strict=True)
        return [self.bar(series, place, value) for place, value in pairs]

    @property
    def seen(self) -> slice:
        first, stop = int(np.floor(self.frame.left + 0.5)), int(np.floor(self.frame.right + 0.5))
        return slice(max(first, 0), max(min(stop, self.plot.places), 0))

    # Bars --------------------------------------------------------------------------------------------------------------

    def draw(self, painter: QPainter, hovered: int, grips: bool) -> None:
        selected = self.selected
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if selected >= 0 and not self.close:
            painter.fillRect(self.column(selected).toRect(), colour("selected", 0.09))
        able = all(hovered not in drag.fixed for drag in self.plot.drags)
        if hovered >= 0 and hovered != selected and able and not self.close:
            painter.fillRect(self.column(hovered).toRect(), colour("text", 0.05))
        if self.close:  # the lowest bars are no higher than this line
            self._draw_zero(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, self.plot.places <= 200 and not self.close)
        for series, bars in sorted(enumerate(self.plot.bars), key=lambda each: not each[1].behind):
            if self.pitch < 1:
                self._draw_crowd(painter, bars)
            elif bars.figure:
                self._draw_people(painter, series, bars)
            else:
                self._draw_each(painter, series, bars)
            if bars.outline is not None:
                self._draw_outline(painter, bars.outline)
            if bars.dots is not None and (drawn := bars.drawn) is not None:
                self._draw_dots(painter, series, bars.dots, drawn, colour_role(bars))
        if not self.close:
            self._draw_zero(painter)
        for series, bars in enumerate(self.plot.bars):
            if bars.rival is not None:
                self._draw_marks(painter, series, bars.values, bars.rival)
            if grips and bars.drags and rises(self.plot) and bars.size <= FEW:
                self._draw_grips(painter, series, bars)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _draw_zero(self, painter: QPainter) -> None:
        y = self.zero + 0.5 * self.close
        painter.setPen(line("hairline"))
        painter.drawLine(QPointF(self.frame.area.left(), y), QPointF(self.frame.area.right(), y))

    def _draw_each(self, painter: QPainter, series: int, bars: Bars) -> None:
        seen = self.seen
        places = np.arange(seen.start, seen.stop)
        values = bars.values[seen]
        shown = values != 0 if bars.size > FEW else np.ones(len(values), dtype=bool)
        strong = np.ones(len(values), dtype=bool) if bars.strong is None or not bars.faint else bars.strong[seen]
        warm = places == self.selected
        role, soft = colour_role(bars), 0.3 if bars.behind else 0.35 if bars.dots is not None else 1.0
        painter.setPen(Qt.PenStyle.NoPen)
        if bars.part is not None:
            painter.setBrush(colour(role, 0.38 * soft))
            painter.drawRects(self._rects(series, places[shown], values[shown]))
            values = bars.part[seen]
        groups = (
            (strong & ~warm, colour(role, soft)),
            (~strong & ~warm, colour(role, 0.38 * soft)),
            (warm, colour("selected", soft)),
        )
        for chosen, shade in groups:
            if (chosen & shown).any():
                painter.setBrush(shade)
                painter.drawRects(self._rects(series, places[chosen & shown], values[chosen & shown]))

    def _draw_people(self, painter: QPainter, series: int, bars: Bars) -> None:
        """Stack a tile with a person for each part of a bar that is as high as one."""
        painter.setPen(Qt.PenStyle.NoPen)
        for place, value in enumerate(bars.values.tolist()):
            bar, people = self.bar(series, place, value), round(value / bars.figure)
            for number in range(people):
                high = bar.height() / people
                tile = QRectF(bar.left(), bar.bottom() - (number + 1) * high, bar.width(), high).adjusted(0, 1, 0, 0)
                painter.setBrush(colour(colour_role(bars), 0.9))
                painter.drawRoundedRect(tile, px(3), px(3))
                painter.setBrush(colour("on_accent"))
                painter.drawPath(person(tile.center(), min(0.8 * high, bar.width(), px(34))))

    def _draw_crowd(self, painter: QPainter, bars: Bars) -> None:
        """Draw the highest and the lowest bar of each pixel, and the selected one over them."""
        area, values = self.frame.area, bars.values[self.seen]
        pixels = max(int(area.width()), 1)
        top, foot = self.frame.y(np.maximum(highest(values, pixels), 0)), self.frame.y(np.minimum(-highest(-values, pixels), 0))
        painter.setPen(Qt.PenStyle.NoPen)
        soft = 0.35 if bars.dots is not None else 1.0
        painter.setBrush(colour(colour_role(bars), 0.38 * soft if bars.faint else soft))
        ends = zip(top.tolist(), foot.tolist(), strict=True)
        painter.drawRects([QRectF(area.left() + pixel, high, 1, low - high) for pixel, (high, low) in enumerate(ends)])
        if bars.faint and bars.strong is not None:
            for place in np.flatnonzero(bars.strong).tolist()[:_MOST_MARKS]:
                y = self.frame.y(float(bars.values[place]))
                box = QRectF(self.frame.x(place) - 0.5, min(y, self.zero), 1, abs(y - self.zero))
                painter.fillRect(box, colour(colour_role(bars), soft))
        if self.selected >= 0:
            x, y = self.frame.x(self.selected), self.frame.y(float(bars.values[self.selected]))
            painter.fillRect(QRectF(QPointF(x - 1, min(y, self.zero)), QPointF(x + 1, max(y, self.zero))), colour("selected"))

    def _draw_grips(self, painter: QPainter, series: int, bars: Bars) -> None:
        painter.setPen(line("quiet"))
        painter.setBrush(colour("card"))
        for place, value in enumerate(bars.values.tolist()):
            bar = self.bar(series, place, value)
            y = bar.bottom() if value < 0 else bar.top()
            painter.drawRoundedRect(QRectF(bar.center().x() - px(7), y - px(2), px(14), px(4)), px(2), px(2))

    def _draw_marks(self, painter: QPainter, series: int, values: Floats, rival: Floats) -> None:
        painter.setPen(line("text", px(1.6)))
        seen = np.abs(rival) > 0.01 * np.abs(rival).max()
        for place in range(len(rival)) if len(rival) <= _MOST_MARKS else np.flatnonzero(seen).tolist():
            bar, y = self.bar(series, place, float(values[place])), self.frame.y(float(rival[place]))
            if max(bar.height(), abs(y - self.zero)) < _HIDDEN:
                continue
            painter.drawLine(QPointF(bar.left() - px(3), y), QPointF(bar.right() + px(3), y))

    def _draw_outline(self, painter: QPainter, outline: Floats) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(line("muted", 1.2))
        painter.drawPolyline(bar_outline(outline[self.seen], self.frame.area, self.frame.y))

    def _draw_dots(self, painter: QPainter, series: int, dots: Integers, drawn: Integers, role: str) -> None:
        """Stack one dot for each draw, so that each stack ends as high as its share of the draws."""
        unit = abs(self.frame.y(0.0) - self.frame.y(1.0)) / int(drawn.sum())
        width = self._sides[series][1]
        across = max(1, min(round(np.sqrt(width / max(unit, 0.01))), int(drawn.max())))
        step_x, step_y = width / across, unit * across
        radius = max(0.5, 0.42 * min(step_x, step_y, px(9)))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in (self.seen.start + np.flatnonzero(dots[self.seen])).tolist():
            painter.setBrush(colour("selected" if place == self.selected else role))
            left = self.bar(series, place, 0.0).left()
            for dot in range(int(dots[place])):
                at = QPointF(left + (dot % across + 0.5) * step_x, self.zero - (dot // across + 0.5) * step_y)
                painter.drawEllipse(at, radius, radius)

    # Texts -------------------------------------------------------------------------------------------------------------

    def draw_texts(self, painter: QPainter, bounds: QRectF) -> None:
        """Write the texts of bars, the names of marks, and a legend if there are several kinds of bars.

        Where the y axis has a title its ticks say how high bars are, and their texts are only read out.
        """
        for series, bars in enumerate(self.plot.bars):
            if bars.close:
                self._write_selected(painter, series, bars)
                continue
            few = bars.size <= FEW or bool(bars.labels) or (not rises(self.plot) and 0 < np.count_nonzero(bars.values) <= _LONE)
            if (bars.texts is not None or bars.labels) and few and not self.plot.y.label:
                self._write_all(painter, series, bars, bars.texts or bars.text, bounds)
            elif bars.texts is not None and not self.plot.y.label:
                self._write_some(painter, series, bars, bars.texts, bounds)
            if bars.rival is not None and bars.rival_name and not bars.rival_secret:
                self._name_marks(painter, series, bars, bars.rival, bounds)
        if len(self.plot.bars) > 1:
            self._name_kinds(painter)

    def _write_all(self, painter: QPainter, series: int, bars: Bars, texts: Callable[[float], str], bounds: QRectF) -> None:
        """Write a text at each bar, bold ones first; texts that would overlap others are left out."""
        written = [translated(texts(value)) if value or bars.size <= FEW else "" for value in bars.values.tolist()]
        if bars.labels:
            written = [translated(label) for label in bars.labels]
        strong = np.zeros(bars.size, dtype=bool) if bars.strong is None else bars.strong
        bold = [bool(strong[place]) or (bars.faint and place == self.selected) for place in range(bars.size)]
        free = rises(self.plot)
        lone = not free and 0 < sum(map(bool, written)) <= _LONE and len(self.plot.bars) == 1 < bars.size - 1
        letters = {
            heavy: fitting(
                [text for text, b in zip(written, bold, strict=True) if b == heavy],
                bounds.width() if lone else self.pitch - px(2),
                8.5 if free else 8.0 if lone else 7.5,
                heavy,
            )
            for heavy in set(bold)
        }
        taken: list[QRectF] = []
        for place in sorted(range(bars.size), key=lambda place: not bold[place]):
            if not written[place]:
                continue
            painter.setFont(letters[bold[place]])
            bar = self.bar(series, place, float(bars.values[place]))
            metrics = QFontMetricsF(painter.font())
            box, inside = self._spot(metrics, bar, written[place], bounds, lone, bars.values[place] < 0)
            if free and bars.dots is not None:
                top = self._summit(bars, bar.left(), bar.width())
                mark = top if bars.rival is None else self.frame.y(float(bars.rival[place]))
                box.moveBottom(max((mark if 0 < top - mark < px(26) else top) - px(5), box.height()))
            elif free and bars.rival is not None and 0 < bar.top() - self.frame.y(float(bars.rival[place])) < px(16):
                box, inside = self._clear_of_mark(box, bar, self.frame.y(float(bars.rival[place])))
            if any(map(box.intersects, taken)):
                continue
            taken.append(box.adjusted(-px(1), 0, px(1), 0))
            self._taken.append(box)
            painter.setPen(self._text_colour(bars, place, inside, lone))
            painter.drawText(box.bottomLeft(), written[place])

    @staticmethod
    def _clear_of_mark(box: QRectF, bar: QRectF, mark: float) -> tuple[QRectF, bool]:
        """Return the place of a text that would cover its rival's mark: inside its bar, or above the mark of a low bar."""
        inside = bar.top() - mark > px(4) and bar.height() >= box.height() + px(6) and bar.width() >= box.width() + px(4)
        return box.translated(0, bar.top() + px(4) - box.top() if inside else mark - bar.top()), inside

    def _text_colour(self, bars: Bars, place: int, inside: bool, lone: bool) -> QColor:
        warm = place == self.selected
        if inside:
            pale = bars.faint and not warm and bars.strong is not None and not bars.strong[place]
            return colour("text" if pale else "card" if warm else "on_accent")
        if lone or (warm and rises(self.plot)):
            return colour("selected" if warm or bars.role == "other" else colour_role(bars))
        if bars.strong is None or bars.faint:
            return colour("text")
        return colour(colour_role(bars) if bars.strong[place] else "muted")

    def _spot(
        self, metrics: QFontMetricsF, bar: QRectF, text: str, bounds: QRectF, lone: bool, down: bool
    ) -> tuple[QRectF, bool]:
        """Return the position of a text, and whether it is inside its bar.

        Where heights are free it stands above its bar. Within limits it stands inside of a tall bar if it fits, else beyond the
        foot of it; beyond the head of a short one; and beside its bar if it is one of few.
        """
        width, height, area = metrics.horizontalAdvance(text), metrics.ascent(), self.frame.area
        left = min(max(bar.center().x() - width / 2, 0.0), bounds.right() - width)
        if rises(self.plot):
            top = min(bar.top(), self.zero) - px(4) - height
            covered = top < -px(4)  # by a bar that is dragged beyond the top, whose grip is there
            return QRectF(left, px(12) if covered else max(top, 0.0), width, height), covered
        middle = bar.center().y() + px(4) - height
        if lone:
            beside = bar.right() + px(4) if bar.right() + px(4) + width <= area.right() else bar.left() - px(4) - width
            return QRectF(beside, middle, width, height), False
        tall = bar.height() > 0.42 * area.height()
        if tall and width <= bar.width():
            return QRectF(left, middle, width, height), True
        above, below = bar.top() - px(3), bar.bottom() + px(11)
        foot = above if down == tall or below > area.bottom() else below
        return QRectF(left, foot - height, width, height), False

    def _write_some(self, painter: QPainter, series: int, bars: Bars, texts: Callable[[float], str], bounds: QRectF) -> None:
        """Write the text of the highest bar above it, and that of the selected one next to it, away from the highest."""
        if not rises(self.plot):
            return
        best = int(np.argmax(bars.values))
        painter.setFont(font(8.5, bold=True))
        metrics = QFontMetricsF(painter.font())
        for place in {best, self.selected} & set(range(self.seen.start, self.seen.stop)):
            value = float(bars.values[place])
            bar, text = self.bar(series, place, value), translated(texts(value))
            width = metrics.horizontalAdvance(text)
            painter.setPen(colour("selected" if place == self.selected else colour_role(bars)))
            x, y = bar.center().x() - width / 2, bar.top() - px(3)
            if place != best:
                x = bar.left() - px(5) - width if place < best else bar.right() + px(5)
                y = min(bar.top() + px(11), bar.bottom() - px(4))
            painter.drawText(QPointF(min(max(x, 0.0), bounds.right() - width), y), text)

    def _write_selected(self, painter: QPainter, series: int, bars: Bars) -> None:
        """Write the text of the selected bar above all bars and dots that it would cover."""
        place = self.selected
        if bars.texts is None or not self.seen.start <= place < self.seen.stop:
            return
        painter.setFont(font(8, bold=True))
        metrics, area = QFontMetricsF(painter.font()), self.frame.area
        text, bar = translated(bars.texts(float(bars.values[place]))), self.bar(series, place, float(bars.values[place]))
        width, spots = metrics.horizontalAdvance(text), list[tuple[float, float]]()
        for left in (bar.center().x() - width / 2, bar.left(), bar.right() - width):
            kept = max(area.left(), min(left, area.right() - width))
            spots.append((-self._summit(bars, kept, width), kept))
        top, left = min(spots, key=lambda spot: spot[0])
        painter.setPen(colour("selected"))
        painter.drawText(QPointF(left, max(-top, area.top() - 2) - metrics.descent() - 1), text)

    def _summit(self, bars: Bars, left: float, width: float) -> float:
        """Return the pixel of the top of the highest bar, or of the dots on it, between two pixels."""
        last = bars.size - 1
        first = min(max(0, floor(self.frame.value_x(left) + 0.5)), last)
        under = slice(first, max(first + 1, min(last + 1, ceil(self.frame.value_x(left + width) + 0.5))))
        height = float(bars.values[under].max())
        if bars.dots is not None and (drawn := bars.drawn) is not None:
            height = max(height, float(bars.dots[under].max() / drawn.sum()))
        return self.frame.y(height)

    def _name_marks(self, painter: QPainter, series: int, bars: Bars, rival: Floats, bounds: QRectF) -> None:
        """Name the thin marks, next to the highest of them."""
        place = int(np.argmax(rival))
        bar, y, area = self.bar(series, place, 0.0), self.frame.y(float(rival[place])), self.frame.area
        value = f": {translated(bars.text(float(rival[place])))}"
        painter.setFont(font(8))
        painter.setPen(colour("muted"))
        metrics, name = QFontMetricsF(painter.font()), translated(bars.rival_name)
        rooms = area.right() - bar.right() - px(7), bar.left() - px(7)  # at the right, at the left
        whole = metrics.horizontalAdvance(name + value)
        room = rooms[0] if whole <= rooms[0] or rooms[0] >= rooms[1] else rooms[1]
        name = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room - metrics.horizontalAdvance(value))
        width = metrics.horizontalAdvance(name + value)
        left = bar.right() + px(7) if room == rooms[0] else bar.left() - px(7) - width
        box = QRectF(left, y + px(4) - metrics.ascent(), width, metrics.height())
        if any(map(box.intersects, self._taken)):  # above the text of its bar
            top = min(y, self.bar(series, place, float(bars.values[place])).top()) - px(TEXT)
            box.moveTo(max(area.left(), min(bar.center().x() - width / 2, area.right() - width)), top - box.height())
        painter.drawText(QPointF(box.left(), box.top() + metrics.ascent()), name + value)
        self.rival_text = box

    def _name_kinds(self, painter: QPainter) -> None:
        """Write the names of the kinds of bars, each with its colour, where they cover least: at an end, or in a row."""
        painter.setFont(font())
        metrics, area = QFontMetricsF(painter.font()), self.frame.area
        names = [translated(bars.name) for bars in self.plot.bars]
        height, side = metrics.height(), px(8)
        wide = [metrics.horizontalAdvance(name) + side + px(9) for name in names]
        lefts, order = (area.right() - max(wide), area.left()), range(len(names))
        ways = [[QRectF(left, area.top() + k * height, max(wide), height) for k in order] for left in lefts]
        if sum(wide) <= area.width():
            ways.append([QRectF(area.right() - sum(wide[k:]), area.top(), wide[k], height) for k in order])
        kinds = self.plot.bars if self.plot.places <= FEW else ()
        drawn = [rect for k, bars in enumerate(kinds) for rect in self._rects(k, np.arange(bars.size), bars.values)]
        cuts = [[spot.intersected(rect) for spot in way for rect in drawn] for way in ways]
        covers = [sum(cut.width() * cut.height() for cut in way) for way in cuts]
        for bars, name, spot in zip(self.plot.bars, names, ways[covers.index(min(covers))], strict=True):
            if not self.plot.bands:  # lines of the axis may be behind it
                painter.fillRect(spot.adjusted(0, 0, 1, 0), colour("card", 0.85 if min(covers) else 1))
            painter.setPen(colour(colour_role(bars)))
            sample = QRectF(spot.left() + px(2), spot.center().y() - side / 2, side, side)
            painter.fillRect(sample, colour(colour_role(bars), 0.3 if bars.behind else 1.0))
            painter.drawText(spot.adjusted(side + px(6), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, name)


def fitting(texts: Sequence[str], width: float, points: float, bold: bool = False) -> QFont:
    """Return a font of this size, or the largest smaller one in which texts at this distance do not touch, or the smallest."""
    return _fitting(tuple(texts), width, points, bold, font(points, bold=bold).key(), theme().scale)


@lru_cache(maxsize=256)  # the same texts are painted again and again while something else is dragged
def _fitting(texts: tuple[str, ...], width: float, points: float, bold: bool, key: str, scale: float) -> QFont:
    letters = font(points, bold=bold)
    while points * scale > _LEAST and not _apart(letters, texts, width):
        points -= _STEP
        letters = font(points, bold=bold)
    return letters


def _apart(letters: QFont, texts: Sequence[str], width: float) -> bool:
    """Return whether texts in a row, with their centres this far apart, do not touch."""
    wide = [QFontMetricsF(letters).horizontalAdvance(text) for text in texts]
    return all((one + other) / 2 <= width for one, other in pairwise(wide))


def draw_row(
    painter: QPainter, area: QRectF, values: Floats, ink: str, chosen: int = -1,
    *, wide: bool = False, thin: bool = False, most: float = 0.0,
) -> None:  # fmt: skip
    """Draw bars side by side without a plot; where they are too thin to be seen, an area of the highest of those side by side.

    Parameters
    ----------
    painter : QPainter
    area : QRectF
    values : ndarray
    ink : str
        A field of the theme's colours; that of what is selected for the bar at `chosen`.
    wide, thin : bool
        Whether they touch, and whether they are half as wide as usual.
    most : float
        The value that is as high as the area; 0: the largest.
    """
    shares = np.clip(values / (most or max(float(values.max()), 1e-300)), 0.0, 1.0) * area.height()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(ink))
    pitch, places = area.width() / len(values), np.flatnonzero(values > 0).tolist()
    gap = 0.0 if wide else min(pitch * (0.35 if thin else 0.12), px(7))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not wide)
    if pitch < 3:
        painter.drawPolygon(bar_outline(shares, area, lambda tall: area.bottom() - tall))
        gap, places = pitch / 2 - px(1), [place for place in places if place == chosen]
    for place in places:
        painter.setBrush(colour("selected" if place == chosen else ink))
        tall = float(shares[place])
        painter.drawRect(QRectF(area.left() + place * pitch + gap, area.bottom() - tall, pitch - 2 * gap, tall))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def draw_names(painter: QPainter, names: Sequence[str], frame: Frame, top: float, selected: int) -> None:
    """Write names below bars: if few, all of them on two lines; if many, every second, fifth, … as room allows.

    Parameters
    ----------
    painter : QPainter
    names : sequence of str
        Of the bars at 0, 1, 2, ….
    frame : Frame
    top : float
        Where they begin, in pixels.
    selected : int
        The one in colour; it is always written.
    """
    pitch = abs(frame.x(1.0) - frame.x(0.0))
    if len(names) <= FEW:
        _draw_all_names(painter, [translated(name) for name in names], frame, top, pitch, selected)
        return
    painter.setFont(font(8))
    metrics = QFontMetricsF(painter.font())
    short = _short_names(names)
    widest = max(map(len, short)) * metrics.averageCharWidth() if len(short) > 200 else max(map(metrics.horizontalAdvance, short))
    widest += px(8)
    stride = next((n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if n * pitch >= widest), len(names))
    chosen = [selected] if 0 <= selected < len(names) else []
    for place in sorted({*range(0, len(names), stride), *chosen}):
        x = frame.x(float(place))
        if not frame.area.left() - 1 <= x <= frame.area.right() + 1 or any(
            place != own and abs(place - own) * pitch < widest for own in chosen
        ):
            continue
        painter.setPen(colour("selected") if place == selected else colour("muted"))
        width = metrics.horizontalAdvance(short[place])
        left = min(max(x - width / 2, frame.area.left() - px(30), 0.0), frame.area.right() + px(6) - width)
        painter.drawText(QPointF(left, top + px(11)), short[place])


def _draw_all_names(painter: QPainter, names: Sequence[str], frame: Frame, top: float, pitch: float, selected: int) -> None:
    """Write every name on two lines; if words would still touch, cut those wider than their columns."""
    letters, cut = _two_lines(tuple(names), pitch, font(8).key(), theme().scale)
    painter.setFont(letters)
    for place, (text, room) in enumerate(cut):
        box = QRectF(frame.x(float(place)) - room / 2, top, room, px(NAMES + 4))
        painter.setPen(colour("selected") if place == selected else colour("text"))
        painter.drawText(box, _TWO_LINES, text)


@lru_cache(maxsize=64)
def _two_lines(names: tuple[str, ...], pitch: float, key: str, scale: float) -> tuple[QFont, list[tuple[str, float]]]:
    """Return the font of the names, and for each the text that fits and its width."""
    width, widest = pitch - 2, [max(name.split(" "), key=len, default="") for name in names]
    letters = fitting(widest, width, 8)
    cut = not _apart(letters, widest, width)
    sizes = [letters, *(font(points) for points in (7.5, 7.0, 6.5, _LEAST) if points * scale < letters.pointSizeF())]
    able = [name for name in names if _on_two_lines(sizes[-1], name, width)]  # others are cut
    letters = next(size for size in sizes if all(_on_two_lines(size, name, width) for name in able))
    metrics, fitted = QFontMetricsF(letters), list[tuple[str, float]]()
    for name, word in zip(names, widest, strict=True):
        room = width if cut else max(width, metrics.horizontalAdvance(word) + 1)
        text = " ".join(metrics.elidedText(part, Qt.TextElideMode.ElideRight, room) for part in name.split(" "))
        if not _on_two_lines(letters, text, room):
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, 1.7 * room)
        fitted.append((text, room))
    return letters, fitted


def _on_two_lines(letters: QFont, text: str, room: float) -> bool:
    metrics = QFontMetricsF(letters)
    return metrics.boundingRect(QRectF(0, 0, room, px(NAMES)), _TWO_LINES, text).height() < 2.5 * metrics.height()


def _short_names(names: Sequence[str]) -> list[str]:
    """Return names without their common first words, only the number of ``Income class 21``, and ranges by where they begin."""
    starts = [name.partition(" ")[0] for name in names]
    if names[-1].endswith(" or more") and all(" to <" in name or " " not in name for name in names[:-1]):
        return [*starts[:-1], f"{starts[-1]}+"]
    words = [name.split(" ") for name in names]
    shared = sum(1 for _ in takewhile(lambda same: len(set(same)) == 1, zip(*words, strict=False)))
    return [" ".join(own[shared:]) or name for own, name in zip(words, names, strict=True)]
