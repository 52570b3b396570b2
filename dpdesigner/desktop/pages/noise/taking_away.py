"""What is taken away from the noise page: pictures of every view, open or not, and the table of the open one to copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, QSize

from dpdesigner.desktop.pages.kit.declared_results import figures as panel_figures
from dpdesigner.desktop.pages.kit.page import Figure
from dpdesigner.desktop.pages.kit.painting import HiddenPage
from dpdesigner.desktop.pages.noise.sides import START, Answer, Asked, bars, panels_of, seen, tabs_of
from dpdesigner.desktop.theme.words import translated
from dpdesigner.desktop.widgets.plot.histogram_pair import rows_text
from dpdesigner.files.export import noise_tables
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.release import Released
from dpdesigner.studies.panels import Axis, Bars, Plot


class HiddenNoise(HiddenPage):
    """The figures of the noise page without the page."""

    def set_study(self, study: Asked) -> None:
        """Take a study; its first view is open."""
        super().set_study(study)
        share, chance = START
        self.view = {"view": tabs_of(study)[0][0], "share": share, "chance": chance}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Take what of it fits."""
        self.view |= seen(self.design, state)

    def figures(self) -> Iterator[Figure]:
        """Return all views, the open one first, and the costs."""
        answer, release = self.outcomes.get("solve"), self.outcomes.get("release")
        if answer is not None:
            own = release if release is not None and release.design == self.design else None
            yield from figures(self.design, answer, own, self.view, {})


def figures(
    design: Asked, answer: Answer, released: Released | None, view: Mapping[str, Any], sizes: Mapping[str, QSize | None]
) -> Iterator[Figure]:
    """Yield every view of a design as a picture, in these sizes, the open one first, and the costs; of a histogram no truth."""
    without = isinstance(design, HistogramDesign) or design.delta is None
    shown = [key for key, _, _ in tabs_of(design) if key != "delta" or not without]
    for key in sorted(shown, key=lambda key: key != view["view"]):
        for panel in panels_of(design, answer, key, view["share"], view["chance"]):
            yield from panel_figures(panel, sizes.get(panel.key))
        if key == "histogram" and released is not None:
            yield _histogram(released, sizes.get(key))
    yield from panel_figures(bars(answer))


def _histogram(released: Released, size: QSize | None) -> Figure:
    """What was released, never the truth."""
    design, counts = released.design, released.release.released.astype(float)
    words = QCoreApplication.translate("NoisePage", "released")
    title = QCoreApplication.translate("NoisePage", "Released histogram")
    names = tuple(translated(design.title(cell)) for cell in range(len(counts)))
    cells = Axis(design.column, scale="names", names=names)
    return Figure(
        "histogram", title, Plot("histogram", title, cells, Axis(words), bars=(Bars(counts, words, texts=rows_text),)), size
    )


def rows_shown(design: Asked, answer: Answer, released: Released | None, view: Mapping[str, Any]) -> noise_tables.Table:
    """Return the open view as a table to copy, the header first; empty where it has none, and never a true count."""
    if view["view"] == "histogram":
        return [] if released is None else noise_tables.table(released.release.columns())
    panels = panels_of(design, answer, view["view"], view["share"], view["chance"])
    return next((panel.as_table().as_rows() for panel in panels if isinstance(panel, Plot)), [])
