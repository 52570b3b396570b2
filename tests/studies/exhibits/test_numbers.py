"""The numbers of the exhibits, each with where it is from, to the digits given there."""

from __future__ import annotations

import math
from fractions import Fraction as F
from typing import Any

import pytest

import dpdesigner as dp


def found(name: str, key: str = "value", /, **inputs: Any) -> Any:
    return dp.solve(dp.exhibit(name, **inputs)).findings[key].value


def near(value: float, digits: str) -> bool:
    """Whether a number is the one given, to the digits given."""
    decimals = len(digits.partition("e")[0].partition(".")[2])
    scale = 10.0 ** int(digits.partition("e")[2] or 0)
    return abs(value - float(digits)) <= 0.51 * 10.0**-decimals * scale


# [GRS] Example 2.2; the even n are not in the paper, and were found by linear programs over all mechanisms.
@pytest.mark.parametrize(
    ("n", "alpha", "value"),
    [
        (1, "1/2", F(1, 3)),
        (2, "1/2", F(1, 4)),
        (3, "1/2", F(1, 6)),
        (5, "1/2", F(1, 12)),
        (7, "1/2", F(1, 24)),
        (10, "1/2", F(1, 64)),
        (5, "1/3", F(1, 36)),
        (7, "1/3", F(1, 108)),
    ],
)
def test_example_2_2(n: int, alpha: str, value: F) -> None:
    assert found("grs/example-2.2", n=n, alpha=alpha) == value == found("grs/example-2.2", "closed-form", n=n, alpha=alpha)
    a = F(alpha)
    assert found("grs/example-2.2", "stands", n=n, alpha=alpha) == 2 * a / (1 + a)
    assert found("grs/example-2.2", "clamped", n=n, alpha=alpha) == a / (1 + a)


def test_laplace_distribution_function() -> None:
    assert near(found("notes/laplace-cdf"), "0.70") and near(found("notes/laplace-cdf", "value-printed"), "1.30")
    assert math.isclose(found("notes/laplace-cdf", x="-2", b="2"), math.exp(-1) / 2)


# [GRS] Example 5.2: exactly 1/3 + 17 sqrt 2/48 + 9 sqrt 3/64 + 5 sqrt 5/96, r(j), 36 fractions, Figure 3.
def test_figures_2_and_3() -> None:
    value = 1 / 3 + 17 * math.sqrt(2) / 48 + 9 * math.sqrt(3) / 64 + 5 * math.sqrt(5) / 96
    assert math.isclose(found("grs/figures-2-3"), value, rel_tol=1e-14) and near(value, "1.19423215531629")
    assert found("grs/figures-2-3", "remap") == "0, 2, 2, 3, 4, 5"
    assert found("grs/figures-2-3", "equal") == 36 == found("grs/figures-2-3", "equal-printed")
    assert found("grs/figures-2-3", "pattern") == "dZuuuu dZSuuu dZduuu dZdduu dZdddu"
    assert found("grs/figures-2-3", "s") == found("grs/figures-2-3", "z") == 1
    assert found("grs/figures-2-3", "gap") < 1e-12
    assert "equal-printed" not in dp.solve(dp.exhibit("grs/figures-2-3", alpha="1/3")).findings


def test_the_unclamped_mechanism() -> None:
    a = F(1, 2)
    assert found("grs/unclamped") == 2 * a / (1 - a * a) == F(4, 3)
    assert found("grs/unclamped", "square") == 4 and found("grs/unclamped", "moved") == F(2, 3)
    assert found("grs/unclamped", "tail", k=3, alpha="1/3") == F(1, 27) / F(4, 3)
    assert found("grs/unclamped", "ratio") == 2
    assert found("grs/figure-1") == F(2, 3) and found("grs/figure-1", alpha="1/2") == F(1, 3)


# [GRS] footnote 4, enumerated in fractions without this program; n = 3 with three outputs is our own count.
@pytest.mark.parametrize(
    ("n", "m", "counts"), [(1, 2, (4, 4, 2, 2)), (2, 2, (8, 6, 4, 3)), (2, 3, (27, 21, 5, 4)), (3, 2, (20, 8, 10, 4))]
)
@pytest.mark.parametrize("alpha", ["1/2", "1/3"])
def test_footnote_4(n: int, m: int, counts: tuple[int, ...], alpha: str) -> None:
    findings = dp.solve(dp.exhibit("grs/footnote-4", n=n, outputs=m, alpha=alpha)).findings
    assert tuple(findings[key].value for key in ("value", "derivable", "kinds", "kinds-derivable")) == counts


def test_the_vertex_of_footnote_4() -> None:
    findings = dp.solve(dp.exhibit("grs/footnote-4")).findings
    assert findings["parity"].value == F(1, 3) and findings["parity-remap"].value == F(5, 12)


@pytest.mark.parametrize(("alpha", "ratio"), [("1/2", "1.06066017"), ("1/100", "5.05")])
def test_section_6_1(alpha: str, ratio: str) -> None:
    assert near(found("grs/section-6.1", alpha=alpha), ratio)
    a = float(F(alpha))
    assert math.isclose(found("grs/section-6.1", "laplace", alpha=alpha), math.sqrt(a) / 2, rel_tol=1e-13)
    assert found("grs/section-6.1", "geometric", alpha=alpha) == F(alpha) / (1 + F(alpha))
    assert math.isclose(found("grs/section-6.1", "staircase", alpha=alpha), (1 - a) / (1 + a), rel_tol=1e-12)
    assert math.isclose(found("grs/section-6.1", "laplace-zero", alpha=alpha), 1 - math.sqrt(a), rel_tol=1e-12)


def test_random_readings_do_not_help() -> None:
    findings = dp.solve(dp.exhibit("grs/randomised-remaps")).findings
    assert findings["best"].value == F(43, 48) == findings["stands"].value < findings["value"].value < findings["random"].value
    assert dp.solve(dp.exhibit("grs/randomised-remaps", chance=0)).findings["value"].value == F(43, 48)


def test_one_users_program() -> None:
    findings = dp.solve(dp.exhibit("grs/user-lp")).findings
    assert findings["value"].value == F(5, 9) == findings["program"].value  # 1 - (2 + 4/2) / (3/2 * 6)
    assert (findings["variables"].value, findings["inequalities"].value, findings["sums"].value) == (36, 60, 6)
    assert findings["value-printed"].value < 5 / 9 - 0.02 and findings["ratio"].value > 1e6


# [GRS] Theorem 6.3: regret at alpha = 1/2 as computed by 14 linear programs; user 1's optimum for other alpha.
@pytest.mark.parametrize(
    ("belief", "price"), [(0, F(11, 120)), ("1/40", F(13, 150)), ("1/24", F(1, 12)), ("1/10", F(1, 40)), ("1/8", 0), ("1/5", 0)]
)
def test_theorem_6_3(belief: str | int, price: F) -> None:
    findings = dp.solve(dp.exhibit("grs/theorem-6.3", belief=belief)).findings
    assert findings["value"].value == price
    assert findings["alone"].value == min(F(13, 48) + F(belief) / 2, F(1, 3)) and findings["oblivious"].value == F(1, 3)


def test_theorem_6_3_as_it_is_printed() -> None:
    answer = dp.solve(dp.exhibit("grs/theorem-6.3"))
    findings = answer.findings
    assert findings["alone"].value == F(17, 60) and findings["sharing"].value == F(49, 75) and answer.badge[1] == "proved"
    assert findings["figure-4"].value == 8 and (findings["column-1"].value, findings["column-2"].value) == (F(7, 12), F(1, 6))
    assert findings["rows"].value == "databases {1,3} and {2,3}" and findings["rows-printed"].value == "databases {3} and {4}"


@pytest.mark.parametrize(("alpha", "value"), [("1/4", F(49, 320)), ("1/2", F(13, 48)), ("3/4", F(171, 448))])
def test_theorem_6_3_alone_at_other_levels(alpha: str, value: F) -> None:
    assert found("grs/theorem-6.3", "alone", alpha=alpha, belief=0) == value


@pytest.mark.parametrize(("n", "alpha"), [(1, "1/2"), (2, "1/10"), (3, "1/2"), (4, "9/10")])
def test_theorem_6_1(n: int, alpha: str) -> None:
    a = F(alpha)
    findings = dp.solve(dp.exhibit("grs/theorem-6.1", n=n, alpha=alpha)).findings
    assert findings["value"].value <= 1e-10
    assert findings["loss"].value == 1 - (2 + (n - 1) * (1 - a)) / ((1 + a) * (n + 1))
    assert math.isclose(findings["program"].value, findings["loss"].value, rel_tol=1e-9)


def test_theorem_6_1_at_alpha_1() -> None:
    assert found("grs/theorem-6.1", alpha=1, n=2) > 0.9


@pytest.mark.parametrize(("people", "values"), [(3, 2), (4, 2), (3, 3)])
def test_proposition_6_2(people: int, values: int) -> None:
    for seed in (1, 2):
        findings = dp.solve(dp.exhibit("grs/proposition-6.2", people=people, values=values, seed=seed)).findings
        assert findings["value"].value <= 1e-14 * 10 and findings["gain"].value <= 1e-12
        assert findings["fewer"].value == (people - 1) * (values - 1) and findings["more"].value == 1


@pytest.mark.parametrize("prior", ["uniform", "binomial:1/3", [1, 9, 1, 1, 5, 1, 1, 2]])
@pytest.mark.parametrize("alpha", ["1/4", "3/4"])
def test_lemmas_5(prior: object, alpha: str) -> None:
    findings = dp.solve(dp.exhibit("grs/lemmas-5", prior=prior, alpha=alpha)).findings
    assert findings["value"].value == 5 and findings["s"].value == findings["z"].value and findings["distance"].value < 1e-8
    assert findings["remap"].value == findings["rebuilt"].value
