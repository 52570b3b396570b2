"""A count design with a delta: findings by number, files that keep their promise on their text, and bad input."""

from __future__ import annotations

import json
import random
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import run

import dpdesigner as dp
from dpdesigner.cli import main
from dpdesigner.core.basics.accountant import Spent, total
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.count.delta_cells import Cells
from dpdesigner.core.count.delta_reading import uncovered
from dpdesigner.data.mechanism_tables import parse_table
from dpdesigner.errors import InputError
from dpdesigner.files.count_export import UNPROTECTED, CountExport
from dpdesigner.files.report import chapter, html, report
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.panels import near
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.plain_language import several

FLU = [1, 3, 6, 11, 16, 18, 16, 12, 8, 5, 3, 1] + [0] * 9


def flu(delta: object = "0.01", **more: Any) -> CountDesign:
    given = more or {"epsilon": "ln 2"}
    return CountDesign(20, prior=FLU, delta=delta, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("delta", "value"),
    [("1e-6", 1.07265420), ("1e-3", 1.06737547), ("0.01", 1.02373125), ("0.05", 0.88020833), ("0.1", 0.748)],
)
def test_the_drawn_prior_by_number(delta: str, value: float) -> None:
    assert abs(float(solve(flu(delta)).value) - value) < 5e-9


def test_findings_by_number() -> None:
    found = {key: finding.value for key, finding in dp.solve(flu(aim=("found_out", "3/100", "1/100"))).findings.items()}
    assert abs(found["without_delta"] - 1.07265951) < 5e-9 and abs(found["saved"] - 0.0456139669) < 1e-9
    assert abs(found["truncated_laplace"] - 1.06492591) < 5e-9 and abs(found["gaussian"] - 1.31963814) < 5e-9
    assert abs(found["gaussian_sigma"] - 2.47053262) < 5e-9
    exactly = {"delta": F(1, 100), "cut": F(191, 34), "cells": 61, "found_out": F(3, 100), "bet": F(67, 100)}
    assert {key: found[key] for key in exactly} == exactly
    assert found["advantage"] == F(17, 50) and found["exp_epsilon"] == 2
    exact = solve(flu(), exact=True)
    assert exact.value == F(163797, 160000) and exact.gap == 0 and exact.badge[0] == "✓ proved optimal"


@pytest.mark.parametrize(
    ("n", "delta", "percent"), [(1, "0.01", "1%"), (1, "0.3", "30%"), (1, "0.196", "19.6%"), (20, "0.1", "37.6%")]
)
@pytest.mark.parametrize("exact", [False, True])
def test_a_saving_is_rounded_once_and_down(n: int, delta: str, percent: str, exact: bool) -> None:
    solved = solve(CountDesign(n, alpha="1/2", delta=delta), exact=exact)
    assert f"δ = {delta} saves {percent}" in solved.sentences[0]
    assert float(format_finding(solved.findings["saved"])) == float(F(percent[:-1]) / 100)


def test_a_prior_from_a_column_warns_wherever_it_is_written(tmp_path: Path) -> None:
    design = CountDesign(2, alpha="1/2", prior=Prior.of_counts([0, 1, 1, 3], 2, "ages, a.csv"))
    made = CountExport.of(design)
    assert UNPROTECTED in made.sentence and made.details()["warning"] == UNPROTECTED
    statements = {file.name: file.statement for file in made.files("count", ["csv", "json"])}
    assert UNPROTECTED.removesuffix(".") in statements["count.json"] and "prior" not in statements["count.csv"]
    assert design.to_json()["prior_source"] == "ages, a.csv; 1 of 4 counts above 2 taken as 2"
    page = html(report("Ages", [chapter(made)]))
    assert UNPROTECTED in page and "1 of 4 counts above 2 taken as 2" in page
    drawn = CountExport.of(CountDesign(2, alpha="1/2", prior=(1, 2, 1)))
    assert UNPROTECTED not in drawn.sentence and "warning" not in drawn.details()


def test_a_report_states_the_risk_that_the_page_shows() -> None:
    *_, (title, text) = CountExport.of(CountDesign(20, epsilon="ln 2")).stated()
    assert title == "Disclosure risk" and text == (
        "ε protects each person who has one row. "
        "If rows are independent, an attacker wins at most 67 of 100 bets at 50 : 50 on one row. "
        "With 1 false alarm in 100, at most 2 of 100 people are found out. Each further row or release adds ε."
    )
    with_delta = CountExport.of(CountDesign(20, epsilon="ln 2", delta="0.1"))
    (_, (_, text)) = with_delta.stated()
    assert "at most 70 of 100 bets" in text and "at most 12 of 100 people" in text
    assert text.endswith("With k releases: k × ε, k × δ. With 2 rows: 2 × ε, 3 × δ.")
    assert text in html(report("Flu", [chapter(with_delta)]))


def test_several_rows_and_releases_with_delta() -> None:
    """The sum is enough for k rows, counted in the table; less is not."""
    level, delta = PrivacyLevel.from_epsilon("ln 2"), F(1, 100)
    rows = list(Cells.of(20, F(1, 2), delta, exact=True).rows())
    for k in (1, 2, 3):
        assert 0.9 * delta * (2**k - 1) < uncovered(rows[::k], F(2**k)).delta <= delta * (2**k - 1)
        spent = total([Spent(level, delta)] * k)
        assert spent.delta == k * delta and spent.epsilon <= k * level.epsilon_above * (1 + 1e-12)
    assert several(level, delta).endswith("2 × ε, 3 × δ.") and several(level, F(0)).endswith("adds ε.")
    assert several(PrivacyLevel.from_epsilon(1), delta).endswith("3.72 × δ.")  # 1 + e = 3.7183, rounded up


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one"])
def test_with_two_counts_an_error_is_one_and_said_so(loss: str) -> None:
    assert (
        solve(CountDesign(1, alpha="1/2", loss=loss)).sentence
        == "The release is wrong about <b>33 times in 100</b> if your belief is right."
    )


def test_what_is_near_leaves_out_all() -> None:
    assert near(np.array([2 / 3, 1 / 3]), 0) == "No error: 2 in 3; average error 0.33"
    assert near(np.array([0.25, 0.5, 0.25]), 1) == "No error: 1 in 2; average error 0.5"
    assert near(np.array([0.25, 0.5, 0.25]), 0) == "Releases within ±1: 3 in 4; average error 1"


def test_without_delta_all_is_as_before() -> None:
    plain, zero = flu(None), flu("0")
    assert "delta" not in plain.to_json() and zero.to_json()["delta"] == "0"
    assert type(solve(plain)) is type(solve(zero)) and solve(plain).value == solve(zero).value
    assert plain.line == zero.line and solve(plain).findings.keys() == solve(zero).findings.keys()


def test_a_design_comes_back_from_its_file(tmp_path: Path) -> None:
    dp.save([flu("1/100"), flu("1e-6", aim=("bet", "2/3"))], tmp_path / "a.dpd")
    first, second = dp.read(tmp_path / "a.dpd")
    assert first == flu("1/100") and first != flu(None)
    lead = F(1, 3)
    assert second.delta == "1e-6" and second.privacy.exact_alpha == (1 - lead) / (1 + lead - 2 * F("1e-6"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"epsilon": 1, "delta": "1"}, "It must be at least 0 and below 1, got 1"),
        ({"epsilon": 1, "delta": -0.1}, "It must be at least 0 and below 1"),
        ({"epsilon": 1, "delta": float("nan")}, "delta must be a finite number"),
        ({"epsilon": 1, "delta": "much"}, "delta must be a number"),
        ({"delta": "0.1"}, "a count design must have epsilon or alpha"),
        ({"epsilon": 1, "aim": ("bet", "2/3")}, "not both"),
        ({"aim": "bet"}, "an aim must be a risk"),
        ({"aim": ("bet", "2/3", "1/100", "1")}, "an aim must be a risk"),
        ({"aim": 5}, "an aim must be a risk"),
        ({"epsilon": 1, "further": 5}, "further levels must be pairs of epsilon and delta"),
        ({"epsilon": 1, "further": [[1]]}, "further levels must be pairs of epsilon and delta"),
        ({"privacy": [[1]]}, "privacy must be a level, pairs of epsilon and delta"),
    ],
)
def test_bad_input_gets_a_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        CountDesign(3, **given)
    with pytest.raises(InputError, match=words):
        CountDesign.from_json({"n": 3, **given})
    with pytest.raises(InputError, match="too long to compute for n above 1000; n = 1001 needs δ = 0"):
        CountDesign(1001, epsilon=1, delta="0.1")


def test_exported_text_is_private_for_random_levels(tmp_path: Path) -> None:
    dice = random.Random(31)
    for k in range(12):
        n, epsilon = dice.randrange(1, 25), repr(round(dice.uniform(0.02, 4), 3))
        delta = f"{dice.choice([1, 3, 7])}e-{dice.randrange(1, 10)}"
        study = {"kind": "count", "name": f"t{k}", "n": n, "prior": "uniform", "loss": "absolute"}
        study |= {"epsilon": epsilon, "delta": delta}
        path = tmp_path / f"t{k}.dpd"
        path.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
        run("export", path, "--to", tmp_path, "--formats", "csv,tex")
        rows = parse_table((tmp_path / f"t{k}.csv").read_text("utf-8"))
        ratio = 1 / PrivacyLevel.from_epsilon(epsilon).alpha_above
        assert all(sum(map(F, row)) == 1 for row in rows) and uncovered(rows, ratio).delta <= F(delta)
        table = dp.inspect(str(tmp_path / f"t{k}.csv"), epsilon=epsilon)
        assert float(table.findings["delta"].value) <= float(F(delta))


def test_the_command_line_verifies_epsilon_and_delta_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dp.save([flu()], tmp_path / "flu.dpd")
    run("export", tmp_path / "flu.dpd", "--to", tmp_path, "--formats", "csv", "--fractions")
    verify = ["verify", str(tmp_path / "flu.csv"), "--epsilon", "ln 2", "--delta"]
    assert main([*verify, "0.01"]) == 0 and "1/100" in capsys.readouterr().out
    assert main([*verify, "0.00999"]) == 1
    side = json.loads((tmp_path / "flu.json").read_text("utf-8"))
    assert side["details"]["proof"]["delta_asked"] == "1/100"
    assert len(side["details"]["certificate"]["rising"]) == 20 and "at most delta" in side["details"]["proof"]["statement"]


def test_inspect_says_what_the_page_says() -> None:
    outcome = dp.solve(flu())
    table = dp.inspect(outcome, false_alarms="1/100")
    for key in ("found_out", "advantage"):
        assert table.findings[key].value == outcome.findings[key].value
    assert table.findings["delta"].value == F(1, 100)


def test_draws_programs_and_aims() -> None:
    outcome = dp.solve(flu())
    assert 0 <= outcome.compact_mechanism.draw(6) <= 11 and 0 <= dp.release(flu(), 20) <= 11
    epsilon = dp.epsilon_for(flu(), loss=0.5)
    assert float(solve(flu(epsilon=epsilon)).value) <= 0.5 < float(solve(flu(epsilon=epsilon * 0.999)).value)
    assert dp.epsilon_for(flu(None), risk=("bet", "2/3")) <= np.log(2) < dp.epsilon_for(flu(None), risk=("bet", "2/3")) + 1e-15
    with pytest.raises(InputError, match="no ε gives an error of 100"):
        dp.epsilon_for(flu(), loss=100)


def test_losses_outside_the_theorem_are_solved_by_a_program() -> None:
    parity = [[(i + r) % 2 for r in range(4)] for i in range(4)]
    outcome = solve(CountDesign(3, alpha="1/2", delta="1/100", loss=parity))
    assert abs(float(outcome.value) - 0.33) < 1e-9 and "linear program" in outcome.method
    assert uncovered(list(outcome.compact_mechanism.exact_rows(F(1, 2))), F(2)).delta <= F(1, 100)
    with pytest.raises(InputError, match="exact arithmetic with delta"):
        solve(CountDesign(3, alpha="1/2", delta="1/100", loss=parity), exact=True)


@pytest.mark.parametrize(("epsilon", "n"), [("inf", 3), (0, 3), (1, 0), (50, 4)])
def test_extreme_designs_are_solved(epsilon: Any, n: int) -> None:
    outcome = solve(CountDesign(n, epsilon=epsilon, delta="0.1"))
    assert np.allclose(outcome.mechanism.sum(axis=1).astype(float), 1) and float(outcome.gap) < 1e-9


SEVERAL = [("ln 2", "1/10"), ("ln 5", "1/100")]


@pytest.mark.parametrize("privacy", [SEVERAL, "gaussian:1"])
def test_several_levels_and_gaussian_privacy_go_everywhere(tmp_path: Path, privacy: Any) -> None:
    design = CountDesign(4, privacy=privacy, name="several")
    dp.save([design], tmp_path / "a.dpd")
    assert dp.read(tmp_path / "a.dpd") == [design]
    outcome = dp.solve(design)
    found = {key: finding.value for key, finding in outcome.findings.items()}
    run("export", tmp_path / "a.dpd", "--to", tmp_path, "--formats", "csv,tex,py,json")
    run("report", tmp_path / "a.dpd", "--to", tmp_path / "a.html")
    rows = parse_table((tmp_path / "a.csv").read_text("utf-8"))
    for level in design.levels:
        assert uncovered(rows, 1 / level.alpha).delta <= level.delta
    if privacy == "gaussian:1":
        assert abs(found["value"] - 0.571058752128) < 1e-11 and abs(found["bet"] - 0.691462461274) < 1e-11
        assert design.replace(epsilon=2).delta == "0.0209237" and "Gaussian, μ = 1" in design.line
    else:
        assert found["bet"] == F(7, 10) and found["found_out"] == F(3, 50) and found["advantage"] == F(2, 5)
    assert design.replace(delta=None).further == () and 0 <= dp.release(design, 2) <= 4


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"privacy": "gauss:1"}, "must be gaussian:MU"),
        ({"privacy": "gaussian:0"}, "mu must be between"),
        ({"privacy": []}, "pairs of epsilon and delta"),
        ({"privacy": [(1,)]}, "pairs of epsilon and delta"),
        ({"privacy": SEVERAL, "epsilon": 1}, "no separate epsilon"),
        ({"privacy": SEVERAL, "delta": "0.1"}, "no separate delta"),
        ({"privacy": [(1, 0.1), (2, 1.5)]}, "above 0 and below 1"),
        ({"privacy": [(1, 0.1)] * 7}, "at most 6 levels"),
        ({"privacy": "gaussian:1", "loss": [[0, 1, 0, 1]] * 4}, "Theorem A covers"),
    ],
)
def test_several_levels_that_cannot_be_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        CountDesign(3, **given)
    with pytest.raises(InputError, match="n must be at most 60"):
        CountDesign(61, privacy=SEVERAL)
