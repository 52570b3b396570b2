"""A page that is never shown and has no widgets: what its figures are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dpdesigner.desktop.pages.kit.painting import Figure
from dpdesigner.studies.job import Job


class HiddenPage:
    """What of a `Page` is needed for its figures, where these are panels that are painted when they are asked for.

    A page whose figures need no widgets of its own returns one from `Page.hidden`.
    """

    def __init__(self) -> None:
        self.outcomes: dict[str, Any] = {}
        self.design: Any = None
        self.view: dict[str, Any] = {}

    def set_study(self, study: Any) -> None:
        """Take a study."""
        self.design = study

    def jobs(self, study: Any) -> Sequence[Job]:
        """Return what the figures are made from."""
        return (Job("solve", study.run),)

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Take what a job gave; it is among the outcomes."""

    def views(self) -> Sequence[str]:
        """Return the views whose figures differ."""
        return ()

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Take what is selected and open."""
        self.view |= state

    def figures(self) -> Iterable[Figure]:
        """Return the pictures, as the page does."""
        raise NotImplementedError
