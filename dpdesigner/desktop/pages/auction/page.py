"""The auction page: bids at the left, the price and its cause in the middle, what it earns and what lying gains at the right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.pages.auction.inputs_column import InputsColumn
from dpdesigner.desktop.pages.auction.results_column import ResultsColumn
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Figure, Stop
from dpdesigner.desktop.pages.kit.panel_views import KeptSentencePanel, PanelView, StripsPanel
from dpdesigner.desktop.pages.kit.parts import Part
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.auction.answer import AuctionAnswer
from dpdesigner.studies.auction.design import AuctionDesign, source_of
from dpdesigner.studies.auction.run import priced, revenue
from dpdesigner.studies.study import Job


class AuctionPage(DeclaredPage):
    """Set one price for everybody, so that nobody's bid shows and lying does not pay."""

    kind = "auction"
    answering = ("solve", "lies")
    widths = 328, 500, 320
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {"price": StripsPanel, "told": KeptSentencePanel}

    @classmethod
    def starting_study(cls, kind: str) -> AuctionDesign:
        """Return the food budgets of 235 households, which are public."""
        data = {"path": "example:food_budgets.csv", "column": "food_expenditure", "unit": "fr", "bids_are": "public"}
        return AuctionDesign(**data, cap=1000, epsilon="0.5")

    def asking_column(self) -> InputsColumn:
        """Ask for bids, cap and privacy."""
        return InputsColumn()

    def results_column(self) -> ResultsColumn:
        """Show what it earns, and whether lying pays."""
        return ResultsColumn(self._inputs, self.whyRequested.emit)

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        """Put a sentence where the pictures will be."""
        self.empty = SentenceLabel("small")
        self.empty.setText(self.tr("Enter bids and a cap to draw a price."))
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.hide()
        self._pictures.body.insertWidget(self._pictures.body.indexOf(self.actions_row), self.empty, 1)
        super().lay_out(columns)

    def parts(self) -> Sequence[Part[Any, Any]]:
        """Show the bids as soon as they are read."""
        return Part(None, lambda s: (s.outcome("bids"), s.design), self._inputs.show_bids), *super().parts()

    def jobs(self, study: AuctionDesign) -> Sequence[Job]:
        """Read the bids and compute the price; who gains most by lying is a job of the kind where that takes longer."""
        return Job("bids", lambda progress: source_of(study)), Job("solve", lambda progress: priced(study, progress))

    def show_design(self, before: AuctionDesign | None, design: AuctionDesign) -> None:
        """Show a design; where a bid is dragged that is the truth now, and no lie."""
        if self.dragging and before is not None and before.bids is not design.bids:
            self.view["says"] = None
        super().show_design(before, design)

    def _show(self) -> None:
        if self.answer is not None:
            self._set_blank(False)
        super()._show()

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show a sentence beside its control; without a cap there is nothing to draw."""
        super().show_failure(name, error)
        if name == "solve" and (self.answer is None or (self.design is not None and self.design.cap == "")):
            self._set_blank(True)

    def _set_blank(self, on: bool) -> None:
        self.empty.setVisible(on)
        self._pictures.stage.setVisible(not on)
        self.actions_row.setEnabled(not on)
        self._results.set_blank(on)

    def sentences(self, answer: AuctionAnswer) -> Sequence[str]:
        """Return what the price earns and what lying gains."""
        return answer.headlines

    def tour(self) -> Sequence[Stop]:
        """Lead over bids, cap, privacy, price, lying and drawing."""
        inputs, results, panels = self._inputs, self._results, self._pictures.panels
        bids = self.tr("The staircase shows the number of buyers at each price. Press “Draw” and drag over it to change bids.")
        cap = self.tr("The highest price, chosen without looking at the bids. Drag its handle: higher bids are cut to the cap.")
        privacy = self.tr("Move the slider. For smaller ε, the drawn price may be further from the best one.")
        price = self.tr(
            "The revenue of each price, the bids, and the distribution of the price. Drag a bidder’s line to make the bidder lie."
        )
        lying = self.tr("The expected gain of the bidder from a misreport. No lie gains more than the green line.")
        draw, only = self.actions_row.buttons[0], self.tr("Only a drawn price may be published.")
        return (
            Stop(inputs.bids, self.tr("Bids"), bids, inputs.changed),
            Stop(inputs.cap, self.tr("Cap on bids"), cap, inputs.changed),
            Stop(inputs.privacy, self.tr("How private"), privacy, inputs.changed),
            Stop(self._pictures, self.tr("The price"), price, panels.moved),
            Stop(results.lying, self.tr("Does lying pay?"), lying),
            Stop(draw, self.tr("Draw a price"), only, draw.clicked),
        )

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return the revenue of each price; of private bids, nothing."""
        answer = priced(study)
        plot = revenue(answer, (0.0, answer.cap)).public()
        return Portrait({}, charts=(plot,) if study.bids_public else ())

    # Taking away: each picture shows the bids, or what is computed from them -------------------------------------------

    def copy(self) -> bool:
        """Copy the open panel."""
        return self.answer is not None and self.answer.design.bids_public and super().copy()

    def figures(self) -> Iterable[Figure]:
        """Return the pictures of the open view."""
        return super().figures() if self.answer is not None and self.answer.design.bids_public else ()
