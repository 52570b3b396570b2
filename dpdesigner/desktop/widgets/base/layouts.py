"""Layouts in one expression: what stands below or beside what, and who gets the room to spare."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QLayout, QToolButton, QVBoxLayout, QWidget

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.wrap_layout import WrapLayout

#: A widget or a layout, maybe with its share of the room to spare; None is nothing but room to spare.
Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | None
Margins = tuple[int, int, int, int]
_Layout = TypeVar("_Layout", bound=QBoxLayout)


def column_of(*parts: Part, on: QWidget | None = None, margins: Margins = (0, 0, 0, 0), gap: int | None = None) -> QVBoxLayout:
    """Return parts below each other.

    Parameters
    ----------
    *parts
        In order; see `Part`.
    on : QWidget, optional
        Whose layout it is; none: it is put into another one.
    margins : (int, int, int, int)
        At the left, above, at the right and below.
    gap : int, optional
        Between the parts; by default that of the style.
    """
    return _filled(QVBoxLayout(on) if on is not None else QVBoxLayout(), parts, margins, gap)


def row_of(*parts: Part, on: QWidget | None = None, margins: Margins = (0, 0, 0, 0), gap: int | None = None) -> QHBoxLayout:
    """Return parts beside each other; parameters as for `column_of`."""
    return _filled(QHBoxLayout(on) if on is not None else QHBoxLayout(), parts, margins, gap)


def flow_of(*widgets: QWidget, on: QWidget | None = None, gap: int = 6, spread: bool = False) -> WrapLayout:
    """Return widgets beside each other, in as many rows as they need; see `WrapLayout`."""
    layout = WrapLayout(on, gap, spread)
    for widget in widgets:
        layout.addWidget(widget)
    return layout


def styled(style: str, text: str = "", *, wrapped: bool = False) -> QLabel:
    """Return a label in a class of the style sheet, such as ``"small"``."""
    made = QLabel(text)
    set_class(made, style)
    made.setWordWrap(wrapped)
    return made


def sign(text: str, name: str, tip: str, call: Callable[[], object]) -> QToolButton:
    """Return a button that is only a sign, such as a cross: what it is called, what it does, and what is called then."""
    made = QToolButton()
    made.setText(text)
    set_class(made, "tab")
    made.setAccessibleName(name)
    made.setToolTip(tip)
    made.clicked.connect(call)
    return made


def _filled(layout: _Layout, parts: tuple[Part, ...], margins: Margins, gap: int | None) -> _Layout:
    layout.setContentsMargins(*margins)
    if gap is not None:
        layout.setSpacing(gap)
    for part in parts:
        what, share = part if isinstance(part, tuple) else (part, 0)
        if what is None:
            layout.addStretch(1)
        elif isinstance(what, QLayout):
            layout.addLayout(what, share)
        else:
            layout.addWidget(what, share)
    return layout
