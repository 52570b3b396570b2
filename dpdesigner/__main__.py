"""``python -m dpdesigner``: the same as the command ``dpdesigner``."""

from __future__ import annotations

import signal
import sys
from types import FrameType

from dpdesigner.interrupts import leave, leave_on_interrupt


def start() -> int:
    """Run the program. Ctrl+C at any point ends it with status 130 and one sentence.

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
            passed_over("stopping", error)  # a library has turned the interrupt into another exception
            leave()
        except KeyboardInterrupt:
            leave()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return 130


def _become_a_worker() -> None:
    """In a bundle, act as a worker process of a sweep: the program itself, started with special arguments."""
    if getattr(sys, "frozen", False):
        import multiprocessing  # imported late to keep startup fast

        multiprocessing.freeze_support()  # does not return in a worker process


if __name__ == "__main__":
    sys.exit(start())
