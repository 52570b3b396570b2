"""Work in steps: calls run in the background, the rest in the window's thread; without a window it is the same work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.background.steps import Steps, Work, run_now
from dpdesigner.desktop.background.worker import Worker
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.study import Progress


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
