"""The pictures of the last four scenes: two readers, what each reads, the proof, and the invitation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPen, QPolygonF

from dpdesigner.arrays import Floats
from dpdesigner.desktop.demonstration.numbers import PUPILS, SAID, Numbers, Reader, loss
from dpdesigner.desktop.demonstration.pictures import ALL, LEFT, RIGHT, TOP, WIDE, below, between, card, tr
from dpdesigner.desktop.demonstration.sheet import Sheet

_CHART = QRectF(30, 172, WIDE - 60, 128)  #: in a card


class _Words(NamedTuple):
    """What stands on a reader's card."""

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
        tr("a missing meal costs 3 times a spare one"),
        tr("his prior"),
        tr("his posterior:<br>three quarters at {reads}"),
        tr("His expected loss is {pays}. No equally private mechanism that sees only the count does better."),
    )


def readers(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """The readers: their priors and losses."""
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
    """What a miss costs, as a line over releases around the middle count; too few meals at the left."""
    middle = PUPILS // 2
    costs = reader.costs[middle][middle - 5 : middle + 6]
    across = [box.left() + box.width() * k / 10 for k in range(len(costs))]
    points = [QPointF(x, box.bottom() - box.height() * cost / costs.max()) for x, cost in zip(across, costs, strict=True)]
    sheet.painter.setPen(QPen(QColor(sheet.on_card.accent), 2.2))
    sheet.painter.drawPolyline(QPolygonF(points))


def reading(sheet: Sheet, numbers: Numbers, step: int) -> None:
    """The one release in the middle, and at either side what it is taken for."""
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
    """The chance as high as the chart: the same for what was expected and what is believed."""
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
    """The prices of the true counts, and then what the nurse pays at each."""
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
    """The card of the design that is about to be made; `expectation` fills it."""
    card(sheet, LEFT, tr("A count of your own"), wide=ALL)


def expectation(sheet: Sheet, chances: Floats, around: float) -> None:
    """The start form: a largest count and an expected one."""
    count = len(chances)
    words = tr("what you expect before the release")
    sheet.text(words, LEFT + 630, TOP + 28, 500, 13.5, "muted", align="right")
    box = QRectF(LEFT + 30, TOP + 84, ALL - 60, 260)
    middle = min(max(round(around), 0), count - 1)
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if count / step <= 25)
    sheet.bars(box, chances, float(chances.max()) * 1.02, hot={middle}, named=(middle,), every=every)
    below(sheet, box, tr("possible count"))
