"""The shipped examples open, solve and are what they claim to be."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from dpdesigner import resources
from dpdesigner.data.columns import read_counts
from dpdesigner.files.project.examples import examples
from dpdesigner.files.project.project import read_project
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.histogram.true_counts import read_truth

STUDIES = {example.path.stem: read_project(example.path).studies[0] for example in examples()}


def test_every_file_is_listed_and_described():
    listed = {example.path for example in examples()}
    assert listed == set(resources.path("examples").glob("*.dpd")), "each .dpd has an entry in examples.json, and the other way"
    for example in examples():
        name = STUDIES[example.path.stem].name
        assert example.title == name, f"{example.path.name} has its title in examples.json as the name of its first design, too"
        assert example.description.endswith(".")


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.path.stem)
def test_each_is_solved_and_as_far_proved_as_it_says(example):
    study = STUDIES[example.path.stem]
    found = study.run()
    if study.kind == "attack":
        assert found.badge[0] == "no privacy · ε = ∞" and found.findings["recovered"].value > 0.6
    state = ("proved" if found.proved else "open") if hasattr(found, "proved") else found.badge[1]
    assert state == example.state, f'the entry in examples.json says "state": "{state}" where that is what is meant'
    assert study.kind != "count" or study.covered


def test_laplace_noise_costs_a_sixth_more_for_the_hours_of_sport():
    assert STUDIES["hours-of-sport"].run().laplace_extra == pytest.approx(18.278, abs=1e-3)


def test_the_paper_prints_this_answer():
    outcome = solve(STUDIES["paper-user"])
    assert outcome.remap.tolist() == [0, 2, 2, 3, 4, 5]
    assert outcome.value == pytest.approx(1.19423215531629191254, rel=1e-14)


def test_two_points_are_as_the_paper_computes():
    outcome = solve(STUDIES["two-points"], exact=True)
    assert outcome.value == Fraction(1, 12)
    assert outcome.geometric[0, 0] == Fraction(2, 3)  # face value of G is wrong once in three


def test_doctor_visits_are_the_real_histogram():
    counts = Counter(min(count, 30) for count in read_counts(resources.path("data", "doctor_visits.csv")))
    assert sum(counts.values()) == 20190
    assert STUDIES["doctor-visits"].prior.specification == tuple(counts[i] for i in range(31))


def test_a_bed_too_few_costs_three_times_a_bed_too_many():
    matrix = STUDIES["hospital-beds"].loss.exact_matrix(24)
    assert matrix[5][4] == 3 * matrix[5][6]


def test_beds_are_read_as_the_upper_quartile_of_the_posterior():
    study = STUDIES["hospital-beds"]
    outcome = solve(study)
    for j, reading in enumerate(outcome.remap):
        joint = study.prior.probabilities * outcome.geometric[:, j]
        cumulative = joint.cumsum() / joint.sum()
        assert reading == (cumulative < 3 / 4).sum()


def test_the_published_visits_are_the_shipped_data():
    study = STUDIES["doctor-visits-published"]
    truth = read_truth(study.source)
    assert truth.counts.sum() == 20190 and truth.outside == 0
    visits = list(STUDIES["doctor-visits"].prior.specification)
    assert truth.counts.tolist() == [*visits[:13], sum(visits[13:])]
    assert study.run().within() == 6
