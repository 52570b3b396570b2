"""A label that shortens its text: all of it, a shorter one, or the text cut at its end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.labels import ElidedLabel
from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.desktop.window.header import Header


@pytest.fixture
def label(qtbot: QtBot) -> ElidedLabel:
    made = ElidedLabel()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def header(qtbot: QtBot) -> Iterator[Header]:
    root = QWidget()
    qtbot.addWidget(root)
    made = Header(QAction("Export…", root), QMenu(root), QAction("Compare", root), root)
    made.resize(1280, 40)
    root.show()
    yield made


def shown_in(label: ElidedLabel, width: int) -> str:
    label.resize(width, 20)
    label.show()
    return label.text()


def test_a_shorter_text_takes_the_place_of_one_without_room(label: ElidedLabel) -> None:
    label.set_full_text("proved optimal, gap at most 3e-14", "proved optimal", "proved")
    widths = [label.fontMetrics().horizontalAdvance(text) + 12 for text in ("proved optimal", "proved")]
    assert shown_in(label, 400) == "proved optimal, gap at most 3e-14" and not label.toolTip()
    assert shown_in(label, widths[0]) == "proved optimal" and label.toolTip() == label.full_text
    assert shown_in(label, widths[1]) == "proved"
    assert shown_in(label, 24).endswith("…")


def test_it_asks_for_the_room_of_the_shortest_text(label: ElidedLabel) -> None:
    label.set_full_text("proved optimal, gap at most 3e-14", "proved")
    shortest = label.fontMetrics().horizontalAdvance("proved")
    assert shortest < label.minimumSizeHint().width() < shortest + 20
    label.set_full_text("proved optimal, gap at most 3e-14", "")
    assert label.minimumSizeHint().width() == 0


@pytest.mark.letters
def test_the_word_of_a_card_is_whole_or_absent(qtbot: QtBot) -> None:
    card = Card("Your belief")
    qtbot.addWidget(card)
    card.set_word("prior, 0 to n =", "n =")
    card.resize(400, 100)
    card.show()
    word = card.findChild(ElidedLabel)
    assert word is not None and word.text() == "prior, 0 to n ="
    heading = card.fontMetrics().horizontalAdvance("Your belief") * 5 // 4
    seen = set()
    for width in range(400, heading, -4):
        card.resize(width, 100)
        seen.add(word.text())
    assert seen <= {"prior, 0 to n =", "n =", ""} and "n =" in seen


@pytest.mark.letters
def test_the_line_above_the_page_ends_with_a_whole_part(header: Header) -> None:
    line = "n = 5 · absolute loss · drawn prior · ε = 0.5 (α = 0.6065)"
    header.set_summary(Summary(line=line, badge="✓ proved optimal · for whole numbers", state="proved"))
    ends = {line, line[: line.index(" (")], "n = 5 · absolute loss · drawn prior", "n = 5 · absolute loss", "n = 5"}
    for width in range(1200, 720, -10):
        header.resize(width, 40)
        assert header.line.text() in ends
    header.set_name("A name that needs its room", False)
    for width in range(1200, 900, -10):
        header.resize(width, 40)
        badge = header.badge
        assert badge.text() in ("✓ proved optimal · for whole numbers", "✓ proved optimal")
        assert badge.accessibleName() == "✓ proved optimal · for whole numbers"
        assert badge.toolTip() == "✓ proved optimal · for whole numbers. Click to see why."
        assert header.name.text() == "A name that needs its room"


@pytest.mark.letters
def test_a_long_name_leaves_room_for_the_badge(header: Header) -> None:
    header.set_name("A very long name of a design that nobody would ever type but somebody will " * 2, False)
    header.set_pinned("before: 1.2", "before: 1.2", "Pinned")
    header.set_summary(Summary("n = 5", "expected loss", "1.2064", badge="✓ proved optimal", state="proved"))
    for width, badge in ((1200, "✓ proved optimal"), (560, "✓"), (header.minimumSizeHint().width(), "✓")):
        header.resize(width, 80)
        QApplication.processEvents()
        assert header.badge.text() == badge and header.name.text().startswith("A ver")
    header.set_name("Short", False)
    assert header.name.text() == "Short"


@pytest.mark.letters
def test_the_comparison_is_told_in_short_where_there_is_no_room(header: Header) -> None:
    long = "A design with a rather long name: ε = 0.6932 (α = 1/2), 1.2064"
    header.set_pinned(long, "A design: 1.2064", "Click")
    header.resize(2560, 70)
    QApplication.processEvents()
    assert header.before.text() == long
    header.resize(900, 70)
    QApplication.processEvents()
    assert header.before.text() == "A design: 1.2064" and "rather long name" in header.before.toolTip()
