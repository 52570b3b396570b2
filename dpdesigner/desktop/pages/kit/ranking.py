"""The bars of an outcome's costs, the best first; and what header and status bar say of it: all from its findings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpdesigner.desktop.look.words import capital, tr, translated
from dpdesigner.desktop.pages.kit.summary import Summary
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.tables import Rank, Ranking, Role


def bars(outcome: Any) -> Ranking:
    """Return a bar for each finding in an outcome's ranking."""
    rows = tuple(_bar(key, outcome.findings[key]) for key in outcome.ranking)
    return Ranking("costs", tr("What it costs"), rows)


def summary(outcome: Any) -> Summary:
    """Return header and status bar of an outcome; where it is not proved, the status bar says why."""
    told = Summary.of(outcome)
    return told if told.state == "proved" else replace(told, note=capital(translated(outcome.reason)))


def _bar(key: str, finding: Finding) -> Rank:
    """Green for what is proved; what is only there to be compared with stays in the background."""
    role: Role = "rival" if finding.state == "given" else "main"
    return Rank(translated(finding.label), finding.number, role, finding.state == "proved", key)
