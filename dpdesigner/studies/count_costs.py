"""What a count design costs beside other ways of releasing the count, and how its cost depends on epsilon."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import alternatives, laplace, staircase
from dpdesigner.core.loss import Loss
from dpdesigner.core.prior import Prior
from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.sweep import epsilon_reaching, loss_range, optimal_losses
from dpdesigner.studies.count import CountDesign
from dpdesigner.studies.study import Progress, silent

Floats = NDArray[np.float64]

Key = Literal["remapped", "face", "staircase", "half", "laplace", "ignore"]

#: Epsilons of the curves: 0.01 to 10 in equal ratios.
_EPSILONS = np.geomspace(0.01, 10.0, 61)
_EPSILONS.flags.writeable = False


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
    """Compute the expected losses of the alternatives for a design; O(n^3) in the worst case, a few milliseconds at n = 100."""
    prior, loss, privacy, n = design.prior.probabilities, design.loss.matrix(design.n), design.privacy, design.n
    losses: list[tuple[Key, float]] = [
        ("remapped", float(optimal_losses(prior, loss, np.array([privacy.epsilon]))[0])),
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
        (k,).
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


def epsilon_for_loss(design: CountDesign, target: float) -> PrivacyLevel:
    """Return the most private level whose optimal expected loss is at most a target.

    Raises
    ------
    InputError
        If no level reaches the target; says which targets can be reached.
    """
    return PrivacyLevel.from_epsilon(epsilon_reaching(design.prior.probabilities, design.loss.matrix(design.n), target))


def reachable_losses(design: CountDesign) -> tuple[float, float]:
    """Return the least and the largest optimal expected loss over all privacy levels."""
    return loss_range(design.prior.probabilities, design.loss.matrix(design.n))


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
    progress = silently.report
    beliefs, costs = prior.probabilities, loss.matrix(prior.n)
    optimal = optimal_losses(beliefs, costs, _EPSILONS, lambda done: progress(done / 2))
    noisy = np.empty(len(_EPSILONS))
    for k, epsilon in enumerate(_EPSILONS):
        noisy[k] = alternatives.remapped_noise(beliefs, costs, *laplace.rounded(float(epsilon), prior.n))
        progress(0.5 + k / (2 * len(_EPSILONS)))
    return CostCurves(_EPSILONS, optimal, noisy, *loss_range(beliefs, costs))
