from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.core.count.costs import cost_curves
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.compare.compare_view import MatricesCard
from dpdesigner.desktop.compare.comparison import Comparison, Row, _row, change, percent, related
from dpdesigner.desktop.pages.choice.page import ChoicePage
from dpdesigner.desktop.pages.count.page import CountPage
from dpdesigner.desktop.pages.kit.summary import Portrait, portrait
from dpdesigner.desktop.pages.noise.page import NoisePage
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.answer import cost_table, linear_program
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.exhibits.listing import PapersDesign
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.synthetic.design import IntervalDesign
from dpdesigner.studies.synthetic.rectangle import RectangleDesign

FLU = CountDesign(8, alpha="1/2", prior="uniform", loss="absolute", name="Flu")


def solved(design: CountDesign) -> Portrait:
    return CountPage.portrait(
        design, {"solve": design.run(), "costs": cost_table(design), "curves": cost_curves(design), "exact": None}
    )


def rows(mine: Portrait, theirs: Portrait) -> dict[str, Row]:
    return {row.label: row for row in Comparison(("a", "b"), mine, theirs).rows}


def test_two_count_designs_differ_where_they_do() -> None:
    other = FLU.replace(alpha="1/3")
    found = rows(solved(other), solved(FLU))
    assert found["prior"].difference == "=" and not found["prior"].differs
    assert found["ε"].differs and found["ε"].theirs == FLU.privacy.description
    loss, value = found["expected error"], (float(other.run().value), float(FLU.run().value))
    assert loss.differs and loss.difference.startswith("−") and f"{100 * (value[0] / value[1] - 1):.2g}"[1:] in loss.difference
    assert {"rounded Laplace noise, best read", "ignoring the data"} <= set(found)
    assert not {"certified gap", "values that can be released"} & set(found)
    assert [row.label for row in found.values() if row.title] == ["Inputs", "Results"]


def test_losses_measured_differently_have_no_difference() -> None:
    found = rows(solved(FLU.replace(loss="zero-one")), solved(FLU))
    assert found["loss"].difference == "≠"
    assert (found["expected loss"].theirs, found["expected error"].mine) == ("—", "—"), "two measures are two rows"
    assert found["expected loss"].difference == found["expected error"].difference == ""
    assert Comparison(("a", "b"), solved(FLU.replace(loss="zero-one")), solved(FLU)).headline == ""


def test_two_drawn_priors_differ_although_both_are_called_drawn() -> None:
    first, second = (FLU.replace(prior=tuple(weights)) for weights in ([1, 2, 3, 4, 5, 4, 3, 2, 1], [9, 1, 1, 1, 1, 1, 1, 1, 1]))
    assert first.prior.title == second.prior.title
    assert rows(solved(first), solved(second))["prior"].differs


def test_matrices_and_curves_are_those_of_the_outcomes() -> None:
    found = solved(FLU)
    assert found.matrix is not None and np.array_equal(found.matrix, FLU.run().induced.matrix)
    titles = [chart.title for chart in found.charts]
    assert titles == ["Error against ε", "Prior", "Remap"]
    (mark,) = found.charts[0].marks
    assert mark.x == FLU.privacy.epsilon and mark.y == pytest.approx(float(FLU.run().value))
    assert found.charts[2].lines[0].y.tolist() == FLU.run().remap.tolist()


def test_outside_the_theorem_the_linear_program_is_compared() -> None:
    loss = "expression:abs(i-r)*(1+(i*7+r*3)%4)"
    design = CountDesign(6, alpha="1/2", prior="binomial:0.3", loss=loss)
    lp_check = linear_program(design)
    found = CountPage.portrait(design, {"solve": design.run(), "lp_check": lp_check})
    assert not design.covered and lp_check.value < float(design.run().value)
    assert found.matrix is lp_check.mechanism and found.results["value"].value == lp_check.value


def test_answers_for_another_design_are_left_out() -> None:
    other = FLU.replace(alpha="1/3")
    found = CountPage.portrait(FLU, {"solve": FLU.run(), "costs": cost_table(other), "lp_check": linear_program(other)})
    assert "ignoring the data" not in {told.label for told in found.results.values()}
    assert found.results["value"].value == FLU.run().value
    assert CountPage.portrait(FLU, {"solve": other.run()}).results == {}


def portrait_of(qtbot: QtBot, study: Any, answer: Any = None) -> Portrait:
    page = NoisePage()
    qtbot.addWidget(page)
    return page.portrait(study, {"solve": answer})


def test_two_noises_share_densities_and_costs(qtbot: QtBot) -> None:
    first, second = NoiseDesign(epsilon=1), NoiseDesign(epsilon=2)
    mine, theirs = (portrait_of(qtbot, study, study.run()) for study in (first, second))
    compared = Comparison(("a", "b"), mine, theirs)
    assert [pair[0].title for pair in compared.charts] == ["Density of the noise", "Cost against ε"]
    assert compared.matrices is None and compared.headline.startswith("+")


def test_every_kind_of_noise_query_has_its_name(qtbot: QtBot) -> None:
    designs = (NoiseDesign(epsilon=1), NoiseDesign("integer", epsilon=1), HistogramDesign.starting())
    named = [portrait_of(qtbot, design).inputs["query"].value for design in designs]
    assert named == ["real", "integer", "histogram of 11 cells"]


def test_a_count_and_a_noise_share_facts_only(qtbot: QtBot) -> None:
    study = NoiseDesign(epsilon=1)
    compared = Comparison(("a", "b"), solved(FLU), portrait_of(qtbot, study, study.run()))
    assert compared.charts == () and compared.matrices is None and compared.headline == ""
    assert {row.label for row in compared.rows} >= {"prior", "query", "expected error", "ε"}


def test_a_count_and_a_choice_share_facts_only(qtbot: QtBot) -> None:
    study, page = ChoiceDesign.starting(epsilon=1), ChoicePage()
    qtbot.addWidget(page)
    theirs = page.portrait(study, {"solve": study.run()})
    compared = Comparison(("a", "b"), solved(FLU), theirs)
    assert {"probability of being right", "ε guaranteed"} <= {told.label for told in theirs.results.values()}
    assert compared.matrices is None, "rows of a choice are no counts"


def test_without_answers_there_are_inputs() -> None:
    compared = Comparison(("a", "b"), CountPage.portrait(FLU, {}), solved(FLU))
    assert compared.headline == "" and compared.charts == () and compared.matrices is None
    found = {row.label: row for row in compared.rows}
    assert found["expected error"].mine == "—"


@pytest.mark.parametrize(
    ("mine", "theirs", "difference", "more"),
    [
        (1.1, 1.0, "+0.100", "+10%"),
        (1.0, 1.0 + 1e-15, "=", ""),
        (math.inf, 1.0, "≠", ""),
        (math.inf, math.inf, "=", ""),
        (0.0, 0.0, "=", ""),
        (8.0, 2.0, "+6.00", "4.00 times"),
        (0.0, 2.0, "−2.00", "−100%"),
        (1.0, 0.0, "+1.00", ""),
    ],
)
def test_differences_in_words(mine: float, theirs: float, difference: str, more: str) -> None:
    assert (change(mine, theirs), percent(mine, theirs)) == (difference, more)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (Finding("recovered", 0.9675, share=True), Finding("recovered", 1.0, share=True)),
        (Finding("kept", 96.75, "%"), Finding("kept", 100.0, "%")),
    ],
)
def test_percentages_differ_by_points(mine: Finding, theirs: Finding) -> None:
    assert _row(mine, theirs).difference == "−3.25 points"


def test_numbers_mean_the_same_where_the_kind_says_so() -> None:
    column, pair = IntervalDesign.starting(), RectangleDesign.starting()
    assert related(column, column.replace(epsilon=2)) and not related(column, pair)
    assert related(NoiseDesign.starting(), HistogramDesign.starting())
    one, other = dp.exhibit("grs/example-2.2"), dp.exhibit("grs/theorem-6.3")
    assert related(one, dp.exhibit("grs/example-2.2", n=10)) and not related(one, other) and not related(one, column)
    assert not related(one, PapersDesign())


def test_inputs_with_the_same_label_are_paired_by_their_keys() -> None:
    one, other = RectangleDesign.starting(seed=1), RectangleDesign.starting(seed=1, high2=64)
    made = Comparison(("a", "b"), portrait(one, None), portrait(other, None)).rows
    ends = [(row.mine, row.theirs, row.differs) for row in made if row.label == "To"]
    assert ends == [("128", "128", False), ("32", "64", True)]


def test_tables_of_counts_are_no_mechanisms(qtbot: QtBot) -> None:
    one, other = (RectangleDesign.starting(seed=seed) for seed in (1, 2))
    answers = one.run(), other.run()
    both = Comparison(("a", "b"), portrait(one, answers[0]), portrait(other, answers[1]))
    card = MatricesCard()
    qtbot.addWidget(card)
    card.show_comparison(both)
    most = int(abs(answers[0].counts - answers[1].counts).max())
    texts = [label.text() for label in card.findChildren(QLabel)]
    told = [label.full_text for label in card.findChildren(SentenceLabel)]
    assert f"“a” minus “b”: no cell differs by more than {most}." in told and "Tables" in texts
    assert both.charts == ()  # dots of two sizes hide each other
