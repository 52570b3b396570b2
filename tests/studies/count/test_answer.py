"""The linear program that follows a drag: every step certified, equal to a cold solve, usable after anything that happens."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from published import FIGURE_2_USER

from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.count.closed_form import LARGEST_FOLLOWED_N
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.count.answer import LARGEST_N, Compared, CountOverview, WarmCheck, linear_program, price_plot
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.result import CountAnswer
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Line


def picture(solved: CountAnswer) -> Plot:
    plot = price_plot(solved)
    assert plot is not None
    return plot


def heights(line: Line) -> np.ndarray:
    return line.y[1::4]


@pytest.mark.parametrize("exact", [True, False])
def test_both_sum_to_the_value(exact: bool) -> None:
    solved = solve(CountDesign(20, epsilon="ln 2", prior="binomial:1/4", loss="absolute"), exact=exact)
    yours, prices = picture(solved).lines
    assert heights(yours).sum() == pytest.approx(float(solved.value), rel=1e-12)
    assert heights(prices).sum() == pytest.approx(float(solved.value), rel=1e-12)
    assert yours.proved and not prices.proved and np.abs(heights(yours) - heights(prices)).max() > 0.02
    (under,) = picture(solved).under
    assert ("The lower bound equals your expected loss, 1.0011." in under) is exact
    assert exact or under.startswith("Your expected loss is 1.0011; the prices sum to at most ")


def test_a_bar_may_be_below_its_price_and_only_the_sum_is_a_bound() -> None:
    yours, prices = picture(solve(CountDesign(**FIGURE_2_USER))).lines
    assert (heights(yours) < heights(prices) - 0.01).any() and (heights(yours) > heights(prices) + 0.01).any()


def test_what_is_not_proved_has_no_picture() -> None:
    solved = solve(CountDesign(4, alpha="1/2", prior="uniform", loss="expression:(i-r)%3"))
    assert not solved.proved, "these prices pass no test"
    assert CountOverview(solved).why.picture() is None


def test_it_is_in_the_explanation_where_its_bars_can_be_told_apart() -> None:
    for n, there in ((20, True), (LARGEST_N, True), (LARGEST_N + 1, False), (0, False)):
        assert (CountOverview(solve(CountDesign(n, epsilon=1))).why.picture() is not None) is there


HIGHS, COLUMNS = "linear program (HiGHS)", "linear program (column generation)"


def drag(n: int, seed: int, loss: str, steps: int) -> Iterator[CountDesign]:
    """Designs as the mouse makes them: epsilon, a stroke over the prior, a preset's parameter and the loss, ten steps each."""
    rng = np.random.default_rng(seed)
    epsilon, power, weights = float(np.exp(rng.uniform(-2, 1.4))), 1.0, np.ones(n + 1)
    prior: str | tuple[float, ...] = tuple(weights.tolist())
    for step in range(steps):
        if step % 10 == 0:
            what, sign, p, place = rng.integers(4), rng.choice([-1, 1]), rng.uniform(0.1, 0.9), int(rng.integers(n + 1))
        if what == 0:
            epsilon *= float(np.exp(0.04 * sign))
        elif what == 1:
            place = int(np.clip(place + sign * rng.integers(0, 3), 0, n))
            weights[place] = rng.uniform(0.01, 1.5) * weights.max()
            prior = tuple(weights.tolist())
        elif what == 2:
            p = float(np.clip(p + 0.01 * sign, 0.01, 0.99))
            prior = f"binomial:{p}"
        else:
            power = max(0.2, power + 0.02 * sign)
        yield CountDesign(n, epsilon=epsilon, prior=prior, loss=loss.format(power=power))


def largest_cost(design: CountDesign) -> float:
    return float(np.abs(design.prior.probabilities[:, None] * design.loss.matrix(design.n)).max())


@pytest.mark.parametrize(("n", "seed"), [*((n, seed) for n in (10, 30) for seed in range(3)), (LARGEST_FOLLOWED_N, 0)])
def test_every_step_of_a_drag_is_the_optimum(n: int, seed: int) -> None:
    lp_check = WarmCheck()
    for step, design in enumerate(drag(n, seed, "power:{power}", 25)):
        found = lp_check.settle(design) if step == 0 else lp_check.follow(design)
        assert found.design is design
        assert found.gap <= 1e-7 * largest_cost(design)
        assert found.value == pytest.approx(float(solve(design).value), abs=1e-7 * largest_cost(design))


@pytest.mark.parametrize("n", [10, 24])
def test_outside_the_theorem_too(n: int) -> None:
    lp_check = WarmCheck()
    loss = "expression:1 + abs(i-r)**{power} % 3.3 + 0.2*abs(i-r)"
    for step, design in enumerate(drag(n, n, loss, 60)):
        found = lp_check.follow(design)
        assert found.gap <= 1e-7 * largest_cost(design)
        if step % 6 == 0:
            assert found.value == pytest.approx(linear_program(design).value, abs=1e-7 * largest_cost(design))


def test_a_prior_whose_tails_vanish_does_not_lead_astray() -> None:
    """HiGHS, gone on from the last vertex, once took a point far outside of the feasible set for the optimum here."""
    lp_check = WarmCheck()
    for p in np.linspace(0.3, 0.27, 7):
        for power in (1.02, 3, 1):
            design = CountDesign(30, epsilon=1.0543081389520312, prior=f"binomial:{p:.3f}", loss=f"power:{power}")
            assert lp_check.settle(design).gap <= 1e-7 * largest_cost(design)


def test_a_drag_starts_with_column_generation_and_goes_on_with_the_full_program() -> None:
    lp_check, design = WarmCheck(), CountDesign(20, epsilon=1)
    assert lp_check.follow(design).method.startswith(COLUMNS)
    settled = lp_check.settle(design)
    assert settled.method.startswith(HIGHS)
    again = lp_check.follow(design)
    assert again.method.startswith(HIGHS)
    assert again.iterations == 0
    near = lp_check.follow(design.replace(epsilon=1.02))
    assert near.method.startswith(HIGHS)
    assert near.iterations < settled.iterations / 10
    assert lp_check.follow(CountDesign(12, epsilon=1)).method.startswith(COLUMNS), "another size: there is nothing to go on from"
    assert lp_check.follow(design).method.startswith(HIGHS), "and back"


def test_a_cancelled_step_leaves_it_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdesigner.core.mechanism.column_generation._PAUSE", 0.0)
    lp_check, stopped = WarmCheck(), []

    def stop(fraction: float | None, text: str = "") -> None:
        raise Cancelled("enough")

    for loss in ("absolute", "expression:(i-r)**2 % 11"):
        design = CountDesign(20, epsilon=1, loss=loss)
        lp_check.settle(design)
        for moved in (design.replace(prior="binomial:0.2"), design.replace(epsilon=2)):
            for call in (lp_check.follow, lp_check.settle):
                try:
                    call(moved, stop)
                except Cancelled:
                    stopped.append(call)
            assert lp_check.follow(moved).value == pytest.approx(linear_program(moved).value, rel=1e-9)
    assert len(stopped) >= 4, "a search that takes no step reports none"


def test_calls_from_several_threads_wait_for_each_other() -> None:
    lp_check, designs = WarmCheck(), [CountDesign(15, epsilon=1, prior=f"binomial:{p}") for p in (0.2, 0.21, 0.5, 0.8)]
    values: dict[int, float] = {}

    def run(k: int) -> None:
        for _ in range(5):
            values[k] = (lp_check.follow if k % 2 else lp_check.settle)(designs[k]).value

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(designs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, design in enumerate(designs):
        assert values[k] == pytest.approx(float(solve(design).value), rel=1e-8)


def test_what_is_too_large_is_refused() -> None:
    for call in (WarmCheck().follow, WarmCheck().settle, linear_program):
        with pytest.raises(InputError, match="at most 200"):
            call(CountDesign(201, epsilon=1))


COVERED = CountDesign(8, alpha="1/2", prior="binomial:0.3")
PARITY = CountDesign(8, alpha="1/2", loss="expression:(i-r)%2")


def test_a_covered_loss_is_answered_in_closed_form() -> None:
    outcome, lp_check = solve(COVERED, exact=True), linear_program(COVERED)
    found = CountOverview.of(outcome, replace(lp_check, value=0.0, gap=-1.0))
    best = found.best
    assert found.mechanism is outcome.induced and found.deciding is None
    assert (best.value, best.gap, best.proved) == (outcome.value, 0, True)
    assert best.method == "geometric mechanism and Bayes remap"


def test_outside_the_theorem_the_better_and_better_proved_answer_stands() -> None:
    outcome, lp_check = solve(PARITY), linear_program(PARITY)
    best = CountOverview.of(outcome, lp_check).best
    assert best.compact_mechanism is lp_check.compact_mechanism
    assert best is lp_check
    assert best.value == lp_check.value < outcome.value
    assert best.proved
    assert best.method == "linear program (HiGHS), repaired to be exactly private", "parity has two different columns"


def test_until_then_and_for_another_design_the_closed_form_stands_unproved() -> None:
    outcome, lp_check = solve(PARITY), linear_program(PARITY)
    other = linear_program(PARITY.replace(alpha="1/3"))
    for unfit in (None, other, replace(lp_check, value=outcome.value), replace(lp_check, gap=outcome.certificate.gap)):
        best = CountOverview.of(outcome, unfit).best
        assert best is outcome
        assert not best.proved


@pytest.mark.parametrize("loss", ["(i-r)%2", "(i-r)%2 - 1/2", "1e6 * ((i-r)%2)"])
@pytest.mark.parametrize("epsilon", [14, 16, 20, 25])
def test_next_to_no_loss_is_not_taken_for_the_least(loss: str, epsilon: int) -> None:
    design = CountDesign(5, epsilon=epsilon, loss=f"expression:{loss}")
    outcome, lp_check = solve(design), linear_program(design)
    assert lp_check.value - design.least_loss < 0.9 * (outcome.value - design.least_loss)
    assert not outcome.proved and CountOverview.of(outcome, lp_check).best is lp_check


@pytest.mark.parametrize("alpha", [0, 1])
def test_without_privacy_and_with_nothing_else_no_theorem_is_needed(alpha: int) -> None:
    assert solve(CountDesign(30, alpha=alpha, loss="expression:(i-r)%2 - 1/2")).proved


def test_a_lp_check_far_from_the_optimum_is_not_called_proved() -> None:
    outcome, lp_check = solve(PARITY), linear_program(PARITY)
    best = CountOverview.of(outcome, replace(lp_check, gap=outcome.certificate.gap / 2)).best
    assert best is not outcome
    assert not best.proved


def test_a_closed_form_that_is_proved_stands_though_a_lp_check_is_a_rounding_better() -> None:
    design = PARITY.replace(alpha=0)
    outcome, lp_check = solve(design), linear_program(design)
    assert outcome.proved
    assert CountOverview.of(outcome, replace(lp_check, value=-1.0, gap=-1.0)).deciding is None


def test_the_method_of_a_loss_with_many_columns_is_column_generation() -> None:
    design = CountDesign(12, alpha="9/10", loss="expression:(i-r)**2 % 11")
    assert linear_program(design).method == "linear program (column generation), repaired to be exactly private"


def test_what_the_program_saves_is_rounded_down() -> None:
    outcome, lp_check = solve(PARITY), linear_program(PARITY)
    compared = Compared(outcome, replace(lp_check, value=float(outcome.value) - 0.12349))
    assert compared.agreement == "LP saves 0.123"


@pytest.mark.parametrize(("delta", "covered"), [("0", "ε = 1 covers the count"), ("0.01", "ε = 1 and δ = 0.01 cover the count")])
def test_a_prior_from_data_is_not_called_private(delta: str, covered: str) -> None:
    drawn = CountDesign(4, epsilon=1, delta=delta, prior=[3, 0, 1, 1, 1])
    counted = drawn.replace(prior=Prior.of_counts([0, 0, 0, 2, 3, 4], 4, "visits, a.csv"))
    answer = solve(counted)
    assert answer.badge == ("prior not private", "open") and answer.checks[0] == f"{covered}, not the prior"
    assert solve(drawn).badge[1] == "proved" and solve(drawn).checks[0].startswith("✓ private")
