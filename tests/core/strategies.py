"""Random users for hypothesis: priors with zeros and extreme weights, covered and uncovered losses, levels of every size."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

COVERED = [
    "absolute",
    "squared",
    "zero-one",
    "power:3",
    "threshold:1",
    "threshold:2.5",
    "pinball:1/5",
    "pinball:0.9",
    "relative",
    "distance:0,0.1,0.3,0.3,7",
    "expression:abs(i-r)*(1+i)",
    "expression:where(r>i,3,1)*abs(i-r)-10",
]
UNCOVERED = ["expression:(i+r)%2", "expression:(i-r)%3!=0", "expression:-abs(i-r)", "expression:(i+2*r)%5-2"]

#: Levels strictly between 0 and 1, from almost no privacy to almost no information.
ALPHAS = st.one_of(
    st.sampled_from(["1/2", "1/3", "9/10", "99/100", "1/1000", 1e-300, 1e-200, 1e-12, 1 - 1e-3, 1 - 1e-6, 1 - 1e-12]),
    st.floats(0.001, 0.999),
    st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50),
)
WEIGHTS = st.one_of(
    st.integers(0, 5), st.floats(0, 10), st.sampled_from([0, 0.0, -0.0, 5e-324, 1e-300, 1e-9, 1e300, "1/3", "20%"])
)


def priors(n: int) -> st.SearchStrategy[Any]:
    """The n + 1 weights of a prior, not all 0 and not all so small beside the largest that they vanish."""
    return st.lists(WEIGHTS, min_size=n + 1, max_size=n + 1).filter(
        lambda weights: any(weight not in (0, 0.0) for weight in weights)
    )


@st.composite
def matrices(draw: st.DrawFn, n: int) -> list[list[float | str]]:
    """A loss without any order."""
    cells = st.one_of(st.integers(-5, 5), st.floats(-10, 10, allow_subnormal=False), st.sampled_from(["1/3", 1e9, -1e9, 1e-9]))
    return draw(st.lists(st.lists(cells, min_size=n + 1, max_size=n + 1), min_size=n + 1, max_size=n + 1))


@st.composite
def unimodal(draw: st.DrawFn, n: int) -> list[list[Fraction]]:
    """A loss of Theorem A: each row falls to a least value at m(i) and rises after it, m nondecreasing; any sign, many ties."""
    steps = st.sampled_from([Fraction(0), Fraction(0), Fraction(1), Fraction(2), Fraction(1, 3), Fraction(10)])
    peaks = sorted(draw(st.lists(st.integers(0, n), min_size=n + 1, max_size=n + 1)))
    rows = []
    for peak in peaks:
        row = [Fraction(draw(st.integers(-3, 3)))]
        for _ in range(peak):
            row.insert(0, row[0] + draw(steps))
        for _ in range(n - peak):
            row.append(row[-1] + draw(steps))
        rows.append(row)
    return rows


@st.composite
def users(draw: st.DrawFn, largest: int = 5, losses: st.SearchStrategy[Any] | None = None) -> dict[str, Any]:
    """The arguments of a `CountDesign`, rational throughout."""
    n = draw(st.integers(0, largest))
    loss = st.one_of(st.sampled_from(COVERED + UNCOVERED), matrices(n), unimodal(n)) if losses is None else losses
    return {"n": n, "alpha": draw(ALPHAS), "prior": draw(priors(n)), "loss": draw(loss)}
