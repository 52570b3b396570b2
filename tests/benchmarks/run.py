"""How fast it is, as ratios measured side by side in one run: python tests/benchmarks/run.py [--json FILE] [--large]."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

import dpdesigner as dp
from dpdesigner.core.sweep import optimal_losses

Row = tuple[str, float, str, str]


def median(call: Callable[[], object], repeats: int) -> float:
    """Median seconds of a call."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def linear_programs(sizes: tuple[int, ...]) -> list[Row]:
    """Solve + certificate against scipy's linprog (HiGHS) on the same program."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, eye_array, kron, vstack

    rows: list[Row] = []
    for n in sizes:
        design = dp.CountDesign(n, epsilon=1, prior="binomial:0.3")
        costs = design.prior.probabilities[:, None] * design.loss.matrix(n)
        alpha, steps = design.privacy.alpha, np.arange(n)
        places, shape = (np.r_[steps, steps], np.r_[steps, steps + 1]), (n, n + 1)
        down = coo_array((np.r_[-np.ones(n), np.full(n, alpha)], places), shape=shape)
        up = coo_array((np.r_[np.full(n, alpha), -np.ones(n)], places), shape=shape)
        outputs = eye_array(n + 1)
        bounds = kron(outputs, down).tocsr(), kron(outputs, up).tocsr()
        matrix = vstack(bounds).tocsr()
        sums = kron(np.ones((1, n + 1)), eye_array(n + 1)).tocsr()
        start = time.perf_counter()
        limits = {"A_ub": matrix, "b_ub": np.zeros(matrix.shape[0]), "A_eq": sums, "b_eq": np.ones(n + 1)}
        answer = linprog(costs.T.ravel(), **limits, method="highs")
        theirs = time.perf_counter() - start
        dp.solve(design)
        ours = median(lambda design=design: dp.solve(design), 21)
        agree = abs(answer.fun - float(dp.solve(design).value))
        rows.append((f"solve + certificate, n = {n}", theirs / ours, "times faster than scipy linprog", f"agree to {agree:.0e}"))
    return rows


def dense(sizes: tuple[int, ...]) -> list[Row]:
    """Solve + certificate in passes of one numpy.add over the loss matrix."""
    rows: list[Row] = []
    for n in sizes:
        design = dp.CountDesign(n, epsilon=0.7)
        first, second, out = (np.random.default_rng(1).random((n + 1, n + 1)) for _ in range(3))
        dp.solve(design)
        one = median(lambda a=first, b=second, out=out: np.add(a, b, out=out), 21)
        ours = median(lambda design=design: dp.solve(design), 11)
        rows.append((f"solve + certificate, n = {n}", ours / one, "passes of numpy.add", f"{1000 * ours:.2f} ms"))
    return rows


def exact_path() -> list[Row]:
    """The exact rational solution against the linear program in doubles."""
    design = dp.CountDesign(100, alpha="1/2", prior="binomial:0.3")
    program = median(lambda: dp.linear_program(design), 1)
    exact = median(lambda: dp.solve(design, exact=True), 3)
    gap = dp.solve(design, exact=True).certificate.gap
    return [("exact solution, n = 100", exact / program, "of one linear program", f"gap {Fraction(gap)}, {1000 * exact:.0f} ms")]


def sweep() -> list[Row]:
    """200 points of epsilon against one linear program."""
    design = dp.CountDesign(100, alpha="1/2", prior="binomial:0.3")
    prior, loss = design.prior.probabilities, design.loss.matrix(100)
    program = median(lambda: dp.linear_program(design), 1)
    ours = median(lambda: optimal_losses(prior, loss, np.geomspace(0.01, 10, 200)), 3)
    return [("200 points of epsilon, n = 100", ours / program, "of one linear program", f"{1000 * ours:.0f} ms")]


def stroke(n: int) -> list[Row]:
    """One step of a paint stroke on the count page: closed form, everything set, everything painted (offscreen)."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from dpdesigner.desktop.application import make_application
    from dpdesigner.desktop.pages.count import CountPage

    application = make_application()
    page = CountPage()
    page.resize(1196, 620)
    design = dp.CountDesign(n, alpha="1/2", prior=tuple(np.ones(n + 1).tolist()))
    page.set_study(design)
    page.show()
    application.processEvents()
    times = []
    for step in range(60):
        start = time.perf_counter()
        weights = np.ones(n + 1)
        weights[: step + 1] += 0.3
        design = design.replace(prior=tuple(weights.tolist()))
        page.set_study(design)
        page.outcomes["solve"] = design.run()
        page.show_outcome("solve", page.outcomes["solve"])
        page.repaint()
        application.processEvents()
        times.append(time.perf_counter() - start)
    page.close()
    slow = 1000 * statistics.quantiles(times[5:], n=20)[-1]
    return [(f"stroke step to everything painted, n = {n}", slow / 16, "of a 16 ms frame (95th percentile)", f"{slow:.1f} ms")]


def main() -> None:
    """Measure, print the table, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", help="write the table to this file too")
    parser.add_argument("--large", action="store_true", help="also the linear program at n = 200 (minutes)")
    wanted = parser.parse_args()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, numpy {np.__version__}"
    rows = [
        *dense((1000, 2000)),  # first: the solvers' threads, once started, disturb those of the matrix products
        *linear_programs((50, 100, 200) if wanted.large else (50, 100)),
        *exact_path(),
        *sweep(),
        *stroke(100),
        *stroke(500),
    ]
    print(machine)
    for title, ratio, unit, remark in rows:
        print(f"{title:48} {ratio:10.4g} {unit:38} {remark}")
    if wanted.json:
        table = [{"what": title, "ratio": ratio, "unit": unit, "remark": remark} for title, ratio, unit, remark in rows]
        with open(wanted.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "rows": table}, file, indent=1)


if __name__ == "__main__":
    main()
