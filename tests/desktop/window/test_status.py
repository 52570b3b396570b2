"""A sentence for a moment stands in the status bar, over nothing, and goes after four seconds."""

from __future__ import annotations

import pytest
from desktop.count_window import opened
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.window.status import STAYS
from dpdesigner.studies.count.design import CountDesign


def rect(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(widget.rect().topLeft()), widget.size())


def test_it_covers_nothing_and_goes(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    assert STAYS == 4000
    with opened(qtbot, monkeypatch, CountDesign(4, epsilon="ln 2")) as window:
        before = window.stage.geometry()
        window.banner.say("Pinned what you had as “before”.")
        toast = window.status.toast
        qtbot.waitUntil(lambda: toast.isVisible() and toast.width() > 100)
        assert rect(window.status).contains(rect(toast)) and window.stage.geometry() == before
        assert toast.height() < 2.5 * toast.fontMetrics().lineSpacing(), "one line"
        assert not rect(toast).intersects(rect(window.status.facts))
        window.banner.forget()
        assert toast.isHidden()
        window.banner.say("Copied.")
        assert toast.isVisible()
        toast._timer.setInterval(1)
        toast._timer.start()
        qtbot.waitUntil(toast.isHidden)
        window.banner.say("Saved to a.dpd")
        assert toast.isVisible()
        window.filing.new()
        assert toast.isHidden(), "it was said of another document"


def test_what_wants_an_answer_is_a_line_of_its_own_that_covers_nothing(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(qtbot, monkeypatch, CountDesign(4, epsilon="ln 2")) as window:
        window.banner.ask("Something went wrong. " * 12, "Details…", lambda: None)
        qtbot.waitUntil(lambda: window.banner.isVisible() and window.banner.height() > 20)
        assert not rect(window.banner).intersects(rect(window.stage)) and not rect(window.banner).intersects(rect(window.status))
        window.banner.say("A long sentence for a moment. " * 12)
        assert window.status.toast.isHidden(), "it would be cut there"
