"""The report dialog with the real mouse: files appear, links lead to them, refusals are sentences, closing stops the work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from desktop import hands
from desktop.count_window import LEFT, WAIT, await_answers, opened
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from dpdesigner import resources
from dpdesigner.core.basics.prior import Prior
from dpdesigner.desktop.output import report_dialog
from dpdesigner.desktop.output.report_dialog import PAGE, ReportDialog
from dpdesigner.desktop.output.reports import write_report
from dpdesigner.desktop.pages.synthetic.page import SyntheticPage
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.errors import InputError
from dpdesigner.files.export import Export, export_of
from dpdesigner.files.project import Project, Scene, write_project
from dpdesigner.files.report import chapter, html, report
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.exhibits.listing import exhibit
from dpdesigner.studies.inspect.design import InspectDesign
from dpdesigner.studies.noise.design import NoiseDesign

DESIGN = CountDesign(4, alpha="1/2", name="Four rows")


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, DESIGN) as window:
        await_answers(qtbot, window)
        yield window


@pytest.fixture
def dialog(window: MainWindow, tmp_path: Path) -> ReportDialog:
    window.menus.report.trigger()
    found = next(dialog for dialog in window.findChildren(ReportDialog) if dialog.isVisible())
    found.folder.setText(str(tmp_path))
    return found


def write(qtbot: QtBot, dialog: ReportDialog) -> str:
    QTest.mouseClick(dialog.go, LEFT)
    assert not dialog.go.isEnabled() and dialog.progress.isVisible()
    qtbot.waitUntil(dialog.go.isEnabled, timeout=WAIT)
    return dialog.said.text()


def test_both_files_are_written_and_linked(qtbot: QtBot, dialog: ReportDialog, tmp_path: Path) -> None:
    words = write(qtbot, dialog)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Four-rows-report.html", "Four-rows-report.pdf"]
    assert words.count('<a href="file://') == 2
    page = (tmp_path / "Four-rows-report.html").read_text("utf-8")
    assert page.count("data:image/svg+xml") >= 4 and "all columns checked in exact arithmetic" in page
    assert (tmp_path / "Four-rows-report.pdf").read_bytes().startswith(b"%PDF")


def test_the_dialog_says_whether_everybodys_value_is_in_the_report(window: MainWindow, dialog: ReportDialog) -> None:
    assert "value" not in dialog.about.text(), "a count shows nobody in any case"
    dialog.close()
    for tell, words in (("numbers", "nobody"), ("values", "everybody")):
        window.document.add(AttackDesign(n=20, queries=20, tell=tell))
        window.menus.report.trigger()
        dialog = next(dialog for dialog in window.findChildren(ReportDialog) if dialog.isVisible())
        assert f"The report shows {words}’s value." in labels(dialog)
        dialog.all_designs.setChecked(True)
        assert f"The report shows {words}’s value." in labels(dialog)
        dialog.close()


def test_a_report_with_a_prior_from_data_warns_before_it_is_written(window: MainWindow, dialog: ReportDialog) -> None:
    caution, safe = "These files hold your exact counts: do not publish them.", "It contains no personal data and no file names."
    dialog.formats[PAGE].setChecked(True)
    assert caution not in labels(dialog) and safe in dialog.contents.text()
    dialog.close()
    window.document.add(CountDesign(2, alpha="1/2", prior=Prior.of_counts([0, 1, 1], 2, "ages, a.csv")))
    window.menus.report.trigger()
    dialog = next(dialog for dialog in window.findChildren(ReportDialog) if dialog.isVisible())
    dialog.formats[PAGE].setChecked(True)
    assert caution in labels(dialog) and safe not in dialog.contents.text()


def labels(dialog: ReportDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def test_all_designs_of_the_document(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.document.add(NoiseDesign(name="Some noise", epsilon=1))
    window.menus.report.trigger()
    dialog = next(dialog for dialog in window.findChildren(ReportDialog) if dialog.isVisible())
    dialog.folder.setText(str(tmp_path))
    dialog.formats[".pdf"].setChecked(False)
    dialog.all_designs.setChecked(True)
    name = dialog.name.text()
    assert name != "Some-noise-report"
    write(qtbot, dialog)
    page = (tmp_path / f"{name}.html").read_text("utf-8")
    assert "1. Four rows" in page and "2. Some noise" in page
    dialog.close()


def test_a_design_that_is_only_looked_at_is_reported(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.document.visit(NoiseDesign(name="Some noise", epsilon=1))
    window.menus.report.trigger()
    dialog = next(dialog for dialog in window.findChildren(ReportDialog) if dialog.isVisible())
    assert dialog.name.text() == "Some-noise-report"
    dialog.folder.setText(str(tmp_path))
    dialog.formats[".pdf"].setChecked(False)
    write(qtbot, dialog)
    assert "Some noise" in (tmp_path / "Some-noise-report.html").read_text("utf-8")
    dialog.close()


def test_the_name_proposed_follows_what_the_report_is_of(window: MainWindow) -> None:
    window.document.add(CountDesign(3, epsilon=1, name="Three rows"))
    window.menus.report.trigger()
    dialog = next(dialog for dialog in window.findChildren(ReportDialog) if dialog.isVisible())
    first = dialog.name.text()
    assert first == "Three-rows-report"
    dialog.all_designs.click()
    assert "Three" not in dialog.name.text() and dialog.name.text().endswith("report")
    dialog.all_designs.click()
    assert dialog.name.text() == first
    dialog.name.setText("mine")
    dialog.all_designs.click()
    assert dialog.name.text() == "mine"
    dialog.close()


def test_a_folder_that_cannot_be_written_gets_a_sentence(qtbot: QtBot, dialog: ReportDialog, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    dialog.folder.setText(str(tmp_path / "file"))
    QTest.mouseClick(dialog.go, LEFT)
    words = dialog.said.text()
    assert words.endswith("must be a folder, but a file is there."), "said before anything is computed"
    assert dialog.said.property("class") == "error" and dialog.go.isEnabled()


def test_nothing_chosen_is_said(dialog: ReportDialog, tmp_path: Path) -> None:
    for box in dialog.formats.values():
        box.setChecked(False)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert "at least one format" in dialog.said.text()
    assert not list(tmp_path.iterdir())


def test_closing_stops_the_work(qtbot: QtBot, dialog: ReportDialog, tmp_path: Path) -> None:
    QTest.mouseClick(dialog.go, LEFT)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.wait(50)
    assert not list(tmp_path.iterdir())


def test_printing_without_a_printer_is_a_sentence(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(report: object, parent: object) -> str:
        raise InputError("no printer is set up here.")

    monkeypatch.setattr("dpdesigner.desktop.output.report_dialog.print_illustrated", refuse)
    window.menus.print.trigger()
    dialog = next(dialog for dialog in window.findChildren(ReportDialog) if dialog.isVisible())
    qtbot.waitUntil(lambda: "No printer is set up" in dialog.said.text(), timeout=WAIT)
    dialog.close()


def test_no_printer_is_found_out_before_a_dialog_opens(dialog: ReportDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    support = pytest.importorskip("PySide6.QtPrintSupport")
    monkeypatch.setattr(support.QPrinterInfo, "availablePrinterNames", staticmethod(lambda: []))
    with pytest.raises(InputError, match="No printer is set up"):
        report_dialog.print_illustrated(None, dialog)  # type: ignore[arg-type]


def test_long_inputs_are_broken_into_lines_on_paper(qapp: QApplication) -> None:
    design = CountDesign(60, alpha="1/2", prior=tuple(f"0.{k:012d}" for k in range(1, 62)), loss="absolute")
    document = QTextDocument()
    document.setHtml(html(report("Long", [chapter(export_of(design))]), for_print=True))
    block, paper = document.begin(), 900
    document.setTextWidth(paper)
    document.size()  # lays it out
    while block.isValid():
        lines = [block.layout().lineAt(k) for k in range(block.layout().lineCount())]
        assert all(line.naturalTextWidth() <= paper for line in lines), block.text()[:40]
        block = block.next()


def test_the_name_of_a_copy_makes_a_plain_file_name(qtbot: QtBot, window: MainWindow) -> None:
    window.document.rename("Flu (2)")
    window.menus.report.trigger()
    dialog = window.findChild(ReportDialog)
    assert dialog is not None and dialog.name.text() == "Flu-2-report"
    dialog.close()


def test_an_interactive_page_is_written_alone_and_its_contents_are_listed_first(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.document.add(InspectDesign("geometric:5,ln 2", name="A table"))
    first = window.document.designs[0].key
    window.document.set_scenes([Scene(first, {"row": 2}, "Two", "Two are ill.")], "Add scene")
    window.menus.share.trigger()
    dialog = next(dialog for dialog in window.findChildren(ReportDialog) if dialog.isVisible())
    dialog.folder.setText(str(tmp_path))
    assert dialog.contents.isVisible() and "designs: 2; scenes: 1." in dialog.contents.text()
    assert "Use invented ones." in dialog.contents.text()
    name = dialog.name.text()
    assert f"{name}-interactive.html" in write(qtbot, dialog)
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}-interactive.html"]
    page = (tmp_path / f"{name}-interactive.html").read_text("utf-8")
    assert "Two are ill." in page and "Four rows" in page and "A table" in page
    assert page.count("data:image/svg+xml") >= 5  # bars of the count, and the pictures of the table
    QTest.mouseClick(dialog.all_designs, LEFT, pos=QPoint(8, dialog.all_designs.height() // 2))
    assert "designs: 1; scenes: 0." in dialog.contents.text() and "invented" not in dialog.contents.text()
    QTest.mouseClick(dialog.formats[PAGE], LEFT, pos=QPoint(8, dialog.formats[PAGE].height() // 2))
    assert not dialog.contents.isVisible()
    dialog.close()


def test_a_report_has_the_price_that_was_drawn(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with hands.opened(qtbot, monkeypatch, resources.path("examples", "five-bidders.dpd"), (1280, 860)) as user:
        user.settles()
        user.press("Draw a price")
        user.settles()
        user.reads("price to announce")
        user.window.menus.report.trigger()
        dialog = next(dialog for dialog in user.window.findChildren(ReportDialog) if dialog.isVisible())
        dialog.folder.setText(str(tmp_path))
        dialog.formats[".pdf"].setChecked(False)
        write(qtbot, dialog)
        (price,) = user.window.host.page.outcomes["draw"].value[0].prices
    (written,) = tmp_path.glob("*.html")
    text = re.sub("<[^>]+>", " ", written.read_text("utf-8"))
    assert re.search(rf"price to announce\s+{price:g} ", text.replace("\u202f", ""))


def test_a_report_shows_an_example_and_not_the_true_count_on_the_page(
    qtbot: QtBot, window: MainWindow, dialog: ReportDialog, tmp_path: Path
) -> None:
    before = window.host.page.view_state()
    window.host.page.set_view_state({**before, "row": 3})
    dialog.formats[".pdf"].setChecked(False)
    write(qtbot, dialog)
    text = (tmp_path / "Four-rows-report.html").read_text("utf-8")
    assert "Example: what is released if the true count is 1" in text and "true count is 3" not in text
    assert window.host.page.view_state()["row"] == 3


def test_a_report_of_a_counted_belief_does_not_show_the_most_frequent_count(tmp_path: Path) -> None:
    design = CountDesign(9, alpha="1/2", prior=Prior.of_counts([7, 7, 8], 9, "visits, v.csv"))
    write_report("It", [export_of(design)], [tmp_path / "it.html"])
    text = (tmp_path / "it.html").read_text("utf-8")
    assert "Example: what is released if the true count is 3" in text and "true count is 7" not in text


def test_a_report_has_the_answer_for_the_rule_on_the_page(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with hands.opened(qtbot, monkeypatch, resources.path("examples", "planes.dpd"), (1280, 860)) as user:
        user.settles()
        user.press("Worst rule")
        user.settles()
        (rule,) = re.findall(r"Orange if (.+)\.\n", user.said())
        user.window.menus.report.trigger()
        dialog = next(dialog for dialog in user.window.findChildren(ReportDialog) if dialog.isVisible())
        dialog.folder.setText(str(tmp_path))
        dialog.formats[".pdf"].setChecked(False)
        write(qtbot, dialog)
    (written,) = tmp_path.glob("*.html")
    assert f"released: {rule}" in unescape(written.read_text("utf-8"))


def test_a_page_in_which_nothing_moves_is_not_called_interactive(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write_project(tmp_path / "it.dpd", Project((exhibit("grs/theorem-6.3"),), ()))
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd", (1280, 860)) as user:
        user.settles()
        user.window.menus.share.trigger()
        dialog = next(dialog for dialog in user.window.findChildren(ReportDialog) if dialog.isVisible())
        dialog.folder.setText(str(tmp_path))
        assert user.window.menus.share.text() == "&Web page…", "nor in the menu"
        assert user.chosen("Short HTML page") and not user.says("Interactive page", "interactive page")
        name = dialog.name.text()
        assert f"{name}-short.html" in write(qtbot, dialog)
        assert "<b>Claim, [GRS] Theorem 6.3.</b>" in (tmp_path / f"{name}-short.html").read_text("utf-8")
        dialog.close()


@pytest.mark.parametrize("kind", ["synthetic", "rectangle", "net", "halfspace"])
def test_a_report_holds_the_releases_that_the_window_shows(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    first = SyntheticPage.starting_study(kind).replace(seed=None, epsilon="0.01")
    other = first.replace(name="Never shown before", epsilon="0.02")
    write_project(tmp_path / "two.dpd", Project((first, other), ()))
    reported: list[Any] = []

    def seen(study: Any, **given: Any) -> Export:
        reported.append(made := export_of(study, **given))
        return made

    monkeypatch.setattr(report_dialog, "export_of", seen)
    with hands.opened(qtbot, monkeypatch, tmp_path / "two.dpd", (1280, 860)) as user:
        user.settles()
        user.window.menus.report.trigger()
        dialog = next(dialog for dialog in user.window.findChildren(ReportDialog) if dialog.isVisible())
        dialog.folder.setText(str(tmp_path))
        dialog.formats[".pdf"].setChecked(False)
        dialog.all_designs.setChecked(True)
        QTest.mouseClick(dialog.go, LEFT)
        qtbot.waitUntil(dialog.go.isEnabled, timeout=WAIT)
        dialog.close()
        assert [each.study for each in reported] == [first, other]
        for place in (0, 1):
            user.window.document.select(place)
            user.settles()
            assert user.window.host.page.answer.design == reported[place].study
            shown = user.window.host.page.answer
            assert hands.everything_drawn(reported[place].outcome) == hands.everything_drawn(shown)
