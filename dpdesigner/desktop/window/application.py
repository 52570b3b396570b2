"""The application: its theme and fonts, Ctrl+C in the terminal, and descriptions for screen readers.

Accessible descriptions of parts unknown to Qt: pictures, sliders for a quantity, hidden views.

Qt asks here for each widget once something listens; without that nothing here is ever called.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSettings, QSocketNotifier, Qt, Slot
from PySide6.QtGui import QAccessible, QAccessibleInterface, QGuiApplication, QIcon
from PySide6.QtWidgets import QAbstractItemView, QAccessibleWidget, QApplication, QWidget
from shiboken6 import isValid

from dpdesigner import __version__, resources
from dpdesigner.desktop.background.queue import AfterPaint
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import ClickFocus, theme
from dpdesigner.desktop.window.dialogs import ErrorHook
from dpdesigner.desktop.window.layout import FieldUndo, forget_layout
from dpdesigner.files.project import examples, read_project

if TYPE_CHECKING:
    from dpdesigner.desktop.window.main_window import MainWindow


_made: dict[int, QAccessibleWidget] = {}  #: kept as long as their widgets, since Python would drop them
_watch: _Watch | None = None


class Picture(QAccessibleWidget):
    """A plot or a picture: a graphic with a name and a description, and no readable contents."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.Graphic)

    def childCount(self) -> int:
        """Return no children: axes and layers have no text of their own."""
        return 0


class Quantity(QAccessibleWidget):
    """A slider that reports the quantity it represents, like ``ε = 0.693``, instead of its step."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.Slider)
        self._widget = widget

    def text(self, kind: QAccessible.Text) -> str:
        """Return the quantity as the value; other texts as for any widget."""
        if kind == QAccessible.Text.Value and isValid(self._widget):
            return str(self._widget.property("spoken") or "")
        text: str = super().text(kind)
        return text


class Hidden(QAccessibleWidget):
    """A hidden table or list, without its cells, because Qt does not report them as hidden."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.Pane)

    def childCount(self) -> int:
        """Return no cells."""
        return 0


def install(application: QApplication) -> None:
    """Register this module's accessible interfaces with Qt."""
    global _watch
    _watch = _Watch(application)
    QAccessible.installFactory(_interface)


def _interface(name: str, asked: QObject) -> QAccessibleInterface | None:
    """Return the accessible interface of a widget; None if Qt's own is best.

    Qt asks for the name of the widget's class and, as long as the answer is None, for those of all its bases.
    """
    if not isinstance(asked, QWidget) or name != asked.metaObject().className():
        return None
    made = _made_for(asked)
    if made is not None:
        for key in [key for key, old in _made.items() if not isValid(old)]:
            del _made[key]
        _made[id(made)] = made
    return made


def _made_for(widget: QWidget) -> QAccessibleWidget | None:
    from dpdesigner.desktop.base.gesture import GestureSlider
    from dpdesigner.desktop.editors.loss_curve import LossCurve
    from dpdesigner.desktop.plots.cost_bars import CostBars
    from dpdesigner.desktop.plots.matrix_pictures import PlaneImage
    from dpdesigner.desktop.plots.plot_style import PlotHolder, StyledPlot

    if isinstance(widget, PlotHolder | StyledPlot | CostBars | PlaneImage | LossCurve) or _is_drawn(widget):
        return Picture(widget)
    if isinstance(widget, GestureSlider):
        return Quantity(widget)
    if isinstance(widget, QAbstractItemView) and _watch is not None:
        widget.removeEventFilter(_watch)
        widget.installEventFilter(_watch)
        return None if widget.isVisible() else Hidden(widget)
    return None


def _is_drawn(widget: QWidget) -> bool:
    """Return whether a widget of a page is a picture: named, self-painted, and not a Qt control."""
    bases = [base for base in type(widget).__mro__ if base.__module__.startswith("dpdesigner.")]
    painted = any("paintEvent" in vars(base) for base in bases)
    plain = next((base for base in type(widget).__mro__ if base not in bases), None) is QWidget
    whole = not widget.isWindow() and not widget.findChildren(QWidget)
    return painted and plain and whole and bool(widget.accessibleName())


class _Watch(QObject):
    """A filter that makes Qt ask again for a view that is shown or hidden."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            interface = QAccessible.queryAccessibleInterface(watched)
            if interface is not None:
                QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(interface))
        return False


class Interrupts(QObject):
    """A handler of Ctrl+C that is active until stopped; a second Ctrl+C, while the window asks, ends the program at once.

    Python runs a handler only between its instructions, of which a window that waits has none; so the signal writes a byte to a
    socket that the event loop watches.

    Parameters
    ----------
    window : QWidget
        What is to be closed.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._read, self._written = socket.socketpair()
        for end in (self._read, self._written):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._close)
        self._woken = signal.set_wakeup_fd(self._written.fileno(), warn_on_full_buffer=False)
        self._before = signal.signal(signal.SIGINT, _nothing)

    def stop(self) -> None:
        """Restore the previous handling of Ctrl+C."""
        self._notifier.setEnabled(False)
        signal.signal(signal.SIGINT, self._before)
        signal.set_wakeup_fd(self._woken)
        self._read.close()
        self._written.close()

    @Slot()
    def _close(self) -> None:
        if signal.SIGINT not in self._read.recv(64):
            return
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if not self._window.close():
            signal.signal(signal.SIGINT, _nothing)


def _nothing(number: int, frame: FrameType | None) -> None:
    """Do nothing: the event loop handles the signal."""


#: How long a thread keeps Python's lock while another wants it (seconds). With Python's own 5 ms the window waits up to 10 ms and
#: more for an answer while something else computes; with this, about 1 ms.
SWITCH_INTERVAL = 0.001


def run(path: str | os.PathLike[str] | None = None, reset: bool = False) -> int:
    """Run the application until its window is closed.

    Parameters
    ----------
    path : path-like or None
        A project or data to open; None starts with the first example.
    reset : bool
        Whether to forget the remembered layout.

    Returns
    -------
    int
        The exit status.
    """
    application = make_application()
    if reset:
        forget_layout()
    window = open_window()
    hook = ErrorHook(window)
    hook.caught.connect(window.commands.show_error)
    hook.install()
    FieldUndo(application, window)
    interrupts = Interrupts(window)
    window.show()
    if path is not None:
        window.filing.open_path(Path(path))
    AfterPaint(window, collect_garbage)
    AfterPaint(window, partial(greet, window, path is None))
    status = application.exec()
    hook.uninstall()
    interrupts.stop()
    if not window.stopped:
        # A computation that cannot be interrupted still runs. Destroying its thread would abort the process; everything is
        # saved, so the process ends here.
        settings_written()
        sys.stdout.flush()
        os._exit(status)
    return status


def collect_garbage() -> None:
    """Enable Python's garbage collector again, but exclude the objects made at the start."""
    gc.freeze()
    gc.enable()


def greet(window: MainWindow, gallery: bool) -> None:
    """Offer to recover unsaved work after an unclean exit; once that is answered, open the gallery if it is wanted."""
    window.offer_recovery()
    if gallery:
        window.commands.help.welcome()


def make_application() -> QApplication:
    """Return the Qt application with its names, style and theme."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    QCoreApplication.setOrganizationName("dpdesigner")
    QCoreApplication.setApplicationName("dpdesigner")
    QCoreApplication.setApplicationVersion(__version__)
    QGuiApplication.setDesktopFileName("dpdesigner")
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    running = QApplication.instance()
    if not isinstance(running, QApplication):
        os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")  # Qt's threads for filling shapes wait for those that compute
        QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    application.setWindowIcon(QIcon(str(resources.path("icons", "dpdesigner.svg"))))
    application.setStyle("Fusion")
    theme().apply()
    preferences().apply()
    theme().follow_system()
    install(application)
    if application.findChild(ClickFocus) is None:
        ClickFocus(application)
    return application


def open_window() -> MainWindow:
    """Return a window with the first example.

    It is put together without the style sheet, since Qt styles every widget again that is put into another one.
    """
    from dpdesigner.desktop.window.main_window import MainWindow  # imports most of the program: after the collector is off

    application = QApplication.instance()
    if not isinstance(application, QApplication):
        raise RuntimeError("a window needs a QApplication")
    example = examples()[0]
    sheet = application.styleSheet()
    application.setStyleSheet("")
    window = MainWindow(read_project(example.path).studies, example.title)
    application.setStyleSheet(sheet)
    return window


def settings_written() -> None:
    """Write the settings to their file now."""
    QSettings().sync()
