"""One measurement of the window, printed as JSON: python tests/benchmarks/window_child.py KIND [WORD].

Nothing that takes its time is imported before the start is measured.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from dpdesigner.desktop.window.main_window import MainWindow

_STEPS, _DELAY = 100, 0.3


def told(value: Any) -> None:
    """Print a value as JSON and end at once: a window that is not closed asks no question."""
    import json

    print(json.dumps(value), flush=True)
    os._exit(0)


def first_paint(application: QApplication) -> None:
    """Handle events until a widget has been painted."""
    from PySide6.QtCore import QEvent, QEventLoop, QObject

    class Watch(QObject):
        seen = False

        def eventFilter(self, receiver: QObject, event: QEvent) -> bool:
            self.seen = self.seen or event.type() == QEvent.Type.Paint
            return False

    watch = Watch()
    application.installEventFilter(watch)
    while not watch.seen:
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    application.removeEventFilter(watch)


def bare() -> QApplication:
    """A window with an empty plot, painted."""
    import numpy as np
    import pyqtgraph
    from PySide6.QtWidgets import QApplication, QMainWindow

    application = QApplication(sys.argv[:1])
    window = QMainWindow()
    plot = pyqtgraph.PlotWidget()
    plot.plot(np.zeros(2))
    window.setCentralWidget(plot)
    window.resize(1280, 720)
    window.show()
    first_paint(application)
    application.setProperty("window", window)
    return application


def start() -> None:
    """Start the program as a user does, Qt after the command line, up to its first paint; what comes after is replaced."""
    cli = importlib.import_module("dpdesigner.cli")
    from PySide6.QtWidgets import QApplication

    def paint_and_stop() -> int:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        first_paint(application)
        told(time.time() - float(sys.argv[2]))
        return 0

    QApplication.exec = staticmethod(paint_and_stop)  # type: ignore[method-assign,assignment]
    cli.has_display = lambda: True  # type: ignore[attr-defined]
    cli.main([])


def opened(n: int) -> tuple[QApplication, MainWindow]:
    """The window with a solved design, painted."""
    from dpdesigner.desktop.window.application import make_application
    from dpdesigner.desktop.window.main_window import MainWindow
    from dpdesigner.studies.count.design import CountDesign

    application = make_application()
    window = MainWindow([CountDesign(n, alpha="1/2", prior=(1.0,) * (n + 1))], "bench")
    window.resize(1280, 720)
    window.show()
    answered(application, window)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        application.processEvents()
        time.sleep(0.01)
    return application, window


def answered(application: QApplication, window: MainWindow) -> None:
    """Handle events until the closed form of the design that is shown is there, and painted."""
    from PySide6.QtCore import QEventLoop

    def current() -> bool:
        outcome = window.host.page.outcomes.get("solve")
        return outcome is not None and outcome.design == window.document.study

    while not current():
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    application.processEvents()


def stroke(application: QApplication, window: MainWindow, *, wait: bool) -> tuple[list[float], list[float]]:
    """Seconds of each step of a real stroke: until all is solved and painted, or until the stroke itself is painted.

    The second list is what of them the window's own thread computed: what a quiet machine cannot fall below.
    """
    from PySide6.QtCore import QEvent, QPointF, Qt
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtTest import QTest

    from dpdesigner.desktop.editors.distribution_plot import DistributionPlot

    plot = min(window.findChildren(DistributionPlot), key=lambda found: not found.isVisible())
    area, viewport = plot.frame.area, plot.viewport()
    places = [QPointF(area.left() + area.width() * (0.05 + 0.9 * k / _STEPS), area.center().y() - k % 7) for k in range(_STEPS)]
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=places[0].toPoint())
    times, computed = [], []
    for place in places[1:]:
        before, begun = time.thread_time(), time.perf_counter()  # the first is slow on some machines
        far = QPointF(viewport.mapToGlobal(place.toPoint()))
        event = QMouseEvent(
            QEvent.Type.MouseMove, place, far, Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
        application.sendEvent(viewport, event)
        application.processEvents()
        if wait:
            answered(application, window)
        times.append(time.perf_counter() - begun)
        computed.append(time.thread_time() - before)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=places[-1].toPoint())
    return times[5:], computed[5:]


def frames(n: int) -> None:
    """Stroke with the worker as it is, then with one whose answers are late."""
    from dpdesigner.studies.count.design import CountDesign

    application, window = opened(n)
    whole, computed = stroke(application, window, wait=True)
    run = CountDesign.run

    def late(self: CountDesign, *given: Any) -> Any:
        time.sleep(_DELAY)
        return run(self, *given)

    CountDesign.run = late  # type: ignore[method-assign]
    told({"whole": whole, "computed": computed, "alone": stroke(application, window, wait=False)[0]})


def large(n: int) -> None:
    """The longest that the window's thread is busy at a stretch, after a prior of n + 1 bars was drawn."""
    import numpy as np

    application, window = opened(n)
    bars = np.exp(-(np.linspace(-3, 3, n + 1) ** 2))
    before = time.thread_time()
    window.document.change(window.document.study.replace(prior=bars), "Paint prior")
    stretches = [time.thread_time() - before]
    end = time.monotonic() + 6
    while time.monotonic() < end:
        before = time.thread_time()
        application.processEvents()
        stretches.append(time.thread_time() - before)
        time.sleep(0.002)
    told({"change": stretches[0], "longest": max(stretches)})


def resident() -> float:
    """Megabytes of memory that this process has now."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    """Do what the first word says, with settings of its own."""
    kind = sys.argv[1]
    folder = tempfile.mkdtemp()
    os.environ.update(XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder, XDG_CACHE_HOME=folder)
    if kind == "bare":
        bare()
        told(time.time() - float(sys.argv[2]))
    elif kind == "bare-memory":
        application = bare()
        application.processEvents()
        told(resident())
    elif kind == "start":
        start()
    elif kind == "frames":
        frames(int(sys.argv[2]))
    elif kind == "large":
        large(int(sys.argv[2]))
    elif kind == "memory":
        application, window = opened(1000)
        stroke(application, window, wait=True)
        told(resident())


if __name__ == "__main__":
    main()
