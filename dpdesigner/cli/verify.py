"""``dpdesigner verify`` and ``dpdesigner inspect``: an exact check of any mechanism table, its privacy and its utility."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpdesigner.cli.output import Output, judging_study, shown
from dpdesigner.cli.streams import ProgressLine
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import Quotient
from dpdesigner.core.mechanism.verification import Place, Verification
from dpdesigner.data.grid import STANDARD, read_text
from dpdesigner.data.mechanism_tables import open_table
from dpdesigner.data.office_tables import NotAMechanism
from dpdesigner.data.options import readers_in
from dpdesigner.errors import InputError
from dpdesigner.files.formatting import number
from dpdesigner.files.verification_report import judge
from dpdesigner.messages import without_markup
from dpdesigner.studies.findings import as_json, format_finding
from dpdesigner.studies.input_kinds import privacy_level
from dpdesigner.studies.inspect.answer import InspectAnswer
from dpdesigner.studies.inspect.audience_answer import AudienceAnswer
from dpdesigner.studies.inspect.audience_design import AudienceDesign
from dpdesigner.studies.inspect.design import InspectDesign
from dpdesigner.studies.number_inputs import epsilon_of


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
    lines = [f"{path}: {without_markup(found.sentence)}", *_reader_lines(found)]
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


def _reader_lines(found: AudienceAnswer) -> list[str]:
    facts: list[tuple[str, Any]] = [
        (f"{key.rpartition('/')[0]}: {finding.label}" if "/" in key else finding.label, finding)
        for key, finding in found.findings.items()
    ]
    width = max(len(label) for label, _ in facts)
    return [
        f"  {label:<{width}}  {format_finding(each, 'long')}{f' ({each.note})' if each.note else ''}" for label, each in facts
    ]


def verify_command(
    path: str,
    epsilon: str | None,
    alpha: str | None,
    design: str | None,
    study: str | None,
    header: bool | None = None,
    labels: bool | None = None,
    profile: bool = False,
    delta: str | None = None,
    readers: str | None = None,
) -> Output:
    """Check a table exactly.

    Parameters
    ----------
    path : str
        CSV or TSV.
    epsilon, alpha : str or None
        The privacy level that it is to have, given one way or not at all.
    design : str or None
        A project file: then also how far the table is from the optimum for this design, and its privacy level if none is given.
    study : str or None
        The number or name of the design in it.
    header, labels : bool or None
        Whether the first line is a header and the first column labels; see `dpdesigner.data.mechanism_tables.open_table`.
    profile : bool
        Say what a reader can find out too; see `dpdesigner.cli.verify.profile_command`.
    delta : str or None
        With it, the delta that the table must have at this epsilon.
    readers : str or None
        A file of readers, whose targets are checked instead; see `dpdesigner.cli.verify.readers_command`.

    Returns
    -------
    Output
        What was read of the file too. Status 1 if a row is not a distribution, epsilon is infinite, or above the one asked.
    """
    if study is not None and design is None:
        raise InputError("--study chooses a design in the file of --design; give --design too.", "study")
    if readers is not None:
        if design is not None or profile or delta is not None:
            raise InputError("--readers cannot be combined with --design, --profile and --delta; remove these.", "file")
        return readers_command(path, readers, epsilon, alpha)
    if profile or delta is not None:
        if design is not None:
            raise InputError("--profile and --delta cannot be combined with --design; remove --design.", "file")
        return profile_command(path, epsilon, alpha, delta, header, labels)
    level = privacy_level(epsilon, alpha)
    with ProgressLine() as tell:
        user = None if design is None else judging_study(design, study)
        table = open_table(path, header, labels)
        judgement = judge(table, level, user, tell)
    lines = [
        f"{shown(path)}: {judgement.size}",
        *(f"  {line}" for line in judgement.lines),
        "PASSED" if judgement.passed else "FAILED",
    ]
    cost = {} if judgement.cost is None else {"cost": dict(zip(("value", "gap"), judgement.cost, strict=True))}
    data = {
        **_with_verdict(path, judgement.verification, judgement.requested),
        "read": table.data,
        **cost,
        "passed": judgement.passed,
    }
    return Output(lines, data, 0 if judgement.passed else 1)


def _with_verdict(path: str, verification: Verification, asked: PrivacyLevel | None) -> dict[str, Any]:
    """The report of a verification, and whether the requested privacy is met."""
    data = _verified_data(path, verification)
    if asked is None:
        return data
    return data | {
        "epsilon_asked": number(asked.epsilon),
        "private": verification.private(asked),
        "satisfied": verification.satisfies(asked),
    }


def _verified_data(path: str, verification: Verification) -> dict[str, Any]:
    return {
        "file": str(Path(path)),
        "rows": verification.n_rows,
        "columns": verification.n_columns,
        "stochastic": verification.stochastic,
        "wrong_sums": [{"row": row, "excess": _digits(excess)} for row, excess in verification.excesses],
        "negative": [{"row": row, "column": column} for row, column in verification.negative],
        "n_negative": verification.n_negative,
        "epsilon": number(verification.epsilon),
        "ratio": "inf" if verification.largest is None else _digits(verification.largest),
        "worst": None if verification.worst is None else _place(verification.worst),
        "infinite": [_place(place) for place in verification.infinite],
        "n_infinite": verification.n_infinite,
    }


def _place(place: Place) -> dict[str, int]:
    return {"row": place.row, "next_row": place.row + 1, "column": place.column}


def _digits(value: Quotient) -> str:
    """Return a number with twenty digits, rounded up."""
    return str(value.rounded_up(20))
