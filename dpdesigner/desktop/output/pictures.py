"""Pictures of a design without a window: its page, created off the screen, and each of its figures drawn.

A page can be made, given a study and what was computed for it, and asked for its figures whether or not it is ever shown. So the
command line, the report and the export dialog draw every kind of design in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtWidgets import QApplication, QWidget

from dpdesigner.desktop.background.waiting import Work
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.output.figures import figure_bytes
from dpdesigner.desktop.pages.kit.page import Figure, Page
from dpdesigner.desktop.pages.kit.summary import HiddenPage
from dpdesigner.files.atomic import write_into
from dpdesigner.files.export import Export
from dpdesigner.files.formatting import file_name
from dpdesigner.files.project import Scene
from dpdesigner.files.report import Picture
from dpdesigner.files.share import page, pictured
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import Progress, silent

#: Pictures are drawn at this size, regardless of the window's, so that they look alike everywhere.
SIZE = QSize(900, 700)

_PAGE_SIZE = QSize(1280, 720)

Call = Callable[[Progress], Any]
#: Objects that can provide figures.
Drawable = Page | HiddenPage


def save_figures(
    solved: Export, folder: str | Path, name: str, endings: Sequence[str], progress: Progress = silent
) -> list[Path]:
    """Draw every figure of a design in the light colours, as ``NAME-FIGURE.ENDING``, into a folder; see `write_into`."""
    progress(None, solved.title)
    with offscreen_page(solved.study, solved.computed(), progress) as page:
        return write_into(folder, draw_figures(page, file_name(name), endings, light=True), progress)


def draw_figures(page: Drawable, name: str, endings: Sequence[str], *, light: bool | None = None) -> Iterator[tuple[str, bytes]]:
    """Draw the figures of all views of a page one by one, and yield the name and the contents of each file.

    Of figures that look the same, such as a mechanism that is the geometric one and the geometric mechanism, the first is drawn.

    Parameters
    ----------
    page : Page or HiddenPage
    name : str
        The files' names start with it.
    endings : sequence of str
        Of ``"png"``, ``"svg"``, ``"pdf"``.
    light : bool, optional
        As for `figure_bytes`.
    """
    drawn = set[bytes]()
    for figure in figures_of(page):
        size = picture_size(figure.widget, SIZE.width(), SIZE.height())
        image = figure_bytes(figure.widget, "png", size, light=light) if endings else b""
        if image in drawn:
            continue
        drawn.add(image)
        for ending in endings:
            contents = image if ending == "png" else figure_bytes(figure.widget, ending, size, light=light)
            yield f"{name}-{figure.name}.{ending}", contents


@contextmanager
def offscreen_page(study: Any, computed: Mapping[str, Any], progress: Progress = silent) -> Iterator[Drawable]:
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
        show(page, study, compute(jobs_of(page, study), computed, progress))
        yield page
    finally:
        discard(page)


def hidden_page(kind: str, parent: QWidget | None = None) -> Drawable:
    """Create the page of a kind of study without showing it."""
    page: Drawable = entry(kind).page_class().hidden(parent)
    if isinstance(page, Page):
        page.resize(_PAGE_SIZE)
    return page


def jobs_of(page: Drawable, study: Any) -> dict[str, Call]:
    """Return the jobs of a page for a study, by name; call this in the window's thread."""
    page.set_study(study)
    return {job.name: job.run for job in page.jobs(study)}


def compute(calls: Mapping[str, Call], computed: Mapping[str, Any], progress: Progress = silent) -> dict[str, Any]:
    """Return the outcomes of all jobs, running those not computed yet; this touches no widget."""
    return {**computed, **{name: call(progress) for name, call in calls.items() if name not in computed}}


def show(page: Drawable, study: Any, outcomes: Mapping[str, Any]) -> None:
    """Show a study and its outcomes on a page of its own."""
    page.outcomes.clear()
    page.set_study(study)
    for name, outcome in outcomes.items():
        if outcome is not None:
            page.outcomes[name] = outcome
            page.show_outcome(name, outcome)


def discard(page: Drawable) -> None:
    """Delete a page at once."""
    if isinstance(page, Page):
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


def figures_of(page: Drawable) -> Iterator[Figure]:
    """Yield the non-empty figures of all views of a page; each must be drawn before the next is requested."""
    seen: set[str] = set()
    for view in page.views() or ("",):
        page.set_view_state({"view": view})
        for figure in page.figures():
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
                drawn[place] = list(_pictures(shown))
    return drawn


def shared(
    designs: Sequence[Export], scenes: Sequence[Scene], page_of: Callable[[str], Drawable], progress: Progress = silent
) -> Work:
    """Make an interactive page in steps, so that a window stays responsive; return a `SharedPage`."""
    drawn: dict[int, list[Picture]] = {}
    for place, solved in enumerate(designs):
        if not pictured(solved):
            continue
        canvas = page_of(solved.study.kind)
        yield None
        outcomes = yield partial(compute, jobs_of(canvas, solved.study), solved.computed())
        show(canvas, solved.study, outcomes)
        yield None
        drawn[place] = []
        for picture in _pictures(canvas):
            drawn[place].append(picture)
            progress(place / len(designs), solved.title)
            yield None
    made = yield lambda progress: page(designs, scenes, drawn)
    return made


def _pictures(canvas: Drawable) -> Iterator[Picture]:
    for figure in figures_of(canvas):
        size = picture_size(figure.widget, *_SIZE)
        svg = figure_bytes(figure.widget, "svg", size, light=True).decode("utf-8")
        yield Picture(figure.title, svg, size.width(), size.height())
