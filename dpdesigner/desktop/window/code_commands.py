"""Copies the mechanism that is shown as a program: Edit > Copy as program."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from dpdesigner.desktop.background.waiting import waited
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.window.layout import Parts
from dpdesigner.errors import Cancelled, DpDesignerError
from dpdesigner.files.export.formatting import PROGRAMS
from dpdesigner.studies.registry import entry


class CodeCommands(QObject):
    """The languages in the menu; there are none for a kind that has no programs."""

    def __init__(self, parts: Parts, parent: QObject) -> None:
        super().__init__(parent)
        self._parts = parts
        for language, words in PROGRAMS.items():
            action = parts.menus.code.addAction(translated(words.title))
            action.setToolTip(translated(words.holds))
            action.triggered.connect(partial(self.copy, language))
        around = parts.menus.code.parent()
        if isinstance(around, QMenu):
            around.aboutToShow.connect(self._show)

    def _show(self) -> None:
        possible = entry(self._parts.document.study.kind).export_class().programs
        self._parts.menus.code.menuAction().setVisible(possible)

    def copy(self, language: str) -> None:
        """Put the program on the clipboard, or say why there is none."""
        from dpdesigner.files.export.export import export_of

        study, page = self._parts.document.study, self._parts.host.page
        done = {} if page is None else dict(page.outcomes)
        try:
            text = waited(lambda: export_of(study, done=done).program(language), self.tr("Writing the program"))
        except Cancelled:
            return
        except DpDesignerError as error:
            self._parts.banner.say(str(error))
            return
        QGuiApplication.clipboard().setText(text)
        self._parts.banner.say(self.tr("Copied as a program: {language}.").format(language=translated(PROGRAMS[language].title)))
