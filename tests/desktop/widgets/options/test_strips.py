"""The four strips: what they say of chances, and which button drags."""

from __future__ import annotations

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.widgets.options.strips import StripsView
from dpdesigner.desktop.widgets.options.strips_data import Strips, percent


@pytest.mark.parametrize(
    ("chance", "text"),
    [(1.0, "100%"), (0.99996, "99.99%"), (0.996, "99.6%"), (0.81, "81%"), (0.00021, "0.021%"), (1e-9, "< 0.01%")],
)
def test_only_what_is_certain_is_told_as_100_percent(chance: float, text: str) -> None:
    assert percent(chance) == text


def test_another_button_does_not_end_a_drag(qtbot: QtBot) -> None:
    view = StripsView()
    qtbot.addWidget(view)
    view.resize(480, 460)
    numbers = np.array([3.0, 1.0])
    view.set_strips(Strips(("a", "b"), numbers, numbers / 4, np.zeros(2), np.zeros(2), 1.0, "rule"), "any")
    moved = QSignalSpy(view.utilitiesMoved)
    start = QPointF(150, 80)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start.toPoint())
    mouse.move(view, start + QPointF(0, 20), Qt.MouseButton.LeftButton)
    QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=start.toPoint())
    assert moved.count() == 0
    mouse.move(view, start + QPointF(0, 30), Qt.MouseButton.LeftButton)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=(start + QPointF(0, 30)).toPoint())
    assert moved.count() == 1
