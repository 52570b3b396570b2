"""The preferences dialog: every choice takes effect at once."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget

from dpdesigner.desktop.look.preferences import CONTRASTS, SCHEMES, TEXT_SCALES, preferences


class PreferencesDialog(QDialog):
    """Colours, contrast, text size, motion and start."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Preferences"))
        chosen = preferences().choices
        self.scheme = QComboBox()
        for scheme, text in zip(SCHEMES, (self.tr("As the system"), self.tr("Light"), self.tr("Dark")), strict=True):
            self.scheme.addItem(text, scheme)
        self.scheme.setCurrentIndex(SCHEMES.index(chosen.scheme))
        self.contrast = QComboBox()
        for contrast, text in zip(CONTRASTS, (self.tr("As the system"), self.tr("Normal"), self.tr("High")), strict=True):
            self.contrast.addItem(text, contrast)
        self.contrast.setCurrentIndex(CONTRASTS.index(chosen.contrast))
        self.text_scale = QComboBox()
        for scale in TEXT_SCALES:
            self.text_scale.addItem(f"{scale * 100:.0f} %", scale)
        self.text_scale.setCurrentIndex(TEXT_SCALES.index(chosen.text_scale))
        self.reduced_motion = QCheckBox(self.tr("Show the end of animations at once"))
        self.reduced_motion.setChecked(chosen.reduced_motion)
        self.gallery_at_start = QCheckBox(self.tr("Show the examples when no file is opened"))
        self.gallery_at_start.setChecked(chosen.gallery_at_start)
        self._lay_out()
        self.scheme.currentIndexChanged.connect(self._choose)
        self.contrast.currentIndexChanged.connect(self._choose)
        self.text_scale.currentIndexChanged.connect(self._choose)
        self.reduced_motion.toggled.connect(self._choose)
        self.gallery_at_start.toggled.connect(self._choose)

    def _lay_out(self) -> None:
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(16)
        layout.addLayout(form)
        layout.addWidget(buttons)

    @Slot()
    def _choose(self) -> None:
        preferences().choose(
            scheme=self.scheme.currentData(),
            text_scale=self.text_scale.currentData(),
            reduced_motion=self.reduced_motion.isChecked(),
            gallery_at_start=self.gallery_at_start.isChecked(),
            contrast=self.contrast.currentData(),
        )
