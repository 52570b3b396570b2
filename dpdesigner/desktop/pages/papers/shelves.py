"""The gallery's shelves: one per paper, showing four tiles or all of them, with a filter and a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import push_button
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import ColumnLayout, column_of, fill_grid, row_of, scrolling, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.papers.tile import Tile
from dpdesigner.studies.exhibits.exhibit import ASKS, DIFFERS, HOLDS, PAPERS, Paper
from dpdesigner.studies.exhibits.listing import exhibits_of

#: The papers with their exhibits, loaded on import, which happens in the background.
SHELVES = {paper: exhibits_of(paper) for paper in PAPERS}

COLUMNS = 6  #: at most
_SIDE = 148  # pixels for the text at the left of a shelf
LEAST_TILE = 240  #: pixels that a tile needs for its text
_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class Shelf(Card):
    """A paper and its tiles."""

    opened = Signal(str)  #: key of the paper whose tiles are all wanted, or only four again

    def __init__(self, paper: Paper) -> None:
        super().__init__()
        self.paper = paper
        self.tiles = [Tile(exhibit, self) for exhibit in SHELVES[paper]]
        self._shown: tuple[tuple[Tile, ...], bool, int, bool] | None = None
        self.setAccessibleName(translated(paper.title))
        self.count = styled("small", "", wrapped=True)
        texts = ("heading", translated(paper.title)), ("small", translated(paper.authors))
        self.all = push_button("", "", lambda: self.opened.emit(paper.key))
        set_class(self.all, "quiet")
        self._side = QWidget()
        labels = (styled(style, text, wrapped=True) for style, text in texts)
        column_of(*labels, self.count, self.all, None, on=self._side, margins=(4, 3, 4, 3), gap=3)
        self._grid = QGridLayout()
        self._grid.setSpacing(2)
        self.body.addLayout(row_of(self._side, (self._grid, 1)))
        self.body.setContentsMargins(6, 1, 6, 1)
        theme().follow(self._fit)

    def show_tiles(self, tiles: list[Tile], whole: bool, columns: int, more: bool) -> None:
        """Show these tiles in this many columns; with `more`, the count is of all, and a button offers the others."""
        if (shown := (tuple(tiles), whole, columns, more)) == self._shown:
            return  # keeps the focus where it is
        self._shown = shown
        fill_grid(self._grid, self.tiles, tiles, columns)
        marks = [tile.exhibit.mark for tile in (self.tiles if more else tiles)]
        self.count.setText("   ".join(f"{mark}\xa0{marks.count(mark)}" for mark in (HOLDS, DIFFERS, ASKS) if mark in marks))
        self.all.setText(self.tr("fewer ▴") if whole else self.tr("all {count} ▸").format(count=len(self.tiles)))
        self.all.setVisible(more and len(self.tiles) > columns)
        self.setVisible(bool(tiles))

    @Slot()
    def _fit(self) -> None:
        self._side.setFixedWidth(round(_SIDE * theme().scale))


class Shelves(QWidget):
    """All papers. Signals which exhibit to open and when pictures are missing."""

    chosen = Signal(str)  #: the name of an exhibit to open
    pictureWanted = Signal()  #: a tile is visible: `next_undrawn` may return one

    def __init__(self) -> None:
        super().__init__()
        self.shelves = [Shelf(paper) for paper in SHELVES]
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Find a claim"))
        self.search.setAccessibleName(self.tr("Find a claim"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._refill)
        names = self.tr("All"), self.tr("✓ as printed"), self.tr("≠ corrected"), self.tr("? questions")
        self.filters = {key: (QPushButton(), name) for key, name in zip(("all", HOLDS, DIFFERS, ASKS), names, strict=True)}
        self.nothing = SentenceLabel("muted")
        self.everything = push_button(self.tr("Show all"), "", lambda: self.set_state({}))
        self._filter, self._whole, self._columns, self._selected = "all", "", COLUMNS, ("all", "")
        column = QWidget()
        self._column = ColumnLayout(column)
        self._column.setSpacing(7)
        self._column.addWidget(self.nothing)
        self._column.addWidget(self.everything, 0, Qt.AlignmentFlag.AlignLeft)
        for shelf in self.shelves:
            self._column.addWidget(shelf)
        self._column.addStretch(1)
        self._area = scrolling(column)
        column_of(self._top(), (self._area, 1), on=self, margins=(12, 6, 12, 6), gap=6)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.setFocus)
        for shelf in self.shelves:
            shelf.opened.connect(self._open_shelf)
            for tile in shelf.tiles:
                tile.clicked.connect(lambda checked=False, name=tile.exhibit.exhibit: self.chosen.emit(name))
        theme().changed.connect(self._fit)
        self._refill()

    def _top(self) -> QHBoxLayout:
        for key, (button, _) in self.filters.items():
            button.setCheckable(True)
            button.clicked.connect(lambda checked=False, key=key: self.set_state({**self.state(), "filter": key}))
        self.search.setFixedWidth(200)
        return row_of(*(button for button, _ in self.filters.values()), None, self.search, gap=6)

    # Display -----------------------------------------------------------------------------------------------------------

    @property
    def tiles(self) -> list[Tile]:
        """All tiles, in order."""
        return [tile for shelf in self.shelves for tile in shelf.tiles]

    def next_undrawn(self) -> Tile | None:
        """Return a visible tile that has no picture yet; None if all have one."""
        return next((tile for tile in self.tiles if not tile.drawn and tile.isVisibleTo(self)), None)

    def state(self) -> dict[str, Any]:
        """Return the search, the filter and the expanded shelf as JSON values."""
        return {"search": self.search.text(), "filter": self._filter, "shelf": self._whole}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Restore what `state` returned; missing values get their defaults."""
        texts = {key: value for key, value in state.items() if isinstance(value, str)}
        self._filter, self._whole = texts.get("filter", "all"), texts.get("shelf", "")
        self.search.setText(texts.get("search", "")[:80])
        self._refill()

    @Slot()
    def _refill(self) -> None:
        search, hit = self.search.text().strip(), False
        hits = [tile for tile in self.tiles if tile.matches(search)]
        many = Counter([*(tile.exhibit.mark for tile in hits), *("all" for _ in hits)])
        mark = self._filter if many[self._filter] else "all"  # hits elsewhere are shown
        for key, (button, name) in self.filters.items():
            button.setChecked(key == mark)
            button.setText(f"{name} {many[key]}")
        for shelf in self.shelves:
            whole = shelf.paper.key == self._whole
            wanted = [tile for tile in shelf.tiles if mark in ("all", tile.exhibit.mark) and tile in hits]
            selected = bool(search) or mark != "all"
            if not (selected or whole):
                wanted = wanted[: self._columns]
            shelf.show_tiles(wanted, whole, self._columns, not selected)
            hit = hit or bool(wanted)
        if (mark, search) != self._selected:  # another selection is shown from its start
            self._selected = mark, search
            self._area.verticalScrollBar().setValue(0)
        self.nothing.set_sentence("" if hit else self.tr("No claim contains “{words}”.").format(words=search))
        self.everything.setVisible(not hit)
        if self.isVisible():
            self.pictureWanted.emit()

    @Slot()
    def _fit(self) -> None:
        """Use as many columns as fit."""
        room = self.width() - round((_SIDE + 60) * theme().scale)
        columns = max(1, min(COLUMNS, room // round(LEAST_TILE * theme().scale)))
        if columns != self._columns:
            self._columns = columns
            self._refill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.pictureWanted.emit()

    # Requests ----------------------------------------------------------------------------------------------------------

    @Slot(str)
    def _open_shelf(self, key: str) -> None:
        self._whole = "" if self._whole == key else key
        self._refill()
        shelf = next(shelf for shelf in self.shelves if shelf.paper.key == key)
        QTimer.singleShot(0, self, partial(self._area.ensureWidgetVisible, shelf))  # after the new layout

    def focus_on(self, name: str) -> None:
        """Give the focus to the tile of an exhibit, if it is visible."""
        for tile in self.tiles:
            if tile.isVisibleTo(self) and tile.exhibit.exhibit == name:
                tile.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between tiles with the arrow keys, and along a shelf with Home and End; Enter opens the only hit of a search."""
        seen, key = [tile for tile in self.tiles if tile.isVisibleTo(self)], Qt.Key(event.key())
        focused = next((place for place, tile in enumerate(seen) if tile.hasFocus()), None)
        if focused is None:
            if self.search.hasFocus() and seen and key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                (seen[0].setFocus if key == Qt.Key.Key_Down or seen[1:] else seen[0].click)()
            else:
                super().keyPressEvent(event)
            return
        shelf = [place for place, tile in enumerate(seen) if tile.exhibit.paper == seen[focused].exhibit.paper]
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            seen[shelf[0 if key == Qt.Key.Key_Home else -1]].setFocus()
        elif key in _STEPS:
            aside, down = _STEPS[key]
            seen[min(max(focused + aside + down * self._columns, 0), len(seen) - 1)].setFocus()
        else:
            super().keyPressEvent(event)
