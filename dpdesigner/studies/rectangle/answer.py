"""The answer to a design of two made-up columns: the rows, the worst rectangle for their owner, and what is promised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.parsing import double, nearest
from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.core.synthetic.cells import Cells
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.error_bounds import ErrorBound
from dpdesigner.core.synthetic.rectangles import Rectangle, SyntheticGrid, grid_error_bound, make_grid, worst_rectangle
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel, Why
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.rectangle.design import TOUCHED, RectangleDesign, real_table
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Sentence, Table

WHY = Why(
    message(
        "<b>Privacy.</b> A replaced row leaves one cell and enters another, so two counts of each level change by 1. "
        "The release has ε = {epsilon}.\n\n<b>The error bound</b> applies to the table of noisy counts, which may be "
        "negative. The error of a rectangle is the total noise in it: at most {value}, except in a share δ of releases. "
        "Synthetic rows need counts that are not negative. The nearest table without negative counts can have a larger "
        "error, especially if many cells are empty, and no bound applies to it."
    ),
    sources=message("Least squares in a hierarchy: M. Hay et al. (2010). All rectangles are searched by their pairs of rows."),
    help="synthetic",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RectangleAnswer(Answer):
    """Two made-up columns.

    Attributes
    ----------
    design : RectangleDesign
    counts : ndarray of int
        (2^bits, 2^bits): the synthetic counts, the first column downwards.
    synthetic : ndarray
        (rows, 2): the synthetic columns, in the units of the real ones.
    grid : SyntheticGrid
        How they were made.
    real : ndarray of int
        The real table: for its owner.
    """

    design: RectangleDesign
    grid: SyntheticGrid
    real: Integers

    @property
    def counts(self) -> Integers:
        """(2^bits, 2^bits): the made-up counts, the first column downwards."""
        return self.grid.counts

    @cached_property
    def synthetic(self) -> Floats:
        """(rows, 2): the made-up columns, in the units of the real ones."""
        along, across = self.design.axes
        first, second = np.divmod(np.repeat(np.arange(self.counts.size), self.counts.ravel()), across.size)
        return np.column_stack([along.places[first], across.places[second]])

    @cached_property
    def worst(self) -> Rectangle:
        """The rectangle of made-up rows that is furthest off; for the owner."""
        return worst_rectangle(self.grid.counts - self.real)

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the pictures; what is off is for the owner."""
        titles = (self.design.first.title, self.design.second.title)
        rows, columns = (_axis(name, cells) for name, cells in zip(titles, self.design.axes, strict=True))
        made = Matrix("made", message("Synthetic rows"), dense_cells(self.counts), rows, columns, sentence=self._cell)
        panels: list[Panel] = [made]
        if view.get("view") == "off":
            off = dense_cells(self.counts - self.real, signed=True)
            panels.append(
                Matrix("off", message("Synthetic − real"), off, rows, columns, "difference", sentence=self._off, secret=True)
            )
        panels.append(Sentence(self._told(), secret=True))
        return (*panels, _rows(self))

    def _sides(self, rows: tuple[int, int], columns: tuple[int, int]) -> dict[str, str]:
        """The sides of a rectangle of cells in words."""
        first, second, (along, across) = self.design.first.title, self.design.second.title, self.design.axes
        return {"one": _stretch(first, along, *rows), "other": _stretch(second, across, *columns)}

    def _where(self, i: int, r: int) -> str:
        return message("{one}, {other}", **self._sides((i, i + 1), (r, r + 1)))

    def _cell(self, i: int, r: int) -> str:
        return message("{where}: {made} synthetic", where=self._where(i, r), made=int(self.counts[i, r]))

    def _off(self, i: int, r: int) -> str:
        made, real = int(self.counts[i, r]), int(self.real[i, r])
        return message("{where}: {made} synthetic, {real} real", where=self._where(i, r), made=made, real=real)

    def _told(self) -> str:
        worst, (top, bottom), (left, right) = self.worst, self.worst.rows, self.worst.columns
        return message(
            "The worst rectangle, {one} and {other}: real {real}, synthetic {made}, an error of {off} rows.",
            **self._sides(worst.rows, worst.columns),
            real=group_thousands(int(self.real[top:bottom, left:right].sum())),
            made=group_thousands(int(self.counts[top:bottom, left:right].sum())),
            off=group_thousands(abs(round(worst.error))),
        )


def _axis(name: str, cells: Cells) -> str:
    width, low = f"{nearest(cells.width):.6g}", f"{nearest(cells.low):.6g}"
    return message("{name}, cells of {width} from {low}", name=name, width=width, low=low)


def _stretch(name: str, cells: Cells, low: int, high: int) -> str:
    ends = {"low": f"{nearest(cells.edge(low)):.6g}", "high": f"{nearest(cells.edge(high)):.6g}"}
    return message("{name} {low} to below {high}", name=name, **ends)


def _rows(answer: RectangleAnswer) -> Table:
    """Made-up and noisy counts, an entry a cell."""
    along, across = answer.design.axes
    rows = tuple(
        (f"{along.places[i]:g}", f"{across.places[r]:g}", str(int(answer.counts[i, r])), f"{answer.grid.table[i, r]:.6g}")
        for i, r in np.ndindex(answer.counts.shape)
    )
    header = (answer.design.first.title, answer.design.second.title, message("synthetic"), message("noisy"))
    return Table("counts", message("Output"), header, rows)


def run(design: RectangleDesign, progress: Progress = silent) -> RectangleAnswer:
    """Make both columns, and say what is promised."""
    real = real_table(design)
    made = make_grid(real, design.shape(design.method), design.budget, TOUCHED, source_of(design.seed))
    promises = {method: _promise(design, method, progress) for method in ("laplace", "hierarchy")}
    answer = RectangleAnswer(
        design=design,
        findings={},
        badge=design.badge(message("✓ proved private")),
        checks=design.checks(message("✓ private: two counts of each level change by 1, whole-number noise, n public")),
        why=WHY,
        grid=made,
        real=real,
    )
    return replace(answer, findings=_findings(answer, promises), sentence=_sentence(answer, promises[design.method]))


def _promise(design: RectangleDesign, method: str, progress: Progress) -> ErrorBound:
    shape = design.shape(method)
    level = shape.level_privacy(design.budget, TOUCHED)
    return grid_error_bound(shape, design.bits, level.alpha, double(design.delta), progress)


def _sentence(answer: RectangleAnswer, promise: ErrorBound) -> str:
    total, size = int(answer.real.sum()), 1 << answer.design.bits
    rectangles = group_thousands((size * (size + 1) // 2) ** 2)
    if promise.rows is None:
        return message("{total} synthetic rows. There is no error bound for this small a δ.", total=group_thousands(total))
    return message(
        "{total} synthetic rows. Each of the {rectangles} rectangles of the noisy table is within {rows} rows of the truth.",
        total=group_thousands(total),
        rectangles=rectangles,
        rows=group_thousands(promise.rows),
    )


def _findings(answer: RectangleAnswer, promises: Mapping[str, ErrorBound]) -> dict[str, Finding]:
    total = int(answer.real.sum())
    here, names = promises[answer.design.method], {"laplace": message("Cell by cell"), "hierarchy": message("Squares and cells")}
    able = [method for method, promise in promises.items() if promise.rows is not None]
    best = min(able, key=lambda method: promises[method].rows or total, default=None)
    nothing = message("no error bound for this small a δ") if here.rows is None else ""
    why = message("by its error bound") if best else message("no method has an error bound here")
    return {
        "value": Finding(message("error bound of the noisy table"), here.rows, "rows", state="measured", note=nothing),
        "worst-error": Finding(
            message("measured error of the synthetic rows"),
            abs(answer.worst.error) / max(total, 1),
            digits=2,
            rounding="up",
            share=True,
            secret=not answer.design.tells,
        ),
        "recommended": Finding(message("best method here"), names[best] if best else None, note=why),
        "epsilon": answer.design.of_epsilon(message("a row is replaced")),
        "rows": Finding(message("rows"), total),
    }
