"""The left of the noise page: what is asked, what an error costs, how private it must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.pages.noise.query_card import Held, QueryCard
from dpdesigner.desktop.pages.noise.sides import Asked, side_of
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.labelled import named, value_box, wrapped
from dpdesigner.desktop.widgets.loss.cost_picker import CostPicker
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.desktop.widgets.privacy.control import PrivacyControl
from dpdesigner.errors import InputError
from dpdesigner.studies.noise.design import NoiseDesign

#: Pixels at text scale 1 that the card of the cost makes use of.
_COSTS = 640
_FIRST = 1000  # of the room, before any is left empty


class InputsColumn(QWidget):
    """Three cards that show a design and ask for another."""

    previewed = Signal(object)
    changed = Signal(object, str)
    previewCancelled = Signal()

    def __init__(self, held: Held) -> None:
        super().__init__()
        self._design: Asked | None = None
        layout = ColumnLayout(self)
        self.query = QueryCard(self.ask, held)
        layout.addWidget(self.query)
        layout.addWidget(self._cost_card(), _FIRST)
        layout.addWidget(self._privacy_card())
        layout.addStretch(1)
        theme().changed.connect(self._fit)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Let the picture of the cost be no higher than is of use."""
        self._costs.setMaximumHeight(round(px(_COSTS)))

    def _cost_card(self) -> Card:
        self._costs = Card(self.tr("What an error costs you"), self.tr("cost L(x)"), flexible=True)
        self.cost = CostPicker()
        self.cost.changed.connect(self._change_cost)
        self.cost.changing.connect(self._preview_cost)
        self.cost.cancelled.connect(self.previewCancelled)
        self._costs.add(self.cost, 1)
        return self._costs

    def _privacy_card(self) -> Card:
        self._level = Card(self.tr("How private"), self.tr("privacy level ε"))
        self.privacy = PrivacyControl()
        self.privacy.target.hide()
        self.privacy.changing.connect(self._preview_privacy)
        self.privacy.changed.connect(self._change_privacy)
        self.privacy.cancelled.connect(self.previewCancelled)
        self._level.add(self.privacy)
        tip = self.tr("Also show noise whose probabilities may exceed what ε allows, by δ at most; leave it empty for none")
        self.delta = value_box("0.000001", self.tr("Delta, for comparison"), tip, self._change_delta)
        self.delta.setPlaceholderText(self.tr("none"))
        self._deltas = wrapped(named(self.tr("compare with δ ="), self.delta))
        self._level.add(self._deltas)
        return self._level

    def set_design(self, design: Asked) -> None:
        """Show a design."""
        before, self._design = self._design, design
        for card in (self._costs, self._level):
            card.set_error("")
        self.query.set_design(design)
        number = design if isinstance(design, NoiseDesign) else None
        self.delta.show_value("" if number is None or number.delta is None else str(number.delta))
        self._deltas.setVisible(number is not None and number.query == "real" and number.dimension == 1)
        if before is None or _costing(before) != _costing(design):
            self.cost.set_cost(*_costing(design))
        self.privacy.set_privacy(design.privacy)

    def show_error(self, error: InputError) -> None:
        """Show a sentence beside the control it belongs to."""
        if error.field == "cost":
            self.cost.set_error(error)
        elif error.field == "delta":
            self.delta.set_invalid(True)
            self._level.error.set_error(error, self.delta)
        elif error.field in ("epsilon", "alpha"):
            self._level.error.set_error(error, self.privacy.epsilon_box)
        else:
            self.query.show_error(error)

    def ask(self, label: str, make: Callable[[Asked], Asked]) -> None:
        """Emit the design that `make` gives, as a preview where the label is empty, or show why it cannot be."""
        if self._design is None:
            return
        try:
            design = make(self._design)
        except InputError as error:
            self._restore()
            self.show_error(error)
            return
        if label:
            self.changed.emit(design, label)
        else:
            self.previewed.emit(design)

    def _restore(self) -> None:
        """Show the buttons, the cost and the level of the design in force again; other boxes keep what was typed."""
        if self._design is not None:
            self.query.restore()
            self.cost.set_cost(*_costing(self._design))
            self.privacy.set_privacy(self._design.privacy)
            self._level.set_error("")

    @Slot(str)
    def _change_cost(self, given: str) -> None:
        self._restore()  # at the end of a stroke the cost is the one in force, as its preview
        self.ask(self.tr("Change cost"), lambda design: design.replace(cost=given))

    @Slot(str)
    def _preview_cost(self, given: str) -> None:
        self.ask("", lambda design: design.replace(cost=given))

    @Slot(object)
    def _preview_privacy(self, level: PrivacyLevel) -> None:
        self.ask("", lambda design: design.replace(privacy=level))

    @Slot(object, str)
    def _change_privacy(self, level: PrivacyLevel, label: str) -> None:
        self.ask(label, lambda design: design.replace(privacy=level))

    @Slot(str)
    def _change_delta(self, text: str) -> None:
        given: Any = text.strip() or None
        self.ask(self.tr("Change δ"), lambda design: design.replace(delta=given))

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing; the privacy level stays, for it is what a demonstration plays with."""
        self.query.set_presenting(on)
        self.delta.setReadOnly(on)


def _costing(design: Asked) -> tuple[str, float, int]:
    """What the picture of the cost is drawn for."""
    return design.cost, *side_of(design).scale(design)
