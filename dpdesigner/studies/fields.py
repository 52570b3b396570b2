"""Declared inputs: one line in a design's fields defines the check, the JSON value, the text and the undo label.

::

    b: Number = asked(number("1/1000", 1000, scale="log", symbol="b"), default="1", label=said("How wide"))

`dpdesigner.studies.base` makes the design, and `dpdesigner.desktop.pages.kit.fields` a field of each kind of input.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dpdesigner.messages import message
from dpdesigner.studies.inputs.columns import ColumnInput
from dpdesigner.studies.inputs.kinds import ChoiceInput, DistributionInput, Input, SeedInput, TextInput
from dpdesigner.studies.inputs.numbers import IntegerInput, NumberInput, PrivacyInput

T = TypeVar("T")


class _Missing:
    """The marker of a required input that was not given."""

    def __repr__(self) -> str:
        return "<required>"


MISSING = _Missing()

#: The kinds of input, as designs name them.
number, whole_number, choice, text, seed = NumberInput, IntegerInput, ChoiceInput, TextInput, SeedInput
column, privacy, distribution = ColumnInput, PrivacyInput, DistributionInput


@dataclass(frozen=True)
class DeclaredInput:
    """One input of a kind of design.

    Attributes
    ----------
    input : Input
    label, term : str
        For newcomers: ``"How private"``; and the field's word beside it: ``"privacy level"``.
    note : str
        A sentence for its tooltip and for the tour.
    undo : str
        The words of the undo step.
    when : callable or None
        Whether it matters for a design, and is shown; None: always.
    key : str
        The field.
    aside : bool
        Whether a design's line leaves it out.
    joined : bool
        Whether it is a box in the card of the input before it, and has no card of its own; for numbers and texts.
    default : object
        What a new design starts from in the window.
    required : bool
        Whether scripts and files must give it, since no default may decide on somebody's privacy or data.
    """

    input: Input[Any]
    label: str
    term: str = ""
    note: str = ""
    undo: str = ""
    when: Callable[[Any], bool] | None = None
    key: str = ""
    aside: bool = False
    joined: bool = False
    default: object = None
    required: bool = False

    @property
    def undo_label(self) -> str:
        """The text of the undo step."""
        return self.undo or message("Change {what}", what=self.input.symbol or self.key.replace("_", " "))

    def matters(self, design: Any) -> bool:
        """Return whether the input is shown for a design."""
        return self.when is None or self.when(design)

    def of(self, design: Any) -> Any:
        """Return the input's value in a design."""
        return getattr(design, self.key)

    def summary(self, design: Any) -> str:
        """Return the input's value for the design's line: ``"b = 1/2"``."""
        value = self.input.summary(self.of(design))
        if not value or not self.input.symbol or value.startswith(f"{self.input.symbol} "):
            return value
        return message("{symbol} = {value}", symbol=self.input.symbol, value=value)


def declare(
    kind: Input[T],
    *,
    default: object,
    required: bool = False,
    label: str,
    term: str = "",
    note: str = "",
    undo: str = "",
    when: Callable[[Any], bool] | None = None,
    aside: bool = False,
    joined: bool = False,
) -> T:
    """Declare a field of a `dpdesigner.studies.base.DeclaredDesign` design as an input.

    Parameters
    ----------
    kind : Input
        What is asked for: `number`, `whole_number`, `choice`, `text`, `seed`, `column`, `privacy` or `distribution`.
    default : object
        What a new design in the window starts from, as a user would give it; elsewhere what is left out, unless it is required.
    required : bool
        Whether scripts and files must give it. Privacy levels and data are.
    label, term, note, undo, when, aside, joined
        As in `DeclaredInput`.
    """
    made = DeclaredInput(kind, label, term, note, undo, when, aside=aside, joined=joined, default=default, required=required)
    declared: T = field(default=MISSING if required else default, metadata={"asked": made})  # type: ignore[assignment]
    return declared
