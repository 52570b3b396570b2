"""The middle of the count page: the matrix, one view at a time or two side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from dpdesigner.core import geometric
from dpdesigner.core.mechanism import Mechanism, RemappedGeometric
from dpdesigner.core.rounding import figure
from dpdesigner.desktop.pages.count import words
from dpdesigner.desktop.widgets.card import Card
from dpdesigner.desktop.widgets.matrix_view import MatrixView
from dpdesigner.desktop.widgets.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.view_tabs import ViewTabs
from dpdesigner.studies.count import CountOutcome
from dpdesigner.studies.count_witness import Witness

Floats = NDArray[np.float64]

#: Up to this n every cell may be written as a fraction.
_FRACTIONS_UP_TO = 40

#: Differences of probabilities below this are the rounding of doubles and of the solver, not a disagreement.
_NOISE = 1e-9


@dataclass
class MatrixState:
    """Which view is open, with which options, and what is selected."""

    view: str = "optimal"
    beside: bool = False
    numbers: bool = False
    logarithmic: bool = False
    fractions: bool = False
    binding: bool = False
    row: int = 0
    column: int = 0
    outcome: CountOutcome | None = None
    witness: Witness | None = field(default=None)


class MechanismCard(Card):
    """Tabs, the matrix, its options and the line that compares the linear program with the closed form."""

    rowSelected = Signal(int)
    columnSelected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setAccessibleName(self.tr("Mechanism"))
        self.state = MatrixState()
        self._tabs = ViewTabs(
            [
                ("optimal", self.tr("Optimal"), self.tr("The mechanism of least expected loss for this prior, loss and privacy")),
                ("geometric", self.tr("Geometric"), self.tr("The range-restricted geometric mechanism: the same for every user")),
                ("remap", self.tr("Remap"), self.tr("How this user reads each output of the geometric mechanism")),
                ("witness", self.tr("LP witness"), self.tr("What the linear program found, using no theorem")),
                ("difference", self.tr("Difference"), self.tr("LP witness minus geometric + remap; under 1e-9 is the same")),
                ("pattern", self.tr("Pattern"), self.tr("Where privacy binds: ↓ and ↑ tight, S slack, Z both zero")),
                ("induced", self.tr("Geometric∘Remap"), self.tr("The geometric mechanism read through the remap")),
            ]
        )
        self._tabs.chosen.connect(self.set_view)
        self.view, self.second = self._matrix(), self._matrix()
        self._caption, self._second_caption = QLabel(), QLabel()
        self._pair = QSplitter()
        self._pair.addWidget(self._captioned(self._caption, self.view))
        self._beside = self._captioned(self._second_caption, self.second)
        self._beside.hide()
        self._pair.addWidget(self._beside)
        self._pair.setChildrenCollapsible(False)
        self._agreement = SentenceLabel("muted")
        self._options = self._option_row()
        self.add(self._tabs)
        self.add(self._pair, 1)
        self.add(self._agreement)
        self.add(self._options)

    def _matrix(self) -> MatrixView:
        view = MatrixView()
        view.rowSelected.connect(self.rowSelected)
        view.columnSelected.connect(self.columnSelected)
        return view

    def _captioned(self, caption: QLabel, view: MatrixView) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        caption.setProperty("class", "muted")
        caption.hide()
        layout.addWidget(caption)
        layout.addWidget(view, 1)
        return box

    def _option_row(self) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self._buttons: dict[str, QPushButton] = {}
        for key, text, tip in (
            ("numbers", self.tr("Numbers"), self.tr("Write the probabilities into the cells where they fit")),
            ("logarithmic", self.tr("Log colour"), self.tr("Colour by the logarithm, so that tails can be seen")),
            ("fractions", self.tr("Fractions"), self.tr("Write exact fractions, where alpha is rational")),
            ("binding", self.tr("Binding"), self.tr("Draw over the cells where privacy binds")),
            ("beside", self.tr("Side by side"), self.tr("Show geometric + remap beside the view")),
        ):
            button = QPushButton(text)
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setAccessibleName(text)
            button.toggled.connect(self._take_options)
            layout.addWidget(button)
            self._buttons[key] = button
        layout.addStretch(1)
        return row

    @Slot(str)
    def set_view(self, key: str) -> None:
        """Show another view."""
        self.state.view = key
        self._tabs.set_current(key)
        self.refresh()

    def set_option(self, key: str, on: bool) -> None:
        """Switch an option: ``"numbers"``, ``"logarithmic"``, ``"fractions"``, ``"binding"`` or ``"beside"``."""
        self._buttons[key].setChecked(on)

    @Slot()
    def _take_options(self) -> None:
        for key, button in self._buttons.items():
            setattr(self.state, key, button.isChecked())
        self.refresh()

    def set_selected(self, row: int, column: int) -> None:
        """Outline a row and a column in every view."""
        self.state.row, self.state.column = row, column
        for view in (self.view, self.second):
            view.set_selected(row, column)

    def set_outcome(self, outcome: CountOutcome, witness: Witness | None) -> None:
        """Show what was solved; the witness may come later."""
        self.state.outcome, self.state.witness = outcome, witness
        self.refresh()

    def set_stale(self, on: bool) -> None:
        """Fade the matrices while something newer is being computed."""
        self.view.set_stale(on)

    def set_presenting(self, on: bool) -> None:
        """Hide the options."""
        self._options.setVisible(not on)

    @property
    def optimal(self) -> Mechanism | None:
        """The mechanism that is shown as optimal."""
        outcome, witness = self.state.outcome, self.state.witness
        if outcome is None:
            return None
        return witness.held if witness is not None and words.decides(outcome, witness) else outcome.induced

    def refresh(self) -> None:
        """Draw what the state says."""
        outcome = self.state.outcome
        if outcome is None:
            return
        shown = "witness" if self.state.beside and self.state.view in ("optimal", "induced") else self.state.view
        self._fill(self.view, shown)
        self._beside.setVisible(self.state.beside)
        for caption in (self._caption, self._second_caption):
            caption.setVisible(self.state.beside)
        if self.state.beside:
            self._fill(self.second, "induced")
            self._caption.setText(self._title(shown))
            self._second_caption.setText(self._title("induced"))
        self._agreement.setText(words.equality(outcome, self.state.witness))
        self._agreement.setVisible(self.state.beside)

    def _title(self, view: str) -> str:
        outcome, witness = self.state.outcome, self.state.witness
        if outcome is None:
            return ""
        if view == "induced":
            return self.tr("Geometric + remap costs {value}").format(value=figure(outcome.value))
        if view == "witness" and witness is not None:
            return self.tr("Linear program costs {value}").format(value=figure(witness.value))
        if view == "optimal":
            return self.tr("Optimum costs {value}").format(value=figure(words.shown_value(outcome, witness)))
        return {"geometric": self.tr("Geometric"), "remap": self.tr("Remap"), "difference": self.tr("Difference")}.get(view, "")

    def _fill(self, view: MatrixView, key: str) -> None:
        outcome, witness = self.state.outcome, self.state.witness
        if outcome is None:
            return
        values, kind, mechanism = self._content(key, outcome, witness)
        limit = np.exp(outcome.study.privacy.epsilon) if outcome.study.privacy.epsilon < 700 else None
        shows_rows = key not in ("remap", "difference")
        view.set_matrix(values, kind=kind, texts=self._texts(mechanism), ratio_limit=limit if shows_rows else None)
        if key == "remap":
            view.set_titles(self.tr("geometric says"), self.tr("read as"))
        else:
            view.set_titles(self.tr("true count"), self.tr("released value"))
        view.set_numbers(self.state.numbers or self.state.fractions)
        view.set_log(self.state.logarithmic and kind == "probability")
        pattern = key == "pattern" or (self.state.binding and key in ("optimal", "induced"))
        view.set_pattern(outcome.constraints if pattern else None)
        view.set_selected(self.state.row, self.state.column)

    def _content(self, key: str, outcome: CountOutcome, witness: Witness | None) -> tuple[Floats, Any, Mechanism | None]:
        n = outcome.study.n
        if key == "geometric":
            identity = RemappedGeometric(outcome.study.privacy, n, tuple(range(n + 1)))
            return geometric.matrix(outcome.study.privacy, n), "probability", identity
        if key == "remap":
            return np.eye(n + 1)[outcome.remap], "probability", None
        if key == "witness" and witness is not None:
            return witness.mechanism, "probability", None
        if key == "difference":
            other = witness.mechanism if witness is not None else outcome.induced.matrix
            difference = other - outcome.induced.matrix
            return np.where(np.abs(difference) < _NOISE, 0.0, difference), "difference", None
        if key == "optimal":
            best = self.optimal or outcome.induced
            return best.matrix, "probability", best
        return outcome.induced.matrix, "probability", outcome.induced

    def _texts(self, mechanism: Mechanism | None) -> Callable[[int, int], str | None] | None:
        """Exact fractions of the cells, where they are asked for and exist."""
        alpha = None if mechanism is None else mechanism.privacy.exact_alpha
        if not self.state.fractions or alpha is None or not isinstance(mechanism, RemappedGeometric):
            return None
        if mechanism.n > _FRACTIONS_UP_TO:
            return None
        rows: list[list[Fraction]] = list(mechanism.exact_rows(alpha))
        return lambda i, r: str(rows[i][r])
