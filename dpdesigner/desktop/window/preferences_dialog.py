"""The preferences dialog: every choice takes effect at once."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFormLayout, QWidget

from dpdesigner.desktop.theme.preferences import CONTRASTS, SCHEMES, TEXT_SCALES, preferences
from dpdesigner.desktop.widgets.base.layouts import column_of


class PreferencesDialog(QDialog):
    """Colours, contrast, text size, motion and start."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Preferences"))
        chosen, system = preferences().choices, self.tr("System setting")
        self.scheme = _choice(zip((system, self.tr("Light"), self.tr("Dark")), SCHEMES, strict=True), chosen.scheme)
        self.contrast = _choice(zip((system, self.tr("Normal"), self.tr("High")), CONTRASTS, strict=True), chosen.contrast)
        self.text_scale = _choice(((f"{scale * 100:.0f}%", scale) for scale in TEXT_SCALES), chosen.text_scale)
        self.reduced_motion = QCheckBox(self.tr("Skip animations"))
        self.reduced_motion.setChecked(chosen.reduced_motion)
        self.gallery_at_start = QCheckBox(self.tr("Show the examples at startup if no file is given"))
        self.gallery_at_start.setChecked(chosen.gallery_at_start)
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.addRow(self.tr("&Colours"), self.scheme)
        form.addRow(self.tr("Co&ntrast"), self.contrast)
        form.addRow(self.tr("Text si&ze"), self.text_scale)
        form.addRow(self.tr("&Motion"), self.reduced_motion)
        form.addRow(self.tr("&Start"), self.gallery_at_start)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column_of(form, buttons, on=self, margins=(16, 16, 16, 16), gap=16)
        for box in (self.scheme, self.contrast, self.text_scale):
            box.currentIndexChanged.connect(self._choose)
        for mark in (self.reduced_motion, self.gallery_at_start):
            mark.toggled.connect(self._choose)

    @Slot()
    def _choose(self) -> None:
        preferences().choose(
            scheme=self.scheme.currentData(),
            text_scale=self.text_scale.currentData(),
            reduced_motion=self.reduced_motion.isChecked(),
            gallery_at_start=self.gallery_at_start.isChecked(),
            contrast=self.contrast.currentData(),
        )


def _choice(offered: Iterable[tuple[str, object]], chosen: object) -> QComboBox:
    """Return a box of values by their names."""
    box = QComboBox()
    for name, value in offered:
        box.addItem(name, value)
    box.setCurrentIndex(box.findData(chosen))
    return box
