"""The bars of an outcome's costs, the best first; and what header and status bar say of it: all from its findings."""

from __future__ import annotations

from typing import Any

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.desktop.widgets.plot.cost_bars import Cost, State
from dpdesigner.studies.findings import Finding, shown


def bars(outcome: Any) -> list[Cost]:
    """Return a bar for each finding in an outcome's ranking."""
    ranked = ((key, outcome.findings[key]) for key in outcome.ranking)
    return [Cost(translated(finding.label), finding.number, _bar(finding), key) for key, finding in ranked]


def summary(outcome: Any) -> Summary:
    """Return header and status bar of an outcome whose badge says all that is proved."""
    headline = next(iter(outcome.findings.values()))
    badge, state = outcome.badge
    proved, note = state == "proved", translated(outcome.reason)
    return Summary(
        line=translated(outcome.line),
        value_label=translated(headline.label),
        value=shown(headline),
        badge=translated(badge),
        state="proved" if proved else "open",
        facts=tuple(translated(check) for check in outcome.checks),
        note="" if proved else note[:1].upper() + note[1:],
    )


def _bar(finding: Finding) -> State:
    """Green for what is proved; what is only there to be compared with stays in the background."""
    if finding.state == "proved":
        return "proved"
    return "quiet" if finding.state == "given" else "other"
