"""The audience page with mouse and keys: outputs, readers, epsilon, targets, tables and levels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desktop import hands, mouse
from desktop.hands import Hands
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog, QPushButton, QScrollBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.prior import Prior
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.pages.audience import remap_strips
from dpdesigner.desktop.pages.audience.page import AudiencePage
from dpdesigner.desktop.pages.audience.remap_strips import LevelStripsPanel, RemapStripsPanel
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies.inspect.audience_design import WARD

LEFT = Qt.MouseButton.LeftButton
Key = Qt.Key


@pytest.fixture
def user(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    write_project(tmp_path / "it.dpd", Project((dp.AudienceDesign(readers=WARD, n=20, alpha="1/2", name="Ward"),)))
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd") as opened:
        opened.settles()
        yield opened


def page(user: Hands) -> Any:
    shown = user.window.host.page
    assert isinstance(shown, AudiencePage)
    return shown


def picture(user: Hands) -> RemapStripsPanel:
    view = page(user)._pictures.panels.views["release"]
    assert isinstance(view, RemapStripsPanel)
    return view


def spot(user: Hands, column: int, y: float) -> QPoint:
    area = picture(user).area()
    return QPoint(round(area.left() + (column + 0.5) / 21 * area.width()), round(y))


def test_a_drag_over_the_outputs_reads_others_and_is_no_step(user: Hands) -> None:
    shown, strips = picture(user), picture(user).panel
    assert [row.text for row in strips.rows] == ["13", "12", "8"]
    before, undo = user.window.document.study, user.undo_text()
    high = shown.heights()[0] - 20
    QTest.mousePress(shown, LEFT, pos=spot(user, 12, high))
    QTest.mouseMove(shown, spot(user, 3, high))
    user.waits(lambda: page(user).view["released"] == 3)
    QTest.mouseRelease(shown, LEFT, pos=spot(user, 3, high))
    user.settles()
    strips = shown.panel
    assert [row.text for row in strips.rows] == ["6", "3", "4"]
    assert user.window.document.study == before and user.undo_text() == undo
    assert "released 3, read as 6" in shown.accessibleDescription()


def test_the_bars_at_the_top_choose_the_true_count(user: Hands) -> None:
    shown = picture(user)
    QTest.mouseClick(shown, LEFT, pos=spot(user, 5, 12))
    user.waits(lambda: page(user).view["count"] == 5)
    assert shown.panel is not None and shown.panel.draw.argmax() == 5


def test_a_drawn_output_turns_pale_with_another_level_or_count(user: Hands) -> None:
    assert not picture(user).panel.drawn, "nothing is drawn yet"
    user.press("Draw once")
    user.waits(lambda: bool(page(user).view["drawn"]))
    drawn = page(user).view["released"]

    def old() -> bool:
        strips = picture(user).panel
        assert strips is not None and strips.released == drawn
        return strips.old

    assert not old() and picture(user).panel.drawn
    page(user).look(count=4)
    assert old() and not picture(user).panel.drawn
    page(user).look(count=10)
    assert not old()
    page(user).look(released=(drawn + 1) % 21)
    assert not picture(user).panel.old and not picture(user).panel.drawn, "nobody has drawn this one"
    page(user).look(released=drawn)
    page(user)._inputs.change("Change epsilon", epsilon="2")
    user.settles()
    assert old()
    user.undo()
    user.settles()
    user.waits(lambda: not old())
    user.press("Draw once")
    user.waits(lambda: not picture(user).panel.old)


def test_the_table_to_try_takes_priors_of_any_size_and_gives_them_back(user: Hands) -> None:
    page(user)._inputs.change("Change n", n=12)
    user.settles()
    before = page(user).design
    page(user).look(view="table")
    user.press("Try a table")
    user.waits(lambda: page(user).answer.existing is not None)
    user.settles()
    assert user.errors() == [] and len(page(user).answer.outputs) == 21
    assert len(page(user).readers.editor.prior.plot.weights) == 21, "the prior is shown over the counts of the table"
    user.press("Remove the table")
    user.waits(lambda: page(user).answer.existing is None)
    user.settles()
    assert user.errors() == [] and page(user).answer.n == 12 and page(user).design == before


def test_a_file_that_cannot_be_read_is_said_once_and_the_old_bars_turn_pale(user: Hands) -> None:
    page(user).look(view="table")
    user.settles()
    user.press("Try a table")
    user.waits(lambda: page(user).answer.existing is not None)
    user.settles()
    bars = page(user)._pictures.panels.views["reading"].bars
    user.waits(lambda: not bars._stale)
    page(user)._inputs.change("Change the table", table="file: nonsense")
    header, before = user.window.header, user.window.header.value.text()
    user.waits(lambda: bars._stale and user.says("No results for these inputs.", "The new table cannot be read."))
    assert before and header.value.text() == before and not header.value.isEnabled(), "the headline stays, pale"
    assert header.badge.property("state") == "stale" and user.says("CSV: a row of probabilities for each true count")
    assert user.errors() == ["The file nonsense could not be read: there is no such file."]
    assert [button.text() for button in page(user).actions_row.buttons if button.isVisible()] == [
        "Open a table…", "Try a table", "Remove the table"
    ]  # fmt: skip
    assert "nonsense" not in page(user)._results.findings.reason.text()
    user.press("Keep")
    user.settles()
    user.waits(lambda: not bars._stale)
    page(user).look(view="note")
    user.settles()
    note = page(user)._pictures.panels.views["note"].grid
    page(user)._inputs.change("Change the table", table="file: nonsense")
    user.waits(lambda: note._stale)
    user.undo()
    user.settles()
    user.waits(lambda: not note._stale)


def test_a_table_that_cannot_be_read_is_no_computation_under_another_tab(user: Hands) -> None:
    user.tab("Existing table")
    user.settles()
    user.write(page(user)._inputs.fields["table"].accessibleName(), "nonsense")
    user.waits(lambda: user.says("No results for these inputs."))
    for view in ("Levels", "Existing table", "Levels"):
        user.tab(view)
        assert not user.says("computing…") and user.errors() == ["The file nonsense could not be read: there is no such file."]
    user.press("Remove the table")
    user.settles()
    assert user.says("One draw can serve several groups.")


def test_a_click_selects_a_reader_and_the_keys_do_the_same(user: Hands) -> None:
    shown = picture(user)
    QTest.mouseClick(shown, LEFT, pos=QPoint(20, round(shown.heights()[2] + 20)))
    user.waits(lambda: page(user).view["reader"] == 2)
    user.waits(lambda: page(user).readers.editor._spec.name == "Epidemiologist")
    assert page(user).readers.list.currentRow() == 2
    shown.setFocus()
    QTest.keyClick(shown, Key.Key_Up)
    user.waits(lambda: page(user).view["reader"] == 1)
    QTest.keyClick(shown, Key.Key_Right)
    user.waits(lambda: page(user).view["released"] == 13)
    QTest.keyClick(shown, Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    user.waits(lambda: page(user).view["count"] == 9)
    QTest.keyClick(shown, Key.Key_D)
    user.waits(lambda: page(user).view["released"] is not None)


def test_a_prior_stays_above_its_buttons_where_the_column_scrolls(user: Hands) -> None:
    prior = page(user).readers.editor.prior
    for width, height in ((1920, 1080), (1280, 720), (1500, 1400)):
        user.window.resize(width, height)
        user.settles()
        user.waits(lambda: prior.stack.geometry().bottom() < prior.controls.geometry().top())


def test_a_painted_prior_changes_one_reader_in_one_step(user: Hands) -> None:
    editor = page(user).readers.editor
    editor.prior.changed.emit(editor.prior.plot.weights[::-1].copy(), "Paint prior")
    user.settles()
    specs = page(user).design.readers
    assert specs[0].prior[0] == 1 and specs[1].prior == tuple(WARD[1]["prior"])  # type: ignore[arg-type]
    assert page(user).answer.findings["served"].value == "3 of 3 readers"
    user.undo()
    user.waits(lambda: page(user).design.readers[0].prior[0] == 0)


def test_only_the_chosen_reader_has_a_strip(user: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = list[Any]()
    monkeypatch.setattr(remap_strips, "draw_cells", lambda painter, lane, cells, *given, **named: drawn.append(list(cells)))
    for reader in (0, 2):
        page(user).look(reader=reader)
        user.settles()
        drawn.clear()
        picture(user).grab()
        assert drawn[1:] == [list(picture(user).panel.rows[reader].cells)]
    assert list(page(user)._results.panels.panels) == ["separate"]


def test_meet_all_targets_sets_the_least_epsilon(user: Hands) -> None:
    user.press("Meet all targets")
    user.waits(lambda: abs(page(user).design.privacy.epsilon - 0.8335) < 1e-3)
    user.settles()
    assert all(result.met for result in page(user).answer.results)


def test_readers_are_added_and_removed_and_the_last_one_stays(user: Hands) -> None:
    user.press("Add")
    user.waits(lambda: len(page(user).design.readers) == 4)
    user.settles()
    assert page(user).design.readers[3].name == "Reader" and page(user).view["reader"] == 3
    for left in (3, 2, 1):
        user.press("Remove")
        user.waits(lambda left=left: len(page(user).design.readers) == left)
        user.settles()
    assert not user.find(QPushButton, "Remove").isEnabled()


def test_a_refused_target_gives_way_to_the_one_in_force_with_the_next_change(user: Hands) -> None:
    page(user).readers.editor.go_to(page(user).readers.editor.target)
    user.write("Target", "abc")
    assert user.text("Target") == "abc" and "target" in page(user).readers.editor.error.text()
    user.write("Epsilon", "1")
    user.waits(lambda: page(user).design.privacy.number == "1" and user.text("Target") == "0.5")
    assert not page(user).readers.editor.error.text()


def test_a_cautious_reader_has_possible_counts_instead_of_a_prior(user: Hands) -> None:
    editor = page(user).readers.editor
    editor.cautious.click()
    user.waits(lambda: page(user).design.readers[0].caution == "loss")
    user.settles()
    aim = user.find(QComboBox, "What this reader keeps small in the worst case")
    assert aim.width() >= aim.fontMetrics().horizontalAdvance("keep the loss small") + 24, "the aim can be read"
    assert editor.prior.isHidden() and page(user).answer.findings["Bed planner/least_favourable"].value
    user.write("Possible counts", "4..30")
    assert "at most n = 20" in editor.error.text()
    page(user).look(view="note")
    user.write("Possible counts", "30 to 4")
    assert user.errors() and not user.find(QPushButton, "Copy").isEnabled(), "the note is that before"
    user.write("Possible counts", "4 to 14")
    user.waits(lambda: page(user).design.readers[0].cases == "4..14")
    user.settles()
    assert user.find(QPushButton, "Copy").isEnabled() and user.find(QPushButton, "Save…").isEnabled()


def test_the_results_have_a_row_for_all_readers_together_only(user: Hands) -> None:
    card = page(user)._results.findings
    assert "total" in card.values and not [key for key in card.values if "/" in key]
    assert len(card._rows._rows) == len(card.values), "rows that are hidden again take a moment for each reader"
    preferences().choose(exact=False)
    user.waits(lambda: not card.isVisible() and user.says("Why?"))  # the pictures say the rest
    assert "total ε" not in page(user)._results.panels.panels["separate"].note
    ratio = page(user).answer.findings["separate_exp_epsilon_same"].number
    (filed,) = (each for each in page(user).answer.panels_in({}) if each.key == "separate")
    (shown,) = re.findall(r"need a total ε of (\S+)\.$", filed.note)
    assert 0 <= float(shown) - math.log(ratio) < 0.01


def rows(user: Hands) -> Any:
    """Return the rows of the view of all readers."""
    page(user).look(view="readers")
    user.settles()
    panels = page(user)._pictures.panels
    user.waits(lambda: "curves" in panels.panels and len(panels.panels["curves"].plots[0].lines) == 3)
    return panels.views["curves"].stack


def test_all_readers_have_a_row_each_in_which_their_target_and_epsilon_are_dragged(user: Hands) -> None:
    shown = rows(user)
    assert list(page(user)._pictures.panels.panels) == ["curves"]
    figures = [plot.figure() for plot in shown.plots.values()]
    assert len({figure.frame.x(0.0) for figure in figures}) == 1, "one axis"
    ends = [shown.mapFromGlobal(figure.mapToGlobal(figure.frame.area.topLeft().toPoint())).y() for figure in figures]
    lines = [figure.frame.area.height() for figure in figures]
    assert all(0 <= below - top - high <= 3 for top, below, high in zip(ends, ends[1:], lines, strict=False)), "one line of ε"
    figure, start = figures[1], page(user).answer.results[1].least_epsilon
    ways = [QPointF(figure.frame.x(math.log10(x)), figure.frame.y(-10.0)) for x in (start, 1.1 * start, 1.5 * start)]
    mouse.drag(figure.viewport(), ways)
    user.settles()
    assert user.undo_text() == "Change the readers" and page(user).view["reader"] == 1
    assert 1.4 * start < page(user).answer.results[1].least_epsilon < 1.6 * start
    before = page(user).design.readers[1].target
    at = [QPoint(round(figure.frame.x(math.log10(x))), round(figure.frame.y(-10.0))) for x in (1.5 * start, 2 * start, 3 * start)]
    QTest.mousePress(figure.viewport(), LEFT, pos=at[0])
    for place in at[1:]:
        QTest.mouseMove(figure.viewport(), place)
    user.waits(lambda: page(user).design.readers[1].target != before)
    QTest.keyClick(shown.plots["curve-2"], Key.Key_Escape)
    user.waits(lambda: page(user).design.readers[1].target == before)
    QTest.mouseRelease(figure.viewport(), LEFT, pos=at[-1])
    user.settles()
    figure = figures[2]
    ways = [QPointF(figure.frame.x(math.log10(x)), figure.frame.y(95.0)) for x in (math.log(2), 1, 1.4)]
    mouse.drag(figure.viewport(), ways)
    user.waits(lambda: page(user).design.privacy.epsilon > 1.3)
    user.settles()
    places = {plot.handles()[0].place for plot in shown.plots.values()}
    assert len(places) == 1 and page(user).design.privacy.epsilon in places, "the line has moved in all rows"
    user.waits(lambda: shown.strips.selected == 2)


def test_rows_are_chosen_by_a_click_on_their_words_and_by_keys(user: Hands) -> None:
    shown = rows(user)
    QTest.mouseClick(shown._made[2].words, LEFT, pos=QPoint(20, 20))
    user.waits(lambda: page(user).view["reader"] == 2 and shown.strips.selected == 2)
    assert page(user).readers.list.currentRow() == 2
    plots = list(shown.plots.values())
    plots[2].setFocus()
    QTest.keyClick(plots[2], Key.Key_Up)
    user.waits(lambda: page(user).view["reader"] == 1 and plots[1].hasFocus())
    QTest.keyClick(plots[1], Key.Key_Right)
    user.waits(lambda: page(user).design.privacy.epsilon > 0.7)
    assert plots[1].accessibleName() == "Newspaper: expected loss against ε"
    assert re.match(r"ε = 0\.7\d+; Newspaper: ≈ 7\d\.\d+%; own table at ε/3: ≈ 9", plots[1].accessibleDescription())
    QTest.keyClick(plots[1], Key.Key_N)
    user.settles()
    assert len(page(user).design.readers) == 3, "no letter changes the design"


def test_the_words_of_rows_are_pale_while_a_new_level_is_computed(user: Hands) -> None:
    words = next(each for each in rows(user).findChildren(QWidget) if each.accessibleName().startswith("Bed planner; "))

    def darkest() -> int:
        image = words.grab().toImage()
        return min(image.pixelColor(x, y).lightness() for x in range(8, image.width()) for y in range(image.height()))

    before = darkest()
    page(user).mark_stale("solve")
    assert darkest() > before + 80
    page(user)._inputs.change("Change epsilon", epsilon="2")
    user.settles()
    assert darkest() == before


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_no_column_changes_its_width_with_a_tab_and_each_has_one_scroll_bar(user: Hands, scale: float) -> None:
    preferences().choose(text_scale=scale)
    page(user)._inputs.change("Add readers", readers=[{**WARD[place % 3], "name": f"Reader {place}"} for place in range(8)])
    user.settles()
    widths = set()
    for tab in page(user).tabs:
        page(user).look(view=tab)
        user.settles()
        bars = [bar for bar in page(user).findChildren(QScrollBar) if bar.isVisible() and bar.maximum()]
        assert len({bar.mapTo(page(user), QPoint()).x() // 40 for bar in bars}) == len(bars) <= 3, tab
        widths.add((page(user)._inputs.width(), page(user)._pictures.width()))
    assert len(widths) == 1


def test_candidate_priors_and_regret_are_chosen_in_the_editor(user: Hands) -> None:
    editor = page(user).readers.editor
    editor.cautious.click()
    user.waits(lambda: page(user).design.readers[0].caution == "loss")
    user.write("Possible counts or priors", "binomial:1/4 | binomial:3/4")
    user.waits(lambda: page(user).design.readers[0].cases == ("binomial:1/4", "binomial:3/4"))
    editor.least.activated.emit(1)
    user.waits(lambda: page(user).design.readers[0].caution == "regret")
    user.settles()
    assert editor.cases.text() == "binomial:1/4 | binomial:3/4" and editor.least.currentIndex() == 1
    editor.others.click()
    user.waits(lambda: len(page(user).design.readers[0].cases[0]) == 21)
    assert page(user).design.readers[0].cases[1] == "binomial:1/4" and page(user).design.readers[0].caution == "regret"


def test_a_name_that_somebody_has_is_mended_by_a_press(user: Hands) -> None:
    page(user).readers.editor.go_to(page(user).readers.editor.name)
    user.write("Name of the reader", "Newspaper")
    line = page(user).readers.editor.error
    assert "different name" in line.text() and line.fix.isVisible()
    assert page(user).readers.editor.name.property("invalid"), "what was typed does not look accepted"
    line.fix.click()
    user.waits(lambda: [spec.name for spec in page(user).design.readers][:2] == ["Newspaper", "Newspaper 2"])
    user.settles()
    assert not line.text()


def test_priors_of_a_file_over_another_range_are_filled_up_by_a_press(
    user: Hands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "readers.csv"
    path.write_text("name,prior,loss\nA,1 2 3,absolute\nB,uniform,squared\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *given: (str(path), "")))
    user.press("CSV…")
    line = page(user).readers.error
    user.waits(lambda: "prior of A has 3 entries, but n = 20 needs 21" in line.text())
    line.fix.click()
    user.waits(lambda: [spec.name for spec in page(user).design.readers] == ["A", "B"])
    assert page(user).design.readers[0].prior == ("1", "2", "3", *[0] * 18) and page(user).design.n == 20


def test_a_file_without_readers_is_dismissed_and_the_page_is_in_full_again(
    user: Hands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "wrong.csv").write_text("a,b\n1,2\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *given: (str(tmp_path / "wrong.csv"), "")))
    for dismiss in (lambda: user.press("Keep"), lambda: page(user).readers.list.setCurrentRow(1)):
        user.press("CSV…")
        user.waits(lambda: bool(user.errors()) and page(user)._refused)
        dismiss()
        user.waits(lambda: not user.errors() and not page(user)._refused)


def test_a_table_whose_rows_do_not_sum_to_1_is_completed_by_a_press(user: Hands) -> None:
    page(user)._inputs.change("Change the table", table="2/3,1/2\n" + "1/3,2/3\n" * 20)
    user.waits(lambda: any("row of true count 0 sums to" in error.lower() for error in user.errors()))
    assert user.errors()[0].endswith("ε becomes 0.4055 (was 0.6932).")
    user.press("Fix")
    user.waits(lambda: page(user).answer is not None and page(user).answer.existing is not None)
    assert not user.errors()


def test_of_a_table_without_privacy_the_results_say_why_there_are_none(user: Hands) -> None:
    page(user)._inputs.change("Change the table", table="1/2,1/2,0,0\n" * 2 + "0,0,1/2,1/2\n" * 2)
    user.waits(lambda: page(user).answer is not None and page(user).answer.existing is not None)
    user.settles()
    assert user.says("no private release compares with it, and separate tables have no ε to share")


def test_a_target_below_the_lowest_value_is_raised_by_a_press(user: Hands) -> None:
    editor = page(user).readers.editor
    editor.loss.changed.emit("expression:abs(i-r)+1/5", "Choose a loss")
    user.settles()
    editor.go_to(editor.target)
    user.write("Target", "0.1")
    user.settles()
    assert "is below 0.2" in page(user)._results.panels.views["unreachable"].label.text()
    user.press("Fix targets")
    user.settles()
    assert page(user).answer.results[0].least_epsilon is not None and "unreachable" not in page(user)._results.panels.panels


def test_tables_and_levels_have_views_of_their_own(user: Hands) -> None:
    page(user).look(view="table")
    user.settles()
    panels = page(user)._pictures.panels
    user.waits(lambda: list(panels.panels) == ["invitation", "reading", "table"])
    assert "or try this example" in panels.views["invitation"].label.text()
    user.waits(lambda: panels.views["reading"].bars._stale)  # what one would get, pale
    assert not any(figure.name in ("reading", "table") for figure in page(user).figures()), "nobody's table is exported"
    sample = panels.panels["reading"].rows
    try_it = next(button for button in page(user).actions_row.buttons if button.text() == "Try a table")
    try_it.setFocus()
    QTest.keyClick(try_it, Key.Key_Space)
    user.waits(lambda: page(user).answer.existing is not None)
    user.settles()
    assert [row.text for row in panels.panels["reading"].rows] == [row.text for row in sample]
    user.waits(lambda: not panels.views["reading"].bars._stale and "invitation" not in panels.panels)
    focused = user.window.focusWidget()
    assert isinstance(focused, QPushButton) and focused.text() == "Open the note", "the focus stays in the row"
    assert page(user)._pictures.panels.panels["reading"].rows[0].second == "+2.2% · 0.5985"
    user.press("Open the note")
    user.waits(lambda: page(user).view["view"] == "note")
    page(user).look(view="levels")
    user.settles()
    assert user.says("A published table has one fixed ε. Without the table, one draw could serve several groups.")
    user.waits(lambda: panels.views["chain"]._stale)  # three levels, pale, below the sentence
    assert list(panels.panels) == ["levels", "chain"]
    assert not any(figure.name.startswith("level") for figure in page(user).figures()), "nobody's levels are exported"
    user.press("Remove the table")
    user.waits(lambda: page(user).answer.existing is None)
    user.settles()
    user.waits(lambda: page(user)._pictures.panels.views["chain"]._stale)  # three levels, pale
    assert not any(figure.name.startswith("level") for figure in page(user).figures()), "nobody's levels are exported"
    assert page(user)._inputs.fields["privacy"].control.zone_label.text() == "strong", "without levels it is of the release"
    user.press("Try three levels")
    user.settles()
    user.waits(lambda: not page(user)._pictures.panels.views["chain"]._stale)
    assert [row.label for row in page(user)._results.panels.panels["levels"].rows] == ["staff", "partners", "public"]
    assert (user.window.header.value.text(), list(page(user)._results.panels.panels)) == ("1.387", ["precision", "levels"])
    preferences().choose(exact=False)
    user.waits(lambda: not page(user)._results.findings.isVisible() and user.says("Why?"))  # what is about one release
    assert page(user)._inputs.fields["privacy"].isHidden(), "the levels have their own ε"
    under = page(user)._results.panels.panels["precision"].under
    assert "All levels together have ε = 1.387." in under[0] and " 80 times in 100" in under[0]
    page(user).look(view="release")
    control = page(user)._inputs.fields["privacy"].control
    user.waits(control.isVisible)
    assert control.odds_label.text().startswith("This sets the release. All levels together have ε = 1.387.")
    assert control.zone_label.text() == "all levels: moderate privacy", "also where the sentence folds away"
    assert not user.says("← private"), "the word is not in a second row"
    control.fit_presets(0)
    seen = lambda: [text for text, button in control.presets.items() if button.isVisible()]  # noqa: E731
    before = seen()
    for view in ("levels", "release", "table", "release"):
        page(user).look(view=view)
        user.settles()
    user.waits(lambda: seen() == before)  # a scroll bar that came for a moment took none away
    page(user).look(view="levels")
    level = PrivacyLevel.from_epsilon("0.6")
    control.changing.emit(level)  # while the slider moves, the answer is rough
    user.waits(lambda: page(user).answer.level == level)
    rows = lambda: [row.label for row in page(user)._results.panels.panels["levels"].rows]  # noqa: E731
    user.waits(lambda: "the release" in rows())  # it follows at once
    control.changed.emit(level, "Change epsilon")
    user.settles()
    plot = page(user)._results.panels.views["precision"].plot
    height = plot.figure().frame.y(2.0)
    user.drag(plot, math.log10(math.log(4)), math.log10(2), heights=(height, height))
    user.waits(lambda: page(user).design.levels[0].privacy.epsilon > 1.9)
    user.settles()
    assert page(user).design.privacy == level and user.undo_text() == "Change a level"


@pytest.fixture
def levels(user: Hands) -> LevelStripsPanel:
    page(user)._inputs.change("Add levels", levels="staff: ln 4, partners: ln 2, public: ln 4/3")
    page(user).look(view="levels")
    user.settles()
    view = page(user)._pictures.panels.views["chain"]
    assert isinstance(view, LevelStripsPanel)
    return view


def numbers(shown: LevelStripsPanel) -> list[int]:
    return [row.got for row in shown.panel.rows]


def test_draw_once_draws_all_levels_and_the_release(user: Hands, levels: LevelStripsPanel) -> None:
    assert numbers(levels) == [-1] * 3 and levels.accessibleDescription() == "Nothing is drawn yet."
    user.press("Draw once")
    user.waits(lambda: min(numbers(levels)) >= 0)
    got = numbers(levels)
    assert levels.accessibleDescription() == (
        f"staff (ε = 1.387): {got[0]}; partners · release (ε = 0.6932): {got[1]}; public (ε = 0.2877): {got[2]}."
    )
    page(user).look(view="release")
    user.settles()
    assert picture(user).panel.released == got[1] and not picture(user).panel.old
    page(user).look(view="levels")
    levels.setFocus()
    QTest.keyClick(levels, Key.Key_D)
    user.waits(lambda: not levels.panel.old and min(numbers(levels)) >= 0)
    before = user.window.document.study
    assert not user.undo_text().startswith("Draw") and before == user.window.document.study


def test_the_true_count_and_the_numbers_of_levels_are_dragged(user: Hands, levels: LevelStripsPanel) -> None:
    def at(row: int, number: int) -> QPoint:
        y = 24 if row < 0 else round(levels.heights()[row + 1] - 12)
        return QPoint(round(levels.x_of(number, 21)), y)

    QTest.mousePress(levels, LEFT, pos=at(-1, 5))
    user.waits(lambda: levels.panel.count == 5)
    QTest.mouseMove(levels, at(-1, 7))
    user.waits(lambda: levels.panel.count == 7)
    QTest.mouseRelease(levels, LEFT, pos=at(-1, 7))
    QTest.mouseClick(levels, LEFT, pos=at(1, 12))
    user.waits(lambda: numbers(levels) == [7, 12, 12])
    QTest.mouseClick(levels, LEFT, pos=at(0, 9))
    user.waits(lambda: numbers(levels) == [9, 12, 12] and page(user).view["released"] == 12)
    QTest.mousePress(levels, LEFT, pos=at(2, 15))
    user.waits(lambda: numbers(levels) == [9, 12, 15])
    QTest.keyClick(levels, Key.Key_Escape)
    user.waits(lambda: numbers(levels) == [9, 12, 12])
    QTest.mouseRelease(levels, LEFT, pos=at(2, 15))
    QTest.keyClick(levels, Key.Key_Up)
    QTest.keyClick(levels, Key.Key_Left)
    user.waits(lambda: numbers(levels) == [9, 11, 12])
    QTest.keyClick(levels, Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    user.waits(lambda: levels.panel.count == 8)
    assert levels.panel.old and numbers(levels) == [9, 11, 12], "the numbers are of another count"
    assert not levels.grab().isNull() and "Drag" not in user.undo_text()


def test_a_tile_of_the_note_is_chosen_and_the_note_is_handed_over(
    user: Hands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page(user).look(view="note")
    user.settles()
    tiles = page(user)._pictures.panels.views["note"].grid
    QTest.mouseClick(tiles, LEFT, pos=tiles.box(0, tiles.columns()).center().toPoint())
    words = "For a reader who expects 3 to 20.", "(one too low 0.75, one too high 0.25)", "Orange: chosen in One release."
    user.waits(lambda: page(user).view["released"] == 0 and user.says(*words))
    assert tiles.accessibleDescription() == "released: 0 to 3; read as: 6" and not tiles.grab().isNull()
    QTest.keyClick(tiles, Key.Key_Left)  # there is none
    QTest.keyClick(tiles, Key.Key_Right)
    user.waits(lambda: page(user).view["released"] == 4)
    QTest.keyClick(tiles, Key.Key_Down)
    user.waits(lambda: tiles._pairs.selected == 1 + tiles.columns())
    assert (
        user.says("Note for Bed planner", "Look up the released number (0 to 20, ε ≈ 0.6932).", "on the reader, not on the data.")
        and page(user).copy()
    )
    assert QGuiApplication.clipboard().text().startswith("released\tread as\n0 to 3\t6") and user.says("no release with this ε")
    page(user).look(reader=1)
    user.settles()
    user.press("Copy")
    text = QGuiApplication.clipboard().text()
    assert "Ward: one release of 0 to 20, ε at most 0.693148\nFind the released number at the left" in text
    assert "\n\nNewspaper\n" in text and "Bed planner" not in text
    assert text.endswith("This table depends on the reader, not on the data.\n"), "as the page has it"
    table = "released,read_as,probability\n0,1,1\n1,1,1\n"
    kinds = ("note.txt", "", text), ("note.csv", "", table), ("plain", "", text), ("rows", "Table (*.csv)", table)
    for name, kind, start in kinds:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given, name=name, kind=kind: (str(tmp_path / name), kind))
        user.press("Save…")
        saved = {"plain": "plain.txt", "rows": "rows.csv"}.get(name, name)
        user.waits(lambda saved=saved: user.says(f"{saved} is saved."))
        assert (tmp_path / saved).read_text("utf-8").startswith(start)
    user.press("Save…")
    user.waits(lambda: user.says("rows.csv exists already."))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (str(tmp_path / "none" / given[2]), ""))
    user.press("Save…")
    user.waits(lambda: user.says("Ward-Newspaper-note.txt"))
    assert not (tmp_path / "none").exists()


def test_the_level_whose_note_is_shown_is_chosen_in_a_list(user: Hands, levels: LevelStripsPanel) -> None:
    user.tab("Note")
    user.settles()
    user.waits(lambda: user.says("Look up the number given to partners (0 to 20, ε ≈ 0.6932)."))
    bars = page(user)._results.panels.views["level"].bars
    QTest.mouseClick(bars, LEFT, pos=bars.boxes()[0].center().toPoint())
    user.waits(lambda: user.says("Look up the number given to staff (0 to 20, ε ≈ 1.387)."))
    assert user.undo_text() == "Add levels", "to look changes nothing"
    user.press("Copy")
    assert all(f"given to {name}," in QGuiApplication.clipboard().text() for name in ("staff", "partners", "public"))
    user.tab("Levels")
    user.settles()
    assert "level" not in page(user)._results.panels.panels


def test_a_few_tiles_fill_the_note(user: Hands) -> None:
    for count in (2, 5):
        prior = [int(i % (20 // (count - 1)) == 0) for i in range(21)]
        page(user)._inputs.change("Change the readers", readers=[{"name": "A", "prior": prior, "loss": "zero-one"}])
        page(user).look(view="note")
        user.settles()
        tiles = page(user)._pictures.panels.views["note"].grid
        user.waits(lambda tiles=tiles, count=count: len(tiles._pairs.rows) == count)
        assert tiles.columns() == 1 and tiles.box(count - 1, 1).bottom() > 0.9 * tiles.height()


def test_the_numbers_of_all_readers_are_copied_from_the_rows(user: Hands) -> None:
    rows(user)
    assert page(user).copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("reader\tloss\tweight\texpected loss") and [line.split("\t")[0] for line in lines[1:]] == [
        "Bed planner", "Newspaper", "Epidemiologist"
    ]  # fmt: skip
    assert [figure.title for figure in page(user).figures()][:3] == [
        f"{name}: expected loss against ε" for name in ("Bed planner", "Newspaper", "Epidemiologist")
    ]


def test_a_prior_counted_from_data_keeps_its_warning_whatever_becomes_of_it(user: Hands) -> None:
    prior = Prior.of_counts([1, 2, 2, 3], 20, "cases, ward.csv")
    page(user).readers.take_design(dp.CountDesign(20, alpha="1/2", prior=prior, name="Ward"))
    user.settles()
    page(user).look(view="note")
    warning, note = "Counted without noise: do not publish this prior", "the data of the prior, which nothing protects"
    user.waits(lambda: user.says(warning, note))
    editor = page(user).readers.editor
    editor.prior.changed.emit(editor.prior._edited(editor.prior.plot.weights[::-1].copy()), "Paint prior")
    user.settles()
    assert user.says(warning) and page(user).design.readers[-1].source.startswith("cases, ward.csv")
    page(user).look(reader=0)
    user.settles()
    assert not user.says(warning)
    user.press("▸ Loss, name, weight and target")
    user.press("cautious: no prior")
    user.settles()
    user.press("Priors of others")
    user.settles()
    assert page(user).design.readers[0].source and user.says(note)


def test_a_table_is_opened_and_given_up(user: Hands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n".join(",".join("1" if i == r else "0" for r in range(21)) for i in range(21)), "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *given: (str(path), "")))
    field = page(user)._inputs.fields["table"]
    page(user).look(view="table")
    user.settles()
    user.waits(lambda: field.visibleRegion().boundingRect() == field.rect())  # it is seen whole
    user.press("Open a table…")
    user.waits(lambda: page(user).answer.existing is not None)
    user.settles()
    assert (
        user.says("Read as 21 × 21 numbers.")
        and "not private at any ε" in page(user).answer.sentence
        and page(user)._inputs.fields["privacy"].isHidden()
    )
    user.write(field.accessibleName(), "")
    user.waits(lambda: page(user).answer.existing is None)
    page(user).look(view="release")
    assert not page(user)._inputs.fields["privacy"].isHidden()


def test_a_table_of_another_largest_count_cuts_what_readers_expect_and_gives_it_back(user: Hands, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("0.6,0.3,0.1\n0.3,0.4,0.3\n0.1,0.3,0.6\n", "utf-8")
    auditor = {"name": "Auditor", "minimax": "1..14", "loss": "absolute"}
    page(user)._inputs.change("Add a reader", readers=[*WARD, auditor])
    page(user).look(view="table")
    user.settles()
    before = page(user).design
    user.write(page(user)._inputs.fields["table"].accessibleName(), str(tmp_path / "t.csv"))
    user.waits(lambda: bool(user.errors()))
    assert user.errors() == ["Reader Bed planner expects only counts above 2, the largest count of the table."]
    user.press("Fix")
    user.waits(lambda: page(user).answer is not None)
    user.settles()
    assert user.errors() == [] and user.says("Beliefs are cut at its largest count, 2.")
    assert "cautious: 1 to 2" in page(user).readers.list.item(3).text()
    user.tab("Note")
    page(user).look(reader=1)
    user.waits(lambda: user.says("For a reader who expects 0 to 2 (cut at the table’s largest count), most likely 2."))
    editor = page(user).readers.editor
    editor.prior.changed.emit(editor.prior._edited(editor.prior.plot.weights[::-1].copy()), "Paint prior")
    user.settles()
    user.tab("Existing table")
    user.press("Remove the table")
    user.waits(lambda: page(user).answer.existing is None)
    old, new = (Prior(each.readers[1].prior, 20).probabilities for each in (before, page(user).design))
    assert new == pytest.approx([*old[2::-1], *old[3:]]), "the part that was hidden is as it was"
    assert page(user).design.readers[2:] == before.readers[2:]


def test_what_is_painted_while_a_belief_is_cut_keeps_its_weights(user: Hands) -> None:
    rows = "\n".join(",".join("0.92" if i == j else "0.01" for j in range(9)) for i in range(9))
    page(user)._inputs.change("Change the table", table=f"{rows}\n")
    user.settles()
    plot, whole = page(user).readers.editor.prior.plot, Prior(WARD[0]["prior"], 20).probabilities
    assert plot.weights.tolist() == WARD[0]["prior"][:9]
    frame = plot.frame
    mouse.drag(plot.viewport(), [QPointF(frame.x(place), frame.y(3)) for place in (0, 1, 2)])
    user.settles()
    expected = [3, 3, 3, *WARD[0]["prior"][3:9]]
    assert plot.weights.tolist() == pytest.approx(expected, abs=0.1) and plot.weights[3:].tolist() == expected[3:]
    prior = page(user).design.readers[0].prior
    assert list(prior[3:9]) == expected[3:], "as they were given"
    assert Prior(prior, 20).probabilities[9:] == pytest.approx(whole[9:]), "the part that is hidden is as likely as before"


def test_a_preset_chosen_with_a_smaller_table_is_one_of_the_whole_belief(user: Hands) -> None:
    page(user)._inputs.change("Change the table", table="0.6,0.3,0.1\n0.3,0.4,0.3\n0.1,0.3,0.6\n")
    user.waits(lambda: bool(user.errors()))
    user.press("Fix")
    user.settles()
    menu = user.find(QToolButton, "Preset").menu()
    next(action for action in menu.actions() if action.text() == "Binomial…").trigger()
    user.settles()
    assert user.says("Each", "of", "20", "rows")
    user.write("probability", "1/10")
    user.settles()
    assert page(user).design.readers[0].prior == "binomial:1/10" and user.errors() == []
    cut, seen = Prior("binomial:1/10", 20).probabilities[:3], page(user).readers.editor.prior.plot.weights
    assert seen / seen.sum() == pytest.approx(cut / cut.sum())
    user.tab("Existing table")
    user.press("Remove the table")
    user.settles()
    assert page(user).design.readers[0].prior == "binomial:1/10" and user.text("probability") == "1/10"


def test_the_selected_of_many_readers_is_among_the_rows(user: Hands) -> None:
    many = [{**WARD[place % 3], "name": f"Reader {place}"} for place in range(10)]
    page(user)._inputs.change("Add readers", readers=many)
    page(user).look(view="readers", reader=8)
    user.settles()
    stack = page(user)._pictures.panels.views["curves"].stack
    user.waits(lambda: [plot.figures[0].label for plot in stack.strips.plots] == [f"Reader {place}" for place in range(2, 10)])
    assert stack.strips.selected == 6
    stack._made[0].words.chosen.emit()
    user.waits(lambda: page(user).view["reader"] == 2)
