"""The left of the noise page: what is asked, what an error costs, how private it must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.pages.noise.meaning import Answer
from dpdesigner.desktop.pages.noise.query_card import QueryCard
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.labelled import named, value_box, wrapped
from dpdesigner.desktop.widgets.loss.cost_picker import CostPicker
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.desktop.widgets.privacy.control import PrivacyControl
from dpdesigner.errors import InputError
from dpdesigner.studies.noise.design import NoiseStudy

#: Pixels at text scale 1 that the card of the cost makes use of.
_COSTS = 640
_FIRST = 1000  # of the room, before any is left empty


class InputsColumn(QWidget):
    """Three cards that show a study and ask for another."""

    previewed = Signal(object)
    changed = Signal(object, str)
    previewCancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._study: NoiseStudy | None = None
        layout = ColumnLayout(self)
        self.query = QueryCard(self.ask)
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

    def set_study(self, study: NoiseStudy) -> None:
        """Show a study."""
        before, self._study = self._study, study
        for card in (self._costs, self._level):
            card.set_error("")
        self.query.set_study(study)
        self._costs.setVisible(study.query != "table")
        self._level.set_word(self.tr("ε of the weights") if study.query == "table" else self.tr("privacy level ε"))
        self.delta.show_value("" if study.delta is None else str(study.delta))
        self._deltas.setVisible(study.query == "real" and study.dimension == 1)
        if before is None or (before.cost, before.period, before.dimension) != (study.cost, study.period, study.dimension):
            self.cost.set_cost(study.cost, study.period, study.dimension)
        self.privacy.set_privacy(study.privacy)

    def show_attained(self, answer: Answer | None) -> None:
        """Say in words what privacy the noise shown has; without an answer, what is certain all the same."""
        study = self._study
        if study is None:
            return
        if answer is None:
            certain = study.certain_privacy
            self.privacy.set_attained(None if certain == study.privacy else certain, self.tr("Any such weights have at most"))
        else:
            attained = answer.attained
            same = attained == answer.study.privacy
            self.privacy.set_attained(None if same else attained, self.tr("The probabilities shown have"))

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

    def ask(self, label: str, make: Callable[[NoiseStudy], NoiseStudy]) -> None:
        """Emit the study that `make` gives, as a preview where the label is empty, or show why it cannot be."""
        if self._study is None:
            return
        try:
            study = make(self._study)
        except InputError as error:
            self._restore()
            self.show_error(error)
            return
        if label:
            self.changed.emit(study, label)
        else:
            self.previewed.emit(study)

    def _restore(self) -> None:
        """Show the buttons, the cost and the level of the study in force again; other boxes keep what was typed."""
        if self._study is not None:
            self.query.restore()
            self.cost.set_cost(self._study.cost, self._study.period, self._study.dimension)
            self.privacy.set_privacy(self._study.privacy)
            self._level.set_error("")

    @Slot(str)
    def _change_cost(self, given: str) -> None:
        if self._study is not None and given == self._study.cost:
            self._restore()
        else:
            self.ask(self.tr("Change cost"), lambda study: study.replace(cost=given))

    @Slot(str)
    def _preview_cost(self, given: str) -> None:
        self.ask("", lambda study: study.replace(cost=given))

    @Slot(object)
    def _preview_privacy(self, level: PrivacyLevel) -> None:
        self.ask("", lambda study: study.replace(privacy=level))

    @Slot(object, str)
    def _change_privacy(self, level: PrivacyLevel, label: str) -> None:
        self.ask(label, lambda study: study.replace(privacy=level))

    @Slot(str)
    def _change_delta(self, text: str) -> None:
        given: Any = text.strip() or None
        self.ask(self.tr("Change δ"), lambda study: study.replace(delta=given))

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing; the privacy level stays, for it is what a demonstration plays with."""
        self.query.set_presenting(on)
        self.delta.setReadOnly(on)
