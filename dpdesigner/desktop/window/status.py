"""The status bar: what was checked at the left; at the right a note, progress, or a toast. What runs is stopped in the header."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QProgressBar, QStatusBar

from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.desktop.theme.preferences import preferences
from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.labels import ElidedLabel
from dpdesigner.desktop.window.toast import Toast


class Status(QStatusBar):
    """Facts, note and progress."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.setContentsMargins(8, 0, 8, 0)
        self.facts, self.note = ElidedLabel(yields=False), ElidedLabel()
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for label in (self.facts, self.note):
            set_class(label, "small")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(120)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.toast = Toast(self)
        self.addWidget(self.facts)
        for widget, stretch in ((self.note, 1), (self.bar, 0), (self.toast, 0)):
            self.addPermanentWidget(widget, stretch)
        self._note = ""
        self.set_idle()

    def set_summary(self, summary: Summary) -> None:
        """Show a page's facts and note; without exact details not what else was checked, which the tooltip says."""
        exact = preferences().choices.exact
        told = [fact for place, fact in enumerate(summary.facts) if exact or place == 0 or not fact.startswith("✓")]
        self.facts.set_full_text("      ".join(told), *told[:1])
        self.facts.setToolTip("\n".join((*summary.facts, summary.note)).strip())
        self._note = summary.note if exact else ""
        if self.bar.isHidden():
            self._show_note()

    @Slot(str, object)
    def set_working(self, text: str, fraction: float | None) -> None:
        """Show what runs and how far it is; None is an unknown fraction."""
        self.note.set_full_text(text)
        self.bar.setRange(0, 0 if fraction is None else 1000)
        if fraction is not None:
            self.bar.setValue(round(1000 * min(max(fraction, 0.0), 1.0)))
        self.bar.show()

    @Slot()
    def set_idle(self) -> None:
        """Show the note again."""
        self.bar.hide()
        self._show_note()

    def _show_note(self) -> None:
        """Show the note; where there is no room for all of it, what it ends with."""
        self.note.set_full_text(self._note, self._note.rpartition(" · ")[2], "")
