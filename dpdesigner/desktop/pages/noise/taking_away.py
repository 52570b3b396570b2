"""What is taken away from the noise page: pictures of every view, open or not, and tables of what was computed or released."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.pages.noise.jobs import Released
from dpdesigner.desktop.pages.noise.meaning import Answer, ranking
from dpdesigner.desktop.pages.noise.pictures_card import PicturesCard
from dpdesigner.desktop.widgets.plot.histogram_plot import HistogramPlot
from dpdesigner.errors import InputError
from dpdesigner.files.tables.choice_table import choice_table
from dpdesigner.files.takeaway import noise_tables
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_outcome import HistogramOutcome
from dpdesigner.studies.noise.panels import planes
from dpdesigner.studies.noise.views import tabs_of
from dpdesigner.studies.study import Progress


def _tr(text: str) -> str:
    return QCoreApplication.translate("NoisePage", text)


def figures(study: NoiseStudy, answer: Answer, card: PicturesCard) -> list[Figure]:
    """Return every view of a study as a picture, the open one first, and the costs."""
    found: list[Figure] = []
    shown = [tab for tab in tabs_of(study) if tab[0] != "delta" or study.delta is not None]
    for key, title, _ in sorted(shown, key=lambda tab: tab[0] != card.view):
        for plot, widget in zip(card.plots(key), (card.first, card.second), strict=False):
            found.append(Figure(plot.key, plot.title, plot, widget.figure().size()))
        found += _others(key, title, study, card)
    costs = ranking(answer)
    return [*found, Figure(costs.key, costs.title, costs)]


def _others(key: str, title: str, study: NoiseStudy, card: PicturesCard) -> list[Figure]:
    """The views that are not curves; of a histogram only what was released, never the truth."""
    if key == "table":
        return [Figure(key, title, card.table.matrix.figure())]
    if key == "plane" and card.noise is not None:
        return [Figure(plane.key, plane.title, plane) for plane in planes(card.noise)]
    released = card.histogram.released_bars() if key == "histogram" else None
    if released is None:
        return []
    plot = HistogramPlot()
    plot.set_cells([study.histogram.title(cell) for cell in range(len(released.values))], study.histogram.column, _tr("released"))
    plot.set_bars([released])
    plot.figure().resize(card.histogram.counts.figure().size())
    return [Figure(key, _tr("Released histogram"), plot)]


def write_tables(
    answer: Answer, released: Released | None, folder: str, name: str, formats: Sequence[str], progress: Progress
) -> list[str]:
    """Write the tables of an answer and return a sentence for each file; runs in the background and touches no widget.

    Raises
    ------
    InputError
        If there is nothing to write, a format is unknown or a file cannot be written.
    """
    if not isinstance(answer, HistogramOutcome):
        found = noise_tables.tables(answer)
    elif released is not None:
        found = {"released": _released_rows(released)}
    else:
        raise InputError(_tr("release the histogram first; its true counts are never written."), "file")
    names = [path.name for path in noise_tables.write(answer, found, folder, name, formats, progress)]
    return [_verified(answer, file) for file in names] if isinstance(answer, TableOutcome) else names


def rows_shown(answer: Answer, released: Released | None, card: PicturesCard) -> noise_tables.Table:
    """Return the open view as a table to copy, the header first; empty where it has none, and never a true count."""
    if isinstance(answer, TableOutcome):
        return noise_tables.tables(answer)["probabilities"]
    if card.view == "histogram":
        return [] if released is None else _released_rows(released)
    return next((plot.as_table().as_rows() for plot in card.plots(card.view)), [])


def _verified(answer: TableOutcome, file: str) -> str:
    if file.endswith(".tex"):
        return _tr("{file}: rounded for print").format(file=file)
    words = _tr("{file}: every row sums to exactly 1 and ε is at most {epsilon}, checked on the text")
    return words.format(file=file, epsilon=choice_table(answer).epsilon)


def _released_rows(released: Released) -> noise_tables.Table:
    columns = released.release.columns()
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [list(columns), *([str(edge), str(count)] for edge, count in values)]
