"""Growing functions as piecewise polynomials."""

import numpy as np
import pytest

from dpdesigner.core.cost.panels import fit
from dpdesigner.errors import InputError

EDGES = np.append(0.0, 0.83 * np.exp2(np.arange(-30.0, 11.0)))


def test_integrals_are_relatively_accurate_everywhere() -> None:
    panels = fit(lambda x: x**3 + x, EDGES, "cubic")
    x = np.concatenate((EDGES[1:], np.nextafter(EDGES[1:-1], 1e9), np.geomspace(1e-9, 800, 500)))
    assert panels.integral(x) == pytest.approx(x**4 / 4 + x**2 / 2, rel=1e-13)
    assert panels.integral(np.zeros(1))[0] == 0
    assert panels.corners == ()


def test_panels_have_no_gaps() -> None:
    panels = fit(lambda x: np.minimum(x, 0.7) + np.maximum(x - 11.3, 0), EDGES, "bent")
    assert panels.left[0] == 0
    assert panels.right[:-1].tolist() == panels.left[1:].tolist()
    assert panels.right[-1] == EDGES[-1]
    assert panels.corners == (0.7, 11.3)


def test_what_is_zero_up_to_a_jump_stays_exactly_zero() -> None:
    panels = fit(lambda x: np.where(x > 2, 1.0, 0.0), EDGES, "jump")
    x = np.array([1.0, 2.0, 2 + 1e-12, 3.0])
    assert panels.integral(x)[:2].tolist() == [0, 0]
    assert panels.integral(x)[2:] == pytest.approx([x[2] - 2, 1.0], rel=1e-12)


def test_many_jumps() -> None:
    panels = fit(np.floor, EDGES[EDGES < 300], "floor")
    x = np.array([0.5, 1.25, 7.0, 100.5])
    assert panels.integral(x) == pytest.approx([0, 0.25, 21, 100 * 99 / 2 + 50], rel=1e-12)


@pytest.mark.parametrize(
    ("function", "part"),
    [
        (lambda x: np.floor(1e5 * x), "corners"),
        (lambda x: np.cos(x) + 1, "falls"),
        (lambda x: np.where(x > 5, np.nan, x), "number"),
    ],
)
def test_what_does_not_fit(function: object, part: str) -> None:
    with pytest.raises(InputError, match=part):
        fit(function, EDGES, "it")  # type: ignore[arg-type]
