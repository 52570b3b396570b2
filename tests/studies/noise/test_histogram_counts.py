"""Where a histogram's data are found, and what is taken from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.files.project import Project, read_project, write_project
from dpdesigner.studies.noise.histogram_counts import read_truth
from dpdesigner.studies.noise.histogram_design import HistogramDesign


def saved(folder: Path, data: str = "age\n1\n1\n7\n\n", epsilon: float = 1) -> HistogramDesign:
    folder.mkdir()
    (folder / "people.csv").write_text(data)
    study = HistogramDesign("0, 5", epsilon=epsilon, path=str(folder / "people.csv"), column="age")
    write_project(folder / "mine.dpd", Project((study,)))
    return study


def test_data_moved_with_the_project_are_found_beside_it(tmp_path: Path) -> None:
    study = saved(tmp_path / "old")
    assert read_project(tmp_path / "old" / "mine.dpd").studies == (study,)
    (tmp_path / "old").rename(tmp_path / "new")
    (moved,) = read_project(tmp_path / "new" / "mine.dpd").studies
    assert moved.path == str(tmp_path / "new" / "people.csv")
    assert read_truth(moved.source).counts.tolist() == [2, 1]


def test_a_place_on_another_system_is_found_by_its_name(tmp_path: Path) -> None:
    study = saved(tmp_path / "here")
    write_project(tmp_path / "here" / "mine.dpd", Project((study.replace(path=r"C:\data\people.csv"),)))
    (found,) = read_project(tmp_path / "here" / "mine.dpd").studies
    assert read_truth(found.source).counts.tolist() == [2, 1]


def test_data_that_are_gone_keep_their_place(tmp_path: Path) -> None:
    study = saved(tmp_path / "old")
    (tmp_path / "old" / "people.csv").unlink()
    assert read_project(tmp_path / "old" / "mine.dpd").studies == (study,)
    with pytest.raises(InputError, match="there is no such file"):
        export_of(study).release(1)


def test_the_data_are_released_and_their_releases_add_up(tmp_path: Path) -> None:
    study = saved(tmp_path / "old", "age\n" + "1\n" * 30 + "7\n" * 80, epsilon=20)
    (once,) = export_of(study).release(1).values
    assert isinstance(once, list) and abs(once[0] - 30) < 5 and abs(once[1] - 80) < 5
    thrice = export_of(study).release(3)
    assert len(thrice.values) == 3 and thrice.exact and "together they have epsilon = 60, rounded up" in thrice.warning
    assert "epsilon = 2.07945, rounded up" in export_of(study.replace(epsilon="ln 2")).release(3).warning


def test_without_data_it_is_said_that_noise_is_drawn() -> None:
    drawn = export_of(HistogramDesign.starting(epsilon=20)).release(1)
    assert drawn.exact and "to add to the true count of each cell" in drawn.warning


def test_no_picture_needs_the_data(tmp_path: Path) -> None:
    assert export_of(saved(tmp_path / "old")).computed()["truth"] is None
