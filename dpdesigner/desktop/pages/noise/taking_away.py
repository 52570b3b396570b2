"""What is taken away from the noise page: pictures of every view, open or not, and the table of the open one to copy."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.pages.noise.curves_panel import paint
from dpdesigner.desktop.pages.noise.jobs import Released
from dpdesigner.desktop.pages.noise.meaning import Answer
from dpdesigner.desktop.pages.noise.pictures_card import PicturesCard
from dpdesigner.desktop.pages.noise.views import tabs_of
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.histogram_plot import HistogramPlot
from dpdesigner.files.tables.choice_table import choice_table
from dpdesigner.files.takeaway import noise_tables
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.design import NoiseStudy


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


class Gallery(QWidget):
    """Plots that are never shown: the views that are not open, drawn when pictures are taken away."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._plots: dict[str, CurvePlot] = {}
        self._histogram = HistogramPlot(self)

    def figures(self, study: NoiseStudy, card: PicturesCard, bars: CostBars) -> list[Figure]:
        """Return every view of a study as a picture, the open one first, and the costs."""
        found = []
        shown = [tab for tab in tabs_of(study) if tab[0] != "delta" or study.delta is not None]
        for key, title, _ in sorted(shown, key=lambda tab: tab[0] != card.view):
            for place, picture in enumerate(card.pictures(key)):
                name = key if not place else f"{key}-ratio"
                plot = self._plot(name, card)
                paint(plot, picture)
                found.append(Figure(name, title if not place else _tr("{title}, ratio").format(title=title), plot.figure()))
            found += self._others(key, title, study, card)
        return [*found, Figure("costs", _tr("What it costs"), bars)]

    def _plot(self, name: str, card: PicturesCard) -> CurvePlot:
        if name not in self._plots:
            self._plots[name] = CurvePlot(self)
        open_one = card.second if name.endswith("-ratio") else card.first
        self._plots[name].figure().resize(open_one.figure().size())
        return self._plots[name]

    def _others(self, key: str, title: str, study: NoiseStudy, card: PicturesCard) -> list[Figure]:
        """The views that are not curves; of a histogram only what was released, never the truth."""
        if key == "table":
            return [Figure(key, title, card.table.matrix.figure())]
        if key == "plane":
            sides = (
                ("plane", _tr("Staircase, two answers"), card.plane.staircase),
                ("plane-laplace", _tr("Laplace"), card.plane.laplace),
            )
            return [Figure(name, words, image.figure()) for name, words, image in sides]
        released = card.histogram.released_bars() if key == "histogram" else None
        if released is None:
            return []
        self._histogram.set_cells(
            [study.histogram.title(cell) for cell in range(len(released.values))], study.histogram.column, _tr("released")
        )
        self._histogram.set_bars([released])
        self._histogram.figure().resize(card.histogram.counts.figure().size())
        return [Figure(key, _tr("Released histogram"), self._histogram.figure())]


def rows_shown(answer: Answer, released: Released | None, card: PicturesCard) -> noise_tables.Table:
    """Return the open view as a table to copy, the header first; empty where it has none, and never a true count."""
    if isinstance(answer, TableOutcome):
        return noise_tables.choice_rows(choice_table(answer).texts)
    if card.view == "histogram":
        return [] if released is None else noise_tables.table(released.release.columns())
    if not card.pictures(card.view):
        return []
    header, rows = card.first.as_table()
    return [header, *rows]
