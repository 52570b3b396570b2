"""The middle of the noise page: densities and costs, one view at a time."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from dpdesigner.desktop.pages.noise import plots, words
from dpdesigner.desktop.widgets.card import Card
from dpdesigner.desktop.widgets.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.value_box import ValueBox
from dpdesigner.desktop.widgets.view_tabs import ViewTabs
from dpdesigner.studies.noise_outcome import NoiseOutcome

#: The neighbouring answer is drawn at this part of the sensitivity until it is dragged.
_START = 0.6


class PicturesCard(Card):
    """Tabs, one or two plots, a sentence on what they show, and the choice of gamma."""

    epsilonMoving = Signal(float)  #: the cursor of a curve against epsilon is dragged
    epsilonMoved = Signal(float)
    gammaMoving = Signal(float)  #: the same for gamma
    gammaMoved = Signal(float)
    gammaTyped = Signal(str)  #: a number, or "optimal"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setAccessibleName(self.tr("Noise"))
        self._outcome: NoiseOutcome | None = None
        self._share = _START
        self._drawn: tuple[str, str, bool] | None = None
        self.tabs = ViewTabs(
            [
                ("density", self.tr("Density"), self.tr("How likely each amount of noise is, beside Laplace noise")),
                ("epsilon", self.tr("Cost against ε"), self.tr("Expected cost against epsilon")),
                ("gamma", self.tr("Cost against γ"), self.tr("Expected cost against gamma, the place of the step")),
                ("best", self.tr("γ* against ε"), self.tr("The best gamma against epsilon")),
                ("delta", self.tr("(ε, δ)"), self.tr("What is gained by allowing a small chance of failure")),
            ]
        )
        self.tabs.chosen.connect(self.set_view)
        self.first, self.second = CurvePlot(), CurvePlot()
        for plot in (self.first, self.second):
            plot.cursorMoving.connect(self._preview)
            plot.cursorMoved.connect(self._settle)
        self.sentence = SentenceLabel("small")
        self.add(self.tabs)
        self.add(self.first, 5)
        self.add(self.second, 3)
        self.add(self.sentence)
        self.add(self._gamma_row())

    def _gamma_row(self) -> QWidget:
        self._options = QWidget()
        row = QHBoxLayout(self._options)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        label = QLabel("γ")
        self.gamma_box = ValueBox("0.3775406")
        self.gamma_box.setAccessibleName(self.tr("gamma, the place of the step"))
        self.gamma_box.setToolTip(self.tr("Where in each period the noise steps down: a number from 0 to 1, or optimal"))
        self.gamma_box.committed.connect(self.gammaTyped)
        label.setBuddy(self.gamma_box)
        self.optimal = QPushButton(self.tr("Optimal γ"))
        self.optimal.setToolTip(self.tr("Take the gamma of least expected cost"))
        self.optimal.setCheckable(True)
        self.optimal.clicked.connect(self._take_optimal)
        self._note = QLabel()
        self._note.setProperty("class", "small")
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for widget in (label, self.gamma_box, self.optimal):
            row.addWidget(widget)
        row.addWidget(self._note, 1)
        return self._options

    @property
    def view(self) -> str:
        """The open view."""
        return self.tabs.current()

    @property
    def share(self) -> float:
        """How far away the neighbouring answer is, as a part of the sensitivity, in [-1, 1]."""
        return self._share

    @Slot(str)
    def set_view(self, view: str) -> None:
        """Open a view; an unknown one changes nothing."""
        self.tabs.set_current(view)
        self._show()

    def set_share(self, share: float) -> None:
        """Put the neighbouring answer at this part of the sensitivity."""
        self._share = min(max(share, -1.0), 1.0)
        self._show()

    def set_gamma(self, text: str) -> None:
        """Show which gamma is asked for."""
        self.gamma_box.show_value(text)
        self.optimal.setChecked(text == "optimal")

    def set_outcome(self, outcome: NoiseOutcome) -> None:
        """Show what was computed."""
        self._outcome = outcome
        self._note.setText(words.gamma_words(outcome))
        self._show()

    def set_stale(self, on: bool) -> None:
        """Fade the plots while newer ones are being computed."""
        self.first.set_stale(on)
        self.second.set_stale(on)

    def set_presenting(self, on: bool) -> None:
        """Hide the choice of gamma."""
        self._options.setVisible(not on)

    @property
    def shift(self) -> float:
        """The neighbouring answer less the first one: a whole number for an integer query."""
        if self._outcome is None:
            return 0.0
        study = self._outcome.study
        place = self._share * study.period
        return float(round(place)) if study.query == "integer" else float(f"{place:.3g}")

    def _show(self) -> None:
        outcome = self._outcome
        if outcome is None:
            return
        if self.view == "density":
            pictures = plots.density(outcome, self.shift)
            self.sentence.set_sentence(words.ratio_sentence(outcome, self.shift))
        else:
            pictures = plots.PICTURES[self.view](outcome)
            self.sentence.set_sentence(words.view_sentence(outcome, self.view))
        drawn = self.view, outcome.study.query, outcome.study.dimension > 1
        fresh, self._drawn = drawn != self._drawn, drawn
        _paint(self.first, pictures[0], fresh)
        self.second.setVisible(len(pictures) > 1)
        if len(pictures) > 1:
            _paint(self.second, pictures[1], fresh)

    @Slot(float)
    def _preview(self, place: float) -> None:
        self._move(place, final=False)

    @Slot(float)
    def _settle(self, place: float) -> None:
        self._move(place, final=True)

    def _move(self, place: float, final: bool) -> None:
        if self.view == "density":
            if self._outcome is not None:
                self.set_share(place / self._outcome.study.period)
        elif self.view == "gamma":
            (self.gammaMoved if final else self.gammaMoving).emit(min(max(place, 0.0), 1.0))
        else:
            (self.epsilonMoved if final else self.epsilonMoving).emit(place)

    @Slot()
    def _take_optimal(self) -> None:
        self.optimal.setChecked(True)
        self.gammaTyped.emit("optimal")


def _paint(plot: CurvePlot, picture: plots.Picture, fresh: bool) -> None:
    """Show a picture; a fresh one has other axes than the one before."""
    if fresh:
        # The range of the old curves would be beyond all numbers if it were read as logarithms.
        plot.set_cursor(None)
        plot.set_curves([])
        plot.set_markers([])
        plot.set_limits()
        plot.set_scales(log_x=picture.logarithmic[0], log_y=picture.logarithmic[1])
        plot.set_titles(picture.x, picture.y)
    plot.set_bands(picture.bands)
    plot.set_limits(*picture.limits)
    plot.set_curves(picture.curves)
    plot.set_markers(picture.markers)
    plot.set_cursor(picture.cursor, picture.text)
