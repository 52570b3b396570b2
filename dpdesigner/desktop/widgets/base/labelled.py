"""Boxes with their names and buttons with what they do, in rows that break where there is no room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesigner.desktop.widgets.base.layouts import flow_of, row_of
from dpdesigner.desktop.widgets.base.value_box import ValueBox
from dpdesigner.desktop.widgets.base.wrap_layout import FittedWidget

_TARGET = 24  # pixels each way: what is smaller is hard to hit
_SHORT = 2  # characters of a text that is narrower than that


def value_box(sample: str, name: str, tip: str, slot: Callable[[str], None]) -> ValueBox:
    """Return a box with its name for screen readers."""
    box = ValueBox(sample)
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.committed.connect(slot)
    return box


def push_button(text: str, tip: str, pressed: Any, *, checkable: bool = False, padding: str = "") -> QPushButton:
    """Return a button with its tooltip, and what is called, or emitted, when it is pressed; perhaps with another padding."""
    button = QPushButton(text)
    if padding:
        button.setStyleSheet(f"padding: {padding};")
    button.setMinimumHeight(_TARGET)
    if len(text) <= _SHORT:  # else a least width would let the text be cut
        button.setMinimumWidth(_TARGET)
    button.setCheckable(checkable)
    button.setToolTip(tip)
    button.clicked.connect(pressed)
    return button


def choice_button(text: str, tip: str, pressed: Callable[[], object]) -> QPushButton:
    """Return a narrow button of several, of which one is in force; Enter in a box beside it does not press it."""
    button = push_button(text, tip, lambda: pressed(), checkable=True, padding="4px 7px")
    button.setAutoDefault(False)
    return button


def named(text: str, box: QWidget, gap: int = 6) -> QWidget:
    """Return a box with its name before it, so that no line break parts them."""
    label = QLabel(text)
    label.setBuddy(box)
    return together(label, box, gap=gap)


def together(*widgets: QWidget, gap: int = 6) -> QWidget:
    """Return a row of widgets that no line break parts."""
    whole = QWidget()
    row_of(*widgets, on=whole, gap=gap)
    return whole


def wrapped(*widgets: QWidget, gap: int = 6, spread: bool = False) -> QWidget:
    """Return a row of widgets that breaks where there is no room; with `spread` it is as wide as there is room."""
    row = FittedWidget()
    flow_of(*widgets, on=row, gap=gap, spread=spread)
    return row
