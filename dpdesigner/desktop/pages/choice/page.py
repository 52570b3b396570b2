"""The choice page: the options, the probability of each, and the privacy of the choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.pages.choice.inputs_column import InputsColumn
from dpdesigner.desktop.pages.kit.cards import CostCard, PlotCard, RiskCard
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Part, Stop
from dpdesigner.desktop.pages.kit.panel_views import KeptSentencePanel, PanelView, StripsPanel
from dpdesigner.desktop.pages.kit.results_column import CardColumn
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.panels import falling_short, strips
from dpdesigner.studies.choice.run import solved, solved_after
from dpdesigner.studies.snapshot import Look, Snapshot
from dpdesigner.studies.study import Job

_FIRST = 1000  # stretch: this card takes the free room before any is left empty
_LEAST, _WIDTH = 120, 200  # pixels at text scale 1: the height of the curve, and the width at which names can be read


_MOST = 60  # rows of a mechanism that Compare and a small picture show
_PICTURE_WIDTH = 300  # pixels at text scale 1
_FEW = 12  # with more options than this, none stays selected when their number changes


class ChoicePage(DeclaredPage):
    """Drag the utilities, and see how often the best option is chosen and how much one person can change that."""

    kind = "choice"
    answering = ("solve", "limit", "worst")
    widths = 328, 532, 336
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {"strips": StripsPanel, "told": KeptSentencePanel}

    def __init__(self, parent: QWidget | None = None) -> None:
        self._options = 0  # number of options in the previous answer
        super().__init__(parent)
        self.look_by(self._inputs.options.selected, "option")
        self._inputs.options.rowChosen.connect(lambda row: self.look(row=row, neighbour=""))
        self.offer_copy(self.tr("Copy all numbers"))

    @staticmethod
    def _defaults(design: Any) -> dict[str, Any]:
        return {**DeclaredPage._defaults(design), "rival": ""}  # until one is chosen to compare with

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        """Keep the strips wide enough to be legible at this text size."""
        theme().follow(self._fit)
        super().lay_out(columns)

    @Slot()
    def _fit(self) -> None:
        self._pictures.stage.keep_width(round(px(_PICTURE_WIDTH)))
        for card in (self.rules, self.papers):
            card.bars.setMinimumWidth(round(px(_WIDTH)))

    def asking_column(self) -> InputsColumn:
        return InputsColumn()

    def results_column(self) -> CardColumn:
        """Show the rules, the risk, the constants of papers, and the shortfall; a click on a rule or a constant selects it."""
        title = self.tr("Probability of being right")
        tip = self.tr("Theorems about these rules, and corrections to the sources")
        self.rules = CostCard(title, "", self.tr("How good is this choice?"), tip)
        self.rules.whyRequested.connect(self.whyRequested)
        self.rules.bars.setToolTip(
            self.tr(
                "Click a rule to show it. Probabilities are rounded down; the limit, for rules that treat all names alike, up"
            )
        )
        self.papers = CostCard(self.tr("Formulas in papers"), self.tr("○ stated ▬ attained"))
        self.papers.bars.setToolTip(self.tr("Click a constant to see its probabilities"))
        self.risk, self.short = RiskCard(), PlotCard("", _LEAST, bare=True)
        self.risk.closed = self.papers.closed = True  # the first number of one is below the level too; few need the other
        cards = ("rules", self.rules, 0), ("short", self.short, _FIRST), ("", self.risk, 0), ("papers", self.papers, 0)
        column = CardColumn(*cards, folds=(self.risk, self.papers, self.short, self.rules))
        column.moved.connect(self._keep_rival)
        return column

    @Slot(str, object)
    def _keep_rival(self, target: str, key: str) -> None:
        """Keep the previously drawn rule as thin marks when another one is selected."""
        if target == "rule" and self.design is not None and key != self.design.rule:
            self.view["rival"] = self.design.rule

    def parts(self) -> Sequence[Part[Any, Any]]:
        return (
            Part(None, lambda s: (s.answer, s.answer.row(s.view)), self._show_options),
            Part(None, lambda s: (s.answer.rule,), lambda rule: self.risk.show_level(PrivacyLevel.from_epsilon(rule.epsilon))),
            *super().parts(),
            Part(None, lambda s: (s.answer.design.fixed,), self.risk.setVisible),
            Part(None, lambda s: (s.view["view"] != "short",), self.short.setVisible),  # the same curve
            Part(None, lambda s: (s.answered, s.answer.marked(s.view)), lambda _, option: self._inputs.options.select(option)),
        )

    def _show_options(self, answer: ChoiceAnswer, row: int) -> None:
        self._inputs.show_outcome(answer, row)
        others, self._options = answer.task.options != self._options, answer.task.options
        if others and answer.task.options > _FEW:
            self.view["option"] = -1

    def summed_up(self, now: Snapshot) -> tuple[Any, ...]:
        """Return the inputs of the summary; for a table these include the row."""
        return (*super().summed_up(now), now.view["row"])

    def jobs(self, study: ChoiceDesign) -> Sequence[Job]:
        """Compute the rules; their limits and the worst neighbour are jobs of the kind."""
        return (Job("solve", partial(solved_after, self.answer, study)),)

    def sentences(self, answer: ChoiceAnswer) -> Sequence[str]:
        """Return how often the best option is chosen; for a table, in the row shown."""
        return answer.headlines(answer.row(self.view))

    def tour(self) -> Sequence[Stop]:
        inputs, results = self._inputs, self._results
        bars = self.tr("Click a bar to select its option. Typed counts can also be dragged; those from a file cannot.")
        moves = self.tr("Joining moves all counts in the same direction; changing an answer does not. Choose the other.")
        privacy = self.tr("Move the slider. With a smaller ε, other options are chosen more often.")
        rules = self.tr("Every rule here guarantees the same ε. Click one to show it; thin marks show the previous one.")
        papers = self.tr("A ring shows the ε that a paper states for its constant, a bar the attained ε. Orange: less private.")
        return (
            Stop(self._pictures, self.tr("Counts and chosen option"), bars, self._pictures.panels.moved),
            Stop(inputs.moves, self.tr("Influence of one person"), moves, inputs.changed),
            Stop(inputs.privacy, self.tr("How private"), privacy, inputs.changed),
            Stop(self.rules, self.tr("Probability of being right"), rules, results.moved),
            Stop(self.papers, self.tr("Formulas in papers"), papers),
        )

    def takers(self) -> Sequence[tuple[str, Callable[[str], object]]]:
        options = self._inputs.options
        return (self.tr("A column to count"), options.open_column), (
            self.tr("Utilities: databases by options"),
            options.take_matrix,
        )

    def portrait(self, study: ChoiceDesign, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, results and the shortfall for comparison; for a small table, the probabilities."""
        answer: ChoiceAnswer | None = outcomes.get("solve")
        if answer is None or answer.design != study:
            return super().portrait(study, {})
        matrix = np.atleast_2d(answer.rule.probabilities) if answer.task.table and len(answer.task.numbers) <= _MOST else None
        charts = () if study.secret else (falling_short(answer),)
        return replace(super().portrait(study, {}), results=answer.findings, matrix=matrix, charts=charts)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return the probabilities of a small table; nothing for personal data."""
        if study.secret:
            return Portrait({})
        return Portrait({}, matrix=np.atleast_2d(solved(study).rules["exponential"].probabilities)[:_MOST])

    def whole_text(self) -> str:
        """Return all numbers of the strips; for personal data, explain why not."""
        if self.answer is None:
            return ""
        if self.answer.design.secret:
            self.message.emit(self.tr("The counts are private. Only draws leave the window."))
            return ""
        header, *rows = strips(Look(self.snapshot())).as_table().as_rows()
        return tabbed([["option", *header[1:]], *rows])

    def copy(self) -> bool:
        """Copy the open panel; nothing for personal data."""
        if self.answer is not None and self.answer.design.secret:
            return bool(self.whole_text())
        return super().copy()
