"""A quiet sentence at the foot of the page: never modal, never in the way of a drag."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.widgets.base.announcing import announce

#: How long a sentence that needs no answer stays (milliseconds).
STAYS = 8000


class Banner(QFrame):
    """Floats over the bottom of its parent and says one sentence, with at most one button for what can be done about it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._around = parent
        set_class(self, "card")
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button = QPushButton()
        self.button.clicked.connect(self._act)
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        set_class(self.close_button, "tab")
        self.close_button.setToolTip(self.tr("Dismiss"))
        self.close_button.setAccessibleName(self.tr("Dismiss"))
        self.close_button.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 8, 8)
        layout.setSpacing(8)
        for widget in (self.text, self.button, self.close_button):
            layout.addWidget(widget)
        self._action: Callable[[], None] | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide)
        parent.installEventFilter(self)
        self.hide()

    @Slot(str)
    def say(self, text: str) -> None:
        """Show a sentence for some seconds."""
        self._show(text, "", None)
        self._timer.start(STAYS)

    @Slot()
    def forget(self) -> None:
        """Take back a sentence that needs no answer."""
        if self._timer.isActive():
            self.hide()

    def ask(self, text: str, button: str = "", action: Callable[[], None] | None = None) -> None:
        """Show a sentence until it is dismissed, with a button that does something about it."""
        self._timer.stop()
        self._show(text, button, action)

    def _show(self, text: str, button: str, action: Callable[[], None] | None) -> None:
        self._action = action
        self.text.setText(text)
        self.setAccessibleName(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self._place()
        self.show()
        self.raise_()
        announce(self, self.tr("{text} Button: {button}").format(text=text, button=button) if button else text)

    @Slot()
    def _act(self) -> None:
        action, self._action = self._action, None
        self.hide()
        if action is not None:
            action()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the foot of the parent."""
        if watched is self._around and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        around = self._around.rect()
        width = min(around.width() - 32, 720)
        height = max(self.heightForWidth(width), self.sizeHint().height())
        self.setGeometry((around.width() - width) // 2, around.height() - height - 16, width, height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Esc dismiss it while it has the focus."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
