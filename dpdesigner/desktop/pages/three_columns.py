"""The body of a page: what is given, what comes out, what it means, in three columns whose widths the user chooses."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSplitter, QWidget

from dpdesigner.desktop.widgets.column import scrolling


def lay_out_columns(page: QWidget, name: str, columns: tuple[QWidget, QWidget, QWidget], widths: tuple[int, int, int]) -> None:
    """Fill a page with three columns of which the outer two scroll.

    Parameters
    ----------
    page : QWidget
        A page without a layout.
    name : str
        The object name under which the window remembers the widths.
    columns : tuple of QWidget
        Inputs, result, meaning.
    widths : tuple of int
        Their widths at 1280 pixels; a wider window is shared out in these proportions.
    """
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setObjectName(name)
    splitter.setHandleWidth(10)
    inputs, result, meaning = columns
    for place, (widget, width) in enumerate(zip((scrolling(inputs), result, scrolling(meaning)), widths, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(place, width)
        splitter.setCollapsible(place, False)
    splitter.setSizes(list(widths))
    area = QScrollArea()  # scrolls sideways where even the least widths do not fit, as with large text on a small screen
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(splitter)
    layout = QHBoxLayout(page)
    layout.setContentsMargins(12, 10, 12, 10)
    layout.addWidget(area)
