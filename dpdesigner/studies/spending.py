"""The total privacy loss of designs about the same people: which of them count, and the total in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpdesigner.core.basics.accountant import Total, total
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact, excerpt, plain
from dpdesigner.core.basics.rounding import figure
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.input_kinds import json_value, members
from dpdesigner.studies.study import Study, design_of


def total_epsilon(designs: Iterable[Any], delta: Number | None = None) -> float:
    """Return the total epsilon of several releases about the same people, rounded up.

    Parameters
    ----------
    designs : iterable of designs or answers
        Each is released once; one that is released several times is given several times.
    delta : Number, optional
        The probability that the total may leave uncovered; by default the sum of the designs' own deltas, mostly 0. With more,
        equal releases are composed exactly where that is tighter than the sum (Kairouz, Oh, Viswanath, 2015).

    Returns
    -------
    float
        Infinite where a design does not keep to its epsilon, for example because its list of categories was read from the data.
        Where some designs hold for people who join or leave and others for people who are replaced, it is for the latter, and
        the former count twice.

    Raises
    ------
    InputError
        If something else is among them, a design releases nothing, or delta is less than the sum of theirs.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> monthly = [dp.HistogramDesign("0, 18, 65", epsilon="0.1")] * 12
    >>> round(dp.total_epsilon(monthly), 6), round(dp.total_epsilon(monthly, delta="1e-3"), 4)
    (1.2, 0.8017)
    """
    studies = []
    for place, given in enumerate(designs, 1):
        study = design_of(given) or given
        if not hasattr(study, "spent"):
            raise InputError(f"only designs have a total, got {excerpt(given)} at position {place}.", "designs")
        if study.spent is None:
            raise InputError(f"the {study.kind} design at position {place} releases nothing.", "designs")
        studies.append(study)
    return spent_together(studies, delta).epsilon


def spent_together(studies: Iterable[Study], delta: Number | None = None) -> Total:
    """Return the total privacy loss of designs; those that release nothing do not count. Raises as `total`."""
    spent = [each.spent for each in studies]
    return total([each for each in spent if each is not None], None if delta is None else exact(delta, "delta"))


@dataclass(frozen=True)
class Account:
    """The designs of a document that concern the same people, and the total allowed for them.

    Attributes
    ----------
    designs : tuple of int
        Their places in a project file, their keys in an open document.
    epsilon : Number or None
        The total that is allowed; None where none is stated.
    delta : Number
        At which it is computed; at least the sum of the designs' own deltas is used.
    """

    designs: tuple[int, ...]
    epsilon: Number | None = None
    delta: Number = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", plain(self.delta))
        if not 0 <= exact(self.delta, "δ", "delta") < 1:
            raise InputError(f"δ must be at least 0 and below 1, got {excerpt(self.delta)}.", "delta", "0")
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", plain(self.epsilon))
            PrivacyLevel.from_epsilon(self.epsilon)

    def total(self, studies: Iterable[Study]) -> Total:
        """Return the designs' total privacy loss, at the account's delta or at the one that they need."""
        given = [each for each in studies if each.spent is not None]
        least = sum((each.spent.delta for each in given if each.spent is not None), Fraction(0))
        try:
            return spent_together(given, max(exact(self.delta), least))
        except InputError:  # if some releases count twice, so do their deltas
            return spent_together(given)

    def exceeded(self, found: Total) -> bool:
        """Whether a total exceeds the allowed one."""
        return self.epsilon is not None and found.epsilon > PrivacyLevel.from_epsilon(self.epsilon).epsilon_above

    def short(self, found: Total) -> Message:
        """Return the total in a short phrase: ``total ε 2.303``, or ``total ε 2.303, above 2``."""
        value = figure(found.epsilon, 4)
        if self.exceeded(found):
            return message("total ε {value}, above {limit}", value=value, limit=self.epsilon)
        if self.epsilon is not None:
            return message("total ε {value} of {limit}", value=value, limit=self.epsilon)
        return message("total ε {value}", value=value)

    def sentences(self, found: Total) -> tuple[Message, ...]:
        """Return sentences on the total: how it was composed, and whether it is within the allowed one."""
        value = figure(found.epsilon, 6)
        at = (
            message("ε = {value}, δ = {delta}", value=value, delta=figure(found.delta, 3))
            if found.delta
            else message("ε = {value}", value=value)
        )
        first = "{count} designs concern the same people. Released once each, they have {at} together."
        if found.releases == 1:
            first = "One design concerns these people. Released once, it has {at}."
        told = [message(first, count=found.releases, at=at)]
        if found.composed:
            source = "composed exactly (Kairouz, Oh, Viswanath, 2015)"
            if found.composed == found.releases:
                told.append(message("All have the same level and are {source}.", source=source))
            else:
                words = {"count": found.composed, "source": source}
                told.append(message("{count} have the same level and are {source}; the others are added.", **words))
        elif found.releases > 1:
            told.append(message("This is the sum of their levels (basic composition)."))
        if found.doubled:
            told.append(message("Some protect people who join or leave, others people who are replaced: the former count twice."))
        if self.exceeded(found):
            told.append(message("This exceeds the stated total of ε = {limit}.", limit=self.epsilon))
        elif self.epsilon is not None:
            told.append(message("The stated total is ε = {limit}.", limit=self.epsilon))
        return tuple(told)

    def to_json(self) -> dict[str, Any]:
        """Return the account as JSON values, with numbers as entered."""
        stated = {} if self.epsilon is None else {"epsilon": json_value(self.epsilon)}
        return {"designs": list(self.designs), **stated, **({"delta": json_value(self.delta)} if self.delta else {})}

    @classmethod
    def from_json(cls, data: object, designs: int) -> Account:
        """Make an account from `to_json`'s values, of a file with this many designs; raises `InputError` for invalid ones."""
        given = members(data, "same_people", ("designs", "epsilon", "delta"), ("designs",))
        places: Any = given["designs"]
        if not isinstance(places, list) or not all(type(place) is int and 0 <= place < designs for place in places):
            wanted = f"same_people must list designs by their positions from 0 to {designs - 1}"
            raise InputError(f"{wanted}, got {excerpt(places)}.", "file")
        if len(set(places)) < len(places):
            raise InputError("same_people must list every design once, got one twice.", "file")
        return cls(tuple(places), given.get("epsilon"), given.get("delta", 0))


def kept(account: Account | None, keys: Mapping[int, int]) -> Account | None:
    """Return an account with renumbered designs, dropping those without a new key; None if nothing is left."""
    if account is None:
        return None
    designs = tuple(keys[key] for key in account.designs if key in keys)
    return Account(designs, account.epsilon, account.delta) if designs or account.epsilon is not None else None
