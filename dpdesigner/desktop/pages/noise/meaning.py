"""What the answer of a noise study comes to, as bars and as exact numbers; no widget is touched here."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.given import exact
from dpdesigner.desktop.pages.noise import words
from dpdesigner.desktop.widgets.base.number_text import significant
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.histogram_outcome import HistogramOutcome
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.tables import Rank, Ranking

Answer = NoiseOutcome | HistogramOutcome | TableOutcome
Numbers = list[tuple[str, str]]

#: Percentages below this are rounding errors of doubles.
_ROUNDING = 1e-9


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def ranking(answer: Answer) -> Ranking:
    """Return what each noise costs, the best first."""
    return Ranking("costs", _tr("What it costs"), tuple(_ranks(answer)))


def _ranks(answer: Answer) -> Sequence[Rank]:
    if isinstance(answer, HistogramOutcome):
        return (
            Rank(_tr("Geometric, each cell"), answer.cell.cost, "main", answer.proved, "best"),
            Rank(_tr("Laplace, not rounded, each cell"), answer.laplace_cost, "rival", key="laplace"),
        )
    if isinstance(answer, TableOutcome):
        return (
            Rank(_tr("Staircase weights"), answer.cost, key="best"),
            Rank(_tr("Exponential weights"), answer.exponential_cost, "rival", key="exponential"),
        )
    return _noise_ranks(answer)


def _noise_ranks(outcome: NoiseOutcome) -> list[Rank]:
    study = outcome.study
    best = _tr("Staircase, best γ") if study.query == "real" else _tr("Discrete staircase, best r")
    if study.dimension > 1:
        best = _tr("Staircase, best γ for the {cost}").format(cost=study.noise_cost.title)
    costs = [Rank(best, outcome.least, "main", outcome.best_proved, "best")]
    if study.gamma != "optimal":
        chosen = _tr("Staircase, {gamma}").format(gamma=words.gamma_words(outcome))
        costs.append(Rank(chosen, outcome.cost, key="chosen"))
    if study.query == "real":
        costs.append(Rank(_tr("Staircase, γ = 1/2"), outcome.by_gamma.half, key="half"))
    laplace = _tr("Laplace") if study.query == "real" else _tr("Discrete Laplace")
    costs.append(Rank(laplace, outcome.laplace_cost, "rival", key="laplace"))
    return [*costs, *(Rank(words.alternative_name(found.key), found.cost, key=found.key) for found in outcome.alternatives)]


def sentence(answer: Answer) -> str:
    """Return the one thing that the bars say."""
    if isinstance(answer, HistogramOutcome):
        saved = answer.laplace_cost / answer.cell.cost - 1 if 0 < answer.cell.cost < math.inf else math.nan
        return "" if not 0 < saved < math.inf else words.laplace_extra(100 * saved)
    if isinstance(answer, TableOutcome):
        return _tr("Privacy of this table: ε = {level}").format(level=words.level(answer))
    return words.laplace_sentence(answer)


def numbers(answer: Answer) -> Numbers:
    """Return the exact numbers by name."""
    if isinstance(answer, HistogramOutcome):
        return _histogram_numbers(answer)
    if isinstance(answer, TableOutcome):
        return [
            ("Δ", str(answer.mechanism.sensitivity)),
            ("γ", str(exact(answer.gamma, "gamma"))),
            (_tr("ε of the weights"), repr(answer.study.privacy.epsilon_above)),
            (_tr("ε of the table"), repr(answer.mechanism.level)),
            (_tr("cost, on average"), repr(answer.cost)),
            (_tr("cost, worst row"), repr(float(answer.row_costs(answer.mechanism.matrix).max()))),
        ]
    return _noise_numbers(answer)


def _histogram_numbers(answer: HistogramOutcome) -> Numbers:
    return [
        (_tr("cells"), str(answer.cells)),
        (_tr("sensitivity Δ"), str(answer.query.sensitivity.value)),
        (_tr("ε of the whole"), repr(answer.study.privacy.epsilon_above)),
        (_tr("ε of each cell"), repr(answer.cell_privacy.epsilon_above)),
        (_tr("cost of each cell"), _number(answer.cell.cost)),
        (_tr("cost of all cells"), _number(answer.cost)),
        (_tr("each, at least 95 % sure"), f"±{answer.within()}"),
    ]


def _noise_numbers(outcome: NoiseOutcome) -> Numbers:
    star = "*" if outcome.study.gamma == "optimal" else ""
    gamma = f"γ{star}", repr(outcome.gamma)
    if outcome.split is not None:
        split = _tr("{split} of {period}").format(split=outcome.split, period=outcome.study.sensitivity)
        gamma = f"r{star}", split
    saving = 100 * (1 - 1 / outcome.laplace_ratio) if outcome.laplace_ratio > 0 else math.nan
    saving = 0.0 if abs(saving) < _ROUNDING else saving
    return [
        gamma,
        (_tr("staircase costs"), _number(outcome.cost)),
        (_tr("Laplace costs"), _number(outcome.laplace_cost)),
        (_tr("saved"), f"{significant(saving, 6)} %" if math.isfinite(saving) else "–"),
        (_tr("P(0)") if outcome.split is not None else _tr("density at 0"), _number(outcome.noise.height)),
    ]


def _number(value: float) -> str:
    return repr(float(value)) if math.isfinite(value) else _tr("infinite, or too large")
