"""Whatever is typed into any field of any page is understood, or refused: never another number, never a traceback."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from desktop import hands
from desktop.hands import CONTROL, Hands, Key
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.controls import ValueBox
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies import registry
from dpdesigner.studies.exhibits.listing import exhibit

KINDS = [entry.kind for entry in registry.ENTRIES]

#: What is typed, and the numbers that may be read of it: European ones, and what is no number.
TYPED: dict[str, set[Fraction]] = {
    "1,5": {Fraction(3, 2)},
    "1.484,00": {Fraction(1484)},
    "1 204": {Fraction(1204)},
    "12,50 8,20": set(),
    "1..2": {Fraction(1), Fraction(2)},
    "--3": set(),
    "many": set(),
    "ln": set(),
    "1/0": set(),
    "9e999": set(),
    "nan": set(),
    "(": set(),
    "½": {Fraction(1, 2)},
    "٣": {Fraction(3)},
}


#: Fields of a text that is kept as it is: a unit, a file.
PLAIN = ("Unit of prices", "The table, file or rows", "Existing table")


def starting(kind: str) -> Any:
    return exhibit("grs/example-2.2") if kind == "exhibit" else registry.entry(kind).page_class().starting_study(kind)


@pytest.fixture(params=KINDS)
def user(request: pytest.FixtureRequest, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    write_project(tmp_path / "it.dpd", Project((starting(request.param),)))
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd", (1280, 1000)) as user:
        user.settles()
        yield user


def boxes(user: Hands) -> list[ValueBox]:
    """The fields of values that can be typed in now, in the header too."""
    found = user.window.findChildren(ValueBox)
    return [
        box
        for box in found
        if box.isVisible()
        and box.isEnabled()
        and not box.isReadOnly()
        and "Name" not in box.accessibleName()
        and box.accessibleName() != "Unit"
    ]


def numbers(value: Any) -> Iterator[Fraction]:
    """Every number in JSON values, texts that are lists of numbers too."""
    if isinstance(value, dict):
        for each in value.values():
            yield from numbers(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from numbers(each)
    elif isinstance(value, str):
        for part in re.split(r"[,;:\s]+|\.\.", value):
            try:
                yield Fraction(part)
            except (ValueError, ZeroDivisionError):
                continue
    elif isinstance(value, int | float) and not isinstance(value, bool) and value == value and abs(value) != float("inf"):
        yield Fraction(value)


def pieces(text: str) -> set[Fraction]:
    """The numbers that a careless reader takes a text for: its digits between commas, points and spaces."""
    whole = {Fraction(part) for part in re.findall(r"\d+", text)}
    return (
        whole | {Fraction(text.replace(".", "").replace(",", "").replace(" ", ""))} if re.fullmatch(r"[\d., ]+", text) else whole
    )


def test_what_is_typed_is_understood_or_refused_and_what_is_left_changes_nothing(user: Hands) -> None:
    typing_that_is_left_changes_nothing(user)
    document = user.window.document
    assert boxes(user) or document.study.kind in ("exhibit",)
    for place in range(len(boxes(user))):
        for text, readings in TYPED.items():
            here = boxes(user)
            if place >= len(here):
                break
            box, before = here[place], document.study
            steps, name = document.undo_stack.index(), box.accessibleName()
            box.setFocus()
            box.selectAll()
            if text.isascii():
                QTest.keyClicks(box, text)
            else:
                QGuiApplication.clipboard().setText(text)
                QTest.keyClick(box, Key.Key_V, CONTROL)
            QTest.keyClick(box, Key.Key_Return)
            user.qtbot.wait(1)
            after = document.study
            if after != before:
                new = set(numbers(after.to_json())) - set(numbers(before.to_json()))
                wrong = new & (pieces(text) - readings) if name not in PLAIN else set()
                assert name not in PLAIN or text in json.dumps(after.to_json(), ensure_ascii=False)
                assert not wrong, f"{text!r} in {name!r} was read as {sorted(map(float, wrong))}"
                assert document.undo_stack.index() == steps + 1
                document.undo()
                assert document.study == before
            else:
                assert document.undo_stack.index() == steps, f"{text!r} in {name!r} is a step without a change"
            box.setFocus()
            QTest.keyClick(box, Key.Key_Escape)


def typing_that_is_left_changes_nothing(user: Hands) -> None:
    document, before = user.window.document, user.window.document.content.project
    for place in range(len(boxes(user))):
        here = boxes(user)
        if place >= len(here):
            break
        box: QWidget = here[place]
        assert isinstance(box, QLineEdit)
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, "7,3")
        QTest.keyClick(box, Key.Key_Escape)
    assert document.content.project == before
