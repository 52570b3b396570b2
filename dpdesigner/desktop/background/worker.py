"""Runs computations in the background and brings the answers back to the window's thread.

There are two lanes for the whole application: a quick one for what follows the mouse and a slow one for what may take its time.
The first never waits for the second, and the second begins nothing while the first is at work. Both share one interpreter with
the painting, so nothing runs before the window is painted for the first time. A key says what an answer is for;
of each key only the newest task counts, and an answer that comes after a newer one, or after its key was cancelled, is dropped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.background.after_paint import AfterPaint
from dpdesigner.desktop.background.queue import Lane, Task
from dpdesigner.errors import Cancelled, DpDesignerError
from dpdesigner.studies.study import Progress

#: The slow lane sets out so much later (milliseconds) than its first call and the first paint: an answer is seen first.
HEAD_START = 200
#: A window that is not painted so long (milliseconds) after its thread has come to rest is not waited for.
UNSEEN = 200


class Worker(QObject):
    """Two lanes with long-lived threads, stopped with `stop` before the application ends.

    Parameters
    ----------
    parent : QObject, optional
    window : QWidget, optional
        What is to be painted before anything runs.
    """

    answered = Signal(object, object)  #: a key and what its call returned
    failed = Signal(object, object)  #: a key and the `DpDesignerError` its call raised
    progressed = Signal(object, object, str)  #: a key, a fraction in [0, 1] or None, a text
    ended = Signal(object)  #: a key for which nothing is waiting or running any more

    def __init__(self, parent: QObject | None = None, window: QWidget | None = None) -> None:
        super().__init__(parent)
        self._newest: dict[Hashable, Task] = {}
        self._stopped, self._begun = False, window is None
        quick = Lane(self)
        self._lanes = {False: quick, True: Lane(self, first=quick)}
        for lane in self._lanes.values():
            lane.answered.connect(self._take)
            lane.progressed.connect(self._report)
        if window is not None:
            AfterPaint(window, self._begin, 0)
            QTimer.singleShot(0, self, lambda: QTimer.singleShot(UNSEEN, self, self._begin))

    def submit(self, key: Hashable, call: Callable[[Progress], Any], *, slow: bool = False, live: bool = True) -> None:
        """Run a call in the background in place of the older ones of its key.

        Parameters
        ----------
        key : Hashable
            What the answer is for.
        call : Callable
            Called as ``call(progress)`` in another thread.
        slow : bool
            Whether it belongs to the slow lane.
        live : bool
            Whether, once it runs, it may finish and answer although a newer call of its key waits.
        """
        task = Task(key, call, live)
        lane = self._lanes[slow]
        self._lanes[not slow].cancel(lambda other: other == key)
        self._newest[key] = task
        lane.submit(task)
        if self._begun:
            self._start(lane, HEAD_START if slow else 0)

    @Slot()
    def _begin(self) -> None:
        """Let the lanes set out that have something to do."""
        if not self._begun:
            self._begun = True
            for slow, lane in self._lanes.items():
                if lane.busy:
                    self._start(lane, HEAD_START if slow else 0)

    def _start(self, lane: Lane, delay: int) -> None:
        """Let a lane set out after so many milliseconds; one that has goes on."""
        if delay and not lane.started:
            QTimer.singleShot(delay, self, partial(self._start, lane, 0))
        elif not self._stopped:
            lane.start()

    def cancel(self, wanted: Callable[[Hashable], bool]) -> None:
        """Stop what runs or waits for the keys that `wanted` chooses; they give no answer."""
        for lane in self._lanes.values():
            lane.cancel(wanted)
        for key in [key for key in self._newest if wanted(key)]:
            self._end(key)

    def busy(self, key: Hashable) -> bool:
        """Return whether something runs or waits for a key."""
        return key in self._newest

    def stop(self, milliseconds: int = 3000) -> bool:
        """Cancel everything and end the threads; return whether all have ended within the time."""
        self._stopped = True
        self._newest.clear()
        for lane in self._lanes.values():
            lane.close()
        ended = [lane.wait(milliseconds) for lane in self._lanes.values()]
        return all(ended)

    @Slot(object)
    def _take(self, task: Task) -> None:
        newest = self._newest.get(task.key)
        if task.cancelled or newest is None or (task is not newest and not task.live):
            return
        if task is newest:
            self._end(task.key)
        if task.error is None:
            self.answered.emit(task.key, task.value)
        elif isinstance(task.error, Cancelled) or (task is not newest and isinstance(task.error, DpDesignerError)):
            return  # why there is nothing of what nobody asks for any more is not said
        elif isinstance(task.error, DpDesignerError):
            self.failed.emit(task.key, task.error)
        else:
            sys.excepthook(type(task.error), task.error, task.error.__traceback__)

    @Slot(object, object, str)
    def _report(self, task: Task, fraction: float | None, text: str) -> None:
        if self._newest.get(task.key) is task:
            self.progressed.emit(task.key, fraction, text)

    def _end(self, key: Hashable) -> None:
        del self._newest[key]
        self.ended.emit(key)
