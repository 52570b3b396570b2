"""The left of the auction page: the bids and their staircase, which can be drawn; the cap; the privacy of the price."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import double
from dpdesigner.core.choice.demand import curves_of_table, fallen, line_of
from dpdesigner.data.columns import EXAMPLE
from dpdesigner.desktop.background.tables import bid_columns_of, cells_of, chosen_table
from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.controls import choice_button, named, push_button, together, wrapped
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import styled
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, PrivacyCard
from dpdesigner.desktop.pages.kit.field import ColumnSource
from dpdesigner.desktop.pages.kit.three_columns import ViewSentence
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.plot_layer import px
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.auction.design import AuctionDesign, Source, source_of
from dpdesigner.studies.auction.run import bought
from dpdesigner.studies.plot_parts import Handle


class BidsDialog(QDialog):
    """A text box for `bids` separated by blanks, commas or new lines, or for one line per curve of a `demand`."""

    given = Signal(object)  #: the checked bids or curves

    def __init__(self, design: AuctionDesign, key: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._design, self._key = design, key
        curves = key == "demand"
        self.setWindowTitle(self.tr("Demand curves") if curves else self.tr("Bids"))
        rules = self.tr("One line per bidder, like 3 at 60, 1 at 200:\nall 3 items if each costs at most 60, 1 up to 200.")
        rules += "\n" + self.tr("The same by the value of each further item: 200, 60, 60.")
        column = QVBoxLayout(self)
        bids = self.tr("The most that each bidder would pay for one item, one number per line.")
        column.addWidget(QLabel(rules if curves else bids))
        self.box = QPlainTextEdit(_text(design, key))
        self.box.setAccessibleName(self.windowTitle())
        self.error = SentenceLabel("error")
        self.fix = QPushButton(self.tr("Fix: make every curve decreasing"), autoDefault=False)
        self.fix.clicked.connect(self._fix)
        self.fix.hide()
        for widget in (self.box, self.error, self.fix):
            column.addWidget(widget, int(widget is self.box))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        if curves:
            table = buttons.addButton(self.tr("Open a table…"), QDialogButtonBox.ButtonRole.ActionRole)
            table.setToolTip(self.tr("A CSV or TSV file with three columns: bidder, price, quantity"))
            table.clicked.connect(self._choose_table)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(420, 380)

    @Slot()
    def accept(self) -> None:
        """Emit the typed values if they are valid; otherwise explain why not."""
        try:
            design = self._design.replace(**{self._key: self.box.toPlainText().strip() or ()})
        except InputError as error:
            return self._refuse(error)
        self.given.emit(design.input_named(self._key).of(design))
        super().accept()

    def _refuse(self, error: InputError | None) -> None:
        self.error.set_sentence(str(error or ""))
        self.fix.setVisible(error is not None and bool(error.suggestion) and self._key == "demand")

    @Slot()
    def _fix(self) -> None:
        self._put(lambda: fallen(self.box.toPlainText()))

    @Slot()
    def _choose_table(self) -> None:
        if path := chosen_table(self.tr("Demand curves"), self):
            self._put(lambda: "\n".join(map(line_of, curves_of_table(cells_of(path, self)))))

    def _put(self, text: Callable[[], str]) -> None:
        """Put a text into the box, or explain why this is not possible."""
        with suppress(Cancelled):
            try:
                self.box.setPlainText(text())
                self._refuse(None)
            except InputError as error:
                self._refuse(error)


def _text(design: AuctionDesign, key: str) -> str:
    if key == "demand":
        return "\n".join(map(line_of, design.demand))
    bids: Sequence[object] = design.bids
    with suppress(InputError):  # errors in the file are reported elsewhere
        bids = source_of(design).worths.tolist() if design.path and design.bids_public else bids
    return "\n".join(str(bid).removesuffix(".0") for bid in bids)


FOOD: Any = {"path": f"{EXAMPLE}food_budgets.csv", "column": "food_expenditure", "cap": 1000, "unit": "fr", "bids_are": "public"}
FOOD["name"] = "Food budgets of 235 households"
#: Properties that are unknown for new bids.
_UNKNOWN = {"name": "", "cap": "", "unit": "", "bids_are": "secret"}
_MOST_DRAWN = 2000  # bids


class DemandPlot(CurvePlot):
    """The number of buyers at each price. In drawing mode, a drag bends the staircase by moving bids."""

    changing = Signal(object)  #: the bids while a drag lasts
    changed = Signal(object, str)  #: the bids at its end, and the label of the undo step
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.drawing = False
        self._worths = np.zeros(0)
        self._last: QPointF | None = None

    def set_worths(self, worths: np.ndarray) -> None:
        """Update the bids, except during a drag on them."""
        if not self._gesture.held:
            self._worths = worths

    def set_handles(self, handles: Sequence[Handle]) -> None:
        """Move the handles; a drag on the staircase is not on a handle and continues."""
        self._handles.handles = tuple(handles)
        self._handles.update()

    @Slot(QPointF)
    def _press(self, position: QPointF) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self.drawing and len(self._worths):
            self._gesture.begin(tuple(self._worths.tolist()), held=True)
            self._last = position

    @Slot(QPointF)
    def _drag(self, position: QPointF) -> None:
        if not self._gesture.held or self._last is None:
            return
        frame = self._plot.frame
        ends = sorted(((self._last.y(), self._last.x()), (position.y(), position.x())), reverse=True)
        (low, low_price), (high, high_price) = [(frame.value_y(y), frame.value_x(x)) for y, x in ends]
        self._last = position
        first, last = max(round(low), 1), min(round(high), len(self._worths))
        if first > last:
            return
        ranks = np.arange(first, last + 1)
        prices = np.interp(ranks, [low, max(high, low + 1e-9)], [low_price, high_price])
        self._gesture.move(tuple(_bent(self._worths, ranks, np.clip(prices, 0, frame.right)).tolist()))

    @Slot(QPointF)
    def _release(self, position: QPointF) -> None:
        if self._gesture.held:
            self._gesture.finish()

    @Slot(object)
    def _preview(self, worths: Any) -> None:
        self._worths = np.array(worths)
        self.changing.emit(worths)

    @Slot(object)
    def _settle(self, worths: Any) -> None:
        self.changed.emit(worths, self.tr("Draw bids"))

    @Slot()
    def _restore(self) -> None:
        self._worths = np.array(self._gesture.start)
        self.cancelled.emit()


def _bent(worths: np.ndarray, ranks: np.ndarray, prices: np.ndarray) -> np.ndarray:
    """Move the k-th highest bids to these prices, and keep all other bids in order by raising or lowering them."""
    order = np.argsort(-worths, kind="stable")
    falling = worths[order].copy()
    falling[ranks - 1] = [float(f"{price:.4g}") for price in np.maximum.accumulate(prices[::-1])[::-1]]
    falling[: ranks[0] - 1] = np.maximum(falling[: ranks[0] - 1], falling[ranks[0] - 1])
    falling[ranks[-1] :] = np.minimum(falling[ranks[-1] :], falling[ranks[-1] - 1])
    bent = np.empty_like(falling)
    bent[order] = falling
    return bent


def _axis_start(worths: np.ndarray, top: float) -> float:
    """Return 0, or a round price below all bids if they are far from 0."""
    least = 0.9 * float(worths.min(initial=top))
    step = 10.0 ** math.floor(math.log10(top / 2)) / 2
    return least // step * step if least > 0.2 * top else 0.0


_BIDS_HIGH = 340  # pixels at text scale 1: the greatest height of the card


class BidsCard(Card):
    """The controls for the bids; requests changes from the column that contains it."""

    def __init__(self, asking: AskingColumn[AuctionDesign]) -> None:
        super().__init__(self.tr("Bids"), self.tr("bids"), flexible=True, foldable=True)
        self._asking = asking
        self._hidden: AuctionDesign | None = None  # whose bids became secret because others were typed
        self._shown: tuple[Source, AuctionDesign] | None = None
        self.set_highest(round(px(_BIDS_HIGH)))
        self.plot = DemandPlot()
        asking.follow(self.plot, "bids")
        self.unseen = SentenceLabel("small")
        self.add(self.plot, 1)
        self.add(self.unseen, 1)
        tip = self.tr("Type or paste bids, one number per bidder")
        curves = self.tr("Falling demand curves, one line per bidder")
        self.type = push_button(self.tr("Type…"), tip, lambda: self._open_dialog("bids"))
        drags = self.tr("Drag over the staircase above to change bids")
        self.draw = push_button(self.tr("Sketch"), drags, self._draw, checkable=True)
        self.curves = push_button(self.tr("Curves…"), curves, lambda: self._open_dialog("demand"))
        public = self.tr("For simulated or published bids: exported pictures, tables and reports may contain single bids")
        secret = self.tr("No exported file contains a single bid")
        words = self.tr("Keep bids out of exports"), self.tr("Let exports contain bids")
        self.secret = choice_button(self.tr("without bids"), secret, lambda: asking.change(words[0], bids_are="secret"))
        self.public = choice_button(self.tr("with bids"), public, lambda: asking.change(words[1], bids_are="public"))
        food = self.tr("Food budgets of 235 Belgian households, 1857")
        which = self.tr("Which column of {name} holds the bids?")
        title, column, rest = self.tr("Bids, one per line"), self.tr("Column of bids"), (self.draw, self.curves)
        offers: Any = {"menu": rest, "offered": bid_columns_of, "question": which}
        self.source = ColumnSource(self, title, column, (food, FOOD), self.type, **offers)
        self.source.changed.connect(self._open)
        asked = named(self.tr("Exports"), together(self.secret, self.public))
        self._buttons: tuple[QWidget, ...] = self.source, wrapped(asked)
        self.hint = ViewSentence()
        for widget in (*self._buttons, self.hint, self.source.error):
            self.add(widget)

    def show_design(self, design: AuctionDesign) -> None:
        self.public.setChecked(design.bids_public)
        self.secret.setChecked(not design.bids_public)
        self._hint(design)
        self.source.show_source(design.column, "", design.path)
        self.set_heading(self.tr("Bids") if design.single else self.tr("Demand curves"))

    def show_bids(self, source: Source, design: AuctionDesign) -> None:
        self._shown = source, design
        unseen = design.cap == "" and not design.bids_public
        self.unseen.set_sentence(self.tr("Enter the cap to see the bids.") if unseen else "")  # they must not guide it
        if self.plot.drawing and design.of_secret_file and not unseen:  # its bids would be saved with the design
            source = Source(np.linspace(0, double(design.cap), source.bidders + 2)[1:-1])
        count = self.tr("{count} bids") if design.single else self.tr("{count} curves")
        if source.bidders == 1:
            count = self.tr("1 bid") if design.single else self.tr("1 curve")
        empty = self.tr(", {empty} empty").format(empty=source.empty) if source.empty else ""
        self.set_word(count.format(count=source.bidders) + empty, self.tr("bids"))
        demand = source.demand(1.0)
        top = double(design.cap) if design.cap != "" else max(1.1 * demand.top, 1e-9)
        self.plot.set_worths(source.worths)
        low = _axis_start(source.worths, top) if design.single and not self.plot.drawing else 0.0
        self.plot.show_plot(bought(demand, 1.0, design, (low, top)))
        self.plot.setHidden(unseen)
        self.draw.setEnabled(design.single and 0 < source.bidders <= _MOST_DRAWN and not unseen)
        if self.plot.drawing and not self.draw.isEnabled():
            self.stop_drawing()

    def stop_drawing(self) -> None:
        self.draw.setChecked(False)
        self._draw(False)

    def set_presenting(self, on: bool) -> None:
        for widget in self._buttons:
            widget.setVisible(not on)

    @Slot(bool)
    def _draw(self, on: bool = False) -> None:
        changes, self.plot.drawing = on != self.plot.drawing, on
        if changes and self._shown is not None:
            self.show_bids(*self._shown)
        self._hint(self._asking.design)
        self.plot.setCursor(Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor)

    def _hint(self, design: AuctionDesign | None) -> None:
        """Explain dragging while bids are drawn, and say where secret bids are kept."""
        drawing = self.plot.drawing
        told = self.tr("Drag over the staircase to bend it.") if drawing else ""
        if design is not None and design.of_secret_file:
            told = self.tr("Exports leave the bids out; saving stores only the file’s path.")
            told = self.tr("Drag over these invented bids. Saving stores them.") if drawing else told
        elif design is not None and not design.bids_public:
            kept = self.tr("Exports leave the bids out; saving stores them.")
            kept = self.tr("New bids stay out of exports; saving stores them.") if design == self._hidden else kept
            told = self.tr("{drag} Saving stores sketched bids.").format(drag=told) if drawing else kept
        self.hint.say("", told)

    def _open_dialog(self, key: str) -> None:
        if (design := self._asking.design) is not None:
            dialog = BidsDialog(design, key, self.window())
            dialog.given.connect(lambda given: self._asking.ask(self.tr("Type bids"), lambda now: self._type(now, key, given)))
            dialog.open()

    def _type(self, design: AuctionDesign, key: str, given: tuple[Any, ...]) -> AuctionDesign:
        typed = _typed(design, key, given)
        self._hidden = typed if design.bids_public and not typed.bids_public else None
        return typed

    @Slot(object, str)
    def _open(self, inputs: Mapping[str, Any], label: str) -> None:
        """Use a column; for a user's file, the cap and whether bids are public become unknown."""
        self.stop_drawing()
        fresh = {**_UNKNOWN, **inputs} if "path" in inputs else inputs
        self._asking.ask(label, lambda design: design.replace(**fresh) if source_of(design.replace(**fresh)) else design)


def _typed(design: AuctionDesign, key: str, given: tuple[Any, ...]) -> AuctionDesign:
    """Return a design with other bids or curves under the same cap; if none of the old ones remain, they are secret."""
    worths = source_of(design).worths.tolist() if design.path and key == "bids" else design.bids
    kept = {*map(double, worths)} & {*map(double, given)} if key == "bids" else {*design.demand} & {*given}
    return design.replace(**{key: given}, **({} if kept else {"bids_are": "secret"}))


_FIRST = 1000  # stretch: this card takes the free room before any is left empty


class CapCard(Card):
    """The controls for the cap, which is never computed from the bids, and for the unit of prices."""

    def __init__(self, asking: AskingColumn[AuctionDesign]) -> None:
        super().__init__(self.tr("Cap on bids"), foldable=True)
        self._asking = asking
        tip = self.tr("The highest price, and the limit on what one bidder counts. Choose it without looking at secret bids.")
        self.cap = asking.box("cap", self, "1000000", self.tr("Cap"), tip, self.tr("Change the cap"))
        self.cap.setPlaceholderText(self.tr("enter"))
        tip = self.tr("The currency or other unit of prices")
        self.unit = asking.box("unit", self, "francs", self.tr("Unit of prices"), tip, self.tr("Change the unit"))
        self.unit.setPlaceholderText(self.tr("unit"))
        self.cut = styled("small")
        self.add(wrapped(named(self.tr("cap"), self.cap), self.unit, self.cut))
        self.note = SentenceLabel("small")
        self.add(self.note)

    def show_design(self, design: AuctionDesign) -> None:
        self.set_line(self.tr("Cap: {cap}").format(cap=f"{design.cap} {design.unit}".strip()) if design.cap != "" else "")

    def show_bids(self, source: Source, design: AuctionDesign) -> None:
        """Say how many bids the cap cuts."""
        cap = None if design.cap == "" else double(design.cap)
        words = self.tr("{count} bids cut") if design.single else self.tr("{count} curves cut")
        if (cut := source.demand(cap).cut if cap else 0) == 1:
            words = self.tr("1 bid cut") if design.single else self.tr("1 curve cut")
        self.cut.setText(words.format(count=cut) if cut else "")
        self.note.set_sentence(self.tr("Choose it without looking at the bids."))

    def set_presenting(self, on: bool) -> None:
        self.cap.setReadOnly(on)
        self.unit.setVisible(not on)


class InputsColumn(AskingColumn[AuctionDesign]):
    """Three cards that show a design and request changes."""

    def __init__(self) -> None:
        super().__init__()
        self.bids, self.cap, self.privacy = BidsCard(self), CapCard(self), PrivacyCard(self)
        self.privacy.control.row = self.tr("bid"), self.tr("bids")
        self.add(self.bids, "bids", "demand", "path", "column", "file", stretch=_FIRST)
        self.add(self.cap)
        self.add(self.privacy)
        self.column.addStretch(1)
        self.folding = Folding(self, (self.privacy.control, self.cap, self.bids))

    def show_design(self, before: AuctionDesign | None, design: AuctionDesign) -> None:
        self.restore()
        self.cap.cap.show_value(str(design.cap))  # of a refused one, the box keeps what was typed

    def show_none(self) -> None:
        """Show no bids: those of the file cannot be read."""
        self.bids.set_word("", self.tr("bids"))
        self.bids.plot.hide()
        self.cap.cut.clear()

    def restore(self) -> None:
        """Show the buttons and the privacy level of the current design."""
        if (design := self.design) is not None:
            self.bids.show_design(design)
            self.cap.show_design(design)
            self.privacy.set_level(design.privacy)
            twice: Any = None if design.single else PrivacyLevel.from_epsilon(2 * design.privacy.epsilon_above)
            self.privacy.set_attained(design.privacy, twice, self.tr("With demand curves the price has"))

    def set_presenting(self, on: bool) -> None:
        self.bids.set_presenting(on)
        self.cap.set_presenting(on)
        self.folding.set_on(not on)
        self.privacy.control.set_presenting(on)
