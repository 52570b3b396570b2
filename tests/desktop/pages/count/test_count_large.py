"""More rows than a matrix can have, on the count page, with real mouse and key events."""

from __future__ import annotations

import numpy as np
import pytest
from desktop import mouse
from desktop.count_window import (
    WAIT,
    await_answers,
    box_named,
    click_cell,
    opened,
    page,
    paint,
    part,
    press_button,
    release_plot,
    sentences,
    steps,
    write,
)
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.pages.count.page import CountPage
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.jobs import jobs
from dpdesigner.studies.study import Job

N = 150_000
SMALL = CountDesign(20, alpha="9/10", prior="uniform", loss="absolute")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the jobs that take seconds; they are measured elsewhere."""

    def first(self: CountPage, study: CountDesign) -> list[Job]:
        return [job for job in jobs(study, {}, {}) if job.name == "solve"]

    monkeypatch.setattr(CountPage, "jobs", first)


def grow(qtbot: QtBot, window: MainWindow) -> None:
    write(box_named(window, "n, "), str(N))
    await_answers(qtbot, window)
    assert window.document.study.n == N and "n = 150\u202f000" in window.host.page.summary().line


def test_many_rows_are_typed_seen_hovered_and_clicked(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, quick: None) -> None:
    with opened(qtbot, monkeypatch, SMALL) as window:
        grow(qtbot, window)
        assert window.header.badge.property("state") == "proved"
        view, induced = part(window, MatrixView), page(window).outcomes["solve"].induced
        plot = view.figure()
        assert plot._seen is not None and plot._seen.values.max() > 0.04
        at = QPointF(plot.frame.x(75_200), plot.frame.y(75_000))
        mouse.move(plot.viewport(), at)
        row, column = plot.marks.hovered or (0, 0)
        assert abs(row - 75_000) < 600 and "within this pixel" in view.read_out()
        click_cell(view, 60_000, 60_000)
        row, column = (place or 0 for place in view.selected())
        release = release_plot(window)
        assert np.allclose(release.plot.bars[0].values, induced.row(row))
        press_button(window, "Posterior")
        posterior = induced.posterior(window.document.study.prior.probabilities, column)
        assert np.allclose(release.plot.bars[0].values, posterior)
        plot.zoom(1e9, QPointF(plot.frame.x(row), plot.frame.y(row)))
        assert plot.strongest_at(row, row) is None
        assert view.cell(row, row) == pytest.approx(induced.entry(row, row))


def test_every_view_of_many_rows_shows_something_or_says_why_not(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, quick: None
) -> None:
    with opened(qtbot, monkeypatch, SMALL) as window:
        grow(qtbot, window)
        card = page(window)._pictures
        for name in ("optimal", "geometric", "remap", "pattern", "induced"):
            page(window).look(view=name)
            assert card.view.isVisible() and card.view.grab().width() > 0
        for name in ("lp_check", "difference"):
            page(window).look(view=name)
            (said,) = [text for text in map(QLabel.text, card.findChildren(QLabel)) if "(n + 1)²" in text]
            assert not card.view.isVisible() and said.endswith("the certificate is the proof.")


def test_a_loss_without_structure_is_refused_beside_the_loss(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, quick: None) -> None:
    with opened(qtbot, monkeypatch, SMALL) as window:
        grow(qtbot, window)
        page(window)._inputs.loss.changed.emit("power:1.5", "Choose power loss")
        (sentence,) = sentences(window)
        assert "n must be at most 5000" in sentence and "power 1.5" in sentence
        (card,) = [card for card in window.findChildren(Card) if card.error.isVisibleTo(window)]
        assert card is page(window)._inputs.cards[1] and steps(window) == 1


def test_a_drag_over_many_bars_asks_once_at_its_end(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, quick: None) -> None:
    with opened(qtbot, monkeypatch, SMALL) as window:
        grow(qtbot, window)
        previews: list[object] = []
        page(window).previewed.connect(previews.append)
        before = part(window, DistributionEditor).plot.weights.copy()
        paint(window, [(10_000, 0.3), (30_000, 0.8), (60_000, 0.5)])
        qtbot.waitUntil(lambda: steps(window) == 2, timeout=WAIT)
        assert not previews and not np.array_equal(part(window, DistributionEditor).plot.weights, before)
        assert window.document.study.prior.title == "drawn"
