"""Programs that choose, run against the library that each is for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare

from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.studies.choice.design import ChoiceDesign


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
