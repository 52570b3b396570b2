"""Aiming for an expected cost of noise: typed, dragged, impossible, and of the cells of a histogram."""

from __future__ import annotations

import math
from typing import Any

import pytest
from desktop.hands import Hands
from desktop.noise_designs import VISITS, Opener, noise
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from dpdesigner.desktop.editors.privacy_control import PrivacyControl


def epsilon_of(user: Hands) -> float:
    study: Any = user.window.document.study
    return float(study.epsilon)


def test_an_aim_that_is_typed_moves_epsilon_in_one_step(opens: Opener) -> None:
    user = opens()
    user.reads("0.9596")
    assert user.text("Expected error to aim for") == "0.9596"
    user.write("Expected error to aim for", "0.5")
    expected = 2 * math.asinh(1)  # the least cost is 1 / (2 sinh(eps / 2))
    user.waits(lambda: user.window.document.undo_stack.count() == 1)
    assert user.undo_text() == "Aim for expected error"
    epsilon = epsilon_of(user)
    assert expected <= epsilon <= expected * (1 + 1e-5)
    user.waits(lambda: user.window.header.value.text() == "0.5")


def test_an_impossible_aim_says_so_and_its_fix_is_taken(opens: Opener) -> None:
    user = opens(noise(gamma="1/2"))
    user.reads("· ε = 1")
    user.write("Expected error to aim for", "0.2")
    user.reads("No ε up to 700 gives an expected cost as low as 0.2.", "With ε = 10 it is 0.25")
    assert user.window.document.undo_stack.count() == 0
    user.write("Epsilon", "2")
    user.waits(lambda: "No ε up to 700" not in user.said())


def test_of_squared_errors_the_root_is_aimed_for_as_the_header_has_it(opens: Opener) -> None:
    user = opens(noise(cost="squared", query="real", sensitivity=3, epsilon="2", unit="hours"))
    user.reads("1.951 hours")
    assert user.text("Expected error to aim for") == "1.951"
    user.write("Expected error to aim for", "1")
    user.waits(lambda: user.window.document.undo_stack.count() == 1)
    user.waits(lambda: user.window.header.value.text().startswith("1\u00a0"))
    user.write("Expected error to aim for", "0")
    user.reads("No allowed ε gives an error of 0; ")
    user.press("Use " + user.errors()[0].split("; ")[1].split(" ")[0])
    user.waits(lambda: not user.errors())


def test_a_slider_aims_in_equal_ratios(opens: Opener) -> None:
    user = opens()
    user.reads("0.9596")
    target = user.window.findChildren(PrivacyControl)[-1].target
    assert 150 < target.slider.value() < 350, "an epsilon of 1 is no end of it"
    target.slider.setFocus()
    QTest.keyClick(target.slider, Qt.Key.Key_Right)
    user.waits(lambda: user.window.document.undo_stack.count() == 1)
    assert 1 < epsilon_of(user) < 1.2


@pytest.mark.parametrize(("neighbours", "share"), [("add-remove", 1), ("replace", 2)])
def test_of_a_histogram_the_cost_of_a_cell_is_aimed_for(opens: Opener, neighbours: str, share: int) -> None:
    user = opens(query="histogram", histogram={**VISITS, "neighbours": neighbours})
    user.settles()
    user.waits(lambda: user.find(QLineEdit, "Expected error to aim for").isEnabled())
    user.write("Expected error to aim for", "0.5")
    user.waits(lambda: user.window.document.undo_stack.count() == 1)
    alpha = (math.sqrt(1.25) - 1) / 0.5  # 2 a / (1 - a^2) = 1/2
    epsilon = epsilon_of(user)
    assert -share * math.log(alpha) <= epsilon <= -share * math.log(alpha) * (1 + 1e-5)
