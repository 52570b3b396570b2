"""Every exhibit: found by its folder, short in words, quick at first, at the ends of its sliders, in files and away."""

from __future__ import annotations

import html
import json
import math
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import dpdesigner as dp
from dpdesigner.cli import main
from dpdesigner.errors import Cancelled
from dpdesigner.files.export import export_of
from dpdesigner.files.project import read_project
from dpdesigner.studies import exhibits as folder
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import ASKS, DIFFERS, HOLDS, NUMBERS, PAPERS, PRINTED, Exhibit, agrees
from dpdesigner.studies.exhibits.listing import PapersDesign, exhibit_class, exhibits_of
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.number_inputs import Range
from dpdesigner.studies.table_panels import Table

EVERY = [each for paper in PAPERS for each in exhibits_of(paper)]


#: What makes the slow ones quick where many of their values are tried.
SMALL: dict[str, dict[str, object]] = {
    "blr/theorem-4.3": {"runs": 2, "bits": 8},
    "blr/algorithm-2": {"bits": 8},
    "notes/tightness": {"n": 30},
}


@cache
def first(each: type[Exhibit]) -> Answer:
    """The answer at the values that it has at first."""
    return each().run()


def names(each: type[Exhibit]) -> str:
    return each.exhibit


def tried(each: type[Exhibit]) -> Iterator[Exhibit]:
    """The exhibit at each value to try, and at the ends of each slider, the others as at first."""
    for asked in each.inputs():
        if isinstance(asked.input, Range):
            values = [asked.input.at(0), asked.input.at(1)]
            values += [] if each.slow else [value for value, _ in asked.input.try_]
            for value in values:
                yield each(**{**SMALL.get(each.exhibit, {}), asked.key: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("each", EVERY, ids=names)
def test_it_says_in_few_words_what_is_claimed(each: type[Exhibit]) -> None:
    assert each.exhibit.startswith(f"{each.paper.key}/") and each.heading and each.place and each.verdict
    assert 0 < len(each.claim.split()) <= 40
    assert not each.symbols or not re.search("[γςτΔΣ∈|⁻′]", each.claim), "words where words do: letters are in the symbols"
    assert not (each.differs and each.asks) and each.mark == (DIFFERS if each.differs else ASKS if each.asks else HOLDS)
    assert each.holds is (each.mark == HOLDS)
    assert all(len(re.findall(r"[.!?](?: |$)", text)) <= 4 for text in (each.differs, each.asks))
    assert len(each.verdict) <= 44 and len(each.heading) <= 44
    assert exhibit_class(each.exhibit) is each and 0 <= len(each.inputs()) <= 5


@pytest.mark.parametrize("each", EVERY, ids=names)
def test_it_runs_is_kept_in_files_and_taken_away(each: type[Exhibit], tmp_path: Path) -> None:
    design = dp.exhibit(each.exhibit)
    path = tmp_path / "it.dpd"
    dp.save([design], path)
    (read,) = dp.read(path)
    assert type(read) is each and read == design and hash(read) == hash(design)
    assert json.loads(path.read_text("utf-8"))["studies"][0]["exhibit"] == each.exhibit
    answer = first(each)
    solved = export_of(design, done={"solve": answer})
    assert solved.outcome is answer
    headline = "each" if answer.design.exhibit == "grs/theorem-6.3" else "value"  # the price for each of two users
    assert next(iter(answer.findings)) == headline and answer.findings["value"].value is not None
    assert answer.sentence and solved.title == each.heading
    assert any(isinstance(panel, Table) and panel.key == NUMBERS for panel in answer.panels)
    assert len({panel.key for panel in answer.panels if panel.key}) == sum(bool(p.key) for p in answer.panels)
    written = solved.write(tmp_path / "out", "it", ["csv", "json", "tex"])
    assert {file.path.suffix for file in written} == {".csv", ".json", ".tex"}
    data = json.loads((tmp_path / "out" / "it.json").read_text("utf-8"))
    assert data["findings"].keys() == answer.findings.keys() and NUMBERS in data["tables"]


@pytest.mark.parametrize("each", EVERY, ids=names)
def test_whatever_is_tried_has_an_answer_and_a_claim_that_holds_differs_nowhere_from_print(each: type[Exhibit]) -> None:
    """At first, at what it offers to try, and at the ends of its sliders."""
    for design in (each(), *tried(each)):
        try:
            answer = first(each) if design == each() else design.run()
        except dp.InputError as error:  # two that do not go together are refused beside one of them
            assert error.field in {key for asked in each.inputs() for key in (asked.key, *asked.input.keys(asked.key))}
            continue
        assert answer.findings["value"].value is not None and answer.sentence
        signs = {
            key: agrees(answer.findings[key + PRINTED].value, finding)  # type: ignore[arg-type]
            for key, finding in answer.findings.items()
            if key + PRINTED in answer.findings
        }
        assert not each.holds or False not in signs.values(), (design, signs)
        marks = next(panel for panel in answer.panels if isinstance(panel, Table) and panel.key == NUMBERS)
        assert not each.holds or all(DIFFERS not in row for row in marks.rows)


#: Where a claim stands: a numbered place, or the heading of an unnumbered section or slide.
PLACE = (
    r"((Theorem|Lemma|Proposition|Corollary|Definition|Example|Section|Figure|Footnote|Algorithm|Claim|Observation)s? \d+(\.\d+)*"
    r"([–-]\d+(\.\d+)*)?((,| and) \d+(\.\d+)*)?(, last step of the proof)?|program \(\d\)[–-]\(\d\)"
    r"|(Section|Slides?|Paragraph before) “[^“”]+”( and “[^“”]+”)?)"
)


@pytest.mark.parametrize("each", EVERY, ids=names)
def test_its_place_is_a_location_of_the_paper(each: type[Exhibit]) -> None:
    assert re.fullmatch(f"{PLACE}(, {PLACE})*", each.place), each.place


@pytest.mark.parametrize("each", [each for each in EVERY if each.slow], ids=names)
def test_what_is_slow_can_be_stopped(each: type[Exhibit]) -> None:
    def stop(fraction: float | None, text: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        each().run(stop)


def test_the_gallery_counts_them(tmp_path: Path) -> None:
    answer = dp.solve(PapersDesign())
    found = {key: finding.value for key, finding in answer.findings.items()}
    assert found["value"] == len(EVERY) == len(dp.exhibits()) == found["holds"] + found["corrected"] + found["asked"]
    assert found["holds"] == sum(each.holds for each in EVERY)
    assert found["corrected"] == sum(bool(each.differs) for each in EVERY)
    assert {each.exhibit for each in EVERY if each.mark == ASKS and not each.paper.ours} == {
        "blr/distributional-check",
        "geng/abstract-setting",
        "geng/epsilon-delta",
    }
    dp.save([PapersDesign()], tmp_path / "all.dpd")
    assert dp.read(tmp_path / "all.dpd") == [PapersDesign()]


def test_the_readme_counts_what_the_gallery_counts() -> None:
    found = {key: finding.value for key, finding in dp.solve(PapersDesign()).findings.items()}
    text = " ".join((Path(__file__).parents[3] / "README.md").read_text("utf-8").split())
    (counted,) = re.findall(
        r"\*\*Papers\*\*: (\d+) exhibits on the (\w+) .*? (\d+) claims hold as printed, "
        r"(\d+) need a correction \(one needs (\d+) times .*? (\w+) exhibits are about later questions",
        text,
    )
    times = round(max(each.too_small for each in EVERY))
    ours = sum(each.paper.ours for each in EVERY)
    assert counted == (str(len(EVERY) - ours), "five", str(found["holds"]), str(found["corrected"]), str(times), "Six")
    assert ours == 6 and sum(not paper.ours for paper in PAPERS) == 5


@pytest.mark.parametrize(
    ("name", "inputs", "sentence"),
    [
        (
            "grs/example-2.3",
            {},
            r"must be one that dpdesigner.exhibits\(\) lists, like grs/example-2.2, got 'grs/example-2.3'",
        ),
        ("grs/../listing", {}, "must be one that"),
        ("", {}, "must be one that"),
        (7, {}, "must be one that"),
        ("grs/example-2_2", {}, "must be one that"),
        ("grs/example-2.2", {"m": 3}, "grs/example-2.2 may have name, n, alpha, got 'm'"),
        ("grs/example-2.2", {"n": 0}, "n must be a whole number between 1 and 200, got 0"),
        ("grs/example-2.2", {"alpha": "nan"}, "α must be a number"),
    ],
)
def test_what_is_no_exhibit_is_refused_in_one_sentence(name: object, inputs: dict[str, object], sentence: str) -> None:
    with pytest.raises(dp.InputError, match=sentence):
        dp.exhibit(name, **inputs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "study",
    [
        {"kind": "exhibit", "exhibit": "grs/none"},
        {"kind": "exhibit", "exhibit": ["grs/example-2.2"]},
        {"kind": "exhibit", "exhibit": "grs/example-2.2", "m": 1},
        {"kind": "exhibit", "n": 5},
        {"kind": "exhibit", "exhibit": "grs/example-2.2", "n": None},
    ],
)
def test_a_file_with_a_wrong_exhibit_is_refused(
    study: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.dpd"
    path.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
    with pytest.raises(dp.InputError):
        read_project(path)
    assert main(["solve", str(path)]) == 2 and capsys.readouterr().err.count("\n") == 1


def test_the_command_line_has_both_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cdf.dpd"
    dp.save([dp.exhibit("notes/laplace-cdf")], path)
    assert main(["solve", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    text = json.dumps(found)
    assert '"value-printed": 1.3033' in text and "0.69673467" in text


@pytest.mark.parametrize(
    ("printed", "value", "same"),
    [
        ("1/3", Fraction(1, 3), True),
        ("0.33", Fraction(1, 3), True),
        ("0.33", 0.336, False),
        ("1.30", 0.6967, False),
        ("2", 2, True),
        ("6", 6.0 + 1e-9, True),
        ("6", 6.1, False),
        (0.5, 0.5 + 1e-9, True),
        (0.5, 0.5001, False),
        (0.5, Fraction(1, 2), True),
        ("{3}, {4}", "{1, 3}", False),
        ("small", 0.5, None),
    ],
)
def test_two_numbers_agree_to_the_digits_that_are_printed(printed: str | float, value: object, same: bool | None) -> None:
    assert agrees(printed, Finding("", value)) is same  # type: ignore[arg-type]


def test_the_exhibit_of_the_guide_is_found_where_its_file_is_put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text("utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    (tmp_path / "notes_variance.py").write_text(code, "utf-8")
    paper = next(each for each in PAPERS if each.key == "notes")
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    exhibits_of.cache_clear()
    try:
        assert "notes/laplace-variance" in dp.exhibits()
        answer = dp.solve(dp.exhibit("notes/laplace-variance", b="1/2"))
        assert answer.findings["value"].value == Fraction(1, 2) == answer.findings["value-printed"].value
        assert export_of(answer.design).facts()[0][0] == "variance"
        assert paper.first and not code.count("desktop") and len(code.splitlines()) < 60
    finally:
        sys.modules.pop("dpdesigner.studies.exhibits.notes_variance", None)
        exhibits_of.cache_clear()


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("cacm/exponential", {"k": 2000}, "two neighbouring databases differ by ε = 1.999"),  # 1.99882532...
        ("cacm/histogram", {"epsilon": 3, "neighbours": "join"}, "Laplace noise of scale 0.3334 in every cell is enough"),
        ("notes/auction-price", {}, "the bound is 4.041."),  # 4.04151...
        ("notes/all-rows", {}, "with probability at least 0.0266"),  # 0.026652...
        ("notes/truthfulness", {}, "The lemma allows 0.1052 more than 1/4"),  # 0.105170...
        ("blr/vc-bound", {"epsilon": "1/20"}, "the error is at least 0.2236"),
    ],
)
def test_no_sentence_says_more_than_is_true(name: str, inputs: dict[str, object], words: str) -> None:
    assert words in dp.exhibit(name, **inputs).run().sentence


WITH_EPSILON = [each for each in EVERY if any(asked.key == "epsilon" for asked in each.inputs())]


@pytest.mark.parametrize("each", WITH_EPSILON, ids=names)
def test_every_epsilon_can_be_a_logarithm(each: type[Exhibit]) -> None:
    given = {**SMALL.get(each.exhibit, {}), "epsilon": "ln 2"}
    exact, near = (dp.exhibit(each.exhibit, **{**given, "epsilon": epsilon}).run() for epsilon in ("ln 2", math.log(2)))
    one, other = exact.findings["value"].number, near.findings["value"].number
    assert one == other or math.isclose(one or 0.0, other or 0.0, rel_tol=1e-9)


@pytest.mark.parametrize("each", EVERY, ids=names)
def test_what_is_at_most_so_much_is_rounded_up_and_what_is_at_least_down(each: type[Exhibit]) -> None:
    for key, finding in first(each).findings.items():
        if isinstance(finding.value, float) and not key.endswith(PRINTED):
            assert not finding.label.endswith("at most") or finding.rounding == "up", finding.label
            assert not finding.label.endswith("at least") or finding.rounding == "down", finding.label


@pytest.mark.parametrize("each", EVERY, ids=names)
def test_why_it_is_so_is_told_in_the_papers_words_and_ours(each: type[Exhibit]) -> None:
    from dpdesigner.desktop.pages.kit.summary import filled

    answer = first(each)
    assert answer.why is not None
    plain = filled(answer.why.plain_text, answer.findings)
    assert html.unescape(re.sub("<[^>]+>", "", plain)).startswith(html.unescape(each.claim)[:40])
    assert each.place in filled(answer.why.sources, answer.findings)
    assert bool(filled(answer.why.formula, answer.findings)) == bool(each.symbols)
    assert not each.symbols or each.symbols in [text for _, text in answer.stated], "reports have all conditions"


def test_off_the_printed_example_the_paper_has_a_formula_only() -> None:
    def head(**changed: object) -> str:
        (table,) = (panel for panel in dp.solve(dp.exhibit("grs/example-2.2", **changed)).panels if panel.key == NUMBERS)
        return str(table.header[1])

    assert (head(), head(n=7), head(alpha="1/3")) == ("the paper", "paper’s formula", "paper’s formula")


def test_the_user_chosen_at_the_left_has_one_colour_and_the_losses_fit() -> None:
    found = {panel.key: panel for panel in dp.solve(dp.exhibit("grs/figure-1")).panels}
    bars = [plot.bars[0].role for plot in found["readings"].plots[1:]]
    assert bars == [line.role for line in found["remaps"].lines] == ["rival", "rival", "rival", "main"]
    assert len(found["users"].header) == 4
