"""What explains the program: the "Why?" panel, the tour, the help window and the example gallery, and the commands for them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from dpdesigner.desktop.pages.page import Stop
from dpdesigner.desktop.tour import Tour

if TYPE_CHECKING:
    from dpdesigner.desktop.main_window import MainWindow


class HelpCommands(QObject):
    """Connects the window's explaining parts; help and gallery are made when first wanted."""

    def __init__(self, window: MainWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        menus, why = window.menus, window.why
        self.tour = Tour(window.centralWidget())
        window.host.whyRequested.connect(partial(why.set_open, True))
        why.shownChanged.connect(menus.why.setChecked)
        menus.why.toggled.connect(why.set_open)
        menus.tour.triggered.connect(self.start_tour)
        window.host.pageChanged.connect(self.tour.end)
        window.presenting.changed.connect(self.tour.end)

    @Slot()
    def start_tour(self) -> None:
        """Lead over the shown page, then to the proof and to what can be taken away."""
        window = self._window
        page = window.host.page
        if page is None or not page.tour():
            return
        window.why.leave()
        proof = Stop(
            window.header.badge,
            self.tr("The proof"),
            self.tr("Green only where it is proved that nothing better exists. F1 tells why, in plain words."),
        )
        export = Stop(
            window.header.export,
            self.tr("Take it away"),
            self.tr("Tables, pictures and a report. Each table is read back and its privacy checked on the written text."),
        )
        self.tour.start([*page.tour(), proof, export])
