"""Small databases that answer a class of queries: the net mechanism in full on a small domain."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, comb, log
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from typing_extensions import override

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.coercion import as_numbers
from dpdesigner.core.numbers.parsing import Number, double, exact, excerpt, listed, parse_integer
from dpdesigner.core.numbers.rounding import at_most, group_thousands
from dpdesigner.core.synthetic import sample_sizes as sizes
from dpdesigner.core.synthetic.net import (
    MOST_DATABASES,
    Net,
    Queries,
    Usefulness,
    conjunctions,
    full_net,
    intervals,
    privacy,
    privacy_here,
    queries,
    smallest_net,
    subsample_errors,
    thresholds,
    usefulness,
    vc_dimension,
)
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, DeclaredDesign, Panel, View, Why
from dpdesigner.studies.fields import choice, declare, seed, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.inputs.bits import FILE, TableInput, table_changed_at, table_lines
from dpdesigner.studies.inputs.kinds import TextLike
from dpdesigner.studies.panels import Axis, Band, Line, Mark, Plot
from dpdesigner.studies.release_inputs import WARNING, Releasing, how_near, how_private, how_sure, percent_sure, real_errors
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Sentence, Table

MOST_POINTS, MOST_ROWS = 64, 10**6
NAMED = ("intervals", "thresholds", "conjunctions", "monotone conjunctions")
Given = str | tuple[tuple[Number, ...], ...]


class CountsInput(TextLike[tuple[int, ...]]):
    """The number of rows of each point, as numbers in a row."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[int, ...]:
        parts = listed(given, "the counts", key) if isinstance(given, str) else as_numbers(given, "the counts", key)
        if not isinstance(parts, (Sequence, np.ndarray)) or not 2 <= len(parts) <= MOST_POINTS:
            raise InputError(f"the counts must be 2 to {MOST_POINTS} whole numbers, one per point, got {excerpt(given)}.", key)
        counts = tuple(parse_integer(part, key, 0, MOST_ROWS) for part in parts)
        if not 0 < sum(counts) <= MOST_ROWS:
            raise InputError(f"the counts must have a total of 1 to {MOST_ROWS} rows, got {sum(counts)}.", key)
        return counts

    @override
    def as_json(self, value: tuple[int, ...], key: str) -> dict[str, Any]:
        return {key: list(value)}

    @override
    def text(self, value: tuple[int, ...]) -> str:
        return ", ".join(map(str, value))

    @override
    def summary(self, value: tuple[int, ...]) -> str:
        rows, points = group_thousands(sum(value)), group_thousands(len(value))
        return message("{rows} rows at {points} points", rows=rows, points=points)


class QueriesInput(TableInput[Given]):
    """A class of queries: a name, rows of numbers from 0 to 1 parted by semicolons, or a file of them."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Given:
        points = len(others["counts"])
        value = _given(given, key)
        if not isinstance(value, str) or not value.startswith(FILE):  # which may have been moved, and is read when it is run
            build_queries(value, points)
        return value

    @override
    def as_json(self, value: Given, key: str) -> dict[str, Any]:
        return {key: value if isinstance(value, str) else [list(map(str, row)) for row in value]}

    @override
    def identity(self, value: Given) -> Hashable:
        return self.text(value)

    @override
    def text(self, value: Given) -> str:
        return value if isinstance(value, str) else "; ".join(" ".join(map(str, row)) for row in value)


def _given(given: object, key: str) -> Given:
    if isinstance(given, os.PathLike):
        given = f"{FILE} {os.fspath(given)}"
    if isinstance(given, str):
        text = " ".join(given.split())
        if text in NAMED:
            return text
        if text.startswith(FILE):
            return given.strip()  # a path may have several spaces on end
        given = [listed(row, "the queries", key) for row in text.split(";") if row.strip()]
    rows = as_numbers(given, "the queries", key)
    if isinstance(rows, np.ndarray):
        rows = rows.tolist()
    if not isinstance(rows, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in rows):
        allowed = f"one of {', '.join(NAMED)}, rows of numbers from 0 to 1, or {FILE} and a path"
        raise InputError(f"the queries must be {allowed}, got {excerpt(given)}.", key)
    return tuple(tuple(row) for row in rows)


def build_queries(value: Given, points: int) -> Queries:
    """Return the class on so many points.

    Raises
    ------
    InputError
        If it is not of so many points, or is no class; if its file cannot be read.
    """
    return _made(value, points, table_changed_at(value) if isinstance(value, str) else 0)


@lru_cache(maxsize=16)
def _made(value: Given, points: int, changed: int) -> Queries:
    if value == "intervals":
        return intervals(points)
    if value == "thresholds":
        return thresholds(points)
    if isinstance(value, str) and not value.startswith(FILE):
        bits = (points - 1).bit_length()
        if points != 1 << bits:
            raise InputError(f"conjunctions need 2, 4, 8, … points, one for each string of bits, got {points}.", "queries")
        return conjunctions(bits, monotone=value.startswith("monotone"))
    rows = value if not isinstance(value, str) else [line.cells for line in table_lines(value)[1]]
    asked = queries([[_share(cell) for cell in row] for row in rows])
    if asked.points != points:
        raise InputError(f"a query must have one number per point ({points}), got {asked.points}.", "queries")
    return asked


def _share(cell: Number) -> float:
    try:
        return double(cell)
    except InputError:
        raise InputError(f"every entry of a query must be a number from 0 to 1, got {excerpt(cell)}.", "queries") from None


class NetDesign(Releasing, DeclaredDesign):
    """A small database is chosen in place of a real one, so that it answers all queries of a class about alike.

    Parameters
    ----------
    counts : sequence of int
        How many rows of the real database each point has.
    size : int
        The rows of the small databases.
    epsilon : Number
    queries : str or sequence of sequence of Number
        ``"intervals"``, ``"thresholds"``, ``"conjunctions"``, ``"monotone conjunctions"``, a row of numbers from 0 to 1 a query,
        or ``"file: PATH"`` for a table of them.
    net : {"all", "smallest"}
        All small databases, or the fewest that are near every database (for tiny domains).
    error, delta : Number
        The error aimed for and the chance of missing it.
    seed : int or None
        Of the sub-samples, which are for study in any case.
    real_errors : {"kept", "published"}
        Whether the counts, errors and probabilities, computed from the real database, go into files; that is not private.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> found = dp.solve(dp.NetDesign([2, 1, 1, 1], size=4, epsilon=1))
    >>> len(found.probabilities), round(found.epsilon, 6)
    (35, 0.768686)
    """

    kind: ClassVar[str] = "net"
    views: ClassVar[tuple[View, ...]] = (
        View("useful", message("Usefulness"), ("useful", "chances")),
        View("samples", message("Sub-sampling"), ("samples",)),
    )

    counts: tuple[int, ...] = declare(
        CountsInput(),
        default=(12, 30, 41, 25, 18, 9, 4, 1),
        required=True,
        label=message("The real database"),
        term=message("rows of each point"),
        note=message("One whole number per point: the number of its rows."),
        undo=message("Change the database"),
    )
    size: int = declare(
        whole_number(1, 12, symbol="m"),
        default=4,
        label=message("Size of the small database"),
        term=message("rows of a small database"),
        undo=message("Change the size"),
    )
    epsilon: Number = how_private()
    queries: Given = declare(
        QueriesInput(),
        default="intervals",
        label=message("Queries"),
        term=message("class of queries"),
        note=message("intervals, thresholds, conjunctions, monotone conjunctions, rows like 1 0 1; 0 1 1, or file: and a path"),
        undo=message("Change the queries"),
    )
    net: str = declare(
        choice(("all", message("all small databases")), ("smallest", message("smallest sufficient set"))),
        default="all",
        label=message("Chosen from"),
        term=message("net"),
        undo=message("Change the net"),
    )
    error: Number = how_near("0.2")
    delta: Number = how_sure(joined=True)
    seed: int | None = declare(
        seed(), default=1, label=message("Seed"), term=message("for study"), note=message("Seed of the sub-samples."), joined=True
    )
    real_errors: str = real_errors()

    if TYPE_CHECKING:  # numbers and data in any of their forms

        def __init__(self, counts: Any, *more: Any, **inputs: Any) -> None: ...

    @override
    def check(self) -> None:
        many = comb(len(self.counts) + self.size - 1, self.size)
        if many > MOST_DATABASES:
            largest = next(size for size in range(self.size, 0, -1) if comb(len(self.counts) + size - 1, size) <= MOST_DATABASES)
            problem = f"all small databases are enumerated, at most {group_thousands(MOST_DATABASES)}"
            raise InputError(f"{problem}, got {group_thousands(many)} for size = {self.size}.", "size", str(largest))

    @property
    def rows(self) -> int:
        """n."""
        return sum(self.counts)

    @property
    def query_class(self) -> Queries:
        """The queries as a matrix."""
        return build_queries(self.queries, len(self.counts))

    @property
    def accuracy(self) -> float:
        """The error aimed for."""
        return double(exact(self.error))


_DRAWS, _SIZES, _LISTED = 200, 12, 40

WHY = Why(
    message(
        "<b>The mechanism</b> chooses one of the {databases} databases in the net with weight e<sup>−ε n err / 2</sup>, "
        "where err is its worst error on any query. Replacing a row changes n err by at most 1, so the mechanism is "
        "ε-private. The attained level is {epsilon}.\n\n<b>How useful.</b> By Property 3.4 the error is at most {bound}; the "
        "exact calculation gives at most {value}. For other utilities u of sensitivity S, the weight is e<sup>εu / "
        "2S</sup>.\n\n<b>Why a small database is enough.</b> More than ln(2|C|) / 2α² rows drawn from the real database "
        "answer all queries within α (Lemma 3.7). The number of databases then matters only through its logarithm."
    ),
    formula=message("Pr[<i>D′</i>] ∝ exp(−ε <i>n</i> max<sub><i>q</i></sub> |<i>q</i>(<i>D</i>) − <i>q</i>(<i>D′</i>)| / 2)"),
    sources=message(
        "A. Blum, K. Ligett, A. Roth (2008), section 3. Sharper here: databases are counted without order, C(|X| + m − "
        "1, m). The size ln(2|C|)/2α² is used for every class. In Theorem 3.10, whose O() is loose, 1/α² multiplies only "
        "the VC term."
    ),
    help="synthetic",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NetAnswer(Answer):
    """The distribution over the small databases.

    Attributes
    ----------
    design : NetDesign
    net : Net
    probabilities : ndarray
        Of all multisets, in the order of ``itertools.combinations_with_replacement``; of a smallest net, of its databases.
    epsilon, epsilon_here : float
        The largest log ratio over all databases of n rows and their neighbours (where there are too many, the epsilon asked,
        which bounds it), and at this one; rounded up.
    """

    design: NetDesign
    net: Net
    probabilities: Floats
    epsilon: float
    epsilon_here: float


def run(design: NetDesign, progress: Progress = silent) -> NetAnswer:
    """Compute the distribution, its privacy and its usefulness."""
    net, least = _net(design, progress)
    epsilon = design.privacy.epsilon
    exact = privacy(net, design.rows, epsilon, progress)
    here = privacy_here(net, design.counts, epsilon)
    useful = usefulness(net, design.counts, epsilon, double(design.delta))
    return NetAnswer(
        design=design,
        findings=_findings(design, net, least, exact, here, useful),
        panels=(Sentence(_owners(design, useful), secret=not design.tells), *_panels(design, net, useful, progress)),
        sentence=_sentence(design, net),
        badge=design.badge(message("✓ proved private")),
        checks=(_check(exact, design), *([message("✗ {warning}", warning=WARNING)] if design.tells else [])),
        why=WHY,
        net=net,
        probabilities=net.probabilities(design.counts, epsilon),
        epsilon=design.privacy.epsilon_above if exact is None else exact,
        epsilon_here=here,
    )


def _net(design: NetDesign, progress: Progress) -> tuple[Net, int | None]:
    if design.net == "all":
        return full_net(design.query_class, design.size), None
    smallest = smallest_net(design.query_class, design.rows, design.size, design.accuracy, progress)
    if smallest is None:
        problem = f"no net of databases of at most {design.size} rows is within α = {design.error} of every database"
        raise InputError(f"{problem}; use more rows or a larger α.", "error")
    return Net(design.query_class, smallest.counts), smallest.least


def _check(exact: float | None, design: NetDesign) -> str:
    if exact is None:
        return message("✓ proved private; too many databases of {rows} rows to enumerate", rows=group_thousands(design.rows))
    many = comb(len(design.counts) + design.rows - 1, design.rows)
    return message("✓ all {count} databases and their neighbours enumerated", count=group_thousands(many))


def _sentence(design: NetDesign, net: Net) -> str:
    """The result; of the real database nothing but its number of rows."""
    return message(
        "One of {count} small databases, chosen with ε = {epsilon}, answers all {queries} queries in place of {rows} rows.",
        count=group_thousands(len(net.counts)),
        epsilon=design.epsilon,
        rows=group_thousands(design.rows),
        queries=group_thousands(design.query_class.size),
    )


def _owners(design: NetDesign, useful: Usefulness) -> str:
    """The error, computed from the real database."""
    return message(
        "With probability {sure}% every query is within {error} of its true answer.",
        error=at_most(useful.exact, 3),
        sure=f"{percent_sure(design.delta):f}",
    )


def _findings(
    design: NetDesign, net: Net, least: int | None, exact: float | None, here: float, useful: Usefulness
) -> dict[str, Finding]:
    bounded = message("bounded by the requested ε; too many databases to enumerate") if exact is None else ""
    value = design.privacy.epsilon_above if exact is None else exact
    few = message("smallest net") if least == len(net.counts) else ""
    if least is not None and least < len(net.counts):
        few = message("at least {least}", least=least)
    kept = not design.tells
    findings = {
        "value": Finding(message("error, with probability 1 − δ"), useful.exact, digits=3, rounding="up", secret=kept),
        "bound": Finding(
            message("its bound (Property 3.4)"), useful.within, digits=3, rounding="up", state="proved", secret=kept
        ),
        "best": Finding(message("least error of any small database"), useful.best, digits=3, rounding="up", secret=kept),
        "epsilon": Finding(message("privacy ε"), value, digits=6, rounding="up", state="proved", note=bounded),
        "epsilon-here": Finding(message("privacy level at this database"), here, digits=6, rounding="up", secret=kept),
        "databases": Finding(message("small databases"), len(net.counts), note=few),
        "queries": Finding(message("queries"), design.query_class.size),
    }
    if design.query_class.counting:
        findings["dimension"] = Finding(message("VC dimension"), vc_dimension(design.query_class))
    return findings


def _panels(design: NetDesign, net: Net, useful: Usefulness, progress: Progress) -> tuple[Panel, ...]:
    errors, chances = net.errors(design.counts), net.probabilities(design.counts, design.privacy.epsilon)
    places, place = np.unique(np.round(errors, 9), return_inverse=True)
    mass = np.asarray(100 * np.bincount(place, weights=chances), dtype=float)
    many = np.bincount(place) / len(errors)
    error = Axis(message("worst error of any query"), limits=(0.0, max(float(places[-1]), useful.within) * 1.02))
    sure = Axis(message("probability"), "%", limits=(0.0, 105.0))
    kept, blindly = not design.tells, 100 * np.cumsum(many)
    rising = (
        Line(np.append(0.0, places), np.append(0.0, np.cumsum(mass)), message("chosen privately"), steps=True, secret=kept),
        Line(
            np.append(0.0, places), np.append(0.0, blindly), message("chosen ignoring the data"), "rival", steps=True, secret=kept
        ),
    )
    bound = Mark(useful.within, 100 * (1 - double(design.delta)), message("Property 3.4"), proved=True, secret=kept)
    useful_plot = Plot("useful", message("Accuracy"), error, sure, rising, (bound,))
    shares = (Line(places, mass, message("probability of this error"), spikes=True, secret=kept),)
    return (
        useful_plot,
        Plot("chances", message("Probability of each error"), error, Axis(message("probability"), "%"), shares),
        _samples(design, progress),
        _listed(design, net, errors, chances),
        _sizes(design),
    )


def _samples(design: NetDesign, progress: Progress) -> Plot:
    """Lemma 3.7, run: the worst error of databases drawn from the real one, against their size."""
    needed = sizes.net_size(design.query_class.size, design.accuracy)
    grid = np.unique(np.geomspace(2, max(2 * needed.stated, 20), _SIZES).astype(int))
    errors_of_sizes = []
    for place, size in enumerate(grid.tolist()):
        progress(place / len(grid), "")
        errors_of_sizes.append(subsample_errors(design.query_class, design.counts, size, _DRAWS, (design.seed or 0) + place))
    low, middle, high = (np.array([np.quantile(errors, share) for errors in errors_of_sizes]) for share in (0.0, 0.5, 1.0))
    drawn = message("drawn {draws} times", draws=_DRAWS)
    line = Line(grid.astype(float), middle, drawn, low=low, high=high, secret=not design.tells)
    marks = tuple(
        Mark(float(size), design.accuracy, text)
        for size, text in ((needed.stated, message("as printed")), (needed.right, message("corrected")))
        if size >= 1
    )
    band = Band(0.0, design.accuracy, message("within α"), along="y")
    x, y = Axis(message("rows drawn"), scale="log"), Axis(message("worst error of any query"))
    under = message("Lemma 3.7: all {draws} draws of each size are in the band.", draws=_DRAWS)
    return Plot("samples", message("Sub-sampling, simulated"), x, y, (line,), marks, (band,), under=(under,))


def _listed(design: NetDesign, net: Net, errors: Floats, chances: Floats) -> Table:
    order = np.argsort(-chances, kind="stable")[:_LISTED]
    rows = [(" ".join(map(str, net.counts[k])), f"{errors[k]:.4g}", f"{100 * chances[k]:.4g}%") for k in order.tolist()]
    header = (message("rows"), message("worst error"), message("probability"))
    note = message("The most likely of {count}.", count=group_thousands(len(net.counts)))
    return Table("databases", message("Small databases"), header, tuple(rows), note, secret=not design.tells)


def _sizes(design: NetDesign) -> Table:
    """The calculators: what the theorems ask for, as printed and right, for this domain, class, ε, α and δ."""
    given = design.privacy.epsilon, design.accuracy, double(design.delta)
    points, many = len(design.counts), design.query_class.size
    rows = [_row(message("m, Lemma 3.7"), sizes.net_size(many, design.accuracy))]
    rows.append(_row(message("n, Cor. 3.5, Thm 3.6"), sizes.class_size(points, many, *given)))
    if design.query_class.counting and (dimension := vc_dimension(design.query_class)):
        rows += bound_rows(points, dimension, *given)
    logs = sizes.log_multisets(points, design.size)
    held = sizes.net_mechanism_size(logs, *given)
    rows.append((message("n here, Property 3.4"), "–", group_thousands(ceil(held))))
    logarithms = {"right": f"{logs:.4g}", "stated": f"{design.size * log(points):.4g}"}
    note = message(
        "∼: an order without its constant. ln of the number of small databases: {right}; with order {stated}.", **logarithms
    )
    return Table("sizes", message("Number of rows"), ("", message("as printed"), message("right")), tuple(rows), note)


def bound_rows(points: float, dimension: int, epsilon: float, alpha: float, delta: float) -> list[tuple[str, str, str]]:
    """The theorems that are stated as orders only, and with constants."""
    given = points, dimension, epsilon, alpha, delta
    net, right = sizes.dimension_net(points, dimension, alpha), sizes.explicit_sizes(*given)
    orders = (net.rows, net.log_databases, sizes.dimension_size(*given).stated)
    names = (message("m, Lemma 3.8"), message("ln |net|, Thm 3.9"), message("n, Thm 3.10"))
    rows = zip(names, orders, (right.rows, right.log_databases, right.needed), strict=True)
    return [(name, f"∼ {group_thousands(ceil(order))}", group_thousands(ceil(size))) for name, order, size in rows]


def _row(name: str, size: sizes.Size) -> tuple[str, str, str]:
    return name, group_thousands(ceil(size.stated)), group_thousands(ceil(size.right))
