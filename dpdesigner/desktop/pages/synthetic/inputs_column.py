"""The left column of the page: the choice of question, and below it the inputs of that kind of design."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QWidget

from dpdesigner.core.basics.parsing import exact, nearest
from dpdesigner.core.basics.rounding import brief, group_thousands
from dpdesigner.desktop.base.card import Card, Folding, GivesWay
from dpdesigner.desktop.base.controls import MoreRow, choice_button, named, push_button, wrapped
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import ColumnLayout
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.declared import DeclaredAsking
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, Made, PrivacyCard, show_in
from dpdesigner.desktop.pages.kit.field import ColumnField
from dpdesigner.desktop.pages.kit.fields import EpsilonField
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.fields import WARNING
from dpdesigner.studies.registry import entry, page_of
from dpdesigner.studies.synthetic import statements
from dpdesigner.studies.synthetic.design import IntervalDesign


class IntervalAsking(AskingColumn[IntervalDesign]):
    """Cards for the column, the privacy and the method."""

    aimed = Signal()  #: the user wants the epsilon whose error bound is the target error

    def __init__(self) -> None:
        super().__init__()
        self._presenting, self._cells = False, ""
        self._asked = {each.key: each for each in IntervalDesign.inputs()}
        self.source = ColumnField(self._asked["column"])
        self.source.changed.connect(partial(self._take, "column"))
        self.source.changing.connect(lambda column: self.change("", column=column))
        self.source.cancelled.connect(self.previewCancelled)
        self.add(self.source, "column", "file", "path")
        self._cells_row()
        self.privacy = PrivacyCard(self)
        self.privacy.control.leave_alpha_out()
        self.add(self.privacy)
        self._aim_rows()
        self.way = Card(self.tr("Method"), foldable=True)
        self.add(self.way, "method")
        self._way_rows()
        self.column.addStretch(1)

    def _cells_row(self) -> None:
        axis, cells = self.tr("Change the axis"), self.tr("Change the cells")
        tip = self.tr("The range of the axis, chosen in advance and not from the data")
        low = self.box("low", self.source, "1000000", self.tr("From"), tip, axis)
        high = self.box("high", self.source, "1000000", self.tr("To below"), tip, axis)
        bits = self.box("bits", self.source, "16384", self.tr("Number of cells"), self.tr("A power of two, up to 2^20"), cells)
        self._axis = wrapped(named(self.tr("From"), low), named(self.tr("To"), high), named(self.tr("Cells"), bits))
        self._note = SentenceLabel("small")
        self._note.setToolTip(self.tr("Each cell excludes its upper end. Choose the cells without looking at the data."))
        self.clamping = QCheckBox(self.tr("Clamp rows outside"))
        self.clamping.setToolTip(self.tr("Count them in the nearest cell"))
        self.clamping.clicked.connect(self._clamp)
        self.source.add(self._axis)
        self.source.add(self._note)
        self.source.add(self.clamping)
        self.field("outside", partial(show_in, self.source, None))

    def _aim_rows(self) -> None:
        tip, words = self.tr("A share of the rows; α of bisection"), self.tr("Aim for an error")
        aim = self.box("error", self.privacy, "0.0001", self.tr("Error to aim for"), tip, words)
        tip, words = self.tr("The probability that the error bound fails"), self.tr("Change the failure probability")
        sure = self.box("delta", self.privacy, "0.0001", self.tr("Failure probability"), tip, words)
        tip = self.tr("Find the least ε at which the error bound is this small for the same number of rows")
        button = push_button(self.tr("Find ε"), tip, self._find)
        self._aim = wrapped(named(self.tr("Aim for error"), aim), button, named(self.tr("Failure probability"), sure))
        self.privacy.add(self._aim)
        self.neighbours = self._buttons("neighbours")
        self._with = wrapped(*self.neighbours.values())
        self.privacy.add(self._with)

    def _way_rows(self) -> None:
        self.ways = self._buttons("method")
        self._how = SentenceLabel("small")
        tip = self.tr("Empty: noise from the system’s entropy. A number: the same noise every time, for study only")
        seed = self.box("seed", self.way, "1234567890", self.tr("Seed"), tip, self.tr("Change the seed"))
        self._seed = wrapped(named(self.tr("Seed, for study only"), seed))
        self.way.add(wrapped(*self.ways.values()))
        self.way.add(self._how)
        self.way.add(self._seed)
        self.telling = self._buttons("real_errors")
        self._tell = wrapped(QLabel(self.tr("its measured error")), *self.telling.values())
        self._warning = SentenceLabel("error")
        self.way.add(self._tell)
        self.way.add(self._warning)

    def _buttons(self, key: str) -> dict[str, QPushButton]:
        """A button for each choice of an input."""
        given = self._asked[key]
        options: Sequence[tuple[str, str]] = given.input.options  # type: ignore[attr-defined]  # a choice
        chosen = partial(self._choose, translated(given.undo), key)
        return {value: choice_button(translated(text), "", partial(chosen, value)) for value, text in options}

    # Display -----------------------------------------------------------------------------------------------------------

    def show_design(self, before: IntervalDesign | None, design: IntervalDesign) -> None:
        self.source.set_axis(nearest(design.cells.low), nearest(design.cells.high))
        self.source.show_value(design.column)
        self.source.show_line(design.column)
        self.privacy.set_level(design.privacy)
        width, cells = brief(nearest(design.cells.width)), group_thousands(1 << design.bits)
        note = self.tr("{cells} cells, {width} wide")
        self._cells = note.format(width=width, cells=cells)
        self.tell("")
        self.clamping.setChecked(design.outside == "clamp")
        self.clamping.setVisible(design.outside == "clamp")
        self._warn()
        self._how.set_sentence(translated(statements.HOW[design.method]))
        self.way.set_line(self.tr("Method: {way}").format(way=self.ways[design.method].text()))
        self.restore()

    def _warn(self) -> None:
        """Warn if files will contain the measured error; while presenting, only the badge says so."""
        design = self.design
        self._warning.set_sentence(translated(WARNING) if design is not None and design.tells and not self._presenting else "")

    def restore(self) -> None:
        if self.design is not None:
            choices = {"method": self.ways, "neighbours": self.neighbours, "real_errors": self.telling}
            for key, buttons in choices.items():
                for value, button in buttons.items():
                    button.setChecked(value == self.design.input_named(key).of(self.design))

    def show_error(self, error: InputError) -> None:
        """Show an error; offer to clamp rows outside the range."""
        super().show_error(error)
        if error.field == "outside" and error.suggestion:
            words, change = self.tr("Clamp {count} rows"), partial(self.change, self.tr("Clamp rows outside"), outside="clamp")
            self.source.error.set_remedy(str(error), words.format(count=error.suggestion), change)

    def tell(self, moved: str) -> None:
        """Show the cells, and the number of rows that were left out or clamped."""
        self._note.set_sentence("" if self._presenting else moved or self._cells)

    def set_presenting(self, on: bool) -> None:
        self._presenting = on
        for widget in (self._axis, self._note, self._aim, self._with, self._seed, self._tell):
            widget.setVisible(not on)
        self._warn()
        self.source.set_presenting(on)
        self.privacy.control.set_presenting(on)

    def cards_to_tour(self) -> list[tuple[QWidget, str, str]]:
        real = self.tr("This column never leaves your computer. Choose the axis and its cells without looking at the data.")
        closer = self.tr("Drag the slider: larger ε is closer to the real column, smaller ε hides each row better.")
        five = self.tr("Five methods at the same ε. Two always have an error bound in advance; bisection needs enough rows.")
        return [
            (self.source, self.tr("The real column"), real),
            (self.privacy, self.tr("How private"), closer),
            (self.way, self.tr("Method"), five),
        ]

    # Inputs ------------------------------------------------------------------------------------------------------------

    def _take(self, key: str, value: object, label: str) -> None:
        # The example's seed applies only to the example: the user's own column is released with fresh, unseeded noise.
        other = {"seed": None, "outside": "refuse"}
        if callable(value):  # it reads a file
            self.ask_by_job(label, lambda design: design.replace(**{key: value(), **other}), key)
        else:
            self.ask(label, lambda design: design.replace(**{key: value, **other}), key)

    def _choose(self, label: str, key: str, value: str) -> None:
        if self.design is not None and self.design.input_named(key).of(self.design) == value:
            self.restore()
        else:
            self.ask(label, lambda design: design.replace(**{key: value}))

    @Slot()
    def _find(self) -> None:
        """Request the epsilon for the target error in the field; if the input is invalid, the field says why."""
        design, typed = self.design, self.boxes["error"].text().strip()
        if design is None:
            return
        try:
            valid = design.replace(error=typed)
        except InputError as error:
            self.show_error(error)
            return
        if valid != design:
            self.change(self.tr("Aim for an error"), error=typed)
        self.aimed.emit()

    @Slot()
    def _clamp(self) -> None:
        self.change(self.tr("Clamp rows outside"), outside="clamp" if self.clamping.isChecked() else "refuse")

    def aim(self, epsilon: object) -> None:
        """Request the epsilon that was computed for the target error."""
        value = f"{float(exact(str(epsilon))):g}"
        if self.design is not None and exact(str(self.design.epsilon)) != exact(value):
            self.ask(self.tr("Aim for an error"), lambda design: design.replace(epsilon=value))


#: What each kind generates.
QUESTIONS = {
    "synthetic": message("A column"),
    "rectangle": message("Two columns"),
    "net": message("Small database"),
    "halfspace": message("Linear rules"),
    "sizes": message("Sample sizes"),
}

#: By the end of an axis at which an error is shown, the column whose axis it is, and its ends.
_AXES = {end: (field, ends) for field, ends in (("first", ("low", "high")), ("second", ("low2", "high2"))) for end in ends}

_RARE = ("net", "halfspace", "sizes")  # under “More”, for teaching

Column = IntervalAsking | DeclaredAsking


class SyntheticAsking(QWidget):
    """The inputs of a design of any of the page's kinds; requests changed designs, of other kinds too.

    Parameters
    ----------
    start : callable
        Gives the design that a kind starts from.
    held : callable
        Gives the newest design of each kind that the design was here.
    """

    previewed = Signal(object)
    changed = Signal(object, str)
    previewCancelled = Signal()
    requested = Signal(object)
    refusing = Signal(bool)
    aimed = Signal()

    def __init__(self, start: Callable[[str], Any], held: Callable[[], Mapping[str, Any]]) -> None:
        super().__init__()
        self._start, self._held = start, held
        self._columns: dict[str, Column] = {}
        self._foldings: dict[str, Folding] = {}
        self._presenting = False
        self._kind = ""
        self._card = Card()
        self.kinds = {
            known: push_button(translated(QUESTIONS[known]), "", partial(self._choose, known), checkable=True, padding="4px 7px")
            for known in page_of("synthetic").kinds
        }
        first = [button for known, button in self.kinds.items() if known not in _RARE]
        rare = [button for known, button in self.kinds.items() if known in _RARE]
        self._card.add(MoreRow(*first, more=rare, text=self.tr("More ▾")))
        self._card.setVisible(len(self.kinds) > 1)
        self._card.setAccessibleName(self.tr("Kind of data"))
        self._layout = ColumnLayout(self)
        self._layout.addWidget(self._card)
        self._column("synthetic")

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of declared inputs of the current kind."""
        return column.fields if isinstance(column := self.shown, DeclaredAsking) else {}

    @property
    def shown(self) -> Column:
        """The input column of the current kind."""
        return self._column(self._kind or "synthetic")

    def _column(self, kind: str) -> Column:
        if kind not in self._columns:
            inputs, own = entry(kind).study_class().asked(), {"epsilon": EpsilonField}
            column: Column = IntervalAsking() if kind == "synthetic" else DeclaredAsking(inputs, own)
            column.previewed.connect(self.previewed)
            column.changed.connect(self.changed)
            column.previewCancelled.connect(self.previewCancelled)
            column.requested.connect(self.requested)
            column.refusing.connect(self.refusing)
            parts: Sequence[GivesWay] = column.cards[:0:-1] if kind == "sizes" else column.cards[::-1]  # its question stays
            if isinstance(column, IntervalAsking):
                column.aimed.connect(self.aimed)
                parts = column.privacy.control, column.way, column.source
            self._columns[kind], self._foldings[kind] = column, Folding(self, parts)
            self._layout.addWidget(column, 1)
        return self._columns[kind]

    def set_design(self, design: Any) -> None:
        """Show a design in the input column of its kind."""
        self._kind = design.kind
        shown = self.shown
        for kind, column in self._columns.items():
            column.setVisible(column is shown)
            self._foldings[kind].set_on(column is shown and not self._presenting)
        for known, button in self.kinds.items():
            button.setChecked(known == design.kind)
        shown.set_design(design)
        self.change = shown.change  # of several inputs at once

    def take_made(self, made: Made) -> None:
        """Accept a design that a job made."""
        self.shown.take_made(made)

    def show_error(self, error: InputError) -> None:
        """Show errors next to their controls; offer to leave out rows without a number, or a range that has all rows."""
        for other in error.others:
            self.show_error(other)
        self.shown.show_error(error)
        field, axis = _AXES.get(error.field, (error.field, ()))
        card = self.shown.source if isinstance(self.shown, IntervalAsking) else self.shown.fields.get(field)
        if axis and card is not None and len(ends := error.suggestion.split(" to ")) == 2:
            words = self.tr("Use {low} to {high}").format(low=ends[0], high=ends[1])
            change = partial(self.shown.change, self.tr("Change the axis"), **dict(zip(axis, ends, strict=True)))
            card.error.set_remedy(str(error), words, change)
        if error.field in ("column", "first", "second", "points") and error.suggestion.isdigit() and card is not None:
            words = self.tr("Leave out 1 row") if error.suggestion == "1" else self.tr("Leave out {count} rows")
            make: Callable[[Any], Any] = lambda design: design.leaving_out()  # noqa: E731
            change = partial(self.shown.ask, self.tr("Leave out rows"), make)
            card.error.set_remedy(str(error), words.format(count=error.suggestion), change)

    def give_up(self) -> None:
        """Discard typed input that was rejected."""
        self.shown.give_up()

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Request the value to which a handle was dragged."""
        self.shown.drag(target, place, final)

    def place(self, target: str) -> float | None:
        """Return the position of the handle of an input."""
        return self.shown.place(target)

    def set_presenting(self, on: bool) -> None:
        self._card.setVisible(len(self.kinds) > 1 and not on)
        for column in self._columns.values():
            column.set_presenting(on)
        self._presenting = on
        self._foldings[self._kind or "synthetic"].set_on(not on)

    def _choose(self, kind: str, checked: bool = False) -> None:
        if kind == self._kind:
            self.kinds[kind].setChecked(True)
            return
        design = self._held().get(kind) or self._start(kind)
        self.changed.emit(design, self.tr("Ask about {what}").format(what=translated(QUESTIONS[kind])))
