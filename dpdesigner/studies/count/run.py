"""Solve a count design in closed form, or with a delta by the universal cells and their reading."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import USUAL_RATE, PrivacyLevel, advantage, found_out
from dpdesigner.core.basics.rounding import figure, group_thousands, rounded_down
from dpdesigner.core.count import delta_mechanism
from dpdesigner.core.count.closed_form import ClosedForm, closed_form
from dpdesigner.core.count.delta_cells import Cells, ChainCells
from dpdesigner.core.count.delta_mechanism import (
    FractionTable,
    GaussianCells,
    GaussianReading,
    RemappedCells,
    Rivals,
    costs_of_noise,
    gaussian_reading,
    level_for,
)
from dpdesigner.core.count.delta_reading import (
    LARGEST_EXACT_N,
    LARGEST_PROGRAM_N,
    AnyCells,
    CellReading,
    best_reading,
    exact_reading,
    solve_program,
)
from dpdesigner.core.mechanism.mechanism import Certificate
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.answer import Why
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.result import CountAnswer, MechanismResult
from dpdesigner.studies.findings import Finding, format_finding
from dpdesigner.studies.plain_language import more
from dpdesigner.studies.study import Progress, silent

_LITTLE = 0.0005  # a share that rounds to 0 in whole percent


@dataclass(frozen=True, eq=False, repr=False)
class DeltaAnswer(MechanismResult):
    """The result of solving a count design with a delta.

    Attributes
    ----------
    design : CountDesign
    reading : CellReading or GaussianReading
        How this user reads the universal cells.
    compact_mechanism : RemappedCells or FractionTable
        The cells and their reading, or where that costs less what a linear program found.
    value, gap : float or Fraction
        The expected loss, and how far it can be above that of any (epsilon, delta)-private release, rounded up.
    plain : ClosedForm
        The best release without delta.
    rivals : Rivals
        Those of other noise.
    """

    rival: ClassVar[Message] = message("(ε, δ)-private release of a whole number 0 to n from the count alone")

    design: CountDesign
    reading: CellReading | GaussianReading
    compact_mechanism: RemappedCells | FractionTable
    value: float | Fraction
    gap: float | Fraction
    plain: ClosedForm
    rivals: Rivals

    @property
    def cells(self) -> AnyCells | GaussianCells:
        """The universal mechanism, the same for every user."""
        return self.reading.cells

    @property
    def induced(self) -> RemappedCells | FractionTable:
        """The mechanism, under the same name as in a design without delta."""
        return self.compact_mechanism

    @property
    def remap(self) -> Integers:
        """Cell j is read as remap[j], (3n + 1,), read-only."""
        return self.reading.outputs

    @property
    def by_program(self) -> bool:
        """Whether the linear program's table is the answer."""
        return isinstance(self.compact_mechanism, FractionTable)

    @property
    def method(self) -> str:
        """The method that found the answer."""
        if self.by_program:
            return "linear program with delta, repaired to be exactly private"
        return "universal cells, best reading" if self.design.mu is None else "Gaussian noise, best thresholds"

    @property
    def basis(self) -> str:
        """The basis of the gap."""
        if self.by_program:
            return "dual of the linear program"
        return "all releases tested" if self.design.mu is None else "the domination theorem"

    @property
    def exact(self) -> bool:
        """Whether the value and the gap are fractions."""
        return isinstance(self.gap, Fraction)

    @property
    def certificate(self) -> Certificate:
        """The prices w with their basis; y+ and y- are in ``reading.dual``."""
        dual, columns = self.reading.dual, self.design.n + 1
        w: Any = dual.prices if self.exact else np.array(dual.prices)
        return Certificate(w, self.gap, dual.shift, columns, columns, basis=self.basis)

    @property
    def mechanism(self) -> Floats:
        """The table, (n + 1, n + 1), rows = true result, columns = released result."""
        return self.compact_mechanism.matrix

    @property
    def epsilon(self) -> float:
        """The epsilon of the attained (epsilon, delta), rounded up."""
        return self.design.privacy.epsilon_above

    @property
    def without(self) -> float:
        """The expected loss of the best release without delta."""
        return float(self.plain.value)

    @property
    def saved(self) -> Fraction:
        """The reduction by delta, as a share of the expected loss without it, at least 0; of doubles, to twelve decimals."""
        share = max(1 - Fraction(self.value) / Fraction(self.plain.value), Fraction(0)) if self.without > 0 else Fraction(0)
        return share if self.exact and self.plain.exact else round(share, 12)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """The findings, with the expected loss first."""
        design, cells = self.design, self.cells
        told = dict(super().findings)
        told["epsilon"] = Finding(
            message("ε, with δ"), self.epsilon, digits=6, rounding="up", state="proved", note=message("δ is not covered by ε")
        )
        saved = self.saved if self.exact else float(np.nextafter(float(self.saved), 1))  # 0.3 stays 0.3, rounded down
        coverage, measure, delta = design.loss.coverage(design.n), design.loss, design.uncovered
        if coverage.covered:
            words = message("the loss is covered, so the cells are optimal for every prior")
            told["theorem_a"] = Finding(message("Theorem A"), True, state="proved", note=words)
        more: dict[str, Finding] = {
            "delta": Finding(message("δ, not covered by ε"), delta, digits=6, rounding="up", state="proved"),
            "without_delta": Finding(message("best without δ"), self.without, rounding="up", measure=measure),
            "saved": Finding(message("saved by δ"), saved, digits=3, rounding="down", note=message("as a share of the error")),
        }
        if self.rivals.truncated_laplace is not None:
            label = message("rounded truncated Laplace noise")
            more["truncated_laplace"] = Finding(label, self.rivals.truncated_laplace, rounding="up", measure=measure)
        if self.rivals.gaussian is not None:
            label = message("rounded Gaussian noise, equally private")
            more["gaussian"] = Finding(label, self.rivals.gaussian, rounding="up", measure=measure)
            more["gaussian_sigma"] = Finding(message("its standard deviation"), self.rivals.gaussian_sigma, rounding="up")
        if (width := cells.half_width) is not None:
            more["cut"] = Finding(message("largest noise"), width if cells.exact else float(width), digits=4, rounding="up")
        more["cells"] = Finding(message("cells"), cells.size)
        return {**told, **more, **_risks(design)}

    def sentences_if(self, condition: str) -> tuple[Message, ...]:
        """Return the error, the saving from delta and the cost of Gaussian noise, from long to short."""
        first, delta = super().sentences_if(condition)[0], figure(self.design.uncovered, 4)
        if self.design.further:
            return (first,)
        amount = message("almost nothing") if self.saved < _LITTLE else f"{rounded_down(100 * self.saved, 3):g}%"
        saves = message("δ = {delta} saves {amount}", delta=delta, amount=amount)
        short = message("{first} {saves}.", first=first, saves=saves)
        if self.rivals.gaussian is None or not float(self.value):
            return short, first
        dearer = more(float(self.value), self.rivals.gaussian, "more")
        words = "{first} {saves}; rounded Gaussian noise costs {more}."
        return message(words, first=first, saves=saves, more=dearer), short, first

    @property
    def checks(self) -> tuple[Message, ...]:
        """The privacy of the mechanism, and the checks that were made."""
        epsilon, delta = format_finding(self.findings["epsilon"]), figure(self.design.uncovered, 4)
        private = message("✓ private: ε = {epsilon}, δ = {delta}, rounded up", epsilon=epsilon, delta=delta)
        if self.design.prior.origin:
            private = message("ε = {epsilon} and δ = {delta} cover the count, not the prior", epsilon=epsilon, delta=delta)
        if self.by_program:
            return private, message("✓ dual of the linear program, {columns} releases tested", columns=self._releases)
        if self.design.mu is not None:
            return private, message("✓ optimal by the domination theorem")
        certified = message("✓ dual certificate in fractions, {columns} releases tested")
        certified = certified if self.exact else message("✓ dual certificate, {columns} releases tested")
        return private, message(certified, columns=self._releases)

    @property
    def _releases(self) -> str:
        return group_thousands(self.design.n + 1)

    @property
    def why(self) -> Why:
        """The explanation of the count page with delta."""
        return Why(template="count-delta", help="certificate")


def _risks(design: CountDesign) -> dict[str, Finding]:
    """The largest risks from an attacker who knows everybody else; attained between all neighbours."""
    exact = design.privacy.exact_alpha
    ratio = 1 / (exact if exact is not None else design.privacy.alpha_below)
    labels = {
        "found_out": message("people found out at 1 false alarm in 100"),
        "bet": message("50:50 bets won on one person"),
        "advantage": message("lead over chance"),
    }
    told = {
        key: Finding(label, value, digits=4, rounding="up", state="proved")
        for (key, label), value in zip(labels.items(), risks_of(design), strict=True)
    }
    if exact is not None and not design.further:
        told["exp_epsilon"] = Finding(message("e^ε"), ratio, digits=6, rounding="up")
    return told


def risks_of(design: CountDesign) -> tuple[Fraction | float, Fraction | float, Fraction | float]:
    """Return limits on an attacker: people identified at 1 false alarm in 100, bets won, and the lead over chance.

    Of several levels it is the least, since all hold.
    """
    exact = design.privacy.exact_alpha
    ratio = 1 / (exact if exact is not None else design.privacy.alpha_below)
    if design.mu is not None:
        won = delta_mechanism.bet(design.mu)
        return delta_mechanism.found_out(design.mu, float(USUAL_RATE)), won, 2 * won - 1
    pairs = [(ratio, design.uncovered), *((1 / level.alpha, level.delta) for level in design.levels[1:])]
    found = min(found_out(t, delta, USUAL_RATE) for t, delta in pairs)
    lead = min(advantage(t, delta) for t, delta in pairs)
    return _short(found), _short((1 + lead) / 2), _short(lead)


def _short(value: Fraction) -> Fraction | float:
    """Return a fraction of a rational alpha unchanged; for an irrational alpha, whose bound has eighty digits, a double above."""
    if len(str(value.denominator)) <= 40:
        return value
    near = float(value)
    return near if Fraction(near) >= value else float(np.nextafter(near, np.inf))


def solve_with_delta(design: CountDesign, exact: bool = False, progress: Progress = silent) -> DeltaAnswer:
    """Solve a design whose delta is above 0.

    Parameters
    ----------
    design : CountDesign
    exact : bool
        In fractions: alpha, prior and loss must be rational, the loss covered by Theorem A, and n at most 40.
    progress : Progress
        May cancel.

    Raises
    ------
    InputError
        If `exact` is asked of a design for which there are no fractions.
    """
    n, privacy, delta = design.n, design.privacy, design.uncovered
    prior, loss = design.prior.probabilities, design.loss.matrix(n)
    progress(None, "cells")
    reading: CellReading | GaussianReading
    if exact:
        reading = _exactly(design)
    elif design.mu is not None:
        reading = gaussian_reading(design.n, float(design.mu or 0), design.prior.probabilities, design.loss.matrix(design.n))
    elif design.further:
        reading = best_reading(ChainCells.of(n, design.levels), prior, loss)
    else:
        reading = best_reading(Cells.of(n, privacy.alpha_above, delta), prior, loss)
    held: RemappedCells | FractionTable = RemappedCells(privacy, reading.cells, reading.outputs, delta, design.levels[1:])
    value, gap = reading.value, reading.gap
    if not design.covered and n <= LARGEST_PROGRAM_N and not exact and not design.negligible(value, gap):
        progress(None, "linear program")
        found = solve_program(prior, loss, privacy.alpha_above, delta)
        if found.value < value and found.gap < gap:
            held, value, gap = FractionTable(privacy, found.rows, delta), found.value, found.gap
    rivals = Rivals(None, None, None) if design.further else costs_of_noise(prior, loss, privacy.epsilon, float(delta))
    return DeltaAnswer(design, reading, held, value, gap, closed_form(design, exact), rivals)


def _exactly(design: CountDesign) -> CellReading:
    alpha, n = design.privacy.exact_alpha, design.n
    if alpha is None or not design.covered or n > LARGEST_EXACT_N or design.further:
        raise InputError(
            f"exact arithmetic with delta needs one level, a rational alpha, a loss that Theorem A covers and n of at most "
            f"{LARGEST_EXACT_N}, got n = {n}.",
            "epsilon",
        )
    return exact_reading(Cells.of(n, alpha, design.uncovered, exact=True), design.prior.exact, design.loss.exact_matrix(n))


def level_with_delta(design: CountDesign, target: float, progress: Progress = silent) -> PrivacyLevel:
    """Return the most private level whose expected error with the design's delta is at most a target; see `level_for`."""
    costs = design.prior.probabilities[:, None] * design.loss.matrix(design.n)
    return level_for(costs, design.uncovered, target, design.least_loss, progress)


Solved: TypeAlias = "CountAnswer | DeltaAnswer"


def run(design: CountDesign, progress: Progress = silent) -> Solved:
    """Solve a count design in closed form."""
    return solve(design, progress=progress)


def run_exactly(design: CountDesign, progress: Progress = silent) -> Solved:
    """Solve a count design in fractions."""
    return solve(design, exact=True, progress=progress)


def solve(design: CountDesign, exact: bool = False, progress: Progress = silent) -> Solved:
    """Solve a count design in closed form; parameters and errors as `dpdesigner.core.count.closed_form.closed_form`.

    A design with a delta above 0 is solved by `dpdesigner.studies.count.run.solve_with_delta`.
    """
    if design.uncovered:
        return solve_with_delta(design, exact, progress)
    return solve_in_closed_form(design, exact, progress)


def solve_in_closed_form(design: CountDesign, exact: bool = False, progress: Progress = silent) -> CountAnswer:
    """Solve a count design ignoring its delta; parameters and errors as `solve`."""
    form = closed_form(design, exact, progress)
    return CountAnswer(design, form.induced, form.value, form.certificate)
