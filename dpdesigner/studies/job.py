"""A piece of work on a study: what its page, and whoever runs it in the background, agree on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.study import Progress, Study


@dataclass(frozen=True)
class Job:
    """Something to compute in the background for a study.

    Parameters
    ----------
    name : str
        What it gives: ``"solve"``, ``"witness"``, ... A new job takes the place of the page's older one of the same name.
    run : Callable
        Called as ``run(progress)`` in another thread; it must touch no widget. What it returns goes to the page.
    slow : bool
        Whether it may take longer than a few frames. Slow jobs wait for each other but never delay the quick ones.
    live : bool
        Whether it keeps up with the mouse: it runs for previews too, and while a drag lasts each answer is shown even if a newer
        one is already asked for. Otherwise it runs for settled studies only and is cancelled when the study changes.
    title : str
        What the status bar calls it while it runs, for example ``"linear program"``.
    """

    name: str
    run: Callable[[Progress], Any]
    slow: bool = False
    live: bool = True
    title: str = ""


@dataclass(frozen=True)
class Aim:
    """The level that reaches an expected loss or cost that was aimed for, and whether the drag that asked for it has ended."""

    design: Study
    level: PrivacyLevel
    final: bool

    @classmethod
    def job(cls, design: Study, final: bool, find: Callable[[Progress], PrivacyLevel]) -> Job:
        """Return the job ``"target"``, which looks for the most private level that reaches a target."""
        return Job("target", lambda progress: cls(design, find(progress), final), live=True)
