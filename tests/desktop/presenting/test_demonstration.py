"""The built-in demonstration: every number that a caption names is computed again, and the keyboard alone presents it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner import resources
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.desktop.document.questions import Questions
from dpdesigner.desktop.window.application import make_application, open_window
from dpdesigner.files.project.project import read_project
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.noise.design import NoiseDesign

PROJECT = read_project(resources.path("demonstration.dpd"))
TEXTS = [scene.text.replace("\N{NO-BREAK SPACE}", " ") for scene in PROJECT.scenes]


def design(scene: int) -> CountDesign:
    study = PROJECT.studies[PROJECT.scenes[scene].design]
    assert isinstance(study, CountDesign) and study.n == 20
    return study


def exact(scene: int) -> CountOutcome:
    return solve(design(scene), exact=True)


def test_told_exactly_the_count_is_released_as_it_is() -> None:
    assert "7 is always released as 7" in TEXTS[0] and "20 pupils" in TEXTS[0]
    assert (np.array(exact(0).mechanism) == np.eye(21, dtype=int)).all()


def test_what_epsilon_promises() -> None:
    assert "ε = ln 2" in TEXTS[1] and "factor of at most 2" in TEXTS[1] and "50 : 50" in TEXTS[1] and "67 : 33" in TEXTS[1]
    assert "one case more or less" in TEXTS[1] and "if your flu tells them nothing about the others'" in TEXTS[1]
    matrix = exact(1).mechanism
    ratios = [Fraction(matrix[i + k][r]) / Fraction(matrix[i + 1 - k][r]) for i in range(20) for k in (0, 1) for r in range(21)]
    assert max(ratios) == 2
    assert round(100 * 2 / 3) == 67  # odds of 1 : 1 times 2


def test_why_noise() -> None:
    assert "7 with probability 1/3, and 6 or 8 with 1/6 each; it misses by 1.33 on average" in TEXTS[2]
    row = [Fraction(p) for p in exact(2).mechanism[7]]
    assert (row[7], row[6], row[8]) == (Fraction(1, 3), Fraction(1, 6), Fraction(1, 6))
    assert f"{float(sum(p * abs(r - 7) for r, p in enumerate(row))):.2f}" == "1.33"


def test_why_not_laplace() -> None:
    assert "at ε = 2 by 0.4255 on average, where Laplace noise misses by 0.5, which is 18 % more" in TEXTS[3]
    study = PROJECT.studies[PROJECT.scenes[3].design]
    assert isinstance(study, NoiseDesign) and study.privacy.epsilon == pytest.approx(2)
    outcome = study.run()
    assert outcome.proved and figure(outcome.cost, 4) == "0.4255" and outcome.laplace_cost == pytest.approx(0.5)
    assert f"{100 * (outcome.laplace_cost / outcome.cost - 1):.0f}" == "18"


def test_the_geometric_mechanism_is_a_staircase_on_whole_numbers() -> None:
    assert "halves the probability, 1/3, 1/6, 1/12 and so on; what would leave the range is released as 0 or 20" in TEXTS[4]
    matrix = exact(4).geometric
    assert [Fraction(matrix[7][r]) for r in (7, 8, 9, 10)] == [Fraction(1, 3 * 2**k) for k in range(4)]
    assert Fraction(matrix[7][0]) == Fraction(1, 2**7) / Fraction(3, 2)
    stairs = Staircase(float(np.log(2)), 0.5)
    grid = np.linspace(-0.5, 0.5, 2001)[:-1] + 0.00025
    masses = [float(np.mean(stairs.density(grid + k))) for k in range(4)]
    np.testing.assert_allclose(masses, [1 / 3, 1 / 6, 1 / 12, 1 / 24], rtol=1e-3)
    others = [solve(design(scene)).geometric for scene in (1, 5, 6)]
    assert all(np.array_equal(others[0], other) for other in others), "on nobody's belief, on nobody's loss"


def test_two_users_and_one_release() -> None:
    assert "The nurse expects about 5 cases, and a miss costs her its size." in TEXTS[5]
    assert "a meal too few costs him three times as much as one too many" in TEXTS[5]
    nurse, cook = exact(5), exact(6)
    assert nurse.study.loss.name == "absolute"
    weights = [Fraction(weight) for weight in nurse.study.prior.weights]
    assert sum(i * weight for i, weight in enumerate(weights)) == 5 * sum(weights)
    loss = cook.study.loss.matrix(20)
    assert loss[10][9] == 3 * loss[10][11]
    assert "The nurse reads a released 12 as 8, the cook reads it as 13." in TEXTS[6]
    assert (nurse.remap[12], cook.remap[12]) == (8, 13)
    assert not np.array_equal(nurse.mechanism, cook.mechanism), "each has a best mechanism of their own"
    assert (nurse.certificate.gap, cook.certificate.gap) == (0, 0), "reading the one release costs no more"


def test_what_the_certificate_proves() -> None:
    assert "a whole number from 0 to 20, made from the count alone" in TEXTS[7]
    assert "the gap is 0" in TEXTS[7] and "21 fractions, one for each true count" in TEXTS[7]
    outcome = exact(7)
    assert outcome.certificate.gap == 0 and len(outcome.certificate.dual) == 21
    assert sum(outcome.certificate.dual) == outcome.value and all(isinstance(w, Fraction) for w in outcome.certificate.dual)


def test_a_newcomer_presents_it_with_the_keyboard_only(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    make_application()
    window = open_window()
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.menus.demonstration.trigger()
    assert window.presenting.on
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)
    assert window.document.path is None and window.document.title == "Demonstration" and not window.isWindowModified()
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_F5)
    for number, scene in enumerate(PROJECT.scenes, 1):
        assert window.header.number.text() == f"{number} / 8" and window.caption.text.text() == scene.text
        assert window.host.page is not None
        assert window.host.page is window.host.page_of(PROJECT.studies[scene.design].kind)
        qtbot.waitUntil(lambda: "solve" in window.host.page.outcomes, timeout=15_000)  # type: ignore[union-attr]
        shown = window.host.page.view_state()
        assert {key: shown[key] for key in scene.view} == pytest.approx(dict(scene.view))
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Right)
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)
    assert not window.presenting.on and not window.isWindowModified() and window.menuBar().isVisible()
    window.close()
