"""Plots and other widgets as pictures: PNG, SVG and PDF files, and the clipboard.

pyqtgraph's own exporters are not used: its SVG one raises and its CSV one writes empty files for images. A plot is drawn from
its scene, so that it can be saved at any size, shown or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPoint, QRectF, QSize, QSizeF
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPdfWriter,
    QRegion,
    QResizeEvent,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.base.colours import LIGHT
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.plots.plot_layer import PixelLayer, colour
from dpdesigner.desktop.plots.plot_style import StyledPlot
from dpdesigner.errors import InputError

FORMATS = ("png", "svg", "pdf")
_CLIP = re.compile(r'<g clip-path="url\(#(\w+)\)">')
#: Layer names for the user's selection: a bar, a cell, or the item under the mouse.
_CHOSEN = ("selected", "hovered", "row", "column")
_SHARPNESS = 2  # pixels of a PNG file per pixel of the size asked for
_LEAST = QSize(400, 300)  # smallest size of a copied picture


@runtime_checkable
class HasFigure(Protocol):
    """A widget of which only one part is drawn as a picture."""

    def figure(self) -> QWidget:
        """Return the widget to draw."""


def figure_bytes(widget: QWidget, file_format: str, size: QSize | None = None, *, light: bool | None = None) -> bytes:
    """Return a plot or another widget as the contents of a picture file.

    Parameters
    ----------
    widget : QWidget
        What to draw. If it has a method ``figure()``, the widget that this returns.
    file_format : str
        ``"png"``, ``"svg"`` or ``"pdf"``.
    size : QSize, optional
        Size in pixels; by default as on the screen. A PNG file has twice as many pixels.
    light : bool, optional
        Whether to use the light colours. By default SVG and PDF do, and PNG looks as the screen does.

    Returns
    -------
    bytes
        What the file holds.

    Raises
    ------
    InputError
        If the format is another.
    """
    if file_format not in FORMATS:
        words = tr("A picture can be written as png, svg or pdf, got {format}.")
        raise InputError(words.format(format=file_format), "format")
    light, size = file_format != "png" if light is None else light, size or _part(widget).size()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if file_format == "png":
        QImageWriter(buffer, QByteArray(b"png")).write(_image(widget, size, light))
    elif file_format == "svg":
        _write_svg(widget, buffer, size, light)
        return _without_stale_clips(bytes(buffer.data().data()).decode("utf-8")).encode("utf-8")
    else:
        _write_pdf(widget, buffer, size, light)
    return bytes(buffer.data().data())


def copy_picture(widget: QWidget) -> None:
    """Put a plot or another widget on the clipboard as a picture, at twice the screen resolution.

    What has little room on the screen, or none, is drawn larger.
    """
    QGuiApplication.clipboard().setImage(_image(widget, _part(widget).size().expandedTo(_LEAST), light=False))


def draw_figure(painter: QPainter, widget: QWidget, size: QSize, *, light: bool = True) -> None:
    """Draw a plot or another widget with its top left corner at the painter's origin, for example on a page of a report.

    What is selected or pointed at on the screen is no part of the picture.

    Parameters
    ----------
    painter : QPainter
        Its device must have the resolution of the screen (`dots_per_inch`), or texts come out too large or too small.
    widget, size
        As for `figure_bytes`.
    light : bool
        Whether to use the light colours.
    """
    part = _part(widget)
    with _colours(light), _resized(part, size), _nothing_selected(part):
        painter.fillRect(part.rect(), colour("card"))
        if isinstance(part, StyledPlot):
            part.scene().prepareForPaint()
            part.scene().render(painter, QRectF(part.rect()), QRectF(part.rect()))
        else:
            part.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)


def dots_per_inch(widget: QWidget) -> int:
    """Return the resolution for which the texts in a widget are laid out."""
    return widget.logicalDpiX()


def _image(widget: QWidget, size: QSize, light: bool) -> QImage:
    image = QImage(size * _SHARPNESS, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SHARPNESS)
    _draw_on(image, widget, size, light)
    return image


def _write_svg(widget: QWidget, buffer: QBuffer, size: QSize, light: bool) -> None:
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setResolution(dots_per_inch(_part(widget)))
    generator.setTitle(widget.accessibleName())
    generator.setDescription(widget.accessibleDescription())
    _draw_on(generator, widget, size, light)


def _without_stale_clips(svg: str) -> str:
    """Repair the output of QSvgGenerator after a painter is restored: it keeps the clip of the state being left.

    A clip that is set has a new name each time, and a state that is restored begins with an element without a clip: a clip that
    appears again after such an element is stale. The clip outside it is the whole picture, which is none.
    """
    lines = svg.split("\n")
    current = stale = ""
    for k, line in enumerate(lines):
        if clip := _CLIP.match(line):
            if clip[1] == stale:
                lines[k] = "<g>" + line[clip.end() :]
            else:
                current, stale = clip[1], ""
        elif line.startswith("<g "):
            stale = current
    return "\n".join(lines)


def _write_pdf(widget: QWidget, buffer: QBuffer, size: QSize, light: bool) -> None:
    dots = dots_per_inch(_part(widget))
    writer = QPdfWriter(buffer)
    writer.setResolution(dots)
    writer.setPageSize(QPageSize(QSizeF(size) * (72 / dots), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF())
    writer.setTitle(widget.accessibleName())
    writer.setCreator("dpdesigner")
    _draw_on(writer, widget, size, light)


def _draw_on(device: QPaintDevice, widget: QWidget, size: QSize, light: bool) -> None:
    painter = QPainter(device)
    draw_figure(painter, widget, size, light=light)
    painter.end()


def _part(widget: QWidget) -> QWidget:
    return widget.figure() if isinstance(widget, HasFigure) else widget


@contextmanager
def _colours(light: bool) -> Iterator[None]:
    """Use the light colours temporarily: widgets read them when they paint, and the screen is not painted in between."""
    before = theme().colours
    if not light or before is LIGHT:
        yield
        return
    theme().colours = LIGHT
    try:
        yield
    finally:
        theme().colours = before


@contextmanager
def _resized(widget: QWidget, size: QSize) -> Iterator[None]:
    """Resize a widget temporarily, whether it is shown or not."""
    before, least, most = widget.geometry(), widget.minimumSize(), widget.maximumSize()
    if size != before.size():
        widget.setFixedSize(size)  # otherwise the page, laid out again for drawing, would undo it
        widget.resize(size)
    _settle(widget)
    try:
        yield
    finally:
        widget.setMinimumSize(least)
        widget.setMaximumSize(most)
        if widget.geometry() != before:
            widget.setGeometry(before)
            _settle(widget)


@contextmanager
def _nothing_selected(widget: QWidget) -> Iterator[None]:
    """Hide the selection in the layers of a plot temporarily."""
    layers = [item for item in widget.scene().items() if isinstance(item, PixelLayer)] if isinstance(widget, StyledPlot) else []
    before = [(layer, name, vars(layer)[name]) for layer in layers for name in _CHOSEN if vars(layer).get(name) is not None]
    for layer, name, _ in before:
        setattr(layer, name, None)
    try:
        yield
    finally:
        for layer, name, value in before:
            setattr(layer, name, value)


def _settle(widget: QWidget) -> None:
    """Lay out a plot for its current size; a hidden plot would not do so until shown."""
    if isinstance(widget, StyledPlot) and not widget.isVisible():
        widget.resizeEvent(QResizeEvent(widget.size(), widget.size()))
