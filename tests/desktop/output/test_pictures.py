"""Pictures of a design are drawn without a window, with or without an application, for every kind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.output.pictures import (
    SIZE,
    discard,
    draw_figures,
    figure_bytes,
    figures_of,
    hidden_page,
    offscreen_page,
    save_figures,
    show,
)
from dpdesigner.errors import InputError
from dpdesigner.files.export import Export, export_of
from dpdesigner.files.project import examples, read_project
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign

FILES = {example.path.stem: example.path for example in examples()}
PAPER = FILES["paper-user"]


def solved(name: str) -> Export:
    return export_of(read_project(FILES[name]).studies[0])


@pytest.mark.parametrize("name", ["paper-user", "hours-of-sport"])
def test_every_figure_in_every_format(qapp: object, tmp_path: Path, name: str) -> None:
    written = save_figures(solved(name), tmp_path / "new", "a name", ["png", "svg", "pdf"])
    assert len(written) >= 9 and all(path.name.startswith("a-name-") for path in written)
    starts = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
    for path in written:
        assert path.read_bytes().startswith(starts[path.suffix])
    for path in tmp_path.glob("new/*.png"):
        image = QImage(str(path))
        assert image.width() == 2 * SIZE.width()
        assert len({image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}) > 3


def test_what_is_not_computed_yet_makes_no_empty_file(qapp: object) -> None:
    page = hidden_page("count")
    show(page, CountDesign(5, alpha="1/2"), {})
    drawn = dict(draw_figures(page, "early", ["png"]))
    assert len(drawn) >= 3 and all(len(contents) > 500 for contents in drawn.values())
    assert "early-matrix.png" in drawn and "early-costs.png" not in drawn
    discard(page)


@pytest.mark.parametrize(
    ("name", "figure"), [("schooling", "sweep"), ("geometric-inspected", "released-again"), ("survey-ages", "against")]
)
def test_what_only_an_open_view_computes_is_drawn_too(qapp: object, name: str, figure: str) -> None:
    whole = solved(name)
    with offscreen_page(whole.study, whole.computed()) as page:
        assert figure in [each.name for each in figures_of(page)]


def test_the_losses_of_readers_are_drawn_as_curves(qapp: object, tmp_path: Path) -> None:
    save_figures(solved("flu-in-a-ward"), tmp_path, "ward", ["svg"])
    svg = (tmp_path / "ward-curve-1.svg").read_text("utf-8")
    assert max(len(path.split()) for path in re.findall(r' (?:d|points)="([^"]*)"', svg)) > 50


def test_a_view_that_fails_has_no_picture_and_stops_nothing(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise InputError("too many options.", "options")

    whole = solved("schooling")
    monkeypatch.setattr(type(whole.outcome), "sweep", refuse)
    with offscreen_page(whole.study, whole.computed()) as page:
        drawn = [each.name for each in figures_of(page)]
    assert "sweep" not in drawn and "chances" in drawn


def test_no_picture_is_drawn_twice(qapp: object) -> None:
    design = CountDesign(5, alpha="1/8", prior="uniform", loss="absolute")  # whose optimum is the geometric mechanism itself
    with offscreen_page(design, export_of(design).computed()) as page:
        drawn = dict(draw_figures(page, "flu", ["png"]))
    assert len(set(drawn.values())) == len(drawn)
    assert "flu-matrix.png" in drawn and "flu-matrix-geometric.png" not in drawn


def test_the_bars_of_a_hidden_page_are_as_wide_as_their_picture(qapp: object, tmp_path: Path) -> None:
    save_figures(solved("paper-user"), tmp_path, "wide", ["svg"])
    texts = re.findall(r' x="([\d.]+)"[^>]*>([^<]*)</text>', (tmp_path / "wide-costs.svg").read_text("utf-8"))
    assert min(SIZE.width() - float(x) for x, text in texts if text.endswith("%")) < 100


def test_the_mechanism_of_the_linear_program_is_drawn_where_it_is_the_answer(qapp: object) -> None:
    parity = export_of(CountDesign(5, alpha="1/3", loss="expression:(i-r)%2"))
    with offscreen_page(parity.study, parity.computed()) as page:
        assert page.outcomes["lp_check"] is parity.computed()["lp_check"]
        assert "exact" not in page.outcomes


def test_the_command_line_draws_without_a_display(tmp_path: Path) -> None:
    unset = ("DISPLAY", "QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
    environment = {key: value for key, value in os.environ.items() if key not in unset}
    command = [sys.executable, "-m", "dpdesigner", "export", str(PAPER), "--to", str(tmp_path), "--formats", "png,pdf"]
    found = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    assert {path.suffix for path in tmp_path.iterdir()} == {".pdf", ".png"}


def test_letters_outside_a_plot_are_not_clipped_by_it_in_an_svg(qapp: object, tmp_path: Path) -> None:
    """Browsers clip, and what Qt writes names the wrong clip after a painter is restored."""
    save_figures(solved("paper-user"), tmp_path, "p", ["svg"])
    svg = (tmp_path / "p-matrix.svg").read_text("utf-8")
    clips = re.findall(r'<clipPath id="(\w+)">\n<path [^>]*d="([^"]*)"', svg)
    whole = {name for name, path in clips if path.startswith("M0,0 L900,0")}
    before = svg[: svg.index(">0.667</text>")]
    group = [line for line in before.split("\n") if line.startswith("<g")][-1]
    clip = re.match(r'<g clip-path="url\(#(\w+)\)">', group)
    assert clip is None or clip[1] in whole
    assert len(re.findall(r'<g clip-path="url', svg)) > 5


@pytest.mark.parametrize("many", [False, True])
def test_pictures_show_the_rule_that_is_selected(qapp: object, many: bool) -> None:
    design = HalfspaceDesign.starting(rows=2000, seed=3)
    page = hidden_page("halfspace")
    show(page, design, export_of(design).computed())
    first = dict(draw_figures(page, "it", ["png"]))
    page.set_view_state({"angle": 120.0, "many": many})
    turned = dict(draw_figures(page, "it", ["png"]))
    assert turned.keys() == first.keys() and turned["it-points.png"] != first["it-points.png"]
    discard(page)


def test_a_rule_that_was_found_by_its_error_on_own_rows_is_called_not_private_in_pictures(qapp: object) -> None:
    page, design = hidden_page("halfspace"), HalfspaceDesign([[1, 2], [-3, 1], [2, -1]] * 60, epsilon=1, directions=8)
    show(page, design, export_of(design).computed())
    for view, cautious in (({"angle": 90.0, "worst": 90.0}, True), ({"angle": 90.0, "worst": 45.0}, False)):
        page.set_view_state(view)
        drawn = dict(draw_figures(page, "it", ["svg"]))
        assert [b"(not private)" in drawn[f"it-{name}.svg"] for name in ("points", "answers")] == 2 * [cautious]
    discard(page)


def test_a_long_title_has_smaller_letters_rather_than_being_cut(qapp: object) -> None:
    sizes, widget = [], QWidget()
    for title in ("Short", "With privacy: 54 of 120 no better than guessing 0 (63 right)"):
        picture = figure_bytes(widget, "svg", QSize(260, 100), title=title).decode()
        assert title.partition(":")[0] in picture
        sizes.append(float(re.findall(r'font-size="([\d.]+)', picture)[-1]))
    assert sizes[1] < 0.8 * sizes[0]
