"""Messages of the window: the status bar, a short notice, a banner, and the progress of a long computation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QPushButton, QSizePolicy, QStatusBar, QWidget

from dpdesigner.desktop.background.runner import Runner
from dpdesigner.desktop.base.labels import ElidedLabel, announce
from dpdesigner.desktop.base.layouts import row_of, sign
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.pages.kit.page import Summary
from dpdesigner.desktop.window.header import Header

#: Milliseconds for which it stays; hovering the mouse over it holds it.
STAYS = 4000
#: The largest part of the status bar that it may take.
MOST = 0.6


class Toast(ElidedLabel):
    """A sentence that hides itself."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, yields=False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._timer = QTimer(self, singleShot=True, interval=STAYS)
        self._timer.timeout.connect(self._end)
        self.hide()

    def has_room(self, text: str) -> bool:
        """Return whether a whole sentence would fit next to the status bar's text and be visible."""
        around = self.parentWidget()
        if around is None or not around.isVisible():
            return False
        return self.fontMetrics().horizontalAdvance(text) <= MOST * around.width()

    def say(self, text: str) -> None:
        """Show a sentence for four seconds."""
        self.set_full_text(text)
        self.show()
        self._timer.start()
        announce(self, text)

    @Slot()
    def forget(self) -> None:
        """Hide the sentence."""
        self._timer.stop()
        self.hide()

    @Slot()
    def _end(self) -> None:
        if self.underMouse():
            self._timer.start()
        else:
            self.hide()


class Status(QStatusBar):
    """The checks, the note and the progress."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.setContentsMargins(8, 0, 8, 0)
        self.facts, self.note = ElidedLabel(yields=False), ElidedLabel()
        self.facts.setMinimumWidth(1)  # a long first fact must not widen the window
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
        """Show a page's facts and note, none of a refused input; secondary checks without exact details in the tooltip only."""
        exact = preferences().choices.exact
        summary = replace(summary, facts=()) if summary.refused else summary
        told = [fact for place, fact in enumerate(summary.facts) if exact or place == 0 or not fact.startswith("✓")]
        self.facts.set_full_text("      ".join(told), *told[:1])
        self.facts.setToolTip("\n".join((*summary.facts, summary.note)).strip())
        self._note = summary.note if exact else ""
        if self.bar.isHidden():
            self._show_note()

    @Slot(str, object)
    def set_working(self, text: str, fraction: float | None) -> None:
        """Show what is running and its progress; None is an unknown fraction."""
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
        """Show the note, or its end if there is no room for all of it."""
        self.note.set_full_text(self._note, self._note.rpartition(" · ")[2], "")


#: Milliseconds for which a message that needs no answer stays here: a long one, or one in a presentation.
LONG = 8000


class Banner(QFrame):
    """A line between page and status bar with one sentence and at most one button for an action.

    Parameters
    ----------
    parent : QWidget
    toast : Toast
        What says a sentence for a moment; one that it has no room for, or that nobody would see there, is said here.
    """

    def __init__(self, parent: QWidget, toast: Toast) -> None:
        super().__init__(parent)
        self._toast = toast
        set_class(self, "notice")
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button = QPushButton()
        self.button.clicked.connect(self._act)
        self.close_button = sign("✕", self.tr("Dismiss"), self.tr("Dismiss"), self.hide)
        row_of(self.text, self.button, self.close_button, on=self, margins=(16, 4, 8, 4), gap=8)
        self._action: Callable[[], None] | None = None
        self._timer = QTimer(self, singleShot=True, interval=LONG)
        self._timer.timeout.connect(self.hide)
        self.hide()

    @Slot(str)
    def say(self, text: str) -> None:
        """Show a sentence for a few seconds."""
        if self._toast.has_room(text):
            self._toast.say(text)
        else:
            self._show(text)
            self._timer.start()

    @Slot()
    def forget(self) -> None:
        """Remove a sentence that needs no answer."""
        if self._timer.isActive():
            self.hide()
        self._toast.forget()

    def ask(self, text: str, button: str = "", action: Callable[[], None] | None = None) -> None:
        """Show a sentence until it is dismissed, with a button for an action."""
        self._timer.stop()
        self._show(text, button, action)

    def _show(self, text: str, button: str = "", action: Callable[[], None] | None = None) -> None:
        self._action = action
        self.text.setText(text)
        self.setAccessibleName(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.show()
        announce(self, self.tr("{text} Button: {button}").format(text=text, button=button) if button else text)

    @Slot()
    def _act(self) -> None:
        action, self._action = self._action, None
        self.hide()
        if action is not None:
            action()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Esc dismiss the banner while it has the focus."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


class Solving(QObject):
    """The progress message in the header, for computations that decide the result; for others only the Stop button."""

    def __init__(self, runner: Runner, host: PageHost, header: Header, parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._host, self._header = runner, host, header
        self._stopped = False
        runner.working.connect(self._say)
        runner.idle.connect(self._rest)
        runner.answered.connect(self._answer)
        host.pageChanged.connect(self._go_on)
        header.result.busyClicked.connect(self._click)

    @Slot()
    def stop(self) -> None:
        """Stop all computations for the design shown."""
        decides = self._decides()
        self._runner.cancel()
        if decides and (page := self._host.page) is not None:
            self._stopped = True
            stale = page.current_summary.state == "stale"
            words = self.tr("Stopped. The page still shows the previous result.") if stale else self.tr("Stopped.")
            if stale:
                self._header.set_proof(self.tr("stopped"))
            self._header.set_busy(words, self.tr("Continue"))

    def _decides(self) -> bool:
        """Return whether a long computation may change the answer; an answer proved optimal cannot change."""
        page = self._host.page
        if page is None or not set(self._runner.long) & set(page.answering):
            return False
        return "solve" in self._runner.long or page.current_summary.state != "proved"

    def _asked(self) -> bool:
        """Return whether somebody asked for what is computed."""
        return self._host.page is None or not set(self._runner.long) <= set(self._host.page.unasked)

    @Slot(str, object)
    def _say(self, text: str, fraction: float | None) -> None:
        if self._decides():
            self._stopped = False
            words = ""
            if "solve" in self._runner.long:
                words = self.tr("Solving …") if fraction is None else self.tr("Solving, {percent}% …")
            self._header.set_busy(
                words.format(percent=round(100 * (fraction or 0))), self.tr("Stop") if words else self.tr("Stop computing")
            )
        elif not self._stopped and self._asked():
            self._header.set_busy("", self.tr("Stop computing"))
        self._header.result.stop.setToolTip(self.tr("Stop: {computation} (Esc)").format(computation=text))

    @Slot()
    def _rest(self) -> None:
        if not self._stopped:
            self._header.set_busy("", "")

    @Slot(str, object)
    def _answer(self, name: str, outcome: object) -> None:
        if name == "solve" or (self._stopped and self._host.page is not None and name in self._host.page.answering):
            self._go_on()

    @Slot()
    def _go_on(self) -> None:
        self._stopped = False
        self._rest()

    @Slot()
    def _click(self) -> None:
        if not self._stopped:
            self.stop()
            return
        self._go_on()
        if self._host.page is not None:
            self._header.set_proof(self._host.page.current_summary.badge)
        self._host.start()
