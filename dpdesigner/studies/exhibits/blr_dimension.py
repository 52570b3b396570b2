"""[BLR] VC dimension: shattered points, and the least error of a private release of few rows (Theorem 3.11).

[BLR] Lemmas 3.12 and 3.13: a release that is useful for a class gives back most of a database of shattered points.

S has d points, T is half of them, Q_T counts the share of a database in T. Lemma 3.12: Q_T(T) - Q_T(T') = |T sym.diff. T'|/d.
Lemma 3.13: from a release D' that is within alpha of T on every query, T' = argmin Q_T'(T') - Q_T'(D') has |T sym.diff. T'| <=
2 d alpha. Q_T'(T') = 1, so T' holds the d/2 points with the largest shares in D'. Here D' is the histogram of T with geometric
noise of ratio exp(-eps/2) in each of the d cells; negative counts become 0.

[BLR] Theorem 3.11: the least error of a private release of at most d/2 rows, with the probability of failure.

Right, with E = e^(2 eps) for neighbours by symmetric difference, e^eps where a row is replaced: alpha >= ((1 - delta) - delta
E)/ (2 (1 - delta)(1 + E)). The theorem states Omega(1/(4 + 16 eps)) for eps <= 1 and every delta bounded away from 1; its proof
ends with 1/(4 + 16 eps).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.accountant import budget_of
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, double, exact
from dpdesigner.core.synthetic.draws import Source, for_study, geometric_noise
from dpdesigner.core.synthetic.error_bounds import least_error, least_error_stated
from dpdesigner.core.synthetic.net import queries, vc_dimension
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import (
    Exhibit,
    curve,
    geometric_places,
    grouped_bars,
    how_private,
    parameter,
    points,
    study_seed,
    text,
)
from dpdesigner.studies.fields import choice, declare, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Handle, Mark
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table

_GRID = 12  # places on the line for the dimension of the whole class


class Shattering(Exhibit):
    """The subsets that queries can pick out."""

    exhibit = "blr/shattering"
    heading = message("Subsets that queries pick out")
    place = message("Definitions 2.5, 2.6")
    claim = message(
        "A class of queries shatters a set of points if its queries pick out every subset. Its VC dimension is the "
        "size of the largest set that it shatters, which is at most log₂ of the number of queries."
    )
    verdict = message("half-line 1, interval 2, two intervals 4")
    must = message(
        "An interval that contains two points contains every point between them, so intervals never shatter three "
        "points. To shatter d points, a class needs at least 2^d queries."
    )
    badge = (message("✓ enumerated"), "proved")

    kind_of: str = parameter(
        choice(
            ("half-lines", message("half-lines")),
            ("intervals", message("intervals")),
            ("two", message("two intervals")),
            ("signed", message("half-lines in both directions")),
        ),
        "intervals",
        message("Class of queries"),
        message("class"),
    )
    a: Number = declare(number(0, 10, symbol="a"), default="2", label=message("First point"))
    b: Number = declare(number(0, 10, symbol="b"), default="5", label=message("Second point"))
    c: Number = declare(number(0, 10, symbol="c"), default="8", label=message("Third point"))
    many: int = parameter(whole_number(1, 3, symbol="k"), 3, message("Number of points"))

    def run(self, progress: Progress = silent) -> Answer:
        """List the subsets that the class picks out, and those that it does not."""
        named = [("a", exact(self.a)), ("b", exact(self.b)), ("c", exact(self.c))][: self.many]
        places = sorted({value for _, value in named})
        picked = _picked(self.kind_of, places)
        wanted = 2 ** len(named)
        subsets = [subset for size in range(len(places) + 1) for subset in combinations(places, size)]
        missing = [subset for subset in subsets if frozenset(subset) not in picked]
        whole = [frozenset(subset) for subset in _picked(self.kind_of, [Fraction(k) for k in range(_GRID)])]
        matrix = np.array([[float(Fraction(k) in subset) for k in range(_GRID)] for subset in whole])
        dimension = vc_dimension(queries(matrix))
        rows = tuple((_words(subset, named), message("no") if subset in missing else message("yes")) for subset in subsets)
        shattered = len(picked) == wanted and len(places) == len(named)
        findings = {
            "value": Finding(message("subsets picked out"), len(picked), state="proved"),
            "all": Finding(message("all subsets"), wanted),
            "shattered": Finding(message("shattered"), shattered),
            "dimension": Finding(message("VC dimension of the class"), dimension, state="proved"),
            "queries": Finding(message("queries on {many} places", many=_GRID), len(whole)),
            "bound": Finding(message("log₂ of the number of queries, a bound on the dimension"), math.log2(len(whole)), digits=4),
        }
        if shattered:
            sentence = message("These points are shattered: queries pick out all {all} subsets.", all=wanted)
        else:
            first = _words(missing[0], named) if missing else message("two points coincide")
            words = {"found": len(picked), "all": wanted, "missing": first}
            sentence = message("Queries pick out {found} of {all} subsets, but not {missing}.", **words)
        table = Table("subsets", message("Subset by subset"), (message("subset"), message("picked out")), rows)
        return self.answer(findings, (self._line(named, picked), table), sentence)

    def _line(self, named: list[tuple[str, Fraction]], picked: set[frozenset[Fraction]]) -> Plot:
        levels = [sorted(subset) for subset in sorted(picked, key=lambda s: (len(s), sorted(s)))]
        return Plot(
            "line",
            message("Points and the subsets picked out"),
            Axis(message("line"), limits=(0, 10)),
            Axis(message("subset"), scale="whole", limits=(0, len(picked) + 0.6)),
            (
                points([0, 10], [0, 0], "", "aid", dashed=False),
                *(points(subset, [k] * len(subset), "", "main") for k, subset in enumerate(levels, 1) if subset),
            ),
            marks=tuple(Mark(float(value), float(k), "", "main") for k, subset in enumerate(levels, 1) for value in subset),
            handles=tuple(Handle(float(value), name, name) for name, value in named),
        )


def _picked(kind: str, places: list[Fraction]) -> set[frozenset[Fraction]]:
    """Return the subsets of sorted points that a class picks out."""
    n = len(places)
    stretches = [frozenset(places[i:j]) for i in range(n + 1) for j in range(i, n + 1)]
    if kind == "half-lines":
        return {frozenset(places[:j]) for j in range(n + 1)}
    if kind == "signed":
        return {frozenset(places[:j]) for j in range(n + 1)} | {frozenset(places[j:]) for j in range(n + 1)}
    if kind == "intervals":
        return set(stretches)
    return {one | other for one in stretches for other in stretches}


def _words(subset: tuple[Fraction, ...], named: list[tuple[str, Fraction]]) -> str:
    names = [name for name, value in named if value in subset]
    return "{" + ", ".join(names) + "}" if names else "∅"


_RELEASES = 200
_MOST_PAIRS = 10  # points up to which all pairs of halves are compared


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """A release of half of the points, and the half that is reconstructed from it.

    Attributes
    ----------
    half : tuple of int
        T.
    shares : ndarray
        (d,): D', as shares; they sum to 1.
    rebuilt : tuple of int
        T'.
    error : float
        alpha: the largest error of any query on the d points, all 2^d of them.
    """

    half: tuple[int, ...]
    shares: Floats
    rebuilt: tuple[int, ...]
    error: float

    @property
    def distance(self) -> int:
        """|T sym.diff. T'|."""
        return len(set(self.half) ^ set(self.rebuilt))


class Lemmas31213(Exhibit):
    """Reconstruction of the database from useful answers."""

    exhibit = "blr/lemmas-3.12-13"
    heading = message("Useful answers reveal the data")
    place = message("Lemmas 3.12, 3.13")
    claim = message(
        "The database is one half of a set of points. If a release answers every query with a small error, the half can be "
        "reconstructed from it, with few wrong points."
    )
    symbols = message(
        "For halves T, T′ of d shattered points, Q_T(T) − Q_T(T′) = |T △ T′|/d. From a release within α of T on every query, "
        "argmin v_T′ reconstructs a half with |T △ T′| ≤ 2dα."
    )
    verdict = message("at most 2dα points wrong, always")
    must = message(
        "The half itself fits the release up to its error, so the reconstruction, which fits best, does too. By Lemma 3.12 the "
        "share of points that differ is then at most twice the error: an accurate release cannot hide the database."
    )
    slow = True
    quick_picture = True
    badge = (message("drawn from a seed"), "measured")

    d: int = parameter(
        whole_number(2, 60, symbol="d", slide=(2, 60), try_=(6, 20, 60)), 20, message("Shattered points"), message("d, even")
    )
    epsilon: Number = how_private("4", try_=("1/2", 2, 4))
    seed: int = study_seed(message("Seed of the half and the noise"))

    def check(self) -> None:
        """Refuse an odd number of points, which has no halves."""
        if self.d % 2:
            raise InputError(f"d must be even, got {self.d}.", "d", str(self.d - 1))

    def run(self, progress: Progress = silent) -> Answer:
        """Check Lemma 3.12 on all pairs of a few points, and reconstruct from many releases."""
        d = self.d
        level, source = PrivacyLevel.from_epsilon(budget_of(self.privacy) / 2), for_study(self.seed)
        generator = np.random.default_rng(self.seed)
        made = []
        for k in range(_RELEASES):
            progress(k / _RELEASES)
            made.append(_reconstructed(tuple(sorted(generator.permutation(d)[: d // 2].tolist())), d, level, source))
        first, kept = made[0], sum(each.distance <= 2 * d * each.error + 1e-9 for each in made)
        mean = float(np.mean([len(set(each.half) & set(each.rebuilt)) for each in made])) / (d // 2)
        small = min(d, _MOST_PAIRS)
        findings = {
            "value": Finding(message("points that differ from the half"), first.distance),
            "bound": Finding(message("bound of the lemma"), 2 * d * first.error, digits=4, rounding="up"),
            "alpha": Finding(message("largest error of the release shown"), first.error, digits=4, rounding="up"),
            "kept": Finding(message("releases within the bound, out of {many}", many=_RELEASES), kept, state="measured"),
            "recovered": Finding(message("share of the half recovered, on average"), mean, digits=3, state="measured"),
            "lemma-3.12": Finding(
                message("Lemma 3.12 holds for all pairs of halves, d = {d}", d=small), _identity(small), state="proved"
            ),
        }
        sentence = message(
            "{right} of the {half} points of the half are recovered from this release. With its error of {alpha} the lemma "
            "guarantees at least {least}.",
            right=len(set(first.half) & set(first.rebuilt)),
            half=d // 2,
            alpha=f"{first.error:.3g}",
            least=max(0, d // 2 - int(d * first.error + 1e-9)),
        )
        return self.answer(findings, (self._shown(first), self._all(made)), sentence, printed={"lemma-3.12": message("yes")})

    def _shown(self, first: Reconstruction) -> Plot:
        d, inside = self.d, 2 / self.d
        truth = [inside * (k in first.half) for k in range(d)]
        rebuilt = [k for k in range(d) if k in first.rebuilt]
        return Plot(
            "shown",
            message("The half, a private release, and the reconstruction"),
            Axis(message("point"), limits=(-0.6, d - 0.4)),
            Axis(message("share of the database"), limits=(0, 1.5 * max(*truth, *first.shares.tolist()))),
            (points(rebuilt, [0.0] * len(rebuilt), message("reconstructed"), "rival"),),
            bars=grouped_bars((truth, message("the half"), "truth"), (first.shares.tolist(), message("release"), "main")),
        )

    def _all(self, made: list[Reconstruction]) -> Plot:
        made = sorted(made, key=lambda each: (each.error, each.distance))
        most = max(*(each.error for each in made), 0.05)
        return Plot(
            "all",
            message("Error and reconstruction in {many} releases", many=len(made)),
            Axis(message("error of the release"), limits=(0.0, most * 1.05)),
            Axis(message("share of points that differ"), limits=(0.0, max(1.0, 2.1 * most))),
            (
                points(
                    [each.error for each in made], [each.distance / self.d for each in made], message("reconstructed"), dots=True
                ),
                curve((0.0, most * 1.05), lambda x: 2 * x, message("bound: twice the error"), "bound"),
            ),
        )


def _reconstructed(half: tuple[int, ...], d: int, level: PrivacyLevel, source: Source) -> Reconstruction:
    """Release the histogram of a half, and reconstruct the half from it."""
    truth = np.zeros(d)
    truth[list(half)] = 1
    noisy = np.maximum(truth + geometric_noise(level, d, source), 0)
    shares = noisy / noisy.sum() if noisy.sum() else np.full(d, 1 / d)
    # Q_T'(T') is 1 for every half, so v_T' is least for the d/2 largest shares.
    rebuilt = tuple(sorted(np.argsort(-shares, kind="stable")[: d // 2].tolist()))
    # The worst of all 2^d queries holds just the points with too small a share, or just the others.
    error = float(np.maximum(truth / (d // 2) - shares, 0).sum())
    return Reconstruction(half, np.asarray(shares), rebuilt, error)


def _identity(d: int) -> bool:
    """Return whether Q_T(T) - Q_T(T') = |T sym.diff. T'|/d for all pairs of halves of d points, in fractions."""
    halves = [frozenset(half) for half in combinations(range(d), d // 2)]
    return all(1 - Fraction(len(one & other), d // 2) == Fraction(len(one ^ other), d) for one in halves for other in halves)


class Exchange(Exhibit):
    """Exchange of points inside and outside."""

    exhibit = "blr/exchange"
    heading = message("Swapping points in and out")
    place = message("Theorem 3.11, last step of the proof")
    claim = message(
        "The database is a random half of some points. Swapping a point inside with one outside changes two rows, so privacy "
        "limits how much more often points inside are released: by a factor of e^(2ε)."
    )
    symbols = message(
        "T is a random half of d shattered points. Swapping x in T with y outside gives an equally likely pair and a database "
        "differing in two elements. So x is released at most e^(2ε) times as often for T."
    )
    verdict = message("checked for all pairs up to d = 10")
    must = message(
        "Every pair occurs twice, once with x inside and once with y inside. Privacy bounds the ratio for each pair, so it "
        "bounds the ratio of the averages."
    )

    d: int = parameter(whole_number(2, 10, symbol="d", try_=(4, 6, 8, 10)), 6, message("Shattered points"), message("d, even"))
    epsilon: Number = how_private("1", try_=("1/2", 1))

    def check(self) -> None:
        """Refuse an odd number of points, which has no halves."""
        if self.d % 2:
            raise InputError(f"d must be even, got {self.d}.", "d", str(self.d - 1))

    def run(self, progress: Progress = silent) -> Answer:
        """Release a half by the exponential mechanism, and enumerate all halves and all pairs."""
        d, e = self.d, self.privacy.epsilon
        halves = [frozenset(half) for half in combinations(range(d), d // 2)]
        place = {half: k for k, half in enumerate(halves)}
        member = np.array([[float(x in half) for x in range(d)] for half in halves])
        # A half is weighted by its shared points, exp(eps * shared): eps-private for neighbours that share all but one.
        weights = np.exp(e * (member @ member.T - d // 2))
        chances = weights / weights.sum(axis=1, keepdims=True)
        released = chances @ member
        inside, outside, worst, pairs, same = 0.0, 0.0, 0.0, 0, True
        for k, half in enumerate(halves):
            progress(k / len(halves))
            for x in half:
                for y in set(range(d)) - half:
                    other = place[(half - {x}) | {y}]
                    inside += released[k, x]
                    outside += released[k, y]
                    worst = max(worst, released[k, x] / released[other, x])
                    same = same and y in halves[other] and x not in halves[other]
                    pairs += 1
        inside, outside = inside / pairs, outside / pairs
        title = message("Probability that each point is released, for each half")
        shown = Matrix("released", title, dense_cells(released[:40]), message("half"), message("point"), numbers=True)
        findings = {
            "value": Finding(message("exchanges enumerated"), pairs, state="proved"),
            "halves": Finding(message("halves"), len(halves), state="proved"),
            "paired": Finding(message("every exchange is another triple"), same),
            "ratio": Finding(message("ratio of the averages inside and outside"), inside / outside, digits=6, rounding="up"),
            "worst": Finding(message("largest ratio for a point under an exchange"), worst, digits=6, rounding="up"),
            "allowed": Finding(message("allowed: e^(2ε)"), math.exp(2 * e), digits=6),
            "error": Finding(message("average error of this release"), (1 - inside) / 2 + outside / 2, digits=5, rounding="up"),
            "least": Finding(
                message("least error, 1/(2(1 + e^(2ε)))"), 1 / (2 * (1 + math.exp(2 * e))), digits=5, rounding="down"
            ),
        }
        values = {"pairs": pairs, "ratio": text(inside / outside, rounding="up"), "allowed": f"{math.exp(2 * e):.4g}"}
        sentence = message(
            "Over {pairs} pairs, points inside are released {ratio} times as often as points outside. The limit is {allowed}.",
            **values,
        )
        return self.answer(findings, (shown, self._bound(member, d)), sentence, printed={"allowed": math.exp(2 * e)})

    def _bound(self, member: Floats, d: int) -> Plot:
        at = geometric_places(0.05, 5, 60)
        return Plot(
            "bound",
            message("Ratio of inside to outside"),
            Axis("ε", scale="log"),
            Axis(message("ratio"), scale="log"),
            (
                curve(at, lambda x: _ratio(member, d, x), message("this release")),
                curve(at, lambda x: math.exp(2 * x), message("e^(2ε)"), "bound"),
            ),
            handles=(self.handle("epsilon"),),
        )


def _ratio(member: NDArray[np.float64], d: int, e: float) -> float:
    weights = np.exp(e * (member @ member.T - d // 2))
    released = (weights / weights.sum(axis=1, keepdims=True)) @ member
    return float((released * member).sum() / (released * (1 - member)).sum())


class VcBound(Exhibit):
    """Limit on the accuracy of a private release."""

    exhibit = "blr/vc-bound"
    heading = message("No free accuracy")
    place = message("Theorem 3.11")
    claim = message(
        "A private mechanism cannot be accurate on all queries of a rich class if the database has at most half as many rows as "
        "the VC dimension of the class. The theorem gives a least error."
    )
    symbols = message(
        "Let ε ≤ 1 and let δ be bounded away from 1. If an ε-private mechanism is (α, δ)-useful for a class of VC dimension d "
        "on input databases of n ≤ d/2 rows, then α ≥ Ω(1/(4 + 16ε))."
    )
    verdict = message("true only if failures are rare")
    differs = message(
        "The proof ignores the probability of failure. With one row, d = 2 and ε = 1, randomised response returns the "
        "database itself with probability 0.88 (0.73 if a neighbour replaces a row): α = 0 at δ = 0.12 (0.27). If δ is "
        "kept, the bound is ((1−δ) − δE)/(2(1−δ)(1+E)) with E = e^(2ε) (or e^ε), which is positive only for δ < 1/(1 + "
        "E)."
    )
    must = message(
        "Swapping a row inside with one outside gives a database that differs in two elements. So a row inside is "
        "released only by a bounded factor more often than one outside, unless the release fails, which δ allows."
    )

    epsilon: Number = how_private("1", try_=("1/10", "1/2", 1))
    delta: Number = parameter(
        number(0, "99/100", symbol="δ", slide=(0, "1/2"), try_=(0, "1/20", ("27/100", message("randomised response")))),
        "1/20",
        message("Probability of failure"),
    )
    neighbours: str = parameter(
        choice(("joins", message("by symmetric difference")), ("replace", message("a row is replaced"))),
        "joins",
        message("Neighbouring databases"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the bound with the probability of failure, and the success of randomised response."""
        e, delta, joins = self.privacy.epsilon, double(self.delta), self.neighbours == "joins"
        right = least_error(e, delta, joins)
        response = 1 / (1 + math.exp(-e * (2 if joins else 1)))
        at = geometric_places(0.05, 5)
        against = Plot(
            "epsilon",
            message("Least error against ε"),
            Axis("ε", scale="log"),
            Axis(message("error α")),
            (
                curve(at, lambda x: least_error(x, delta, joins), message("right")),
                curve([x for x in at if x <= 1], least_error_stated, message("printed, for ε ≤ 1"), "rival"),
            ),
        )
        findings = {
            "value": Finding(message("least error α"), right, digits=5, rounding="down"),
            "without": Finding(message("least error at δ = 0"), least_error(e, 0, joins), digits=5, rounding="down"),
            "response": Finding(
                message("randomised response: probability of an exact answer"), response, digits=4, rounding="down"
            ),
            "positive": Finding(message("bound is positive for δ below"), 1 - response, digits=5, rounding="down"),
        }
        values = {"delta": self.delta, "right": text(right, rounding="down")}
        sentence = message(
            "At δ = {delta}, the error is at least {right}. The paper’s proof concludes {stated} for every constant δ.",
            **values,
            stated=f"{least_error_stated(e):.4g}",
        )
        if e > 1:
            sentence = message("At δ = {delta}, the error is at least {right}. The theorem covers only ε ≤ 1.", **values)
        printed = {"value": least_error_stated(e)} if e <= 1 else {}
        return self.answer(findings, (against, self._delta(e, joins, response)), sentence, printed=printed)

    def _delta(self, e: float, joins: bool, response: float) -> Plot:
        places = np.linspace(0, 0.5, 201)
        return Plot(
            "delta",
            message("Least error"),
            Axis(message("probability of failure δ"), limits=(0, 0.5)),
            Axis(message("error α")),
            (
                curve(places, lambda x: least_error(e, x, joins), message("right")),
                *([curve(places, lambda x: least_error_stated(e), message("printed, for every δ"), "rival")] if e <= 1 else []),
            ),
            handles=(self.handle("delta", most=0.5),),
            marks=(Mark(min(1 - response, 0.5), 0.0, message("randomised response")),),
        )
