"""[GRS] Lemmas 5.5 to 5.11, checked on a user's own optimal mechanism, and the gap that footnote 3 leaves.

They are about every optimal vertex, and hold for priors that are positive everywhere and strictly monotone losses. Where the
prior is 0 somewhere, some optimal vertex has the pattern, not every one: n = 2, alpha = 1/2, prior (1/2, 1/2, 0), loss |i - r|.
For n <= 2 all optimal vertices are looked at, beyond that one, the Bayes remap of G.

5.5: each row of the constraint matrix is d ... d, at most one S, u ... u, but for the Z; 5.8: s = z; 5.9: down a column come
u, then s_i S, then d; 5.11: the remap that sends outputs i + S_(i-1), ..., i + S_i of G to the column k_i gives the
mechanism. With a, b, c the sums of a row over its d, S and u, and b' the entry below the S, the identity in the proof of 5.6
is alpha^2 a + b'/alpha + c/alpha^2 = 1/alpha + alpha - 1 + b - alpha b'.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from dpdesigner.core.count.closed_form import Problem, closed_form
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.program.adjacency_graphs import Columns, derivable, vertices
from dpdesigner.core.program.linear_program import solve_linear_program
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import mechanism
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import distribution, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table

#: Up to this n all optimal vertices are looked at.
_ALL = 2
_THE_GAP = Problem(2, PrivacyLevel("alpha", Fraction(1, 2)), Prior((1, 1, 0), 2), Loss("power:1"))


class Lemmas5(Exhibit):
    """Structure of an optimal mechanism."""

    exhibit = "grs/lemmas-5"
    heading = message("Structure of an optimal mechanism")
    place = message("Lemmas 5.5–5.11, Footnote 3")
    claim = message(
        "For every prior and every monotone loss, each optimal vertex is a remap of G. Its constraint rows have the "
        "form d…d, at most one S, u…u, and there are as many S as empty columns (s = z)."
    )
    verdict = message("needs a prior positive everywhere")
    differs = message(
        "The proof needs a prior that is positive everywhere and a strictly monotone loss. Footnote 3 extends it by a "
        "limit. This shows only that some optimal vertex has the form, which is enough for Theorem 3.1; the last table "
        "shows an optimal vertex without it. The help page “Where the papers err” lists misprints."
    )
    must = message(
        "If a row had two slack entries, probability could be moved from the column further from the truth to the nearer one. "
        "That lowers the loss if the prior is positive there."
    )

    n: int = parameter(
        whole_number(1, 12, symbol="n", try_=((2, message("all optimal vertices")),)), 7, message("Number of people")
    )
    alpha: Number = how_private_alpha(
        "1/2", "1/20", "19/20", ends=("", ""), try_=(("1/2", message("ε = ln 2")), ("3/4", message("more outputs are merged")))
    )
    power: Number = parameter(
        number("1/2", 4, symbol="q", try_=((1, message("distance")), (2, message("square")))),
        "3/2",
        message("Cost of errors"),
        message("loss |i − r|^q"),
    )
    prior: Prior = parameter(distribution("n"), "binomial:1/3", message("Prior of the user"), message("prior"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compare the best remap with the linear program's vertex, and check each lemma on the constraint matrix."""
        n, alpha = self.n, exact(self.alpha)
        problem = Problem(n, PrivacyLevel("alpha", alpha), self.prior, Loss(f"power:{exact(self.power)}"))
        form = closed_form(problem)
        program = solve_linear_program(
            np.asarray(problem.costs.prior)[:, None] * problem.loss.matrix(n), float(alpha), progress=progress
        )
        pattern = form.constraints
        used = [r for r in range(n + 1) if not (pattern[:, r] == "Z").all()] if n else [0]
        rows = ["".join(str(pattern[i, r]) for r in used) for i in range(n)]
        slack = sum(row.count("S") for row in rows)
        rebuilt = _rebuilt(rows, used, n)
        checks = {
            "5.5": all("".join(sorted(row, key="dSu".index)) == row and row.count("S") <= 1 for row in rows),
            "5.6": _identity(form.induced.exact_rows(alpha), pattern.tolist(), alpha),
            "5.8": slack == n + 1 - len(used),
            "5.9": all(_falls_last("".join(row[k] for row in rows)) for k in range(len(used))),
            "5.11": rebuilt == form.remap.tolist(),
        }
        gap = abs(float(form.value) - program.value)
        full = all(p > 0 for p in problem.costs.prior)
        cases = [*([_counted(n, alpha, problem)] if n <= _ALL else []), _counted(2, Fraction(1, 2), _THE_GAP)]
        many = {
            "vertices": Finding(message("optimal vertices, all enumerated"), cases[0][0]),
            "pattern": Finding(message("optimal vertices with this form"), cases[0][1]),
        }
        findings = {
            "value": Finding(message("lemmas that hold for the remap of G"), sum(checks.values())),
            **(many if n <= _ALL else {}),
            "gap-vertices": Finding(message("prior (½, ½, 0), |i − r|, α = ½: optimal vertices"), cases[-1][0], state="proved"),
            "gap-pattern": Finding(message("of these, with this form"), cases[-1][1], state="proved"),
            "loss": Finding(message("expected loss of the remap of G"), float(form.value), digits=8, rounding="up"),
            "program": Finding(message("expected loss of the linear program"), program.value, digits=8, rounding="up"),
            "distance": Finding(message("difference of the two, at most"), gap, digits=1, rounding="up"),
            "s": Finding(message("slack entries s"), slack),
            "z": Finding(message("empty columns z"), n + 1 - len(used)),
            "remap": Finding(message("remap of 0, …, n"), ", ".join(map(str, form.remap.tolist()))),
            "rebuilt": Finding(message("remap recovered from the S alone (5.11)"), ", ".join(map(str, rebuilt))),
        }
        picture = mechanism("best", message("The optimal remap of G"), form.mechanism, alpha)
        header = ("i", *map(str, range(n + 1)))
        rows_of = tuple((f"{i}, {i + 1}", *map(str, pattern[i])) for i in range(n))
        binds = Table("binds", message("Tight privacy constraints"), header, rows_of)
        values = {"holds": sum(checks.values()), "all": len(checks), "s": slack, "z": n + 1 - len(used)}
        looked = (
            message("{pattern} of {many} optimal vertices have this form.", many=cases[0][0], pattern=cases[0][1])
            if n <= _ALL
            else message("Other optimal vertices are not enumerated for n above {most}.", most=_ALL)
        )
        sentence = message(
            "The remap of G satisfies {holds} of {all} lemmas; s = {s}, z = {z}.{zero} {looked}",
            zero="" if full else message(" This prior is 0 for some counts, so the proof does not apply."),
            looked=looked,
            **values,
        )
        printed: dict[str, Number] = {"value": len(checks), "z": slack, "gap-pattern": cases[-1][0]}
        if n <= _ALL:
            printed["pattern"] = cases[0][0]
        return self.answer(findings, (picture, binds, _lemmas(checks), _vertex()), sentence, printed=printed)


def _lemmas(checks: dict[str, bool]) -> Table:
    names = {
        "5.5": message("rows d…d, at most one S, u…u"),
        "5.6": message("the identity in its proof (exact)"),
        "5.8": message("s = z"),
        "5.9": message("columns u…u, S…S, d…d"),
        "5.11": message("the S determine the remap"),
    }
    rows = tuple((key, names[key], message("holds") if ok else message("differs")) for key, ok in checks.items())
    return Table("lemmas", message("Lemma by lemma"), (message("lemma"), message("says"), message("here")), rows)


def _counted(n: int, alpha: Fraction, problem: Problem) -> tuple[int, int]:
    """Count the vertices that are optimal for a user, and those with the pattern of Lemma 5.5 that are remaps of G."""
    costs = [[float(p) * float(x) for x in row] for p, row in zip(problem.costs.prior, problem.loss.matrix(n), strict=True)]
    every = vertices(n, n + 1, alpha)
    losses = [sum(float(x) * costs[i][r] for r, column in enumerate(each) for i, x in enumerate(column)) for each in every]
    optimal = [each for each, loss in zip(every, losses, strict=True) if loss <= min(losses) + 1e-12 * max(losses)]
    return len(optimal), sum(derivable(each, alpha) and _has_pattern(each, alpha) for each in optimal)


def _has_pattern(columns: Columns, alpha: Fraction) -> bool:
    used = [column for column in columns if column[0]]
    for i in range(len(columns[0]) - 1):
        row = ["d" if alpha * c[i] == c[i + 1] else "u" if c[i] == alpha * c[i + 1] else "S" for c in used]
        if row != sorted(row, key="dSu".index) or row.count("S") > 1:
            return False
    return True


def _vertex() -> Table:
    """An optimal vertex without the pattern."""
    alpha = Fraction(1, 2)
    counted = next(
        each
        for each in vertices(2, 3, alpha)
        if not _has_pattern(each, alpha)
        and sum((each[r][i] * abs(i - r) for r in range(3) for i in (0, 1)), Fraction(0)) == Fraction(2, 3)
    )
    rows = tuple((str(i), *map(str, row)) for i, row in enumerate(zip(*counted, strict=True)))
    header = ("i", *(message("output {r}", r=r) for r in range(3)))
    return Table(
        "other-vertex", message("Optimal for prior (½, ½, 0) and loss |i − r| at α = ½, but without this form"), header, rows
    )


def _falls_last(column: str) -> bool:
    return "".join(sorted(column, key="uSd".index)) == column


def _identity(rows: Iterable[Sequence[Fraction]], pattern: list[list[str]], alpha: Fraction) -> bool:
    """Whether the identity in the proof of Lemma 5.6 holds in every row, exactly."""
    for (row, below), marks in zip(pairwise(rows), pattern, strict=True):
        a, b, c = (sum((x for x, mark in zip(row, marks, strict=True) if mark == kind), Fraction(0)) for kind in "dSu")
        under = sum((x for x, mark in zip(below, marks, strict=True) if mark == "S"), Fraction(0))
        if alpha**2 * a + under / alpha + c / alpha**2 != 1 / alpha + alpha - 1 + b - alpha * under:
            return False
    return True


def _rebuilt(rows: list[str], used: list[int], n: int) -> list[int]:
    """Return the remap of Lemma 5.11: the i-th used column k_i takes the outputs i + S_(i-1), ..., i + S_i of G."""
    slack = [sum(row[k] == "S" for row in rows) for k in range(len(used))]
    remap: list[int] = []
    for k, many in zip(used, slack, strict=True):
        remap += [k] * (1 + many)
    return (remap + [used[-1]] * (n + 1))[: n + 1]
