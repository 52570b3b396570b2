"""A tile of the gallery: a small picture, the topic of a claim, and the number that holds or differs."""

from __future__ import annotations

from textwrap import fill

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from dpdesigner.desktop.base.theme import outlined, theme
from dpdesigner.desktop.base.translation import find_word, translated
from dpdesigner.desktop.pages.kit.thumbnails import paint_small
from dpdesigner.studies.base import Panel
from dpdesigner.studies.exhibits.exhibit import Exhibit

_PICTURE = 52  # pixels high at normal text size
INSET = 6  #: pixels around the contents
_LEAST = 190  # pixels wide
_SMALL, _NORMAL = 8.5, 9.0


class Tile(QAbstractButton):
    """A tile that opens its exhibit when it is clicked or Enter is pressed.

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
        self.second = self.verdict = f"{exhibit.mark} {translated(exhibit.verdict)}"
        claim = f"{translated(exhibit.place)}: {translated(exhibit.claim)}"
        self.setText(self.title)
        self.setAccessibleName(f"{self.title}: {self.verdict}")
        self.setAccessibleDescription(claim)
        self.setToolTip(fill(claim))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def matches(self, search: str) -> bool:
        """Return whether the claim matches a search; the second line then shows a match that is in no other line."""
        made, parts = self.exhibit, search.split()
        hidden = " ".join((*map(translated, (made.place, made.claim, made.symbols, made.differs, made.asks)), made.exhibit))
        seen = f"{self.title} {self.verdict}"
        places = [find_word(hidden, part) for part in parts if find_word(seen, part) < 0]
        self.second = f"… {hidden[places[0] :]}" if places and min(places) >= 0 else self.verdict
        self.update()
        return min(places, default=0) >= 0

    def show_picture(self, panel: Panel | None) -> None:
        """Set the panel to paint."""
        self.panel, self.drawn = panel, True
        self.update()

    def sizeHint(self) -> QSize:
        lines = QFontMetricsF(theme().font(_NORMAL, bold=True)).height() + QFontMetricsF(theme().font(_SMALL)).height()
        return QSize(round(_LEAST * theme().scale), round(_PICTURE * theme().scale + lines + 2 * INSET + 7))

    def minimumSizeHint(self) -> QSize:
        """Let the text be elided before the window grows."""
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, look = QPainter(self), theme().colours
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if outlined(self) or self.underMouse():
            painter.setPen(QPen(QColor(look.accent if outlined(self) else look.hairline), 1.2))
            painter.setBrush(QColor(look.card))
            painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), 6, 6)
        inner = room.adjusted(INSET, INSET, -INSET, -INSET)
        picture = QRectF(inner.left(), inner.top(), inner.width(), _PICTURE * theme().scale)
        paint_small(painter, self.panel, picture)
        top = picture.bottom() + 4
        for text, font, ink in (
            (self.title, theme().font(_NORMAL, bold=True), look.text),
            (self.second, theme().font(_SMALL), look.muted),
        ):
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            painter.setPen(QColor(ink))
            line = QRectF(inner.left(), top, inner.width(), metrics.height())
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
            top += metrics.height() + 1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter or the space bar; leave the arrow keys to the gallery."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)
