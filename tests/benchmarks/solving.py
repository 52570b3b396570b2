"""Solve + certificate against linear-programming solvers; exact arithmetic; the sweep of epsilon.

To solve is counted from prior and loss as arrays, which a design is made of, to the certified answer: what a user waits for.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from measuring import Line, median, side_by_side, timed
from numpy.typing import NDArray
from other_solvers import HAS_QIF, by_highspy, by_qif, by_scipy

import dpdesigner as dp
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.count.alternatives import optimal_loss

T = TypeVar("T")
Floats = NDArray[np.float64]

#: How much faster than the solvers, by n.
_FASTER = {100: 1000.0, 200: 3000.0}


def dense(seed: int) -> list[Line]:
    """From a dense loss as an array to the certified answer: against solving alone, and in passes of one numpy.add.

    A pass adds two matrices of losses into a third. Seconds of the processor: where others use the machine, what takes longer
    waits for them more often.
    """
    lines = []
    for n, most in ((100, None), (200, None), (500, None), (1000, 8.0), (2000, 6.0)):
        rng = np.random.default_rng(seed)
        loss = np.sort(rng.random((n + 1, n + 1)), axis=1)[:, ::-1].cumsum(axis=1)
        prior, epsilon = rng.dirichlet(np.ones(n + 1)), float(rng.uniform(0.3, 1.5))
        first, second, out = (rng.random((n + 1, n + 1)) for _ in range(3))
        design = dp.CountDesign(n, epsilon=epsilon, prior=prior, loss=loss)
        calls = [partial(_solved, n, epsilon, prior, loss), partial(np.add, first, second, out), partial(dp.solve, design)]
        ours, one, alone = side_by_side(calls, 21 if n >= 1000 else 201, time.process_time)
        detail = f"{1000 * ours:.2f} ms against {1000 * alone:.2f} ms"
        lines.append(Line(f"arrays in to answer, dense loss, n = {n}", ours / alone, "times the solving", 2.0, detail=detail))
        if most is not None:
            what = f"solve + certificate, dense loss, n = {n}"
            detail = f"{1000 * ours:.2f} ms against {1000 * one:.2f} ms"
            lines.append(Line(what, ours / one, "passes of numpy.add", most, detail=detail))
    return lines


def _solved(n: int, epsilon: float, prior: Floats, loss: Floats) -> dp.CountAnswer:
    """From arrays in to the certified answer, which a window knows again by its design's hash and equality."""
    design = dp.CountDesign(n, epsilon=epsilon, prior=prior, loss=loss)
    answers = {design: dp.solve(design)}
    return answers[design]


def against_solvers(sizes: tuple[int, ...], seed: int, large: bool) -> list[Line]:
    """Solve + certificate against scipy's linprog, highspy and qif on the same programs, in turn, in time of the processor."""
    solvers: dict[str, Callable[[dp.CountDesign], float]] = {"scipy linprog": by_scipy, "highspy": by_highspy}
    if HAS_QIF:
        solvers["qif 1.6.0"] = by_qif
    lines = []
    for n in sizes:
        rng = np.random.default_rng(seed)
        epsilon, belief = float(rng.uniform(0.5, 1.5)), f"binomial:{rng.uniform(0.2, 0.8):.2f}"
        prior = dp.CountDesign(n, epsilon=epsilon, prior=belief).prior.weights
        for name, solver in solvers.items():
            if n > 100 and not large and name != "qif 1.6.0":
                continue
            ours, theirs, apart = _in_turn(solver, epsilon, prior, rng, 5 if n <= 100 else 3)
            detail = f"{1000 * ours:.2f} ms against {theirs:.3g} s; values {apart:.0e} apart"
            unit = f"times faster than {name}"
            lines.append(Line(f"solve + certificate, n = {n}", theirs / ours, unit, _FASTER[n], True, detail))
    return lines


def _in_turn(
    solver: Callable[[dp.CountDesign], float], epsilon: float, prior: Floats, rng: np.random.Generator, runs: int
) -> tuple[float, float, float]:
    """Median seconds of the processor for ours and for a solver, and how far their values are apart.

    Before each run of the solver 11 of ours, the last with its prior: once the one given, then drawn ones. Where others use the
    machine, long runs wait for it and short ones do not: that is not counted.
    """
    ours, theirs, apart = [], [], 0.0
    n, counts = len(prior) - 1, np.arange(len(prior), dtype=float)
    loss = np.abs(counts[:, None] - counts)
    _solved(n, epsilon, prior, loss)
    for run in range(runs):
        priors = [rng.dirichlet(np.ones(n + 1)) for _ in range(11)]
        if not run:
            priors[-1] = prior
        answers = [_worked(partial(_solved, n, epsilon, belief, loss)) for belief in priors]
        outcome = answers[-1][1]
        spent, value = _worked(partial(solver, outcome.design))
        ours += [seconds for seconds, _ in answers]
        theirs.append(spent)
        apart = max(apart, abs(value - float(outcome.value)))
    return statistics.median(ours), statistics.median(theirs), apart


def _worked(call: Callable[[], T]) -> tuple[float, T]:
    start = time.process_time()
    answer = call()
    return time.process_time() - start, answer


def exact(seed: int) -> list[Line]:
    """The exact rational solution with its proof against the program in doubles."""
    p = np.random.default_rng(seed).integers(20, 80) / 100
    middle, large = (dp.CountDesign(n, alpha="1/2", prior=f"binomial:{p}") for n in (100, 200))
    program = timed(by_highspy, middle)[0]
    fractions = [median(partial(dp.solve, design, exact=True), 3) for design in (middle, large)]
    gaps = [dp.solve(design, exact=True).certificate.gap for design in (middle, large)]
    detail = f"gap {gaps[0]}, {1000 * fractions[0]:.0f} ms against {program:.3g} s"
    return [
        Line("exact solution + proof, n = 100", fractions[0] / program, "of one highspy program", 10, detail=detail),
        Line("exact solution + proof, n = 200", fractions[1], "s", 1, detail=f"gap {gaps[1]}"),
    ]


def sweep(seed: int) -> list[Line]:
    """200 points of epsilon against one linear program."""
    prior = np.random.default_rng(seed).dirichlet(np.ones(101))
    design = dp.CountDesign(100, epsilon=1, prior=prior)
    loss = design.loss.matrix(100)
    program = timed(by_highspy, design)[0]
    levels = [PrivacyLevel.from_epsilon(epsilon) for epsilon in np.geomspace(0.01, 10, 200).tolist()]
    ours = median(lambda: [optimal_loss(design.prior.probabilities, loss, level, True) for level in levels], 3)
    detail = f"{1000 * ours:.0f} ms against {program:.3g} s"
    return [Line("200 points of epsilon, n = 100", ours / program, "of one highspy program", 1, detail=detail)]
