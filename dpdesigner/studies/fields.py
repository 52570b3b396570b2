"""Declared inputs: one line in a design's fields defines check, JSON value, text and undo label; inputs that kinds share.

::

    b: Number = declare(number("1/1000", 1000, scale="log", symbol="b"), default="1", label=message("How wide"))

`dpdesigner.studies.base` makes the design, and `dpdesigner.desktop.pages.kit.fields` a field of each kind of input.

The inputs that releases of synthetic data share: privacy, accuracy, confidence, and whether measured errors go into files.

The last is computed from people's data without noise: it is told only where that is asked for, with a warning. Releases of real
data are kept, because each new one costs privacy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import floor, log10
from operator import attrgetter
from threading import Lock
from typing import Any, ClassVar, TypeVar

from typing_extensions import Self, override

from dpdesigner.core.basics.accountant import UNBOUNDED, Adjacency, Spent, budget_of
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, double, exact, exact_text
from dpdesigner.core.basics.rounding import figure, rounded_down
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.column_inputs import ColumnInput, ColumnSpec
from dpdesigner.studies.data_inputs import FILE, MENDED, table_changed_at
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.input_kinds import ChoiceInput, DistributionInput, Input, SeedInput, TextInput, json_value
from dpdesigner.studies.number_inputs import IntegerInput, NumberInput, OptionalInput, PowerInput, PrivacyInput, epsilon_input
from dpdesigner.studies.registry import entry
from dpdesigner.studies.spending import RECORD, data_name, so_far
from dpdesigner.studies.study import Progress, silent

T = TypeVar("T")


class _Missing:
    """The marker of a required input that was not given."""

    def __repr__(self) -> str:
        return "<required>"


MISSING = _Missing()

#: A range: ``"18 to 90"``, ``"18..90"``, or ``"18-90"``.
RANGE = re.compile(r"(.+?)(?:\s+to\s+|\.\.|(?<=\d)\s*[-–]\s*)(.+)")
#: The kinds of input, as designs name them.
number, whole_number, optional_number = NumberInput, IntegerInput, OptionalInput


class RateInput(NumberInput):
    """A share from 0 to 1, or None: the program chooses it."""

    optional = True

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        open_ = given is None or (isinstance(given, str) and not given.strip())
        return None if open_ else super().read(given, key, others)  # type: ignore[return-value]

    @override
    def as_json(self, value: Number | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: json_value(value)}

    @override
    def text(self, value: Number | None) -> str:
        return "" if value is None else str(value).strip()

    @override
    def number(self, value: Number | None) -> float | None:
        return None if value is None else super().number(value)


choice, text, seed = ChoiceInput, TextInput, SeedInput
column, power, privacy, distribution = ColumnInput, PowerInput, PrivacyInput, DistributionInput


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
    joined : bool or str
        Whether it is a box in the card of the input before it, or of the input with this key, and has no card of its own.
    default : object
        What a new design starts from in the window.
    required : bool
        Whether scripts and files must give it, since no default may decide on somebody's privacy or data.
    secret : bool or callable
        Whether its value must not leave the window, for a design. Only project files have it, and errors quote what they refuse.
    instead : str or callable
        What exported files state in the place of a secret value, for a design; nothing if it is empty.
    folded : callable or None
        For what few users change: the line of its card, for a design. The card is then folded until it is opened.
    says : callable or None
        A sentence at the end of its card, for a design.
    """

    input: Input[Any]
    label: str
    term: str = ""
    note: str = ""
    undo: str = ""
    when: Callable[[Any], bool] | None = None
    key: str = ""
    aside: bool = False
    joined: bool | str = False
    default: object = None
    required: bool = False
    secret: bool | Callable[[Any], bool] = False
    instead: str | Callable[[Any], str] = ""
    folded: Callable[[Any], str] | None = None
    says: Callable[[Any], str] | None = None

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

    def as_public_json(self, design: Any) -> dict[str, Any]:
        """Return what exported files state of the input, as JSON values."""
        if not self._hidden(design):
            return self.input.as_public_json(self.of(design), self.key)
        told = self.instead(design) if callable(self.instead) else self.instead
        return {self.key: told} if told else {}

    def _hidden(self, design: Any) -> bool:
        return self.secret(design) if callable(self.secret) else self.secret

    def summary(self, design: Any) -> str:
        """Return the input's value for the design's line: ``"b = 1/2"``; nothing of a secret value but how much was given."""
        if self._hidden(design) and not self.input.counts_only:
            return ""
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
    joined: bool | str = False,
    secret: bool | Callable[[Any], bool] = False,
    instead: str | Callable[[Any], str] = "",
    folded: Callable[[Any], str] | None = None,
    says: Callable[[Any], str] | None = None,
) -> T:
    """Declare a field of a `dpdesigner.studies.base.DeclaredDesign` design as an input.

    Parameters
    ----------
    kind : Input
        What is asked for: `number`, `whole_number`, `power`, `choice`, `text`, `seed`, `column`, `privacy` or `distribution`.
    default : object
        What a new design in the window starts from, as a user would give it; elsewhere what is left out, unless it is required.
    required : bool
        Whether scripts and files must give it. Privacy levels and data are.
    label, term, note, undo, when, aside, joined, secret, instead, folded, says
        As in `DeclaredInput`.
    """
    made = DeclaredInput(kind, label, term, note, undo, when, "", aside, joined, default, required, secret, instead, folded, says)
    declared: T = field(default=MISSING if required else default, metadata={"asked": made})  # type: ignore[assignment]
    return declared


KEPT, PUBLISHED = "kept", "published"

#: Shown wherever a measured error is.
WARNING = message("the measured error is included, which is not private: it is computed from the data, and ε does not cover it")
BADGE = message("not private with its measured error")


ADD_UP = message(
    "The privacy losses of releases of the same rows add up. Publish only one, and do not choose it by its accuracy."
)

#: Inputs of releases that change neither their data nor their noise; that of the privacy is read as a number.
_NO_NOISE = ("names", "real_errors", "delta", "outside", "epsilon")


class Releasing:
    """A base class of release designs with epsilon as a number, because alpha means the target error in their papers."""

    refused: ClassVar[Mapping[str, str]] = {
        "alpha": "takes the privacy level as epsilon and the target error, where it has one, as error; it has no alpha"
    }

    drawn_part: ClassVar[str] = ""  #: the attribute of an answer that is drawn, and kept for designs with the same `noise_key`

    epsilon: Number
    seed: int | None

    @property
    def privacy(self) -> PrivacyLevel:
        """The privacy level of the whole release."""
        return PrivacyLevel.from_epsilon(self.epsilon)

    @property
    def spent(self) -> Spent | None:
        """The privacy loss of one release: its level, unless measured errors are released with it."""
        return None if self.asks else UNBOUNDED if self.tells else Spent(self.privacy, adjacency=self.adjacency)

    @property
    def adjacency(self) -> Adjacency:
        """The neighbouring databases for which this holds: the number of rows is public, unless stated otherwise."""
        return "replace"

    @property
    def budget(self) -> Any:
        """Epsilon as a fraction; irrational values are rounded down at the fifteenth digit."""
        return budget_of(self.privacy)

    @property
    def noise_key(self) -> Hashable:
        """Everything that decides the data and the noise, with the time of a file: designs with an equal key share a release."""
        asked: Any = self
        given = {each.key: each.of(self) for each in asked.inputs()}
        aims = given.get("method") == "blr" or given.get("net") == "smallest"  # at the target error
        aside = _NO_NOISE if aims else (*_NO_NOISE, "error")
        inputs = [each for each in asked.inputs() if each.key not in aside and each.matters(self)]
        values = [given[each.key] for each in inputs]
        changed = [of.changed for of in values if isinstance(of, ColumnSpec)]
        changed += [table_changed_at(of) for of in values if isinstance(of, str)]
        return asked.kind, self.budget, *changed, *(each.input.identity(of) for each, of in zip(inputs, values, strict=True))

    @property
    def release_loss(self) -> Spent:
        """The privacy loss of a release without measured errors."""
        return Spent(self.privacy, adjacency=self.adjacency)

    @property
    def data_name(self) -> str:
        """The name of the file with the data; of typed rows nothing is remembered in a file."""
        asked: Any = self
        if self.drawn or self.asks:
            return ""
        given = next(each.of(self) for each in asked.inputs() if each.required and each.key != "epsilon")
        if isinstance(given, str):
            return data_name(given.removeprefix(FILE).removesuffix(MENDED).strip()) if given.startswith(FILE) else TYPED
        return data_name(given.path) if isinstance(given, ColumnSpec) else TYPED_ROWS

    @property
    def data_key(self) -> Hashable:
        """Whose data are released: designs with an equal key release the same rows."""
        asked: Any = self
        given = [each for each in asked.inputs() if each.required and each.key != "epsilon"]
        return asked.kind, *(each.input.identity(each.of(self)) for each in given)

    @property
    def real_errors(self) -> str:
        """Whether measured errors go into files, where a design measures any: see `real_errors`."""
        return KEPT

    @property
    def drawn(self) -> bool:
        """Whether the data are drawn, and so nobody's."""
        return False

    @property
    def partial(self) -> bool:
        """True if rows without a number are left out; a design that reads none refuses nothing."""
        return False

    def leaving_out(self) -> Self:
        """Return the design that leaves out rows without a number."""
        return self

    def read_data(self) -> None:
        """Read the data of people, which raises `InputError` where they are refused, so that nothing is released."""

    @property
    def asks(self) -> bool:
        """True for a design that asks a file which others released, without their data."""
        return False

    @property
    def tells(self) -> bool:
        """Whether results computed from people's data go into files."""
        return self.real_errors == PUBLISHED and not self.drawn

    def badge(self, proved: Message | None = None) -> tuple[Message, State]:
        """Return the proved result, by default that it is private, or instead a warning if measured errors are included."""
        private = message("✓ proved private") if self.seed is None else message("✓ proved private · for study")
        return (BADGE, "open") if self.tells else (proved or private, "proved")

    def checks(self, *private: Message) -> tuple[Message, ...]:
        """Return the verified properties, with the warnings that the release needs; first what the badge says."""
        warnings = (message("✗ {warning}", warning=WARNING),) if self.tells else ()
        study = () if self.seed is None else (message("seed {seed}: for study only", seed=self.seed),)
        return (*warnings, *private, *study)

    def private(self, note: str = "") -> Message:
        """Return the privacy level as a check; where the measured error is included, only without it."""
        text = "without it, private: ε = {epsilon}{note}" if self.tells else "✓ private: ε = {epsilon}{note}"
        return message(text, epsilon=figure(self.privacy.epsilon_above, 6), note=note)

    def of_epsilon(self, note: str = "") -> Finding:
        """Return the privacy of the whole release as a finding."""
        epsilon = self.privacy.epsilon_above
        return Finding(message("privacy ε"), epsilon, digits=6, rounding="up", state="proved", note=note)


def how_private(when: Callable[[Any], bool] | None = None) -> Number:
    """Declare epsilon as a number."""
    return declare(epsilon_input(), default=1, required=True, label=message("How private"), term=message("ε"), when=when)


class ValuesInput(NumberInput):
    """A number of values: the range of whole numbers ``"18 to 90"`` has 73."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        ends = RANGE.fullmatch(given.strip()) if isinstance(given, str) else None
        if ends is not None and all(end.isdecimal() for end in ends.groups()):
            given = int(ends[2]) - int(ends[1]) + 1
        return super().read(given, key, others)


class ShareInput(NumberInput):
    """A share of 1, said in percent where that is exact; typed either way, and kept as a share."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        try:
            value = super().read(given, key, others)
        except InputError as error:  # who types 1 may mean 1%
            raise InputError(str(error).replace("got 1.", "and 1 means 100%."), key, error.suggestion) from None
        return _decimal(exact(value)) if isinstance(value, str) and value.endswith("%") else value

    @override
    def text(self, value: Number) -> str:
        percent = _decimal(100 * exact(value))
        return str(value).strip() if "/" in percent else f"{percent}%"

    @override
    def identity(self, value: Number) -> Hashable:
        return str(value).strip()


def _decimal(value: Fraction) -> str:
    near = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{near:f}" if Fraction(near) == value else exact_text(value)


def how_near(
    default: Number,
    undo: str = "",
    when: Callable[[Any], bool] | None = None,
    joined: bool | str = False,
    least: Number = "0.1%",
) -> Number:
    """Declare the target error as a share of the rows; papers call it alpha."""
    form, label = ShareInput(least, "99%", scale="log", symbol="α"), message("Target error")
    note = message("A share of the rows, as a number or in percent.")
    return declare(form, default=default, label=label, note=note, undo=undo, when=when, joined=joined)


def how_sure(least: Number = "1e-6", joined: bool | str = False) -> Number:
    """Declare delta, the probability that the error is larger."""
    form = number(least, "1/2", scale="log")  # errors call it by its label
    note = message("The probability that the error is larger.")
    return declare(form, default="0.05", label=message("Failure probability"), note=note, joined=joined)


def percent_sure(delta: Number) -> Decimal:
    """Return the confidence in percent: rounded down, with enough digits to be less than 100."""
    return rounded_down(100 * (1 - exact(delta)), max(4, -floor(log10(double(delta)))))


def real_errors(joined: bool = False) -> Any:
    """Declare whether measured errors go into files, as a field of a declared design."""
    return declare(
        choice((KEPT, message("stays with you")), (PUBLISHED, message("included in files"))),
        default=KEPT,
        label=message("Measured error"),
        note=message("The measured error is computed from the data without noise. A file that contains it is not private."),
        undo=message("Publish the measured error"),
        when=lambda design: not (design.drawn or design.asks),
        aside=True,
        joined=joined,
    )


_MOST_KEPT = 24  # releases
TYPED_ROWS = "rows in the design"  #: the name of numbers in the design, whose releases it remembers
TYPED = f"{EXAMPLE}typed rows"  #: the name of data that are typed: no file remembers their releases


def draws_release(design: Any) -> bool:
    """Return whether answers of a design have a release that was drawn and is kept."""
    return isinstance(design, Releasing) and bool(design.drawn_part) and not design.asks


class KeptReleases:
    """The newest releases by their `noise_key`; only other data, other noise or the user's wish causes a new one."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] = {}
        self._last: dict[Hashable, Any] = {}  # kept apart, because the releases of a drag would push out the others
        self._draws: dict[Hashable, int] = {}  # the number of different releases that were shown
        self._names: set[str] = set()  # of the data that were released here
        self._lock = Lock()

    def run(self, design: Any, progress: Progress = silent, **options: Any) -> Any:
        """Return the answer of a design, with the kept release if there is one; the options are those of its kind."""
        key = design.noise_key
        return entry(design.kind).runner()(design, progress, self._last.get(key, self._kept.get(key)), **options)

    def holds(self, design: Any) -> bool:
        """Return True if the data were released before this session: then a window draws nothing until the user asks for it."""
        return draws_release(design) and design.data_name not in self._names and RECORD.is_kept(design)

    def draws(self, design: Any) -> bool:
        """Return True if showing a design in a window draws another release of data that were released before, without a seed."""
        new = draws_release(design) and design.seed is None and RECORD.is_kept(design)
        return new and not self.holds(design) and design.noise_key not in self._kept

    def shown(self, design: Any, progress: Progress = silent, **options: Any) -> Any:
        """Return the answer to show in a window; refused while it `holds` the design."""
        if self.holds(design):
            raise InputError(f"{so_far(RECORD.of(design))} “Release again” makes another one.", "")
        return self.run(design, progress, **options)

    def keep(self, answer: Any, settled: bool = True) -> None:
        """Keep the release of an answer, if its kind has one; `settled` is false while a drag lasts."""
        if not draws_release(design := answer.design):
            return
        key, release = design.noise_key, attrgetter(design.drawn_part)(answer)
        with self._lock:
            if key not in self._last and key not in self._kept:  # it was drawn anew
                self._draws[key] = self._draws.get(key, 0) + 1
            self._last = {key: release}
            self._names.add(design.data_name)
            if settled:
                RECORD.add(design, design.release_loss, self.drawn(design))
                others = {key: release for key, release in self._kept.items() if key not in self._last}
                self._kept = dict([*others.items(), *self._last.items()][-_MOST_KEPT:])

    def forget(self, design: Any) -> None:
        """Draw a new release the next time that this design is run."""
        with self._lock:
            self._last = {}
            self._kept.pop(draws_release(design) and design.noise_key, None)
            self._names.add(design.data_name)

    def save(self, design: Any) -> Message | None:
        """Remember that the release of a design was saved, perhaps with its error; return the total if there are several."""
        if not draws_release(design) or design.seed is not None:
            return None
        RECORD.add(design, design.spent, self.drawn(design) if design.noise_key in self._draws else None)  # else never shown
        return so_far(own) if len(own := RECORD.of(design)) > 1 else None

    def warning(self, design: Any) -> Message | None:
        """Return what a release has together with others of its data; None for the first."""
        text = "{all} Do not choose by accuracy."
        return message(text, all=so_far(own)) if len(own := RECORD.of(design)) > 1 else None

    def drawn(self, design: Any) -> Hashable:
        """Return a mark of the release of a design, which another release does not have; None without one."""
        return (self, design.noise_key, self._draws.get(design.noise_key)) if draws_release(design) else None


#: Shared by pages and reports, so that a report holds the release that the window shows, not another one of the same data.
KEPT_RELEASES = KeptReleases()
