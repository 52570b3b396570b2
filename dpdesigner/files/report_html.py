"""A report as one HTML page that needs nothing else: pictures and whole tables are inside it, and it can load nothing.

The page is plain enough for Qt's text engine, which makes the PDF from it: with `for_print` pictures are named rather than held,
and whole tables are named with their checksums only.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise

from dpdesigner import resources
from dpdesigner.files.report import Chapter, Picture, Report
from dpdesigner.files.takeaway import Attachment, Listing

_LETTERS, _LEAST_LETTERS = 6.5, 5.5  #: sizes in points of the letters of tables on paper
_ACROSS = 106  #: characters of the larger size that are as wide as the page
_GAP = 1.5  #: characters between columns
_HALF = 0.77  #: of the size of a picture, for two of them beside each other on paper
_ROUNDING = "Epsilon, gaps and the losses in figures are rounded up, alpha down, other decimals to the nearest."
_NOTHING_FROM_OUTSIDE = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def html(report: Report, *, for_print: bool = False) -> str:
    """Return the page.

    Parameters
    ----------
    report : Report
    for_print : bool
        For Qt's text engine: pictures are ``<img src="C-K">``, picture K of chapter C with its title above it.
    """
    several = len(report.chapters) > 1
    body = [
        f"<h1>{escape(report.title)}</h1>",
        f'<p class="muted">Report made by dpdesigner {escape(dict(report.versions)["dpdesigner"])} on {escape(report.made)}.</p>',
    ]
    if several:
        items = "".join(f'<li><a href="#design-{c}">{escape(item.title)}</a></li>' for c, item in enumerate(report.chapters, 1))
        body.append(f"<ol>{items}</ol>")
    for c, item in enumerate(report.chapters, 1):
        body += _chapter(c, item, several, for_print)
    body += [f'<p class="muted">{_ROUNDING}</p>', "<section><h2>Versions</h2>", _pairs(report.versions), "</section>"]
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_NOTHING_FROM_OUTSIDE}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(report.title)}</title>",
        f"<style>\n{_style('print.css' if for_print else 'screen.css')}</style>",
    ]
    start, end = ["<!DOCTYPE html>", '<html lang="en">', "<head>"], ["</main></body>", "</html>", ""]
    return "\n".join([*start, *head, "</head>", "<body><main>", *body, *end])


def picture_name(c: int, k: int) -> str:
    """Return what picture k of chapter c, both from 1, is called on a page for print."""
    return f"{c}-{k}"


def _style(name: str) -> str:
    return resources.path("report", name).read_text("utf-8")


def _chapter(c: int, chapter: Chapter, several: bool, for_print: bool) -> list[str]:
    start = ' style="page-break-before: always"' if for_print and c > 1 else ""
    found = [f'<section class="design" id="design-{c}">']
    if several:
        found.append(f'<h2{start}><a name="design-{c}"></a>{c}. {escape(chapter.title)}</h2>')
    found += [f'<p class="muted">{escape(chapter.line)}</p>', "<h3>Summary</h3>", _pairs(chapter.facts)]
    if chapter.pictures or chapter.remark:
        found.append("<h3>Figures</h3>")
        found.append(_pictures(c, chapter.pictures, for_print) if chapter.pictures else f"<p>{escape(chapter.remark)}</p>")
    if chapter.listings:
        found += ["<h3>Tables</h3>", *(_listing(listing, for_print) for listing in chapter.listings)]
    if chapter.proof:
        found += ["<h3>Proof: what was verified, and how</h3>", f"<ul>{_items(chapter.proof)}</ul>"]
    found += ["<h3>Inputs, exactly as given</h3>", f"<pre>{escape(chapter.inputs)}</pre>", "</section>"]
    return found


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    rows = (f'<tr><th align="left">{escape(label)}</th><td>{escape(text)}</td></tr>' for label, text in pairs)
    return f'<table class="facts" cellpadding="2">{"".join(rows)}</table>'


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{escape(text)}</li>" for text in texts)


def _pictures(c: int, pictures: Sequence[Picture], for_print: bool) -> str:
    """The first picture over the whole width, the others two by two."""
    if for_print:
        first, *others = (_printed(picture_name(c, k), picture, 1 if k == 1 else _HALF) for k, picture in enumerate(pictures, 1))
        rows = [f"<tr>{''.join(others[k : k + 2])}</tr>" for k in range(0, len(others), 2)]
        return f'<table cellspacing="6"><tr>{first}</tr></table><table cellspacing="6">{"".join(rows)}</table>'
    found = []
    for k, picture in enumerate(pictures, 1):
        title = escape(picture.title)
        source = _data("image/svg+xml", picture.svg)
        image = f'<img src="{source}" alt="{title}" width="{picture.width}" height="{picture.height}">'
        first = ' class="first"' if k == 1 else ""
        found.append(f"<figure{first}>{image}<figcaption>{title}</figcaption></figure>")
    return f'<div class="figures">{"".join(found)}</div>'


def _printed(name: str, picture: Picture, scale: float) -> str:
    return f'<td><img src="{name}" width="{picture.width * scale:.0f}"></td>'


def _listing(listing: Listing, for_print: bool) -> str:
    parts = [f"<h4>{escape(listing.title)}</h4>"]
    parts += _blocks(listing) if for_print else [f'<div class="scroll">{_table(listing, range(1, len(listing.header)))}</div>']
    if listing.note:
        parts.append(f'<p class="muted">{escape(listing.note)}</p>')
    if listing.whole is not None:
        parts.append(_whole(listing.whole, for_print))
    return "".join(parts)


def _table(listing: Listing, columns: range, style: str = "", align: str = "") -> str:
    """The first column, which names the rows, and some of the others."""
    lines = []
    for row in (listing.header, *listing.rows):
        tag = "th" if row is listing.header else "td"
        cells = "".join(f"<{tag}{style}>{escape(row[k])}</{tag}>" for k in columns)
        lines.append(f"<tr><th{style}>{escape(row[0])}</th>{cells}</tr>")
    return f'<table class="numbers"{align}>{"".join(lines)}</table>'


def _blocks(listing: Listing) -> list[str]:
    """A table on paper: in letters that one can read, and so many columns beside each other that no number is broken."""
    needed = [max(map(len, column)) + _GAP for column in zip(listing.header, *listing.rows, strict=True)]
    size = _LETTERS * _ACROSS / sum(needed)
    if size >= _LEAST_LETTERS:
        starts = [1]
    else:
        size, starts = _LETTERS, _starts(needed)
    style = f' style="font-size: {size:.1f}pt"' if size < _LETTERS else ""
    found = []
    for start, end in pairwise([*starts, len(needed)]):
        if len(starts) > 1:
            names = [name for name in listing.header[start:end] if name != "…"]
            found.append(f'<p class="muted">columns {escape(names[0])} to {escape(names[-1])}</p>' if names else "")
        found.append(_table(listing, range(start, end), style, ' border="0" cellpadding="1" cellspacing="3"'))
    return found


def _starts(needed: Sequence[float]) -> list[int]:
    """The first column of each block, as many columns in each as are as wide as the page; the first one is in all of them."""
    starts, width = [1], needed[0]
    for k in range(1, len(needed)):
        width += needed[k]
        if width > _ACROSS and k > starts[-1]:
            starts.append(k)
            width = needed[0] + needed[k]
    return starts


def _whole(whole: Attachment, for_print: bool) -> str:
    checksum = f"SHA-256 <code>{whole.sha256}</code>"
    if for_print:
        return f'<p class="muted">The whole table as CSV, as dpdesigner export writes it: {checksum}.</p>'
    link = f'<a download="{escape(whole.name)}" href="{_data("text/csv", whole.text)}">{escape(whole.name)}</a>'
    return f'<p class="muted">The whole table as CSV, inside this page: {link}, {checksum}.</p>'


def _data(kind: str, text: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(text.encode('utf-8')).decode('ascii')}"
