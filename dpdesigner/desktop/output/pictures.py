"""Pictures of a design: its page off the screen, its figures drawn, PNG, SVG and PDF files, and the clipboard.

A page can be made, given a study and what was computed for it, and asked for its figures whether or not it is ever shown. So the
command line, the report and the export dialog draw every kind of design in the same way.

Plots and other widgets as pictures: PNG, SVG and PDF files, and the clipboard.

pyqtgraph's own exporters are not used: its SVG one raises and its CSV one writes empty files for images. A plot is drawn from
its scene, so that it can be saved at any size, shown or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QEvent, QIODevice, QMarginsF, QPoint, QRectF, QSize, QSizeF, Qt
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
from PySide6.QtWidgets import QApplication, QWidget

from dpdesigner.desktop.background.waiting import Work, run_now
from dpdesigner.desktop.base.colours import LIGHT
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.pages.kit.page import Figure, Page
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.plot_layer import PixelLayer, colour
from dpdesigner.desktop.plots.plot_style import StyledPlot
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import write_into
from dpdesigner.files.export import Export
from dpdesigner.files.formatting import file_name
from dpdesigner.files.project import Scene
from dpdesigner.files.report import Picture
from dpdesigner.files.share import page, pictured
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import Job, Progress, silent

FORMATS = ("png", "svg", "pdf")
_CLIP = re.compile(r'<g clip-path="url\(#(\w+)\)">')
#: Layer names for the user's selection: a bar, a cell, or the item under the mouse.
_CHOSEN = ("selected", "hovered", "row", "column")
_SHARPNESS = 2  # pixels of a PNG file per pixel of the size asked for
_TITLE = 32  # pixels above a figure
_LEAST = QSize(400, 300)  # smallest size of a copied picture


@runtime_checkable
class HasFigure(Protocol):
    """A widget of which only one part is drawn as a picture."""

    def figure(self) -> QWidget:
        """Return the widget to draw."""


def figure_bytes(widget: QWidget, file_format: str, size: QSize | None = None, *, light: bool = True, title: str = "") -> bytes:
    """Return a plot or another widget as the contents of a picture file.

    Parameters
    ----------
    widget : QWidget
        What to draw. If it has a method ``figure()``, the widget that this returns.
    file_format : str
        ``"png"``, ``"svg"`` or ``"pdf"``.
    size : QSize, optional
        Size in pixels; by default as on the screen. A PNG file has twice as many pixels.
    light : bool
        Whether to use the light colours, rather than those of the screen.
    title : str
        Drawn above it, within the size.

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
    size = size or _part(widget).size()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if file_format == "png":
        QImageWriter(buffer, QByteArray(b"png")).write(_image(widget, size, light, title))
    elif file_format == "svg":
        _write_svg(widget, buffer, size, light, title)
        svg = bytes(buffer.data().data()).decode("utf-8").replace('"Sans Serif"', '"sans-serif"')  # as browsers call it
        return _without_stale_clips(svg).encode("utf-8")
    else:
        _write_pdf(widget, buffer, size, light, title)
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
    """Return the dots per inch at which a widget lays out its texts."""
    return widget.logicalDpiX()


def _image(widget: QWidget, size: QSize, light: bool, title: str = "") -> QImage:
    image = QImage(size * _SHARPNESS, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SHARPNESS)
    _draw_on(image, widget, size, light, title)
    return image


def _write_svg(widget: QWidget, buffer: QBuffer, size: QSize, light: bool, title: str) -> None:
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setResolution(dots_per_inch(_part(widget)))
    generator.setTitle(widget.accessibleName())
    generator.setDescription(widget.accessibleDescription())
    _draw_on(generator, widget, size, light, title)


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


def _write_pdf(widget: QWidget, buffer: QBuffer, size: QSize, light: bool, title: str) -> None:
    dots = dots_per_inch(_part(widget))
    writer = QPdfWriter(buffer)
    writer.setResolution(dots)
    writer.setPageSize(QPageSize(QSizeF(size) * (72 / dots), QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF())
    writer.setTitle(widget.accessibleName())
    writer.setCreator("dpdesigner")
    _draw_on(writer, widget, size, light, title)


def _draw_on(device: QPaintDevice, widget: QWidget, size: QSize, light: bool, title: str) -> None:
    painter = QPainter(device)
    if title:
        area, size = QRectF(0, 0, size.width(), _TITLE), size - QSize(0, _TITLE)
        with _colours(light):
            painter.fillRect(area, colour("card"))
            painter.setPen(colour("text"))
        painter.setFont(theme().font(10, bold=True))
        draw_title(painter, area.adjusted(8, 0, -8, 0), title)
        painter.translate(0, _TITLE)
    draw_figure(painter, widget, size, light=light)
    painter.end()


def draw_title(painter: QPainter, area: QRectF, title: str) -> None:
    """Draw the title of a figure, with smaller letters where it would be cut."""
    font, wide = painter.font(), painter.fontMetrics().horizontalAdvance(title)
    font.setPointSizeF(font.pointSizeF() * min(1.0, 0.97 * area.width() / max(wide, 1)))
    painter.setFont(font)
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, title)


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


#: Pictures are drawn at this size, regardless of the window's, so that they look alike everywhere.
SIZE = QSize(900, 700)

_PAGE_SIZE = QSize(1280, 720)

Drawn = TypeVar("Drawn")


def save_figures(
    solved: Export, folder: str | Path, name: str, endings: Sequence[str], progress: Progress = silent
) -> list[Path]:
    """Draw every figure of a design in the light colours, as ``NAME-FIGURE.ENDING``, into a folder; see `write_into`."""
    progress(None, solved.title)
    with offscreen_page(solved.study, solved.computed(), progress) as page:
        return write_into(folder, draw_figures(page, file_name(name), endings), progress)


def draw_figures(page: Page, name: str, endings: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Draw the figures of all views of a page in the light colours, and yield the name and contents of each file.

    Of figures that look the same, such as a mechanism that is the geometric one and the geometric mechanism, the first is drawn.

    Parameters
    ----------
    page : Page
    name : str
        The files' names start with it.
    endings : sequence of str
        Of ``"png"``, ``"svg"``, ``"pdf"``.
    """
    drawn = set[bytes]()
    for figure in figures_of(page):
        size = picture_size(figure.widget, SIZE.width(), SIZE.height())
        image = figure_bytes(figure.widget, "png", size) if endings else b""
        if image in drawn:
            continue
        drawn.add(image)
        for ending in endings:
            titled = size + QSize(0, _TITLE)
            yield f"{name}-{figure.name}.{ending}", figure_bytes(figure.widget, ending, titled, title=figure.title)


@contextmanager
def offscreen_page(study: Any, computed: Mapping[str, Any], progress: Progress = silent) -> Iterator[Page]:
    """Create the page of a study off the screen, with everything computed for its figures; it is deleted afterwards.

    Without a Qt application one is made; the environment decides on which platform (QT_QPA_PLATFORM=offscreen needs no screen).

    Parameters
    ----------
    study : Study
    computed : mapping
        Outcomes by the names of the page's jobs; see `Export.computed`.
    """
    ensure_application()
    page = hidden_page(study.kind)
    try:
        run_now(worked_out(page, study, computed), progress)
        yield page
    finally:
        discard(page)


def hidden_page(kind: str, parent: QWidget | None = None) -> Page:
    """Create the page of a kind of study without showing it."""
    page: Page = entry(kind).page_class()(parent)
    page.resize(_PAGE_SIZE)
    return page


def worked_out(page: Page, study: Any, computed: Mapping[str, Any]) -> Work:
    """Show a study on a page of its own in steps, with the results of all its jobs and of those that its views ask for.

    Parameters
    ----------
    page : Page
        Hidden; see `hidden_page`.
    study : Study
    computed : mapping
        Outcomes by the names of the page's jobs, None for a job that is not to be run; see `Export.computed`.
    """
    asked: list[Job] = []

    def take(job: Job) -> None:
        if job.name not in computed:
            asked.append(job)

    page.set_study(study)
    yield None
    outcomes = yield partial(_results, [job for job in page.jobs(study) if job.name not in computed])
    page.requested.connect(take)
    try:
        show(page, study, {**computed, **outcomes})
        opened = page.view_state()
        for view in page.views():
            yield None
            page.set_view_state({"view": view})
        page.set_view_state(opened)
        while asked:
            wanted, asked = asked, []
            for name, outcome in (yield partial(_results, wanted, may_fail=True)).items():
                page.outcomes[name] = outcome
                page.show_outcome(name, outcome)
    finally:
        page.requested.disconnect(take)


def _results(jobs: Sequence[Job], progress: Progress = silent, *, may_fail: bool = False) -> dict[str, Any]:
    """Run jobs and return their results by name; if they `may_fail`, those that refuse their input are left out."""
    found = dict[str, Any]()
    for job in jobs:
        with suppress(InputError) if may_fail else nullcontext():
            found[job.name] = job.run(progress)
    return found


def show(page: Page, study: Any, outcomes: Mapping[str, Any]) -> None:
    """Show a study and its outcomes on a page of its own."""
    known = {name: outcome for name, outcome in outcomes.items() if outcome is not None}
    page.outcomes.clear()
    page.set_study(study)
    page.outcomes.update(known)  # all of them first, so that the page asks for none of them
    for name, outcome in known.items():
        page.show_outcome(name, outcome)


def discard(page: Page) -> None:
    """Delete a page at once."""
    page.close()
    page.deleteLater()
    QCoreApplication.sendPostedEvents(page, QEvent.Type.DeferredDelete)


def ensure_application() -> QApplication:
    """Return the Qt application; if there is none, create one that draws in the light colours."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(["dpdesigner"])
        application.setStyle("Fusion")
        theme().set_scheme("light")
    return application


def figures_of(page: Page) -> Iterator[Figure]:
    """Yield the non-empty figures of a page, its front view or the one that its design opens on first.

    Draw each before the next is requested. They show what is selected and may be public; those that are then replaced come last.
    """
    seen, selected = set[str](), page.public_view()
    opened = None if page.design is None else page.starting_view(page.design).get("view")
    views = sorted(page.views() or ("",), key=lambda view: (view != page.front_view, view != opened))
    for state in [{**kept, "view": view} for kept in (selected, {}) for view in views]:
        page.set_view_state(state)
        figures = page.figures()
        for figure in sorted(figures, key=lambda each: each.name != page.front) if page.front else figures:
            if figure.name not in seen and not picture_size(figure.widget, SIZE.width(), SIZE.height()).isEmpty():
                seen.add(figure.name)
                yield figure


def picture_size(widget: QWidget, width: int, height: int) -> QSize:
    """Return the size of a picture with this width, and this height unless the widget's height depends on its width."""
    return QSize(width, widget.heightForWidth(width) if widget.hasHeightForWidth() else height)


#: Small enough for the letters to be legible on a phone.
_SIZE = (480, 330)


def pictures_of(designs: Sequence[Export], progress: Progress = silent) -> dict[int, list[Picture]]:
    """Draw the pictures of those designs that need some, off the screen, by index of the design."""
    drawn: dict[int, list[Picture]] = {}
    for place, solved in enumerate(designs):
        if pictured(solved):
            with offscreen_page(solved.study, solved.computed(), progress) as shown:
                drawn[place] = front_first(list(_pictures(shown)))[0]
    return drawn


def shared(
    designs: Sequence[Export], scenes: Sequence[Scene], page_of: Callable[[str], Page], progress: Progress = silent
) -> Work:
    """Make an interactive page in steps, so that a window stays responsive; return a `SharedPage`."""
    drawn: dict[int, list[Picture]] = {}
    for place, solved in enumerate(designs):
        if not pictured(solved):
            continue
        canvas = page_of(solved.study.kind)
        yield from worked_out(canvas, solved.study, solved.computed())
        pictures: list[tuple[bool, Picture]] = []
        for each in _pictures(canvas):
            pictures.append(each)
            progress(place / len(designs), solved.title)
            yield None
        drawn[place] = front_first(pictures)[0]
    made = yield lambda progress: page(designs, scenes, drawn)
    return made


def _pictures(canvas: Page) -> Iterator[tuple[bool, Picture]]:
    for figure in figures_of(canvas):
        size = picture_size(figure.widget, *_SIZE)
        svg = figure_bytes(figure.widget, "svg", size).decode("utf-8")
        yield isinstance(figure.widget, CostBars), Picture(figure.title, svg, size.width(), size.height())


def front_first(drawn: Sequence[tuple[bool, Drawn]]) -> tuple[list[Drawn], int]:
    """Return pictures in reading order, and how many belong to the front: the main one and the first that compares alternatives.

    Parameters
    ----------
    drawn : sequence of (bool, picture)
        Whether it compares alternatives, and the picture, in the page's order.
    """
    front = [next((each for compares, each in drawn if compares is wanted), None) for wanted in (False, True)]
    first = [each for each in front if each is not None]
    return [*first, *(each for _, each in drawn if not any(each is other for other in first))], len(first)
