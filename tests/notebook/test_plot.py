"""Pictures on a server without Qt, by matplotlib: files, reports and shared pages, from the panels of every kind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.files.export import export_of
from dpdesigner.notebook.plot import figures, panels_of, save_figures
from dpdesigner.studies.registry import ENTRIES

#: The Python of a server: whatever asks for Qt or pyqtgraph is told that there is none.
SERVER = """\
import contextlib, io, json, logging, sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in ('PySide6', 'shiboken6', 'pyqtgraph'):
            raise ModuleNotFoundError(f'No module named {name!r}', name=name)
sys.meta_path.insert(0, Missing())
# What matplotlib says of its store of fonts (made now, slow, incomplete) is none of ours.
logging.getLogger('matplotlib.font_manager').setLevel(logging.ERROR)
from dpdesigner.cli import main
done = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stderr(io.StringIO()) as told, contextlib.redirect_stdout(io.StringIO()):
        done.append((main(words), told))
print(json.dumps([(status, told.getvalue()) for status, told in done]))
"""
STARTS = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF"}


def server(*commands: list[object]) -> list[tuple[int, str]]:
    """Run commands one after another on the server; return the status and the errors of each."""
    words = json.dumps([list(map(str, command)) for command in commands])
    run = [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", "-c", SERVER, words]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return [(status, told) for status, told in json.loads(done.stdout)]


def test_a_server_exports_pictures_and_a_report_with_figures(tmp_path: Path) -> None:
    path = tmp_path / "beds.dpd"
    dp.save([dp.CountDesign(8, alpha="1/2", name="Beds"), dp.NoiseDesign("real", epsilon=1, name="Hours")], path)
    exported, report, both, shared = server(
        ["export", path, "--to", tmp_path / "out", "--formats", "csv,png,svg,pdf"],
        ["report", path, "--to", tmp_path / "r.html"],
        ["report", path, "--to", tmp_path / "both"],
        ["share", path, "--to", tmp_path / "page.html"],
    )
    assert exported == report == (0, "")
    files = sorted((tmp_path / "out").iterdir())
    drawn = [file for file in files if file.suffix[1:] in STARTS]
    assert all(file.read_bytes().startswith(STARTS[file.suffix[1:]]) for file in drawn)
    wanted = {f"beds-{name}.{ending}" for name in ("1-mechanism", "2-density") for ending in STARTS}
    assert wanted <= {file.name for file in drawn}
    page = (tmp_path / "r.html").read_text("utf-8")
    assert page.count("data:image/svg+xml") >= 4 and "Figures are omitted" not in page
    assert both[0] == 2 and "a PDF report needs Qt" in both[1] and list((tmp_path / "both").glob("*.html"))
    assert shared[0] == 0 and "omitted" not in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.usefixtures("kept_answers")
@pytest.mark.parametrize("kind", [entry.kind for entry in ENTRIES])
def test_every_kind_is_drawn_from_its_panels(kind: str, tmp_path: Path) -> None:
    fewer = {"n": 100, "queries": 200} if kind == "attack" else {}
    design = next(entry for entry in ENTRIES if entry.kind == kind).study_class().starting(**fewer)
    solved = export_of(design)
    written = save_figures(solved, tmp_path, kind, ["png"])
    panels = panels_of(solved)
    assert len(written) == len(panels) == len(list(tmp_path.iterdir()))
    assert kind in ("exhibit", "auction", "net") or panels, "a kind with pictures in the window has some here"
    for picture in figures(solved):
        root = ElementTree.fromstring(picture.svg)
        assert root.tag.endswith("svg") and picture.width >= 400 and picture.title


def test_the_same_design_is_drawn_byte_by_byte_alike(tmp_path: Path) -> None:
    solved = export_of(dp.CountDesign(5, alpha="1/2"))
    for folder in ("one", "two"):
        save_figures(solved, tmp_path / folder, "it", ["png", "svg", "pdf"])
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_no_picture_shows_what_is_secret(tmp_path: Path) -> None:
    """Two designs that differ only in data of people have the same pictures, byte by byte."""
    for make in (
        lambda many: dp.HistogramDesign("0..3", counts=[many, 2, 3, 4], epsilon=1),
        lambda many: dp.AuctionDesign([many, 2, 3], cap=100, epsilon=1),
    ):
        one, other = ([picture.svg for picture in figures(export_of(make(many)))] for many in (91, 7))
        assert one == other
    table, drawn = tmp_path / "votes.csv", []
    for votes in ("a\na\na\nb\n", "b\nb\na\nb\nb\n"):
        table.write_text(f"vote\n{votes}")
        design = dp.ChoiceDesign(path=table, column="vote", categories=["a", "b"], neighbours="changes", epsilon=1)
        drawn.append([picture.svg for picture in figures(export_of(design))])
    assert drawn == [[], []], "nothing of private counts is drawn"


def test_bars_are_drawn() -> None:
    from matplotlib.figure import Figure

    from dpdesigner.notebook.plot import drawn
    from dpdesigner.studies.panels import Plot
    from dpdesigner.studies.plot_parts import Axis, Bars

    bars = Bars(np.array([1.0, 3.0]), "now", rival=np.array([2.0, 2.0]), part=np.array([0.5, 1.0]), part_name="of these")
    axes = Figure().add_subplot()
    drawn(Plot("k", "T", Axis("x", scale="names", names=("a", "b")), Axis("y"), bars=(bars,)), axes)
    assert [patch.get_height() for patch in axes.patches] == [1.0, 3.0, 0.5, 1.0]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["now", "of these"]
