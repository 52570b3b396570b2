"""Several answers about the same people: how epsilon is shared among them, and what each share costs."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.noise.budget import epsilons_of
from dpdesigner.core.numbers.parsing import listed
from dpdesigner.desktop.pages.kit.asking import AskingColumn
from dpdesigner.desktop.theme.words import translated
from dpdesigner.desktop.widgets.base.column import scrolling
from dpdesigner.desktop.widgets.base.labelled import named, value_box, wrapped
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.errors import InputError
from dpdesigner.studies.budget_panel import budget_sentence, shared
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.table_panels import Ranking


class BudgetPanel(QWidget):
    """The weights of the answers, and a bar for the cost of each."""

    def __init__(self, asking: AskingColumn[Any]) -> None:
        super().__init__()
        self._asking = asking
        asking.field("weights", self._show_error)
        tip = self.tr("One positive number for each answer, such as 1, 1, 2; epsilon is shared in proportion")
        self.weights = value_box("1, 1, 2, 1, 1, 1", self.tr("Weights of the answers"), tip, self._change)
        self.note = SentenceLabel("small")
        self.bars = CostBars()
        box = wrapped(named(self.tr("weights of the answers"), self.weights))
        column_of(box, self.note, (scrolling(self.bars), 1), on=self, gap=8)

    def set_design(self, design: NoiseDesign) -> None:
        """Show a design's weights."""
        self.weights.show_value(", ".join(map(str, design.weights or (1,))))

    def set_outcome(self, outcome: NoiseAnswer) -> None:
        """Show how the design's epsilon is shared."""
        try:
            budget = outcome.budget
        except InputError as error:
            self.note.set_sentence(str(error), "error")
            self.bars.show_ranking(Ranking("", ""))
            return
        self.bars.show_ranking(shared(budget, bool(outcome.design.weights)))
        self.note.set_sentence(translated(budget_sentence(budget, outcome.design.privacy)), "small")

    def _show_error(self, error: InputError) -> None:
        self.weights.set_invalid(True)
        self.note.set_sentence(str(error), "error")

    @Slot(str)
    def _change(self, text: str) -> None:
        self._asking.ask(
            self.tr("Share the budget"), lambda design: _with_weights(design, listed(text, "weights", "weights")), "weights"
        )


def _with_weights(design: NoiseDesign, parts: list[str]) -> NoiseDesign:
    """The design with other weights, whose shares can all be computed."""
    changed = design.replace(weights=parts if len(parts) > 1 else ())
    epsilons_of(changed.dimension, changed.privacy, changed.weights or (1,))
    return changed
