"""Handles in the plots of a page: each asks for what it names, an input of the design or another look at the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Slot

from dpdesigner.desktop.pages.kit.page import Page

VIEW = "view."


class Handles(QObject):
    """Follows what is dragged.

    Parameters
    ----------
    page : Page
        Its column is asked for designs; ``"view.NAME"`` is what it looks at.
    looks : callable
        Gives the values of `Page.view` for the name of a handle of the view, and its place; by default that.
    """

    def __init__(self, page: Page, looks: Callable[[str, float], Mapping[str, Any]] = lambda name, place: {name: place}) -> None:
        super().__init__(page)
        self._page, self._looks = page, looks
        self._before: dict[str, Any] | None = None  # what the view was when a drag began

    def follow(self, plots: Any) -> None:
        """Take the handles of a plot, or of a card or a column with plots."""
        plots.moving.connect(partial(self._move, False))
        plots.moved.connect(partial(self._move, True))
        plots.cancelled.connect(self._give_up)

    def _move(self, final: bool, target: str, place: float) -> None:
        if not target.startswith(VIEW):
            if self._page.asking is not None:
                self._page.asking.drag(target, place, final)
            return
        self._before = None if final else self._before or dict(self._page.view)
        self._page.look(**self._looks(target.removeprefix(VIEW), place))

    @Slot(str)
    def _give_up(self, target: str) -> None:
        """Take back what a drag has changed."""
        before, self._before = self._before, None
        if not target.startswith(VIEW):
            self._page.previewCancelled.emit()
        elif before is not None:
            self._page.view = before
            self._page.look()
