"""The dialog that derives the sensitivity, the largest change of an answer by one row, from the query."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from dpdesigner.core.basics import sensitivity
from dpdesigner.core.basics.parsing import parse_integer
from dpdesigner.core.basics.rounding import with_decimals
from dpdesigner.core.basics.sensitivity import Neighbours, Sensitivity
from dpdesigner.desktop.base.controls import ValueBox
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import row_of, styled
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import capital
from dpdesigner.errors import InputError

_MOST_COUNTS, _MOST_ROWS = 10_000, 10**9


class SensitivityDialog(QDialog):
    """A calculator of sensitivities; it requests nothing until its button is pressed.

    Parameters
    ----------
    parent : QWidget or None
    query, period : str
        The kind of query and the sensitivity in force, of which the calculator opens on an example.
    """

    taken = Signal(str, str, str, str)  #: the kind of query, its sensitivity, how much one row may change, and the reason

    def __init__(self, parent: QWidget | None = None, query: str = "integer", period: str = "1") -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("How much can one row change the answer?"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._rows: dict[QObject, QPushButton] = {}  # the question of each box
        column = QVBoxLayout(self)
        column.setSpacing(8)
        self.neighbours = self._switch(
            column,
            self.tr("One person"),
            (("add-remove", self.tr("is added or removed")), ("replace", self.tr("is replaced by another"))),
        )
        self.number = self._box("10000", "2", self.tr("number of counts"))
        self.low, self.high = self._bounds()
        self.least, self.most = self._bounds()
        self.rows = self._box("1000000", "100", self.tr("number of values, at least"))
        self.question = self._switch(
            column,
            self.tr("You ask"),
            (
                ("count", self.tr("how many people have A and B: one count")),
                ("counts", self.tr("how many have A, how many have B, …: this many separate counts:")),
                ("histogram", self.tr("how many are in each cell, for example eleven classes of income: a histogram")),
                ("sum", self.tr("the sum of values that lie between:")),
                ("mean", self.tr("the mean of at least this many values, between:")),
            ),
            {"counts": (self.number,), "sum": (self.low, self.high), "mean": (self.rows, self.least, self.most)},
        )
        self.answer, self.reason = QLabel(), SentenceLabel("small")
        set_class(self.answer, "figure")
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.take = self._buttons.addButton(self.tr("Use it"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._buttons.accepted.connect(self._accept)
        self._buttons.rejected.connect(self.reject)
        for widget in (self.answer, self.reason, self._buttons):
            column.addWidget(widget)
        (self.high if query == "real" else self.number).show_value(period)
        self.question.button(3 if query == "real" else int(period != "1")).setChecked(True)
        self._refresh()

    def _box(self, widest: str, text: str, name: str) -> ValueBox:
        box = ValueBox(widest)
        box.show_value(text)
        box.setAccessibleName(name)
        box.setToolTip(name)
        box.textChanged.connect(self._refresh)
        return box

    def _bounds(self) -> tuple[ValueBox, ValueBox]:
        return self._box("1000000", "0", self.tr("lower bound")), self._box("1000000", "100", self.tr("upper bound"))

    def _switch(
        self,
        column: QVBoxLayout,
        heading: str,
        choices: tuple[tuple[str, str], ...],
        boxes: dict[str, tuple[ValueBox, ...]] | None = None,
    ) -> QButtonGroup:
        column.addWidget(styled("heading", heading))
        group = QButtonGroup(self)
        for place, (key, text) in enumerate(choices):
            button = QPushButton(text, autoDefault=False)
            button.setCheckable(True)
            button.setProperty("key", key)
            button.setChecked(place == 0)
            group.addButton(button, place)
            for box in (own := (boxes or {}).get(key, ())):
                self._rows[box] = button
                box.textEdited.connect(button.click)
                box.installEventFilter(self)
            column.addLayout(row_of(button, *own, None))
        group.idToggled.connect(self._refresh)
        return group

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Choose the question in whose row a box is clicked."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self._rows[watched].click()
        return super().eventFilter(watched, event)

    def computed(self) -> Sensitivity:
        """Return the sensitivity of the query, and the reason.

        Raises
        ------
        InputError
            If a box holds what cannot be used.
        """
        neighbours, question = self._neighbours(), self._key(self.question)
        if question == "counts":
            return sensitivity.separate_counts(
                parse_integer(self.number.text(), "the number of counts", 1, _MOST_COUNTS), neighbours
            )
        if question == "histogram":
            return sensitivity.histogram(neighbours)
        if question == "sum":
            return sensitivity.bounded_sum(self.low.text(), self.high.text(), neighbours)
        if question == "mean":
            rows = parse_integer(self.rows.text(), "the number of values", 1, _MOST_ROWS)
            return sensitivity.bounded_mean(self.least.text(), self.most.text(), rows, neighbours)
        return sensitivity.count(neighbours)

    @staticmethod
    def _key(group: QButtonGroup) -> str:
        button = group.checkedButton()
        return "" if button is None else str(button.property("key"))

    def _neighbours(self) -> Neighbours:
        return "replace" if self._key(self.neighbours) == "replace" else "add-remove"

    @Slot()
    def _refresh(self) -> None:
        try:
            sensitivity = self.computed()
        except InputError as error:
            self.answer.setText("Δ = ?")
            self.reason.set_sentence(capital(str(error)), "error")
            self.take.setEnabled(False)
        else:
            self.answer.setText(f"Δ = {with_decimals(sensitivity.value)}")
            self.reason.set_sentence(f"{sensitivity.query} {capital(sensitivity.reason)}".strip(), "small")
            self.take.setEnabled(sensitivity.value > 0)

    @Slot()
    def _accept(self) -> None:
        question = self._key(self.question)
        query = {"histogram": "histogram", "sum": "real", "mean": "real"}.get(question, "integer")
        found = self.computed()
        basis = f"{found.query} Δ = {with_decimals(found.value)}: {found.reason}"
        self.taken.emit(query, str(found.value), self._neighbours(), basis)
        self.accept()
