"""The noise page: the query on the left, its noise in pictures, and the costs on the right; a histogram's data and releases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.base.layouts import row_of
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.translation import capital, translated
from dpdesigner.desktop.pages.kit.actions import VIEW
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Figure, Part, Stop
from dpdesigner.desktop.pages.kit.panel_views import KeptSentencePanel, PanelView, Place
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.pages.noise.inputs_column import InputsColumn
from dpdesigner.desktop.pages.noise.results_column import HiddenNoise, ResultsColumn, figures, portrait_of, sketched
from dpdesigner.desktop.pages.noise.rows import DataRow, GammaRow, WeightsRow, WithinBox
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.files.noise_export import table
from dpdesigner.files.programs import sampler
from dpdesigner.studies.base import Panel
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_answer import HistogramAnswer
from dpdesigner.studies.noise.histogram_conversion import Asked, aiming, as_count, reached
from dpdesigner.studies.noise.histogram_design import HistogramDesign, counted, release, truth_of
from dpdesigner.studies.noise.plots import WITHIN, chance_within
from dpdesigner.studies.noise.run import MOST_CHANCE, drawn, within_of
from dpdesigner.studies.snapshot import Action, Found, Snapshot
from dpdesigner.studies.study import Job, Progress
from dpdesigner.studies.table_panels import Ranking, Sentence


class BudgetBars(PanelView):
    """Bars without a card of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.bars = CostBars()
        self.column.addWidget(self.bars)
        self.column.addStretch(1)

    def show_panel(self, panel: Ranking, place: Place) -> None:
        self.bars.show_ranking(panel)


class NoisePage(DeclaredPage):
    """Find the optimal private noise for a number, several numbers or a histogram, and compare it with Laplace noise."""

    kind = "noise"
    bare = True
    panel_views: ClassVar[Mapping[str, Callable[[], PanelView]]] = {"told": KeptSentencePanel, "budget": BudgetBars}

    def __init__(self, parent: QWidget | None = None) -> None:
        self._spent: dict[str, list[float]] = {}  # privacy levels of each file's releases, whatever they counted
        super().__init__(parent)
        self._inputs.privacy.aim_by(aiming, self.requested.emit)
        self._results.samplerRequested.connect(self.copy_whole)
        self._results.countRequested.connect(self.send_to_count)
        self._results.saveWanted.connect(self.exportRequested)
        self._results.giving.copied.connect(self.message)
        self._pictures.panels.told.connect(self._tell)
        self._counting = self.actions()[: len(HistogramDesign.buttons)]
        self.offer_copy(self.tr("Copy a sampler in Python"))
        self.add_command(self.tr("Open this noise on the Count page"), "", self.send_to_count)

    @classmethod
    def starting_study(cls, kind: str) -> Asked:
        """Return a design for hours of sport, or for visits to a doctor in 20 190 person-years."""
        if kind == HistogramDesign.kind:
            return HistogramDesign(cells="0..13", epsilon="1/2", path="example:doctor_visits.csv", column="visits")
        return NoiseDesign("real", epsilon=2, sensitivity=3, cost="squared", unit="hours")

    def asking_column(self) -> InputsColumn:
        return InputsColumn(lambda: self.held)

    def results_column(self) -> ResultsColumn:
        return ResultsColumn(self._inputs, self.whyRequested.emit)

    def button_actions(self) -> Sequence[Action]:
        """Return the buttons of a histogram, and those that draw noise; their shortcut also releases a histogram."""

        def drawn_from(now: Snapshot) -> bool:
            return bool(now.design.kind == NoiseDesign.kind and now.view["view"] in ("density", "plane"))

        once = self.tr("Draw noise once: whole numbers exactly, real numbers for simulation only")
        often = self.tr("Draw noise a hundred times to see its spread")
        return (
            *HistogramDesign.buttons,
            Action(
                self.tr("Draw once"),
                lambda now: self.drawing(1),
                once,
                "Ctrl+R",
                command=self.tr("Draw noise once"),
                presented=True,
                offered=drawn_from,
                main=True,
            ),
            Action(
                self.tr("× 100"),
                lambda now: self.drawing(100),
                often,
                command=self.tr("Draw noise a hundred times"),
                presented=True,
                offered=lambda now: drawn_from(now) and now.view["view"] == "density",
            ),
        )

    def lay_out(self, columns: tuple[QWidget, QWidget, QWidget]) -> None:
        """Put the data of a histogram below its cells, the weights above the pictures, and gamma below them."""
        card = self._pictures
        self._data, self._weights = DataRow(self._inputs, self), WeightsRow(self._inputs, card)
        self._inputs.query.add(self._data)
        above: Any = card.panels.layout()
        above.insertWidget(0, self._weights)  # scrolls with the plots
        self._gamma, self._within = GammaRow(self._inputs, card), WithinBox()
        self._within.chosen.connect(lambda bound: self.look(within=bound))
        row = QWidget()
        row_of((self.actions_row, 1), self._within, on=row, gap=6)
        card.add(row)
        card.add(self._gamma)
        preferences().changed.connect(self._show_details)
        super().lay_out(columns)

    @Slot()
    def _show_details(self) -> None:
        if self.design is not None:
            self._show_rows(self.design, self.view["view"], self.presenting)

    def parts(self) -> Sequence[Part[Any, Any]]:
        """Return the parts for rows, draws and the level found for an aim, in addition to those of every declared page."""
        return (
            Part(None, lambda s: (s.design, s.view["view"], s.presenting), self._show_rows),
            Part(None, lambda s: (s.design, truth_of(s)), lambda design, truth: self._data.show_truth(truth)),
            *super().parts(),
            Part(None, lambda s: (s.answer,), self._show_level),
            Part(None, lambda s: (s.answer, s.view["view"], s.view["within"]), self._show_within),
            Part(None, lambda s: (s.answer, s.outcomes.get("release"), s.design), self._show_given),
            Part(None, lambda s: (s.outcome("target"),), self._inputs.privacy.reach),
        )

    # Inputs and jobs ---------------------------------------------------------------------------------------------------

    def show_design(self, before: Asked | None, design: Asked) -> None:
        """Show a design; the open view stays open if the design has it."""
        looked = self.view
        super().show_design(before, design)
        if before is not None and before.views != design.views:
            opens = isinstance(design, HistogramDesign) and not isinstance(before, HistogramDesign)
            kept = {key: value for key, value in looked.items() if key in self.view and (key != "view" or not opens)}
            if kept.get("view") not in self.tabs:
                kept.pop("view", None)
            self.view = {**self.view, **kept}
            self._pictures.tabs.set_current(self.view["view"])
        self._pictures.set_error("")
        if isinstance(design, HistogramDesign):
            self._data.set_design(before, design)
        else:
            self._gamma.set_design(design)
            self._weights.set_design(design)

    def jobs(self, study: Asked) -> Sequence[Job]:
        """Compute the noise and everything that the open view shows of it."""
        view = self.view["view"]

        def run(progress: Progress) -> NoiseAnswer | HistogramAnswer:
            answer: NoiseAnswer | HistogramAnswer = study.run(progress)
            answer.noise_shown.prepare(view)
            return answer

        return (Job("solve", run),)

    def looks(self, name: str, value: Any) -> Mapping[str, Any]:
        """Return what a line was dragged to: a share of the sensitivity, or of the errors within bounds; and a cell as it is."""
        if self.answer is None:
            return {}
        noise = self.answer.noise_shown
        if name == "share":
            return {name: min(max(value / noise.design.period, -1.0), 1.0)}
        if f"{VIEW}{name}" in WITHIN:
            return {"within": within_of(noise, value)}
        return {name: min(chance_within(noise, abs(value)), MOST_CHANCE) if name == "chance" else value}

    def _place(self, target: str) -> float | None:
        """Return no position for lines of the view, so that they stay where their panel puts them."""
        return None if target.startswith(VIEW) else super()._place(target)

    # Results -----------------------------------------------------------------------------------------------------------

    def shared_out(self, answer: Any) -> tuple[list[Panel], list[Panel]]:
        """Put the costs on the right; the shares of a budget count as pictures."""
        panels = self.panels_of(answer)
        middle = [each for each in panels if each.key != "costs" and not (isinstance(each, Sentence) and not each.text)]
        if self.view["view"] == "budget":
            middle.reverse()  # the sentence first, because the bars take only the height they need
        return middle, [each for each in panels if each.key == "costs"]

    def _show(self, *_: Any) -> None:
        """Show the open view once it is fully computed; until then the previous one stays, faded."""
        answer, view, panels = self.answer, self.view["view"], self._pictures.panels
        ready = answer is not None and view in [each.key for each in answer.design.views] and answer.noise_shown.ready(view)
        panels.set_stale(not ready or "solve" in self.late)
        if ready:
            super()._show()
            column: Any = panels.layout()
            for shown in panels.views.values():
                if isinstance(shown, KeptSentencePanel):  # moves to the top if there is no plot
                    column.setStretchFactor(shown, int(len(panels.views) == 1))

    def _show_rows(self, design: Asked, view: str, presenting: bool) -> None:
        number, counts = isinstance(design, NoiseDesign), isinstance(design, HistogramDesign)
        self._data.show_row(counts)
        for command in self._counting:
            command.setVisible(counts)
        self._weights.setVisible(number and view == "budget")
        shows = "gamma" in view or preferences().choices.exact or (isinstance(design, NoiseDesign) and design.gamma != "optimal")
        self._gamma.setVisible(number and shows and view not in ("budget", "several") and not presenting)

    def _show_within(self, answer: NoiseAnswer | HistogramAnswer, view: str, within: float | None) -> None:
        """Show the box for the bound beside the density of a single answer."""
        noise = answer.noise_shown
        shown = view == "density" and noise.design.dimension == 1
        self._within.setVisible(shown)
        if shown:
            self._within.show_bound(within_of(noise, within), noise)

    def _show_given(self, answer: NoiseAnswer | HistogramAnswer, found: Any, design: Asked) -> None:
        """Show what is given away of a histogram: the release of this design, or that there is none."""
        giving = self._results.giving
        giving.setVisible(isinstance(design, HistogramDesign))
        if isinstance(answer, HistogramAnswer) and isinstance(design, HistogramDesign):
            made = found.value if found is not None and found.value.releases(design) else None
            giving.show_release(answer, made, self._spent.get(design.path, ()))

    def _show_level(self, answer: NoiseAnswer | HistogramAnswer) -> None:
        self._inputs.privacy.set_costs(*reached(answer.noise_shown))
        self._gamma.set_answer(answer.noise_shown)

    def _open_view(self, view: str) -> None:
        super()._open_view(view)
        if isinstance(sentence := self._pictures.panels.views.get("told"), KeptSentencePanel):
            sentence.label.forget()

    @Slot(str)
    def _tell(self, text: str) -> None:
        """Describe the point under the mouse in the plane, or the view if there is none."""
        column = self._pictures.panels
        if isinstance(sentence := column.views.get("told"), KeptSentencePanel):
            panel: Any = column.panels["told"]
            sentence.label.say("", text or translated(panel.text))

    def show_outcome(self, name: str, outcome: Any) -> None:
        """Show an outcome; each release is recorded as an access to the data."""
        if name == "release":
            made = outcome.value.design
            self._spent.setdefault(made.path, []).append(made.privacy.epsilon_above)
        super().show_outcome(name, outcome)

    def show_failure(self, name: str, error: DpDesignerError) -> None:
        if name in ("truth", "release"):
            self._data.show_failure(str(error))
            self._refresh()
        else:
            super().show_failure(name, error)

    def sentences(self, answer: NoiseAnswer | HistogramAnswer) -> Sequence[str]:
        return answer.headlines

    def tour(self) -> Sequence[Stop]:
        """Return the tour of the page's cards."""
        query, cost, privacy = self._inputs.cards
        changed, results = self._inputs.changed, self._results
        asks = self.tr(
            "Enter what you publish and its sensitivity Δ, the largest change by one row. Choose another kind of answer."
        )
        draws = self.tr(
            "Copy a program that draws this noise. Whole numbers are drawn exactly, real numbers only for simulation."
        )
        looks = self.tr("The picture shows the probability of each amount of noise. Press “Draw once” to draw one.")
        stops = (
            (query, asks, changed),
            (
                cost,
                self.tr("The cost of an error can be its size, its square, or a curve that you draw. Choose another cost."),
                changed,
            ),
            (privacy, self.tr("Move the slider. The sentence below shows how far a bet on one row could move at most."), changed),
            (self._pictures, looks, None),
            (results.costs, self.tr("The expected cost of the best noise, compared with that of the usual noise."), None),
            (results.noise, draws, None),
        )
        views = self.tr("The noise in pictures")
        return [Stop(card, views if card is self._pictures else card.accessibleName(), *rest) for card, *rest in stops]

    # Drawing and export ------------------------------------------------------------------------------------------------

    def drawing(self, many: int) -> Job | None:
        """Return the job that draws noise (exact for integers, otherwise for simulation only) or releases a histogram."""
        now, solved = self.snapshot(), self.answer
        if solved is None:
            return None
        if isinstance(solved, HistogramAnswer):
            return release(now) if counted(now) else None
        return Job("draw", lambda progress: Found(now.solved, drawn(solved, many)))

    @Slot()
    def send_to_count(self) -> None:
        """Add a design of the Count page with this noise, if it is the geometric mechanism."""
        design = None if self.answer is None else as_count(self.answer.noise_shown)
        if design is None:
            self.message.emit(self.tr("Only noise with Δ = 1, for whole numbers or with γ = 1/2, is the geometric mechanism."))
        else:
            self.designRequested.emit(design)

    def whole_text(self) -> str:
        """Return a program that draws this noise; if there is none, explain why."""
        noise = None if self.answer is None else self.answer.noise_shown
        try:
            return "" if noise is None else sampler(noise)
        except InputError as error:
            self.message.emit(capital(str(error)))
            return ""

    @Slot()
    def copy_whole(self) -> None:
        if self._put(self.whole_text()):
            self._results.show_copied()

    def copy(self) -> bool:
        """Copy the open panel; for a histogram, only the released counts."""
        if self.view["view"] != "histogram":
            if self.answer is not None:
                self.answer.noise_shown.prepare(self.view["view"])
                self._show()  # includes what no job has computed yet
            return super().copy()
        made = self.outcomes.get("release")
        if made is None or not made.value.releases(self.design):
            return False
        return self._put(tabbed(table(made.value.release.columns())))

    def views(self) -> Sequence[str]:
        """Return no views: the figures are those of all views."""
        return ()

    def figures(self) -> Iterable[Figure]:
        """Return the pictures of all views, the open one first, and the costs."""
        if self.answer is None:
            return ()
        return figures(self.snapshot(), {figure.name: figure.size for figure in self._pictures.panels.figures()})

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Restore the state that `view_state` returned; missing values stay unchanged."""
        super().set_view_state({**self.view, **state})

    @classmethod
    def hidden(cls, parent: QWidget | None) -> HiddenNoise:
        """Create the source of the figures, which needs no widget of the page."""
        return HiddenNoise()

    def portrait(self, study: Any, outcomes: Mapping[str, Any]) -> Portrait:
        """Return inputs, results and curves of a design for comparison; answers for other designs are left out."""
        return portrait_of(study, outcomes.get("solve"))

    @classmethod
    def sketched(cls, study: Any) -> Portrait:
        return sketched(study)

    def set_presenting(self, on: bool) -> None:
        """Hide the editing controls; drawing noise stays, because it is part of a demonstration."""
        self._data.set_presenting(on)
        self._results.sampler.setVisible(not on)
        super().set_presenting(on)
