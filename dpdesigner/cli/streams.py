"""Standard output and standard error, whatever they are: closed, full, a terminal that must not be led astray."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from dpdesigner.core.numbers.parsing import harmless

_quiet = False


def be_quiet(quiet: bool) -> None:
    """Say whether progress and warnings are to be shown."""
    global _quiet
    _quiet = quiet


def is_quiet() -> bool:
    """Return whether progress and warnings are not to be shown."""
    return _quiet


def prepare() -> None:
    """Let standard output take every character."""
    be_quiet(False)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def say(lines: Iterable[str]) -> None:
    """Print lines; what would turn the direction of writing or move the cursor is shown by its code."""
    print("\n".join(harmless(line) for text in lines for line in text.split("\n")))


def say_json(data: Any) -> None:
    """Print a value as JSON; what would not be seen is written by its code."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    print(text if text.isprintable() else "".join(mark if harmless(mark) == mark else json.dumps(mark)[1:-1] for mark in text))


def write(contents: str) -> None:
    """Write the contents of a file as they are: in UTF-8, with its own line ends."""
    if sys.stdout is None:
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.flush()
        sys.stdout.buffer.write(contents.encode("utf-8"))
    else:  # a notebook's or a test's
        sys.stdout.write(contents)


def warn(sentence: str) -> None:
    """Print one line on standard error; where that is closed or full nobody can be told, and nothing else goes wrong."""
    if sys.stderr is None:  # whoever started the program has closed it
        return
    try:
        print(harmless(" ".join(sentence.split())), file=sys.stderr, flush=True)
    except OSError:
        _let_go(sys.stderr)


def flush() -> None:
    """Write what is still held back of standard output."""
    if sys.stdout is not None:
        sys.stdout.flush()


def drop_what_cannot_be_written() -> None:
    """Keep Python from complaining again when it flushes at exit."""
    try:
        flush()
    except OSError:
        _let_go(sys.stdout)


def _let_go(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
