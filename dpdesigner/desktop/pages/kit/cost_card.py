"""The card that says what the answer costs beside others, and asks why."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.studies.table_panels import Ranking


class CostCard(Card):
    """Bars under a heading with a button that asks why the first is the best; those that matter less can be unfolded.

    Parameters
    ----------
    heading, word : str
        ``"Accuracy"``, and what the bars measure: ``"expected error"``.
    question, tip : str
        The button's name for screen readers, ``"Why is this the best?"``, and its tooltip.
    """

    whyRequested = Signal()

    def __init__(self, heading: str, word: str, question: str, tip: str) -> None:
        super().__init__(heading, word, foldable=True)
        self._measure = word
        self._ranking = Ranking("costs", "")
        self.bars = CostBars()
        self.add(self.bars)
        self.all = QPushButton()
        self.all.setCheckable(True)
        set_class(self.all, "link")
        self.all.toggled.connect(self._show)
        self.all.hide()
        self.add(self.all)
        why = QPushButton(self.tr("Why?"))
        set_class(why, "link")
        why.setAccessibleName(question)
        why.setToolTip(tip)
        why.clicked.connect(self.whyRequested)
        self.header.addWidget(why)

    def show_ranking(self, ranking: Ranking) -> None:
        """Show a ranking, of some only the first bars until the others are unfolded."""
        self._ranking = ranking
        self._show()

    @Slot()
    def _show(self) -> None:
        rows, first = self._ranking.rows, self._ranking.first
        folded = first and not self.all.isChecked()
        self.bars.show_ranking(replace(self._ranking, rows=rows[:first]) if folded else self._ranking)
        hidden = len(rows) - first if first else 0
        words = self.tr("▸ All alternatives ({count} more)") if folded else self.tr("▾ Only the main alternatives")
        if (text := words.format(count=hidden)) != self.all.text():
            self.all.setText(text)
        if (hidden > 0) == self.all.isHidden():
            self.all.setVisible(hidden > 0)

    def set_stale(self, on: bool) -> None:
        """Say that the costs are being computed anew."""
        self.set_word(self.tr("computing…") if on else self._measure)
