"""How fast it is, as ratios measured side by side in one run: python tests/benchmarks/run.py [--json [FILE]] [--large]."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does, before numpy is there

from measuring import ROOT, Line, machine

sys.path.insert(0, str(ROOT))

import dragging
import growth
import solving
import window


def sections(large: bool, seed: int) -> dict[str, Callable[[], list[Line]]]:
    """What is measured, in this order: the solvers' threads, once started, disturb those of the matrix products."""
    return {
        "dense": partial(solving.dense, seed),
        "solvers": partial(solving.against_solvers, (100, 200), seed, large),
        "exact": partial(solving.exact, seed),
        "sweep": partial(solving.sweep, seed),
        "drag": partial(dragging.dragging, seed),
        "columns": partial(dragging.columns, seed),
        "growth": growth.growth,
        "frames": window.frames,
        "freezes": window.freezes,
        "start": window.start,
        "memory": window.memory,
    }


def main() -> None:
    """Measure, print the table, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="write JSON too; without FILE, instead of the table")
    parser.add_argument("--large", action="store_true", help="also scipy and highspy at n = 200 (minutes)")
    parser.add_argument("--only", default="", metavar="SECTIONS", help="some sections, such as dense,start")
    parser.add_argument("--seed", type=int, default=1, help="other designs")
    wanted = parser.parse_args()
    measured = sections(wanted.large, wanted.seed)
    chosen = wanted.only.split(",") if wanted.only else list(measured)
    unknown = sorted(set(chosen) - set(measured))
    if unknown:
        parser.error(f"the sections are {', '.join(measured)}, got {unknown[0]}")
    quiet, lines = wanted.json == "-", []
    if not quiet:
        print(machine(), flush=True)
    for name in chosen:
        for line in measured[name]():
            lines.append(line)
            if not quiet:
                print(line.text, flush=True)
    text = json.dumps({"machine": machine(), "seed": wanted.seed, "lines": [line.data for line in lines]}, indent=1)
    if quiet:
        print(text)
    elif wanted.json:
        Path(wanted.json).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
