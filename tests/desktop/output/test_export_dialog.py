"""The export dialog on the count page: what it writes can be proved again by whoever reads it."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from desktop.count_window import LEFT, WAIT, await_answers, opened, page
from published import FIGURE_2, FIGURE_2_USER
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.data.mechanism_tables import open_table
from dpdesigner.desktop.base.preferences import settings
from dpdesigner.desktop.output.export_dialog import ExportDialog
from dpdesigner.desktop.output.report_dialog import ReportDialog
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.errors import InputError
from dpdesigner.files.count_export import LEFT_OUT, UNPROTECTED, CountExport
from dpdesigner.files.export import TableFile
from dpdesigner.studies.auction.design import AuctionDesign
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.inspect.audience_design import AudienceDesign
from dpdesigner.studies.noise.design import NoiseDesign

PAPER = CountDesign(**FIGURE_2_USER, name="The paper's user")
OUTSIDE = CountDesign(4, alpha="1/2", prior="uniform", loss="expression:(i-r)%3", name="Cyclic")


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, getattr(request, "param", PAPER)) as window:
        yield window


def dialog_of(window: MainWindow, folder: Path, *formats: str) -> ExportDialog:
    """Open the dialog by the button in the header, and choose a folder and formats in it."""
    QTest.mouseClick(window.header.export, LEFT)
    dialog = next(found for found in window.findChildren(ExportDialog) if found.isVisible())
    dialog.folder.setText(str(folder))
    for key, box in dialog.formats.items():
        if box.isChecked() != (key in formats):
            box.click()
    return dialog


def said(dialog: ExportDialog) -> str:
    """What the dialog says of the result, and of what was checked."""
    if dialog.checked.isVisible() and not dialog.checked.isChecked():
        dialog.checked.click()
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def export(qtbot: QtBot, dialog: ExportDialog, until: str) -> str:
    """Press Export and wait until the dialog says something."""
    go = next(button for button in dialog.findChildren(QPushButton) if button.text() in ("Export", "Replace"))
    QTest.mouseClick(go, LEFT)
    qtbot.waitUntil(lambda: until in said(dialog) and go.isEnabled(), timeout=WAIT)
    return said(dialog)


@pytest.mark.letters
def test_csv_sidecar_and_pictures_are_written_and_verify(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path, "csv", "png")
    dialog.name.setText("paper")
    places = [button.mapTo(dialog, QPoint()) for button in (dialog.go, dialog.report)]
    words = export(qtbot, dialog, "Pictures: ")
    qtbot.waitUntil(lambda: dialog.checked.isChecked() and dialog.details.height() > 20)
    for button, place in zip((dialog.go, dialog.report), places, strict=True):  # for a second click
        qtbot.waitUntil(lambda button=button, place=place: button.mapTo(dialog, QPoint()) == place, timeout=WAIT)
    first, *names = dialog.said.text().split("\n")
    assert sorted(names) == sorted(item.name for item in tmp_path.iterdir())
    assert first == f"{len(names)} files written." and dialog.opener.isVisible()
    assert "paper.csv" in words and "proved on its text: every row sums to exactly 1" in words
    found = verify_table(list(open_table(tmp_path / "paper.csv").rows()))
    assert found.satisfies(PAPER.privacy) and found.stochastic
    facts = json.loads((tmp_path / "paper.json").read_text("utf-8"))
    assert hashlib.sha256((tmp_path / "paper.csv").read_bytes()).hexdigest() in json.dumps(facts)
    pictures = sorted(tmp_path.glob("paper-*.png"))
    names = {path.name for path in pictures}
    assert {"paper-matrix.png", "paper-matrix-geometric.png", "paper-release.png", "paper-costs.png"} <= names
    for path in pictures:
        image = QImage(str(path))
        assert not image.isNull() and image.width() >= 600
        assert len({image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}) > 3
        assert path.name in words
    dialog.close()


def test_pictures_of_secret_bids_are_missing_with_a_reason(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.document.add(AuctionDesign(bids=["0.2", "0.4"], epsilon=1))
    qtbot.waitUntil(lambda: window.host.page is not None and window.host.page.answer is not None, timeout=WAIT)
    dialog = dialog_of(window, tmp_path, "csv", "png")
    assert "No picture: all show data that stay in the window." in export(qtbot, dialog, " written.")
    assert not list(tmp_path.glob("*.png"))
    dialog.close()


def test_it_leads_on_to_the_report(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path, "csv")
    QTest.mouseClick(dialog.go, LEFT)
    QTest.mouseClick(dialog.report, LEFT)  # does not cancel the export without a word
    assert dialog.isVisible() and not dialog.report.isEnabled()
    qtbot.waitUntil(lambda: dialog.report.isEnabled(), timeout=WAIT)
    assert "file" in said(dialog) and list(tmp_path.glob("*.csv"))
    QTest.mouseClick(dialog.report, LEFT)
    report = window.findChild(ReportDialog)
    assert not dialog.isVisible() and isinstance(report, ReportDialog) and report.isVisible()
    report.close()


def test_a_prior_from_data_is_a_warning_where_it_is_written(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.document.add(CountDesign(2, alpha="1/2", prior=Prior.of_counts([0, 1, 1], 2, "ages, a.csv")))
    dialog = dialog_of(window, tmp_path, "csv")
    caution = "JSON files, the proof of a CSV and pictures of the prior hold your exact counts: do not publish them."
    assert caution in said(dialog)
    export(qtbot, dialog, " written.")
    written = {path.suffix: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert '"prior": [' in written[".json"] and "ages" not in written[".csv"]
    assert dialog.said.isVisible() and f"2 files written. {UNPROTECTED}" in dialog.said.text()
    dialog.close()


def test_a_prior_from_data_can_be_left_out(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """With all that is computed from it except the mechanism; of the report, too."""
    prior = Prior.of_counts([0] * 1237 + [1] * 2431 + [2] * 3319 + [3] * 411 + [4] * 77, 4, "ages, a.csv")
    window.document.add(design := CountDesign(4, alpha="1/2", prior=prior, name="Ward"))
    await_answers(qtbot, window)
    dialog = dialog_of(window, tmp_path, "csv", "json", "tex", "py", "svg")
    dialog.bare.click()
    assert dialog.bare.text() == "Leave out the prior" and "exact counts" not in said(dialog)
    assert not any(dialog.formats[key].isEnabled() for key in ("svg", "curve")), "they show it"
    assert f"written. {LEFT_OUT}" in export(qtbot, dialog, " written.")
    dialog.close()
    window.menus.report.trigger()
    dialog = next(found for found in window.findChildren(ReportDialog) if found.isVisible())
    dialog.folder.setText(str(tmp_path))
    for key, box in dialog.formats.items():
        box.setChecked(key == ".html")
    dialog.bare.click()
    assert "exact counts" not in said(dialog)
    QTest.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(dialog.opener.isVisible, timeout=WAIT)
    written = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert {"Ward.csv", "Ward.json", "Ward.tex", "ward.py", "Ward-report.html"} <= written.keys()
    assert "Disclosure risk" in written["Ward-report.html"] and LEFT_OUT in written["Ward-report.html"]
    assert "✓ private" in written["Ward-report.html"] and "prior not private" not in written["Ward-report.html"]
    assert json.loads(written["Ward.json"])["findings"].keys() == {"epsilon", "alpha"}
    whole = CountExport.of(design, exact=True)
    secret = {str(weight) for weight in prior.specification} | {"ages", "prior_source", "svg"}
    for key in ("value", "gap", "bound", "laplace", "ignore"):
        if (found := whole.outcome.findings.get(key)) is not None and found.number:
            secret |= {f"{found.number:.4g}"[:5], str(found.value)}
    secret |= {str(price) for price in whole.outcome.solved.certificate.dual if price}
    shown = "\n".join(text for name, text in written.items() if name not in ("Ward.csv", "Ward.tex"))  # the table alone
    assert [each for each in secret if re.search(rf"(?<![\w.]){re.escape(each)}(?!\w|\.\d)", shown)] == []
    dialog.close()


def test_a_prior_that_was_drawn_needs_no_warning(window: MainWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path, "csv")
    assert "exact counts" not in said(dialog) and not dialog.bare.isVisible()
    dialog.close()


def test_a_box_that_is_not_offered_goes_with_the_dialog(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(NoiseDesign(epsilon=1))
    window.menus.export.trigger()
    dialog = next(dialog for dialog in window.findChildren(ExportDialog) if dialog.isVisible())
    assert dialog.fractions.window() is dialog and not dialog.fractions.isVisible()
    dialog.close()


def test_fractions_are_those_of_the_paper(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path, "csv", "tsv", "json", "tex")
    dialog.name.setText("paper")
    dialog.fractions.click()
    export(qtbot, dialog, "paper.tex")
    table = list(open_table(tmp_path / "paper.csv").rows())
    assert [list(row) for row in table] == FIGURE_2
    assert "1/48" in (tmp_path / "paper.csv").read_text("utf-8")
    assert list(open_table(tmp_path / "paper.tsv").rows()) == table
    assert "\\toprule" in (tmp_path / "paper.tex").read_text("utf-8")
    dialog.close()


@pytest.mark.parametrize("window", [OUTSIDE], indirect=True)
def test_outside_the_theorem_the_better_mechanism_is_exported(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    await_answers(qtbot, window, "lp_check")
    dialog = dialog_of(window, tmp_path, "csv")
    dialog.name.setText("cyclic")
    export(qtbot, dialog, "every row sums to exactly 1")
    found = list(open_table(tmp_path / "cyclic.csv").rows())
    assert verify_table(found).satisfies(OUTSIDE.privacy)
    loss = OUTSIDE.loss.exact_matrix(OUTSIDE.n)
    cost = sum(p * Fraction(found[i][r]) * loss[i][r] for i, p in enumerate(OUTSIDE.prior.exact) for r in range(OUTSIDE.n + 1))
    assert float(cost) == pytest.approx(float(page(window).outcomes["lp_check"].value), rel=1e-6)
    dialog.close()


def test_a_long_list_of_files_scrolls(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path, "csv", "tsv", "json", "tex", "png", "svg", "pdf")
    told = export(qtbot, dialog, "files written")
    assert told.count("\n") > 12
    qtbot.waitUntil(lambda: dialog.height() < 480)
    one = dialog.said.fontMetrics().lineSpacing()
    assert dialog.said.height() > 12 * one and dialog.said.visibleRegion().boundingRect().height() < 9 * one


def test_svg_and_pdf(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path / "new" / "folder", "svg", "pdf")
    export(qtbot, dialog, " written.")
    assert dialog.checked.isHidden(), "nothing was checked"
    written = sorted((tmp_path / "new" / "folder").iterdir())
    assert {path.suffix for path in written} == {".svg", ".pdf"} and all(path.stat().st_size > 500 for path in written)
    dialog.close()


def test_a_folder_that_cannot_be_written_gets_a_sentence(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder is wanted")
    for formats in (("csv",), ("png",), ("csv", "png")):
        dialog = dialog_of(window, blocked / "inside", *formats)
        words = export(qtbot, dialog, "blocked")
        assert "Traceback" not in words and "Errno" not in words and words.splitlines()[-1].endswith(".")
        assert [path.name for path in tmp_path.iterdir()] == ["blocked"]
        dialog.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_folder_gets_a_sentence(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    dialog = dialog_of(window, tmp_path, "csv", "png")
    assert str(tmp_path) in export(qtbot, dialog, str(tmp_path)) and not list(tmp_path.iterdir())
    tmp_path.chmod(0o700)
    dialog.close()


def test_a_full_disk_gets_a_sentence_and_leaves_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await_answers(qtbot, window)
    (tmp_path / "paper.csv").write_text("old")
    real, calls = os.fsync, []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    dialog = dialog_of(window, tmp_path, "csv", "tex", "svg")
    dialog.name.setText("paper")
    monkeypatch.setattr(os, "fsync", full)
    export(qtbot, dialog, "Already there: paper.csv.")
    words = export(qtbot, dialog, "disk is full")
    assert len(calls) == 4 and dialog.said.text().endswith("could not be written: the disk is full.")
    assert "Errno" not in words and dialog.said.property("class") == "error"
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("paper.csv", "old")]
    dialog.close()


@pytest.mark.parametrize("how", ["Cancel", "Escape"])
def test_giving_it_up_half_way_leaves_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    await_answers(qtbot, window)
    reached, ended = threading.Event(), threading.Event()
    real = CountExport.files

    def slow(self: CountExport, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        try:
            for file in real(self, name, formats, fractions):
                yield file
                reached.set()
                ended.wait(0.05)
        finally:
            ended.set()

    monkeypatch.setattr(CountExport, "files", slow)
    dialog = dialog_of(window, tmp_path / "new", "csv", "tsv", "tex")
    QTest.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(reached.is_set, timeout=WAIT)
    assert dialog.progress.isVisible() and not dialog.go.isEnabled()
    if how == "Cancel":
        QTest.mouseClick(next(button for button in dialog.findChildren(QPushButton) if button.text() == "Cancel"), LEFT)
        assert dialog.said.text() == "Stopped." and dialog.go.isEnabled() and dialog.isVisible()
    else:
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(ended.is_set, timeout=WAIT)
    qtbot.waitUntil(lambda: not list(tmp_path.iterdir()), timeout=WAIT)
    assert any(found.isVisible() for found in window.findChildren(ExportDialog)) == (how == "Cancel")


@pytest.mark.parametrize("window", [PAPER, PAPER.replace(loss="absolute")], indirect=True)
def test_what_the_page_has_solved_is_not_solved_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {job.name for job in page(window).jobs(window.document.study)}
    qtbot.waitUntil(lambda: wanted <= page(window).outcomes.keys(), timeout=WAIT)

    def never(*given: object, **named: object) -> None:
        raise AssertionError("solved again")

    for module in ("files.count_export", "studies.count.jobs"):
        monkeypatch.setattr(f"dpdesigner.{module}.solve", never)
    monkeypatch.setattr("dpdesigner.files.count_export.linear_program", never)
    dialog = dialog_of(window, tmp_path, "csv", "svg")
    export(qtbot, dialog, "Pictures: ")
    assert len(list(tmp_path.glob("*.svg"))) >= 5 and len(list(tmp_path.glob("*.csv"))) == 1
    dialog.close()


def test_the_folder_that_was_written_to_is_offered_whatever_is_typed_meanwhile(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_places: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened_places.append(url.toLocalFile()))
    dialog = dialog_of(window, tmp_path, "tsv")
    dialog.go.click()
    dialog.folder.setText(str(tmp_path / "elsewhere"))
    qtbot.waitUntil(dialog.opener.isVisible, timeout=WAIT)
    QTest.mouseClick(dialog.opener, LEFT)
    assert opened_places == [str(tmp_path)] and list(tmp_path.glob("*.tsv"))
    dialog.close()


def test_an_error_that_begins_with_a_symbol_keeps_it(window: MainWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path, "tsv")
    dialog.tell_failure(InputError("n must be at most 3, got 4."))
    assert dialog.said.text() == "n must be at most 3, got 4."
    dialog.tell_failure(InputError("the prior must have 4 parts."))
    assert dialog.said.text() == "The prior must have 4 parts."
    dialog.close()


def test_nothing_chosen_is_said(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path)
    assert "at least one format" in export(qtbot, dialog, "Choose")
    assert not list(tmp_path.iterdir())
    dialog.close()


def test_a_file_typed_as_the_folder_is_a_file(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path / "cases.csv", "csv")
    export(qtbot, dialog, "every row sums to exactly 1")
    assert (tmp_path / "cases.csv").is_file() and not [path for path in tmp_path.iterdir() if path.is_dir()]
    assert (dialog.folder.text(), dialog.name.text()) == (str(tmp_path), "cases")
    dialog.close()


def test_what_was_chosen_is_remembered(qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = dialog_of(window, Path("elsewhere"), "tsv")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *given: str(tmp_path))
    QTest.mouseClick(next(button for button in dialog.findChildren(QPushButton) if button.text() == "Browse…"), LEFT)
    export(qtbot, dialog, "every row sums to exactly 1")
    dialog.close()
    QTest.mouseClick(window.header.export, LEFT)
    again = next(found for found in window.findChildren(ExportDialog) if found.isVisible())
    assert again.folder.text() == str(tmp_path)
    assert [key for key, box in again.formats.items() if box.isChecked()] == ["tsv"]
    again.close()


def test_the_first_time_a_table_and_a_program_are_written_and_no_pictures(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    settings().remove("export/formats")
    QTest.mouseClick(window.header.export, LEFT)
    dialog = next(found for found in window.findChildren(ExportDialog) if found.isVisible())
    assert [key for key, box in dialog.formats.items() if box.isChecked()] == ["csv", "py"], "the report points to the program"
    dialog.close()


def test_noise_promises_no_proof_that_it_does_not_write(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.document.add(ChoiceDesign(((0, -1, -2), (-1, 0, -1), (-2, -1, 0)), name="Choice", epsilon=1))
    qtbot.waitUntil(lambda: window.document.study.kind == "choice" and "solve" in window.host.page.outcomes, timeout=WAIT)
    dialog = dialog_of(window, tmp_path, "csv", "tex")
    assert not any("proof" in box.text().lower() + box.toolTip().lower() for box in dialog.formats.values())
    assert not dialog.fractions.isVisible() and dialog.width() >= 500
    words = export(qtbot, dialog, "probabilities.csv")
    assert "every row sums to exactly 1" in words and "tex: rounded for print" in words
    assert verify_table(list(open_table(tmp_path / "Choice-probabilities.csv").rows())).stochastic
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".tex"]
    dialog.close()


@pytest.mark.parametrize("at_once", [False, True])
def test_a_program_that_cannot_be_written_is_grey_with_the_reason_and_the_rest_is_written(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, at_once: bool
) -> None:
    window.document.add(AudienceDesign(table="1/2,1/2\n1/3,2/3\n", readers=[{"name": "A"}]))
    qtbot.waitUntil(lambda: window.document.study.kind == "audience" and "solve" in window.host.page.outcomes, timeout=WAIT)
    dialog, why = dialog_of(window, tmp_path, "csv", "py"), "n existing table has no program"
    if not at_once:
        qtbot.waitUntil(lambda: not dialog.formats["py"].isEnabled(), timeout=WAIT)
        assert why in dialog.formats["py"].toolTip() and dialog.formats["csv"].isEnabled()
    words = export(qtbot, dialog, " written.")
    assert why in words + dialog.formats["py"].toolTip() and {path.suffix for path in tmp_path.iterdir()} == {".csv", ".txt"}
    assert "py" in str(settings().value("export/formats")), "it is wanted where there is one"
    dialog.close()
