"""The sentences of the status bar and of the agreement say what was checked, of the mechanism that is shown, and no more."""

from __future__ import annotations

import dataclasses

import pytest

from dpdesigner.studies.count.answer import Compared, CountOverview, cost_table, linear_program
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.panels import cost_ranking, loss_plot
from dpdesigner.studies.count.run import solve


def test_the_status_bar_counts_only_the_columns_that_were_tested() -> None:
    outcome = solve(CountDesign(20_000, epsilon="0.1"))
    assert CountOverview(outcome).checks[1] == "✓ dual certificate, 20\u202f001 columns checked"
    some = dataclasses.replace(outcome, certificate=dataclasses.replace(outcome.certificate, checked=300))
    said = CountOverview(some).checks[1]
    assert said == "✓ dual certificate, 300 of 20\u202f001 columns checked, Theorem A for the rest"


def test_the_status_bar_tells_the_privacy_of_the_mechanism_that_is_shown() -> None:
    parity = [["0" if (i - r) % 2 == 0 else "1" for r in range(6)] for i in range(6)]
    design = CountDesign(5, alpha="1/2", loss=parity)
    outcome, lp_check = solve(design), linear_program(design)
    assert CountOverview.of(outcome, lp_check).deciding is lp_check
    constant = dataclasses.replace(outcome, induced=dataclasses.replace(outcome.induced, remap=[0] * 6))
    assert "ε = 0, rounded up (requested: 0.693148)" in CountOverview(constant).checks[0]
    assert "ε = ln 2" in CountOverview.of(constant, lp_check).checks[0]
    assert CountOverview(solve(design.replace(alpha=0))).checks[0] == "not private: ε = ∞, as requested"


def test_a_lp_check_that_stopped_early_does_not_put_a_loss_outside_the_theorem() -> None:
    design = CountDesign(5, alpha="1/2")
    outcome, lp_check = solve(design), linear_program(design)
    late = dataclasses.replace(lp_check, value=lp_check.value + 0.01)
    sentence = Compared(outcome, late).sentence
    assert "outside" not in sentence and "short" in sentence


def test_only_what_is_proved_is_called_optimal() -> None:
    cyclic = CountDesign(6, alpha="1/2", loss="expression:(i-r)%3")
    outcome, lp_check = solve(cyclic), linear_program(cyclic)
    first = [
        cost_ranking(CountOverview.of(shown, found)).rows[0].label
        for shown, found in (
            (solve(CountDesign(6, alpha="1/2")), None),
            (outcome, None),
            (outcome, lp_check),
            (outcome, dataclasses.replace(lp_check, gap=outcome.certificate.gap / 2)),
        )
    ]
    wanted = "Best possible", "Best found", "Best possible (linear program)", "Best found (linear program)"
    assert tuple(first) == wanted


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ("absolute", ("expected error", "Error against ε", "error")),
        ("squared", ("mean squared error", "Mean squared error against ε", "squared error")),
        ("pinball:3/4", ("expected loss", "Loss against ε", "loss")),
    ],
)
def test_header_card_and_curve_use_one_name_for_the_loss(loss: str, words: tuple[str, str, str]) -> None:
    overview = CountOverview.of(solve(CountDesign(6, alpha="1/2", loss=loss)))
    curve = loss_plot(overview)
    assert (overview.findings["value"].label, curve.title, curve.y.label) == words


def test_where_real_numbers_do_better_the_best_is_called_the_best_whole_number() -> None:
    design = CountDesign(6, alpha="1/2", loss="squared")
    rows = cost_ranking(CountOverview.of(solve(design), costs=cost_table(design))).rows
    assert rows[0].label == "Best whole number"
    assert [row.label for row in rows if row.value < rows[0].value] == ["if fractions are allowed (posterior mean)"]
    assert CountOverview.of(solve(design)).badge[0] == "✓ proved optimal · for whole numbers"
