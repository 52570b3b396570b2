"""The Papers page: the gallery, and the exhibit that is open in its place; both are designs of the document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedLayout, QWidget

from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Stop, Summary
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.pages.papers.exhibit_page import ExhibitPage
from dpdesigner.desktop.pages.papers.shelves import SHELVES, Shelves
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.exhibits.exhibit import Exhibit
from dpdesigner.studies.exhibits.listing import PapersDesign, exhibit_class
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Job, Progress, design_of

_PICTURE = "picture"


class PapersPage(Page):
    """Touch the claims of the founding papers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stack = QStackedLayout(self)
        self.gallery = Shelves()
        self.rooms: dict[type[Exhibit], ExhibitPage] = {}
        self._left = ""  # the exhibit that was open last
        self._stack.addWidget(self.gallery)
        self.gallery.chosen.connect(self._open)
        self.gallery.pictureWanted.connect(self._ask_for_picture)

    @property
    def room(self) -> ExhibitPage | None:
        """The exhibit that is open; None in the gallery."""
        shown = self._stack.currentWidget()
        return shown if isinstance(shown, ExhibitPage) else None

    def _room_of(self, exhibit: type[Exhibit]) -> ExhibitPage:
        if exhibit not in self.rooms:
            row = [each for shelf in SHELVES.values() for each in shelf]
            place = row.index(exhibit)
            room = ExhibitPage(exhibit, (row[place - 1] if place else None, row[place + 1] if place + 1 < len(row) else None))
            room.changed.connect(self.changed)
            room.previewed.connect(self.previewed)
            room.previewCancelled.connect(self.previewCancelled)
            room.summaryChanged.connect(self.summaryChanged)
            room.message.connect(self.message)
            room.whyRequested.connect(self.whyRequested)
            room.wanted.connect(self._open)
            room.set_presenting(self.presenting)
            self.rooms[exhibit] = room
            self._stack.addWidget(room)
        return self.rooms[exhibit]

    # What is shown -----------------------------------------------------------------------------------------------------

    def set_study(self, study: Any) -> None:
        """Show the gallery, or open an exhibit."""
        self.design = study
        if type(design_of(self.outcomes.get("solve"))) is not type(study):
            self.outcomes.pop("solve", None)
        if isinstance(study, Exhibit):
            room = self._room_of(type(study))
            room.outcomes = self.outcomes
            self._left = study.exhibit
            self._stack.setCurrentWidget(room)
            room.set_study(study)
        else:
            self._stack.setCurrentWidget(self.gallery)
            self.gallery.focus_on(self._left)
        self.summaryChanged.emit()

    def jobs(self, study: Any) -> Sequence[Job]:
        """Return the one job; where that takes long it waits for the end of a drag."""
        slow = isinstance(study, Exhibit) and study.slow
        return (Job("solve", study.run, slow=slow, title=translated(study.heading)),)

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show an answer, or a picture in the gallery."""
        if name == _PICTURE:
            exhibit, panel = outcome
            for tile in self.gallery.tiles:
                if tile.exhibit is exhibit:
                    tile.show_picture(panel)
            self._ask_for_picture()
        elif self.room is not None:
            self.room.show_outcome(name, outcome)
        elif isinstance(outcome.design, PapersDesign):
            self.summaryChanged.emit()
            self._ask_for_picture()

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show a sentence beside its control."""
        if self.room is not None and name != _PICTURE:
            self.room.show_failure(name, error)

    def mark_stale(self, name: str) -> None:
        """Fade what is out of date."""
        if self.room is not None and name != _PICTURE:
            self.room.mark_stale(name)

    def summary(self) -> Summary:
        """Return the header line, the headline, the badge and the checks."""
        if self.room is not None:
            return self.room.summary()
        line = translated(self.design.line) if self.design is not None else ""
        answer = self.outcomes.get("solve")
        if answer is None:
            return Summary(line)
        holding, corrected = answer.findings["holds"], answer.findings["corrected"]
        claims = round((holding.number or 0) + (corrected.number or 0))
        figure = self.tr("{holding} of {claims}").format(holding=holding.value, claims=claims)
        hint = self.tr("Every exhibit is computed when you open it. Arrow keys move, Enter opens, Ctrl+F searches")
        parts = translated(answer.sentence).split(". ")
        words = tuple(". ".join(parts[:many]).rstrip(".") + "." for many in range(len(parts), 0, -1))
        return Summary(line, translated(holding.label), figure, facts=(hint,), sentence=words)

    def explanation(self) -> Explanation | None:
        """Explain the exhibit that is open."""
        return None if self.room is None else self.room.explanation()

    def tour(self) -> Sequence[Stop]:
        """Lead through the gallery or the exhibit."""
        if self.room is not None:
            return self.room.tour()
        first = next(tile for tile in self.gallery.tiles if tile.isVisibleTo(self))
        text = self.tr(
            "Each tile is one claim of a paper: ✓ holds as printed, ≠ needs a correction, ? is a question. Click it to open it."
        )
        words = self.tr("Find a claim by a word, a theorem’s number or a symbol.")
        return (Stop(first, self.tr("A claim"), text), Stop(self.gallery.search, self.tr("Find a claim"), words))

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        super().set_presenting(on)
        for room in self.rooms.values():
            room.set_presenting(on)

    # Intents -----------------------------------------------------------------------------------------------------------

    @Slot(str)
    def _open(self, name: str) -> None:
        """Show an exhibit, or the gallery again; looking changes nothing."""
        self.visited.emit(exhibit_class(name)() if name else PapersDesign())
        if self.room is not None:
            self.room.setFocus()

    @Slot()
    def _ask_for_picture(self) -> None:
        """Have the pictures of the gallery made one by one, while it is seen."""
        tile = self.gallery.next_undrawn()
        if tile is not None and self.gallery.isVisible() and isinstance(self.design, PapersDesign):
            run = partial(_pictured, tile.exhibit)
            self.requested.emit(Job(_PICTURE, run, slow=True, live=False, title=self.tr("pictures")))

    # Taking away -------------------------------------------------------------------------------------------------------

    def copy(self) -> bool:
        """Put the open panel on the clipboard as a table."""
        return self.room is not None and self.room.copy()

    def views(self) -> Sequence[str]:
        """Return the keys of the views of the exhibit that is open."""
        return () if self.room is None else self.room.views()

    def figures(self) -> Sequence[Figure]:
        """Return the pictures of the exhibit that is open."""
        return () if self.room is None else self.room.figures()

    def view_state(self) -> Mapping[str, Any]:
        """Return the open view, or what is searched."""
        return self.gallery.state() if self.room is None else self.room.view_state()

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore what `view_state` gave."""
        if self.room is None:
            self.gallery.set_state(state)
        else:
            self.room.set_view_state(state)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return a portrait with the picture of the gallery, where that takes no longer than a frame or two."""
        panel = study.pictured() if isinstance(study, Exhibit) and study.quick_picture else None
        return Portrait({}, charts=(panel,) if isinstance(panel, Plot) else ())


def _pictured(exhibit: type[Exhibit], progress: Progress) -> tuple[type[Exhibit], Any]:
    """Return an exhibit and its small picture; one that cannot be made is none."""
    progress(None, exhibit.heading)
    try:
        return exhibit, exhibit.pictured()
    except DpDesignerError:
        return exhibit, None
