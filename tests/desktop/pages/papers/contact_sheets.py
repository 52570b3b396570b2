"""Pictures of every exhibit in the window, light and dark, to be looked at:

python tests/desktop/pages/papers/contact_sheets.py FOLDER [WIDTH HEIGHT] [PART OF A NAME]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

HOME = tempfile.mkdtemp()
os.environ.update(HOME=HOME, XDG_CONFIG_HOME=HOME, XDG_DATA_HOME=HOME)

from PySide6.QtGui import QImage, QPainter  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

import dpdesigner as dp  # noqa: E402
from dpdesigner.desktop.base.theme import theme  # noqa: E402
from dpdesigner.desktop.pages.kit.page import Page  # noqa: E402
from dpdesigner.desktop.window.application import make_application  # noqa: E402
from dpdesigner.desktop.window.main_window import MainWindow  # noqa: E402
from dpdesigner.files.project import Project  # noqa: E402
from dpdesigner.studies.study import design_of  # noqa: E402

COLUMNS, ROWS = 2, 2


def wait(seconds: float, until: object = None) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not (callable(until) and until()):
        QApplication.processEvents()
        time.sleep(0.005)


def answered(page: Page, design: object) -> bool:
    return bool(design_of(page.outcomes.get("solve")) == design)


def pictures(folder: Path, width: int, height: int, part: str) -> None:
    make_application()
    window = MainWindow([dp.PapersDesign()])
    window.show()
    window.resize(width, height)
    for scheme in ("light", "dark"):
        theme().set_scheme(scheme)
        found = []
        for design in [dp.PapersDesign(), *map(dp.exhibit, dp.exhibits())]:
            name = getattr(design, "exhibit", "") or "gallery"
            if part and part not in name:
                continue
            window.document.load(Project((design,)), title="sheet")
            page = window.host.page
            wait(20, partial(answered, page, design))
            wait(2 if name == "gallery" else 0.25)
            found.append(window.grab().toImage())
        size = COLUMNS * ROWS
        for first in range(0, len(found), size):
            sheet = QImage(COLUMNS * width, ROWS * height, QImage.Format.Format_RGB32)
            sheet.fill(0xFF888888)
            painter = QPainter(sheet)
            for place, picture in enumerate(found[first : first + size]):
                painter.drawImage(place % COLUMNS * width, place // COLUMNS * height, picture)
            painter.end()
            sheet.save(str(folder / f"{scheme}-{first // size:02d}.png"))


if __name__ == "__main__":
    words = sys.argv[1:]
    sizes = [int(word) for word in words if word.isdigit()] or [1280, 720]
    names = [word for word in words[1:] if not word.isdigit()]
    Path(words[0]).mkdir(parents=True, exist_ok=True)
    pictures(Path(words[0]), sizes[0], sizes[1], names[0] if names else "")
    os._exit(0)
