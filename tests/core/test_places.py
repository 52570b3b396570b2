"""A row, a column, an entry or a draw that there is not is refused; nothing is counted from the end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from core.refusals import refused

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.count import closed_form
from dpdesigner.core.count.closed_form import check_memory
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Mechanism, Table

HALF = PrivacyLevel.from_alpha("1/2")
MECHANISMS = [RemappedGeometric(HALF, 5, [0, 1, 2, 3, 4, 5]), Table(HALF, geometric.matrix(HALF, 5), 0)]
NONE: list[Any] = [-1, 6, 9, True, False, np.bool_(True), 2.0, 2.5, "2", None, [1], np.array([1, 2]), np.int64(-1), 10**400]
PRIOR = np.full(6, 1 / 6)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=["closed form", "table"])
@pytest.mark.parametrize("place", NONE, ids=str)
def test_there_is_no_such_place(mechanism: Mechanism, place: Any) -> None:
    row, column = "the true result", "the release"
    for field, call in (
        (row, lambda: mechanism.row(place)), (row, lambda: mechanism.draw(place)), (row, lambda: mechanism.entry(place, 0)),
        (column, lambda: mechanism.column(place)), (column, lambda: mechanism.entry(0, place)),
        (column, lambda: mechanism.posterior(PRIOR, place)), (row, lambda: mechanism.ratio(place, 0)),
        (column, lambda: mechanism.ratio(0, place)), (row, lambda: geometric.row(HALF, 5, place)),
        (column, lambda: geometric.column(HALF, 5, place)),
    ):  # fmt: skip
        with refused(field):
            call()


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=["closed form", "table"])
@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.intp])
def test_whole_numbers_of_any_kind_are_places(mechanism: Mechanism, kind: type) -> None:
    for place in (0, 5):
        assert mechanism.row(kind(place)).tolist() == mechanism.row(place).tolist()
        assert mechanism.column(kind(place)).tolist() == mechanism.column(place).tolist()
        assert mechanism.entry(kind(place), kind(2)) == mechanism.entry(place, 2)
        assert 0 <= mechanism.draw(kind(place)) <= 5
        assert mechanism.posterior(PRIOR, kind(place)) is not None
    assert mechanism.ratio(kind(4), kind(0)) == pytest.approx(0.5)


def test_there_is_no_ratio_behind_the_last_row_and_no_prior_of_another_length() -> None:
    for mechanism in MECHANISMS:
        with refused("the true result"):
            mechanism.ratio(5, 0)
        with refused("prior"):
            mechanism.posterior(PRIOR[:5], 0)


def test_what_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_form, "available_memory", lambda: 1_000_000_000)
    check_memory(1_000_000_000, 10**6)
    with refused("n", "needs about 4400 MB of memory, of which 1000 MB are free"):
        check_memory(4_400_000_000, 10**7)
    monkeypatch.setattr(closed_form, "available_memory", lambda: None)
    check_memory(10**15, 10**7)
