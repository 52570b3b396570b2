"""The probabilities of a choice from a table of utilities, as decimals whose privacy is verified on the very text written.

The rule is made at a level that is a little less, by a relative 1e-12 at first, so that no rounding of its decimals exceeds what
was asked. The text is held against that exactly; where the doubles of a small epsilon were too coarse, it is made again with more
slack, and refused where a ten-thousandth is not enough. A rule that the design names although it guarantees only a larger epsilon
is held against that one, and the table says so. Entries that are below the range of doubles are written all the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction

from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.errors import ProofError
from dpdesigner.files.tables.table import entry_texts
from dpdesigner.studies.choice.answer import ChoiceAnswer

_DIGITS = 17
#: By how much less than asked the rule is made, tried in this order.
_SLACKS = tuple(Fraction(1, 10**digits) for digits in (12, 10, 8, 6, 4))
_NEARLY = 1e-9  # what doubles may add to the epsilon that a rule guarantees
_WORKING = Context(prec=2 * _DIGITS + 6, Emin=MIN_EMIN, Emax=MAX_EMAX)


@dataclass(frozen=True)
class ChoiceTable:
    """A table of texts that was read back: no entry is negative, each row sums to exactly 1, and it is as private as its rule.

    Attributes
    ----------
    texts : tuple of tuple of str
        Rows = states of the data, columns = outputs.
    epsilon : float
        The privacy of neighbouring rows of the text, rounded up.
    as_requested : bool
        Whether that was proved to be within the epsilon of the design.
    """

    texts: tuple[tuple[str, ...], ...]
    epsilon: float
    as_requested: bool = True


def choice_table(outcome: ChoiceAnswer) -> ChoiceTable:
    """Write the chances of the rule drawn in decimals, none lost to underflow, and find the privacy of the text.

    Raises
    ------
    ProofError
        If a row of the text is not a distribution, or the text is less private than its rule guarantees.
    """
    requested, epsilon = outcome.design.privacy, 0.0
    level = requested if outcome.rule.epsilon <= requested.epsilon * (1 + _NEARLY) else outcome.attained
    for slack in _SLACKS:
        texts = _texts(outcome, slack)
        rows = [list(map(Decimal, row)) for row in texts]
        found = [verify_table([rows[i], rows[j]]) for i, j in outcome.design.neighbouring.pairs]
        epsilon = max(each.epsilon for each in found)
        if all(each.private(level) for each in found):
            return ChoiceTable(texts, epsilon, all(each.private(requested) for each in found))
    raise ProofError(f"the table is withheld: its text has epsilon = {epsilon!r}, above the {level.epsilon!r} of its rule.")


def _texts(outcome: ChoiceAnswer, slack: Fraction) -> tuple[tuple[str, ...], ...]:
    """The rows of a rule that is made for a little less than asked, each a distribution."""
    rule = replace(outcome.rule, rate=outcome.rule.rate * (1 - slack))
    texts = tuple(entry_texts(_shortened(row)) for row in rule.logs.tolist())
    for place, row in enumerate(texts):
        found = verify_table([list(map(Decimal, row))])
        if not found.stochastic:
            problem = "has a negative entry" if found.n_negative else "does not sum to exactly 1"
            raise ProofError(f"the table is withheld: its text is not a mechanism: row {place} {problem}.")
    return texts


def _shortened(logs: Iterable[float]) -> Iterable[Decimal]:
    chances = [_WORKING.exp(Decimal(log)) for log in logs]
    total = sum(chances, Decimal(0))
    return [Decimal(f"{_WORKING.divide(chance, total):.{_DIGITS - 1}e}") for chance in chances]
