"""Processes that edit and save are killed at random moments, two of them beside each other: no file breaks, little is lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from desktop.endless_edits import NAMES
from desktop.fakes import ENTRIES, FakeStudy
from PySide6.QtGui import QImage

from dpdesigner.desktop.document.recovery import Shadow, Unsaved, abandoned_shadows, shadow_folder
from dpdesigner.files.project import Project, read_project, write_project
from dpdesigner.studies import registry

#: How many processes are killed; each at another moment.
KILLS = int(os.environ.get("DPDESIGNER_TEST_KILLS", "4"))
#: The numbers of two processes beside each other are so far apart.
FAR = 1_000_000


class Run:
    """A process that edits, and what it must not have lost."""

    def __init__(self, folder: Path, data: Path, seed: int, lasts: float) -> None:
        folder.mkdir()
        self.lasts, self.folder, self.log = lasts, folder, folder / "log"
        self.first = FAR * (seed + 1)
        write_project(folder / NAMES[0], Project((FakeStudy(0),)))
        script = Path(__file__).parents[1] / "endless_edits.py"
        paths = os.pathsep.join([str(script.parents[1]), str(script.parents[2])])
        self.process = subprocess.Popen(
            [sys.executable, str(script), str(folder), str(self.log), str(seed), str(self.first)],
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_DATA_HOME": str(data), "PYTHONPATH": paths},
        )

    def kill(self) -> None:
        while not (self.log.exists() and self.log.read_text().endswith("\n")):
            assert self.process.poll() is None
            time.sleep(0.01)
        begun = float(self.log.read_text().split()[1])
        time.sleep(max(0.0, begun + self.lasts - time.time()))
        self.killed = time.time()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def owns(self, project: Project) -> bool:
        return newest(project) // FAR == self.first // FAR

    def check(self, offered: list[Unsaved]) -> None:
        """What is on disk is whole, and holds all but the last two seconds of edits."""
        edits = [line.split() for line in self.log.read_text().splitlines() if line.count(" ") == 1]
        safe_until = max([int(number) for number, when in edits if float(when) <= self.killed - 2], default=0)
        saved = [newest(read_project(path)) for path in self.folder.glob("*.dpd")]
        mine = [newest(unsaved.project) for unsaved in offered if self.owns(unsaved.project)]
        assert len(mine) <= 1
        assert max([*saved, *mine]) >= safe_until


def newest(project: Project) -> int:
    """The last edit that a project holds."""
    numbers = [study.number for study in project.studies if isinstance(study, FakeStudy)]
    return max([*numbers, *(int(scene.title) for scene in project.scenes)])


def offered() -> list[tuple[Shadow, Unsaved]]:
    found = abandoned_shadows()
    pictures = [shadow.read_picture() for shadow, _ in found]
    assert not any(picture and QImage.fromData(picture).isNull() for picture in pictures)
    return found


def check_pair(folder: Path, seed: int, chance: random.Random) -> None:
    """Run two processes beside each other; kill one, look, kill the other, look again."""
    runs = [Run(folder / str(seed + k), folder / "data", seed + k, 0.1 + 3 * chance.random()) for k in range(2)]
    first, last = sorted(runs, key=lambda run: run.lasts)
    first.kill()
    found = offered()
    assert all(first.owns(unsaved.project) for _, unsaved in found), "the living one keeps its own"
    first.check([unsaved for _, unsaved in found])
    for shadow, _ in found:
        shadow.release()
    last.kill()
    found = offered()
    for run in runs:
        run.check([unsaved for _, unsaved in found])
    for shadow, _ in found:
        shadow.remove()
    assert offered() == [], "once only"
    assert not shadow_folder().exists() or list(shadow_folder().iterdir()) == [], "and nothing is left behind"


def test_a_killed_process_loses_at_most_two_seconds_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)
    chance = random.Random(20)
    for seed in range(0, KILLS, 2):
        folder = tmp_path / f"pair {seed}"
        folder.mkdir()
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        check_pair(folder, seed, chance)
