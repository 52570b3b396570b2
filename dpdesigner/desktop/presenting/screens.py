"""Which screen to present on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QScreen

#: The two choices that are no screen's name: another screen than the window's if there is one, and the window's.
OTHER, SAME = "", "same"
#: The screen for which sizes without enlargement are made.
_NORMAL = QSize(1280, 720)
_LEAST, _MOST = 1.1, 3.0


def chosen_screen(choice: str, window: QScreen, screens: Sequence[QScreen]) -> QScreen:
    """Return the screen to present on.

    Parameters
    ----------
    choice : str
        `OTHER`, `SAME`, or the name of a screen; a screen that is gone counts as `OTHER`.
    window : QScreen
        Where the window is.
    screens : sequence of QScreen
        All there are.
    """
    if choice == SAME:
        return window
    named = [screen for screen in screens if choice and screen.name() == choice]
    others = [screen for screen in screens if screen is not window]
    return next(iter(named or others), window)


def enlargement(screen: QScreen) -> float:
    """Return how much larger text and plots are on a screen while presenting: they grow with it."""
    size = screen.size()
    share = min(size.width() / _NORMAL.width(), size.height() / _NORMAL.height())
    return min(max(round(_LEAST * share, 2), _LEAST), _MOST)
