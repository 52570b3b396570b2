"""A card of people: how many are known, the grid of them, a legend with counts, and the one who is ringed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.desktop.theme.theme import set_class, set_state, theme
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.base.labelled import push_button
from dpdesigner.desktop.widgets.base.layouts import column_of, flow_of, row_of, styled
from dpdesigner.desktop.widgets.people.grid import Look, PeopleGrid
from dpdesigner.desktop.widgets.people.marks import Mark, draw_mark
from dpdesigner.desktop.widgets.plot.plot_layer import px

Bits = NDArray[np.int8]


class Sign(QWidget):
    """A mark beside its words in a legend."""

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self._mark = mark
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return a square as high as text."""
        return QSize(round(px(15)), round(px(15)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the mark."""
        painter = QPainter(self)
        draw_mark(painter, self._mark, QRectF(self.rect()))
        painter.end()


class PeopleCard(Card):
    """A grid of people below a number.

    Parameters
    ----------
    heading : str
    tabs : sequence of (key, text, tooltip)
        The looks to choose from; empty where there is a badge instead.
    """

    lookChosen = Signal(str)
    personChosen = Signal(int)

    def __init__(self, heading: str, tabs: Sequence[tuple[str, str, str]] = ()) -> None:
        super().__init__(heading, flexible=True)
        self.looks: dict[str, QPushButton] = {}
        looks = QWidget()
        for key, text, tip in tabs:
            self.looks[key] = push_button(text, tip, partial(self._choose, key), checkable=True, padding="2px 7px")
        self.badge = styled("badge")
        self.badge.hide()
        row_of(*self.looks.values(), self.badge, on=looks)
        self.header.removeWidget(self._heading)
        self._word.hide()
        self.body.removeItem(self.header)
        # the heading has a row of its own where text is large
        self.body.insertLayout(0, flow_of(self._heading, looks, gap=8, spread=True))
        self.figure, self.first, self.second = QLabel(), ElidedLabel(self), ElidedLabel(self)
        set_class(self.second, "muted")
        words = QWidget()
        row_of(self.figure, (column_of(self.first, self.second, gap=0), 1), on=words)
        self.grid = PeopleGrid(least=120)
        self.grid.setAccessibleName(self.tr("People"))  # until there are some in it
        self.grid.chosen.connect(self.personChosen)
        self._legend = {mark: (Sign(mark), QLabel()) for mark in (Mark.RIGHT, Mark.UNSURE, Mark.WRONG)}
        self.one = QLabel()
        self.one.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.legend = QWidget()
        flow_of(*chain.from_iterable(self._legend.values()), self.one, on=self.legend)
        self.add(words)
        self.add(self.grid, 1)
        self.add(self.legend)
        theme().changed.connect(self._restyle)
        self._restyle()

    @Slot()
    def _restyle(self) -> None:
        self.figure.setFont(theme().font(16, bold=True))
        self.one.setStyleSheet(f"color: {theme().colours.selected};")

    def show_marks(self, values: NDArray[np.float64], marks: Bits, look: Look, names: tuple[str, str, str]) -> None:
        """Show people, and count them."""
        self.grid.show_people(values, marks, look)
        for (mark, (sign, label)), name in zip(self._legend.items(), names, strict=True):
            label.setText(f"{group_thousands(int((marks == mark).sum()))} {name}" if name else "")
            sign.setVisible(bool(name))

    def set_look(self, key: str) -> None:
        """Mark the look that is chosen."""
        for other, button in self.looks.items():
            button.setChecked(other == key)

    def set_presenting(self, on: bool) -> None:
        """Leave away the buttons of the looks."""
        for button in self.looks.values():
            button.setHidden(on)

    def _choose(self, key: str) -> None:
        self.set_look(key)
        self.lookChosen.emit(key)

    def say(self, figure: str, first: str, second: str) -> None:
        """Show the number, and the two lines beside it."""
        self.figure.setText(figure)
        self.first.set_full_text(first)
        self.second.set_full_text(second)
        self.grid.setAccessibleName(f"{figure} {first}")

    def say_badge(self, text: str, state: str, tip: str) -> None:
        """Show a badge, green only for what is proved."""
        self.badge.setText(text)
        set_state(self.badge, "state", state)
        self.badge.setToolTip(tip)
        self.badge.setVisible(bool(text))

    def ring(self, person: int, text: str) -> None:
        """Ring a person and say who that is."""
        self.grid.ring(person, text)
        self.one.setText(text)

    def set_stale(self, on: bool) -> None:
        """Fade the people while they are computed anew."""
        self.grid.set_stale(on)
