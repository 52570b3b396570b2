"""Risks under (epsilon, delta): exact in both directions, met by the cells, and refused with what can be reached."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from dpdesigner.core.basics.risks import RISKS, advantage, bet, found_out, ratio_for
from dpdesigner.core.count.delta_cells import Cells
from dpdesigner.core.count.delta_reading import uncovered
from dpdesigner.errors import InputError


def test_by_number() -> None:
    assert ratio_for("found_out", "3/100", "1/100", "1/100") == 2 == ratio_for("bet", "2/3")
    assert bet(F(2), F(1, 100)) == F(67, 100) and found_out(F(2), F(1, 100), F(1, 100)) == F(3, 100)
    assert advantage(F(2), F(0)) == F(1, 3) and advantage(F(2), F(1, 100)) == F(17, 50)


@pytest.mark.parametrize("delta", [F(0), F(1, 100), F(2, 5)])
@pytest.mark.parametrize("ratio", [F(1), F(5, 4), F(2), F(40)])
def test_there_and_back(ratio: F, delta: F) -> None:
    assert ratio_for("bet", bet(ratio, delta), delta) == ratio == ratio_for("advantage", advantage(ratio, delta), delta)
    for rate in (F(1, 100), F(1, 3)):
        risk = found_out(ratio, delta, rate)
        if risk < 1:
            assert found_out(ratio_for("found_out", risk, delta, rate), delta, rate) == risk


def test_the_cells_meet_the_risks() -> None:
    table = list(Cells.of(4, F(1, 3), F(1, 50), exact=True).rows())
    assert uncovered(table, F(1)).delta == advantage(F(3), F(1, 50))  # total variation is the lead over chance


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("found_out", "0.03", "0.05"), "with delta = 0.05, at least 6 in 100 are found out"),
        (("bet", "0.5", "0.01"), "at least 50.5 in 100 bets are won"),
        (("advantage", "1.2"), "even with epsilon = 0"),
        (("found_out", "0.1", "0", "0"), "false-alarm rate must be between 0 and 1"),
        (("luck", "0.1"), f"one of {', '.join(RISKS)}"),
    ],
)
def test_what_cannot_be_reached_is_said(given: tuple[str, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ratio_for(*given)  # type: ignore[arg-type]
