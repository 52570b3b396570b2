"""``dpdesigner verify TABLE --readers READERS.csv``: each reader's best reading of a table, and whether targets are met."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpdesigner.cli.output import Output
from dpdesigner.cli.streams import ProgressLine
from dpdesigner.data.grid import read_text
from dpdesigner.errors import InputError
from dpdesigner.studies.audience.answer import AudienceAnswer
from dpdesigner.studies.audience.design import AudienceDesign
from dpdesigner.studies.audience.readers import readers_in
from dpdesigner.studies.findings import as_json, format_finding
from dpdesigner.studies.inputs.kinds import privacy_level


def readers_command(path: str, readers: str, epsilon: str | None, alpha: str | None) -> Output:
    """Compute how readers should read a table.

    Parameters
    ----------
    path : str
        The table.
    readers : str
        A CSV file with the columns name, prior, loss, weight and target.
    epsilon, alpha : str or None
        A privacy level that the table must have.

    Returns
    -------
    Output
        Status 1 if it is not a mechanism, a target is missed, or it is less private than asked.
    """
    asked = privacy_level(epsilon, alpha)
    given = readers_in(read_text(readers, piped=True), Path(readers).name)
    try:
        with ProgressLine() as tell:
            found = AudienceDesign(readers=given, table=f"file: {path}").run(tell)
    except InputError as error:
        if error.field not in ("mend", "table"):
            raise
        return Output([f"{path}: {error}", "FAILED"], {"file": str(Path(path)), "mechanism": False, "problem": str(error)}, 1)
    missed = [result.reader.name for result in found.results if result.met is False]
    private = asked is None or found.level.alpha_below >= asked.alpha_above
    passed = private and not missed
    lines = [f"{path}: {found.sentence.replace('<b>', '').replace('</b>', '')}", *_lines(found)]
    if missed:
        lines.append(f"  target missed: {', '.join(missed)}")
    if not private:
        lines.append("  less private than asked")
    data = {
        "file": str(Path(path)),
        "mechanism": True,
        "findings": {key: as_json(finding) for key, finding in found.findings.items()},
        "missed": missed,
        **({} if asked is None else {"private": private}),
        "passed": passed,
    }
    return Output([*lines, "PASSED" if passed else "FAILED"], data, 0 if passed else 1)


def _lines(found: AudienceAnswer) -> list[str]:
    facts: list[tuple[str, Any]] = [
        (f"{key.rpartition('/')[0]}: {finding.label}" if "/" in key else finding.label, finding)
        for key, finding in found.findings.items()
    ]
    width = max(len(label) for label, _ in facts)
    return [
        f"  {label:<{width}}  {format_finding(each, 'long')}{f' ({each.note})' if each.note else ''}" for label, each in facts
    ]
