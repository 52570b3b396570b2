"""What is taken away carries its proof, and the sidecar says only what holds."""

from __future__ import annotations

import csv
import hashlib
import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import dpdesigner
from dpdesigner.core.mechanism.verification import verify_table
from dpdesigner.data.mechanism_tables import open_table
from dpdesigner.errors import InputError
from dpdesigner.files.count_export import CountExport
from dpdesigner.files.export import export_of
from dpdesigner.files.formatting import file_name
from dpdesigner.files.tables import read_latex
from dpdesigner.studies import registry
from dpdesigner.studies.count.answer import CountOverview, linear_program
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.run import solve

PAPER = CountDesign(5, alpha="1/2", prior=["1/4", 0, "1/4", 0, "1/4", "1/4"], loss="power:1.5", name="The paper's user")
PARITY = CountDesign(5, alpha="1/3", loss="expression:(i-r)%2", name="parity")


def test_all_formats_at_once(tmp_path):
    outcome = solve(PAPER)
    written = CountExport(outcome).write(tmp_path / "new" / "folder", "paper's user", ["csv", "tsv", "json", "tex"])
    assert [item.path.name for item in written] == [f"paper-s-user.{ending}" for ending in ("csv", "tsv", "json", "tex")]
    folder = tmp_path / "new" / "folder"
    rows = list(open_table(folder / "paper-s-user.csv").rows())
    assert rows == list(open_table(folder / "paper-s-user.tsv").rows())
    assert verify_table(rows).satisfies(PAPER.privacy)
    first = read_latex((folder / "paper-s-user.tex").read_text())[0]
    assert first == [Fraction(2, 3), 0, Fraction(1, 4), Fraction(1, 24), Fraction(1, 48), Fraction(1, 48)]
    with (folder / "paper-s-user.csv").open(encoding="utf-8", newline="") as file:
        assert [[Decimal(cell) for cell in line[1:]] for line in list(csv.reader(file))[1:]] == rows


def test_the_sidecar_says_all_that_a_stranger_needs(tmp_path):
    outcome = solve(PAPER)
    CountExport(outcome).write(tmp_path, "paper", ["csv"])
    facts = json.loads((tmp_path / "paper.json").read_text("utf-8"))
    assert facts["details"]["proof"]["sha256"] == hashlib.sha256((tmp_path / "paper.csv").read_bytes()).hexdigest()
    assert CountDesign.from_json(facts["design"]) == PAPER
    assert facts["findings"]["alpha"] == "1/2"
    assert (
        facts["details"]["proof"]["epsilon"]
        == verify_table(list(open_table(tmp_path / "paper.csv").rows())).epsilon
        <= facts["details"]["proof"]["epsilon_asked"]
    )
    assert facts["findings"]["value"] == outcome.value
    assert facts["details"]["certificate"]["gap"] == outcome.certificate.gap
    assert len(facts["details"]["certificate"]["dual"]) == 6
    assert facts["details"]["remap"] == [0, 2, 2, 3, 4, 5]
    assert facts["version"] == dpdesigner.__version__
    assert facts["details"]["theorem_a"]["covered"] is True
    assert "mechanism" not in facts


def test_json_alone_holds_the_table_itself(tmp_path):
    exact = solve(PAPER.replace(loss="squared"), exact=True)
    CountExport(exact).write(tmp_path, "x", ["json"], fractions=True)
    facts = json.loads((tmp_path / "x.json").read_text("utf-8"))
    assert [[Fraction(cell) for cell in row[1:]] for row in facts["tables"]["mechanism"][1:]] == exact.mechanism.tolist()
    assert Fraction(facts["findings"]["value"]) == exact.value
    assert facts["details"]["certificate"]["gap"] == "0"
    assert facts["details"]["certificate"]["exact"] is True
    assert "sha256" not in facts["details"]["proof"]
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


def test_no_privacy_at_all_is_said_in_json_too(tmp_path):
    export_of(CountDesign(3, alpha=0)).write(tmp_path, "open", ["csv"])
    facts = json.loads((tmp_path / "open.json").read_text("utf-8"))
    assert facts["details"]["proof"]["epsilon"] == facts["details"]["proof"]["epsilon_asked"] == "inf"


def test_outside_the_theorem_the_linear_program_is_what_is_written(tmp_path):
    outcome, lp_check = solve(PARITY), linear_program(PARITY)
    best = CountOverview.of(outcome, lp_check)
    assert best.mechanism is lp_check.compact_mechanism
    assert best.best.value == lp_check.value < outcome.value
    assert CountOverview.of(outcome).mechanism is outcome.induced
    CountExport(outcome, lp_check).write(tmp_path, "parity", ["csv", "tex"])
    rows = list(open_table(tmp_path / "parity.csv").rows())
    assert verify_table(rows).satisfies(PARITY.privacy)
    cost = sum(Fraction(entry) * abs((i - r) % 2) / 6 for i, row in enumerate(rows) for r, entry in enumerate(row))
    assert float(cost) == pytest.approx(lp_check.value, rel=1e-9)
    facts = json.loads((tmp_path / "parity.json").read_text("utf-8"))
    assert facts["findings"]["method"].startswith("linear program")
    assert facts["details"]["theorem_a"]["covered"] is False
    assert "remap" not in facts


def test_refusals_write_nothing(tmp_path):
    outcome = solve(PAPER)
    with pytest.raises(InputError, match="of The paper's user are csv, tsv, json, tex, curve, py, opendp, r, got docx"):
        CountExport(outcome).write(tmp_path / "new", "x", ["csv", "docx"])
    with pytest.raises(InputError, match="fractions need a rational alpha"):
        export_of(PAPER.replace(epsilon=1)).write(tmp_path, "x", ["csv"], fractions=True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="must be a folder, but a file is there"):
        CountExport(outcome).write(tmp_path / "file", "x", ["csv"])


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Flu, 24/25", "Flu-24-25"), ("../../etc", "etc"), ("", "design"), ("häufig", "häufig"), ("\n\0", "design")],
)
def test_names_of_files(name, expected):
    assert file_name(name) == expected
    assert len(file_name(99 * "a")) == 80


KEYS = ["program", "version", "design", "findings", "proved", "checks", "details"]
SMALL: dict[str, dict[str, Any]] = {"attack": {"n": 20, "queries": 40}, "count": {"n": 5}}
KINDS = [entry.kind for entry in registry.ENTRIES if entry.kind != "exhibit"]  # the gallery of the papers has no inputs


@pytest.mark.usefixtures("kept_answers")
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_the_same_keys(kind: str) -> None:
    made = export_of(registry.entry(kind).study_class().starting(**SMALL.get(kind, {})))
    data = json.loads(json.dumps(made.data()))
    assert list(data) == KEYS and data["design"]["kind"] == kind and isinstance(data["proved"], bool)
    if "json" in made.formats:
        texts = [file.text for file in made.files("x", ["json"]) if file.name == "x.json"]
        (written,) = map(json.loads, texts)
        assert [key for key in written if key != "structure"] == [*KEYS, "tables"]  # which linear rules add, to be asked
        assert all(isinstance(rows, list) and isinstance(rows[0], list) for rows in written["tables"].values())
