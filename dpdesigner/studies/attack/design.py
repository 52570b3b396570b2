"""The attack design: a secret column, what may be asked about it, how far off the answers are, and who attacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from typing_extensions import Self

from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.core.numbers.rounding import figure, group_thousands
from dpdesigner.core.reconstruction.attack import Attacker, programmable
from dpdesigner.core.reconstruction.problem import NOISES, in_roots, size_of
from dpdesigner.core.reconstruction.questions import LARGEST
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.attack.inputs import EPSILON, LARGEST_N, PEOPLE, SizeInput
from dpdesigner.studies.base import DeclaredDesign, View, ViewValue
from dpdesigner.studies.fields import choice, declare, number, whole_number
from dpdesigner.studies.inputs.bits import BitsInput, PathInput, drawn_by_hand
from dpdesigner.studies.snapshot import Action, SideJob

MOST_QUERIES = 1_000_000
_START = 500  # people, where that is left open
ERRORS = (
    ("uniform", message("Uniform")),
    ("rounded", message("Rounded")),
    ("random-sign", message("Random sign")),
    ("tightness", message("Hide near half")),
    ("laplace", message("Laplace noise")),
    ("geometric", message("Geometric noise")),
    ("staircase", message("Staircase noise")),
)
WHO = (
    ("interior", message("Interior point of the linear program")),
    ("least-squares", message("Least squares")),
    ("vertex", message("Vertex of the linear program")),
)

#: Who attacks, in two words.
SHORT = {"interior": message("interior point"), "least-squares": message("least squares"), "vertex": message("vertex")}


_QUICK = 2_000_000  # people times questions: so many keep up with the mouse


def _quick(answer: Any) -> bool:
    return bool(answer.design.n * answer.design.queries <= _QUICK)


VIEWS = (
    View("error", message("Error"), ("error",), message("Recovered people against the error of the answers")),
    View("questions", message("Questions"), ("questions",), message("Recovered people against the number of questions")),
    View("lemma", message("One question"), ("lemma",), message("How one question rules a wrong column out")),
    View(
        "counting", message("Counting"), (), message("A calculator: how many questions rule out every column with large errors")
    ),
)

_SIDE_JOBS = (
    SideJob(
        "ranges",
        lambda answer, progress: answer.find_ranges(progress),
        lambda now: bool(now.answer.design.answers),
        title=message("certain values"),
        into="ranges",
    ),
    SideJob(
        "private",
        lambda answer, progress: answer.find_private(progress),
        lambda now: not now.answer.design.answers and now.answer.private is None,
        slow=lambda answer: not _quick(answer),
        live=_quick,
        title=message("the private side"),
        into="private",
    ),
    SideJob(
        "others",
        lambda answer, progress: answer.find_others(progress),
        lambda now: not now.answer.design.answers,
        title=message("the other attackers"),
    ),
    SideJob(
        "curves",
        lambda answer, progress, tell: answer.find_curves(progress, tell),
        lambda now: not now.answer.design.answers,
        title=message("other runs"),
        into="curves",
        tells=True,
    ),
)

_BUTTONS = (
    Action(
        message("Draw everything again from the next seed"),
        lambda now: now.design.replace(seed=now.design.seed + 1),
        shortcut="Ctrl+R",
        button=False,
    ),
    Action(message("People: right or wrong"), lambda now: {"look": "marks"}, shortcut="1", button=False),
    Action(message("People: as seen by the attacker"), lambda now: {"look": "seen"}, shortcut="2", button=False),
)


class AttackDesign(DeclaredDesign):
    """A secret column, questions about it, errors of the answers, and an attacker; or published answers.

    Parameters
    ----------
    n, queries : int
        Number of people, and how many questions are asked: each about a random half of them.
    error : str
        "uniform", "rounded", "random-sign", "tightness" (all within `size`), "laplace", "geometric", "staircase" (of `epsilon`).
    size : Number or str
        Error of the answers: people, or ``"0.5 sqrt n"``.
    epsilon : Number
        Of all answers together. Answers with noise must have it; otherwise it is that of the private answers shown for
        comparison, by default 1.
    column : str or sequence of int
        The secret: 0 and 1, a text of such digits, or ``"FILE.csv#COLUMN"``; empty for a random one, with this `share` of ones.
    answers : str
        A file of published answers instead (see `dpdesigner.data.bits.read_answers`).

    Examples
    --------
    >>> from dpdesigner import AttackDesign, solve
    >>> found = solve(AttackDesign(n=60, queries=480, seed=7))
    >>> found.wrong, int((found.guess == 1).sum())
    (0.0, 34)
    """

    kind: ClassVar[str] = "attack"
    views: ClassVar[tuple[View, ...]] = VIEWS
    beside_views: ClassVar[tuple[str, ...]] = ("privacy",)
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {
        "look": "marks", "person": -1, "question": 0, "pointed": False, "counting": {}
    }  # fmt: skip
    side_jobs: ClassVar[tuple[SideJob, ...]] = _SIDE_JOBS
    buttons: ClassVar[tuple[Action, ...]] = _BUTTONS

    n: int = declare(PEOPLE, default=None, label=message("People"), when=lambda design: not design.answers)
    queries: int = declare(
        whole_number(1, MOST_QUERIES, symbol="t", slide=(100, 15000)),
        default=2000,
        label=message("Questions"),
        term=message("subset counts"),
        when=lambda design: not design.answers,
    )
    error: str = declare(
        choice(*ERRORS), default="uniform", label=message("Error of the answers"), when=lambda design: not design.answers
    )
    size: str = declare(
        SizeInput(), default="0.5 sqrt n", label=message("Error E"), when=lambda design: not design.answers and not design.noisy
    )
    epsilon: Number = declare(
        EPSILON, default=None, label=message("ε for all answers together"), when=lambda design: not design.answers
    )
    share: Number = declare(
        number(0, 1, symbol="s", ends=(message("all 0"), message("all 1"))),
        default="1/2",
        label=message("Share of ones"),
        when=lambda design: not design.column and not design.answers,
    )
    attacker: str = declare(choice(*WHO), default="interior", label=message("Who attacks"))
    seed: int = declare(whole_number(0, 2**31 - 1, symbol="seed"), default=7, label=message("Seed"))
    column: str = declare(BitsInput(LARGEST_N), default="", label=message("The secret"), term=message("a column of 0 and 1"))
    answers: str = declare(PathInput(), default="", label=message("My own answers"), when=lambda design: bool(design.answers))
    tell: str = declare(
        choice(("numbers", message("numbers only")), ("values", message("everybody's value"))),
        default="numbers",
        label=message("Contents of reports and tables"),
    )

    def check(self) -> None:
        """Settle how many people there are; refuse more questions than fit in memory, and an error out of range."""
        if not (self.n or self.column or self.answers):
            raise InputError("an attack must have n, a column or published answers, got none of them.", "n")
        given = len(self.column) if drawn_by_hand(self.column) else 0
        if given and self.n not in (0, given):
            raise InputError(f"n must be {given}, the length of the column, got {self.n}.", "n", str(given))
        object.__setattr__(self, "n", self.n or given or _START)
        if self.n * self.queries > LARGEST:
            most = LARGEST // self.n
            raise InputError(f"queries must be at most {most} for {self.n} people, got {self.queries}.", "queries", str(most))
        if self.bound > self.n:
            raise InputError(f"E must be between 0 and n = {self.n}, got {self.size!r}.", "size", str(self.n))

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed; with another n a painted column is cut, or goes on with zeros."""
        if "column" in changes and "n" not in changes:
            now = changes["column"]
            if not isinstance(now, str) or drawn_by_hand(now):
                changes["n"] = None
        elif "n" in changes and "column" not in changes and drawn_by_hand(self.column):
            n = type(self)(n=changes["n"]).n
            changes["column"] = self.column[:n].ljust(n, "0")
        return super().replace(**changes)

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the design that a new one in the window starts from."""
        return super().starting(**changes if {"n", "column", "answers"} & changes.keys() else {"n": _START, **changes})

    @property
    def noisy(self) -> bool:
        """Whether answers have noise without a bound."""
        return self.error in NOISES

    @property
    def bound(self) -> float:
        """Error of the answers, in people."""
        return size_of(self.size, self.n)

    @property
    def epsilon_in_all(self) -> float:
        """The epsilon of all private answers together."""
        return double(self.epsilon)

    @property
    def asked_privately(self) -> tuple[object, ...]:
        """The inputs that determine the private answers; designs with equal ones share them."""
        return (self.n, self.queries, str(self.epsilon), str(self.share), self.seed, self.column)

    @property
    def who(self) -> Attacker:
        """The attacker; least squares if a linear program would be too large."""
        chosen: Attacker = self.attacker  # type: ignore[assignment]  # one of them, as it was checked
        return chosen if self.answers or programmable(self.n, self.queries) else "least-squares"

    @property
    def line(self) -> str:
        """The inputs in one line."""
        who = SHORT[self.who]
        if self.answers:
            return message("published answers · {who}", who=who)
        if self.noisy:
            words = message("noise with a total ε of {epsilon}", epsilon=self.epsilon)
        else:
            words = message("each within ±{bound}", bound=figure(self.bound, 3))
            if in_roots(self.size) is not None:
                words = message("each within ±{bound} ({size})", bound=figure(self.bound, 3), size=SizeInput().text(self.size))
        return message(
            "n = {n} · {t} answers, {words} · {who}",
            n=group_thousands(self.n),
            t=group_thousands(self.queries),
            words=words,
            who=who,
        )
