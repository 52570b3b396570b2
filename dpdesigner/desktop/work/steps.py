"""Work that must be done in the window's thread, such as drawing, in steps between which the window stays alive."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from dpdesigner.errors import DpDesignerError


class Steps(QObject):
    """Runs a generator, one step in each turn of the event loop."""

    finished = Signal()
    failed = Signal(object)  #: the `DpDesignerError` that a step raised

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: Iterator[None] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)

    def run(self, steps: Iterator[None]) -> None:
        """Begin with these steps in place of any others."""
        self._steps = steps
        self._timer.start()

    def stop(self) -> None:
        """Give the rest up."""
        self._timer.stop()
        self._steps = iter(())

    @Slot()
    def _step(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            self.stop()
            self.finished.emit()
        except DpDesignerError as error:
            self.stop()
            self.failed.emit(error)
