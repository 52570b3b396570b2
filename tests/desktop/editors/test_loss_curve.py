from itertools import pairwise

import pytest
from desktop.mouse import drag, move
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from dpdesigner.desktop.editors.loss_curve import LossCurve

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def curve(qtbot):
    widget = LossCurve()
    qtbot.addWidget(widget)
    widget.resize(300, 112)
    widget.set_values(["0", "1/3", "2", "5"], 10)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()
    return widget


@pytest.fixture
def events(curve):
    log = []
    curve.changing.connect(lambda texts: log.append(("changing", texts)))
    curve.changed.connect(lambda texts: log.append(("changed", texts)))
    curve.cancelled.connect(lambda: log.append("cancelled"))
    return log


def above(curve, distance, pixels):
    return curve.point(distance) + QPointF(0, -pixels)


def test_the_last_cost_continues(curve, events):
    assert curve.point(3).y() == curve.point(10).y() < curve.point(2).y()
    assert events == []


def test_a_fast_stroke_fills_the_distances_between(curve, events):
    bottom = curve.point(0).y()
    left, right = QPointF(curve.point(2).x(), bottom), QPointF(curve.point(6).x(), curve.point(10).y())
    drag(curve, [left, right])
    costs = [float(text) for text in curve.texts[2:7]]
    assert costs[0] == 0
    assert costs == sorted(costs)
    steps = [after - before for before, after in pairwise(costs)]
    assert max(steps) - min(steps) < 0.3
    assert curve.texts[:2] == ("0", "1/3")
    assert curve.texts[7:] == ("5",) * 4
    assert [event[0] for event in events] == ["changing", "changing", "changed"]
    assert events[-1][1] == curve.texts


def test_a_stroke_stays_within_the_frame(curve, events):
    drag(curve, [curve.point(0), QPointF(-50, 500), QPointF(310, -20000)])
    assert float(curve.texts[0]) >= 0
    assert curve.texts[10] == "6"
    assert all(len(text.replace(".", "").lstrip("0")) <= 3 for text in curve.texts if "/" not in text)


def test_escape_gives_a_stroke_up(curve, events):
    QTest.mousePress(curve, LEFT, pos=above(curve, 5, 0).toPoint())
    move(curve, QPointF(curve.point(7).x(), 80), LEFT)
    curve.set_values(["0", "9"], 10)  # an echo does not disturb the stroke
    QTest.keyClick(curve, Qt.Key.Key_Escape)
    QTest.mouseRelease(curve, LEFT, pos=curve.point(7).toPoint())
    assert events[-1] == "cancelled"
    assert "changed" not in [event[0] for event in events]
    assert curve.texts == ("0", "1/3", "2", "5")


def test_the_keyboard_does_it_all(curve, events):
    curve.setFocus()
    assert curve.selected == 0
    for _ in range(2):
        QTest.keyClick(curve, Qt.Key.Key_Right)
    assert curve.selected == 2
    assert events == []
    for _ in range(3):
        QTest.keyPress(curve, Qt.Key.Key_Up)
    QTest.keyRelease(curve, Qt.Key.Key_Up)
    assert curve.texts[2] == "2.18"
    assert [event[0] for event in events] == ["changing"] * 3 + ["changed"]
    assert curve.accessibleDescription() == "an error of 2 costs 2.18"
    QTest.keyClick(curve, Qt.Key.Key_PageDown)
    assert float(curve.texts[2]) == pytest.approx(1.58)
    QTest.keyClick(curve, Qt.Key.Key_Home)
    QTest.keyClick(curve, Qt.Key.Key_Down)
    assert curve.texts[0] == "0"
    QTest.keyClick(curve, Qt.Key.Key_End)
    QTest.keyClick(curve, Qt.Key.Key_Right)
    assert curve.selected == 10


def test_the_keys_reach_beyond_the_top(curve):
    curve.setFocus()
    QTest.keyClick(curve, Qt.Key.Key_End)
    for _ in range(8):
        QTest.keyClick(curve, Qt.Key.Key_PageUp)
    assert float(curve.texts[10]) > 8
    assert curve.point(10).y() > 0


def test_hovering_reads_out_a_cost(curve, events):
    move(curve, curve.point(3))
    assert curve.selected == 3
    assert curve.accessibleDescription() == "an error of 3 costs 5"
    assert events == []


@pytest.mark.parametrize(("texts", "longest"), [(["0"], 0), (["0", "0"], 5), (["-1", "1e60"], 3), (["3"] * 101, 100)])
def test_odd_costs_are_painted(curve, texts, longest):
    curve.set_values(texts, longest)
    curve.setFocus()
    assert not curve.grab().isNull()
    assert 0 <= curve.point(longest).y() <= curve.height()
