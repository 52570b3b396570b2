"""An ID3 decision tree by noisy sums: at each node, noisy tables of every remaining attribute against the class.

The rows of the nodes of one level are disjoint, so that a table asked at each of them is one query. A node is split by the
attribute with the least conditional entropy of the class in the noisy table, as in ID3; a leaf predicts the class with the
largest noisy count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.learning.noisy_sums import NoisySums, Spending, Whole


@dataclass(frozen=True)
class Node:
    """A node: the attribute that it splits by and its children in the order of the values, or a leaf with noisy class counts."""

    attribute: int | None
    children: tuple[Node, ...] = ()
    counts: tuple[int, ...] = ()

    @property
    def label(self) -> int:
        """The class that a leaf predicts."""
        return int(np.argmax(self.counts))

    def leaves(self) -> Iterator[Node]:
        """Yield the leaves from left to right."""
        if self.attribute is None:
            yield self
        for child in self.children:
            yield from child.leaves()

    def predict(self, rows: Whole) -> Whole:
        """Return the class for each row."""
        if self.attribute is None:
            return np.full(len(rows), self.label)
        predicted = np.empty(len(rows), dtype=np.int64)
        for value, child in enumerate(self.children):
            here = rows[:, self.attribute] == value
            predicted[here] = child.predict(rows[here])
        return predicted


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """The root, and the ledger."""

    root: Node
    ledger: tuple[Spending, ...]

    def accuracy(self, rows: Whole, classes: Whole) -> Fraction:
        """Return the share of rows whose class is predicted; computed from the data, so not private."""
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
