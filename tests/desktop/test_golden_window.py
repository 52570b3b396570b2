"""What a window shows of each kind of design is called what it was: views, what scenes keep of them, controls, commands, formats.

The texts are kept beside those of `golden`, which says how they are made anew. Sentences and numbers are not held.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import hands
from desktop.hands import CONTROL, SHIFT, Hands, Key
from golden import FOLDER, ROOT, held
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QTreeWidget, QWidget
from pytestqt.qtbot import QtBot

DESIGNS = {
    "count": ROOT / "resources" / "examples" / "flu-cases.dpd",
    "noise": FOLDER / "designs" / "noise-compared.dpd",
    "noise-integer": FOLDER / "designs" / "noise-integer.dpd",
    "noise-two-answers": FOLDER / "designs" / "noise-two-answers.dpd",
    "histogram": ROOT / "resources" / "examples" / "doctor-visits-published.dpd",
    "choice": FOLDER / "designs" / "choice.dpd",
    "attack": FOLDER / "designs" / "attack.dpd",
}


@pytest.mark.parametrize("name", DESIGNS)
def test_it_is_called_what_it_was(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    path = tmp_path / "design.dpd"
    shutil.copy(DESIGNS[name], path)
    high = 900 if name.startswith(("noise", "histogram", "choice")) else 720  # at 720 a scroll bar may or may not be there
    with hands.opened(qtbot, monkeypatch, path, (1280, high)) as user:
        user.settles()
        if name == "noise-two-answers":
            user.plot("density of two answers, Laplace")
        if name == "histogram":
            user.reads("Counted: ")
        if name == "attack":
            user.waits(lambda: user.window.host.page.outcomes.get("curves") is not None)
        got = "\n".join(_told(user)) + "\n"
    assert held(f"window-{name}", got) == ""


def _told(user: Hands) -> Iterator[str]:
    yield "== controls"
    yield from _controls(user)
    yield "== views, what a scene keeps of each, and what Copy takes of it"
    views, copied = user.tabs(), []
    for view in views:
        user.tab(view)
        user.settles()
        copied.append((user.copied().splitlines() or ["nothing"])[0])
        user.window.setFocus()
        user.key(Key.Key_N, CONTROL | SHIFT)
    scenes = user.saved()["scenes"]
    for view, head, scene in zip(views, copied, scenes, strict=True):
        kept = ", ".join(f"{key} {value if isinstance(value, (str, bool)) else '#'}" for key, value in scene["view"].items())
        yield f"{view}: {kept}"
        yield "  " + (head[:120] if not head[:1].isdigit() else "#")
    yield "== formats of an export"
    user.command("File", "Export")
    boxes = [box for box in user.front().findChildren(QCheckBox) if box.isVisible()]
    yield from (box.text() for box in boxes)
    user.front().close()
    yield "== commands that belong to the design"
    yield from _commands(user.action("Design"), "")


def _controls(user: Hands) -> Iterator[str]:
    """The names of what the keyboard reaches, as a screen reader says them; which views have room depends on the letters."""
    found = set()
    for widget in user.window.findChildren(QWidget):
        reached = widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        name = widget.accessibleName() or (hands.plain(widget.text()) if isinstance(widget, QAbstractButton) else "")
        if reached and name:
            found.add(re.sub(r": .*", "", name) if isinstance(widget, QLabel) else name)
    return iter(sorted(found - {*user.tabs(), "More ▾", "Stop", "Stop computing"}))


def test_commands_are_called_what_they_were_in_menus_and_palette(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "design.dpd"
    shutil.copy(DESIGNS["count"], path)
    with hands.opened(qtbot, monkeypatch, path) as user:
        menus = [line for action in user.window.menuBar().actions() for line in _commands(action, hands.plain(action.text()))]
        user.key(Key.Key_P, CONTROL | SHIFT)
        palette = user.find(QTreeWidget, "Matching commands")
        rows = [palette.topLevelItem(place) for place in range(palette.topLevelItemCount())]
        told = [f"{row.text(1)} › {row.text(0)}" for row in rows if row is not None]
        user.key(Key.Key_Escape)
    assert held("window-commands", "\n".join(menus) + "\n") == ""
    assert told == [line.partition("  ")[0] for line in menus]


def _commands(action: QAction, trail: str) -> Iterator[str]:
    """The commands below an entry of the menu, each with the names that lead there and its keys."""
    menu = action.menu()
    if menu is None:
        return
    menu.aboutToShow.emit()  # type: ignore[attr-defined]
    for inner in filter(QAction.isVisible, menu.actions()):  # type: ignore[attr-defined]
        if inner.isSeparator():
            continue
        here = " › ".join(part for part in (trail, hands.plain(inner.text())) if part)
        if inner.menu() is not None:
            yield from _commands(inner, here)
        else:
            keys = " ".join(key.toString(QKeySequence.SequenceFormat.PortableText) for key in inner.shortcuts())
            yield f"{here}  {keys}".rstrip()
