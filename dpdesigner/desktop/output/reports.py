"""Reports with their figures, and the files made of them; works without a window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtGui import QPicture

from dpdesigner.desktop.output.figures import figure_bytes
from dpdesigner.desktop.output.pictures import figures_of, offscreen_page, picture_size
from dpdesigner.desktop.output.report_print import pdf_bytes, recorded
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.files.atomic import check_writable, write_atomically
from dpdesigner.files.report.report import Chapter, Picture, Report, chapter, report
from dpdesigner.files.report.report_html import html, picture_name
from dpdesigner.files.takeaway.takeaway import Takeaway
from dpdesigner.studies.study import Progress, silent

#: Of the first figure, which has the whole width of the page, and of the others, two of which stand side by side.
_LARGE, _SMALL = (640, 420), (400, 280)


@dataclass
class Illustrated:
    """A report under way: its chapters so far, and their figures recorded for paper.

    Attributes
    ----------
    title : str
    chapters : list of Chapter
    recorded : dict
        The figures by the names that they have on a page for print.
    """

    title: str
    chapters: list[Chapter] = field(default_factory=list)
    recorded: dict[str, QPicture] = field(default_factory=dict)

    def add(self, plain: Chapter, page: Page) -> Iterator[None]:
        """Add a chapter with the figures of a page that shows its design; stops on the way, so that a window stays alive."""
        pictures: list[Picture] = []
        number = len(self.chapters) + 1
        for figure in figures_of(page):
            size = picture_size(figure.widget, *(_SMALL if pictures else _LARGE))
            svg = figure_bytes(figure.widget, "svg", size, light=True).decode("utf-8")
            pictures.append(Picture(figure.title, svg, size.width(), size.height()))
            yield
            self.recorded[picture_name(number, len(pictures))] = recorded(figure, size)
            yield
        self.chapters.append(plain.illustrated(pictures))

    def finished(self) -> Report:
        """Return the report."""
        return report(self.title, self.chapters)

    def write(self, paths: Sequence[Path], progress: Progress = silent) -> None:
        """Write the report to files that end in .html or .pdf, each as a whole or not at all; folders are made.

        Raises
        ------
        InputError
            If a file cannot be written.
        """
        for path in paths:
            check_writable(path)
        whole = self.finished()
        for k, path in enumerate(paths):
            progress(k / len(paths), path.name)
            write_atomically(path, pdf_bytes(whole, self.recorded) if path.suffix.lower() == ".pdf" else html(whole))


def write_report(title: str, designs: Sequence[Takeaway], paths: Sequence[Path], progress: Progress = silent) -> None:
    """Write a report of solved designs to files that end in .html or .pdf, drawing off the screen; see `Illustrated.write`."""
    made = Illustrated(title)
    for solved in designs:
        progress(None, solved.title)
        with offscreen_page(solved.study, solved.computed(), progress) as page:
            for _ in made.add(chapter(solved), page):
                progress(None)
    made.write(paths, progress)
