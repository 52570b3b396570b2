"""The example in CONTRIBUTING.md is a kind: it runs as it stands there, and solves, exports and reads back."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from dpdesigner.errors import InputError
from dpdesigner.files.export import export_of
from dpdesigner.studies import registry

TEXT = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text("utf-8")


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the example, as the entry names it."""
    blocks = re.findall(r"^ *```(?:python|text)\n(.*?)^ *```", TEXT, re.DOTALL | re.MULTILINE)
    code, entry = map(textwrap.dedent, blocks)
    found = eval(f"({entry.strip()})", {"Entry": registry.Entry})[0]
    module = ModuleType(found.study.partition(":")[0])
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(code, "CONTRIBUTING.md", "exec"), vars(module))
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, found))
    return module


def test_the_example_is_a_kind(example: ModuleType, tmp_path: Path) -> None:
    design = registry.entry("response").study_class()(1)
    solved = export_of(design)
    assert [label for label, _ in solved.facts()] == ["answers kept", "answers turned round"]
    values = [found.value for found in solved.outcome.findings.values()]
    assert values == pytest.approx([73.105857863, 26.894142137])  # e / (1 + e), of 100
    assert solved.outcome.sentence == "About 73.1% of the answers stay as they are."
    assert solved.line == "ε = 1 · n = 100" and type(design).from_json(design.to_json()) == design
    assert design.to_json() == {"kind": "response", "name": "", "epsilon": 1, "people": 100}
    solved.write(tmp_path, "it", ["csv"])
    assert (tmp_path / "it-kept.csv").read_text("utf-8").startswith("ε,kept (%)\n0.0,50.0\n")
    with pytest.raises(InputError, match="epsilon must be between 1/100 and 20, got 21") as refused:
        design.replace(privacy=21)
    assert (refused.value.field, refused.value.suggestion) == ("epsilon", "20")


def test_what_it_names_is_there() -> None:
    root = Path(__file__).parent.parent
    for name in re.findall(r"`((?:dpdesigner|tests|desktop|studies|pages)/[\w/]+(?:\.py)?)/?`", TEXT):
        places = [root / name, root / "dpdesigner" / name, root / "dpdesigner" / "desktop" / name]
        assert "KIND" in name or any(place.exists() for place in places), name
