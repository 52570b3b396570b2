"""The count study: the best private mechanism for a user's prior, loss and privacy level.

Optimal by [GRS] Theorem 3.1 and its generalisation (Theorem A, `dpdesigner.core.problem.coverage`): the range-restricted
geometric mechanism followed by the user's Bayes remap; proved for each design by its own certificate
(`dpdesigner.core.dense.certificate`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from dpdesigner.core.count.problem import Problem, check_loss
from dpdesigner.core.delta.risks import ratio_for
from dpdesigner.core.numbers.coercion import losses_of, short, weights_of
from dpdesigner.core.numbers.parsing import Number, exact, excerpt, parse_integer
from dpdesigner.core.numbers.rounding import figure, group_thousands
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import LARGEST_N, Prior
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies import registry
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.inputs.checks import checked_name, json_value, members, privacy_level
from dpdesigner.studies.study import Progress, silent

#: Above this n a design with delta takes seconds.
LARGEST_DELTA_N = 1000


@dataclass(frozen=True, init=False)
class CountDesign(Problem):
    """A user of a count query: how many rows, what they believe, what an error costs them, how private it must be.

    Parameters
    ----------
    n : int
        The largest true result; results are 0..n.
    alpha, epsilon : Number
        The privacy level; exactly one of the two, alpha = exp(-epsilon).
    prior : str, Prior, sequence of Number, or distribution of scipy.stats
        See `dpdesigner.core.problem.prior.Prior`; a Series is taken too, and a discrete distribution as its ``pmf`` at 0..n.
    loss : str, Loss, matrix, or callable
        See `dpdesigner.core.problem.loss.Loss`; a DataFrame is taken too, and a function ``f(i, r)`` as its values.
    name : str
        What the user calls the design.
    privacy : PrivacyLevel
        Instead of alpha or epsilon.
    delta : Number, optional
        What epsilon may leave uncovered, at least 0 and below 1; None is the same as 0, but that no delta is shown.
    aim : (str, Number) or (str, Number, Number)
        Instead of a level: the risk that is allowed, ``("bet", "2/3")``, ``("advantage", 0.2)``, or ``("found_out", "3/100",
        "1/100")`` with the rate of false alarms; see `dpdesigner.core.delta.risks.ratio_for`.

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

    name: str = field(default="")
    delta: Number | None = field(default=None)

    def __init__(
        self,
        n: int,
        *,
        alpha: Number | None = None,
        epsilon: Number | None = None,
        prior: Any = "uniform",
        loss: Any = "absolute",
        name: str = "",
        privacy: PrivacyLevel | None = None,
        delta: Number | None = None,
        aim: Sequence[Any] | None = None,
    ) -> None:
        n = parse_integer(n, "n", 0, LARGEST_N)
        _check_delta(delta, n)
        if aim is not None:
            if epsilon is not None or alpha is not None or privacy is not None:
                raise InputError("a design has a privacy level or a risk to aim for, not both; got both.", "aim")
            privacy = aimed(aim, delta)
        level = privacy_level(epsilon, alpha, privacy)
        if level is None:
            raise InputError("the privacy level must be given, as epsilon or as alpha, got neither.", "epsilon")
        if not isinstance(prior, Prior):
            prior = Prior(weights_of(prior, n), n)
        elif prior.n != n:
            raise InputError(f"the prior must be over 0..{n}, got one over 0..{prior.n}.", "prior")
        loss = loss if isinstance(loss, Loss) else Loss(losses_of(loss, n))
        check_loss(loss, n)
        given = {"n": n, "privacy": level, "prior": prior, "loss": loss, "name": checked_name(name), "delta": delta}
        for key, value in given.items():
            object.__setattr__(self, key, value)

    def __getstate__(self) -> dict[str, Any]:
        """Only the inputs travel: what was worked out from them is worked out again."""
        return {key: getattr(self, key) for key in ("n", "privacy", "prior", "loss", "name", "delta")}

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
        return f"CountDesign({', '.join(parts)}{f', name={self.name!r}' if self.name else ''})"

    @cached_property
    def uncovered(self) -> Fraction:
        """Delta as a fraction; 0 where none is given, and where nothing is private anyway."""
        nothing = self.delta is None or self.privacy.exact_alpha == 0
        return Fraction(0) if nothing or self.delta is None else exact(self.delta, "delta")

    @property
    def _level(self) -> Message:
        words = self.privacy.description
        return message("{level}, δ = {delta}", level=words, delta=figure(self.uncovered, 4)) if self.uncovered else message(words)

    @property
    def line(self) -> Message:
        """``n = 20 · absolute loss · uniform prior · ε = 0.6932 (α = 1/2)``."""
        titles = {"loss": self.loss.title, "prior": self._belief, "privacy": self._level}
        return message("n = {n} · {loss} loss · {prior} · {privacy}", n=group_thousands(self.n), **titles)

    @property
    def rest(self) -> Message:
        """The same without n and epsilon: ``= 0.6932, α = 1/2 · absolute loss · uniform prior``."""
        privacy = self.privacy.description.removeprefix("ε ").replace(" (α", ", α").removesuffix(")")
        if self.uncovered:
            privacy = f"{privacy}, δ = {figure(self.uncovered, 4)}"
        return message("{privacy} · {loss} loss · {prior}", loss=self.loss.title, prior=self._belief, privacy=privacy)

    @property
    def _belief(self) -> Message:
        title = self.prior.title
        return message("prior from {source}", source=title) if self.prior.source else message("{prior} prior", prior=title)

    @property
    def inputs(self) -> dict[str, Finding]:
        """What was asked, as it is compared with what another design asks."""
        return {
            "n": Finding(message("largest n"), str(self.n)),
            "prior": Finding(message("prior"), self.prior.title, measure=self.prior),
            "loss": Finding(message("loss"), self.loss.title, measure=self.loss),
            "privacy": Finding(message("privacy asked"), self._level),
        }

    def replace(self, **changes: Any) -> CountDesign:
        """Return a copy with some inputs changed, as for `CountDesign`, checked again; a new n stretches a drawn prior."""
        if {"alpha", "epsilon", "privacy"} & changes.keys():
            given: dict[str, Any] = {}
        else:
            given = {"privacy": self.privacy}
        n = parse_integer(changes.get("n", self.n), "n", 0, LARGEST_N)
        prior = changes.get("prior", self.prior.rebinned(n) if n != self.n else self.prior)
        if "aim" in changes:
            given = {}
        kept = {"loss": self.loss, "name": self.name, "delta": self.delta}
        return CountDesign(**{**given, **kept, **changes, "n": n, "prior": prior})

    def run(self, progress: Progress = silent) -> Any:
        """Solve the design in closed form; gives a `dpdesigner.studies.count.outcome.CountOutcome`."""
        return registry.run(self, progress)

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, numbers as they were given."""
        form, number = self.privacy.source
        return {
            "kind": self.kind,
            "name": self.name,
            "n": self.n,
            form: json_value(number),
            "prior": json_value(self.prior.specification),
            **({"prior_source": self.prior.source} if self.prior.source else {}),
            "loss": json_value(self.loss.specification),
            **({"delta": json_value(self.delta)} if self.delta is not None else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CountDesign:
        """Make a design from JSON values.

        Raises
        ------
        InputError
            If a key is missing or unknown, or a value cannot be used.
        """
        allowed = ("kind", "name", "n", "alpha", "epsilon", "prior", "prior_source", "loss", "delta", "aim")
        given = members(data, "a count design", allowed, needed=("n", "prior", "loss"))
        if given.pop("kind", cls.kind) != cls.kind:
            raise InputError(f"a count design's kind must be {cls.kind!r}, got {excerpt(data['kind'])}.", "kind")
        if source := given.pop("prior_source", ""):
            n = parse_integer(given["n"], "n", 0, LARGEST_N)
            given["prior"] = Prior(weights_of(given["prior"], n), n, source)
        return cls(**given)


def _check_delta(delta: Number | None, n: int) -> None:
    if delta is None:
        return
    value = exact(delta, "delta")
    if not 0 <= value < 1:
        nearest = "0" if value < 0 else "0.5"
        words = "δ is what ε may leave uncovered. It must be at least 0 and below 1"
        raise InputError(f"{words}, got {excerpt(delta)}.", "delta", nearest)
    if value and n > LARGEST_DELTA_N:
        raise InputError(f"with δ, n must be at most {LARGEST_DELTA_N}, got {n}.", "delta", "0")


def aimed(aim: Sequence[Any], delta: Number | None) -> PrivacyLevel:
    """Return the level at which a risk is as large as allowed; ``e^ε`` is a fraction."""
    if isinstance(aim, str) or not 2 <= len(aim) <= 3:
        words = "an aim must be a risk, what is allowed, and for found_out the rate of false alarms"
        raise InputError(f"{words}, got {excerpt(aim)}.", "aim")
    return PrivacyLevel.from_alpha(str(1 / ratio_for(aim[0], aim[1], 0 if delta is None else delta, *aim[2:])))
