"""The numbers of an auction: the price as a density and as exact draws, what it earns, and what lying gains."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.core.auction.demand import Demand
from dpdesigner.core.auction.misreporting import Bidder
from dpdesigner.core.auction.price import Price
from dpdesigner.core.auction.sampling import STEPS, ExactPrice
from dpdesigner.core.numbers.parsing import double, exact, nearest, place
from dpdesigner.core.privacy.composition import budget_of
from dpdesigner.core.privacy.sampling import Below
from dpdesigner.studies.auction.bids import Source, exact_steps
from dpdesigner.studies.auction.design import AuctionDesign
from dpdesigner.studies.inputs.lists import BidsInput, CurvesInput


@dataclass(frozen=True)
class Lie:
    """The bidder whom lying gains most: which one, the price to say in caps, and by what share the expected surplus grows."""

    design: AuctionDesign
    bidder: int
    said: float
    gain: float


@dataclass(frozen=True, eq=False, repr=False)
class AuctionNumbers:
    """A price that takes bids.

    Attributes
    ----------
    design : AuctionDesign
    source : Source
        The bids in money.
    demand : Demand
        What the bidders would buy, prices in caps.
    price : Price
        The price drawn, in caps.
    most : Lie or None
        Who gains most by lying; None while that is not computed, and where there is nobody.
    """

    design: AuctionDesign
    source: Source
    demand: Demand
    price: Price
    most: Lie | None = None

    @cached_property
    def cap(self) -> float:
        """The cap as a double."""
        return double(self.design.cap)

    # What it earns -----------------------------------------------------------------------------------------------------

    @property
    def expected_revenue(self) -> float:
        """What the price drawn earns on average."""
        return self.cap * self.price.expected_revenue

    @property
    def optimum(self) -> float:
        """OPT: the most that any one price earns."""
        return self.cap * self.price.revenue.optimum

    @property
    def best_price(self) -> float:
        """The price that earns OPT; it is somebody's very bid."""
        return self.cap * self.price.revenue.best_price

    @property
    def sold(self) -> float:
        """m: how many items it sells, the fewest where several prices are best."""
        return self.price.revenue.sold

    @property
    def bound(self) -> float:
        """What the theorem promises of the expected revenue; nothing where it is below 0."""
        return self.cap * self.price.revenue_bound

    @property
    def blind(self) -> float:
        """What a price earns on average that is drawn uniformly, without a look at the bids."""
        return self.cap * self.price.revenue.blind

    @property
    def epsilon(self) -> float:
        """What the price guarantees: epsilon where everybody wants one item, else 2 epsilon; rounded up."""
        level = self.design.privacy.epsilon_above
        return level if self.design.single else 2 * level

    @property
    def limit(self) -> float:
        """What no lie gains more than, as a share of the truth's expected surplus, rounded up."""
        return math.nextafter(math.expm1(self.epsilon) * (1 + 1e-15), math.inf) if self.epsilon < 700 else math.inf

    def density(self, price: ArrayLike) -> NDArray[np.float64] | float:
        """Return the density of the price drawn, per unit of money, at a price or at each of several."""
        density = self.price.density(np.asarray(price, dtype=float) / self.cap) / self.cap
        return float(density) if np.ndim(price) == 0 else density

    # Lying -------------------------------------------------------------------------------------------------------------

    def bidder(self, number: int) -> Bidder:
        """Return a bidder by the place among the bids, from 0."""
        return Bidder(self.demand, number, self.design.epsilon, self.design.single)

    def gain(self, bidder: int, bid: Any) -> float:
        """Return by what share of the truth's expected surplus a lie brings more: 0.04 is 4 %; never above `limit`.

        Parameters
        ----------
        bidder : int
            The place among the bids, from 0.
        bid : Number or curve
            What is said instead: a price, in an auction of curves also a curve as in the design.
        """
        number = place(bidder, "the bidder", self.demand.bidders - 1)
        if self.design.single:
            (one,) = BidsInput().read([bid], "bid", {})
            return self.bidder(number).gain(Demand.of_bids([double(one) / self.cap]))
        (curve,) = CurvesInput().read([bid if isinstance(bid, Sequence | Mapping) else [bid]], "bid", {})
        steps = [(double(at) / self.cap, double(most)) for at, most in curve]
        return self.bidder(number).gain(Demand.of_curves([steps]))

    # Drawing -----------------------------------------------------------------------------------------------------------

    @cached_property
    def _exact(self) -> ExactPrice:
        return ExactPrice(exact_steps(self.design), budget_of(self.design.privacy), self.design.single)

    def draw(self, below: Below = secrets.randbelow) -> float:
        """Draw a price, exactly, from the operating system's entropy: a multiple of a billionth of the cap."""
        return nearest(exact(self.design.cap) * self._exact.draw(below) / STEPS)
