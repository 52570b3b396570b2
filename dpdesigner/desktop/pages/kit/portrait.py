"""What a design comes to, as values that can be laid beside those of another design. No widget is touched here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dpdesigner.arrays import Floats
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.studies.findings import Finding, Findings
from dpdesigner.studies.matrices import Matrix
from dpdesigner.studies.panels import Plot


@dataclass(frozen=True, eq=False)
class Portrait:
    """Everything of a design that is compared.

    Parameters
    ----------
    inputs, results : mapping of Finding
        What was asked, and what came out; the first result is the figure of the header. Those of
        two portraits with the same label belong together; they are the same where text and measure are, and have no difference
        where they are measured by different things.
    matrix : ndarray or None
        The mechanism as probabilities, rows = true result; None where there is none, or where it is too large to be seen.
    charts : tuple of Plot
        The most important first; those of two portraits with the same title are laid over each other.
    """

    inputs: Findings
    results: Findings = field(default_factory=dict)
    matrix: Floats | None = None
    charts: tuple[Plot, ...] = ()


def plain_portrait(study: Any) -> Portrait:
    """Return the inputs of any study as it names them itself."""
    inputs = {label: value for label, value in study.to_json().items() if label not in ("kind", "name")}
    return Portrait({label: Finding(label, str(value)) for label, value in inputs.items()})


def portrait(design: Any, answer: Any) -> Portrait:
    """Return what a design of any kind comes to: a declared one as its inputs and findings say, another by its inputs."""
    from dpdesigner.studies.base import DeclaredDesign  # the first page that is shown need not wait for it

    if not isinstance(design, DeclaredDesign):
        return plain_portrait(design)
    inputs = {}
    for each in design.inputs():
        if each.matters(design):
            value = each.of(design)
            label = each.input.symbol or translated(each.label)
            text = translated(each.input.text(value))
            inputs[each.key] = Finding(label, text, measure=each.input.identity(value))
    if answer is None:
        return Portrait(inputs)
    panels = answer.panels_in({})
    charts = tuple(panel.public() for panel in panels if isinstance(panel, Plot) and panel.public().lines)
    matrix = next((panel.cells.dense for panel in panels if isinstance(panel, Matrix)), None)
    return Portrait(inputs, answer.findings, matrix, charts)
