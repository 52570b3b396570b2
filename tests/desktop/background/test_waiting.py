"""Long calls are waited for without a frozen window, and can be given up where that is offered."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from threading import Event, current_thread, main_thread
from typing import Any

import pytest
from PySide6.QtCore import QObject, Qt, QThread, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QProgressDialog, QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.background import waiting
from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.background.waiting import Steps, Work, run_now, waited
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.study import Progress

pytestmark = pytest.mark.usefixtures("qtbot")


class Ticks(QObject):
    """Counts what the window's thread does meanwhile, and lets a call go on after a few."""

    def __init__(self, after: int, go_on: Event) -> None:
        super().__init__()
        self.seen, self._after, self._go_on = 0, after, go_on
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        self._timer.start(1)

    @Slot()
    def _tick(self) -> None:
        self.seen += 1
        if self.seen == self._after:
            self._go_on.set()


def test_a_short_call_is_simply_waited_for() -> None:
    assert waited(lambda: current_thread() is main_thread()) is False
    assert QApplication.overrideCursor() is None


def test_the_window_lives_while_a_long_call_runs() -> None:
    go_on = Event()
    ticks = Ticks(5, go_on)
    assert waited(lambda: go_on.wait(10)) is True
    assert ticks.seen >= 5 and QApplication.overrideCursor() is None


def test_what_a_call_raises_is_raised_where_it_is_waited_for() -> None:
    go_on = Event()
    ticks = Ticks(3, go_on)

    def refuse() -> None:
        go_on.wait(10)
        raise InputError("no.", "n")

    with pytest.raises(InputError, match="no"):
        waited(refuse)
    assert ticks.seen >= 3 and QApplication.overrideCursor() is None


def test_a_long_call_can_be_given_up(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "LONG", 0.005)
    go_on = Event()
    said: list[str] = []

    class Hand(QObject):
        @Slot()
        def press(self) -> None:
            dialog = QApplication.activeModalWidget()
            if isinstance(dialog, QProgressDialog):
                said.append(dialog.labelText())
                QTest.mouseClick(dialog.findChild(QPushButton), Qt.MouseButton.LeftButton)

    hand = Hand()
    timer = QTimer(hand)
    timer.timeout.connect(hand.press)
    timer.start(5)
    with pytest.raises(Cancelled):
        waited(lambda: go_on.wait(10), "Reading it all")
    timer.stop()
    assert not waiting.ended(0.01), "Python is not left while the call runs on"
    go_on.set()
    assert waiting.ended(10)
    assert said == ["Reading it all"] and QApplication.overrideCursor() is None


def test_a_timer_may_wait_for_a_call_of_its_own() -> None:
    inner, outer, order = Event(), Event(), list[str]()

    class Timed(QObject):
        @Slot()
        def wait(self) -> None:
            order.append(waited(lambda: "inner" if inner.wait(10) else "late"))

    timed, ticks = Timed(), (Ticks(30, inner), Ticks(10, outer))
    QTimer.singleShot(0, timed, timed.wait)
    order.append(waited(lambda: "outer" if outer.wait(10) else "late"))
    assert order == ["inner", "outer"] and all(tick.seen >= 10 for tick in ticks)
    assert QApplication.overrideCursor() is None


def test_a_call_that_ends_closes_its_dialog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "LONG", 0.001)
    go_on = Event()
    ticks = Ticks(60, go_on)
    assert waited(lambda: go_on.wait(10), "Reading it all") is True
    assert ticks.seen >= 60 and QApplication.activeModalWidget() is None


def test_nothing_of_the_window_can_be_asked_for_beside_the_dialog(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "LONG", 0.001)
    window, go_on, asked = QMainWindow(), Event(), list[str]()
    qtbot.addWidget(window)
    leave = QAction("Leave", window, shortcut="Ctrl+Q", triggered=partial(asked.append, "leave"))
    window.addAction(leave)
    window.show()

    class Hand(QObject):
        @Slot()
        def press(self) -> None:
            dialog = QApplication.activeModalWidget()
            if dialog is not None and waiting.waits():
                QTest.keyClick(dialog, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
                window.close()  # also what asks nobody changes no answer
                go_on.set()

    hand = Hand()
    timer = QTimer(hand)
    timer.timeout.connect(hand.press)
    timer.start(5)
    assert waited(lambda: go_on.wait(10), "Reading it all", window) is True
    timer.stop()
    assert not asked and not waiting.waits() and QApplication.activeModalWidget() is None


@pytest.fixture
def worker(qapp: object) -> Iterator[Worker]:
    found = Worker()
    yield found
    assert found.stop()


def work(places: list[object]) -> Work:
    places.append(QThread.isMainThread())
    yield None

    def call(progress: Progress) -> int:
        places.append(QThread.isMainThread())
        progress(0.5, "half")
        return 21

    found = yield call
    places.append(QThread.isMainThread())
    return 2 * found


def test_the_same_work_with_a_window_and_without(qtbot: QtBot, worker: Worker) -> None:
    places: list[object] = []
    steps = Steps(worker)
    with qtbot.waitSignal(steps.finished) as ended:
        steps.run(work(places))
    assert ended.args == [42] and places == [True, False, True]
    told: list[Any] = []
    assert run_now(work(places), lambda fraction, text="": told.append(fraction)) == 42
    assert told == [None, None, 0.5]


@pytest.mark.parametrize("background", [True, False])
def test_an_error_ends_it_with_the_error(qtbot: QtBot, worker: Worker, background: bool) -> None:
    def refuse(progress: Progress) -> None:
        raise InputError("no.")

    def failing() -> Work:
        yield None
        if background:
            yield refuse
        refuse(lambda fraction, text="": None)

    steps = Steps(worker)
    with qtbot.assertNotEmitted(steps.finished), qtbot.waitSignal(steps.failed) as ended:
        steps.run(failing())
    assert str(ended.args[0]) == "no."


def test_stopping_stops_a_call_under_way_and_tells_nothing(qtbot: QtBot, worker: Worker) -> None:
    began, ended = threading.Event(), threading.Event()

    def endless(progress: Progress) -> None:
        began.set()
        try:
            while True:
                progress(None)
        except Cancelled:
            ended.set()
            raise

    def working() -> Work:
        yield endless

    steps = Steps(worker)
    with qtbot.assertNotEmitted(steps.finished, wait=50), qtbot.assertNotEmitted(steps.failed):
        steps.run(working())
        qtbot.waitUntil(began.is_set)
        steps.stop()
        qtbot.waitUntil(ended.is_set)


def test_what_is_begun_takes_the_place_of_what_was_under_way(qtbot: QtBot, worker: Worker) -> None:
    given: list[object] = []

    def answering(answer: str) -> Work:
        found = yield lambda progress: answer
        return found

    steps = Steps(worker)
    steps.finished.connect(given.append)
    steps.run(answering("old"))
    steps.run(answering("new"))
    qtbot.waitUntil(lambda: bool(given))
    qtbot.wait(30)
    assert given == ["new"]
