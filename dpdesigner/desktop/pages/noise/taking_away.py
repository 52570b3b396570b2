"""What is taken away from the noise page: pictures of every view, open or not, and the table of the open one to copy."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.pages.kit.ranking import bars
from dpdesigner.desktop.pages.noise.pictures_card import PicturesCard
from dpdesigner.desktop.pages.noise.sides import Answer, Asked, side_of
from dpdesigner.desktop.widgets.plot.histogram_plot import HistogramPlot
from dpdesigner.files.takeaway import noise_tables
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.noise.panels import planes


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def figures(design: Asked, answer: Answer, card: PicturesCard) -> list[Figure]:
    """Return every view of a design as a picture, the open one first, and the costs."""
    found: list[Figure] = []
    without = isinstance(design, HistogramDesign) or design.delta is None
    shown = [tab for tab in side_of(design).tabs(design) if tab[0] != "delta" or not without]
    for key, _, _ in sorted(shown, key=lambda tab: tab[0] != card.view):
        for plot, widget in zip(card.plots(key), (card.first, card.second), strict=False):
            found.append(Figure(plot.key, plot.title, plot, widget.figure().size()))
        found += _others(key, card)
    costs = bars(answer)
    return [*found, Figure(costs.key, costs.title, costs)]


def _others(key: str, card: PicturesCard) -> list[Figure]:
    """The views that are not curves; of a histogram only what was released, never the truth."""
    if key == "plane" and card.noise is not None:
        return [Figure(plane.key, plane.title, plane) for plane in planes(card.noise)]
    released = card.histogram.released_bars() if key == "histogram" else None
    design = card.histogram.design
    if released is None or design is None:
        return []
    plot = HistogramPlot()
    plot.set_cells([design.title(cell) for cell in range(len(released.values))], design.column, _tr("released"))
    plot.set_bars([released])
    plot.figure().resize(card.histogram.counts.figure().size())
    return [Figure(key, _tr("Released histogram"), plot)]


def rows_shown(card: PicturesCard) -> noise_tables.Table:
    """Return the open view as a table to copy, the header first; empty where it has none, and never a true count."""
    if card.view == "histogram":
        found = card.histogram.released
        return [] if found is None else noise_tables.table(found.release.columns())
    return next((plot.as_table().as_rows() for plot in card.plots(card.view)), [])
