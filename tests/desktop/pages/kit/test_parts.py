"""The parts of a page are shown anew when something that they take is another object, and then only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.pages.kit.page import Page, Part


@dataclass
class Made:
    """Equal by value, as many outcomes are."""

    value: int


class Stand:
    """A page with a part in it, and what is known there."""

    def __init__(self, qtbot: QtBot, takes: tuple[str, ...], rests_on: str = "solve") -> None:
        self.page: Page[Any, Any] = Page()
        self.widget = QWidget()
        qtbot.addWidget(self.page)
        QVBoxLayout(self.page).addWidget(self.widget)
        self.shown: list[tuple[Any, ...]] = []
        self.stale: list[bool] = []
        first, *rest = takes
        part: Part[Any, Any] = Part(
            self.widget,
            lambda s: (s.outcome(first), *map(s.outcomes.get, rest)),
            lambda *taken: self.shown.append(taken),
            self.stale.append,
            rests_on,
        )
        self.page.set_parts(part)

    def learn(self, **known: Any) -> int:
        """Know more, and return how often the part was shown for that."""
        before = len(self.shown)
        self.page.outcomes.update(known)
        self.page.look()
        return len(self.shown) - before


def test_a_part_is_shown_for_another_object_and_for_another_number(qtbot: QtBot) -> None:
    stand, one = Stand(qtbot, ("solve", "row")), Made(1)
    assert stand.learn(solve=one, row=3) == 1 and stand.shown[-1] == (one, 3)
    assert stand.learn(solve=one, row=3) == 0 and stand.learn(row=int("3")) == 0
    assert stand.learn(row=4) == 1
    assert stand.learn(solve=Made(1)) == 1
    assert stand.learn(other=Made(1)) == 0


def test_a_number_is_no_truth_value(qtbot: QtBot) -> None:
    stand = Stand(qtbot, ("row",))
    assert stand.learn(row=1) == 1 and stand.learn(row=True) == 1 and stand.learn(row=True) == 0


def test_a_part_waits_for_what_it_takes_first_but_not_for_the_rest(qtbot: QtBot) -> None:
    stand = Stand(qtbot, ("solve", "costs"))
    assert stand.learn(costs=Made(1)) == 0
    assert stand.learn(solve=Made(2)) == 1
    assert stand.learn(solve=None) == 0
    assert stand.learn(costs=None) == 0
    assert stand.learn(solve=Made(2)) == 1 and stand.shown[-1] == (Made(2), None)


def test_a_hidden_part_waits_though_the_page_need_not_be_seen(qtbot: QtBot) -> None:
    stand = Stand(qtbot, ("solve",))
    assert not stand.page.isVisible() and stand.learn(solve=Made(1)) == 1
    stand.widget.hide()
    assert stand.learn(solve=Made(2)) == 0 and stand.learn(solve=Made(3)) == 0
    stand.widget.show()
    assert stand.learn() == 1 and stand.shown[-1] == (Made(3),)
    assert stand.learn() == 0


@pytest.mark.parametrize(("rests_on", "name"), [("solve", "solve"), ("costs", "costs")])
def test_a_part_is_out_of_date_with_what_it_rests_on(qtbot: QtBot, rests_on: str, name: str) -> None:
    stand = Stand(qtbot, ("solve", "costs"), rests_on)
    for late in ("solve", "costs", "curves"):
        stand.page.mark_stale(late)
    assert stand.stale == [True]
    stand.page.show_outcome(name, None)
    assert stand.stale == [True, False]


def test_a_part_that_changes_what_is_known_leads_to_the_others_at_once(qtbot: QtBot) -> None:
    page, shown = Page[Any, Any](), list[int]()
    qtbot.addWidget(page)
    page.view.update(first=1, second=1)

    def first(value: int) -> None:
        page.look(second=10 * value)

    page.set_parts(Part(None, lambda s: (s.view["first"],), first), Part(None, lambda s: (s.view["second"],), shown.append))
    page.look()
    assert shown[-1] == 10
    page.look(first=2)
    assert shown[-1] == 20


@pytest.mark.parametrize("takes", [lambda s: (s.view["colum"],), lambda s: (s.answr,)])
def test_a_part_that_takes_what_nobody_knows_is_an_error_when_the_page_is_made(qtbot: QtBot, takes: Any) -> None:
    page = Page[Any, Any]()
    qtbot.addWidget(page)
    page.view["column"] = 1
    with pytest.raises((KeyError, AttributeError), match=r"colum|answr"):
        page.set_parts(Part(None, takes, print))
