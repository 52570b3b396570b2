"""Export of a count design: the answer, its proved tables, exact releases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from dpdesigner.core.basics.loss import LARGEST_DENSE_N
from dpdesigner.core.basics.parsing import parse_integer
from dpdesigner.core.basics.rounding import figure
from dpdesigner.core.count.closed_form import LARGEST_PROGRAM_N
from dpdesigner.core.count.costs import LARGEST_OPTIMAL_N, cost_curves, exact_real_cost, optimal_curve, real_cost
from dpdesigner.core.count.delta_reading import uncovered
from dpdesigner.core.mechanism.mechanism import expected_loss
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.data.mechanism_tables import parse_table
from dpdesigner.errors import InputError, ProofError
from dpdesigner.files.count_proof import (
    printed_note,
    proof_listings,
    proof_sentences,
    released_columns,
    shortened,
    sidecar,
    sidecar_text,
)
from dpdesigner.files.export import NOTHING, Attachment, Export, Listing, Releases, TableFile, cut
from dpdesigner.files.formatting import PROGRAM_ENDINGS, Format, file_name, number
from dpdesigner.files.programs import Program, count_program
from dpdesigner.files.tables import ProvedTable, check_table, decimal_table, fraction_table, printed_table, read_latex, rows_text
from dpdesigner.messages import message, without_markup
from dpdesigner.studies.count.answer import CostTable, CountOverview, LinearProgramCheck, cost_table, linear_program
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.panels import compared_plots, loss_plot
from dpdesigner.studies.count.result import attained
from dpdesigner.studies.count.run import Solved, risks_of, solve
from dpdesigner.studies.findings import Findings, State
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.plain_language import (
    about,
    in_so_many,
    reader_panel,
    remap_runs,
    remap_words,
    several,
)
from dpdesigner.studies.study import Progress, silent

#: Of a prior from a column, wherever it is written.
UNPROTECTED = message(
    "The prior was counted from data without noise: do not publish it or any file that contains it. "
    "The choice of the mechanism reveals something about it, too."
)
LEFT_OUT = message("The prior is left out. The choice of the mechanism still reveals something about it.")
#: What is not computed from the prior.
_BARE = ("epsilon", "alpha", "delta")
#: Up to these n, fractions take well under a second.
LARGEST_QUICK_EXACT_N, LARGEST_QUICK_EXACT_DELTA_N = 120, 24
#: Up to this n a report contains the whole table; it shows this many rows and columns.
LARGEST_REPORTED_N, MOST_SHOWN = 200, 12
#: Up to this n JSON contains every entry of the remap; the runs are always included.
_LARGEST_LISTED_N = 5000


class CountExport(Export):
    """A solved count design.

    Parameters
    ----------
    outcome : CountAnswer
    lp_check : LinearProgramCheck or None
        The linear program's answer where the loss is outside Theorem A; None where it is not needed or n is too large for it.
    done : mapping
        See `Export`.
    """

    @property
    def findings(self) -> Findings:
        """The findings; of a prior that is left out, only the privacy."""
        found = super().findings
        return {key: found[key] for key in _BARE if key in found} if self.bare else found

    @property
    def line(self) -> str:
        """The inputs in one line, or those that the prior does not reveal."""
        design = self.design
        return f"n = {design.n} · {design.loss.title} loss · {design.privacy.description}" if self.bare else super().line

    @property
    def sentence(self) -> str:
        """The cost of the release and of other methods, if these are quick to compute."""
        design = self.design
        if self.bare:
            return " ".join(self.warnings)
        known = self.outcome
        if not (design.n > LARGEST_DENSE_N or math.isinf(design.privacy.epsilon) or design.uncovered):
            known = replace(known, costs=cost_table(design))
        words = without_markup(known.sentences_if(self._if_right)[0])
        return " ".join((words, *self.warnings))

    @property
    def headline(self) -> tuple[str, str]:
        """The expected loss; of unequal costs with what one too low and one too high cost, which is its unit."""
        (label, value), cost = super().headline, self._cost
        return (f"{label}: {cost[:1].lower()}{cost[1:-1]}" if cost and not self.bare else label), value

    @property
    def badge(self) -> tuple[str, State]:
        """The badge in words, and the state of its proof; without the prior, that the table is private."""
        return (message("✓ private"), "proved") if self.bare else super().badge

    formats: ClassVar[Mapping[str, Format]] = {
        "csv": Format(message("CSV with its proof"), message("The table and a JSON file with design, proof and checksum")),
        "tsv": Format(message("TSV"), message("Tab-separated")),
        "json": Format(message("JSON"), message("Design, proof and table in one file")),
        "tex": Format(message("LaTeX"), message("A table for booktabs, proved on its own digits")),
        "curve": Format(message("Curve as CSV"), message("Expected error against ε, optimal and with rounded Laplace noise")),
    }
    programs: ClassVar[bool] = True
    fractions: ClassVar[bool] = True
    leaving: ClassVar[str] = message("Leave out the prior")
    caution: ClassVar[str] = message(
        "JSON files, the proof of a CSV and pictures of the prior hold your exact counts: do not publish them."
    )
    of_data: ClassVar[Sequence[str]] = ("curve",)
    front_checks: ClassVar[int] = 1  # the appendix has the certificate

    outcome: CountOverview

    def __init__(self, outcome: Solved, lp_check: LinearProgramCheck | None = None, done: Mapping[str, Any] = NOTHING) -> None:
        super().__init__(CountOverview.of(outcome, lp_check, _real_answers(outcome)), done)

    @classmethod
    def of(
        cls,
        study: CountDesign,
        *,
        done: Mapping[str, Any] = NOTHING,
        exact: bool | None = False,
        progress: Progress = silent,
    ) -> Self:
        """Solve in closed form, and also by linear programming if Theorem A does not cover the loss and n permits."""
        outcome, lp_check = _solved(study, exact, done), None
        if not study.covered and study.n <= LARGEST_PROGRAM_N and not study.uncovered:
            lp_check = done.get("lp_check") or linear_program(study, progress)
        return cls(outcome, lp_check, done)

    @property
    def design(self) -> CountDesign:
        """The solved design."""
        return self.outcome.design

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Return the findings, and the reading of each output if the closed form is the answer or accompanies it."""
        solved = self.outcome.solved
        which = "of the cells: " if self.design.uncovered else "" if self.outcome.best is solved else "of the closed form: "
        words = f"{which}{remap_words(solved.remap)}"
        return [*super().facts(full), ("remap", words)]

    def details(self) -> dict[str, Any]:
        """Return certificate, remap and linear program; the remap as runs too, and only as runs if n is above 5000."""
        solved, design, best, lp_check = self.outcome.solved, self.design, self.outcome.best, self.outcome.lp_check
        if self.bare:
            return {"warning": " ".join(self.warnings)}
        data: dict[str, Any] = {
            "certificate": {"gap": number(best.gap), "exact": isinstance(best.gap, Fraction), "basis": best.basis},
            "remap_runs": [list(run) for run in remap_runs(solved.remap)],
            "theorem_a": {"covered": design.covered, "reason": design.loss.coverage(design.n).reason},
        }
        if self.warnings:
            data["warning"] = " ".join(self.warnings)
        if not design.uncovered:
            data["closed_form"] = {"value": float(solved.value), "gap": number(solved.gap)}
        if design.n <= _LARGEST_LISTED_N:
            data["remap"] = solved.remap.tolist()
        if lp_check is not None:
            data["linear_program"] = _program_data(lp_check)
        return data

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warn that nothing protects a prior from data."""
        taken = (f"{note}." for note in self.design.prior.notes if note.startswith("n ="))
        return (*([LEFT_OUT if self.bare else UNPROTECTED] if self.counts_data(self.design) else ()), *taken)

    def inputs(self) -> dict[str, Any]:
        """Return the inputs as JSON values."""
        left = ("prior", "prior_source") if self.bare else ()
        return {key: value for key, value in super().inputs().items() if key not in left}

    @classmethod
    def counts_data(cls, study: CountDesign) -> bool:
        """Return whether the prior is from a column."""
        return bool(study.prior.origin)

    def stated(self) -> list[tuple[str, str]]:
        """Return what to publish, how often it is nearly right, and the disclosure risk, as the page shows it."""
        level = attained(self.outcome.best)
        if self.design.uncovered:
            found, won = (figure(100 * float(part), 3) for part in risks_of(self.design)[:2])
        else:
            won, found = (str(row.text) for row in reader_panel(level).rows)
        words = f"If rows are independent, an attacker wins at most {won} of 100 bets at 50 : 50 on one row."
        more = f" {several(level, self.design.uncovered)}" if 0 < level.alpha_below < 1 else ""
        rate = f"With 1 false alarm in 100, at most {found} of 100 people are found out."
        return [
            *super().stated(),
            *([] if self.bare else [("Belief", self._believed)]),
            *([("Cost of an error", self._cost)] if self._cost else []),
            *self._published(),
            ("Disclosure risk", f"ε protects each person who has one row. {words} {rate}{more}"),
        ]

    @property
    def _cost(self) -> str:
        low = self.design.loss.parameter or Fraction(0)
        words = f"One too low costs {figure(low, 4)}, one too high {figure(1 - low, 4)}."
        return words if self.design.loss.name == "pinball" else ""

    @property
    def _if_right(self) -> str:
        """The belief in a condition, as the design has it: a report is read by others than the one whose belief it is."""
        if self.design.prior.title == "uniform":
            return f"if all counts from 0 to {self.design.n} are equally likely"
        return f"if {self._believed[:1].lower()}{self._believed[1:-1]}"

    @property
    def _believed(self) -> str:
        """The prior in words: its mean, and its name or its source."""
        prior, n = self.design.prior, self.design.n
        if prior.title == "uniform":
            return f"All counts from 0 to {n} are taken to be equally likely."
        mean = about(prior.mean)
        title = {"drawn": "as drawn", "poisson": "Poisson"}.get(prior.title, prior.title.replace("-", " "))
        return f"About {mean} are expected ({f'counted from {title}' if prior.origin else title})."

    def _published(self) -> list[tuple[str, str]]:
        """Return the remap in words, with the counts that it never reaches, and how often a release is within 1."""
        solved, n, said = self.outcome.solved, self.design.n, []
        if self.bare or self.outcome.best is not solved or self.design.uncovered:
            return []
        low, high = int(solved.remap.min()), int(solved.remap.max())
        words = (
            f"Output of the geometric mechanism (noise kept within 0 to {n}), read as follows: {remap_words(solved.remap, 0)}."
        )
        if 0 < self.design.privacy.alpha_below < 1:  # otherwise there is no program
            words += " Draw it once, with the Python program that the export writes."
        ends = " or ".join((*([f"below {low}"] if low else ()), *([f"above {high}"] if high < n else ())))
        said.append(("What to publish", f"{words} Nothing {ends} is ever published." if ends else words))
        if 2 < n <= LARGEST_REPORTED_N:
            close = (np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1))) <= 1).astype(float)
            part = in_so_many(expected_loss(self.design.prior.probabilities, close, self.outcome.mechanism.matrix))
            said.append(("Accuracy", f"Within ±1 of the true count with probability about {part} {self._if_right}."))
        return said

    @cached_property
    def _tables(self) -> tuple[ProvedTable, ProvedTable] | None:
        """The table for print and the whole one, each proved; None if they have too many entries for a report."""
        if self.design.n > LARGEST_REPORTED_N:
            return None
        return printed_table(self.outcome.mechanism), decimal_table(self.outcome.mechanism)

    def proof(self) -> list[str]:
        """Return the facts verified on the tables, the certificate, the theorem and the linear program check."""
        return proof_sentences(self.outcome, self._tables, self.bare)

    def listings(self) -> list[Listing]:
        """Return the mechanism and the prices of the certificate, cut to a sensible size."""
        prices = [] if self.bare else proof_listings(self.outcome)
        if self._tables is None:
            return prices
        printed, proved = self._tables
        whole = Attachment(f"{file_name(self.title)}.csv", proved.csv)
        columns, n = released_columns(printed, MOST_SHOWN), self.design.n
        header = ("true \\ released", *map(str, columns))
        rows = tuple((str(i), *(shortened(row[r]) for r in columns)) for i, row in enumerate(printed.texts))
        note = f"{'Results that are never released are omitted. ' if len(columns) <= n else ''}{printed_note(printed)}"
        mechanism = Listing("The mechanism: probability of each release", header, rows, note, whole)
        where = "dpdesigner export FILE.dpd --to DIR writes the whole table with its proof, up to n = 2000."
        return [cut(mechanism, MOST_SHOWN, where), *prices]

    def panels(self) -> list[Any]:
        """Return the mechanism, unless it is too large to be written out, the prior and the remap."""
        plots = () if self.bare else compared_plots(self.outcome)
        if self.design.n > LARGEST_DENSE_N:
            return [*plots]
        cells = dense_cells(self.outcome.mechanism.matrix)
        return [Matrix("mechanism", message("The mechanism"), cells, message("true result"), message("released result")), *plots]

    def computed(self) -> dict[str, Any]:
        """Return the solution and the linear program check, so that pictures do not compute them again."""
        closed_form = self.outcome.solved
        solved = {"exact": closed_form} if closed_form.exact else {"solve": closed_form, "exact": None}
        return {**self.done, **solved, "lp_check": self.outcome.lp_check or self.done.get("lp_check")}

    @classmethod
    def side(cls, study: CountDesign) -> int:
        """Return n + 1."""
        return study.n + 1

    def judged(self, matrix: NDArray[np.float64]) -> tuple[float, float]:
        """Return the expected loss of a table, and its largest possible excess over the optimum, rounded up."""
        design, n, known = self.design, self.design.n, (self.outcome.solved, self.outcome.lp_check)
        loss = design.loss.matrix(n)
        value = expected_loss(design.prior.probabilities, loss, matrix)
        bounds = [Fraction(verdict.value) - Fraction(verdict.gap) for verdict in known if verdict is not None]
        rounding = (n + 4) * 2.0**-52 * expected_loss(design.prior.probabilities, np.abs(loss), np.abs(matrix))
        return value, math.nextafter(float(max(Fraction(value) - max(bounds), Fraction(0))) + rounding, math.inf)

    def check(self, formats: Sequence[str], fractions: bool = False) -> None:
        """Refuse output that cannot be written: a table that is too large, or fractions of an irrational alpha."""
        super().check(formats, fractions)
        if "curve" in formats and self.bare:
            raise InputError("the curve of the error is computed from the prior, which is to be left out.", "format")
        if "curve" in formats and self.design.uncovered:
            raise InputError("the curve of the error against epsilon is available only for designs without delta.", "format")
        if set(formats) - set(PROGRAM_ENDINGS) - {"curve"}:
            check_table(self.outcome.mechanism, fractions)

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Make the tables, each with its proof; after a CSV file comes the sidecar that vouches for it."""
        wanted, mechanism = set(formats), self.outcome.mechanism
        if wanted & {"csv", "tsv", "json"}:
            table = fraction_table(mechanism) if fractions else decimal_table(mechanism)
            if "csv" in wanted:
                yield self._vouched(f"{name}.csv", table.csv, table)
            if "tsv" in wanted:
                yield self._vouched(f"{name}.tsv", table.tsv, table)
            if wanted & {"csv", "json"}:
                facts, beside = self.data(), sidecar(self.outcome, table, f"{name}.csv" if "csv" in wanted else None)
                facts["details"] = {**facts["details"], **({"proof": beside["proof"]} if self.bare else beside)}
                yield self._vouched(f"{name}.json", sidecar_text(facts, table, "json" in wanted), table)
        if "tex" in wanted:
            printed = printed_table(mechanism)
            yield self._vouched(f"{name}.tex", printed.latex, printed)
        if "curve" in wanted:
            yield TableFile(f"{name}-error-against-epsilon.csv", self._curve())

    @classmethod
    def verify_again(cls, study: CountDesign, name: str, text: str) -> None:
        """Check the table on its text."""
        ending = name.rpartition(".")[2]
        if ending not in ("csv", "tsv", "tex") or "-error-against-epsilon." in name:
            return
        rows = read_latex(text) if ending == "tex" else parse_table(text, name)
        found = verify_table(rows)
        if study.uncovered:
            private = found.stochastic and uncovered(rows, 1 / study.privacy.alpha_above).delta <= study.uncovered
        else:
            private = found.satisfies(study.privacy)
        if not private:
            raise ProofError(f"{name} is not written: its text is not a mechanism with the requested privacy.")

    def _curve(self) -> str:
        """Return the curve of error against epsilon, as the page draws it."""
        design, done = self.design, self.done
        optimum = None
        if not design.covered and design.n <= LARGEST_OPTIMAL_N:
            optimum = done.get("optimum") or optimal_curve(design)
        known = replace(self.outcome, curves=done.get("curves") or cost_curves(design), optimum=optimum)
        return rows_text(loss_plot(known).as_table().as_rows(), "csv")

    def made_program(self, language: str, head: str) -> Program:
        """Return a program that releases the count; see `dpdesigner.files.programs.count_program`."""
        return count_program(language, self.outcome.mechanism, head)

    def _vouched(self, name: str, text: str, table: ProvedTable) -> TableFile:
        """Return a file with the facts proved about the table that it contains or vouches for."""
        method = self.outcome.best.method
        outside = "" if self.design.covered else f"; Theorem A does not cover the loss, so this is the result of the {method}"
        words = f"proved on its text: every row sums to exactly 1 and {table.level}{outside}"
        delta = {"delta": number(table.delta)} if table.delta else {}
        words = ". ".join((words, *(each.removesuffix(".") for each in self.warnings if name.endswith(".json"))))
        return TableFile(name, text, words, {"epsilon": number(table.epsilon), **delta})

    @property
    def true_results(self) -> int:
        """The counts 0 to n."""
        return self.design.n + 1

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Release a true result exactly, from the operating system's entropy."""
        if count is None:
            raise InputError(f"the true result must be given with --count, a whole number from 0 to {self.design.n}.", "count")
        true_result = parse_integer(count, "the count", 0, self.design.n)
        return Releases(tuple(self.outcome.mechanism.draw(true_result) for _ in range(draws)))


def _solved(design: CountDesign, exact: bool | None, done: Mapping[str, Any]) -> Solved:
    """Solve in fractions if requested; with None, only if alpha and loss are rational and n is small."""
    largest = LARGEST_QUICK_EXACT_DELTA_N if design.uncovered else LARGEST_QUICK_EXACT_N
    quick = design.n <= largest and design.privacy.exact_alpha is not None and design.covered
    irrational = "exact" in done and done["exact"] is None  # the loss: the page has already tried
    if exact or (exact is None and quick and not irrational):
        try:
            return done.get("exact") or solve(design, exact=True)
        except InputError:
            if exact:
                raise  # otherwise the loss is irrational
    return done.get("solve") or solve(design)


def _real_answers(outcome: Solved) -> CostTable | None:
    """Return the least expected loss with real-valued releases, rounded up; None if it is unknown or no smaller."""
    design = outcome.design
    if design.n > _LARGEST_LISTED_N or design.uncovered:
        return None
    cost: float | Fraction | None = exact_real_cost(design) if outcome.exact else None
    cost = real_cost(design) if cost is None else cost
    return None if cost is None else CostTable(design, (("real", cost),))


def _program_data(lp_check: LinearProgramCheck) -> dict[str, Any]:
    return {
        "value": lp_check.value,
        "gap": number(lp_check.gap),
        "epsilon": number(lp_check.epsilon),
        "repair_cost": lp_check.repair_cost,
        "iterations": lp_check.iterations,
    }
