"""What is given away of a made-up column: how many rows, under which name, and both column and statement to be pasted."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication

from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.data.grid import tabbed
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.labelled import push_button, wrapped
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.studies.synthetic import statements
from dpdesigner.studies.synthetic.answer import IntervalAnswer


class GivingCard(Card):
    """Copies the made-up column of an answer, or the statement that goes with it."""

    copied = Signal(str)  #: a sentence for the status bar

    def __init__(self) -> None:
        super().__init__(self.tr("Output"))
        self._answer: IntervalAnswer | None = None
        self._told = SentenceLabel("small")
        tip = self.tr("Copy the synthetic column, one row per line")
        self.column = push_button(self.tr("Copy column"), tip, self._copy_column)
        tip = self.tr("Copy the privacy statement: method, privacy and error bound")
        self.statement = push_button(self.tr("Copy statement"), tip, self._copy_statement)
        self.add(self._told)
        self.add(wrapped(self.column, self.statement))

    def show_answer(self, answer: IntervalAnswer) -> None:
        """Show what is given away of an answer."""
        self._answer = answer
        design = answer.design
        text = self.tr("{rows} synthetic rows named “{name}”. Export writes them with their privacy statement.")
        text = text.format(rows=group_thousands(answer.facts.total), name=translated(design.column.title))
        if design.seed is not None:
            text = f"{text} {self.tr('Not for publication, because the noise has a seed. Clear the seed for secret noise.')}"
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
