"""The package in a notebook: what is taken, how it shows itself, tables verified, releases."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import scipy.stats

import dpdesigner as dp
from dpdesigner.core.basics.coercion import LARGEST_CALLED_N

mpl.use("agg")
WEIGHTS = [1, 2, 3, 4, 5, 6]
USER = dp.CountDesign(n=5, alpha="1/2", prior=WEIGHTS, loss="power:1.5")


@pytest.mark.parametrize(
    ("prior", "same"),
    [
        (pd.Series(WEIGHTS), WEIGHTS),
        (pd.Series(WEIGHTS, index=list("abcdef")), WEIGHTS),
        (pd.Series([Fraction(1, 3)] * 6), [Fraction(1, 3)] * 6),
        (range(1, 7), WEIGHTS),
        (pd.DataFrame({"p": WEIGHTS})["p"], WEIGHTS),
    ],
)
def test_priors_come_as_they_are(prior, same):
    assert dp.CountDesign(5, alpha="1/2", prior=prior) == dp.CountDesign(5, alpha="1/2", prior=same)


def test_a_discrete_distribution_is_a_prior():
    design = dp.CountDesign(5, alpha="1/2", prior=scipy.stats.binom(5, 0.3))
    expected = [0.16807, 0.36015, 0.3087, 0.1323, 0.02835, 0.00243]
    assert design.prior.probabilities == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("loss", [lambda i, r: abs(i - r) ** 1.5, lambda i, r: 0 if i == r else max(i - r, r - i) ** 1.5])
def test_a_function_is_a_loss(loss):
    assert dp.solve(USER.replace(loss=dp.CountDesign(5, alpha="1/2", loss=loss).loss)).value == pytest.approx(
        dp.solve(USER).value, rel=1e-14
    )


def test_a_data_frame_is_a_loss():
    table = pd.DataFrame(abs(np.subtract.outer(np.arange(6), np.arange(6))))
    assert dp.solve(dp.CountDesign(5, alpha="1/2", loss=table)).value == dp.solve(dp.CountDesign(5, alpha="1/2")).value


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"prior": pd.Series([2, 2, 2, 1, 1, 3]).value_counts()}, r"index of the prior must be 0, 1, 2, … .*got \[2, 1, 3\]"),
        ({"loss": pd.DataFrame(np.ones((6, 6)), columns=range(1, 7))}, "columns of the loss must be 0, 1, 2"),
        ({"prior": pd.Series([1.0, np.nan, 1, 1, 1, 1])}, "must be finite and not negative, got nan for 1"),
        ({"loss": lambda i, r: "much"}, "must be a number"),
    ],
)
def test_what_would_be_taken_for_something_else_is_refused(wrong, words):
    with pytest.raises(dp.InputError, match=words):
        dp.CountDesign(5, alpha="1/2", **wrong)


def test_a_function_is_not_asked_for_ever():
    with pytest.raises(dp.InputError, match=f"at most {LARGEST_CALLED_N}, got 5000; give an array"):
        dp.CountDesign(5000, epsilon=1, loss=lambda i, r: abs(i - r))


@pytest.mark.parametrize(
    "design",
    [
        dp.CountDesign(1000, epsilon=0.1, prior=np.random.default_rng(1).random(1001)),
        dp.CountDesign(1000, epsilon=0.1, prior=list(np.random.default_rng(1).random(1001)), loss=np.ones((1001, 1001))),
        USER,
        dp.NoiseDesign(epsilon=1),
        dp.HistogramDesign.starting(),
        dp.ChoiceDesign.starting(),
    ],
)
def test_one_line_says_what_it_is(design):
    outcome = dp.solve(design)
    assert "\n" not in repr(design) and "\n" not in repr(outcome)
    assert len(repr(outcome)) < 300 and (len(repr(design)) < 200 or not isinstance(design, dp.CountDesign))
    assert repr(outcome).startswith(f"<{type(outcome).__name__}: ")


def test_a_representation_is_python_where_it_is_short():
    assert eval(repr(USER), vars(dp)) == USER


@pytest.mark.parametrize(
    "design", [USER.replace(name="<b>&"), dp.NoiseDesign("integer", epsilon=1), dp.HistogramDesign.starting()]
)
def test_a_page_has_value_table_and_proof(design):
    outcome = dp.solve(design)
    page = outcome._repr_html_()
    assert page.count("<table") == page.count("</table>") >= 2 and "<b>" not in page
    assert repr(float(next(iter(outcome.findings.values())).value)) in page
    assert ("rows sum to exactly 1" in page) == (design.kind == "count")


def test_a_page_of_a_large_design_is_small():
    assert len(dp.solve(dp.CountDesign(1000, epsilon=0.5))._repr_html_()) < 4000


def test_the_table_is_the_one_that_export_writes_and_proves():
    outcome = dp.solve(USER)
    found = dp.verify([line.split(",")[1:] for line in outcome.table().splitlines()[1:]], alpha="1/2")
    assert found.passed and np.abs(found.matrix - outcome.mechanism).max() < 1e-14
    assert "1/" in dp.solve(dp.CountDesign(3, alpha="1/2")).table(fractions=True)
    with pytest.raises(dp.InputError, match="formats of a table of Count are csv, tsv, json, tex, curve, py, opendp, r, got xls"):
        outcome.table("xls")


def test_pictures():
    outcome = dp.solve(USER)
    axes = outcome.plot()
    assert axes.images and axes.get_xlabel() == "released result"
    again = outcome.plot("prior", axes=mpl.pyplot.subplots()[1])
    assert again.lines[0].get_ydata().sum() == pytest.approx(1)
    noise = dp.solve(dp.NoiseDesign(epsilon=1)).plot()
    assert [text.get_text() for text in noise.get_legend().get_texts()] == ["staircase", "Laplace"]
    assert dp.solve(dp.NoiseDesign("integer", epsilon=1)).plot().get_title() == "Probabilities"
    with pytest.raises(dp.InputError, match="must be one of mechanism, prior, remap, got nothing"):
        outcome.plot("nothing")
    mpl.pyplot.close("all")


def test_doubles_stand_for_themselves():
    asked = {"epsilon": "ln 2"}
    assert dp.verify([["2/3", "1/3"], ["1/3", "2/3"]], **asked).passed
    assert not dp.verify(np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]]), **asked).verification.stochastic
    assert dp.verify(pd.DataFrame([[0.75, 0.25], [0.5, 0.5]]), **asked).passed
    assert dp.verify([[0.5, 0.5], [1, 0]]).epsilon == np.inf
    assert not dp.verify([[0.5, 0.5], [1, 0]]).passed
    for wrong in ("no such file.csv", 3, ["12", "34"], [], [[1, 2], [3]], [[None]]):
        with pytest.raises(dp.InputError):
            dp.verify(wrong)


def test_a_table_that_is_read_releases(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(dp.solve(USER).table(), "utf-8")
    table = dp.read_table(path)
    assert 0.69 < table.epsilon <= np.log(2) + 1e-15 and table.matrix.shape == (6, 6)
    drawn = Counter(dp.release(table, 0) for _ in range(4000))
    expected = table.matrix[0] * 4000
    assert not set(drawn) - set(np.flatnonzero(expected).tolist())
    assert sum((drawn[r] - expected[r]) ** 2 / expected[r] for r in np.flatnonzero(expected)) < 40
    path.write_text("1,2\n3,4\n", "utf-8")
    with pytest.raises(dp.InputError, match=r"table.csv is not a mechanism: "):
        dp.read_table(path)


@pytest.mark.parametrize("mechanism", [USER, dp.solve(USER), dp.linear_program(USER).compact_mechanism])
def test_releases_are_checked(mechanism):
    assert all(dp.release(mechanism, count) in range(6) for count in (0, np.int64(5)))
    for wrong in (-1, 6, 9, 2.0, "3", None, True):
        with pytest.raises(dp.InputError, match="must be a whole number"):
            dp.release(mechanism, wrong)


def test_other_kinds_release_what_they_can():
    assert isinstance(dp.release(dp.NoiseDesign("integer", epsilon=20), 10**20), int)
    assert dp.release(dp.NoiseDesign("integer", epsilon=200), 10) == 10
    assert len(dp.release(dp.HistogramDesign("0..3", epsilon=1))) == 4
    assert [dp.release(dp.ChoiceDesign([[99, 0], [0, 99]], epsilon=99), row) for row in (0, 1)] == [0, 1]
    for wrong, words in (
        ((dp.NoiseDesign(epsilon=1),), "only exact draws can be released"),
        ((dp.HistogramDesign("0..3", epsilon=1), 3), "there must be no count, got 3"),
        ((dp.ChoiceDesign([27, 22, 19], epsilon=1), 100), "there must be no count, got 100"),
        ((dp.AuctionDesign([3, 5, 8], cap=10, epsilon=1), 3), "an auction design releases its own data"),
        ((dp.ChoiceDesign([[9, 0], [0, 9]], epsilon=1),), "must be a whole number, got nothing"),
        ((np.eye(3), 1), "a mechanism must be an outcome, a design or a table"),
    ):
        with pytest.raises(dp.InputError, match=words):
            dp.release(*wrong)


def test_what_must_be_known_of_a_release_is_said(caplog):
    for design, words in (
        (dp.HistogramDesign("0..3", epsilon=1), "this is noise to add to the true count of each cell"),
        (dp.ChoiceDesign([27, 22, 19], epsilon=1, rule="exponential-cacm"), "not proved to have the requested epsilon"),
    ):
        caplog.clear()
        dp.release(design)
        assert [record.levelname for record in caplog.records] == ["WARNING"] and words in caplog.text
    caplog.clear()
    dp.release(dp.ChoiceDesign([27, 22, 19], epsilon=1))
    assert not caplog.records


def test_the_epsilon_for_an_aim():
    design = dp.CountDesign(20, epsilon=3)
    epsilon = dp.epsilon_for(design, loss="1.2")
    value = dp.solve(design.replace(epsilon=epsilon)).value
    assert value <= 1.2 < dp.solve(design.replace(epsilon=epsilon * 0.9999)).value
    with pytest.raises(dp.InputError, match="cannot be below 0"):
        dp.epsilon_for(design, loss=-1)
    with pytest.raises(dp.InputError, match="for count designs"):
        dp.epsilon_for(dp.NoiseDesign(epsilon=1), loss=1)


def test_a_window_needs_a_screen(monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    with pytest.raises(dp.InputError, match="needs a display"):
        dp.edit(USER)


def test_what_was_saved_in_the_window_comes_back(monkeypatch):
    monkeypatch.setattr("dpdesigner.notebook.share.has_display", lambda: True)
    edited = USER.replace(alpha="1/3")
    monkeypatch.setattr(subprocess, "run", lambda words, **_: dp.save([edited], words[-1]))
    assert dp.edit(USER) == edited


def test_without_matplotlib_one_sentence_says_what_to_install():
    program = (
        "import sys\nfor name in ('matplotlib', 'PySide6', 'pyqtgraph'): sys.modules[name] = None\nimport dpdesigner as dp\n"
        "try: dp.solve(dp.CountDesign(3, epsilon=1)).plot()\nexcept dp.InputError as error: print(error)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"pictures in a notebook need matplotlib: pip install 'dpdesigner\[plot\]'\.\n", found.stdout)


@pytest.mark.parametrize("half", [Decimal("0.5"), np.array(0.5), np.float32(0.5), np.array("1/2")])
def test_decimals_and_arrays_of_one_number_are_numbers(half):
    def loss(i, r):
        return abs(i - r) / 2 if isinstance(half, np.ndarray) else half * abs(i - r)

    same = dp.CountDesign(5, epsilon=half, prior=[half] * 6, loss=loss, delta=half)
    assert same.privacy.exact_epsilon == Fraction(1, 2) == same.uncovered and dp.CountDesign.from_json(same.to_json()) == same
    noise = dp.NoiseDesign("real", epsilon=half, sensitivity=half, gamma=half, delta=half)
    assert noise.period == 0.5 and dp.NoiseDesign.from_json(json.loads(json.dumps(noise.to_json()))) == noise
    assert dp.IntervalDesign([half, 1], epsilon=half, error=half).privacy.epsilon == 0.5
    assert dp.epsilon_for(USER, loss=half) == dp.epsilon_for(USER, loss="1/2")
    assert dp.AuctionDesign([half, 1], epsilon=half, cap=half).run().cap == 0.5


@pytest.mark.parametrize("wrong", [Decimal("NaN"), np.array([0.5]), np.array("x"), None])
def test_what_is_no_number_gets_one_sentence(wrong):
    with pytest.raises(dp.InputError, match=r"^[^.]*epsilon[^.]*(\.[^.]+)*\.$"):
        dp.CountDesign(5, epsilon=wrong)


def test_a_prior_by_value_or_with_one_column():
    same = dp.CountDesign(5, alpha="1/2", prior=[0, 2, 0, Fraction(1, 2), 0, 0])
    assert dp.CountDesign(5, alpha="1/2", prior={1: 2, np.int64(3): Fraction(1, 2)}) == same
    assert dp.CountDesign(5, alpha="1/2", prior=pd.DataFrame({"p": WEIGHTS})) == dp.CountDesign(5, alpha="1/2", prior=WEIGHTS)


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ({6: 1}, "every value of the prior must be a whole number between 0 and 5, got 6."),
        ({"a": 1}, "every value of the prior must be a whole number between 0 and 5, got 'a'."),
        (scipy.stats.poisson, "with its parameters, for example scipy.stats.poisson(3), got poisson without them."),
        (scipy.stats.norm(2, 1), "must be a discrete distribution or the weights of 0..n, got a continuous distribution"),
        (scipy.stats.norm, "must be a discrete distribution"),
    ],
)
def test_other_distributions_are_refused(prior, words):
    with pytest.raises(dp.InputError) as refused:
        dp.CountDesign(5, alpha="1/2", prior=prior)
    assert words in str(refused.value) and refused.value.field == "prior"


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        (lambda i: i, r"the loss at i = 0, r = 0 .* called with i and r, raised TypeError"),
        (lambda i, r: 1 / (i - r + 2), r"the loss at i = 0, r = 2 .* raised ZeroDivisionError \(division by zero\)\.$"),
        (lambda i, r: None if r else 0, r"the loss at i = 0, r = 1 must be a number like 0.2, 1/3 or 20%, got None"),
        (lambda i, r: [i], r"the loss at i = 0, r = 0 must be a number"),
    ],
)
def test_a_function_that_fails_is_told_where(loss, words):
    with pytest.raises(dp.InputError, match=words) as refused:
        dp.CountDesign(5, alpha="1/2", loss=loss)
    assert refused.value.field == "loss"


def test_an_answer_is_verified_and_doubles_say_why_they_fail():
    result = dp.solve(dp.CountDesign(5, epsilon=Decimal("0.7")))
    assert dp.verify(result).passed and dp.verify(result).requested == result.design.privacy and not dp.verify(result).note
    assert dp.verify(result.table(), epsilon="0.7").passed
    assert not dp.verify(result, epsilon="0.6").passed
    failed = dp.verify(result.mechanism, epsilon="0.7")
    assert not failed.passed and "its entries are doubles, which are rounded: verify the answer itself" in repr(failed)
    assert "doubles" not in repr(dp.verify([["1/3", "2/3"], ["2/3", "1/3"]], epsilon="0.1"))
    with pytest.raises(dp.InputError, match="a noise design has no mechanism table to verify"):
        dp.verify(dp.solve(dp.NoiseDesign("real", epsilon=1)))
    with pytest.raises(dp.InputError, match=r"a design with delta is verified by dpdesigner\.inspect"):
        dp.verify(dp.solve(dp.CountDesign(3, epsilon=1, delta="0.1")))


def test_a_choice_is_released_by_name():
    labelled = pd.Series([900, 2, 3], index=["f", "g", "h"])
    assert (
        dp.ChoiceDesign(labelled, epsilon=5).names == ("f", "g", "h") and dp.release(dp.ChoiceDesign(labelled, epsilon=5)) == "f"
    )
    assert dp.release(dp.ChoiceDesign([900, 2], names=["yes", "no"], epsilon=5)) == "yes"
    assert dp.release(dp.ChoiceDesign([900, 2], epsilon=5)) == 0
    counted = {"path": Path("example:survey_1996.csv"), "column": "vote", "categories": ["0", "1"]}
    assert dp.release(dp.ChoiceDesign(**counted, neighbours="changes", epsilon=1)) in ("0", "1")


def test_files_are_given_as_paths(tmp_path):
    table = tmp_path / "ages.csv"
    table.write_text("age,bid\n3,1\n5,2\n")
    cells = {"cells": "0, 4", "column": "age", "epsilon": 1}
    assert dp.HistogramDesign(path=table, **cells) == dp.HistogramDesign(path=str(table), **cells)
    assert dp.solve(dp.AuctionDesign(path=table, column="bid", cap=9, epsilon=1)).demand.bidders == 2
    columns = [dp.IntervalDesign({"path": path, "column": "age"}, epsilon=1).column for path in (table, str(table))]
    assert columns[0] == columns[1]
    rows = tmp_path / "rows.csv"
    rows.write_text("1,0\n0,1\n")
    assert dp.NetDesign([1, 2], queries=rows, epsilon=1).queries == f"file: {rows}"
    assert dp.HalfspaceDesign(rows, epsilon=1).points == f"file: {rows}" and dp.InspectDesign(rows).table == f"file: {rows}"


def test_from_parquet_to_a_released_histogram_in_five_lines(tmp_path):
    path = tmp_path / "survey.parquet"
    pd.DataFrame({"age": [17, 18, 40, 64, 65, 90] * 50}).to_parquet(path)
    script = f"""\
import pandas as pd, dpdesigner as dp
ages = pd.read_parquet({str(path)!r})["age"]
design = dp.HistogramDesign(values=ages, cells=[0, 18, 65], epsilon=1)
print(dp.solve(design).findings["within"].value)
print(dp.release(design))
"""
    assert len(script.splitlines()) == 5
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True)
    within, released = done.stdout.splitlines()
    counts = json.loads(released)
    assert not done.stderr and within == "±3" and len(counts) == 3
    assert sum(abs(a - b) for a, b in zip(counts, [50, 150, 100], strict=True)) < 60


RIPE = pd.Series([3, 70, None, 17, 18], dtype="Int64")


@pytest.mark.parametrize(
    "values",
    [RIPE, RIPE.astype(float), RIPE.iloc[::-1], [3, None, 70, 17, 18], np.array([3, 70, 17, 18]), [Decimal(3), "70", 17.0, 18]],
)
def test_values_are_counted_in_cells(values):
    design = dp.HistogramDesign([0, 18, 65], values=values, epsilon=700)
    assert design.cells == "0, 18, 65" and design.counts == (2, 1, 1) and dp.release(design) == [2, 1, 1]
    assert design == dp.HistogramDesign("0, 18, 65", counts=[2, 1, 1], epsilon=700)
    assert dp.HistogramDesign("0, 18, 65", epsilon=700).replace(values=values) == design


def test_cells_and_counts_come_as_they_are():
    edges = [0, "1/2", 0.75, Decimal("1.5")]
    for cells in (edges, tuple(edges), pd.Series(edges), np.array(edges, dtype=object)):
        assert dp.HistogramDesign(cells, epsilon=1).cells == "0, 1/2, 0.75, 1.5"
    assert dp.HistogramDesign(np.arange(3), epsilon=1).cells == "0, 1, 2" == dp.HistogramDesign(range(3), epsilon=1).cells
    counts, borders = np.histogram([1, 2, 2, 3], bins=[0, 2, 4])
    assert dp.HistogramDesign(borders[:-1], counts=counts, epsilon=1).counts == (1, 3)
    assert dp.HistogramDesign([0, 2], counts=pd.Series([1, 3]), epsilon=1).counts == (1, 3)


def test_texts_are_counted_in_categories_and_labels_are_categories():
    answers = pd.Series(["yes", "no", "yes", None, "maybe"])
    listed = dp.HistogramDesign(categories=["yes", "no"], values=answers, epsilon=1)
    assert listed.counts == (2, 1, 2) and listed.title(2) == "any other" and dp.solve(listed).keeps
    found = dp.HistogramDesign(counts=answers.value_counts(), epsilon=1)
    assert found.categories[0] == "yes" and found.counts == (2, 1, 1) and found.listed == "data" and not dp.solve(found).keeps
    public = dp.HistogramDesign(counts={"yes": 2, "no": 1}, listed="public", epsilon=1)
    assert public.categories == ("yes", "no") and dp.solve(public).keeps
    ordered = dp.HistogramDesign(counts=answers.value_counts(), categories=["no", "yes", "never"], epsilon=1)
    assert ordered.counts == (1, 2, 0, 1) and ordered.listed == "public"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"values": [1]}, "values are counted in cells or categories, which must be given and not taken from the values"),
        ({"values": [1], "cells": [0], "counts": [1]}, "a histogram has values, counts or a file to count from, got more"),
        ({"values": [1, "x"], "cells": [0]}, "must be a number, got 'x' in row 2"),
        (
            {"values": ["x"], "categories": ["y"], "outside": "refuse"},
            "must contain one of the categories, but 1 row holds none of them",
        ),
        (
            {"counts": pd.Series([1, 2], index=[5, 3]), "cells": [0, 1]},
            "the index of the counts must be 0, 1, 2, … in this order",
        ),
        ({"counts": [1, 2, 3], "cells": [0, 1]}, "there must be one count per cell, 2, got 3"),
        ({"cells": [3, 1]}, "must be 1 to 200 increasing lower edges"),
        ({"cells": [3, "x"]}, "every cell must be a number like"),
    ],
)
def test_what_cannot_be_counted_is_refused(given, words):
    with pytest.raises(dp.InputError, match=re.escape(words)):
        dp.HistogramDesign(**given, epsilon=1)


def test_a_missing_file_or_column_is_refused_when_it_is_solved(tmp_path):
    table = tmp_path / "people.csv"
    table.write_text("age\n3\n")
    assert dp.solve(dp.HistogramDesign("0, 18", path=table, column="age", epsilon=1)).cells == 2
    for path, column, words in (
        (tmp_path / "none.csv", "age", "there is no such file"),
        (table, "Age", "must have a column named 'Age'; its columns are age."),
    ):
        with pytest.raises(dp.InputError, match=re.escape(words)):
            dp.solve(dp.HistogramDesign("0, 18", path=path, column=column, epsilon=1))
