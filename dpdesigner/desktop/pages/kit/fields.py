"""Declared inputs as cards: a field for each kind of input, which shows the value of a design and requests changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QSizePolicy, QWidget

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.prior import Prior
from dpdesigner.desktop.background.tables import chosen_table
from dpdesigner.desktop.base.controls import NameBox, named, push_button, together, value_box, wrapped
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.base.layouts import FittedWidget, WrapLayout, column_of, row_of, styled
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.desktop.pages.kit.field import ColumnField, Field
from dpdesigner.errors import InputError
from dpdesigner.studies.base import Typed
from dpdesigner.studies.column_inputs import ColumnInput
from dpdesigner.studies.data_inputs import FILE, TableInput
from dpdesigner.studies.fields import DeclaredInput
from dpdesigner.studies.input_kinds import ChoiceInput, DistributionInput, Input, TextInput, TextLike
from dpdesigner.studies.number_inputs import PrivacyInput, Range, epsilon_of
from dpdesigner.studies.study import Study

_WIDE = 16  # characters of a choice that are always seen


class NumberField(Field):
    """A slider with words at its ends, a box for the number, and suggested values."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked, foldable=True)
        self.range: Range[Any] = asked.input  # type: ignore[assignment]  # the table below says so
        steps, name = self.range.steps, self.accessibleName()
        self.slider = GestureSlider(steps, fine=1, coarse=max(steps // 30, 1))
        self.slider.setAccessibleName(name)
        self.slider.moving.connect(self._slide)
        self.slider.moved.connect(self._settle)
        self.slider.cancelled.connect(self.cancelled)
        tip = self.tr("From {low} to {high}").format(low=self.range.low, high=self.range.high)
        self.box = value_box("0.12345678", self.tr("{name}, the number").format(name=name), tip, self._given)
        self.slider.says = self.box.text
        tries = [(str(value), str(value)) for value, _ in self.range.try_]
        self.tries = self._choices(tries, self._given)
        for value, words in self.range.try_:
            button = self.tries[str(value)]
            button.setToolTip(translated(words))
            button.setCheckable(True)
            button.clicked.connect(lambda _, button=button: button.setChecked(True))  # also a second press, which changes nothing
        symbol = f"{self.range.symbol} =" if self.range.symbol else ""
        self._row = wrapped(named(symbol, self.box), *self.tries.values()) if self.tries else self.box
        ends = wrapped(*(styled("small", translated(end)) for end in self.range.ends), gap=4, spread=True)
        if not any(self.range.ends):
            ends.hide()
        if self.tries:
            self.add(self.slider)
            self.add(ends)
            self.add(self._row)
        else:  # the box beside the slider
            line = QWidget()
            row_of((self.slider, 1), self.box, on=line, gap=10)
            self.add(line)
            self.add(ends)

    def show_value(self, value: Any) -> None:
        self.slider.show_value(round(self.range.place(value) * self.slider.maximum()))
        for text, button in self.tries.items():
            button.setChecked(text == self.range.text(value))
        if self.box is not None:
            self.box.show_value(self.range.text(value))

    def set_presenting(self, on: bool) -> None:
        self._row.setVisible(not on)

    @Slot(int)
    def _slide(self, step: int) -> None:
        self.changing.emit(self.range.at(step / self.slider.maximum()))

    @Slot(int)
    def _settle(self, step: int) -> None:
        self._given(self.range.at(step / self.slider.maximum()))


class ChoiceField(Field):
    """A button for each choice."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked, foldable=True)
        options: tuple[tuple[str, str], ...] = asked.input.options  # type: ignore[attr-defined]  # the table below says so
        self.buttons = self._choices([(value, translated(words)) for value, words in options], self._choose)
        for value, button in self.buttons.items():
            button.setCheckable(True)
            button.setToolTip(translated(asked.input.tips.get(value, "")))  # type: ignore[attr-defined]
        self.add(wrapped(*self.buttons.values(), gap=4))
        self._value = ""

    def show_value(self, value: Any) -> None:
        self._value = value
        for key, button in self.buttons.items():
            button.setChecked(key == value)

    def _choose(self, value: str) -> None:
        if value == self._value:
            self.show_value(value)
        else:
            self._given(value)


class TextField(Field):
    """A line of text, which may name a file with a table."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked, foldable=True)
        self.box = value_box("0" * 20, self.accessibleName(), self.tip, self._given)
        self.box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._invented, self._more = (form.invented, form.more) if isinstance(form := asked.input, TableInput) else (None, "")
        tip = self.tr("Read a table from a file")
        self._file = push_button(self.tr("File…"), tip, self.choose_file, checkable=self._invented is not None)
        if self._invented is None:
            row, examples = QWidget(), asked.input.examples if isinstance(asked.input, TextLike) else ()
            preset = push_button(self.tr("Preset"), self.tr("Start with an example"), lambda: None)
            menu = QMenu(preset)
            for value, words in examples:
                menu.addAction(f"{translated(words)}\t{value}").triggered.connect(partial(self._take, value))
            preset.setMenu(menu)
            row_of((self.box, 1), self._file, preset, on=row)
            preset.setHidden(not examples)
            self.add(row)
        else:  # a button in place of the word for it; the box is for a path
            value, words = self._invented
            self.own = self._choices([(value, translated(words))], self._invent, self.tip)[value]
            self.own.setCheckable(True)
            self.add(wrapped(self.own, self._file, gap=4))
            self.add(self.box)
        self._file.setHidden(not isinstance(asked.input, TableInput))  # in the row: else it would open as a window

    def _take(self, value: str, checked: bool = False) -> None:
        self._given(value)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        if self._invented is not None and self.box is not None:
            invented = isinstance(value, str) and value == self._invented[0]
            self.own.setChecked(invented)
            self._file.setChecked(isinstance(value, str) and value.startswith(FILE))
            self.box.setHidden(invented)

    def _invent(self, value: str) -> None:
        if self.own.isChecked():  # it was not
            self._given(value)
        self.own.setChecked(True)

    @Slot()
    def choose_file(self) -> None:
        self._file.toggle()  # back: it is chosen once there is a file
        if path := chosen_table(self.words, self, more=self._more):
            self._given(f"{FILE} {path}")

    def set_presenting(self, on: bool) -> None:
        self._file.setVisible(not on and isinstance(self.asked.input, TableInput))
        if self.box is not None:
            self.box.setReadOnly(on)


class PrivacyField(Field):
    """A privacy level with the control used on every page."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        self.set_word(translated(asked.term) or self.tr("ε"))
        self.control = PrivacyControl(target=False)
        if isinstance(asked.input, PrivacyInput) and asked.input.high != "inf":
            self.control.set_ends(asked.input.low, asked.input.high)
        self.control.changing.connect(self.changing)
        self.control.changed.connect(self.changed)
        self.control.cancelled.connect(self.cancelled)
        self.add(self.control)
        self.box, self.error = self.control.epsilon_box, self.control.error_label

    def show_value(self, value: PrivacyLevel) -> None:
        self.control.set_privacy(value)

    def set_presenting(self, on: bool) -> None:
        self.control.set_presenting(on)


class EpsilonField(PrivacyField):
    """A privacy level for an input that is an epsilon."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        self.control.leave_alpha_out()
        self.control.changing.disconnect()
        self.control.changed.disconnect()
        self.control.changing.connect(lambda level: self.changing.emit(epsilon_of(level)))
        self.control.changed.connect(lambda level, words: self.changed.emit(epsilon_of(level), words))

    def show_value(self, value: Any) -> None:
        self.control.set_privacy(PrivacyLevel.from_epsilon(value))


class DistributionField(Field):
    """The editor for drawing priors."""

    stretch = 1

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked, flexible=True)
        self.set_word(self.tr("drag to paint"))
        self.editor = DistributionEditor()
        self.editor.setAccessibleName(self.accessibleName())
        self.editor.changing.connect(self.changing)
        self.editor.changed.connect(self.changed)
        self.editor.cancelled.connect(self.cancelled)
        self.editor.pinRequested.connect(self._pin)
        self._value: Prior | None = None
        self._pinned: list[tuple[str, Any]] = []
        self.add(self.editor, 1)

    def show_value(self, value: Prior) -> None:
        """Show a distribution; remove one pinned over another range."""
        before, self._value = self._value, value
        if before is not None and before.n != value.n:
            self._pinned.clear()
            self.editor.plot.set_pinned([])
        self.editor.set_prior(value)

    def set_presenting(self, on: bool) -> None:
        self.editor.set_presenting(on)

    @Slot()
    def _pin(self) -> None:
        if self._value is not None:
            self._pinned = [*self._pinned[-2:], (self._value.title, self._value.probabilities)]
            self.editor.plot.set_pinned(self._pinned)


class DesignsButton(QPushButton):
    """A menu of the open designs of some kinds.

    Parameters
    ----------
    text, tip : str
    kinds : sequence of str
    none : str
        What the menu says if there are none.
    """

    chosen = Signal(object)  #: the study of a design

    def __init__(self, text: str, tip: str, kinds: Sequence[str], none: str) -> None:
        super().__init__(text)
        self._kinds, self._none, menu = kinds, none, QMenu(self)
        self.setToolTip(tip)
        menu.aboutToShow.connect(partial(self._fill, menu))
        self.setMenu(menu)
        self.designs: Callable[[], Sequence[tuple[str, Study]]] = tuple  #: titles and studies of the open designs

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        for title, study in self.designs():
            if study.kind in self._kinds:
                menu.addAction(title).triggered.connect(lambda checked=False, study=study: self.chosen.emit(study))
        if not menu.actions():
            menu.addAction(self._none).setEnabled(False)


class JoinedField(Field):
    """A name and a box, or a list of choices, in the card of another field, which shows errors."""

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        set_class(self, "")
        self._heading.hide()
        self._word.hide()
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        label, term = translated(asked.label), translated(asked.term)
        words = QLabel(label)
        self._list: NameBox | None = None
        wide = isinstance(asked.input, ChoiceInput | TextInput)
        if isinstance(asked.input, ChoiceInput):
            chosen = self._list = NameBox()
            part: QWidget = chosen
            for value, text in asked.input.options:
                chosen.addItem(translated(text), value)
            chosen.setMinimumContentsLength(_WIDE)
            chosen.setAccessibleName(label)
            chosen.activated.connect(lambda: self._given(chosen.currentData()))
        else:
            name = label if wide else self.tr("{name}, the number").format(name=label)
            tip = self.tip or (f"{label}: {term}" if term else label)
            part = self.box = value_box("0" * 20 if wide else "1000000", name, tip, self._given)
        words.setBuddy(part)
        self.add(together(words, part))
        for each in (self, part):
            each.setSizePolicy(QSizePolicy.Policy.Expanding if wide else QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        if self._list is not None:
            self._list.setCurrentIndex(self._list.findData(value))


class TypedLook(QWidget):
    """A box with what the view shows in words; other words stay as they are typed and turn the view, or are refused below."""

    wanted = Signal(dict)  #: values of the view
    mended = Signal(object, str)  #: another design, with which the words are taken, and its name

    def __init__(self, typed: Typed) -> None:
        super().__init__()
        self._typed, self._design, self._text, self._error = typed, None, "", ErrorLine()
        self.refuses, self._again = self._error.said, ""  # words to take once there is another design
        self._written = "", ""  # what the view shows, and how the user wrote it
        name = translated(typed.label)
        self._box = value_box("0" * 16, name, "", self._take)
        self._box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column_of(row_of(QLabel(name), (self._box, 1)), self._error, on=self)

    def show_look(self, answer: Any, view: Mapping[str, Any]) -> None:
        """Show the view of an answer in words; words refused for another design are tried again."""
        text, other = translated(self._typed.text(answer, view)), self._design != answer.design
        refused = self._again or ("" if self._error.isHidden() else self._box.text())
        if refused and not other and text == self._text:
            return  # they stay
        self._design, self._text, self._again = answer.design, text, ""
        self._error.clear()
        self._box.show_value(self._written[1] if text == self._written[0] else text)
        if refused and other:
            with suppress(InputError):
                self.wanted.emit(self._typed.read(self._design, refused))

    def _take(self, words: str) -> None:
        try:
            looked = self._typed.read(self._design, words)
        except InputError as error:
            self._error.set_error(error, self._box)
            with suppress(InputError):
                if mend := self._typed.mend(self._design, words):
                    self._error.set_remedy(str(error), translated(mend[0]), partial(self._mend, words, *mend))
        else:
            self._error.clear()
            self.wanted.emit(looked)
            self._written = self._text, words
            self._box.show_value(words)

    def _mend(self, words: str, name: str, design: Any) -> None:
        self._again = words
        self.mended.emit(design, translated(name))


class JoinedRow(FittedWidget):
    """The fields that share a card."""

    def __init__(self) -> None:
        super().__init__()
        self._row = WrapLayout(self, gap=6)

    def add(self, field: JoinedField) -> None:
        """Put a field behind the others."""
        self._row.addWidget(field)


_FIELDS: dict[type[Input[Any]], type[Field]] = {
    Range: NumberField,
    ChoiceInput: ChoiceField,
    TextInput: TextField,
    TextLike: TextField,
    ColumnInput: ColumnField,
    PrivacyInput: PrivacyField,
    DistributionInput: DistributionField,
}


def field_of(asked: DeclaredInput) -> Field:
    """Return the field of an input: a line of text if its kind has no other field."""
    return next((made for kind, made in _FIELDS.items() if isinstance(asked.input, kind)), TextField)(asked)
