"""How often corrected bisection is further off than it aims for, against the number of rows: measured on flat columns."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from dpdesigner.core.synthetic.bisection import bisect, plan_of
from dpdesigner.core.synthetic.cells import running_total
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.progress import Progress, silent

RUNS = 60
_COLUMNS = 3  # drawn anew for each point
_MOST_ROWS = 2_000_000


@dataclass(frozen=True)
class Failures:
    """The share of releases that were further off than alpha, with its standard error."""

    rows: int
    share: float
    error: float


def failures(
    bits: int, rows: int, epsilon: Fraction, accuracy: Fraction, runs: int = RUNS, progress: Progress = silent
) -> Failures:
    """Release flat columns of so many rows again and again, and count how often an interval is off by more than alpha."""
    plan, size = plan_of(bits, rows, epsilon, accuracy), 1 << bits
    generator, source, failed = np.random.default_rng(rows), for_study(rows), 0
    edges = np.arange(size + 1)
    for run in range(runs):
        progress(run / runs, "")
        if run % max(runs // _COLUMNS, 1) == 0:
            counts = np.bincount(generator.integers(0, size, rows), minlength=size)
            totals = running_total(counts)
        ends = np.concatenate([[0], bisect(counts, plan, source).ends])
        made = np.floor(np.interp(edges, ends, rows * np.arange(len(ends)) / (len(ends) - 1)) + 0.5)
        path = made - totals
        failed += float(path.max() - path.min()) > accuracy * rows
    share = failed / runs
    return Failures(rows, share, sqrt(max(share * (1 - share), 1 / (4 * runs)) / runs))


def row_numbers(stated: float, right: float) -> list[int]:
    """Return the numbers of rows to look at, from below the stated size to where it no longer fails, the middle ones first."""
    low, high = max(stated / 8, 10), min(max(right, stated) * 1.2, stated * 32, _MOST_ROWS)
    grid = np.unique(np.geomspace(low, max(high, low * 2), 9).astype(int))
    order = np.argsort(abs(np.arange(len(grid)) - len(grid) // 3), kind="stable")
    return [round(stated), *(int(rows) for rows in grid[order])]
