"""The left of the noise page: the query, the cost of an error, and the privacy level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QWidget

from dpdesigner.core.basics.parsing import parse_integer
from dpdesigner.core.basics.sensitivity import Neighbours
from dpdesigner.core.noise.several_dimensions import LARGEST_DIMENSION
from dpdesigner.data.options import categories_text
from dpdesigner.desktop.background.tables import categories_of_file, chosen_table
from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.controls import choice_button, menu_chip, named, push_button, value_box, wrapped
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import FittedWidget, WrapLayout, column_of, flow_of
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.editors.loss_picker import CostPicker
from dpdesigner.desktop.editors.sensitivity_dialog import SensitivityDialog
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, PrivacyCard, show_in
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_answer import NOT_PRIVATE, categories_in
from dpdesigner.studies.noise.histogram_conversion import Asked, as_histogram, as_number, converted, counted_as, query_of
from dpdesigner.studies.noise.histogram_design import HistogramDesign


class CategoryList(FittedWidget):
    """The row of buttons below the box for the list, which its owner positions.

    Parameters
    ----------
    warning : str
        Why a list that is taken from the data is not private; it is shown before, and asks whether to take it all the same.
    """

    changed = Signal(object)  #: the new value, by name: ``categories``, ``outside`` or ``listed``
    fileWanted = Signal()  #: the user wants to read the list from a file
    dataWanted = Signal()  #: the user wants the list taken from the data, although that is not private

    def __init__(self, warning: str) -> None:
        super().__init__()
        self._warning = warning
        tip = self.tr("Possible values, for example yes, no; chosen without the data, spelt as in the data")
        self.box = value_box("yes, no, perhaps", self.tr("Categories"), tip, self._type)
        self.box.setPlaceholderText(self.tr("for example: yes, no"))
        choices = (
            ("other", self.tr("any other"), self.tr("All other rows are counted in one more cell")),
            ("refuse", self.tr("refused"), self.tr("Nothing is counted if any row has another value")),
        )
        self._choices = {
            key: push_button(text, tip, partial(self._ask, {"outside": key}), checkable=True, padding="3px 7px")
            for key, text, tip in choices
        }
        sources = (
            (self.tr("From a file that lists them…"), self.fileWanted.emit),
            (self.tr("From the data: not private…"), self._warn),
            (self.tr("This list is public"), partial(self._ask, {"listed": "public"})),
        )
        self._sources = menu_chip(self.tr("List"), self.tr("Source of the list of categories"), sources)
        self._sources.setStyleSheet("padding: 3px 7px;")
        flow_of(QLabel(self.tr("other rows are")), *self._choices.values(), self._sources, on=self)

    def show_list(self, text: str, outside: str, listed: str, data: bool) -> None:
        """Show a list as typed, the treatment of other rows, and the possible sources: data only if there are any."""
        self.box.show_value(text)
        for key, button in self._choices.items():
            button.setChecked(key == outside)
        _, taken, public = self._sources.menu().actions()
        taken.setEnabled(data)
        public.setEnabled(listed == "data")

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls."""
        self._sources.setVisible(not on)

    def _ask(self, changes: Mapping[str, Any], checked: bool = False) -> None:
        self.changed.emit(changes)

    @Slot(str)
    def _type(self, text: str) -> None:
        self.changed.emit({"categories": text})

    def _warn(self) -> None:
        """Warn that a list taken from the data is not private, and ask whether to use it anyway."""
        box = QMessageBox(QMessageBox.Icon.Warning, "dpdesigner", self.tr("This is not private."), parent=self.window())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setInformativeText(self._warning)
        take = box.addButton(self.tr("Use the list anyway"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        take.clicked.connect(self.dataWanted)
        box.open()


#: The inputs that each button sets.
_CHOICES: dict[str, dict[str, Any]] = {
    "added": {"neighbours": "add-remove"},
    "replaced": {"neighbours": "replace"},
    "numbers": {"categories": None, "outside": "other", "listed": "public"},
    "texts": {"categories": ()},
}


class CellsRow(QWidget):
    """Buttons and boxes for the inputs of a histogram; the card that contains them shows errors."""

    def __init__(self, asking: AskingColumn[Any], card: Card) -> None:
        super().__init__()
        self._asking, self._card = asking, card
        texts = (
            ("added", self.tr("added or removed"), self.tr("Neighbouring data have one more or one fewer row")),
            ("replaced", self.tr("replaced"), self.tr("Neighbouring data differ in the value of one row")),
            ("numbers", self.tr("cells from"), self.tr("Count numbers (ages, for example) in cells that begin at these values")),
            (
                "texts",
                self.tr("categories"),
                self.tr("Count texts or codes (yes and no, for example), with one cell for each category in your list"),
            ),
        )
        self._buttons = {key: choice_button(text, tip, partial(self._change, _CHOICES[key])) for key, text, tip in texts}
        tip = self.tr(
            "Lower edges like 0, 18, 65, or a range like 0..10 or 18 to 90 by 10. Choose them without looking at the data."
        )
        self.cells = value_box("18 to 90 by 10", self.tr("Cells from"), tip, self._type_cells)
        self.list = CategoryList(translated(NOT_PRIVATE))
        self.list.changed.connect(self._change)
        self.list.fileWanted.connect(self._open_list)
        self.list.dataWanted.connect(self._take)
        added, replaced, *kinds = self._buttons.values()
        rows = wrapped(QLabel(self.tr("one row is")), added, replaced), wrapped(*kinds, self.cells, self.list.box), self.list
        column_of(*rows, on=self, gap=3)
        asking.field("cells", partial(show_in, card, self.cells))
        asking.field("categories", partial(show_in, card, self.list.box))

    def set_design(self, design: HistogramDesign) -> None:
        """Show the cells and categories of a histogram."""
        self.mark(design)
        texts = design.categories is not None
        self.cells.show_value(design.cells)
        self.cells.setVisible(not texts)
        self.list.box.setVisible(texts)
        self.list.setVisible(texts)

    def mark(self, design: HistogramDesign) -> None:
        texts = design.categories is not None
        for key, on in (("added", design.neighbours == "add-remove"), ("numbers", not texts), ("texts", texts)):
            self._buttons[key].setChecked(on)
        self._buttons["replaced"].setChecked(design.neighbours == "replace")
        self.list.show_list(categories_text(design.categories or ()), design.outside, design.listed, bool(design.path))

    @Slot(object)
    def _change(self, changes: dict[str, Any]) -> None:
        """Request other inputs, unless they are current; stored counts are dropped because they belong to other cells."""
        design = self._asking.design
        if not isinstance(design, HistogramDesign):
            return
        self.mark(design)
        listed = changes == {"categories": ()} and design.categories is not None
        if listed or all(design.input_named(key).of(design) == value for key, value in changes.items()):
            return
        if "categories" in changes and "listed" not in changes and design.categories is None:
            changes = {**counted_as(design, ()), **changes}
        words = {
            "neighbours": self.tr("Change the neighbours"),
            "listed": self.tr("Call the list public"),
            "cells": self.tr("Change cells"),
        }
        (first, *_), kept = changes, {} if len(changes) == 1 and changes.keys() <= {"neighbours", "listed"} else {"counts": None}
        label = words.get(first, self.tr("Change categories"))
        self._asking.ask(label, lambda design: design.replace(**changes, **kept))

    @Slot(str)
    def _type_cells(self, text: str) -> None:
        self._change({"cells": text.strip(), "listed": "public"})

    @Slot()
    def _open_list(self) -> None:
        if path := chosen_table(self.tr("A file that lists the categories"), self):
            try:
                self._change({"categories": categories_of_file(path, self), "listed": "public"})
            except Cancelled:
                pass
            except InputError as error:
                self._card.error.set_error(error, None)

    @Slot()
    def _take(self) -> None:
        def make(design: HistogramDesign) -> HistogramDesign:
            categories = categories_in(design.path, design.column)
            return design.replace(categories=categories, listed="data", counts=None)

        self._asking.ask_by_job(self.tr("Take the categories from the data"), make)


#: Returns the last design of each kind, by kind.
Held = Callable[[], Mapping[str, Any]]


class QueryCard(Card):
    """The kind of query and its inputs, for the column that contains the card."""

    def __init__(self, asking: AskingColumn[Asked], held: Held) -> None:
        super().__init__(self.tr("Your query"))
        self._asking, self._held = asking, held
        row = WrapLayout(gap=4)
        self.kinds: dict[str, QPushButton] = {}
        for kind, text, tip in (
            ("real", self.tr("Real number"), self.tr("A sum, a mean, a measurement: any real number, or several")),
            ("integer", self.tr("Whole number"), self.tr("A count, or a sum of whole numbers")),
            ("histogram", self.tr("Histogram"), self.tr("Number of people in each of several cells, typed or from a column")),
        ):
            self.kinds[kind] = choice_button(text, tip, partial(self._change_query, kind))
            row.addWidget(self.kinds[kind])
        self.body.addLayout(row)
        self.counted = CellsRow(asking, self)
        self._rows = {NoiseDesign.kind: self._number_row(), HistogramDesign.kind: self.counted}
        self.note = SentenceLabel("small")
        for part in (*self._rows.values(), self.note):
            self.add(part)
        asking.field("dimension", partial(show_in, self, self.dimension))

    def _number_row(self) -> QWidget:
        tip = self.tr("Largest change of the answer by one row")
        words = self.tr("Change sensitivity")
        self.sensitivity = self._asking.box("sensitivity", self, "1000000", self.tr("Sensitivity Δ"), tip, words)
        tip = self.tr("Number of real answers released together; Δ is then in the L1 norm")
        self.dimension = value_box("100", self.tr("Answers d"), tip, self._change_dimension)
        self.helper = push_button(self.tr("Δ?"), self.tr("Work out the sensitivity of your query"), self._work_out)
        self.helper.setAccessibleName(self.tr("Work out the sensitivity"))
        self.helper.setStyleSheet("padding: 4px 6px;")
        tip = self.tr("What the answer is counted in: hours, euros; written at every error")
        self.unit = self._asking.box("unit", self, "minutes", self.tr("Unit"), tip, self.tr("Change the unit"))
        self._dimensions = named(self.tr("answers d"), self.dimension)
        delta, unit = named(self.tr("sensitivity Δ"), self.sensitivity), named(self.tr("unit"), self.unit)
        return wrapped(delta, self.helper, unit, self._dimensions)

    def set_design(self, design: Asked) -> None:
        self.mark(design)
        for kind, row in self._rows.items():
            row.setVisible(kind == design.kind)
        if isinstance(design, HistogramDesign):
            self.counted.set_design(design)
            self.note.set_sentence(f"Δ = {design.sensitivity.value}: {design.sensitivity.reason}")
            return
        self.sensitivity.show_value(str(design.sensitivity))
        self.dimension.show_value(str(design.dimension))
        self.unit.show_value(design.unit)
        self._dimensions.setVisible(design.query == "real")
        self.note.set_sentence("")

    def mark(self, design: Asked) -> None:
        for query, button in self.kinds.items():
            button.setChecked(query == query_of(design))
        if isinstance(design, HistogramDesign):
            self.counted.mark(design)

    def _ask(self, label: str, make: Callable[[Asked], Asked]) -> None:
        if self._asking.design is not None:
            self.mark(self._asking.design)
            self._asking.ask(label, make)

    def _change_query(self, wanted: str) -> None:
        self._ask(self.tr("Change query"), lambda design: converted(design, wanted, self._held()))

    @Slot(str)
    def _change_dimension(self, text: str) -> None:
        def make(design: Asked) -> Asked:
            count = parse_integer(text, self.tr("answers d"), 1, LARGEST_DIMENSION, "dimension")
            return design.replace(dimension=count, **({"delta": None, "weights": ()} if count > 1 else {}))

        self._ask(self.tr("Change the number of answers"), make)

    @Slot()
    def _work_out(self) -> None:
        dialog = SensitivityDialog(self)
        dialog.taken.connect(self._take)
        dialog.open()

    @Slot(str, str, str)
    def _take(self, query: str, sensitivity: str, neighbours: Neighbours) -> None:
        def make(design: Asked) -> Asked:
            if query == HistogramDesign.kind:
                return as_histogram(design, self._held()).replace(neighbours=neighbours)
            kind = query if query == "real" or not isinstance(design, NoiseDesign) else design.query
            return as_number(design, kind, self._held()).replace(sensitivity=sensitivity)

        self._ask(self.tr("Change sensitivity"), make)


#: The greatest height that the cost card can use, in pixels at text scale 1.
_COSTS = 640
_FIRST = 1000  # stretch: this card takes the free room before any is left empty


class InputsColumn(AskingColumn[Asked]):
    """Three cards that show a design and request changes."""

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
        """Limit the height of the cost picture to a useful size."""
        self._costs.set_highest(round(px(_COSTS)))

    def _cost_card(self) -> Card:
        self._costs = Card(self.tr("Cost of an error"), self.tr("L(x)"), flexible=True, foldable=True)
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
        """Show query, cost, privacy level and delta."""
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
        """Show the current buttons, cost and privacy level again; other boxes keep the typed text."""
        if self.design is not None:
            for card in self.cards:
                card.set_error("")
            self.query.mark(self.design)
            self.cost.set_cost(*_costing(self.design))
            self.privacy.control.set_privacy(self.design.privacy)

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Request the value that a line was dragged to; a histogram's curves show one cell, which has a part of epsilon."""
        if target == "gamma":
            self.change(self.tr("Choose γ") if final else "", gamma=f"{min(max(place, 0.0), 1.0):.3g}")
        elif self.design is not None:
            super().drag(target, place * _parts(self.design), final)

    def place(self, target: str) -> float | None:
        """Return the current position of an input's handle; None if its panel determines it."""
        design = self.design
        if target == "gamma":
            return design.chosen_gamma if isinstance(design, NoiseDesign) and design.query == "real" else None
        return design.epsilon / _parts(design) if target == "epsilon" and design is not None else None

    @Slot(str)
    def _change_cost(self, given: str) -> None:
        self.restore()  # after a stroke, the preview already equals the cost in force
        self.change(self.tr("Change cost"), cost=given)

    @Slot(str)
    def _preview_cost(self, given: str) -> None:
        self.change("", cost=given)

    @Slot(str)
    def _change_delta(self, text: str) -> None:
        given: Any = text.strip() or None
        self.change(self.tr("Change δ"), delta=given)

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls; the slider of the level stays for use in demonstrations."""
        self._presenting = on
        self.privacy.control.set_presenting(on)
        self.folding.set_on(not on)
        self.query.helper.setVisible(not on)
        self.query.counted.list.set_presenting(on)
        self.delta.setReadOnly(on)
        if self.design is not None:
            self.show_design(self.design, self.design)


def _parts(design: Asked) -> float:
    """Return the number of parts of epsilon: for a histogram, one for each cell that a row can change."""
    return float(design.sensitivity.value) if isinstance(design, HistogramDesign) else 1.0


def _costing(design: Asked) -> tuple[str, float, int]:
    """Return the cost, the sensitivity of one answer and the number of answers, which determine the picture of the cost."""
    if isinstance(design, HistogramDesign):
        return design.cost, float(design.sensitivity.value), 1
    return design.cost, design.period, design.dimension
