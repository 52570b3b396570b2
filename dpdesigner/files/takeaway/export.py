"""Taking a count mechanism away: its tables and, beside them, ``NAME.json`` with all that is needed to check them.

What is written is the best mechanism at hand for the design: the induced geometric one, or what the linear program found where
that costs less (outside Theorem A). Each file appears whole or not at all, and the sidecar after the table that it vouches for.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import dpdesigner
from dpdesigner.core.numbers.given import exact_text
from dpdesigner.errors import InputError, ProofError
from dpdesigner.files.atomic import make_folder, write_atomically
from dpdesigner.files.tables.formats import FORMATS, csv_text, json_text
from dpdesigner.files.tables.table import ProvedTable, decimal_table, fraction_table, printed_table
from dpdesigner.studies.count.answer import CountAnswer
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.witness import Witness

_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class ProvedFile:
    """A file that was written, and the proved table that it holds or vouches for."""

    path: Path
    table: ProvedTable


def export_tables(
    outcome: CountOutcome,
    folder: str | Path,
    name: str,
    formats: Iterable[str],
    *,
    witness: Witness | None = None,
    fractions: bool = False,
) -> list[ProvedFile]:
    """Write a mechanism in one or more formats.

    Parameters
    ----------
    outcome : CountOutcome
    folder : path
        Made if it is not there.
    name : str
        Of the files, without an ending; what file systems dislike is replaced.
    formats : iterable of str
        Any of ``"csv"`` (with its sidecar), ``"tsv"``, ``"json"`` (the sidecar, which then holds the table too) and ``"tex"``.
    witness : Witness, optional
        The linear program's answer, for a loss outside Theorem A.
    fractions : bool
        Write fractions, exactly as private as asked, rather than decimals; alpha must be rational.

    Returns
    -------
    list of ProvedFile

    Raises
    ------
    InputError
        If a format is unknown or a file cannot be written.
    ProofError
        If a table fails its proof; it is not written then.
    """
    wanted = list(dict.fromkeys(formats))
    unknown = next((item for item in wanted if item not in FORMATS), None)
    if unknown is not None or not wanted:
        raise InputError(f"the formats of a table are {', '.join(FORMATS)}, got {unknown or 'none'}.", "format")
    solved = CountAnswer.of(outcome, witness)
    stem = make_folder(folder) / file_name(name)
    written = []
    for ending, text, table in _texts(solved, stem.name, set(wanted), fractions):
        path = stem.with_name(f"{stem.name}.{ending}")
        write_atomically(path, text)
        written.append(ProvedFile(path, table))
    return written


def _texts(solved: CountAnswer, name: str, wanted: set[str], fractions: bool) -> Iterator[tuple[str, str, ProvedTable]]:
    """The files' endings and texts, each with the table that it holds or vouches for; the sidecar after its table."""
    if wanted & {"csv", "tsv", "json"}:
        table = fraction_table(solved.mechanism) if fractions else decimal_table(solved.mechanism)
        if "csv" in wanted:
            yield "csv", table.csv, table
        if "tsv" in wanted:
            yield "tsv", table.tsv, table
        if wanted & {"csv", "json"}:
            facts = sidecar(solved, table, f"{name}.csv" if "csv" in wanted else None)
            yield "json", _json(facts, table, "json" in wanted), table
    if "tex" in wanted:
        printed = printed_table(solved.mechanism)
        yield "tex", printed.latex, printed


def sidecar(solved: CountAnswer, table: ProvedTable, csv_name: str | None) -> dict[str, Any]:
    """Return the facts that go beside a table, as JSON values.

    Parameters
    ----------
    solved : CountAnswer
        Whose best mechanism the table holds.
    table : ProvedTable
    csv_name : str or None
        The name of the CSV file, if there is one.

    Returns
    -------
    dict
    """
    design, best = solved.design, solved.best
    privacy = design.privacy
    coverage = design.loss.coverage(design.n)
    facts: dict[str, Any] = {
        "program": "dpdesigner",
        "version": dpdesigner.__version__,
        "design": design.to_json(),
        "alpha": number(privacy.alpha if privacy.exact_alpha is None else privacy.exact_alpha),
        "epsilon": number(table.epsilon),
        "epsilon_asked": number(privacy.epsilon_above),
        "value": float(best.value),
        "method": best.method,
        "certificate": {"gap": number(best.gap), "exact": isinstance(best.gap, Fraction)},
        "theorem_a": {"covered": coverage.covered, "reason": coverage.reason},
        "verified": "every row sums to exactly 1 and every ratio of neighbouring entries is within [alpha, 1/alpha], "
        "in exact arithmetic on the text of the table",
    }
    if isinstance(best.value, Fraction):
        facts["value_exact"] = exact_text(best.value)
    if best is solved.solved:
        certificate = solved.solved.certificate
        facts["remap"] = solved.solved.remap.tolist()
        facts["certificate"]["dual"] = [number(entry) for entry in certificate.dual]
        facts["certificate"]["shift"] = number(certificate.shift)
    if csv_name is not None:
        facts["csv"] = csv_name
        facts["sha256"] = hashlib.sha256(table.csv.encode("utf-8")).hexdigest()
    return facts


def number(value: float | Fraction) -> float | str:
    """Return a number as a JSON value: doubles as they are, infinity and fractions as text."""
    if isinstance(value, Fraction):
        return exact_text(value)
    return float(value) if math.isfinite(value) else str(float(value))


def file_name(name: str) -> str:
    """Return a name for files: letters, digits, dots, hyphens and underscores, at most 80; ``"design"`` if nothing is left."""
    return _UNSAFE.sub("-", name)[:80].strip("-.") or "design"


def _json(facts: dict[str, Any], table: ProvedTable, with_table: bool) -> str:
    if with_table:
        facts["mechanism"] = [list(row) for row in table.texts]
    text = json_text(facts)
    if with_table and csv_text(json.loads(text)["mechanism"]) != table.csv:
        raise ProofError("the table reads back differently from JSON, so it is not written.")
    return text
