"""One release for many readers: the examples' numbers, separate tables, targets, levels, existing tables, and what is refused."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.rounding import loss_text
from dpdesigner.core.inspection.reader_results import kernel
from dpdesigner.core.inspection.release_value import noise
from dpdesigner.data.options import readers_in
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.files.project import example
from dpdesigner.studies.base import as_table, for_owner, tables_of
from dpdesigner.studies.findings import as_json, format_finding
from dpdesigner.studies.inspect.audience_answer import AudienceAnswer, note_words
from dpdesigner.studies.inspect.audience_design import DRAW, REACH, WARD, AudienceDesign, drawn_as, shown_chain
from dpdesigner.studies.inspect.audience_run import run
from dpdesigner.studies.plain_language import reading_words
from dpdesigner.studies.snapshot import Found, Look, Snapshot, Waiting
from dpdesigner.studies.study import silent

SEEN = {**AudienceDesign.view_defaults, "view": "note"}
UNIFORM = {"name": "U", "prior": "uniform", "loss": "absolute"}
BINOMIAL = {"name": "B", "prior": "binomial:1/2", "loss": "squared"}
ENDS = {"name": "E", "prior": [1, *[0] * 9, 1], "loss": "zero-one"}
SMALL = "0.6,0.3,0.1\n0.3,0.4,0.3\n0.1,0.3,0.6\n"  # a table of the counts 0 to 2
PARITY = {"name": "Inspector", "prior": "uniform", "loss": "expression:(i-r)%2"}
UNITS = "too low costs 3 ×", "share wrong", "mean squared error"


def solve(**given: Any) -> AudienceAnswer:
    answer: AudienceAnswer = dp.AudienceDesign(**given).run()
    return answer


def table_look(answer: AudienceAnswer) -> Look:
    return Look(Snapshot(answer.design, answer, {**SEEN, "view": "table"}))


def number(answer: AudienceAnswer, key: str) -> float:
    found = answer.findings[key].number
    assert found is not None
    return found


def test_the_flu_in_a_ward() -> None:
    answer = solve(readers=WARD, n=20, alpha="1/2")
    for name, loss, separate, excess, least in (
        ("Bed planner", 0.5171, 0.9711, 87, 0.721),
        ("Newspaper", 0.6596, 0.8463, 28, 0.834),
        ("Epidemiologist", 1.8957, 3.3436, 76, 0.656),
    ):
        assert round(number(answer, f"{name}/loss"), 4) == loss and answer.findings[f"{name}/gap"].value == 0
        assert math.floor(1e4 * number(answer, f"{name}/separate")) == round(1e4 * separate)
        assert math.floor(100 * number(answer, f"{name}/separate_excess")) == excess
        assert math.ceil(1000 * number(answer, f"{name}/least_epsilon")) == round(1000 * least)
        assert answer.findings[f"{name}/excess"].value == 0 == answer.findings[f"{name}/regret"].value
    assert answer.findings["separate_exp_epsilon"].value == 2 and answer.findings["separate_exp_epsilon_same"].value == 8
    (bars,) = (panel for panel in answer.panels_in({}) if panel.key == "separate")
    assert ([row.second for row in bars.rows[1::2]], "at ε/3" in bars.note) == (["+87.8%", "+28.3%", "+76.3%"], True)
    assert [row.short.partition(" · ")[2] for row in bars.rows[::2]] == [*UNITS], "each reader with the unit of the loss"
    assert number(answer, "least_epsilon") == number(answer, "Newspaper/least_epsilon")
    assert [answer.findings[f"{name}/remap"].value[12] for name in ("Bed planner", "Newspaper", "Epidemiologist")] == [13, 12, 8]  # type: ignore[index]
    assert answer.findings["served"].value == "3 of 3 readers"
    assert answer.sentence == (
        "<b>Publish one number: no other private count at this ε serves any of the 3 readers better.</b> "
        "Newspaper is still wrong 66 times in 100."
    )
    assert answer.badge == ("✓ proved optimal", "proved")


def test_one_release_against_shares_of_it() -> None:
    answer = solve(readers=[UNIFORM, BINOMIAL, ENDS], n=10, alpha="1/8")
    exact = {key: answer.findings[key].value for key in ("U/loss", "B/loss", "E/loss", "U/separate", "B/separate", "E/separate")}
    assert exact == {
        "U/loss": F(1512003793, 6643777536),
        "B/loss": F(21414387961, 68719476736),
        "E/loss": F(1, 65536),
        "U/separate": F(9217, 8448),
        "B/separate": F(202199, 131072),
        "E/separate": F(1, 64),
    }
    assert answer.findings["separate_exp_epsilon"].value == 8 and answer.findings["separate_exp_epsilon_same"].value == 512
    assert answer.findings["total"].value == sum(exact[f"{name}/loss"] for name in "UBE")  # type: ignore[misc]


def test_weights_count_in_the_total() -> None:
    answer = solve(readers=[UNIFORM, {**BINOMIAL, "weight": "5/2"}], n=10, alpha="1/8")
    assert answer.findings["total"].value == F(1512003793, 6643777536) + F(5, 2) * F(21414387961, 68719476736)


def test_readers_who_ignore_a_table_of_their_own_spend_nothing() -> None:
    sure = {"name": "Sure", "prior": [1, 20, 1], "loss": "zero-one"}
    answer = solve(readers=[{**UNIFORM}, sure], n=2, alpha="1/4")
    assert not answer.results[1].separate.uses_the_data  # type: ignore[union-attr]
    assert answer.findings["separate_exp_epsilon"].value == 2
    assert answer.findings["Sure/separate"].note == "ignores the data"


def test_a_loss_outside_the_theorem_is_compared_with_the_linear_program() -> None:
    answer = solve(readers=[UNIFORM, BINOMIAL, PARITY], n=3, alpha="1/2")
    assert answer.findings["Inspector/loss"].value == F(3, 8) and answer.findings["Inspector/covered"].value is False
    assert number(answer, "Inspector/optimum") == pytest.approx(1 / 3, abs=1e-9) and number(answer, "Inspector/optimum") <= 1 / 3
    assert answer.findings["served"].value == "2 of 3 readers" and answer.badge[1] == "open"
    assert answer.sentence.startswith("<b>One release is best for 2 of 3 readers.</b> For Inspector, whose loss is outside")
    assert number(answer, "Inspector/excess") >= 0.125


def test_noise_that_is_published_already() -> None:
    answer = solve(readers=WARD, table="file: example:laplace_clamped.csv")
    assert answer.findings["exp_epsilon"].value == F(16, 9) and answer.n == 20
    assert number(answer, "Epidemiologist/face") == pytest.approx(5.278, abs=1e-3)
    assert number(answer, "Epidemiologist/loss") == pytest.approx(2.3032, abs=1e-4)
    assert number(answer, "Epidemiologist/optimum") == pytest.approx(2.246, abs=1e-4)
    assert answer.sentence == (
        "<b>This table has ε = 0.5754 (strong privacy)</b> and costs readers up to 3.9% more than the best release with this ε. "
        "The best reading lowers Epidemiologist’s expected loss from about 5.3 at face value to 2.3."
    )
    for name in ("Bed planner", "Newspaper", "Epidemiologist"):
        loss, optimum = number(answer, f"{name}/loss"), number(answer, f"{name}/optimum")
        assert loss > optimum and number(answer, f"{name}/excess") >= loss / optimum - 1 - 1e-12
    assert 0 < number(answer, "deficiency") < 0.04
    assert answer.why is not None and "{" not in answer.why.plain_text and "existing table" in answer.why.plain_text


def test_an_excess_is_the_same_whole_percentage_wherever_it_is_shown() -> None:
    table = [["0.6", "0.39", "0.01"] if i % 2 else ["0.4", "0.56", "0.04"] for i in range(21)]
    answer = solve(readers=[UNIFORM, BINOMIAL], table=table)
    excess = answer.findings["worst_excess"].number
    percent = math.ceil(100 * excess)
    assert percent > 100 and f"costs readers up to {percent}% more than the best release" in answer.sentence
    assert format_finding(answer.findings["worst_excess"]) == f"{percent}%"
    seen = answer.panels["reading"](table_look(answer))
    least = loss_text(max(answer.results, key=lambda each: each.excess).best.optimum, up=False)
    assert f"+{percent}% · {least}" in [row.second for row in seen.rows] and seen.head == "excess · best at this ε"


def test_the_cost_of_a_separate_table_has_one_rounding() -> None:
    answer = solve(readers=[{**BINOMIAL, "name": f"B{place}"} for place in range(4)], n=20, epsilon="2")
    rows = answer.panels["separate"](table_look(answer)).rows
    (second,) = {row.second for row in rows if row.second.strip()}
    assert second.endswith(" ×") and f"at least {second[:-2]} times as much" in answer.sentence


def test_files_have_a_table_of_all_readers_and_the_window_a_row_each() -> None:
    answer = solve(readers=[*WARD, PARITY], n=20, alpha="1/2")
    (whole,) = (panel for panel in answer.panels_in({}) if panel.key in ("readers", "curves"))
    (seen,) = (panel for panel in answer.panels_in({"view": "readers"}) if panel.key in ("readers", "curves"))
    assert [row[4] for row in whole.rows][:3] == ["0.5170", "0.6595", "1.895"] and {"weight", "loss"} < {*whole.header}
    assert seen.table.as_rows() == whole.as_rows(), "the same is copied"
    names = ["Bed planner", "Newspaper", "Epidemiologist", "Inspector"]
    assert [plot.title for plot in seen.plots] == [f"{name}: expected loss against ε" for name in names]
    told = [figure.label for figure in seen.plots[0].figures[1:]]
    assert told == ["too low costs 3 ×", "expected loss 0.5171", "own table 1.0471", "≤ 0.5 from ε = 0.7209"]
    assert seen.plots[3].figures[3].label.startswith("least possible: "), "another release may be better"
    many = solve(readers=[{**UNIFORM, "name": str(place)} for place in range(9)], n=5, alpha="1/2")
    (seen,) = (panel for panel in many.panels_in({"view": "readers", "reader": 8}) if panel.key == "curves")
    assert len(seen.plots) == 8 and seen.selected == 7 and "readers 2 to 9 of 9" in seen.plots[0].hint
    assert len(seen.table.rows) == 9


def test_the_deficiency_of_laplace_noise_on_six_counts() -> None:
    inner = {0: F(1, 2)} | {k: F(3, 4) * F(1, 4) ** abs(k) for k in range(-5, 6) if k}
    tail = {k: F(1, 4) ** k if k else F(3, 4) for k in range(6)}
    rows = [[tail[i], *(inner[j - i] for j in range(1, 5)), tail[5 - i]] for i in range(6)]
    answer = solve(readers=[UNIFORM, {"name": "Q", "prior": "uniform", "loss": "pinball:3/4"}], table=rows)
    assert answer.findings["deficiency"].value == F(23, 240) and answer.findings["exp_epsilon"].value == 4
    assert answer.findings["U/loss"].value == F(531, 1024) and answer.findings["U/optimum"].value == F(531, 1280)
    assert answer.findings["U/excess"].value == F(1, 4) and answer.findings["Q/remap"].value == (1, 2, 3, 3, 4, 5)


def test_a_table_without_privacy_has_no_excess() -> None:
    answer = solve(readers=[UNIFORM], table=[["1", "0"], ["1/2", "1/2"]])
    assert answer.findings["exp_epsilon"].value == math.inf and answer.findings["U/excess"].value is None


def test_staff_partners_and_public() -> None:
    auditor = {"name": "Auditor", "minimax": "4..14", "loss": "absolute"}
    answer = solve(readers=[auditor, UNIFORM], n=20, alpha="1/2", levels=["ln 4", "ln 2", "ln 4/3"])
    assert answer.findings["Auditor/loss"].value == F(8404, 7327) and answer.findings["Auditor/gap"].value == 0
    assert answer.findings["levels_exp_epsilon"].value == 4 and answer.findings["levels_exp_epsilon_independent"].value == F(
        32, 3
    )
    levels: Any = answer.findings["Auditor/levels"].value
    assert len(levels) == 3 and levels[1] == F(8404, 7327) and answer.findings["Auditor/colluding"].value == levels[0]
    weights: Any = answer.findings["Auditor/least_favourable"].value
    assert sum(weights) == 1 and len(weights) == 11
    kernels: Any = answer.findings["kernels"].value
    assert len(kernels) == 2 and all(sum(row) == 1 for kernel in kernels for row in kernel)
    remap: Any = answer.findings["Auditor/remap"].value
    assert len(remap) == 21 and all(sum(row) == 1 and min(row) >= 0 for row in remap)


def test_levels_state_the_epsilon_of_all_together_wherever_the_design_states_one() -> None:
    levels = "staff: ln 4, partners: ln 2, public: ln 4/3"
    design = dp.AudienceDesign(readers=[UNIFORM, BINOMIAL], n=10, alpha="1/2", levels=levels)
    answer: Any = design.run()
    assert design.line == "2 readers · n = 10 · 3 levels · ε = 1.387 together"
    assert design.replace(epsilon="0.9").line == "2 readers · n = 10 · 3 levels and the release · ε = 1.387 together"
    assert answer.sentence == (
        "<b>Give staff, partners and public a number each: from one draw, the total ε is 1.387.</b> "
        "Drawn separately, it is 2.368."
    )
    assert answer.checks[0] == "one draw, ε = 1.387, rounded up"
    assert next(iter(answer.findings)) == "levels_epsilon" and format_finding(answer.findings["levels_epsilon"]) == "1.387"
    assert answer.badge == ("✓ optimal for 2 of 2 readers", "proved")
    outside = dp.AudienceDesign(readers=[{**UNIFORM, "loss": "expression:abs(i-r)%3"}], n=10, alpha="1/2", levels=levels).run()
    assert outside.badge == ("optimal for 0 of 1 readers", "open"), "no word of a proof that there is not"
    assert 1.39 >= design.spent.level.epsilon >= math.log(4) - 1e-12 and abs(math.log(32 / 3) - 2.37) < 0.005


@pytest.mark.parametrize(
    ("text", "got", "mended"),
    [
        ("staff ln 4, partners: ln 2", "'staff ln 4'", "staff: ln 4, partners: ln 2"),
        ("my staff=3/2; x 0.5", "'my staff=3/2'", "my staff: 3/2, x: 0.5"),
        ("a: ε 2, b ε 1", "'b ε 1'", "a: ε 2, b: ε 1"),
        ("staff: 2 partners: 1", "'staff: 2 partners: 1'", ""),
        ("staff: x", "'staff: x'", ""),
    ],
)
def test_a_typed_level_without_its_colon_says_what_is_allowed(text: str, got: str, mended: str) -> None:
    with pytest.raises(InputError, match=r"a name, a colon and ε, like “staff: ln 4, public: 0.3”; got") as caught:
        dp.AudienceDesign(readers=[UNIFORM], n=10, alpha="1/2", levels=text)
    assert str(caught.value).endswith(f"got {got}.") and (caught.value.field, caught.value.suggestion) == ("levels", mended)
    if mended:
        assert len(dp.AudienceDesign(readers=[UNIFORM], n=10, alpha="1/2", levels=mended).levels) == 2


def test_levels_are_typed_and_shown_as_epsilon_and_those_of_old_files_stay_exact() -> None:
    def of(levels: Any) -> Any:
        return dp.AudienceDesign(readers=[UNIFORM], n=10, alpha="1/2", levels=levels)

    typed = "staff: ln 4, partners: ln 2, 0.3"
    kind: Any = next(each.input for each in AudienceDesign.inputs() if each.key == "levels")
    old = of([{"name": "staff", "alpha": "1/4"}, {"name": "partners", "alpha": "1/2"}, {"epsilon": "0.3"}])
    for design in (of(typed), old, of("staff: α 1/4, partners: ε ln 2; 0.3"), of(kind.text(old.levels))):
        assert kind.text(design.levels) == typed
        assert [each.privacy.exact_alpha for each in design.levels] == [F(1, 4), F(1, 2), None]
    assert of("2, 1/2").levels[1].privacy.exact_epsilon == F(1, 2) and kind.text(of("x: inf").levels) == "x: inf"
    assert kind.text(of("0.3, partners: ln 2, staff: ln 4").levels) == "staff: ln 4, partners: ln 2, 0.3", "most precise first"
    with pytest.raises(InputError, match=r"levels with the same ε must have names, got 'ε = 1\.5' twice\."):
        of("1.5, 1.5")


def test_a_release_that_is_no_level_counts_with_the_levels() -> None:
    answer: Any = solve(readers=[UNIFORM], n=10, alpha="1/8", levels=["ln 4", "ln 2"])
    assert answer.findings["levels_exp_epsilon"].value == 8  # the release is less private than every level
    assert answer.findings["levels_exp_epsilon_independent"].value == 64
    assert "ε = 2.08 together" in answer.design.line and "ε = ln 2 and the release a number each" in answer.sentence


def test_a_rough_answer_has_the_losses_of_the_levels_where_they_are_quick() -> None:
    design = dp.AudienceDesign(readers=[UNIFORM, BINOMIAL], n=10, epsilon="0.6", levels=["ln 4", "ln 2"])
    rough, answer = (each.findings["U/levels"].value for each in (design.preview(), design.run()))
    assert [float(loss) for loss in rough] == pytest.approx([float(loss) for loss in answer])
    rough = dp.AudienceDesign(readers=[UNIFORM], n=100, epsilon="0.6", levels=["ln 4", "ln 2"]).preview()
    assert "U/loss" in rough.findings and "U/levels" not in rough.findings


def levels_panel(key: str, view: str = "levels", **inputs: Any) -> Any:
    """A panel of a design with levels, as the window shows it; with an empty view as files do."""
    answer = solve(readers=[UNIFORM, BINOMIAL], n=10, **inputs)
    return answer.panels[key](Look(Snapshot(answer.design, answer, {**AudienceDesign.view_defaults, "view": view})))


def test_a_level_is_dragged_between_its_neighbours_and_takes_the_release_with_it() -> None:
    design = {"alpha": "1/2", "levels": "staff: ln 4, partners: ln 2, public: ln 3/2"}
    plot = levels_panel("precision", **design)
    assert [text for _, text in plot.y.ticks] == ["staff", "partners", "public"] and not plot.handles
    assert levels_panel("precision", **{**design, "alpha": "0.4"}).handles[0].target == "epsilon", "a release of its own"

    def dragged(row: int, epsilon: float) -> Any:
        (drag,) = plot.lines[row].drags
        return drag.target, drag.kept(drag.moved(plot.lines[row].x, 0, epsilon), 0)

    target, kept = dragged(0, 2.0)
    assert target == "design" and kept.keys() == {"levels"} and kept["levels"][0] == {"name": "staff", "epsilon": "2.0"}
    assert dragged(1, 1.0)[1] == {"levels": [{"name": "staff", "epsilon": "ln 4"},
        {"name": "partners", "epsilon": "1.0"}, {"name": "public", "epsilon": "ln 3/2"}]}  # fmt: skip
    for where, epsilon in ((5.0, "1.386"), (0.01, "0.406")):  # not onto its neighbours
        made = dp.AudienceDesign(readers=[UNIFORM], n=10, **design).replace(**dragged(1, where)[1])
        assert str(made.privacy.number) == epsilon and len(made.drawn) == 3
    for row in range(3):
        for epsilon in (1e-4, 0.3, 1.0, 600.0):
            made = dp.AudienceDesign(readers=[UNIFORM], n=10, **design).replace(**dragged(row, epsilon)[1])
            assert len(made.drawn) == 3 and (row == 1 or made.privacy == PrivacyLevel("alpha", "1/2"))
    narrow = levels_panel("precision", alpha="1/2", levels="a: ln 3, b: ln 3, c: ln 3").lines[1].drags[0]
    assert narrow.kept(np.array([1.0]), 0) == {}


CHAIN: Any = {"alpha": "1/2", "levels": "staff: ln 4, partners: ln 2, public: ln 4/3"}


def chain(view: Any = (), **given: Any) -> Any:
    """The picture of the levels, and the design."""
    answer = solve(readers=[UNIFORM], **{**CHAIN, "n": 10, **given})
    now = Snapshot(answer.design, answer, {**AudienceDesign.view_defaults, "view": "levels", **dict(view)})
    return answer.panels["chain"](Look(now)) if answer.design.chained else None, answer.design, now


def test_before_a_draw_each_level_has_its_probabilities_at_the_true_count() -> None:
    panel, _, now = chain({"count": 4})
    assert [(row.name, row.epsilon, row.got) for row in panel.rows] == [
        ("staff", "1.387", -1), ("partners · release", "0.6932", -1), ("public", "0.2877", -1)]  # fmt: skip
    for row, alpha in zip(panel.rows, (1 / 4, 1 / 2, 3 / 4), strict=True):
        assert (
            row.given is None
            and row.chances[4] == pytest.approx((1 - alpha) / (1 + alpha))
            and row.chances.sum() == pytest.approx(1)
        )
    assert panel.title == "What each may get if the true count is 4" and "from the one above" in caption(now)
    file = levels_panel("chain", "", **CHAIN)  # in files all probabilities, at the middle count
    assert file.header == ("output", "staff", "partners", "public") and file.rows[5] == ("5", "0.6", "0.333333", "0.142857")
    own = chain(epsilon="0.9", alpha=None)[0]
    assert [row.name for row in own.rows] == ["staff", "the release", "partners", "public"]
    assert "chain" in solve(readers=[UNIFORM], **CHAIN, n=61).panels


def caption(now: Any) -> str:
    return str(now.answer.panels["caption"](Look(now)).text)


def test_a_draw_makes_one_chain_of_all_levels_and_the_release_is_one_of_them() -> None:
    drawn = set()
    for _ in range(40):
        now = chain({"count": 4})[2]
        view = DRAW.run(now)
        panel, design, now = chain({"count": 4, **view})
        numbers, fresh = shown_chain(design, now.view)
        assert fresh and not panel.old and numbers == tuple(row.got for row in panel.rows)
        assert view["released"] == numbers[1] and view["drawn"] == drawn_as(design, now.view, numbers[1])
        drawn.add(numbers)
    assert len(drawn) > 5 and "given the number above" in caption(now)
    above = (*numbers, 0)
    for place, (a, b) in enumerate(((F(1, 4), F(1, 2)), (F(1, 2), F(3, 4))), 1):
        assert panel.rows[place].given == pytest.approx([float(each) for each in kernel(a, b, 10)[above[place - 1]]])
    assert panel.rows[0].given == pytest.approx(panel.rows[0].chances), "the first is drawn from the true count"
    old = chain({"count": 5, "chain": view["chain"]})[0]
    assert old.old and old.rows[0].got == numbers[0] and old.rows[0].given is None, "at another count it is an old draw"
    other = chain({"count": 4, "chain": view["chain"]}, levels="ln 4, ln 2, ln 5/4")[0]
    assert other.rows[0].got == -1, "a draw of other levels is forgotten"
    lone = DRAW.run(chain(levels="")[2])
    assert lone["chain"] == "" and 0 <= lone["released"] <= 10


def test_without_levels_the_window_shows_those_that_can_be_tried_and_files_none() -> None:
    answer = solve(readers=[UNIFORM], n=10, alpha="1/2")
    seen = answer.panels["chain"](Look(Snapshot(answer.design, answer, {**AudienceDesign.view_defaults, "view": "levels"})))
    assert (
        [row.name for row in seen.rows] == ["staff", "partners · release", "public"]
        and for_owner(seen)
        and as_table(seen) is None
    )
    assert "chain" not in {table.key for table in tables_of(answer)} and not for_owner(chain()[0])


@pytest.mark.parametrize("text", ["", "1 2", "3 x 4", "99999 1 2", "² 1 2", "1 2 11: 4 of 10", "٣ 1 99"])
def test_a_chain_that_does_not_fit_is_none(text: str) -> None:
    assert all(row.got < 0 for row in chain({"chain": text})[0].rows)


def test_a_number_of_a_level_is_moved_and_only_to_a_possible_one() -> None:
    panel, design, _ = chain({"count": 4})
    moved = panel.move(1, 7)
    assert shown_chain(design, {"count": 4, **moved}) == ((4, 7, 7), True) and moved["released"] == 7
    again, design, _ = chain({"count": 4, **moved})
    assert shown_chain(design, {"count": 4, **again.move(0, 2)}) == ((2, 7, 7), True)
    exact, design, _ = chain({"count": 4}, levels="staff: inf, public: ln 2")
    assert shown_chain(design, {"count": 4, **exact.move(0, 9)})[0] == (4, 9), "the true count itself has no other number"
    same, design, _ = chain({"count": 4}, levels="a: ln 2, b: ln 2")
    assert shown_chain(design, {"count": 4, **same.move(0, 6)})[0] == (6, 6), "equal levels get the same number"


def test_a_release_between_the_levels_has_a_bar_of_its_own() -> None:
    def bars(**inputs: Any) -> Any:
        return levels_panel("levels", levels="staff: ln 4, public: ln 4/3", **inputs).rows

    shown = bars(alpha="0.4")
    assert [row.label for row in shown] == ["staff", "the release", "public"]
    assert 0 < shown[0].value < shown[1].value < shown[2].value < 1
    assert [row.label for row in bars(alpha="1/4")] == ["staff", "public"]
    file = levels_panel("levels", "", alpha="1/8", levels="staff: ln 4")
    assert file.header == ("expected loss", "the release", "staff", "sees all levels") and file.rows[0][1] == file.rows[0][3]
    assert file.note == "Together they reveal no more than the release alone."


def test_a_given_table_has_one_bar_for_each_reader_in_the_window_and_no_targets() -> None:
    answer = solve(readers=WARD, table="file: example:laplace_clamped.csv")
    seen, file = (
        answer.panels["reading"](Look(Snapshot(answer.design, answer, {**AudienceDesign.view_defaults, "view": view})))
        for view in ("table", "")
    )
    assert [row.label for row in seen.rows] == [f"{spec['name']} · {unit}" for spec, unit in zip(WARD, UNITS, strict=True)]
    assert len(file.rows) == 9
    assert seen.rows[0].text == "0.6117 · ○ 0.838" and seen.rows[0].ring == file.rows[1].value
    assert seen.ends == max(row.ring for row in seen.rows) > 1 and "targets" not in answer.panels
    assert answer.findings["least_epsilon"].number == pytest.approx(0.8335, abs=1e-4)


def test_before_a_table_is_given_the_window_shows_one_that_can_be_tried_and_files_none() -> None:
    answer: Any = AudienceDesign(readers=WARD, n=20, alpha="1/2").replace(n=30).run()
    (job,) = [each for each in AudienceDesign.side_jobs if each.name == "sample"]
    view = {**AudienceDesign.view_defaults, "view": "table"}
    now = Snapshot(answer.design, answer, view)
    assert job.when(now)
    with pytest.raises(Waiting):
        answer.panels["reading"](Look(now))
    tried = job.run(answer, silent)
    assert tried.n == 20 and answer.n == 30, "the readers are cut"
    later = Snapshot(answer.design, answer, view, {"sample": Found(answer, tried), "solve": answer})
    reading, table = answer.panels["reading"](Look(later)), answer.panels["table"](Look(later))
    assert reading.secret and table.secret and len(reading.rows) == 3 and table.cells.rows == 21
    given = solve(readers=WARD, table="file: example:laplace_clamped.csv")
    own = given.panels["reading"](Look(Snapshot(given.design, given, view)))
    assert (
        not own.secret and own.title == "Expected loss with the best reading · ○ at face value" and table.title == "Example table"
    )
    assert reading.title == "Example: expected loss with the best reading · ○ at face value"
    assert not {"reading", "table"} & {each.key for each in tables_of(answer)}
    fixed = {"name": "A", "prior": "uniform", "loss": [[0, 1, 2], [1, 0, 1], [2, 1, 0]]}
    assert job.run(solve(readers=[fixed], n=2, alpha="1/2"), silent) is None, "its loss has another range"


def test_the_curves_are_the_losses_as_shares_of_those_without_the_data() -> None:
    cautious = {"name": "C", "minimax": "all", "loss": "absolute"}
    certain = {"name": "S", "prior": [1, *[0] * 20], "loss": "absolute"}

    def drawn(**inputs: Any) -> tuple[Any, Any]:
        answer: Any = solve(readers=[cautious, certain, *WARD], **inputs)
        curves = answer.find_curves()
        view = {**AudienceDesign.view_defaults, "view": "readers", "reader": 3}
        return curves, answer.panels["curves"](Look(Snapshot(answer.design, answer, view, {"curves": Found(answer, curves)})))

    curves, rows = drawn(n=20, alpha="1/2")
    assert rows.selected == 3 and not any(handle.label for plot in rows.plots[1:] for handle in plot.handles)
    assert [[band.text for band in plot.bands] for plot in rows.plots[:3]] == [
        ["No curve: one linear program per ε."],
        ["This reader loses nothing without the data."],
        ["target met"],
    ]
    assert (np.diff(curves.shares) <= 1e-12).all() and curves.shares.max() <= 1 and curves.shares.min() >= 0
    answer = solve(readers=[cautious, certain, *WARD], n=20, epsilon="2")
    for result, plot in zip(answer.results[2:], rows.plots[2:], strict=True):
        (own, separate, dot), most = plot.lines, float(result.served.ignore)
        assert own.at(2.0) == pytest.approx(100 * float(result.served.loss) / most, rel=1e-9)
        assert separate.at(2.0, logarithmic=True) == pytest.approx(100 * float(result.separate.loss) / most, abs=0.2)
        assert separate.x[-1] <= plot.x.limits[1] and separate.x[0] < plot.x.limits[0], "they end with the axis"
        assert own.at(dot.x[0], logarithmic=True) == pytest.approx(100 * float(result.target) / most, abs=0.2)
        (drag,) = dot.drags
        kept = drag.kept(drag.moved(dot.x, 0, 1.0), 0)[answer.results.index(result)]
        assert 0 <= 100 * float(kept["target"]) / most - own.at(1.0) < 0.3, "rounded up"
    _, rows = drawn(table="file: example:laplace_clamped.csv")
    assert not any(plot.handles or plot.drags for plot in rows.plots) and len(rows.plots) == 5
    for plot in rows.plots[2:]:
        mark = plot.marks[0]
        assert mark.y >= plot.lines[0].at(mark.x, logarithmic=True) - 0.1, "no table is below the curve of the best release"


def test_a_cautious_reader_has_a_worst_case_and_no_average() -> None:
    readers = [{"name": key, key: "all", "loss": "zero-one"} for key in ("minimax", "minimax_regret")]
    rows = {panel.key: panel for panel in solve(readers=readers, n=5, alpha="1/2").panels_in({})}["release"].rows
    assert [row.value.rpartition(" ")[0] for row in rows] == ["worst loss", "worst regret"]
    assert all(0 < float(row.value.rpartition(" ")[2]) < 1 and row.loss == "right or wrong" for row in rows)
    assert all(row.chances is not None and row.why == "random; cells show the likeliest" for row in rows)
    answer = solve(readers=readers, n=5, alpha="1/2")
    notes = [next(each for each in answer.panels_in(view) if each.key == "note") for view in ({"view": "note"}, {})]
    assert [note.header[-1] for note in notes] == ["read as", "read as"] and all("Worst loss 0." in note.note for note in notes)
    for note, whole in zip(notes, (100, 100), strict=True):
        for *_, read in note.rows:
            shares = [F(share) for share in re.findall(r"\(([\d.]+)%?\)", read)]
            assert not shares or (len(shares) > 1 and sum(shares) == whole), read


def test_a_random_reading_is_followed_from_the_note_and_costs_no_more_than_it_says() -> None:
    answer = solve(readers=[{"name": "Auditor", "minimax": "4..14", "loss": "absolute"}], n=20, alpha="1/2")
    read = dict[int, dict[int, float]]()
    for outputs, reading in answer.note_rows(0):
        low, _, high = outputs.partition(" to ")
        parts = [part.partition(" (") for part in reading.split(" or ")]
        for output in range(int(low), int(high or low) + 1):
            read[output] = {int(number): float(share.rstrip(")") or 1) for number, _, share in parts}
    rows = noise(PrivacyLevel("alpha", "1/2"), 20)
    costs = [sum(rows[i][j] * p * abs(r - i) for j in read for r, p in read[j].items()) for i in range(4, 15)]
    assert max(
        costs
    ) <= 1.147 and "Worst loss 1.147 (mean error, in counts): among whole counts, no release with this ε" in note_words(answer, 0)
    assert "Where readings have chances, draw once with them and keep the result." in note_words(answer, 0)
    assert "chances" not in note_words(solve(readers=[UNIFORM], n=20, alpha="1/2"), 0)
    assert answer.note_rows(0, percent=True)[1] == ("4", "5 (98%) or 4 (2%)")


def test_new_levels_are_drawn_as_typed_and_two_of_a_name_are_refused() -> None:
    three = dp.AudienceDesign(readers=[UNIFORM], n=10, **CHAIN)
    assert [level.title for level in three.replace(levels="2, 1, 0.5").drawn] == ["ε = 2", "ε = 1", "ε = 0.5"]
    assert three.replace(levels="2, 1, 0.5").privacy == PrivacyLevel("epsilon", "1"), "the release was the second level"
    lone = dp.AudienceDesign(readers=[UNIFORM], n=10, epsilon="0.6")
    assert lone.replace(levels="2, 1, 0.5").privacy == PrivacyLevel("epsilon", "0.5")
    assert lone.replace(levels="2, 1", epsilon="0.6").privacy == PrivacyLevel("epsilon", "0.6")
    apart = three.replace(epsilon="0.9")
    assert apart.replace(levels="2, 1").privacy == PrivacyLevel("epsilon", "0.9"), "a row of its own stays"
    with pytest.raises(dp.InputError, match="every level must have a different name, got 'a' twice") as refused:
        three.replace(levels="a: 2, a: 1, 0.5")
    assert three.replace(levels=refused.value.suggestion).levels[1].name == "a 2"


def _written(digits: int, off: float = 0.0) -> str:
    rows = np.round(noise(PrivacyLevel("alpha", "1/2"), 20), digits)
    rows[3, 3] += off
    return "\n".join(",".join(f"{entry:.{digits}f}" for entry in row) for row in rows)


def test_a_table_of_rounded_digits_is_completed_and_another_is_mended_by_its_suggestion() -> None:
    for digits in (12, 4):
        assert solve(readers=[UNIFORM], table=_written(digits)).existing.exact
    best = solve(readers=[UNIFORM], table=_written(12))
    assert "as good as the best release" in best.sentence and best.findings["worst_excess"].value == 0
    with pytest.raises(dp.InputError, match=r"row of true count 3 sums to 1\.(1|0999)") as refused:
        solve(readers=[UNIFORM], table=_written(12, 0.1))
    assert refused.value.field == "table"
    assert "as good as" in solve(readers=[UNIFORM], table=refused.value.suggestion).sentence


def test_a_mended_file_keeps_its_name_and_says_what_was_mended(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text(_written(4, 0.05), "utf-8")
    with pytest.raises(InputError, match=r"^the row of true count 3 sums to 1\.0499, not 1, so") as refused:
        solve(readers=[UNIFORM], table=str(tmp_path / "bad.csv"))
    assert "nor do" not in str(refused.value), "rounding is no reason"
    answer = solve(readers=[UNIFORM], table=refused.value.suggestion)
    read = answer.panels["origin"](Look(Snapshot(answer.design, answer, {}))).text
    told = "Mended: row of true count 3 −0.0499, 10 more by up to 0.0001"
    assert read == f"Read as 21 × 21 numbers. {told}. Its ε before rounding is unknown." and answer.checks[0] == told
    assert export_of(answer.design).note(0).splitlines()[0].endswith(f"(as printed). {told}")
    assert next(each.summary(answer.design) for each in answer.design.inputs() if each.key == "table") == "file: bad.csv, mended"
    assert answer.sentence.startswith("<b>The mended table is not private at any ε</b>")


def test_an_excess_that_rounding_explains_says_so() -> None:
    rows = np.round(noise(PrivacyLevel("alpha", "1/2"), 8), 4)
    sentence = solve(readers=[UNIFORM], table="\n".join(",".join(f"{entry:.4f}" for entry in row) for row in rows)).sentence
    assert "more than the best release with this ε; its rounding allows ε = 0.693, too: there at most 0.1%." in sentence


@pytest.mark.parametrize("head", [("0,1,2\n", ""), ("count,a,b,c\n", "0123")])
def test_a_row_with_another_sum_is_blamed_and_not_the_header_above_it(head: tuple[str, str]) -> None:
    rows = ["0.5,0.3,0.2", "0.3,0.3,0.1", "0.2,0.3,0.5"]
    text = head[0] + "\n".join(f"{i},{row}" if head[1] else row for i, row in enumerate(rows))
    with pytest.raises(InputError, match=r"^the row of true count 1 sums to 0\.7, not 1") as refused:
        solve(readers=[UNIFORM], table=text)
    assert solve(readers=[UNIFORM], table=refused.value.suggestion).n == 2


def test_another_table_has_its_own_largest_count_and_says_so() -> None:
    design = dp.AudienceDesign(readers=[{**UNIFORM, "prior": [1] * 21}], n=20, alpha="1/2")
    answer: Any = design.replace(table=[["2/3", "1/3"], ["1/3", "2/3"]]).run()
    assert answer.n == 1 and answer.results[0].reader.prior.n == 1 and answer.design.replace(table="") == design
    view = {**AudienceDesign.view_defaults, "view": "table"}
    text = answer.panels["origin"](Look(Snapshot(answer.design, answer, view))).text
    assert text.endswith(" Beliefs are cut at its largest count, 1.")
    assert "cut" not in origin(table=[["2/3", "1/3"], ["1/3", "2/3"]]), "without n, the counts are those of the table"


def origin(**inputs: Any) -> str:
    answer = solve(readers=[UNIFORM], **inputs)
    text: str = answer.panels["origin"](Look(Snapshot(answer.design, answer, {}))).text
    return text


@pytest.mark.parametrize(
    ("digits", "told"),
    [
        (3, "Zeros are next to positive entries (22), so no ε holds. Before rounding to 3 decimals, ε was at least 0.692."),
        (6, "Before rounding to 6 decimals, ε was 0.693 to 1.95."),
        (9, ""),
    ],
)
def test_the_effect_of_rounding_on_epsilon_is_explained_and_enough_decimals_are_named(digits: int, told: str) -> None:
    assert origin(table=_written(digits)) == f"Read as 21 × 21 numbers. {told}{told and ' Print about 9 decimals.'}".strip()


@pytest.mark.parametrize(
    ("head", "first", "left"),
    [
        ("count,0,1,2", "0 1 2", "released values 0 to 2 from the header"),
        ("true\\released,0,3,6", "0 1 2", "released values 0, 3, 6 from the header"),
        ("X0,X1,X2", "r1 r2 r3", "released values X0, X1, X2 from the header"),
        ("0,1,2", "", "released values 0 to 2 from the header"),
        ("", "0 1 2", "row labels left out"),
        ("", "row0 row1 row2", "row labels left out"),
    ],
)
@pytest.mark.parametrize("comma", [False, True])
def test_a_header_and_labels_are_left_out_where_the_rest_is_a_table(head: str, first: str, left: str, comma: bool) -> None:
    rows = ["0.5,0.25,0.25", "0.25,0.5,0.25", "0.25,0.25,0.5"]
    rows = [f"{label},{row}" for label, row in zip(first.split(), rows, strict=True)] if first else rows
    text = "\n".join([head, *rows] if head else rows) + "\n"
    text = text.replace(",", ";").replace(".", ",") if comma else text
    assert origin(table=text) == f"Read as 3 × 3 numbers; {left}."


def _headed(header: str) -> str:
    """A table of nine counts and four releases with this header."""
    rows = [[2.0 ** -abs(i - place) for place in (0, 3, 6, 9)] for i in range(9)]
    return "\n".join(
        [f"true,{header}", *(f"{i},{','.join(f'{each / sum(row):.12f}' for each in row)}" for i, row in enumerate(rows))]
    )


def test_the_released_values_of_a_header_are_shown_wherever_a_release_is() -> None:
    for header, words in (("0,3,6,9", "0, 3, 6 or 9"), ("none,few,some,many", "none, few, some or many")):
        answer = solve(readers=[UNIFORM, {"name": "C", "minimax": "all"}], table=_headed(header))
        look = Look(Snapshot(answer.design, answer, {**SEEN, "view": "table"}))
        matrix, release, note, seen = (answer.panels[key](look) for key in ("table", "release", "note", "reading"))
        assert [matrix.cells.column(place) for place in range(4)] == header.split(",") == list(release.outputs)
        assert as_table(matrix).header == ("true count\\released value", *header.split(","))
        assert [label.get_text() for label in answer.plot("table").get_xticklabels()] == header.split(",")
        assert note.note.startswith(f"Look up the released number ({words}, ε ")
        assert f": one release of {words}, ε at most " in export_of(answer.design).note(0)
        faces = [answer.results[place].served.face for place in range(2)]
        if header[0] == "n":
            assert faces == [None, None] and "○" not in seen.title and not any("○" in row.text for row in seen.rows)
        else:
            assert answer.existing is not None
            errors = [sum(answer.existing.probability(i, r) * abs(i - 3 * r) for r in range(4)) for i in range(9)]
            assert faces == [sum(errors) / 9, max(errors)] and "○" in seen.title, "9 is above the largest count"


def test_no_row_of_probabilities_is_left_out_as_a_header() -> None:
    for row in ("0.5,0.5x", "5,0.5", "1/2,2/3"):
        with pytest.raises(dp.InputError):
            solve(readers=[UNIFORM], table=f"{row}\n" + "0.5,0.5\n" * 2)


def test_a_table_without_privacy_is_compared_with_no_release() -> None:
    answer = solve(readers=[UNIFORM, {**UNIFORM, "name": "V"}], table=[[1, 0], [0, 1]])
    assert format_finding(next(iter(answer.findings.values()))) == "no ε"
    reading = answer.panels["reading"](table_look(answer))
    assert not reading.head and not "".join(map(reading.excess_text, reading.rows)).strip()
    assert "worst_excess" not in answer.findings and "separate" not in {panel.key for panel in answer.panels_in({})}


def test_a_table_between_two_levels() -> None:
    kernels: Any = solve(readers=[UNIFORM], n=5, alpha="1/2", levels=["ln 4", "ln 2"]).findings["kernels"].value
    assert kernels[0][2] == (F(7, 54), F(7, 54), F(13, 27), F(7, 54), F(7, 108), F(7, 108))


@pytest.mark.parametrize(
    ("way", "loss", "value"),
    [("minimax", "absolute", F(5161, 6144)), ("minimax_regret", "absolute", F(1699, 8192))],
)
def test_candidate_priors(way: str, loss: str, value: F) -> None:
    reader = {"name": "C", way: {"priors": ["binomial:1/4", "binomial:3/4"]}, "loss": loss}
    answer = solve(readers=[reader], n=5, alpha="1/2")
    assert answer.findings["C/loss"].value == value


@pytest.mark.parametrize("way", ["minimax", "minimax_regret"])
def test_candidate_priors_are_typed_as_they_are_shown(way: str) -> None:
    typed = {"name": "C", way: "binomial:1/4 | 1 2 3 4 5 6", "loss": "absolute"}
    design = AudienceDesign(readers=[typed], n=5, alpha="1/2")
    listed = {"name": "C", way: {"priors": ["binomial:1/4", list("123456")]}, "loss": "absolute"}
    assert design == AudienceDesign(readers=[listed], n=5, alpha="1/2")
    assert design.readers[0].cases_text == typed[way] and design.readers[0].way == way


@pytest.mark.parametrize("typed", ["1..4", "1 to 4", "1-4", "1 – 4", " 1 .. 4 "])
def test_a_range_of_possible_counts_is_typed_in_any_form(typed: str) -> None:
    design = AudienceDesign(readers=[{"name": "C", "minimax": typed, "loss": "absolute"}], n=5, alpha="1/2")
    assert design.to_json()["readers"][0]["minimax"] == "1..4" and design.readers[0].cases_text == "1 to 4"


@pytest.mark.parametrize(
    ("readers", "mended"),
    [
        ([UNIFORM, UNIFORM, {**UNIFORM, "name": "U 2"}], ["U", "U 3", "U 2"]),
        ([{"name": "A", "prior": [1, 0, 3], "loss": "absolute"}], [1, 0, 3, 0, 0, 0]),
        ([{"name": "A", "minimax": "3..14", "loss": "absolute"}], "3 to 5"),
        ([{"name": "A", "minimax": [1, 9], "loss": "absolute"}], "1"),
        ([{"name": "A", "minimax": "uniform | 1 3", "loss": "absolute"}], 2),
    ],
)
def test_what_is_offered_in_place_of_wrong_readers_is_accepted(readers: list[Any], mended: Any) -> None:
    with pytest.raises(InputError) as refused:
        AudienceDesign(readers=readers, n=5, alpha="1/2")
    assert refused.value.field == "readers"
    specs = AudienceDesign(readers=refused.value.suggestion, n=5, alpha="1/2").readers
    if isinstance(mended, str):
        assert specs[0].cases_text == mended
    elif isinstance(mended, int):
        assert specs[0].cases[0] == "uniform" and len(specs[0].cases[1]) == 6
    elif isinstance(mended[0], str):
        assert [spec.name for spec in specs] == mended
    else:
        assert specs[0].prior == pytest.approx(mended)


def test_wrong_readers_that_cannot_be_mended_get_no_offer() -> None:
    short, other = {**UNIFORM, "prior": [1, 2]}, {"name": "A", "prior": "uniform", "loss": [[0, 1], [1, 0]]}
    with pytest.raises(InputError, match="the prior of U has 2 entries") as refused:
        AudienceDesign(readers=[short, other], n=5, alpha="1/2")
    assert not refused.value.suggestion


def test_targets_that_no_epsilon_reaches_are_raised_to_one_that_one_does() -> None:
    low = {"name": "P", "prior": "uniform", "loss": "expression:abs(i-r)+1/5", "target": "0.1"}
    design = AudienceDesign(readers=[low, {**UNIFORM, "target": 1}], n=20, epsilon=1)
    now = Snapshot(design, run(design), dict(AudienceDesign.view_defaults))
    assert REACH.offered(now)
    reached = REACH.run(now)
    assert float(reached.readers[0].target) == pytest.approx(0.211, abs=1e-3) and reached.readers[1].target == 1
    assert run(reached).findings["least_epsilon"].number is not None


def test_a_target_that_no_epsilon_meets() -> None:
    reader = {"name": "P", "prior": "uniform", "loss": "expression:abs(i-r)+1/5", "target": "0.1"}
    answer = solve(readers=[reader], n=20, epsilon=1)
    found = answer.findings["P/least_epsilon"]
    assert found.value is None and found.note == "The target 0.1 is below 0.2, the lowest value at any ε."
    assert answer.findings["least_epsilon"].value is None


def test_readings_that_are_no_counts() -> None:
    reader = {"name": "Manager", "prior": "uniform", "loss": [[0, 3], [1, 1], [4, 0]], "labels": ["wait", "act"]}
    answer = solve(readers=[reader], n=2, alpha="1/2")
    assert answer.findings["Manager/remap"].value == (0, 1, 1) and answer.findings["Manager/face"].value is None
    assert answer.note_rows(0) == [("0", "wait"), ("1 to 2", "act")]


def test_drags_compute_in_doubles_what_is_exact_at_their_end() -> None:
    design = AudienceDesign(readers=WARD, n=20, alpha="1/2")
    rough, exact = run(design, roughly=True), run(design)
    for key in exact.findings:
        if key.endswith(("/loss", "/separate")):
            assert number(rough, key) == pytest.approx(number(exact, key), rel=1e-10)
    assert [result.served.remap for result in rough.results] == [result.served.remap for result in exact.results]


def test_another_n_keeps_beliefs_at_their_counts_and_says_what_is_cut() -> None:
    design = AudienceDesign(readers=WARD, n=20, alpha="1/2")
    wide, cut = design.replace(n=40), design.replace(n=12)
    assert wide.n == 40 and wide.readers[0].prior == (*WARD[0]["prior"], *[0] * 20) and not wide.readers[0].source
    assert wide.readers[2].prior == cut.readers[2].prior == "binomial:1/4" and not cut.readers[2].source
    assert cut.readers[0].prior == tuple(WARD[0]["prior"][:13]) and cut.readers[0].source == "; 45% of the belief was above 12"
    assert cut.readers[0].reader(12).prior.notes == ("45% of the belief was above 12",) and not cut.readers[0].counted
    assert cut.replace(n=20).readers == design.readers and cut.replace(n=8).replace(n=20) == design
    assert type(cut).from_json(cut.to_json()) == cut


def test_a_smaller_n_cuts_the_ends_of_a_prior_also_those_of_a_table() -> None:
    cases = {"B": "spike:4 | two-peak:3,20", "C": [3, 15], "D": [15]}
    cautious = [{"name": name, "minimax": given} for name, given in cases.items()]
    readers = [{**UNIFORM, "prior": "triangular:1,6,12"}, *cautious, {**UNIFORM, "name": "E", "prior": "spike:15"}]
    design = AudienceDesign(readers=readers, n=20, alpha="1/2").replace(n=10)
    whole = dp.CountDesign(n=20, alpha="1/2", prior="triangular:1,6,12").prior
    first, *others, last = design.readers
    kept = whole.probabilities[:11]
    assert first.reader(10).prior.probabilities == pytest.approx(kept / kept.sum(), rel=1e-14)
    assert others[0].cases[0] == "spike:4" and len(others[0].cases[1]) == 11
    assert others[1].cases == (3,) and others[2].cases == "all"
    assert last.prior == "uniform" and last.reader(10).prior.notes == ("all of the belief was above 10",)
    table = [["2/3", "1/3"], ["1/3", "2/3"]]
    with pytest.raises(InputError, match="the prior must be triangular") as refused:
        dp.AudienceDesign(readers=readers, n=10, table=table).run()
    mended = dp.AudienceDesign(readers=json.loads(refused.value.suggestion), table=table)
    assert mended.readers[0].prior[0] == 0 < mended.readers[0].prior[1] and mended.run().n == 1


def test_it_is_written_and_read_alike(tmp_path: Any) -> None:
    readers = [*WARD, {"name": "A", "minimax": [0, 3, 7], "loss": "absolute", "weight": "1/2"}]
    levels = [{"name": "staff", "alpha": "1/4"}, {"epsilon": "0.1"}]
    design = dp.AudienceDesign(readers=readers, n=20, epsilon="ln 2", levels=levels, name="All")
    dp.save([design], tmp_path / "it.dpd")
    assert dp.read(tmp_path / "it.dpd") == [design]
    assert json.loads((tmp_path / "it.dpd").read_text("utf-8"))["studies"][0]["readers"][0]["target"] == "0.5"
    table = dp.AudienceDesign(readers=[UNIFORM], table=[["2/3", "1/3"], ["1/3", "2/3"]])
    assert type(table).from_json(table.to_json()) == table


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"readers": [{**UNIFORM, "prior": [1] * 31}], "n": 20}, "the prior of U has 31 entries, but n = 20 needs 21"),
        ({"readers": [UNIFORM, UNIFORM]}, "every reader must have a different name, got 'U' twice"),
        ({"readers": []}, "the readers must be a list of at least one reader"),
        ({"readers": [{"prior": "uniform"}]}, "name is missing"),
        ({"readers": [{**UNIFORM, "prior": "uniforms"}]}, "reader U: "),
        ({"readers": [{**UNIFORM, "prior": "triangular:a,2,3"}]}, "reader U: the prior must be triangular"),
        ({"readers": [{**UNIFORM, "loss": "mae"}]}, "reader U: "),
        ({"readers": [{**UNIFORM, "minimax": "all"}]}, "must have one of prior, minimax and minimax_regret"),
        ({"readers": [{"name": "A", "minimax": "15..4"}]}, "the possible counts of A must be all, 2 to 9, a list like 2, 4, 7"),
        ({"readers": [{"name": "A", "minimax": "foo"}]}, "the possible counts of A must be all, 2 to 9, a list like 2, 4, 7"),
        ({"readers": [{"name": "A", "minimax": "4..30"}], "n": 20}, "the possible counts of A must be at most n = 20, got 30"),
        (
            {"readers": [{**UNIFORM, "weight": -1}]},
            "the weight of U must be between 0 and 1\u202f000\u202f000\u202f000\u202f000\u202f000, got -1",
        ),
        ({"readers": [{**UNIFORM, "name": "a/b"}]}, "must be a text without /"),
        ({"readers": [UNIFORM], "levels": [0]}, "the epsilon of a level must be above 0"),
        ({"readers": [{**UNIFORM, "loss": [[0, 1], [1, 0]]}], "n": 5}, "the loss table of U has 2 rows, but n = 5 needs 6"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence.replace("(", r"\(")):
        dp.AudienceDesign(**{"n": 20, "epsilon": 1, **given})


def test_a_table_is_read_for_readers_cut_at_it_and_gives_them_back_when_it_is_removed() -> None:
    candidates = {"priors": [[1, 2, 1, *[0] * 18], "binomial:1/4", "spike:9"]}
    cautious = [{"name": f"C{place}", "minimax": cases} for place, cases in enumerate(("1..14", [1, 9], candidates, "all"))]
    drawn = {"name": "Drawn", "prior": [1, 2, 3, *[4] * 18]}
    design = AudienceDesign(readers=[drawn, {**BINOMIAL, "prior": "binomial:1/4"}, *cautious], n=20, alpha="1/2")
    answer = run(design.replace(table=SMALL))
    assert [result.reader.prior.n for result in answer.results] == [2] * 6
    first, second = (answer.results[place].reader.prior.exact for place in range(2))
    weights = [math.comb(20, i) * 3 ** (20 - i) for i in range(3)]
    assert first == (F(1, 6), F(1, 3), F(1, 2)) and second == tuple(F(each, sum(weights)) for each in weights)
    assert [len(each.reader.priors) for each in answer.results[2:]] == [2, 1, 2, 3], "what is above the table is no case"
    words = "For a reader who guards against the worst of 1 to 2 (cut at the table’s largest count)."
    assert words in note_words(answer, 2) and words in export_of(answer.design).note(2) and answer.find_curves()
    assert "expects 0 to 2 (cut at the table’s largest count), most likely 2." in note_words(answer, 0)
    assert "the worst of 0 to 2. " in note_words(answer, 5), "all are those of the table"
    assert answer.design.replace(table="") == design, "the design keeps what the user made"
    wider = run(AudienceDesign(readers=[drawn], n=20, alpha="1/2").replace(table=_written(12), n=20))
    assert wider.n == 20 and "cut" not in note_words(wider, 0)
    more = AudienceDesign(readers=[{**drawn, "prior": [1, 2]}, UNIFORM], n=1, alpha="1/2").replace(table=SMALL).run()
    assert [each.reader.prior.exact for each in more.results] == [(F(1, 3), F(2, 3), 0), (F(1, 2), F(1, 2), 0)]
    painted = answer.design.replace(readers=[{"name": "A", "prior": [1, 2, 3]}])
    assert run(painted).results[0].reader.prior.n == 2 and len(painted.replace(table="").readers[0].prior) == 21


@pytest.mark.parametrize(
    "belief", [{"prior": [0] * 15 + [1] * 6}, {"prior": "spike:9"}, {"minimax": "9..14"}, {"minimax": [7, 9]}]
)
def test_a_reader_who_expects_only_larger_counts_than_those_of_a_table_is_refused_with_a_remedy(belief: dict[str, Any]) -> None:
    design = AudienceDesign(readers=[UNIFORM, {"name": "High", **belief}], n=20, alpha="1/2").replace(table=SMALL)
    with pytest.raises(
        InputError, match=r"^reader High expects only counts above 2, the largest count of the table\.$"
    ) as refused:
        run(design)
    mended = design.replace(readers=refused.value.suggestion)
    assert mended.readers[0] == design.readers[0] and run(mended).n == 2


def test_what_is_painted_over_the_counts_of_a_table_leaves_the_rest_of_a_prior() -> None:
    (spec,) = AudienceDesign(readers=[{"name": "A", "prior": [1, 1, 2, 4, *[0] * 17]}], n=20, alpha="1/2").readers
    assert spec.painted([3, 1, 0], 2, 20) == (3, 1, 0, 4, *[0] * 17), "the weights stay as they were given"
    assert spec.painted("uniform", 24, 20) == pytest.approx([1 / 25] * 25), "a larger table shows all there is"
    assert spec.painted("uniform", 2, 20) == "uniform", "a named one is of the whole belief"


def test_readers_that_do_not_fit_a_table_are_refused_when_it_is_solved() -> None:
    design = dp.AudienceDesign(readers=[{**UNIFORM, "prior": [1, 2, 3]}], table=[["2/3", "1/3"], ["1/3", "2/3"]])
    with pytest.raises(InputError, match="the prior of U has 3 entries, but n = 1 needs 2"):
        design.run()


def test_readers_in_a_file() -> None:
    text = "name,prior,loss,weight,target\nPlanner,0 1 2 1,pinball:3/4,1,0.5\nEpi,binomial:1/4,squared,,\n"
    readers = readers_in(text, "R.csv")
    design = dp.AudienceDesign(readers=readers, n=3, alpha="1/2")
    assert [spec.name for spec in design.readers] == ["Planner", "Epi"] and design.readers[0].prior == ("0", "1", "2", "1")
    for wrong, sentence in (
        ("", "it is empty"),
        ("name,prior\n", "got none"),
        ("prior\nx\n", "no column name"),
        ("name,age\nx,1\n", "got 'age'"),
    ):
        with pytest.raises(InputError, match=sentence):
            readers_in(wrong, "R.csv")


def test_a_frame_of_readers() -> None:
    import pandas as pd

    frame = pd.DataFrame(
        [{"name": "A", "prior": "uniform", "loss": "absolute", "target": 1.0}, {"name": "B", "prior": "binomial:1/2"}]
    )
    design = dp.AudienceDesign(readers=frame, n=3, alpha="1/2")
    assert [spec.target for spec in design.readers] == [1.0, None]


def test_digits_are_weights() -> None:
    reader = {"name": "P", "prior": "000112345678887654321", "loss": "pinball:3/4"}
    assert (
        solve(readers=[reader], n=20, alpha="1/2").findings["P/loss"].value
        == solve(readers=WARD, n=20, alpha="1/2").findings["Bed planner/loss"].value
    )


def test_lists_are_findings() -> None:
    answer = solve(readers=[UNIFORM], n=3, alpha="1/4")
    assert as_json(answer.findings["U/remap"]) == [0, 1, 2, 3] and format_finding(answer.findings["U/remap"]) == "0, 1, 2, 3"
    assert answer.findings["U/remap"].number is None


def test_a_given_table_is_compared_with_no_separate_tables_as_good_and_one_that_cannot_be_read_has_its_error_at_the_table() -> (
    None
):
    """Separate tables as good as one that is not optimal need less than k times its ε: no number is stated."""
    given = solve(readers=WARD, table="file: example:laplace_clamped.csv")
    assert given.findings["separate_exp_epsilon_same"].value is None
    assert solve(readers=WARD, n=20, alpha="1/2").findings["separate_exp_epsilon_same"].value == 8
    for made in (dp.AudienceDesign(readers=WARD, table="file: foo.csv"), dp.InspectDesign("file: nope.csv")):
        with pytest.raises(dp.InputError, match="no such file") as caught:
            dp.solve(made)
        assert caught.value.field == "table"


def test_panels_say_what_the_numbers_are() -> None:
    answer = solve(readers=WARD, n=20, alpha="1/2")
    panels: dict[str, Any] = {panel.key: panel for panel in answer.panels_in({})}
    rows = panels["release"].rows
    assert [row.value for row in rows] == ["expected loss 0.5171", "wrong 66 times in 100", "expected loss 1.8957"] and all(
        row.proved for row in rows
    )
    assert rows[0].cells[0] == (0, 3, "6") and rows[0].text == "13" and rows[0].belief.sum() == pytest.approx(1)
    assert [row.second for row in panels["separate"].rows[1::2]] == ["+87.8%", "+28.3%", "+76.3%"]
    assert not any(line.drags for line in panels["targets"].lines)


def test_a_level_is_chosen_whose_note_is_shown() -> None:
    levels = "staff: ln 4, public: ln 4/3"
    chooser = levels_panel("level", "note", alpha="1/2", levels=levels)
    assert [row.label for row in chooser.rows] == ["staff", "the release", "public"] and chooser.selected == "the release"
    answer = solve(readers=WARD, n=20, alpha="1/2", levels=levels)
    note = lambda level: answer.panels["note"](Look(Snapshot(answer.design, answer, {**SEEN, "level": level})))  # noqa: E731
    alone = solve(readers=WARD, n=20, epsilon="ln 4")
    assert note("staff").rows == alone.panels["note"](Look(Snapshot(alone.design, alone, SEEN))).rows != note("").rows
    assert note("staff").note.startswith("Look up the number given to staff (0 to 20, ε ≈ 1.387).")
    assert note("gone").rows == note("").rows and "given to the release" in note("").note, "a level that is no more"


def test_a_tiny_loss_has_few_digits_and_what_tables_cost_is_never_overstated() -> None:
    answer = solve(readers=WARD, n=20, epsilon=50)
    rows = answer.panels["release"](Look(Snapshot(answer.design, answer, dict(AudienceDesign.view_defaults)))).rows
    assert [row.value for row in rows] == ["expected loss 2e−22", "wrong 3.9e−20 in 100", "expected loss 3.9e−22"]
    assert rows[0].why == "the high side of the belief"
    for epsilon in ("0.8", "0.95", "1", "1.1", "1.3"):
        answer = solve(readers=WARD, n=20, epsilon=epsilon)
        most = max(float(result.separate_excess) for result in answer.results)
        found = [each for key, each in answer.findings.items() if key.endswith("separate_excess")]
        told = max(float(format_finding(each).replace("\u2009", "").rstrip("%")) / 100 for each in found)
        assert 0.9 * most - 0.1 <= told <= most + 1e-9, epsilon


def test_the_examples_are_as_they_are_described() -> None:
    for name, words in (
        ("flu-in-a-ward", "Newspaper is still wrong 66 times in 100"),
        ("noise-published", "3.9%"),
        ("staff-partners-public", "a number each"),
    ):
        [design] = dp.read(example(name).path)
        assert words in design.run().sentence


def test_scripts_must_say_how_private_and_for_whom() -> None:
    for given, sentence in (
        ({"readers": [UNIFORM], "n": 3}, "epsilon or alpha"),
        ({"readers": [UNIFORM], "epsilon": 1}, "must have n"),
        ({"n": 3, "epsilon": 1}, "must have readers"),
    ):
        with pytest.raises(InputError, match=sentence):
            dp.AudienceDesign(**given)
    assert dp.AudienceDesign(readers=[UNIFORM], table=[["2/3", "1/3"], ["1/3", "2/3"]]).run().n == 1
    assert AudienceDesign.starting().n == 20


def test_files_have_the_notes_of_all_readers_with_the_price_of_an_error_on_either_side() -> None:
    (note,) = (panel for panel in solve(readers=WARD, n=20, alpha="1/2").panels_in({}) if panel.key == "note")
    assert note.header == ("reader", "released", "read as") and list(dict.fromkeys(row[0] for row in note.rows)) == [
        "Bed planner", "Newspaper", "Epidemiologist"
    ]  # fmt: skip
    assert "(one too low 0.75, one too high 0.25)" in note.note and "At face value, the loss is 0.6562." in note.note
    assert "Newspaper: For a reader who expects" in note.note


def test_a_reading_is_explained_where_plain_words_can_explain_it() -> None:
    words = {
        loss: reading_words(Loss(loss)) for loss in ("pinball:3/4", "pinball:1/4", "zero-one", "squared", "absolute", "relative")
    }
    assert [" ".join(str(each).split()[1:3]) for each in words.values()] == [
        "high side", "low side", "most likely", "count nearest", "middle of", ""]  # fmt: skip
    answer = dp.read(example("flu-in-a-ward").path)[0].run()
    belief = answer.panels["release"](
        Look(Snapshot(answer.design, answer, {**AudienceDesign.view_defaults, "released": 12}))
    ).rows
    planner, newspaper, doctor = belief
    counts = np.arange(21)
    assert newspaper.why == words["zero-one"] and newspaper.reading == int(newspaper.belief.argmax())
    assert doctor.why == words["squared"] and doctor.reading == round(float(counts @ doctor.belief))
    assert planner.why == words["pinball:3/4"] and planner.belief[: planner.reading + 1].sum() >= 0.75


def test_without_information_an_output_that_cannot_occur_is_called_so_and_equal_losses_are_the_same_number() -> None:
    answer = solve(readers=WARD, n=20, epsilon=0)
    look = Look(Snapshot(answer.design, answer, {"view": "release", **AudienceDesign.view_defaults}))
    assert [row.why for row in answer.panels["release"](look).rows] == ["it cannot occur"] * 3
    rows = answer.panels["separate"](look).rows
    assert [own.text for own in rows[::2]] == [apart.text for apart in rows[1::2]]


def test_a_long_name_leaves_room_for_the_dots() -> None:
    long = {**UNIFORM, "name": "Manager of the regional hospital", "target": 1}
    answer = solve(readers=[long], n=10, alpha="1/2", levels="all the staff of the hospital: ln 4, public: ln 4/3")
    view = {"view": "levels", **AudienceDesign.view_defaults}
    named = {key: answer.panels[key](Look(Snapshot(answer.design, answer, view))).y.ticks for key in ("targets", "precision")}
    assert [text for _, text in named["targets"]] == ["Manager of th... ≤ 1"]
    assert [text for _, text in named["precision"]] == ["all the staff...", "public"]


def test_levels_without_names_keep_the_case_of_epsilon() -> None:
    reader = [{"name": "A", "prior": "uniform", "loss": "absolute"}]
    sentence = dp.AudienceDesign(readers=reader, n=5, alpha="1/2", levels="ln 4, ln 2").run().sentence
    assert sentence.startswith("<b>Give ε = ln 4 and ε = ln 2 a number each: ")


def test_levels_of_a_large_count_are_drawn_too() -> None:
    design = dp.AudienceDesign(readers=[{"name": "A", "prior": "uniform"}], n=150, alpha="1/2", levels="ln 4, ln 2")
    answer = design.run()
    assert design.chained and "chain" in answer.panels
    for n in (101, 201):
        large = design.replace(n=n)
        caption = large.run().panels["caption"](Look(Snapshot(large, large.run(), {**large.view_defaults, "view": "levels"})))
        assert large.chained == (n < 201) and caption.text == "Levels are drawn here up to n = 200, exported up to 100."


@pytest.mark.parametrize(("third", "sums"), [("0.3333", "1 up to rounding"), ("0.3334", "exactly 1")])
def test_rows_that_sum_to_1_as_printed_are_told_apart_from_rounded_ones(third: str, sums: str) -> None:
    table = [["0.3333", "0.3333", third], ["1/4", "1/2", "1/4"], ["0.2", "0.3", "0.5"]]
    answer = AudienceDesign(readers=[{"name": "A", "prior": "uniform", "loss": "absolute"}], table=table).run()
    assert answer.checks[0] == f"every row sums to {sums}"
