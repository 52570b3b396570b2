"""What is given away of a made-up column: its picture, its rows with their statement, and both to be saved or copied."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication

from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.theme.theme import set_class, theme
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labelled import push_button, wrapped
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.plot_layer import px
from dpdesigner.studies.synthetic import statements
from dpdesigner.studies.synthetic.answer import IntervalAnswer, given

_HIGH = 72  # pixels of the picture at text scale 1


class GivingCard(Card):
    """Shows the made-up column of an answer; saves it, and copies it or the statement that goes with it."""

    copied = Signal(str)  #: a sentence for the status bar
    saveWanted = Signal(object)  #: these formats are to be written

    def __init__(self) -> None:
        super().__init__(self.tr("What you give away"), self.tr("synthetic rows"))
        self._answer: IntervalAnswer | None = None
        self.plot = CurvePlot()
        self._told = SentenceLabel("small")
        self.save = push_button(
            self.tr("Save CSV…"),
            self.tr("Save the synthetic column, with its privacy statement"),
            lambda: self.saveWanted.emit(("csv",)),
        )
        set_class(self.save, "main")
        tip = self.tr("Copy the synthetic column, one row per line")
        self.column = push_button(self.tr("Copy"), tip, self._copy_column)
        tip = self.tr("Copy the privacy statement: method, privacy and error bound")
        self.statement = push_button(self.tr("Copy statement"), tip, self._copy_statement)
        self.add(self.plot)
        self.add(self._told)
        self.add(wrapped(self.save, self.column, self.statement))
        theme().changed.connect(self._restyle)
        self._restyle()

    @Slot()
    def _restyle(self) -> None:
        self.plot.setFixedHeight(round(px(_HIGH)))

    def show_answer(self, answer: IntervalAnswer) -> None:
        """Show what is given away of an answer."""
        if answer is self._answer:
            return
        self._answer = answer
        design = answer.design
        rows = group_thousands(answer.facts.total)
        self.set_word(self.tr("{rows} synthetic rows").format(rows=rows), self.tr("synthetic rows"))
        self.plot.show_plot(given(answer.facts))
        self.plot.setAccessibleName(self.tr("The synthetic column “{name}”").format(name=translated(design.column.title)))
        text = self.tr("Saved with its privacy statement. The measured error stays here: it is not private.")
        if design.tells:
            text = self.tr("Saved with its privacy statement and the measured error, which is not private.")
        if design.seed is not None:
            text = self.tr("Not for publication: the noise has a seed (see Method).")
        self._told.set_sentence(text)

    @Slot()
    def _copy_column(self) -> None:
        if self._answer is not None:
            values = (f"{value:.15g}" for value in self._answer.synthetic.tolist())
            QGuiApplication.clipboard().setText(tabbed([cell] for cell in (self._answer.design.column.title, *values)) + "\n")
            self.copied.emit(self.tr("The synthetic column is on the clipboard."))

    @Slot()
    def _copy_statement(self) -> None:
        if self._answer is not None:
            QGuiApplication.clipboard().setText("\n".join(statements.statement(self._answer.facts)) + "\n")
            self.copied.emit(self.tr("The privacy statement is on the clipboard."))
