"""What one release for many readers is exported as: every file is read back by independent code."""

from __future__ import annotations

import csv
import json
import re
import runpy
import subprocess
import sys
from fractions import Fraction as F
from itertools import pairwise
from pathlib import Path

import pytest

import dpdesigner as dp
from dpdesigner.cli import main
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.inspection.reader_results import kernel
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.data.mechanism_tables import parse_table
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.studies.inspect.audience_design import WARD

UNIFORM = {"name": "U", "prior": "uniform", "loss": "absolute"}
AUDITOR = {"name": "Auditor", "minimax": "4..14", "loss": "absolute"}
MANAGER = {
    "name": "Manager",
    "prior": "uniform",
    "loss": [[int(i > 10), 2 * int(i <= 10)] for i in range(21)],
    "labels": ["wait", "act"],
}


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("fractions", [False, True])
def test_every_table_is_private_and_every_remap_a_distribution(tmp_path: Path, fractions: bool) -> None:
    design = dp.AudienceDesign(readers=[*WARD, AUDITOR, MANAGER], n=20, alpha="1/2", name="Ward")
    written = export_of(design).write(tmp_path, "ward", ["csv"], fractions)
    names = sorted(file.path.name for file in written)
    assert len(names) == 12 and "ward-release.csv" in names and "ward-notes.txt" in names
    level = PrivacyLevel("alpha", "1/2")
    release = parse_table((tmp_path / "ward-release.csv").read_text("utf-8"))
    for file in written:
        text = file.path.read_text("utf-8")
        if file.path.name.endswith(".remap.csv"):
            header, *lines = rows(file.path)
            assert header == ["released", "read_as", "probability"] and "sum to exactly 1" in file.statement
            sums: dict[str, F] = {}
            for released, _, chance in lines:
                sums[released] = sums.get(released, F(0)) + F(chance)
            assert sums == {str(j): 1 for j in range(21)}
        elif file.path.suffix == ".csv":
            found = verify_table(parse_table(text))
            assert found.stochastic and found.private(level), file.path.name
    for reader in ("Bed planner", "Auditor"):  # the table of a reader is the release followed by the remap
        stem = reader.replace(" ", "-") if (tmp_path / f"ward-{reader.replace(' ', '-')}.csv").exists() else reader
        induced = parse_table((tmp_path / f"ward-{stem}.csv").read_text("utf-8"))
        remap = {(int(a), int(b)): F(c) for a, b, c in rows(tmp_path / f"ward-{stem}.remap.csv")[1:]}
        for i in (0, 7, 20):
            for r in range(21):
                expected = sum(F(release[i][j]) * remap.get((j, r), 0) for j in range(21))
                assert abs(float(F(induced[i][r]) - expected)) < 1e-12


def test_json_has_lists_and_certificates(tmp_path: Path) -> None:
    design = dp.AudienceDesign(readers=[*WARD, AUDITOR], n=20, alpha="1/2", levels=["ln 4", "ln 2"], name="Ward")
    [file] = export_of(design).write(tmp_path, "ward", ["json"])
    data = json.loads(file.path.read_text("utf-8"))
    assert data["findings"]["Bed planner/remap"][12] == 13 and data["findings"]["Auditor/loss"] == "8404/7327"
    assert len(data["findings"]["kernels"][0]) == 21 and data["details"]["readers"][3]["certificate"]["gap"] == "0"
    assert data["design"]["readers"][3]["minimax"] == "4..14" and len(data["details"]["readers"][3]["least_favourable"]) == 11


@pytest.mark.parametrize(
    ("levels", "fractions"),
    [("staff: ln 4, partners: ln 2, public: ln 4/3", True), ("staff: ln 4, public: ln 4/3", False), ("1, 0.3", False)],
)
def test_all_levels_are_exported_as_a_chain_and_the_numbers_of_each_are_as_private_as_stated(
    tmp_path: Path, levels: str, fractions: bool
) -> None:
    design = dp.AudienceDesign(readers=WARD, n=20, alpha="1/2", name="Ward").replace(n=9, levels=levels)
    written = {file.path.name: file for file in export_of(design).write(tmp_path, "ward", ["csv"], fractions)}
    names = [name for name in written if name.startswith("ward-level-")]
    assert len(names) == len(design.drawn) and names[0].startswith("ward-level-1-")
    product = [[F(int(i == r)) for r in range(10)] for i in range(10)]
    for name, level in zip(names, design.drawn, strict=True):
        table = [[F(cell) for cell in row[1:]] for row in rows(tmp_path / name)[1:]]
        assert all(sum(row) == 1 and min(row) >= 0 for row in table)
        product = [[sum(row[k] * table[k][r] for k in range(10)) for r in range(10)] for row in product]
        found = verify_table(product)
        assert found.private(level.privacy) and f"epsilon is at most {found.epsilon!r}" in written[name].statement
        assert found.epsilon > 0.999 * level.privacy.epsilon, "it gives away no accuracy"
    text = (tmp_path / "ward-levels.txt").read_text("utf-8")
    assert f"Together, epsilon is at most {design.spent.level.epsilon_above!r}." in text and "nothing is drawn from them" in text
    assert (
        all(name in text for name in names) and "where i is the true count" in text and text.count("the number of") == len(names)
    )


def test_the_levels_have_fractions_only_if_all_alphas_are_rational(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rational alpha"):
        export_of(dp.AudienceDesign(readers=WARD, n=20, alpha="1/2", levels="1, ln 2")).write(tmp_path, "ward", ["csv"], True)
    assert not list(tmp_path.iterdir())


def test_the_notes_say_how_each_reader_reads(tmp_path: Path) -> None:
    design = dp.AudienceDesign(readers=WARD, n=20, alpha="1/2", name="Ward")
    export_of(design).write(tmp_path, "ward", ["csv"])
    text = (tmp_path / "ward-notes.txt").read_text("utf-8")
    assert (
        "ε at most 0.693148" in text
        and "Newspaper" in text
        and "For a reader who expects 0 to 20, most likely 6. Expected loss " in text
        and "(share wrong)" in text
        and "14 to 15  15" in text
    )
    assert text.count("among whole counts, no release with this ε has a lower one") == 3


def test_the_chances_of_a_reading_are_percentages_as_in_the_window() -> None:
    outcome = dp.AudienceDesign(readers=[AUDITOR], n=20, alpha="1/2").run()
    shown, text = [read for _, read in outcome.note_rows(0, True) if " or " in read], export_of(outcome.design).note(0)
    assert shown and all(re.fullmatch(r"\d+ \([\d.]+%\) or \d+ \([\d.]+%\)", read) and read in text for read in shown)


def test_the_notes_have_every_level(tmp_path: Path) -> None:
    design = dp.AudienceDesign(readers=[AUDITOR], n=20, alpha="1/2", levels="staff: ln 4, partners: ln 2, public: ln 4/3")
    text = export_of(design).note(0)
    heads = re.findall(r"Auditor: the number given to (\w+), ε at most ([\d.]+)\n", text)
    assert heads == [("staff", "1.3863"), ("partners", "0.693148"), ("public", "0.287683")]
    assert [float(loss) for loss in re.findall(r"Worst loss ([\d.]+) \(mean error, in counts\)[:.]", text)] == [
        0.5259,
        1.147,
        2.1156,
    ]
    alone = export_of(design.replace(levels="", epsilon="ln 4")).note(0)
    assert alone.split("read as", 1)[1].split("\n\n")[0] in text, "as of the level alone"


def test_a_prior_counted_from_data_keeps_its_warning_in_every_file(tmp_path: Path) -> None:
    counted = {"name": "A", "prior": [1, 2, 3], "loss": "absolute", "prior_source": "cases, ward.csv"}
    design = dp.AudienceDesign(readers=[counted, {**counted, "name": "B", "prior_source": ""}], n=2, alpha="1/2")
    assert dp.AudienceDesign.from_json(design.to_json()) == design and design.replace(n=4).readers[0].source == "cases, ward.csv"
    export = export_of(design)
    assert ["The prior of A was counted from data without noise: do not publish" in each for each in export.warnings] == [True]
    assert export.counts_data(design) and not export.counts_data(design.replace(readers=[{**counted, "prior_source": ""}]))
    assert export.warnings[0] in export.sentence and export.data()["details"]["warning"] == export.warnings[0]
    assert "nothing protects" in export.note(0) and "nothing protects" not in export.note(1)


def test_fractions_need_a_rational_alpha(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="rational alpha"):
        export_of(dp.AudienceDesign(readers=WARD, n=20, epsilon="0.7")).write(tmp_path, "ward", ["csv"], True)
    assert not list(tmp_path.iterdir())


def test_outputs_are_drawn_and_an_existing_table_is_not() -> None:
    drawn = export_of(dp.AudienceDesign(readers=WARD, n=20, alpha="1/2")).release(50, "10")
    assert len(drawn.values) == 50 and all(0 <= value <= 20 for value in drawn.values)
    with pytest.raises(InputError, match="--count"):
        export_of(dp.AudienceDesign(readers=WARD, n=20, alpha="1/2")).release(1)
    with pytest.raises(InputError, match="exists already"):
        export_of(dp.AudienceDesign(readers=WARD, table="file: example:laplace_clamped.csv")).release(1, "3")


def test_readers_of_a_table_are_verified_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, readers = tmp_path / "t.csv", tmp_path / "r.csv"
    table.write_text("2/3,1/3\n1/3,2/3\n", "utf-8")
    readers.write_text("name,prior,loss,target\nA,uniform,absolute,0.34\nB,1 3,zero-one,0.2\n", "utf-8")
    assert main(["verify", str(table), "--readers", str(readers), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["missed"] == ["B"] and data["findings"]["A/loss"] == "1/3" and data["findings"]["B/loss"] == "1/4"
    readers.write_text("name,prior,loss,target\nA,uniform,absolute,0.34\n", "utf-8")
    assert main(["verify", str(table), "--readers", str(readers), "--alpha", "1/2"]) == 0
    assert main(["verify", str(table), "--readers", str(readers), "--alpha", "3/4"]) == 1
    assert "less private than asked" in capsys.readouterr().out
    readers.write_text(f"name,prior\nA,{'1 ' * 21}\n", "utf-8")
    assert main(["verify", str(table), "--readers", str(readers)]) == 2, "no prior is stretched"
    table.write_text("2/3,1/2\n1/3,2/3\n", "utf-8")
    assert main(["verify", str(table), "--readers", str(readers)]) == 1
    readers.write_text("", "utf-8")
    assert main(["verify", str(table), "--readers", str(readers)]) == 2
    assert main(["verify", str(table), "--readers", str(readers), "--profile"]) == 2


def test_the_program_of_levels_draws_once_and_each_level_from_the_one_before(tmp_path: Path) -> None:
    design = dp.AudienceDesign(
        readers=[UNIFORM, {"name": "C", "minimax": "all"}], n=4, alpha="1/2", levels="staff: ln 4, public: 1/4"
    )
    written = {file.path.name: file.path for file in export_of(design).write(tmp_path, "ward", ["py"])}
    made = runpy.run_path(str(written["ward.py"]))
    names = [level.title for level in design.drawn]
    assert list(made["LEVELS"]) == names == ["staff", "the release", "public"]
    for (one, other), (a, b) in zip(pairwise(names), pairwise(made["LEVELS"].values()), strict=True):
        assert (one == "staff") == (a == F(1, 4)) and (other == "public") == (b > F(1, 2))
        for number, row in enumerate(kernel(a, b, 4)):
            weights = made["weights_of"](number, a, b)
            assert [F(weight, sum(weights)) for weight in weights] == row, "the exact table between the levels"
    alone = runpy.run_path(str(export_of(design.replace(levels="", epsilon="1/4")).write(tmp_path, "alone", ["py"])[0].path))
    assert made["READINGS"]["public"] == alone["READINGS"]
    done = subprocess.run([sys.executable, str(written["ward.py"]), "2"], capture_output=True, text=True, check=True)
    assert [line.partition(":")[0].strip() for line in done.stdout.splitlines()] == [
        name for level in names for name in (level, "U", "C")
    ]
    tests = [sys.executable, "-m", "pytest", "-q", str(written["test_ward.py"])]
    assert subprocess.run(tests, cwd=tmp_path, check=False).returncode == 0, "the last level has its frequencies"


def test_the_program_releases_once_and_reads_for_everybody(tmp_path: Path) -> None:
    design = dp.AudienceDesign(readers=[*WARD, AUDITOR, MANAGER], n=20, alpha="1/2", name="Ward")
    written = export_of(design).write(tmp_path, "ward", ["py"])
    program = next(file.path for file in written if not file.path.name.startswith("test"))
    done = subprocess.run([sys.executable, str(program), "10"], capture_output=True, text=True, check=True)
    published, *readings = done.stdout.splitlines()
    assert 0 <= int(published) <= 20 and [line.partition(":")[0] for line in readings] == [spec.name for spec in design.readers]
    remap = design.run().findings["Newspaper/remap"].value
    assert readings[1] == f"Newspaper: {remap[int(published)]}"  # type: ignore[index]
    tests = [file.path for file in written if file.path.name.startswith("test")]
    assert (
        tests and subprocess.run([sys.executable, "-m", "pytest", "-q", str(tests[0])], cwd=tmp_path, check=False).returncode == 0
    )
    for wrong in (["opendp"], ["r"]):
        with pytest.raises(InputError, match="Python only"):
            export_of(design).write(tmp_path / "no", "ward", wrong)


def test_a_number_of_a_reader_has_the_name_of_the_reader() -> None:
    labels = [label for label, _ in export_of(dp.AudienceDesign(readers=[*WARD, AUDITOR], n=20, alpha="1/2")).facts()]
    assert len(set(labels)) == len(labels) and {"Bed planner: expected loss", "Newspaper: expected loss"} <= {*labels}
    assert labels[0] == "optimal for"
