"""A report as one HTML page that needs nothing else: pictures and whole tables are inside it, and it can load nothing.

The page is the template ``report/report.html`` among the resources, filled in by Jinja, which escapes whatever is put in. It is
plain enough for Qt's text engine, which makes the PDF from it: with `for_print` pictures are named rather than held, and whole
tables are named with their checksums only.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dpdesigner import resources
from dpdesigner.files.export.report_table import Listing
from dpdesigner.files.report.report import Report

_LETTERS, _LEAST_LETTERS = 6.5, 5.5  #: sizes in points of the letters of tables on paper
_ACROSS = 106  #: characters of the larger size that are as wide as the page
_GAP = 1.5  #: characters between columns
_HALF = 0.77  #: of the size of a picture, for two of them beside each other on paper


@dataclass(frozen=True)
class Block:
    """Columns of a table that stand beside each other on paper.

    Attributes
    ----------
    columns : range
        Besides the first one, which names the rows and is in every block.
    names : tuple of str
        What to say above them; empty where the table is one block.
    size : float
        Of the letters, in points; 0 where it is the usual one.
    """

    columns: range
    names: tuple[str, ...] = ()
    size: float = 0.0


def html(report: Report, *, for_print: bool = False) -> str:
    """Return the page.

    Parameters
    ----------
    report : Report
    for_print : bool
        For Qt's text engine: pictures are ``<img src="C-K">``, picture K of chapter C with its title above it.
    """
    style = resources.path("report", "print.css" if for_print else "screen.css").read_text("utf-8")
    program = dict(report.versions)["dpdesigner"]
    template = resources.templates("report", keep_trailing_newline=True, autoescape=True).get_template("report.html")
    helpers = {"blocks": _blocks, "data_url": _data_url, "half": _HALF, "picture_name": picture_name}
    return template.render(report=report, program=program, style=style, for_print=for_print, **helpers)


def picture_name(c: int, k: int) -> str:
    """Return what picture k of chapter c, both from 1, is called on a page for print."""
    return f"{c}-{k}"


def _data_url(kind: str, text: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(text.encode('utf-8')).decode('ascii')}"


def _blocks(listing: Listing) -> list[Block]:
    """A table on paper: in letters that one can read, and so many columns beside each other that no number is broken."""
    needed = [max(map(len, column)) + _GAP for column in zip(listing.header, *listing.rows, strict=True)]
    size = _LETTERS * _ACROSS / sum(needed)
    if size >= _LEAST_LETTERS:
        return [Block(range(1, len(needed)), size=size if size < _LETTERS else 0.0)]
    ends = pairwise([*_starts(needed), len(needed)])
    return [Block(range(*end), tuple(name for name in listing.header[slice(*end)] if name != "…")) for end in ends]


def _starts(needed: Sequence[float]) -> list[int]:
    """The first column of each block, as many columns in each as are as wide as the page; the first one is in all of them."""
    starts, width = [1], needed[0]
    for k in range(1, len(needed)):
        width += needed[k]
        if width > _ACROSS and k > starts[-1]:
            starts.append(k)
            width = needed[0] + needed[k]
    return starts
