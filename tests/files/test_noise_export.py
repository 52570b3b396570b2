"""The tables of a noise study."""

from __future__ import annotations

import math

import pytest

from dpdesigner.files.export import export_of
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign


def tables(study: NoiseDesign | HistogramDesign) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = export_of(study).tables  # type: ignore[attr-defined]  # of all that a noise study gives
    return found


def rows_of(study: NoiseDesign, name: str) -> tuple[list[str], list[list[float]]]:
    header, *rows = tables(study)[name]
    return header, [[float(cell) for cell in row] for row in rows]


@pytest.mark.parametrize(
    "study", [NoiseDesign(epsilon=1), NoiseDesign("integer", sensitivity=3, epsilon=1), HistogramDesign.starting()]
)
def test_the_distribution_rises_from_0_to_1(study: NoiseDesign) -> None:
    header, rows = rows_of(study, "cell-distribution" if isinstance(study, HistogramDesign) else "distribution")
    assert header == ["x", "staircase", "laplace"]
    for column in (1, 2):
        chances = [row[column] for row in rows]
        assert chances == sorted(chances) and 0 <= chances[0] < 0.05 and 0.95 < chances[-1] <= 1
    middle = next(row for row in rows if row[0] == 0)
    assert middle[1:] == pytest.approx([0.5, 0.5]) if study == NoiseDesign(epsilon=1) else middle[1] > 0.5


def test_laplace_has_the_right_distribution() -> None:
    _, rows = rows_of(NoiseDesign(sensitivity=2, epsilon=1), "distribution")
    for x, _, chance in rows:
        assert chance == pytest.approx((1 + math.copysign(1 - math.exp(-abs(x) / 2), x)) / 2, abs=1e-14)


def test_several_answers_have_the_cost_of_each_number_of_answers() -> None:
    header, rows = rows_of(NoiseDesign(dimension=2, epsilon=1), "cost-against-answers")
    assert header[0] == "dimension" and [row[0] for row in rows[:3]] == [1, 2, 3]
    assert rows[1][header.index("laplace")] == pytest.approx(2)
    assert rows[1][header.index("least")] == pytest.approx(1.986153279, abs=1e-9)


def test_a_single_answer_has_no_table_of_numbers_of_answers() -> None:
    assert not {"cost-against-answers", "cost-with-delta"} & set(tables(NoiseDesign(epsilon=1)))
    assert "distribution" not in tables(NoiseDesign(dimension=2, epsilon=1))


def test_no_gamma_is_called_the_best_where_every_cost_is_infinite() -> None:
    facts = dict(export_of(NoiseDesign(cost="expression:exp(x*x)", epsilon=1)).facts())
    assert facts["expected cost"] == "∞" and facts["γ"] == "0.5 (every γ is equally good)"


@pytest.mark.parametrize(("study", "same"), [(HistogramDesign.starting(), True), (NoiseDesign(epsilon=1), False)])
def test_a_report_lists_the_same_noise_once(study: NoiseDesign | HistogramDesign, same: bool) -> None:
    listing = next(each for each in export_of(study).listings() if each.title.startswith("Distribution function"))
    assert (listing.header == ("x", "staircase")) == same == listing.note.startswith("Laplace noise in whole numbers")
    assert listing.full is not None and listing.full.text.startswith("x,staircase,laplace")


def test_a_report_gives_the_reason_for_the_sensitivity_and_the_delta_of_the_proof() -> None:
    proof = export_of(NoiseDesign(epsilon=1, basis="Δ = 1: so.", delta="1e-5")).proof()
    assert proof[0] == "Sensitivity: Δ = 1: so." and any("is optimal with delta = 0 for every" in each for each in proof)
    assert export_of(NoiseDesign(epsilon=1)).proof()[0].startswith("Privacy was checked")


def test_a_release_in_steps_is_exact_and_in_the_unit_of_the_answer():
    design = NoiseDesign("real", epsilon=1, sensitivity="1/3", step="0.1", unit="hours")
    export = export_of(design)
    made = export.release(50)
    assert made.exact and not made.warning and all(each == round(each, 1) for each in made.values)
    assert export.line.startswith("real query in steps of 0.1\xa0hours, sensitivity 1/3, absolute error")
    rows = [float(row[0]) for row in export.tables["probabilities"][1:]]
    assert rows == [round(each, 1) for each in rows]
    assert "multiples of the step and for all shifts up to the sensitivity, 4 steps" in " ".join(export.proof())
    assert "Δ is rounded up to 0.4" in " ".join(export.proof())
