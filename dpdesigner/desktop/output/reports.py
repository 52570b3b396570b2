"""Reports with their figures: as files, and on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import (
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPicture,
    QPyTextObject,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from dpdesigner.desktop.background.waiting import Work, run_now
from dpdesigner.desktop.output.pictures import (
    discard,
    draw_figure,
    draw_title,
    ensure_application,
    figure_bytes,
    figures_of,
    front_first,
    hidden_page,
    picture_size,
    worked_out,
)
from dpdesigner.desktop.pages.kit.page import Figure, Page
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.files.atomic import check_writable, write_together
from dpdesigner.files.export import Export
from dpdesigner.files.report import Chapter, Picture, Report, chapter, html, picture_name, report
from dpdesigner.studies.study import Progress, silent

_DOTS_PER_INCH = 1200
_TITLE = 20  # pixels above a figure
_MARGIN = 2.0  # centimetres around a page, as set by Qt's text engine
_LEAST_MARGINS = QMarginsF(2, 2, 2, 2)  # millimetres more, which `print_` would set in place of 0 after the layout was foreseen
_SCREEN_DOTS = 96  # per inch: the unit of sizes in HTML


class _Figures(QPyTextObject):
    """Draws recorded pictures for the images of these names in a document, as vectors instead of pixels."""

    def __init__(self, pictures: Mapping[str, QPicture], parent: QTextDocument) -> None:
        super().__init__(parent)
        self._pictures = pictures

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        """Return the size in dots of the paper: the width given by the page, and the corresponding height."""
        image, paper = format.toImageFormat(), doc.documentLayout().paintDevice()
        drawn = self._pictures[image.name()].boundingRect()
        width = image.width() * (paper.logicalDpiX() / _SCREEN_DOTS if paper else 1)
        return QSizeF(width, width * drawn.height() / drawn.width())

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, posInDocument: int, format: QTextFormat
    ) -> None:
        """Draw the picture into its rectangle."""
        picture = self._pictures[format.toImageFormat().name()]
        finer = painter.device().logicalDpiX() / picture.logicalDpiX()  # the factor by which a recorded picture enlarges itself
        scale = rect.width() / picture.boundingRect().width() / finer
        painter.save()
        painter.translate(rect.topLeft())
        painter.scale(scale, scale)
        painter.drawPicture(0, 0, picture)
        painter.restore()


def recorded(figure: Figure, size: QSize) -> QPicture:
    """Return a figure of this size with its title above it, recorded for printing."""
    picture = QPicture()
    painter = QPainter(picture)
    font = painter.font()
    font.setBold(True)
    painter.setFont(font)
    draw_title(painter, QRectF(0, 0, size.width(), _TITLE), figure.title)
    painter.translate(0, _TITLE)
    draw_figure(painter, figure.widget, size)
    painter.end()
    picture.setBoundingRect(QRect(0, 0, size.width(), size.height() + _TITLE))
    return picture


def pdf_bytes(report: Report, pictures: Mapping[str, QPicture]) -> bytes:
    """Return a report as the contents of a PDF file: A4, with page numbers.

    Parameters
    ----------
    report : Report
    pictures : mapping
        The figures by the names of `dpdesigner.files.report.picture_name`.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DOTS_PER_INCH)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF())
    writer.setTitle(report.title)
    writer.setCreator("dpdesigner")
    print_report(report, pictures, writer)
    del writer  # deleting the writer completes the file
    return bytes(buffer.data().data())


def print_report(report: Report, pictures: Mapping[str, QPicture], device: QPagedPaintDevice) -> None:
    """Print a report on a printer or into a PDF file; parameters as `pdf_bytes`."""
    document = QTextDocument()
    document.documentLayout().registerHandler(QTextFormat.ObjectTypes.ImageObject.value, _Figures(pictures, document))
    document.setHtml(html(report, for_print=True).replace("\u202f", "\u00a0"))  # the only space at which Qt never breaks a line
    if device.pageLayout().margins() == QMarginsF():
        device.setPageMargins(_LEAST_MARGINS, QPageLayout.Unit.Millimeter)
    for place in _lonely_headings(document, pictures, device):
        _start_page(document.findBlockByNumber(place))
    document.print_(device)


def _lonely_headings(document: QTextDocument, pictures: Mapping[str, QPicture], device: QPagedPaintDevice) -> list[int]:
    """Return the numbers of the headings to start a new page: those at its foot, and those of sections that fit on one page."""
    laid_out = document.clone()
    layout = laid_out.documentLayout()
    layout.setPaintDevice(device)
    layout.registerHandler(QTextFormat.ObjectTypes.ImageObject.value, _Figures(pictures, laid_out))
    margins = laid_out.rootFrame().frameFormat()
    margins.setMargin(int(_MARGIN / 2.54 * _SCREEN_DOTS))  # the margin that `print_` leaves
    laid_out.rootFrame().setFrameFormat(margins)
    laid_out.setPageSize(QSizeF(device.width(), device.height()))
    laid_out.pageCount()  # lays out everything: blocks of a partly laid-out document lose their lines when it changes
    headings, block = [], laid_out.begin()
    while block.isValid():
        first, block = block, block.next()
        while first.blockFormat().headingLevel() and block.isValid() and block.blockFormat().headingLevel():
            block = block.next()
        if not (first.blockFormat().headingLevel() and block.isValid()):
            continue
        if _page(first) != _page(block) or _low(block) or _torn(first, block):
            headings.append(first.blockNumber())
            _start_page(first)
    return headings


def _page(block: QTextBlock) -> int:
    """Return the page of a block's first line, or of the block if it has no line."""
    return int(_top(block, 0) / block.document().pageSize().height())


def _top(block: QTextBlock, line: int) -> float:
    """Return the top of one of a block's lines, or of the block if it has none.

    The rectangle of a block does not tell: its lines may be on the next page.
    """
    lines = block.layout()
    within = lines.lineAt(line % lines.lineCount()).y() if lines.lineCount() else 0.0  # Qt crashes for a missing line
    return block.document().documentLayout().blockBoundingRect(block).top() + within


_LOW = 0.89  # of the page: from here on there is hardly room for one line


def _low(block: QTextBlock) -> bool:
    """Return whether a block begins at the foot of a page, where at most its first line fits."""
    document = block.document()
    return document.documentLayout().blockBoundingRect(block).top() / document.pageSize().height() % 1 > _LOW


def _torn(first: QTextBlock, block: QTextBlock) -> bool:
    """Return whether a section, from its first heading to the next one, is on two pages and would fit on one."""
    last = block
    while (after := last.next()).isValid() and not after.blockFormat().headingLevel():
        last = after
    end, height = _top(last, -1), first.document().pageSize().height()
    fits = end - _top(first, 0) < height  # of two pages the margins between them are in it
    return fits and _page(first) != int(end / height)


def _start_page(block: QTextBlock) -> None:
    """Make a block start a new page."""
    style = block.blockFormat()
    style.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
    QTextCursor(block).setBlockFormat(style)


#: Sizes of the figures of the first page, which span it, and of the others: two side by side, and four rows on a page.
_LARGE, _SMALL = (612, 410), (400, 250)
_TALLEST = 540  # pixels: a main figure that is higher looks stretched
_PAPER = QSizeF(627, 956)  # pixels of A4 within its margins
_OTHERS, _ENTRY = 250, 18  # pixels: bars of alternatives with the titles of both figures, and an entry of the list of chapters


def _height(title: str, plain: Chapter, together: Sequence[str], listed: int) -> int:
    """Return the height of a chapter's main figure: what its texts leave on its first page, within limits."""
    document = QTextDocument()
    alone = replace(plain, pictures=(), later=(), remark="")
    document.setHtml(html(report(title, [alone], together=together), for_print=True))
    document.setTextWidth(_PAPER.width())
    block = document.begin()
    while block.next().isValid() and not block.text().startswith("Appendix"):
        block = block.next()
    left = _PAPER.height() - _top(block, 0) - _OTHERS - _ENTRY * listed
    return int(min(max(left, _LARGE[1]), _TALLEST))


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
    listed: int = 0  #: chapters in the list on the first page

    def add(self, plain: Chapter, page: Page) -> Iterator[None]:
        """Add a chapter with the figures of a page that shows its design; yield in between, so that a window stays responsive."""
        drawn: list[tuple[bool, tuple[Picture, QPicture]]] = []
        large = _LARGE[0], _height(self.title, plain, self.together, self.listed)
        seen = set[bool]()  # whether the main figure is drawn, and the first that compares alternatives
        for figure in figures_of(page):  # a page may show one after the other in the same widget
            compares = isinstance(figure.widget, CostBars)
            size = picture_size(figure.widget, *(_SMALL if compares in seen else large))
            seen.add(compares)
            svg = figure_bytes(figure.widget, "svg", size).decode("utf-8")
            yield
            picture = Picture(figure.title, svg, size.width(), size.height())
            drawn.append((compares, (picture, recorded(figure, size))))
            yield
        figures, front = front_first(drawn)
        number = len(self.chapters) + 1
        for place, (_, on_paper) in enumerate(figures, 1):
            self.recorded[picture_name(number, place)] = on_paper
        self.chapters.append(plain.illustrated([picture for picture, _ in figures], front))

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
    page_of: Callable[[str], Page],
    progress: Progress = silent,
    together: Sequence[str] = (),
    views: Mapping[int, Mapping[str, Any]] = MappingProxyType({}),
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
        As of `dpdesigner.files.report.spent_together`.
    views : mapping
        What is selected on pages, by the place of their design.
    """
    made = Illustrated(title, together=together, listed=len(designs) if len(designs) > 1 else 0)
    for k, solved in enumerate(designs):
        page = page_of(solved.study.kind)
        plain = yield partial(_chapter, solved)
        if solved.bare:  # the page shows what is left out
            made.chapters.append(plain)
            continue
        yield from worked_out(page, solved.study, solved.computed())
        page.set_view_state(views.get(k, page.view_state()))
        for _ in made.add(plain, page):
            progress(k / len(designs), solved.title)
            yield None
    return made


def _chapter(solved: Export, progress: Progress) -> Chapter:
    progress(None, solved.title)
    solved.prepare(progress)
    return chapter(solved)


def write_report(
    title: str, designs: Sequence[Export], paths: Sequence[Path], progress: Progress = silent, together: Sequence[str] = ()
) -> None:
    """Write a report of solved designs to .html or .pdf files, drawing off the screen; see `Illustrated.write`."""
    ensure_application()
    with ExitStack() as ending:

        def page_of(kind: str) -> Page:
            ending.close()  # discard the previous page
            page = hidden_page(kind)
            ending.callback(discard, page)
            return page

        made: Illustrated = run_now(illustrated(title, designs, page_of, progress, together), progress)
    made.write(paths, progress)
