"""A column that is drawn is nobody's, and told so; a real error goes into files only where that is asked for, with a warning."""

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of


def drawn(shape="uniform", rows=300, **changes):
    given = {"low": 0, "high": 128, "bits": 7, "method": "laplace", "seed": 3, **changes}
    return dp.IntervalDesign(column={"drawn": shape, "rows": rows}, **{"epsilon": 1, **given})


def test_rows_lie_as_they_were_drawn():
    found = dp.solve(drawn([0, 1, 3, 0], 1000, bits=3))
    assert found.facts.real.tolist() == [0, 0, 125, 125, 375, 375, 0, 0] and found.counts.sum() == 1000
    assert dp.solve(drawn(rows=300, bits=2)).facts.real.tolist() == [75] * 4
    binomial = dp.solve(drawn("binomial:0.5", 10_000, bits=6)).facts.real
    assert binomial.argmax() in (31, 32) and binomial.sum() == 10_000


def test_the_shape_follows_the_axis():
    one, other = drawn([1, 3]), drawn([1, 3], low=-1, high=1)
    assert np.array_equal(dp.solve(one).facts.real, dp.solve(other).facts.real)
    assert one.line.startswith("drawn, 300 rows · 0 to 128")


def test_it_is_saved_and_read():
    for shape in ("two-peak:16,48", [1, "1/3", 0.5], np.array([1.0, 2.0])):
        design = drawn(shape)
        again = dp.IntervalDesign.from_json(design.to_json())
        assert again == design and hash(again) == hash(design) and again.replace(seed=4) != design


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        ({"drawn": [1, -1], "rows": 3}, "the shape's weights must not be negative"),
        ({"drawn": [0, 0], "rows": 3}, "the shape"),
        ({"drawn": "heap", "rows": 3}, "the shape must be one of uniform, binomial"),
        ({"drawn": [1], "rows": 0}, "rows must be a whole number between 1 and 20\u202f000\u202f000, got 0"),
        ({"drawn": [1], "rows": 10**9}, "rows must be a whole number"),
        ({"drawn": [1]}, "the column must be .*'rows': COUNT"),
        ({"drawn": [], "rows": 3}, "1 to 1024 weights"),
        ({"drawn": [1] * 1025, "rows": 3}, "1 to 1024 weights"),
        ({"drawn": 5, "rows": 3}, "a shape by name"),
    ],
)
def test_what_cannot_be_drawn_is_refused(column, sentence):
    with pytest.raises(InputError, match=sentence):
        dp.IntervalDesign(column, epsilon=1)
    with pytest.raises(InputError, match="must be a list of numbers"):
        dp.RectangleDesign.starting(first={"drawn": [1], "rows": 3})


def test_it_is_told_that_it_was_drawn():
    found = export_of(drawn(seed=None))
    assert "not real data" in found.proof()[0] and found.data()["design"]["column"] == {"drawn": "uniform", "rows": 300}
    assert any("not real data" in check for check in found.outcome.checks)
    assert any(line.name == "drawn" for line in found.outcome.panels_in({})[0].lines)
    told = export_of(drawn(real_errors="published"))
    assert "worst-error" in told.data()["findings"] and not any("Warning" in line for line in told.proof())
    assert told.outcome.badge[1] == "proved"


@pytest.mark.parametrize("kind", ["synthetic", "rectangle", "halfspace"])
def test_a_real_error_is_told_only_where_it_is_asked_for(kind):
    column = [3, 3, 4, 7, 9, 12] * 40
    designs = {
        "synthetic": dp.IntervalDesign(column, 0, 16, 4, method="laplace", epsilon=1),
        "rectangle": dp.RectangleDesign(column, 0, 16, column, 0, 16, 2, epsilon=1),
        "halfspace": dp.HalfspaceDesign([[1, 2], [3, -1], [-2, 0.5]] * 40, epsilon=1),
    }
    kept = export_of(designs[kind])
    assert "worst-error" not in kept.data()["findings"] and kept.outcome.badge[1] == "proved"
    told = export_of(designs[kind].replace(real_errors="published"))
    assert told.data()["findings"]["worst-error"] == told.outcome.findings["worst-error"].value
    assert any("which is not private" in line for line in told.proof())
    assert told.outcome.badge == ("not private with its measured error", "open")
    assert not any(panel.secret for panel in told.panels() if hasattr(panel, "secret"))
    assert type(designs[kind]).from_json(told.study.to_json()).tells
