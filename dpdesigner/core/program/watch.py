"""Watching HiGHS while it runs: it reports, and it stops where a report raises."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import highspy

#: Told a fraction (None: unknown) and a short text; raises to stop the work.
Report = Callable[[float | None, str], None]

#: Seconds between reports; also how long a cancellation can take.
_PAUSE = 0.02


class Watch:
    """Reports iterations, and carries an exception past the solver, which would lose it."""

    def __init__(self, progress: Report) -> None:
        self.failure: BaseException | None = None
        self._progress = progress
        self._next = 0.0

    def __call__(self, event: highspy.HighsCallbackEvent) -> None:
        """Answer one of HiGHS's questions whether to go on."""
        now = time.monotonic()
        if self.failure is None and now >= self._next:
            self._next = now + _PAUSE
            count = max(0, event.data_out.simplex_iteration_count, event.data_out.ipm_iteration_count)  # -1: none yet
            try:
                self._progress(None, f"{count:,} iterations".replace(",", " "))
            except BaseException as failure:  # of any type: HiGHS would lose it, so it is raised again once HiGHS has returned
                self.failure = failure
        event.interrupt(self.failure is not None)  # HiGHS keeps the word that ended the run before until it is taken back


@contextmanager
def watched(solver: Any, progress: Report) -> Iterator[None]:
    """Let a run report and be stopped, by simplex or from the inside; what a report raised is raised after it."""
    watch = Watch(progress)
    asking = (solver.cbSimplexInterrupt, solver.cbIpmInterrupt)
    for asks in asking:
        asks.subscribe(watch)
    try:
        yield
    finally:
        for asks in asking:
            asks.unsubscribe(watch)
    if watch.failure is not None:
        raise watch.failure
