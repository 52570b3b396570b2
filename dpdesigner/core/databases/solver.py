"""The one call of HiGHS for small linear programs, with tight tolerances; refused where it finds no answer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.errors import DpDesignerError

_TIGHT = 1e-10


class Found(NamedTuple):
    """The least value, where it is attained, and the multipliers of the inequalities, at least 0."""

    value: float
    x: Floats
    multipliers: Floats


def least(objective: Floats, above: Floats, limits: Floats, sums: ArrayLike, totals: Floats) -> Found:
    """Minimise ``objective @ x`` over x >= 0 with ``above @ x <= limits`` and ``sums @ x == totals``.

    Raises
    ------
    DpDesignerError
        If HiGHS finds no answer.
    """
    from scipy.optimize import linprog

    solution = linprog(
        objective,
        above,
        limits,
        np.asarray(sums),
        totals,
        method="highs",
        options={"primal_feasibility_tolerance": _TIGHT, "dual_feasibility_tolerance": _TIGHT},
    )
    if solution.status != 0 or solution.x is None or solution.fun is None:
        raise DpDesignerError(f"HiGHS found no answer: {solution.message}")
    return Found(float(solution.fun), np.asarray(solution.x), -np.asarray(solution.ineqlin.marginals))
