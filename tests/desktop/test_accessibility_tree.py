"""The tree that a screen reader walks: quantities are said as quantities, pictures are graphics, hidden tables are silent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop.count_window import LEFT, WAIT, await_answers, opened
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QScrollBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesigner import resources
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.editors.distribution_table import DistributionTable
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.plot_style import PlotHolder, StyledPlot
from dpdesigner.desktop.window.application import make_application
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project import read_project
from dpdesigner.studies.registry import ENTRIES
from dpdesigner.studies.study import Study

Role, Text = QAccessible.Role, QAccessible.Text


def studies() -> list[Study]:
    """One of each kind: of the first example that has it, or as it starts."""
    found: dict[str, Study] = {}
    for path in sorted(resources.path("examples").glob("*.dpd")):
        for study in read_project(Path(path)).studies:
            found.setdefault(study.kind, study)
    return [found.get(known.kind) or known.page_class().starting_study(known.kind) for known in ENTRIES]


@pytest.fixture(params=studies(), ids=lambda study: study.kind)
def window(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[MainWindow]:
    make_application()
    window = MainWindow([request.param])
    qtbot.addWidget(window)
    window.resize(1280, 720)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: any(plot.isVisible() for plot in plots(window)), timeout=WAIT)
    seen: list[list[QSize]] = []
    for _ in range(40):  # until it is laid out, and no card is unfolding any more, even on a busy machine
        qtbot.wait(100)
        seen.append([each.size() for each in targets(window)])
        if len(seen) > 4 and seen[-5:] == seen[-1:] * 5:
            break
    yield window
    window.close()


def tree(widget: QWidget) -> Iterator[tuple[QAccessibleInterface, bool]]:
    """Every node with whether what it is in is hidden; what is only scrolled away is not."""

    def walk(node: QAccessibleInterface | None, hidden: bool) -> Iterator[tuple[QAccessibleInterface, bool]]:
        if node is None or not node.isValid():
            return
        yield node, hidden
        for place in range(node.childCount()):
            yield from walk(node.child(place), hidden or bool(node.state().invisible))

    yield from walk(QAccessible.queryAccessibleInterface(widget), False)


def plots(window: MainWindow) -> list[QWidget]:
    return [found for found in window.findChildren(QWidget) if isinstance(found, PlotHolder | StyledPlot | CostBars)]


def interface(widget: QWidget) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(widget)


def test_every_page_can_be_read_out_and_hit(window: MainWindow) -> None:
    the_tree_is_read_out(window)
    plots_are_graphics(window)
    what_can_be_clicked_can_be_hit(window)


def the_tree_is_read_out(window: MainWindow) -> None:
    dump = [(node.role(), node.text(Text.Name), node.text(Text.Value), hidden) for node, hidden in tree(window)]
    cells = [line for line in dump if line[0] in (Role.Cell, Role.ListItem, Role.TreeItem) and line[3]]
    assert cells == [], "what is hidden is not read out"
    shown = [node for node, hidden in tree(window) if not hidden and not node.state().invisible]
    graphics = [node.text(Text.Name) for node in shown if node.role() == Role.Graphic]
    assert graphics and all(graphics), f"pictures have names: {graphics}"
    mute = [slider.accessibleName() for slider in window.findChildren(GestureSlider) if slider.says == slider.steps_text]
    assert mute == [], "no slider says which of its steps it is on"
    assert sum(not hidden for *_, hidden in dump) > 60, "the tree is there"


def plots_are_graphics(window: MainWindow) -> None:
    found = plots(window)
    assert found and {interface(plot).role() for plot in found} == {Role.Graphic}
    assert all(interface(plot).childCount() == 0 for plot in found)


def what_can_be_clicked_can_be_hit(window: MainWindow) -> None:
    """WCAG 2.2, 2.5.8: 24 by 24 pixels."""
    own = targets(window)
    assert len(own) > 10 and too_small(own) == []


def targets(window: QWidget) -> list[QWidget]:
    """What is clicked in a window."""
    kinds = (QAbstractButton, QLineEdit, QAbstractSpinBox, QComboBox, QAbstractSlider)
    found = [each for each in window.findChildren(QWidget) if isinstance(each, kinds) and each.isVisible()]
    return [each for each in found if not isinstance(each, QScrollBar) and each.width() and not inside_a_view(each)]


def too_small(found: list[QWidget]) -> list[tuple[str, str, int, int]]:
    """Those of less than 24 by 24 pixels."""
    small = [each for each in found if min(each.width(), each.height()) < 24]
    return [(type(each).__name__, each.accessibleName() or each.toolTip(), each.width(), each.height()) for each in small]


def inside_a_view(widget: QWidget) -> bool:
    """A field in a cell, or Qt's own parts of a field."""
    parent = widget.parentWidget()
    return isinstance(parent, QAbstractItemView | QLineEdit | QAbstractSpinBox | QComboBox) or type(widget).__name__.startswith(
        "QSpin"
    )


def test_the_slider_of_epsilon_speaks_epsilon(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    study = read_project(resources.path("examples", "flu-cases.dpd")).studies[0]
    with opened(qtbot, monkeypatch, study) as window:
        await_answers(qtbot, window)
        slider = next(s for s in window.findChildren(GestureSlider) if s.accessibleName() == "Privacy level epsilon")
        assert interface(slider).role() == Role.Slider
        assert interface(slider).text(Text.Value) == "ε ≈ 0.6932 (α = 1/2), strong"
        slider.setFocus()
        QTest.keyClick(slider, Qt.Key.Key_PageUp)
        value = interface(slider).text(Text.Value)
        assert value.startswith("ε = ") and "0.6932" not in value
        window.document.undo_stack.setClean()


def test_a_table_is_read_only_while_it_is_shown(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    study = read_project(resources.path("examples", "flu-cases.dpd")).studies[0]
    with opened(qtbot, monkeypatch, study) as window:
        await_answers(qtbot, window)
        table = window.findChildren(DistributionTable)[0]
        assert not table.isVisible() and interface(table).childCount() == 0
        button = next(b for b in window.findChildren(QToolButton) if b.text() == "Table" and b.isVisible())
        QTest.mouseClick(button, LEFT)
        qtbot.waitUntil(table.isVisible, timeout=WAIT)
        assert interface(table).role() == Role.Table and interface(table).childCount() > 40
        paint = next(b for b in window.findChildren(QToolButton) if b.text() == "Paint" and b.isVisible())
        QTest.mouseClick(paint, LEFT)
        qtbot.waitUntil(lambda: not table.isVisible(), timeout=WAIT)
        assert interface(table).childCount() == 0
