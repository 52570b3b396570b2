"""A process that edits and saves until it is killed: ``python endless_edits.py FOLDER LOG SEED FIRST`` (the tests run it).

Each edit puts the next number, from FIRST on, somewhere in the document: in a design that is changed, dragged or added, or in a
scene; then it writes a line ``NUMBER TIME`` to the log. It saves to several files of the folder.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from desktop.fakes import ENTRIES, FakeStudy
from PySide6.QtCore import QTimer

from dpdesigner.desktop.document import recovery
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.window.application import make_application
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project import Scene
from dpdesigner.studies import registry

NAMES = ("a.dpd", "b.dpd", "c.dpd")


class Hand:
    """Makes one edit after the other."""

    def __init__(self, window: MainWindow, log: str, seed: int, first: int) -> None:
        self._window, self._document = window, window.document
        self._chance, self._number = random.Random(seed), first
        self._lines = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._timer = QTimer(window)
        self._timer.timeout.connect(self._act)
        self._timer.start(5)

    def _act(self) -> None:
        self._number += 1
        self._edit(FakeStudy(self._number))
        os.write(self._lines, f"{self._number} {time.time()}\n".encode())
        if self._chance.random() < 0.01:
            self._chance.choice([self._window.filing.save, self._window.filing.save_as])()
        # Now and then a rest, in which the picture for recovery is taken.
        self._timer.start(5 if self._chance.random() < 0.99 else 120)

    def _edit(self, study: FakeStudy) -> None:
        document, kind = self._document, self._chance.random()
        if kind < 0.35:
            document.preview(study)
        elif kind < 0.45:
            scene = Scene(document.current.key, title=str(study.number))
            document.set_scenes((*document.scenes[-3:], scene), "Scene")
        elif kind < 0.5 and len(document.designs) < 6:
            document.add(study)
        else:
            if kind < 0.55:
                document.remove()
            elif kind < 0.7:
                document.select(self._chance.randrange(len(document.designs)))
            document.change(study, "Edit")


def main(folder: Path, log: str, seed: int, first: int) -> None:
    registry.ENTRIES = ENTRIES
    recovery.IDLE = 50
    if seed % 2:
        recovery.DELAY = 10  # so that many are killed while they write the shadow
    chance = random.Random(-seed)
    Questions.path_to_save = lambda self, suggestion: folder / chance.choice(NAMES)  # type: ignore[method-assign]
    application = make_application()
    window = MainWindow([FakeStudy(0)])
    window.filing.open_path(folder / NAMES[0])
    window.show()
    hand = Hand(window, log, seed, first)
    application.exec()
    del hand


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
