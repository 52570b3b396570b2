"""The panels of noise, made when they are seen: curves, the noise of two answers, shares of epsilon, and the costs compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.budget_panel import budget_sentence, shared
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.matrices import Planes
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.joint_density import planes
from dpdesigner.studies.noise.plots import plots
from dpdesigner.studies.noise.view_text import Drawn, drawn_text, view_text
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.snapshot import Look, Maker, Waiting
from dpdesigner.studies.table_panels import Rank, Ranking, Sentence

MOST_CHANCE = 0.9999
_ROOMS = 5, 3  # of a plot, and of a second one below it


def shift_of(noise: NoiseAnswer, share: float) -> float:
    """Return the neighbouring answer less the first one, at a share of the sensitivity: a whole number for an integer query."""
    place = min(max(share, -1.0), 1.0) * noise.design.period
    return float(round(place)) if noise.design.query == "integer" else float(f"{place:.3g}")


def _noise(look: Look, view: str) -> NoiseAnswer:
    """Return the noise once all that a view shows of it is computed, which takes a job in some views."""
    noise: NoiseAnswer = look.answer.noise_shown
    if not noise.ready(view):
        look.job("look")
    return noise


def _looked_at(look: Look, view: str) -> dict[str, float]:
    """Return where the handle of a view is."""
    if view == "density":
        return {"shift": shift_of(look.answer.noise_shown, look.view["share"])}
    return {"chance": min(max(look.view["chance"], 0.0), MOST_CHANCE)} if view == "distribution" else {}


@lru_cache(maxsize=4)
def _plots(noise: NoiseAnswer, view: str, shift: float = 0.0, chance: float = 0.95) -> tuple[Plot, ...]:
    return plots(view, noise, shift, chance)


def plot(view: str, number: int, look: Look) -> Plot:
    """Return the first or the second plot of a view."""
    shown, noise = next(each for each in look.answer.design.views if each.key == view), _noise(look, view)
    made = _plots(noise, view, **_looked_at(look, view))[number]
    title = message("{title}, ratio", title=shown.title) if number else shown.title
    draws = _drawn(look) if view == "density" and not number else None
    landing = None if draws is None else draws.landing(made)
    return replace(made, key=shown.panels[number], title=title, room=_ROOMS[number], landing=landing)


def _drawn(look: Look) -> Drawn | None:
    """Return the noise that was drawn for this very answer."""
    try:
        made: Drawn = look.job("draw")
    except Waiting:
        return None
    return made


def _plane(look: Look) -> Planes:
    return planes(_noise(look, "plane"))[0]


def _budget(look: Look) -> Ranking:
    noise: NoiseAnswer = look.answer
    try:
        return shared(noise.budget, bool(noise.design.weights))
    except InputError:  # the sentence says why
        return Ranking("budget", "")


def sentence(look: Look) -> Sentence:
    """Say what is seen in the open view."""
    noise, view = look.answer.noise_shown, look.view.get("view", "")
    if view != "budget":
        words, draws = view_text(noise, view, **_looked_at(look, view)), None if look.answer is not noise else _drawn(look)
        if draws is not None:
            words = message("{drawn} {words}", drawn=drawn_text(draws), words=words)
        return Sentence(words, key="told")
    try:
        return Sentence(budget_sentence(noise.budget, noise.design.privacy), key="told")
    except InputError as error:
        return Sentence(str(error), key="told")


def costs(look: Look) -> Ranking:
    """Return a bar for each cost, the best first; what is only compared with stays behind."""
    found = {key: look.answer.findings[key] for key in look.answer.ranking}
    rows = [
        Rank(
            cost.label,
            cost.number,
            "rival" if cost.state == "given" else "main",
            cost.state == "proved",
            key,
            text=format_finding(cost) if cost.unit and cost.number is not None else "",
        )
        for key, cost in found.items()
    ]
    return Ranking("costs", message("Expected cost"), tuple(rows))


_OTHERS: Mapping[str, Maker] = {"plane": _plane, "budget": _budget}


def panels_of(design: Any, others: Mapping[str, Maker] = _OTHERS) -> dict[str, Maker]:
    """Return what makes each panel of a design, by its key: plots, but for `others`, a sentence, and the costs."""
    made: dict[str, Maker] = {}
    for view in design.views:
        for number, key in enumerate(view.panels):
            made[key] = others[key] if key in others else partial(plot, view.key, number)
    made["told"] = others.get("told", sentence)
    made["costs"] = costs
    return made
