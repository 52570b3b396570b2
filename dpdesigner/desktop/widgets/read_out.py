"""A place for sentences that change under the mouse, of a height that does not."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.desktop.widgets.steady import SteadyText


class ReadOut(SteadyText):
    """Wrapped text in a place as high as its longest usual sentence needs at the width at hand.

    Parameters
    ----------
    longest : str
        A sentence as long as they usually get.
    style : str
        A class of the theme.
    parent : QWidget, optional
        The parent.
    """

    def __init__(self, longest: str, style: str = "", parent: QWidget | None = None) -> None:
        super().__init__(style, parent)
        self._longest = longest
        self.label.setWordWrap(True)
        self.label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of the longest sentence, wrapped."""
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        metrics = self.label.fontMetrics()
        return metrics.boundingRect(QRect(0, 0, max(width, 1), 10_000), flags, self._longest).height() + 2

    def sizeHint(self) -> QSize:
        """Return a modest width and the height that goes with it."""
        return QSize(240, self.heightForWidth(240))

    def minimumSizeHint(self) -> QSize:
        """Return one line."""
        return QSize(0, self.label.fontMetrics().height())
