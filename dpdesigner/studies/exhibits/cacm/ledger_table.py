"""The ledger of an algorithm as a table: each query with its epsilon, in fractions that add up to the budget exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

from dpdesigner.core.learning import Spending
from dpdesigner.core.numbers.parsing import exact_text
from dpdesigner.messages import message
from dpdesigner.studies.table_panels import Table


def ledger_table(ledger: Sequence[Spending], budget: Fraction, named: Callable[[Spending], str]) -> Table:
    """Return a row for each query: step, query, its epsilon, what is spent so far, and what is left.

    Parameters
    ----------
    ledger : sequence of Spending
    budget : Fraction
    named : callable
        The words for a query.
    """
    sums = accumulate((line.epsilon for line in ledger), initial=Fraction(0))
    next(sums)
    rows = tuple(
        (str(line.step), named(line), exact_text(line.epsilon), exact_text(spent), exact_text(budget - spent))
        for line, spent in zip(ledger, sums, strict=True)
    )
    header = (message("step"), message("query"), message("ε"), message("spent so far"), message("left"))
    return Table("ledger", message("Privacy budget"), header, rows)
