"""A weaker attacker that is quick at any size: the column of [0, 1]^n nearest to the answers, min |A x - a|^2.

By exchange of blocks: people are free, or held at 0 or 1; least squares over the free ones (conjugate gradients, so that A is
needed in products only), then all who left [0, 1] are held and all who would come back are freed, until nobody is in the wrong
place. Where that might go in a circle, one person at a time is exchanged (Portugal, Judice and Vicente, 1994).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.reconstruction.interior_point import Point, Told
from dpdesigner.core.reconstruction.questions import Questions
from dpdesigner.progress import Progress, silent

Sides = NDArray[np.int8]

_MOST = 40  # exchanges
_MOST_INNER = 60  # conjugate gradients in one
_PATIENCE = 3  # exchanges that may leave more people in the wrong place
_GOOD = 1e-6  # what is left of the gradient, in shares of t


def nearest_column(questions: Questions, answers: Floats, progress: Progress = silent, told: Told | None = None) -> Point:
    """Return the column of least squares within [0, 1]; parameters as `interior_point.analytic_centre`."""
    x = np.full(questions.n, 0.5)
    side: Sides = np.zeros(questions.n, dtype=np.int8)  # -1 held at 0, 1 held at 1, 0 free
    fewest, patience, slack = questions.n + 1, _PATIENCE, _GOOD * questions.t
    for step in range(_MOST):
        progress(min(0.95, step / 6), f"{step} exchanges")
        x, gradient = _among_the_free(questions, answers, x, side == 0, progress)
        if told is not None:
            told(np.clip(x, 0, 1))
        low, high = (side == 0) & (x < -_GOOD), (side == 0) & (x > 1 + _GOOD)
        back = ((side < 0) & (gradient < -10 * slack)) | ((side > 0) & (gradient > 10 * slack))
        wrong = np.flatnonzero(low | high | back)
        if len(wrong) == 0:
            return Point(np.clip(x, 0, 1), step)
        if len(wrong) < fewest:
            fewest, patience = len(wrong), _PATIENCE
        elif patience:
            patience -= 1
        else:
            wrong = wrong[-1:]
        chosen = np.zeros(questions.n, dtype=bool)
        chosen[wrong] = True
        side = np.where(chosen, np.where(low, -1, np.where(high, 1, 0)), side).astype(np.int8)
        x = np.where(side < 0, 0.0, np.where(side > 0, 1.0, x))
    return Point(np.clip(x, 0, 1), _MOST)


def _among_the_free(
    questions: Questions, answers: Floats, x: Floats, free: NDArray[np.bool_], progress: Progress
) -> tuple[Floats, Floats]:
    """Return the column of least squares where the others stay, and the gradient there."""
    residual = questions.sums(x, progress) - answers
    rest = np.where(free, -questions.votes(residual, progress), 0.0)
    search, size = rest, float(rest @ rest)
    enough = (_GOOD * questions.t) ** 2 * questions.n
    for _ in range(_MOST_INNER):
        if size <= enough:
            break
        image = questions.sums(search, progress)
        curve = float(image @ image)
        if curve <= 1e-14 * float(search @ search):
            break
        length = size / curve
        x, residual = x + length * search, residual + length * image
        rest = rest - length * np.where(free, questions.votes(image, progress), 0.0)
        before, size = size, float(rest @ rest)
        search = rest + size / before * search
    return x, questions.votes(residual, progress)
