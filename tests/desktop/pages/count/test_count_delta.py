"""Delta on the count page: added, typed, refused, removed and undone; a risk aimed for; and what is shown of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import hands
from desktop.count_window import click_cell
from desktop.hands import Hands
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.desktop.editors.privacy_target import PrivacyTarget
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies.count.design import CountDesign

FLU = [1, 3, 6, 11, 16, 18, 16, 12, 8, 5, 3, 1] + [0] * 9


@pytest.fixture
def user(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    path = tmp_path / "flu.dpd"
    write_project(path, Project((CountDesign(20, epsilon="ln 2", prior=FLU, name="Flu"),)))
    with hands.opened(qtbot, monkeypatch, path) as user:
        user.settles()
        yield user


def design(user: Hands) -> CountDesign:
    study = user.window.document.study
    assert isinstance(study, CountDesign)
    return study


def choose_risk(user: Hands, words: str) -> PrivacyTarget:
    target = user.window.findChild(PrivacyTarget)
    assert target is not None
    button = next(each for each in target.findChildren(QPushButton) if each.isVisible())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    (action,) = (each for each in menu.actions() if words in each.text())
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    return target


def test_a_delta_is_added_shown_and_undone_in_one_step(user: Hands) -> None:
    assert not user.sees(QLineEdit, "Delta, not covered by epsilon")
    user.press("Add delta")
    user.settles()
    user.reads("1.0238", "δ = 0.01 saves 4.56%", "Gain from δ", "Rounded Gaussian noise, equally private")
    user.reads("Success of an attacker", "up to 1 in 100 is not covered by ε", "wins at most 67 times in 100; without δ, 66.7")
    user.reads("proved optimal")
    assert user.tabs() == ["Optimal", "Cells", "Remap"] and user.undo_text() == "Add δ"
    user.write("Delta, not covered by epsilon", "0.1")
    user.settles()
    user.reads("0.748")
    user.undo()
    user.undo()
    user.settles()
    assert design(user).delta is None and not user.sees(QLineEdit, "Delta, not covered by epsilon")
    user.reads("Accuracy", "Error against ε", "Laplace noise", "1.0727")
    assert "Geometric" in user.tabs() and "Cells" not in user.tabs()


def test_both_are_typed_into_the_box_of_epsilon(user: Hands) -> None:
    user.write("Epsilon", "ln 2, 0.01")
    user.settles()
    assert (design(user).delta, design(user).privacy.number) == ("0.01", "ln 2")
    user.press("Remove delta")
    user.settles()
    assert design(user).delta is None and user.undo_text() == "Remove δ"


def test_a_delta_of_0_keeps_its_box_and_changes_nothing_else(user: Hands) -> None:
    user.press("Add delta")
    user.write("Delta, not covered by epsilon", "0")
    user.settles()
    user.reads("ε covers everything", "Accuracy")
    assert user.sees(QLineEdit, "Delta, not covered by epsilon") and "Geometric" in user.tabs()


def test_a_delta_that_cannot_be_is_refused_beside_its_box(user: Hands) -> None:
    user.press("Add delta")
    user.settles()
    before = "0.01"
    for typed, right in (("1", "0.02"), ("-0.5", "0.03"), ("many", "0.04"), ("1e999", "0.05")):
        user.write("Delta, not covered by epsilon", typed)
        user.waits(lambda: bool(user.errors()))
        assert design(user).delta == before
        user.write("Delta, not covered by epsilon", right)
        user.settles()
        assert design(user).delta == right and not user.errors()
        before = right


def test_a_risk_is_aimed_for_and_e_to_the_epsilon_is_a_fraction(user: Hands) -> None:
    user.press("Add delta")
    user.settles()
    target = choose_risk(user, "found out")
    assert target.box.text() == "3"
    user.write("People found out, at 1 false alarm in 100", "5")
    user.settles()
    assert 1 / design(user).privacy.exact_alpha == 4 and user.undo_text() == "Aim for a risk"  # type: ignore[operator]
    user.write("People found out, at 1 false alarm in 100", "1")
    user.waits(lambda: any("at least 2 in 100 are found out" in error for error in user.errors()))
    target = choose_risk(user, "bets won")
    before = design(user).privacy
    slider = target.slider
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 2, slider.height() // 2))
    QTest.mouseMove(slider, QPoint(slider.width() // 3, slider.height() // 2))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 3, slider.height() // 2))
    user.settles()
    assert design(user).privacy != before and design(user).privacy.exact_alpha is not None


def test_an_error_is_aimed_for_with_a_delta(user: Hands) -> None:
    user.press("Add delta")
    user.settles()
    user.waits(lambda: user.find(QLineEdit, "Expected error to aim for").isEnabled())
    user.write("Expected error to aim for", "0.5")
    user.waits(lambda: design(user).privacy.epsilon > 1)
    assert abs(design(user).privacy.epsilon - 1.37819) < 1e-5 and design(user).delta == "0.01"


def test_cells_and_their_reading_are_shown_and_pointed_at(user: Hands) -> None:
    user.press("Add delta")
    user.settles()
    for tab in ("Cells", "Remap", "Optimal"):
        user.tab(tab)
        user.settles()
    user.tab("Cells")
    user.settles()
    page = user.window.host.page
    assert page is not None
    column = page.view["column"]
    view = next(each for each in page.findChildren(MatrixView) if each.isVisible())
    click_cell(view, 3, 50)
    user.settles()
    assert (page.view["row"], page.view["column"]) == (3, column)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(view, key)
    user.settles()
    assert (page.view["row"], page.view["column"]) == (4, column)
    control = user.window.findChild(PrivacyControl)
    assert control is not None and control.delta is not None and control.delta.isVisible()
    user.press("Simulate once")
    user.settles()
    user.reads("Simulated: ")


def test_a_design_with_delta_is_explained(user: Hands) -> None:
    user.press("Add delta")
    user.settles()
    user.command("View", "Why")
    user.reads("61 cells", "plus 0.01", "The proof in ten lines", "We do not know whether")


def test_several_levels_and_gaussian_privacy_are_typed(user: Hands) -> None:
    user.press("Add delta")
    user.press("Several levels")
    user.write("Further levels", "ln 5, 1/1000")
    user.settles()
    assert design(user).further == (("ln 5", "1/1000"),) and user.undo_text() == "Set further levels"
    user.reads("proved optimal", "Success of an attacker", "max\n")
    assert not user.says("uniform prior"), "the header repeats no card"
    user.write("Further levels", "ln 5")
    user.waits(lambda: any("must be pairs" in error for error in user.errors()))
    user.write("Further levels", "gaussian:1")
    user.settles()
    assert design(user).mu == 1 and not user.find(QLineEdit, "Delta, not covered by epsilon").isEnabled()
    user.tab("Cells")
    user.settles()
    user.press("Remove delta")
    user.settles()
    assert design(user).further == () and design(user).delta is None
    user.reads("Accuracy")


def test_no_button_moves_under_the_mouse_after_the_risk_was_opened(user: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    button, risk = user.find(QPushButton, "Simulate once"), user.find(Card, "Disclosure risk")
    column = risk.parentWidget()
    assert column is not None
    monkeypatch.setattr(QWidget, "underMouse", lambda widget: widget is column)
    QTest.mouseClick(risk, Qt.MouseButton.LeftButton, pos=QPoint(40, 15))
    user.settles()
    before = button.mapTo(user.window, QPoint())
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    for _ in range(5):  # the layout comes by events of events
        QApplication.processEvents()
    user.settles()
    assert button.mapTo(user.window, QPoint()) == before
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    user.reads("Simulated: ")
    QApplication.sendEvent(column, QEvent(QEvent.Type.Leave))
    user.settles()


def test_more_rows_and_more_releases_cost_more(user: Hands) -> None:
    odds = user.window.findChild(PrivacyControl).odds_label
    assert odds.toolTip().endswith("\nEach further row or release adds ε.")
    user.press("Why?")
    user.reads("A person with k rows has k × ε.", "N releases about the same people, for example one every week, cost N × ε")
    user.press("Add delta")
    user.settles()
    user.reads("k releases about the same people cost k × ε and k × δ.")
    assert odds.toolTip().replace("\u00a0", " ").endswith("With k releases: k × ε, k × δ. With 2 rows: 2 × ε, 3 × δ.")


def test_the_unit_of_the_count_is_set_in_the_menu(user: Hands) -> None:
    assert design(user).unit == ""
    user.command("Design", "Unit of the count…")
    dialog = user.window.findChild(QInputDialog)
    assert dialog is not None and dialog.isVisible()
    box = dialog.findChild(QLineEdit)
    QTest.keyClicks(box, "visitors")
    QTest.keyClick(box, Qt.Key.Key_Return)
    user.waits(lambda: design(user).unit == "visitors")
    user.settles()
    user.reads(" visitors on average")
    user.window.document.undo_stack.undo()
    user.waits(lambda: design(user).unit == "")


def test_the_sentence_under_the_matrix_waits_until_somebody_points_at_a_cell(user: Hands) -> None:
    view = next(each for each in user.window.findChildren(MatrixView) if each.isVisible())
    assert view.read_out() and not view._read_out.label.isVisible()
    click_cell(view, 3, 3)
    assert view._read_out.label.isVisible() and view.read_out().startswith("3 is released as 3")
