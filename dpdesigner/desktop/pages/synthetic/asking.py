"""The left of the page: which question it is, and below what that kind of design asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.kit.asking import Made
from dpdesigner.desktop.pages.kit.declared_asking import DeclaredAsking
from dpdesigner.desktop.pages.kit.fields import EpsilonField
from dpdesigner.desktop.pages.synthetic.interval_asking import IntervalAsking
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card, Folding
from dpdesigner.desktop.widgets.base.controls import MoreRow, push_button
from dpdesigner.desktop.widgets.base.layouts import ColumnLayout
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.registry import entry, page_of

#: What each kind makes up.
QUESTIONS = {
    "synthetic": message("A column"),
    "rectangle": message("Two columns"),
    "net": message("Small database"),
    "halfspace": message("Halfspaces"),
    "sizes": message("Sample sizes"),
}

#: Those under “More questions”: for teaching.
_RARE = ("net", "halfspace", "sizes")

Column = IntervalAsking | DeclaredAsking


class SyntheticAsking(QWidget):
    """Shows a design of any of the page's kinds and asks for others, of another kind too.

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
        self._card.add(MoreRow(*first, more=rare, text=self.tr("More questions ▾")))
        self._card.setVisible(len(self.kinds) > 1)
        self._card.setAccessibleName(self.tr("Kind of data"))
        self._layout = ColumnLayout(self)
        self._layout.addWidget(self._card)
        self._column("synthetic")

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of declared inputs of the kind that is shown."""
        column = self.shown
        return column.fields if isinstance(column, DeclaredAsking) else {}

    @property
    def shown(self) -> Column:
        """The column of the kind that is shown."""
        return self._column(self._kind or "synthetic")

    def _column(self, kind: str) -> Column:
        if kind not in self._columns:
            column: Column = IntervalAsking() if kind == "synthetic" else _declared(kind)
            column.previewed.connect(self.previewed)
            column.changed.connect(self.changed)
            column.previewCancelled.connect(self.previewCancelled)
            column.requested.connect(self.requested)
            if isinstance(column, IntervalAsking):
                column.aimed.connect(self.aimed)
            parts = (
                (column.privacy.control, column.way, column.source) if isinstance(column, IntervalAsking) else column.cards[::-1]
            )
            self._foldings[kind] = Folding(self, parts)
            self._columns[kind] = column
            self._layout.addWidget(column, 1)
        return self._columns[kind]

    def set_design(self, design: Any) -> None:
        """Show a design, with the column of its kind."""
        self._kind = design.kind
        shown = self.shown
        for kind, column in self._columns.items():
            column.setVisible(column is shown)
            self._foldings[kind].set_on(column is shown and not self._presenting)
        for known, button in self.kinds.items():
            button.setChecked(known == design.kind)
        shown.set_design(design)

    def take_made(self, made: Made) -> None:
        """Take a design that a job made."""
        self.shown.take_made(made)

    def show_error(self, error: InputError) -> None:
        """Show what is wrong beside its control."""
        self.shown.show_error(error)

    def give_up(self) -> None:
        """Take back what was typed and refused."""
        self.shown.give_up()

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Ask for what a handle was dragged to."""
        self.shown.drag(target, place, final)

    def place(self, target: str) -> float | None:
        """Return where the handle of an input is."""
        return self.shown.place(target)

    def set_presenting(self, on: bool) -> None:
        """Leave away what only serves editing."""
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


def _declared(kind: str) -> DeclaredAsking:
    """Return the column of a kind, with the privacy card of all pages."""
    return DeclaredAsking(entry(kind).study_class().inputs(), {"epsilon": EpsilonField})
