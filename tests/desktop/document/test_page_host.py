from __future__ import annotations

from collections.abc import Iterator

import pytest
from desktop.fakes import ENTRIES, FakeStudy, OtherStudy
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies import registry
from dpdesigner.studies.study import Job

WAIT = 10_000


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    window = MainWindow([FakeStudy(1), OtherStudy(2)])
    qtbot.addWidget(window)
    window.show()
    yield window
    window.close()


def test_a_page_that_is_not_shown_computes_nothing_for_the_one_that_is(window: MainWindow, qtbot: QtBot) -> None:
    hidden = window.host.page_of("fake")
    window.document.select(1)
    answers: list[str] = []
    window.runner.answered.connect(lambda name, value: answers.append(name))
    hidden.requested.emit(Job("late", lambda progress: 1))
    window.host.page_of("other").requested.emit(Job("wanted", lambda progress: 2))
    qtbot.waitUntil(lambda: "wanted" in answers, timeout=WAIT)
    assert "late" not in answers
