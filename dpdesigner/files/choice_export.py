"""Export of a choice: probabilities, the table of a whole mechanism, proved on its text, and exact draws.

The probabilities of a choice from a table of utilities, as decimals whose privacy is verified on the very text written.

The rule is made at a level that is a little less, by a relative 1e-12 at first, so that no rounding of its decimals exceeds what
was asked. The text is held against that exactly; where the doubles of a small epsilon were too coarse, it is made again with more
slack, and refused where a ten-thousandth is not enough. A rule that the design names although it guarantees only a larger epsilon
is held against that one, and the table says so. Entries that are below the range of doubles are written all the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dpdesigner.core.basics.accountant import together, total
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import cut, nearest
from dpdesigner.core.basics.rounding import at_most, figure
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.data.mechanism_tables import TableText
from dpdesigner.errors import InputError, ProofError
from dpdesigner.files.export import Releases, TableFile, refuse_count
from dpdesigner.files.formatting import PROGRAM_ENDINGS, number
from dpdesigner.files.noise_export import Table, TablesExport, choice_rows
from dpdesigner.files.programs import Program, choice_program
from dpdesigner.files.tables import entry_texts
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.inputs import PRINTED
from dpdesigner.studies.choice.panels import against_epsilon, constants, falling_short
from dpdesigner.studies.spending import RECORD

_DIGITS = 17
#: Margins below the requested epsilon for which the rule is computed, tried in this order.
_SLACKS = tuple(Fraction(1, 10**digits) for digits in (12, 10, 8, 6, 4))
_NEARLY = 1e-9  # what rounding to doubles may add to the epsilon that a rule guarantees
_WORKING = Context(prec=2 * _DIGITS + 6, Emin=MIN_EMIN, Emax=MAX_EMAX)


@dataclass(frozen=True)
class ChoiceTable:
    """A table of texts, verified after reading back: no negative entry, each row sums to exactly 1, as private as its rule.

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
    """Write the probabilities of the drawn rule as decimals, none lost to underflow, and find the privacy of the text.

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
    """Return the rows, each a distribution, of a rule with slightly less than the requested epsilon."""
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


#: The name of a table whose rule guarantees only a larger epsilon than the design requests.
_ABOVE = "probabilities-above-epsilon"
_ONE = {
    "joins": "one person joined or left",
    "changes": "one person had given another answer",
    "any": "one person moved each count by at most Δ",
}
_MOST, _LONGEST = 300, 400  # a level whose e^ε is written out; characters of the options
_COUNTED = "tables and pictures reveal the private counts, so only programs (py, opendp, r) are written."
_SUMS = "checked on its text in exact arithmetic: every row sums to exactly 1"


class ChoiceExport(TablesExport):
    """A choice by utilities; if these were counted from private data, no true probability is exported."""

    programs: ClassVar[bool] = True
    reported: ClassVar[tuple[str, ...]] = ("draw",)
    lasting: ClassVar[tuple[str, ...]] = ("draw",)

    outcome: ChoiceAnswer

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The whole mechanism as the text whose privacy is verified; for one utility vector, its probabilities by every rule."""
        outcome = self.outcome
        if outcome.task.table:
            if self.withheld:
                return {}
            rows, key = choice_rows(self._table.texts), "probabilities" if self._table.as_requested else _ABOVE
            return {key: [[rows[0][0], *map(_cell, outcome.names)], *rows[1:]] if outcome.design.names else rows}
        if outcome.design.secret:
            return {}
        rules = list(outcome.rules.values())
        header = ["option", "utility", *(rule.key for rule in rules)]
        columns = np.array([rule.probabilities for rule in rules]).T.tolist()
        utilities = [str(value) for value in outcome.task.exactly(0)]
        body = zip(outcome.names, utilities, columns, strict=True)
        return {"chances": [header, *([_cell(name), utility, *map(repr, row)] for name, utility, row in body)]}

    def stated(self) -> list[tuple[str, str]]:
        """Return of a private column, of which no number is given, what is asked, what may be published, and who is protected."""
        found, outcome, design = self.done.get("draw"), self.outcome, self.outcome.design
        if not design.secret:
            return super().stated()
        own = RECORD.of(design)
        released = "" if found is None or found.value.many > 1 else outcome.releases(found.value)
        if not design.fixed:
            return [*super().stated(), ("Not private yet", "The options were read from the data.")]
        level = total(own).epsilon if own[1:] else outcome.attained.epsilon
        ratio = at_most(math.exp(level), 4) if level < _MOST else "e^ε"
        what = f"no list of {len(own)} releases" if own[1:] else "no option"
        most = f"{what} would be more than {ratio} times as likely, or as unlikely"
        return [
            *super().stated(),
            *([("To publish", released)] if released else []),
            ("Question", f"Which option in the column “{design.column}” is the most common?"),
            ("Options", cut(", ".join(outcome.names), _LONGEST)),
            ("Rule", f"{outcome.rule.title} draws one option; those that more people gave are more likely."),
            *self._accuracy,
            ("Privacy", f"If {_ONE[str(design.neighbours)]}, {most}. The list of options must not depend on the data."),
            ("Left out", "Counts and probabilities are left out: they are private."),
        ]

    @property
    def _accuracy(self) -> list[tuple[str, str]]:
        """Return the lead that suffices for 95 in 100, rounded up; it is that of the exponential mechanism, the worse of both."""
        rule, others = self.outcome.rule, self.outcome.task.options - 1
        if rule.key not in ("exponential", "permute-and-flip") or rule.task.log_base is not None:
            return []
        lead = max(math.ceil(math.log(19 * others) / nearest(rule.rate) * (1 + 1e-12)), 1)
        words = f"Whatever the counts, an option that leads every other by at least {lead} is announced at least 95 times in 100."
        return [("Accuracy", words)]

    def table_title(self, key: str) -> str:
        """Return the title of the table in a report."""
        titles = {"probabilities": "Probabilities", _ABOVE: "Probabilities, above the ε requested"}
        return titles.get(key, "Probability of each option, for every rule")

    def check(self, formats: Any, fractions: bool = False) -> None:
        """Refuse probabilities from private counts, and a table that is less private than requested."""
        super().check(formats, fractions)
        if not set(formats) & set(self.formats):
            return
        if self.withheld:
            raise ProofError(self.withheld)
        if self.outcome.design.secret:
            raise InputError(_COUNTED, "file")

    def refused(self, formats: Iterable[str]) -> dict[str, str]:
        """Return also the tables and pictures that would reveal private counts, with the reason."""
        formats = list(formats)
        private = [wanted for wanted in formats if wanted not in PROGRAM_ENDINGS and self.outcome.design.secret]
        return {**super().refused(formats), **dict.fromkeys(private, _COUNTED)}

    def details(self) -> dict[str, Any]:
        """Return why the choice is private, and a remark on a table that is not as private as requested."""
        outcome = self.outcome
        return {
            "options": outcome.task.options,
            "reason": outcome.reason,
            **({} if self.withheld or not outcome.task.table or self._table.as_requested else {"remark": self._excess}),
        }

    def _checked(self, name: str, text: str) -> TableFile:
        """Return a file, with the facts verified on the text of its probabilities."""
        if not self.outcome.task.table:
            return TableFile(name, text)
        words = f"{_SUMS} and epsilon is at most {self._table.epsilon!r}"
        if self._table.as_requested:
            return TableFile(name, text, words, {"epsilon": number(self._table.epsilon)})
        return TableFile(name, text, f"{words}: {self._excess}", {"epsilon": number(self._table.epsilon), "proved": False})

    @classmethod
    def verify_again(cls, study: ChoiceDesign, name: str, text: str) -> None:
        """Check the table of a whole mechanism on its text, for every pair of neighbours."""
        if not name.endswith(tuple(f"-{key}.{ending}" for key in ("probabilities", _ABOVE) for ending in ("csv", "tsv"))):
            return
        rows = list(TableText(text, name, header=True, labels=True).rows())
        good, above = verify_table(rows).stochastic, f"-{_ABOVE}." in name  # the latter claims nothing
        if not good or not (
            above or all(verify_table([rows[i], rows[j]]).private(study.privacy) for i, j in study.neighbouring.pairs)
        ):
            raise ProofError(f"{name} is not written: its text is not a mechanism with the requested privacy.")

    @property
    def true_results(self) -> int:
        """The number of rows in a table of utilities; 0 for a single vector, which needs no row."""
        return len(self.outcome.task.numbers) if self.outcome.task.table else 0

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw exactly, from the operating system's entropy; for a table, from the row that `count` names."""
        outcome, row, rows = self.outcome, 0, self.true_results
        if not rows:
            refuse_count(count, "a choice is drawn from the utilities of its design")
        elif count is None or not count.isdecimal() or int(count) >= rows:
            raise InputError(f"a table of utilities needs its row, --count 0 to {rows - 1}, to draw from.", "count")
        else:
            row = int(count)
        values = [outcome.announced(outcome.draw(row)) for _ in range(draws)]
        level = figure(together([self._level] * draws), 6)
        warnings = [] if outcome.proved else [f"the rule is not proved to have the requested epsilon: {outcome.badge[0]}."]
        if draws > 1:
            warnings.append(f"{draws} choices from the same data: together they have epsilon = {level}, rounded up.")
        return Releases(values, " ".join(warnings))

    def made_program(self, language: str, head: str) -> Program:
        """Return a program that chooses; see `dpdesigner.files.programs.choice_program`."""
        return choice_program(language, self.outcome, head)

    def panels(self) -> list[Any]:
        """Return the shortfall of the drawn rule, the rules against epsilon, and of a printed formula its actual epsilon."""
        outcome = self.outcome
        beside = falling_short(outcome, outcome.rules.get("exponential"))
        printed = [constants(outcome)] if outcome.design.rule in PRINTED else []
        return [beside, against_epsilon(outcome, outcome.sweep()), *printed]

    @property
    def _level(self) -> float:
        return PrivacyLevel.from_epsilon(self.outcome.findings["epsilon"].number or 0.0).epsilon_above

    @cached_property
    def _table(self) -> ChoiceTable:
        return choice_table(self.outcome)

    @property
    def _excess(self) -> str:
        """The warning for a table whose rule guarantees less than was requested."""
        requested = self.outcome.design.privacy.epsilon
        return f"NOT private at the requested epsilon, {requested!r}: the chosen rule has a larger one."

    @cached_property
    def withheld(self) -> str:
        """Why there is no table of the whole mechanism, in one sentence; empty if there is one, or none is requested."""
        try:
            if self.outcome.task.table:
                self._table  # noqa: B018  (making it proves it)
            return ""
        except ProofError as error:
            return str(error)

    def proof(self) -> list[str]:
        """Return the privacy that holds for all vectors, and that of the text of a table."""
        outcome = self.outcome
        level = outcome.findings["epsilon"].value
        sentences = [f"Privacy: over all utilities and neighbours, epsilon is at most {level!r}: {outcome.reason}"]
        if not outcome.design.fixed:
            sentences = [f"Not private yet: {outcome.reason}"]
        if self.withheld:
            sentences.append(f"T{self.withheld[1:]}")
        elif outcome.task.table:
            sentences.append(
                f"The whole table (CSV) was {_SUMS}, no entry is negative, and the ratios of neighbouring entries give epsilon = "
                f"{self._table.epsilon!r}, rounded up."
            )
            if not self._table.as_requested:
                sentences.append(f"The table is {self._excess}")
        sentences.append("Draws use integers and the system's entropy, so every probability is exact.")
        return sentences


def _cell(name: str) -> str:
    return name.replace(",", " ").replace("\t", " ")
