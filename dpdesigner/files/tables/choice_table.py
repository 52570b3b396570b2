"""The probabilities of a choice from a table of utilities, as decimals whose privacy is verified on the very text written.

The rule is made at a level that is less by a relative 1e-12, so that no rounding of its decimals exceeds what was asked;
entries that are below the range of doubles are written all the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.errors import ProofError
from dpdesigner.files.tables.table import entry_texts
from dpdesigner.studies.choice.outcome import ChoiceOutcome

_DIGITS = 17
_LESS = Fraction(10**12 - 1, 10**12)
_WORKING = Context(prec=2 * _DIGITS + 6, Emin=MIN_EMIN, Emax=MAX_EMAX)


@dataclass(frozen=True)
class ChoiceTable:
    """A table of texts that was read back: no entry is negative, and each row sums to exactly 1.

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
    """Write the chances of the rule drawn in decimals, none lost to underflow, and find the privacy of the text.

    Raises
    ------
    ProofError
        If a row of the text is not a distribution.
    """
    rule = replace(outcome.rule, rate=outcome.rule.rate * _LESS)
    texts = tuple(entry_texts(_shortened(row)) for row in rule.logs.tolist())
    rows = [list(map(Decimal, row)) for row in texts]
    for place, entries in enumerate(rows):
        row = verify_table([entries])
        if not row.stochastic:
            problem = "has a negative entry" if row.n_negative else "does not sum to exactly 1"
            raise ProofError(f"the table is withheld, since its text is not a mechanism: row {place} {problem}.")
    pairs = outcome.design.neighbouring.pairs
    return ChoiceTable(texts, max(verify_table([rows[i], rows[j]]).epsilon for i, j in pairs))


def _shortened(logs: Iterable[float]) -> Iterable[Decimal]:
    chances = [_WORKING.exp(Decimal(log)) for log in logs]
    total = sum(chances, Decimal(0))
    return [Decimal(f"{_WORKING.divide(chance, total):.{_DIGITS - 1}e}") for chance in chances]
