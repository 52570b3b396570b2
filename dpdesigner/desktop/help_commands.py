"""What explains the program: the "Why?" panel, the tour, the help window and the example gallery, and the commands for them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from dpdesigner.desktop.pages.page import Stop
from dpdesigner.desktop.tour import Tour

if TYPE_CHECKING:
    from dpdesigner.desktop.help_window import HelpWindow
    from dpdesigner.desktop.main_window import MainWindow


class HelpCommands(QObject):
    """Connects the window's explaining parts; help and gallery are made when first wanted."""

    def __init__(self, window: MainWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        menus, why = window.menus, window.why
        self.tour = Tour(window)
        self._help: HelpWindow | None = None
        window.host.whyRequested.connect(partial(why.set_open, True))
        why.shownChanged.connect(menus.why.setChecked)
        menus.why.toggled.connect(why.set_open)
        why.helpRequested.connect(partial(self.open_help, "certificate"))
        menus.contents.triggered.connect(partial(self.open_help, ""))
        menus.tour.triggered.connect(self.start_tour)
        window.host.pageChanged.connect(self.tour.end)
        window.presenting.changed.connect(self.tour.end)

    def open_help(self, page: str = "") -> None:
        """Open the help, at a page if one is named; else where it was left."""
        from dpdesigner.desktop.help_pages import help_pages
        from dpdesigner.desktop.help_window import HelpWindow

        if self._help is None:
            self._help = HelpWindow(help_pages(self._window.menuBar()), self._window)
        if page:
            self._help.show_page(page)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

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
