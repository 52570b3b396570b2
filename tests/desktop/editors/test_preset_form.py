"""Named priors: menu, sentences with boxes, and what they say to the engine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.named_priors import NAMED
from dpdesigner.core.basics.prior import Prior
from dpdesigner.desktop.editors.distribution_controls import PresetForm, interval_quantiles, quantile_interval
from dpdesigner.errors import InputError


@pytest.fixture
def form(qtbot: QtBot) -> PresetForm:
    widget = PresetForm()
    qtbot.addWidget(widget)
    widget.resize(304, 60)
    widget.show_spec("uniform", 20)
    return widget


def specs(spy: QSignalSpy) -> list[str]:
    return [spy.at(k)[0] for k in range(spy.count())]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 20, 1000])
def test_every_entry_of_the_menu_asks_for_a_prior_over_any_n(form: PresetForm, qtbot: QtBot, n: int) -> None:
    chosen, refused = QSignalSpy(form.chosen), QSignalSpy(form.refused)
    form.show_spec("uniform", n)
    menu = QMenu()
    qtbot.addWidget(menu)
    form.fill(menu)
    for action in menu.actions():
        action.trigger()
    assert refused.count() == 0
    old = "quantiles"  # of older files
    assert [spec.partition(":")[0] for spec in specs(chosen)] == [name for name in NAMED if name != old]
    for spec in specs(chosen):
        assert Prior(spec, n).probabilities.sum() == pytest.approx(1)


def test_a_single_count_has_no_quantiles(form: PresetForm) -> None:
    refused = QSignalSpy(form.refused)
    form.show_spec("uniform", 0)
    form.choose("smooth-quantiles")
    assert refused.count() == 1


@pytest.mark.parametrize(
    ("spec", "boxes"),
    [
        ("binomial:1/3", ["1/3"]),
        ("poisson:4", ["4"]),
        ("two-peak:5,14", ["5", "14"]),
        ("triangular:2,8,15", ["2", "15", "8"]),
        ("quantiles:5%=2,95%=12", ["90", "3", "12"]),
        ("smooth-quantiles:5%=2,95%=12", ["90", "3", "12"]),
        ("quantiles:80%=4", ["80", "0", "4"]),
        ("quantiles:20%=4", ["80", "5", "20"]),
    ],
)
def test_parameters_stand_in_boxes_and_come_back(form: PresetForm, spec: str, boxes: list[str]) -> None:
    chosen = QSignalSpy(form.chosen)
    form.show_spec(spec, 20)
    assert [box.text() for box in form.boxes] == boxes
    assert not form.isHidden()
    assert chosen.count() == 0
    form._commit("")
    assert Prior(specs(chosen)[0], 20).exact == Prior(spec, 20).exact


@pytest.mark.parametrize("spec", ["", "uniform", "quantiles:10%=1,50%=5,90%=9", "unknown:3"])
def test_what_has_no_sentence_shows_none(form: PresetForm, spec: str) -> None:
    form.show_spec("spike:3", 20)
    form.show_spec(spec, 20)
    assert form.isHidden()
    assert form.boxes == []


def test_typing_asks_for_another_prior(form: PresetForm) -> None:
    chosen, refused = QSignalSpy(form.chosen), QSignalSpy(form.refused)
    form.show_spec("triangular:2,8,15", 20)
    form.show()
    box = form.boxes[1]
    assert box.accessibleName() == "largest count"
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "18")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert specs(chosen) == ["triangular:2,8,18"]
    box.selectAll()
    QTest.keyClicks(box, "99")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert chosen.count() == 1
    assert "with n = 20, got 'triangular:2,8,99'" in str(refused.at(0)[0])
    assert box.property("invalid")


def test_a_quantile_is_mended_in_the_box_that_is_wrong(form: PresetForm) -> None:
    chosen, refused = QSignalSpy(form.chosen), QSignalSpy(form.refused)
    form.show_spec("smooth-quantiles:5%=2,95%=12", 20)
    for place, text in ((2, "30"), (1, "5")):
        form.boxes[place].setText(text)
        form.boxes[place].committed.emit(text)
    for error, box in (refused.at(0), refused.at(1)):
        assert error.suggestion == "20" and box is form.boxes[2] and box.property("invalid")
    form.boxes[2].enter("20")
    assert specs(chosen) == ["smooth-quantiles:10%=4"] and not form.boxes[2].property("invalid")


@given(st.data())
def test_an_interval_has_the_chance_that_was_said(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 40))
    low = data.draw(st.integers(0, n))
    high = data.draw(st.integers(low, n))
    certainty = data.draw(st.integers(1, 99))
    if high - low == n:
        return
    text = interval_quantiles(str(certainty), str(low), str(high), n)
    found = Prior(f"quantiles:{text}", n).exact
    assert 100 * sum(found[low : high + 1]) == certainty
    if 0 < low and high < n:
        assert sum(found[:low]) == sum(found[high + 1 :])
        assert quantile_interval(text.split(","), n) == [str(certainty), str(low), str(high)]


@pytest.mark.parametrize(("certainty", "low", "high"), [("0", "3", "5"), ("100", "3", "5"), ("90", "5", "3"), ("90", "0", "20")])
def test_intervals_that_say_nothing_are_refused(certainty: str, low: str, high: str) -> None:
    with pytest.raises(InputError, match="must be"):
        interval_quantiles(certainty, low, high, 20)


def test_a_percent_sign_is_welcome() -> None:
    assert interval_quantiles("90%", "3", "12", 20) == "5%=2,95%=12"


@pytest.mark.parametrize(
    ("spec", "text", "words"),
    [
        ("binomial:1/4", "3", "The probability must be between 0 and 1, got 3."),
        ("poisson:4", "-1", "The mean must be between 0 and 100 000, got -1."),
        ("geometric:1/2", "0", "The ratio must be above 0 and at most 1, got 0."),
        ("spike:4", "many", "The count must be a whole number from 0 to 20, got many."),
        ("two-peak:5,14", "21", "The first peak must be between 0 and 20, got 21."),
    ],
)
def test_a_number_out_of_range_is_refused_in_the_words_of_its_box(form: PresetForm, spec: str, text: str, words: str) -> None:
    refused = QSignalSpy(form.refused)
    form.show_spec(spec, 20)
    form.boxes[0].setText(text)
    form.boxes[0].setModified(True)
    QTest.keyClick(form.boxes[0], Qt.Key.Key_Return)
    assert str(refused.at(0)[0]) == words
