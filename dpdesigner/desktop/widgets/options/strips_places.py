"""Where the four strips are: bands below each other over the same columns."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

from dpdesigner.desktop.widgets.options.strips_data import Strips
from dpdesigner.desktop.widgets.plot.plot_layer import px

TITLE, TEXT = 20, 15  #: pixels at text scale 1: above each band, and above its bars
_MARGIN, _NAMES = 46, 30
_SHARES = (0.33, 0.37, 0.12, 0.18)  # how the height is shared out


@dataclass(frozen=True)
class Places:
    """Where the strips are: their bands, and the columns across them."""

    bands: tuple[QRectF, ...]
    names: QRectF
    size: int
    top: float  #: the largest utility that has room, and the least
    bottom: float

    def column(self, option: int) -> QRectF:
        """Return the pixels of an option from the first band to the last."""
        band = self.bands[0]
        width = band.width() / self.size
        return QRectF(band.left() + option * width, band.top(), width, self.bands[-1].bottom() - band.top())

    def bar(self, strip: int, option: int, low: float, high: float) -> QRectF:
        """Return the pixels of a bar between two heights, each from 0, the foot of the band, to 1, its head."""
        band, column = self.bands[strip], self.column(option)
        gap = min(column.width() * 0.11, px(7))
        top, foot = band.bottom() - high * band.height(), band.bottom() - low * band.height()
        return QRectF(column.left() + gap, top, max(column.width() - 2 * gap, 0.7), max(foot - top, 0.8))

    def height(self, utility: float) -> float:
        """Return how high in the first band a utility is, from 0 to 1."""
        return (utility - self.bottom) / (self.top - self.bottom)

    def option(self, x: float) -> int:
        """Return the option at a pixel."""
        band = self.bands[0]
        return min(max(int((x - band.left()) / max(band.width(), 1.0) * self.size), 0), self.size - 1)


def places(strips: Strips, width: float, height: float, ends: tuple[float, float] | None = None) -> Places:
    """Lay the strips out; `ends` keeps the heights of utilities while one is dragged."""
    left, right = px(_MARGIN), width - px(8)
    names = px(_NAMES)
    free = max(height - 4 * px(TITLE) - names - 3 * px(6), 80.0)
    bands, top = [], 0.0
    for place, share in enumerate(_SHARES):
        top += px(TITLE)
        room = px(TEXT) if place < 2 else 0.0
        bands.append(QRectF(left, top + room, right - left, max(free * share - room, 8.0)))
        top += free * share + px(6)
        if place == 0:
            name_box = QRectF(left - px(30), bands[0].bottom() + 2, right - left + px(36), names)
            top += names
    low, high = ends if ends is not None else utility_ends(strips)
    return Places(tuple(bands), name_box, strips.size, high, low)


def utility_ends(strips: Strips) -> tuple[float, float]:
    """Return the ends of the first band: 0 and the largest utility, or what utilities below 0 need."""
    low, high = min(0.0, float(strips.utilities.min())), max(0.0, float(strips.utilities.max()))
    if strips.utilities.max() < 0 or (strips.line and low < 0):
        high = max(high, low + (high - low) * 1.05)
    return low, high if high > low else low + 1.0
