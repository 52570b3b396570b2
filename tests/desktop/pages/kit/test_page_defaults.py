"""What a page has without a word of its own: header, Why? and comparison follow from the answer."""

from __future__ import annotations

from declared_kind import LaplaceDesign
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.studies.base import Answer


class LeastPage(Page[LaplaceDesign, Answer]):
    """Overrides nothing."""


def test_the_header_says_the_answer_of_this_design_only(qtbot: QtBot) -> None:
    page = LeastPage()
    qtbot.addWidget(page)
    assert page.summary().line == "" and page.explanation() is None
    design = LaplaceDesign()
    page.set_study(design)
    assert (page.summary().line, page.summary().badge, page.summary().state) == ("b = 1 · x = 0.5 · Both sides", "", "stale")
    page.mark_stale("solve")
    assert page.summary().badge == "computing…"
    page.outcomes["solve"] = design.run()
    page.show_outcome("solve", page.outcomes["solve"])
    found = page.summary()
    assert (found.value_label, found.value, found.badge, found.state) == ("printed", "1.30", "a misprint", "open")
    assert found.sentence == ("At 0.5 the printed function gives 1.30, the right one 0.70.",)
    page.set_study(design.replace(x=2))
    assert page.summary().state == "stale" and page.summary().line == "b = 1 · x = 2 · Both sides"


def test_a_design_is_compared_by_its_inputs_and_findings(qtbot: QtBot) -> None:
    page, design = LeastPage(), LaplaceDesign()
    qtbot.addWidget(page)
    found = page.portrait(design, {"solve": design.run()})
    assert list(found.inputs) == ["b", "x", "side"] and list(found.results) == ["printed", "right"] and len(found.charts) == 1
    assert list(page.portrait(design, {}).inputs) == ["b", "x", "side"] == list(page.sketched(design).inputs)
