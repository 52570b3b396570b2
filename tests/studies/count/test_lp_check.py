"""The linear program that follows a drag: every step certified, equal to a cold solve, usable after anything that happens."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from dpdesigner.core.count.closed_form import LARGEST_FOLLOWED_N
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.lp_check import WarmWitness, linear_program
from dpdesigner.studies.count.run import solve

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


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [10, 30, LARGEST_FOLLOWED_N])
def test_every_step_of_a_drag_is_the_optimum(n: int, seed: int) -> None:
    witness = WarmWitness()
    for step, design in enumerate(drag(n, seed, "power:{power}", 50)):
        found = witness.settle(design) if step == 0 else witness.follow(design)
        assert found.design is design
        assert found.gap <= 1e-7 * largest_cost(design)
        assert found.value == pytest.approx(float(solve(design).value), abs=1e-7 * largest_cost(design))


@pytest.mark.parametrize("n", [10, 24])
def test_outside_the_theorem_too(n: int) -> None:
    witness = WarmWitness()
    loss = "expression:1 + abs(i-r)**{power} % 3.3 + 0.2*abs(i-r)"
    for step, design in enumerate(drag(n, n, loss, 60)):
        found = witness.follow(design)
        assert found.gap <= 1e-7 * largest_cost(design)
        if step % 6 == 0:
            assert found.value == pytest.approx(linear_program(design).value, abs=1e-7 * largest_cost(design))


def test_a_prior_whose_tails_vanish_does_not_lead_astray() -> None:
    """HiGHS, gone on from the last vertex, once took a point far outside of the feasible set for the optimum here."""
    witness = WarmWitness()
    for p in np.linspace(0.3, 0.27, 7):
        for power in (1.02, 3, 1):
            design = CountDesign(30, epsilon=1.0543081389520312, prior=f"binomial:{p:.3f}", loss=f"power:{power}")
            assert witness.settle(design).gap <= 1e-7 * largest_cost(design)


def test_a_drag_starts_with_column_generation_and_goes_on_with_the_full_program() -> None:
    witness, design = WarmWitness(), CountDesign(20, epsilon=1)
    assert witness.follow(design).method.startswith(COLUMNS)
    settled = witness.settle(design)
    assert settled.method.startswith(HIGHS)
    again = witness.follow(design)
    assert again.method.startswith(HIGHS)
    assert again.iterations == 0
    near = witness.follow(design.replace(epsilon=1.02))
    assert near.method.startswith(HIGHS)
    assert near.iterations < settled.iterations / 10
    assert witness.follow(CountDesign(12, epsilon=1)).method.startswith(COLUMNS), "another size: there is nothing to go on from"
    assert witness.follow(design).method.startswith(HIGHS), "and back"


def test_a_cancelled_step_leaves_it_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdesigner.core.program.column_generation._PAUSE", 0.0)
    witness, stopped = WarmWitness(), []

    def stop(fraction: float | None, text: str = "") -> None:
        raise Cancelled("enough")

    for loss in ("absolute", "expression:(i-r)**2 % 11"):
        design = CountDesign(20, epsilon=1, loss=loss)
        witness.settle(design)
        for moved in (design.replace(prior="binomial:0.2"), design.replace(epsilon=2)):
            for call in (witness.follow, witness.settle):
                try:
                    call(moved, stop)
                except Cancelled:
                    stopped.append(call)
            assert witness.follow(moved).value == pytest.approx(linear_program(moved).value, rel=1e-9)
    assert len(stopped) >= 4, "a search that takes no step reports none"


def test_calls_from_several_threads_wait_for_each_other() -> None:
    witness, designs = WarmWitness(), [CountDesign(15, epsilon=1, prior=f"binomial:{p}") for p in (0.2, 0.21, 0.5, 0.8)]
    values: dict[int, float] = {}

    def run(k: int) -> None:
        for _ in range(5):
            values[k] = (witness.follow if k % 2 else witness.settle)(designs[k]).value

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(designs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k, design in enumerate(designs):
        assert values[k] == pytest.approx(float(solve(design).value), rel=1e-8)


def test_what_is_too_large_is_refused() -> None:
    for call in (WarmWitness().follow, WarmWitness().settle, linear_program):
        with pytest.raises(InputError, match="at most 200"):
            call(CountDesign(201, epsilon=1))
