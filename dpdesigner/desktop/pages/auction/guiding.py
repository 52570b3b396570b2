"""The stops of the tour over the auction page."""

from __future__ import annotations

from dpdesigner.desktop.pages.auction.inputs_column import InputsColumn
from dpdesigner.desktop.pages.auction.price_card import PriceCard
from dpdesigner.desktop.pages.auction.results_column import ResultsColumn
from dpdesigner.desktop.pages.kit.page import Stop
from dpdesigner.desktop.theme.words import tr


def stops(inputs: InputsColumn, card: PriceCard, results: ResultsColumn) -> tuple[Stop, ...]:
    """Return the stops: bids, cap, privacy, price, lying, drawing."""
    bids = tr("How many would buy at each price. Press “Draw” and drag over the staircase: that moves bids.")
    cap = tr("The highest price, known without the bids. Drag its handle: bids above it are cut to it.")
    privacy = tr("Move the slider. The smaller ε, the further the price drawn may be from the best one.")
    price = tr(
        "What each price would earn, what is bid, and which price is drawn. Take a bidder’s line by the mouse and move it: a lie."
    )
    lying = tr("What the bidder can expect to gain by saying something else. No lie brings more than the green line.")
    return (
        Stop(inputs.bids, tr("What each would pay"), bids, inputs.changed),
        Stop(inputs.cap, tr("The most a bid may count"), cap, inputs.changed),
        Stop(inputs.privacy, tr("How private"), privacy, inputs.changed),
        Stop(card, tr("The price"), price, card.strips.moved),
        Stop(results.lying, tr("Does lying pay?"), lying),
        Stop(card.draw, tr("Draw a price"), tr("Only a price that was drawn may be published."), card.drawRequested),
    )
