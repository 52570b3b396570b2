"""What is dragged in the panels of a page: a drag asks for what its target names, inputs of the design or values of the view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Slot

from dpdesigner.desktop.pages.kit.page import Page

VIEW = "view."
#: The targets of drags that give a mapping of several values.
DESIGN, WHOLE_VIEW = "design", "view"


class Handles(QObject):
    """Follows what is dragged.

    A target is an input (``"epsilon"``), ``"design"`` for several inputs by name, a value of the view (``"view.share"``), or
    ``"view"`` for several. While a drag lasts there are previews; at its end one undo step, or another view; where it is given up
    (Esc), everything is as before.

    Parameters
    ----------
    page : Page
        Its column is asked for designs; ``"view.NAME"`` is what it looks at.
    looks : callable
        Gives the values of `Page.view` for the name of a handle of the view, and its place; by default that.
    """

    def __init__(self, page: Page, looks: Callable[[str, Any], Mapping[str, Any]] = lambda name, value: {name: value}) -> None:
        super().__init__(page)
        self._page, self._looks = page, looks
        self._before: dict[str, Any] | None = None  # what the view was when a drag began

    def follow(self, plots: Any, words: Callable[[str], str] = lambda target: "") -> None:
        """Take the handles of a plot, or of a card or a column with plots; `words` gives the undo step's for a target."""
        plots.moving.connect(partial(self._move, words, False))
        plots.moved.connect(partial(self._move, words, True))
        plots.cancelled.connect(self._give_up)

    def _move(self, words: Callable[[str], str], final: bool, target: str, value: Any) -> None:
        if not _of_view(target):
            self._ask(target, value, (words(target) or self.tr("Drag")) if final else "")
            return
        values = value if target == WHOLE_VIEW else self._looks(target.removeprefix(VIEW), value)
        if not values.keys() <= self._page.view.keys():
            return  # a handle in a picture of the design before, which had other views
        self._before = None if final else self._before or dict(self._page.view)
        self._page.look(**values)

    def _ask(self, target: str, value: Any, words: str) -> None:
        if (asking := self._page.asking) is None:
            return
        if target == DESIGN:
            asking.change(words, **value)
        else:
            asking.drag(target, value, bool(words))

    @Slot(str)
    def _give_up(self, target: str) -> None:
        """Take back what a drag has changed."""
        before, self._before = self._before, None
        if not _of_view(target):
            self._page.previewCancelled.emit()
        elif before is not None:
            self._page.view = before
            self._page.look()


def _of_view(target: str) -> bool:
    return target == WHOLE_VIEW or target.startswith(VIEW)
