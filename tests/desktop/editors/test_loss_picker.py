import pytest
from desktop.mouse import drag, move
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from dpdesigner.core.basics.loss import Loss
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.editors.loss_picker import LossPicker

LEFT = Qt.MouseButton.LeftButton


def show(picker, given, n=20):
    picker.set_loss(Loss(given), n)


@pytest.fixture
def picker(qtbot):
    widget = LossPicker()
    qtbot.addWidget(widget)
    show(widget, "absolute")
    widget.resize(302, 200)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()
    return widget


@pytest.fixture
def events(picker):
    log = []
    picker.changing.connect(lambda given: log.append(("changing", given)))
    picker.changed.connect(lambda given, label: log.append(("changed", given, label)))
    picker.cancelled.connect(lambda: log.append("cancelled"))
    return log


def checked(picker):
    found = [name for name, button in picker.thumbnails.items() if button.isChecked()]
    return found + [name for name, action in picker.actions_by_name.items() if action.isChecked()]


def write(box, text, key=Qt.Key.Key_Return):
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, key)


@pytest.mark.parametrize(
    ("given", "name", "text"),
    [
        ("absolute", "absolute", None),
        ("zero-one", "zero-one", None),
        ("pinball:3/4", "pinball", "3/4"),
        ("threshold:2", "threshold", "2"),
        ("power:1.5", "power", "1.5"),
        ("relative", "relative", None),
        ("expression:abs(i-r)*(1+i)", "expression", "abs(i-r)*(1+i)"),
        ("distance:0,1,3", "distance", None),
        (((0, 1), (1, 0)), "matrix", None),
    ],
)
def test_a_loss_from_outside_is_shown_and_asks_nothing(picker, events, given, name, text):
    show(picker, given, 1)
    assert checked(picker) == [name]
    assert picker.parameter.isVisibleTo(picker) is (text is not None)
    assert text is None or picker.parameter.box.text() == text
    assert picker.curve.isVisibleTo(picker) is (name == "distance")
    assert events == []


@pytest.mark.parametrize(
    ("name", "given", "label"),
    [
        ("squared", "squared", "Choose squared loss"),
        ("zero-one", "zero-one", "Choose 0/1 loss"),
        ("threshold", "threshold:2", "Choose threshold 2 loss"),
        ("pinball", "pinball:3/4", "Choose pinball 3/4 loss"),
    ],
)
def test_a_click_on_a_thumbnail_chooses(picker, events, name, given, label):
    if name not in picker.tiles.seen:
        picker.tile_actions[name].trigger()
    for _ in range(2):
        QTest.mouseClick(picker.thumbnails[name], LEFT)
    assert events == [("changed", given, label)]
    assert checked(picker) == [name]


def test_space_chooses(picker, events):
    picker.thumbnails["squared"].setFocus()
    QTest.keyClick(picker.thumbnails["squared"], Qt.Key.Key_Space)
    assert [event[1] for event in events] == ["squared"]


def test_more_losses_are_in_a_menu(picker, events):
    picker.actions_by_name["power"].trigger()
    picker.actions_by_name["relative"].trigger()
    assert [event[1] for event in events] == ["power:1.5", "relative"]
    assert picker.more.text() == "Relative ▾"
    QTest.mouseClick(picker.thumbnails["absolute"], LEFT)
    assert picker.more.text() == "More ▾"
    assert not picker.more.isChecked()


def test_the_menu_opens_with_the_mouse(qtbot, picker, events):
    menu = picker.more.menu()
    area = menu.actionGeometry

    def choose():
        QTest.mouseClick(menu, LEFT, pos=area(picker.actions_by_name["expression"]).center())

    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, choose))
    QTest.mouseClick(picker.more, LEFT)
    qtbot.waitUntil(lambda: bool(events))
    assert [event[1] for event in events] == ["expression:|i-r|(1+i)"]
    assert checked(picker) == ["expression"]


def test_a_matrix_is_read_from_a_file(picker, events, tmp_path, monkeypatch):
    path = tmp_path / "loss.csv"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    path.write_text("no,number\n")
    picker.actions_by_name["matrix"].trigger()
    assert events == [] and "loss.csv" in picker.error_label.text()
    path.write_text("0,1\n2,0\n")
    picker.actions_by_name["matrix"].trigger()
    assert events == [("changed", (("0", "1"), ("2", "0")), "Loss from file")]
    assert checked(picker) == ["absolute"], "until it is in force"


def test_a_parameter_is_typed_and_remembered(picker, events):
    show(picker, "pinball:3/4")
    write(picker.parameter.box, "9/10", Qt.Key.Key_Tab)
    assert events == [("changed", "pinball:9/10", "Choose pinball 9/10 loss")]
    assert picker.verdict_label.text().startswith("One too low costs 0.9, as much as 9 too high.")
    QTest.mouseClick(picker.thumbnails["absolute"], LEFT)
    picker.tile_actions["pinball"].trigger()
    assert events[-1][1] == "pinball:9/10"
    assert picker.thumbnails["pinball"].given == "pinball:9/10"


@pytest.mark.parametrize(
    ("given", "text", "words"),
    [
        ("power:1.5", "0", "Q from 0.001 to 100"),
        ("power:1.5", "abc", "must be a number"),
        ("threshold:2", "-1", "T at least 0"),
        ("pinball:3/4", "1.5", "TAU from 0 to 1"),
        ("expression:abs(i-r)", "i.real", "got 'i.real'"),
        ("expression:abs(i-r)", "i-r(", "must be arithmetic"),
        ("expression:abs(i-r)", "log(i)", "finite numbers"),
    ],
)
def test_a_bad_parameter_changes_nothing(picker, events, given, text, words):
    show(picker, given)
    before = picker.parameter.box.text()
    write(picker.parameter.box, text)
    assert events == []
    assert words in (picker.error_label.toolTip() or picker.error_label.full_text)
    assert picker.error_label.isVisibleTo(picker)
    assert picker.parameter.box.property("invalid") is True
    show(picker, given)  # an echo leaves what is being corrected
    assert picker.parameter.box.text() == text
    QTest.keyClick(picker.parameter.box, Qt.Key.Key_Escape)
    assert picker.parameter.box.text() == before
    assert not picker.error_label.isVisibleTo(picker)


def test_another_loss_clears_an_error(picker):
    show(picker, "power:1.5")
    write(picker.parameter.box, "-1")
    show(picker, "power:3")
    assert picker.error_label.text() == ""
    assert picker.parameter.box.text() == "3"
    assert picker.parameter.box.property("invalid") is False


def test_a_parameter_slider_previews_and_changes_once(picker, events):
    show(picker, "pinball:3/4")
    slider = picker.parameter.slider
    assert slider.value() == 75
    drag(slider, [QPointF(slider.x_of(value), slider.height() / 2) for value in (75, 50, 25)])
    assert [event[0] for event in events] == ["changing", "changing", "changed"]
    tau = Loss(events[-1][1]).parameter
    assert float(tau) == pytest.approx(0.25, abs=0.01)
    assert picker.parameter.box.text() == events[-1][1].removeprefix("pinball:")


def test_a_slider_given_up_brings_the_parameter_back(picker, events):
    show(picker, "threshold:2")
    slider = picker.parameter.slider
    assert slider.maximum() == 20
    QTest.mousePress(slider, LEFT, pos=QPoint(slider.x_of(2), slider.height() // 2))
    move(slider, QPointF(slider.x_of(15), slider.height() / 2), LEFT)
    show(picker, events[-1][1])
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    assert events[-1] == "cancelled"
    assert picker.parameter.box.text() == "2"
    assert picker.thumbnails["threshold"].given == "threshold:2"


def test_another_loss_ends_the_drag_of_a_parameter_that_it_does_not_have(picker, events):
    show(picker, "pinball:3/4")
    slider, thumbnail = picker.parameter.slider, picker.thumbnails["squared"]
    QTest.mousePress(slider, LEFT, pos=QPoint(slider.x_of(75), slider.height() // 2))
    move(slider, QPointF(slider.x_of(50), slider.height() / 2), LEFT)
    thumbnail.setFocus()
    QTest.keyClick(thumbnail, Qt.Key.Key_Space)
    move(slider, QPointF(slider.x_of(36), slider.height() / 2), LEFT)
    QTest.mouseRelease(slider, LEFT, pos=QPoint(slider.x_of(36), slider.height() // 2))
    assert [event[1] for event in events if event[0] == "changed"] == ["squared"]
    assert checked(picker) == ["squared"]
    assert not picker.parameter.busy


def test_drawing_starts_from_the_loss_in_force(picker, events):
    show(picker, "squared", n=3)
    QTest.mouseClick(picker.thumbnails["distance"], LEFT)
    assert events == [("changed", "distance:0,1,4,9", "Draw loss")]
    assert picker.curve.isVisibleTo(picker)


def test_a_drawing_from_absolute_is_the_same_for_every_error_and_a_larger_maximum_shows_where_it_is_flat(picker, events):
    show(picker, "absolute", n=300)
    QTest.mouseClick(picker.thumbnails["distance"], LEFT)
    drawn = events[-1][1]
    assert (Loss(drawn).matrix(300) == Loss("absolute").matrix(300)).all()
    show(picker, "distance:0,1,2", n=40)
    assert picker.curve.point(40).y() == pytest.approx(picker.curve.point(2).y()) != picker.curve.point(1).y()


def test_a_drawing_is_previewed_changed_once_and_remembered(picker, events):
    show(picker, "distance:0,1,2,3", n=40)
    curve = picker.curve
    start = curve.point(5)
    drag(curve, [start, start + QPointF(0, 20), curve.point(8) + QPointF(0, 30)])
    assert [event[0] for event in events] == ["changing", "changing", "changing", "changed"][-len(events) :]
    drawn = events[-1][1]
    assert drawn.startswith("distance:0,1,2,3,3,")
    assert len(drawn.split(",")) == 41
    assert Loss(drawn).coverage(40).covered is False
    QTest.mouseClick(picker.thumbnails["absolute"], LEFT)
    QTest.mouseClick(picker.thumbnails["distance"], LEFT)
    assert events[-1][:2] == ("changed", drawn)
    assert picker.thumbnails["distance"].given == drawn


def test_a_drawing_given_up_brings_the_loss_back(picker, events):
    show(picker, "distance:0,1,2,3")
    QTest.mousePress(picker.curve, LEFT, pos=(picker.curve.point(5) + QPointF(0, 30)).toPoint())
    assert events[-1][0] == "changing"
    QTest.keyClick(picker.curve, Qt.Key.Key_Escape)
    QTest.mouseRelease(picker.curve, LEFT)
    assert events[-1] == "cancelled"
    assert picker.curve.texts == ("0", "1", "2", "3")


def test_the_verdict_is_one_short_sentence_and_is_not_in_colour_alone(picker):
    show(picker, "absolute")
    assert picker.verdict_label.text() == "An error of 3 costs 3."
    assert picker.verdict_label.toolTip().startswith("Theorem A covers this loss: ")
    assert picker.verdict_label.property("class") == "small"
    reason = Loss("distance:0,3,1").coverage(20).reason
    show(picker, "distance:0,3,1")
    short = "Outside Theorem A: an error of 2 costs less than one of 1."
    assert picker.verdict_label.text().endswith(f". {short}")
    assert picker.verdict_label.property("class") == "small", "no error, and not red"
    assert picker.verdict_label.wordWrap()
    assert picker.verdict_label.toolTip() == f"Outside Theorem A: {reason[:-1]}; the linear program decides."
    assert picker.minimumSizeHint().height() >= picker.heightForWidth(picker.width()) > 150


@pytest.mark.letters
def test_it_fits_a_narrow_card_and_large_text(picker):
    assert picker.minimumSizeHint().width() <= 302
    before = picker.heightForWidth(302)
    assert before <= 180
    try:
        theme().set_scale(2)
        picker.layout().activate()  # as the event loop does
        lefts = [button.minimumSizeHint().width() for button in picker.thumbnails.values()]
        assert max(lefts) <= 302
        assert picker.minimumSizeHint().width() <= 302
        assert picker.heightForWidth(302) > 1.2 * before
        assert not picker.grab().isNull()
    finally:
        theme().set_scale(1)


def test_everything_has_a_name_for_a_screen_reader(picker):
    parts = [picker.curve, picker.parameter.slider, picker.more, *picker.thumbnails.values()]
    show(picker, "power:1.5")
    assert all(part.accessibleName() and part.toolTip() for part in parts)
    assert picker.parameter.box.accessibleName() == "power Q"


@pytest.mark.parametrize("text", ["|i-r|", "(i-r)^2", "2(i-r)^2", "x²"])
def test_losses_are_taken_as_people_write_them(picker, events, text):
    show(picker, "expression:abs(i-r)")
    write(picker.parameter.box, text)
    assert [event[1] for event in events] == [f"expression:{text}"] and picker.error_label.isHidden()


def test_an_audience_reads_the_formula_of_an_expression(picker):
    show(picker, "expression:2*abs(i-r) + (r<i)")
    assert "2*abs(i-r) + (r<i)" not in picker.verdict_label.text()
    picker.set_presenting(True)
    assert picker.parameter.isHidden() and picker.verdict_label.text().startswith("Cost = 2*abs(i-r) + (r<i). ")


def test_what_is_not_understood_takes_one_line_of_red_and_a_button_mends_it(picker, events):
    show(picker, "expression:abs(i-r)")
    write(picker.parameter.box, "l(i, r) = 2(i-r)^2 and so on and on and on")
    write(picker.parameter.box, "l(i,r) = 2|i-r|")
    label = picker.error_label
    assert label.text() == "'l(i,r) = 2|i-r|' is not understood." and not label.wordWrap()
    assert "abs, sqrt" in label.toolTip() and label.accessibleDescription() == label.toolTip()
    assert label.height() < 2.2 * label.fontMetrics().lineSpacing()
    QTest.mouseClick(label.fix, LEFT)
    assert [event[1] for event in events] == ["expression:2|i-r|"] and label.isHidden()


def test_a_loss_outside_the_theorem_is_no_error(picker):
    show(picker, "expression:(i-r)%3")
    assert picker.verdict_label.text().partition(". ")[2].startswith("Outside Theorem A")
    assert picker.verdict_label.property("class") == "small"
