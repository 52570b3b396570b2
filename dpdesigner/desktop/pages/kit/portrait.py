"""What a design comes to, as values that can be laid beside those of another design. No widget is touched here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.studies.findings import Finding, Findings

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Chart:
    """One curve of a portrait; those of two portraits with the same title share a plot.

    Parameters
    ----------
    title : str
        A heading.
    axes : (str, str)
        Titles of x and y.
    x, y : ndarray
        The points, (k,), x in rising order.
    logarithmic : (bool, bool)
        Whether the x and the y axis are.
    steps : bool
        Whether each y holds until the next x.
    limits : (low, high) or None
        Ends of the x axis; None fits it.
    mark : (float, float) or None
        The point where the design stands on the curve.
    """

    title: str
    axes: tuple[str, str]
    x: Floats
    y: Floats
    logarithmic: tuple[bool, bool] = (False, False)
    steps: bool = False
    limits: tuple[float, float] | None = None
    mark: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Portrait:
    """Everything of a design that is compared.

    Parameters
    ----------
    inputs, results : mapping of Finding
        What was asked, and what came out; the first result is the figure by which designs are judged (less is better). Those of
        two portraits with the same label belong together; they are the same where text and measure are, and have no difference
        where they are measured by different things.
    matrix : ndarray or None
        The mechanism as probabilities, rows = true result; None where there is none, or where it is too large to be seen.
    charts : tuple of Chart
        The most important first.
    """

    inputs: Findings
    results: Findings = field(default_factory=dict)
    matrix: Floats | None = None
    charts: tuple[Chart, ...] = ()


def plain_portrait(study: Any) -> Portrait:
    """Return the inputs of any study as it names them itself."""
    inputs = {label: value for label, value in study.to_json().items() if label not in ("kind", "name")}
    return Portrait({label: Finding(label, str(value)) for label, value in inputs.items()})
