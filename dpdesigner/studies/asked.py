"""Inputs that are declared: one line in a design's fields gives the check, the JSON value, the text and the words of undo.

::

    b: Number = asked(number("1/1000", 1000, scale="log", symbol="b"), default="1", label=said("How wide"))

`dpdesigner.studies.declared` makes the design, and `dpdesigner.desktop.pages.kit.fields` a field of each kind of input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from dpdesigner.core.numbers.given import Number
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.prior import Prior
from dpdesigner.studies.column_input import ColumnInput, GivenColumn
from dpdesigner.studies.epsilon_input import PrivacyInput
from dpdesigner.studies.input_kinds import (
    LONGEST_TEXT,
    ChoiceInput,
    DistributionInput,
    Input,
    NumberInput,
    SeedInput,
    TextInput,
    Tries,
    WholeInput,
)
from dpdesigner.studies.said import said

T = TypeVar("T")


def number(
    low: Number,
    high: Number,
    *,
    scale: Literal["linear", "log"] = "linear",
    symbol: str = "",
    ends: tuple[str, str] = ("", ""),
    try_: Tries = (),
    slide: tuple[Number, Number] | None = None,
) -> Input[Number]:
    """Ask for a number, which is kept as it is given: ``"1/3"`` stays a third.

    Parameters
    ----------
    low, high : Number
        What is allowed.
    scale : {"linear", "log"}
        Of its slider.
    symbol : str
        What formulas call it.
    ends : (str, str)
        What is said at the ends of the slider.
    try_ : sequence of Number or (Number, str)
        Values to try, with what is to be seen there.
    slide : (Number, Number), optional
        The ends of the slider, where they are not those of what is allowed. A number beyond them can be typed and is taken; the
        slider then stands at its end, and a drag leads back between them.
    """
    return NumberInput(low, high, scale, symbol, ends, try_, slide)


def whole_number(
    low: int,
    high: int,
    *,
    scale: Literal["linear", "log"] = "linear",
    symbol: str = "",
    ends: tuple[str, str] = ("", ""),
    try_: Sequence[int | tuple[int, str]] = (),
    slide: tuple[int, int] | None = None,
) -> Input[int]:
    """Ask for a whole number; parameters as for `number`.

    With ``scale="log"`` the slider has as much room from 1 to 10 as from 100 000 to 1 000 000, and stops at round numbers.
    """
    return WholeInput(low, high, scale, symbol, ends, try_, slide)


def choice(*options: tuple[str, str], symbol: str = "") -> Input[str]:
    """Ask for one of a few, each a value and its words."""
    return ChoiceInput(options, symbol)


def text(*, longest: int = LONGEST_TEXT, name: bool = False) -> Input[str]:
    """Ask for a line of text, or for the name of a file or of a column, in which every space counts."""
    return TextInput(longest, name)


def seed() -> Input[int | None]:
    """Ask for the seed of random numbers, for study; none: the system's entropy."""
    return SeedInput()


def column(example: GivenColumn, *, drawable: bool = False) -> Input[GivenColumn]:
    """Ask for a column of numbers; the example is what is offered to try; drawable: it may also be drawn along the axis."""
    return ColumnInput(example, drawable)


def privacy(low: Number = 0, high: Number = "inf") -> Input[PrivacyLevel]:
    """Ask for epsilon: the one way to do so, in a field called ``privacy``.

    Its value is a `PrivacyLevel`, which knows epsilon and alpha exactly, and how to round them; Python may give an epsilon,
    files have ``"epsilon"`` or ``"alpha"``, errors and handles name ``epsilon``. The slider goes from 0.01 to 10.

    Parameters
    ----------
    low, high : Number
        The least and the largest epsilon that is allowed; another is refused, with the nearest as the suggestion.
    """
    return PrivacyInput(low, high)


def distribution(over: int | str) -> Input[Prior]:
    """Ask for a distribution over 0..n: n, or the field that is n, is `over`."""
    return DistributionInput(over)


@dataclass(frozen=True)
class Asked:
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

    @property
    def undo_words(self) -> str:
        """The words of the undo step."""
        return self.undo or said("Change {what}", what=self.input.symbol or self.key.replace("_", " "))

    def matters(self, design: Any) -> bool:
        """Whether it is shown for a design."""
        return self.when is None or self.when(design)

    def told(self, design: Any) -> str:
        """Return its value in a design, for the design's line: ``"b = 1/2"``."""
        value = self.input.text(getattr(design, self.key))
        if not value or not self.input.symbol or value.startswith(f"{self.input.symbol} "):
            return value
        return said("{symbol} = {value}", symbol=self.input.symbol, value=value)


def asked(
    kind: Input[T],
    *,
    default: object,
    label: str,
    term: str = "",
    note: str = "",
    undo: str = "",
    when: Callable[[Any], bool] | None = None,
    aside: bool = False,
    joined: bool = False,
) -> T:
    """Declare a field of a `dpdesigner.studies.declared.Declared` design as an input.

    Parameters
    ----------
    kind : Input
        What is asked for: `number`, `whole_number`, `choice`, `text`, `seed`, `column`, `privacy` or `distribution`.
    default : object
        What a new design starts from, as a user would give it.
    label, term, note, undo, when, aside, joined
        As in `Asked`.
    """
    made = Asked(kind, label, term, note, undo, when, aside=aside, joined=joined)
    declared: T = field(default=default, metadata={"asked": made})  # type: ignore[assignment]
    return declared
