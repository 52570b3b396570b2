""""""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QLineEdit, QMainWindow, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.theme import TEXT, Scheme, outlined, set_class, set_state, theme
from dpdesigner.desktop.window.application import make_application
from dpdesigner.desktop.window.dialogs import PreferencesDialog


class Heard(QObject):
    """Notes the types of the events of a widget."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.types: list[QEvent.Type] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.types.append(event.type())
        return False


@pytest.fixture
def scaled(qapp: QApplication) -> Iterator[None]:
    theme().apply()
    yield
    theme().set_scale(1.0)
    theme().set_scheme("system")


@pytest.fixture
def window(scaled: None, qtbot: QtBot) -> QMainWindow:
    window, inside = QMainWindow(), QWidget()
    window.setCentralWidget(inside)
    layout = QVBoxLayout(inside)
    for name in ("", "small", "error", "title", "heading", "muted"):
        label = QLabel(name or "plain")
        label.setObjectName(name or "plain")
        set_class(label, name)
        layout.addWidget(label)
    qtbot.addWidget(window)
    window.show()
    theme().set_scheme("dark")
    return window


def font(window: QMainWindow, name: str) -> QFont:
    found = window.findChild(QLabel, name)
    assert found is not None
    return found.font()


@pytest.mark.parametrize("scale", [2.0, 0.8])
def test_another_text_size_reaches_every_class_at_once_and_styles_nothing_anew(window: QMainWindow, scale: float) -> None:
    label = window.findChild(QLabel, "title")
    assert isinstance(label, QLabel)
    heard = Heard(label)
    theme().set_scale(scale)
    sizes = {name: font(window, name).pointSizeF() / scale for name in ("plain", "muted", "heading", "small", "error", "title")}
    assert sizes == pytest.approx({"plain": TEXT, "muted": TEXT, "heading": TEXT, "small": 8, "error": 8, "title": 11.5})
    assert {name for name in sizes if font(window, name).bold()} == {"heading", "title"}
    assert QEvent.Type.FontChange in heard.types
    assert QEvent.Type.StyleChange not in heard.types


@pytest.mark.parametrize("between", ["dark", "light"])
def test_an_open_dialog_has_the_size_that_it_would_open_with(window: QMainWindow, qtbot: QtBot, between: Scheme) -> None:
    dialog = PreferencesDialog(window)
    dialog.open()
    before = dialog.size()
    theme().set_scale(2.0)
    qtbot.waitUntil(lambda: dialog.width() > 1.5 * before.width())
    fresh = PreferencesDialog(window)
    fresh.open()
    assert dialog.size() == fresh.size()
    fresh.close()
    theme().set_scheme(between)
    theme().set_scale(1.0)
    qtbot.waitUntil(lambda: dialog.size() == before)


def test_another_scheme_keeps_the_text_size(window: QMainWindow) -> None:
    theme().set_scale(1.5)
    theme().set_scheme("light")
    assert font(window, "plain").pointSizeF() == pytest.approx(1.5 * TEXT)
    assert font(window, "title").pointSizeF() == pytest.approx(1.5 * 11.5)
    assert font(window, "title").bold()


def test_a_window_made_later_has_the_text_size(scaled: None, qtbot: QtBot) -> None:
    theme().set_scale(1.5)
    window, label = QMainWindow(), QLabel("late")
    set_class(label, "small")
    window.setCentralWidget(label)
    qtbot.addWidget(window)
    window.show()
    assert window.font().pointSizeF() == pytest.approx(1.5 * TEXT)
    assert label.font().pointSizeF() == pytest.approx(1.5 * 8)


def test_a_widget_taken_out_of_its_class_has_the_text_size_of_what_is_around_it(window: QMainWindow) -> None:
    label = window.findChild(QLabel, "error")
    assert isinstance(label, QLabel)
    set_class(label, "muted")
    assert label.font().pointSizeF() == pytest.approx(TEXT)
    theme().set_scale(2.0)
    assert label.font().pointSizeF() == pytest.approx(2 * TEXT)


def test_a_state_is_styled_at_once_and_only_when_it_changes(scaled: None, qtbot: QtBot) -> None:
    box = QLineEdit()
    qtbot.addWidget(box)
    box.show()
    plain = box.grab().toImage()
    set_state(box, "invalid", True)
    outlined = box.grab().toImage()
    assert outlined != plain
    set_state(box, "invalid", False)
    assert box.grab().toImage() == plain


def test_a_click_gives_no_outline_and_a_key_does(qtbot: QtBot) -> None:
    make_application()
    around = QWidget()
    qtbot.addWidget(around)
    layout = QHBoxLayout(around)
    first, second = QPushButton("first"), QPushButton("second")
    layout.addWidget(first)
    layout.addWidget(second)
    with qtbot.waitExposed(around):
        around.show()
    around.activateWindow()
    qtbot.waitUntil(around.isActiveWindow)
    QTest.mouseRelease(around, Qt.MouseButton.LeftButton)  # which an earlier test may have left pressed
    first.setFocus()
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    assert second.hasFocus() and not outlined(second)
    QTest.keyClick(second, Qt.Key.Key_Backtab)
    assert first.hasFocus() and outlined(first)
    QTest.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus() and outlined(second), "reached with a key, it is outlined after all"
