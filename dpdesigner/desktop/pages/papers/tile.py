"""A tile of the gallery: a small picture, what a claim is about, and the number that holds or what differs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.papers.small_picture import paint_small
from dpdesigner.studies.declared import Panel
from dpdesigner.studies.exhibits.exhibit import Exhibit
from dpdesigner.studies.exhibits.papers import DIFFERS, HOLDS

_PICTURE = 58  # pixels high at normal text size
_EDGE = 6
_LEAST = 190  # pixels wide
_SMALL, _NORMAL = 8.0, 9.0


class Tile(QAbstractButton):
    """Opens its exhibit when it is clicked, or Enter is pressed.

    Parameters
    ----------
    exhibit : type of Exhibit
    parent : QWidget
        The shelf.
    """

    def __init__(self, exhibit: type[Exhibit], parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self.exhibit = exhibit
        self.panel: Panel | None = None
        self.drawn = False  #: whether `show_picture` has been called
        self.title = translated(exhibit.heading)
        self.verdict = f"{HOLDS if exhibit.holds else DIFFERS} {translated(exhibit.verdict)}"
        claim = f"{translated(exhibit.place)}: {translated(exhibit.claim)}"
        self.setText(self.title)
        self.setAccessibleName(f"{self.title}: {self.verdict}")
        self.setAccessibleDescription(claim)
        self.setToolTip(claim)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def speaks_of(self, search: str) -> bool:
        """Tell whether the claim speaks of something."""
        made = self.exhibit
        words = (self.title, self.verdict, made.exhibit, *map(translated, (made.place, made.claim, made.differs)))
        return all(part in " ".join(words).casefold() for part in search.casefold().split())

    def show_picture(self, panel: Panel | None) -> None:
        """Take the panel to be painted."""
        self.panel, self.drawn = panel, True
        self.update()

    def sizeHint(self) -> QSize:
        """Leave room for the picture and two lines."""
        lines = QFontMetricsF(theme().font(_NORMAL, bold=True)).height() + QFontMetricsF(theme().font(_SMALL)).height()
        return QSize(round(_LEAST * theme().scale), round(_PICTURE * theme().scale + lines + 2 * _EDGE + 6))

    def minimumSizeHint(self) -> QSize:
        """Let the words be cut before the window grows."""
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ground, picture, title and verdict."""
        painter, look = QPainter(self), theme().colours
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(QColor(look.accent if self.hasFocus() else look.hairline), 1.2))
            painter.setBrush(QColor(look.card))
            painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), 6, 6)
        inner = room.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        picture = QRectF(inner.left(), inner.top(), inner.width(), _PICTURE * theme().scale)
        paint_small(painter, self.panel, picture)
        top = picture.bottom() + 4
        for text, font, ink in (
            (self.title, theme().font(_NORMAL, bold=True), look.text),
            (self.verdict, theme().font(_SMALL), look.muted),
        ):
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            painter.setPen(QColor(ink))
            line = QRectF(inner.left(), top, inner.width(), metrics.height())
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
            top += metrics.height() + 1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter as with the space bar; the arrows are the gallery's."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Be painted anew when the mouse comes or goes."""
        if event.type() in (QEvent.Type.HoverEnter, QEvent.Type.HoverLeave):
            self.update()
        return super().event(event)
