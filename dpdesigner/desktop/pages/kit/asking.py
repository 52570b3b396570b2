"""The left of a page: cards that show a design and ask for another.

A column asks by way of `AskingColumn.ask`: with a function that makes another design of the one in force, and the words of the
undo step. What cannot be is refused in one sentence beside its control, and what is in force is shown again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.controls import ValueBox, value_box
from dpdesigner.desktop.widgets.base.labels import ErrorLine
from dpdesigner.desktop.widgets.base.layouts import ColumnLayout
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.study import Job, Progress, Study

D = TypeVar("D", bound=Study)
ShowError = Callable[[InputError], None]


@dataclass(frozen=True, eq=False)
class Made:
    """A design that a job made from the one before, or why it cannot be."""

    label: str
    make: Callable[[Any], Any]
    beside: str
    before: Any
    design: Any
    error: InputError | None = None


class AskingColumn(QWidget, Generic[D]):
    """Cards one below the other that show a design and ask for another.

    A column puts its cards in with `add`, overrides `show_design`, and where something is to be shown again after a refusal
    `restore`.
    """

    previewed = Signal(object)  #: a design to show while a drag lasts
    changed = Signal(object, str)  #: a design to make the current one, and the words of the undo step
    previewCancelled = Signal()  #: the drag was given up
    requested = Signal(object)  #: a `Job` that makes a design; its outcome is for `take_made`

    epsilon_as: Callable[[str], object] = str  #: how an epsilon that was dragged to is given to the design

    def __init__(self) -> None:
        super().__init__()
        self.column = ColumnLayout(self)
        self.cards: list[Card] = []
        self.design: D | None = None
        self._fields: dict[str, ShowError] = {}
        self._refused = False  # whether something is said of what was refused

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
        """Hide what only serves editing."""

    def field(self, name: str, show: ShowError) -> None:
        """Show errors of a field in this way."""
        self._fields[name] = show

    def set_design(self, design: D) -> None:
        """Show a design; what was wrong before no longer matters."""
        before, self.design, self._refused = self.design, design, False
        for card in self.cards:
            card.set_error("")
        if before is not None and before != design:
            for line in self.findChildren(ErrorLine):
                line.clear()
        self.show_design(before, design)

    def show_design(self, before: D | None, design: D) -> None:
        """Show the inputs of a design; those that are as before need not be shown again."""
        raise NotImplementedError

    def restore(self) -> None:
        """Show what is in force where a control shows what was refused; boxes keep what was typed."""

    def show_error(self, error: InputError) -> None:
        """Show a sentence beside the control of its field."""
        show = self._fields.get(error.field)
        if show is None:
            show_in(self.cards[0], None, error)
        else:
            show(error)

    def give_up(self) -> None:
        """Say nothing more of what was refused."""
        if self._refused:
            self._refused = False
            for line in self.findChildren(ErrorLine):
                line.clear()

    def ask(self, label: str, make: Callable[[D], D], beside: str = "") -> None:
        """Ask for the design that `make` gives, as a preview where the label is empty, or show why it cannot be.

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
        """Ask as `ask` does for a design that takes longer than a frame to make: it is made in another thread, by a `Job`."""
        before = self.design
        if before is None:
            return

        def run(progress: Progress) -> Made:
            try:
                return Made(label, make, beside, before, make(before))
            except InputError as error:
                return Made(label, make, beside, before, None, error)

        self.requested.emit(Job("design", run, slow=True, live=False, title=self.tr("Checking what was chosen")))

    def take_made(self, made: Made) -> None:
        """Take what `ask_by_job` had made; where the design has changed meanwhile, it is made again from the newer one."""
        if made.before is not self.design:
            self.ask_by_job(made.label, made.make, made.beside)
        elif made.error is not None:
            self._refuse(made.error, made.beside)
        else:
            self.changed.emit(made.design, made.label)

    def _refuse(self, error: InputError, beside: str) -> None:
        """Show what is in force again, and beside the control why nothing else is."""
        self.restore()
        self._refused = True
        self.show_error(error if beside in ("", error.field) else InputError(str(error), beside))

    def change(self, label: str, **changes: object) -> None:
        """Ask for the design in force with some inputs changed."""
        self.ask(label, lambda design: design.replace(**changes))

    def box(self, key: str, card: Card, sample: str, name: str, tip: str, words: str) -> ValueBox:
        """Return a box in which an input is typed, beside which the card says what is wrong with it.

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
        """
        made = value_box(sample, name, tip, lambda text: self.change(words, **{key: text.strip()}))
        self.field(key, partial(show_in, card, made))
        return made

    def choose(self, label: str, **changes: object) -> None:
        """Ask for it by a button, which shows what is chosen only once that is in force."""
        self.restore()
        self.change(label, **changes)

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Ask for the value of an input to which its handle in a plot was dragged, as a preview until that is final."""
        if target == "epsilon":
            self.change(self.tr("Change epsilon") if final else "", epsilon=self.epsilon_as(f"{place:.3g}"))

    def place(self, target: str) -> float | None:
        """Return where the handle of an input is now; None where it has none."""
        design: Any = self.design
        return None if target != "epsilon" or design is None else float(design.privacy.epsilon)


def show_in(card: Card, box: ValueBox | None, error: InputError) -> None:
    """Show a sentence below what a card holds, and outline the box that it belongs to."""
    card.error.set_error(error, box)
