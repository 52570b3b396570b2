"""What a histogram counts: what one row may do, and cells of numbers or a list of categories."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QWidget

from dpdesigner.data.categories import categories_text
from dpdesigner.desktop.background.tables import categories_of_file, chosen_table
from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.pages.noise.category_list import CategoryList
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labelled import choice_button, value_box, wrapped
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.histogram.answer import NOT_PRIVATE, categories_in
from dpdesigner.studies.histogram.conversion import counted_as
from dpdesigner.studies.histogram.design import HistogramDesign

#: What each button asks for.
_CHOICES: dict[str, dict[str, Any]] = {
    "added": {"neighbours": "add-remove"},
    "replaced": {"neighbours": "replace"},
    "numbers": {"categories": None, "outside": "other", "listed": "public"},
    "texts": {"categories": ()},
}


class CellsRow(QWidget):
    """Buttons and boxes for the inputs of a histogram; what is wrong is shown in the card that they are in."""

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
        """Show what a histogram counts."""
        self.mark(design)
        texts = design.categories is not None
        self.cells.show_value(design.cells)
        self.cells.setVisible(not texts)
        self.list.box.setVisible(texts)
        self.list.setVisible(texts)

    def mark(self, design: HistogramDesign) -> None:
        """Mark what is in force."""
        texts = design.categories is not None
        for key, on in (("added", design.neighbours == "add-remove"), ("numbers", not texts), ("texts", texts)):
            self._buttons[key].setChecked(on)
        self._buttons["replaced"].setChecked(design.neighbours == "replace")
        self.list.show_list(categories_text(design.categories or ()), design.outside, design.listed, bool(design.path))

    @Slot(object)
    def _change(self, changes: dict[str, Any]) -> None:
        """Ask for other inputs, unless they are in force; counts that were kept are of other cells then."""
        design = self._asking.design
        if not isinstance(design, HistogramDesign):
            return
        self.mark(design)
        listed = changes == {"categories": ()} and design.categories is not None
        if listed or all(getattr(design, key) == value for key, value in changes.items()):
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
