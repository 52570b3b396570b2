"""Reports on paper: what begins where."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMarginsF
from PySide6.QtGui import QPageSize, QPdfWriter, QTextDocument

from dpdesigner.desktop.report_print import _lonely_headings


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
    assert 1 <= sum(map(bool, moved.values())) <= 4
    document.setHtml("<h3>Tables</h3>")
    assert _lonely_headings(document, {}, device) == []
