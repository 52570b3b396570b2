"""Choice designs: inputs checked, results honest, files read back."""

from __future__ import annotations

import numpy as np
import pytest

from dpdesigner.errors import InputError
from dpdesigner.studies.choice.design import ChoiceDesign, distances
from dpdesigner.studies.findings import shown


@pytest.mark.parametrize(
    "design",
    [
        ChoiceDesign(),
        ChoiceDesign(((0, "1/3"), ("2.5", 0)), "all", alpha="1/2"),
        ChoiceDesign(epsilon="ln 3", gamma="1/3", name="which"),
    ],
)
def test_designs_are_read_back(design: ChoiceDesign) -> None:
    data = design.to_json()
    assert ChoiceDesign.from_json(data) == design == design.replace() and data["kind"] == "choice"


GIVEN = {"kind": "choice", "costs": [[0, 1], [1, 0]], "neighbours": "all", "epsilon": 1}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"costs": [[0, 1]]}, "costs"),
        ({"costs": [[0, 1], [0]]}, "costs"),
        ({"costs": [[0, -1], [0, 1]]}, "costs"),
        ({"costs": [[0, "x"], [0, 1]]}, "costs"),
        ({"costs": [[0, "1e13"], [0, 1]]}, "costs"),
        ({"costs": 5}, "costs"),
        ({"costs": [5, 6]}, "costs"),
        ({"neighbours": "both"}, "neighbours"),
        ({"gamma": 2}, "gamma"),
        ({"epsilon": 701}, "epsilon"),
        ({"kind": "noise"}, "kind"),
        ({"sensitivity": 1}, "file"),
        ({"name": 3}, "name"),
    ],
)
def test_bad_files_are_refused(changes: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as caught:
        ChoiceDesign.from_json({**GIVEN, **changes})
    assert caught.value.field == field and str(caught.value).endswith(".")


def test_a_table_says_what_privacy_it_has() -> None:
    line = ChoiceDesign(epsilon=1).run()
    assert line.mechanism.matrix.sum(axis=1) == pytest.approx(np.ones(6))
    assert 1 < line.mechanism.level < 2 and "2ε" in line.reason and not line.proved
    assert line.cost == pytest.approx(line.exponential_cost)  # whole distances: the staircase steps where the exponential does
    ring = [[min(abs(r - q), 6 - abs(r - q)) for r in range(6)] for q in range(6)]
    circle = ChoiceDesign(tuple(map(tuple, ring)), epsilon=1).run()
    assert circle.mechanism.level == pytest.approx(1, abs=1e-12) and "is ε-private" in circle.reason


def test_the_best_gamma_of_a_table_is_taken() -> None:
    design = ChoiceDesign(((0, "0.5", 2), ("0.7", 0, 1), (2, 1, "0.1")))
    best = design.replace(epsilon=2).run()
    costs = [design.replace(epsilon=2, gamma=k / 50).run().cost for k in range(51)]
    assert best.cost == pytest.approx(min(costs))
    assert distances(3) == ((0, 1, 2), (1, 0, 1), (2, 1, 0))


def test_findings_are_what_the_outcome_says() -> None:
    outcome = ChoiceDesign(((0, "0.5", 2), ("0.7", 0, 1), (2, 1, "0.1")), epsilon=2).run()
    told = outcome.findings
    assert next(iter(told)) == "value" and told["value"].value == outcome.cost
    assert told["exponential"].value == outcome.exponential_cost
    assert told["epsilon"].value >= outcome.mechanism.level and told["worst"].value >= outcome.cost
    assert outcome.badge[0] == f"ε = {shown(told['epsilon'])} in all" and outcome.badge[1] == "open"
    assert outcome.line.startswith("one of a few · 3 × 3 costs · weights with ε = 2")
    assert {*outcome.ranking, *outcome.numbers} <= told.keys()


def test_costs_under_other_neighbours_have_no_difference() -> None:
    one, other = (ChoiceDesign(neighbours=which, epsilon=1).run().findings["value"] for which in ("next", "all"))
    assert one.measure != other.measure == ChoiceDesign(neighbours="all", epsilon=2).run().findings["value"].measure
