"""While an input is refused the pictures turn pale, which are not of what was typed; what mends it is one click away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from desktop import hands
from desktop.hands import Hands
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.files.project import Project, write_project
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.inspect.audience_design import AudienceDesign
from dpdesigner.studies.synthetic.sizes import SizesDesign


@pytest.fixture
def opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Hands]]:
    with ExitStack() as stack:

        def opened(design: Any) -> Hands:
            write_project(tmp_path / "one.dpd", Project((design,)))
            user = stack.enter_context(hands.opened(qtbot, monkeypatch, tmp_path / "one.dpd"))
            user.settles()
            return user

        yield opened


def ink(widget: QWidget) -> float:
    """Return how far from white a widget is on average."""
    place = QRect(widget.mapTo(widget.window(), QPoint()), widget.size())
    image = widget.window().grab(place).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    grey = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())[:, : image.width()]
    return float(255 - grey.mean())


@pytest.mark.parametrize(
    ("design", "box", "keep"),
    [
        (CountDesign(n=8, epsilon="ln 2"), "Epsilon", "Keep ln 2"),
        (ChoiceDesign.starting(), "Epsilon", ""),
        (AudienceDesign.starting(), "Epsilon", ""),
        (SizesDesign(points=64, epsilon=1, error="1/5"), "Epsilon", "Keep 1"),
    ],
)
def test_pictures_are_pale_while_an_input_is_refused(opens: Callable[..., Hands], design: Any, box: str, keep: str) -> None:
    user = opens(design)
    pictures = user.window.host.page._pictures.panels
    seen: list[float] = []

    def still() -> bool:
        seen.append(ink(pictures))
        return pictures.updatesEnabled() and len(seen) > 9 and len(set(seen[-9:])) == 1

    user.waits(still)
    before = seen[-1]
    user.write(box, "abc")
    assert "must be a number" in user.errors()[0] and user.window.document.study == design
    user.waits(lambda: ink(pictures) < 0.9 * before)
    user.press(keep or f"Keep {design.privacy.number}")
    user.waits(lambda: ink(pictures) == pytest.approx(before))
    assert user.errors() == []


def test_a_plain_number_where_percentages_stand_is_offered_as_one(opens: Callable[..., Hands]) -> None:
    user = opens(SizesDesign(points=64, epsilon=1, error="20%"))
    user.write("Target error, the number", "5")
    assert user.errors() == ["“Target error” must be between 0.0001% and 99%, got 5."]
    user.press("Use 5%")
    user.settles()
    assert user.window.document.study.error == "0.05" and user.text("Target error, the number") == "5%" and user.errors() == []
