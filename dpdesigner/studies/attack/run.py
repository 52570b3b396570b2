"""Running an attack: on the answers, on private answers to the same questions, and by what is certain of each person."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpdesigner.arrays import Floats
from dpdesigner.core.reconstruction.attack import Reconstruction, attacked
from dpdesigner.studies.attack.answer import AttackAnswer
from dpdesigner.studies.attack.data import problem_of
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.attack.panels import PANELS
from dpdesigner.studies.study import Progress, silent


def run(design: AttackDesign, progress: Progress = silent) -> AttackAnswer:
    """Attack the answers, and the same questions answered privately; of published answers, say what is certain."""
    answer = attack(design, progress)
    if design.answers:
        return answer.completed(ranges=answer.find_ranges(progress))
    return answer if design.noisy else answer.completed(private=answer.find_private(progress))


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
