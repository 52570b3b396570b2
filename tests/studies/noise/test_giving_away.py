"""What a histogram gives away: a simulation is never part of it, and the statement holds nothing of the data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_answer import STUDY_SEED, simulated, statement
from dpdesigner.studies.noise.histogram_counts import read_truth, release_counts
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.noise.histogram_run import given, pair, run, sentences, verdict

COUNTS = (10_463, 2_041, 615)


def design(**changes: object) -> HistogramDesign:
    return HistogramDesign("0..2", **{"epsilon": "1/2", "counts": COUNTS, "column": "visits", "path": "people.csv", **changes})


def test_a_simulation_is_the_same_every_time_and_shown_only_in_the_window() -> None:
    wanted, truth = design(), read_truth(design().source)
    made = simulated(wanted, truth).release
    assert made.released.tolist() == simulated(wanted, read_truth(wanted.source)).release.released.tolist()
    by_seed = release_counts(COUNTS, wanted.privacy, "add-remove", for_study(STUDY_SEED).below)
    assert made.released.tolist() == by_seed.released.tolist() != list(COUNTS)
    strips = pair(run(wanted), np.array(COUNTS, float), made.released.astype(float), real=False)
    assert strips.public() is None, "with the seed known, a simulation is the truth"
    assert "not for publication" in strips.plots[0].hint


def test_the_statement_has_level_method_and_bound_and_nothing_of_the_data() -> None:
    text = "\n".join(statement(run(design())))
    assert "3 counts: visits, 0 to 2 or more; the cells are fixed in advance." in text
    assert "epsilon = 0.5 for one row added or removed." in text and "epsilon = 0.5 in each cell" in text
    assert "within ±6 of the truth with probability at least 95%" in text
    assert not any(str(count) in text for count in COUNTS) and "people.csv" not in text
    replaced = "\n".join(statement(run(design(neighbours="replace", listed="data"))))
    assert "for one row replaced by any other." in replaced and "epsilon = 0.25 in each cell" in replaced
    assert "the cells are taken from the data" in replaced and "Warning: " in replaced
    assert "Rows that are empty or below 0 are not counted; fractions are rounded down." in text


def test_of_cells_or_a_list_from_the_data_it_is_a_condition_that_they_are_public() -> None:
    cells = given(run(design(listed="data")), None).note
    assert "Only a release may be published, and only if the cells are public: ε = 0.5." in cells
    names = HistogramDesign(categories="yes, no", outside="refuse", epsilon=1, counts=(4, 5), listed="data")
    assert "and only if the list is public: ε = 1." in given(run(names), None).note
    assert "only if" not in given(run(design()), None).note


def test_the_statement_says_which_rows_are_in_no_cell() -> None:
    def first(**inputs: object) -> str:
        return statement(run(HistogramDesign(epsilon=1, column="m²", **inputs)))[0]

    sentence = "3 counts: m², 60 to <61, …, 65 or more; the cells are fixed in advance. "
    assert first(cells="60, 61, 65") == f"{sentence}Rows that are empty or below 60 are not counted."
    assert (
        first(categories="a, b")
        == "3 counts: m², a, b, any other; the cells are fixed in advance. All other rows, also empty ones, are counted together."
    )


def test_simulated_releases_of_many_cells_are_bars_as_wide_as_their_shares() -> None:
    answer = HistogramDesign("0..199", epsilon=1).run()
    errors = answer.simulate(100)
    counts = np.zeros(200)
    below = pair(answer, counts, counts, real=False, errors=errors).plots[1]
    assert errors.shape == (100, 200) and below.landing is not None
    assert below.landing.of is errors and below.landing.boxes is not None
    left, low, right, high = below.landing.boxes.T
    own = np.rint((left + right) / 2) == 7
    shares = (right - left)[own] / (right - left)[own].sum()
    assert np.rint(100 * shares).tolist() == np.unique(errors[:, 7], return_counts=True)[1].tolist()
    assert left.min() >= -0.5 and right.max() <= 199.5 and (high - low == 1).all()
    assert below.y.limits is not None and below.y.limits[1] >= np.abs(errors).max()
    assert pair(answer, counts, counts, real=False, errors=errors).public() is None, "a simulation stays in the window"


def test_where_noise_drowns_an_average_cell_the_window_says_so() -> None:
    for epsilon, share in (("1/2", ""), ("1e-4", "64.5")):  # 2 alpha^4374 / (1 + alpha) exceed 4373 rows
        wanted = design(epsilon=epsilon)
        found = [str(text) for text in verdict(run(wanted), read_truth(wanted.source))]
        long = f"<b>Too few rows for ε = 0.0001</b>: {share}% of the errors exceed an average cell, 4373\u00a0rows."
        assert found == ([long, "<b>Too few rows for ε = 0.0001</b>"] if share else [])
    assert verdict(run(design(epsilon="1e-4")), None) == ()


def test_where_noise_drowns_the_true_answer_the_window_says_so() -> None:
    def said(**inputs: object) -> list[str]:
        return [
            str(text)
            for text in verdict(NoiseDesign(**{"sensitivity": 1, "epsilon": "0.01", "gamma": "1/2", **inputs}).run(), None)
        ]

    assert said(true_answer="1000") == said(true_answer=None) == said(true_answer=0) == said(true_answer=3, dimension=2) == []
    assert said(true_answer="-10.5")[0].endswith("% of the errors exceed the true answer, -10.5.")
    assert said(true_answer=10, query="integer")[0].startswith("<b>Too much noise at ε = 0.01</b>: 90% of")  # 2 a^11 / (1 + a)


def test_rows_have_a_name_of_their_own_in_the_header_the_sentences_and_the_axes() -> None:
    patients = design(epsilon="1/2", unit="patients")
    answer, truth = run(patients), read_truth(patients.source)
    assert format_finding(answer.findings["value"]) == "1.92\u00a0patients" and answer.headlines[0].count("patients") == 1
    assert sentences(answer, truth, None)[0].startswith("Counted: 13\u202f119\u00a0patients")
    counts = truth.counts.astype(float)
    assert pair(answer, counts, counts).plots[1].y.label == "patients"
    assert HistogramDesign.from_json(patients.to_json()) == patients and "unit" not in design(epsilon=1).to_json()
    one = run(design(epsilon="1", unit="patients")).findings["laplace"]
    assert format_finding(one) == "1", "a unit in the plural does not follow 1"


def test_a_count_below_zero_is_explained() -> None:
    wanted = HistogramDesign([0, 1, 2], counts=[3, 0, 5], epsilon=1)
    answer, truth = run(wanted), read_truth(wanted.source)
    made = answer.release(truth)
    for counts, more in (([3, -1, 5], 1), ([3, 0, 5], 0)):
        shown = replace(made, release=replace(made.release, released=np.array(counts)))
        assert [text.startswith("Counts below 0 may be") for text in sentences(answer, truth, shown)[1:]] == [True] * more
