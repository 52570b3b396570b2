"""Programs that release without this one, run against the library that each is for."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import dpdesigner as dp
from dpdesigner.files.export.export import export_of
from dpdesigner.files.export.programs import table_program

DRAWS = 4000
USER = dp.CountDesign(n=5, alpha="1/2", prior=["1/4", 0, "1/4", 0, "1/4", "1/4"], loss="power:1.5", name='"""\nimport os # ')
RATIONAL = dp.CountDesign(n=30, epsilon="0.3", prior="binomial:0.3")
OUTSIDE = dp.CountDesign(n=4, epsilon=1, loss="expression: (i - r) % 2")
COUNTS = [USER, RATIONAL, OUTSIDE]
INTEGER = dp.NoiseDesign("integer", epsilon=1, sensitivity=3)


def written(design, language, folder: Path) -> Path:
    (file,) = export_of(design).write(folder, "program", [language])
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
    b, period, split = np.exp(-design.epsilon), int(design.sensitivity), outcome.split
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
        (dp.HistogramDesign.starting(), "py", "csv, tsv, json, tex, got py"),
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
    assert len(list((tmp_path / "out").iterdir())) == 6
