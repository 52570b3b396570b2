"""The one kind of undo step: the document's content before and after, and what was selected on the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from PySide6.QtGui import QUndoCommand

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.document.content import Content
from dpdesigner.studies.study import Study

_LONGEST = 24  # characters of a value in the history
_SHOWN = (str, int, float, PrivacyLevel)


def changed_value(old: Study, new: Study) -> str:
    """Return the value of the one number or text that two designs differ in, where it is a short one; else an empty text."""
    before, now = (getattr(study, "__dict__", {}) for study in (old, new))
    inputs = {key: value for key, value in now.items() if not isinstance(getattr(type(new), key, None), cached_property)}
    changed = [value for key, value in inputs.items() if key != "name" and isinstance(value, _SHOWN) and value != before.get(key)]
    if len(changed) != 1 or type(old) is not type(new):
        return ""
    text = changed[0].description if isinstance(changed[0], PrivacyLevel) else str(changed[0])
    return text if len(text) <= _LONGEST else ""


class UndoStep(QUndoCommand):
    """Replaces one content by another.

    Parameters
    ----------
    decide : Callable
        Called as ``decide(content, view)`` to make a content the document's; an empty view leaves the page's selection alone.
    label : str
        What the user did; the history shows what stands before a line break, the menu the rest.
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
