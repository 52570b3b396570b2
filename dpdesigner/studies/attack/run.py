"""Running an attack: on the answers, on private answers to the same questions, and by what is certain of each person."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from dpdesigner.arrays import Floats
from dpdesigner.core.reconstruction.attack import ATTACKERS, Reconstruction, attacked, programmable
from dpdesigner.core.reconstruction.linear_programs import Ranges, ranges
from dpdesigner.core.reconstruction.problem import best_fit
from dpdesigner.studies.attack.answer import AttackAnswer
from dpdesigner.studies.attack.data import problem_of
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.attack.panels import PANELS
from dpdesigner.studies.study import Progress, silent


@dataclass(frozen=True, eq=False)
class Beside:
    """Other results for a design: by the best fit to private answers ("private"), by others, or for certain."""

    design: AttackDesign
    by: dict[str, Reconstruction]
    ranges: Ranges | None = None


def run(design: AttackDesign, progress: Progress = silent) -> AttackAnswer:
    """Attack the answers, and the same questions answered privately; of published answers, say what is certain."""
    outcome = attack(design, progress)
    if design.answers:
        return outcome.completed(ranges=certain(design, progress).ranges)
    return outcome if design.noisy else outcome.completed(private=privately(design, progress).by["private"])


def attack(
    design: AttackDesign, progress: Progress = silent, told: Callable[[AttackAnswer], object] | None = None
) -> AttackAnswer:
    """Attack the answers alone; `told` is told what is known on the way."""
    problem = problem_of(design, progress)

    def tell(values: Floats) -> None:
        if told is not None:
            told(AttackAnswer(design, problem, Reconstruction(values, design.who, 0, math.nan), PANELS))

    reconstruction = attacked(problem.questions, problem.answers, problem.bound, design.who, progress, tell)
    return AttackAnswer(design, problem, reconstruction, PANELS)


def privately(design: AttackDesign, progress: Progress = silent) -> Beside:
    """Attack the same questions, answered with geometric noise of the design's epsilon for all of them together."""
    problem = problem_of(design, progress)
    return Beside(design, {"private": best_fit(problem, design.epsilon_in_all, design.seed, progress)})


def others(design: AttackDesign, progress: Progress = silent) -> Beside:
    """Let the other attackers at the same answers, where programs are within reach."""
    problem = problem_of(design, progress)
    able = programmable(design.n, design.queries)
    rest = [each for each in ATTACKERS if each != design.who and able]
    return Beside(design, {each: attacked(problem.questions, problem.answers, problem.bound, each, progress) for each in rest})


def certain(design: AttackDesign, progress: Progress = silent) -> Beside:
    """Return the least and the largest value that fits published answers, for each person."""
    problem = problem_of(design, progress)
    return Beside(design, {}, ranges(problem.questions, problem.answers, problem.bound, progress))
