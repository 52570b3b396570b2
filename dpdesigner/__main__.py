"""``python -m dpdesigner``: the same as the command ``dpdesigner``."""

from __future__ import annotations

import signal
import sys
from types import FrameType

from dpdesigner.interrupts import leave, leave_on_interrupt


def start() -> int:
    """Run the program; Ctrl+C ends it with 130 and one sentence from the first import to the last line.

    While modules are imported it ends at once: a library that is stopped half way may say so in any way, and nothing has been
    begun that would have to be put right. Afterwards it is a `KeyboardInterrupt` for the command to end by.
    """
    _become_a_worker()
    stopped = []

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.append(number)
        raise KeyboardInterrupt

    leave_on_interrupt()
    from dpdesigner.cli import main
    from dpdesigner.errors import passed_over

    try:
        try:
            return main(when_imported=lambda: signal.signal(signal.SIGINT, stop))
        except Exception as error:
            if not stopped:
                raise
            passed_over("stopping", error)  # a library has made something else of it
            leave()
        except KeyboardInterrupt:
            leave()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return 130


def _become_a_worker() -> None:
    """In a bundle, do the work of a sweep's other process: that is the program itself, started with words of its own."""
    if getattr(sys, "frozen", False):
        import multiprocessing  # late: a start waits for nothing that it does not need

        multiprocessing.freeze_support()  # does not return in such a process


if __name__ == "__main__":
    sys.exit(start())
