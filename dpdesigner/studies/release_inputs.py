"""What releases of made-up data share: how private, how near, how sure, and whether how far off they really are goes into files.

The last is computed from people's data without noise: it is told only where that is asked for, with a warning.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import floor, log10
from typing import Any, ClassVar

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.core.numbers.rounding import rounded_down
from dpdesigner.core.privacy.accountant import UNBOUNDED, Adjacency, Spent, budget_of
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.messages import Message, message
from dpdesigner.studies.fields import choice, declare, number
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.inputs.numbers import epsilon_input

KEPT, PUBLISHED = "kept", "published"

#: Stands wherever a real error does.
WARNING = message("the measured error is included, which is not private: it is computed from the data, and ε does not cover it")
BADGE = message("not private with its measured error")


class Releasing:
    """A design of a release whose epsilon is a number of its own: alpha means the target error in its papers."""

    refused: ClassVar[Mapping[str, str]] = {
        "alpha": "takes the privacy level as epsilon and the target error, where it has one, as error; it has no alpha"
    }

    epsilon: Number
    seed: int | None

    @property
    def privacy(self) -> PrivacyLevel:
        """The level of the whole release."""
        return PrivacyLevel.from_epsilon(self.epsilon)

    @property
    def spent(self) -> Spent | None:
        """The privacy loss of one release: its level, unless measured errors are released with it."""
        return UNBOUNDED if self.tells else Spent(self.privacy, adjacency=self.adjacency)

    @property
    def adjacency(self) -> Adjacency:
        """Between which databases that holds: the number of rows is public, unless it is said otherwise."""
        return "replace"

    @property
    def budget(self) -> Any:
        """Epsilon as a fraction; irrational ones are rounded down in the fifteenth digit."""
        return budget_of(self.privacy)

    @property
    def tells(self) -> bool:
        """Whether what is computed from people's data goes into files."""
        return getattr(self, "real_errors", KEPT) == PUBLISHED and not getattr(self, "drawn", False)

    def badge(self, proved: Message) -> tuple[Message, State]:
        """Return what is proved, but first that real errors are told, where they are."""
        return (BADGE, "open") if self.tells else (proved, "proved")

    def checks(self, *private: Message) -> tuple[Message, ...]:
        """Return what was verified, with the warnings that the release needs."""
        warnings = [message("✗ {warning}", warning=WARNING)] if self.tells else []
        if self.seed is not None:
            warnings.append(message("seed {seed}: for study only, not for publication", seed=self.seed))
        return (*private, *warnings)

    def of_epsilon(self, note: str = "") -> Finding:
        """Return the privacy of the whole release as a finding."""
        epsilon = self.privacy.epsilon_above
        return Finding(message("privacy ε"), epsilon, digits=6, rounding="up", state="proved", note=note)


def how_private() -> Number:
    """Ask for epsilon, as a number."""
    return declare(epsilon_input(), default=1, required=True, label=message("How private"), term=message("privacy level ε"))


def how_near(default: Number, undo: str = "") -> Number:
    """Ask for the error aimed for, as a share of the rows; papers call it alpha."""
    form = number("1/1000", "99/100", scale="log", symbol="α")
    return declare(form, default=default, label=message("Target error"), term=message("as a share of the rows"), undo=undo)


def how_sure(least: Number = "1e-6", joined: bool = False) -> Number:
    """Ask for delta, the chance that the error is larger after all."""
    form = number(least, "1/2", scale="log", symbol="δ")
    return declare(form, default="0.05", label=message("Failure probability"), term=message("of the error bound"), joined=joined)


def percent_sure(delta: Number) -> Decimal:
    """Return how sure it is in percent: rounded down, with so many digits that it is less than 100."""
    return rounded_down(100 * (1 - exact(delta)), max(4, -floor(log10(double(delta)))))


def real_errors() -> Any:
    """Ask whether real errors go into files; a field of a declared design."""
    return declare(
        choice((KEPT, message("stays with you")), (PUBLISHED, message("included in files"))),
        default=KEPT,
        label=message("Measured error"),
        term=message("not private"),
        note=message("The measured error is computed from the data without noise. A file that contains it is not private."),
        undo=message("Publish the measured error"),
        when=lambda design: not getattr(design, "drawn", False),
        aside=True,
    )
