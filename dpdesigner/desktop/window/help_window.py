"""The help window and its pages, with search, and the commands of the Help menu."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, QUrl, Slot
from PySide6.QtGui import QAction, QColor, QKeySequence, QShortcut, QTextCharFormat, QTextDocumentFragment
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QMenu, QMenuBar, QTextBrowser, QTextEdit, QWidget
from shiboken6 import isValid

from dpdesigner import resources
from dpdesigner.desktop.background.tables import choose_contents, chosen_data, holds_columns
from dpdesigner.desktop.background.waiting import waited
from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.document.filing import recent_files
from dpdesigner.desktop.pages.kit.field import ColumnSource
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.window.layout import Parts
from dpdesigner.desktop.window.menus import plain_text
from dpdesigner.desktop.window.tour import Tour
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.files.project import examples
from dpdesigner.studies import registry
from dpdesigner.studies.study import Study

if TYPE_CHECKING:
    from dpdesigner.desktop.window.gallery import Gallery

#: The page generated from the menus, so that it is always right.
SHORTCUTS = "shortcuts"


@dataclass(frozen=True)
class HelpPage:
    """One page.

    Attributes
    ----------
    name : str
        What links call it, without ``.html``.
    html : str
        Its text; begins with a heading ``<h1>``.
    """

    name: str
    html: str

    @property
    def title(self) -> str:
        """The heading."""
        return self.html.partition("<h1>")[2].partition("</h1>")[0]

    @cached_property
    def plain_text(self) -> str:
        """The text without markup, for searching."""
        return QTextDocumentFragment.fromHtml(self.html).toPlainText().casefold()

    def has(self, query: str) -> bool:
        """Return whether the text contains every word of a query."""
        return all(word in self.plain_text for word in query.casefold().split())


def help_pages(menu_bar: QMenuBar) -> list[HelpPage]:
    """Return all pages in reading order.

    Parameters
    ----------
    menu_bar : QMenuBar
        Whose commands and keys the page of shortcuts lists.
    """
    names = json.loads(resources.path("help", "contents.json").read_text("utf-8"))
    return [HelpPage(name, _shortcuts(menu_bar) if name == SHORTCUTS else _text(name)) for name in names]


def _text(name: str) -> str:
    return resources.path("help", f"{name}.html").read_text("utf-8")


def _shortcuts(menu_bar: QMenuBar) -> str:
    parts = [f"<h1>{tr('Keyboard shortcuts')}</h1>"]
    for entry in menu_bar.actions():
        menu = entry.menu()
        rows = _rows(menu) if isinstance(menu, QMenu) else []
        if rows:
            cells = "".join(f"<tr><td>{name}&nbsp;&nbsp;&nbsp;</td><td><b>{keys}</b></td></tr>" for name, keys in rows)
            parts.append(f"<h2>{plain_text(entry.text())}</h2><table>{cells}</table>")
    parts.append(
        tr(
            "<h2>Everywhere</h2><p>Tab and Shift+Tab go from control to control. In plots and in the matrix the arrow "
            "keys move the selection; with Shift, larger steps when changing a value. Esc cancels a drag, "
            "closes a panel or ends presenting. Ctrl+Shift+P finds any command by its name.</p>"
        )
    )
    return "".join(parts)


def _rows(menu: QMenu) -> list[tuple[str, str]]:
    """Return the names and shortcuts of those commands in a menu that have a shortcut."""
    return [
        (plain_text(action.text()).rstrip("…"), _keys(action)) for action in menu.actions() if not action.shortcut().isEmpty()
    ]


def _keys(action: QAction) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(sequence.toString(native).replace("<", "&lt;") for sequence in action.shortcuts())


SIZE = QSize(860, 600)  #: at normal text size

_STYLE = """
h1 {{ font-size: {large}pt; font-weight: 600; margin-bottom: 8px; }}
h2 {{ font-size: {middle}pt; font-weight: 600; margin-top: 16px; margin-bottom: 4px; }}
p, li, td {{ line-height: 130%; }}
a {{ color: {accent}; text-decoration: none; }}
pre {{ background-color: {field}; white-space: pre-wrap; }}
"""


class HelpWindow(QDialog):
    """Contents and search on the left, the page on the right; stays open next to the main window.

    Parameters
    ----------
    pages : sequence of HelpPage
    parent : QWidget
    """

    def __init__(self, pages: Sequence[HelpPage], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("dpdesigner help"))
        self._pages = {page.name: page for page in pages}
        self._visited: list[str] = []
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search the help"))
        self.search.setAccessibleName(self.tr("Search the help"))
        self.search.setClearButtonEnabled(True)
        self.contents = QListWidget()
        self.contents.setAccessibleName(self.tr("Contents"))
        self.contents.setWordWrap(True)
        self.contents.setSpacing(3)
        self.contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.none = styled("muted", self.tr("No page contains these words."), wrapped=True)
        self.browser = QTextBrowser()
        self.browser.setOpenLinks(False)
        self._lay_out()
        for page in pages:
            item = QListWidgetItem(page.title)
            item.setData(Qt.ItemDataRole.UserRole, page.name)
            self.contents.addItem(item)
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self.browser.setFocus)
        self.contents.currentItemChanged.connect(self._choose)
        self.browser.anchorClicked.connect(self._go)
        QShortcut(QKeySequence.StandardKey.Back, self, self.go_back)
        QShortcut(QKeySequence.StandardKey.Find, self, self._start_search)
        theme().changed.connect(self._render)
        self.contents.setCurrentRow(0)

    def _lay_out(self) -> None:
        left = column_of(self.search, self.contents, self.none, gap=8)
        self.none.hide()
        row_of((left, 2), (self.browser, 5), on=self, margins=(12, 12, 12, 12), gap=12)
        self.resize((SIZE * theme().scale).boundedTo(self.screen().availableSize() - QSize(40, 60)))
        self.search.setFocus()

    def show_page(self, name: str) -> None:
        """Show a page, or a part of it: ``"synthetic#sizes"``; an unknown name shows the first page."""
        name, _, part = name.partition("#")
        for row in range(self.contents.count()):
            if self.contents.item(row).data(Qt.ItemDataRole.UserRole) == name:
                self.contents.item(row).setHidden(False)
                self.contents.setCurrentRow(row)
                self.browser.scrollToAnchor(part)
                return
        self.contents.setCurrentRow(0)

    @property
    def current_page(self) -> HelpPage:
        """The page being shown."""
        return self._pages[self.contents.currentItem().data(Qt.ItemDataRole.UserRole)]

    @Slot()
    def go_back(self) -> None:
        """Go back to the previous page."""
        if len(self._visited) > 1:
            self._visited.pop()
            self.show_page(self._visited.pop())

    @Slot(QUrl)
    def _go(self, link: QUrl) -> None:
        self.show_page(f"{link.path().removesuffix('.html')}#{link.fragment()}")

    @Slot(QListWidgetItem, QListWidgetItem)
    def _choose(self, item: QListWidgetItem | None, before: QListWidgetItem | None) -> None:
        if item is not None:
            self._visited.append(self.current_page.name)
            self._render()

    @Slot()
    def _start_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    @Slot(str)
    def _find(self, query: str) -> None:
        """List the pages that contain all words, and go to the first if the page shown does not."""
        places = []
        for row in range(self.contents.count()):
            item = self.contents.item(row)
            has = self._pages[item.data(Qt.ItemDataRole.UserRole)].has(query)
            item.setHidden(not has)
            if has:
                places.append(row)
        self.none.setVisible(not places)
        if places and self.contents.currentRow() not in places:
            self.contents.setCurrentRow(places[0])
        self._mark()

    @Slot()
    def _render(self) -> None:
        colours, look = theme().colours, theme()
        style = _STYLE.format(large=look.points(14), middle=look.points(10.5), accent=colours.accent, field=colours.field)
        self.browser.document().setDefaultStyleSheet(style)
        self.browser.document().setDocumentMargin(16)
        self.browser.setHtml(self.current_page.html.replace("\u202f", "\u00a0"))  # Qt would break lines within numbers
        self.browser.setAccessibleName(self.current_page.title)
        self._mark()

    def _mark(self) -> None:
        """Mark all matches of the search, and scroll to the first."""
        marks: list[QTextEdit.ExtraSelection] = []
        form = QTextCharFormat()
        form.setBackground(QColor(theme().colours.accent_soft))
        for word in self.search.text().split():
            cursor = self.browser.document().find(word)
            while not cursor.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = cursor, form
                marks.append(mark)
                cursor = self.browser.document().find(word, cursor)
        self.browser.setExtraSelections(marks)
        if marks:
            first = min((mark.cursor for mark in marks), key=lambda cursor: cursor.selectionStart())
            first.clearSelection()
            self.browser.setTextCursor(first)
            self.browser.ensureCursorVisible()


class HelpCommands(QObject):
    """The link between the window's explaining parts; help and gallery are made on first use."""

    def __init__(self, window: Parts, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        menus, why = window.menus, window.why
        self.tour = Tour(window)
        self._help: HelpWindow | None = None
        self._gallery: Gallery | None = None
        window.filing.dataChosen.connect(self.open_column)
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
        if self._help is None:
            self._help = HelpWindow(help_pages(self._window.menuBar()), self._window)
        self._help.show()
        if page:
            self._help.show_page(page)  # shown before, so that it knows where a part is
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
        gallery.openRequested.connect(partial(self._open_file, gallery))
        gallery.demonstrationRequested.connect(self._demonstrate)
        gallery.tourRequested.connect(self.start_tour)
        gallery.columnRequested.connect(partial(self._choose_column, gallery))
        gallery.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        gallery.open()
        self._gallery = gallery

    def _open_file(self, gallery: Gallery) -> None:
        """Ask for a file and open it; the gallery stays if none is chosen, and until the column of a file of data is."""
        if path := self._window.filing.chosen():
            if not holds_columns(path):
                gallery.accept()
            self._window.filing.open_path(path)

    def _choose_column(self, gallery: Gallery) -> None:
        if path := chosen_data(self.tr("Open a column"), gallery, self._window.filing.folder()):
            self.open_column(Path(path))

    def open_column(self, path: Path) -> None:
        """Ask for a column of a file, and show a histogram of it; a gallery stays if none is chosen."""
        gallery = self._gallery if self._gallery is not None and isValid(self._gallery) and self._gallery.isVisible() else None
        parent, filing = gallery or self._window, self._window.filing

        @contextmanager
        def refusing() -> Iterator[None]:
            if gallery is not None:
                gallery.problem.clear()
            try:
                yield
            except Cancelled:
                pass
            except InputError as error:
                if gallery is None:
                    self._window.banner.ask(str(error))
                else:
                    gallery.problem.set_error(error)

        def count(path: str, column: str) -> None:
            made = partial(registry.entry("histogram").study_class().of_column, path, column)
            with refusing():
                show(path, waited(made, self.tr("Reading the column"), parent))

        def show(path: str, study: Study) -> None:
            if (
                filing.start("histogram", study, Path(path).stem.removesuffix(".csv"))
                and (page := self._window.host.page) is not None
            ):
                if gallery is not None:
                    gallery.accept()
                page.findChildren(ColumnSource)[0].offer(path)

        question = self.tr("Which column of {name}? It becomes a histogram with noise that may be published.")
        with refusing():
            choose_contents(parent, self.tr("Open a column"), question, count, str(path))

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
