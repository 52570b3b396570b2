"""[CACM]: k-means clustering by noisy sums, on the ages and income classes of 944 people; each step pays from the budget."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.learning import Box, Clustering, Spending, k_means, mean_square, nearest
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.cacm.ledger_table import ledger_table
from dpdesigner.studies.exhibits.cacm.records import ages_and_incomes
from dpdesigner.studies.exhibits.drawing import points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter, study_seed
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Mark, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role

_BOX = Box((18, 1), (90, 24))  # public: voters are adults, and the income classes of the survey are 1 to 24
_QUERIES = {
    "rows": message("rows in each cluster"),
    "coordinate 1": message("sum of ages"),
    "coordinate 2": message("sum of income classes"),
}
_ROLES: tuple[Role, ...] = ("other", "aid", "before", "truth", "bound", "rival")


class KMeans(Exhibit):
    """Clustering by noisy sums."""

    exhibit = "cacm/k-means"
    heading = message("Clustering from noisy sums")
    place = message("Section “When Sensitivity Is Hard to Analyze”")
    claim = message(
        "Using only noisy sums, an iterative algorithm can cluster data in a privacy-preserving fashion, for as many "
        "iterations as the privacy budget permits, frequently with good accuracy."
    )
    verdict = message("4 clusters of 944 people with ε = 1")
    must = message(
        "Each row is in one cluster, so adding or removing a row changes one count by 1 and one sum of each coordinate by a "
        "bounded amount. Every query spends its share of ε; together they spend exactly ε. The noise is drawn from a seed, "
        "for study only."
    )
    badge = (message("drawn from a seed"), "measured")

    epsilon: Number = how_private("1", try_=("1/4", 1, 5))
    clusters: int = parameter(whole_number(1, 6, symbol="k", try_=(3, 4)), 4, message("Number of clusters"))
    steps: int = parameter(whole_number(1, 12, symbol="T", try_=(3, 12)), 3, message("Number of steps"))
    seed: int = study_seed(message("Seed of the noise"))

    def run(self, progress: Progress = silent) -> Answer:
        """Cluster with noise and without, from the same first centres."""
        rows, budget = np.clip(ages_and_incomes(), _BOX.low, _BOX.high), exact(self.epsilon)
        found = k_means(rows, _BOX, self.clusters, self.steps, budget, self.seed, progress)
        without = k_means(rows, _BOX, self.clusters, self.steps, None, self.seed)
        mine, best = (mean_square(rows, each.centres[-1], _BOX) for each in (found, without))
        one = mean_square(rows, rows.mean(axis=0, keepdims=True), _BOX)
        spent = sum((line.epsilon for line in found.ledger), Fraction(0))
        findings = {
            "value": Finding(message("total ε spent, the sum of the ledger"), spent, state="proved"),
            "share": Finding(message("ε of each query"), found.ledger[0].epsilon, state="proved"),
            "queries": Finding(message("queries"), len(found.ledger)),
            "distance": Finding(
                message("mean squared distance from the private centres"), mine, digits=6, rounding="up", state="measured"
            ),
            "distance-exact": Finding(message("mean squared distance from centres without noise"), best, digits=6, rounding="up"),
            "distance-one": Finding(message("mean squared distance from the overall mean"), one, digits=6, rounding="up"),
        }
        sentence = message(
            "{queries} queries spend ε = {spent} in total. The mean squared distance from the centres is {mine}; "
            "without noise it is {best}.",
            queries=len(found.ledger),
            spent=text(spent),
            mine=text(mine, 3, "up"),
            best=text(best, 3, "up"),
        )
        panels = self._map(rows, found, without), self._by_step(rows, found, without), ledger_table(found.ledger, budget, _named)
        return self.answer(findings, panels, sentence)

    def _map(self, rows: np.ndarray, found: Clustering, without: Clustering) -> Plot:
        groups = nearest(rows, found.centres[-1], _BOX)
        lines = []
        for cluster, role in zip(range(self.clusters), _ROLES, strict=False):
            here = rows[groups == cluster]
            here = here[np.argsort(here[:, 0], kind="stable")]
            if len(here):
                lines.append(points(here[:, 0], here[:, 1], "", role, dots=True, dashed=False))
        paths = [
            _segment(found.centres[step, k], found.centres[step + 1, k])
            for k in range(self.clusters)
            for step in range(self.steps)
        ]
        marks = [Mark(float(x), float(y), "", "rival") for x, y in without.centres[-1]]
        marks += [Mark(float(x), float(y), str(k), "main") for k, (x, y) in enumerate(found.centres[-1], 1)]
        return Plot(
            "clusters",
            message("Ages and income classes, and the private centres"),
            Axis(message("age"), limits=(16, 92)),
            Axis(message("income class"), limits=(0, 25)),
            (*lines, *paths),
            marks=tuple(marks),
            under=(message("The numbers mark the private centres, with their paths. The other dots are centres without noise."),),
        )

    def _by_step(self, rows: np.ndarray, found: Clustering, without: Clustering) -> Plot:
        def distances(each: Clustering) -> list[float]:
            return [mean_square(rows, centres, _BOX) for centres in each.centres]

        steps = range(self.steps + 1)
        return Plot(
            "steps",
            message("Mean squared distance after each step"),
            Axis(message("step"), scale="whole", limits=(0, 12)),
            Axis(message("mean squared distance")),
            (
                points(steps, distances(found), message("private")),
                points(steps, distances(without), message("without noise"), "rival"),
            ),
            handles=(self.handle("steps"),),
        )


def _segment(start: np.ndarray, end: np.ndarray) -> Line:
    (x0, y0), (x1, y1) = sorted((tuple(start.tolist()), tuple(end.tolist())))
    return points((x0, x1), (y0, y1))


def _named(line: Spending) -> str:
    return _QUERIES[line.query]
