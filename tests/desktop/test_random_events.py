"""Random events of mouse and keyboard: no exception, no message of Qt, no freeze, no leak of widgets or memory."""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from desktop.fakes import ENTRIES, FakeStudy
from desktop.random_hands import Hands
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.preferences import Choices, preferences
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.window.application import make_application
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies import registry
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.study import Study

#: Thousands find more; this many are quick.
EVENTS = int(os.environ.get("DPDESIGNER_TEST_EVENTS", "200"))
#: A handler may keep the window's thread busy so long, in seconds of its own. Short runs are allowed more: the first time that a
#: page is opened counts much among few events, and other tests may run beside this one.
LONGEST = 0.2 if EVENTS >= 5000 else 2.0
#: A window that has seen this many bytes more than at half time is thought to leak; half a gigabyte is far beyond caches.
GROWTH = 500_000_000


@contextmanager
def window_of(studies: Sequence[Study], seed: int, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[MainWindow]:
    """A shown window whose questions are answered at random and which reads and writes in one folder only."""
    chance = random.Random(seed)
    files = [None, folder / "a.dpd", folder / "b.dpd", folder / "missing" / "c.dpd"]
    tables = ["", str(folder / "counts.csv"), str(folder / "missing.csv")]
    (folder / "counts.csv").write_text("count,weight\n0,1\n1,2\n2,4\n3,2\n4,1\n", "utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: chance.choice(["save", "discard", "cancel"]))
    monkeypatch.setattr(Questions, "overwrite_changed", lambda self, path: chance.choice(["overwrite", "save as", "cancel"]))
    monkeypatch.setattr(Questions, "path_to_open", lambda self, folder: chance.choice(files))
    monkeypatch.setattr(Questions, "path_to_save", lambda self, suggestion: chance.choice(files))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *given: (chance.choice(tables), "")))
    out = ["", str(folder / "out")]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(lambda *given: (chance.choice(out), "")))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", staticmethod(lambda *given: chance.choice(["", str(folder)])))
    make_application()
    window = MainWindow(studies)
    window.show()
    gc.collect()
    gc.freeze()  # as a start does; what the test tools hold is not looked through in the window's time
    try:
        yield window
    finally:
        gc.unfreeze()
        monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
        for dialog in window.findChildren(QDialog):
            dialog.close()
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        window.show()
        window.close()
        assert window.stopped, "the background threads have ended"
        window.deleteLater()
        preferences().choose(**vars(Choices()))


def settled() -> int:
    """How many widgets there are once all that was to be deleted is."""
    for _ in range(3):
        gc.collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()
    return len(QApplication.allWidgets())


def memory() -> int:
    """Bytes of memory that the process holds; 0 where the system does not tell."""
    table = Path("/proc/self/statm")
    return int(table.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if table.exists() else 0


def work(window: MainWindow, hands: Hands) -> None:
    for number in range(EVENTS):
        if number == EVENTS // 2:
            window.half_way = memory()  # type: ignore[attr-defined]
        hands.act()
        if not window.isVisible():
            window.show()


def check(hands: Hands, qtlog: Any) -> None:
    print("\n".join(["", *hands.slowest()]))
    frozen = [f"{deed.seconds:.2f} s: {deed.words}" for deed in hands.deeds if deed.seconds > LONGEST]
    assert not frozen
    said = [record.message for record in qtlog.records if "plugin does not support" not in record.message]
    assert not said


@pytest.mark.parametrize("seed", [int(os.environ.get("DPDESIGNER_TEST_SEED", "1"))])
def test_the_shell_survives_anything(
    qapp: QApplication, qtlog: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, *ENTRIES))  # the start page opens real kinds
    before = settled()
    with window_of([FakeStudy(7, "Seven")], seed, monkeypatch, tmp_path) as window:
        hands = Hands(window, seed)
        work(window, hands)
        assert window.document.designs
    del window
    assert settled() == before
    check(hands, qtlog)


@pytest.mark.parametrize("seed", [int(os.environ.get("DPDESIGNER_TEST_SEED", "3"))])
def test_the_program_survives_anything(
    qtbot: QtBot, qtlog: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    before = settled()
    studies = [CountDesign(12, alpha="1/2", prior="binomial:0.3", name="Flu"), NoiseDesign(epsilon=1, name="Steps")]
    with window_of(studies, seed, monkeypatch, tmp_path) as window:
        hands = Hands(window, seed)
        work(window, hands)
        grown = memory() - window.half_way  # type: ignore[attr-defined]
        assert window.document.designs
    del window
    assert settled() == before
    assert grown < GROWTH
    check(hands, qtlog)
