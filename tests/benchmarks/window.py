"""The window: frame times while painting, start, memory; each measured in processes of their own, without a screen."""

from __future__ import annotations

import statistics
import time

from measuring import Line, child, share

#: With the linear program and the curves following the mouse (up to n = 50) no target is set, only told.
_FRAME = {20: None, 50: None, 100: 16.0, 500: 33.0}
_LARGE = 1_000_000


def frames() -> list[Line]:
    """A real stroke over the prior: mouse step to the closed form solved and everything painted."""
    lines = []
    for n, frame in _FRAME.items():
        found = child("window_child.py", "frames", str(n))
        middle, most = (share(found["computed"], part) for part in (0.5, 0.95))
        computed = f"; the window's thread computes p50 {middle:.1f}, p95 {most:.1f} ms"
        for kind, what, remark in (
            ("whole", f"stroke step to everything painted, n = {n}", computed),
            ("alone", f"stroke painted while the worker is busy, n = {n}", "; answers take 300 ms longer"),
        ):
            times = found[kind]
            detail = f"p50 {share(times, 0.5):.1f}, most {share(times, 1):.0f} ms{remark}"
            lines.append(Line(what, share(times, 0.95), "ms (p95)", frame, detail=detail))
    return lines


def freezes() -> list[Line]:
    """The longest stretch of work in the window's thread where a prior of a million bars is drawn."""
    found = child("window_child.py", "large", str(_LARGE))
    detail = f"taking the drawn prior {1000 * found['change']:.0f} ms"
    return [Line("longest stretch in the window's thread, n = 1 000 000", 1000 * found["longest"], "ms", 50, detail=detail)]


def start() -> list[Line]:
    """Start to first paint against a bare window of the same libraries, in turn."""
    spent: dict[str, list[float]] = {"bare": [], "start": []}
    for _ in range(6):
        for kind, times in spent.items():
            times.append(child("window_child.py", kind, repr(time.time())))
    ours, bare = (statistics.median(spent[kind][1:]) for kind in ("start", "bare"))
    return [Line("start to first paint", ours / bare, "times a bare window", 1.5, detail=f"{ours:.2f} s against {bare:.2f} s")]


def memory() -> list[Line]:
    """The window with a solved design of n = 1000, after a stroke, above a bare window."""
    ours, bare = (statistics.median(child("window_child.py", kind) for _ in range(3)) for kind in ("memory", "bare-memory"))
    detail = f"{ours:.0f} and {bare:.0f} MB"
    return [Line("memory of the window, n = 1000", ours - bare, "MB above a bare window", 150, detail=detail)]
