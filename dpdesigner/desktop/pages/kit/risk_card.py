"""The card of what a reader of one release can find out about one person at most, by the privacy level alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpdesigner.core.inspection.profile import profile
from dpdesigner.core.inspection.table import exact_table
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.messages import message
from dpdesigner.studies.table_panels import Rank, Ranking


class RiskCard(Card):
    """Bars of 100 people, from the same code as the Inspect page."""

    def __init__(self) -> None:
        super().__init__(self.tr("Disclosure risk"), self.tr("of 100, at most"), foldable=True)
        self.bars = CostBars()
        self.bars.setAccessibleName(self.tr("Disclosure risk"))
        self._level: tuple[PrivacyLevel, tuple[float, float] | None] | None = None
        self.add(self.bars)

    def show_level(self, level: PrivacyLevel, risks: tuple[float, float] | None = None) -> None:
        """Show the risks at a level; where a delta is allowed, bets won and people found out as probabilities."""
        if (level, risks) != self._level:
            self._level = level, risks
            panel = reader_panel(level) if risks is None else reader_panel_with_delta(*risks, level)
            self.bars.show_ranking(panel)
            self.set_line(f"{translated(panel.rows[0].label)}: {panel.rows[0].text}")


def reader_panel(level: PrivacyLevel) -> Ranking:
    """Return what a reader of one release that is private at a level can find out at most, as a card for other pages."""
    alpha = level.alpha_below
    apart = exact_table([[1 / (1 + alpha), alpha / (1 + alpha)], [alpha / (1 + alpha), 1 / (1 + alpha)]])
    found = profile(apart)
    values = (
        (message("50:50 bets won at most"), found.success(Fraction(1, 2))),
        (message("found out at a false-alarm rate of 1%"), found.found_out(Fraction(1, 100))),
    )
    rows = [Rank(label, 100 * float(value), text=figure(100 * value, 3)) for label, value in values]
    return Ranking("reader", message("Risk per 100 people"), tuple(rows), head=message("rounded up"), ends=100.0)


def reader_panel_with_delta(won: float, found: float, level: PrivacyLevel) -> Ranking:
    """Return the same where a delta is allowed: probabilities with it, and beside them those at the level alone."""
    plain = reader_panel(level)
    rows = [
        replace(row, value=100 * value, text=figure(100 * value, 3), second=message("without δ {value}", value=row.text))
        for row, value in zip(plain.rows, (won, found), strict=True)
    ]
    return replace(plain, rows=tuple(rows))
