"""The texts of the strips: as large as there is room for, and none on another."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.widgets.options.strips_places import Places
from dpdesigner.desktop.widgets.options.strips_text import _short_names, fitting, over
from dpdesigner.desktop.widgets.plot.plot_layer import font

TEXTS = ["< 0.01%", "< 0.01%", "81%"]


class Written(QPainter):
    """Keeps where each text is written."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.boxes: list[QRectF] = []

    def drawText(self, at: QPointF, text: str) -> None:  # type: ignore[override]
        metrics = QFontMetricsF(self.font())
        self.boxes.append(QRectF(at.x(), at.y() - metrics.ascent(), metrics.horizontalAdvance(text), metrics.ascent()))


@pytest.mark.letters
def test_letters_are_as_large_as_texts_have_room(qtbot: QtBot) -> None:
    sizes = [fitting(TEXTS, width, 8.5).pointSizeF() for width in (200, 44, 40, 10)]
    assert sizes[0] == font(8.5).pointSizeF() and sizes == sorted(sizes, reverse=True) and sizes[-1] < sizes[0]
    wide = QFontMetricsF(fitting(TEXTS, 44, 8.5)).horizontalAdvance(TEXTS[0])
    assert wide <= 44 < QFontMetricsF(font(8.5)).horizontalAdvance(TEXTS[0])


@pytest.mark.letters
@pytest.mark.parametrize(("width", "written"), [(600, 3), (150, 3), (60, 2)])
def test_no_number_stands_on_another(qtbot: QtBot, width: float, written: int) -> None:
    band = QRectF(40, 40, width, 100)
    where = Places((band,) * 4, QRectF(), 3, 1.0, 0.0)
    image = QImage(700, 200, QImage.Format.Format_RGB32)
    painter = Written(image)
    over(painter, where, 0, np.array([0.01, 0.01, 1.0]), TEXTS, [QColor("black")] * 3, [False, False, True])
    painter.end()
    boxes = painter.boxes
    assert len(boxes) == written and not any(a.intersects(b) for k, a in enumerate(boxes) for b in boxes[:k])


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("Income class 1", "Income class 21"), ["1", "21"]),
        (("age 20 to 30", "age 30 to 40"), ["20 to 30", "30 to 40"]),
        (("red", "red"), ["red", "red"]),
        (("", "blue"), ["", "blue"]),
    ],
)
def test_names_lose_the_words_that_all_begin_with_and_no_others(names: tuple[str, ...], short: list[str]) -> None:
    assert _short_names(names) == short
