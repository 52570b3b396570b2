"""Export of noise: the answer, its curves, and exact noise for whole numbers; for a histogram, never its true counts."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.basics.parsing import double, is_number
from dpdesigner.core.basics.rounding import brief, figure, grouped
from dpdesigner.core.noise.best_noise import shares_of
from dpdesigner.core.noise.curves import Curves
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.noise_cost import PowerCost
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.data.options import categories_text
from dpdesigner.errors import InputError
from dpdesigner.files.atomic import json_text
from dpdesigner.files.export import Attachment, Export, Listing, Releases, TableFile, cut, refuse_count, released
from dpdesigner.files.formatting import TABLE_FORMATS, Format, epsilon_words, file_name, finite, level_words, rounded
from dpdesigner.files.programs import Program, histogram_program, noise_program
from dpdesigner.files.tables import rows_text
from dpdesigner.messages import without_markup
from dpdesigner.studies.findings import Finding, Form, describe_finding, public, several
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_answer import HistogramAnswer, statement
from dpdesigner.studies.noise.histogram_counts import read_truth, release_counts
from dpdesigner.studies.noise.histogram_design import Released
from dpdesigner.studies.noise.histogram_run import verdict
from dpdesigner.studies.noise.plots import density, epsilon_plots
from dpdesigner.studies.snapshot import Found

_ROUNDED = "Rounded for print; the table as CSV has all digits."


Table = list[list[str]]


def curve_tables(outcome: NoiseAnswer) -> dict[str, Table]:
    """Return the curves by name, the header first; an empty entry is a number that does not exist or is infinite."""
    drawn: dict[str, Curves | None] = {
        "density" if outcome.split is None else "probabilities": outcome.density,
        "distribution": outcome.distribution,
        "cost-against-epsilon": outcome.by_epsilon,
        "cost-against-gamma": outcome.by_gamma,
        "cost-with-delta": outcome.by_epsilon_with_delta,
        "cost-against-answers": outcome.by_dimension if outcome.design.dimension > 1 else None,
    }
    return {key: table(curves.columns()) for key, curves in drawn.items() if curves is not None}


def choice_rows(texts: Sequence[Sequence[str]]) -> Table:
    """Return the probabilities of a choice as a table, with one row for each state of the data."""
    return [["data\\output", *map(str, range(len(texts[0])))], *([str(row), *values] for row, values in enumerate(texts))]


def table(columns: Mapping[str, NDArray[Any]]) -> Table:
    """Return columns as a table with a header of their names."""
    arrays = [values.tolist() for values in columns.values()]
    return [list(columns), *([_text(value) for value in row] for row in zip(*arrays, strict=True))]


def text(rows: Table, wanted: str = "csv") -> str:
    """Return a table as file text in any format but JSON; LaTeX has eight digits."""
    if wanted == "tex":
        header, *body = rows
        rows = [[name.replace("_", " ") for name in header], *([short(cell).replace("–", "--") for cell in row] for row in body)]
    return rows_text(rows, wanted, _ROUNDED)


def short(cell: str) -> str:
    """Return a number with eight digits, a dash for an empty cell, and any other text unchanged."""
    if ("." not in cell and "e" not in cell) or not is_number(cell):
        return cell or "–"
    return f"{float(cell) or Decimal(cell).normalize():.8g}"


def _text(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return repr(value) if abs(value) < float("inf") else ""


#: Digits written for power costs, which are correct to more, and for typed costs, which are less accurate.
_DIGITS, _TYPED_DIGITS = 12, 9
_SHIFTS = 40
_MOST_SHOWN = 13  # an odd number shows the middle of a symmetric table
_NOISE_ROUNDED = "rounded for print"
_WHERE = "dpdesigner export FILE.dpd --to DIR writes the whole table."
#: Rounding to doubles may make noise exceed the privacy level by this much.
_ROUNDING = 1e-9

_WITH_DELTA = {"truncated-laplace": "truncated Laplace", "gaussian": "Gaussian", "uniform": "uniform, epsilon = 0"}
_TITLES = {
    "joint-density": "Joint density of the noise at points with 1-norm |x|",
    "density": "Density of the noise",
    "probabilities": "Probabilities",
    "distribution": "Distribution function, P(noise ≤ x)",
    "cost-against-epsilon": "Expected cost against epsilon",
    "cost-against-gamma": "Expected cost against gamma",
    "cost-with-delta": "Expected cost where delta is allowed",
    "cost-against-answers": "Expected cost against the number of answers d",
}


class TablesExport(Export):
    """Base class of exports whose tables were computed in double precision."""

    formats: ClassVar[Mapping[str, Format]] = TABLE_FORMATS

    @property
    def tables(self) -> dict[str, Table]:
        """The tables by name, each with its header first."""
        raise NotImplementedError

    def table_title(self, key: str) -> str:
        """Return the title of a table in a report."""
        raise NotImplementedError

    def listings(self) -> list[Listing]:
        """Return every table, cut to a sensible size."""
        listings = []
        for key, (header, *rows) in self.tables.items():
            whole = Attachment(f"{file_name(self.title)}-{key}.csv", text([header, *rows]))
            shown = _thinned(rows)
            note = "" if len(shown) == len(rows) else f"Shown: {len(shown)} of {len(rows)} rows, evenly spaced. {_WHERE}"
            if header[-2:] == ["staircase", "laplace"] and all(row[-1] == row[-2] for row in rows):
                header, shown = header[:-1], [row[:-1] for row in shown]
                note = f"Laplace noise in whole numbers is the same noise and not listed. {note}".rstrip()
            cells = tuple(tuple(map(short, row)) for row in shown)
            names = tuple(name.replace("_", " ") for name in header)
            listings.append(cut(Listing(self.table_title(key), names, cells, note, whole), 2 * _MOST_SHOWN, _WHERE))
        return listings

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Yield every table, with all digits or rounded for LaTeX; JSON has one file with the answer and all tables."""
        for wanted in formats:
            if wanted == "json":
                yield self._checked(f"{name}.json", json_text({**self.data(), "tables": self.tables}))
                continue
            for key, rows in self.tables.items():
                written, file = text(rows, wanted), f"{name}-{key}.{wanted}"
                yield TableFile(file, written, _NOISE_ROUNDED) if wanted == "tex" else self._checked(file, written)

    def _checked(self, name: str, text: str) -> TableFile:
        """Return a file with all digits and the result of its check."""
        return TableFile(name, text)


class NoiseExport(TablesExport):
    """Export of a solved noise design."""

    programs: ClassVar[bool] = True
    added: ClassVar[bool] = True

    outcome: NoiseAnswer

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The curves."""
        return curve_tables(self.outcome)

    @property
    def line(self) -> str:
        """``real query, sensitivity 1, absolute error, epsilon = 1, alpha = 0.367879``."""
        design = self.outcome.design
        query = f"{design.query} query" if design.dimension == 1 else f"{design.dimension} real answers"
        query += "" if design.step is None else f" in steps of {several(str(design.step), design.unit)}"
        parts = [query, f"sensitivity {design.sensitivity}", design.cost_title, level_words(design.privacy)]
        return ", ".join(parts if design.delta is None else [*parts, f"compared with delta = {design.delta}"])

    def details(self) -> dict[str, Any]:
        """Return the widths of noises with delta, the shares of several answers, and the optimality argument."""
        outcome = self.outcome
        facts: dict[str, Any] = {"reason": outcome.reason}
        if outcome.alternatives:
            facts["widths"] = {other.key: finite(other.width) for other in outcome.alternatives}
        if shares := _shares(outcome.design, partial(rounded, digits=_TYPED_DIGITS)):
            facts["shares"] = dict(shares)
        return facts

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Return the findings, with all correct digits if in full, and the share of each of several answers."""
        plain = partial(rounded, digits=_TYPED_DIGITS) if full else partial(brief, digits=6)
        digits = _DIGITS if isinstance(self.outcome.design.noise_cost, PowerCost) else _TYPED_DIGITS
        shown = public(self.outcome.findings)
        if full:
            shown = {key: _with_digits(finding, digits) for key, finding in shown.items()}
        form: Form = "full" if full else "line"
        facts = [(finding.label, describe_finding(finding, form)) for finding in shown.values()]
        return [*facts, *_shares(self.outcome.design, plain)]

    def table_title(self, key: str) -> str:
        """Return the title of a table in a report."""
        return _TITLES["joint-density" if key == "density" and self.outcome.design.dimension > 1 else key]

    def proof(self) -> list[str]:
        """Return how far the privacy was checked, and why the noise is the best."""
        outcome = self.outcome
        basis = outcome.design.basis
        sentences = [*([f"Sensitivity: {basis}"] if basis else []), str(outcome.design.rounding), privacy_sentence(outcome)]
        sentences = [sentence for sentence in sentences if sentence]
        if outcome.proved and outcome.design.dimension == 2:
            sentences.append(
                "Theorem used: Geng and Viswanath (2013, multidimensional setting), for two answers and the sum of their "
                "absolute errors."
            )
        elif outcome.proved:
            pure = "" if outcome.design.delta is None else " with delta = 0"
            sentences.append(
                f"Theorem used: Geng and Viswanath (2012), the staircase is optimal{pure} for every even, increasing cost "
                f"with bounded L(T + 1) / L(T). Its condition: {outcome.reason}"
            )
        else:
            sentences.append(f"This noise is not proved to be optimal: {outcome.reason}")
        if outcome.alternatives:
            sentences.append("The noises with delta are private by construction; this was not checked numerically here.")
        if outcome.design.weights:
            sentences.append(
                "Several answers share epsilon. Their parts sum to it exactly, or to slightly less if it is "
                "irrational. Cost, gamma, tables and the privacy check are for one answer with all of epsilon."
            )
        sentences.append("Costs are computed in double precision from closed forms, series or quadrature, without a certificate.")
        return sentences

    def made_program(self, language: str, head: str) -> Program:
        """Return a program that draws the noise; see `dpdesigner.files.programs.noise_program`."""
        return noise_program(language, self.outcome, head)

    def panels(self) -> list[Any]:
        """Return the density and the costs against epsilon."""
        shown = density(self.outcome, double(self.outcome.design.sensitivity))
        key = "density" if self.outcome.split is None else "probabilities"
        shown_alone = {key: shown[0], "cost-against-epsilon": epsilon_plots(self.outcome)[0]}
        return [replace(plot, key=key, title=_TITLES.get(key, "")) for key, plot in shown_alone.items()]

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw noise, exactly for an integer query and for simulation only for a real one; add the true answer, if given."""
        refuse_count(count, "a noise design draws noise to add to the true answer")
        if self.outcome.split is not None:
            return Releases([each if isinstance(each, int) else float(each) for each in self.outcome.draws(draws)])
        drawn = self.outcome.simulate(draws, secrets.randbits(63)).tolist()
        warning = (
            "for simulation only, by numpy's generator, seeded from the system's entropy. Floating-point noise does "
            "not protect real data, because the set of possible numbers depends on the true answer; use an integer "
            "query or a step for that."
        )
        return Releases(drawn, warning, exact=False)


def _with_digits(finding: Finding, digits: int) -> Finding:
    value = finding.value
    return replace(finding, value=float(f"{value:.{digits}g}")) if isinstance(value, float) and math.isfinite(value) else finding


def _shares(design: NoiseDesign, plain: Callable[[float], str]) -> list[tuple[str, str]]:
    """The share of the budget of each of several answers, or the reason why it cannot be split."""
    if not design.weights:
        return []
    try:
        shares = shares_of(design.noise_query, design.privacy, design.weights)
    except InputError as error:
        return [("several answers", str(error))]
    return [
        (f"answer {k} alone", f"epsilon {share.epsilon}, expected cost {plain(share.cost)}") for k, share in enumerate(shares, 1)
    ]


def privacy_sentence(outcome: NoiseAnswer) -> str:
    """Describe the check on the noise: how much likelier an output becomes if the answer moves by up to the sensitivity."""
    noise, epsilon = outcome.noise, outcome.design.epsilon
    if isinstance(noise, DiscreteStaircase):
        masses = np.asarray(outcome.density.staircase)
        logs = np.log(masses[masses > 0])
        shifts = range(1, min(noise.sensitivity, len(logs) - 1) + 1)
        largest, places = max(float(np.abs(logs[d:] - logs[:-d]).max()) for d in shifts), f"{len(logs)} whole numbers"
        what = f"all shifts up to the sensitivity, {noise.sensitivity}"
        if outcome.design.kind == "noise" and outcome.design.step is not None:
            places, what = f"{len(logs)} multiples of the step", f"{what} steps"
    elif isinstance(noise, Staircase):
        x = np.asarray(outcome.density.x)
        middles = (x[1:] + x[:-1]) / 2
        shifts_real = outcome.design.period * np.arange(1, _SHIFTS + 1) / _SHIFTS
        largest = max(float(np.abs(noise.log_ratio(middles, shift)).max()) for shift in shifts_real)
        places, what = f"{len(middles)} values of the noise", f"{_SHIFTS} shifts up to the sensitivity"
    else:
        return "The privacy of noise for several answers follows from its construction; it was not checked numerically here."
    verdict = "within epsilon" if largest <= epsilon * (1 + _ROUNDING) + _ROUNDING else "ABOVE EPSILON"
    return (
        f"Privacy was checked numerically, in double precision: at {places} and for {what}, the log-likelihood ratio "
        f"is at most {largest:.10g}, {verdict} = {epsilon:.10g}, both to ten digits."
    )


def _thinned(rows: Sequence[list[str]]) -> list[list[str]]:
    """Return evenly spaced rows, including the first and the last."""
    if len(rows) <= 2 * _MOST_SHOWN:
        return list(rows)
    chosen = np.linspace(0, len(rows) - 1, _MOST_SHOWN).round().astype(int)
    return [rows[k] for k in chosen.tolist()]


_HISTOGRAM_TITLES = {
    "released": "Released counts",
    "cell-probabilities": "Probabilities of the noise of one cell",
    "cell-distribution": "Distribution function of the noise of one cell",
    "cell-cost-against-epsilon": "Expected cost of one cell against its epsilon",
    "cell-cost-against-gamma": "Expected cost of one cell against gamma",
}


class HistogramExport(TablesExport):
    """Export of a histogram released with exact integer noise; never contains the true counts."""

    left_out: ClassVar[str] = "the true counts and the path of the data"
    programs: ClassVar[bool] = True
    reported: ClassVar[tuple[str, ...]] = ("release", "given")

    outcome: HistogramAnswer

    @classmethod
    def proposed_name(cls, study: Any) -> str:
        """Return the title; without a name, the file and the column of own data: ``employees age``."""
        own = study.path and not study.path.startswith(EXAMPLE) and not study.name
        return f"{Path(study.path).stem} {study.column}" if own else super().proposed_name(study)

    @property
    def line(self) -> str:
        """``histogram of 11 cells, add-remove neighbours, epsilon = 1``."""
        outcome = self.outcome
        return (
            f"histogram of {outcome.cells} cells, {outcome.design.neighbours} neighbours, {epsilon_words(outcome.design.privacy)}"
        )

    @property
    def sentence(self) -> str:
        """The error bound of the page's release and how many counts exceed it, as in the window; else the expected error."""
        own, found = super().sentence, self._found
        if found is None:
            return without_markup((verdict(self.outcome, None) or (own,))[0])
        words = f"{self._size}{without_markup(verdict(found.answer, None, found)[0])}"
        if not self._earlier:
            return words
        before, now = (epsilon_words(design.privacy) for design in (found.design, self.outcome.design))
        return f"Released earlier at {before}. {words} A new release at {now}: {own}"

    @property
    def _size(self) -> str:
        """The sum of the released counts, and the column by which rows are counted."""
        made = self._released
        many, what = (0 if made is None else int(made.release.released.sum())), self.outcome.design.column
        rows = self.outcome.design.rows
        return f"About {grouped(many)} {rows}{f' by {what}' if what else ''}. " if many > 0 else ""

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks, with the ε of one row and of a person with several."""
        told, epsilon = super().checks, self.outcome.attained.epsilon_above
        several = f"✓ private: ε = {figure(epsilon, 6)} for one row; {figure(5 * epsilon, 6)} for a person with 5 rows"
        return (several, *told[1:]) if told and told[0].startswith("✓ private") else told

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The page's release, if there is one; otherwise the noise curves of one cell."""
        if self._released is not None:
            return {"released": table(self._released.columns())}
        return {f"cell-{key}": rows for key, rows in curve_tables(self.outcome.cell).items()}

    @property
    def _found(self) -> Found | None:
        """The page's release: of this design, or in a report an earlier one, with the answer that it was made from."""
        shown = self.done.get("given")
        kept: Found | None = None if shown is None else shown.made
        found = kept or self.done.get("release")
        if found is not None and found.value.releases(self.outcome.design):
            return Found(self.outcome, found.value)
        return kept

    @property
    def _released(self) -> Released | None:
        found = self._found
        return None if found is None else cast("Released", found.value)

    @property
    def _earlier(self) -> bool:
        """True if the release is of an earlier design."""
        found = self._found
        return found is not None and found.answer is not self.outcome

    @property
    def _released_at(self) -> str:
        """``Released counts``; those of an earlier design have its level."""
        title, found = _HISTOGRAM_TITLES["released"], self._found
        if found is None or not self._earlier:
            return title
        return f"{title}, released earlier at {epsilon_words(found.design.privacy)}"

    def check(self, formats: Sequence[str], fractions: bool = False) -> None:
        """Refuse to export tables of data that are shown but not yet released."""
        super().check(formats, fractions)
        if formats and self._released is None and "truth" in self.done:
            raise InputError("release the histogram first; its true counts are never exported.", "file")

    def table_title(self, key: str) -> str:
        """Return the title of a table in a report."""
        return self._released_at if key == "released" else _HISTOGRAM_TITLES[key]

    def stated(self) -> list[tuple[str, str]]:
        """Return the privacy statement of the released counts, as the page copies it."""
        if self._released is None:
            return super().stated()
        shown = self.done.get("given")
        words = " ".join(statement(self.outcome)) if shown is None else shown.statement()
        return [*super().stated(), ("Privacy statement", words)]

    def details(self) -> dict[str, Any]:
        """Return the error bound of a cell with probability 95%, and the optimality argument."""
        return {"within_95_percent": self.outcome.within(), "reason": self.outcome.reason}

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Return the categories or the rows in no cell, and the findings."""
        outcome = self.outcome
        texts = [("categories", categories_text(outcome.design.categories or ()) or "none"), ("list", outcome.listing)]
        rows = [("other rows", outcome.design.uncounted)] if outcome.design.uncounted else []
        return [*(texts if outcome.listing else ()), *rows, *super().facts(full)]

    def proof(self) -> list[str]:
        """Return how far the privacy of a cell was checked, and how the privacy of the whole follows."""
        outcome = self.outcome
        whole = (
            f"The sensitivity of all cells together is {outcome.design.sensitivity.value}: {outcome.design.sensitivity.reason}"
        )
        optimality = " ".join(filter(None, (f"Optimality: {outcome.reason}", outcome.together)))
        return [*filter(None, [outcome.listing]), f"For one cell: {privacy_sentence(outcome.cell)}", whole, optimality]

    def panels(self) -> list[Any]:
        """Return the noise panels of one cell."""
        return [
            replace(density(self.outcome.cell, 0.0)[0], key="cell-probabilities", title=_HISTOGRAM_TITLES["cell-probabilities"])
        ]

    def made_program(self, language: str, head: str) -> Program:
        """Return a program that releases counts; see `dpdesigner.files.programs.histogram_program`."""
        return histogram_program(language, self.outcome, head)

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Release the histogram exactly, from the operating system's entropy; without data, return the noise to add."""
        refuse_count(count, "a histogram releases all its cells")
        design, source = self.outcome.design, self.outcome.design.source
        known = source.is_set
        counts = read_truth(source).counts if known else (0,) * self.outcome.cells
        drawn = [release_counts(counts, design.privacy, design.neighbours).released.tolist() for _ in range(draws)]
        if not known:
            return Releases(drawn, "the design has no data: this is noise to add to the true count of each cell.")
        several = released(drawn, design.privacy.epsilon_above, "releases of the same data").warning
        warning = " ".join(filter(None, ["" if self.outcome.keeps else self.outcome.listing, several]))
        names = tuple(map(design.title, range(design.size))) if design.categories is not None else ()
        return Releases(drawn, warning, names=names)

    def computed(self) -> dict[str, Any]:
        """Return that no panel needs the true counts."""
        made = {} if self._found is None or self._earlier else {"release": self._found}
        return {**super().computed(), "truth": None, **made}
