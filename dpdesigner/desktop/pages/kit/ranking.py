"""The bars of an outcome's costs, the best first; and what header and status bar say of it: all from its findings."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.studies.findings import Finding, shown
from dpdesigner.studies.tables import Rank, Ranking, Role


def bars(outcome: Any) -> Ranking:
    """Return a bar for each finding in an outcome's ranking."""
    rows = tuple(_bar(key, outcome.findings[key]) for key in outcome.ranking)
    return Ranking("costs", QCoreApplication.translate("ranking", "What it costs"), rows)


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


def _bar(key: str, finding: Finding) -> Rank:
    """Green for what is proved; what is only there to be compared with stays in the background."""
    role: Role = "rival" if finding.state == "given" else "main"
    return Rank(translated(finding.label), finding.number, role, finding.state == "proved", key)
