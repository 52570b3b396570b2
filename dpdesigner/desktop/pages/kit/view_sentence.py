"""The sentence below a view, which never takes less room than before, so that no picture moves under the mouse."""

from __future__ import annotations

from PySide6.QtCore import Qt

from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel


class ViewSentence(SentenceLabel):
    """What the open view shows, in words."""

    def __init__(self) -> None:
        super().__init__("small")
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._said_at = "", 0, 0  # the view, and the width and the height of a line there

    def say(self, view: str, text: str) -> None:
        """Show a sentence; while the same view is open it keeps the room that the ones before took."""
        place = view, self.width(), self.fontMetrics().height()
        room = self.minimumHeight() if place == self._said_at else 0
        if view == self._said_at[0]:
            room = max(room, self.heightForWidth(self.width()))  # of what is there, also at a new width
        self.set_sentence(text)
        self._said_at = place
        self.setMinimumHeight(max(room, self.heightForWidth(self.width())) if self.isVisible() and text else 0)

    def forget(self) -> None:
        """Take what is needed at another width of the card."""
        self.setMinimumHeight(0)
