"""The attack design: a secret column, questions about it, errors of the answers, and the attacker; with its data."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self, override

from dpdesigner.core.basics.parsing import Number, double, excerpt, plain
from dpdesigner.core.basics.rounding import figure, group_thousands
from dpdesigner.core.reconstruction import problem as posing
from dpdesigner.core.reconstruction.attack import SECONDS, Attacker, check_consistent, programmable
from dpdesigner.core.reconstruction.counting import LARGEST, Questions
from dpdesigner.core.reconstruction.problem import NOISES, Problem, Setting, in_roots, size_of
from dpdesigner.data.columns import read_answers, resolved
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import DeclaredDesign, View, ViewValue
from dpdesigner.studies.data_inputs import BitsInput, bits_of, drawn_by_hand, file_of
from dpdesigner.studies.fields import choice, declare, number, whole_number
from dpdesigner.studies.input_kinds import Input, NameInput, PathInput
from dpdesigner.studies.number_inputs import IntegerInput, NumberInput
from dpdesigner.studies.snapshot import Action, SideJob
from dpdesigner.studies.study import Progress, silent

LARGEST_N = 20_000
_MOST_ROWS = 1000  # rows used from a file at first
TIMES = (1, 4, 8)  #: questions per person that are offered


def _open_epsilon(others: Mapping[str, Any]) -> Number:
    """Return 1, of the private answers shown for comparison."""
    if others["error"] in NOISES:
        raise InputError(f"answers with {others['error']} noise must have epsilon, got none.", "epsilon")
    return "1"


LARGEST_SEED = 2**31 - 1
PEOPLE = IntegerInput(1, LARGEST_N, symbol="n", slide=(50, 1000), unset=lambda others: 0)
_TRIES = [(epsilon, "") for epsilon in (1, 10, 30, 100, 300)]
EPSILON = NumberInput("1e-4", 10**7, scale="log", symbol="ε", try_=_TRIES, slide=("0.1", 1000), unset=_open_epsilon)


class SizeInput(Input[str]):
    """Error of the answers: a number of people, or a multiple of the root of n: ``"0.5 sqrt n"``."""

    symbol = "E"

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        given = plain(given)
        n = others.get("n") or LARGEST_N
        value = size_of(given, n, key)
        if not 0 <= value <= n:
            raise InputError(f"E must be between 0 and n = {n}, got {excerpt(given)}.", key, "0" if value < 0 else str(n))
        return str(given).strip()

    @override
    def text(self, value: str) -> str:
        share = in_roots(value)
        return value if share is None else message("{share} √n", share=share).strip()


MOST_QUERIES = 1_000_000
_START = 500  # people, if the number is left open
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
SHORT = {"interior": message("interior point"), "least-squares": message("least squares"), "vertex": message("vertex")}


def quickly(design: AttackDesign) -> bool:
    """Return whether the page keeps up with the mouse."""
    return design.n * design.queries <= 2_000_000


def bounded(design: AttackDesign) -> bool:
    """Return whether answers are drawn with bounded errors, which gives no privacy: the page then shows private ones beside."""
    return not (design.noisy or design.answers)


VIEWS = (
    View("error", message("Error"), ("error",), message("Recovered people against the error of the answers"), bounded),
    View("questions", message("Questions"), ("questions",), message("Recovered people against the number of questions"), bounded),
    View("lemma", message("One question"), ("lemma",), message("How one question rules a wrong column out"), bounded),
    View("counting", message("Proof"), (), message("How many questions rule out every column with large errors"), bounded),
)

_SIDE_JOBS = (
    SideJob(
        "ranges",
        lambda answer, progress, seconds: answer.find_ranges(progress, seconds),
        lambda now: bool(now.answer.design.answers) and not (now.answer.ranges and now.answer.ranges.complete),
        title=message("certain values"),
        reads=("seconds",),
        into="ranges",
    ),
    SideJob(
        "private",
        lambda answer, progress: answer.find_private(progress),
        lambda now: bounded(now.answer.design) and now.answer.private is None,
        slow=lambda answer: not quickly(answer.design),
        live=lambda answer: quickly(answer.design),
        title=message("the private side"),
        into="private",
    ),
    SideJob(
        "first",  # runs of the curves, before the other attackers take their time
        lambda answer, progress, tell: answer.find_curves(progress, tell, first=True),
        lambda now: not now.answer.design.answers and now.answer.curves is None,
        title=message("first runs"),
        tells=True,
    ),
    SideJob(
        "others",
        lambda answer, progress: answer.find_others(progress),
        lambda now: now.answer.problem.secret is not None,
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
        message("New questions"),
        lambda now: now.design.replace(seed=(now.design.seed + 1) % (LARGEST_SEED + 1)),
        message("Ask the same people new questions, with new errors and noise"),
        "Ctrl+R",
        offered=lambda now: not now.design.answers,
        main=True,
        presented=True,
    ),
    Action(
        message("Search longer"),
        lambda now: {"seconds": 6 * now.view["seconds"]},
        message("Search six times as long for the people who are still undecided"),
        offered=lambda now: bool(now.answer.ranges) and not now.answer.ranges.complete,
        when=lambda now: now.job("ranges") is not None,
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
    seed : int
        Of the questions, errors and noise.
    secret_seed : int
        Of a random secret, or of the people chosen from a larger file; `seed` if left open.
    column : str or sequence of int
        The secret: 0 and 1, a text of such digits, or ``"FILE.csv#COLUMN"``; empty for a random one, with this `share` of ones.
    answers : str
        A file of published answers instead (see `dpdesigner.data.columns.read_answers`).
    left_out : str
        The numbers of the answers that are left out: ``"9 37"``.

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
        "look": "marks", "person": -1, "question": -1, "pointed": False, "counting": {}, "seconds": SECONDS
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
    epsilon: Number = declare(EPSILON, default=None, label=message("ε for all answers together"))
    share: Number = declare(
        number(0, 1, symbol="s", ends=(message("all 0"), message("all 1"))),
        default="1/2",
        label=message("Share of ones"),
        when=lambda design: not design.column and not design.answers,
    )
    attacker: str = declare(choice(*WHO), default="interior", label=message("Attacker"))
    seed: int = declare(whole_number(0, LARGEST_SEED, symbol="seed"), default=7, label=message("Seed"))
    column: str = declare(
        BitsInput(LARGEST_N),
        default="",
        label=message("The secret"),
        term=message("two values"),
        secret=lambda design: bool(design.column),
        instead=lambda design: "painted" if drawn_by_hand(design.column) else "a column of a file",
    )
    secret_seed: int = declare(
        IntegerInput(0, LARGEST_SEED, symbol="seed of the secret", unset=lambda others: others["seed"]),
        default=None,
        label=message("Seed of the secret"),
        when=lambda design: not design.answers and not drawn_by_hand(design.column),
        aside=True,
    )
    answers: str = declare(
        PathInput(),
        default="",
        label=message("My own answers"),
        when=lambda design: bool(design.answers),
        secret=lambda design: bool(design.answers),
        instead="published answers",
    )
    left_out: str = declare(NameInput(100_000), default="", label=message("Left out"), when=lambda design: bool(design.left_out))
    tell: str = declare(
        choice(("numbers", message("numbers only")), ("values", message("everybody’s value"))),
        default="numbers",
        label=message("Contents of reports and tables"),
    )

    def check(self) -> None:
        """Determine the number of people; refuse more questions than fit in memory, and an error out of range."""
        if not (self.n or self.column or self.answers):
            raise InputError("an attack must have n, a column or published answers, got none of them.", "n")
        if not all(each.isdecimal() and int(each) for each in self.left_out.split()):
            raise InputError(f"left_out must be numbers of answers, like '9 37', got {excerpt(self.left_out)}.", "left_out")
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
        """Return a copy with some inputs changed; with another n, a painted column is cut or padded with zeros."""
        if "column" in changes and "n" not in changes:
            now = changes["column"]
            if not isinstance(now, str) or drawn_by_hand(now):
                changes["n"] = None
        elif "n" in changes and "column" not in changes and drawn_by_hand(self.column):
            n = type(self)(n=changes["n"]).n
            changes["column"] = self.column[:n].ljust(n, "0")
        try:
            return super().replace(**changes)
        except InputError as error:
            if error.field != "n" or not self.column or "column" in changes or not error.suggestion:
                raise
            rows = len(bits_of(self.column))  # no more people can be taken
            if int(error.suggestion) <= rows:
                raise
            raise InputError(f"this column has {rows} people, got {changes['n']}.", "n", str(rows)) from None

    def redrawn(self) -> Self:
        """Return a copy with a random secret, without the name of a column; with another one if it is random already."""
        if self.column:
            return self.replace(name="", column="", n=self.n)
        return self.replace(secret_seed=(self.secret_seed + 1) % (LARGEST_SEED + 1))

    def with_column(self, where: str, late: str = "") -> AttackDesign:
        """Return a copy with a column of a file; published answers must fit it; with late ones, if those do."""
        with suppress(InputError):
            if late and (found := answering(late, self, where)).column == where:
                return found
        old, new = (each.rpartition("#")[2] for each in (self.column, where))
        named = {"name": new} if not self.answers and (self.column.startswith("example:") or self.name in ("", old)) else {}
        changed = self.replace(column=where, n=min(len(bits_of(where)), _MOST_ROWS), tell="numbers", **named)
        try:
            return changed if not changed.answers or problem_of(changed) else self
        except InputError as error:
            raise InputError(f"{error} It is kept for the next answers that you open.", "column") from None

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the window's initial design of this kind."""
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
    def bound_text(self) -> str:
        """The error of the answers as text, rounded up."""
        return figure(self.bound, 3)

    @property
    def epsilon_in_all(self) -> float:
        """The total epsilon of all private answers."""
        return double(self.epsilon)

    @property
    def asked_privately(self) -> tuple[object, ...]:
        """The inputs that determine the private answers; designs with equal ones share the answers."""
        return (self.n, self.queries, str(self.epsilon), str(self.share), self.seed, self.secret_seed, self.column)

    @property
    def who(self) -> Attacker:
        """The attacker; least squares if a linear program would be too large."""
        chosen: Attacker = self.attacker  # type: ignore[assignment]  # one of them, as it was checked
        return chosen if self.answers or programmable(self.n, self.queries) else "least-squares"

    @property
    def out(self) -> tuple[int, ...]:
        """The published answers that are left out, counted from 0, in rising order."""
        return tuple(sorted({int(each) - 1 for each in self.left_out.split()}))

    @property
    def answers_name(self) -> str:
        """The name of the file of answers."""
        return self.answers.replace("\\", "/").rpartition("/")[2].removeprefix("example:")

    @property
    def line(self) -> str:
        """The inputs in one line."""
        who = SHORT[self.who]
        if self.answers:
            words = message("answers in {name}", name=self.answers_name)
            return message("{words}, {out} left out", words=words, out=len(self.out)) if self.out else words
        if self.noisy:
            words = message("noise with a total ε of {epsilon}", epsilon=self.epsilon)
        else:
            words = message("each within ±{bound}", bound=self.bound_text)
            if in_roots(self.size) is not None:
                words = message("each within ±{bound} ({size})", bound=self.bound_text, size=SizeInput().text(self.size))
        parts = {"n": group_thousands(self.n), "t": group_thousands(self.queries), "words": words, "who": who}
        return message("n = {n} · {t} answers, {words} · {who}", **parts)


def problem_of(design: AttackDesign, progress: Progress = silent) -> Problem:
    """Return the problem that a design poses; an `InputError` names what cannot be read, or published answers that clash."""
    return (
        _published(design, progress) if design.answers else posing.draw_problem(setting(design), secret_of(design)[1], progress)
    )


def setting(design: AttackDesign) -> Setting:
    """Return the questions and how they are answered."""
    secret = secret_of(design)[0]
    return Setting(secret, design.queries, design.error, design.bound, design.epsilon_in_all, design.who, design.seed)


def secret_of(design: AttackDesign) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return the secret, and the row of each person in its file, both (n,); an `InputError` if there are too few rows."""
    if not design.column:
        return posing.secret_drawn(design.n, double(design.share), design.secret_seed), np.arange(1, design.n + 1)
    bits = bits_of(design.column)
    if len(bits) < design.n:
        raise InputError(f"this column has {len(bits)} people, got {design.n}.", "n", str(len(bits)))
    places = posing.people_drawn(len(bits), design.n, design.secret_seed)
    return bits[places], places + 1


def _published(design: AttackDesign, progress: Progress) -> Problem:
    people = "" if not design.column or drawn_by_hand(design.column) else resolved(file_of(design.column)[0])
    published = read_answers(resolved(design.answers), people)
    questions, rows = Questions.of(published.members, published.names), np.arange(1, published.members.shape[1] + 1)
    posed = Problem(questions, None, rows, None, published.answers, published.errors, names=published.people, out=design.out)
    if max(design.out, default=0) >= questions.t:
        raise InputError(f"left_out must be at most {questions.t}, got {max(design.out) + 1}.", "left_out", str(questions.t))
    if not design.column:
        check_consistent(questions, published.answers, published.errors, progress)
        return posed
    if wrong := posed.misfit(secret := bits_of(design.column)):
        raise InputError(f"this column {wrong}.", "column")
    return replace(posed, secret=secret[: posed.n], truth=questions.sums(secret[: posed.n].astype(np.float64)))


def painted(design: AttackDesign) -> AttackDesign:
    """Return a design with the same secret as a painted column, or itself if that is painted."""
    return design if drawn_by_hand(design.column) else design.replace(column="".join(map(str, secret_of(design)[0].tolist())))


def asked_again(before: AttackDesign | None, design: AttackDesign) -> AttackDesign:
    """Return the design without published answers, with its own secret, or otherwise the one that it had before them."""
    secret: dict[str, Any] = {} if before is None or design.column else {"column": before.column, "n": before.n}
    with suppress(InputError):  # the file may be gone
        secret |= {"n": min(len(bits_of(design.column)), design.n)} if design.column else {}
    name = "" if design.answers.startswith("example:") or design.name == Path(design.answers_name).stem else design.name
    return design.replace(answers="", left_out="", tell="numbers", name=name, **secret) if design.answers else design


def answering(path: str, design: AttackDesign, chosen: str = "") -> AttackDesign:
    """Return the design with these answers, after checking them; a column chosen before, or its secret, stays if it fits them."""
    shown, design, refused = design, asked_again(None, design), list[InputError]()
    name = "" if design.column.startswith("example:") else design.name
    changed = design.replace(answers=path, column="", n=design.n, tell="numbers", name=name or Path(path).stem)
    for column in dict.fromkeys((chosen or design.column, design.column, "")):
        try:
            problem_of(found := changed.replace(column=column, n=design.n))
            return found
        except InputError as error:
            refused.append(error)
    reason = str(next((each for each in refused if each.field == "answers"), refused[0]))
    reason += (
        " If these are other people, choose their column first."
        if refused[-1].field == "column" and "choose" not in reason
        else ""
    )
    words = reason if changed.answers_name in reason else f"in {changed.answers_name}, {reason}"
    stays = f"answers in {shown.answers_name}" if shown.answers else "random questions"
    raise InputError(f"{words} The page still shows the {stays}.", "answers") from None
