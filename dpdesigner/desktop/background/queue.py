"""The queue of background jobs, the worker that runs them, and work that waits for the first paint.

A drag asks for more answers than can be computed, and only the last is wanted. So a call waits under its key until a newer one
takes its place, and one that runs while a newer waits is out of date: it is stopped the next time it tells how far it is. Where
its answer is welcome all the same, as a picture on the way, it has a moment to finish. There are two lanes, a quick one for what
is looked at and a slow one for what may come later; the slow one stands still while the quick one has something to do.

Runs computations in the background and brings the answers back to the window's thread.

There are two lanes for the whole application: a quick one for what follows the mouse and a slow one for what may take its time.
The first never waits for the second, and the second begins nothing while the first is at work. Both share one interpreter with
the painting, so nothing runs before the window is painted for the first time. A key says what an answer is for;
of each key only the newest task counts, and an answer that comes after a newer one, or after its key was cancelled, is dropped.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from threading import Condition
from time import monotonic, sleep
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QEvent, QObject, QThread, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.errors import Cancelled, DpDesignerError, passed_over
from dpdesigner.studies.study import Progress

#: An outdated call may still finish if it takes no longer than this, so that a drag keeps showing pictures.
PATIENCE = 0.25
#: The shortest interval between progress reports to the window.
REPORT_EVERY = 0.05
#: So long (seconds) after a call for the quick lane a drag is thought to last; the slow lane then rests after each slice of work,
#: since the lanes and the painting share one interpreter.
RECENT, SLICE, REST = 0.05, 0.001, 0.004
#: The most threads of a quick lane: one at work, and others ending with a call that was cancelled but did not stop.
_MOST_THREADS = 3
#: After a call this long, the memory that it used is returned to the system.
LONG = 0.5


@dataclass(eq=False)
class Task:
    """One queued or running call: its purpose and its outcome.

    Parameters
    ----------
    key : Hashable
        What it is for; the newest task of a key counts.
    call : Callable
        Called as ``call(progress)`` in the lane's thread.
    live : bool
        Whether its answer is still welcome when a newer task of the same key waits.
    """

    key: Hashable
    call: Callable[[Progress], Any]
    live: bool
    began: float = 0.0
    superseded: bool = False
    cancelled: bool = False
    value: Any = None
    error: Exception | None = field(default=None, repr=False)

    @property
    def unwanted(self) -> bool:
        """Whether it should stop at its next progress report."""
        return self.cancelled or (self.superseded and (not self.live or monotonic() - self.began > PATIENCE))


class Lane(QObject):
    """Runs tasks in a thread, in the order in which their keys first arrived. Its signals are emitted from that thread.

    A call may be deaf to being cancelled, as one over a million rows is for a second. The quick lane does not wait for it: the
    next task finds a fresh thread. The slow lane does, since its calls share what they keep.

    Parameters
    ----------
    parent : QObject, optional
    first : Lane, optional
        While that lane has something to do, this one begins nothing, and shortly after it works little by little: what is looked
        at first need not share the machine.
    """

    answered = Signal(object)  #: a finished `Task`
    progressed = Signal(object, object, str)  #: the `Task`, a fraction or None, a text

    def __init__(self, parent: QObject | None = None, first: Lane | None = None) -> None:
        super().__init__(parent)
        self._first = first
        self._threads: list[_Thread] = []  # the last takes tasks
        self._changed: Condition = Condition() if first is None else first._changed
        self._waiting: dict[Hashable, Task] = {}
        self._running: Task | None = None
        self._closed = False
        self._asked = -RECENT

    def submit(self, task: Task) -> None:
        """Queue a task in place of the waiting task with the same key; a running task with that key becomes outdated."""
        with self._changed:
            self._asked = monotonic()
            if self._running is not None and self._running.key == task.key:
                self._running.superseded = True
            self._waiting[task.key] = task
            if self._first is None and self._running is not None and self._running.cancelled:
                self._leave()
            self._changed.notify_all()

    @property
    def started(self) -> bool:
        """Whether it has started working."""
        return bool(self._threads)

    def start(self) -> None:
        """Start working, unless already started."""
        if not self.started:
            self._begin()

    def _leave(self) -> None:
        """Leave the running call to its thread, which ends with it, and continue in a new thread, unless there are too many."""
        for thread in [thread for thread in self._threads if thread.isFinished()]:
            self._threads.remove(thread)
            thread.deleteLater()
        if len(self._threads) < _MOST_THREADS:
            self._running = None
            self._begin()

    def _begin(self) -> None:
        self._threads.append(_Thread(self))
        self._threads[-1].start()

    def wait(self, milliseconds: int) -> bool:
        """Return whether all threads end within the time, once closed."""
        deadline = QDeadlineTimer(milliseconds)
        ended = [thread.wait(deadline) for thread in self._threads]
        return all(ended)

    def cancel(self, wanted: Callable[[Hashable], bool]) -> None:
        """Drop the waiting tasks and stop the running task whose keys `wanted` selects."""
        with self._changed:
            dropped = [key for key in self._waiting if wanted(key)]
            for key in dropped:
                self._waiting.pop(key).cancelled = True
            if self._running is not None and wanted(self._running.key):
                self._running.cancelled = True
            if dropped:  # each call wakes a thread, which then competes with the painting
                self._changed.notify_all()

    def close(self) -> None:
        """Drop everything and let the thread end."""
        self.cancel(lambda key: True)
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def busy(self) -> bool:
        """Whether a task is running or waiting."""
        return self._running is not None or bool(self._waiting)

    def work(self, thread: QThread) -> None:
        """Run tasks until the lane is closed or another thread takes over (the body of a thread)."""
        while (task := self._next(thread)) is not None:
            self._perform(task)
            with self._changed:
                if self._running is task:
                    self._running = None
                self._changed.notify_all()
            self.answered.emit(task)
            del task  # so that its value is not kept while waiting for the next task

    def _next(self, thread: QThread) -> Task | None:
        with self._changed:
            while not self._ends(thread) and (not self._waiting or (self._first is not None and self._first.busy)):
                self._changed.wait()
            if self._ends(thread):
                return None
            self._running = self._waiting.pop(next(iter(self._waiting)))
            self._running.began = monotonic()
            return self._running

    def _ends(self, thread: QThread) -> bool:
        return self._closed or thread is not self._threads[-1]

    def _perform(self, task: Task) -> None:
        reported, resumed = 0.0, monotonic()

        def progress(fraction: float | None, text: str = "") -> None:
            nonlocal reported, resumed
            if task.unwanted:
                raise Cancelled("cancelled")
            now = monotonic()
            if now - reported >= REPORT_EVERY:
                reported = now
                self.progressed.emit(task, fraction, text)
            if self._first is not None and now - resumed >= SLICE and now - self._first._asked < RECENT:
                sleep(REST)
                resumed = monotonic()

        try:
            task.value = task.call(progress)
        except DpDesignerError as error:
            task.error = error.with_traceback(None)  # its frames would keep all that the call had computed
        except Exception as error:  # the boundary of the thread: every exception is handed to the window
            task.error = error
            if task.unwanted:  # nobody will use its result
                passed_over(f"computing {task.key}", error)
        if monotonic() - task.began > LONG:
            give_back()


class _Thread(QThread):
    """One thread of a lane."""

    def __init__(self, lane: Lane) -> None:
        super().__init__(lane)
        self._lane = lane

    def run(self) -> None:
        """Work (the thread's body)."""
        self._lane.work(self)


def give_back() -> None:
    """Return freed memory to the system where the C library (glibc) retains it; this takes some hundredths of a second.

    Large arrays that come and go by the dozen, as in a solve of a million rows, would else leave the process several times as
    large as what it holds.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(ctypes.c_size_t(0))


#: Whatever opens in front of the window at startup appears this long (milliseconds) after its first paint.
AFTERWARDS = 100


class AfterPaint(QObject):
    """Calls a function shortly after a widget is first painted, so that even a slow machine shows the widget first.

    Parameters
    ----------
    widget : QWidget
    call : Callable
    delay : int
        Milliseconds between the two.
    """

    def __init__(self, widget: QWidget, call: Callable[[], object], delay: int = AFTERWARDS) -> None:
        super().__init__(widget)
        self._call, self._delay = call, delay
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the paint event without blocking the widget's events."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(self._delay, self._call)
        return False


#: The slow lane starts this long (milliseconds) after its first call and the first paint, so that an answer shows first.
HEAD_START = 200
#: A window not painted this long (milliseconds) after its thread became idle is not waited for.
UNSEEN = 200


class Worker(QObject):
    """Two lanes with long-lived threads; call `stop` before the application ends.

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
        """Run a call in the background in place of older calls with its key.

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
        if key in self._newest:
            self._lanes[not slow].cancel(lambda other: other == key)
        self._newest[key] = task
        lane.submit(task)
        if self._begun:
            self._start(lane, HEAD_START if slow else 0)

    @Slot()
    def _begin(self) -> None:
        """Start the lanes that have work."""
        if not self._begun:
            self._begun = True
            for slow, lane in self._lanes.items():
                if lane.busy:
                    self._start(lane, HEAD_START if slow else 0)

    def _start(self, lane: Lane, delay: int) -> None:
        """Start a lane after this many milliseconds, unless it has already started."""
        if delay and not lane.started:
            QTimer.singleShot(delay, self, partial(self._start, lane, 0))
        elif not self._stopped:
            lane.start()

    def cancel(self, wanted: Callable[[Hashable], bool]) -> None:
        """Stop the running and waiting calls for the keys that `wanted` selects; they give no answer."""
        keys = [key for key in self._newest if wanted(key)]
        if keys:
            for lane in self._lanes.values():
                lane.cancel(wanted)
        for key in keys:
            self._end(key)

    def busy(self, key: Hashable) -> bool:
        """Return whether a call for a key is running or waiting."""
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
            return  # errors of calls that are no longer wanted are not reported
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
