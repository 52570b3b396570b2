"""``dpdesigner solve`` and ``dpdesigner sample``: the answer to a design of any kind, and releases from it."""

from __future__ import annotations

from typing import Any

from dpdesigner.cli.output import Output, chosen_studies, chosen_study, joined, with_real_errors
from dpdesigner.cli.progress_line import ProgressLine
from dpdesigner.core.numbers.parsing import exact, parse_integer
from dpdesigner.files.export.export import Export, export_of

MOST_DRAWS = 1_000_000


def solve_command(path: str, which: str | None, exact: bool, real_errors: bool = False) -> Output:
    """Solve the designs of a project file.

    Parameters
    ----------
    path : str
    which : str or None
        The number of one design, from 1, or its name; None for all.
    exact : bool
        Work in rational arithmetic.
    real_errors : bool
        Tell real errors, too, which is not private.

    Returns
    -------
    Output
        Its JSON value is the solution of a single design, or ``{"studies": [...]}``.
    """
    with ProgressLine() as tell:
        studies, warnings = with_real_errors(chosen_studies(path, which), real_errors)
        outputs = [solution(export_of(study, exact=exact, progress=tell), exact) for study in studies]
    data = outputs[0].data if len(outputs) == 1 else {"studies": [output.data for output in outputs]}
    return joined(outputs, data, warnings)


def solution(solved: Export, full: bool = False) -> Output:
    """Return the lines of a solved design, its numbers with six digits or with all of them, and its JSON value."""
    facts = solved.facts(full)
    width = max(14, *(len(label) for label, _ in facts))
    lines = [f"  {label:<{width}}  {text}" for label, text in facts]
    return Output([f"{solved.title}: {solved.line}".rstrip(": "), *lines], solved.data())


def sample_command(path: str, which: str | None, count: str | None, draws: str) -> Output:
    """Draw from the mechanism of a design: exactly, from the operating system's entropy, or else with a warning.

    Parameters
    ----------
    path : str
    which : str or None
        The number or the name of one of several designs.
    count : str or None
        The true result, for a count design.
    draws : str
        How many.
    """
    times = parse_integer(draws, "the number of draws", 1, MOST_DRAWS)
    with ProgressLine() as tell:
        released = export_of(chosen_study(path, which), progress=tell).release(times, count)
    data: dict[str, Any] = {"count": int(exact(count))} if count is not None else {}
    if released.names:
        data["names"] = list(released.names)
    return Output(
        [" ".join(map(repr, value)) if isinstance(value, list) else str(value) for value in released.values],
        {**data, "draws": list(released.values), "exact": released.exact},
        0,
        [released.warning] if released.warning else [],
    )
