"""The strip of scenes below the page: click to show one, drag to reorder, and type its caption at the right."""

from __future__ import annotations

from collections.abc import Sequence

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

from dpdesigner.desktop.theme.theme import set_class, theme
from dpdesigner.desktop.widgets.base.layouts import column_of, row_of, styled
from dpdesigner.files.project import LONGEST_TEXT, LONGEST_TITLE, Scene

_PLACE = Qt.ItemDataRole.UserRole
_EARLIER, _LATER = (Qt.Key.Key_Left, Qt.Key.Key_Up), (Qt.Key.Key_Right, Qt.Key.Key_Down)


class SceneList(QListWidget):
    """The scenes in a row."""

    moveAsked = Signal(int)  #: by so many places
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
        """Choose nothing: Qt would choose the first scene, which shows it, merely because the keyboard got here."""
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
    """The strip. It shows the scenes and asks for changes."""

    showAsked = Signal(int)  #: the place of the scene to show
    captionEdited = Signal(str, str, object)  #: title, text, and what is the same for all letters of one stay in the fields
    orderAsked = Signal(object)  #: the old places in the new order
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
        # The list is still moving when it says so: read the order once it has finished.
        self.list.model().rowsMoved.connect(self._moved)
        self.title.textEdited.connect(self._edited)
        self.text.textChanged.connect(self._edited)
        self.title.installEventFilter(self)
        self.text.installEventFilter(self)
        self.visibilityChanged.connect(self._shown_changed)
        theme().changed.connect(self._fit)

    def set_scenes(self, scenes: Sequence[Scene], place: int) -> None:
        """Show the scenes, one of them chosen (-1: none); emits nothing."""
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
        """Room for a title of three lines."""
        metrics = self.list.fontMetrics()
        return QSize(20 * metrics.averageCharWidth(), 3 * metrics.lineSpacing() + 12)

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the letters: while hidden, the strip has not heard of their size."""
        super().showEvent(event)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        """Be as high as the title and three lines of text, and no higher; mark what is chosen in the theme's soft colour."""
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
        """Begin a new undo step with each stay in a field."""
        if event.type() == QEvent.Type.FocusIn:
            self._typing = object()
        return super().eventFilter(watched, event)


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    set_class(button, "chip")
    button.setMinimumWidth(112)
    return button
