from __future__ import annotations

import pytest
from PySide6.QtWidgets import QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.controls import NameBox
from dpdesigner.desktop.base.theme import theme

LONG = "Flu cases in all the schools of the county, by squared error"


@pytest.fixture
def box(qtbot: QtBot) -> NameBox:
    theme().apply()
    box = NameBox()
    box.setMinimumContentsLength(8)
    box.addItems(["Flu", LONG])
    qtbot.addWidget(box)
    box.resize(200, box.sizeHint().height())
    box.show()
    return box


def shown(box: NameBox) -> str:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    return option.currentText


def test_a_long_name_is_cut_and_the_tooltip_has_all_of_it(box: NameBox) -> None:
    assert shown(box) == "Flu"
    box.setCurrentIndex(1)
    assert shown(box).endswith(("…", "...")) and LONG.startswith(shown(box).rstrip("….")) and len(shown(box)) > 8
    assert box.fontMetrics().horizontalAdvance(shown(box)) < box.width() - 20
    assert box.toolTip() == box.currentText() == LONG


def test_a_long_name_does_not_widen_the_box(box: NameBox) -> None:
    before = box.sizeHint()
    box.setCurrentIndex(1)
    assert box.sizeHint() == before


def test_with_room_the_name_is_whole(box: NameBox) -> None:
    box.setCurrentIndex(1)
    box.resize(900, box.height())
    assert shown(box) == LONG
    assert not box.grab().isNull()


def test_the_opened_list_shows_every_name_whole(box: NameBox, qtbot: QtBot) -> None:
    box.addItem("Children")
    box.showPopup()
    names = box.view()
    qtbot.waitUntil(names.isVisible)
    places = [names.visualRect(names.model().index(row, 0)) for row in range(box.count())]
    assert all(names.viewport().rect().contains(place) for place in places)
    assert all(place.height() >= box.fontMetrics().height() + 8 for place in places), "names do not touch each other"
    box.hidePopup()
