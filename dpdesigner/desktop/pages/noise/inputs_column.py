"""The left of the noise page: what is asked, what an error costs, how private it must be."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from dpdesigner.core.numbers import exact, whole
from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.several_dimensions import LARGEST_DIMENSION
from dpdesigner.desktop.pages.noise.cost_picker import CostPicker
from dpdesigner.desktop.widgets.card import Card
from dpdesigner.desktop.widgets.column import ColumnLayout
from dpdesigner.desktop.widgets.privacy_control import PrivacyControl
from dpdesigner.desktop.widgets.value_box import ValueBox
from dpdesigner.desktop.widgets.wrap_layout import WrapLayout
from dpdesigner.errors import InputError
from dpdesigner.studies.noise import NoiseStudy


class InputsColumn(QWidget):
    """Three cards that show a study and ask for another."""

    previewed = Signal(object)
    changed = Signal(object, str)
    previewCancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._study: NoiseStudy | None = None
        layout = ColumnLayout(self)
        layout.addWidget(self._query_card())
        layout.addWidget(self._cost_card(), 1)
        layout.addWidget(self._privacy_card())

    def _query_card(self) -> Card:
        self._query = Card(self.tr("What you ask"), self.tr("query and sensitivity"))
        row = WrapLayout(gap=6)
        self.real = self._button(self.tr("A real number"), self.tr("A sum, a mean, a measurement: any real number"))
        self.integer = self._button(self.tr("A whole number"), self.tr("A count, or a sum of whole numbers"))
        for button in (self.real, self.integer):
            row.addWidget(button)
        self._query.body.addLayout(row)
        boxes = WrapLayout(gap=10)
        self.sensitivity = self._box("1000000", self.tr("Sensitivity Δ"), self.tr("How much one person can change the answer"))
        self.sensitivity.committed.connect(self._change_sensitivity)
        tip = self.tr("How many real answers are released together; Δ is then in the L1 norm")
        self.dimension = self._box("100", self.tr("Answers d"), tip)
        self.dimension.committed.connect(self._change_dimension)
        self._dimensions = _named(self.tr("answers d"), self.dimension)
        boxes.addWidget(_named(self.tr("sensitivity Δ"), self.sensitivity))
        boxes.addWidget(self._dimensions)
        self._query.body.addLayout(boxes)
        return self._query

    def _cost_card(self) -> Card:
        self._costs = Card(self.tr("What an error costs you"), self.tr("cost L(x)"))
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
        tip = self.tr("Also show noise that may fail with this chance, for comparison; leave it empty for none")
        self.delta = self._box("0.000001", self.tr("Delta, for comparison"), tip)
        self.delta.setPlaceholderText(self.tr("none"))
        self.delta.committed.connect(self._change_delta)
        self._deltas = _named(self.tr("compare with δ ="), self.delta)
        self._level.add(self._deltas)
        return self._level

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, autoDefault=False)
        button.setCheckable(True)
        button.setToolTip(tip)
        button.clicked.connect(self._change_query)
        return button

    @staticmethod
    def _box(sample: str, name: str, tip: str) -> ValueBox:
        box = ValueBox(sample)
        box.setAccessibleName(name)
        box.setToolTip(tip)
        return box

    def set_study(self, study: NoiseStudy) -> None:
        """Show a study."""
        before, self._study = self._study, study
        for card in (self._query, self._costs, self._level):
            card.set_error("")
        self.real.setChecked(study.query == "real")
        self.integer.setChecked(study.query == "integer")
        self.sensitivity.show_value(str(study.sensitivity))
        self.dimension.show_value(str(study.dimension))
        self._dimensions.setVisible(study.query == "real")
        self.delta.show_value("" if study.delta is None else str(study.delta))
        self._deltas.setVisible(study.query == "real" and study.dimension == 1)
        if before is None or (before.cost, before.period) != (study.cost, study.period):
            self.cost.set_cost(study.cost, study.period)
        self.privacy.set_privacy(study.privacy)

    def show_error(self, error: InputError) -> None:
        """Show a sentence beside the control it belongs to."""
        text = str(error)
        sentence = text[:1].upper() + text[1:]
        boxes = {"sensitivity": self.sensitivity, "dimension": self.dimension, "delta": self.delta}
        if error.field in boxes:
            boxes[error.field].set_invalid(True)
        if error.field == "cost":
            self.cost.set_error(sentence)
        elif error.field in ("epsilon", "alpha", "delta"):
            self._level.set_error(sentence)
        else:
            self._query.set_error(sentence)

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
            self.real.setChecked(self._study.query == "real")
            self.integer.setChecked(self._study.query == "integer")
            self.cost.set_cost(self._study.cost, self._study.period)
            self.privacy.set_privacy(self._study.privacy)
            for card in (self._query, self._level):
                card.set_error("")

    @Slot()
    def _change_query(self) -> None:
        wanted = "integer" if self.sender() is self.integer else "real"
        if self._study is not None and wanted == self._study.query:
            self._restore()
        else:
            self.ask(self.tr("Change query"), _to_integer if wanted == "integer" else _to_real)

    @Slot(str)
    def _change_sensitivity(self, text: str) -> None:
        self.ask(self.tr("Change sensitivity"), lambda study: study.replace(sensitivity=text.strip()))

    @Slot(str)
    def _change_dimension(self, text: str) -> None:
        def make(study: NoiseStudy) -> NoiseStudy:
            count = whole(text, "dimension", 1, LARGEST_DIMENSION)
            return study.replace(dimension=count, **({"delta": None} if count > 1 else {}))

        self.ask(self.tr("Change the number of answers"), make)

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


def _to_integer(study: NoiseStudy) -> NoiseStudy:
    """The same question for whole numbers; a sensitivity between two of them becomes the larger one."""
    sensitivity = max(math.ceil(exact(study.sensitivity, "sensitivity")), 1)
    return study.replace(query="integer", sensitivity=sensitivity, dimension=1, delta=None)


def _to_real(study: NoiseStudy) -> NoiseStudy:
    return study.replace(query="real")


def _named(text: str, box: ValueBox) -> QWidget:
    """A box with its name before it, so that no line break parts them."""
    pair, label = QWidget(), QLabel(text)
    label.setBuddy(box)
    row = QHBoxLayout(pair)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    row.addWidget(label)
    row.addWidget(box)
    row.addStretch(1)
    return pair
