"""The first page of a report: the main picture, what the alternatives cost, and every picture is the one of its title."""

from __future__ import annotations

import re
from pathlib import Path

from pytestqt.qtbot import QtBot

from dpdesigner.desktop.output.reports import write_report
from dpdesigner.files.export import export_of
from dpdesigner.files.project import example, read_project
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.study import Study
from dpdesigner.studies.synthetic.net_design import NetDesign


def page(path: Path, design: Study) -> str:
    write_report("A report", [export_of(design)], [path])
    return path.read_text("utf-8")


def test_what_the_alternatives_cost_stands_on_the_first_page(qtbot: QtBot, tmp_path: Path) -> None:
    (ages,) = read_project(example("survey-ages").path).studies
    one = "1 with 33.3%, within ±1 with 83.3%"  # 1/3 and 5/6, rounded down
    for design, first, second in (
        (CountDesign(5, alpha="1/2"), f"Example: what is released if the true count is 1: {one}", "Accuracy"),
        (ages, "What is given away: synthetic rows in each cell", "Error bounds of all methods"),
        (NoiseDesign(epsilon=1), "Density of the noise", "Expected error"),
        (HistogramDesign("0..5", epsilon=1), "Probability of the noise", "Expected error"),
    ):
        front, _, rest = page(tmp_path / "it.html", design).partition("<h3>Figures</h3>")
        assert re.findall("<figcaption>(.*?)</figcaption>", front) == [first, second]
        assert second not in re.findall("<figcaption>(.*?)</figcaption>", rest)


def test_pictures_of_the_same_widget_are_different(qtbot: QtBot, tmp_path: Path) -> None:
    pictures = re.findall(
        r'<img src="(data:image/svg[^"]*)"', page(tmp_path / "it.html", CountDesign(5, alpha="1/2", prior="poisson:3"))
    )
    assert len(pictures) == len(set(pictures)) > 4


def test_of_an_audit_the_first_page_shows_how_many_values_are_certain(qtbot: QtBot, tmp_path: Path) -> None:
    (design,) = read_project(example("published-tables").path).studies
    front, _, rest = page(tmp_path / "it.html", design).partition("<h3>Details</h3>")
    follow = "the values of 39 of 200 people follow. 22 answers expose everybody they count. Publish noisy "
    assert f"If the 81 published counts are exact, {follow}" in front
    listed = rest.partition("<b>Answers that expose all they count.</b> ")[2].partition("</p>")[0].split("; ")
    assert len(listed) == 22 and listed[0] == "9: 2 people" and "Answers that expose all they count." not in front
    left = "If you leave out every answer that alone exposes somebody, 39 of 200 values stay certain"
    assert f"<b>What to do.</b> Publish noisy counts. {left}" in front
    (title,) = re.findall("<figcaption>(.*?)</figcaption>", front)
    assert title.startswith("Certain values: 39 of 200 values are certain; filled: certain") and "<h4>Checked</h4>" in front


def test_of_a_small_database_the_first_page_shows_the_rows_that_were_drawn(qtbot: QtBot, tmp_path: Path) -> None:
    front, _, _ = page(tmp_path / "it.html", NetDesign((3, 1, 0, 2), size=2, epsilon=1)).partition("<h3>Figures</h3>")
    assert "2 made-up rows replace 6 real ones. At ε = 1, their error has no useful bound." in front
    assert re.findall("<figcaption>(.*?)</figcaption>", front) == ["2 rows drawn, 6 real"]


def test_of_levels_the_first_page_shows_levels(qtbot: QtBot, tmp_path: Path) -> None:
    (design,) = read_project(example("staff-partners-public").path).studies
    front, _, _ = page(tmp_path / "it.html", design).partition("<h3>Figures</h3>")
    assert re.findall("<figcaption>(.*?)</figcaption>", front) == ["staff, if the true count is 10", "Expected loss of Auditor"]
