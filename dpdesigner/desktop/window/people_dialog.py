"""Which designs concern the same people, and the total that their privacy losses should keep to."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QListWidget, QListWidgetItem, QWidget

from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.widgets.base.labels import ErrorLine
from dpdesigner.desktop.widgets.base.layouts import column_of, styled
from dpdesigner.errors import InputError
from dpdesigner.studies.spending import Account

_KEY = Qt.ItemDataRole.UserRole


class SamePeopleDialog(QDialog):
    """Choose designs and state a total; the document changes in one step when the dialog is accepted."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        account = document.visible.same_people or Account((), None, 0)
        self.setWindowTitle(self.tr("Same people"))
        words = styled(
            "small", self.tr("Releases about the same people add up. Choose the designs that will be released."), wrapped=True
        )
        self.designs = QListWidget()
        self.designs.setAccessibleName(self.tr("Designs that concern the same people"))
        for design in document.designs:
            item = QListWidgetItem(design.title, self.designs)
            item.setData(_KEY, design.key)
            if design.study.spent is None:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setToolTip(self.tr("It releases nothing"))
                continue
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if design.key in account.designs else Qt.CheckState.Unchecked)
        self.epsilon, self.delta = (
            QLineEdit("" if account.epsilon is None else str(account.epsilon)),
            QLineEdit(str(account.delta)),
        )
        self.epsilon.setPlaceholderText(self.tr("not stated"))
        self.delta.setToolTip(
            self.tr("With δ above 0, releases of equal level are composed exactly, which can be less than their sum")
        )
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.addRow(self.tr("&Total ε allowed"), self.epsilon)
        form.addRow(self.tr("at &δ"), self.delta)
        self.total, self.error = styled("muted", wrapped=True), ErrorLine()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column_of(words, self.designs, form, self.total, self.error, self.buttons, on=self, margins=(16, 16, 16, 16), gap=12)
        self.setMinimumWidth(420)
        self.designs.itemChanged.connect(self._show_total)
        self.epsilon.textChanged.connect(self._show_total)
        self.delta.textChanged.connect(self._show_total)
        self._show_total()

    def account(self) -> Account:
        """Return what was chosen.

        Raises
        ------
        InputError
            If a number cannot be used.
        """
        items = [self.designs.item(row) for row in range(self.designs.count())]
        keys = tuple(
            item.data(_KEY) for item in items if item.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked.value
        )
        return Account(keys, self.epsilon.text().strip() or None, self.delta.text().strip() or 0)

    @Slot()
    def _show_total(self) -> None:
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        try:
            account = self.account()
        except InputError as error:
            self.error.set_sentence(str(error))
            ok.setEnabled(False)
            return
        self.error.clear()
        ok.setEnabled(True)
        chosen = [design.study for design in self._document.designs if design.key in account.designs]
        self.total.setText(" ".join(account.sentences(account.total(chosen))) if chosen else self.tr("No design is chosen."))

    def accept(self) -> None:
        """Make it the document's."""
        account = self.account()
        self._document.set_same_people(account if account.designs or account.epsilon is not None else None)
        super().accept()
