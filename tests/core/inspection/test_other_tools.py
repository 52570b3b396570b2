"""The same numbers from other programs, where they are installed: dp_accounting from above, qif to its last digits."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from dpdesigner.core.inspection.profile import profile
from tests.core.inspection.test_profile import laplace, noise, small
from tests.core.inspection.test_reading import read


@pytest.mark.parametrize("table", [noise(8, F(1, 2)), laplace(5), small()], ids=["geometric", "laplace", "small"])
def test_leakage_agrees_with_qif(table):
    qif = pytest.importorskip("qif")
    prior = np.full(table.n + 1, 1 / (table.n + 1))
    channel = np.array(table.doubles)
    assert float(read(table).vulnerability) == pytest.approx(qif.measure.bayes_vuln.posterior(prior, channel), abs=1e-12)
    assert float(read(table).capacity) == pytest.approx(qif.measure.bayes_vuln.mult_capacity(channel), abs=1e-12)


@pytest.mark.parametrize(("releases", "ratio"), [(5, 4), (10, 8)])
def test_delta_agrees_with_dp_accounting_from_below(releases, ratio):
    accounting = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    table = noise(6, F(1, 2))
    rows = table.doubles
    logs = [[{r: float(np.log(rows[i][r])) for r in range(7)} for i in (k, k + 1)] for k in range(6)]
    largest = 0.0
    for upper, lower in logs:
        loss = accounting.from_two_probability_mass_functions(lower, upper, value_discretization_interval=1e-4)
        largest = max(largest, loss.self_compose(releases).get_delta_for_epsilon(float(np.log(ratio))))
    ours = float(profile(table, 1, releases).delta(F(ratio)))
    assert ours <= largest + 1e-12
    assert largest == pytest.approx(ours, abs=2e-4)
