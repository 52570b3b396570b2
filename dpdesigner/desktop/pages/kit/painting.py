"""Pictures that are taken away: what is exported of a page, panels painted alone, and a page of nothing else, never shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.matrix.plane_image import PlaneImage
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.studies.matrices import Plane
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Job
from dpdesigner.studies.table_panels import Ranking

Panel = Plot | Plane | Ranking


class Painted(NamedTuple):
    """A widget that shows a panel, and the part of it that makes the picture."""

    root: QWidget
    part: QWidget


def painted(panel: Panel, size: QSize | None = None) -> Painted:
    """Return what shows a panel and is not on the screen.

    Parameters
    ----------
    panel : Plot, Plane or Ranking
        What of it is secret is left out.
    size : QSize, optional
        Of the part that makes the picture.
    """
    if isinstance(panel, Ranking):
        bars = CostBars()
        bars.show_ranking(panel)
        bars.setAccessibleName(translated(panel.title))
        return Painted(bars, bars)
    if isinstance(panel, Plane):
        image = PlaneImage()
        image.show_plane(panel)
        return Painted(image, image.figure())
    plot = CurvePlot()
    plot.show_plot(panel.public())
    if size is not None:
        plot.figure().resize(size)
    return Painted(plot, plot.figure())


@dataclass(frozen=True)
class Figure:
    """A picture that can be exported: a file name without ending, a title, and the widget to render or the panel to paint.

    Parameters
    ----------
    name, title : str
    shown : QWidget or Panel
    size : QSize, optional
        Of a panel on the screen.
    """

    name: str
    title: str
    shown: QWidget | Panel
    size: QSize | None = None

    @property
    def widget(self) -> QWidget:
        """The widget to render."""
        return self.shown if isinstance(self.shown, QWidget) else self._painted.part

    @cached_property
    def _painted(self) -> Painted:
        """What shows the panel alone, made when it is first asked for."""
        if isinstance(self.shown, QWidget):
            raise TypeError("a widget is its own picture")
        return painted(self.shown, self.size)


class HiddenPage:
    """The part of a `Page` that its figures need, where these are panels that are painted when they are asked for.

    A page whose figures need no widgets of its own returns one from `Page.hidden`.
    """

    def __init__(self) -> None:
        self.outcomes: dict[str, Any] = {}
        self.design: Any = None
        self.view: dict[str, Any] = {}

    def set_study(self, study: Any) -> None:
        """Take a study."""
        self.design = study

    def jobs(self, study: Any) -> Sequence[Job]:
        """Return what the figures are made from."""
        return (Job("solve", study.run),)

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Take what a job gave; it is among the outcomes."""

    def views(self) -> Sequence[str]:
        """Return the views whose figures differ."""
        return ()

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Take what is selected and open."""
        self.view |= state

    def figures(self) -> Iterable[Figure]:
        """Return the pictures, as the page does."""
        raise NotImplementedError
