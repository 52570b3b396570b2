"""[CACM]: an ID3 decision tree by noisy sums, on applications to a university or on a survey; each level pays from the budget."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdesigner.core.learning import DecisionTree, Node, Spending, grow_tree
from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.cacm.ledger_table import ledger_table
from dpdesigner.studies.exhibits.cacm.records import Records, admissions, votes
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter, study_seed
from dpdesigner.studies.fields import choice, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Mark, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table

_RUNS = 5  # trees that are averaged at each epsilon of the curve


class Id3Tree(Exhibit):
    """A decision tree by noisy sums."""

    exhibit = "cacm/id3-tree"
    heading = message("A decision tree from noisy sums")
    place = message("Section “When Sensitivity Is Hard to Analyze”")
    claim = message(
        "Using only noisy sums, an ID3 decision tree can be found in a privacy-preserving fashion, frequently with good accuracy."
    )
    verdict = message("70.59% of records correct at ε = 1")
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
        """Grow the tree with noise and without."""
        records, budget = _records(self.data), exact(self.epsilon)
        found, without = self._grown(records, budget, self.seed), self._grown(records, None, self.seed)
        mine, best = (each.accuracy(records.rows, records.labels) for each in (found, without))
        majority = Fraction(int(max(np.bincount(records.labels))), len(records.labels))
        spent = sum((line.epsilon for line in found.ledger), Fraction(0))
        findings = {
            "value": Finding(message("total ε spent, the sum of the ledger"), spent, state="proved"),
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
    """Return the tree: the root above, the leaves at 0, 1, 2 and so on along the axis."""
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
    x = Axis(scale="names", names=tuple(names), limits=(-0.4, len(names) - 0.6))  # where the outer names have room
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
