"""``dpdesigner inspect`` and ``dpdesigner verify --profile``: the privacy and the utility of a table of releases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpdesigner.cli.output import Output, shown
from dpdesigner.cli.streams import ProgressLine
from dpdesigner.data.grid import STANDARD, read_text
from dpdesigner.data.office_tables import NotAMechanism
from dpdesigner.studies.findings import as_json, format_finding
from dpdesigner.studies.inputs.kinds import privacy_level
from dpdesigner.studies.inputs.numbers import epsilon_of
from dpdesigner.studies.inspect.answer import InspectAnswer
from dpdesigner.studies.inspect.design import InspectDesign


def inspect_command(path: str, header: bool | None = None, labels: bool | None = None, **options: Any) -> Output:
    """Inspect a table.

    Parameters
    ----------
    path : str
        CSV, TSV, or a perturbation table of a statistics office.
    header, labels : bool or None
        Whether its first line is a header, and its first column holds labels.
    **options
        The other inputs of an `InspectDesign`, as texts; None for those that were not given.

    Returns
    -------
    Output
        The findings; JSON has the kinks, corners and pairs too.
    """
    with ProgressLine() as tell:
        given = {key: value for key, value in options.items() if value is not None}
        found = InspectDesign(_table(path), headings=_headings(header, labels), **given).run(tell)
    return Output(_lines(path, found), {"file": str(Path(path)), **_data(found)})


def profile_command(
    path: str,
    epsilon: str | None,
    alpha: str | None,
    delta: str | None,
    header: bool | None = None,
    labels: bool | None = None,
) -> Output:
    """Inspect a table and check it.

    Parameters
    ----------
    path : str
    epsilon, alpha, delta : str or None
        What it is to have: pure epsilon without delta, delta at epsilon with both, and any epsilon with delta alone.
    header, labels : bool or None
        As in `inspect_command`.

    Returns
    -------
    Output
        Status 1 if it is not a mechanism, or exceeds what was asked.
    """
    level = privacy_level(epsilon, alpha)
    asked: dict[str, Any] = {"delta": delta} | ({} if level is None else {"epsilon": epsilon_of(level)})
    with ProgressLine() as tell:
        design = InspectDesign(_table(path), headings=_headings(header, labels), **asked)
        try:
            found = design.run(tell)
        except NotAMechanism as error:
            return Output(
                [f"{shown(path)}: {error}", "FAILED"], {"file": str(Path(path)), "mechanism": False, "problem": str(error)}, 1
            )
    if delta is None:
        passed = found.profile.exp_epsilon != float("inf") if level is None else _within(found, level.alpha_above)
    elif level is None:
        passed = found.findings["exp_epsilon_at_delta"].value != float("inf")
    else:
        passed = found.passed
    data = {"file": str(Path(path)), "mechanism": True, **_data(found), "passed": passed}
    return Output([*_lines(path, found), "PASSED" if passed else "FAILED"], data, 0 if passed else 1)


def _table(path: str) -> str:
    """Return the table that a design names: a file, or standard input."""
    if path != STANDARD:
        return f"file: {path}"
    text = read_text(path, piped=True)
    return text if "\n" in text else f"{text}\n"


def _headings(header: bool | None, labels: bool | None) -> str:
    if header is None and labels is None:
        return "detect"
    return {(True, True): "both", (True, False): "header", (False, True): "labels"}.get((bool(header), bool(labels)), "none")


def _within(found: InspectAnswer, alpha: Any) -> bool:
    ratio = found.profile.exp_epsilon
    return bool(not alpha or (ratio != float("inf") and ratio * alpha <= 1))


def _lines(path: str, found: InspectAnswer) -> list[str]:
    facts = [(finding.label, finding) for finding in found.findings.values()]
    width = max(len(label) for label, _ in facts)
    lines = [
        f"  {label:<{width}}  {format_finding(each, 'long')}{f' ({each.note})' if each.note else ''}" for label, each in facts
    ]
    return [f"{shown(path)}: {found.sentence}", *(f"  {check}" for check in found.checks), *lines]


def _data(found: InspectAnswer) -> dict[str, Any]:
    return {
        "sentence": found.sentence,
        "read": found.source.words,
        "remarks": list(found.source.remarks),
        "findings": {key: as_json(finding) for key, finding in found.findings.items()},
        **found.details(),
    }
