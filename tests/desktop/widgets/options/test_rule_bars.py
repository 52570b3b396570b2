"""What papers' constants say and have: words that never promise too much, and keys that reach what the mouse does."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.widgets.options.rule_bars import Paper, PapersView, RuleBars, RuleRow

PAPERS = [Paper("one", "exp(ε u)", "[A]", 0.1, 0.2), Paper("two", "exp(2 ε u)", "[B]", 0.1, 0.20041)]


def test_the_epsilon_that_a_constant_has_is_rounded_up(qtbot: QtBot) -> None:
    view = PapersView()
    qtbot.addWidget(view)
    view.show_papers(PAPERS, 0.1)
    assert view.texts() == ["[A] exp(ε u): says 0.1, has 0.2", "[B] exp(2 ε u): says 0.1, has 0.201"]


def test_a_constant_is_chosen_by_keys_as_by_the_left_button_alone(qtbot: QtBot) -> None:
    view = PapersView()
    qtbot.addWidget(view)
    view.show_papers(PAPERS, 0.1)
    view.resize(view.sizeHint())
    chosen = QSignalSpy(view.chosen)
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert view.accessibleDescription() == view.texts()[1]
    QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=view.boxes()[0].center().toPoint())
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.boxes()[0].center().toPoint())
    assert [chosen.at(k)[0] for k in range(chosen.count())] == ["two", "one"]


def test_what_is_no_rule_is_not_chosen(qtbot: QtBot) -> None:
    bars = RuleBars()
    qtbot.addWidget(bars)
    bars.show_rows([RuleRow("", "Limit", "", 0.9, "0.9", "", "limit"), RuleRow("a", "Rule", "", 0.8, "0.8", "1.2")], "short by")
    chosen = QSignalSpy(bars.chosen)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Space):
        QTest.keyClick(bars, key)
    assert [chosen.at(k)[0] for k in range(chosen.count())] == ["a"]
