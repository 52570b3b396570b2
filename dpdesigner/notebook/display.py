"""An outcome in a notebook: its table as text, its picture, its page. `dpdesigner.studies.answer.Outcome` has them as methods."""

from __future__ import annotations

from typing import Any

from dpdesigner import resources
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.errors import InputError
from dpdesigner.files.export.export import Export, export_of
from dpdesigner.notebook.plot import drawn
from dpdesigner.studies.findings import describe_finding, public
from dpdesigner.studies.study import design_of

#: A page in a notebook has so many findings and tables, and tables only of a design that is not large.
_FINDINGS, _TABLES, _LARGEST_LISTED = 8, 2, 60


def export_of_result(outcome: Any) -> Export:
    """Return what can be taken away from an outcome, which is not run again."""
    return export_of(design_of(outcome), done={"solve": outcome})


def table(outcome: Any, file_format: str = "csv", fractions: bool = False) -> str:
    """Return the text of the first table that export would write; see `dpdesigner.studies.answer.Outcome.table`."""
    solved = export_of_result(outcome)
    solved.check([file_format], fractions)
    file = next(solved.files("table", [file_format], fractions), None)
    if file is None:
        raise InputError(f"a {solved.study.kind} design has no table.", "format")
    return file.text


def plot(outcome: Any, which: str | None = None, axes: Any = None) -> Any:
    """Draw one of the panels that can be drawn; see `dpdesigner.studies.answer.Outcome.plot`."""
    panels = {panel.key: panel for panel in export_of_result(outcome).panels()}
    if not panels or (which is not None and which not in panels):
        there = ", ".join(panels) or "none"
        raise InputError(f"the picture must be one of {there}, got {cut(which or 'none')}.", "which")
    return drawn(panels[which] if which is not None else next(iter(panels.values())), axes)


def html(outcome: Any) -> str:
    """Return a page of a few lines: the design, the findings, the table where it is small, and what was proved."""
    solved = export_of_result(outcome)
    small = getattr(solved.study, "n", 0) <= _LARGEST_LISTED
    findings = [(finding, describe_finding(finding)) for finding in public(outcome.findings).values()]
    return (
        resources.templates("report", autoescape=True)
        .get_template("notebook.html")
        .render(
            title=solved.title,
            line=solved.line,
            findings=[(finding.label, text, finding.state) for finding, text in findings[:_FINDINGS]],
            listings=solved.listings()[:_TABLES] if small else [],
            proof=solved.proof() if small else [],
        )
    )
