"""Bids and demand curves typed, pasted, or read from a table."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from dpdesigner.core.auction.demand import curves_of_table, fallen, line_of
from dpdesigner.desktop.background.tables import cells_of, chosen_table
from dpdesigner.desktop.widgets.base.sentence_label import SentenceLabel
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies.auction.design import AuctionDesign, source_of


class BidsDialog(QDialog):
    """A box of text: bids with blanks, commas or new lines between them, or a line for each bidder's curve.

    Parameters
    ----------
    design : AuctionDesign
    key : {"bids", "demand"}
    parent : QWidget
    """

    given = Signal(object)  #: the checked bids or curves

    def __init__(self, design: AuctionDesign, key: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._design, self._key = design, key
        curves = key == "demand"
        self.setWindowTitle(self.tr("Demand curves") if curves else self.tr("Bids"))
        rules = self.tr("One line per bidder, with quantities and the highest price paid for each, like “3 at 0.2, 1 at 0.8”,")
        rules += "\n" + self.tr("or the value of each further item, like “0.8, 0.5, 0.2”.")
        column = QVBoxLayout(self)
        column.addWidget(
            QLabel(rules if curves else self.tr("The most that each bidder would pay for one item: numbers of at least 0."))
        )
        self.box = QPlainTextEdit(_text(design, key))
        self.box.setAccessibleName(self.windowTitle())
        self.error = SentenceLabel("error")
        column.addWidget(self.box, 1)
        column.addWidget(self.error)
        self.fix = QPushButton(self.tr("Fix: make every curve decreasing"), autoDefault=False)
        self.fix.clicked.connect(self._fix)
        self.fix.hide()
        column.addWidget(self.fix)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        if curves:
            table = buttons.addButton(self.tr("Open a table…"), QDialogButtonBox.ButtonRole.ActionRole)
            table.setToolTip(self.tr("A CSV or TSV file with three columns: bidder, price, quantity"))
            table.clicked.connect(self._choose_table)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(420, 380)

    @Slot()
    def accept(self) -> None:
        """Give what was typed if it can be; else say why not."""
        try:
            design = self._design.replace(**{self._key: self.box.toPlainText().strip() or ()})
        except InputError as error:
            self._refuse(error)
            return
        self.given.emit(getattr(design, self._key))
        super().accept()

    def _refuse(self, error: InputError) -> None:
        self.error.set_sentence(str(error))
        self.fix.setVisible(bool(error.suggestion) and self._key == "demand")

    @Slot()
    def _fix(self) -> None:
        """Let every curve that rises fall."""
        self.box.setPlainText(fallen(self.box.toPlainText()))
        self.error.clear()
        self.fix.hide()

    @Slot()
    def _choose_table(self) -> None:
        path = chosen_table(self.tr("Demand curves"), self)
        if path:
            self.read(path)

    def read(self, path: str) -> None:
        """Put the curves of a table into the box, or say why not."""
        try:
            self.box.setPlainText("\n".join(map(line_of, curves_of_table(cells_of(path, self)))))
        except Cancelled:
            return
        except InputError as error:
            self._refuse(error)


def _text(design: AuctionDesign, key: str) -> str:
    if key == "demand":
        return "\n".join(map(line_of, design.demand))
    try:
        worths = source_of(design).worths.tolist() if design.path else ()
    except InputError:  # what is wrong with the file is said elsewhere
        worths = ()
    return "\n".join(map(str, design.bids or worths))
