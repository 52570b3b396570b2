"""Histograms of texts: the list is public, other rows have a cell or are refused, and a list of the data is said to be one."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.noise.discrete_staircase import tally
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.files.project import Project, dumps_project, loads_project
from dpdesigner.studies.findings import describe_finding
from dpdesigner.studies.noise.histogram_answer import categories_in
from dpdesigner.studies.noise.histogram_conversion import counting
from dpdesigner.studies.noise.histogram_counts import read_truth, release_counts
from dpdesigner.studies.noise.histogram_design import HistogramDesign, Released
from dpdesigner.studies.noise.histogram_run import pair, verdict
from dpdesigner.studies.snapshot import Found

ADMISSIONS: dict[str, Any] = {"path": "example:admissions_1973.csv", "column": "department"}
#: Applicants by department, as Bickel, Hammel and O'Connell (1975) print them.
DEPARTMENTS = {"A": 933, "B": 585, "C": 918, "D": 792, "E": 584, "F": 714}


def people(folder: Path, *rows: str) -> str:
    path = folder / "people.csv"
    path.write_text("\n".join(["answer,age", *(f"{row},1" for row in rows), ""]), "utf-8")
    return str(path)


def test_the_published_counts_are_counted() -> None:
    listed = HistogramDesign(categories=list(DEPARTMENTS), outside="refuse", **ADMISSIONS, epsilon=1)
    assert read_truth(listed.source).counts.tolist() == list(DEPARTMENTS.values())
    decisions = HistogramDesign(categories="rejected, admitted", path=ADMISSIONS["path"], column="decision", epsilon=1)
    assert read_truth(decisions.source).counts.tolist() == [2771, 1755, 0]


def test_rows_that_hold_none_have_a_cell_of_their_own() -> None:
    some = HistogramDesign(categories="F, A", **ADMISSIONS, epsilon=1)
    assert (some.size, [some.title(cell) for cell in range(3)]) == (3, ["F", "A", "any other"])
    assert read_truth(some.source).counts.tolist() == [714, 933, 4526 - 714 - 933]
    none = HistogramDesign(categories=(), **ADMISSIONS, epsilon=1)
    assert none.size == 1 and read_truth(none.source).counts.tolist() == [4526]


def test_rows_that_hold_none_are_refused_without_telling_what_they_hold(tmp_path: Path) -> None:
    path = people(tmp_path, "yes", "no", "Marker", "", "YES")
    found = HistogramDesign(categories="yes, no", path=path, column="answer", epsilon=1)
    assert read_truth(found.source).counts.tolist() == [1, 1, 3]
    with pytest.raises(InputError, match=r"must contain one of the categories, but 3 rows hold none of them; ") as caught:
        read_truth(found.replace(outside="refuse").source)
    assert "Marker" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"categories": "yes, yes"}, "categories", "category once"),
        ({"categories": ["yes", ""]}, "categories", "1 to 100 characters"),
        ({"categories": [1.5]}, "categories", "must be a text"),
        ({"categories": [None]}, "categories", "must be a text"),
        ({"categories": {"yes": 1}}, "categories", "must be a list of at most 200 texts"),
        ({"categories": list(range(200))}, "categories", "there must be 0 to 199 categories where other rows are counted too"),
        ({"categories": [], "outside": "refuse"}, "categories", "there must be 1 to 200 categories where other rows are refused"),
        ({"categories": ["any other"]}, "categories", "must not name 'any other'"),
        ({"categories": "a", "outside": "drop"}, "outside", "must be one of other, refuse, got 'drop'"),
        ({"categories": "a", "listed": "secret"}, "listed", "must be one of public, data, got 'secret'"),
        ({"categories": "a, b", "counts": [1, 2]}, "counts", "one count per cell, 3, got 2"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], field: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        HistogramDesign.starting(**changes)
    assert caught.value.field == field


@pytest.mark.parametrize(
    "design",
    [
        HistogramDesign(categories="yes, no", outside="refuse", **ADMISSIONS, epsilon=1),
        HistogramDesign(categories=(), epsilon=1),
        HistogramDesign(categories=[0, 1], listed="data", counts=[4, 5, 6], epsilon=1),
    ],
)
def test_designs_are_read_back_from_files(design: HistogramDesign) -> None:
    text = dumps_project(Project((design,)))
    assert loads_project(text).studies == (design,)
    numbers = dumps_project(Project((HistogramDesign.starting(),)))
    assert "outside" not in numbers and "categories" not in numbers


def test_a_list_of_the_data_is_said_to_be_one() -> None:
    public = HistogramDesign(categories=categories_in(**ADMISSIONS), **ADMISSIONS, epsilon=1)
    assert public.categories == tuple(DEPARTMENTS)
    kept, told = public.run(), public.replace(listed="data").run()
    assert kept.keeps and kept.findings["epsilon"].state == "proved" and kept.badge[1] == "proved"
    assert not told.keeps and told.findings["epsilon"].state == "open" and told.badge == ("the list is not private", "open")
    assert told.findings["proof"].state == "open" and "not of the list" in told.findings["epsilon"].label
    taken = export_of(told.design)
    assert "taken from the data" in dict(taken.facts())["list"] and "taken from the data" in taken.proof()[0]
    assert taken.inputs()["listed"] == "data" and "taken from the data" in taken.release(1).warning
    assert "taken from the data" not in export_of(public).release(1).warning


def test_more_than_can_be_listed_is_not_taken_from_the_data(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at most 199 categories, got 250 in the data"):
        categories_in(people(tmp_path, *(f"p{k}" for k in range(250))), "answer")


def test_a_release_is_named_by_its_categories(tmp_path: Path) -> None:
    texts = ["a,b", '50 % & "more"', "x_1"]
    design = HistogramDesign(categories=texts, epsilon=30, counts=[5, 6, 7, 8])
    once = design.run().release(read_truth(design.source))
    found = export_of(design, done={"release": Found(None, once)})
    files = {file.name.rpartition(".")[2]: file.text for file in found.files("people", ["csv", "tsv", "json", "tex"])}
    for wanted, separator in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.reader(io.StringIO(files[wanted]), delimiter=separator))
        assert rows[0][:2] == ["category", "released"] and [row[0] for row in rows[1:]] == [*texts, "any other"]
        assert [int(row[1]) for row in rows[1:]] == once.release.released.tolist()
    assert r'50 \% \& "more" & ' in files["tex"] and r"x\_1" in files["tex"]
    drawn = export_of(design).release(2)
    assert drawn.names == (*texts, "any other") and all(len(value) == 4 for value in drawn.values if isinstance(value, list))


def test_another_column_is_counted_by_what_it_holds(tmp_path: Path) -> None:
    path = people(tmp_path, "yes", "no")
    texts = counting(HistogramDesign("0..5", epsilon=1), {"path": path, "column": "answer"})
    assert (texts.categories, texts.outside, texts.listed) == (("no", "yes"), "other", "data")
    numbers = counting(texts.replace(categories="yes, no", outside="refuse"), {"column": "age"})
    fitting = HistogramDesign.of_column(path, "age")
    assert (numbers.categories, numbers.outside) == (None, "other")
    assert (numbers.cells, numbers.listed) == (fitting.cells, fitting.listed)
    with pytest.raises(InputError, match="could not be read"):
        counting(texts, {"path": str(tmp_path / "gone.csv"), "column": "age"})


VALUES = np.repeat(np.arange(40.0), 25)
EDGES = np.arange(0.0, 40.0)


@pytest.mark.parametrize(("neighbours", "sensitivity"), [("add-remove", 1), ("replace", 2)])
def test_release(neighbours: str, sensitivity: int) -> None:
    below = random.Random(9).randrange
    level = PrivacyLevel.from_epsilon("1/2")
    release = release_counts(tally(VALUES, EDGES), level, neighbours, below)  # type: ignore[arg-type]
    assert release.truth.tolist() == [25] * 40
    assert release.cell_privacy.epsilon == pytest.approx(0.5 / sensitivity)
    assert release.expected_error == pytest.approx(1 / np.sinh(0.5 / sensitivity))
    assert np.abs(release.released - release.truth).mean() == pytest.approx(release.expected_error, rel=0.6)
    assert not release.truth.flags.writeable and not release.released.flags.writeable


def test_without_privacy_it_is_the_truth() -> None:
    release = release_counts(tally(VALUES, [0, 10, 30]), PrivacyLevel.from_epsilon("inf"), "replace")
    assert release.released.tolist() == release.truth.tolist() == [250, 500, 250]
    assert np.abs(release.released - release.truth).mean() == release.expected_error == 0


def test_bad_input() -> None:
    with pytest.raises(InputError):
        release_counts([1], PrivacyLevel.from_epsilon(0), "replace")
    with pytest.raises(InputError):
        release_counts([1], PrivacyLevel.from_epsilon(1), "both")  # type: ignore[arg-type]


def test_a_release_stays_that_of_its_design_where_the_truth_is_stored_with_it() -> None:
    design = HistogramDesign("0..10", path="example:doctor_visits.csv", column="visits", epsilon=1)
    truth = read_truth(design.source)
    counts, stored = tuple(truth.counts.tolist()), design.replace(counts=tuple(truth.counts.tolist()))
    for made, other in ((design.run().release(truth), stored), (stored.run().release(read_truth(stored.source)), design)):
        assert made.releases(design) and made.releases(stored) and made.releases(other.replace(name="other"))
        assert not made.releases(stored.replace(counts=(counts[0] + 1, *counts[1:])))
        assert not made.releases(other.replace(epsilon=2)) and not made.releases(other.replace(neighbours="replace"))
    alone = HistogramDesign("0, 1", counts=[3, 4], epsilon=1)
    assert not alone.run().release(read_truth(alone.source)).releases(alone.replace(counts=None))


def test_own_rows_do_not_keep_the_unit_of_an_example(tmp_path):
    path = tmp_path / "falls.csv"
    path.write_text("id,falls\n1,2\n2,0\n", "utf-8")
    example = HistogramDesign("0..13", epsilon=1, path="example:doctor_visits.csv", column="visits", unit="person-years")
    assert counting(example, {"column": "visits"}).unit == "person-years"
    own = counting(example, {"path": str(path), "column": "falls"})
    assert own.unit == "" and counting(own.replace(unit="weeks"), {"column": "id"}).unit == "weeks"


def test_a_typed_epsilon_is_told_as_typed_and_the_title_of_an_example_goes_with_it(tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text("town,age\nA,1\nB,2\n", "utf-8")
    example = HistogramDesign(path="example:doctor_visits.csv", column="visits", cells="0..13", epsilon="0.3", name="Visits")
    assert describe_finding(example.run().findings["epsilon"]) == "0.3"
    assert HistogramDesign("0..2", epsilon="1/3").run().findings["epsilon"].value > 1 / 3
    own = counting(example, {"path": str(tmp_path / "towns.csv"), "column": "town"})
    assert own.name == "town" and counting(own.replace(name="Mine"), {"column": "town"}).name == "Mine"
    assert counting(own, {"column": "age"}).name == "age", "a title that was set from a column follows it"
    assert counting(own.replace(name="Mine"), {"column": "age"}).name == "Mine"
    assert counting(own.replace(name=""), {"column": "age"}).name == ""


def test_counts_that_are_all_above_the_error_bound_are_said_to_be() -> None:
    answer = HistogramDesign("0..2", epsilon=1, counts=[1000, 2000, 3000]).run()
    (long, *_) = verdict(answer, None, Found(answer, answer.release(read_truth(answer.design.source))))
    assert str(long).endswith("All 3 are clearly above 0.")
    made = answer.release(read_truth(answer.design.source))
    low = Released(answer.design, replace(made.release, released=np.array([4, 5, 6])))
    assert (answer.within(), answer.all_within()) == (3, 4)
    assert str(verdict(answer, None, Found(answer, low))[0]).endswith("1 of 3 are within ±4 of 0, so may be 0."), (
        "4 is above the bound of one cell only"
    )


def test_a_column_that_is_opened_begins_with_its_names_unless_they_are_many(tmp_path: Path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("town,id\n" + "\n".join(f"{'Ulm' if k % 3 else 'Jena'},p{k}" for k in range(90)), "utf-8")
    towns, people = (HistogramDesign.of_column(str(path), column) for column in ("town", "id"))
    assert (towns.categories, towns.listed) == (("Jena", "Ulm"), "data")
    assert (people.categories, people.listed) == ((), "public")


def test_a_simulation_states_how_many_of_its_errors_are_outside_the_bound() -> None:
    answer = HistogramDesign("0..2", epsilon=1, counts=[100, 200, 300]).run()
    truth = np.array([100.0, 200.0, 300.0])
    for far, start in ((4, "1 of 3 outside · ≥ 95% within ±3"), (3, "at least 95% within ±3")):
        drawn = truth + np.array([far, 1, 0])
        hints = [pair(answer, truth, drawn, real=real).plots[1].hint for real in (False, True)]
        assert list(map(str, hints)) == [start, "at least 95% within ±3"]


def test_many_ranges_are_named_by_their_lower_edges() -> None:
    def names(cells: str) -> tuple[str, ...]:
        answer = HistogramDesign(cells, epsilon=1, counts=[5] * HistogramDesign(cells, epsilon=1).size).run()
        return pair(answer, np.full(answer.cells, 5.0), None).plots[0].x.names

    assert names("15..75 by 5")[:2] == ("15", "20") and names("15..75 by 5")[-1] == "75+"
    assert names("10..30 by 10") == ("10 to <20", "20 to <30", "30 or more")
