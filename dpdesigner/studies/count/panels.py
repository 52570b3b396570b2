"""The plots of a count design as data, made from its outcomes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import figure, group_thousands, likely, significant
from dpdesigner.core.count import delta_mechanism
from dpdesigner.core.count.costs import Key, with_point
from dpdesigner.messages import Message, message
from dpdesigner.studies.count.answer import CountOverview, label
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.jobs import Draws
from dpdesigner.studies.count.matrices import agreement, open_matrix, second_matrix
from dpdesigner.studies.count.run import DeltaAnswer
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plain_language import about, chance, in_so_many
from dpdesigner.studies.plot_parts import Axis, Bars, Handle, Landing, Line, Mark, Select, epsilon_handle
from dpdesigner.studies.snapshot import Look, Maker, Waiting
from dpdesigner.studies.table_panels import Rank, Ranking, Role

#: The most important alternatives, and those that can be unfolded.
_MAIN: tuple[Key, ...] = ("laplace", "ignore")
_OTHERS: tuple[Key, ...] = ("real", "face", "staircase", "half")
#: What a method does, where its label does not say it.
_TIPS = {
    "laplace": message("Laplace noise is added, rounded and kept between 0 and max, then read optimally for your belief."),
    "ignore": message("The constant that is best for your belief."),
    "face": message("Geometric noise is added and kept between 0 and max. The result is not read further."),
}
_TIPS |= dict.fromkeys(
    ("staircase", "half"), message("Staircase noise, rounded, kept between 0 and max and read in the same way.")
)
#: Bars from which on only those that matter are shown, what of the total may be out of view on either side, and the bars that
#: are shown beside those, at least.
_LONGEST, _NOTHING, _BESIDE = 40, 1e-3, 4
#: The design's own loss on the curves, by their names; on the others it is the expected loss.
_OWN = {"Rounded Laplace": "laplace", "Geometric + remap": "remapped", "before": ""}
#: A gap that is invisible on a curve, relative to the loss.
_NEAR = 1e-4
#: More points would make no visible difference to a curve.
_LARGEST = 1000


def loss_plot(answer: CountOverview | None, before: CountOverview | None = None, handles: tuple[Handle, ...] = ()) -> Plot:
    """Plot the error against epsilon; geometric + remap is the optimum only if Theorem A covers the loss."""
    curves, lines = None if answer is None else answer.curves, []
    if answer is not None and curves is not None:
        covered = answer.design.covered
        name = message("Optimal") if covered else message("Geometric + remap")
        lines.append(Line(curves.epsilons, curves.optimal, name, proved=covered))
        if (best := answer.optimum) is not None and not covered:
            near = bool((best.gaps <= _NEAR * best.optimal).all())
            lines.append(Line(best.epsilons, best.optimal, message("Optimal (linear program)"), proved=near))
        lines.append(Line(curves.epsilons, curves.laplace, message("Rounded Laplace"), "rival", dashed=True))
        if before is not None and before.curves is not None and before.design.loss == answer.design.loss:
            lines.append(Line(before.curves.epsilons, before.curves.optimal, message("before"), "before", dashed=True))
    named = {
        "absolute": (message("Error against ε"), message("error")),
        "squared": (message("Mean squared error against ε"), message("squared error")),
    }
    loss = "absolute" if answer is None else answer.design.loss.name
    title, name = named.get(loss, (message("Loss against ε"), message("loss")))
    unit = answer.design.unit if answer is not None and loss == "absolute" else ""
    x, y = Axis("ε", scale="log"), Axis(name, unit)
    return Plot("loss-against-epsilon", title, x, y, tuple(lines), handles=handles)


class CostRanking(Ranking):
    """The losses of several methods; a tooltip says what each does."""

    def remark(self, row: Rank) -> str:
        """Return the method in a sentence."""
        return _TIPS.get(row.key, "")


def delta_ranking(outcome: DeltaAnswer) -> Ranking:
    """Rank the benefit of delta: the best mechanism with and without it, and other noise that is equally private."""
    findings, delta = outcome.findings, figure(outcome.design.uncovered, 4)
    best = message("Best with δ = {delta}") if outcome.proved else message("Best found with δ = {delta}")
    names = {
        "value": message(best, delta=delta),
        "without_delta": message("Best without δ"),
        "truncated_laplace": message("Rounded truncated Laplace noise"),
        "gaussian": message("Rounded Gaussian noise, equally private"),
    }
    rows = [
        Rank(name, findings[key].number, "main", key == "value" and outcome.proved, key)
        for key, name in names.items()
        if key in findings
    ]
    return Ranking("costs", message("Gain from δ"), tuple(rows))


def attacker_plot(design: CountDesign) -> Plot:
    """Plot how many of 100 people an attacker identifies against false alarms, with and without delta."""
    false = np.linspace(0.0, 0.1, 101)
    ratio = math.exp(min(design.privacy.epsilon_above, 700.0))

    def found(uncovered: float, ratio: float = ratio) -> Floats:
        return 100 * np.minimum(1.0, np.minimum(ratio * false + uncovered, 1 - (1 - uncovered - false) / ratio))

    with_delta = np.min([found(float(level.delta), 1 / float(level.alpha)) for level in design.levels], axis=0)
    if design.mu is not None:
        with_delta = np.array([100 * delta_mechanism.found_out(design.mu, rate) for rate in false.tolist()])
    lines = (
        Line(100 * false, with_delta, message("with δ")),
        Line(100 * false, found(0.0), message("without δ"), "rival", dashed=True),
        Line(100 * false, 100 * false, message("chance"), "bound", dashed=True),
    )
    x, y = Axis(message("false alarms of 100")), Axis(message("found out, of 100"))
    marks, hint = (Mark(1.0, float(with_delta[10])),), message("found out, of 100")
    return Plot("attacker", message("Success of an attacker"), x, y, lines, marks, hint=hint)


def compared_plots(known: CountOverview) -> tuple[Plot, ...]:
    """Return the curves to overlay on those of another design: the error, the prior and the remap."""
    design, curves, plots = known.design, known.curves, []
    if curves is not None and not design.uncovered:
        epsilon, plot = design.privacy.epsilon, loss_plot(known)
        marks = (Mark(epsilon, float(known.best.value)),) if curves.epsilons[0] <= epsilon <= curves.epsilons[-1] else ()
        title = plot.title if design.covered else message("{title}, geometric + remap", title=plot.title)
        plots.append(Plot("loss", title, plot.x, plot.y, plot.lines[:1], marks))
    if design.n <= _LARGEST:
        counts = np.arange(design.n + 1, dtype=float)
        x, y = Axis(message("count")), Axis(message("probability"))
        plots.append(Plot("prior", message("Prior"), x, y, (Line(counts, design.prior.probabilities),)))
        x, y = Axis(message("cell") if design.uncovered else message("noisy count")), Axis(message("read as"))
        outputs = np.arange(len(known.solved.remap), dtype=float)
        plots.append(Plot("remap", message("Remap"), x, y, (Line(outputs, known.solved.remap.astype(float), steps=True),)))
    return tuple(plots)


def costs(look: Look) -> Ranking:
    """Return the loss of the best mechanism and of others, or with a delta what that buys."""
    answer: CountOverview = look.only(lambda answer: (answer.solved, answer.best, answer.costs))
    if isinstance(answer.solved, DeltaAnswer):
        return delta_ranking(answer.solved)
    return cost_ranking(answer, look.before)


def cost_ranking(answer: CountOverview, before: CountOverview | None = None) -> Ranking:
    """Return the losses, first the best; what is not known yet has no value."""
    findings, proved = answer.findings, answer.best.proved
    best = message("Best whole number") if answer.design.loss.fractional else message("Best possible")
    first = best if proved else message("Best found")
    if answer.deciding is not None:
        first = message("{best} (linear program)", best=first)
    another = before is not None and before.design != answer.design and before.design.loss == answer.design.loss
    earlier = {key: found.number for key, found in before.findings.items()} if before is not None and another else {}
    rows = [Rank(first, findings["value"].number, "main", proved, "value", earlier.get("value"))]
    shown: tuple[Key, ...] = (*(("remapped",) if answer.deciding is not None else ()), *_MAIN)
    others = [key for key in _OTHERS if key != "real" or answer.real_is_less]
    for key in (*shown, *others):
        known = findings.get(key)
        role: Role = "rival" if key == "ignore" else "main"
        rows.append(Rank(label(key, answer.design), known.number if known else None, role, key=key, before=earlier.get(key)))
    return CostRanking("costs", message("Accuracy"), tuple(rows), first=1 + len(shown))


def curve(look: Look) -> Plot:
    """Return the error against epsilon, of the newest curves that there are; with a delta what an attacker learns."""
    answer: CountOverview = look.only(lambda answer: (answer.design, answer.best, answer.costs))
    if answer.design.uncovered:
        return attacker_plot(answer.design)
    if (curves := look.last("curve")) is None:
        raise Waiting
    epsilon = answer.design.privacy.epsilon
    plot = loss_plot(replace(answer, curves=curves, optimum=look.last("optimum")), look.before, (epsilon_handle(epsilon),))

    def through(line: Line) -> Line:
        own = answer.findings.get(_OWN.get(line.name, "value"))
        if own is None or own.number is None or not line.x[0] <= epsilon <= line.x[-1]:
            return line
        x, y = with_point(line.x, line.y, epsilon, float(figure(own.number)))
        return replace(line, x=x, y=y)

    return replace(plot, lines=tuple(map(through, plot.lines)))


#: The maker of each panel, by key.
PANELS: Mapping[str, Maker] = {
    "matrix": open_matrix,
    "beside": second_matrix,
    "agreement": agreement,
    "costs": costs,
    "curve": curve,
}


def release_plot(
    row: Floats, selected: int = -1, before: Floats | None = None, drawn: Draws | None = None, fallen: int = 0, unit: str = ""
) -> Plot:
    """Return the distribution of the release for one true count as bars.

    Parameters
    ----------
    row : array (n+1,)
        The probability of each released value.
    selected : int
        The released value in another colour; -1: none.
    before : array (n+1,), optional
        The row when it was pinned, drawn as a dashed outline.
    drawn : Draws, optional
        One release, which drops onto its bar, or many, which are stacked as dots.
    fallen : int
        How many of the many already lie on the bars.
    """
    landing, dots, final = None, None, None
    if drawn is not None and len(drawn.values) == 1:
        value = drawn.values[0]
        landing = Landing((float(value),), (float(row[value]),), group_thousands(value), drawn, upright=False)
    elif drawn is not None and drawn.values:
        final = np.bincount(drawn.values, minlength=len(row))
        dots = np.bincount(np.array(drawn.values[:fallen], dtype=np.int64), minlength=len(row))
    texts = likely if landing is None else None  # the released number takes their place
    bars = Bars(row, texts=texts, outline=before, dots=dots, final=final, close=True)
    x = Axis(message("released value"), unit)
    return _over_counts(bars, x, partial(_said_of_release, row), selected, landing=landing)


def posterior_plot(prior: Floats, posterior: Floats, released: int, unit: str = "") -> Plot:
    """Return the posterior after a release, an array (n+1,), as bars; the prior is dashed, and the release marked on the axis."""
    bars, mark = Bars(posterior, outline=prior, close=True), Mark(float(released), 0.0, pointer=True)
    x = Axis(message("true count"), unit)
    return _over_counts(bars, x, partial(_said_of_count, prior, posterior), marks=(mark,))


def _over_counts(
    bars: Bars,
    title: Axis,
    read: Callable[[int], str],
    selected: int = -1,
    marks: tuple[Mark, ...] = (),
    landing: Landing | None = None,
) -> Plot:
    """Return bars over 0..n; if there are very many, those with nearly all of the total are in view."""
    spoken: str = message("most likely: {text}", text=read(int(np.argmax(bars.values))))
    if selected >= 0:
        spoken = message("{first}; {second}", first=spoken, second=read(selected))
    drawn = [int(x) for x in landing.x] if landing is not None else []
    first, last = _in_view(bars.values, drawn if bars.final is None else np.flatnonzero(bars.final).tolist())
    x = replace(title, scale="whole", limits=(first - 0.5, last + 0.5), optional=True)
    y = Axis(message("probability"), ticks=(), optional=True)
    name, select = message("Releases"), Select("view.column", read=read)
    return Plot(
        "release", name, x, y, marks=marks, bars=(bars,), selected=selected, select=select, spoken=spoken, landing=landing
    )


def _said_of_release(row: Floats, value: int) -> str:
    words = chance(float(row[value]))
    text = message("releases {value}: {chance}", value=value, chance=significant(float(row[value])))
    return message("{text} ({words})", text=text, words=words) if words else text


def _said_of_count(prior: Floats, posterior: Floats, count: int) -> str:
    before, after = (f"{100 * float(part[count]):.3g}%" for part in (prior, posterior))
    return message("count {value}: prior {prior}, posterior {posterior}", value=count, prior=before, posterior=after)


def near(row: Floats, count: int) -> Message:
    """Return how often a release is at most 1 (or 0, if 1 is all) from a true count, and its average error."""
    reach = int(count > 1 or len(row) > count + 2)
    part = in_so_many(float(row[max(count - reach, 0) : count + reach + 1].sum()))
    mean = about(float(row @ np.abs(np.arange(len(row)) - count)))
    words = (
        message("Releases within ±1: {part}; average error {mean}")
        if reach
        else message("No error: {part}; average error {mean}")
    )
    return message(words, part=part, mean=mean)


def _in_view(values: Floats, drawn: Sequence[int]) -> tuple[int, int]:
    """Return the first and last bar to show: all, or if there are many, those with nearly all of the total, and those drawn."""
    last = len(values) - 1
    if last < _LONGEST:
        return 0, last
    total = np.cumsum(values)
    low, high = np.searchsorted(total, [_NOTHING * total[-1], (1 - _NOTHING) * total[-1]]).tolist()
    low, high = min([low, *drawn]), max([high, *drawn])
    beside = max((high - low) // 4, _BESIDE)
    if high - low + 2 * beside > last / 2:
        return 0, last
    return max(0, low - beside), min(last, high + beside)
