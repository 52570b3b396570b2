"""Runs an auction design: what each price earns, the density of the one that is drawn, and who gains most by lying."""

from __future__ import annotations

from dpdesigner.core.auction.misreporting import most_to_gain
from dpdesigner.core.auction.price import Price
from dpdesigner.studies.auction.bids import demand_of, source_of
from dpdesigner.studies.auction.design import AuctionDesign
from dpdesigner.studies.auction.numbers import Lie
from dpdesigner.studies.auction.outcome import AuctionOutcome
from dpdesigner.studies.study import Progress, silent


def run(design: AuctionDesign, progress: Progress = silent) -> AuctionOutcome:
    """Compute everything."""
    outcome = priced(design)
    return outcome.with_most(most(design, progress))


def priced(design: AuctionDesign) -> AuctionOutcome:
    """Compute all but the lie that gains most, which takes longer."""
    demand = demand_of(design)
    return AuctionOutcome(design, source_of(design), demand, Price(demand.revenue, design.epsilon))


def most(design: AuctionDesign, progress: Progress = silent) -> Lie | None:
    """Find the bidder whom lying gains most; None where there is nobody."""
    demand = demand_of(design)
    if not demand.bidders:
        return None
    place, said, gain = most_to_gain(demand, design.epsilon, design.single, progress)
    return Lie(design, place, said, gain)
