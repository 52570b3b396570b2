"""A list of categories: typed, of a file that declares them, or, after a warning, of the data; what becomes of other rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QMessageBox

from dpdesigner.desktop.widgets.base.controls import menu_chip, push_button, value_box
from dpdesigner.desktop.widgets.base.layouts import FittedWidget, flow_of


class CategoryList(FittedWidget):
    """The box stands where its owner puts it, this is the row of buttons below it.

    Parameters
    ----------
    warning : str
        Why a list that is taken from the data is not private; it is shown before, and asks whether to take it all the same.
    """

    changed = Signal(object)  #: what is others now, by name: ``categories``, ``outside`` or ``listed``
    fileWanted = Signal()  #: a list of a file is wanted
    dataWanted = Signal()  #: the list is wanted from the data, though it is not private

    def __init__(self, warning: str) -> None:
        super().__init__()
        self._warning = warning
        tip = self.tr("Possible values, for example yes, no; chosen without the data, spelt as in the data")
        self.box = value_box("yes, no, perhaps", self.tr("Categories"), tip, self._type)
        self.box.setPlaceholderText(self.tr("for example: yes, no"))
        choices = (
            ("other", self.tr("any other"), self.tr("All other rows are counted in one more cell")),
            ("refuse", self.tr("refused"), self.tr("Nothing is counted if any row has another value")),
        )
        self._choices = {
            key: push_button(text, tip, partial(self._ask, {"outside": key}), checkable=True, padding="3px 7px")
            for key, text, tip in choices
        }
        sources = (
            (self.tr("From a file that lists them…"), self.fileWanted.emit),
            (self.tr("From the data: not private…"), self._warn),
            (self.tr("This list is public"), partial(self._ask, {"listed": "public"})),
        )
        self._sources = menu_chip(self.tr("List"), self.tr("Source of the list of categories"), sources)
        self._sources.setStyleSheet("padding: 3px 7px;")
        flow_of(QLabel(self.tr("other rows are")), *self._choices.values(), self._sources, on=self)

    def show_list(self, text: str, outside: str, listed: str, data: bool) -> None:
        """Show a list as it is typed, what becomes of other rows, and where it can be from: from data only if there are any."""
        self.box.show_value(text)
        for key, button in self._choices.items():
            button.setChecked(key == outside)
        _, taken, public = self._sources.menu().actions()
        taken.setEnabled(data)
        public.setEnabled(listed == "data")

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._sources.setVisible(not on)

    def _ask(self, changes: Mapping[str, Any], checked: bool = False) -> None:
        self.changed.emit(changes)

    @Slot(str)
    def _type(self, text: str) -> None:
        self.changed.emit({"categories": text})

    def _warn(self) -> None:
        """Say that a list that is taken from the data is not private, and ask whether to take it all the same."""
        box = QMessageBox(QMessageBox.Icon.Warning, "dpdesigner", self.tr("This is not private."), parent=self.window())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setInformativeText(self._warning)
        take = box.addButton(self.tr("Use the list anyway"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        take.clicked.connect(self.dataWanted)
        box.open()
