"""[GRS] Lemmas 5.5 to 5.11, checked on a user's own best mechanism.

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

from dpdesigner.core.count.closed_form import closed_form
from dpdesigner.core.count.problem import Problem
from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.program.linear_program import solve_linear_program
from dpdesigner.studies.asked import distribution, number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import mechanism
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.tables import Table


class Lemmas5(Exhibit):
    """How a best mechanism is built."""

    exhibit = "grs/lemmas-5"
    heading = said("How a best mechanism is built")
    place = said("Lemmas 5.5–5.11")
    claim = said(
        "For a strictly monotone user every optimal vertex has rows d…d S u…u in its constraint matrix, as many S as "
        "empty columns (s = z), and is a remap of G."
    )
    verdict = said("holds; 5.9 has slips in its words")
    differs = said(
        "In 5.9 “s_i zeros” must be “s_i S’s”, “row n” is row n − 1 of the constraint matrix, and “Corollary 5.8” is "
        "Lemma 5.8. The statements themselves hold."
    )
    must = said(
        "Where a row could still move weight from a column further off to one nearer, the loss would fall: a best "
        "mechanism leaves at most one entry slack in a row."
    )

    n: int = parameter(whole_number(1, 12, symbol="n"), 7, said("How many people"))
    alpha: Number = how_private_alpha(
        "1/2", "1/20", "19/20", ends=("", ""), try_=(("1/2", said("ε = ln 2")), ("3/4", said("more is read together")))
    )
    power: Number = parameter(
        number("1/2", 4, symbol="q", try_=((1, said("distance")), (2, said("square")))),
        "3/2",
        said("How errors count"),
        said("loss |i − r|^q"),
    )
    prior: Prior = parameter(distribution("n"), "binomial:1/3", said("What the user believes"), said("prior"))

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
        findings = {
            "value": Finding(said("lemmas that hold here"), sum(checks.values())),
            "loss": Finding(said("expected loss of the remap of G"), float(form.value), digits=8, rounding="up"),
            "program": Finding(said("expected loss of the linear program"), program.value, digits=8, rounding="up"),
            "distance": Finding(said("between the two, at most"), gap, digits=1, rounding="up"),
            "s": Finding(said("slack entries s"), slack),
            "z": Finding(said("empty columns z"), n + 1 - len(used)),
            "remap": Finding(said("what 0, …, n are read as"), ", ".join(map(str, form.remap.tolist()))),
            "rebuilt": Finding(said("the same from the S alone (5.11)"), ", ".join(map(str, rebuilt))),
        }
        picture = mechanism("best", said("The best mechanism"), form.mechanism, alpha)
        header = ("i", *map(str, range(n + 1)))
        rows_of = tuple((f"{i}, {i + 1}", *map(str, pattern[i])) for i in range(n))
        binds = Table("binds", said("Where privacy binds"), header, rows_of)
        values = {"holds": sum(checks.values()), "all": len(checks), "s": slack, "z": n + 1 - len(used)}
        sentence = said("{holds} of {all} lemmas hold for this user; s = {s}, z = {z}.", **values)
        return self.answer(findings, (picture, binds, _lemmas(checks)), sentence, printed={"value": len(checks), "z": slack})


def _lemmas(checks: dict[str, bool]) -> Table:
    names = {
        "5.5": said("rows d…d, at most one S, u…u"),
        "5.6": said("the identity in its proof, in fractions"),
        "5.8": said("s = z"),
        "5.9": said("columns u…u, S…S, d…d"),
        "5.11": said("the remap is read off the S"),
    }
    rows = tuple((key, names[key], said("holds") if ok else said("does not")) for key, ok in checks.items())
    return Table("lemmas", said("Lemma by lemma"), (said("lemma"), said("says"), said("here")), rows)


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
