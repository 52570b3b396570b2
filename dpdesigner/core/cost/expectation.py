"""The expected cost of noise with a smooth even density, by Gauss quadrature between the cuts of the cost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.cost.cost import NoiseCost
from dpdesigner.core.numbers.gauss import gauss

_NODES = 20
#: Below this part of the scale the noise has no mass to speak of.
_NEAR = 2.0**-64


def expectation(cost: NoiseCost, density: Callable[[Floats], Floats], last: float, scale: float) -> float:
    """Return E L(X) = 2 int_0^last L(x) f(x) dx.

    Parameters
    ----------
    cost : NoiseCost
        L.
    density : callable
        f, even, and on x > 0 as smooth as exp(-x / scale) or exp(-x^2 / scale^2).
    last : float
        Beyond it f has no mass that matters.
    scale : float
        Over this length f changes by a factor of about e.
    """
    doubling = scale * np.exp2(np.arange(-64, 2))
    steps = np.arange(4 * scale, last, 4 * scale) if last / scale < 2000 else np.geomspace(4 * scale, last, 400)
    cuts = np.concatenate(([0.0], doubling, steps, cost.cuts[cost.cuts > _NEAR * scale], [last]))
    cuts = np.unique(cuts[cuts <= last])
    half = np.diff(cuts) / 2
    nodes, weights = gauss(_NODES)
    x = (cuts[:-1] + half)[:, None] + half[:, None] * nodes
    return float(2 * (half @ ((cost.value(x) * density(x)) @ weights)))
