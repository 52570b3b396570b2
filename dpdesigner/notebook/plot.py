"""Panels drawn with matplotlib, for notebooks; the window has a painter of its own."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from dpdesigner.errors import InputError
from dpdesigner.studies.matrices import Matrix, glance
from dpdesigner.studies.panels import Axis, Bars, Line, Plot
from dpdesigner.studies.table_panels import Ranking

#: By what a line is for; green only where it is proved.
_COLOURS = {"main": "#1f6feb", "rival": "#6b7280", "bound": "#b42318", "before": "#c2620a", "truth": "#14181f"}
_OTHER, _PROVED = "#9aa3b2", "#15803d"
_PIXELS = (1000, 1000)


def drawn(panel: Any, axes: Any = None) -> Any:
    """Draw a panel.

    Parameters
    ----------
    panel : Plot, Matrix or Ranking
    axes : matplotlib.axes.Axes, optional
        What to draw on; by default new ones.

    Raises
    ------
    InputError
        If matplotlib is not installed, or the panel is none of these.
    """
    if axes is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise InputError("pictures in a notebook need matplotlib: pip install 'dpdesigner[plot]'.", "matplotlib") from error
        axes = pyplot.subplots()[1]
    _draw(panel, axes)
    axes.set_title(panel.title)
    return axes


def colour(role: str, proved: bool) -> str:
    """Return the colour of what is drawn for a purpose."""
    return _PROVED if proved else _COLOURS.get(role, _OTHER)


@singledispatch
def _draw(panel: Any, axes: Any) -> None:
    raise InputError(f"a picture must be a plot, a matrix or a ranking, got a {type(panel).__name__}.", "which")


@_draw.register
def _plot(panel: Plot, axes: Any) -> None:
    panel = panel.public()
    for bars in panel.bars:
        _bars(bars, axes)
    for line in panel.lines:
        _line(line, axes)
    for mark in panel.marks:
        axes.plot([mark.x], [mark.y], "o", color=colour(mark.role, mark.proved))
        axes.annotate(mark.text, (mark.x, mark.y), xytext=(4, 4), textcoords="offset points")
    for band in panel.bands:
        span = axes.axvspan if band.along == "x" else axes.axhspan
        span(band.low, band.high, color=colour(band.role, band.proved), alpha=0.1)
    for handle in panel.handles:
        axes.axvline(handle.place, color=_OTHER, linewidth=0.8)
        top = {"xycoords": axes.get_xaxis_transform(), "xytext": (4, -10), "textcoords": "offset points"}
        axes.annotate(str(handle.text), (handle.place, 1), color=_COLOURS["rival"], **top)
    for axis, name in ((panel.x, "x"), (panel.y, "y")):
        _axis(axis, name, axes)
    if any(line.name for line in panel.lines) or any(bars.name for bars in panel.bars):
        axes.legend()


def _bars(bars: Bars, axes: Any) -> None:
    shade, places = colour(bars.role, bars.proved), range(bars.size)
    axes.bar(places, bars.values, width=0.85, color=shade, label=bars.name or "_", alpha=1 if bars.part is None else 0.35)
    if bars.part is not None:
        axes.bar(places, bars.part, width=0.85, color=shade, label=bars.part_name or "_")
    if bars.rival is not None:
        axes.hlines(bars.rival, [place - 0.42 for place in places], [place + 0.42 for place in places], _COLOURS["truth"])


def _line(line: Line, axes: Any) -> None:
    style = {"color": colour(line.role, line.proved), "label": line.name or "_", "linestyle": "--" if line.dashed else "-"}
    if line.spikes:
        axes.vlines(line.x, 0, line.y, **style)
    else:
        axes.plot(line.x, line.y, drawstyle="steps-post" if line.steps else "default", **style)
    if line.low is not None and line.high is not None:
        axes.fill_between(line.x, line.low, line.high, color=style["color"], alpha=0.15)


def _axis(axis: Axis, name: str, axes: Any) -> None:
    set_ = {word: getattr(axes, f"set_{name}{word}") for word in ("label", "scale", "lim", "ticks")}
    set_["label"](str(axis.title))
    if axis.log:
        set_["scale"]("log")
    if axis.limits is not None:
        set_["lim"](*axis.limits)
    if axis.scale == "names":
        set_["ticks"](range(len(axis.names)), list(map(str, axis.names)))
    elif axis.ticks is not None:
        set_["ticks"]([place for place, _ in axis.ticks], [str(text) for _, text in axis.ticks])
        set_["ticks"]([], minor=True)


@_draw.register
def _matrix(panel: Matrix, axes: Any) -> None:
    rows, columns = panel.cells.rows, panel.cells.columns
    seen = glance(panel.cells, (0, rows), (0, columns), _PIXELS)
    extent = (-0.5, columns - 0.5, rows - 0.5, -0.5)
    most = float(np.abs(seen.values).max())
    if panel.kind == "difference":
        image = axes.imshow(seen.values, extent=extent, aspect="auto", cmap="RdBu", vmin=-most, vmax=most)
    else:
        image = axes.imshow(seen.values, extent=extent, aspect="auto", cmap="Blues", vmin=0)
    axes.figure.colorbar(image, ax=axes)
    axes.set_xlabel(str(panel.columns))
    axes.set_ylabel(str(panel.rows))


@_draw.register
def _ranking(panel: Ranking, axes: Any) -> None:
    known = [row for row in panel.rows if row.value is not None][::-1]
    colours = [colour(row.role, row.proved) for row in known]
    bars = axes.barh([str(row.label) for row in known], [row.value for row in known], color=colours)
    axes.bar_label(bars, [panel.value_text(row) for row in known], padding=3)
