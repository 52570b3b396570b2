"""Pictures of the demonstration, on a sheet of 1280 by 720 that is scaled to any window: cards, texts, bars, readers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QPolygonF,
    QTextDocument,
    QTextOption,
)

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.colours import DARK, DARK_HIGH, Colours
from dpdesigner.desktop.presenting.story import ILL, PUPILS, SAID, Numbers, Reader, loss

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
        colour = "#ffffff" if ground and ink == "text" else colours.named(ink)
        context.palette.setColor(QPalette.ColorRole.Text, QColor(colour))
        document.documentLayout().draw(self.painter, context)
        self.painter.restore()

    def level(self, left: float, right: float, y: float, ink: str) -> None:
        """Draw a horizontal line in a colour of the cards."""
        self.painter.setPen(QPen(QColor(self.on_card.named(ink)), 1))
        self.painter.drawLine(QPointF(left, y), QPointF(right, y))

    def arrow(self, start: float, end: float, y: float, colour: str, width: float = 2.5) -> None:
        """Draw a horizontal arrow on the background."""
        way = 1 if end > start else -1
        self.painter.setPen(QPen(QColor(colour), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        self.painter.drawLine(QPointF(start, y), QPointF(end, y))
        for side in (-9, 9):
            self.painter.drawLine(QPointF(end, y), QPointF(end - 10 * way, y + side))

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        """Draw a round dot."""
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(colour))
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


#: Positions of the cards: left and right, and one over the whole width.
LEFT, RIGHT, TOP, WIDE, HIGH = 60, 768, 118, 452, 400
ALL = 1160
_SHOWN = ILL + 1  #: the number on the door whose probability the privacy guarantee compares


def tr(text: str) -> str:
    """Translate a text of the pictures."""
    return QCoreApplication.translate("demonstration", text)


def card(sheet: Sheet, left: float, title: str, about: str = "", wide: float = WIDE) -> None:
    """Draw a card with its title, and a description on the right."""
    sheet.card(left, TOP, wide, HIGH)
    sheet.text(title, left + 30, TOP + 22, wide - 60, 20, bold=True)
    sheet.text(about, left + wide / 2, TOP + 28, wide / 2 - 30, 13.5, "muted", align="right")


def between(sheet: Sheet, words: str, y: float, size: float, ink: str = "text", *, bold: bool = False) -> None:
    """Write on the background between the two cards."""
    sheet.text(words, LEFT + WIDE, y, RIGHT - LEFT - WIDE, size, ink, align="centre", bold=bold, ground=True)


def below(sheet: Sheet, box: QRectF, words: str) -> None:
    """Write the axis label below the bars in a box."""
    sheet.text(words, box.left(), TOP + 370, box.width(), 12, "muted", align="centre")


def door(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """Draw the pupils and the door, then the inference about the last pupil."""
    colours = sheet.on_card
    card(sheet, LEFT, tr("The pupils"), tr("a secret"))
    for k in range(PUPILS):
        x, y = LEFT + 66 + 80 * (k % 5), TOP + 100 + 66 * (k // 5)
        ill, last = k % 3 == 1 and k // 3 < ILL, k == 1 + 3 * (ILL - 1)
        if step and last:
            sheet.person(x, y, 50, colours.selected, hollow=True)
            sheet.text("?", x - 20, y + 2, 40, 20, "selected", align="centre", bold=True)
        else:
            sheet.person(x, y, 50, colours.selected if ill else colours.quiet)
    sheet.text(_legend(step), LEFT + 30, TOP + 364, WIDE - 60, 13.5, "muted", align="centre")
    card(sheet, RIGHT, tr("The door"), tr("public"))
    sheet.text(str(ILL), RIGHT, TOP + 84, WIDE, 150, "selected", align="centre", bold=True)
    sheet.text(tr("are ill today"), RIGHT, TOP + 276, WIDE, 20, align="centre")
    if step:
        words = tr("{ill} ill − {others} known to be ill = 1").format(ill=ILL, others=ILL - 1)
        sheet.text(words, RIGHT, TOP + 326, WIDE, 17, "selected", align="centre", bold=True)
    sheet.arrow(556, 724, TOP + 180, sheet.on_ground.selected)
    between(sheet, tr("counted every noon"), TOP + 196, 15, "muted")


def _legend(step: int) -> str:
    if not step:
        return tr("{ill} of {n} are ill").format(ill=ILL, n=PUPILS)
    return tr("{known} are known: {ill} ill, {well} well").format(known=PUPILS - 1, ill=ILL - 1, well=PUPILS - ILL)


def promise(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """Draw the distributions of the number on the door with one pupil well and with the same pupil ill."""
    top = float(numbers.table[ILL].max()) * 1.02
    cases = (
        (LEFT, ILL - 1, tr("You are well"), tr("and {count} others are ill: {count} in total")),
        (RIGHT, ILL, tr("You are ill"), tr("and {others} others are ill: {count} in total")),
    )
    for left, count, title, about in cases:
        card(sheet, left, title)
        sheet.text(about.format(count=count, others=ILL - 1), left + 30, TOP + 52, 390, 14, "muted")
        box = QRectF(left + 30, TOP + 130, WIDE - 60, 214)
        sheet.bars(box, numbers.table[count], top, hot={_SHOWN}, named=(_SHOWN,))
        x = box.left() + (_SHOWN + 0.5) * box.width() / (PUPILS + 1)
        high = box.height() * float(numbers.table[count][_SHOWN]) / top
        words = tr("shows {said}: {chance}").format(said=_SHOWN, chance=_fraction(float(numbers.table[count][_SHOWN])))
        sheet.text(words, x + 12, box.bottom() - high - 24, 160, 15, "selected", bold=True)
        below(sheet, box, tr("number on the door, with its probability"))
    warm = sheet.on_ground.selected
    between(sheet, "× 2", TOP + 104, 54, "selected", bold=True)
    sheet.arrow(640, 540, TOP + 190, warm)
    sheet.arrow(640, 740, TOP + 190, warm)
    between(sheet, tr("at most, for any number<br>on the door, either way"), TOP + 208, 15, "muted")
    if step >= 1:
        between(sheet, "ε = ln 2", TOP + 274, 26, bold=True)
    if step >= 2:
        between(sheet, f"50 : 50 → {numbers.moved} : {100 - numbers.moved}", TOP + 330, 24, bold=True)
        between(sheet, tr("a bet on you, at most"), TOP + 362, 15, "muted")


def _fraction(value: float) -> str:
    """Return a probability as 1 in N, for the table."""
    return tr("1 in {count}").format(count=round(1 / value))


def chance(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """Draw the row of the table for seven, then a constant."""
    _one_door(sheet, LEFT, numbers.table[ILL], tr("A private door"), tr("if {ill} are ill").format(ill=ILL), ILL)
    box = QRectF(LEFT + 30, TOP + 110, WIDE - 60, 234)
    step_wide, row = box.width() / (PUPILS + 1), numbers.table[ILL]
    words = tr("shows {said}: {chance}").format(said=ILL, chance=_fraction(float(row[ILL])))
    sheet.text(words, box.left() + (ILL + 1.2) * step_wide, TOP + 108, 170, 15, "selected", bold=True)
    words = tr("{less} or {more}: {chance} each").format(less=ILL - 1, more=ILL + 1, chance=_fraction(float(row[ILL + 1])))
    sheet.text(words, box.left() + (ILL + 2.2) * step_wide, TOP + 212, 200, 15, "accent", bold=True)
    between(sheet, tr("expected error {off}").format(off=f"{numbers.off:.2f}"), TOP + 150, 17, bold=True)
    if step:
        constant = np.eye(PUPILS + 1)[numbers.constant]
        _one_door(sheet, RIGHT, constant, tr("A private door, too"), tr("for any true count"), numbers.constant)
        between(sheet, tr("private,<br>but useless"), TOP + 230, 17, "muted")


def _one_door(sheet: Sheet, left: float, row: Floats, title: str, about: str, hot: int) -> None:
    card(sheet, left, title)
    sheet.text(about, left + 222, TOP + 26, 200, 15, "selected", align="right", bold=True)
    box = QRectF(left + 30, TOP + 110, WIDE - 60, 234)
    sheet.bars(box, row, float(row.max()) * 1.02, hot={hot}, named=(hot,))
    below(sheet, box, tr("number on the door, with its probability"))


def cost(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """Draw three expected errors as bars."""
    about = tr("all counts from 0 to {n} equally likely; factor 2").format(n=PUPILS)
    card(sheet, LEFT, tr("Expected error"), about, wide=ALL)
    rows = [(tr("Optimal private mechanism"), numbers.best, "proved", loss(numbers.best))]
    if step:
        more = tr("{value}, {more}% more").format(value=loss(numbers.laplace), more=numbers.laplace_more)
        rows.append((tr("Rounded Laplace noise"), numbers.laplace, "accent", more))
        times = f"{numbers.ignoring / numbers.best:.1f}"
        much = tr("{value}, {times} times as much").format(value=loss(numbers.ignoring), times=times)
        rows.append((tr("Ignoring the data"), numbers.ignoring, "quiet", much))
    for k, (name, value, ink, words) in enumerate(rows):
        y = TOP + 92 + 98 * k
        sheet.text(name, LEFT + 30, y, 500, 17, bold=True)
        length = 740 * value / numbers.ignoring
        painter = sheet.painter
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(sheet.on_card.named(ink)))
        painter.drawRoundedRect(QRectF(LEFT + 30, y + 30, length, 30), 4, 4)
        sheet.text(words, LEFT + 44 + length, y + 33, 320, 19, ink if ink == "proved" else "text", bold=True)


def table(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """Draw the whole release as a table of colours, and one of its rows as bars."""
    card(sheet, LEFT, tr("The release"), tr("brighter is more likely"))
    side = 300 / (PUPILS + 1)
    left, top, painter = LEFT + 104, TOP + 80, sheet.painter
    painter.setPen(Qt.PenStyle.NoPen)
    for i in range(PUPILS + 1):
        for r in range(PUPILS + 1):
            painter.setBrush(_cell(float(numbers.table[i][r])))
            painter.drawRect(QRectF(left + r * side, top + i * side, side + 0.4, side + 0.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QColor(sheet.on_ground.selected))
    painter.drawRect(QRectF(left - 1, top + ILL * side, 302, side))
    for k in (0, PUPILS):
        sheet.text(str(k), left - 40, top + k * side - 2, 32, 12, "muted", align="right")
        sheet.text(str(k), left + (k + 0.5) * side - 20, top + 304, 40, 12, "muted", align="centre")
    sheet.text(tr("{ill} ill").format(ill=ILL), left - 70, top + ILL * side - 2, 62, 13.5, "selected", align="right", bold=True)
    sheet.text(tr("how many<br>are ill"), LEFT + 14, top + 180, 84, 12, "muted", align="right")
    sheet.text(tr("number on the door"), left + 40, top + 304, 220, 12, "muted", align="centre")
    _one_door(sheet, RIGHT, numbers.table[ILL], tr("Its row for {ill}").format(ill=ILL), tr("{ill} are ill").format(ill=ILL), ILL)
    sheet.arrow(532, 748, top + (ILL + 0.5) * side, sheet.on_ground.selected)
    between(sheet, tr("each step halves"), TOP + 214, 17, bold=True)
    between(sheet, "1/3  ·  1/6  ·  1/12  ·  1/24", TOP + 242, 16, "muted")
    if step:
        between(sheet, tr("needs only 2 and {n}").format(n=PUPILS), TOP + 290, 17, "selected")


def _cell(chance: float) -> QColor:
    """Return a colour from dark blue to yellow on a logarithmic scale, so that each halving is an equal step."""
    share = float(np.clip(1 + np.log2(max(chance, 1e-9) * 3 / 2) / 9, 0, 1))
    low, high = QColor("#00224e"), QColor("#fee838")
    ends = ((low.red(), high.red()), (low.green(), high.green()), (low.blue(), high.blue()))
    return QColor(*(round(a + (b - a) * share) for a, b in ends))


_CHART = QRectF(30, 172, WIDE - 60, 128)  #: position in a card


class _Words(NamedTuple):
    """The texts on a reader's card."""

    name: str
    now: str
    expects: str
    costs: str
    expected: str
    believes: str
    pays: str


def _nurse() -> _Words:
    return _Words(
        tr("The nurse"),
        tr("her prior"),
        tr("expects about 5 cases"),
        tr("an error costs her its size"),
        tr("her prior"),
        tr("her posterior:<br>its median is {reads}"),
        tr("Her expected loss is {pays}. No equally private mechanism that sees only the count does better."),
    )


def _cook() -> _Words:
    return _Words(
        tr("The cook"),
        tr("his prior"),
        tr("no expectation"),
        tr("a missing meal costs ¾, a spare one ¼"),
        tr("his prior"),
        tr("his posterior:<br>three quarters at {reads}"),
        tr("His expected loss is {pays}. No equally private mechanism that sees only the count does better."),
    )


def readers(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """Draw the readers with their priors and losses."""
    shown = [(LEFT, numbers.nurse, _nurse()), (RIGHT, numbers.cook, _cook())][: step + 1]
    for left, reader, words in shown:
        _head(sheet, left, words)
        box = QRectF(_CHART).translated(left, TOP)
        sheet.bars(box, np.zeros(PUPILS + 1), 1.0)
        _expected(sheet, box, reader, words.now, _top(reader))
        sheet.level(left + 30, left + WIDE - 30, TOP + 314, "hairline")
        sheet.text(tr("cost of<br>an error"), left + 30, TOP + 332, 100, 12, "muted")
        _cost_shape(sheet, QRectF(left + 160, TOP + 322, 200, 52), reader)
        sheet.text(tr("5 too few"), left + 110, TOP + 378, 100, 12, "muted", align="centre")
        sheet.text(tr("right"), left + 210, TOP + 378, 100, 12, "muted", align="centre")
        sheet.text(tr("5 too many"), left + 310, TOP + 378, 100, 12, "muted", align="centre")
    between(sheet, tr("one door"), TOP + 150, 20, bold=True)
    between(sheet, tr("two readers"), TOP + 180, 20, "muted")


def _cost_shape(sheet: Sheet, box: QRectF, reader: Reader) -> None:
    """A reader's cost of an error, as a line over releases around the middle count; too few meals on the left."""
    middle = PUPILS // 2
    costs = reader.costs[middle][middle - 5 : middle + 6]
    across = [box.left() + box.width() * k / 10 for k in range(len(costs))]
    points = [QPointF(x, box.bottom() - box.height() * cost / costs.max()) for x, cost in zip(across, costs, strict=True)]
    sheet.painter.setPen(QPen(QColor(sheet.on_card.accent), 2.2))
    sheet.painter.drawPolyline(QPolygonF(points))


def reading(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """Draw the one release in the middle, and each reader's remapped value on either side."""
    warm = sheet.on_ground.selected
    for place, (left, reader, words) in enumerate(((LEFT, numbers.nurse, _nurse()), (RIGHT, numbers.cook, _cook()))):
        _head(sheet, left, words)
        read = step > place
        _reader_chart(sheet, left, reader, words, read)
        if read:
            sheet.text(tr("reads it as"), left + 262, TOP + 28, WIDE - 292, 13.5, "muted", align="right")
            sheet.text(str(reader.reads), left + 262, TOP + 44, WIDE - 292, 50, "selected", align="right", bold=True)
        if step >= 3:
            _pays(sheet, left, reader, words)
    between(sheet, tr("released once,<br>the same for everybody"), TOP + 96, 16)
    between(sheet, str(SAID), TOP + 150, 76, "selected", bold=True)
    if step >= 1:
        sheet.arrow(586, 534, TOP + 196, warm)
    if step >= 2:
        sheet.arrow(694, 746, TOP + 196, warm)
    between(sheet, tr("how many of {n} pupils<br>have the flu, ε = ln 2").format(n=PUPILS), TOP + 248, 14, "muted")


def _head(sheet: Sheet, left: float, words: _Words) -> None:
    card(sheet, left, words.name)
    sheet.text(words.expects, left + 30, TOP + 57, 330, 13.5, "muted")
    sheet.text(words.costs, left + 30, TOP + 78, 330, 13.5, "muted")


def _top(reader: Reader) -> float:
    """Return the probability at the top of the chart, the same for prior and posterior."""
    return float(max(reader.expects.max(), reader.believes.max()))


def _expected(sheet: Sheet, box: QRectF, reader: Reader, words: str, top: float) -> None:
    sheet.outline(box, reader.expects, top)
    high = box.height() * float(reader.expects[:9].max()) / top
    sheet.text(words, box.left() + 2, box.bottom() - high - 22, 200, 12, "muted")


def _reader_chart(sheet: Sheet, left: float, reader: Reader, words: _Words, read: bool) -> None:
    top, box = _top(reader), QRectF(_CHART).translated(left, TOP)
    believes = reader.believes if read else np.zeros(PUPILS + 1)
    sheet.bars(box, believes, top, hot={reader.reads} if read else (), named=(reader.reads, SAID) if read else (SAID,))
    _expected(sheet, box, reader, words.expected, top)
    if read:
        late = reader.reads < SAID
        if late:
            sheet.upright(box.adjusted(0, -44, 0, 0), PUPILS + 1, SAID, tr("{said} was released").format(said=SAID))
        x = box.left() + (SAID + 1.2 if late else 0.1) * box.width() / (PUPILS + 1)
        sheet.text(words.believes.format(reads=reader.reads), x, box.top() + 24, 190, 12, "accent")


def _pays(sheet: Sheet, left: float, reader: Reader, words: _Words) -> None:
    sheet.level(left + 30, left + WIDE - 30, TOP + 334, "hairline")
    pays = f'<b style="color:{sheet.on_card.proved}">{loss(reader.pays)}</b>'
    stands = tr("At face value: {face}.").format(face=loss(reader.face))
    text = f'{words.pays.format(pays=pays)} <span style="color:{sheet.on_card.muted}">{stands}</span>'
    sheet.text(text, left + 30, TOP + 346, WIDE - 50, 12.7)


def proof(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """Draw the prices of the true counts, then the nurse's loss at each."""
    nurse = numbers.nurse
    card(sheet, LEFT, tr("The nurse, count by count"), wide=ALL)
    prices, shares = (np.array([float(value) for value in values]) for values in (nurse.prices, nurse.shares))
    top = 1.06 * max(prices.max(), shares.max())
    box = QRectF(LEFT + 30, TOP + 104, 760, 240)
    sheet.bars(box, shares if step else np.zeros_like(shares), top, every=1)
    sheet.outline(box, np.maximum(prices, 0), top)
    below(sheet, box, tr("how many are ill"))
    x = LEFT + 830
    sheet.text(tr("sum of the dashed prices"), x, TOP + 110, 300, 15, "muted")
    sheet.text(loss(sum(nurse.prices)), x, TOP + 130, 300, 44, bold=True)
    if step:
        sheet.text(tr("sum of her blue costs"), x, TOP + 208, 300, 15, "accent")
        sheet.text(loss(sum(nurse.shares)), x, TOP + 228, 300, 44, "proved", bold=True)
        sheet.text(tr("✓ equal: proved optimal"), x, TOP + 300, 300, 15, "proved", bold=True)


def yours(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """Draw the card of the design to be made; `expectation` fills it."""
    card(sheet, LEFT, tr("A count of your own"), wide=ALL)


def expectation(sheet: Sheet, chances: Floats, around: float) -> None:
    """Draw the start form: a largest count and an expected count."""
    count = len(chances)
    words = tr("what you expect before the release")
    sheet.text(words, LEFT + 630, TOP + 28, 500, 13.5, "muted", align="right")
    box = QRectF(LEFT + 30, TOP + 84, ALL - 60, 260)
    middle = min(max(round(around), 0), count - 1)
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if count / step <= 25)
    sheet.bars(box, chances, float(chances.max()) * 1.02, hot={middle}, named=(middle,), every=every)
    below(sheet, box, tr("possible count"))
