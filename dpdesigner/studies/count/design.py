"""The count study: the best private mechanism for a user's prior, loss and privacy level.

Optimal by [GRS] Theorem 3.1 and its generalisation (Theorem A, `dpdesigner.core.basics.coverage`): the range-restricted
geometric mechanism followed by the user's Bayes remap; proved for each design by its own certificate
(`dpdesigner.core.mechanism.certificate`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from typing_extensions import Self, override

from dpdesigner.core.basics.accountant import Spent
from dpdesigner.core.basics.coercion import losses_of, short, weights_of
from dpdesigner.core.basics.level import PrivacyLevel, ratio_for
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number, exact, excerpt, nearest, plain
from dpdesigner.core.basics.prior import LARGEST_N, Prior
from dpdesigner.core.basics.rounding import figure, group_thousands, rounded_up
from dpdesigner.core.count.closed_form import Problem, check_loss
from dpdesigner.core.count.delta_cells import Level
from dpdesigner.core.count.delta_mechanism import delta_at
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.resources import listed_examples
from dpdesigner.studies.base import DeclaredDesign, View, ViewValue
from dpdesigner.studies.fields import declare, whole_number
from dpdesigner.studies.input_kinds import DistributionInput, Input, NameInput, json_value
from dpdesigner.studies.number_inputs import PrivacyInput

#: Above this n a design with delta takes seconds.
LARGEST_DELTA_N = 1000
#: The same for several pairs, and the largest number of pairs.
LARGEST_SEVERAL_N, _MOST_LEVELS = 60, 6
_GAUSSIAN = "gaussian:"
#: The available views: key, title and tooltip.
_VIEWS = (
    ("optimal", message("Optimal"), message("The best mechanism found for this user; the badge says how good")),
    ("geometric", message("Geometric"), message("Geometric noise, kept between 0 and n: the same for every user")),
    ("remap", message("Remap"), message("How this user reads each output of the geometric mechanism")),
    ("lp_check", message("LP check"), message("Solution of the linear program, without using a theorem")),
    ("difference", message("LP minus remap"), message("LP check minus geometric + remap")),
    ("pattern", message("Pattern"), message("Privacy constraints: ↓ and ↑ tight, S slack, Z both zero")),
    ("induced", message("Geometric∘Remap"), message("The geometric mechanism read through the remap")),
    ("before", message("Against before"), message("Current minus pinned design: blue is more likely now, orange less")),
)
#: Options of the matrix display, each on or off.
OPTIONS = ("numbers", "logarithmic", "fractions", "binding", "beside", "band")
_N = whole_number(0, LARGEST_N)


class PriorInput(DistributionInput):
    """The prior over 0..n: as text, as weights, or as anything of numpy, pandas or scipy.stats that has weights."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Prior:
        n = others["n"]
        if not isinstance(given, Prior):
            return Prior(weights_of(given, n), n)
        if given.n != n:
            raise InputError(f"the prior must be over 0..{n}, got one over 0..{given.n}.", "prior")
        return given

    @override
    def as_json(self, value: Prior, key: str) -> dict[str, Any]:
        return {**super().as_json(value, key), **({"prior_source": value.source} if value.source else {})}

    @override
    def text(self, value: Prior) -> str:
        return "; ".join((value.title, *value.notes))


class LossInput(Input[Loss]):
    """The loss of an answer: as text, as a matrix, or as a function."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Loss:
        n = others["n"]
        loss = given if isinstance(given, Loss) else Loss(losses_of(given, n))
        check_loss(loss, n)
        return loss

    @override
    def as_json(self, value: Loss, key: str) -> dict[str, Any]:
        return {key: json_value(value.specification)}

    @override
    def text(self, value: Loss) -> str:
        return value.title


Further = str | tuple[tuple[Number, Number], ...]


class FurtherInput(Input[Further]):
    """The guarantees that hold besides the one that is shown: pairs of epsilon and delta, or ``"gaussian:MU"``."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Further:
        further = given if isinstance(given, str) else _pairs(given)
        if further is None:
            raise InputError(
                f"further levels must be pairs of epsilon and delta, or gaussian:MU, got {excerpt(given)}.", "privacy"
            )
        if further:
            _check_further(further, others["n"], others["loss"])
        return further

    @override
    def as_json(self, value: Further, key: str) -> dict[str, Any]:
        return {key: _json_levels(value)} if value else {}

    @override
    def text(self, value: Further) -> str:
        return value if isinstance(value, str) else "; ".join(f"ε = {one}, δ = {other}" for one, other in value)


class DeltaInput(Input[Number | None]):
    """The delta that epsilon may leave uncovered; with Gaussian privacy it follows from epsilon."""

    symbol = "δ"

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number | None:
        if isinstance(others["further"], str):
            return _gaussian_delta(others["further"], others["privacy"])
        delta: Number | None = plain(cast("Number | None", given))
        _check_delta(delta, others["n"])
        return delta

    @override
    def as_json(self, value: Number | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: json_value(value)}


class CountDesign(DeclaredDesign, Problem):
    """A user of a count query: the number of rows, the prior, the loss, and the privacy level.

    Parameters
    ----------
    n : int
        The largest true result; results are 0..n.
    alpha, epsilon : Number
        The privacy level; exactly one of the two, alpha = exp(-epsilon).
    prior : str, Prior, sequence of Number, or distribution of scipy.stats
        See `dpdesigner.core.basics.prior.Prior`; a Series is taken too, and a discrete distribution as its ``pmf`` at 0..n.
    loss : str, Loss, matrix, or callable
        See `dpdesigner.core.basics.loss.Loss`; a DataFrame is taken too, and a function ``f(i, r)`` as its values.
    name : str
        What the user calls the design.
    unit : str
        What is counted, in the plural, like ``"pupils"``; it is written at errors and on axes.
    privacy : PrivacyLevel, sequence of (epsilon, delta), or str
        Instead of alpha or epsilon. Several pairs hold at once; the first is the one that is shown. ``"gaussian:1"`` is Gaussian
        differential privacy with mu = 1, which is shown as the delta that it leaves at epsilon, by default at epsilon = mu.
    delta : Number, optional
        What epsilon may leave uncovered, at least 0 and below 1; None is the same as 0, but that no delta is shown.
    aim : (str, Number) or (str, Number, Number)
        Instead of a level: the risk that is allowed, ``("bet", "2/3")``, ``("advantage", 0.2)``, or ``("found_out", "3/100",
        "1/100")`` with the rate of false alarms; see `dpdesigner.core.basics.level.ratio_for`.

    Raises
    ------
    InputError
        If one of them cannot be used; nothing is made then.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> design = dp.CountDesign(n=20, epsilon="ln 2", prior="binomial:1/4", loss="pinball:3/4")
    >>> dp.solve(design).remap.tolist()[:8]
    [4, 4, 4, 4, 5, 6, 6, 7]
    """

    kind: ClassVar[str] = "count"
    needed: ClassVar[tuple[str, ...]] = ("n",)
    also: ClassVar[tuple[str, ...]] = ("privacy", "aim", "prior_source")
    views: ClassVar = tuple(View(key, title, ("matrix", "beside", "agreement"), tip) for key, title, tip in _VIEWS)
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {
        "row": 0,
        "column": 0,
        **dict.fromkeys(OPTIONS, False),
        "posterior": False,
    }
    beside_views: ClassVar[tuple[str, ...]] = ("costs", "attacker", "loss-against-epsilon")

    n: int = declare(_N, default=20, required=True, label=message("largest n"))
    privacy: PrivacyLevel = declare(
        PrivacyInput(), default=PrivacyLevel.from_alpha("1/2"), required=True, label=message("requested privacy")
    )
    prior: Prior = declare(PriorInput("n"), default="uniform", label=message("prior"))
    loss: Loss = declare(LossInput(), default="absolute", label=message("loss"))
    further: Further = declare(
        FurtherInput(), default=(), label=message("further levels"), when=lambda design: bool(design.further)
    )
    delta: Number | None = declare(DeltaInput(), default=None, label="δ", when=lambda design: design.delta is not None)

    unit: str = declare(NameInput(30), default="", label=message("unit"), when=lambda design: bool(design.unit))

    if TYPE_CHECKING:  # epsilon, alpha or aim instead of privacy, and numbers in any form

        def __init__(self, n: int, **inputs: Any) -> None: ...

    @classmethod
    def _by_field(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Find the level for a risk, take several levels apart, and give a prior its source."""
        values = dict(given)
        aim, source, level = values.pop("aim", None), values.pop("prior_source", ""), values.get("privacy")
        if level is not None and not isinstance(level, PrivacyLevel):
            several = _several(level, values.pop("epsilon", None), values.get("delta"))
            values["privacy"], values["delta"], values["further"] = several
        if aim is not None:
            if any(values.get(key) is not None for key in ("privacy", "epsilon", "alpha")):
                raise InputError("a design has a privacy level or a risk to aim for, not both; got both.", "aim")
            values["privacy"] = aimed(aim, plain(values.get("delta")))
        if source:
            n = _N.read(values.get("n"), "n", {})
            values["prior"] = Prior(weights_of(values.get("prior", "uniform"), n), n, source)
        return super()._by_field(values)

    def __getstate__(self) -> dict[str, Any]:
        """Return only the inputs; values derived from them are recomputed."""
        return {"name": self.name, **{each.key: each.of(self) for each in self.inputs()}}

    def __repr__(self) -> str:
        form, number = self.privacy.source
        parts = [
            f"n={self.n}",
            f"{form}={number!r}",
            f"prior={short(self.prior.specification)}",
            f"loss={short(self.loss.specification)}",
        ]
        if self.delta is not None:
            parts.append(f"delta={self.delta!r}")
        if self.further:
            parts.append(f"further={self.further!r}")
        if self.unit:
            parts.append(f"unit={self.unit!r}")
        return f"CountDesign({', '.join(parts)}{f', name={self.name!r}' if self.name else ''})"

    @cached_property
    def uncovered(self) -> Fraction:
        """Delta as a fraction; 0 if none is given, or if nothing is private anyway."""
        nothing = self.delta is None or self.privacy.exact_alpha == 0
        return Fraction(0) if nothing or self.delta is None else exact(self.delta, "delta")

    @cached_property
    def mu(self) -> float | None:
        """The parameter of Gaussian differential privacy; None if it is not used."""
        return None if isinstance(self.further, tuple) else _mu(self.further)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The pairs that hold simultaneously, alphas rounded up; for Gaussian privacy only the one shown."""
        first = Level(self.privacy.alpha_above, self.uncovered)
        return (first, *_levels(self.further)) if isinstance(self.further, tuple) else (first,)

    @property
    def _level(self) -> Message:
        words = self.privacy.description
        if not self.uncovered:
            return message(words)
        level = message("{level}, δ = {delta}", level=words, delta=figure(self.uncovered, 4))
        if self.mu is not None:
            return message("{level} (Gaussian, μ = {mu})", level=level, mu=figure(self.mu, 4))
        return message("{level} and {count} more", level=level, count=len(self.further)) if self.further else level

    @property
    def spent(self) -> Spent:
        """The privacy loss of one release: the level and the delta that are shown."""
        return Spent(self.privacy, self.uncovered)

    @property
    def line(self) -> Message:
        """``n = 20 · absolute loss · uniform prior · ε ≈ 0.6932 (α = 1/2)``."""
        titles = {"loss": self.loss.title, "prior": self._belief, "privacy": self._level}
        return message("n = {n} · {loss} loss · {prior} · {privacy}", n=group_thousands(self.n), **titles)

    @property
    def _belief(self) -> Message:
        title = self.prior.title
        return message("prior from {source}", source=title) if self.prior.origin else message("{prior} prior", prior=title)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, as for `CountDesign`, checked again; a new n resizes the prior.

        A column that is counted as the prior gives its name to a design that has none of its user's.
        """
        if isinstance(prior := changes.get("prior"), Prior) and prior.counted:
            own = not self.prior.title.startswith(self.name) and all(self.name != each["title"] for each in listed_examples())
            if not own and prior.title != self.prior.title:
                changes = {"name": (prior.title.rpartition(", ")[0] or prior.title)[:200], **changes}
        if "aim" in changes:
            if self.mu is not None:
                raise InputError("a risk cannot be aimed for with Gaussian privacy: remove it first.", "aim")
            changes = {"delta": self.delta, **changes}
        elif changes.get("delta", "") is None:
            changes = {"further": (), **changes}
        n = _N.read(changes.get("n", self.n), "n", {})
        if "prior" in changes and self.prior.notes:
            changes["prior"] = PriorInput("n").read(changes["prior"], "prior", {"n": n}).keeping(self.prior)
        elif "prior" not in changes and n != self.n:
            changes["prior"] = self.prior.resized(n)
        return super().replace(**changes)

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, with numbers as entered; the delta of Gaussian privacy follows from them."""
        return {key: value for key, value in super().to_json().items() if key != "delta" or self.mu is None}


def _check_delta(delta: Number | None, n: int) -> None:
    if delta is None:
        return
    value = exact(delta, "delta")
    if not 0 <= value < 1:
        nearest = "0" if value < 0 else "0.5"
        words = "δ is the probability mass that ε does not cover. It must be at least 0 and below 1"
        raise InputError(f"{words}, got {excerpt(delta)}.", "delta", nearest)
    if value and n > LARGEST_DELTA_N:
        words = f"δ takes too long to compute for n above {LARGEST_DELTA_N}; n = {n} needs δ = 0"
        raise InputError(f"{words}, got {excerpt(delta)}.", "delta", "0")


def aimed(aim: Sequence[Any], delta: Number | None) -> PrivacyLevel:
    """Return the level at which a risk reaches its allowed value; ``e^ε`` is a fraction."""
    if isinstance(aim, str) or not isinstance(aim, Sequence) or not 2 <= len(aim) <= 3:
        words = "an aim must be a risk, its largest allowed value, and for found_out the rate of false alarms"
        raise InputError(f"{words}, got {excerpt(aim)}.", "aim")
    return PrivacyLevel.from_alpha(str(1 / ratio_for(aim[0], aim[1], 0 if delta is None else delta, *aim[2:])))


def _several(given: Any, epsilon: Number | None, delta: Number | None) -> tuple[PrivacyLevel, Number | None, Any]:
    """Return the level that is shown, its delta, and the further guarantees."""
    if delta is not None:
        raise InputError("several levels have their own deltas, so there must be no separate delta, got one.", "delta")
    if isinstance(given, str):
        return PrivacyLevel.from_epsilon(_mu(given) if epsilon is None else epsilon), None, given
    if epsilon is not None:
        raise InputError("several levels have their own epsilons, so there must be no separate epsilon, got one.", "epsilon")
    pairs = _pairs(given)
    if not pairs:
        raise InputError(f"privacy must be a level, pairs of epsilon and delta, or gaussian:MU, got {excerpt(given)}.", "privacy")
    return PrivacyLevel.from_epsilon(pairs[0][0]), pairs[0][1], pairs[1:]


def _pairs(given: Any) -> tuple[tuple[Number, Number], ...] | None:
    """Return pairs of epsilon and delta; None if they are not pairs."""
    try:
        return tuple((one, other) for one, other in given)
    except (TypeError, ValueError):
        return None


def _mu(text: str) -> float:
    if not text.startswith(_GAUSSIAN):
        raise InputError(f"privacy in words must be gaussian:MU, for example gaussian:1, got {excerpt(text)}.", "privacy")
    mu = nearest(exact(text.removeprefix(_GAUSSIAN), "mu"))
    if not 1e-3 <= mu <= 20:
        raise InputError(f"mu must be between 0.001 and 20, got {excerpt(text.removeprefix(_GAUSSIAN))}.", "privacy")
    return mu


def _gaussian_delta(text: str, shown: PrivacyLevel) -> str:
    """Return the delta that Gaussian privacy leaves at an epsilon, rounded up to six digits."""
    return str(rounded_up(max(delta_at(_mu(text), shown.epsilon), 1e-300), 6))


def _levels(further: Sequence[tuple[Number, Number]]) -> tuple[Level, ...]:
    return tuple(Level(PrivacyLevel.from_epsilon(one).alpha_above, exact(other, "delta")) for one, other in further)


def _json_levels(further: str | tuple[tuple[Number, Number], ...]) -> Any:
    return further if isinstance(further, str) else [[json_value(one), json_value(other)] for one, other in further]


def _check_further(further: str | tuple[tuple[Number, Number], ...], n: int, loss: Loss) -> None:
    """Refuse further guarantees that make no sense or would take too long."""
    if not loss.coverage(n).covered:
        raise InputError("several levels, and Gaussian privacy, need a loss that Theorem A covers.", "privacy")
    if isinstance(further, str):
        return
    if n > LARGEST_SEVERAL_N:
        raise InputError(f"with several levels, n must be at most {LARGEST_SEVERAL_N}, got {n}.", "privacy")
    if len(further) >= _MOST_LEVELS:
        raise InputError(f"there must be at most {_MOST_LEVELS} levels, got {len(further) + 1}.", "privacy")
    for level in _levels(further):
        if not 0 < level.delta < 1 or not level.alpha:
            raise InputError("each δ must be above 0 and below 1, and each ε finite.", "privacy")
