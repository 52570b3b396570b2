"""What counting proves, against numbers known from elsewhere."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from dpdesigner.core.reconstruction import counting
from dpdesigner.core.reconstruction.errors import bounded_answers, geometric_epsilon, mean_error, noisy_answers
from dpdesigner.core.reconstruction.questions import Questions
from dpdesigner.errors import InputError


def test_the_questions_of_the_theorem():
    assert counting.theorem_questions(100) == 2121 and counting.theorem_questions(400) == 14360
    assert counting.theorem_questions(1) == 1


def test_questions_that_rule_out_columns():
    delta = counting.least_delta(336, 1, 10)
    assert delta == pytest.approx(0.01885, abs=5e-6) and counting.questions_needed(400, delta) == 125988
    assert counting.questions_needed(400, counting.least_delta(40, 1, 1)) == 7679
    assert counting.least_delta(40, 1, 10) == 0 and counting.questions_needed(400, 0) is None
    assert counting.log_columns_left(400, delta, 125988) < 0 <= counting.log_columns_left(400, delta, 125987)


@pytest.mark.parametrize(("people", "off", "bound"), [(6, 1, 0), (6, 1, 0.5), (8, 1 / 3, 0), (8, 0.5, 0), (2, 1, 0.5)])
def test_delta_is_the_share_of_all_subsets(people, off, bound):
    signs = np.array([1, -1] * (people // 2)) * off
    ruled = [abs(float(np.dot(subset, signs))) > 2 * bound + 1 + 1e-12 for subset in product((0, 1), repeat=people)]
    assert counting.least_delta(people, off, bound) == pytest.approx(np.mean(ruled), abs=1e-12)


def test_a_candidate_is_wrong_about_so_many_people():
    secret = (np.arange(40) % 3 == 0).astype(np.int8)
    for people in (0, 1, 7, 20, 40):
        assert (counting.candidate(secret, people) != secret).sum() == people
    other = counting.candidate(secret, 26)
    assert (other < secret).sum() == 13
    questions = Questions.drawn(40, 4000, 1)
    measured = counting.ruled_out(questions, secret, other, 1.0).mean()
    assert measured == pytest.approx(counting.least_delta(26, 1, 1.0), abs=5 * math.sqrt(0.25 / 4000))


def test_no_attack_gets_further_than_this():
    assert counting.most_right(0.42, 1) == pytest.approx(0.7310585786) and counting.most_right(0.1, 1) == 0.9
    assert counting.most_right(0.5, 0) == 0.5 and counting.most_right(0.5, 1000) == 1


def test_tightness_failure_is_a_chance():
    assert counting.tightness_failure(1600, 10, 400) == 1
    assert counting.tightness_failure(10, 30, 100) == pytest.approx(20 * math.exp(-18))


def test_answers_are_within_their_bound():
    questions = Questions.drawn(60, 300, 2)
    secret = (np.arange(60) % 2).astype(float)
    truth, sizes = questions.sums(secret), questions.sums(np.ones(60))
    for kind in ("uniform", "rounded", "random-sign", "tightness"):
        for bound in (0.0, 2.5):
            off = np.abs(bounded_answers(kind, truth, sizes, bound, 60, 2) - truth)
            assert off.max() <= bound + 1e-12 and (kind != "random-sign" or off.min() >= bound - 1e-9)


@pytest.mark.parametrize("kind", ["laplace", "geometric", "staircase"])
def test_noise_is_so_far_off_on_average(kind):
    truth = np.zeros(100_000)
    found = np.abs(noisy_answers(kind, truth, 0.5, 1)).mean()
    assert found == pytest.approx(mean_error(kind, 0, 0.5), rel=0.03)
    assert (noisy_answers(kind, truth, 0.5, 1) == noisy_answers(kind, truth, 0.5, 1)).all()


def test_geometric_noise_of_a_mean_error():
    assert geometric_epsilon(5) == pytest.approx(0.19869, abs=1e-5) and 1600 * geometric_epsilon(5) == pytest.approx(318, abs=0.5)
    assert mean_error("geometric", 0, 1 / 1600) == pytest.approx(1600, abs=0.1)


def test_too_many_questions_are_refused():
    with pytest.raises(InputError, match="queries must be at most 100000 for 20000 people, got 100001"):
        Questions.drawn(20_000, 100_001, 1)
