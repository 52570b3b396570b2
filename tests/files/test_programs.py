"""Programs that release without this one, run against the library that each is for."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from scipy.stats import chisquare

import dpdesigner as dp
from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.files.programs import sampler, table_program
from dpdesigner.studies.choice.design import ChoiceDesign

DRAWS = 4000
USER = dp.CountDesign(n=5, alpha="1/2", prior=["1/4", 0, "1/4", 0, "1/4", "1/4"], loss="power:1.5", name='"""\nimport os # ')
RATIONAL = dp.CountDesign(n=30, epsilon="0.3", prior="binomial:0.3")
OUTSIDE = dp.CountDesign(n=4, epsilon=1, loss="expression: (i - r) % 2")
COUNTS = [USER, RATIONAL, OUTSIDE]
INTEGER = dp.NoiseDesign("integer", epsilon=1, sensitivity=3)


def written(design, language, folder: Path) -> Path:
    file, *tests = export_of(design).write(folder, "program", [language])
    assert [each.path.name for each in tests] in ([], [f"test_{file.path.name}"])
    return file.path


def run(path: Path, *words: object) -> str:
    found = subprocess.run([sys.executable, "-W", "ignore", path, *map(str, words)], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout


def imported(path: Path) -> dict:
    names: dict = {"__name__": "program"}
    exec(compile(path.read_text("utf-8"), path.name, "exec"), names)
    return names


def fits(draws, row) -> None:
    """By the chi-square of the outputs that are not rare, at a level of one in a million."""
    seen, expected = Counter(map(int, draws)), np.asarray(row) * len(draws)
    assert not {r for r in seen if not 0 <= r < len(row) or expected[r] == 0}
    often = [r for r in range(len(row)) if expected[r] > 5]
    statistic = sum((seen[r] - expected[r]) ** 2 / expected[r] for r in often)
    assert statistic < scipy.stats.chi2.isf(1e-6, len(often))


def test_a_measurement_of_opendp_answers_every_integer_with_an_epsilon_that_is_never_too_small(tmp_path):
    design = dp.CountDesign(n=5, epsilon="0.7", loss="expression: (i - r) % 2")
    measurement = imported(written(design, "opendp", tmp_path))["measurement"]
    assert {measurement(count) for count in (-(2**31), -1, 6, 2**31 - 1)} <= set(range(6))
    fits([measurement(-3) for _ in range(DRAWS)], row_of(design, 0))
    one = Fraction(measurement.map(1))
    assert one <= Fraction(export_of(design).outcome.mechanism.privacy.epsilon_above)
    for distance in range(1, 50):
        assert Fraction(measurement.map(distance)) >= distance * one
    noise = imported(written(INTEGER, "opendp", tmp_path))["measurement"]
    assert all(-(2**31) <= noise(end) < 2**31 for end in (-(2**31), 2**31 - 1) for _ in range(200))
    assert [Fraction(noise.map(distance)) for distance in (1, 3, 4, 7)] == [1, 1, 2, 3]


def row_of(design, count):
    return export_of(design).outcome.mechanism.row(count)


@pytest.mark.parametrize("design", COUNTS, ids=["alpha", "epsilon", "table"])
def test_python_releases_a_count(design, tmp_path):
    path = written(design, "py", tmp_path)
    release = imported(path)["release"]
    for count in (0, design.n // 2):
        fits([release(count) for _ in range(DRAWS)], row_of(design, count))
    assert 0 <= int(run(path, design.n)) <= design.n
    bare = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert bare.returncode == 1 and bare.stderr == f"usage: python {path} COUNT\n"
    for wrong in (-1, design.n + 1, 2.0, True, "1"):
        with pytest.raises(ValueError, match="must be a whole number between 0 and"):
            release(wrong)


@pytest.mark.parametrize("design", COUNTS, ids=["alpha", "epsilon", "table"])
def test_opendp_releases_a_count_with_the_epsilon_asked(design, tmp_path):
    path = written(design, "opendp", tmp_path)
    measurement = imported(path)["measurement"]
    asked = export_of(design).outcome.mechanism.privacy.epsilon_above
    assert asked * (1 - 1e-12) <= measurement.map(1) <= asked * (1 + 1e-15)
    for count in (0, design.n // 2):
        fits([measurement(count) for _ in range(DRAWS)], row_of(design, count))
    assert "epsilon" in run(path, 1)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
@pytest.mark.parametrize("design", COUNTS, ids=["alpha", "epsilon", "table"])
def test_r_simulates_a_count(design, tmp_path):
    path = written(design, "r", tmp_path)
    for count in (0, design.n // 2):
        found = subprocess.run(["Rscript", path, str(count), str(DRAWS)], capture_output=True, text=True, check=True)
        fits(found.stdout.split(), row_of(design, count))
    assert subprocess.run(["Rscript", path, "-1"], capture_output=True).returncode


def noise_row(design, reach=200):
    """Probabilities of the noise from -reach to reach, beyond which nobody will see it, by the definition of the staircase."""
    outcome = dp.solve(design)
    b, period, split = np.exp(-design.epsilon), int(design.reach / design.grid), outcome.split
    sizes = abs(np.arange(-reach, reach + 1))
    weights = b ** (sizes // period) * np.where(sizes % period < split, 1.0, b)
    return weights / (2 * (split + (period - split) * b) / (1 - b) - 1), reach


def test_integer_noise(tmp_path):
    row, reach = noise_row(INTEGER)
    assert row.sum() == pytest.approx(1, abs=1e-4)
    draw = imported(written(INTEGER, "py", tmp_path))["draw"]
    fits([draw() + reach for _ in range(DRAWS)], row)
    path = written(INTEGER, "opendp", tmp_path)
    measurement = imported(path)["measurement"]
    fits([measurement(10) - 10 + reach for _ in range(DRAWS)], row)
    assert measurement.map(3) == 1 and measurement.map(4) == 2 and "epsilon 1" in run(path)
    if shutil.which("Rscript"):
        words = ["Rscript", written(INTEGER, "r", tmp_path), str(DRAWS)]
        drawn = subprocess.run(words, capture_output=True, text=True, check=True)
        fits([int(value) + reach for value in drawn.stdout.split()], row)


@pytest.mark.parametrize(("step", "form"), [("0.1", Decimal), ("0.25", Decimal), ("1/3", Fraction)])
@pytest.mark.parametrize("language", ["py", "opendp"])
def test_a_program_publishes_an_answer_in_its_unit(tmp_path, step, form, language):
    design = dp.NoiseDesign("real", sensitivity="1", step=step, unit="hours", epsilon="1")
    program = imported(written(design, language, tmp_path))
    publish = program["publish"]
    published = [publish(answer) for answer in ("37.06", 37, Fraction(3706, 100), Decimal("37.06"))]
    assert all(type(each) is form and Fraction(each) % Fraction(step) == 0 for each in published)
    for wrong in (37.06, True, None):
        with pytest.raises(ValueError, match="the answer must be text"):
            publish(wrong)
    row, reach = noise_row(design)
    rounded = math.floor(Fraction("37.06") / Fraction(step) + Fraction(1, 2)) * Fraction(step)
    fits([int((Fraction(publish("37.06")) - rounded) / Fraction(step)) + reach for _ in range(DRAWS)], row)


def test_a_program_in_steps_says_how_an_answer_becomes_whole_steps():
    steps = dp.NoiseDesign("real", sensitivity="1/6", step="0.1", unit="hours", epsilon="1", basis="one\nimport os")
    for language in ("py", "opendp", "r"):
        text = export_of(steps).program(language)
        said = " ".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("#"))
        assert "Rounding to steps of 0.1 hours, halves up" in said and "rounded up to 0.2 hours." in said
        assert "# one" in text and "\nimport os" not in text, "a reason cannot become a line of the program"
    assert "0.2 hours." in sampler(steps.run())
    whole = export_of(dp.NoiseDesign("integer", sensitivity=3, epsilon=1)).program("py")
    assert "publish" not in whole and "Add draw() to the true" in whole


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_real_noise_is_simulated(tmp_path):
    design = dp.NoiseDesign("real", epsilon=1, sensitivity=2)
    drawn = subprocess.run(["Rscript", written(design, "r", tmp_path), str(DRAWS)], capture_output=True, text=True, check=True)
    sizes = abs(np.array(drawn.stdout.split(), dtype=float))
    assert sizes.mean() == pytest.approx(dp.solve(design).cost, rel=0.1)


def test_what_there_is_no_program_for(tmp_path):
    for design, language, words in (
        (dp.NoiseDesign(epsilon=1), "opendp", "integer noise"),
        (dp.CountDesign(5, alpha=1), "py", "above 0 and finite"),
        (dp.NoiseDesign("integer", epsilon=1, dimension=1).replace(query="real", dimension=2), "py", "single answers"),
        (dp.AuctionDesign([1, 2], cap=3, epsilon=1), "py", "got py"),
    ):
        with pytest.raises(dp.InputError, match=words):
            written(design, language, tmp_path)
    assert not list(tmp_path.iterdir())
    with pytest.raises(dp.InputError, match="at most 200, got 250"):
        table_program("py", dp.solve(dp.CountDesign(250, epsilon=1)).compact_mechanism, "")


def test_a_large_count_has_a_short_program(tmp_path):
    design = dp.CountDesign(100_000, epsilon="0.01")
    path = written(design, "py", tmp_path)
    assert path.stat().st_size < 5000 and 0 <= imported(path)["release"](50_000) <= 100_000


def test_the_command_line_writes_them(tmp_path):
    dp.save([USER, INTEGER], tmp_path / "two.dpd")
    words = ["export", tmp_path / "two.dpd", "--to", tmp_path / "out", "--formats", "py,opendp,r"]
    found = subprocess.run([sys.executable, "-m", "dpdesigner", *map(str, words)], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    names = {path.name for path in (tmp_path / "out").iterdir()}
    programs = {name for k in (1, 2) for name in (f"two_{k}.py", f"two_{k}_opendp.py", f"two-{k}.R")}
    assert names == programs | {f"test_{name}" for name in programs if name.endswith(".py")}


@pytest.mark.parametrize(
    ("name", "file"), [("Rent in the district", "rent_in_the_district"), ("2024", "program_2024"), ("class", "program_class")]
)
def test_a_python_program_can_be_imported_by_its_name(tmp_path, name, file):
    export_of(HALVES).write(tmp_path, name, ["py", "r"])
    programs = {path.name for path in tmp_path.iterdir()}
    assert {f"{file}.py", f"test_{file}.py"} < programs and f"{name.replace(' ', '-')}.R" in programs
    done = subprocess.run([sys.executable, "-c", f"import {file}; {file}.draw()"], cwd=tmp_path, capture_output=True, text=True)
    assert not done.stderr


HALVES = dp.NoiseDesign("integer", epsilon="ln 2", sensitivity=3)
CELLS = dp.HistogramDesign("0, 18, 65", neighbours="replace", epsilon="1/3")


@pytest.mark.parametrize("language", ["py", "opendp", "r"])
def test_halving_noise_is_exact(language, tmp_path):
    """At epsilon = ln 2 a period is left with probability 1/2, which needs no exponential."""
    row, reach = noise_row(HALVES)
    path = written(HALVES, language, tmp_path)
    if language == "r":
        if shutil.which("Rscript") is None:
            pytest.skip("R is not installed")
        found = subprocess.run(["Rscript", path, str(DRAWS)], capture_output=True, text=True, check=True).stdout.split()
        return fits([int(value) + reach for value in found], row)
    names = imported(path)
    assert names["ALPHA"] == Fraction(1, 2)
    draw = names["draw"] if language == "py" else lambda: names["measurement"](0)
    return fits([draw() + reach for _ in range(DRAWS)], row)


@pytest.mark.parametrize("language", ["py", "opendp"])
def test_histograms_have_the_noise_of_their_cells(language, tmp_path):
    outcome, reach = dp.solve(CELLS), 200
    alpha = outcome.cell_privacy.alpha
    row = (1 - alpha) / (1 + alpha) * alpha ** abs(np.arange(-reach, reach + 1.0))
    names = imported(written(CELLS, language, tmp_path))
    release = names["release"] if language == "py" else names["measurement"]
    counts = [7, 0, 3, 5][: outcome.cells]
    found = np.array([release(counts) for _ in range(DRAWS)]) - counts
    for cell in range(outcome.cells):
        fits(found[:, cell] + reach, row)
    if language == "opendp":
        assert names["measurement"].map(2) <= 1 / 3
    else:
        with pytest.raises(ValueError, match="one for each cell"):
            release([1])
    text = written(CELLS, language, tmp_path).read_text("utf-8")
    titles = ", ".join(map(CELLS.title, range(CELLS.size)))
    assert f"Give the counts in the order of the cells: {titles}." in text


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r_simulates_a_histogram(tmp_path):
    design = dp.HistogramDesign("0, 18, 65", neighbours="replace", epsilon="ln 3", counts=[7, 0, 3])
    many = dp.HistogramDesign("0..150", epsilon="ln 3", neighbours="replace")
    path = written(many, "r", tmp_path)
    cells = dp.solve(many).cells
    runs = [subprocess.run(["Rscript", path, *["9"] * cells], capture_output=True, text=True, check=True) for _ in range(5)]
    drawn = np.array([int(value) - 9 for found in runs for value in found.stdout.split()])
    alpha, reach = dp.solve(design).cell_privacy.alpha, 200
    assert len(drawn) == 5 * cells
    fits(drawn + reach, (1 - alpha) / (1 + alpha) * alpha ** abs(np.arange(-reach, reach + 1.0)))


def test_opendp_says_no_more_than_was_asked(tmp_path):
    for epsilon in ("1/3", "0.7", "ln 2", "1/7"):
        design = dp.CountDesign(3, epsilon=epsilon)
        assert imported(written(design, "opendp", tmp_path))["measurement"].map(1) <= design.privacy.epsilon


EVERY = {
    "alpha": USER,
    "table": OUTSIDE,
    "long": dp.CountDesign(4, epsilon=f"0.3{'0' * 90}1"),
    "delta": dp.CountDesign(4, epsilon=1, delta="0.01"),
    "noise": INTEGER,
    "half": HALVES,
    "real": dp.NoiseDesign(epsilon=1),
    "cells": CELLS,
    "flip": dp.ChoiceDesign((3, 0), names=("yes", "no, never"), epsilon=1),
    "exponential": dp.ChoiceDesign((3, 0), rule="exponential", epsilon=1),
}


def test_programs_are_formatted_typed_and_documented_and_their_own_tests_pass(tmp_path):
    pytest.importorskip("ruff")
    pytest.importorskip("mypy")
    for name, design in EVERY.items():
        for language in ("py", "opendp"):
            try:
                export_of(design).write(tmp_path, name, [language])
            except dp.InputError:
                assert (name, language) in {("delta", "opendp"), ("real", "opendp"), ("exponential", "opendp")}
    files = sorted(tmp_path.glob("*.py"))
    assert len(files) == 33
    for path in files:
        first, second, *_ = path.read_text("utf-8").splitlines()
        assert first.startswith("# ") and second.startswith(f"# Made by dpdesigner {dp.__version__}. Inputs: SHA-256 ")
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "format", "--isolated", "--check", *files], check=True, capture_output=True)
    rules = "E,F,W,I,D,ANN,UP,B,N"
    subprocess.run([*ruff, "check", "--isolated", "--select", rules, "--ignore", "D203,D213,E501", *files], check=True)
    plain = [path for path in files if "opendp" not in path.name and not path.name.startswith("test_")]
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--scripts-are-modules", *plain], capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout
    tests = [path for path in files if path.name.startswith("test_")]
    words = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", tmp_path, "-p", "no:cacheprovider", *tests]
    found = subprocess.run([*map(str, words), "-n", "0"], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout


def test_a_wrong_program_fails_its_test(tmp_path):
    """The test beside a program notices other probabilities."""
    path = written(USER, "py", tmp_path)
    path.write_text(path.read_text("utf-8").replace('Fraction("1/2")', 'Fraction("1/3")'), "utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "-p", "no:cacheprovider", "-n", "0"]
    found = subprocess.run([*words, str(tmp_path / f"test_{path.name}")], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 1 and "1 failed, 5 passed" in found.stdout


def test_the_checksum_is_of_what_may_be_published(tmp_path):
    with_data, other = (dp.HistogramDesign("0, 18, 65", counts=counts, epsilon=1) for counts in ([3, 4, 5], [4, 4, 5]))
    assert export_of(with_data).program("py") == export_of(other).program("py")
    assert export_of(USER).program("py") != export_of(USER.replace(n=6, prior="uniform")).program("py")


@pytest.mark.parametrize("rule", ["permute-and-flip", "exponential"])
def test_pythons_chooses_as_often_as_the_chances_say(rule: str) -> None:
    design = ChoiceDesign((3, "1/2", 0), rule=rule, alpha="1/3", neighbours="joins")
    program = export_of(design).program("py")
    assert "[3, 1, 0]" in program and "248" not in export_of(ChoiceDesign.starting()).program("py"), (
        "the design's utilities are not in it"
    )
    space: dict[str, object] = {"__name__": "program"}
    exec(program, space)
    counts = np.bincount([space["choose"]([3, "1/2", 0]) for _ in range(3000)], minlength=3)  # type: ignore[operator]
    assert chisquare(counts, design.run().rule.probabilities * 3000).pvalue > 1e-5


def test_opendps_has_the_scale_of_the_rule() -> None:
    program = export_of(ChoiceDesign((3, 0), epsilon="1/2", sensitivity=3, neighbours="changes")).program("opendp")
    assert "scale=12.0" in program and "monotonic=False" in program and "make_noisy_max" in program
    compile(program, "program", "exec")


def test_opendp_chooses_as_often_as_the_chances_say() -> None:
    design = ChoiceDesign((3, 1, 0), epsilon="1/2", neighbours="changes")
    space: dict[str, object] = {"__name__": "program"}
    exec(export_of(design).program("opendp"), space)
    choose = space["choose"]
    counts = np.bincount([choose([3.0, 1.0, 0.0]) for _ in range(3000)], minlength=3)  # type: ignore[operator]
    assert chisquare(counts, design.run().rules["permute-and-flip"].probabilities * 3000).pvalue > 1e-5


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
@pytest.mark.parametrize("rule", ["permute-and-flip", "exponential"])
def test_r_simulates_it(rule: str, tmp_path: Path) -> None:
    design = ChoiceDesign((3, 1, 0), rule=rule, epsilon=1)
    (file,) = export_of(design).write(tmp_path, "choice", ["r"])
    drawn = subprocess.run(["Rscript", file.path, "3000"], capture_output=True, text=True, check=True)
    counts = np.bincount([int(word) - 1 for word in drawn.stdout.split()], minlength=3)
    assert chisquare(counts, design.run().rule.probabilities * 3000).pvalue > 1e-5


@pytest.mark.parametrize("language", ["py", "opendp"])
def test_pythons_programs_have_the_names_of_public_options(language: str, tmp_path: Path) -> None:
    names = ('say "yes" or\\no', "☂ – it’s raining")
    space: dict[str, object] = {"__name__": "program"}
    exec(export_of(ChoiceDesign((3, 0), names=names, epsilon=1)).program(language), space)
    assert space["OPTIONS"] == list(names)
    (tmp_path / "answers.csv").write_text("answer\nseldom\nnever\n")
    own = ChoiceDesign(path=str(tmp_path / "answers.csv"), column="answer", epsilon=1)
    assert "seldom" not in export_of(own).program(language), "the list was read from the data"
    fixed = export_of(own.replace(categories=["seldom", "often"])).program(language)
    assert "never" not in fixed and '    "seldom",\n    "often",\n' in fixed


def test_rs_program_has_the_names_of_public_options() -> None:
    program = export_of(ChoiceDesign((3, 0), names=('say "yes"', "no"), epsilon=1)).program("r")
    assert 'OPTIONS <- c(\n    "say \\"yes\\"",\n    "no"\n)\n' in program


@pytest.mark.parametrize("language", ["py", "opendp", "r"])
def test_a_name_cannot_become_a_line_of_the_program(language: str) -> None:
    name = '"""\nimport os; os.abort() #'
    program = export_of(ChoiceDesign((3, 0), epsilon=1, name=name)).program(language)
    assert [line for line in program.splitlines() if "os.abort" in line] == [program.splitlines()[0]]
    assert program.startswith("# ")


@pytest.mark.parametrize(
    ("changes", "language"),
    [({"rule": "noisy-max-laplace"}, "py"), ({"rule": "staircase"}, "py"), ({"rule": "exponential"}, "opendp")],
)
def test_others_are_refused_in_a_sentence(changes: dict[str, str], language: str) -> None:
    with pytest.raises(InputError, match=r"written for|available for"):
        export_of(ChoiceDesign.starting(**changes)).program(language)
