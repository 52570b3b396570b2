"""Accessible descriptions of parts unknown to Qt: pictures, sliders for a quantity, hidden views.

Qt asks here for each widget once something listens; without that nothing here is ever called.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QAccessibleWidget, QApplication, QWidget
from shiboken6 import isValid

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
    """Return the accessible interface of a widget; None if Qt's own is best."""
    if not isinstance(asked, QWidget):
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
