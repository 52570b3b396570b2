"""The discrete staircase."""

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published_noise import DISCRETE, DISCRETE_1000, DISCRETE_SQUARED_1, INTEGER_APPROXIMATE
from scipy.optimize import linprog
from scipy.sparse import coo_matrix
from scipy.stats import chisquare

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.sampling import geometric_count
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.noise.discrete_staircase import (
    LARGEST_SENSITIVITY,
    AbstractStaircase,
    DiscreteStaircase,
    best_split,
    cell_edges,
    cell_privacy,
    cell_title,
    discrete_laplace_cost,
    draw,
    fitting_cells,
    of_whole_numbers,
    release,
    split_costs,
    tally,
)
from dpdesigner.core.noise.noise_cost import ABSOLUTE, SQUARED, PowerCost, noise_cost
from dpdesigner.core.noise.staircase import optimum
from dpdesigner.errors import InputError

COSTS = ["absolute", "squared", "power:1/2", "power:3", "drawn:0:1,2:3,5:4", "expression:min(abs(x), 7)", "expression:log1p(x*x)"]


def least_by_linear_program(cost: np.ndarray, epsilon: float, sensitivity: int, delta: float = 0.0) -> float:
    """The least expected cost of integer noise on -m..m, with the excess over the ratio allowed to sum to delta.

    Parameters: cost, (m + 1,): L(0), ..., L(m). Variables are p_0..p_m (even noise) and, for each shift, its excess.
    """
    m = len(cost) - 1
    triples: list[tuple[int, int, float]] = []
    limits: list[float] = []
    number = m + 1
    for shift in range(1, sensitivity + 1):
        excess: list[int] = []
        for i in range(-m - shift, m + 1):
            # p_i - e^epsilon p_(i + shift) <= excess, with p = 0 outside.
            row = len(limits)
            entries: dict[int, float] = {}
            if abs(i) <= m:
                entries[abs(i)] = 1.0
            if abs(i + shift) <= m:
                entries[abs(i + shift)] = entries.get(abs(i + shift), 0.0) - math.exp(epsilon)
            elif not delta:
                continue
            if delta:
                entries[number] = -1.0
                excess.append(number)
                number += 1
            for column, value in entries.items():
                triples.append((row, column, value))
            limits.append(0.0)
        if delta:
            row = len(limits)
            triples += [(row, column, 1.0) for column in excess]
            limits.append(delta)
    weights = np.where(np.arange(m + 1) == 0, 1.0, 2.0)
    objective = np.append(weights * cost, np.zeros(number - m - 1))
    total = np.append(weights, np.zeros(number - m - 1))[None, :]
    rows, columns, values = zip(*triples, strict=True)
    matrix = coo_matrix((values, (rows, columns)), shape=(len(limits), number))
    return float(linprog(objective, A_ub=matrix, b_ub=limits, A_eq=total, b_eq=[1.0], method="highs").fun)


def exact_mass(noise: DiscreteStaircase, i: int, alpha: Fraction) -> Fraction:
    """P(i) for a rational alpha = exp(-epsilon)."""
    height = (1 - alpha) / (2 * noise.split - 1 + alpha * (2 * (noise.sensitivity - noise.split) + 1))
    return height * alpha ** int(noise.step(i))


@pytest.mark.parametrize("sensitivity", DISCRETE)
def test_published_costs(sensitivity: int) -> None:
    cost, split = DISCRETE[sensitivity]
    found = best_split(ABSOLUTE, 1.0, sensitivity)
    assert found.split == split
    assert found.cost == pytest.approx(cost, rel=1e-10)


def test_further_published_costs() -> None:
    assert best_split(SQUARED, 1.0, 1).cost == pytest.approx(DISCRETE_SQUARED_1, rel=1e-10)
    assert best_split(ABSOLUTE, math.log(2), 1).cost == pytest.approx(4 / 3, rel=1e-15)
    assert best_split(ABSOLUTE, math.log(2), 2).cost == pytest.approx(7 / 5 * 2, rel=1e-15)
    wide = best_split(ABSOLUTE, 1.0, 1000)
    assert wide.cost / 1000 == pytest.approx(DISCRETE_1000, rel=1e-10)
    continuous = optimum(ABSOLUTE, 1.0)
    assert wide.split / 1000 == pytest.approx(continuous.gamma, abs=1e-3)
    assert wide.cost / 1000 == pytest.approx(continuous.cost, rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("sensitivity", [1, 2, 3, 5])
@pytest.mark.parametrize("power", [1, 2])
def test_it_is_the_optimum_over_all_integer_noise(power: int, sensitivity: int, epsilon: float) -> None:
    window = round(20 * sensitivity / epsilon) + 4 * sensitivity
    least = least_by_linear_program(np.arange(window + 1.0) ** power, epsilon, sensitivity)
    found = best_split(PowerCost(float(power)), epsilon, sensitivity).cost
    # The program may drop what lies beyond its window, so it comes out a little below.
    assert found * (1 - 2e-4) <= least <= found * (1 + 1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), INTEGER_APPROXIMATE)
def test_integer_noise_with_delta_by_linear_program(epsilon: float, delta: float) -> None:
    window = 45
    least = least_by_linear_program(np.arange(window + 1.0), epsilon, 1, delta)
    assert least == pytest.approx(INTEGER_APPROXIMATE[epsilon, delta], rel=2e-7)
    if epsilon:
        assert least < best_split(ABSOLUTE, epsilon, 1).cost


@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.2, 1), (1.0, 4), (5.0, 7)])
def test_costs_against_plain_sums(name: str, epsilon: float, sensitivity: int) -> None:
    cost = noise_cost(name)
    i = np.arange(-round(60 * sensitivity / epsilon) - 10, round(60 * sensitivity / epsilon) + 11)
    values = cost.value(np.abs(i).astype(float))
    sums = [math.fsum(DiscreteStaircase(epsilon, split, sensitivity).mass(i) * values) for split in range(1, sensitivity + 1)]
    assert split_costs(cost, epsilon, sensitivity) == pytest.approx(sums, rel=1e-12)
    found = best_split(cost, epsilon, sensitivity)
    assert found.cost == pytest.approx(min(sums), rel=1e-12)
    assert sums[found.split - 1] == pytest.approx(min(sums), rel=1e-12)
    alpha = math.exp(-epsilon / sensitivity)
    laplace = math.fsum((1 - alpha) / (1 + alpha) * alpha ** np.abs(i) * values)
    assert discrete_laplace_cost(cost, epsilon, sensitivity) == pytest.approx(laplace, rel=1e-12)


@pytest.mark.parametrize("epsilon", [1e-6, 1e-2, 10.0, 700.0])
def test_every_route_gives_the_same_cost(epsilon: float) -> None:
    pairs = [("absolute", "expression:abs(x)"), ("squared", "expression:x*x"), ("drawn:0:0,3:3,4:3", "expression:min(abs(x), 3)")]
    for one, other in (map(noise_cost, pair) for pair in pairs):
        for sensitivity in (1, 6):
            costs = split_costs(one, epsilon, sensitivity)
            laplace = discrete_laplace_cost(one, epsilon, sensitivity)
            assert costs == pytest.approx(split_costs(other, epsilon, sensitivity), rel=1e-12)
            assert laplace == pytest.approx(discrete_laplace_cost(other, epsilon, sensitivity), rel=1e-12)
            assert costs.min() <= laplace * (1 + 1e-12)


def test_sensitivity_1_is_the_geometric_mechanism() -> None:
    privacy = PrivacyLevel.from_alpha("1/3")
    noise = DiscreteStaircase(privacy.epsilon, 1)
    for z in range(-4, 5):
        assert float(noise.mass(z)) == pytest.approx(geometric.noise(privacy, z), rel=1e-14)
        assert exact_mass(noise, z, Fraction(1, 3)) == Fraction(1, 2) * Fraction(1, 3) ** abs(z)
    assert best_split(ABSOLUTE, privacy.epsilon, 1).cost == pytest.approx(geometric.expected_distance(privacy), rel=1e-14)
    assert discrete_laplace_cost(ABSOLUTE, privacy.epsilon, 1) == pytest.approx(geometric.expected_distance(privacy), rel=1e-14)


@given(
    alpha=st.fractions(min_value="1/50", max_value="49/50", max_denominator=50),
    sensitivity=st.integers(1, 9),
    split=st.integers(1, 9),
)
def test_it_is_exactly_private_and_a_distribution(alpha: Fraction, sensitivity: int, split: int) -> None:
    split = min(split, sensitivity)
    noise = DiscreteStaircase(-math.log(alpha), split, sensitivity)
    masses = {i: exact_mass(noise, i, alpha) for i in range(-3 * sensitivity, 3 * sensitivity + 1)}
    for i in range(-2 * sensitivity, 2 * sensitivity + 1):
        for shift in range(1, sensitivity + 1):
            assert alpha <= masses[i] / masses[i + shift] <= 1 / alpha
    period = sum((masses[i] for i in range(sensitivity)), Fraction(0))
    assert 2 * period / (1 - alpha) - masses[0] == 1
    assert [float(mass) for mass in masses.values()] == pytest.approx(noise.mass(list(masses)), rel=1e-11)


def test_the_ends() -> None:
    assert best_split(ABSOLUTE, 700.0, 50).split == 1
    assert best_split(ABSOLUTE, 1e-4, 50).split in (25, 26)
    assert best_split(noise_cost("expression:exp(abs(x)) - 1"), 0.5, 3).cost == math.inf
    assert discrete_laplace_cost(noise_cost("expression:exp(abs(x)) - 1"), 0.5, 3) == math.inf


@pytest.mark.parametrize("bad", [(0.0, 1, 1), (math.inf, 1, 1), (1.0, 0, 1), (1.0, 2, 1), (1.0, 1, 0)])
def test_bad_parameters(bad: tuple[float, int, int]) -> None:
    with pytest.raises(InputError):
        DiscreteStaircase(*bad)


def test_too_large_a_sensitivity() -> None:
    with pytest.raises(InputError, match="10000"):
        split_costs(ABSOLUTE, 1.0, LARGEST_SENSITIVITY + 1)


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 3.0, 40.0, 700.0])
@pytest.mark.parametrize(("split", "sensitivity"), [(1, 1), (1, 5), (3, 5), (9, 9)])
def test_the_distribution_function_sums_the_probabilities(epsilon: float, split: int, sensitivity: int) -> None:
    noise, i = DiscreteStaircase(epsilon, split, sensitivity), np.arange(-9000, 9001)
    mass = noise.mass(i)
    assert noise.cdf(i) == pytest.approx(np.cumsum(mass), abs=1e-11)
    near = slice(9000, 9100)
    assert noise.tail(i)[near] == pytest.approx(np.cumsum(mass[::-1])[::-1][near], rel=1e-9, abs=1e-300)
    for chance in (0.0, 0.3, 0.95, 0.999):
        bound = noise.within(chance)
        inside = [mass[np.abs(i) <= k].sum() for k in (bound - 1, bound)]
        assert inside[1] >= chance - 1e-11 and (bound == 0 or inside[0] < chance + 1e-11)


@pytest.mark.parametrize(
    ("level", "split", "sensitivity"),
    [(PrivacyLevel.from_alpha("1/2"), 1, 1), (PrivacyLevel.from_epsilon("0.7"), 2, 5), (PrivacyLevel.from_epsilon("ln 3"), 3, 3)],
)
def test_draws_follow_the_distribution(level: PrivacyLevel, split: int, sensitivity: int) -> None:
    below = random.Random(5).randrange
    draws = Counter(draw(level, split, sensitivity, below) for _ in range(20_000))
    noise = DiscreteStaircase(level.epsilon, split, sensitivity)
    places = range(-2 * sensitivity, 2 * sensitivity + 1)
    masses = noise.mass(list(places)) * 20_000
    counts = [draws[i] for i in places]
    rest = 20_000 - sum(counts)
    assert chisquare([*counts, rest], [*masses, 20_000 - masses.sum()]).pvalue > 1e-4


def test_geometric_counts_follow_the_distribution_for_small_epsilon() -> None:
    below = random.Random(6).randrange
    level = PrivacyLevel.from_epsilon("3/1000000")
    counts = [geometric_count(level, 1 << 200, below) for _ in range(4000)]
    mean = math.exp(-3e-6) / -math.expm1(-3e-6)
    assert sum(counts) / 4000 == pytest.approx(mean, rel=5 / math.sqrt(4000))
    assert min(counts) >= 0


def test_noise_of_an_alpha_next_to_1_takes_a_few_steps() -> None:
    generator, asked = random.Random(7), []

    def below(bound: int) -> int:
        asked.append(bound)
        return generator.randrange(bound)

    draws = [draw(PrivacyLevel.from_alpha("0.999999"), 1, 1, below) for _ in range(20)]
    assert max(map(abs, draws)) > 10**5 and len(asked) < 20 * 10


def test_probabilities_are_exact() -> None:
    """Walk through every path of the sources of randomness for a first accepted draw with alpha = 1/2, Delta = 2, r = 1."""
    level = PrivacyLevel.from_alpha("1/2")

    def scripted(*script: int) -> int:
        left = list(script)
        return draw(level, 1, 2, lambda bound: left.pop(0))

    # Position 0, no period, positive and negative; the negative zero is drawn again.
    assert scripted(0, 1, 0) == 0
    assert scripted(0, 1, 1, 0, 1, 0) == 0
    # Position 1 is kept with probability 1/2 (a draw below 1 of 2), one period follows, negative.
    assert scripted(1, 0, 0, 1, 1) == -3
    # Position 1 refused, then position 0 with two periods, positive.
    assert scripted(1, 1, 0, 0, 0, 1, 0) == 4


def test_the_ends_of_epsilon() -> None:
    assert draw(PrivacyLevel.from_epsilon("inf"), 1, 3) == 0
    assert abs(draw(PrivacyLevel.from_epsilon(700), 1, 3)) <= 3
    with pytest.raises(InputError, match="positive"):
        draw(PrivacyLevel.from_epsilon(0), 1, 3)


def exact_ratio(mechanism: AbstractStaircase, alpha: Fraction) -> Fraction:
    """The largest ratio of probabilities between neighbours for a rational alpha = exp(-epsilon)."""
    weights = [[alpha ** int(step) for step in row] for row in mechanism.steps]
    rows = [[weight / sum(row, Fraction(0)) for weight in row] for row in weights]
    return max(max(a / b, b / a) for one, other in pairwise(rows) for a, b in zip(one, other, strict=True))


def test_on_a_circle_it_is_epsilon_private() -> None:
    """The distance on a circle: every row holds the same weights, in another order."""
    costs = tuple(tuple(min((i - r) % 6, (r - i) % 6) for r in range(6)) for i in range(6))
    mechanism = AbstractStaircase(costs, 1.0)
    assert mechanism.sensitivity == 1
    assert mechanism.equal_sums
    assert mechanism.level == pytest.approx(1.0, rel=1e-13)
    assert mechanism.level >= 1.0
    assert exact_ratio(mechanism, Fraction(1, 2)) == 2


def test_a_case_that_is_worse_than_epsilon() -> None:
    """The only cheap output becomes the only dear one: its weight falls by e and the sum rises by almost e."""
    many = 200
    mechanism = AbstractStaircase(((0, *[1] * many), (1, *[0] * many)), 1.0)
    assert not mechanism.equal_sums
    assert 1.9 < mechanism.level <= 2
    assert exact_ratio(mechanism, Fraction(1, 2)) == Fraction(2 * (2 * many + 1), many + 2)


@given(
    table=st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=5),
    alpha=st.sampled_from([Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)]),
)
def test_the_level_is_exact_and_within_2_epsilon(table: list[list[int]], alpha: Fraction) -> None:
    mechanism = AbstractStaircase(tuple(map(tuple, table)), -math.log(alpha))
    ratio = exact_ratio(mechanism, alpha)
    assert mechanism.level == pytest.approx(math.log(ratio), abs=1e-12)
    assert mechanism.level >= math.log(ratio) - 1e-16
    assert ratio <= 1 / alpha**2
    assert mechanism.matrix.sum(axis=1) == pytest.approx(np.ones(len(table)))
    assert np.abs(np.diff(mechanism.steps, axis=0)).max() <= 1


def test_costs_that_do_not_depend_on_the_data() -> None:
    mechanism = AbstractStaircase(((1, 2), (1, 2)), 1.0)
    assert mechanism.level == 0
    assert mechanism.matrix == pytest.approx(np.full((2, 2), 0.5))


def test_one_database() -> None:
    assert AbstractStaircase(((1, 2),), 1.0).level == 0


def test_cell_privacy() -> None:
    level = PrivacyLevel.from_epsilon("0.3")
    assert cell_privacy(level, "add-remove") == level
    assert cell_privacy(level, "replace").exact_epsilon == Fraction(3, 20)
    half = cell_privacy(PrivacyLevel.from_epsilon("ln 2"), "replace").exact_epsilon
    assert half is not None
    assert 0 <= math.log(2) / 2 - half < 1e-14
    for end in ("0", "inf"):
        assert cell_privacy(PrivacyLevel.from_epsilon(end), "replace").epsilon == float(end)


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_release_has_the_right_spread(neighbours: str) -> None:
    level = PrivacyLevel.from_epsilon(1)
    truth = [5] * 4000
    released = release(truth, level, neighbours, random.Random(1).randrange)  # type: ignore[arg-type]
    noise = np.array(released) - 5
    alpha = math.exp(-1 if neighbours == "add-remove" else -0.5)
    spread = 2 * alpha / (1 - alpha) ** 2
    assert abs(noise.mean()) < 5 * math.sqrt(spread / 4000)
    assert (noise**2).mean() == pytest.approx(spread, rel=0.25)


def test_without_privacy_the_truth_is_released() -> None:
    assert release([3, 0, 7], PrivacyLevel.from_epsilon("inf"), "replace") == (3, 0, 7)
    with pytest.raises(InputError):
        release([3], PrivacyLevel.from_epsilon(0), "replace")


def test_tally() -> None:
    assert tally([5, 0, 9.99, 10, 1000, -1], [0, 10, 20]).tolist() == [3, 1, 1]
    income = np.arange(0, 501_000, 50_000)
    assert len(tally([], income)) == 11
    assert tally([500_000, 9e9], income).tolist() == [0] * 10 + [2]


@pytest.mark.parametrize(("values", "edges"), [([1], []), ([1], [1, 1]), ([1], [2, 1]), ([math.nan], [0]), ([1], [math.inf])])
def test_bad_input(values: list[float], edges: list[float]) -> None:
    with pytest.raises(InputError):
        tally(values, edges)


@pytest.mark.parametrize("text", ["18 to 90 by 10", "18..90 by 10", "18-90 by 10", "18 – 90 by 10", "18 to 90 in steps of 10"])
def test_ranges_are_read_as_people_write_them(text: str) -> None:
    assert cell_edges(text) == tuple(map(Fraction, range(18, 90, 10)))


def test_spans_of_whole_numbers_are_read_where_they_are_adjacent() -> None:
    assert cell_edges("0, 1, 2-4, 5+") == (0, 1, 2, 5) and cell_edges("0-17, 18 – 64, 65") == (0, 18, 65)
    for text in ("3+, 5", "0, 4-2, 5"):
        with pytest.raises(InputError, match="must be"):
            cell_edges(text)
    with pytest.raises(InputError, match=r"the last cell must be open, like 7\+, got '1-3") as closed:
        cell_edges("1-3, 4-6, 7-10")
    assert closed.value.suggestion == "1-3, 4-6, 7+"
    with pytest.raises(InputError, match="5 is in no cell"):
        cell_edges("1-4, 6-9, 10+")


def test_titles_are_single_values_only_where_whole_numbers_are_written() -> None:
    def titles(text: str) -> list[str]:
        edges, whole = cell_edges(text), of_whole_numbers(text)
        return [cell_title(edges, cell, whole) for cell in range(len(edges))]

    assert titles("60..62") == ["60", "61", "62 or more"]
    assert titles("60..62 by 1") == titles("60, 61, 62") == ["60 to <61", "61 to <62", "62 or more"]
    assert titles("1, 2, 3-4, 5+") == ["1", "2", "3–4", "5 or more"]
    assert titles("0.5..2") == ["0.5 to <1.5", "1.5 or more"]
    assert fitting_cells(np.array([0.5, 25.0])) == "0..25 by 1"


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("1,5", "1, 5"),
        ("0,5; 6,5", ""),
        ("1 204", "1, 204"),
        ("0, 1 204", "0, 1, 204"),
        ("1,100,200", "1, 100, 200"),
        ("100 200 300", "100, 200, 300"),
        ("18,5 65 80,5", ""),
        ("1.484,00", ""),
        ("0,5..10", ""),
        ("5..5 by 0", ""),
        ("1 204..1 500 by 10", ""),
    ],
)
def test_a_comma_or_a_space_that_may_belong_to_a_number_is_refused(text: str, suggestion: str) -> None:
    with pytest.raises(InputError) as refused:
        cell_edges(text)
    assert refused.value.suggestion == suggestion
    if suggestion:
        assert cell_edges(suggestion) == tuple(map(Fraction, suggestion.split(", ")))


def test_a_falling_range_is_turned_round_and_a_long_one_counted() -> None:
    for text in ("5..2", "5 to 2"):
        with pytest.raises(InputError, match=r"the cells must rise: 2\.\.5, got '5") as falling:
            cell_edges(text)
        assert falling.value.suggestion == "2..5" and cell_edges("2..5") == (2, 3, 4, 5)
    for text in ("0..200", "200..0"):
        with pytest.raises(InputError, match="at most 200 steps") as long:
            cell_edges(text)
        assert long.value.suggestion == ""
    assert len(cell_edges("1..200")) == 200


def test_the_refusal_says_what_is_allowed() -> None:
    with pytest.raises(InputError, match=r"lower edges like 0, 18, 65, or a range like 0..10 or 18 to 90 by 10, got 'many'"):
        cell_edges("many")
