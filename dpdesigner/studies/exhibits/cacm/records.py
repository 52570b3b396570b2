"""The real records that the algorithms of [CACM] are tried on: answers of a survey, and applications to a university.

They ship with the program and have been published, so that results without noise can be shown beside the private ones.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpdesigner import resources
from dpdesigner.messages import message


@dataclass(frozen=True, eq=False)
class Records:
    """Records of categories: names of the attributes, of their values and of the classes; (m, a) values and (m,) classes."""

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
    """Return names of the bands that begin at these numbers."""
    inner = (f"{low}–{high - 1}" for low, high in pairwise(ends))
    return (f"< {ends[0]}", *inner, f"≥ {ends[-1]}")


def _read(name: str) -> list[dict[str, str]]:
    with resources.path("data", name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
