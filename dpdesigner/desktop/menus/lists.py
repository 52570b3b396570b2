"""The menus whose entries come and go: recent files, examples, designs, kinds to add, screens; filled when they are opened."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication
from PySide6.QtWidgets import QMenu

from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.recent import forget_recent, recent_files
from dpdesigner.desktop.menus.menus import Menus
from dpdesigner.desktop.presenting.screens import OTHER, SAME
from dpdesigner.desktop.theme.preferences import preferences
from dpdesigner.files.project import examples
from dpdesigner.studies import registry


class MenuLists(QObject):
    """Fills five submenus and says what was chosen from them."""

    fileChosen = Signal(object)  #: a `Path`
    exampleChosen = Signal(object)  #: an `Example`
    kindChosen = Signal(str)  #: a kind of study to add

    def __init__(self, menus: Menus, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._recent, self._examples, self._designs, self._add = menus.recent, menus.examples, menus.designs, menus.add
        self._screens = menus.screens
        self._shown, self._presented_on = QActionGroup(self), QActionGroup(self)  # of each, one is chosen
        self._recent.aboutToShow.connect(self._fill_recent)
        self._examples.aboutToShow.connect(self._fill_examples)
        self._designs.aboutToShow.connect(self._fill_designs)
        self._add.aboutToShow.connect(self._fill_add)
        self._screens.aboutToShow.connect(self._fill_screens)

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
            title = self.tr("{title} (pinned)").format(title=design.title) if pinned else design.title
            action = _choice(self._designs, self._shown, title, index == self._document.index)
            action.triggered.connect(partial(self._document.select, index))

    @Slot()
    def _fill_add(self) -> None:
        if self._add.isEmpty():
            for entry in registry.ENTRIES:
                action = _action(self._add, self.tr("{title} design").format(title=entry.title))
                action.triggered.connect(partial(self.kindChosen.emit, entry.kind))

    @Slot()
    def _fill_screens(self) -> None:
        self._screens.clear()
        names = [screen.name() for screen in QGuiApplication.screens()]
        for value, text in (
            (OTHER, self.tr("The other screen, if there is one")),
            (SAME, self.tr("The window’s screen")),
            *((name, name) for name in names if len(names) > 1),
        ):
            action = _choice(self._screens, self._presented_on, text, value == preferences().choices.screen)
            action.triggered.connect(partial(_present_on, value))


def _present_on(screen: str) -> None:
    preferences().choose(screen=screen)


def _choice(menu: QMenu, group: QActionGroup, text: str, on: bool) -> QAction:
    """Add an action that is one of several to choose from."""
    action = _action(menu, text)
    action.setCheckable(True)
    action.setChecked(on)
    group.addAction(action)
    return action


def _action(menu: QMenu, text: str) -> QAction:
    """Add an action whose text has no mnemonic; made here, not by Qt, so that Python knows when the menu deletes it."""
    action = QAction(text.replace("&", "&&"), menu)
    menu.addAction(action)
    return action
