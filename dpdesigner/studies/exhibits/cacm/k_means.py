"""[CACM]: k-means clustering by noisy sums, on the ages and income classes of 944 people; each step pays from the budget."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.learning.k_means import Box, Clustering, k_means, mean_square, nearest
from dpdesigner.core.learning.noisy_sums import Spending
from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.studies.asked import whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.cacm.ledger_table import ledger_table
from dpdesigner.studies.exhibits.cacm.records import ages_and_incomes
from dpdesigner.studies.exhibits.drawing import points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter, study_seed
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Mark, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.tables import Role

_BOX = Box((18, 1), (90, 24))  # public: voters are adults, and the income classes of the survey are 1 to 24
_QUERIES = {
    "rows": said("rows in each cluster"),
    "coordinate 1": said("sum of ages"),
    "coordinate 2": said("sum of income classes"),
}
_ROLES: tuple[Role, ...] = ("other", "aid", "before", "truth", "bound", "rival")


class KMeans(Exhibit):
    """Clustering by noisy sums."""

    exhibit = "cacm/k-means"
    heading = said("Clustering by noisy sums")
    place = said("Section “When Sensitivity Is Hard to Analyze”")
    claim = said(
        "Using only noisy sums, an iterative algorithm can cluster data in a privacy-preserving fashion, for as many "
        "iterations as the privacy budget permits, frequently with good accuracy."
    )
    verdict = said("4 clusters of 944 people with ε = 1")
    must = said(
        "Each row is in one cluster, so adding or removing a row changes one count by 1 and one sum of each coordinate by a "
        "bounded amount. Every query spends its share of ε; together they spend exactly ε. The noise is drawn from a seed, "
        "for study only."
    )
    badge = (said("drawn from a seed"), "measured")

    epsilon: Number = how_private("1", try_=("1/4", 1, 5))
    clusters: int = parameter(whole_number(1, 6, symbol="k", try_=(3, 4)), 4, said("Number of clusters"))
    steps: int = parameter(whole_number(1, 12, symbol="T", try_=(3, 12)), 3, said("Number of steps"))
    seed: int = study_seed(said("Which noise"))

    def run(self, progress: Progress = silent) -> Answer:
        """Cluster with noise and without, from the same first centres."""
        rows, budget = np.clip(ages_and_incomes(), _BOX.low, _BOX.high), exact(self.epsilon)
        found = k_means(rows, _BOX, self.clusters, self.steps, budget, self.seed, progress)
        without = k_means(rows, _BOX, self.clusters, self.steps, None, self.seed)
        mine, best = (mean_square(rows, each.centres[-1], _BOX) for each in (found, without))
        one = mean_square(rows, rows.mean(axis=0, keepdims=True), _BOX)
        spent = sum((line.epsilon for line in found.ledger), Fraction(0))
        findings = {
            "value": Finding(said("total ε spent, the sum of the ledger"), spent, state="proved"),
            "share": Finding(said("ε of each query"), found.ledger[0].epsilon, state="proved"),
            "queries": Finding(said("queries"), len(found.ledger)),
            "distance": Finding(said("mean squared distance, private centres"), mine, digits=6, rounding="up", state="measured"),
            "distance-exact": Finding(said("mean squared distance without noise"), best, digits=6, rounding="up"),
            "distance-one": Finding(said("mean squared distance from the overall mean"), one, digits=6, rounding="up"),
        }
        sentence = said(
            "{queries} queries spend {spent} in total. The mean squared distance from the centres is {mine}; without noise "
            "it is {best}.",
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
            said("Ages and income classes, and the private centres"),
            Axis(said("age"), limits=(16, 92)),
            Axis(said("income class"), limits=(0, 25)),
            (*lines, *paths),
            marks=tuple(marks),
            under=(said("Numbered: private centres, with their path. Other dots: centres without noise."),),
        )

    def _by_step(self, rows: np.ndarray, found: Clustering, without: Clustering) -> Plot:
        def distances(each: Clustering) -> list[float]:
            return [mean_square(rows, centres, _BOX) for centres in each.centres]

        steps = range(self.steps + 1)
        return Plot(
            "steps",
            said("Mean squared distance by step"),
            Axis(said("step"), scale="whole", limits=(0, 12)),
            Axis(said("mean squared distance")),
            (points(steps, distances(found), said("private")), points(steps, distances(without), said("without noise"), "rival")),
            handles=(self.handle("steps"),),
        )


def _segment(start: np.ndarray, end: np.ndarray) -> Line:
    (x0, y0), (x1, y1) = sorted((tuple(start.tolist()), tuple(end.tolist())))
    return points((x0, x1), (y0, y1))


def _named(line: Spending) -> str:
    return _QUERIES[line.query]
