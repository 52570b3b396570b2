"""Interrupt handling during start-up: Ctrl+C exits with 130 and one sentence even while modules are imported.

A library that is stopped half way through its import may say so in any way, and nothing has been begun that would have to be put
right; so the program ends at once. Imported before everything else, this needs nothing that Python has not loaded by itself.
"""

import _signal as signal  # type: ignore[import-not-found]
import os
import sys

_NAMES = ("dpdesigner", "dpdesigner.exe", "dpdesigner-script.py")


def is_the_program() -> bool:
    """Whether this process was started as dpdesigner rather than importing it."""
    words = sys.orig_argv
    by_module = any(words[k : k + 2] == ["-m", "dpdesigner"] for k in range(1, len(words))) and sys.argv[:1] == ["-m"]
    return by_module or (bool(sys.argv) and os.path.basename(sys.argv[0]) in _NAMES)


def leave(number: int = 0, frame: object = None) -> None:
    """End the process at once, as after Ctrl+C."""
    try:
        os.write(2, b"dpdesigner: stopped.\n")
    except OSError:
        pass
    os._exit(130)


def leave_on_interrupt() -> None:
    """Let Ctrl+C end the process at once."""
    signal.signal(signal.SIGINT, leave)


if is_the_program():
    leave_on_interrupt()
