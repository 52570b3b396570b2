"""Buttons and jobs of a histogram: counting the rows, releasing the counts, and keeping them with the design."""

from __future__ import annotations

from typing import Any

from dpdesigner.messages import message
from dpdesigner.studies.job import Job
from dpdesigner.studies.snapshot import Action, Found, SideJob, Snapshot


def truth_of(now: Snapshot) -> Any:
    """Return the true counts of the design that is shown; None while they are not counted."""
    found = now.outcomes.get("truth")
    if not isinstance(found, Found) or now.design.kind != "histogram":
        return None
    return found.value if found.value.source == now.design.source else None


def release(now: Snapshot) -> Job:
    """Release every cell once, with exact noise from the system's entropy."""
    answer, truth = now.answer, truth_of(now)
    return Job("release", lambda progress: Found(now.solved, answer.release(truth)))


def _keep(now: Snapshot) -> Any:
    kept = None if now.design.counts is not None else tuple(truth_of(now).counts.tolist())
    return now.design.replace(counts=kept)


def counted(now: Snapshot) -> bool:
    """Return whether there is something to release."""
    return bool(now.answer.design == now.design) and truth_of(now) is not None


BUTTONS = (
    Action(
        message("Release once"),
        release,
        message("Draw exact noise for every cell. Each release spends ε once more"),
        on="histogram",
        when=counted,
        command=message("Release the histogram once"),
        presented=True,
        main=True,
    ),
    Action(
        message("Truth"),
        lambda now: {"truth": not now.view["truth"]},
        message("Show the true counts as well; exported pictures and tables never contain them"),
        on="histogram",
        when=lambda now: now.design.kind == "histogram",
        chosen=lambda now: bool(now.view.get("truth")),
        command=message("Show or hide the true counts"),
        presented=True,
    ),
    Action(
        message("Keep the counts"),
        _keep,
        message("Save the true counts with the design, for use on computers without the data"),
        on="histogram",
        when=lambda now: now.design.kind == "histogram" and (now.design.counts is not None or truth_of(now) is not None),
        chosen=lambda now: now.design.kind == "histogram" and now.design.counts is not None,
        command=message("Keep the true counts with the design"),
    ),
)


def _uncounted(now: Snapshot) -> bool:
    return now.design.source.is_set and truth_of(now) is None


SIDE_JOBS = (SideJob("truth", lambda answer, progress: answer.count(), _uncounted, slow=False),)
