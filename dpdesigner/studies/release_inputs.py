"""The inputs that releases of synthetic data share: privacy, accuracy, confidence, and whether measured errors go into files.

The last is computed from people's data without noise: it is told only where that is asked for, with a warning.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import floor, log10
from typing import Any, ClassVar

from dpdesigner.core.basics.accountant import UNBOUNDED, Adjacency, Spent, budget_of
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, double, exact
from dpdesigner.core.basics.rounding import rounded_down
from dpdesigner.messages import Message, message
from dpdesigner.studies.fields import choice, declare, number
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.inputs.numbers import epsilon_input

KEPT, PUBLISHED = "kept", "published"

#: Shown wherever a measured error is.
WARNING = message("the measured error is included, which is not private: it is computed from the data, and ε does not cover it")
BADGE = message("not private with its measured error")


class Releasing:
    """A base class of release designs with epsilon as a number, because alpha means the target error in their papers."""

    refused: ClassVar[Mapping[str, str]] = {
        "alpha": "takes the privacy level as epsilon and the target error, where it has one, as error; it has no alpha"
    }

    epsilon: Number
    seed: int | None

    @property
    def privacy(self) -> PrivacyLevel:
        """The privacy level of the whole release."""
        return PrivacyLevel.from_epsilon(self.epsilon)

    @property
    def spent(self) -> Spent | None:
        """The privacy loss of one release: its level, unless measured errors are released with it."""
        return UNBOUNDED if self.tells else Spent(self.privacy, adjacency=self.adjacency)

    @property
    def adjacency(self) -> Adjacency:
        """The neighbouring databases for which this holds: the number of rows is public, unless stated otherwise."""
        return "replace"

    @property
    def budget(self) -> Any:
        """Epsilon as a fraction; irrational values are rounded down at the fifteenth digit."""
        return budget_of(self.privacy)

    @property
    def tells(self) -> bool:
        """Whether results computed from people's data go into files."""
        return getattr(self, "real_errors", KEPT) == PUBLISHED and not getattr(self, "drawn", False)

    def badge(self, proved: Message) -> tuple[Message, State]:
        """Return the proved result, or instead a warning if measured errors are included."""
        return (BADGE, "open") if self.tells else (proved, "proved")

    def checks(self, *private: Message) -> tuple[Message, ...]:
        """Return the verified properties, with the warnings that the release needs."""
        warnings = [message("✗ {warning}", warning=WARNING)] if self.tells else []
        if self.seed is not None:
            warnings.append(message("seed {seed}: for study only, not for publication", seed=self.seed))
        return (*private, *warnings)

    def of_epsilon(self, note: str = "") -> Finding:
        """Return the privacy of the whole release as a finding."""
        epsilon = self.privacy.epsilon_above
        return Finding(message("privacy ε"), epsilon, digits=6, rounding="up", state="proved", note=note)


def how_private() -> Number:
    """Declare epsilon as a number."""
    return declare(epsilon_input(), default=1, required=True, label=message("How private"), term=message("ε"))


def how_near(default: Number, undo: str = "") -> Number:
    """Declare the target error as a share of the rows; papers call it alpha."""
    form = number("1/1000", "99/100", scale="log", symbol="α")
    return declare(form, default=default, label=message("Target error"), term=message("share of rows"), undo=undo)


def how_sure(least: Number = "1e-6", joined: bool = False) -> Number:
    """Declare delta, the probability that the error is larger."""
    form = number(least, "1/2", scale="log", symbol="δ")
    return declare(form, default="0.05", label=message("Failure probability"), term=message("of the error bound"), joined=joined)


def percent_sure(delta: Number) -> Decimal:
    """Return the confidence in percent: rounded down, with enough digits to be less than 100."""
    return rounded_down(100 * (1 - exact(delta)), max(4, -floor(log10(double(delta)))))


def sureness(delta: Number) -> Message:
    """Return the frequency with which a bound holds: ``in 19 releases of 20``."""
    times = 1 / exact(delta)
    if times.denominator == 1 and times <= 1000:
        return message("in {kept} releases of {all}", kept=times - 1, all=times)
    return message("in {share}% of releases", share=f"{percent_sure(delta):f}")


def real_errors() -> Any:
    """Declare whether measured errors go into files, as a field of a declared design."""
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
