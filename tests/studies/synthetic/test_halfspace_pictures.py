"""The picture of a plane: its dot turns it, its band has the margin's width, and errors fall where points keep away."""

import numpy as np
import pytest

from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign


@pytest.fixture(scope="module")
def answer():
    return HalfspaceDesign.starting(rows=2000, seed=3).run()


def pictures(answer, angle):
    return {panel.key: panel for panel in answer.panels_in({"angle": angle})}


@pytest.mark.parametrize(("angle", "where", "turned"), [(30.0, 0.0, 90.0), (30.0, -1.5, 180.0), (330.0, 0.0, 270.0)])
def test_the_dot_turns_the_plane_on_its_half_of_the_circle(answer, angle, where, turned):
    drag = pictures(answer, angle)["points"].lines[0].drags[0]
    assert drag.target == "view.angle"
    assert drag.kept(drag.moved(np.array([np.cos(np.radians(angle))]), 0, where), 0) == turned


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 200.0])
def test_the_band_is_as_wide_as_the_margin_and_no_point_is_in_it(answer, angle):
    plot = pictures(answer, angle)["points"]
    band = next(line for line in plot.lines if line.low is not None and line.role == "bound")
    across, margin = answer.across(angle)[:2], answer.margin(angle)
    for y in (band.low, band.high):
        away = across[0] * band.x + across[1] * y
        assert np.nanmax(abs(away)) <= margin + 1e-9
        assert np.nanmax(band.x**2 + y**2) <= 1 + 1e-9
    assert (abs(answer.where @ answer.across(angle)) >= margin - 1e-12).all()


def test_planes_with_a_margin_have_smaller_errors(answer):
    shown = pictures(answer, 30.0)
    worst = [row.value for row in shown["by-margin"].rows]
    assert worst == sorted(worst, reverse=True) and worst[0] == pytest.approx(100 * answer.worst)
    assert shown["margins"].lines[0].x.min() >= 0 and shown["points"].square


def test_points_of_people_stay_in_the_window():
    points = np.random.default_rng(1).normal(size=(200, 3))
    shown = {p.key: p for p in HalfspaceDesign(points, epsilon=1).run().panels_in({})}
    assert shown["side"].secret and shown["by-margin"].secret and not shown["margins"].public().lines
    lines = shown["points"].public().lines
    assert [line.name for line in lines if np.isfinite(line.y).any()] == ["plane"] and not any(line.dots for line in lines)
