"""Export of an auction: a price and its privacy; what is computed from bids only if they are public."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from dpdesigner.files.export.declared import DeclaredExport
from dpdesigner.files.export.releases import Releases, refuse_count, released
from dpdesigner.messages import message
from dpdesigner.studies.auction.answer import AuctionAnswer
from dpdesigner.studies.findings import format_finding, public
from dpdesigner.studies.study import Progress
from dpdesigner.studies.table_panels import Table

_BIDS = ("bids", "demand", "path")
_FOR_THE_SELLER = (
    "Expected revenue, OPT and the lower bound are computed from the bids and are not private. They are for the "
    "seller; only a drawn price may be published."
)
_SECRET = (
    "The bids are secret, so results computed from them (expected revenue, OPT, the lower bound, prices and pictures) "
    "are omitted. The window shows them. They are exported if the design states that the bids are public."
)


class AuctionExport(DeclaredExport):
    """A price that takes bids."""

    outcome: AuctionAnswer

    @classmethod
    def completed(cls, outcome: AuctionAnswer, done: Mapping[str, Any], progress: Progress) -> AuctionAnswer:
        """Add who gains most by lying where the page has not found that yet."""
        return outcome if outcome.most is not None else replace(outcome, most=outcome.most_to_gain(progress))

    def inputs(self) -> dict[str, Any]:
        """Return the inputs, without secret bids and without the place of the data."""
        hidden = ("path",) if self.outcome.design.bids_public else _BIDS
        return {key: value for key, value in super().inputs().items() if key not in hidden}

    def details(self) -> dict[str, Any]:
        """Return for whom the numbers are, or why most are left out."""
        return {"remark": _FOR_THE_SELLER if self.outcome.design.bids_public else _SECRET}

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Add for whom the numbers are, or why most are left out."""
        return [*super().facts(full), ("remark", self.details()["remark"])]

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks that were made; for secret bids only the privacy, which holds for all bids."""
        return super().checks if self.told else self.outcome.checks[:1]

    def proof(self) -> list[str]:
        """Return the sentence, what is proved, and for whom the numbers are."""
        if self.outcome.design.bids_public:
            return [*super().proof(), _FOR_THE_SELLER]
        return [self.outcome.badge[0], self.outcome.checks[0], _SECRET]

    def panels(self) -> list[Any]:
        """Return the pictures, all of which show the bids."""
        return super().panels() if self.outcome.design.bids_public else []

    @cached_property
    def _tables(self) -> list[Table]:
        """What was found, with the remark, and the tables of all panels where the bids are public."""
        findings = public(self.outcome.findings).values()
        rows = tuple((finding.label, format_finding(finding, "full"), finding.note) for finding in findings)
        remark = self.details()["remark"]
        header = (message("what"), message("value"), message("note"))
        found = Table("findings", message("Results"), header, (*rows, (message("remark"), remark, "")), remark)
        return [*(super()._tables if self.outcome.design.bids_public else ()), found]

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw prices exactly, from the operating system's entropy."""
        refuse_count(count, "an auction draws a price from its bids")
        return released([self.outcome.draw() for _ in range(draws)], self.outcome.epsilon, "prices from the same bids")
