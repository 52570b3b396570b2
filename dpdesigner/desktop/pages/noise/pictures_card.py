"""The middle of the noise page: densities, costs, a histogram, one view at a time."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.gamma_row import GammaRow
from dpdesigner.desktop.pages.kit.view_sentence import ViewSentence
from dpdesigner.desktop.pages.kit.views_card import ViewsCard
from dpdesigner.desktop.pages.noise import words
from dpdesigner.desktop.pages.noise.budget_panel import BudgetPanel
from dpdesigner.desktop.pages.noise.curves_panel import CurvesPanel
from dpdesigner.desktop.pages.noise.histogram_panel import HistogramPanel
from dpdesigner.desktop.pages.noise.plane_panel import PlanePanel
from dpdesigner.desktop.pages.noise.queries import query_of
from dpdesigner.desktop.pages.noise.sides import Answer, Asked, noise_of, side_of
from dpdesigner.desktop.widgets.base.column import scrolling
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.outcome import HistogramOutcome
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.noise.panels import chance_within, density, planes, plots
from dpdesigner.studies.panels import Plot

#: The neighbouring answer is drawn at this part of the sensitivity, and the bounds hold this share, until they are dragged.
_START, _SHARE = 0.6, 0.95
_MOST_CHANCE = 0.9999


class PicturesCard(ViewsCard):
    """Tabs, the view they open, a sentence on what it shows, and the choice of gamma."""

    epsilonMoving = Signal(float)  #: the cursor of a curve against epsilon is dragged
    epsilonMoved = Signal(float)
    gammaMoving = Signal(float)  #: the same for gamma
    gammaMoved = Signal(float)
    handleCancelled = Signal()  #: the drag of one of them was given up
    gammaTyped = Signal(str)  #: a number, or "optimal"
    viewWanted = Signal(object, str)  #: what this view of an outcome shows is not computed yet

    def __init__(self) -> None:
        super().__init__(self.tr("Noise"))
        self._design: Asked | None = None
        self._answer: Answer | None = None
        self._share, self._chance = _START, _SHARE
        self._before: tuple[float, float] | None = None  # both, when the drag of one began
        self._presenting = False
        self.viewChosen.connect(self.set_view)
        self.curves, self.histogram = CurvesPanel(), HistogramPanel()
        self.plane, self.budget = PlanePanel(), BudgetPanel()
        self.first, self.second = self.curves.first, self.curves.second
        self.curves.moving.connect(self._preview)
        self.curves.moved.connect(self._settle)
        self.curves.cancelled.connect(self._restore)
        self.plane.sentenceChanged.connect(self._read_plane)
        self._panels: dict[str, QWidget] = {
            "histogram": scrolling(self.histogram),
            "plane": scrolling(self.plane),
            "budget": self.budget,
        }
        self.plane.hide()  # until it has something to show
        self._stack, self._plots = QStackedWidget(), scrolling(self.curves)
        for panel in (self._plots, *dict.fromkeys(self._panels.values())):
            self._stack.addWidget(panel)
        self.sentence, self.gamma = ViewSentence(), GammaRow()
        self.gamma.typed.connect(self.gammaTyped)
        self.add(self._stack, 1)
        self.add(self.sentence)
        self.add(self.gamma)

    # What is shown -----------------------------------------------------------------------------------------------------

    @property
    def view(self) -> str:
        """The open view."""
        return self.tabs.current()

    @property
    def share(self) -> float:
        """How far away the neighbouring answer is, as a part of the sensitivity, in [-1, 1]."""
        return self._share

    @property
    def chance(self) -> float:
        """The share of the errors whose bounds are shown, in (0, 1)."""
        return self._chance

    def set_design(self, design: Asked) -> None:
        """Offer the views of a design, and show its inputs."""
        before, self._design = self._design, design
        side = side_of(design)
        if before is None or before.kind != design.kind or side_of(before).tabs(before) != side.tabs(design):
            tabs = [(key, translated(title), translated(tip)) for key, title, tip in side.tabs(design)]
            self.offer(tabs, "" if side.own_view else self.view)
        if isinstance(design, HistogramDesign):
            self.histogram.set_design(design)
        else:
            self.gamma.set_gamma(str(design.gamma))
            self.budget.set_study(design)
        self._open()

    @Slot(str)
    def set_view(self, view: str) -> None:
        """Open a view; one that the design does not have changes nothing."""
        self.tabs.set_current(view)
        self._open()
        self._show()

    def _open(self) -> None:
        """Bring the panel of the open view to the front."""
        self._stack.setCurrentWidget(self._panels.get(self.view, self._plots))
        chosen = self._design is not None and side_of(self._design).gamma and self.view not in ("budget", "several")
        self.gamma.setVisible(chosen and not self._presenting)

    def set_share(self, share: float) -> None:
        """Put the neighbouring answer at this part of the sensitivity."""
        self._share = min(max(share, -1.0), 1.0)
        self._show()

    def set_chance(self, chance: float) -> None:
        """Show the bounds of this share of the errors."""
        self._chance = min(max(chance, 0.0), _MOST_CHANCE)
        self._show()

    def set_outcome(self, answer: Answer) -> None:
        """Show what was computed."""
        self._answer = answer
        if isinstance(answer, HistogramOutcome):
            self.histogram.set_outcome(answer)
        else:
            self.gamma.note.setText(translated(answer.step))
        self._show()

    def set_stale(self, on: bool) -> None:
        """Fade the views while newer ones are being computed."""
        for panel in (self.curves, self.histogram, self.plane):
            panel.set_stale(on)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._presenting = on
        self.histogram.set_presenting(on)
        self._open()

    @property
    def noise(self) -> NoiseOutcome | None:
        """The noise that the curves are of: for a histogram, that of a cell."""
        return noise_of(self._answer)

    @property
    def shift(self) -> float:
        """The neighbouring answer less the first one: a whole number for an integer query."""
        if (noise := self.noise) is None:
            return 0.0
        place = self._share * noise.design.period
        return float(round(place)) if noise.design.query == "integer" else float(f"{place:.3g}")

    def plots(self, view: str) -> tuple[Plot, ...]:
        """Return what a view of plots shows, handles where the newest design is; none for other views."""
        noise, design = self.noise, self._design
        if noise is None or design is None or self._answer is None:
            return ()
        titles = {key: title for key, title, _ in side_of(design).tabs(design)}
        asked = {"epsilon": design.epsilon * (noise.design.epsilon / self._answer.design.epsilon)}
        if isinstance(design, NoiseDesign) and design.chosen_gamma is not None and noise.design.query == "real":
            asked["gamma"] = design.chosen_gamma
        return plots(view, titles.get(view, ""), noise, self.shift, self._chance, asked)

    def _show(self) -> None:
        answer, view = self._answer, self.view
        if answer is None or self._design is None or query_of(answer.design) != query_of(self._design) or not view:
            return
        noise = self.noise
        if noise is not None and not noise.ready(view):
            self.viewWanted.emit(noise, view)
            return
        if found := self.plots(view):
            self.curves.show_plots(found)
        if view == "plane" and noise is not None:
            self.plane.show_planes(planes(noise), density(noise, 0)[0])
        elif view == "budget" and noise is not None:
            self.budget.set_outcome(noise)
        self.sentence.say(view, self._words(noise, view))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the sentence take what it needs at the new width."""
        super().resizeEvent(event)
        self.sentence.forget()

    def _words(self, noise: NoiseOutcome | None, view: str) -> str:
        if noise is None or view in ("budget", "histogram"):
            return ""
        if view == "density":
            return words.ratio_sentence(noise, self.shift)
        if view == "distribution":
            return words.distribution_sentence(noise, self._chance)
        return words.view_sentence(noise, view)

    @Slot(str)
    def _read_plane(self, sentence: str) -> None:
        if self.view == "plane" and self.noise is not None:
            self.sentence.say("plane", sentence or words.view_sentence(self.noise, "plane"))

    # Intents -----------------------------------------------------------------------------------------------------------

    @Slot(str, float)
    def _preview(self, target: str, place: float) -> None:
        self._before = self._before or (self._share, self._chance)
        self._move(target, place, final=False)

    @Slot(str, float)
    def _settle(self, target: str, place: float) -> None:
        self._before = None
        self._move(target, place, final=True)

    @Slot(str)
    def _restore(self, target: str) -> None:
        """Take back what a drag that was given up has changed."""
        before, self._before = self._before, None
        if not target.startswith("view."):
            self.handleCancelled.emit()
        elif before is not None:
            self._share, self._chance = before
            self._show()

    def _move(self, target: str, place: float, final: bool) -> None:
        if (noise := self.noise) is None or self._answer is None:
            return
        if target == "view.share":
            self.set_share(place / noise.design.period)
        elif target == "view.chance":
            self.set_chance(chance_within(noise, abs(place)))
        elif target == "gamma":
            (self.gammaMoved if final else self.gammaMoving).emit(min(max(place, 0.0), 1.0))
        else:  # epsilon, of the whole where the curve is of a cell
            whole = place * self._answer.design.epsilon / noise.design.epsilon
            (self.epsilonMoved if final else self.epsilonMoving).emit(whole)
