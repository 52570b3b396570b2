"""A widget around one plot: it has the focus and the keys, the plot inside paints and tells of the mouse."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.plot.plot_style import StyledPlot

Plot = TypeVar("Plot", bound=StyledPlot)


class PlotHolder(QWidget, Generic[Plot]):
    """Shows a plot, and that the keys work there once they have led to it.

    Parameters
    ----------
    plot : StyledPlot
        It takes all the room that nothing else in the layout needs.
    parent : QWidget, optional
    """

    def __init__(self, plot: Plot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = plot
        self._rows = column_of((plot, 1), on=self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def figure(self) -> Plot:
        """Return the part that is saved as a picture."""
        return self._plot

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keys work here."""
        self._plot.set_focused(event.reason() != Qt.FocusReason.MouseFocusReason)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show no more that the keys work here."""
        self._plot.set_focused(False)
        super().focusOutEvent(event)
