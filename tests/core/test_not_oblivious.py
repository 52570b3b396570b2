"""[GRS] Theorem 6.3: the optimum that the program proves is that of mechanisms which see the count alone."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from published import NOT_OBLIVIOUS
from scipy.optimize import linprog

from dpdesigner import CountDesign, solve


@pytest.mark.parametrize("alpha", NOT_OBLIVIOUS)
def test_who_believes_in_databases_can_do_better_with_a_mechanism_that_sees_them(alpha: str) -> None:
    """A user who thinks {1} and {2} as likely as {2, 3} alone: a linear program over all 8 databases and 4 answers."""
    databases, level = list(product((0, 1), repeat=3)), float(Fraction(alpha))
    belief = {(1, 0, 0): 0.25, (0, 1, 0): 0.25, (0, 1, 1): 0.5}
    costs = np.array([[belief.get(rows, 0.0) * abs(sum(rows) - r) for r in range(4)] for rows in databases]).ravel()
    private = []
    for a, b in product(range(8), repeat=2):
        if sum(x != y for x, y in zip(databases[a], databases[b], strict=True)) == 1:
            for r in range(4):
                private.append(np.zeros(32))
                private[-1][[4 * a + r, 4 * b + r]] = level, -1
    found = linprog(costs, np.array(private), np.zeros(len(private)), np.kron(np.eye(8), np.ones(4)), np.ones(8))
    assert found.fun == pytest.approx(float(Fraction(NOT_OBLIVIOUS[alpha])), abs=1e-9)
    design = CountDesign(3, alpha=alpha, prior=[0, "1/2", "1/2", 0], loss="absolute")
    oblivious = solve(design, exact=True)
    assert oblivious.value == Fraction(alpha) / (1 + Fraction(alpha)) > Fraction(NOT_OBLIVIOUS[alpha])
    assert oblivious.certificate.gap == 0
