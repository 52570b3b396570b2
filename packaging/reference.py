"""Writes the help page of the Python interface from its docstrings.

``python3 packaging/reference.py`` in the environment of the program.
"""

from __future__ import annotations

import inspect
import sys
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "resources" / "help" / "python.html"

_START = """<h1>Python</h1>
<p><code>import dpdesigner as dp</code> provides everything in the program without a window. <code>pip install dpdesigner</code>
installs the library, <code>dpdesigner[desktop]</code> also the window, <code>dpdesigner[plot]</code> pictures in notebooks and on
servers, <code>dpdesigner[data]</code> Parquet, Excel, SQLite and DuckDB files, and <code>dpdesigner[cluster]</code> Dask.</p>
<p>Every design has <code>.replace(...)</code>. Every outcome has <code>.design</code>, <code>.findings</code> (from key to
finding, the headline first), <code>.table()</code> and <code>.plot()</code>. A notebook shows an outcome with its proof.</p>
"""


def page() -> str:
    """Return the page."""
    import dpdesigner

    names = sorted(name for name in dpdesigner.__all__ if not name.startswith("_"))
    functions = [name for name in names if name[0].islower()]
    classes = [name for name in names if name[0].isupper()]
    parts = [_START]
    for title, chosen in (("Functions", functions), ("Designs, outcomes and errors", classes)):
        parts.append(f"<h2>{title}</h2>\n")
        parts += [_entry(name, getattr(dpdesigner, name)) for name in chosen]
    return "".join(parts)


def _entry(name: str, what: Any) -> str:
    first, _, rest = (inspect.getdoc(what) or "").partition("\n")
    return f"<h3>{name}</h3>\n<p><code>{_signature(name, what)}</code></p>\n<p>{_plain(first)}</p>\n" + (
        f"<pre>{escape(rest.strip())}</pre>\n" if rest.strip() else ""
    )


def _signature(name: str, what: Any) -> str:
    """How it is called, without types, which the text has in words."""
    if inspect.isclass(what) and issubclass(what, BaseException):
        return escape(f"dp.{name}")
    kinds = inspect.Parameter
    shown, keyword = [], False
    for each in inspect.signature(what).parameters.values():
        if each.kind is kinds.KEYWORD_ONLY and not keyword:
            shown.append("*")
            keyword = True
        simple = isinstance(each.default, (str, int, float, bool, tuple, type(None)))
        default = "" if each.default is kinds.empty else f"={each.default!r}" if simple else "=…"
        shown.append(f"{each.name}{default}")
    return escape(f"dp.{name}({', '.join(shown)})")


def _plain(text: str) -> str:
    return escape(text.replace("``", ""))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.exit(0)
