"""The left of the noise page: what is asked, what an error costs, how private it must be."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Slot

from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.pages.kit.privacy_card import PrivacyCard
from dpdesigner.desktop.pages.noise.query_card import Held, QueryCard
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.base.card import Card, Folding
from dpdesigner.desktop.widgets.base.controls import named, value_box, wrapped
from dpdesigner.desktop.widgets.loss.cost_picker import CostPicker
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.histogram.conversion import Asked
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.noise.design import NoiseDesign

#: Pixels at text scale 1 that the card of the cost makes use of.
_COSTS = 640
_FIRST = 1000  # of the room, before any is left empty


class InputsColumn(AskingColumn[Asked]):
    """Three cards that show a design and ask for another."""

    def __init__(self, held: Held) -> None:
        super().__init__()
        self._presenting = False
        self.query, self.privacy = QueryCard(self, held), PrivacyCard(self, target=True)
        self.add(self.query)
        self.add(self._cost_card(), stretch=_FIRST)
        self.add(self.privacy)
        self.column.addStretch(1)
        self._add_delta()
        self.folding = Folding(self, (self.privacy.control, self._costs))
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Let the picture of the cost be no higher than is of use."""
        self._costs.set_highest(round(px(_COSTS)))

    def _cost_card(self) -> Card:
        self._costs = Card(self.tr("Cost of an error"), self.tr("cost L(x)"), flexible=True, foldable=True)
        self.cost = CostPicker()
        self.cost.changed.connect(self._change_cost)
        self.cost.changing.connect(self._preview_cost)
        self.cost.cancelled.connect(self.previewCancelled)
        self.field("cost", self.cost.set_error)
        self._costs.add(self.cost, 1)
        return self._costs

    def _add_delta(self) -> None:
        tip = self.tr("Also compare with (ε, δ)-private noise; empty for none")
        self.delta = value_box("0.000001", self.tr("Delta, for comparison"), tip, self._change_delta)
        self.delta.setPlaceholderText(self.tr("none"))
        self._deltas = wrapped(named(self.tr("compare with δ ="), self.delta))
        self.privacy.add(self._deltas)
        self.field("delta", partial(show_in, self.privacy, self.delta))

    def show_design(self, before: Asked | None, design: Asked) -> None:
        """Show query, cost, level and delta."""
        self.query.set_design(design)
        number = design if isinstance(design, NoiseDesign) else None
        self.delta.show_value("" if number is None or number.delta is None else str(number.delta))
        needed = number is not None and not (self._presenting and number.delta is None)
        self._deltas.setVisible(needed and number is not None and number.query == "real" and number.dimension == 1)
        if before is None or _costing(before) != _costing(design):
            self.cost.set_cost(*_costing(design))
        self.privacy.set_level(design.privacy)
        self._costs.set_line(self.tr("Cost: {cost}").format(cost=design.cost_title))

    def restore(self) -> None:
        """Show the buttons, the cost and the level of the design in force again; other boxes keep what was typed."""
        if self.design is not None:
            for card in self.cards:
                card.set_error("")
            self.query.mark(self.design)
            self.cost.set_cost(*_costing(self.design))
            self.privacy.control.set_privacy(self.design.privacy)

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Ask for what a line was dragged to; of a histogram the curves are those of a cell, which has a part of epsilon."""
        if target == "gamma":
            self.change(self.tr("Choose γ") if final else "", gamma=f"{min(max(place, 0.0), 1.0):.3g}")
        elif self.design is not None:
            super().drag(target, place * _parts(self.design), final)

    def place(self, target: str) -> float | None:
        """Return where the handle of an input is now; None where it stays where its panel puts it."""
        design = self.design
        if target == "gamma":
            return design.chosen_gamma if isinstance(design, NoiseDesign) and design.query == "real" else None
        return design.epsilon / _parts(design) if target == "epsilon" and design is not None else None

    @Slot(str)
    def _change_cost(self, given: str) -> None:
        self.restore()  # at the end of a stroke the cost is the one in force, as its preview
        self.change(self.tr("Change cost"), cost=given)

    @Slot(str)
    def _preview_cost(self, given: str) -> None:
        self.change("", cost=given)

    @Slot(str)
    def _change_delta(self, text: str) -> None:
        given: Any = text.strip() or None
        self.change(self.tr("Change δ"), delta=given)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing; the slider of the level stays, for it is what a demonstration plays with."""
        self._presenting = on
        self.privacy.control.set_presenting(on)
        self.folding.set_on(not on)
        self.query.helper.setVisible(not on)
        self.query.counted.list.set_presenting(on)
        self.delta.setReadOnly(on)
        if self.design is not None:
            self.show_design(self.design, self.design)


def _parts(design: Asked) -> float:
    """The parts that epsilon has: of a histogram one for each cell that a row can change."""
    return float(design.sensitivity.value) if isinstance(design, HistogramDesign) else 1.0


def _costing(design: Asked) -> tuple[str, float, int]:
    """The cost, the sensitivity of one answer and the number of answers: all that the picture of the cost depends on."""
    if isinstance(design, HistogramDesign):
        return design.cost, float(design.sensitivity.value), 1
    return design.cost, design.period, design.dimension
