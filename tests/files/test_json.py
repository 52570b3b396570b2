"""The JSON of an answer has the same keys for every kind, on the command line and in files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpdesigner.files.export import export_of
from dpdesigner.studies import registry

KEYS = ["program", "version", "design", "findings", "proved", "checks", "details"]
SMALL: dict[str, dict[str, Any]] = {"attack": {"n": 20, "queries": 40}, "count": {"n": 5}}
KINDS = [entry.kind for entry in registry.ENTRIES if entry.kind != "exhibit"]  # the gallery of the papers has no inputs


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_the_same_keys(kind: str) -> None:
    made = export_of(registry.entry(kind).study_class().starting(**SMALL.get(kind, {})))
    data = json.loads(json.dumps(made.data()))
    assert list(data) == KEYS and data["design"]["kind"] == kind and isinstance(data["proved"], bool)
    if "json" in made.formats:
        texts = [file.text for file in made.files("x", ["json"]) if file.name == "x.json"]
        (written,) = map(json.loads, texts)
        assert list(written) == [*KEYS, "tables"]
        assert all(isinstance(rows, list) and isinstance(rows[0], list) for rows in written["tables"].values())
