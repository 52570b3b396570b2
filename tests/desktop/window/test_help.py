"""The help: every page is there, every link leads somewhere, the keys are those of the menus, and a search finds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QMenu
from pytestqt.qtbot import QtBot

import dpdesigner
from dpdesigner import resources
from dpdesigner.cli.commands import COMMANDS
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.window.help_window import HelpPage, HelpWindow, help_pages
from dpdesigner.desktop.window.menus import Menus, plain_text


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def menus(window: QMainWindow) -> Menus:
    return Menus(window)


@pytest.fixture
def help_window(qtbot: QtBot, window: QMainWindow, menus: Menus) -> HelpWindow:
    help_window = HelpWindow(help_pages(window.menuBar()), window)
    help_window.show()
    return help_window


def names(help_window: HelpWindow) -> list[str]:
    rows = (help_window.contents.item(row) for row in range(help_window.contents.count()))
    return [item.data(Qt.ItemDataRole.UserRole) for item in rows if not item.isHidden()]


def test_every_page_has_a_title_and_every_link_leads_to_a_page(window: QMainWindow, menus: Menus) -> None:
    pages = help_pages(window.menuBar())
    known = {page.name for page in pages}
    assert len(known) == len(pages) >= 15
    files = {path.stem for path in resources.path("help").glob("*.html")}
    assert files == known - {"shortcuts"}
    for page in pages:
        assert page.title and len(page.plain_text) > 200
        for link in re.findall(r'href="([^"]*)"', page.html):
            assert link.removesuffix(".html") in known, (page.name, link)
        for tag in ("p", "ul", "ol", "li", "b", "i", "table", "tr", "td", "sub", "sup", "h2", "pre"):
            assert len(re.findall(rf"<{tag}(?: id=\S+)?>", page.html)) == page.html.count(f"</{tag}>"), (page.name, tag)


def test_the_shortcuts_are_those_of_the_menus(window: QMainWindow, menus: Menus) -> None:
    page = next(page for page in help_pages(window.menuBar()) if page.name == "shortcuts")
    native = QKeySequence.SequenceFormat.NativeText
    for action in (menus.undo, menus.why, menus.export, menus.present, menus.contents):
        assert action.shortcut().toString(native) in page.html
    menus.export.setShortcut(QKeySequence("Ctrl+Alt+7"))
    assert "Ctrl+Alt+7" in next(page for page in help_pages(window.menuBar()) if page.name == "shortcuts").html


def test_the_menus_and_commands_named_in_the_help_exist(window: QMainWindow, menus: Menus) -> None:
    there: dict[str, list[str]] = {}
    for entry in window.menuBar().actions():
        menu = entry.menu()
        assert isinstance(menu, QMenu)
        there[plain_text(entry.text())] = [plain_text(action.text()).rstrip("…") for action in menu.actions()]
    commands = set(COMMANDS)
    named = 0
    for page in help_pages(window.menuBar()):
        for menu_name, rest in re.findall(r"(File|Edit|View|Design|Present|Help) &gt; ([^“][^.,;:<]*)", page.html):
            named += 1
            found = [name for name in there[menu_name] if name and " ".join(rest.split()).startswith(name)]
            assert found, (page.name, menu_name, rest)
        for command in re.findall(r"dpdesigner (?!import )([a-z]+) [A-Z-]", page.html):
            assert command in commands, (page.name, command)
    assert named > 10


def test_links_and_back(help_window: HelpWindow) -> None:
    assert help_window.current_page.name == "start"
    help_window.browser.anchorClicked.emit(QUrl("prior.html"))
    help_window.browser.anchorClicked.emit(QUrl("privacy.html"))
    assert help_window.current_page.name == "privacy" and "bet" in help_window.browser.toPlainText()
    help_window.go_back()
    assert help_window.current_page.name == "prior"
    help_window.go_back()
    help_window.go_back()
    assert help_window.current_page.name == "start"


def test_every_why_opens_the_help_at_its_own_part(window: QMainWindow, help_window: HelpWindow) -> None:
    pages = {page.name: page for page in help_pages(window.menuBar())}
    sources = [path.read_text("utf-8") for path in (Path(dpdesigner.__file__).parent / "studies").rglob("*.py")]
    places = {place for source in sources for place in re.findall(r'help="([^"]+)"', source)}
    parts = {place for place in places if "#" in place}
    assert len(places) > 10 and len(parts) >= 4
    for place in places:
        name, _, part = place.partition("#")
        assert not part or f'<h2 id="{part}">' in pages[name].html, place
    help_window.show_page("synthetic")
    at_top = help_window.browser.verticalScrollBar().value()
    help_window.show_page("synthetic#rules")
    assert help_window.current_page.name == "synthetic" and help_window.browser.verticalScrollBar().value() > at_top
    assert help_window.browser.cursorForPosition(QPoint(40, 8)).block().text() == "Linear rules"


def test_a_search_lists_shows_and_marks(help_window: HelpWindow) -> None:
    QTest.keyClicks(help_window.search, "weak duality")
    assert names(help_window) == ["certificate"] and help_window.current_page.name == "certificate"
    assert len(help_window.browser.extraSelections()) >= 2
    help_window.search.setText("no such words at all xyzzy")
    assert not names(help_window) and help_window.none.isVisible()
    help_window.search.clear()
    assert len(names(help_window)) >= 15 and not help_window.none.isVisible()
    assert not help_window.browser.extraSelections()


def test_it_follows_the_theme(help_window: HelpWindow) -> None:
    theme().set_scheme("dark")
    assert theme().colours.accent in help_window.browser.document().defaultStyleSheet()
    theme().set_scheme("system")


def test_a_page_finds_all_words_of_a_query(qapp: object) -> None:
    page = HelpPage("a", "<h1>One</h1><p>two <b>Three</b></p>")
    assert page.title == "One" and page.has("three ONE") and not page.has("four") and page.has("")


def test_a_letter_opens_one_command_of_a_menu(window: QMainWindow, menus: Menus) -> None:
    for entry in window.menuBar().actions():
        menu = entry.menu()
        assert isinstance(menu, QMenu)
        letters = [found.group(1).lower() for action in menu.actions() if (found := re.search(r"&(\w)", action.text()))]
        assert len(letters) == len(set(letters)), entry.text()


@pytest.mark.letters
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_no_page_is_wider_than_the_window(help_window: HelpWindow, scale: float) -> None:
    theme().set_scale(scale)
    for name in names(help_window):
        help_window.show_page(name)
        assert help_window.browser.horizontalScrollBar().maximum() == 0, name
    theme().set_scale(1.0)
