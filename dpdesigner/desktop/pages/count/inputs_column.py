"""The left of the count page: the user's prior, the loss, and the privacy level."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.basics.parsing import parse_integer
from dpdesigner.core.basics.prior import Prior
from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.controls import named, value_box, wrapped
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.base.layouts import column_of
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.loss_picker import LossPicker
from dpdesigner.desktop.editors.loss_shape import sentence
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, PrivacyCard
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.run import risks_of
from dpdesigner.studies.plain_language import about, several

_FIRST = 1000  # stretch: this card takes the free room before any is left empty

#: Larger designs can be opened but not created here.
_LARGEST_TYPED = 1_000_000


class InputsColumn(AskingColumn[CountDesign]):
    """Three cards that show a design and request changes."""

    countSelected = Signal(int)

    epsilon_as = float

    def __init__(self) -> None:
        super().__init__()
        self.privacy = PrivacyCard(self, target=True, delta=True)
        self.privacy.control.several = several
        self.add(self._prior_card(), "prior", stretch=_FIRST)
        self.add(self._loss_card(), "loss")
        self.add(self.privacy)
        self.column.addStretch(1)
        self._head_error = ErrorLine()
        self._head_error.setWordWrap(False)
        self.field("n", lambda error: self._head_error.set_error(error, self._n, str(error).replace("n must", "max must", 1)))
        self.head = QWidget(self)
        privacy = named(self.tr("ε"), self.privacy.control.head_box(self._head_error))
        column_of(wrapped(named(self.tr("max"), self._n), privacy), self._head_error, on=self.head, gap=2)
        self.head.hide()
        self.folding = Folding(self, (self.cards[1], self.privacy.control, self._beliefs))

    def _prior_card(self) -> Card:
        self._beliefs = Card(self.tr("Your belief"), self.tr("prior"), flexible=True, foldable=True)
        tip = self.tr("n, the largest count. A drawn prior keeps its weights; a column is counted again")
        self._n = value_box("1000000", self.tr("n, the largest count"), tip, self._change_n)
        self.prior = DistributionEditor()
        self.prior.changing.connect(partial(self.take, "prior"))
        self.prior.changed.connect(self._take_prior)
        self.prior.cancelled.connect(self.previewCancelled)
        self.prior.widens = True
        self.prior.controls.pin.setVisible(False)  # a design is pinned as a whole here
        self.prior.selected.connect(self.countSelected)
        self.prior.controls.mode_chosen.connect(self._name_prior)
        self._source, self._mean = tuple[str, ...](), ""
        self._beliefs.add(self.prior, 1)
        return self._beliefs

    @Slot()
    def _name_prior(self) -> None:
        paints = self.prior.stack.currentWidget() is self.prior.plot and self.prior.plot.mode == "paint"
        drag = (self.tr("{mean} · drag to paint").format(mean=self._mean),) if paints else ()
        self._beliefs.set_word(*self._source, *drag, self._mean)

    def _loss_card(self) -> Card:
        card = Card(self.tr("Cost of an error"), self.tr("loss"), foldable=True)
        self.loss = LossPicker()
        self.loss.changing.connect(self._take_loss)
        self.loss.changed.connect(self._take_loss)
        self.loss.cancelled.connect(self.previewCancelled)
        card.add(self.loss)
        return card

    def show_design(self, before: CountDesign | None, design: CountDesign) -> None:
        self._n.show_value(str(design.n))
        self._head_error.clear()
        self._beliefs.set_line(self.tr("Your belief: {prior}").format(prior=design.prior.title))
        self._source = (self.tr("from {source}").format(source=design.prior.origin),) if design.prior.origin else ()
        self._mean = self.tr("on average {mean}").format(mean=about(design.prior.mean))
        self._name_prior()
        formula = self.tr("Cost = {formula}").format(formula=design.loss.argument)
        self.cards[1].set_line(formula if design.loss.name == "expression" else sentence(design.loss, design.n).rstrip("."))
        if before is not None and before != design:
            self.privacy.control.clear_errors()  # those of the previous design
            self.loss.error_label.clear()
            self.prior.error.clear()
        if before is None or before.prior != design.prior:
            self.prior.set_prior(design.prior)
        if before is None or (before.loss, before.n) != (design.loss, design.n):
            self.loss.set_loss(design.loss, design.n)
        levels = design.privacy, design.delta, design.further, design.n
        if before is None or (before.privacy, before.delta, before.further, before.n) != levels:
            self.privacy.set_level(design.privacy)
            won = risks_of(design)[1] if design.further else None
            self.privacy.set_delta(design.delta, design.further, won, design.n)

    def set_presenting(self, on: bool) -> None:
        self.folding.set_on(not on)
        self.prior.set_presenting(on)
        self.loss.set_presenting(on)
        self.privacy.control.set_presenting(on)

    @Slot(str)
    def _change_n(self, text: str) -> None:
        label = self.tr("Set n to {n}").format(n=text.strip())
        self.ask(label, lambda design: design.replace(n=parse_integer(text, "n", 0, _LARGEST_TYPED)))

    def _take_prior(self, prior: Any, label: str) -> None:
        """Request a prior; with one over another n, request that n too, as if it were typed."""
        if isinstance(prior, Prior) and self.design is not None and prior.n != self.design.n:
            self.ask(label, lambda design: design.replace(n=parse_integer(prior.n, "n", 0, _LARGEST_TYPED), prior=prior))
        else:
            self.take("prior", prior, label)

    def set_before(self, before: CountDesign | None) -> None:
        """Draw the pinned prior behind the current one."""
        name = "" if before is None else self.tr("before: {prior}").format(prior=before.prior.title)
        self.prior.plot.set_pinned([] if before is None else [(name, before.prior.probabilities)])

    def _take_loss(self, given: Any, label: str = "") -> None:
        """Request a loss, or offer to set n to that of its matrix."""
        rows, design = [] if isinstance(given, str) else given, self.design
        n = len(rows) - 1
        if design is not None and n not in (-1, design.n) and all(len(row) == n + 1 for row in rows):
            words = self.tr("A loss for n = {n} must have {side} rows and columns, got {rows}.")
            told = words.format(n=design.n, side=design.n + 1, rows=n + 1)
            change = partial(self.ask, label, lambda design: design.replace(n=n, loss=given), "loss")
            self.cards[1].error.set_remedy(told, self.tr("Set n = {n}").format(n=n), change)
            return
        self.ask(label, lambda design: design.replace(loss=given), "loss")
