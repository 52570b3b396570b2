"""Tables to be read by people, cut to a sensible size, with the whole of each as a file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Attachment:
    """A whole file as text: its name and contents."""

    name: str
    text: str

    @cached_property
    def sha256(self) -> str:
        """The checksum of the file as it is written, in UTF-8."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()


@dataclass(frozen=True)
class Listing:
    """A table to be read by people, perhaps cut to a sensible size.

    Attributes
    ----------
    title : str
    header : tuple of str
    rows : tuple of tuple of str
        The first cell of each names the row.
    note : str
        Where it is cut, and where the whole is; empty if it is whole.
    whole : Attachment or None
        The table as a file.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    full: Attachment | None = None


def cut(listing: Listing, most: int, where: str) -> Listing:
    """Return a table with at most so many rows and as many columns behind the labels; its note says where the whole is."""
    columns = len(listing.header) - 1
    if len(listing.rows) <= most and columns <= most:
        return listing
    rows, header = listing.rows, listing.header
    if columns > most:
        header = (*header[: most + 1], "…")
        rows = tuple((*row[: most + 1], "…") for row in rows)
    if len(rows) > most:
        rows = (*rows[:most], ("…",) * len(header))
    shown = f"the first {min(most, len(listing.rows))} of {len(listing.rows)} rows"
    if columns > most:
        shown += f" and the first {most} of {columns} columns"
    return Listing(listing.title, header, rows, f"Shown: {shown}. {listing.note} {where}".replace("  ", " "), listing.full)
