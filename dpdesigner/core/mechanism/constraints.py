"""Where privacy binds in a remapped geometric mechanism: the constraint matrix of [GRS] Section 5.

``"d"``: x_{i+1} = alpha x_i (the entry falls as fast as it may), ``"u"``: x_i = alpha x_{i+1}, ``"S"``: slack, ``"Z"``: both 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Integers
from dpdesigner.core.mechanism.intervals import Intervals


def constraint_block(intervals: Intervals, rows: Integers, columns: Integers) -> NDArray[np.str_]:
    """Return where privacy binds between true results i and i + 1, i in `rows`, for some releases, (len(rows), len(columns)).

    Read off the remap: a column made of the outputs lo..hi rises up to lo and falls from hi.
    """
    first, last = reach(intervals, columns)
    i = rows[:, None]
    pattern = np.where(i >= last, "d", np.where(i + 1 <= first, "u", "S"))
    return np.asarray(np.where(last < 0, "Z", pattern))


def reach(intervals: Intervals, columns: Integers) -> tuple[Integers, Integers]:
    """Return the first and the last output of some readings; n + 1 and -1 where there is none."""
    start, stop = intervals.of_readings(columns)
    first, last = np.full(len(columns), intervals.n + 1), np.full(len(columns), -1)
    used = np.flatnonzero(start < stop)
    # The intervals of one reading are in the order of their outputs.
    first[used], last[used] = intervals.first[start[used]], intervals.last[stop[used] - 1]
    return first, last
