"""What is known of a made-up column: the column, what is promised of it, and what its owner alone may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil

from dpdesigner.arrays import Integers
from dpdesigner.core.numbers.parsing import double
from dpdesigner.core.synthetic.bisection import Failures, least_rows, plan_of
from dpdesigner.core.synthetic.cells import Worst, running_total, worst_of
from dpdesigner.core.synthetic.error_bounds import ErrorBound, draws_for
from dpdesigner.core.synthetic.method_comparison import Column, EpsilonCurve
from dpdesigner.core.synthetic.methods import MadeColumn
from dpdesigner.core.synthetic.sample_sizes import RowsNeeded, rows_needed
from dpdesigner.studies.synthetic.design import IntervalDesign


@dataclass(frozen=True, eq=False, repr=False)
class ColumnResult:
    """A made-up column, and what is known of it.

    Attributes
    ----------
    design : IntervalDesign
    synthetic : MadeColumn
    real : ndarray of int
        The counts of the real column: for its owner, as all that is computed from them.
    bounds : mapping
        What each way promises at this epsilon; None where nothing is known.
    typical : mapping
        The worst interval's error of each way, in rows, the median of some releases; empty until it is computed.
    epsilon_curve : EpsilonCurve or None
    failing : tuple of Failures
        Of bisection on flat columns, as far as they are measured.
    paths : ndarray or None
        (releases, size + 1): errors of the running total of more releases.
    """

    design: IntervalDesign
    synthetic: MadeColumn
    real: Integers
    bounds: Mapping[str, ErrorBound | None]
    typical: Mapping[str, float] = field(default_factory=dict)
    epsilon_curve: EpsilonCurve | None = None
    failing: tuple[Failures, ...] = ()
    paths: Integers | None = None
    totals: tuple[Integers, ...] = ()  # of the real column and the made-up one, and how far the latter is off

    def __post_init__(self) -> None:
        if not self.totals:  # once: there can be a million
            real, made = running_total(self.real), running_total(self.synthetic.counts)
            object.__setattr__(self, "totals", (real, made, made - real))

    @property
    def total(self) -> int:
        """The number of synthetic rows."""
        return self.synthetic.total

    @cached_property
    def rows(self) -> int:
        """The number of rows of the real column."""
        return int(self.totals[0][-1])

    @property
    def column(self) -> Column:
        """The real column, for what is computed of it beside the answer."""
        design = self.design
        return Column(self.real, design.budget, design.accuracy, double(design.delta))

    @cached_property
    def worst(self) -> Worst:
        """The interval that is furthest off."""
        return worst_of(self.totals[2])

    @property
    def bound(self) -> ErrorBound | None:
        """The error bound of the chosen method."""
        return self.bounds[self.design.method]

    @property
    def bound_rows(self) -> int | None:
        """By how many rows any interval is off at most; None where nothing is promised."""
        return None if self.bound is None else self.bound.rows

    @property
    def tied(self) -> int | None:
        """The most rows of a cell for which the bound holds; None where it holds for every column."""
        return None if self.bound is None else self.bound.tied

    @cached_property
    def needed(self) -> int:
        """The least number of rows at which bisection has an error bound."""
        design = self.design
        plan = plan_of(design.bits, max(self.total, 1), design.budget.column, design.accuracy)
        return least_rows(plan, design.accuracy, double(design.delta))

    @property
    def beyond(self) -> bool:
        """Whether the worst interval of this release is beyond the bound; for the owner."""
        rows = self.bound_rows
        return rows is not None and rows < self.total and abs(self.worst.error) > rows

    @property
    def provisional(self) -> bool:
        """Whether the promise rests on few draws as yet: it holds, and more draws can lower it a little."""
        return self.bound is not None and 0 < self.bound.draws < draws_for(1 << self.design.bits)

    @property
    def rows_for_aim(self) -> int:
        """The number of rows needed for the target error at this epsilon; 0 if it is not known."""
        rows = self.bound_rows or 0
        return ceil(rows / self.design.accuracy) if rows < self.total else 0

    @property
    def recommended(self) -> str | None:
        """The way that promises the least error; None where none promises anything."""
        rows = self.promising
        return min(rows, key=lambda method: (rows[method], method), default=None)

    @property
    def promising(self) -> dict[str, int]:
        """The error bounds in rows that hold for every column and are below the number of rows, by way."""
        unconditional = {method: promise for method, promise in self.bounds.items() if promise is not None and not promise.tied}
        rows = {method: promise.rows for method, promise in unconditional.items()}
        return {method: most for method, most in rows.items() if most is not None and most < self.total}

    @cached_property
    def sizes(self) -> RowsNeeded:
        """The number of rows that bisection needs, as printed and as corrected."""
        design = self.design
        return rows_needed(design.bits, design.privacy.epsilon, double(design.error), double(design.delta))
