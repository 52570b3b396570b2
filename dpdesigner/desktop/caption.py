"""The caption of the scene that is presented: large, above the page, always of the same height, with the scene's number."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpdesigner.desktop.theme import theme
from dpdesigner.files.scene import Scene

#: Text sizes in points before enlargement.
TITLE, TEXT = 17, 12.5


class Caption(QFrame):
    """Shows the title, the text and the number of a scene."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("class", "bar")
        self._texts: Sequence[str] = ()
        self.title, self.text, self.number, self.keys = QLabel(), QLabel(), QLabel(), QLabel(self.tr("← →  step\nEsc  end"))
        for label in (self.title, self.text, self.number):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.keys.setProperty("class", "small")
        for label in (self.number, self.keys):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        words, corner = QVBoxLayout(), QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self.title)
        words.addWidget(self.text)
        words.addStretch(1)
        corner.addWidget(self.number)
        corner.addWidget(self.keys)
        corner.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 12, 24, 12)
        layout.setSpacing(24)
        layout.addLayout(words, 1)
        layout.addLayout(corner)
        theme().changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def set_scenes(self, scenes: Sequence[Scene]) -> None:
        """Keep room for the longest text of these scenes."""
        self._texts = [scene.text for scene in scenes]
        self._fit()

    def set_scene(self, scene: Scene, number: int, count: int) -> None:
        """Show a scene, the so-manieth of so many."""
        self.title.setText(scene.title)
        self.text.setText(scene.text)
        self.number.setText(f"{number} / {count}")
        name = self.tr("Scene {number} of {count}: {title}")
        self.setAccessibleName(name.format(number=number, count=count, title=scene.title))
        self.setAccessibleDescription(scene.text)

    @Slot()
    def _restyle(self) -> None:
        look = theme()
        self.title.setStyleSheet(f"font-size: {look.points(TITLE):g}pt; font-weight: 600;")
        self.text.setStyleSheet(f"font-size: {look.points(TEXT):g}pt;")
        self.number.setStyleSheet(f"font-size: {look.points(TITLE):g}pt; color: {look.colours.muted};")
        self._fit()

    def _fit(self) -> None:
        self.text.ensurePolished()
        around = QRect(0, 0, max(self.text.width(), 200), 10_000)
        flags = Qt.TextFlag.TextWordWrap
        heights = [self.text.fontMetrics().boundingRect(around, flags, text).height() for text in self._texts]
        self.text.setMinimumHeight(max(heights, default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the longest text to the new width."""
        super().resizeEvent(event)
        self._fit()
