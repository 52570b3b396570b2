"""Reports on paper: what begins where, and that any designs come out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from desktop.report_pages import random_report
from PySide6.QtCore import QMarginsF
from PySide6.QtGui import QPagedPaintDevice, QPageLayout, QPageSize, QPdfWriter, QPicture, QTextDocument

from dpdesigner.desktop.output import reports
from dpdesigner.desktop.output.reports import _lonely_headings, _start_page, pdf_bytes, print_report

SEEDS = ["1", "2", "7"]  # of one design each; after a report of twenty


@pytest.mark.parametrize("after", ["<p>what it heads</p>", "<table><tr><td>what it heads</td></tr></table>"])
def test_a_heading_does_not_stand_alone_at_the_foot_of_a_page(qapp: object, tmp_path: Path, after: str) -> None:
    device = QPdfWriter(str(tmp_path / "a.pdf"))
    device.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    device.setPageMargins(QMarginsF())
    moved = {}
    for lines in range(30, 90):
        document = QTextDocument()
        document.setHtml("<p>x</p>" * lines + "<h3>Tables</h3><h4>A table</h4>" + after)
        moved[lines] = _lonely_headings(document, {}, device)
    assert all(found in ([], [lines]) for lines, found in moved.items())  # the first of several headings begins the page
    assert 1 <= sum(map(bool, moved.values())) <= 8, "also where only one line would fit below it"
    document.setHtml("<h3>Tables</h3>")
    assert _lonely_headings(document, {}, device) == []


def test_a_table_that_fits_on_a_page_is_not_torn(qapp: object, tmp_path: Path) -> None:
    device = QPdfWriter(str(tmp_path / "a.pdf"))
    device.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    device.setPageMargins(QMarginsF())

    def moved(rows: int) -> list[list[int]]:
        found = []
        for lines in range(20, 60):
            document, table = QTextDocument(), f"<table>{'<tr><td>x</td></tr>' * rows}</table><p>a note</p>"
            document.setHtml("<p>x</p>" * lines + f"<h4>A table</h4>{table}<h3>Proof</h3>" + "<p>x</p>" * 40)
            found.append([place - lines for place in _lonely_headings(document, {}, device) if place == lines])
        return found

    def begun(lines: int) -> bool:
        document = QTextDocument()
        document.setHtml("<p>x</p>" * lines + "<h3>Figures</h3>" + "<p>x</p>" * 20)
        return _lonely_headings(document, {}, device) == [lines]

    assert sum(map(begun, range(20, 90))) >= 15, "nor are the sections between two headings"
    few, many = sum(map(bool, moved(2))), sum(map(bool, moved(20)))
    assert few < many < 40 and sum(map(bool, moved(200))) <= few


def test_no_line_breaks_within_a_number(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = list[str]()

    def note(document: QTextDocument, *given: object) -> list[int]:
        texts.append(document.toRawText())
        return []

    monkeypatch.setattr(reports, "_lonely_headings", note)
    monkeypatch.setattr(reports, "html", lambda report, for_print: "<p>1\u202f234\u202f567 rows</p>")
    assert pdf_bytes(random_report(1)[0], {}).startswith(b"%PDF")
    assert texts == ["1\u00a0234\u00a0567 rows"]


def test_the_last_paragraph_of_a_report_does_not_stand_alone_on_a_page(qapp: object, tmp_path: Path) -> None:
    file, line = tmp_path / "a.pdf", '<p style="margin: 0; font-size: 4pt">x</p>'

    def printed(text: str) -> tuple[int, list[int]]:
        device, document = QPdfWriter(str(file)), QTextDocument()
        device.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
        device.setPageMargins(QMarginsF(2, 2, 2, 2), QPageLayout.Unit.Millimeter)
        document.setHtml(text)
        document.print_(device)
        moved = _lonely_headings(document, {}, device)
        del device
        return file.read_bytes().count(b"/Type /Page\n"), moved

    torn = 0
    for lines in range(100, 160):
        before = line * lines + "<h4>Exact inputs</h4>"
        if printed(before)[0] == 1:
            pages, moved = printed(before + "<p>x</p>" * 6)
            torn += pages == 2
            assert moved or pages == 1, lines
    assert torn > 2


def test_random_designs_one_and_twenty_to_a_file_become_pdf_files() -> None:
    """In a process of its own: what goes wrong in Qt ends the process."""
    program = Path(__file__).parents[1] / "report_pages.py"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, program, *SEEDS], env=environment, capture_output=True, text=True, timeout=300)
    assert (found.returncode, found.stdout.split()) == (0, ["ok"] * (1 + len(SEEDS))), found.stderr


@pytest.mark.parametrize("seed", [0, 6, 10])
def test_no_heading_is_left_alone_in_a_report(qapp: object, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    left, moved = [], []

    def twice(document: QTextDocument, pictures: Mapping[str, QPicture], device: QPagedPaintDevice) -> list[int]:
        found = _lonely_headings(document, pictures, device)
        for place in found:
            _start_page(document.findBlockByNumber(place))
        moved.append(found)
        left.append(_lonely_headings(document, pictures, device))
        return found

    monkeypatch.setattr(reports, "_lonely_headings", twice)
    assert pdf_bytes(*random_report(seed)).startswith(b"%PDF")
    assert left == [[]] and (seed % 4 or moved[0])


def test_pages_are_foreseen_in_the_size_in_which_they_are_printed(
    qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt's text engine gives a page without margins small ones when it prints, which moves every line break."""
    device, foreseen = QPdfWriter(str(tmp_path / "a.pdf")), []
    device.setPageMargins(QMarginsF())

    def seen(document: QTextDocument, pictures: Mapping[str, QPicture], device: QPagedPaintDevice) -> list[int]:
        foreseen.append((device.width(), device.height()))
        return _lonely_headings(document, pictures, device)

    monkeypatch.setattr(reports, "_lonely_headings", seen)
    print_report(*random_report(0), device)
    assert foreseen == [(device.width(), device.height())]
