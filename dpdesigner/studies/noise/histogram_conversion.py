"""Conversion between a number, a histogram and a count; the level at which the noise of each attains a target cost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import exact
from dpdesigner.core.basics.sensitivity import Neighbours
from dpdesigner.core.noise.best_noise import epsilon_for_cost
from dpdesigner.core.noise.discrete_staircase import cell_edges, cell_privacy
from dpdesigner.core.noise.noise_cost import NoiseQuery as Question
from dpdesigner.core.noise.noise_cost import PowerCost, nearest_step, noise_cost
from dpdesigner.data.columns import EXAMPLE, holds_numbers, resolved
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_counts import Listed, titled
from dpdesigner.studies.noise.histogram_design import FIRST_CELLS, HistogramDesign
from dpdesigner.studies.study import Aim, Job, Progress, silent

Asked = NoiseDesign | HistogramDesign

#: The inputs of the example that a histogram starts with.
VISITS: Mapping[str, Any] = MappingProxyType(
    {
        "name": "Visits, published",
        "path": f"{EXAMPLE}doctor_visits.csv",
        "column": "visits",
        "cells": "0..13",
        "unit": "person-years",
        "privacy": PrivacyLevel.from_epsilon("1/2"),
        "cost": "absolute",
    }
)

#: The key, among the last designs of each kind, of the histogram as it followed a number.
ENTERED = "entered"

#: The number of rows that the Count page starts with.
_ROWS = 20


def query_of(design: Asked) -> str:
    """Return the kind of query: ``"real"``, ``"integer"`` or ``"histogram"``."""
    return design.query if isinstance(design, NoiseDesign) else design.kind


def converted(design: Asked, query: str, held: Mapping[str, Any]) -> Asked:
    """Return a design for another kind of answer.

    Name, privacy level and cost stay. What only the other kind has is as in `held`, the last design of each kind. The first
    histogram is the example, with its own name, level and cost, which do not follow it to a number unless they were changed.
    """
    return as_histogram(design, held) if query == HistogramDesign.kind else as_number(design, query, held)


def as_histogram(design: Asked, held: Mapping[str, Any]) -> HistogramDesign:
    """Return a histogram design; see `converted`."""
    if isinstance(design, HistogramDesign):
        return design
    before: HistogramDesign | None = held.get(HistogramDesign.kind)
    if before is None:
        return HistogramDesign(**VISITS)
    return before.replace(name=design.name, privacy=design.privacy, cost=design.cost)


def as_number(design: Asked, query: str, held: Mapping[str, Any]) -> NoiseDesign:
    """Return a design for a number, see `converted`; if it must be an integer, Δ is rounded up, and the true answer to it."""
    if isinstance(design, NoiseDesign) and design.query == query:
        return design
    number = design if isinstance(design, NoiseDesign) else _number_before(design, held)
    if query == "integer" and number.query != "integer":
        known, truth = number.sensitivity, number.true_answer
        delta = known if exact(known).denominator == 1 else math.ceil(exact(known))
        rounded = truth if truth is None or exact(truth).denominator == 1 else nearest_step(truth, Fraction(1))
        changes = {"sensitivity": delta, "true_answer": rounded, "dimension": 1, "delta": None, "step": None}
        return number.replace(query=query, **changes)
    return number.replace(query=query)


def with_sensitivity(
    design: Asked, held: Mapping[str, Any], query: str, sensitivity: str, neighbours: Neighbours, basis: str
) -> Asked:
    """Return a design for a query of this sensitivity; `basis` is the reason for it. See `converted`."""
    if query == HistogramDesign.kind:
        return as_histogram(design, held).replace(neighbours=neighbours)
    kind = query if query == "real" or not isinstance(design, NoiseDesign) else design.query
    return as_number(design, kind, held).replace(sensitivity=sensitivity, basis=basis)


def _number_before(design: HistogramDesign, held: Mapping[str, Any]) -> NoiseDesign:
    before: NoiseDesign = held.get(NoiseDesign.kind) or NoiseDesign.starting()
    kept: dict[str, Any] = {"name": design.name, "privacy": design.privacy, "cost": design.cost}
    first: HistogramDesign | None = held.get(ENTERED) if NoiseDesign.kind in held else None
    if first is not None:  # what was not changed is not of the number
        same = {"name": first.name, "privacy": first.privacy, "cost": first.cost}
        kept = {name: value for name, value in kept.items() if value != same[name]}
    if design.path.startswith(EXAMPLE) or design.name == titled(design.column):  # a number is neither
        kept.pop("name", None)
    if not isinstance(noise_cost(kept.get("cost", before.cost)), PowerCost):  # which several answers require
        kept["dimension"] = 1
    return before.replace(**kept)


def counting(
    design: HistogramDesign, changes: Mapping[str, Any], known: Mapping[str, HistogramDesign] = MappingProxyType({})
) -> HistogramDesign:
    """Return a design that counts another column, as `HistogramDesign.of_column` does, or in cells typed before there were data.

    `known` has the designs of columns that were counted before, by `column_key`: their cells or categories come back.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    path, column = changes.get("path", design.path), changes["column"]
    if changes.keys() <= {"path", "column"} and (path, column) == (design.path, design.column):
        return design
    texts = () if column and not holds_numbers(resolved(path), column) else None
    example = path != design.path and str(design.path).startswith(EXAMPLE)  # whose rows and title do not stay
    left = {"unit": ""} if example else {}
    if design.name and (example or design.name == titled(design.column)):
        left["name"] = titled(column)
    before = known.get(column_key(path, column))
    if before is not None and (texts is None or before.categories is not None):
        kept = {**before.source._asdict(), "listed": before.listed, "path": path}
    else:
        kept = counted_as(design, texts)
        if column and not path.startswith(EXAMPLE) and not _typed(design, texts is not None):
            with suppress(InputError):  # reported when the column is counted
                first = HistogramDesign.of_column(path, column)
                kept = {**first.source._asdict(), "listed": first.listed}
    return design.replace(**{**kept, **left, **changes, "counts": None})


def _typed(design: HistogramDesign, texts: bool) -> bool:
    """Return whether cells or categories for such a column were typed before there were data."""
    if design.source.is_set or texts != (design.categories is not None):
        return False
    return bool(design.categories) if texts else design.cells != FIRST_CELLS


def counted_again(last: HistogramDesign | None) -> dict[str, Any]:
    """Return the inputs with which an earlier design counts its data; none without one."""
    return {} if last is None else {**last.source._asdict(), "listed": last.listed, "name": last.name, "unit": last.unit}


def column_key(path: str, column: str) -> str:
    """Return the key of a column: its name, whatever file of the user has it."""
    return f"{path if path.startswith(EXAMPLE) else ''}:{column}"


def counted_as(design: HistogramDesign, categories: tuple[str, ...] | None, before: Any = None) -> dict[str, Any]:
    """Return the inputs that change when numbers or these categories are counted, or those of a design `before` of the column.

    Cells that were taken from data stay marked as such, or are left with them.
    """
    changes: dict[str, Any] = {"categories": categories, "outside": "other", "listed": "public"}
    if before is not None and before.source[1:3] == design.source[1:3]:
        changes = {"categories": before.categories, "outside": before.outside, "listed": before.listed}
    if design.categories is None and design.listed == "data":
        changes |= {"listed": "data"} if categories is None else {"cells": FIRST_CELLS}
    return changes


class TakenCells:
    """The cells that were taken from data and not called public since, so that they stay marked when they are typed again."""

    def __init__(self) -> None:
        self._taken, self._shown = set[Any](), ("", "")

    def show(self, design: HistogramDesign) -> None:
        """Remember the cells of a design, or forget them if they are public."""
        self._shown = design.path, design.column
        if design.categories is None:
            (self._taken.add if design.listed == "data" else self._taken.discard)((*self._shown, design.edges))

    def origin(self, cells: str) -> Listed:
        """Return whether these cells of the column shown last were taken from the data."""
        with suppress(InputError):  # reported when they are entered
            return "data" if (*self._shown, cell_edges(cells)) in self._taken else "public"
        return "public"


def as_count(outcome: NoiseAnswer) -> CountDesign | None:
    """Return the Count page's design with this noise; None if it is not the geometric mechanism."""
    privacy = outcome.geometric
    if privacy is None:
        return None
    cost, loss = outcome.design.noise_cost, "absolute"
    if isinstance(cost, PowerCost) and cost.power != 1:
        loss = "squared" if cost.power == 2 else f"power:{repr(cost.power).removesuffix('.0')}"
    return CountDesign(_ROWS, privacy=privacy, prior="uniform", loss=loss, name=outcome.design.name, unit=outcome.design.unit)


#: The range of epsilon for the aiming slider.
_LEAST, _MOST = 0.01, 10.0


def level_for_cost(design: Asked, target: float, progress: Progress = silent) -> PrivacyLevel:
    """Return the most private level whose expected cost is at most a target; raises as `epsilon_for_cost`."""
    if isinstance(design, HistogramDesign):
        cell = cell_privacy(design.privacy, design.neighbours).epsilon
        epsilon = epsilon_for_cost(Question(True, cell, 1.0, design.cost), target, int(design.sensitivity.value), progress)
    else:
        epsilon = epsilon_for_cost(design.noise_query, target, progress=progress)
    return PrivacyLevel.from_epsilon(f"{epsilon:f}")


def aiming(design: Asked, target: float, final: bool) -> Job:
    """Return the job that finds the level at which a target is reached."""
    return Aim.job(design, final, lambda progress: level_for_cost(design, target, progress))


def reached(noise: NoiseAnswer) -> tuple[float, list[float]]:
    """Return the cost of the noise, and its costs at other levels."""
    curve = noise.by_epsilon
    return noise.cost, curve.staircase[(curve.epsilon >= _LEAST) & (curve.epsilon <= _MOST)].tolist()


def of_several_rows(design: Asked) -> tuple[Message, ...]:
    """Return the words next to epsilon, longest first."""
    return (message("ε per row"), message("ε")) if isinstance(design, HistogramDesign) else (message("ε"),)
