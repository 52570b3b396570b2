"""The rules as bars: how often each gets it right, how far short it falls; and what each paper's constant says and has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from dpdesigner.core.numbers.rounding import brief, figure
from dpdesigner.desktop.widgets.plot.bar_list import BarList
from dpdesigner.desktop.widgets.plot.plot_layer import colour, font, line, px

_ROW, _HEAD = 33, 16  # pixels at text scale 1
_BAR = 9
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class _Rows(BarList):
    """Rows of one height, below a line that is `head` pixels high at text scale 1."""

    def __init__(self, name: str, head: float = 0.0) -> None:
        super().__init__(name)
        self._keys: Sequence[str] = ()
        self._head = head

    def key(self, place: int) -> str:
        """Return the key of a row."""
        return self._keys[place]

    def boxes(self) -> list[QRectF]:
        """Return where the rows are."""
        high = round(px(_ROW))
        return [QRectF(0, px(self._head) + place * high, self.width(), high - px(2)) for place in range(len(self._keys))]

    def sizeHint(self) -> QSize:
        """Return a height for all rows."""
        return QSize(round(px(290)), round(px(self._head)) + round(px(_ROW)) * max(len(self._keys), 1) + 4)

    def minimumSizeHint(self) -> QSize:
        """Return the same height, and a width at which names can be read."""
        return QSize(round(px(200)), self.sizeHint().height())


@dataclass(frozen=True)
class RuleRow:
    """One rule: its key, name, what it is the same as, the chance that it gets it right, how far short it falls, as texts too."""

    key: str
    title: str
    note: str
    chance: float | None
    text: str
    short: str
    role: str = "accent"  # a colour; "limit" for the outline of what no rule exceeds
    chosen: bool = False


class RuleBars(_Rows):
    """A bar for each rule; a rule that is chosen is drawn."""

    def __init__(self) -> None:
        super().__init__(self.tr("How often each rule gets it right"))
        self._rows: Sequence[RuleRow] = ()
        self._unit = ""

    def show_rows(self, rows: Sequence[RuleRow], unit: str) -> None:
        """Show these rules; `unit` stands over the numbers at the right."""
        resized = len(rows) != len(self._rows)
        self._rows, self._unit, self._keys = rows, unit, [row.key for row in rows]
        self.renew(resized=resized)

    def texts(self) -> list[str]:
        """Return each bar in words."""
        return [f"{row.title}: {row.text}" + (f", {row.short}" if row.short else "") for row in self._rows]

    def draw(self, painter: QPainter) -> None:
        """Paint all bars."""
        for place, (box, row) in enumerate(zip(self.boxes(), self._rows, strict=True)):
            self._paint_row(painter, box, row, self._unit if place == 0 else "")

    def _paint_row(self, painter: QPainter, box: QRectF, row: RuleRow, unit: str) -> None:
        if row.chosen:
            painter.fillRect(box, colour("accent_soft"))
        left = box.left() + px(5)
        kept = QFontMetricsF(font(7.5)).horizontalAdvance(unit) + px(6) if unit else 0.0
        painter.setFont(font(8, bold=row.chosen))
        painter.setPen(colour("text" if row.chosen else "muted"))
        y, metrics = box.top() + px(12), QFontMetricsF(painter.font())
        title = metrics.elidedText(row.title, Qt.TextElideMode.ElideRight, box.width() - px(15) - kept)
        painter.drawText(QPointF(left, y), title)
        used = metrics.horizontalAdvance(title)
        painter.setFont(font(7.5))
        painter.setPen(colour("muted"))
        note = QFontMetricsF(painter.font()).elidedText(row.note, Qt.TextElideMode.ElideRight, box.width() - used - px(16) - kept)
        painter.drawText(QPointF(left + used + px(7), y), note)
        painter.drawText(QRectF(left, box.top(), box.width() - px(10), px(16)), int(Qt.AlignmentFlag.AlignRight), unit)
        self._paint_bar(painter, box, left, row)

    def _paint_bar(self, painter: QPainter, box: QRectF, left: float, row: RuleRow) -> None:
        top, whole = box.top() + px(17), (box.width() - px(10)) * 0.56
        width = whole * (row.chance or 0.0)
        if row.chance is not None:
            if row.role == "limit":
                painter.setPen(line("muted"))
                painter.setBrush(colour("card"))
                painter.drawRoundedRect(QRectF(left, top, max(width, 2.0), px(_BAR)), 2, 2)
            else:
                painter.fillRect(QRectF(left, top, max(width, 1.0), px(_BAR)), colour(row.role))
        painter.setFont(font(8.5, bold=row.chosen))
        painter.setPen(colour("text" if row.chosen else "muted"))
        painter.drawText(QPointF(left + width + px(6), top + px(_BAR)), row.text)
        painter.drawText(QRectF(left, top - px(4), box.width() - px(10), px(18)), _RIGHT, row.short)


@dataclass(frozen=True)
class Paper:
    """A printed constant: formula, source, the epsilon that it is called by, and the one that it has."""

    key: str
    formula: str
    source: str
    says: float
    has: float

    @property
    def wrong(self) -> bool:
        """Whether it has less privacy than it says."""
        return self.has > self.says * (1 + 1e-9)

    @property
    def has_text(self) -> str:
        """The epsilon that it has, rounded up: never less than the truth."""
        return figure(self.has, 3)


class PapersView(_Rows):
    """What each paper's constant says, a ring, and has, a disc, beside what was asked; one that is chosen is drawn."""

    def __init__(self) -> None:
        super().__init__(self.tr("What each paper’s constant says and has"), head=_HEAD)
        self._papers: Sequence[Paper] = ()
        self._asked = 1.0
        self.setToolTip(self.tr("Click a constant to see its chances"))

    def show_papers(self, papers: Sequence[Paper], asked: float) -> None:
        """Show these."""
        self._papers, self._asked, self._keys = papers, asked, [paper.key for paper in papers]
        self.renew(resized=True)

    def texts(self) -> list[str]:
        """Return each constant in words."""
        words = self.tr("{source} {formula}: says {says}, has {has}")
        return [
            words.format(source=paper.source, formula=paper.formula, says=brief(paper.says), has=paper.has_text)
            for paper in self._papers
        ]

    def draw(self, painter: QPainter) -> None:
        """Paint rings and discs."""
        if not self._papers:
            return
        asked = self._x(self._asked)
        painter.setFont(font(7.5))
        painter.setPen(colour("muted"))
        text = self.tr("asked {level}").format(level=brief(self._asked))
        painter.drawText(QPointF(asked - QFontMetricsF(painter.font()).horizontalAdvance(text) / 2, px(10)), text)
        painter.setPen(line("muted", 1.0, dashed=True))
        painter.drawLine(QPointF(asked, px(14)), QPointF(asked, self.height()))
        for box, paper in zip(self.boxes(), self._papers, strict=True):
            self._paint_paper(painter, paper, box.top() + px(_ROW) / 2)

    def _x(self, level: float) -> float:
        """Return the pixel of an epsilon; what is far beyond the one asked for stands at the right end."""
        left, right, asked = 0.36 * self.width(), 0.74 * self.width(), self._asked
        most = max([2 * asked, *(min(max(paper.says, paper.has), 4 * asked) for paper in self._papers)])
        return left + min(level / most, 1.0) * (right - left)

    def _paint_paper(self, painter: QPainter, paper: Paper, middle: float) -> None:
        says, has = self._x(paper.says), self._x(paper.has)
        painter.setFont(font(8.5))
        painter.setPen(colour("text"))
        painter.drawText(QPointF(px(2), middle - px(2)), paper.formula)
        painter.setFont(font(7.5))
        painter.setPen(colour("muted"))
        painter.drawText(QPointF(px(2), middle + px(10)), paper.source)
        painter.setPen(line("hairline"))
        painter.drawLine(QPointF(self._x(0.0), middle), QPointF(self._x(1e300), middle))
        painter.setPen(line("warning" if paper.wrong else "quiet", px(2)))
        painter.drawLine(QPointF(says, middle), QPointF(has, middle))
        painter.setPen(line("quiet", px(1.3)))
        painter.setBrush(colour("card"))
        painter.drawEllipse(QPointF(says, middle), px(4.5), px(4.5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("warning" if paper.wrong else "accent"))
        painter.drawEllipse(QPointF(has, middle), px(3.4), px(3.4))
        text, width = self.tr("says {level}").format(level=brief(paper.says)), self.width() - 4
        painter.setPen(colour("muted"))
        painter.setFont(font(8))
        painter.drawText(QRectF(0, middle - px(15), width, px(14)), _RIGHT, text)
        painter.setFont(font(8, bold=paper.wrong))
        painter.setPen(colour("warning" if paper.wrong else "text"))
        text = self.tr("has {level}").format(level=paper.has_text)
        painter.drawText(QRectF(0, middle - px(1), width, px(14)), _RIGHT, text)
