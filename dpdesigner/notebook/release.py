"""Releases from scripts, exact and range-checked; the epsilon for a target; and released halfspace structures from files."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np

from dpdesigner.core.basics.parsing import Number, double, excerpt
from dpdesigner.core.count.costs import epsilon_for_loss
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.synthetic.regions import answers
from dpdesigner.data.halfspaces import Structure
from dpdesigner.errors import InputError, with_article
from dpdesigner.files.export import export_of
from dpdesigner.notebook.tables import VerifiedTable
from dpdesigner.studies.count.design import CountDesign, aimed
from dpdesigner.studies.study import design_of
from dpdesigner.studies.synthetic.halfspace_answer import answered
from dpdesigner.studies.synthetic.halfspace_structure import asking

_log = logging.getLogger(__name__)


def release(mechanism: Any, count: SupportsIndex | None = None) -> Any:
    """Release once, exactly, from the operating system's entropy.

    Parameters
    ----------
    mechanism : outcome, design, VerifiedTable or Mechanism
        A design is solved first. A matrix of doubles is none: what rounding has left of it need not be private.
    count : int, optional
        The true result, where the mechanism needs one; of a table of utilities its row; for integer noise the true answer.

    Returns
    -------
    int, float, str or list of them
        What may be published; a choice among options with names is a name. What must be known of it first, such as that it is
        noise, or that its rule is not proved to be private, is a warning in Python's log ``dpdesigner``.

    Raises
    ------
    InputError
        If the count is not one that the mechanism knows, is missing or not asked for, or there is nothing to release exactly.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> 0 <= dp.release(dp.CountDesign(n=5, alpha="1/2"), 3) <= 5
    True
    """
    if isinstance(mechanism, (VerifiedTable, Mechanism)):
        return mechanism.draw(_needed(count))
    design = design_of(mechanism) or mechanism
    if not hasattr(design, "kind"):
        wanted = "a mechanism must be an outcome, a design or a table read by read_table"
        raise InputError(f"{wanted}, got {excerpt(mechanism)}.", "mechanism")
    solved = export_of(design, done={} if design is mechanism else {"solve": mechanism})
    needs = solved.true_results > 0
    if count is not None and not needs and not solved.added:
        own = f"{with_article(design.kind)} design releases its own data"
        raise InputError(f"{own}, so there must be no count, got {excerpt(count)}.", "count")
    drawn = solved.release(1, str(_needed(count)) if needs else None)
    if not drawn.exact:
        raise InputError(f"only exact draws can be released; {drawn.warning}", "mechanism")
    if drawn.warning:
        _log.warning("%s", drawn.warning)
    value = drawn.values[0]
    return value if needs or count is None else _needed(count) + value


def epsilon_for(design: CountDesign, *, loss: Number | None = None, risk: Sequence[Any] | None = None) -> float:
    """Return the epsilon at which the best mechanism attains at most this expected loss, or a risk reaches its allowed value.

    Parameters
    ----------
    design : CountDesign
        Its own privacy level does not matter; its delta does.
    loss : Number
        The expected loss that is wanted: the smallest epsilon, rounded up to six digits.
    risk : (str, Number) or (str, Number, Number)
        ``("bet", p)``, ``("advantage", v)`` or ``("found_out", p, rate of false alarms)``: the largest epsilon, rounded down.
        ``CountDesign(..., aim=risk)`` has it exactly.

    Raises
    ------
    InputError
        If no epsilon reaches it; the sentence says what can be reached.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> design = dp.CountDesign(n=5, epsilon=1)
    >>> epsilon = dp.epsilon_for(design, loss="1/2")
    >>> dp.solve(design.replace(epsilon=epsilon)).value <= 0.5
    True
    """
    if not isinstance(design, CountDesign):
        raise InputError(f"an epsilon can be computed only for count designs, got {excerpt(design)}.", "design")
    if risk is not None:
        if loss is not None:
            raise InputError("a loss or a risk must be given, got both.", "loss")
        level = aimed(risk, design.delta)
        near = level.epsilon
        return near if near < level.epsilon_above else math.nextafter(near, 0.0)
    if loss is None:
        raise InputError("a loss or a risk must be given, got neither.", "loss")
    if design.uncovered:
        from dpdesigner.studies.count.run import level_with_delta  # late: importing the package does not need it

        return level_with_delta(design, double(loss)).epsilon
    return epsilon_for_loss(design, double(loss)).epsilon


def _needed(count: SupportsIndex | None) -> int:
    """Return a true result as a Python integer; the mechanism checks its range."""
    if count is None or isinstance(count, bool) or not hasattr(count, "__index__"):
        raise InputError(
            f"the true result must be a whole number, got {'nothing' if count is None else excerpt(count)}.", "count"
        )
    return count.__index__()


class Halfspaces(Structure):
    """A released halfspace structure, read from a file."""

    def answer(self, asked: Any) -> float:
        """Return the approximate share of points that meet a rule: ``"income > 48000 + 500 × age"``, or its direction.

        If the columns have ranges, a direction has the coefficients of a rule in their units: for ages 18 to 90 and incomes 0 to
        150,000, ``answer([-500, 1])`` is the share with income - 500 × age > 48,000, its value in the middle of the ranges.
        Of two columns and an even number of directions, ``answer([500, -1])`` is 1 less that: ≤ for >.
        """
        return self._answered(np.median, asked)

    def mean(self, asked: Any) -> float:
        """Return the mean over the projections instead of the median, as Definition 6.5 of [BLR] does."""
        return self._answered(np.mean, asked)

    def _answered(self, middle: Any, asked: Any) -> float:
        def share(towards: Any) -> float:
            return float(np.clip(middle(answers(self.plan, self.counts, self.rows, towards)), 0.0, 1.0))

        return answered(share, asked, self.ranges, self.plan.matrices.shape[2], lambda: asking(self))


def read_halfspaces(path: str | os.PathLike[str]) -> Halfspaces:
    """Read the released structure of a halfspace design, ``NAME-structure.json``, to answer new queries.

    Parameters
    ----------
    path : path

    Returns
    -------
    Halfspaces
        ``.answer("income > 500 × age")`` is the share of points that meet a rule, ``.answer(direction)`` that on the positive
        side of the plane across a direction: the coefficients of a rule in the columns' units where these have ranges.

    Raises
    ------
    InputError
        If the file cannot be read, or holds no such structure.

    Examples
    --------
    >>> import dpdesigner as dp, tempfile
    >>> from dpdesigner.files.export import export_of
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = export_of(dp.HalfspaceDesign("drawn", epsilon=1, rows=2000, seed=1)).write(folder, "mine", ["json"])
    ...     released = dp.read_halfspaces(f"{folder}/mine-structure.json")
    >>> 0 <= released.answer([1, 0, 0, 0, 0]) <= 1, released.published
    (True, False)
    """
    return Halfspaces.read(path)
