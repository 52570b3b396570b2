"""Every kind's answer fits one protocol, and ``dp.solve`` knows the answer of a design."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dpdesigner as dp
from dpdesigner.studies.answer import Why
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.registry import ENTRIES

PANELS = ("Plot", "Strips", "Matrix", "Planes", "Ranking", "Table", "Sentence", "Earnings", "Shares", "RemapStrips", "Pairs")

USERS_SCRIPT = """
from decimal import Decimal

import dpdesigner as dp

count = dp.solve(dp.CountDesign(n=5, alpha="1/2"))
print(count.remap.tolist(), count.certificate.gap, count.findings["value"].value, count.badge)
choice: dp.ChoiceAnswer = dp.solve(dp.ChoiceDesign([1, 2], epsilon="1"))
print(choice.rule.epsilon, choice.sentense)
sizes: dp.Answer = dp.solve(dp.SizesDesign(points=64, epsilon=1))
print(sizes.sentence, sizes.panels_in({}))
noise: dp.NoiseAnswer = dp.solve(dp.NoiseDesign("integer", epsilon=1))
histogram: dp.HistogramAnswer = dp.solve(dp.HistogramDesign("0..3", epsilon=1))
auction: dp.AuctionAnswer = dp.solve(dp.AuctionDesign([1, 2], cap=2, epsilon=1))
attack: dp.AttackAnswer = dp.solve(dp.AttackDesign(n=9, queries=9))
column: dp.IntervalAnswer = dp.solve(dp.IntervalDesign(column=[1, 2], epsilon=1))
net: dp.NetAnswer = dp.solve(dp.NetDesign(counts=[1, 2], epsilon=1))
readers = [{"name": "A", "loss": "absolute"}]
audience: dp.AudienceAnswer = dp.solve(dp.AudienceDesign(readers=readers, n=3, alpha=Decimal("0.5")))
dp.save(dp.CountDesign(3, epsilon=1, delta=Decimal("0.01")), "mine.dpd")
table: dp.InspectAnswer = dp.inspect([["2/3", "1/3"], ["1/3", "2/3"]])
print(noise.cost, histogram.cells, auction.cap, attack.wrong, column.counts, net.epsilon, audience.sentence, table.passed)
"""


@pytest.mark.usefixtures("kept_answers")
@pytest.mark.parametrize("kind", [entry.kind for entry in ENTRIES])
def test_an_answer_has_all_that_is_asked_of_it(kind: str) -> None:
    design = next(entry for entry in ENTRIES if entry.kind == kind).study_class()
    answer = dp.solve(design.starting())
    assert answer.design.kind == kind and answer.findings and all(isinstance(each, Finding) for each in answer.findings.values())
    assert all(isinstance(text, str) for text in (answer.line, answer.sentence, answer.note, *answer.checks))
    assert answer.badge[1] in ("proved", "measured", "given", "open", "pending")
    assert answer.why is None or (isinstance(answer.why, Why) and (answer.why.plain_text or answer.why.template))
    assert {type(panel).__name__ for panel in answer.panels_in({})} <= set(PANELS)


def test_mypy_finds_the_one_wrong_attribute_of_a_users_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(USERS_SCRIPT)
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--follow-imports=silent", str(script)],
        capture_output=True,
        text=True,
        cwd=Path(dp.__file__).parent.parent,
    )
    lines = found.stdout.splitlines()
    assert "error" in lines[0] and 'has no attribute "sentense"' in lines[0], found.stdout
    assert [line for line in lines if ": error:" in line] == lines[:1]
