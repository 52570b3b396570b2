"""Choice designs: inputs checked, results honest, files read back."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner import resources
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.files.project import read_project
from dpdesigner.studies.choice.answer import Announced, percent, times
from dpdesigner.studies.choice.design import FIRST, ChoiceDesign
from dpdesigner.studies.choice.panels import _landing, papers, ratio_text, rules
from dpdesigner.studies.choice.run import solved
from dpdesigner.studies.findings import format_finding, public

SURVEY = {"path": "example:survey_1996.csv", "column": "education", "categories": list("1234567")}
TABLE = ((0, -1, -2), (-1, 0, -1), (-2, -1, 0))


@pytest.mark.parametrize(
    "design",
    [
        ChoiceDesign.starting(),
        ChoiceDesign((0, "1/3", 2.5), ("a", "b", "c"), alpha="1/2", neighbours="joins", sensitivity="1/2"),
        ChoiceDesign(TABLE, neighbours="all", epsilon="ln 3", rule="staircase", gamma="1/3", name="which"),
        ChoiceDesign(TABLE, neighbours=[(0, 1), (1, 2)], epsilon=2),
        ChoiceDesign(((1, 1), (0, 0)), monotone=True, epsilon=1),
        ChoiceDesign((0, 3, 1), edges=(0, "1/2", 1, 4), base=(1, 2, "1/2"), rule="exponential", epsilon=1),
        ChoiceDesign(neighbours="changes", epsilon=1, **SURVEY),
    ],
)
def test_designs_are_read_back(design: ChoiceDesign) -> None:
    data = design.to_json()
    assert ChoiceDesign.from_json(data) == design == design.replace() and data["kind"] == "choice"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"utilities": [1]}, "utilities"),
        ({"utilities": []}, "utilities"),
        ({"utilities": "12"}, "utilities"),
        ({"utilities": 5}, "utilities"),
        ({"utilities": [1, "x"]}, "utilities"),
        ({"utilities": [1, math.nan]}, "utilities"),
        ({"utilities": [1, math.inf]}, "utilities"),
        ({"utilities": [0, 1e13]}, "utilities"),
        ({"utilities": [0, True]}, "utilities"),
        ({"utilities": [0] * 1001}, "utilities"),
        ({"utilities": [[0, 1], [1]]}, "utilities"),
        ({"utilities": [[0, 1], 1]}, "utilities"),
        ({"names": ["one"]}, "names"),
        ({"names": "ab"}, "names"),
        ({"names": ["x" * 101, "b"]}, "names"),
        ({"neighbours": "both"}, "neighbours"),
        ({"neighbours": "next"}, "neighbours"),
        ({"neighbours": "changes", "monotone": True}, "monotone"),
        ({"monotone": 1}, "monotone"),
        ({"utilities": TABLE, "monotone": True}, "monotone"),
        ({"utilities": TABLE, "neighbours": [(0, 3)]}, "neighbours"),
        ({"utilities": TABLE, "neighbours": [(0, 0)]}, "neighbours"),
        ({"utilities": TABLE, "neighbours": [5]}, "neighbours"),
        ({"utilities": TABLE, "sensitivity": "1/2"}, "sensitivity"),
        ({"sensitivity": 0}, "sensitivity"),
        ({"sensitivity": -1}, "sensitivity"),
        ({"sensitivity": "x"}, "sensitivity"),
        ({"epsilon": 1401}, "epsilon"),
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": 1, "alpha": "1/2"}, "epsilon"),
        ({"rule": "best"}, "rule"),
        ({"edges": (0, 1, 2), "rule": "permute-and-flip"}, "rule"),
        ({"edges": (0, 2, 1)}, "edges"),
        ({"edges": (0, 1)}, "edges"),
        ({"base": (1, -1)}, "base"),
        ({"base": (0, 0)}, "base"),
        ({"base": (1,)}, "base"),
        ({"categories": ["a", "b"]}, "categories"),
        ({"utilities": None, **SURVEY, "categories": ["1", "1"]}, "categories"),
        ({"utilities": None, "path": 3}, "path"),
        ({"path": "x.csv"}, "utilities"),
        ({"gamma": 2}, "gamma"),
        ({"name": 3}, "name"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(changes: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as caught:
        ChoiceDesign(**{"utilities": (1, 0), "epsilon": 1, **changes})
    assert caught.value.field == field and str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_the_survey_of_1996() -> None:
    """What 944 people said of their schooling: the numbers of the page."""
    found = dp.solve(ChoiceDesign(neighbours="changes", epsilon="0.1", **SURVEY))
    assert found.people == 944 and tuple(found.task.numbers[0]) == FIRST and found.left_out == 0
    rules = found.rules
    best = {key: round(rules[key].chance_of_best, 4) for key in ("permute-and-flip", "exponential", "noisy-max-laplace")}
    assert best == {"permute-and-flip": 0.8058, "exponential": 0.7142, "noisy-max-laplace": 0.7127}
    short = [round(rules[key].shortfall, 1) for key in best]
    assert short == [5.0, 7.6, 7.4] and [round(value, 4) for value in found.task.blindly] == [0.1429, 113.1429]
    assert round(found.findings["limit"].value, 4) == 0.8192 and "513 tables" in found.findings["limit"].note
    assert round(found.rule.epsilon_here, 4) == 0.0992 and found.rule.epsilon == 0.1 and found.proved


def test_the_incomes_of_1996() -> None:
    income = {"path": "example:survey_1996.csv", "column": "income_class", "categories": [str(k) for k in range(1, 25)]}
    found = dp.solve(ChoiceDesign(neighbours="joins", epsilon="0.1", **income))
    best = [round(found.rules[key].chance_of_best, 4) for key in ("permute-and-flip", "noisy-max-laplace", "exponential")]
    assert best == [0.5955, 0.5405, 0.532] and round(found.findings["limit"].value, 4) == 0.6296
    worst = found.rule.worst
    assert (worst.option, worst.rises) == (19, True) and worst.ratio == pytest.approx(0.1, abs=1e-9)
    assert found.rules["exponential-cacm"].epsilon == pytest.approx(0.1) == 2 * found.rules["exponential-blr"].epsilon
    assert found.findings["says-exponential-notes"].value == pytest.approx(0.2)


def test_a_job_that_is_over_is_told_nothing_more_and_a_later_one_may_be_stopped() -> None:
    over: list[bool] = []

    def first(fraction: float | None, text: str = "") -> None:
        assert not over, "told after its end"

    def stop(fraction: float | None, text: str = "") -> None:
        raise Cancelled("stopped")

    for utilities in ((5, 3, 0), ((5, 3, 0), (4, 3, 1))):
        over.clear()
        found = solved(ChoiceDesign(utilities, epsilon=1, rule="noisy-max-laplace"), first)
        over.append(True)
        if not found.task.table:
            with pytest.raises(Cancelled):
                found.rule.find_worst(stop)
        assert np.max(found.rule.epsilon_here) > 0
        assert all(np.max(rule.chance_of_best) > 0 for rule in found.rules.values())


def test_printed_constants_have_what_they_have() -> None:
    for neighbours, factor in (("any", 2), ("changes", 2), ("joins", 1)):
        rules = ChoiceDesign((5, 3, 0), epsilon="1/2", sensitivity=3, neighbours=neighbours).run().rules
        assert rules["exponential-cacm"].epsilon == pytest.approx(0.5 * factor)
        assert rules["exponential-notes"].epsilon == pytest.approx(0.5 * factor * 3)
        assert rules["exponential-blr"].epsilon == pytest.approx(0.25 * factor)
        assert rules["exponential-notes"].says == pytest.approx(3.0)
        for key in ("exponential", "permute-and-flip", "noisy-max-laplace", "noisy-max-gumbel", "noisy-max-exponential"):
            assert rules[key].epsilon == pytest.approx(0.5)
            assert rules[key].epsilon_here <= 0.5 + 1e-12
        weights = np.exp(0.5 / (3 * (1 if neighbours == "joins" else 2)) * np.array([5.0, 3, 0]))
        np.testing.assert_allclose(rules["exponential"].probabilities, weights / weights.sum(), rtol=1e-13)
        assert rules["exponential"].expected_utility == pytest.approx(weights @ [5, 3, 0] / weights.sum())


def test_rules_that_are_the_same_are_the_same() -> None:
    rules = ChoiceDesign((3, 1, 1, 0), epsilon=2).run().rules
    np.testing.assert_array_equal(rules["noisy-max-gumbel"].probabilities, rules["exponential"].probabilities)
    np.testing.assert_array_equal(rules["noisy-max-exponential"].probabilities, rules["permute-and-flip"].probabilities)
    assert set(rules) == set(ChoiceDesign.starting().run().rules) and len(rules) == 9
    assert 0 <= rules["noisy-max-laplace"].draw() < 4


def test_monotone_is_joins() -> None:
    assert ChoiceDesign((1, 0), monotone=True, epsilon=1) == ChoiceDesign((1, 0), neighbours="joins", epsilon=1)
    assert ChoiceDesign((1, 0), monotone=True, epsilon=1).replace(neighbours="any").monotone is False


def test_a_table_gives_the_same_for_each_row() -> None:
    table = dp.solve(ChoiceDesign(TABLE, epsilon=1))
    for row, utilities in enumerate(TABLE):
        single = dp.solve(ChoiceDesign(utilities, epsilon=1))
        for key, rule in single.rules.items():
            np.testing.assert_allclose(table.rules[key].probabilities[row], rule.probabilities, rtol=1e-13)
            assert table.rules[key].expected_utility[row] == pytest.approx(rule.expected_utility)
            assert table.rules[key].chance_of_best[row] == pytest.approx(rule.chance_of_best)
            assert table.rules[key].epsilon == rule.epsilon
    logs = table.rules["exponential"].logs
    assert table.rules["exponential"].epsilon_here == pytest.approx(np.abs(np.diff(logs, axis=0)).max(axis=1)[[0, 0, 1]])
    assert 0 <= table.rules["permute-and-flip"].draw(2) < 3


def test_neighbouring_rows_are_the_next_all_or_pairs() -> None:
    rows = ((0, 0), (1, 0), (3, 0))
    assert ChoiceDesign(rows, epsilon=1).sensitivity == 2 and ChoiceDesign(rows, neighbours="all", epsilon=1).sensitivity == 3
    assert ChoiceDesign(rows, neighbours=[(0, 1)], epsilon=1).sensitivity == 1
    assert ChoiceDesign(((0, 0), ("1/3", 0)), epsilon=1).sensitivity == 1, "never less than 1 unless it is said"
    assert ChoiceDesign(rows, monotone=True, epsilon=1).reach == 2 and ChoiceDesign(rows, epsilon=1).reach == 4
    large = np.random.default_rng(0).integers(0, 9, (70, 70)).tolist()
    assert ChoiceDesign(large, epsilon=1).sensitivity == 8


def test_rules_of_a_table_at_equal_real_privacy() -> None:
    found = ChoiceDesign(((0, "-0.5", -2), ("-0.7", 0, -1), (-2, -1, "-0.1")), epsilon=1).run()
    assert found.equal is not None and set(found.equal) == {rule.key for rule in found.rivals}
    from dpdesigner.core.choice.rule import at_real

    for rule in found.rivals:
        made = at_real(rule, 1.0)
        assert np.max(made.epsilon_here) == pytest.approx(1, abs=1e-9)
        assert np.mean(made.shortfall) == pytest.approx(found.equal[rule.key]) and made.rate > rule.rate


def test_the_best_gamma_of_a_table_is_taken() -> None:
    design = ChoiceDesign(((0, "-0.5", -2), ("-0.7", 0, -1), (-2, -1, "-0.1")), epsilon=2, rule="staircase")
    best = float(np.mean(design.run().rule.shortfall))
    costs = [float(np.mean(design.replace(gamma=k / 50).run().rule.shortfall)) for k in range(51)]
    assert best == pytest.approx(min(costs))


def test_a_number_in_an_interval_is_weighed_by_length_and_base() -> None:
    found = ChoiceDesign((0, 2, 1), edges=(0, 1, 3, 4), base=(1, 1, 4), rule="exponential", epsilon=1).run()
    weights = np.array([1, 2, 4]) * np.exp(np.array([0, 2, 1]) / 2)
    np.testing.assert_allclose(found.rule.probabilities, weights / weights.sum())
    assert found.rule.epsilon_here == pytest.approx(1) and found.rule.epsilon == 1
    assert "permute-and-flip" not in found.rules and found.findings["limit"].value is None
    equal, plain = (ChoiceDesign((5, 2, 1), base=base, rule="exponential", epsilon=1).run().rule for base in ((2, 2, 2), None))
    assert equal.worst == plain.worst and equal.epsilon_here < 1, "options have chances of their own"
    never = ChoiceDesign((5, 2, 1), base=(0, 1, 1), rule="exponential", epsilon=1).run()
    assert never.rule.worst.option != 0, "it is never chosen, and tells nothing"
    assert never.rule.probabilities[0] == 0 and never.rule.chance_of_best == pytest.approx(1 / (1 + math.exp(-0.5)))
    assert never.rule.shortfall >= 0 and {never.rule.draw() for _ in range(50)} <= {1, 2}


def test_a_typical_age_of_944_people() -> None:
    (design,) = dp.read(Path(dp.__file__).parents[1] / "resources" / "examples" / "typical-age.dpd")
    found = dp.solve(design)
    best = int(np.argmax(found.task.numbers[0]))
    assert found.names[best] == "44", "the true median"
    assert all(18 < found.draw() < 95 for _ in range(50))


def test_falling_short_is_within_the_theorems_bound() -> None:
    found = ChoiceDesign.starting(neighbours="changes", epsilon="0.1").run()
    short = np.linspace(0, 240, 97)
    for key in ("exponential", "permute-and-flip"):
        chance = found.rules[key].chance_below(short)
        assert (chance <= found.rules[key].bound_below(short)).all() and (np.diff(chance) <= 0).all()
        assert chance[0] == pytest.approx(1 - found.rules[key].chance_of_best)
    assert found.rules["exponential"].bound_below(np.array([20.0])) == pytest.approx(7 * math.exp(-1))


def test_options_read_off_the_data_are_not_called_private(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("who,answer\n1,yes\n2,no\n3,yes\n4,\n5,perhaps\n", "utf-8")
    design = ChoiceDesign(path=str(path), column="answer", neighbours="changes", epsilon=1)
    found = design.run()
    assert found.names == ("no", "perhaps", "yes") and tuple(found.task.numbers[0]) == (1, 1, 2) and found.left_out == 1
    assert not found.proved and found.badge == ("not private yet", "open") and "read from the data" in found.reason
    fixed = design.replace(categories=("no", "perhaps", "yes", "never")).run()
    assert fixed.proved and tuple(fixed.task.numbers[0]) == (1, 1, 2, 0)
    assert fixed.design.secret and list(public(fixed.findings)) and "value" not in public(fixed.findings)
    assert "limit" not in public(fixed.findings) and "epsilon" in public(fixed.findings)
    for wrong, field in (("none", "column"), ("who,", "column")):
        with pytest.raises(InputError) as caught:
            design.replace(column=wrong).run()
        assert caught.value.field == field
    path.unlink()
    with pytest.raises(InputError, match="no such file"):
        design.run()


def test_findings_are_what_the_outcome_says() -> None:
    found = ChoiceDesign((4, 2, 0), epsilon=2, neighbours="joins").run()
    told = found.findings
    assert next(iter(told)) == "value" and told["value"].value == found.rule.chance_of_best
    assert found.badge == ("✓ proved private · ε = 2", "proved") and told["epsilon"].state == "proved"
    assert found.line.startswith("3 options · one may join or leave · Δ = 1 · ε = 2")
    wrong = ChoiceDesign((4, 2, 0), epsilon=2, rule="exponential-cacm").run()
    assert wrong.badge == ("ε = 4, not as requested", "open") and format_finding(wrong.findings["epsilon"]) == "4"


def test_where_the_limit_is_met_it_is_said() -> None:
    assert ChoiceDesign((9, 5), epsilon="1/2", neighbours="joins").run().limit_met
    assert not ChoiceDesign((9, 5), epsilon="1/2", neighbours="joins", rule="exponential").run().limit_met
    assert not ChoiceDesign.starting(neighbours="changes", epsilon="0.1").run().limit_met


def test_outcomes_can_be_kept_and_are_short_to_read() -> None:
    found = pickle.loads(pickle.dumps(ChoiceDesign((4, 2, 0), epsilon=2).run()))
    assert found.rule.draw() in (0, 1, 2) and len(repr(found)) < 300 and len(repr(found.rule)) < 100
    with pytest.raises(AttributeError):
        found.design.rule = "exponential"


def test_draws_of_an_irrational_level_are_not_less_private() -> None:
    rule = ChoiceDesign((1, 0), alpha="1/2").run().rule
    assert rule.drawn_rate < rule.rate * (1 + 1e-15) and float(rule.drawn_rate) == pytest.approx(math.log(2) / 2, rel=2e-15)


def test_neither_weights_are_always_cheaper_at_equal_real_privacy() -> None:
    """Twelve of the random tables of the help page: costs uniform in [0, 1], the best gamma."""
    generator, cheaper = np.random.default_rng(0), 0
    for _ in range(12):
        costs = generator.random((4, 4)).round(6)
        found = ChoiceDesign(
            (-costs).tolist(), epsilon=1, sensitivity=repr(float(np.abs(np.diff(costs, axis=0)).max()) + 1e-9)
        ).run()
        assert found.equal is not None
        cheaper += found.equal["exponential"] < found.equal["staircase"]
    assert 2 <= cheaper <= 10


def test_what_is_not_certain_is_never_told_as_all_100_times() -> None:
    assert [times(chance) for chance in (0.8069, 0.995, 0.9994, 0.999999, 1)] == [
        "80.7",
        "more than 99",
        "more than 99",
        "more than 99",
        "100",
    ]


def test_the_most_that_a_ratio_can_be_is_rounded_up() -> None:
    words = ChoiceDesign([3, 2], epsilon="0.1").run().of_option(0, 0.52, 0.5)
    assert words == "option 1: 52.00% becomes 50.00%, a factor of 1.040 (never above 1.106)."  # 1.10517
    found = ChoiceDesign([3, 2], names=["A", "B"], neighbours="changes", epsilon=1).run()
    assert found.of_option(0, 0.52, 0.5001).startswith("A: 52.00% becomes 50.01%, a factor of 1.040 (")  # 1.03979
    assert "a factor of 1.000 (" in found.of_option(0, 0.5, 0.4999), "to the nearest"


def test_pairs_of_rows_may_be_an_array() -> None:
    design = ChoiceDesign(TABLE, neighbours=np.array([[0, 1]]), epsilon=1)  # type: ignore[arg-type]
    assert design == ChoiceDesign(TABLE, neighbours=[[0, 1]], epsilon=1)


def test_one_announcement_lands_on_its_chance_and_a_hundred_are_dots() -> None:
    chances, utilities = np.array([0.2, 0.7, 0.1]), np.array([8.0, 9.0, 7.0])
    counted = ChoiceDesign([8, 9, 7], names=["A", "B", "C"], neighbours="changes", epsilon=1).run()
    once = Announced(np.array([0, 1, 0]), 1, 1)
    landing = _landing(counted, once, chances, utilities)
    assert landing is not None and landing.x == (1.0,) and landing.y == (0.35,) and landing.of is once
    assert landing.text == "B: right" and landing.large
    for which, text in ((0, "A: wrong by 1\u00a0person"), (2, "C: wrong by 2\u00a0people")):
        wrong = _landing(counted, Announced(np.eye(3, dtype=int)[which], which, 0), chances, utilities)
        assert wrong is not None and wrong.text == text
    scored = ChoiceDesign([0.5, 0.75], names=["A", "B"], neighbours="any", epsilon=1).run()
    wrong = _landing(scored, Announced(np.array([1, 0]), 0, 0), np.array([0.4, 0.6]), np.array([0.5, 0.75]))
    assert wrong is not None and wrong.text == "A: wrong by 0.25"
    assert _landing(counted, Announced(np.array([20, 70, 10]), 1, 70), chances, utilities) is None
    assert _landing(counted, None, chances, utilities) is None
    low = _landing(counted, once, np.array([0.93, 0.05, 0.02]), utilities)
    assert low is not None and low.y[0] >= 0.15  # above the number at the bar


def test_what_the_scenes_say() -> None:
    project = read_project(resources.path("examples", "schooling-scenes.dpd"))
    drawn, less, printed = (study.run() for study in project.studies)
    assert [scene.design for scene in project.scenes] == [0, 0, 0, 1, 2]
    said = [scene.text for scene in project.scenes]
    counts, chances = drawn.task.numbers[0], drawn.rule.probabilities
    assert (counts.sum(), counts[2], counts[5]) == (944, 248, 227) and all(text in said[0] for text in ("944", "248", "227"))
    assert [f"{100 * chances[option]:.0f}%" in said[1] for option in (2, 5)] == [True, True]
    moves = np.zeros(7)
    for part in project.scenes[2].view["neighbour"].split(","):
        option, _, move = part.partition(":")
        moves[int(option)] = float(move)
    assert (moves == drawn.rule.worst.moves(7, "changes")).all()
    after = float(np.exp(drawn.rule.at(moves).logs[5]))
    for number in (f"{100 * chances[5]:.1f}%", f"{100 * after:.1f}%", f"{chances[5] / after:.3f}", f"{np.exp(0.1):.3f}"):
        assert number in said[2]
    assert f"{round(1 / (1 - less.rule.chance_of_best), -3):_.0f}".replace("_", "\u202f") in said[3]
    assert printed.rule.epsilon == 0.2 and not printed.proved and "states ε = 0.1, but the true value is 0.2" in said[4]
    joined = project.studies[2].replace(neighbours="joins").run()
    assert joined.rule.epsilon == 0.1 and joined.proved


def test_a_probability_is_rounded_to_the_nearest_digit() -> None:
    texts = ["< 0.01%", "0.016%", "2.1%", "80.6%", "> 99.9%", "100%"]
    assert [percent(chance) for chance in (0.00009, 0.000158, 0.0206, 0.80585, 0.9996, 1)] == texts


def test_one_number_is_spelled_in_one_way() -> None:
    assert ratio_text(0.1, -1e-6) == ratio_text(0.1, 0.0) == "0" and ratio_text(0.1, -0.0369) == "−0.0369"
    answer = ChoiceDesign.starting(epsilon="0.977").run()
    right = [row for row in papers(answer).rows if row.role == "main"]
    level = [(row.text.removeprefix("attained "), row.second.removeprefix("stated ")) for row in right if row.value == row.ring]
    assert level and all(attained == stated for attained, stated in level), level
    blind = next(row for row in rules(answer).rows if row.label == "Ignoring the data")
    assert blind.text == format_finding(answer.findings["best-blind"]) == "14.3%"
    shown = rules(read_project(resources.path("examples", "incomes.dpd")).studies[0].run()).rows
    assert [row.text for row in shown[1:4]] == ["59.6%", "54.0%", "53.2%"]
    assert [row.second for row in shown[1:]] == ["3.0", "3.6", "4.1", "63.7"]
