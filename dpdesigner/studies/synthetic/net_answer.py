"""The answer to a design of a net: the distribution over small databases, theorems' sizes, and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from math import ceil, comb, log
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import double
from dpdesigner.core.basics.rounding import figure, group_thousands, significant
from dpdesigner.core.synthetic import error_bounds as sizes
from dpdesigner.core.synthetic.draws import Source, for_study, source_of, weighted_choice
from dpdesigner.core.synthetic.method_comparison import RELEASES
from dpdesigner.core.synthetic.net import (
    MOST_DATABASES,
    Net,
    Usefulness,
    full_net,
    integer_losses,
    near_any,
    privacy,
    privacy_here,
    smallest_net,
    subsample_errors,
    usefulness,
    vc_dimension,
)
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies import plain_language
from dpdesigner.studies.answer import Given
from dpdesigner.studies.base import Answer, Panel, Why
from dpdesigner.studies.fields import percent_sure
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Drag, Landing, Line, Mark, Select
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.synthetic.answer import releases
from dpdesigner.studies.synthetic.net_design import NetDesign
from dpdesigner.studies.synthetic.statements import publication, statement_in_brief
from dpdesigner.studies.table_panels import Rank, Ranking, Role, Sentence, Table

_RARE = 1e-4  # probabilities below this are told as 1 in so many
_LIKELY, _WRITTEN = 0.01, 0.04  # dots with at least this probability are coloured, and have it written in them
_LEAST, _LARGEST = 0.011, 0.15  # radius of a dot as a share of the height: the smallest, and that of probability 1
_WIDE = 1.7  # the width of the plot, in heights
_FULL, _BOUND = 0.97, 0.72  # of the height, for the highest stack, and for the error bound
_LOW = 0.7  # of the highest stack, for the likely dots where others are above them
_SHOWN = 2000, 1400, 1000, 700, 500, 350, 250  # the most dots: the likeliest databases
_MAIN: Role = "main"
_RIVAL: Role = "rival"


def draw_small(real: Sequence[int], net: Net, budget: Fraction, source: Source) -> int:
    """Draw one database of a net, exactly as probable as it should be: return which."""
    return weighted_choice(*_losses(real, net, budget), source)


def _losses(real: Sequence[int], net: Net, budget: Fraction) -> tuple[Integers, PrivacyLevel]:
    losses, scale = integer_losses(net, real)
    return losses, PrivacyLevel.from_epsilon(budget / (2 * Fraction(scale)))


def candidates(design: NetDesign, net: Net, useful: Usefulness, drawn: int, chosen: int, of: object) -> Plot:
    """Return a dot for each small database: its worst error along the axis, its probability as the area; a click selects it."""
    epsilon, kept = design.privacy.epsilon, not design.tells
    shown, radii, heights = _stacked(net, design.counts, epsilon)
    errors, chances = 100 * net.errors(design.counts)[shown], net.probabilities(design.counts, epsilon)[shown]
    lines = []
    for some, role in ((chances >= _LIKELY, _MAIN), (chances < _LIKELY, _RIVAL)):
        if some.any():
            order = np.flatnonzero(some)[np.argsort(errors[some], kind="stable")]
            said = tuple(_candidate(design, net, shown[k], errors[k], chances[k]) for k in order)
            looks = tuple({"candidate": _key(net.counts[which]), "many": False} for which in shown[order])  # not 100 errors
            click = Select("view", looks.__getitem__)
            dots: dict[str, Any] = {"sizes": radii[order], "texts": said, "secret": kept, "select": click}
            lines.append(Line(errors[order], heights[order], "", role, dots=True, **dots))
    sure = f"{percent_sure(design.delta):f}"
    often, area = message("at least {sure}% of draws", sure=sure), message("area = probability")
    band = Band(100 * useful.best, 100 * useful.exact, often, "main", secret=kept, notes=(area,))
    bands = (band,) if useful.exact > useful.best else ()  # otherwise nearly all probability is in one dot
    most = 99 + (len(net.counts) == 1)  # percent: only what is certain has 100
    inside = {k: f"{min(round(100 * chances[k]), most)}%" for k in np.flatnonzero(chances >= _WRITTEN).tolist()}
    marks, landing = [Mark(errors[k], heights[k], text, _MAIN, secret=kept) for k, text in inside.items()], None
    if (bound := 100 * useful.within) < 100:
        text = message("bound for any data: {error}", error=_points(useful.within))
        lines.append(Line(np.array([bound, bound]), np.array([0.0, _BOUND]), "", "main", proved=True, secret=True))
        marks.append(Mark(bound, _BOUND, text, _MAIN, proved=True, secret=True))
    hint: str = message("drawn (orange): off by {error}", error=_points(float(net.errors(design.counts)[drawn])))
    for k in np.flatnonzero(shown == drawn).tolist():  # at most one
        at, size = ((float(errors[k]),), (float(heights[k]),)), float(radii[k])
        landing = Landing(*at, "", of, upright=False, size=size, inside=inside.get(k, ""))
    if chosen != drawn and (shown == chosen).any():
        place = int(np.flatnonzero(shown == chosen)[0])
        marks.append(Mark(errors[place], heights[place], "", "truth", secret=kept))
    end = float(max(errors.max(), 100 * useful.exact, bound if bound < 100 else 0)) * 1.04
    least = float((errors - radii / _WIDE * end).min())  # a dot at 0 is whole
    x = Axis(message("worst error"), "%", limits=(min(least, 0.0), end))
    count = group_thousands(len(net.counts))
    title: str = message("{count} candidates", count=count)
    if len(shown) < len(net.counts):
        title = message("The {shown} likeliest of {count}", shown=group_thousands(len(shown)), count=count)
    parts: dict[str, Any] = {"bands": bands, "landing": landing, "hint": hint, "room": 6}
    return Plot("candidates", title, x, Axis("", limits=(0.0, 1.0), ticks=()), tuple(lines), tuple(marks), **parts)


def _key(counts: Integers) -> str:
    """Return the counts of a small database as text, for the selection in a view."""
    return " ".join(map(str, counts.tolist()))


@lru_cache(maxsize=4)
def _stacked(net: Net, counts: tuple[int, ...], epsilon: float) -> tuple[Integers, Floats, Floats]:
    """Return the likeliest databases, the radius and the height of the dot of each: all stand, none over another.

    Where the stacks are too high, fewer are shown.
    """
    errors, chances = net.errors(counts), net.probabilities(counts, epsilon)
    order = np.argsort(-chances, kind="stable")
    for most in _SHOWN:
        shown = order[:most]
        radii, heights = _stacks(errors[shown], chances[shown])
        if (heights + radii).max() <= _FULL:
            break
    likely, tops = chances[shown] >= _LIKELY, heights + radii
    if tops.max() <= _FULL:
        return shown, radii, heights
    base = float(tops[likely].max()) if likely.any() else 0.0  # what is likely stays large; the stacks above it are pressed
    scale = min(1.0, _LOW * _FULL / base) if base else 1.0
    base, radii, heights = scale * base, scale * radii, scale * heights
    pressed = (_FULL - _LEAST - base) / max(float(heights.max()) - base, 1e-9)
    return shown, radii, np.where(heights > base, base + min(pressed, 1.0) * (heights - base), heights)


def _stacks(errors: Floats, chances: Floats) -> tuple[Floats, Floats]:
    x = errors / max(float(errors.max()), 1e-300) * _WIDE
    x = np.rint(x / (2 * _LEAST)) * 2 * _LEAST  # columns as wide as the smallest dots
    radii = np.maximum(_LARGEST * np.sqrt(chances), _LEAST)
    heights = radii.copy()
    for place in range(1, len(radii)):  # on the axis, or else as low on other dots as there is room
        away = (radii[:place] + radii[place]) ** 2 - (x[:place] - x[place]) ** 2
        near = away > 1e-9
        below, gaps = heights[:place][near], np.sqrt(away[near])
        rests = np.sort(np.append(below + gaps, radii[place]))
        rests = rests[rests >= radii[place]]
        heights[place] = rests[(abs(rests[:, np.newaxis] - below) >= gaps - 1e-9).all(axis=1)][0]
    return radii, heights


def _rows_of(design: NetDesign, counts: Integers) -> tuple[str, ...]:
    """Return the rows of a small database by the names of their points."""
    return tuple(np.repeat(np.array(design.point_names), counts).tolist())


def _candidate(design: NetDesign, net: Net, which: int, error: float, chance: float) -> str:
    rows, values = ", ".join(_rows_of(design, net.counts[which])), {"error": _points(error / 100), "chance": _chance(chance)}
    return message("{rows}:\nworst error {error}, drawn with probability {chance}", rows=rows, **values)


def _percent(value: float, digits: int = 3) -> str:
    return f"{significant(value, digits)}%"


def _chance(value: float, digits: int = 3) -> str:
    if value < 1e-9:
        return message("less than 1 in a billion")
    return _percent(100 * value, digits) if value >= _RARE else plain_language.chance(value)


def people(design: NetDesign, net: Net, which: int, drawn: bool) -> tuple[Plot, Sentence]:
    """Return the shares of a database, usually the drawn one, with the real ones across them, and its worst query in words."""
    real, made = np.asarray(design.counts, dtype=float), net.counts[which].astype(float)
    what = message("drawn") if drawn else message("selected")
    kept, rows = not design.tells, design.rows

    def moved(values: Floats, which: int, where: float) -> Floats:
        return np.where(np.arange(len(values)) == which, np.clip(where, 0, 100), values)

    def counted(values: Floats, which: int) -> list[int]:
        return [round(float(value) * rows / 100) for value in values]

    drag = Drag("counts", moved, counted, message("Change the database"), 100 / rows)
    share = 100 / max(float(made.sum()), 1.0)  # of one published person
    made_bars = Bars(share * made, what, texts=_percent, secret=kept and not drawn, figure=share)  # drawn privately
    real_bars = Bars(100 * real / rows, message("real"), "rival", texts=_percent, secret=True, drags=(drag,), behind=True)
    support, sentence = _worst(design, net, which, what)
    bands = (Band(float(support[0]) - 0.5, float(support[-1]) + 0.5, "", "other", secret=kept),) if len(support) else ()
    highest = np.maximum(real / rows, made / max(made.sum(), 1))
    top = float(max(115 * highest.max(), 145 * highest[-ceil(len(highest) / 4) :].max()))  # the names are above the last bars
    x, y = Axis(scale="names", names=design.point_names), Axis(message("rows"), "%", limits=(0.0, top))
    title = message("{rows} rows {what}, {real} real", rows=int(made.sum()), what=what, real=group_thousands(rows))
    bars = (made_bars, real_bars)
    return Plot("people", title, x, y, bars=bars, bands=bands, room=4), Sentence(sentence, key="worst", secret=kept)


def _worst(design: NetDesign, net: Net, chosen: int, what: str) -> tuple[Integers, str]:
    """Return the points of the query that the database answers worst, where they are next to each other, and a sentence on it."""
    real = net.queries.matrix @ (np.asarray(design.counts, dtype=float) / design.rows)
    if not net.errors(design.counts)[chosen]:
        return np.zeros(0, dtype=np.int64), message("Every query is answered exactly.")
    which = int(np.argmax(abs(net.answers[chosen] - real)))
    weights = net.queries.matrix[which]
    points = np.flatnonzero(weights == 1)
    together = len(points) > 0 and np.isin(weights, (0, 1)).all() and len(points) == points[-1] - points[0] + 1
    first, last = (design.point_names[int(points[end])] for end in (0, -1)) if together else ("", "")
    about = first if first == last else message("{first} to {last}", first=first, last=last)
    if not together:
        points, about = np.zeros(0, dtype=np.int64), message("number {number}", number=which + 1)
    text = message(
        "Worst query: {about}, {real}% real, {made}% {what}.",
        about=about,
        what=what,
        real=significant(100 * float(real[which]), 3),
        made=significant(100 * float(net.answers[chosen][which]), 3),
    )
    return points, text


def quality(design: NetDesign, useful: Usefulness, blindly: float) -> Ranking:
    """Return the errors that the worst query stays within: whatever the data, for these data, and for two other choices."""
    bound, open_ = min(useful.within, 1.0), "" if design.tells else message("may be published")
    bars = [Rank(message("For any data"), 100 * bound, _MAIN, True, text=_points(bound), second=" ", note=open_)]
    for name, short, value, role in (
        (message("For your data"), "", useful.exact, _MAIN),
        (message("Best small database (not private)"), message("Best (not private)"), useful.best, _RIVAL),
        (message("Drawn ignoring the data"), message("Ignoring the data"), blindly, _RIVAL),
    ):
        bars.append(Rank(name, 100 * value, role, text=_points(value), second=" ", short=short))
    title = message("Error, {sure}% sure", sure=f"{percent_sure(design.delta):f}")
    return Ranking("quality", title, tuple(bars), secret=not design.tells, ends=100.0)


def rows_curve(design: NetDesign) -> Plot:
    """Return the error bound for any data against the number of published rows, which is dragged."""
    points, factor, asked = len(design.counts), 2 / (design.privacy.epsilon * design.rows), design.query_class
    sizes_ = [size for size in range(1, 13) if comb(points + size - 1, size) <= MOST_DATABASES]
    logs = [log(comb(points + size - 1, size) / double(design.delta)) for size in sizes_]
    bounds = np.array([near_any(asked, size) + factor * each for size, each in zip(sizes_, logs, strict=True)])
    line = Line(np.array(sizes_, dtype=float), np.minimum(100 * bounds, 100.0), message("for any data"), proved=True, short=" ")
    x, y = Axis(message("published rows"), scale="whole"), Axis(message("error bound"), "%")
    handle = replace(design.handle("size", least=1, most=sizes_[-1]), step=1.0, text=_some(design.size), says=_some)
    return Plot("rows", message("More rows?"), x, y, (line,), handles=(handle,))


def _some(rows: float) -> str:
    return message("1 row") if round(rows) == 1 else message("{rows} rows", rows=round(rows))


def _points(value: float) -> str:
    return f"{figure(100 * value, 3)}%"


_DRAWS, _SIZES, _LISTED = 200, 12, 40

WHY = Why(
    message(
        "<b>The mechanism</b> chooses one of the {databases} databases in the net with weight e<sup>−ε n err / 2</sup>, "
        "where err is its worst error on any query. Replacing a row changes n err by at most 1, so the mechanism is "
        "ε-private. Its ε is {epsilon}.\n\n<b>How useful.</b> Whatever the data, one of the N databases in the net is within a "
        "known error of them. With probability 1 − δ, the draw adds at most (2/εn) ln(N/δ) (Property 3.4), together {bound}. "
        "For your data alone it is {value}, computed exactly: publishing this number is not private. For other "
        "utilities u of sensitivity S, the weight is e<sup>εu / 2S</sup>."
        "\n\n<b>Why a small database is enough.</b> More than ln(2|C|) / 2α² rows drawn from the "
        "real database answer all queries within α (Lemma 3.7). The number of databases then matters only through its logarithm."
    ),
    formula=message("Pr[<i>D′</i>] ∝ exp(−ε <i>n</i> max<sub><i>q</i></sub> |<i>q</i>(<i>D</i>) − <i>q</i>(<i>D′</i>)| / 2)"),
    sources=message(
        "A. Blum, K. Ligett, A. Roth (2008), section 3. Sharper here: databases are counted without order, C(|X| + m − "
        "1, m). For all intervals, some m rows are always within (1 − 1/|X|)/m, by rounding running totals. The size "
        "ln(2|C|)/2α² is used for every class. In Theorem 3.10, whose O() is loose, 1/α² multiplies only "
        "the VC term."
    ),
    help="synthetic#small",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NetAnswer(Answer):
    """The answer of a small database: the distribution over all that could be drawn, and the one that was.

    Attributes
    ----------
    design : NetDesign
    net : Net
    probabilities : ndarray
        Of all multisets, in the order of ``itertools.combinations_with_replacement``; of a smallest net, of its databases.
    epsilon, epsilon_here : float
        The largest log ratio over all databases of n rows and their neighbours (where there are too many, the epsilon asked,
        which bounds it), and at this one; rounded up.
    useful : Usefulness
    drawn : int
        Which of them was drawn; it may be published, unless there is a seed.
    more : ndarray or None
        (draws,): the worst errors of more draws, in percent, for the owner.
    """

    design: NetDesign
    net: Net
    probabilities: Floats
    epsilon: float
    epsilon_here: float
    useful: Usefulness
    drawn: int
    more: Floats | None = None

    def many(self, progress: Progress) -> Floats:
        """Return the worst errors, in percent, of many more databases drawn from the same net."""
        errors, drawn = 100 * self.net.errors(self.design.counts), list[int]()
        losses, privacy = _losses(self.design.counts, self.net, self.design.budget)
        for seed in range(RELEASES):
            progress(seed / RELEASES, "")
            drawn.append(weighted_choice(losses, privacy, for_study(seed)))
        return np.asarray(errors[drawn])

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The rows of the database that was drawn, by the names of their points."""
        return _rows_of(self.design, self.net.counts[self.drawn])

    @cached_property
    def given(self) -> Given:
        """The small database that was drawn, which is given away."""
        design, x, y = self.design, Axis(scale="names", names=self.rows), Axis(limits=(0.0, 1.0), ticks=())
        plot = Plot("given", "", x, y, bars=(Bars(np.ones(len(self.rows))),), room=3)  # a tile each
        what, size = message("the small database that was drawn"), _some(len(self.rows))
        text, seeded = "\n".join(self.rows) + "\n", design.seed is not None
        stated = partial(statement_in_brief, design, self.sentence)
        return Given(what, size, publication(design), plot, lambda: text, stated, seeded)

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the pictures."""
        chosen = self._chosen(str(view.get("candidate") or ""))
        seen = candidates(self.design, self.net, self.useful, self.drawn, chosen, self)
        drawn: Sequence[Panel] = people(self.design, self.net, chosen, chosen == self.drawn)
        rows = (rows_curve(self.design),) if self.design.net == "all" and "view" in view else ()
        name, whole = view.get("view"), list[Any](self.panels)
        if name in ("theory", "sizes"):  # the whole table is for files
            return (*rows, whole[0], whole[2], _sizes_in_brief(self.design)) if name == "theory" else whole[4:]
        if view.get("many"):
            here, bound = 100 * float(self.net.errors(self.design.counts)[self.drawn]), 100 * self.useful.within
            most = max((seen.x.limits or (0.0, 0.0))[1], 1.04 * min(bound, 100))
            drawn = (releases(self.more, here, bound if bound < 100 else None, "%", most),)
        others = () if "view" in view else self.panels  # in files
        return quality(self.design, self.useful, self._blindly), *rows, seen, *drawn, *others

    def _chosen(self, key: str) -> int:
        """Return the number of the candidate that was clicked, or of the one that was drawn."""
        counts = np.array(key.split(), dtype=np.int64) if key.replace(" ", "").isdecimal() else np.zeros(0, dtype=np.int64)
        if len(counts) != self.net.counts.shape[1]:
            return self.drawn
        return int(next(iter(np.flatnonzero((self.net.counts == counts).all(axis=1))), self.drawn))

    @property
    def _blindly(self) -> float:
        """The worst error of a database chosen ignoring the data, with the same probability as the others."""
        errors = np.sort(self.net.errors(self.design.counts))
        return float(errors[min(ceil((1 - double(self.design.delta)) * len(errors)), len(errors)) - 1])


def run(design: NetDesign, progress: Progress = silent, kept: int | None = None) -> NetAnswer:
    """Compute the distribution, its privacy and its usefulness; draw from it, unless a draw was kept."""
    (net, least), epsilon = _net(design, progress), design.privacy.epsilon
    drawn = draw_small(design.counts, net, design.budget, source_of(design.seed)) if kept is None else kept
    exact = privacy(net, design.rows, epsilon, progress)
    here = privacy_here(net, design.counts, epsilon)
    useful = usefulness(net, design.counts, epsilon, double(design.delta))
    return NetAnswer(
        design=design,
        findings=_findings(design, net, least, exact, here, useful),
        panels=_panels(design, net, useful, progress),
        sentence=_sentence(design, useful, int(net.counts[drawn].sum())),
        badge=design.badge(),
        checks=design.checks(_check(exact, design)),
        why=WHY,
        net=net,
        probabilities=net.probabilities(design.counts, epsilon),
        epsilon=design.privacy.epsilon_above if exact is None else exact,
        epsilon_here=here,
        useful=useful,
        drawn=drawn,
    )


def _net(design: NetDesign, progress: Progress) -> tuple[Net, int | None]:
    if design.net == "all":
        return full_net(design.query_class, design.size), None
    smallest = smallest_net(design.query_class, design.rows, design.size, design.accuracy, progress)
    if smallest is None:
        problem = f"no net of databases of at most {design.size} rows is within α = {design.error} of every database"
        raise InputError(f"{problem}; use more rows or a larger α.", "error")
    return Net(design.query_class, smallest.counts, design.accuracy + 1e-9), smallest.least


def _check(exact: float | None, design: NetDesign) -> Message:
    if exact is None:
        return design.private()
    many = comb(len(design.counts) + design.rows - 1, design.rows)
    return message("✓ all {count} databases and their neighbours enumerated", count=group_thousands(many))


def _sentence(design: NetDesign, useful: Usefulness, size: int) -> Message:
    """Return the result; of the real database it contains only the number of rows."""
    rows = {"size": size, "rows": group_thousands(design.rows)}
    if useful.within >= 1:
        text = "<b>{size} made-up rows replace {rows} real ones.</b> At ε = {epsilon}, their error has no useful bound."
        return message(text, **rows, epsilon=design.epsilon)
    return message(
        "<b>{size} made-up rows replace {rows} real ones.</b> With probability {sure}%, no interval’s error exceeds {error}% of "
        "the rows."
        if design.queries == "intervals"
        else "<b>{size} made-up rows replace {rows} real ones.</b> With probability {sure}%, no error of the {queries} queries "
        "exceeds {error}% of the rows.",
        **rows,
        sure=f"{percent_sure(design.delta):f}",
        queries=group_thousands(design.query_class.size),
        error=figure(100 * useful.within, 3),
    )


def _findings(
    design: NetDesign, net: Net, least: int | None, exact: float | None, here: float, useful: Usefulness
) -> dict[str, Finding]:
    bounded = message("bounded by the requested ε; too many databases to enumerate") if exact is None else ""
    value = design.privacy.epsilon_above if exact is None else exact
    few = message("smallest net") if least == len(net.counts) else ""
    if least is not None and least < len(net.counts):
        few = message("at least {least}", least=least)
    kept, sure = not design.tells, f"{percent_sure(design.delta):f}"
    shown: dict[str, Any] = {"digits": 3, "rounding": "up", "share": True, "secret": kept}
    title, most = message("error bound, {sure}% sure", sure=sure), min(useful.within, 1.0)
    findings = {
        "bound": Finding(title, most, digits=3, rounding="up", share=True, state="proved"),
        "value": Finding(message("error bound for your data"), useful.exact, **shown),
        "best": Finding(message("best small database"), useful.best, **shown),
        "epsilon": Finding(message("privacy ε"), value, digits=6, rounding="up", state="proved", note=bounded),
        "epsilon-here": Finding(message("privacy level at this database"), here, digits=6, rounding="up", secret=kept),
        "databases": Finding(message("small databases"), len(net.counts), note=few),
        "queries": Finding(message("queries"), design.query_class.size),
    }
    if design.query_class.counting:
        findings["dimension"] = Finding(message("VC dimension"), vc_dimension(design.query_class))
    return findings


def _panels(design: NetDesign, net: Net, useful: Usefulness, progress: Progress) -> tuple[Panel, ...]:
    errors, chances = net.errors(design.counts), net.probabilities(design.counts, design.privacy.epsilon)
    places, place = np.unique(np.round(errors, 9), return_inverse=True)
    mass = np.asarray(100 * np.bincount(place, weights=chances), dtype=float)
    within = min(useful.within, 1.0)  # as every share is
    error = _shares(message("worst error of any query"), max(float(places[-1]), within) * 1.02)
    sure = Axis(message("probability"), "%", limits=(0.0, 105.0))
    kept, blindly = not design.tells, np.append(0.0, 100 * np.cumsum(np.bincount(place) / len(errors)))
    start = np.append(0.0, places)
    rising = (
        Line(start, np.append(0.0, np.cumsum(mass)), message("chosen privately"), steps=True, secret=kept),
        Line(start, blindly, message("chosen ignoring the data"), "rival", steps=True, secret=kept),
    )
    often, most = 100 * (1 - double(design.delta)), [_points(value) for value in (within, useful.exact)]
    now = message("{sure}%: within {error}", sure=f"{percent_sure(design.delta):f}", error=most[1])
    marks = (
        Mark(within, often, message("any data: within {error}", error=most[0]), proved=True, secret=kept),
        Mark(useful.exact, often, now, secret=kept),
    )
    useful_plot = Plot("useful", message("How often within this error?"), error, sure, rising, marks)
    shares = (Line(places, mass, message("probability of this error"), spikes=True, secret=kept),)
    return (
        useful_plot,
        Plot("chances", message("Probability of each error"), error, Axis(message("probability"), "%"), shares),
        _samples(design, progress),
        _listed(design, net, errors, chances),
        _sizes(design),
    )


def _samples(design: NetDesign, progress: Progress) -> Plot:
    """Simulate Lemma 3.7: plot the worst error of databases drawn from the real one against their size."""
    needed = sizes.net_size(design.query_class.size, design.accuracy)
    grid = np.unique(np.geomspace(2, max(2 * needed.stated, 20), _SIZES).astype(int))
    errors_of_sizes = []
    for place, size in enumerate(grid.tolist()):
        progress(place / len(grid), "")
        errors_of_sizes.append(subsample_errors(design.query_class, design.counts, size, _DRAWS, (design.seed or 0) + place))
    low, middle, high = (np.array([np.quantile(errors, share) for errors in errors_of_sizes]) for share in (0.0, 0.5, 1.0))
    drawn = message("drawn {draws} times", draws=_DRAWS)
    line = Line(grid.astype(float), middle, drawn, low=low, high=high, secret=not design.tells)
    marks = tuple(
        Mark(float(size), design.accuracy, text)
        for size, text in ((needed.stated, message("paper")), (needed.right, message("corrected")))
        if size >= 1
    )
    band = Band(0.0, design.accuracy, message("within the target error"), along="y")
    x, y = Axis(message("rows drawn"), scale="log"), _shares(message("worst error of any query"), float(high.max()) * 1.05)
    words = message("With privacy, {rows} real rows suffice. The line is the median of {draws} draws per size, without privacy.")
    under = message(words, draws=_DRAWS, rows=group_thousands(ceil(_real(design).right)))
    title = message("How few rows answer all queries?")
    return Plot("samples", title, x, y, (line,), marks, (band,), under=(under,))


def _real(design: NetDesign) -> sizes.Size:
    """Return how many real rows suffice for the target error (Theorem 3.6)."""
    given = design.privacy.epsilon, design.accuracy, double(design.delta)
    return sizes.class_size(len(design.counts), design.query_class.size, *given)


def _shares(label: str, most: float) -> Axis:
    """Return an axis of shares from 0, written in percent."""
    step = next(size for size in (1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2) if size >= min(most / 6, 0.2))
    ticks = tuple((step * place, f"{100 * step * place:.6g}%") for place in range(int(most / step) + 1))
    return Axis(label, limits=(0.0, most), ticks=ticks)


def _listed(design: NetDesign, net: Net, errors: Floats, chances: Floats) -> Table:
    order = np.argsort(-chances, kind="stable")[:_LISTED]
    rows = [(" ".join(map(str, net.counts[k])), f"{errors[k]:.4g}", f"{100 * chances[k]:.4g}%") for k in order.tolist()]
    header = (message("rows"), message("worst error"), message("probability"))
    return Table("databases", message("Most likely databases"), header, tuple(rows), secret=not design.tells)


def _sizes_in_brief(design: NetDesign) -> Table:
    """Return the sizes that the window compares."""
    small = sizes.net_size(design.query_class.size, design.accuracy)
    rows = _row(message("published (Lemma 3.7)"), small), _row(message("real (Theorem 3.6)"), _real(design))
    title = message("Rows that suffice for {error} error", error=design.input_named("error").input.text(design.error))
    return Table("needed", title, ("", message("paper"), message("corrected")), rows)


def _sizes(design: NetDesign) -> Table:
    """Return the sizes that the theorems require, as printed and corrected, for this domain, class, ε, α and δ."""
    given = design.privacy.epsilon, design.accuracy, double(design.delta)
    points, small = len(design.counts), sizes.net_size(design.query_class.size, design.accuracy)
    rows = [_row(message("database, Lemma 3.7"), small), _row(message("rows, Theorem 3.6"), _real(design))]
    if design.query_class.counting and (dimension := vc_dimension(design.query_class)):
        rows += bound_rows(points, dimension, *given)
    logs = sizes.log_multisets(points, design.size)
    held = sizes.net_mechanism_size(logs, *given)
    rows.append((message("rows here, Property 3.4"), "–", group_thousands(ceil(held))))
    logarithms = {"right": f"{logs:.4g}", "stated": f"{design.size * log(points):.4g}"}
    note = message("∼: without its constant. ln of the number of small databases: {right}; with order {stated}.", **logarithms)
    return Table("sizes", message("Number of rows"), ("", message("paper"), message("corrected")), tuple(rows), note)


def bound_rows(points: float, dimension: int, epsilon: float, alpha: float, delta: float) -> list[tuple[str, str, str]]:
    """Return the theorems that are stated only as orders, with explicit constants."""
    given = points, dimension, epsilon, alpha, delta
    net, right = sizes.dimension_net(points, dimension, alpha), sizes.explicit_sizes(*given)
    orders = (net.rows, net.log_databases, sizes.dimension_size(*given).stated)
    names = (message("database, Lemma 3.8"), message("ln |net|, Theorem 3.9"), message("rows, Theorem 3.10"))
    rows = zip(names, orders, (right.rows, right.log_databases, right.needed), strict=True)
    return [(name, f"∼ {group_thousands(ceil(order))}", group_thousands(ceil(size))) for name, order, size in rows]


def _row(name: str, size: sizes.Size) -> tuple[str, str, str]:
    return name, group_thousands(ceil(size.stated)), group_thousands(ceil(size.right))
