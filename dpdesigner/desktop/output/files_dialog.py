"""A dialog that writes files: where to, how far it is, and what came of it; closing it stops the work."""

from __future__ import annotations

from functools import cache, partial
from html import escape

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.output.pictures import hidden_page
from dpdesigner.desktop.output.target_form import TargetForm
from dpdesigner.desktop.work.steps import Steps, Work
from dpdesigner.desktop.work.worker import Worker
from dpdesigner.errors import DpDesignerError


class FilesDialog(QDialog):
    """A folder and a name, a button that begins, a bar while the work is under way, and a sentence at its end.

    Parameters
    ----------
    worker : Worker
    name : str
        What to call the files.
    """

    def __init__(self, worker: Worker, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.target = TargetForm(name)
        self.page_of = cache(partial(hidden_page, parent=self))  #: a page that is never shown, to draw on: one a kind
        self.progress = QProgressBar()
        self.progress.setMinimumHeight(self.fontMetrics().height() + 4)
        self.progress.hide()
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self._stop_or_close)
        self._ending = self.buttons.button(QDialogButtonBox.StandardButton.Close)
        self._closing = self._ending.text()
        self.go = self.buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        set_class(self.go, "primary")
        self.steps = Steps(worker, self)
        self.steps.failed.connect(self.tell_failure)
        self.steps.progressed.connect(self.tell_progress)
        self.finished.connect(self.steps.stop)

    def lay_out(self, go: str, *parts: QWidget) -> None:
        """Put parts below each other; bar, sentence and buttons come last. The first argument is what the button says."""
        self.go.setText(go)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        for widget in (*parts, self.progress, self.said, self.buttons):
            layout.addWidget(widget)
        self.go.setDefault(True)  # which means something only inside a dialog

    def add_row(self, title: str, *boxes: QCheckBox) -> None:
        """Add a row of boxes below folder and name."""
        row = QHBoxLayout()
        for box in boxes:
            row.addWidget(box)
        row.addStretch(1)
        self.target.form.addRow(title, row)

    def run(self, work: Work) -> None:
        """Begin; the signals of `steps` tell the end."""
        self.tell("")
        self.set_busy(True)
        self.steps.run(work)

    @Slot()
    def _stop_or_close(self) -> None:
        if self.go.isEnabled():
            self.reject()
            return
        self.steps.stop()
        self.set_busy(False)
        self.tell(self.tr("Stopped."))

    @Slot(object, str)
    def tell_progress(self, fraction: float | None, text: str = "") -> None:
        """Show how far it is."""
        self.progress.setRange(0, 0 if fraction is None else 100)
        self.progress.setValue(round(100 * (fraction or 0)))
        self.progress.setFormat(text)

    def set_busy(self, on: bool) -> None:
        """Show that work is under way, or at its end."""
        self.progress.setVisible(on)
        self.progress.setRange(0, 0)
        self.go.setEnabled(not on)
        self._ending.setText(self.tr("Cancel") if on else self._closing)
        self.adjustSize()

    def tell(self, text: str, wrong: bool = False) -> None:
        """Say what came of it."""
        self.said.setText(text)
        set_class(self.said, "error" if wrong else "")
        self.adjustSize()

    @Slot(object)
    def tell_failure(self, error: DpDesignerError) -> None:
        """Say why nothing was written."""
        self.set_busy(False)
        text = str(error)[:1].upper() + str(error)[1:]
        self.tell(escape(text) if self.said.textFormat() == Qt.TextFormat.RichText else text, wrong=True)
