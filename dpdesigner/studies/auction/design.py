"""The auction design: each bidder's value, the cap of a bid, and the privacy level of the price; with its bids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from typing_extensions import Self

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.accountant import Spent, times
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, double, exact, excerpt, limit
from dpdesigner.core.choice.demand import LARGEST, Curve, Demand
from dpdesigner.core.choice.price import Step
from dpdesigner.core.noise.noise_cost import LEAST_EPSILON, MOST_EPSILON
from dpdesigner.data.columns import changed_at, only_column, read_values, resolved
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import DeclaredDesign, View, ViewValue
from dpdesigner.studies.fields import choice, declare, privacy, text
from dpdesigner.studies.input_kinds import Input, NameInput, PathInput
from dpdesigner.studies.number_inputs import MOST_BIDS, BidsInput, CapInput, CurvesInput
from dpdesigner.studies.snapshot import Action, Found, SideJob, Snapshot
from dpdesigner.studies.spending import RECORD, data_name
from dpdesigner.studies.study import Job, Progress

#: The bids that a new design starts with.
FIVE = ("0.2", "0.4", "0.6", "0.8", "1")

_BIDS: Input[tuple[Number, ...]] = BidsInput()
_CURVES: Input[tuple[Curve, ...]] = CurvesInput()
_CAP: Input[Number] = CapInput()
_LEVEL = privacy(LEAST_EPSILON, round(MOST_EPSILON))
_SOURCES = ("bids", "demand", "path")


def _secret(design: Any) -> bool:
    return not design.bids_public


@dataclass(frozen=True, eq=False)
class Drawn:
    """Prices drawn at once from a design."""

    design: AuctionDesign
    prices: tuple[float, ...]
    again: bool = False  #: whether another one is known that was drawn before, elsewhere

    def releases(self, design: AuctionDesign) -> bool:
        """Return whether they are from the bids of a design, whatever ε and the cap were."""
        bids = attrgetter(*_SOURCES, "column")
        return bool(bids(self.design) == bids(design))


def single_prices(draws: Sequence[Drawn], design: AuctionDesign) -> list[Drawn]:
    """Return the prices drawn alone from the bids of a design, whatever ε and the cap were: choosing among them costs all."""
    return [each for each in draws if len(each.prices) == 1 and each.releases(design)]


def drawn_earlier(draws: Sequence[Drawn], design: AuctionDesign) -> bool:
    """Return whether the project remembers more prices of the bids of a design than these draws have."""
    made = sum((each.data, each.kind) == (design.data_name, design.kind) for each in RECORD.found.value)
    return made > sum(len(each.prices) == 1 and each.design.data_name == design.data_name for each in draws)


def _draw(many: int, now: Snapshot) -> Job:
    """Draw prices exactly, from the operating system's entropy, in addition to all drawn before, whatever the design."""
    answer, found = now.answer, now.outcomes.get("draw")
    before = found.value if isinstance(found, Found) else ()

    def run(progress: Progress) -> Found:
        prices = tuple(answer.draw() for _ in range(many))
        return Found(now.solved, (*before, Drawn(now.design, prices, drawn_earlier(before, now.design))))

    return Job("draw", run, not answer.quick)


MOST = {"bidder": -1, "says": None}  #: the view of the bidder who gains most by misreporting

_BUTTONS = (
    Action(
        message("Draw a price"),
        lambda now: _draw(1, now),
        message("Draw the price to announce. Publish the first: choosing among several, or publishing more, costs more than ε"),
        "Ctrl+R",
        when=Snapshot.is_current,
        key="draw",
        presented=True,
        main=True,
        spends=True,
    ),
    Action(
        message("× 100"),
        lambda now: _draw(100, now),
        message("Draw a hundred prices to see their distribution"),
        when=Snapshot.is_current,
        command=message("Draw a hundred prices"),
        presented=True,
    ),
    Action(
        message("All prices"),
        lambda now: {"whole": not now.view["whole"]},
        when=lambda now: now.answer is not None,
        chosen=lambda now: bool(now.view["whole"]),
        key="whole",
        command=message("Show all prices up to the cap"),
        button=False,
    ),
    Action(
        message("Best lie"),
        lambda now: (
            MOST if now.view["bidder"] >= 0 or now.answer.most is None else {"bidder": now.answer.most.bidder, "says": None}
        ),
        message("Select the bidder and the lie with the largest gain; a second press makes the bidder tell the truth"),
        when=lambda now: now.answer is not None,
        chosen=lambda now: now.view["bidder"] < 0,
        key="most",
        command=message("Select the bidder with the largest gain"),
        presented=True,
    ),
    Action(
        message("Tell the truth"),
        lambda now: {"says": None},
        when=lambda now: now.view["says"] is not None,
        key="truth",
        button=False,
    ),
)

_SIDE_JOBS = (
    SideJob(
        "lies",
        lambda answer, progress: answer.most_to_gain(progress),
        lambda now: now.answer.most is None and now.answer.demand.bidders > 0,
        title=message("bidder who gains most from a misreport"),
        into="most",
    ),
    SideJob(
        "misreport",
        lambda answer, progress, bidder, says: answer.misreport(bidder, says),
        lambda now: not now.answer.quick and 0 <= now.view["bidder"] < now.answer.demand.bidders,
        live=True,
        title=message("gain of the bidder by lying"),
        reads=("bidder", "says"),
    ),
)


class AuctionDesign(DeclaredDesign):
    """One price for everybody, drawn with a probability that grows with its revenue.

    Parameters
    ----------
    bids : sequence of Number
        The most that each would pay for one item.
    demand : sequence
        Instead: for each bidder a falling curve, a list of (price, quantity), each the quantity that is bought up to this price
        from above the price before; or a falling list of what each further item is worth.
    path, column : str
        Instead: where bids for one item each are: a file, or ``example:NAME`` for one that ships with the program, and its
        column.
    cap : Number
        The most that a bid may count, and the highest price: known without the bids. Bids above it are cut to it, and so are
        curves that bring more than it at a price.
    epsilon, alpha : Number
        The privacy level, exactly one of the two; the price of bids for one item has it, that of curves twice as much.
    unit : str
        What prices are counted in.
    bids_are : {"secret", "public"}
        Whether single bids may leave the window.
    name : str
    privacy : PrivacyLevel
        Instead of epsilon or alpha.

    Examples
    --------
    >>> outcome = AuctionDesign(bids=[0.2, 0.4, 0.6, 0.8, 1], cap=1, epsilon=1).run()
    >>> round(outcome.expected_revenue, 6), round(outcome.optimum, 6), outcome.bound < 0 <= outcome.draw() <= 1
    (1.24674, 1.8, True)
    """

    kind: ClassVar[str] = "auction"
    views: ClassVar[tuple[View, ...]] = (
        View("price", message("Price"), ("price",)),
        View("drawn", message("Revenue"), ("drawn",)),
        View("epsilon", message("Against ε"), ("against",)),
        View("demand", message("Demand"), ("demand",), when=lambda design: False),  # for tables; the card of the bids shows it
    )
    beside_views: ClassVar[tuple[str, ...]] = ("lying",)
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {**MOST, "whole": False, "influence": False}
    side_jobs: ClassVar[tuple[SideJob, ...]] = _SIDE_JOBS
    buttons: ClassVar[tuple[Action, ...]] = _BUTTONS

    bids: tuple[Number, ...] = declare(_BIDS, default=None, label=message("Bids"), term=message("bids"), secret=_secret)
    demand: tuple[Curve, ...] = declare(
        _CURVES, default=(), label=message("Demand curves"), term=message("demand curves"), secret=_secret
    )
    path: str = declare(PathInput(), default="", label=message("File"), when=lambda design: bool(design.path), secret=True)
    column: str = declare(NameInput(), default="", label=message("Column"), when=lambda design: bool(design.path))
    cap: Number = declare(_CAP, default=1, label=message("Cap on bids"), term=message("public"))
    unit: str = declare(text(longest=20), default="", label=message("Unit"), when=lambda design: bool(design.unit))
    bids_are: str = declare(
        choice(("secret", message("secret")), ("public", message("public"))), default="secret", label=message("The bids are")
    )
    privacy: PrivacyLevel = declare(_LEVEL, default="1", required=True, label=message("How private"), term=message("ε"))

    if TYPE_CHECKING:  # bids and curves in any of their forms, and epsilon or alpha instead of privacy

        def __init__(self, bids: Any = None, demand: Any = None, *, cap: Number | None = 1, **inputs: Any) -> None: ...

    def __post_init__(self) -> None:
        if self.bids is None:
            if not (self.path or _some(self.demand)):
                raise InputError("an auction needs bids, demand curves or a file of bids, got none of them.", "bids")
            object.__setattr__(self, "bids", ())
        if self.demand is None:
            object.__setattr__(self, "demand", ())
        super().__post_init__()

    def check(self) -> None:
        """Refuse bids from more than one source."""
        if bool(self.bids) + bool(self.demand) + bool(self.path) > 1:
            raise InputError("an auction needs either bids, demand curves or a file of bids, got more than one of them.", "bids")

    @property
    def spent(self) -> Spent:
        """The privacy loss of one release: its level, or twice its level for curves."""
        return Spent(self.privacy if self.single else times(self.privacy, Fraction(2)))

    @property
    def data_name(self) -> str:
        """The name of the file of secret bids, or that they are in the design."""
        return data_name(self.path, "bids in the design") if not self.bids_public else ""

    @property
    def epsilon(self) -> float:
        """The requested privacy level."""
        return self.privacy.epsilon

    @property
    def single(self) -> bool:
        """Whether everybody wants one item: the price is then epsilon-private; with curves it is 2 epsilon."""
        return not self.demand

    @property
    def bids_public(self) -> bool:
        """Whether individual bids may leave the window."""
        return self.bids_are == "public"

    @property
    def of_secret_file(self) -> bool:
        """True for the bids of a column that must not leave its file: they are copied into no design."""
        return bool(self.path) and not self.bids_public

    @property
    def line(self) -> str:
        """The design in one line: ``235 bids · cap 1000 · one item each · ε = 0.5``."""
        what = self.column or message("bids from a file") if self.path else _BIDS.text(self.bids) or message("no bids")
        kind = message("one item each")
        if not self.single:
            what, kind = _CURVES.text(self.demand), message("price 2ε-private")
        parts = {"what": what, "kind": kind, "cap": _CAP.text(self.cap), "unit": self.unit, "privacy": self.privacy.description}
        return message(
            "{what} · {cap} {unit} · {kind} · {privacy}" if self.unit else "{what} · {cap} · {kind} · {privacy}", **parts
        )

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again: new bids replace bids, curves or file."""
        if any(changes.get(key) for key in _SOURCES):
            changes = {"bids": (), "demand": (), "path": "", "column": "", **changes}
        return super().replace(**changes)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Make a design from JSON values; without bids, curves and file it has no bids yet."""
        return super().from_json({"bids": [], **data} if isinstance(data, Mapping) and not any(map(data.get, _SOURCES)) else data)

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the window's initial design: five bids."""
        return super().starting(**changes if any(key in changes for key in _SOURCES) else {"bids": FIVE, **changes})


def _some(given: object) -> bool:
    """Return whether bids or curves are non-empty; a non-sequence counts as non-empty and is refused when it is read."""
    return given is not None and (not isinstance(given, Sized) or len(given) > 0)


@dataclass(frozen=True, eq=False)
class Source:
    """The bids in money before any cap: the most each pays for a first item, read-only; curves; the rows of a file with bids."""

    worths: Floats
    curves: tuple[Curve, ...] = ()
    rows: tuple[int, ...] = ()
    empty: int = 0

    @property
    def bidders(self) -> int:
        """The number of bidders."""
        return len(self.worths)

    def named(self, place: int, begins: bool = False) -> str:
        """Return who bids at a place: ``row 26`` of a file, otherwise ``bidder 26``, as a sentence `begins` if wanted."""
        if self.rows:
            return message("Row {row}", row=self.rows[place]) if begins else message("row {row}", row=self.rows[place])
        return message("Bidder {number}", number=place + 1) if begins else message("bidder {number}", number=place + 1)

    def demand(self, cap: float) -> Demand:
        """Return the bidders' demand, with prices in caps."""
        if not self.curves:
            return Demand.of_bids(self.worths / cap)
        return Demand.of_curves([[(double(at) / cap, double(most)) for at, most in curve] for curve in self.curves])


def source_of(design: AuctionDesign) -> Source:
    """Return the bids of a design; raise an `InputError` if its file cannot be read."""
    if design.path:
        path = resolved(design.path)
        return _of_file(path, changed_at(path), design.column)
    return _of_curves(design.demand) if design.demand else _of_bids(design.bids)


def demand_of(design: AuctionDesign) -> Demand:
    """Return the bidders' demand, with prices in caps.

    Raises
    ------
    InputError
        If there is no cap yet, or the file of the bids cannot be read.
    """
    if design.cap == "":
        raise InputError(
            "the cap must be entered: the largest amount that a bid counts for, chosen without looking at the bids.", "cap"
        )
    return _demand(source_of(design), double(design.cap))


def exact_steps(design: AuctionDesign) -> Iterator[Step]:
    """Yield the steps of all bidders in caps, exactly as given."""
    cap, nothing = exact(design.cap), Fraction(0)
    if not design.demand:
        bids = source_of(design).worths.tolist() if design.path else design.bids
        yield from ((nothing, exact(bid) / cap, Fraction(1)) for bid in bids)
    for curve in design.demand:
        low = nothing
        for price, quantity in curve:
            yield low, exact(price) / cap, exact(quantity)
            low = exact(price) / cap


@lru_cache(maxsize=8)
def _demand(source: Source, cap: float) -> Demand:
    return source.demand(cap)


@lru_cache(maxsize=4)
def _of_bids(bids: tuple[Number, ...]) -> Source:
    return Source(_fixed(np.array([double(bid) for bid in bids])))


@lru_cache(maxsize=4)
def _of_curves(curves: tuple[Curve, ...]) -> Source:
    tops = [max((double(at) for at, most in curve if double(most) > 0), default=0.0) for curve in curves]
    return Source(_fixed(np.array(tops)), curves)


@lru_cache(maxsize=4)
def _of_file(path: Path, changed: int, column: str) -> Source:
    values = read_values(path, column or only_column(path))
    known = values[~np.isnan(values)]
    if len(known) > MOST_BIDS:
        raise InputError(f"there must be at most {MOST_BIDS} bids, got {len(known)} in {path.name}.", "path")
    wrong = known[(known < 0) | (known > LARGEST)]
    if len(wrong):
        raise InputError(f"{path.name}: a bid must be between 0 and {limit(LARGEST)}, got {excerpt(float(wrong[0]))}.", "path")
    return Source(_fixed(known), (), tuple((np.flatnonzero(~np.isnan(values)) + 1).tolist()), len(values) - len(known))


def _fixed(values: Floats) -> Floats:
    values = values.astype(float)
    values.flags.writeable = False
    return values
