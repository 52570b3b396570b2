"""Iterative algorithms that access data only through noisy sums, paid from a privacy budget: ID3 trees and k-means.

Noisy sums over groups of rows, each paid for from a privacy budget.

Neighbouring databases differ by one row that is added or removed. A row belongs to one group, so that it changes one of the sums
of a query by at most `bound`; two-sided geometric noise with ratio e^(-epsilon/bound) in every sum is epsilon-private. Queries
add up, also where a query depends on the answers before it. The noise is drawn by numpy from a seed: FOR STUDY ONLY.

An ID3 decision tree by noisy sums: at each node, noisy tables of every remaining attribute against the class.

The rows of the nodes of one level are disjoint, so that a table asked at each of them is one query. A node is split by the
attribute with the least conditional entropy of the class in the noisy table, as in ID3; a leaf predicts the class with the
largest noisy count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Spending:
    """One line of the ledger: a step of the algorithm, its query, and the epsilon that it spends."""

    step: int
    query: str
    epsilon: Fraction


class NoisySums:
    """The interface through which an algorithm accesses the rows, and its only one.

    Parameters
    ----------
    budget : Fraction or None
        The total epsilon; None for no privacy: sums without noise, and an empty ledger.
    seed : int
        Of the noise.
    """

    def __init__(self, budget: Fraction | None, seed: int = 0) -> None:
        self.budget = budget
        self.ledger: list[Spending] = []
        self._generator = np.random.default_rng([seed, 11])

    @property
    def spent(self) -> Fraction:
        """The total epsilon in the ledger."""
        return sum((line.epsilon for line in self.ledger), Fraction(0))

    def spend(self, step: int, query: str, epsilon: Fraction) -> None:
        """Enter a query in the ledger; queries on disjoint groups of rows count once.

        Raises
        ------
        InputError
            If the budget does not allow it.
        """
        if self.budget is None:
            return
        if epsilon <= 0 or self.spent + epsilon > self.budget:
            raise InputError(f"The budget is {self.budget}; {self.spent} is spent, and {query} needs {epsilon}.", "epsilon")
        self.ledger.append(Spending(step, query, epsilon))

    def sums(self, groups: Whole, size: int, values: Whole, bound: int, epsilon: Fraction) -> Whole:
        """Return the noisy sum of the values in each of the groups 0, ..., size - 1; `spend` has already paid for it.

        Parameters
        ----------
        groups, values : ndarray of int
            (m,): each row's group, and its value, which is clipped to [-bound, bound].
        size, bound : int
        epsilon : Fraction
        """
        exact = np.zeros(size, dtype=np.int64)
        np.add.at(exact, groups, np.clip(values, -bound, bound))
        if self.budget is None:
            return exact
        stop = -math.expm1(-float(epsilon) / bound)
        return exact + self._generator.geometric(stop, size) - self._generator.geometric(stop, size)


@dataclass(frozen=True)
class Node:
    """A node: its splitting attribute and its children in the order of the values, or a leaf with noisy class counts."""

    attribute: int | None
    children: tuple[Node, ...] = ()
    counts: tuple[int, ...] = ()

    @property
    def label(self) -> int:
        """The class that a leaf predicts."""
        return int(np.argmax(self.counts))

    def predict(self, rows: Whole) -> Whole:
        """Return the predicted class of each row."""
        if self.attribute is None:
            return np.full(len(rows), self.label)
        predicted = np.empty(len(rows), dtype=np.int64)
        for value, child in enumerate(self.children):
            here = rows[:, self.attribute] == value
            predicted[here] = child.predict(rows[here])
        return predicted


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A decision tree: its root and the ledger."""

    root: Node
    ledger: tuple[Spending, ...]

    def accuracy(self, rows: Whole, classes: Whole) -> Fraction:
        """Return the share of rows whose class is predicted correctly; computed from the data, so not private."""
        return Fraction(int((self.root.predict(rows) == classes).sum()), len(rows))


def conditional_entropy(table: Whole | Floats) -> float:
    """Return the entropy of the class given the attribute, in bits; rows are the attribute's values, negative counts are 0."""
    counts = np.maximum(np.asarray(table, dtype=float), 0)
    sizes = counts.sum(axis=1, keepdims=True)
    shares = counts / np.maximum(sizes, 1e-300)
    bits = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1)
    return float((sizes[:, 0] * bits).sum() / max(float(counts.sum()), 1e-300))


def grow_tree(
    rows: Whole, sizes: tuple[int, ...], classes: Whole, number: int, depth: int, epsilon: Fraction | None, seed: int
) -> DecisionTree:
    """Grow a tree of a fixed depth.

    Parameters
    ----------
    rows : ndarray of int
        (m, a): each row's value 0, ..., sizes[j] - 1 of attribute j.
    sizes : tuple of int
    classes : ndarray of int
        (m,): 0, ..., number - 1.
    number, depth : int
        `depth` is at most the number of attributes.
    epsilon : Fraction or None
        In total; every table and the counts of the leaves get the same share. None: no noise.
    seed : int
    """
    queries = sum(len(sizes) - level for level in range(depth)) + 1
    share = (epsilon or Fraction(1)) / queries
    access = NoisySums(epsilon, seed)
    for level in range(depth):
        for k in range(len(sizes) - level):
            access.spend(level + 1, f"table {k + 1}", share)
    access.spend(depth + 1, "leaves", share)
    ones = np.ones(len(rows), dtype=np.int64)

    def table(here: Whole, attribute: int) -> Whole:
        cells = rows[here, attribute] * number + classes[here]
        return access.sums(cells, sizes[attribute] * number, ones[here], 1, share).reshape(sizes[attribute], number)

    def grown(here: Whole, remaining: tuple[int, ...], level: int) -> Node:
        if level == depth:
            return Node(None, (), tuple(int(x) for x in access.sums(classes[here], number, ones[here], 1, share)))
        entropies = [conditional_entropy(table(here, attribute)) for attribute in remaining]
        chosen = remaining[int(np.argmin(entropies))]
        others = tuple(attribute for attribute in remaining if attribute != chosen)
        parts = (here[rows[here, chosen] == value] for value in range(sizes[chosen]))
        return Node(chosen, tuple(grown(part, others, level + 1) for part in parts))

    root = grown(np.arange(len(rows)), tuple(range(len(sizes))), 0)
    return DecisionTree(root, tuple(access.ledger))


_TURN = 0.6180339887498949  # from the golden ratio: places the first centres without looking at the rows


@dataclass(frozen=True, eq=False)
class Clustering:
    """Centres after each step, (steps + 1, k, d), the first ones chosen without the data, and the ledger."""

    centres: Floats
    ledger: tuple[Spending, ...]


@dataclass(frozen=True)
class Box:
    """The public range of each coordinate, whole numbers."""

    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def middle(self) -> Whole:
        """The middle of the box, rounded to whole numbers."""
        return np.asarray((np.array(self.low) + np.array(self.high)) // 2)

    @property
    def bounds(self) -> list[int]:
        """The largest distance from the middle in each coordinate."""
        return [int(max(h - m, m - low)) for low, h, m in zip(self.low, self.high, self.middle, strict=True)]

    def scaled(self, points: Floats | Whole) -> Floats:
        """Return points with the box as the unit cube."""
        low = np.array(self.low, dtype=float)
        return np.asarray((np.asarray(points, dtype=float) - low) / (np.array(self.high) - low))


def first_centres(k: int, box: Box) -> Floats:
    """Return k centres that do not depend on the data."""
    low, high = np.array(box.low, dtype=float), np.array(box.high, dtype=float)
    places = np.array([[(j + 0.5) / k, *((0.5 + j * _TURN * (i + 1)) % 1 for i in range(len(low) - 1))] for j in range(k)])
    return np.asarray(low + places * (high - low))


def nearest(rows: Floats | Whole, centres: Floats, box: Box) -> Whole:
    """Return the cluster of each row, by distances in the scaled box."""
    apart = box.scaled(rows)[:, None, :] - box.scaled(centres)[None, :, :]
    return np.asarray((apart**2).sum(axis=2).argmin(axis=1))


def mean_square(rows: Floats | Whole, centres: Floats, box: Box) -> float:
    """Return the mean squared distance of rows from their nearest centre, in the scaled box."""
    apart = box.scaled(rows)[:, None, :] - box.scaled(centres)[None, :, :]
    return float((apart**2).sum(axis=2).min(axis=1).mean())


def k_means(
    rows: Whole, box: Box, k: int, steps: int, epsilon: Fraction | None, seed: int, progress: Progress = silent
) -> Clustering:
    """Cluster rows.

    Parameters
    ----------
    rows : ndarray of int
        (m, d); values outside the box are moved to its edge.
    box : Box
        Public.
    k, steps : int
    epsilon : Fraction or None
        In total; each of the d + 1 queries of a step gets the same share. None: no noise.
    seed : int
    progress : Progress
        Told after each step.
    """
    rows = np.clip(rows, box.low, box.high)
    dimensions = rows.shape[1]
    share = (epsilon or Fraction(1)) / (steps * (dimensions + 1))
    access = NoisySums(epsilon, seed)
    centres = [first_centres(k, box)]
    for step in range(1, steps + 1):
        groups = nearest(rows, centres[-1], box)
        access.spend(step, "rows", share)
        many = access.sums(groups, k, np.ones(len(rows), dtype=np.int64), 1, share)
        moved = centres[-1].copy()
        for i, (middle, bound) in enumerate(zip(box.middle, box.bounds, strict=True)):
            access.spend(step, f"coordinate {i + 1}", share)
            total = access.sums(groups, k, rows[:, i] - middle, bound, share)
            moved[:, i] = np.where(many > 0, middle + total / np.maximum(many, 1), moved[:, i])
        centres.append(np.clip(moved, box.low, box.high))
        progress(step / steps)
    return Clustering(np.array(centres), tuple(access.ledger))
