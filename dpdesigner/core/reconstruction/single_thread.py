"""One thread for the linear algebra of numpy and scipy while an attack runs.

Their OpenBLAS shares each product among all processors and lets each wait, busily, for the others. Where something else needs a
processor too (another window, another lane of this one), a step of a few milliseconds takes a second, and nothing can be stopped
meanwhile: measured, 7 s instead of 0.4 s for 500 people. The matrices here are small enough for one thread.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from types import ModuleType

import numpy as np

#: The functions that OpenBLAS has under one of these names, by who built it.
_NAMES = tuple(f"{who}openblas_{{}}_num_threads{bits}" for who in ("scipy_", "") for bits in ("64_", ""))

_lock = Lock()
_depth = 0
_before: list[int] = []


@contextmanager
def one_thread() -> Iterator[None]:
    """Let linear algebra use one thread; where another library does it, nothing happens."""
    global _depth
    with _lock:
        _depth += 1
        if _depth == 1:
            _before[:] = [count() for count, _ in _libraries()]
            for _, limit in _libraries():
                limit(1)
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0:
                for (_, limit), threads in zip(_libraries(), _before, strict=True):
                    limit(threads)


@cache
def _libraries() -> tuple[tuple[Callable[[], int], Callable[[int], object]], ...]:
    """What counts and what limits the threads of each library, those that numpy and scipy bring."""
    import scipy

    libraries = []
    for package in (np, scipy):
        for path in _files(package):
            try:
                library = ctypes.CDLL(str(path))
            except OSError:
                continue
            for name in _NAMES:
                count, limit = (getattr(library, name.format(word), None) for word in ("get", "set"))
                if count is not None and limit is not None:
                    libraries.append((count, limit))
                    break
    return tuple(libraries)


def _files(package: ModuleType) -> Iterator[Path]:
    """Where a package keeps its OpenBLAS, on Linux, macOS and Windows."""
    if package.__file__ is None:
        return
    home = Path(package.__file__).parent
    for folder in (home.parent / f"{package.__name__}.libs", home / ".dylibs"):
        yield from sorted(folder.glob("*openblas*"))
