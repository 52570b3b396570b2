"""What every page is: a view of one kind of study, or of several that are one question, that shows values and asks for changes.

The way round, which every page takes (nothing else is needed to be a page)::

    mouse -> page.previewed / page.changed -> document -> page.set_study(study) -> page.jobs(study) run in the background
          -> page.show_outcome(name, outcome)

- While a drag lasts, a page emits `previewed` with every intermediate study; at its end it emits `changed` once, with the words
  of the undo step ("Paint prior"). A drag that is given up (Esc) emits `previewCancelled`.
- `set_study` shows a study and emits nothing. It is called with every study, also with those that the page asked for itself, so
  it must not disturb a drag that is under way.
- A page touches no file, no thread and no other page, and knows neither the window nor the document.
- Actions that a page adds with ``addAction`` appear in the Design menu and in the command palette; splitters with an
  ``objectName`` are remembered between sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.kit.painting import Painted, Panel, painted
from dpdesigner.desktop.pages.kit.portrait import Portrait, plain_portrait
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.job import Job
from dpdesigner.studies.registry import entry


@dataclass(frozen=True)
class Summary:
    """What the header and the status bar say about a page; empty texts are left out.

    Parameters
    ----------
    line : str
        The one line beside the name: ``"n = 20 · absolute loss · drawn prior · ε = 0.693 (α = 1/2)"``.
    value_label, value : str
        The figure: ``"expected loss"`` and ``"1.1689"``.
    badge : str
        ``"✓ proved optimal · gap 0"``.
    state : {"proved", "open", "stale"}
        Colour of the badge: proved green, open (outside a theorem, gap not 0) plain, stale grey.
    facts : tuple of str
        The status bar's left: ``("✓ rows sum to 1 exactly", ...)``.
    note : str
        The status bar's right while nothing runs: ``"linear program: done, 1 204 iterations"``.
    """

    line: str = ""
    value_label: str = ""
    value: str = ""
    badge: str = ""
    state: Literal["proved", "open", "stale"] = "stale"
    facts: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture that can be exported: a file name without ending, a title, and the widget to render or the panel to paint.

    Parameters
    ----------
    name, title : str
    shown : QWidget or Panel
    size : QSize, optional
        Of a panel on the screen.
    """

    name: str
    title: str
    shown: QWidget | Panel
    size: QSize | None = None

    @property
    def widget(self) -> QWidget:
        """The widget to render."""
        return self.shown if isinstance(self.shown, QWidget) else self._painted.part

    @cached_property
    def _painted(self) -> Painted:
        """What shows the panel alone, made when it is first asked for."""
        if isinstance(self.shown, QWidget):
            raise TypeError("a widget is its own picture")
        return painted(self.shown, self.size)


@dataclass(frozen=True)
class Explanation:
    """Why the page's answer is what it is, for the "Why?" panel; every text is simple rich text.

    Parameters
    ----------
    title : str
        The question it answers: ``"Why is this the best?"``.
    plain : str
        In plain words, without a formula.
    formula : str
        The formulas behind it, shown one click away.
    sources : str
        The papers, and what was corrected in them.
    help : str
        The help page to read on.
    """

    title: str
    plain: str
    formula: str = ""
    sources: str = ""
    help: str = "start"


@dataclass(frozen=True)
class Stop:
    """One stop of the tour.

    Parameters
    ----------
    widget : QWidget
        The control that the bubble points to.
    title, text : str
        What to say about it.
    done : signal or None
        What the control emits once the user has done what the text says; the tour goes on then by itself.
    """

    widget: QWidget
    title: str
    text: str
    done: Any = None


class Page(QWidget):
    """The base of all pages. Only `set_study`, `show_outcome` and `mark_stale` must be overridden."""

    changed = Signal(object, str)  #: a study to make the current one, and the words of the undo step
    previewed = Signal(object)  #: a study to show while a drag lasts, without an undo step
    previewCancelled = Signal()  #: the drag was given up; the study before it comes back
    requested = Signal(object)  #: a `Job` to run besides those of `jobs`, for example the search for a target loss
    summaryChanged = Signal()  #: `summary` gives something new
    designRequested = Signal(object)  #: a study, perhaps of another kind, to add to the document as a new design
    message = Signal(str)  #: a sentence for the banner above the page
    whyRequested = Signal()  #: the "Why?" panel is wanted

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outcomes: dict[str, Any] = {}  #: the newest outcome by job name, kept by the window; empty for another design
        self.held: Mapping[str, Any] = {}  #: the newest study of each kind that the design was here, kept by the window

    def _add_command(self, text: str, shortcut: str, slot: Callable[[], object]) -> None:
        """Add an action to the Design menu and to the command palette."""
        action = QAction(text, self)
        action.setShortcut(QKeySequence(shortcut))
        action.triggered.connect(slot)
        self.addAction(action)

    @classmethod
    def starting_study(cls, kind: str) -> Any:
        """Return the study that a new design of a kind that the page shows starts from."""
        return entry(kind).study_class()()

    @classmethod
    def starting_view(cls, study: Any) -> Mapping[str, Any]:
        """Return the view state in which another document opens, see `view_state`; empty to leave everything as it is."""
        return {}

    def set_study(self, study: Any) -> None:
        """Show the inputs of a study and emit nothing."""
        raise NotImplementedError

    def jobs(self, study: Any) -> Sequence[Job]:
        """Return what to compute for a study, the most urgent first."""
        return (Job("solve", study.run),)

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show what the job of this name returned; an outcome of a study carries that study as ``.design``."""
        raise NotImplementedError

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show why a job gave nothing: an `InputError`, best shown beside the control that ``error.field`` names."""
        self.message.emit(str(error))

    def mark_stale(self, name: str) -> None:
        """Mark what the job of this name showed as out of date, without wiping it; called when its answer is long in coming."""
        raise NotImplementedError

    def summary(self) -> Summary:
        """Return what header and status bar say now."""
        return Summary()

    def portrait(self, study: Any, outcomes: Mapping[str, Any]) -> Portrait:
        """Return what a study comes to, from what its jobs gave so far (None: nothing yet), to be compared with others."""
        return plain_portrait(study)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return what a small picture of a study shows; quick to compute, and without a page."""
        return plain_portrait(study)

    def explanation(self) -> Explanation | None:
        """Return why the answer shown is what it is; None while there is no answer."""
        return None

    def tour(self) -> Sequence[Stop]:
        """Return the stops of the tour, in order."""
        return ()

    def copy(self) -> bool:
        """Put what is selected on the clipboard, and return whether there was something (Edit > Copy)."""
        return False

    def views(self) -> Sequence[str]:
        """Return the views whose figures differ; ``set_view_state({"view": name})`` opens one. Empty if there is only one."""
        return ()

    def figures(self) -> Sequence[Figure]:
        """Return the pictures that can be exported from the open view; a name stands for the same picture in every view."""
        return ()

    def view_state(self) -> Mapping[str, Any]:
        """Return what is selected and which views are open, as JSON values, for undo and for scenes."""
        return {}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore what `view_state` gave; unknown or missing keys are ignored."""

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing (or bring it back)."""
