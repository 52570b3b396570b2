"""The linear program while dragging, and for losses outside Theorem A."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from measuring import Line, share, timed
from other_solvers import costs_of

import dpdesigner as dp
from dpdesigner.core.mechanism.column_generation import solve_by_columns
from dpdesigner.core.mechanism.linear_program import solve_linear_program
from dpdesigner.studies.count.answer import WarmCheck

_FRAME = {10: 33.0, 20: 33.0, 30: 33.0, 50: 100.0}


def dragging(seed: int) -> list[Line]:
    """The linear program check per step of a drag: epsilon, a stroke over the prior, a preset's parameter, the loss."""
    lines = []
    losses = {"covered loss": "power:{:.4g}", "loss outside Theorem A": "expression:1 + abs(i-r)**{:.4g} % 3.3 + abs(i-r)/5"}
    for kind, loss in losses.items():
        for n, frame in _FRAME.items():
            times, gap = _followed(n, seed, loss)
            detail = f"p50 {share(times, 0.5):.1f}, p99 {share(times, 0.99):.0f} ms; gaps up to {gap:.0e} of the largest cost"
            lines.append(
                Line(
                    f"linear program check, step of a drag, n = {n}, {kind}", share(times, 0.95), "ms (p95)", frame, detail=detail
                )
            )
    return lines


def _followed(n: int, seed: int, loss: str) -> tuple[list[float], float]:
    """Seconds of each step of three drags, and the largest certified gap."""
    times, gaps = [], []
    for k in range(3):
        lp_check = WarmCheck()
        for step, design in enumerate(_drag(n, seed + k, loss)):
            if step == 0:
                lp_check.settle(design)
            spent, found = timed(lp_check.follow, design)
            times.append(spent)
            gaps.append(found.gap / float(np.abs(costs_of(design)).max()))
    return times, max(gaps)


def _drag(n: int, seed: int, loss: str) -> Iterator[dp.CountDesign]:
    rng = np.random.default_rng(seed)
    epsilon, power, weights = float(np.exp(rng.uniform(-2, 1.4))), 1.0, np.ones(n + 1)
    prior: str | tuple[float, ...] = "uniform"
    for what in rng.permutation(4).repeat(25):
        if what == 0:
            epsilon *= 1.03
        elif what == 1:
            weights[int(rng.integers(n + 1))] *= 1.3
            prior = tuple(weights.tolist())
        elif what == 2:
            prior = f"binomial:{rng.uniform(0.3, 0.31):.4f}"
        else:
            power += 0.02
        yield dp.CountDesign(n, epsilon=epsilon, prior=prior, loss=loss.format(power))


def columns(seed: int) -> list[Line]:
    """Column generation, and HiGHS on the full program, for losses outside Theorem A at n = 100."""
    rng = np.random.default_rng(seed)
    n, d = 100, np.abs(np.arange(101)[:, None] - np.arange(101)).astype(float)
    losses = {
        "wave": 1 - np.cos(d),
        "ring": (d - rng.integers(3, 30)) ** 2,
        "random": rng.random((n + 1, n + 1)),
        "sawtooth": d % rng.integers(3, 12),
        "two answers do": np.minimum(d, np.abs(d - 40)),
    }
    lines = []
    for name, loss in losses.items():
        costs = rng.dirichlet(np.ones(n + 1))[:, None] * loss
        alpha, scale = float(np.exp(-rng.uniform(0.3, 1.5))), float(np.abs(costs).max())
        ours, full = solve_by_columns(costs, alpha), solve_linear_program(costs, alpha)
        gaps = f"gap {ours.gap / scale:.0e} of the largest cost"
        detail = f"{ours.method}, {gaps}; HiGHS {full.seconds:.3g} s, {full.gap / scale:.0e}"
        lines.append(Line(f"outside Theorem A, n = 100, {name}", ours.seconds, "s", 3, detail=detail))
    return lines
