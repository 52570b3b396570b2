"""Two fields and a button that start a design: the largest possible count and the expected one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from dpdesigner.core.basics.parsing import exact, excerpt, parse_integer
from dpdesigner.desktop.base.labels import as_sentence
from dpdesigner.desktop.base.theme import set_class, set_state
from dpdesigner.errors import InputError
from dpdesigner.studies.count.design import CountDesign

#: The largest count accepted here: up to it, everything is computed at once.
MOST = 1000
#: The name of the expected count's field in errors.
EXPECTED = "expected"


class StartForm(QObject):
    """The fields and the button on a stage; reads the input and reports errors in it."""

    started = Signal(object)  #: a `CountDesign`
    ended = Signal()  #: Esc was pressed
    stepped = Signal(str)  #: "previous": Page Up was pressed, or the left arrow on the button
    edited = Signal()  #: a field's text or its error has changed

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self.largest, self.expected = QLineEdit("20", stage), QLineEdit("5", stage)
        self.largest.setAccessibleName(self.tr("The largest possible count"))
        self.expected.setAccessibleName(self.tr("The expected count"))
        self.start = QPushButton(self.tr("Start"), stage)
        set_class(self.start, "primary")
        self.start.clicked.connect(self._start)
        self.problem = ""
        self._parts: tuple[QLineEdit | QPushButton, ...] = (self.largest, self.expected, self.start)
        for part in self._parts:
            part.hide()
            part.installEventFilter(self)
        for entry in (self.largest, self.expected):
            entry.textEdited.connect(self._edited)

    def set_shown(self, on: bool) -> None:
        """Show the fields and focus the first, or hide them."""
        self._complain("", None)
        for part in self._parts:
            part.setVisible(on)
        if on:
            self.largest.setFocus()
            self.largest.selectAll()

    def fit(self, places: Sequence[QRect], scale: float) -> None:
        """Move to these rectangles, with the text enlarged by this factor from the sheet's own size."""
        font = QFont(self.start.font())
        font.setPixelSize(max(8, round(14 * scale)))
        for part, place in zip(self._parts, places, strict=True):
            part.setFont(font)
            part.setStyleSheet("padding: 0px 4px;")
            part.setGeometry(place)

    def step_focus(self, forward: bool) -> None:
        """Focus the next control that takes the keyboard, and after the last one the first."""
        at = next((k for k, part in enumerate(self._parts) if part.hasFocus()), 0)
        self._parts[(at + (1 if forward else -1)) % len(self._parts)].setFocus(Qt.FocusReason.TabFocusReason)

    def design(self) -> CountDesign:
        """Return the requested design.

        Raises
        ------
        InputError
            If a number is none, or out of its range.
        """
        n = parse_integer(self.largest.text(), "the largest count", 1, MOST)
        around = exact(self.expected.text(), "what you expect", EXPECTED)
        if not 0 <= around <= n:
            raise InputError(
                f"the expected count must be between 0 and {n}, got {excerpt(self.expected.text().strip())}.", EXPECTED
            )
        edge = Fraction(1, 2 * n)  # an expected count of 0 still allows for one
        share = min(max(around / n, edge), 1 - edge)
        return CountDesign(n, epsilon="ln 2", prior=f"binomial:{share}", loss="absolute", name=self.tr("My count"))

    @Slot()
    def _start(self) -> None:
        try:
            design = self.design()
        except InputError as error:
            wrong = self.expected if error.field == EXPECTED else self.largest
            self._complain(as_sentence(str(error)), wrong)
            wrong.setFocus()
            wrong.selectAll()
            return
        self.started.emit(design)

    @Slot()
    def _edited(self) -> None:
        self._complain("", None)

    def _complain(self, problem: str, wrong: QLineEdit | None) -> None:
        self.problem = problem
        for entry in (self.largest, self.expected):
            set_state(entry, "invalid", entry is wrong)
            entry.setAccessibleDescription(problem if entry is wrong else "")
        self.edited.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Start on Return, leave on Esc, go back on Page Up, open the notes on N; no shortcut reaches the window below."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return False
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._start()
        elif event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        elif event.key() == Qt.Key.Key_PageUp or (event.key() == Qt.Key.Key_Left and watched is self.start):
            self.stepped.emit("previous")
        elif event.key() == Qt.Key.Key_N:  # numbers do not contain N, and the screen offers this key
            self.stepped.emit("notes")
        else:
            return False
        return True
