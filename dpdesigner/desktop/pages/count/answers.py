"""What has been computed for the design on the page: the newest answers, and which mechanism they make the one to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.desktop.pages.count import words
from dpdesigner.studies.count.jobs import Compared
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.witness import Witness


@dataclass(frozen=True)
class Answers:
    """The newest outcomes by job name, read together.

    Attributes
    ----------
    outcomes : mapping
        Kept by the window, so that these answers stay up to date.
    """

    outcomes: Mapping[str, Any]

    @property
    def solved(self) -> CountOutcome | None:
        """The newest closed form: in fractions where that is of the same design."""
        quick, exact = self.outcomes.get("solve"), self.outcomes.get("exact")
        return exact if quick is not None and exact is not None and exact.study == quick.study else quick

    @property
    def witness(self) -> Witness | None:
        """What the linear program found for the design of the closed form."""
        solved, compared = self.solved, self.compared
        return compared.witness if solved is not None and compared is not None and compared.study == solved.study else None

    @property
    def compared(self) -> Compared | None:
        """The newest answer of the linear program beside the closed form of the same design.

        While a drag lasts, it may be a few frames behind the closed form that is shown.
        """
        solved, settled, followed = self.solved, self.outcomes.get("witness"), self.outcomes.get("follow")
        if solved is None:
            return None
        if settled is not None and settled.study == solved.study:
            return Compared(solved, settled)
        return followed if followed is not None and followed.study.n == solved.study.n else None

    @property
    def deciding(self) -> Witness | None:
        """The linear program's answer where that is the one to show as optimal."""
        solved, witness = self.solved, self.witness
        return witness if solved is not None and words.decides(solved, witness) else None

    @property
    def mechanism(self) -> Mechanism | None:
        """The mechanism to show as optimal."""
        solved, deciding = self.solved, self.deciding
        if solved is None:
            return None
        return solved.induced if deciding is None else deciding.held
