"""Attacks on answers within a bound: shares of people as they were measured independently, and what the points satisfy."""

from __future__ import annotations

import csv
import time
from functools import partial
from itertools import product

import numpy as np
import pytest

from dpdesigner import resources
from dpdesigner.core.mechanism.linear_program import new_solver
from dpdesigner.core.reconstruction import attack as programs
from dpdesigner.core.reconstruction import interior_point as one_thread
from dpdesigner.core.reconstruction.attack import ATTACKERS, attacked, check_consistent, clashing, corner, ranges, whole_column
from dpdesigner.core.reconstruction.counting import Questions
from dpdesigner.core.reconstruction.interior_point import analytic_centre, least_total_error
from dpdesigner.core.reconstruction.problem import bounded_answers, noisy_answers
from dpdesigner.errors import Cancelled, DpDesignerError, InputError


@pytest.mark.parametrize("seed", range(6))
def test_what_is_certain_holds_for_every_column_that_fits(seed):
    generator = np.random.default_rng(seed)
    questions = Questions.of(generator.random((9, 7)) < 0.5)
    answers = questions.sums((generator.random(7) < 0.5).astype(float)) + generator.uniform(-0.8, 0.8, 9)
    fitting = [x for x in product((0, 1), repeat=7) if np.abs(questions.dense @ x - answers).max() <= 0.8]
    found = ranges(questions, answers, np.full(9, 0.8))
    least, largest = np.min(fitting, axis=0), np.max(fitting, axis=0)
    assert (found.least <= least + 1e-6).all() and (found.largest >= largest - 1e-6).all()
    for person, certain in enumerate(found.certain):
        assert certain == -1 or least[person] == largest[person] == certain


@pytest.mark.parametrize("tolerance", [1e-7, 0.6])
def test_what_is_certain_does_not_rest_on_where_a_program_ends(tolerance, monkeypatch):
    """HiGHS may call an end the best that is not: it would say of these that some are 0 or 1 who need not be."""
    monkeypatch.setattr(programs, "new_solver", partial(new_solver, dual_feasibility_tolerance=tolerance))
    certain = 0
    for seed in range(20):
        generator = np.random.default_rng(seed)
        questions = Questions.of(generator.random((10, 8)) < 0.5)
        answers = questions.sums((generator.random(8) < 0.5).astype(float)) + generator.uniform(-0.4, 0.4, 10)
        fitting = [x for x in product((0, 1), repeat=8) if np.abs(questions.dense @ x - answers).max() <= 0.4]
        found = ranges(questions, answers, np.full(10, 0.4)).certain
        least, largest = np.min(fitting, axis=0), np.max(fitting, axis=0)
        assert ((found == -1) | ((found == least) & (found == largest))).all()
        assert clashing(questions, answers, np.full(10, 0.4)) == []
        certain += int((found >= 0).sum())
    assert certain > 20 or tolerance > 1e-7


def test_an_exact_pair_of_answers_tells_one_person():
    questions = Questions.of([[1, 1, 1, 0], [0, 1, 1, 0]])
    found = ranges(questions, np.array([2.0, 1.0]), np.zeros(2))
    assert found.certain.tolist() == [1, -1, -1, -1]


def counts(*groups):
    return Questions.of([[person in group for person in range(1, max(map(max, groups)) + 1)] for group in groups])


@pytest.mark.parametrize("seconds", [10, 0])
def test_no_value_is_certain_where_no_column_of_0_and_1_fits(seconds):
    questions = counts((1, 2), (2, 3), (1, 3))
    with pytest.raises(DpDesignerError, match="no column of 0 and 1 fits them all"):
        ranges(questions, np.ones(3), np.zeros(3), seconds=seconds)


def test_answers_that_only_fractions_fit_are_named_and_none_in_vain(monkeypatch):
    groups = ((1, 2), (4, 5), (2, 3), (5, 6, 7), (1, 3), (2, 4, 6))
    questions, answers = counts(*groups), np.array([1.0, 1, 1, 2, 1, 2])
    assert clashing(questions, answers, np.zeros(6)) == []
    words = (
        r"these 3 answers contradict each other; no column of 0 and 1 fits them all: answer 1 says 1 of 2 people; answer 3 .* 5 "
    )
    with pytest.raises(InputError, match=words):
        check_consistent(questions, answers, np.zeros(6))
    monkeypatch.setattr(programs, "_SECONDS_NAMING", 0)
    with pytest.raises(InputError, match=r"these 6 answers cannot all be right; .*; and 1 more\.$"):
        check_consistent(questions, answers, np.zeros(6))


def test_the_integer_solver_settles_what_fractions_leave_open():
    found = ranges(counts((1, 2), (2, 3), (1, 3, 4)), np.array([1.0, 1.0, 2.0]), np.zeros(3))
    assert found.certain.tolist() == [1, 0, 1, 0] and found.complete and found.fitting and found.solved > 0
    open_pair = ranges(counts((1, 2), (3,)), np.array([1.0, 1.0]), np.zeros(2))
    assert open_pair.certain.tolist() == [-1, -1, 1] and open_pair.both.tolist() == [True, True, False] and open_pair.complete


def test_without_time_for_whole_columns_what_is_certain_has_its_condition():
    found = ranges(counts((1, 2), (3,)), np.array([1.0, 1.0]), np.zeros(2), seconds=0)
    assert found.certain.tolist() == [-1, -1, 1] and not found.fitting and found.undecided.tolist() == [True, True, False]


def test_a_long_search_for_a_whole_column_is_stopped():
    generator = np.random.default_rng(0)
    questions = Questions.of(generator.random((60, 200)) < 0.5)
    answers, begun = questions.sums((generator.random(200) < 0.5).astype(float)), time.monotonic()

    def progress(fraction, text=""):
        if time.monotonic() > begun + 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        whole_column(questions, answers, np.zeros(60), progress, seconds=60.0)
    assert time.monotonic() < begun + 5


def test_answers_that_clash_are_named_and_none_in_vain():
    generator = np.random.default_rng(1)
    inside = generator.random((30, 20)) < 0.5
    inside[4], inside[11], inside[20] = [1] * 10 + [0] * 10, [0] * 10 + [1] * 10, [1] * 20
    questions = Questions.of(inside)
    secret = (np.arange(20) % 2).astype(float)
    answers = questions.sums(secret)
    answers[20] = 14
    found = clashing(questions, answers, np.full(30, 0.5))
    assert 20 in found and len(found) <= 3
    for left in found:
        some = [q for q in found if q != left]
        assert clashing(Questions.of(inside[some]), answers[some], np.full(len(some), 0.5)) == []
    assert clashing(questions, questions.sums(secret), np.full(30, 0.5)) == []
    with pytest.raises(DpDesignerError, match="no column"):
        corner(questions, answers, 0.5)


def test_an_answer_that_nobody_can_give_clashes_alone():
    questions = Questions.of([[1, 1, 0], [1, 0, 1]])
    assert clashing(questions, np.array([3.0, 1.0]), np.array([0.5, 0.5])) == [0]


def asked(n, t, seed, secret=None):
    questions = Questions.drawn(n, t, seed)
    secret = (np.random.default_rng([seed, 9]).random(n) < 0.5).astype(np.int8) if secret is None else secret
    truth = questions.sums(secret.astype(float))
    return questions, secret, truth, questions.sums(np.ones(n))


def wrong(n, times, share, attacker="interior", kind="uniform", seeds=range(3)):
    found = []
    for seed in seeds:
        questions, secret, truth, sizes = asked(n, times * n, seed)
        bound = share * np.sqrt(n)
        answers = bounded_answers(kind, truth, sizes, bound, n, seed)
        found.append(attacked(questions, answers, bound, attacker).wrong(secret))
    return float(np.mean(found))


def survey():
    with open(resources.path("data", "survey_1996.csv"), encoding="utf-8") as file:
        votes = np.array([int(row["vote"]) for row in csv.DictReader(file)], dtype=np.int8)
    return votes[np.sort(np.random.default_rng(7).choice(len(votes), 400, replace=False))]


def test_the_voters_of_1996_are_recovered_as_was_measured_elsewhere():
    questions, secret, truth, sizes = asked(400, 1600, 7, survey())
    answers = bounded_answers("uniform", truth, sizes, 10.0, 400, 7)
    assert (secret.sum(), sizes[0], truth[0], round(answers[0], 1)) == (168, 190, 84, 90.6)
    found = {attacker: attacked(questions, answers, 10.0, attacker) for attacker in ("interior", "least-squares")}
    assert found["interior"].tally(secret)[:3] == (348, 50, 2)
    assert 386 <= found["interior"].tally(secret).guessed <= 387
    assert abs(found["least-squares"].tally(secret).guessed - 379) <= 1
    assert found["interior"].furthest < 10


@pytest.mark.parametrize(
    ("n", "times", "share", "low", "high"),
    [
        (100, 4, 0.25, 0, 0),
        (100, 4, 0.5, 0.003, 0.045),
        (100, 4, 1, 0.08, 0.19),
        (100, 8, 1, 0, 0.045),
        (200, 4, 0.5, 0.005, 0.04),
        (200, 8, 0.5, 0, 0.01),
    ],
)
def test_wrong_shares_are_those_measured_independently(n, times, share, low, high):
    assert low <= wrong(n, times, share, seeds=range(4 if n == 100 else 2)) <= high


def test_a_corner_and_least_squares_are_weaker():
    inner, squares, corner = (wrong(200, 4, 0.5, attacker, seeds=range(2)) for attacker in ATTACKERS)
    assert inner < squares < corner and 0.03 < squares < 0.08 and 0.1 < corner < 0.2


def test_rounding_to_a_grid_and_random_signs_hide_nothing():
    assert wrong(100, 4, 0.125, kind="rounded") == 0
    assert wrong(100, 4, 0.5, kind="random-sign") == wrong(100, 2, 2, kind="random-sign", seeds=range(1)) == 0


def test_the_tight_mechanism_hides_a_uniform_column_only_with_the_logarithm():
    assert wrong(100, 4, 0.5, kind="tightness") <= 0.05
    assert 0.2 <= wrong(100, 4, 1, kind="tightness") <= 0.58
    assert 0.42 <= wrong(100, 4, np.log(100) ** 1.1, kind="tightness") <= 0.5


def test_the_inner_point_is_the_analytic_centre():
    questions, _, truth, sizes = asked(40, 120, 3)
    answers = bounded_answers("uniform", truth, sizes, 3.0, 40, 3)
    x = analytic_centre(questions, answers, 3.0).values
    r = questions.dense @ x - answers
    gradient = 1 / x - 1 / (1 - x) + questions.dense.T @ (1 / (3 + r) - 1 / (3 - r))
    assert (0 < x).all() and (x < 1).all() and np.abs(r).max() < 3
    assert np.abs(gradient).max() < 1e-3 * (1 / (3 - np.abs(r))).max()


def test_answers_that_say_nothing_leave_everybody_at_one_half():
    questions, _, truth, _ = asked(30, 60, 1)
    found = attacked(questions, questions.sums(np.full(30, 0.5)), 40.0, "interior")
    assert np.abs(found.values - 0.5).max() < 1e-9 and (found.guess == -1).all()
    assert found.wrong(np.zeros(30, dtype=np.int8)) == 0.5 and truth.size


@pytest.mark.parametrize("t", [10, 30, 60])
@pytest.mark.parametrize("bound", [0.0, 1e-9])
def test_exact_answers_leave_a_thin_set(t, bound):
    questions, secret, truth, _ = asked(30, t, 5)
    found = attacked(questions, truth, bound, "interior")
    assert found.furthest < 1e-4
    if t > 30:
        assert found.wrong(secret) == 0


def test_least_total_error_is_no_worse_than_a_simplex_optimum():
    questions, _, truth, _ = asked(40, 100, 2)
    answers = noisy_answers("geometric", truth, 0.3, 2)
    inner, corner = (attacked(questions, answers, None, which) for which in ("interior", "vertex"))
    errors = [np.abs(questions.dense @ found.values - answers).sum() for found in (inner, corner)]
    assert errors[0] == pytest.approx(errors[1], rel=1e-6)
    assert least_total_error(questions, truth).values == pytest.approx(
        np.round(least_total_error(questions, truth).values), abs=1e-4
    )


def test_least_squares_is_the_least_within_the_box():
    questions, _, truth, sizes = asked(50, 120, 4)
    answers = bounded_answers("uniform", truth, sizes, 6.0, 50, 4)
    x = attacked(questions, answers, 6.0, "least-squares").values
    gradient = questions.dense.T @ (questions.dense @ x - answers)
    assert np.abs(x - np.clip(x - gradient / 30, 0, 1)).max() < 1e-4


def test_many_people_are_attacked_by_least_squares_without_a_dense_matrix():
    questions, secret, truth, sizes = asked(2500, 7500, 6)
    assert not questions.small
    small = Questions.of(np.array([questions.members(q) for q in range(20)]))
    x = np.linspace(0, 1, 2500)
    assert questions.sums(x)[:20] == pytest.approx(small.sums(x))
    y = np.zeros(7500)
    y[:20] = np.arange(20)
    assert questions.votes(y) == pytest.approx(small.votes(np.arange(20.0)))
    times = questions.votes(np.ones(7500))
    assert times.sum() == sizes.sum() and questions.most() == (sizes.max(), times.max())
    found = attacked(questions, bounded_answers("uniform", truth, sizes, 10.0, 2500, 6), 10.0, "interior")
    assert found.attacker == "least-squares" and found.wrong(secret) < 0.01


def test_every_attacker_can_be_cancelled():
    questions, _, truth, sizes = asked(150, 600, 2)
    answers = bounded_answers("uniform", truth, sizes, 6.0, 150, 2)

    def progress(fraction, text=""):
        raise Cancelled("cancelled")

    for attacker in ATTACKERS:
        for bound in (6.0, None):
            with pytest.raises(Cancelled):
                attacked(questions, answers, bound, attacker, progress)
    with pytest.raises(Cancelled):
        Questions.drawn(100, 100, 1, progress)


def test_questions_are_the_same_whatever_their_number_and_errors_up_to_four_a_person():
    few, many = Questions.drawn(50, 20, 3), Questions.drawn(50, 200, 3)
    assert (few.dense == many.dense[:20]).all() and (few.members(4) == (few.dense[4] > 0)).all()
    truth = np.zeros(200)
    errors = [bounded_answers("uniform", truth[:t], truth[:t], 1.0, 50, 3) for t in (20, 200)]
    assert (errors[0] == errors[1][:20]).all()


def test_an_attack_takes_one_thread_and_gives_the_others_back():
    counts = [count for count, _ in one_thread._libraries()]
    before = [count() for count in counts]
    seen = []
    questions, _, truth, sizes = asked(20, 60, 2)
    answers = bounded_answers("uniform", truth, sizes, 2.0, 20, 2)
    attacked(questions, answers, 2.0, "interior", told=lambda x: seen.append([count() for count in counts]))
    assert seen and all(each == [1] * len(counts) for each in seen) and [count() for count in counts] == before

    def stop(fraction, text=""):
        raise Cancelled("cancelled")

    with pytest.raises(Cancelled):
        attacked(questions, answers, 2.0, "interior", stop)
    assert [count() for count in counts] == before


def test_a_simplex_that_asks_seldom_is_given_up_at_once():
    questions, _, truth, sizes = asked(400, 1600, 2)
    answers, began = bounded_answers("uniform", truth, sizes, 10.0, 400, 2), time.monotonic()
    last = began

    def progress(fraction, text=""):
        nonlocal last
        last = time.monotonic()
        if "iterations" in text:
            raise Cancelled("cancelled")

    with pytest.raises(Cancelled):
        attacked(questions, answers, 10.0, "vertex", progress)
    assert time.monotonic() - last < 0.5


def test_the_program_for_corners_is_the_one_that_was_meant():
    questions, _, truth, _ = asked(20, 50, 1)
    column = attacked(questions, truth + 0.25, None, "vertex").values
    least = least_total_error(questions, truth + 0.25).values
    assert np.abs(questions.dense @ column - truth - 0.25).sum() == pytest.approx(
        np.abs(questions.dense @ least - truth - 0.25).sum(), rel=1e-6
    )
