"""The one kind of undo step: the document's content before and after, and what was selected on the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtGui import QUndoCommand

from dpdesigner.desktop.document.content import Content


class UndoStep(QUndoCommand):
    """Replaces one content by another.

    Parameters
    ----------
    decide : Callable
        Called as ``decide(content, view)`` to make a content the document's; an empty view leaves the page's selection alone.
    label : str
        What the user did.
    old, new : Content
    view : Mapping
        What was selected on the page when it was done.
    merge : object
        Steps that follow each other with an equal value become one; None merges with nothing.
    """

    def __init__(
        self,
        decide: Callable[[Content, Mapping[str, Any]], None],
        label: str,
        old: Content,
        new: Content,
        view: Mapping[str, Any],
        merge: object,
    ) -> None:
        super().__init__(label)
        self._decide, self._old, self._new, self._view, self._merge = decide, old, new, view, merge
        self._undone = False

    def id(self) -> int:
        """Let Qt offer steps to each other for merging."""
        return -1 if self._merge is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Become one step with the next one if both belong together (letters typed into one field)."""
        if not isinstance(other, UndoStep) or other._merge != self._merge:
            return False
        self._new = other._new
        return True

    def redo(self) -> None:
        """Show the content after the step; the first time, the page itself has just made it and needs no view state."""
        self._decide(self._new, self._view if self._undone else {})

    def undo(self) -> None:
        """Show the content before the step."""
        self._undone = True
        self._decide(self._old, self._view)
