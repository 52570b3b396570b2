"""The table that is looked into: small, never-released values blank, the pair of rows framed; and where another one is from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QLabel, QMenu, QSizePolicy, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.background.tables import chosen_table
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.pages.kit.fields import JoinedField
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.theme.words import translated
from dpdesigner.desktop.widgets.base.labelled import push_button, value_box
from dpdesigner.desktop.widgets.base.layouts import flow_of
from dpdesigner.desktop.widgets.matrix.colour import colour_table, scale_for
from dpdesigner.desktop.widgets.matrix.image import draw_image, image_of
from dpdesigner.desktop.widgets.plot.plot_layer import FADED, px
from dpdesigner.messages import message
from dpdesigner.studies.fields import DeclaredInput

_MOST_SIDE = 400  # rows and columns of the picture: of more only some are drawn
_EXAMPLES = (
    (message("An office’s table: R package ptable, D = 5, V = 2"), "file: example:ptable_D5V2.csv"),
    (message("Geometric noise, ε = ln 2, n = 20"), "geometric: 20, ln 2"),
    (message("Gaussian noise, σ = 2, clamped, 12 decimals"), "file: example:gaussian_sigma_2.csv"),
    (message("Geometric noise, ε = 1, printed with 6 decimals"), "file: example:geometric_printed.csv"),
)


class Thumbnail(QWidget):
    """A table as a small picture; a click on a row, or an arrow key, asks for the pair of that row and the one above it."""

    rowChosen = Signal(int)  #: the true count in the row that was clicked

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._image: QImage | None = None
        self.rows, self.columns = 0, 0
        self.pair: tuple[int, int] = (-1, -1)
        self._stale = False
        theme().changed.connect(self.updateGeometry)

    def show_table(self, values: Floats, pair: tuple[int, int], stale: bool = False) -> None:
        """Show probabilities, rows and columns, with two rows framed."""
        self.rows, self.columns = values.shape
        steps = [max(1, -(-side // _MOST_SIDE)) for side in values.shape]
        seen = np.ascontiguousarray(values[:: steps[0], :: steps[1]])
        scale = scale_for(seen, "probability")
        table = colour_table(scale).copy()
        cells = np.maximum(scale.bytes_of(seen), (seen > 0).astype(np.uint8))
        table[0] = 0  # what is never released is blank
        self._image, self.pair, self._stale = image_of(np.where(seen > 0, cells, 0).astype(np.uint8), table), pair, stale
        self.update()

    def set_stale(self, on: bool) -> None:
        """Fade it."""
        self._stale = on
        self.update()

    def area(self) -> QRectF:
        """Return where the picture is."""
        left = self.fontMetrics().horizontalAdvance("0000") + px(4)
        return QRectF(left, px(2), self.width() - left - px(2), self.height() - self.fontMetrics().height() - px(6))

    def sizeHint(self) -> QSize:
        """Return a height that grows with the text."""
        return QSize(round(px(240)), round(px(150)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture, the counts at its edges, and the frame."""
        painter, colours, area = QPainter(self), theme().colours, self.area()
        painter.setPen(QPen(QColor(colours.accent if self.hasFocus() else colours.hairline), 1))
        painter.drawRect(area)
        if self._image is None:
            return
        painter.setOpacity(FADED if self._stale else 1.0)
        draw_image(painter, area, self._image)
        painter.setPen(QColor(colours.muted))
        line, below = self.fontMetrics().height(), area.bottom() + px(2)
        right = Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(0, area.top(), area.left() - px(4), line), right, "0")
        painter.drawText(QRectF(0, area.bottom() - line, area.left() - px(4), line), right, str(self.rows - 1))
        painter.drawText(QRectF(area.left(), below, area.width(), line), Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(QRectF(area.left(), below, area.width(), line), right, str(self.columns - 1))
        if min(self.pair) >= 0:
            high, first, last = area.height() / self.rows, min(self.pair), max(self.pair)
            painter.setPen(QPen(QColor(colours.selected), px(2)))
            frame = QRectF(area.left(), area.top() + first * high, area.width(), max((last - first + 1) * high, px(3)))
            painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the pair at the border of rows that is next to the mouse."""
        area = self.area()
        if self.rows > 1:
            row = round((event.position().y() - area.top()) / area.height() * self.rows)
            self.rowChosen.emit(min(max(row, 1), self.rows - 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the pair above or below with the arrow keys."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None or self.rows < 2:
            super().keyPressEvent(event)
        else:
            self.rowChosen.emit(min(max(max(self.pair) + step, 1), self.rows - 1))


class TableField(Field):
    """The table as a picture, its name, and other tables: a file, the clipboard, an open design, or an example."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        name = self.accessibleName() or self.tr("The table")
        self.set_word(self.tr("blank: never released"))
        self.picture = Thumbnail(self.tr("The table: a click on the border between two rows chooses that pair"))
        tip = self.tr("The path of a table, or geometric: n, ε")
        self.box = value_box("0" * 24, self.tr("{name}, file or rows").format(name=name), tip, self._given)
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tip = self.tr("A table in a file: CSV, Tau-Argus, SAS or cell-key-perturbation")
        self.open = push_button(self.tr("Open…"), tip, self._open)
        self.paste = push_button(self.tr("Paste"), self.tr("The table on the clipboard"), self._paste)
        self.designs = push_button(self.tr("From Count"), self.tr("The table of an open design"), lambda: None)
        self.examples = push_button(self.tr("Examples"), self.tr("Four tables to begin with"), lambda: None)
        self.offered: Callable[[], Sequence[tuple[str, Callable[[], object]]]] = lambda: ()  #: the open designs that have a table
        for button, fill in ((self.designs, self._fill_designs), (self.examples, self._fill_examples)):
            menu = QMenu(button)
            menu.aboutToShow.connect(partial(fill, menu))
            button.setMenu(menu)
        self._buttons = QWidget()
        flow_of(self.open, self.paste, self.designs, self.examples, on=self._buttons, gap=4)
        for part in (self.picture, self.box, self._buttons):
            self.add(part)

    def show_value(self, value: object) -> None:
        """Show the name of the table."""
        if self.box is not None:
            self.box.show_value(self.asked.input.text(value))

    def set_presenting(self, on: bool) -> None:
        """Leave the picture alone."""
        self._buttons.setVisible(not on)

    def take(self, table: str) -> None:
        """Ask for another table."""
        self._given(table)

    def _open(self) -> None:
        if path := chosen_table(self.tr("Open a table"), self):
            self.take(f"file: {path}")

    def _paste(self) -> None:
        text = QGuiApplication.clipboard().text()
        self.take(f"{text}\n" if text.strip() and "\n" not in text else text)

    def _fill_designs(self, menu: QMenu) -> None:
        menu.clear()
        for title, call in self.offered():
            menu.addAction(title).triggered.connect(partial(_call, call))
        menu.setEnabled(bool(menu.actions()))
        if not menu.actions():
            menu.addAction(self.tr("No open Count, Noise or Choice design")).setEnabled(False)

    def _fill_examples(self, menu: QMenu) -> None:
        menu.clear()
        for words, table in _EXAMPLES:
            menu.addAction(translated(words)).triggered.connect(partial(_call, partial(self.take, table)))


class MendField(JoinedField):
    """Whether what rows lack of 1 is put on their largest entries, as a box to tick."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        for label in self.findChildren(QLabel):
            label.hide()
        assert self.box is not None
        self.box.hide()  # what is offered as a remedy is put into it
        self.tick = QCheckBox(self.tr("mend rows that do not sum to 1"))
        self.tick.setToolTip(translated(asked.label))
        self.tick.clicked.connect(lambda on: self._given("largest" if on else "no"))
        self.add(self.tick)

    def show_value(self, value: object) -> None:
        """Show whether rows are mended."""
        self.tick.setChecked(value == "largest")


def _call(call: Callable[[], object], checked: bool = False) -> None:
    call()
