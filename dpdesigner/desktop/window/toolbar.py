"""The toolbar: the most-used commands, right of the menu bar, or in its own row if the system has the menu bar."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QAction, QColor, QIcon, QIconEngine, QKeySequence, QPainter, QPixmap
from PySide6.QtWidgets import QMainWindow, QMenuBar, QToolBar, QWidget

from dpdesigner.desktop.base.icons import draw_icon
from dpdesigner.desktop.base.preferences import settings
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.window.menus import Menus, plain_text

_KEY = "layout/toolbar"


class ToolBar(QToolBar):
    """Buttons for the most-used commands. Its visibility is remembered.

    Parameters
    ----------
    menus : Menus
        Whose commands, of which each gets an icon.
    window : QMainWindow
        Where it goes.
    """

    def __init__(self, menus: Menus, window: QMainWindow) -> None:
        super().__init__(menus.tr("Toolbar"), window)
        self.setObjectName("toolbar")
        self._corner_of: QMenuBar | None = None  #: the menu bar, if the toolbar is at its right end
        self.setMovable(False)
        groups = (
            (("new", menus.new), ("open", menus.open), ("save", menus.save)),
            (("undo", menus.undo), ("redo", menus.redo)),
            (("compare", menus.compare), ("present", menus.present), ("palette", menus.palette)),
        )
        for group in groups:
            if self.actions():
                self.addSeparator()
            for name, action in group:
                self._add(name, action)
        self.shown = menus.toolbar
        self.shown.setChecked(settings().value(_KEY, True, bool) is True)
        self.shown.toggled.connect(self._choose)
        self._place(window)
        self._restyle()
        theme().changed.connect(self._restyle)

    def _add(self, name: str, action: QAction) -> None:
        action.setIcon(QIcon(_Drawing(name)))
        action.setIconVisibleInMenu(False)
        self.addAction(action)
        button, name = self.widgetForAction(action), plain_text(action.text()).removesuffix("…")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keyboard users have the menus
        button.setAccessibleName(name)
        action.setToolTip(f"{name} ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})")

    def _place(self, window: QMainWindow) -> None:
        bar = window.menuBar()
        if bar.isNativeMenuBar():
            window.addToolBar(self)
        else:
            margin = QWidget()
            margin.setFixedWidth(12)  # aligns the end of the last icon with the header's button
            self.addWidget(margin)
            self.setStyleSheet("QToolBar { background: transparent; }")  # the menu bar's line continues below it
            self._corner_of = bar
            bar.setCornerWidget(self)
        self.setVisible(self.shown.isChecked())

    def event(self, event: QEvent) -> bool:
        """Register again with the menu bar when the icon size changes, because only this updates the space for the toolbar."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self._corner_of is not None:
            self._corner_of.setCornerWidget(self)
        return done

    @Slot(bool)
    def _choose(self, shown: bool) -> None:
        settings().setValue(_KEY, shown)
        self.setVisible(shown)

    @Slot()
    def _restyle(self) -> None:
        side = round(16 * theme().scale)
        self.setIconSize(QSize(side, side))


class _Drawing(QIconEngine):
    """One of the line drawings, in the current colours when painted."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw it: muted, in the text colour under the mouse, in the accent colour when on, pale when disabled."""
        colours = theme().colours
        ink = QColor(colours.accent if state == QIcon.State.On else colours.text if mode == QIcon.Mode.Active else colours.muted)
        if mode == QIcon.Mode.Disabled:
            ink.setAlphaF(0.4)
        draw_icon(painter, self._name, "", QRectF(rect), ink)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return it on a transparent background."""
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self.paint(painter, QRect(QPoint(), size), mode, state)
        painter.end()
        return picture

    def clone(self) -> QIconEngine:
        """Return a copy."""
        return _Drawing(self._name)
