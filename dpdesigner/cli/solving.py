"""``dpdesigner solve`` and ``dpdesigner sample``: the answer to a design, and releases from it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpdesigner.cli.report import Report, count_design, count_designs, joined, plain, small
from dpdesigner.core.numbers import whole
from dpdesigner.files.export import Answer, answer, number
from dpdesigner.studies.count import CountDesign, CountOutcome, solve
from dpdesigner.studies.count_witness import LARGEST_N as LARGEST_PROGRAM_N
from dpdesigner.studies.count_witness import Witness, linear_program

MOST_DRAWS = 1_000_000

_SHOWN_REMAP = 60


@dataclass(frozen=True)
class Solved:
    """A count design with all that stands for it; the witness is None where it is not needed or n is too large for it."""

    outcome: CountOutcome
    witness: Witness | None

    @property
    def best(self) -> Answer:
        """The mechanism to show and to write."""
        return answer(self.outcome, self.witness)


def solve_design(design: CountDesign, exact: bool = False) -> Solved:
    """Solve a design in closed form, and by linear programming too where the loss is outside Theorem A and n permits."""
    outcome = solve(design, exact=exact)
    needed = not design.covered and design.n <= LARGEST_PROGRAM_N
    return Solved(outcome, linear_program(design) if needed else None)


def solve_command(path: str, study: str | None, exact: bool) -> Report:
    """Solve the count designs of a project file.

    Parameters
    ----------
    path : str
    study : str or None
        The number of one study, from 1; None for all.
    exact : bool
        Work in rational arithmetic.

    Returns
    -------
    Report
        Its JSON value is the solution of a single design, or ``{"studies": [...]}``.
    """
    reports = [solution(solve_design(design, exact)) for design in count_designs(path, study)]
    return joined(reports, reports[0].data if len(reports) == 1 else {"studies": [report.data for report in reports]})


def sample_command(path: str, study: str | None, count: str, draws: str) -> Report:
    """Release a true result from the mechanism of a design, exactly, from the operating system's entropy."""
    design = count_design(path, study)
    true_result = whole(count, "the count", 0, design.n)
    times = whole(draws, "the number of draws", 1, MOST_DRAWS)
    mechanism = solve_design(design).best.mechanism
    released = [mechanism.draw(true_result) for _ in range(times)]
    return Report([str(value) for value in released], {"count": true_result, "draws": released})


def solution(solved: Solved) -> Report:
    """Return what is to be said of a solved design."""
    outcome, design, best = solved.outcome, solved.outcome.study, solved.best
    alpha = design.privacy.exact_alpha
    lines = [
        f"{design.name or 'Count design'}: n = {design.n}, {design.loss.title} loss, {design.prior.title} prior, "
        f"epsilon = {design.privacy.epsilon:.6g}, alpha = {f'{design.privacy.alpha:.6g}' if alpha is None else alpha}",
        f"  expected loss   {plain(best.value)}",
        f"  certificate     {_certificate(best)}",
        f"  epsilon         {best.mechanism.epsilon!r} (what the mechanism really has, rounded up)",
        f"  Theorem A       {design.loss.coverage(design.n).reason}",
        f"  remap           {_remap(outcome.remap.tolist())}",
    ]
    return Report(lines if design.covered else lines + _beside(solved), _data(solved))


def _beside(solved: Solved) -> list[str]:
    """The two answers to a design outside Theorem A, and which of them counts."""
    outcome, witness = solved.outcome, solved.witness
    lines = [f"  closed form     {plain(outcome.value)}, gap at most {small(outcome.certificate.gap)}"]
    if witness is None:
        lines.append(f"  linear program  not run, since n is above {LARGEST_PROGRAM_N}")
    else:
        lines.append(
            f"  linear program  {witness.value!r}, gap at most {small(witness.gap)}, made private at a cost of "
            f"{witness.repair_cost:.3g}, {witness.iterations} iterations"
        )
    return [*lines, f"  the answer      {solved.best.method}"]


def _data(solved: Solved) -> dict[str, Any]:
    outcome, design, best, witness = solved.outcome, solved.outcome.study, solved.best, solved.witness
    coverage, alpha = design.loss.coverage(design.n), design.privacy.exact_alpha
    data: dict[str, Any] = {
        "design": design.to_json(),
        "alpha": number(design.privacy.alpha if alpha is None else alpha),
        "epsilon": number(best.mechanism.epsilon),
        "value": float(best.value),
        "certificate": {"gap": number(best.gap), "exact": isinstance(best.gap, Fraction)},
        "remap": outcome.remap.tolist(),
        "method": best.method,
        "theorem_a": {"covered": coverage.covered, "reason": coverage.reason},
        "closed_form": {"value": float(outcome.value), "gap": number(outcome.certificate.gap)},
    }
    if isinstance(best.value, Fraction):
        data["value_exact"] = str(best.value)
    if witness is not None:
        data["linear_program"] = {
            "value": witness.value,
            "gap": number(witness.gap),
            "epsilon": number(witness.epsilon),
            "repair_cost": witness.repair_cost,
            "iterations": witness.iterations,
        }
    return data


def _certificate(best: Answer) -> str:
    if isinstance(best.gap, Fraction) and best.gap == 0:
        return "optimal: gap 0, proved in exact arithmetic"
    return f"no private mechanism is better by more than {small(best.gap)}"


def _remap(remap: list[int]) -> str:
    shown = " ".join(map(str, remap[:_SHOWN_REMAP]))
    return shown if len(remap) <= _SHOWN_REMAP else f"{shown} ... ({len(remap)} in all; --json gives them)"
