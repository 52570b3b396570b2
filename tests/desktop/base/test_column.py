from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import ColumnArea, ColumnLayout


class Resized(QLabel):
    """A text that counts how often it is given another size."""

    times = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.times += 1
        super().resizeEvent(event)


def test_a_new_style_lays_a_column_out_once_and_only_when_all_of_it_has_the_style(qtbot: QtBot) -> None:
    column = QWidget()
    layout, texts = ColumnLayout(column), [Resized(f"card {number}") for number in range(5)]
    for text in texts:
        layout.addWidget(text)
    area = ColumnArea(column)
    qtbot.addWidget(area)
    area.setStyleSheet("* { font-size: 9pt; }")
    area.resize(300, 60)
    with qtbot.waitExposed(area):
        area.show()
    layout.activate()
    before, height = [text.times for text in texts], column.height()
    area.setStyleSheet("* { font-size: 30pt; }")
    assert [text.times for text in texts] == before
    qtbot.waitUntil(lambda: column.height() > 2 * height)
    assert [text.times for text in texts] == [number + 1 for number in before]
    qtbot.waitUntil(lambda: area.minimumSizeHint().width() > texts[0].sizeHint().width())


def test_a_column_that_asks_for_more_width_waits_while_a_button_is_held(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    column, text = QWidget(), QLabel("short")
    ColumnLayout(column).addWidget(text)
    area = ColumnArea(column)
    qtbot.addWidget(area)
    with qtbot.waitExposed(area):
        area.show()
    before, held = area.minimumSizeHint().width(), [Qt.MouseButton.LeftButton]
    monkeypatch.setattr(QGuiApplication, "mouseButtons", staticmethod(lambda: held[0]))
    text.setText("a much longer text")
    qtbot.wait(250)
    assert area.minimumSizeHint().width() == before
    held[0] = Qt.MouseButton.NoButton
    qtbot.waitUntil(lambda: area.minimumSizeHint().width() > before)


def test_a_card_is_as_high_as_its_sentences_need_after_it_became_narrower(qtbot: QtBot) -> None:
    column, card, sentence, picture, below = QWidget(), Card("People", flexible=True), SentenceLabel(""), QWidget(), QWidget()
    layout, area = ColumnLayout(column), ColumnArea(column)
    sentence.set_sentence("Each of these many words needs some room in a narrow card. " * 4)
    for widget in (picture, below):
        widget.setMinimumHeight(100)
    card.add(sentence)
    card.add(picture, 1)
    layout.addWidget(card, 5)
    layout.addWidget(below, 4)
    qtbot.addWidget(area)
    area.resize(900, 300)
    area.show()
    QApplication.processEvents()
    area.resize(320, 300)
    QApplication.processEvents()
    assert sentence.height() > 60 and sentence.geometry().bottom() < picture.y() and picture.geometry().bottom() < card.height()


def test_a_column_that_fits_again_loses_its_scroll_bar_although_the_bar_would_wrap_its_text(qtbot: QtBot) -> None:
    column, sentence = QWidget(), QLabel("word")
    sentence.setWordWrap(True)
    layout = ColumnLayout(column)
    layout.addWidget(sentence)
    area = ColumnArea(column)
    qtbot.addWidget(area)
    bar, width = area.verticalScrollBar(), 300
    with qtbot.waitExposed(area):
        area.show()
    while sentence.heightForWidth(width) == sentence.heightForWidth(width - bar.sizeHint().width()):
        sentence.setText(sentence.text() + " word")
    fitting = sentence.text()
    area.resize(width, layout.heightForWidth(width))
    sentence.setText(20 * fitting)
    qtbot.waitUntil(bar.isVisible)
    sentence.setText(fitting)
    qtbot.waitUntil(lambda: not bar.isVisible())
