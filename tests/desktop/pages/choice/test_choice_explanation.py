"""What "Why?" says of a choice, in each of the cases that its template tells apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpdesigner.desktop.pages.kit.summary import Explanation, explained
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.choice.design import ChoiceDesign

CASES = {
    "due": (ChoiceDesign.starting(neighbours="changes", epsilon="0.1"), "Computing… </p>"),
    "below": (ChoiceDesign.starting(neighbours="changes", epsilon="0.1"), "more often than 82% (upper limit"),
    "met": (ChoiceDesign((3, 0), neighbours="joins", epsilon=1), "is met."),
    "too many": (ChoiceDesign((1000000, 0), epsilon=1), "Limit not computed: it would take more than 1200 tables."),
    "interval": (ChoiceDesign((0, 1, 2), edges=(0, 1, 2, 5), epsilon=1), "Limit not computed: the options are not alike."),
    "table": (ChoiceDesign([[0, 1], [1, 0]], neighbours="next", epsilon=1), "fall short on average by: "),
}


def why(answer: ChoiceAnswer) -> Explanation:
    return explained(answer)


@pytest.mark.parametrize("case", CASES)
def test_how_good_it_can_be(case: str) -> None:
    design, sentence = CASES[case]
    answer = design.run()
    found = why(replace(answer, limit=None) if case == "due" else answer)
    assert sentence in found.plain and "They are fixed in advance" in found.plain and "The guarantee." in found.plain
    assert "<li>C. Dwork (2011)" in found.sources and "∝ e<sup>" in found.formula and found.help == "choice"


def test_names_are_text_and_options_that_were_read_off_are_said() -> None:
    found = why(ChoiceDesign((3, 0), names=("<i>", "b"), neighbours="joins", epsilon=1).run())
    assert "The best option, &lt;i&gt;, is chosen" in found.plain and "it leads by 3 people." in found.plain
    read = ChoiceDesign(None, path="example:survey_1996.csv", column="education", neighbours="changes", epsilon=1)
    told = why(read.run()).plain
    assert "They were read from the data." in told and "<b>Not private yet.</b>" in told
    assert "The guarantee." not in told and "times as likely" not in told
