"""The texts of the strips: names below the columns, numbers above their bars, as large as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from dpdesigner.arrays import Floats
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.options.strips_data import Strips
from dpdesigner.desktop.widgets.options.strips_places import Places
from dpdesigner.desktop.widgets.plot.plot_layer import colour, font, px

#: So many options have room for their names.
FEW = 12
_LEAST, _STEP = 6.0, 0.5  # points of the smallest letters, however large other text is, and between sizes


def fitting(texts: Sequence[str], width: float, points: float, bold: bool = False) -> QFont:
    """Return letters of this size, or the largest smaller ones in which texts this far apart do not touch; else the smallest."""
    letters = font(points, bold=bold)
    while points * theme().scale > _LEAST and not _apart(letters, texts, width):
        points -= _STEP
        letters = font(points, bold=bold)
    return letters


def _apart(letters: QFont, texts: Sequence[str], width: float) -> bool:
    """Whether texts in a row, their middles this far apart, do not touch."""
    wide = [QFontMetricsF(letters).horizontalAdvance(text) for text in texts]
    return all((one + other) / 2 <= width for one, other in pairwise(wide))


def names(painter: QPainter, strips: Strips, where: Places, selected: int) -> None:
    """Write the names below the first band: all of few, of many every second, fifth, … that has room."""
    if strips.size <= FEW:
        _all_names(painter, strips, where, selected)
        return
    painter.setFont(font(8))
    metrics = QFontMetricsF(painter.font())
    short = _short_names(strips.names)
    widest = max(metrics.horizontalAdvance(name) for name in short) + px(8)
    stride = next((n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if n * where.column(0).width() >= widest), strips.size)
    for option in sorted({*range(0, strips.size, stride), *([selected] if 0 <= selected < strips.size else [])}):
        if option != selected and 0 <= selected < strips.size and abs(option - selected) * where.column(0).width() < widest:
            continue
        painter.setPen(colour("selected") if option == selected else colour("muted"))
        centred(painter, where.column(option).center().x(), where.names.top() + px(11), short[option], where.names)


def _all_names(painter: QPainter, strips: Strips, where: Places, selected: int) -> None:
    """Write every name on two lines; where words would touch all the same, those wider than their columns are cut."""
    width, widest = where.column(0).width() - 2, [max(name.split(), key=len, default="") for name in strips.names]
    letters = fitting(widest, width, 8)
    cut = not _apart(letters, widest, width)
    painter.setFont(letters)
    metrics = QFontMetricsF(painter.font())
    flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
    for option, name in enumerate(strips.names):
        room = width if cut else max(width, metrics.horizontalAdvance(widest[option]) + 1)
        box = QRectF(where.column(option).center().x() - room / 2, where.names.top(), room, where.names.height() + px(4))
        painter.setPen(colour("selected") if option == selected else colour("text"))
        text = " ".join(metrics.elidedText(word, Qt.TextElideMode.ElideRight, room) for word in name.split())
        if metrics.boundingRect(box, flags, text).height() > box.height():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, 1.7 * room)
        painter.drawText(box, flags, text)


def _short_names(names: tuple[str, ...]) -> list[str]:
    """Names without the words that all of them begin with: of ``Income class 21`` the number."""
    words = [name.split() for name in names]
    shared = sum(1 for _ in takewhile(lambda same: len(set(same)) == 1, zip(*words, strict=False)))
    return [" ".join(own[shared:]) or name for own, name in zip(words, names, strict=True)]


def over(
    painter: QPainter,
    where: Places,
    strip: int,
    heights: Floats,
    texts: Sequence[str],
    colours: Sequence[QColor],
    bold: Sequence[bool],
) -> None:
    """Write a text above each bar, those in bold first; what would stand on another is left out."""
    width, taken = where.column(0).width() - px(2), list[QRectF]()
    letters = {
        heavy: fitting([text for text, b in zip(texts, bold, strict=True) if b == heavy], width, 8.5, heavy)
        for heavy in set(bold)
    }
    for option in sorted(range(len(texts)), key=lambda option: not bold[option]):
        bar = where.bar(strip, option, 0, max(float(heights[option]), 0.0))
        painter.setFont(letters[bold[option]])
        box = _box(painter, bar.center().x(), bar.top() - px(4), texts[option], where.bands[strip].adjusted(0, 0, px(6), 0))
        if any(map(box.intersects, taken)):
            continue
        taken.append(box.adjusted(-px(1), 0, px(1), 0))
        shade = colours[option]
        painter.setPen(shade if shade.alphaF() > 0.9 else colour("text"))
        painter.drawText(box.bottomLeft(), texts[option])


def _box(painter: QPainter, x: float, y: float, text: str, within: QRectF) -> QRectF:
    """Return where a text stands whose middle is at x, its foot at y."""
    metrics = QFontMetricsF(painter.font())
    width = metrics.horizontalAdvance(text)
    left = min(max(x - width / 2, within.left()), within.right() - width)
    return QRectF(left, y - metrics.ascent(), width, metrics.ascent())


def centred(painter: QPainter, x: float, y: float, text: str, within: QRectF) -> None:
    """Write a text with its middle at x."""
    painter.drawText(_box(painter, x, y, text, within).bottomLeft(), text)


def beside(painter: QPainter, bar: QRectF, text: str, within: QRectF) -> None:
    """Write a text at the right of a bar, or at its left where there is no room."""
    width = QFontMetricsF(painter.font()).horizontalAdvance(text)
    left = bar.right() + px(4) if bar.right() + px(4) + width <= within.right() else bar.left() - px(4) - width
    painter.drawText(QPointF(left, bar.center().y() + px(4)), text)
