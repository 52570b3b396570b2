"""Which mechanism stands for a count design: one rule for the page, the command line and the files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpdesigner.studies.count.answer import Compared, CountOverview
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.lp_check import linear_program
from dpdesigner.studies.count.run import solve

COVERED = CountDesign(8, alpha="1/2", prior="binomial:0.3")
PARITY = CountDesign(8, alpha="1/2", loss="expression:(i-r)%2")


def test_a_covered_loss_is_answered_in_closed_form() -> None:
    outcome, witness = solve(COVERED, exact=True), linear_program(COVERED)
    found = CountOverview.of(outcome, replace(witness, value=0.0, gap=-1.0))
    best = found.best
    assert found.mechanism is outcome.induced and found.deciding is None
    assert (best.value, best.gap, best.proved) == (outcome.value, 0, True)
    assert best.method == "geometric mechanism and Bayes remap"


def test_outside_the_theorem_the_better_and_better_proved_answer_stands() -> None:
    outcome, witness = solve(PARITY), linear_program(PARITY)
    best = CountOverview.of(outcome, witness).best
    assert best.compact_mechanism is witness.compact_mechanism
    assert best is witness
    assert best.value == witness.value < outcome.value
    assert best.proved
    assert best.method == "linear program (HiGHS), repaired to be exactly private", "parity has two different columns"


def test_until_then_and_for_another_design_the_closed_form_stands_unproved() -> None:
    outcome, witness = solve(PARITY), linear_program(PARITY)
    other = linear_program(PARITY.replace(alpha="1/3"))
    for unfit in (None, other, replace(witness, value=outcome.value), replace(witness, gap=outcome.certificate.gap)):
        best = CountOverview.of(outcome, unfit).best
        assert best is outcome
        assert not best.proved


@pytest.mark.parametrize("loss", ["(i-r)%2", "(i-r)%2 - 1/2", "1e6 * ((i-r)%2)"])
@pytest.mark.parametrize("epsilon", [14, 16, 20, 25])
def test_next_to_no_loss_is_not_taken_for_the_least(loss: str, epsilon: int) -> None:
    design = CountDesign(5, epsilon=epsilon, loss=f"expression:{loss}")
    outcome, witness = solve(design), linear_program(design)
    assert witness.value - design.least_loss < 0.9 * (outcome.value - design.least_loss)
    assert not outcome.proved and CountOverview.of(outcome, witness).best is witness


@pytest.mark.parametrize("alpha", [0, 1])
def test_without_privacy_and_with_nothing_else_no_theorem_is_needed(alpha: int) -> None:
    assert solve(CountDesign(30, alpha=alpha, loss="expression:(i-r)%2 - 1/2")).proved


def test_a_witness_far_from_the_optimum_is_not_called_proved() -> None:
    outcome, witness = solve(PARITY), linear_program(PARITY)
    best = CountOverview.of(outcome, replace(witness, gap=outcome.certificate.gap / 2)).best
    assert best is not outcome
    assert not best.proved


def test_a_closed_form_that_is_proved_stands_though_a_witness_is_a_rounding_better() -> None:
    design = PARITY.replace(alpha=0)
    outcome, witness = solve(design), linear_program(design)
    assert outcome.proved
    assert CountOverview.of(outcome, replace(witness, value=-1.0, gap=-1.0)).deciding is None


def test_the_method_of_a_loss_with_many_columns_is_column_generation() -> None:
    design = CountDesign(12, alpha="9/10", loss="expression:(i-r)**2 % 11")
    assert linear_program(design).method == "linear program (column generation), repaired to be exactly private"


def test_what_the_program_saves_is_rounded_down() -> None:
    outcome, witness = solve(PARITY), linear_program(PARITY)
    compared = Compared(outcome, replace(witness, value=float(outcome.value) - 0.12349))
    assert compared.agreement == "LP saves 0.123"
