"""The matrices of a count design as panels, with their cells held, or made block by block where they are large."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import figure, group_thousands, significant
from dpdesigner.core.count.closed_form import LARGEST_PROGRAM_N
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Mechanism, Table
from dpdesigner.messages import message
from dpdesigner.studies.count.answer import Compared, CountOverview
from dpdesigner.studies.count.jobs import LARGEST_HELD
from dpdesigner.studies.count.result import CountAnswer
from dpdesigner.studies.count.run import DeltaAnswer, Solved
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.matrices import Cells, Indices, Matrix, binding_codes, dense_cells, pattern_source
from dpdesigner.studies.plain_language import remap_sentence
from dpdesigner.studies.snapshot import Look
from dpdesigner.studies.table_panels import Sentence

#: Up to this n every cell may be written as a fraction.
FRACTIONS_UP_TO = 40


def fraction_texts(mechanism: Mechanism) -> Callable[[int, int], str | None] | None:
    """Return the exact fractions of the cells if they exist and fit."""
    alpha = mechanism.privacy.exact_alpha
    if alpha is None or isinstance(mechanism, Table) or mechanism.n > FRACTIONS_UP_TO:
        return None
    rows = list(mechanism.exact_rows(alpha))
    return lambda i, r: str(rows[i][r])


def mechanism_cells(shown: Mechanism, largest: int) -> Cells:
    """Return the probabilities of a mechanism; above this n, a geometric one is never stored in full."""
    if shown.n <= largest or not isinstance(shown, RemappedGeometric):
        return dense_cells(shown.matrix)
    intervals = shown.intervals
    return Cells(shown.n + 1, shown.n + 1, shown.block, strongest=lambda i, high, r, wide: intervals.largest(i, high, r, wide))


def reading_cells(remap: NDArray[np.intp], largest: int) -> Cells:
    """Return 1 where an output (a row) is read as a value (a column), otherwise 0."""
    n = len(remap) - 1

    def strongest(rows: Indices, high: int, columns: Indices, wide: int) -> Floats:
        part = remap[: rows[-1] + high]
        least, most = np.minimum.reduceat(part, rows)[:, None], np.maximum.reduceat(part, rows)[:, None]
        return ((columns + wide > least) & (columns <= most)).astype(float)

    if n <= largest:
        return dense_cells(np.eye(n + 1)[remap])
    return Cells(n + 1, n + 1, lambda i, r: (remap[i][:, None] == r).astype(float), strongest=strongest)


_TITLES = {
    "optimal": message("Optimal for this user"),
    "geometric": message("Geometric, for every user"),
    "remap": message("Remap"),
    "difference": message("LP minus remap"),
    "pattern": message("Pattern"),
    "lp_check": message("Linear program"),
    "before": message("Change from pinned"),
}
_PENDING = message("The linear program has not finished yet.")


def open_matrix(look: Look) -> Matrix | Sentence:
    """Return the matrix of the open view, or why there is none; beside geometric + remap that of the linear program."""
    view, beside = look.view["view"], _is_beside(look)
    if beside and (view == "induced" or (view == "optimal" and not _universal(look))):
        view = "lp_check"
    return _shown(look, "matrix", view, beside)


def second_matrix(look: Look) -> Matrix | Sentence:
    """Return geometric + remap beside the open view, and beside that itself geometric; an empty sentence for nothing."""
    if not _is_beside(look):
        return Sentence("", key="beside")
    return _shown(look, "beside", "geometric" if _universal(look) else "induced", True)


def agreement(look: Look) -> Sentence:
    """Return how two matrices beside each other belong together, or the whole remap in words under its matrix."""
    if not _is_beside(look):
        shown = look.view["view"] == "remap"
        words = remap_sentence(look.only(lambda answer: (answer.solved,)).solved.remap) if shown else ""
        return Sentence(words, key="agreement")
    if _universal(look):
        remap = look.only(lambda answer: (answer.solved,)).solved.remap
        if np.array_equal(remap, np.arange(len(remap))):
            return Sentence(message("For this user they are equal: the remap changes nothing."), key="agreement")
        return Sentence(message("Read through the remap, the right one becomes the left one."), key="agreement")
    answer: CountOverview = look.only(lambda answer: (answer.solved, answer.compared))
    if answer.compared is not None:
        return Sentence(answer.compared.sentence, key="agreement")
    return Sentence(_PENDING if answer.design.n <= LARGEST_PROGRAM_N else "", key="agreement")


def _is_beside(look: Look) -> bool:
    answer: CountOverview = look.only(lambda answer: (bool(answer.design.uncovered),))
    return bool(look.view["beside"]) and not answer.design.uncovered


def _universal(look: Look) -> bool:
    """Return whether the open view is the proved optimum, geometric + remap, beside which the geometric mechanism is shown."""
    answer: CountOverview = look.only(lambda answer: (answer.best,))
    return look.view["view"] == "optimal" and answer.solved.proved


def _shown(look: Look, key: str, view: str, beside: bool) -> Matrix | Sentence:
    """Return what a view shows, with its title, fractions and pattern."""
    seen = beside or view in ("lp_check", "difference")  # whether any part of the linear program is shown

    def parts(answer: CountOverview) -> tuple[Any, ...]:
        compared = answer.compared if seen else None
        return answer.solved, answer.best, answer.mechanism, None if compared is None else compared.lp_check

    answer: CountOverview = look.only(parts)
    before = look.before if view == "before" else None
    made = content(view, answer.solved, answer.compared, answer.mechanism, before, bool(look.view["fractions"]))
    if isinstance(made, str):
        return Sentence(made, key=key)
    bound = view == "pattern" or (view in ("optimal", "induced") and bool(look.view["binding"]))
    title, short = _title(view, answer)
    binding, limit = (_pattern(answer.solved), made.ratio_limit) if bound else (None, math.inf)
    return replace(made, key=key, title=title, short=short, binding=binding, ratio_limit=limit)


def _title(view: str, answer: CountOverview) -> tuple[str, str]:
    """Return the title of a view, and a shorter one if there is one."""
    if view == "induced":
        value = format_finding(answer.solved.findings["value"])
        return message("Geometric + remap costs {value}", value=value), message("Remap: {value}", value=value)
    if view == "lp_check" and answer.compared is not None:
        value = figure(answer.compared.lp_check.value)
        return message("Linear program costs {value}", value=value), message("LP: {value}", value=value)
    return _TITLES[view], ""


def content(
    view: str, outcome: Solved, compared: Compared | None, best: Mechanism, before: CountOverview | None, fractions: bool
) -> Matrix | str:
    """Return the content of a view, or one sentence that explains why it is empty.

    A view is ``"optimal"``, ``"geometric"``, ``"remap"``, ``"lp_check"``, ``"difference"``, ``"pattern"``, ``"induced"`` or
    ``"before"``; `best` is what is shown as optimal, `before` what was pinned; fractions are written where there are some.
    """
    study = outcome.design
    if isinstance(outcome, DeltaAnswer):
        return _with_delta(view, outcome, best, before, fractions)
    if view == "remap":
        return _remap(outcome)
    limit = math.exp(study.privacy.epsilon) if study.privacy.epsilon < 700 else None
    if view == "before":
        return _against(best, before)
    veiled = study.prior.impossible
    if view in ("lp_check", "difference"):
        if compared is None:
            return _no_lp_check(outcome)
        lp_check = compared.lp_check.mechanism
        if view == "lp_check":
            return _matrix(dense_cells(lp_check), ratio_limit=limit, veiled=veiled)
        apart = dense_cells(lp_check - compared.closed.induced.matrix, signed=True)
        return _matrix(apart, kind="difference", veiled=veiled)
    shown: Mechanism = outcome.released if view == "geometric" else best if view == "optimal" else outcome.induced
    texts = fraction_texts(shown) if fractions else None
    return _matrix(mechanism_cells(shown, LARGEST_HELD), texts=texts, ratio_limit=limit, veiled=veiled)


def _with_delta(view: str, outcome: DeltaAnswer, best: Mechanism, before: CountOverview | None, fractions: bool) -> Matrix | str:
    """Return the content of a view with a delta: the mechanism, its cells, or their remap."""
    veiled, cells = outcome.design.prior.impossible, outcome.cells
    if view == "before":
        return _against(best, before)
    if view == "remap":
        reading = dense_cells(np.eye(outcome.design.n + 1)[outcome.remap])
        return Matrix("", "", reading, message("cell"), message("read as"), sentence=_read)
    if view == "geometric":

        def sentence(row: int, column: int) -> str:
            interval, probability = cells.name(column), significant(float(cells.matrix[row, column]))
            words = "true {row} → a number from {interval}: {probability}"
            return message(words, row=group_thousands(row), interval=interval, probability=probability)

        rows, columns = message("true count"), message("cell")
        return Matrix("", "", dense_cells(cells.matrix), rows, columns, veiled=veiled, sentence=sentence)
    texts = fraction_texts(best) if fractions else None
    return _matrix(mechanism_cells(best, LARGEST_HELD), texts=texts, veiled=veiled)


def _read(cell: int, column: int) -> str:
    return message("cell {cell} and value {column}", cell=group_thousands(cell), column=group_thousands(column))


def _against(best: Mechanism, before: CountOverview | None) -> Matrix | str:
    """The releases that are more and less likely than they were in the pinned design."""
    if before is None:
        return message("Nothing is pinned. Design > Pin for comparison keeps the present design for comparison.")
    if before.design.n != best.n:
        words = "The pinned design counts up to {before}, this one up to {n}, so they cannot be compared cell by cell."
        return message(words, before=group_thousands(before.design.n), n=group_thousands(best.n))
    if best.n > LARGEST_HELD:
        return message("The difference is shown up to n = {largest}.", largest=LARGEST_HELD)
    return _matrix(dense_cells(best.matrix - before.mechanism.matrix, signed=True), kind="difference")


def _matrix(cells: Cells, **parts: Any) -> Matrix:
    return Matrix("", "", cells, message("true count"), message("released value"), **parts)


def _pattern(outcome: Solved) -> Cells | None:
    """Return where privacy is binding between neighbouring rows; None for a single row, and with a delta."""
    if outcome.design.n == 0 or isinstance(outcome, DeltaAnswer):
        return None
    n, induced = outcome.design.n, outcome.induced
    if n <= LARGEST_HELD:
        return pattern_source(outcome.constraints)
    return Cells(n, n + 1, lambda i, r: binding_codes(induced.constraint_block(i, r)))


def _remap(outcome: CountAnswer) -> Matrix:
    """Return a matrix with one cell in each row: the remap of an output of the geometric mechanism."""
    remap = outcome.remap

    def sentence(output: int, column: int) -> str:
        reading = group_thousands(int(remap[output]))
        return message("a noisy count of {output} is read as {reading}", output=group_thousands(output), reading=reading)

    return Matrix("", "", reading_cells(remap, LARGEST_HELD), message("noisy count"), message("read as"), sentence=sentence)


def _no_lp_check(outcome: CountAnswer) -> str:
    if outcome.design.n <= LARGEST_PROGRAM_N:
        return _PENDING
    proof = (
        message("Here the certificate is the proof.")
        if outcome.proved
        else message("It is not known here whether another kind of noise does better.")
    )
    words = "The linear program has (n + 1)² variables and is run up to n = {largest}. {proof}"
    return message(words, largest=LARGEST_PROGRAM_N, proof=proof)


def runs_of(values: Sequence[int]) -> list[str]:
    """Return increasing values as runs: 0, 1, 2 and 17 are 0–2 and 17."""
    firsts = [value for value in values if value - 1 not in values]
    lasts = [value for value in values if value + 1 not in values]
    return [str(low) if low == high else f"{low}–{high}" for low, high in zip(firsts, lasts, strict=True)]
