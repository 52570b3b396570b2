"""The rules as bars: how often each gets it right, how far short it falls; and what each paper's constant says and has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.core.numbers.rounding import brief
from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.plot.plot_layer import colour, font, line, px

_ROW, _PAPER = 33, 33  # pixels at text scale 1
_BAR = 9


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


class RuleBars(QWidget):
    """Bars one below the other. A click, or Enter, draws a rule."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[RuleRow] = ()
        self._unit = ""
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("How often each rule gets it right"))
        theme().changed.connect(self.updateGeometry)

    def show_rows(self, rows: Sequence[RuleRow], unit: str) -> None:
        """Show these rules; `unit` stands over the numbers at the right."""
        again = len(rows) != len(self._rows)
        self._rows, self._unit = rows, unit
        self._current = min(self._current, max(len(rows) - 1, 0))
        self.setAccessibleDescription("; ".join(self.texts()))
        if again:
            self.updateGeometry()
        self.update()

    def texts(self) -> list[str]:
        """Return each bar in words."""
        return [f"{row.title}: {row.text}" + (f", {row.short}" if row.short else "") for row in self._rows]

    def figure(self) -> QWidget:
        """Return what is saved as a picture."""
        return self

    def sizeHint(self) -> QSize:
        """Return a height for all rows."""
        return QSize(round(px(290)), round(px(_ROW)) * max(len(self._rows), 1) + 4)

    def minimumSizeHint(self) -> QSize:
        """Return the same height, and a width at which names can be read."""
        return QSize(round(px(200)), self.sizeHint().height())

    def _box(self, place: int) -> QRectF:
        return QRectF(0, place * round(px(_ROW)), self.width(), round(px(_ROW)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint all bars."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, row in enumerate(self._rows):
            self._paint_row(painter, self._box(place), row, place)
        painter.end()

    def _paint_row(self, painter: QPainter, box: QRectF, row: RuleRow, place: int) -> None:
        if row.chosen:
            painter.fillRect(box.adjusted(0, 0, 0, -px(2)), colour("accent_soft"))
        if self.hasFocus() and place == self._current:
            painter.setPen(line("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -px(2)))
        left = box.left() + px(5)
        unit = self._unit if place == 0 else ""
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
        painter.drawText(
            QRectF(left, top - px(4), box.width() - px(10), px(18)),
            int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
            row.short,
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Draw the rule that was clicked."""
        place = int(event.position().y() // round(px(_ROW)))
        if 0 <= place < len(self._rows):
            self._choose(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the rules with Up and Down, draw one with Enter or Space."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is not None and self._rows:
            self._current = min(max(self._current + step, 0), len(self._rows) - 1)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._rows:
            self._choose(self._current)
        else:
            super().keyPressEvent(event)

    def _choose(self, place: int) -> None:
        self._current = place
        if self._rows[place].key:
            self.chosen.emit(self._rows[place].key)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keys work."""
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show it no more."""
        self.update()
        super().focusOutEvent(event)


@dataclass(frozen=True)
class Paper:
    """A printed constant: formula, source, the epsilon that it is called by, and the one that it has."""

    key: str
    formula: str
    source: str
    says: float
    has: float


class PapersView(QWidget):
    """What each paper's constant says, a ring, and has, a disc, beside what was asked."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._papers: Sequence[Paper] = ()
        self._asked = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("What each paper’s constant says and has"))
        self.setToolTip(self.tr("Click a constant to see its chances"))
        theme().changed.connect(self.updateGeometry)

    def show_papers(self, papers: Sequence[Paper], asked: float) -> None:
        """Show these."""
        self._papers, self._asked = papers, asked
        self.setAccessibleDescription(
            "; ".join(f"{p.source} {p.formula}: says {brief(p.says)}, has {brief(p.has)}" for p in papers)
        )
        self.updateGeometry()
        self.update()

    def figure(self) -> QWidget:
        """Return what is saved as a picture."""
        return self

    def sizeHint(self) -> QSize:
        """Return a height for all."""
        return QSize(round(px(290)), round(px(16) + px(_PAPER) * max(len(self._papers), 1)))

    def minimumSizeHint(self) -> QSize:
        """Return the same height."""
        return QSize(round(px(200)), self.sizeHint().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Draw the rule that was clicked."""
        place = int((event.position().y() - px(16)) // px(_PAPER))
        if 0 <= place < len(self._papers):
            self.chosen.emit(self._papers[place].key)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint rings and discs."""
        if not self._papers:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, right = 0.36 * self.width(), 0.74 * self.width()
        most = max([2 * self._asked, *(min(max(p.says, p.has), 4 * self._asked) for p in self._papers)])

        def x(level: float) -> float:
            return left + min(level / most, 1.0) * (right - left)

        painter.setFont(font(7.5))
        painter.setPen(colour("muted"))
        text = self.tr("asked {level}").format(level=brief(self._asked))
        width = QFontMetricsF(painter.font()).horizontalAdvance(text)
        painter.drawText(QPointF(x(self._asked) - width / 2, px(10)), text)
        painter.setPen(line("muted", 1.0, dashed=True))
        painter.drawLine(QPointF(x(self._asked), px(14)), QPointF(x(self._asked), self.height()))
        for place, paper in enumerate(self._papers):
            self._paint(painter, paper, px(16) + px(_PAPER) * place, x)
        painter.end()

    def _paint(self, painter: QPainter, paper: Paper, top: float, x: object) -> None:
        at = x if callable(x) else float
        middle, wrong = top + px(_PAPER) / 2, paper.has > paper.says * (1 + 1e-9)
        painter.setFont(font(8.5))
        painter.setPen(colour("text"))
        painter.drawText(QPointF(px(2), middle - px(2)), paper.formula)
        painter.setFont(font(7.5))
        painter.setPen(colour("muted"))
        painter.drawText(QPointF(px(2), middle + px(10)), paper.source)
        painter.setPen(line("hairline"))
        painter.drawLine(QPointF(at(0.0), middle), QPointF(at(1e300), middle))
        painter.setPen(line("warning" if wrong else "quiet", px(2)))
        painter.drawLine(QPointF(at(paper.says), middle), QPointF(at(paper.has), middle))
        painter.setPen(line("quiet", px(1.3)))
        painter.setBrush(colour("card"))
        painter.drawEllipse(QPointF(at(paper.says), middle), px(4.5), px(4.5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("warning" if wrong else "accent"))
        painter.drawEllipse(QPointF(at(paper.has), middle), px(3.4), px(3.4))
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(colour("muted"))
        painter.setFont(font(8))
        painter.drawText(
            QRectF(0, middle - px(15), self.width() - 4, px(14)), right, self.tr("says {level}").format(level=brief(paper.says))
        )
        painter.setFont(font(8, bold=wrong))
        painter.setPen(colour("warning" if wrong else "text"))
        painter.drawText(
            QRectF(0, middle - px(1), self.width() - 4, px(14)), right, self.tr("has {level}").format(level=brief(paper.has))
        )
