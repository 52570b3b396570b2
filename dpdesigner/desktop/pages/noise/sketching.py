"""What a small picture of a noise study shows: the shape of its noise, without the curves that take long to compute."""

from __future__ import annotations

from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase, best_split
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.studies.noise.costs import least_cost, split_of
from dpdesigner.studies.noise.curves import density_curves
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.panels import Axis, Line, Plot


def sketched(study: NoiseStudy) -> Portrait:
    """Return the shape of the noise; of a choice among a few outputs its table."""
    if study.query == "table":
        return Portrait((), matrix=study.table.mechanism(study.epsilon, 1 if study.gamma == "optimal" else study.gamma).matrix)
    if study.query == "histogram":
        study = study.replace(query="integer", sensitivity=1, gamma="optimal")
    noise = _discrete(study) if study.query == "integer" else _continuous(study)
    curves = density_curves(study, noise)
    line = Line(curves.x, curves.staircase, steps=study.query == "real")
    return Portrait((), charts=(Plot("density", "", Axis(), Axis(), (line,)),))


def _discrete(study: NoiseStudy) -> DiscreteStaircase:
    size, chosen = int(study.period), study.chosen_gamma
    split = best_split(study.noise_cost, study.epsilon, size).split if chosen is None else split_of(chosen, size)
    return DiscreteStaircase(study.epsilon, split, size)


def _continuous(study: NoiseStudy) -> Staircase:
    chosen = study.chosen_gamma
    gamma = least_cost(study.cost, study.epsilon, study.period, study.dimension).gamma if chosen is None else chosen
    return Staircase(study.epsilon, gamma if 0 <= gamma <= 1 else 0.5, study.period)
