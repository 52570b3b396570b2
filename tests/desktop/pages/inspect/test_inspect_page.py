"""The inspect page with mouse and keys: the point, the epsilon line, pairs, other tables, private ones, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from desktop import hands
from desktop.hands import Hands
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.core.basics.rounding import figure
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.pages.inspect.page import AwayPanel, InspectPage, OffersDialog
from dpdesigner.desktop.plots.plot_layer import LEAST_PICTURE
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies.inspect import run as inspect_run
from dpdesigner.studies.inspect.design import InspectDesign

LEFT = Qt.MouseButton.LeftButton
PTABLE = "file: example:ptable_D5V2.csv"


@pytest.fixture
def user(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    write_project(tmp_path / "it.dpd", Project((InspectDesign("geometric: 20, ln 2", name="Mine"),)))
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd") as opened:
        opened.settles()
        yield opened


def page(user: Hands) -> Any:
    shown = user.window.host.page
    assert isinstance(shown, InspectPage)
    return shown


def away(user: Hands) -> AwayPanel:
    view = page(user)._pictures.panels.views["found-out"]
    assert isinstance(view, AwayPanel)
    return view


def take(user: Hands, table: str) -> None:
    """Ask for a table, and wait for its answer."""
    page(user).table.take(table)
    user.waits(lambda: page(user).answer is not None and page(user).answer.design.table == page(user).design.table)
    user.settles()


def test_dragging_the_point_changes_the_false_alarms_in_one_step(user: Hands) -> None:
    panel = away(user)
    found, false = panel.crowd.shares
    assert false == pytest.approx(1 / 3) and found == pytest.approx(2 / 3), "where the lead over chance is largest"
    user.drag(panel.plot, 1 / 3, 0.3, 0.27, 0.25)
    user.waits(lambda: abs(float(page(user).design.false_alarms or 0) - 0.25) < 0.02)
    user.waits(lambda: page(user).answer.profile.exact)  # after the drag everything is in fractions again
    user.settles()
    now = float(page(user).design.false_alarms)
    assert panel.crowd.shares == pytest.approx((2 * now, now)) and user.undo_text()
    assert page(user).answer.findings["found_out"].number == pytest.approx(2 * now)
    user.undo()
    user.waits(lambda: panel.crowd.shares[1] == pytest.approx(1 / 3) and page(user).design.false_alarms is None)


def test_steps_by_keys_add_up_to_short_numbers(user: Hands) -> None:
    away(user).plot.setFocus()
    for _ in range(5):
        user.key(Qt.Key.Key_Right)
    user.settles()
    user.waits(lambda: float(page(user).design.false_alarms or 0) > 0.37)
    assert str(page(user).design.false_alarms) == "0.38"


def test_dragging_the_epsilon_line_changes_delta(user: Hands) -> None:
    before = page(user).answer.findings["delta"].number
    page(user).look(view="delta")
    user.settles()
    user.drag(page(user)._pictures.panels.views["delta"].plot, 0.693, 0.5, 0.3)
    user.waits(lambda: abs(page(user).design.privacy.epsilon - 0.3) < 0.03)
    user.settles()
    assert before == 0 < page(user).answer.findings["delta"].number


def test_the_crowd_says_of_which_counts_it_is(user: Hands) -> None:
    take(user, PTABLE)
    crowd, people = away(user).crowd, page(user).answer.people
    assert crowd.lines()[0][1] == "61.2% found out, 0% false alarms", "as the headline says"
    page(user)._inputs.change("Ask", false_alarms="1/100")
    page(user).look(pair=people.pairs.index((10, 9)))
    user.waits(lambda: crowd.lines()[0][1] == "5.1% found out, 1% false alarms")
    assert crowd.lines()[1][1] == "1% false alarms"
    assert [line[0] for line in crowd.lines()] == ["100 in the data · count 10", "100 not in the data · count 9"]
    assert crowd.accessibleName().startswith("100 in the data · count 10: 5.1% found out, 1% false alarms; 100 not in the data")


def test_a_picture_is_of_the_people_of_the_screen_first(user: Hands) -> None:
    take(user, PTABLE)
    page(user).set_view_state(page(user).public_view())
    crowd = next(figure.widget for figure in page(user).figures() if figure.name == page(user).front)
    assert crowd.lines() == away(user).crowd.lines() and crowd.lines()[0][1] == "61.2% found out, 0% false alarms"


def test_a_drag_between_two_releases_takes_the_nearer_one(user: Hands) -> None:
    page(user).look(view="intervals")
    user.settles()
    assert user.says("Interval: least count") and not any(
        text.startswith("after the release") for text in user.said().splitlines()
    )
    user.drag(page(user)._pictures.panels.views["posterior"].plot, 10, 6, 3.9)
    user.waits(lambda: page(user).design.released == 4)


def test_a_click_on_the_border_of_two_rows_chooses_that_pair(user: Hands) -> None:
    take(user, PTABLE)
    picture = page(user).table.picture
    assert set(picture.pair) == {0, 1}, "the worst pair is framed"
    area = picture.area()
    QTest.mouseClick(picture, LEFT, pos=QPointF(area.center().x(), area.top() + 7 * area.height() / picture.rows).toPoint())
    user.settles()
    assert picture.pair == (7, 6) and user.says("Is the count 6 or 7?")
    picture.setFocus()
    user.key(Qt.Key.Key_Down)
    assert picture.pair == (8, 7)


def test_the_picture_is_always_of_people_who_are_found_out(user: Hands, tmp_path: Path) -> None:
    (tmp_path / "cells.csv").write_text("0.4,0.6\n1,0\n0.5,0.5\n")
    take(user, f"file: {tmp_path / 'cells.csv'}")
    picture = page(user).table.picture
    assert picture.pair == (2, 1) and user.says("100 in the data · count 2: 50% found out, 0% false alarms")
    area = picture.area()
    QTest.mouseClick(picture, LEFT, pos=QPointF(area.center().x(), area.top() + area.height() / picture.rows).toPoint())
    user.settles()
    assert picture.pair == (1, 0), "although more could be found absent"
    assert "if the attacker knows everybody else" in user.find(QAbstractButton, "Worst counts").toolTip()
    user.press("Worst counts")
    user.waits(lambda: picture.pair == (2, 1))
    assert not user.says("found absent") and not user.says("Worst counts"), "offered only where other counts are shown"


def test_a_file_is_accounted_for_where_one_asks_how_it_is_read(user: Hands, tmp_path: Path) -> None:
    lines = [f"{i},{r},{p}" for i, row in enumerate((("0.6", "0.3", "0.1"), ("0.2", "0.6", "0.2"))) for r, p in enumerate(row)]
    (tmp_path / "listed.csv").write_text("true,released,probability\n" + "\n".join([*lines, "2,2,1"]) + "\n")
    take(user, f"file: {tmp_path / 'listed.csv'}")
    user.press("▸ How it is read")
    user.settles()
    account = (
        "7 lines of true count, release and probability: 3 counts by 3 releases (2 without a line are 0) · left out: the header"
    )
    assert user.says(account)


def test_a_refused_table_is_named_alone(user: Hands) -> None:
    page(user).table.take("file: none.csv")
    user.waits(lambda: bool(user.errors()))
    assert page(user).summary().line == "file: none.csv"
    assert page(user).summary().value == "", "the headline has the figures"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0.5,0.5\n0.4,0.5\n", "sums to"),
        ("0.5,0.5\n0.6\n", "line 2"),
        ("0.5,0.5\n-0.5,1.5\n", "ow 1, column 0"),
        ("0.5,0.5\nabc,1\n", "line 2"),
    ],
)
def test_what_is_no_mechanism_gets_one_sentence(user: Hands, text: str, sentence: str) -> None:
    page(user).table.take(text)
    user.waits(lambda: bool(user.errors()))
    assert any(sentence in error for error in user.errors()), user.errors()
    assert "Traceback" not in " ".join(user.errors())


def test_rows_that_lack_a_little_are_mended_by_a_click(user: Hands) -> None:
    take_text = "0.999999,0\n0,1\n"
    page(user).table.take(take_text)
    user.waits(lambda: bool(user.errors()))
    assert not user.says("Use largest", "becomes ∞")
    user.press("Complete rows")
    user.waits(lambda: page(user).answer is not None and page(user).answer.design.mend == "largest")
    user.settles()
    assert not user.errors() and not page(user).answer.passed


def test_a_table_is_pasted_and_taken_from_an_open_design(user: Hands) -> None:
    QGuiApplication.clipboard().setText("2/3,1/3\n1/3,2/3")
    page(user).table.paste.trigger()
    user.waits(lambda: page(user).design.table.startswith("2/3"))
    user.settles()
    assert page(user).answer.findings["exp_epsilon"].value == 2
    user.window.document.add(dp.CountDesign(n=4, epsilon="ln 3", name="Four"))
    user.settles()
    user.window.document.select(0)
    user.settles()
    menu = page(user).table.designs.menu()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == ["Four"]
    menu.actions()[0].trigger()
    user.waits(lambda: page(user).answer.releases.n == 4)
    assert page(user).answer.findings["exp_epsilon"].value == 3


def test_the_curve_of_a_pinned_table_stays_dashed_behind(user: Hands) -> None:
    document = user.window.document
    document.add(InspectDesign(PTABLE, name="Office"))
    user.settles()
    document.pin(document.designs[0].key)
    user.settles()
    user.waits(lambda: any(line.role == "before" and line.dashed for line in away(user).plot.plot.lines))
    document.pin(None)
    user.settles()
    user.waits(lambda: not any(line.role == "before" for line in away(user).plot.plot.lines))


def test_where_equally_accurate_noise_has_nearly_the_requested_level_it_gets_that(user: Hands, tmp_path: Path) -> None:
    (tmp_path / "cells.csv").write_text("1,0\n0.663,0.337\n")
    same = dp.inspect(tmp_path / "cells.csv").findings["epsilon_same_use"].number
    assert same > math.log(2) and math.isclose(same, math.log(2), rel_tol=0.02)
    take(user, f"file: {tmp_path / 'cells.csv'}")
    next(button for button in page(user).actions_row.buttons if button.text() == "Find private noise…").click()
    user.waits(lambda: user.window.document.study.kind == "count")
    assert str(user.window.document.study.privacy.number) == "ln 2"


@pytest.mark.parametrize("place", [0, 1])
def test_make_it_private_opens_a_count_that_is_as_useful_or_as_private_as_requested(
    user: Hands, tmp_path: Path, place: int
) -> None:
    button = next(button for button in page(user).actions_row.buttons if button.text() == "Find private noise…")
    assert not button.isEnabled() and button.toolTip().startswith("For a table that is not private")
    (tmp_path / "cells.csv").write_text("1,0\n0.4,0.6\n")
    take(user, f"file: {tmp_path / 'cells.csv'}")
    button.click()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, OffersDialog)
    same = dp.inspect(tmp_path / "cells.csv").findings["epsilon_same_use"].number
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    told = ["This table", "none", "0.20", "Geometric noise", "ln 2", "0.33", "Geometric noise", figure(same, 3), "0.20"]
    assert texts == ["ε", "Expected error", *told]
    offered = dialog.findChildren(QPushButton)
    assert [each.text() for each in offered] == ["Open on Count"] * 2
    QTest.mouseClick(offered[place], LEFT)
    user.waits(lambda: user.window.document.study.kind == "count")
    user.waits(lambda: user.window.status.toast.isVisible() or user.window.banner.isVisible())
    said = {user.window.status.toast.full_text, user.window.banner.text.text()}
    assert "“Mine, private” is a new design. The inspected table is unchanged." in said
    user.settles()
    count = user.window.document.study
    assert (count.n, count.name) == (1, "Mine, private")
    wanted = same if place else math.log(2)
    assert count.privacy.epsilon == pytest.approx(wanted, abs=1e-4)


def test_an_offices_table_is_saved_in_keys_and_verified(user: Hands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    take(user, PTABLE)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "private.csv"), ""))
    button = next(button for button in page(user).actions_row.buttons if button.text() == "Find private noise…")
    button.click()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, OffersDialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert texts[-3:] == ["Table in 256 keys (even values only)", "ln 2", "1.51"]
    saves = [each for each in dialog.findChildren(QPushButton) if each.text().startswith("Save for")]
    assert not any("cell-key" in each.text() for each in saves)  # where a count of 0 stays 0, nothing is private
    save = next(each for each in reversed(saves) if each.text() == "Save for Tau-Argus…")
    QTest.mouseClick(save, LEFT)
    user.waits(lambda: (tmp_path / "private.csv").is_file())
    found = dp.inspect(tmp_path / "private.csv", n=20).findings
    assert found["exp_epsilon"].value <= 2, "the requested level, not that of equal use"
    user.waits(lambda: user.window.status.toast.isVisible() or user.window.banner.isVisible())
    said = user.window.status.toast.full_text or user.window.banner.text.text()
    assert said.startswith("Verified: ε = ln 2, expected error 1.51. private.csv is saved.")
    assert (tmp_path / "private.csv").read_text().startswith("i;j;p;v;p_int_ub")


@pytest.mark.parametrize(("epsilon", "badge"), [("ln 2", "✓ private"), ("0.1", "✗ misses ε = 0.1, δ = 0")])
def test_file_verify_a_table_opens_it_here_by_the_shown_design(
    user: Hands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, epsilon: str, badge: str
) -> None:
    (tmp_path / "table.csv").write_text("2/3,1/3\n1/3,2/3\n")
    user.window.document.add(dp.CountDesign(n=1, epsilon=epsilon))
    user.settles()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "table.csv"), ""))
    user.window.menus.verify.trigger()
    user.waits(lambda: user.window.document.study.kind == "inspect")
    user.settles()
    assert page(user).answer.badge[0].startswith(badge) and page(user).design.name == "table"


def test_a_header_and_labels_are_detected_or_read_as_the_user_says(user: Hands, tmp_path: Path) -> None:
    path = tmp_path / "labelled.csv"
    path.write_text("r,0,1\n0,0.5,0.5\n1,0.25,0.75\n", "utf-8")
    take(user, f"file: {path}")
    user.reads("at most 62.5 times in 100", "left out: line 1, read as the header (as detected)")
    user.press("▸ How it is read")
    box = user.find(QComboBox, "First line and first column")
    lists = [each.accessibleName() for each in page(user).table.findChildren(QComboBox) if each.isVisible()]
    assert lists == ["First line and first column"]  # whether rows are mended is a tick
    box.setFocus()
    QTest.keyClicks(box, "header and labels")
    while box.currentData() != "both":
        user.key(Qt.Key.Key_Down)
    user.waits(lambda: page(user).design.headings == "both")
    user.reads("at most 62.5 times in 100", "(as requested)")
    assert user.undo_text() == "Change header and labels"


def test_a_header_of_noise_is_added_to_the_count(user: Hands, tmp_path: Path) -> None:
    path, usual = tmp_path / "noise.csv", "0.1,0.2,0.4,0.2,0.1"
    rows = ["true count,-2,-1,0,+1,+2", "0,0,0,1,0,0", "1,0,0.3,0.4,0.3,0", *(f"{count},{usual}" for count in range(2, 11))]
    path.write_text("\n".join(rows), "utf-8")
    take(user, f"file: {path}")
    user.reads("found out with certainty up to 70 times in 100", "columns: what is added to the count")
    picture = page(user).table.picture
    centre, light = picture.area().center().toPoint(), picture.grab().toImage()
    theme().set_scheme("dark")
    try:
        dark = picture.grab().toImage()
    finally:
        theme().set_scheme("light")
    assert dark.pixelColor(centre) != light.pixelColor(centre), "the cells have the colours of the theme"


def test_a_table_whose_columns_are_the_counts_is_turned_by_a_press(user: Hands) -> None:
    page(user).table.take("0.5,0.25,0.25\n0.5,0.5,0.25\n0,0.25,0.5\n")
    user.waits(lambda: bool(user.errors()))
    assert user.errors() == ["The columns of the table sum to 1, but its rows do not. Are the columns the true counts?"]
    user.press("Turn the table")
    user.waits(lambda: page(user).answer is not None and page(user).answer.design.headings == "turned")
    user.settles()
    assert not user.errors() and page(user).answer.releases.doubles[0].tolist() == [0.5, 0.5, 0]


def test_the_others_count_is_readable_as_a_whole(user: Hands) -> None:
    page(user)._inputs.change("Ask", attacker="outsider", others="binomial:1/2")
    user.settles()
    box = page(user)._inputs.fields["others"].box
    assert box.fontMetrics().horizontalAdvance("binomial:1/2") < box.width() - 12


def test_where_a_header_stays_unclear_one_press_uses_it(user: Hands) -> None:
    page(user).table.take("x,y\nn0,abc\nn1,0.4\n")
    user.waits(lambda: bool(user.errors()))
    assert not any("--header" in error for error in user.errors()), "options are for commands"
    user.press("Use header and labels")
    user.waits(lambda: any("line 2: the entry in column 2 must be a number" in error for error in user.errors()))


def test_a_table_that_was_never_read_leaves_no_empty_axes(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("0.5,0.5\n0.5\n", "utf-8")
    write_project(tmp_path / "it.dpd", Project((InspectDesign(f"file: {tmp_path / 'bad.csv'}"),)))
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd") as user:
        user.reads(
            "The risks appear here once a table has been read.", "line 2 must have 2 cells", "No results for these inputs."
        )
        assert not away(user).isVisible() and user.said().count("line 2 must have 2 cells") == 1
        take(user, PTABLE)
        assert away(user).isVisible() and not user.says("appears here once")
        assert user.window.header.badge.property("state") == "refuted" and user.says("✗ not private")
        bright = page(user).table.picture.grab().toImage()
        page(user).table.take(f"file: {tmp_path / 'bad.csv'}")
        user.waits(lambda: page(user).table.picture.grab().toImage() != bright)  # the picture of another table is faded
        take(user, PTABLE)
        user.waits(lambda: page(user).table.picture.grab().toImage() == bright)


def test_the_requested_privacy_is_a_curve_of_the_first_view_and_its_suggestions_show_what_is_chosen(user: Hands) -> None:
    tries = page(user)._inputs.fields["epsilon"].tries
    assert [button.isChecked() for button in tries.values()] == [True, False]
    for _ in range(2):  # a second press changes nothing
        user.press("1")
        user.settles()
        assert [button.isChecked() for button in tries.values()] == [False, True]
    assert any(line.name == "private noise, ε = 1" for line in away(user).plot.plot.lines)


def test_nothing_is_shown_that_is_not_computed_but_the_table_at_once(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    going = Event()
    compared = inspect_run.profile

    def waiting(*args: Any, **more: Any) -> Any:
        going.wait(20)
        return compared(*args, **more)

    monkeypatch.setattr(inspect_run, "profile", waiting)
    write_project(tmp_path / "late.dpd", Project((InspectDesign("geometric: 17, ln 3"),)))
    with hands.opened(qtbot, monkeypatch, tmp_path / "late.dpd") as user:
        pictures = page(user)._pictures
        user.waits(lambda: page(user).table.picture.rows == 18 and pictures.blank.text() == "computing…")
        assert pictures.stage.isHidden() and not any("found out" in text for text in user.said())
        going.set()
        user.settles()
        assert pictures.blank.isHidden() and away(user).isVisible()
        assert page(user).table.picture.pair == page(user).answer.worst[0]


def test_a_certain_suspicion_that_is_rare_has_its_probability_instead(user: Hands) -> None:
    take(user, "file: example:gaussian_sigma_2.csv")
    page(user)._inputs.change("Ask", epsilon="1", delta="0.01")
    user.settles()
    bars = [row.label for row in page(user)._results.panels.panels["people"].rows]
    assert bars == ["this table", "limit at ε = 1, δ = 0.01", "guessing"]
    page(user).look(view="delta")
    user.settles()
    shown = page(user)._results.findings.values
    assert "epsilon_at_delta" in shown and "epsilon" not in shown, "∞ has no place beside a level that is met"


def test_where_people_are_rarely_found_out_the_probabilities_of_releases_are_drawn_instead(user: Hands) -> None:
    page(user)._inputs.change("Ask", table="file: example:geometric_printed.csv", mend="largest")
    user.waits(lambda: "releases" in page(user)._pictures.panels.views and away(user).crowd.isHidden())
    area = (picture := page(user).table.picture).area()
    QTest.mouseClick(picture, LEFT, pos=QPointF(area.center().x(), area.top() + 12 * area.height() / picture.rows).toPoint())
    user.settles()
    lines = page(user)._pictures.panels.panels["releases"].lines
    assert [str(line.name) for line in lines] == ["count 12", "count 11"] and not picture.outlined, "clicked, no border is left"
    user.key(Qt.Key.Key_Up)
    assert picture.outlined
    take(user, PTABLE)
    user.waits(lambda: "releases" not in page(user)._pictures.panels.views and not away(user).crowd.isHidden())


def test_with_large_text_in_a_small_window_the_crowd_and_the_curve_are_in_view_together(user: Hands) -> None:
    preferences().choose(text_scale=1.5)
    user.window.resize(1024, 640)
    user.settles()
    stage = page(user)._pictures.stage
    user.waits(lambda: stage.verticalScrollBar().maximum() == 0)
    assert away(user).plot.height() >= LEAST_PICTURE and away(user).crowd.height() > 0


def test_what_is_switched_on_looks_pressed(user: Hands) -> None:
    page(user).look(view="delta")
    user.settles()
    assert user.chosen("Log scale") == ["Log scale"]
    user.press("Log scale")
    assert user.chosen("Log scale") == [] and page(user).view["linear"]


def test_the_number_of_releases_is_dragged_and_the_open_view_comes_first(user: Hands) -> None:
    page(user).look(view="again")
    user.waits(lambda: "released-again" in page(user)._pictures.panels.views)
    user.settles()
    assert next(iter(page(user)._results.panels.panels)) == "again"
    plot = page(user)._pictures.panels.views["released-again"].plot
    start = float(page(user).design.releases)
    assert plot.handles()[0].label == "1 release"
    user.drag(plot, start, 2.4, 3.1)
    user.waits(lambda: page(user).design.releases == 3)
    user.settles()
    assert user.undo_text() == "Change the number of releases"
    user.waits(lambda: plot.handles()[0].label == "3 releases")
    page(user).look(view="reading")
    user.settles()
    assert next(iter(page(user)._results.panels.panels)) == "readings"


def test_all_pairs_are_named_in_the_picture(user: Hands) -> None:
    lines = page(user)._pictures.panels.panels["found-out"].lines
    assert "all counts" not in [line.name for line in lines]
    page(user).look(all=True)
    user.settles()
    assert [line.name for line in page(user)._pictures.panels.panels["found-out"].lines].count("all counts") == 1


def test_the_header_says_how_private_a_table_is_and_which_noise_is_as_accurate(user: Hands) -> None:
    take(user, PTABLE)
    user.reads(
        "✗ not private",
        "found out with certainty up to 61.2 times in 100.",
        "Released once",
    )
    user.reads("With private noise at ε = ln 2, that never happens; the expected error is 24% larger.")


def test_a_narrow_headline_keeps_how_often_the_attacker_is_right(user: Hands) -> None:
    user.window.resize(1024, 640)
    preferences().choose(text_scale=1.5)
    shown = user.window.solving._header.result.sentence
    user.waits(lambda: shown.text().endswith("An attacker is right about one person at most 66.7 times in 100.</b>"))


def test_an_empty_clipboard_changes_nothing(user: Hands) -> None:
    QGuiApplication.clipboard().setText(" ")
    before = page(user).design
    page(user).table.paste.trigger()
    user.reads("The clipboard holds no table.")
    assert page(user).design == before and not user.errors()


def test_a_wrong_belief_keeps_the_results_and_presets_are_offered(user: Hands) -> None:
    page(user)._inputs.folding.set_on(False)
    cases = ("two-peak:50,60", "in 0..n"), ("mostly small", "must be one of uniform, poisson:5"), ("poisson", "like poisson:5")
    for wrong, sentence in cases:
        user.write("Belief of the readers", wrong)
        user.waits(lambda sentence=sentence: any(sentence in error for error in user.errors()))
        assert not user.says("The risks appear here once") and away(user).isVisible()
    user.press("Use poisson:5")
    user.waits(lambda: page(user).design.prior == "poisson:5")
    user.settles()
    assert not user.errors()
    preset = user.find(QAbstractButton, "Preset")
    assert [action.text().partition("\t")[2] for action in preset.menu().actions()][:2] == ["uniform", "poisson:5"]
    preset.menu().actions()[0].trigger()
    user.waits(lambda: page(user).design.prior == "uniform")
