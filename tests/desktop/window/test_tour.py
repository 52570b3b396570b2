"""The tour: keys, buttons, following what the user does, and leaving nothing behind."""

from __future__ import annotations

import pytest
from desktop.count_window import count_and_noise
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.desktop.window.tour import Tour, bubble_place

WAIT = 10_000


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    return count_and_noise(qtbot, monkeypatch)


def started(window: MainWindow) -> Tour:
    window.menus.tour.trigger()
    tour = window.commands.help.tour
    assert tour.running and tour.bubble.hasFocus()
    return tour


@pytest.mark.parametrize("design", [0, 1])
def test_the_keys_lead_over_every_stop_and_out(qtbot: QtBot, window: MainWindow, design: int) -> None:
    window.document.select(design)
    qtbot.waitUntil(window.header.badge.isVisible, timeout=WAIT)
    tour, seen = started(window), []
    while tour.running:
        seen.append(tour.bubble.title.text())
        inside = tour.bubble.parentWidget().rect()
        assert inside.contains(tour.bubble.geometry()) and tour.ring.isVisible()
        QTest.keyClick(tour.bubble, Qt.Key.Key_Right)
    assert seen[0] in ("Your belief", "Your query") and seen[-2:] == ["The proof", "Export"]
    assert len(seen) == len(set(seen)) >= 7 and not tour.ring.isVisible()


def test_the_control_stays_in_view_and_the_words_whole_at_another_text_size(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 720)
    tour = started(window)
    for _ in range(4):
        QTest.keyClick(tour.bubble, Qt.Key.Key_Right)
    control = tour._stops[tour._at].widget
    for scale in (2.0, 1.0):
        preferences().choose(text_scale=scale)
        qtbot.waitUntil(lambda: not control.visibleRegion().isEmpty() and tour.ring.geometry().intersects(tour._over.rect()))
        text = tour.bubble.text
        qtbot.waitUntil(lambda text=text: text.height() >= text.heightForWidth(text.width()))


def test_left_goes_back_and_escape_ends(window: MainWindow) -> None:
    tour = started(window)
    QTest.keyClick(tour.bubble, Qt.Key.Key_Left)
    assert tour.bubble.number.text().startswith("1 ") and not tour.bubble.back.isEnabled()
    QTest.mouseClick(tour.bubble.next, Qt.MouseButton.LeftButton)
    QTest.mouseClick(tour.bubble.back, Qt.MouseButton.LeftButton)
    assert tour.bubble.number.text().startswith("1 ")
    QTest.keyClick(tour.bubble, Qt.Key.Key_Escape)
    assert not tour.running and window.document.undo_stack.count() == 0


def test_it_goes_on_when_the_user_has_done_it(qtbot: QtBot, window: MainWindow) -> None:
    tour = started(window)
    for _ in range(2):
        QTest.keyClick(tour.bubble, Qt.Key.Key_Right)
    assert tour.bubble.title.text() == "How private"
    QTest.mouseClick(window.findChild(PrivacyControl).presets["ln 3"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: tour.bubble.title.text() == "The best mechanism", timeout=WAIT)
    QTest.mouseClick(window.findChild(PrivacyControl).presets["ln 2"], Qt.MouseButton.LeftButton)
    assert not tour._moment.isActive()


def test_it_ends_with_the_page_and_when_presenting(window: MainWindow) -> None:
    tour = started(window)
    window.document.select(1)
    assert not tour.running
    started(window)
    window.presenting.start()
    assert not tour.running
    window.presenting.stop()


def test_the_bubble_stands_beside_its_control_where_it_fits() -> None:
    room, size = QRect(0, 0, 1000, 600), QSize(300, 150)
    for target in (QRect(0, 0, 300, 200), QRect(700, 0, 300, 600), QRect(0, 500, 1000, 100), QRect(0, 0, 1000, 40)):
        box = bubble_place(target, size, room)
        assert room.contains(box) and not box.intersects(target)
    assert bubble_place(QRect(0, 0, 1000, 600), size, room).bottomRight() == QPoint(989, 589)
