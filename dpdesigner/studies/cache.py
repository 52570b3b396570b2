"""Earlier results, kept for the next designs of the same data: the newest few."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")
_KEPT = 40
_kept: OrderedDict[Hashable, Any] = OrderedDict()
_lock = threading.Lock()


def remembered(key: Hashable, make: Callable[[], T]) -> T:
    """Return the cached value for a key, or make it."""
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            value: T = _kept[key]
            return value
    made = make()
    with _lock:
        _kept[key] = made
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    return made
