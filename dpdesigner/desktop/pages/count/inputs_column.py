"""The left of the count page: what the user believes, what an error costs, how private it must be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QInputDialog, QWidget

from dpdesigner.core.numbers.given import exact, whole
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.weights import Weights
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnLayout
from dpdesigner.desktop.widgets.base.value_box import ValueBox
from dpdesigner.desktop.widgets.distribution.editor import DistributionEditor
from dpdesigner.desktop.widgets.loss.picker import LossPicker
from dpdesigner.desktop.widgets.privacy.control import PrivacyControl
from dpdesigner.desktop.work.tables import chosen_table, columns_of, counts_of, losses_of
from dpdesigner.desktop.work.waiting import waited
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.count.design import CountDesign

Floats = NDArray[np.float64]
Value = TypeVar("Value")

#: Larger designs are opened, but not made here.
_LARGEST_TYPED = 1_000_000

#: A design with more bars takes longer to check than a frame lasts.
_LARGEST_PREVIEWED = 100_000

#: Of more weights that were given as doubles, no texts are made: they are shown from their doubles.
_MOST_TEXTS = 2000


class InputsColumn(QWidget):
    """Three cards that show a design and ask for another."""

    previewed = Signal(object)
    changed = Signal(object, str)
    previewCancelled = Signal()
    targetWanted = Signal(float, bool)  #: an expected loss to reach; whether the drag has ended
    countSelected = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._design: CountDesign | None = None
        self._pinned: list[tuple[str, Floats]] = []
        layout = ColumnLayout(self)
        layout.addWidget(self._prior_card(), 1)
        layout.addWidget(self._loss_card())
        layout.addWidget(self._privacy_card())

    @property
    def prior(self) -> DistributionEditor:
        """The editor of the prior, to be drawn."""
        return self._editor

    def _prior_card(self) -> Card:
        self._beliefs = Card(self.tr("What you believe"), flexible=True)
        self._beliefs.set_word(self.tr("prior, 0 to n ="), self.tr("n ="))
        self._n = ValueBox("1000000")
        self._n.setAccessibleName(self.tr("n, the largest count"))
        self._n.setToolTip(self.tr("n, the number of rows: the count is between 0 and n. Changing it stretches a drawn prior"))
        self._n.committed.connect(self._change_n)
        self._beliefs.header.addWidget(self._n)
        self._editor = DistributionEditor()
        self._editor.changing.connect(self._preview_prior)
        self._editor.changed.connect(self._change_prior)
        self._editor.cancelled.connect(self.previewCancelled)
        self._editor.presetChosen.connect(self._choose_preset)
        self._editor.pinRequested.connect(self._pin)
        self._editor.csvRequested.connect(self._open_counts)
        self._editor.pasted.connect(self._paste)
        self._editor.selected.connect(self.countSelected)
        self._beliefs.add(self._editor, 1)
        return self._beliefs

    def _loss_card(self) -> Card:
        self._loss_sheet = Card(self.tr("What an error costs you"), self.tr("loss"))
        self._loss = LossPicker()
        self._loss.changing.connect(self._preview_loss)
        self._loss.changed.connect(self._change_loss)
        self._loss.cancelled.connect(self.previewCancelled)
        self._loss.matrixRequested.connect(self._open_matrix)
        self._loss_sheet.add(self._loss)
        return self._loss_sheet

    def _privacy_card(self) -> Card:
        self._level = Card(self.tr("How private"), self.tr("privacy level ε"))
        self._privacy = PrivacyControl()
        self._privacy.changing.connect(self._preview_privacy)
        self._privacy.changed.connect(self._change_privacy)
        self._privacy.cancelled.connect(self.previewCancelled)
        self._privacy.targetCancelled.connect(self.previewCancelled)
        self._privacy.targetChanging.connect(self._aim)
        self._privacy.targetChanged.connect(self._aim_finally)
        self._level.add(self._privacy)
        return self._level

    def set_design(self, design: CountDesign) -> None:
        """Show a design."""
        before, self._design = self._design, design
        for card in (self._beliefs, self._loss_sheet, self._level):
            card.set_error("")
        self._n.show_value(str(design.n))
        if before is None or before.prior != design.prior:
            given = design.prior.given
            many = isinstance(given, Weights) and len(given) > _MOST_TEXTS
            texts = None if isinstance(given, str) or many else tuple(map(str, given))
            spec = given if isinstance(given, str) else ""
            self._editor.set_distribution(design.prior.weights, texts=texts, spec=spec)
        if before is None or (before.loss, before.n) != (design.loss, design.n):
            coverage = design.loss.coverage(design.n)
            self._loss.set_loss(design.loss.given, covered=coverage.covered, reason=coverage.reason, n=design.n)
        if before is None or before.privacy != design.privacy:
            self._privacy.set_privacy(design.privacy)
        if before is not None and before.n != design.n:
            self._pinned.clear()
            self._editor.set_pinned([])

    def set_selected(self, count: int) -> None:
        """Mark a true count."""
        self._editor.set_selected(count)

    def set_posterior(self, posterior: Floats | None) -> None:
        """Draw what would be believed after a release, beside the prior."""
        self._editor.set_posterior(posterior)

    def set_reach(self, best: float, worst: float) -> None:
        """Say which expected losses can be aimed for."""
        self._privacy.set_target_range(best, worst)

    def set_loss_value(self, value: float) -> None:
        """Show the expected loss that the level of privacy gives."""
        self._privacy.set_loss_value(value)

    def set_attained(self, level: PrivacyLevel | None) -> None:
        """Say in words what privacy the mechanism shown has, where it is not the one asked for."""
        self._privacy.set_attained(level, self.tr("The mechanism shown has"))

    def set_presenting(self, on: bool) -> None:
        """Hide the controls that only serve editing: the pictures of prior and loss and the slider of epsilon stay."""
        self._n.setVisible(not on)
        self._beliefs.set_word(*(self.tr("prior"),) if on else (self.tr("prior, 0 to n ="), self.tr("n =")))
        self._editor.set_presenting(on)
        self._loss.set_presenting(on)
        self._privacy.set_presenting(on)

    def show_error(self, error: InputError) -> None:
        """Show a sentence beside the control it belongs to."""
        cards = {"loss": self._loss_sheet, "epsilon": self._level, "alpha": self._level}
        if error.field == "target":
            self._privacy.set_target_error(error)
        else:
            self._n.set_invalid(error.field == "n")
            cards.get(error.field, self._beliefs).error.set_error(error, self._n if error.field == "n" else None)

    def _ask(self, label: str, make: Callable[[CountDesign], CountDesign], beside: str = "") -> None:
        """Emit the design that `make` gives, as a preview where the label is empty, or show why it cannot be.

        The sentence stands beside the control of the field that the error names, or of the one given.
        """
        before = design = None
        try:
            while self._design is not None and before is not self._design:  # an answer may change it meanwhile
                before = self._design
                call = partial(make, before)
                design = waited(call, self.tr("Checking what was chosen"), self) if label else call()
        except Cancelled:
            return
        except InputError as error:
            self.show_error(InputError(str(error), beside) if beside else error)
            return
        if design is None:
            return
        if label:
            self.changed.emit(design, label)
        else:
            self.previewed.emit(design)

    @Slot(str)
    def _change_n(self, text: str) -> None:
        label = self.tr("Set n to {n}").format(n=text.strip())
        self._ask(label, lambda design: design.replace(n=whole(text, "n", 0, _LARGEST_TYPED)))

    @Slot(object)
    def _preview_prior(self, weights: Floats) -> None:
        if len(weights) <= _LARGEST_PREVIEWED:  # a larger drag is followed by the bars alone, the mechanism comes at its end
            self._ask("", lambda design: design.replace(prior=weights))

    @Slot(object, str)
    def _change_prior(self, values: Any, label: str) -> None:
        given = values if isinstance(values, np.ndarray) else tuple(values)
        self._ask(label, lambda design: design.replace(prior=given))

    @Slot(str)
    def _choose_preset(self, spec: str) -> None:
        self._ask(self.tr("Choose {name} prior").format(name=spec.partition(":")[0]), lambda design: design.replace(prior=spec))

    @Slot()
    def _pin(self) -> None:
        if self._design is not None:
            self._pinned = [*self._pinned[-2:], (self._design.prior.title, self._design.prior.probabilities)]
            self._editor.set_pinned(self._pinned)

    @Slot()
    def _open_counts(self) -> None:
        path = chosen_table(self.tr("Prior from a column of counts"), self)
        names = self._read(lambda: columns_of(path, self), "prior") if path else None
        if names is None:
            return
        if len(names) == 1:
            self._load_counts(path, names[0])
        else:
            self._ask_column(path, names)

    def _ask_column(self, path: str, names: list[str]) -> None:
        """Ask which column holds the counts; nothing waits for the answer."""
        dialog = QInputDialog(self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Prior from a column of counts"))
        dialog.setLabelText(self.tr("Which column of {name} holds the counts?").format(name=Path(path).name))
        dialog.setComboBoxItems(names)
        dialog.textValueSelected.connect(partial(self._load_counts, path))
        dialog.open()

    def _load_counts(self, path: str, column: str) -> None:
        counts = self._read(lambda: counts_of(path, column, self), "prior")
        if counts is None:
            return
        self._ask(self.tr("Prior from file"), lambda design: _with_counts(design, counts))
        n = self._design.n if self._design is not None else 0
        above = sum(count > n for count in counts)
        if above:
            told = self.tr("{above} of {all} counts are above n = {n} and stand in the last bar. Set a larger n and read again.")
            self._beliefs.set_error(told.format(above=above, all=len(counts), n=n))

    def _read(self, call: Callable[[], Value], beside: str) -> Value | None:
        """What is read of a file; None where it was given up, or cannot be read: that is said beside this control."""
        try:
            return call()
        except Cancelled:
            return None
        except InputError as error:
            self.show_error(InputError(str(error), beside))
            return None

    @Slot(str)
    def _paste(self, text: str) -> None:
        self._ask(self.tr("Paste prior"), lambda design: _with_text(design, text))

    @Slot(str)
    def _preview_loss(self, spec: str) -> None:
        self._ask("", lambda design: design.replace(loss=spec), "loss")

    @Slot(object, str)
    def _change_loss(self, given: Any, label: str) -> None:
        self._ask(label, lambda design: design.replace(loss=given), "loss")

    @Slot()
    def _open_matrix(self) -> None:
        path = chosen_table(self.tr("Loss matrix"), self)
        losses = self._read(lambda: losses_of(path, self), "loss") if path else None
        if losses is not None:
            self._ask(self.tr("Loss from file"), lambda design: design.replace(loss=losses), "loss")

    @Slot(object)
    def _preview_privacy(self, level: PrivacyLevel) -> None:
        self._ask("", lambda design: design.replace(privacy=level))

    @Slot(object, str)
    def _change_privacy(self, level: PrivacyLevel, label: str) -> None:
        self._ask(label, lambda design: design.replace(privacy=level))

    @Slot(float)
    def _aim(self, target: float) -> None:
        self.targetWanted.emit(target, False)

    @Slot(float)
    def _aim_finally(self, target: float) -> None:
        self.targetWanted.emit(target, True)


def _with_counts(design: CountDesign, counts: Any) -> CountDesign:
    """The design with a histogram of counts as its prior; counts above n are put into the last bar."""
    counts = np.minimum(np.asarray(counts, dtype=np.int64), design.n)
    return design.replace(prior=tuple(np.bincount(counts, minlength=design.n + 1).tolist()))


def _with_text(design: CountDesign, text: str) -> CountDesign:
    """The design with pasted weights (if there are n + 1 of them) or a histogram of pasted counts as its prior."""
    parts = text.replace(",", " ").replace(";", " ").split()
    if len(parts) == design.n + 1:
        return design.replace(prior=tuple(parts))
    values = [exact(part, "prior") for part in parts[:1_000_000]]
    if not values or any(value.denominator != 1 or value < 0 for value in values):
        raise InputError(
            f"pasted text must be n + 1 = {design.n + 1} weights or a column of whole counts, got {len(parts)} values.",
            "prior",
        )
    return _with_counts(design, [min(int(value), design.n) for value in values])
