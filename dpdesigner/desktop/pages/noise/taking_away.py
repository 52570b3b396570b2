"""What is taken away from the noise page: pictures of every view, open or not, and the table of the open one to copy."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.pages.kit.declared_results import figures as panel_figures
from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.pages.kit.ranking import bars
from dpdesigner.desktop.pages.noise.pictures_card import PicturesCard
from dpdesigner.desktop.pages.noise.sides import Answer, Asked, tabs_of
from dpdesigner.desktop.widgets.plot.histogram_plot import HistogramPlot
from dpdesigner.files.takeaway import noise_tables
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.panels import Plot


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def figures(design: Asked, answer: Answer, card: PicturesCard) -> Iterator[Figure]:
    """Yield every view of a design as a picture, the open one first, and the costs."""
    without = isinstance(design, HistogramDesign) or design.delta is None
    shown = [key for key, _, _ in tabs_of(design) if key != "delta" or not without]
    sizes = {figure.name: figure.size for figure in card.curves.figures()}
    for key in sorted(shown, key=lambda key: key != card.view):
        for panel in card.panels(key):
            yield from panel_figures(panel, sizes.get(panel.key))
        yield from _released(key, card)
    yield from panel_figures(bars(answer))


def _released(key: str, card: PicturesCard) -> list[Figure]:
    """What was released of a histogram, never the truth."""
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
        released = card.histogram.released
        return [] if released is None else noise_tables.table(released.release.columns())
    plots = [panel for panel in card.panels(card.view) if isinstance(panel, Plot)]
    return plots[0].as_table().as_rows() if plots else []
