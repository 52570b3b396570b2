"""Sentences that a referee would strike out are nowhere, and the numbers in those that stand are computed here."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import norm

import dpdesigner
from dpdesigner import resources
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.noise.approximate import AnalyticGaussian
from dpdesigner.core.noise.best_noise import best_gamma, rival_cost
from dpdesigner.core.noise.noise_cost import NoiseQuery, noise_cost
from dpdesigner.desktop.pages.kit.summary import explained, promise
from dpdesigner.files import noise_export
from dpdesigner.files.export import export_of
from dpdesigner.studies.count.answer import CountOverview, exact_text
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign

PACKAGE = Path(dpdesigner.__file__).parent
HALF = Fraction(1, 2)

#: What says more than is true, or not what it is about, by what to say in its place.
STRUCK_OUT = {
    "say among what it is the best: “whole numbers made from the count alone”, “added noise”": (
        "however clever", "no private mechanism", "every private mechanism", "all private mechanisms", "mechanism that exists",
        "mechanism there is", "nothing better exists", "nothing can be better", "nothing can be cheaper", "best there is",
        "cheapest noise there is", "the more the staircase saves",
    ),
    "say what neighbours are (a row replaced, a person more), and whose bet moves by how much": (
        "whatever else they know", "you are in the data", "anybody’s bet about one person", "one person is",
        "one person can change", "giving any of them away", "gives it away",
    ),
    "say what a delta allows, a sum of chances: it is no chance to fail": (
        "small chance of fail", "may fail with", "fails with", "failing is allowed",
    ),
    "say what was computed, how, and that it is not proved": (
        "not claimed", "it is reported", "reported, not proved", "reported to be",
    ),
    "say which way it is rounded, and how far it can be off: by certificate.gap": (
        "losses and costs are the nearest doubles", "`value` is the nearest double",
    ),
    "say it with the numbers of the design that is meant": ("95% of the cells", "instead of once in three"),
    "name a paper or THEORY.md": ("MATH:", "MATH 2", "MATH.md"),
}  # fmt: skip
PHRASES = [(phrase, instead) for instead, phrases in STRUCK_OUT.items() for phrase in phrases]


def geometric_rows(n: int, alpha: Fraction) -> list[list[Fraction]]:
    """The range-restricted geometric mechanism, by its formula."""
    rows = [[(1 - alpha) / (1 + alpha) * alpha ** abs(i - j) for j in range(n + 1)] for i in range(n + 1)]
    for i, row in enumerate(rows):
        row[0], row[n] = alpha**i / (1 + alpha), alpha ** (n - i) / (1 + alpha)
    return rows


def prose(path: Path) -> str:
    """A file's text with the pieces of broken strings joined, and single blanks."""
    text = re.sub(r'"\s*\n\s*f?"', "", path.read_text("utf-8"))
    return re.sub(r"[\s\u00a0]+", " ", text)


@cache
def told() -> list[tuple[str, int, str]]:
    """What users may read, by file and line: whole texts, and of code its strings, but for docstrings."""
    found = [
        (path, 1, path.read_text("utf-8"))
        for kind in ("html", "dpd", "json", "md")
        for path in resources.path().rglob(f"*.{kind}")
    ]
    others = [*PACKAGE.rglob("*.md"), PACKAGE.parent / "README.md", PACKAGE.parent / "packaging/linux/dpdesigner.metainfo.xml"]
    found += [(path, 1, path.read_text("utf-8")) for path in others if path.is_file()]
    for path in PACKAGE.rglob("*.py"):
        found += [(path, line, text) for line, text in strings(path.read_text("utf-8"))]
    return [(path.relative_to(PACKAGE.parent).as_posix(), line, text) for path, line, text in found]


def strings(code: str) -> Iterator[tuple[int, str]]:
    """The strings of a piece of code and their lines; what stands alone, as a docstring does, is for readers of the code."""
    tree = ast.parse(code)
    alone = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in alone | inner:
            yield node.lineno, node.value


def places(phrase: str, among: list[tuple[str, int, str]]) -> list[str]:
    """Where a phrase is, also across the end of a line."""
    wanted = re.compile(r"[\s\u00a0]+".join(map(re.escape, phrase.split())), re.IGNORECASE)
    return [f"{path}:{line + text[: at.start()].count(chr(10))}" for path, line, text in among for at in wanted.finditer(text)]


def help_page(name: str) -> str:
    return prose(resources.path("help", f"{name}.html"))


@pytest.mark.parametrize(("phrase", "instead"), PHRASES)
def test_nothing_is_said_that_a_referee_would_strike_out(phrase: str, instead: str) -> None:
    assert len(told()) > 5000
    assert places(phrase, told()) == [], f"“{phrase}” stands there: {instead}"


def test_a_phrase_is_found_where_it_is_told() -> None:
    code = '''def f(n):
    """The best there is."""
    # the best there is
    return said("no more", g=f"the {n} best "
        "there is")'''
    assert places("best there is", [("f.py", line, text) for line, text in strings(code)]) == ["f.py:4"]
    assert places("best there is", [("a.md", 1, "It is\nthe best\n there is.")]) == ["a.md:2"]


def test_the_conditions_of_the_certificate_are_said_with_their_numbers() -> None:
    page = help_page("certificate")
    assert "whole number from 0 to <i>n</i> that is made from the count alone" in page
    whole = solve(CountDesign(5, alpha="1/2", prior="uniform", loss="squared"), exact=True)
    assert whole.value == Fraction(37, 24) and whole.certificate.gap == 0
    assert "37/24 = 1.5416…" in page and f"{float(whole.value):.6f}".startswith("1.5416")
    any_number = Fraction(0)
    for masses in zip(*geometric_rows(5, HALF), strict=True):
        mean = sum(i * mass for i, mass in enumerate(masses)) / sum(masses)
        any_number += sum(mass * (i - mean) ** 2 for i, mass in enumerate(masses)) / 6
    assert any_number == Fraction(4829, 3276) and "4829/3276 = 1.4740…" in page
    assert f"{float(any_number):.6f}".startswith("1.4740")


def test_who_sees_the_rows_may_pay_less() -> None:
    """[GRS] Theorem 6.3's first user: databases of three bits; 1/4 each on {1} and {2}, 1/2 on {2, 3}."""
    databases = list(product((0, 1), repeat=3))
    prior = {(1, 0, 0): 0.25, (0, 1, 0): 0.25, (0, 1, 1): 0.5}
    cost = np.array([[prior.get(data, 0.0) * abs(sum(data) - r) for r in range(4)] for data in databases])
    rows = []
    for k, data in enumerate(databases):
        for other, theirs in enumerate(databases):
            if sum(a != b for a, b in zip(data, theirs, strict=True)) == 1:
                for r in range(4):
                    row = np.zeros((8, 4))
                    row[k, r], row[other, r] = 0.5, -1
                    rows.append(row.ravel())
    sums = np.kron(np.eye(8), np.ones(4))
    found = linprog(cost.ravel(), A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=sums, b_eq=np.ones(8))
    assert found.fun == pytest.approx(13 / 48, abs=1e-9)
    assert solve(CountDesign(3, alpha="1/2", prior=[0, HALF, HALF, 0], loss="absolute"), exact=True).value == Fraction(1, 3)
    assert "13/48 instead of 1/3" in help_page("certificate")


def test_an_exact_cost_is_said_exactly() -> None:
    text = explained(CountOverview(solve(CountDesign(5, alpha="1/2", prior="uniform", loss="squared"), exact=True))).plain
    assert "Here the sum of the prices is 37/24 (1.5417 if rounded up), and this mechanism costs exactly that" in text
    assert "made from the count alone" in text and "whole number from 0 to 5" in text
    assert exact_text(Fraction(3, 4)) == "3/4 = 0.75" and exact_text(Fraction(-3, 4)) == "-3/4 = −0.75"
    assert exact_text(Fraction(2)) == "2" and exact_text(0.5) is None and exact_text(Fraction(1, 3**80)) is None


def test_siblings_can_be_told_apart_further_than_the_bet_says() -> None:
    rows = geometric_rows(2, HALF)  # two siblings who have the flu both or neither: the count is 0 or 2
    told = max(rows[2][r] / (rows[0][r] + rows[2][r]) for r in range(3))
    assert told == Fraction(80, 100) and "up to 80 : 20" in help_page("privacy") and "67 : 33" in help_page("privacy")
    for neighbours in ("replace", "add-remove", "change"):
        assert "If your row is independent of the others" in promise(PrivacyLevel.from_epsilon("ln 2"), neighbours)  # type: ignore[arg-type]


def test_delta_is_not_the_chance_of_a_failure() -> None:
    sigma = AnalyticGaussian(1.0, 1e-3).sigma
    mean = 1 / (2 * sigma**2)  # the logarithm of the ratio of the likelihoods is normal with this mean and twice it as variance
    chance = norm.sf((1 - mean) / math.sqrt(2 * mean))
    assert chance == pytest.approx(0.0086, abs=5e-5) and "with probability 0.0086" in help_page("noise")


def test_which_face_value_example_2_2_is_about() -> None:
    outcome = solve(CountDesign(5, alpha="1/2", prior=[HALF, 0, 0, 0, 0, HALF], loss="zero-one"), exact=True)
    alpha = HALF
    assert outcome.value == Fraction(1, 12)
    assert 1 - Fraction(outcome.geometric[0][0]) == alpha / (1 + alpha) == Fraction(1, 3)
    assert 1 - (1 - alpha) / (1 + alpha) == 2 * alpha / (1 + alpha) == Fraction(2, 3)
    said = prose(resources.path("examples", "examples.json"))
    assert "wrong with probability 1/12" in said
    assert "G is wrong with probability 1/3; on all whole numbers, as in the paper, with probability 2/3" in said
    assert "2α / (1 + α) for the mechanism on all whole numbers" in help_page("corrections")


def test_a_visit_is_protected_not_the_patient() -> None:
    assert "one visit is protected, not the patient" in prose(resources.path("examples", "examples.json"))
    assert "one visit is protected, not the patient" in help_page("privacy")


@pytest.mark.parametrize(
    ("loss", "within"),
    [
        ("relative", True),
        ("absolute", True),
        ("pinball:1/2", True),
        ("pinball:3/4", False),
        ("distance:0,1,4", True),
        ("expression:abs(i-r)**2/(i+1)", True),
        ("expression:max(i-r, 2*(r-i))", False),
        ([[0, 1, 1], [5, 0, 5], [3, 2, 0]], True),
        ([[0, 1, 1], [5, 0, 4], [3, 2, 0]], False),
    ],
)
def test_a_measure_of_its_own_for_each_count_is_within_theorem_3_1(loss: object, within: bool) -> None:
    design = CountDesign(2, alpha="1/2", loss=loss)
    assert design.covered and Loss(design.loss.specification).grows_with_distance(2) is within
    assert ("as yours does" in explained(CountOverview(solve(design))).plain) is within


def test_the_cost_of_several_answers_is_named_as_it_is() -> None:
    assert NoiseDesign(cost="squared", epsilon=1).cost_title == noise_cost("squared").title == "squared error"
    named = {cost: NoiseDesign(dimension=2, cost=cost, epsilon=1).cost_title for cost in ("absolute", "squared", "power:3")}
    assert named == {
        "absolute": "sum of absolute errors",
        "squared": "squared sum of absolute errors",
        "power:3": "(sum of absolute errors)^3",
    }
    assert "squared sum of absolute errors" in export_of(NoiseDesign(dimension=2, cost="squared", epsilon=1)).line
    assert "(∑|<i>x<sub>i</sub></i>|)<sup>2</sup>" in help_page("noise")


@pytest.mark.parametrize("cost", ["power:0.5", "absolute", "squared", "power:3"])
def test_the_staircase_saves_more_percent_the_larger_epsilon_but_not_more(cost: str) -> None:
    asked = [NoiseQuery(False, epsilon, 1.0, cost) for epsilon in np.geomspace(0.05, 30, 40).tolist()]
    both = [(rival_cost(each), best_gamma(each).cost) for each in asked]
    ratios = [laplace / staircase for laplace, staircase in both]
    saved = [laplace - staircase for laplace, staircase in both]
    assert all(a < b for a, b in pairwise(ratios))
    assert not all(a < b for a, b in pairwise(saved))


def test_no_whole_number_noise_for_all_cells_beats_geometric_noise_in_each() -> None:
    """The claim's two halves: a part of private joint noise is private noise for its cell, and so costs at least as much."""
    alpha, reach = 0.5, 60
    x, y = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1), indexing="ij")
    geometric = 2 * alpha / (1 - alpha**2)
    for exponent in (np.maximum(abs(x), abs(y)), abs(x) + abs(y), np.maximum(abs(x), abs(x + y)), abs(x) + (abs(y) + 1) // 2):
        joint = alpha**exponent
        joint /= joint.sum()
        inner = slice(20, -20)
        for axis in (0, 1):
            steps = np.diff(np.log(joint), axis=axis)
            assert np.abs(steps).max() <= -math.log(alpha) + 1e-12, "private for one row more or less in one cell"
            part = joint.sum(axis=1 - axis)[inner]
            assert np.abs(np.diff(np.log(part))).max() <= -math.log(alpha) + 1e-6
        cost = float((joint * (abs(x) + abs(y))).sum())
        assert cost >= 2 * geometric - 1e-9
    assert HistogramDesign.starting(epsilon="ln 2").run().together
    assert not HistogramDesign.starting(neighbours="replace").run().together
    assert "sum over cells" in help_page("histograms")


def test_the_value_is_as_near_as_the_readme_says() -> None:
    loss = ["absolute", "squared", "zero-one", "pinball:1/5", "relative"]
    for k, (n, alpha) in enumerate(product((5, 40, 100), ("1/100", "1/2", "99/100", "999/1000"))):
        prior = np.random.default_rng(k).integers(0, 1000, n + 1).tolist()
        design = CountDesign(n, alpha=alpha, prior=prior, loss=loss[k % 5])
        exact, found = solve(design, exact=True).value, solve(design)
        assert abs(Fraction(found.value) - exact) <= Fraction(2, 10**14) * exact
        assert Fraction(found.value) - Fraction(found.certificate.gap) <= exact


def test_where_chance_comes_from_is_said_and_so(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = export_of(NoiseDesign(epsilon=1))
    monkeypatch.setattr(noise_export.secrets, "randbits", lambda bits: 7)
    released = taken.release(3)
    assert released.values == NoiseDesign(epsilon=1).run().simulate(3, 7).tolist() and not released.exact
    assert "numpy's generator, seeded from the system's entropy" in released.warning
    assert "numpy’s generator, seeded from the system’s entropy" in help_page("noise")


def test_short_names_of_papers_are_expanded() -> None:
    theory = (PACKAGE / "core" / "THEORY.md").read_text("utf-8")
    used = set(re.findall(r"\[(GRS|CACM|Geng|Notes|BLR)\]", "".join(prose(path) for path in PACKAGE.rglob("*.py"))))
    assert used <= set(re.findall(r"^- \[(\w+)\]", theory, re.MULTILINE)) and "Lecture notes" in help_page("sources")
    sections = set(re.findall(r"^## (\d)", theory, re.MULTILINE))
    for text in (prose(path) for path in PACKAGE.rglob("*.py")):
        assert set(re.findall(r"THEORY\.md, section (\d)", text)) <= sections
    for cost in ("absolute", "drawn:0:0,1:1", "expression:exp(x**2)", "expression:x**2"):
        assert "[" not in noise_cost(cost).growth.reason, "no short name where users read"


def test_every_slip_of_the_papers_that_is_known_is_listed() -> None:
    page = help_page("corrections")
    for told in ("Theorem 3.11", "Algorithm 2", "Theorem 4.2", "Theorem 4.3", "Theorem 5.1", "Corollary 6.4",
                 "Definition 6.6", "Claim 6.7", "Theorem 6.9", "Theorem 7.3", "Theorem 7.5", "Auction", "Lemma 5.9"):  # fmt: skip
        assert told in page, told


def test_the_theory_goes_wherever_the_program_goes() -> None:
    project, bundle = ((PACKAGE.parent / name).read_text("utf-8") for name in ("pyproject.toml", "packaging/dpdesigner.spec"))
    assert 'packages = ["dpdesigner"]' in project and 'include = ["dpdesigner", ' in project and "exclude" not in project
    assert "THEORY.md" in bundle and "dpdesigner/core/THEORY.md" in help_page("loss")
