"""The privacy of every atom on tiny domains, against laws that are enumerated in another way, and against what is drawn."""

from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
import pytest

from dpdesigner.core.synthetic.bisection import neighbours
from dpdesigner.core.synthetic.cells import Shape, consistent, running_total, straightened
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.error_bounds import best_shape
from dpdesigner.core.synthetic.method_comparison import chosen_privacy, cut_privacy, enumerated, enumerated_privacy
from dpdesigner.core.synthetic.methods import METHODS, Budget, from_quantiles, multiplicative_weights
from dpdesigner.errors import InputError

ONE = Fraction(1)


def test_all_pairs_of_neighbours_are_found():
    counts, one, other = neighbours(2, 3)
    assert len(counts) == 20 and (counts.sum(axis=1) == 3).all()
    slow = {
        (i, k)
        for i, k in product(range(20), repeat=2)
        if i < k and sorted(counts[k] - counts[i])[::3] == [-1, 1] and abs(counts[k] - counts[i]).sum() == 2
    }
    assert set(zip(one.tolist(), other.tolist(), strict=True)) == slow
    with pytest.raises(InputError, match="at most 3 bits and from 1 to 4 rows, got 4 bits"):
        neighbours(4, 2)


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
@pytest.mark.parametrize("bits", [1, 2, 3])
def test_noisy_counts_have_all_of_epsilon_and_no_more(bits, rows):
    for epsilon in (ONE, Fraction(1, 3), Fraction(7)):
        assert enumerated_privacy(bits, rows, epsilon, Shape((1 << bits,))) == epsilon
        assert enumerated_privacy(bits, rows, epsilon, best_shape(bits)) == epsilon
    assert enumerated_privacy(3, 2, ONE, Shape((2, 2, 2))) == 1


@pytest.mark.parametrize(("shape", "bits", "epsilon", "reach"), [(Shape((2,)), 1, 1, 30), (Shape((4,)), 2, 6, 3)], ids=str)
def test_made_up_columns_tell_no_more_than_noisy_counts(shape, bits, epsilon, reach):
    """All outputs by enumeration of the noise up to a reach; the rest of the law is given to the other side: nothing is lost."""
    rows, each = 2, epsilon / 2
    alpha = exp(-each)
    sizes = shape.level_sizes()
    counts, one, other = neighbours(bits, rows)
    laws = [{} for _ in counts]
    answers = list(product(range(-reach, rows + reach + 1), repeat=sum(sizes)))
    for answer in answers:
        levels = np.split(np.array(answer), np.cumsum(sizes)[:-1])
        made = tuple(straightened(consistent(levels, shape, float(rows)), rows).tolist())
        for place, database in enumerate(counts):
            real = np.concatenate([database.reshape(size, -1).sum(axis=1) for size in sizes])
            chance = ((1 - alpha) / (1 + alpha)) ** len(real) * alpha ** float(np.abs(np.array(answer) - real).sum())
            laws[place][made] = laws[place].get(made, 0.0) + chance
    left = [1 - sum(law.values()) for law in laws]
    assert 0 < min(left) and max(left) < 1e-3
    largest = 0.0
    for first, second in ((one, other), (other, one)):
        for i, k in zip(first.tolist(), second.tolist(), strict=True):
            for made, chance in laws[i].items():
                assert chance <= exp(epsilon) * (laws[k].get(made, 0.0) + left[k])
                largest = max(largest, log(chance / (laws[k].get(made, 0.0) + left[k])))
    assert 0.5 * epsilon < largest <= epsilon


def cuts(totals, low, high, levels, rate):
    """All ways to cut a stretch, with their logarithmic chances."""
    if levels == 0:
        return {(): 0.0}
    if high - low < 2:
        places, logs = [low], np.zeros(1)
    else:
        places = list(range(low + 1, high))
        logs = np.array([-rate * abs(2 * (totals[at] - totals[low]) - (totals[high] - totals[low])) for at in places])
        logs -= np.log(np.exp(logs).sum())
    found = {}
    for at, own in zip(places, logs.tolist(), strict=True):
        left, right = cuts(totals, low, at, levels - 1, rate), cuts(totals, at, high, levels - 1, rate)
        found |= {(at, one, other): own + left[one] + right[other] for one in left for other in right}
    return found


@pytest.mark.parametrize(("bits", "rows", "levels"), [(2, 3, 2), (2, 4, 3), (3, 2, 2)])
def test_the_privacy_of_cuts_is_that_of_all_their_trees(bits, rows, levels):
    counts, one, other = neighbours(bits, rows)
    laws = [cuts(running_total(database).tolist(), 0, 1 << bits, levels, 1 / (4 * levels)) for database in counts]
    assert all(abs(sum(map(exp, law.values())) - 1) < 1e-9 for law in laws)
    slow = max(abs(laws[i][tree] - laws[k][tree]) for i, k in zip(one, other, strict=True) for tree in laws[i])
    found = cut_privacy(bits, rows, ONE, levels)
    assert found == pytest.approx(slow, rel=1e-9) and slow <= found <= 1


def test_cuts_are_drawn_by_that_law():
    counts, many = [3, 0, 0, 1], 4000
    law = cuts(running_total(counts).tolist(), 0, 4, 1, 1 / 4)
    source = for_study(1)
    drawn = np.bincount([from_quantiles(counts, ONE, 4, 1, 2, source).edges[0] for _ in range(many)], minlength=5) / many
    for (at, *_), chance in law.items():
        assert abs(drawn[at] - exp(chance)) < 5 * np.sqrt(exp(chance) / many)


def rounds_law(counts, made, rounds):
    """The chances of all intervals in a round."""
    ends = [(low, high) for low in range(len(counts)) for high in range(low + 1, len(counts) + 1)]
    logs = np.array([abs(sum(counts[low:high]) - sum(made[low:high])) / (4 * rounds) for low, high in ends])
    return ends, logs - np.log(np.exp(logs).sum())


@pytest.mark.parametrize(("bits", "rows", "rounds"), [(1, 3, 1), (2, 2, 1), (2, 3, 10)])
def test_weights_are_bounded_round_by_round(bits, rows, rounds):
    counts, one, other = neighbours(bits, rows)
    slow = 0.0
    for made in counts:
        for i, k in zip(one.tolist(), other.tolist(), strict=True):
            ends, first = rounds_law(counts[i], made, rounds)
            second = rounds_law(counts[k], made, rounds)[1]
            for place, (low, high) in enumerate(ends):
                noise = abs(counts[i][low:high].sum() - counts[k][low:high].sum()) / (2 * rounds)
                slow = max(slow, abs(first[place] - second[place]) + noise)
    found = chosen_privacy(bits, rows, ONE, rounds)
    assert found == pytest.approx(rounds * slow, rel=1e-9) and rounds * slow <= found <= 1


def test_intervals_are_chosen_by_that_law():
    counts, many = [4, 0, 0, 0], 3000
    ends, logs = rounds_law(counts, [1, 1, 1, 1], 1)
    source = for_study(2)
    drawn = [multiplicative_weights(counts, ONE, 4, 1, source).rounds[0] for _ in range(many)]
    for (low, high), chance in zip(ends, np.exp(logs), strict=True):
        share = np.mean([(each.low, each.high) == (low, high) for each in drawn])
        assert abs(share - chance) < 5 * np.sqrt(chance / many)


@pytest.mark.parametrize("method", METHODS)
def test_every_way_is_enumerated_on_tiny_domains(method):
    budget = Budget(Fraction(2), "replace")
    for bits, rows in ((1, 1), (2, 3), (3, 4)):
        found = enumerated(method, bits, rows, budget, Fraction(1, 2))
        assert 0 <= found.epsilon <= 2 * (1 + 1e-11) and found.bound == (method == "mwem")
    assert enumerated(method, 4, 2, budget, Fraction(1, 2)) is None
    assert enumerated(method, 2, 5, budget, Fraction(1, 2)) is None
    assert enumerated(method, 2, 2, Budget(Fraction(2), "add-remove"), Fraction(1, 2)) is None
