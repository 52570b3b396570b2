"""The auction design: what each would pay, the most that a bid may count, and how private the price is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from typing_extensions import Self

from dpdesigner.core.auction.curves import Curve
from dpdesigner.core.numbers.parsing import Number
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.data.columns import relocated
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import DeclaredDesign, View
from dpdesigner.studies.fields import choice, declare, privacy, text
from dpdesigner.studies.inputs.checks import level_within
from dpdesigner.studies.inputs.kinds import Input
from dpdesigner.studies.inputs.lists import BidsInput, CapInput, CurvesInput

#: What a new design starts from.
FIVE = ("0.2", "0.4", "0.6", "0.8", "1")

_BIDS: Input[tuple[Number, ...]] = BidsInput()
_CURVES: Input[tuple[Curve, ...]] = CurvesInput()
_CAP: Input[Number] = CapInput()
_SOURCES = ("bids", "demand", "path")
_LEVELS = ("epsilon", "alpha", "privacy")


class AuctionDesign(DeclaredDesign):
    """One price for everybody, drawn with a chance that grows with what it would earn.

    Parameters
    ----------
    bids : sequence of Number
        The most that each would pay for one item.
    demand : sequence
        Instead: for each bidder a falling curve, a list of (price, quantity), each the quantity that is bought up to this price
        from above the price before; or a list of what each further item is worth.
    path, column : str
        Instead: where bids for one item each are: a file, or ``example:NAME`` for one that ships with the program, and its
        column.
    cap : Number
        The most that a bid may count, and the highest price: known without the bids. Bids above it are cut to it, and so are
        curves that bring more than it at a price.
    epsilon, alpha : Number
        The privacy level, epsilon = 1 if none is given; the price of bids for one item has it, that of curves twice as much.
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
    >>> round(outcome.expected_revenue, 6), round(outcome.optimum, 6), outcome.bound < 0 < outcome.draw() <= 1
    (1.24674, 1.8, True)
    """

    kind: ClassVar[str] = "auction"
    views: ClassVar[tuple[View, ...]] = (
        View("price", message("Price"), ("revenue", "bids", "density", "ratio")),
        View("drawn", message("Revenue drawn"), ("drawn",)),
        View("epsilon", message("Against ε"), ("against",)),
        View("demand", message("Demand curves"), ("demand",)),
    )

    bids: tuple[Number, ...] = declare(_BIDS, default=(), label=message("What each would pay"), term=message("bids"))
    demand: tuple[Curve, ...] = declare(_CURVES, default=(), label=message("What each would buy"), term=message("demand curves"))
    path: str = declare(text(longest=4000, name=True), default="", label=message("File"), when=lambda design: bool(design.path))
    column: str = declare(text(name=True), default="", label=message("Column"), when=lambda design: bool(design.path))
    cap: Number = declare(_CAP, default=1, label=message("The most a bid may count"), term=message("public cap"))
    unit: str = declare(text(longest=20), default="", label=message("Unit"), when=lambda design: bool(design.unit))
    bids_are: str = declare(
        choice(("secret", message("secret bids")), ("public", message("public bids"))),
        default="secret",
        label=message("Whose bids"),
    )
    privacy: PrivacyLevel = declare(privacy(), default="1", label=message("How private"), term=message("privacy level ε"))

    def __init__(
        self,
        bids: Sequence[Number] | str | None = None,
        demand: Sequence[Any] | str | None = None,
        cap: Number | None = 1,
        epsilon: Number | None = None,
        *,
        alpha: Number | None = None,
        path: str = "",
        column: str = "",
        unit: str = "",
        bids_are: str = "secret",
        privacy: PrivacyLevel | None = None,
        name: str = "",
    ) -> None:
        if (bids is not None and len(bids) > 0) + (demand is not None and len(demand) > 0) + bool(path) > 1:
            raise InputError("an auction takes bids, demand curves or a file of bids, got more than one of them.", "bids")
        if bids is None:
            bids = () if demand is not None or path else FIVE
        values = {
            "bids": bids,
            "demand": () if demand is None else demand,
            "path": path,
            "column": column,
            "cap": "" if cap is None else cap,
            "unit": unit,
            "bids_are": bids_are,
            "privacy": level_within(epsilon, alpha, privacy, what=" for a price"),
            "name": name,
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)
        self.__post_init__()

    @property
    def epsilon(self) -> float:
        """The privacy level asked for."""
        return self.privacy.epsilon

    @property
    def single(self) -> bool:
        """Whether everybody wants one item: the price is then epsilon-private, and that of curves 2 epsilon."""
        return not self.demand

    @property
    def bids_public(self) -> bool:
        """Whether single bids may leave the window."""
        return self.bids_are == "public"

    @property
    def line(self) -> str:
        """What is asked, in one line: ``235 bids · cap 1000 · one item each · ε = 0.5``."""
        what = self.column or message("bids of a file") if self.path else _BIDS.text(self.bids) or message("no bids")
        kind = message("one item each")
        if not self.single:
            what, kind = _CURVES.text(self.demand), message("price 2ε-private")
        parts = {"what": what, "kind": kind, "cap": _CAP.text(self.cap), "unit": self.unit, "privacy": self.privacy.description}
        return message(
            "{what} · {cap} {unit} · {kind} · {privacy}" if self.unit else "{what} · {cap} · {kind} · {privacy}", **parts
        )

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again: other bids take the place of bids, curves or file."""
        if any(changes.get(key) for key in _SOURCES):
            changes = {"bids": (), "demand": (), "path": "", "column": "", **changes}
        values = {each.key: each.of(self) for each in self.inputs()} | {"name": self.name}
        if any(changes.get(key) is not None for key in _LEVELS):
            del values["privacy"]
        return type(self)(**{**values, **changes})

    def beside(self, folder: Path) -> Self:
        """Return it with its file as found in a folder by its name, if it is no longer where it was."""
        path = relocated(self.path, folder)
        return self if path == self.path else self.replace(path=path, column=self.column)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Make a design from JSON values; what is left out is as in a new design, bids as none."""
        design = super().from_json(data)
        return design if any(data.get(key) for key in _SOURCES) else design.replace(bids=())
