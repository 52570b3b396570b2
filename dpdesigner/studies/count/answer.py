"""Everything known of one count design: its mechanism, the linear program check, the proof by prices, and alternatives.

The closed form comes first; the linear program, what others would cost and the curves come later, or never.

The proof by prices as a plot: a lower bound for every private release of the count, and the cost of one's own next to it.

A price w_i for each true count i is a solution of the dual of the linear program: whatever a private mechanism x releases,
sum_i p_i sum_r x_ir l(i, r) is at least sum_i w_i. No single price is a bound, only their sum; where one's own sums to as much,
it is proved to be the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import figure, group_thousands, rounded_down, small
from dpdesigner.core.count.closed_form import LARGEST_PROGRAM_N
from dpdesigner.core.count.costs import CostCurves, Key, OptimalCurve, costs_of_others
from dpdesigner.core.mechanism.mechanism import Mechanism, Table
from dpdesigner.messages import Message, message
from dpdesigner.studies.answer import Why
from dpdesigner.studies.base import PanelAnswer
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.result import CountAnswer, MechanismResult, attained
from dpdesigner.studies.count.run import DeltaAnswer, Solved
from dpdesigner.studies.findings import Finding, State, format_finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plain_language import IF_RIGHT, cost_sentences, few_released
from dpdesigner.studies.plot_parts import Axis, Line
from dpdesigner.studies.snapshot import Maker
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role

if TYPE_CHECKING:
    from dpdesigner.core.count.costs import WarmSearch
    from dpdesigner.core.mechanism.linear_program import LinearProgramAnswer


_LONGEST_FRACTION = 24
#: Above this n single bars cannot be told apart, and making the table of the mechanism takes longer than a frame.
LARGEST_N = 200
_WIDTH, _ROOM = 0.42, 1.35  # half width of a bar; height of the plot relative to the highest bar, with room for the names


def price_plot(solved: CountAnswer) -> Plot | None:
    """Plot prices and own costs as bars over the true counts; None without a proof, or if the bars cannot be told apart."""
    design = solved.design
    if not solved.proved or not 0 < design.n <= LARGEST_N:
        return None
    prices, prior, loss = solved.certificate.dual, design.prior.probabilities, design.loss.matrix(design.n)
    shares = prior * (np.asarray(solved.mechanism, dtype=float) * loss).sum(axis=1)
    heights = np.array([float(price) for price in prices])
    lines = (_bars(shares, message("yours"), "main", proved=True), _bars(heights, message("prices"), "other", dashed=True))
    top = _ROOM * max(float(heights.max()), float(shares.max()))
    y = Axis(message("loss, times its prior"), limits=(min(0.0, 1.1 * float(heights.min())), top) if top > 0 else None)
    x = Axis(message("true count"), scale="whole", limits=(-0.6, len(prior) - 0.4))
    return Plot("prices", message("Lower bound (dual prices)"), x, y, lines, under=_sums(solved))


def _sums(solved: CountAnswer) -> tuple[Message, ...]:
    """The sum of the bars: rounded up, as the value is everywhere."""
    own = figure(solved.value)
    if not solved.gap:
        words = "The lower bound equals your expected loss, {own}. No {rival} does better."
        return (message(words, own=own, rival=solved.rival),)
    words = "Your expected loss is {own}; the prices sum to at most {gap} less. No {rival} costs less than the prices."
    return (message(words, own=own, gap=small(solved.gap), rival=solved.rival),)


def _bars(heights: Floats, name: str, role: Role, *, proved: bool = False, dashed: bool = False) -> Line:
    """Return bars as one outline, shaded below unless it is dashed."""
    counts = np.arange(len(heights), dtype=float)
    x = np.stack([counts - _WIDTH, counts - _WIDTH, counts + _WIDTH, counts + _WIDTH], axis=1).ravel()
    flat = np.zeros_like(heights)
    y = np.stack([flat, heights, heights, flat], axis=1).ravel()
    shade = (None, None) if dashed else (np.minimum(y, 0), np.maximum(y, 0))
    return Line(x, y, name, role, proved=proved, dashed=dashed, low=shade[0], high=shade[1])


def exact_text(value: float | Fraction) -> str | None:
    """Return ``37/24 (1.54167 if rounded up)`` or ``3/4 = 0.75``; None for a fraction too long to read and for a float."""
    if not isinstance(value, Fraction) or len(str(value)) > _LONGEST_FRACTION:
        return None
    short = figure(value)
    if value.denominator == 1:
        return short
    return f"{value} = {short}" if Fraction(short.replace("−", "-")) == value else f"{value} ({short} if rounded up)"


def prices_text(prices: Sequence[float | Fraction]) -> str:
    """Return the prices as a list, fractions that are short enough as such."""
    return ", ".join(
        str(price)
        if isinstance(price, Fraction) and len(str(price)) <= _LONGEST_FRACTION
        else f"{float(price):.6g}".replace("-", "−")
        for price in prices
    )


@dataclass(frozen=True)
class CostTable:
    """Expected losses of the same user under some or all mechanisms; see `costs_of_others`."""

    design: CountDesign
    losses: tuple[tuple[Key, float | Fraction], ...]


_LABELS: dict[str, Message] = {
    "remapped": message("geometric + remap"),
    "laplace": message("rounded Laplace noise, best read"),
    "ignore": message("ignoring the data"),
    "face": message("geometric, face value"),
    "staircase": message("staircase noise, γ best before clamping"),
    "half": message("staircase noise, γ = 1/2"),
}
_REAL: dict[str | None, Message] = {
    "mean": message("if fractions are allowed (posterior mean)"),
    "whole": message("if fractions are allowed (a whole number is best)"),
}


def label(key: Key, design: CountDesign) -> Message:
    """Return the label of a method of release, the same everywhere."""
    if key != "real":
        return _LABELS[key]
    from dpdesigner.core.count.alternatives import best_answers  # imported late: a window opens without it

    return _REAL.get(best_answers(design.loss), message("if fractions are allowed"))


def cost_table(design: CountDesign, progress: Progress = silent) -> CostTable:
    """Compute the expected losses of the alternatives for a design."""
    return CostTable(design, costs_of_others(design, progress))


@dataclass(frozen=True, eq=False, repr=False)
class LinearProgramCheck(MechanismResult):
    """The solution of a design by the linear program.

    `held` is its mechanism, exactly private after repair, `value` that mechanism's expected loss, `repair_cost` what making it
    private cost; `gap` is certified from the solver's own dual: value - optimum <= gap.
    """

    basis: ClassVar[str] = "dual of the linear program"

    design: CountDesign
    compact_mechanism: Table
    value: float
    gap: float
    repair_cost: float
    iterations: int
    seconds: float
    method: str

    @property
    def mechanism(self) -> Floats:
        """The repaired mechanism, (n + 1, n + 1), rows = true result, columns = released result."""
        return self.compact_mechanism.matrix

    @property
    def epsilon(self) -> float:
        """The privacy of the mechanism, rounded up."""
        return self.compact_mechanism.epsilon


class WarmCheck:
    """A linear program reused from design to design; kept for the lifetime of a page, in one lane of the worker."""

    @cached_property
    def _search(self) -> WarmSearch:
        from dpdesigner.core.count.costs import WarmSearch

        return WarmSearch()

    def follow(self, design: CountDesign, progress: Progress = silent) -> LinearProgramCheck:
        """Solve a design that differs little from the last one, fast enough to follow the mouse."""
        return _lp_check(design, self._search.follow(design, progress))

    def settle(self, design: CountDesign, progress: Progress = silent) -> LinearProgramCheck:
        """Solve a design; parameters, result and errors as `linear_program`."""
        return _lp_check(design, self._search.settle(design, progress))


def linear_program(design: CountDesign, progress: Progress = silent) -> LinearProgramCheck:
    """Solve a design by linear programming over all private tables, without using any theorem.

    Raises
    ------
    InputError
        If n is above 200.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> lp_check = dp.linear_program(dp.CountDesign(n=5, alpha="1/2"))
    >>> round(lp_check.value, 6), lp_check.gap < 1e-6
    (0.895833, True)
    """
    return WarmCheck().settle(design, progress)


def _lp_check(design: CountDesign, answer: LinearProgramAnswer) -> LinearProgramCheck:
    held = Table(design.privacy, answer.raw, answer.filler)
    method = f"linear program ({answer.method}), repaired to be exactly private"
    return LinearProgramCheck(
        design, held, answer.value, answer.gap, answer.repair_cost, answer.iterations, answer.seconds, method
    )


#: Relative to the loss: nearer than this the linear program and the closed form agree.
_SAME, _TINY, _TINY_PART = 1e-6, 1e-300, 1e-12
#: Above this n the outputs that the remap changes are not counted, and up to this n all prices are listed.
_COUNTED_UP_TO, _LISTED_UP_TO = 5000, 8


@dataclass(frozen=True, eq=False)
class Compared:
    """The closed form and the linear program's answer for one design."""

    closed: Solved
    lp_check: LinearProgramCheck

    @property
    def design(self) -> CountDesign:
        """The design that both solve."""
        return self.lp_check.design

    @property
    def difference(self) -> float:
        """The excess loss of the linear program's answer; 0 only if the two are exactly equal."""
        return float(self.lp_check.value) - float(self.closed.value)

    @property
    def agree(self) -> bool:
        """Whether both have the same loss, up to the tolerances of a linear program."""
        return abs(self.difference) <= _SAME * max(abs(float(self.closed.value)), _TINY)

    @property
    def agreement(self) -> Message:
        """The agreement of the two, or the saving of the linear program, in a few words."""
        if self.agree:
            return message("The linear program agrees to {difference}", difference=small(abs(self.difference)))
        if self.difference < 0:
            return message("LP saves {difference}", difference=f"{rounded_down(-self.difference, 3):g}".replace("-", "−"))
        return message("LP stopped {difference} short", difference=figure(self.difference, 3))

    @property
    def sentence(self) -> Message:
        """The agreement or saving as a sentence."""
        if self.design.covered or self.agree:
            return message("{agreement}.", agreement=self.agreement)
        return message("{agreement}: this loss is outside Theorem A.", agreement=self.agreement)


@dataclass(frozen=True, eq=False, repr=False)
class CountOverview(PanelAnswer):
    """The results for a design, combined from the available parts.

    The closed form is in fractions where there is such a one; the newest answer of the linear program may, while a drag lasts,
    be of a design a few steps before; of what others cost some may be missing.
    """

    solved: Solved
    compared: Compared | None = None
    costs: CostTable | None = None
    curves: CostCurves | None = None
    optimum: OptimalCurve | None = None
    panels: Mapping[str, Maker] = field(default_factory=dict)

    @classmethod
    def of(cls, solved: Solved, lp_check: LinearProgramCheck | None = None, costs: CostTable | None = None) -> CountOverview:
        """Return the closed form's results, combined with the linear program's if it was solved."""
        return cls(solved, None if lp_check is None else Compared(solved, lp_check), costs)

    @property
    def design(self) -> CountDesign:
        """The design."""
        return self.solved.design

    @cached_property
    def lp_check(self) -> LinearProgramCheck | None:
        """The linear program's solution of this design."""
        return self.compared.lp_check if self.compared is not None and self.compared.design == self.design else None

    @cached_property
    def best(self) -> Solved | LinearProgramCheck:
        """The best mechanism for the design, which is shown, released and exported.

        The closed form does where Theorem A covers the loss or its certificate proves it optimal, and else the linear program's
        mechanism if that costs less and is certified to be nearer to the optimum.
        """
        solved, lp_check = self.solved, self.lp_check
        if lp_check is None or solved.design.covered or solved.proved:
            return solved
        return lp_check if lp_check.value < solved.value and lp_check.gap < solved.gap else solved

    @property
    def deciding(self) -> LinearProgramCheck | None:
        """The linear program's solution if it is the design's answer."""
        return self.best if isinstance(self.best, LinearProgramCheck) else None

    @property
    def real_is_less(self) -> bool:
        """Whether a release of any real number has a smaller loss."""
        costs = dict(self.costs.losses) if self.costs is not None else {}
        return "real" in costs and float(costs["real"]) < float(costs["remapped"]) * (1 - _TINY_PART)

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that answers the design."""
        return self.best.compact_mechanism

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """The findings, with the expected loss first, and the costs of other methods if known."""
        return {**self.best.findings, **self._others(), **self._program()}

    def _others(self) -> dict[str, Finding]:
        losses = dict(self.costs.losses) if self.costs is not None else {}
        if not self.design.covered and not self.design.uncovered:
            losses = {**losses, "remapped": self.solved.value}
        notes = {
            "remapped": "" if self.design.covered else message("gap at most {gap}", gap=small(self.solved.gap)),
            "real": message("least loss if any real number may be released"),
        }
        return {
            key: Finding(label(key, self.design), loss, rounding="up", measure=self.design.loss, note=notes.get(key, ""))
            for key, loss in losses.items()
        }

    def _program(self) -> dict[str, Finding]:
        name, lp_check = message("linear program"), self.lp_check
        if lp_check is None:
            missing = message("not run because n is above {largest}", largest=LARGEST_PROGRAM_N)
            needed = not self.design.covered and self.design.n > LARGEST_PROGRAM_N and not self.design.uncovered
            return {"program": Finding(name, None, note=missing)} if needed else {}
        return {
            "program": Finding(name, lp_check.value, rounding="up", state="measured", measure=self.design.loss),
            "program_gap": Finding(message("its certified gap"), lp_check.gap, digits=1, rounding="up"),
            "repair": Finding(message("loss added by the repair"), lp_check.repair_cost, digits=1, rounding="up"),
            "iterations": Finding(message("its iterations"), lp_check.iterations),
        }

    @property
    def sentences(self) -> tuple[Message, ...]:
        """The answer in plain words, from long to short; the costs of alternatives are included once known."""
        return self.sentences_if(IF_RIGHT)

    def sentences_if(self, condition: str) -> tuple[Message, ...]:
        """Return the sentences with another condition on the prior."""
        design, best = self.design, self.best
        if design.uncovered:
            return self.solved.sentences_if(condition)
        costs = {key: float(cost) for key, cost in (self.costs.losses if self.costs else ())}
        others = costs.get("laplace"), costs.get("ignore")
        caution = few_released(self.solved.remap, design.privacy.epsilon) if best is self.solved else None
        said = float(best.value), *others, design.n, caution, best.wrong, design.unit, condition
        return cost_sentences(design.loss, *said)

    @property
    def sentence(self) -> str:
        """The longest of the sentences."""
        return self.sentences[0]

    @property
    def badge(self) -> tuple[Message, State]:
        """The proved quality of the best mechanism."""
        return self.best.badge

    @property
    def checks(self) -> tuple[Message, ...]:
        """The checks of the best mechanism."""
        return self.solved.checks if self.best is self.solved else (*self.best.checks[:1], *self.solved.checks[1:])

    @property
    def why(self) -> Why:
        """The explanation of the count page, with the proof by prices."""
        best = self.best
        plot = partial(price_plot, best) if isinstance(best, CountAnswer) else lambda: None
        return replace(self.solved.why, values=self._explained, picture=plot)

    def _explained(self) -> dict[str, Any]:
        """The values of the templates besides the answer itself."""
        design, solved, findings = self.design, self.solved, self.findings
        level, n = design.privacy, design.n
        common = {
            "n": n,
            "ratio": figure(1 / level.alpha_below, 4) if level.epsilon <= 16 else message("very many"),
            "reason": design.loss.coverage(n).reason,
        }
        if isinstance(solved, DeltaAnswer):
            shown = ("value", "bound", "gap", "without_delta", "cut", "cells")
            numbers = [(findings[key].label, format_finding(findings[key], "long")) for key in shown]
            return {**common, "program": solved.by_program, "numbers": numbers}
        alpha, certificate, remap = level.exact_alpha, solved.certificate, solved.induced.remap
        numbers = [(findings[key].label, format_finding(findings[key], "long")) for key in ("value", "bound")]
        last = "basis" if self.deciding is None else "iterations"
        numbers += [(findings[key].label, format_finding(findings[key])) for key in ("gap", last)]
        if n <= _LISTED_UP_TO and self.deciding is None:
            numbers.append(("prices w", prices_text(list(certificate.dual))))
        return {
            **common,
            "alpha": alpha,
            "inner": n > 0 and alpha not in (0, 1),
            "decided": self.deciding is not None,
            "always": int(solved.induced.row(0).argmax()) if alpha == 1 else 0,
            "moved": sum(read != output for output, read in enumerate(remap)) if n <= _COUNTED_UP_TO else None,
            "level": attained(self.best),
            "exact": exact_text(self.best.value),
            "sampled": certificate if certificate.checked < certificate.columns else None,
            "largest": LARGEST_PROGRAM_N,
            "compared": None if self.lp_check is None else Compared(solved, self.lp_check),
            "numbers": numbers,
        }

    @property
    def note(self) -> Message:
        """The report of the linear program, for this design or for one a few steps before."""
        if self.compared is None:
            return message("")
        iterations = self.compared.lp_check.iterations
        steps = message("the last basis is still optimal")
        if iterations:
            steps = message("{count} iterations", count=group_thousands(iterations))
        return message("linear program: {steps} · {agreement}", steps=steps, agreement=self.compared.agreement)


def answer(design: CountDesign, done: Mapping[str, Any]) -> CountOverview | None:
    """Return the results of the jobs done so far, by name; None until there is a closed form.

    What is of another design is left out, but for a linear program that follows a drag.
    """

    def own(name: str) -> Any:
        given = done.get(name)
        return given if given is not None and given.design == design else None

    solved, settled, followed = own("exact") or own("solve"), own("lp_check"), done.get("follow")
    if solved is None:
        return None
    if design.uncovered:
        return CountOverview(solved)
    compared = followed if followed is not None and followed.design.n == design.n else None
    if settled is not None:
        compared = Compared(solved, settled)
    return CountOverview(solved, compared, own("costs"), done.get("curves"), done.get("optimum"))
