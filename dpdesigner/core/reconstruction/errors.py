"""How far off answers are: errors within a bound, which hide nothing, and noise of a given epsilon. FOR STUDY ONLY.

All of it is made with numpy's generator from a seed, so that what is shown can be shown again. Errors within a bound have
epsilon = infinity: an answer that is further off than the bound excludes a column altogether.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.noise.simulation import simulate_staircase
from dpdesigner.core.noise.staircase import Staircase

Bounded = Literal["uniform", "rounded", "random-sign", "tightness"]
Noise = Literal["laplace", "geometric", "staircase"]

BOUNDED: tuple[str, ...] = get_args(Bounded)
NOISES: tuple[str, ...] = get_args(Noise)
_NOISE = 2  # the stream of the noises beside that of the questions


def bounded_answers(kind: Bounded, truth: Floats, sizes: Floats, bound: float, n: int, seed: int) -> Floats:
    """Return answers within a bound of the truth.

    Parameters
    ----------
    kind : {"uniform", "rounded", "random-sign", "tightness"}
        Anywhere within the bound; the nearest multiple of twice the bound; off by all of it, up or down; or half the people asked
        about, where that is nearer than the bound, and the truth otherwise (Dinur and Nissim's mechanism that is tight).
    truth, sizes : ndarray
        (t,): the true counts, and how many people each question is about.
    bound : float
        E >= 0.
    n, seed : int
        The people and the seed of the questions: errors follow the memberships of max(t, 4 n) questions in the seed's stream, so
        that up to 4 n questions each keeps its error when there are more of them.
    """
    if kind == "rounded":
        return np.asarray(np.round(truth / (2 * bound)) * (2 * bound)) if bound else truth.copy()
    if kind == "tightness":
        half = sizes / 2
        return np.asarray(np.where(np.abs(truth - half) < bound, half, truth))
    source = np.random.PCG64(seed).advance(max(len(truth), 4 * n) * n)
    place = np.random.Generator(source).random(len(truth))
    if kind == "random-sign":
        return np.asarray(truth + np.where(place < 0.5, -bound, bound))
    return np.asarray(truth + (2 * place - 1) * bound)


def noisy_answers(kind: Noise, truth: Floats, epsilon: float, seed: int) -> Floats:
    """Return answers with noise of so much epsilon each, for one person's value that is another.

    Parameters
    ----------
    kind : {"laplace", "geometric", "staircase"}
    truth : ndarray
        (t,).
    epsilon : float
        Of each answer; one person moves it by at most 1.
    seed : int
    """
    generator = np.random.default_rng([seed, _NOISE])
    if kind == "staircase":
        gamma = 1 / (1 + math.exp(epsilon / 2))  # the best for the absolute error
        return np.asarray(truth + simulate_staircase(Staircase(epsilon, gamma, 1.0), len(truth), generator))
    first, second = -np.log1p(-generator.random((2, len(truth)))) / epsilon
    if kind == "laplace":
        return np.asarray(truth + first - second)
    return np.asarray(truth + np.floor(first) - np.floor(second))


def mean_error(kind: str, bound: float, epsilon: float) -> float:
    """Return how far off an answer is on average: by the bound for those within one, by the epsilon of an answer for noise.

    Notes
    -----
    E / 2 for uniform and (nearly) for rounded answers; 1/eps for Laplace; 2 a / (1 - a^2) with a = e^-eps for geometric;
    e^(eps/2) / (e^eps - 1) for the staircase [Geng]. For "tightness" at most the bound.
    """
    if kind == "laplace":
        return 1 / epsilon
    if kind == "geometric":
        return 1 / math.sinh(epsilon) if epsilon < 700 else 0.0
    if kind == "staircase":
        return 1 / (2 * math.sinh(epsilon / 2)) if epsilon < 700 else 0.0
    return bound / 2 if kind in ("uniform", "rounded") else bound


def geometric_epsilon(error: float) -> float:
    """Return the epsilon of geometric noise that is so far off on average: arsinh(1 / error)."""
    return math.asinh(1 / error) if error > 0 else math.inf


def tells_nothing(kind: str, bound: float, largest: int) -> bool:
    """Return whether answers within a bound are the same whatever the secret is, of questions about at most so many people."""
    return {"tightness": bound > largest / 2, "rounded": bound >= largest}.get(kind, False)
