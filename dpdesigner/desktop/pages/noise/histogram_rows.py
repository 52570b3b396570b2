"""Rows of the query card for a histogram: its cells or categories, and the column that it counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFormLayout, QMessageBox, QSizePolicy, QWidget

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import cut
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.desktop.background.tables import all_columns_of, categories_of_file, chosen_table
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import ValueBox, choice_button, menu_chip, push_button, wrapped
from dpdesigner.desktop.base.labels import ErrorLine, SentenceLabel
from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, show_in
from dpdesigner.desktop.pages.kit.field import ColumnSource
from dpdesigner.errors import InputError
from dpdesigner.studies.noise import histogram_run
from dpdesigner.studies.noise.histogram_answer import NOT_PRIVATE, categories_in, listing
from dpdesigner.studies.noise.histogram_conversion import VISITS, TakenCells, column_key, counted_again, counted_as, counting
from dpdesigner.studies.noise.histogram_counts import Truth
from dpdesigner.studies.noise.histogram_design import HistogramDesign

_APPLICANTS: dict[str, Any] = {
    "name": "Applicants by department",
    "path": f"{EXAMPLE}admissions_1973.csv",
    "column": "department",
    "categories": tuple("ABCDEF"),
    "unit": "applicants",
    "privacy": PrivacyLevel.from_epsilon(1),
    "cost": "absolute",
}


class CellsRow(QWidget):
    """Buttons and boxes for the cells of a histogram, or for its list of categories; the card that contains them shows errors.

    Stored counts are dropped with the cells that they belong to.
    """

    def __init__(self, asking: AskingColumn[Any], card: Card, held: Callable[[], dict[str, Any]]) -> None:
        super().__init__()
        self._held = held
        self._asking, self._card, self._words = asking, card, self.tr("Change categories")
        self._taken, self._presenting = TakenCells(), False
        neighbours = (
            ("add-remove", self.tr("added or removed"), self.tr("Neighbouring data have one more or one fewer row: Δ = 1")),
            ("replace", self.tr("replaced"), self.tr("Neighbouring data differ in the value of one row: Δ = 2")),
        )
        numbers = self.tr("Count numbers (ages, for example) in cells that begin at these values")
        texts = self.tr("Count texts or codes (yes and no, for example), with one cell for each category in your list")
        kinds = (False, self.tr("ranges"), numbers), (True, self.tr("names"), texts)
        change = partial(asking.choose, self.tr("Change the neighbours"))
        self._neighbours = {key: choice_button(text, tip, partial(change, neighbours=key)) for key, text, tip in neighbours}
        self._kinds = {key: choice_button(text, tip, partial(self._change_kind, key)) for key, text, tip in kinds}
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setVerticalSpacing(4)
        self._form.addRow(self.tr("one row is"), wrapped(*self._neighbours.values()))
        cells, names = self._cells_row(), self._list_row()
        self._form.addRow(self.tr("cells are"), wrapped(*self._kinds.values(), self.sources))
        self._form.addRow(cells)
        self._form.addRow(names)
        self._form.addRow(self.tr("other rows"), self._others)

    def _cells_row(self) -> QWidget:
        tip = self.tr("Lower edges like 0, 18, 65, or 0..10, or 18 to 90 by 10. Choose them without looking at the data.")
        name, words = self.tr("Cells from"), self.tr("Change cells")
        box = self._asking.box("cells", self._card, "18 to 90 by 10", name, tip, words, listed=self._taken.origin, counts=None)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._size, self._cells = styled("small"), QWidget()
        row_of((box, 1), self._size, on=self._cells)
        self._asking.field("cells", partial(self._refuse, box))
        box.abandoned.connect(self._size.show)
        return self._cells

    def _list_row(self) -> QWidget:
        """Return the box of the categories; make the buttons for other rows, and for other sources of the list."""
        name, tip = (
            self.tr("Categories"),
            self.tr("Possible values, chosen without the data, spelt and capitalised as in it"),
        )
        self._list = self._asking.box("categories", self._card, "yes, no, perhaps", name, tip, self._words, counts=None)
        self._list.setPlaceholderText(self.tr("for example: yes, no"))
        self._list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        others = (
            ("other", self.tr("counted"), self.tr("All other rows, also empty ones, are counted in one more cell, “any other”")),
            ("refuse", self.tr("refused"), self.tr("Nothing is counted if any row has another value")),
        )
        change = partial(self._asking.choose, self._words, counts=None)
        self._outside = {key: choice_button(text, tip, partial(change, outside=key)) for key, text, tip in others}
        sources = (
            (self.tr("From a file that lists them…"), self._open_list),
            (self.tr("From the data: not private…"), self.warn),
        )
        self.sources = menu_chip("···", self.tr("Source of the list of categories"), sources)
        self.sources.setAccessibleName(self.tr("Source of the list"))
        self._others = wrapped(*self._outside.values())
        return self._list

    def set_design(self, design: HistogramDesign) -> None:
        """Mark the chosen buttons of a histogram, and show only those that it needs."""
        texts = design.categories is not None
        self._taken.show(design)
        if texts:
            self._held()["names"] = design  # whose list comes back
        chosen = (self._neighbours, design.neighbours), (self._kinds, texts), (self._outside, design.outside)
        for buttons, value in chosen:
            for key, button in buttons.items():
                button.setChecked(key == value)
        for part, on in ((self._cells, not texts), (self._list, texts), (self._others, texts)):
            self._form.setRowVisible(part, on)
        self.sources.setVisible(texts and not self._presenting)
        self.sources.menu().actions()[1].setEnabled(bool(design.path))
        self._size.setText(self.tr("✓ 1 cell") if design.size == 1 else self.tr("✓ {count} cells").format(count=design.size))
        self._size.show()

    def set_presenting(self, on: bool) -> None:
        self._presenting = on
        self.sources.setVisible(not on and self._form.isRowVisible(self._list))

    def _refuse(self, box: ValueBox, error: InputError) -> None:
        show_in(self._card, box, error)
        self._size.hide()  # the number of cells in force is not that of what was typed

    def _change_kind(self, texts: bool) -> None:
        def make(design: HistogramDesign) -> HistogramDesign:
            changed = (design.categories is not None) != texts
            named = ((), self._held().get("names")) if texts else (None,)
            return design.replace(**counted_as(design, *named), counts=None) if changed else design

        self._asking.choose(self._words, make)

    def _open_list(self) -> None:
        if path := chosen_table(self.tr("A file that lists the categories"), self):
            with self._card.error.saying():
                self._asking.change(self._words, categories=categories_of_file(path, self), listed="public", counts=None)

    @Slot()
    def type_names(self) -> None:
        self._list.setFocus()

    @Slot()
    def warn(self) -> None:
        """Warn that it is not private to take the names from the data, and take them if that is confirmed."""
        box = QMessageBox(QMessageBox.Icon.Warning, "dpdesigner", self.tr("This is not private."), parent=self.window())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setInformativeText(translated(NOT_PRIVATE))
        take = box.addButton(self.tr("Use the list anyway"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        take.clicked.connect(self._take)
        box.open()

    @Slot()
    def _take(self) -> None:
        def make(design: HistogramDesign) -> HistogramDesign:
            return design.replace(categories=categories_in(design.path, design.column), listed="data", counts=None)

        self._asking.ask_by_job(self.tr("Take the categories from the data"), make)


class DataRow(QWidget):
    """The column that a histogram counts, with sentences about it; a table can be dropped on `around`."""

    def __init__(self, asking: AskingColumn[Any], around: QWidget, held: Callable[[], dict[str, Any]]) -> None:
        super().__init__()
        self._asking, self._around, self._held, self._failure = asking, around, held, ""  # why nothing is counted
        of, column = self.tr("One row per person"), self.tr("Column to count")
        question = self.tr("Which column of {name}? It becomes a histogram with noise that may be published.")
        self.source = ColumnSource(around, of, column, ("", {}), offered=all_columns_of, question=question, described=True)
        self.source.changed.connect(self._change_source)
        self.listing, self.misfit = SentenceLabel("small"), ErrorLine()
        self.misfit.field = asking.boxes["cells"]
        words, tip = self.tr("Call it public"), self.tr("Say that it was known without the data")
        self.public = push_button(words, tip, partial(asking.choose, words, listed="public"), padding="2px 7px")
        self._taken = wrapped(self.public)
        column_of(self.source, self.source.error, self.misfit, self.listing, self._taken, on=self, gap=4)

    def show_row(self, on: bool) -> None:
        self.setVisible(on)
        self._around.setAcceptDrops(on)

    def set_design(self, before: object, design: HistogramDesign) -> None:
        """Show the source of the data; clear an error about reading other data; remember what its column is counted in."""
        self._held().setdefault("columns", {})[column_key(design.path, design.column)] = design
        if not isinstance(before, HistogramDesign) or before.source != design.source:
            self._failure = ""
        elif before.listed == design.listed:
            return
        if design.categories is None:
            self.source.offer_example(self.tr("Visits to a doctor in 20 190 person-years; included in the program"), VISITS)
        else:
            self.source.offer_example(self.tr("Departments that 4 526 people applied to; included in the program"), _APPLICANTS)
        self.source.show_source(design.column, translated(histogram_run.source(design)), design.path)
        usual = design.categories and (design.listed, design.outside) == ("public", "other")
        self.listing.set_sentence("" if usual else translated(listing(design)))
        self._taken.setVisible(design.listed == "data")

    def show_truth(self, design: Any, truth: Truth | None) -> None:
        """Suggest cells that fit the data if the current ones do not, and warn that such cells are not private."""
        if truth is not None:
            self._held()["counted"], self._failure = design, ""
            self.source.error.clear()
        problem, label, changes = histogram_run.misfit(design, truth)
        use, style = (self.tr("Use {cells}").format(**changes), "small") if changes else ("", "caution")
        self.misfit.set_remedy(translated(problem), use, partial(self._asking.change, translated(label), **changes), style)

    def show_failure(self, reason: str) -> None:
        """Show why nothing is counted, and offer what was counted last; no input is refused."""
        self._failure, last, design = reason, self._held().get("counted"), self._asking.design
        keep = "" if last is None else self.tr("Keep {column}").format(column=cut(last.column, 30))
        if last is not None and isinstance(design, HistogramDesign) and last.categories and not design.categories:
            keep = self.tr("Use names") if last.source[1:3] == design.source[1:3] else keep
        self.source.error.set_remedy(reason, keep, partial(self._asking.change, keep, **counted_again(last)), "caution")

    def set_presenting(self, on: bool) -> None:
        self.source.error.set_sentence("" if on else self._failure, "caution")
        self.source.setVisible(not on)
        self.public.setHidden(on)

    @Slot(object, str)
    def _change_source(self, changes: Mapping[str, Any], words: str) -> None:
        known, example = dict(self._held()["columns"]), str(changes.get("path", "")).startswith(EXAMPLE)
        ask = self._asking.ask if example else self._asking.ask_by_job
        ask(words, lambda design: counting(design, changes, known))
