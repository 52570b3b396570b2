"""[GRS]: averaging over databases with the same answer, and two users whom no single mechanism serves.

[GRS] Theorem 6.3 with Figures 4 and 5: two users whom no one mechanism serves, and what sharing costs them.

Databases {0,1}^3, by who is ill; user 1 believes 1/4 in {1} and in {2}, 1/2 - e in {2,3}, e in {1,3}; user 2 the same with
{1,3} and {2,3} exchanged. The loss is |i - r|^(1 - delta); it is computed for delta = 1, a lower bound for every delta, and
attained by mechanisms that are never off by more than one, so that delta drops out. At alpha = 1/2 the least total regret of
one release for both is max(0, min(11/120 - e/5, 1/8 - e)), by a linear program over pairs of readings ([GRS] Lemma 6.4).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import Number, exact
from dpdesigner.core.mechanism.adjacency_graphs import BestMechanism, best_mechanism, databases, edges
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel, View
from dpdesigner.studies.exhibits.exhibit import (
    Exhibit,
    curve,
    grouped_bars,
    how_private_alpha,
    mechanism,
    parameter,
    points,
    shares,
    study_seed,
    text,
)
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding, State, format_finding
from dpdesigner.studies.panels import Plot, Strips
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Drag, Line, Mark
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role, Sentence, Table


class Proposition62(Exhibit):
    """Averaging over databases with the same count."""

    exhibit = "grs/proposition-6.2"
    heading = message("Averaging over equal counts")
    place = message("Proposition 6.2")
    claim = message(
        "For every user, some private mechanism that sees only the count minimises the worst expected loss over all "
        "priors on databases that agree with the user’s prior on counts. It is found by averaging over databases with "
        "the same count."
    )
    verdict = message("there are f such neighbours, not n − f")
    differs = message(
        "A database with a smaller count is made by changing one of the f(d₁) rows that satisfy the predicate; the "
        "proof says n − f(d₁) rows. The conclusion holds."
    )
    must = message(
        "All databases with count f − 1 have equally many neighbours with count f, and vice versa. So the averages "
        "over the two groups differ by a factor of at most 1/α."
    )

    people: int = parameter(whole_number(2, 4, symbol="n"), 3, message("Number of people"))
    values: int = parameter(
        whole_number(2, 3, symbol="|D|"), 2, message("Values a person can have"), message("one of them counts")
    )
    alpha: Number = how_private_alpha("1/2", "1/10", "9/10", ends=("", ""), try_=(("1/2", message("ε = ln 2")),))
    seed: int = study_seed(message("Which mechanism"))

    def check(self) -> None:
        """Refuse parameters that would take too long."""
        if self.values == 3 and self.people > 3:
            raise InputError(f"n must be at most 3 if a person can have 3 values, got {self.people}.", "people", "3")

    def run(self, progress: Progress = silent) -> Answer:
        """Average a vertex that depends on more than the count, for costs drawn from a seed."""
        n, alpha = self.people, exact(self.alpha)
        rows = databases(n, self.values)
        joined = edges(rows)
        drawn = np.random.default_rng(self.seed).integers(0, 20, (len(rows), n + 1))
        best = best_mechanism([[Fraction(int(c)) for c in row] for row in drawn], alpha, joined)
        counts = [sum(entry == 1 for entry in row) for row in rows]
        matrix = np.array([[float(x) for x in row] for row in best.matrix])
        averaged = np.array([matrix[[k for k, f in enumerate(counts) if f == i]].mean(axis=0) for i in range(n + 1)])
        over = max(float((float(alpha) * averaged[i] - averaged[j]).max()) for i in range(n) for i, j in ((i, i + 1), (i + 1, i)))
        loss = np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1)))
        worst = [max(float(matrix[k] @ loss[i]) for k, f in enumerate(counts) if f == i) for i in range(n + 1)]
        mine = [float(averaged[i] @ loss[i]) for i in range(n + 1)]
        more = max(a - b for a, b in zip(mine, worst, strict=True))
        f = counts.index(n - 1)
        below = sum(1 for d, e in joined if f in (d, e) and counts[d + e - f] == n - 2)
        above = sum(1 for d, e in joined if f in (d, e) and counts[d + e - f] == n)
        findings = {
            "value": Finding(message("privacy violation of the average, at most"), max(over, 0.0), digits=1, rounding="up"),
            "gain": Finding(message("excess loss over the worst database, at most"), max(0.0, more), digits=1, rounding="up"),
            "fewer": Finding(message("neighbours with one fewer, of f = n − 1"), below),
            "more": Finding(message("neighbours with one more, of f = n − 1"), above),
        }
        other = self.values - 1
        names = message("true count"), message("released")
        table = mechanism("averaged", message("The averaged mechanism"), averaged, alpha, axes=names)
        counted = (message("one fewer"), str(below), str((n - 1) * other)), (message("one more"), str(above), "1")
        sentence = message(
            "The average over {many} databases is private, and no count has a larger expected loss than its worst database.",
            many=len(rows),
        )
        panels = (self._loss(mine, worst), table, self._neighbours(counted))
        return self.answer(findings, panels, sentence, printed={"fewer": other})

    def _neighbours(self, rows: tuple[tuple[str, ...], ...]) -> Table:
        title = message("Neighbours of a database with count n − 1")
        return Table("neighbours", title, ("", message("counted"), message("f·|D₀|, (n−f)·|D₁|")), rows)

    def _loss(self, mine: list[float], worst: list[float]) -> Plot:
        return Plot(
            "loss",
            message("Expected error for each count"),
            Axis(message("true count"), scale="whole"),
            Axis(limits=(0, 1.7 * max(*worst, *mine))),
            bars=grouped_bars((mine, message("averaged"), "main"), (worst, message("worst database"), "rival")),
        )


_CUBE = databases(3)
_JOINED = edges(_CUBE)
_ILL = {"{1}": (1, 0, 0), "{2}": (0, 1, 0), "{1,3}": (1, 0, 1), "{2,3}": (0, 1, 1)}


class Theorem63(Exhibit):
    """Two users and one release."""

    exhibit = "grs/theorem-6.3"
    heading = message("Two users, one release")
    place = message("Theorem 6.3")
    claim = message(
        "Two users want to know how many of three people are ill (●). If two are, A expects ○●● and B ●○●. "
        "With doubts below 1/8 (α = ½), no single release is best for both."
    )
    verdict = message("2 misnamed rows; price 4.3 points")
    differs = message(
        "Databases {3} and {4} in the proof should read {1,3} and {2,3}, the rows of Figure 5; there is no person 4. "
        "The paper proves that sharing has a price, computed here for the shared release with the least total error. It "
        "needs no δ because no error exceeds one."
    )
    summed = ("value", "sharing")
    views = (
        View("errors", message("Errors"), ("bars", "plans", "price")),
        View("proof", message("Proof"), ("figure-5", "must", "price")),
    )

    belief: Number = parameter(
        number(
            0,
            "1/2",
            symbol=message("doubt"),
            slide=(0, "1/5"),
            try_=(
                (0, message("largest price: 11/120")),
                ("1/24", message("the bend: 1/12")),
                ("1/8", message("sharing costs nothing")),
            ),
        ),
        "1/40",
        message("Chance of the unexpected pair"),
        message("prior e of the unlikely pair"),
    )
    alpha: Number = how_private_alpha(
        "1/2", "1/20", "19/20", try_=(("1/4", "49/320"), ("1/2", message("the paper’s")), ("3/4", "171/448"))
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Solve both users' linear programs, and that of one release for both."""
        e, alpha = exact(self.belief), exact(self.alpha)
        alone, other, both = _solved(e, alpha)
        price = both.value - alone.value - other.value
        proved = alone.proved and other.proved and both.proved
        plot = self._price(e, alpha, progress)
        state: State = "proved" if proved else "given"
        findings = {
            "each": Finding(message("added error of each"), float(50 * price), digits=3, state=state, unit=message("points")),
            "alone": _error(message("error with a release each"), alone.value, state),
            "shared": _error(message("error with one release for both"), both.value / 2, state),
            "oblivious": _error(message("error with a noisy count"), alpha / (1 + alpha), "proved"),
            "value": Finding(message("sum of added errors"), price, digits=3, rounding="up", state=state, share=True),
            "sharing": _error(message("sum of errors with one release for both"), both.value, state),
        }
        printed: dict[str, Number] = {}
        theirs: dict[str, Number]
        below: list[Panel] = []
        if alpha == Fraction(1, 2):
            findings |= _figures(e, alone)
            eight = 8 if findings["figure-4"].value == 8 else message("at the paper’s values: 8")
            theirs = {"figure-4": eight, "rows": "{3}, {4}", "column-1": "7/12", "column-2": "1/6"}
            printed = {key: value for key, value in theirs.items() if key in findings}
            if "column-1" in findings:
                below.append(_contradiction(findings["column-1"].value, findings["column-2"].value))
        must = _FREE if price <= 0 else _MUST if "column-1" in findings else _ELSEWHERE
        sentence = message(
            "{result} With a release each, they misread the count in {alone} of cases; with one for both{count}, in {half}.",
            result=_COSTS if price > 0 else _SERVED,
            count=message(" (a noisy count)") if price > 0 and both.value >= 2 * alpha / (1 + alpha) - _SAME else "",
            alone=_percent(alone.value),
            half=_percent(both.value / 2),
        )
        badge = message("✓ proved in fractions") if proved else message("checked to 1e-9")
        checks = (message("✓ dual bound on both errors together: {bound}", bound=text(both.bound, rounding="down")),)
        return self.answer(
            findings,
            (Sentence(_BARS, key="bars"), _plans(e, alpha, alone, other, both), *below, plot),
            sentence,
            printed=printed,
            must=must,
            badge=(badge, "proved" if proved else "open"),
            checks=checks,
        )

    @property
    def line(self) -> str:
        """The inputs in one line."""
        return message("{doubt} · α = {alpha}", doubt=_doubt(self.belief), alpha=self.alpha)

    @classmethod
    def pictured(cls) -> Panel:
        """Return a plot of the price of sharing."""
        line = curve(shares(96, high=Fraction(1, 5)), _regret, message("price of sharing"))
        return Plot(
            "price",
            message("The price of sharing"),
            Axis(),
            Axis(),
            (line,),
            marks=(Mark(1 / 40, float(_regret(Fraction(1, 40)))),),
        )

    def _price(self, e: Fraction, alpha: Fraction, progress: Progress) -> Plot:
        names = message("one for both"), message("noisy count")
        if alpha == Fraction(1, 2) and e <= Fraction(1, 5):
            places = shares(96, high=Fraction(1, 5))
            prices: list[Any] = list(map(_regret, places))
            counted: list[Any] = list(map(_counted, places))
        else:
            found = _corners(e, alpha, progress)
            places = list(found)
            prices = [both.value - one.value - other.value for one, other, both in found.values()]
            counted = [2 * alpha / (1 + alpha) - one.value - other.value for one, other, _ in found.values()]
        lines = [points(places, [50 * y for y in ys], *look) for ys, *look in ((prices, names[0]), (counted, names[1], "rival"))]
        return Plot(
            "price",
            message("The price of sharing"),
            Axis(message("doubt")),
            Axis(message("added error"), message("points")),
            tuple(lines),
            handles=(replace(self.handle("belief"), text=_doubt(self.belief)),),
        )


def _doubt(belief: Number) -> str:
    """Return the doubt as a chance in words, where it is 1 in a whole number."""
    e = exact(belief)
    return message("doubt: 1 in {cases}", cases=1 / e) if e and (1 / e).denominator == 1 else message("doubt: {e}", e=belief)


_COSTS = message("<b>Sharing one release costs both users.</b>")
_SERVED = message("<b>One release serves both users.</b>")
_BARS = message("Bar: how likely the user thinks it. Dark: the part that is misread.")
_MUST = message("●○○ and ●○● differ in person 3 alone, so α = ½ allows a ratio of 2. Serving both needs 3.5 (7/12 to 1/6).")
_ELSEWHERE = message("The paper’s proof is for α = ½ and doubts below 1/8. For other values the linear programs decide.")
_FREE = message("Here one release serves both users, so sharing has no price.")
_SAME = 1e-9  #: costs that differ by less are equal
_NAMES = "●○○", "○●○", "●○●", "○●●"  #: who is ill, as of `_ILL`


def _plans(e: Fraction, alpha: Fraction, alone: BestMechanism, other: BestMechanism, both: BestMechanism) -> Strips:
    """The error rate of each user under three plans: a bar is a prior, its full part is the error."""
    own = [[1 - best.matrix[_CUBE.index(row)][sum(row)] for row in _ILL.values()] for best in (alone, other)]
    shared = [[_wrong(both, user, row) for row in _ILL.values()] for user in (0, 1)]
    counted = [[alpha / (1 + alpha)] * len(_ILL)] * 2
    plots = (
        _plan("own", message("A release for each"), e, own, "main"),
        _plan("shared", message("One release for both"), e, shared, "main"),
        _plan("count", message("A noisy count for both"), e, counted, "rival"),
    )
    return Strips("plans", message("How often each user reads the count wrong"), plots, labelled=None)


def _plan(key: str, title: str, e: Fraction, wrong: list[list[Any]], role: Role) -> Plot:
    """Plot the beliefs of both users next to each other, above them how often each is wrong."""
    beliefs, parts, names, bands = list[Any](), list[Any](), list[str](), list[Band]()
    for user, chances in enumerate(wrong):
        if user:
            beliefs, parts, names = [*beliefs, 0], [*parts, 0], [*names, ""]
        held = list(_belief(e, user).values())
        lost = [belief * chance for belief, chance in zip(held, chances, strict=True)]
        low, share = len(names) - 0.5, _percent(sum(lost))
        words = (
            message("{user} misreads {share}", user="AB"[user], share=share) if key == "own" else f"{'AB'[user]}: {share}"
        )  # the first explains it
        bands.append(Band(low, low + len(held), words))
        beliefs, parts, names = [*beliefs, *held], [*parts, *lost], [*names, *_NAMES]
    values, dark = np.array(beliefs, dtype=float), np.array(parts, dtype=float)
    drags = (Drag("belief", _doubted, lambda all_, _: round(float(all_[2]), 3), message("Change doubt")),) if key == "own" else ()
    labels = ("",) * len(names)
    bars = Bars(values, message("belief"), role, part=dark, part_name=message("misread"), labels=labels, drags=drags)
    x = Axis(message("persons 1, 2, 3: ● ill") if key == "count" else "", scale="names", names=tuple(names))
    return Plot(key, title, x, Axis(limits=(0.0, 0.66)), bars=(bars,), bands=tuple(bands))


def _doubted(beliefs: Floats, which: int, where: float) -> Floats:
    """Return the beliefs after a bar of either user's two pairs was dragged; the other bars stay."""
    if which not in (2, 3, 7, 8):
        return beliefs
    moved, pair = beliefs.copy(), min(max(where, 0.0), 0.5)
    moved[[2, 8]] = pair if which in (2, 8) else 0.5 - pair
    moved[[3, 7]] = 0.5 - moved[2]
    return moved


def _error(label: str, value: Fraction | float, state: State = "given") -> Finding:
    return Finding(label, value, digits=4, rounding="up", state=state, share=True)


def _percent(share: Any) -> str:
    """Return an error rate as the numbers have it."""
    return format_finding(_error("", share))


def _belief(e: Fraction, user: int) -> dict[tuple[int, ...], Fraction]:
    """Return a user's prior on each database that either user considers possible."""
    pair = (e, Fraction(1, 2) - e) if user == 0 else (Fraction(1, 2) - e, e)
    return dict(zip(_ILL.values(), (Fraction(1, 4), Fraction(1, 4), *pair), strict=True))


def _regret(e: Fraction) -> Fraction:
    """Return the price of sharing at alpha = 1/2."""
    return max(Fraction(0), min(Fraction(11, 120) - e / 5, Fraction(1, 8) - e))


def _counted(e: Fraction) -> Fraction:
    """Return how much more both err from the count alone at alpha = 1/2 than with a release each."""
    return max(Fraction(0), Fraction(1, 8) - e)


def _contradiction(least: Any, most: Any) -> Plot:
    """Show Figure 5's column l: how often both would read 1 in two databases one person apart, and what alpha = 1/2 allows."""
    allowed = 2 * most
    ends: tuple[tuple[Any, Any, int, str, Role], ...] = (
        (0, most, 2, "", "main"),
        (0, allowed, 1, "", "main"),
        (allowed, least, 1, "", "bound"),
    )
    lines = tuple(
        Line(
            np.array([float(low), float(high)]),
            np.full(2, float(place)),
            name,
            role,
            low=np.full(2, place - 0.32),
            high=np.full(2, place + 0.32),
            filled=True,
        )
        for low, high, place, name, role in ends
    )
    return Plot(
        "figure-5",
        message("Serving both would break the privacy of person 3 (Figure 5)"),
        Axis(message("probability that both read 1"), limits=(0.0, 0.8)),
        Axis(limits=(0.6, 2.4), ticks=((1.0, "●○○"), (2.0, "●○●"))),
        lines,
        marks=(Mark(float(most), 2.0, str(most)), Mark(float(least), 1.0, str(least))),
        bands=(Band(float(allowed), 0.8, message("not private")),),
        room=4,
    )


def _costs(e: Fraction, user: int) -> list[list[Fraction]]:
    prior = _belief(e, user)
    return [[prior.get(row, Fraction(0)) * (sum(row) != r) for r in range(4)] for row in _CUBE]


def _programs(e: Fraction) -> tuple[list[list[Fraction]], ...]:
    """Return the costs of each user, and those of one release for both."""
    one, two = _costs(e, 0), _costs(e, 1)
    return one, two, [[mine + theirs for mine in row for theirs in other] for row, other in zip(one, two, strict=True)]


def _solved(e: Fraction, alpha: Fraction) -> tuple[BestMechanism, ...]:
    return tuple(best_mechanism(costs, alpha, _JOINED) for costs in _programs(e))


def _corners(e: Fraction, alpha: Fraction, progress: Progress) -> dict[Fraction, tuple[BestMechanism, ...]]:
    """Return the solutions at e, at the ends of the curve, and wherever it bends.

    The least cost is a minimum of functions linear in e, one per mechanism: where the lines of two neighbouring places cross,
    it bends, or lies below both.
    """
    found: dict[Fraction, tuple[BestMechanism, ...]] = {}

    def solve(x: Fraction) -> None:
        if x not in found:
            progress(1 - 1 / (1 + len(found) / 4), message("another prior"))
            found[x] = _solved(x, alpha)

    def cost(place: Fraction, at: Fraction, program: int) -> Any:
        pairs = zip(_programs(at)[program], found[place][program].matrix, strict=True)
        return sum(c * p for costs, chances in pairs for c, p in zip(costs, chances, strict=True) if c)

    def bend(low: Fraction, high: Fraction, program: int) -> None:
        over_high = cost(low, high, program) - cost(high, high, program)
        over_low = cost(high, low, program) - cost(low, low, program)
        between = low
        if min(over_low, over_high) > _SAME:
            between += (high - low) * Fraction(over_low / (over_low + over_high)).limit_denominator(10**6)
        if low < between < high:
            solve(between)
            bend(low, between, program)
            bend(between, high, program)

    ends = sorted({Fraction(0), e, max(e, Fraction(1, 4))})
    for x in ends:
        solve(x)
    for low, high in pairwise(ends):
        for program in (0, 2):  # the other user's bends where the first one's does
            bend(low, high, program)
    return dict(sorted(found.items()))


def _wrong(both: BestMechanism, user: int, row: tuple[int, ...]) -> Fraction | float:
    """Return the probability that a user misreads a shared release; release 4 r + s is read as r by user 1, as s by user 2."""
    read = both.matrix[_CUBE.index(row)]
    return sum((x for k, x in enumerate(read) if (k // 4, k % 4)[user] != sum(row)), Fraction(0))


def _figures(e: Fraction, alone: BestMechanism) -> dict[str, Finding]:
    """Return the values of Figures 4 and 5 at alpha = 1/2: user 1's best release, and column l of one that would serve both."""
    four = [Fraction(1, 12), Fraction(1, 3), Fraction(5, 6), Fraction(1, 3)]
    ours = [1 - alone.matrix[_CUBE.index(row)][sum(row)] for row in _ILL.values()]
    same = sum(abs(float(mine - theirs)) < 1e-9 for mine, theirs in zip(ours, four, strict=True))
    figures = {
        "figure-4": Finding(message("fractions of Figure 4 that agree, of 8"), 2 * same, note=message("for e below 1/8")),
        "rows": Finding(message("the proof’s databases"), message("{one}, {two}", one="{1,3}", two="{2,3}")),
    }
    if same == len(four):  # if each gets the release of Figure 4, both read 1 with at least this probability
        figures["column-1"] = Finding(message("both read 1, {1} ill"), 1 - ours[0] - ours[1])
        figures["column-2"] = Finding(message("both read 1, {1,3} ill"), ours[2] - (1 - ours[3]))
    return figures
