"""Distributions, locks and strokes for the property tests of the editor."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpdesigner.desktop.editors.weight_rules import Rules

Floats = NDArray[np.float64]

_WEIGHT = st.one_of(st.just(0.0), st.floats(1e-6, 1e6))


@st.composite
def weights(draw: st.DrawFn, largest: int = 30) -> Floats:
    """Weights of 1 to `largest` bars, at least one positive."""
    drawn = np.array(draw(st.lists(_WEIGHT, min_size=1, max_size=largest)))
    if not drawn.any():
        drawn[draw(st.integers(0, len(drawn) - 1))] = draw(st.floats(1e-3, 1e3))
    return drawn


def rules(size: int) -> st.SearchStrategy[Rules]:
    """Locks on some of `size` bars, with or without a held total."""
    return st.builds(Rules, st.frozensets(st.integers(0, size - 1)), st.booleans())


def check(before: Floats, after: Floats, kept_to: Rules) -> None:
    """Assert what every edit owes: usable weights, locked probabilities, a held total."""
    assert after.shape == before.shape
    assert np.isfinite(after).all()
    assert after.min() >= 0
    assert after.sum() > 0
    locked = kept_to.mask(len(before))
    assert np.allclose((after / after.sum())[locked], (before / before.sum())[locked], rtol=1e-9, atol=1e-12)
    if kept_to.hold_total:
        assert np.isclose(after.sum(), before.sum(), rtol=1e-9)
