"""How much memory is free, so that what needs more is refused with a sentence before the machine stands still."""

from __future__ import annotations

from dpdesigner.errors import InputError

_MEGABYTE = 1_000_000


def available() -> int | None:
    """Return how many bytes a program may still take; None where the system does not say so (as Linux does)."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            sizes = dict(line.split(":", 1) for line in file)
        return int(sizes["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def check_memory(needed: int, n: int) -> None:
    """Refuse a design of a size for which there is not enough memory.

    Raises
    ------
    InputError
        With what it needs and what there is.
    """
    free = available()
    if free is not None and needed > free:
        sizes = f"about {needed // _MEGABYTE} MB of memory, of which {free // _MEGABYTE} MB are free"
        raise InputError(f"n = {n} needs {sizes}; close other programs or take a smaller n.", "n", str(n * free // needed))
