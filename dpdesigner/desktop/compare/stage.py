"""The middle of the window: the page, and the comparison beside it, or in its place where there is no room for both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesigner.desktop.background.runner import Runner
from dpdesigner.desktop.background.worker import Worker
from dpdesigner.desktop.compare.comparing import Comparing, related
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.base.layouts import row_of

if TYPE_CHECKING:
    from dpdesigner.desktop.compare.compare_view import CompareView
    from dpdesigner.desktop.compare.comparison import Comparison

#: From this width on, at text scale 1, page and comparison have room beside each other.
_BOTH = 1900


class Stage(QWidget):
    """Holds the page and the comparison."""

    opened = Signal(bool)  #: the comparison was opened or closed
    pinnedChanged = Signal(str, str, str)  #: what is pinned: in words, in short, in a sentence; or empty texts

    def __init__(self, document: Document, host: PageHost, runner: Runner, worker: Worker) -> None:
        super().__init__()
        self._document, self._host = document, host
        self._comparison: Comparison | None = None
        self._open = False
        self._view: CompareView | None = None
        row_of((host, 5), on=self, gap=0)
        self._comparing = Comparing(document, host, runner, worker, self)
        self._comparing.changed.connect(self._take)
        for signal in (document.studiesChanged, document.referenceChanged, document.currentChanged):
            signal.connect(self._show_designs)
        theme().changed.connect(self._share)

    @property
    def view(self) -> CompareView:
        """The comparison, made when it is first wanted."""
        if self._view is None:
            from dpdesigner.desktop.compare.compare_view import CompareView

            self._view = CompareView(self)
            self._view.hide()
            layout = self.layout()
            if isinstance(layout, QHBoxLayout):
                layout.addWidget(self._view, 4)
            self._view.referenceChosen.connect(self._document.pin)
            self._view.duplicateRequested.connect(self._duplicate)
            self._view.closeRequested.connect(self._close)
        return self._view

    @Slot(bool)
    def set_open(self, on: bool) -> None:
        """Show the comparison, or only the page."""
        if on == self._open:
            return
        self._open = on
        if on:
            self._pin_the_other()
            view = self.view
            self._show_designs()
            view.show_comparison(self._comparison)
        self._share()
        (self.view if on else self._host).setFocus()
        self.opened.emit(on)

    def _pin_the_other(self) -> None:
        """Compare with the only other design of this kind, or with the first where what is pinned is of another kind."""
        document, pinned = self._document, self._document.reference
        others = [design for design in document.designs if design.key != document.current.key]
        alike = [design for design in others if related(design.study, document.study)]
        if len(alike) == 1 or (alike and pinned is not None):
            if pinned is None or not related(pinned.study, document.study):
                document.pin(alike[0].key)

    @Slot()
    def _duplicate(self) -> None:
        """Compare a copy of the design with it."""
        if self._document.reference is None:
            self._document.pin(self._document.current.key)
        self._document.duplicate()

    @Slot()
    def _close(self) -> None:
        self.set_open(False)

    @Slot()
    def _share(self) -> None:
        if self._view is not None:
            self._view.setVisible(self._open)
        self._host.setVisible(not self._open or self.width() >= _BOTH * theme().scale)

    @Slot()
    def _show_designs(self, *_: object) -> None:
        if self._view is None:
            return
        reference = self._document.reference
        self._view.set_designs(self._document.designs, reference, self._document.current)

    @Slot(object)
    def _take(self, comparison: Comparison | None) -> None:
        self._comparison = comparison
        if self._open:
            if self._document.reference not in (None, *self._document.designs):
                self._show_designs()
            self.view.show_comparison(comparison)
        reference = self._document.reference
        if comparison is None or reference is None or not related(reference.study, self._document.study):
            self.pinnedChanged.emit("", "", "")  # what was pinned elsewhere says nothing of this one
            return
        sentence = self.tr("Pinned. Your changes are compared with it from now on. Click to compare line by line.")
        if not comparison.same:
            difference = self.tr("{difference} now. ").format(difference=comparison.headline) if comparison.headline else ""
            sentence = self.tr("{difference}Click to compare line by line.").format(difference=difference)
        self.pinnedChanged.emit(*comparison.reference_summary, sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show both, or one, in the new width."""
        super().resizeEvent(event)
        self._share()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the comparison on Esc, where nothing else has used the key."""
        if event.key() == Qt.Key.Key_Escape and self._open:
            self.set_open(False)
        else:
            super().keyPressEvent(event)
