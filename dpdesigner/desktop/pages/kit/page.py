"""The base of every page: a view of one kind of study, or of several that are one question; shows values, asks for changes.

The way round, which every page takes (nothing else is needed to be a page)::

    mouse -> page.previewed / page.changed -> document -> page.set_study(study) -> page.jobs(study) run in the background
          -> page.show_outcome(name, outcome)

- While a drag lasts, a page emits `previewed` with every intermediate study; at its end it emits `changed` once, with the words
  of the undo step ("Paint prior"). A drag that is given up (Esc) emits `previewCancelled`.
- `set_study` shows a study and emits nothing. It is called with every study, also with those that the page asked for itself, so
  it must not disturb a drag that is under way.
- A page says once which `Part` takes what (`set_parts`); that a study, an outcome or a selection is another is all that brings a
  part up to date. What is selected or open stands in `view` and is changed with `look`.
- A page touches no file, no thread and no other page, and knows neither the window nor the document.
- Actions that a page adds with ``addAction`` appear in the Design menu and in the command palette; splitters with an
  ``objectName`` are remembered between sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from operator import is_
from typing import Any, ClassVar, Generic

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMessageBox, QWidget

from dpdesigner.desktop.background.waiting import waited
from dpdesigner.desktop.base.card import Folding
from dpdesigner.desktop.base.controls import ValueBox
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn
from dpdesigner.desktop.pages.kit.field import ColumnSource
from dpdesigner.desktop.pages.kit.summary import Explanation as Explanation
from dpdesigner.desktop.pages.kit.summary import Figure as Figure
from dpdesigner.desktop.pages.kit.summary import Portrait, portrait, with_total
from dpdesigner.desktop.pages.kit.summary import Stop as Stop
from dpdesigner.desktop.pages.kit.summary import Summary as Summary
from dpdesigner.errors import Cancelled, DpDesignerError, InputError
from dpdesigner.studies.registry import entry
from dpdesigner.studies.snapshot import A, D, Snapshot, Waiting, alike
from dpdesigner.studies.spending import RECORD, another, so_far
from dpdesigner.studies.study import Job, Study, design_of


@dataclass(eq=False)
class Part(Generic[D, A]):
    """A unit of a page that is shown as a whole.

    Parameters
    ----------
    widget : QWidget or None
        What it is in: while that is hidden within the page, the part waits. None: it never waits.
    takes : callable
        Gives everything that it is made from, for a snapshot.
    show : callable
        Makes it anew; called with what it takes, in that order. A widget within that the user is dragging keeps what the drag
        gave it.
    stale : callable, optional
        Called with True when what it rests on is long in coming, and with False when that is there.
    rests_on : str
        The job that this is about.
    """

    widget: QWidget | None
    takes: Callable[[Snapshot[D, A]], tuple[Any, ...]]
    show: Callable[..., object]
    stale: Callable[[bool], object] | None = None
    rests_on: str = "solve"
    taken: tuple[Any, ...] | None = field(default=None, init=False)  #: the values last taken; None while it waits
    due: bool = field(default=False, init=False)  #: whether something has changed since it was shown

    def read(self, now: Snapshot[D, A]) -> None:
        try:
            taken = self.takes(now)
        except Waiting:
            self.taken = None
            return
        before = self.taken
        self.due = self.due or before is None or len(before) != len(taken) or not all(map(alike, before, taken))
        self.taken = taken


def same(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Return whether all are the same objects; objects that contain arrays cannot be compared for equality."""
    return len(some) == len(others) and all(map(is_, some, others))


class Page(QWidget, Generic[D, A]):
    """The base of all pages: for designs D, whose jobs are combined into an answer A.

    A page gives `set_parts` its parts, and overrides `show_design`, `put_together` and what else it has.
    """

    answering: ClassVar[tuple[str, ...]] = ("solve",)  #: jobs whose outcomes change the answer, see `put_together`
    keeps: ClassVar[tuple[str, ...]] = ()  #: jobs whose outcomes a design keeps while another one is shown
    front: ClassVar[str] = ""  #: the figure on the first page of a report; empty for that of `figures`
    front_view: ClassVar[str] = ""  #: the view of that figure; empty for the one that a design opens on
    unasked: ClassVar[tuple[str, ...]] = ()  #: jobs that nobody asked for, which need no button to stop them

    changed = Signal(object, str)  #: a study to make the current one, and the words of the undo step
    previewed = Signal(object)  #: a study to show while a drag lasts, without an undo step
    previewCancelled = Signal()  #: the drag was cancelled; the study before it comes back
    requested = Signal(object)  #: a `Job` to run besides those of `jobs`, for example the search for a target loss
    visited = Signal(object)  #: a study to show without an undo step: the document's own of its type, if it has one
    summaryChanged = Signal()  #: `summary` has a new value
    designRequested = Signal(object)  #: a study, perhaps of another kind, to add to the document as a new design
    message = Signal(str)  #: a sentence for the banner above the page
    whyRequested = Signal()  #: the "Why?" panel is wanted
    exportRequested = Signal(object, object)  #: the formats to select in the export dialog, and its design if not the one shown

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outcomes: dict[str, Any] = {}  #: the newest outcome by job name, kept by the window; empty for another design
        self.held: dict[str, Any] = {}  #: by kind, the newest study that this design has been, and what its page keeps
        self.unsaved: list[Any] = []  #: releases that no file has, each with its design; they are lost with the window
        self.late: set[str] = set()  #: the jobs whose outcome is out of date and delayed
        self.design: D | None = None  #: the design shown
        self.before: A | None = None  #: the answer of a pinned design, to be drawn behind the current one
        self.fades: tuple[Callable[[bool], object], ...] = ()  #: for the pictures, while an input is refused
        self.view: dict[str, Any] = {}  #: what is selected and open
        self.session: MutableMapping[str, Any] = {}  #: data that the jobs keep from one design to the next
        self.head: QWidget | None = None  #: fields that the header shows while the page is shown
        self.presenting = False  #: whether controls that only serve editing are hidden
        self.asking: AskingColumn[Any] | None = None  #: shows errors in inputs
        self.open_designs: Callable[[], Sequence[tuple[str, Study]]] = tuple  #: titles and studies, from the window
        self.dragging = False  #: whether a drag previewed by this page is in progress
        self._newest: tuple[tuple[Any, ...], A | None] = (), None  # the answer made from outcomes of `answering`
        self._taken_before: tuple[Any, ...] = ()
        self._parts: tuple[Part[D, A], ...] = ()
        self._summary: Summary | None = None  # cached while nothing in it changes
        self.failed = False  #: whether the design has no result
        self._failure: InputError | None = None  # why it has none
        self._refused = False  # whether an input is refused
        self._gathering, self._due = 0, False  # how many callers postpone showing changes, and whether there are any to show
        preferences().changed.connect(self._refresh)
        self.summaryChanged.connect(self._forget_summary)
        self.previewed.connect(lambda _: self._set_dragging(True))
        self.changed.connect(lambda *_: self._set_dragging(False))
        self.previewCancelled.connect(lambda: self._set_dragging(False))

    def _set_dragging(self, on: bool) -> None:
        self.dragging = on

    def set_asking(self, asking: AskingColumn[Any]) -> None:
        """Let a column request designs, and show errors in it."""
        self.asking = asking
        asking.previewed.connect(self.previewed)
        asking.changed.connect(self.request)
        asking.previewCancelled.connect(self.previewCancelled)
        asking.requested.connect(self.requested)
        asking.refusing.connect(self._fade)

    @Slot(object, str)
    def request(self, study: Any, words: str) -> None:
        """Request a study; where that would release the data again, only if the user wants it."""
        if not self.releases(study) or self.may_release(study):
            self.changed.emit(study, words)
        elif self.design is not None and self.asking is not None:
            self.previewCancelled.emit()
            self.asking.set_design(self.design)  # what was typed or chosen is taken back
            if self.failed and self._failure is not None:
                self.asking.show_error(self._failure)

    def releases(self, study: Any) -> bool:
        """Return whether showing a study draws a release of people's data, instead of waiting for a button."""
        return False

    def read_data(self, design: Any) -> None:
        """Read the data that a release needs, which raises `InputError` where they are refused."""

    def may_release(self, design: Any) -> bool:
        """Ask before the data are released again, and before a release is replaced that no file has."""
        lost, spent = self.replaced(), RECORD.of(design)
        if not (lost or RECORD.is_kept(design)):
            return True
        try:
            waited(partial(self.read_data, design), self.tr("Reading the data"), self)
        except Cancelled:
            return False
        except InputError:
            return True  # they are refused at their field, and nothing is released
        told = [translated(so_far(spent)), translated(another(spent, design.release_loss)), self.tr("Release again?")]
        words = " ".join([*([self.tr("This release is not saved yet.")] if lost else []), *told])
        yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.Cancel
        if QMessageBox.question(self.window(), "dpdesigner", words, yes | no, no) != yes:
            return False
        self.unsaved = [each for each in self.unsaved if each not in lost]  # no button saves them any more
        return True

    def set_parts(self, *parts: Part[D, A]) -> None:
        """Set the parts, in display order; values that they cannot take raise an error now instead of later."""
        summed_up: Part[D, A] = Part(None, self.summed_up, lambda *_: self.summaryChanged.emit())
        self._parts, now = (*parts, summed_up), self.snapshot()
        for part in self._parts:
            with suppress(Waiting):
                part.takes(now)

    def summed_up(self, now: Snapshot[D, A]) -> tuple[Any, ...]:
        """Return the inputs of `summary`, in the form that a part takes."""
        return "solve" in now.late, now.answered

    def snapshot(self) -> Snapshot[D, A]:
        """Return the current state as a frozen value for parts, panels and buttons."""
        late = frozenset(self.late)
        held = self.before, self.presenting, self._refused
        return Snapshot(self.design, self.answer, dict(self.view), {**self.outcomes, "releases": RECORD.found}, late, *held)

    def add_command(self, text: str, shortcut: str, slot: Callable[[], object]) -> QAction:
        """Add an action to the Design menu and to the command palette, and return it."""
        action = QAction(text, self)
        action.setShortcut(QKeySequence(shortcut))
        action.triggered.connect(slot)
        self.addAction(action)
        return action

    def offer_copy(self, text: str) -> None:
        """Add the command that copies the main content of the page, under this name."""
        self.add_command(text, "Ctrl+Shift+C", self.copy_whole)

    def draw(self, many: int = 1) -> None:
        """Draw releases, or noise."""
        job = self.drawing(many)
        if job is not None:
            self.requested.emit(job)

    def drawing(self, many: int) -> Job | None:
        """Return the job ``"draw"``, whose outcome a part takes; None if there is nothing to draw from."""
        return None

    def replaced(self) -> Sequence[Any]:
        """Return those of `unsaved` that another release of the design replaces."""
        return ()

    def copy_whole(self) -> None:
        """Copy the main content of the page to the clipboard."""
        self._put(self.whole_text())

    def copy(self) -> bool:
        """Copy the selection to the clipboard, and return whether there was one (Edit > Copy)."""
        return False

    def takers(self) -> Sequence[tuple[str, Callable[[str], object]]]:
        """Return the possible uses of a table dropped on the page: a description, and a function to call with its path."""
        sources = [source for source in self.findChildren(ColumnSource) if source.offered]
        return [(source.columns.accessibleName(), source.open) for source in sources]

    def whole_text(self) -> str:
        """Return the main content of the page as text: a matrix or a program; empty if there is none."""
        return ""

    @staticmethod
    def _put(text: str) -> bool:
        if text:
            QGuiApplication.clipboard().setText(text)
        return bool(text)

    @classmethod
    def starting_study(cls, kind: str) -> Any:
        """Return the starting study for a new design of a kind that the page shows."""
        return entry(kind).starting()

    @classmethod
    def starting_view(cls, study: Any) -> Mapping[str, Any]:
        """Return the view state in which a new document opens, see `view_state`; empty to leave everything unchanged."""
        return {}

    def begin(self) -> None:
        """Forget what was opened, folded and focused: another document is shown."""
        if (focused := self.focusWidget()) is not None:
            focused.clearFocus()
        for folding in self.findChildren(Folding):
            folding.begin()
        if self.keeps:  # they were lost with their designs
            self.unsaved = []

    def set_study(self, study: D) -> None:
        """Show the inputs of a study without emitting a signal."""
        before, self.design, self._summary = self.design, study, None
        if self.asking is not None:
            self.asking.set_design(study)
        self.show_design(before, study)
        self._refresh()

    def show_design(self, before: D | None, design: D) -> None:
        """Show what else follows from the design immediately."""

    def jobs(self, study: D) -> Sequence[Job]:
        """Return the jobs to run for a study, the most urgent first."""
        return (Job("solve", study.run),)

    def jobs_beside(self, answer: Any) -> Sequence[Job]:
        """Return the jobs that complete the answer of a design that is not shown, for example a pinned one."""
        return ()

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show the result of the job of this name; an outcome of a study has that study as ``.design``."""
        self.late.discard(name)
        if self.failed and name == "solve":
            self.failed = False
            self._fade(False)
        self._set_late(name, False)

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show why a job failed: an `InputError`, best shown next to the control that ``error.field`` names."""
        self.late.discard(name)
        self._set_late(name, False)
        if name == "solve":  # the drawing still belongs to another design
            self.failed, self._failure = True, error if isinstance(error, InputError) else None
            self._fade(True)
        if isinstance(error, InputError) and self.asking is not None:
            self.asking.show_error(error)
        else:
            self.message.emit(str(error))

    def mark_stale(self, name: str) -> None:
        """Mark the display of this job as out of date without clearing it; called when its answer takes long."""
        self.late.add(name)
        self._set_late(name, True)

    @Slot(bool)
    def _fade(self, on: bool) -> None:
        """Turn all results pale while an input is refused; without a result, or with a late one, they stay so."""
        before, self._refused = self._refused, on or self.failed
        for fade in self.fades:
            fade(self._refused)
        for part in self._parts:
            if part.stale is not None and part.rests_on in self.late:
                part.stale(True)
        if self._refused != before:
            self.summaryChanged.emit()
            self._refresh()

    def _set_late(self, name: str, on: bool) -> None:
        for part in self._parts:
            if part.stale is not None and part.rests_on == name:
                part.stale(on)
        self._refresh()

    @property
    def answer(self) -> A | None:
        """The answer combined from the outcomes; the same object for the same outcomes."""
        taken = tuple(self.outcomes.get(name) for name in self.answering)
        if not same(taken, self._newest[0]):
            self._newest = taken, self.put_together(self.outcomes)
        return self._newest[1]

    def put_together(self, outcomes: Mapping[str, Any]) -> A | None:
        """Return the answer that combines the outcomes of a design's jobs; None while there is none."""
        answer: A | None = outcomes.get("solve")
        return answer

    def set_before(self, design: D | None, outcomes: Mapping[str, Any]) -> None:
        """Show the pinned design behind the current one, from its jobs' outcomes so far; None if nothing is pinned."""
        taken = () if design is None else tuple(outcomes.values())
        if not same(taken, self._taken_before):
            self._taken_before = taken
            self.before = None if design is None else self.put_together(outcomes)
            self._refresh()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Show all changes made in this context once, at its end."""
        self._gathering += 1
        try:
            yield
        finally:
            self._gathering -= 1
            if self._due and not self._gathering:
                self._refresh()

    @Slot()
    def _forget_summary(self) -> None:
        self._summary = None

    @property
    def current_summary(self) -> Summary:
        """The `summary`, recomputed only when something in it has changed."""
        if self._summary is None:
            summary = self.summary()
            self._summary = replace(with_total(summary, self.design), refused=summary.refused or self._refused)
        return self._summary

    @Slot()
    def _refresh(self) -> None:
        self._due = self._gathering > 0
        if self._due:
            return
        now = self.snapshot()
        for part in self._parts:
            part.read(now)
        for part in self._parts:
            if part.due and part.taken is not None and (part.widget is None or part.widget.isVisibleTo(self)):
                part.due = False
                part.show(*part.taken)

    def summary(self) -> Summary:
        """Return the current texts of header and status bar."""
        return Summary.now(self.design, self.in_view(self.answer), "solve" in self.late, self.sentences)

    def in_view(self, answer: A | None) -> A | None:
        """Return an answer with its headline and sentence for what is selected."""
        return answer

    def sentences(self, answer: A) -> Sequence[str]:
        """Return an answer in plain words, simple rich text, in versions from long to short."""
        return (answer.sentence,)

    def reported(self, study: Any, names: Collection[str]) -> Mapping[str, Any]:
        """Return the outcomes of these jobs that the report of a design takes over."""
        return {name: found for name, found in self.outcomes.items() if name in names and study == self.design}

    def portrait(self, study: D, outcomes: Mapping[str, Any]) -> Portrait:
        """Return the portrait of a study for comparison, from the outcomes of its jobs so far; not those of other studies."""
        answer = self.in_view(self.put_together(outcomes))
        return portrait(study, answer if design_of(answer) == study else None)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return the content of a small picture of a study; fast to compute, and without a page."""
        return portrait(study, None)

    def explanation(self) -> Explanation | None:
        """Return the explanation of the answer shown; None while there is no answer."""
        return None

    def tour(self) -> Sequence[Stop]:
        return ()

    def views(self) -> Sequence[str]:
        """Return the views with different figures; ``set_view_state({"view": name})`` opens one. Empty if there is only one."""
        return ()

    def figures(self) -> Iterable[Figure]:
        """Return the pictures that can be exported from the open view; a name means the same picture in every view.

        The first is what is copied as a picture; what the others show need not be worked out before they are asked for.
        """
        return ()

    def look(self, **changes: Any) -> None:
        """Select or open something else: values of `view`; opening another view clears errors about refused inputs."""
        if changes.get("view", self.view.get("view")) != self.view.get("view"):
            self.forget_refused()
        self.view.update(changes)
        self._refresh()

    @property
    def refusing(self) -> bool:
        """True if an input is refused, and not the design itself."""
        return self._refused and not self.failed

    @property
    def taken_back(self) -> str:
        """The words of what Undo takes back before any step of the document: by default a refused input; empty: nothing."""
        return self.tr("refused input") if self.refusing else ""

    def take_back(self) -> None:
        """Take that back."""
        self.forget_refused()

    def forget_refused(self) -> None:
        """Clear refused inputs and their errors."""
        for part in filter(None, (self, self.head)):
            for box in part.findChildren(ValueBox):
                if box.property("invalid"):
                    box.give_up()
            for line in part.findChildren(ErrorLine):
                if line.refuses and not self.failed:
                    line.clear()
        for column in self.findChildren(AskingColumn):
            column.give_up()

    def look_by(self, signal: Any, key: str) -> None:
        """Connect a signal that selects or opens something else: its argument becomes this value of `view`."""
        signal.connect(lambda value: self.look(**{key: value}))

    def view_state(self) -> Mapping[str, Any]:
        """Return the selection and the open views as JSON values, for undo and for scenes."""
        return {}

    def public_view(self) -> Mapping[str, Any]:
        """Return the view state for pictures in files: without a selection that may be secret."""
        return self.view_state()

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore the state that `view_state` returned; unknown or missing keys are ignored."""

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls (or show them again)."""
        if self.asking is not None:
            self.asking.set_presenting(on)
        self.presenting = on
        self._refresh()
