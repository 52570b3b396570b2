"""Dialogs of the window: about, preferences, same people, unsaved work found at the start, an unexpected error."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Literal

from PySide6.QtCore import QDateTime, QLocale, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QIcon, QImage, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from dpdesigner.desktop.base.controls import NameBox, ValueBox, together
from dpdesigner.desktop.base.labels import ErrorLine
from dpdesigner.desktop.base.layouts import column_of, row_of, scrolling, styled
from dpdesigner.desktop.base.preferences import CONTRASTS, SCHEMES, TEXT_SCALES, preferences
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.document.document import Design, Document
from dpdesigner.desktop.document.recovery import Unsaved
from dpdesigner.desktop.pages.kit.thumbnails import sketch_of
from dpdesigner.errors import InputError
from dpdesigner.files.versions import versions
from dpdesigner.studies.spending import Account


class AboutDialog(QDialog):
    """The dialog with name, licence and versions."""

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


class PreferencesDialog(QDialog):
    """Choices of colours, contrast, text size, motion and start."""

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


def _choice(offered: Iterable[tuple[str, object]], chosen: object) -> NameBox:
    """Return a box to choose a value by its name."""
    box = NameBox()
    for name, value in offered:
        box.addItem(name, value)
    box.setCurrentIndex(box.findData(chosen))
    return box


_ROOM, _MOST_LISTED = 40, 220  # pixels for the error of one design, and for all designs before they scroll


class _Planned(QWidget):
    """A design that can be chosen, and how often it is released."""

    changed = Signal()

    def __init__(self, design: Design, times: int) -> None:
        super().__init__()
        self.key, self.study = design.key, design.study
        self.choice, self.error = QCheckBox(design.title.replace("&", "&&")), ErrorLine()
        self.choice.setChecked(times > 0)
        self.times = ValueBox("1000")
        self.times.show_value(str(times or 1))
        tip = self.tr("How often it is released about these people")
        self.times.setToolTip(tip)
        self.times.setAccessibleName(self.tr("{title}: times").format(title=design.title))
        self._often = together(self.times, styled("small", self.tr("times")))
        self._often.setVisible(times > 0)
        if design.study.spent is None:
            self.choice.setEnabled(False)
            self.choice.setToolTip(self.tr("It releases nothing"))
        row = row_of((self.choice, 1), self._often)
        column_of(row, self.error, on=self, gap=2)
        self.choice.toggled.connect(self._often.setVisible)
        self.choice.toggled.connect(self.changed)
        self.times.textChanged.connect(self.changed)

    def planned(self) -> int:
        """Return how often it is released; 0 if it is not chosen, or if what is typed cannot be used, which is then told."""
        self.error.clear()
        if not self.choice.isChecked():
            return 0
        try:
            typed: Any = (self.times.text(),)
            return Account((self.key,), times=typed).times[0]
        except InputError as error:
            self.error.set_error(error, self.times)
            return 0


class SamePeopleDialog(QDialog):
    """A dialog to choose designs and state a total; the document changes in one step on acceptance."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        account = document.visible.same_people or Account((), None, 0)
        self.setWindowTitle(self.tr("Same people"))
        words = styled(
            "small", self.tr("Releases about the same people add up. Choose the designs that will be released."), wrapped=True
        )
        often = dict(zip(account.designs, account.times, strict=True))
        self.designs = [_Planned(design, often.get(design.key, 0)) for design in document.designs]
        listed = QWidget()
        listed.setAccessibleName(self.tr("Designs that concern the same people"))
        column_of(*self.designs, None, on=listed, margins=(0, 0, 8, 0), gap=4)
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
        area = scrolling(listed)
        area.setMinimumHeight(min(listed.sizeHint().height() + _ROOM, _MOST_LISTED))
        column_of(words, (area, 1), form, self.total, self.error, self.buttons, on=self, margins=(16, 16, 16, 16), gap=12)
        self.setMinimumWidth(420)
        for each in self.designs:
            each.changed.connect(self._show_total)
        self.epsilon.textChanged.connect(self._show_total)
        self.delta.textChanged.connect(self._show_total)
        self._show_total()

    def account(self) -> Account:
        """Return the choice.

        Raises
        ------
        InputError
            If a number cannot be used.
        """
        often = {each.key: times for each in self.designs if (times := each.planned())}
        epsilon, delta = self.epsilon.text().strip() or None, self.delta.text().strip() or 0
        return Account(tuple(often), epsilon, delta, tuple(often.values()))

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
        refused = any(each.error.refuses for each in self.designs)
        ok.setEnabled(not refused)
        self.total.setHidden(refused)
        chosen = [each.study for each in self.designs if each.key in account.designs]
        self.total.setText(" ".join(account.sentences(account.total(chosen))) if chosen else self.tr("No design is chosen."))

    def accept(self) -> None:
        """Apply the choice to the document."""
        account = self.account()
        self._document.set_same_people(account if account.designs or account.epsilon is not None else None)
        super().accept()


#: The most reports that are kept; a defect in a paint event recurs with every frame.
MOST = 20


class ErrorHook(QObject):
    """A hook that takes unhandled exceptions of all threads and reports each defect once."""

    caught = Signal(str)  #: the details of a defect not seen before; emitted from the window's event loop
    _raised = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = (sys.excepthook, threading.excepthook)
        self._seen: set[str] = set()
        self._raised.connect(self._report, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Install the hook in Python and its threads."""
        sys.excepthook = self.handle
        threading.excepthook = self._handle_thread

    def uninstall(self) -> None:
        """Restore the previous hooks."""
        sys.excepthook, threading.excepthook = self._before

    def handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Print an exception as usual and report it from the event loop, never from where it was raised."""
        self._before[0](kind, error, trace)
        if issubclass(kind, Exception):
            self._raised.emit("".join(traceback.format_exception(kind, error, trace)))

    def _handle_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self.handle(args.exc_type, args.exc_value, args.exc_traceback)

    @Slot(str)
    def _report(self, trace: str) -> None:
        if trace not in self._seen and len(self._seen) < MOST:
            self._seen.add(trace)
            self.caught.emit("\n".join([trace, *(f"{name} {number}" for name, number in versions())]))


class ErrorDialog(QDialog):
    """The details of a defect, to be copied into a report; nothing is sent."""

    def __init__(self, details: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Details of the error"))
        text = QLabel(
            self.tr("This is a defect in dpdesigner. Your design is safe. If you report the defect, please add these details:")
        )
        text.setWordWrap(True)
        self.details = QPlainTextEdit(details)
        self.details.setReadOnly(True)
        self.details.setMinimumSize(640, 300)
        self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details.setAccessibleName(self.tr("Details"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        column_of(text, self.details, buttons, on=self, margins=(16, 16, 16, 16), gap=8)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.details.toPlainText())


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
