"""What is taken away from the noise page: pictures of every view, open or not, and tables of what was computed or released."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.pages.noise.curves_panel import paint
from dpdesigner.desktop.pages.noise.jobs import Released
from dpdesigner.desktop.pages.noise.pictures_card import PicturesCard
from dpdesigner.desktop.pages.noise.sides import Answer, Asked, side_of
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.histogram_plot import HistogramPlot
from dpdesigner.errors import InputError
from dpdesigner.files.takeaway import noise_tables
from dpdesigner.files.takeaway.histogram import HistogramTakeaway
from dpdesigner.files.takeaway.noise import NoiseTakeaway, TablesTakeaway
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.outcome import HistogramOutcome
from dpdesigner.studies.study import Progress


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


class Gallery(QWidget):
    """Plots that are never shown: the views that are not open, drawn when pictures are taken away."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._plots: dict[str, CurvePlot] = {}
        self._histogram = HistogramPlot(self)

    def figures(self, design: Asked, card: PicturesCard, bars: CostBars) -> list[Figure]:
        """Return every view of a design as a picture, the open one first, and the costs."""
        found = []
        without = isinstance(design, HistogramDesign) or design.delta is None
        shown = [tab for tab in side_of(design).tabs(design) if tab[0] != "delta" or not without]
        for key, title, _ in sorted(shown, key=lambda tab: tab[0] != card.view):
            for place, picture in enumerate(card.pictures(key)):
                name = key if not place else f"{key}-ratio"
                plot = self._plot(name, card)
                paint(plot, picture)
                found.append(Figure(name, title if not place else _tr("{title}, ratio").format(title=title), plot.figure()))
            found += self._others(key, card)
        return [*found, Figure("costs", _tr("What it costs"), bars)]

    def _plot(self, name: str, card: PicturesCard) -> CurvePlot:
        if name not in self._plots:
            self._plots[name] = CurvePlot(self)
        open_one = card.second if name.endswith("-ratio") else card.first
        self._plots[name].figure().resize(open_one.figure().size())
        return self._plots[name]

    def _others(self, key: str, card: PicturesCard) -> list[Figure]:
        """The views that are not curves; of a histogram only what was released, never the truth."""
        if key == "plane":
            sides = (
                ("plane", _tr("Staircase, two answers"), card.plane.staircase),
                ("plane-laplace", _tr("Laplace"), card.plane.laplace),
            )
            return [Figure(name, words, image.figure()) for name, words, image in sides]
        released = card.histogram.released_bars() if key == "histogram" else None
        design = card.histogram.design
        if released is None or design is None:
            return []
        titles = [design.title(cell) for cell in range(len(released.values))]
        self._histogram.set_cells(titles, design.column, _tr("released"))
        self._histogram.set_bars([released])
        self._histogram.figure().resize(card.histogram.counts.figure().size())
        return [Figure(key, _tr("Released histogram"), self._histogram.figure())]


def write_tables(
    answer: Answer, released: Released | None, folder: str, name: str, formats: Sequence[str], progress: Progress
) -> list[str]:
    """Write the tables of an answer and return their names; runs in the background and touches no widget.

    Raises
    ------
    InputError
        If there is nothing to write, a format is unknown or a file cannot be written.
    """
    takeaway: TablesTakeaway
    if not isinstance(answer, HistogramOutcome):
        takeaway = NoiseTakeaway(answer)
        found = takeaway.tables
    elif released is not None:
        takeaway, found = HistogramTakeaway(answer), {"released": _released_rows(released)}
    else:
        raise InputError(_tr("release the histogram first; its true counts are never written."), "file")
    return [path.name for path in noise_tables.write(takeaway.whole(), found, folder, name, formats, progress)]


def rows_shown(released: Released | None, card: PicturesCard) -> noise_tables.Table:
    """Return the open view as a table to copy, the header first; empty where it has none, and never a true count."""
    if card.view == "histogram":
        return [] if released is None else _released_rows(released)
    if not card.pictures(card.view):
        return []
    header, rows = card.first.as_table()
    return [header, *rows]


def _released_rows(released: Released) -> noise_tables.Table:
    columns = released.release.columns()
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [list(columns), *([str(edge), str(count)] for edge, count in values)]
