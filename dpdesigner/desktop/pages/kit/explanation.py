"""What a page explains: why its answer is what it is, and in a tour what there is to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QWidget


@dataclass(frozen=True)
class Explanation:
    """Why the page's answer is what it is, for the "Why?" panel; every text is simple rich text.

    Parameters
    ----------
    title : str
        The question it answers: ``"Why is this the best?"``.
    plain : str
        In plain words, without a formula.
    formula : str
        The formulas behind it, shown one click away.
    sources : str
        The papers, and what was corrected in them.
    help : str
        The help page to read on.
    """

    title: str
    plain: str
    formula: str = ""
    sources: str = ""
    help: str = "start"


@dataclass(frozen=True)
class Stop:
    """One stop of the tour.

    Parameters
    ----------
    widget : QWidget
        The control that the bubble points to.
    title, text : str
        What to say about it.
    done : signal or None
        What the control emits once the user has done what the text says; the tour goes on then by itself.
    """

    widget: QWidget
    title: str
    text: str
    done: Any = None
