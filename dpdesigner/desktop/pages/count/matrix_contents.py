"""What each view of the mechanism card shows; no widget is touched here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpdesigner.core.count.closed_form import LARGEST_PROGRAM_N
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import group_thousands, significant
from dpdesigner.desktop.widgets.matrix.pattern import binding_codes, pattern_source
from dpdesigner.studies.count.answer import Compared, CountOverview
from dpdesigner.studies.count.jobs import LARGEST_HELD
from dpdesigner.studies.count.panels import fraction_texts, mechanism_cells, reading_cells
from dpdesigner.studies.count.result import CountAnswer
from dpdesigner.studies.count.run import DeltaAnswer, Solved
from dpdesigner.studies.matrices import Cells, Matrix, dense_cells


def content(
    view: str, outcome: Solved, compared: Compared | None, best: Mechanism, before: CountOverview | None, fractions: bool
) -> Matrix | str:
    """Return what a view shows, or why there is nothing to show in one sentence.

    A view is ``"optimal"``, ``"geometric"``, ``"remap"``, ``"witness"``, ``"difference"``, ``"pattern"``, ``"induced"`` or
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
    if view in ("witness", "difference"):
        if compared is None:
            return _no_witness(outcome)
        witness = compared.witness.mechanism
        if view == "witness":
            return _matrix(view, dense_cells(witness), ratio_limit=limit, veiled=veiled)
        apart = dense_cells(witness - compared.closed.induced.matrix, signed=True)
        return _matrix(view, apart, kind="difference", veiled=veiled)
    if view == "geometric":
        shown: Mechanism = outcome.released
    else:
        shown = best if view == "optimal" else outcome.induced
    texts = fraction_texts(shown) if fractions else None
    return _matrix(view, mechanism_cells(shown, LARGEST_HELD), texts=texts, ratio_limit=limit, veiled=veiled)


def _with_delta(view: str, outcome: DeltaAnswer, best: Mechanism, before: CountOverview | None, fractions: bool) -> Matrix | str:
    """The same with a delta: the mechanism, its cells, or how these are read."""
    veiled, cells = outcome.design.prior.impossible, outcome.cells
    if view == "before":
        return _against(best, before)
    if view == "remap":
        return Matrix(
            "remap", "", dense_cells(np.eye(outcome.design.n + 1)[outcome.remap]), tr("cell"), tr("read as"), sentence=_read
        )
    if view == "geometric":

        def sentence(row: int, column: int) -> str:
            words = tr("true {row} → a number from {interval}: {probability}")
            chance = significant(float(cells.matrix[row, column]))
            return words.format(row=group_thousands(row), interval=cells.name(column), probability=chance)

        rows, columns = tr("true count"), tr("cell")
        return Matrix("geometric", "", dense_cells(cells.matrix), rows, columns, veiled=veiled, sentence=sentence)
    texts = fraction_texts(best) if fractions else None
    return _matrix(view, mechanism_cells(best, LARGEST_HELD), texts=texts, veiled=veiled)


def _read(cell: int, column: int) -> str:
    return tr("cell {cell} and value {column}").format(cell=group_thousands(cell), column=group_thousands(column))


def _against(best: Mechanism, before: CountOverview | None) -> Matrix | str:
    """What is more and what is less likely than it was when it was pinned."""
    if before is None:
        return tr("Nothing is pinned. Design > Pin for comparison keeps the present design for comparison.")
    if before.design.n != best.n:
        words = tr("The pinned design counts up to {before}, this one up to {n}, so they cannot be compared cell by cell.")
        return words.format(before=group_thousands(before.design.n), n=group_thousands(best.n))
    if best.n > LARGEST_HELD:
        return tr("The difference is shown up to n = {largest}.").format(largest=LARGEST_HELD)
    cells = dense_cells(best.matrix - before.mechanism.matrix, signed=True)
    return _matrix("before", cells, kind="difference")


def _matrix(view: str, cells: Cells, **parts: Any) -> Matrix:
    return Matrix(view, "", cells, tr("true count"), tr("released value"), **parts)


def pattern(outcome: Solved) -> Cells | None:
    """Return where privacy binds between neighbouring rows; None where there is a single row, and with a delta."""
    if outcome.design.n == 0 or isinstance(outcome, DeltaAnswer):
        return None
    n, induced = outcome.design.n, outcome.induced
    if n <= LARGEST_HELD:
        return pattern_source(outcome.constraints)
    return Cells(n, n + 1, lambda i, r: binding_codes(induced.constraint_block(i, r)))


def _remap(outcome: CountAnswer) -> Matrix:
    """One cell in each row: what an output of the geometric mechanism is read as."""
    remap = outcome.remap

    def sentence(output: int, column: int) -> str:
        words = tr("geometric output {output} → read as {reading}")
        return words.format(output=group_thousands(output), reading=group_thousands(int(remap[output])))

    return Matrix("remap", "", reading_cells(remap, LARGEST_HELD), tr("geometric says"), tr("read as"), sentence=sentence)


def _no_witness(outcome: CountAnswer) -> str:
    if outcome.design.n <= LARGEST_PROGRAM_N:
        return tr("The linear program has not finished yet.")
    words = tr("The linear program has (n + 1)² variables and is run up to n = {largest}.").format(largest=LARGEST_PROGRAM_N)
    proof = (
        tr("Here the certificate is the proof.")
        if outcome.proved
        else tr("It is not known here whether another kind of noise does better.")
    )
    return f"{words} {proof}"
