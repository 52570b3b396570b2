"""The layout of the window: its parts, their remembered sizes, the order of the focus, undo in fields, the list of steps."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QUndoStack
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QDockWidget,
    QLabel,
    QLineEdit,
    QListView,
    QMainWindow,
    QScrollArea,
    QSplitter,
    QUndoView,
    QWidget,
)

from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.background.runner import Runner
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.layouts import column_of, reveal, row_of
from dpdesigner.desktop.base.preferences import settings
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.compare.compare_view import Stage
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.filing import Filing, Questions
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.document.recovery import Recovery
from dpdesigner.desktop.presenting.demonstration import Demonstration
from dpdesigner.desktop.presenting.presenting import Caption, Presenting
from dpdesigner.desktop.presenting.scenes import Scenes, ScenesPanel
from dpdesigner.desktop.window.header import Header
from dpdesigner.desktop.window.menus import Menus, ToolBar
from dpdesigner.desktop.window.rail import Rail
from dpdesigner.desktop.window.status import Banner, Solving, Status
from dpdesigner.desktop.window.why_panel import WhyPanel
from dpdesigner.studies import registry
from dpdesigner.studies.study import Study


class FieldUndo(QObject):
    """A filter on the focused text field, because such fields keep Ctrl+Z to themselves even with nothing to undo."""

    def __init__(self, application: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        application.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        if isinstance(new, (QLineEdit, QAbstractSpinBox)):
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the undo and redo keys from a field that cannot use them, so that they reach the menu."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        field = watched.lineEdit() if isinstance(watched, QAbstractSpinBox) else watched
        if not isinstance(field, QLineEdit):
            return False
        undo = event.matches(QKeySequence.StandardKey.Undo) and not field.isUndoAvailable()
        redo = event.matches(QKeySequence.StandardKey.Redo) and not field.isRedoAvailable()
        if undo or redo:
            event.ignore()
        return undo or redo


WIDTH = 180


class HistoryPanel(QDockWidget):
    """A panel on the window's right that stays docked; only its menu entry shows and hides it."""

    def __init__(self, stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("History"))
        self.setObjectName("history")
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.RightDockWidgetArea)
        title = QLabel(self.windowTitle())  # Qt's own title keeps the text size that it is first shown with
        title.setContentsMargins(12, 8, 12, 8)
        set_class(title, "muted")
        self.setTitleBarWidget(title)
        self.view = QUndoView(stack)
        self.view.setEmptyLabel(self.tr("As opened"))
        self.view.setAccessibleName(self.tr("Steps that can be undone"))
        self.view.setMinimumWidth(WIDTH)
        self.view.setWordWrap(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setResizeMode(QListView.ResizeMode.Adjust)
        self.setWidget(self.view)
        self.hide()

    def sizeHint(self) -> QSize:
        """Return no more room next to the page than the panel needs."""
        return QSize(WIDTH, super().sizeHint().height())


SIZE = QSize(1280, 720)
FRAME = 40


def forget_layout() -> None:
    """Forget the remembered layout, for the next start."""
    settings().remove("layout")


class LayoutMemory(QObject):
    """The object that restores, stores and resets the layout of one window."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._original: dict[QSplitter, QByteArray] = {}

    def restore_window(self) -> None:
        """Give the window its remembered size, or the normal one, limited to the screen."""
        geometry, panels = settings().value("layout/geometry"), settings().value("layout/panels")
        if not (isinstance(geometry, QByteArray) and self._window.restoreGeometry(geometry)):
            self._take_normal_size()
        if isinstance(panels, QByteArray):
            self._window.restoreState(panels)

    def restore_splitters(self, page: QWidget) -> None:
        """Give the splitters of a new page their remembered sizes."""
        for splitter in page.findChildren(QSplitter):
            if splitter.objectName():
                self._original[splitter] = splitter.saveState()
                sizes = settings().value(f"layout/splitter-{splitter.objectName()}")
                if isinstance(sizes, QByteArray):
                    splitter.restoreState(sizes)

    def store(self) -> None:
        """Remember the current layout."""
        store = settings()
        store.setValue("layout/geometry", self._window.saveGeometry())
        store.setValue("layout/panels", self._window.saveState())
        for splitter in self._original:
            store.setValue(f"layout/splitter-{splitter.objectName()}", splitter.saveState())

    def reset(self) -> None:
        """Restore the layout of the first start."""
        forget_layout()
        self._window.showNormal()
        self._take_normal_size()
        for splitter, sizes in self._original.items():
            splitter.restoreState(sizes)

    def _take_normal_size(self) -> None:
        """Use the normal size, or maximise a window that would not fit the screen with its frame."""
        room = self._window.screen().availableSize()
        self._window.resize(SIZE.boundedTo(room))
        if room.width() < SIZE.width() + FRAME or room.height() < SIZE.height() + FRAME:
            self._window.setWindowState(self._window.windowState() | Qt.WindowState.WindowMaximized)


class Parts(QMainWindow):
    """A window with its parts, not yet connected with each other.

    Parameters
    ----------
    studies : sequence of Study
        What to show first, at least one.
    """

    def __init__(self, studies: Sequence[Study]) -> None:
        super().__init__()
        self.document = Document(studies, self)
        self.worker = Worker(self, window=self)
        self.runner = Runner(self.worker, self)
        self.questions = Questions(self)
        self.filing = Filing(self.document, self.questions, self)
        self.recovery = Recovery(self.document, self.filing, self)
        self.recovery.picture(self)
        self.menus = menus = Menus(self)
        self.toolbar = ToolBar(menus, self)
        self.header = Header(menus.export, menus.designs, menus.compare)
        self.rail = Rail(registry.pages())
        self.host = PageHost(self.document, self.runner)
        self.stage = Stage(self.document, self.host, self.runner, self.worker)
        self.scenes = Scenes(self.document, self.host, self)
        self.scenes_panel = ScenesPanel((menus.add_scene, menus.update_scene, menus.remove_scene), self)
        self.caption = Caption()
        self.status = Status()
        self.history = HistoryPanel(self.document.undo_stack, self)
        self.layout_memory = LayoutMemory(self)
        self._lay_out()
        controls = (self.menuBar(), self.toolbar, self.rail, self.status, self.history, self.why, self.scenes_panel)
        self.presenting = Presenting(self, self.document, self.host, self.scenes, self.caption, controls)
        self.demonstration = Demonstration(self, self.worker)
        self.solving = Solving(self.runner, self.host, self.header, self)

    def _lay_out(self) -> None:
        central, below = QWidget(), row_of(self.rail, (self.stage, 1), gap=0)
        layout = column_of(self.header, self.caption, (below, 1), on=central, gap=0)
        self.setCentralWidget(central)
        self.setStatusBar(self.status)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.history)
        self.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.scenes_panel)
        self.why = WhyPanel(self.host, self.stage, below)
        self.document.loaded.connect(self.why.leave)
        self.banner = Banner(central, self.status.toast)
        layout.addWidget(self.banner)


_COLUMN = 40  # pixels within which cards count as one column


def walk(header: QWidget, stage: QWidget, step: int) -> None:
    """Move the focus to the next or the previous pane."""
    panes = [(pane, entry) for pane in (header, *_cards(stage)) if (entry := _entry(pane)) is not None]
    if not panes:
        return
    focused = header.window().focusWidget()
    inside = [focused is not None and pane.isAncestorOf(focused) for pane, _ in panes]
    here = inside.index(True) if any(inside) else (-1 if step > 0 else 0)
    _, entry = panes[(here + step) % len(panes)]
    entry.setFocus(Qt.FocusReason.TabFocusReason)
    reveal(entry)


def _cards(stage: QWidget) -> list[Card]:
    """Return the visible cards, from left to right and top to bottom; nested cards belong to their outer card."""
    shown = [card for card in stage.findChildren(Card) if card.isVisible()]
    outer = [card for card in shown if not any(other is not card and other.isAncestorOf(card) for other in shown)]

    def place(card: Card) -> tuple[int, int]:
        at = card.mapTo(stage, QPoint())
        return at.x() // _COLUMN, at.y()

    return sorted(outer, key=place)


def _entry(pane: QWidget) -> QWidget | None:
    """The widget that gets the focus first: a folded card itself, a field of the header, the largest widget of a card."""
    if isinstance(pane, Card) and pane.folded:
        return pane
    tab = Qt.FocusPolicy.TabFocus
    inside = [part for part in pane.findChildren(QWidget) if part.isVisible() and part.isEnabled() and part.focusPolicy() & tab]
    inside = [part for part in inside if not isinstance(part, QScrollArea)]
    if not isinstance(pane, Card):
        inside = [part for part in inside if isinstance(part, QLineEdit)] or inside
        return inside[0] if inside else None
    return max(inside, key=lambda part: part.width() * part.height(), default=None)
