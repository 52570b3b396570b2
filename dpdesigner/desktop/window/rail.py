"""The rail of pages on the window's left: one button per page, used with the mouse or the arrow keys; and the icons.

Icons are line drawings on a 24 by 24 grid; a missing one shows its title's first letter.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from dpdesigner.desktop.base.theme import outlined, theme
from dpdesigner.studies.registry import LOOKING, PageEntry

_AROUND_LINE = 9  # pixels
_AROUND = 16 + _AROUND_LINE  # pixels above and below the buttons, including the line between them
_TIGHT, _SPARE = 8, 16  # pixels around icon and word, at the least; and how many more where there is room


Points = tuple[tuple[float, float], ...]

#: Lines of each kind's icon.
LINES: dict[str, tuple[Points, ...]] = {
    "noise": (((2, 20), (6, 20), (6, 14), (10, 14), (10, 5), (14, 5), (14, 14), (18, 14), (18, 20), (22, 20)),),
    "auction": (((3, 12), (12, 3), (21, 3), (21, 12), (12, 21), (3, 12)),),
    "attack": (((12, 4), (21, 20), (3, 20), (12, 4)),),
    "synthetic": (((3, 5), (12, 5), (12, 11), (3, 11), (3, 5)), ((12, 14), (21, 14), (21, 20), (12, 20), (12, 14))),
    "exhibit": (((4, 4), (20, 4), (20, 20), (4, 20), (4, 4)), ((8, 9), (16, 9)), ((8, 13), (16, 13))),
    "new": (((14, 3), (5, 3), (5, 21), (19, 21), (19, 8), (14, 3), (14, 8), (19, 8)),),
    "open": (((3, 19), (3, 5), (9, 5), (11, 8), (19, 8), (19, 12)), ((3, 19), (7, 12), (23, 12), (19, 19), (3, 19))),
    "save": (
        ((4, 4), (16, 4), (20, 8), (20, 20), (4, 20), (4, 4)),
        ((8, 4), (8, 9), (15, 9), (15, 4)),
        ((7, 20), (7, 14), (17, 14), (17, 20)),
    ),
    "undo": (((9, 4), (4, 9), (9, 14)), ((4, 9), (15, 9), (19, 11), (20.5, 14.5), (19, 18), (15, 20), (10, 20))),
    "redo": (((15, 4), (20, 9), (15, 14)), ((20, 9), (9, 9), (5, 11), (3.5, 14.5), (5, 18), (9, 20), (14, 20))),
    "compare": (((3, 4), (10, 4), (10, 20), (3, 20), (3, 4)), ((14, 4), (21, 4), (21, 20), (14, 20), (14, 4))),
    "present": (((2, 4), (22, 4)), ((4, 4), (4, 15), (20, 15), (20, 4)), ((8, 21), (12, 15), (16, 21))),
    "palette": (((15.5, 15.5), (21, 21)),),
    "audience": (((4, 20.5), (5, 16.5), (8, 14.5), (16, 14.5), (19, 16.5), (20, 20.5)),),
    "inspect": (((14.5, 14.5), (20, 20)),),
}
#: Filled rectangles (x, y, width, height).
BARS: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "count": ((3, 11, 5, 10), (9.5, 4, 5, 17), (16, 8, 5, 13)),
}
#: Circles (x, y, radius, filled).
CIRCLES: dict[str, tuple[tuple[float, float, float, bool], ...]] = {
    "auction": ((16.5, 7.5, 1.6, False),),
    "choice": ((5, 12, 3.5, False), (16, 12, 6, True)),
    "palette": ((10.5, 10.5, 6.5, False),),
    "audience": ((12, 7.5, 4.2, False),),
    "inspect": ((9.5, 9.5, 6, False),),
}


def draw_icon(painter: QPainter, kind: str, title: str, box: QRectF, colour: QColor) -> None:
    """Draw the icon of a kind into a square box.

    Parameters
    ----------
    painter : QPainter
        Its pen, brush and transformation are restored.
    kind, title : str
        Which icon, and whose first letter stands in for a missing one.
    box : QRectF
        Where, in the painter's coordinates.
    colour : QColor
        Of lines and fillings.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(colour)
    if not any(kind in table for table in (LINES, BARS, CIRCLES)):
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, title[:1])
    painter.translate(box.topLeft())
    painter.scale(box.width() / 24, box.height() / 24)
    painter.setPen(QPen(colour, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    for points in LINES.get(kind, ()):
        painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))
    for x, y, radius, filled in CIRCLES.get(kind, ()):
        painter.setBrush(colour if filled else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(x, y), radius, radius)
    bars = QPainterPath()
    for bar in BARS.get(kind, ()):
        bars.addRoundedRect(QRectF(*bar), 1, 1)
    painter.fillPath(bars, colour)
    painter.restore()


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
        least = self.least_height
        return QSize(max(84, metrics.horizontalAdvance(self.text()) + 24), max(least, min(least + _SPARE, self._room)))

    @property
    def least_height(self) -> int:
        """The height of the button with its word, at the least."""
        return self.fontMetrics().height() + _TIGHT + self._icon

    def set_narrow(self, on: bool, room: int) -> None:
        """Show the icon, with its word below it or as a tooltip, if possible in no more than this height."""
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
        colours, painter = theme().colours, QPainter(self)
        chosen = self.isChecked()
        if chosen:
            painter.fillRect(self.rect(), QColor(colours.accent_soft))
            painter.fillRect(0, 0, 3, self.height(), QColor(colours.accent))
        elif self.underMouse():
            painter.fillRect(self.rect(), QColor(colours.field))
        ink = QColor(colours.accent if chosen else colours.text if self.underMouse() else colours.muted)
        side = self._icon
        around = self.height() - side - (0 if self._narrow else self.fontMetrics().height())
        draw_icon(painter, self.kind, self.text(), QRectF((self.width() - side) / 2, around / 2, side, side), ink)
        painter.setPen(ink)
        word = self.rect().adjusted(0, around // 2 + around // 12 + side, 0, -(around // 4))
        if not self._narrow:
            painter.drawText(word, Qt.AlignmentFlag.AlignCenter, self.text())
        if outlined(self):
            painter.setPen(QColor(colours.accent))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(4.5, 4.5, -4.5, -4.5), 5, 5)


class _Hairline(QWidget):
    """The line between the pages for design and those for inspection."""

    def sizeHint(self) -> QSize:
        return QSize(0, _AROUND_LINE)

    def paintEvent(self, event: QPaintEvent) -> None:
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
        narrow = self._wanted or sum(button.least_height for button in buttons) + _AROUND > self.height()
        room = max(24, (self.height() - _AROUND) // len(buttons))
        if (narrow, room) != (self._narrow, self._room):
            self._narrow, self._room = narrow, room
            for button in buttons:
                button.set_narrow(narrow, room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def sizeHint(self) -> QSize:
        return self._column.sizeHint()

    def minimumSizeHint(self) -> QSize:
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
