"""[GRS] footnote 4: vertices of the private mechanisms that no remap of G reaches, counted, and the one at n = 2.

At n = 2, alpha = 1/2 it is the best mechanism for the parity loss with prior (1/4, 1/2, 1/4): 1/3, where remaps of G lose
5/12.
"""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.databases.best_mechanism import best_mechanism
from dpdesigner.core.databases.vertices import derivable, kinds, vertices
from dpdesigner.core.dense.exact import solve_exactly
from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.errors import InputError
from dpdesigner.studies.asked import whole_number
from dpdesigner.studies.declared import Answer, Panel
from dpdesigner.studies.exhibits.drawing import mechanism, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.tables import Table


class Footnote4(Exhibit):
    """What remaps of G do not reach."""

    exhibit = "grs/footnote-4"
    heading = said("What remaps of G do not reach")
    place = said("Footnote 4")
    claim = said(
        "Not every vertex of the polytope of private mechanisms is derivable from the geometric mechanism; the others "
        "are best for no monotone loss."
    )
    verdict = said("n = 2: 6 of 27 vertices, one up to names")
    must = said(
        "A remap of G must bend upwards nowhere by more than α allows: (1+α²)x(i) ≥ α(x(i−1)+x(i+1)). A column that "
        "falls and rises at once does, and pays only for losses that go up and down."
    )
    badge = (said("✓ counted in fractions"), "proved")

    n: int = parameter(whole_number(1, 3, symbol="n", try_=((2, said("the first one")),)), 2, said("How many people"))
    outputs: int = parameter(whole_number(2, 3, symbol="m"), 3, said("How many outputs"))
    alpha: Number = how_private_alpha(
        "1/2", "1/20", "19/20", ends=("", ""), try_=(("1/2", said("as in the text")), ("1/3", said("the same counts")))
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Enumerate the vertices in fractions; compare both losses for the parity loss."""
        alpha, n = exact(self.alpha), self.n
        if alpha.denominator > 10**6:
            raise InputError(f"α must have a denominator of at most 1000000, got {self.alpha}.", "alpha", "1/2")
        every = vertices(n, self.outputs, alpha)
        progress(0.8)
        reached = [columns for columns in every if derivable(columns, alpha)]
        other = next((columns for columns in kinds(every) if not derivable(columns, alpha)), None)
        prior = [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)] if n == 2 else [Fraction(1, n + 1)] * (n + 1)
        parity = [[Fraction((i + r) % 2) for r in range(n + 1)] for i in range(n + 1)]
        best = best_mechanism(
            [[p * x for x in row] for p, row in zip(prior, parity, strict=True)], alpha, [(i, i + 1) for i in range(n)]
        )
        remapped = solve_exactly(prior, parity, alpha).value
        findings = {
            "value": Finding(said("vertices"), len(every), state="proved"),
            "derivable": Finding(said("remaps of G among them"), len(reached), state="proved"),
            "kinds": Finding(said("vertices up to the names of outputs"), len(kinds(every)), state="proved"),
            "kinds-derivable": Finding(said("remaps of G among those"), len(kinds(reached)), state="proved"),
            "parity": Finding(said("parity loss: the best mechanism"), best.value, state="proved" if best.proved else "given"),
            "parity-remap": Finding(said("parity loss: the best remap of G"), remapped, state="proved"),
        }
        if other is None:
            return self.answer(findings, (), said("All {all} vertices are remaps of G.", all=len(every)))
        sentence = said(
            "{counts}; for the parity loss one costs {best}, the best remap {remap}.",
            counts=said("{many} of {all} vertices are no remap of G", many=len(every) - len(reached), all=len(every)),
            best=text(best.value, rounding="up"),
            remap=text(remapped, rounding="up"),
        )
        return self.answer(findings, self._unreached(list(zip(*other, strict=True)), alpha), sentence)

    def _unreached(self, rows: list[tuple[Fraction, ...]], alpha: Fraction) -> tuple[Panel, ...]:
        """A vertex that is no remap of G, as a picture and in fractions."""
        picture = mechanism("vertex", said("One that is not reached"), rows, alpha, lambda i, r: str(rows[i][r]))
        header = ("i", *(said("output {r}", r=r) for r in range(self.outputs)))
        fractions = tuple((str(i), *map(str, row)) for i, row in enumerate(rows))
        return picture, Table("fractions", said("Its fractions"), header, fractions)
