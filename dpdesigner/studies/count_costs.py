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
from dpdesigner.core.sweep import epsilon_reaching, loss_range, optimal_loss, optimal_losses
from dpdesigner.studies.count import LARGEST_WITH_MATRIX, CountDesign
from dpdesigner.studies.study import Progress, silent

Floats = NDArray[np.float64]

Key = Literal["remapped", "face", "staircase", "half", "laplace", "ignore"]

#: Epsilons of the curves, 0.01 to 10 in equal ratios: so many, but fewer where one takes a noticeable part of a second.
_MOST_POINTS, _FEWEST_POINTS, _POINTS_TIMES_N = 61, 16, 4_000_000


@dataclass(frozen=True)
class CostTable:
    """Expected losses of the same user under several mechanisms at the same epsilon.

    Attributes
    ----------
    study : CountDesign
    losses : tuple of (Key, float)
        ``"remapped"`` geometric + remap; ``"face"`` geometric at face value; ``"staircase"`` and ``"half"`` staircase noise with
        the best gamma for the absolute error and with gamma = 1/2, ``"laplace"`` Laplace noise, each rounded, clamped and
        remapped; ``"ignore"`` the best constant answer.
    """

    study: CountDesign
    losses: tuple[tuple[Key, float], ...]


def cost_table(design: CountDesign, progress: Progress = silent) -> CostTable:
    """Compute the expected losses of the alternatives for a design; a few milliseconds at n = 100, seconds at n = 1 000 000."""
    from dpdesigner.core import laplace, staircase  # late: a window opens without them

    prior, loss, privacy, n = design.prior.probabilities, _costs(design.loss, design.n), design.privacy, design.n
    losses: list[tuple[Key, float]] = [
        ("remapped", optimal_loss(prior, loss, privacy)),
        ("face", alternatives.face_value(prior, loss, privacy)),
    ]
    progress(0.2)
    gamma = staircase.optimal_gamma(privacy.epsilon) if 0 < privacy.epsilon < math.inf else 0.5
    noises: list[tuple[Key, tuple[Floats, Floats]]] = [
        ("staircase", staircase.rounded(privacy.epsilon, gamma, n)),
        ("half", staircase.rounded(privacy.epsilon, 0.5, n)),
        ("laplace", laplace.rounded(privacy.epsilon, n)),
    ]
    for done, (key, noise) in enumerate(noises):
        losses.append((key, alternatives.remapped_noise(prior, loss, *noise)))
        progress(0.4 + 0.2 * done)
    losses.append(("ignore", alternatives.ignoring_the_data(prior, loss)))
    return CostTable(design, tuple(losses))


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
    """Return the most private level whose optimal expected loss is at most a target; some 15 times the work of one level.

    Raises
    ------
    InputError
        If no level reaches the target; says which targets can be reached.
    """
    costs = _costs(design.loss, design.n)
    return PrivacyLevel.from_epsilon(epsilon_reaching(design.prior.probabilities, costs, target, progress))


def reachable_losses(design: CountDesign) -> tuple[float, float]:
    """Return the least and the largest optimal expected loss over all privacy levels."""
    return loss_range(design.prior.probabilities, _costs(design.loss, design.n))


def _costs(loss: Loss, n: int) -> Floats | Structure:
    """The loss as its structure, where that is faster, or as its matrix."""
    found = structure(loss) if n > LARGEST_WITH_MATRIX else None
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
def _cost_curves(prior: Prior, loss: Loss, silently: _Silently) -> CostCurves:
    from dpdesigner.core import laplace

    progress = silently.report
    beliefs, costs = prior.probabilities, _costs(loss, prior.n)
    epsilons = np.geomspace(0.01, 10.0, min(_MOST_POINTS, max(_FEWEST_POINTS, _POINTS_TIMES_N // (prior.n + 1))))
    epsilons.flags.writeable = False
    optimal = optimal_losses(beliefs, costs, epsilons, lambda done: progress(done / 2))
    noisy = np.empty(len(epsilons))
    for k, epsilon in enumerate(epsilons):
        noisy[k] = alternatives.remapped_noise(beliefs, costs, *laplace.rounded(float(epsilon), prior.n))
        progress(0.5 + (k + 1) / (2 * len(epsilons)))
    return CostCurves(epsilons, optimal, noisy, *loss_range(beliefs, costs))
