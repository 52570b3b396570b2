"""The left of the count page: the user's prior, the loss, and the privacy level."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.basics.parsing import cut, parse_integer
from dpdesigner.core.basics.prior import Prior, Weights, weights_of_counts, weights_of_text
from dpdesigner.desktop.background.tables import (
    choose_column,
    chosen_table,
    counts_of,
    losses_of,
)
from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.controls import named, value_box, wrapped
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.base.layouts import column_of
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.loss_picker import LossPicker
from dpdesigner.desktop.editors.loss_shape import sentence
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, PrivacyCard
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.run import risks_of

Floats = NDArray[np.float64]
Value = TypeVar("Value")

#: Larger designs can be opened but not created here.
_LARGEST_TYPED = 1_000_000

#: Checking a design with more bars takes longer than a frame.
_LARGEST_PREVIEWED = 100_000

#: More weights than this, given as doubles, are shown directly, without making texts.
_MOST_TEXTS = 2000


class InputsColumn(AskingColumn[CountDesign]):
    """Three cards that show a design and request changes."""

    countSelected = Signal(int)

    epsilon_as = float

    def __init__(self) -> None:
        super().__init__()
        self.privacy = PrivacyCard(self, target=True, delta=True)
        self.add(self._prior_card(), "prior", stretch=1)
        self.add(self._loss_card(), "loss")
        self.add(self.privacy)
        self._n_error = ErrorLine()
        self._n_error.setWordWrap(False)
        self.field("n", lambda error: self._n_error.set_error(error, self._n))
        self.head = QWidget(self)
        boxes = wrapped(named(self.tr("n"), self._n), named(self.tr("ε"), self.privacy.control.head_box()))
        column_of(boxes, self._n_error, on=self.head, gap=2)
        self.head.hide()
        self.folding = Folding(self, (self.cards[1], self.privacy.control, self._beliefs))

    def _prior_card(self) -> Card:
        self._beliefs = Card(self.tr("Your belief"), self.tr("prior"), flexible=True, foldable=True)
        tip = self.tr("n, the largest count. Changing it stretches a drawn prior")
        self._n = value_box("1000000", self.tr("n, the largest count"), tip, self._change_n)
        self.prior = DistributionEditor()
        self.prior.changing.connect(self._preview_prior)
        self.prior.changed.connect(self._change_prior)
        self.prior.cancelled.connect(self.previewCancelled)
        self.prior.presetChosen.connect(self._choose_preset)
        self.prior.csvRequested.connect(self._open_counts)
        self.prior.controls.pin.setVisible(False)  # a design is pinned as a whole here
        self.prior.pasted.connect(self._paste)
        self.prior.selected.connect(self.countSelected)
        self._beliefs.add(self.prior, 1)
        return self._beliefs

    def _loss_card(self) -> Card:
        card = Card(self.tr("Cost of an error"), self.tr("loss"), foldable=True)
        self.loss = LossPicker()
        self.loss.changing.connect(self._preview_loss)
        self.loss.changed.connect(self._change_loss)
        self.loss.cancelled.connect(self.previewCancelled)
        self.loss.matrixRequested.connect(self._open_matrix)
        card.add(self.loss)
        return card

    def show_design(self, before: CountDesign | None, design: CountDesign) -> None:
        """Show the prior, loss and privacy level of a design, if they have changed."""
        self._n.show_value(str(design.n))
        self._n_error.clear()
        self._beliefs.set_line(self.tr("Prior: {prior}").format(prior=design.prior.title))
        source = (self.tr("from {source}").format(source=design.prior.source),) if design.prior.source else ()
        self._beliefs.set_word(*source, self.tr("prior"))
        self.cards[1].set_line(sentence(design.loss).rstrip("."))
        if before is not None and before != design:
            self.privacy.control.clear_errors()  # those of the previous design
            self.loss.error_label.clear()
            self.prior.error.clear()
        if before is None or before.prior != design.prior:
            given = design.prior.specification
            many = isinstance(given, Weights) and len(given) > _MOST_TEXTS
            texts = None if isinstance(given, str) or many else tuple(map(str, given))
            spec = given if isinstance(given, str) else ""
            self.prior.set_distribution(design.prior.weights, texts=texts, spec=spec)
        if before is None or (before.loss, before.n) != (design.loss, design.n):
            coverage = design.loss.coverage(design.n)
            self.loss.set_loss(design.loss.specification, covered=coverage.covered, reason=coverage.reason, n=design.n)
        levels = design.privacy, design.delta, design.further
        if before is None or (before.privacy, before.delta, before.further) != levels:
            self.privacy.set_level(design.privacy)
            won = risks_of(design)[1] if design.further else None
            self.privacy.set_delta(design.delta, design.further, won)

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls; the pictures of prior and loss and the slider of epsilon stay."""
        self.folding.set_on(not on)
        self.prior.set_presenting(on)
        self.loss.set_presenting(on)
        self.privacy.control.set_presenting(on)

    @Slot(str)
    def _change_n(self, text: str) -> None:
        label = self.tr("Set n to {n}").format(n=text.strip())
        self.ask(label, lambda design: design.replace(n=parse_integer(text, "n", 0, _LARGEST_TYPED)))

    @Slot(object)
    def _preview_prior(self, weights: Floats) -> None:
        if len(weights) <= _LARGEST_PREVIEWED:  # during a larger drag only the bars follow, and the mechanism comes at its end
            self.change("", prior=weights)

    @Slot(object, str)
    def _change_prior(self, values: Any, label: str) -> None:
        given = values if isinstance(values, np.ndarray) else tuple(values)
        self.change(label, prior=given)

    @Slot(str)
    def _choose_preset(self, spec: str) -> None:
        self.ask(self.tr("Choose {name} prior").format(name=spec.partition(":")[0]), lambda design: design.replace(prior=spec))

    def set_before(self, before: CountDesign | None) -> None:
        """Draw the pinned prior behind the current one."""
        name = "" if before is None else self.tr("before: {prior}").format(prior=before.prior.title)
        self.prior.plot.set_pinned([] if before is None else [(name, before.prior.probabilities)])

    @Slot()
    def _open_counts(self) -> None:
        self.take_counts("")

    def take_counts(self, path: str) -> None:
        """Make a prior from a column of counts in a table; ask for one if the path is empty."""
        title, question = self.tr("Prior from a column of counts"), self.tr("Which column of {name} holds the counts?")
        self._read(lambda: choose_column(self, title, question, self._load_counts, path=path), "prior")

    def _load_counts(self, path: str, column: str) -> None:
        counts = self._read(lambda: counts_of(path, column, self), "prior")
        if counts is None:
            return
        column = self.tr("column {column}").format(column=column) if column.isdecimal() else column
        source = ", ".join(cut(part, 150) for part in (column, Path(path).name) if part)
        label = self.tr("Prior from {source}").format(source=source)
        self.ask(label, lambda design: design.replace(prior=Prior(weights_of_counts(counts, design.n), design.n, source)))
        n = self.design.n if self.design is not None else 0
        above = sum(count > n for count in counts)
        if above:
            told = self.tr(
                "{above} of {all} counts are above n = {n} and are included in the last bar. Set a larger n and read the "
                "file again."
            )
            self._beliefs.set_error(told.format(above=above, all=len(counts), n=n))

    def _read(self, call: Callable[[], Value], beside: str) -> Value | None:
        """The counts read from a file; None if the user gave up or the file cannot be read, which the control then says."""
        try:
            return call()
        except Cancelled:
            return None
        except InputError as error:
            self.show_error(InputError(str(error), beside))
            return None

    @Slot(str)
    def _paste(self, text: str) -> None:
        self.ask(self.tr("Paste prior"), lambda design: design.replace(prior=weights_of_text(text, design.n)))

    @Slot(str)
    def _preview_loss(self, spec: str) -> None:
        self.ask("", lambda design: design.replace(loss=spec), "loss")

    @Slot(object, str)
    def _change_loss(self, given: Any, label: str) -> None:
        self.ask(label, lambda design: design.replace(loss=given), "loss")

    @Slot()
    def _open_matrix(self) -> None:
        if path := chosen_table(self.tr("Loss matrix"), self):
            self.take_matrix(path)

    def take_matrix(self, path: str) -> None:
        """Use the loss matrix in a file."""
        losses = self._read(lambda: losses_of(path, self), "loss")
        if losses is not None:
            self.take_losses(losses)

    def take_losses(self, losses: Any) -> None:
        """Request a loss read from a table, or offer to set n to match it."""
        n, label = len(losses) - 1, self.tr("Loss from file")
        if self.design is not None and n != self.design.n and all(len(row) == n + 1 for row in losses):
            words = self.tr("A loss for n = {n} must have {side} rows and columns, got {rows}.")
            told = words.format(n=self.design.n, side=self.design.n + 1, rows=n + 1)
            change = partial(self.ask, label, lambda design: design.replace(n=n, loss=losses), "loss")
            self.cards[1].error.set_remedy(told, self.tr("Set n = {n}").format(n=n), change)
            return
        self.ask(label, lambda design: design.replace(loss=losses), "loss")
