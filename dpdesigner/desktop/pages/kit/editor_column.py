"""The left of a page: cards that show a design and request changes.

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

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import ValueBox, value_box
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.base.layouts import ColumnLayout
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.study import Job, Progress, Study

D = TypeVar("D", bound=Study)
ShowError = Callable[[InputError], None]


@dataclass(frozen=True, eq=False)
class Made:
    """A design that a job made from the previous one, or the reason why it is not possible."""

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

    epsilon_as: Callable[[str], object] = str  #: converts a dragged epsilon to the design's input

    def __init__(self) -> None:
        super().__init__()
        self.column = ColumnLayout(self)
        self.cards: list[Card] = []
        self.design: D | None = None
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

    def field(self, name: str, show: ShowError) -> None:
        """Set how errors of a field are shown."""
        self._fields[name] = show

    def set_design(self, design: D) -> None:
        """Show a design; clear earlier errors."""
        before, self.design, self._refused = self.design, design, False
        for card in self.cards:
            card.set_error("")
        if before is not None and before != design:
            for line in self.findChildren(ErrorLine):
                line.clear()
        self.show_design(before, design)

    def show_design(self, before: D | None, design: D) -> None:
        """Show the inputs of a design; unchanged ones need not be shown again."""
        raise NotImplementedError

    def restore(self) -> None:
        """Show the current values in controls that show refused ones; boxes keep the typed text."""

    def show_error(self, error: InputError) -> None:
        """Show an error next to the control of its field."""
        show = self._fields.get(error.field)
        if show is None:
            show_in(self.cards[0], None, error)
        else:
            show(error)

    def give_up(self) -> None:
        """Clear the error about a refused input."""
        if self._refused:
            self._refused = False
            for line in self.findChildren(ErrorLine):
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
        """Request a design like `ask`, for one that takes longer than a frame to make: a `Job` makes it in another thread."""
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
        self._refused = True
        self.show_error(error if beside in ("", error.field) else InputError(str(error), beside))

    def change(self, label: str, **changes: object) -> None:
        """Request the current design with some inputs changed."""
        self.ask(label, lambda design: design.replace(**changes))

    def box(self, key: str, card: Card, sample: str, name: str, tip: str, words: str) -> ValueBox:
        """Return a box for typing an input; the card shows errors next to it.

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
        """Request a change by a button, which shows the choice only after it takes effect."""
        self.restore()
        self.change(label, **changes)

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Request the value to which an input's handle in a plot was dragged, as a preview until the drag ends."""
        if target == "epsilon":
            self.change(self.tr("Change epsilon") if final else "", epsilon=self.epsilon_as(f"{place:.3g}"))

    def place(self, target: str) -> float | None:
        """Return the current position of an input's handle; None if it has none."""
        design: Any = self.design
        return None if target != "epsilon" or design is None else float(design.privacy.epsilon)


def show_in(card: Card, box: ValueBox | None, error: InputError) -> None:
    """Show a sentence below the contents of a card, and outline the box that it concerns."""
    card.error.set_error(error, box)
