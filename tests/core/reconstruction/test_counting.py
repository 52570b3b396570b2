"""What counting proves, against numbers known from elsewhere."""

from __future__ import annotations

import math
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from dpdesigner.core.reconstruction import counting
from dpdesigner.core.reconstruction.counting import Lemma, Questions
from dpdesigner.core.reconstruction.problem import Curves, bounded_answers, geometric_epsilon, mean_error, noisy_answers
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


@pytest.mark.parametrize(("people", "off", "bound"), [(6, 1, 0), (6, 1, 0.5), (8, 1 / 3, 0), (2, 1, 0.5), (7, 1, 0.5)])
def test_delta_is_the_share_of_all_subsets(people, off, bound):
    signs = np.array([1, -1] * (people // 2) + [1] * (people % 2)) * off
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


def test_the_calculator_takes_what_is_typed():
    own = counting.Counting(400, 336, 10, 1600)
    assert own.chance == counting.least_delta(336, 1, 10) and own.needed == 125988 and round(own.left) == 1028
    few = own.with_numbers({"people": "40", "bound": "1", "t": "8000", "n": " "})
    assert few.needed == 7679 and few.left < 0 and few.n == 400
    assert own.with_numbers({"delta": "50%"}).needed == math.floor(400 * math.log(401) / math.log(2)) + 1
    assert (
        own.with_numbers({"off": "1/3"}).chance == counting.least_delta(336, 1 / 3, 10)
        and own.with_numbers({"delta": "0"}).needed is None
    )
    for given, words in (
        ({"n": "0"}, "n must be a whole number from 1 to"),
        ({"t": "1.5"}, "t must be a whole number"),
        ({"bound": "-1"}, "E must be a number from 0"),
        ({"delta": "nan"}, "δ must be a number like"),
        ({"people": "500"}, "wrong must be at most n = 400, got 500"),
    ):
        with pytest.raises(InputError, match=words) as refused:
            own.with_numbers(given)
        assert refused.value.field in given


def test_the_delta_measured_is_the_share_of_the_questions_asked():
    secret = (np.arange(60) % 2).astype(np.int8)
    questions = Questions.drawn(60, 3000, 2)
    found = Lemma(questions, secret, 1.0, 40)
    assert found.people == 40 and found.measured == pytest.approx(found.delta, abs=5 * math.sqrt(0.25 / 3000))
    assert [abs(found.walk(q)[-1]) > 2 * found.bound + 1 for q in range(50)] == found.ruled[:50].tolist()
    third = Lemma(questions, secret, 0.0, 40, 1 / 3)
    assert third.measured == pytest.approx(third.delta, abs=5 * math.sqrt(0.25 / 3000)) and third.measured < found.measured + 1


def test_of_many_people_a_thousand_questions_are_looked_at():
    questions = Questions.drawn(5000, 4000, 1)
    found = Lemma(questions, (np.arange(5000) % 2).astype(np.int8), 3.0)
    assert not questions.small and len(found.ruled) == 1000 and found.ruled[0] == (abs(found.walk(0)[-1]) > 2 * found.bound + 1)


def test_the_number_that_does():
    runs = {0.5: (0.8, 0.99), 1.0: (0.96, 0.97), 2.0: (0.94, 1.0), 4.0: (0.96, 0.98), 8.0: (1.0,)}
    assert Curves({"questions": runs}).enough(100) == (400, 200)
    assert Curves({"questions": {0.5: (0.8,)}}).enough(100) == (None, 50) and Curves().enough(100) == (None, 0)


def test_the_first_look_at_one_question_imports_no_statistics() -> None:
    """The import of scipy.stats takes seconds, in which the window would stand still."""
    program = "import sys; from dpdesigner.core.reconstruction import counting; counting.least_delta(336, 1, 10); "
    subprocess.run([sys.executable, "-c", f"{program}assert 'scipy.stats' not in sys.modules"], check=True)
