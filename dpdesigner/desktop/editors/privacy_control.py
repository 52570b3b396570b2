"""The control of the privacy level: a slider, two exact boxes, four buttons, a bet and a word; an expected loss to aim for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesigner.core.basics.level import ZONE_LIMITS, PrivacyLevel
from dpdesigner.core.basics.parsing import Number, cut, exact
from dpdesigner.core.basics.rounding import brief, figure
from dpdesigner.desktop.base.controls import ValueBox, named
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.base.labels import SLACK, ErrorLine, SentenceLabel
from dpdesigner.desktop.base.layouts import FittedWidget, WrapLayout, column_of, flow_of, sign, styled
from dpdesigner.desktop.base.theme import set_class, theme
from dpdesigner.desktop.base.translation import tr, translated
from dpdesigner.desktop.editors.odds import (
    SLIDER_STEPS,
    alpha_text,
    bet,
    bet_with_delta,
    figures,
    slider_epsilon,
    slider_step,
    spoken_epsilon,
    zone_word,
    zone_words,
    zones_explained,
)
from dpdesigner.desktop.editors.privacy_target import PrivacyTarget
from dpdesigner.errors import InputError


class DeltaRow(FittedWidget):
    """The row for delta, hidden until there is one, even 0. It requests changes and computes nothing."""

    changed = Signal(object)  #: the typed text, or None if the cross was pressed
    furtherChanged = Signal(object)  #: additional pairs, or ``"gaussian:1"``

    def __init__(self) -> None:
        super().__init__()
        self.box = ValueBox("0.000001")
        self.box.setAccessibleName(self.tr("Delta, not covered by epsilon"))
        self.box.setToolTip(self.tr("At least 0 and below 1: 0.01 or 1/1000"))
        self.box.committed.connect(lambda text: self.changed.emit(text))
        self.box.abandoned.connect(self.clear)
        self.further = ValueBox("ln 5, 0.001; gaussian:1")
        self.further.setAccessibleName(self.tr("Further levels"))
        self.further.setToolTip(self.tr("Further pairs of ε and δ that hold: ln 5, 0.001; 3, 1e-6. Or gaussian:1"))
        self.further.committed.connect(self._read)
        self.further.abandoned.connect(self.clear)
        self._also = named(self.tr("and also"), self.further, gap=4)
        self.more = sign("⋯", self.tr("Several levels"), self.tr("Several pairs at once, or Gaussian privacy"), self._open)
        self._close = sign("×", self.tr("Remove delta"), self.tr("Remove δ: ε covers everything"), self._remove)
        self._words = styled("small")
        self._error = ErrorLine()
        first = flow_of(named(self.tr("δ"), self.box, gap=4), self._close, self._words, gap=4)
        column_of(first, self._also, self._error, on=self, gap=2)
        self._also.hide()
        self.hide()

    def show_delta(self, delta: Number | None) -> None:
        """Show a valid delta, or nothing."""
        self.clear()
        self.setHidden(delta is None)
        if delta is None:
            self.box.show_value("")
        else:
            self.box.show_value(str(delta).strip())
            self._words.setText(in_words(exact(delta)))

    def show_further(self, further: str | Sequence[tuple[Number, Number]]) -> None:
        """Show further guarantees, if any; the delta of Gaussian privacy follows from epsilon."""
        text = further if isinstance(further, str) else "; ".join(f"{one}, {other}" for one, other in further)
        self.further.show_value(text)
        self._also.setVisible(bool(text))
        self.box.setEnabled(not isinstance(further, str))

    def show_error(self, error: InputError) -> None:
        """Show why a delta is invalid."""
        self._error.set_error(error, self.further if error.field == "privacy" else self.box)

    def _open(self) -> None:
        self._also.show()
        self.further.begin()

    def _read(self, text: str) -> None:
        text = text.strip()
        if text.startswith("gaussian"):
            self.furtherChanged.emit(text)
            return
        pairs = [tuple(part.strip() for part in pair.split(",")) for pair in text.split(";") if pair.strip()]
        if any(len(pair) != 2 for pair in pairs):
            words = self.tr("Further levels must be pairs like “ln 5, 0.001; 3, 1e-6”, or “gaussian:1”, got “{text}”.")
            self.show_error(InputError(words.format(text=cut(text)), "privacy"))
            return
        self.furtherChanged.emit(tuple(pairs))

    def clear(self) -> None:
        """Clear the error."""
        self._error.clear()

    def _remove(self) -> None:
        self.clear()
        self.changed.emit(None)


def in_words(delta: Fraction) -> str:
    """Return ``up to 1 in 100 is not covered by ε``; never an underestimate."""
    if not delta:
        return tr("ε covers everything")
    if delta > Fraction(1, 2):
        return tr("up to {percent}% is not covered by ε").format(percent=figure(100 * delta, 3))
    return tr("up to 1 in {times} is not covered by ε").format(times=brief(float(int(1 / delta))))


_PRESETS = {
    "0.1": PrivacyLevel.from_epsilon("0.1"),
    "ln 2": PrivacyLevel.from_epsilon("ln 2"),
    "1": PrivacyLevel.from_epsilon("1"),
    "ln 3": PrivacyLevel.from_epsilon("ln 3"),
}
#: An epsilon and a delta in one box.
_BOTH = re.compile(r"\s*([^,]+?)\s*,\s+([^,]+?)\s*")
_GAP = 3  # pixels between boxes and presets
_BAR = 12  # pixels of a scroll bar, with a little to spare
#: The presets to hide if there is no room, in this order; never the one in use, and never all.
_LEFT_OUT = ("0.1", "ln 3", "1", "ln 2")


class PrivacyControl(FittedWidget):
    """An editor of a `PrivacyLevel`. It shows the level passed to `set_privacy`, requests changes and computes nothing else.

    Parameters
    ----------
    target : bool
        Whether an expected loss can be aimed for.
    delta : bool
        Whether there can be a delta.
    """

    changing = Signal(object)  #: a PrivacyLevel to preview while the slider moves
    changed = Signal(object, str)  #: a PrivacyLevel, and the label of the undo step
    cancelled = Signal()  #: the slider drag was cancelled with Esc; the previous level is in force again
    bothTyped = Signal(str, str)  #: an epsilon and a delta were typed into the epsilon box: ``ln 2, 0.01``

    def __init__(self, target: bool = True, delta: bool = False) -> None:
        super().__init__()
        self.delta = DeltaRow() if delta else None
        self._uncovered = Fraction(0)
        self._won: Fraction | float | None = None
        self._rows = 0
        self._aims = target
        self._level = _PRESETS["ln 2"]
        self._attained: PrivacyLevel | None = None
        self._of_what, self._word = "", "{word}"
        self._shown = self._level
        self.slider = GestureSlider(SLIDER_STEPS, fine=1, coarse=SLIDER_STEPS // 30)
        self.epsilon_box = ValueBox("0.693148")
        self.alpha_box = ValueBox("0.3678")
        #: replaces the error of a typed level by one that suggests a level that the page allows
        self.mended: Callable[[InputError], InputError] = lambda error: error
        self._head: ValueBox | None = None
        self._head_error: ErrorLine | None = None
        self._typing: tuple[ValueBox, str] | None = None  # while what was typed is asked for
        self._terse = False
        self.row = self.tr("row"), self.tr("rows")  #: what a bet is on, one and several
        #: makes a sentence about several rows or releases at a level and a delta
        self.several: Callable[[PrivacyLevel, Fraction], str] | None = None
        self._unproved = ""
        self.zone_label = QLabel()
        self.odds_label = SentenceLabel("small")
        self.error_label = ErrorLine()
        self.error_label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.target = PrivacyTarget(risks=delta)  #: a target expected loss or risk
        self.presets: dict[str, QPushButton] = {}
        self._build()
        self.target.setVisible(target)
        self._connect()
        self.set_privacy(self._level)

    def set_privacy(self, level: PrivacyLevel) -> None:
        """Show a level; emit nothing."""
        if not self.slider.busy:
            if level != self._level:
                self._clear_error()
            self._level = level
        self._show(level)

    def set_ends(self, low: Number, high: Number) -> None:
        """Let the slider stop at the least and the largest epsilon that are allowed."""
        steps = [step for step in range(SLIDER_STEPS + 1) if exact(low) <= exact(slider_epsilon(step)) <= exact(high)]
        self.slider.setRange(steps[0], steps[-1])
        ends = {"low": slider_epsilon(steps[0]), "high": slider_epsilon(steps[-1])}
        self.slider.setToolTip(self.tr("Epsilon from {low} to {high}, logarithmic.").format(**ends))

    def set_delta(self, delta: Number | None, won: Fraction | float | None = None, rows: int = 0) -> None:
        """Show the delta not covered by epsilon (None: no delta and no box), and how often a bet on one row is won at most."""
        if self.delta is not None:
            self.delta.show_delta(delta)
            uncovered = Fraction(0) if delta is None else exact(delta)
            if (uncovered, won, rows) != (self._uncovered, self._won, self._rows):
                self._uncovered, self._won, self._rows = uncovered, won, rows
                self._say_in_words(self._shown)

    def set_unproved(self, words: str) -> None:
        """Say this in place of the word for the level and of the bet, which would be false; empty: neither is."""
        self._unproved = words
        self._say_in_words(self._shown)

    def set_attained(self, level: PrivacyLevel | None, of_what: str = "", word: str = "{word}") -> None:
        """Describe a level that differs from the requested one, and what has that level; None: the requested one."""
        if (level, of_what, word) != (self._attained, self._of_what, self._word):
            self._attained, self._of_what, self._word = level, of_what, word
            self.slider.set_marks([slider_step(limit) for limit in ZONE_LIMITS] if level is None else [])
            self._say_in_words(self._shown)
            self._fit_ends()

    def show_error(self, error: InputError) -> None:
        """Show why a requested level is invalid, in place of the previous error; what was typed stays, to be mended."""
        box, text = self._typing or (self.epsilon_box, "")
        if text:
            box.setText(text)
        self._say(error, box)

    def head_box(self, error: ErrorLine) -> ValueBox:
        """Return another box for epsilon, for the header of a page; what is typed there and refused is said in this line."""
        self._head_error = error
        self._head = box = ValueBox("0.693148")
        self._describe(box, self.tr("Epsilon, the privacy level"), self.epsilon_box.toolTip())
        box.committed.connect(partial(self._read_epsilon, box))
        box.abandoned.connect(self._clear_error)
        box.show_value(spoken_epsilon(self._shown))
        return box

    def clear_errors(self) -> None:
        """Clear the error about a rejected level or target."""
        self._clear_error()
        self.target.message.clear()
        if self.delta is not None:
            self.delta.clear()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out presets, and the words at both ends, that would need a second row."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit_ends()
            self.fit_presets()

    def _fit_ends(self) -> None:
        """Show the words at both ends of the slider where there is room for them."""
        needed = sum(part.sizeHint().width() + _GAP for part in (self.zone_label, *self._ends)) - _GAP
        fits = needed <= self.width()
        self.zone_label.setAlignment(Qt.AlignmentFlag.AlignHCenter if fits else Qt.AlignmentFlag.AlignLeft)
        if fits == self._ends[0].isHidden():
            for end in self._ends:
                end.setVisible(fits)

    def fit_presets(self, spare: int = _BAR) -> None:
        """Show the presets that fit; a hidden one comes back only if so many pixels are left, as for a scroll bar."""
        buttons = list(self.presets.values())
        boxes = [item.sizeHint().width() for item in self._pairs if not item.isHidden()]
        room = self.width() - sum(boxes) - _GAP * len(boxes)
        for text in [text for text in _LEFT_OUT if not self.presets[text].isChecked()][:3]:
            needed = sum(button.sizeHint().width() + _GAP for button in buttons) - _GAP
            if needed + (spare if self.presets[text].isHidden() else 0) > room:
                buttons.remove(self.presets[text])
        for button in self.presets.values():
            button.setVisible(button in buttons)

    def leave_alpha_out(self) -> None:
        """Hide the box of alpha: the letter has another meaning on the page, or ε alone is enough there."""
        self._pairs[1].hide()

    def set_folded(self, on: bool) -> None:
        """Hide the bet in words where room is short; the word for the level then has it as its tooltip."""
        self._terse = on
        self._say_in_words(self._shown)

    def set_presenting(self, on: bool) -> None:
        """Hide the boxes and buttons while presenting; the slider stays."""
        self._boxes.setVisible(not on)
        if self.delta is not None:
            self.delta.setHidden(on or not self.delta.box.text())
        self.target.setVisible(self._aims and not on)

    def _say(self, error: InputError, box: ValueBox) -> None:
        """Show an error in place of the bet, so that no box moves away from under the mouse; one of the header's box, there."""
        self._clear_error()
        if box is self._head and self._head_error is not None:
            self._head_error.set_error(error, box)
            return
        if self.odds_label.isVisible():
            self.error_label.setMinimumHeight(self.odds_label.heightForWidth(self.odds_label.width()))
        self.error_label.set_error(error, box)
        self._show_odds()

    def _build(self) -> None:
        self.setAccessibleName(self.tr("How private"))
        self._describe(self.slider, self.tr("Privacy level epsilon"), self.tr("Epsilon from 0.01 to 10, logarithmic."))
        about = self.tr("At least 0: 0.7, 1/3, 20%, ln 2, or inf for no privacy.")
        self._describe(self.epsilon_box, self.tr("Epsilon"), about)
        self._describe(self.alpha_box, self.tr("Alpha"), "")
        self.slider.set_marks([slider_step(limit) for limit in ZONE_LIMITS])
        self.slider.says = self.slider.accessibleDescription
        set_class(self.zone_label, "heading")
        self.zone_label.setToolTip(zones_explained(self.delta is not None))
        words, self._boxes = self._words(), self._box_row()
        rows = (self._boxes, *([] if self.delta is None else [self.delta]))
        column_of(self.slider, words, *rows, self.error_label, self.odds_label, self.target, on=self, gap=4)

    @staticmethod
    def _describe(widget: QWidget, name: str, tip: str) -> None:
        widget.setAccessibleName(name)
        widget.setToolTip(tip)

    def _words(self) -> WrapLayout:
        self._ends = styled("small", self.tr("← private")), styled("small", self.tr("accurate →"))
        return flow_of(self._ends[0], self.zone_label, self._ends[1], gap=_GAP, spread=True)

    def _box_row(self) -> QWidget:
        boxes = FittedWidget()
        self._pairs = named(self.tr("ε"), self.epsilon_box, gap=4), named(self.tr("α"), self.alpha_box, gap=4)
        for text, level in _PRESETS.items():
            button = QPushButton(text, autoDefault=False)
            button.setCheckable(True)
            button.setStyleSheet("padding: 4px 4px;" if len(text) > 1 else "padding: 4px 7px;")  # 24 pixels wide at least
            self._describe(button, self.tr("Set epsilon to {value}").format(value=text), level.description)
            button.clicked.connect(partial(self._choose_preset, level))
            self.presets[text] = button
        flow_of(*self._pairs, *self.presets.values(), on=boxes, gap=_GAP, spread=True)
        return boxes

    def _connect(self) -> None:
        self.slider.moving.connect(self._preview)
        self.slider.moved.connect(self._settle)
        self.slider.cancelled.connect(self._give_up)
        self.alpha_box.committed.connect(self._read_alpha)
        self.epsilon_box.committed.connect(partial(self._read_epsilon, self.epsilon_box))
        for box in (self.epsilon_box, self.alpha_box):
            box.abandoned.connect(self._clear_error)
        self.error_label.installEventFilter(self)
        theme().follow(self._make_room)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the error of whoever shows it take the place of the bet, and show that again when it goes."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent) and watched is self.error_label:
            self._show_odds()
        return False

    @Slot()
    def _make_room(self) -> None:
        """Make the bet as high as an error with its button, and give each word for the level its room: nothing moves then."""
        self.odds_label.setMinimumHeight(self.error_label.fix.sizeHint().height())
        self.zone_label.ensurePolished()
        self.zone_label.setMinimumWidth(max(map(self.zone_label.fontMetrics().horizontalAdvance, zone_words())) + SLACK)

    def _show(self, level: PrivacyLevel) -> None:
        self.slider.show_value(slider_step(level.epsilon))
        for box in filter(None, (self.epsilon_box, self._head)):
            box.show_value(spoken_epsilon(level))
        self.alpha_box.show_value(alpha_text(level))
        for text, button in self.presets.items():
            button.setChecked(_same(level, _PRESETS[text]))
        self.fit_presets()
        self._shown = level
        self._say_in_words(level)
        tip = self.tr("Alpha = exp(−ε), from 0 to 1: 1/2, 0.3 or 20%. Now {figures}.")
        self.alpha_box.setToolTip(tip.format(figures=figures(level)))

    def _say_in_words(self, asked: PrivacyLevel) -> None:
        level = self._attained or asked
        word = zone_word(level, self._uncovered, self._won, self._rows)
        word = self._unproved or (word if self._attained is None else self._word.format(word=word))
        self.zone_label.setText(word)
        self.slider.setAccessibleDescription(f"{asked.description}, {word}")
        sentence = bet_with_delta(level, self._uncovered, self._won) if self._uncovered else bet(level, self.row)
        tips = [figures(level)]
        if self.several is not None and self._attained is None and 0 < level.alpha_below < 1:
            tips.append(translated(self.several(level, self._uncovered)).replace(" × ", "\u00a0×\u00a0"))
        if self._attained is not None:
            epsilon = figure(level.epsilon_above, 4)
            said = self.tr("{what} ε = {epsilon}. {sentence}")
            sentence = said.format(what=self._of_what, epsilon=epsilon, sentence=sentence)
        self.odds_label.setText("" if self._unproved else sentence)
        self._show_odds()
        self.odds_label.setToolTip("\n".join(tips))

    def _show_odds(self) -> None:
        refused = bool(self.error_label.text())
        self.odds_label.setVisible(not self._terse and not refused)
        self.zone_label.setEnabled(not refused)  # which is pale

    def _ask(self, level: PrivacyLevel) -> None:
        """Request a level, unless it is the current one."""
        self._clear_error()
        if level == self._level:
            self._show(level)
            return
        self._level = level
        self._show(level)
        symbol = "ε" if level.form == "epsilon" else "α"
        self.changed.emit(level, self.tr("Set {symbol} to {number}").format(symbol=symbol, number=level.number))

    def _choose_preset(self, level: PrivacyLevel, checked: bool = False) -> None:
        self._ask(level)

    @Slot(int)
    def _preview(self, step: int) -> None:
        self._clear_error()
        level = PrivacyLevel.from_epsilon(slider_epsilon(step))
        self._show(level)
        self.changing.emit(level)

    @Slot(int)
    def _settle(self, step: int) -> None:
        self._ask(PrivacyLevel.from_epsilon(slider_epsilon(step)))

    @Slot()
    def _give_up(self) -> None:
        self._show(self._level)
        self.cancelled.emit()

    def _read_epsilon(self, box: ValueBox, text: str) -> None:
        if self.delta is not None and (both := _BOTH.fullmatch(text)) is not None:
            self.bothTyped.emit(both[1], both[2])
            return
        try:
            self._typing = box, text
            self._ask(PrivacyLevel.from_epsilon(text.strip()))
        except InputError as error:
            self._say(self.mended(error), box)
        finally:
            self._typing = None

    @Slot(str)
    def _read_alpha(self, text: str) -> None:
        try:
            self._ask(PrivacyLevel.from_alpha(text.strip()))
        except InputError as error:
            self._say(self.mended(error), self.alpha_box)

    @Slot()
    def _clear_error(self) -> None:
        self.error_label.clear()
        if self._head_error is not None:
            self._head_error.clear()
        self._show_odds()


def _same(one: PrivacyLevel, other: PrivacyLevel) -> bool:
    """Return whether two levels are equally private, however they were entered."""
    return (one.exact_alpha, one.exact_epsilon) == (other.exact_alpha, other.exact_epsilon)
