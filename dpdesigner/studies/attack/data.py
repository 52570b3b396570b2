"""Where a design's data come from: its secret, and what is posed about it, or published answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import double
from dpdesigner.core.numbers.rounding import brief, group_thousands
from dpdesigner.core.reconstruction import problem as posing
from dpdesigner.core.reconstruction.attack import clashing
from dpdesigner.core.reconstruction.problem import Problem, Setting
from dpdesigner.core.reconstruction.questions import Questions
from dpdesigner.data.bits import read_answers
from dpdesigner.data.columns import resolved
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.inputs.bits import bits_of
from dpdesigner.studies.study import Progress, silent

Bits = NDArray[np.int8]

_MOST_NAMED = 5  # answers that clash


def problem_of(design: AttackDesign, progress: Progress = silent) -> Problem:
    """Pose what a design asks.

    Raises
    ------
    InputError
        If its data cannot be read, or published answers clash: the sentence names them.
    """
    return (
        _published(design, progress) if design.answers else posing.draw_problem(setting(design), secret_of(design)[1], progress)
    )


def setting(design: AttackDesign) -> Setting:
    """Return what is asked and how it is answered."""
    secret = secret_of(design)[0]
    return Setting(secret, design.queries, design.error, design.bound, design.epsilon_in_all, design.who, design.seed)


def secret_of(design: AttackDesign) -> tuple[Bits, NDArray[np.int64]]:
    """Return the secret, and the row of each person in its file, both (n,).

    Raises
    ------
    InputError
        If the file cannot be read, or has fewer rows than there are people.
    """
    if not design.column:
        return posing.secret_drawn(design.n, double(design.share), design.seed), np.arange(1, design.n + 1)
    bits = bits_of(design.column)
    if len(bits) < design.n:
        raise InputError(f"n must be at most {len(bits)}, the rows of the column, got {design.n}.", "n", str(len(bits)))
    places = posing.people_drawn(len(bits), design.n, design.seed)
    return bits[places], places + 1


def _published(design: AttackDesign, progress: Progress) -> Problem:
    published = read_answers(resolved(design.answers))
    questions = Questions.of(published.members)
    secret = None
    if design.column:
        secret = bits_of(design.column)
        if len(secret) < questions.n:
            raise InputError(f"the column must have at least {questions.n} rows, like the answers, got {len(secret)}.", "column")
        secret = secret[: questions.n]
    clash = clashing(questions, published.answers, published.errors, progress)
    if clash:
        raise InputError(_clash(clash, questions, published.answers, published.errors), "answers")
    truth = None if secret is None else questions.sums(secret.astype(np.float64))
    return Problem(questions, secret, np.arange(1, questions.n + 1), truth, published.answers, published.errors)


def _clash(clash: list[int], questions: Questions, answers: Floats, errors: Floats) -> str:
    """``these 2 answers clash: answer 12 says 40 of 38 people; answer 13 …``."""
    parts = []
    for q in clash[:_MOST_NAMED]:
        low, high, size = answers[q] - errors[q], answers[q] + errors[q], int(questions.members(q).sum())
        what = brief(low) if low == high else message("{low} to {high}", low=brief(low), high=brief(high))
        parts.append(message("answer {q} says {what} of {size} people", q=q + 1, what=what, size=group_thousands(size)))
    if len(clash) == 1:
        return message("this answer is impossible: {parts}.", parts=parts[0])
    more = message("; and {more} more", more=len(clash) - _MOST_NAMED) if len(clash) > _MOST_NAMED else ""
    return message(
        "these {k} answers contradict each other; no column fits them all: {parts}{more}.",
        k=len(clash),
        parts="; ".join(parts),
        more=more,
    )
