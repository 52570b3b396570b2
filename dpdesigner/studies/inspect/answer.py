"""The answer to an inspection: what the table reveals, how it is read, and its plots."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from dpdesigner.core.basics.parsing import exact, exact_text
from dpdesigner.core.inspection.curves import TradeOff
from dpdesigner.core.inspection.optimum import Deficiency, deficiency
from dpdesigner.core.inspection.profile import Profile, profile
from dpdesigner.core.inspection.reading import Reader
from dpdesigner.core.inspection.table import ReleaseTable
from dpdesigner.data.office_tables import NoiseTable
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Why
from dpdesigner.studies.inspect.design import InspectDesign

WHY = Why(
    message(
        "<b>Risk of detection.</b> Of two counts that differ by one person, an attacker sees one release and says “in” or "
        "“not in”. The best tests say “in” where the ratio of the two probabilities is large. These tests are the corners of "
        "the curve; points between the corners are reached by choosing a test at random. The curve shows the worst two "
        "counts: {found_out} are found out.\n\n<b>δ</b> is what the ratio e<sup>ε</sup> does not cover: the largest sum of P "
        "− e<sup>ε</sup> Q over releases, {delta} here. It is 0 if e<sup>ε</sup> is at least the largest ratio, "
        "{exp_epsilon}.\n\n<b>Use.</b> Each release is read with the least expected loss under this prior and loss: "
        "{best_loss}. Geometric noise, the best noise for a count, has the same expected loss at ε = {epsilon_same_use}."
    ),
    formula=message("δ(ε) = max Σ<sub><i>r</i></sub> (<i>M<sub>ir</sub></i> − e<sup>ε</sup> <i>M<sub>kr</sub></i>)<sub>+</sub>"),
    sources=message(
        "A. Ghosh, T. Roughgarden, M. Sundararajan (2009), for the best noise. J. Neyman, E. S. Pearson (1933), for the tests."
    ),
    help="inspect",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class InspectAnswer(Answer):
    """The result of an inspection.

    Attributes
    ----------
    design : InspectDesign
    source : NoiseTable
        The table as it was read.
    releases : ReleaseTable
        As probabilities, before sampling.
    profile : Profile
        Of every two neighbouring rows, for an attacker who knows everybody else.
    people : Profile
        For the attacker of the design; the same where that one knows everybody else.
    reader : Reader
        The table as this user reads it.
    passed : bool
        Whether the table as written is a mechanism, and as private as was asked.
    """

    design: InspectDesign
    source: NoiseTable
    releases: ReleaseTable
    profile: Profile
    people: Profile
    reader: Reader
    passed: bool

    @property
    def worst(self) -> tuple[tuple[int, int], TradeOff]:
        """The pair of rows at which most people are identified at the design's false alarm rate, and its curve."""
        place = self.people.worst_pair(exact(self.design.false_alarms))
        return self.people.pairs[place], self.people.curves[place].curve

    def pair(self, place: int) -> tuple[tuple[int, int], TradeOff]:
        """Return the pair of rows at a position, and its curve; the worst pair for -1 or if there is none."""
        if not 0 <= place < len(self.people.pairs):
            return self.worst
        return self.people.pairs[place], self.people.curves[place].curve

    def curve(self, i: int, k: int) -> TradeOff:
        """Return the trade-off curve of two neighbouring rows, for a person counted in row i and not in row k."""
        return self.profile.curves[self.profile.pairs.index((i, k))].curve

    @cached_property
    def deficiency(self) -> Deficiency | None:
        """The loss of the worst user, per unit of the range of their loss; None if it takes too long."""
        return deficiency(self.reader.table, profile(self.reader.table).exp_epsilon)

    def details(self) -> dict[str, Any]:
        """Return the kinks of delta, the corners of the worst curve and every pair, as JSON values, fractions as text."""
        (i, k), curve = self.worst
        return {
            "kinks": [{"exp_epsilon": _json(t), "delta": _json(delta)} for t, delta in self.profile.kinks],
            "corners": {
                "pair": [i, k],
                "points": [{"false_alarms": _json(q), "found_out": _json(p)} for q, p in curve.points],
            },
            "pairs": [
                {
                    "in": i,
                    "out": k,
                    "exp_epsilon": _json(each.ratio if each.ratio == math.inf else each.ratio**self.profile.releases),
                    "delta": _json(several.curve.delta(1 / self.design.privacy.alpha_above)),
                    "total_variation": _json(several.curve.delta(Fraction(1))),
                }
                for (i, k), each, several in zip(self.profile.pairs, self.profile.contrasts, self.profile.curves, strict=True)
            ],
        }


def released_column(design: InspectDesign, table: ReleaseTable) -> tuple[int, int]:
    """Return the release for which intervals are shown, and its column: the middle of 0..n, or the nearest to a named one."""
    wanted = table.n // 2 if design.released is None else int(exact(design.released))
    place = min(range(len(table.labels)), key=lambda r: (abs(table.labels[r] - wanted), r))
    return table.labels[place], place


def _json(value: Fraction | float) -> str | float:
    if isinstance(value, Fraction):
        return exact_text(value) if value.denominator.bit_length() < 2000 else float(value)
    return "inf" if value == math.inf else value
