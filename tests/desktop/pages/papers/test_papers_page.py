"""The Papers page in the real window, by mouse and keys: the gallery, an exhibit opened in its place, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from desktop import hands
from desktop.hands import Hands
from desktop.test_accessible_names import nameless
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.output.reports import write_report
from dpdesigner.desktop.pages.kit.thumbnails import paint_small
from dpdesigner.desktop.pages.papers.page import PapersPage
from dpdesigner.desktop.pages.papers.shelves import LEAST_TILE
from dpdesigner.desktop.pages.papers.tile import INSET, Tile
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.files.export import export_of
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies.exhibits.listing import exhibit_class

Key, ALT = Qt.Key, Qt.KeyboardModifier.AltModifier
FIRST = "Reinterpret and err less often"


@pytest.fixture
def opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Hands]]:
    with ExitStack() as stack:

        def opened(*designs: Any) -> Hands:
            write_project(tmp_path / "papers.dpd", Project(designs or (dp.PapersDesign(),)))
            user = stack.enter_context(hands.opened(qtbot, monkeypatch, tmp_path / "papers.dpd"))
            user.settles()
            return user

        yield opened


def page(user: Hands) -> PapersPage:
    found = user.window.host.page
    assert isinstance(found, PapersPage)
    return found


def test_a_claim_opens_in_place_and_leads_back_by_mouse_keys_and_undo(opens: Callable[..., Hands]) -> None:
    user = opens()
    assert user.says("Count queries", "Lecture notes", "hold as printed")
    user.waits(lambda: page(user).gallery.next_undrawn() is None)
    assert [tile.exhibit.exhibit for tile in page(user).gallery.tiles if tile.isVisible() and tile.panel is None] == []
    user.press(FIRST)
    user.settles()
    assert user.says("Claim", "The numbers", "= 1/12") and user.undo_text() == ""
    user.write("Number of people, the number", "10")
    user.settles()
    assert user.says("1/64")
    user.write("Number of people, the number", "0")
    assert user.errors() == ["“Number of people” must be a whole number between 1 and 200, got 0."]
    user.press("‹ Papers")
    user.settles()
    assert isinstance(user.window.document.study, dp.PapersDesign)
    focused = QApplication.focusWidget()
    assert isinstance(focused, Tile) and focused.title == FIRST, "it leads back to the same spot"
    user.undo()
    user.settles()
    assert user.window.document.study == dp.exhibit("grs/example-2.2"), "looking was no step, the change was one"
    user.command("Edit", "Redo")
    user.settles()
    assert user.window.document.study == dp.exhibit("grs/example-2.2", n=10)
    user.window.setFocus()
    page(user).room.setFocus()  # type: ignore[union-attr]
    user.key(Key.Key_Backspace)
    user.settles()
    assert isinstance(user.window.document.study, dp.PapersDesign)


def test_the_gallery_is_walked_with_keys_searched_and_filtered(opens: Callable[..., Hands]) -> None:
    user = opens()
    gallery = page(user).gallery
    gallery.focus_on("grs/example-2.2")
    user.key(Key.Key_Right)
    assert QApplication.focusWidget() is not None and QApplication.focusWidget() in gallery.tiles
    user.key(Key.Key_Home)
    user.key(Key.Key_Return)
    user.settles()
    assert user.window.document.study == dp.exhibit("grs/example-2.2")
    user.press("‹ Papers")
    user.settles()
    user.write("Find a claim", "sgn(x)")
    user.settles()
    assert user.window.document.study == dp.exhibit("notes/laplace-cdf"), "Enter opens the only claim found"
    user.press("‹ Papers")
    user.settles()
    user.write("Find a claim", "unheard of")
    user.reads("No claim contains “unheard of”.")
    user.press("Show all")
    assert not user.says("No claim contains") and user.text("Find a claim") == ""
    count = {mark: sum(tile.exhibit.mark == mark for tile in gallery.tiles) for mark in "✓≠?"}
    user.press(f"≠ corrected {count['≠']}")
    assert {tile.exhibit.holds for tile in gallery.tiles if tile.isVisible()} == {False}
    user.press(f"? questions {count['?']}")
    assert {tile.exhibit.mark for tile in gallery.tiles if tile.isVisible()} == {"?"}
    assert not any(shelf.all.isVisible() for shelf in gallery.shelves), "all that match are shown"
    user.press(f"✓ as printed {count['✓']}")
    assert {tile.exhibit.holds for tile in gallery.tiles if tile.isVisible()} == {True}
    user.write("Find a claim", "median", enter=False)
    found = [tile.title for tile in gallery.tiles if tile.isVisible()]
    told = {tile.exhibit.exhibit: tile.second for tile in gallery.tiles if tile.isVisible()}
    assert all("median" in f"{tile.title} {told[tile.exhibit.exhibit]}".casefold() for tile in gallery.tiles if tile.isVisible())
    assert "A median on a continuum" in found and gallery.filters["all"][0].isChecked(), "a search is for all claims"
    user.write("Find a claim", "interval", enter=False)
    user.press("All")
    found = {tile.title for tile in gallery.tiles if tile.isVisible()}
    many = sum(tile.exhibit.mark == "≠" for tile in gallery.tiles if tile.isVisible())
    user.press(f"≠ corrected {many}")  # the numbers follow the search, and a press keeps it
    kept = [tile for tile in gallery.tiles if tile.isVisible()]
    assert user.text("Find a claim") == "interval" and {tile.exhibit.mark for tile in kept} == {"≠"}
    assert 0 < len(kept) == many < len(found)
    assert {shelf.count.text() for shelf in gallery.shelves if shelf.isVisible()} == {
        f"≠\xa0{sum(tile.exhibit.paper == shelf.paper for tile in kept)}" for shelf in gallery.shelves if shelf.isVisible()
    }, "a shelf counts the claims that it shows"


@pytest.mark.parametrize("down", [False, True])
def test_the_only_claim_that_a_search_finds_opens_with_enter(opens: Callable[..., Hands], down: bool) -> None:
    user = opens()
    user.key(Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.focusWidget() is page(user).gallery.search
    QTest.keyClicks(QApplication.focusWidget(), "two")
    user.key(Key.Key_Return)
    assert QApplication.focusWidget() in page(user).gallery.tiles, "of several, the first is selected"
    user.key(Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(QApplication.focusWidget(), " users")
    if down:
        user.key(Key.Key_Down)
    user.key(Key.Key_Return)
    user.settles()
    assert user.window.document.study == dp.exhibit("grs/theorem-6.3")


def test_a_filter_or_search_shows_its_first_claims(opens: Callable[..., Hands]) -> None:
    user = opens()
    gallery = page(user).gallery
    bar = gallery._area.verticalScrollBar()
    for select in (lambda: gallery.filters["≠"][0].click(), lambda: user.write("Find a claim", "a")):
        user.settles()
        bar.setValue(bar.maximum())
        assert bar.value() > 0
        select()
        assert bar.value() == 0


def test_the_gallery_has_its_counts_once_and_pictures_need_no_stop(opens: Callable[..., Hands]) -> None:
    user = opens()
    header = user.window.host.page.summary()
    assert user.says("30 of 49 claims in 5 papers hold as printed") and not (header.line or header.value)
    stop, seen = user.window.solving._header.result.stop, set[bool]()
    user.waits(lambda: seen.add(stop.isVisible()) or page(user).gallery.next_undrawn() is None)
    assert seen == {False}


def test_neighbours_scenes_comparison_and_names(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/example-2.2"), dp.exhibit("notes/laplace-cdf"), dp.exhibit("grs/example-2.2", n=7))
    assert user.says(FIRST) and nameless(user.window) == []
    user.command("Present", "Add scene")
    assert user.window.document.scenes
    room = page(user).room
    assert room is not None
    after = room.ends[2]
    assert after is not None
    user.press(str(after.heading))
    user.settles()
    assert user.window.document.study.exhibit == after.exhibit
    user.key(Key.Key_Left, ALT)
    user.settles()
    assert user.window.document.study == dp.exhibit("grs/example-2.2")
    user.command("Edit", "Copy")
    user.window.document.pin(user.window.document.designs[2].key)
    user.command("Design", "Compare")
    user.reads("Their curves", "Error by number of people", "Error by privacy")


def test_every_title_and_verdict_fits_into_the_narrowest_tile(opens: Callable[..., Hands]) -> None:
    gallery = page(opens()).gallery
    room = LEAST_TILE - 2 * INSET - 2  # tiles stand two pixels apart
    title, verdict = (QFontMetricsF(theme().font(size, bold=bold)) for size, bold in ((9, True), (8, False)))
    wide = [tile.title for tile in gallery.tiles if title.horizontalAdvance(tile.title) > room]
    assert wide + [tile.verdict for tile in gallery.tiles if verdict.horizontalAdvance(tile.verdict) > room] == []


def test_an_opened_shelf_scrolls_into_sight(opens: Callable[..., Hands]) -> None:
    user = opens()
    gallery = page(user).gallery
    shelf = next(shelf for shelf in gallery.shelves if shelf.paper.key == "blr")
    bar = gallery._area.verticalScrollBar()
    assert bar.value() == 0
    shelf.all.click()
    last = shelf.tiles[-1]
    user.qtbot.waitUntil(lambda: bar.value() > 0 and not last.visibleRegion().isEmpty())


def test_a_privacy_level_is_typed_as_a_logarithm(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("geng/data-independent", n=3))
    assert user.text("How private, the number") == "ln 4" and user.says("ln 2")
    assert not user.window.header.line.text(), "the parameters are at the left"
    user.write("How private, the number", "ln 3")
    user.settles()
    assert user.window.document.study.epsilon == "ln 3" and user.text("How private, the number") == "ln 3"
    user.write("How private, the number", "ln 200")
    assert user.errors() == ["Epsilon must be between 1/2 and 5, got 'ln 200'."]


def test_a_report_has_the_pictures_and_both_numbers(qapp: object, tmp_path: Path) -> None:
    write_report("Papers", [export_of(dp.exhibit("notes/laplace-cdf"))], [tmp_path / "it.html"])
    text = (tmp_path / "it.html").read_text("utf-8")
    assert "svg" in text and "1.3033" in text and "0.69673" in text


def test_the_steps_of_a_proof_have_a_line_each_in_a_report_and_in_its_explanation(
    opens: Callable[..., Hands], tmp_path: Path
) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"))
    user.window.menus.why.trigger()
    for step in ("2. The error is a/4", "3. This is Ann’s separate release"):
        assert f"\n{step}" in user.window.why.as_text()
    write_report("Papers", [export_of(dp.exhibit("grs/theorem-6.3"))], [tmp_path / "it.html"])
    assert "<br>2. The error is a/4" in (tmp_path / "it.html").read_text("utf-8")


def test_a_line_is_dragged_and_everything_follows(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"))
    assert user.says("32²⁄₃% of cases, instead of 28¹⁄₃%", "4¹⁄₃ points") and not user.says("= 7/12")
    user.tab("Releases")
    user.settles()
    assert user.says("neglects “1 and 3”, Ben’s “2 and 3”")
    user.tab("Proof")
    user.settles()
    assert user.says("≠ {1,3}, {2,3}", "= 7/12") and not user.says("Wrong counts with")
    user.press("▸ Why they differ")
    assert user.says("there is no person 4")
    plot = user.plot("cost for each user (points) against probability of 1 and 3")
    user.drag(plot, 0.025, 0.06, 0.1)
    user.settles()
    assert user.window.document.study.belief == "1/10" and user.undo_text() == "Change probability"
    assert user.says("1.25")
    user.tab("Proof")
    user.reads("11/12 + 2/3 − 1 = 7/12: a contradiction.")
    user.write("Probability of 1 and 3, the number", "1/8")
    user.settles()
    assert user.says("One release serves both users.", "Not here: sharing is free.")
    claim = user.find(QLabel, "Ann and Ben count the ill among patients 1, 2 and 3.")
    assert not claim.isEnabled(), "pale where it does not apply"
    user.reads("Here a noisy count is best for each user, so one release serves both.")
    assert not user.says("One release best for both?")
    user.undo()
    user.undo()
    user.settles()
    assert user.window.document.study == dp.exhibit("grs/theorem-6.3") and plot.handles()[0].place == 0.025
    assert claim.isEnabled() and user.says("“Small” means below 1/8 (we find).")
    user.write("Probability of 1 and 3, the number", "0.7")
    assert user.errors() == ["Probability must be between 0 and 1/2, got 0.7."]
    user.press("Use 1/2")
    user.settles()
    assert user.window.document.study.belief == "1/2"


def test_a_question_of_a_paper_is_no_correction(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("geng/abstract-setting"))
    assert user.says("Open question in the paper", "state no privacy level") and not user.says("Why they differ")
    tile = next(tile for tile in page(user).gallery.tiles if tile.exhibit.exhibit == "geng/abstract-setting")
    assert tile.verdict.startswith("? ")


def test_a_long_run_can_be_stopped(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("blr/theorem-4.3", runs=2, bits=8))
    user.write("Number of runs, the number", "400")
    user.write("Resolution of the axis, the number", "20")
    user.waits(lambda: user.sees(QAbstractButton, "Stop"))
    user.press("Stop")
    user.waits(lambda: not user.sees(QAbstractButton, "Stop"))
    assert user.window.document.study.runs == 400


def test_a_slow_exhibit_opens_with_the_picture_of_its_tile(opens: Callable[..., Hands]) -> None:
    user = opens()
    (tile,) = (each for each in page(user).gallery.tiles if each.exhibit.exhibit == "blr/theorem-4.3")
    tile.show_picture(tile.exhibit(bits=8, runs=2).run().panels[0])
    user.press("‹ Papers") if page(user).room else None
    tile.click()
    room = page(user).room
    assert room is not None and room.answer is None
    (plot,) = (each for each in room.findChildren(CurvePlot) if each.isVisible())
    assert plot._curves.opacity() < 1, "pale until it is computed"
    user.settles()
    assert plot._curves.opacity() == 1 and len(room.answer.panels) > 1


def test_presenting_hides_the_way_back_and_scenes_show_exhibits(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"), dp.exhibit("notes/laplace-cdf"))
    user.command("Present", "Add scene")
    user.write("Title of the scene", "Two users, one release, and what it costs " * 3)
    user.command("Present", "Start presenting")
    user.waits(lambda: not user.sees(QAbstractButton, "‹ Papers"))
    assert user.says("Two users, one release")
    assert user.window.header.line.text() == "ε = ln 2", "although there is no room for the other inputs"
    user.command("Present", "Stop presenting")
    user.waits(lambda: user.sees(QAbstractButton, "‹ Papers"))


def test_looking_at_exhibits_is_no_step_and_leaves_the_document_as_it_is(opens: Callable[..., Hands]) -> None:
    user = opens(dp.NoiseDesign(name="Mine", epsilon=1))
    before = user.window.document.content.project
    user.press("Papers page")
    user.settles()
    user.press(FIRST)
    user.settles()
    user.key(Key.Key_Right, ALT)
    user.settles()
    user.press("‹ Papers")
    user.settles()
    document = user.window.document
    assert document.undo_stack.count() == 0 and document.content.project == before and not document.modified
    user.press("Noise page")
    user.settles()
    assert [design.title for design in document.designs] == ["Mine"]


def test_what_was_changed_in_an_exhibit_stays_and_is_shown_again(opens: Callable[..., Hands]) -> None:
    user = opens(dp.NoiseDesign(name="Mine", epsilon=1))
    user.press("Papers page")
    user.settles()
    user.press(FIRST)
    user.settles()
    user.write("Number of people, the number", "10")
    user.settles()
    user.press("‹ Papers")
    user.settles()
    studies = user.window.document.content.project.studies
    assert studies == (dp.NoiseDesign(name="Mine", epsilon=1), dp.exhibit("grs/example-2.2", n=10))
    user.press(FIRST)
    user.settles()
    assert user.text("Number of people, the number") == "10" and user.window.document.undo_stack.count() == 1


def test_every_exhibit_is_reached_by_buttons_and_by_alt_and_an_arrow_in_both_directions(opens: Callable[..., Hands]) -> None:
    names = dp.exhibits()
    user = opens(dp.exhibit(names[0]))
    user.window.resize(1280, 720)
    for name in names[1:]:
        assert user.window.document.study.exhibit != name
        user.key(Key.Key_Right, ALT)
        assert user.window.document.study.exhibit == name, "across the end of a shelf too"
    user.key(Key.Key_Right, ALT)
    assert user.window.document.study.exhibit == names[-1]
    for name in reversed(names[:-1]):
        room = page(user).room
        assert room is not None
        back = room.links[1]
        assert back.isVisible() and back.text().startswith("◂")
        QTest.mouseClick(back, Qt.MouseButton.LeftButton)
        assert user.window.document.study.exhibit == name
    assert user.window.document.undo_stack.count() == 0
    assert user.window.document.content.project.studies == (dp.exhibit(names[0]),)


def test_alt_and_arrows_leave_a_field_and_never_change_it(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/example-2.2"))
    box = user.find(QLineEdit, "Number of people, the number")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    QTest.keyClicks(box, "7")
    user.key(Key.Key_Right, ALT)
    user.settles()
    assert user.window.document.study.exhibit != "grs/example-2.2"
    for key in (Key.Key_Left, Key.Key_Right) * 12:
        user.key(key, ALT)
    user.key(Key.Key_Left, ALT)
    user.settles()
    assert user.window.document.study == dp.exhibit("grs/example-2.2") and user.window.document.undo_stack.count() == 0


def test_what_is_pinned_in_one_exhibit_is_not_the_before_of_another(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/example-2.2"))
    user.command("Design", "Pin")
    user.reads("before")
    user.key(Key.Key_Right, ALT)
    user.settles()
    user.waits(lambda: not user.window.header.result.pinned)
    assert page(user).room is not None and page(user).room.before is None  # type: ignore[union-attr]
    user.key(Key.Key_Left, ALT)
    user.waits(lambda: user.window.header.result.pinned)


def test_the_small_picture_of_bars_is_not_empty(qtbot: QtBot) -> None:
    picture = QImage(200, 60, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    paint_small(painter, exhibit_class("geng/ages").pictured(), QRectF(0, 0, 200, 60))
    painter.end()
    ink = QColor(theme().colours.accent).rgb()
    assert sum(picture.pixel(x, y) == ink for x in range(200) for y in range(60)) > 300


def test_the_tallies_of_a_shelf_add_up(opens: Callable[..., Hands]) -> None:
    user = opens()
    for shelf in page(user).gallery.shelves:
        texts = [label.text() for label in shelf._side.findChildren(QLabel)]
        (tally,) = (text for text in texts if text[:1] in "✓≠?")
        assert sum(int(many) for _, many in (part.split("\xa0") for part in tally.split("   "))) == len(shelf.tiles)
    assert user.says("30 of 49 claims in 5 papers")


def test_the_errors_of_each_user_and_the_proof_of_theorem_6_3_are_views(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"))
    bars, ratio = "How often each is wrong", "11/12 + 2/3 − 1 = 7/12: a contradiction."
    assert user.says(bars, "When Ann is wrong", "When Ben is wrong", "in %, by who is ill") and not user.says("Shared release")
    user.tab("Releases")
    user.settles()
    assert user.says("Ann’s separate release", "wrong in 28¹⁄₃%", "Shared release", "each wrong in 32²⁄₃%", "drag the line")
    assert not user.says(ratio) and not user.says(bars)
    user.tab("Proof")
    user.settles()
    assert user.says(ratio, "One release best for both? (Figure 5)") and not user.says(bars)
    assert user.plot("cost for each user (points) against probability of 1 and 3").isVisible()


def test_the_headline_of_theorem_6_3_keeps_its_numbers_where_text_is_large(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"))
    user.window.resize(1024, 640)
    preferences().choose(text_scale=1.5)
    shown = user.window.solving._header.result.sentence
    user.waits(lambda: "32²⁄₃% wrong, instead of 28¹⁄₃%." in shown.text())


def test_the_views_of_theorem_6_3_stay_while_the_doubt_is_dragged_beyond_where_sharing_costs(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"))
    assert user.tabs() == ["Errors", "Releases", "Proof"]
    user.write("Probability of 1 and 3, the number", "1/8")
    user.settles()
    assert user.tabs() == ["Errors", "Releases", "Proof"] and user.says("One release serves both users.")
    user.tab("Proof")
    user.settles()
    assert user.says("Here a noisy count is best for each user")
    user.press("ln 3")
    user.settles()
    user.write("Probability of 1 and 3, the number", "1/40")
    user.settles()
    assert user.says("The proof is for ε = ln 2.")


def test_the_whole_proof_of_theorem_6_3_can_be_read_where_text_is_large(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"))
    user.window.resize(1024, 640)
    preferences().choose(text_scale=1.5)
    user.tab("Proof")
    user.settles()
    proof = user.find(QLabel, "0 and 3 are always wrong.")
    user.waits(lambda: proof.text().endswith("7/12: a contradiction.") and proof.height() >= proof.heightForWidth(proof.width()))


def test_a_doubted_table_is_dragged_in_the_picture_of_theorem_6_3(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"))
    stack = page(user).room._expected.views["expected"].stack  # type: ignore[union-attr]
    for key, place, start, share in (("a", 2, 2.5, 0.1), ("b", 3, 10, 0.2)):
        plot = stack.plots[f"expected-{key}"]
        frame = plot.figure().frame
        end = 100 * share
        user.drag(plot, place, place, place, heights=tuple(map(frame.y, (start, (start + end) / 2, end))))
        user.settles()
        belief = Fraction(user.window.document.study.belief)
        assert float(belief) == pytest.approx(share, abs=0.02) and 120 % belief.denominator == 0
        assert user.says("33¹⁄₃%") and not user.says("33.34%")
        assert user.undo_text() == "Change probability"
        held = user.window.document.study
        assert [has_hand(plot, each) for each in range(4)] == [each == place for each in range(4)]
        user.drag(plot, 0, 0, heights=(frame.y(25), frame.y(10)))
        assert user.window.document.study == held, "this bar stays"
    user.tab("Proof")
    user.settles()
    assert stack.isVisible(), "what they expect stands beside every view"


def test_a_refused_level_has_no_bet_and_no_proof(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"))
    assert user.says("✓ proved: no shared release does better", "wins at most 67 times in 100")
    user.write("Epsilon", "0")
    user.settles()
    assert user.errors() == ["Epsilon must be between 1/20 and 3, got 0."]
    assert not user.says("✓ proved: no shared release") and not user.says("does not change")
    user.press("Use 1/20")
    user.settles()
    assert user.says("Ann’s and Ben’s wrong counts together are at least", "wins at most 52 times in 100") and not user.errors()


def test_the_slider_of_theorem_6_3_stops_at_the_ends_of_its_range(opens: Callable[..., Hands]) -> None:
    user = opens(dp.exhibit("grs/theorem-6.3"))
    slider = next(slider for slider in user.window.findChildren(GestureSlider) if slider.toolTip().startswith("Epsilon from"))
    assert slider.toolTip() == "Epsilon from 0.0501 to 2.99, logarithmic."
    for key, end in ((Qt.Key.Key_Home, 0.0501), (Qt.Key.Key_End, 2.99)):
        QTest.keyClick(slider, key)
        user.settles()
        assert float(user.window.document.study.privacy.epsilon) == pytest.approx(end) and not user.errors()


def has_hand(plot: CurvePlot, place: int) -> bool:
    """Return whether the mouse becomes a hand over the bar of a place."""
    figure = plot.figure()
    figure.hovered.emit(QPointF(figure.frame.x(place), figure.frame.y(5)))
    return figure.cursor().shape() == Qt.CursorShape.OpenHandCursor


def test_why_closes_in_the_gallery_which_has_nothing_to_explain(opens: Callable[..., Hands]) -> None:
    user = opens(dp.PapersDesign(), dp.CountDesign(n=5, alpha="1/2"))
    user.window.document.select(1)
    user.settles()
    user.window.menus.why.trigger()
    assert user.window.why.isVisible()
    user.window.document.select(0)
    user.settles()
    user.waits(lambda: not user.window.why.isVisible())
    assert not user.window.menus.why.isChecked()
