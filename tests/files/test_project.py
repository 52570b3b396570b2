"""Project files: what was given comes back as it was given, and whatever is not a project gets one sentence."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesigner import resources
from dpdesigner.data.columns import read_counts
from dpdesigner.desktop.pages.kit.summary import explained
from dpdesigner.errors import InputError
from dpdesigner.files.project import (
    Project,
    Scene,
    dumps_project,
    examples,
    loads_project,
    read,
    read_project,
    save,
    write_project,
)
from dpdesigner.studies.count.answer import CountOverview
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.findings import format_finding
from dpdesigner.studies.noise.histogram_counts import read_truth

#: The first design of a run imports libraries, and machines may be busy.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

DESIGNS = Path(__file__).parent / "data" / "version-1.dpd"
SCENES = Path(__file__).parent / "data" / "version-1-scenes.dpd"

numbers = st.one_of(
    st.fractions(0, 1, max_denominator=99).map(str),
    st.floats(0, 1, allow_subnormal=False),
    st.integers(0, 9),
    st.integers(0, 100).map(lambda percent: f"{percent}%"),
)


@st.composite
def designs(draw):
    n = draw(st.integers(0, 4))
    level = draw(st.sampled_from([{"alpha": "1/2"}, {"epsilon": "ln 3"}, {"epsilon": 0.7}, {"alpha": 1}, {"epsilon": "inf"}]))
    row = st.lists(numbers, min_size=n + 1, max_size=n + 1)
    weights = draw(row.filter(lambda given: any(str(number) not in ("0", "0.0", "0%") for number in given)))
    matrix = draw(st.lists(row, min_size=n + 1, max_size=n + 1))
    prior = draw(st.sampled_from(["uniform", "binomial:1/3", weights]))
    loss = draw(st.sampled_from(["absolute", "pinball:3/4", "expression:abs(i-r)*(1+i)", matrix]))
    return CountDesign(n, prior=prior, loss=loss, name=draw(st.text(max_size=20)), **level)


@patient
@given(st.lists(designs(), min_size=1, max_size=3))
def test_round_trip(studies):
    text = dumps_project(Project(tuple(studies)))
    again = loads_project(text)
    assert again == Project(tuple(studies))
    assert dumps_project(again) == text


def test_designs_of_version_1_stay_readable(tmp_path):
    paper, other = read_project(DESIGNS).studies
    assert paper.prior.specification == ("1/4", 0, "25%", 0.0, "0.25", 0.25)
    assert paper.privacy.source == ("alpha", "1/2")
    assert paper.name == "The paper's user"
    assert other.privacy.source == ("epsilon", "ln 3")
    assert other.privacy.exact_alpha == Fraction(1, 3)
    assert other.loss.specification == (("0", 1, "2.50"), (1, 0, 1), (2, "1/3", 0))
    write_project(tmp_path / "copy.dpd", Project((paper, other)))
    assert json.loads((tmp_path / "copy.dpd").read_text("utf-8")) == json.loads(DESIGNS.read_text("utf-8"))


def test_scenes_of_version_1_stay_readable(tmp_path):
    project = read_project(SCENES)
    assert [study.name for study in project.studies] == ["The nurse", "Staircase"]
    first, second = project.scenes
    view = {"view": "remap", "beside": False, "row": 4, "column": 3}
    assert first == Scene(0, view, "Nurse – reading", "She reads 4 as 3.\nSo.")
    assert second == Scene(1, {"view": "density", "share": 0.5})
    write_project(tmp_path / "copy.dpd", project)
    assert (tmp_path / "copy.dpd").read_text("utf-8") == SCENES.read_text("utf-8")


def test_what_a_prior_is_from_is_kept():
    plain = {"kind": "count", "name": "", "n": 1, "alpha": "1/2", "prior": [1, 3], "loss": "absolute"}
    for more in ({"prior_source": "age, a.csv"}, {"prior": "smooth-quantiles:5%=0"}, {}):
        data = {"format": "dpdesigner", "version": 1, "studies": [{**plain, **more}]}
        kept = loads_project(json.dumps(data))
        assert json.loads(dumps_project(kept)) == data
    assert kept.studies[0].prior.title == "drawn"


def test_only_what_there_is_is_written():
    paper, other = read_project(DESIGNS).studies
    for more, keys in (
        ({}, set()),
        ({"scenes": (Scene(1),)}, {"scenes"}),
        ({"reference": 1}, {"reference"}),
        ({"reference": other}, {"reference"}),
    ):
        project = Project((paper, other), **more)
        data = json.loads(dumps_project(project))
        assert data.keys() == {"format", "version", "studies"} | keys and data["version"] == 1
        assert loads_project(json.dumps(data)) == project


@pytest.mark.parametrize(
    "scene", [Scene(1), Scene(-1), Scene(0, title="x" * 201), Scene(0, {"row": 10**400}), Scene(0, {"x": "y" * 10_001})]
)
def test_what_could_not_be_read_again_is_not_written(scene, tmp_path):
    with pytest.raises(InputError, match="a scene"):
        write_project(tmp_path / "a.dpd", Project(read_project(DESIGNS).studies[:1], (scene,)))
    assert not (tmp_path / "a.dpd").exists()


GOOD = json.loads(DESIGNS.read_text("utf-8"))
COUNT = {"kind": "count", "n": 1, "alpha": "1/2", "prior": "uniform", "loss": "absolute"}


def project(**changes):
    return json.dumps({**GOOD, **changes})


def nested(levels):
    return [] if levels == 0 else [nested(levels - 1)]


def scenes(given):
    return project(scenes=given)


MADE = {"data": "people.csv", "kind": "choice", "epsilon": "ln 2", "neighbours": "replace", "time": "2026-11-28T21:40:03"}


def released(**changes):
    return project(releases=[MADE, {key: value for key, value in {**MADE, **changes}.items() if value != ""}])


def test_what_was_released_is_kept():
    of_alpha = {"data": "b.csv", "kind": "histogram", "alpha": "1/2", "delta": "1/100", "time": MADE["time"]}
    text = project(releases=[MADE, of_alpha, {**MADE, "epsilon": "inf"}])
    found = loads_project(text)
    assert json.loads(dumps_project(found))["releases"] == json.loads(text)["releases"]
    assert loads_project(dumps_project(found)) == found and found.releases[1].spent.delta == Fraction(1, 100)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a dpdesigner project: it must be a .dpd file, got an empty file."),
        ("a,b\n1,2\n", "is not a dpdesigner project: it must be a .dpd file, got another kind of text."),
        ('{\n "format": "dpdesigner",\n "versi', "is not valid JSON: unterminated string at line 3, column 2"),
        ("[]", "is not a dpdesigner project"),
        ('"dpdesigner"', "is not a dpdesigner project"),
        (project(format="other"), "is not a dpdesigner project"),
        (project(version=2), r"made by a newer dpdesigner \(version 2\); this one reads up to 1"),
        (project(version=True), "whole number of at least 1 as its version, got True"),
        (project(version="1"), "got 1"),
        (project(version=0), "got 0"),
        (project(views=[]), "may have format, version, studies, scenes, reference, same_people, releases, got 'views'"),
        (project(studies={}), "a list of 1 to 1000 studies, got {}"),
        (project(studies=[]), "a list of 1 to 1000 studies, got 0"),
        (project(studies=[COUNT] * 1001), "got 1001"),
        (project(studies=[COUNT, 5]), "design 2 must be a JSON object, got 5"),
        (project(studies=[{**COUNT, "kind": "sudoku"}]), "design 1: a design's kind must be one of .*, got 'sudoku'"),
        (project(studies=[{**COUNT, "kind": ["count"]}]), "design 1: a design's kind must be one of"),
        (project(studies=[{**COUNT, "extra": 1}]), "design 1: .*got 'extra'"),
        (project(studies=[{**COUNT, "prior": [1, -1]}]), "design 1: .*must not be negative"),
        (project(studies=[{**COUNT, "prior": [0, 0]}]), "design 1: .*at least one positive weight"),
        (
            project(studies=[{**COUNT, "prior_source": "a.csv"}]),
            "design 1: the prior's source must be .* empty for a named prior",
        ),
        (
            project(studies=[{**COUNT, "prior": [1, 2], "prior_source": 5}]),
            "design 1: the prior's source must be a text .* got 5",
        ),
        (project(studies=[{**COUNT, "prior": [1, 2], "prior_source": "x" * 401}]), "at most 400 characters"),
        (project(studies=[{**COUNT, "prior_source": None}]), "a value for prior_source, got null"),
        (project(studies=[{**COUNT, "n": 10**9}]), "design 1: n must be a whole number between 0 and"),
        (project(studies=[{**COUNT, "loss": "expression:().__class__"}]), "design 1: the loss expression may use"),
        (project(studies=[{**COUNT, "alpha": "2"}]), r"design 1: alpha must be between 0 and 1"),
        (project(studies=[{**COUNT, "epsilon": 1}]), "design 1: privacy must be given once"),
        (project(releases={}), "a list of 1 to 1000000 releases, got {}"),
        (project(releases=[]), "releases, got 0"),
        (project(releases=[5]), "release 1: a release must be a JSON object, got 5"),
        (released(place=1), "release 2: a release may have data, kind, epsilon, .*, got 'place'"),
        (released(data=""), "release 2: a release must have data"),
        (released(data=["a.csv"]), "release 2: the data of a release must be a name of at most 300 characters"),
        (released(data="x" * 301), "at most 300 characters"),
        (released(kind="sudoku"), "release 2: a release must have a kind of design, got 'sudoku'"),
        (released(kind={}), "a kind of design, got {}"),
        (released(alpha="1/2"), "release 2: a release must have either epsilon or alpha"),
        (released(epsilon=""), "either epsilon or alpha"),
        (released(epsilon=-1), "release 2: epsilon must be"),
        (released(epsilon=[1]), "release 2: epsilon must be"),
        (released(epsilon="9" * 5000), "release 2: .*epsilon"),
        (released(epsilon=None), "release 2: a release must have a value for epsilon, got null"),
        (released(delta=1), "release 2: the delta of a release must be at least 0 and below 1, got 1"),
        (released(delta={}), "release 2: .*delta"),
        (released(neighbours="twins"), "release 2: neighbours must be replace or add-remove, got 'twins'"),
        (released(neighbours=[]), r"neighbours must be replace or add-remove, got \[\]"),
        (released(time="yesterday"), "release 2: the time of a release must be like 2026-11-28T21:40:03, got 'yesterday'"),
        (scenes({}), "a list of 0 to 1000 scenes, got {}"),
        (scenes([5]), "scene 1: a scene must be a JSON object, got 5"),
        (scenes([{"design": 0}, {"design": 2}]), "scene 2: a scene's design must be a whole number from 0 to 1, got 2"),
        (scenes([{"design": -1}]), "from 0 to 1, got -1"),
        (scenes([{"design": True}]), "got True"),
        (scenes([{}]), "got None"),
        (scenes([{"design": 0, "page": "count"}]), "a scene may have design, view, title, text, got 'page'"),
        (scenes([{"design": 0, "title": 7}]), "a scene's title must be text of at most 200 characters, got 7"),
        (scenes([{"design": 0, "title": "x" * 201}]), "got 201 characters"),
        (scenes([{"design": 0, "text": "x" * 4001}]), "a scene's text must be text of at most 4000 characters"),
        (scenes([{"design": 0, "view": [1]}]), r"a scene's view must be a JSON object, got \[1\]"),
        (scenes([{"design": 0, "view": {"row": 10**30}}]), r"numbers up to 2\^53"),
        (scenes([{"design": 0, "view": {"a": [{"row": -(10**30)}]}}]), r"numbers up to 2\^53"),
        (scenes([{"design": 0, "view": {"a": nested(300)}}]), "10 levels"),
        (scenes([{"design": 0, "view": {"a": "x" * 10_001}}]), "at most 10000 characters, got more"),
        ('{"format": "dpdesigner", "version": NaN}', "finite numbers only, got NaN"),
        ('{"format": "dpdesigner", "version": -Infinity}', "finite numbers only, got -Infinity"),
        ('{"format": "dpdesigner", "version": 1e999}', "finite numbers only, got 1e999"),
        ('{"format": "dpdesigner", "format": "x"}', "every key once, got 'format' twice"),
        ('{"version": ' + "9" * 5000 + "}", "fewer than 4 000 digits"),
        (project(studies=[{**COUNT, "name": "half \ud83d"}]), r"complete characters only, got '\\ud83d', half of one"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_whatever_is_not_a_project(text, words):
    with pytest.raises(InputError, match=words) as caught:
        loads_project(text, "bad.dpd")
    assert str(caught.value).startswith("bad.dpd")
    assert len(str(caught.value)) < 500


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@settings(patient, max_examples=150)
@given(st.sampled_from(["kind", "name", "n", "alpha", "prior", "loss", "epsilon"]), json_values)
def test_any_value_in_any_place_is_taken_or_refused(key, value):
    text = json.dumps({"format": "dpdesigner", "version": 1, "studies": [{**COUNT, key: value}]})
    try:
        (study,) = loads_project(text).studies
    except InputError:
        return
    assert loads_project(dumps_project(Project((study,)))) == Project((study,))


def test_a_file_that_may_not_be_read_gets_its_own_words(monkeypatch):
    def refuse(*given, **more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(InputError, match=r"could not be read: you have no permission to read the folder or the file\.$"):
        read_project("secret.dpd")


def test_a_character_written_in_two_halves_is_whole():
    (study,) = loads_project(project(studies=[{**COUNT, "name": "dice 🎲"}])).studies
    assert study.name == "dice 🎲"


def test_what_would_be_too_large_to_be_read_again_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr("dpdesigner.files.project.LARGEST_BYTES", 1_000_000)
    with pytest.raises(InputError, match="at most 1 MB, got 2 MB"):
        write_project(tmp_path / "large.dpd", Project((CountDesign(4 * 10**5, alpha="1/2", prior=[1] * (4 * 10**5 + 1)),)))
    assert list(tmp_path.iterdir()) == []


@patient
@given(st.data())
def test_a_truncated_file_is_refused(data):
    whole = DESIGNS.read_text("utf-8").rstrip()
    end = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(InputError, match=r"is not valid JSON: .* at line \d+, column \d+|, got an empty file"):
        loads_project(whole[:end])


def test_files_in_the_wrong_encoding_and_failed_writes(tmp_path):
    path = tmp_path / "bad.dpd"
    path.write_bytes(DESIGNS.read_text("utf-8").encode("latin-1", "replace"))
    with pytest.raises(InputError, match="must be text in UTF-8"):
        read_project(path)
    with pytest.raises(InputError, match="at least one design"):
        write_project(path, Project(()))
    with pytest.raises(InputError, match="does not exist"):
        write_project(tmp_path / "missing" / "x.dpd", read_project(DESIGNS))


def test_one_design_is_saved_without_a_list(tmp_path):
    design = CountDesign(n=3, epsilon=1)
    save(design, tmp_path / "one.dpd")
    assert read(tmp_path / "one.dpd") == [design]
    with pytest.raises(InputError, match=r"^only designs can be saved, got 3\.$"):
        save(3, tmp_path / "one.dpd")
    with pytest.raises(InputError, match=r"^only designs can be saved, got 3 at position 2\.$"):
        save([design, 3], tmp_path / "one.dpd")


STUDIES = {example.path.stem: read_project(example.path).studies[0] for example in examples()}


def test_every_file_is_listed_and_described():
    listed = {example.path for example in examples()}
    assert listed == set(resources.path("examples").glob("*.dpd")), "each .dpd has an entry in examples.json, and the other way"
    for example in examples():
        name = STUDIES[example.path.stem].name
        assert example.title == name, f"{example.path.name} has its title in examples.json as the name of its first design, too"
        assert example.description.endswith(".")


@pytest.mark.usefixtures("kept_answers")
@pytest.mark.parametrize("example", examples(), ids=lambda example: example.path.stem)
def test_each_is_solved_and_as_far_proved_as_it_says(example):
    study = STUDIES[example.path.stem]
    found = study.run()
    assert explained(CountOverview.of(found) if study.kind == "count" else found).plain, "Why? explains it"
    if study.kind == "attack":
        assert found.badge[0].startswith(("no privacy · ε = ∞", "✗ not private as published"))
        assert found.findings["recovered"].value > 0.6
    state = ("proved" if found.proved else "open") if hasattr(found, "proved") else found.badge[1]
    assert state == example.state, f'the entry in examples.json says "state": "{state}" where that is what is meant'
    assert study.kind != "count" or study.covered
    reference = read_project(example.path).reference
    shown = [found, *([] if reference is None or isinstance(reference, int) else [reference.run()])]
    told = " ".join(f"{each.sentence} {format_finding(next(iter(each.findings.values())))}" for each in shown)
    known = figures(re.sub("<[^>]+>", "", told))
    rounded = {f"{float(each):.1f}" for each in known if "about" in example.answer and each.replace(".", "", 1).isdigit()}
    unknown = set(figures(example.answer)) - set(known) - rounded
    assert not unknown, f"examples.json answers {example.answer!r}; the page says {told}"


def figures(text):
    return re.findall(r"\d[\d.,/−e\u2009\u202f\u00a0]*\d|\d", text)


def test_laplace_noise_costs_a_sixth_more_for_the_hours_of_sport():
    assert STUDIES["hours-of-sport"].run().laplace_extra == pytest.approx(18.278, abs=1e-3)


def test_the_paper_prints_this_answer():
    outcome = solve(STUDIES["paper-user"])
    assert outcome.remap.tolist() == [0, 2, 2, 3, 4, 5]
    assert outcome.value == pytest.approx(1.19423215531629191254, rel=1e-14)


def test_two_points_are_as_the_paper_computes():
    outcome = solve(STUDIES["two-points"], exact=True)
    assert outcome.value == Fraction(1, 12)
    assert outcome.geometric[0, 0] == Fraction(2, 3)  # face value of G is wrong once in three


def test_doctor_visits_are_the_real_histogram():
    counts = Counter(min(count, 30) for count in read_counts(resources.path("data", "doctor_visits.csv")))
    assert sum(counts.values()) == 20190
    assert STUDIES["doctor-visits"].prior.specification == tuple(counts[i] for i in range(31))


def test_a_bed_too_few_costs_three_times_a_bed_too_many():
    matrix = STUDIES["hospital-beds"].loss.exact_matrix(24)
    assert matrix[5][4] == 3 * matrix[5][6]


def test_beds_are_read_as_the_upper_quartile_of_the_posterior():
    study = STUDIES["hospital-beds"]
    outcome = solve(study)
    for j, reading in enumerate(outcome.remap):
        joint = study.prior.probabilities * outcome.geometric[:, j]
        cumulative = joint.cumsum() / joint.sum()
        assert reading == (cumulative < 3 / 4).sum()


def test_the_published_visits_are_the_shipped_data():
    study = STUDIES["doctor-visits-published"]
    truth = read_truth(study.source)
    assert truth.counts.sum() == 20190 and truth.outside == 0
    visits = list(STUDIES["doctor-visits"].prior.specification)
    assert truth.counts.tolist() == [*visits[:13], sum(visits[13:])]
    assert study.run().within() == 6
