"""[BLR] VC dimension, by hand: points on a line that can be dragged, and the subsets that a class picks out of them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np

from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.core.synthetic.classes import queries, vc_dimension
from dpdesigner.studies.asked import asked, choice, number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import points
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Handle, Mark, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.tables import Table

_GRID = 12  # places on the line for the dimension of the whole class


class Shattering(Exhibit):
    """Which subsets can be asked for."""

    exhibit = "blr/shattering"
    heading = said("Which subsets can be asked for")
    place = said("Definitions 2.5, 2.6")
    claim = said(
        "A class shatters a set of points if its queries pick out every subset; its VC dimension is the size of the "
        "largest set that it shatters, at most log₂ of the number of queries."
    )
    verdict = said("half-lines 1, intervals 2, two intervals 4")
    must = said(
        "An interval that holds the outer two points holds the middle one: three points are never shattered, "
        "wherever they are. With d shattered points there are 2^d queries or more."
    )
    badge = (said("✓ gone through"), "proved")

    kind_of: str = parameter(
        choice(
            ("half-lines", said("half-lines")),
            ("intervals", said("intervals")),
            ("two", said("two intervals")),
            ("signed", said("half-lines, both ways")),
        ),
        "intervals",
        said("What can be asked"),
        said("class"),
    )
    a: Number = asked(number(0, 10, symbol="a"), default="2", label=said("First point"))
    b: Number = asked(number(0, 10, symbol="b"), default="5", label=said("Second point"))
    c: Number = asked(number(0, 10, symbol="c"), default="8", label=said("Third point"))
    many: int = parameter(whole_number(1, 3, symbol="k"), 3, said("How many points"))

    def run(self, progress: Progress = silent) -> Answer:
        """List the subsets that are picked out, and those that are not."""
        named = [("a", exact(self.a)), ("b", exact(self.b)), ("c", exact(self.c))][: self.many]
        places = sorted({value for _, value in named})
        picked = _picked(self.kind_of, places)
        wanted = 2 ** len(named)
        subsets = [subset for size in range(len(places) + 1) for subset in combinations(places, size)]
        missing = [subset for subset in subsets if frozenset(subset) not in picked]
        whole = [frozenset(subset) for subset in _picked(self.kind_of, [Fraction(k) for k in range(_GRID)])]
        matrix = np.array([[float(Fraction(k) in subset) for k in range(_GRID)] for subset in whole])
        dimension = vc_dimension(queries(matrix))
        rows = tuple((_words(subset, named), said("no") if subset in missing else said("yes")) for subset in subsets)
        shattered = len(picked) == wanted and len(places) == len(named)
        findings = {
            "value": Finding(said("subsets picked out"), len(picked), state="proved"),
            "all": Finding(said("subsets there are"), wanted),
            "shattered": Finding(said("shattered"), shattered),
            "dimension": Finding(said("VC dimension of the class"), dimension, state="proved"),
            "queries": Finding(said("queries on {many} places", many=_GRID), len(whole)),
            "bound": Finding(said("log₂ of that, at least the dimension"), math.log2(len(whole)), digits=4),
        }
        if shattered:
            sentence = said("These points are shattered: all {all} subsets can be asked for.", all=wanted)
        else:
            first = _words(missing[0], named) if missing else said("a point twice")
            words = {"found": len(picked), "all": wanted, "missing": first}
            sentence = said("{found} of {all} subsets can be asked for; {missing} cannot.", **words)
        table = Table("subsets", said("Subset by subset"), (said("subset"), said("picked out")), rows)
        return self.answer(findings, (self._line(named, picked), table), sentence)

    def _line(self, named: list[tuple[str, Fraction]], picked: set[frozenset[Fraction]]) -> Plot:
        levels = [sorted(subset) for subset in sorted(picked, key=lambda s: (len(s), sorted(s)))]
        return Plot(
            "line",
            said("The points, and the subsets that are picked out"),
            Axis(said("line"), limits=(0, 10)),
            Axis(said("subset"), scale="whole", limits=(0, len(picked) + 0.6)),
            (
                points([0, 10], [0, 0], "", "aid", dashed=False),
                *(points(subset, [k] * len(subset), "", "main") for k, subset in enumerate(levels, 1) if subset),
            ),
            marks=tuple(Mark(float(value), float(k), "", "main") for k, subset in enumerate(levels, 1) for value in subset),
            handles=tuple(Handle(float(value), name, name) for name, value in named),
        )


def _picked(kind: str, places: list[Fraction]) -> set[frozenset[Fraction]]:
    """Return the subsets of sorted places that a class picks out."""
    n = len(places)
    stretches = [frozenset(places[i:j]) for i in range(n + 1) for j in range(i, n + 1)]
    if kind == "half-lines":
        return {frozenset(places[:j]) for j in range(n + 1)}
    if kind == "signed":
        return {frozenset(places[:j]) for j in range(n + 1)} | {frozenset(places[j:]) for j in range(n + 1)}
    if kind == "intervals":
        return set(stretches)
    return {one | other for one in stretches for other in stretches}


def _words(subset: tuple[Fraction, ...], named: list[tuple[str, Fraction]]) -> str:
    names = [name for name, value in named if value in subset]
    return "{" + ", ".join(names) + "}" if names else "∅"
