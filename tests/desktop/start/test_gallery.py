"""The example gallery: what it offers, by mouse and keyboard, when it opens by itself, and that it stays away when told to."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.document.recent import note_recent
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.start.gallery import Gallery
from dpdesigner.desktop.start.thumbnail import sketch
from dpdesigner.desktop.theme.preferences import preferences
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project.examples import examples
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.registry import entry

LEFT = Qt.MouseButton.LeftButton
WAIT = 10_000


@pytest.fixture
def gallery(qtbot: QtBot) -> Gallery:
    gallery = Gallery(examples(), [Path("/somewhere/a.dpd")])
    qtbot.addWidget(gallery)
    gallery.open()
    return gallery


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    window = MainWindow([CountDesign(5, alpha="1/2")], "test")
    monkeypatch.setattr(window.questions, "save_changes", lambda title: "discard")
    qtbot.addWidget(window)
    window.show()
    return window


def opened(window: MainWindow) -> Gallery:
    (found,) = (gallery for gallery in window.findChildren(Gallery) if gallery.isVisible())
    return found


def test_every_example_gets_its_own_picture(qtbot: QtBot, gallery: Gallery) -> None:
    qtbot.waitUntil(lambda: all(not card.picture.pixmap().isNull() for card in gallery.cards), timeout=WAIT)
    pictures = [card.picture.pixmap().toImage() for card in gallery.cards]
    assert len(pictures) == len(examples()) and all(a != b for a, b in pairwise(pictures))
    for card, example in zip(gallery.cards, examples(), strict=True):
        assert card.accessibleName() == example.title and card.accessibleDescription() == example.description


def test_it_grows_and_shrinks_with_the_text(qtbot: QtBot, gallery: Gallery) -> None:
    theme().apply()
    before = [card.size() for card in gallery.cards]
    theme().set_scale(2.0)
    assert all(card.width() > 1.8 * size.width() for card, size in zip(gallery.cards, before, strict=True))
    theme().set_scale(1.0)
    qtbot.waitUntil(lambda: [card.size() for card in gallery.cards] == before)


def test_an_example_is_chosen_with_the_keyboard(gallery: Gallery) -> None:
    chosen = QSignalSpy(gallery.exampleChosen)
    assert gallery.cards[0].hasFocus()
    QTest.keyClick(gallery.cards[0], Qt.Key.Key_Tab)
    assert gallery.cards[1].hasFocus()
    QTest.keyClick(gallery.cards[1], Qt.Key.Key_Space)
    assert chosen.at(0)[0].title == examples()[1].title and not gallery.isVisible()


@pytest.mark.parametrize(("key", "name"), [("demonstration", "demonstrationRequested"), ("new noise", "kindChosen")])
def test_return_presses_the_button_that_has_the_focus(gallery: Gallery, key: str, name: str) -> None:
    chosen, example = QSignalSpy(getattr(gallery, name)), QSignalSpy(gallery.exampleChosen)
    while not gallery.buttons[key].hasFocus():
        QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Tab)
    QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Return)
    assert chosen.count() == 1 and example.count() == 0 and not gallery.isVisible()


def test_return_opens_the_example_that_has_the_focus_but_none_from_elsewhere(gallery: Gallery) -> None:
    chosen = QSignalSpy(gallery.exampleChosen)
    gallery.at_start.setFocus()
    QTest.keyClick(gallery.at_start, Qt.Key.Key_Return)
    assert chosen.count() == 0
    gallery.open()
    gallery.cards[2].setFocus()
    QTest.keyClick(gallery.cards[2], Qt.Key.Key_Return)
    assert chosen.at(0)[0].title == examples()[2].title


def test_escape_chooses_nothing(gallery: Gallery) -> None:
    spies = [QSignalSpy(signal) for signal in (gallery.exampleChosen, gallery.kindChosen, gallery.fileChosen)]
    QTest.keyClick(gallery, Qt.Key.Key_Escape)
    assert not gallery.isVisible() and not any(spy.count() for spy in spies)


def test_recent_files_blank_designs_and_guides(qtbot: QtBot) -> None:
    for key, name in (
        ("recent a.dpd", "fileChosen"),
        ("new noise", "kindChosen"),
        ("open", "openRequested"),
        ("tour", "tourRequested"),
        ("demonstration", "demonstrationRequested"),
    ):
        gallery = Gallery(examples(), [Path("/somewhere/a.dpd")])
        qtbot.addWidget(gallery)
        gallery.open()
        spy = QSignalSpy(getattr(gallery, name))
        QTest.mouseClick(gallery.buttons[key], LEFT)
        assert spy.count() == 1 and not gallery.isVisible(), key


def test_it_opens_at_a_start_without_a_file_unless_it_is_not_wanted(window: MainWindow) -> None:
    window.commands.help.welcome()
    gallery = opened(window)
    assert window.isEnabled() and QApplication.activeModalWidget() is gallery
    gallery.at_start.setChecked(False)
    gallery.close()
    assert not preferences().choices.gallery_at_start
    window.commands.help.welcome()
    assert not any(found.isVisible() for found in window.findChildren(Gallery))
    preferences().choose(gallery_at_start=True)
    window.document.change(CountDesign(6, alpha="1/2"), "Change n")
    window.commands.help.welcome()
    assert not any(found.isVisible() for found in window.findChildren(Gallery))


def test_the_window_does_what_was_chosen(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.menus.gallery.trigger()
    QTest.mouseClick(opened(window).buttons["new noise"], LEFT)
    assert window.document.study.kind == "noise" and window.document.path is None
    window.menus.gallery.trigger()
    card = next(card for card in opened(window).cards if card.example.title == "Visits to the doctor")
    QTest.mouseClick(card, LEFT)
    assert window.document.study.n == 30 and window.document.path is None
    note_recent(tmp_path / "gone.dpd")
    window.menus.gallery.trigger()
    QTest.mouseClick(opened(window).buttons["recent gone.dpd"], LEFT)
    assert "gone.dpd" in window.banner.text.text() and window.document.study.n == 30


def test_a_sketch_has_what_the_portrait_has(qapp: QApplication) -> None:
    import numpy as np

    size = QSize(200, 80)
    empty = sketch(Portrait({}), size).toImage()
    heights = np.array([0.0, 1.0, 2.0])

    def plot(steps: bool) -> Plot:
        return Plot("a", "", Axis("x"), Axis("y"), (Line(heights, heights, steps=steps),))

    bars = sketch(Portrait({}, charts=(plot(False),)), size).toImage()
    steps = sketch(Portrait({}, charts=(plot(True),)), size).toImage()
    both = sketch(Portrait({}, matrix=np.eye(3), charts=(plot(False),)), size, 2.0)
    assert len({empty.pixelColor(190, 10).alpha(), bars.pixelColor(190, 10).alpha()}) == 2
    assert bars != steps and both.size() == QSize(400, 160) and both.deviceIndependentSize().toSize() == size


@pytest.mark.parametrize(
    "study",
    [
        NoiseDesign(epsilon=2, sensitivity=3, cost="squared"),
        NoiseDesign(gamma="0.2"),
        NoiseDesign("integer", sensitivity=5),
        NoiseDesign("integer", sensitivity=5, gamma="0.6"),
        NoiseDesign(dimension=2),
        HistogramDesign(),
        ChoiceDesign(),
    ],
)
def test_every_kind_of_noise_has_a_sketch(qapp: QApplication, study: NoiseDesign) -> None:
    portrait = entry(study.kind).page_class().sketched(study)
    assert bool(portrait.charts) != (portrait.matrix is not None)
    empty = sketch(Portrait({}), QSize(120, 60)).toImage()
    assert sketch(portrait, QSize(120, 60)).toImage() != empty
    if isinstance(study, NoiseDesign) and study.query == "real" and study.dimension == 1:
        (line,) = portrait.charts[0].lines
        assert line.steps and line.y.max() == pytest.approx(float(study.run().noise.height))
