"""The design of one release for many readers: the readers, the privacy level, an existing table, and further levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import Self

from dpdesigner.core.basics.accountant import UNBOUNDED, Spent
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import figure, rounded_up
from dpdesigner.core.inspection.reader_results import draw_levels
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import DeclaredDesign, View, ViewValue
from dpdesigner.studies.data_inputs import LevelsInput, NamedLevel, ReleasesInput
from dpdesigner.studies.fields import MISSING, DeclaredInput, declare, privacy, whole_number
from dpdesigner.studies.inspect.audience_readers import ReadersInput, ReaderSpec, readers_over, with_targets
from dpdesigner.studies.inspect.design import InspectDesign, read_rounded
from dpdesigner.studies.snapshot import Action, SideJob, Snapshot
from dpdesigner.studies.study import Progress

LARGEST_N = 2000
#: Above the first n levels have no kernels in fractions, and curves are computed on request; above the second none is drawn.
LARGEST_KERNEL_N, LARGEST_DRAWN_N = 60, 200
LARGEST_TABLES_N = 100  #: up to which the table of each level is exported
_EXAMPLE = "file: example:laplace_clamped.csv"  # the table that can be tried
THREE_LEVELS = "staff: ln 4, partners: ln 2, public: ln 4/3"  #: levels that can be tried
_NEAR = 500  # so small a part of what ignoring the data costs more is near to the least loss


def shown_output(design: AudienceDesign, view: Mapping[str, Any], outputs: int, n: int) -> int:
    """Return the selected output; by default a little above the middle."""
    middle = n // 2 + max(1, n // 10)
    chosen = view.get("released")
    return min(max(int(middle if chosen is None else chosen), 0), outputs - 1)


def shown_count(view: Mapping[str, Any], n: int) -> int:
    """Return the selected true count; by default the middle."""
    chosen = view.get("count")
    return min(max(int(n // 2 if chosen is None else chosen), 0), n)


def _draw(now: Snapshot) -> Mapping[str, Any]:
    """Draw the output, and with it the numbers of all levels where there are some, from the operating system's entropy."""
    design, n = now.answer.design, now.answer.n
    drawn = design.drawn if design.chained else (NamedLevel("", design.privacy),)
    numbers = draw_levels([level.privacy for level in drawn], n, shown_count(now.view, n))
    released = numbers[[level.privacy.alpha_below for level in drawn].index(design.privacy.alpha_below)]
    chain = chain_as(design, now.view, numbers) if design.chained else ""
    return {"released": released, "drawn": drawn_as(design, now.view, released), "chain": chain}


def drawn_as(design: AudienceDesign, view: Mapping[str, Any], released: int) -> str:
    """Return an output with the true count and level at which it is drawn."""
    return f"{released}: {shown_count(view, design.n)} of {design.n}, {design.privacy.form} {design.privacy.number}"


def chain_as(design: AudienceDesign, view: Mapping[str, Any], numbers: Sequence[int]) -> str:
    """Return the numbers of all levels with the true count and the levels at which they are drawn."""
    levels = " ".join(f"{level.privacy.form} {level.privacy.number}" for level in design.drawn)
    return f"{' '.join(map(str, numbers))}: {shown_count(view, design.n)} of {design.n}, {levels}"


def shown_chain(design: AudienceDesign, view: Mapping[str, Any]) -> tuple[tuple[int, ...], bool]:
    """Return the numbers of all levels, none before a draw, and whether they are of this true count and these levels."""
    text = view["chain"]
    numbers = tuple(int(part) for part in text.partition(":")[0].split() if part.isdecimal() and len(part) < 5)
    made = chain_as(design, view, numbers)
    if len(numbers) != len(design.drawn) or max(numbers) > design.n or text.partition(" of ")[2] != made.partition(" of ")[2]:
        return (), False  # of other levels
    return numbers, text == made


def _drawable(now: Snapshot) -> bool:
    return now.answer.existing is None


def _reach_targets(now: Snapshot) -> AudienceDesign:
    """Return the design with the targets that no epsilon reaches a little above what one does reach."""
    missed = [(place, result) for place, result in enumerate(now.answer.results) if result.unreachable]
    least = {place: (float(result.least_loss), float(result.served.ignore)) for place, result in missed}
    targets = {place: low + (high - low) / _NEAR for place, (low, high) in least.items()}
    made: AudienceDesign = now.design.replace(readers=with_targets(now.design.readers, targets))
    return made


DRAW = Action(
    message("Draw once"),
    _draw,
    message("Draw exactly, one number from the other (D)"),
    "Ctrl+R",
    on="release levels",
    offered=lambda now: _drawable(now) and (now.design.chained or now.view["view"] != "levels"),
    key="draw",
    main=True,
    presented=True,
)
LEAST = Action(
    message("Meet all targets"),
    lambda now: now.design.replace(epsilon=str(rounded_up(now.answer.least_epsilon, 4))),
    message("Set the least ε that meets every reader’s target"),
    on="release readers",
    when=lambda now: _drawable(now) and 0 < (now.answer.least_epsilon or 0) < 700,
    offered=_drawable,
)
REACH = Action(
    message("Fix targets"),
    _reach_targets,
    message("Raise each target that no ε can reach to the nearest that one can"),
    offered=lambda now: any(result.unreachable for result in now.answer.results),
)
TABLE = Action(
    message("Try a table"),
    lambda now: now.design.replace(table=_EXAMPLE),
    message("Laplace noise, rounded and clamped, over the counts 0 to 20"),
    on="table",
    offered=lambda now: now.answered is None or _drawable(now),  # also in place of one that cannot be read
)
OWN = Action(
    message("Remove the table"),
    lambda now: now.design.replace(table=""),
    message("Release the count instead"),
    on="table levels",
    offered=lambda now: now.design.table != "",  # also one that cannot be read
)
READ = Action(
    message("Open the note"),
    lambda now: {"view": "note"},
    message("The selected reader’s reading of each release"),
    on="table",
    offered=lambda now: now.answer.existing is not None,
    main=True,
)
LEVELS = Action(
    message("Try three levels"),
    lambda now: now.design.replace(levels=THREE_LEVELS),
    message("A precise number for the staff, a less precise one for partners and the least precise one for the public"),
    on="levels",
    offered=lambda now: now.answer.existing is None and not now.design.levels,
    main=True,
)


def _try_table(answer: Any, progress: Progress) -> Any:
    """Return a rough answer to the table that can be tried, for the same readers; None if they do not fit it."""
    with suppress(InputError):
        return answer.design.replace(table=_EXAMPLE).preview()
    return None


_SAMPLE = SideJob(
    "sample", _try_table, lambda now: now.view["view"] == "table" and _drawable(now), False, False, message("the table to try")
)
_CURVES = SideJob(
    "curves",
    lambda answer, progress: answer.find_curves(progress),
    lambda now: now.view["view"] == "readers",
    lambda answer: answer.n > LARGEST_KERNEL_N,
    lambda answer: answer.n <= LARGEST_KERNEL_N,
    message("losses against ε"),
)

#: The inputs that an existing table determines itself.
_OF_TABLE: Mapping[str, Any] = {"n": 20, "privacy": PrivacyLevel("alpha", "1/2")}

_NEWS = [1, 3, 6, 10, 14, 17, 18, 17, 14, 11, 8, 6, 4, 3, 2, 2, 1, 1, 1, 1, 1]
#: The initial design of the window: three readers of the number of flu cases in a ward.
WARD = (
    {"name": "Bed planner", "prior": [int(d) for d in "000112345678887654321"], "loss": "pinball:3/4", "target": "0.5"},
    {"name": "Newspaper", "prior": _NEWS, "loss": "zero-one", "target": "0.6"},
    {"name": "Epidemiologist", "prior": "binomial:1/4", "loss": "squared", "target": 2},
)


class AudienceDesign(DeclaredDesign):
    """One private release of a count, and everybody who reads it.

    Parameters
    ----------
    n : int
        The largest count; of an existing table that is its number of rows less one.
    epsilon, alpha : Number
        The privacy level of the release; an existing table has its own.
    readers : sequence of mappings, or DataFrame
        Each with ``name``, ``prior`` (as of a `CountDesign`), ``loss`` (by name, or rows of numbers, whose columns ``labels`` may
        name), ``weight`` (1) and ``target``. Instead of a prior, ``minimax`` names what a cautious reader holds for possible:
        ``"all"``, ``"4..14"``, a list of counts, or ``{"priors": [...]}``; ``minimax_regret`` the same, for regret.
    table : path-like, str or rows of numbers, optional
        A table that is published already; see `InspectDesign`. ``, mended`` after a file adds what a row lacks of 1 to its
        largest entry.
    levels : sequence, optional
        Several precisions from one draw, least private first: epsilons, or mappings with ``name`` and ``epsilon`` or ``alpha``.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> first = {"name": "A", "prior": "uniform", "loss": "absolute"}
    >>> readers = [first, {"name": "B", "prior": [1, 0, 0, 1], "loss": "zero-one"}]
    >>> found = dp.AudienceDesign(n=3, alpha="1/4", readers=readers).run().findings
    >>> found["A/loss"].value, found["B/remap"].value, found["separate_exp_epsilon"].value
    (Fraction(57, 160), (0, 0, 3, 3), Fraction(4, 1))
    """

    kind: ClassVar[str] = "audience"
    rough: ClassVar[bool] = True
    views: ClassVar[tuple[View, ...]] = (
        View("release", message("One release"), ("release", "words")),
        View("readers", message("All readers"), ("curves", "readers")),
        View("note", message("Note"), ("note",)),
        View("table", message("Existing table"), ("invitation", "reading", "table", "origin"), rare=True),
        View("levels", message("Levels"), ("levels", "chain", "caption"), rare=True),
    )
    _drawn: ClassVar[Mapping[str, ViewValue]] = {"drawn": "", "chain": "", "released": None, "count": None}
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {"reader": 0, "level": "", **_drawn}
    beside_views: ClassVar[tuple[str, ...]] = ("precision", "level", "separate", "targets", "unreachable")
    side_jobs: ClassVar[tuple[SideJob, ...]] = (_CURVES, _SAMPLE)
    buttons: ClassVar[tuple[Action, ...]] = (DRAW, LEAST, REACH, TABLE, READ, OWN, LEVELS)

    readers: tuple[ReaderSpec, ...] = declare(
        ReadersInput(),
        default=WARD,
        required=True,
        label=message("Readers"),
        term=message("prior, loss, weight"),
        note=message("Everyone who uses the number, with their prior and loss"),
        undo=message("Change the readers"),
    )
    privacy: PrivacyLevel = declare(
        privacy(),
        default="ln 2",
        required=True,
        label=message("How private"),
        term=message("ε"),
        when=lambda design: design.table == "",
    )
    n: int = declare(
        whole_number(1, LARGEST_N, symbol="n", scale="log", slide=(1, 200)),
        default=20,
        required=True,
        label=message("Largest possible count"),
        term=message("n"),
        when=lambda design: design.table == "",
        undo=message("Change n"),
    )
    table: Any = declare(
        ReleasesInput(optional=True),
        default=None,
        label=message("Existing table"),
        note=message("A published table: “file:” and its path, or “geometric:” with n and ε"),
        undo=message("Change the table"),
        aside=True,
        says=lambda design: message("CSV: a row of probabilities for each true count 0, 1, …"),
    )
    levels: Any = declare(
        LevelsInput(),
        default=(),
        label=message("Levels"),
        note=message("Several precisions from one draw, least private first: staff: ln 4, partners: ln 2, public: 0.3"),
        undo=message("Change the levels"),
        term=message("ε, most precise first"),
        when=lambda design: design.table == "",
    )

    @classmethod
    def _require(cls, given: Iterable[str], inputs: Iterable[DeclaredInput], field: str = "") -> None:
        """Require readers, and also n and a privacy level unless a table defines them."""
        names = set(given)
        super()._require(names, (each for each in inputs if "table" not in names or each.key not in _OF_TABLE), field)

    if TYPE_CHECKING:  # readers in any form, and epsilon or alpha instead of privacy

        def __init__(self, readers: Any = None, **inputs: Any) -> None: ...

    def __post_init__(self) -> None:
        free = self.table is not None and vars(self)["n"] in (None, MISSING)
        for key, value in _OF_TABLE.items():  # the table has its own values
            if self.table is not None and vars(self)[key] in (None, MISSING):
                object.__setattr__(self, key, value)
        super().__post_init__()
        if free and self.table != "":
            with suppress(InputError):  # the readers of a table without n are those of its counts
                object.__setattr__(self, "n", read_rounded(InspectDesign(self.table))[1].n)

    def check(self) -> None:
        """Refuse readers that do not fit n, unless a table defines n."""
        if self.table == "":
            readers_over(self.readers, self.n)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again; over another n, beliefs stay at their counts.

        A release that is one of the levels is one of new levels, too; without levels, it becomes the nearest.
        """
        n = str(changes.get("n", "")).strip()
        if "readers" not in changes and n.isdecimal() and 1 <= int(n) <= LARGEST_N:
            changes["readers"] = tuple(spec.over(int(n), self.n) for spec in self.readers)
        elif "readers" not in changes and changes.get("table") == "":
            changes["readers"] = tuple(spec.cut(self.n, self.n) for spec in self.readers)
        made = super().replace(**changes)
        if "levels" not in changes or not made.levels or {"privacy", "epsilon", "alpha"} & changes.keys():
            return made
        apart, one = len(self.drawn) > max(len(self.levels), 1), len(made.drawn) == len(made.levels)
        return made if apart or one else made.replace(privacy=self._same(made.levels))

    def _same(self, levels: Sequence[NamedLevel]) -> PrivacyLevel:
        """Return which of new levels is the release: that in the place of the one before, otherwise the nearest."""
        places = [place for place, each in enumerate(self.levels) if each.privacy.alpha_below == self.privacy.alpha_below]
        near = min(levels, key=lambda each: abs(each.privacy.epsilon - self.privacy.epsilon))
        return (levels[places[0]] if places and places[0] < len(levels) else near).privacy

    @property
    def spent(self) -> Spent:
        """The privacy loss of everything released: that of its least private level, from which the others are drawn."""
        if self.table != "":
            return UNBOUNDED  # a table has its own level, which is unknown until it is read
        return Spent(min((each.privacy for each in self.drawn), key=lambda level: level.alpha_below))

    @property
    def drawn(self) -> tuple[NamedLevel, ...]:
        """Everything that comes from one draw, most precise first: all levels, and the release unless it is one of them."""
        alone = self.privacy.alpha_below not in {each.privacy.alpha_below for each in self.levels}
        own = (NamedLevel(message("the release"), self.privacy),) if alone else ()
        return tuple(sorted((*own, *self.levels), key=lambda level: level.privacy.alpha_above))

    @property
    def chained(self) -> bool:
        """True if there are levels, no existing table, and few enough counts to draw all levels at once."""
        return bool(self.levels) and self.table == "" and self.n <= LARGEST_DRAWN_N

    @property
    def line(self) -> str:
        """The inputs in one line; with several levels, the ε of all together, never that of one."""
        if not self.levels or self.table != "":
            return super().line
        told = {each.key: each.summary(self) for each in self.inputs() if each.key in ("readers", "n", "levels")}
        if len(self.drawn) > len(self.levels):
            told["levels"] = message("{levels} and the release", levels=told["levels"])
        together = figure(self.spent.level.epsilon_above, 4)
        return message("{readers} · {n} · {levels} · ε = {epsilon} together", epsilon=together, **told)
