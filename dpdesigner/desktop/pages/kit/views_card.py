"""The card in the middle of a page: tabs, and below them the view that is open."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal

from dpdesigner.desktop.widgets.base.card import Card
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
