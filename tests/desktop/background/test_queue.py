""""""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from threading import Event, current_thread
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.background import queue as lane
from dpdesigner.desktop.background.queue import AFTERWARDS, AfterPaint, Worker
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.errors import InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.study import Progress

WAIT = 10_000


@pytest.fixture
def worker(qapp: object) -> Iterator[Worker]:
    worker = Worker()
    yield worker
    assert worker.stop()
    worker.deleteLater()


@pytest.fixture
def answers(worker: Worker) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    worker.answered.connect(lambda key, value: found.append((key, value)))
    return found


class Gate:
    """A call that waits until it is let through, then returns its value."""

    def __init__(self, value: Any) -> None:
        self.value, self.begun, self.open = value, Event(), Event()
        self.stopped = False

    def __call__(self, progress: Progress) -> Any:
        self.begun.set()
        while not self.open.wait(0.002):
            try:
                progress(0.5, "half way")
            except BaseException:
                self.stopped = True
                raise
        return self.value


@pytest.mark.parametrize(("recent", "rests"), [(float("inf"), 3), (-1.0, 0)])
def test_slow_work_rests_in_between_while_quick_calls_come(
    worker: Worker, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, recent: float, rests: int
) -> None:
    rested: list[tuple[str, float]] = []
    name = "quick"
    monkeypatch.setattr(lane, "sleep", lambda seconds: rested.append((name, seconds)))
    monkeypatch.setattr(lane, "SLICE", 0.0)
    monkeypatch.setattr(lane, "RECENT", recent)
    for name, slow in (("quick", False), ("slow", True)):
        with qtbot.waitSignal(worker.answered, timeout=WAIT):
            worker.submit(name, lambda progress: [progress(part) for part in (0.1, 0.2, 0.3)], slow=slow)
    assert rested == [("slow", lane.REST)] * rests


def test_an_answer_comes_from_another_thread(worker: Worker, qtbot: QtBot) -> None:
    with qtbot.waitSignal(worker.answered, timeout=WAIT) as answer:
        worker.submit("solve", lambda progress: current_thread().ident)
    assert answer.args is not None and answer.args[0] == "solve"
    assert answer.args[1] != threading.main_thread().ident
    assert not worker.busy("solve")


def test_the_waiting_call_of_a_key_is_replaced(worker: Worker, answers: list[Any], qtbot: QtBot) -> None:
    gate = Gate(0)
    worker.submit("other", gate)
    assert gate.begun.wait(60)
    for number in range(20):
        worker.submit("solve", lambda progress, number=number: number)
    gate.open.set()
    qtbot.waitUntil(lambda: not worker.busy("solve"), timeout=WAIT)
    assert answers == [("other", 0), ("solve", 19)]


def test_a_live_call_that_runs_may_still_answer(
    worker: Worker, answers: list[Any], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane, "PATIENCE", 100.0)
    gate = Gate("first")
    worker.submit("solve", gate)
    assert gate.begun.wait(60)
    worker.submit("solve", lambda progress: "second")
    gate.open.set()
    qtbot.waitUntil(lambda: len(answers) == 2, timeout=WAIT)
    assert answers == [("solve", "first"), ("solve", "second")]


@pytest.mark.parametrize("live", [True, False])
def test_a_superseded_call_is_stopped(
    worker: Worker, answers: list[Any], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, live: bool
) -> None:
    monkeypatch.setattr(lane, "PATIENCE", 0.0)
    gate = Gate("first")
    worker.submit("solve", gate, live=live)
    assert gate.begun.wait(60)
    worker.submit("solve", lambda progress: "second", live=live)
    qtbot.waitUntil(lambda: not worker.busy("solve"), timeout=WAIT)
    assert answers == [("solve", "second")] and gate.stopped


def test_why_an_older_call_failed_is_not_said_though_it_is_live(worker: Worker, answers: list[Any], qtbot: QtBot) -> None:
    said: list[Any] = []
    worker.failed.connect(lambda key, error: said.append(error))
    gate = Gate("")

    def refused(progress: Progress) -> Any:
        gate.begun.set()
        gate.open.wait()
        raise InputError("there is no such file.")

    worker.submit("solve", refused, live=True)
    assert gate.begun.wait(10)
    worker.submit("solve", lambda progress: "new", live=True)
    gate.open.set()
    qtbot.waitUntil(lambda: answers == [("solve", "new")], timeout=WAIT)
    assert said == []


def test_a_late_answer_that_is_not_live_is_dropped(worker: Worker, answers: list[Any], qtbot: QtBot) -> None:
    begun, go_on = Event(), Event()

    def deaf(progress: Progress) -> str:
        begun.set()
        go_on.wait(60)
        return "late"

    worker.submit("solve", deaf, live=False)
    assert begun.wait(60)
    worker.submit("solve", lambda progress: "new", live=False)
    go_on.set()
    qtbot.waitUntil(lambda: not worker.busy("solve"), timeout=WAIT)
    assert answers == [("solve", "new")]


def test_quick_calls_do_not_wait_for_slow_ones(worker: Worker, answers: list[Any], qtbot: QtBot) -> None:
    gate = Gate("slow")
    worker.submit("lp_check", gate, slow=True)
    qtbot.waitUntil(gate.begun.is_set, timeout=WAIT)
    worker.submit("solve", lambda progress: "quick")
    qtbot.waitUntil(lambda: answers == [("solve", "quick")], timeout=WAIT)
    gate.open.set()
    qtbot.waitUntil(lambda: len(answers) == 2, timeout=WAIT)


def test_slow_calls_begin_only_once_quick_ones_are_done(worker: Worker, answers: list[Any], qtbot: QtBot) -> None:
    warm, gate = Gate("warm"), Gate("quick")
    warm.open.set()
    worker.submit("lp_check", warm, slow=True)
    qtbot.waitUntil(lambda: not worker.busy("lp_check"), timeout=WAIT)  # the lane has set out
    worker.submit("solve", gate)
    worker.submit("costs", lambda progress: gate.open.is_set(), slow=True)
    assert gate.begun.wait(60)
    qtbot.wait(30)
    gate.open.set()
    qtbot.waitUntil(lambda: not worker.busy("costs") and not worker.busy("solve"), timeout=WAIT)
    assert sorted(answers[1:]) == [("costs", True), ("solve", "quick")]  # begun in this order; either may be heard first


def test_a_key_that_moves_to_the_other_lane_leaves_its_old_call(worker: Worker, answers: list[Any], qtbot: QtBot) -> None:
    gate = Gate("slow")
    worker.submit("solve", gate, slow=True)
    qtbot.waitUntil(gate.begun.is_set, timeout=WAIT)
    worker.submit("solve", lambda progress: "quick")
    qtbot.waitUntil(lambda: gate.stopped and not worker.busy("solve"), timeout=WAIT)
    assert answers == [("solve", "quick")]


def test_cancel_stops_what_runs_and_what_waits(worker: Worker, answers: list[Any], qtbot: QtBot) -> None:
    gate, ended = Gate("a"), []
    worker.ended.connect(ended.append)
    worker.submit("a", gate)
    worker.submit("b", lambda progress: "b")
    worker.submit("c", lambda progress: "c", slow=True)
    assert gate.begun.wait(60)
    worker.cancel(lambda key: key in "ab")
    assert ended[:2] == ["a", "b"] and not worker.busy("a")
    qtbot.waitUntil(lambda: gate.stopped, timeout=WAIT)
    worker.submit("d", lambda progress: "d")
    qtbot.waitUntil(lambda: not worker.busy("d") and not worker.busy("c"), timeout=WAIT)
    assert sorted(key for key, _ in answers) == ["c", "d"]


class Deaf:
    """A call that does not hear that it is cancelled."""

    def __init__(self) -> None:
        self.begun, self.go_on = Event(), Event()

    def __call__(self, progress: Progress) -> str:
        self.begun.set()
        self.go_on.wait(WAIT / 1000)
        return "late"


def test_a_cancelled_call_that_goes_on_keeps_nobody_waiting(worker: Worker, answers: list[Any], qtbot: QtBot) -> None:
    calls = [Deaf(), Deaf(), Deaf()]
    for deaf in calls[:2]:
        worker.submit("solve", deaf)
        assert deaf.begun.wait(60)
        worker.cancel(lambda key: True)
    worker.submit("costs", lambda progress: "costs", slow=True)
    worker.submit("solve", lambda progress: "new")
    qtbot.waitUntil(lambda: not worker.busy("solve") and not worker.busy("costs"), timeout=WAIT)
    worker.submit("solve", calls[2])
    assert calls[2].begun.wait(60)
    worker.cancel(lambda key: True)
    worker.submit("solve", lambda progress: "waits")  # there are not more and more threads
    qtbot.wait(20)
    assert sorted(answers) == [("costs", "costs"), ("solve", "new")]
    for deaf in calls:
        deaf.go_on.set()
    qtbot.waitUntil(lambda: not worker.busy("solve"), timeout=WAIT)
    assert answers[2:] == [("solve", "waits")]


def test_a_call_that_stops_keeps_nothing_of_what_it_had(worker: Worker, qtbot: QtBot) -> None:
    class Much:
        """Stands for a large array."""

    kept: list[weakref.ref[Much]] = []
    begun = Event()

    def call(progress: Progress) -> None:
        much = Much()
        kept.append(weakref.ref(much))
        begun.set()
        while True:
            progress(0.5)

    gc.disable()
    try:
        worker.submit("solve", call)
        assert begun.wait(60)
        worker.cancel(lambda key: True)
        qtbot.waitUntil(lambda: kept[0]() is None, timeout=WAIT)
    finally:
        gc.enable()


def test_slow_calls_share_what_they_keep_so_that_only_one_runs(worker: Worker, answers: list[Any], qtbot: QtBot) -> None:
    deaf, together = Deaf(), []
    worker.submit("lp_check", deaf, slow=True)
    qtbot.waitUntil(deaf.begun.is_set, timeout=WAIT)
    worker.cancel(lambda key: True)
    worker.submit("lp_check", lambda progress: together.append(not deaf.go_on.is_set()), slow=True)
    worker.submit("solve", lambda progress: "quick")
    qtbot.waitUntil(lambda: answers == [("solve", "quick")], timeout=WAIT)
    deaf.go_on.set()
    qtbot.waitUntil(lambda: not worker.busy("lp_check"), timeout=WAIT)
    assert together == [False]


def test_progress_is_reported(worker: Worker, qtbot: QtBot) -> None:
    gate = Gate("a")
    with qtbot.waitSignal(worker.progressed, timeout=WAIT) as report:
        worker.submit("a", gate)
    assert report.args == ["a", 0.5, "half way"]
    gate.open.set()


def _raise(error: Exception) -> Callable[[Progress], Any]:
    def call(progress: Progress) -> Any:
        raise error

    return call


def test_bad_input_is_a_signal_and_a_defect_goes_to_the_hook(worker: Worker, qtbot: QtBot) -> None:
    with qtbot.waitSignal(worker.failed, timeout=WAIT) as failure:
        worker.submit("a", _raise(InputError("n must be at least 0, got -1.", "n")))
    assert failure.args is not None and str(failure.args[1]) == "n must be at least 0, got -1."
    with qtbot.captureExceptions() as raised:
        worker.submit("a", _raise(ZeroDivisionError("a defect")))
        qtbot.waitUntil(lambda: bool(raised), timeout=WAIT)
    assert raised[0][0] is ZeroDivisionError
    with qtbot.waitSignal(worker.answered, timeout=WAIT):
        worker.submit("a", lambda progress: "the lane lives on")


def test_stopping_ends_a_running_call(qapp: object) -> None:
    worker, gate = Worker(), Gate("a")
    worker.submit("a", gate)
    worker.submit("b", Gate("b"), slow=True)
    assert gate.begun.wait(60)
    assert worker.stop()
    assert gate.stopped
    worker.deleteLater()


def test_a_slow_lane_does_not_set_out_once_stopped(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdesigner.desktop.background.queue.HEAD_START", 1)
    worker, ran = Worker(), []
    worker.submit("lp_check", lambda progress: ran.append("lp_check"), slow=True)
    assert worker.stop()
    worker.submit("solve", lambda progress: ran.append("solve"))
    worker.submit("lp_check", lambda progress: ran.append("lp_check"), slow=True)
    qtbot.wait(20)
    assert not ran
    assert worker.stop()
    worker.deleteLater()


def test_nothing_runs_before_the_window_is_painted(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdesigner.desktop.background.queue.UNSEEN", 600_000)
    window, ran = QWidget(), []
    qtbot.addWidget(window)
    worker = Worker(window=window)
    for key, slow in (("solve", False), ("lp_check", True)):
        worker.submit(key, lambda progress, key=key: ran.append(key), slow=slow)
    qtbot.wait(300)
    assert not ran
    window.show()
    qtbot.waitUntil(lambda: ran == ["solve", "lp_check"], timeout=WAIT)
    assert worker.stop()
    worker.deleteLater()


def test_a_window_that_is_never_painted_is_not_waited_for(qtbot: QtBot) -> None:
    window, ran = QWidget(), []
    qtbot.addWidget(window)
    worker = Worker(window=window)
    worker.submit("solve", lambda progress: ran.append("solve"))
    qtbot.waitUntil(lambda: ran == ["solve"], timeout=WAIT)
    assert worker.stop()
    worker.deleteLater()


def test_it_waits_for_the_paint(qtbot) -> None:
    called = []
    widget = QWidget()
    qtbot.addWidget(widget)
    AfterPaint(widget, lambda: called.append(widget.isVisible()))
    qtbot.wait(2 * AFTERWARDS)
    assert not called
    widget.show()
    qtbot.waitUntil(lambda: bool(called))
    widget.update()
    qtbot.wait(2 * AFTERWARDS)
    assert called == [True]


def test_the_main_window_is_painted_itself(qtbot) -> None:
    called = []
    window = MainWindow([CountDesign(5, alpha="1/2")])
    qtbot.addWidget(window)
    AfterPaint(window, lambda: called.append(True))
    window.show()
    qtbot.waitUntil(lambda: bool(called))
