"""Below the people: what is recovered against the error, the questions and epsilon, and the lemma's proof."""

from __future__ import annotations

from dpdesigner.core.reconstruction.lemma import Lemma
from dpdesigner.core.reconstruction.runs import Curves
from dpdesigner.desktop.pages.attack.words import tr
from dpdesigner.desktop.widgets.plot.plot_card import PlotCard
from dpdesigner.studies.attack import panels
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.attack.outcome import AttackOutcome


class Plots:
    """The two cards of plots."""

    def __init__(self) -> None:
        tabs = (
            ("error", tr("Error"), tr("What is recovered against how far off answers may be")),
            ("questions", tr("Questions"), tr("What is recovered against how much is asked")),
            ("lemma", tr("One question"), tr("How one question rules a wrong column out")),
        )
        self.left, self.right = PlotCard(tabs), PlotCard()
        self._lemma: Lemma | None = None

    def show_design(self, design: AttackDesign) -> None:
        """Put the lines where a design has them; published answers have none."""
        for card in (self.left, self.right):
            card.setVisible(not design.answers)
            if handles := panels.placed(design, card.plot.handles()):
                card.plot.set_handles(handles)

    def show(self, answer: AttackOutcome, design: AttackDesign, curves: Curves | None, which: str, question: int) -> None:
        """Show what is known so far."""
        if answer.design.answers:
            return
        found, unasked = curves or Curves(), answer.posed.commonest[1] / answer.posed.n
        privacy = panels.privacy_curve(answer.design, found, unasked, answer.posed.ones)
        self.left.tabs.set_current(which)
        if which == "lemma" and not answer.design.noisy:
            self.left.show_plot(panels.lemma(self._lemma_of(answer), question % answer.posed.questions.t), played=True)
        elif answer.design.noisy:
            self.left.show_plot(privacy)
        elif which == "questions":
            self.left.show_plot(panels.questions_curve(answer.design, found, unasked))
        else:
            self.left.show_plot(panels.error_curve(answer.design, found, unasked))
        self.right.show_plot(privacy)
        self.show_design(design)

    def _lemma_of(self, answer: AttackOutcome) -> Lemma:
        posed, kept = answer.posed, self._lemma
        if posed.secret is None:
            raise AssertionError("drawn answers have a secret")
        if kept is None or kept.questions is not posed.questions or kept.secret is not posed.secret or kept.bound != posed.bound:
            kept = self._lemma = Lemma(posed.questions, posed.secret, answer.design.bound)
        return kept
