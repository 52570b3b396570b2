"""Runs an auction design: what each price earns, the density of the one that is drawn, and who gains most by lying."""

from __future__ import annotations

from dataclasses import replace

from dpdesigner.core.auction.price import Price
from dpdesigner.studies.auction.answer import AuctionAnswer
from dpdesigner.studies.auction.bids import demand_of, source_of
from dpdesigner.studies.auction.design import AuctionDesign
from dpdesigner.studies.auction.panels import PANELS
from dpdesigner.studies.study import Progress, silent


def run(design: AuctionDesign, progress: Progress = silent) -> AuctionAnswer:
    """Compute everything."""
    answer = priced(design, progress)
    return answer if answer.most is not None else replace(answer, most=answer.most_to_gain(progress))


def priced(design: AuctionDesign, progress: Progress = silent) -> AuctionAnswer:
    """Compute all but the lie that gains most, where that takes longer than a frame."""
    demand = demand_of(design)
    answer = AuctionAnswer(design, source_of(design), demand, Price(demand.revenue, design.epsilon), PANELS)
    return replace(answer, most=answer.most_to_gain(progress)) if answer.quick else answer
