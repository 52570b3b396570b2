"""Below the people: what is recovered against the error, the questions and epsilon, the lemma's proof, and the calculator."""

from __future__ import annotations

from collections.abc import Mapping

from dpdesigner.core.reconstruction.lemma import Lemma
from dpdesigner.core.reconstruction.runs import Curves
from dpdesigner.desktop.pages.attack.calculator import Calculator
from dpdesigner.desktop.pages.attack.words import tr
from dpdesigner.desktop.widgets.plot.plot_card import PlotCard
from dpdesigner.studies.attack import panels
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.attack.outcome import AttackOutcome

COUNTING = "counting"


class Plots:
    """The two cards of plots."""

    def __init__(self) -> None:
        tabs = (
            ("error", tr("Error"), tr("What is recovered against how far off answers may be")),
            ("questions", tr("Questions"), tr("What is recovered against how much is asked")),
            ("lemma", tr("One question"), tr("How one question rules a wrong column out")),
            (COUNTING, tr("Counting"), tr("How many questions rule out every column that is far off: a calculator")),
        )
        self.left, self.right, self.calculator = PlotCard(tabs), PlotCard(), Calculator()
        self.left.add(self.calculator, 1)

    def show_design(self, design: AttackDesign) -> None:
        """Put the lines where a design has them; published answers have none."""
        for card in (self.left, self.right):
            card.setVisible(not design.answers)
            if handles := panels.placed(design, card.plot.handles()):
                card.plot.set_handles(handles)

    def show(
        self,
        answer: AttackOutcome,
        design: AttackDesign,
        runs: Curves | None,
        before: AttackOutcome | None,
        which: str,
        question: int,
        given: Mapping[str, str],
    ) -> None:
        """Show what is known so far, with what was pinned behind it."""
        posed = answer.posed
        if answer.design.answers or posed.secret is None:
            return
        completed = answer.completed(curves=runs)
        privacy = panels.curve("privacy", completed, before)
        self.left.tabs.set_current(which)
        self.left.plot.setVisible(which != COUNTING)
        self.calculator.setVisible(which == COUNTING)
        if which == COUNTING:
            self.left.show_words()
            self.calculator.show_counting(answer, given)
        elif answer.design.noisy:
            self.left.show_plot(privacy)
        elif which == "lemma":
            wrong = Lemma(posed.questions, posed.secret, answer.design.bound)
            self.left.show_plot(panels.lemma(wrong, question % posed.questions.t), played=True)
        else:
            self.left.show_plot(panels.curve(which, completed, before))
        self.right.show_plot(privacy)
        self.show_design(design)
