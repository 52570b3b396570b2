"""The total privacy loss: of designs about the same people, and of the releases of a column that a project remembers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from fractions import Fraction
from threading import Lock
from typing import Any

from dpdesigner.core.basics.accountant import Spent, Total, total
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact, excerpt, parse_integer, plain
from dpdesigner.core.basics.rounding import figure
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.input_kinds import json_value, members
from dpdesigner.studies.registry import entry, kinds
from dpdesigner.studies.snapshot import Found
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


_MOST_TIMES = 1000  #: how often a design can be released


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
    times : tuple of int
        How often each is released; by default once.
    """

    designs: tuple[int, ...]
    epsilon: Number | None = None
    delta: Number = 0
    times: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        given = self.times or (1,) * len(self.designs)
        if len(given) != len(self.designs):
            raise InputError(f"there must be as many times as designs, got {len(given)} for {len(self.designs)}.", "times")
        object.__setattr__(self, "times", tuple(parse_integer(each, "times", 1, _MOST_TIMES) for each in given))
        object.__setattr__(self, "delta", plain(self.delta))
        if not 0 <= exact(self.delta, "δ", "delta") < 1:
            raise InputError(f"δ must be at least 0 and below 1, got {excerpt(self.delta)}.", "delta", "0")
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", plain(self.epsilon))
            PrivacyLevel.from_epsilon(self.epsilon)

    def total(self, studies: Sequence[Study]) -> Total:
        """Return the total privacy loss of its designs, in order, at its delta or the one needed: of all releases."""
        made = [each for each in RECORD.kept if each.data in {design.data_name for design in studies}]
        given, left = [each.spent for each in made], Counter((each.data, each.kind) for each in made)
        for design, times in zip(studies, self.times, strict=True):
            among = min(times, left[key := (design.data_name, design.kind)])
            left[key] -= among
            given += [] if design.spent is None else [design.spent] * (times - among)
        try:
            found = total(given, max(exact(self.delta), sum((each.delta for each in given), Fraction(0))))
        except InputError:  # if some releases count twice, so do their deltas
            found = total(given)
        return replace(found, made=len(made))

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
        if any(each > 1 for each in self.times) and not found.made:
            first = "{count} releases concern the same people. They have {at} together."
        elif found.made:
            first = "{count} releases concern the same people, {made} of them made already. They have {at} together."
        elif found.releases == 1:
            first = "One design concerns these people. Released once, it has {at}."
        told = [message(first, count=found.releases, at=at, made=found.made)]
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
        times = {"times": list(self.times)} if any(each > 1 for each in self.times) else {}
        return {"designs": list(self.designs), **times, **stated, **({"delta": json_value(self.delta)} if self.delta else {})}

    @classmethod
    def from_json(cls, data: object, designs: int) -> Account:
        """Make an account from `to_json`'s values, of a file with this many designs; raises `InputError` for invalid ones."""
        given = members(data, "same_people", ("designs", "times", "epsilon", "delta"), ("designs",))
        places: Any = given["designs"]
        if not isinstance(places, list) or not all(type(place) is int and 0 <= place < designs for place in places):
            wanted = f"same_people must list designs by their positions from 0 to {designs - 1}"
            raise InputError(f"{wanted}, got {excerpt(places)}.", "file")
        if len(set(places)) < len(places):
            raise InputError("same_people must list every design once, got one twice.", "file")
        if not isinstance(times := given.get("times", []), list):
            raise InputError(f"times must be a list with a number for each design, got {excerpt(times)}.", "file")
        return cls(tuple(places), given.get("epsilon"), given.get("delta", 0), tuple(times))


def kept(account: Account | None, keys: Mapping[int, int]) -> Account | None:
    """Return an account with renumbered designs, dropping those without a new key; None if nothing is left."""
    if account is None:
        return None
    rest = {keys[key]: times for key, times in zip(account.designs, account.times, strict=True) if key in keys}
    if not rest and account.epsilon is None:
        return None
    return replace(account, designs=tuple(rest), times=tuple(rest.values()))


_LONGEST_NAME = 300
_KEYS = ("data", "kind", "epsilon", "alpha", "delta", "neighbours", "time", "design", "released")


@dataclass(frozen=True)
class Release:
    """A release that left the window or could have, as a project remembers it: nothing of the data but what was released.

    Attributes
    ----------
    data : str
        The `data_name` of its design.
    kind : str
        Of its design.
    spent : Spent
    time : str
        When it was made, in UTC: ``"2026-11-28T21:40:03"``.
    made : object or None
        What was released, if its kind keeps that: it has its design, whose ``remade(values)`` makes it of its JSON ``values``.
    """

    data: str
    kind: str
    spent: Spent
    time: str
    made: Any = field(default=None, compare=False)

    @property
    def public(self) -> dict[str, Any]:
        """What a file keeps of the released values: nothing where ε does not cover them all, as for cells taken from the data."""
        if self.made is None or math.isinf(self.made.design.spent.level.epsilon):
            return {}
        inputs = self.made.design.to_public_json()
        return {"design": {key: inputs[key] for key in inputs if key not in _OUTSIDE}, "released": self.made.values}

    def to_json(self) -> dict[str, Any]:
        """Return the release as JSON values, with the level as entered."""
        form, number = self.spent.level.source
        delta = {"delta": json_value(self.spent.delta)} if self.spent.delta else {}
        neighbours = {"neighbours": self.spent.adjacency} if self.spent.adjacency else {}
        level = {form: json_value(number), **delta, **neighbours}
        return {"data": self.data, "kind": self.kind, **level, "time": self.time, **self.public}

    @classmethod
    def from_json(cls, data: object) -> Release:
        """Make a release from `to_json`'s values; raises `InputError` for others."""
        given = members(data, "a release", _KEYS, ("data", "kind", "time"))
        name, time, neighbours = given["data"], given["time"], given.get("neighbours", "")
        if not (isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME):
            raise InputError(f"the data of a release must be a name of at most {_LONGEST_NAME} characters.", "file")
        if not isinstance(given["kind"], str) or given["kind"] not in kinds():
            raise InputError(f"a release must have a kind of design, got {excerpt(given['kind'])}.", "file")
        if ("epsilon" in given) == ("alpha" in given):
            raise InputError("a release must have either epsilon or alpha.", "file")
        if not isinstance(neighbours, str) or neighbours not in ("", "replace", "add-remove"):
            raise InputError(f"neighbours must be replace or add-remove, got {excerpt(neighbours)}.", "file")
        if not (isinstance(time, str) and _TIME.fullmatch(time)):
            raise InputError(f"the time of a release must be like 2026-11-28T21:40:03, got {excerpt(time)}.", "file")
        level = PrivacyLevel("alpha", given["alpha"]) if "alpha" in given else PrivacyLevel("epsilon", given["epsilon"])
        delta: Any = exact(given.get("delta", 0), "delta", "file")
        if not 0 <= delta < 1:
            raise InputError(f"the delta of a release must be at least 0 and below 1, got {excerpt(given['delta'])}.", "file")
        spent = Spent(level, delta, neighbours)  # type: ignore[arg-type]
        return cls(name, given["kind"], spent, time, _remade(given, spent) if "design" in given or "released" in given else None)

    def beside(self, studies: Iterable[Study]) -> Release:
        """Return the release with the data of its design, if exactly one of these studies' data have its name."""
        known = list[dict[str, Any]]()
        for study in studies:
            if self.made is not None and study.data_name == self.data and (data := _data(study)) not in known:
                known.append(data)
        if len(known) != 1:
            return self
        return replace(self, made=replace(self.made, design=self.made.design.replace(**known[0])))


_OUTSIDE = ("kind", "name", "path")  # what the design of a release leaves to the release


def _data(study: Any) -> dict[str, Any]:
    """Return the inputs in which a study has its data."""
    return {"path": study.path} if study.path else {"path": "", **{key: vars(study)[key] for key in study.data_inputs}}


def _remade(given: Mapping[str, Any], spent: Spent) -> Any:
    """Return what was released, of a release's JSON values; raises `InputError` for others."""
    study: Any = entry(given["kind"]).study_class()
    if not hasattr(study, "remade") or not isinstance(given.get("design"), Mapping) or "released" not in given:
        raise InputError("a release must have its design and what was released, or neither.", "file")
    design = study.from_json({**given["design"], "kind": given["kind"], "path": given["data"]})
    if _numbers(design.release_loss) != _numbers(spent):
        raise InputError("the design of a release must have its privacy loss.", "file")
    return design.remade(given["released"])


def _numbers(spent: Spent) -> tuple[Any, ...]:
    return spent.level.epsilon, spent.delta, spent.adjacency


_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", re.ASCII)


def data_name(path: str, otherwise: str = "") -> str:
    """Return by what a project remembers a file: its name, in any folder; shipped data by the whole path."""
    return path if path.startswith(EXAMPLE) else re.split(r"[\\/]", path)[-1][:_LONGEST_NAME] or otherwise


class Record:
    """The releases that a project remembers; not an input, so that undo leaves it alone. Releases of shipped data end with it."""

    def __init__(self) -> None:
        self._marks: dict[Hashable, Release] = {}
        self._lock = Lock()
        self.take(())

    def take(self, releases: Iterable[Release], studies: Sequence[Study] = ()) -> None:
        """Begin with the releases of a project, of the data of its studies."""
        self._set(tuple(each.beside(studies) for each in releases))

    def _set(self, releases: tuple[Release, ...]) -> None:
        self.found = Found(None, releases)  #: all of them, for pages and panels
        self.kept = tuple(each for each in releases if not each.data.startswith(EXAMPLE))  #: those that a project file has

    def add(self, design: Any, spent: Spent, mark: Hashable = None, made: Any = None) -> None:
        """Remember a release of a design; one with the mark of an earlier one is the same, at the larger loss."""
        if not design.data_name:
            return
        new = Release(design.data_name, design.kind, spent, f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%S}", made)
        with self._lock:
            earlier: tuple[Release, ...] = self.found.value
            old = None if mark is None else self._marks.get(mark)
            if old is not None:
                new = new if spent.level.epsilon > old.spent.level.epsilon else old
            if mark is not None:
                self._marks[mark] = new
            if new not in earlier or old is None:
                self._set((*(each for each in earlier if each is not old), new))

    def of(self, design: Any) -> list[Spent]:
        """Return the privacy loss of each release of the data of a design."""
        return [each.spent for each in self.found.value if each.data == design.data_name]

    def known(self, kind: str) -> list[Any]:
        """Return what was released of designs of a kind, in order, as far as it is known."""
        return [each.made for each in self.found.value if each.kind == kind and each.made is not None]

    def is_kept(self, design: Any) -> bool:
        """Return True if a project file remembers releases of these data; it remembers none of shipped data."""
        return any(each.data == design.data_name for each in self.kept)


def so_far(spent: Sequence[Spent]) -> Message:
    """Return in one sentence how many releases of the same rows there are, with their total; empty without one."""
    text = "{count} releases of these rows have {at} together." if len(spent) > 1 else "1 release of these rows has {at}."
    return message(text, count=len(spent), at=at_total(spent)) if spent else message("")


def another(spent: Sequence[Spent], one: Spent) -> Message:
    """Return the total with another release, and why it is more than the sum."""
    text, more = "Another one would make it {at}.", [*spent, one]
    if total(more).doubled > total(spent).doubled:
        text += " For a replaced row, a release for added or removed rows counts twice."
    return message(text, at=at_total(more))


def at_total(spent: Sequence[Spent]) -> Message:
    """Return the total of releases: ``ε = 0.2``, and δ where there is one."""
    found = total(spent)
    text = "ε = {epsilon}, δ = {delta}" if found.delta else "ε = {epsilon}"
    return message(text, epsilon=figure(found.epsilon, 4), delta=figure(float(found.delta), 3))


#: Those of the open project. Shared by its pages, exports and reports.
RECORD = Record()
