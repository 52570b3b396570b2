"""Paints the four strips: bars in four bands over the same columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.options.strips_data import Strips, number_text, percent, ratio_text
from dpdesigner.desktop.widgets.options.strips_places import TEXT, TITLE, Places
from dpdesigner.desktop.widgets.options.strips_text import FEW, beside, centred, fitting, names, over
from dpdesigner.desktop.widgets.plot.plot_layer import colour, font, line, px

#: From so many on bars lower than this are left out, in pixels.
_MANY, _SEEN = 200, 0.5


def paint(painter: QPainter, strips: Strips, where: Places, selected: int, hovered: int, grip: bool) -> None:
    """Paint everything."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, strips.size <= 200)
    _titles(painter, strips, where)
    if 0 <= selected < strips.size:
        painter.fillRect(where.column(selected), colour("selected", 0.09))
    if 0 <= hovered < strips.size and hovered != selected:
        painter.fillRect(where.column(hovered), colour("text", 0.05))
    _counts(painter, strips, where, selected, grip)
    _chances(painter, strips, where, selected)
    _moves(painter, strips, where, selected)
    _ratios(painter, strips, where, selected)
    names(painter, strips, where, selected)


def _titles(painter: QPainter, strips: Strips, where: Places) -> None:
    first = tr("What people said") if strips.counted else tr("How good each option is")
    hint = tr("counts, the utility · drag a bar") if strips.counted else tr("utility · drag a bar")
    titles = (
        (first, hint if strips.movable[0] else tr("utility")),
        (tr("How often each is announced"), tr("chances · {rule}").format(rule=strips.rule_name)),
        (
            tr("What one person can move"),
            tr("a neighbour, in units of Δ · drag a bar") if strips.movable[1] else tr("the next row"),
        ),
        (tr("What that does to the chances"), tr("ln ratio · never outside ±ε")),
    )
    for place, (title, word) in enumerate(titles):
        band = where.bands[place]
        above = px(TEXT) if place < 2 else 0.0
        box = QRectF(px(2), band.top() - above - px(TITLE), band.right() - px(2), px(TITLE))
        painter.setFont(font(9, bold=True))
        painter.setPen(colour("text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        used = QFontMetricsF(painter.font()).horizontalAdvance(title)
        painter.setFont(font(8))
        painter.setPen(colour("muted"))
        room = box.adjusted(used + px(10), 0, 0, 0)
        shown = QFontMetricsF(painter.font()).elidedText(word, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, shown)


def _bars(painter: QPainter, where: Places, strip: int, lows: Floats, highs: Floats, colours: Sequence[QColor]) -> None:
    """Paint a bar for each option; of very many those that are to be seen."""
    seen = np.abs(highs - lows) * where.bands[strip].height() >= _SEEN
    for option in range(where.size) if where.size <= _MANY else np.flatnonzero(seen).tolist():
        low, high = float(lows[option]), float(highs[option])
        painter.fillRect(where.bar(strip, option, min(low, high), max(low, high)), colours[option])


def _shades(size: int, plain: QColor, warm: QColor, selected: int) -> list[QColor]:
    return [warm if option == selected else plain for option in range(size)]


def _counts(painter: QPainter, strips: Strips, where: Places, selected: int, grip: bool) -> None:
    plain, dark, warm = colour("quiet", 0.38), colour("quiet"), colour("selected")
    best = strips.utilities == strips.utilities.max()
    colours = [warm if k == selected else dark if best[k] else plain for k in range(strips.size)]
    zero = where.height(0.0) if where.bottom <= 0 <= where.top else 0.0
    heights = np.array([where.height(u) for u in strips.utilities.tolist()])
    _bars(painter, where, 0, np.full(strips.size, zero), np.clip(heights, 0.0, 1.2), colours)
    _axis(painter, where.bands[0], zero)
    if strips.size <= FEW:
        texts = [number_text(u) for u in strips.utilities.tolist()]
        bold = [bool(best[k]) or k == selected for k in range(strips.size)]
        over(painter, where, 0, np.maximum(heights, zero), texts, colours, bold)
        if grip and strips.movable[0]:
            for option, high in enumerate(np.maximum(heights, 0).tolist()):
                bar = where.bar(0, option, high, high)
                knob = QRectF(bar.center().x() - px(7), bar.top() - px(2), px(14), px(4))
                painter.setPen(line("quiet"))
                painter.setBrush(colour("card"))
                painter.drawRoundedRect(knob, px(2), px(2))


def _chances(painter: QPainter, strips: Strips, where: Places, selected: int) -> None:
    most = max(float(strips.chances.max()), 0.0 if strips.rival is None else float(strips.rival.max()), 1e-12)
    scale = 1.0 / most
    colours = _shades(strips.size, colour("accent", 0.35 if strips.drawn is not None else 1.0), colour("selected"), selected)
    _bars(painter, where, 1, np.zeros(strips.size), strips.chances * scale, colours)
    _axis(painter, where.bands[1], 0.0)
    if strips.drawn is not None and strips.drawn.any():
        _dots(painter, strips, where, scale)
    if strips.rival is not None:
        painter.setPen(line("text", px(1.6)))
        shown = range(strips.size) if strips.size <= 60 else np.flatnonzero(strips.rival * scale > 0.01).tolist()
        for option in shown:
            value = float(strips.rival[option]) * scale
            bar = where.bar(1, option, value, value)
            if bar.width() > 0:
                painter.drawLine(QPointF(bar.left() - px(3), bar.top()), QPointF(bar.right() + px(3), bar.top()))
        _rival_name(painter, strips, where, scale)
    _chance_texts(painter, strips, where, selected, scale)


def _chance_texts(painter: QPainter, strips: Strips, where: Places, selected: int, scale: float) -> None:
    """Write the chance above each bar of few; of many above the best and beside the one that is selected."""
    if strips.size <= FEW:
        above = strips.chances
        if strips.rival is not None:  # a text does not stand on a mark
            near = (strips.rival - strips.chances) * scale * where.bands[1].height()
            above = np.where((near > 0) & (near < px(16)), strips.rival, strips.chances)
        texts = [percent(chance) for chance in strips.chances.tolist()]
        warm = [
            colour("selected") if k == selected else colour("accent" if strips.chances[k] > 0.05 else "muted")
            for k in range(strips.size)
        ]
        over(painter, where, 1, above * scale, texts, warm, [float(c) > 0.05 for c in strips.chances])
    else:
        best = int(np.argmax(strips.chances))
        for option in {best, selected} & set(range(strips.size)):
            bar, text = where.bar(1, option, 0, float(strips.chances[option]) * scale), percent(float(strips.chances[option]))
            painter.setFont(font(8.5, bold=True))
            painter.setPen(colour("selected") if option == selected else colour("accent"))
            if option == best:
                centred(painter, bar.center().x(), bar.top() - px(3), text, where.bands[1])
            else:  # beside a thin bar, away from the best one
                width = QFontMetricsF(painter.font()).horizontalAdvance(text)
                x = bar.left() - px(5) - width if option < best else bar.right() + px(5)
                painter.drawText(
                    QPointF(min(max(x, 0.0), where.bands[1].right() - width), min(bar.top() + px(11), bar.bottom() - px(4))), text
                )


def _rival_name(painter: QPainter, strips: Strips, where: Places, scale: float) -> None:
    """Name the thin marks, beside the largest of them."""
    if strips.rival is None:
        return
    option = int(np.argmax(strips.rival))
    bar = where.bar(1, option, 0, float(strips.rival[option]) * scale)
    chance = f": {percent(float(strips.rival[option]))}"
    painter.setFont(font(8))
    painter.setPen(colour("muted"))
    metrics = QFontMetricsF(painter.font())
    rooms = where.bands[1].right() - bar.right() - px(7), bar.left() - px(7)  # at the right, at the left
    whole = metrics.horizontalAdvance(strips.rival_name + chance)
    room = rooms[0] if whole <= rooms[0] or rooms[0] >= rooms[1] else rooms[1]
    name = metrics.elidedText(strips.rival_name, Qt.TextElideMode.ElideRight, room - metrics.horizontalAdvance(chance))
    left = bar.right() + px(7) if room == rooms[0] else bar.left() - px(7) - metrics.horizontalAdvance(name + chance)
    painter.drawText(QPointF(left, bar.top() + px(4)), name + chance)


def _dots(painter: QPainter, strips: Strips, where: Places, scale: float) -> None:
    """Stack one dot for each draw, so that a stack is as high as the share of draws it stands for."""
    drawn = strips.drawn
    if drawn is None:
        return
    total, band = int(drawn.sum()), where.bands[1]
    unit = band.height() * scale / total
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent"))
    for option in np.flatnonzero(drawn).tolist():
        bar = where.bar(1, option, 0, 0)
        across = max(1, round(np.sqrt(bar.width() / max(unit, 0.01))))
        step_x, step_y = bar.width() / across, unit * across
        radius = max(0.6, 0.42 * min(step_x, step_y, px(9)))
        for dot in range(int(drawn[option])):
            y = band.bottom() - (dot // across + 0.5) * step_y
            painter.drawEllipse(QPointF(bar.left() + (dot % across + 0.5) * step_x, y), radius, radius)


def _moves(painter: QPainter, strips: Strips, where: Places, selected: int) -> None:
    _band(painter, where.bands[2], "+1", "−1")
    changed = np.flatnonzero(strips.moves)
    for option in changed.tolist():
        half = 0.5 + float(strips.moves[option]) / 2
        painter.fillRect(where.bar(2, option, min(0.5, half), max(0.5, half)), colour("selected"))
    if 0 < len(changed) <= 2:
        painter.setFont(font(8))
        for option in changed.tolist():
            gains = strips.moves[option] > 0
            word = (tr("gains one") if gains else tr("loses one")) if strips.counted else number_text(float(strips.moves[option]))
            bar = where.bar(2, option, 0.5, 1.0) if gains else where.bar(2, option, 0.0, 0.5)
            painter.setPen(colour("selected"))
            beside(painter, bar, word, where.bands[2])


def _ratios(painter: QPainter, strips: Strips, where: Places, selected: int) -> None:
    level = figure(strips.epsilon, 4)  # rounded up: no ratio is beyond it
    _band(painter, where.bands[3], f"+{level}", f"−{level}")
    halves = 0.5 + np.clip(strips.ratios / max(strips.epsilon, 1e-300), -1.0, 1.0) / 2
    colours = _shades(strips.size, colour("accent"), colour("selected"), selected)
    _bars(painter, where, 3, np.full(strips.size, 0.5), halves, colours)
    if strips.size > FEW:
        return
    painter.setFont(fitting([ratio_text(ratio) for ratio in strips.ratios.tolist()], where.column(0).width() - px(2), 7.5))
    metrics = QFontMetricsF(painter.font())
    for option, (half, ratio) in enumerate(zip(halves.tolist(), strips.ratios.tolist(), strict=True)):
        bar = where.bar(3, option, min(0.5, half), max(0.5, half))
        tall = bar.height() > 0.42 * where.bands[3].height()
        inside = tall and metrics.horizontalAdvance(ratio_text(ratio)) <= bar.width()
        painter.setPen(colour("on_accent" if option != selected else "card") if inside else colour("text"))
        above = (half < 0.5) == tall  # beyond the head of a short bar, and beyond the foot of a tall one
        y = bar.center().y() + px(4) if inside else bar.top() - px(3) if above else bar.bottom() + px(11)
        centred(painter, bar.center().x(), y, ratio_text(ratio), where.bands[3])


def _axis(painter: QPainter, band: QRectF, at: float) -> None:
    painter.setPen(line("hairline"))
    y = band.bottom() - at * band.height()
    painter.drawLine(QPointF(band.left(), y), QPointF(band.right(), y))


def _band(painter: QPainter, band: QRectF, above: str, below: str) -> None:
    painter.fillRect(band, colour("accent", 0.09))
    _axis(painter, band, 0.5)
    painter.setFont(font(8))
    painter.setPen(colour("muted"))
    box = QRectF(0, band.top() - px(3), band.left() - px(6), band.height() + px(6))
    right = Qt.AlignmentFlag.AlignRight
    painter.drawText(box, right | Qt.AlignmentFlag.AlignTop, above)
    painter.drawText(box, right | Qt.AlignmentFlag.AlignBottom, below)
