"""The middle and right of a page with declared panels: pictures under tabs, then findings, rankings and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import ColumnArea, ColumnLayout, scrolling
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.kit.cards import FindingsCard, PanelCard
from dpdesigner.desktop.pages.kit.panel_views import (
    KeptSentencePanel,
    MatrixPanel,
    PanelView,
    Place,
    PlotPanel,
    RankingPanel,
    StripsPanel,
    TablePanel,
    view_of,
)
from dpdesigner.desktop.pages.kit.summary import Figure
from dpdesigner.desktop.pages.kit.three_columns import ViewsCard, order_focus_around
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.studies.base import Answer, Panel, View, flattened, for_owner
from dpdesigner.studies.findings import Findings
from dpdesigner.studies.matrices import Matrix, Planes
from dpdesigner.studies.panels import Plot, Strips
from dpdesigner.studies.plot_parts import Axis
from dpdesigner.studies.table_panels import Pairs, Ranking, Sentence, Table


class Panels(QWidget):
    """Widgets for panels by key: what is dragged in one of them, and which are out of date."""

    moving = Signal(str, object)  #: something is dragged: its target, and the value that it would take
    moved = Signal(str, object)
    cancelled = Signal(str)  #: the drag was cancelled
    pressed = Signal(str)  #: a key of a panel that has an action

    def __init__(self) -> None:
        super().__init__()
        self.views: Mapping[str, PanelView | PanelCard] = {}  #: those shown
        self._late: set[PanelView | PanelCard] = set()

    def follow(self, view: PanelView | PanelCard) -> None:
        """Pass on what is dragged in a view."""
        view.moving.connect(self.moving)
        view.moved.connect(self.moved)
        view.cancelled.connect(self.cancelled)

    def put_handles(self, place: Place) -> None:
        """Move the handles to the values of the design, even before its answer arrives."""
        for view in self.views.values():
            view.put_handles(place)

    def set_late(self, keys: Sequence[str]) -> None:
        """Fade the panels with these keys, which wait for a job, and no widget any longer that has finished waiting."""
        now = {view for key, view in self.views.items() if key in keys}
        for view in now ^ self._late:  # panels of different tabs may share a widget
            view.set_stale(view in now)
        self._late = now

    def set_stale(self, on: bool) -> None:
        """Fade all panels, or show those in full again that do not wait for a job."""
        for view in self.views.values():
            view.set_stale(on or view in self._late)

    def fade_late(self) -> None:
        """Fade the panels that wait for a job once more."""
        for view in self._late:
            view.set_stale(True)


#: What a plot shows before its panel has arrived.
_BARE = Axis(limits=(0.0, 1.0), ticks=())
_NOTHING = Plot("", "", _BARE, _BARE)


class PanelColumn(Panels):
    """Stacked panels; a panel that is shown again keeps its widget, and a plot takes over the one in its position.

    Parameters
    ----------
    framed : bool
        Whether plots stand among cards as one of them.
    own : mapping, optional
        By the keys of panels, what makes a widget for them in place of the usual one.
    main : bool
        Whether the largest picture is the main one of its page, for which the others and the texts give way.
    """

    def __init__(
        self,
        framed: bool = False,
        own: Mapping[str, Callable[[], PanelView]] | None = None,
        main: bool = False,
    ) -> None:
        super().__init__()
        self._own, self._main, self.folded = own or {}, main, False
        self._column, self._framed = ColumnLayout(self), framed
        self._made: dict[tuple[str | int, object], PanelView] = {}
        self._shown: dict[PanelView, Panel] = {}  # the panel shown by each widget
        self.said = ""  #: the words already in a tab above, which no heading repeats
        self.views: dict[str, PanelView] = {}  #: views of the panels shown
        self.panels: dict[str, Panel] = {}

    def show_panels(self, panels: Sequence[Panel], place: Place) -> None:
        self.panels = {_key(panel, number): panel for number, panel in enumerate(panels)}
        before = list(self.views.values())
        self.views = {key: self._view(number, key, type(panel)) for number, (key, panel) in enumerate(self.panels.items())}
        new = before != list(self.views.values())
        if new:
            self._replace(before)
        self._share_out()
        for key, panel in self.panels.items():
            view = self.views[key]
            self._column.setStretchFactor(view, _room(panel))  # which a widget that was taken out has lost
            if self._shown.get(view) is panel:
                view.put_handles(place)
                continue
            self._shown[view] = panel
            if isinstance(view, PlotPanel | MatrixPanel) and isinstance(panel, Plot | Matrix):
                view.heading.setVisible(panel.title != self.said)
            view.show_panel(panel, place)
        if new:  # once more, because strips make their plots only now
            order_focus_around(self)

    def expect(self, keys: Sequence[str], late: bool = True) -> None:
        """Reserve space for plots that have not arrived yet, or that will not."""
        before, self.panels = list(self.views.values()), {}
        self.views = {key: self._view(number, key, Plot) for number, key in enumerate(keys)}
        if before != list(self.views.values()):
            self._replace(before)
        for view in self.views.values():
            self._shown.pop(view, None)
            if type(view) is PlotPanel:  # and not one of the page's own
                said = self.tr("computing…") if late and view is self.views[keys[0]] else ""
                view.show_panel(replace(_NOTHING, hint=said), lambda target: None)
            self._column.setStretchFactor(view, Plot.room)

    def _share_out(self) -> None:
        """Give the largest picture the room of the main one, and the others that of lanes below it."""
        if self._main:
            pictures = [(self.views[key], _room(panel)) for key, panel in self.panels.items() if _room(panel)]
            self._column.setAlignment(_ANYWHERE if pictures else Qt.AlignmentFlag.AlignTop)
            main = max(pictures, key=lambda each: each[1], default=(None, 0))[0]
            for view, _ in pictures:
                view.set_lane(0 if view is main else 1)

    def set_folded(self, on: bool) -> None:
        """Let texts give way to the pictures, each to one line, or show all of them."""
        self.folded = on
        for view in self._made.values():
            view.set_short(on)

    def _replace(self, before: Sequence[PanelView]) -> None:
        for view in before:
            self._column.removeWidget(view)
            view.hide()
        for view in self.views.values():
            self._column.addWidget(view)
            view.show()
        order_focus_around(self)
        plots = [view.plot.figure() for view in self.views.values() if isinstance(view, PlotPanel)]
        if len(plots) == 2:
            plots[0].align_with(plots[1])

    def _view(self, number: int, key: str, kind: type[Panel]) -> PanelView:
        own = self._own.get(key)
        place: tuple[str | int, object] = (key, own) if own else (number if issubclass(kind, Plot) else key, kind)
        if place not in self._made:
            view = self._made[place] = own() if own else view_of(kind)
            self.follow(view)
            view.told.connect(self._tell)
            view.pressed.connect(self.pressed)
            view.set_short(self.folded)
            if isinstance(view, PlotPanel) and self._framed:
                view.frame_it()
        return self._made[place]

    def _tell(self, text: str) -> None:
        """Say a text about the place pointed at instead of the sentence, or the sentence again if it is empty."""
        view, panel = self.views.get("told"), self.panels.get("told")
        if isinstance(view, KeptSentencePanel) and isinstance(panel, Sentence):
            view.label.say("", text or translated(panel.text))

    def words_of(self, target: str) -> str:
        """Return the undo label for a drag with this target."""
        plots = [plot for plot in flattened(self.panels.values()) if isinstance(plot, Plot)]
        marks = [mark for plot in plots for part in (plot.lines, plot.bars) for mark in part]
        drags = (drag for mark in marks for drag in mark.drags)
        clicked = any(isinstance(panel, Ranking) and panel.changes and panel.select == target for panel in self.panels.values())
        words = self.tr("Try a change") if clicked else ""
        return next((translated(drag.words) for drag in drags if drag.target == target), words)

    def figures(self) -> list[Figure]:
        pictures = []
        for key, panel in self.panels.items():
            view = self.views[key]
            if isinstance(panel, Matrix) and isinstance(view, MatrixPanel) and not for_owner(panel):
                pictures.append(Figure(key, translated(panel.title), view.view.figure()))
            elif isinstance(view, StripsPanel):
                plots = {key: plot.figure().size() for key, plot in view.stack.plots.items()}
                pictures.extend(replace(each, size=plots.get(each.name)) for each in figures(panel))
            else:
                pictures.extend(figures(panel, view.plot.figure().size() if isinstance(view, PlotPanel) else None))
        return pictures


_ANYWHERE = Qt.AlignmentFlag(0)
_LEAST_WIDTH = 300, 240  # pixels at every text size, and at text scale 1


class PicturesCard(ViewsCard):
    """Tabs if there are several views, and the panels of the open one; `own` and `main` as in `PanelColumn`.

    Where room is short, the notes below the pictures are cut to one line first; then the pictures scroll.
    """

    def __init__(
        self,
        views: Sequence[View],
        own: Mapping[str, Callable[[], PanelView]] | None = None,
        main: bool = True,
    ) -> None:
        super().__init__("")
        self.setAccessibleName(self.tr("Pictures"))
        self.panels = PanelColumn(own=own, main=main)
        self.show_views(views)
        self.stage = scrolling(self.panels) if main else self.panels  # beside a main picture they scroll with it
        self.blank = SentenceLabel("small")  #: in place of the pictures
        self.blank.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.blank.hide()
        self.add(self.stage, 1)
        self.add(self.blank, 1)
        self.expect(views[0].key if views else "")
        self.folding = Folding(self.panels, (self.panels,))
        theme().follow(self._fit)

    @Slot()
    def _fit(self) -> None:
        """Keep the pictures wide enough to be legible at this text size."""
        always, scaled = _LEAST_WIDTH
        least = max(always, round(px(scaled)))
        if isinstance(self.stage, ColumnArea):
            self.stage.keep_width(least)
        else:
            self.stage.setMinimumWidth(least)

    def set_blank(self, words: str) -> None:
        """Show a sentence in place of the pictures, or without one the pictures again."""
        self.blank.setText(words)
        self.blank.setVisible(bool(words))
        self.stage.setVisible(not words)

    def show_views(self, views: Sequence[View]) -> None:
        """Offer these views, and open the first."""
        self._views, self._opened = views, ""
        offered = [(view.key, translated(view.title), translated(view.tip)) for view in views if view.tab]
        self.offer(offered, most=sum(view.tab and not view.rare for view in views))
        self.tabs.setVisible(len(offered) > 1)

    def name_open(self, opened: str) -> None:
        """Keep headings from repeating the title on the tab of the open view, and its sentence from keeping another's height."""
        if opened != self._opened and isinstance(sentence := self.panels.views.get("told"), KeptSentencePanel):
            sentence.label.forget()
        self._opened = opened
        self.panels.said = next((view.title for view in self._views if view.key == opened and len(self._views) > 1), "")

    def expect(self, opened: str, late: bool = True) -> None:
        """Reserve space for the panels of a view before there is an answer."""
        self.name_open(opened)
        keys = next((view.panels for view in self._views if view.key == opened), ("",))
        self.panels.expect(keys, late)


class ResultsColumn(QWidget):
    """Findings, and the cards of rankings and tables."""

    def __init__(self, why: Callable[[], object], own: Mapping[str, Callable[[], PanelView]] | None = None) -> None:
        super().__init__()
        self.findings, self.panels = FindingsCard(), PanelColumn(framed=True, own=own)
        self.chosen: Callable[[Answer], Findings] = lambda answer: answer.findings  #: which findings the card shows
        self.findings.whyRequested.connect(why)
        self.findings.why.hide()  # until there is something to explain
        self.panels.hide()
        column = ColumnLayout(self)
        column.addWidget(self.findings)
        column.addWidget(self.panels)
        column.addStretch(1)

    def set_answer(self, answer: Answer, beside: Sequence[Panel], place: Place) -> None:
        found, explained = self.chosen(answer), answer.why is not None
        self.findings.set_findings(found, explained)
        self.panels.show_panels(beside, place)
        self.panels.setVisible(bool(beside))
        views = self.panels.views.values()
        headers = [view.card.header for kind in (RankingPanel, TablePanel) for view in views if isinstance(view, kind)]
        headers += [view.row for view in views if isinstance(view, PlotPanel)]
        self._explain_in(headers[0] if headers and explained and not found else self.findings.header)

    def _explain_in(self, header: QHBoxLayout) -> None:
        """Put the link to the explanation into a header: without findings, into that of the first ranking, table or plot."""
        if self.findings.why.parent() is not header.parentWidget():
            header.addWidget(self.findings.why)
            self.findings.setHidden(header is not self.findings.header)

    def show_failure(self, reason: str) -> None:
        """Show why there is no result; the message next to the control disappears when the user continues."""
        self.set_stale(False)
        self.findings.set_findings({}, reason=reason)
        self._explain_in(self.findings.header)
        self.panels.setVisible(self.findings.isHidden())  # a column is never left empty

    def set_stale(self, on: bool) -> None:
        self.findings.set_stale(on)
        self.panels.set_stale(on)


class CardColumn(Panels):
    """Cards in place of the usual results, each for the panel with its key.

    Parameters
    ----------
    *cards : (str, Card, int)
        From top to bottom: the key of the panel, its card, and the card's share of free room.
    folds : sequence of Card
        What gives way where room is short, in this order.
    """

    def __init__(self, *cards: tuple[str, Card, int], folds: Sequence[Card] = ()) -> None:
        super().__init__()
        self.panels, self.shown = self, dict[str, Panel]()
        self.cards = {key: card for key, card, _ in cards if isinstance(card, PanelCard)}
        self.views = self.cards
        for card in self.cards.values():
            self.follow(card)
        if cards:
            layout = ColumnLayout(self)
            for _, each, stretch in cards:
                layout.addWidget(each, stretch)
            layout.addStretch(0 if any(stretch for _, _, stretch in cards) else 1)
            self.folding = Folding(self, folds)

    def set_answer(self, answer: Any, beside: Sequence[Panel], place: Place) -> None:
        self.show_panels(beside, place)

    def show_panels(self, panels: Sequence[Panel], place: Place) -> None:
        """Show the new ones among these panels."""
        before, self.shown = self.shown, {panel.key: panel for panel in panels}
        for key, panel in self.shown.items():
            if before.get(key) is not panel:
                self.show_panel(panel)
        self.put_handles(place)

    def show_panel(self, panel: Any) -> None:
        self.cards[panel.key].show_panel(panel)

    def words_of(self, target: str) -> str:
        """Return the undo label for this target; empty if the column of inputs has it."""
        return ""

    def figures(self) -> list[Figure]:
        return [figure for panel in self.shown.values() for figure in figures(panel)]

    def show_failure(self, reason: str) -> None:
        """Keep what is shown; the card of the input explains why there is no result."""


def shared_out(panels: Sequence[Panel], answer: Answer, view: Mapping[str, Any]) -> tuple[list[Panel], list[Panel]]:
    """Return the panels of the open view for the middle; rankings, tables and others chosen by the design for the right.

    A sentence is shown in every view, unless one of them names it.
    """
    beside = answer.design.beside_views
    opened = next((each.panels for each in answer.design.views if each.key == view.get("view")), None)
    named = {key for each in answer.design.views for key in each.panels}
    middle: list[Panel] = [
        panel
        for panel in panels
        if (isinstance(panel, Sentence) and panel.key not in named)
        or (not isinstance(panel, Ranking | Table) and (panel.key not in beside if opened is None else panel.key in opened))
    ]
    return middle, [panel for panel in panels if isinstance(panel, Ranking | Table) or panel.key in beside]


def figures(panel: Panel, size: QSize | None = None) -> list[Figure]:
    """Return the pictures of a panel, painted on request; of a secret ranking, what it has instead."""
    if for_owner(panel):
        return figures(panel.instead) if isinstance(panel, Ranking) and panel.instead is not None else []
    if isinstance(panel, Strips):
        shown = panel.public()
        main_first = (
            [] if shown is None else sorted(shown.plots, key=lambda plot: plot.room < max(each.room for each in shown.plots))
        )
        return [Figure(plot.key, " · ".join(map(translated, (plot.title, *plot.under))), plot) for plot in main_first]
    if isinstance(panel, Planes):
        return [Figure(plane.key, translated(plane.title), plane) for plane in panel.planes]
    return [Figure(panel.key, capital(translated(panel.title)), panel, size)] if isinstance(panel, Plot | Ranking) else []


def _room(panel: Panel) -> int:
    if isinstance(panel, Plot):
        return panel.room
    return 8 if isinstance(panel, Matrix | Pairs | Planes | Strips) else 0


def _key(panel: Panel, number: int) -> str:
    return panel.key or f"sentence-{number}"
