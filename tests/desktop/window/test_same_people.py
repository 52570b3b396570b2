"""The designs that concern the same people: chosen in a dialog, kept in the file, undone, and added up in the header."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from desktop import hands
from desktop.hands import Hands
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

import dpdesigner as dp
from dpdesigner.cli.export import report_command
from dpdesigner.desktop.window.dialogs import SamePeopleDialog
from dpdesigner.files.project import Project, read_project, write_project
from dpdesigner.studies.spending import Account


@pytest.fixture
def user(qtbot: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    path = tmp_path / "office.dpd"
    ages, beds = dp.HistogramDesign("0, 18", epsilon="0.1", name="Ages"), dp.CountDesign(5, epsilon="0.4", name="Beds")
    dp.save([ages, beds, dp.SizesDesign(64, epsilon=1, name="Rows")], path)
    with ExitStack() as stack:
        opened = stack.enter_context(hands.opened(qtbot, monkeypatch, path))
        opened.settles()
        yield opened


def dialog_of(user: Hands) -> SamePeopleDialog:
    user.window.menus.same_people.trigger()
    return user.window.findChildren(SamePeopleDialog)[-1]


def click(box: Any) -> None:
    place = QPoint(box.height() // 2, box.height() // 2)
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_a_design_that_is_released_each_week_counts_each_time(user: Hands, tmp_path: Path) -> None:
    dialog, path = dialog_of(user), tmp_path / "office.dpd"
    ok = dialog.buttons.button(dialog.buttons.StandardButton.Ok)
    ages, beds, _ = dialog.designs
    assert not ages.times.isVisible()
    click(ages.choice)
    click(beds.choice)
    assert ages.times.isVisible() and ages.times.text() == "1"
    QTest.mouseDClick(ages.times, Qt.MouseButton.LeftButton)
    for typed in ("x", "0", "2.5", "1001", ""):
        ages.times.selectAll()
        QTest.keyClicks(ages.times, typed) if typed else QTest.keyClick(ages.times, Qt.Key.Key_Delete)
        assert ages.error.text().startswith("Times must be a whole number between 1 and 1") and not ok.isEnabled(), typed
        assert not dialog.total.isVisible() and beds.error.text() == ""
    QTest.keyClicks(ages.times, "52")
    assert dialog.total.text().startswith("53 releases concern the same people. They have ε = 5.6 together.")
    assert ok.isEnabled() and ages.error.text() == ""
    click(ok)
    assert user.window.header.account.text() == "total ε 5.6"
    user.window.filing.save()
    assert read_project(path).same_people == Account((0, 1), None, "0", (52, 1))
    assert dialog_of(user).designs[0].times.text() == "52"


def test_they_are_chosen_added_up_saved_and_undone(user: Hands, tmp_path: Path) -> None:
    window, header = user.window, user.window.header
    assert header.account.isHidden()
    dialog = dialog_of(user)
    assert [each.choice.text() for each in dialog.designs] == ["Ages", "Beds", "Rows"]
    assert not dialog.designs[2].choice.isEnabled() and dialog.total.text() == "No design is chosen."
    for each in dialog.designs[:2]:
        click(each.choice)
    assert "Released once each, they have ε = 0.5 together." in dialog.total.text()
    dialog.epsilon.setText("x")
    assert not dialog.error.isHidden() and not dialog.buttons.button(dialog.buttons.StandardButton.Ok).isEnabled()
    dialog.epsilon.setText("0.5")
    dialog.accept()
    assert header.account.text() == "total ε 0.5 of 0.5" and header.account.property("state") == "open"
    window.document.change(window.document.study.replace(epsilon="0.2"), "More")
    assert header.account.text() == "total ε 0.6, above 0.5" and header.account.property("state") == "refuted"
    assert "exceeds the stated total" in header.account.toolTip()
    window.filing.save()
    saved = read_project(tmp_path / "office.dpd").same_people
    assert saved == Account((0, 1), "0.5", "0")
    window.document.select(2)
    assert header.account.isHidden()
    window.document.select(0)
    assert not header.account.isHidden()
    window.document.undo()
    assert header.account.text() == "total ε 0.5 of 0.5"
    window.document.undo()
    assert header.account.isHidden() and window.document.visible.same_people is None
    window.document.redo()
    window.document.select(1)
    window.document.remove()
    window.document.select(0)
    assert header.account.text() == "total ε 0.1 of 0.5"


def test_a_report_states_the_total(tmp_path: Path) -> None:
    path, page = tmp_path / "office.dpd", tmp_path / "office.html"
    designs = (dp.HistogramDesign("0, 18", epsilon="0.1", name="Ages"), dp.CountDesign(5, epsilon="0.4", name="Beds"))
    write_project(path, Project((*designs, dp.CountDesign(3, epsilon=1)), same_people=Account((0, 1), "0.3", 0, (3, 1))))
    report_command(str(path), "Beds", [str(page)])
    text = page.read_text("utf-8")
    assert (
        "They have ε = 0.7 together." in text
        and "This exceeds the stated total of ε = 0.3. They are: Ages (3 times), Beds." in text
    )
    report_command(str(path), "3", [str(page)])
    assert "have ε" not in page.read_text("utf-8")
