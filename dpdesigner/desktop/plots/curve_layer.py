"""The layer for the lines of a plot with their names next to them, shaded bands, marks, and handles.

No more of a curve is painted than the pixels show: one with thousands of points is painted as quickly as one with a hundred.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPainterPath, QPolygonF

from dpdesigner.arrays import Floats
from dpdesigner.desktop.plots.bar_painter import BarPainter
from dpdesigner.desktop.plots.line_shapes import (
    Place,
    band,
    corners,
    is_band,
    outlined,
    place_labels,
    stepped,
    thinned,
    touches,
    uncovered,
)
from dpdesigner.desktop.plots.plot_layer import (
    DOT,
    PixelLayer,
    colour,
    colour_role,
    draw_chip,
    draw_dot,
    draw_grip,
    font,
    is_ring,
    line,
    placed,
    px,
    thickness,
    write_inside,
)
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Handle, Line, Mark

_LINES = 4  # lines of text; in a lower plot, a text that would touch a curve or another text is left out
_LOW = 9  # lines of text; in a lower plot, the name of a dashed line that would touch a curve is left out
_KEY = 24  # pixels of the sample of a line in a legend, and the gap after it
_CLOSE = 4  # pixels between upright lines; if there are fewer, their outline is drawn
_MANY = 100  # rings; so many are thin

EMPTY = Plot("", "", Axis(), Axis(), ())

#: A curve as it is painted: a line, or boxes where it is dense enough to be a band.
Shape = QPainterPath | list[QRectF]


class _Layout(NamedTuple):
    """The painting of each curve, and the places of names and of the texts of bands and marks."""

    shapes: list[Shape]
    names: list[Place | None]
    inside: list[QRectF | None]
    beside: list[QRectF | None]


class CurveLayer(PixelLayer):
    """Bands, lines, names and marks: the parts that stay while the handles move.

    Parameters
    ----------
    sparing : bool
        Whether names and texts that a line goes through are left out, as in a small picture.
    """

    def __init__(self, sparing: bool = False) -> None:
        super().__init__()
        self.plot = EMPTY
        self.hovered: int | None = None  #: index of the bars under the mouse
        self.selected: int | None = None  #: index of the highlighted bars
        self.rival_text = QRectF()  #: where the name of the bars' thin marks was written
        self.fallen = 1.0  #: how far bars have dropped, from 0 to 1
        self._sparing = sparing
        self._laid_out: _Layout | None = None
        self._spots: list[int | None] = []

    def renew(self) -> None:
        self._laid_out = None
        super().renew()

    def show_plot(self, plot: Plot) -> None:
        """Lay out and paint other contents."""
        self.plot, self.selected = plot, plot.selected if plot.selected >= 0 else None
        self.renew()

    def pixel(self, x: float, y: float) -> QPointF:
        """Return the pixel of a point; nan if an axis is logarithmic and the value is not positive."""
        return QPointF(self.frame.x(placed(x, self.plot.x.log)), self.frame.y(placed(y, self.plot.y.log)))

    def pixels(self, drawn: Line) -> Floats:
        """Return the corners of a line in pixels, an array (k, 2), nan in gaps; an outline of close bars, if heights differ."""
        ends = self.frame.x(drawn.x[[0, -1]])
        bars = drawn.spikes and not self.plot.x.log and float(np.ptp(drawn.y)) > 0
        close = bars and ends[1] - ends[0] < px(_CLOSE) * (len(drawn.x) - 1)
        return self._across(*(outlined(drawn.x, drawn.y) if close else corners(drawn)))

    def _across(self, x: Floats, y: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            at_x = np.log10(x) if self.plot.x.log else x
            at_y = np.log10(y) if self.plot.y.log else y
        pixels = np.column_stack([self.frame.x(at_x), self.frame.y(at_y)])
        pixels[~np.isfinite(pixels).all(axis=1)] = np.nan
        return pixels

    def touches(self, box: QRectF) -> bool:
        """Return whether a line goes through a box."""
        return touches(box, [self.pixels(drawn) for drawn in self.plot.lines])

    def beside(self) -> list[QRectF | None]:
        """Return the places of the texts beside marks."""
        return self._layout().beside

    def labels(self) -> list[Place | None]:
        return self._layout().names

    def draw(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font())
        shapes, labels, inside, beside = self._layout()
        for stretch, spot in zip(self.plot.bands, inside, strict=True):
            self._draw_band(painter, stretch, spot)
        if self.plot.bars:
            bars = BarPainter(self.plot, self.frame, -1 if self.selected is None else self.selected, self.fallen)
            bars.draw(painter, -1 if self.hovered is None else self.hovered, not self._sparing)
            if self.hovered is None or not bars.close:  # otherwise the read-out takes this place
                bars.draw_texts(painter, self.boundingRect())
            self.rival_text = bars.rival_text
        painter.save()
        painter.setClipRect(self.frame.area.adjusted(-1, -2, 1, 2))
        pairs = list(zip(reversed(self.plot.lines), reversed(shapes), strict=True))
        for drawn, _ in pairs:
            self._draw_between(painter, drawn)
        # Lines over bands, and rings over the dots that they are around.
        for drawn, shape in sorted(pairs, key=lambda pair: (not isinstance(pair[1], list), is_ring(pair[0]))):
            self._draw_line(painter, drawn, self._falling(drawn, shape))
        painter.restore()
        for drawn, place in zip(self.plot.lines, labels, strict=True):
            if place is not None:
                if self.plot.square:  # where dots and areas are behind it
                    painter.fillRect(place.box.adjusted(-px(2), 0, px(2), 0), colour("card", 0.85))
                if place.keyed:
                    painter.setPen(line(colour_role(drawn), thickness(), dashed=drawn.dashed))
                    start = QPointF(place.box.left(), place.box.center().y())
                    painter.drawLine(start, start + QPointF(px(_KEY) - px(4), 0))
                painter.setPen(colour(colour_role(drawn)))
                words = place.box.adjusted(px(_KEY) if place.keyed else 0, 0, 0, 0)
                painter.drawText(words, Qt.AlignmentFlag.AlignCenter, drawn.shown)
        for mark, box in zip(self.plot.marks, beside, strict=True):
            self._draw_mark(painter, mark, box)
        for drawn in self.plot.lines:
            x, y = drawn.x, drawn.y
            if turned := any(drag.around for drag in drawn.drags):
                x, y = np.cos(np.radians(x)), np.sin(np.radians(x))
            if turned or (drawn.dots and any(drag.plane or len(x) == 1 for drag in drawn.drags)):
                for at in zip(x.tolist(), y.tolist(), strict=True):
                    draw_grip(painter, self.pixel(*at), colour_role(drawn))

    def _falling(self, drawn: Line, shape: Shape) -> Shape:
        """Return the dots of a new draw on their way down, as bars that drop."""
        if self.fallen == 1 or not isinstance(shape, list) or drawn.sizes is None or is_ring(drawn):
            return shape
        above, top = 1 - self.fallen, self.frame.area.top()
        return [box.translated(0, above * (top - box.bottom())) for box in shape]

    def _draw_between(self, painter: QPainter, drawn: Line) -> None:
        """Shade the area between the lower and upper limits of a line."""
        if drawn.low is None or drawn.high is None:
            return
        ends = [stepped(drawn.x, y) if drawn.steps else (drawn.x, y) for y in (drawn.low, drawn.high)]
        low, high = (self._across(*end) for end in ends)
        known = np.isfinite(low).all(axis=1) & np.isfinite(high).all(axis=1)
        outline = np.concatenate((low[known], high[known][::-1]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(colour_role(drawn), 0.85 if drawn.filled else 0.12))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in outline.tolist()]))

    @staticmethod
    def _draw_line(painter: QPainter, drawn: Line, shape: Shape) -> None:
        if drawn.filled:
            return
        role = colour_role(drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not isinstance(shape, list) or drawn.sizes is not None)
        if drawn.sizes is not None and isinstance(shape, list):
            painter.setPen(line(role, px(1.5 if len(shape) < _MANY else 0.8)) if is_ring(drawn) else line("card", 0.8))
            painter.setBrush(Qt.BrushStyle.NoBrush if is_ring(drawn) else QBrush(colour(role, 0.55)))
            for box in shape:
                painter.drawEllipse(box)
        elif isinstance(shape, list):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(role, 0.5 if drawn.dashed or drawn.thin else 1.0))
            painter.drawRects(shape)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            width, opacity = (thickness() / 2, 0.6) if drawn.thin else (thickness(), 1.0)
            painter.setPen(line(role, width, dashed=drawn.dashed, opacity=opacity))
            painter.drawPath(shape)

    def _dots(self, drawn: Line, points: Floats) -> list[QRectF]:
        """Return a box for each point: small ones, or of the dots' own sizes."""
        known = np.isfinite(points).all(axis=1)
        sizes = np.full(len(points), 1.5 * thickness())
        if drawn.sizes is not None:
            sizes = np.maximum(2 * self.frame.area.height() * drawn.sizes, thickness())
        sides = sizes[known].tolist()
        return [QRectF(x - s / 2, y - s / 2, s, s) for (x, y), s in zip(points[known].tolist(), sides, strict=True)]

    def _shape(self, part: Floats) -> Shape:
        """Return a curve as a path, or as a band if it oscillates faster than the pixels can show."""
        if is_band(part, self.frame.area):
            return band(part, self.frame.area, thickness())
        part = thinned(part, self.frame.area)
        path: QPainterPath = pg.functions.arrayToQPath(part[:, 0], part[:, 1], connect="finite")
        return path

    def _layout(self) -> _Layout:
        if self._laid_out is None and not (self.plot.lines or self.plot.marks or any(band.text for band in self.plot.bands)):
            self._laid_out = _Layout([], [], [None] * len(self.plot.bands), [])
        if self._laid_out is None:
            drawn = self.plot.lines
            lines = [self.pixels(curve) for curve in drawn]
            covers = [
                [lines[k] for k, above in enumerate(drawn[:place]) if _covers(above, drawn[place])] for place in range(len(drawn))
            ]
            shapes = [
                self._dots(curve, part) if curve.dots else self._shape(uncovered(part, above))
                for curve, part, above in zip(drawn, lines, covers, strict=True)
            ]
            metrics = QFontMetricsF(font())
            sizes = [(metrics.horizontalAdvance(curve.shown) + 2, metrics.height()) for curve in drawn]
            named = [size if curve.shown.strip() else (1e9, 1e9) for curve, size in zip(drawn, sizes, strict=True)]
            beside_marks = self._beside_marks(lines)
            blocked, inside = [*beside_marks, *self._beside_landing()], list[QRectF | None]()
            for stretch in self.plot.bands:
                inside.append(spot := self._band_text(stretch, lines, blocked))
                blocked += [] if spot is None else [spot]
            # The name of upright lines goes along their upper ends, and not between them.
            upright = [place for place, curve in enumerate(drawn) if curve.spikes]
            beside = [*lines, *(lines[place] for place in upright)]
            for place in upright:
                beside[place] = self._across(drawn[place].x, drawn[place].y)
            inks = [colour_role(curve) for curve in drawn]
            styles = [(colour_role(curve), curve.dashed, curve.thin) for curve in drawn]
            keyed = [
                styles.count(style) == 1 and not (self.plot.bars or curve.dots or curve.filled or curve.spikes)
                for curve, style in zip(drawn, styles, strict=True)
            ]
            landing = self.plot.landing
            stems = landing.x if landing is not None and landing.upright and len(landing.x) == 1 else ()
            area, upright_at = self.frame.area, [*self._upright(), *(self.pixel(x, 1.0).x() for x in stems)]
            labels = place_labels(beside, named, area, self._spots, blocked, upright_at, inks, px(_KEY), keyed)
            self._spots = [None if place is None else place.spot for place in labels]
            marks: list[QRectF | None] = [*beside_marks]
            if self._sparing or self.frame.area.height() < _LINES * metrics.height():
                marks = [None if touches(box, lines) else box for box in beside_marks]
                taken = [box for box in marks if box is not None]
                for number, name in enumerate(labels):
                    if name is None or touches(name.box, lines) or any(map(name.box.intersects, taken)):
                        labels[number] = None
                    else:
                        taken.append(name.box)
            elif self.frame.area.height() < _LOW * metrics.height():
                for number, (name, curve) in enumerate(zip(labels, drawn, strict=True)):
                    if curve.dashed and name is not None and touches(name.box, lines):
                        labels[number] = None
            self._laid_out = _Layout(shapes, labels, inside, marks)
        return self._laid_out

    def _beside_landing(self) -> list[QRectF]:
        """Return the place of the number beside a result that was drawn."""
        landing = self.plot.landing
        if landing is None or not (landing.text and landing.y):
            return []
        metrics, at = QFontMetricsF(font(8.5, bold=True)), self.pixel(landing.x[0], landing.y[0])
        size = QSizeF(metrics.horizontalAdvance(landing.text), metrics.height())
        left = at.x() + max(px(DOT), landing.size * self.frame.area.height()) + px(4)
        return [QRectF(QPointF(left, at.y() - size.height() / 2), size)]

    def obstacles(self) -> list[QRectF]:
        """Return the places of texts beside marks, bars and curves, and of the dots of marks and handles."""
        lines, marks = self.plot.lines, self.plot.marks
        held = [each for each in self.plot.handles if each.of < len(lines) and not each.edge]
        dots = [self.dot(each) for each in held]
        dots += [self.pixel(mark.x, mark.y) for mark in marks]
        laid, names = self._layout(), [None if name is None else name.box for name in self._layout().names]
        texts = [self.rival_text, *(box for box in (*laid.beside, *laid.inside, *names) if box is not None)]
        return [*texts, *(QRectF(at.x() - px(9), at.y() - px(9), px(18), px(18)) for at in dots)]

    def dot(self, handle: Handle) -> QPointF:
        """Return the place of a handle's dot: at its own height, or on its line."""
        height, lines = handle.height, self.plot.lines[handle.of : handle.of + 1]
        if height is None:
            height = lines[0].at(handle.place, logarithmic=self.plot.x.log) if lines else float("nan")
        return self.pixel(handle.place, height)

    def _upright(self) -> list[float]:
        """Return the horizontal positions of the visible handles."""
        places = (self.pixel(handle.place, 1.0).x() for handle in self.plot.handles)
        return [x for x in places if self.frame.area.left() <= x <= self.frame.area.right()]

    def _band_text(self, band: Band, lines: Sequence[Floats], taken: Sequence[QRectF]) -> QRectF | None:
        """Return the place for the text of a band: at its upper left, or in the corner with the fewest obstacles."""
        box, metrics = self._band_box(band).adjusted(4, 2, -4, -2), QFontMetricsF(font())
        width = metrics.horizontalAdvance(band.text)
        if not band.text:
            return None
        if band.notes:
            return self._beside_band(band, box, lines, taken)
        if box.width() <= width:
            return None
        tops, lefts = (box.top(), max(box.top(), box.bottom() - metrics.height())), (box.left(), box.right() - width)
        spots = [QRectF(left, top, width, metrics.height()) for top in tops for left in lefts]

        def in_the_way(spot: QRectF) -> int:
            texts = any(map(spot.intersects, taken))
            handles = any(spot.left() <= x <= spot.right() for x in self._upright())
            return 4 * texts + 2 * handles + touches(spot, lines)

        return min(spots, key=in_the_way)

    def _beside_band(self, band: Band, box: QRectF, lines: Sequence[Floats], taken: Sequence[QRectF]) -> QRectF | None:
        """Return the place for several lines of text on one side of a band, where there are the fewest obstacles."""
        area, metrics = self.frame.area.adjusted(4, 2, -4, -2), QFontMetricsF(font(bold=True))
        width, high = max(map(metrics.horizontalAdvance, (band.text, *band.notes))), metrics.height() * (1 + len(band.notes))
        lefts = (box.left() - width - px(8), box.right() + px(8), box.left() + px(4), area.left())
        spots = [QRectF(left, area.top() + down, width, high) for left in lefts for down in (0.0, high / 2, high)]
        seen = [spot for spot in spots if area.contains(spot)]
        taken = [*taken, *(QRectF(edge, area.top(), 0.5, area.height()) for edge in (box.left(), box.right()))]
        return min(seen, default=None, key=lambda spot: 4 * any(map(spot.intersects, taken)) + touches(spot, lines))

    def _band_box(self, band: Band) -> QRectF:
        area, upright = self.frame.area, band.along == "x"
        low, high = (placed(end, (self.plot.x if upright else self.plot.y).log) for end in (band.low, band.high))
        if upright:
            ends = [self._clamped(self.frame.x(end), area.left(), area.right()) for end in (low, high)]
            return QRectF(QPointF(ends[0], area.top()), QPointF(ends[1], area.bottom()))
        ends = [self._clamped(self.frame.y(end), area.top(), area.bottom()) for end in (high, low)]
        return QRectF(QPointF(area.left(), ends[0]), QPointF(area.right(), ends[1]))

    def _draw_band(self, painter: QPainter, band: Band, spot: QRectF | None) -> None:
        role = colour_role(band)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not self.plot.bars)
        painter.fillRect(self._band_box(band), colour(role, 0.12))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if spot is None:
            return
        painter.setPen(colour(role))
        painter.setFont(font(bold=bool(band.notes)))
        painter.drawText(spot.adjusted(0, 0, 2, 0), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, band.text)
        for number, note in enumerate(band.notes):
            painter.setPen(colour("muted" if number else "text"))
            painter.setFont(font(bold=not number))
            down = (number + 1) * QFontMetricsF(painter.font()).height()
            painter.drawText(spot.adjusted(0, down, 2, down), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, note)
        painter.setFont(font())

    @staticmethod
    def _clamped(value: float, low: float, high: float) -> float:
        """Return a pixel clamped to bounds; nan, from a number without a logarithm, counts as the lower end."""
        return low if np.isnan(value) else min(max(value, low), high)

    def _draw_mark(self, painter: QPainter, mark: Mark, box: QRectF | None) -> None:
        at = self.pixel(mark.x, mark.y)
        if np.isnan(at.x()) or np.isnan(at.y()) or not self.frame.area.adjusted(-1, -1, 1, 1).contains(at):
            return
        if dot := self._dot_of(mark):
            return write_inside(painter, at, mark.text, dot)
        if mark.pointer:
            self._draw_pointer(painter, at.x(), colour_role(mark))
        elif not self._ends_bar(mark):
            draw_dot(painter, at, colour_role(mark))
        if box is not None and mark.text:
            if any(drawn.sizes is not None or drawn.filled for drawn in self.plot.lines):  # dots or bars may be behind it
                painter.fillRect(box.adjusted(-px(2), 0, px(2), 0), colour("card", 0.85))
            painter.setPen(colour(colour_role(mark)))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, mark.text)

    def _draw_pointer(self, painter: QPainter, x: float, role: str) -> None:
        y, size = self.frame.area.bottom() + 1, px(5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(role))
        painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x - size, y + size), QPointF(x + size, y + size)]))

    def _ends_bar(self, mark: Mark) -> bool:
        return any(drawn.filled and drawn.role == mark.role for drawn in self.plot.lines)

    def _dot_of(self, mark: Mark) -> float:
        """Return the radius in pixels of the dot in which a mark is written; 0 if there is none."""
        dots = [(line.x, line.y, line.sizes) for line in self.plot.lines if line.sizes is not None and line.role == mark.role]
        inside = (size for line in dots for x, y, size in zip(*line, strict=True) if (x, y) == (mark.x, mark.y))
        return float(next(inside, 0.0)) * self.frame.area.height()

    def _beside_marks(self, lines: Sequence[Floats]) -> list[QRectF]:
        """Return places for texts next to dots that touch no other dot or text, and no line if possible."""
        metrics, area, labels = QFontMetricsF(font()), self.frame.area, list[QRectF]()
        dots = [self.pixel(mark.x, mark.y) for mark in self.plot.marks]
        for mark, at in zip(self.plot.marks, dots, strict=True):
            if self._dot_of(mark):
                labels.append(QRectF(at, at))
                continue
            width, height = metrics.horizontalAdvance(mark.text) + 1, metrics.height()
            tops = (at.y() - height / 2,) if self._ends_bar(mark) else (max(area.top(), at.y() - height - 2), at.y() + 2)
            lefts = at.x() + px(8), at.x() - px(8) - width
            boxes = [QRectF(left, top, width, height) for top in tops for left in lefts]
            further = [box.translated(0, away * height) for away in (-1, 1, -2) for box in boxes if not self._ends_bar(mark)]
            first, second = boxes[0], boxes[1].translated(max(area.left() - boxes[1].left(), 0.0), 0.0)
            taken = [*labels, *(QRectF(dot.x() - 5, dot.y() - 5, 10, 10) for dot in dots if dot is not at)]
            taken += [QRectF(x - px(3), area.top(), px(6), area.height()) for x in self._upright()]
            within = area.adjusted(0, 0, px(8), 0)
            spots = sorted(boxes + further, key=lambda box: touches(box, lines))
            free = (box for box in spots if within.contains(box) and not any(map(box.intersects, taken)))
            labels.append(next(free, first if first.right() <= area.right() else second))
        return labels


def _covers(above: Line, below: Line) -> bool:
    return below.dashed and not (above.dashed or above.thin or above.dots or above.filled)


class HandleLayer(PixelLayer):
    """The vertical handles with their texts above and their dots, and the read-out under the mouse."""

    def __init__(self, curves: CurveLayer) -> None:
        super().__init__()
        self._curves = curves
        self.handles: tuple[Handle, ...] = ()
        self.hovered: float | None = None
        self.hover_lines: Sequence[str] = ()

    def draw(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, plot = self.frame.area, self._curves.plot
        for handle in self.handles:
            drawn = plot.lines[handle.of] if handle.of < len(plot.lines) else None
            at = self._curves.dot(handle)
            if area.left() - 1 <= at.x() <= area.right() + 1:
                if handle.edge:
                    self._draw_edge(painter, at.x())
                else:
                    role = "text" if drawn is None else colour_role(drawn)
                    self._draw_handle(painter, at, handle, role)
        if self.hovered is not None and self.hover_lines:
            x = self._curves.pixel(self.hovered, 1.0).x()
            lying = any(drawn.filled and drawn.texts for drawn in plot.lines)
            if not (plot.bars or lying):
                painter.setPen(line("muted", opacity=0.6))
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            for drawn in () if lying else plot.lines:
                at = self._curves.pixel(self.hovered, drawn.at(self.hovered, logarithmic=plot.x.log))
                draw_dot(painter, at, colour_role(drawn), small=True)
            draw_chip(painter, QPointF(x, area.top() + 0.3 * area.height()), self.hover_lines, self.boundingRect())

    def _draw_edge(self, painter: QPainter, x: float) -> None:
        """Draw the edge of a band: a dotted line, and a grip on the axis."""
        area = self.frame.area
        pen = line(self._ink)
        pen.setStyle(Qt.PenStyle.DotLine)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        self._draw_grip(painter, x)

    @property
    def _ink(self) -> str:
        return colour_role(self._curves.plot.lines[0]) if self._curves.plot.lines else "text"

    def _draw_grip(self, painter: QPainter, x: float) -> None:
        area = self.frame.area
        painter.setPen(line(self._ink, px(1.6)))
        painter.setBrush(colour("card"))
        painter.drawRoundedRect(QRectF(x - px(4), area.bottom() - px(12), px(8), px(14)), px(2), px(2))

    def _draw_handle(self, painter: QPainter, at: QPointF, handle: Handle, role: str) -> None:
        """Draw a line with its text, and its dot in a ring if it can be dragged."""
        area, text, ink = self.frame.area, handle.label, role if handle.of else "text"
        painter.setPen(line(ink, opacity=0.75))
        ends = [area.top() - 2]  # the line is broken where numbers stand
        for box in sorted(filter(None, self._curves.beside()), key=QRectF.top):
            if box.left() - px(2) <= at.x() <= box.right() + px(2):
                ends += [max(box.top(), ends[-1]), box.bottom()]
        for top, foot in zip(ends[::2], [*ends[1::2], area.bottom()], strict=True):
            painter.drawLine(QPointF(at.x(), top), QPointF(at.x(), foot))
        if np.isfinite(at.y()) and area.top() - 1 <= at.y() <= area.bottom() + 1:
            (draw_grip if handle.movable else draw_dot)(painter, at, role)
        elif handle.movable:
            self._draw_grip(painter, at.x())
        painter.setFont(font())
        metrics = QFontMetricsF(painter.font())
        width = metrics.horizontalAdvance(text)
        left = max(area.left(), min(at.x() - width / 2, self.boundingRect().right() - width))
        painter.setPen(colour(ink))
        painter.drawText(QPointF(left, area.top() - 4 - metrics.descent()), text)
