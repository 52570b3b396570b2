from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.background.runner import Runner
from dpdesigner.studies.study import Job, Progress

WAIT = 10_000


@pytest.fixture
def runner(qapp: object) -> Iterator[Runner]:
    worker = Worker()
    yield Runner(worker, worker)
    assert worker.stop()
    worker.deleteLater()


@pytest.fixture
def answers(runner: Runner) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    runner.answered.connect(lambda name, value: found.append((name, value)))
    return found


def jobs(step: int, began: list[tuple[str, int]]) -> list[Job]:
    def quick(progress: Progress) -> int:
        began.append(("solve", step))
        return step

    def slow(progress: Progress) -> int:
        began.append(("costs", step))
        return step

    return [Job("costs", slow, slow=True, live=True), Job("solve", quick, live=True)]


def test_in_a_drag_slow_jobs_wait_for_quick_answers_and_only_the_newest_run(
    runner: Runner, answers: list[Any], qtbot: QtBot
) -> None:
    began: list[tuple[str, int]] = []
    for step in range(5):
        runner.run(1, jobs(step, began), settled=False)
    qtbot.waitUntil(lambda: ("costs", 4) in answers, timeout=WAIT)
    assert [step for name, step in began if name == "costs"] == [4]
    assert answers.index(("solve", 4)) < answers.index(("costs", 4))


def test_a_settled_design_runs_all_its_jobs(runner: Runner, answers: list[Any], qtbot: QtBot) -> None:
    began: list[tuple[str, int]] = []
    runner.run(1, jobs(0, began), settled=False)
    runner.run(1, jobs(1, began), settled=True)
    qtbot.waitUntil(lambda: {("solve", 1), ("costs", 1)} <= set(answers), timeout=WAIT)
    assert ("costs", 0) not in began


def test_what_waits_in_a_drag_is_cancelled_with_the_rest(runner: Runner, answers: list[Any], qtbot: QtBot) -> None:
    began: list[tuple[str, int]] = []
    late: list[str] = []
    runner.late.connect(late.append)
    runner.run(1, jobs(0, began), settled=False)
    runner.cancel()
    assert "costs" in late
    runner.run(2, jobs(1, began), settled=True)
    qtbot.waitUntil(lambda: {("solve", 1), ("costs", 1)} <= set(answers), timeout=WAIT)
    assert ("costs", 0) not in began


def test_a_job_that_the_design_has_no_more_is_cancelled_and_one_asked_for_besides_is_not(
    runner: Runner, answers: list[Any], qtbot: QtBot
) -> None:
    began, go = Event(), Event()

    def long(progress: Progress) -> int:
        began.set()
        while not go.is_set():
            progress(None, "")
        return 1

    runner.run(1, [Job("curves", long, slow=True)], settled=True)
    qtbot.waitUntil(began.is_set, timeout=WAIT)
    runner.submit(Job("draw", lambda progress: 2, slow=True))
    runner.run(1, [Job("solve", lambda progress: 3, slow=True)], settled=True)
    qtbot.waitUntil(lambda: {("solve", 3), ("draw", 2)} <= set(answers), timeout=WAIT)
    assert not go.is_set() and "curves" not in dict(answers)
