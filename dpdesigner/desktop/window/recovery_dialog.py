"""The dialog that offers unsaved work after an unclean exit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Slot
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListWidget, QListWidgetItem, QWidget

from dpdesigner.desktop.base.layouts import column_of
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.document.recovery import Unsaved
from dpdesigner.desktop.window.design_thumbnail import sketch_of

#: Size of the pictures.
PICTURE = QSize(200, 112)
Choice = Literal["recover", "discard", "later"]


class RecoveryDialog(QDialog):
    """A dialog to choose one of the unsaved documents and open it, discard it or decide later.

    Parameters
    ----------
    abandoned : sequence of (Unsaved, bytes)
        Each document with its picture, a PNG file; where there is none yet, the design is sketched.
    """

    def __init__(self, abandoned: Sequence[tuple[Unsaved, bytes]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Recover unsaved work"))
        self.choice: Choice = "later"
        text = QLabel(self.tr("dpdesigner did not close properly last time. These designs were not saved:"))
        text.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Unsaved work"))
        self.list.setIconSize(PICTURE)
        self.list.setSpacing(4)
        for unsaved, picture in abandoned:
            self.list.addItem(QListWidgetItem(_thumbnail(picture, unsaved), self._describe(unsaved)))
        self.list.setMinimumWidth(568)
        self.list.setFixedHeight(min(len(abandoned), 3) * (PICTURE.height() + 12) + 12)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setCurrentRow(0)
        self.list.itemActivated.connect(self._recover)
        buttons = QDialogButtonBox()
        self.recover = buttons.addButton(self.tr("Recover"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_class(self.recover, "primary")
        self.recover.setDefault(True)
        self.discard = buttons.addButton(self.tr("Discard"), QDialogButtonBox.ButtonRole.DestructiveRole)
        self.later = buttons.addButton(self.tr("Ask me next time"), QDialogButtonBox.ButtonRole.RejectRole)
        self.recover.clicked.connect(self._recover)
        self.discard.clicked.connect(self._discard)
        self.later.clicked.connect(self.reject)
        column_of(text, self.list, buttons, on=self, margins=(16, 16, 16, 16), gap=12)

    @property
    def row(self) -> int:
        """The row of the chosen document."""
        return self.list.currentRow()

    def _describe(self, unsaved: Unsaved) -> str:
        when = QLocale().toString(QDateTime.fromSecsSinceEpoch(int(unsaved.time.timestamp())), QLocale.FormatType.ShortFormat)
        where = self.tr("never saved") if unsaved.path is None else str(unsaved.path)
        return f"{unsaved.title}\n{when}\n{where}"

    @Slot()
    def _recover(self) -> None:
        self.choice = "recover"
        self.accept()

    @Slot()
    def _discard(self) -> None:
        self.choice = "discard"
        self.accept()


def _thumbnail(picture: bytes, unsaved: Unsaved) -> QIcon:
    """Return a picture at the list's size that looks the same when selected; without one, a sketch."""
    image = QImage.fromData(picture)
    if image.isNull():
        shown = sketch_of(unsaved.project.studies[unsaved.index], PICTURE)
    else:
        whole, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        shown = QPixmap.fromImage(image.scaled(PICTURE, whole, smooth))
    icon = QIcon(shown)
    icon.addPixmap(shown, QIcon.Mode.Selected)
    return icon
