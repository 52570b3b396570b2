"""How far a command is, told on standard error where somebody watches, and Ctrl+C between its steps."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from types import FrameType

from dpdesigner.cli.streams import is_quiet
from dpdesigner.core.numbers.parsing import harmless

_WIDTH = 60  # characters of the line
_PATIENCE, _PAUSE = 0.5, 0.1  # seconds before the first line and between two
_BEAT = 0.5  # so often (seconds) the time is told where a step tells nothing


class ProgressLine:
    """The progress of one command: a `dpdesigner.studies.study.Progress` that shows one line and takes it away at the end.

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
        """Tell a fraction and a text; without a text it is the last one's."""
        if self._stopped:
            raise KeyboardInterrupt
        self._text = text or self._text
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _PAUSE
            self.say(self._text if fraction is None else f"{self._text} {100 * fraction:.0f}%")

    def say(self, text: str) -> None:
        """Show a text at once, where somebody watches, in place of the last one."""
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
        """Keep Ctrl+C for the next step: what it raises inside Qt is lost, or ends in a crash."""
        before = signal.signal(signal.SIGINT, self._stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopped = True


def _watched() -> bool:
    return not is_quiet() and sys.stderr is not None and sys.stderr.isatty()
