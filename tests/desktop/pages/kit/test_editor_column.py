"""A column that asks: previews, steps, refusals beside their controls, and lines that are dragged to another epsilon."""

from __future__ import annotations

import pytest
from desktop import mouse
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.controls import value_box
from dpdesigner.desktop.pages.kit.cards import PlotCard
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, PrivacyCard
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, epsilon_handle
from dpdesigner.studies.study import Job, silent

DESIGN = CountDesign(5, alpha="1/2")


class Column(AskingColumn[CountDesign]):
    """n in a card of its own, and the level."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = Card("Rows", "n")
        self.n = value_box("100", "n", "", self.take)
        self.rows.add(self.n)
        self.privacy = PrivacyCard(self)
        self.restored = 0
        self.add(Card("First"))
        self.add(self.rows, "n", box=self.n)
        self.add(self.privacy, "epsilon", "alpha")

    def take(self, text: str) -> None:
        self.ask(f"Set n to {text}", lambda design: design.replace(n=int(text)))

    def show_design(self, before: CountDesign | None, design: CountDesign) -> None:
        self.n.show_value(str(design.n))
        self.privacy.control.set_privacy(design.privacy)

    def restore(self) -> None:
        self.restored += 1


@pytest.fixture
def column(qtbot: QtBot) -> Column:
    column = Column()
    qtbot.addWidget(column)
    column.set_design(DESIGN)
    column.resize(320, 500)
    with qtbot.waitExposed(column):
        column.show()
    return column


def said(column: Column) -> list[str]:
    """What is wrong, by card."""
    return [card.error.text() if card.error.isVisible() else "" for card in column.cards]


def test_a_change_has_words_and_a_preview_none(qtbot: QtBot, column: Column) -> None:
    with qtbot.waitSignal(column.changed) as changed:
        column.take("7")
    assert changed.args == [DESIGN.replace(n=7), "Set n to 7"]
    with qtbot.waitSignal(column.previewed) as previewed:
        column.ask("", lambda design: design.replace(n=8))
    assert previewed.args == [DESIGN.replace(n=8)]


def test_what_is_refused_is_said_beside_its_control_until_there_is_another_design(column: Column) -> None:
    asked: list[object] = []
    column.changed.connect(lambda *given: asked.append(given))
    column.take("-3")
    assert not asked and column.restored == 1
    assert said(column)[1].startswith("n must be") and said(column)[0] == said(column)[2] == ""
    assert column.n.property("invalid")
    column.set_design(DESIGN.replace(n=6))
    assert said(column) == ["", "", ""] and not column.n.property("invalid")


def test_what_could_stand_there_is_kept_beside_its_own_field_only(column: Column, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[InputError] = []
    monkeypatch.setattr(column, "show_error", shown.append)
    for beside in ("n", "epsilon"):
        column.ask("Change n", lambda design: design.replace(n=10**9), beside)
    assert [(error.field, bool(error.suggestion)) for error in shown] == [("n", True), ("epsilon", False)]


def test_fields_that_nobody_asks_for_are_told_in_the_first_card(column: Column) -> None:
    column.show_error(InputError("the weather must be fine.", "weather"))
    assert said(column) == ["The weather must be fine.", "", ""]
    column.ask("Change n", lambda design: design.replace(n=-1), "epsilon")
    assert said(column)[2].startswith("n must be")


def test_what_is_given_up_changes_nothing(column: Column) -> None:
    def give_up(design: CountDesign) -> CountDesign:
        raise Cancelled("cancelled")

    asked: list[object] = []
    column.changed.connect(lambda *given: asked.append(given))
    column.ask("Change n", give_up)
    assert not asked and said(column) == ["", "", ""] and column.restored == 1


def test_what_a_job_makes_is_made_again_where_the_design_has_changed_meanwhile(column: Column) -> None:
    jobs: list[Job] = []
    asked: list[tuple[object, str]] = []
    column.requested.connect(jobs.append)
    column.changed.connect(lambda *given: asked.append(given))
    column.ask_by_job("Change n", lambda design: design.replace(n=9))
    made = jobs.pop().run(silent)
    column.set_design(DESIGN.replace(epsilon=2))
    column.take_made(made)
    assert asked == [] and len(jobs) == 1, "made for the design before"
    column.take_made(jobs.pop().run(silent))
    assert asked == [(DESIGN.replace(epsilon=2, n=9), "Change n")]
    column.ask_by_job("Change n", lambda design: design.replace(n=-1), "epsilon")
    column.take_made(jobs.pop().run(silent))
    assert len(asked) == 1 and said(column)[2].startswith("n must be")


def test_before_there_is_a_design_nothing_is_asked(qtbot: QtBot) -> None:
    column = Column()
    qtbot.addWidget(column)
    column.take("7")
    assert said(column) == ["", "", ""]


def test_the_words_on_privacy_are_about_what_is_attained(column: Column) -> None:
    card, other = column.privacy, DESIGN.replace(epsilon="1/4").privacy
    card.set_attained(DESIGN.privacy, other, "The table has")
    assert card.control.odds_label.text().startswith("The table has ε = 0.25.")
    card.set_attained(DESIGN.privacy, DESIGN.privacy, "The table has")
    assert not card.control.odds_label.text().startswith("The table has")
    assert not card.control.target.isVisible()


def test_a_line_stands_at_the_design_and_is_dragged_to_another_epsilon(qtbot: QtBot, column: Column) -> None:
    card = PlotCard()
    card.moving.connect(lambda target, value: column.drag(target, value, final=False))
    card.moved.connect(lambda target, value: column.drag(target, value, final=True))
    qtbot.addWidget(card)
    card.resize(400, 300)
    with qtbot.waitExposed(card):
        card.show()
    plot, x = card.plot, Axis("ε", scale="log", limits=(0.1, 10.0))
    card.show_panel(Plot("loss", "Loss", x, Axis("loss"), (), handles=(epsilon_handle(2.0),)))
    assert plot.handles()[0].label == "ε = 2"
    column.set_design(DESIGN)
    card.put_handles(column.place)
    assert plot.handles()[0].place == pytest.approx(0.693148, abs=1e-6) and plot.handles()[0].label == "ε ≈ 0.6932"
    previews: list[CountDesign] = []
    column.previewed.connect(previews.append)
    frame = plot.figure().frame
    places = [QPointF(frame.x(x), frame.area.center().y()) for x in (-0.5, 0.0, 0.5)]
    with qtbot.waitSignal(column.changed) as changed:
        mouse.drag(plot.figure().viewport(), places)
    design, label = changed.args
    assert label == "Change epsilon" and len(previews) >= 2
    assert design.privacy.number == f"{design.privacy.epsilon:.3g}" and design.privacy.epsilon == pytest.approx(3.16, rel=0.02)
    card.set_stale(True)
    assert any(label.text() == "computing…" for label in card.findChildren(QLabel))
