"""[GRS] Theorem 3.1 with Figure 1: one release by the geometric mechanism, several users, and a remap for each of them.

Each user's expected loss with their own remap of G is compared with the least that any oblivious private mechanism has, made
for this user alone: a linear program over all mechanisms with releases 0..n, and a dual certificate in fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpdesigner.core.count.closed_form import ClosedForm, Problem, closed_form
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.program.linear_program import solve_linear_program
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import mechanism, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import choice, distribution, whole_number
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role, Table

_NEAR = 1e-7  # as near as the linear program is
_ROLES: tuple[Role, ...] = ("rival", "other", "aid", "main")


@dataclass(frozen=True, eq=False)
class _User:
    """A user, the remap that serves them best, and the least expected loss of any private mechanism made for them."""

    name: str
    form: ClosedForm
    tailored: float

    @property
    def remap(self) -> list[int]:
        """The reading of each output."""
        return [int(value) for value in self.form.remap]

    @property
    def served(self) -> bool:
        """Whether no mechanism made for this user has a smaller expected loss."""
        return self.form.gap <= 1e-9 and abs(float(self.form.value) - self.tailored) <= _NEAR * (1 + self.tailored)


class Figure1(Exhibit):
    """One release for several users."""

    exhibit = "grs/figure-1"
    heading = message("One release, a remap for each")
    place = message("Theorem 3.1, Figure 1")
    claim = message(
        "For every user with a prior and a monotone loss, the α-geometric mechanism followed by an optimal remap of this user "
        "minimises the expected loss over all oblivious α-private mechanisms with range 0, …, n."
    )
    verdict = message("one release is optimal for all four")
    must = message(
        "All users see the same output. Each computes a posterior and chooses the reading with the least expected "
        "loss. A dual certificate for each user shows that no mechanism designed for that user alone does better."
    )
    badge = (message("✓ proved optimal for each user"), "proved")

    n: int = parameter(whole_number(1, 12, symbol="n", try_=((5, ""), (10, ""))), 10, message("Number of people"))
    alpha: Number = how_private_alpha(
        "1/2", "1/20", "19/20", try_=(("1/2", message("ε = ln 2")), ("4/5", message("outputs are merged")))
    )
    released: int = parameter(whole_number(0, 12, symbol="r"), 3, message("Released output"), message("output r"))
    prior: Prior = parameter(distribution("n"), "binomial:7/10", message("Prior of the fourth user"), message("your prior"))
    loss: str = parameter(
        choice(("absolute", message("|i − r|")), ("squared", message("(i − r)²")), ("zero-one", message("0 or 1"))),
        "squared",
        message("Loss of the fourth user"),
        message("your loss"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Find each user's remap, and the optimum of their own linear program."""
        n, alpha = self.n, exact(self.alpha)
        released = min(self.released, n)
        ends = Prior((1, *[0] * (n - 1), 1), n)
        falling = Prior(tuple(Fraction(2, 3) ** i for i in range(n + 1)), n)
        chosen = [
            (message("uniform prior, |i − r|"), Prior("uniform", n), "absolute"),
            (message("few expected, binary loss"), falling, "zero-one"),
            (message("0 or n, (i − r)²"), ends, "squared"),
            (message("fourth user"), self.prior, self.loss),
        ]
        users = [self._user(*each, alpha, progress) for each in chosen]
        served = sum(user.served for user in users)
        state: State = "proved" if served == len(users) else "given"
        findings = {"value": Finding(message("users for whom the release is optimal"), served, state=state)}
        for k, user in enumerate(users, 1):
            findings[f"loss-{k}"] = Finding(
                message("user {k}: expected loss with the remap", k=k), user.form.value, rounding="up", state=state
            )
            findings[f"own-{k}"] = Finding(message("user {k}: least loss of any mechanism", k=k), user.tailored, digits=8)
            findings[f"face-{k}"] = Finding(
                message("user {k}: loss at face value", k=k), _face_value(user, n), digits=8, rounding="up"
            )
            findings[f"reads-{k}"] = Finding(message("user {k}: reading of the output", k=k), user.remap[released])
        readings = ", ".join(str(user.remap[released]) for user in users)
        sentence = message(
            "The output is {r}. The four users read it as {readings}. For {served} of the 4, no mechanism that is "
            "equally private and sees only the count has a smaller expected loss.",
            r=released,
            readings=readings,
            served=served,
        )
        first = mechanism("released", message("User-independent part: the geometric mechanism"), users[0].form.geometric, alpha)
        panels = (self._remaps(users, n, released), first, _losses(users, n))
        return self.answer(findings, panels, sentence, printed={"value": len(users)})

    def _user(self, name: str, prior: Prior, loss: str, alpha: Fraction, progress: Progress) -> _User:
        problem = Problem(self.n, PrivacyLevel("alpha", alpha), prior, Loss(loss))
        costs = np.asarray(problem.costs.prior, dtype=float)[:, None] * problem.loss.matrix(self.n)
        return _User(name, _solved(problem), solve_linear_program(costs, float(alpha), progress=progress).value)

    def _remaps(self, users: list[_User], n: int, released: int) -> Plot:
        return Plot(
            "remaps",
            message("User-dependent part: a remap for each user"),
            Axis(message("output r"), scale="whole", limits=(-0.5, n + 0.5)),
            Axis(message("read as"), scale="whole", limits=(-0.5, n + 0.5)),
            tuple(
                points(range(n + 1), user.remap, user.name, role, dashed=False) for role, user in zip(_ROLES, users, strict=True)
            ),
            handles=(self.handle("released", most=n),),
        )


def _solved(problem: Problem) -> ClosedForm:
    """Solve in fractions where the prior allows it."""
    try:
        return closed_form(problem, exact=True)
    except InputError:
        return closed_form(problem)


def _face_value(user: _User, n: int) -> float:
    """Return the expected loss of a user who takes the outputs of G as they are."""
    problem = user.form.design
    matrix = np.asarray(user.form.geometric, dtype=float)
    return float(np.asarray(problem.costs.prior, dtype=float) @ (matrix * problem.loss.matrix(n)).sum(axis=1))


def _losses(users: list[_User], n: int) -> Table:
    header = (
        message("user"),
        message("remap of 0, …, n"),
        message("at face value"),
        message("with the remap"),
        message("least of any mechanism"),
    )
    rows = tuple(
        (
            user.name,
            ", ".join(map(str, user.remap)),
            text(_face_value(user, n), 5, "up"),
            text(user.form.value, 5, "up"),
            text(user.tailored, 5, "up"),
        )
        for user in users
    )
    return Table("users", message("Expected losses"), header, rows)
