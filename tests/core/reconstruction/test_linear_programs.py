"""What is certain of each person, and which answers clash: against trying all columns."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
import pytest

from dpdesigner.core.program.highs import new_solver
from dpdesigner.core.reconstruction import linear_programs as programs
from dpdesigner.core.reconstruction.linear_programs import clashing, corner, ranges
from dpdesigner.core.reconstruction.questions import Questions
from dpdesigner.errors import DpDesignerError


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
