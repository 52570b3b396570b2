"""What is said of an auction: findings, the sentence, the badge, what was verified, and why."""

from __future__ import annotations

import math

from dpdesigner.core.numbers.rounding import figure, grouped, rounded_down, significant, small
from dpdesigner.studies.auction.numbers import AuctionNumbers
from dpdesigner.studies.findings import Finding, Findings, State
from dpdesigner.studies.said import said

_AGREED = 1e-11  # of two integrations
_LITTLE = 10  # percent that are only so much

NOTHING = said("promises nothing here")


def money(value: float, unit: str = "") -> str:
    """Return an amount as a person would write it: ``74 937 fr``, ``1.247``."""
    text = grouped(value) if 10_000 <= abs(value) < 1e12 else significant(value, 4)
    return f"{text}\u00a0{unit}" if unit else text.replace("-", "−")


def money_earned(value: float) -> str:
    """Return an amount that is promised or expected, rounded down."""
    return money(math.floor(value) if value >= 10_000 else float(rounded_down(value, 4)))


def findings(numbers: AuctionNumbers) -> Findings:
    """Return what is told, the expected revenue first; single bids and what shows them stay in the window if they are secret."""
    unit, secret = numbers.design.unit, not numbers.design.told
    promised = NOTHING if numbers.bound < 0 else said("by the theorem of [Notes] 1.7")
    low, high = (numbers.cap * numbers.price.quantile(share) for share in (0.05, 0.95))
    kind = said("ε, one item each") if numbers.design.single else said("2ε, demand curves")
    lying = said("computing…") if numbers.most is None and numbers.demand.bidders else ""
    state: State = "pending" if lying else "measured"
    gain = None if numbers.most is None else 100 * numbers.most.gain
    return {
        "value": Finding(said("expected revenue"), numbers.expected_revenue, unit, rounding="down", state="measured"),
        "optimum": Finding(said("OPT, if every bid could be used"), numbers.optimum, unit),
        "share": Finding(said("share of OPT"), share(numbers), "%", digits=3, rounding="down", state="measured"),
        "bound": Finding(said("promised"), numbers.bound, unit, rounding="down", state="proved", note=promised),
        "blind": Finding(said("a price drawn blindly"), numbers.blind, unit, rounding="down"),
        "epsilon": Finding(said("ε of the price"), numbers.epsilon, "", 6, "up", "proved", note=kind),
        "low": Finding(said("nine prices in ten, from"), low, unit),
        "high": Finding(said("nine prices in ten, to"), high, unit),
        "lying": Finding(said("most that anybody gains by lying"), gain, "%", 3, "up", state, note=lying),
        "lying_limit": Finding(said("no lie gains more than, in proportion"), 100 * numbers.limit, "%", 3, "up", "proved"),
        "lying_additive": Finding(said("nor, up to the cap, more than"), numbers.limit * numbers.cap, unit, 3, "up", "proved"),
        "bidders": Finding(said("bidders"), numbers.demand.bidders),
        "best_price": Finding(said("best price"), numbers.best_price, unit, secret=secret, note=said("somebody’s very bid")),
        "sold": Finding(said("items sold at the best price"), numbers.sold, digits=6, secret=secret),
        "cut": Finding(said("bidders cut to the cap"), numbers.demand.cut, secret=secret),
        **_liar(numbers, secret),
    }


def _liar(numbers: AuctionNumbers, secret: bool) -> Findings:
    if numbers.most is None:
        return {}
    unit, lie = numbers.design.unit, numbers.most
    return {
        "bidder": Finding(said("who gains most by lying"), said("bidder {number}", number=lie.bidder + 1), secret=secret),
        "says": Finding(said("by saying"), numbers.cap * lie.said, unit, secret=secret),
    }


def share(numbers: AuctionNumbers) -> float | None:
    """Return the expected revenue in percent of OPT; None where there is nothing to earn."""
    return 100 * numbers.expected_revenue / numbers.optimum if numbers.optimum > 0 else None


def sentence(numbers: AuctionNumbers) -> str:
    """Return the result in plain words."""
    part = share(numbers)
    if not numbers.demand.bidders:
        return said("There are no bids yet: type them, draw them, or take a column.")
    if part is None:
        return said("All bids are 0: nothing can be earned, and every price up to the cap is as likely as any other.")
    earned = said("A price drawn this way earns {share} % of what knowing every bid would", share=f"{rounded_down(part, 3):g}")
    if numbers.most is None:
        return said("{earned}.", earned=earned)
    gain = 100 * numbers.most.gain
    if gain < 1e-9:
        return said("{earned}, and no lie brings anybody more than the truth.", earned=earned)
    text = figure(gain, 3)
    if gain < _LITTLE:
        return said("{earned}; even the bidder with most to gain by lying gains only {gain} %.", earned=earned, gain=text)
    return said("{earned}; the bidder with most to gain by lying gains {gain} %.", earned=earned, gain=text)


def badge(numbers: AuctionNumbers) -> tuple[str, State]:
    """Return what is proved: the privacy of the price."""
    level = figure(numbers.epsilon, 4)
    if numbers.design.single:
        return said("✓ proved private · ε = {epsilon}", epsilon=level), "proved"
    return said("✓ proved private · 2ε = {epsilon}", epsilon=level), "proved"


def checks(numbers: AuctionNumbers) -> tuple[str, ...]:
    """Return what was verified."""
    level = figure(numbers.epsilon, 4)
    private = said("✓ private: ε = {epsilon}, one bid moves every price’s weight the same way", epsilon=level)
    if not numbers.design.single:
        private = said("✓ private: 2ε = {epsilon}, a curve may move weights both ways", epsilon=level)
    apart = numbers.price.disagreement()
    if apart is None or apart > _AGREED or not math.isfinite(apart):
        return (private,)
    return private, said("✓ expected revenue: two integrations agree, {apart}", apart=small(max(apart, 1e-16)))
