"""The words of the scene that is presented: large, above the page, always of the same height."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel

from dpdesigner.desktop.theme.theme import set_class, theme
from dpdesigner.desktop.widgets.base.labels import announce
from dpdesigner.desktop.widgets.base.layouts import row_of, styled
from dpdesigner.files.project import Scene

#: Text size in points before enlargement.
TEXT = 12.5


class Caption(QFrame):
    """Shows the text of a scene."""

    def __init__(self) -> None:
        super().__init__()
        set_class(self, "bar")
        self._texts: Sequence[str] = ()
        self.text, self.keys = QLabel(), styled("small", self.tr("← → step · Tab ↑ ↓ try · Esc end"))
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.keys.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        row_of((self.text, 1), self.keys, on=self, margins=(16, 8, 16, 10), gap=24)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def set_scenes(self, scenes: Sequence[Scene]) -> None:
        """Keep room for the longest text of these scenes."""
        self._texts = [scene.text for scene in scenes]
        self._fit()

    def set_scene(self, scene: Scene) -> None:
        """Show the text of a scene, and have it read out."""
        self.text.setText(scene.text)
        self.setAccessibleName(scene.title)
        self.setAccessibleDescription(scene.text)
        announce(self, f"{scene.title}. {scene.text}")

    @Slot()
    def _restyle(self) -> None:
        self.text.setFont(theme().font(TEXT))
        self._fit()

    def _fit(self) -> None:
        self.text.ensurePolished()
        around = QRect(0, 0, max(self.text.width(), 200), 10_000)
        wrapped = Qt.TextFlag.TextWordWrap
        heights = [self.text.fontMetrics().boundingRect(around, wrapped, text).height() for text in self._texts]
        self.text.setMinimumHeight(max(heights, default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the longest text to the new width."""
        super().resizeEvent(event)
        self._fit()
