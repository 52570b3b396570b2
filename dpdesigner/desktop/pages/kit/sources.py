"""Where data come from: a table of the user's that is dragged here."""

from __future__ import annotations

from PySide6.QtGui import QDropEvent

_TABLES = (".csv", ".tsv", ".txt")


def dropped_table(event: QDropEvent) -> str:
    """Return the path of the one local table that is dragged; empty for anything else."""
    urls = event.mimeData().urls()
    path = urls[0].toLocalFile() if len(urls) == 1 else ""
    return path if path.lower().endswith(_TABLES) else ""
