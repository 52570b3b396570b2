"""The Papers page: the gallery and, in its place, an open exhibit. Both are designs of the document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedLayout, QWidget

from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Stop, Summary
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.pages.papers.exhibit_page import ExhibitPage
from dpdesigner.desktop.pages.papers.shelves import SHELVES, Shelves
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.exhibits.exhibit import Exhibit
from dpdesigner.studies.exhibits.listing import PapersDesign, exhibit_class
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Job, Progress, design_of

_PICTURE = "picture"


class PapersPage(Page):
    """The Papers page, where the claims of the founding papers can be tried out."""

    unasked = (_PICTURE,)

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
        """The open exhibit; None in the gallery."""
        shown = self._stack.currentWidget()
        return shown if isinstance(shown, ExhibitPage) else None

    def _room_of(self, exhibit: type[Exhibit]) -> ExhibitPage:
        if exhibit not in self.rooms:
            row = [each for shelf in SHELVES.values() for each in shelf]
            place = row.index(exhibit)
            room = ExhibitPage(exhibit, (row[place - 1] if place else None, row[place + 1] if place + 1 < len(row) else None))
            mine = room.changed, room.previewed, room.previewCancelled, room.summaryChanged, room.message, room.whyRequested
            ours = self.changed, self.previewed, self.previewCancelled, self.summaryChanged, self.message, self.whyRequested
            for signal, own in zip(mine, ours, strict=True):
                signal.connect(own)
            room.wanted.connect(self._open)
            room.set_presenting(self.presenting)
            self.rooms[exhibit] = room
            self._stack.addWidget(room)
        return self.rooms[exhibit]

    # Display -----------------------------------------------------------------------------------------------------------

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
        """Return the single job; if it is slow, it waits for the end of a drag."""
        slow = isinstance(study, Exhibit) and study.slow
        return (Job("solve", study.run, slow=slow, title=translated(study.heading)),)

    def show_outcome(self, name: str, outcome: Any) -> None:
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
        if self.room is not None and name != _PICTURE:
            self.room.show_failure(name, error)

    def mark_stale(self, name: str) -> None:
        """Fade outdated panels."""
        if self.room is not None and name != _PICTURE:
            self.room.mark_stale(name)

    def summary(self) -> Summary:
        if self.room is not None:
            return self.room.current_summary
        answer = self.outcomes.get("solve")
        if answer is None:
            return Summary()
        hint = self.tr("Every exhibit is computed when you open it. Arrow keys move, Enter opens, Ctrl+F searches")
        parts = translated(answer.sentence).split(". ")
        words = tuple(". ".join(parts[:many]).rstrip(".") + "." for many in range(len(parts), 0, -1))
        return Summary(facts=(hint,), sentence=words)  # which has all counts

    def explanation(self) -> Explanation | None:
        return None if self.room is None else self.room.explanation()

    def tour(self) -> Sequence[Stop]:
        if self.room is not None:
            return self.room.tour()
        first = next(tile for tile in self.gallery.tiles if tile.isVisibleTo(self))
        text = self.tr(
            "Each tile is one claim of a paper: ✓ holds as printed, ≠ needs a correction, ? is a question. Click it to open it."
        )
        words = self.tr("Find a claim by a word, a theorem’s number or a symbol.")
        return (Stop(first, self.tr("A claim"), text), Stop(self.gallery.search, self.tr("Find a claim"), words))

    def set_presenting(self, on: bool) -> None:
        super().set_presenting(on)
        for room in self.rooms.values():
            room.set_presenting(on)

    # Intents -----------------------------------------------------------------------------------------------------------

    @Slot(str)
    def _open(self, name: str) -> None:
        """Show an exhibit, or the gallery again, without changing the document."""
        self.visited.emit(exhibit_class(name)() if name else PapersDesign())
        if (room := self.room) is not None:
            room.setFocus()
            room.show_sketch(next(tile.panel for tile in self.gallery.tiles if tile.exhibit is room.exhibit))

    @Slot()
    def _ask_for_picture(self) -> None:
        """Request the gallery pictures one by one while the gallery is visible."""
        tile = self.gallery.next_undrawn()
        if tile is not None and self.gallery.isVisible() and isinstance(self.design, PapersDesign):
            run = partial(_pictured, tile.exhibit)
            self.requested.emit(Job(_PICTURE, run, slow=True, live=False, title=self.tr("pictures")))

    # Export ------------------------------------------------------------------------------------------------------------

    def copy(self) -> bool:
        return self.room is not None and self.room.copy()

    def views(self) -> Sequence[str]:
        """Return the keys of the views of the open exhibit."""
        return () if self.room is None else self.room.views()

    def figures(self) -> Iterable[Figure]:
        return () if self.room is None else self.room.figures()

    def view_state(self) -> Mapping[str, Any]:
        return self.gallery.state() if self.room is None else self.room.view_state()

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        if self.room is None:
            self.gallery.set_state(state)
        else:
            self.room.set_view_state(state)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return a portrait with the gallery picture, if drawing it takes no more than a frame or two."""
        panel = study.pictured() if isinstance(study, Exhibit) and study.quick_picture else None
        return Portrait({}, charts=(panel,) if isinstance(panel, Plot) else ())


def _pictured(exhibit: type[Exhibit], progress: Progress) -> tuple[type[Exhibit], Any]:
    """Return an exhibit and its small picture, or None for a picture that cannot be made."""
    progress(None, exhibit.heading)
    try:
        return exhibit, exhibit.pictured()
    except DpDesignerError:
        return exhibit, None
