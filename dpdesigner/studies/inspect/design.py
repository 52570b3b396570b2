"""The design of an inspection: a table, the attacker, the number of releases, the reader; and its table, read and checked."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any, ClassVar, TypeVar

from typing_extensions import Self, override

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number, exact, excerpt, parse_integer
from dpdesigner.core.basics.rounding import figure, rounded_down, significant
from dpdesigner.core.inspection.keys import KeyedTable, keyed_table
from dpdesigner.core.inspection.profile import Again, several_releases
from dpdesigner.core.inspection.table import ReleaseTable, exact_table
from dpdesigner.core.mechanism import geometric
from dpdesigner.data.columns import EXAMPLE, resolved
from dpdesigner.data.grid import read_text
from dpdesigner.data.office_tables import (
    MOST_CELLS,
    TURNED,
    Entry,
    NoiseTable,
    NotAMechanism,
    detected_table,
    mended,
    no_mechanism,
)
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import DeclaredDesign, View, ViewValue
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.data_inputs import (
    FILE,
    GEOMETRIC,
    MENDED,
    BeliefInput,
    LossInput,
    ReleasesInput,
    SamplingInput,
    table_changed_at,
)
from dpdesigner.studies.fields import RateInput, choice, declare, number, optional_number, whole_number
from dpdesigner.studies.number_inputs import MOST_EPSILON, EpsilonInput
from dpdesigner.studies.snapshot import Action, SideJob, Snapshot
from dpdesigner.studies.study import Progress, silent

T = TypeVar("T")
_KEPT = 40
_kept: OrderedDict[Hashable, Any] = OrderedDict()
_lock = threading.Lock()


def remembered(key: Hashable, make: Callable[[], T]) -> T:
    """Return the cached value for a key, or make it."""
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            value: T = _kept[key]
            return value
    made = make()
    with _lock:
        _kept[key] = made
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return made


MEND = "largest"
DIGITS = 3  #: of δ, wherever it is shown


def compute_again(answer: Any, progress: Progress = silent) -> list[Again]:
    """Compare the rows for 1 to 10 releases, and for those of the design."""
    design, alpha = answer.design, answer.design.privacy.alpha_above
    shares = answer.false_alarms, exact(design.base_rate)
    counts = answer.source.format != "categories"  # of two categories, none is with the person
    return several_releases(answer.profile, *shares, 1 / alpha if alpha else math.inf, progress, counts)


def private_count(now: Snapshot) -> CountDesign:
    """Return the design of geometric noise that is equally useful for the same reader."""
    answer, design = now.answer, now.design
    same = answer.findings["epsilon_same_use"].number
    name = str(message("{table}, private", table=design.name or _stem(design.table) or message("table")))
    return CountDesign(answer.reader.table.n, epsilon=f"{same:.5g}", prior=design.prior, loss=design.loss, name=name)


def keyed_tables(count: CountDesign, progress: Progress = silent) -> list[KeyedTable]:
    """Return private tables for a count, the best that were found in 10 000 and in 256 keys."""
    key = count.privacy, str(count.prior), count.loss, count.n
    make = partial(keyed_table, count.privacy, count.prior, count.loss, progress=progress)
    return [remembered(("keyed", *key, keys), partial(make, keys)) for keys in (10_000, 256)]


def _can_be_private(now: Snapshot) -> bool:
    same = now.answer.findings["epsilon_same_use"].number
    return not now.answer.passed and same is not None and 0 < same < 700 and 1 <= now.answer.reader.table.n <= 1000


def _toggle(name: str, off: bool = False) -> Any:
    return {"run": lambda now: {name: not now.view[name]}, "chosen": lambda now: now.view[name] != off}


WORST = Action(
    message("Worst counts"),
    lambda now: {"pair": -1, "all": False},
    message("The counts with the highest risk, if the attacker knows everybody else"),
    on="away",
    when=lambda now: now.design.attacker == "informed",
    offered=lambda now: now.view["pair"] >= 0 or now.view["all"],
)
ALL = Action(
    message("All counts"),
    tip=message("The curves of all neighbouring counts, if the attacker knows everybody else"),
    on="away",
    when=WORST.when,
    button=False,
    **_toggle("all"),
)
LOG = Action(message("Log scale"), tip=message("δ on a logarithmic or a linear scale"), on="delta", **_toggle("linear", off=True))
FRACTIONS = Action(
    message("Fractions"),
    tip=message("The entries of the table as fractions"),
    on="reading",
    when=lambda now: now.answer.releases.exact,
    **_toggle("fractions"),
)
PRIVATE = Action(
    message("Find private noise…"),
    lambda now: None,
    message("For a table that is not private: geometric noise with the same accuracy, or a table in keys"),
    when=_can_be_private,
    main=True,
)


def false_alarms(share: Number) -> str:
    """Return the rate at which people are named who are not in the data, in words."""
    rate = f"{100 * float(exact(share)):.3g}"
    return message("1 false alarm in 100") if rate == "1" else message("{rate} false alarms in 100", rate=rate)


def _read_as_text(table: object) -> bool:
    return isinstance(table, str) and not table.startswith(GEOMETRIC)


class InspectDesign(DeclaredDesign):
    """Any table of releases: what it reveals about one person, and how useful it is.

    Parameters
    ----------
    table : path-like, str or rows of numbers
        Rows are the true counts 0, 1, 2, …, columns the releases: a file (CSV, TSV, or a perturbation table for Tau-Argus, SAS or
        cell-key-perturbation), its text, rows of numbers, or ``"geometric: N, EPSILON"``.
    epsilon : Number
        At which delta is told.
    delta : Number, optional
        The delta at which epsilon is shown.
    prior, loss
        Of the reader, as for a `CountDesign`.
    releases : int
        How many times the same count is released.
    group : int
        How many people act together: rows so far apart are neighbours.
    sampling : str
        ``"1/3"``: each person is counted with this probability; ``"3 of 12"``: so many of so many people are; empty: all.
    base_rate : Number
        How likely the person is in the data for the attacker.
    false_alarms : Number, optional
        How many of those who are not in the data the attacker names wrongly; by default where the lead over chance is largest.
    attacker : {"informed", "outsider"}
        Whether the attacker knows everybody else, or only how the others' count is spread.
    others : str or sequence of Number
        How it is spread over 0..n - group: a prior; fair coins if empty.
    released : int, optional
        The release for which intervals are shown; by default the middle one.
    confidence : Number
        Of intervals and error bounds.
    n : int, optional
        The largest count, for tables that say what happens to every count.
    headings : {"detect", "header", "labels", "both", "none", "turned"}
        Of a plain table: whether its first line is a header and its first column holds labels, or only where they say so; or that
        its columns are the true counts.
    mend : {"no", "largest"}
        Whether what rows lack of 1 is put on their largest entries; what is found is then of the mended table.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.InspectDesign([["2/3", "1/3"], ["1/3", "2/3"]]).run().findings
    >>> found["exp_epsilon"].value, found["advantage"].value
    (Fraction(2, 1), Fraction(1, 3))
    """

    kind: ClassVar[str] = "inspect"
    rough: ClassVar[bool] = True
    views: ClassVar[tuple[View, ...]] = (
        View("away", message("Disclosure risk"), ("releases", "found-out", "words")),
        View("delta", message("δ against ε"), ("delta",)),
        View("reading", message("Reading"), ("table", "readings")),
        View("again", message("Repeated releases"), ("released-again", "words", "again")),
        View("intervals", message("Intervals"), ("posterior",)),
    )
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {"pair": -1, "all": False, "linear": False, "fractions": False}
    side_jobs: ClassVar[tuple[SideJob, ...]] = (SideJob("again", compute_again, lambda now: now.view["view"] == "again"),)
    buttons: ClassVar[tuple[Action, ...]] = (WORST, ALL, LOG, FRACTIONS, PRIVATE)

    table: Any = declare(
        ReleasesInput(),
        default="geometric: 20, ln 2",
        required=True,
        label=message("The table"),
        term=message("rows: true counts, columns: releases"),
        note=message("“file:” and the path of a table, or “geometric:” with n and ε"),
        undo=message("Change the table"),
    )
    n: Number | None = declare(
        optional_number(1, 5000, "n", whole=True),
        default=None,
        label=message("Largest count"),
        note=message("The largest count; for tables of statistics offices, which cover every count"),
        when=lambda design: _read_as_text(design.table),
        undo=message("Change the largest count"),
        joined=True,
        aside=True,
    )
    headings: str = declare(
        choice(
            ("detect", message("header and labels as detected")),
            ("header", message("first line is a header")),
            ("labels", message("first column holds labels")),
            ("both", message("header and labels")),
            ("none", message("numbers only")),
            (TURNED, message("columns are the true counts")),
        ),
        default="detect",
        label=message("First line and first column"),
        when=lambda design: _read_as_text(design.table),
        undo=message("Change header and labels"),
        joined=True,
        aside=True,
    )
    mend: str = declare(
        choice(("no", message("as written")), ("largest", message("add the rest to the largest entry"))),
        default="no",
        label=message("Add the missing probability of each row to its largest entry"),
        when=lambda design: _read_as_text(design.table) or not isinstance(design.table, str),
        undo=message("Complete the rows"),
        joined=True,
        aside=True,
    )
    epsilon: Number = declare(
        EpsilonInput(0, MOST_EPSILON, symbol="ε", try_=(("ln 2", ""), ("1", "")), slide=(0, 5)),
        default="ln 2",
        label=message("Requested privacy"),
        note=message("The ε at which δ is shown"),
    )
    delta: Number | None = declare(
        optional_number(0, 1, "δ"), default=None, label=message("with δ at most"), undo=message("Change δ"), joined=True
    )
    releases: int = declare(
        whole_number(1, 1000, symbol="k", slide=(1, 20)),
        default=1,
        label=message("Repeated releases"),
        undo=message("Change the number of releases"),
    )
    group: int = declare(
        whole_number(1, 1000, slide=(1, 10)),
        default=1,
        label=message("People together"),
        note=message("Number of people who act together; rows this far apart are neighbours"),
        undo=message("Change the group"),
        joined=True,
        aside=True,
    )
    sampling: str = declare(
        SamplingInput(),
        default="",
        label=message("Sampled share"),
        note=message("Sampled share, like 1/3 or 3 of 12; empty if everybody was counted"),
        undo=message("Change the sample"),
        joined=True,
        aside=True,
    )
    attacker: str = declare(
        choice(("informed", message("knows everybody else")), ("outsider", message("knows the crowd"))),
        default="informed",
        label=message("Attacker"),
        undo=message("Change the attacker"),
        aside=True,
    )
    others: Any = declare(
        BeliefInput(message("binomial:1/2")),
        default="",
        label=message("The others’ count"),
        when=lambda design: design.attacker == "outsider",
        undo=message("Change the crowd"),
        joined=True,
        aside=True,
    )
    false_alarms: Number | None = declare(
        RateInput(0, 1, try_=(("1/100", message("1 in 100")),)),
        default=None,
        label=message("False alarms"),
        joined=True,
        aside=True,
    )
    base_rate: Number = declare(
        number(0, 1, try_=(("1/2", message("50:50")),)), default="1/2", label=message("Base rate"), joined=True, aside=True
    )
    prior: Any = declare(
        BeliefInput(),
        default="uniform",
        label=message("Belief of the readers"),
        term=message("prior"),
        undo=message("Change the prior"),
    )
    loss: Loss = declare(
        LossInput(), default="absolute", label=message("Cost of an error"), term=message("loss"), undo=message("Change the loss")
    )
    released: Number | None = declare(
        optional_number(-5000, 10_000, whole=True),
        default=None,
        label=message("Released value"),
        undo=message("Change the release"),
        aside=True,
        folded=lambda design: message(
            "Released value: {value}", value=message("the middle one") if design.released is None else design.released
        ),
    )
    confidence: Number = declare(number("1/2", "0.9999"), default="0.95", label=message("Confidence"), joined=True, aside=True)

    @property
    def privacy(self) -> PrivacyLevel:
        """The level at which delta is shown."""
        return PrivacyLevel.from_epsilon(self.epsilon)

    @property
    def level_each(self) -> PrivacyLevel:
        """The level at which geometric noise for each release and person has the requested one in total."""
        parts = self.releases * self.group
        return self.privacy if parts == 1 else PrivacyLevel.from_epsilon(float(rounded_down(self.privacy.epsilon / parts, 5)))

    @property
    def epsilon_each(self) -> str:
        """The ε of that level, as typed, divided by their number."""
        parts = self.releases * self.group
        return str(self.epsilon) if parts == 1 else message("{epsilon} / {parts}", epsilon=self.epsilon, parts=parts)

    @property
    def line(self) -> str:
        """The inputs in one line, with the attacker."""
        return message("{inputs} · the attacker {known}", inputs=super().line, known=self.input_named("attacker").summary(self))

    @override
    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again; another table is read afresh, titled from its file."""
        if changes.get("table", self.table) != self.table:
            given = str(self.table).startswith(f"{FILE} {EXAMPLE}") or self.name == _stem(self.table)
            name = _stem(changes["table"]) if given or not self.name else self.name
            changes = {"n": None, "headings": "detect", "mend": "no", "releases": 1, "name": name, **changes}
        return super().replace(**changes)


def file_of(table: object) -> PurePath:
    """Return the name of a table's file; empty without a file."""
    path = str(table).removeprefix(FILE).strip().removeprefix(EXAMPLE)
    named = _read_as_text(table) and "\n" not in path
    return PurePath(PurePath(path.replace("\\", "/")).name if named else "")


def _stem(table: object) -> str:
    return file_of(table).stem[:100]


_LARGEST_GEOMETRIC = 1000
_MOST_NAMED = 6  # released values that a sentence names


def table_key(design: InspectDesign) -> Hashable:
    """Return the key of the table to read: the current version of the file, or the numbers."""
    given = design.table
    changed = table_changed_at(given) if isinstance(given, str) and "\n" not in given else 0
    return given if isinstance(given, str) else given.texts, changed, design.n, design.headings, design.mend


def read_source(design: InspectDesign) -> tuple[NoiseTable, ReleaseTable]:
    """Return the table of a design as read, and as probabilities.

    Raises
    ------
    InputError
        If it cannot be read, or its rows are not distributions; the sentence names row and column.
    """
    return remembered(("table", table_key(design)), lambda: _read(design))


def _read(design: InspectDesign) -> tuple[NoiseTable, ReleaseTable]:
    noise = _noise(design)
    noise.check_entries()
    if len(noise.rows) < 2:
        raise InputError("the table must have at least two rows, for the counts 0 and 1, got one.", "table")
    if wrong := noise.wrong_sums:
        whole = mended(noise, wrong)
        if design.mend != MEND:
            changed = f" ε becomes {whole.epsilon} (was {noise.epsilon})." if whole.epsilon != noise.epsilon else ""
            raise NotAMechanism(f"{no_mechanism(noise)}{changed}", "mend", MEND)
        noise = whole
    return noise, exact_table(noise.rows, noise.labels, noise.release_names)


def read_rounded(design: InspectDesign) -> tuple[NoiseTable, ReleaseTable]:
    """Return the table of a design as read, and as probabilities; rows rounded in print are completed as by `mend`.

    Raises
    ------
    InputError
        As `read_source`; the suggestion is the completed table as text, if it can be completed.
    """
    return remembered(("rounded", table_key(design)), lambda: _completed(design))


def _completed(design: InspectDesign) -> tuple[NoiseTable, ReleaseTable]:
    if isinstance(design.table, str) and design.table.endswith(MENDED):
        design = design.replace(table=design.table.removesuffix(MENDED), mend=MEND)
    try:
        return _noise(design), read_source(design)[1]
    except InputError as error:
        if error.suggestion != MEND:
            raise InputError(str(error), "table") from error
        own, (noise, table) = _noise(design), read_source(design.replace(mend=MEND))
        if not own.beyond_rounding:
            return own, table
        fixed = f"{design.table}{MENDED}" if str(design.table).startswith(FILE) else noise.text
        raise InputError(str(error), "table", fixed) from error


def _noise(design: InspectDesign) -> NoiseTable:
    given, n = design.table, None if design.n is None else int(exact(design.n))
    if not isinstance(given, str):
        if len(given) * len(given[0]) > MOST_CELLS:
            got = f"{len(given)} rows of {len(given[0])} columns"
            raise InputError(f"the table must have at most {MOST_CELLS} entries to be inspected, got {got}.", "table")
        rows: list[list[Entry]] = [[exact(entry) for entry in row] for row in given]
        words = f"read: {len(rows)} by {len(rows[0])} numbers; not read: nothing"
        return NoiseTable("plain", rows, tuple(range(len(rows[0]))), words)
    if given.startswith(GEOMETRIC):
        return _geometric(given)
    text, name = (given, "the table") if "\n" in given else _file_text(given)
    return detected_table(text, name, n, design.headings, design.mend == MEND)


def _file_text(given: str) -> tuple[str, str]:
    path = resolved(given.removeprefix(FILE).strip())
    try:
        return read_text(path), path.name
    except InputError as error:
        raise InputError(str(error), "table", error.suggestion) from error


def _geometric(given: str) -> NoiseTable:
    n, _, epsilon = given.removeprefix(GEOMETRIC).partition(",")
    largest = parse_integer(n.strip(), "n", 1, _LARGEST_GEOMETRIC, "table")
    alpha = PrivacyLevel.from_epsilon(epsilon.strip()).exact_alpha
    if alpha is None:
        problem = "must be written as ln of a fraction, for example ln 2, for probabilities that are fractions"
        raise InputError(f"epsilon of a geometric table {problem}, got {excerpt(epsilon.strip())}.", "table")
    weights, powers = geometric.exact_weights(alpha, largest), geometric.powers(alpha, largest)
    rows: list[list[Entry]] = [[powers[abs(i - j)] * weights[j] for j in range(largest + 1)] for i in range(largest + 1)]
    size = f"{largest + 1} by {largest + 1} numbers"
    return NoiseTable("plain", rows, tuple(range(largest + 1)), f"computed: {size}")


def read_as(source: NoiseTable, table: ReleaseTable, level: PrivacyLevel) -> str:
    """Return the numbers that were read of a table, and the effect of its rounding on ε."""
    rows, columns = table.weights.shape
    read, given = message("Read as {rows} × {columns} numbers", rows=rows, columns=columns), named_releases(table.outputs, "")
    if "header" in source.left_out:
        read = message("{read}; released values {given} from the header", read=read, given=given)
    elif source.left_out:
        read = message("{read}; row labels left out", read=read)
    if words := source.mended_words:
        return message("{read}. {mended}. Its ε before rounding is unknown.", read=read, mended=words)
    return message("{read}. {rounding}", read=read, rounding=_rounding(source, table, level)).strip()


def named_releases(outputs: Sequence[str], last: str = " or") -> str:
    """Return released values in a sentence: consecutive ones by their ends, of many only some."""
    first, end = outputs[0], outputs[-1]
    if first == end:
        return first
    if len(outputs) > 2 and first.isdecimal() and list(outputs) == [str(int(first) + step) for step in range(len(outputs))]:
        return message("{low} to {high}", low=first, high=end)
    shown = outputs if len(outputs) <= _MOST_NAMED else (*outputs[:3], "…", end)
    return f"{', '.join(shown[:-1])}{last or ','} {end}" if len(outputs) <= _MOST_NAMED else ", ".join(shown)


def _rounding(source: NoiseTable, table: ReleaseTable, level: PrivacyLevel) -> str:
    """Return the range of ε of all tables that round to this one, and the decimals that keep ε; empty if all have the same."""
    low, high = source.neighbours
    zeros, half = int(((low == 0) & (high > 0)).sum()), 0.5 * 10.0**-source.decimals
    none = message("Zeros are next to positive entries ({count}), so no ε holds.", count=zeros) if zeros else ""
    if not source.wrong_sums:
        return message("{none} If they are rounded, print more decimals.", none=none) if zeros else ""
    least = source.least_unrounded
    most = math.log(float(((high + half) / (low - half)).max())) if low.min() > half else math.inf
    if max(most, level.epsilon) <= 1.01 * least:
        return ""
    enough = math.ceil((table.n * least + math.log1p(math.exp(-least))) / math.log(10)) + 2  # three digits of α^n / (1 + α)
    before = message("at least {least}") if most == math.inf else message("{least} to {most}")
    before = message(before, least=significant(float(rounded_down(least, 3)), 3), most=figure(most, 3))
    words = message("{none} Before rounding to {decimals} decimals, ε was {before}. Print about {enough} decimals.")
    return message(words, none=none, decimals=source.decimals, before=before, enough=enough).strip()
