"""The linear program as an independent witness for a count design, and as the answer where Theorem A does not hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from dpdesigner.arrays import Floats
from dpdesigner.core.mechanism.mechanism import Table
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.result import MechanismResult
from dpdesigner.studies.study import Progress, silent

if TYPE_CHECKING:  # a window opens without them
    from dpdesigner.core.count.costs import WarmSearch
    from dpdesigner.core.program.linear_program import LinearProgramAnswer


@dataclass(frozen=True, eq=False, repr=False)
class Witness(MechanismResult):
    """The solution of a design by the linear program.

    `held` is its mechanism, exactly private after repair, `value` that mechanism's expected loss, `repair_cost` what making it
    private cost; `gap` is certified from the solver's own dual: value - optimum <= gap.
    """

    basis: ClassVar[str] = "dual of the linear program"

    design: CountDesign
    compact_mechanism: Table
    value: float
    gap: float
    repair_cost: float
    iterations: int
    seconds: float
    method: str

    @property
    def mechanism(self) -> Floats:
        """The repaired mechanism, (n + 1, n + 1), rows = true result, columns = released result."""
        return self.compact_mechanism.matrix

    @property
    def epsilon(self) -> float:
        """The privacy of the mechanism, rounded up."""
        return self.compact_mechanism.epsilon


class WarmWitness:
    """The linear program for one design after another; one is kept for as long as a page lives, in one lane of the worker."""

    @cached_property
    def _search(self) -> WarmSearch:
        from dpdesigner.core.count.costs import WarmSearch

        return WarmSearch()

    def follow(self, design: CountDesign, progress: Progress = silent) -> Witness:
        """Solve a design that differs little from the last, fast enough to keep up with the mouse."""
        return _witness(design, self._search.follow(design, progress))

    def settle(self, design: CountDesign, progress: Progress = silent) -> Witness:
        """Solve a design; parameters, result and errors as `linear_program`."""
        return _witness(design, self._search.settle(design, progress))


def linear_program(design: CountDesign, progress: Progress = silent) -> Witness:
    """Solve a design by linear programming over all private tables, without using any theorem.

    Raises
    ------
    InputError
        If n is above 200.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> witness = dp.linear_program(dp.CountDesign(n=5, alpha="1/2"))
    >>> round(witness.value, 6), witness.gap < 1e-6
    (0.895833, True)
    """
    return WarmWitness().settle(design, progress)


def _witness(design: CountDesign, answer: LinearProgramAnswer) -> Witness:
    held = Table(design.privacy, answer.raw, answer.filler)
    method = f"linear program ({answer.method}), repaired to be exactly private"
    return Witness(design, held, answer.value, answer.gap, answer.repair_cost, answer.iterations, answer.seconds, method)
