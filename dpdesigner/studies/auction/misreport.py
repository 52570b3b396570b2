"""One bidder of an auction who says a price instead of the truth: what that does to the price drawn, and what it gains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.auction.misreporting import Bidder, saying

_PLACES = 240  # along a curve


@dataclass(frozen=True, eq=False)
class Misreport:
    """The effect of a misreport; prices and surplus in caps.

    Attributes
    ----------
    bidder : int
        The place among the bids, from 0.
    worth : float
        The most that the bidder would pay, in money.
    said : float or None
        The price said: of curves, all that counts up to it is taken. None: the truth.
    gain : float
        By what share of the truth's expected surplus the lie brings more.
    ratio : (prices, logarithms)
        The density of each price over that of the truth, its edges among the prices.
    largest_ratio : float
        The largest of the absolute values of all its logarithms.
    along : (prices, surplus)
        The expected surplus of saying each price.
    truth, brings : float
        The expected surplus of the truth, and of what is said.
    top : float
        The highest price that the bidder would pay, at most the cap.
    """

    bidder: int
    worth: float
    said: float | None
    gain: float
    ratio: tuple[Floats, Floats]
    largest_ratio: float
    along: tuple[Floats, Floats]
    truth: float
    brings: float
    top: float


def misreport(bidder: Bidder, worth: float, said: float | None) -> Misreport:
    """Work out what comes of it if a bidder says a price, in caps, or the truth."""
    lie = bidder.own if said is None else saying([said], bidder.single)
    edges = np.union1d(lie.revenue.edges, bidder.own.revenue.edges)
    edges = np.union1d(edges, np.linspace(0, 1, 41))
    prices = np.unique(np.concatenate([edges, np.maximum(np.nextafter(edges[:-1], 1), 1e-9)]))
    top = float(min(bidder.own.top, 1.0))
    places = np.union1d(np.linspace(0, 1, _PLACES), [top, min(1.0 if said is None else said, 1.0)])
    return Misreport(
        bidder=bidder.place,
        worth=worth,
        said=said,
        gain=0.0 if said is None else bidder.gain(lie),
        ratio=(prices, bidder.log_ratio(lie, prices)),
        largest_ratio=bidder.largest_ratio(lie),
        along=(places, bidder.along(places)),
        truth=bidder.truth,
        brings=bidder.truth if said is None else bidder.surplus(lie),
        top=top,
    )
