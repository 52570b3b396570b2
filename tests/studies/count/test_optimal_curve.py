"""The curve of the optimum where Theorem A does not give it, on the page and as a file."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from dpdesigner.core.count.costs import cost_curves, optimal_curve
from dpdesigner.errors import Cancelled
from dpdesigner.files.export import export_of
from dpdesigner.studies.count.answer import CountOverview, linear_program
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.panels import loss_plot
from dpdesigner.studies.count.run import solve

CYCLIC = CountDesign(8, alpha="1/2", loss="expression:(i-r)%3", name="Cyclic")


def test_it_is_never_above_geometric_noise_and_is_what_the_linear_program_finds_there():
    curve, curves = optimal_curve(CYCLIC), cost_curves(CYCLIC)
    assert (np.diff(curve.optimal) <= 1e-9).all() and (curve.gaps <= 1e-6).all()
    geometric = np.interp(np.log(curve.epsilons), np.log(curves.epsilons), curves.optimal)
    assert (curve.optimal <= geometric + 1e-3).all() and (curve.optimal < geometric - 0.01).any()
    for place in (0, 8, 15):
        lp_check = linear_program(CYCLIC.replace(epsilon=float(curve.epsilons[place])))
        assert curve.optimal[place] == pytest.approx(float(lp_check.value), rel=1e-6)


def test_it_can_be_cancelled():
    def stop(*told):
        raise Cancelled

    with pytest.raises(Cancelled):
        optimal_curve(CYCLIC.replace(loss="expression:(i-r)%4"), stop)


def test_the_plot_has_both_and_covered_losses_need_only_one():
    found = CountOverview(solve(CYCLIC), curves=cost_curves(CYCLIC), optimum=optimal_curve(CYCLIC))
    assert [(line.name, line.proved) for line in loss_plot(found).lines] == [
        ("Geometric + remap", False),
        ("Optimal (linear program)", True),
        ("Rounded Laplace", False),
    ]
    covered = CountDesign(8, alpha="1/2")
    assert [line.name for line in loss_plot(CountOverview(solve(covered), curves=cost_curves(covered))).lines] == [
        "Optimal",
        "Rounded Laplace",
    ]


@pytest.mark.parametrize(("design", "columns"), [(CountDesign(8, alpha="1/2", name="Flu"), 2), (CYCLIC, 3)])
def test_the_curve_is_a_file(tmp_path, design, columns):
    (written,) = export_of(design).write(tmp_path, "it", ["curve"])
    assert written.path.name == "it-error-against-epsilon.csv"
    header, *rows = csv.reader(io.StringIO(written.path.read_text("utf-8")))
    assert header[0] == "ε" and len(header) == 1 + columns
    first = {float(row[0]): float(row[1]) for row in rows if row[1]}
    curves = cost_curves(design)
    assert first == dict(zip(curves.epsilons.tolist(), curves.optimal.tolist(), strict=True))
