"""The design of a net: a small database, the size of those that may stand for it, a class of queries, and how private."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.core.synthetic.net import MOST_DATABASES, Queries
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Action, DeclaredDesign, View, ViewValue
from dpdesigner.studies.fields import choice, declare, seed, whole_number
from dpdesigner.studies.net.inputs import CountsInput, Given, QueriesInput, build_queries
from dpdesigner.studies.release_inputs import Releasing, how_near, how_private, how_sure, real_errors


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
        View("candidates", message("Candidates"), ("candidates", "people", "worst")),
        View("useful", message("Usefulness"), ("useful", "chances")),
        View("samples", message("Sub-sampling"), ("samples",)),
    )

    beside_views: ClassVar[tuple[str, ...]] = ("quality",)
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {"draws": 1}  #: how often a database was drawn
    buttons: ClassVar[tuple[Action, ...]] = (
        Action(
            message("Draw again"),
            lambda now: {"draws": now.view["draws"] + 1},
            message("Draw one of the small databases, for study"),
            "Ctrl+R",
            on="candidates",
            offered=lambda now: now.design.kind == "net",
            presented=True,
            main=True,
        ),
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
    def line(self) -> str:
        """The inputs in one line, without those of the bounds."""
        told = {each.key: each.summary(self) for each in self.inputs()}
        drawn = message("1 row drawn") if self.size == 1 else message("{size} rows drawn", size=self.size)
        keys = ("counts", "epsilon", "queries", "net")
        database, *more = (told[key] for key in keys)
        return message(
            "{database} · {drawn} · {epsilon} · {queries} · {net}",
            database=database,
            drawn=drawn,
            **dict(zip(keys[1:], more, strict=True)),
        )

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
