"""Helps pages to name the stops of their tours."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def card(column: QWidget, place: int) -> QWidget:
    """Return a card of a column, counted from the top."""
    layout = column.layout()
    item = layout.itemAt(place) if layout is not None else None
    found = item.widget() if item is not None else None
    if found is None:
        raise LookupError(f"the column has no card {place}")
    return found
