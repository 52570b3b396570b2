"""Below the people: what is recovered against the error, the questions and epsilon, the lemma's proof, and the calculator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.core.reconstruction.attack import Reconstruction
from dpdesigner.core.reconstruction.lemma import Lemma
from dpdesigner.core.reconstruction.sweep import Curves
from dpdesigner.desktop.pages.attack.calculator import Calculator
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.plot.plot_card import PlotCard
from dpdesigner.studies.attack import panels
from dpdesigner.studies.attack.answer import AttackAnswer
from dpdesigner.studies.attack.design import SHORT, AttackDesign
from dpdesigner.studies.panels import Line, Plot

COUNTING = "counting"


class Plots:
    """The two cards of plots."""

    def __init__(self) -> None:
        tabs = (
            ("error", tr("Error"), tr("Recovered people against the error of the answers")),
            ("questions", tr("Questions"), tr("Recovered people against the number of questions")),
            ("lemma", tr("One question"), tr("How one question rules a wrong column out")),
            (COUNTING, tr("Counting"), tr("A calculator: how many questions rule out every column with large errors")),
        )
        self.left, self.right, self.calculator = PlotCard(tabs), PlotCard(), Calculator()
        self._kept: tuple[AttackAnswer, Curves] | None = None  # the newest answer of which all runs are made, and these
        self.left.add(self.calculator, 1)

    def show_design(self, design: AttackDesign) -> None:
        """Put the lines where a design has them; published answers have none."""
        for card in (self.left, self.right):
            card.setVisible(not design.answers)
            if handles := panels.placed(design, card.plot.handles()):
                card.plot.set_handles(handles)

    def show(
        self,
        answer: AttackAnswer,
        design: AttackDesign,
        runs: Curves | None,
        before: AttackAnswer | None,
        which: str,
        question: int,
        given: Mapping[str, str],
    ) -> None:
        """Show what is known so far, with what was pinned behind it.

        Until all runs of a design are made, those of the design before stay, pale and with a word of whose they are.
        """
        posed = answer.problem
        if answer.design.answers or posed.secret is None:
            return
        now = answer
        if runs is not None and runs.design == answer.design == design and runs.done >= runs.planned:
            self._kept = answer, runs
        stale = self._kept is not None and self._kept[0].design.noisy == design.noisy and self._kept[0].design != design
        if stale and self._kept is not None:
            answer, runs = self._kept
        stale = stale or now.design != design
        completed = answer.completed(curves=runs)
        privacy = panels.curve("privacy", completed, before)
        own, name = answer.reconstruction, SHORT[answer.design.who]
        privately = (
            _with_own(privacy, answer, own, name)
            if answer.design.noisy
            else _with_own(privacy, answer, answer.private, tr("best fit"))
        )
        self.left.tabs.set_current(which)
        self.left.plot.setVisible(which != COUNTING)
        self.calculator.setVisible(which == COUNTING)
        if which == COUNTING:
            self.left.show_words()
            self.calculator.show_counting(now, given)
        elif answer.design.noisy:
            self.left.show_plot(privately)
        elif which == "lemma":
            wrong = Lemma(posed.questions, posed.secret, now.design.bound)
            self.left.show_plot(panels.lemma(wrong, question % posed.questions.t), played=True)
        else:
            self.left.show_plot(_with_own(panels.curve(which, completed, before), answer, own, name))
        self.right.show_plot(privately)
        for card, pale in ((self.left, stale and which != "lemma"), (self.right, stale)):
            card.plot.set_stale(pale)
            if pale:
                words = {"n": group_thousands(answer.design.n), "t": group_thousands(answer.design.queries)}
                card.set_word(tr("before: n = {n}, t = {t}").format(**words))
        self.show_design(design)


def _with_own(plot: Plot, answer: AttackAnswer, own: Reconstruction | None, name: str) -> Plot:
    """A plot whose handle stands at what was recovered, while no run of the curve that it belongs to is made."""
    secret, drawn = answer.problem.secret, {line.role for line in plot.lines[:1]}
    if own is None or secret is None or "main" in drawn:
        return plot
    share = 100 * (1 - own.wrong(secret))
    point = Line(np.array([plot.handles[0].place]), np.array([share]), name, dots=True)
    return replace(plot, lines=(point, *plot.lines))
