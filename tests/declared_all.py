"""A declared kind with every kind of input and of panel: what randomised response says of a prior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.prior import Prior
from dpdesigner.errors import InputError
from dpdesigner.studies import registry
from dpdesigner.studies.base import Answer, DeclaredDesign, Panel, View, ViewValue
from dpdesigner.studies.fields import choice, declare, distribution, privacy, text, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Handle, Line
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Rank, Ranking, Sentence, Table


class ResponseDesign(DeclaredDesign):
    kind: ClassVar[str] = "response"
    view_defaults: ClassVar[Mapping[str, ViewValue]] = {"at": 0.5}
    views: ClassVar[tuple[View, ...]] = (View("matrix", "Matrix", ("matrix",)), View("loss", "Loss", ("loss", "ratio")))

    n: int = declare(whole_number(1, 50, symbol="n"), default=5, label="How many answers")
    prior: Prior = declare(distribution("n"), default="uniform", label="Your belief", term="prior")
    privacy: PrivacyLevel = declare(privacy(), default="ln 2", label="How private")
    shown: str = declare(choice(("loss", "Loss"), ("gain", "Gain")), default="loss", label="What is counted")
    remark: str = declare(text(longest=40), default="", label="Remark", when=lambda design: design.shown == "loss")

    def check(self) -> None:
        if self.n > 40 and self.shown == "gain":
            raise InputError(f"n must be at most 40 for a gain, got {self.n}.", "n", "40")

    def run(self, progress: Progress = silent) -> Answer:
        if self.n == 13:
            raise InputError("13 answers are too many for those who believe in luck.", "n", "12")
        return ResponseAnswer(self, {}, matrix=_matrix(self.n, self.privacy.epsilon))


@dataclass(frozen=True, eq=False)
class ResponseAnswer(Answer):
    matrix: Any = None

    def __post_init__(self) -> None:
        design: Any = self.design
        wrong = float(1 - design.prior.probabilities @ np.diag(self.matrix))
        found = {"wrong": Finding("chance of another answer", wrong, rounding="up", state="proved")}
        found["secret"] = Finding("true answer", 3, secret=True)
        object.__setattr__(self, "findings", found)

    def panels_in(self, view: Mapping[str, Any]) -> Sequence[Panel]:
        at = float(view.get("at", 0.5))
        x = np.linspace(0, 1, 11)
        secret = Line(x, x, "true", "truth", secret=True)
        loss = Plot(
            "loss", "Loss", Axis("t"), Axis("loss"), (Line(x, x**2, "square"), secret), handles=(Handle(at, "t", "view.at"),)
        )
        wrong = self.findings["wrong"].number
        bars = Ranking("ranking", "Costs", (Rank("this", wrong, proved=True), Rank("none", 1.0, "rival")))
        table = Table(
            "table",
            "The diagonal",
            ("answer", "kept"),
            tuple((str(i), f"{v:.3f}, kept") for i, v in enumerate(np.diag(self.matrix))),
        )
        matrix = Matrix("matrix", "Matrix", dense_cells(self.matrix), "true", "said")
        return matrix, loss, Sentence(f"t is {at:.2f}."), bars, table


def _matrix(n: int, epsilon: float) -> Any:
    weights = np.full((n + 1, n + 1), 1.0) + (np.exp(epsilon) - 1) * np.eye(n + 1)
    return weights / weights.sum(axis=1, keepdims=True)


ENTRY = registry.Entry("response", "Response", "declared_all:ResponseDesign")
