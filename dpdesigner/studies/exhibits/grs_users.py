"""[GRS] Theorem 3.1: one release serves every user, each with their own remap and their own linear program.

Each user's expected loss with their own remap of G is compared with the least that any oblivious private mechanism has, made
for this user alone: a linear program over all mechanisms with releases 0..n, and a dual certificate in fractions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
from typing_extensions import Self

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number, exact
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.count.closed_form import ClosedForm, Problem, closed_form
from dpdesigner.core.mechanism.adjacency_graphs import best_mechanism, least, path, private, row_sums
from dpdesigner.core.mechanism.linear_program import solve_linear_program
from dpdesigner.core.mechanism.remap import solve_exactly
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, View
from dpdesigner.studies.exhibits.exhibit import Exhibit, grouped_bars, how_private_alpha, mechanism, parameter, points, text
from dpdesigner.studies.fields import choice, distribution, number, whole_number
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.matrices import pattern_source
from dpdesigner.studies.panels import Plot, Strips
from dpdesigner.studies.plot_parts import Axis, Bars
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Rank, Ranking, Role, Table

_NEAR = 1e-7  # accuracy of the linear program
_ROLES: tuple[Role, ...] = ("rival", "rival", "rival", "main")  # whoever is chosen at the left is blue


@dataclass(frozen=True, eq=False)
class _User:
    """A user, the user's best remap, and the least expected loss of any private mechanism designed for this user."""

    name: str
    form: ClosedForm
    tailored: float

    @property
    def remap(self) -> list[int]:
        """The reading of each output."""
        return [int(value) for value in self.form.remap]

    def belief(self, released: int) -> Floats:
        """Return the posterior (n+1,) of the user after an output."""
        said = np.asarray(self.form.geometric, dtype=float)[:, released]
        weights = np.asarray(self.form.design.costs.prior, dtype=float) * said
        return np.asarray(weights / weights.sum())

    @property
    def served(self) -> bool:
        """Whether no mechanism designed for this user has a smaller expected loss."""
        return self.form.gap <= 1e-9 and abs(float(self.form.value) - self.tailored) <= _NEAR * (1 + self.tailored)


class Figure1(Exhibit):
    """One release for several users."""

    exhibit = "grs/figure-1"
    heading = message("One release, a remap for each")
    place = message("Theorem 3.1, Figure 1")
    claim = message(
        "For every user, with any prior and any loss that never falls as errors grow: no equally private mechanism that sees "
        "only the count and releases a possible one has a smaller expected loss than the geometric mechanism, read optimally."
    )
    symbols = message(
        "For every user with a prior and a monotone loss, the α-geometric mechanism followed by an optimal remap of this user "
        "minimises the expected loss over all oblivious α-private mechanisms with range 0, …, n."
    )
    verdict = message("one release is optimal for all four")
    must = message(
        "All users see the same output. Each computes a posterior and chooses the reading with the least expected "
        "loss. A dual certificate for each user shows that no mechanism designed for that user alone does better."
    )
    badge = (message("✓ proved optimal for each user"), "proved")

    views = (
        View("readings", message("Four readings"), ("readings", "remaps")),
        View("released", message("The mechanism"), ("released", "remaps")),
    )

    n: int = parameter(whole_number(1, 12, symbol="n", try_=((5, ""), (10, ""))), 10, message("Number of people"))
    alpha: Number = how_private_alpha(
        "1/2", "1/20", "19/20", try_=(("1/2", message("ε = ln 2")), ("4/5", message("outputs are merged")))
    )
    released: int = parameter(
        whole_number(0, 10**6, symbol="r", slide=(0, 12)), 3, message("Released output"), message("output r")
    )
    prior: Prior = parameter(distribution("n"), "binomial:7/10", message("Prior of the fourth user"), message("your prior"))
    loss: str = parameter(
        choice(("absolute", message("|i − r|")), ("squared", message("(i − r)²")), ("zero-one", message("0 or 1"))),
        "squared",
        message("Loss of the fourth user"),
        message("your loss"),
    )

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed; a released output above n is refused, and follows a smaller n."""
        made = super().replace(**changes)
        if made.released <= made.n:
            return made
        if "released" in changes:
            raise InputError(f"r must be between 0 and n = {made.n}, got {made.released}.", "released", str(made.n))
        return made.replace(released=made.n)

    def run(self, progress: Progress = silent) -> Answer:
        """Find each user's remap, and the optimum of their own linear program."""
        n, alpha = self.n, exact(self.alpha)
        released = min(self.released, n)
        ends = Prior((1, *[0] * (n - 1), 1), n)
        falling = Prior(tuple(Fraction(2, 3) ** i for i in range(n + 1)), n)
        chosen = [
            (message("anything possible, absolute loss"), Prior("uniform", n), "absolute"),
            (message("few expected, right or wrong"), falling, "zero-one"),
            (message("all or nobody, squared loss"), ends, "squared"),
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
                message("user {k}: loss at face value", k=k), _face_value(user.form, n), digits=8, rounding="up"
            )
            findings[f"reads-{k}"] = Finding(message("user {k}: reading of the output", k=k), user.remap[released])
        *others, last = (str(user.remap[released]) for user in users)
        readings = message("{others} and {last}", others=", ".join(others), last=last)
        sentence = message(
            "<b>The same output, {r}, is read as {readings}.</b> For {served} of the 4 users, no equally private mechanism "
            "that sees only the count has a smaller expected loss.",
            r=released,
            readings=readings,
            served=served,
        )
        title = message("User-independent part: the geometric mechanism")
        first = mechanism("released", title, users[0].form.geometric, alpha)
        panels = (self._remaps(users, n, released), self._readings(users, released), first, _losses(users, n))
        return self.answer(findings, panels, sentence, printed={"value": len(users)})

    def _user(self, name: str, prior: Prior, loss: str, alpha: Fraction, progress: Progress) -> _User:
        problem = Problem(self.n, PrivacyLevel("alpha", alpha), prior, Loss(loss))
        costs = np.asarray(problem.costs.prior, dtype=float)[:, None] * problem.loss.matrix(self.n)
        return _User(name, _solved(problem), solve_linear_program(costs, float(alpha), progress=progress).value)

    def _readings(self, users: list[_User], released: int) -> Strips:
        """Show what one output tells everybody, and below it what each user then believes and reads: its orange bar."""
        said = np.asarray(users[0].form.geometric, dtype=float)[:, released]
        counts = Axis(message("true count"), scale="names", names=tuple(map(str, range(len(said)))))
        top = Plot(
            "output",
            message("How likely the output {r} is, by true count", r=released),
            counts,
            Axis(limits=(0.0, 1.12 * float(said.max()))),
            bars=(Bars(said, message("probability of the output")),),
            hint=message("the same for all users"),
        )
        plots = [top]
        for k, user in enumerate(users, 1):
            held = np.asarray(user.form.design.costs.prior, dtype=float)
            after, reading = user.belief(released), user.remap[released]
            bars = Bars(
                after,
                message("belief after the output"),
                _ROLES[k - 1],
                texts=lambda share: f"{100 * share:.0f}%",
                rival=held,
                labels=tuple(f"{100 * share:.0f}%" if place == reading else "" for place, share in enumerate(after)),
            )
            name = message("chosen at the left") if k == len(users) else user.name
            title = message("User {k}: {name}", k=k, name=name)
            hint = message("reads it as {reading}", reading=reading)
            if k == 1:
                hint = message("{hint} · lines: belief before", hint=hint)
            plots.append(Plot(f"user-{k}", title, counts, Axis(), bars=(bars,), selected=reading, hint=hint))
        return Strips("readings", message("One output, four readings"), tuple(plots))

    def _remaps(self, users: list[_User], n: int, released: int) -> Plot:
        return Plot(
            "remaps",
            message("A remap for each user"),
            Axis(message("output"), scale="whole", limits=(-0.5, n + 0.5)),
            Axis(message("read as"), scale="whole", limits=(-0.5, n + 0.5)),
            tuple(
                replace(points(range(n + 1), user.remap, user.name, role, dashed=False), short=message("user {k}", k=k))
                for k, (role, user) in enumerate(zip(_ROLES, users, strict=True), 1)
            ),
            handles=(self.handle("released", most=n),),
        )


def _solved(problem: Problem) -> ClosedForm:
    """Solve in fractions if the prior allows it."""
    try:
        return closed_form(problem, exact=True)
    except InputError:
        return closed_form(problem)


def _face_value(form: ClosedForm, n: int) -> float:
    """Return the expected loss of a user who takes the outputs of G at face value."""
    problem = form.design
    matrix = np.asarray(form.geometric, dtype=float)
    return float(np.asarray(problem.costs.prior, dtype=float) @ (matrix * problem.loss.matrix(n)).sum(axis=1))


def _losses(users: list[_User], n: int) -> Table:
    header = (
        message("user"),
        message("as released"),
        message("read best"),
        message("least"),
    )
    rows = tuple(
        (
            str(k),
            text(_face_value(user.form, n), 5, "up"),
            text(float(user.form.value), 5, "up"),
            text(user.tailored, 5, "up"),
        )
        for k, user in enumerate(users, 1)
    )
    return Table("users", message("Expected losses"), header, rows)


_PRIOR = ("1/4", 0, "1/4", 0, "1/4", "1/4")
_FIGURE_2 = """2/3 0 1/4 1/24 1/48 1/48 1/3 0 1/2 1/12 1/24 1/24 1/6 0 1/2 1/6 1/12 1/12
1/12 0 1/4 1/3 1/6 1/6 1/24 0 1/8 1/6 1/3 1/3 1/48 0 1/16 1/12 1/6 2/3""".split()
_FIGURE_3 = "dZuuuu dZSuuu dZduuu dZdduu dZdddu"


class Figures23(Exhibit):
    """The best mechanism of one user."""

    exhibit = "grs/figures-2-3"
    heading = message("Optimal mechanism for one user")
    place = message("Example 5.2, Figures 2 and 3")
    claim = message(
        "A user expects 0, 2, 4 or 5, all equally likely, and large errors cost more than in proportion. The geometric "
        "mechanism, with output 1 read as 2, is optimal for this user."
    )
    symbols = message(
        "An optimal mechanism for the user with prior (¼, 0, ¼, 0, ¼, ¼) and loss |i−r|^1.5 is the ½-geometric mechanism with "
        "output 1 read as 2 (Figure 2). Figure 3 is its constraint matrix."
    )
    verdict = message("all 36 fractions of its matrix agree")
    pictured_numbers = ("face", "pattern", "s", "z", "gap")
    must = message(
        "All users share one mechanism, and this user reads each release optimally. A dual certificate shows that no "
        "mechanism designed for this user alone does better."
    )
    badge = (message("✓ proved optimal"), "proved")

    alpha: Number = how_private_alpha("1/2", "1/100", "99/100", try_=(("1/2", message("the paper’s")),))
    power: Number = parameter(
        number("1/4", 4, symbol="q", try_=(("3/2", message("the paper’s")), (1, message("distance")), (2, message("square")))),
        "3/2",
        message("Cost of errors"),
        message("error to the power q"),
    )
    prior: Prior = parameter(distribution(5), _PRIOR, message("Prior of the user"), message("prior"))

    def run(self, progress: Progress = silent) -> Answer:
        """Solve in closed form, and compare with the figures if the user is the paper's."""
        alpha = exact(self.alpha)
        level = PrivacyLevel("alpha", alpha)
        problem = Problem(5, level, self.prior, Loss(f"power:{exact(self.power)}"))
        form = closed_form(problem)
        rows = list(form.induced.exact_rows(alpha))
        pattern = form.constraints
        flat = [Fraction(value) for row in rows for value in row]
        figure = "".join("".join(row) for row in pattern.tolist())
        face = _face_value(form, 5)
        slack, empty = int((pattern[:5] == "S").sum()), int((pattern == "Z").all(axis=0).sum())
        findings = {
            "value": Finding(message("expected loss"), float(form.value), digits=5, rounding="up", state="proved"),
            "remap": Finding(message("0 to 5 are read as"), ", ".join(map(str, form.remap.tolist()))),
            "equal": Finding(
                message("entries equal to Figure 2"),
                sum(ours == Fraction(theirs) for ours, theirs in zip(flat, _FIGURE_2, strict=True)),
            ),
            "pattern": Finding(message("constraint matrix, row by row"), " ".join(figure[k : k + 6] for k in range(0, 30, 6))),
            "s": Finding(message("constraints that are not tight (slack)"), slack),
            "z": Finding(message("outputs that never occur"), empty),
            "face": Finding(message("expected loss at face value"), face, rounding="up"),
            "gap": Finding(message("gap to the optimum, at most"), float(form.gap), digits=1, rounding="up"),
        }
        printed: dict[str, Number] = {}
        if alpha == Fraction(1, 2) and exact(self.power) == Fraction(3, 2) and self.prior == Prior(_PRIOR, 5):
            printed = {"remap": "0, 2, 2, 3, 4, 5", "equal": 36, "pattern": _FIGURE_3}
        else:
            del findings["equal"]  # the figure is of other values
        title = message("How likely each release is (Figure 2; arrows: Figure 3)" if printed else "How likely each release is")
        induced = mechanism("figure-2", title, rows, alpha, binding=pattern_source(pattern))
        changed = [message("{r} as {read}", r=r, read=read) for r, read in enumerate(form.remap.tolist()) if r != read]
        sentence = message(
            "<b>{reads}, this user expects a loss of {value}{instead}.</b> A certificate proves that no mechanism with the "
            "same privacy does better for this user.",
            reads=message("Reading {outputs}", outputs=", ".join(changed)) if changed else message("Taking each output as it is"),
            value=text(float(form.value), 5, "up"),
            instead=message(" instead of {face}", face=text(face, 5, "up")) if changed else "",
        )
        checks = (message("✓ proved: no mechanism that sees only the count does better"),)
        held = np.asarray(problem.costs.prior, dtype=float)
        blind = float((held @ problem.loss.matrix(5)).min())
        bars = [Rank(message("read best"), float(form.value), proved=True), Rank(message("as released"), face, "rival")]
        losses = Ranking("losses", message("Expected loss"), (*bars, Rank(message("without the data"), blind, "aid")))
        return self.answer(findings, (induced, losses), sentence, printed=printed, checks=checks)


class UserLp(Exhibit):
    """One user's linear program, corrected and as printed."""

    exhibit = "grs/user-lp"
    heading = message("The linear program of one user")
    place = message("Section 5, program (2)–(6)")
    claim = message(
        "A user’s optimal mechanism solves a linear program: minimise the expected loss, subject to privacy for neighbouring "
        "counts, (3) and (4), with probabilities that sum to 1, (5), and are never negative, (6)."
    )
    symbols = message(
        "A user’s optimal mechanism minimises Σ p_i x_ir l(i,r) subject to (3), (4) for r ∈ N∖{n} and i ∈ N, (5) Σ_{r ∈ R} x_ir "
        "= 1, and (6) x_ir ≥ 0."
    )
    verdict = message("one output is left unprotected")
    differs = message(
        "The sets of i and r are swapped in (3) and (4). As printed, no constraint protects the last output, so the "
        "program can reveal the largest count, and i + 1 leaves the range. In (5), r should run over N."
    )
    must = message("The constraints link neighbouring counts i and i + 1 for every output r, so i is at most n − 1.")
    badge = (message("✓ proved optimal"), "proved")

    n: int = parameter(whole_number(1, 12, symbol="n"), 5, message("Number of people"))
    alpha: Number = how_private_alpha("1/2", "1/20", "19/20", ends=("", ""), try_=(("1/2", message("ε = ln 2")),))

    def run(self, progress: Progress = silent) -> Answer:
        """Solve the correct program (uniform prior, loss 0 or 1) exactly, and the printed one, where column n is free."""
        n, alpha = self.n, exact(self.alpha)
        prior = [Fraction(1, n + 1)] * (n + 1)
        loss = [[Fraction(i != r) for r in range(n + 1)] for i in range(n + 1)]
        exactly = solve_exactly(prior, loss, alpha)
        program = best_mechanism(
            [[p * x for x in row] for p, row in zip(prior, loss, strict=True)], alpha, [(i, i + 1) for i in range(n)]
        )
        # As printed: the last output gets the remainder of the others, so only their sums are bounded by 1.
        free = _free_column(n, alpha, prior)
        matrix = np.array(free[1])
        ratio = max((_ratio(*pair) for i in range(n) for pair in permutations(matrix[i : i + 2, n].tolist())), default=1.0)
        findings = {
            "value": Finding(message("least loss, corrected program"), exactly.value, rounding="up", state="proved"),
            "program": Finding(message("least loss by linear program"), program.value, rounding="up"),
            "variables": Finding(message("unknowns"), (n + 1) ** 2),
            "inequalities": Finding(message("privacy constraints"), 2 * n * (n + 1)),
            "sums": Finding(message("constraints that a row sums to 1"), n + 1),
            "ratio": Finding(message("privacy ratio of the last output, printed program"), ratio),
        }
        right = np.array([[float(x) for x in row] for row in program.matrix])
        table = Table(
            "last",
            message("The last output, row by row"),
            ("i", message("right"), message("as printed")),
            tuple((str(i), f"{right[i, n]:.4g}", f"{matrix[i, n]:.4g}") for i in range(n + 1)),
        )
        sentence = message(
            "The least expected loss is {right}. The printed program gives {free}, because it leaves one output unprotected.",
            right=text(exactly.value, rounding="up"),
            free=text(free[0], rounding="up"),
        )
        return self.answer(findings, (self._column(right, matrix, n), table), sentence, printed={"value": free[0]})

    def _column(self, right: Floats, matrix: Floats, n: int) -> Plot:
        return Plot(
            "column",
            message("Probability of the last output"),
            Axis(message("true result"), scale="whole"),
            Axis(message("probability"), limits=(0, 1)),
            bars=grouped_bars((right[:, n], message("right"), "main"), (matrix[:, n], message("as printed"), "rival")),
        )


def _ratio(one: float, other: float) -> float:
    return one / other if other > 1e-12 else math.inf if one > 1e-12 else 1.0


def _free_column(n: int, alpha: Fraction, prior: list[Fraction]) -> tuple[float, list[list[float]]]:
    """Return the least loss, and a mechanism, if column n is unconstrained except that it must be at least 0."""
    rows = n + 1
    constraints = private(path(rows), rows, float(alpha), np.eye(rows)[:n])
    cost = np.array([[float(prior[i]) * (i != r) for r in range(rows)] for i in range(rows)]).ravel()
    solution = least(cost, constraints, np.zeros(len(constraints)), row_sums(rows, rows), np.ones(rows))
    return solution.value, solution.x.reshape(rows, rows).tolist()
