"""A sheet of 1280 by 720 for drawing the scenes at any window size: cards, texts, bars."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QTextDocument,
    QTextOption,
)

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.colours import DARK, DARK_HIGH, Colours

Align = Literal["left", "right", "centre"]

WIDTH, HEIGHT = 1280, 720
#: Colour and strength of the dimming over the user's work.
DIM, STRENGTH = "#0d1117", 0.88
_ALIGN = {"left": Qt.AlignmentFlag.AlignLeft, "right": Qt.AlignmentFlag.AlignRight, "centre": Qt.AlignmentFlag.AlignHCenter}


class Sheet:
    """Draws in the sheet's own units.

    Parameters
    ----------
    painter : QPainter
        Already scaled to the sheet.
    colours : Colours
        Of the cards; what stands on the dimmed ground is always bright.
    """

    def __init__(self, painter: QPainter, colours: Colours) -> None:
        self.painter, self.on_card = painter, colours
        self.on_ground = DARK_HIGH if colours.high else DARK
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)

    def card(self, left: float, top: float, width: float, height: float) -> None:
        """Draw a bright card with its shadow."""
        painter, box = self.painter, QRectF(left, top, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        for grown in (9, 6, 3):
            painter.setBrush(QColor(0, 0, 0, 34))
            painter.drawRoundedRect(box.adjusted(-grown, -grown + 4, grown, grown + 4), 12 + grown, 12 + grown)
        painter.setPen(QPen(QColor(self.on_card.hairline if not self.on_card.dark else self.on_card.edge), 1))
        painter.setBrush(QColor(self.on_card.card))
        painter.drawRoundedRect(box, 12, 12)

    def text(
        self,
        words: str,
        left: float,
        top: float,
        width: float,
        size: float = 13.5,
        ink: str = "text",
        *,
        align: Align = "left",
        bold: bool = False,
        ground: bool = False,
    ) -> None:
        """Write a text with ``<b>`` and ``<w>`` (warm), wrapped in a width."""
        colours = self.on_ground if ground else self.on_card
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(_font(size, bold))
        document.setDefaultTextOption(QTextOption(_ALIGN[align]))
        document.setHtml(words.replace("<w>", f'<b style="color:{colours.selected}">').replace("</w>", "</b>"))
        document.setTextWidth(width)
        self.painter.save()
        self.painter.translate(left, top)
        context = QAbstractTextDocumentLayout.PaintContext()
        colour = "#ffffff" if ground and ink == "text" else getattr(colours, ink)
        context.palette.setColor(QPalette.ColorRole.Text, QColor(colour))
        document.documentLayout().draw(self.painter, context)
        self.painter.restore()

    def level(self, left: float, right: float, y: float, ink: str) -> None:
        """Draw a horizontal line in a colour of the cards."""
        self.painter.setPen(QPen(QColor(getattr(self.on_card, ink)), 1))
        self.painter.drawLine(QPointF(left, y), QPointF(right, y))

    def arrow(self, start: float, end: float, y: float, colour: str, width: float = 2.5) -> None:
        """Draw a horizontal arrow on the background."""
        way = 1 if end > start else -1
        self.painter.setPen(QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        self.painter.drawLine(QPointF(start, y), QPointF(end, y))
        for side in (-9, 9):
            self.painter.drawLine(QPointF(end, y), QPointF(end - 10 * way, y + side))

    def dot(self, x: float, y: float, radius: float, colour: str, *, hollow: bool = False) -> None:
        """Draw a round dot, or a ring."""
        self.painter.setPen(QPen(QColor(colour), 2) if hollow else Qt.PenStyle.NoPen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush if hollow else QColor(colour))
        self.painter.drawEllipse(QPointF(x, y), radius, radius)

    def person(self, x: float, y: float, size: float, colour: str, *, hollow: bool = False) -> None:
        """Draw a person: a head above shoulders, `size` high, around (x, y)."""
        path = QPainterPath()
        path.addEllipse(QPointF(x, y - size * 0.27), size * 0.19, size * 0.19)
        body = QRectF(x - size * 0.32, y, size * 0.64, size)
        path.moveTo(body.left(), y + size * 0.46)
        path.arcTo(body, 180, -180)
        path.closeSubpath()
        self.painter.setPen(QPen(QColor(colour), 2) if hollow else Qt.PenStyle.NoPen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush if hollow else QColor(colour))
        self.painter.drawPath(path)

    def bars(
        self,
        box: QRectF,
        values: Floats,
        top: float,
        *,
        hot: Collection[int] = (),
        named: Sequence[int] = (),
        every: int = 2,
    ) -> None:
        """Draw bars over 0, 1, 2, … with their numbers below.

        Parameters
        ----------
        box : QRectF
            Of the bars; the numbers stand below it.
        values : ndarray
        top : float
            The value of a bar as high as the box.
        hot : collection of int
            Which of them are warm.
        named : sequence of int
            Whose numbers are bold, and shown in any case.
        every : int
            Which numbers are shown.
        """
        painter, step = self.painter, box.width() / len(values)
        gap = min(1.0, step / 8)
        painter.setPen(Qt.PenStyle.NoPen)
        for k, value in enumerate(values):
            high = box.height() * min(float(value) / top, 1.0)
            painter.setBrush(QColor(self.on_card.selected if k in hot else self.on_card.accent))
            painter.drawRect(QRectF(box.left() + k * step + gap, box.bottom() - high, step - 2 * gap, high))
        self.level(box.left(), box.right(), box.bottom(), "edge")
        for k in range(len(values)):
            if k in named or (k % every == 0 and not any(abs(k - other) * 2 <= every for other in named)):
                colour = "selected" if k in hot else "text" if k in named else "muted"
                left = box.left() + (k + 0.5) * step - 20
                self.text(str(k), left, box.bottom() + 6, 40, 12, colour, align="centre", bold=k in named)

    def outline(self, box: QRectF, values: Floats, top: float) -> None:
        """Draw dashed bars."""
        step, painter = box.width() / len(values), self.painter
        pen = QPen(QColor(self.on_card.muted), 1.2)
        pen.setDashPattern([2.5, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for k, value in enumerate(values):
            high = box.height() * min(float(value) / top, 1.0)
            if high > 0.4:
                painter.drawRect(QRectF(box.left() + k * step + 1, box.bottom() - high, step - 2, high))

    def upright(self, box: QRectF, count: int, at: float, words: str) -> None:
        """Draw a dotted vertical line at a count, with its name."""
        x = box.left() + (at + 0.5) * box.width() / count
        pen = QPen(QColor(self.on_card.text), 1.5)
        pen.setDashPattern([2, 2])
        self.painter.setPen(pen)
        self.painter.drawLine(QPointF(x, box.top() - 4), QPointF(x, box.bottom()))
        self.text(words, x + 7, box.top() - 2, 150, 12, "muted")


def _font(size: float, bold: bool = False) -> QFont:
    """Return the application's font at this height in sheet units."""
    letters = QFont(QGuiApplication.font())
    letters.setPixelSize(max(1, round(size)))
    letters.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return letters
