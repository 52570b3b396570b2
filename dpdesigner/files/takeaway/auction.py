"""What can be taken away from an auction: what it earns and promises, and prices; single bids only if they are public."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from dpdesigner.files.takeaway.declared import DeclaredTakeaway
from dpdesigner.files.takeaway.releases import Releases, refuse_count, released
from dpdesigner.files.takeaway.words import finite
from dpdesigner.studies.auction.outcome import AuctionOutcome
from dpdesigner.studies.tables import Table

_BIDS = ("bids", "demand", "path")
_FOR_THE_SELLER = (
    "Expected revenue, OPT and the promise are computed from the bids and are not private: they are for the seller, "
    "and only a price that was drawn may be published."
)


class AuctionTakeaway(DeclaredTakeaway):
    """A price that takes bids."""

    outcome: AuctionOutcome  # type: ignore[assignment]  # it has all that an answer has

    def inputs(self) -> dict[str, Any]:
        """Return the inputs, without secret bids and without the place of the data."""
        hidden = ("path",) if self.outcome.design.told else _BIDS
        return {key: value for key, value in super().inputs().items() if key not in hidden}

    def results(self) -> dict[str, Any]:
        """Return what is earned and promised, and how private the price is."""
        outcome = self.outcome
        return {
            "expected_revenue": outcome.expected_revenue,
            "optimum": outcome.optimum,
            "bound": outcome.bound,
            "epsilon": outcome.epsilon,
            "lying_limit": finite(outcome.limit),
        }

    def proof(self) -> list[str]:
        """Return the sentence, what is proved, and for whom the numbers are."""
        return [*super().proof(), _FOR_THE_SELLER]

    @cached_property
    def _tables(self) -> list[Table]:
        """The tables of all panels, but for those of secret bids."""
        return [table for table in super()._tables if table.rows]

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw prices exactly, from the operating system's entropy."""
        refuse_count(count, "an auction draws a price from its bids")
        return released([self.outcome.draw() for _ in range(draws)], self.outcome.epsilon, "prices from the same bids")
