"""HiGHS, run so that it says how far it is and is stopped at once."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Any, cast

from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.progress import Progress

#: Seconds between reports; also how long a cancellation can take.
_PAUSE = 0.02


def new_solver(**options: object) -> Any:
    """Return a HiGHS that writes nothing, with these options."""
    from highspy import Highs

    class SilentHighs(Highs):
        """HiGHS 1.16 prints its version when its constructor calls this method, unless output is off by then."""

        def enableCallbacks(self) -> None:
            self.setOptionValue("output_flag", False)
            cast("Any", super()).enableCallbacks()

    solver = cast("Callable[[], Any]", SilentHighs)()
    for name, value in {"output_flag": False, **options}.items():
        solver.setOptionValue(name, value)
    return solver


def run(solver: Any, progress: Progress) -> None:
    """Run HiGHS in a thread of its own: it asks seldom whether to go on, and whoever has stopped it does not wait for that.

    What `progress` raises is raised here; the solver, which goes on until it asks the next time, is then not to be used again.
    """
    stopped, count, failures = Event(), [0], []

    def ask(event: Any) -> None:
        count[0] = max(0, event.data_out.simplex_iteration_count, event.data_out.ipm_iteration_count)  # -1: none yet
        event.interrupt(stopped.is_set())  # HiGHS keeps the word that ended the run before until it is taken back

    def work() -> None:
        try:
            solver.run()
        except BaseException as failure:  # raised again by whoever waits
            failures.append(failure)

    asking = (solver.cbSimplexInterrupt, solver.cbIpmInterrupt)
    for asks in asking:
        asks.subscribe(ask)
    thread = Thread(target=work, name="HiGHS")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_PAUSE)
            progress(None, f"{group_thousands(count[0])} iterations")
    except BaseException:
        stopped.set()
        raise
    for asks in asking:
        asks.unsubscribe(ask)
    if failures:
        raise failures[0]


def status(solver: Any) -> str:
    """The final status of a run, in the words of HiGHS, for the sentence of an error."""
    return f"HiGHS ended with the status {solver.modelStatusToString(solver.getModelStatus())!r}."
