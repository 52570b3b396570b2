"""The interactive page: what it holds, what it cannot load, and what is never in it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import dpdesigner as dp
from dpdesigner.cli import main
from dpdesigner.errors import InputError
from dpdesigner.files import share as pages
from dpdesigner.files.export import export_of
from dpdesigner.files.project import Project, Scene, example, read_project, write_project
from dpdesigner.files.report import Picture, chapter, html, report
from dpdesigner.files.share import page, pictured

HOSTILE = "</script><img src=x onerror=alert(1)>'\"&"


def made(*designs, scenes=(), **options):
    return page([export_of(design, exact=None) for design in designs], scenes, **options)


def data_of(html):
    found = re.search(r'<script type="application/json" id="design-data">(.*?)</script>', html, re.DOTALL)
    return json.loads(found[1])


def test_a_count_is_live_with_the_proved_numbers_and_their_texts() -> None:
    design = dp.CountDesign(20, alpha="1/2", loss="pinball:3/4", name="The cook")
    live = data_of(made(design).html)["sections"][0]["live"]
    solved = dp.solve(design, exact=True)
    assert live["value"] == float(solved.value) and live["remap"] == solved.remap.tolist() and live["proved"]
    assert live["valueText"] == "0.51786" and live["tau"] == 0.75 and live["alpha"] == 0.5
    assert sum(live["prior"]) == pytest.approx(1)


def test_noise_is_live_with_the_proved_cost() -> None:
    live = data_of(made(dp.NoiseDesign("real", epsilon=1, sensitivity=2)).html)["sections"][0]["live"]
    assert live["kind"] == "noise" and live["cost"] == dp.solve(dp.NoiseDesign("real", epsilon=1, sensitivity=2)).cost
    assert live["sensitivity"] == 2 and live["best"] and live["proved"]


@pytest.mark.parametrize(
    "design",
    [
        dp.CountDesign(201, epsilon=1),
        dp.CountDesign(61, epsilon=1, loss="power:1.5"),
        dp.CountDesign(5, epsilon=20),
        dp.CountDesign(3, epsilon=1, loss="expression:(i-r)^2*(r==2)+1"),
        dp.NoiseDesign("integer", epsilon=1, sensitivity=1),
        dp.NoiseDesign("real", epsilon=1, sensitivity=1, dimension=2),
        dp.AttackDesign(n=65),
        dp.InspectDesign("geometric:5,ln 2"),
    ],
)
def test_what_no_script_computes_has_pictures_instead(design) -> None:
    shown = made(design, pictures={0: [Picture("Picture of it", "<svg/>", 480, 330)]})
    section = data_of(shown.html)["sections"][0]
    assert section["live"] is None and pictured(export_of(design, exact=None))
    assert 'alt="Picture of it"' in shown.html


def test_the_page_can_load_nothing_and_runs_only_its_own_script() -> None:
    html = made(dp.CountDesign(5, epsilon=1)).html
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1])
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    for text, kind in ((script, "script-src"), (style, "style-src")):
        expected = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{expected}'" in policy
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    assert "http://" not in html.replace("http://www.w3.org/2000/svg", "") and "https://" not in html
    assert not re.search(r"\son\w+=|\sstyle=|innerHTML|eval\(", html)


def test_hostile_names_stay_text() -> None:
    scenes = [Scene(0, {"row": 2}, HOSTILE, HOSTILE)]
    html = made(dp.CountDesign(5, epsilon=1, name=HOSTILE), scenes=scenes).html
    assert "<img src=x" not in html and html.count("</script>") == 2
    data = data_of(html)
    assert data["sections"][0]["title"] == HOSTILE and data["scenes"][0]["text"] == HOSTILE
    assert data["scenes"][0]["state"] == {"row": 2, "readAs": False}


def test_a_scene_may_select_only_a_count_that_there_is() -> None:
    design = dp.CountDesign(5, epsilon=1)
    shown = data_of(made(design, scenes=[Scene(0, {"row": 9}), Scene(0, {"view": "optimal", "row": 5})]).html)["scenes"]
    assert [each["state"] for each in shown] == [{}, {"row": 5, "readAs": True}]


def test_nothing_of_people_and_no_file_name_is_in_the_page(tmp_path: Path) -> None:
    folder = tmp_path / "canary-folder"
    folder.mkdir()
    file = folder / "canary-file.csv"
    file.write_text("visits\n" + "\n".join(["31415"] * 3 + ["2"] * 4173), "utf-8")
    histogram = dp.HistogramDesign.from_json(
        {"kind": "histogram", "cells": "0, 1, 2", "neighbours": "add-remove", "epsilon": 1, "cost": "absolute",
         "path": str(file), "column": "visits", "name": "Visits"}
    )  # fmt: skip
    bits = "0110100110010110100101100110100110010110011010010110100110010110"
    designs = [histogram, dp.AttackDesign(column=bits, name="Votes"), dp.AuctionDesign(bids=[61.918273, 12], cap=100, epsilon=1)]
    html = made(*designs).html
    decoded = html + "".join(base64.b64decode(each).decode() for each in re.findall(r"base64,([A-Za-z0-9+/=]+)", html))
    for secret in ("canary", "31415", "4173", bits, ",".join(bits), "61.918273"):
        assert secret not in decoded
    assert "each would show what only the owner of the data may see" in html
    attack = data_of(html)["sections"][1]["live"]
    assert len(attack["secret"]) == 64 and attack["secret"] != [int(bit) for bit in bits]


def test_a_release_with_a_seed_is_for_study_and_not_in_the_page() -> None:
    design = read_project(example("survey-ages").path).studies[0]
    assert not pictured(export_of(design, exact=None)) and "it is for study and not for publication" in made(design).html
    fresh = replace(design, seed=None)
    assert pictured(export_of(fresh, exact=None)) and "for study" not in made(fresh).html


def test_pictures_beyond_two_megabytes_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LARGEST_PAGE", 10_000)
    pictures = {0: [Picture("small", "<svg/>", 1, 1), Picture("large", "x" * 9000, 1, 1)]}
    shown = made(dp.InspectDesign("geometric:5,ln 2", name="It"), pictures=pictures)
    assert 'alt="small"' in shown.html and 'alt="large"' not in shown.html
    assert len(shown.left_out) == 1 and shown.left_out[0].startswith("“large” of It")


def test_a_count_with_ten_scenes_is_small() -> None:
    scenes = [Scene(0, {"row": k}, f"Scene {k}", "A caption of some length. " * 6) for k in range(10)]
    assert len(made(dp.CountDesign(20, alpha="1/2"), scenes=scenes).html.encode()) < 120_000


def test_the_command_line_and_python_write_the_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenes = [{"design": 1, "view": {"row": 3}, "title": "Three", "text": "It is three."}]
    designs = [dp.CountDesign(5, epsilon=1, name="A"), dp.CountDesign(6, epsilon=1, name="B")]
    write_project(tmp_path / "two.dpd", Project(tuple(designs), (Scene.from_json(scenes[0], 2),)))
    assert main(["share", str(tmp_path / "two.dpd"), "--to", str(tmp_path / "line.html")]) == 0
    assert "Use invented ones." in capsys.readouterr().err
    assert dp.share(designs, tmp_path / "python.html", scenes) == tmp_path / "python.html"
    assert (tmp_path / "line.html").read_bytes() == (tmp_path / "python.html").read_bytes()
    assert main(["share", str(tmp_path / "two.dpd"), "--design", "B", "--to", str(tmp_path / "b.html")]) == 0
    data = data_of((tmp_path / "b.html").read_text("utf-8"))
    assert [each["title"] for each in data["sections"]] == ["B"] and data["scenes"][0]["section"] == 0
    dp.solve(designs[0]).share(tmp_path / "one.html")
    assert data_of((tmp_path / "one.html").read_text("utf-8"))["sections"][0]["title"] == "A"


def test_bad_targets_and_designs_get_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_project(tmp_path / "one.dpd", Project((dp.CountDesign(5, epsilon=1),)))
    assert main(["share", str(tmp_path / "one.dpd"), "--to", str(tmp_path / "page.txt")]) == 2
    assert capsys.readouterr().err.strip().endswith("an interactive page must be a .html file, got page.txt.")
    with pytest.raises(InputError, match="only designs can be shared, got 3"):
        dp.share(3, tmp_path / "page.html")
    with pytest.raises(InputError, match=r"must be a \.html file"):
        dp.share(dp.CountDesign(5, epsilon=1), tmp_path / "page.pdf")
    assert not list(tmp_path.glob("page*"))


def test_with_qt_the_command_line_draws_the_pictures_of_the_window(tmp_path: Path) -> None:
    write_project(tmp_path / "table.dpd", Project((dp.InspectDesign("geometric:5,ln 2"),)))
    assert main(["share", str(tmp_path / "table.dpd"), "--to", str(tmp_path / "table.html")]) == 0
    drawn = re.findall(r"svg\+xml;base64,([A-Za-z0-9+/=]+)", (tmp_path / "table.html").read_text("utf-8"))
    assert drawn and not any(b"matplotlib" in base64.b64decode(each) for each in drawn)


def test_a_broken_program_is_not_taken_for_a_machine_without_qt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_project(tmp_path / "table.dpd", Project((dp.InspectDesign("geometric:5,ln 2"),)))
    monkeypatch.setitem(sys.modules, "dpdesigner.desktop.output.pictures", None)
    with pytest.raises(ImportError):
        main(["share", str(tmp_path / "table.dpd"), "--to", str(tmp_path / "table.html")])


def test_without_qt_the_page_says_why_pictures_are_omitted(tmp_path: Path) -> None:
    write_project(tmp_path / "table.dpd", Project((dp.InspectDesign("geometric:5,ln 2"),)))
    script = (
        "import sys; sys.modules['PySide6'] = None\nimport dpdesigner.notebook.plot as p; p.installed = lambda: False\n"
        "from dpdesigner.cli import main\n"
        f"sys.exit(main(['share', {str(tmp_path / 'table.dpd')!r}, '--to', {str(tmp_path / 'table.html')!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Pictures are omitted: pictures need Qt" in done.stderr
    assert "Pictures are omitted: pictures need Qt" in (tmp_path / "table.html").read_text("utf-8")


def test_a_claim_and_its_reason_are_in_the_report_and_in_the_page() -> None:
    solved = export_of(dp.exhibit("grs/theorem-6.3"))
    for text in (html(report("T", [chapter(solved)])), page([solved]).html):
        assert "<b>Claim, [GRS] Theorem 6.3.</b> Ann and Ben count the ill among patients 1, 2 and 3." in text
        assert "<b>Why.</b> 0 and 3 are always wrong. So Ann reads 2" in text
    assert "<b>Claim" not in page([export_of(dp.CountDesign(5, epsilon=1))]).html
