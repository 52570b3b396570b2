"""[GRS] Example 5.2 with Figures 2 and 3: one user's best mechanism, the remap of G that makes it, and where privacy binds.

alpha = 1/2, n = 5, prior (1/4, 0, 1/4, 0, 1/4, 1/4), loss |i - r|^1.5.
"""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.count.closed_form import Problem, closed_form
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import mechanism, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import distribution, number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table

_PRIOR = ("1/4", 0, "1/4", 0, "1/4", "1/4")
_FIGURE_2 = """2/3 0 1/4 1/24 1/48 1/48 1/3 0 1/2 1/12 1/24 1/24 1/6 0 1/2 1/6 1/12 1/12
1/12 0 1/4 1/3 1/6 1/6 1/24 0 1/8 1/6 1/3 1/3 1/48 0 1/16 1/12 1/6 2/3""".split()
_FIGURE_3 = "dZuuuu dZSuuu dZduuu dZdduu dZdddu"


class Figures23(Exhibit):
    """The best mechanism of one user."""

    exhibit = "grs/figures-2-3"
    heading = message("An optimal mechanism for one user")
    place = message("Example 5.2, Figures 2 and 3")
    claim = message(
        "An optimal mechanism for the user with prior (¼, 0, ¼, 0, ¼, ¼) and loss |i−r|^1.5 is the ½-geometric "
        "mechanism with output 1 read as 2 (Figure 2). Figure 3 is its constraint matrix."
    )
    verdict = message("all 36 fractions agree")
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
        message("loss |i − r|^q"),
    )
    prior: Prior = parameter(distribution(5), _PRIOR, message("Prior of the user"), message("prior"))

    def run(self, progress: Progress = silent) -> Answer:
        """Solve in closed form, and compare with the figures where the user is the paper's."""
        alpha = exact(self.alpha)
        level = PrivacyLevel("alpha", alpha)
        problem = Problem(5, level, self.prior, Loss(f"power:{exact(self.power)}"))
        form = closed_form(problem)
        rows = list(form.induced.exact_rows(alpha))
        pattern = form.constraints
        flat = [Fraction(value) for row in rows for value in row]
        figure = "".join("".join(row) for row in pattern.tolist())
        slack, empty = int((pattern[:5] == "S").sum()), int((pattern == "Z").all(axis=0).sum())
        findings = {
            "value": Finding(message("expected loss"), float(form.value), digits=14, state="proved"),
            "remap": Finding(message("remap of 0, …, 5"), ", ".join(map(str, form.remap.tolist()))),
            "equal": Finding(
                message("entries equal to Figure 2"),
                sum(ours == Fraction(theirs) for ours, theirs in zip(flat, _FIGURE_2, strict=True)),
            ),
            "pattern": Finding(message("constraint matrix, row by row"), " ".join(figure[k : k + 6] for k in range(0, 30, 6))),
            "s": Finding(message("slack entries s"), slack),
            "z": Finding(message("empty columns z"), empty),
            "gap": Finding(message("gap to the optimum, at most"), float(form.gap), digits=1, rounding="up"),
        }
        printed: dict[str, Number] = {}
        if alpha == Fraction(1, 2) and exact(self.power) == Fraction(3, 2) and self.prior == Prior(_PRIOR, 5):
            printed = {"remap": "0, 2, 2, 3, 4, 5", "equal": 36, "pattern": _FIGURE_3}
        title = message("The optimal mechanism (Figure 2)")
        induced = mechanism("figure-2", title, form.mechanism, alpha, lambda i, r: str(rows[i][r]))
        sentence = message(
            "Reading the outputs 0, …, 5 as {remap} gives an expected loss of {value}. A certificate proves that this "
            "is the least for this user.",
            remap=findings["remap"].value,
            value=text(float(form.value), 5, "up"),
        )
        checks = (message("✓ {basis}", basis=form.basis),)
        return self.answer(findings, (induced, _figure_3(pattern.tolist())), sentence, printed=printed, checks=checks)


def _figure_3(pattern: list[list[str]]) -> Table:
    return Table(
        "figure-3",
        message("Tight privacy constraints (Figure 3)"),
        ("i", *map(str, range(6))),
        tuple((f"{i}, {i + 1}", *row) for i, row in enumerate(pattern)),
        message("d (↓): x(i+1) = α x(i). u (↑): x(i) = α x(i+1). S (slack): neither. Z: both entries are 0."),
    )
