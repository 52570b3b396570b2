"""Numbers of rows required by the theorems on synthetic databases, for any domain and any class of queries."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2
from typing import ClassVar

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import Number, double, exact, nearest
from dpdesigner.core.basics.rounding import at_most, group_thousands
from dpdesigner.core.synthetic import error_bounds as sizes
from dpdesigner.core.synthetic.error_bounds import ExplicitSizes, Size
from dpdesigner.messages import Message, message
from dpdesigner.studies.base import Answer, DeclaredDesign, View, Why
from dpdesigner.studies.fields import (
    Releasing,
    choice,
    declare,
    how_near,
    how_private,
    how_sure,
    number,
    percent_sure,
    whole_number,
)
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Handle, Line, Mark, epsilon_handle
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Rank, Ranking, Role, Table

WHY = Why(
    message(
        "<b>Small databases are enough</b> for a class of few queries, or of small dimension: this many rows drawn "
        "from any database answer all queries within α (Lemma 3.7, Lemma 3.8). All databases of that size form a net "
        "(Theorem 3.9). Choosing one of them privately needs a number of rows proportional to the logarithm of the "
        "size of the net: {value} (Corollary 3.5, Theorem 3.6).\n\n<b>Orders and constants.</b> Lemma 3.8, Theorem 3.9 "
        "and Theorem 3.10 are stated up to a constant. The inequality of Vapnik and Chervonenkis, 4 Σ<sub>i ≤ VC</sub> "
        "C(2m, i) e<sup>−mα²/8</sup>, is proved with its constants, so it gives numbers: the least m at which it is "
        "below 1. They are large. For few queries the other bound needs fewer rows."
    ),
    formula=message(
        "<i>m</i> &gt; ln(2|<i>C</i>|) / 2α²; <i>n</i> = (4/εα) (ln C(|<i>X</i>| + <i>m</i> − 1, <i>m</i>) + ln 1/δ), "
        "<i>m</i> for α/2"
    ),
    sources=message(
        "A. Blum, K. Ligett, A. Roth (2008), section 3. Sharper here: databases are counted without order. The size "
        "ln(2|C|)/2α² is used for every class. In Theorem 3.10, whose O() is loose, 1/α² multiplies only the VC term. V. "
        "Vapnik, A. Chervonenkis (1971); N. Sauer (1972)."
    ),
    help="synthetic",
)


_ASKED = {
    "intervals": message("An interval asks, for example: how many people are 30 to 45 years old?"),
    "thresholds": message("A threshold asks, for example: how many people are younger than 45?"),
    "conjunctions": message("A conjunction asks, for example: how many people smoke, have a dog and are not over 50?"),
    "monotone conjunctions": message("A monotone conjunction asks, for example: how many people smoke and have a dog?"),
}


@dataclass(frozen=True)
class QueryClass:
    """The number of queries of a class, and its VC dimension."""

    queries: float
    dimension: int


class SizesDesign(Releasing, DeclaredDesign):
    """The number of rows that the theorems require, for a domain and a class of queries.

    Parameters
    ----------
    points : Number
        |X|, the size of the domain.
    queries : {"intervals", "thresholds", "conjunctions", "monotone conjunctions", "other"}
        The class; conjunctions are of log2 |X| bits, rounded up.
    class_size, dimension : Number, int
        |C| and the VC dimension of another class.
    epsilon, error, delta : Number
        Privacy, the error aimed for as a share of the rows (α in the paper), and the probability of missing it.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.solve(dp.SizesDesign(points=64, epsilon=1, error="1/5"))
    >>> found.findings["rows-stated"].value, found.findings["rows"].value
    (192, 105)
    """

    kind: ClassVar[str] = "sizes"
    views: ClassVar[tuple[View, ...]] = (
        View("plan", message("How many rows?"), ("plan", "privacy", "levers")),
        View("theorems", message("Theorems of [BLR]"), ("sizes", "squares", "theorems"), message("As printed and as corrected")),
    )

    points: Number = declare(
        number(2, "1e100", scale="log", symbol="|X|", slide=(2, "1e12")),
        default=64,
        required=True,
        label=message("The domain"),
        term=message("possible rows"),
        undo=message("Change the domain"),
    )
    queries: str = declare(
        choice(
            ("intervals", message("intervals")),
            ("thresholds", message("thresholds")),
            ("conjunctions", message("conjunctions")),
            ("monotone conjunctions", message("monotone")),
            ("other", message("another")),
        ),
        default="intervals",
        label=message("Queries"),
        undo=message("Change the class"),
    )
    class_size: Number = declare(
        number(1, "1e300", scale="log", symbol="|C|", slide=(1, "1e12")),
        default=1000,
        label=message("Number of queries"),
        when=lambda design: design.queries == "other",
    )
    dimension: int = declare(
        whole_number(1, sizes.MOST_DIMENSION, symbol="VC", slide=(1, 100)),
        default=5,
        label=message("VC dimension"),
        term=message("of the class"),
        when=lambda design: design.queries == "other",
    )
    epsilon: Number = how_private()
    error: Number = how_near("0.1")
    delta: Number = how_sure(joined=True)

    @property
    def spent(self) -> None:
        """The privacy loss; None, since nothing is released."""
        return None

    @property
    def line(self) -> str:
        """The inputs in one line."""
        parts = {"points": _many(double(self.points)), "queries": self.input_named("queries").summary(self)}
        more = {"epsilon": self.epsilon, "alpha": self.error}
        return message("{points} possible rows · {queries} · ε = {epsilon} · error {alpha}", **parts, **more)

    @property
    def query_class(self) -> QueryClass:
        """The number of queries in the class, and its dimension."""
        points = double(self.points)
        if self.queries == "other":
            return QueryClass(double(self.class_size), self.dimension)
        if self.queries == "intervals":
            return QueryClass(points * (points + 1) / 2, 2)
        if self.queries == "thresholds":
            return QueryClass(points, 1)
        bits = max(ceil(log2(points) - 1e-12), 1)
        return QueryClass((3.0 if self.queries == "conjunctions" else 2.0) ** bits, bits)

    def sizes(self, alpha: float) -> tuple[Size, Size, ExplicitSizes]:
        """Return the sizes by Lemma 3.7, Theorem 3.6, and the theorems on dimensions, at a target error."""
        points, queries = double(self.points), self.query_class
        given = self.privacy.epsilon, alpha, double(self.delta)
        small, few = sizes.net_size(queries.queries, alpha), sizes.class_size(points, queries.queries, *given)
        return small, few, sizes.explicit_sizes(points, queries.dimension, *given)

    def run(self, progress: Progress = silent) -> Answer:
        """Compute all sizes, and their growth as the target error falls."""
        small, few, explicit = needed = self.sizes(double(self.error))
        rows, wanted = ceil(few.right), message("real rows for one private release: Corollary 3.5, Theorem 3.6")
        findings = {
            "value": Finding(message("enough"), rows, "rows", note=message("{place}, corrected", place=wanted), state="proved"),
            "value-stated": Finding(message("as printed in [BLR]"), ceil(few.stated), "rows", note=wanted),
            "rows": Finding(
                message("a small database (not private)"), int(small.right) + 1, "rows", note=message("Lemma 3.7"), state="proved"
            ),
            "rows-stated": Finding(
                message("a small database, as printed"), ceil(small.stated), "rows", note=message("Lemma 3.7")
            ),
            "rows-dimension": Finding(
                message("a small database, by dimension"), explicit.rows, "rows", note=message("Lemma 3.8")
            ),
            "value-dimension": Finding(
                message("rows, by dimension"), ceil(explicit.needed), "rows", note=message("Theorem 3.10")
            ),
        }
        text = message(
            "<b>{rows} rows are enough.</b> One synthetic database with ε = {epsilon} then answers all {queries} queries within "
            "{alpha}, with probability {sure}%.",
            rows=group_thousands(rows),
            epsilon=self.epsilon,
            queries=_many(self.query_class.queries),
            alpha=self.error,
            sure=f"{percent_sure(self.delta):f}",
        )
        squares = _squares(int(small.right) + 1, rows, ceil(few.stated))
        pictures = (*self._plots(rows, progress), squares, self._levers(rows), self._table(*needed))
        return Answer(self, findings, pictures, text, why=WHY)

    def _plots(self, rows: int, progress: Progress) -> tuple[Plot, Plot, Plot]:
        """Return the number of rows against the error and against epsilon, and all theorems against the error."""
        grid = np.geomspace(0.01, 0.9, 25)
        curves: list[tuple[float, float, float]] = []
        for place, alpha in enumerate(grid.tolist()):
            progress(place / len(grid), "")
            _, few, explicit = self.sizes(alpha)
            curves.append((few.stated, few.right, explicit.needed))
        stated, right, dimension = (np.array(each) for each in zip(*curves, strict=True))
        lines = (
            Line(grid, right, message("Theorem 3.6, corrected")),
            Line(grid, stated, message("as printed"), "rival", dashed=True),
            Line(grid, dimension, message("Theorem 3.10, with constants"), "other"),
        )
        error, x = double(self.error), Axis(message("error, as a share of the rows"), scale="log", limits=(0.01, 0.9))
        handle = Handle(error, message("error {alpha}", alpha=self.error), "error")
        y = Axis(message("rows"), scale="log", limits=_limits(stated, right, dimension))
        theorems = Plot("sizes", message("Theorems 3.6 and 3.10"), x, y, lines, handles=(handle,))
        own = Axis(message("rows"), scale="log", limits=_limits(right))
        roof = np.full_like(right, (own.limits or (0.0, 1.0))[1])
        enough = Line(grid, right, message("enough rows"), short=message("just enough"), low=right, high=roof)
        under = (_ASKED[self.queries],) if self.queries in _ASKED else ()
        mark = Mark(error, float(rows), message("{rows} rows", rows=group_thousands(rows)), "main")
        plan = Plot("plan", message("Rows for this error"), x, own, (enough,), (mark,), handles=(handle,), under=under, room=6)
        levels = np.geomspace(0.01, 10, 25)
        needed = self.sizes(error)[1].right * self.privacy.epsilon / levels
        private = Plot(
            "privacy",
            message("Rows for this privacy"),
            Axis("ε", scale="log", limits=(0.01, 10.0)),
            Axis(message("rows"), scale="log", limits=_limits(needed)),
            (Line(levels, needed, message("enough rows"), short=" "),),
            handles=(epsilon_handle(self.privacy.epsilon),),
            room=4,
        )
        return plan, private, theorems

    def _levers(self, rows: int) -> Ranking:
        """Compare the number of rows with those for half the demands."""
        error, epsilon, delta = (exact(each) for each in (self.error, self.epsilon, self.delta))
        tried: list[tuple[Message, dict[str, Fraction]]] = []
        if 2 * error <= Fraction(99, 100):
            tried.append((message("Twice the error: {value}", value=_short(2 * error)), {"error": 2 * error}))
        if epsilon <= 10:
            tried.append((message("Twice the ε: {value}", value=_short(2 * epsilon)), {"epsilon": 2 * epsilon}))
        if delta <= Fraction(1, 4):
            tried.append((message("Twice the failures: δ = {value}", value=_short(2 * delta)), {"delta": 2 * delta}))
        if exact(self.points) >= 4:
            tried.append((message("Half the possible rows"), {"points": exact(self.points) / 2}))
        bars = [Rank(message("This plan"), float(rows), text=group_thousands(rows))]
        for name, changes in tried:
            size = ceil(self.replace(**changes).sizes(double(changes.get("error", error)))[1].right)
            bars.append(Rank(name, float(size), "rival", text=_many(size)))
        return Ranking("levers", message("What saves rows?"), tuple(bars))

    def _table(self, small: Size, few: Size, explicit: ExplicitSizes) -> Table:
        points, alpha, queries = double(self.points), double(self.error), self.query_class
        net = sizes.dimension_net(points, queries.dimension, alpha)
        order = sizes.dimension_size(points, queries.dimension, self.privacy.epsilon, alpha, double(self.delta))
        rows = (
            (message("queries"), "", _many(queries.queries)),
            (message("VC dimension"), "", str(queries.dimension)),
            (message("database, Lemma 3.7"), group_thousands(ceil(small.stated)), group_thousands(int(small.right) + 1)),
            (message("database, Lemma 3.8"), f"∼ {_many(net.rows)}", group_thousands(explicit.rows)),
            (message("rows, Theorem 3.6"), _many(few.stated), _many(few.right)),
            (message("rows, Theorem 3.10"), f"∼ {_many(order.stated)}", _many(explicit.needed)),
            (message("rows, corrected order"), "", f"∼ {_many(order.right)}"),
            (message("ln |net|, Theorem 3.9"), f"∼ {_many(net.log_databases)}", _many(explicit.log_databases)),
        )
        note = message("[BLR]: Blum, Ligett and Roth, section 3. ∼: without its constant.")
        return Table("theorems", message("Theorems of [BLR]"), ("", message("as printed"), message("right")), rows, note)


def _squares(small: int, needed: int, stated: int) -> Plot:
    """Show numbers of rows as squares of that area within one another: as printed, those needed, and a small database."""
    squares: tuple[tuple[int, str, Role], ...] = (
        (stated, message("as printed: {rows}", rows=_many(stated)), "rival"),
        (needed, message("rows needed: {rows}", rows=_many(needed)), "truth"),
        (small, message("a small database: {rows}", rows=_many(small)), "main"),
    )
    lines, marks, most = [], [], max(rows for rows, _, _ in squares) ** 0.5
    for rows, text, role in sorted(squares, reverse=True):
        side = float(rows) ** 0.5
        x, low, high = np.array([most - side, most]), np.zeros(2), np.full(2, side)
        lines.append(Line(x, np.full(2, np.nan), "", role, low=low, high=high, filled=role != "rival"))
        marks.append(Mark(most, side, text, role))
    x_axis, y_axis = Axis(limits=(0.0, 2.0 * most), ticks=()), Axis(limits=(0.0, 1.1 * most), ticks=())
    return Plot("squares", message("Numbers of rows, to scale"), x_axis, y_axis, tuple(lines), tuple(marks), room=6, square=True)


def _limits(*curves: Floats) -> tuple[float, float]:
    return float(min(curve.min() for curve in curves)) / 1.5, float(max(curve.max() for curve in curves)) * 1.5


def _short(value: Fraction) -> str:
    return f"{nearest(value):.4g}"


def _many(size: float) -> str:
    """Return a size rounded up, with all its digits, or with four if it is very long."""
    return group_thousands(ceil(size)) if size < 1e12 else at_most(size, 4)
