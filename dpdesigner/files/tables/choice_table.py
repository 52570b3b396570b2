"""The probabilities of a choice among a few outputs as decimals whose privacy is verified on the very text that is written."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from functools import reduce

from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.errors import ProofError
from dpdesigner.files.tables.table import entry_texts
from dpdesigner.studies.choice.outcome import ChoiceOutcome

_DIGITS = 17
_WORKING = Context(prec=2 * _DIGITS + 6, Emin=MIN_EMIN, Emax=MAX_EMAX)


@dataclass(frozen=True)
class ChoiceTable:
    """A table of texts that was read back: each row sums to exactly 1.

    Attributes
    ----------
    texts : tuple of tuple of str
        Rows = states of the data, columns = outputs.
    epsilon : float
        The privacy of neighbouring rows of the text, rounded up.
    """

    texts: tuple[tuple[str, ...], ...]
    epsilon: float


def choice_table(outcome: ChoiceOutcome) -> ChoiceTable:
    """Write the probabilities of a choice in decimals, none lost to underflow, and find the privacy of the text.

    Raises
    ------
    ProofError
        If a row of the text is not a distribution.
    """
    alpha, found = _WORKING.exp(Decimal(-outcome.mechanism.epsilon)), []
    for row in outcome.mechanism.steps.tolist():
        weights = [_WORKING.power(alpha, step - min(row)) for step in row]
        total = reduce(_WORKING.add, weights)
        found.append(entry_texts(Decimal(f"{_WORKING.divide(weight, total):.{_DIGITS - 1}e}") for weight in weights))
    rows = [list(map(Decimal, row)) for row in found]
    whole = verify_table(rows)
    if not whole.stochastic:
        raise ProofError(f"the table is withheld, since its text is not a mechanism: {whole.sentences[0]}")
    return ChoiceTable(tuple(found), max(verify_table([rows[i], rows[j]]).epsilon for i, j in outcome.mechanism.pairs))
