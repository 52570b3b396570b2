"""A whole page for a kind with declared inputs and panels: inputs on the left, pictures, and results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, ClassVar

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.actions import VIEW, ActionRow, Handles
from dpdesigner.desktop.pages.kit.cards import FindingRows
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, show_in
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.pages.kit.fields import DesignsButton, JoinedField, JoinedRow, TypedLook, field_of
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Part, Stop
from dpdesigner.desktop.pages.kit.panel_views import PanelView
from dpdesigner.desktop.pages.kit.results_column import PicturesCard, ResultsColumn, shared_out
from dpdesigner.desktop.pages.kit.summary import Portrait, explained
from dpdesigner.desktop.pages.kit.summary import portrait as portrait
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.studies.base import Answer, DeclaredDesign, Panel, View, as_table, fitting, flattened
from dpdesigner.studies.fields import DeclaredInput
from dpdesigner.studies.number_inputs import OptionalInput, PrivacyInput, Range
from dpdesigner.studies.registry import entry
from dpdesigner.studies.snapshot import Action, Found, Look, SideJob, Snapshot, Waiting, so_far
from dpdesigner.studies.study import Job, Progress

_FRAME = 16  # milliseconds


class DeclaredAsking(AskingColumn[DeclaredDesign]):
    """Shows a design of declared inputs and requests changes.

    Parameters
    ----------
    inputs : sequence of DeclaredInput
    fields : mapping
        By the keys of inputs, what makes their fields where that is not the usual one.
    """

    def __init__(
        self, inputs: Sequence[DeclaredInput], fields: Mapping[str, Callable[[DeclaredInput], Field]] | None = None
    ) -> None:
        super().__init__()
        self.fields: dict[str, Field] = {}
        self._rows: dict[Card, JoinedRow] = {}  # rows of the cards that several inputs share
        for asked in sorted(inputs, key=lambda each: isinstance(each.joined, str)):  # after the cards that they join
            field = self.fields[asked.key] = _made(asked, fields or {})
            self.follow(field, asked.key)
            names = {asked.key, *asked.input.keys(asked.key)}
            if isinstance(field, JoinedField):
                self._join(field, names)
            else:
                self.add(field, *names, stretch=field.stretch, box=field.box)
        self._says = {each.key: SentenceLabel("small") for each in inputs if each.says}
        for key, label in self._says.items():
            self.fields[key].add(label)
        self.column.addStretch(0 if any(field.stretch for field in self.fields.values()) else 1)

    def take(self, key: str, value: Any, label: str = "") -> None:
        super().take(key, value, label)
        if label and isinstance(value, str) and (box := self.fields[key].box) is not None:
            self.settle(box)

    def _join(self, field: JoinedField, names: set[str]) -> None:
        """Put a field into the card of the field that it belongs to, or into the last one."""
        beside = field.asked.joined
        card = self.fields[beside] if isinstance(beside, str) else self.cards[-1]
        if card not in self._rows:
            self._rows[card] = JoinedRow()
            card.add(self._rows[card])
        self._rows[card].add(field)
        for name in names:
            self.field(name, partial(show_in, card, field.box))

    def show_design(self, before: DeclaredDesign | None, design: DeclaredDesign) -> None:
        for field in self.fields.values():
            field.setVisible(field.asked.matters(design))
            asked = field.asked
            if asked.says is not None:
                self._says[asked.key].set_sentence(translated(asked.says(design)))
            if asked.folded is None:
                field.show_line(asked.of(design))
            else:
                field.set_line(translated(asked.folded(design)))
            if before is None or asked.input.identity(asked.of(before)) != asked.input.identity(asked.of(design)):
                field.show_value(asked.of(design))
            elif field.box is not None:
                field.show_value(asked.of(design))  # a box that was wrong is right again

    def restore(self) -> None:
        """Show the current values again; boxes keep the typed text."""
        if self.design is not None:
            for field in self.fields.values():
                if field.box is None:
                    field.show_value(field.asked.of(self.design))

    def drag(self, target: str, place: Any, final: bool) -> None:
        """Request the value of a dragged input: a number is rounded to the steps of its slider."""
        field = self._target(target)
        if field is None:
            raise KeyError(f"{target}: a drag changes this, which is no input")
        kind = field.asked.input
        value = kind.near(place) if isinstance(kind, Range | PrivacyInput | OptionalInput) and isinstance(place, float) else place
        self.take(field.asked.key, value, field.words if final else "")

    def place(self, target: str) -> float | None:
        """Return the current position of an input's handle; None if the target is not an input."""
        field = self._target(target)
        if field is None or self.design is None or not isinstance(field.asked.input, Range | PrivacyInput):
            return None
        return field.asked.input.number(field.asked.of(self.design))

    def set_presenting(self, on: bool) -> None:
        for field in self.fields.values():
            field.set_presenting(on)
        for row in self._rows.values():
            row.setVisible(not on)

    def _target(self, target: str) -> Field | None:
        for key, field in self.fields.items():
            if target in (key, *field.asked.input.keys(key)):
                return field
        return None


def _made(asked: DeclaredInput, fields: Mapping[str, Callable[[DeclaredInput], Field]]) -> Field:
    if asked.key in fields:
        return fields[asked.key](asked)
    return JoinedField(asked) if asked.joined else field_of(asked)


class DeclaredPage(Page[Any, Any]):
    """Shows any kind of declared design; see `declared_page`. Its `view` holds the positions of handles that change no input."""

    kind: ClassVar[str]  #: the kind of designs that it shows
    fields: ClassVar[Mapping[str, Callable[[DeclaredInput], Field]]] = {}  #: by input key, the field that replaces the usual one
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {}  #: by panel key, the same for panels
    widths: ClassVar[tuple[int, int, int]] = 328, 476, 336  #: column widths at 1280 pixels
    tables_in_middle: ClassVar[bool] = False  #: whether tables and rankings are pictures too, except those of `beside_views`
    passing: ClassVar[tuple[str, ...]] = ()  #: what of the view is not kept with a design

    _foundSoFar = Signal(str, object)  #: from a job in another thread: the name of an intermediate result, and the result

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._class = self.design_class()
        self._so_far: dict[str, Found] = {}
        self._typed: TypedLook | None = None
        self._soon = QTimer(self, singleShot=True, interval=_FRAME)
        self._soon.timeout.connect(self._refresh)
        self._foundSoFar.connect(self._take_so_far)
        self._inputs = self.asking_column()
        self._pictures = self.pictures_card()
        self._results = self.results_column()
        self.actions_row = ActionRow(self, self.button_actions())
        self._pictures.add(self.actions_row)
        self.view = self._defaults(self._class)
        self._left: dict[str, dict[str, Any]] = {}  # the view of each kind that was here
        self._made: dict[str, tuple[Look, Panel]] = {}  # the panels created because they were visible
        self.waiting: dict[str, bool] = {}  #: by key, whether a panel waits for a job
        self._asked: dict[str, tuple[Any, ...]] = {}  # by side job, the answer that it was started for, and the view
        self._handles = Handles(self, self.looks)
        self.lay_out((self._inputs, self._pictures, self._results))
        self.set_asking(self._inputs)
        self.fades += (self._pictures.panels.set_stale, self._fade_results)
        self.set_parts(*self.parts())
        for button in self.findChildren(DesignsButton):
            button.designs = lambda: self.open_designs()
        self._pictures.panels.pressed.connect(self.actions_row.press)
        self._pictures.viewChosen.connect(lambda view: self.look(view=view))
        for column in (self._pictures.panels, self._results.panels):
            self._handles.follow(column, column.words_of)

    def looks(self, name: str, value: Any) -> Mapping[str, Any]:
        """Return the view values that a drag of `"view.NAME"` gives; by default the value it was dragged to."""
        return {name: value}

    def design_class(self) -> type[DeclaredDesign]:
        shown: type[DeclaredDesign] = entry(self.kind).study_class()
        return shown

    def asking_column(self) -> Any:
        """Return the column of inputs; a replacement has the same signals and methods."""
        return DeclaredAsking(self._class.inputs(), self.fields)

    def pictures_card(self) -> Any:
        """Return the card in the middle; what stands in its place has the same signals and methods."""
        return PicturesCard(self._class.views, self.panel_views)

    def results_column(self) -> Any:
        """Return the column of results; a replacement has the same signals and methods."""
        return ResultsColumn(self.whyRequested.emit, self.panel_views)

    def parts(self) -> Sequence[Part[Any, Any]]:
        return (
            Part(None, lambda s: (s.view["view"],), self._open_view),
            Part(None, self.actions_row.states, self.actions_row.show_states),
            Part(None, self.seen, self._show, self._mark),
            Part(None, lambda s: (s.answer, *s.view.values(), self.dragging), lambda *_: self._ask_side_jobs()),
            Part(None, lambda s: (s.answered, s.design, s.presenting, *s.view.values()), self._show_typed),
        )

    def jobs(self, study: Any) -> Sequence[Job]:
        """Return the answer, or what a kind computes instead while a drag lasts."""
        return (Job("solve", study.preview if self.dragging else study.run),)

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        lay_out_columns(self, f"{self.kind}-columns", columns, self.widths)

    def shared_out(self, answer: Answer) -> tuple[list[Panel], list[Panel]]:
        """Return the panels for the middle, and those for the right."""
        panels, beside = self.panels_of(answer), answer.design.beside_views
        if not self.tables_in_middle:
            return shared_out(panels, answer, self.view)
        return [panel for panel in panels if panel.key not in beside], [panel for panel in panels if panel.key in beside]

    def panels_of(self, answer: Answer) -> list[Panel]:
        """Return the visible panels; of those that an answer makes by key, only the changed ones are made again."""
        if not isinstance(answer.panels, Mapping):
            return list(answer.panels_in(self.view))
        now, panels = self.snapshot(), []
        for key in answer.keys_in(str(self.view["view"])):
            look, panel = self._made.get(key, (None, None))
            if look is None or not look.same(now):
                look = Look(now)
                try:
                    panel = answer.panels[key](look)
                except Waiting:
                    look = None  # the previous contents stay, faded
                else:
                    self._made[key] = look, panel
            if panel is not None:
                panels.append(panel)
            self.waiting.update({key: look is None})
        return panels

    def button_actions(self) -> Sequence[Action]:
        """Return the buttons below the pictures: those of the kind, unless a page has others."""
        return self._class.buttons

    def seen(self, now: Snapshot[Any, Any]) -> tuple[Any, ...]:
        """Return the inputs of the panels, in the form that a part takes."""
        found = (outcome for outcome in now.outcomes.values() if isinstance(outcome, Found))
        return (now.answer, now.before, *now.view.values(), *found)

    def show_design(self, before: Any, design: Any) -> None:
        """Show the inputs of a design; handles follow immediately."""
        known, views = before or self._class, _tabs_of(design)
        if (tabs := _tabs_of(before) if before is not None else self._class.views) != views:
            self._pictures.show_views(views)
        if (tabs, known.view_defaults) != (views, design.view_defaults):
            if before is not None:
                self._left[before.compared_as] = self.view
            looked = self._left.get(design.compared_as, {})  # what still applies stays open and selected
            kept = {key: looked[key] for key in design.view_defaults if key in looked}
            if looked.get("view") in [view.key for view in views]:
                kept["view"] = looked["view"]
            self.view = {**self._defaults(design), **kept}
            self._pictures.tabs.set_current(self.view["view"])
        self._pictures.panels.put_handles(self._place)
        self._results.panels.put_handles(self._place)

    def _show(self, *_: Any) -> None:
        if (answer := self.answer) is not None and type(answer.design) is type(self.design):  # not of another kind on this page
            middle, beside = self.shared_out(answer)
            self._pictures.name_open(str(self.view["view"]))
            self._pictures.panels.show_panels(middle, self._place)
            self._results.set_answer(answer, beside, self._place)
            late = [key for key, waits in self.waiting.items() if waits]
            self._pictures.panels.set_late(late)
            self._results.panels.set_late(late)

    def _show_typed(self, answer: Any, design: Any, presenting: bool, *_: Any) -> None:
        """Show in words what the view shows, where it can be typed."""
        can = answer is not None and design is not None and design.typed is not None and type(answer.design) is type(design)
        if can and self._typed is None:
            self._typed = TypedLook(design.typed)
            self._typed.wanted.connect(self._look_as_typed)
            self._typed.mended.connect(self.request)
            self._typed.refuses.connect(self._pictures.panels.set_stale)
            self._pictures.body.insertWidget(1, self._typed)
        if self._typed is not None:
            self._typed.setVisible(can and not presenting)
            if can:
                self._typed.show_look(answer, self.view)

    @Slot(dict)
    def _look_as_typed(self, values: Mapping[str, Any]) -> None:
        self.look(**values)
        if self._typed is not None and self.answer is not None:
            self._typed.show_look(self.answer, self.view)

    def _side_jobs(self) -> Sequence[SideJob]:
        return (self.design or self._class).side_jobs

    def _ask_side_jobs(self) -> None:
        """Request the side jobs that complete the newest answer, once for each answer."""
        now = self.snapshot()
        if now.answered is None or now.answer.design != self.design:
            return
        for job in self._side_jobs():
            read = {name: now.view[name] for name in job.reads}
            asked = (now.solved, *read.values())
            slow, live = (bool(each(now.answer)) if callable(each) else each for each in (job.slow, job.live))
            if self._asked.get(job.name) == asked or (self.dragging and not live) or not wanted(job, now):
                continue
            self._asked[job.name] = asked
            run = partial(_found, job, now.answer, asked[0], read, self._foundSoFar.emit)
            self.requested.emit(Job(job.name, run, slow, live, translated(job.title)))

    def jobs_beside(self, answer: Any) -> Sequence[Job]:
        """Return the side jobs whose results become part of an answer."""
        now = Snapshot(answer.design, answer, {**self._defaults(answer.design)})
        return [
            Job(
                job.name,
                partial(_found, job, answer, answer, {key: now.view[key] for key in job.reads}, lambda *_: None),
                slow=True,
            )
            for job in answer.design.side_jobs
            if job.into and wanted(job, now)
        ]

    @Slot(str, object)
    def _take_so_far(self, name: str, found: Found) -> None:
        """Show the progress of a job, at most once a frame."""
        self._so_far[name] = found
        if not self._soon.isActive():
            self._soon.start()

    def snapshot(self) -> Snapshot[Any, Any]:
        """Return the current state, with the progress of jobs so far."""
        now = super().snapshot()
        return replace(now, outcomes={**now.outcomes, **self._so_far}) if self._so_far else now

    def in_view(self, answer: Any) -> Any:
        return None if answer is None else answer.in_view(self.view)

    def put_together(self, outcomes: Mapping[str, Any]) -> Any:
        """Return the answer, with later results of side jobs for it."""
        answer: Any = outcomes.get("solve")
        solved = answer
        for job in self._side_jobs():
            found = outcomes.get(job.name)
            if job.into and isinstance(found, Found) and found.answer is solved:
                answer = replace(answer, **{job.into: found.value})
        return answer

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        super().show_failure(name, error)
        if name == "solve":
            told = isinstance(error, InputError) and bool(error.field)  # why not is said at its field
            self._results.show_failure(self.tr("No results for these inputs.") if told else str(error))

    def _fade_results(self, on: bool) -> None:
        for drawn in (*self._results.findChildren(CurvePlot), *self._results.findChildren(CostBars)):
            drawn.set_stale(on)
        for rows in self._results.findChildren(FindingRows):
            rows.setEnabled(not on)
        self._results.panels.fade_late()

    def _mark(self, stale: bool) -> None:
        self._pictures.panels.set_stale(stale)
        self._results.set_stale(stale)

    def explanation(self) -> Explanation | None:
        return None if self.answer is None else explained(self.answer)

    def tour(self) -> Sequence[Stop]:
        go_on = self.tr("Try another value: everything follows.")
        asked = [
            Stop(field, translated(field.asked.label), translated(field.asked.note) or go_on, self._inputs.changed)
            for field in self._inputs.fields.values()
            if field.isVisibleTo(self) and not field.asked.joined
        ]
        pictures = self.tr("The plot. Point at it to see its numbers. A line with a handle can be dragged.")
        numbers = self.tr("The numbers, rounded. Point at one to see all its digits.")
        return (
            *asked,
            Stop(self._pictures, self.tr("The pictures"), pictures),
            Stop(self._results.findings, self.tr("Results"), numbers),
        )

    def look(self, **changes: Any) -> None:
        """Open or select something else; a name that the design does not declare is a programming error."""
        if unknown := changes.keys() - self.view.keys():
            raise KeyError(f"{', '.join(sorted(unknown))}: not in the view_defaults of {self.kind}")
        super().look(**changes)

    def _place(self, target: str) -> float | None:
        """Return the position of a handle; None for one in a picture of the previous design, which had other views."""
        place: float | None = self.view.get(target.removeprefix(VIEW)) if target.startswith(VIEW) else self._inputs.place(target)
        return place

    def _open_view(self, view: str) -> None:
        self._pictures.tabs.set_current(view)
        if self.answer is None:
            self._pictures.expect(view, not self.failed)

    @staticmethod
    def _defaults(design: DeclaredDesign | type[DeclaredDesign]) -> dict[str, Any]:
        """Return the view of a design before anything is selected."""
        return {"view": design.views[0].key if design.views else "", **design.view_defaults}

    # Export ------------------------------------------------------------------------------------------------------------

    def copy(self) -> bool:
        """Put the open panel with the focus, or otherwise the first, on the clipboard as a table."""
        if self.answer is None:
            return False
        column = self._pictures.panels
        focused = [key for key, view in column.views.items() if view.isAncestorOf(view.focusWidget() or self)]
        keys = [*focused, *column.panels]
        table = next(filter(None, map(as_table, flattened(column.panels[key] for key in keys))), None)
        if table is not None:
            QGuiApplication.clipboard().setText(tabbed(table.as_rows()))
        return table is not None

    @property
    def tabs(self) -> Sequence[str]:
        """The keys of the views of the current design."""
        return tuple(view.key for view in (self._class.views if self.design is None else _tabs_of(self.design)))

    def views(self) -> Sequence[str]:
        """Return the keys of the views with different figures."""
        return self.tabs

    def figures(self) -> Iterable[Figure]:
        """Return the panels of the open view, then those on the right that are not among them."""
        if self.answer is None:
            return ()
        found = (*self._results.panels.figures(), *self._pictures.panels.figures())
        named = {figure.name: figure for figure in found}
        return list({figure.name: named[figure.name] for figure in (*self._pictures.panels.figures(), *found)}.values())

    def begin(self) -> None:
        if self.design is not None:
            self.look(**{**self._defaults(self.design), **self.starting_view(self.design)})
        super().begin()

    def view_state(self) -> Mapping[str, Any]:
        """Return the open view, and the positions of handles that change no input."""
        kept = {key: value for key, value in self.view.items() if value is not None and key not in self.passing}
        return {key: value for key, value in kept.items() if key != "view" or self.tabs}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        design = self.design or self._class
        opened = state.get("view") if state.get("view") in self.tabs else self.view["view"]
        self.look(**{**self._defaults(design), **fitting(design.view_defaults, state), "view": opened})

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        return portrait(study, study.run())


def _tabs_of(design: DeclaredDesign) -> tuple[View, ...]:
    """Return the views that have a tab for a design."""
    return tuple(view for view in design.views if view.when is None or view.when(design))


def wanted(job: SideJob, now: Snapshot[Any, Any]) -> bool:
    """Return whether a side job is wanted."""
    try:
        return job.when(now)
    except Waiting:
        return False


def _found(
    job: SideJob,
    answer: Any,
    solved: Any,
    read: Mapping[str, Any],
    tell: Callable[[str, Found], object],
    progress: Progress,
) -> Found:
    more = (lambda value: tell(so_far(job.name), Found(solved, value, read)),) if job.tells else ()
    return Found(solved, job.run(answer, progress, *more, **read), read)


@cache
def declared_page(kind: str) -> type[DeclaredPage]:
    """Return the page of a declared kind."""
    return type("DeclaredPage", (DeclaredPage,), {"kind": kind})
