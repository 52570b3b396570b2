"""What each view of the mechanism card shows; no widget is touched here."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from dpdesigner.core.count.program import LARGEST_N
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.mechanism.remapped_geometric import RemappedGeometric
from dpdesigner.desktop.widgets.base.number_text import counted
from dpdesigner.desktop.widgets.matrix.pattern import binding_codes, pattern_source
from dpdesigner.studies.cells import Cells, Floats, Indices, Matrix, dense_cells
from dpdesigner.studies.count.answer import Compared
from dpdesigner.studies.count.jobs import LARGEST_HELD
from dpdesigner.studies.count.outcome import CountOutcome

#: Up to this n every cell may be written as a fraction.
_FRACTIONS_UP_TO = 40


def content(view: str, outcome: CountOutcome, compared: Compared | None, best: Mechanism, fractions: bool) -> Matrix | str:
    """Return what a view shows, or why there is nothing to show in one sentence.

    Parameters
    ----------
    view : str
        ``"optimal"``, ``"geometric"``, ``"remap"``, ``"witness"``, ``"difference"``, ``"pattern"`` or ``"induced"``.
    outcome : CountOutcome
        The closed form.
    compared : Compared, optional
        The linear program's answer with the closed form of the same design.
    best : Mechanism
        What is shown as optimal.
    fractions : bool
        Whether cells are written as fractions, where they can be.
    """
    study = outcome.design
    if view == "remap":
        return _remap(outcome)
    limit = math.exp(study.privacy.epsilon) if study.privacy.epsilon < 700 else None
    if view in ("witness", "difference"):
        if compared is None:
            return _no_witness(study.n)
        found = compared.witness.mechanism
        if view == "witness":
            return _matrix(view, dense_cells(found), ratio_limit=limit)
        return _matrix(view, dense_cells(found - compared.closed.induced.matrix, signed=True), kind="difference")
    if view == "geometric":
        shown: Mechanism = outcome.released
    else:
        shown = best if view == "optimal" else outcome.induced
    return _matrix(view, _mechanism(shown), texts=_texts(shown) if fractions else None, ratio_limit=limit)


def _matrix(view: str, cells: Cells, **parts: Any) -> Matrix:
    return Matrix(view, "", cells, _tr("true count"), _tr("released value"), **parts)


def pattern(outcome: CountOutcome) -> Cells | None:
    """Return where privacy binds between neighbouring rows; None where there is a single row."""
    n, induced = outcome.design.n, outcome.induced
    if n == 0:
        return None
    if n <= LARGEST_HELD:
        return pattern_source(outcome.constraints)
    return Cells(n, n + 1, lambda i, r: binding_codes(induced.constraint_block(i, r)))


def _mechanism(shown: Mechanism) -> Cells:
    if shown.n <= LARGEST_HELD or not isinstance(shown, RemappedGeometric):
        return dense_cells(shown.matrix)
    intervals = shown.intervals
    return Cells(shown.n + 1, shown.n + 1, shown.block, strongest=lambda i, high, r, wide: intervals.largest(i, high, r, wide))


def _remap(outcome: CountOutcome) -> Matrix:
    """One cell in each row: what an output of the geometric mechanism is read as."""
    remap, n = outcome.remap, outcome.design.n

    def sentence(output: int, column: int) -> str:
        words = _tr("geometric says {output} → read as {reading}")
        return words.format(output=counted(output), reading=counted(int(remap[output])))

    def strongest(rows: Indices, high: int, columns: Indices, wide: int) -> Floats:
        part = remap[: rows[-1] + high]
        least, most = np.minimum.reduceat(part, rows)[:, None], np.maximum.reduceat(part, rows)[:, None]
        return ((columns + wide > least) & (columns <= most)).astype(float)

    if n <= LARGEST_HELD:
        source = dense_cells(np.eye(n + 1)[remap])
    else:
        source = Cells(n + 1, n + 1, lambda i, r: (remap[i][:, None] == r).astype(float), strongest=strongest)
    return Matrix("remap", "", source, _tr("geometric says"), _tr("read as"), sentence=sentence)


def _no_witness(n: int) -> str:
    if n <= LARGEST_N:
        return _tr("The linear program is not done yet.")
    words = _tr("The linear program has (n + 1)² variables and is run up to n = {largest}; here the certificate is the proof.")
    return words.format(largest=LARGEST_N)


def _texts(mechanism: Mechanism) -> Callable[[int, int], str | None] | None:
    """Exact fractions of the cells, where they exist and fit."""
    alpha = mechanism.privacy.exact_alpha
    if alpha is None or not isinstance(mechanism, RemappedGeometric) or mechanism.n > _FRACTIONS_UP_TO:
        return None
    rows: list[list[Fraction]] = list(mechanism.exact_rows(alpha))
    return lambda i, r: str(rows[i][r])


def _tr(text: str) -> str:
    return QCoreApplication.translate("MechanismCard", text)
