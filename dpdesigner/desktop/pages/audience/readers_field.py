"""The readers as a list, and the selected one: their prior, their loss, and the error they can accept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QCheckBox, QListWidget, QListWidgetItem, QSizePolicy, QWidget

from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import cut, free_name
from dpdesigner.core.basics.prior import Prior
from dpdesigner.desktop.background.tables import cells_of, chosen_table
from dpdesigner.desktop.base.card import Card, Disclosure
from dpdesigner.desktop.base.controls import NameBox, ValueBox, named, push_button, value_box, wrapped
from dpdesigner.desktop.base.layouts import column_of, flow_of
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.loss_picker import LossPicker
from dpdesigner.desktop.pages.kit.field import Field
from dpdesigner.desktop.pages.kit.fields import DesignsButton
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.pages.kit.thumbnails import sketch
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.errors import InputError
from dpdesigner.studies.fields import DeclaredInput
from dpdesigner.studies.input_kinds import json_value
from dpdesigner.studies.inspect.audience_readers import ReaderSpec, readers_of
from dpdesigner.studies.plain_language import loss_words

_HIGH, _SEEN = 4, 12  # readers with two lines each, and readers visible without scrolling


def _as_json(given: Any) -> dict[str, Any]:
    """Return a prior from the editor as JSON values of a reader: the prior, and the data it was counted from."""
    source, given = (given.source, given.specification) if isinstance(given, Prior) else ("", given)
    return {"prior": given.tolist() if isinstance(given, np.ndarray) else json_value(given), "prior_source": source or None}


class _Rest(QWidget):
    """Parts of a reader that are shown on request where room is short."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        column_of(*parts, on=self, gap=6)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # widens no column before it folds
        self.disclosure = Disclosure()
        self.disclosure.toggled.connect(lambda _: self.set_folded(True))

    def set_folded(self, on: bool) -> None:
        self.disclosure.offer(self.tr("Loss, name, weight and target") if on else "")
        self.setVisible(not on or self.disclosure.isChecked())


class ReaderEditor(Card):
    """The selected reader. Every change maps keys of a reader to new values, or to None for keys to remove."""

    changing = Signal(dict)
    edited = Signal(dict, str)
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__(" ", flexible=True)
        self._spec = ReaderSpec("")
        self.typed: ValueBox | None = None  #: the box whose value is being requested
        name = self.tr("Name of the reader"), self.tr("Readers")
        self.name = value_box("0" * 14, *name, lambda text: self._take_typed({"name": text.strip()}, self.tr("Rename a reader")))
        self.prior = DistributionEditor()
        self.prior.setAccessibleName(self.tr("Prior of this reader"))
        self.prior.controls.pin.setVisible(False)
        self.loss = LossPicker()
        for editor, made in ((self.prior, _as_json), (self.loss, lambda given: {"loss": given})):
            editor.changing.connect(lambda given, made=made: self.changing.emit(made(given)))
            editor.changed.connect(lambda given, words, made=made: self.edited.emit(made(given), words))
            editor.cancelled.connect(self.cancelled)
        tip = self.tr("How often the loss of this reader counts in the weighted sum of all losses")
        self.weight = value_box("1000", self.tr("Weight"), tip, self._commit("weight", self.tr("Change a weight")))
        tip = self.tr("The largest expected loss that this reader accepts; empty for none")
        self.target = value_box("0.12345", self.tr("Target"), tip, self._commit("target", self.tr("Change a target")))
        self.cautious = QCheckBox(self.tr("cautious: no prior"))
        self.cautious.setToolTip(self.tr("No prior: this reader guards against the worst of several possible counts"))
        self.cautious.setMinimumHeight(24)
        self.cautious.clicked.connect(self._toggle)
        tip = self.tr("Possible counts: all, 4 to 14, or a list. Or candidate priors: binomial:1/4 | uniform")
        self.cases = value_box("0" * 14, self.tr("Possible counts or priors"), tip, self._take_cases)
        self.boxes = self.name, self.weight, self.target, self.cases
        self.cases.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.least = NameBox()
        self.least.setSizeAdjustPolicy(NameBox.SizeAdjustPolicy.AdjustToContents)
        self.least.setAccessibleName(self.tr("What this reader keeps small in the worst case"))
        self.least.addItem(self.tr("keep the loss small"), "minimax")
        self.least.addItem(self.tr("keep the regret small"), "minimax_regret")
        self.least.setToolTip(self.tr("Regret: how much more the reader loses than with the true prior, read optimally"))
        self.least.activated.connect(lambda place: self._guard(self.least.itemData(place)))
        self.others = push_button(self.tr("Priors of others"), self.tr("The priors of all other readers"), self._take_others)
        self.believers = list[ReaderSpec]()  #: the other readers that have a prior
        self._cases_row = QWidget()
        flow_of(named(self.tr("possible:"), self.cases), self.least, self.others, on=self._cases_row, gap=4)
        boxes = named(self.tr("name"), self.name), named(self.tr("target"), self.target)
        self.rest = _Rest(self.loss, wrapped(*boxes, named(self.tr("importance (weight)"), self.weight), self.cautious))
        self.add(self.prior, 1)
        self.add(self._cases_row)
        self.add(self.rest.disclosure)
        self.add(self.rest)

    def go_to(self, box: ValueBox) -> None:
        self.rest.disclosure.setChecked(True)
        box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_reader(self, spec: ReaderSpec, n: int, old: int) -> None:
        """Show a reader of a count over 0..n without emitting a signal; one over 0..old is cut."""
        self._spec, spec = spec, spec.fitted(n, old)
        self.set_heading(spec.name)
        self.name.show_value(spec.name)
        self.weight.show_value(str(spec.weight))
        self.target.show_value("" if spec.target is None else str(spec.target))
        self.cautious.setChecked(cautious := bool(spec.caution))
        self.prior.setHidden(cautious)
        self.set_word("" if cautious else self.tr("prior · drag to paint"))
        self._cases_row.setVisible(cautious)
        if cautious:
            self.cases.show_value(self._spec.cases_over(n, old))
            self.least.setCurrentIndex(self.least.findData(spec.way))
        try:
            reader = spec.reader(n)
        except InputError:
            return  # the list of readers reports the error
        if not cautious:
            self.prior.set_prior(reader.prior, self._spec.reader(old).prior if n < old and spec is not self._spec else None)
        self.loss.setVisible(isinstance(spec.loss, Loss))
        if isinstance(spec.loss, Loss):
            self.loss.set_loss(spec.loss, n)

    def _commit(self, key: str, words: str) -> Callable[[str], None]:
        return lambda text: self._take_typed({key: text.strip() or None}, words)

    def _take_typed(self, changes: dict[str, Any], words: str) -> None:
        """Request a typed change; an error that results is shown here, next to its box."""
        self.typed = next((box for box in self.boxes if box.hasFocus() or box.isModified()), None)
        self.edited.emit(changes, words)
        self.typed = None

    def _take_cases(self, text: str) -> None:
        source = self._spec.source if self._spec.priors and "|" in text else None  # of candidates that were counted
        self._take_typed({self._spec.way: text.strip() or None, "prior_source": source}, self.tr("Change the possible counts"))

    def _guard(self, way: str) -> None:
        changes = {"minimax": None, "minimax_regret": None, way: self._spec.to_json()[self._spec.way]}
        self.edited.emit(changes, self.tr("Change the worst case"))

    def _take_others(self) -> None:
        source = cut(", ".join({each.source: None for each in self.believers if each.source}), 400)
        changes = {self._spec.way: {"priors": [each.to_json()["prior"] for each in self.believers]}, "prior_source": source}
        self.edited.emit(changes, self.tr("Change the possible counts"))

    @Slot(bool)
    def _toggle(self, on: bool) -> None:
        changes = {"minimax": "all", "prior": None} if on else {"minimax": None, "minimax_regret": None, "prior": "uniform"}
        words = self.tr("Make the reader cautious") if on else self.tr("Give the reader a prior")
        self.edited.emit({**changes, "prior_source": None}, words)


class ReadersField(Field):
    """All readers in a list; the selected one is edited in a separate card, `editor`."""

    chosen = Signal(int)  #: another reader is selected

    def __init__(self, asked: DeclaredInput) -> None:
        super().__init__(asked)
        self.editor = ReaderEditor()
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Readers"))
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._choose)
        self.list.itemActivated.connect(lambda item: self.editor.go_to(self.editor.name))
        none, tip = self.tr("No open Count design"), self.tr("Prior and loss of an open Count design")
        self.designs = DesignsButton(self.tr("From Count"), tip, ("count",), none)
        self.designs.chosen.connect(self.take_design)
        self.remove = push_button(self.tr("Remove"), self.tr("Remove the selected reader"), self._remove)
        self._buttons = QWidget()
        flow_of(
            push_button(self.tr("Add"), self.tr("Another reader"), self.add_reader),
            self.remove,
            self.designs,
            push_button(self.tr("CSV…"), self.tr("Readers in a file: name, prior, loss, weight, target"), self._open),
            on=self._buttons,
            gap=4,
        )
        self.add(self.list)
        self.add(self._buttons)
        self._specs: tuple[ReaderSpec, ...] = ()
        self._ranges, self.place = (20, 20), 0
        self.editor.changing.connect(lambda changes: self.changing.emit(self._with(changes)))
        self.editor.edited.connect(lambda changes, words: self.changed.emit(self._with(changes), words))
        self.editor.cancelled.connect(self.cancelled)
        theme().changed.connect(self._refill)

    def show_value(self, value: Any) -> None:
        self._specs = value
        self.remove.setEnabled(len(value) > 1)
        self._refill()

    def show_line(self, value: Any) -> None:
        super().show_line(value)
        for box in self.editor.boxes:  # a refused text goes with its error
            box.show_value(box.value)

    def show_range(self, n: int, old: int) -> None:
        if (n, old) != self._ranges:
            self._ranges = n, old
            self._refill()

    def select(self, place: int) -> None:
        self.place = min(max(place, 0), len(self._specs) - 1)
        if self._specs:
            with QSignalBlocker(self.list):
                self.list.setCurrentRow(self.place)
            self.editor.show_reader(own := self._specs[self.place], *self._ranges)
            self.editor.believers = [spec.fitted(*self._ranges) for spec in self._specs if spec != own and not spec.caution]

    def set_presenting(self, on: bool) -> None:
        self._buttons.setVisible(not on)
        self.editor.setVisible(not on)

    def show_error(self, error: InputError) -> None:
        """Show an error: below the box with the typed value, otherwise below the list."""
        box = self.editor.typed
        line = self.error if box is None else self.editor.error
        if error.suggestion:
            mend = partial(self.changed.emit, error.suggestion, self.tr("Fix the readers"))
            line.set_remedy(str(error), self.tr("Fix"), mend)
            if box is not None:
                box.set_invalid(True)
        else:
            line.set_error(error, box)

    @Slot()
    def _refill(self) -> None:
        low = len(self._specs) > _HIGH  # one line for each, so that the column alone scrolls
        size, high = QSize(round(px(56)), round(px(15 if low else 26))), round(px(17 if low else 28))
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.setIconSize(size)
            for spec in self._specs:
                words = self.tr("{loss}, cautious: {cases}") if spec.caution else "{loss}"
                loss = words.format(loss=translated(loss_words(spec.loss)), cases=spec.cases_over(*self._ranges))
                weight = "" if str(spec.weight) == "1" else self.tr(" · weight {weight}").format(weight=spec.weight)
                text = f"{spec.name}{' · ' if low else chr(10)}{loss}{weight}"
                item = QListWidgetItem(QIcon(self._thumbnail(spec, size)), text, self.list)
                item.setSizeHint(QSize(1, high := max(self.list.sizeHintForRow(0), high)))  # longer texts are elided
            self.list.setFixedHeight(high * min(len(self._specs), _SEEN) + 4)
        self.select(self.place)

    def _thumbnail(self, spec: ReaderSpec, size: QSize) -> QPixmap:
        try:
            weights = spec.fitted(*self._ranges).reader(self._ranges[0]).beliefs.max(axis=0)[None]
        except InputError:
            weights = None
        return sketch(Portrait({}, matrix=weights), size, self.devicePixelRatioF(), "quiet")

    def _with(self, changes: dict[str, Any]) -> list[dict[str, Any]]:
        readers, (n, old) = [spec.to_json() for spec in self._specs], self._ranges
        if n != old and changes.get("prior"):  # what is painted over the counts of a table leaves those above as they are
            changes = {**changes, "prior": json_value(self._specs[self.place].painted(changes["prior"], n, old))}
        changed = {**readers[self.place], **changes}
        readers[self.place] = {key: value for key, value in changed.items() if value is not None}
        return readers

    @Slot(int)
    def _choose(self, place: int) -> None:
        if place >= 0:
            self.error.clear()
            self.select(place)
            self.chosen.emit(place)

    @Slot()
    def add_reader(self) -> None:
        self._add({"prior": "uniform", "loss": "absolute"}, self.tr("Reader"))

    def _add(self, reader: dict[str, Any], name: str) -> None:
        free = free_name(name, {spec.name for spec in self._specs})
        self.place = len(self._specs)
        self.changed.emit([*(spec.to_json() for spec in self._specs), {"name": free, **reader}], self.tr("Add a reader"))
        self.chosen.emit(self.place)

    @Slot()
    def _remove(self) -> None:
        self.changed.emit([*self._specs[: self.place], *self._specs[self.place + 1 :]], self.tr("Remove a reader"))

    def take_design(self, study: Any) -> None:
        """Add the user of a count design as a reader; weights of a prior over another range stay at their counts."""
        prior, loss = study.prior.resized(self._ranges[0]), study.loss.specification
        self._add({**_as_json(prior), "loss": json_value(loss)}, (study.name or self.tr("Reader")).replace("/", " "))

    @Slot()
    def _open(self) -> None:
        if path := chosen_table(self.tr("Readers: name, prior, loss, weight, target"), self):
            with self.error.saying():
                readers = readers_of(cells_of(path, self), Path(path).name)
                self.place = 0
                self.changed.emit(readers, self.tr("Readers from a file"))
                self.chosen.emit(0)
