"""The answer to an inspection and its plots: the trade-off curve, delta against epsilon, risks in people, and readings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import Self

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import exact, exact_text
from dpdesigner.core.basics.rounding import figure, grouped, of_100, rounded_down
from dpdesigner.core.inspection.curves import Exact, TradeOff
from dpdesigner.core.inspection.keys import KeyedTable
from dpdesigner.core.inspection.profile import Profile
from dpdesigner.core.inspection.reading import Reader
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.data.office_tables import NoiseTable
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Why
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.findings import Findings, with_unit
from dpdesigner.studies.inspect.design import DIGITS, InspectDesign, false_alarms, named_releases, private_count
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Handle, Line, Mark, epsilon_handle
from dpdesigner.studies.snapshot import Look, Maker, Snapshot
from dpdesigner.studies.table_panels import Rank, Ranking, Role, Sentence, Table

_WORST = message("At the worst two counts, {found_out} are found out.")
WHY = Why(
    message(
        "<b>Risk of detection.</b> Two counts differ by one person. An attacker sees one release and guesses “in” or “not in”. "
        "The best tests guess “in” where the ratio of the two probabilities is large. They are the corners of the curve; points "
        "between corners choose a test at random. At the worst two counts, {found_out} are found out.\n\n<b>δ</b> is what the "
        "factor e<sup>ε</sup> does not cover: the largest sum of P − e<sup>ε</sup> Q over releases, {delta} here. It is 0 if "
        "e<sup>ε</sup> is at least the largest ratio, {exp_epsilon}.\n\n<b>Use.</b> Each release is read as the count with the "
        "least expected loss under this prior, which gives {best_loss}. Geometric noise, the best noise for a count, has the "
        "same expected loss at ε = {epsilon_same_use}."
    ),
    formula=message("δ(ε) = max Σ<sub><i>r</i></sub> (<i>M<sub>ir</sub></i> − e<sup>ε</sup> <i>M<sub>kr</sub></i>)<sub>+</sub>"),
    sources=message(
        "A. Ghosh, T. Roughgarden, M. Sundararajan (2009), for the best noise. J. Neyman, E. S. Pearson (1933), for the tests."
    ),
    help="inspect",
)
WHY_CROWD = replace(WHY, plain_text=WHY.plain_text.replace(_WORST, message("By this attacker, {found_out} are found out.")))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class InspectAnswer(Answer):
    """The result of an inspection.

    Attributes
    ----------
    design : InspectDesign
    source : NoiseTable
        The table as it was read.
    releases : ReleaseTable
        As probabilities, before sampling.
    profile : Profile
        Of every two neighbouring rows, for an attacker who knows everybody else.
    people : Profile
        For the attacker of the design: where a person is counted in the first row, and not in the second.
    reader : Reader
        The table as this user reads it.
    passed : bool
        Whether the table as written is a mechanism, and as private as was asked.
    headlines : tuple of str
        The sentence, in versions from long to short.
    """

    design: InspectDesign
    source: NoiseTable
    releases: ReleaseTable
    profile: Profile
    people: Profile
    reader: Reader
    passed: bool
    headlines: tuple[str, ...]

    @property
    def by_keys(self) -> bool:
        """True if the same people get the same release again, as in tables of statistics offices."""
        return self.source.format not in ("plain", "categories")

    @property
    def certain(self) -> str:
        """The certainty of an attacker about a person, at worst, in words; see `certain`."""
        return certain(self.design, self.profile)

    @property
    def rare(self) -> bool:
        """True if an attacker is certain too rarely to be drawn as people."""
        once = self.design.releases == self.design.group == 1 and not self.source.names
        return bool(self.certain) and once and self.profile.delta_floor < _RARE

    def keys_in(self, view: str) -> list[str]:
        """Return the keys of the panels of a view, with the probabilities of releases where people are rarely found out."""
        return [key for key in super().keys_in(view) if key != "releases" or self.rare]

    @property
    def false_alarms(self) -> Exact:
        """The rate of false alarms, at the worst pair of rows."""
        return rate_on(self.design, self.worst[1], self.people)

    @property
    def as_told(self) -> Self:
        """The answer as its sentence tells it, whatever rate of false alarms was dragged to."""
        return self if self.design.false_alarms is None else replace(self, design=self.design.replace(false_alarms=None))

    @property
    def worst(self) -> tuple[tuple[int, int], TradeOff]:
        """The pair of rows at which most people are identified at the design's false alarm rate, or the lead is largest.

        Of several, one at which most of them are found out with certainty, or the attacker is right most often.
        """
        place = worst_place(self.design, self.people)
        return self.people.pairs[place], self.people.curves[place].curve

    def pair(self, place: int) -> tuple[tuple[int, int], TradeOff]:
        """Return the pair of rows at a position, and its curve; the worst pair for -1, `TOLD` or if there is none."""
        if not 0 <= place < len(self.people.pairs):
            return self.as_told.worst if place == TOLD else self.worst
        return self.people.pairs[place], self.people.curves[place].curve

    def details(self) -> dict[str, Any]:
        """Return the kinks of delta, the corners of the worst curve and every pair, as JSON values, fractions as text."""
        (i, k), curve = self.worst
        return {
            "kinks": [{"exp_epsilon": _json(t), "delta": _json(delta)} for t, delta in self.profile.kinks],
            "corners": {"pair": [i, k], "points": [{"false_alarms": _json(q), "found_out": _json(p)} for q, p in curve.points]},
            "pairs": [
                {
                    "in": i,
                    "out": k,
                    "exp_epsilon": _json(each.ratio if each.ratio == math.inf else each.ratio**self.profile.releases),
                    "delta": _json(several.curve.delta(1 / self.design.privacy.alpha_above)),
                    "total_variation": _json(several.curve.delta(Fraction(1))),
                }
                for (i, k), each, several in zip(self.profile.pairs, self.profile.contrasts, self.profile.curves, strict=True)
            ],
        }


def worst_place(design: InspectDesign, people: Profile) -> int:
    """Return the pair that is shown at first: with most people found out, without a rate most with certainty, or most likely."""
    false, rate = design.false_alarms, exact(design.base_rate)
    sure = people.delta_floor >= SMALL_FLOOR or certain(design, people)

    def risks(curve: TradeOff) -> tuple[Exact, ...]:
        if false is None:
            return curve.floor if sure else 0, curve.delta(Fraction(1)), curve.floor, curve.success(rate)
        return curve.found_out(exact(false)), curve.floor, curve.success(rate)

    return people.worst_pair(risks)


def rate_on(design: InspectDesign, curve: TradeOff, people: Profile) -> Exact:
    """Return the rate of false alarms that was asked for: without one 0 for a certain attacker, or that of the largest lead."""
    if design.false_alarms is not None:
        return exact(design.false_alarms)
    return Fraction(0) if curve.floor and certain(design, people) else curve.best_rate


def certain(design: InspectDesign, found: Profile) -> str:
    """Return how often an attacker who knows everybody else is certain about a person, at worst; empty if ε or δ covers it."""
    covered = found.exp_epsilon != math.inf or (design.delta is not None and found.delta_floor < SMALL_FLOOR)
    return "" if covered or design.attacker != "informed" or not found.delta_floor else times_in(found.delta_floor)


def times_in(share: Exact) -> str:
    """Return a probability, rounded up: ``61.2 times in 100``, ``1 time in 500 000``."""
    if share * 1000 >= 1 or not share:
        return message("{times} times in 100", times=people_text(share))
    return message("1 time in {many}", many=grouped(float(rounded_down(1 / Fraction(share), 3))))


def instead(design: InspectDesign, findings: Findings) -> tuple[tuple[str, str], ...]:
    """Return the private noise to use in place of a table that is not private, with its title."""
    same, best, asked = (findings[key].number for key in ("epsilon_same_use", "best_loss", "optimum_requested"))
    if not best or not same or same >= 700 or design.releases * design.group != 1 or design.sampling:
        return ()
    unit = message("people") if design.loss.specification == "absolute" else ""
    words: dict[str, Any] = {"same": figure(same, 3), "error": with_unit(error_text(best, best), unit), "epsilon": design.epsilon}
    told = message("Use geometric noise with ε = {same} instead: the expected error is the same, {error}.", **words)
    if asked is not None and not just_as_much(asked, best):
        told = message(
            "{told} At the requested ε = {epsilon}, it is {asked}.",
            told=told,
            asked=with_unit(error_text(asked, best), unit),
            **words,
        )
    return ((message("What to do"), told),)


def worst_for(design: InspectDesign, people: Profile, risk: Callable[[TradeOff], Exact]) -> tuple[int, int]:
    """Return the pair of rows with the largest risk: that of the picture where the difference is not seen."""
    shown, worst = worst_place(design, people), people.worst_pair(risk)
    alike = people_text(risk(people.curves[shown].curve)) == people_text(risk(people.curves[worst].curve))
    return people.pairs[shown if alike else worst]


def released_column(design: InspectDesign, table: ReleaseTable) -> tuple[int, int]:
    """Return the release for which intervals are shown, and its column: the middle of 0..n, or the nearest to a named one."""
    wanted = table.n // 2 if design.released is None else int(exact(design.released))
    place = min(range(len(table.labels)), key=lambda r: (abs(table.labels[r] - wanted), r))
    return table.labels[place], place


def _json(value: Fraction | float) -> str | float:
    if isinstance(value, Fraction):
        return exact_text(value) if value.denominator.bit_length() < 2000 else float(value)
    return "inf" if value == math.inf else value


SAME_KEY = message("The same people get the same key, so asking again reveals nothing more. Overlapping cells do reveal more.")
TOLD = -2  #: the pair and the rate of false alarms that the sentence is about
SMALL_FLOOR = Fraction(1, 100)  #: a probability of certain proof below it is not worth a sentence
_LISTED = (1, 2, 3, 5, 10)  # releases in the table; the plot has all up to 10
_FLOOR, _LEAST = 1e-6, 0.01  # ends of the plot of delta: never lower, and at least as low
PRIVATE_NOISE = message("private noise, ε = {epsilon}")
people_text = partial(of_100, most=3)  # every risk: one decimal, rounded up
alike = partial(math.isclose, rel_tol=0.02)  # levels so near are told once
just_as_much = partial(math.isclose, rel_tol=1e-4)  # errors of which nobody needs the difference
_ALIKE = 0.005  # curves no further apart are drawn over each other
_RARE = Fraction(1, 200)  # of people found out: fewer than half of one of the 100 drawn
_MOST_PAIRS = 60  # pairs whose curves are drawn at once
_MOST_TEXTS = 2000  # entries shown with their fractions


def _curve(curve: TradeOff, name: str = "", role: str = "main") -> Line:
    false, found = (np.asarray(values / curve.total, dtype=float) for values in (curve.false, curve.found))
    return Line(false, found, name, role)  # type: ignore[arg-type]


def _unless_same(first: Floats, second: Floats, least: float, name: str) -> str:
    """Return the name of a curve in the window: a blank where it covers the other one."""
    return " " if np.allclose(first, second, rtol=_ALIKE, atol=least) else name


def _private(answer: InspectAnswer) -> str:
    """Return the name of noise with the requested privacy, where geometric noise reveals just what the level allows."""
    design = answer.design
    alone = design.releases == design.group == 1 and design.attacker == "informed" and not answer.source.names
    return message(PRIVATE_NOISE, epsilon=design.epsilon) if alone else ""


def _limit(answer: InspectAnswer) -> Line:
    """Return the highest curve that a table with the requested privacy can have."""
    design = answer.design
    ratio, delta = math.exp(design.privacy.epsilon), float(exact(design.delta or 0))
    corner = (1 - delta) / (1 + ratio)
    x, y = np.array([0, corner, 1 - delta, 1.0]), np.array([delta, 1 - corner, 1.0, 1.0])
    words = message("limit at ε = {epsilon}, δ = {delta}") if delta else message("limit at ε = {epsilon}")
    limit = message(words, epsilon=design.epsilon, delta=design.delta)
    return Line(x, y, (not delta and _private(answer)) or limit, "bound", proved=True, dashed=True)


def _found_out(look: Look) -> Plot:
    answer: InspectAnswer = look.answer.as_told if look.view["pair"] == TOLD else look.answer
    (i, k), curve = answer.pair(look.view["pair"])
    main = _curve(curve, message("this table"))
    limit, across = _limit(answer), np.linspace(0, 1, 101)
    own, most = (np.interp(across, line.x, line.y) for line in (main, limit))
    covered = i >= 0 and _unless_same(most, own, _ALIKE, "") == " "
    both = message("this table · {limit}", limit=limit.name) if covered else ""
    lines = [replace(main, low=main.x, high=np.maximum(main.x, main.y), short=both)]
    if look.view["all"] and i >= 0:
        others = answer.people.distinct
        lines += [
            replace(_curve(other, "", "rival"), thin=True) for other in others[:: max(1, math.ceil(len(others) / _MOST_PAIRS))]
        ]
        lines[-1] = replace(lines[-1], name=message("all counts"))
    lines.append(Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), message("guessing"), "aid", dashed=True))
    if i >= 0:  # the limit is for who knows everybody else
        lines.append(replace(limit, short=" " if covered else ""))
    at = rate_on(answer.design, curve, answer.people)
    title = message("Is the count {k} or {i}?", k=min(i, k), i=max(i, k)) if i >= 0 else message("Is this person in the data?")
    ticks = tuple((place / 4, f"{25 * place}") for place in range(5))
    x_axis = Axis(message("false alarms"), "%", limits=(0.0, 1.0), ticks=ticks)
    y_axis = Axis(message("found out"), "%", limits=(0.0, 1.0), ticks=ticks)
    handle = Handle(float(at), false_alarms(at), "false_alarms", step=0.01)
    return Plot("found-out", title, x_axis, y_axis, tuple(lines), handles=(handle,), room=8)


def _releases(look: Look) -> Plot:
    """Plot how likely each release is at two counts, with those possible at one of them only."""
    answer: InspectAnswer = look.answer.as_told if look.view["pair"] == TOLD else look.answer
    (i, k), _ = answer.pair(look.view["pair"])
    table = answer.profile.table
    labels = np.array(table.labels, dtype=np.float64)
    order, sizes, lines = np.argsort(labels, kind="stable"), np.full(len(labels), 0.022), list[Line]()
    sides: tuple[tuple[int, Role], ...] = ((i, "main"), (k, "rival"))
    for count, role in sides:
        chances = table.doubles[count][order]
        name = message("count {count}", count=count)
        lines.append(Line(labels[order], chances, name, role, dots=True, sizes=sizes))
    p, q = table.doubles[i][order], table.doubles[k][order]
    bands = list[Band]()
    for one, other, count in ((p, q, i), (q, p, k)):
        places = np.flatnonzero((one > 0) & (other == 0))
        for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if len(places) else ():
            low, high = labels[order][run[[0, -1]]]
            named = message("{releases}:", releases=named_releases([table.outputs[order[place]] for place in run]))
            note = message("only at count {count}", count=count)
            bands.append(Band(float(low) - 0.5, float(high) + 0.5, named, "other", notes=(note,)))
    x = Axis(message("released value"), limits=(float(labels.min()) - 0.5, float(labels.max()) + 0.5))
    y = Axis(message("probability"), scale="log", limits=(float(min(p[p > 0].min(), q[q > 0].min())) / 3, 1.0))
    title = message("Probability of each release")
    return Plot("releases", title, x, y, tuple(lines), bands=tuple(bands), room=9)


def _delta(look: Look) -> Plot:
    answer: InspectAnswer = look.answer
    kinks, epsilon = answer.profile.kinks, answer.design.privacy.epsilon
    ratios, deltas = np.array(kinks, dtype=float).T
    places_of = np.log(ratios[np.isfinite(ratios)])
    last = max(float(places_of.max()), 1.0)
    end = min(1.15 * max(last, epsilon), 20.0) if last < 20 else max(5.0, epsilon)
    places = np.unique(np.concatenate([np.linspace(0, end, 161), places_of[places_of <= end]]))
    values = np.interp(np.exp(places), ratios, deltas)
    linear = bool(look.view["linear"])
    drawn = values > 0
    low = 0.0 if linear else max(min(float(values[drawn].min()) / 3, _LEAST), _FLOOR) if drawn.any() else _FLOOR
    values = values if linear else np.where(drawn, values, np.nan)
    shown = values if linear or drawn.any() else np.full(len(places), low)
    line = Line(places, shown, message("δ"), short=" ")  # the axis and the mark say so
    marks: tuple[Mark, ...] = ()
    if (delta := answer.findings["delta"].number) is not None and (delta > 0 or linear):
        marks = (Mark(epsilon, delta, message("δ = {delta}", delta=figure(delta, DIGITS))),)
    lines = [line]
    if (name := _private(answer)) and 0 < epsilon < min(end, 700):
        alpha, at = math.exp(-epsilon), np.linspace(0, epsilon, 81)
        private = (1 - alpha * np.exp(at)) / (1 + alpha)
        shown = private if linear else np.maximum(private, low)
        own = np.interp(np.exp(at), ratios, deltas)
        short = _unless_same(shown, own, _ALIKE if linear else _LEAST, name)
        lines.append(Line(at, shown, name, "bound", proved=True, dashed=True, short=short))
    handle = epsilon_handle(epsilon)
    y = Axis(message("δ"), scale="linear" if linear else "log", limits=(low, 1.0))
    title = message("δ against ε")
    return Plot("delta", title, Axis("ε", limits=(0.0, end)), y, tuple(lines), marks, handles=(handle,), room=8)


def _matrix(look: Look) -> Matrix:
    table = look.answer.releases
    texts = None
    if look.view["fractions"] and table.exact and table.weights.size <= _MOST_TEXTS:
        texts = lambda i, r: str(table.probability(i, r))  # noqa: E731
    names = message("true count"), message("released value")
    return Matrix("table", message("The table"), dense_cells(table.doubles, names=table.outputs), *names, texts=texts)


def people_ranking(answer: InspectAnswer) -> Ranking:
    """Return the risks, each at its worst pair, as bars of people out of 100."""
    findings, people = answer.findings, answer.people
    rate, design = exact(answer.design.base_rate), answer.design
    pair = worst_for(design, people, lambda curve: curve.success(rate))
    chance, own, note = max(rate, 1 - rate), findings["success"].value, ""
    bars: list[tuple[str, Any, Role]] = [(message("this table"), own, "main")]
    if design.attacker == "informed":  # the limit is for who knows everybody else
        limit = _limit(answer)
        most = float((float(rate) * limit.y + float(1 - rate) * (1 - limit.x)).max())
        bars.append((limit.name, most, "bound"))
        if people.delta_floor and float(own) < most * (1 - 1e-9):  # type: ignore[arg-type]
            note = message("On average the attacker wins less often, but some people are certain.")
    bars.append((message("guessing"), chance, "rival"))
    rows = [
        Rank(name, 100 * float(won), role, role == "bound", text=f"{people_text(won)}%", second=" ") for name, won, role in bars
    ]
    head = message("worst case: counts {k} and {i}", k=min(pair), i=max(pair)) if min(pair) >= 0 else ""
    return Ranking("people", message("Attacker right"), tuple(rows), head=head, ends=100.0, note=note)


def error_text(value: float, best: float) -> str:
    """Return an expected error with as many decimals as the best one needs."""
    return f"{value:.{min(max(0, (1 if best < 1 else 2) - math.floor(math.log10(best or 1))), 5)}f}"


def _use(look: Look) -> Ranking:
    answer: InspectAnswer = look.answer
    found = answer.findings
    best, opened = found["best_loss"].number or 0.0, look.view.get("view", "reading")
    both = opened == "reading"  # only there, how a release is read is the question
    rows = [Rank(message("this table, best reading"), best, short="" if both else message("this table"))]
    same, asked, level = found["epsilon_same_use"].number, found["optimum_requested"].number, answer.design.level_each
    noises = [] if asked is None else [(answer.design.epsilon_each, best if just_as_much(asked, best) else asked)]
    if answer.passed and same is not None and math.isfinite(same) and (asked is None or not alike(same, level.epsilon)):
        noises.append((figure(same, 3), best))
    for epsilon, error in noises:
        label, short = message("geometric noise, ε = {epsilon}", epsilon=epsilon), message(PRIVATE_NOISE, epsilon=epsilon)
        rows.append(Rank(label, error, "bound", proved=True, short=short))
    if both:
        rows.append(Rank(message("this table, at face value"), found["face_loss"].number, "rival"))
    rows.append(Rank(message("ignoring the data"), float(answer.reader.constant_loss), "rival"))
    shown = tuple(replace(row, text=error_text(row.value or 0, best)) for row in rows)
    one = answer.design.releases == 1
    return Ranking("use", message("Expected error") if one else message("Expected error of one release"), shown)


def _readings(look: Look) -> Table:
    table, reading = look.answer.reader.table, look.answer.reader.reading
    drawn = table.doubles.any(axis=0)
    read = [str(value) if drawn[r] else message("never released") for r, value in enumerate(reading)]
    rows = tuple((str(label), value) for label, value in zip(table.labels, read, strict=True))
    return Table("readings", message("Best reading of each release"), (message("release"), message("read as")), rows)


def _again(look: Look) -> Table:
    design, opened = look.answer.design, look.view.get("view")
    given = [each for each in look.job("again") if each.releases in (*_LISTED, design.releases)]
    header = [message("times"), message("right"), message("δ at ε")]  # the window is narrower than a file
    rows = [[str(each.releases), people_text(each.success), figure(100 * float(each.delta), 3)] for each in given]
    note = message("Of 100, rounded up.")
    if not opened:
        header = [message("releases"), message("right guesses, of 100"), message("δ at ε, in percent")]
        header.insert(1, message("found out at {false}, of 100", false=false_alarms(look.answer.false_alarms)))
        rows = [[row[0], people_text(each.found_out), *row[1:]] for row, each in zip(rows, given, strict=True)]
        note = message("Rounded up.")
    if design.attacker != "informed":
        note = message("{note} The attacker knows everybody else.", note=note)
    if design.sampling:
        note = message("{note} Each release is of a new sample.", note=note)
    return Table("again", message("The same count released again"), tuple(header), tuple(map(tuple, rows)), note)


def _released_again(look: Look) -> Plot:
    rows = [each for each in look.job("again") if each.releases <= 10]
    x = np.array([each.releases for each in rows] or [1.0], dtype=float)
    curves: tuple[tuple[str, Role, list[Any]], ...] = (
        (message("attacker right"), "main", [each.success for each in rows]),
        (message("δ at ε = {epsilon}", epsilon=look.answer.design.epsilon), "rival", [each.delta for each in rows]),
    )
    lines = [
        Line(x, np.array([float(value) for value in values] or [0.0]), name, role, dashed=role == "rival")
        for name, role, values in curves
    ]
    of_people = tuple((place / 4, f"{25 * place}") for place in range(5))
    axes = (
        Axis(message("releases of the same count"), scale="whole", limits=(1.0, 10.0)),
        Axis(message("share"), "%", limits=(0.0, 1.0), ticks=of_people),
    )
    now = look.answer.design.releases
    handles = (Handle(float(now), _times(now), "releases", step=1.0, says=_times),) if now <= 10 else ()
    title = message("Independent releases (fresh noise each time)")
    return Plot("released-again", title, *axes, tuple(lines), handles=handles)


def _times(place: float) -> str:
    return message("1 release") if round(place) == 1 else message("{count} releases", count=round(place))


def _posterior(look: Look) -> Plot:
    answer: InspectAnswer = look.answer
    table = answer.reader.table
    label, place = released_column(answer.design, table)
    beliefs = answer.reader.posterior(place)
    counts = np.arange(table.n + 1, dtype=float)
    values = np.zeros(len(counts)) if beliefs is None else np.array([float(value) for value in beliefs])
    line = Line(counts, values, message("after the release {release}", release=label), spikes=True)
    handle = Handle(float(label), message("released {release}", release=label), "released", step=1.0)
    axes = Axis(message("true count"), scale="whole"), Axis(message("probability"))
    return Plot("posterior", message("Belief after a release"), *axes, (line,), handles=(handle,))


def _words(look: Look) -> Sentence:
    """Say at which releases two neighbouring counts differ most: those shown, or of all counts those with the largest ratio."""
    answer: InspectAnswer = look.answer
    if look.view.get("view") == "again":
        return Sentence(SAME_KEY if answer.by_keys else "", key="words")
    found, (pair, _) = answer.profile, answer.pair(look.view["pair"])
    if min(pair) < 0 or answer.source.names:  # the crowd, and categories
        return Sentence("", key="words")
    of = {each: found.contrasts[found.pairs.index(each)] for each in (pair, pair[::-1])}
    i, k = max(of, key=lambda each: (of[each].ratio, of[each].curve.floor))
    contrast, place = of[i, k], found.epsilon_place if look.view["pair"] < 0 else None
    if place is not None and contrast.ratio < found.contrasts[found.pairs.index(place[:2])].ratio:
        at = max(range(len(found.pairs)), key=lambda at: (found.contrasts[at].ratio, found.curves[at].curve.floor))
        (i, k), contrast = found.pairs[at], found.contrasts[at]
    ratio, p, q = contrast.ratio, found.table.doubles[i], found.table.doubles[k]
    most = (p > 0) & (q == 0) if ratio == math.inf else (q > 0) & (p >= float(ratio) * (1 - 1e-9) * q)
    values = named_releases([name for name, at in zip(answer.releases.outputs, most, strict=True) if at])
    times = answer.design.releases
    again = message("Releases of {values}" if times == 1 else "{times} releases of {values}", times=times, values=values)
    text = message("{again}: {ratio} times as likely at count {i} as at count {k}.")
    if ratio == math.inf:
        text = message("{again}: up to {chance} at count {i}, never at count {k}.")
        again = again if times == 1 else message("{values} in one of {times} releases", times=times, values=values)
    chance = times_in(found.curves[found.pairs.index((i, k))].curve.floor)  # of all releases, rounded up
    return Sentence(message(text, again=again, i=i, k=k, chance=chance, ratio=figure(float(ratio) ** times, 3)), key="words")


class Offer(NamedTuple):
    """Private noise in words: its ε, its expected error, and its defects."""

    epsilon: str
    error: str
    lacks: str = ""


def private_designs(now: Snapshot) -> list[tuple[CountDesign, Offer]]:
    """Return the designs of private noise, and their ε and expected error: at the requested level, and as accurate."""
    count, design, found = private_count(now), now.design, now.answer.findings
    best, level = found["best_loss"].number or 0.0, design.level_each
    offered = [(count, figure(count.privacy.epsilon, 3), best)]
    if 0 < level.epsilon < 700:
        wanted = count.replace(privacy=level), design.epsilon_each, found["optimum_requested"].number
        offered = [wanted, *(offered if not alike(count.privacy.epsilon, level.epsilon) else [])]
    return [(each, Offer(epsilon, "" if error is None else error_text(error, best))) for each, epsilon, error in offered]


def keyed_costs(now: Snapshot, count: CountDesign, made: KeyedTable) -> Offer:
    """Return in words the ε, the expected error and the defects of a table in keys."""
    best, used = now.answer.findings["best_loss"].number or 0.0, np.flatnonzero(np.asarray(made.keyed).any(axis=0))
    asked, lacks = count.privacy.epsilon == now.design.level_each.epsilon, ""
    if len(used) < len(made.keyed):
        lacks = message("some values never") if (used % 2).any() else message("even values only")
    epsilon = now.design.epsilon_each if asked else figure(count.privacy.epsilon, 3)
    return Offer(epsilon, error_text(float(made.value), best), lacks)


PANELS: Mapping[str, Maker] = {
    "releases": _releases,
    "found-out": _found_out,
    "delta": _delta,
    "words": _words,
    "people": lambda look: people_ranking(look.answer),
    "use": _use,
    "table": _matrix,
    "readings": _readings,
    "released-again": _released_again,
    "again": _again,
    "posterior": _posterior,
}
