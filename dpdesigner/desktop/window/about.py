"""The About box: what this is, under which licence, and on which versions it runs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.files.report.versions import versions


class AboutDialog(QDialog):
    """Name, licence, versions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About dpdesigner"))
        title = QLabel(f"dpdesigner {versions()[0][1]}")
        set_class(title, "title")
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
            label, value = QLabel(name), QLabel(number)
            set_class(label, "muted")
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            table.addWidget(label, row, 0)
            table.addWidget(value, row, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy versions"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        for widget in (title, purpose):
            layout.addWidget(widget)
        layout.addLayout(table)
        layout.addWidget(buttons)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(f"{name} {number}" for name, number in versions()))
