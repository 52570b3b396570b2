"""The About box: what this is, under which licence, and on which versions it runs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QWidget

from dpdesigner.desktop.widgets.base.layouts import column_of, styled
from dpdesigner.files.export.report import versions


class AboutDialog(QDialog):
    """Name, licence, versions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About dpdesigner"))
        title = styled("title", f"dpdesigner {versions()[0][1]}")
        purpose = QLabel(
            self.tr(
                "Design differentially private mechanisms by pointing and drawing.\nEverything is computed on this computer; "
                "nothing is sent anywhere.\n\nFree software under the MIT licence."
            )
        )
        table = QGridLayout()
        table.setHorizontalSpacing(24)
        table.setColumnStretch(1, 1)
        for row, (name, number) in enumerate(versions()[1:]):
            value = QLabel(number)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            table.addWidget(styled("muted", name), row, 0)
            table.addWidget(value, row, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy versions"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        column_of(title, purpose, table, buttons, on=self, margins=(24, 24, 24, 16), gap=16)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(f"{name} {number}" for name, number in versions()))
