from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from desktop import count_window
from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.controls import NameBox
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.compare.compare_view import MatricesCard
from dpdesigner.desktop.compare.comparison import Comparison, FactsTable
from dpdesigner.desktop.pages.kit.summary import portrait as portrait_of
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.errors import InputError
from dpdesigner.files.project import Project, loads_project, read_project, write_project
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign

FLU = CountDesign(8, alpha="1/2", prior="uniform", loss="absolute", name="Flu")


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with count_window.opened(qtbot, monkeypatch, FLU) as opened:
        yield opened


def facts(window: MainWindow) -> dict[str, tuple[str, ...]]:
    model = window.stage.view.findChild(FactsTable).model()
    places = [[model.index(row, column) for column in range(4)] for row in range(model.rowCount(QModelIndex()))]
    lines = [[place.data().replace("\u00a0=\u00a0", " = ") for place in line] for line in places]
    return {line[0]: tuple(line[1:]) for line in lines}


def await_facts(qtbot: QtBot, window: MainWindow, label: str, place: int, text: str) -> None:
    qtbot.waitUntil(lambda: facts(window).get(label, ("",) * 3)[place] == text, timeout=count_window.WAIT)


def views(window: MainWindow) -> list[MatrixView]:
    return [view for view in window.stage.view.findChildren(MatrixView) if view.isVisible()]


def plots(window: MainWindow) -> list[CurvePlot]:
    return [plot for plot in window.stage.view.findChildren(CurvePlot) if plot.isVisible()]


def test_what_is_pinned_is_told_on_its_own_page_only(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.pin.trigger()
    qtbot.waitUntil(lambda: window.header.before.text().startswith("before: "), timeout=count_window.WAIT)
    window.document.visit(NoiseDesign(epsilon=1))
    qtbot.waitUntil(lambda: window.header.before.text() == "" and not window.header.before.isVisible(), timeout=count_window.WAIT)
    window.document.select(0)
    qtbot.waitUntil(lambda: window.header.before.text().startswith("before: "), timeout=count_window.WAIT)


def test_pin_duplicate_change_and_see_the_difference(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.pin.trigger()
    assert window.menus.pin.isChecked() and window.document.reference == window.document.current
    qtbot.waitUntil(lambda: window.header.before.text() == f"before: {window.header.value.text()}" != "before: ")
    value = window.header.value.text()
    window.document.duplicate()
    assert window.menus.pin.isChecked()
    window.document.change(window.document.study.replace(alpha="1/3"), "More accurate")
    told = f"Flu: ε ≈ 0.6932 (α = 1/2), {value}"
    qtbot.waitUntil(lambda: window.header.before.text() == told, timeout=count_window.WAIT)
    assert "% now" in window.header.before.toolTip().replace("\u00a0", " ")
    QTest.mouseClick(window.header.before, count_window.LEFT)
    assert window.stage.view.isVisible() and not window.host.isVisible() and window.menus.compare.isChecked()
    await_facts(qtbot, window, "ε", 0, window.document.study.privacy.description)
    assert facts(window)["prior"] == ("uniform", "uniform", "=")
    first, second, difference = views(window)
    mine, theirs = (count_window.numbers(view) for view in (first, second))
    assert count_window.numbers(difference) == pytest.approx(mine - theirs, abs=1e-9)
    assert first.figure().value_scale.top == second.figure().value_scale.top, "common colours"
    assert theirs == pytest.approx(FLU.run().induced.matrix)
    assert ("count", "both") in [plot.plot.as_table().header for plot in plots(window)], "equal curves are drawn once"
    QTest.keyClick(window.stage.view, Qt.Key.Key_Escape)
    assert window.host.isVisible() and not window.menus.compare.isChecked()


def test_the_comparison_follows_a_drag_and_undo(qtbot: QtBot, window: MainWindow) -> None:
    window.document.pin(window.document.current.key)
    window.document.duplicate()
    window.menus.compare.trigger()
    for epsilon in ("0.5", "0.25"):
        window.document.preview(window.document.study.replace(epsilon=epsilon))
        await_facts(qtbot, window, "ε", 0, window.document.study.privacy.description)
        qtbot.waitUntil(lambda: len(views(window)) == 3)
        assert views(window)[0].as_text() != views(window)[1].as_text()
    window.document.cancel_preview()
    await_facts(qtbot, window, "ε", 2, "=")
    assert np.all(count_window.numbers(views(window)[2]) == 0)


def test_one_selection_for_all_matrices(qtbot: QtBot, window: MainWindow) -> None:
    window.document.pin(window.document.current.key)
    window.document.duplicate()
    window.menus.compare.trigger()
    qtbot.waitUntil(lambda: len(views(window)) == 3, timeout=count_window.WAIT)
    QApplication.processEvents()  # until they have their places
    count_window.click_cell(views(window)[0], 2, 5)
    assert [view.selected() for view in views(window)] == [(2, 5)] * 3


def test_different_n_has_no_difference_cell_by_cell(qtbot: QtBot, window: MainWindow) -> None:
    window.document.pin(window.document.current.key)
    window.document.add(CountDesign(5, epsilon=1, name="Five"))
    window.menus.compare.trigger()
    qtbot.waitUntil(lambda: len(views(window)) == 2, timeout=count_window.WAIT)
    labels = window.stage.view.findChild(MatricesCard).findChildren(SentenceLabel)
    assert "One design counts up to 5, the other up to 8" in " ".join(label.text() for label in labels)
    first, second = (view.figure().value_scale for view in views(window))
    assert first.top == second.top


def test_a_reference_that_was_never_shown_is_computed(qtbot: QtBot, window: MainWindow) -> None:
    window.document.load(Project((FLU, NoiseDesign(epsilon=2, name="N"), NoiseDesign(epsilon=1)), reference=1))
    window.document.select(2)
    window.menus.compare.trigger()
    qtbot.waitUntil(lambda: window.header.before.text().startswith("N: "), timeout=count_window.WAIT)
    qtbot.waitUntil(lambda: len(plots(window)) == 2, timeout=count_window.WAIT)
    assert plots(window)[0].plot.as_table().header[1:] == ("Noise", "N") and not views(window)
    window.document.select(0)
    await_facts(qtbot, window, "prior", 1, "—")
    qtbot.waitUntil(lambda: not plots(window))
    table = window.stage.view.findChild(FactsTable)
    qtbot.waitUntil(lambda: table.width() > 0.9 * window.stage.view.width())  # nothing is left empty beside it
    window.document.select(2)
    qtbot.waitUntil(lambda: len(plots(window)) == 2 and table.width() < window.stage.view.width() / 2)


def test_choose_the_reference_with_the_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    window.document.duplicate()
    window.document.duplicate()
    window.menus.compare.trigger()
    chooser = window.stage.view.findChild(QComboBox)
    assert [chooser.itemText(place) for place in range(chooser.count())] == ["nothing", "Flu", "Flu (2)", "Flu (3)"]
    assert chooser.currentText() == "Flu (2)"  # the nearest, so that there is something to see
    chooser.setFocus()
    QTest.keyClick(chooser, Qt.Key.Key_Up)
    assert window.document.reference is not None and window.document.reference.title == "Flu"
    window.document.undo()
    window.document.undo()
    assert window.document.reference is None and chooser.currentIndex() == 0


def test_what_is_pinned_stays_when_its_design_is_removed_and_is_unpinned_with_its_cross(qtbot: QtBot, window: MainWindow) -> None:
    window.document.duplicate()
    window.menus.pin.trigger()
    window.document.remove()
    assert window.document.reference is not None and window.menus.pin.isChecked()
    qtbot.waitUntil(lambda: window.header.before.isVisible())
    QTest.mouseClick(window.header.unpin, count_window.LEFT)
    assert window.document.reference is None and not window.menus.pin.isChecked()
    qtbot.waitUntil(lambda: not window.header.before.isVisible())
    window.document.undo()
    assert window.document.reference is not None


def test_what_was_pinned_stays_as_it_was_while_its_design_changes(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    pinned = window.document.study
    window.menus.pin.trigger()
    window.document.change(window.document.study.replace(alpha="1/3"), "More accurate")
    assert window.document.reference is not None and window.document.reference.study == pinned
    window.menus.compare.trigger()
    await_facts(qtbot, window, "ε", 1, pinned.privacy.description)
    assert facts(window)["ε"][0] == window.document.study.privacy.description
    chooser = window.stage.view.findChild(QComboBox)
    qtbot.waitUntil(lambda: chooser.currentText() == "Flu, as pinned")
    project = window.document.content.project
    write_project(tmp_path / "a.dpd", project)
    assert read_project(tmp_path / "a.dpd") == project and project.reference == pinned


def test_wide_windows_show_page_and_comparison(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(2560, 1400)
    window.menus.compare.trigger()
    assert window.host.isVisible() and window.stage.view.isVisible()
    window.resize(1280, 720)
    assert not window.host.isVisible()


def test_a_duplicate_is_offered_where_the_design_is_compared_with_itself(qtbot: QtBot) -> None:
    window = MainWindow([CountDesign(5, epsilon=1, name="One"), CountDesign(6, epsilon=1, name="Two")])
    qtbot.addWidget(window)
    window.show()
    window.document.pin(window.document.designs[1].key)
    window.menus.compare.trigger()
    await_facts(qtbot, window, "largest n", 2, "≠")
    duplicate = next(b for b in window.stage.view.findChildren(QPushButton) if b.text().startswith("Duplicate"))
    assert not duplicate.isVisible()
    window.document.select(1)
    qtbot.waitUntil(duplicate.isVisible)
    window.document.undo_stack.setClean()


def test_the_reference_is_kept_in_the_file(tmp_path: Path) -> None:
    project = Project((FLU, NoiseDesign(epsilon=1)), reference=1)
    write_project(tmp_path / "a.dpd", project)
    assert read_project(tmp_path / "a.dpd") == project
    text = (tmp_path / "a.dpd").read_text("utf-8")
    for wrong in ("2", "-1", "true", '"1"', "null"):
        with pytest.raises(InputError, match=r"must (give its reference as a position from 0 to 1|have a value for reference)"):
            loads_project(text.replace('"reference": 1', f'"reference": {wrong}'))


def test_a_design_that_is_gone_cannot_be_chosen(window: MainWindow) -> None:
    for place in (-1, 1, 7):
        window.document.select(place)
    assert window.document.index == 0


def test_one_design_alone_is_duplicated_and_compared(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.compare.trigger()
    view = window.stage.view
    told = next(label for label in view.findChildren(SentenceLabel) if "side by side" in label.text() and label.isVisible())
    button = next(button for button in view.findChildren(QPushButton) if button.text() == "Duplicate this design")
    qtbot.waitUntil(lambda: button.y() > view.height() / 3)
    assert abs(button.geometry().center().x() - told.geometry().center().x()) <= 2 and button.y() < view.height() * 2 / 3
    assert not view.findChild(NameBox).isVisible(), "there is nothing to choose"
    QTest.mouseClick(button, count_window.LEFT)
    assert len(window.document.designs) == 2 and window.document.reference == window.document.designs[0]
    await_facts(qtbot, window, "largest n", 2, "=")
    focused = window.focusWidget()
    assert focused is view or view.isAncestorOf(focused)
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert not view.isVisible()


def test_of_two_designs_the_other_is_the_reference(qtbot: QtBot, window: MainWindow) -> None:
    window.document.add(CountDesign(5, epsilon=1, name="Five"))
    window.menus.compare.trigger()
    assert window.document.reference == window.document.designs[0]
    await_facts(qtbot, window, "largest n", 0, "5")
    assert facts(window)["largest n"][1] == "8"


def test_the_names_above_the_columns_are_told_apart(qtbot: QtBot) -> None:
    table, name = FactsTable(), "A design whose name is long and differs only at its very end: "
    qtbot.addWidget(table)
    table.resize(360, 400)
    table.show()
    portrait = portrait_of(CountDesign(5, epsilon=1), None)
    table.show_comparison(Comparison((f"{name}one", f"{name}two"), portrait, portrait))
    header = table.horizontalHeader()
    titles = [table.model().headerData(column, Qt.Orientation.Horizontal) for column in (1, 2)]
    assert titles[0].endswith("one") and titles[1].endswith("two") and all("…" in title for title in titles)
    metrics = header.fontMetrics()
    room = QRect(0, 0, table.columnWidth(1) - 12, 1000)
    assert header.height() >= metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, titles[0]).height() > metrics.height()
    whole = table.model().headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert whole == f"{name}one"


def test_every_column_of_numbers_has_the_room_of_its_title(qtbot: QtBot) -> None:
    table = FactsTable()
    qtbot.addWidget(table)
    table.show()
    table.resize(50, 300)
    for scale in (1.0, 2.0):
        theme().set_scale(scale)
        assert table.minimumWidth() * 0.2 > table.fontMetrics().horizontalAdvance("difference")
    theme().set_scale(1.0)


def test_the_curves_take_what_the_matrices_do_not_need(qtbot: QtBot) -> None:
    card = MatricesCard()
    qtbot.addWidget(card)
    card.resize(600, 2000)
    card.show()
    assert card.maximumHeight() < 600
    card.resize(1800, 400)
    assert 600 < card.maximumHeight() < 1800


def test_a_design_of_the_same_kind_is_proposed_before_others(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    document.pin(document.current.key)  # a count
    document.add(NoiseDesign(name="Hours", epsilon=1))
    document.add(NoiseDesign(epsilon=2, name="Hours at 2"))
    window.menus.compare.trigger()
    assert document.reference is not None and document.reference.title == "Hours"
    chooser = window.stage.view.findChild(QComboBox)
    offered = [chooser.itemText(place) for place in range(chooser.count())]
    assert offered == ["nothing", "Hours", "Hours at 2", "Flu (Count)"]
    chooser.setFocus()
    QTest.keyClick(chooser, Qt.Key.Key_End)
    assert document.reference.title == "Flu"

    def remarks() -> list[str]:
        return [label.text() for label in window.stage.view.findChildren(SentenceLabel) if label.isVisible()]

    qtbot.waitUntil(lambda: any(text.startswith("These two designs are of different kinds") for text in remarks()))


def test_no_other_kind_is_proposed(window: MainWindow) -> None:
    window.document.add(NoiseDesign(name="Hours", epsilon=1))
    window.menus.compare.trigger()
    assert window.document.reference is None
