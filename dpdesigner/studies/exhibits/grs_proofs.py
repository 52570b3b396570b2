"""[GRS]: the lemmas of the proof on a user's mechanism, vertices that no remap reaches, and the only universal mechanism.

[GRS] Lemmas 5.5 to 5.11, checked on a user's own optimal mechanism, and the gap that footnote 3 leaves.

They are about every optimal vertex, and hold for priors that are positive everywhere and strictly monotone losses. Where the
prior is 0 somewhere, some optimal vertex has the pattern, not every one: n = 2, alpha = 1/2, prior (1/2, 1/2, 0), loss |i - r|.
For n <= 2 all optimal vertices are looked at, beyond that one, the Bayes remap of G.

5.5: each row of the constraint matrix is d ... d, at most one S, u ... u, but for the Z; 5.8: s = z; 5.9: down a column come
u, then s_i S, then d; 5.11: the remap that sends outputs i + S_(i-1), ..., i + S_i of G to the column k_i gives the
mechanism. With a, b, c the sums of a row over its d, S and u, and b' the entry below the S, the identity in the proof of 5.6
is alpha^2 a + b'/alpha + c/alpha^2 = 1/alpha + alpha - 1 + b - alpha b'.

[GRS] footnote 4: vertices of the private mechanisms that no remap of G reaches, counted, and the one at n = 2.

At n = 2, alpha = 1/2 it is the best mechanism for the parity loss with prior (1/4, 1/2, 1/4): 1/3, where remaps of G lose
5/12. It is also optimal for a monotone user, which the footnote denies: prior (1/2, 1/2, 0) and loss |i - r|.

[GRS] Theorem 6.1: for the uniform prior and the loss 0 or 1 only G is best, so that every universal mechanism is G renamed.

The least loss is 1 - (2 + (n - 1)(1 - alpha))/((1 + alpha)(n + 1)); the optimal face is one point, by linear programs over it.

[GRS] Proposition 6.2: averaging over databases with the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number, double, exact
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.basics.rounding import small
from dpdesigner.core.count.closed_form import Problem, closed_form
from dpdesigner.core.mechanism.adjacency_graphs import (
    Columns,
    best_mechanism,
    databases,
    derivable,
    edges,
    kinds,
    optimal_face,
    vertices,
)
from dpdesigner.core.mechanism.linear_program import solve_linear_program
from dpdesigner.core.mechanism.remap import solve_exactly
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import (
    Exhibit,
    curve,
    grouped_bars,
    how_private_alpha,
    mechanism,
    parameter,
    study_seed,
    text,
)
from dpdesigner.studies.fields import distribution, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.matrices import pattern_source
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table

#: Up to this n all optimal vertices are examined.
_ALL = 2
_THE_GAP = Problem(2, PrivacyLevel("alpha", Fraction(1, 2)), Prior((1, 1, 0), 2), Loss("power:1"))


class Lemmas5(Exhibit):
    """Structure of an optimum."""

    exhibit = "grs/lemmas-5"
    heading = message("Structure of an optimum")
    place = message("Lemmas 5.5–5.11, Footnote 3")
    claim = message(
        "Every optimal extreme point (vertex) among the private mechanisms is the geometric mechanism with its outputs read "
        "differently. Its tight privacy limits have a simple form, and there are as many slack entries as unused outputs."
    )
    symbols = message(
        "For every prior and every monotone loss, each optimal vertex is a remap of G. Its constraint rows have the form d…d, "
        "at most one S, u…u, and there are as many S as empty columns (s = z)."
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
            "value": Finding(message("lemmas that hold for the best reading"), sum(checks.values())),
            **(many if n <= _ALL else {}),
            "gap-vertices": Finding(message("prior (½, ½, 0), |i − r|, α = ½: optimal vertices"), cases[-1][0], state="proved"),
            "gap-pattern": Finding(message("of these, with this form"), cases[-1][1], state="proved"),
            "loss": Finding(message("expected loss of the best reading"), float(form.value), digits=8, rounding="up"),
            "program": Finding(message("expected loss of the linear program"), program.value, digits=8, rounding="up"),
            "distance": Finding(message("difference of the two, at most"), gap, digits=1, rounding="up"),
            "s": Finding(message("slack entries"), slack),
            "z": Finding(message("outputs that are never used"), n + 1 - len(used)),
            "remap": Finding(message("remap of 0, …, n"), ", ".join(map(str, form.remap.tolist()))),
            "rebuilt": Finding(message("remap recovered from the S alone (5.11)"), ", ".join(map(str, rebuilt))),
        }
        binding = pattern_source(pattern) if n else None
        picture = mechanism("best", message("Geometric mechanism, read optimally"), form.mechanism, alpha, binding=binding)
        values = {"holds": sum(checks.values()), "all": len(checks), "s": slack, "z": n + 1 - len(used)}
        looked = (
            message("{pattern} of {many} optimal vertices have this form.", many=cases[0][0], pattern=cases[0][1])
            if n <= _ALL
            else message("Other optimal vertices are not enumerated for more than {most} people.", most=_ALL)
        )
        sentence = message(
            "The best reading satisfies {holds} of {all} lemmas, with {s} slack entries and {z} unused outputs.{zero} {looked}",
            zero="" if full else message(" This prior is 0 for some counts, so the proof does not apply."),
            looked=looked,
            **values,
        )
        printed: dict[str, Number] = {"value": len(checks), "z": slack, "gap-pattern": cases[-1][0]}
        if n <= _ALL:
            printed["pattern"] = cases[0][0]
        return self.answer(findings, (picture, _lemmas(checks), _vertex()), sentence, printed=printed)


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
    """Count a user's optimal vertices, and those with the pattern of Lemma 5.5 that are remaps of G."""
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
    """Return an optimal vertex without the pattern."""
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
    """Return whether the identity in the proof of Lemma 5.6 holds in every row, exactly."""
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


class Footnote4(Exhibit):
    """Vertices that no remap reaches."""

    exhibit = "grs/footnote-4"
    heading = message("Vertices that no remap reaches")
    place = message("Footnote 4")
    claim = message(
        "Some extreme points (vertices) of the set of private mechanisms are not the geometric mechanism with its outputs read "
        "differently. They are not optimal for any user whose loss never falls as the error grows."
    )
    symbols = message(
        "Some vertices of the polytope of private mechanisms are not derivable from G by remapping; these vertices are not "
        "optimal for any user (with a monotone loss)."
    )
    verdict = message("one of them is optimal for a user")
    differs = message(
        "The first half holds. The second is false: for n = 2, α = ½, prior (½, ½, 0) and loss |i − r|, the vertex "
        "with rows (⅔, ⅓, 0), (⅓, ⅔, 0), (⅔, ⅓, 0) is optimal, and no remap of G gives it. If the prior is positive "
        "everywhere and the loss strictly monotone, it is true. In every case, some optimal mechanism is a remap of G."
    )
    must = message(
        "In a column of a remap, no entry is far below the mean of its neighbours. A column that falls as much as privacy allows "
        "and then immediately rises breaks this. If the prior is 0 there, this column costs the user nothing."
    )
    badge = (message("✓ enumerated in fractions"), "proved")

    n: int = parameter(whole_number(1, 3, symbol="n", try_=((2, message("the first one")),)), 2, message("Number of people"))
    outputs: int = parameter(whole_number(2, 3, symbol="m"), 3, message("Number of outputs"))
    alpha: Number = how_private_alpha(
        "1/2", "1/20", "19/20", ends=("", ""), try_=(("1/2", message("as in the text")), ("1/3", message("same result")))
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Enumerate the vertices in fractions; find those that are optimal for one monotone user; compare parity losses."""
        alpha, n = exact(self.alpha), self.n
        if alpha.denominator > 10**6:
            raise InputError(f"α must have a denominator of at most one million, got {self.alpha}.", "alpha", "1/2")
        every = vertices(n, self.outputs, alpha)
        progress(0.8)
        reached = [columns for columns in every if derivable(columns, alpha)]
        optimal = _optimal(every)
        unreached = [columns for columns in optimal if not derivable(columns, alpha)]
        other = next((each for each in (*unreached, *kinds(every)) if not derivable(each, alpha)), None)
        prior = [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)] if n == 2 else [Fraction(1, n + 1)] * (n + 1)
        parity = [[Fraction((i + r) % 2) for r in range(n + 1)] for i in range(n + 1)]
        best = best_mechanism(
            [[p * x for x in row] for p, row in zip(prior, parity, strict=True)], alpha, [(i, i + 1) for i in range(n)]
        )
        remapped = solve_exactly(prior, parity, alpha).value
        findings = {
            "value": Finding(message("vertices"), len(every), state="proved"),
            "derivable": Finding(message("of these, remaps of the geometric mechanism"), len(reached), state="proved"),
            "kinds": Finding(message("vertices, up to renaming outputs"), len(kinds(every)), state="proved"),
            "kinds-derivable": Finding(
                message("of these, remaps of the geometric mechanism"), len(kinds(reached)), state="proved"
            ),
            "optimal": Finding(message("optimal vertices, prior (½, ½, 0, …), loss |i − r|"), len(optimal), state="proved"),
            "optimal-unreached": Finding(message("optimal vertices that are no such remaps"), len(unreached), state="proved"),
            "optimal-loss": Finding(message("expected loss of the optimal vertices"), _half_and_half(optimal[0]), state="proved"),
            "parity": Finding(message("parity loss: optimum"), best.value, state="proved" if best.proved else "given"),
            "parity-remap": Finding(message("parity loss: best remap of the geometric mechanism"), remapped, state="proved"),
        }
        printed: dict[str, Number] = {"optimal-unreached": 0}
        if other is None:
            return self.answer(
                findings,
                (),
                message("All {all} vertices are remaps of the geometric mechanism.", all=len(every)),
                printed=printed,
            )
        sentence = message(
            "{many} of the {all} vertices are no remaps of the geometric mechanism. {optimal} optimal for the "
            "user with prior (½, ½, 0, …) and loss |i − r|. For the parity loss the optimum is {best}; its best remap "
            "has {remap}.",
            many=len(every) - len(reached),
            all=len(every),
            optimal=message("One of them is") if len(unreached) == 1 else message("{k} of them are", k=len(unreached)),
            best=text(best.value, rounding="up"),
            remap=text(remapped, rounding="up"),
        )
        picture = mechanism("vertex", message("A vertex that no remap reaches"), list(zip(*other, strict=True)), alpha)
        return self.answer(findings, (picture,), sentence, printed=printed)


def _half_and_half(columns: Columns) -> Fraction:
    """Return the expected loss |i - r| of a user whose prior is 1/2 on each of the counts 0 and 1."""
    return sum((columns[r][i] * abs(i - r) for i in (0, 1) for r in range(len(columns))), Fraction(0)) / 2


def _optimal(every: Sequence[Columns]) -> list[Columns]:
    """Return the optimal vertices for that user."""
    least = min(map(_half_and_half, every))
    return [columns for columns in every if _half_and_half(columns) == least]


class Theorem61(Exhibit):
    """The only mechanism that is best for everyone."""

    exhibit = "grs/theorem-6.1"
    heading = message("Only G is best for everyone")
    place = message("Theorem 6.1")
    claim = message(
        "Suppose that a private mechanism with possible counts as outputs serves every user, after an optimal reading, as well "
        "as any such mechanism. Then it is the geometric mechanism, up to the names of its outputs."
    )
    symbols = message(
        "Let x be α-private with range 0, …, n. If every user has a remap of x that is optimal among oblivious α-private "
        "mechanisms with that range, a permutation of the outputs turns x into the α-geometric mechanism."
    )
    verdict = message("for outputs 0, …, n and α below 1")
    differs = message(
        "The conclusion should read p ∘ x = G, the geometric mechanism restricted to 0, …, n: x has n + 1 outputs, but "
        "the outputs of x^G are all integers. Also, α must be below 1: at α = 1 every mechanism that ignores the data "
        "is optimal."
    )
    slow = True

    n: int = parameter(whole_number(1, 6, symbol="n"), 3, message("Number of people"))
    alpha: Number = how_private_alpha("1/2", "1/10", 1, try_=(("1/2", message("no freedom")), (1, message("many"))))

    def run(self, progress: Progress = silent) -> Answer:
        """Find the least and the largest value of every entry over the optimal face."""
        n, alpha = self.n, exact(self.alpha)
        closed = 1 - (2 + (n - 1) * (1 - alpha)) / ((1 + alpha) * (n + 1))
        face = optimal_face(n, double(self.alpha), progress)
        wide = float((face.high - face.low).max())
        findings = {
            "value": Finding(message("range of an entry over all optimal mechanisms"), wide, digits=1, rounding="up"),
            "loss": Finding(message("least loss"), closed, rounding="up", state="proved"),
            "program": Finding(message("least loss by linear program"), face.value, digits=10),
            "outputs": Finding(message("outputs of the mechanism in the conclusion"), message("0, …, n")),
        }
        title = message("The only optimal mechanism") if wide < 1e-7 else message("A mixture of optimal mechanisms")
        picture = mechanism("middle", title, (face.low + face.high) / 2, double(self.alpha))
        printed: dict[str, Number] = {"outputs": message("all integers")}
        sentence = (
            message(
                "All optimal mechanisms for a uniform prior and binary loss agree, entry by entry, within {wide}.",
                wide=small(max(wide, 1e-16)),
            )
            if wide < 1e-7
            else message(
                "At α = {alpha} optimal mechanisms differ by up to {wide} in an entry.",
                alpha=self.alpha,
                wide=text(wide, 3, "up"),
            )
        )
        must = message(
            "The proof uses the user with a uniform prior and binary loss, for whom only G is optimal. Another optimal "
            "mechanism would differ from G in some entry; {many} linear programs look for one.",
            many=2 * (n + 1) ** 2,
        )
        return self.answer(findings, (picture, self._sizes(alpha)), sentence, printed=printed, must=must)

    def _sizes(self, alpha: Fraction) -> Plot:
        reach = range(1, 21)
        return Plot(
            "sizes",
            message("Least loss against n"),
            Axis(message("people n"), scale="whole"),
            Axis(message("probability of error"), limits=(0, 1)),
            (curve(reach, lambda m: 1 - (2 + (m - 1) * (1 - alpha)) / ((1 + alpha) * (m + 1)), message("least loss")),),
            handles=(self.handle("n"),),
        )


class Proposition62(Exhibit):
    """Averaging over databases with the same count."""

    exhibit = "grs/proposition-6.2"
    heading = message("Averaging over equal counts")
    place = message("Proposition 6.2")
    claim = message(
        "For every user, some private mechanism that sees only the count minimises the worst expected loss over all "
        "priors on databases that agree with the user’s prior on counts. It is found by averaging over databases with "
        "the same count."
    )
    verdict = message("there are f such neighbours, not n − f")
    differs = message(
        "A database with a smaller count is made by changing one of the f(d₁) rows that satisfy the predicate; the "
        "proof says n − f(d₁) rows. The conclusion holds."
    )
    must = message(
        "All databases with count f − 1 have equally many neighbours with count f, and vice versa. So the averages "
        "over the two groups differ by a factor of at most 1/α."
    )

    people: int = parameter(whole_number(2, 4, symbol="n"), 3, message("Number of people"))
    values: int = parameter(
        whole_number(2, 3, symbol="|D|"), 2, message("Values a person can have"), message("one of them counts")
    )
    alpha: Number = how_private_alpha("1/2", "1/10", "9/10", ends=("", ""), try_=(("1/2", message("ε = ln 2")),))
    seed: int = study_seed(message("Which mechanism"))

    def check(self) -> None:
        """Refuse parameters that would take too long."""
        if self.values == 3 and self.people > 3:
            raise InputError(f"n must be at most 3 if a person can have 3 values, got {self.people}.", "people", "3")

    def run(self, progress: Progress = silent) -> Answer:
        """Average a vertex that depends on more than the count, for costs drawn from a seed."""
        n, alpha = self.people, exact(self.alpha)
        rows = databases(n, self.values)
        joined = edges(rows)
        drawn = np.random.default_rng(self.seed).integers(0, 20, (len(rows), n + 1))
        best = best_mechanism([[Fraction(int(c)) for c in row] for row in drawn], alpha, joined)
        counts = [sum(entry == 1 for entry in row) for row in rows]
        matrix = np.array([[float(x) for x in row] for row in best.matrix])
        averaged = np.array([matrix[[k for k, f in enumerate(counts) if f == i]].mean(axis=0) for i in range(n + 1)])
        over = max(float((float(alpha) * averaged[i] - averaged[j]).max()) for i in range(n) for i, j in ((i, i + 1), (i + 1, i)))
        loss = np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1)))
        worst = [max(float(matrix[k] @ loss[i]) for k, f in enumerate(counts) if f == i) for i in range(n + 1)]
        mine = [float(averaged[i] @ loss[i]) for i in range(n + 1)]
        more = max(a - b for a, b in zip(mine, worst, strict=True))
        f = counts.index(n - 1)
        below = sum(1 for d, e in joined if f in (d, e) and counts[d + e - f] == n - 2)
        above = sum(1 for d, e in joined if f in (d, e) and counts[d + e - f] == n)
        findings = {
            "value": Finding(message("privacy violation of the average, at most"), max(over, 0.0), digits=1, rounding="up"),
            "gain": Finding(message("excess loss over the worst database, at most"), max(0.0, more), digits=1, rounding="up"),
            "fewer": Finding(message("neighbours with one fewer, of f = n − 1"), below),
            "more": Finding(message("neighbours with one more, of f = n − 1"), above),
        }
        other = self.values - 1
        names = message("true count"), message("released")
        table = mechanism("averaged", message("The averaged mechanism"), averaged, alpha, axes=names)
        counted = (message("one fewer"), str(below), str((n - 1) * other)), (message("one more"), str(above), "1")
        sentence = message(
            "The average over {many} databases is private, and no count has a larger expected loss than its worst database.",
            many=len(rows),
        )
        panels = (self._loss(mine, worst), table, self._neighbours(counted))
        return self.answer(findings, panels, sentence, printed={"fewer": other})

    def _neighbours(self, rows: tuple[tuple[str, ...], ...]) -> Table:
        title = message("Neighbours of a database with count n − 1")
        return Table("neighbours", title, ("", message("counted"), message("by the proof")), rows)

    def _loss(self, mine: list[float], worst: list[float]) -> Plot:
        return Plot(
            "loss",
            message("Expected error for each count"),
            Axis(message("true count"), scale="whole"),
            Axis(limits=(0, 1.7 * max(*worst, *mine))),
            bars=grouped_bars((mine, message("averaged"), "main"), (worst, message("worst database"), "rival")),
        )
