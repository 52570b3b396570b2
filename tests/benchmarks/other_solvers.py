"""The same linear program as other programs solve it."""

from __future__ import annotations

import importlib.util
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

import dpdesigner as dp

Floats = NDArray[np.float64]

HAS_QIF = importlib.util.find_spec("qif") is not None


def costs_of(design: dp.CountDesign) -> Floats:
    """c_ir = p_i l(i, r)."""
    return np.asarray(design.prior.probabilities[:, None] * design.loss.matrix(design.n))


def constraints(n: int, alpha: float) -> tuple[Any, Any]:
    """Rows of "at most 0" (privacy, adjacent rows only) and of "is 1" (row sums), over x[r, i] laid out column by column."""
    from scipy.sparse import coo_array, eye_array, kron, vstack

    steps = np.arange(n)
    places, shape = (np.r_[steps, steps], np.r_[steps, steps + 1]), (n, n + 1)
    down = coo_array((np.r_[-np.ones(n), np.full(n, alpha)], places), shape=shape)
    up = coo_array((np.r_[np.full(n, alpha), -np.ones(n)], places), shape=shape)
    outputs = eye_array(n + 1)
    private = vstack([kron(outputs, down), kron(outputs, up)]).tocsr()
    return private, kron(np.ones((1, n + 1)), eye_array(n + 1)).tocsr()


def by_scipy(design: dp.CountDesign) -> float:
    """Return the optimum that scipy's linprog (HiGHS) finds."""
    from scipy.optimize import linprog

    private, sums = constraints(design.n, design.privacy.alpha)
    costs = costs_of(design).T.ravel()
    found = linprog(costs, private, np.zeros(private.shape[0]), sums, np.ones(design.n + 1), method="highs")
    return float(found.fun)


def by_highspy(design: dp.CountDesign) -> float:
    """Return the optimum that HiGHS finds, asked directly."""
    from scipy.sparse import vstack

    private, sums = constraints(design.n, design.privacy.alpha)
    matrix = vstack([private, sums]).tocsr()
    costs = costs_of(design).T.ravel()
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = costs.size, matrix.shape[0]
    model.col_cost_, model.col_lower_, model.col_upper_ = costs, np.zeros(costs.size), np.full(costs.size, np.inf)
    model.row_lower_ = np.r_[np.full(private.shape[0], -np.inf), np.ones(design.n + 1)]
    model.row_upper_ = np.r_[np.zeros(private.shape[0]), np.ones(design.n + 1)]
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.passModel(model)
    solver.run()
    return float(solver.getInfo().objective_function_value)


def by_qif(design: dp.CountDesign) -> float:
    """Return the expected loss of the mechanism that libqif constructs."""
    import qif

    costs, losses = costs_of(design), design.loss.matrix(design.n)
    constructed = qif.mechanism.d_privacy.min_loss_given_d(
        np.asarray(design.prior.probabilities),
        design.n + 1,
        qif.metric.scale(qif.metric.euclidean(qif.uint), design.privacy.epsilon),
        lambda i, r: float(losses[int(i), int(r)]),
        d_priv_ch=qif.metric.euclidean_chain(qif.uint),
    )
    return float((np.asarray(constructed) * costs).sum())
