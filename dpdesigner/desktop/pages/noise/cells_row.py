"""What a histogram counts: what one row may do, and cells of numbers or a list of categories, with where the list may be from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QWidget

from dpdesigner.core.privacy.sensitivity import Neighbours
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.labelled import push_button, value_box, wrapped
from dpdesigner.desktop.widgets.base.menu_button import menu_chip
from dpdesigner.desktop.work.tables import categories_of_file, chosen_table
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.listed import NOT_PRIVATE, categories_in, listed_text


class CellsRow(QWidget):
    """Buttons and boxes for the inputs of a histogram; what is wrong is shown in the card that they are in."""

    def __init__(self, asking: AskingColumn[Any], card: Card) -> None:
        super().__init__()
        self._asking, self._card = asking, card
        tip = self.tr("Neighbouring data have one row more or less")
        self._added = self._choice(self.tr("added or removed"), tip, neighbours="add-remove")
        tip = self.tr("Neighbouring data have one row that is another")
        self._replaced = self._choice(self.tr("replaced"), tip, neighbours="replace")
        tip = self.tr("Count numbers, such as ages, in cells that begin at these values")
        self._numbers = self._choice(self.tr("cells from"), tip, categories=None, outside="other", listed="public")
        tip = self.tr("Count texts, such as yes and no, or codes: one cell for each that you list")
        self._texts = self._choice(self.tr("categories"), tip, categories=())
        tip = self.tr("Lower edges such as 0, 18, 65, or 0..10, or 0..500000 by 50000; fixed beforehand, not taken from the data")
        self.cells = value_box("0..5000 by 500", self.tr("Cells from"), tip, self._change_cells)
        tip = self.tr("Those that may occur, such as yes, no; known without the data, each written as it stands there")
        self.categories = value_box("yes, no, perhaps", self.tr("Categories"), tip, self._change_categories)
        self.categories.setPlaceholderText(self.tr("such as yes, no"))
        self._list = menu_chip(self.tr("List"), self.tr("Where the list of categories is from"), self._sources())
        self._list.setStyleSheet("padding: 3px 7px;")
        tip = self.tr("Rows that hold none of the categories are counted in one more cell")
        self._other = self._choice(self.tr("any other"), tip, outside="other")
        tip = self.tr("Nothing is counted if a row holds none of the categories")
        self._refuse = self._choice(self.tr("refused"), tip, outside="refuse")
        self._outside = wrapped(QLabel(self.tr("other rows are")), self._other, self._refuse, self._list)
        column = ColumnLayout(self)
        column.setSpacing(3)
        column.addWidget(wrapped(QLabel(self.tr("one row is")), self._added, self._replaced))
        column.addWidget(wrapped(self._numbers, self._texts, self.cells, self.categories))
        column.addWidget(self._outside)
        asking.field("cells", partial(show_in, card, self.cells))
        asking.field("categories", partial(show_in, card, self.categories))

    def _choice(self, text: str, tip: str, **changes: Any) -> QPushButton:
        button = push_button(text, tip, lambda: self._change(**changes), checkable=True)
        button.setAutoDefault(False)
        button.setStyleSheet("padding: 4px 7px;")
        return button

    def _sources(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        return (
            (self.tr("From a file that lists them…"), self._open_list),
            (self.tr("From the data: not private…"), self._warn),
            (self.tr("Everybody may know this list"), lambda: self._change(listed="public")),
        )

    # What is shown -----------------------------------------------------------------------------------------------------

    def set_design(self, design: HistogramDesign) -> None:
        """Show what a histogram counts."""
        self.mark(design)
        texts = design.categories is not None
        self.cells.show_value(design.cells)
        self.categories.show_value(listed_text(design))
        self.cells.setVisible(not texts)
        self.categories.setVisible(texts)
        self._outside.setVisible(texts)
        _, data, public = self._list.menu().actions()
        data.setEnabled(bool(design.path))
        public.setEnabled(design.listed == "data")

    def mark(self, design: HistogramDesign | None) -> None:
        """Mark what is in force."""
        texts = design is not None and design.categories is not None
        neighbours: Neighbours | None = None if design is None else design.neighbours
        for button, on in (
            (self._added, neighbours == "add-remove"),
            (self._replaced, neighbours == "replace"),
            (self._numbers, design is not None and not texts),
            (self._texts, texts),
            (self._other, design is not None and design.outside == "other"),
            (self._refuse, design is not None and design.outside == "refuse"),
        ):
            button.setChecked(on)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._list.setVisible(not on)

    # What is asked -----------------------------------------------------------------------------------------------------

    def _change(self, **changes: Any) -> None:
        """Ask for other inputs, unless they are in force; counts that were kept are of other cells then."""
        design = self._asking.design
        self.mark(design)
        if not all(getattr(design, key) == value for key, value in changes.items()):
            if "neighbours" not in changes and "listed" not in changes:
                changes["counts"] = None
            self._asking.ask(self._words(changes), lambda design: design.replace(**changes))

    def _words(self, changes: dict[str, Any]) -> str:
        if "listed" in changes and len(changes) == 1:
            return self.tr("Call the list public")
        if "neighbours" in changes:
            return self.tr("Change what one row may do")
        if "cells" in changes or changes.get("categories", "") is None:
            return self.tr("Change cells")
        return self.tr("Change categories")

    @Slot(str)
    def _change_cells(self, text: str) -> None:
        self._change(cells=text.strip())

    @Slot(str)
    def _change_categories(self, text: str) -> None:
        self._change(categories=text)

    def _open_list(self) -> None:
        if path := chosen_table(self.tr("A file that lists the categories"), self):
            try:
                found = categories_of_file(path, self)
            except Cancelled:
                return
            except InputError as error:
                self._card.error.set_error(error, None)
                return
            self._change(categories=found, listed="public")

    def _warn(self) -> None:
        """Say that a list that is taken from the data is not private, and ask whether to take it all the same."""
        box = QMessageBox(QMessageBox.Icon.Warning, "dpdesigner", self.tr("This is not private."), parent=self.window())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setInformativeText(translated(NOT_PRIVATE))
        take = box.addButton(self.tr("Take the list all the same"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        take.clicked.connect(self._take)
        box.open()

    @Slot()
    def _take(self) -> None:
        def make(design: HistogramDesign) -> HistogramDesign:
            found = categories_in(design.path, design.column)
            return design.replace(categories=found, listed="data", counts=None)

        self._asking.ask(self.tr("Take the categories from the data"), make)
