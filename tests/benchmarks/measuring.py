"""Timing side by side, and the lines of the table."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Line:
    """One line of the table.

    Attributes
    ----------
    what : str
    figure : float
        A ratio or a number.
    unit : str
        What the figure counts.
    target : float or None
        What was aimed at; None: told for information.
    more : bool
        Whether more than the target is better.
    detail : str
        The times behind a ratio, and what was checked on the way.
    """

    what: str
    figure: float
    unit: str
    target: float | None = None
    more: bool = False
    detail: str = ""

    @property
    def verdict(self) -> str:
        """``"ok"``, ``"over"`` or nothing."""
        if self.target is None:
            return ""
        return "ok" if (self.figure >= self.target if self.more else self.figure <= self.target) else "over"

    @property
    def aim(self) -> str:
        """The target in words."""
        return "" if self.target is None else f"{'at least' if self.more else 'at most'} {self.target:g}"

    @property
    def text(self) -> str:
        """The line as it is printed."""
        return f"{self.what:52} {self.figure:9.4g} {self.unit:28} {self.aim:14} {self.verdict:5} {self.detail}".rstrip()

    @property
    def data(self) -> dict[str, Any]:
        """The line as JSON."""
        return {
            "what": self.what,
            "figure": self.figure,
            "unit": self.unit,
            "target": self.target,
            "aim": self.aim,
            "verdict": self.verdict,
            "detail": self.detail,
        }


def timed(call: Callable[..., T], *arguments: Any, clock: Callable[[], float] = time.perf_counter) -> tuple[float, T]:
    """Time one call; return seconds and its result."""
    start = clock()
    result = call(*arguments)
    return clock() - start, result


def side_by_side(
    calls: Sequence[Callable[[], object]], repeats: int, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Median seconds of each call, called in turn so that a busy machine hits all of them alike; once unmeasured before."""
    times: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()
    for _ in range(repeats):
        for call, spent in zip(calls, times, strict=True):
            spent.append(timed(call, clock=clock)[0])
    return [statistics.median(spent) for spent in times]


def median(call: Callable[[], object], repeats: int) -> float:
    """Median seconds of a call; once unmeasured before."""
    return side_by_side([call], repeats)[0]


def share(times: Sequence[float], part: float) -> float:
    """The quantile of some times in milliseconds."""
    return 1000 * float(np.quantile(times, part))


def child(script: str, *words: str) -> Any:
    """Run a script of this folder in a process of its own, without a screen, and return the JSON that it prints.

    Compiled modules are kept, as they are where a program is installed.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = os.path.join(tempfile.gettempdir(), f"dpdesigner-bench-{os.getpid()}")
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *sys.path[1:]])
    environment["QT_QPA_PLATFORM"] = "offscreen"
    command = [sys.executable, str(Path(__file__).with_name(script)), *words]
    pipe = subprocess.PIPE
    done = subprocess.run(command, env=environment, stdout=pipe, stderr=pipe, text=True, check=False, timeout=600)
    if done.returncode:
        raise RuntimeError(f"{script} {' '.join(words)} failed: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def machine() -> str:
    """The processor, its cores, how many programs want them, and the versions of what the figures depend on."""
    import highspy
    import scipy

    name = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        names = [line.partition(":")[2].strip() for line in information.read_text().splitlines() if line.startswith("model name")]
        name = names[0] if names else name
    highs = f"{highspy.HIGHS_VERSION_MAJOR}.{highspy.HIGHS_VERSION_MINOR}.{highspy.HIGHS_VERSION_PATCH}"
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{name}, {os.cpu_count()} cores{load}, {platform.system()}, Python {platform.python_version()}, "
        f"numpy {np.__version__}, scipy {scipy.__version__}, HiGHS {highs}"
    )
