"""The card that says what the answer costs beside others, and asks why."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars


class CostCard(Card):
    """Bars under a heading with a button that asks why the first is the best.

    Parameters
    ----------
    word : str
        What the bars measure: ``"expected loss"``.
    question, tip : str
        The button's name for screen readers, ``"Why is this the best?"``, and its tooltip.
    """

    whyRequested = Signal()

    def __init__(self, word: str, question: str, tip: str) -> None:
        super().__init__(self.tr("What it costs"), word)
        self._measure = word
        self.bars = CostBars()
        self.add(self.bars)
        why = QPushButton(self.tr("Why?"))
        why.setAccessibleName(question)
        why.setToolTip(tip)
        why.clicked.connect(self.whyRequested)
        self.header.addWidget(why)

    def set_stale(self, on: bool) -> None:
        """Say that the costs are being computed anew."""
        self.set_word(self.tr("computing…") if on else self._measure)
