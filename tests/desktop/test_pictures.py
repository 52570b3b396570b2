"""Pictures of a mechanism are drawn without a window, with or without an application."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QImage

from dpdesigner.desktop.pictures import draw_outcome
from dpdesigner.errors import InputError
from dpdesigner.files.examples import examples
from dpdesigner.files.project import read_project
from dpdesigner.studies.count import solve

EXAMPLE = examples()[0].path


def brightness(image, x, y):
    return image.pixelColor(round(x * image.width()), round(y * image.height())).lightness()


def test_every_format(qapp, tmp_path):
    outcome = solve(read_project(EXAMPLE)[0])
    for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        path = tmp_path / f"matrix.{ending}"
        draw_outcome(outcome, path)
        assert path.read_bytes().startswith(start)
    image = QImage(str(tmp_path / "matrix.png"))
    assert (image.width(), image.height()) == (1800, 1680)
    # 2/3 at true 0, released 0 is the brightest; nothing is ever released as 1.
    assert brightness(image, 0.05, 0.07) > 2 * brightness(image, 0.2, 0.07)
    assert b">2/3</text>" in (tmp_path / "matrix.svg").read_bytes()
    with pytest.raises(InputError, match="must end in"):
        draw_outcome(outcome, tmp_path / "matrix.gif")


def test_the_mechanism_of_the_linear_program_can_be_drawn_instead(qapp, tmp_path):
    design = read_project(EXAMPLE)[0]
    outcome, other = solve(design), solve(design.replace(prior="spike:0", loss="absolute"))
    draw_outcome(outcome, tmp_path / "a.png")
    draw_outcome(outcome, tmp_path / "b.png", other.induced)
    assert (tmp_path / "a.png").read_bytes() != (tmp_path / "b.png").read_bytes()


def test_the_command_line_draws_without_a_display(tmp_path):
    unset = ("DISPLAY", "QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
    environment = {key: value for key, value in os.environ.items() if key not in unset}
    command = [sys.executable, "-m", "dpdesigner", "export", str(EXAMPLE), "--to", str(tmp_path), "--formats", "png,pdf"]
    found = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".pdf", ".png"]
