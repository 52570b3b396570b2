"""Noise for (epsilon, delta)-differential privacy: truncated Laplace, analytic Gaussian, uniform; and their costs.

Each takes the privacy exactly: the delta that it spends is computed from the density, not from a bound. They are not always
better than noise without a delta: at epsilon = 1 and delta = 1/1000 truncated Laplace costs more than the pure staircase.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.core.noise.cost import NoiseCost, expectation
from dpdesigner.core.noise.curves import Curves, epsilon_grid
from dpdesigner.core.noise.noise_cost import NoiseQuery, PowerCost, check_noise, noise_cost
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

#: Exceeds the rounding in the search for sigma.
_ROUND_UP = 1 + 1e-12
#: Largest relative error of the logarithm of a normal probability.
_ROUNDING = 2.0**-49


@dataclass(frozen=True)
class TruncatedLaplace:
    """Laplace noise of scale Delta / epsilon, truncated at +-A.

    Attributes
    ----------
    epsilon : float
        Positive.
    delta : float
        In (0, 1/2]; beyond 1/2 the cut would fall inside the sensitivity.
    sensitivity : float
        Delta.
    """

    epsilon: float
    delta: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        _check(self.epsilon, self.delta, self.sensitivity)
        if self.delta > 0.5:
            raise InputError(f"truncated Laplace noise needs delta up to 1/2, got {self.delta}.", "delta")

    @property
    def half_width(self) -> float:
        """A = (Delta / epsilon) ln(1 + (e^epsilon - 1) / (2 delta))."""
        return self.sensitivity / self.epsilon * self._widths

    def density(self, x: ArrayLike) -> Floats:
        """Return the density at each x; 0 beyond A."""
        size = np.abs(np.asarray(x, dtype=float)) * (self.epsilon / self.sensitivity)
        height = self.epsilon / self.sensitivity / (-2 * math.expm1(-self._widths))
        return np.asarray(np.where(size <= self._widths, height * np.exp(-size), 0.0))

    def cost(self, cost: NoiseCost) -> float:
        """Return E L(X): for |x|^m the Laplace cost times P(m + 1, A epsilon / Delta) / (1 - exp(-A epsilon / Delta))."""
        scale = self.sensitivity / self.epsilon
        if isinstance(cost, PowerCost):
            from scipy.special import gammainc, hyp1f1

            m, width, inside = cost.power, self._widths, -math.expm1(-self._widths)
            with np.errstate(over="ignore"):
                if width < 1:  # P(m + 1, width) may underflow: use Kummer's function, which equals it except for A^m
                    part = width * math.exp(-width) * float(hyp1f1(1, m + 2, width)) / (m + 1) / inside
                    return float(np.power(np.float64(self.half_width), m) * part)
                return float(np.power(np.float64(scale), m) * math.gamma(m + 1) * float(gammainc(m + 1, width)) / inside)
        if self.half_width > cost.end:
            return math.inf
        return expectation(cost, self.density, self.half_width, min(scale, self.half_width))

    @cached_property
    def _widths(self) -> float:
        """A in units of the scale."""
        excess = self.epsilon + math.log(-math.expm1(-self.epsilon)) - math.log(2 * self.delta)
        return float(np.logaddexp(0, excess))


@dataclass(frozen=True)
class AnalyticGaussian:
    """Gaussian noise with the least standard deviation that is (epsilon, delta)-private (Balle and Wang 2018).

    Attributes
    ----------
    epsilon : float
        Positive.
    delta : float
        In (0, 1).
    sensitivity : float
        Delta.
    """

    epsilon: float
    delta: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        _check(self.epsilon, self.delta, self.sensitivity)

    @cached_property
    def sigma(self) -> float:
        """The least s with Phi(Delta / 2s - eps s / Delta) - e^eps Phi(-Delta / 2s - eps s / Delta) <= delta, rounded up."""
        target = math.log(self.delta)
        low = high = 0.0
        while log_gaussian_delta(math.exp(high), self.epsilon) > target:
            high += 1
        while log_gaussian_delta(math.exp(low), self.epsilon) <= target:
            low -= 1
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if log_gaussian_delta(math.exp(middle), self.epsilon) > target else (low, middle)
        return self.sensitivity * math.exp(high) * _ROUND_UP

    def density(self, x: ArrayLike) -> Floats:
        """Return the density at each x."""
        t = np.asarray(x, dtype=float) / self.sigma
        return np.asarray(np.exp(-t * t / 2) / (self.sigma * math.sqrt(2 * math.pi)))

    def cost(self, cost: NoiseCost) -> float:
        """Return E L(X): sigma^m 2^(m/2) Gamma((m + 1) / 2) / sqrt(pi) for |x|^m."""
        if isinstance(cost, PowerCost):
            m = cost.power
            with np.errstate(over="ignore"):
                scaled = np.power(np.float64(self.sigma * math.sqrt(2)), m)
                return float(scaled * math.gamma((m + 1) / 2) / math.sqrt(math.pi))
        return expectation(cost, self.density, 40 * self.sigma, self.sigma) if 40 * self.sigma <= cost.end else math.inf


@dataclass(frozen=True)
class UniformNoise:
    """Noise that is (0, delta)-private, and so (epsilon, delta)-private for every epsilon: an atom at 0, the rest uniform.

    The one of least E|X|^power among all whose density nowhere rises away from 0 (Geng, Ding, Guo and Kumar 2019); without that
    condition others can cost a little less (E|X| at delta = 0.3: 0.828 Delta instead of 0.833 Delta). For power 1 it is uniform
    on +-Delta / (2 delta) for delta up to 1/2; beyond, there is an atom 2 delta - 1, and the rest is uniform on +-Delta.

    Attributes
    ----------
    delta : float
        In (0, 1).
    sensitivity : float
        Delta.
    power : float
        Positive.
    """

    delta: float
    sensitivity: float = 1.0
    power: float = 1.0

    def __post_init__(self) -> None:
        _check(1.0, self.delta, self.sensitivity)
        if not 0 < self.power < math.inf:
            raise InputError(f"the power must be positive, got {self.power}.", "cost")

    @classmethod
    def cheapest(cls, cost: NoiseCost, delta: float, sensitivity: float = 1.0) -> UniformNoise:
        """Return the cheapest noise for a cost; for a cost that is no power of |x|, the noise for |x|, perhaps not cheapest."""
        return cls(delta, sensitivity, cost.power if isinstance(cost, PowerCost) else 1.0)

    @property
    def half_width(self) -> float:
        """The reach of the noise: a shift by Delta leaves the atom and a strip of the rest uncovered, delta in total."""
        return self.sensitivity / min(2 * self.delta, 2 * self.power / (self.power + 1))

    @property
    def atom(self) -> float:
        """The probability P(X = 0)."""
        return max((self.power + 1) * self.delta - self.power, 0.0)

    def density(self, x: ArrayLike) -> Floats:
        """Return the density at each x, without the atom."""
        inside = np.abs(np.asarray(x, dtype=float)) <= self.half_width
        return np.asarray(np.where(inside, (1 - self.atom) / (2 * self.half_width), 0.0))

    def cost(self, cost: NoiseCost) -> float:
        """Return E L(X) = P(X = 0) L(0) + (1 - P(X = 0)) Lambda(w) / w: Delta / (4 delta) for |x| and delta up to 1/2."""
        width = np.array([self.half_width])
        if width[0] > cost.end:
            return math.inf
        mean = float(cost.integral(width)[0]) / self.half_width
        return self.atom * float(cost.value(np.zeros(1))[0]) + (1 - self.atom) * mean


ApproximateNoise = TruncatedLaplace | AnalyticGaussian | UniformNoise


def log_gaussian_delta(sigma: float, epsilon: float) -> float:
    """Return ln delta of Gaussian noise at sensitivity 1: the least delta for which it is (epsilon, delta)-private, rounded up.

    Notes
    -----
    Where epsilon is small the two terms are nearly equal: what they may be wrong by is charged against their difference.
    """
    from scipy.special import log_ndtr

    first = float(log_ndtr(0.5 / sigma - epsilon * sigma))
    wrong = _ROUNDING * (epsilon + abs(first))
    difference = epsilon + float(log_ndtr(-0.5 / sigma - epsilon * sigma)) - first
    return first + wrong + math.log(-math.expm1(min(difference, 0.0) - wrong))


def _check(epsilon: float, delta: float, sensitivity: float) -> None:
    check_noise(epsilon, sensitivity)
    if not 0 < delta < 1:
        raise InputError(f"delta must be in (0, 1), got {delta}.", "delta")


Key = Literal["truncated-laplace", "gaussian", "uniform"]


@dataclass(frozen=True)
class Alternative:
    """One kind of (epsilon, delta)-private noise.

    Attributes
    ----------
    key : str
        ``"truncated-laplace"``, ``"gaussian"`` (analytic) or ``"uniform"`` (for
        epsilon = 0).
    noise : ApproximateNoise
        Its density.
    cost : float
        Its expected cost.
    width : float
        Half its range; for the Gaussian its standard deviation.
    """

    key: Key
    noise: ApproximateNoise
    cost: float
    width: float


@dataclass(frozen=True, eq=False)
class DeltaCurves(Curves):
    """Costs against epsilon at one delta; nan where this noise does not exist.

    Attributes
    ----------
    epsilon : ndarray
        (m,): in equal ratios, the same as those of `EpsilonCurves`.
    truncated_laplace, gaussian, uniform : ndarray
        (m,) each; `uniform` does not depend on epsilon.
    """

    epsilon: Floats
    truncated_laplace: Floats
    gaussian: Floats
    uniform: Floats


def delta_alternatives(asked: NoiseQuery) -> tuple[Alternative, ...]:
    """Return the noises that the delta allows, cheapest first; empty without a delta."""
    if asked.delta is None:
        return ()
    others = _alternatives(asked.cost, asked.epsilon, asked.delta, asked.period)
    return tuple(sorted(others, key=lambda alternative: alternative.cost))


def delta_curves(asked: NoiseQuery, progress: Progress = silent) -> DeltaCurves | None:
    """Return the costs of the alternatives against epsilon; None without a delta."""
    if asked.delta is None:
        return None
    epsilons = epsilon_grid(asked.epsilon)
    costs: dict[Key, Floats] = {key: np.full(len(epsilons), np.nan) for key in ("truncated-laplace", "gaussian", "uniform")}
    for j, epsilon in enumerate(epsilons.tolist()):
        progress(j / len(epsilons), "costs with delta")
        for alternative in _alternatives(asked.cost, epsilon, asked.delta, asked.period):
            costs[alternative.key][j] = alternative.cost
    return DeltaCurves(epsilons, costs["truncated-laplace"], costs["gaussian"], costs["uniform"])


@lru_cache(maxsize=2048)
def _alternatives(text: str, epsilon: float, delta: float, period: float) -> tuple[Alternative, ...]:
    cost = noise_cost(text)
    gaussian, uniform = AnalyticGaussian(epsilon, delta, period), UniformNoise.cheapest(cost, delta, period)
    others = [
        Alternative("gaussian", gaussian, gaussian.cost(cost), gaussian.sigma),
        Alternative("uniform", uniform, uniform.cost(cost), uniform.half_width),
    ]
    if delta <= 0.5:
        truncated = TruncatedLaplace(epsilon, delta, period)
        others.append(Alternative("truncated-laplace", truncated, truncated.cost(cost), truncated.half_width))
    return tuple(others)
