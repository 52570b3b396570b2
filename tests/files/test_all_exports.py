"""One way out: what has been computed is not computed again, and what is written is written all or not at all."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpdesigner.errors import Cancelled, InputError
from dpdesigner.files import atomic, count_export
from dpdesigner.files.export import export_of
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.answer import linear_program
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_counts import release_counts
from dpdesigner.studies.noise.histogram_design import HistogramDesign, Released
from dpdesigner.studies.snapshot import Found

PAPER = CountDesign(5, alpha="1/2", prior=["1/4", 0, "1/4", 0, "1/4", "1/4"], loss="power:1.5", name="Paper")
PARITY = CountDesign(5, alpha="1/3", loss="expression:(i-r)%2", name="Parity")
STUDIES = [
    PAPER,
    PARITY,
    NoiseDesign(name="Noise", epsilon=1),
    HistogramDesign.starting(name="People"),
    ChoiceDesign.starting(name="Choice"),
]
EVERY = ("csv", "tsv", "json", "tex")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_what_a_page_has_computed_is_not_computed_again_and_gives_the_same_files(
    study: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_of(study).write(tmp_path / "a", "x", EVERY)
    done = {"solve": study.run(), "lp_check": linear_program(study) if study is PARITY else None}

    def never(*given: object, **named: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(count_export, "solve", never)
    monkeypatch.setattr(count_export, "linear_program", never)
    if study.kind != "count":
        monkeypatch.setattr(type(study), "run", never)
    solved = export_of(study, done=done)
    solved.write(tmp_path / "b", "x", EVERY)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert solved.computed()["solve"] is done["solve"]


def test_what_was_done_for_another_study_is_left_out() -> None:
    old = solve(PAPER)
    solved = export_of(PAPER.replace(n=5, alpha="1/3"), done={"solve": old, "draws": SimpleNamespace(values=[1])})
    assert solved.outcome.solved is not old and solved.outcome.design.privacy.exact_alpha == solved.study.privacy.exact_alpha
    assert set(solved.done) == {"draws"}


def test_fractions_that_a_page_has_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    study = PAPER.replace(loss="squared")
    exact = solve(study, exact=True)
    assert export_of(study, done={"solve": solve(study), "exact": exact}, exact=None).outcome.solved is exact


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_each_format_says_what_is_written(study: Any, tmp_path: Path) -> None:
    solved = export_of(study)
    for key, words in solved.formats.items():
        written = solved.write(tmp_path / key, "x", [key])
        ending = "csv" if key == "curve" else key
        assert ending in {item.path.suffix[1:] for item in written} and all(item.path.exists() for item in written)
        proved = [item for item in written if item.path.suffix == ".json" and "sha256" in _proof(item.path)]
        assert bool(proved) == ("its proof" in words.title) == ("checksum" in words.holds)
        assert ("roof" in words.holds) <= all("every row sums to exactly 1" in item.statement for item in written)


def _proof(path: Path) -> dict[str, Any]:
    proof: dict[str, Any] = json.loads(path.read_text("utf-8"))["details"].get("proof", {})
    return proof


def released(study: HistogramDesign) -> dict[str, Any]:
    counts = (4173, 2689, 6257)
    release = release_counts(counts, study.privacy, "add-remove")
    return {"solve": study.run(), "truth": object(), "release": Found(None, Released(study, release))}


def test_of_a_histogram_what_was_released_is_written_and_nothing_before(tmp_path: Path) -> None:
    study = HistogramDesign("0, 1, 2", epsilon="1e-6", name="People")
    done = released(study)
    export_of(study, done=done).write(tmp_path / "out", "p", EVERY)
    assert sorted(contents(tmp_path / "out")) == ["p-released.csv", "p-released.tex", "p-released.tsv", "p.json"]
    everything = b"".join(contents(tmp_path / "out").values())
    assert not [secret for secret in (b"4173", b"2689", b"6257") if secret in everything]
    other = study.replace(epsilon="2e-6")  # what was released at another level is not this design's
    with pytest.raises(InputError, match="release the histogram first"):
        export_of(other, done=done).write(tmp_path / "other", "p", ["csv"])
    del done["release"]
    with pytest.raises(InputError, match="release the histogram first; its true counts are never exported"):
        export_of(study, done=done).write(tmp_path / "before", "p", ["csv"])
    export_of(study, done=done).write(tmp_path / "pictures", "p", [], beside=[("p.svg", b"<svg/>")])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "pictures"]
    assert "truth" in export_of(study, done=done).computed() and export_of(study, done=done).computed()["truth"] is None


def full(call: int) -> Callable[[Any, bytes], None]:
    """A disk that is full at the so-many-th file."""
    calls: list[object] = []
    real = atomic._Ready.fill

    def fill(file: Any, data: bytes) -> None:
        calls.append(file)
        real(file, data[: len(data) // 2] if len(calls) == call else data)
        if len(calls) == call:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return fill


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_full_disk_leaves_nothing_half_written(study: Any, call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.json").write_text("old")
    solved = export_of(study)
    with monkeypatch.context() as patched:
        for folder in (tmp_path, tmp_path / "new" / "folder"):
            patched.setattr(atomic._Ready, "fill", full(call))
            with pytest.raises(InputError, match=r"could not be written: the disk is full\.$"):
                solved.write(folder, "x", EVERY)
    assert contents(tmp_path) == {"x.json": b"old"}


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_what_is_given_up_half_way_leaves_nothing(study: Any, tmp_path: Path) -> None:
    solved, told = export_of(study), []

    def tell(fraction: float | None, text: str = "") -> None:
        told.append(text)

    solved.write(tmp_path / "whole", "x", EVERY, beside=[("x.png", b"picture")], progress=tell)
    files = len(contents(tmp_path / "whole"))
    assert told[-1] == "" and len(told) == files  # one before each table, and one at the end in place of the picture's

    for last in range(1, files + 1):
        calls: list[str] = []

        def stop(fraction: float | None, text: str = "", last: int = last, calls: list[str] = calls) -> None:
            calls.append(text)
            if len(calls) == last:
                raise Cancelled("cancelled")

        with pytest.raises(Cancelled):
            solved.write(tmp_path / "given-up", "x", EVERY, beside=[("x.png", b"picture")], progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]


def test_a_folder_that_may_not_be_written_into_gets_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: Any, data: bytes) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(atomic._Ready, "fill", refuse)
    with pytest.raises(InputError, match=r"x\.csv could not be written: .*\.$") as caught:
        export_of(PAPER).write(tmp_path, "x", EVERY)
    assert "Errno" not in str(caught.value) and contents(tmp_path) == {}


def test_names_of_options_are_no_commands_of_latex() -> None:
    solved = export_of(ChoiceDesign([[1, 0, 0], [0, 1, 0]], names=["R&D", "50%", "a_b"], epsilon=1))
    (file,) = solved.files("it", ["tex"])
    assert r" & R\&D & 50\% & a b \\" in file.text
