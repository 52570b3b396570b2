"""A count design as it is compared with others. No widget is touched here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.studies.count.answer import answer
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.panels import compared_plots

#: A larger matrix, or a curve of more points, tells nothing that can be seen.
_LARGEST = 1000
#: What two designs are compared by, where it is known of them.
_COMPARED = ("value", "gap", "epsilon", "released", "real", "face", "staircase", "half", "laplace", "ignore")


def portrait(design: CountDesign, outcomes: Mapping[str, Any]) -> Portrait:
    """Describe a design by what its jobs gave; answers for other designs are left out."""
    known = answer(design, outcomes)
    if known is None:
        return Portrait(design.inputs)
    results = {key: known.findings[key] for key in _COMPARED if key in known.findings}
    matrix = known.mechanism.matrix if design.n <= _LARGEST else None
    return Portrait(design.inputs, results, matrix, compared_plots(known))
