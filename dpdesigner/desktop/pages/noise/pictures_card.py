"""The middle of the noise page: densities, costs, a histogram or a table, one view at a time."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QWidget

from dpdesigner.core.numbers.given import exact
from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.pages.noise import words
from dpdesigner.desktop.pages.noise.budget_panel import BudgetPanel
from dpdesigner.desktop.pages.noise.curves_panel import CurvesPanel
from dpdesigner.desktop.pages.noise.histogram_panel import HistogramPanel
from dpdesigner.desktop.pages.noise.meaning import Answer
from dpdesigner.desktop.pages.noise.plane_panel import PlanePanel
from dpdesigner.desktop.pages.noise.table_panel import TablePanel
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import scrolling
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.base.value_box import ValueBox
from dpdesigner.desktop.widgets.base.view_tabs import ViewTabs
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_outcome import HistogramOutcome
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.noise.panels import chance_within, density, planes, plots
from dpdesigner.studies.noise.views import tabs_of, views_of
from dpdesigner.studies.panels import Plot

#: The neighbouring answer is drawn at this part of the sensitivity, and the bounds hold this share, until they are dragged.
_START, _SHARE = 0.6, 0.95
_MOST_CHANCE = 0.9999


class PicturesCard(Card):
    """Tabs, the view they open, a sentence on what it shows, and the choice of gamma."""

    epsilonMoving = Signal(float)  #: the cursor of a curve against epsilon is dragged
    epsilonMoved = Signal(float)
    gammaMoving = Signal(float)  #: the same for gamma
    gammaMoved = Signal(float)
    handleCancelled = Signal()  #: the drag of one of them was given up
    gammaTyped = Signal(str)  #: a number, or "optimal"
    viewWanted = Signal(object, str)  #: what this view of an outcome shows is not computed yet

    def __init__(self) -> None:
        super().__init__("", "")
        self.setAccessibleName(self.tr("Noise"))
        self._study: NoiseStudy | None = None
        self._answer: Answer | None = None
        self._share, self._chance = _START, _SHARE
        self._before: tuple[float, float] | None = None  # both, when the drag of one began
        self._presenting = False
        self.tabs = ViewTabs([])
        self.curves, self.histogram, self.table = CurvesPanel(), HistogramPanel(), TablePanel()
        self.plane, self.budget = PlanePanel(), BudgetPanel()
        self.first, self.second = self.curves.first, self.curves.second
        self.curves.moving.connect(self._preview)
        self.curves.moved.connect(self._settle)
        self.curves.cancelled.connect(self._restore)
        self.plane.sentenceChanged.connect(self._read_plane)
        self._panels: dict[str, QWidget] = {
            "histogram": scrolling(self.histogram),
            "table": self.table,
            "costs": self.table,
            "plane": scrolling(self.plane),
            "budget": self.budget,
        }
        self.plane.hide()  # until it has something to show
        self._stack, self._plots = QStackedWidget(), scrolling(self.curves)
        for panel in (self._plots, *dict.fromkeys(self._panels.values())):
            self._stack.addWidget(panel)
        self.sentence = SentenceLabel("small")
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._said_at = "", 0, 0  # the view, and the width and the height of a line there
        self.add(self.tabs)
        self.add(self._stack, 1)
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
        set_class(self._note, "small")
        self._note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for widget in (label, self.gamma_box, self.optimal):
            row.addWidget(widget)
        row.addWidget(self._note, 1)
        return self._options

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

    def set_study(self, study: NoiseStudy) -> None:
        """Offer the views of a study, and show its inputs."""
        before, self._study = self._study, study
        if before is None or views_of(before) != views_of(study) or before.query != study.query:
            self._replace_tabs(study)
        self.set_gamma(str(study.gamma))
        if study.query == "histogram":
            self.histogram.set_study(study)
        elif study.query == "table" and study.table != self.table.query:
            self.table.set_query(study.table)
        self.budget.set_study(study)
        self._open()

    def _replace_tabs(self, study: NoiseStudy) -> None:
        """Offer the views of a study; a histogram and a table open their own, other kinds keep the view that is open."""
        old, view = self.tabs, "" if study.query in ("histogram", "table") else self.view
        self.tabs = ViewTabs(tabs_of(study))
        self.tabs.chosen.connect(self.set_view)
        self.body.replaceWidget(old, self.tabs)
        self.tabs.lower()  # the first of the card's children, whenever the columns are put into order
        self.tabs.follow(old)
        old.hide()
        old.deleteLater()
        self.tabs.set_current(view)

    @Slot(str)
    def set_view(self, view: str) -> None:
        """Open a view; one that the study does not have changes nothing."""
        self.tabs.set_current(view)
        self._open()
        self._show()

    def _open(self) -> None:
        """Bring the panel of the open view to the front."""
        self._stack.setCurrentWidget(self._panels.get(self.view, self._plots))
        self.table.open(self.view)
        chosen = self._study is not None and self._study.query != "histogram" and self.view not in ("budget", "several")
        self._options.setVisible(chosen and not self._presenting)

    def set_share(self, share: float) -> None:
        """Put the neighbouring answer at this part of the sensitivity."""
        self._share = min(max(share, -1.0), 1.0)
        self._show()

    def set_chance(self, chance: float) -> None:
        """Show the bounds of this share of the errors."""
        self._chance = min(max(chance, 0.0), _MOST_CHANCE)
        self._show()

    def set_gamma(self, text: str) -> None:
        """Show which gamma is asked for."""
        self.gamma_box.show_value(text)
        self.optimal.setChecked(text == "optimal")

    def set_outcome(self, answer: Answer) -> None:
        """Show what was computed."""
        self._answer = answer
        if isinstance(answer, HistogramOutcome):
            self.histogram.set_outcome(answer)
            self._note.clear()
        elif isinstance(answer, TableOutcome):
            self.table.set_outcome(answer)
            self._note.setText(f"γ = {exact(answer.gamma, 'gamma')}")
        else:
            self._note.setText(words.gamma_words(answer))
        self._show()

    def set_stale(self, on: bool) -> None:
        """Fade the views while newer ones are being computed."""
        for panel in (self.curves, self.histogram, self.table, self.plane):
            panel.set_stale(on)

    def set_presenting(self, on: bool) -> None:
        """Hide what only serves editing."""
        self._presenting = on
        self.histogram.set_presenting(on)
        self.table.set_presenting(on)
        self._open()

    @property
    def noise(self) -> NoiseOutcome | None:
        """The noise that the curves are of: for a histogram, that of a cell; None for a table."""
        if isinstance(self._answer, HistogramOutcome):
            return self._answer.cell
        return self._answer if isinstance(self._answer, NoiseOutcome) else None

    @property
    def shift(self) -> float:
        """The neighbouring answer less the first one: a whole number for an integer query."""
        if (noise := self.noise) is None:
            return 0.0
        place = self._share * noise.study.period
        return float(round(place)) if noise.study.query == "integer" else float(f"{place:.3g}")

    def plots(self, view: str) -> tuple[Plot, ...]:
        """Return what a view of plots shows, handles where the newest design is; none for other views."""
        noise, study = self.noise, self._study
        if noise is None or study is None or self._answer is None:
            return ()
        titles = {key: title for key, title, _ in tabs_of(study)}
        asked = {"epsilon": study.epsilon * (noise.study.epsilon / self._answer.study.epsilon)}
        if study.chosen_gamma is not None and noise.study.query == "real":
            asked["gamma"] = study.chosen_gamma
        return plots(view, titles.get(view, ""), noise, self.shift, self._chance, asked)

    def _show(self) -> None:
        answer, view = self._answer, self.view
        if answer is None or self._study is None or answer.study.query != self._study.query or not view:
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
        self._say(self._words(answer, noise, view))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the sentence take what it needs at the new width."""
        super().resizeEvent(event)
        self.sentence.setMinimumHeight(0)

    def _words(self, answer: Answer, noise: NoiseOutcome | None, view: str) -> str:
        if isinstance(answer, TableOutcome):
            return words.table_sentence(answer)
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
            self._say(sentence or words.view_sentence(self.noise, "plane"))

    def _say(self, text: str) -> None:
        """Say what the view shows, in no less room than before, so that no picture moves under the mouse."""
        sentence = self.sentence
        sentence.set_sentence(text)
        place = self.view, sentence.width(), sentence.fontMetrics().height()
        room = sentence.minimumHeight() if place == self._said_at else 0
        self._said_at = place
        sentence.setMinimumHeight(max(room, sentence.heightForWidth(sentence.width())) if self.isVisible() and text else 0)

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
            self.set_share(place / noise.study.period)
        elif target == "view.chance":
            self.set_chance(chance_within(noise, abs(place)))
        elif target == "gamma":
            (self.gammaMoved if final else self.gammaMoving).emit(min(max(place, 0.0), 1.0))
        else:  # epsilon, of the whole where the curve is of a cell
            whole = place * self._answer.study.epsilon / noise.study.epsilon
            (self.epsilonMoved if final else self.epsilonMoving).emit(whole)

    @Slot()
    def _take_optimal(self) -> None:
        self.optimal.setChecked(True)
        self.gammaTyped.emit("optimal")
