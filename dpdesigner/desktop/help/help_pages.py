"""The pages of the help: their order, titles and texts, from the files that ship with the program and from the real menus."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtGui import QAction, QKeySequence, QTextDocumentFragment
from PySide6.QtWidgets import QMenu, QMenuBar

from dpdesigner import resources
from dpdesigner.desktop.menus.menus import plain_text
from dpdesigner.desktop.theme.translation import tr

#: The page that is made from the menus, so that it cannot be wrong.
SHORTCUTS = "shortcuts"


@dataclass(frozen=True)
class HelpPage:
    """One page.

    Attributes
    ----------
    name : str
        What links call it, without ``.html``.
    html : str
        Its text; begins with a heading ``<h1>``.
    """

    name: str
    html: str

    @property
    def title(self) -> str:
        """The heading."""
        return self.html.partition("<h1>")[2].partition("</h1>")[0]

    @cached_property
    def plain_text(self) -> str:
        """The text without marks, for searching."""
        return QTextDocumentFragment.fromHtml(self.html).toPlainText().casefold()

    def has(self, query: str) -> bool:
        """Tell whether every word of a query is somewhere in the text."""
        return all(word in self.plain_text for word in query.casefold().split())


def help_pages(menu_bar: QMenuBar) -> list[HelpPage]:
    """Return all pages in reading order.

    Parameters
    ----------
    menu_bar : QMenuBar
        Whose commands and keys the page of shortcuts lists.
    """
    names = json.loads(resources.path("help", "contents.json").read_text("utf-8"))
    return [HelpPage(name, _shortcuts(menu_bar) if name == SHORTCUTS else _text(name)) for name in names]


def _text(name: str) -> str:
    return resources.path("help", f"{name}.html").read_text("utf-8")


def _shortcuts(menu_bar: QMenuBar) -> str:
    parts = [f"<h1>{tr('Keyboard shortcuts')}</h1>"]
    for entry in menu_bar.actions():
        menu = entry.menu()
        rows = _rows(menu) if isinstance(menu, QMenu) else []
        if rows:
            cells = "".join(f"<tr><td>{name}&nbsp;&nbsp;&nbsp;</td><td><b>{keys}</b></td></tr>" for name, keys in rows)
            parts.append(f"<h2>{plain_text(entry.text())}</h2><table>{cells}</table>")
    parts.append(
        tr(
            "<h2>Everywhere</h2><p>Tab and Shift+Tab go from control to control. In plots and in the matrix the arrow "
            "keys move the selection; with Shift, larger steps when changing a value. Esc cancels a drag, "
            "closes a panel or ends presenting. Ctrl+Shift+P finds any command by its name.</p>"
        )
    )
    return "".join(parts)


def _rows(menu: QMenu) -> list[tuple[str, str]]:
    """Names and keys of the commands of a menu that have keys."""
    return [
        (plain_text(action.text()).rstrip("…"), _keys(action)) for action in menu.actions() if not action.shortcut().isEmpty()
    ]


def _keys(action: QAction) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(sequence.toString(native).replace("<", "&lt;") for sequence in action.shortcuts())
