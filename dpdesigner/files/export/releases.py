"""What was drawn from a mechanism, and what must be known before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.accountant import together
from dpdesigner.errors import InputError


@dataclass(frozen=True)
class Releases:
    """Values drawn from a mechanism.

    Attributes
    ----------
    values : tuple
        Numbers; lists of numbers where several belong together.
    warning : str
        What must be known before they are used; empty where there is nothing.
    exact : bool
        Whether they have exactly the probabilities of the mechanism; else they must not be published.
    names : tuple of str
        What the numbers of a list are of, where they have names.
    """

    values: Sequence[Any]
    warning: str = ""
    exact: bool = True
    names: tuple[str, ...] = ()


def released(values: Sequence[Any], epsilon: float, what: str, seed: int | None = None) -> Releases:
    """Return what was drawn.

    Parameters
    ----------
    epsilon : float
        What each has, rounded up; of several it is said what they have together.
    what : str
        What several are: ``"releases of the same rows"``.
    seed : int, optional
        What they were drawn from, if it was no entropy: then they must not be published.
    """
    if seed is not None:
        return Releases(values, f"seed {seed}: for study only, not to be published.", exact=False)
    if len(values) < 2:
        return Releases(values)
    total = figure(together([epsilon] * len(values)), 6)
    return Releases(values, f"{len(values)} {what}: together they have epsilon = {total}, rounded up.")


def refuse_count(count: str | None, why: str) -> None:
    """Refuse a true result where a release needs none."""
    if count is not None:
        raise InputError(f"{why}; leave --count out.", "count")
