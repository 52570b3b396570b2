"""[CACM]: an ID3 tree and k-means from noisy sums on real records; each step is charged to the budget.

The real records that the algorithms of [CACM] are tried on: answers of a survey, and applications to a university.

They ship with the program and have been published, so that results without noise can be shown beside the private ones.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from dpdesigner import resources
from dpdesigner.core.basics.accountant import budget_of
from dpdesigner.core.basics.parsing import Number, double, exact_text
from dpdesigner.core.noise.learning import Box, Clustering, DecisionTree, Node, Spending, grow_tree, k_means, mean_square, nearest
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import Exhibit, curve, geometric_places, how_private, parameter, points, study_seed, text
from dpdesigner.studies.fields import choice, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Line, Mark
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role, Table


@dataclass(frozen=True, eq=False)
class Records:
    """Categorical records: names of the attributes, values and classes; (m, a) values and (m,) classes."""

    attributes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    classes: tuple[str, ...]
    rows: NDArray[np.int64]
    labels: NDArray[np.int64]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values of each attribute."""
        return tuple(map(len, self.values))


@cache
def ages_and_incomes() -> NDArray[np.int64]:
    """Return age and income class (1 to 24) of the 944 people of the survey of 1996, (944, 2)."""
    return np.array([(int(row["age"]), int(row["income_class"])) for row in _read("survey_1996.csv")])


@cache
def admissions() -> Records:
    """Return the applications to six departments in 1973."""
    departments, genders = tuple("ABCDEF"), ("male", "female")
    read = _read("admissions_1973.csv")
    rows = np.array([(departments.index(row["department"]), genders.index(row["gender"])) for row in read])
    labels = np.array([int(row["decision"] == "admitted") for row in read])
    attributes = (message("department"), message("gender"))
    return Records(
        attributes, (departments, (message("men"), message("women"))), (message("rejected"), message("admitted")), rows, labels
    )


@cache
def votes() -> Records:
    """Return the survey of 1996 in public bands, with the vote as the class."""
    bands = {"age": (30, 45, 60), "education": (4, 6), "income_class": (10, 16, 21), "tv_news_days": (2, 6)}
    read = _read("survey_1996.csv")
    rows = np.array([[int(np.searchsorted(ends, int(row[key]), side="right")) for key, ends in bands.items()] for row in read])
    labels = np.array([int(row["vote"]) for row in read])
    attributes = (message("age"), message("education"), message("income class"), message("days of TV news"))
    return Records(attributes, tuple(map(_bands, bands.values())), (message("vote 0"), message("vote 1")), rows, labels)


def _bands(ends: tuple[int, ...]) -> tuple[str, ...]:
    """Return the names of the bands that start at these numbers."""
    inner = (f"{low}–{high - 1}" for low, high in pairwise(ends))
    return (f"< {ends[0]}", *inner, f"≥ {ends[-1]}")


def _read(name: str) -> list[dict[str, str]]:
    with resources.path("data", name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def ledger_table(ledger: Sequence[Spending], budget: Fraction, named: Callable[[Spending], str]) -> Table:
    """Return a row for each query: step, query, its epsilon, total spent so far, and remainder.

    Parameters
    ----------
    ledger : sequence of Spending
    budget : Fraction
    named : callable
        The words for a query.
    """
    sums = accumulate((line.epsilon for line in ledger), initial=Fraction(0))
    next(sums)
    rows = tuple(
        (str(line.step), named(line), exact_text(line.epsilon), exact_text(spent), exact_text(budget - spent))
        for line, spent in zip(ledger, sums, strict=True)
    )
    header = (message("step"), message("query"), message("ε"), message("spent"), message("left"))
    return Table("ledger", message("Privacy budget"), header, rows)


_RUNS = 5  # trees that are averaged at each epsilon of the curve


class Id3Tree(Exhibit):
    """A decision tree from noisy sums."""

    exhibit = "cacm/id3-tree"
    heading = message("A decision tree from noisy sums")
    place = message("Section “When Sensitivity Is Hard to Analyze”")
    claim = message(
        "Using only noisy sums, a decision tree (ID3) can be found in a privacy-preserving way, often with good accuracy."
    )
    verdict = message("70.59% of records correct at ε = 1")
    must_below = False
    must = message(
        "Each row is in one node of each level and in one cell of each table. So each table has sensitivity 1 if a row "
        "is added or removed. Every query spends its share of ε; together they spend exactly ε. The noise is drawn "
        "from a seed, for study only."
    )
    badge = (message("drawn from a seed"), "measured")
    slow = True

    data: str = parameter(
        choice(("admissions", message("4526 applications, 1973")), ("votes", message("944 voters, 1996"))),
        "admissions",
        message("Which records"),
    )
    epsilon: Number = how_private("1", try_=("1/20", 1, 5))
    depth: int = parameter(whole_number(1, 2, symbol="d", try_=(1, 2)), 2, message("Depth of the tree"))
    seed: int = study_seed(message("Seed of the noise"))

    def run(self, progress: Progress = silent) -> Answer:
        """Grow the tree with and without noise."""
        records, budget = _records(self.data), budget_of(self.privacy)
        found, without = self._grown(records, budget, self.seed), self._grown(records, None, self.seed)
        mine, best = (each.accuracy(records.rows, records.labels) for each in (found, without))
        majority = Fraction(int(max(np.bincount(records.labels))), len(records.labels))
        spent = sum((line.epsilon for line in found.ledger), Fraction(0))
        findings = {
            "value": Finding(message("total ε spent"), spent, state="proved"),
            "share": Finding(message("ε of each query"), found.ledger[0].epsilon, state="proved"),
            "queries": Finding(message("queries"), len(found.ledger)),
            "accuracy": Finding(
                message("records predicted correctly"), _percent(mine), "%", digits=4, rounding="down", state="measured"
            ),
            "accuracy-exact": Finding(message("the same, without noise"), _percent(best), "%", digits=4, rounding="down"),
            "majority": Finding(
                message("the same, always predicting the majority class"), _percent(majority), "%", digits=4, rounding="down"
            ),
            "root": Finding(message("attribute at the root"), records.attributes[_attribute(found.root)]),
            "root-exact": Finding(message("attribute at the root without noise"), records.attributes[_attribute(without.root)]),
        }
        sentence = message(
            "{queries} queries spend ε = {spent} in total. The tree predicts {mine}% of the records correctly; without "
            "noise {best}%, by the majority class {majority}%.",
            queries=len(found.ledger),
            spent=text(spent),
            mine=text(_percent(mine), 4, "down"),
            best=text(_percent(best), 4, "down"),
            majority=text(_percent(majority), 4, "down"),
        )
        table = ledger_table(found.ledger, budget, self._named)
        curve_of = self._by_epsilon(records, best, progress)
        panels = _picture(found.root, records), curve_of, _leaves(found.root, records), table
        return self.answer(findings, panels, sentence)

    def _grown(self, records: Records, epsilon: Fraction | None, seed: int) -> DecisionTree:
        return grow_tree(records.rows, records.sizes, records.labels, len(records.classes), self.depth, epsilon, seed)

    def _by_epsilon(self, records: Records, best: Fraction, progress: Progress) -> Plot:
        places = geometric_places(0.01, 10, 15)
        means = []
        for k, place in enumerate(places):
            progress(k / len(places))
            trees = [self._grown(records, Fraction(place), seed) for seed in range(1, _RUNS + 1)]
            means.append(sum(double(tree.accuracy(records.rows, records.labels)) for tree in trees) / _RUNS)
        return Plot(
            "accuracy",
            message("Share predicted correctly, average over {runs} trees", runs=_RUNS),
            Axis("ε", scale="log"),
            Axis(message("share"), limits=(0.3, 0.8)),
            (
                points(places, means, message("with noise")),
                curve((places[0], places[-1]), lambda x: best, message("without noise"), "rival"),
            ),
            handles=(self.handle("epsilon", least=0.01, most=10.0),),
        )

    def _named(self, line: Spending) -> str:
        if line.query == "leaves":
            return message("classes in the leaves")
        number = line.query.rpartition(" ")[2]
        records = _records(self.data)
        if line.step == 1:
            return message("{attribute} against class", attribute=records.attributes[int(number) - 1])
        return message(
            "attribute {k} of the remaining {many} against class, at each node", k=number, many=len(records.sizes) - line.step + 1
        )


def _records(name: str) -> Records:
    return admissions() if name == "admissions" else votes()


def _percent(share: Fraction) -> float:
    return float(100 * share)


def _attribute(node: Node) -> int:
    return 0 if node.attribute is None else node.attribute


def _picture(root: Node, records: Records) -> Plot:
    """Return the tree: the root at the top, the leaves at 0, 1, 2 and so on along the axis."""
    lines: list[Line] = []
    marks: list[Mark] = []
    names: list[str] = []
    depth = _depth(root)

    def drawn(node: Node, level: int, value: str) -> float:
        if node.attribute is None:
            marks.append(Mark(float(len(names)), 0.0, "", "main" if node.label else "rival"))
            names.append(value)
            return len(names) - 1.0
        height = float(depth - level)
        xs = [drawn(child, level + 1, name) for child, name in zip(node.children, records.values[node.attribute], strict=True)]
        x = sum(xs) / len(xs)
        for end in xs:
            heights = (height, height - 1) if x <= end else (height - 1, height)
            lines.append(points(sorted((x, end)), heights, "", "aid", dashed=False))
        marks.append(Mark(x, height, value or records.attributes[node.attribute], "other"))
        return x

    drawn(root, 0, "")
    splits = [_splits(node, records) for node in (root, *(child for child in root.children if child.children))]
    below = ", ".join(dict.fromkeys(splits[1:]))
    under = (
        message("Leaves: blue predicts “{one}”, the other colour “{other}”.", one=records.classes[1], other=records.classes[0]),
        message(
            "First split: {first}.{second}",
            first=splits[0],
            second=message(" Second split: {below}.", below=below) if below else "",
        ),
    )
    x = Axis(scale="names", names=tuple(names), limits=(-0.4, len(names) - 0.6))  # leaves room for the outer names
    y = Axis(scale="names", names=("",) * (depth + 1), limits=(-0.3, depth + 0.4))
    return Plot("tree", message("The private tree"), x, y, tuple(lines), marks=tuple(marks), under=under)


def _depth(node: Node) -> int:
    return 1 + _depth(node.children[0]) if node.children else 0


def _splits(node: Node, records: Records) -> str:
    return records.attributes[_attribute(node)]


def _leaves(root: Node, records: Records) -> Table:
    """Return each leaf with its noisy counts, its prediction, and the true share of the second class."""
    rows: list[tuple[str, ...]] = []

    def visited(node: Node, here: np.ndarray, name: str) -> None:
        if node.attribute is None:
            share = float(records.labels[here].mean()) if len(here) else math.nan
            counts = (str(count) for count in node.counts)
            rows.append((name, *counts, records.classes[node.label], f"{100 * share:.1f}%" if len(here) else "—"))
            return
        for value, child in enumerate(node.children):
            part = here[records.rows[here, node.attribute] == value]
            visited(child, part, ", ".join(filter(None, (name, records.values[node.attribute][value]))))

    visited(root, np.arange(len(records.labels)), "")
    counted = (message("noisy “{name}”", name=name) for name in records.classes)
    header = (message("leaf"), *counted, message("prediction"), message("true share of “{name}”", name=records.classes[1]))
    return Table("leaves", message("Leaves of the private tree"), header, tuple(rows))


_BOX = Box((18, 1), (90, 24))  # public: voters are adults, and the income classes of the survey are 1 to 24
_QUERIES = {
    "rows": message("rows per cluster"),
    "coordinate 1": message("sum of ages"),
    "coordinate 2": message("sum of incomes"),
}
_ROLES: tuple[Role, ...] = ("other", "main", "aid")  # of clusters, from left to right at first; then pale


class KMeans(Exhibit):
    """Clustering from noisy sums."""

    exhibit = "cacm/k-means"
    heading = message("Clustering from noisy sums")
    place = message("Section “When Sensitivity Is Hard to Analyze”")
    claim = message(
        "Using only noisy sums, an algorithm can group similar people into clusters while preserving privacy. It may take as "
        "many steps as the privacy budget permits, and it is often accurate."
    )
    verdict = message("4 clusters of 944 people with ε = 1")
    pictured_numbers = ("share", "queries")  # in the table of the budget
    must_below = False
    must = message(
        "Each row is in one cluster, so adding or removing a row changes one count by 1 and one sum of each coordinate by a "
        "bounded amount. Every query spends its share of ε; together they spend exactly ε. Distances are taken with both ranges, "
        "18 to 90 and 1 to 24, scaled to 1. The noise is drawn from a seed, for study only."
    )
    badge = (message("drawn from a seed"), "measured")

    epsilon: Number = how_private("1", try_=("1/4", 1, 5))
    clusters: int = parameter(whole_number(1, 6, symbol="k", try_=(3, 4)), 4, message("Number of clusters"))
    steps: int = parameter(whole_number(1, 12, symbol="T", try_=(3, 12)), 3, message("Number of steps"))
    seed: int = study_seed(message("Seed of the noise"))

    def run(self, progress: Progress = silent) -> Answer:
        """Cluster with and without noise, from the same first centres."""
        rows, budget = np.clip(ages_and_incomes(), _BOX.low, _BOX.high), budget_of(self.privacy)
        found = k_means(rows, _BOX, self.clusters, self.steps, budget, self.seed, progress)
        without = k_means(rows, _BOX, self.clusters, self.steps, None, self.seed)
        mine, best = (mean_square(rows, each.centres[-1], _BOX) for each in (found, without))
        one = mean_square(rows, rows.mean(axis=0, keepdims=True), _BOX)
        spent = sum((line.epsilon for line in found.ledger), Fraction(0))
        findings = {
            "value": Finding(message("total ε spent"), spent, state="proved"),
            "share": Finding(message("ε of each query"), found.ledger[0].epsilon, state="proved"),
            "queries": Finding(message("queries"), len(found.ledger)),
            "distance": Finding(
                message("mean squared distance to the private centres"), mine, digits=3, rounding="up", state="measured"
            ),
            "distance-exact": Finding(message("the same without noise"), best, digits=3, rounding="up"),
            "distance-one": Finding(message("the same with a single centre"), one, digits=3, rounding="up"),
        }
        more = message("{more}%", more=text(100 * (mine / best - 1), 3, "up")) if mine > best else message("no")
        clusters = message("{k} clusters", k=self.clusters) if self.clusters > 1 else message("One cluster")
        sentence = message(
            "<b>The mean squared distance of a row from its centre is {more} larger than without noise.</b> {clusters}, with a "
            "total ε of {spent}.",
            more=more,
            clusters=clusters,
            spent=text(spent),
        )
        panels = self._map(rows, found, without), self._by_step(rows, found, without), ledger_table(found.ledger, budget, _named)
        return self.answer(findings, panels, sentence)

    def _map(self, rows: np.ndarray, found: Clustering, without: Clustering) -> Plot:
        groups = nearest(rows, found.centres[-1], _BOX)
        lines = []
        for cluster in range(self.clusters):
            here = rows[groups == cluster]
            here = here[np.argsort(here[:, 0], kind="stable")]
            if len(here):
                pale, role = divmod(cluster, len(_ROLES))
                looks = {"dots": True, "dashed": False, "thin": bool(pale)}
                lines.append(points(here[:, 0], here[:, 1], "", _ROLES[role], **looks))
        paths = [
            _segment(found.centres[step, k], found.centres[step + 1, k])
            for k in range(self.clusters)
            for step in range(self.steps)
        ]
        marks = [Mark(float(x), float(y), "", "aid") for x, y in without.centres[-1]]
        marks += [Mark(float(x), float(y), str(k), "truth") for k, (x, y) in enumerate(found.centres[-1], 1)]
        return Plot(
            "clusters",
            message("{rows} people, each in the colour of the nearest private centre", rows=len(rows)),
            Axis(message("age in years"), limits=(16, 92)),
            Axis(message("income class, 1 to 24"), limits=(0, 25)),
            (*lines, *paths),
            marks=tuple(marks),
            under=(
                message(
                    "Numbered: the private centres and their paths, step by step. Large grey dots: the centres without noise."
                ),
            ),
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
    return points((x0, x1), (y0, y1), "", "truth")


def _named(line: Spending) -> str:
    return _QUERIES[line.query]
