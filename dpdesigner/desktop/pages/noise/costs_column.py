"""The right of the noise page: what each noise costs, the exact numbers, and noise to take away."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFormLayout, QLabel, QPushButton, QWidget

from dpdesigner.desktop.pages.noise import plots, words
from dpdesigner.desktop.widgets.card import Card
from dpdesigner.desktop.widgets.column import ColumnLayout
from dpdesigner.desktop.widgets.cost_bars import Cost, CostBars
from dpdesigner.desktop.widgets.number_text import significant
from dpdesigner.desktop.widgets.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.wrap_layout import WrapLayout
from dpdesigner.studies.noise_outcome import NoiseOutcome

#: Alternatives that cost more times the best than this would leave no room for the other bars; the curves show them.
_MOST_TIMES = 20


class CostsColumn(QWidget):
    """Three cards: costs, numbers, noise."""

    explanationRequested = Signal()
    drawRequested = Signal()  #: one draw of the noise is wanted
    samplerRequested = Signal()  #: a program that draws the noise is wanted on the clipboard

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outcome: NoiseOutcome | None = None
        layout = ColumnLayout(self)
        layout.addWidget(self._cost_card())
        layout.addWidget(self._number_card())
        layout.addWidget(self._noise_card())
        layout.addStretch(1)

    def _cost_card(self) -> Card:
        self._costs = Card(self.tr("What it costs"), self.tr("expected cost"))
        self.bars = CostBars()
        self.sentence = SentenceLabel("heading")
        self._costs.add(self.bars)
        self._costs.add(self.sentence)
        why = QPushButton(self.tr("Why?"))
        why.setAccessibleName(self.tr("Why is this the best noise?"))
        why.setToolTip(self.tr("Why no other noise is cheaper, and what was corrected in the sources"))
        why.clicked.connect(self.explanationRequested)
        self._costs.header.addWidget(why)
        return self._costs

    def _number_card(self) -> Card:
        card = Card(self.tr("The exact numbers"), self.tr("select to copy"))
        sheet = QWidget()
        self._form = QFormLayout(sheet)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(12)
        self._form.setVerticalSpacing(4)
        self.numbers: dict[str, QLabel] = {}
        for key in ("gamma", "cost", "laplace", "saving", "height"):
            name, value = QLabel(), QLabel()
            name.setProperty("class", "muted")
            value.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            name.setBuddy(value)
            self._form.addRow(name, value)
            self.numbers[key] = value
        card.add(sheet)
        return card

    def _noise_card(self) -> Card:
        self._noise = Card(self.tr("The noise itself"), "")
        self._row = QWidget()
        row = WrapLayout(self._row, gap=6)
        self.draw = QPushButton(self.tr("Draw once"))
        self.draw.clicked.connect(self.drawRequested)
        self.sampler = QPushButton(self.tr("Copy sampler"))
        self.sampler.setToolTip(self.tr("Put a short Python program that draws this noise on the clipboard"))
        self.sampler.clicked.connect(self.samplerRequested)
        self._drawn = QLabel()
        self._drawn.setProperty("class", "small")
        for widget in (self.draw, self.sampler, self._drawn):
            row.addWidget(widget)
        self._noise.add(self._row)
        self.note = SentenceLabel("small")
        self.geometric = SentenceLabel("small")
        self._noise.add(self.note)
        self._noise.add(self.geometric)
        return self._noise

    def set_outcome(self, outcome: NoiseOutcome) -> None:
        """Show what was computed."""
        if self._outcome is None or self._outcome.study != outcome.study:
            self._drawn.clear()
        self._outcome = outcome
        self.bars.set_costs(self._bars(outcome))
        self.sentence.set_sentence(words.laplace_sentence(outcome))
        for key, (name, value) in self._numbers(outcome).items():
            label = self.numbers[key]
            buddy = self._form.labelForField(label)
            if isinstance(buddy, QLabel):
                buddy.setText(name)
            label.setText(value)
            label.setAccessibleName(f"{name}: {value}")
        self._show_noise(outcome)

    def _bars(self, outcome: NoiseOutcome) -> list[Cost]:
        study = outcome.study
        best = self.tr("Staircase, best γ") if study.query == "real" else self.tr("Discrete staircase, best r")
        costs = [Cost(best, outcome.least, "proved" if plots.best_is_proved(outcome) else "other", "best")]
        if study.gamma != "optimal":
            chosen = self.tr("Staircase, {gamma}").format(gamma=words.gamma_words(outcome))
            costs.append(Cost(chosen, outcome.cost, "other", "chosen"))
        if study.query == "real":
            costs.append(Cost(self.tr("Staircase, γ = 1/2"), outcome.by_gamma.half, "other", "half"))
        laplace = self.tr("Laplace") if study.query == "real" else self.tr("Discrete Laplace")
        costs.append(Cost(laplace, outcome.laplace_cost, "quiet", "laplace"))
        for found in outcome.alternatives:
            if found.cost <= _MOST_TIMES * outcome.least:
                costs.append(Cost(words.alternative_name(found.key), found.cost, "other", found.key))
        return costs

    def _numbers(self, outcome: NoiseOutcome) -> dict[str, tuple[str, str]]:
        star = "*" if outcome.study.gamma == "optimal" else ""
        gamma = self.tr("γ{star}").format(star=star), repr(outcome.gamma)
        if outcome.split is not None:
            gamma = self.tr("r{star}").format(star=star), self.tr("{split} of {period}").format(
                split=outcome.split, period=outcome.study.sensitivity
            )
        saving = 100 * (1 - 1 / outcome.laplace_ratio) if outcome.laplace_ratio > 0 else math.nan
        height = self.tr("P(0)") if outcome.split is not None else self.tr("density at 0")
        return {
            "gamma": gamma,
            "cost": (self.tr("staircase costs"), repr(float(outcome.cost))),
            "laplace": (self.tr("Laplace costs"), repr(float(outcome.laplace_cost))),
            "saving": (self.tr("saved"), f"{significant(saving, 6)} %" if math.isfinite(saving) else "–"),
            "height": (height, repr(float(outcome.noise.height))),
        }

    def _show_noise(self, outcome: NoiseOutcome) -> None:
        integer, single = outcome.split is not None, outcome.study.dimension == 1
        self._noise.set_word(self.tr("exact draws") if integer else self.tr("for simulation only"))
        self.draw.setEnabled(single)
        self.sampler.setEnabled(single)
        if integer:
            self.draw.setToolTip(self.tr("Draw one whole number exactly, from the system's entropy"))
            self.note.set_sentence(self.tr("Whole numbers are drawn exactly, with integers and the system's entropy."))
        else:
            self.draw.setToolTip(self.tr("Draw one floating-point number, for simulation only"))
            text = self.tr(
                "For simulation only: which floating-point numbers can come out depends on the true answer, and that alone gives "
                "it away. Ask for a whole number to protect real data."
            )
            self.note.set_sentence(text if single else self.tr("Noise for several answers is described here, not drawn."))
        self.geometric.set_sentence(words.geometric_sentence(outcome))

    def show_draw(self, value: float) -> None:
        """Show one draw."""
        whole = self._outcome is not None and self._outcome.split is not None
        text = "0" if value == 0 else f"{value:+.0f}" if whole else f"{value:+.6g}"
        self._drawn.setText(self.tr("drawn: {value}").format(value=text.replace("-", "−")))

    @Slot()
    def show_copied(self) -> None:
        """Say that the sampler is on the clipboard."""
        self._drawn.setText(self.tr("copied"))

    def set_stale(self, on: bool) -> None:
        """Say that the costs are being computed anew."""
        self._costs.set_word(self.tr("computing…") if on else self.tr("expected cost"))

    def set_presenting(self, on: bool) -> None:
        """Hide the button that only serves programmers; drawing noise belongs to a demonstration."""
        self.sampler.setVisible(not on)
