"""What a count design costs beside other ways of releasing the count, and how its cost depends on epsilon."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import alternatives
from dpdesigner.core.loss import Loss
from dpdesigner.core.prior import Prior
from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.structured import Structure, structure
from dpdesigner.core.sweep import epsilon_reaching, loss_range
from dpdesigner.studies.count import CountDesign
from dpdesigner.studies.study import Progress, silent

Floats = NDArray[np.float64]

Key = Literal["remapped", "face", "staircase", "half", "laplace", "ignore"]

#: Epsilons of the curves, 0.01 to 10 in equal ratios: so many, but fewer where one takes a noticeable part of a second.
_MOST_POINTS, _FEWEST_POINTS, _POINTS_TIMES_N = 61, 16, 4_000_000
#: Above this n expected losses alone are found faster by the structure of a loss than from its matrix.
_WITH_MATRIX = 1000


@dataclass(frozen=True)
class CostTable:
    """Expected losses of the same user under several mechanisms at the same epsilon.

    Attributes
    ----------
    study : CountDesign
    losses : tuple of (Key, float)
        ``"remapped"`` geometric + remap; ``"face"`` geometric at face value; ``"staircase"`` staircase noise with the best gamma
        for the absolute error, ``"half"`` with gamma = 1/2, which rounded is geometric noise, and ``"laplace"`` Laplace noise,
        each rounded, clamped and remapped; ``"ignore"`` the best constant answer.
    """

    study: CountDesign
    losses: tuple[tuple[Key, float], ...]


def cost_table(design: CountDesign, progress: Progress = silent) -> CostTable:
    """Compute the expected losses of the alternatives for a design; about a second at n = 1 000 000."""
    from dpdesigner.core import laplace, staircase  # late: a window opens without them

    prior, loss, privacy = design.prior.probabilities, _costs(design.loss, design.n), design.privacy
    gamma = staircase.optimal_gamma(privacy.epsilon) if 0 < privacy.epsilon < math.inf else 0.5
    noises = [staircase.rounded(privacy.epsilon, gamma, 1), laplace.rounded(privacy.epsilon, 1)]
    remapped, stairs, noisy = alternatives.remapped_noises(prior, loss, privacy, noises)
    progress(0.8)
    face, ignorant = alternatives.face_value(prior, loss, privacy), alternatives.ignoring_the_data(prior, loss)
    progress(1.0)
    return CostTable(
        design,
        (
            ("remapped", remapped),
            ("face", face),
            ("staircase", stairs),
            ("half", remapped),
            ("laplace", noisy),
            ("ignore", ignorant),
        ),
    )


@dataclass(frozen=True, eq=False)
class CostCurves:
    """Expected loss against epsilon for one prior and loss.

    Attributes
    ----------
    epsilons : ndarray
        (k,), rising from 0.01 to 10; fewer of them for large n.
    optimal, laplace : ndarray
        (k,): geometric + remap, and Laplace rounded + remapped.
    best, worst : float
        The losses without privacy and without data.
    """

    epsilons: Floats
    optimal: Floats
    laplace: Floats
    best: float
    worst: float


def cost_curves(design: CountDesign, progress: Progress = silent) -> CostCurves:
    """Compute the curves of a design; they do not depend on its epsilon and are remembered for the last few priors and losses."""
    return _cost_curves(design.prior, design.loss, _Silently(progress))


def epsilon_for_loss(design: CountDesign, target: float, progress: Progress = silent) -> PrivacyLevel:
    """Return the most private level whose optimal expected loss is at most a target: the work of 12 levels, or 5 near others.

    Raises
    ------
    InputError
        If no level reaches the target; says which targets can be reached.
    """
    prior, costs, known = design.prior.probabilities, _costs(design.loss, design.n), _known_losses(design.prior, design.loss)
    epsilon = epsilon_reaching(prior, costs, target, progress, monotone=design.covered, known=known)
    return PrivacyLevel.from_epsilon(epsilon)


def reachable_losses(design: CountDesign) -> tuple[float, float]:
    """Return the least and the largest optimal expected loss over all privacy levels."""
    return loss_range(design.prior.probabilities, _costs(design.loss, design.n))


def _costs(loss: Loss, n: int) -> Floats | Structure:
    """The loss as its structure, where that is faster, or as its matrix."""
    found = structure(loss) if n > _WITH_MATRIX else None
    return loss.matrix(n) if found is None else found


class _Silently:
    """A progress that does not count in a cache's key."""

    def __init__(self, progress: Progress) -> None:
        self.report = progress

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Silently)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=8)
def _known_losses(prior: Prior, loss: Loss) -> dict[float, float]:
    """Optimal expected losses by epsilon, as they become known: the next target starts from them."""
    return {}


@lru_cache(maxsize=8)
def _cost_curves(prior: Prior, loss: Loss, silently: _Silently) -> CostCurves:
    from dpdesigner.core import laplace

    progress = silently.report
    beliefs, costs = prior.probabilities, _costs(loss, prior.n)
    epsilons = np.geomspace(0.01, 10.0, min(_MOST_POINTS, max(_FEWEST_POINTS, _POINTS_TIMES_N // (prior.n + 1))))
    epsilons.flags.writeable = False
    losses = np.empty((2, len(epsilons)))
    for k, epsilon in enumerate(epsilons.tolist()):
        level = PrivacyLevel.from_epsilon(epsilon)
        losses[:, k] = alternatives.remapped_noises(beliefs, costs, level, [laplace.rounded(epsilon, 1)])
        progress((k + 1) / len(epsilons))
    _known_losses(prior, loss).update(zip(epsilons.tolist(), losses[0].tolist(), strict=True))
    best, worst = loss_range(beliefs, costs)
    return CostCurves(epsilons, losses[0], losses[1], best, worst)
