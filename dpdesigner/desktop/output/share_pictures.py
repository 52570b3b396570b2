"""The pictures of an interactive page, for designs without a live script; the same with and without a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from dpdesigner.desktop.background.waiting import Work
from dpdesigner.desktop.output.figures import figure_bytes
from dpdesigner.desktop.output.pictures import Drawable, compute, figures_of, jobs_of, offscreen_page, picture_size, show
from dpdesigner.files.export.export import Export
from dpdesigner.files.export.report import Picture
from dpdesigner.files.export.share import page, pictured
from dpdesigner.files.project import Scene
from dpdesigner.studies.study import Progress, silent

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
