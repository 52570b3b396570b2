"""The answer to a design of a made-up column: findings, sentences and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.given import double
from dpdesigner.core.numbers.rounding import counted, figure
from dpdesigner.core.synthetic.atom_ratios import enumerated
from dpdesigner.core.synthetic.draws import source_of
from dpdesigner.core.synthetic.making import all_promised, make
from dpdesigner.core.synthetic.promise import Promise
from dpdesigner.studies.accuracy import KEPT
from dpdesigner.studies.declared import Answer, Panel, Why
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.synthetic import pictures, words
from dpdesigner.studies.synthetic.design import NEIGHBOURS, WAYS, IntervalDesign, real_counts
from dpdesigner.studies.synthetic.facts import Facts


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class IntervalAnswer(Answer):
    """A made-up column, and what is told of it.

    Attributes
    ----------
    facts : Facts
    """

    design: IntervalDesign
    facts: Facts

    @property
    def counts(self) -> Integers:
        """(2^bits,): the made-up counts."""
        return self.facts.made.counts

    @cached_property
    def synthetic(self) -> Floats:
        """The made-up column, in the units of the real one, in rising order."""
        return self.design.cells.values(self.facts.made.counts)

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
    return told(Facts(design, made, real, _promises(design, quick, progress, made.total)))


def surer(facts: Facts, progress: Progress = silent) -> IntervalAnswer:
    """Return the answer with the same column, and with promises that rest on many simulated releases."""
    return told(replace(facts, promises=_promises(facts.design, False, progress, facts.total)))


def told(facts: Facts) -> IntervalAnswer:
    """Return what is told of a made-up column."""
    private = said("✓ proved private") if facts.design.seed is None else said("✓ proved private · for study")
    return IntervalAnswer(
        design=facts.design,
        findings=_findings(facts),
        sentence=words.sentence(facts),
        badge=facts.design.badge(private),
        checks=words.checks(facts),
        why=Why(template="synthetic", help="synthetic"),
        facts=facts,
    )


def _promises(design: IntervalDesign, quick: bool, progress: Progress, total: int) -> Mapping[str, Promise | None]:
    return all_promised(design.bits, design.budget, double(design.delta), total, design.accuracy, design.way, quick, progress)


def _findings(facts: Facts) -> dict[str, Finding]:
    design = facts.design
    return {
        "promised-error": _promised(facts),
        "worst-error": _worst(facts),
        "recommended": Finding(
            said("best way here"), dict(WAYS)[facts.recommended] if facts.recommended else None, note=words.reason(facts)
        ),
        "epsilon": design.of_epsilon(dict(NEIGHBOURS)[design.neighbours]),
        **_exact(facts),
        "rows": Finding(said("rows"), facts.total),
        "largest-share": Finding(
            said("fullest cell"), float(facts.real.max() / facts.rows), digits=2, share=True, secret=True, note=words.ties(facts)
        ),
        **_sizes(facts),
    }


def _promised(facts: Facts) -> Finding:
    rows, total = facts.promised_rows, facts.total
    label = said("error bound")
    if rows is None or not total:
        return Finding(label, None, note=words.nothing_promised(facts, brief=True))
    state: State = "pending" if facts.provisional else "proved" if facts.tied else "measured"
    note = said("{rows} of {total} rows", rows=counted(rows), total=counted(total))
    if facts.tied:
        note = said("{bound}, if no cell holds more than {tied} rows", bound=note, tied=counted(facts.tied))
    if facts.provisional:
        note = said("{promise}; more draws follow", promise=note)
    return Finding(label, rows / total, digits=2, rounding="up", share=True, state=state, note=note)


def _worst(facts: Facts) -> Finding:
    value, where = abs(facts.worst.error) / facts.rows, words.interval(facts.design, facts.worst.low, facts.worst.high)
    note = said("{rows} rows, {where}", rows=counted(abs(facts.worst.error)), where=where)
    kept = facts.design.real_errors == KEPT
    return Finding(said("measured error"), value, digits=2, rounding="up", share=True, secret=kept, note=note)


def _exact(facts: Facts) -> dict[str, Finding]:
    """The privacy that a way really has, by enumeration, on tiny domains."""
    design = facts.design
    enumeration = enumerated(design.way, design.bits, facts.rows, design.budget, design.accuracy)
    if enumeration is None:
        return {}
    note = words.ENUMERATED[design.method]
    return {
        "epsilon-exact": Finding(
            said("privacy, enumerated"), enumeration.epsilon, digits=6, rounding="up", state="proved", note=note
        )
    }


def _sizes(facts: Facts) -> dict[str, Finding]:
    note = said("for α = {alpha}", alpha=figure(double(facts.design.alpha), 3))
    return {
        "stated-size": Finding(said("bisection, as printed"), facts.sizes.stated, "rows", note=note),
        "corrected-size": Finding(said("bisection, corrected"), facts.sizes.right, "rows"),
        "corrected-size-smooth": Finding(said("corrected, 8/α not rounded"), facts.sizes.smooth, "rows"),
    }
