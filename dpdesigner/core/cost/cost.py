"""What every cost of noise can tell: an even function L(x) that does not fall as |x| grows, given for x >= 0."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats


@dataclass(frozen=True)
class Growth:
    """Whether sup L(T + 1) / L(T) is finite, as [Geng] asks of a cost, and one sentence why or why not.

    Attributes
    ----------
    bounded : bool
    reason : str
    certain : bool
        False where the cost is known by its values at many points only, so that nothing is proved by it.
    """

    bounded: bool
    reason: str
    certain: bool = True


class NoiseCost(ABC):
    """A cost of noise; x >= 0 everywhere. Costs are frozen, and remembered by value."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Short words for a summary."""

    @property
    @abstractmethod
    def growth(self) -> Growth:
        """Whether sup L(T + 1) / L(T) is finite."""

    @property
    @abstractmethod
    def end(self) -> float:
        """The largest x at which L is a double."""

    @property
    def corners(self) -> tuple[float, ...]:
        """The places other than 0 where L is not smooth; increasing."""
        return ()

    @property
    def cuts(self) -> Floats:
        """Points between which L is analytic, besides 0; increasing."""
        return np.array(self.corners)

    @abstractmethod
    def value(self, x: Floats) -> Floats:
        """Return L(x)."""

    def rise(self, x: Floats, step: Floats) -> Floats:
        """Return L(x + step) - L(x), accurate where the cost is smooth in between."""
        return np.asarray(self.value(x + step) - self.value(x))

    @abstractmethod
    def integral(self, x: Floats) -> Floats:
        """Return Lambda(x), the integral of L from 0 to x."""
