"""Standard output and standard error, whatever they are; the progress of a command; and the parser, which writes to them."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from types import FrameType
from typing import Any, NoReturn, TextIO

from dpdesigner.core.basics.parsing import cut, harmless

_quiet = False


def be_quiet(quiet: bool) -> None:
    """Set whether progress and warnings are hidden."""
    global _quiet
    _quiet = quiet


def is_quiet() -> bool:
    """Return whether progress and warnings are hidden."""
    return _quiet


def prepare() -> None:
    """Make standard output accept every character."""
    be_quiet(False)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def say(lines: Iterable[str]) -> None:
    """Print lines; characters that would change the writing direction or move the cursor appear as their codes."""
    print("\n".join(harmless(line) for text in lines for line in text.split("\n")))


def say_json(data: Any) -> None:
    """Print a value as JSON; invisible characters are escaped."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    print(text if text.isprintable() else "".join(mark if harmless(mark) == mark else json.dumps(mark)[1:-1] for mark in text))


def write(contents: str) -> None:
    """Write the contents of a file unchanged: in UTF-8, with its own line endings."""
    if sys.stdout is None:
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.flush()
        sys.stdout.buffer.write(contents.encode("utf-8"))
    else:  # stdout replaced by a notebook or a test
        sys.stdout.write(contents)


def warn(sentence: str) -> None:
    """Print one line on standard error; if that is closed or full, ignore the failure."""
    if sys.stderr is None:  # closed by whatever started the program
        return
    try:
        print(harmless(" ".join(sentence.split())), file=sys.stderr, flush=True)
    except OSError:
        _let_go(sys.stderr)


def flush() -> None:
    """Write any buffered standard output."""
    if sys.stdout is not None:
        sys.stdout.flush()


def drop_what_cannot_be_written() -> None:
    """Keep Python from reporting the error again when it flushes at exit."""
    try:
        flush()
    except OSError:
        _let_go(sys.stdout)


def _let_go(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


_WIDTH = 60  # characters of the progress line
_PATIENCE, _PAUSE = 0.5, 0.1  # seconds before the first line and between lines
_BEAT = 0.5  # seconds between reports of the elapsed time while a step reports nothing


class ProgressLine:
    """The progress of one command: a `dpdesigner.studies.study.Progress` that shows one line and clears it at the end.

    A step that tells nothing for half a second is told of by the time that has passed.

    Raises
    ------
    KeyboardInterrupt
        When it is called after Ctrl+C was `held`.
    """

    def __init__(self) -> None:
        self._stopped = self._shown = False
        self._began = self._told = time.monotonic()
        self._next = self._began + _PATIENCE
        self._text = ""
        self._ended = Event()

    def __enter__(self) -> ProgressLine:
        if _watched():
            Thread(target=self._beat, name="progress", daemon=True).start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._ended.set()
        if self._shown:
            self.say("")

    def __call__(self, fraction: float | None, text: str = "") -> None:
        """Report a fraction and a text; without a text, repeat the last one."""
        if self._stopped:
            raise KeyboardInterrupt
        self._text = text or self._text
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _PAUSE
            self.say(self._text if fraction is None else f"{self._text} {100 * fraction:.0f}%")

    def say(self, text: str) -> None:
        """Show a text immediately in place of the last one, if the output is a terminal."""
        if _watched():
            with contextlib.suppress(OSError):
                print(f"\r{harmless(text.strip())[:_WIDTH]:<{_WIDTH}}\r", end="", file=sys.stderr, flush=True)
            self._shown, self._told = True, time.monotonic()

    def _beat(self) -> None:
        while not self._ended.wait(_BEAT):
            if (now := time.monotonic()) - self._told >= _BEAT:
                self.say(f"{(self._text or 'working')[: _WIDTH - 10]} {now - self._began:.0f} s")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Defer Ctrl+C to the next step: an exception raised inside Qt is lost or causes a crash."""
        before = signal.signal(signal.SIGINT, self._stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopped = True


def _watched() -> bool:
    return not is_quiet() and sys.stderr is not None and sys.stderr.isatty()


_LONGEST = 300  # characters of an argparse message
STATUS = "Exit status: 0 success, 1 a check failed, 2 invalid input or failure (one sentence explains it), 130 stopped by Ctrl+C."


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and leave with status 2."""
        warn(f"{self.prog}: {cut(message, _LONGEST)}; see {self.prog} --help.")
        raise SystemExit(2)


def add_common(parser: argparse.ArgumentParser, prints: bool) -> None:
    """Add the options that every command has."""
    parser.add_argument("--json", action="store_true", help="write JSON to standard output")
    quiet = "no progress and no warnings" if prints else "no output, progress or warnings; only errors"
    parser.add_argument("-q", "--quiet", action="store_true", help=quiet)
