"""The picture of all small databases: areas are probabilities, no dot lies over another, and nothing of it leaves the window."""

import numpy as np
import pytest

from dpdesigner.files.export import export_of
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.synthetic.net_answer import drawn_one
from dpdesigner.studies.synthetic.net_design import NetDesign


@pytest.fixture(scope="module")
def answer():
    return NetDesign.starting().run()


def pictures(answer, **view):
    return {panel.key: panel for panel in answer.panels_in({"view": "candidates", **view})}


def test_the_area_of_a_dot_is_the_probability_of_its_database(answer):
    likely, _ = pictures(answer)["candidates"].lines
    chances = np.sort(answer.probabilities[answer.probabilities >= 0.01])
    areas = np.sort(likely.sizes**2)
    assert areas / areas.sum() == pytest.approx(chances / chances.sum(), rel=1e-9)
    assert "6 of 330 databases share 97.3%" in pictures(answer)["candidates"].under[0]


def test_dots_of_one_column_do_not_touch_and_all_are_in_sight(answer):
    likely, others = pictures(answer)["candidates"].lines
    assert len(likely.x) + len(others.x) == 330
    top = np.concatenate([line.y + line.sizes for line in (likely, others)])
    assert 0.9 < top.max() <= 1 and min((line.y - line.sizes).min() for line in (likely, others)) >= -1e-9
    order = np.argsort(likely.y)
    assert (np.diff(likely.y[order]) >= (likely.sizes[order][:-1] + likely.sizes[order][1:]) - 1e-9).all()


def test_a_draw_is_the_same_for_the_same_seed_and_lands_where_its_database_is(answer):
    first, again, other = (pictures(answer, draws=draws) for draws in (1, 1, 4))
    assert first["candidates"].landing.x == again["candidates"].landing.x
    which = drawn_one(answer.probabilities, 1, 1)
    assert first["candidates"].landing.x == (pytest.approx(100 * answer.net.errors(answer.design.counts)[which]),)
    drawn = [drawn_one(answer.probabilities, 1, draws) for draws in range(400)]
    assert drawn.count(int(np.argmax(answer.probabilities))) / 400 == pytest.approx(answer.probabilities.max(), abs=0.08)
    assert (first["people"].bars[0].values == 100 * answer.net.counts[which] / 4).all() and "people" in other


def test_the_worst_query_is_the_one_with_the_largest_difference(answer):
    which = drawn_one(answer.probabilities, 1, 1)
    band = pictures(answer)["people"].bands[0]
    first, last = int(band.low + 0.5), int(band.high - 0.5)
    real, made = np.array(answer.design.counts) / 140, answer.net.counts[which] / 4
    error = abs(real[first : last + 1].sum() - made[first : last + 1].sum())
    assert error == pytest.approx(answer.net.errors(answer.design.counts)[which])


def test_nothing_of_it_leaves_the_window_unless_that_is_asked_for(answer):
    kept = export_of(answer.design).panels()
    assert not any(getattr(panel, "key", "") in ("quality", "worst") for panel in kept)
    for panel in kept:
        if isinstance(panel, Plot) and panel.key in ("candidates", "people"):
            assert not panel.public().lines and not panel.public().bars
    told = export_of(answer.design.replace(real_errors="published")).panels()
    assert {"candidates", "people", "quality"} <= {panel.key for panel in told}
