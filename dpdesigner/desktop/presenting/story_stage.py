"""The stage covers and dims the window, and shows one scene, its caption and the progress; at the end a form to start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QCursor,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QTransform,
)
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from dpdesigner.core.basics.parsing import exact, excerpt, parse_integer
from dpdesigner.desktop.base.labels import announce, as_sentence
from dpdesigner.desktop.base.theme import set_class, set_state, theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.presenting import story_pictures as pictures
from dpdesigner.desktop.presenting.story import Numbers, Scene, Step, plain_text
from dpdesigner.desktop.presenting.story_pictures import DIM, HEIGHT, STRENGTH, WIDTH, Sheet
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
    stepped = Signal(str)  #: "previous" or "notes"
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
            for entry in (self.largest, self.expected):
                entry.setModified(False)

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
        """Start on Return, leave on Esc, open the notes on N; no shortcut reaches the window below.

        Page Up goes back, and so does the left arrow where it moves no cursor: on the button, and in a field that is unchanged
        or at its start.
        """
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return False
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._start()
        elif event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        elif event.key() == Qt.Key.Key_PageUp or (event.key() == Qt.Key.Key_Left and not _moves(watched)):
            self.stepped.emit("previous")
        elif event.key() == Qt.Key.Key_N:  # numbers do not contain N, and the screen offers this key
            self.stepped.emit("notes")
        else:
            return False
        return True


def _moves(part: QObject) -> bool:
    """Return whether the left arrow moves the cursor in a control."""
    return isinstance(part, QLineEdit) and part.isModified() and part.cursorPosition() > 0


_PICTURES: Mapping[str, Callable[[Sheet, Numbers, int], None]] = {
    "door": pictures.door,
    "promise": pictures.promise,
    "chance": pictures.chance,
    "cost": pictures.cost,
    "table": pictures.table,
    "readers": pictures.readers,
    "reading": pictures.reading,
    "proof": pictures.proof,
    "yours": pictures.yours,
}
#: The commands of the keys, here and in the notes; see `Stage.moved`.
KEYS: Mapping[int, str] = {
    **dict.fromkeys((Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_PageDown), "next"),
    **dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), "next"),
    **dict.fromkeys((Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace), "previous"),
    Qt.Key.Key_Home: "first",
    Qt.Key.Key_End: "last",
    Qt.Key.Key_Escape: "end",
    Qt.Key.Key_N: "notes",
}
_BLUR = 5  #: the background is drawn from a picture this many times smaller
_TRACK = QPointF(69, 646)
_STEP = 30
_INVITATION = QRectF(404, 622, 546, 60)
_FIELDS = (QRectF(708, 639, 52, 26), QRectF(812, 639, 52, 26), QRectF(874, 637, 64, 30))


class Stage(QWidget):
    """Paints the scenes; keys and clicks request the next step and never reach the window below.

    Parameters
    ----------
    scenes : sequence of Scene
    numbers : Numbers
    ground : QPixmap
        The user's work, which is dimmed.
    """

    moved = Signal(str)  #: "next", "previous", "first", "last", "end" or "notes"
    sceneAsked = Signal(int)  #: the position of the clicked scene

    def __init__(self, scenes: Sequence[Scene], numbers: Numbers, ground: QPixmap, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenes, self._numbers = scenes, numbers
        self._ground = ground.scaledToWidth(max(1, ground.width() // _BLUR), Qt.TransformationMode.SmoothTransformation)
        self.scene = self.step = 0
        self.form = StartForm(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setWindowTitle(self.tr("Demonstration"))
        theme().changed.connect(self._restyle)
        self.form.edited.connect(self.update)

    @property
    def caption(self) -> str:
        """The current caption, without markup."""
        return plain_text(translated(self._step.caption))

    @property
    def _step(self) -> Step:
        return self._scenes[self.scene].steps[self.step]

    def show_step(self, scene: int, step: int) -> None:
        """Show a scene up to a step, and have its caption read out."""
        self.scene, self.step = scene, step
        last = self._scenes[scene].picture == "yours"
        self.setAccessibleName(translated(self._scenes[scene].title))
        self.setAccessibleDescription(self.caption)
        self.update()
        self.form.set_shown(last)
        if not last:
            self.setFocus()
        announce(self, f"{self.accessibleName()}. {self.caption}" if step == 0 else self.caption)

    # Painting ----------------------------------------------------------------------------------------------------------

    @property
    def sheet_rect(self) -> QRectF:
        """The rectangle of the sheet: as large as fits, centred."""
        scale = min(self.width() / WIDTH, self.height() / HEIGHT)
        wide, high = WIDTH * scale, HEIGHT * scale
        return QRectF((self.width() - wide) / 2, (self.height() - high) / 2, wide, high)

    def _transform(self) -> QTransform:
        box = self.sheet_rect
        return QTransform().translate(box.left(), box.top()).scale(box.width() / WIDTH, box.width() / WIDTH)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(self.rect(), self._ground)
        dim = QColor(DIM)
        dim.setAlphaF(1.0 if theme().colours.high else STRENGTH)
        painter.fillRect(self.rect(), dim)
        painter.setTransform(self._transform(), True)
        sheet, scene = Sheet(painter, theme().colours), self._scenes[self.scene]
        sheet.text(self.tr("Flu in a school"), 60, 28, 600, 14, "muted", ground=True)
        sheet.text(translated(scene.title), 60, 54, 1160, 30, bold=True, ground=True)
        _PICTURES[scene.picture](sheet, self._numbers, self.step)
        if scene.picture == "yours":
            self._paint_expectation(sheet)
        sheet.text(self.form.problem or translated(self._step.caption), 60, 538, 1160, 21, self._ink, ground=True)
        self._paint_track(sheet)
        painter.end()

    @property
    def _ink(self) -> str:
        return "warning" if self.form.problem else "text"

    def _paint_expectation(self, sheet: Sheet) -> None:
        """Paint the contents of the fields, where there are any."""
        try:
            design = self.form.design()
        except InputError:
            return
        chances = design.prior.probabilities
        pictures.expectation(sheet, chances, float(chances @ range(len(chances))))

    def _paint_track(self, sheet: Sheet) -> None:
        bright, painter = sheet.on_ground, sheet.painter
        y, last = _TRACK.y(), len(self._scenes) - 1
        for k in range(len(self._scenes)):
            x = _TRACK.x() + _STEP * k
            if k:
                painter.setPen(QPen(QColor(bright.quiet if k <= self.scene else bright.edge), 1.5))
                painter.drawLine(QPointF(x - _STEP + 6, y), QPointF(x - 6, y))
            if k == self.scene:
                sheet.dot(x, y, 9, bright.selected)
                words = self.tr("{number} of {count}").format(number=k + 1, count=len(self._scenes))
                sheet.text(words, x - 50, y + 17, 100, 12, "muted", align="centre", ground=True)
            else:
                sheet.dot(x, y, 5, bright.accent if k == last else bright.muted if k < self.scene else bright.edge)
        sheet.arrow(_TRACK.x() + _STEP * last + 19, _INVITATION.left() - 13, y, bright.accent, 2)
        self._paint_invitation(sheet, self.scene == last)
        keys = self.tr("← → step · N notes · Esc returns<br>to your own work, untouched")
        sheet.text(keys, 960, 634, 260, 12, "muted", align="right", ground=True)

    def _paint_invitation(self, sheet: Sheet, lit: bool) -> None:
        bright, painter = sheet.on_ground, sheet.painter
        painter.setPen(QPen(QColor(bright.accent), 2.5 if lit else 1.2))
        painter.setBrush(QColor(bright.accent_soft if lit else "#141c29"))
        painter.drawRoundedRect(_INVITATION, 8, 8)
        sheet.text(
            self.tr("Your turn"), _INVITATION.left() + 19, _INVITATION.top() + 10, 300, 16, "accent", bold=True, ground=True
        )
        words = self.tr("Pupils, and how many are ill?")
        sheet.text(words, _INVITATION.left() + 19, _INVITATION.top() + 33, 260, 13, ground=True)
        for words, x in ((self.tr("of"), 688), (self.tr("about"), 768)):
            sheet.text(words, x, 643, 60, 13.5, ground=True)
        if not lit:
            self._paint_promise(sheet)

    def _paint_promise(self, sheet: Sheet) -> None:
        """Paint the fields and the button before the form itself is shown."""
        bright, painter = sheet.on_ground, sheet.painter
        for box, words in zip(_FIELDS, (self.form.largest.text(), self.form.expected.text(), self.tr("Start")), strict=True):
            start = box is _FIELDS[-1]
            painter.setPen(QPen(QColor(bright.accent if start else bright.edge), 1))
            painter.setBrush(QColor(bright.accent if start else bright.ground))
            painter.drawRoundedRect(box, 4, 4)
            ink = "on_accent" if start else "text"
            sheet.text(words, box.left(), box.top() + 4, box.width(), 13.5, ink, align="centre", bold=True, ground=True)

    # Keys and mouse ----------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Accept every shortcut, so that none reaches the window below."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step, end, or open the notes."""
        move = KEYS.get(event.key())
        if move is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.moved.emit(move)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the clicked scene; a click elsewhere goes one step forward (or back, with the right button)."""
        inverse, _ = self._transform().inverted()
        at = inverse.map(event.position())
        near = round((at.x() - _TRACK.x()) / _STEP)
        if abs(at.y() - _TRACK.y()) < 16 and 0 <= near < len(self._scenes):
            self.sceneAsked.emit(near)
        elif _INVITATION.contains(at):
            self.moved.emit("last")
        else:
            self.moved.emit("previous" if event.button() == Qt.MouseButton.RightButton else "next")

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep the focus on the stage."""
        if self.form.start.isVisible():
            self.form.step_focus(forward)
        return True

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the arrow cursor instead of the text cursor."""
        self.setCursor(QCursor(Qt.CursorShape.ArrowCursor))
        super().focusInEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """End, even if the system closes a stage that has its own screen."""
        super().closeEvent(event)
        self.moved.emit("end")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the form on its card."""
        super().resizeEvent(event)
        self._restyle()

    def _restyle(self) -> None:
        onto = self._transform()
        self.form.fit([onto.mapRect(box).toRect() for box in _FIELDS], onto.m11())
        self.update()
