"""How cells become pictures: one byte per cell, a table of 256 colours, images, and the colours of a constraint pattern."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.plots.plot_layer import PixelLayer, colour, line, mixed
from dpdesigner.studies.matrices import Binding, Glance

Bytes = NDArray[np.uint8]
Kind = Literal["probability", "difference"]

#: Differences of probabilities below this are rounding errors of doubles and of a solver, not a disagreement.
ROUNDING = 1e-9

#: How many of the table's bytes lie on each side of zero in a matrix of differences; zero itself is this byte plus one.
_SIDE = 127
_CURVED, _ACCENT, _DEEPER = 0.6, 0.75, 0.6  # of probabilities: the power, and where the accent is and how much darker the end is
_LEAST = 1e-300  # the end of the colour scale is a divisor and must not be smaller


@dataclass(frozen=True)
class Scale:
    """The values at the ends of the colours.

    Parameters
    ----------
    kind : ``"probability"`` or ``"difference"``
        Differences are coloured symmetrically about zero.
    top : float
        The value of the strongest colour; above 0.
    bottom : float
        The least positive value, that of the weakest colour where colours are logarithmic.
    logarithmic : bool
        Whether equal ratios, rather than equal differences, look equally far apart. For probabilities only.
    """

    kind: Kind = "probability"
    top: float = 1.0
    bottom: float = 1e-3
    logarithmic: bool = False

    def bytes_of(self, values: Floats) -> Bytes:
        """Return the byte of each value, in an array of the same shape."""
        if self.kind == "difference":
            places = np.multiply(values, _SIDE / self.top)
            np.rint(places, out=places)
            places += _SIDE + 1
            return np.clip(places, 1, 255, out=places).astype(np.uint8)
        if not self.logarithmic:
            places = np.multiply(values, 255.0 / self.top)
            np.ceil(places, out=places)
            return np.clip(places, 0, 255, out=places).astype(np.uint8)
        return self._log_bytes(values)

    def _log_bytes(self, values: Floats) -> Bytes:
        positive = values > 0
        low, high = np.log(self.bottom), np.log(self.top)
        with np.errstate(divide="ignore", invalid="ignore"):
            places = np.log(values)
        places -= low
        places *= 254.0 / max(high - low, 1e-12)
        np.rint(places, out=places)
        places += 1
        np.clip(places, 1, 255, out=places)
        return np.where(positive, places, 0).astype(np.uint8)


def scale_for(values: Floats, kind: Kind, *, logarithmic: bool = False) -> Scale:
    """Return the scale whose colours cover exactly the range of these values; rounding differences get no colour."""
    if kind == "difference":
        reach = max(float(values.max()), -float(values.min()))
        return Scale("difference", top=reach if reach >= ROUNDING else 1.0)
    reach = max(float(values.max()), 0.0)
    top = max(reach, _LEAST) if reach else 1.0
    bottom = float(np.min(values, where=values > 0, initial=top)) if logarithmic else top
    return Scale("probability", top=top, bottom=bottom, logarithmic=bottom < top)  # equal values get the strongest colour


def colour_table(scale: Scale) -> Bytes:
    """Return the 256 colours of a scale as an array (256, 4) of red, green, blue and opacity.

    Probabilities run from the card through the accent towards the colour of text, and differ in lightness, which any colour
    vision sees; they change fastest near zero, where most cells are. Differences run from the warm colour through the card to the
    accent. On a logarithmic scale zero is transparent, so that the hatching below shows.
    """
    if scale.kind == "difference":
        return _differences(*(colour(role).rgb() for role in ("selected", "card", "accent")))
    return _probabilities(*(colour(role).rgb() for role in ("card", "accent", "text")), scale.logarithmic)


@lru_cache(maxsize=2)  # light and dark
def _differences(low: int, middle: int, high: int) -> Bytes:
    ends = QColor(low), QColor(high)
    stops = np.linspace(-1, 1, 2 * _SIDE + 1)
    parts = [mixed(QColor(middle), ends[int(stop > 0)], abs(float(stop)) ** 0.8).getRgb() for stop in stops]
    return np.array([parts[0], *parts], dtype=np.uint8)


@lru_cache(maxsize=4)  # light and dark, linear and logarithmic
def _probabilities(zero: int, middle: int, far: int, logarithmic: bool) -> Bytes:
    accent = QColor(middle)
    strongest = mixed(accent, QColor(far), _DEEPER)
    places = np.linspace(0, 1, 256) ** (1.0 if logarithmic else _CURVED)
    low, high = np.minimum(places / _ACCENT, 1), np.maximum(places - _ACCENT, 0) / (1 - _ACCENT)
    parts = [
        mixed(mixed(QColor(zero), accent, a), strongest, b).getRgb() for a, b in zip(low.tolist(), high.tolist(), strict=True)
    ]
    table = np.array(parts, dtype=np.uint8)
    if logarithmic:
        table[0] = 0
    return table


def ink_on(table: Bytes) -> list[QColor]:
    """Return, for each colour of a table, black or white, whichever is more legible on it."""
    ground = colour("ground")
    below = np.array([ground.red(), ground.green(), ground.blue()], dtype=float)
    opacity = table[:, 3:4] / 255.0
    seen = (opacity * table[:, :3] + (1 - opacity) * below) / 255.0
    light = np.where(seen <= 0.04045, seen / 12.92, ((seen + 0.055) / 1.055) ** 2.4) @ np.array([0.2126, 0.7152, 0.0722])
    return [QColor("black" if value > 0.18 else "white") for value in light]


_VECTOR = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf, QPaintEngine.Type.Picture)
_ENOUGH = 1600  # pixels per side, so that PDF and SVG viewers that smooth images blur hardly at all


class CellImage(pg.ImageItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An image of bytes coloured by a lookup table, one pixel per cell or block of cells."""

    qimage: QImage | None  #: made by `render`

    def __init__(self) -> None:
        super().__init__(axisOrder="row-major")

    def show_cells(self, cells: Bytes, table: Bytes, seen: Glance) -> None:
        """Show the bytes of a glance at its position in the matrix; cell (i, r) is centred on x = r, y = i."""
        self.setImage(np.ascontiguousarray(cells), levels=None, lut=table, autoLevels=False)
        height, width = cells.shape
        self.setRect(QRectF(seen.column - 0.5, seen.row - 0.5, width * seen.column_step, height * seen.row_step))

    def render(self) -> None:
        """Make the image, in a seventh of pyqtgraph's time."""
        self.qimage = None if self.image is None else image_of(self.image, self.lut)
        self._renderRequired, self._unrenderable = False, False

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Paint the cells with sharp edges, even in vector files."""
        if self.image is None or painter.paintEngine().type() not in _VECTOR:
            super().paint(painter, option, widget)
            return
        self.render()
        if self.qimage is not None:
            painter.drawImage(self.boundingRect(), enlarged(self.qimage))


def enlarged(image: QImage) -> QImage:
    """Return an image with every pixel repeated, large enough for print."""
    times = max(1, _ENOUGH // max(image.width(), image.height(), 1))
    full = image.convertToFormat(QImage.Format.Format_ARGB32)  # Qt scales indexed-colour images imprecisely
    return full.scaled(image.width() * times, image.height() * times, mode=Qt.TransformationMode.FastTransformation)


def image_of(cells: Bytes, table: Bytes) -> QImage:
    """Return bytes, an array (rows, columns), as an image with a table (colours, 4) of red, green, blue and opacity.

    Qt scales it six times as fast as one with a colour table.
    """
    kept = np.ascontiguousarray(cells)
    image = QImage(kept.data, cells.shape[1], cells.shape[0], cells.shape[1], QImage.Format.Format_Indexed8)
    image.setColorTable(_colours(table.tobytes()))
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


@lru_cache(maxsize=8)
def _colours(table: bytes) -> list[int]:
    """Return the colours of a table as Qt's numbers."""
    red, green, blue, opacity = np.frombuffer(table, dtype=np.uint8).reshape(-1, 4).astype(np.uint32).T
    numbers: list[int] = (opacity << 24 | red << 16 | green << 8 | blue).tolist()
    return numbers


def draw_image(painter: QPainter, target: QRectF, image: QImage) -> None:
    """Draw an image with sharp edges, even in vector files."""
    vector = painter.paintEngine().type() in _VECTOR
    painter.drawImage(target, enlarged(image) if vector else image)


def draw_hatching(painter: QPainter, box: QRectF) -> None:
    """Fill a rectangle with the hatching for exact zeros."""
    painter.fillRect(box, colour("ground"))
    painter.setPen(line("muted", opacity=0.45))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    step = 6
    for place in range(step, int(box.width() + box.height()), step):
        right, down = min(place, box.width()), min(place, box.height())
        start = QPointF(box.left() + right, box.top() + place - right)
        painter.drawLine(start, QPointF(box.left() + place - down, box.top() + down))


class HatchLayer(PixelLayer):
    """The hatching below a matrix whose zeros are transparent."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = False

    def draw(self, painter: QPainter) -> None:
        """Hatch the whole area, if the layer above has anything transparent."""
        if self.shown:
            draw_hatching(painter, self.frame.area)


GLYPHS = {Binding.DOWN: "↓", Binding.UP: "↑", Binding.SLACK: "S", Binding.ZERO: "Z"}


def pattern_colours() -> dict[Binding, QColor]:
    """Return a colour for each binding; they also differ in lightness. Zero is transparent, to show the hatching below."""
    return {
        Binding.ZERO: QColor(0, 0, 0, 0),
        Binding.DOWN: colour("accent"),
        Binding.UP: mixed(colour("accent"), colour("card"), 0.6),
        Binding.SLACK: colour("text"),
    }


def pattern_table() -> Bytes:
    """Return `pattern_colours` as an array (4, 4) of red, green, blue and opacity, by the number of the binding."""
    return np.array([shade.getRgb() for _, shade in sorted(pattern_colours().items())], dtype=np.uint8)


def binding_words(*, short: bool) -> dict[Binding, str]:
    """Return the meaning of each binding, in one word or in a few."""
    if short:
        texts = {"DOWN": tr("falls"), "UP": tr("rises"), "SLACK": tr("between"), "ZERO": tr("both 0")}
    else:
        texts = {
            "DOWN": tr("falls at the limit"),
            "UP": tr("rises at the limit"),
            "SLACK": tr("between the limits"),
            "ZERO": tr("both 0"),
        }
    return {Binding[name]: text for name, text in texts.items()}
