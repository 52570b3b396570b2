"""What one person may change of a choice, and the strips that show it: chances before, the change, and chances after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.options.strips_data import Strips
from dpdesigner.studies.choice.outcome import ChoiceOutcome

_MOST_PAIRS = 100  # rows of a table among whose pairs a neighbour is looked for
_LARGEST = 20_000  # utilities beside which another rule's chances are shown


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A neighbour of a row.

    Attributes
    ----------
    moves : ndarray
        (options,): by how much utilities differ there, in units of Delta.
    logs : ndarray
        (options,): ln of the chances there.
    """

    moves: Floats
    logs: Floats


def neighbour_of(answer: ChoiceOutcome, row: int, dragged: str) -> Neighbour | None:
    """Return what was dragged, else the worst neighbour; of a table one of the row's. None while the worst is not known."""
    task = answer.task
    if task.table:
        pairs = answer.design.neighbouring.pairs if len(task.numbers) <= _MOST_PAIRS else ()
        other = next((b if a == row else a for a, b in pairs if row in (a, b)), min(row + 1, len(task.numbers) - 1))
        other = row - 1 if other == row and row else other
        return Neighbour((task.numbers[other] - task.numbers[row]) / float(task.delta), answer.rule.logs[other])
    moves = _moves(dragged, task.options)
    if moves is None and answer.worst_known:
        word = answer.design.neighbours
        moves = answer.rule.worst.moves(task.options, word if word in ("changes", "joins") else "any")  # type: ignore[arg-type]
    return None if moves is None else Neighbour(moves, answer.rule.at(moves).logs)


def unmoved(answer: ChoiceOutcome) -> Neighbour:
    """Return the options as they are."""
    return Neighbour(np.zeros(answer.task.options), answer.rule.logs)


def strips_of(answer: ChoiceOutcome, row: int, neighbour: Neighbour, rival: str, counts: Integers | None) -> Strips:
    """Return what the four strips show: utilities, chances beside a rival's and draws, the neighbour's moves, and the ratios."""
    chances, logs = (np.atleast_2d(each)[row] for each in (answer.rule.probabilities, answer.rule.logs))
    beside = answer.rules.get(rival)
    if beside is not None and (beside.key == answer.design.rule or answer.task.numbers.size > _LARGEST):
        beside = None
    with np.errstate(invalid="ignore"):
        ratios = np.nan_to_num(neighbour.logs - logs)
    movable = not answer.task.table
    return Strips(
        answer.names,
        answer.task.numbers[row],
        chances,
        neighbour.moves,
        ratios,
        answer.rule.epsilon,
        _inside(translated(answer.rule.title)),
        None if beside is None else np.atleast_2d(beside.probabilities)[row],
        "" if beside is None else _inside(translated(beside.title)),
        bool(answer.unit),
        (movable, movable),
        answer.design.edges is not None,
        counts,
    )


def _moves(text: str, options: int) -> Floats | None:
    """What one person moves, from the text of the view; None for the worst."""
    moves = np.zeros(options)
    try:
        for part in filter(None, text.split(",")):
            option, _, move = part.partition(":")
            moves[int(option)] = min(max(float(move), -1.0), 1.0)
    except (ValueError, IndexError):
        return None
    return moves if moves.any() else None


def _inside(title: str) -> str:
    """A rule's title inside a line; formulas and names in it stay as they are."""
    return title[:1].lower() + title[1:]
