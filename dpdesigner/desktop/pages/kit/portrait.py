"""What a design comes to, as values that can be laid beside those of another design. No widget is touched here."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.studies.panels import Plot

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Fact:
    """One line of a portrait.

    Parameters
    ----------
    label : str
        What it is: ``"expected loss"``; lines of two portraits with the same label belong together.
    text : str
        What it is here: ``"1.1689"``.
    value : float or None
        The number behind the text, where a difference of two makes sense.
    held : Hashable
        What decides whether two lines are the same where their texts do not, as with two drawn priors; beside a value, what it
        is measured by: values measured by different losses have no difference.
    """

    label: str
    text: str
    value: float | None = None
    held: Hashable = None


@dataclass(frozen=True, eq=False)
class Portrait:
    """Everything of a design that is compared.

    Parameters
    ----------
    inputs, results : tuple of Fact
        What was asked, and what came out; the first result is the figure by which designs are judged (less is better).
    matrix : ndarray or None
        The mechanism as probabilities, rows = true result; None where there is none, or where it is too large to be seen.
    charts : tuple of Plot
        The most important first; those of two portraits with the same title are laid over each other.
    """

    inputs: tuple[Fact, ...]
    results: tuple[Fact, ...] = ()
    matrix: Floats | None = None
    charts: tuple[Plot, ...] = ()


def plain_portrait(study: Any) -> Portrait:
    """Return the inputs of any study as it names them itself."""
    inputs = {label: value for label, value in study.to_json().items() if label not in ("kind", "name")}
    return Portrait(tuple(Fact(label, str(value)) for label, value in inputs.items()))
