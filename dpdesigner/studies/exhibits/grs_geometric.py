"""[GRS]: the geometric mechanism on all integers and against Laplace noise, and deterministic and random remaps of it.

[GRS] Example 2.1: the geometric mechanism on all integers, Pr[Z = z] = (1 - alpha)/(1 + alpha) alpha^|z|.

E|Z| = 2 alpha/(1 - alpha^2), E Z^2 = 2 alpha/(1 - alpha)^2, Pr[Z != 0] = 2 alpha/(1 + alpha), Pr[Z >= k] = alpha^k/(1 +
alpha).

[GRS] Section 6.1: Laplace noise against the geometric mechanism, as alpha -> 0.

Prior 1/2 on 0 and on 1: the geometric mechanism errs with alpha/(1 + alpha), Laplace noise, read again (at 1/2), with
 e^(-eps/2)/2 = sqrt(alpha)/2; the ratio (1 + alpha)/(2 sqrt alpha) grows without bound. Noise with the steps of a staircase,
rounded to whole numbers, is the geometric mechanism: its mass on [k - 1/2, k + 1/2) is (1 - alpha)/(1 + alpha) alpha^|k|.

[GRS] Example 2.2: a user who knows that the count is 0 or n reinterprets the geometric mechanism, and errs less often.

Loss 0 or 1, p_0 = p_n = 1/2. At face value: 2 alpha/(1 + alpha) on all integers, alpha/(1 + alpha) clamped to 0..n. Read
again: alpha^((n+1)/2)/(1 + alpha) for odd n, as printed; for even n, which the paper leaves out, alpha^(n/2)/2.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdesigner.core.basics.parsing import Number, double, exact
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.mechanism import Solution
from dpdesigner.core.mechanism.remap import solve_exactly
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel
from dpdesigner.studies.exhibits.exhibit import (
    TOWARDS_PRIVATE,
    Exhibit,
    curve,
    how_private_alpha,
    parameter,
    points,
    shares,
    study_seed,
    text,
)
from dpdesigner.studies.exhibits.exhibit import text as text_of
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot, Strips
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Mark
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role


class Unclamped(Exhibit):
    """Geometric noise on all integers."""

    exhibit = "grs/unclamped"
    heading = message("Unclamped noise")
    place = message("Example 2.1")
    claim = message(
        "The geometric mechanism adds random whole-number noise to the count: a fixed factor α makes each further step less "
        "likely. One more person changes the probability of an output by at most this factor."
    )
    symbols = message(
        "The α-geometric mechanism adds Z with Pr[Z = z] = (1−α)/(1+α) · α^|z| to the count; it is α-differentially private."
    )
    verdict = message("neighbouring ratio is exactly α")
    must = message(
        "One more person shifts the bars by one place, and each bar is α or 1/α times the next. So no ratio exceeds 1/α."
    )
    badge = (message("✓ proved in fractions"), "proved")

    alpha: Number = how_private_alpha("1/2", "1/100", "99/100", try_=(("1/2", message("ε = ln 2")),))
    k: int = parameter(whole_number(1, 50, symbol="k", slide=(1, 12)), 2, message("Size of the error"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute probabilities and costs in fractions."""
        a, k, places = exact(self.alpha), self.k, range(-12, 13)
        chance = {z: (1 - a) / (1 + a) * a ** abs(z) for z in range(-13, 14)}
        summed = sum((chance[z] if z in chance else (1 - a) / (1 + a) * a**z for z in range(k)), chance[0] - chance[0])
        ratios = {chance[z] / chance[z + 1] for z in range(-13, 13)}
        noise = Plot(
            "noise",
            message("Probability of each error"),
            Axis(message("error"), scale="whole", limits=(-12.5, 12.5)),
            Axis(message("probability")),
            (curve(places, lambda z: chance[z], message("geometric noise"), spikes=True),),
            bands=(Band(k - 0.5, 12.5, message("error of k or more")),),
        )
        cost = Plot(
            "cost",
            message("Expected error by privacy"),
            Axis(TOWARDS_PRIVATE, limits=(0, 1)),
            Axis(message("expected error"), limits=(0, 10)),
            (
                curve(shares(100)[:96], lambda x: 2 * x / (1 - x * x), message("expected error")),
                curve(shares(100)[:96], lambda x: 2 * x / (1 + x), message("probability of an error"), "rival"),
            ),
            handles=(self.handle("alpha"),),
        )
        findings = {
            "value": Finding(message("expected error"), 2 * a / (1 - a * a), state="proved"),
            "square": Finding(message("expected squared error"), 2 * a / (1 - a) ** 2, state="proved"),
            "moved": Finding(message("probability of an error"), 1 - chance[0], state="proved"),
            "tail": Finding(message("probability of k or more"), 1 - (summed + (1 - chance[0]) / 2), state="proved"),
            "ratio": Finding(message("ratio of neighbours, at most"), max(ratios), state="proved"),
        }
        printed: dict[str, Number] = {"ratio": 1 / a}
        sentence = message(
            "The expected error is {mean}. The answer is exact with probability {never}.",
            mean=text(2 * a / (1 - a * a), rounding="up"),
            never=text(chance[0], rounding="down"),
        )
        return self.answer(findings, (noise, cost), sentence, printed=printed)


class Section61(Exhibit):
    """Laplace noise against the geometric mechanism."""

    exhibit = "grs/section-6.1"
    heading = message("Laplace noise is not best for all")
    place = message("Section 6.1")
    claim = message(
        "A user expects the result 0 or 1, with probability 1/2 each. Laplace noise has a larger expected loss than the "
        "geometric mechanism, and the ratio of the two grows without limit as privacy gets weaker."
    )
    symbols = message(
        "For a prior of 1/2 on each of the results 0 and 1, the geometric mechanism has expected loss α/(1+α) and the Laplace "
        "mechanism √α/2. Their ratio tends to ∞ as α → 0."
    )
    verdict = message("true once the loss is defined")
    differs = message(
        "The paper does not define the loss l_err. For the binary loss l_bin, and for |i − r|, which is the same on "
        "two results, both printed values are right."
    )
    must = message(
        "Laplace noise misleads when it exceeds 1/2, which has probability √α/2. Geometric noise misleads when it is at "
        "least 1, which has probability α/(1+α)."
    )

    alpha: Number = how_private_alpha(
        "1/2", "1/10000", "99/100", scale="log", try_=(("1/2", message("1.0607")), ("1/100", message("5.05")))
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute both losses; for Laplace noise from its tail beyond 1/2."""
        a, exactly = double(self.alpha), exact(self.alpha)
        epsilon = -math.log(a)
        laplace = float(Laplace(epsilon).tail(0.5))
        best = exactly / (1 + exactly)
        rounded = float(Staircase(epsilon, 0.5).cdf(0.5) - Staircase(epsilon, 0.5).cdf(-0.5))
        alphas = [10 ** (-4 + k * (4 + math.log10(0.99)) / 200) for k in range(201)]
        ratio = Plot(
            "ratio",
            message("Laplace relative to geometric"),
            Axis(TOWARDS_PRIVATE, scale="log"),
            Axis(message("ratio of losses"), limits=(0, 12)),
            (
                curve(alphas, lambda x: (1 + x) / (2 * math.sqrt(x)), message("Laplace ÷ geometric")),
                curve(alphas, lambda x: 1, message("equal"), "aid"),
            ),
            handles=(self.handle("alpha"),),
        )
        findings = {
            "value": Finding(message("Laplace noise relative to the geometric mechanism"), laplace / float(best), digits=9),
            "laplace": Finding(message("error with Laplace noise"), laplace, rounding="up"),
            "geometric": Finding(message("error with the geometric mechanism"), best, state="proved"),
            "staircase": Finding(message("staircase (γ = ½), rounded: probability of 0"), rounded),
            "geometric-zero": Finding(message("geometric: probability of 0"), (1 - exactly) / (1 + exactly), state="proved"),
            "laplace-zero": Finding(message("rounded Laplace: probability of 0"), 1 - math.sqrt(a)),
        }
        printed: dict[str, Number] = {"geometric": exactly / (1 + exactly), "laplace": math.sqrt(a) / 2}
        sentence = message(
            "With Laplace noise the error is {times} times as likely as with the geometric mechanism.",
            times=text(laplace / float(best), rounding="down"),
        )
        return self.answer(findings, (self._losses(), ratio), sentence, printed=printed)

    def _losses(self) -> Plot:
        return Plot(
            "losses",
            message("Probability of error"),
            Axis(TOWARDS_PRIVATE, limits=(0, 1)),
            Axis(message("probability of error"), limits=(0, 0.55)),
            (
                curve([k / 200 for k in range(201)], lambda x: x / (1 + x), message("geometric")),
                curve([k / 200 for k in range(201)], lambda x: math.sqrt(x) / 2, message("Laplace, read at ½"), "rival"),
            ),
        )


_MOST = 30  # people up to whom every output is drawn
_ROLES: tuple[Role, Role] = ("main", "rival")


class Example22(Exhibit):
    """A remap that errs less often."""

    exhibit = "grs/example-2.2"
    heading = message("Reinterpret and err less often")
    place = message("Example 2.2")
    claim = message(
        "A user expects the count to be 0 or everyone, with probability 1/2 each. Reading each output of the geometric "
        "mechanism as the nearer end, this user errs less often than by taking it at face value."
    )
    symbols = message(
        "Let n be odd and the loss binary. A user with prior 1/2 on 0 and on n errs with probability 2α/(1+α) at face value, "
        "and α^((n+1)/2)/(1+α) if each output is read as the nearer end."
    )
    verdict = message("error falls from 2/3 to 1/12, as printed")
    must = message(
        "Full colour: read wrong. An output only tells which end is more likely, so the nearer end is the better reading."
    )
    badge = (message("✓ proved in fractions"), "proved")

    n: int = parameter(
        whole_number(
            1,
            200,
            symbol="n",
            slide=(1, 20),
            try_=((5, message("2/3 becomes 1/12")), (10, message("even n (not in the example): 1/64"))),
        ),
        5,
        message("Number of people"),
    )
    alpha: Number = how_private_alpha("1/2", 0, 1, try_=(("1/2", message("ε = ln 2")), ("1/3", message("ε = ln 3"))))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the losses in fractions, with the best remap found by trying both readings of every release."""
        n, alpha = self.n, exact(self.alpha)
        read, closed = error_after_remap(n, alpha), closed_form(n, alpha)
        stands, clamped = 2 * alpha / (1 + alpha), alpha / (1 + alpha)
        sizes = range(1, max(21, n + 1))
        people = Plot(
            "people",
            message("Error by number of people"),
            Axis(message("people"), scale="whole"),
            Axis(message("probability of error"), limits=(0, 1)),
            (
                curve(sizes, lambda size: closed_form(size, alpha), message("with the best remap")),
                curve(sizes, lambda size: stands, message("at face value"), "rival"),
            ),
            marks=(Mark(n, float(read), text_of(read) if n <= 12 else ""),),
            room=3,
        )
        findings = {
            "value": Finding(message("error with the best remap"), read, rounding="up", state="proved"),
            "stands": Finding(message("error at face value, all integers"), stands, rounding="up", state="proved"),
            "clamped": Finding(message("error at face value, clamped to 0..n"), clamped, state="proved"),
            "closed-form": Finding(message("the same by its closed form"), closed, state="proved"),
        }
        printed: dict[str, Number] = {"stands": stands, "value": closed} if n % 2 else {}
        text = message(
            "Taken at face value, the answer is wrong with probability {stands}. Read as the nearer end, it is wrong "
            "with probability {read}.{even}",
            stands=text_of(stands, rounding="up"),
            read=text_of(read, rounding="up"),
            even="" if n % 2 else message(" The example covers odd n only."),
        )
        return self.answer(
            findings,
            (*((_readings(n, alpha),) if n <= _MOST else ()), people, self._privacy(n)),
            text,
            printed=printed,
            checks=(message("✓ both readings tried for all {count} outputs", count=n + 1),),
            formula=(n, alpha) != (5, Fraction(1, 2)),
        )

    @classmethod
    def pictured(cls) -> Panel:
        """Return the error by the number of people."""
        return next(panel for panel in cls().run().panels if isinstance(panel, Plot))

    def _privacy(self, n: int) -> Plot:
        return Plot(
            "privacy",
            message("Error by privacy"),
            Axis(TOWARDS_PRIVATE, limits=(0, 1)),
            Axis(message("probability of error")),
            (
                curve(shares(), lambda a: closed_form(n, a), message("with the best remap")),
                curve(shares(), lambda a: 2 * a / (1 + a), message("at face value"), "rival"),
            ),
            handles=(self.handle("alpha"),),
        )


def _readings(n: int, alpha: Fraction) -> Strips:
    """Show each release for both counts, as likely as the user thinks it: the full part is read wrong."""
    inner, tail = (1 - alpha) / (1 + alpha), alpha / (1 + alpha)
    none = [tail, *(inner * alpha**r for r in range(n + 1)), tail * alpha**n]  # below 0, 0 to n, above n; if the count is 0
    chances = none, none[::-1]
    face = [r != 1 for r in range(n + 3)], [r != n + 1 for r in range(n + 3)]
    nearer = [2 * (r - 1) > n for r in range(n + 3)], [2 * (r - 1) <= n for r in range(n + 3)]
    names = ("< 0", *map(str, range(n + 1)), f"> {n}")
    titles = message("Taken at face value"), message("Read as the nearer end")
    plots = []
    for key, title, wrong in zip(("face", "nearer"), titles, (face, nearer), strict=True):
        both = [[p / 2 for p in part] for part in chances]
        lost = [[p * bad for p, bad in zip(part, which, strict=True)] for part, which in zip(both, wrong, strict=True)]
        series = tuple(
            Bars(np.array(part, dtype=float), name, role, part=np.array(bad, dtype=float), part_name=message("wrong"))
            for part, bad, name, role in zip(both, lost, (message("count 0"), message("count {n}", n=n)), _ROLES, strict=True)
        )
        hint = message("wrong with probability {share}", share=text_of(sum(map(sum, lost), Fraction(0))))
        x = Axis(message("released"), scale="names", names=names)
        plots.append(Plot(key, title, x, Axis(limits=(0.0, 0.7 * float(max(none)))), bars=series, hint=hint))
    return Strips("readings", message("What each output is read as"), tuple(plots))


def closed_form(n: int, alpha: Fraction) -> Fraction:
    """Return the probability of error after the best remap."""
    return alpha ** ((n + 1) // 2) / (1 + alpha) if n % 2 else alpha ** (n // 2) / 2


def error_after_remap(n: int, alpha: Fraction) -> Fraction:
    """Return the probability of error if each release is read as the likelier end: the sum over j of the lesser of both."""
    inner = (1 - alpha) / (1 + alpha)
    loss = Fraction(0)
    for j in range(n + 1):
        weight = 1 / (1 + alpha) if j in (0, n) else inner
        loss += weight * min(alpha**j, alpha ** (n - j)) / 2
    return loss


class RandomisedRemaps(Exhibit):
    """Random remaps, which do not help."""

    exhibit = "grs/randomised-remaps"
    heading = message("Random remaps do not help")
    place = message("Section 2.3")
    claim = message(
        "A deterministic remap is optimal, even among randomised ones: for each output, choose the result with the "
        "least expected loss under the posterior."
    )
    verdict = message("the best remap is deterministic")
    must = message(
        "For each output, the expected loss of a random remap is an average of the losses of single readings. An average is "
        "never below the smallest of them."
    )
    badge = (message("✓ proved in fractions"), "proved")

    n: int = parameter(whole_number(1, 12, symbol="n"), 5, message("Number of people"))
    alpha: Number = how_private_alpha("1/2", "1/100", "99/100", ends=("", ""), try_=(("1/2", message("ε = ln 2")),))
    chance: Number = parameter(
        number(0, 1, symbol="t", ends=(message("always the best remap"), message("always at random"))),
        "1/3",
        message("Weight of the random remap"),
    )
    seed: int = study_seed(message("Which random remap"))

    def run(self, progress: Progress = silent) -> Answer:
        """Mix the best remap with a random one drawn from a seed; loss |i - r|, uniform prior, all in fractions."""
        n, alpha, t = self.n, exact(self.alpha), exact(self.chance)
        prior = [Fraction(1, n + 1)] * (n + 1)
        loss = [[Fraction(abs(i - r)) for r in range(n + 1)] for i in range(n + 1)]
        best = solve_exactly(prior, loss, alpha)
        scores = _scores(n, alpha, prior, loss)
        drawn = np.random.default_rng(self.seed).integers(0, 10, (n + 1, n + 1)) + 1
        random = sum(
            (Fraction(int(drawn[j, r]), int(drawn[j].sum())) * scores[j][r] for j in range(n + 1) for r in range(n + 1)),
            Fraction(0),
        )
        mixed = (1 - t) * best.value + t * random
        stands = sum((scores[j][j] for j in range(n + 1)), Fraction(0))
        findings = {
            "value": Finding(message("expected loss of the mixed remap"), mixed, rounding="up", state="proved"),
            "best": Finding(message("expected loss of the best remap"), best.value, rounding="up", state="proved"),
            "random": Finding(message("expected loss of the random remap"), random, rounding="up", state="proved"),
            "stands": Finding(message("expected loss at face value"), stands, rounding="up", state="proved"),
            "advantage": Finding(
                message("gain from randomising, at most"), max(Fraction(0), best.value - min(mixed, random)), state="proved"
            ),
        }
        sentence = message(
            "With the random remap used with probability {t} the expected loss is {mixed}; with the best remap alone, {best}.",
            t=text(t),
            mixed=text(mixed, rounding="up"),
            best=text(best.value, rounding="up"),
        )
        return self.answer(findings, (self._scores(n, scores), self._mixed(best, random)), sentence, printed={"advantage": 0})

    def _mixed(self, best: Solution, random: Fraction) -> Plot:
        return Plot(
            "mixed",
            message("Expected loss of a mixture"),
            Axis(message("weight of the random remap"), limits=(0, 1)),
            Axis(message("expected loss")),
            (
                curve(shares(), lambda x: (1 - x) * best.value + x * random, message("mixed")),
                curve(shares(), lambda x: best.value, message("best remap"), "aid"),
            ),
            handles=(self.handle("chance"),),
        )

    def _scores(self, n: int, scores: list[list[Fraction]]) -> Plot:
        roles: tuple[Role, ...] = ("main", "other", "rival")
        shown = zip(roles, scores, strict=False)
        return Plot(
            "scores",
            message("Loss of each reading of an output"),
            Axis(message("read as"), scale="whole"),
            Axis(message("loss")),
            tuple(
                points(range(n + 1), costs, message("output {j}", j=j), role, dashed=False)
                for j, (role, costs) in enumerate(shown)
            ),
        )


def _scores(n: int, alpha: Fraction, prior: list[Fraction], loss: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return the contribution to the expected loss of reading release j as r."""
    weights, powers = geometric.exact_weights(alpha, n), geometric.powers(alpha, n)
    return [
        [sum((prior[i] * weights[j] * powers[abs(i - j)] * loss[i][r] for i in range(n + 1)), Fraction(0)) for r in range(n + 1)]
        for j in range(n + 1)
    ]
