"""The noise page: what is asked, both noises in pictures, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.core.noise.snippet import snippet
from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.pages.kit.handles import Handles
from dpdesigner.desktop.pages.kit.page import Explanation, Figure, Page, Stop
from dpdesigner.desktop.pages.kit.parts import Part
from dpdesigner.desktop.pages.kit.portrait import Portrait
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.desktop.pages.noise import sides
from dpdesigner.desktop.pages.noise.costs_column import CostsColumn
from dpdesigner.desktop.pages.noise.inputs_column import InputsColumn
from dpdesigner.desktop.pages.noise.pictures_card import PicturesCard
from dpdesigner.desktop.pages.noise.sides import Answer, Asked
from dpdesigner.desktop.pages.noise.taking_away import HiddenNoise, figures, rows_shown
from dpdesigner.desktop.theme.words import capital
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.studies.histogram.conversion import as_count, query_of
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.inverse import aiming, reached
from dpdesigner.studies.job import Job
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.panels import chance_within
from dpdesigner.studies.noise.view_text import drawn


class NoisePage(Page[Asked, Answer]):
    """Find the cheapest private noise for a number, several or a histogram, and see it beside Laplace noise."""

    view_keys = ("view", "share", "chance")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view.update(zip(self.view_keys, ("density", *sides.START), strict=True))
        self._inputs = InputsColumn(lambda: self.held)
        self._pictures, self._costs = PicturesCard(self._inputs), CostsColumn(self._inputs)
        lay_out_columns(self, "noise-columns", (self._inputs, self._pictures, self._costs), (328, 476, 336))
        self.set_asking(self._inputs)
        self._connect()
        self._list_parts()
        self.offer_draw(self.tr("Draw noise once"))
        self.offer_copy(self.tr("Copy a sampler in Python"))
        self.add_command(self.tr("Open this noise on the Count page"), "", self.send_to_count)

    def _connect(self) -> None:
        pictures, costs = self._pictures, self._costs
        self._inputs.privacy.aim_by(aiming, self.requested.emit)
        pictures.histogram.releaseRequested.connect(self.draw_once)
        costs.drawRequested.connect(self.draw_once)
        costs.samplerRequested.connect(self.copy_whole)
        costs.countRequested.connect(self.send_to_count)
        costs.costs.whyRequested.connect(self.whyRequested)
        self.look_by(pictures.viewChosen, "view")
        Handles(self, self._looks).follow(pictures.curves)

    def _list_parts(self) -> None:
        pictures, costs, privacy = self._pictures, self._costs, self._inputs.privacy
        self.fades = (pictures.set_stale,)
        self.set_parts(
            Part(pictures, lambda s: (s.design, s.view["view"], s.presenting), pictures.show_open),
            Part(pictures, lambda s: (s.answer,), pictures.set_answer, pictures.set_stale),
            Part(
                pictures,
                lambda s: (s.answer, self._ready(), s.view["view"], s.view["share"], s.view["chance"]),
                self._show_view,
            ),
            Part(costs, lambda s: (s.answer,), costs.set_outcome, costs.costs.set_stale),
            Part(costs, lambda s: (s.outcome("draw"),), costs.show_draw),
            Part(None, lambda s: (s.outcome("target"),), privacy.reach),
            Part(None, lambda s: (s.answer,), lambda answer: privacy.set_costs(*reached(sides.noise_of(answer) or answer))),
            Part(None, lambda s: (s.outcome("truth"),), pictures.histogram.set_truth),
            Part(None, lambda s: (s.outcome("release"),), pictures.histogram.set_released),
        )

    # What is shown -----------------------------------------------------------------------------------------------------

    def show_design(self, before: Asked | None, design: Asked) -> None:
        """Show a design's inputs; a view that it does not have gives way to its first."""
        super().show_design(before, design)
        self._pictures.set_design(before, design)
        self.view["view"] = self._pictures.view

    def jobs(self, study: Asked) -> Sequence[Job]:
        """Compute the noise, and count the rows of a histogram."""
        counting = self._pictures.histogram.jobs(study) if isinstance(study, HistogramDesign) else ()
        return (Job("solve", sides.looked_at(study, self.view["view"])), *counting)

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        """Show a sentence beside its control."""
        if name in ("truth", "release"):
            self._pictures.histogram.show_failure(str(error))
        else:
            super().show_failure(name, error)

    @property
    def _solved(self) -> NoiseAnswer | None:
        """The noise: for a histogram, that of a cell."""
        return sides.noise_of(self.answer)

    def _looks(self, name: str, place: float) -> Mapping[str, float]:
        """What is looked at once a line is dragged: a part of the sensitivity, or the share of the errors within bounds."""
        if (noise := self._solved) is None:
            return {}
        if name == "share":
            return {name: min(max(place / noise.design.period, -1.0), 1.0)}
        return {name: min(chance_within(noise, abs(place)), sides.MOST_CHANCE)}

    def _ready(self) -> bool:
        """Whether what the open view shows is computed."""
        return self._solved is None or self._solved.ready(self.view["view"])

    def _show_view(self, answer: Answer, ready: bool, view: str, share: float, chance: float) -> None:
        """Show the open view of the answer to what is asked; what it lacks is computed in the background first."""
        offered = [key for key, _, _ in sides.tabs_of(answer.design)]
        if self.design is None or query_of(answer.design) != query_of(self.design) or view not in offered:
            return
        solved = sides.noise_of(answer)
        if ready or solved is None:
            self._pictures.show_view(view, share, chance)
        else:
            self.requested.emit(Job("look", lambda progress: solved.prepare(view)))

    def sentences(self, answer: Answer) -> Sequence[str]:
        """Return how far off an answer is."""
        return sides.headlines_of(answer)

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        """Return the shape of the noise."""
        return sides.sketched(study)

    def explanation(self) -> Explanation | None:
        """Explain the noise shown, once there is one."""
        return None if self.answer is None else sides.explanation_of(self.answer)

    def tour(self) -> Sequence[Stop]:
        """Lead through the page's cards."""
        query, cost, privacy = self._inputs.cards
        changed, views = self._inputs.changed, self.tr("The noise in pictures")
        asks = self.tr(
            "What you publish, and by how much one row can change it: the sensitivity Δ. Choose another kind of answer."
        )
        draws = self.tr("Press “Draw once” for one amount of noise. Whole numbers are drawn exactly; others only for simulation.")
        looks = self.tr("How likely each release is. The names above open other views, such as what it costs.")
        stops = (
            (query, asks, changed),
            (cost, self.tr("Does an error cost its size, its square, or what you draw? Choose another cost."), changed),
            (privacy, self.tr("Move the slider. The sentence below says how far a bet on one row could move, at most."), changed),
            (self._pictures, looks, None),
            (self._costs.costs, self.tr("The average cost of the best noise, and how much more the usual one costs here."), None),
            (self._costs.noise, draws, self._costs.drawRequested),
        )
        return [Stop(card, views if card is self._pictures else card.accessibleName(), *rest) for card, *rest in stops]

    def drawing(self, many: int) -> Job | None:
        """Return what draws noise: exactly for whole numbers, for simulation only otherwise; or releases a histogram."""
        if isinstance(self.design, HistogramDesign):
            return self._pictures.histogram.releasing()
        solved = self._solved
        return None if solved is None else Job("draw", lambda progress: drawn(solved))

    @Slot()
    def send_to_count(self) -> None:
        """Add a design of the Count page with this noise, where it is the geometric mechanism."""
        design = None if self._solved is None else as_count(self._solved)
        if design is None:
            self.message.emit(self.tr("Only noise with Δ = 1, for whole numbers or with γ = 1/2, is the geometric mechanism."))
        else:
            self.designRequested.emit(design)

    def portrait(self, study: Any, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, results and curves of a design, to be compared with others; an answer for another is left out."""
        return sides.portrait_of(study, outcomes.get("solve"))

    def whole_text(self) -> str:
        """Return a program that draws this noise; where there can be none, say why."""
        try:
            return "" if self._solved is None else snippet(self._solved.noise, self._solved.design.privacy)
        except InputError as error:
            self.message.emit(capital(str(error)))
            return ""

    @Slot()
    def copy_whole(self) -> None:
        """Put the program on the clipboard, and say so."""
        if self._put(self.whole_text()):
            self._costs.show_copied()

    def selected_text(self) -> str:
        """Return the numbers of the open view; of a histogram what was released."""
        if self.design is None or self.answer is None:
            return ""
        rows = rows_shown(self.design, self.answer, self._pictures.histogram.released, self.view)
        return tabbed(rows)

    def figures(self) -> Iterable[Figure]:
        """Return all views, the open one first, and the costs."""
        if self.design is None or self.answer is None:
            return ()
        sizes = {figure.name: figure.size for figure in self._pictures.curves.figures()}
        sizes["histogram"] = self._pictures.histogram.bars.counts.figure().size()
        return figures(self.design, self.answer, self._pictures.histogram.released, self.view, sizes)

    @classmethod
    def hidden(cls, parent: QWidget | None) -> HiddenNoise:
        """Make what the figures are asked of; they need no widget of the page."""
        return HiddenNoise()

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore the open view, the place of the neighbouring answer and the share of the errors within bounds."""
        self.look(**sides.seen(self.design, state))

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing; drawing noise belongs to a demonstration."""
        self._inputs.set_presenting(on)
        self._pictures.histogram.set_presenting(on)
        self._costs.sampler.setVisible(not on)
        super().set_presenting(on)
