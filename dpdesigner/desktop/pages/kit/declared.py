"""A whole page of a kind whose inputs and panels are declared: what is asked at the left, pictures, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import Any, ClassVar

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.declared_asking import DeclaredAsking
from dpdesigner.desktop.pages.kit.declared_results import PicturesCard, ResultsColumn, shared_out
from dpdesigner.desktop.pages.kit.explanation import explained
from dpdesigner.desktop.pages.kit.handles import VIEW, Handles
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Stop
from dpdesigner.desktop.pages.kit.parts import Part
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.kit.portrait import portrait as portrait
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.declared import Answer, Declared, Panel, as_table
from dpdesigner.studies.findings import Findings, shown
from dpdesigner.studies.registry import entry

_WIDTHS = (328, 476, 336)  # of the columns at 1280 pixels


class DeclaredPage(Page[Any, Any]):
    """Shows any kind of declared design; see `declared_page`. Its `view` has where the handles are that change no input."""

    kind: ClassVar[str]  #: of the designs that it shows

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._class = self.design_class()
        self._inputs = self.asking_column()
        self._pictures = PicturesCard(self._class.views)
        self._results = ResultsColumn(self.whyRequested.emit)
        self._handles = Handles(self)
        self.lay_out((self._inputs, self._pictures, self._results))
        self.set_asking(self._inputs)
        self.fades = (self._pictures.panels.set_stale,)
        self.set_parts(Part(None, ("answer",), lambda answer: self._show(), self._mark, "solve"))
        self._pictures.viewChosen.connect(self._open)
        for column in (self._pictures.panels, self._results.panels):
            self._handles.follow(column)

    def design_class(self) -> type[Declared]:
        """Return the class of the designs that it shows."""
        shown: type[Declared] = entry(self.kind).study_class()
        return shown

    def asking_column(self) -> Any:
        """Return the column of inputs; what stands in its place has the same signals and methods."""
        return DeclaredAsking(self._class.inputs())

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        """Put the columns of inputs, pictures and results on the page."""
        lay_out_columns(self, f"{self.kind}-columns", columns, _WIDTHS)

    def shared_out(self, answer: Answer) -> tuple[list[Panel], list[Panel]]:
        """Return the panels for the middle, and those for the right."""
        return shared_out(answer, self.view_state())

    def show_design(self, before: Any, design: Any) -> None:
        """Show a design's inputs; handles follow at once."""
        if (before or self._class).views != design.views:
            self._pictures.show_views(design.views)
        super().show_design(before, design)
        self._pictures.panels.put_handles(self._place)
        self._results.panels.put_handles(self._place)

    def _show(self) -> None:
        if (answer := self.answer) is not None:
            middle, beside = self.shared_out(answer)
            self._pictures.panels.show_panels(middle, self._place)
            self._results.set_answer(answer, beside, self._place)

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show a sentence beside its control."""
        super().show_failure(name, error)
        if name == "solve":
            self._results.show_failure(str(error))

    def _mark(self, stale: bool) -> None:
        self._pictures.panels.set_stale(stale)
        self._results.set_stale(stale)

    def explanation(self) -> Explanation | None:
        """Explain the answer shown."""
        if (answer := self.answer) is None or (why := answer.why) is None:
            return None
        if why.template:
            return explained(why.template, why.help, answer)
        plain, formula, sources = (filled(text, answer.findings) for text in (why.plain, why.formula, why.sources))
        return Explanation(translated(why.title), plain, formula, sources, why.help)

    def tour(self) -> Sequence[Stop]:
        """Lead through what is asked, the pictures and what comes out."""
        go_on = self.tr("Try another value: everything follows.")
        asked = [
            Stop(field, translated(field.asked.label), translated(field.asked.note) or go_on, self._inputs.changed)
            for field in self._inputs.fields.values()
            if field.isVisibleTo(self) and not field.asked.joined
        ]
        pictures = self.tr("What it looks like. Point at it for its numbers; a line with a handle can be dragged.")
        numbers = self.tr("The numbers, rounded; point at one for all its digits.")
        return (
            *asked,
            Stop(self._pictures, self.tr("The pictures"), pictures),
            Stop(self._results.findings, self.tr("What comes out"), numbers),
        )

    def look(self, **changes: Any) -> None:
        """Put handles of the view elsewhere."""
        super().look(**changes)
        self._show()

    def _place(self, target: str) -> float | None:
        """Return where a handle is."""
        place: float | None = self.view.get(target.removeprefix(VIEW)) if target.startswith(VIEW) else self._inputs.place(target)
        return place

    @Slot(str)
    def _open(self, view: str) -> None:
        self._pictures.tabs.set_current(view)
        self.look()

    # Taking away -------------------------------------------------------------------------------------------------------

    def copy(self) -> bool:
        """Put the open panel that has the focus, or the first, on the clipboard as a table."""
        if self.answer is None:
            return False
        column = self._pictures.panels
        focused = [key for key, view in column.views.items() if view.isAncestorOf(view.focusWidget() or self)]
        keys = [*focused, *column.panels]
        table = next(filter(None, (as_table(column.panels[key]) for key in keys)), None)
        if table is not None:
            QGuiApplication.clipboard().setText("\n".join("\t".join(row) for row in table.as_rows()))
        return table is not None

    def views(self) -> Sequence[str]:
        """Return the keys of the views."""
        return tuple(view.key for view in (self.design or self._class).views)

    def figures(self) -> Sequence[Figure]:
        """Return the panels of the open view, then rankings."""
        if self.answer is None:
            return ()
        return (*self._pictures.panels.figures(), *self._results.panels.figures())

    def view_state(self) -> Mapping[str, Any]:
        """Return the open view, and where the handles are that change no input."""
        return {**({"view": self._pictures.tabs.current()} if self.views() else {}), **self.view}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore what `view_state` gave."""
        self.view = {key: value for key, value in state.items() if key != "view" and isinstance(value, (int, float))}
        if isinstance(view := state.get("view"), str):
            self._pictures.tabs.set_current(view)
        self.look()

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return a portrait of the design's own answer."""
        return portrait(study, study.run())


@cache
def declared_page(kind: str) -> type[DeclaredPage]:
    """Return the page of a declared kind."""
    return type("DeclaredPage", (DeclaredPage,), {"kind": kind})


def filled(template: str, findings: Findings) -> str:
    """Return a text with the words of findings in place of their keys in braces, its paragraphs as rich text."""
    words = {key: escape(translated(shown(finding, "words"))) for key, finding in findings.items()}
    return "".join(f"<p>{part}</p>" for part in translated(template).format_map(words).split("\n\n") if part)
