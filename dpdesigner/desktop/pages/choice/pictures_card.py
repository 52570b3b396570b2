"""The middle of the choice page: strips, falling short, against epsilon, constants, and of a matrix the whole mechanism."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from dpdesigner.desktop.pages.kit.panel_views import PlotPanel
from dpdesigner.desktop.pages.kit.views_card import StackedViews
from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.theme.translation import tr, translated
from dpdesigner.desktop.widgets.base.column import scrolling
from dpdesigner.desktop.widgets.base.labelled import push_button, wrapped
from dpdesigner.desktop.widgets.base.menu_button import hang_menu
from dpdesigner.desktop.widgets.matrix.view import MatrixView
from dpdesigner.desktop.widgets.options.strips import StripsView
from dpdesigner.desktop.widgets.options.strips_data import Strips
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.options.rules import TITLES
from dpdesigner.studies.panels import Plot

_WRITTEN = 12  # columns of a matrix whose numbers are written in their cells


class PicturesCard(StackedViews):
    """Tabs, the open view, a sentence on the selected option, and what can be done with it."""

    drawWanted = Signal(int)
    worstWanted = Signal()
    rivalChosen = Signal(str)  #: the rule to compare with; empty for none

    def __init__(self) -> None:
        self.strips, self.matrix = StripsView(), MatrixView()
        self.plots = {key: PlotPanel() for key in ("short", "sweep", "constants")}
        super().__init__(tr("Choice"), {"chances": scrolling(self.strips), **self.plots, "table": self.matrix})
        self.matrix.set_titles(self.tr("database"), self.tr("option"))
        self.add(self._buttons())
        self._table = False
        self._offer(False)

    def _buttons(self) -> QWidget:
        tip = self.tr("Announce one option, drawn exactly from the system’s entropy")
        self.once = push_button(self.tr("Announce once"), tip, lambda: self.drawWanted.emit(1))
        tip = self.tr("Draw a hundred to see the spread; announcing them all would cost 100 times epsilon")
        self.often = push_button(self.tr("× 100"), tip, lambda: self.drawWanted.emit(100))
        tip = self.tr("Of all that one person can do, what moves a chance most")
        self.worst = push_button(self.tr("Worst neighbour"), tip, lambda: self.worstWanted.emit(), checkable=True)
        self.compare = QToolButton()
        set_class(self.compare, "chip")
        self.compare.setText(self.tr("Compare rule ▾"))
        self.compare.setToolTip(self.tr("Which rule the thin marks show"))
        menu = QMenu(self.compare)
        menu.addAction(self.tr("None")).triggered.connect(partial(self._compare_with, ""))
        for key, (title, _, _) in TITLES.items():
            menu.addAction(translated(title)).triggered.connect(partial(self._compare_with, key))
        hang_menu(self.compare, menu)
        return wrapped(self.once, self.often, self.worst, self.compare)

    def _compare_with(self, key: str, checked: bool = False) -> None:
        self.rivalChosen.emit(key)

    def _offer(self, table: bool) -> None:
        views = [
            ("chances", self.tr("Chances"), self.tr("How often each option is announced, and what one person can move")),
            ("short", self.tr("Falling short"), self.tr("Probability of a loss above each value, and the theorem’s bound")),
            ("sweep", self.tr("Against ε"), self.tr("How often each rule gets it right, as the level changes")),
            ("constants", self.tr("Constants"), self.tr("Epsilon attained with the constant of [CACM]")),
        ]
        if table:
            views.insert(1, ("table", self.tr("Mechanism"), self.tr("How likely each option is, for every database")))
        self.offer(views, self.view)
        self._table = table

    def open(self, view: str) -> None:
        """Open a view, and offer what can be done in it."""
        super().open(view)
        self.worst.setVisible(self.view == "chances" and not self._table)
        self.compare.setVisible(self.view in ("chances", "short"))

    def set_table(self, table: bool) -> None:
        """Offer the whole mechanism, where there is one."""
        if table != self._table:
            self._offer(table)
            self.open(self.view)

    def show_strips(self, strips: Strips, neighbours: str, option: int, sentence: str, worst: bool) -> None:
        """Show the strips and the sentence on the selected option."""
        self.strips.set_strips(strips, neighbours)
        self.strips.select(option)
        self.worst.setChecked(worst)
        if self.view == "chances":
            self.sentence.say(self.view, sentence)

    def show_plot(self, key: str, plot: Plot, place: object) -> None:
        """Show a curve."""
        self.plots[key].show_panel(plot, place)  # type: ignore[arg-type]
        self.sentence.say(self.view, "")

    def show_matrix(self, outcome: ChoiceOutcome) -> None:
        """Show the whole mechanism."""
        matrix = np.atleast_2d(outcome.rule.probabilities)
        self.matrix.set_matrix(matrix)
        self.matrix.set_numbers(matrix.shape[1] <= _WRITTEN and matrix.shape[0] <= 2 * _WRITTEN)
        self.sentence.say(
            self.view, self.tr("{rule}: a row a database, a column an option.").format(rule=translated(outcome.rule.title))
        )

    def set_stale(self, on: bool) -> None:
        """Fade what is out of date."""
        self.strips.set_stale(on)
        self.matrix.set_stale(on)
        for plot in self.plots.values():
            plot.set_stale(on)
