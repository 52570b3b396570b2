"""Pictures drawn with matplotlib: panels in notebooks, picture files without Qt, and answers as HTML.

Pictures of a design as files, drawn with matplotlib: what a server without Qt exports, and puts into reports and shared pages.

They show the panels that the export of the design names, whatever its kind; nothing secret is among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from dpdesigner import resources
from dpdesigner.core.basics.parsing import cut
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import write_into
from dpdesigner.files.export import Export, export_of
from dpdesigner.files.formatting import file_name
from dpdesigner.files.report import Picture
from dpdesigner.files.share import pictured
from dpdesigner.studies.base import flattened, for_owner
from dpdesigner.studies.findings import describe_finding, public
from dpdesigner.studies.matrices import Matrix, glance
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Bars, Line
from dpdesigner.studies.study import Progress, design_of, silent
from dpdesigner.studies.table_panels import Ranking

#: By the role of a line; green only for proved lines.
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
    """Return the colour for a purpose."""
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
        axes.annotate(str(handle.label), (handle.place, 1), color=_COLOURS["rival"], **top)
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
    if (names := panel.cells.names) and list(names) != list(map(str, range(columns))):
        step = -(-columns // _MOST_NAMES)
        axes.set_xticks(range(0, columns, step), names[::step])
    axes.set_xlabel(str(panel.columns))
    axes.set_ylabel(str(panel.rows))


@_draw.register
def _ranking(panel: Ranking, axes: Any) -> None:
    known = [row for row in panel.rows if row.value is not None][::-1]
    colours = [colour(row.role, row.proved) for row in known]
    bars = axes.barh([str(row.label) for row in known], [row.value for row in known], color=colours)
    axes.bar_label(bars, [panel.value_text(row) for row in known], padding=3)


#: Sizes in pixels: pictures in files, the first picture in a report, and the others.
_SIZE, _LARGE, _SMALL = (900, 700), (640, 420), (400, 280)
_DOTS = 100  # an inch
_MOST_NAMES = 20  # of columns that an axis of a matrix shows
#: No file says when it was made, and the names inside an SVG file are the same each time.
_STYLE = {"svg.hashsalt": "dpdesigner", "pdf.fonttype": 42, "font.size": 9}
_WITHOUT_DATE = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}, "png": {"Software": None}}


def installed() -> bool:
    """Return whether matplotlib is installed."""
    try:
        return find_spec("matplotlib") is not None
    except ImportError:
        return False


def save_figures(
    solved: Export, folder: str | Path, name: str, endings: Sequence[str], progress: Progress = silent
) -> list[Path]:
    """Draw every panel of a design, as ``NAME-PANEL.ENDING``, into a folder; see `write_into`."""
    progress(None, solved.title)
    each = ((panel, ending) for panel in panels_of(solved) for ending in endings)
    stem = file_name(name)
    return write_into(folder, ((f"{stem}-{panel.key}.{end}", _bytes(panel, end, _SIZE)) for panel, end in each), progress)


def figures(solved: Export) -> list[Picture]:
    """Return the pictures of a design for a page; the first is larger than the others."""
    made: list[Picture] = []
    for panel in panels_of(solved):
        size = _SMALL if made else _LARGE
        text = _bytes(panel, "svg", size).decode("utf-8")
        made.append(Picture(str(panel.title), text[text.index("<svg") :], *size))
    return made


def pictures_of(designs: Sequence[Export], progress: Progress = silent) -> dict[int, list[Picture]]:
    """Return the pictures of those designs of a shared page that show any, by their positions."""
    made = {}
    for place, solved in enumerate(designs):
        if pictured(solved):
            progress(place / len(designs), solved.title)
            made[place] = figures(solved)
    return made


def panels_of(solved: Export) -> list[Any]:
    """Return the panels of a design that can be drawn, without secret content."""
    panels = [each for each in flattened(solved.panels()) if isinstance(each, (Plot, Matrix, Ranking)) and not for_owner(each)]
    return list({panel.key: panel for panel in panels}.values())


def _bytes(panel: Any, ending: str, size: tuple[int, int]) -> bytes:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):  # a separate figure needs no screen and is not kept by pyplot
        figure = Figure(figsize=(size[0] / _DOTS, size[1] / _DOTS), dpi=_DOTS, layout="constrained")
        drawn(panel, figure.add_subplot())
        file = BytesIO()
        figure.savefig(file, format=ending, metadata=_WITHOUT_DATE[ending])
    return file.getvalue()


#: A notebook page shows at most this many findings and tables, and tables only for designs up to this n.
_FINDINGS, _TABLES, _LARGEST_LISTED = 8, 2, 60


def export_of_result(outcome: Any) -> Export:
    """Return the export of an outcome, without running it again."""
    return export_of(design_of(outcome), done={"solve": outcome})


def table(outcome: Any, file_format: str = "csv", fractions: bool = False) -> str:
    """Return the text of the first table that an export would write; see `dpdesigner.studies.answer.Outcome.table`."""
    solved = export_of_result(outcome)
    solved.check([file_format], fractions)
    file = next(solved.files("table", [file_format], fractions), None)
    if file is None:
        raise InputError(f"a {solved.study.kind} design has no table.", "format")
    return file.text


def plot(outcome: Any, which: str | None = None, axes: Any = None) -> Any:
    """Draw one of the drawable panels; see `dpdesigner.studies.answer.Outcome.plot`."""
    panels = {panel.key: panel for panel in export_of_result(outcome).panels()}
    if not panels or (which is not None and which not in panels):
        there = ", ".join(panels) or "none"
        raise InputError(f"the picture must be one of {there}, got {cut(which or 'none')}.", "which")
    return drawn(panels[which] if which is not None else next(iter(panels.values())), axes)


def html(outcome: Any) -> str:
    """Return a short page: the design, the findings, the table if it is small, and the proved results."""
    solved = export_of_result(outcome)
    small = getattr(solved.study, "n", 0) <= _LARGEST_LISTED
    findings = [(finding, describe_finding(finding)) for finding in public(outcome.findings).values()]
    return (
        resources.templates("report", autoescape=True)
        .get_template("notebook.html")
        .render(
            title=solved.title,
            line=solved.line,
            findings=[(finding.label, text, finding.state) for finding, text in findings[:_FINDINGS]],
            listings=[each for each in solved.listings() if each.rows][:_TABLES] if small else [],
            proof=solved.proof() if small else [],
        )
    )
