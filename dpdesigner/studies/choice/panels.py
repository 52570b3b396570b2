"""The panels of a choice: strips, curves against epsilon and of utility lost, tables, and rankings of rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import ceil, floor, log10
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import nearest
from dpdesigner.core.basics.rounding import figure, significant
from dpdesigner.core.choice.rule import Rule, worst_in_unit
from dpdesigner.core.choice.utilities import moved
from dpdesigner.messages import message
from dpdesigner.studies.choice.answer import Announced, ChoiceAnswer, Neighbour, Sweep, inside, percent
from dpdesigner.studies.choice.inputs import PRINTED
from dpdesigner.studies.findings import with_unit
from dpdesigner.studies.matrices import Cells, Matrix
from dpdesigner.studies.panels import Fold, Plot, Strips
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Drag, Landing, Line, Mark, Select, epsilon_handle
from dpdesigner.studies.snapshot import Look, Maker
from dpdesigner.studies.table_panels import Rank, Ranking, Role, Sentence

_ROOMS = (24, 60, 12, 18)  # relative heights of the strips
_FEW = 12  # options whose utilities are shown at their bars, and matrix columns whose cells show numbers
_CLEAR = 0.1  # a dot is as high above a low bar, so that it covers no number
_SEEN = 0.05  # probabilities from here on are written in bold
_LARGEST = 20_000  # utilities up to which the probabilities of another rule are shown too
_POINTS = 241
_RARE = 5e-3  # without the bound, the plot ends where the loss is as rare as this, and 20 times rarer than any loss
_NEVER = 1e-6  # a smaller probability of any loss is stated, since its curve lies on the axis
_REST = 1e-3  # the plot of the utility loss ends where the bound has this probability

_FORMULAS = {
    "exponential-cacm": "exp(ε u/Δ) · Dwork 2011",
    "exponential-notes": "exp(ε u) · lecture notes",
    "exponential-blr": "exp(ε u/2Δ) · Blum, Ligett, Roth",
}

# Strips ------------------------------------------------------------------------------------------------------------------


def strips(look: Look) -> Strips:
    """Return strips of draggable utilities, probabilities, one person's moves, and their effect."""
    answer: ChoiceAnswer = look.answer
    look.last("worst")  # it may arrive later
    row, near, option = answer.row(look.view), _near(look), answer.marked(look.view)
    rival = None if answer.task.numbers.size > _LARGEST else _beside(look)
    announced = _announced(look)
    drawn = announced.counts if announced is not None and announced.many > 1 else None
    names, rule, secret = answer.names, answer.rule, answer.design.secret
    utilities, chances, logs = (np.atleast_2d(each)[row] for each in (answer.task.numbers, rule.probabilities, rule.logs))
    with np.errstate(invalid="ignore"):
        ratios = np.nan_to_num(near.logs - logs)
    movable, counted = not answer.task.table, bool(answer.unit)
    own = movable and not answer.design.path  # counts of a file stay as they are
    given = message("not for publication") if secret else message("from the file") if movable and not own else ""
    axis, select, epsilon = Axis(scale="names", names=names), Select("view.option"), rule.epsilon
    gains = _gains if counted else _steps
    bars = (
        Bars(
            utilities,
            message("utility"),
            "rival",
            texts=number_text if len(names) <= _FEW else None,
            strong=utilities == utilities.max(),
            faint=True,
            secret=secret,
            drags=(_utilities_drag(answer, utilities, counted),) if own else (),
        ),
        Bars(
            chances,
            message("chance"),
            texts=percent,
            strong=chances > _SEEN,
            rival=None if rival is None else np.atleast_2d(rival.probabilities)[row],
            rival_name="" if rival is None else inside(rival.title),
            dots=drawn,
            secret=secret,
        ),
        Bars(
            near.moves,
            message("moves by"),
            "bound",
            texts=gains if 0 < np.count_nonzero(near.moves) <= 2 else None,
            secret=secret,
            drags=(_moves_drag(answer.design.neighbours),) if movable else (),
        ),
        Bars(np.clip(ratios, -epsilon, epsilon), message("ln ratio"), texts=partial(ratio_text, epsilon), secret=secret),
    )
    heads = (
        ("utilities", message("Counts") if counted else message("Utility of each option"), given),
        ("chances", message("Probability of each option"), inside(rule.title)),
        ("moves", message("Largest change by one person"), message("in units of Δ") if movable else message("the next row")),
        ("ratios", message("Effect on probabilities"), message("ln(new / old), within ±ε")),
    )
    whole = Axis(limits=(0.0, 1.0), ticks=((0.0, "0%"), (0.5, "50%"), (1.0, "100%")))
    axes = Axis(), whole if len(names) <= _FEW else Axis(), _within(1.0, "1"), _within(epsilon, figure(epsilon, 4))  # rounded up
    plots = (
        Plot(key, title, axis, y, bars=(each,), bands=_band(y), selected=option, select=select, hint=hint, room=room)
        for (key, title, hint), y, each, room in zip(heads, axes, bars, _ROOMS, strict=True)
    )
    landing = _landing(answer, announced, chances, utilities)
    shown = [replace(plot, landing=landing) if plot.key == "chances" else plot for plot in plots]
    fold = Fold(message("Influence of one person"), 2, "view.influence", bool(look.view["influence"]))
    return Strips("strips", message("Probabilities"), tuple(shown), 1, {"Space": "draw", "W": "worst"}, fold)


def _beside(look: Look) -> Rule | None:
    """Return the rule that is compared with the drawn one; an undo may bring back the drawn one itself as the chosen one."""
    answer: ChoiceAnswer = look.answer
    rule = answer.rules.get(look.view["rival"])
    return answer.other if rule is not None and rule.key == answer.design.rule else rule


def _landing(answer: ChoiceAnswer, announced: Announced | None, chances: Floats, utilities: Floats) -> Landing | None:
    """Return where a single announcement lands: inside its bar, or above the number of a low bar; and whether it is right."""
    if announced is None or announced.many != 1:
        return None
    place = int(np.argmax(announced.counts))
    chance = float(chances[place])
    height = chance + _CLEAR if chance < _CLEAR and len(utilities) <= _FEW else chance / 2
    gap = float(utilities.max() - utilities[place])
    short = with_unit(number_text(gap), message("person") if answer.unit and gap == 1 else answer.unit)
    words = message("{name}: right") if announced.right else message("{name}: wrong by {short}")
    text = message(words, name=answer.names[place], short=short)
    return Landing((float(place),), (height,), text, announced, upright=False, large=True)


def _near(look: Look) -> Neighbour:
    answer: ChoiceAnswer = look.answer
    return answer.neighbour(look.view) or Neighbour(np.zeros(answer.task.options), answer.rule.logs)


def _announced(look: Look) -> Announced | None:
    return look.done("draw")  # type: ignore[no-any-return]


def _within(limit: float, text: str) -> Axis:
    return Axis(limits=(-limit, limit), ticks=((limit, f"+{text}"), (-limit, f"−{text}")))


def _band(y: Axis) -> tuple[Band, ...]:
    return () if y.limits is None or y.limits[0] == 0 else (Band(*y.limits, role="main", along="y"),)


def _gains(move: float) -> str:
    return "" if not move else message("gains one") if move > 0 else message("loses one")


def _steps(move: float) -> str:
    return number_text(move) if move else ""


def _utilities_drag(answer: ChoiceAnswer, utilities: Floats, counted: bool) -> Drag:
    whole = counted or bool((utilities == np.round(utilities)).all())
    span = float(np.abs(utilities).max()) or 1.0
    digits = 0 if whole else max(0, 2 - int(np.floor(np.log10(span))))

    def put(values: Floats, which: int, where: float) -> Floats:
        after = values.copy()
        after[which] = max(round(where, digits), 0.0) if counted else round(where, digits)
        return after

    step = 1.0 if whole else float(np.ptp(utilities) or 1.0) / 100
    sweep, words = answer.design.edges is not None, message("Drag a utility")
    return Drag("design", put, lambda values, which: with_utilities(answer, dragged(answer, values)), words, step, sweep)


def utilities_now(answer: ChoiceAnswer) -> list[Any]:
    """Return the utilities of a vector, as entered or counted."""
    given = answer.design.utilities
    return list(given) if given is not None else [int(value) for value in answer.task.numbers[0]]


def dragged(answer: ChoiceAnswer, utilities: Floats) -> list[Any]:
    """Return utilities of which some were dragged; the others are as entered."""
    given, shown = utilities_now(answer), answer.task.numbers[0]
    values = [int(value) if value == round(value) else value for value in utilities.tolist()]
    return [value if value != shown[k] or k >= len(given) else given[k] for k, value in enumerate(values)]


def with_utilities(answer: ChoiceAnswer, utilities: list[Any]) -> Mapping[str, Any]:
    """Return the changes to a design when its utilities change; counted utilities become typed ones."""
    typed = {"path": "", "column": "", "categories": None, "names": answer.names} if answer.design.path else {}
    return {"utilities": utilities, **typed}


def _moves_drag(neighbours: object) -> Drag:
    def put(values: Floats, which: int, where: float) -> Floats:
        return moved(values, which, where, str(neighbours))

    def kept(moves: Floats, which: int) -> str:
        return ",".join(f"{k}:{move:g}" for k, move in enumerate(moves.tolist()) if move)

    return Drag("view.neighbour", put, kept)


def number_text(value: float) -> str:
    """Return a utility as the text above its bar."""
    return f"{value:.0f}".replace("-", "−") if value == round(value) and abs(value) < 1e7 else f"{value:.4g}".replace("-", "−")


def ratio_text(epsilon: float, value: float) -> str:
    """Return ln of a ratio with its sign; a small epsilon, which it cannot exceed, gives it more than four decimals."""
    text = f"{value:+.{max(4, 2 - floor(log10(epsilon)))}f}"
    return text.replace("-", "−") if float(text) else "0"


def sentence(look: Look) -> Sentence:
    """The announced option, and the neighbour's influence on the selected option; for a whole mechanism the visible part."""
    answer: ChoiceAnswer = look.answer
    if look.view.get("view") == "table":
        return Sentence(message("{rule}: one row per database, one column per option.", rule=answer.rule.title), key="told")
    look.last("worst")
    option, row = answer.option(look.view), answer.row(look.view)
    before, after = float(np.atleast_2d(answer.rule.probabilities)[row][option]), float(np.exp(_near(look).logs[option]))
    shown = answer.design.fixed and (look.view["influence"] or answer.task.table)
    text = answer.of_option(option, before, after) if shown else ""
    if shown and answer.neighbour(look.view) is None:
        text = message("Looking for the worst neighbour…")
    look.last("releases")
    if said := answer.releases(None) if (announced := _announced(look)) is None else _said(answer, announced):
        text = message("{first} {second}", first=said, second=text) if text else said
    return Sentence(text, key="told", secret=answer.design.secret)


def _said(answer: ChoiceAnswer, announced: Announced) -> str:
    if announced.many > 1:
        return message("Simulated: {right} of {many} right.", right=announced.right, many=announced.many)
    if answer.design.edges is not None:
        return message("Simulated: {number}.", number=significant(float(announced.last), 4))
    if answer.design.secret:
        return answer.releases(announced)
    return message("Simulated: {name}.", name=answer.names[int(np.argmax(announced.counts))])


def table(look: Look) -> Matrix:
    """Return the whole mechanism; a click selects the database."""
    answer: ChoiceAnswer = look.answer
    chances = np.atleast_2d(answer.rule.probabilities)
    rows, columns = chances.shape
    cells = Cells(rows, columns, lambda i, r: chances[np.ix_(i, r)], chances)
    few = columns <= _FEW and rows <= 2 * _FEW
    select, selected = Select("view", lambda row: {"row": row, "neighbour": ""}), answer.row(look.view)
    words, secret = (message("Probabilities"), cells, message("database"), message("option")), answer.design.secret
    return Matrix("table", *words, secret=secret, select=select, selected=selected, numbers=few)


# Curves ------------------------------------------------------------------------------------------------------------------


def falling_short(answer: ChoiceAnswer, beside: Rule | None = None, row: int = 0, bounded: bool = True) -> Plot:
    """Plot the probability of losing more than t, if wanted with the theorem's bound, which is vacuous above 1."""
    rule, secret = answer.rule, answer.design.secret
    gaps = answer.task.most[row, 0] - answer.task.numbers[row]
    widest = float(gaps.max()) or 1.0
    bound_end = float(np.log(rule.crowd / _REST) / max(nearest(rule.rate), 1e-300))
    if not bounded:
        places = np.unique(gaps)
        left = rule.chance_below(places, row)
        bound_end = 1.2 * float(places[left < min(_RARE, left[0] / 20)].min(initial=widest))
    t = np.linspace(0, min(widest * 1.02, max(bound_end, widest * 0.02)), _POINTS)
    t = np.unique(np.concatenate([t, gaps[gaps <= t[-1]]]))
    chance = rule.chance_below(t, row)
    sure = not bounded and chance[0] < _NEVER
    name = message("less than 1 in a million") if sure else rule.title
    lines = [Line(t, chance, name, steps=True, secret=secret)]
    top = 1.0 if bounded else 1e-3 if sure else 1.2 * chance[0]
    hint = message("")
    if beside is not None and beside.key != rule.key:
        other = beside.chance_below(t, row)
        lines.append(Line(t, other, beside.title, "rival", dashed=True, steps=True, secret=secret, short=" "))
        top = max(top, min(1.2 * other.max(), 1.0))
        hint = message("- - {rule}", rule=inside(beside.title).removesuffix(" mechanism"))
    bound = rule.bound_below(t)
    below = np.minimum(bound, 1.0)
    if bounded:
        lines.append(Line(t, below, message("bound"), thin=True, secret=secret, low=np.zeros(len(t)), high=below))
    unit = answer.unit
    label = message("people behind the best") if unit else message("behind the best")
    empty = float(np.log(rule.crowd) / max(nearest(rule.rate), 1e-300))
    crowd, rate = significant(rule.crowd, 3), significant(nearest(rule.rate), 3)
    under = message(
        "The bound for t, {crowd} exp(−{rate} t), is above 1 up to t = {empty}, and says nothing there.",
        crowd=crowd,
        rate=rate,
        empty=significant(empty, 3),
    )
    title, y = message("Distance from best"), Axis(message("probability of more"), limits=(0.0, float(top)))
    return Plot("short", title, Axis(label), y, tuple(lines), under=(under,) if bounded else (), hint=hint)


def constants(answer: ChoiceAnswer) -> Plot:
    """Plot the attained epsilon of exp(u / Delta), stated as 1, between two vectors with utilities in [0, Delta]."""
    options = np.unique(np.round(np.geomspace(2, 1000, 121)))
    lines = (
        Line(options, worst_in_unit(options), message("exp(ε u/Δ), utilities in [0, Δ]")),
        Line(options, np.full(len(options), 2.0), message("over all utilities (never reached)"), "aid", dashed=True),
        Line(options, np.ones(len(options)), message("stated ε"), "rival", dashed=True),
    )
    here = float(min(max(answer.task.options, 2), 1000))
    marks = [Mark(10.0, float(worst_in_unit(np.array([10.0]))[0]), "e^1.776")]
    if here != 10:
        value = float(worst_in_unit(np.array([here]))[0])
        marks.append(Mark(here, value, significant(value, 4), "main"))
    under = message("If all utilities move in the same direction, it is 1 for any number of options.")
    x = Axis(message("options"), scale="log")
    return Plot(
        "constants",
        message("Attained ε where a paper states 1"),
        x,
        Axis("ε", limits=(0.9, 2.1)),
        lines,
        tuple(marks),
        under=(under,),
    )


def against_epsilon(answer: ChoiceAnswer, found: Sweep) -> Plot:
    """Plot how often each rule chooses the best option against the level."""
    lines, secret = [], answer.design.secret
    for key, right in found.right.items():
        mine = key == answer.design.rule
        name = answer.rules[key].title
        lines.append(Line(found.levels, right, name, "main" if mine else "rival", dashed=not mine, secret=secret))
    lines.sort(key=lambda line: line.role != "main")
    handle = epsilon_handle(answer.design.epsilon)
    y = Axis(message("gets it right"), limits=(0.0, 1.0))
    return Plot("sweep", message("Against ε"), Axis("ε", scale="log"), y, tuple(lines), handles=(handle,))


# Bars --------------------------------------------------------------------------------------------------------------------


def rules(answer: ChoiceAnswer) -> Ranking:
    """Rank the rules by probability of the best option and shortfall, below the limit; a click shows another rule."""
    rows = [*_limit(answer), *_rules(answer)]
    right, short = answer.task.blindly
    rows.append(Rank(message("Ignoring the data"), right, "rival", text=f"{100 * right:.1f}%", second=_shortfall(short)))
    costs = sorted((answer.equal or {}).items(), key=lambda item: item[1])
    parts = {f"part_{place}": f"{answer.rules[key].title} {significant(cost, 4)}" for place, (key, cost) in enumerate(costs)}
    listed = message(", ".join(f"{{{name}}}" for name in parts), **parts)
    words = message("Average shortfalls if each rule is calibrated to attain exactly ε on this table: {list}.")
    note = message(words, list=listed) if parts else ""
    head = message("people behind, on average") if answer.unit else message("average shortfall")
    title, chosen = message("Probability of being right"), answer.design.rule
    return Ranking("rules", title, tuple(rows), "rule", chosen, head, 1.0, note, answer.design.secret)


def _limit(answer: ChoiceAnswer) -> list[Rank]:
    finding = answer.findings.get("limit")
    if finding is None or (finding.number is None and finding.state != "pending"):
        return []
    text = finding.note
    if finding.number is not None:
        text = f"{ceil(1000 * finding.number * (1 - 1e-13)) / 10:.1f}%"
    if answer.limit_met:  # one number, in one rounding
        text = chance_text(float(np.mean(answer.rule.chance_of_best)))
    return [Rank(message("Upper limit"), finding.number, "rival", text=text, limit=True)]


def _rules(answer: ChoiceAnswer) -> list[Rank]:
    drawn = answer.design.rule
    shown = [rule for rule in answer.rivals if rule.key in (drawn, *_PLAIN) or answer.task.table]
    if answer.rule not in shown:
        shown.append(answer.rule)
    rows = []
    for rule in shown:
        chance, short = float(np.mean(rule.chance_of_best)), float(np.mean(rule.shortfall))
        role: Role = "rival" if rule.key in PRINTED else "main"
        note, proved = _NOTES.get(rule.key, ""), rule.key == drawn and answer.limit_met
        second = _shortfall(short)
        rows.append(Rank(rule.title, chance, role, proved, rule.key, note=note, text=chance_text(chance), second=second))
    return sorted(rows, key=lambda row: -(row.value or 0.0))


_PLAIN = ("permute-and-flip", "exponential", "noisy-max-laplace", "noisy-max-gumbel", "noisy-max-exponential")
_NOTES = {"staircase": message("steps of Δ")}


def chance_text(chance: float) -> str:
    """Return how often a rule is right in percent, to the nearest digit."""
    return percent(chance) if chance > 1e-4 else f"{significant(100 * chance, 2)}%"


def _shortfall(short: float) -> str:
    """Return a shortfall with one decimal, or two digits where it is below 1."""
    return "< 0.001" if 0 < short < 1e-3 else f"{short:.1f}" if 1 <= short < 1e5 else significant(short, 2)


def papers(answer: ChoiceAnswer) -> Ranking:
    """Rank the attained epsilons of the papers' constants as bars, with stated ones as rings; a click shows one."""
    rows = []
    for key in PRINTED:
        rule = answer.rules[key]
        wrong = rule.epsilon > rule.says * (1 + 1e-9)
        text = message("attained {level}", level=figure(rule.epsilon, 3))
        says = message("stated {level}", level=figure(rule.says, 3))
        role: Role = "bound" if wrong else "main"
        rows.append(Rank(_FORMULAS[key], rule.epsilon, role, key=key, text=text, second=says, ring=rule.says))
    asked = answer.design.epsilon
    most = max([2 * asked, *(min(max(row.value or 0.0, row.ring or 0.0), 4 * asked) for row in rows)])
    chosen = answer.design.rule if answer.design.rule in PRINTED else ""
    title, hidden = message("Formulas in papers"), answer.design.secret and not chosen  # no report of data is about them
    return Ranking("papers", title, tuple(rows), "rule", chosen, ends=most, note=answer.on_constants, secret=hidden)


# Makers by key: named functions, so that an answer can be pickled ---------------------------------------------------------


def _short(look: Look) -> Plot:
    answer: ChoiceAnswer = look.answer
    return falling_short(answer, _beside(look), answer.row(look.view), look.view.get("view") == "short")


def _sweep(look: Look) -> Plot:
    return against_epsilon(look.answer, look.job("sweep"))


def _constants(look: Look) -> Plot:
    return constants(look.answer)


def _rules_of(look: Look) -> Ranking:
    return rules(look.answer)


def _papers_of(look: Look) -> Ranking:
    return papers(look.answer)


PANELS: Mapping[str, Maker] = {
    "strips": strips,
    "short": _short,
    "sweep": _sweep,
    "constants": _constants,
    "rules": _rules_of,
    "papers": _papers_of,
    "told": sentence,
}
OF_TABLES: Mapping[str, Maker] = {"table": table, **PANELS}
