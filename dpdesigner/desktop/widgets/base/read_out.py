"""A place for sentences that change under the mouse, of a size that does not."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.elided_label import fitting


class ReadOut(QWidget):
    """Holds a label without a layout: a label's new text asks all layouts above it for another size, frame after frame.

    Parameters
    ----------
    longest : str
        A sentence as long as they usually get, for which there is room at the width at hand; empty for a single line.
    style : str
        A class of the theme.
    parent : QWidget, optional
        The parent.
    """

    def __init__(self, longest: str = "", style: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._longest = longest
        self._versions: Sequence[str] = ("",)
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.set_style(style)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(bool(longest))
        self.setSizePolicy(policy)
        if longest:
            self.label.setWordWrap(True)
            self.label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def text(self) -> str:
        """Return what it says."""
        return self.label.text()

    def setText(self, *versions: str) -> None:
        """Say something; on a single line the first of some versions, from long to short, that fits, or the last one cut."""
        self._versions = versions
        self._fit()

    def set_style(self, style: str) -> None:
        """Show the text in the style of a class of the theme, such as ``"muted"`` or ``"error"``."""
        set_class(self.label, style)

    def hasHeightForWidth(self) -> bool:
        """Sentences are the higher, the narrower the place."""
        return bool(self._longest)

    def heightForWidth(self, width: int) -> int:
        """Return the height of the longest sentence, wrapped, or of a line."""
        metrics = self.label.fontMetrics()
        if not self._longest:
            return metrics.height() + 1
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        return metrics.boundingRect(QRect(0, 0, max(width, 1), 10_000), flags, self._longest).height() + 2

    def sizeHint(self) -> QSize:
        """Return a modest width and the height that goes with it."""
        return QSize(240, self.heightForWidth(240))

    def minimumSizeHint(self) -> QSize:
        """Return one line."""
        return QSize(0, self.label.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the label all the room."""
        super().resizeEvent(event)
        self.label.setGeometry(self.rect())
        self._fit()

    def _fit(self) -> None:
        shown = self._versions[0]
        if not self._longest:
            shown = fitting(self.label.fontMetrics(), self._versions, self.width())
            tip = "" if shown in self._versions else self._versions[0]
            if tip != self.toolTip():
                self.setToolTip(tip)
        if shown != self.label.text():
            self.label.setText(shown)
