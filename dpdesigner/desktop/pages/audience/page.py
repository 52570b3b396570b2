"""The audience page: readers on the left, one release with a remap strip for each in the middle, the cost of separate tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget

from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.background.tables import chosen_table
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import push_button, wrapped
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.pages.audience.readers_field import ReadersField
from dpdesigner.desktop.pages.audience.remap_strips import RemapStripsPanel
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.pages.kit.fields import TextField
from dpdesigner.desktop.pages.kit.page import Part
from dpdesigner.desktop.pages.kit.panel_views import PanelView, Place
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.errors import InputError
from dpdesigner.studies.base import Answer, Panel
from dpdesigner.studies.fields import DeclaredInput
from dpdesigner.studies.findings import Findings
from dpdesigner.studies.inspect.audience_design import AudienceDesign
from dpdesigner.studies.snapshot import Snapshot
from dpdesigner.studies.table_panels import Table

_NOTE_COLUMNS, _MOST_ROWS = 3, 36  # visible columns and rows of a note


class NotePanel(PanelView):
    """The note for a reader: the remap in three columns, and a button that copies it."""

    def __init__(self) -> None:
        super().__init__()
        self.card, self.rows, self.words = Card(" "), QLabel(), SentenceLabel("small")
        self.rows.setTextFormat(Qt.TextFormat.RichText)
        self.rows.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = push_button(self.tr("Copy"), self.tr("Copy the note as text"), self._copy)
        self.card.header.addWidget(self.copy)
        self.card.add(self.rows)
        self.card.add(self.words)
        self.column.addWidget(self.card)
        self._panel: Table | None = None

    def show_panel(self, panel: Table, place: Place) -> None:
        self._panel = panel
        self.card.set_heading(translated(panel.title))
        rows = panel.rows[:_MOST_ROWS]
        high = -(-len(rows) // _NOTE_COLUMNS)
        lines = []
        for line in range(high):
            cells = [rows[place] for place in range(line, len(rows), high)]
            parts = (f"<td>{escape(a)}&nbsp;</td><td>→&nbsp;<b>{escape(b)}</b>&nbsp;&nbsp;</td>" for a, b in cells)
            lines.append(f"<tr>{''.join(parts)}</tr>")
        more = "" if len(panel.rows) <= _MOST_ROWS else self.tr("… {count} in total").format(count=len(panel.rows))
        self.rows.setText(f"<table cellpadding=1>{''.join(lines)}</table>{more}")
        self.rows.setAccessibleName("; ".join(f"{a} → {b}" for a, b in rows))
        self.words.set_sentence(translated(panel.note))

    def _copy(self) -> None:
        if self._panel is not None:
            note = "\n".join((translated(self._panel.title), tabbed(self._panel.as_rows()), translated(self._panel.note)))
            QGuiApplication.clipboard().setText(note)


class ExistingTableField(TextField):
    """An already published table: its name, and a button that opens its file."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        tip = self.tr("A table in a file: rows are true counts, columns are releases")
        self.open = push_button(self.tr("Open…"), tip, self._open)
        self.none = push_button(self.tr("None"), self.tr("Go back to geometric noise"), lambda: self._given(""))
        self._buttons = wrapped(self.open, self.none)
        self.add(self._buttons)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self.none.setVisible(value != "")

    def set_presenting(self, on: bool) -> None:
        super().set_presenting(on)
        self._buttons.setVisible(not on)

    def _open(self) -> None:
        if path := chosen_table(self.tr("Open a table"), self):
            self._given(f"file: {path}")


class AudiencePage(DeclaredPage):
    """Publish one number for many readers, and see that none of them could be served better."""

    kind = "audience"
    fields: ClassVar[Mapping[str, Callable[[DeclaredInput], Field]]] = {
        "readers": ReadersField,
        "table": ExistingTableField,
    }
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {
        "release": RemapStripsPanel,
        "note": NotePanel,
    }
    widths = 306, 529, 316

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        """Put the editor of the selected reader below the list."""
        self.readers: ReadersField = self._inputs.fields["readers"]
        self._inputs.column.insertWidget(2, self.readers.editor, 1)
        self._inputs.cards.insert(2, self.readers.editor)
        results = self._results.layout()
        if isinstance(results, QBoxLayout):  # the readers' cards go before the results for all readers
            results.removeWidget(self._results.findings)
            results.insertWidget(1, self._results.findings)
        self._inputs.field("readers", self.readers.show_error)
        self.readers.chosen.connect(lambda place: self.look(reader=place))
        self._results.chosen = _of_all
        super().lay_out(columns)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return the priors of the readers, one below the other."""
        try:
            readers = [spec.reader(study.n) for spec in study.specs]
        except InputError:
            return Portrait({})
        priors = [reader.prior.probabilities for reader in readers if not reader.cautious]
        return Portrait({}, matrix=np.array(priors) if len(priors) > 1 else None)

    def parts(self) -> Sequence[Part[Any, Any]]:
        """Return the parts, which include the selected reader and priors over the range of the count."""
        selected = Part(None, lambda s: (s.view["reader"],), self.readers.select)
        range_ = Part(None, _range, self.readers.show_range)
        return (*super().parts(), selected, range_)

    def shared_out(self, answer: Answer) -> tuple[list[Panel], list[Panel]]:
        """Return the panels of the open view for the middle, also tables and rankings."""
        panels, beside = self.panels_of(answer), answer.design.beside_views
        return [panel for panel in panels if panel.key not in beside], [panel for panel in panels if panel.key in beside]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Focus the target of the selected reader on T, and add a reader on N."""
        if event.modifiers() == Qt.KeyboardModifier.NoModifier and event.key() == Qt.Key.Key_T:
            self.readers.editor.target.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif event.modifiers() == Qt.KeyboardModifier.NoModifier and event.key() == Qt.Key.Key_N:
            self.readers.add_reader()
        else:
            super().keyPressEvent(event)


def _of_all(answer: Answer) -> Findings:
    """The findings of all readers together; the cards at the right say what those of each are."""
    return {key: found for key, found in answer.findings.items() if "/" not in key and key not in ("served", "kernels")}


def _range(now: Snapshot[Any, Any]) -> tuple[int]:
    design: AudienceDesign = now.design
    return (design.n if design.table == "" else now.answer.n,)
