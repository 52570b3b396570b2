"""The window around the count page: saving and opening again, the examples, two designs, closing."""

from __future__ import annotations

import gc
import re
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from desktop.count_window import (
    LEFT,
    await_answers,
    click_cell,
    numbers,
    opened,
    page,
    paint,
    part,
    press_button,
    steps,
    undo,
)
from desktop.hands import Hands
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QSplitter
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.colours import DARK
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.desktop.pages.count.page import CountPage
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.window.application import make_application, open_window
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project import examples, read_project
from dpdesigner.studies.count.design import CountDesign

DESIGN = CountDesign(8, alpha="1/2", prior=("1/3", *("1/9",) * 6, "0", "0"), loss="absolute", name="Drawn")


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, DESIGN) as window:
        yield window


def key(window: MainWindow, letter: Qt.Key) -> None:
    """Press Ctrl and a letter."""
    page(window).setFocus()
    QTest.keyClick(QApplication.focusWidget() or window, letter, Qt.KeyboardModifier.ControlModifier)


def test_a_drawn_design_is_saved_and_opened_again(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "mine.dpd"
    monkeypatch.setattr(Questions, "path_to_save", lambda self, suggestion: path)
    monkeypatch.setattr(Questions, "path_to_open", lambda self, folder: path)
    paint(window, [(0, 0.1), (4, 0.9), (8, 0.3)])
    press_button(part(window, PrivacyControl), "ln 3")
    await_answers(qtbot, window)
    design, value = window.document.study, window.header.value.text()
    assert window.isWindowModified()
    key(window, Qt.Key.Key_S)
    assert read_project(path).studies == (design,) and not window.isWindowModified()
    assert window.windowTitle() == "mine[*] — dpdesigner"
    key(window, Qt.Key.Key_N)
    await_answers(qtbot, window)
    assert window.document.study == CountPage.starting_study("count") != design
    key(window, Qt.Key.Key_O)
    await_answers(qtbot, window)
    assert window.document.study == design and window.header.value.text() == value and steps(window) == 0


def test_each_example_opens_and_is_proved(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.examples.aboutToShow.emit()
    found = examples()
    assert len(found) >= 5
    for example in found:
        study, *more = read_project(example.path).studies
        if more or study.kind != "count":
            continue
        (of_count,) = (action.menu() for action in window.menus.examples.actions() if action.text() == "Count")
        next(action for action in of_count.actions() if action.text() == example.title).trigger()
        await_answers(qtbot, window)
        assert window.document.study == study and window.document.path is None and not window.isWindowModified()
        assert window.header.name.full_text == study.name
        assert window.header.badge.property("state") == "proved" and float(window.header.value.text().partition("\u00a0")[0]) > 0
        assert window.status.facts.full_text.startswith("✓ private")
        assert np.allclose(numbers(part(window, MatrixView)).sum(axis=1), 1)


def test_the_program_starts_on_the_first_example(qtbot: QtBot) -> None:
    make_application()
    window = open_window()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    await_answers(qtbot, window)
    assert window.document.title == examples()[0].title and window.header.badge.property("state") == "proved"
    assert not window.isWindowModified() and steps(window) == 0


def test_two_designs_keep_their_selections(qtbot: QtBot, window: MainWindow) -> None:
    view = part(window, MatrixView)
    click_cell(view, 6, 2)
    window.menus.duplicate.trigger()
    press_button(part(window, PrivacyControl), "1")
    await_answers(qtbot, window)
    assert len(window.document.designs) == 2 and window.document.designs[0].study == DESIGN
    click_cell(view, 1, 7)
    window.menus.previous_design.trigger()
    await_answers(qtbot, window)
    assert view.selected() == (6, 2) and window.document.study == DESIGN
    window.menus.next_design.trigger()
    await_answers(qtbot, window)
    assert view.selected() == (1, 7) and window.document.study.privacy.epsilon == 1


def test_undo_goes_back_through_different_steps_and_redo_forth(qtbot: QtBot, window: MainWindow) -> None:
    states = [window.document.study]
    for act in (
        lambda: paint(window, [(2, 0.7), (5, 0.2)]),
        lambda: press_button(part(window, PrivacyControl), "ln 3"),
        lambda: paint(window, [(7, 0.8), (8, 0.8)]),
    ):
        act()
        await_answers(qtbot, window)
        states.append(window.document.study)
    assert steps(window) == 3
    for state in states[-2::-1]:
        undo(window)
        assert window.document.study == state
    for state in states[1:]:
        key(window, Qt.Key.Key_Y)
        assert window.document.study == state
    await_answers(qtbot, window)


def test_everything_fits_1280_by_720(window: MainWindow) -> None:
    for dark in (False, True):
        window.menus.schemes.actions()[1 + dark].trigger()
        assert (theme().colours is DARK) is dark
    splitter = page(window).findChild(QSplitter, "count-columns")
    assert splitter is not None
    window.resize(1280, 720)
    assert (window.width(), window.height()) == (1280, 720)
    assert splitter.minimumSizeHint().width() <= splitter.width()
    for area in page(window).findChildren(QScrollArea):
        assert area.widget().width() <= area.viewport().width()


@pytest.mark.parametrize("epsilon", ["ln 2", "0.37", "1"])
def test_the_curve_has_the_numbers_of_the_card(qtbot: QtBot, window: MainWindow, tmp_path: Path, epsilon: str) -> None:
    """At the level of the design, whether it lies between points of the curve or on one, and without ≈."""
    user = Hands(qtbot, window, tmp_path)
    user.write("Epsilon", epsilon)
    await_answers(qtbot, window, "costs", "curves")
    user.settles()
    best, laplace = re.findall(r"(?:Best possible|Rounded Laplace noise, best read): ([\d.]+)", user.said())
    assert best == window.header.value.text()
    user.reads(f"Optimal: {best}; Rounded Laplace: {laplace}")


def test_presenting_keeps_the_pictures(window: MainWindow) -> None:
    window.menus.present.trigger()
    view = part(window, MatrixView)
    assert view.isVisible() and not window.rail.isVisible()
    window.menus.stop_presenting.trigger()
    assert window.rail.isVisible()


def test_the_badge_is_grey_until_there_is_a_proof(qtbot: QtBot, window: MainWindow) -> None:
    page(window).mark_stale("solve")
    page(window).set_study(DESIGN.replace(n=9))
    window.host.summaryChanged.emit()
    assert window.header.badge.property("state") == "stale"
    page(window).set_study(DESIGN)


def test_without_privacy_the_badge_says_so(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    user, badge = Hands(qtbot, window, tmp_path), window.header.badge
    for epsilon, words, state in (("inf", "no privacy", "open"), ("1", "proved optimal", "proved")):
        user.write("Epsilon", epsilon)
        await_answers(qtbot, window)
        user.settles()
        assert words in badge.text() and badge.property("state") == state


def test_closing_leaves_no_page_and_no_thread(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(threading.enumerate())
    with opened(qtbot, monkeypatch, DESIGN) as window:
        paint(window, [(0, 0.1), (8, 0.9)])
        shown = weakref.ref(page(window))
        QTest.mouseClick(part(window, MatrixView).figure().viewport(), LEFT)
        assert window.close() and window.stopped
        window.deleteLater()
    del window
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()
        gc.collect()
    assert shown() is None
    assert set(threading.enumerate()) <= before
    assert not [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow)]


def test_the_open_view_is_copied_as_a_picture(window: MainWindow) -> None:
    QGuiApplication.clipboard().clear()
    window.menus.copy_picture.trigger()
    picture = QGuiApplication.clipboard().image()
    assert min(picture.width(), picture.height()) > 300
    assert len({picture.pixel(x, picture.height() // 2) for x in range(picture.width())}) > 5


def test_another_document_does_not_keep_what_was_selected(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    count = page(window)
    count.set_view_state({"view": "geometric", "row": 7, "column": 1})
    window.document.duplicate()
    assert (count.view_state()["view"], count.view_state()["row"]) == ("geometric", 7)  # a copy is looked at in the same way
    monkeypatch.setattr(window.questions, "save_changes", lambda title: "discard")
    count._inputs.prior.controls.mode_chosen.emit("table")
    count._inputs.prior.table.setFocus()
    window.filing.new()
    assert count._inputs.prior.stack.currentWidget() is count._inputs.prior.plot and count.focusWidget() is None
    assert count._inputs.cards[0]._word.full_text == "on average 10 · drag to paint"
    state = count.view_state()
    assert (state["view"], state["row"], state["column"]) == ("optimal", 6, 6)
