"""The middle and the right of a page of declared panels: pictures under tabs, then findings, rankings and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.findings_card import FindingsCard
from dpdesigner.desktop.pages.kit.painting import Figure
from dpdesigner.desktop.pages.kit.panel_views import MatrixPanel, PanelView, Place, PlotPanel, view_of
from dpdesigner.desktop.pages.kit.views_card import ViewsCard
from dpdesigner.desktop.widgets.base.column import ColumnLayout, scrolling
from dpdesigner.studies.cells import Matrix
from dpdesigner.studies.declared import Answer, Panel, View
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.tables import Ranking, Sentence, Table


class PanelColumn(QWidget):
    """Panels one below the other; a panel that is shown again has the widget that it had."""

    moving = Signal(str, float)  #: a handle is dragged: its target, and where it is
    moved = Signal(str, float)
    cancelled = Signal(str)  #: it was given up

    def __init__(self) -> None:
        super().__init__()
        self._column = ColumnLayout(self)
        self._made: dict[tuple[str, type[Panel]], PanelView] = {}
        self.views: dict[str, PanelView] = {}  #: of the panels shown
        self.panels: dict[str, Panel] = {}

    def show_panels(self, panels: Sequence[Panel], place: Place) -> None:
        """Show panels, by their keys."""
        wanted = {_key(panel, number): panel for number, panel in enumerate(panels)}
        if [(key, type(panel)) for key, panel in wanted.items()] != [(key, type(old)) for key, old in self.panels.items()]:
            self._replace(wanted)
        self.panels = wanted
        for key, panel in wanted.items():
            self.views[key].show_panel(panel, place)

    def _replace(self, wanted: Mapping[str, Panel]) -> None:
        for view in self.views.values():
            self._column.removeWidget(view)
            view.hide()
        self.views = {key: self._view(key, panel) for key, panel in wanted.items()}
        for key, view in self.views.items():
            self._column.addWidget(view, 0 if isinstance(wanted[key], Sentence | Ranking | Table) else 1)
            view.show()

    def _view(self, key: str, panel: Panel) -> PanelView:
        if (key, type(panel)) not in self._made:
            view = self._made[key, type(panel)] = view_of(panel)
            view.moving.connect(self.moving)
            view.moved.connect(self.moved)
            view.cancelled.connect(self.cancelled)
        return self._made[key, type(panel)]

    def put_handles(self, place: Place) -> None:
        """Put the handles where they are now."""
        for view in self.views.values():
            view.put_handles(place)

    def set_stale(self, on: bool) -> None:
        """Fade them."""
        for view in self.views.values():
            view.set_stale(on)

    def figures(self) -> list[Figure]:
        """Return the pictures, without what is secret."""
        found = []
        for key, panel in self.panels.items():
            view = self.views[key]
            if isinstance(panel, Plot) and panel.lines and not panel.public().lines:
                continue
            if isinstance(panel, Plot | Ranking):
                size = view.plot.figure().size() if isinstance(view, PlotPanel) else None
                found.append(Figure(key, translated(panel.title), panel, size))
            elif isinstance(panel, Matrix) and isinstance(view, MatrixPanel):
                found.append(Figure(key, translated(panel.title), view.view.figure()))
        return found


class PicturesCard(ViewsCard):
    """Tabs where there are several views, and the panels of the open one."""

    def __init__(self, views: Sequence[View]) -> None:
        super().__init__("")
        self.setAccessibleName(self.tr("Pictures"))
        self.offer([(view.key, translated(view.title), "") for view in views])
        self.tabs.setVisible(len(views) > 1)
        self.panels = PanelColumn()
        self.add(scrolling(self.panels), 1)


class ResultsColumn(QWidget):
    """Findings, and the cards of rankings and tables."""

    def __init__(self, why: Callable[[], object]) -> None:
        super().__init__()
        self.findings, self.panels = FindingsCard(), PanelColumn()
        self.findings.whyRequested.connect(why)
        column = ColumnLayout(self)
        column.addWidget(self.findings)
        column.addWidget(self.panels)
        column.addStretch(1)

    def set_answer(self, answer: Answer, beside: Sequence[Panel], place: Place) -> None:
        """Show an answer, and these of its panels."""
        self.findings.set_findings(answer.findings, answer.sentence, answer.why is not None)
        self.panels.show_panels(beside, place)
        self.panels.setVisible(bool(beside))

    def show_failure(self, reason: str) -> None:
        """Show why nothing came out; beside its control that is said only until the user goes on."""
        self.set_stale(False)
        self.findings.set_findings({}, reason, False)
        self.panels.hide()

    def set_stale(self, on: bool) -> None:
        """Say that it is computed anew."""
        self.findings.set_stale(on)
        self.panels.set_stale(on)


def shared_out(answer: Answer, view: Mapping[str, Any]) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of the open view for the middle, and all rankings and tables for the right."""
    panels = answer.panels_in(view)
    opened = next((each.panels for each in answer.design.views if each.key == view.get("view")), None)
    middle: list[Panel] = [
        panel
        for panel in panels
        if isinstance(panel, Sentence) or (not isinstance(panel, Ranking | Table) and (opened is None or panel.key in opened))
    ]
    return middle, [panel for panel in panels if isinstance(panel, Ranking | Table)]


def _key(panel: Panel, number: int) -> str:
    return f"sentence-{number}" if isinstance(panel, Sentence) else panel.key
