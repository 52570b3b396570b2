"""A report on paper: as a PDF file and to a printer, laid out by Qt's text engine from the report's own HTML."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QPagedPaintDevice,
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

from dpdesigner.desktop.output.figures import draw_figure
from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.files.export.report import Report, html

_DOTS_PER_INCH = 1200
_TITLE = 20  # pixels above a figure
_MARGIN = 2.0  # centimetres around a page, as set by Qt's text engine
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
    painter.drawText(QRect(0, 0, size.width(), _TITLE), Qt.AlignmentFlag.AlignVCenter, figure.title)
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
        The figures by the names of `dpdesigner.files.export.report.picture_name`.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DOTS_PER_INCH)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF())  # the text engine has its own
    writer.setTitle(report.title)
    writer.setCreator("dpdesigner")
    print_report(report, pictures, writer)
    del writer  # deleting the writer completes the file
    return bytes(buffer.data().data())


def print_report(report: Report, pictures: Mapping[str, QPicture], device: QPagedPaintDevice) -> None:
    """Print a report on a printer or into a PDF file; parameters as `pdf_bytes`."""
    document = QTextDocument()
    document.documentLayout().registerHandler(QTextFormat.ObjectTypes.ImageObject.value, _Figures(pictures, document))
    document.setHtml(html(report, for_print=True))
    for place in _lonely_headings(document, pictures, device):
        _start_page(document.findBlockByNumber(place))
    document.print_(device)


def _lonely_headings(document: QTextDocument, pictures: Mapping[str, QPicture], device: QPagedPaintDevice) -> list[int]:
    """Return the numbers of the headings that would be left at the foot of a page, unless they start a new page."""
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
        if first.blockFormat().headingLevel() and block.isValid() and _page(first) != _page(block):
            headings.append(first.blockNumber())
            _start_page(first)
    return headings


def _page(block: QTextBlock) -> int:
    """Return the page of a block's first line, or of the block if it has no line."""
    document, lines = block.document(), block.layout()
    top = document.documentLayout().blockBoundingRect(block).top()
    if lines.lineCount():  # asking Qt for a missing line would crash
        top += lines.lineAt(0).y()
    return int(top / document.pageSize().height())


def _start_page(block: QTextBlock) -> None:
    """Make a block start a new page."""
    style = block.blockFormat()
    style.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
    QTextCursor(block).setBlockFormat(style)
