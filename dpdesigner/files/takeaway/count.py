"""What can be taken away from a count design: the answer, its proved tables, exact releases."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from typing_extensions import Self

from dpdesigner.core.compare.real_answers import best_answers
from dpdesigner.core.numbers.given import exact_text, whole
from dpdesigner.errors import InputError
from dpdesigner.files.tables.formats import FORMATS
from dpdesigner.files.tables.table import ProvedTable, check_table, decimal_table, printed_table
from dpdesigner.files.takeaway.count_proof import printed_note, proof_listings, proof_sentences, released_columns, shortened
from dpdesigner.files.takeaway.export import export_tables, file_name, number
from dpdesigner.files.takeaway.takeaway import Attachment, Listing, Releases, Takeaway, Written, cut
from dpdesigner.files.takeaway.words import remap_runs, remap_words
from dpdesigner.studies.count.answer import CountAnswer
from dpdesigner.studies.count.costs import CostTable, exact_real_cost, real_cost
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.count.witness import LARGEST_N as LARGEST_PROGRAM_N
from dpdesigner.studies.count.witness import Witness, linear_program
from dpdesigner.studies.findings import as_json
from dpdesigner.studies.study import Progress, silent

#: Up to here fractions take well under a second.
LARGEST_QUICK_EXACT_N = 120
#: A report holds the whole table up to here, and shows so many rows and columns of it.
LARGEST_REPORTED_N, MOST_SHOWN = 200, 12
#: JSON holds every reading of the remap up to here, and its runs at every size.
_LARGEST_LISTED_N = 5000


class CountTakeaway(Takeaway):
    """A solved count design.

    Parameters
    ----------
    outcome : CountOutcome
    witness : Witness or None
        The linear program's answer where the loss is outside Theorem A; None where it is not needed or n is too large for it.
    """

    formats: ClassVar[tuple[str, ...]] = FORMATS

    def __init__(self, outcome: CountOutcome, witness: Witness | None = None) -> None:
        costs = _real_answers(outcome)
        super().__init__(CountAnswer.of(outcome, witness, costs))
        self.outcome: CountAnswer = self.outcome

    @classmethod
    def of(cls, study: CountDesign, *, exact: bool | None = False, progress: Progress = silent) -> Self:
        """Solve in closed form, and by linear programming too where the loss is outside Theorem A and n permits."""
        outcome = _solved(study, exact)
        needed = not study.covered and study.n <= LARGEST_PROGRAM_N
        return cls(outcome, linear_program(study, progress) if needed else None)

    @property
    def design(self) -> CountDesign:
        """The design solved."""
        return self.outcome.design

    def facts(self) -> list[tuple[str, str]]:
        """Return the findings, and how each output is read where the closed form is the answer or stands beside it."""
        solved = self.outcome.solved
        words = f"{'' if self.outcome.best is solved else 'of the closed form: '}{remap_words(solved.remap)}"
        return [*super().facts(), ("remap", words)]

    def data(self) -> dict[str, Any]:
        """Return design, value, privacy, certificate and remap; the remap as runs too, and only so where n is above 5000."""
        solved, design, best, witness = self.outcome.solved, self.design, self.outcome.best, self.outcome.witness
        findings = self.outcome.findings
        data: dict[str, Any] = {
            "design": design.to_json(),
            "alpha": as_json(findings["alpha"]),
            "epsilon": as_json(findings["epsilon"]),
            "value": float(best.value),
            "certificate": {"gap": number(best.gap), "exact": isinstance(best.gap, Fraction), "basis": best.basis},
            "remap_runs": [list(run) for run in remap_runs(solved.remap)],
            "method": best.method,
            "theorem_a": {"covered": design.covered, "reason": design.loss.coverage(design.n).reason},
            "closed_form": {"value": float(solved.value), "gap": number(solved.gap)},
        }
        if "real" in findings:
            data["any_real_number"] = _number_data(findings["real"].value)
        if design.n <= _LARGEST_LISTED_N:
            data["remap"] = solved.remap.tolist()
        if isinstance(best.value, Fraction):
            data["value_exact"] = exact_text(best.value)
        if witness is not None:
            data["linear_program"] = _program_data(witness)
        return {**data, **self._findings()}

    @cached_property
    def _tables(self) -> tuple[ProvedTable, ProvedTable] | None:
        """The table for print and the whole one, each proved; None where there would be too many entries for a report."""
        if self.design.n > LARGEST_REPORTED_N:
            return None
        return printed_table(self.outcome.mechanism), decimal_table(self.outcome.mechanism)

    def proof(self) -> list[str]:
        """Return what was verified on the tables, the certificate, the theorem and the witness."""
        return proof_sentences(self.outcome, self._tables)

    def listings(self) -> list[Listing]:
        """Return the mechanism and the prices of the certificate, cut to a sensible size."""
        prices = proof_listings(self.outcome)
        if self._tables is None:
            return prices
        printed, proved = self._tables
        whole = Attachment(f"{file_name(self.title)}.csv", proved.csv)
        columns, n = released_columns(printed, MOST_SHOWN), self.design.n
        header = ("true \\ released", *map(str, columns))
        rows = tuple((str(i), *(shortened(row[r]) for r in columns)) for i, row in enumerate(printed.texts))
        note = f"{'Results that are never released are left out. ' if len(columns) <= n else ''}{printed_note(printed)}"
        mechanism = Listing("The mechanism: how likely each release is", header, rows, note, whole)
        where = "dpdesigner export FILE.dpd --to DIR writes the whole table with its proof, up to n = 2000."
        return [cut(mechanism, MOST_SHOWN, where), *prices]

    def computed(self) -> dict[str, Any]:
        """Return the solution and the witness; neither is computed again for a picture."""
        found = self.outcome.solved
        solved = {"exact": found} if found.exact else {"solve": found, "exact": None}
        return {**solved, "witness": self.outcome.witness}

    def check(self, formats: Sequence[str], fractions: bool = False) -> None:
        """Refuse what cannot be written: a table that is too large, or fractions of an irrational alpha."""
        super().check(formats, fractions)
        if formats:
            check_table(self.outcome.mechanism, fractions)

    def write(self, folder: str | Path, name: str, formats: Sequence[str], fractions: bool = False) -> list[Written]:
        """Write the mechanism and its proof; see `export_tables`."""
        found = []
        solved, witness, method = self.outcome.solved, self.outcome.witness, self.outcome.best.method
        outside = "" if self.design.covered else f"; the loss is outside Theorem A, so this is what the {method} gives"
        for item in export_tables(solved, folder, name, formats, witness=witness, fractions=fractions):
            epsilon = item.table.epsilon
            said = f"proved on its text, every row sums to exactly 1 and epsilon is at most {epsilon!r}{outside}"
            found.append(Written(item.path, said, {"epsilon": number(epsilon)}))
        return found

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Release a true result exactly, from the operating system's entropy."""
        if count is None:
            raise InputError(f"the true result must be given with --count, a whole number from 0 to {self.design.n}.", "count")
        true_result = whole(count, "the count", 0, self.design.n)
        return Releases(tuple(self.outcome.mechanism.draw(true_result) for _ in range(draws)))


def _solved(design: CountDesign, exact: bool | None) -> CountOutcome:
    """In fractions where asked; with None, where alpha and loss are rational and n is small."""
    if exact is None and design.n <= LARGEST_QUICK_EXACT_N and design.privacy.exact_alpha is not None and design.covered:
        try:
            return solve(design, exact=True)
        except InputError:
            pass  # an irrational loss
    return solve(design, exact=bool(exact))


def _real_answers(outcome: CountOutcome) -> CostTable | None:
    """The least expected loss where any real number may be released, rounded up; None where it is not known or no less."""
    design = outcome.design
    if design.n > _LARGEST_LISTED_N or best_answers(design.loss) == "whole":
        return None
    found: float | Fraction | None = exact_real_cost(design) if outcome.exact else None
    found = real_cost(design) if found is None else found
    return None if found is None else CostTable(design, (("real", found),))


def _number_data(value: Any) -> dict[str, Any]:
    return {"value": float(value), **({"value_exact": exact_text(value)} if isinstance(value, Fraction) else {})}


def _program_data(witness: Witness) -> dict[str, Any]:
    return {
        "value": witness.value,
        "gap": number(witness.gap),
        "epsilon": number(witness.epsilon),
        "repair_cost": witness.repair_cost,
        "iterations": witness.iterations,
    }
