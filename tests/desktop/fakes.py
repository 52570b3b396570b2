"""A tiny study with a page of its own, so that the shell is tested with no page of the product."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpdesigner.desktop.pages.kit.page import Page, Summary
from dpdesigner.errors import InputError
from dpdesigner.studies import registry
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.study import Job, Progress, silent


@dataclass(frozen=True)
class Outcome:
    design: FakeStudy
    value: int
    cells_compared: ClassVar[None] = None
    badge: ClassVar[tuple[str, str]] = ("", "")
    checks: ClassVar[tuple[str, ...]] = ()
    sentence: ClassVar[str] = ""
    stated: ClassVar[tuple[tuple[str, str], ...]] = ()

    @property
    def findings(self) -> dict[str, Finding]:
        return {"value": Finding("value", self.value)}

    @property
    def line(self) -> str:
        return f"number {self.design.number}"

    def panels_in(self, view: Mapping[str, Any]) -> tuple[()]:
        return ()


@dataclass(frozen=True)
class FakeStudy:
    """A number; its outcome is twice the number."""

    kind: ClassVar[str] = "fake"
    compared_as: ClassVar[str] = "fake"
    heading: ClassVar[str] = ""
    spent: ClassVar[None] = None
    data_name: ClassVar[str] = ""

    number: int = 1
    name: str = ""

    def run(self, progress: Progress = silent) -> Outcome:
        if self.number < 0:
            raise InputError(f"the number must be at least 0, got {self.number}.", "number")
        return Outcome(self, 2 * self.number)

    def replace(self, **changes: Any) -> FakeStudy:
        return replace(self, **changes)

    def beside(self, folder: Path) -> FakeStudy:
        return self

    @classmethod
    def inputs(cls) -> tuple[()]:
        return ()

    @classmethod
    def starting(cls) -> FakeStudy:
        return cls()

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "number": self.number, "name": self.name}

    to_public_json = to_json

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FakeStudy:
        if not isinstance(data.get("number"), int):
            raise InputError(f"the number must be a whole number, got {data.get('number')!r}.", "number")
        return cls(data["number"], data.get("name", ""))


@dataclass(frozen=True)
class OtherStudy(FakeStudy):
    kind: ClassVar[str] = "other"
    compared_as: ClassVar[str] = "other"


class FakePage(Page):
    """Shows the number; dragging across it sets it to the mouse's x, the key + adds one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.number = QLabel()
        self.result = QLabel("…")
        self.stale: set[str] = set()
        self.presenting = False
        self.selected = 0
        self.slow_calls = 0
        layout = QVBoxLayout(self)
        layout.addWidget(self.number)
        layout.addWidget(self.result)
        double = QAction("Double the number", self)
        double.triggered.connect(self._double)
        self.addAction(double)

    def set_study(self, study: Any) -> None:
        self.study = study
        self.number.setText(str(study.number))

    def jobs(self, study: Any) -> Sequence[Job]:
        lp_check = Job("lp_check", lambda progress: self._lp_check(study), slow=True, live=False, title="slow check")
        return (Job("solve", study.run), lp_check)

    def _lp_check(self, study: Any) -> int:
        self.slow_calls += 1
        time.sleep(0.001)
        return int(study.number)

    def show_outcome(self, name: str, outcome: Any) -> None:
        self.stale.discard(name)
        if name == "solve":
            self.result.setText(str(outcome.value))
        self.summaryChanged.emit()

    def mark_stale(self, name: str) -> None:
        self.stale.add(name)

    def summary(self) -> Summary:
        number = self.number.text()
        return Summary(f"number = {number}", "twice", self.result.text(), "✓ proved", "proved", ("✓ checked",), "check: done")

    def view_state(self) -> Mapping[str, Any]:
        return {"selected": self.selected}

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        self.selected = state.get("selected", 0)

    def set_presenting(self, on: bool) -> None:
        self.presenting = on

    @Slot()
    def _double(self) -> None:
        self.changed.emit(self.study.replace(number=2 * self.study.number), "Double number")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.previewed.emit(self.study.replace(number=int(event.position().x())))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.changed.emit(self.study, "Drag number")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Plus:
            self.changed.emit(self.study.replace(number=self.study.number + 1), "Add one")
        elif event.key() == Qt.Key.Key_Escape:
            self.previewCancelled.emit()
        else:
            super().keyPressEvent(event)


class OtherPage(FakePage):
    """The same for the other kind."""


ENTRIES = (
    registry.Entry("fake", "Fake", "desktop.fakes:FakeStudy", "desktop.fakes:FakePage", private=False),
    registry.Entry("other", "Other", "desktop.fakes:OtherStudy", "desktop.fakes:OtherPage"),
)
