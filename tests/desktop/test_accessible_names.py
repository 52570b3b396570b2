"""Every control that the keyboard reaches has a name that a screen reader can say, in the real window and its dialogs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desktop import count_window
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.pages.noise.page import NoisePage
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with count_window.opened(qtbot, monkeypatch, CountDesign(8, alpha="1/2", name="Flu")) as opened:
        yield opened


def nameless(root: QWidget) -> list[str]:
    """The controls within a widget that can have the focus and say nothing."""
    return [place(widget) for widget in [root, *root.findChildren(QWidget)] if reachable(widget) and not spoken(widget)]


def reachable(widget: QWidget) -> bool:
    inner = isinstance(widget.parent(), QAbstractScrollArea) and widget.objectName() == "qt_scrollarea_viewport"
    frame = isinstance(widget, QScrollArea) and not isinstance(widget, QAbstractItemView)
    wanted = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled() and widget.focusProxy() is None
    return wanted and widget.isVisible() and not inner and not frame and not widget.isWindow()


def spoken(widget: QWidget) -> str:
    accessible = QAccessible.queryAccessibleInterface(widget)
    name: str = accessible.text(QAccessible.Text.Name)
    return name.strip("…▾▸ ")


def place(widget: QWidget) -> str:
    chain = []
    while widget is not None and not widget.isWindow():
        chain.append(type(widget).__name__)
        widget = widget.parentWidget()
    return " < ".join(chain[:5])


def test_the_count_page_and_the_panels(qtbot: QtBot, window: MainWindow) -> None:
    for action in (window.menus.history, window.menus.why):
        action.setChecked(True)
    assert nameless(window) == []


def test_the_noise_page(qtbot: QtBot, window: MainWindow) -> None:
    window.document.add(NoiseDesign(epsilon=1))
    page = window.host.page
    assert page is not None and nameless(window) == []
    qtbot.waitUntil(lambda: page.outcomes.get("solve") is not None, timeout=count_window.WAIT)


def test_the_comparison(qtbot: QtBot, window: MainWindow) -> None:
    window.document.pin(window.document.current.key)
    window.document.duplicate()
    window.menus.compare.trigger()
    qtbot.waitUntil(lambda: window.stage.view.isVisible())
    qtbot.wait(50)
    assert nameless(window) == []


@pytest.mark.parametrize("command", ["export", "preferences", "about", "palette"])
def test_dialogs(window: MainWindow, command: str) -> None:
    getattr(window.menus, command).trigger()
    dialog = QApplication.activeModalWidget() or QApplication.activePopupWidget()
    assert dialog is not None or command == "palette"
    front = dialog or window
    assert nameless(front) == []
    front.close() if dialog else None


@pytest.mark.parametrize("width", [1280, 700])
def test_tab_walks_through_the_noise_page_in_reading_order(qtbot: QtBot, window: MainWindow, width: int) -> None:
    """The tabs of the views are made anew for each kind of query, and come before what they open all the same."""
    window.resize(width, 720)
    window.document.add(HistogramDesign.starting())
    window.document.add(NoiseDesign(epsilon=1))
    page = window.host.page
    assert isinstance(page, NoisePage)
    card = page._pictures
    qtbot.waitUntil(lambda: page.answer is not None and bool(card.panels.views), timeout=count_window.WAIT)
    page._inputs.privacy.control.target.slider.setFocus()  # the last of the inputs
    seen = []
    while len(seen) < 6:
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget())
    assert card.tabs.isAncestorOf(seen[0])
    first = next(place for place, widget in enumerate(seen) if not card.tabs.isAncestorOf(widget))
    assert card.panels.isAncestorOf(seen[first])


def test_tab_walks_through_the_page_and_comes_back(window: MainWindow) -> None:
    page = window.host.page
    assert page is not None
    page.setFocus()
    seen: list[QWidget] = []
    for _ in range(200):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        assert widget is not None and widget.isVisible()
        if widget in seen:
            break
        seen.append(widget)
    assert widget is seen[0], "the walk is a circle"
    reach = {part for part in page.findChildren(QWidget) if reachable(part)}
    missed = {place(part) for part in reach - set(seen) if not isinstance(part, QAbstractScrollArea)}
    assert len(seen) > 20
    assert not missed
