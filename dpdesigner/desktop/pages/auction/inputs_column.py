"""The left of the auction page: what each bidder would pay, the cap on bids, the privacy of the price."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import double
from dpdesigner.core.basics.rounding import significant
from dpdesigner.desktop.base.card import Card, Folding
from dpdesigner.desktop.base.controls import named, wrapped
from dpdesigner.desktop.base.labels import SentenceLabel
from dpdesigner.desktop.base.layouts import styled
from dpdesigner.desktop.pages.auction.bids_card import BidsCard
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn, PrivacyCard
from dpdesigner.desktop.plots.axis_layer import Axis as DrawnAxis
from dpdesigner.desktop.plots.axis_layer import no_ticks
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.studies.auction.design import AuctionDesign, Source
from dpdesigner.studies.panels import Axis, Band, Handle, Line, Plot

_FIRST = 1000  # stretch: this card takes the free room before any is left empty


class BidLines(CurvePlot):
    """Bids as vertical lines without an axis on the left."""

    def _set_axes(self) -> None:
        super()._set_axes()
        self._plot.axes.vertical = DrawnAxis("", no_ticks)


class CapCard(Card):
    """The controls for the cap, which is never computed from the bids, and for the unit of prices."""

    def __init__(self, asking: AskingColumn[AuctionDesign]) -> None:
        super().__init__(self.tr("Cap on bids"), self.tr("public"), foldable=True)
        self._asking = asking
        tip = self.tr("The highest price, and the limit on what one bidder counts. Choose it without looking at the bids.")
        self.cap = asking.box("cap", self, "1000000", self.tr("Cap"), tip, self.tr("Change the cap"))
        self.cap.setPlaceholderText(self.tr("enter"))
        tip = self.tr("The currency or other unit of prices")
        self.unit = asking.box("unit", self, "francs", self.tr("Unit of prices"), tip, self.tr("Change the unit"))
        self.unit.setPlaceholderText(self.tr("unit"))
        self.cut = styled("small")
        self.add(wrapped(named(self.tr("cap"), self.cap), self.unit, self.cut))
        self.lines = BidLines()
        self.lines.setFixedHeight(64)
        self.lines.handleMoving.connect(lambda target, cap: self._drag_cap(cap, ""))
        self.lines.handleMoved.connect(lambda target, cap: self._drag_cap(cap, self.tr("Drag the cap")))
        self.lines.handleCancelled.connect(asking.previewCancelled)
        self.add(self.lines)
        note = SentenceLabel("small")
        note.setToolTip(self.tr("A cap computed from the bids would reveal the highest bid."))
        note.set_sentence(self.tr("Choose it in advance, not from the bids."))
        self.add(note)

    def show_design(self, design: AuctionDesign) -> None:
        self.cap.show_value(str(design.cap))
        self.unit.show_value(design.unit)
        self.set_line(self.tr("Cap: {cap}").format(cap=f"{design.cap} {design.unit}".strip()) if design.cap != "" else "")

    def show_bids(self, source: Source, design: AuctionDesign) -> None:
        """Show the bids below the handle."""
        cap = None if design.cap == "" else double(design.cap)
        worths = np.sort(source.worths)
        top = 1.06 * max(float(worths[-1]) if len(worths) else 1.0, cap or 0.0) or 1.0
        lines = [Line(worths, np.ones(len(worths)), "", "main", spikes=True, secret=True)] if len(worths) else []
        handles = () if cap is None else (Handle(cap, self.tr("cap {cap}").format(cap=significant(cap, 4)), "cap"),)
        bands = () if cap is None else (Band(0, cap, "", "main"),)
        x, y = Axis(self.tr("price"), limits=(0.0, top)), Axis(limits=(0.0, 1.0))
        self.lines.show_plot(Plot("cap", "", Axis("", limits=x.limits), y, tuple(lines), bands=bands, handles=handles))
        self.lines.setAccessibleName(self.tr("Cap over the bids"))
        above = int((source.worths > cap).sum()) if cap is not None and design.single else 0
        self.cut.setText(self.tr("{count} bids are cut").format(count=above) if above else "")

    def set_presenting(self, on: bool) -> None:
        """Make the boxes read-only."""
        self.cap.setReadOnly(on)
        self.unit.setVisible(not on)

    def _drag_cap(self, cap: float, label: str) -> None:
        if cap > 0:
            self._asking.change(label, cap=f"{cap:.3g}")


class InputsColumn(AskingColumn[AuctionDesign]):
    """Three cards that show a design and request changes."""

    def __init__(self) -> None:
        super().__init__()
        self.bids, self.cap, self.privacy = BidsCard(self), CapCard(self), PrivacyCard(self)
        self.add(self.bids, "bids", "demand", "path", "column", "file", stretch=_FIRST)
        self.add(self.cap)
        self.add(self.privacy)
        self.column.addStretch(1)
        self.folding = Folding(self, (self.privacy.control, self.cap, self.bids))

    def show_design(self, before: AuctionDesign | None, design: AuctionDesign) -> None:
        self.restore()

    def restore(self) -> None:
        """Show the buttons, boxes and privacy level of the current design."""
        if (design := self.design) is not None:
            self.bids.show_design(design)
            self.cap.show_design(design)
            self.privacy.set_level(design.privacy)
            twice: Any = None if design.single else PrivacyLevel.from_epsilon(2 * design.privacy.epsilon_above)
            self.privacy.set_attained(design.privacy, twice, self.tr("With demand curves the price has"))

    def show_bids(self, source: Source, design: AuctionDesign) -> None:
        self.bids.show_bids(source, design)
        self.cap.show_bids(source, design)

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls."""
        self.bids.set_presenting(on)
        self.cap.set_presenting(on)
        self.folding.set_on(not on)
        self.privacy.control.set_presenting(on)
