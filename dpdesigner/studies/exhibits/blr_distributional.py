"""[BLR] Section 7: distributional privacy, checked exactly on counts, and the mirrored mod m.

[BLR] Definition 7.2, for any small mechanism on a count: the exact β of (ε, β)-distributional privacy.

S has i elements with the property and j without. Two databases of n rows are drawn from S without replacement, independently,
so that each count is hypergeometric: Pr[k] = C(i, k) C(j, n - k) / C(i + j, n). β is the probability that some output is more
than e^ε times as likely for the first count as for the second, for the S where that is largest.

[BLR] Theorem 7.3: distributional privacy implies differential privacy, by drawing two neighbours from n + 1 rows.

Both databases are drawn without replacement from the n + 1 different rows of two neighbours: each leaves one row out, so that
a given pair has probability 1/(n+1)^2, and 2/(n+1)^2 in either order; the paper prints 2/n^2. With replacement it would be
2 (n!/(n+1)^n)^2; the paper says itself, at the end of section 7, that drawing without replacement matters.

[BLR] Theorem 7.5: the mirrored mod m, which goes up and down between 0 and m - 1, has sensitivity 1.

F_3(0, ..., 8) = 0, 1, 2, 2, 1, 0, 0, 1, 2. For two databases drawn at random, Pr[|Q(D1) - Q(D2)| >= m/2] -> 1/4 + 1/(2m) (m
even), which is 1/4 + eps/4 at m = 2/eps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, inf, log

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import Number, exact, excerpt
from dpdesigner.core.basics.rounding import raised
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import Exhibit, curve, how_private, mechanism, parameter, text
from dpdesigner.studies.fields import choice, declare, number, whole_number
from dpdesigner.studies.fields import text as text_input
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Line, Mark
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table

Rows = Sequence[Sequence[Fraction]]


class DistributionalCheck(Exhibit):
    """The exact β of a small mechanism, for the worst set S."""

    exhibit = "blr/distributional-check"
    heading = message("Checking distributional privacy")
    place = message("Definition 7.2")
    claim = message(
        "A mechanism is distributionally private if any two databases drawn from the same set, without replacement, give every "
        "output the same probability within a factor of e^ε, except with a small probability β."
    )
    symbols = message(
        "A mechanism is (ε, β)-distributionally private if, for every set S and two databases of n rows drawn from it without "
        "replacement, every output has probabilities within a factor of e^ε, except with probability β."
    )
    verdict = message("exact probability of failure")
    asks = message(
        "The paper gives this definition without an example. Here the universe has 2n elements with a property and 2n "
        "without. The mechanism sees only the count of elements with the property, and every set S is tried."
    )
    must = message(
        "Two databases from the same S may differ in every row. So a differentially private mechanism may fail: its "
        "guarantee is for one row. Conversely, if a mechanism is not ε-private for two neighbours, it exceeds the "
        "ratio with probability at least 1/(n + 1)² for the S that contains the rows of both."
    )
    badge = (message("✓ every S tried in fractions"), "proved")

    shape: str = parameter(
        choice(("geometric", message("geometric, between 0 and n")), ("typed", message("typed"))),
        "geometric",
        message("Mechanism"),
        message("mechanism"),
    )
    alpha: Number = declare(
        number("1/1000", "999/1000", symbol="α", try_=("1/2", "4/5")),
        default="1/2",
        label=message("Privacy level for one row"),
        term=message("α = e^(−ε)"),
        when=lambda design: design.shape != "typed",
    )
    table: str = declare(
        text_input(),
        default="3/4 1/4; 1/2 1/2; 1/4 3/4",
        label=message("Rows for the counts 0 to n"),
        term=message("with semicolons between them"),
        when=lambda design: design.shape == "typed",
    )
    n: int = declare(
        whole_number(1, 10, symbol="n"),
        default=5,
        label=message("Rows in a database"),
        when=lambda design: design.shape != "typed",
    )
    ratio: Number = parameter(
        number(1, 10**6, scale="log", symbol="e^ε", slide=(1, 100), try_=(2, 4, 16)), 2, message("Allowed ratio e^ε")
    )

    def check(self) -> None:
        """Refuse typed rows that are not a mechanism."""
        self._rows()

    def run(self, progress: Progress = silent) -> Answer:
        """Try every S and both counts; β is exact at the allowed ratio, and in double precision at all others for the picture."""
        rows, allowed = self._rows(), exact(self.ratio)
        n = len(rows) - 1
        worst = [[_ratio(first, second) for second in rows] for first in rows]
        sets = [(i, j) for i in range(2 * n + 1) for j in range(2 * n + 1) if i + j >= n]  # of 2n elements of each sort
        best, largest = Fraction(-1), sets[0]
        for i, j in sets:
            chances = _hypergeometric(i, j, n)
            failing = sum(
                (chances[k] * chances[other] for k in range(n + 1) for other in range(n + 1) if worst[k][other] > allowed),
                Fraction(0),
            )
            if failing > best:
                best, largest = failing, (i, j)
        neighbours = max(
            (worst[k][other] for k in range(n + 1) for other in (k - 1, k + 1) if 0 <= other <= n), default=Fraction(1)
        )
        far = max(max(line) for line in worst)
        findings = {
            "value": Finding(message("probability of exceeding the ratio"), best, digits=6, rounding="up", state="proved"),
            "set": Finding(
                message("elements of the worst set with and without the property"),
                f"{largest[0]}, {largest[1]}" if best else message("none"),
            ),
            "neighbours": _level(message("ε for one row (differential privacy)"), neighbours),
            "all": _level(message("ε that is never exceeded"), far),
            "least": Finding(message("1/(n + 1)²"), Fraction(1, (n + 1) ** 2), digits=6, state="proved"),
        }
        values = {"ratio": text(allowed), "beta": text(best, rounding="up")}
        sentence = (
            message(
                "Two databases exceed the ratio {ratio} with probability {beta}. Two that differ in one row never do.", **values
            )
            if neighbours <= allowed
            else message(
                "Two databases exceed the ratio {ratio} with probability {beta}. The mechanism exceeds it even for one row.",
                **values,
            )
        )
        top = mechanism("mechanism", message("The mechanism"), rows, float(1 / allowed), lambda i, r: text(rows[i][r]))
        return self.answer(findings, (top, self._failing(worst, sets, n, best)), sentence)

    def _rows(self) -> Rows:
        if self.shape == "typed":
            return _typed(self.table)
        alpha = exact(self.alpha)
        return [_truncated(i, self.n, alpha) for i in range(self.n + 1)]

    def _failing(self, worst: Sequence[Sequence[Fraction | float]], sets: list[tuple[int, int]], n: int, best: Fraction) -> Plot:
        ratios = np.array([[float(value) for value in line] for line in worst])
        chances = np.array([[float(chance) for chance in _hypergeometric(i, j, n)] for i, j in sets])
        steps = np.unique(ratios[np.isfinite(ratios)])
        failing = [np.einsum("sk,sl,kl->s", chances, chances, (ratios > step).astype(float)).max() for step in steps]
        end = max(float(steps[-1]), float(exact(self.ratio)), 2.0) * 1.5
        xs, ys = np.append(steps, end), np.append(failing, failing[-1])
        return Plot(
            "failing",
            message("Probability of exceeding the ratio"),
            Axis(message("allowed ratio e^ε"), scale="log"),
            Axis(message("probability"), limits=(0, 1)),
            (Line(np.repeat(xs, 2)[1:], np.repeat(ys, 2)[:-1], message("worst set")),),
            (Mark(float(exact(self.ratio)), float(best)),),
            handles=(self.handle("ratio", most=end),),
        )


def _ratio(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction | float:
    """Return the largest ratio of an output's probability in the first row to that in the second."""
    return max(inf if not below else above / below for above, below in zip(first, second, strict=True) if above)


def _level(label: str, ratio: Fraction | float) -> Finding:
    if ratio == inf:
        return Finding(label, None, note=message("none: some output is possible for one count only"))
    return Finding(label, log(ratio), digits=6, rounding="up")


def _hypergeometric(i: int, j: int, n: int) -> list[Fraction]:
    return [Fraction(comb(i, k) * comb(j, n - k), comb(i + j, n)) for k in range(n + 1)]


def _truncated(centre: int, most: int, alpha: Fraction) -> list[Fraction]:
    """Return a row of the geometric mechanism in which releases outside 0..most become the nearest end."""
    if not most:
        return [Fraction(1)]
    inner = [(1 - alpha) / (1 + alpha) * alpha ** abs(r - centre) for r in range(most + 1)]
    return [alpha**centre / (1 + alpha), *inner[1:-1], alpha ** (most - centre) / (1 + alpha)]


def _typed(table: str) -> Rows:
    lines = [line.split() for line in table.split(";")]
    rows: list[list[Fraction]] = []
    for place, line in enumerate(lines, 1):
        try:
            row = [exact(value) for value in line]
        except InputError:
            raise InputError(
                f"row {place} of the table must be numbers separated by spaces, got {excerpt(' '.join(line))}.", "table"
            ) from None
        if not row or min(row) < 0 or sum(row) != 1 or len(row) != len(lines[0]):
            raise InputError(
                f"row {place} of the table must be {len(lines[0])} probabilities with sum 1, got {excerpt(' '.join(line))}.",
                "table",
            )
        rows.append(row)
    if not 2 <= len(rows) <= 11:
        raise InputError(f"the table must have 2 to 11 rows, one for each count from 0 to n; got {len(rows)}.", "table")
    return rows


class Distributional(Exhibit):
    """Two random databases that are neighbours by chance."""

    exhibit = "blr/distributional"
    heading = message("Two neighbours by chance")
    place = message("Theorem 7.3")
    claim = message(
        "Suppose that two databases drawn from the same set, without replacement, satisfy the privacy inequality except with a "
        "very small probability. Then any two neighbours satisfy it, because they are drawn with a larger probability."
    )
    symbols = message(
        "Suppose that, for every set S, two databases of n rows drawn from S without replacement satisfy the privacy inequality "
        "except with probability β = o(1/n²). Then the mechanism is ε-private, because two given neighbours are drawn with "
        "probability 2/n²."
    )
    verdict = message("2/(n + 1)², not 2/n²")
    differs = message(
        "Each draw leaves out one of n + 1 rows, so two given neighbours are drawn with probability exactly 2/(n + "
        "1)². This has the same order, so the theorem holds."
    )
    must = message(
        "Drawing n of n + 1 different rows means leaving one out. If the probability that the inequality fails is "
        "below 1/(n + 1)², it holds for these two. The paper notes that drawing without replacement matters: with "
        "replacement the probability would be 2(n!/(n + 1)^n)², and a mechanism that tells some neighbours apart could "
        "pass."
    )
    badge = (message("✓ proved in fractions"), "proved")

    n: int = parameter(whole_number(1, 1000, symbol="n", slide=(1, 30), try_=(2, 5, 100)), 5, message("Number of rows"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute both probabilities; for few rows enumerate all draws as well."""
        n = self.n
        right = Fraction(2, (n + 1) ** 2)
        again = 2 * Fraction(math.factorial(n), (n + 1) ** n) ** 2 if n <= 150 else Fraction(0)
        log_again = math.log10(2) + 2 * (math.lgamma(n + 1) - n * math.log(n + 1)) / math.log(10)
        counted = _counted(min(n, 4))
        rows = tuple((str(m), str(_counted(m)[0]), str(Fraction(2, (m + 1) ** 2)), str(_counted(m)[1])) for m in range(1, 5))
        table = Table("counted", message("Enumerated"), ("n", message("without"), "2/(n+1)²", message("with")), rows)
        findings = {
            "value": Finding(message("probability of the two neighbours"), right, state="proved"),
            "ordered": Finding(message("in a given order"), right / 2, state="proved"),
            "counted": Finding(message("enumerated, for n = {n}", n=min(n, 4)), counted[0], state="proved"),
            "with": Finding(message("with replacement, power of ten"), log_again, digits=5),
            "with-exact": Finding(
                message("with replacement"), again if n <= 150 else None, note="" if n <= 150 else message("below 1e-100")
            ),
        }
        seldom = message("below 10⁻{power}", power=raised(-math.ceil(log_again)))
        again_text = message("about {chance}", chance=f"{float(again):.2g}") if log_again > -4 else seldom
        sentence = message(
            "The two neighbours are drawn with probability {right}; with replacement it would be {again}.",
            right=text(right),
            again=again_text,
        )
        return self.answer(findings, (self._chance(), table), sentence, printed={"value": Fraction(2, n**2)})

    def _chance(self) -> Plot:
        at = range(1, 31)
        return Plot(
            "chance",
            message("Probability of drawing the two neighbours"),
            Axis(message("rows n"), scale="whole"),
            Axis(message("probability"), scale="log"),
            (
                curve(at, lambda m: 2 / (m + 1) ** 2, message("without replacement")),
                curve(at, lambda m: 2 / m**2, message("printed 2/n²"), "rival"),
                curve(
                    at,
                    lambda m: 2 * math.exp(2 * (math.lgamma(m + 1) - m * math.log(m + 1))),
                    message("with replacement"),
                    "other",
                ),
            ),
            handles=(self.handle("n", most=30),),
        )


def _counted(n: int) -> tuple[Fraction, Fraction]:
    """Return both probabilities by enumerating all draws of n from n + 1 rows; the neighbours lack row 0 and row 1."""
    first, second = frozenset(range(1, n + 1)), frozenset({0, *range(2, n + 1)})
    draws = [frozenset(range(n + 1)) - {gone} for gone in range(n + 1)]
    hits = sum({one, other} == {first, second} for one, other in product(draws, draws))
    sequences = [tuple(sorted(draw)) for draw in product(range(n + 1), repeat=n)]
    ones, others = sequences.count(tuple(sorted(first))), sequences.count(tuple(sorted(second)))
    return Fraction(hits, len(draws) ** 2), Fraction(2 * ones * others, len(sequences) ** 2)


class MirroredMod(Exhibit):
    """The mirrored mod, which hides the sum."""

    exhibit = "blr/mirrored-mod"
    heading = message("The mirrored mod hides the sum")
    place = message("Theorem 7.5")
    claim = message(
        "A sum of bits, folded into a zigzag, changes by at most 1 with each bit. Two random databases often have quite "
        "different answers. With Laplace noise, every output then separates the two by the same ratio of densities."
    )
    symbols = message(
        "The mirrored mod 2/ε of a sum of bits has sensitivity 1. Two random databases differ by 1/ε or more with constant "
        "probability; then the densities of Q + Lap(1/ε) have ratio e^(−ε|Q₁ − Q₂|) = 1/e at every x."
    )
    verdict = message("a lower bound, not an equality")
    differs = message(
        "The ratio is e^(−ε|Q₁ − Q₂|) only for x beyond Q₂. Elsewhere it is larger, up to e^(+ε|Q₁ − Q₂|). Since |Q₁ − "
        "Q₂| ≥ 1/ε, the second “=” should read ≤. The values beyond Q₂ still give the theorem for every ε′ below 1, "
        "but not the last line of the proof, (1, o(1)), if |Q₁ − Q₂| is exactly 1/ε."
    )
    must = message(
        "A random sum is almost uniform over the mirrored range, so two answers differ by m/2 or more with probability "
        "slightly above 1/4. Between the two values the densities cross. “D ⊂ {0,1}^n” means a vector of n bits."
    )

    m: int = parameter(
        whole_number(2, 100, symbol="m", slide=(2, 40), try_=((3, message("0, 1, 2, 2, 1, 0, …")), (4, "0.375"), (20, "0.275"))),
        4,
        message("Width of the mirrored range"),
    )
    n: int = parameter(whole_number(2, 20000, symbol="n", slide=(2, 500), try_=(100, 10000)), 100, message("Number of bits"))
    epsilon: Number = how_private("1/2", low="1/10", up_to=2, slide=2, try_=(("1/2", message("m = 2/ε = 4")),))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the distribution of the answer for random bits, and the probability that two differ by m/2 or more."""
        m, n, e = self.m, self.n, self.privacy.epsilon
        law = np.bincount(mirrored(np.arange(n + 1), m), weights=_binomial(n), minlength=m)
        far = np.abs(np.subtract.outer(np.arange(m), np.arange(m))) >= m / 2
        chance = float(law @ far @ law)
        limit = 0.25 + 1 / (2 * m) if m % 2 == 0 else 0.25 - 1 / (4 * m * m)
        most = int(np.abs(np.diff(mirrored(np.arange(4 * m), m))).max())
        shown = range(min(4 * m, 60) + 1)
        picture = Plot(
            "mirror",
            message("The mirrored mod"),
            Axis(message("sum of the bits"), scale="whole"),
            Axis(message("answer"), scale="whole"),
            (curve(shown, lambda i: mirrored(np.array([i]), m)[0], message("answer")),),
        )
        one, other = 0.0, float(min(m - 1, max(1, m // 2)))
        gap, xs = other - one, np.linspace(-2, m + 1, 301)
        findings = {
            "value": Finding(message("probability of differing by half the range"), chance, digits=6),
            "limit": Finding(message("as n grows"), limit, digits=6),
            "epsilon": Finding(message("1/4 + ε/4, at m = 2/ε"), 0.25 + e / 4, digits=6),
            "sensitivity": Finding(message("sensitivity"), most, state="proved"),
            "values": Finding(message("answers for the sums 0 to 8"), ", ".join(map(str, mirrored(np.arange(9), m).tolist()))),
            "beyond": Finding(message("ratio at x on the side of Q₂ = {q}", q=f"{other:g}"), math.exp(-e * gap), digits=4),
            "inside": Finding(message("ratio at x half-way between"), 1.0, digits=4),
            "before": Finding(message("ratio at x on the side of Q₁ = 0"), math.exp(e * gap), digits=4),
        }
        sentence = message(
            "Two random databases differ by {half} or more with probability {share}. One bit changes the answer by at "
            "most {most}.",
            half=f"{m / 2:g}",
            share=f"{chance:.4g}",
            most=most,
        )
        return self.answer(
            findings,
            (picture, self._ratio(xs, e, one, other)),
            sentence,
            printed={"sensitivity": 1} | dict.fromkeys(("beyond", "inside", "before"), math.exp(-e * gap)),
        )

    def _ratio(self, xs: Floats, e: float, one: float, other: float) -> Plot:
        return Plot(
            "ratio",
            message("Ratio of the densities at each output"),
            Axis(message("output")),
            Axis(message("log ratio of the densities")),
            (
                Line(xs, e * (np.abs(xs - other) - np.abs(xs - one)), message("right")),
                curve((xs[0], xs[-1]), lambda x: -e * (other - one), message("as printed"), "rival"),
            ),
            bands=(Band(one, other, message("between the two")),),
        )


def mirrored(i: NDArray[np.int64], m: int) -> NDArray[np.int64]:
    """Return F_m of each sum: 0, ..., m - 1, m - 1, ..., 0, repeating."""
    place = i % (2 * m)
    return np.where(place < m, place, 2 * m - 1 - place)


def _binomial(n: int) -> NDArray[np.float64]:
    i = np.arange(n + 1)
    logs = np.array([math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in i.tolist()])
    chances = np.exp(logs - n * math.log(2))
    return np.asarray(chances / chances.sum())
