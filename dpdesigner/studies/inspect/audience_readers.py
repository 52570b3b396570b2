"""The readers of a release as an input: each with a name, a prior or possible counts, a loss, a weight and a target."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.core.basics.coercion import as_numbers
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number, exact, excerpt, harmless, is_number, limit, listed, numbered, parse_integer
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.basics.rounding import rounded_up
from dpdesigner.core.inspection.readers import AudienceReader, Caution, Losses
from dpdesigner.data.options import READER_COLUMNS
from dpdesigner.data.options import readers_of as readers_of  # the window takes it from here
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.fields import RANGE
from dpdesigner.studies.input_kinds import LONGEST_TEXT, TextLike, json_value, members

FIELD = "readers"
MOST_READERS = 200
_LARGEST = 10**15  # of weights, targets and losses in tables

_KEYS = (*READER_COLUMNS, "minimax", "minimax_regret", "labels", "prior_source")
_ALL, _BETWEEN = "all", "|"  # every count; what separates candidate priors in a text

_EXACT_UP_TO = 100  # n of named priors that are cut as fractions
_ABSOLUTE = Loss("absolute")

Belief = str | tuple[Number, ...]


@dataclass(frozen=True)
class ReaderSpec:
    """A reader as entered, before the range of the count is known.

    Attributes
    ----------
    name : str
    prior : str or tuple of Number
        Of a reader who has one.
    loss : Loss or tuple of tuples of Fraction
        A table may have any number of columns.
    weight : Number
    target : Number or None
    caution : {"", "loss", "regret"}
        What a reader without a prior minimises in the worst case.
    cases : str, tuple of int, or tuple of Belief
        Of that reader: ``"all"``, ``"4..14"``, counts, or with `priors` candidate priors.
    priors : bool
    labels : tuple of str
        The names of the columns of a loss table.
    source : str
        The data from which the prior or the candidates were counted, which nothing protects, and after ``"; "`` what was cut.
    sized : Prior or None
        The prior where n was changed, which knows its weights before that.
    """

    name: str
    prior: Belief = "uniform"
    loss: Loss | Losses = _ABSOLUTE
    weight: Number = 1
    target: Number | None = None
    caution: Caution = ""
    cases: str | tuple[Any, ...] = ()
    priors: bool = False
    labels: tuple[str, ...] = ()
    source: str = ""
    sized: Prior | None = field(default=None, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return the reader as JSON values, with numbers as entered and defaults omitted."""
        loss = self.loss.specification if isinstance(self.loss, Loss) else self.loss
        cases = json_value(self.cases)
        return {
            "name": self.name,
            **({self.way: {"priors": cases} if self.priors else cases} if self.caution else {"prior": json_value(self.prior)}),
            "loss": json_value(loss),
            **({} if self.weight == 1 else {"weight": json_value(self.weight)}),
            **({} if self.target is None else {"target": json_value(self.target)}),
            **({"labels": list(self.labels)} if self.labels else {}),
            **({"prior_source": self.source} if self.source else {}),
        }

    @property
    def way(self) -> str:
        """The key of what a cautious reader holds for possible."""
        return "minimax_regret" if self.caution == "regret" else "minimax"

    @property
    def cases_text(self) -> str:
        """The counts or priors that a cautious reader considers possible, as they can be typed."""
        if isinstance(self.cases, str):
            return self.cases.replace("..", " to ")
        if not self.priors:
            return ", ".join(map(str, self.cases))
        return f" {_BETWEEN} ".join(each if isinstance(each, str) else " ".join(map(str, each)) for each in self.cases)

    @property
    def counted(self) -> bool:
        """True if the prior or the candidates were counted from data."""
        return bool(self.source.partition("; ")[0])

    def over(self, n: int, old: int) -> ReaderSpec:
        """Return the reader where n is changed from `old`: beliefs stay at their counts, as in `Prior.resized`."""
        with suppress(InputError):
            if not self.caution:
                made = self._sized(self.prior, old).resized(n)
                return replace(self, prior=_belief_of(made), source=made.source, sized=made)
            if self.priors:
                return replace(self, cases=tuple(_belief_of(self._sized(each, old).resized(n)) for each in self.cases))
            kept = self.cut(n, old)
            return kept if kept.cases else replace(self, cases=_ALL)
        return self

    def _sized(self, belief: Belief, old: int) -> Prior:
        """Return a belief as a prior over its own range; names are over 0..old."""
        if self.sized is not None and belief == _belief_of(self.sized) and self.source == self.sized.source:
            return self.sized
        weights = _digits(belief)
        return Prior(weights, old if isinstance(weights, str) else len(weights) - 1, _fitting(weights, self.source))

    def fitted(self, n: int, old: int) -> ReaderSpec:
        """Return the reader of a count over 0..old for one over 0..n: what they expect is cut at n; others are unchanged."""
        with suppress(InputError):
            if n != old:
                self.reader(old)
                return self.cut(n, old)
        return self

    def cut(self, n: int, old: int) -> ReaderSpec:
        """Return the reader without the counts above n, and with probability 0 above the counts of their prior."""
        if not self.caution:
            return replace(self, prior=_cut(self.prior, n, old))
        if self.priors:
            return replace(self, cases=tuple(each for given in self.cases if _possible(each := _cut(given, n, old))))
        if isinstance(self.cases, str) and (ends := RANGE.fullmatch(self.cases)):
            return replace(self, cases=f"{ends[1]}..{min(int(ends[2]), n)}" if int(ends[1]) <= n else ())
        return self if isinstance(self.cases, str) else replace(self, cases=tuple(count for count in self.cases if count <= n))

    def loses(self, n: int, old: int) -> bool:
        """Return whether the reader of a count over 0..old expects counts above n, apart from one who expects any."""
        with suppress(InputError):
            return n < old and self.cases != _ALL and bool(self.reader(old).beliefs[:, n + 1 :].any())
        return False

    def cases_over(self, n: int, old: int) -> str:
        """Return the possible counts up to n, or the candidate priors, as they can be typed."""
        return (self if self.priors else self.fitted(n, old)).cases_text

    def painted(self, prior: Any, n: int, old: int) -> Belief:
        """Return a new prior over 0..n with what the old one expects above n, as likely as before; a name is of 0..old."""
        if isinstance(prior, str) and n < old:
            return prior
        own = Prior(prior, n).probabilities.tolist() if isinstance(prior, str) else tuple(prior)
        hidden = np.zeros(0)
        with suppress(InputError):
            hidden = Prior(_digits(self.prior), old).probabilities[n + 1 :]
        total = Prior(own, n).weights.sum()
        return (*own, *(hidden * total / (1 - hidden.sum())).tolist())

    def reader(self, n: int) -> AudienceReader:
        """Return the reader of a count over 0..n; refuse a prior, cases or a loss that do not fit that range."""
        return _reader(self, n)


def readers_over(specs: Sequence[ReaderSpec], n: int) -> list[AudienceReader]:
    """Return the readers of a count over 0..n; an error suggests all readers over that range, if these fit."""
    try:
        return [spec.reader(n) for spec in specs]
    except InputError as error:
        named = [max(map(int, re.findall(r"\d+", f"{spec.prior}{spec.cases}")), default=n) for spec in specs]
        mended = [spec.over(n, max(n, largest)) for spec, largest in zip(specs, named, strict=True)]
        try:
            for spec in mended:
                spec.reader(n)
        except InputError:
            raise error from None
        raise InputError(str(error), FIELD, _as_text(mended)) from error


def readers_of_table(specs: Sequence[ReaderSpec], n: int, old: int) -> list[AudienceReader]:
    """Return the readers of a count over 0..old for a table of the counts 0..n; refuse one who expects only larger counts."""
    made = [spec.fitted(n, old) for spec in specs]
    lost = [not (each.cases if each.caution else _possible(each.prior)) for each in made] if n < old else []
    if any(lost):
        words = f"reader {made[lost.index(True)].name} expects only counts above {n}, the largest count of the table."
        free = [replace(spec, prior="uniform", cases=_ALL, priors=False) for spec in specs]
        raise InputError(words, FIELD, _as_text([free[place] if gone else specs[place] for place, gone in enumerate(lost)]))
    return readers_over(made, n)


def _as_text(specs: Sequence[ReaderSpec]) -> str:
    """The readers as a text that `ReadersInput` reads."""
    return json.dumps([spec.to_json() for spec in specs])


def _belief_of(prior: Prior) -> Belief:
    given = prior.specification
    return given if isinstance(given, str | tuple) else tuple(prior.weights.tolist())


def _fitting(belief: Belief, source: str) -> str:
    return "".join(source.partition("; ")[1:]) if isinstance(belief, str) else source  # no data have a name


def _cut(belief: Belief, n: int, old: int) -> Belief:
    """Return a belief about 0..old as one about 0..n, with 0 where it has no weight."""
    weights = _digits(belief)
    if isinstance(weights, str) and n != old:
        named = Prior(weights, old)
        weights = named.exact if old <= _EXACT_UP_TO else tuple(named.probabilities.tolist())
    if isinstance(weights, str) or len(weights) == n + 1:
        return belief if n == old else weights
    return (*weights[: n + 1], *[0] * (n + 1 - len(weights)))


def _possible(belief: Belief) -> bool:
    return isinstance(belief, str) or any(exact(weight) for weight in belief)


def _digits(belief: Belief) -> Belief:
    """A prior that is written as a digit for each weight, as weights."""
    return tuple(map(int, belief)) if isinstance(belief, str) and belief.isdecimal() and len(belief) > 1 else belief


@lru_cache(maxsize=512)
def _reader(spec: ReaderSpec, n: int) -> AudienceReader:
    if isinstance(spec.loss, Loss):
        _renamed(spec.name, lambda: spec.loss.check(n))
    elif len(spec.loss) != n + 1:
        raise InputError(f"the loss table of {spec.name} has {len(spec.loss)} rows, but n = {n} needs {n + 1}.", FIELD)
    beliefs = _candidates(spec, n) if spec.caution else (spec.prior,)
    priors = tuple(_prior(spec.name, belief, n, spec.source) for belief in beliefs)
    return AudienceReader(spec.name, priors, spec.loss, spec.labels, spec.caution, spec.weight, spec.target)


def _prior(name: str, belief: Belief, n: int, source: str) -> Prior:
    belief = _digits(belief)
    if not isinstance(belief, str) and len(belief) != n + 1:
        raise InputError(f"the prior of {name} has {len(belief)} entries, but n = {n} needs {n + 1}.", FIELD)
    made: Prior = _renamed(name, lambda: Prior(belief, n, _fitting(belief, source)))
    return made


def _candidates(spec: ReaderSpec, n: int) -> tuple[Belief, ...]:
    if spec.priors:
        return tuple(spec.cases)
    counts: Sequence[int] = spec.cases if isinstance(spec.cases, tuple) else ()
    if spec.cases == _ALL:
        counts = range(n + 1)
    elif isinstance(spec.cases, str) and (ends := RANGE.fullmatch(spec.cases)):
        counts = range(int(ends[1]), int(ends[2]) + 1)
    if counts and max(counts) > n:
        raise InputError(f"the possible counts of {spec.name} must be at most n = {n}, got {max(counts)}.", FIELD)
    return tuple(tuple(int(i == count) for i in range(n + 1)) for count in counts)


def _renamed(name: str, make: Any) -> Any:
    """Return the result of a call; its errors name the reader."""
    try:
        return make()
    except InputError as error:
        raise InputError(f"reader {name}: {error}", FIELD) from error


class ReadersInput(TextLike[tuple[ReaderSpec, ...]]):
    """A list of readers, each a mapping with a name and a prior, ``minimax`` or ``minimax_regret``, a loss and more."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[ReaderSpec, ...]:
        if isinstance(given, str):
            try:
                given = json.loads(given)
            except ValueError:
                raise InputError(f"the readers must be a list of readers, got {excerpt(given)}.", key) from None
        if hasattr(given, "to_dict"):  # a DataFrame
            rows: Any = given
            given = [{k: v for k, v in row.items() if v is not None and v == v} for row in rows.to_dict("records")]
        if not isinstance(given, Sequence) or isinstance(given, str | bytes) or not given:
            raise InputError(f"the readers must be a list of at least one reader, got {excerpt(given)}.", key)
        if len(given) > MOST_READERS:
            raise InputError(f"there must be at most {MOST_READERS} readers, got {len(given)}.", key)
        specs = tuple(each if isinstance(each, ReaderSpec) else _spec(each, place) for place, each in enumerate(given, 1))
        names = [spec.name for spec in specs]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            sentence = f"every reader must have a different name, got {excerpt(twice)} twice."
            raise InputError(sentence, key, _as_text(numbered(specs)))
        return specs

    @override
    def as_json(self, value: tuple[ReaderSpec, ...], key: str) -> dict[str, Any]:
        return {key: [spec.to_json() for spec in value]}

    @override
    def text(self, value: tuple[ReaderSpec, ...]) -> str:
        return message("1 reader") if len(value) == 1 else message("{count} readers", count=len(value))

    @override
    def identity(self, value: tuple[ReaderSpec, ...]) -> Hashable:
        return json.dumps([spec.to_json() for spec in value])


def _spec(given: object, place: int) -> ReaderSpec:
    if not isinstance(given, Mapping):
        raise InputError(f"reader {place} must have a name, a prior and a loss, got {excerpt(given)}.", FIELD)
    data = _members({str(key): value for key, value in given.items()}, f"reader {place}", _KEYS, ("name",), _KEYS[1:])
    name = data["name"]
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_TEXT or "/" in name:
        raise InputError(f"the name of reader {place} must be a text without /, got {excerpt(name)}.", FIELD)
    name = harmless(" ".join(name.split()))
    loss, labels = _loss(name, data.get("loss", "absolute"), data.get("labels", ()))
    weight, target = data.get("weight", 1), data.get("target")
    if isinstance(target, str) and not target.strip():
        target = None
    _within(weight, f"the weight of {name}", 0)
    if target is not None:
        _within(target, f"the target of {name}", -_LARGEST)
    ways = [key for key in ("prior", "minimax", "minimax_regret") if key in data]
    if len(ways) > 1:
        raise InputError(f"reader {name} must have one of prior, minimax and minimax_regret, got {' and '.join(ways)}.", FIELD)
    common = {"loss": loss, "labels": labels, "weight": _plain(weight), "target": None if target is None else _plain(target)}
    common["source"] = harmless(str(data.get("prior_source") or ""))
    if ways and ways[0] != "prior":
        cases, priors = _cases(name, data[ways[0]])
        return ReaderSpec(name, caution="regret" if "regret" in ways[0] else "loss", cases=cases, priors=priors, **common)
    return ReaderSpec(name, _belief(name, data.get("prior", "uniform")), **common)


def _members(*given: Any) -> dict[str, Any]:
    try:
        return members(*given)
    except InputError as error:
        raise InputError(str(error), FIELD) from error


def _within(value: Any, what: str, low: int) -> Fraction:
    """Return a number exactly; refuse one out of range."""
    number = exact(_plain(value), what, FIELD)
    if not low <= number <= _LARGEST:
        raise InputError(f"{what} must be between {low} and {limit(_LARGEST)}, got {excerpt(value)}.", FIELD)
    return number


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value.strip() if isinstance(value, str) else value


def _belief(name: str, given: object) -> Belief:
    """Return the name of a prior, or its weights, which may be a list in a text."""
    given = given.specification if isinstance(given, Prior) else as_numbers(given, f"the prior of {name}", FIELD)
    if isinstance(given, str):
        text = given.strip()
        weights = listed(text.replace(";", " "), f"the weights of {name}", FIELD) if text[:1].isdigit() else []
        if text:
            return tuple(weights) if len(weights) > 1 else text
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise InputError(f"the prior of {name} must be the name of a prior or a list of weights, got {excerpt(given)}.", FIELD)
    weights = [_plain(weight) for weight in given]
    for i, weight in enumerate(weights):
        exact(weight, f"weight {i} of the prior of {name}", FIELD)
    return tuple(weights)


def _loss(name: str, given: Any, labels: Any) -> tuple[Loss | Losses, tuple[str, ...]]:
    if isinstance(labels, str) or not isinstance(labels, Sequence) or not all(isinstance(each, str) for each in labels):
        raise InputError(f"the labels of {name} must be a list of texts, got {excerpt(labels)}.", FIELD)
    given = given.specification if isinstance(given, Loss) else as_numbers(given, f"the loss of {name}", FIELD)
    if isinstance(given, str):
        if labels:
            raise InputError(f"labels are for a loss table, but {name} has the loss {excerpt(given)}.", FIELD)
        loss: Loss = _renamed(name, lambda: Loss(given))
        return loss, ()
    rows = given.tolist() if hasattr(given, "tolist") else given
    if not isinstance(rows, Sequence) or not rows or not all(isinstance(row, Sequence) and row for row in rows):
        raise InputError(f"the loss of {name} must be the name of a loss or rows of numbers, got {excerpt(given)}.", FIELD)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(f"row {i} of the loss of {name} must have {len(rows[0])} entries like row 0, got {len(row)}.", FIELD)
    table = tuple(
        tuple(_within(entry, f"row {i}, column {r} of the loss of {name}", -_LARGEST) for r, entry in enumerate(row))
        for i, row in enumerate(rows)
    )
    if labels and len(labels) != len(table[0]):
        raise InputError(f"the loss of {name} has {len(table[0])} columns, but {len(labels)} labels were given.", FIELD)
    return table, tuple(harmless(each) for each in labels)


def _cases(name: str, given: object) -> tuple[str | tuple[Any, ...], bool]:
    """Return what a cautious reader considers possible, and whether it is a list of priors."""
    if isinstance(given, Mapping):
        priors = _members(given, f"minimax of {name}", ("priors",), ("priors",))["priors"]
        if not isinstance(priors, Sequence) or isinstance(priors, str) or not priors:
            raise InputError(f"the priors of {name} must be a list of at least one prior, got {excerpt(priors)}.", FIELD)
        return tuple(_belief(name, prior) for prior in priors), True
    text: object = given
    if isinstance(given, str):
        text = given = given.strip()
        ends = [end.strip() for end in found.groups()] if (found := RANGE.fullmatch(given)) else []
        if given == _ALL or (ends and all(end.isdecimal() for end in ends) and int(ends[0]) <= int(ends[1])):
            return "..".join(ends) or given, False
        if _BETWEEN in given or ":" in given:
            return tuple(_belief(name, prior) for prior in given.split(_BETWEEN)), True
        given = [] if ".." in given else [part for part in re.split(r"[\s,;]+", given) if part]
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if not isinstance(given, Sequence) or not given or (isinstance(text, str) and not all(map(is_number, given))):
        allowed = "all, 2 to 9, a list like 2, 4, 7, or candidate priors like binomial:1/4 | uniform"
        raise InputError(f"the possible counts of {name} must be {allowed}, got {excerpt(text)}.", FIELD)
    counts = sorted({parse_integer(each, f"a possible count of {name}", 0, 10**6, FIELD) for each in given})
    return tuple(counts), False


def with_targets(specs: Sequence[ReaderSpec], targets: Mapping[int, float]) -> list[dict[str, Any]]:
    """Return the readers as JSON values, those at some places with other targets of few digits, rounded up."""
    made = [spec.to_json() for spec in specs]
    for place, target in targets.items():
        made[place]["target"] = float(rounded_up(target, 3))
    return made
