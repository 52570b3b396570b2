"""The limit of any private rule that treats names alike."""

from __future__ import annotations

import math
import random
import time
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from dpdesigner.core.choice import limits as module
from dpdesigner.core.choice.limits import LOGS, guarantee, limit, worst
from dpdesigner.core.choice.mechanisms import exponential_logs, exponents
from dpdesigner.core.mechanism.linear_program import new_solver
from dpdesigner.errors import Cancelled

VECTORS = [(13, 52, 248, 187, 90), (0, 0, 0), (3, 3, 1, 0), (5, 0), (1, "1/2", "0.3", 0)]


def everything(size, neighbours):
    if neighbours == "changes":
        return [np.eye(size)[i] - np.eye(size)[j] for i, j in permutations(range(size), 2)]
    if neighbours == "any":
        return [np.array(signs) for signs in product((-1, 0, 1), repeat=size)]
    return [sign * np.array(moved) for sign in (1, -1) for moved in product((0, 0.5, 1), repeat=size)]


@pytest.mark.parametrize("noise", LOGS)
@pytest.mark.parametrize("neighbours", ["any", "changes", "joins"])
@pytest.mark.parametrize("vector", VECTORS)
def test_no_neighbour_is_worse(noise, neighbours, vector):
    rate = Fraction(1, 10)
    before = exponents([Fraction(u) for u in vector], rate)
    found = worst(noise, before, float(rate), neighbours)
    logs = LOGS[noise](before)

    def ratio(moves):
        after = before + float(rate) * moves
        return np.abs(LOGS[noise](after - after.max()) - logs).max()

    all_of_them = max(ratio(moves) for moves in everything(len(vector), neighbours))
    assert found.ratio == pytest.approx(all_of_them, abs=1e-11)
    assert ratio(found.moves(len(vector), neighbours)) == pytest.approx(found.ratio, abs=1e-11)
    assert found.ratio <= guarantee(float(rate), neighbours) + 1e-12


@pytest.mark.parametrize("base", [(1, 1, 1), (4, 1, 2), (1, 9, 0), (0, 1, 0)])
@pytest.mark.parametrize("neighbours", ["any", "changes", "joins"])
@pytest.mark.parametrize("vector", [(3, 3, 1), (0, 7, 9), (5, 0, 2)])
def test_no_neighbour_is_worse_with_a_base_measure(neighbours, vector, base):
    rate, possible = Fraction(1, 2), np.array(base) > 0
    before, weights = exponents([Fraction(u) for u in vector], rate), np.log(np.where(possible, base, 1e-320))
    weights[~possible] = -np.inf
    found = worst("gumbel", before, float(rate), neighbours, base=weights)

    def ratio(moves):
        after = exponential_logs(before + float(rate) * moves, weights)
        return np.abs(after - exponential_logs(before, weights), where=possible, out=np.zeros(3)).max()

    with np.errstate(invalid="ignore"):
        assert found.ratio == pytest.approx(max(ratio(moves) for moves in everything(3, neighbours)), abs=1e-11)
        assert ratio(found.moves(3, neighbours)) == pytest.approx(found.ratio, abs=1e-11)
    assert possible[found.option]


def test_schooling_turns_from_a_bachelors_degree_to_high_school():
    utilities = [Fraction(u) for u in (13, 52, 248, 187, 90, 227, 127)]
    found = worst("exponential", exponents(utilities, Fraction(1, 20)), 0.05, "changes")
    assert (found.option, found.rises, found.other) == (5, False, 2)
    assert round(found.ratio, 4) == 0.0992
    assert found.moves(7, "changes").tolist() == [0, 0, 1, 0, 0, -1, 0]


@pytest.mark.parametrize(("options", "published"), [(2, 1.0), (10, 1.776137), (1000, 1.997651)])
def test_called_private_it_is_not(options, published):
    """The worst two vectors with utilities in [0, Delta] under exp(eps u / Delta), eps = 1: e^1.776 at ten options, not e."""
    low, high = np.zeros(options), np.ones(options)
    low[0], high[0] = 1.0, 0.0
    logs = [exponential_logs(vector) for vector in (low, high)]
    assert abs(logs[0][0] - logs[1][0]) == pytest.approx(published, abs=5e-7)


def test_over_all_vectors_the_ratio_comes_to_twice_the_level():
    """For every number of options the supremum is e^2."""
    for options in (2, 10, 1000):
        far = np.concatenate([[-40.0], np.zeros(options - 1)])
        assert 2 - 1e-9 < worst("gumbel", far, 1.0, "any").ratio < 2 + 1e-12
        assert 1 - 1e-9 < worst("gumbel", far, 1.0, "joins").ratio < 1 + 1e-12
        assert worst("gumbel", far, 1.0, "changes").ratio <= 2
    assert guarantee(1.0, "any") == guarantee(1.0, "changes") == 2 and guarantee(1.0, "joins") == 1


def test_a_long_search_can_be_stopped():
    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        worst("laplace", -np.arange(5.0), 1.0, "any", stop)


def test_one_more_in_class_20_uses_the_whole_ratio():
    income = [19, 12, 17, 19, 18, 13, 11, 17, 10, 15, 23, 35, 26, 39, 68, 70, 62, 48, 51, 100, 103, 53, 47, 68]
    before = exponents([Fraction(u) for u in income], Fraction(1, 10))
    moved = [Fraction(u) + (place == 19) for place, u in enumerate(income)]
    logs = [LOGS["exponential"](each) for each in (before, exponents(moved, Fraction(1, 10)))]
    assert math.exp(logs[1][19] - logs[0][19]) == pytest.approx(math.exp(0.1), abs=2e-4)


SCHOOLING = [13.0, 52, 248, 187, 90, 227, 127]


def test_two_survey_questions():
    found = limit(SCHOOLING, 1.0, 0.1, "changes")
    assert (found.tables, found.moving) == (513, 3) and round(found.chance, 4) == 0.8192
    found = limit([103.0, 100, *[50] * 22], 1.0, 0.1, "joins")
    assert (found.tables, found.moving) == (136, 2) and round(found.chance, 4) == 0.6296


@pytest.mark.parametrize("gap", [0, 1, 4])
def test_two_options_that_join_are_a_line(gap):
    """p grows by e^eps a step from 1/2, and so does 1 - p fall: permute-and-flip meets it."""
    found = limit([10.0 + gap, 10], 1.0, 0.5, "joins")
    wrong = 0.5 * math.exp(-0.5 * gap)
    assert found.chance == pytest.approx(1 if gap == 0 else 1 - wrong, abs=1e-7)
    flip = LOGS["exponential"](exponents([Fraction(10 + gap), Fraction(10)], Fraction(1, 2)))
    assert math.exp(flip[0]) == pytest.approx(1 - wrong)


@pytest.mark.parametrize("neighbours", ["any", "changes", "joins"])
def test_no_rule_is_above_it(neighbours):
    for utilities in ([5.0, 3, 1], [4.0, 4, 0], [7.0, 6, 6, 6], [2.5, 0.25] if neighbours != "changes" else [9.0, 2]):
        rate = Fraction(1, 5) if neighbours == "joins" else Fraction(1, 10)
        found = limit(utilities, 1.0, 0.2, neighbours)
        scores = exponents([Fraction(u) for u in utilities], rate)
        best = scores == 0
        assert all(np.exp(logs(scores))[best].sum() <= found.chance for logs in LOGS.values())
        assert found.chance <= 1


def test_a_limit_next_to_1_is_not_below_what_a_rule_attains():
    """HiGHS may end 1e-7 short of the least, here at 0.99999992."""
    found = limit(SCHOOLING, 1.0, 1.0, "joins")
    flip = LOGS["exponential"](exponents([Fraction(u) for u in SCHOOLING], Fraction(1)))
    assert 0.9999999996 < math.exp(flip[2]) <= found.chance <= 1


def test_two_options_that_move_both_ways():
    """A gap of Delta is turned round by one move, so that p <= e^eps (1 - p); one of 2 Delta is closed: 1 - p >= e^-eps / 2."""
    for gap, chance in ((1, math.e / (1 + math.e)), (2, 1 - math.exp(-1) / 2), (3, 1 - math.exp(-1) / (1 + math.e))):
        assert limit([10.0 + gap, 10], 1.0, 1.0, "any").chance == pytest.approx(chance, abs=1e-7)


def test_the_simplex_method_follows_where_the_interior_point_method_gives_up(monkeypatch):
    methods = []
    monkeypatch.setattr(module, "new_solver", lambda **given: methods.append(given["solver"]) or new_solver(**given))
    utilities, solved = [-4.01, 17.23, 7.02], module.run

    def run(solver, progress):
        if methods[-1] == "simplex":
            solved(solver, progress)

    monkeypatch.setattr(module, "run", run)
    found = limit(utilities, 1.0, 0.2, "joins")
    assert methods == ["ipm", "simplex"]
    monkeypatch.setattr(module, "run", solved)
    assert found.chance == pytest.approx(limit(utilities, 1.0, 0.2, "joins").chance, abs=1e-6)


def test_no_rule_is_above_it_at_random():
    """As 2 200 vectors of another seed, all epsilons from 1e-6 to 150, ties and sizes from 1e-6 to 1e6."""
    draws, known = random.Random(24), 0
    for _ in range(120):
        size, ties = draws.choice([0.01, 1, 100]), draws.random() < 0.3
        utilities = [
            float(draws.randint(0, 4)) if ties else round(draws.uniform(-20, 20) * size, 3) for _ in range(draws.randint(2, 5))
        ]
        epsilon, step = draws.choice(["0.001", "0.1", "1", "2", "5", "8", "20", "40"]), draws.choice(["1", "2", "0.5"])
        neighbours = draws.choice(["joins", "changes", "any"])
        found = limit(utilities, float(step), float(epsilon), neighbours)
        if found is None:
            continue
        known += 1
        rate = Fraction(epsilon) / Fraction(step) / (1 if neighbours == "joins" else 2)
        scores = exponents([Fraction(u) for u in utilities], rate)
        best = np.array(utilities) == max(utilities)
        assert found.chance is not None
        assert all(np.exp(logs(scores))[best].sum() <= found.chance for logs in LOGS.values()), (utilities, epsilon, step)
    assert known > 60


def test_where_there_are_too_many_vectors_there_is_none():
    assert limit([1e6, 0.0], 1.0, 0.1, "any") is None
    assert limit([1.5, 0.0], 1.0, 0.1, "changes") is None, "moves of exactly Delta never make these equal"


@pytest.mark.parametrize("after", [0.0, 0.3, 0.8])
def test_the_largest_program_stops_within_half_a_second_wherever_it_is(after):
    """More than a thousand vectors take seconds; whoever waits no longer is not kept waiting (in processor time)."""
    began, raised = time.process_time(), []

    def report(fraction, text=""):
        if time.process_time() - began >= after:
            raised.append(time.process_time())
            raise Cancelled

    with pytest.raises(Cancelled):
        limit([170.0, 135, 77, 3], 1.0, 0.1, "changes", report)
    assert len(raised) == 1 and raised[0] - began < after + 0.5, "it is asked often enough"
    assert time.process_time() - raised[0] < 0.5, "and ends when told to"
