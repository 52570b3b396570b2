"""Remembers how the window is laid out: its size and place, the panels, and the splitters of its pages by their object names."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QObject, QSize, Qt
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from dpdesigner.desktop.theme.preferences import settings

SIZE = QSize(1280, 720)
FRAME = 40


def forget_layout() -> None:
    """Forget what was remembered, for the next start."""
    settings().remove("layout")


class LayoutMemory(QObject):
    """Restores, stores and resets the layout of one window."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._original: dict[QSplitter, QByteArray] = {}

    def restore_window(self) -> None:
        """Give the window its remembered size, or the normal one as far as the screen has room."""
        geometry, panels = settings().value("layout/geometry"), settings().value("layout/panels")
        if not (isinstance(geometry, QByteArray) and self._window.restoreGeometry(geometry)):
            self._take_normal_size()
        if isinstance(panels, QByteArray):
            self._window.restoreState(panels)

    def restore_splitters(self, page: QWidget) -> None:
        """Give the splitters of a new page their remembered sizes."""
        for splitter in page.findChildren(QSplitter):
            if splitter.objectName():
                self._original[splitter] = splitter.saveState()
                sizes = settings().value(f"layout/splitter-{splitter.objectName()}")
                if isinstance(sizes, QByteArray):
                    splitter.restoreState(sizes)

    def store(self) -> None:
        """Remember the layout as it is."""
        store = settings()
        store.setValue("layout/geometry", self._window.saveGeometry())
        store.setValue("layout/panels", self._window.saveState())
        for splitter in self._original:
            store.setValue(f"layout/splitter-{splitter.objectName()}", splitter.saveState())

    def reset(self) -> None:
        """Go back to the layout of the first start."""
        forget_layout()
        self._window.showNormal()
        self._take_normal_size()
        for splitter, sizes in self._original.items():
            splitter.restoreState(sizes)

    def _take_normal_size(self) -> None:
        """Take the normal size, or the whole screen where a window with its frame would not fit."""
        room = self._window.screen().availableSize()
        self._window.resize(SIZE.boundedTo(room))
        if room.width() < SIZE.width() + FRAME or room.height() < SIZE.height() + FRAME:
            self._window.setWindowState(self._window.windowState() | Qt.WindowState.WindowMaximized)
