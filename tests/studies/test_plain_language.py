"""Costs in plain words: the sentences for the shipped examples, and for every kind of loss."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner import resources
from dpdesigner.files.count_export import CountExport
from dpdesigner.files.project import read_project
from dpdesigner.studies.count.answer import CountOverview, cost_table
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.panels import posterior_plot, release_plot
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.plain_language import more

FLU, PAINTED, MEALS = (read_project(resources.path("examples", f"{stem}.dpd")) for stem in ("flu-cases", "flu-expected", "meals"))


def answered(design: CountDesign) -> CountOverview:
    return CountOverview.of(solve(design), costs=cost_table(design))


def plain(text: str) -> str:
    return text.replace("<b>", "").replace("</b>", "")


@pytest.mark.parametrize(
    ("design", "long", "short"),
    [
        (
            FLU.studies[0],
            "The published count is wrong by about 1.2\u00a0pupils on average if your belief is right. "
            "With rounded Laplace noise the error is 6% larger; ignoring the data, 4.3 times as large.",
            "Wrong by about 1.2\u00a0pupils on average if your belief is right; "
            "rounded Laplace noise 6% more; ignoring the data, 4.3 times as much.",
        ),
        (
            PAINTED.studies[0],
            "The published count is wrong by about 1.1\u00a0pupils on average if your belief is right. "
            "Nothing outside 2 to 9 is ever released.",
            "Wrong by about 1.1\u00a0pupils on average if your belief is right. Nothing outside 2 to 9 is ever released.",
        ),
    ],
)
def test_the_first_minute(design, long, short):
    assert [plain(words) for words in answered(design).sentences[:2]] == [long, short]


def test_the_numbers_of_the_examples():
    """Those that the page shows: expected error, with Laplace noise, ignoring the data, each rounded up."""
    for project, value, laplace, ignore in (
        (FLU, "1.2064\u00a0pupils", "1.2738", "5.2381"),
        (PAINTED, "1.0727\u00a0pupils", "1.1117", "1.78"),
        (MEALS, "0.51786", "0.53483", "1.9643"),
    ):
        findings = answered(project.studies[0]).findings
        assert [format_finding(findings[key]) for key in ("value", "laplace", "ignore")] == [value, laplace, ignore]
    assert dp.solve(PAINTED.studies[0], exact=True).value == Fraction(329521, 307200)
    assert PAINTED.reference == FLU.studies[0], "what nobody knew is pinned behind what is painted"


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ("zero-one", "The release is wrong about 63 times in 100 if your belief is right."),
        ("threshold:1", "The error exceeds 1 about 29 times in 100 if your belief is right."),
        ("squared", "The published count is wrong by about 1.8 (root mean square) if your belief is right."),
        ("pinball:1/4", "The published count is wrong by about 1.5 on average (expected loss 0.51786) if your belief is right."),
        (
            "distance:0,1,4",
            "The published count is wrong by about 1.2 on average (expected loss 1.5239) if your belief is right.",
        ),
    ],
)
def test_every_loss_is_said_in_its_own_words(loss, words):
    design = CountDesign(20, alpha="1/2", loss=loss)
    assert plain(CountOverview(solve(design)).sentences[0]) == words
    assert "With rounded Laplace noise " in plain(answered(design).sentences[0])


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ("poisson:8", "Nothing outside 3 to 22 is ever released."),
        ("spike:8", "Every count is released as 8."),
        ([0] * 900 + [1] * 101, "Nothing outside 900 to 1000 is ever released."),
    ],
)
def test_a_belief_in_few_counts_says_what_becomes_of_the_others(prior, words):
    found = answered(CountDesign(1000, epsilon=1, prior=prior))
    released = np.unique(found.solved.remap)
    assert words in plain(found.sentences[0]) and str(released[-1] if released[0] < 900 else released[0]) in words
    assert words in CountExport.of(found.design).sentence
    assert "released" not in plain(answered(CountDesign(20, epsilon=1, prior="poisson:8")).sentences[0])


@pytest.mark.parametrize(
    ("n", "epsilon", "prior", "words"),
    [
        (60, 1, "poisson:8", "Nothing outside 3 to 22 is ever released."),  # 20 of 61 counts, but 60 is 38 away
        (60, 1, [0] * 44 + [1] * 17, "Nothing outside 44 to 60 is ever released."),
        (24, "0.5", "poisson:9", "Nothing outside 5 to 15 is ever released."),  # 24 is 9 away, 4.5 / ε
        (60, 3, "binomial:1/2", ""),  # 0 is released as 3: 15 errors, but hardly far
        (60, "0.1", "uniform", ""),  # 0 is released as 6, less than the noise
    ],
)
def test_a_count_far_from_every_release_is_named_where_many_can_be_released(n, epsilon, prior, words):
    design = CountDesign(n, epsilon=epsilon, prior=prior)
    for said in (plain(answered(design).sentences[0]), plain(answered(design).sentences[1]), CountExport.of(design).sentence):
        assert words in said and ("released" in said) == bool(words)


def test_with_delta_the_error_is_named_where_the_cost_says_less():
    long, *_ = CountDesign(n=20, epsilon="ln 2", delta="0.01", loss="pinball:3/4").run().sentences
    assert plain(long) == (
        "The published count is wrong by about 1.4 on average (expected loss 0.47713) if your belief is right. "
        "δ = 0.01 saves 7.86%; rounded Gaussian noise costs 43% more."
    )


def test_a_report_states_an_unequal_cost_in_words():
    said = CountExport.of(CountDesign(n=5, epsilon=1, loss="pinball:4/5")).stated()
    assert ("Cost of an error", "One too low costs 0.8, one too high 0.2.") in said
    assert "Cost of an error" not in dict(CountExport.of(CountDesign(n=5, epsilon=1)).stated())


def test_who_is_never_wrong():
    assert [plain(words) for words in answered(CountDesign(5, alpha=0)).sentences] == ["The expected error is 0."]
    free = CountDesign(5, alpha="1/2", loss="threshold:9")
    assert [plain(words) for words in answered(free).sentences] == ["The expected loss is 0."]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (1.000001, "just as much"),
        (1.00017, "0.02% more"),
        (1.003, "0.3% more"),
        (1.04, "4% more"),
        (1.996, "99% more"),
        (2, "twice as much"),
        (2.99, "3 times as much"),
        (3, "3 times as much"),
        (4.34, "4.3 times as much"),
        (123.4, "123 times as much"),
    ],
)
def test_how_much_more(other, words):
    assert plain(more(1.0, other)) == words


def test_a_comparison_fits_its_sentence():
    assert plain(more(1.0, 1.0424, digits=2)) == "4.2% more" and plain(more(1.0, 1.18, digits=2)) == "18% more"
    assert [plain(more(1.0, 1.04, kind)) for kind in ("more", "larger", "often")] == ["4% more", "4% larger", "4% more often"]
    assert plain(more(1.0, 3.0, "often")) == "3 times as often" and plain(more(2.0, 2.0, "larger")) == "just as large"


def test_a_squared_error_is_called_so():
    squared = dp.solve(dp.CountDesign(20, alpha="1/2", loss="squared")).findings["value"]
    assert squared.label == "mean squared error"


def test_a_unit_is_written_at_the_error_and_on_axes_and_changes_no_number() -> None:
    plain = CountDesign(20, epsilon="ln 2", loss="absolute")
    design = plain.replace(unit=" <pupils> ")
    solved = solve(design)
    assert design.unit == "<pupils>" and design.to_json()["unit"] == "<pupils>" and "unit" not in plain.to_json()
    assert CountDesign.from_json(design.to_json()) == design
    assert "about <b>1.2\u00a0&lt;pupils&gt;</b> on average" in solved.sentence
    assert format_finding(solved.findings["value"]) == "1.2064\u00a0<pupils>" and solved.value == solve(plain).value
    assert "(root mean square)" in solve(design.replace(loss="squared")).sentence
    assert "1.8\u00a0beds</b> (root" in solve(design.replace(loss="squared", unit="beds")).sentence
    assert release_plot(solved.induced.row(6), unit="beds").x.title == "released value (beds)"
    assert posterior_plot(design.prior.probabilities, design.prior.probabilities, 6, "beds").x.title == "true count (beds)"
    with pytest.raises(dp.InputError, match="unit must be a text of at most 30 characters, got 31"):
        plain.replace(unit="p" * 31)
