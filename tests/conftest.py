"""What every test gets: no screen, settings and user data of its own, and a check that widgets die."""

from __future__ import annotations

import gc
import itertools
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

# No screen, and a pixel is a pixel: what a user sets for their own windows is not for those of the tests.
for setting in [name for name in os.environ if name.startswith("QT_")]:
    del os.environ[setting]
os.environ["QT_QPA_PLATFORM"] = "offscreen"

# The same examples on every run, so that a check of a change says something about the change.
# DPDESIGNER_TEST_RANDOM=1 searches on.
hypothesis.settings.register_profile(
    "steady", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.register_profile("searching", hypothesis.settings.get_profile("steady"), derandomize=False, max_examples=200)
hypothesis.settings.load_profile("searching" if os.environ.get("DPDESIGNER_TEST_RANDOM") else "steady")


_USERS = itertools.count()


@pytest.fixture(autouse=True)
def user_folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Keep the settings and recovery files of a test away from the user's and from other tests'.

    Numbered here: pytest would look through the folders of all tests before it for the next free number.
    """
    folder = tmp_path_factory.getbasetemp() / "users" / str(next(_USERS))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    if _uses_qt(request.node):
        from PySide6.QtCore import QCoreApplication, QSettings

        QCoreApplication.setOrganizationName("dpdesigner")
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        for scope in (QSettings.Scope.UserScope, QSettings.Scope.SystemScope):
            QSettings.setPath(QSettings.Format.IniFormat, scope, str(folder / "config"))
    return folder


@pytest.fixture
def no_qt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the modules that draw find no Qt."""
    for name in ("pictures", "reports"):
        monkeypatch.delitem(sys.modules, f"dpdesigner.desktop.output.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "PySide6.QtCore", None)


#: The answers of `kept_answers`, by kind and inputs.
_ANSWERS: dict[str, Any] = {}


@pytest.fixture
def kept_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve each design once for all tests that use this: answers are frozen. Not for designs of files that a test changes."""
    from dpdesigner.studies.registry import Entry

    find = Entry.runner

    def runner(entry: Entry) -> Callable[..., Any]:
        def run(study: Any, *progress: Any) -> Any:
            key = json.dumps([entry.kind, study.to_json()])
            if key not in _ANSWERS:
                _ANSWERS[key] = find(entry)(study, *progress)
            return _ANSWERS[key]

        return run

    monkeypatch.setattr(Entry, "runner", runner)


@pytest.fixture(scope="session", autouse=True)
def _kept_limits() -> Iterator[None]:
    """Solve the linear program of a choice's limit once for each table: many tests open the same few choices.

    Those of tests/core/choice solve each anew.
    """
    from dpdesigner.studies.choice import answer

    solve, found = answer.limit, {}

    def limit(utilities: list[float], step: float, epsilon: float, neighbours: Any, *progress: Any) -> Any:
        key = (tuple(utilities), step, epsilon, neighbours)
        if key not in found:
            found[key] = solve(utilities, step, epsilon, neighbours, *progress)
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answer, "limit", limit)
        yield


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave what the test tools and libraries hold out of the garbage collection after each test: it took most of the time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """After all fixtures of a test that used Qt, no widget may be left."""
    yield
    if _uses_qt(item) and (left := _widgets_left()):
        names = [f"{type(widget).__name__} {widget.objectName()!r}" for widget in left]
        for widget in left:
            widget.deleteLater()
        pytest.fail(f"widgets left after the test: {', '.join(names)}", pytrace=False)


def _uses_qt(item: pytest.Item) -> bool:
    return bool({"qtbot", "qapp"} & set(getattr(item, "fixturenames", ())))


def _widgets_left() -> list[QWidget]:
    """Top-level widgets that live on after deferred deletions and a garbage collection; Qt's one tooltip label is its own."""
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtWidgets import QApplication

    left: list[QWidget] = []
    for _ in range(3):
        gc.collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()
        left = [widget for widget in QApplication.topLevelWidgets() if widget.objectName() != "qtooltip_label"]
        if not left:
            break
    gc.freeze()  # what lives on now are modules and caches: the next collections need not look at them
    return left
