"""[Notes] Sections 1.6 and 1.7: the exponential mechanism, truthfulness, and the good prices of an auction.

[Notes] Lemma in Section 1.6: weights exp(eps q) give (2 eps Dq)-differential privacy, and no less in general.

With k outputs, of which one gains Dq and all others, which lead by g Dq, lose Dq, the log ratio of the one is
ln((1 + (k - 1) e^(g s))/(1 + (k - 1) e^((g - 2) s))) with s = eps Dq; it tends to 2 s as k or g grows.

[Notes] Section 1.7: an eps-private choice makes telling the truth (e^eps - 1)-dominant for utilities in [0, 1].

E u(lie) <= e^eps E u(truth) for u >= 0; for u <= 1 the gain is at most e^eps - 1, and in truth at most (e^eps - 1)/(e^eps +
1), which randomised response attains.

[Notes], Section 1.7.1: the good prices are p* - t/m <= p <= p*, p* the best price, where OPT, its revenue, is printed.

Revenue q(p) = p #{bids >= p}, OPT = max q at p* with m buyers (the fewest that attain it). At a price up to t/m below p* the
same m buy, so that q(p) >= OPT - t. The expected revenue of the private price is at least OPT - (3/eps) ln(e + eps^2 OPT m).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdesigner.core.basics.parsing import Number, double, exact
from dpdesigner.core.choice.demand import Demand, Revenue
from dpdesigner.core.choice.price import Price
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import (
    Exhibit,
    above,
    curve,
    geometric_places,
    grouped_bars,
    how_private,
    parameter,
    text,
)
from dpdesigner.studies.fields import choice, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.number_inputs import EpsilonInput
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Mark
from dpdesigner.studies.study import Progress, silent


class ExponentialLemma(Exhibit):
    """The privacy level of weights exp(eps q)."""

    exhibit = "notes/exponential-lemma"
    heading = message("Exponential weights cost twice ε")
    place = message("Section 1.6")
    claim = message(
        "Choosing an output with a probability that grows exponentially with its score, at the rate ε, spends at most twice ε "
        "times the largest change of a score when one row changes."
    )
    symbols = message(
        "Let Δq be the largest change of a score q(d, r) between neighbours. Sampling r with density proportional to exp(ε q(d, "
        "r)) gives (2εΔq)-differential privacy."
    )
    verdict = message("2εΔq holds and is approached")
    must = message(
        "The weight of an output changes by a factor of at most e^(εΔq), and so does the sum of all weights. The "
        "probability is their quotient, so the two factors can multiply. No constant below 2 is enough."
    )
    badge = (message("✓ never above 2εΔq"), "proved")

    epsilon: Number = how_private("1/2", try_=("1/2", 1))
    sensitivity: Number = parameter(
        number("1/10", 10, scale="log", symbol="Δq", try_=(1, 2)), 1, message("Sensitivity of the score")
    )
    outputs: int = parameter(
        whole_number(2, 100000, symbol="k", slide=(2, 1000), try_=(2, 100)), 10, message("Number of outputs")
    )
    gap: Number = parameter(
        number(1, 40, symbol="g", try_=(1, 10)), 2, message("Lead of the other outputs"), message("in units of Δq")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compare the log ratio of these two databases with the lemma."""
        allowed = 2 * above(self.privacy) * exact(self.sensitivity)
        scale, k, gap = double(allowed) / 2, self.outputs, double(self.gap)
        reached = _log_ratio(k, gap, scale)
        attained = Plot(
            "attained",
            message("Privacy level of these neighbours"),
            Axis(message("lead g"), limits=(1, 12)),
            Axis(message("log ratio")),
            (
                curve([1 + j / 20 for j in range(221)], lambda g: _log_ratio(k, g, scale), message("these neighbours")),
                curve((1, 12), lambda g: 2 * scale, message("2εΔq"), "bound"),
            ),
            handles=(self.handle("gap", most=12),),
        )
        before, after = _probabilities(k, gap, 0.0, scale), _probabilities(k, gap - 1, 1.0, scale)
        names = (message("first output"), message("each other"))
        picture = Plot(
            "probabilities",
            message("Probability of the outputs"),
            Axis(scale="names", names=names),
            Axis(limits=(0, 1.3 * max(*before, *after))),
            bars=grouped_bars((before, message("one database"), "main"), (after, message("its neighbour"), "rival")),
        )
        findings = {
            "value": Finding(message("privacy level by the lemma, 2εΔq"), allowed, rounding="up", state="proved"),
            "attained": Finding(message("log ratio of these two databases"), reached, digits=9, rounding="up"),
            "share": Finding(
                message("the same, as a share of the allowed level"), 100 * reached / (2 * scale), "%", digits=4, rounding="down"
            ),
        }
        sentence = message(
            "The lemma gives {allowed}-differential privacy. These two databases attain {reached}.",
            allowed=text(allowed, rounding="up"),
            reached=text(reached, 5, "up"),
        )
        return self.answer(findings, (attained, picture), sentence, printed={"value": allowed})


def _probabilities(k: int, lead: float, first: float, scale: float) -> tuple[float, float]:
    """Return the probability of the first output and of each other output, with score `lead` in units of the sensitivity."""
    top = max(lead, first)
    one, other = math.exp(scale * (first - top)), math.exp(scale * (lead - top))
    total = one + (k - 1) * other
    return one / total, other / total


def _log_ratio(k: int, gap: float, scale: float) -> float:
    """Return ln of the ratio of the first output's two probabilities, at most 2 * scale."""

    def log_sum(exponent: float) -> float:
        return max(0.0, exponent) + math.log1p(math.exp(-abs(exponent)))

    most = math.log(k - 1)
    return log_sum(most + gap * scale) - log_sum(most + (gap - 2) * scale)


class Truthfulness(Exhibit):
    """The small gain from a misreport."""

    exhibit = "notes/truthfulness"
    heading = message("A lie gains little")
    place = message("Section 1.7")
    claim = message(
        "Under differential privacy nobody gains much by lying: for utilities between 0 and 1, a misreport raises the expected "
        "utility by at most e^ε − 1. For utilities above 0, the factor is at most e^ε."
    )
    symbols = message(
        "Under ε-differential privacy, the truth is (e^ε − 1)-dominant for utilities in [0, 1]: no misreport gains more than "
        "e^ε − 1. For utilities u ≥ 0, it changes the expected utility by a factor of at most e^ε."
    )
    verdict = message("e^ε − 1 holds; tanh(ε/2) is attained")
    must = message(
        "A misreport raises the probability p of the good outcome to at most e^ε p, and lowers that of the bad outcome "
        "to at least e^(−ε)(1 − p). Together the two limits allow a gain of at most tanh(ε/2)."
    )

    epsilon: Number = parameter(
        EpsilonInput(
            0,
            5,
            symbol="ε",
            slide=(0, 3),
            ends=(message("private"), message("accurate")),
            try_=(("1/10", message("bound 10.5%")), (1, message("bound 1.718"))),
        ),
        "1/10",
        message("How private"),
    )
    chance: Number = parameter(
        number(0, 1, symbol="p", try_=("1/2", ("1/100", message("factor near e^ε")))),
        "1/4",
        message("Expected utility of the truth"),
        message("probability of the good outcome"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the largest change of the probability of a good outcome by a misreport."""
        e, p = self.privacy.epsilon, double(self.chance)
        lie = _lie(p, e)
        best = math.tanh(e / 2)
        gain = Plot(
            "gain",
            message("Largest gain of a lie"),
            Axis(message("probability of the good outcome with the truth"), limits=(0, 1)),
            Axis(message("gain of a lie")),
            (
                curve(np.linspace(0, 1, 201), lambda x: _lie(x, e) - x, message("at most")),
                curve((0, 1), lambda x: math.expm1(e), message("bound e^ε − 1"), "bound"),
            ),
            handles=(self.handle("chance"),),
        )
        against = Plot(
            "epsilon",
            message("Bound and largest gain"),
            Axis("ε", limits=(0, 3)),
            Axis(message("gain"), limits=(0, 4)),
            (
                curve(np.linspace(0, 3, 121), lambda x: math.tanh(x / 2), message("attained")),
                curve(np.linspace(0, 3, 121), math.expm1, message("e^ε − 1"), "bound"),
            ),
            marks=(Mark(min(e, 3.0), math.tanh(min(e, 3.0) / 2), ""),),
        )
        findings = {
            "value": Finding(message("bound of the lemma: gain at most"), math.expm1(e), digits=6, rounding="up"),
            "gain": Finding(message("largest gain of a lie here"), lie - p, digits=6, rounding="up"),
            "times": Finding(
                message("factor by which the expected utility rises, at most"),
                lie / p if p else math.exp(e),
                digits=6,
                rounding="up",
            ),
            "factor": Finding(message("bound of that factor"), math.exp(e), digits=6, rounding="up"),
            "most": Finding(message("largest gain for any p, tanh(ε/2)"), best, digits=6, rounding="up"),
        }
        sentence = message(
            "If the truth earns {p} on average, no lie earns more than {lie}. The lemma allows {bound} more than {p}.",
            p=text(exact(self.chance)),
            lie=text(lie, rounding="up"),
            bound=text(math.expm1(e), rounding="up"),
        )
        return self.answer(findings, (against, gain), sentence, printed={"value": math.expm1(e), "factor": math.exp(e)})


def _lie(p: float, e: float) -> float:
    """Return the largest probability that a neighbour of probability p may have: e^eps p and 1 - e^-eps (1 - p) both bound it."""
    return min(math.exp(e) * p, 1 - math.exp(-e) * (1 - p))


class AuctionPrice(Exhibit):
    """Prices near the best price."""

    exhibit = "notes/auction-price"
    heading = message("Auctions with a private price")
    place = message("Section 1.7.1")
    claim = message(
        "Prices within a short interval below the best earn nearly the best revenue. So a private price drawn by the "
        "exponential mechanism has an expected revenue that is provably not far below the best."
    )
    symbols = message(
        "Prices between OPT − t/m and OPT earn at least OPT − t. So the exponential mechanism is 2ε-private and has expected "
        "revenue at least OPT − (3/ε) ln(e + ε² OPT m)."
    )
    verdict = message("prices end at the best one, not at OPT")
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
    epsilon: Number = how_private("1", up_to=20, slide=10, try_=((1, message("bound 4.04")), (2, message("bound 12.69"))))
    t: Number = parameter(number(0, 25, symbol="t", try_=(1, 5)), "5", message("Revenue given up"))

    def run(self, progress: Progress = silent) -> Answer:
        """Find the best price, the prices near it, and the expected revenue of the private price."""
        values = [Fraction(k, 100) for k in range(1, 101)] if self.bids == "spread" else [Fraction(1, 2)] * 100
        e, t = self.privacy.epsilon, exact(self.t)
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
            "best": Finding(message("best revenue"), best, state="proved"),
            "price": Finding(message("upper end of the good prices"), price, state="proved"),
            "buyers": Finding(message("buyers at the best price"), m, state="proved"),
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
            "At a price slightly below the best, the same people still buy, and each pays slightly less: together, at most the "
            "revenue given up. The printed interval is around {opt}, which is a revenue and not a price.",
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
                curve((0, 1), lambda p: best - exact(self.t), message("best minus what is given up"), "aid"),
            ),
            bands=(Band(max(float(low), 0.0), float(price), message("good prices")),),
            marks=(Mark(float(price), float(best), message("best price")),),
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
