"""What a reader of one release can find out about one person at most, as bars, by the privacy level alone."""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.delta import risks
from dpdesigner.core.inspection.profile import profile
from dpdesigner.core.inspection.table import exact_table
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.messages import message
from dpdesigner.studies.table_panels import Rank, Ranking

_NONE = Fraction(0)


def reader_panel(level: PrivacyLevel, delta: Fraction = _NONE) -> Ranking:
    """Return what a reader of one release that is private at a level can find out at most, as a card for other pages."""
    alpha = level.alpha_below
    if delta:
        return _with_delta(1 / alpha, delta)
    apart = exact_table([[1 / (1 + alpha), alpha / (1 + alpha)], [alpha / (1 + alpha), 1 / (1 + alpha)]])
    found = profile(apart)
    values = (
        (message("50:50 bets won at most"), found.success(Fraction(1, 2))),
        (message("found out at a false-alarm rate of 1%"), found.found_out(Fraction(1, 100))),
    )
    rows = [Rank(label, 100 * float(value), text=figure(100 * value, 3)) for label, value in values]
    return Ranking("reader", message("Risk per 100 people"), tuple(rows), head=message("rounded up"), ends=100.0)


def _with_delta(ratio: Fraction, delta: Fraction) -> Ranking:
    """The same with a delta, and in the second number what it would be without."""
    values = (
        (message("50:50 bets won at most"), [risks.bet(ratio, part) for part in (delta, _NONE)]),
        (
            message("found out at a false-alarm rate of 1%"),
            [risks.found_out(ratio, part, risks.USUAL_RATE) for part in (delta, _NONE)],
        ),
    )
    rows = [
        Rank(label, 100 * float(value), text=figure(100 * value, 3), before=100 * float(without))
        for label, (value, without) in values
    ]
    return Ranking("reader", message("Risk per 100 people"), tuple(rows), head=message("rounded up"), ends=100.0)
