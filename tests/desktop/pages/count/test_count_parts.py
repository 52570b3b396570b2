"""A paint step makes each part of the count page once, and only where what it takes has changed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from desktop.count_window import await_answers, opened, page
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.document import page_host
from dpdesigner.desktop.pages.count import page as count_page
from dpdesigner.desktop.pages.count.mechanism_card import Matrices
from dpdesigner.desktop.pages.kit.cards import CostCard
from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.studies.count.answer import CountOverview
from dpdesigner.studies.count.design import CountDesign

DESIGN = CountDesign(20, alpha="1/2", prior=(1,) * 21)


def test_a_paint_step_makes_each_part_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    made: Counter[str] = Counter()
    arrived: list[str] = []

    def counted(owner: Any, name: str) -> None:
        before = getattr(owner, name)

        def call(*given: Any, **named: Any) -> Any:
            made[name] += 1
            return before(*given, **named)

        monkeypatch.setattr(owner, name, call)

    monkeypatch.setattr(page_host, "FRAME", 20_000)  # however loaded the machine is
    monkeypatch.setattr(page_host, "GATHER", 20_000)
    with opened(qtbot, monkeypatch, DESIGN) as window:
        await_answers(qtbot, window, "lp_check", "costs", "curves", "exact")
        counted(count_page, "answer")
        counted(Matrices, "show_panel")
        counted(CostCard, "show_ranking")
        counted(count_page, "attained")
        summary = Summary.of
        monkeypatch.setattr(Summary, "of", lambda *given: made.update(["summary"]) or summary(*given))
        decided = CountOverview.best.func  # type: ignore[attr-defined]
        monkeypatch.setattr(CountOverview.best, "func", lambda found: made.update(["best"]) or decided(found))
        told = CountOverview.findings.func  # type: ignore[attr-defined]
        monkeypatch.setattr(CountOverview.findings, "func", lambda found: made.update(["findings"]) or told(found))
        window.runner.answered.connect(lambda name, outcome: arrived.append(name))
        page(window).previewed.emit(DESIGN.replace(prior=(2, *(1,) * 20)))
        qtbot.waitUntil(lambda: {"solve", "follow", "reach", "costs", "curves"} <= set(arrived), timeout=15_000)
        qtbot.wait(50)
    assert len(arrived) == 5, arrived
    # The quick answers are shown together, then the linear program: two new answers, in which the mechanism that stands is
    # decided once each, and two summaries.
    assert made == {
        "answer": 2,
        "best": 2,
        "findings": 2,
        "summary": 2,
        "show_panel": 1,
        "attained": 1,
        "show_ranking": 1,
    }
