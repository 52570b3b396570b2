"""The losses as one row of tiles: as many as fit, the chosen one among them, and a last one that opens the menu of all others."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from dpdesigner.desktop.widgets.loss.thumbnail import LossThumbnail

_GAP = 6  # pixels between tiles


class TileRow(QWidget):
    """Equal tiles that fill the width.

    Parameters
    ----------
    tiles : mapping of str to LossThumbnail
        The first matter most.
    more : QAbstractButton
        Opens what has no room.
    """

    arranged = Signal()  #: other tiles are seen than before

    def __init__(self, tiles: Mapping[str, LossThumbnail], more: QAbstractButton) -> None:
        super().__init__()
        self._tiles, self._more = tiles, more
        self._chosen, self._alone = "", False
        self.seen: tuple[str, ...] = ()  #: the tiles that have room
        for tile in (*tiles.values(), more):
            tile.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_chosen(self, name: str, alone: bool = False) -> None:
        """Show this tile among the others, or alone."""
        self._chosen, self._alone = name, alone
        self._arrange()

    def sizeHint(self) -> QSize:
        """Return room for three tiles and the last one."""
        return QSize(4 * self._least + 3 * _GAP, self._height)

    def minimumSizeHint(self) -> QSize:
        """Return room for one tile and the last one."""
        return QSize(2 * self._least + _GAP, self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many as fit."""
        super().resizeEvent(event)
        self._arrange()

    @property
    def _least(self) -> int:
        return max(button.minimumSizeHint().width() for button in (*self._tiles.values(), self._more))

    @property
    def _height(self) -> int:
        return max(tile.sizeHint().height() for tile in self._tiles.values())

    def _arrange(self) -> None:
        fit = max(2, (self.width() + _GAP) // (self._least + _GAP)) - 1
        names = list(self._tiles)[:fit]
        if self._chosen in self._tiles and self._chosen not in names:
            names[-1] = self._chosen
        if self._alone:
            names = [name for name in names if name == self._chosen]
        shown = [*(self._tiles[name] for name in names), *(() if self._alone else (self._more,))]
        width = (self.width() - _GAP * fit) / (fit + 1)
        for place, button in enumerate(shown):
            left = round(place * (width + _GAP))
            button.setGeometry(left, 0, round((place + 1) * (width + _GAP)) - _GAP - left, self._height)
        for button in (*self._tiles.values(), self._more):
            button.setVisible(button in shown)
        if tuple(names) != self.seen:
            self.seen = tuple(names)
            self.arranged.emit()
