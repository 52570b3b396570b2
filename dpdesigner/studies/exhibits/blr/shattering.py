"""[BLR] VC dimension, by hand: points on a line that can be dragged, and the subsets that a class picks out of them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.synthetic.net import queries, vc_dimension
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import points
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import choice, declare, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Handle, Mark, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table

_GRID = 12  # places on the line for the dimension of the whole class


class Shattering(Exhibit):
    """Which subsets can be asked for."""

    exhibit = "blr/shattering"
    heading = message("Subsets that queries can pick out")
    place = message("Definitions 2.5, 2.6")
    claim = message(
        "A class of queries shatters a set of points if its queries pick out every subset. Its VC dimension is the "
        "size of the largest set that it shatters, which is at most log₂ of the number of queries."
    )
    verdict = message("half-lines 1, intervals 2, two intervals 4")
    must = message(
        "An interval that contains two points contains every point between them, so intervals never shatter three "
        "points. To shatter d points, a class needs at least 2^d queries."
    )
    badge = (message("✓ enumerated"), "proved")

    kind_of: str = parameter(
        choice(
            ("half-lines", message("half-lines")),
            ("intervals", message("intervals")),
            ("two", message("two intervals")),
            ("signed", message("half-lines in both directions")),
        ),
        "intervals",
        message("Class of queries"),
        message("class"),
    )
    a: Number = declare(number(0, 10, symbol="a"), default="2", label=message("First point"))
    b: Number = declare(number(0, 10, symbol="b"), default="5", label=message("Second point"))
    c: Number = declare(number(0, 10, symbol="c"), default="8", label=message("Third point"))
    many: int = parameter(whole_number(1, 3, symbol="k"), 3, message("Number of points"))

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
        rows = tuple((_words(subset, named), message("no") if subset in missing else message("yes")) for subset in subsets)
        shattered = len(picked) == wanted and len(places) == len(named)
        findings = {
            "value": Finding(message("subsets picked out"), len(picked), state="proved"),
            "all": Finding(message("all subsets"), wanted),
            "shattered": Finding(message("shattered"), shattered),
            "dimension": Finding(message("VC dimension of the class"), dimension, state="proved"),
            "queries": Finding(message("queries on {many} places", many=_GRID), len(whole)),
            "bound": Finding(message("log₂ of the number of queries, a bound on the dimension"), math.log2(len(whole)), digits=4),
        }
        if shattered:
            sentence = message("These points are shattered: queries pick out all {all} subsets.", all=wanted)
        else:
            first = _words(missing[0], named) if missing else message("two points coincide")
            words = {"found": len(picked), "all": wanted, "missing": first}
            sentence = message("Queries pick out {found} of {all} subsets, but not {missing}.", **words)
        table = Table("subsets", message("Subset by subset"), (message("subset"), message("picked out")), rows)
        return self.answer(findings, (self._line(named, picked), table), sentence)

    def _line(self, named: list[tuple[str, Fraction]], picked: set[frozenset[Fraction]]) -> Plot:
        levels = [sorted(subset) for subset in sorted(picked, key=lambda s: (len(s), sorted(s)))]
        return Plot(
            "line",
            message("Points and the subsets picked out"),
            Axis(message("line"), limits=(0, 10)),
            Axis(message("subset"), scale="whole", limits=(0, len(picked) + 0.6)),
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
