"""Run a noise design; its panels, made when visible, and the sentence of each view."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from dpdesigner.core.basics.rounding import at_most, brief, figure, rounded_down, significant
from dpdesigner.core.noise.best_noise import Budget, Share
from dpdesigner.core.noise.noise_cost import PowerCost
from dpdesigner.core.noise.several_dimensions import VectorStaircase
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.findings import root_of, with_unit
from dpdesigner.studies.matrices import Planes
from dpdesigner.studies.noise.answer import Drawn, NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.plots import against_total, percent, planes, plots, shares_within, within_words
from dpdesigner.studies.panels import Fold, Plot, Strips, landed
from dpdesigner.studies.plain_language import more
from dpdesigner.studies.snapshot import Look, Maker
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Rank, Ranking, Sentence

#: More bars would add no information.
_MOST_BARS = 12


def shared(budget: Budget, design: NoiseDesign) -> Ranking:
    """Return a bar for one answer alone and for each answer; with only one, for several possible numbers of answers."""
    root = root_of(budget.alone.cost, design.noise_cost == PowerCost(2.0), design.unit, "proved").get("root")
    name, unit = (design.cost_label, design.cost_unit) if root is None else (root.label, design.unit)

    def bar(words: str, share: Share, **other: Any) -> Rank:
        label = message("{words}, ε = {share}", words=words, share=brief(float(rounded_down(share.epsilon, 4)), 4))
        cost = share.cost if root is None else math.sqrt(share.cost)
        return Rank(label, cost, text=with_unit(at_most(cost, 4), unit), **other)

    costs = [bar(message("one answer alone"), budget.alone, role="rival", key="alone")]
    if design.weights:
        answers = enumerate(budget.shares[:_MOST_BARS], 1)
        costs += [bar(message("answer {place}", place=place), share) for place, share in answers]
    else:
        costs += [bar(message("each of {answers}", answers=many), share) for many, share in budget.equal]
    return Ranking("budget", name, tuple(costs))


def budget_sentence(budget: Budget, design: NoiseDesign) -> Message:
    """Return the total epsilon of all answers and, of several, their total cost."""
    epsilon = figure(design.privacy.epsilon_above, 4)
    words = message("The ε of answers about the same people add up to {epsilon}, for any questions.", epsilon=epsilon)
    if not design.weights:
        return words
    total, laplace = (
        with_unit(at_most(sum(costs), 4), design.cost_unit)
        for costs in zip(*((share.cost, share.laplace_cost) for share in budget.shares), strict=True)
    )
    return message(
        "{words} The {label} of all {many} answers adds up to {total}; with Laplace noise, {laplace}.",
        words=words,
        label=design.cost_label,
        many=len(budget.shares),
        total=total,
        laplace=laplace,
    )


def view_text(outcome: NoiseAnswer, view: str, shift: float = 0.0, chance: float = 0.95, rows: bool = False, **_: float) -> str:
    """Return the explanation of a view; parameters as `dpdesigner.studies.noise.plots.plots`."""
    if view == "density":
        return _ratio(outcome, shift, rows)
    if view == "distribution":
        return _within(outcome, chance)
    if view == "gamma":
        return _against_gamma(outcome)
    if view == "best":
        if outcome.split is not None or outcome.design.dimension > 1 or not isinstance(outcome.design.noise_cost, PowerCost):
            return message("Position of the step within each period, against ε.")
        return message("γ is the share of each step at the higher level: near one half for small ε, near 0 for large ε.")
    if view in ("several", "plane"):
        return _several(outcome)
    return outcome.delta_text if view == "delta" else ""


def _ratio(outcome: NoiseAnswer, shift: float, rows: bool) -> str:
    """The sentence on the ratio of two neighbouring answers."""
    design, bound = outcome.design, significant(math.exp(outcome.design.epsilon), 4)
    if design.dimension > 1:
        return message("The density depends only on the L1 norm of the noise. The plot shows it along a line through the origin.")
    if not shift:
        return message("Drag the line by up to Δ = {period} to either side.", period=brief(design.period, 6))
    words = message("One person who changes the answer by {shift} makes no answer more than eᵋ ≈ {bound} times as likely.")
    if rows:
        words = message("One row that changes the answer by {shift} makes no answer more than eᵋ ≈ {bound} times as likely.")
    return message(words, shift=brief(abs(shift)), bound=bound)


def _within(outcome: NoiseAnswer, chance: float) -> str:
    """Return the bounds that contain a given share of the errors, or at least that share for integers."""
    if isinstance(outcome.noise, VectorStaircase):
        return ""
    whole = outcome.split is not None
    own, rival = (brief(bound, 15) if whole else at_most(bound, 4) for bound in outcome.bounds(chance))
    words = message("{share} of the errors are within ±{own}; of Laplace noise, within ±{rival}. Drag the line.")
    if whole:
        words = message("At least {share} of the errors are within ±{own}; of discrete Laplace noise, ±{rival}. Drag the line.")
    if outcome.is_geometric:
        words = message("At least {share} of the errors are within ±{own}. Drag the line.")
    return message(words, share=percent(chance), own=own, rival=rival)


def _against_gamma(outcome: NoiseAnswer) -> str:
    if outcome.split is not None:
        return message("γ is r / Δ, the position of the step within each run of Δ whole numbers. Drag the line to choose.")
    drag = message("γ is the share of each step at the higher level. Drag the line.")
    if not 0 < outcome.least < math.inf or not math.isfinite(outcome.by_gamma.half):
        return drag
    half = more(outcome.least, outcome.by_gamma.half, digits=2)
    return message("{drag} Compared with the best, one half costs {more}.", drag=drag, more=half)


def _several(outcome: NoiseAnswer) -> str:
    """The quality of the staircase in several dimensions, and how certain it is."""
    return message(
        "Δ = {period} in the L1 norm, for all answers together. The staircase is proved to be the best added noise for d = 1 "
        "and, for the sum of absolute errors, for d = 2; for other cases this is a conjecture. Here γ{star} = {gamma}, and "
        "{laplace}.",
        period=outcome.design.sensitivity,
        star="*" if outcome.design.gamma == "optimal" else "",
        gamma=significant(outcome.gamma, 6),
        laplace=outcome.compared,
    )


def drawn_text(made: Drawn, outcome: NoiseAnswer, bound: float) -> str:
    """Return a sentence on the draws: how many are within a bound; of a single one, what it would publish."""
    unit, (count, answers) = outcome.design.unit, made.values.shape
    if count > 1 and answers > 1:
        return message("{count} draws of the noise.", count=count)
    if count > 1:
        inside, expected = int((abs(made.values) <= bound).sum()), shares_within(outcome, bound)[0]
        words = message("{inside} of {count} {within} ({expected} expected).")
        return message(words, inside=inside, count=count, within=within_words(outcome, bound), expected=expected)
    if answers > 1:
        return message("It would add {noise} to the true answers.", noise=with_unit(made.text, unit))
    if made.published:
        words = message("Simulated: {truth} → {published}. Each real release spends {epsilon}.")
        return message(words, truth=made.truth, published=with_unit(made.published, unit), epsilon=outcome.attained.description)
    noise = with_unit(f"{made.text[0]}\u00a0{made.text[1:]}", unit)  # the sign of a sum, and not of a number
    return message("It would publish the true answer {noise}.", noise=noise)


MOST_CHANCE = 0.9999
_ROOMS = 5, 3  # relative heights of a plot and of a second one below it


def shift_of(noise: NoiseAnswer, share: float) -> float:
    """Return the shift to the neighbouring answer at a share of the sensitivity, in whole steps if there are any."""
    place = min(max(share, -1.0), 1.0) * noise.design.period
    return noise.query.nearest(place) if noise.split is not None or abs(share) >= 1 else float(f"{place:.3g}")


def within_of(noise: NoiseAnswer, bound: float | None) -> float:
    """Return the bound on the errors whose share is shown, in whole steps if there are any; by default that of half of them."""
    given = noise.half_within if bound is None else abs(bound)
    if noise.split is not None:
        return noise.query.nearest(max(given, float(noise.query.step) if bound is None else 0.0))
    return given if bound is None else float(f"{given:.3g}")


def _noise(look: Look, view: str) -> NoiseAnswer:
    """Return the noise with everything that a view shows computed, which needs a job in some views."""
    noise: NoiseAnswer = look.answer.noise_shown
    if not noise.ready(view):
        look.job("look")
    return noise


def _looked_at(look: Look, view: str) -> dict[str, Any]:
    """Return the positions of a view’s handles, and whether one row moves them."""
    if view == "density":
        noise = look.answer.noise_shown
        places = {"shift": shift_of(noise, look.view["share"]), "within": within_of(noise, look.view["within"])}
        return {**places, "rows": look.answer is not noise}
    return {"chance": min(max(look.view["chance"], 0.0), MOST_CHANCE)} if view == "distribution" else {}


_plots = lru_cache(maxsize=4)(plots)


def plot(view: str, number: int, look: Look) -> Plot:
    """Return the first or the second plot of a view."""
    shown, noise = next(each for each in look.answer.design.views if each.key == view), _noise(look, view)
    made = _plots(view, noise, **_looked_at(look, view))[number]
    if view == "epsilon":
        made = against_total(made, look.answer.parts)
    title = message("{title}, ratio", title=shown.title) if number else shown.title
    return replace(made, key=shown.panels[number], title=title, room=_ROOMS[number])


def densities(look: Look) -> Strips:
    """Return the density of the noise with what was drawn, and the effect of one person on it, which is shown on request."""
    noise = _noise(look, "density")
    made, draws = _plots("density", noise, **_looked_at(look, "density")), look.done("draw")
    first = landed(replace(made[0], key="density", room=_ROOMS[0]), None if draws is None else draws.landing(made[0]))
    effect = [replace(plot, key="density-ratio", room=_ROOMS[1]) for plot in made[1:]]
    words = message("Effect of one person"), message("Effect of one row")
    fold = Fold(words[look.answer is not noise], 1, "view.effect", bool(look.view["effect"])) if effect else None
    return Strips("density", message("Density"), (first, *effect), fold=fold, labelled=0)


def _plane(look: Look) -> Planes:
    return planes(_noise(look, "plane"))[0]


def _budget(look: Look) -> Ranking:
    noise: NoiseAnswer = look.answer
    try:
        return shared(noise.budget, noise.design)
    except InputError:  # the sentence says why
        return Ranking("budget", "")


def sentence(look: Look) -> Sentence:
    """Return the sentence on the open view."""
    noise, view = look.answer.noise_shown, look.view.get("view", "")
    if view != "budget":
        folded = view == "density" and noise.design.dimension == 1 and not look.view["effect"]
        words = "" if folded else view_text(noise, view, **_looked_at(look, view))
        draws = look.done("draw") if view in ("density", "plane") else None  # which show them
        if draws is not None:
            drawn = drawn_text(draws, noise, within_of(noise, look.view["within"]))
            words = message("{drawn} {words}", drawn=drawn, words=words) if words else drawn
        return Sentence(words, key="told")
    try:
        return Sentence(budget_sentence(noise.budget, noise.design), key="told")
    except InputError as error:
        return Sentence(str(error), key="told")


def costs(look: Look) -> Ranking:
    """Return a bar for each cost, the best first; costs used only for comparison stay in the background."""
    found = {key: look.answer.findings[key] for key in look.answer.ranking if key != "half"}  # which the curve against γ has
    rows = [
        Rank(
            cost.label,
            cost.number,
            "rival" if cost.state == "given" else "main",
            cost.state == "proved",
            key,
            text="" if cost.number is None else with_unit(figure(cost.number, cost.digits), cost.unit),
            short=look.answer.shorts.get(key, ""),
        )
        for key, cost in found.items()
    ]
    return Ranking("costs", look.answer.noise_shown.design.cost_label, tuple(rows))


_OTHERS: Mapping[str, Maker] = {"density": densities, "plane": _plane, "budget": _budget}


def panels_of(design: Any, others: Mapping[str, Maker] = _OTHERS) -> dict[str, Maker]:
    """Return the functions that make a design's panels, by key: plots, except for `others`, a sentence, and the costs."""
    made: dict[str, Maker] = {}
    for view in design.views:
        for number, key in enumerate(view.panels):
            made[key] = others[key] if key in others else partial(plot, view.key, number)
    made["told"] = others.get("told", sentence)
    made["costs"] = costs
    return made


def solved(design: Any, view: str, progress: Progress = silent) -> Any:
    """Return the answer of a number or a histogram, with everything computed that a view shows."""
    answer = design.run(progress)
    answer.noise_shown.prepare(view)
    return answer


def run(design: NoiseDesign, progress: Progress = silent) -> NoiseAnswer:
    """Compute the noise, its cost and the curves."""
    return NoiseAnswer.of(design.noise_query, progress, design=design, panels=panels_of(design))
