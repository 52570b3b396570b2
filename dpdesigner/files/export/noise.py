"""Export of a noise design: the answer, its curves and, for whole numbers, exact noise."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from dpdesigner.core.noise.best_noise import shares_of
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.noise_cost import PowerCost
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.numbers.parsing import double
from dpdesigner.core.numbers.rounding import brief
from dpdesigner.errors import InputError
from dpdesigner.files.export import noise_tables
from dpdesigner.files.export.export import Export, TableFile
from dpdesigner.files.export.formats import TABLE_FORMATS, Format
from dpdesigner.files.export.formatting import file_name, finite, level_words, rounded
from dpdesigner.files.export.programs import Program, noise_program
from dpdesigner.files.export.releases import Releases, refuse_count
from dpdesigner.files.export.report_table import Attachment, Listing, cut
from dpdesigner.files.tables.formats import json_text
from dpdesigner.studies.findings import Finding, Form, describe_finding, public
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.plots import density, epsilon_plots

#: Costs of powers are right to more digits than these, those of typed costs to fewer.
_DIGITS, _TYPED_DIGITS = 12, 9
_SHIFTS = 40
_MOST_SHOWN = 12
_ROUNDED = "rounded for print"
_WHERE = "dpdesigner export FILE.dpd --to DIR writes the whole table."
#: Noise in doubles may exceed the level by their rounding.
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
    """The common part of exports whose tables were computed with doubles."""

    formats: ClassVar[Mapping[str, Format]] = TABLE_FORMATS

    @property
    def tables(self) -> dict[str, noise_tables.Table]:
        """The tables by name, the header first; see `noise_tables`."""
        raise NotImplementedError

    def table_title(self, key: str) -> str:
        """Return what a report calls a table."""
        raise NotImplementedError

    def listings(self) -> list[Listing]:
        """Return every table, cut to a sensible size."""
        listings = []
        for key, (header, *rows) in self.tables.items():
            whole = Attachment(f"{file_name(self.title)}-{key}.csv", noise_tables.text([header, *rows]))
            shown = _thinned(rows)
            note = "" if len(shown) == len(rows) else f"Shown: {len(shown)} of {len(rows)} rows, evenly spaced. {_WHERE}"
            cells = tuple(tuple(map(noise_tables.short, row)) for row in shown)
            names = tuple(name.replace("_", " ") for name in header)
            listings.append(cut(Listing(self.table_title(key), names, cells, note, whole), _MOST_SHOWN, _WHERE))
        return listings

    def files(self, name: str, formats: Sequence[str], fractions: bool = False) -> Iterator[TableFile]:
        """Make every table with all its digits, for LaTeX rounded; in JSON one file with the answer and all tables."""
        for wanted in formats:
            if wanted == "json":
                yield self._checked(f"{name}.json", json_text({**self.data(), "tables": self.tables}))
                continue
            for key, rows in self.tables.items():
                text = noise_tables.text(rows, wanted)
                file = f"{name}-{key}.{wanted}"
                yield TableFile(file, text, _ROUNDED) if wanted == "tex" else self._checked(file, text)

    def _checked(self, name: str, text: str) -> TableFile:
        """A file with all digits, and what was checked on it."""
        return TableFile(name, text)


class NoiseExport(TablesExport):
    """A noise design that was run."""

    programs: ClassVar[bool] = True
    added: ClassVar[bool] = True

    outcome: NoiseAnswer

    @cached_property
    def tables(self) -> dict[str, noise_tables.Table]:
        """The curves."""
        return noise_tables.curve_tables(self.outcome)

    @property
    def line(self) -> str:
        """``real query, sensitivity 1, absolute error, epsilon = 1, alpha = 0.367879``."""
        design = self.outcome.design
        query = f"{design.query} query" if design.dimension == 1 else f"{design.dimension} real answers"
        parts = [query, f"sensitivity {design.sensitivity}", design.cost_title, level_words(design.privacy)]
        return ", ".join(parts if design.delta is None else [*parts, f"delta = {design.delta}"])

    def details(self) -> dict[str, Any]:
        """Return the widths of noises with delta, the shares of several answers, and why the noise is the best."""
        outcome = self.outcome
        facts: dict[str, Any] = {"reason": outcome.reason}
        if outcome.alternatives:
            facts["widths"] = {other.key: finite(other.width) for other in outcome.alternatives}
        if shares := _shares(outcome.design, partial(rounded, digits=_TYPED_DIGITS)):
            facts["shares"] = dict(shares)
        return facts

    def facts(self, full: bool = True) -> list[tuple[str, str]]:
        """Return the findings, in full with the digits that are right, and the share of each of several answers."""
        plain = partial(rounded, digits=_TYPED_DIGITS) if full else partial(brief, digits=6)
        digits = _DIGITS if isinstance(self.outcome.design.noise_cost, PowerCost) else _TYPED_DIGITS
        shown = public(self.outcome.findings)
        if full:
            shown = {key: _with_digits(finding, digits) for key, finding in shown.items()}
        form: Form = "full" if full else "line"
        facts = [(finding.label, describe_finding(finding, form)) for finding in shown.values()]
        return [*facts, *_shares(self.outcome.design, plain)]

    def table_title(self, key: str) -> str:
        """Return what a report calls a table."""
        return _TITLES["joint-density" if key == "density" and self.outcome.design.dimension > 1 else key]

    def proof(self) -> list[str]:
        """Return how far the privacy was checked, and why the noise is the best."""
        outcome = self.outcome
        sentences = [privacy_sentence(outcome)]
        if outcome.proved and outcome.design.dimension == 2:
            sentences.append(
                "Theorem used: Geng and Viswanath (2013, multidimensional setting), for two answers and the sum of their "
                "absolute errors."
            )
        elif outcome.proved:
            sentences.append(
                "Theorem used: Geng and Viswanath (2012), the staircase is optimal for every even, increasing cost "
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
        """Return a program that draws the noise; see `dpdesigner.files.export.programs.noise_program`."""
        return noise_program(language, self.outcome.noise, self.outcome.design.privacy, head)

    def panels(self) -> list[Any]:
        """Return the density and the costs against epsilon."""
        shown = density(self.outcome, double(self.outcome.design.sensitivity))
        key = "density" if self.outcome.split is None else "probabilities"
        shown_alone = {key: shown[0], "cost-against-epsilon": epsilon_plots(self.outcome)[0]}
        return [replace(plot, key=key, title=_TITLES.get(key, "")) for key, plot in shown_alone.items()]

    def release(self, draws: int, count: str | None = None) -> Releases:
        """Draw noise: exactly for an integer query, for simulation only for a real one; plus the true answer, if given."""
        refuse_count(count, "a noise design draws noise to add to the true answer")
        if self.outcome.split is not None:
            return Releases(self.outcome.draws(draws))
        drawn = self.outcome.simulate(draws, secrets.randbits(63)).tolist()
        warning = (
            "for simulation only, by numpy's generator, seeded from the system's entropy. Floating-point noise does "
            "not protect real data, because the set of possible numbers depends on the true answer; use an integer "
            "query for that."
        )
        return Releases(drawn, warning, exact=False)


def _with_digits(finding: Finding, digits: int) -> Finding:
    value = finding.value
    return replace(finding, value=float(f"{value:.{digits}g}")) if isinstance(value, float) and math.isfinite(value) else finding


def _shares(design: NoiseDesign, plain: Callable[[float], str]) -> list[tuple[str, str]]:
    """What each of several answers gets of the budget, or why it cannot be split."""
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
    """Check on the noise itself how much more likely an output becomes when the answer moves by up to the sensitivity."""
    noise, epsilon = outcome.noise, outcome.design.epsilon
    if isinstance(noise, DiscreteStaircase):
        masses = np.asarray(outcome.density.staircase)
        logs = np.log(masses[masses > 0])
        shifts = range(1, min(noise.sensitivity, len(logs) - 1) + 1)
        largest, places = max(float(np.abs(logs[d:] - logs[:-d]).max()) for d in shifts), f"{len(logs)} whole numbers"
        what = f"all shifts up to the sensitivity, {noise.sensitivity}"
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


def _times(ratio: float) -> str:
    return f" ({ratio:.6g} times as much)" if math.isfinite(ratio) else ""


def _thinned(rows: Sequence[list[str]]) -> list[list[str]]:
    """Rows spread evenly, first and last among them."""
    if len(rows) <= _MOST_SHOWN:
        return list(rows)
    chosen = np.linspace(0, len(rows) - 1, _MOST_SHOWN).round().astype(int)
    return [rows[k] for k in chosen.tolist()]
