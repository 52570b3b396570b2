"""The choice design: the options and their utilities, what one person may change, and the privacy level."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import Self

from dpdesigner.core.basics.accountant import UNBOUNDED, Adjacency, Spent, times
from dpdesigner.core.basics.coercion import labels_of
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact
from dpdesigner.core.choice.utilities import MOST_OPTIONS, Neighbouring, Pairs, Utilities
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.base import DeclaredDesign, View, ViewValue
from dpdesigner.studies.choice.inputs import (
    NEIGHBOURS,
    PRINTED,
    TITLES,
    BaseInput,
    EdgesInput,
    GammaInput,
    MonotoneInput,
    NeighboursInput,
    RuleInput,
    SensitivityInput,
    UtilitiesInput,
    format_number,
)
from dpdesigner.studies.fields import declare, privacy
from dpdesigner.studies.input_kinds import Input, NameInput, PathInput
from dpdesigner.studies.number_inputs import TextsInput
from dpdesigner.studies.snapshot import Action, Found, SideJob, Snapshot
from dpdesigner.studies.spending import RECORD, data_name
from dpdesigner.studies.study import Job, Progress

#: A new design in the window: the answers of 944 people about their schooling (survey_1996.csv).
FIRST = (13, 52, 248, 187, 90, 227, 127)
FIRST_NAMES = (
    "Middle school",
    "Some high school",
    "High school",
    "Some college",
    "2-year degree",
    "Bachelor’s degree",
    "Master’s or more",
)

_UTILITIES: Input[Utilities | None] = UtilitiesInput()
_NAMES: Input[tuple[str, ...] | None] = TextsInput(MOST_OPTIONS)
_CATEGORIES: Input[tuple[str, ...] | None] = TextsInput(MOST_OPTIONS, numbers=True, once=True)
_PATH: Input[str] = PathInput()
_COLUMN: Input[str] = NameInput()
_EDGES: Input[tuple[Number, ...] | None] = EdgesInput()
_BASE: Input[tuple[Number, ...] | None] = BaseInput()
_MONOTONE: Input[bool] = MonotoneInput()
_NEIGHBOURS: Input[str | Pairs] = NeighboursInput()
_SENSITIVITY: Input[Number] = SensitivityInput()
_LEVEL = privacy("1e-6", 1400)
_RULE: Input[str] = RuleInput()
_GAMMA: Input[Number] = GammaInput()

VIEWS = (
    View(
        "chances",
        message("Probabilities"),
        ("strips", "told"),
        message("Probability of each option, and the largest change by one person"),
    ),
    View("short", message("Distance from best"), ("short",), message("How far the chosen option may fall short of the best")),
    View("sweep", message("Against ε"), ("sweep",), message("Probability of the right option against epsilon, for each rule")),
    View("constants", message("In papers"), ("constants",), message("Epsilon attained with the constant of Dwork (2011)")),
)
_OF_TABLES = (
    VIEWS[0],
    View("table", message("Mechanism"), ("table", "told"), message("Probability of each option, for every database")),
    *VIEWS[1:],
)


def _draw(many: int, now: Snapshot) -> Job:
    """Draw this many times, exactly, from the operating system's entropy; one draw from a private column is a release."""
    answer, row = now.answer, now.answer.row(now.view)

    def run(progress: Progress) -> Found:
        drawn = answer.announce(row, many, progress)
        if many == 1:
            RECORD.add(now.design, now.design.release_loss)
        return Found(now.solved, drawn, {"row": now.view["row"]})

    return Job("draw", run, slow=many * answer.task.options > 1000)  # few do not wait for the limit


_BUTTONS = (
    Action(
        message("Simulate once"),
        lambda now: _draw(1, now),
        message("Draw one option, exactly"),
        "Ctrl+R",
        when=Snapshot.is_current,
        key="draw",
        presented=True,
        offered=lambda now: not now.design.secret,
        main=True,
    ),
    Action(
        message("Release once (spends ε)"),
        lambda now: _draw(1, now),
        message("Draw one option to publish, exactly. Each release spends ε once more"),
        spends=True,
        when=lambda now: now.is_current() and now.design.fixed,
        presented=True,
        offered=lambda now: now.design.secret,
        main=True,
    ),
    Action(
        message("× 100"),
        lambda now: _draw(100, now),
        message("Simulate a hundred draws, shown only here: nothing is released, no ε is spent"),
        when=Snapshot.is_current,
        command=message("Simulate a hundred times"),
        presented=True,
    ),
    Action(
        message("Worst neighbour"),
        lambda now: {"neighbour": "", "influence": True},
        message("Show the change by one person that moves a probability most"),
        on="chances",
        when=lambda now: not now.design.is_table,
        chosen=lambda now: now.view["influence"] and not now.view["neighbour"],
        key="worst",
        command=message("Show the worst neighbour"),
        presented=True,
    ),
    Action(
        message("Compare ▾"),
        lambda now: None,
        message("Rule shown by the thin marks"),
        on="chances short",
        command=message("Compare with another rule"),
        menu=(
            (message("None"), lambda now: {"rival": ""}),
            *((title, lambda now, key=key: {"rival": key}) for key, (title, _, _) in TITLES.items()),
        ),
        presented=True,
    ),
)

_SIDE_JOBS = (
    SideJob(
        "limit",
        lambda answer, progress: answer.find_limit(progress),
        lambda now: now.answer.limit is None and now.answer.limited,
        title=message("upper limit"),
        into="limit",
    ),
    SideJob(
        "worst",
        lambda answer, progress: answer.rule.find_worst(progress),
        lambda now: not (now.answer.worst_known or now.answer.task.table or now.view["neighbour"]),
        title=message("worst neighbour"),
        into="worst",
    ),
    SideJob(
        "sweep",
        lambda answer, progress: answer.sweep(progress),
        lambda now: now.view["view"] == "sweep",
        live=True,
        title=message("probabilities against ε"),
    ),
)


class ChoiceDesign(DeclaredDesign):
    """Options with utilities, of which one is chosen at random, and what one person may change.

    Parameters
    ----------
    utilities : sequence of Number, or of sequences of Number
        How good each of 2 to 1000 options is; or a table, rows = databases, columns = options.
    names : sequence of str, optional
        Of the options; those of a Series or a mapping are its labels.
    path, column : str
        A file and its column, whose values are counted instead of giving utilities; ``example:NAME`` ships with the program.
    categories : sequence of str, optional
        The values that are counted, fixed in advance; as many as names. Without them the values found in the data are taken.
    edges : sequence of Number, optional
        One more than options: each option is the interval between two of them, and a number is chosen.
    base : sequence of Number, optional
        The base measure of each option, at least 0; 1 each, or the length of its interval.
    monotone : bool
        The same as ``neighbours="joins"``; of a table: neighbouring rows move all utilities the same way.
    neighbours : {"any", "changes", "joins"}; of a table {"next", "all"} or a list of pairs of rows
        ``any``: every utility may move by at most the sensitivity; ``changes``: one rises, another falls by it; ``joins``: all
        move the same way by at most it.
    sensitivity : Number, optional
        By how much one person can move a utility; 1 if not given, or what a table shows where that is more.
    epsilon, alpha : Number
        The privacy level, epsilon in [1e-6, 1400]; exactly one of the two.
    rule : str
        The rule that is drawn, released and exported; see `dpdesigner.studies.choice.inputs.TITLES`.
    gamma : "optimal" or Number
        Where staircase weights step down in each period.
    name : str
        What the user calls it.
    privacy : PrivacyLevel
        Instead of epsilon or alpha.

    Raises
    ------
    InputError
        If one of them cannot be used; nothing is made then.

    Examples
    --------
    >>> vote = ChoiceDesign([248, 227, 187], ["red", "blue", "green"], epsilon="0.1", neighbours="changes")
    >>> rules = vote.run().rules
    >>> [round(rules[key].chance_of_best, 4) for key in ("permute-and-flip", "exponential")]
    [0.8069, 0.7157]
    >>> rules["exponential-cacm"].epsilon  # as printed it has twice the 0.1 that it is called by
    0.2
    """

    kind: ClassVar[str] = "choice"
    needed: ClassVar[tuple[str, ...]] = ("neighbours", "privacy")
    views: ClassVar[tuple[View, ...]] = VIEWS
    beside_views: ClassVar[tuple[str, ...]] = ("short",)
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {
        "option": -1,
        "row": 0,
        "rival": "exponential",
        "neighbour": "",
        "influence": False,
    }
    side_jobs: ClassVar[tuple[SideJob, ...]] = _SIDE_JOBS
    buttons: ClassVar[tuple[Action, ...]] = _BUTTONS

    utilities: Utilities | None = declare(_UTILITIES, default=None, label=message("utilities"))
    names: tuple[str, ...] | None = declare(
        _NAMES, default=None, label=message("names"), when=lambda design: design.names is not None
    )
    path: str = declare(_PATH, default="", label=message("file"), when=lambda design: bool(design.path), secret=True)
    column: str = declare(_COLUMN, default="", label=message("column"), when=lambda design: bool(design.path))
    categories: tuple[str, ...] | None = declare(
        _CATEGORIES, default=None, label=message("categories"), when=lambda design: design.categories is not None
    )
    edges: tuple[Number, ...] | None = declare(
        _EDGES, default=None, label=message("edges"), when=lambda design: design.edges is not None
    )
    base: tuple[Number, ...] | None = declare(
        _BASE, default=None, label=message("base measure"), when=lambda design: design.base is not None
    )
    monotone: bool = declare(_MONOTONE, default=False, label=message("same way"), when=lambda design: design.is_table)
    neighbours: str | Pairs = declare(_NEIGHBOURS, default="any", label=message("neighbours"))
    sensitivity: Number = declare(_SENSITIVITY, default=None, label="Δ")
    privacy: PrivacyLevel = declare(_LEVEL, default=1, required=True, label=message("How private"))
    rule: str = declare(_RULE, default="", label=message("rule"))
    gamma: Number = declare(_GAMMA, default="optimal", label="γ", when=lambda design: design.gamma != "optimal")

    if TYPE_CHECKING:  # utilities and pairs in any form, and epsilon or alpha instead of privacy

        def __init__(self, utilities: Any = None, names: Any = None, **inputs: Any) -> None: ...

    def __post_init__(self) -> None:
        if self.path and self.utilities is not None:
            raise InputError("the utilities must be either given or counted from a column; got both.", "utilities")
        if self.utilities is None and not self.path:
            raise InputError("a choice design must have utilities or a file to count them from, got neither.", "utilities")
        if self.names is None:
            object.__setattr__(self, "names", labels_of(self.utilities))
        if isinstance(self.neighbours, str) and self.neighbours == "joins" and self.monotone is False:
            object.__setattr__(self, "monotone", True)
        super().__post_init__()
        views = _OF_TABLES if self.is_table else VIEWS
        object.__setattr__(self, "views", views if self.rule in PRINTED else views[:-1])

    def check(self) -> None:
        """Refuse names or categories that belong to no option."""
        if self.categories is not None and not self.path:
            raise InputError("categories are only for a counted column; leave them out, or give a path.", "categories")
        options = len(self.categories or ()) if self.utilities is None else self.utilities.options
        if self.names is not None and not options:
            raise InputError("names need categories, the value of the column that each name represents.", "names")
        if self.names is not None and len(self.names) != options:
            raise InputError(f"there must be one name per option, {options}, got {len(self.names)}.", "names")

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the window's initial design: one answer of a survey, published."""
        data = {} if "path" in changes or "utilities" in changes else {"utilities": FIRST, "names": FIRST_NAMES}
        level = {} if {"alpha", "privacy"} & changes.keys() else {"epsilon": "0.1"}
        return cls(**{**data, **level, "neighbours": "changes", **changes})

    @property
    def epsilon(self) -> float:
        """The privacy level."""
        return self.privacy.epsilon

    @property
    def spent(self) -> Spent:
        """The privacy loss of one release: the level of its rule, unless the options are read from the data."""
        if not self.fixed:
            return UNBOUNDED
        both = 1 if self.monotone else 2
        printed = {"exponential-cacm": Fraction(both), "exponential-notes": both * self.exact_sensitivity}
        one_person: dict[object, Adjacency] = {"changes": "replace", "joins": "add-remove"}
        level = times(self.privacy, printed[self.rule]) if self.rule in printed else self.privacy
        return Spent(level, adjacency=one_person.get(self.neighbours, "") if isinstance(self.neighbours, str) else "")

    @property
    def data_name(self) -> str:
        """The name of the file that is counted, if it is private."""
        return data_name(self.path) if self.secret else ""

    @property
    def exact_epsilon(self) -> Fraction:
        """The epsilon used for the probabilities: itself, or the nearest double if it is irrational."""
        return self.privacy.exact_epsilon or Fraction(self.privacy.epsilon)

    @cached_property
    def exact_sensitivity(self) -> Fraction:
        """The sensitivity Delta."""
        return exact(self.sensitivity, "sensitivity")

    @property
    def reach(self) -> Fraction:
        """The largest change of a difference of two utilities: s, 2 Delta, or Delta if monotone."""
        return self.exact_sensitivity * (1 if self.monotone else 2)

    @property
    def is_table(self) -> bool:
        """Whether there is a whole table of utilities."""
        return self.utilities is not None and self.utilities.table

    @property
    def neighbouring(self) -> Neighbouring:
        """The neighbouring rows of the table."""
        if self.utilities is None:
            raise AssertionError("neighbouring rows are only for a table")
        return Neighbouring(self.neighbours, len(self.utilities.rows))

    @property
    def fixed(self) -> bool:
        """Whether the options are fixed in advance rather than read from the data."""
        return not self.path or self.categories is not None

    @property
    def secret(self) -> bool:
        """Whether the utilities are counted from private data, so that no true value of them leaves the window."""
        from dpdesigner.data.columns import EXAMPLE

        return bool(self.path) and not self.path.startswith(EXAMPLE)

    @property
    def line(self) -> Message:
        """The design in one line: ``7 options · one answer may change · Δ = 1 · ε = 0.1``."""
        words = NEIGHBOURS.get(str(self.neighbours)) or _NEIGHBOURS.text(self.neighbours)
        parts = {"moves": words, "delta": format_number(self.exact_sensitivity), "privacy": self.privacy.description}
        count = len(self.categories or ()) if self.utilities is None else self.utilities.options
        what = message("{count} options", count=count)
        if not count:
            what = message("options read from the data")
        elif self.utilities is not None and self.is_table:
            what = message("{rows} × {count} utilities", rows=len(self.utilities.rows), count=count)
        elif self.edges is not None:
            what = message("a number in {count} cells", count=count)
        return message("{what} · {moves} · Δ = {delta} · {privacy}", what=what, **parts)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again; for one vector, new neighbours determine what is monotone."""
        if "neighbours" in changes and not self.is_table:
            changes.setdefault("monotone", False)
        return super().replace(**changes)

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, as entered; for one vector, its neighbours determine whether it is monotone."""
        data = super().to_json()
        if not (self.is_table and self.monotone):
            del data["monotone"]
        return data
