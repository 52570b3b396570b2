"""What is out of range is mended beside the control: what each error suggests, and the button that enters it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from desktop.count_window import await_cards
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import exact, parse_integer
from dpdesigner.core.count.alternatives import epsilon_reaching
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import ValueBox
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.editors.distribution_controls import interval_quantiles
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.errors import InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.study import Study

LEFT = Qt.MouseButton.LeftButton


def test_an_error_of_any_width_finds_room_for_its_button(qtbot: QtBot) -> None:
    """A sentence with less room than a word has no stable height in Qt; the program ended in an endless recursion."""
    around = QWidget()
    qtbot.addWidget(around)
    lines = [ErrorLine(around) for _ in range(3)]
    around.show()
    texts = "Row 1 sums to 0.8999, not 1, nor do 6 other rows.", "word " * 60, "Wordwithoutblanks" * 6
    for line, text in zip(lines, texts, strict=True):
        line.set_remedy(text, "Scale all rows to sum 1", line.clear)
        line.show()
        for width in range(20, 700, 3):
            line.resize(width, line.heightForWidth(width))
            button = line.fix.geometry()
            assert line.rect().contains(button) or button.width() > width


def refusal(make: Callable[[], object]) -> InputError:
    with pytest.raises(InputError) as caught:
        make()
    return caught.value


@pytest.mark.parametrize(
    ("make", "suggestion"),
    [
        (lambda: parse_integer("12.6", "n", 0, 100), "13"),
        (lambda: parse_integer("-3", "n", 0, 100), "0"),
        (lambda: parse_integer("1e9", "n", 0, 100), "100"),
        (lambda: parse_integer("many", "n", 0, 100), ""),
        (lambda: Loss("power:-1"), "1/1000"),
        (lambda: Loss("pinball:3"), "1"),
        (lambda: Loss("power:"), ""),
        (lambda: Loss("expression:abs(i-r)").matrix(6000), "5000"),
        (lambda: NoiseDesign(epsilon="1e-9"), "1e-06"),
        (lambda: NoiseDesign(epsilon=5000), "700"),
        (lambda: NoiseDesign(sensitivity=-1, epsilon=1), "1e-9"),
        (lambda: NoiseDesign("integer", sensitivity="2.5", epsilon=1), "2"),
        (lambda: NoiseDesign(sensitivity="1e15", epsilon=1), "1e12"),
        (lambda: NoiseDesign(delta=0, epsilon=1), "1e-6"),
        (lambda: NoiseDesign(delta=2, epsilon=1), "1/2"),
        (lambda: NoiseDesign(gamma="1.7", epsilon=1), "1"),
        (lambda: NoiseDesign(gamma="-1/2", epsilon=1), "0"),
        (lambda: NoiseDesign(cost="power:0", epsilon=1), "1"),
        (lambda: NoiseDesign(cost="power:101", epsilon=1), "100"),
        (lambda: interval_quantiles("100", "3", "12", 20), "99"),
        (lambda: interval_quantiles("0", "3", "12", 20), "1"),
        (lambda: interval_quantiles("90", "3", "25", 20), "20"),
    ],
)
def test_what_an_error_suggests(make: Callable[[], object], suggestion: str) -> None:
    assert refusal(make).suggestion == suggestion


def test_a_loss_that_is_suggested_can_be_reached() -> None:
    prior, loss = np.full(4, 0.25), np.where(np.eye(4), 1 / 3, 1.0)
    error = refusal(lambda: epsilon_reaching(prior, loss, 0.1))
    assert epsilon_reaching(prior, loss, float(exact(error.suggestion))) > 0


def test_an_empty_box_is_nothing() -> None:
    assert str(refusal(lambda: exact("  ", "n"))) == "n must be a number like 0.2, 1/3 or 20%, got nothing."
    assert str(refusal(lambda: Loss("power: "))) == "the loss must be power:Q with Q from 0.001 to 100, got nothing."
    assert (
        str(refusal(lambda: NoiseDesign(cost="drawn:", epsilon=1)))
        == "a drawn cost must be points X:Y with commas between, got nothing."
    )


@pytest.fixture
def line(qtbot: QtBot) -> ErrorLine:
    line = ErrorLine()
    qtbot.addWidget(line)
    line.resize(200, 60)
    return line


def test_the_button_is_there_only_for_a_suggestion_and_a_box(qtbot: QtBot, line: ErrorLine) -> None:
    box = ValueBox("100")
    qtbot.addWidget(box)
    line.set_error(InputError("n must be at most 9.", "n", "9"), box)
    beside = line.heightForWidth(120)
    assert line.fix.isVisible() and line.fix.text() == "Use 9" and line.fix.geometry().right() < line.width()
    assert line.heightForWidth(2000) >= line.fix.height()
    for other in (InputError("n must be at most 9.", "n"), InputError("n must be at most 9.", "n", "9")):
        line.set_error(other)
        assert not line.fix.isVisible() and line.heightForWidth(120) <= beside
    line.set_error(InputError("n must be at most 9.", "n", "9"), box)
    line.clear()
    assert not line.isVisible()


def test_what_is_taken_back_takes_its_error_with_it(qtbot: QtBot) -> None:
    window = opened(qtbot, CountDesign(5, alpha="1/2"))
    for name, text in (("n, the largest count", "2.5"), ("n, the largest count", "many"), ("Epsilon", "-1")):
        box = named(window, name)
        typed(box, text)
        line = shown(window)
        QTest.keyClick(box, Qt.Key.Key_Escape)
        assert not line.isVisible() and box.hasFocus()


def test_a_box_left_with_its_error_shows_what_is_in_force_once_something_else_changes(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    window = opened(qtbot, CountDesign(5, alpha="1/2"))
    n = named(window, "n, the largest count")
    typed(n, "2.5")
    assert n.property("invalid") and shown(window).isVisible()
    typed(named(window, "Epsilon"), "1")
    assert n.text() == "5" and not n.property("invalid")


def test_the_button_never_covers_the_sentence(qtbot: QtBot, line: ErrorLine) -> None:
    box = ValueBox("100")
    qtbot.addWidget(box)
    line.set_error(InputError("the sensitivity must be between 1 and 1e12.", "n", "1"), box)
    for size in (8, 24, 12):
        line.setFont(QFont(line.font().family(), size))
        line.resize(200, line.heightForWidth(200))
        assert not line.contentsRect().intersects(line.fix.geometry()) and line.rect().contains(line.fix.geometry())


def test_the_button_is_where_it_takes_less_height(qtbot: QtBot) -> None:
    line = ErrorLine()
    qtbot.addWidget(line)
    line.set_remedy("2 of 200 counts above 30 taken as 30. " * 3, "Set n = 34", lambda: None, "small")
    for width, below in ((600, False), (200, True)):
        line.resize(width, line.heightForWidth(width))
        assert (line.fix.y() > line.contentsRect().bottom()) is below and line.rect().contains(line.fix.geometry())
        assert not line.contentsRect().intersects(line.fix.geometry())


def test_an_error_pushes_nothing_over_what_is_above_it(qtbot: QtBot) -> None:
    card, content = Card("Your belief", flexible=True), QWidget()
    qtbot.addWidget(card)
    content.setMinimumHeight(80)
    card.add(content, 1)
    card.setFixedWidth(216)
    card.show()
    card.error.set_error(InputError("n must be a whole number between 0 and 1\u202f000\u202f000, got 5000000.", "n"))
    card.resize(card.minimumSizeHint())
    card.body.activate()
    assert content.height() >= 80 and card.error.y() > content.geometry().bottom()
    assert card.rect().contains(card.error.geometry())
    assert card.error.height() >= card.error.heightForWidth(card.error.width()) > 2 * card.error.fontMetrics().height() - 1


@pytest.mark.parametrize("fixed", [True, False])
def test_the_value_in_force_given_again_takes_the_error_with_it(qtbot: QtBot, fixed: bool) -> None:
    window = opened(qtbot, NoiseDesign(delta="1e-6", epsilon=1))
    window.host.page.look(view="delta")
    box = named(window, "Delta, for comparison")
    typed(box, "0")
    line = shown(window)
    if fixed:
        QTest.mouseClick(line.fix, LEFT)
    else:
        typed(box, "1e-6")
    assert not line.isVisible() and not box.property("invalid") and box.text() == "1e-6"
    assert window.document.undo_stack.count() == 0


def test_an_error_below_the_fold_is_scrolled_to(qtbot: QtBot) -> None:
    window = opened(qtbot, NoiseDesign(epsilon=1))
    window.resize(1280, 500)
    box = named(window, "Epsilon")
    typed(box, "0")
    line = shown(window)
    qtbot.waitUntil(lambda: line.visibleRegion().boundingRect() == line.rect())


def test_an_error_outlives_its_box(qtbot: QtBot, line: ErrorLine) -> None:
    boxes = [ValueBox("100"), ValueBox("100")]
    qtbot.addWidget(boxes[1])
    line.set_error(InputError("n must be at most 9.", "n", "9"), boxes[0])
    delete(boxes[0])
    QTest.mouseClick(line.fix, LEFT)
    line.set_error(InputError("n must be at most 8.", "n", "8"), boxes[1])
    assert line.fix.text() == "Use 8"


def typed(box: ValueBox, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def opened(qtbot: QtBot, study: Study) -> MainWindow:
    window = MainWindow([study], "test")
    qtbot.addWidget(window)
    window.host.start()
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    window.resize(1280, 860)
    await_cards(qtbot, window)
    return window


def named(window: MainWindow, name: str) -> ValueBox:
    return next(box for box in window.findChildren(ValueBox) if box.accessibleName() == name and box.isVisible())


def shown(window: MainWindow) -> ErrorLine:
    (line,) = [line for line in window.findChildren(ErrorLine) if line.isVisible()]
    return line


@pytest.mark.parametrize(
    ("study", "name", "text", "attribute", "value"),
    [
        (CountDesign(5, alpha="1/2"), "n, the largest count", "12.7", "n", 13),
        (NoiseDesign("integer", sensitivity=3, epsilon=1), "Sensitivity Δ", "0.2", "sensitivity", "1"),
        (NoiseDesign(epsilon=1), "Epsilon", "701", "epsilon", "700"),
        (NoiseDesign(gamma="1/2", epsilon=1), "gamma, the position of the step", "3", "gamma", "1"),
        (NoiseDesign(cost="power:2", epsilon=1), "A power of the error, m above 0, up to 100", "101", "cost", "power:100"),
    ],
)
def test_fix_is_one_undo_step(qtbot: QtBot, study: Study, name: str, text: str, attribute: str, value: object) -> None:
    window = opened(qtbot, study)
    box = named(window, name)
    for keys in (True, False):
        typed(box, text)
        line = shown(window)
        assert window.document.study == study and line.fix.isVisible()
        if keys:
            QTest.keyClick(box, Qt.Key.Key_Tab)
            assert line.fix.hasFocus()
            QTest.keyClick(line.fix, Qt.Key.Key_Space)
        else:
            QTest.mouseClick(line.fix, LEFT)
        found = window.document.study
        assert (found.privacy.number if attribute == "epsilon" else getattr(found, attribute)) == value
        assert window.document.undo_stack.count() == 1 and not line.isVisible() and box.hasFocus()
        assert not box.property("invalid")
        window.document.undo()
    window.document.undo_stack.setClean()


def test_an_epsilon_that_a_design_refuses_stays_typed_until_it_is_given_up(qtbot: QtBot) -> None:
    window = opened(qtbot, NoiseDesign(epsilon="1/2"))
    control = next(each for each in window.findChildren(PrivacyControl) if each.isVisible())
    for mend in ("button", "escape", "column"):
        typed(control.epsilon_box, "0")
        line = shown(window)
        assert control.epsilon_box.text() == "0" and line.fix.text() == "Keep 1/2" and not control.odds_label.isVisible()
        if mend == "button":
            QTest.mouseClick(line.fix, LEFT)
        elif mend == "escape":
            QTest.keyClick(control.epsilon_box, Qt.Key.Key_Escape)
        else:
            control.epsilon_box.give_up()
            line.clear()
        assert control.epsilon_box.text() == "1/2" and control.odds_label.isVisible() and not line.isVisible()
    assert window.document.undo_stack.count() == 0


def test_undo_takes_a_refused_text_back_and_nothing_else(qtbot: QtBot) -> None:
    window = opened(qtbot, NoiseDesign(epsilon="1/2"))
    window.document.change(NoiseDesign(epsilon="1/3"), "Change epsilon")
    control = next(each for each in window.findChildren(PrivacyControl) if each.isVisible())
    for text in ("abc", "0"):
        typed(control.epsilon_box, text)
        QTest.keyClick(control.epsilon_box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert control.epsilon_box.text() == "1/3" and not control.error_label.isVisible()
        assert window.document.undo_stack.index() == 1
    window.document.undo_stack.setClean()


def test_larger_text_measures_a_button_only_where_it_is_offered(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    box, line = ValueBox("0.5"), ErrorLine()
    for widget in (box, line):
        qtbot.addWidget(widget)
    line.resize(1000, 100)
    measured: list[ErrorLine] = []
    found = ErrorLine._make_room
    monkeypatch.setattr(ErrorLine, "_make_room", lambda self: (measured.append(self), found(self))[1])
    line.setStyleSheet("* { font-size: 12pt; }")
    assert not measured
    line.set_error(InputError("Must be at most 1, got 3.", suggestion="1"), box)
    before = line.contentsMargins().right()
    line.setStyleSheet("* { font-size: 24pt; }")
    assert measured
    assert line.contentsMargins().right() > before
