"""``dpdesigner verify``: an exact check of any mechanism table, whether made by dpdesigner or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpdesigner.cli.inspection import profile_command
from dpdesigner.cli.output import Output, judging_study, shown
from dpdesigner.cli.readers import readers_command
from dpdesigner.cli.streams import ProgressLine
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import Quotient
from dpdesigner.core.mechanism.verification import Place, Verification
from dpdesigner.data.mechanism_tables import open_table
from dpdesigner.errors import InputError
from dpdesigner.files.export.formatting import number
from dpdesigner.files.export.verification_report import judge
from dpdesigner.studies.inputs.kinds import privacy_level


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
        Say what a reader can find out too; see `dpdesigner.cli.inspection.profile_command`.
    delta : str or None
        With it, the delta that the table must have at this epsilon.
    readers : str or None
        A file of readers, whose targets are checked instead; see `dpdesigner.cli.readers.readers_command`.

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
    data = _data(path, verification)
    if asked is None:
        return data
    return data | {
        "epsilon_asked": number(asked.epsilon),
        "private": verification.private(asked),
        "satisfied": verification.satisfies(asked),
    }


def _data(path: str, verification: Verification) -> dict[str, Any]:
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
