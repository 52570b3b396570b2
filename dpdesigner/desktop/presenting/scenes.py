"""Scenes of a document, and the panel that lists and edits them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDockWidget,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from dpdesigner.desktop.base.layouts import column_of, row_of, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.files.project import LONGEST_TEXT, LONGEST_TITLE, Scene


class Scenes(QObject):
    """The link between the document's scenes and the page; remembers which scene was shown last."""

    chosen = Signal(int)  #: index of the scene that is shown, or -1

    def __init__(self, document: Document, host: PageHost, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._host = host
        self._index = -1
        self._chosen: Scene | None = None
        document.scenesChanged.connect(self._follow)

    @property
    def index(self) -> int:
        """The index of the scene shown last; -1 if none was."""
        return self._index

    @property
    def scene(self) -> Scene | None:
        """The scene shown last."""
        return self._chosen

    def show(self, place: int) -> None:
        """Show a scene as it was captured; changes made while playing are undone."""
        self._document.cancel_preview()
        self._document.put_back()
        if place >= len(self._document.scenes):  # the scene was made during playback
            return
        scene = self._document.scenes[place]
        self._document.select([design.key for design in self._document.designs].index(scene.design))
        if self._host.page is not None:
            self._host.page.set_view_state(scene.view)
        self._choose(place)

    @Slot()
    def add(self) -> None:
        """Capture the screen as a new scene, after the one shown last."""
        place = self._index + 1 if self._index >= 0 else len(self._document.scenes)
        scene = self._taken(Scene(0, title=self._document.current.title))
        scenes = self._document.scenes
        self._document.set_scenes((*scenes[:place], scene, *scenes[place:]), self.tr("Add scene"))
        self._choose(place)

    @Slot()
    def retake(self) -> None:
        """Capture the screen again for the scene, keeping its caption."""
        if self.scene is not None:
            self._change(self._taken(self.scene), self.tr("Update scene"))

    def set_caption(self, title: str, text: str, typing: object) -> None:
        """Change the caption of the scene.

        Parameters
        ----------
        title, text : str
        typing : object
            Changes that follow each other with the same object are one undo step.
        """
        if self.scene is not None:
            self._change(replace(self.scene, title=title, text=text), self.tr("Edit caption"), (self._index, typing))

    def move(self, steps: int) -> None:
        """Move the scene later (or earlier) by some places."""
        place = self._index + steps
        if self._index >= 0 and 0 <= place < len(self._document.scenes):
            order = list(range(len(self._document.scenes)))
            order.insert(place, order.pop(self._index))
            self.arrange(order)

    def arrange(self, order: Sequence[int]) -> None:
        """Reorder the scenes; the new order is given as their current indices."""
        scenes = self._document.scenes
        place = list(order).index(self._index) if self._index >= 0 else -1
        self._document.set_scenes([scenes[old] for old in order], self.tr("Move scene"))
        self._choose(place)

    @Slot()
    def remove(self) -> None:
        """Remove the scene and select the next one, without showing it."""
        if self.scene is not None:
            place, scenes = self._index, self._document.scenes
            self._document.set_scenes(scenes[:place] + scenes[place + 1 :], self.tr("Remove scene"))
            self._choose(min(place, len(self._document.scenes) - 1))

    def mark(self, place: int) -> None:
        """Mark a scene as the one shown last, without showing it."""
        self._choose(min(place, len(self._document.scenes) - 1))

    def _taken(self, scene: Scene) -> Scene:
        view = self._host.page.view_state() if self._host.page is not None else {}
        return replace(scene, design=self._document.current.key, view=dict(view))

    def _change(self, scene: Scene, label: str, merge: object = None) -> None:
        scenes = self._document.scenes
        self._document.set_scenes((*scenes[: self._index], scene, *scenes[self._index + 1 :]), label, merge)
        self._choose(self._index)

    def _choose(self, place: int) -> None:
        self._index = place
        self._chosen = self._document.scenes[place] if place >= 0 else None
        self.chosen.emit(place)

    @Slot()
    def _follow(self) -> None:
        """Follow the scene if it has moved; forget it if the document now has other or fewer scenes."""
        scenes, chosen = self._document.scenes, self._chosen
        if chosen is None or chosen.design not in {scene.design for scene in scenes}:
            self._choose(-1)
        elif chosen in scenes and scenes[self._index : self._index + 1] != (chosen,):
            self._choose(scenes.index(chosen))
        else:
            self._choose(min(self._index, len(scenes) - 1))


_PLACE = Qt.ItemDataRole.UserRole
_EARLIER, _LATER = (Qt.Key.Key_Left, Qt.Key.Key_Up), (Qt.Key.Key_Right, Qt.Key.Key_Down)


class SceneList(QListWidget):
    """The list of scenes, in a row."""

    moveAsked = Signal(int)  #: number of places to move by
    removeAsked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFlow(QListView.Flow.LeftToRight)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(True)
        self.setSpacing(2)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select nothing: Qt would select, and so show, the first scene merely because it got the keyboard focus."""
        chosen, _ = self.currentRow(), self.blockSignals(True)
        super().focusInEvent(event)
        self.setCurrentRow(chosen)
        self.blockSignals(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the scene with Alt and an arrow, remove it with Delete."""
        alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
        if alt and event.key() in (*_EARLIER, *_LATER):
            self.moveAsked.emit(-1 if event.key() in _EARLIER else 1)
        elif event.key() == Qt.Key.Key_Delete:
            self.removeAsked.emit()
        else:
            super().keyPressEvent(event)


class ScenesPanel(QDockWidget):
    """The strip of scenes. It shows them and requests changes."""

    showAsked = Signal(int)  #: index of the scene to show
    captionEdited = Signal(str, str, object)  #: title, text, and a key shared by all edits during one stay in the fields
    orderAsked = Signal(object)  #: the old indices in the new order
    shownChanged = Signal(bool)

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Scenes"))
        self.setObjectName("scenes")
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setTitleBarWidget(QWidget())
        self.list = SceneList()
        self.list.setAccessibleName(self.tr("Scenes"))
        self.list.setToolTip(
            self.tr("Click a scene to show it. Drag it, or press Alt and an arrow key, to move it. Press Delete to remove it")
        )
        about = self.tr("Set up the page as you want to present it, then add it as a scene. F5 presents the scenes.")
        self.hint = styled("muted", about, wrapped=True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.title = QLineEdit()
        self.title.setMaxLength(LONGEST_TITLE)
        self.title.setPlaceholderText(self.tr("Title of the scene"))
        self.title.setAccessibleName(self.tr("Title of the scene"))
        self.text = QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(self.tr("Caption, one to three sentences"))
        self.text.setAccessibleName(self.tr("Caption of the scene"))
        self._typing = object()
        self._lay_out(actions)
        self._connect()
        self.hide()

    def _lay_out(self, actions: Sequence[QAction]) -> None:
        ground = QWidget()
        self._pile = QStackedLayout()
        self._pile.addWidget(self.hint)
        self._pile.addWidget(self.list)
        caption, buttons = column_of(self.title, self.text, gap=4), column_of(*map(_button, actions), None, gap=4)
        row_of((self._pile, 5), (caption, 4), buttons, on=ground, margins=(12, 8, 12, 8), gap=12)
        self.setWidget(ground)
        self._fit()

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._ask_to_show)
        self.list.itemClicked.connect(self._ask_again)
        # The signal arrives while the list is still moving rows, so read the order afterwards.
        self.list.model().rowsMoved.connect(self._moved)
        self.title.textEdited.connect(self._edited)
        self.text.textChanged.connect(self._edited)
        self.title.installEventFilter(self)
        self.text.installEventFilter(self)
        self.visibilityChanged.connect(self._shown_changed)
        theme().changed.connect(self._fit)

    def set_scenes(self, scenes: Sequence[Scene], place: int) -> None:
        """Show the scenes, one of them selected (-1: none); emit nothing."""
        self.list.blockSignals(True)
        while self.list.count() > len(scenes):
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < len(scenes):
            self.list.addItem(QListWidgetItem())
        for at, scene in enumerate(scenes):
            item = self.list.item(at)
            item.setText(f"{at + 1}  {scene.title}")
            item.setToolTip(scene.text)
            item.setData(_PLACE, at)
            item.setSizeHint(self._size())
        self.list.setCurrentRow(place)
        self.list.blockSignals(False)
        if place < 0:
            self.list.horizontalScrollBar().setValue(0)
        self._pile.setCurrentIndex(1 if scenes else 0)
        self._show_caption(scenes[place] if place >= 0 else None)

    def _show_caption(self, scene: Scene | None) -> None:
        self.title.setEnabled(scene is not None)
        self.text.setEnabled(scene is not None)
        title, text = (scene.title, scene.text) if scene is not None else ("", "")
        if self.title.text() != title:
            self.title.setText(title)
        if self.text.toPlainText() != text:
            self.text.blockSignals(True)
            self.text.setPlainText(text)
            self.text.blockSignals(False)

    def _size(self) -> QSize:
        """Return a size with room for a title of three lines."""
        metrics = self.list.fontMetrics()
        return QSize(20 * metrics.averageCharWidth(), 3 * metrics.lineSpacing() + 12)

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the text size, which the strip does not follow while it is hidden."""
        super().showEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Fit the height to the title and three lines of text; mark the selection in the theme's soft colour."""
        look = theme().colours
        self.list.setStyleSheet(
            f"QListView {{ outline: none; }} QListView:focus {{ border-color: {look.accent}; }}"
            f"QListView::item {{ border-radius: 5px; padding: 4px; color: {look.text}; }}"
            f"QListView::item:selected {{ background: {look.accent_soft}; color: {look.accent}; }}"
        )
        for widget in (self.list, self.title, self.text):
            widget.ensurePolished()
        self.text.setFixedHeight(3 * self.text.fontMetrics().lineSpacing() + 14)
        height = self.text.height() + self.title.sizeHint().height() + 4
        self.list.setFixedHeight(height)
        self.widget().setFixedHeight(height + 16)
        for at in range(self.list.count()):
            self.list.item(at).setSizeHint(self._size())

    @Slot(int)
    def _ask_to_show(self, place: int) -> None:
        if place >= 0:
            self.showAsked.emit(place)

    @Slot(QListWidgetItem)
    def _ask_again(self, item: QListWidgetItem) -> None:
        self.showAsked.emit(self.list.row(item))

    @Slot()
    def _moved(self) -> None:
        QTimer.singleShot(0, self, self._tell_order)

    @Slot()
    def _tell_order(self) -> None:
        self.orderAsked.emit([self.list.item(at).data(_PLACE) for at in range(self.list.count())])

    @Slot()
    def _edited(self) -> None:
        self.captionEdited.emit(self.title.text(), self.text.toPlainText()[:LONGEST_TEXT], self._typing)

    @Slot(bool)
    def _shown_changed(self, _: bool) -> None:
        self.shownChanged.emit(not self.isHidden())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin a new undo step each time a field gets the focus."""
        if event.type() == QEvent.Type.FocusIn:
            self._typing = object()
        return super().eventFilter(watched, event)


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    set_class(button, "chip")
    button.setMinimumWidth(112)
    return button
