"""What tables and programs can be written as, and what to call it. A menu names them without what it takes to write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dpdesigner.messages import message


class Format(NamedTuple):
    """A format of tables: what to call it, and what is written in it."""

    title: str
    holds: str


#: The languages of programs that release without this one.
PROGRAMS: Mapping[str, Format] = {
    "py": Format(message("Python"), message("Releases exactly, with the standard library only")),
    "opendp": Format(message("OpenDP"), message("The same, as an OpenDP measurement")),
    "r": Format(message("R"), message("Simulates the mechanism, for analysis")),
}
#: How the names of programs end, by their languages.
PROGRAM_ENDINGS = {"py": ".py", "opendp": "_opendp.py", "r": ".R"}
#: What tables that carry no proof can be written as.
TABLE_FORMATS: Mapping[str, Format] = {
    "csv": Format(message("CSV"), message("Every table with all its digits")),
    "tsv": Format(message("TSV"), message("Tab-separated")),
    "json": Format(message("JSON"), message("Design, results and tables in one file")),
    "tex": Format(message("LaTeX"), message("Every table rounded for print, for booktabs")),
}
