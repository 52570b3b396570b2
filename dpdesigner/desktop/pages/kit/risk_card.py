"""The card of what a reader of one release can find out about one person at most, by the privacy level alone."""

from __future__ import annotations

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.plot.cost_bars import CostBars
from dpdesigner.studies.table_panels import reader_panel, reader_panel_with_delta


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
