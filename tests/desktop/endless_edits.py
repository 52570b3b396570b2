"""A process that edits and saves until it is killed: ``python endless_edits.py PROJECT LOG SEED`` (run by test_recovery.py).

It writes a line ``NUMBER TIME`` to the log after each edit.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from desktop.fakes import ENTRIES, FakeStudy
from PySide6.QtCore import QTimer

from dpdesigner.desktop import recovery
from dpdesigner.desktop.application import make_application
from dpdesigner.desktop.main_window import MainWindow
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies import registry


def main(project: Path, log: str, seed: int) -> None:
    registry.ENTRIES = ENTRIES
    recovery.IDLE = 50
    chance = random.Random(seed)
    application = make_application()
    write_project(project, Project((FakeStudy(0),)))
    window = MainWindow([FakeStudy(0)])
    window.filing.open_path(project)
    window.show()
    lines = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    number = 0

    def edit() -> None:
        nonlocal number
        number += 1
        study = FakeStudy(number)
        if chance.random() < 0.5:
            window.document.preview(study)
        else:
            window.document.change(study, "Edit")
        os.write(lines, f"{number} {time.time()}\n".encode())
        if chance.random() < 0.004:
            window.filing.save()

        # Now and then a rest, in which the picture for recovery is taken.
        timer.start(5 if chance.random() < 0.99 else 120)

    timer = QTimer()
    timer.timeout.connect(edit)
    timer.start(5)
    application.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
