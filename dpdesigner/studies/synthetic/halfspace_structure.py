"""Structures that others released: opened from a file as designs without rows, and asked."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import group_thousands, significant
from dpdesigner.core.synthetic.regions import Released
from dpdesigner.data.halfspaces import Structure, no_structure
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Panel, Why
from dpdesigner.studies.data_inputs import FILE, header_names, table_path
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.synthetic import halfspace_answer
from dpdesigner.studies.synthetic.halfspace_answer import HalfspaceAnswer, answers_plot, points_plot, side
from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign, rule
from dpdesigner.studies.table_panels import Sentence

_EPSILON = re.compile(r"epsilon = ([\d.e+-]+)")


def opened(path: str | os.PathLike[str]) -> HalfspaceDesign | None:
    """Return the design that asks the structure in a file; None if the file has none."""
    found = Structure.found(path)
    return None if found is None else asking(found)


def asking(given: Structure) -> HalfspaceDesign:
    """Return the design that asks a structure."""
    plan, epsilon = given.plan, _EPSILON.search(given.privacy)
    ranges = [] if given.ranges is None else [(f"{end!r}".removesuffix(".0") for end in ends) for ends in given.ranges.tolist()]
    columns = plan.matrices.shape[2]
    try:
        return HalfspaceDesign(
            f"{FILE} {os.fspath(given.path)}",
            epsilon=epsilon[1] if epsilon else "none",
            names=", ".join(header_names([*given.columns.split(","), *[""] * columns][:columns])),
            ranges=", ".join(map(" to ".join, ranges)),
            projections=len(plan.matrices),
            directions=len(plan.directions),
            target=plan.matrices.shape[1],
        )
    except InputError:
        raise no_structure(given.path) from None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AskedAnswer(HalfspaceAnswer):
    """The answers of a structure that others released; its one row, at 0, stands for those that are not here."""

    @override
    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        """Return the rule without rows, its released share, and the share of every rule."""
        angle, other = self.angle_in(view), bool(view.get("edge"))
        points, own = points_plot(self, angle, other), side(self, angle, other)
        curve = answers_plot(self, angle, "many" not in view)
        bare = tuple(line for line in points.lines if not line.dots)
        points = replace(points, lines=bare, figures=points.figures[1:], hint=self._rows)
        released = curve.lines[0]

        def read(which: int) -> str:
            share = significant(100 * float(released.y[which]), 3)
            return message("{rule}:\nreleased {share}%", rule=rule(self.design, float(released.x[which])), share=share)

        select = None if released.select is None else replace(released.select, read=read)
        dots = (line for line in curve.lines if line.dots)
        curve = replace(curve, lines=(replace(released, select=select), *dots))
        told = (Sentence(text),) if (text := self.told(angle, other)) else ()
        return points, curve, *told, *(() if "many" in view else (replace(own, rows=own.rows[1:], secret=False),))

    @property
    def listed(self) -> Mapping[str, Finding]:  # type: ignore[override]
        """The findings that the window lists."""
        return {
            key: each for key, each in self.findings.items() if key == "epsilon" or (key == "noise" and self.design.projected)
        }

    @property
    def _rows(self) -> str:
        return message("{count} rows, not here", count=group_thousands(self.released.rows))

    @override
    def in_view(self, view: Mapping[str, Any]) -> HalfspaceAnswer:
        """Return the answer with the released share of the rule of the view in the header."""
        return replace(self, findings={"value": self.headed(view), **self.findings})


def run(design: HalfspaceDesign, progress: Progress = silent, kept: Released | None = None) -> HalfspaceAnswer:
    """Release the counts of a design, take kept ones, or read those that others released."""
    if not design.asks:
        return halfspace_answer.run(design, progress, kept)
    found = Structure.read(table_path(design.points))
    own, nowhere = asking(found), np.zeros((1, found.plan.matrices.shape[2]))
    level = PrivacyLevel.from_epsilon(own.budget / found.plan.counts)
    made = AskedAnswer(
        design=design,
        findings={},
        badge=(message("as its file states") if found.published else message("for study only"), "open"),
        released=Released(found.plan, found.rows, np.rint(found.counts).astype(np.int64), level),
        where=nowhere,
        counted=nowhere,
        columns=own.names,
        turned=found.plan.start,
        why=Why(template="halfspace", help="synthetic#rules"),
        shared=True,
    )
    known = {key: each for key, each in halfspace_answer.findings_of(made).items() if key not in ("truth", "worst-error")}
    known["epsilon"] = replace(known["epsilon"], state="given")
    sentence = message("{asked} {noise}", asked=message(halfspace_answer.ASKED, rule=design.rules), noise=made.told_noise)
    stated = message("ε = {epsilon}, as the file states", epsilon=design.epsilon)
    return replace(made, findings=known, sentence=sentence, checks=(stated,))
