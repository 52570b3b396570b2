"""Reports with their figures, and the files made from them; the same with and without a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtGui import QPicture

from dpdesigner.desktop.background.waiting import Work, run_now
from dpdesigner.desktop.output.figures import figure_bytes
from dpdesigner.desktop.output.pictures import (
    Call,
    Drawable,
    compute,
    discard,
    ensure_application,
    figures_of,
    hidden_page,
    jobs_of,
    picture_size,
    show,
)
from dpdesigner.desktop.output.report_print import pdf_bytes, recorded
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.files.atomic import check_writable, write_together
from dpdesigner.files.export.export import Export
from dpdesigner.files.export.report import Chapter, Picture, Report, chapter, html, picture_name, report
from dpdesigner.studies.study import Progress, silent

#: Sizes of the first figure, which spans the page, and of the others, two of which are side by side.
_LARGE, _SMALL = (640, 420), (400, 280)


def _in_order(drawn: list[tuple[Picture, QPicture, bool]]) -> tuple[list[tuple[Picture, QPicture, bool]], int]:
    """Return the figures, the first that compares alternatives right behind the main one; and how many of them come first."""
    compares = next((each for each in drawn[1:] if each[2]), None)
    if compares is None:
        return drawn, min(len(drawn), 1)
    return [drawn[0], compares, *(each for each in drawn[1:] if each is not compares)], 2


@dataclass
class Illustrated:
    """A report in progress: its chapters so far, and their figures recorded for printing.

    Attributes
    ----------
    title : str
    chapters : list of Chapter
    together : sequence of str
        What the designs that concern the same people have together.
    recorded : dict
        The figures by the names that they have on a page for print.
    """

    title: str
    chapters: list[Chapter] = field(default_factory=list)
    together: Sequence[str] = ()
    recorded: dict[str, QPicture] = field(default_factory=dict)

    def add(self, plain: Chapter, page: Drawable) -> Iterator[None]:
        """Add a chapter with the figures of a page that shows its design; yield in between, so that a window stays responsive."""
        drawn: list[tuple[Picture, QPicture, bool]] = []
        for figure in figures_of(page):  # a page may show one after the other in the same widget
            size = picture_size(figure.widget, *(_SMALL if drawn else _LARGE))
            svg = figure_bytes(figure.widget, "svg", size, light=True).decode("utf-8")
            yield
            picture = Picture(figure.title, svg, size.width(), size.height())
            drawn.append((picture, recorded(figure, size), isinstance(figure.widget, CostBars)))
            yield
        drawn, front = _in_order(drawn)
        number = len(self.chapters) + 1
        for place, (_, on_paper, _) in enumerate(drawn, 1):
            self.recorded[picture_name(number, place)] = on_paper
        self.chapters.append(plain.illustrated([picture for picture, _, _ in drawn], front))

    def finished(self) -> Report:
        """Return the report."""
        return report(self.title, self.chapters, together=self.together)

    def write(self, paths: Sequence[Path], progress: Progress = silent) -> None:
        """Write the report to .html or .pdf files, all of them or none; create missing folders.

        Raises
        ------
        InputError
            If a file cannot be written.
        """
        for path in paths:
            check_writable(path)
        whole = self.finished()

        def made() -> Iterator[tuple[Path, str | bytes]]:
            for k, path in enumerate(paths):
                progress(k / len(paths), path.name)
                yield path, pdf_bytes(whole, self.recorded) if path.suffix.lower() == ".pdf" else html(whole)
            progress(None)

        write_together(made())


def illustrated(
    title: str,
    designs: Sequence[Export],
    page_of: Callable[[str], Drawable],
    progress: Progress = silent,
    together: Sequence[str] = (),
) -> Work:
    """Make a report of solved designs in steps; return an `Illustrated`.

    Parameters
    ----------
    title : str
    designs : sequence of Export
    page_of : callable
        Returns a page of a kind of study, to draw on; the one before is not needed any more.
    progress : Progress
        Told in the window's thread how far the drawing is.
    together : sequence of str
        As of `dpdesigner.files.export.report.spent_together`.
    """
    made = Illustrated(title, together=together)
    for k, solved in enumerate(designs):
        page = page_of(solved.study.kind)
        yield None
        plain, outcomes = yield partial(_worked_out, solved, jobs_of(page, solved.study))
        show(page, solved.study, outcomes)
        yield None
        for _ in made.add(plain, page):
            progress(k / len(designs), solved.title)
            yield None
    return made


def _worked_out(solved: Export, calls: Mapping[str, Call], progress: Progress) -> tuple[Chapter, Mapping[str, Any]]:
    """The parts of a report about a design, with the pictures of its page."""
    progress(None, solved.title)
    return chapter(solved), compute(calls, solved.computed(), progress)


def write_report(
    title: str, designs: Sequence[Export], paths: Sequence[Path], progress: Progress = silent, together: Sequence[str] = ()
) -> None:
    """Write a report of solved designs to .html or .pdf files, drawing off the screen; see `Illustrated.write`."""
    ensure_application()
    with ExitStack() as ending:

        def page_of(kind: str) -> Drawable:
            ending.close()  # discard the previous page
            page = hidden_page(kind)
            ending.callback(discard, page)
            return page

        made: Illustrated = run_now(illustrated(title, designs, page_of, progress, together), progress)
    made.write(paths, progress)
