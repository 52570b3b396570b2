"""Programs that choose: Python's is run, OpenDP's is read."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from dpdesigner.errors import InputError
from dpdesigner.files.takeaway.takeaway import takeaway
from dpdesigner.studies.choice.design import ChoiceDesign


@pytest.mark.parametrize("rule", ["permute-and-flip", "exponential"])
def test_pythons_chooses_as_often_as_the_chances_say(rule: str) -> None:
    design = ChoiceDesign((3, "1/2", 0), rule=rule, alpha="1/3", neighbours="joins")
    program = takeaway(design).program("py")
    assert "[3, 1, 0]" in program and "248" not in takeaway(ChoiceDesign()).program("py"), "the design's utilities are not in it"
    space: dict[str, object] = {"__name__": "program"}
    exec(program, space)
    counts = np.bincount([space["choose"]([3, "1/2", 0]) for _ in range(3000)], minlength=3)  # type: ignore[operator]
    assert chisquare(counts, design.run().rule.probabilities * 3000).pvalue > 1e-5


def test_opendps_has_the_scale_of_the_rule() -> None:
    program = takeaway(ChoiceDesign((3, 0), epsilon="1/2", sensitivity=3, neighbours="changes")).program("opendp")
    assert "scale=12.0" in program and "monotonic=False" in program and "make_noisy_max" in program
    compile(program, "program", "exec")


@pytest.mark.parametrize(
    ("changes", "language"),
    [({"rule": "noisy-max-laplace"}, "py"), ({"rule": "staircase"}, "py"), ({"rule": "exponential"}, "opendp"), ({}, "r")],
)
def test_others_are_refused_in_a_sentence(changes: dict[str, str], language: str) -> None:
    with pytest.raises(InputError, match="written for"):
        takeaway(ChoiceDesign(**changes)).program(language)
