"""The axes of a plot: where ticks go and what they say, titles and grid, painted in pixels.

pyqtgraph's come with a settings panel each (several milliseconds) and do not survive vector export.
A finder of ticks takes the values at the two ends of an axis and the most ticks wanted, and returns round ones. Logarithmic
axes are in decimal logarithms throughout: the tick for 0.1 stands at -1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.desktop.plots.bar_painter import FEW, NAMES, TEXT, draw_names
from dpdesigner.desktop.plots.plot_layer import Frame, PixelLayer, colour, font, line, px


class Tick(NamedTuple):
    """One tick: its position on the axis and its label."""

    at: float
    text: str


TickFinder = Callable[[float, float, int], list[Tick]]

#: Beyond these decimal logarithms there are no doubles.
_LEAST_DECADE, _MOST_DECADE = -324.0, 308.0
_SHORT = 6  # letters of a name that needs one line only
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def count_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return ticks at whole numbers only."""
    first, last = ceil(low), floor(high)
    step = 1
    while last // step - -(-first // step) + 1 > max(at_most, 1):
        step = _next_round(step)
    return [
        Tick(float(value), group_thousands(value).replace("-", "−")) for value in range(-(-first // step) * step, last + 1, step)
    ]


def number_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return ticks at round decimal numbers."""
    return list(_round_numbers(low, high, at_most))


@lru_cache(maxsize=512)  # plots ask for the same ones again and again while they are laid out
def _round_numbers(low: float, high: float, at_most: int) -> tuple[Tick, ...]:
    if not high > low:
        return (Tick(low, f"{low:g}"),)
    exponent = floor(log10((high - low) / max(at_most, 1))) - 1
    mantissa = 1
    while floor(high / _decimal(mantissa, exponent)) - ceil(low / _decimal(mantissa, exponent)) + 1 > max(at_most, 1):
        mantissa = _next_round(mantissa)
    step = _decimal(mantissa, exponent)
    places = max(0, -floor(log10(step) + 1e-9))
    plain = places <= 5 and max(abs(low), abs(high)) < 1e6
    ticks = []
    for multiple in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1):
        value = multiple * step
        text = group_thousands(round(value)) if not places else f"{value:.{places}f}"
        text = text if plain else _scientific(value)
        ticks.append(Tick(value, text.replace("-", "−")))
    return tuple(ticks)


def percent_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return ticks for shares of one, labelled as percentages."""
    return [Tick(tick.at / 100, f"{tick.text}%") for tick in number_ticks(100 * low, 100 * high, at_most)]


_FINE = 2.1  # decades up to which each may have three ticks, and twice as many two: more labels would only be noise


def log_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return ticks for an axis of decimal logarithms, labelled with the numbers themselves; none beyond the range of doubles."""
    low, high = max(low, _LEAST_DECADE), min(high, _MOST_DECADE)
    if not high > low:
        return []
    for digits, most in (((1, 2, 5), _FINE), ((1, 3), 2 * _FINE), ((1,), high - low)):
        ticks = _decades(low, high, digits, 1)
        if 2 < len(ticks) <= at_most and high - low <= most:
            return ticks
    if high - low < 2:
        spread = number_ticks(10**low, 10**high, min(at_most, 4))
        return [Tick(log10(tick.at), tick.text) for tick in spread if tick.at > 0]
    step = 1
    while len(_decades(low, high, (1,), step)) > max(at_most, 2):
        step = _next_round(step)
    return _decades(low, high, (1,), step)


def no_ticks(low: float, high: float, at_most: int) -> list[Tick]:
    """Return no ticks at all."""
    return []


def fitting_ticks(
    finder: TickFinder, ends: tuple[float, float], pixels: float, room: Callable[[str], float], margin: float = math.inf
) -> list[Tick]:
    """Return as many ticks as fit without their labels touching.

    Parameters
    ----------
    finder : callable
        One of the finders above.
    ends : (float, float)
        The values at the two ends, in any order.
    pixels : float
        Length of the axis.
    room : callable
        Gives the pixels along the axis that a label needs, gap included.
    margin : float
        Pixels before the axis; with fewer than half a label, the first label moves in.

    Returns
    -------
    list of Tick
        In rising order of place.
    """
    low, high = min(ends), max(ends)
    scale = pixels / (high - low) if high > low else 0.0
    for at_most in (12, 10, 8, 7, 6, 5, 4, 3, 2):
        ticks = finder(low, high, at_most)
        places = [max((tick.at - low) * scale, room(tick.text) / 2 - margin) for tick in ticks]
        if _apart(ticks, places, room):
            return ticks
    return finder(low, high, 1)[:1]


def _apart(ticks: Sequence[Tick], places: Sequence[float], room: Callable[[str], float]) -> bool:
    widths = [room(tick.text) for tick in ticks]
    return all(b - a >= (one + two) / 2 for (a, b), (one, two) in zip(pairwise(places), pairwise(widths), strict=True))


def _next_round(step: int) -> int:
    """Return the number after `step` in 1, 2, 5, 10, 20, 50, ..."""
    return step * 5 // 2 if str(step)[0] == "2" else step * 2


def _decimal(mantissa: int, exponent: int) -> float:
    return float(f"{mantissa}e{exponent}")


def _decades(low: float, high: float, digits: Sequence[int], step: int) -> list[Tick]:
    ticks = []
    for decade in range(floor(low / step) * step, ceil(high) + 1, step):
        for digit in digits:
            place = decade + log10(digit)
            if low - 1e-9 <= place <= high + 1e-9:
                ticks.append(Tick(place, _power(digit, decade, 4 if high < 5 else 2)))
    return ticks


def _power(digit: int, decade: int, most: int) -> str:
    """Return a number with all its digits up to a decade, beyond it as a power: an axis of large numbers does not mix them."""
    if 0 <= decade <= most:
        return group_thousands(digit * 10**decade)
    if -4 <= decade < 0:
        return f"{_decimal(digit, decade):g}"
    return ("" if digit == 1 else f"{digit}·") + "10" + str(decade).translate(_SUPERSCRIPTS)


def _scientific(value: float) -> str:
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.6g}".partition("e")[::2]
    return f"{mantissa}·10{str(int(exponent)).translate(_SUPERSCRIPTS)}" if exponent else mantissa


_ROOMY = 200.0  # pixels at text scale 1, from which a plot shows optional titles
_FAR = 24.0  # pixels at text scale 1 by which a title may stand further left than its ticks need, below that of another plot
_GAP = 4.0  # pixels, at text scale 1, between tick labels and the data, and around titles


@dataclass(frozen=True)
class Axis:
    """An axis: its title, its ticks, and whether grid hairlines run across the plot.

    An optional title is left out of low plots, whose heading says it. Names stand below bars at 0, 1, 2, …, in place of ticks.
    There is always room for the widest label: ticks that change while the plot stands still are not cut.
    """

    title: str = ""
    finder: TickFinder = number_ticks
    grid: bool = False
    optional: bool = False
    names: tuple[str, ...] = ()
    widest: str = ""


class AxisLayer(PixelLayer):
    """Ticks, titles and grid of a plot; it lies under the data."""

    def __init__(self) -> None:
        super().__init__()
        self.horizontal, self.vertical = Axis(), Axis(grid=True)
        self.x_on_top = False
        self.focused = False
        self.margin = 0.0  #: pixels for the vertical axis, at least as many as it needs
        self.others: Callable[[], Sequence[QRectF]] = tuple  #: the areas of other text, where no tick labels are drawn
        self._placed: _Placed | None = None
        self.selected: int | None = None  #: the name in colour

    def select(self, place: int) -> None:
        """Highlight the name of the bars at a position in colour."""
        chosen = place if place >= 0 else None
        if chosen != self.selected:
            self.selected = chosen
            self.update()

    def renew(self) -> None:
        """Compute the ticks again at the next painting."""
        self._placed = None
        super().renew()

    def left_margin(self, frame: Frame) -> float:
        """Return the pixels that the vertical axis needs."""
        metrics = QFontMetricsF(font())
        texts = filter(None, (self.vertical.widest, *(tick.text for tick in self._ticks_y(frame))))
        labels = [metrics.horizontalAdvance(text) for text in texts]
        title = metrics.height() if self._title(self.vertical) else 0.0
        return title + (max(labels) + 2 * px(_GAP) if labels else 0.0)

    def line_height(self) -> float:
        """Return the pixels that the horizontal axis needs."""
        height = QFontMetricsF(font()).height()
        lines = int(self.horizontal.finder is not no_ticks) + int(bool(self._title(self.horizontal)))
        names = 0.0 if not self.horizontal.names else px(TEXT if self._one_line() else NAMES)
        return lines * height + names + (px(_GAP) if lines else 0.0)

    def _one_line(self) -> bool:
        """Return whether the names below bars need one line only: those of many bars, and short ones."""
        names = self.horizontal.names
        return len(names) > FEW or all(len(name) <= _SHORT for name in names)

    def _fit_one_line(self) -> bool:
        """Return whether no name is wrapped at the present width."""
        room, metrics = abs(self.frame.x(1.0) - self.frame.x(0.0)) - 2, QFontMetricsF(font(8))
        return self._one_line() or all(metrics.horizontalAdvance(name) <= room for name in self.horizontal.names)

    def draw(self, painter: QPainter) -> None:
        if self.focused:
            painter.setPen(line("accent", 2))
            painter.drawRect(self.frame.area.adjusted(-2, -2, 2, 2))
        others = tuple(self.others())
        if self._placed is None or self._placed.others != others:
            self._placed = _Placed(others, font())
            self._place_x(self._placed)
            self._place_y(self._placed)
        placed = self._placed
        painter.setFont(placed.font)
        painter.setPen(line("hairline"))
        painter.drawLines(placed.grid)
        painter.setPen(colour("muted"))
        for at, text in placed.labels:
            painter.drawText(at, text)
        if self.horizontal.names:
            draw_names(
                painter,
                self.horizontal.names,
                self.frame,
                self.frame.area.bottom() + 2,
                -1 if self.selected is None else self.selected,
            )
            painter.setPen(colour("muted"))
            painter.setFont(placed.font)
        if self._title(self.vertical):
            self._draw_upright(painter, placed.metrics)

    def _title(self, axis: Axis) -> str:
        return axis.title if not axis.optional or self.boundingRect().height() >= px(_ROOMY) else ""

    def _ticks_x(self, metrics: QFontMetricsF) -> list[Tick]:
        gap, ends = metrics.horizontalAdvance("0"), (self.frame.left, self.frame.right)
        finder, area = self.horizontal.finder, self.frame.area
        return fitting_ticks(finder, ends, area.width(), lambda text: metrics.horizontalAdvance(text) + gap, area.left())

    def _ticks_y(self, frame: Frame) -> list[Tick]:
        room = (1.7 if self.vertical.grid else 1.1) * QFontMetricsF(font()).height()  # given ticks stand closer
        return fitting_ticks(self.vertical.finder, (frame.bottom, frame.top), frame.area.height(), lambda text: room)

    def _place_x(self, placed: _Placed) -> None:
        area, metrics, height = self.frame.area, placed.metrics, placed.metrics.height()
        label_top = area.top() - px(_GAP) - height if self.x_on_top else area.bottom() + px(_GAP)
        gap, end = metrics.horizontalAdvance("0"), -1.0
        for tick in self._ticks_x(metrics):
            at = self.frame.x(tick.at)
            if self.horizontal.grid:
                placed.grid.append(QLineF(at, area.top(), at, area.bottom()))
            width = metrics.horizontalAdvance(tick.text)
            left = max(0.0, min(at - width / 2, self.boundingRect().right() - width))
            box = QRectF(left - gap / 2, label_top, width + gap, height)
            if left >= end and placed.is_free(box):  # a label moved in from the edge must not overlap the one before
                end = left + width + gap / 2
                placed.labels.append((QPointF(left, label_top + metrics.ascent()), tick.text))
        if title := self._title(self.horizontal):
            top = label_top - height if self.x_on_top else label_top + height * (self.horizontal.finder is not no_ticks)
            if self.horizontal.names:
                top += px(TEXT) if self._fit_one_line() else self.line_height() - height - px(_GAP)
            width = metrics.horizontalAdvance(title) + 2  # may be wider than the data area
            left = max(0.0, min(area.center().x() - width / 2, self.boundingRect().right() - width))
            placed.labels.append((QPointF(left + 1, top + metrics.ascent()), title))

    def _place_y(self, placed: _Placed) -> None:
        area, metrics, height, gap = self.frame.area, placed.metrics, placed.metrics.height(), px(_GAP)
        for tick in self._ticks_y(self.frame):
            at = self.frame.y(tick.at)
            if self.vertical.grid:
                placed.grid.append(QLineF(area.left(), at, area.right(), at))
            left = area.left() - gap - metrics.horizontalAdvance(tick.text)
            top = max(0.0, min(at - height / 2, self.boundingRect().bottom() - height))
            if placed.is_free(QRectF(left, top, area.left() - left, height)):
                placed.labels.append((QPointF(left, top + metrics.ascent()), tick.text))

    def _draw_upright(self, painter: QPainter, metrics: QFontMetricsF) -> None:
        """Draw the title of the vertical axis."""
        whole, title, height = self.boundingRect(), self.vertical.title, metrics.height()
        half = metrics.horizontalAdvance(title) / 2
        centre = self.frame.area.center().y()
        centre = max(min(centre, whole.bottom() - half), whole.top() + half)  # may be longer than the data area is high
        away = min(self.margin, self.left_margin(self.frame) + px(_FAR))
        painter.translate(self.frame.area.left() - away, centre)
        painter.rotate(-90)
        painter.drawText(QRectF(-half - 1, 0, 2 * half + 2, height), Qt.AlignmentFlag.AlignCenter, title)


class _Placed:
    """The places of grid lines and labels, until the frame or the text next to them changes."""

    def __init__(self, others: tuple[QRectF, ...], letters: QFont) -> None:
        self.others, self.font, self.metrics = others, letters, QFontMetricsF(letters)
        self.grid: list[QLineF] = []
        self.labels: list[tuple[QPointF, str]] = []

    def is_free(self, box: QRectF) -> bool:
        """Return whether a box overlaps no other text."""
        return not any(map(box.intersects, self.others))
