"""Inspection of any release table or solved design: ``dpdesigner inspect`` for scripts."""

from __future__ import annotations

from typing import Any

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection.keys import KeyedTable, keyed_table
from dpdesigner.files.export.keyed import office_text as office_text
from dpdesigner.files.export.keyed import table_text
from dpdesigner.studies.answer import Outcome
from dpdesigner.studies.inspect.answer import InspectAnswer
from dpdesigner.studies.inspect.design import InspectDesign


def inspect(table: Any, **options: Any) -> InspectAnswer:
    """Report what a reader of one release can learn about one person, and how useful the release is.

    Parameters
    ----------
    table : path-like, str, array, DataFrame, sequence of sequences, or the result of a design
        As for `InspectDesign`; of a result its table, as it would be exported, in fractions where there are some.
    **options
        The other inputs of an `InspectDesign`.

    Returns
    -------
    InspectAnswer
        Its ``.findings`` have what was found, by key; ``.details()`` the kinks, corners and pairs.

    Raises
    ------
    InputError
        If it is no table of distributions; the sentence names row and column.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.inspect(dp.solve(dp.CountDesign(n=5, alpha="1/2")))
    >>> found.findings["found_out"].value, found.findings["delta_floor"].value
    (Fraction(1, 50), Fraction(0, 1))
    """
    found: InspectAnswer = InspectDesign(table_text(table) if isinstance(table, Outcome) else table, **options).run()
    return found


def keyed_count(n: int, *, epsilon: Number, prior: Any = "uniform", loss: Any = "absolute", keys: int = 256) -> KeyedTable:
    """Return a private table with this many keys, as statistical offices look up noise: exact, and nearly optimal.

    Parameters
    ----------
    n : int
        The largest count.
    epsilon : Number
    prior, loss
        As for a `CountDesign`.
    keys : int
        K: every probability is a whole number of 1 / K.

    Examples
    --------
    >>> keyed_count(2, epsilon="ln 2", keys=16).rows
    [[10, 3, 3], [5, 6, 5], [3, 3, 10]]
    """
    return keyed_table(PrivacyLevel.from_epsilon(epsilon), Prior(prior, n), Loss(loss), keys)
