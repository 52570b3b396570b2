"""Tables as text: of an answer, for inspection, and in keys, in formats of statistics offices, verified after reading back."""

from __future__ import annotations

from dpdesigner.core.inspection.keys import KeyedTable
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.data.office_tables import read_noise_table, written_intervals, written_keys
from dpdesigner.errors import InputError, ProofError
from dpdesigner.studies.answer import Outcome


def table_text(result: Outcome) -> str:
    """Return the table of an answer as it would be exported, in fractions if there are any."""
    try:
        return result.table("csv", fractions=True)
    except InputError:
        return result.table("csv")


def office_text(made: KeyedTable, form: str = "tau-argus") -> str:
    """Return a table in keys as the text of a file, verified after reading back.

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
    >>> import dpdesigner as dp
    >>> print(office_text(dp.keyed_count(1, epsilon="ln 3", keys=4)))
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
            raise ProofError(f"row {i} of the table reads back differently.")
    if not verify_table(back.rows[first:]).stochastic:
        raise ProofError("the table reads back with rows that are not distributions.")
    return text
