"""What running an auction design gives: its numbers, and what is said and drawn of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpdesigner.studies.answer import Outcome, Why
from dpdesigner.studies.auction.numbers import Lie
from dpdesigner.studies.auction.panels import panels
from dpdesigner.studies.auction.words import AuctionWords
from dpdesigner.studies.base import Panel


@dataclass(frozen=True, eq=False, repr=False)
class AuctionOutcome(AuctionWords, Outcome):
    """A price that takes bids, with all that is told of it."""

    def with_most(self, most: Lie | None) -> AuctionOutcome:
        """Return the same with who gains most by lying."""
        return replace(self, most=most)

    @property
    def why(self) -> Why:
        """The explanation of the auction page."""
        return Why(template="auction", help="auction")

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the panels; ``view["bidder"]`` and ``view["says"]`` name a bidder and what is said instead of the truth."""
        return panels(self, view)
