"""The worst neighbour of a vector: the two vectors an option that are looked at are the worst of all."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from dpdesigner.core.choice.mechanisms import exponential_logs, exponents
from dpdesigner.core.choice.neighbours import LOGS, guarantee, worst

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
