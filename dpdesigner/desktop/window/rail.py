"""The rail of pages on the window's left: one button per page, used with the mouse or the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from dpdesigner.desktop.base.icons import draw_icon
from dpdesigner.desktop.base.theme import outlined, theme
from dpdesigner.studies.registry import LOOKING, PageEntry

_AROUND_LINE = 9  # pixels
_AROUND = 16 + _AROUND_LINE  # pixels above and below the buttons, including the line between them


class RailButton(QAbstractButton):
    """An icon above a word; marked at its left edge while its page is shown."""

    def __init__(self, kind: str, title: str, about: str = "") -> None:
        super().__init__()
        self.kind = kind
        self.setText(title)
        self._about = about
        self.setToolTip(about)
        self.setAccessibleName(self.tr("{title} page").format(title=title))
        self._narrow = False
        self._room = 0
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        """Return room for the icon, the word and the margins of the 8-pixel grid."""
        metrics = self.fontMetrics()
        if self._narrow:
            return QSize(28 + self._icon, min(20 + self._icon, self._room))
        return QSize(max(84, metrics.horizontalAdvance(self.text()) + 24), self.whole_height)

    @property
    def whole_height(self) -> int:
        """The height of the button with its word."""
        return self.fontMetrics().height() + 24 + self._icon

    def set_narrow(self, on: bool, room: int) -> None:
        """Show only the icon, with its word as a tooltip, in no more than this height."""
        self._narrow, self._room = on, room
        self.setToolTip(": ".join(filter(None, (self.text(), self._about))) if on else self._about)
        self.updateGeometry()
        self.update()

    @property
    def _icon(self) -> int:
        """The side of the icon; it shrinks rather than make a page unreachable."""
        side = round(24 * theme().scale)
        return min(side, max(16, self._room - 8)) if self._narrow else side

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw background, mark, icon and word."""
        colours, painter = theme().colours, QPainter(self)
        chosen = self.isChecked()
        if chosen:
            painter.fillRect(self.rect(), QColor(colours.accent_soft))
            painter.fillRect(0, 0, 3, self.height(), QColor(colours.accent))
        elif self.underMouse():
            painter.fillRect(self.rect(), QColor(colours.field))
        ink = QColor(colours.accent if chosen else colours.text if self.underMouse() else colours.muted)
        side = self._icon
        draw_icon(
            painter,
            self.kind,
            self.text(),
            QRectF((self.width() - side) / 2, (self.height() - side) / 2 if self._narrow else 12, side, side),
            ink,
        )
        painter.setPen(ink)
        word = self.rect().adjusted(0, 14 + side, 0, -6)
        if not self._narrow:
            painter.drawText(word, Qt.AlignmentFlag.AlignCenter, self.text())
        if outlined(self):
            painter.setPen(QColor(colours.accent))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(4.5, 4.5, -4.5, -4.5), 5, 5)


class _Hairline(QWidget):
    """The line between the pages for design and those for inspection."""

    def sizeHint(self) -> QSize:
        """Return the height of the line with the room around it."""
        return QSize(0, _AROUND_LINE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line."""
        QPainter(self).fillRect(16, self.height() // 2, self.width() - 32, 1, QColor(theme().colours.hairline))


class _Column(QWidget):
    """The background of the rail and the hairline on its right."""

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, painter = theme().colours, QPainter(self)
        painter.fillRect(self.rect(), QColor(colours.card))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), QColor(colours.hairline))


class Rail(QScrollArea):
    """The buttons of all pages, one of them chosen; they scroll if the window is too low for them."""

    kindChosen = Signal(str)  #: the user chose a page, identified by the first kind that it shows

    def __init__(self, pages: Sequence[PageEntry]) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAccessibleName(self.tr("Pages"))
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._clicked)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._column = _Column()
        self.setWidget(self._column)
        layout = QVBoxLayout(self._column)
        layout.setContentsMargins(0, 8, 1, 8)
        layout.setSpacing(0)
        self._buttons: dict[str, RailButton] = {}
        self._wanted = self._narrow = False
        self._room = 0
        for page in pages:
            if page.kind == LOOKING[0]:
                layout.addWidget(_Hairline())
            button = RailButton(page.kind, page.title, page.about)
            self._buttons.update(dict.fromkeys(page.kinds, button))
            self._group.addButton(button)
            layout.addWidget(button)
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        theme().changed.connect(self._restyle)

    def button(self, kind: str) -> RailButton:
        """Return the button of a kind's page."""
        return self._buttons[kind]

    def set_kind(self, kind: str) -> None:
        """Mark the button of a kind's page; emit nothing."""
        self._buttons[kind].setChecked(True)

    def set_narrow(self, on: bool) -> None:
        """Show only icons in a narrow window; a window too low for all the words also shows only icons."""
        self._wanted = on
        self._arrange()

    def _arrange(self) -> None:
        buttons = set(self._buttons.values())
        narrow = self._wanted or sum(button.whole_height for button in buttons) + _AROUND > self.height()
        room = max(24, (self.height() - _AROUND) // len(buttons))
        if (narrow, room) != (self._narrow, self._room):
            self._narrow, self._room = narrow, room
            for button in buttons:
                button.set_narrow(narrow, room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the words if not all pages fit."""
        super().resizeEvent(event)
        self._arrange()

    def sizeHint(self) -> QSize:
        """Return the width of the widest button."""
        return self._column.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return the width of the widest button, at any height."""
        return QSize(self._column.sizeHint().width(), 0)

    def event(self, event: QEvent) -> bool:
        """Request another width if the words need one."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)

    @Slot()
    def _restyle(self) -> None:
        for button in self._buttons.values():
            button.updateGeometry()
            button.update()
        self._column.update()
        self._arrange()
        self.updateGeometry()

    @Slot(QAbstractButton)
    def _clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, RailButton):
            self.kindChosen.emit(button.kind)
