"""What only experts ask for is shown where that is chosen, and only there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desktop import hands
from desktop.hands import Hands
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.desktop.base.preferences import Preferences, preferences


@pytest.fixture(autouse=True)
def plain(_details: None) -> Iterator[None]:
    preferences().choose(exact=False)
    yield
    preferences().choose(exact=False)


@pytest.fixture
def opened(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[object], Hands]]:
    path = tmp_path / "it.dpd"
    managers = []

    def opens(design: object) -> Hands:
        dp.save([design], path)
        managers.append(hands.opened(qtbot, monkeypatch, path))
        user = managers[-1].__enter__()
        user.settles()
        return user

    yield opens
    for manager in managers:
        manager.__exit__(None, None, None)


def test_a_count_says_it_plainly_until_exact_details_are_wanted(opened: Callable[[object], Hands]) -> None:
    user = opened(dp.CountDesign(n=5, alpha="1/2"))
    expert = ("dual certificate",)
    assert user.tabs() == ["Optimal", "Geometric", "Remap"] and not any(user.says(text) for text in expert)
    assert "dual certificate" in user.window.status.facts.toolTip(), "nothing is lost"
    user.command("View", "Exact details")
    assert {"LP check", "Pattern"} <= set(user.tabs())
    user.reads(*expert)
    assert Preferences().choices.exact, "it is kept for good"
    user.command("View", "Exact details")
    assert user.tabs() == ["Optimal", "Geometric", "Remap"] and not any(user.says(text) for text in expert)


def test_a_view_that_is_open_stays(opened: Callable[[object], Hands]) -> None:
    user = opened(dp.CountDesign(n=5, alpha="1/2"))
    user.command("View", "Exact details")
    user.tab("Pattern")
    user.command("View", "Exact details")
    assert "Pattern" in user.tabs() and "LP check" not in user.tabs()


def test_noise_has_its_digits_in_the_exact_details(opened: Callable[[object], Hands]) -> None:
    user = opened(dp.NoiseDesign(epsilon=2, sensitivity=3, cost="squared"))
    assert not user.says("Exact numbers") and not user.sees(hands.QLineEdit, "gamma, the position of the step")
    user.command("View", "Exact details")
    user.reads("Exact numbers", "3.804595641418921")
    assert user.sees(hands.QLineEdit, "gamma, the position of the step")


def test_warnings_are_said_in_any_case(opened: Callable[[object], Hands]) -> None:
    user = opened(dp.IntervalDesign([3, 3, 4, 7, 9] * 40, epsilon=1, low=0, high=16, bits=4, method="laplace", seed=1))
    user.reads("for study only")
