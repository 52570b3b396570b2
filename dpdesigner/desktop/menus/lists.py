"""The menus whose entries come and go: recent files, examples, designs, kinds to add; filled when they are opened."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.recent import forget_recent, recent_files
from dpdesigner.desktop.menus.menus import Menus
from dpdesigner.files.project.examples import examples
from dpdesigner.studies import registry


class MenuLists(QObject):
    """Fills four submenus and says what was chosen from them."""

    fileChosen = Signal(object)  #: a `Path`
    exampleChosen = Signal(object)  #: an `Example`
    kindChosen = Signal(str)  #: a kind of study to add

    def __init__(self, menus: Menus, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._recent, self._examples, self._designs, self._add = menus.recent, menus.examples, menus.designs, menus.add
        self._group = QActionGroup(self)  #: the designs, of which one is shown
        self._recent.aboutToShow.connect(self._fill_recent)
        self._examples.aboutToShow.connect(self._fill_examples)
        self._designs.aboutToShow.connect(self._fill_designs)
        self._add.aboutToShow.connect(self._fill_add)

    @Slot()
    def _fill_recent(self) -> None:
        self._recent.clear()
        paths = recent_files()
        for path in paths:
            action = _action(self._recent, path.name)
            action.setToolTip(str(path))
            action.triggered.connect(partial(self.fileChosen.emit, path))
        self._recent.addSeparator()
        clear = _action(self._recent, self.tr("Clear this list"))
        clear.setEnabled(bool(paths))
        clear.triggered.connect(partial(forget_recent, None))

    @Slot()
    def _fill_examples(self) -> None:
        if self._examples.isEmpty():
            for example in examples():
                action = _action(self._examples, example.title)
                action.setToolTip(example.description)
                action.triggered.connect(partial(self.exampleChosen.emit, example))

    @Slot()
    def _fill_designs(self) -> None:
        self._designs.clear()
        for index, design in enumerate(self._document.designs):
            pinned = design == self._document.reference
            action = _action(self._designs, self.tr("{title} (pinned)").format(title=design.title) if pinned else design.title)
            action.setCheckable(True)
            action.setChecked(index == self._document.index)
            action.triggered.connect(partial(self._document.select, index))
            self._group.addAction(action)

    @Slot()
    def _fill_add(self) -> None:
        if self._add.isEmpty():
            for entry in registry.ENTRIES:
                action = _action(self._add, self.tr("{title} design").format(title=entry.title))
                action.triggered.connect(partial(self.kindChosen.emit, entry.kind))


def _action(menu: QMenu, text: str) -> QAction:
    """Add an action whose text has no mnemonic; made here, not by Qt, so that Python knows when the menu deletes it."""
    action = QAction(text.replace("&", "&&"), menu)
    menu.addAction(action)
    return action
