"""Nothing is cut off: at small and large sizes, with normal and large text, every text has the room it needs, or a tooltip."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import hands
from desktop.count_window import opened
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner import save
from dpdesigner.desktop.base.card import Heading
from dpdesigner.desktop.base.labels import ElidedLabel
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.editors.distribution_plot import DistributionPlot
from dpdesigner.desktop.pages.count.page import CountPage
from dpdesigner.desktop.pages.kit.three_columns import ThreeColumns
from dpdesigner.desktop.pages.noise.page import NoisePage
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_conversion import converted
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import design_of

SIZES = [(1280, 720, 1.0), (1280, 720, 1.25), (1280, 720, 2.0), (2560, 1440, 1.0), (2560, 1440, 2.0)]


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, CountDesign(5, alpha="1/2", prior="uniform", loss="absolute")) as shown:
        yield shown


def settle() -> None:
    for _ in range(20):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def cut_off(window: QWidget) -> list[str]:
    """What is narrower than its text, and what reaches out of its parent at the right."""
    found = []
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, QLabel | QAbstractButton) or not widget.isVisible() or not widget.text():
            continue
        wraps = isinstance(widget, QLabel) and widget.wordWrap()
        if isinstance(widget, ElidedLabel):
            if widget.text() != widget.full_text and widget.toolTip() != widget.full_text:
                found.append(f"no tooltip: {widget.full_text}")
        elif not wraps and widget.width() < widget.sizeHint().width() and not (isinstance(widget, Heading) and widget.toolTip()):
            found.append(f"cut: {widget.text()} ({widget.width()} of {widget.sizeHint().width()})")
        if wraps and widget.height() < widget.heightForWidth(widget.width()):
            found.append(f"cut below: {widget.text()}")
        right = widget.mapTo(window, QPoint(widget.width(), 0)).x()
        if right > window.width():
            found.append(f"outside: {widget.text()}")
    return found


@pytest.mark.letters
@pytest.mark.parametrize(("width", "height", "scale"), SIZES)
def test_every_text_fits(qtbot: QtBot, window: MainWindow, width: int, height: int, scale: float) -> None:
    window.resize(width, height)
    preferences().choose(text_scale=scale)
    window.commands.add_design("noise")
    qtbot.waitUntil(lambda: bool(window.host.page is not None and window.host.page.outcomes.get("solve")), timeout=15_000)
    for place in (0, 1):
        window.document.select(place)
        settle()
        assert (window.width(), window.height()) == (width, height)
        assert cut_off(window) == []
        assert window.host.page is not None
        for area in window.host.page.findChildren(QScrollArea):
            if area.isVisible() and area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
                assert area.widget().width() <= area.viewport().width()
        columns = window.host.page.findChild(ThreeColumns)
        assert columns is not None and columns.widget().width() <= columns.viewport().width()


def test_there_is_room_to_paint_a_prior(window: MainWindow) -> None:
    window.resize(1280, 720)
    for with_scenes in (False, True):
        window.scenes_panel.setVisible(with_scenes)
        for loss in ("absolute", "power:1.5"):
            window.document.change(CountDesign(5, alpha="1/2", prior="uniform", loss=loss), loss)
            settle()
            plot = window.findChild(DistributionPlot)
            assert plot is not None and plot.frame.area.height() >= 60


@pytest.mark.letters
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_every_view_fits(qtbot: QtBot, window: MainWindow, scale: float) -> None:
    preferences().choose(text_scale=scale)
    window.commands.add_design("noise")
    document, page = window.document, window.host.page
    assert isinstance(page, NoisePage)

    def solved() -> bool:
        return design_of(page.outcomes.get("solve")) == document.study

    for query in ("real", "integer", "histogram"):
        document.change(converted(document.study, query, {}), query)
        qtbot.waitUntil(solved, timeout=15_000)
        for view in [view.key for view in document.study.views]:
            page.set_view_state({"view": view})
            settle()
            assert (query, view, cut_off(window)) == (query, view, [])
    window.commands.add_design("choice")
    page = window.host.page
    qtbot.waitUntil(solved, timeout=15_000)
    for view in ("chances", "short", "sweep", "constants"):
        page.set_view_state({"view": view})
        settle()
        assert (view, cut_off(window)) == (view, [])
    document.select(0)
    count = window.host.page
    assert isinstance(count, CountPage)
    for view in ("optimal", "geometric", "remap", "lp_check", "difference", "pattern", "induced"):
        count.set_view_state({"view": view})
        settle()
        assert (view, cut_off(window)) == (view, [])


@pytest.mark.letters
def test_the_gallery_of_papers_fits_with_large_text(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The other kinds: tests/desktop/pages/kit/test_small_windows.py."""
    save([entry("exhibit").page_class().starting_study("exhibit")], tmp_path / "it.dpd")
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd") as user:
        preferences().choose(text_scale=2.0)
        user.waits(lambda: user.window.host.page.outcomes.get("solve") is not None)
        settle()
        assert "\n".join(cut_off(user.window)) == ""


def test_the_last_column_moves_below_the_first_and_back(window: MainWindow) -> None:
    assert window.host.page is not None and not isinstance(window.host.page, NoisePage)
    columns = window.host.page.findChild(ThreeColumns)
    window.resize(2400, 720)  # wide enough in any font
    settle()
    assert columns is not None and not columns.stacked
    before = columns.widget().sizes()  # type: ignore[attr-defined]
    first, _, last = columns._columns
    preferences().choose(text_scale=2.0)
    window.resize(800, 720)
    settle()
    assert columns.stacked and last.isVisible()
    assert last.mapTo(window, QPoint()).x() == first.mapTo(window, QPoint()).x()
    assert last.mapTo(window, QPoint()).y() >= first.mapTo(window, QPoint(0, first.height())).y()
    preferences().choose(text_scale=1.0)
    window.resize(2400, 720)
    settle()
    assert not columns.stacked and last.isVisible()
    assert last.mapTo(window, QPoint()).x() > window.width() // 2
    assert columns.widget().sizes() == pytest.approx(before, abs=2)  # type: ignore[attr-defined]


def test_columns_take_their_widths_again_after_every_larger_text_size(window: MainWindow) -> None:
    assert window.host.page is not None
    columns = window.host.page.findChild(ThreeColumns)
    window.resize(1280, 720)
    settle()
    before = columns._splitter.sizes()
    for scale in (1.1, 1.25, 1.5, 1.75, 2.0, 1.75, 1.5, 1.25, 1.1, 1.0):
        preferences().choose(text_scale=scale)
        settle()
    assert columns._splitter.sizes() == pytest.approx(before, abs=2)


def test_the_name_yields_after_line_and_badge(window: MainWindow) -> None:
    preferences().choose(text_scale=2.0)
    settle()
    assert window.header.name.text() == window.header.name.full_text


@pytest.mark.parametrize("width", [1280, 800])
@pytest.mark.parametrize("study", [CountDesign(20, alpha="1/2"), NoiseDesign(epsilon=1)])
def test_tab_leads_from_column_to_column(qtbot: QtBot, study: CountDesign | NoiseDesign, width: int) -> None:
    window = MainWindow([study], "test")
    qtbot.addWidget(window)
    window.resize(width, 720)
    window.host.start()
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    columns = window.host.page.findChild(ThreeColumns)
    qtbot.waitUntil(lambda: window.host.page.answer is not None and not columns._settling.isActive())
    places = []
    for _ in range(60):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        places += [place for place, column in enumerate(columns._columns) if column.isAncestorOf(window.focusWidget())]
        if places and not columns.isAncestorOf(window.focusWidget()):
            break
    assert places == sorted(places) and set(places) == {0, 1, 2}
