"""Histogram and table studies: inputs checked, results honest, files read back."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.noise.histogram import error_within
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.studies.noise.choice_query import TableQuery, distances
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_query import HistogramQuery, cell_edges
from dpdesigner.studies.noise.histogram_release import release_counts


def test_a_histogram_has_sensitivity_one_or_two() -> None:
    added = NoiseStudy("histogram", epsilon=1).run()
    assert (added.facts()["sensitivity"], added.facts()["cell_epsilon"]) == (1, 1.0)
    assert added.cell.cost == pytest.approx(2 * math.exp(-1) / (1 - math.exp(-2)), rel=1e-14) and added.proved
    replaced = NoiseStudy("histogram", epsilon=1, histogram=HistogramQuery(neighbours="replace")).run()
    assert (replaced.facts()["sensitivity"], replaced.facts()["cell_epsilon"]) == (2, 0.5)
    assert replaced.cost == 11 * replaced.cell.cost and not replaced.proved
    assert replaced.laplace_cost == pytest.approx(2) and replaced.cell.cost < 2


def test_income_example_has_eleven_cells() -> None:
    query = HistogramQuery("0..500000 by 50000", "replace")
    assert len(query.edges) == 11
    assert (query.title(0), query.title(10)) == ("0 to <50000", "500000 or more")
    assert HistogramQuery("0..3").title(2) == "2" and HistogramQuery("0, 18, 65").title(1) == "18 to <65"


@given(st.lists(st.fractions(-1000, 1000, max_denominator=60), min_size=1, max_size=30, unique=True))
def test_cells_are_read_exactly(edges: list[Fraction]) -> None:
    assert cell_edges(", ".join(map(str, sorted(edges)))) == tuple(sorted(edges))


@pytest.mark.parametrize("text", ["", "3, 2", "0..1e9", "a", "0..10 by 0", "5..1", 7])
def test_bad_cells_are_refused(text: object) -> None:
    with pytest.raises(InputError):
        cell_edges(text)


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "ln 3", "4", "40"])
def test_error_within_is_the_least_that_suffices(epsilon: str) -> None:
    level = PrivacyLevel.from_epsilon(epsilon)

    def beyond(k: int) -> float:
        return 2 * level.alpha ** (k + 1) / (1 + level.alpha)

    for chance in (0.5, 0.9, 0.95, 0.999):
        k = error_within(level, chance)
        assert beyond(k) <= 1 - chance + 1e-12
        assert k == 0 or beyond(k - 1) > 1 - chance - 1e-12
    with pytest.raises(InputError):
        error_within(level, 1.0)


def test_counts_are_released() -> None:
    found = release_counts([5, 0, 7], [0, 1, 2], PrivacyLevel.from_epsilon("inf"), "replace")
    assert found.released.tolist() == [5, 0, 7]


@pytest.mark.parametrize(
    "study",
    [
        NoiseStudy("histogram", epsilon="1/3", histogram=HistogramQuery("0..2", "replace", "example:visits.csv", "visits")),
        NoiseStudy("histogram", epsilon=1, histogram=HistogramQuery("0..2", counts=(1, 2, 3))),
        NoiseStudy("table", alpha="1/2", table=TableQuery(((0, "1/3"), ("2.5", 0)), "all")),
        NoiseStudy(weights=(1, "1/2")),
    ],
)
def test_studies_are_read_back(study: NoiseStudy) -> None:
    data = study.to_json()
    assert NoiseStudy.from_json(data) == study == study.replace()
    assert ("counts" in data.get("histogram", {})) == (study.histogram.counts is not None)


def test_what_is_not_shown_is_kept_but_never_the_counts() -> None:
    asked = NoiseStudy("histogram", epsilon=1, histogram=HistogramQuery("0..2", "replace", "a.csv", "b", counts=(1, 2, 3)))
    other = asked.replace(query="real")
    assert other.histogram.path == "a.csv" and "counts" not in other.to_json()["histogram"]
    assert NoiseStudy.from_json(other.to_json()) == other
    assert "histogram" not in NoiseStudy().to_json() and "table" not in NoiseStudy().to_json()


@pytest.mark.parametrize(
    "data",
    [
        {"histogram": {"cells": "0..2", "data": [1]}},
        {"histogram": {"cells": "0..2", "counts": [1]}},
        {"histogram": {"cells": "0..2", "counts": [1, 2, -3]}},
        {"histogram": {"neighbours": "both"}},
        {"histogram": 3},
        {"table": {"costs": [[0, 1]]}},
        {"table": {"costs": [[0, 1], [0]]}},
        {"table": {"costs": [[0, -1], [0, 1]]}},
        {"table": {"costs": [[0, "x"], [0, 1]]}},
        {"table": {"costs": 5, "neighbours": "all"}},
        {"weights": [0]},
        {"weights": "1,2"},
    ],
)
def test_bad_files_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(InputError):
        NoiseStudy.from_json({"query": "histogram", "epsilon": 1, "sensitivity": 1, "cost": "absolute", **data})


def test_a_replaced_row_needs_twice_the_least_epsilon() -> None:
    query = HistogramQuery(neighbours="replace")
    assert NoiseStudy("histogram", epsilon="2e-6", histogram=query).run().cell.study.epsilon == 1e-6
    with pytest.raises(InputError, match="between 2e-06"):
        NoiseStudy("histogram", epsilon="1e-6", histogram=query)


def test_a_table_says_what_privacy_it_has() -> None:
    line = NoiseStudy("table", epsilon=1).run()
    assert line.mechanism.matrix.sum(axis=1) == pytest.approx(np.ones(6))
    assert 1 < line.mechanism.level < 2 and "2ε" in line.reason and not line.proved
    assert line.cost == pytest.approx(line.exponential_cost)  # whole distances: the staircase steps where the exponential does
    ring = [[min(abs(r - q), 6 - abs(r - q)) for r in range(6)] for q in range(6)]
    circle = NoiseStudy("table", epsilon=1, table=TableQuery(tuple(map(tuple, ring)))).run()
    assert circle.mechanism.level == pytest.approx(1, abs=1e-12) and "is ε-private" in circle.reason


def test_the_best_gamma_of_a_table_is_taken() -> None:
    query = TableQuery(((0, "0.5", 2), ("0.7", 0, 1), (2, 1, "0.1")))
    best = NoiseStudy("table", epsilon=2, table=query).run()
    costs = [NoiseStudy("table", epsilon=2, table=query, gamma=k / 50).run().cost for k in range(51)]
    assert best.cost == pytest.approx(min(costs))
    assert distances(3) == ((0, 1, 2), (1, 0, 1), (2, 1, 0))
