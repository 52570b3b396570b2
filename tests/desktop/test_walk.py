"""From the mouse to the picture a value passes through few methods in few files, so that its way is easy to follow."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from desktop import hands, mouse
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.desktop.background.queue import Lane
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.plots.plot_stack import PlotStack
from dpdesigner.studies.registry import entry

ROOT = str(Path(dp.__file__).parent)
#: Methods and files on the way, at most.
MOST_STEPS, MOST_FILES = 23, 13


@contextmanager
def walked(*ends: object) -> Iterator[dict[object, list[tuple[str, str]]]]:
    """Give by each function, called for the first time, the functions of the program that led to its call, and itself."""
    codes = {end.__code__: end for end in ends}  # type: ignore[attr-defined]
    found: dict[object, list[tuple[str, str]]] = {}

    def note(frame: FrameType, event: str, value: object) -> None:
        end = codes.get(frame.f_code)
        if event != "call" or end is None or end in found:
            return
        way, at = [], frame
        while at is not None:
            if at.f_code.co_filename.startswith(ROOT):
                way.append((at.f_code.co_name, at.f_code.co_filename))
            at = at.f_back  # type: ignore[assignment]
        found[end] = way[::-1]

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("kind", ["count", "auction"])
def test_a_stroke_takes_a_short_way(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str) -> None:
    given = {"bids": [3, 4, 5, 6, 7], "cap": 10, "epsilon": 1} if kind == "auction" else {}
    dp.save([entry(kind).study_class().starting(**given)], tmp_path / "it.dpd")
    last = MatrixView.show_matrix if kind == "count" else PlotStack.show_strips
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd") as user:
        user.settles()
        inputs = user.window.host.page._inputs
        if kind == "auction":
            inputs.bids.draw.click()
        plot = inputs.prior.plot if kind == "count" else inputs.bids.plot.figure()
        frame, bars = plot.frame, plot.viewport()
        points = [QPointF(frame.x(5 + 0.4 * k), frame.y(frame.top * (0.4 + 0.06 * k))) for k in range(5)]
        QTest.mousePress(bars, Qt.MouseButton.LeftButton, pos=points[0].toPoint())
        drag(qtbot, bars, points[1:4])
        with walked(Lane.submit, last) as ways:
            drag(qtbot, bars, points[4:])
            user.waits(lambda: last in ways)
        QTest.mouseRelease(bars, Qt.MouseButton.LeftButton, pos=points[-1].toPoint())
        user.settles()
    steps = [*ways[Lane.submit], *ways[last]]
    told = "\n".join(f"{name} in {Path(file).name}" for name, file in steps)
    assert steps[0][0] == "mouseMoveEvent" and steps[-1][0] == last.__name__, told
    assert len(steps) <= MOST_STEPS and len({file for _, file in steps}) <= MOST_FILES, told


def drag(qtbot: QtBot, widget: QWidget, points: list[QPointF]) -> None:
    for point in points:
        mouse.move(widget, point, Qt.MouseButton.LeftButton)
        qtbot.wait(100)
