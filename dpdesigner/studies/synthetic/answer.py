"""The answer to a design of a made-up column: findings, sentences and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.parsing import double
from dpdesigner.core.numbers.rounding import figure, group_thousands
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.error_bounds import ErrorBound
from dpdesigner.core.synthetic.method_comparison import enumerated
from dpdesigner.core.synthetic.methods import all_error_bounds, make
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel, Why
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.release_inputs import KEPT
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.synthetic import pictures, statements
from dpdesigner.studies.synthetic.design import NEIGHBOURS, WAYS, IntervalDesign, real_counts
from dpdesigner.studies.synthetic.result import ColumnResult


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class IntervalAnswer(Answer):
    """A made-up column, and what is told of it.

    Attributes
    ----------
    design : IntervalDesign
    counts : ndarray of int
        (2^bits,): how many synthetic rows each cell has.
    synthetic : ndarray
        The synthetic column, in the units of the real one, in rising order.
    facts : ColumnResult
        The real counts, for their owner, the error bound, and what it was computed from.
    findings : mapping of str to Finding
    """

    design: IntervalDesign
    facts: ColumnResult

    @property
    def counts(self) -> Integers:
        """(2^bits,): the made-up counts."""
        return self.facts.synthetic.counts

    @cached_property
    def synthetic(self) -> Floats:
        """The made-up column, in the units of the real one, in rising order."""
        return self.design.cells.values(self.facts.synthetic.counts)

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the pictures, as they are in a view."""
        return pictures.panels(self.facts, view)


def answered(design: IntervalDesign, progress: Progress = silent, *, quick: bool = False) -> IntervalAnswer:
    """Make a column and say what is promised of it.

    Parameters
    ----------
    design : IntervalDesign
    progress : Progress
    quick : bool
        Whether the promise may rest on fewer simulated releases; see `surer`.
    """
    real = real_counts(design)
    progress(None, "")
    made = make(real, design.way, design.budget, design.accuracy, source_of(design.seed), progress)
    return interval_answer(ColumnResult(design, made, real, _promises(design, quick, progress, made.total)))


def surer(facts: ColumnResult, progress: Progress = silent) -> IntervalAnswer:
    """Return the answer with the same column, and with promises that rest on many simulated releases."""
    return interval_answer(replace(facts, bounds=_promises(facts.design, False, progress, facts.total)))


def interval_answer(facts: ColumnResult) -> IntervalAnswer:
    """Return what is told of a made-up column."""
    private = message("✓ proved private") if facts.design.seed is None else message("✓ proved private · for study")
    return IntervalAnswer(
        design=facts.design,
        findings=_findings(facts),
        sentence=statements.sentence(facts),
        badge=facts.design.badge(private),
        checks=statements.checks(facts),
        why=Why(template="synthetic", help="synthetic"),
        facts=facts,
    )


def _promises(design: IntervalDesign, quick: bool, progress: Progress, total: int) -> Mapping[str, ErrorBound | None]:
    return all_error_bounds(design.bits, design.budget, double(design.delta), total, design.accuracy, design.way, quick, progress)


def _findings(facts: ColumnResult) -> dict[str, Finding]:
    design = facts.design
    return {
        "promised-error": _promised(facts),
        "worst-error": _worst(facts),
        "recommended": Finding(
            message("best method here"),
            dict(WAYS)[facts.recommended] if facts.recommended else None,
            note=statements.reason(facts),
        ),
        "epsilon": design.of_epsilon(dict(NEIGHBOURS)[design.neighbours]),
        **_exact(facts),
        "rows": Finding(message("rows"), facts.total),
        "largest-share": Finding(
            message("fullest cell"),
            float(facts.real.max() / facts.rows),
            digits=2,
            share=True,
            secret=True,
            note=statements.ties(facts),
        ),
        **_sizes(facts),
    }


def _promised(facts: ColumnResult) -> Finding:
    rows, total = facts.bound_rows, facts.total
    label = message("error bound")
    if rows is None or not total:
        return Finding(label, None, note=statements.no_bound(facts, brief=True))
    state: State = "pending" if facts.provisional else "proved" if facts.tied else "measured"
    note = message("{rows} of {total} rows", rows=group_thousands(rows), total=group_thousands(total))
    if facts.tied:
        note = message("{bound}, if no cell contains more than {tied} rows", bound=note, tied=group_thousands(facts.tied))
    if facts.provisional:
        note = message("{promise}; more draws follow", promise=note)
    return Finding(label, rows / total, digits=2, rounding="up", share=True, state=state, note=note)


def _worst(facts: ColumnResult) -> Finding:
    value, where = abs(facts.worst.error) / facts.rows, statements.interval(facts.design, facts.worst.low, facts.worst.high)
    note = message("{rows} rows, {where}", rows=group_thousands(abs(facts.worst.error)), where=where)
    kept = facts.design.real_errors == KEPT
    return Finding(message("measured error"), value, digits=2, rounding="up", share=True, secret=kept, note=note)


def _exact(facts: ColumnResult) -> dict[str, Finding]:
    """The privacy that a way really has, by enumeration, on tiny domains."""
    design = facts.design
    enumeration = enumerated(design.way, design.bits, facts.rows, design.budget, design.accuracy)
    if enumeration is None:
        return {}
    note = statements.ENUMERATED[design.method]
    return {
        "epsilon-exact": Finding(
            message("privacy, enumerated"), enumeration.epsilon, digits=6, rounding="up", state="proved", note=note
        )
    }


def _sizes(facts: ColumnResult) -> dict[str, Finding]:
    note = message("for α = {alpha}", alpha=figure(double(facts.design.error), 3))
    return {
        "stated-size": Finding(message("bisection, as printed"), facts.sizes.stated, "rows", note=note),
        "corrected-size": Finding(message("bisection, corrected"), facts.sizes.right, "rows"),
        "corrected-size-smooth": Finding(message("corrected, 8/α not rounded"), facts.sizes.smooth, "rows"),
    }
