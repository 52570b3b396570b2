"""The Python interface as the contract names it."""

from __future__ import annotations

import copy
import dataclasses
import doctest
import importlib.util
import inspect
import pickle
import pkgutil
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import published
import pytest

import dpdesigner as dp
from dpdesigner import resources
from dpdesigner.studies.registry import ENTRIES
from dpdesigner.studies.study import design_of

#: Kinds that are in files of users.
IN_FILES = {"count", "noise", "histogram", "choice", "auction", "attack", "synthetic", "rectangle", "net", "halfspace", "exhibit"}


def test_the_contract() -> None:
    design = dp.CountDesign(n=5, alpha="1/2", prior=["1/4", 0, "1/4", 0, "1/4", "1/4"], loss="power:1.5")
    result = dp.solve(design)
    assert isinstance(result.value, float) and abs(result.value - float(published.FIGURE_2_VALUE)) < 1e-14
    assert result.mechanism.shape == result.geometric.shape == (6, 6)
    assert result.mechanism.tolist() == np.array(published.FIGURE_2, dtype=float).tolist()
    assert result.geometric[0].tolist() == [float(entry) for entry in published.GEOMETRIC_ROW]
    assert result.remap.shape == (6,) and result.remap.dtype.kind == "i" and result.remap.tolist() == published.FIGURE_2_REMAP
    assert result.constraints.shape == (5, 6) and result.constraints.tolist() == published.FIGURE_3
    assert 0 <= result.certificate.gap < 1e-13
    assert np.log(2) <= result.epsilon < np.log(2) + 1e-15


def test_the_contract_holds_for_every_kind(tmp_path: Path) -> None:
    assert dp.kinds() == tuple(known.kind for known in ENTRIES) and set(dp.kinds()) >= IN_FILES
    assert all(getattr(dp, known.study.partition(":")[2]) is known.study_class() for known in ENTRIES)
    count, noise = dp.CountDesign(n=5, alpha="1/2", name="mine"), dp.NoiseDesign("integer", epsilon=1, sensitivity=3)
    path = tmp_path / "both.dpd"
    dp.save([count, noise], path)
    assert dp.read(path) == dp.read(str(path)) == [count, noise]
    result = dp.solve(count)
    assert result.design is count and result.findings["value"].value == result.value
    assert list(result.findings) == ["value", "gap", "bound", "basis", "epsilon", "alpha", "method", "theorem_a", "released"]
    assert not hasattr(result, "study") and not hasattr(dp.linear_program(count), "study")
    designs = (
        count,
        noise,
        dp.HistogramDesign("0..3", epsilon=1),
        dp.ChoiceDesign.starting(epsilon=1),
        dp.AuctionDesign.starting(),
        dp.PapersDesign(),
    )
    assert {design.kind for design in designs} <= set(dp.kinds())
    for design in designs:
        solved = dp.solve(design)
        assert solved.design is design and next(iter(solved.findings)) == "value" and solved.findings["value"].value > 0
        assert not hasattr(solved, "study")
    assert dp.solve(noise).cost == noise.run().cost
    assert dp.solve(count, exact=True).findings["value"].value == Fraction(43, 48)
    with pytest.raises(dp.InputError, match="exact arithmetic is for count designs, got a noise design"):
        dp.solve(noise, exact=True)


def test_completion_offers_what_is_public_and_nothing_else() -> None:
    assert dir(dp) == sorted(dp.__all__) and len({*dp.__all__}) == len(dp.__all__)
    assert all(getattr(dp, name) is not None for name in dir(dp))


@pytest.mark.usefixtures("kept_answers")
def test_the_answer_of_every_kind_is_public_and_its_attributes_are_described() -> None:
    for known in ENTRIES:
        answer = type(dp.solve(known.study_class().starting()))
        name = known.study.partition(":")[2].replace("Design", "Answer")
        assert answer is getattr(dp, name, dp.Answer) and answer.__doc__ is not None
        described = re.findall(r"^    ([a-z_, ]+) : ", answer.__doc__.partition("Attributes\n    ----------\n")[2], re.MULTILINE)
        names = {each for line in described for each in line.split(", ")}
        assert {"design", "findings"} <= names | {"findings"} and all(
            hasattr(answer, each) or each in {field.name for field in dataclasses.fields(answer)} for each in names
        )


def test_every_attribute_that_a_dataclass_describes_exists() -> None:
    described = 0
    for info in pkgutil.walk_packages(dp.__path__, "dpdesigner."):
        if info.name.split(".")[1] in ("desktop", "__main__"):
            continue
        module = importlib.import_module(info.name)
        for made in vars(module).values():
            if isinstance(made, type) and dataclasses.is_dataclass(made) and made.__module__ == module.__name__:
                section = (made.__doc__ or "").partition("Attributes\n    ----------\n")[2]
                lines = re.findall(r"^    ([a-z_0-9, ]+) : ", section, re.MULTILINE)
                known = {*dir(made), *inspect.get_annotations(made), *(field.name for field in dataclasses.fields(made))}
                assert {name for line in lines for name in line.split(", ")} <= known, made
                described += bool(lines)
    assert described > 100


@pytest.mark.parametrize("wrong", ["count", 7, None])
def test_what_is_no_design_is_refused_in_one_sentence(tmp_path: Path, wrong: object) -> None:
    with pytest.raises(dp.InputError, match=r"^a design.*got"):
        dp.solve(wrong)
    for given in (wrong, [dp.CountDesign(2, alpha="1/2"), wrong], []):
        with pytest.raises(dp.InputError, match=r"^[^.]*\.$"):
            dp.save(given, tmp_path / "x.dpd")
    with pytest.raises(dp.InputError):
        dp.read(tmp_path / "x.dpd")
    assert not list(tmp_path.iterdir())


#: Public names that are told by what they come from, and so need no example of their own.
TOLD_ELSEWHERE = {
    "Cancelled",
    "DpDesignerError",
    "InputError",
    "ProofError",
    "LinearProgramCheck",
    "VerifiedTable",
    "edit",
} | {name for name in dp.__all__ if name.endswith("Answer")}


@pytest.mark.parametrize("name", sorted({*dp.__all__, "dpdesigner", "dpdesigner.desktop.base.translation"} - {"__version__"}))
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    if name in dp.__all__:
        what = getattr(dp, name)
        found = doctest.DocTestFinder(recurse=False).find(what, name, globs={**vars(sys.modules[what.__module__]), "dp": dp})
    else:
        found = doctest.DocTestFinder().find(importlib.import_module(name))
    runner = doctest.DocTestRunner()
    for test in found:
        runner.run(test)
    assert not runner.failures, f"the example in the docstring of {name} is not true"
    assert runner.tries or name in TOLD_ELSEWHERE, f"the docstring of {name}, which is public, needs an example (>>>)"


def test_the_help_page_of_the_python_interface_is_made_of_its_docstrings() -> None:
    """Make it anew with python3 packaging/reference.py."""
    root = Path(__file__).resolve().parent.parent
    spec = importlib.util.spec_from_file_location("reference", root / "packaging" / "reference.py")
    assert spec is not None and spec.loader is not None
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    written = resources.path("help", "python.html").read_text("utf-8")
    assert written == reference.page(), "make the page anew: python3 packaging/reference.py"


def test_exact() -> None:
    result = dp.solve(dp.CountDesign(n=5, epsilon="ln 2", prior="uniform", loss="absolute"), exact=True)
    assert result.value == Fraction(43, 48) and result.certificate.gap == 0
    assert all(isinstance(entry, Fraction) for row in result.mechanism for entry in row)
    assert result.mechanism.tolist() == result.geometric.tolist() and result.geometric[0].tolist() == published.GEOMETRIC_ROW


def test_the_lp_check() -> None:
    design = dp.CountDesign(**published.FIGURE_2_USER)
    lp_check, result = dp.linear_program(design), dp.solve(design)
    assert abs(lp_check.value - result.value) < 1e-8
    assert np.abs(lp_check.mechanism - result.mechanism).max() < 1e-6
    assert 0 <= lp_check.gap < 1e-6 and lp_check.repair_cost < 1e-6 and lp_check.epsilon <= result.epsilon


def test_errors_are_one_family() -> None:
    assert issubclass(dp.InputError, dp.DpDesignerError) and issubclass(dp.InputError, ValueError)
    assert issubclass(dp.ProofError, dp.DpDesignerError) and issubclass(dp.Cancelled, dp.DpDesignerError)
    error = dp.InputError("alpha must be between 0 and 1, got 2.", "alpha")
    assert (str(error), error.field) == ("alpha must be between 0 and 1, got 2.", "alpha")


def test_names_and_version() -> None:
    assert set(dp.__all__) >= {"CountDesign", "solve", "linear_program", "InputError", "__version__"}
    code = "import dpdesigner; print(sorted(set(dpdesigner.__all__) - set(dir(dpdesigner))))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    assert all(hasattr(dp, name) for name in dp.__all__)
    assert [int(part) for part in dp.__version__.split(".")[:2]]


@pytest.mark.filterwarnings("error")
def test_results_are_short_to_read_frozen_and_can_be_kept() -> None:
    design = dp.CountDesign(n=5, alpha="1/2")
    noises = [
        design.run()
        for design in (
            dp.NoiseDesign(epsilon=1),
            dp.NoiseDesign("integer", epsilon=1),
            dp.HistogramDesign.starting(),
            dp.ChoiceDesign.starting(),
        )
    ]
    for result in (dp.solve(design), dp.solve(design, exact=True), dp.linear_program(design), *noises):
        assert len(repr(result)) < 1500
        given = design_of(result)
        assert design_of(pickle.loads(pickle.dumps(result))) == design_of(copy.deepcopy(result)) == given
        with pytest.raises(dataclasses.FrozenInstanceError):
            result.design = design
        for name in {"mechanism", "geometric", "remap"} & set(dir(result)) if given is design else ():
            with pytest.raises(ValueError, match="read-only"):
                getattr(result, name)[0] = 0


def test_importing_is_light() -> None:
    """No window and no solver before they are asked for."""
    heavy = ("PySide6", "pyqtgraph", "scipy.optimize", "highspy")
    code = f"import sys, dpdesigner; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_noise_is_there_when_it_is_asked_for() -> None:
    study = dp.HistogramDesign("0, 18, 65", "replace", epsilon=1)
    assert study.run().cells == 3 and dp.ChoiceDesign.starting().utilities
    assert dp.NoiseDesign("integer", epsilon=1, sensitivity=3).run().cost == pytest.approx(2.8608324896, abs=1e-10)
    with pytest.raises(AttributeError, match="NoiseStudies"):
        dp.NoiseStudies  # noqa: B018
    code = "import sys, dpdesigner; print('dpdesigner.studies.noise.design' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"
