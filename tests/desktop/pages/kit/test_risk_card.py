"""The card of what a reader can find out says what the Inspect page says of the exported table."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.desktop.pages.kit.cards import RiskCard
from dpdesigner.studies.plain_language import reader_panel


@pytest.mark.parametrize("epsilon", ["ln 2", "ln 3", "0.7"])
def test_a_count_says_the_same_as_its_table_inspected(epsilon: str) -> None:
    found = dp.inspect(dp.solve(dp.CountDesign(n=6, epsilon=epsilon)), false_alarms="1/100").findings
    bet, out = reader_panel(PrivacyLevel.from_epsilon(epsilon)).rows
    assert bet.value == pytest.approx(100 * found["success"].number, rel=1e-12)
    assert out.value == pytest.approx(100 * found["found_out"].number, rel=1e-12)


def test_it_is_rounded_up_and_folds_to_one_line(qtbot: QtBot) -> None:
    card = RiskCard()
    qtbot.addWidget(card)
    card.show_level(PrivacyLevel.from_epsilon("ln 2"))
    assert any("67" in text for text in card.bars.texts()) and not any("66.7" in text for text in card.bars.texts())
