"""The hand-made pictures of exhibits: what is drawn adds up to what the exhibit says."""

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import published
import pytest

import dpdesigner as dp
from dpdesigner.studies.exhibits.grs_geometric import error_after_remap
from dpdesigner.studies.matrices import binding_codes
from dpdesigner.studies.panels import Plot, Strips


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


def panel(name: str, key: str, **inputs: object) -> Any:
    """Return a panel of an exhibit by its key."""
    return next(each for each in dp.solve(dp.exhibit(name, **inputs)).panels if getattr(each, "key", "") == key)


@pytest.mark.parametrize(("n", "released"), [(10, 3), (10, 10), (4, 0)])
def test_figure_1_shows_the_same_output_and_four_posteriors(n: int, released: int) -> None:
    strips = panel("grs/figure-1", "readings", n=n, released=released)
    a = Fraction(1, 2)
    edge = released in (0, n)  # the geometric mechanism on 0..n, by its definition
    said = [a ** abs(i - released) / (1 + a) * (1 if edge else 1 - a) for i in range(n + 1)]
    assert strips.plots[0].bars[0].values == pytest.approx([float(p) for p in said])
    priors = [
        [Fraction(1, n + 1)] * (n + 1),
        [Fraction(2, 3) ** i for i in range(n + 1)],
        [Fraction(int(i in (0, n))) for i in range(n + 1)],
        [math.comb(n, i) * Fraction(7, 10) ** i * Fraction(3, 10) ** (n - i) for i in range(n + 1)],
    ]
    losses = [abs, bool, lambda x: x * x, lambda x: x * x]
    for plot, prior, loss in zip(strips.plots[1:], priors, losses, strict=True):
        joint = [p * q for p, q in zip(prior, said, strict=True)]
        bars = plot.bars[0]
        assert bars.values == pytest.approx([float(p / sum(joint)) for p in joint])
        assert bars.rival == pytest.approx([float(p / sum(prior)) for p in prior])
        costs = [sum(p * loss(i - r) for i, p in enumerate(joint)) for r in range(n + 1)]
        assert costs[plot.selected] == min(costs)


def test_figures_2_and_3_are_one_picture_as_the_paper_prints_them() -> None:
    matrix = panel("grs/figures-2-3", "figure-2")
    assert matrix.numbers
    assert [[Fraction(matrix.texts(i, r)) for r in range(6)] for i in range(6)] == published.FIGURE_2
    expected = binding_codes(published.FIGURE_3)
    assert np.array_equal(matrix.binding.dense, expected)


@pytest.mark.parametrize("alpha", ["1/2", "1/4", "0.235"])
@pytest.mark.parametrize("belief", ["0", "3/80", "3/50", "1/5", "9/20"])
def test_theorem_6_3_compares_sharing_with_the_count_alone(belief: str, alpha: str) -> None:
    findings = dp.solve(dp.exhibit("grs/theorem-6.3", belief=belief, alpha=alpha)).findings
    (sharing,) = panel("grs/theorem-6.3", "price", belief=belief, alpha=alpha).lines
    e, more = float(Fraction(belief)), 2 * (findings["oblivious"].value - findings["alone"].value)
    assert sharing.at(e) == pytest.approx(50 * float(findings["value"].value), abs=1e-7), (
        "the dot is at the price of each, in points"
    )
    assert sharing.at(e) <= 50 * more + 1e-7


@pytest.mark.parametrize(
    ("belief", "said"), [("1/40", "1 and 3: unlikely"), ("1/4", "all equally likely"), ("0.434", "1 and 3: likely")]
)
def test_theorem_6_3_says_what_a_user_expects_at_any_doubt(belief: str, said: str) -> None:
    assert panel("grs/theorem-6.3", "expected", belief=belief).plots[0].hint == said


@pytest.mark.parametrize(("belief", "alpha"), [("1/40", "1/2"), ("1/5", "1/2"), ("1/40", "3/4")])
def test_theorem_6_3_shows_the_errors_that_its_findings_add_up(belief: str, alpha: str) -> None:
    findings = dp.solve(dp.exhibit("grs/theorem-6.3", belief=belief, alpha=alpha)).findings
    plans = panel("grs/theorem-6.3", "plans", belief=belief, alpha=alpha)
    first, second = (plot.bars for plot in panel("grs/theorem-6.3", "wrong", belief=belief, alpha=alpha).plots)
    for mine, theirs in zip(first, second, strict=True):
        assert mine.values[[1, 0, 3, 2]] == pytest.approx(theirs.values), "the other user is the mirror image"
    assert plans.spoken.startswith(f"{plans.y.ticks[0][1]}: {plans.marks[0].text}; {plans.y.ticks[1][1]}: ")
    held = [plot.bars[0] for plot in panel("grs/theorem-6.3", "expected", belief=belief, alpha=alpha).plots]
    assert held[0].values.sum() == pytest.approx(100) and held[0].values[[1, 0, 3, 2]] == pytest.approx(held[1].values)
    for bars, key, mark, (_, name) in zip(first, ("alone", "shared"), plans.marks, plans.y.ticks, strict=True):
        assert bars.values @ held[0].values / 100 == pytest.approx(100 * float(findings[key].value)) == pytest.approx(mark.x)
        assert (bars.values <= 100 + 1e-9).all() and name == bars.name
    assert ("(+" in plans.marks[1].text) == (findings["each"].value > 0)


def test_theorem_6_3_price_bends_where_it_does_at_any_level() -> None:
    """Between its corners the price is linear: at places in between, the curve is what the programs say."""
    curve = panel("grs/theorem-6.3", "price", alpha="0.235").lines[0]
    half = [0, 1 / 40, 0.036392, 0.05875, 1 / 4]
    assert curve.x.tolist() == pytest.approx([*half, *(1 / 2 - x for x in half[-2::-1])], abs=1e-6)
    for belief in ("0.03", "0.037", "0.05", "0.059", "0.2"):
        price = dp.solve(dp.exhibit("grs/theorem-6.3", alpha="0.235", belief=belief)).findings["value"].value
        assert curve.at(float(belief)) == pytest.approx(50 * float(price), abs=1e-7)


def test_theorem_6_3_shows_the_contradiction_of_figure_5_only_where_it_is_one() -> None:
    plot = panel("grs/theorem-6.3", "figure-5")
    wrong = panel("grs/theorem-6.3", "wrong").plots[0].bars[0].values / 100
    one, two, three, four = (Fraction(share).limit_denominator(12) for share in wrong)  # how often Ann misreads each table
    assert [one, two, three, four] == [Fraction(1, 12), Fraction(1, 3), Fraction(5, 6), Fraction(1, 3)]
    assert (1 - four) == 4 * (1 - three), "Ann’s 2 falls by exactly 4 from {2,3} to {1,3}; Ben’s rises by as much"
    most, least = 1 - (1 - three) - (1 - four), (1 - one) + (1 - two) - 1  # they never both read 2 in {1,3}
    assert (most, least) == (Fraction(1, 6), Fraction(7, 12)) and least > 2 * most
    ends = [[0, most], [0, 2 * most], [2 * most, least]]
    assert [line.x.tolist() for line in plot.lines] == [list(map(float, each)) for each in ends]
    assert plot.bands[0].low == pytest.approx(1 / 3) and [mark.text for mark in plot.marks] == ["1/6", "≥ 7/12"]
    tips = [line.texts[-1] for line in plot.lines]
    assert tips == ["both read 1: 1/6", "ε = ln 2 allows 1/3", "both read 1: at least 7/12"]
    proofs = [panel("grs/theorem-6.3", "must", belief=belief).text for belief in ("1/40", "9/20")]
    reads = f"a = {one}, b = {two}, c = {1 - three}, d = {1 - four}"  # the probability of reading 2
    for step in (reads, "1 − 1/6 − 2/3 = 1/6", "2 × 1/6 = 1/3", "11/12 + 2/3 − 1 = 7/12: a contradiction"):
        assert step in proofs[0]
    names = {"Ann": "Ben", "Ben": "Ann"}
    assert proofs[1] == re.sub("Ann|Ben", lambda name: names[name[0]], proofs[0]), "above 3/8 the users are exchanged"
    swapped = panel("grs/theorem-6.3", "wrong", belief="9/20").plots[1].bars[0].values / 100
    assert swapped == pytest.approx(wrong)
    assert all(getattr(each, "key", "") != "figure-5" for each in dp.solve(dp.exhibit("grs/theorem-6.3", alpha="1/4")).panels)
    for belief in ("1/8", "1/5"):  # at 1/8 the release of Figure 4 is one of several best ones
        answer = dp.solve(dp.exhibit("grs/theorem-6.3", belief=belief))
        said = {getattr(each, "key", ""): each for each in answer.panels}
        assert str(said["must"].text) == "Here a noisy count is best for each user, so one release serves both."
        assert "figure-5" not in said and "column-1" not in answer.findings


@pytest.mark.parametrize("k", [2, 10, 1000])
def test_the_exponential_mechanism_shows_how_many_times_a_chance_changes(k: int) -> None:
    chances, ratios = panel("cacm/exponential", "options", k=k).plots
    first, other = 1 / (1 + (k - 1) * math.e), math.e / (math.e + k - 1)  # utilities 0 and 1, then 1 and 0, at epsilon = 1
    assert [bars.values[0] for bars in chances.bars] == pytest.approx([first, other])
    assert ratios.bars[0].values[0] == pytest.approx(other / first) and ratios.bars[0].size == min(k, 10)
    assert ratios.bands[0].high == pytest.approx(math.e) and other / first < math.e**2
    assert (other / first > 1.001 * math.e) == (k > 2)  # with two options it is e^ε, as the rule says


def test_theorem_4_3_shows_every_run() -> None:
    answer = dp.solve(dp.exhibit("blr/theorem-4.3", bits=12, runs=10))
    plot = next(each for each in answer.panels if isinstance(each, Plot))
    errors = {line.name: line.y for line in plot.lines if line.dots}
    assert sum(map(len, errors.values())) == 30
    assert errors["missed"].min() > 0.3 >= errors["useful"].max()
    missed = [answer.findings[key].value for key in ("missed", "missed-2", "missed-4")]
    assert len(errors["missed"]) == round(sum(missed) / 10)
    assert plot.x.names[0].endswith(f": {round(missed[0] / 10)} of 10")
