"""[Notes], Section 1.7.1: the good prices are p* - t/m <= p <= p*, p* the best price, where OPT, its revenue, is printed.

Revenue q(p) = p #{bids >= p}, OPT = max q at p* with m buyers (the fewest that attain it). At a price up to t/m below p* the
same m buy, so that q(p) >= OPT - t. The expected revenue of the private price is at least OPT - (3/eps) ln(e + eps^2 OPT m).
"""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.auction.demand import Demand, Revenue
from dpdesigner.core.auction.price import Price
from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import choice, number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class AuctionPrice(Exhibit):
    """Prices near the best price."""

    exhibit = "notes/auction-price"
    heading = message("Auctions with a private price")
    place = message("Section 1.7.1")
    claim = message(
        "Prices between OPT − t/m and OPT earn at least OPT − t. So the exponential mechanism is 2ε-private and has "
        "expected revenue at least OPT − (3/ε) ln(e + ε² OPT m)."
    )
    verdict = message("the prices end at p*, not at OPT")
    differs = message(
        "The prices should be those from p* − t/m to p*, where p* is the best price; OPT is the best revenue. The step "
        "from (1 − exp(−εt)/λ(S_t))(OPT − 2t) to (1 − t/OPT)(OPT − 2t) needs ≥, where = is printed. The theorem holds. "
        "If several prices are best, the smallest m gives the strongest bound."
    )

    bids: str = parameter(
        choice(("spread", message("1/100, 2/100, …, 1")), ("equal", message("all at 1/2"))),
        "spread",
        message("Bids of 100 people"),
    )
    epsilon: Number = parameter(
        number(
            "1/100",
            20,
            scale="log",
            symbol="ε",
            slide=("1/20", 10),
            try_=((1, message("bound 4.04")), (2, message("bound 12.69"))),
        ),
        "1",
        message("How private"),
    )
    t: Number = parameter(number(0, 25, symbol="t", try_=(1, 5)), "5", message("Revenue given up, t"))

    def run(self, progress: Progress = silent) -> Answer:
        """Find the best price, the prices near it, and what the private price earns on average."""
        values = [Fraction(k, 100) for k in range(1, 101)] if self.bids == "spread" else [Fraction(1, 2)] * 100
        e, t = double(self.epsilon), exact(self.t)
        best = max(p * _buyers(values, p) for p in values)
        m, price = min((_buyers(values, p), p) for p in values if p * _buyers(values, p) == best)
        low = price - t / m
        earned = min(p * _buyers(values, p) for p in (max(low, Fraction(0)), price))
        earning = Demand.of_bids([float(value) for value in values]).revenue
        private = Price(earning, e)
        bound, mean = private.revenue_bound, private.expected_revenue
        findings = {
            "value": Finding(message("lower bound on the expected revenue"), bound, digits=7, rounding="down"),
            "earned": Finding(message("expected revenue"), mean, digits=8, rounding="down"),
            "best": Finding(message("best revenue, OPT"), best, state="proved"),
            "price": Finding(message("upper end of the good prices"), price, state="proved"),
            "buyers": Finding(message("buyers at the best price, m"), m, state="proved"),
            "low": Finding(message("lower end of the good prices"), low, state="proved"),
            "least": Finding(message("least revenue of a good price"), earned, state="proved"),
        }
        sentence = message(
            "Prices from {low} to {price} earn at least {least}. The expected revenue of the private price is {mean}; "
            "the bound is {bound}.",
            low=text(low),
            price=text(price),
            least=text(best - t, rounding="down"),
            mean=text(mean, rounding="down"),
            bound=text(bound, rounding="down"),
        )
        must = message(
            "At a price up to t/m below p*, the same m people still buy, and each pays at most t/m less: t in total. "
            "The printed interval is around {opt}, which is a revenue and not a price.",
            opt=text(best),
        )
        printed: dict[str, Number] = {"price": best, "low": best - t / m}
        panels = self._revenue(values, low, price, best), self._bound(best, earning)
        return self.answer(findings, panels, sentence, printed=printed, must=must)

    def _revenue(self, values: list[Fraction], low: Fraction, price: Fraction, best: Fraction) -> Plot:
        spots = sorted({0.0, 1.0, *map(float, values)} | {float(value) + 1e-6 for value in values if self.bids == "equal"})
        return Plot(
            "revenue",
            message("Revenue by price"),
            Axis(message("price"), limits=(0, 1)),
            Axis(message("revenue")),
            (
                curve(spots, lambda p: p * sum(float(value) >= p for value in values), message("revenue")),
                curve((0, 1), lambda p: best - exact(self.t), message("OPT − t"), "aid"),
            ),
            bands=(Band(max(float(low), 0.0), float(price), message("good prices")),),
            marks=(Mark(float(price), float(best), "p*"),),
        )

    def _bound(self, best: Fraction, earning: Revenue) -> Plot:
        places = geometric_places(0.05, 10, 60)
        return Plot(
            "bound",
            message("Expected revenue and its bound"),
            Axis("ε", scale="log"),
            Axis(message("revenue"), limits=(-5, float(best) * 1.05)),
            (
                curve(places, lambda x: Price(earning, x).expected_revenue, message("expected revenue")),
                curve(places, lambda x: Price(earning, x).revenue_bound, message("bound"), "bound"),
            ),
            handles=(self.handle("epsilon"),),
        )


def _buyers(values: list[Fraction], price: Fraction) -> int:
    return sum(value >= price for value in values)
