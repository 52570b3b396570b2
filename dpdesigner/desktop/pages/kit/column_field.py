"""The field of a column of numbers: where it is from, files and examples to open, and where it may be drawn what is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.kit.column_source import ColumnSource
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.controls import push_button
from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.distribution.plot import FLAT, DrawnColumn
from dpdesigner.studies.fields import DeclaredInput
from dpdesigner.studies.inputs.columns import ColumnInput, ColumnSpec


class ColumnField(Field):
    """A column of numbers of a file."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked, foldable=True)
        kind: ColumnInput = asked.input  # type: ignore[assignment]  # the table of fields says so
        example = {"path": kind.example.path, "column": kind.example.column}
        tip = self.tr("{words}, included in the program").format(words=translated(kind.example.description))
        drawing = self.tr("Draw the distribution of invented rows along the axis")
        more = [push_button(self.tr("Draw one"), drawing, self._begin)] if kind.drawable else []
        self.source = ColumnSource(self, self.tr("One row per person"), self.accessibleName(), (tip, example), *more)
        self.source.changed.connect(self._open)
        self._value = ColumnSpec()
        self._drawn: DrawnColumn | None = None
        self._axis = (0.0, 1.0)
        self._presenting = False
        self._sources = QWidget()  # where it is from, and where it is drawn
        column_of(self.source, on=self._sources, gap=6)
        self.add(self._sources)
        self.add(self.source.error)

    def show_value(self, value: ColumnSpec) -> None:
        """Show where a column is from."""
        self._value = value
        self.source.show_source(value.column, translated(value.description))
        self.set_line(": ".join(filter(None, (translated(self.asked.label), translated(value.description)))))
        if value.drawn:
            self.drawing.show_column(value, *self._axis)
        if self._drawn is not None:
            self._drawn.setVisible(value.drawn)
        self._tell()

    def set_axis(self, low: float, high: float) -> None:
        """Say along which axis a column is drawn; to be told before it is shown."""
        self._axis = low, high

    @property
    def drawing(self) -> DrawnColumn:
        """The editor of a drawn column, made when it is needed."""
        if self._drawn is None:
            self._drawn = DrawnColumn()
            self._drawn.changing.connect(self.changing)
            self._drawn.changed.connect(self.changed)
            self._drawn.cancelled.connect(self.cancelled)
            column = self._sources.layout()
            assert column is not None
            column.addWidget(self._drawn)
        return self._drawn

    def set_presenting(self, on: bool) -> None:
        """Leave away what opens files; which column it is stays."""
        self._presenting = on
        self.source.setVisible(not on)
        if self._drawn is not None:
            self._drawn.set_presenting(on)
        self._tell()

    def _tell(self) -> None:
        """Say beside the heading, before an audience, which column it is."""
        if self._presenting:
            self.set_word(translated(self._value.description), translated(self._value.title))
        else:
            self.set_word(translated(self.asked.term))

    @Slot()
    def _begin(self) -> None:
        self.changed.emit(FLAT, self.tr("Draw the column"))

    @Slot(object, str)
    def _open(self, changes: Mapping[str, Any], words: str) -> None:
        path, column = changes.get("path", self._value.path), changes.get("column", "")
        self.changed.emit(lambda: ColumnSpec(path, column), words)
