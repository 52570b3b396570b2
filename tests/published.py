"""Known answers of the papers, and of computations made without this program; every test that needs one takes it from here.

[GRS] A. Ghosh, T. Roughgarden, M. Sundararajan, "Universally Utility-Maximizing Privacy Mechanisms", 2009.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any


def fractions(text: str) -> list[list[Fraction]]:
    """A table of fractions, one row a line."""
    return [[Fraction(entry) for entry in line.split()] for line in text.strip().splitlines()]


# [GRS] Example 5.2: the user, the optimal mechanism (Figure 2) and its constraint matrix (Figure 3).
FIGURE_2_USER: dict[str, Any] = {"n": 5, "alpha": "1/2", "prior": ["1/4", 0, "1/4", 0, "1/4", "1/4"], "loss": "power:1.5"}
FIGURE_2 = fractions(
    """
    2/3  0  1/4  1/24 1/48 1/48
    1/3  0  1/2  1/12 1/24 1/24
    1/6  0  1/2  1/6  1/12 1/12
    1/12 0  1/4  1/3  1/6  1/6
    1/24 0  1/8  1/6  1/3  1/3
    1/48 0  1/16 1/12 1/6  2/3
    """
)
FIGURE_2_REMAP = [0, 2, 2, 3, 4, 5]
#: 1/3 + 17 sqrt(2) / 48 + 9 sqrt(3) / 64 + 5 sqrt(5) / 96
FIGURE_2_VALUE = "1.19423215531629191254"
FIGURE_2_DUAL = [0.170076387659374, 0.268515196763587, 0.118363204103025, 0.353454198110703, 0.068706074103137, 0.215117094576466]
FIGURE_3 = [line.split() for line in ("d Z u u u u", "d Z S u u u", "d Z d u u u", "d Z d d u u", "d Z d d d u")]

#: G for alpha = 1/2, n = 5: the first row.
GEOMETRIC_ROW = fractions("2/3 1/6 1/12 1/24 1/48 1/48")[0]

#: [GRS] Example 2.2 (binary loss, prior 1/2 on 0 and on n) and its extension to even n: (n, alpha) -> optimum.
EXAMPLE_2_2 = {
    (1, "1/2"): "1/3",
    (2, "1/2"): "1/4",
    (3, "1/2"): "1/6",
    (5, "1/2"): "1/12",
    (7, "1/2"): "1/24",
    (10, "1/2"): "1/64",
    (5, "1/3"): "1/36",
    (7, "1/3"): "1/108",
}

#: Uniform prior, |i - r|: expected loss of clamped G as it is, (n, alpha) -> value. (The last one to within 2^-100.)
FACE_VALUES = {(5, "1/2"): "43/48", (100, "1/2"): "132/101"}

#: Losses outside the theorem, uniform prior: (expression, n, alpha, best remap of G, optimum).
PARITY = "expression:(i+r)%2"
UNCOVERED = [
    (PARITY, 3, "1/4", "41/160", "1/5"),
    (PARITY, 3, "1/2", "3/8", "1/3"),
    (PARITY, 3, "3/4", "99/224", "3/7"),
    (PARITY, 9, "1/4", "96469/327680", "1/5"),
    (PARITY, 9, "1/2", "531/1280", "1/3"),
    (PARITY, 9, "3/4", "13175/28672", "3/7"),
    ("expression:(i-r)%3!=0", 5, "1/2", "1/2", "7/15"),
    ("expression:(abs(2*i-5)<=1)!=(abs(2*r-5)<=1)", 5, "1/2", "7/24", "5/18"),
]

#: [GRS] footnote 4: a vertex that no remap of G gives, optimal for the parity loss with prior (1/4, 1/2, 1/4): optimum and remap.
FOOTNOTE_4 = fractions("1/3 2/3 0\n2/3 1/3 0\n1/3 2/3 0")
FOOTNOTE_4_PRIOR = ["1/4", "1/2", "1/4"]
FOOTNOTE_4_VALUES = (Fraction(1, 3), Fraction(5, 12))

#: [GRS] Section 6.1: prior 1/2 on 0 and 1, n = 1: rounded Laplace over geometric, (1 + alpha) / (2 sqrt(alpha)).
LAPLACE_RATIOS = {"1/2": 1.0606601717798212, "1/100": 5.05}

_LOSSES = {"|i-r|": "absolute", "(i-r)^2": "squared", "i!=r": "zero-one", "pinball 3/4": "pinball:3/4"}
_PRIORS = {"uniform": "uniform", "binomial(1/2)": "binomial:1/2"}


def reference_users() -> list[dict[str, Any]]:
    """45 users with exact optimum, remap, dual and face value; `prior` and `loss` as `CountDesign` takes them."""
    path = Path(__file__).parent / "reference" / "count_users.json"
    users = json.loads(path.read_text(encoding="utf-8"))
    return [
        {**user, "prior": user["prior"] or _PRIORS[user["name"]], "loss": _LOSSES[user["loss"]], "named": _PRIORS[user["name"]]}
        for user in users
    ]


def uniform_binary(n: int, alpha: Fraction) -> Fraction:
    """[GRS] Theorem 6.1: the optimum for the uniform prior and binary loss, reached by G alone."""
    return 1 - (2 + (n - 1) * (1 - alpha)) / ((1 + alpha) * (n + 1))


#: Squared error where any real number may be answered: (n, alpha, prior) -> the expected posterior variance; the first is known,
#: the others are sums over all outputs by hand: n = 1: two outputs with posterior (1, a) / (1 + a).
REAL_ANSWERS = [
    (5, "1/2", "uniform", "4829/3276"),
    (1, "1/2", "uniform", "2/9"),
    (1, "1/3", "uniform", "3/16"),
    (1, "1", "uniform", "1/4"),
]

#: [GRS] Theorem 6.3, user 1 with e = 0: databases {0,1}^3, alpha -> what a mechanism that sees more than the count loses, where
#: none that sees the count alone loses less than alpha / (1 + alpha).
NOT_OBLIVIOUS = {"1/4": "49/320", "1/2": "13/48", "3/4": "171/448"}
