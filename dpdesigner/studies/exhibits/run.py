"""Runs the gallery or an exhibit: each knows how itself."""

from __future__ import annotations

from dpdesigner.studies.declared import Answer, Declared
from dpdesigner.studies.study import Progress, silent


def run(design: Declared, progress: Progress = silent) -> Answer:
    """Compute the answer."""
    answer: Answer = design.run(progress)
    return answer
