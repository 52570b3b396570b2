"""The help of the program: the "Why?" panel, the tour, the help window and the example gallery, and their commands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot

from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.document.filing import recent_files
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.window.layout import Parts
from dpdesigner.desktop.window.tour import Tour
from dpdesigner.files.project import examples

if TYPE_CHECKING:
    from dpdesigner.desktop.window.help_window import HelpWindow


class HelpCommands(QObject):
    """The link between the window's explaining parts; help and gallery are made on first use."""

    def __init__(self, window: Parts, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        menus, why = window.menus, window.why
        self.tour = Tour(window)
        self._help: HelpWindow | None = None
        menus.gallery.triggered.connect(self.open_gallery)
        window.host.whyRequested.connect(partial(why.set_open, True))
        why.shownChanged.connect(menus.why.setChecked)
        menus.why.toggled.connect(why.set_open)
        why.helpRequested.connect(self.open_help)
        menus.contents.triggered.connect(partial(self.open_help, ""))
        menus.tour.triggered.connect(self.start_tour)
        menus.demonstration.triggered.connect(self._demonstrate)
        window.host.pageChanged.connect(self.tour.end)
        window.presenting.changed.connect(self.tour.end)

    def open_help(self, page: str = "") -> None:
        """Open the help, at a page if one is named, otherwise where it was left."""
        from dpdesigner.desktop.window.help_window import HelpWindow, help_pages

        if self._help is None:
            self._help = HelpWindow(help_pages(self._window.menuBar()), self._window)
        if page:
            self._help.show_page(page)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

    @Slot()
    def welcome(self) -> None:
        """Open the gallery at a start without a file, unless it is disabled or something was recovered."""
        if preferences().choices.gallery_at_start and not self._window.document.modified:
            self.open_gallery()

    @Slot()
    def open_gallery(self) -> None:
        """Open the example gallery without blocking."""
        from dpdesigner.desktop.window.gallery import Gallery

        filing, gallery = self._window.filing, Gallery(examples(), recent_files(), self._window)
        gallery.exampleChosen.connect(filing.open_example)
        gallery.kindChosen.connect(filing.start)
        gallery.fileChosen.connect(filing.open_path)
        gallery.openRequested.connect(filing.open)
        gallery.demonstrationRequested.connect(self._demonstrate)
        gallery.tourRequested.connect(self.start_tour)
        gallery.columnRequested.connect(self._open_column)
        gallery.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        gallery.open()

    @Slot()
    def _open_column(self) -> None:
        """Ask for a file, and show a histogram of one of its columns."""
        from dpdesigner.desktop.background.tables import chosen_data

        if path := chosen_data(self.tr("Open a column"), self._window, self._window.filing.folder()):
            page = self._window.host.page if self._window.filing.start("histogram") else None
            for _, take in () if page is None else page.takers()[:1]:
                take(path)

    @Slot()
    def _demonstrate(self) -> None:
        """Run the demonstration over the window, unless something else is being presented there."""
        if not self._window.presenting.on:
            self.tour.end()
            self._window.demonstration.start()

    @Slot()
    def start_tour(self) -> None:
        """Start a tour of the page shown, then of the proof and the export button."""
        parts = self._window
        page = parts.host.page
        if page is None or not page.tour():
            return
        parts.why.leave()
        proof = Stop(
            parts.header.badge,
            self.tr("The proof"),
            self.tr("The badge is green only for a proved result (private or optimal). F1 explains it in plain words."),
        )
        export = Stop(
            parts.header.export,
            self.tr("Export"),
            self.tr("Tables and pictures. An exported mechanism is read back, and its privacy is checked on the written text."),
        )
        self.tour.start([*page.tour(), proof, export])
