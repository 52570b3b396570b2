"""What is taken away of a made-up column: the column with its name and statement, and nothing computed from the real one."""

import csv
import json

import pytest

from dpdesigner.desktop.output.reports import write_report
from dpdesigner.files.export import export_of
from dpdesigner.studies.synthetic.design import IntervalDesign
from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign
from dpdesigner.studies.synthetic.net_design import NetDesign
from dpdesigner.studies.synthetic.rectangle import RectangleDesign

#: A column whose place and whose worst interval nothing else has.
COLUMN = [17] * 311 + [93] * 302


def written(folder, **changes):
    design = IntervalDesign(
        **{"column": COLUMN, "low": 0, "high": 128, "bits": 7, "method": "laplace", "epsilon": "1/10", **changes}
    )
    found = export_of(design)
    files = found.write(folder, "made up", ["csv", "tsv", "json", "tex"])
    return found, {file.path.name: file.path.read_text("utf-8") for file in files}


def test_the_column_is_written_with_its_statement(tmp_path):
    found, files = written(tmp_path)
    rows = list(csv.reader(files["made-up.csv"].splitlines()))
    assert rows[0] == ["value"] and [float(row[0]) for row in rows[1:]] == found.outcome.synthetic.tolist()
    statement = files["made-up-privacy.txt"]
    assert "epsilon = 0.1" in statement and "operating system's entropy" in statement and "six standard errors" in statement
    data = json.loads(files["made-up.json"])
    assert data["design"]["column"] == "value" and len(data["tables"]["synthetic"]) == 614
    assert data["details"]["statement"] == statement.splitlines()


def test_the_column_keeps_its_name(tmp_path):
    _, files = written(tmp_path, column={"path": "example:survey_1996.csv", "column": "age"})
    assert (
        files["made-up.csv"].startswith("age\n") and "944 synthetic rows of age, 0 to below 128" in files["made-up-privacy.txt"]
    )
    assert "survey_1996" not in "".join(files.values())


def test_the_report_compares_the_error_bounds_of_all_methods(tmp_path):
    found = written(tmp_path)[0]
    listing = found.listings()[-1]
    assert listing.title == "Error bounds of all methods" and listing.note == "The bounds do not depend on the real column."
    rows = dict(listing.rows)
    assert rows["Weights"] == rows["Quantiles"] == "no bound" and rows["Cell by cell"] == f"{found.outcome.facts.bound_rows} rows"
    write_report("Ages", [found], [tmp_path / "ages.html"])
    page = (tmp_path / "ages.html").read_text("utf-8")
    assert page.index("Error bounds of all methods") < page.index("Histogram"), "on the first page, behind the main picture"


def test_a_report_on_a_small_database_says_why_it_has_no_alternatives():
    kept, told = (export_of(NetDesign([2, 1, 1], epsilon=1, size=2, real_errors=each)) for each in ("kept", "published"))
    assert kept.proof()[-1] == "No alternatives are listed: their errors are computed from the real database."
    assert all("alternatives" not in line for line in told.proof())


def test_a_seed_is_told(tmp_path):
    found, files = written(tmp_path, seed=5)
    assert "Not for publication: seed 5" in files["made-up-privacy.txt"]
    assert not found.release(1).exact and "study only" in found.release(1).warning


def test_nothing_of_the_real_column_is_written(tmp_path):
    found, files = written(tmp_path)
    worst = found.outcome.facts.worst
    for text in files.values():
        assert "worst" not in text and "really" not in text and f"{worst.error / 613!r}" not in text
    asked = files["made-up-asked.csv"]
    assert asked.count("\n") == 2
    titles = {panel.key for panel in found.panels()}
    assert titles == {"total", "histogram", "budget"}
    assert all(not line.secret for panel in found.panels() for line in panel.lines)
    assert all(not panel.bands or panel.key == "budget" for panel in found.panels())


def test_the_real_error_is_written_where_that_is_asked_for(tmp_path):
    found, files = written(tmp_path, real_errors="published")
    facts, statement = found.outcome.facts, files["made-up-privacy.txt"]
    off = abs(facts.worst.error)
    assert f"error {off}, the largest" in statement
    assert "Warning: the measured error is included, which is not private" in statement
    assert json.loads(files["made-up.json"])["findings"]["worst-error"] == off / 613
    others = [text for name, text in files.items() if name not in ("made-up-privacy.txt", "made-up.json")]
    assert all("real" not in text.replace("the real", "") for text in others)  # the real counts themselves are in none
    assert {line.name for panel in found.panels() for line in panel.lines} == {"synthetic", "ε used"}


@pytest.mark.parametrize("method", ["laplace", "blr"])
def test_releases_are_drawn_anew(method):
    found = export_of(IntervalDesign([1, 2, 3, 3], 0, 4, 2, method=method, epsilon=1))
    drawn = found.release(3)
    assert drawn.exact and "epsilon = 3" in drawn.warning and [len(values) for values in drawn.values] == [4, 4, 4]


def four(**changes):
    """A small design of each kind that releases synthetic data of people."""
    return (
        IntervalDesign(COLUMN, 0, 128, 7, method="laplace", epsilon="1/10", **changes),
        RectangleDesign([1, 2, 3] * 60, second=[3, 2, 1] * 60, high=4, high2=4, bits=2, epsilon="1/10", **changes),
        NetDesign([20, 10, 10], epsilon="1/10", size=2, **changes),
        HalfspaceDesign([[1, 2], [-3, 1], [2, -1]] * 60, epsilon="1/10", projections=3, directions=4, **changes),
    )


@pytest.mark.parametrize("kind", range(4))
def test_a_statement_says_what_the_badge_says_and_has_no_markup(tmp_path, kind):
    for errors in ("kept", "published"):
        found = export_of(four(real_errors=errors)[kind])
        answer = found.outcome
        files = {file.path.name: file.path.read_text("utf-8") for file in found.write(tmp_path / errors, "made", ["csv"])}
        told, checks = (answer.given.statement(), files["made-privacy.txt"]), answer.checks
        for statement in told:
            assert "epsilon = 0.1" in statement and "<" not in statement and "&" not in statement
            assert ("not private with its measured error" in statement.lower()) == (errors == "published")
            assert ("measured error is included, which is not private" in statement) == (errors == "published")
        assert (answer.badge[0] == "not private with its measured error") == (errors == "published")
        assert checks[0].startswith("✗ the measured error is included" if errors == "published" else "✓")
        assert any("ε = 0.1" in check and check.startswith("✓ private") for check in checks) == (errors == "kept" and kind != 2)
