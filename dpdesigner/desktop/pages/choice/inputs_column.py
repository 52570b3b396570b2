"""The left of the choice page: the options, what one person may change, and how private the choice must be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton

from dpdesigner.core.basics.rounding import significant
from dpdesigner.core.choice.utilities import derived_sensitivity
from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.controls import named, push_button, wrapped
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.pages.choice.options_card import OptionsCard
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, PrivacyCard
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.choice.design import ChoiceDesign


class InputsColumn(AskingColumn[ChoiceDesign]):
    """Three cards that show a design and request changes."""

    def __init__(self) -> None:
        super().__init__()
        self.options = OptionsCard(self)
        self.moves = self._moves_card()
        self.privacy = PrivacyCard(self)
        self.add(self.options, "utilities", "names", "categories", "path", "column", "edges", "base", "rule")
        self.add(self.moves, "neighbours", "monotone", box=self.sensitivity)
        self.add(self.privacy)
        self.column.addStretch(1)
        self.folding = Folding(self, (self.privacy.control, self.moves, self.options, self.privacy))

    def _moves_card(self) -> Card:
        card = Card(self.tr("Influence of one person"), foldable=True)
        of_vector = (
            ("joins", self.tr("joins or leaves"), self.tr("All utilities move in the same direction by at most Δ (monotone)")),
            ("changes", self.tr("changes answer"), self.tr("One utility rises by Δ and another falls by Δ")),
            ("any", self.tr("any, up to Δ"), self.tr("Every utility may move by at most Δ, up or down")),
        )
        of_table = (
            ("next", self.tr("the next row"), self.tr("Consecutive rows of the table are neighbours")),
            ("all", self.tr("every row"), self.tr("All rows of the table are neighbours")),
        )
        self.vector = {key: self._button(text, tip, partial(self._change, key)) for key, text, tip in of_vector}
        self.table = {key: self._button(text, tip, partial(self._change, key)) for key, text, tip in of_table}
        self._vector_row, self._table_row = wrapped(*self.vector.values()), wrapped(*self.table.values())
        words = self.tr("Change sensitivity")
        self.sensitivity = self.box("sensitivity", card, "1000000", self.tr("Sensitivity Δ"), "", words)
        tip = self.tr("Compute it: 1 for a count, the largest difference of neighbouring rows for a table")
        self.helper = push_button(self.tr("Δ?"), tip, self._derive)
        self.helper.setAccessibleName(self.tr("Work out the sensitivity"))
        self.helper.setStyleSheet("padding: 4px 6px;")
        self.same_way = self._button(
            self.tr("monotone"), self.tr("Neighbouring rows move all utilities in the same direction"), self._toggle
        )
        self.note = SentenceLabel("small")
        row = wrapped(named(self.tr("sensitivity Δ"), self.sensitivity), self.helper, self.same_way)
        for widget in (self._vector_row, self._table_row, row, self.note):
            card.add(widget)
        return card

    def _button(self, text: str, tip: str, chosen: Callable[[], None]) -> QPushButton:
        return push_button(text, tip, lambda: chosen(), checkable=True, padding="4px 2px")

    # Display -----------------------------------------------------------------------------------------------------------

    def restore(self) -> None:
        """Show the current design again after another was refused."""
        self.options.restore()
        if self.design is not None:
            self.show_design(None, self.design)

    def show_design(self, before: ChoiceDesign | None, design: ChoiceDesign) -> None:
        table = design.is_table
        for key, button in (*self.vector.items(), *self.table.items()):
            button.setChecked(key == design.neighbours)
        self._vector_row.setVisible(not table)
        self._table_row.setVisible(table)
        self.same_way.setVisible(table)
        self.helper.setVisible(table or design.exact_sensitivity != 1)  # without a table it is that of a count
        self.same_way.setChecked(design.monotone)
        pairs = () if isinstance(design.neighbours, str) else design.neighbours
        self.note.set_sentence(self.tr("{count} pairs of rows are neighbours.").format(count=len(pairs)) if pairs else "")
        self.sensitivity.setToolTip(self._tip(design))
        self.moves.set_line(self._line(design))
        self.privacy.set_level(design.privacy)

    def _line(self, design: ChoiceDesign) -> str:
        if isinstance(design.neighbours, str):
            which = (self.table if design.is_table else self.vector)[design.neighbours].text()
        else:
            which = self.tr("{count} pairs").format(count=len(design.neighbours))
        return self.tr("{which} · Δ = {sensitivity}").format(which=which, sensitivity=design.sensitivity)

    def _tip(self, design: ChoiceDesign) -> str:
        tip = self.tr(
            "Largest change of an option’s utility by one person. A unit of utility weighs {formula}{weight} in the exponent"
        )
        formula = "" if design.is_table else "ε/Δ = " if design.monotone else "ε/2Δ = "
        return tip.format(formula=formula, weight=significant(design.epsilon / float(design.reach), 3))

    def show_outcome(self, outcome: ChoiceAnswer, row: int) -> None:
        """Show the options, and the attained privacy of the selection rule shown."""
        self.options.show_outcome(outcome, row)
        self.privacy.set_attained(outcome.design.privacy, outcome.attained, self.tr("The probabilities shown have"))
        self.privacy.control.set_unproved("" if outcome.design.fixed else self.tr("not private yet"))

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Request the rule that was clicked, or the epsilon that a handle was dragged to."""
        if target == "rule":
            self.change(self.tr("Choose a rule"), rule=place)
        else:
            super().drag(target, place, final)

    def set_presenting(self, on: bool) -> None:
        self.options.set_presenting(on)
        self.folding.set_on(not on)

    # Inputs ------------------------------------------------------------------------------------------------------------

    def _change(self, which: str) -> None:
        self.choose(self.tr("Change the influence of one person"), lambda design: _with_neighbours(design, which))

    def _toggle(self) -> None:
        self.choose(self.tr("Change monotone"), lambda design: design.replace(monotone=not design.monotone))

    @Slot()
    def _derive(self) -> None:
        def make(design: ChoiceDesign) -> ChoiceDesign:
            if design.utilities is None or not design.is_table:
                return design.replace(sensitivity=1)
            return design.replace(sensitivity=str(derived_sensitivity(design.utilities, design.neighbours) or 1))

        self.ask(self.tr("Work out the sensitivity"), make)


def _with_neighbours(design: ChoiceDesign, which: str) -> ChoiceDesign:
    changes: dict[str, Any] = {"neighbours": which}
    if design.utilities is not None and design.is_table:
        least = derived_sensitivity(design.utilities, which)
        if least > design.exact_sensitivity:
            changes["sensitivity"] = str(least)
    return design.replace(**changes)
