"""The middle of the noise page: densities, costs, a histogram, one view at a time."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesigner.desktop.pages.kit.asking import AskingColumn, show_in
from dpdesigner.desktop.pages.kit.declared_results import PanelColumn
from dpdesigner.desktop.pages.kit.views_card import StackedViews
from dpdesigner.desktop.pages.noise.budget_panel import BudgetPanel
from dpdesigner.desktop.pages.noise.histogram_panel import HistogramPanel
from dpdesigner.desktop.pages.noise.sides import START, Answer, Asked, noise_of, panels_of, shift_of, tabs_of
from dpdesigner.desktop.theme.words import tr, translated
from dpdesigner.desktop.widgets.base.column import scrolling
from dpdesigner.desktop.widgets.base.layouts import row_of, styled
from dpdesigner.desktop.widgets.base.value_box import ValueBox
from dpdesigner.studies.histogram.answer import HistogramAnswer
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.view_text import view_text


class GammaRow(QWidget):
    """A box, a button for the best gamma, and at the right what it is."""

    typed = Signal(str)  #: a number, or "optimal"

    def __init__(self) -> None:
        super().__init__()
        label = QLabel("γ")
        self.box = ValueBox("0.3775406")
        self.box.setAccessibleName(self.tr("gamma, the place of the step"))
        self.box.setToolTip(self.tr("Where in each period the noise steps down: a number from 0 to 1, or optimal"))
        self.box.committed.connect(self.typed)
        label.setBuddy(self.box)
        self.optimal = QPushButton(self.tr("Optimal γ"))
        self.optimal.setToolTip(self.tr("Take the gamma of least expected cost"))
        self.optimal.setCheckable(True)
        self.optimal.clicked.connect(self._take_optimal)
        self.note = styled("small")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row_of(label, self.box, self.optimal, (self.note, 1), on=self, gap=6)

    def set_gamma(self, gamma: str) -> None:
        """Show which gamma is asked for."""
        self.box.show_value(gamma)
        self.optimal.setChecked(gamma == "optimal")

    @Slot()
    def _take_optimal(self) -> None:
        self.optimal.setChecked(True)
        self.typed.emit("optimal")


class PicturesCard(StackedViews):
    """Tabs, the view they open, a sentence on what it shows, and the choice of gamma."""

    def __init__(self, asking: AskingColumn[Asked]) -> None:
        self.curves, self.histogram, self.budget = PanelColumn(bare=True), HistogramPanel(asking), BudgetPanel(asking)
        pages = {"": scrolling(self.curves), "histogram": scrolling(self.histogram), "budget": self.budget}
        super().__init__(tr("Noise"), pages)
        self._asking = asking
        self._answer: Answer | None = None
        self._looked_at = START
        self.curves.told.connect(self._tell)
        self.gamma = GammaRow()
        self.gamma.typed.connect(self._type_gamma)
        asking.field("gamma", partial(show_in, self, self.gamma.box))
        self.add(self.gamma)

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

    def show_open(self, design: Asked, view: str, presenting: bool) -> None:
        """Open a view; gamma can be typed where it matters."""
        self.open(view)
        self.gamma.setVisible(isinstance(design, NoiseDesign) and view not in ("budget", "several") and not presenting)

    def set_answer(self, answer: Answer) -> None:
        """Take what was computed."""
        self._answer = answer
        if isinstance(answer, HistogramAnswer):
            self.histogram.set_outcome(answer)
        else:
            self.gamma.note.setText(translated(answer.step))

    def set_stale(self, on: bool) -> None:
        """Fade the views while newer ones are being computed."""
        for panel in (self.curves, self.histogram.bars):
            panel.set_stale(on)

    def show_view(self, view: str, share: float, chance: float) -> None:
        """Show a view of the answer, with the neighbouring answer and the bounds where they were put."""
        self._looked_at = share, chance
        noise = noise_of(self._answer)
        design = self._asking.design
        if design is not None and (shown := panels_of(design, self._answer, view, share, chance)):
            self.curves.show_panels(shown, lambda target: None)  # handles are where they belong
        if view == "budget" and noise is not None:
            self.budget.set_outcome(noise)
        self._say(view)

    def _say(self, view: str, told: str = "") -> None:
        """Say what was told of a place, or what is to be seen in a view."""
        if not told and (noise := noise_of(self._answer)) is not None:
            share, chance = self._looked_at
            told = translated(view_text(noise, view, shift_of(noise, share), chance))
        self.sentence.say(view, told)

    @Slot(str)
    def _tell(self, told: str) -> None:
        if self.view == "plane":
            self._say("plane", told)

    @Slot(str)
    def _type_gamma(self, text: str) -> None:
        self.set_error("")
        self._asking.change(self.tr("Choose γ"), gamma=text.strip() or "optimal")
        if not self.error.text() and isinstance(design := self._asking.design, NoiseDesign):
            self.gamma.set_gamma(str(design.gamma))
