"""The bids of a design as numbers: read from where they are, and counted in caps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.auction.demand import LARGEST, Curve, Demand
from dpdesigner.core.auction.price import Step
from dpdesigner.core.numbers.parsing import Number, double, exact, excerpt
from dpdesigner.data.columns import changed_at, only_column, read_values, resolved
from dpdesigner.errors import InputError
from dpdesigner.studies.auction.design import AuctionDesign
from dpdesigner.studies.inputs.lists import MOST_BIDS


@dataclass(frozen=True, eq=False)
class Source:
    """The bids of a design in money, before any cap.

    Attributes
    ----------
    worths : ndarray
        (n,): the most that each would pay for an item, of a curve for its first. Read-only.
    curves : tuple of Curve
        Empty where everybody wants one item.
    empty : int
        How many rows of the file hold no bid.
    """

    worths: Floats
    curves: tuple[Curve, ...] = ()
    empty: int = 0

    @property
    def bidders(self) -> int:
        """The number of bidders."""
        return len(self.worths)

    def demand(self, cap: float) -> Demand:
        """Return what they would buy, prices in caps."""
        if not self.curves:
            return Demand.of_bids(self.worths / cap)
        return Demand.of_curves([[(double(at) / cap, double(most)) for at, most in curve] for curve in self.curves])


def source_of(design: AuctionDesign) -> Source:
    """Return the bids of a design; a file that cannot be read is refused with an `InputError`."""
    if design.path:
        path = resolved(design.path)
        return _of_file(path, changed_at(path), design.column)
    return _of_curves(design.demand) if design.demand else _of_bids(design.bids)


def demand_of(design: AuctionDesign) -> Demand:
    """Return what the bidders would buy, prices in caps.

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
    """Yield the steps of all bidders in caps, exactly as they were given."""
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
        raise InputError(f"{path.name}: a bid must be between 0 and {LARGEST:.0e}, got {excerpt(float(wrong[0]))}.", "path")
    return Source(_fixed(known), empty=len(values) - len(known))


def _fixed(values: Floats) -> Floats:
    values = values.astype(float)
    values.flags.writeable = False
    return values
