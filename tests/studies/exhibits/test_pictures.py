"""The hand-made pictures of exhibits: what is drawn adds up to what the exhibit says."""

from fractions import Fraction

import pytest

import dpdesigner as dp
from dpdesigner.studies.exhibits.grs_geometric import error_after_remap
from dpdesigner.studies.panels import Strips


@pytest.mark.parametrize(("n", "alpha"), [(5, "1/2"), (10, "1/2"), (1, "1/3"), (30, "4/5")])
def test_the_dark_parts_of_example_2_2_add_up_to_both_errors(n: int, alpha: str) -> None:
    strips = next(
        panel for panel in dp.solve(dp.exhibit("grs/example-2.2", n=n, alpha=alpha)).panels if isinstance(panel, Strips)
    )
    face, nearer = (sum(float(bars.part.sum()) for bars in plot.bars) for plot in strips.plots)
    a = Fraction(alpha)
    assert face == pytest.approx(float(2 * a / (1 + a))) and nearer == pytest.approx(float(error_after_remap(n, a)))
    for plot in strips.plots:
        assert sum(float(bars.values.sum()) for bars in plot.bars) == pytest.approx(1)


def test_many_people_have_no_picture_of_every_output() -> None:
    assert not any(isinstance(panel, Strips) for panel in dp.solve(dp.exhibit("grs/example-2.2", n=100)).panels)
