"""[GRS] footnote 4: vertices of the private mechanisms that no remap of G reaches, counted, and the one at n = 2.

At n = 2, alpha = 1/2 it is the best mechanism for the parity loss with prior (1/4, 1/2, 1/4): 1/3, where remaps of G lose
5/12. It is also optimal for a monotone user, which the footnote denies: prior (1/2, 1/2, 0) and loss |i - r|.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpdesigner.core.dense.remap import solve_exactly
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.program.adjacency_graphs import Columns, best_mechanism, derivable, kinds, vertices
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel
from dpdesigner.studies.exhibits.drawing import mechanism, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table


class Footnote4(Exhibit):
    """Vertices that no remap of G reaches."""

    exhibit = "grs/footnote-4"
    heading = message("Vertices that no remap of G reaches")
    place = message("Footnote 4")
    claim = message(
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
        "Every column of a remap of G satisfies (1+α²)x(i) ≥ α(x(i−1)+x(i+1)). A column that falls and then "
        "immediately rises does not. If the prior is 0 there, this column costs the user nothing."
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
            "derivable": Finding(message("remaps of G among them"), len(reached), state="proved"),
            "kinds": Finding(message("vertices, up to renaming outputs"), len(kinds(every)), state="proved"),
            "kinds-derivable": Finding(message("remaps of G among those"), len(kinds(reached)), state="proved"),
            "optimal": Finding(message("optimal vertices, prior (½, ½, 0, …), loss |i − r|"), len(optimal), state="proved"),
            "optimal-unreached": Finding(message("optimal vertices that are not remaps of G"), len(unreached), state="proved"),
            "optimal-loss": Finding(message("expected loss of the optimal vertices"), _half_and_half(optimal[0]), state="proved"),
            "parity": Finding(message("parity loss: optimum"), best.value, state="proved" if best.proved else "given"),
            "parity-remap": Finding(message("parity loss: best remap of G"), remapped, state="proved"),
        }
        printed: dict[str, Number] = {"optimal-unreached": 0}
        if other is None:
            return self.answer(findings, (), message("All {all} vertices are remaps of G.", all=len(every)), printed=printed)
        sentence = message(
            "{many} of the {all} vertices are not remaps of G. {optimal} optimal for the user with prior (½, ½, 0, …) "
            "and loss |i − r|. For the parity loss the optimum is {best}; the best remap of G has {remap}.",
            many=len(every) - len(reached),
            all=len(every),
            optimal=message("One of them is") if len(unreached) == 1 else message("{k} of them are", k=len(unreached)),
            best=text(best.value, rounding="up"),
            remap=text(remapped, rounding="up"),
        )
        return self.answer(findings, self._unreached(list(zip(*other, strict=True)), alpha), sentence, printed=printed)

    def _unreached(self, rows: list[tuple[Fraction, ...]], alpha: Fraction) -> tuple[Panel, ...]:
        """A vertex that is no remap of G, as a picture and in fractions."""
        picture = mechanism("vertex", message("A vertex that no remap of G reaches"), rows, alpha, lambda i, r: str(rows[i][r]))
        header = ("i", *(message("output {r}", r=r) for r in range(self.outputs)))
        fractions = tuple((str(i), *map(str, row)) for i, row in enumerate(rows))
        return picture, Table("fractions", message("Its entries as fractions"), header, fractions)


def _half_and_half(columns: Columns) -> Fraction:
    """Return the expected loss |i - r| of the user who believes in the counts 0 and 1, equally."""
    return sum((columns[r][i] * abs(i - r) for i in (0, 1) for r in range(len(columns))), Fraction(0)) / 2


def _optimal(every: Sequence[Columns]) -> list[Columns]:
    """Return the vertices that are optimal for that user."""
    least = min(map(_half_and_half, every))
    return [columns for columns in every if _half_and_half(columns) == least]
