"""The table that a design names, read and checked; its results are cached for later designs of the same table."""

from __future__ import annotations

from collections.abc import Hashable

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import exact, excerpt, parse_integer
from dpdesigner.core.inspection.table import ReleaseTable, exact_table
from dpdesigner.core.mechanism import geometric
from dpdesigner.data.columns import resolved
from dpdesigner.data.grid import read_text
from dpdesigner.data.office_tables import MOST_CELLS, Entry, NoiseTable, NotAMechanism, mended, no_mechanism, read_noise_table
from dpdesigner.errors import InputError
from dpdesigner.studies.cache import remembered
from dpdesigner.studies.inputs.bits import FILE, GEOMETRIC, table_changed_at
from dpdesigner.studies.inspect.design import MEND, InspectDesign

_LARGEST_GEOMETRIC = 1000
#: Whether there is a header, and whether there are labels; None if the table itself shows it.
_HEADINGS: dict[str, tuple[bool | None, bool | None]] = {
    "detect": (None, None),
    "header": (True, False),
    "labels": (False, True),
    "both": (True, True),
    "none": (False, False),
}


def table_key(design: InspectDesign) -> Hashable:
    """Return the key of the table to read: the current version of the file, or the numbers."""
    given = design.table
    changed = table_changed_at(given) if isinstance(given, str) and "\n" not in given else 0
    return given if isinstance(given, str) else given.texts, changed, design.n, design.headings, design.mend


def read_source(design: InspectDesign) -> tuple[NoiseTable, ReleaseTable]:
    """Return the table of a design as read, and as probabilities.

    Raises
    ------
    InputError
        If it cannot be read, or its rows are not distributions; the sentence names row and column.
    """
    return remembered(("table", table_key(design)), lambda: _read(design))


def _read(design: InspectDesign) -> tuple[NoiseTable, ReleaseTable]:
    noise = _noise(design)
    noise.check_entries()
    if len(noise.rows) < 2:
        raise InputError("the table must have at least two rows, for the counts 0 and 1, got one.", "table")
    wrong = noise.wrong_sums
    if wrong:
        if design.mend != MEND:
            raise NotAMechanism(no_mechanism(wrong), "mend", MEND)
        noise = mended(noise, wrong)
    return noise, exact_table(noise.rows, noise.labels)


def _noise(design: InspectDesign) -> NoiseTable:
    given, n = design.table, None if design.n is None else int(exact(design.n))
    if not isinstance(given, str):
        if len(given) * len(given[0]) > MOST_CELLS:
            got = f"{len(given)} rows of {len(given[0])} columns"
            raise InputError(f"the table must have at most {MOST_CELLS} entries to be inspected, got {got}.", "table")
        rows: list[list[Entry]] = [[exact(entry) for entry in row] for row in given]
        words = f"read: {len(rows)} by {len(rows[0])} numbers; not read: nothing"
        return NoiseTable("plain", rows, tuple(range(len(rows[0]))), words)
    if given.startswith(GEOMETRIC):
        return _geometric(given)
    header, labels = _HEADINGS[design.headings]
    try:
        if "\n" in given:
            return read_noise_table(given, "the table", n, header, labels)
        path = resolved(given.removeprefix(FILE).strip())
        return read_noise_table(read_text(path), path.name, n, header, labels)
    except InputError as error:
        problem, _, hint = str(error).partition("; if ")  # command-line options are of no use in a window
        if not hint:
            raise
        more = "header" if hint.endswith("--header.") else "labels"
        both = {"header", "labels"} == {more, design.headings}
        raise InputError(f"{problem}.", "headings", "both" if both else more) from error


def _geometric(given: str) -> NoiseTable:
    n, _, epsilon = given.removeprefix(GEOMETRIC).partition(",")
    largest = parse_integer(n.strip(), "n", 1, _LARGEST_GEOMETRIC, "table")
    alpha = PrivacyLevel.from_epsilon(epsilon.strip()).exact_alpha
    if alpha is None:
        problem = "must be written as ln of a fraction, for example ln 2, for probabilities that are fractions"
        raise InputError(f"epsilon of a geometric table {problem}, got {excerpt(epsilon.strip())}.", "table")
    weights, powers = geometric.exact_weights(alpha, largest), geometric.powers(alpha, largest)
    rows: list[list[Entry]] = [[powers[abs(i - j)] * weights[j] for j in range(largest + 1)] for i in range(largest + 1)]
    size = f"{largest + 1} by {largest + 1} numbers"
    return NoiseTable("plain", rows, tuple(range(largest + 1)), f"computed: {size}")
