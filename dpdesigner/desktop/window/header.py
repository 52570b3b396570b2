"""The header above the page: name, inputs, expected error and proof, and under them the result in plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QMouseEvent, QResizeEvent, QTextDocumentFragment
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from dpdesigner.desktop.base.labels import SLACK, ElidedLabel, ErrorLine, FigureLabel
from dpdesigner.desktop.base.layouts import column_of, row_of, sign, styled
from dpdesigner.desktop.base.theme import set_class, set_state, theme
from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.desktop.window.menus import plain_text

#: The largest part of the width that the pinned result may take.
_PINNED = 1 / 4
#: A question, if there is one first; the sentence that answers, or its part before a semicolon; and what follows.
_ANSWER = re.compile(r"((?:[^?]*\?\s+)?)(.*?(?:;|[.!]|\Z))((?:(?<=;)\s+.*|\s+[A-Z\u0391-\u03c9\d“−].*)?)\Z", re.DOTALL)
_GAP = 16  # pixels between the sentence and the chip


class ResultLine(QWidget):
    """A result in as many words as fit, its answer in bold, and a chip with a cross.

    It has no layout: another sentence would ask all layouts above it for another size, frame after frame.
    """

    compareRequested = Signal()  #: the chip was clicked
    unpinRequested = Signal()  #: the cross of the chip was clicked
    busyClicked = Signal()  #: the button next to the progress message was clicked

    def __init__(self) -> None:
        super().__init__()
        self._given: Sequence[str] = ()
        self._versions: Sequence[str] = ("",)
        self._plain: Sequence[str] = ("",)
        self._pinned = ("", "", "")
        self._busy = ""
        self._error: ErrorLine | None = None
        self.sentence = QLabel(self)
        self.sentence.setTextFormat(Qt.TextFormat.RichText)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.stop = QPushButton(self)
        set_class(self.stop, "quiet")
        self.stop.setStyleSheet("padding: 4px 8px;")
        self.stop.clicked.connect(self.busyClicked)
        self.stop.hide()
        self.before = QToolButton()
        set_class(self.before, "tab")
        self.unpin = sign("×", self.tr("Unpin"), self.tr("Unpin (Ctrl+B)"), self.unpinRequested.emit)
        for button in (self.before, self.unpin):
            button.setStyleSheet("padding: 4px 5px;")
        self.before.clicked.connect(self.compareRequested)
        self.chip = QFrame(self)
        set_class(self.chip, "pinned")
        row_of(self.before, self.unpin, on=self.chip, margins=(8, 0, 4, 0), gap=0)
        self.chip.hide()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_sentence(self, versions: Sequence[str]) -> None:
        """Show sentences of simple rich text, from long to short versions; the answer is bold, and alone where room ends."""
        if versions != self._given:
            self._given = versions
            told = [re.sub("</?b>", "", version) for version in versions or ("",)]
            parts = _ANSWER.fullmatch(told[-1])
            if parts and parts[3] and parts[2].endswith("."):
                told.append(f"{parts[1]}{parts[2]}")
            self._versions = [_ANSWER.sub(r"\1<b>\2</b>\3", words, count=1) if words else "" for words in told]
            self._plain = [QTextDocumentFragment.fromHtml(words).toPlainText() for words in told]
            self._say()

    @property
    def busy(self) -> bool:
        """Whether there is a computation that can be stopped or continued."""
        return not self.stop.isHidden()

    def set_busy(self, words: str, button: str) -> bool:
        """Offer a button for the current computation and describe it, if there is one; return whether that is new."""
        if (words, button) == (self._busy, self.stop.text()):
            return False
        self._busy = words
        self.stop.setText(button)
        self.stop.setVisible(bool(button))
        self._say()
        return True

    def take_error(self, error: ErrorLine) -> None:
        """Show the error of a field in the header in place of the sentence, so that nothing below moves."""
        if error is not self._error:
            self._error = error
            error.setParent(self)
            error.said.connect(self.show_error)

    @Slot(bool)
    def show_error(self, on: bool) -> None:
        """Show the error, or the sentence again."""
        self.sentence.setHidden(on)
        if self._error is not None:
            self._error.setVisible(on)
        self._place()

    @property
    def pinned(self) -> bool:
        """Whether something is pinned."""
        return bool(self._pinned[0])

    def set_pinned(self, text: str, short: str, tip: str) -> bool:
        """Show the pinned design, shortened if there is too little room, or nothing; return whether that is new."""
        if (text, short, tip) == self._pinned:
            return False
        self._pinned = (text, short, tip)
        self.before.setToolTip(f"{text}\n{tip}")
        self.before.setAccessibleName(f"{text}. {tip}")
        self._place()
        return True

    def show_chip(self, on: bool) -> None:
        """Show the pinned design, or hide it."""
        if on == self.chip.isHidden():
            self.chip.setVisible(on)
            self._place()

    def restyle(self) -> None:
        """Adopt another text size."""
        self.sentence.setFont(theme().font(10))
        self.updateGeometry()
        self._place()

    def sizeHint(self) -> QSize:
        """Return the height of the sentence and of the chip, even while the chip is hidden."""
        return QSize(
            100,
            max(QFontMetrics(self.sentence.font()).height() + 4, self.chip.sizeHint().height(), self.stop.sizeHint().height()),
        )

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        text, short, _ = self._pinned
        fits = self.before.fontMetrics().horizontalAdvance(text) <= self.width() * _PINNED
        self.before.setText(text if fits else short)
        size = self.chip.sizeHint()
        taken = 0 if self.chip.isHidden() else size.width() + _GAP
        self.chip.setGeometry(self.width() - size.width(), (self.height() - size.height()) // 2, size.width(), size.height())
        self.sentence.setGeometry(0, 0, max(self.width() - taken, 0), self.height())
        self._place_error()
        self._say()

    def _place_error(self) -> None:
        if self._error is not None:
            room = self.sentence.geometry()
            self._error.setGeometry(0, 0, min(self._error.sizeHint().width() + SLACK, room.width()), room.height())

    def event(self, event: QEvent) -> bool:
        """Make room for another error."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place_error()
        return super().event(event)

    def _say(self) -> None:
        font, room, size = self.sentence.font(), self.sentence.width(), self.stop.sizeHint()
        metrics = QFontMetrics(font)
        font.setBold(True)
        bold = QFontMetrics(font)
        plain, versions = self._plain, self._versions
        if self.busy:
            room -= size.width() + _GAP
            plain, versions = ([f"{words}  {self._busy}".strip() for words in told] for told in ((*plain, ""), (*versions, "")))
        widths = [_width(words, metrics, bold) for words in plain]
        place = next((place for place, width in enumerate(widths) if width <= room), len(plain) - 1)
        self.stop.setGeometry(round(widths[place]) + 8, (self.height() - size.height()) // 2, size.width(), size.height())
        words, cut = versions[place], widths[place] > room
        if cut:  # not even the shortest version fits
            words = escape(metrics.elidedText(plain[place], Qt.TextElideMode.ElideRight, room))
        if (words, plain[0]) != (self.sentence.text(), self.sentence.accessibleName()):
            self.sentence.setText(words)
            self.sentence.setAccessibleName(plain[0])
            self.sentence.setToolTip(plain[0] if place or cut else "")


def _width(words: str, metrics: QFontMetrics, bold: QFontMetrics) -> int:
    """Return the width of a text with its answer in bold."""
    split = _ANSWER.fullmatch(words)
    if split is None:
        return bold.horizontalAdvance(words)
    return bold.horizontalAdvance(split[2]) + metrics.horizontalAdvance(f"{split[1]}{split[3]}")


#: Size in points of a scene's title.
TITLE = 16
#: What remains of the badge if there is no room for more.
_PROVED = "✓"
_ANY_WIDTH = 16777215  # Qt's own largest
_BESIDE = 16  # pixels on either side


class Header(QFrame):
    """The current design's name and its page's summary."""

    renamed = Signal(str)  #: the user typed another name
    unpinned = Signal()  #: the user wants to remove the pin
    whyRequested = Signal()  #: the user clicked the badge

    def __init__(self, export: QAction, designs: QMenu, compare: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_class(self, "bar")
        self._designs = designs
        self._several = self._presenting = False
        self._proof = self._question = ""
        self._summary = Summary()
        self._fields: QWidget | None = None
        self._make_names()
        self._make_facts(export)
        self.result = ResultLine()
        self.before, self.unpin = self.result.before, self.result.unpin
        self.result.compareRequested.connect(compare.toggle)
        self.result.unpinRequested.connect(self.unpinned)
        theme().follow(self._restyle)
        self._lay_out()

    def _make_names(self) -> None:
        """The widgets that say which design it is: name, list of designs, scene."""
        self.name = ElidedLabel(yields=False)
        set_class(self.name, "title")
        self.name.installEventFilter(self)
        self.editor = QLineEdit()
        self.editor.setAccessibleName(self.tr("Name of the design"))
        self.editor.setMaxLength(120)
        self.editor.hide()
        self.editor.installEventFilter(self)
        self.editor.editingFinished.connect(self._finish)
        self.others = sign("▾", self.tr("Designs"), self.tr("The designs of this document"), self._open_designs)
        self.mark = styled("badge", self.tr("Others are playing; changes will not be kept"))
        self.mark.setToolTip(
            self.tr("To end this, choose Present > Let others play. Everything then returns to its previous state.")
        )
        self.mark.hide()
        self.scene, self.number = ElidedLabel(yields=False), styled("muted")
        self.scene.hide()
        self.number.hide()

    def _make_facts(self, export: QAction) -> None:
        """The widgets that say how good it is, and the export button."""
        self.line = ElidedLabel()
        set_class(self.line, "muted")
        self.value_label, self.value = ElidedLabel(yields=False), FigureLabel("figure")
        self.account = styled("badge")
        self.account.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.account.setStyleSheet("margin-right: 12px;")  # the margin disappears when the badge is hidden
        self.account.hide()
        self.badge = ElidedLabel(yields=False)
        set_class(self.badge, "badge")
        self.badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.badge.setSizePolicy(self.badge.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Fixed)
        self.badge.setCursor(Qt.CursorShape.PointingHandCursor)
        self.badge.installEventFilter(self)
        self.badge.hide()
        self.export = QPushButton(plain_text(export.text()))
        set_class(self.export, "primary")
        self.export.setToolTip(export.toolTip())
        self.export.clicked.connect(export.trigger)

    def _lay_out(self) -> None:
        self._top = QWidget()
        layout = self._row = row_of(on=self._top, gap=0)
        for widget, space, stretch in (
            (self.scene, 0, 0),
            (self.name, 0, 0),
            (self.editor, 0, 0),
            (self.others, 12, 0),
            (self.mark, 12, 0),
            (self.line, 16, 1),
            (self.account, 0, 0),
            (self.value_label, 5, 0),
            (self.value, 8, 0),
            (self.badge, 14, 0),
            (self.export, 0, 0),
            (self.number, 0, 0),
        ):
            layout.addWidget(widget, stretch)
            layout.addSpacing(space)
        column_of(self._top, self.result, on=self, margins=(_BESIDE, 6, _BESIDE, 6), gap=6)
        self.result.hide()

    def set_fields(self, fields: QWidget | None) -> None:
        """Show a page's own fields after the name, where they always stay; None for a page without."""
        if fields is not self._fields:
            if self._fields is not None:
                self._row.removeWidget(self._fields)
                self._fields.hide()
            self._fields = fields
            for error in () if fields is None else fields.findChildren(ErrorLine):
                self.result.take_error(error)
            self.result.show_error(False)
            if fields is not None:
                fields.setContentsMargins(0, 0, _BESIDE // 2, 0)
                self._row.insertWidget(self._row.indexOf(self.line), fields)
                self._order_focus(fields)
            self._show_fields()

    def _order_focus(self, fields: QWidget) -> None:
        """Put the fields after the list of designs in the tab order."""
        boxes = [box for box in fields.findChildren(QLineEdit) if box.focusPolicy() & Qt.FocusPolicy.TabFocus]
        for before, after in pairwise((self.others, *boxes, self.before)):
            QWidget.setTabOrder(before, after)

    def _show_fields(self) -> None:
        if self._fields is not None:
            self._fields.setVisible(not self._presenting)
        self._show_line()
        self._fit()

    def set_name(self, name: str, several: bool) -> None:
        """Show the current design's name, and the list of designs if there are several."""
        self._keep()  # the text being typed belongs to the previous design
        self.name.set_full_text(name)
        self._show_line()
        self._several = several
        self.others.setVisible(several and not self._presenting)
        self._fit()

    def set_question(self, question: str) -> None:
        """Show the question that an unchanged example answers in place of the inputs, or nothing."""
        if question != self._question:
            self._question = question
            self._show_line()

    def set_summary(self, summary: Summary) -> None:
        """Show a page's summary; unchanged parts are not laid out again."""
        before, self._summary, proof = self._summary, summary, self._proof
        self._proof = summary.badge
        self.result.set_sentence(summary.sentence)
        self._show_result()
        for label in (self.value_label, self.value, self.result.sentence):
            label.setEnabled(not summary.refused)  # which is pale
        if summary.value != self.value.text():
            self.value.setText(summary.value)
        alike = replace(before, value=summary.value, sentence=summary.sentence, facts=summary.facts, note=summary.note)
        if alike == summary and len(before.value) == len(summary.value) and proof == self._proof:
            return
        self._show_line()
        self.value_label.set_full_text(summary.value_label)
        self.badge.setVisible(bool(summary.badge))
        set_state(self.badge, "state", "stale" if summary.refused else summary.state)
        self._fit()

    @Slot(str, str, str)
    def set_pinned(self, text: str, short: str, tip: str) -> None:
        """Show the pinned design, shortened if there is too little room, or nothing."""
        if self.result.set_pinned(text, short, tip):
            self._show_result()

    def _show_result(self) -> None:
        """Show the result line if it is not empty."""
        pinned = self.result.pinned and not self._presenting
        self.result.show_chip(pinned)
        wanted = pinned or any(self._summary.sentence) or self.result.busy or self._summary.state == "stale"
        if wanted == self.result.isHidden():
            self.result.setVisible(wanted)

    def _fit(self) -> None:
        """Show as much of the proof and the name as there is room for."""
        self.name.setMaximumWidth(_ANY_WIDTH)
        self.line.setMinimumWidth(self.line.minimumSizeHint().width() if self._presenting else 0)
        self.badge.set_full_text(self._proof)
        if self._crowded:
            self.badge.set_full_text(self._proof.partition(" · ")[0])
        if self._crowded:
            self.name.setMaximumWidth(self.width() // 3)
        if self._crowded and self._proof.startswith(_PROVED):
            self.badge.set_full_text(_PROVED, _PROVED)  # there is always room for this
        self.badge.set_tip(self.tr("{proof}. Click to see why.").format(proof=self._proof))
        self.badge.setAccessibleName(self._proof)
        self._row.activate()  # not even for a frame is a text cut to the room of the one before

    def set_busy(self, words: str, button: str) -> None:
        """Show the current computation, with a button next to it, or nothing."""
        if self.result.set_busy(words, button):
            self._show_result()

    def set_account(self, words: str, tip: str, exceeded: bool) -> None:
        """Show the total ε of the designs that concern the same people; an empty text hides it."""
        self.account.setText(words)
        self.account.setToolTip(tip)
        self.account.setAccessibleName(tip)
        set_state(self.account, "state", "refuted" if exceeded else "open")
        self.account.setVisible(bool(words) and not self._presenting)
        self._fit()

    def set_proof(self, words: str) -> None:
        """Show another text for the proof, until the next summary."""
        self._proof = words
        self._fit()

    def set_presenting(self, on: bool) -> None:
        self.export.setVisible(not on)
        self.others.setVisible(self._several and not on)
        self._presenting = on
        self.account.setVisible(bool(self.account.text()) and not on)
        self._show_result()
        self._show_fields()
        self.set_scene("", "")

    def set_scene(self, title: str, number: str) -> None:
        """Show the title and number of a scene in place of the design's name; empty texts restore the name."""
        self.scene.set_full_text(title)
        self.number.setText(number)
        self.scene.setVisible(bool(title))
        self.number.setVisible(bool(number))
        self.name.setVisible(not title)
        self._show_line()
        self._fit()

    @property
    def _crowded(self) -> bool:
        """Whether there is too little room for everything."""
        return self._top.sizeHint().width() > self.width() - 2 * _BESIDE

    def _show_line(self) -> None:
        hidden = bool(self.scene.full_text)
        own = self._summary.line if self._fields is None or self._presenting else ""
        line = f"{self.name.full_text} · {self._summary.line}" if hidden else own
        ends = [match.start() for match in re.finditer(r" · | \(", line)]
        asked = [self._question] if self._question and not hidden else []
        levels = re.findall(r"ε [=≈] (?:ln )?[^ ,]+", own)[:1] if self._presenting else []  # is never cut for an audience
        self.line.set_full_text(*asked, line, *(line[:end] for end in reversed(ends)), *(levels or [""]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep room for the name, or the scene's title: if it is short, the line and the badge shrink first."""
        super().resizeEvent(event)
        self.name.keep(self.width() // 4)
        self.scene.keep(self.width() // 3)
        self.value_label.keep(self.width() // 6)
        self._fit()

    @Slot()
    def _restyle(self) -> None:
        look = theme().colours
        self.mark.setStyleSheet(f"background: {look.accent_soft}; color: {look.accent}; border-color: {look.accent};")
        self.scene.setFont(theme().font(TITLE, bold=True))
        self.number.setFont(theme().font(TITLE))
        self.result.restyle()

    @Slot()
    def edit_name(self) -> None:
        """Let the user edit the name in place."""
        self.editor.setText(self.name.full_text)
        self.editor.setMinimumWidth(max(240, self.name.width() + 32))
        self.name.hide()
        self.editor.show()
        self.editor.selectAll()
        self.editor.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Rename on a double click, keep the old name on Esc; a click on the badge asks why."""
        if watched is self.name and isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            self.edit_name()
            return True
        if watched is self.badge and event.type() == QEvent.Type.MouseButtonPress:
            self.whyRequested.emit()
            return True
        if watched is self.editor and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # it is announced first; if the name were left then, the window would get it and stop a computation
            if event.type() == QEvent.Type.KeyPress:
                self._keep()
            return True
        return super().eventFilter(watched, event)

    @Slot()
    def _open_designs(self) -> None:
        self._designs.popup(self.others.mapToGlobal(self.others.rect().bottomLeft()))

    def _keep(self) -> None:
        self.editor.setText(self.name.full_text)
        self._finish()

    @Slot()
    def _finish(self) -> None:
        if self.editor.isHidden():
            return
        name = self.editor.text().strip()
        self.editor.hide()
        self.name.setVisible(not self.scene.full_text)
        if name and name != self.name.full_text:
            self.renamed.emit(name)
