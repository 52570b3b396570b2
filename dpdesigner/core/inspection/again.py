"""The same count released several times: what is found out then."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesigner.core.inspection.curves import Exact
from dpdesigner.core.inspection.profile import Profile, profile
from dpdesigner.progress import Progress, silent

_MOST_ROWS = 200  # of a table that is looked at for several releases
_AGAIN = (1, 2, 3, 5, 10)


@dataclass(frozen=True)
class Again:
    """So many releases: how many are found out, bets won, and what epsilon does not cover."""

    releases: int
    found_out: Exact
    success: Exact
    delta: Exact


def several_releases(
    once: Profile, false_alarms: Exact, base_rate: Exact, ratio: Exact, progress: Progress = silent
) -> list[Again]:
    """Compare the rows for 1, 2, 3, 5 and 10 releases; what is not exact is rounded up.

    Parameters
    ----------
    once : Profile
        Of the same rows, for any number of releases.
    false_alarms, base_rate : Fraction or float
    ratio : Fraction or float
        e^epsilon, at which delta is told.
    """
    group, rows = max((abs(i - k) for i, k in once.pairs), default=1), []
    for releases in _AGAIN if once.table.n < _MOST_ROWS else ():
        found = once if releases == once.releases else profile(once.table, group, releases, progress, roughly=True)
        rows.append(Again(releases, found.found_out(false_alarms), found.success(base_rate), found.delta(ratio)))
    return rows
