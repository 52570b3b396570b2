"""A noise outcome as a few lines of Python that draw its noise without this program."""

from __future__ import annotations

from dpdesigner.core.noise.snippet import snippet
from dpdesigner.studies.noise.outcome import NoiseOutcome


def python_snippet(outcome: NoiseOutcome) -> str:
    """Return a program that returns noise; parameters and errors as `dpdesigner.core.noise.snippet.snippet`."""
    return snippet(outcome.noise, outcome.design.privacy)
