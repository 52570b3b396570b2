"""The left of a page: cards that show a design and request changes, and the privacy card.

A column asks by way of `AskingColumn.ask`: with a function that makes another design of the one in force, and the words of the
undo step. What cannot be is refused in one sentence beside its control, and what is in force is shown again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesigner.core.basics.level import USUAL_RATE, PrivacyLevel, advantage, bet, found_out
from dpdesigner.core.basics.parsing import Number, exact
from dpdesigner.core.basics.rounding import as_typed
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import ValueBox, value_box
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.base.layouts import ColumnLayout
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.editors.privacy_control import DeltaRow, PrivacyControl
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.base import DeclaredDesign
from dpdesigner.studies.number_inputs import Range
from dpdesigner.studies.plot_parts import EPSILONS
from dpdesigner.studies.study import Aim, Job, Progress

D = TypeVar("D", bound=DeclaredDesign)
ShowError = Callable[[InputError], None]


@dataclass(frozen=True, eq=False)
class Made:
    """The design that a job made from the previous one, or the reason why it made none."""

    label: str
    make: Callable[[Any], Any]
    beside: str
    before: Any
    design: Any
    error: InputError | None = None


class AskingColumn(QWidget, Generic[D]):
    """Stacked cards that show a design and request changes.

    A column puts its cards in with `add`, overrides `show_design`, and where something is to be shown again after a refusal
    `restore`.
    """

    previewed = Signal(object)  #: a design to show while a drag lasts
    changed = Signal(object, str)  #: a design to make the current one, and the words of the undo step
    previewCancelled = Signal()  #: the drag was cancelled
    requested = Signal(object)  #: a `Job` that makes a design; its outcome is for `take_made`
    refusing = Signal(bool)  #: whether an error about an input is shown

    epsilon_as: Callable[[str], object] = str  #: converts a dragged epsilon to the design's input

    def __init__(self) -> None:
        super().__init__()
        self.column = ColumnLayout(self)
        self.cards: list[Card] = []
        self.design: D | None = None
        self.boxes: dict[str, ValueBox] = {}  #: those of `box`, by input
        self._fields: dict[str, ShowError] = {}
        self._refused = False  # whether a message about a refused input is shown

    def add(self, card: Card, *fields: str, stretch: int = 0, box: ValueBox | None = None) -> None:
        """Put a card below the others.

        Parameters
        ----------
        card : Card
        *fields : str
            Errors of these, as `InputError.field` names them, are shown in the card; in the first card those of all others too.
        stretch : int
            How much of the room left over it takes.
        box : ValueBox, optional
            The box of these fields; an error outlines it and may offer what mends it.
        """
        self.column.addWidget(card, stretch)
        self.cards.append(card)
        for name in fields:
            self.field(name, partial(show_in, card, box))

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls."""

    def _lines(self) -> set[ErrorLine]:
        """Return where errors are shown, also in cards that another column shows."""
        return {line for part in (self, *self.cards) for line in part.findChildren(ErrorLine)}

    def field(self, name: str, show: ShowError) -> None:
        """Set how errors of a field are shown."""
        self._fields[name] = show

    def set_design(self, design: D) -> None:
        """Show a design; clear earlier errors."""
        before, self.design, self._refused = self.design, design, False
        for card in self.cards:
            card.set_error("")
        if before != design:
            for line in self._lines():
                if before is None:
                    line.said.connect(self._said)
                else:
                    line.clear()
        for asked in design.inputs() if self.boxes else ():
            if asked.key in self.boxes:
                self.boxes[asked.key].show_value(asked.input.text(asked.of(design)))
        self.show_design(before, design)

    def show_design(self, before: D | None, design: D) -> None:
        """Show the inputs of a design; unchanged ones need not be shown again."""
        raise NotImplementedError

    def restore(self) -> None:
        """Show the current values in controls that show refused ones; boxes keep the typed text."""

    def show_error(self, error: InputError) -> None:
        """Show an error next to the control of its field; it calls the field by its label."""
        show, error = self._fields.get(error.field), self._labelled(error)
        if show is None:
            show_in(self.cards[0], None, error)
        else:
            show(error)

    @Slot(bool)
    def _said(self, error: bool) -> None:
        self.refusing.emit(error or any(line.refuses for line in self._lines()))

    def _labelled(self, error: InputError) -> InputError:
        """Return an error that begins with the label of an input instead of a name that the page does not show."""
        declared = () if self.design is None else (*self.design.asked(), *self.design.inputs())
        asked = next((each for each in declared if each.key == error.field), None)
        if asked is None:
            return error
        name, label = asked.input.symbol or asked.key, translated(asked.label)
        shown = name in label.casefold().split() or (
            not name.isascii() and isinstance(asked.input, Range) and bool(asked.input.try_)
        )
        if shown or not str(error).startswith(f"{name} must"):
            return error
        called = label if len(label) == 1 else f"“{label}”"
        return InputError(f"{called}{str(error)[len(name) :]}", error.field, error.suggestion)

    def give_up(self) -> None:
        """Clear the error about a refused input."""
        if self._refused:
            self._refused = False
            for line in self._lines():
                line.clear()

    def ask(self, label: str, make: Callable[[D], D], beside: str = "") -> None:
        """Request the design that `make` returns, as a preview if the label is empty, or show why it is not possible.

        Parameters
        ----------
        label : str
            The words of the undo step.
        make : callable
            Gives the new design for the one in force, at once; what reads a file goes through `ask_by_job`.
        beside : str
            The field beside which an error is shown, whatever field it names.
        """
        if self.design is None:
            return
        try:
            design = make(self.design)
        except Cancelled:
            self.restore()
            return
        except InputError as error:
            self._refuse(error, beside)
            return
        if label:
            self.changed.emit(design, label)
        else:
            self.previewed.emit(design)

    def ask_by_job(self, label: str, make: Callable[[D], D], beside: str = "") -> None:
        """Request a design like `ask`, for one that takes longer than a frame to make: a `Job` makes it in another thread.

        Like all that the user waits for it goes before what is computed in the slow lane of the design that it replaces.
        """
        before = self.design
        if before is None:
            return

        def run(progress: Progress) -> Made:
            try:
                return Made(label, make, beside, before, make(before))
            except InputError as error:
                return Made(label, make, beside, before, None, error)

        self.requested.emit(Job("design", run, live=False, title=self.tr("Checking what was chosen")))

    def take_made(self, made: Made) -> None:
        """Use the result of `ask_by_job`; if the design has changed meanwhile, make it again from the newer one."""
        if made.before is not self.design:
            self.ask_by_job(made.label, made.make, made.beside)
        elif made.error is not None:
            self._refuse(made.error, made.beside)
        else:
            self.changed.emit(made.design, made.label)

    def _refuse(self, error: InputError, beside: str) -> None:
        """Show the current values again, and next to the control why the new one is not possible."""
        self.restore()
        for line in self._lines():
            line.clear()
        for key, box in self.boxes.items():
            if key != (beside or error.field):
                box.give_up()
        self._refused = True
        self.show_error(error if beside in ("", error.field) else InputError(str(error), beside))

    def change(self, label: str, **changes: object) -> None:
        """Request the current design with some inputs changed."""
        self.ask(label, lambda design: design.replace(**changes))

    def take(self, key: str, value: Any, label: str = "") -> None:
        """Request another value of an input, as a preview without a label; a function that gives the value is called by a job."""
        if callable(value):
            self.ask_by_job(label, lambda design: design.replace(**{key: value()}), key)
        else:
            self.ask(label, lambda design: design.replace(**{key: value}))

    def settle(self, box: ValueBox) -> None:
        """Show in a box what its text was taken as: 1024 for 1000 rows, 20% for 0.2."""
        if not self._refused:
            box.give_up()

    def follow(self, editor: Any, key: str) -> None:
        """Request what an editor gives as the value of an input, by its signals `changing`, `changed` and `cancelled`."""
        editor.changing.connect(partial(self.take, key))
        editor.changed.connect(partial(self.take, key))
        editor.cancelled.connect(self.previewCancelled)

    def box(
        self, key: str, card: Card, sample: str, name: str, tip: str, words: str, empty: str = "", **also: object
    ) -> ValueBox:
        """Return a box that shows a declared input, and in which it is typed; the card shows errors next to it.

        Parameters
        ----------
        key : str
            The name of the input.
        card : Card
            What the box will be in.
        sample, name, tip : str
            As for `value_box`.
        words : str
            Those of the undo step.
        empty : str
            Shown in an empty box.
        **also
            Other inputs that change with it: values, or functions of the text.
        """

        def typed(text: str) -> None:
            if self.design is not None and any(each.key == key for each in self.design.inputs()):  # an undo may hide the box
                more = {name: value(text) if callable(value) else value for name, value in also.items()}
                self.change(words, **{key: text.strip(), **more})
                self.settle(made)

        made = self.boxes[key] = value_box(sample, name, tip, typed)
        made.setPlaceholderText(empty)
        self.field(key, partial(show_in, card, made))
        return made

    def slider(
        self, last: int, name: str, words: str, says: Callable[[], str], at: Callable[[int], Mapping[str, object]]
    ) -> GestureSlider:
        """Return a slider for inputs.

        Parameters
        ----------
        last : int
            Its last step.
        name, words : str
            What it is called for screen readers, and the words of the undo step.
        says, at : callable
            Give the quantity in words, and the changed inputs for a step.
        """
        made = GestureSlider(last, 1, max(last // 20, 1))
        made.says = says
        made.setAccessibleName(name)
        made.moving.connect(lambda step: self.change("", **at(step)))
        made.moved.connect(lambda step: self.change(words, **at(step)))
        made.cancelled.connect(self.previewCancelled)
        return made

    def choose(self, label: str, make: Callable[[D], D] | None = None, **changes: object) -> None:
        """Request a change, or what `make` returns, by a button, which shows the choice only after it takes effect."""
        self.restore()
        self.ask(label, make or (lambda design: design.replace(**changes)))

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Request the value to which an input's handle in a plot was dragged, as a preview until the drag ends."""
        if target == "epsilon":
            self.change(self.tr("Change epsilon") if final else "", epsilon=self.epsilon_as(as_typed(place)))

    def place(self, target: str) -> float | None:
        """Return the current position of an input's handle; None if it has none."""
        design: Any = self.design
        if target != "epsilon" or design is None:
            return None
        least, most = EPSILONS
        return min(max(float(design.privacy.epsilon_above), least), most)


def show_in(card: Card, box: ValueBox | None, error: InputError) -> None:
    """Show a sentence below the contents of a card, and outline the box that it concerns."""
    card.error.set_error(error, box)


#: The initial value of the link, because an empty box would request nothing.
_FIRST_DELTA = "0.01"


class PrivacyCard(Card):
    """The controls for privacy; requests designs with another `privacy` from the column that contains it.

    Parameters
    ----------
    asking : AskingColumn
        Whose designs have a `privacy`.
    target : bool
        Whether an expected loss can be aimed for; then `targetWanted` is emitted, and `control` is told what can be reached.
    delta : bool
        Whether designs have a `delta`, and a risk can be aimed for.
    """

    targetWanted = Signal(float, bool)  #: an expected loss to reach; whether the drag has ended

    def __init__(self, asking: AskingColumn[Any], target: bool = False, delta: bool = False) -> None:
        super().__init__(self.tr("How private"), self.tr("ε"))
        self._asking = asking
        self._level: PrivacyLevel | None = None
        self.control = control = PrivacyControl(target, delta)
        self._add_delta = QPushButton(self.tr("+ δ"), self)
        self._add_delta.hide()
        if control.delta is not None:
            self._offer_delta(control.delta)
        control.mended = self._mended
        asking.follow(control, "privacy")
        control.target.cancelled.connect(asking.previewCancelled)
        control.target.changing.connect(lambda target: self.targetWanted.emit(target, False))
        control.target.changed.connect(lambda target: self.targetWanted.emit(target, True))
        self.add(control)
        asking.field("target", control.target.set_error)
        for name in ("epsilon", "alpha"):
            asking.field(name, control.show_error)

    def _offer_delta(self, row: DeltaRow) -> None:
        set_class(self._add_delta, "link")
        self._add_delta.setAccessibleName(self.tr("Add delta"))
        self._add_delta.setToolTip(self.tr("Allow a δ that ε does not cover: (ε, δ)-differential privacy"))
        self._add_delta.clicked.connect(self._begin_delta)
        self.header.addWidget(self._add_delta)
        self.header.addWidget(row.more)
        self._add_delta.show()
        row.more.hide()
        row.changed.connect(self._change_delta)
        row.furtherChanged.connect(lambda further: self._asking.change(self.tr("Set further levels"), further=further))
        self._asking.field("privacy", row.show_error)
        self.control.bothTyped.connect(self._change_both)
        self.control.target.riskChanging.connect(lambda risk: self._aim_for_risk(risk, ""))
        self.control.target.riskChanged.connect(lambda risk: self._aim_for_risk(risk, self.tr("Aim for a risk")))
        self._asking.field("delta", row.show_error)
        self._asking.field("aim", self.control.target.set_error)

    def set_delta(
        self, delta: Number | None, further: str | Sequence[tuple[Number, Number]], won: Fraction | float | None, rows: int
    ) -> None:
        """Show delta in its own box, the further guarantees, and the largest probability of winning a bet on one of the rows."""
        self.control.set_delta(delta, won, rows)
        if self.control.delta is not None:
            self.control.delta.show_further(further)
            self.control.delta.more.setHidden(delta is None)
        self._add_delta.setHidden(self.control.delta is None or delta is not None)
        self.set_word(self.tr("ε") if delta is None else self.tr("ε, δ"))
        if self._level is not None and (alpha := self._level.alpha_below):
            ratio, uncovered = 1 / alpha, Fraction(0) if delta is None else exact(delta)
            least, rate = Fraction(1), USUAL_RATE
            self.control.target.set_risks(
                {
                    "found_out": (found_out(ratio, uncovered, rate), found_out(least, uncovered, rate)),
                    "bet": (bet(ratio, uncovered), bet(least, uncovered)),
                    "advantage": (advantage(ratio, uncovered), advantage(least, uncovered)),
                }
            )

    @Slot()
    def _begin_delta(self) -> None:
        self._asking.change(self.tr("Add δ"), delta=_FIRST_DELTA)
        if self.control.delta is not None:
            self.control.delta.box.begin()

    @Slot(object)
    def _change_delta(self, typed: str | None) -> None:
        if typed is None:
            self._asking.change(self.tr("Remove δ"), delta=None)
        else:
            self._asking.change(self.tr("Set δ to {number}").format(number=typed.strip()), delta=typed.strip())

    @Slot(str, str)
    def _change_both(self, epsilon: str, delta: str) -> None:
        label = self.tr("Set ε to {epsilon}, δ to {delta}").format(epsilon=epsilon, delta=delta)
        self._asking.change(label, epsilon=epsilon, delta=delta)

    def _aim_for_risk(self, risk: Fraction, label: str) -> None:
        self._asking.change(label, aim=(self.control.target.risk, str(risk)))

    def set_attained(self, asked: PrivacyLevel, attained: PrivacyLevel | None, of_what: str) -> None:
        """Show the attained privacy in words, and what attains it, if it differs from the requested level."""
        self.control.set_attained(None if attained == asked else attained, of_what)

    def set_level(self, level: PrivacyLevel) -> None:
        """Show a privacy level; clear earlier errors about a level or an aim."""
        self.control.clear_errors()
        self._level = level
        self.control.set_privacy(level)
        self.set_line(level.description)

    def set_costs(self, cost: float, others: Iterable[float], squared: bool = False) -> None:
        """Show an expected loss, or its root, and let the slider aim between those of other levels, in equal ratios."""
        reached = [other for other in others if 0 < other < math.inf] or [math.nan]
        self.control.target.set_range(min(reached), max(reached), ratios=True)
        self.control.target.set_value(cost, 4, squared)  # digits, as in the header

    def aim_by(self, aiming: Callable[[Any, float, bool], Job], request: Callable[[Job], object]) -> None:
        """Set the job that finds the level, for a design, a target and whether it is final; `reach` takes its result."""

        def aim(target: float, final: bool) -> None:
            if self._asking.design is not None:
                request(aiming(self._asking.design, target, final))

        self.targetWanted.connect(aim)

    def reach(self, aim: Aim) -> None:
        """Request the level found for an aim."""
        label = self.tr("Aim for expected error") if aim.final else ""
        self._asking.change(label, privacy=aim.level)

    def _mended(self, error: InputError) -> InputError:
        """Suggest a level that the current design allows: it may not allow all levels."""
        if self._asking.design is None or not error.suggestion:
            return error
        try:
            self._asking.design.replace(privacy=PrivacyLevel("alpha" if error.field == "alpha" else "epsilon", error.suggestion))
        except InputError as narrower:
            if error.field == "alpha":
                return InputError(str(error), error.field)
            allowed, given = (str(said).rpartition(", got ") for said in (narrower, error))
            return InputError("".join((*allowed[:2], given[2])), error.field, narrower.suggestion)
        return error
