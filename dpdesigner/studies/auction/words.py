"""What is said of an auction: findings, the sentence, the badge, what was verified, and why."""

from __future__ import annotations

import math
from functools import cached_property

from dpdesigner.core.numbers.rounding import figure, grouped, rounded_down, significant, small
from dpdesigner.messages import message
from dpdesigner.studies.auction.numbers import AuctionNumbers
from dpdesigner.studies.findings import Finding, Findings, State

_AGREED = 1e-11  # of two integrations
_LITTLE = 10  # percent that are only so much

NOTHING = message("promises nothing here")


def money(value: float, unit: str = "") -> str:
    """Return an amount as a person would write it: ``74 937 fr``, ``1.247``."""
    text = grouped(value) if 10_000 <= abs(value) < 1e12 else significant(value, 4)
    return f"{text}\u00a0{unit}" if unit else text.replace("-", "−")


def money_earned(value: float) -> str:
    """Return an amount that is promised or expected, rounded down."""
    return money(math.floor(value) if value >= 10_000 else float(rounded_down(value, 4)))


class AuctionWords(AuctionNumbers):
    """The numbers of an auction, with what is said of them."""

    @cached_property
    def findings(self) -> Findings:
        """What is told, the expected revenue first; secret bids and all that is computed from them stay in the window."""
        unit, secret = self.design.unit, not self.design.bids_public
        promised = NOTHING if self.bound < 0 else message("by the theorem of [Notes] 1.7")
        low, high = (self.cap * self.price.quantile(share) for share in (0.05, 0.95))
        kind = message("ε, one item each") if self.design.single else message("2ε, demand curves")
        lying = message("computing…") if self.most is None and self.demand.bidders else ""
        state: State = "pending" if lying else "measured"
        gain = None if self.most is None else 100 * self.most.gain
        return {
            "value": Finding(
                message("expected revenue"), self.expected_revenue, unit, rounding="down", state="measured", secret=secret
            ),
            "optimum": Finding(message("OPT, if every bid could be used"), self.optimum, unit, secret=secret),
            "share": Finding(
                message("share of OPT"), self.share, "%", digits=3, rounding="down", state="measured", secret=secret
            ),
            "bound": Finding(
                message("promised"), self.bound, unit, rounding="down", state="proved", note=promised, secret=secret
            ),
            "blind": Finding(message("a price drawn blindly"), self.blind, unit, rounding="down", secret=secret),
            "epsilon": Finding(message("ε of the price"), self.epsilon, "", 6, "up", "proved", note=kind),
            "low": Finding(message("nine prices in ten, from"), low, unit, secret=secret),
            "high": Finding(message("nine prices in ten, to"), high, unit, secret=secret),
            "lying": Finding(message("most that anybody gains by lying"), gain, "%", 3, "up", state, note=lying, secret=secret),
            "lying_limit": Finding(message("no lie gains more than, in proportion"), 100 * self.limit, "%", 3, "up", "proved"),
            "lying_additive": Finding(message("nor, up to the cap, more than"), self.limit * self.cap, unit, 3, "up", "proved"),
            "bidders": Finding(message("bidders"), self.demand.bidders),
            "best_price": Finding(
                message("best price"), self.best_price, unit, secret=secret, note=message("somebody’s very bid")
            ),
            "sold": Finding(message("items sold at the best price"), self.sold, digits=6, secret=secret),
            "cut": Finding(message("bidders cut to the cap"), self.demand.cut, secret=secret),
            **self._liar(secret),
        }

    def _liar(self, secret: bool) -> Findings:
        if self.most is None:
            return {}
        unit, lie = self.design.unit, self.most
        return {
            "bidder": Finding(
                message("who gains most by lying"), message("bidder {number}", number=lie.bidder + 1), secret=secret
            ),
            "says": Finding(message("by saying"), self.cap * lie.said, unit, secret=secret),
        }

    @property
    def share(self) -> float | None:
        """The expected revenue in percent of OPT; None where there is nothing to earn."""
        return 100 * self.expected_revenue / self.optimum if self.optimum > 0 else None

    @cached_property
    def sentence(self) -> str:
        """The result in plain words."""
        part = self.share
        if not self.demand.bidders:
            return message("There are no bids yet: type them, draw them, or take a column.")
        if part is None:
            return message("All bids are 0: nothing can be earned, and every price up to the cap is as likely as any other.")
        earned = message(
            "A price drawn this way earns {share} % of what knowing every bid would", share=f"{rounded_down(part, 3):g}"
        )
        if self.most is None:
            return message("{earned}.", earned=earned)
        gain = 100 * self.most.gain
        if gain < 1e-9:
            return message("{earned}, and no lie brings anybody more than the truth.", earned=earned)
        text = figure(gain, 3)
        if gain < _LITTLE:
            return message("{earned}; even the bidder with most to gain by lying gains only {gain} %.", earned=earned, gain=text)
        return message("{earned}; the bidder with most to gain by lying gains {gain} %.", earned=earned, gain=text)

    @property
    def badge(self) -> tuple[str, State]:
        """What is proved: the privacy of the price."""
        level = figure(self.epsilon, 4)
        if self.design.single:
            return message("✓ proved private · ε = {epsilon}", epsilon=level), "proved"
        return message("✓ proved private · 2ε = {epsilon}", epsilon=level), "proved"

    @cached_property
    def checks(self) -> tuple[str, ...]:
        """What was verified."""
        level = figure(self.epsilon, 4)
        private = message("✓ private: ε = {epsilon}, one bid moves every price’s weight the same way", epsilon=level)
        if not self.design.single:
            private = message("✓ private: 2ε = {epsilon}, a curve may move weights both ways", epsilon=level)
        apart = self.price.disagreement()
        if apart is None or apart > _AGREED or not math.isfinite(apart):
            return (private,)
        return private, message("✓ expected revenue: two integrations agree, {apart}", apart=small(max(apart, 1e-16)))
