"""The choice design: what may be chosen and how good it is, what one person may change, and how private the choice must be."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from typing_extensions import Self

from dpdesigner.core.choice.pairs import Neighbouring, Pairs
from dpdesigner.core.numbers.coercion import labels_of
from dpdesigner.core.numbers.parsing import Number, exact, nearest
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.inputs.checks import checked_gamma, checked_name, json_value, level_within
from dpdesigner.studies.options.checks import (
    LEAST_EPSILON,
    MOST_EPSILON,
    checked_base,
    checked_categories,
    checked_edges,
    checked_names,
    checked_neighbours,
    checked_rule,
    checked_sensitivity,
    checked_text,
)
from dpdesigner.studies.options.utilities import Utilities
from dpdesigner.studies.private_design import PrivateDesign

#: A new design in the window: what 944 people said of their schooling (survey_1996.csv).
FIRST = (13, 52, 248, 187, 90, 227, 127)
FIRST_NAMES = (
    "Middle school",
    "Some high school",
    "High school",
    "Some college",
    "2-year degree",
    "Bachelor’s degree",
    "Master’s or more",
)


@dataclass(frozen=True, init=False)
class ChoiceDesign(PrivateDesign):
    """Options with utilities, one of which is chosen by chance, and what one person may change.

    Parameters
    ----------
    utilities : sequence of Number, or of sequences of Number
        How good each of 2 to 1000 options is; or a table, rows = databases, columns = options.
    names : sequence of str, optional
        Of the options; those of a Series or a mapping are its labels.
    neighbours : {"any", "changes", "joins"}; of a table {"next", "all"} or a list of pairs of rows
        ``any``: every utility may move by at most the sensitivity; ``changes``: one rises, another falls by it; ``joins``: all
        move the same way by at most it.
    epsilon, alpha : Number
        The privacy level, epsilon in [1e-6, 1400]; exactly one of the two.
    sensitivity : Number, optional
        By how much one person can move a utility; 1 if not given, or what a table shows where that is more.
    monotone : bool
        The same as ``neighbours="joins"``; of a table: neighbouring rows move all utilities the same way.
    rule : str
        The rule that is drawn, released and exported; see `dpdesigner.studies.options.rules.TITLES`.
    gamma : "optimal" or Number
        Where staircase weights step down in each period.
    path, column : str
        A file and its column, whose values are counted instead of giving utilities; ``example:NAME`` ships with the program.
    categories : sequence of str, optional
        The values that are counted, fixed beforehand; as many as names. Without them the values found in the data are taken.
    edges : sequence of Number, optional
        One more than options: each option is the interval between two of them, and a number is chosen.
    base : sequence of Number, optional
        The base measure of each option, at least 0; 1 each, or the length of its interval.
    name : str
        What the user calls it.
    privacy : PrivacyLevel
        Instead of epsilon or alpha.

    Raises
    ------
    InputError
        If one of them cannot be used; nothing is made then.

    Examples
    --------
    >>> vote = ChoiceDesign([248, 227, 187], ["red", "blue", "green"], epsilon="0.1", neighbours="changes")
    >>> rules = vote.run().rules
    >>> [round(rules[key].chance_of_best, 4) for key in ("permute-and-flip", "exponential")]
    [0.8069, 0.7157]
    >>> rules["exponential-cacm"].epsilon  # as printed it has twice the 0.1 that it is called by
    0.2
    """

    kind: ClassVar[str] = "choice"
    needed: ClassVar[tuple[str, ...]] = ("neighbours",)

    table: Utilities | None
    names: tuple[str, ...] | None
    neighbours: str | Pairs
    privacy: PrivacyLevel
    sensitivity: Number
    monotone: bool
    rule: str
    gamma: Number
    path: str
    column: str
    categories: tuple[str, ...] | None
    edges: tuple[Number, ...] | None
    base: tuple[Number, ...] | None
    name: str = field(default="")

    def __init__(
        self,
        utilities: Sequence[Any] | Utilities | None = None,
        names: Sequence[str] | None = None,
        *,
        epsilon: Number | None = None,
        alpha: Number | None = None,
        sensitivity: Number | None = None,
        neighbours: str | Sequence[Sequence[int]] = "any",
        monotone: bool = False,
        rule: str = "",
        gamma: Number = "optimal",
        path: str | os.PathLike[str] = "",
        column: str = "",
        categories: Sequence[str] | None = None,
        edges: Sequence[Number] | None = None,
        base: Sequence[Number] | None = None,
        name: str = "",
        privacy: PrivacyLevel | None = None,
    ) -> None:
        if path and utilities is not None:
            raise InputError("the utilities must be given, or counted from a column; got both.", "utilities")
        if utilities is None and not path:
            raise InputError("a choice design must have utilities or a file to count them from, got neither.", "utilities")
        names = labels_of(utilities) if names is None else names
        table = None if utilities is None else Utilities.checked(utilities)
        options = None if table is None else len(table.rows[0])
        which, same_way = checked_neighbours(neighbours, monotone, table)
        values = {
            "table": table,
            "neighbours": which,
            "monotone": same_way,
            "sensitivity": checked_sensitivity(sensitivity, table, which, same_way),
            "privacy": level_within(epsilon, alpha, privacy, least=LEAST_EPSILON, most=MOST_EPSILON, what=""),
            "rule": checked_rule(rule, edges is not None),
            "gamma": checked_gamma(gamma),
            "path": checked_text(os.fspath(path), "path"),
            "column": checked_text(column, "column"),
            "categories": (kept := checked_categories(categories, bool(path))),
            "names": checked_names(names, options if table is not None else len(kept) if kept else None),
            "edges": checked_edges(edges, table),
            "base": checked_base(base, options if table is not None else len(kept) if kept else None),
            "name": checked_name(name),
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @classmethod
    def starting(cls, **changes: Any) -> Self:
        """Return the design that a new one in the window starts from: one answer of a survey, published."""
        data = {} if "path" in changes or "utilities" in changes else {"utilities": FIRST, "names": FIRST_NAMES}
        level = {} if {"alpha", "privacy"} & changes.keys() else {"epsilon": "0.1"}
        return cls(**{**data, **level, "neighbours": "changes", **changes})

    @property
    def utilities(self) -> tuple[Any, ...] | None:
        """The utilities as they were given; None where they are counted."""
        return None if self.table is None else self.table.source

    @property
    def exact_epsilon(self) -> Fraction:
        """The epsilon that chances are computed with: itself, or the nearest double where it is irrational."""
        return self.privacy.exact_epsilon or Fraction(self.privacy.epsilon)

    @cached_property
    def exact_sensitivity(self) -> Fraction:
        """Delta."""
        return exact(self.sensitivity, "sensitivity")

    @property
    def reach(self) -> Fraction:
        """By how much a difference of two utilities can change: s, 2 Delta, or Delta where monotone."""
        return self.exact_sensitivity * (1 if self.monotone else 2)

    @property
    def is_table(self) -> bool:
        """Whether there is a whole table of utilities."""
        return self.table is not None and self.table.table

    @property
    def neighbouring(self) -> Neighbouring:
        """Which rows of the table are neighbours."""
        if self.table is None:
            raise AssertionError("only a table has neighbouring rows")
        return Neighbouring(self.neighbours, len(self.table.rows))

    @property
    def fixed(self) -> bool:
        """Whether the options are fixed beforehand, and not read off the data."""
        return not self.path or self.categories is not None

    @property
    def secret(self) -> bool:
        """Whether the utilities are counted from somebody's data, so that nothing true of them leaves the window."""
        from dpdesigner.data.columns import EXAMPLE

        return bool(self.path) and not self.path.startswith(EXAMPLE)

    @property
    def line(self) -> Message:
        """What is asked, in one line: ``7 options · one answer may change · Δ = 1 · ε = 0.1 (α = 0.9048)``."""
        words = {
            "any": message("any utility may move"),
            "changes": message("one answer may change"),
            "joins": message("one may join or leave"),
            "next": message("each row and the next"),
            "all": message("all rows are neighbours"),
        }.get(str(self.neighbours)) or message("{count} pairs of neighbours", count=len(self.neighbours))
        parts = {"moves": words, "delta": format_number(self.exact_sensitivity), "privacy": self.privacy.description}
        count = len(self.categories or ()) if self.table is None else len(self.table.rows[0])
        what = message("{count} options", count=count)
        if not count:
            what = message("options read from the data")
        elif self.table is not None and self.table.table:
            what = message("{rows} × {count} utilities", rows=len(self.table.rows), count=count)
        elif self.edges is not None:
            what = message("a number in {count} cells", count=count)
        return message("{what} · {moves} · Δ = {delta} · {privacy}", what=what, **parts)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some inputs changed, checked again; other neighbours of one vector decide what is monotone anew."""
        if "neighbours" in changes and not self.is_table:
            changes.setdefault("monotone", False)
        return super().replace(**{"utilities": self.table, **changes})

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, numbers as they were given."""
        form, number = self.privacy.source
        data: dict[str, Any] = {"kind": self.kind, "name": self.name}
        if self.table is not None:
            data["utilities"] = self.table.as_json()
        data |= {"neighbours": json_value(self.neighbours), "sensitivity": json_value(self.sensitivity)}
        data |= {form: json_value(number), "rule": self.rule}
        if self.is_table and self.monotone:
            data["monotone"] = True
        if self.gamma != "optimal":
            data["gamma"] = json_value(self.gamma)
        for key in ("names", "categories", "edges", "base"):
            if (value := getattr(self, key)) is not None:
                data[key] = json_value(value)
        return {**data, "path": self.path, "column": self.column} if self.path else data

    @classmethod
    def _inputs(cls) -> tuple[str, ...]:
        return tuple("utilities" if key == "table" else key for key in super()._inputs())


def format_number(value: Fraction) -> str:
    """Return a number as people write it: ``1``, ``1/3``, ``0.25``."""
    text = str(value)
    return text if len(text) <= 9 else f"{nearest(value):.6g}"
