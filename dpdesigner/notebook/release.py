"""Releases from scripts, exact and range-checked; and the epsilon that an aim needs."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any, SupportsIndex

from dpdesigner.core.count.costs import epsilon_for_loss
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.numbers.parsing import Number, double, excerpt
from dpdesigner.errors import InputError, with_article
from dpdesigner.files.export.export import export_of
from dpdesigner.notebook.tables import VerifiedTable
from dpdesigner.studies.count.design import CountDesign, aimed
from dpdesigner.studies.study import design_of

_log = logging.getLogger(__name__)


def release(mechanism: Any, count: SupportsIndex | None = None) -> Any:
    """Release once, exactly and from the operating system's entropy.

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
    """Return the epsilon at which the best mechanism has at most this expected loss, or at which a risk is as large as allowed.

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
        from dpdesigner.studies.count.run import level_with_delta  # late: an import of the package does without it

        return level_with_delta(design, double(loss)).epsilon
    return epsilon_for_loss(design, double(loss)).epsilon


def _needed(count: SupportsIndex | None) -> int:
    """A true result as a whole number of Python; its range is the mechanism's to know."""
    if count is None or isinstance(count, bool) or not hasattr(count, "__index__"):
        raise InputError(
            f"the true result must be a whole number, got {'nothing' if count is None else excerpt(count)}.", "count"
        )
    return count.__index__()
