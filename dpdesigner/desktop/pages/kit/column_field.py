"""The field of a column of numbers: where it is from, and files and examples to open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Slot

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.column_source import ColumnSource
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.studies.asked import Asked
from dpdesigner.studies.column_input import ColumnInput, GivenColumn


class ColumnField(Field):
    """A column of numbers of a file."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked)
        kind: ColumnInput = asked.input  # type: ignore[assignment]  # the table of fields says so
        example = {"path": kind.example.path, "column": kind.example.column}
        tip = self.tr("{words}, which ships with the program").format(words=translated(kind.example.words))
        self.source = ColumnSource(self, self.tr("One row a person"), self.accessibleName(), (tip, example))
        self.source.changed.connect(self._open)
        self._value = GivenColumn()
        self.add(self.source)
        self.add(self.source.error)

    def show_value(self, value: GivenColumn) -> None:
        """Show where a column is from."""
        self._value = value
        self.source.show_source(value.column, translated(value.words))

    def set_presenting(self, on: bool) -> None:
        """Leave away what opens files."""
        self.source.setVisible(not on)

    @Slot(object, str)
    def _open(self, changes: Mapping[str, Any], words: str) -> None:
        path, column = changes.get("path", self._value.path), changes.get("column", "")
        self.changed.emit(lambda: GivenColumn(path, column), words)
