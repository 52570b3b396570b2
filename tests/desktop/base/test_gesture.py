from desktop.mouse import drag, move, turn
from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtTest import QTest

from dpdesigner.desktop.base.gesture import Gesture, GestureSlider

LEFT = Qt.MouseButton.LeftButton


def recorded(source):
    events = []
    for name in ("moving", "moved"):
        getattr(source, name).connect(lambda value, name=name: events.append((name, value)))
    source.cancelled.connect(lambda: events.append("cancelled"))
    return events


def slider(qtbot, value=50):
    widget = GestureSlider(100)
    qtbot.addWidget(widget)
    widget.resize(300, 22)
    widget.show_value(value)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()
    widget.setFocus()
    return widget, recorded(widget)


def at(widget, value):
    return QPointF(widget.x_of(value), widget.height() / 2)


def test_gesture_back_to_its_start_is_given_up(qtbot):
    parent = QObject()
    gesture = Gesture(parent)
    events = []
    gesture.changing.connect(events.append)
    gesture.changed.connect(lambda value: events.append(("end", value)))
    gesture.cancelled.connect(lambda: events.append("cancelled"))
    gesture.begin(1)
    gesture.move(1)
    gesture.finish()
    assert events == []
    gesture.begin(1)
    gesture.move(2)
    gesture.move(1)
    gesture.finish()
    assert events == [2, 1, "cancelled"]
    gesture.begin(1)
    gesture.move(3)
    gesture.begin(3)
    assert events[-1] == ("end", 3)


def test_a_drag_is_one_change(qtbot):
    widget, events = slider(qtbot)
    drag(widget, [at(widget, value) for value in (50, 60, 70, 80)])
    assert events == [("moving", 60), ("moving", 70), ("moving", 80), ("moved", 80)]
    assert widget.value() == 80
    assert not widget.busy


def test_a_click_jumps_to_the_mouse(qtbot):
    widget, events = slider(qtbot)
    QTest.mouseClick(widget, LEFT, pos=at(widget, 10).toPoint())
    assert events == [("moving", 10), ("moved", 10)]


def test_taking_the_handle_off_its_middle_moves_nothing(qtbot):
    widget, events = slider(qtbot)
    widget.setRange(0, 1000)
    widget.show_value(501)
    QTest.mouseClick(widget, LEFT, pos=(at(widget, 501) + QPointF(5, 0)).toPoint())
    assert events == []
    start = at(widget, 501) + QPointF(5, 0)
    drag(widget, [start, start + QPointF(30, 0)])
    assert widget.value() == events[-1][1]
    assert abs(widget.x_of(widget.value()) - widget.x_of(501) - 30) <= 1


def test_escape_gives_a_drag_up(qtbot):
    widget, events = slider(qtbot)
    QTest.mousePress(widget, LEFT, pos=at(widget, 50).toPoint())
    move(widget, at(widget, 90), LEFT)
    widget.show_value(3)  # an echo from outside does not disturb the drag
    assert widget.value() == 90
    QTest.keyClick(widget, Qt.Key.Key_Escape)
    move(widget, at(widget, 20), LEFT)
    QTest.mouseRelease(widget, LEFT, pos=at(widget, 20).toPoint())
    assert events == [("moving", 90), "cancelled"]
    assert widget.value() == 50


def test_keys_step_finely_and_coarsely(qtbot):
    widget, events = slider(qtbot)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End):
        QTest.keyClick(widget, key)
    assert [value for name, value in (event for event in events if event[0] == "moved")] == [51, 50, 60, 50, 0, 100]
    QTest.keyClick(widget, Qt.Key.Key_End)
    assert events[-1] == ("moved", 100)
    assert len(events) == 12


def test_a_held_key_is_one_change(qtbot):
    widget, events = slider(qtbot)
    for _ in range(3):
        QTest.keyPress(widget, Qt.Key.Key_Right)
    QTest.keyRelease(widget, Qt.Key.Key_Right)
    assert events == [("moving", 51), ("moving", 52), ("moving", 53), ("moved", 53)]


def test_a_turn_of_the_wheel_is_one_change(qtbot):
    widget, events = slider(qtbot)
    with qtbot.waitSignal(widget.moved):
        for _ in range(3):
            assert turn(widget, at(widget, 50), 1)
    assert events == [("moving", 52), ("moving", 54), ("moving", 56), ("moved", 56)]


def test_losing_the_focus_ends_a_turn_of_the_wheel(qtbot):
    widget, events = slider(qtbot)
    turn(widget, at(widget, 50), -2)
    widget.clearFocus()
    assert events == [("moving", 46), ("moved", 46)]
    assert not turn(widget, at(widget, 50), 1) and len(events) == 2, "without the focus the page scrolls"


def test_values_from_outside_emit_nothing(qtbot):
    widget, events = slider(qtbot)
    widget.set_marks([10, 90])
    widget.show_value(7)
    assert widget.value() == 7
    assert not widget.grab().isNull()
    assert events == []
