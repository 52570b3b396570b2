"""The costs of mechanisms as a list of labelled bars, and pairs of texts as tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf, isfinite

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.plots.plot_layer import FADED, colour, colour_role, font, line, px
from dpdesigner.studies.table_panels import Pairs, Rank, Ranking, Shares

#: A value above the first multiple of the next smaller one would flatten the others; its bar is cut at the second multiple.
_FLATTENING, _BEYOND = 6.0, 1.3


@dataclass(frozen=True)
class _Row:
    """The places of one bar's parts."""

    box: QRect
    label: QRect
    bar: QRect


class CostBars(QWidget):
    """Bars stacked vertically, each with its label above, its value at its end and its excess over the first on the right.

    A click chooses a bar; Up and Down move between the bars, Enter or Space chooses one.
    """

    chosen = Signal(str)  #: the key of a bar
    picked = Signal(str, object)  #: the user selected a bar of a clickable ranking: its target, and what it takes

    def __init__(self) -> None:
        super().__init__()
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Costs"))
        theme().changed.connect(self.lay_out)
        self._ranking = Ranking("", "")
        self._rows: list[_Row] = []
        self._stale = False
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.chosen.connect(self._pick)

    @property
    def _costs(self) -> tuple[Rank, ...]:
        return self._ranking.rows

    def show_ranking(self, ranking: Ranking) -> None:
        """Show a ranking; all other bars are compared with the first."""
        labels = [cost.shown for cost in self._costs]
        self._ranking = ranking
        shape = Qt.CursorShape.PointingHandCursor if ranking.select else Qt.CursorShape.ArrowCursor
        if shape != self.cursor().shape():
            self.setCursor(shape)
        texts = self.texts()
        self._current = min(self._current, max(len(texts) - 1, 0))
        self.setAccessibleDescription("; ".join(texts))
        if labels != [cost.shown for cost in self._costs]:
            self.lay_out()
        else:
            self.update()

    def set_stale(self, on: bool) -> None:
        """Fade bars that are out of date, or show them in full again."""
        self._stale = on
        self.update()

    def texts(self) -> list[str]:
        """Return each bar in words, like ``Laplace: 1.240, +6%``."""
        return [self._ranking.read(place) for place in range(len(self._costs))]

    def key(self, place: int) -> str:
        """Return the key of a cost, or its label if it has none; empty for a limit, which cannot be chosen."""
        cost = self._costs[place]
        return "" if cost.limit else cost.key or cost.label

    @Slot(str)
    def _pick(self, key: str) -> None:
        if self._ranking.select and key in {cost.key for cost in self._costs}:
            self.picked.emit(self._ranking.select, self._ranking.taken(key))

    # Layout ------------------------------------------------------------------------------------------------------------

    def boxes(self) -> list[QRectF]:
        return [QRectF(row.box) for row in self._rows]

    def _rows_for(self, width: int) -> list[_Row]:
        size = font(8.5).pointSizeF()
        thick, gap = round(px(9)), round(px(8))
        rows, top = [], 2
        lower = max(thick, _height("", 1, size))
        head = (
            QFontMetrics(font(7.5)).horizontalAdvance(translated(self._ranking.head)) + round(px(7)) if self._ranking.head else 0
        )
        for place, cost in enumerate(self._costs):
            across = max(width - 4 - (head if place == 0 else 0), 1)
            high = _height(translated(cost.shown), across, size) if cost.shown.strip() else 0
            top -= 0 if high or not place else gap  # it belongs to the bar above it
            label = QRect(2, top, across, high)
            bar = QRect(2, top + high + (lower - thick) // 2, width - 4, thick)
            rows.append(_Row(QRect(0, top - 2, width, high + lower + 4), label, bar))
            top += high + lower + gap
        return rows

    def heightForWidth(self, width: int) -> int:
        rows = self._rows_for(width)
        return rows[-1].box.bottom() + 1 if rows else 0

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(300))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(max(self.width(), 160)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rows = self._rows_for(self.width())
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    @Slot()
    def lay_out(self) -> None:
        """Lay the bars out again, for other labels or another text size."""
        self._rows = self._rows_for(self.width())
        self.updateGeometry()
        self.update()

    # Painting ----------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(FADED if self._stale else 1.0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter)
        boxes = self.boxes()
        if self.hasFocus() and self._current < len(boxes):
            painter.setPen(line("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(boxes[self._current].adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def draw(self, painter: QPainter) -> None:
        painter.setFont(font(8.5))
        metrics = QFontMetrics(painter.font())
        values = [self._ranking.value_text(cost) for cost in self._costs]
        excesses = [self._ranking.excess_text(cost) for cost in self._costs]
        known = [text for text, cost in zip(values, self._costs, strict=True) if cost.value is not None]
        beside = max((metrics.horizontalAdvance(text) for text in known), default=0) + round(px(8))
        right = max((metrics.horizontalAdvance(text) for text in excesses), default=0) + round(px(14))
        for place, (cost, row) in enumerate(zip(self._costs, self._rows, strict=True)):
            chosen = bool(cost.key) and cost.key == self._ranking.selected
            if chosen:
                painter.fillRect(row.box, colour("accent_soft"))
            self._draw_label(painter, cost, row, chosen, self._ranking.head if place == 0 else "")
            room = max(row.bar.width() - beside - right, 10)
            end = self._draw_bar(painter, cost, row.bar, room)
            if cost.before is not None:
                end = max(end, self._draw_before(painter, cost.before, row, room))
            middle = row.bar.center().y() + 1
            across = max(beside + right, metrics.horizontalAdvance(values[place]))
            box = QRect(round(end + px(8)), middle - metrics.height() // 2, across, metrics.height())
            leads = cost.role == "main" if isinstance(self._ranking, Shares) else place == 0
            painter.setPen(colour("text" if chosen or (leads and not self._ranking.select) else "muted"))
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, values[place])
            box.setLeft(row.bar.left())
            box.setRight(row.bar.right())
            painter.setPen(colour("muted"))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, excesses[place])

    def _draw_label(self, painter: QPainter, cost: Rank, row: _Row, chosen: bool, head: str) -> None:
        """Write the label of a bar and its note next to it; `head` is the heading of the second numbers."""
        painter.setFont(font(8.5, bold=chosen))
        painter.setPen(colour("text" if chosen else "muted"))
        painter.drawText(row.label, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft, translated(cost.shown))
        left = row.label.adjusted(QFontMetrics(painter.font()).horizontalAdvance(translated(cost.shown)) + round(px(7)), 0, 0, 0)
        painter.setFont(font(7.5))
        painter.setPen(colour("muted"))
        whole = row.label.united(row.bar)  # the heading goes where the first label leaves room for it
        painter.drawText(whole, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, translated(head))
        if cost.note and left.width() > 0:
            note = QFontMetrics(painter.font()).elidedText(translated(cost.note), Qt.TextElideMode.ElideRight, left.width())
            painter.drawText(left, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, note)
        painter.setFont(font(8.5))

    def _draw_bar(self, painter: QPainter, cost: Rank, bar: QRect, room: int) -> float:
        """Draw one bar from zero, wherever zero is (only the outline of a limit), and return its right end."""
        zero, box, cut = self._box(cost.value, bar, room)
        if box is None:
            return zero - px(8)
        painter.setPen(line("muted") if cost.limit else Qt.PenStyle.NoPen)
        painter.setBrush(colour("card" if cost.limit else colour_role(cost)))
        painter.drawRoundedRect(box, 2, 2)
        if cut:
            self._draw_cut(painter, box)
        end = max(box.right(), zero)
        ring = self._box(cost.ring, bar, room)[1]
        if ring is None:
            return end
        painter.setPen(line("text", px(1.3)))
        painter.setBrush(colour("card"))
        painter.drawEllipse(QPointF(ring.right(), ring.center().y()), px(4), px(4))
        return max(end, ring.right() + px(4))

    def _box(self, value: float | None, bar: QRect, room: int) -> tuple[float, QRectF | None, bool]:
        """Return the position of zero, the bar of a value (None without one), and whether it extends beyond the scale."""
        known = [each for cost in self._costs for each in (cost.value, cost.before, cost.ring)]
        finite = [each for each in known if each is not None and isfinite(each)]
        low, high = min([0.0, *finite]), self._ranking.ends or longest_bar(finite)
        span = high - low or inf  # fractions of it are used, because pixels per unit could overflow a double
        zero = bar.left() + room * (-low / span)
        if value is None or not isfinite(value):
            return zero, None, False
        start, end = sorted((zero, bar.left() + room * ((min(value, high) - low) / span)))
        return zero, QRectF(start, bar.top(), max(end - start, 2.0), bar.height()), value > high

    def _draw_before(self, painter: QPainter, value: float, row: _Row, room: int) -> float:
        """Outline the previous length of a bar, write its value by the label, and return its right end."""
        zero, box, _ = self._box(value, row.bar, room)
        if box is not None:
            painter.setPen(line("muted"))  # dashes would look like teeth at this height
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, -0.5, 0.5, 0.5), 2, 2)
        text = self.tr("before {value}").format(value=self._ranking.value_text(Rank("", value)))
        painter.setPen(colour("muted"))
        painter.drawText(row.label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, text)
        return zero if box is None else box.right()

    @staticmethod
    def _draw_cut(painter: QPainter, box: QRectF) -> None:
        """Mark a bar that extends far beyond the scale with two slanted gaps near its end."""
        painter.setPen(line("card", 2.5))
        for place in (14, 20):
            x = box.right() - px(place)
            painter.drawLine(QPointF(x - px(2), box.bottom() + 2), QPointF(x + px(4), box.top() - 2))

    # Mouse -------------------------------------------------------------------------------------------------------------

    def place_at(self, position: QPointF) -> int | None:
        """Return the index of the bar at a pixel, or None."""
        return next((place for place, box in enumerate(self.boxes()) if box.contains(position)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self._choose(place)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, bars = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0), len(self.boxes())
        if step and bars:
            self._current = min(max(self._current + step, 0), bars - 1)
            self.setAccessibleDescription(self.texts()[self._current])
            self.update()
        elif bars and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self._current)
        else:
            super().keyPressEvent(event)

    def _choose(self, place: int) -> None:
        self._current = place
        self.update()
        if key := self.key(place):
            self.chosen.emit(key)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self.place_at(QPointF(event.pos()))
            if place is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self.tip(place), self, self._rows[place].box)
            return True
        return super().event(event)

    def tip(self, place: int) -> str:
        """Return the label of a bar and its value with all its digits, and a remark of the ranking."""
        cost = self._costs[place]
        return f"{cost.label}: {self._ranking.full_text(cost)}\n{translated(self._ranking.remark(cost))}".rstrip()


def longest_bar(values: Sequence[float]) -> float:
    """Return the largest value whose bar is drawn to scale.

    A value more than six times the next smaller one would flatten the others; its bar is cut, a little beyond theirs.
    """
    positive = sorted(value for value in values if value > 0)
    for smaller, larger in pairwise(positive):
        if larger > _FLATTENING * smaller:
            return _BEYOND * smaller
    return positive[-1] if positive else 0.0


@lru_cache(maxsize=256)  # layouts ask again and again
def _height(label: str, width: int, points: float) -> int:
    """Return how high a label is, wrapped to a width."""
    size = font()
    size.setPointSizeF(points)
    flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
    return max(QFontMetrics(size).boundingRect(QRect(0, 0, width, 10_000), flags, label).height(), QFontMetrics(size).height())


_LOW, _USUAL, _HIGH = 44, 60, 210  # pixels of a tile at text scale 1: at least, where there is room, and at most
_TEXTS = (9.5, False), (16.0, True)  # the sizes of its texts, and whether they are bold
_LONG = 14  # characters of a reading that is written smaller


class Tiles(QWidget):
    """Pairs of texts as tiles, as many in a row as there is room for; clicks and arrow keys select one."""

    picked = Signal(str, object)  #: what the click changes, and what it takes

    def __init__(self) -> None:
        super().__init__()
        self._pairs, self._stale = Pairs("", "", (), ()), False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self.updateGeometry)

    def show_pairs(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self.setAccessibleName(translated(pairs.title))
        self.setAccessibleDescription(pairs.read(pairs.selected))
        self.updateGeometry()
        self.update()

    def set_stale(self, on: bool) -> None:
        self._stale = on
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, round(-(-len(self._pairs.rows) // self._most()) * px(_LOW)))

    minimumSizeHint = sizeHint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def columns(self) -> int:
        """Return how many tiles stand in a row: as few as the height allows, so that they fill it."""
        return max(min(self._most(), -(-len(self._pairs.rows) // max(int(self.height() / px(_USUAL)), 1))), 1)

    def _most(self) -> int:
        wide = sum(self._widths()) + px(64 if self._sizes() == _TEXTS else 38)
        return max(min(int(self.width() / wide), len(self._pairs.rows)), 1)

    def _sizes(self) -> tuple[tuple[float, bool], tuple[float, bool]]:
        """Return the sizes of the texts, smaller where one is long."""
        return _TEXTS if all(len(read) <= _LONG for _, read in self._pairs.rows) else (_TEXTS[0], (8.5, True))

    def _widths(self) -> list[float]:
        """Return the widths of the longest texts on both sides of the arrow."""
        sides = zip(self._sizes(), zip(*self._pairs.rows, strict=True), strict=False)
        return [
            max(map(QFontMetricsF(font(size, bold=bold)).horizontalAdvance, map(translated, texts)))
            for (size, bold), texts in sides
        ]

    def box(self, place: int, columns: int) -> QRectF:
        """Return where a tile is."""
        gap, (row, column) = px(6), divmod(place, columns)
        wide, high = (self.width() + gap) / columns, self.height() / -(-len(self._pairs.rows) // columns)
        high = min(high, px(_HIGH))
        return QRectF(column * wide + 1, row * high + 1, wide - gap - 2, high - gap)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, columns, (small, large) = QPainter(self), self.columns(), self._sizes()
        before, behind = self._widths() or (0.0, 0.0)
        if large == _TEXTS[1] and columns == 1:  # a sheet of a few lines
            high = self.box(0, columns).height() / px(1)
            small, large = (min(max(0.1 * high, small[0]), 14.0), False), (min(max(0.22 * high, large[0]), 26.0), True)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(FADED if self._stale else 1.0)
        for place, texts in enumerate(self._pairs.rows):
            box, held = self.box(place, columns), place == self._pairs.selected
            if not box.intersects(QRectF(event.rect())):
                continue
            painter.setPen(line("selected" if held else "hairline", 2.0 if held and self.hasFocus() else 1.0))
            painter.setBrush(colour("selected", 0.14) if held else colour("accent", 0.08))
            painter.drawRoundedRect(box, px(5), px(5))
            sides = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignLeft
            middle, arrow = box.center().x() + (before - behind) / 2, px(15)
            ends = (box.left(), middle - arrow), (middle - arrow, middle + arrow), (middle + arrow, box.right())
            parts = zip((texts[0], "→", texts[1]), sides, ends, (small, small, large), strict=True)
            for text, side, (left, right), (size, bold) in parts:
                painter.setFont(font(size, bold=bold))
                painter.setPen(colour("selected" if held else "text" if bold else "muted"))
                within = QRectF(left, box.top(), right - left, box.height())
                painter.drawText(within, side | Qt.AlignmentFlag.AlignVCenter, translated(text))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        columns, at = self.columns(), event.position()
        self._pick(next((place for place in range(len(self._pairs.rows)) if self.box(place, columns).contains(at)), -1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        down = self.columns()
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -down, Qt.Key.Key_Down: down}
        if step := steps.get(Qt.Key(event.key())):
            self._pick(self._pairs.selected + step)
        else:
            super().keyPressEvent(event)

    def _pick(self, place: int) -> None:
        if 0 <= place < len(self._pairs.rows) and self._pairs.select is not None:
            self.picked.emit(self._pairs.select.target, self._pairs.select.kept(place))
