"""How time and memory of named losses grow with n; run as a program: one solve in a process of its own.

python tests/benchmarks/growth.py LOSS N REPEATS
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import numpy as np
from measuring import ROOT, Line, child, median

sys.path.insert(0, str(ROOT))

import dpdesigner as dp

LOSSES = ("absolute", "squared", "zero-one", "threshold:5", "pinball:0.3")
_SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)


def growth() -> list[Line]:
    """Time at n = 1 000 000 against n = 100 000, the exponent fitted over 10^4..10^6, and the memory per row."""
    lines = []
    for loss in LOSSES:
        found = {n: child("growth.py", loss, str(n), "5" if n <= 100_000 else "3") for n in _SIZES}
        times = [found[n]["seconds"] for n in _SIZES]
        exponent = float(np.polyfit(np.log(_SIZES), np.log(times), 1)[0])
        ratio, peak = times[-1] / times[2], found[1_000_000]["megabytes"]
        detail = f"{1000 * times[2]:.0f} ms and {times[-1]:.2f} s; gap {found[1_000_000]['gap']:.1e}"
        lines.append(Line(f"{loss}, n = 1 000 000 against 100 000", ratio, "times the time", 12, detail=detail))
        lines.append(Line(f"{loss}, exponent over n = 10^4..10^6", exponent, "", 1.1, detail="time ~ n^exponent"))
        per_row = (peak - found[10_000]["megabytes"]) * 1e6 / 990_000
        lines.append(Line(f"{loss}, peak memory, n = 1 000 000", per_row, "bytes a row", detail=f"{peak:.0f} MB"))
    return lines


def main(loss: str, n: int, repeats: int) -> None:
    """Solve, and print seconds, megabytes at the peak and the gap."""
    design = dp.CountDesign(n, epsilon=0.5, prior="binomial:0.3", loss=loss)
    spent = median(lambda: dp.solve(design), repeats)
    gap = float(dp.solve(design).certificate.gap)
    print(json.dumps({"seconds": spent, "megabytes": _peak(), "gap": gap}))


def _peak() -> float:
    """Return the most memory that this process has used, in megabytes.

    A child process begins with the largest size of its parent in ``ru_maxrss`` on Linux, so the kernel's own mark is read there.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) * 1.024e-3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
