"""The middle of the noise page: densities, costs, a histogram, one view at a time."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from dpdesigner.desktop.look.words import translated
from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.pages.kit.declared_results import PanelColumn
from dpdesigner.desktop.pages.kit.gamma_row import GammaRow
from dpdesigner.desktop.pages.kit.view_sentence import ViewSentence
from dpdesigner.desktop.pages.kit.views_card import ViewsCard
from dpdesigner.desktop.pages.noise.budget_panel import BudgetPanel
from dpdesigner.desktop.pages.noise.histogram_panel import HistogramPanel
from dpdesigner.desktop.pages.noise.sides import MOST_CHANCE, START, Answer, Asked, noise_of, panels_of, shift_of, tabs_of
from dpdesigner.desktop.widgets.base.column import scrolling
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.outcome import HistogramOutcome
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.panels import chance_within
from dpdesigner.studies.noise.words import view_words


class PicturesCard(ViewsCard):
    """Tabs, the view they open, a sentence on what it shows, and the choice of gamma."""

    shareMoved = Signal(float)  #: the neighbouring answer is dragged to this part of the sensitivity
    chanceMoved = Signal(float)  #: the bounds are dragged to where they hold this share of the errors

    def __init__(self, asking: AskingColumn[Asked]) -> None:
        super().__init__(self.tr("Noise"))
        self._asking = asking
        self._answer: Answer | None = None
        self.share, self.chance = START
        self._before: tuple[float, float] | None = None  # both, when the drag of one began
        self.curves, self.histogram, self.budget = PanelColumn(bare=True), HistogramPanel(asking), BudgetPanel(asking)
        self.curves.moving.connect(self._preview)
        self.curves.moved.connect(self._settle)
        self.curves.cancelled.connect(self._restore)
        self.curves.told.connect(self._tell)
        self._panels: dict[str, QWidget] = {"histogram": scrolling(self.histogram), "budget": self.budget}
        self._stack, self._plots = QStackedWidget(), scrolling(self.curves)
        for panel in (self._plots, *self._panels.values()):
            self._stack.addWidget(panel)
        self.sentence, self.gamma = ViewSentence(), GammaRow()
        self.gamma.typed.connect(self._type_gamma)
        asking.field("gamma", partial(show_in, self, self.gamma.box))
        self.add(self._stack, 1)
        self.add(self.sentence)
        self.add(self.gamma)

    @property
    def view(self) -> str:
        """The open view."""
        return self.tabs.current()

    def set_design(self, before: Asked | None, design: Asked) -> None:
        """Offer the views of a design, and show its inputs."""
        if before is None or before.kind != design.kind or tabs_of(before) != tabs_of(design):
            tabs = [(key, translated(title), translated(tip)) for key, title, tip in tabs_of(design)]
            self.offer(tabs, "" if isinstance(design, HistogramDesign) else self.view)
        if isinstance(design, HistogramDesign):
            self.histogram.set_design(design)
        else:
            self.gamma.set_gamma(str(design.gamma))
            self.budget.set_design(design)

    def open(self, design: Asked, view: str, presenting: bool) -> None:
        """Bring the panel of a view to the front."""
        self.tabs.set_current(view)
        self._stack.setCurrentWidget(self._panels.get(view, self._plots))
        self.gamma.setVisible(isinstance(design, NoiseDesign) and view not in ("budget", "several") and not presenting)

    def set_answer(self, answer: Answer) -> None:
        """Take what was computed."""
        self._answer = answer
        if isinstance(answer, HistogramOutcome):
            self.histogram.set_outcome(answer)
        else:
            self.gamma.note.setText(translated(answer.step))

    def set_stale(self, on: bool) -> None:
        """Fade the views while newer ones are being computed."""
        for panel in (self.curves, self.histogram.bars):
            panel.set_stale(on)

    def show_view(self, view: str, share: float, chance: float) -> None:
        """Show a view of the answer, with the neighbouring answer and the bounds where they were put."""
        self.share, self.chance = share, chance
        noise = noise_of(self._answer)
        design = self._asking.design
        if design is not None and (shown := panels_of(design, self._answer, view, share, chance)):
            self.curves.show_panels(shown, lambda target: None)  # handles are where they belong
        if view == "budget" and noise is not None:
            self.budget.set_outcome(noise)
        self._say(view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the sentence take what it needs at the new width."""
        super().resizeEvent(event)
        self.sentence.forget()

    def _say(self, view: str, told: str = "") -> None:
        """Say what was told of a place, or what is to be seen in a view."""
        if not told and (noise := noise_of(self._answer)) is not None:
            told = translated(view_words(noise, view, shift_of(noise, self.share), self.chance))
        self.sentence.say(view, told)

    @Slot(str)
    def _tell(self, told: str) -> None:
        if self.view == "plane":
            self._say("plane", told)

    @Slot(str)
    def _type_gamma(self, text: str) -> None:
        self.set_error("")
        self._ask_gamma(self.tr("Choose γ"), text.strip() or "optimal")
        if not self.error.text() and isinstance(design := self._asking.design, NoiseDesign):
            self.gamma.set_gamma(str(design.gamma))

    def _ask_gamma(self, label: str, gamma: str) -> None:
        self._asking.ask(label, lambda design: design.replace(gamma=gamma))

    @Slot(str, float)
    def _preview(self, target: str, place: float) -> None:
        self._before = self._before or (self.share, self.chance)
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
            self._asking.previewCancelled.emit()
        elif before is not None:
            self.shareMoved.emit(before[0])
            self.chanceMoved.emit(before[1])

    def _move(self, target: str, place: float, final: bool) -> None:
        if (noise := noise_of(self._answer)) is None or self._answer is None:
            return
        if target == "view.share":
            self.shareMoved.emit(min(max(place / noise.design.period, -1.0), 1.0))
        elif target == "view.chance":
            self.chanceMoved.emit(min(chance_within(noise, abs(place)), MOST_CHANCE))
        elif target == "gamma":
            self._ask_gamma(self.tr("Choose γ") if final else "", f"{min(max(place, 0.0), 1.0):.3g}")
        else:  # epsilon, of the whole where the curve is of a cell
            whole = place * self._answer.design.epsilon / noise.design.epsilon
            (self._asking.change_epsilon if final else self._asking.preview_epsilon)(whole)
