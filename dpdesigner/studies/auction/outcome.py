"""What running an auction design gives: its numbers, and what is said and drawn of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dpdesigner.studies.auction import panels, words
from dpdesigner.studies.auction.numbers import AuctionNumbers, Lie
from dpdesigner.studies.declared import Panel
from dpdesigner.studies.findings import Findings, State
from dpdesigner.studies.told import Told


@dataclass(frozen=True, eq=False, repr=False)
class AuctionOutcome(AuctionNumbers, Told):
    """A price that takes bids, with all that is told of it."""

    def with_most(self, most: Lie | None) -> AuctionOutcome:
        """Return the same with who gains most by lying."""
        return replace(self, most=most)

    @cached_property
    def findings(self) -> Findings:
        """What is told of it, the expected revenue first."""
        return words.findings(self)

    @cached_property
    def sentence(self) -> str:
        """The result in plain words."""
        return words.sentence(self)

    @property
    def badge(self) -> tuple[str, State]:
        """What is proved."""
        return words.badge(self)

    @cached_property
    def checks(self) -> tuple[str, ...]:
        """What was verified."""
        return words.checks(self)

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the panels; ``view["bidder"]`` and ``view["says"]`` name a bidder and what is said instead of the truth."""
        return panels.panels(self, view)
