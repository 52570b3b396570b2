"""An expected loss or cost to aim for, from which the privacy level follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.job import Job
from dpdesigner.studies.study import Progress, Study


@dataclass(frozen=True)
class Aim:
    """The level that reaches a target, and whether the drag that asked for it has ended."""

    design: Study
    level: PrivacyLevel
    final: bool


def aiming(design: Study, final: bool, find: Callable[[Progress], PrivacyLevel]) -> Job:
    """Return the job ``"target"``, which looks for the most private level that reaches a target."""
    return Job("target", lambda progress: Aim(design, find(progress), final), live=True)
