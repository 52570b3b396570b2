from fractions import Fraction

import pytest
from desktop.mouse import drag, move, turn
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.editors.odds import slider_epsilon, slider_step, zone_word, zones_explained
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.errors import InputError

E, A = PrivacyLevel.from_epsilon, PrivacyLevel.from_alpha
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def control(qtbot):
    widget = PrivacyControl()
    qtbot.addWidget(widget)
    widget.set_privacy(E("0.5"))
    widget.target.set_range(0.0, 4.0)
    widget.target.set_value(1.0)
    widget.resize(302, 140)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()
    return widget


@pytest.fixture
def events(control):
    log = []
    control.changing.connect(lambda level: log.append(("changing", level)))
    control.changed.connect(lambda level, label: log.append(("changed", level, label)))
    control.cancelled.connect(lambda: log.append("cancelled"))
    control.target.changing.connect(lambda value: log.append(("target changing", value)))
    control.target.changed.connect(lambda value: log.append(("target", value)))
    control.target.cancelled.connect(lambda: log.append("target cancelled"))
    return log


def write(box, text, key=Qt.Key.Key_Return):
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, key)


def on(slider, value):
    return QPointF(slider.x_of(value), slider.height() / 2)


def place(control):
    return control.epsilon_box.mapTo(control, control.epsilon_box.rect().center())


def sentence(control):
    return control.odds_label.text().replace("\u00a0", " ")


def test_a_level_from_outside_shows_everywhere_and_asks_nothing(control, events):
    control.set_privacy(A("1/2"))
    assert control.epsilon_box.text() == "ln 2"
    assert control.alpha_box.text() == "1/2"
    assert control.slider.value() == slider_step(A("1/2").epsilon)
    assert [text for text, button in control.presets.items() if button.isChecked()] == ["ln 2"]
    assert control.zone_label.text() == "strong"
    assert sentence(control) == "If rows are independent, a 50 : 50 bet on your row wins at most 67 times in 100."
    assert events == []


@pytest.mark.parametrize(
    ("level", "word", "words"),
    [
        (E(0), "absolute", "does not change"),
        (E("inf"), "no privacy", "Nothing is hidden"),
        (E("1e-400"), "very strong", "wins at most 50.000001 times in 100"),
        (E("0.05"), "very strong", "wins at most 52 times in 100"),
        (E(2), "moderate", "wins at most 89 times in 100"),
        (E(4), "weak", "wins at most 99 times in 100"),
        (E(10), "hardly any", "wins at most 99.996 times in 100"),
        (E(40), "hardly any", "except for 1 chance in 2.4e17"),
    ],
)
def test_words_and_odds(control, level, word, words):
    control.set_privacy(level)
    assert control.zone_label.text() == word
    assert words in sentence(control)


def test_no_word_for_a_level_is_ever_cut_or_moves_the_others(control):
    places = set()
    for level in (E("0.05"), E("0.5"), E(2), E(4), E(10)):
        control.slider.moving.emit(slider_step(level.epsilon))
        control.set_privacy(level)
        label = control.zone_label  # before any layout has run
        assert label.width() >= label.fontMetrics().horizontalAdvance(label.text())
        QTest.qWait(1)
        places.add(label.geometry().center().x())
    assert len(places) == 1
    ends = [label for label in control.findChildren(QLabel) if "→" in label.text() or "←" in label.text()]
    assert len(ends) == 2 and all(label.isVisible() for label in ends)
    control.resize(150, 200)
    assert not any(label.isVisible() for label in ends) and control.zone_label.isVisible()


def test_zone_words_say_that_they_are_rules_of_thumb(control):
    assert "Rules of thumb" in control.zone_label.toolTip()
    assert "strong up to ε = 1.1" in control.zone_label.toolTip()


@pytest.mark.parametrize(
    ("delta", "rows", "word"),
    [
        ("1e-9", 100, "strong"),
        ("0.0099", 100, "strong"),
        ("0.01", 100, "weak"),
        ("0.4", 2, "weak"),
        ("0.049", 2, "strong"),
        ("0.05", 2, "weak"),
        ("0.995", 1, "hardly any"),
    ],
)
def test_a_delta_of_one_in_n_is_weak_at_best(delta, rows, word):
    assert zone_word(E("0.5"), Fraction(delta), None, rows) == word
    assert "From δ = 1/n or 0.05 on it is at best weak" in zones_explained(delta=True) and "δ" not in zones_explained()


@pytest.mark.parametrize(
    ("loss", "text"), [(1.20635, "1.2064"), (0.0833331, "0.083334"), (0.000258123, "0.000259"), (0.0000123, "1.3e−5")]
)
def test_a_small_loss_to_aim_for_fits_its_box(control, loss, text):
    control.target.set_value(loss)
    assert control.target.box.text() == text


def test_a_drag_previews_and_changes_once(control, events):
    steps = [slider_step(0.5), 400, 450, 500]
    drag(control.slider, [on(control.slider, step) for step in steps])
    assert [event[0] for event in events] == ["changing", "changing", "changing", "changed"]
    level = events[-1][1]
    assert level.form == "epsilon"
    assert control.epsilon_box.text() == str(level.number)
    assert events[-1][2] == f"Set ε to {level.number}"
    assert slider_step(level.epsilon) == pytest.approx(500, abs=1)


def test_a_drag_given_up_brings_the_level_back(control, events):
    control.set_privacy(A("1/2"))
    QTest.mousePress(control.slider, LEFT, pos=on(control.slider, 300).toPoint())
    move(control.slider, on(control.slider, 100), LEFT)
    control.set_privacy(E("0.0316"))  # the echo of a preview
    QTest.keyClick(control.slider, Qt.Key.Key_Escape)
    QTest.mouseRelease(control.slider, LEFT, pos=on(control.slider, 100).toPoint())
    assert events[-1] == "cancelled"
    assert "changed" not in [event[0] for event in events]
    assert (control.epsilon_box.text(), control.alpha_box.text()) == ("ln 2", "1/2")


def test_keys_and_wheel_change_once_each(qtbot, control, events):
    control.slider.setFocus()
    start = control.slider.value()
    QTest.keyClick(control.slider, Qt.Key.Key_Right)
    assert [event[0] for event in events] == ["changing", "changed"]
    assert events[-1][1] == E(slider_epsilon(start + 1))
    QTest.keyClick(control.slider, Qt.Key.Key_PageDown)
    assert events[-1][1] == E(slider_epsilon(start - 19))
    with qtbot.waitSignal(control.changed):
        turn(control.slider, on(control.slider, 300), 1)
        turn(control.slider, on(control.slider, 300), 1)
    assert [event[0] for event in events[4:]] == ["changing", "changing", "changed"]


@pytest.mark.parametrize(("name", "level"), [("ln 2", E("ln 2")), ("ln 3", E("ln 3")), ("0.1", E("0.1")), ("1", E("1"))])
def test_buttons(control, events, name, level):
    for _ in range(2):
        QTest.mouseClick(control.presets[name], LEFT)
    assert [event[:2] for event in events] == [("changed", level)]
    assert control.presets[name].isChecked()


@pytest.mark.parametrize("name", ["ln 2", "ln 3", "0.1", "1"])
def test_the_button_of_the_level_in_use_is_never_left_out(control, name):
    control.resize(260, control.heightForWidth(260))
    control.set_privacy(E(name))
    shown = [text for text, button in control.presets.items() if not button.isHidden()]
    assert name in shown and len(shown) < len(control.presets)


@pytest.mark.parametrize("text", ["1/3", "20%", "ln 2", "ln(3)", "inf", "0", "1e-12", "700000"])
def test_the_epsilon_box_accepts(control, events, text):
    write(control.epsilon_box, text)
    assert [event[:2] for event in events] == [("changed", E(text))]
    assert not control.error_label.isVisibleTo(control)


def test_the_alpha_box_keeps_fractions(control, events):
    write(control.alpha_box, "2/3", Qt.Key.Key_Tab)
    assert [event[:2] for event in events] == [("changed", A("2/3"))]
    control.set_privacy(events[0][1])
    assert control.alpha_box.text() == "2/3"
    assert control.epsilon_box.text() == "0.405466"


@pytest.mark.parametrize(
    ("box", "text", "words"),
    [
        ("epsilon_box", "-1", "Epsilon must be between 0"),
        ("epsilon_box", "abc", "Epsilon must be a number"),
        ("epsilon_box", "nan", "Epsilon must be a number"),
        ("epsilon_box", "", "Epsilon must be a number"),
        ("epsilon_box", "ln 0.5", "at least 1"),
        ("alpha_box", "3/2", "Alpha must be between 0 and 1, got 3/2."),
        ("alpha_box", "1/0", "divide by zero"),
    ],
)
def test_bad_input_changes_nothing(control, events, box, text, words):
    field = getattr(control, box)
    before = field.text()
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert events == []
    assert words in control.error_label.text()
    assert control.error_label.isVisibleTo(control)
    assert field.property("invalid") is True
    control.set_privacy(E("0.5"))  # an echo leaves what is being corrected
    assert field.text() == text
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == before
    assert field.property("invalid") is False
    assert not control.error_label.isVisibleTo(control)


@pytest.mark.letters
@pytest.mark.parametrize(("width", "scale"), [(302, 1.0), (302, 1.3), (420, 1.0), (900, 1.0), (900, 1.3)])
def test_an_error_moves_nothing_under_the_mouse(qtbot, control, width, scale):
    theme().set_scale(scale)
    for _ in range(2):  # its least height follows its width
        control.resize(width, control.heightForWidth(width))
        QApplication.sendPostedEvents()
    before, high = place(control), control.heightForWidth(width)
    write(control.epsilon_box, "-1")
    assert control.error_label.isVisible() and not control.odds_label.isVisible()
    assert control.heightForWidth(width) == high and place(control) == before
    QTest.keyClick(control.epsilon_box, Qt.Key.Key_Escape)
    assert control.odds_label.isVisible() and not control.error_label.isVisible()
    theme().set_scale(1.0)


@pytest.mark.parametrize(
    ("box", "text", "fixed"),
    [("epsilon_box", "1e9", E("1000000")), ("epsilon_box", "ln 0.5", E("0")), ("alpha_box", "3/2", A("1"))],
)
def test_what_is_out_of_range_is_mended_with_the_keyboard(control, events, box, text, fixed):
    field, line = getattr(control, box), control.error_label
    write(field, text)
    assert line.fix.isVisible() and line.fix.accessibleName() == f"Fix: use {fixed.number}"
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert line.fix.hasFocus()
    QTest.keyClick(line.fix, Qt.Key.Key_Space)
    assert [event[:2] for event in events] == [("changed", fixed)]
    assert field.hasFocus() and not line.isVisible() and field.property("invalid") is False


@pytest.mark.parametrize(("box", "text"), [("epsilon_box", "-1"), ("alpha_box", "-5%")])
def test_for_a_negative_number_the_value_in_force_is_offered(control, events, box, text):
    field, line = getattr(control, box), control.error_label
    before = field.text()
    write(field, text)
    assert line.fix.isVisible() and line.fix.accessibleName() == f"Fix: keep {before}"
    QTest.mouseClick(line.fix, Qt.MouseButton.LeftButton)
    assert field.text() == before and not line.isVisible() and field.property("invalid") is False and events == []


def test_an_error_goes_when_the_typing_is_undone(control):
    before = control.epsilon_box.text()
    write(control.epsilon_box, "12x")
    assert control.error_label.isVisible() and control.epsilon_box.property("invalid")
    QTest.keyClick(control.epsilon_box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert control.epsilon_box.text() == before and not control.error_label.isVisible()
    assert control.epsilon_box.property("invalid") is False


def test_what_is_no_number_is_not_guessed_at(control):
    write(control.epsilon_box, "abc")
    assert control.error_label.isVisible() and control.error_label.fix.text() == f"Keep {control.epsilon_box.value}"
    control.epsilon_box.selectAll()
    QTest.keyClick(control.epsilon_box, Qt.Key.Key_Delete)
    QTest.keyClick(control.epsilon_box, Qt.Key.Key_Return)
    assert control.error_label.text().endswith("got nothing.")


def test_another_level_clears_an_error(control):
    write(control.epsilon_box, "-1")
    control.set_privacy(E("2"))
    assert control.epsilon_box.text() == "2"
    assert control.epsilon_box.property("invalid") is False
    assert control.error_label.text() == ""


def test_leaving_an_untouched_box_asks_nothing(control, events):
    control.set_privacy(A("1/2"))
    control.epsilon_box.setFocus()
    QTest.keyClick(control.epsilon_box, Qt.Key.Key_Return)
    control.alpha_box.setFocus()
    assert events == []


def test_a_target_is_dragged_towards_accuracy(control, events):
    slider = control.target.slider
    assert slider.value() == 300
    drag(slider, [on(slider, value) for value in (300, 320, 340)])
    names = [event[0] for event in events]
    assert names == ["target changing", "target changing", "target"]
    assert events[-1][1] == pytest.approx(0.6, abs=0.06)
    assert control.target.box.text() == f"{events[-1][1]:.4g}"


def test_a_target_is_not_moved_under_the_mouse(control, events):
    slider = control.target.slider
    QTest.mousePress(slider, LEFT, pos=on(slider, 300).toPoint())
    move(slider, on(slider, 100), LEFT)
    control.target.set_value(1.5)
    control.set_privacy(E("0.2"))
    assert slider.value() == pytest.approx(100, abs=3)
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    assert events[-1] == "target cancelled"
    assert control.target.box.text() == "1"


def test_a_target_is_typed(control, events):
    write(control.target.box, "6/5")
    assert events == [("target", 1.2)]
    write(control.target.box, "much")
    assert events == [("target", 1.2)]
    assert control.target.message.text().startswith("The expected error must be a number")
    assert control.target.box.property("invalid") is True


def test_a_target_out_of_reach_gets_a_sentence(control, events):
    control.target.set_error(InputError("the expected error cannot be 1.", "target", "1.2"))
    assert control.target.message.text() == "The expected error cannot be 1." and control.target.box.property("invalid") is True
    QTest.mouseClick(control.target.message.fix, Qt.MouseButton.LeftButton)
    assert events == [("target", 1.2)]
    assert not control.target.message.isVisibleTo(control)
    assert control.target.box.property("invalid") is False


def test_a_target_without_a_range_is_off(control):
    control.target.set_range(2.0, 2.0)
    assert not control.target.isEnabled()
    control.target.set_range(float("nan"), 2.0)
    assert not control.target.isEnabled()
    control.target.set_range(1.0, 2.0)
    control.target.set_value(5.0)
    assert control.target.isEnabled()
    assert control.target.slider.value() == 0


def test_everything_has_a_name_for_a_screen_reader(control):
    parts = [control.slider, control.epsilon_box, control.alpha_box, control.target.box, control.target.slider]
    assert all(part.accessibleName() for part in [*parts, *control.presets.values()])
    assert control.slider.accessibleDescription() == "ε = 0.5, strong"


def test_a_rounded_alpha_says_that_it_is(control: PrivacyControl) -> None:
    for level, told in (
        (PrivacyLevel.from_epsilon("1"), "α ≥ 0.3678, rounded down."),
        (PrivacyLevel.from_epsilon("ln 2"), "α = 1/2."),
        (PrivacyLevel.from_alpha("0.36787"), "α = 0.36787."),
    ):
        control.set_privacy(level)
        assert control.alpha_box.toolTip().endswith(told)
