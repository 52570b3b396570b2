"""``dpdesigner solve`` and ``dpdesigner sample``: the answer to a design of any kind, and releases from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpdesigner.cli.output import Output, chosen_studies, chosen_study, joined, with_real_errors
from dpdesigner.cli.streams import ProgressLine
from dpdesigner.core.basics.parsing import exact, parse_integer
from dpdesigner.data.grid import STANDARD, file_title
from dpdesigner.errors import InputError
from dpdesigner.files.export import Export, export_of

MOST_DRAWS = 1_000_000


def solve_command(paths: Sequence[str], which: str | None, exact: bool, real_errors: bool = False) -> Output:
    """Solve the designs of project files.

    Parameters
    ----------
    paths : sequence of str
    which : str or None
        The number of one design, from 1, or its name; None for all. For a single file.
    exact : bool
        Work in rational arithmetic.
    real_errors : bool
        Tell real errors, too, which is not private.

    Returns
    -------
    Output
        Its JSON value is the solution of a single design, or ``{"studies": [...]}``; of several files ``{"files": [...]}``, each
        with ``"file"`` and ``"studies"``.
    """
    if which is not None and len(paths) > 1:
        raise InputError(f"--design selects a design of one file; got {len(paths)} files.", "file")
    if list(paths).count(STANDARD) > 1:
        raise InputError("standard input can be read once, got - more than once.", "file")
    with ProgressLine() as tell:
        chosen = [chosen_studies(path, which) for path in paths]
        every, warnings = with_real_errors([study for studies in chosen for study in studies], real_errors)
        outputs = [solution(export_of(study, exact=exact, progress=tell), exact) for study in every]
    if len(paths) == 1:
        return joined(outputs, outputs[0].data if len(outputs) == 1 else {"studies": [each.data for each in outputs]}, warnings)
    solved, named, data = iter(outputs), [], []
    for path, studies in zip(paths, chosen, strict=True):
        own = [next(solved) for _ in studies]
        named += [Output([f"{file_title(path)}: {each.lines[0]}", *each.lines[1:]], each.data) for each in own]
        data.append({"file": path, "studies": [each.data for each in own]})
    return joined(named, {"files": data}, warnings)


def solution(solved: Export, full: bool = False) -> Output:
    """Return the lines of a solved design, its numbers with six digits or with all of them, and its JSON value."""
    facts = solved.facts(full)
    width = max(14, *(len(label) for label, _ in facts))
    lines = [f"  {label:<{width}}  {text}" for label, text in facts]
    return Output([f"{solved.title}: {solved.line}".rstrip(": "), *lines], solved.data())


def sample_command(path: str, which: str | None, count: str | None, draws: str) -> Output:
    """Draw from the mechanism of a design: exactly, from the operating system's entropy, or otherwise with a warning.

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
