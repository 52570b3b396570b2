"""Small steps of a bar by key or wheel, gathered into one change."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

_REST = 400  # milliseconds without a turn of the wheel that end its steps


class Nudge(QObject):
    """Whether steps are under way, and on which bar; held keys end when released, a wheel when it rests or goes elsewhere."""

    ended = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.place: int | None = None
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self.end)

    @property
    def active(self) -> bool:
        """Whether steps are under way."""
        return self.place is not None

    def begin(self, place: int) -> None:
        """Begin, or go on, at a bar; steps at another bar end first."""
        if self.place != place:
            self.end()
            self.place = place

    def end_soon(self) -> None:
        """End when nothing has moved for a moment: a wheel says no goodbye."""
        self._rest.start()

    @Slot()
    def end(self) -> None:
        """End the steps, if there are any."""
        if self.drop():
            self.ended.emit()

    def drop(self) -> bool:
        """Forget the steps without a word; return whether there were any."""
        active, self.place = self.active, None
        self._rest.stop()
        return active
