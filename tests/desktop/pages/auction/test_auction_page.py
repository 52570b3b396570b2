"""The auction page as a user meets it: bids dragged, lies told, the cap entered, prices drawn."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from desktop import hands, mouse
from desktop.hands import SHIFT, Hands, Key
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
)
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.desktop.background import runner
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.document import page_host
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.pages.auction.page import AuctionPage
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.window.header import Header, ResultLine
from dpdesigner.files.export import export_of
from dpdesigner.studies.auction.answer import AuctionAnswer, Misreport
from dpdesigner.studies.spending import RECORD

Opens = Callable[..., Hands]


@pytest.fixture
def opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Opens]:
    with ExitStack() as stack:

        def open_design(**inputs: Any) -> Hands:
            path = tmp_path / "auction.dpd"
            dp.save([dp.AuctionDesign.starting(**inputs)], path)
            user = stack.enter_context(hands.opened(qtbot, monkeypatch, path))
            user.settles()
            return user

        yield open_design


def plot(user: Hands, name: str) -> CurvePlot:
    return user.find(CurvePlot, name)


def bids(user: Hands) -> CurvePlot:
    return plot(user, "The bids")


def design(user: Hands) -> dict[str, Any]:
    user.command("File", "Save")
    user.waits(lambda: not user.window.isWindowModified())
    found: dict[str, Any] = json.loads(user.path.read_text("utf-8"))["studies"][0]
    return found


FOOD = {"path": "example:food_budgets.csv", "column": "food_expenditure", "cap": 1000, "unit": "fr", "epsilon": "0.5"}


def test_where_room_is_short_a_card_is_one_line_and_the_level_stays(opens: Opens) -> None:
    user = opens(**FOOD)
    user.waits(lambda: user.sees(CurvePlot, "gain in surplus (%) against reported bid (fr)"))
    assert user.sees(QLineEdit, "Cap")
    user.window.resize(1024, 560)
    user.reads("▸ Cap: 1000 fr")
    assert user.sees(QLineEdit, "Epsilon") and not user.sees(QLineEdit, "Cap")
    card = next(card for card in user.window.findChildren(Card) if card.folded and "Cap: 1000 fr" in card.accessibleName())
    user.press("Draw a price")
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    user.waits(lambda: user.sees(QLineEdit, "Cap"))


def test_the_price_is_seen_without_scrolling_in_a_small_window(opens: Opens) -> None:
    user = opens(**FOOD)
    user.window.resize(1024, 640)
    user.settles()
    link = user.find(QAbstractButton, "▸ Influence of one bidder")
    user.waits(lambda: link.visibleRegion().boundingRect() == link.rect())


def test_what_is_said_of_the_food_budgets(opens: Opens) -> None:
    user = opens(**FOOD)
    user.reads(
        "earns 97.7% of the best revenue", "more than 3.96%", "✓ drawn price private for a public cap · ε = 0.5", "235 bids"
    )
    user.reads(
        "Drawn price: privacy costs 1755",
        "18 bids cut",
        "If bids are independent, a 50 : 50 bet on your bid wins at most 63 times in 100.",
        "Row 103 would pay 517.9",
        "row 103: 3.96% better off",
        "One price is drawn, and anyone may buy at it.",
        "for any bids, a gain of at most 64.9% is proved.",
    )
    assert user.chosen("Best lie") == ["Best lie"]
    assert user.window.host.page._inputs.bids.plot.plot.x.limits == (200.0, 1000.0), "no bid is near 0"


def test_the_result_is_said_in_short_where_text_is_large(opens: Opens) -> None:
    user = opens(**FOOD)
    result = user.window.findChild(ResultLine).sentence
    user.reads("more than 3.96%")
    preferences().choose(text_scale=2.0)
    user.reads("On average it earns 97.7% of the best revenue")
    assert "…" not in result.text() and "more than 3.96%" in result.toolTip()


def test_a_bidder_is_taken_by_the_mouse_and_lies(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6", "0.8", "1"])
    user.command("Design", "Show all prices up to the cap")
    user.drag(bids(user), 0.6, 0.5, 0.3)
    user.reads("Bidder 3 would pay 0.6 but bids 0.3", "bidder 3: ")
    assert user.chosen("Best lie") == [] and user.undo_text() == "Misreport a bid"
    gain = dp.solve(dp.AuctionDesign(bids=["0.2", "0.4", "0.6", "0.8", "1"], epsilon=1)).gain(2, 0.3)
    words = f"{abs(100 * gain):.2f}% {'better' if gain > 0 else 'worse'} off"
    assert f"bidder 3: {words}" in user.said()
    (mark,) = bids(user).plot.marks
    assert mark.text == "bids 0.3" and user.says(f"but bids 0.3 and {'gains' if gain > 0 else 'loses'} 0.0")
    assert not bids(user)._handles.hover_lines, "and nothing covers it"
    user.hover(bids(user), 0.6)
    assert list(bids(user)._handles.hover_lines) == ["bidder 3, worth 0.6"]
    user.hover(bids(user), mark.x, mark.y)
    assert not bids(user)._handles.hover_lines
    user.press("▸ Influence of one bidder")
    user.reads("The lie of bidder 3 changes probabilities by at most ×", "(limit eᵋ = 2.72)")
    user.press("▾ Influence of one bidder")
    user.drag(bids(user), 0.3, 0.5, 0.602)
    user.reads("Bidder 3 bids the true value, 0.6")
    assert user.window.host.page.view["says"] is None and bids(user).plot.marks[0].text == "tells the truth"
    user.key(Key.Key_Escape)
    user.reads("Bidder 3 bids the true value, 0.6")
    user.key(Key.Key_Right)
    user.reads("Bidder 4 bids the true value, 0.8")
    user.key(Key.Key_Left, SHIFT)
    user.reads("Bidder 4 would pay 0.8 but bids 0.79")
    user.key(Key.Key_M)
    user.reads("Bidder 5 would pay 1 but bids 0.456")
    assert user.chosen("Best lie") == ["Best lie"]
    lying = plot(user, "gain in surplus (%) against reported bid")
    lie = lying.plot.marks[1]
    height = lying.figure().frame.y(lie.y)
    user.drag(lying, lie.x, 0.5, 0.4, heights=(height, height, height))
    user.reads("Bidder 5 would pay 1 but bids 0.4 and ")
    user.drag(lying, 0.4, 0.7, 1, heights=(lying.figure().frame.y(lying.plot.lines[-1].y[0]), height, height))
    user.reads("Bidder 5 bids the true value, 1")
    zero = lying.figure().frame.y(0)
    user.drag(lying, 1, 0.9, 0.7, heights=(zero, zero, zero))
    user.reads("Bidder 5 would pay 1 but bids 0.7 and ")
    user.drag(bids(user), 0.2, 0.2)  # a click takes a bidder and changes nothing
    user.reads("Bidder 1 bids the true value, 0.2")


def test_undo_takes_a_lie_back_after_the_steps_that_followed_it(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6", "0.8", "1"])
    user.command("Design", "Show all prices up to the cap")
    user.drag(bids(user), 0.6, 0.6)
    user.reads("Bidder 3 bids the true value, 0.6")
    assert user.undo_text() == ""
    for price in (0.3, 0.5):
        user.drag(bids(user), bids(user).plot.marks[0].x, 0.4, price)
    user.reads("Bidder 3 would pay 0.6 but bids 0.5")
    user.write("Cap", "0.9")
    user.settles()
    assert user.undo_text() == "Change the cap"
    user.undo()
    user.settles()
    user.reads("Bidder 3 would pay 0.6 but bids 0.5")
    user.undo()
    user.reads("Bidder 3 bids the true value, 0.6")
    assert bids(user).plot.marks[0].text == "tells the truth" and user.undo_text() == "" and not user.window.isWindowModified()


def test_undo_takes_back_the_best_lie_and_its_end(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6", "0.8", "1"])
    user.press("Best lie")
    assert user.says("Bidder 5 bids the true value, 1") and user.undo_text() == "Tell the truth"
    user.undo()
    assert user.says("Bidder 5 would pay 1 but bids 0.456") and user.undo_text() == ""
    user.drag(bids(user), 0.6, 0.6)
    user.drag(bids(user), 0.6, 0.5, 0.4)
    user.reads("Bidder 3 would pay 0.6 but bids 0.4")
    user.press("Best lie")
    assert user.undo_text() == "Best lie"
    user.undo()
    user.reads("Bidder 3 would pay 0.6 but bids 0.4")
    assert user.undo_text() == "" and not user.window.isWindowModified()


def test_a_refused_cap_stays_in_its_box_until_it_is_mended(opens: Opens) -> None:
    user = opens(**FOOD)
    for text in ("-5", "1000"):
        user.write("Cap", text, enter=False)
        user.key(Key.Key_Tab)
        assert (user.text("Cap"), bool(user.errors())) == (text, text == "-5")


def test_the_truth_moves_with_alt(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens(bids=["0.2", "0.4", "0.6", "0.8", "1"])
    user.command("Design", "Show all prices up to the cap")
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", lambda: Qt.KeyboardModifier.ControlModifier)
    user.drag(bids(user), 0.6, 0.5, 0.3)
    user.settles()
    assert user.undo_text() == "Change a bid" and design(user)["bids"] == ["0.2", "0.4", 0.3, "0.8", "1"]
    user.undo()
    user.settles()
    assert design(user)["bids"][2] == "0.6"


def test_the_cap_is_typed_and_asked_for(opens: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens(bids=["0.2", "0.4", "0.6", "0.8", "1"], bids_are="public")
    user.write("Cap", "0,50")
    user.reads("3 bids cut", "cap 0.50")
    user.write("Cap", "-5")
    assert any("cap must be above 0" in error for error in user.errors())
    user.write("Cap", "zz")
    assert any("must be a number like 1000, got 'zz'" in error for error in user.errors())
    user.undo()
    path = tmp_path / "bids.csv"
    path.write_text("name,bid\na,300\nb,500\n", "utf-8")
    user.settles()
    user.key(Key.Key_F1)
    assert user.window.why.isVisible()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("Data column…")
    user.reads("2 bids")
    user.waits(lambda: any("The cap must be entered" in error for error in user.errors()))
    user.waits(lambda: not user.window.why.isVisible())  # there is nothing to explain, and the cap is asked for below it
    assert user.text("Cap") == ""  # never filled in from the data
    user.reads("Enter the cap to see the bids.")
    assert not user.sees(CurvePlot, "buyers against price") and not user.window.host.page._inputs.bids.draw.isEnabled()
    wide = user.window.host.page.width()
    user.waits(lambda: user.find(QLabel, "Enter bids and a cap to draw").width() > 0.55 * wide)  # no bare column beside it
    user.write("Cap", "1000")
    user.reads("cap 1000", "Row")
    user.settles()
    assert user.sees(CurvePlot, "buyers against price")
    path.write_text("name,bid\na,300\nb,nonsense\n", "utf-8")
    user.write("Cap", "900")
    user.waits(lambda: any("line 3" in error and "nonsense" in error for error in user.errors()))


def test_bids_are_typed_and_drawn(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6", "0.8", "1"])
    user.press("Type…")
    user.waits(lambda: user.sees(QPlainTextEdit, "Bids"))
    box = user.find(QPlainTextEdit, "Bids")
    box.setPlainText("0.3 0.5, abc")
    user.press("OK")
    user.reads("Bid 3 must be a number")
    box.setPlainText("12,50\n8,20\n30")
    user.press("OK")
    user.reads("Bids must be unambiguous, got '12,50': write 12.50 for one number, 12, 50 for several.")
    box.setPlainText("0.2 0.5, 0.9\n1/3")
    user.press("OK")
    user.reads("4 bids")
    user.settles()
    assert user.undo_text() == "Type bids" and design(user)["bids"] == ["0.2", "0.5", "0.9", "1/3"]
    user.press("Sketch")
    user.reads("Drag over the staircase to bend it.")
    curve = plot(user, "buyers against price")
    figure = curve.figure()
    frame = figure.frame
    points = [QPointF(frame.x(0.2), frame.y(4)), QPointF(frame.x(0.4), frame.y(3)), QPointF(frame.x(0.8), frame.y(1))]
    mouse.drag(figure.viewport(), points)
    user.settles()
    found = sorted(design(user)["bids"])
    assert user.undo_text() == "Draw bids" and found == pytest.approx([0.2, 0.4, 0.6, 0.8], abs=0.06)


def test_curves_are_typed_and_mended(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4"], epsilon="0.5")
    user.press("Curves…")
    user.waits(lambda: user.sees(QPlainTextEdit, "Demand curves"))
    user.find(QPlainTextEdit, "Demand curves").setPlainText("1 at 0.2, 3 at 0.8\n0.9, 0.5")
    user.press("OK")
    user.reads("Curve 1 must fall as the price rises")
    user.press("Fix: make every curve decreasing")
    user.find(QPlainTextEdit, "Demand curves").setPlainText("3 at 0.8\n0.5, 0.9")
    user.press("OK")
    user.reads("Curve 2 must fall from item to item, got 0.9 after 0.5.")
    user.press("Fix: make every curve decreasing")
    user.press("OK")
    user.reads(
        "2 demand curves",
        "✓ drawn price private for a public cap · 2ε = 1",
        "for any bids, a gain of at most 172% is proved.",
        "With demand curves the price has ε = 1",
        "1 curve cut",
    )
    assert not user.window.host.page._inputs.bids.draw.isEnabled()
    user.settles()
    assert design(user)["demand"] == [[["0.8", "3"]], [["0.5", 2], ["0.9", 1]]]


def test_prices_are_drawn_and_views_are_opened(opens: Opens) -> None:
    user = opens(**FOOD)
    user.press("Draw a price")
    user.reads("price to announce")
    first = user.window.host.page.current_summary.value.replace("\u00a0", " ")
    user.press("× 100")
    user.reads("100 draws, not to announce, earn ", f" Still announce {first}.")
    user.press("Draw a price")
    user.reads("Draw 2: ", f"Announce the first, {first}; choosing among 2 costs up to ε = 1.")
    user.tab("Revenue")
    user.reads("Revenue of the drawn price")
    user.tab("Against ε")
    user.reads("Revenue against ε")
    assert user.tabs() == ["Price", "Revenue", "Against ε"], "the card of the bids has the demand"
    user.write("Epsilon", "0.1")
    user.reads("✓ drawn price private for a public cap · ε = 0.1")
    user.settles()
    user.press("Draw a price")
    user.reads("Draw 3: ", f"Announce the first, {first} (ε = 0.5, cap 1000 fr); choosing among 3 costs up to ε = 1.1.")
    user.settles()
    user.undo()
    user.reads("price to announce", first, "One price is drawn")
    user.press("Draw a price")
    user.reads("Draw 4: ", f"Announce the first, {first}; choosing among 4 costs up to ε = 1.6.")
    user.settles()
    user.window.document.add(dp.NoiseDesign(epsilon=1))
    user.settles()
    user.window.document.select(0)
    user.settles()
    user.reads("price to announce", first)
    user.press("Draw a price")
    user.reads("Draw 5: ", f"Announce the first, {first}; choosing among 5 costs up to ε = 2.1.")


def test_the_page_and_its_report_keep_a_price_while_the_unit_changes(opens: Opens) -> None:
    user = opens(**FOOD, bids_are="public")
    user.press("Draw a price")
    user.reads("price to announce", "Announce ")
    host = user.window.host
    for unit in ("kr", "fr"):
        user.write("Unit of prices", unit)
        user.settles()
        price = host.page.current_summary.value
        made = export_of(host.page.design, done=host.reported(host.page.design))
        assert price.endswith(unit) and made.headline == ("Price to announce", price)
        assert ("price to announce", price) in made.facts()


def test_the_first_button_has_its_size_again_after_larger_text_on_another_page(opens: Opens) -> None:
    user = opens(**FOOD)
    button, other = user.find(QAbstractButton, "Draw a price"), user.find(QAbstractButton, "× 100")
    user.window.document.add(dp.NoiseDesign(epsilon=1))
    for steps in (1, 1, 1, 0):
        user.settles()
        preferences().step_text_scale(steps)
    user.settles()
    user.window.document.select(0)
    user.settles()
    assert button.height() == other.height() == button.sizeHint().height()


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_drawn_price_is_read_without_scrolling(opens: Opens, scale: float) -> None:
    user = opens(**FOOD)
    preferences().choose(text_scale=scale)
    user.window.resize(1024, 640)
    user.settles()
    user.press("Draw a price")
    user.reads("price to announce")
    line = user.find(QLabel, "<b>Announce ")
    user.waits(lambda: line.height() > 0 and line.visibleRegion().boundingRect().height() == line.height())


def test_sketching_moves_no_button(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6", "0.8", "1"])
    sketch = user.find(QPushButton, "Data column…")
    before = sketch.mapTo(user.window, QPoint())
    user.press("Sketch")
    user.reads("Drag over the staircase to bend it.")
    user.settles()
    assert sketch.mapTo(user.window, QPoint()) == before


def test_sketching_ends_when_other_bids_are_opened(opens: Opens) -> None:
    user = opens(**FOOD)
    for opened in (lambda: user.window.filing.open_path(user.path), lambda: user.press("Example")):
        user.press("Sketch")
        user.reads("Drag over ")
        opened()
        user.waits(lambda: not user.window.host.page._inputs.bids.draw.isChecked())
        assert not user.says("Drag over ")


def test_secret_bids_of_a_file_are_sketched_over_and_changed_without_being_saved(
    opens: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["who,bid", "x,", *(f"x,{31 + 7 * k}.37" for k in range(9))]
    (tmp_path / "offers.csv").write_text("\n".join(lines), "utf-8")
    user = opens(path=str(tmp_path / "offers.csv"), column="bid", cap=100)
    user.reads("9 bids, 1 empty", "Exports leave the bids out; saving stores only the file’s path.", "row ")
    user.command("Design", "Show all prices up to the cap")
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", lambda: Qt.KeyboardModifier.ControlModifier)
    user.drag(bids(user), 31.37, 35, 40)
    user.reads("Row 2 would pay 31.37 but bids 40")
    assert not design(user).get("bids") and user.path.read_text("utf-8").count(".37") == 0
    monkeypatch.undo()
    user.press("Sketch")
    user.reads("9 bids", "Drag over these invented bids. Saving stores them.")
    curve = plot(user, "buyers against price")
    frame = curve.figure().frame
    mouse.drag(curve.figure().viewport(), [QPointF(frame.x(35), frame.y(9)), QPointF(frame.x(45), frame.y(8))])
    user.settles()
    assert user.undo_text() == "Draw bids" and len(design(user)["bids"]) == 9
    assert user.path.read_text("utf-8").count(".37") == 0, "no bid of the file"
    user.reads("Drag over the staircase to bend it. Saving stores sketched bids.")
    user.undo()
    user.reads("9 bids", "Drag over these invented bids.")
    user.press("Sketch")
    user.reads("9 bids, 1 empty")


def test_the_line_of_epsilon_is_dragged(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6"])
    user.tab("Against ε")
    curve = plot(user, "revenue against ε")
    user.drag(curve, 0.0, -0.5, -1.0)
    user.waits(lambda: user.undo_text() == "Change epsilon")
    user.settles()
    assert design(user)["epsilon"].startswith(("0.09", "0.1"))


def test_secret_bids_are_in_no_picture_and_not_on_the_clipboard(opens: Opens) -> None:
    user = opens(bids=["0.31337", "0.4"])
    page = user.window.host.page
    assert page is not None
    assert list(page.figures()) == []
    assert "31337" not in user.copied()
    assert user.says(
        "Choose it without looking at the bids.",
        "✓ drawn price private for a public cap · ε = ",
    )
    user.press("with bids")
    user.settles()
    assert user.says("Choose it without looking at the bids", "✓ drawn price private for a public cap · ε = ")
    assert user.chosen("without bids", "with bids") == ["with bids"]
    assert {figure.name for figure in page.figures()} >= {"revenue", "density", "earnings"}
    assert user.undo_text() == "Let exports contain bids" and "31337" in user.copied()


@pytest.mark.parametrize("secret", [False, True])
def test_public_bids_of_a_file_are_typed_as_they_stand_there(opens: Opens, tmp_path: Path, secret: bool) -> None:
    (tmp_path / "one.csv").write_text("bid\n144\n", "utf-8")
    user = opens(path=str(tmp_path / "one.csv"), column="bid", cap=1000, bids_are="secret" if secret else "public")
    user.reads("1 bid")
    assert not user.says("1 bids")
    user.press("Type…")
    user.waits(lambda: user.sees(QPlainTextEdit, "Bids"))
    box = user.find(QPlainTextEdit, "Bids")
    assert box.toPlainText() == ("" if secret else "144"), "what is typed is saved"
    box.setPlainText("abc")
    user.press("OK")
    user.reads("Bid 1 must be a number like 12.50, got 'abc'.")
    box.setPlainText("150")
    user.press("OK")
    user.reads("1 bid · cap 1000")


def test_nobody_bids_yet(opens: Opens) -> None:
    user = opens(bids=[])
    user.reads("There are no bids yet", "0 bids")
    user.press("Example")
    user.reads("235 bids", "cap 1000 fr")
    user.settles()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("bid\n3\n7\nabc\n", "a value must be a number or empty, got 'abc'"),
        ("bid\n3\n-7\n", "a bid must be between 0 and"),
        ("bid,of\nx,a\ny,b\n", "must have a column of numbers like 12.50, got none in its first 50 lines"),
    ],
)
def test_a_refused_file_changes_nothing(
    opens: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    user = opens(bids=["2", "3"], cap="4", unit="fr", name="Stall")
    before, shown = design(user), plot(user, "buyers against price (fr)").plot
    path = tmp_path / "offer.csv"
    path.write_text(text, "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("Data column…")
    user.waits(lambda: any(sentence in error for error in user.errors()))
    assert design(user) == before and user.text("Cap") == "4" and not user.window.isWindowModified()
    assert plot(user, "buyers against price (fr)").plot is shown and user.sees(CurvePlot, "The bids")


def test_a_file_brings_no_name_and_no_lie_and_its_columns_stay(
    opens: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = opens(**FOOD, name="Households")
    user.window.host.page.look(bidder=48, says=300.0)
    user.reads("Row 49 would pay")
    path = tmp_path / "offer.csv"
    path.write_text("a,b\n" + "".join(f"{bid},{bid + 1}\n" for bid in range(20, 90)), "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("Data column…")
    asked = user.window.findChild(QInputDialog)
    assert asked is not None and asked.comboBoxItems() == ["a", "b"] and "offer.csv" in asked.labelText()
    asked.setTextValue("b")
    asked.accept()
    user.reads("70 bids", "b · no cap")
    user.write("Cap", "90")
    user.settles()
    assert not user.says("Row 49") and design(user)["name"] == ""
    for wanted in ("undo", "undo", "redo"):
        user.window.document.undo_stack.undo() if wanted == "undo" else user.window.document.undo_stack.redo()
        user.reads("235 bids" if user.window.document.study.column == FOOD["column"] else "70 bids")
    assert [box.count() for box in user.window.findChildren(QComboBox) if box.accessibleName() == "Column of bids"] == [2]


def test_a_column_called_a_bid_comes_first_and_the_others_stay_when_the_file_is_opened_again(
    opens: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, path = opens(bids=["2", "3"], cap=100), tmp_path / "offer.csv"
    path.write_text("age,unit price,bid\n" + "".join(f"{30 + bid % 7},{bid},{bid + 1}\n" for bid in range(20, 90)), "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("Data column…")
    asked = user.window.findChild(QInputDialog)
    assert asked is not None and asked.comboBoxItems() == ["bid", "unit price", "age"] and asked.textValue() == "bid"
    asked.accept()
    user.reads("70 bids")
    user.write("Cap", "100")
    user.settles()
    assert design(user)["column"] == "bid"
    user.window.filing.new()
    user.window.filing.open_path(user.path)
    user.settles()
    columns = user.find(QComboBox, "Column of bids")
    columns.showPopup()
    assert [columns.itemText(place) for place in range(columns.count())] == ["bid", "unit price", "age"]
    columns.hidePopup()


def test_no_price_is_drawn_while_an_input_is_refused(opens: Opens) -> None:
    user = opens(bids=["2", "3"], cap="4")
    assert user.find(QPushButton, "Draw a price").isEnabled()
    user.write("Cap", "0")
    user.waits(lambda: bool(user.errors()))
    user.waits(lambda: not user.find(QPushButton, "Draw a price").isEnabled())
    user.write("Cap", "4")
    user.waits(lambda: user.find(QPushButton, "Draw a price").isEnabled())


def test_typed_bids_keep_cap_and_unit_and_become_secret_where_all_are_others(opens: Opens) -> None:
    user = opens(bids=["2", "3"], cap="4", unit="fr", bids_are="public")
    assert user.chosen("without bids", "with bids") == ["with bids"] and not user.says("Exports leave the bids out")
    for typed, kept in (("2 3.5 3", "with bids"), ("1 1.5 2.5 9", "without bids")):
        user.press("Type…")
        user.waits(lambda: user.sees(QPlainTextEdit, "Bids"))
        user.find(QPlainTextEdit, "Bids").setPlainText(typed)
        user.press("OK")
        user.reads(f"{len(typed.split())} bids · cap 4 fr")
        assert user.chosen("without bids", "with bids") == [kept]
    user.reads("New bids stay out of exports")
    user.window.document.undo_stack.undo()
    user.waits(lambda: not user.says("New bids stay out of exports"))
    assert user.chosen("without bids", "with bids") == ["with bids"]


def test_one_step_of_a_dragged_bid_is_one_summary_one_header_and_one_refresh(
    opens: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_host, "FRAME", 20_000)  # however loaded the machine is
    monkeypatch.setattr(runner, "STALE_AFTER", 60.0)
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", lambda: Qt.KeyboardModifier.ControlModifier)
    user = opens(bids=["0.2", "0.4", "0.6", "0.8", "1"])
    user.command("Design", "Show all prices up to the cap")
    counts = dict.fromkeys(("summary", "header", "refresh"), 0)

    def counted(kind: type, method: str, name: str) -> None:
        real = getattr(kind, method)

        def call(*given: Any) -> Any:
            counts[name] += 1
            return real(*given)

        monkeypatch.setattr(kind, method, call)

    counted(AuctionPage, "shared_out", "refresh")
    counted(Page, "summary", "summary")
    counted(Header, "set_summary", "header")
    figure = bids(user).figure()
    frame, lines = figure.frame, figure.viewport()
    start, first, second = (QPointF(frame.x(place), frame.y(0.5)) for place in (0.6, 0.5, 0.3))
    user.drag(bids(user), 0.6, 0.6)
    user.reads("Bidder 3 bids the true value, 0.6")
    QTest.mousePress(lines, Qt.MouseButton.LeftButton, pos=start.toPoint())
    mouse.move(lines, first, Qt.MouseButton.LeftButton)
    user.reads("Bidder 3 bids the true value, 0.5")
    counts.update(dict.fromkeys(counts, 0))
    mouse.move(lines, second, Qt.MouseButton.LeftButton)
    user.reads("Bidder 3 bids the true value, 0.3")
    assert counts == {"summary": 1, "header": 1, "refresh": 1}
    QTest.mouseRelease(lines, Qt.MouseButton.LeftButton, pos=second.toPoint())


def test_among_many_bidders_a_lie_is_worked_out_beside_the_window(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    where = list[bool]()
    real = AuctionAnswer.misreport

    def noted(self: AuctionAnswer, bidder: int, says: float | None) -> Misreport:
        where.append(threading.current_thread() is threading.main_thread())
        return real(self, bidder, says)

    monkeypatch.setattr(AuctionAnswer, "misreport", noted)
    worths = [round(0.1 + 0.0004 * k, 4) for k in range(2000)]
    user = opens(bids=worths)
    user.waits(lambda: user.chosen("Best lie") == ["Best lie"] and user.says("bidder ", " but bids "))
    assert where == [], "the lie that gains most comes with its own job"
    user.command("Design", "Show all prices up to the cap")
    user.drag(bids(user), 0.6, 0.5, 0.3)
    user.reads(" but bids 0.3.")
    assert where and not any(where)
    page = user.window.host.page
    assert isinstance(page, AuctionPage)
    bidder = page.view["bidder"]
    gain = dp.solve(dp.AuctionDesign(bids=worths, epsilon=1)).gain(bidder, 0.3)
    user.reads(f"bidder {bidder + 1}: {abs(100 * gain):.2f}")
    user.key(Key.Key_Escape)
    user.reads(f"bidder {bidder + 1} · the truth")


def test_a_price_is_drawn_and_the_range_chosen_by_keys_and_while_presenting(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6"])
    page = user.window.host.page
    assert page is not None
    bids(user).setFocus()
    user.key(Key.Key_Space)
    user.reads("price to announce")
    user.key(Key.Key_W)
    assert page.view["whole"] is True
    page.set_presenting(True)
    assert user.sees(QPushButton, "Draw a price") and user.sees(QPushButton, "Best lie")
    page.set_presenting(False)
    user.press("Best lie")
    assert user.chosen("Best lie") == [] and user.says("bids the true value"), "a second click takes the lie back"
    texts = [action.text() for action in page.actions()]
    assert {"Draw a price", "Select the bidder with the largest gain", "Tell the truth"} <= set(texts)


def test_what_was_pinned_stands_behind_the_prices(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6"], bids_are="public")
    user.command("Design", "Pin")
    user.write("Epsilon", "3")
    user.waits(lambda: "before" in [line.name for line in plot(user, "Distribution of the price").plot.lines])
    assert "before" not in [line.name for line in plot(user, "The bids").plot.lines]


def test_a_reopened_design_says_that_it_was_drawn_from(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6"])
    assert not user.says("drawn earlier")
    user.press("Draw a price")
    user.reads("price to announce")
    price = user.window.host.page.current_summary.value
    user.reads(f"Announce {price}.", "% of the best revenue. Keep it: make a report or an export.")
    user.settles()
    user.window.host.page.show_outcome("draw", user.window.host.page.outcomes["draw"])
    assert len(RECORD.of(user.window.document.study)) == 1, "the same draw shown again, as for a report, is no other"
    user.write("Epsilon", "0.9")
    user.reads("To announce: ")
    assert not user.says("price to announce")
    design(user)
    user.window.filing.open_path(user.path)
    user.reads("A price was drawn earlier: announce that. Each bid is ")
    user.press("Draw a price")
    user.reads("Drawn: ", "A price was drawn earlier: announce that.", "have ε = 1.9 together")
    assert not user.says("price to announce")


def test_the_bids_of_a_missing_file_are_not_those_of_another_design(opens: Opens, tmp_path: Path) -> None:
    user = opens(bids=["0.2", "0.4", "0.6"])
    user.reads("3 bids")
    user.window.document.add(dp.AuctionDesign(path=str(tmp_path / "gone.csv"), column="bid", epsilon=1))
    user.reads("gone.csv")
    user.waits(lambda: not user.says("3 bids") and not user.says("buyers against price"))
    user.window.document.select(0)
    user.reads("3 bids", "buyers against price")


def test_the_example_has_not_been_drawn_from(opens: Opens) -> None:
    user = opens(**FOOD)
    user.reads("<b>Publish a drawn price: on average it earns 97.7% of the best revenue.</b>", "Row 103 would pay")
    assert not user.says("drawn earlier")


def test_a_price_to_announce_is_not_lost_without_a_question(
    opens: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, asked = opens(bids=["0.2", "0.4", "0.6"], name="Tickets"), list[str]()
    monkeypatch.setattr(Questions, "lose_release", lambda self, names: asked.append(names))
    user.press("× 100")
    user.reads("100 draws, not to announce")
    user.press("Draw a price")
    user.reads("price to announce", "Keep it: make a report or an export.")
    user.window.close()
    assert asked == ["Tickets"] and user.window.isVisible()
    user.window.filing.new()
    assert asked == ["Tickets"] * 2 and user.says("price to announce"), "a new document would end it as well"
    user.write("Epsilon", "0.9")
    user.settles()
    user.command("File", "Report")
    user.find(QLineEdit, "Folder").setText(str(tmp_path / "report"))
    user.press("Write the report")
    user.waits(lambda: user.find(QAbstractButton, "Write the report").isEnabled() and any(tmp_path.glob("report/*.html")))
    user.front().close()
    user.window.close()
    assert asked == ["Tickets"] * 2 and not user.window.isVisible(), "the report has the price of the earlier level"


def test_a_price_that_was_given_up_is_not_asked_about_again(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    user, asked = opens(bids=["0.2", "0.4", "0.6"], name="Tickets"), list[str]()
    monkeypatch.setattr(Questions, "lose_release", lambda self, names: asked.append(names) or True)
    user.press("Draw a price")
    user.reads("price to announce")
    user.window.filing.new()
    user.settles()
    user.window.close()
    assert asked == ["Tickets"] and not user.window.isVisible()


def test_another_price_of_the_same_secret_bids_asks_first(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    user, asked, buttons = opens(bids=["0.2", "0.4", "0.6"]), list[str](), QMessageBox.StandardButton
    replies = [buttons.Cancel, buttons.Yes]
    monkeypatch.setattr(QMessageBox, "question", staticmethod(lambda *given: asked.append(given[2]) or replies.pop(0)))
    monkeypatch.setattr(Questions, "lose_release", lambda self, names: asked.append(names) or True)
    user.press("Draw a price")
    user.reads("price to announce")
    assert not asked
    user.press("Draw a price")
    words = "1 release of these rows has ε = 1. Another one would make it ε = 2. Release again?"
    assert asked == [words] and len(RECORD.of(user.window.document.study)) == 1
    bids(user).setFocus()
    user.key(Key.Key_Space)
    user.reads("Draw 2: ", "choosing among 2 costs up to ε = 2.")
    assert asked == [words] * 2 and len(RECORD.of(user.window.document.study)) == 2
    user.press("× 100")
    user.press("with bids")
    user.settles()
    user.press("Draw a price")
    user.waits(lambda: len(user.window.host.page.outcomes["draw"].value) == 4)
    assert len(asked) == 2, "neither a simulation nor public bids spend anything"
    user.window.close()
    assert len(asked) == 3, "the price to announce is still in no file"


def test_a_price_drawn_is_still_there_after_another_page(opens: Opens) -> None:
    user = opens(bids=["0.2", "0.4", "0.6"])
    document, host = user.window.document, user.window.host
    document.add(dp.NoiseDesign(epsilon=1))
    user.settles()
    document.visit(AuctionPage.starting_study("auction"))  # as by the rail: only looked at
    user.reads("Publish a drawn price")
    user.press("Draw a price")
    user.reads("price to announce")
    price = host.page.current_summary.value.split("\u00a0")[0]
    document.visit(dp.CountDesign.starting())
    user.settles()
    document.visit(AuctionPage.starting_study("auction"))
    user.reads("price to announce", price)
    document.select(0)
    user.settles()
    assert not user.says("price to announce"), "it is of other bids"
    user.window.filing.new()
    user.settles()
    document.visit(AuctionPage.starting_study("auction"))
    user.reads("Publish a drawn price")


def test_a_price_of_the_example_is_no_loss(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens(**FOOD)
    monkeypatch.setattr(Questions, "lose_release", lambda self, names: pytest.fail(names))
    user.press("Draw a price")
    user.reads("price to announce")
    user.window.close()
    assert not user.window.isVisible()
