"""What is half typed in a box when the box goes away, or comes to be about something else, asks for nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desktop.count_window import LEFT, await_answers, opened, part
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.controls import ValueBox, hang_menu
from dpdesigner.desktop.editors.distribution_controls import PresetForm
from dpdesigner.desktop.editors.loss_picker import LossParameter
from dpdesigner.desktop.window.header import Header
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign

Control = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, CountDesign(20, alpha="1/2", prior="binomial:0.3", loss="power:2")) as found:
        yield found


def type_into(box: QLineEdit, text: str) -> None:
    """Click into a box, go to its beginning and type; neither Enter nor another click."""
    QTest.mouseClick(box, LEFT)
    QTest.keyClick(box, Qt.Key.Key_Home)
    QTest.keyClicks(box, text)
    assert box.hasFocus()


def priors(window: MainWindow) -> list[object]:
    return [design.study.prior.specification for design in window.document.designs]


@pytest.mark.parametrize("start", ["binomial:0.3", "triangular:2,8,15", "spike:4"])
@pytest.mark.parametrize("typed", ["9", "0", "x"])
def test_another_prior_by_menu(qtbot: QtBot, start: str, typed: str) -> None:
    around, form, button = QWidget(), PresetForm(), QToolButton()
    menu = QMenu(button)
    row = QHBoxLayout(around)
    row.addWidget(form)
    row.addWidget(button)
    hang_menu(button, menu)
    form.fill(menu)
    qtbot.addWidget(around)
    form.chosen.connect(lambda spec: form.show_spec(spec, 20))
    form.show_spec(start, 20)
    around.resize(600, 80)
    with qtbot.waitActive(around):
        around.show()
        around.activateWindow()
    type_into(form.boxes[0], typed)
    chosen, refused = QSignalSpy(form.chosen), QSignalSpy(form.refused)
    next(action for action in menu.actions() if action.text().startswith("From quantiles")).trigger()
    assert [chosen.at(k)[0] for k in range(chosen.count())] == ["smooth-quantiles:5%=2,95%=12"]
    assert refused.count() == 0
    assert [box.text() for box in form.boxes] == ["90", "3", "12"]


@pytest.mark.parametrize("other", ["binomial:0.3", "binomial:0.4", "quantiles:5%=2,95%=12", "uniform"])
def test_another_design_by_key(qtbot: QtBot, window: MainWindow, other: str) -> None:
    window.document.add(window.document.study.replace(prior=other))
    window.document.select(0)
    await_answers(qtbot, window)
    steps = window.document.undo_stack.count()
    type_into(part(window, PresetForm).boxes[0], "9")
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_PageDown, Control)
    assert window.document.index == 1
    if (focused := QApplication.focusWidget()) is not None:
        QTest.keyClick(focused, Qt.Key.Key_Return)
    window.setFocus()
    assert priors(window) == ["binomial:0.3", other]
    assert window.document.undo_stack.count() == steps
    boxes = part(window, PresetForm).boxes
    assert not boxes or boxes[0].text() == {"binomial:0.3": "0.3", "binomial:0.4": "0.4"}.get(other, "90")


def test_undoing_what_made_the_box(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(qtbot, monkeypatch, CountDesign(5, alpha="1/2")) as window:
        window.document.add(HistogramDesign.starting())
        window.document.change(NoiseDesign("integer", epsilon=1), "Change query")
        box = next(box for box in window.findChildren(ValueBox) if box.accessibleName() == "Sensitivity Δ")
        qtbot.waitUntil(box.isVisible)
        type_into(box, "3")
        window.menus.undo.trigger()
        assert window.document.study == HistogramDesign.starting()
        assert window.document.undo_stack.canRedo()
        window.menus.redo.trigger()
        assert window.document.study == NoiseDesign("integer", epsilon=1) and box.text() == "1"


def test_another_loss_of_the_same_number(qtbot: QtBot) -> None:
    around, parameter = QWidget(), LossParameter()
    QHBoxLayout(around).addWidget(parameter)
    qtbot.addWidget(around)
    parameter.set_parameter("power", "2", 20)
    with qtbot.waitActive(around):
        around.show()
        around.activateWindow()
    changed = QSignalSpy(parameter.changed)
    type_into(parameter.box, "3")
    parameter.set_parameter("power", "2", 20)  # an echo leaves what is being typed
    assert parameter.box.text() == "32"
    parameter.set_parameter("threshold", "2", 20)
    QTest.keyClick(parameter.box, Qt.Key.Key_Return)
    assert parameter.box.text() == "2" and changed.count() == 0


def test_a_name_goes_to_no_other_design(qtbot: QtBot, window: MainWindow) -> None:
    window.document.add(window.document.study.replace(prior="uniform"))
    names = [design.title for design in window.document.designs]
    window.menus.rename.trigger()
    editor = window.findChild(Header).editor
    QTest.keyClicks(editor, "Mine")
    QTest.keyClick(editor, Qt.Key.Key_PageDown, Control)
    assert window.document.index == 0 and not editor.isVisible()
    assert [design.title for design in window.document.designs] == names


def test_a_minimized_window_keeps_what_was_typed(qtbot: QtBot) -> None:
    around, box, other = QWidget(), ValueBox("0.33"), QPushButton("other")
    row = QHBoxLayout(around)
    row.addWidget(box)
    row.addWidget(other)
    qtbot.addWidget(around)
    box.show_value("1")
    with qtbot.waitActive(around):
        around.show()
        around.activateWindow()
    committed = QSignalSpy(box.committed)
    type_into(box, "2")
    around.setWindowState(Qt.WindowState.WindowMinimized)
    around.setWindowState(Qt.WindowState.WindowNoState)
    QTest.mouseClick(other, LEFT, pos=QPoint(4, 4))
    other.setFocus()
    assert box.text() == "21" and committed.count() == 1
