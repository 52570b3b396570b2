"""The one line above the page that says everything: name, inputs, expected loss, proof; and the export button."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from dpdesigner.desktop.look.theme import set_class, set_state, theme
from dpdesigner.desktop.menus.menus import plain
from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel

#: Size in points of a scene's title.
TITLE = 16
#: So large a part of the width, at most, is what compares the design with the reference in words.
_COMPARISON = 1 / 6
#: What is left of the badge where there is no room for more.
_PROVED = "✓"
_ANY_WIDTH = 16777215  # Qt's own largest


class Header(QFrame):
    """Shows the current design's name and its page's summary."""

    renamed = Signal(str)  #: the user typed another name

    def __init__(self, export: QAction, designs: QMenu, compare: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_class(self, "bar")
        self._designs = designs
        self._several = self._presenting = False
        self._line = ""
        self._compared = ("", "")
        self._proof = ""
        self._make_names()
        self._make_facts(export, compare)
        theme().changed.connect(self._restyle)
        self._restyle()
        self._lay_out()

    def _make_names(self) -> None:
        """What says which design it is: name, list of designs, scene."""
        self.name = ElidedLabel(yields=False)
        set_class(self.name, "title")
        self.name.installEventFilter(self)
        self.editor = QLineEdit()
        self.editor.setAccessibleName(self.tr("Name of the design"))
        self.editor.setMaxLength(120)
        self.editor.hide()
        self.editor.installEventFilter(self)
        self.editor.editingFinished.connect(self._finish)
        self.others = QToolButton()
        self.others.setText("▾")
        set_class(self.others, "tab")
        self.others.setToolTip(self.tr("The designs of this document"))
        self.others.setAccessibleName(self.tr("Designs"))
        self.others.clicked.connect(self._open_designs)
        self.mark = QLabel(self.tr("Others play: nothing is kept"))
        set_class(self.mark, "badge")
        self.mark.setToolTip(self.tr("Present > Let others play ends it; everything is then as before."))
        self.mark.hide()
        self.scene, self.number = ElidedLabel(yields=False), QLabel()
        set_class(self.number, "muted")
        self.scene.hide()
        self.number.hide()

    def _make_facts(self, export: QAction, compare: QAction) -> None:
        """What says how good it is, and the button that takes it away."""
        self.line = ElidedLabel()
        set_class(self.line, "muted")
        self.value_label = QLabel()
        self.value = QLabel()
        set_class(self.value, "figure")
        self.badge = ElidedLabel(yields=False)
        set_class(self.badge, "badge")
        self.badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.badge.hide()
        self.comparison = QToolButton()
        set_class(self.comparison, "chip")
        self.comparison.clicked.connect(compare.toggle)
        self.comparison.hide()
        self.export = QPushButton(plain(export.text()))
        set_class(self.export, "primary")
        self.export.setToolTip(export.toolTip())
        self.export.clicked.connect(export.trigger)

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 6, 16, 6)
        layout.setSpacing(0)
        for widget, space, stretch in (
            (self.scene, 0, 0),
            (self.name, 0, 0),
            (self.editor, 0, 0),
            (self.others, 12, 0),
            (self.mark, 12, 0),
            (self.line, 16, 1),
            (self.value_label, 5, 0),
            (self.value, 8, 0),
            (self.comparison, 14, 0),
            (self.badge, 14, 0),
            (self.export, 0, 0),
            (self.number, 0, 0),
        ):
            layout.addWidget(widget, stretch)
            layout.addSpacing(space)

    def set_name(self, name: str, several: bool) -> None:
        """Show the current design's name, and the list of designs if there are several."""
        self._keep()  # what is being typed is for the design before
        self.name.set_full_text(name)
        self._show_line()
        self._several = several
        self.others.setVisible(several and not self._presenting)
        self._fit()

    def set_summary(self, summary: Summary) -> None:
        """Show a page's summary."""
        self._line = summary.line
        self._show_line()
        self.value_label.setText(summary.value_label)
        self.value.setText(summary.value)
        self._proof = summary.badge
        self.badge.setVisible(bool(summary.badge))
        set_state(self.badge, "state", summary.state)
        self._fit()

    @Slot(str, str, str)
    def set_comparison(self, text: str, short: str, sentence: str) -> None:
        """Show how the design compares with the pinned reference, in short where there is no room for more; or nothing."""
        self._compared = (text, short)
        self.comparison.setToolTip(f"{text}\n{sentence}")
        self.comparison.setAccessibleName(f"{sentence}: {text}")
        self.comparison.setVisible(bool(text) and not self._presenting)
        self._fit()

    def _fit(self) -> None:
        """Say of comparison, proof and name as much as there is room for."""
        text, short = self._compared
        fits = self.comparison.fontMetrics().horizontalAdvance(text) <= self.width() * _COMPARISON
        self.comparison.setText(text if fits else short)
        self.name.setMaximumWidth(_ANY_WIDTH)
        self.badge.set_full_text(self._proof)
        if self.sizeHint().width() > self.width():
            self.badge.set_full_text(self._proof.partition(" · ")[0])
        if self.sizeHint().width() > self.width():
            self.name.setMaximumWidth(self.width() // 3)
        if self.sizeHint().width() > self.width() and self._proof.startswith(_PROVED):
            self.badge.set_full_text(_PROVED, _PROVED)  # for which there is always room
        self.badge.setToolTip(self._proof)
        self.badge.setAccessibleName(self._proof)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self.export.setVisible(not on)
        self.others.setVisible(self._several and not on)
        self.comparison.setVisible(bool(self._compared[0]) and not on)
        self._presenting = on
        self.set_scene("", "")

    def set_scene(self, title: str, number: str) -> None:
        """Show the title of a scene in place of the design's name, and its number; empty texts bring the name back."""
        self.scene.set_full_text(title)
        self.number.setText(number)
        self.scene.setVisible(bool(title))
        self.number.setVisible(bool(number))
        self.name.setVisible(not title)
        self._show_line()
        self._fit()

    def _show_line(self) -> None:
        hidden = bool(self.scene.full_text)
        line = f"{self.name.full_text} · {self._line}" if hidden else self._line
        ends = [found.start() for found in re.finditer(r" · | \(", line)]
        self.line.set_full_text(line, *(line[:end] for end in reversed(ends)), "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep room for the name, or the scene's title: where it is short, the line and the badge yield first."""
        super().resizeEvent(event)
        self.name.keep(self.width() // 4)
        self.scene.keep(self.width() // 3)
        self._fit()

    @Slot()
    def _restyle(self) -> None:
        look = theme().colours
        self.mark.setStyleSheet(f"background: {look.accent_soft}; color: {look.accent}; border-color: {look.accent};")
        self.scene.setFont(theme().font(TITLE, bold=True))
        self.number.setFont(theme().font(TITLE))

    @Slot()
    def edit_name(self) -> None:
        """Let the user type another name in place of the old one."""
        self.editor.setText(self.name.full_text)
        self.editor.setMinimumWidth(max(240, self.name.width() + 32))
        self.name.hide()
        self.editor.show()
        self.editor.selectAll()
        self.editor.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Rename on a double click, keep the old name on Esc."""
        if watched is self.name and isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            self.edit_name()
            return True
        if watched is self.editor and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self._keep()
            return True
        return super().eventFilter(watched, event)

    @Slot()
    def _open_designs(self) -> None:
        self._designs.popup(self.others.mapToGlobal(self.others.rect().bottomLeft()))

    def _keep(self) -> None:
        self.editor.setText(self.name.full_text)
        self._finish()

    @Slot()
    def _finish(self) -> None:
        if self.editor.isHidden():
            return
        name = self.editor.text().strip()
        self.editor.hide()
        self.name.show()
        if name and name != self.name.full_text:
            self.renamed.emit(name)
