"""The card in the middle of a page: tabs, below them the view that is open, and what it shows in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labels import SentenceLabel
from dpdesigner.desktop.widgets.base.view_tabs import ViewTabs


class ViewsCard(Card):
    """A card without a heading, with tabs at its top; what they open is put in with `add`.

    Parameters
    ----------
    name : str
        What it is called for screen readers.
    """

    viewChosen = Signal(str)  #: the user chose the view with this key

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.tabs = ViewTabs([])
        self.add(self.tabs)

    def offer(self, tabs: Sequence[tuple[str, str, str]], view: str = "") -> None:
        """Offer these views (key, text, tooltip) and show one as open, the first if there is none of this key."""
        old, self.tabs = self.tabs, ViewTabs(tabs)
        self.tabs.chosen.connect(self.viewChosen)
        self.body.replaceWidget(old, self.tabs)
        self.tabs.lower()  # the first of the card's children, whenever the columns are put into order
        self.tabs.follow(old)
        old.hide()
        old.deleteLater()
        self.tabs.set_current(view)


class StackedViews(ViewsCard):
    """A card whose views have pages of their own, and a sentence below them.

    Parameters
    ----------
    name : str
        As for `ViewsCard`.
    pages : mapping
        By the keys of the views; ``""`` is that of all others.
    """

    def __init__(self, name: str, pages: Mapping[str, QWidget]) -> None:
        super().__init__(name)
        self.pages, self._stack, self.sentence = pages, QStackedWidget(), ViewSentence()
        for page in pages.values():
            self._stack.addWidget(page)
        self.add(self._stack, 1)
        self.add(self.sentence)

    @property
    def view(self) -> str:
        """The open view."""
        return self.tabs.current()

    def open(self, view: str) -> None:
        """Bring the page of a view to the front; a view that is not offered changes nothing."""
        self.tabs.set_current(view)
        self._stack.setCurrentWidget(self.pages.get(self.view) or self.pages[""])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the sentence take what it needs at the new width."""
        super().resizeEvent(event)
        self.sentence.forget()


class ViewSentence(SentenceLabel):
    """The open view in words; it never takes less room than before, so that no picture moves under the mouse."""

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
