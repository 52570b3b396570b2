from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from desktop.fakes import ENTRIES, FakeStudy, OtherStudy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.desktop.document.document import Document
from dpdesigner.files.project import Project, Scene
from dpdesigner.studies import registry
from dpdesigner.studies.count.design import CountDesign


@pytest.fixture(autouse=True)
def fake_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)


@pytest.fixture
def document(qapp: object) -> Iterator[Document]:
    document = Document([FakeStudy(1, "one")])
    yield document
    document.deleteLater()


def numbers(document: Document) -> list[int]:
    return [design.study.number for design in document.designs]  # type: ignore[attr-defined]


def test_a_change_is_one_step(document: Document, qtbot: QtBot) -> None:
    with qtbot.waitSignals([document.studyChanged, document.modifiedChanged]):
        document.change(FakeStudy(5, "one"), "Set five")
    assert document.undo_stack.undoText() == "Set five"
    assert document.modified
    document.undo()
    assert document.study == FakeStudy(1, "one")
    assert not document.modified
    document.redo()
    assert document.study == FakeStudy(5, "one")


def test_the_history_shows_values_and_the_menu_what_was_done(document: Document) -> None:
    document.change(CountDesign(8, epsilon=1, prior="uniform", name="one"), "Another kind")
    count = document.study
    assert isinstance(count, CountDesign)
    document.change(count.replace(n=20), "Change n")
    document.change(document.study.replace(epsilon="1/2"), "Change epsilon")
    document.change(document.study.replace(prior=tuple(range(1, 22))), "Paint prior")
    texts = [document.undo_stack.text(place) for place in range(4)]
    assert texts == [
        "Another kind",
        "Change n: 20",
        f"Change epsilon: {PrivacyLevel.from_epsilon('1/2').description}",
        "Paint prior",
    ]
    document.undo()
    assert document.undo_stack.undoText() == "Change epsilon"


def test_an_equal_study_is_no_step(document: Document) -> None:
    document.change(FakeStudy(1, "one"), "Nothing")
    assert document.undo_stack.count() == 0
    assert not document.modified


def test_a_drag_is_one_step_from_before_it(document: Document) -> None:
    shown: list[object] = []
    document.studyChanged.connect(shown.append)
    for number in (2, 3, 4):
        document.preview(FakeStudy(number, "one"))
    assert document.previewing and document.undo_stack.count() == 0
    assert document.current.study == FakeStudy(1, "one") and document.live.studies == (FakeStudy(4, "one"),)
    document.change(FakeStudy(4, "one"), "Drag")
    assert document.undo_stack.count() == 1 and not document.previewing
    assert len(shown) == 4, "the settled study is shown once more, so that what waits for the end of the drag can run"
    document.undo()
    assert document.study == FakeStudy(1, "one")


def test_a_drag_back_to_the_start_is_no_step(document: Document) -> None:
    document.preview(FakeStudy(9, "one"))
    document.change(FakeStudy(1, "one"), "Drag")
    assert document.undo_stack.count() == 0 and document.study == FakeStudy(1, "one")


@pytest.mark.parametrize("give_up", ["cancel_preview", "undo"])
def test_a_drag_can_be_given_up(document: Document, give_up: str) -> None:
    document.change(FakeStudy(2, "one"), "Two")
    document.preview(FakeStudy(9, "one"))
    getattr(document, give_up)()
    assert document.study == FakeStudy(2, "one") and not document.previewing
    assert document.undo_stack.index() == 1


def test_designs_are_added_copied_renamed_and_removed_undoably(document: Document) -> None:
    document.add(OtherStudy(7))
    assert document.index == 1 and [d.title for d in document.designs] == ["one", "Other"]
    document.rename("seven")
    document.duplicate()
    document.duplicate()
    assert [d.title for d in document.designs] == ["one", "seven", "seven (2)", "seven (3)"]
    document.select(1)
    document.duplicate()
    assert document.designs[2].title == "seven (4)"
    document.remove()
    document.remove()
    assert numbers(document) == [1, 7, 7]
    for _ in range(7):
        document.undo()
    assert document.designs[0].study == FakeStudy(1, "one") and len(document.designs) == 1


def test_the_only_design_stays(document: Document) -> None:
    document.remove()
    assert len(document.designs) == 1 and document.undo_stack.count() == 0


def test_undo_goes_to_the_design_that_it_changes(document: Document) -> None:
    document.add(OtherStudy(7))
    document.select(0)
    document.change(FakeStudy(2, "one"), "Two")
    document.select(1)
    moves: list[int] = []
    document.currentChanged.connect(moves.append)
    document.undo()
    assert moves == [0] and document.study == FakeStudy(1, "one")


def test_letters_of_one_stay_are_one_step(document: Document) -> None:
    scene = Scene(document.current.key)
    document.set_scenes([scene], "Add scene")
    for text in ("a", "ab", "abc"):
        document.set_scenes([replace(scene, text=text)], "Edit caption", merge="first stay")
    document.set_scenes([replace(scene, text="abcd")], "Edit caption", merge="second stay")
    assert document.undo_stack.count() == 3
    document.undo()
    assert document.scenes[0].text == "abc"
    document.undo()
    assert document.scenes[0].text == ""


def test_playing_changes_a_copy_only(document: Document) -> None:
    document.add(OtherStudy(7))
    before = document.content
    document.start_play()
    document.change(OtherStudy(8), "Eight")
    document.select(0)
    document.remove()
    assert document.played and [design.study for design in document.designs] == [OtherStudy(8)]
    assert document.content == before and document.live.project == before.project and document.undo_stack.count() == 1
    document.redo()
    document.undo()
    assert document.playing and not document.played and document.designs == before.designs
    document.preview(OtherStudy(9))
    assert document.live.project == before.project
    document.end_play()
    assert document.content == before and document.study == OtherStudy(7) and not document.previewing


def test_a_design_that_is_only_looked_at_is_no_change(document: Document) -> None:
    before = document.content
    document.visit(OtherStudy(7))
    assert numbers(document) == [1, 7] and document.study == OtherStudy(7)
    assert not document.modified and not document.unsaved and document.undo_stack.count() == 0
    assert document.content.project == before.project, "no file keeps it"
    document.visit(OtherStudy(8))
    assert numbers(document) == [1, 8], "the next one takes its place"
    document.select(0)
    assert document.content == before
    document.visit(OtherStudy(7))
    document.remove()
    assert document.content == before and document.undo_stack.count() == 0


@pytest.mark.parametrize("step", ["change", "rename", "duplicate", "pin", "scene", "add"])
def test_a_step_makes_what_was_looked_at_a_design_of_the_document(document: Document, step: str) -> None:
    document.visit(OtherStudy(7))
    steps = {
        "change": lambda: document.change(OtherStudy(8), "Eight"),
        "rename": lambda: document.rename("seven"),
        "duplicate": document.duplicate,
        "pin": lambda: document.pin(document.current.key),
        "scene": lambda: document.set_scenes([Scene(document.current.key)], "Add scene"),
        "add": lambda: document.add(OtherStudy(9)),
    }
    steps[step]()
    assert document.modified and document.undo_stack.count() == 1
    kept = document.content.project
    assert kept.studies == document.content.studies and len(kept.studies) >= 2
    document.undo()
    assert numbers(document) == [1, 7] and not document.modified
    assert document.content.project.studies == (FakeStudy(1, "one"),)
    document.redo()
    assert document.content.project == kept


def test_an_earlier_step_is_undone_from_what_is_looked_at(document: Document) -> None:
    document.change(FakeStudy(2, "one"), "Two")
    document.visit(OtherStudy(7))
    document.undo()
    assert numbers(document) == [1]
    document.visit(OtherStudy(7))
    document.redo()
    assert numbers(document) == [2]


def test_recovery_keeps_what_is_looked_at_only_while_a_drag_changes_it(document: Document) -> None:
    document.add(OtherStudy(5))
    document.select(0)
    document.visit(OtherStudy(7))
    assert numbers(document) == [1, 7, 5]
    assert [study.number for study in document.live.studies] == [1, 5] and document.live.index == 0  # type: ignore[attr-defined]
    document.preview(OtherStudy(8))
    assert [study.number for study in document.live.studies] == [1, 8, 5] and document.live.index == 1  # type: ignore[attr-defined]


def test_looking_is_not_playing(document: Document) -> None:
    document.visit(OtherStudy(7))
    before = document.content
    document.start_play()
    document.select(0)
    document.visit(OtherStudy(8))
    assert not document.played
    document.put_back()
    document.select(0)
    document.put_back()
    assert not document.played and numbers(document) == [1]
    document.end_play()
    assert document.content.project == before.project


def test_saving_and_loading(document: Document, tmp_path: Path) -> None:
    document.change(FakeStudy(2, "one"), "Two")
    document.mark_saved(tmp_path / "two.dpd")
    assert not document.modified and document.title == "two"
    document.undo()
    assert document.modified
    document.load(Project((OtherStudy(3),)), title="An example")
    assert not document.modified and document.path is None and document.title == "An example"
    assert document.undo_stack.count() == 0
    document.change(OtherStudy(4, name="Own data"), "Own")
    assert document.title == "Own data", "no longer the example"
    document.load(Project((OtherStudy(3),)), tmp_path / "a.dpd", modified=True)
    assert document.modified


def test_a_document_is_never_empty(qapp: object) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Document([])


_action = st.one_of(
    st.tuples(st.just("change"), st.integers(0, 5)),
    st.tuples(st.just("preview"), st.integers(0, 5)),
    st.tuples(st.just("select"), st.integers(0, 9)),
    st.tuples(st.just("visit"), st.integers(0, 5)),
    st.tuples(st.sampled_from(["add", "duplicate", "remove", "cancel_preview", "put_back"]), st.none()),
    st.tuples(st.sampled_from(["start_play", "end_play"]), st.none()),
    st.tuples(st.just("scene"), st.integers(0, 3)),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_action, max_size=25))
def test_undo_all_and_redo_all_are_exact(qapp: object, actions: list[tuple[str, int | None]]) -> None:
    document = Document([FakeStudy(1)])
    decided = document.content
    for name, number in actions:
        if name in ("change", "preview"):
            study = document.study.replace(number=number)
            document.change(study, "Change") if name == "change" else document.preview(study)
        elif name == "select":
            document.select((number or 0) % len(document.designs))
        elif name == "scene":
            scenes = (*document.scenes, Scene(document.current.key))
            document.set_scenes(scenes[: (number or 0) + 1], "Scenes", merge=number)
        elif name == "visit":
            document.visit(OtherStudy(number or 0))
        elif name == "add":
            document.add(OtherStudy(4))
        else:
            getattr(document, name)()
        assert {scene.design for scene in document.scenes} <= {design.key for design in document.designs}
        assert not document.playing or document.content == decided
        assert not any(design.visited for design in document.designs if design != document.current)
        decided = document.content
    document.end_play()
    document.cancel_preview()
    end = replace(document.content.kept, index=0)
    steps = document.undo_stack.count()
    for _ in range(steps):
        document.undo()
    assert document.content.project.studies == (FakeStudy(1),) and not document.modified
    for _ in range(steps):
        document.redo()
    assert replace(document.content.kept, index=0) == end
    document.deleteLater()
