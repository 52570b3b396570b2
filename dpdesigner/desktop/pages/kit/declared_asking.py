"""The left of a page whose inputs are declared: a card for each, but for those that share the one before them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.pages.kit.fields import JoinedField, JoinedRow, field_of
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.studies.base import DeclaredDesign
from dpdesigner.studies.fields import DeclaredInput
from dpdesigner.studies.inputs.bits import OptionalInput
from dpdesigner.studies.inputs.numbers import PrivacyInput, Range


class DeclaredAsking(AskingColumn[DeclaredDesign]):
    """Shows a design of declared inputs and asks for others.

    Parameters
    ----------
    inputs : sequence of Asked
    fields : mapping
        By the keys of inputs, what makes their fields where that is not the usual one.
    """

    def __init__(
        self, inputs: Sequence[DeclaredInput], fields: Mapping[str, Callable[[DeclaredInput], Field]] | None = None
    ) -> None:
        super().__init__()
        self.fields: dict[str, Field] = {}
        self._rows: dict[Card, JoinedRow] = {}  # of the cards that more than one input shares
        for asked in inputs:
            field = self.fields[asked.key] = _made(asked, fields or {})
            field.changing.connect(partial(self._take, asked.key, label=""))
            field.changed.connect(partial(self._take, asked.key))
            field.cancelled.connect(self.previewCancelled)
            names = {asked.key, *asked.input.keys(asked.key)}
            if isinstance(field, JoinedField):
                self._join(field, names)
            else:
                self.add(field, *names, stretch=field.stretch, box=field.box)
        self.column.addStretch(0 if any(field.stretch for field in self.fields.values()) else 1)

    def _join(self, field: JoinedField, names: set[str]) -> None:
        """Put a field into the last card."""
        card = self.cards[-1]
        if card not in self._rows:
            self._rows[card] = JoinedRow()
            card.add(self._rows[card])
        self._rows[card].add(field)
        for name in names:
            self.field(name, partial(show_in, card, field.box))

    def show_design(self, before: DeclaredDesign | None, design: DeclaredDesign) -> None:
        """Show what has changed, and the inputs that matter."""
        for field in self.fields.values():
            field.setVisible(field.asked.matters(design))
            asked = field.asked
            field.set_line(f"{translated(asked.label)}: {translated(asked.input.summary(asked.of(design)))}")
            if before is None or asked.input.identity(asked.of(before)) != asked.input.identity(asked.of(design)):
                field.show_value(asked.of(design))
            elif field.box is not None:
                field.show_value(asked.of(design))  # a box that was wrong is right again

    def restore(self) -> None:
        """Show what is in force again; boxes keep what was typed."""
        if self.design is not None:
            for field in self.fields.values():
                if field.box is None:
                    field.show_value(field.asked.of(self.design))

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Ask for the value of an input that was dragged: a number is rounded to the steps of its slider."""
        field = self._target(target)
        if field is None:
            raise KeyError(f"{target}: a drag changes this, which is no input")
        kind = field.asked.input
        value = kind.near(place) if isinstance(kind, Range | PrivacyInput | OptionalInput) and isinstance(place, float) else place
        self._take(field.asked.key, value, field.words if final else "")

    def place(self, target: str) -> float | None:
        """Return where the handle of an input is now; None where the target is no input."""
        field = self._target(target)
        if field is None or self.design is None or not isinstance(field.asked.input, Range | PrivacyInput):
            return None
        return field.asked.input.number(field.asked.of(self.design))

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        for field in self.fields.values():
            field.set_presenting(on)
        for row in self._rows.values():
            row.setVisible(not on)

    def _target(self, target: str) -> Field | None:
        for key, field in self.fields.items():
            if target in (key, *field.asked.input.keys(key)):
                return field
        return None

    def _take(self, key: str, value: Any, label: str) -> None:
        """Ask for a value, or by a job for what a call gives that may take long."""
        if callable(value):
            self.ask_by_job(label, lambda design: design.replace(**{key: value()}), key)
        else:
            self.ask(label, lambda design: design.replace(**{key: value}))


def _made(asked: DeclaredInput, fields: Mapping[str, Callable[[DeclaredInput], Field]]) -> Field:
    if asked.key in fields:
        return fields[asked.key](asked)
    return JoinedField(asked) if asked.joined else field_of(asked)
