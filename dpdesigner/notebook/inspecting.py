"""A look into any table of releases, or into what a design has solved: what ``dpdesigner inspect`` does, for scripts."""

from __future__ import annotations

from typing import Any

from dpdesigner.core.inspection.keys import KeyedTable, keyed_table
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.core.numbers.parsing import Number
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.data.office_tables import read_noise_table, written_intervals, written_keys
from dpdesigner.errors import InputError, ProofError
from dpdesigner.studies.answer import Outcome
from dpdesigner.studies.inspect.answer import InspectAnswer
from dpdesigner.studies.inspect.design import InspectDesign


def inspect(table: Any, **options: Any) -> InspectAnswer:
    """Say what a reader of one release can find out about one person, and how useful the release is.

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
    found: InspectAnswer = InspectDesign(_text_of(table) if isinstance(table, Outcome) else table, **options).run()
    return found


def _text_of(result: Outcome) -> str:
    try:
        return result.table("csv", fractions=True)
    except InputError:
        return result.table("csv")


def keyed_count(n: int, *, epsilon: Number, prior: Any = "uniform", loss: Any = "absolute", keys: int = 256) -> KeyedTable:
    """Return a private table in so many keys, as statistics offices look up their noise: exact, and nearly as useful as may be.

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


def office_text(made: KeyedTable, form: str = "tau-argus") -> str:
    """Return a table in keys as the text of a file, read back and verified.

    Parameters
    ----------
    made : KeyedTable
    form : {"tau-argus", "sas", "keys"}
        ``"keys"`` are lines ``pcv,ckey,pvalue``. That format leaves a count of 0 as it is, so that the row of 0 is not in the
        file, and cells of 0 are not private.

    Raises
    ------
    InputError
        If the form is another, or eight digits do not hold the multiples of 1 / K.
    ProofError
        If what was read back differs.

    Examples
    --------
    >>> print(office_text(keyed_count(1, epsilon="ln 3", keys=4)))
    i;j;p;v;p_int_ub
    0;0;0.75000000;0;0.75000000
    0;1;0.25000000;1;1.00000000
    1;0;0.25000000;-1;0.25000000
    1;1;0.75000000;0;1.00000000
    <BLANKLINE>
    """
    if form not in ("tau-argus", "sas", "keys"):
        raise InputError(f"the form must be tau-argus, sas or keys, got {form!r}.", "form", "tau-argus")
    text = written_keys(made.rows, made.keys) if form == "keys" else written_intervals(made.rows, made.keys, form == "sas")
    back = read_noise_table(text, "the table", made.table.n)
    first = 1 if form == "keys" else 0
    for i in range(first, made.table.n + 1):
        row = dict(zip(back.labels, back.rows[i], strict=True))
        if any(row.get(j, 0) * made.keys != count for j, count in enumerate(made.rows[i])):
            raise ProofError(f"row {i} of the table is read back as another.")
    if not verify_table(back.rows[first:]).stochastic:
        raise ProofError("the table is read back as one whose rows are no distributions.")
    return text
