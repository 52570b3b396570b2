"""The example gallery: what it offers, by mouse and keyboard, when it opens by itself, and that it stays away when told to."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from desktop.hands import Hands
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QEnterEvent, QImage
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.background import tables
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.document.filing import note_recent
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.pages.kit.thumbnails import sketch
from dpdesigner.desktop.window.gallery import CARD, Gallery, _drawn
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project import example, examples, read_project, save
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Line
from dpdesigner.studies.registry import ENTRIES, entry, page_of

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


def test_every_example_has_a_picture_and_a_question_under_its_page(qtbot: QtBot, gallery: Gallery) -> None:
    qtbot.waitUntil(lambda: all(not card.picture.pixmap().isNull() for card in gallery.cards), timeout=WAIT)
    assert sorted(card.accessibleName() for card in gallery.cards) == sorted(example.title for example in examples())
    for shelf in gallery.shelves:
        for card in shelf.cards:
            assert read_project(card.example.path).studies[0].kind in shelf.page.kinds
            assert card.accessibleDescription() == card.example.description == card.toolTip().replace("\n", " ")
            assert max(map(len, card.toolTip().splitlines())) <= 70, "a tooltip of one line is wider than the window"
    wrong = [each.file for each in examples() if not (each.question.endswith("?") and len(each.question) <= 50)]
    assert wrong == [], "give them a question of at most 50 characters in examples.json"
    blank = QImage(gallery.cards[0].picture.pixmap().toImage())
    blank.fill(Qt.GlobalColor.transparent)
    assert not [card.example.title for card in gallery.cards if card.picture.pixmap().toImage() == blank]
    pictures = [card.picture.pixmap().toImage() for card in gallery.shelves[0].cards]
    assert all(a != b for a, b in combinations(pictures, 2))


def test_examples_of_one_audience_have_pictures_of_their_own(qapp: QApplication) -> None:
    pictures = [
        _drawn(example(name), QSize(152, 76), 1.0).toImage() for name in ("flu-in-a-ward", "noise-published", "ward-scenes")
    ]
    assert all(one != other for one, other in combinations(pictures, 2)), "readers, a table, and the badge of scenes"


def test_a_picture_is_drawn_again_under_the_mouse_unless_animations_are_skipped(qtbot: QtBot, gallery: Gallery) -> None:
    for holder in (gallery.cards[0], gallery.doors[0]):
        picture = holder.picture
        qtbot.waitUntil(lambda picture=picture: not picture.pixmap().isNull(), timeout=WAIT)
        whole = picture.grab().toImage()
        QApplication.sendEvent(holder, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))
        picture.sweep.pause()
        picture.sweep.setCurrentTime(picture.sweep.duration() // 2)
        picture.sweep.resume()
        half = picture.grab().toImage()
        left, right = (
            QRect(0, 0, half.width() // 3, half.height()),
            QRect(half.width() * 2 // 3, 0, half.width() // 3, half.height()),
        )
        assert half.copy(left) == whole.copy(left) and half.copy(right) != whole.copy(right)
        qtbot.waitUntil(lambda picture=picture, whole=whole: picture.grab().toImage() == whole, timeout=WAIT)
        preferences().choose(reduced_motion=True)
        QApplication.sendEvent(holder, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))
        assert picture.grab().toImage() == whole
        preferences().choose(reduced_motion=False)


def test_the_three_ways_in_are_seen_without_scrolling(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1024, 640)
    window.menus.gallery.trigger()
    gallery = opened(window)
    for key in ("demonstration", "flu", "column"):
        button = gallery.buttons[key]
        assert button.isVisible() and gallery.rect().contains(button.mapTo(gallery, button.rect().bottomRight())), key
    shown = [card for card in gallery.cards if card.isVisible() and not card.visibleRegion().isEmpty()]
    assert len(shown) >= 4, "and the first examples"
    gallery.close()


def test_a_page_is_chosen_and_words_are_looked_for(gallery: Gallery) -> None:
    first = gallery.shelves[0]
    at_first = [[card for card in shelf.cards if not card.isHidden()] for shelf in gallery.shelves]
    assert at_first == [shelf.cards[: len(at_first[0])] for shelf in gallery.shelves] and len(at_first[0]) < len(first.cards)
    QTest.mouseClick(first.all_of_them, LEFT)
    assert all(not card.isHidden() for card in first.cards) and [s.isHidden() for s in gallery.shelves].count(False) == 1
    assert gallery.chips["count"].isChecked() and not gallery.chips[""].isChecked()
    QTest.mouseClick(gallery.chips[""], LEFT)
    assert all(not shelf.isHidden() for shelf in gallery.shelves)
    QTest.keyClicks(gallery.search, "flu pupils")
    assert {card.example.path.stem for card in gallery.cards if not card.isHidden()} == {"flu-cases", "flu-expected"}
    assert gallery._count.text() == f"2 of {len(gallery.cards)}"
    gallery.search.setText("no such words")
    assert not gallery.nothing.isHidden() and all(shelf.isHidden() for shelf in gallery.shelves)
    gallery.search.clear()
    assert gallery.nothing.isHidden() and all(not shelf.isHidden() for shelf in gallery.shelves)
    assert gallery._count.text() == f"Or start from {len(gallery.cards)} examples"


def test_recent_files_take_no_room_from_the_examples(qtbot: QtBot) -> None:
    tops = []
    for recent in ([], [Path(f"/somewhere/{name}.dpd") for name in ("a", "b", "a-file-with-a-long-name-indeed", "c")]):
        gallery = Gallery(examples(), recent)
        qtbot.addWidget(gallery)
        gallery.open()
        gallery.resize(1260, 680)
        assert gallery.buttons["recent"].isVisible() == bool(recent)
        qtbot.waitUntil(lambda shelf=gallery.shelves[-1]: shelf.y() > 0)
        tops.append([shelf.mapTo(gallery, shelf.rect().topLeft()).y() for shelf in gallery.shelves])
        gallery.close()
    assert tops[0] == tops[1]


def test_it_grows_and_shrinks_with_the_text(qtbot: QtBot, gallery: Gallery) -> None:
    theme().apply()
    before = [card.minimumWidth() for card in gallery.cards]
    assert set(before) == {CARD}
    theme().set_scale(2.0)
    assert all(card.minimumWidth() == 2 * CARD for card in gallery.cards)
    theme().set_scale(1.0)
    qtbot.waitUntil(lambda: [card.minimumWidth() for card in gallery.cards] == before)


def test_the_cards_of_a_row_fill_the_window(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1024, 640)
    window.menus.gallery.trigger()
    gallery = opened(window)
    row = [shelf.cards[0] for shelf in gallery.shelves[: gallery._columns]]
    qtbot.waitUntil(lambda: row[-1].mapTo(gallery, row[-1].rect().topRight()).x() > gallery.width() - 60)
    assert gallery.width() <= window.width()
    gallery.close()


def test_an_example_is_chosen_with_the_keyboard(gallery: Gallery) -> None:
    chosen = QSignalSpy(gallery.exampleChosen)
    QTest.mouseClick(gallery.shelves[0].all_of_them, LEFT)
    gallery.cards[0].setFocus()
    QTest.keyClick(gallery.cards[0], Qt.Key.Key_Tab)
    assert gallery.cards[1].hasFocus()
    QTest.keyClick(gallery.cards[1], Qt.Key.Key_Space)
    assert chosen.at(0)[0].title == gallery.cards[1].example.title and not gallery.isVisible()


@pytest.mark.parametrize(
    ("key", "name"), [("demonstration", "demonstrationRequested"), ("tour", "tourRequested"), ("column", "columnRequested")]
)
def test_return_presses_the_button_that_has_the_focus(gallery: Gallery, key: str, name: str) -> None:
    chosen, example = QSignalSpy(getattr(gallery, name)), QSignalSpy(gallery.exampleChosen)
    assert gallery.buttons["demonstration"].hasFocus()
    while not gallery.buttons[key].hasFocus():
        QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Tab)
    QTest.keyClick(gallery.focusWidget(), Qt.Key.Key_Return)
    assert chosen.count() == 1 and example.count() == 0 and gallery.isVisible() == (key == "column")


def test_return_opens_the_example_that_has_the_focus_but_none_from_elsewhere(gallery: Gallery) -> None:
    chosen = QSignalSpy(gallery.exampleChosen)
    gallery.at_start.setFocus()
    QTest.keyClick(gallery.at_start, Qt.Key.Key_Return)
    assert chosen.count() == 0
    gallery.open()
    gallery.cards[2].setFocus()
    QTest.keyClick(gallery.cards[2], Qt.Key.Key_Return)
    assert chosen.at(0)[0].title == gallery.cards[2].example.title


def test_return_opens_the_first_example_that_is_found(gallery: Gallery) -> None:
    chosen = QSignalSpy(gallery.exampleChosen)
    gallery.search.setFocus()
    QTest.keyClicks(gallery.search, "no such example")
    QTest.keyClick(gallery.search, Qt.Key.Key_Return)
    assert gallery.isVisible() and chosen.count() == 0, "nothing is found"
    gallery.search.clear()
    QTest.keyClicks(gallery.search, "doctor")
    found = [card for shelf in gallery.shelves for card in shelf.cards if card.isVisible()]
    QTest.keyClick(gallery.search, Qt.Key.Key_Return)
    assert not gallery.isVisible() and len(found) > 1
    assert chosen.at(0)[0].title == found[0].example.title


def test_escape_chooses_nothing(gallery: Gallery) -> None:
    spies = [QSignalSpy(signal) for signal in (gallery.exampleChosen, gallery.kindChosen, gallery.fileChosen)]
    QTest.keyClick(gallery, Qt.Key.Key_Escape)
    assert not gallery.isVisible() and not any(spy.count() for spy in spies)


def test_recent_files_blank_designs_and_guides(qtbot: QtBot) -> None:
    for key, name in (
        ("open", "openRequested"),
        ("tour", "tourRequested"),
        ("flu", "exampleChosen"),
        ("column", "columnRequested"),
        ("demonstration", "demonstrationRequested"),
    ):
        gallery = Gallery(examples(), [Path("/somewhere/a.dpd")])
        qtbot.addWidget(gallery)
        gallery.open()
        spy = QSignalSpy(getattr(gallery, name))
        QTest.mouseClick(gallery.buttons[key], LEFT)
        assert spy.count() == 1 and gallery.isVisible() == (key in ("open", "column")), key
    spy = QSignalSpy(gallery.fileChosen)
    gallery.recent.actions()[0].trigger()
    assert spy.at(0) == [Path("/somewhere/a.dpd")]


@pytest.mark.parametrize(("key", "name"), [("open", "a.dpd"), ("column", "a.csv")])
def test_a_file_dialog_that_is_given_up_leaves_the_start_page(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str, name: str
) -> None:
    answers = ["", str(tmp_path / name)]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (answers.pop(0), ""))
    save([CountDesign(5, alpha="1/2", name="Beds")], tmp_path / "a.dpd")
    (tmp_path / "a.csv").write_text("visits\n1\n2\n", "utf-8")
    window.commands.help.open_gallery()
    gallery = opened(window)
    QTest.mouseClick(gallery.buttons[key], LEFT)
    assert gallery.isVisible()
    QTest.mouseClick(gallery.buttons[key], LEFT)
    assert not gallery.isVisible() and window.document.study.kind == ("count" if key == "open" else "histogram")
    assert (window.document.study.name == "Beds") == (key == "open")


def test_a_search_without_a_result_offers_all_examples(gallery: Gallery) -> None:
    gallery.search.setText("zebra")
    assert gallery.nothing.isVisible() and all(card.isHidden() for card in gallery.cards)
    QTest.mouseClick(gallery.nothing.findChild(QPushButton), LEFT)
    assert not gallery.nothing.isVisible() and gallery.search.text() == "" and any(not card.isHidden() for card in gallery.cards)


def test_the_flu_example_is_tried_without_what_it_is_compared_with(window: MainWindow) -> None:
    window.commands.help.welcome()
    gallery = next(each for each in window.findChildren(Gallery) if each.isVisible())
    QTest.mouseClick(gallery.buttons["flu"], LEFT)
    assert window.document.study.name == "Flu cases, five expected" and window.document.reference is None
    assert window.filing.open_example(example("flu-expected")) and window.document.reference is not None


def test_a_search_is_for_all_pages_and_moves_no_chip(qtbot: QtBot, gallery: Gallery) -> None:
    before = [chip.x() for chip in gallery.chips.values()]
    QTest.mouseClick(gallery.chips["count"], LEFT)
    qtbot.wait(50)
    assert [chip.x() for chip in gallery.chips.values()] == before and gallery.chips["count"].isChecked()
    QTest.keyClicks(gallery.search, "bidders")
    found = {card.example.path.stem for card in gallery.cards if not card.isHidden()}
    assert "five-bidders" in found and gallery.chips[""].isChecked()
    gallery.search.setText("nothing has these words")
    assert not any(chip.isChecked() for chip in gallery.chips.values()), "of none, not “All”"
    QTest.mouseClick(gallery.chips["auction"], LEFT)
    assert gallery.search.text() == "" and sum(not card.isHidden() for card in gallery.cards) == 4
    gallery.search.setText("age")  # not "average"
    found = {card.example.title for card in gallery.cards if not card.isHidden()}
    assert "Ages in a survey" in found and "Flu cases in a school" not in found


def test_a_search_in_few_pages_fills_the_width(qtbot: QtBot, gallery: Gallery) -> None:
    gallery.search.setText("bidder")
    qtbot.wait(50)
    found = [card for card in gallery.cards if not card.isHidden()]
    assert {page_of(card.example.kind).kind for card in found} == {"auction"} and len(found) == 4, "words of its page"
    assert len({card.x() for card in found}) == min(gallery._columns, 4)


def test_the_question_of_an_example_is_its_heading(gallery: Gallery) -> None:
    for card in gallery.cards:
        words = [(label.text(), label.property("class")) for label in card.findChildren(QLabel) if label.text()]
        assert words[:2] == [(card.example.title, "small"), (card.example.question, "heading")]


@pytest.mark.parametrize("width", [1004, 1160, 1260])
def test_the_name_of_a_group_of_pages_stays_with_the_first(gallery: Gallery, width: int) -> None:
    gallery.resize(width, 600)
    QApplication.processEvents()
    for kind, name in (("count", "publish"), ("inspect", "check"), ("exhibit", "learn")):
        chip, (label,) = gallery.chips[kind], (each for each in gallery.findChildren(QLabel) if each.text() == name)
        places = [each.mapTo(gallery, each.rect().center()) for each in (label, chip)]
        assert places[0].x() < places[1].x() and abs(places[0].y() - places[1].y()) < 4


def test_every_kind_can_be_started_blank(gallery: Gallery) -> None:
    assert gallery.buttons["new"].text() == "Empty page"
    chosen = QSignalSpy(gallery.kindChosen)
    assert len(gallery.blanks.actions()) == len(ENTRIES)
    names = [action.text() for action in gallery.blanks.actions()]
    assert {"Count", "Noise: Histogram", "Synthetic", "Synthetic: Two columns"} <= set(names) and len(set(names)) == len(names)
    next(action for action in gallery.blanks.actions() if action.text() == "Noise").trigger()
    assert chosen.at(0)[0] == "noise" and not gallery.isVisible()


def test_a_column_of_ones_own_is_counted_in_a_histogram(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "own.csv"
    file.write_text("visits\n" + "\n".join(["0", "1", "1", "2", "5"] * 8), "utf-8")
    monkeypatch.setattr(tables.QFileDialog, "getOpenFileName", lambda *given: (str(file), ""))
    window.menus.gallery.trigger()
    QTest.mouseClick(opened(window).buttons["column"], LEFT)
    assert window.document.study.kind == "histogram"
    qtbot.waitUntil(lambda: window.document.study.path == str(file), timeout=WAIT)
    assert window.document.study.column == "visits"


def test_the_start_page_asks_for_the_column_and_proposes_one_that_identifies_nobody(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "own.csv"
    file.write_text("patient_id,ward,visits\n" + "".join(f"{900 + k},w{k % 2},{k % 3}\n" for k in range(40)), "utf-8")
    monkeypatch.setattr(tables.QFileDialog, "getOpenFileName", lambda *given: (str(file), ""))
    before = window.document.study
    window.menus.gallery.trigger()
    gallery = opened(window)
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
        QTest.mouseClick(gallery.buttons["column"], LEFT)
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QInputDialog) and dialog.textValue() == "visits · numbers 0 to 2"
        assert dialog.comboBoxItems() == ["ward · 2 values: w0, w1", "visits · numbers 0 to 2", "patient_id · numbers 900 to 939"]
        assert dialog.labelText() == "Which column of own.csv? It becomes a histogram with noise that may be published."
        assert gallery.isVisible() and window.document.study is before
        QTest.keyClick(dialog, key)
        qtbot.waitUntil(lambda: not isinstance(QApplication.activeModalWidget(), QInputDialog))
    assert not gallery.isVisible()
    qtbot.waitUntil(lambda: getattr(window.document.study, "column", "") == "visits", timeout=WAIT)


def test_a_file_that_cannot_be_read_is_refused_where_it_was_chosen(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ragged, good = tmp_path / "ragged.csv", tmp_path / "good.csv"
    ragged.write_text("visits,ward\n1,2,3\n", "utf-8")
    good.write_text("visits\n" + "1\n2\n" * 20, "utf-8")
    before = window.document.study
    window.menus.gallery.trigger()
    gallery = opened(window)
    for file, words in ((tmp_path / "none.csv", "there is no such file"), (ragged, "no more cells than line 1 (2), got 3")):
        monkeypatch.setattr(tables.QFileDialog, "getOpenFileName", lambda *given, file=file: (str(file), ""))
        QTest.mouseClick(gallery.buttons["column"], LEFT)
        qtbot.waitUntil(lambda words=words: words in gallery.problem.full_text and gallery.problem.isVisible(), timeout=WAIT)
        assert gallery.isVisible() and window.document.study is before
    monkeypatch.setattr(tables.QFileDialog, "getOpenFileName", lambda *given: (str(good), ""))
    QTest.mouseClick(gallery.buttons["column"], LEFT)
    qtbot.waitUntil(lambda: getattr(window.document.study, "path", "") == str(good), timeout=WAIT)


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
    next(action for action in opened(window).blanks.actions() if action.text() == "Noise").trigger()
    assert window.document.study.kind == "noise" and window.document.path is None
    window.menus.gallery.trigger()
    opened(window).search.setText("visits to the doctor")
    card = next(card for card in opened(window).cards if card.example.title == "Visits to the doctor")
    QTest.mouseClick(card, LEFT)
    assert window.document.study.n == 30 and window.document.path is None
    note_recent(tmp_path / "gone.dpd")
    window.menus.gallery.trigger()
    next(action for action in opened(window).recent.actions() if action.text() == "gone.dpd").trigger()
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
        NoiseDesign(gamma="0.2", epsilon=1),
        NoiseDesign("integer", sensitivity=5, epsilon=1),
        NoiseDesign("integer", sensitivity=5, gamma="0.6", epsilon=1),
        NoiseDesign(dimension=2, epsilon=1),
        HistogramDesign.starting(),
        ChoiceDesign.starting(),
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


def test_an_own_column_starts_a_clean_design(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "survey.csv"
    path.write_text("age,vote\n" + "".join(f"{age},yes\n" for age in range(18, 91)), "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    user = Hands(qtbot, window, path)
    window.commands.help.open_gallery()
    QTest.mouseClick(opened(window).buttons["column"], LEFT)
    (asked,) = (dialog for dialog in QApplication.topLevelWidgets() if isinstance(dialog, QInputDialog) and dialog.isVisible())
    assert asked.comboBoxItems() == ["vote · yes", "age · numbers 18 to 90"], "ages that rise by one number the rows"
    asked.setTextValue("age · numbers 18 to 90")
    asked.accept()
    user.settles()
    design = window.document.study
    assert (design.column, design.unit, design.cells, design.listed) == ("age", "", "15..90 by 5", "data")
    assert not window.document.undo_stack.canUndo() and not window.document.modified
    user.reads("The range of the cells was taken from the data", "the cells are not private", "ε per row")
    assert sorted(user.items("Column to count")) == ["age", "vote"]
    user.write("Epsilon", "1")
    user.press("Call it public")
    user.reads("proved optimal per cell")
    assert window.document.study.cells == "15..90 by 5" and not user.sees(QPushButton, "Call it public")


def test_escape_empties_the_search_before_it_closes_the_page(gallery: Gallery) -> None:
    gallery.search.setFocus()
    QTest.keyClicks(gallery.search, "zebra")
    QTest.keyClick(gallery.search, Qt.Key.Key_Escape)
    assert gallery.isVisible() and gallery.search.text() == ""
    QTest.keyClick(gallery.search, Qt.Key.Key_Escape)
    assert not gallery.isVisible()


@pytest.mark.parametrize("size", [QSize(1260, 680), QSize(1004, 600), QSize(800, 500)])
def test_everything_ends_at_one_edge_and_shrinks(qtbot: QtBot, gallery: Gallery, size: QSize) -> None:
    gallery.resize(1400, 900)
    qtbot.wait(50)
    gallery.resize(size)
    qtbot.wait(100)
    assert gallery.size() == size
    last = gallery.shelves[gallery._columns - 1].cards[0]
    ends = (gallery.buttons["new"], gallery.buttons["close"], gallery.search, gallery.doors[-1], last)
    edges = [part.mapTo(gallery, part.rect().topRight()).x() for part in ends]
    assert max(edges) - min(edges) <= 2 and size.width() - max(edges) in range(18, 23), edges


def test_the_third_row_asks_its_questions_in_a_small_window(qtbot: QtBot, gallery: Gallery) -> None:
    gallery.resize(1004, 600)
    qtbot.wait(100)
    for shelf in gallery.shelves[6:]:
        (question,) = (label for label in shelf.cards[0].findChildren(QLabel) if label.text() == shelf.cards[0].example.question)
        first = question.mapTo(gallery, QPoint(0, question.fontMetrics().height()))
        assert first.y() <= gallery._area.geometry().bottom(), "its first line"
