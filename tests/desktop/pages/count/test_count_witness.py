"""The linear program follows a drag on the count page."""

from __future__ import annotations

import numpy as np
import pytest
from desktop import mouse
from desktop.count_window import WAIT, await_answers, numbers, opened, page, part
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpdesigner.core.count.closed_form import LARGEST_FOLLOWED_N
from dpdesigner.desktop.editors.distribution_plot import DistributionPlot
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.jobs import Compared, jobs

HILL = CountDesign(12, alpha="1/2", prior="binomial:0.4", loss="absolute")
CYCLIC = CountDesign(6, alpha="1/2", prior="uniform", loss="expression:(i-r)%3")


def test_up_to_50_the_linear_program_is_a_live_job() -> None:
    def lives(n: int) -> dict[str, bool]:
        return {job.name: job.live for job in jobs(CountDesign(n, alpha="1/2"), {}, {})}

    assert lives(LARGEST_FOLLOWED_N)["follow"] and not lives(LARGEST_FOLLOWED_N)["lp_check"]
    assert "follow" not in lives(LARGEST_FOLLOWED_N + 1) and "lp_check" not in lives(201)


def test_the_lp_check_view_and_the_agreement_follow_a_stroke(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(qtbot, monkeypatch, HILL) as window:
        await_answers(qtbot, window, "lp_check")
        shown, plot = page(window), part(window, DistributionPlot)
        shown.look(view="lp_check")
        view = part(window, MatrixView)
        notes, matrices = set(), []

        def followed(share: float) -> bool:
            compared = shown.outcomes.get("follow")
            found = isinstance(compared, Compared) and compared.design == window.document.study
            if found:
                assert np.allclose(numbers(view), compared.lp_check.mechanism)
                assert abs(float(compared.lp_check.value) - float(compared.closed.value)) < 1e-9
            return found and window.document.previewing

        start = QPointF(plot.frame.x(2), plot.frame.y(0.5 * plot.frame.top))
        QTest.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=start.toPoint())
        for share in (0.9, 0.4, 0.7):
            at = QPointF(plot.frame.x(9), plot.frame.y(share * plot.frame.top))
            mouse.move(plot.viewport(), at, Qt.MouseButton.LeftButton)
            qtbot.waitUntil(lambda share=share: followed(share), timeout=WAIT)
            notes.add(shown.summary().note)
            matrices.append(numbers(view))
        QTest.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())
        assert all("linear program agrees to" in note for note in notes)
        assert not np.allclose(matrices[0], matrices[1])
        await_answers(qtbot, window, "lp_check")


def test_outside_the_theorem_the_closed_form_comes_first_with_its_gap(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(qtbot, monkeypatch, CYCLIC) as window:
        shown = page(window)
        await_answers(qtbot, window, "lp_check")
        kept = {name: shown.outcomes.pop(name) for name in ("lp_check", "follow")}
        shown.show_outcome("solve", shown.outcomes["solve"])
        assert shown.summary().badge.startswith("within ") and shown.summary().state == "open"
        assert np.allclose(numbers(part(window, MatrixView)), shown.outcomes["solve"].induced.matrix)
        shown.outcomes["follow"] = kept["follow"]
        shown.show_outcome("follow", kept["follow"])
        assert "proved optimal" in shown.summary().badge
        assert np.allclose(numbers(part(window, MatrixView)), kept["follow"].lp_check.mechanism)
