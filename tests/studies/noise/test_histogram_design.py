"""Histogram designs: inputs checked, results honest, files read back."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpdesigner as dp
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.sensitivity import Neighbours
from dpdesigner.core.noise.discrete_staircase import cell_edges, error_within
from dpdesigner.errors import InputError
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.noise.histogram_conversion import as_count
from dpdesigner.studies.noise.histogram_counts import release_counts
from dpdesigner.studies.noise.histogram_design import HistogramDesign


def test_a_histogram_has_sensitivity_one_or_two() -> None:
    added = HistogramDesign.starting(epsilon=1).run()
    assert (added.design.sensitivity.value, added.cell_privacy.epsilon) == (1, 1.0)
    assert added.cell.cost == pytest.approx(2 * math.exp(-1) / (1 - math.exp(-2)), rel=1e-14) and added.proved
    replaced = HistogramDesign.starting(epsilon=1, neighbours="replace").run()
    assert (replaced.design.sensitivity.value, replaced.cell_privacy.epsilon) == (2, 0.5)
    assert replaced.cost == 11 * replaced.cell.cost and not replaced.proved
    assert replaced.laplace_cost == pytest.approx(2) and replaced.cell.cost < 2


def test_income_example_has_eleven_cells() -> None:
    query = HistogramDesign("0..500000 by 50000", "replace", epsilon=1)
    assert len(query.edges) == 11
    assert (query.title(0), query.title(10)) == ("0 to <50000", "500000 or more")
    assert HistogramDesign("0..3", epsilon=1).title(2) == "2" and HistogramDesign("0, 18, 65", epsilon=1).title(1) == "18 to <65"


@given(st.lists(st.fractions(-1000, 1000, max_denominator=60), min_size=1, max_size=30, unique=True))
def test_cells_are_read_exactly(edges: list[Fraction]) -> None:
    assert cell_edges(", ".join(map(str, sorted(edges)))) == tuple(sorted(edges))


@pytest.mark.parametrize("text", ["", "3, 2", "0..1e9", "a", "0..10 by 0", "5..1", 7])
def test_bad_cells_are_refused(text: object) -> None:
    with pytest.raises(InputError):
        cell_edges(text)


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("cells", [1, 2, 10, 200])
def test_the_bound_of_all_cells_is_the_least_for_their_product(cells: int, neighbours: Neighbours) -> None:
    """A geometric error is at most k with probability 1 - 2 b^(k + 1) / (1 + b); those of the cells are independent."""
    for epsilon in (0.1, 0.3, 1, 4):
        outcome = HistogramDesign(range(cells), neighbours, epsilon=epsilon).run()
        b, k = math.exp(-epsilon / (1 if neighbours == "add-remove" else 2)), outcome.all_within()
        chances = [(1 - 2 * b ** (most + 1) / (1 + b)) ** cells for most in (k - 1, k)]
        assert (k == 0 or chances[0] < 0.95) and chances[1] >= 0.95
        assert k == outcome.within() if cells == 1 else k >= outcome.within()


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
    found = release_counts([5, 0, 7], PrivacyLevel.from_epsilon("inf"), "replace")
    assert found.released.tolist() == [5, 0, 7]


@pytest.mark.parametrize(
    "design",
    [
        HistogramDesign("0..2", "replace", epsilon="1/3", path="example:visits.csv", column="visits"),
        HistogramDesign("0..2", epsilon=1, counts=(1, 2, 3)),
        HistogramDesign("0, 18, 65", alpha="1/2", cost="squared", name="ages"),
    ],
)
def test_designs_are_read_back(design: HistogramDesign) -> None:
    data = design.to_json()
    assert HistogramDesign.from_json(data) == design == design.replace() and data["kind"] == "histogram"
    assert ("counts" in data) == (design.counts is not None)


GIVEN = {"kind": "histogram", "cells": "0..2", "neighbours": "replace", "epsilon": 1, "cost": "absolute"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"data": [1]}, "file"),
        ({"kind": "noise"}, "kind"),
        ({"epsilon": None}, "epsilon"),
        ({"cells": None}, "cells"),
        ({"counts": [1]}, "counts"),
        ({"counts": [1, 2, -3]}, "counts"),
        ({"counts": "1, 2, 3"}, "counts"),
        ({"neighbours": "both"}, "neighbours"),
        ({"neighbours": ["replace"]}, "neighbours"),
        ({"cost": "cubic"}, "cost"),
        ({"cost": 3}, "cost"),
        ({"path": 3}, "path"),
        ({"column": ["age"]}, "column"),
        ({"gamma": "1/2"}, "file"),
    ],
)
def test_bad_files_are_refused(changes: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as caught:
        HistogramDesign.from_json({**GIVEN, **changes})
    assert caught.value.field == field and str(caught.value).endswith(".")


@pytest.mark.parametrize("missing", ["cells", "neighbours", "epsilon"])
def test_what_is_missing_is_named(missing: str) -> None:
    with pytest.raises(InputError, match=missing):
        HistogramDesign.from_json({key: value for key, value in GIVEN.items() if key != missing})


def test_a_replaced_row_needs_twice_the_least_epsilon() -> None:
    replaced = HistogramDesign.starting(neighbours="replace", epsilon=1)
    assert replaced.replace(epsilon="2e-6").run().cell.design.epsilon == 1e-6
    with pytest.raises(InputError, match=r"between 0\.000002"):
        replaced.replace(epsilon="1e-6")


def test_findings_are_what_the_outcome_says() -> None:
    outcome = HistogramDesign("0..2", "replace", epsilon="ln 3").run()
    told = outcome.findings
    assert next(iter(told)) == "value" and told["value"].value == outcome.cell.cost and told["cost"].value == outcome.cost
    assert told["cell_epsilon"].value == outcome.cell_privacy.epsilon_above and told["value"].state == "open"
    assert outcome.badge == ("not proved optimal", "open") and outcome.line.startswith("histogram of 3 cells · Δ = 2 · absolute")
    assert told["laplace"].value == outcome.laplace_cost and format_finding(told["within"]) == f"±{outcome.within()}"
    proved = HistogramDesign.starting().run()
    assert proved.badge == ("✓ proved optimal per cell", "proved") and proved.findings["value"].state == "proved"
    assert {*outcome.ranking, *outcome.numbers} <= told.keys()


@pytest.mark.parametrize(
    ("cost", "loss"),
    [("absolute", "absolute"), ("squared", "squared"), ("power:3", "power:3"), ("power:1.2345678", "power:1.2345678")],
)
def test_noise_becomes_a_count_with_every_digit_of_its_cost(cost: str, loss: str) -> None:
    count = as_count(dp.solve(dp.NoiseDesign("integer", cost=cost, epsilon=1)))
    assert count is not None and count.loss.specification == loss
